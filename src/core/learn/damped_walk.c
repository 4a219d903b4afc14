/*
 * damped_walk.c
 *		Rounds of a Krylov method, each judged by one product on f itself.
 *
 * A round computes r = g N f + b - f, keeps the rows that are not settled,
 * solves (I - g N) e = r for them and adds e.  One round is the whole story on
 * a well-behaved graph.  Two things ask for more:
 *
 *	 degrees	A walk is self-adjoint only in the inner product weighted by
 *				degrees, and weights may span 130 decades: a solver that sees
 *				degree 1 does not see degree 1e-60.  Once the rows of high
 *				degree are settled they leave the right-hand side, and the
 *				next round sees those that were hidden.
 *	 distance	A Krylov method moves one edge per product, and stops when
 *				what is left is small beside b.  Rows further away still
 *				hold 0.  Each round carries the frontier on.
 *
 * The solution lies in [0, upper] (maximum principle), so f is put back there
 * after a round: rows the solver did not see may come out as nonsense.  After
 * a round, plain steps f <- g N f + b are taken while each at least halves the
 * residual; they mend rows that hang on settled ones.  A round without
 * progress turns the solver to plain steps for good, which cannot fail.
 *
 * Rows outside the reach of a seed have r = 0 in every step of every method
 * here, so at g = 1 the singular part of I - N is never touched.
 */
#include "learn/damped_walk.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"

/*
 * Heuristic: a row is settled when its residual is 1/1000 of its largest
 * value; on neighbour graphs this rarely asks for a product more.  Guarded by
 * test_damped_walk.c, test_long_path.
 */
#define ROW_TOLERANCE	0.001

/* Below this, a value is not told from 0. */
#define VALUE_FLOOR		1e-290

/* Plain steps after a round, while they help. */
#define POLISH_STEPS	3

/* With so few products left, all go into one round. */
#define SHORT_RUN		64

/* Never let degree quotients overflow. */
#define WEIGHT_CEILING	1e300

typedef struct WalkState
{
	const DampedWalk *walk;
	int64_t		node_count;
	int32_t		columns;
	NormalisedGraph normalised;
	bool	   *is_fixed;		/* clamped rows; their residual is 0 */
	double	   *inner_weight;	/* of this round; NULL: all 1 */
	double	   *column_scale;	/* largest residual per column */
	double	   *target;			/* of the linear solver, per column */
	double	   *f;
	double	   *r;
	double		settled_size;	/* tolerance * max |b| */
	int64_t		unsettled;		/* rows */
	double		unsettled_size; /* their largest residual */
	DampedWalkReport *report;
} WalkState;

/* LinearApply: y <- x - g N x on free rows, 0 on fixed ones. */
static GlStatus
apply_system(GlHost *host, void *opaque, const double *x, double *y)
{
	WalkState  *state = opaque;
	double		damping = state->walk->damping;
	int32_t		columns = state->columns;

	GL_TRY(normalised_apply(host, &state->normalised, x, y, columns));
	for (int64_t i = 0; i < state->node_count; i++)
	{
		const double *x_row = x + i * columns;
		double	   *y_row = y + i * columns;
		double		kept = state->is_fixed[i] ? 0 : 1;

		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			y_row[c] = kept * (x_row[c] - damping * y_row[c]);
	}
	return GL_OK;
}

/* Is a row with these largest residual and value still to be worked on? */
static inline bool
is_unsettled(const WalkState *state, double residual, double value)
{
	double		row_size = ROW_TOLERANCE * value;

	if (row_size < VALUE_FLOOR)
		row_size = VALUE_FLOOR;
	return residual > state->settled_size || residual > row_size;
}

static inline void
row_maxima(const WalkState *state, int64_t i, double *residual,
		   double *value)
{
	const double *r_row = state->r + i * state->columns;
	const double *f_row = state->f + i * state->columns;

	*residual = *value = 0;
	for (int32_t c = 0; c < state->columns; c++)
	{
		double		size = fabs(r_row[c]);

		*residual = size > *residual ? size : *residual;
		*value = f_row[c] > *value ? f_row[c] : *value;
	}
}

/* r <- g N f + b - f on free rows; then see which rows are settled. */
static GlStatus
evaluate(GlHost *host, WalkState *state)
{
	const DampedWalk *walk = state->walk;
	int32_t		columns = state->columns;
	int64_t		seed = 0;

	GL_TRY(normalised_apply(host, &state->normalised, state->f, state->r,
							columns));
	state->report->residual = 0;
	state->unsettled = 0;
	state->unsettled_size = 0;
	for (int64_t i = 0; i < state->node_count; i++)
	{
		const double *f_row = state->f + i * columns;
		double	   *r_row = state->r + i * columns;
		double		kept = state->is_fixed[i] ? 0 : 1;
		double		residual;
		double		value;

		GL_TRY(gl_work(host, 2 * columns));
		for (int32_t c = 0; c < columns; c++)
			r_row[c] = kept * (walk->damping * r_row[c] - f_row[c]);
		for (; seed < walk->seeds->seed_count && walk->seeds->node[seed] == i;
			 seed++)
			r_row[walk->seeds->label_class[seed]] += kept * walk->source;
		row_maxima(state, i, &residual, &value);
		if (residual > state->report->residual)
			state->report->residual = residual;
		if (!is_unsettled(state, residual, value))
			continue;
		state->unsettled++;
		if (residual > state->unsettled_size)
			state->unsettled_size = residual;
	}
	return GL_OK;
}

/* One plain step f <- f + r = g N f + b, judged. */
static GlStatus
plain_step(GlHost *host, WalkState *state)
{
	int32_t		columns = state->columns;

	for (int64_t i = 0; i < state->node_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			state->f[i * columns + c] += state->r[i * columns + c];
	}
	state->report->products++;
	return evaluate(host, state);
}

/*
 * Keep the unsettled rows of r, each column scaled to largest value 1 (what
 * is left may be 1e-200, whose square is 0), and find their highest degree.
 */
static GlStatus
select_rows(GlHost *host, WalkState *state, double *highest_degree)
{
	int32_t		columns = state->columns;

	*highest_degree = 0;
	memset(state->column_scale, 0, (size_t) columns * sizeof(double));
	for (int64_t i = 0; i < state->node_count; i++)
	{
		double	   *r_row = state->r + i * columns;
		double		residual;
		double		value;

		GL_TRY(gl_work(host, 2 * columns));
		row_maxima(state, i, &residual, &value);
		if (!is_unsettled(state, residual, value))
		{
			memset(r_row, 0, (size_t) columns * sizeof(double));
			continue;
		}
		if (state->normalised.degree[i] > *highest_degree)
			*highest_degree = state->normalised.degree[i];
		for (int32_t c = 0; c < columns; c++)
			state->column_scale[c] = fmax(state->column_scale[c],
										  fabs(r_row[c]));
	}
	for (int64_t i = 0; i < state->node_count; i++)
	{
		double	   *r_row = state->r + i * columns;

		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			if (state->column_scale[c] > 0)
				r_row[c] /= state->column_scale[c];
	}
	return GL_OK;
}

/* Degrees relative to the highest one at work, as weights of the solver. */
static GlStatus
weigh_rows(GlHost *host, WalkState *state, double highest_degree)
{
	if (state->inner_weight == NULL || !(highest_degree > 0))
		return GL_OK;
	for (int64_t i = 0; i < state->node_count; i++)
	{
		double		weight = state->normalised.degree[i] / highest_degree;

		state->inner_weight[i] = fmin(weight, WEIGHT_CEILING);
	}
	return gl_work(host, state->node_count);
}

/* f <- f + column_scale * e, put back into [0, upper]; NaN becomes 0. */
static GlStatus
add_correction(GlHost *host, WalkState *state, const double *e)
{
	double		upper = state->walk->upper;
	int32_t		columns = state->columns;

	for (int64_t i = 0; i < state->node_count; i++)
	{
		double	   *f_row = state->f + i * columns;

		GL_TRY(gl_work(host, columns));
		if (state->is_fixed[i])
			continue;
		for (int32_t c = 0; c < columns; c++)
		{
			double		value = f_row[c] +
				state->column_scale[c] * e[i * columns + c];

			value = value > 0 ? value : 0;
			f_row[c] = value < upper ? value : upper;
		}
	}
	return GL_OK;
}

/*
 * How far a round should go: until the residual that counts is reached, with
 * room for rounding; or, when it is and only rows far away are unsettled, a
 * good many edges on.  The second condition ends a round that waits in vain
 * for rows it cannot see.
 */
static LinearGoal
round_goal(const WalkState *state, int64_t product_limit)
{
	LinearGoal	goal = {.target = state->target};
	bool		near_is_settled =
		state->report->residual <= state->settled_size;

	for (int32_t c = 0; c < state->columns; c++)
	{
		double		target = near_is_settled ?
			1e-6 * state->unsettled_size : 0.5 * state->settled_size;

		state->target[c] = state->column_scale[c] > 0 ?
			target / state->column_scale[c] : 0;
	}
	goal.reduction = near_is_settled ? 1e-8 : 1e-3 * state->walk->tolerance;
	goal.product_limit = product_limit;
	return goal;
}

static GlStatus
run_round(GlHost *host, WalkState *state, LinearMethod method,
		  int64_t product_limit)
{
	LinearSystem system = {
		.apply = apply_system,
		.state = state,
		.row_count = state->node_count,
		.columns = state->columns,
	};
	LinearGoal	goal;
	LinearReport report;
	double		highest_degree;
	double	   *e;

	GL_TRY(select_rows(host, state, &highest_degree));
	GL_TRY(weigh_rows(host, state, highest_degree));
	system.inner_weight = state->inner_weight;
	goal = round_goal(state, product_limit);
	GL_NEW(host, e, (size_t) state->node_count * (size_t) state->columns);
	GL_TRY(linear_solver_run(host, method, &system, &goal, state->r, e,
							 &report));
	GL_TRY(add_correction(host, state, e));
	gl_release(host, e);
	state->report->rounds++;
	state->report->breakdowns += report.breakdowns;
	state->report->products += report.products + 1;
	return evaluate(host, state);
}

/* Plain steps while each halves what is unsettled. */
static GlStatus
polish(GlHost *host, WalkState *state)
{
	for (int step = 0; step < POLISH_STEPS; step++)
	{
		double		before = state->unsettled_size;

		if (state->unsettled == 0 ||
			state->report->products >= state->walk->product_limit)
			break;
		GL_TRY(plain_step(host, state));
		if (state->unsettled_size > 0.5 * before)
			break;
	}
	return GL_OK;
}

static GlStatus
iterate(GlHost *host, WalkState *state, LinearMethod method)
{
	const DampedWalk *walk = state->walk;

	while (state->unsettled > 0 &&
		   state->report->products < walk->product_limit)
	{
		int64_t		left = walk->product_limit - state->report->products;
		double		size_before = state->unsettled_size;
		int64_t		rows_before = state->unsettled;

		if (left < 4)			/* too few for a round worth the name */
		{
			GL_TRY(plain_step(host, state));
			continue;
		}
		/* a round in vain must leave products for the plain steps */
		GL_TRY(run_round(host, state, method,
						 left <= SHORT_RUN || method == LINEAR_PLAIN ?
						 left - 1 : left / 2));
		GL_TRY(polish(host, state));
		if (state->unsettled_size > 0.5 * size_before &&
			(double) state->unsettled > 0.9 * (double) rows_before)
			method = LINEAR_PLAIN;
	}
	return GL_OK;
}

static LinearMethod
choose_method(const DampedWalk *walk)
{
	if (walk->method != 0)
		return walk->method;
	return walk->graph->is_symmetric ? LINEAR_CONJUGATE : LINEAR_BICGSTAB;
}

/* Fail at once where the blocks cannot fit, before any product. */
static GlStatus
require_memory(GlHost *host, const DampedWalk *walk, LinearMethod method)
{
	size_t		values;
	int			blocks = method == LINEAR_BICGSTAB ? 7 : 5;

	if (!gl_size_multiply((size_t) walk->graph->node_count,
						  (size_t) walk->seeds->class_count, &values) ||
		!gl_size_multiply(values, (size_t) blocks, &values))
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "%d classes are too many for a graph of this size",
					   walk->seeds->class_count);
	return gl_require(host, values, sizeof(double),
					  "Raise graphlearn.max_memory, or use fewer classes.");
}

/* f <- 0, seeds of a clamped walk at 1. */
static GlStatus
set_start(GlHost *host, WalkState *state)
{
	const LabelSeeds *seeds = state->walk->seeds;

	GL_TRY(gl_zero(host, state->f, (size_t) state->node_count,
				   (size_t) state->columns * sizeof(double)));
	if (!state->walk->clamped)
		return GL_OK;
	for (int64_t s = 0; s < seeds->seed_count; s++)
	{
		GL_TRY(gl_work(host, 1));
		state->is_fixed[seeds->node[s]] = true;
		state->f[(int64_t) seeds->node[s] * state->columns +
				 seeds->label_class[s]] = 1;
	}
	return GL_OK;
}

static GlStatus
state_begin(GlHost *host, const DampedWalk *walk, LinearMethod method,
			WalkState *state)
{
	int64_t		n = walk->graph->node_count;
	int32_t		columns = walk->seeds->class_count;

	state->walk = walk;
	state->node_count = n;
	state->columns = columns;
	GL_TRY(require_memory(host, walk, method));
	GL_TRY(normalised_begin(host, walk->graph, walk->normalisation, columns,
							&state->normalised));
	GL_NEW_ZEROED(host, state->is_fixed, n);
	GL_NEW(host, state->column_scale, columns);
	GL_NEW(host, state->target, columns);
	GL_NEW(host, state->r, (size_t) n * (size_t) columns);
	if (method == LINEAR_CONJUGATE && walk->normalisation == NORMALISE_WALK)
		GL_NEW_ZEROED(host, state->inner_weight, n);
	return GL_OK;
}

static void
state_end(GlHost *host, WalkState *state)
{
	normalised_end(host, &state->normalised);
	gl_release(host, state->is_fixed);
	gl_release(host, state->column_scale);
	gl_release(host, state->target);
	gl_release(host, state->r);
	gl_release(host, state->inner_weight);
}

GlStatus
damped_walk_solve(GlHost *host, const DampedWalk *walk, double *f,
				  DampedWalkReport *report)
{
	LinearMethod method = choose_method(walk);
	WalkState	state = {.f = f, .report = report};

	memset(report, 0, sizeof(*report));
	GL_TRY(state_begin(host, walk, method, &state));
	GL_TRY(set_start(host, &state));
	/* with f = 0 on the free rows the residual is b itself */
	GL_TRY(evaluate(host, &state));
	state.settled_size = walk->tolerance * report->residual;
	GL_TRY(iterate(host, &state, method));
	report->converged = report->residual <= state.settled_size;
	report->unsettled = state.unsettled;
	state_end(host, &state);
	return GL_OK;
}
