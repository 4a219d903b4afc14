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

#include "learn/walk_state.h"

/* Plain steps after a round, while they help. */
#define POLISH_STEPS	3

/* With so few products left, all go into one round. */
#define SHORT_RUN		64

/* Never let degree quotients overflow. */
#define WEIGHT_CEILING	1e300

/* What a run of rounds needs beside the state of the equation. */
typedef struct WalkRounds
{
	WalkState	state;
	double	   *inner_weight;	/* of this round; NULL: all 1 */
	double	   *column_scale;	/* largest residual per column */
	double	   *target;			/* of the linear solver, per column */
} WalkRounds;

/*
 * Keep the unsettled rows of r, each column scaled to largest value 1 (what
 * is left may be 1e-200, whose square is 0), and find their highest weight.
 */
static GlStatus
select_rows(GlHost *host, WalkRounds *rounds, double *highest_weight)
{
	WalkState  *state = &rounds->state;
	double	   *column_scale = rounds->column_scale;
	int32_t		columns = state->columns;

	*highest_weight = 0;
	memset(column_scale, 0, (size_t) columns * sizeof(double));
	for (int64_t i = 0; i < state->node_count; i++)
	{
		double	   *r_row = state->r + i * columns;

		GL_TRY(gl_work(host, 2 * columns));
		if (!walk_state_is_unsettled(state, i))
		{
			memset(r_row, 0, (size_t) columns * sizeof(double));
			continue;
		}
		*highest_weight = fmax(*highest_weight, walk_state_weight(state, i));
		for (int32_t c = 0; c < columns; c++)
			column_scale[c] = fmax(column_scale[c], fabs(r_row[c]));
	}
	for (int64_t i = 0; i < state->node_count; i++)
	{
		double	   *r_row = state->r + i * columns;

		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			if (column_scale[c] > 0)
				r_row[c] /= column_scale[c];
	}
	return GL_OK;
}

/*
 * Weights of the inner product, relative to the highest one at work.  A row
 * without edges has none of its own and needs none: any will do.
 */
static GlStatus
weigh_rows(GlHost *host, WalkRounds *rounds, double highest_weight)
{
	if (rounds->inner_weight == NULL)
		return GL_OK;
	for (int64_t i = 0; i < rounds->state.node_count; i++)
	{
		double		weight = walk_state_weight(&rounds->state, i);

		rounds->inner_weight[i] = weight > 0 && highest_weight > 0 ?
			fmin(weight / highest_weight, WEIGHT_CEILING) : 1;
	}
	return gl_work(host, rounds->state.node_count);
}

/*
 * f <- f + column_scale * e in the columns of the block, put back into
 * [0, upper]; NaN becomes 0.
 */
static GlStatus
add_correction(GlHost *host, WalkRounds *rounds, const double *e)
{
	WalkState  *state = &rounds->state;
	const ColumnBlock *block = &state->block;
	const double *scale = rounds->column_scale + block->first;
	double		upper = state->walk->upper;
	int32_t		width = block->width;

	for (int64_t i = 0; i < state->node_count; i++)
	{
		double	   *f_row = state->f + i * block->columns + block->first;

		GL_TRY(gl_work(host, width));
		if (state->is_fixed[i])
			continue;
		for (int32_t c = 0; c < width; c++)
		{
			double		value = f_row[c] + scale[c] * e[i * width + c];

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
round_goal(const WalkRounds *rounds, int64_t product_limit)
{
	const WalkState *state = &rounds->state;
	LinearGoal	goal = {.target = rounds->target};
	bool		near_is_settled = state->report->converged;

	for (int32_t c = 0; c < state->columns; c++)
	{
		double		target = near_is_settled ?
			1e-6 * state->unsettled_size : 0.5 * state->settled_size;

		rounds->target[c] = rounds->column_scale[c] > 0 ?
			target / rounds->column_scale[c] : 0;
	}
	goal.reduction = near_is_settled ? 1e-8 : 1e-3 * state->walk->tolerance;
	goal.product_limit = product_limit;
	return goal;
}

/* Solve for the columns of the block, and correct them in f. */
static GlStatus
solve_block(GlHost *host, WalkRounds *rounds, LinearMethod method,
			LinearGoal goal, LinearReport *report)
{
	WalkState  *state = &rounds->state;
	LinearSystem system = {
		.apply = walk_state_apply,
		.state = state,
		.row_count = state->node_count,
		.columns = state->block.width,
		.inner_weight = rounds->inner_weight
	};
	double	   *r;

	goal.target = rounds->target + state->block.first;
	GL_TRY(column_block_take(host, &state->block, state->r, state->room_a,
							 &r));
	GL_TRY(linear_solver_run(host, method, &system, &goal, r, state->room_b,
							 report));
	return add_correction(host, rounds, state->room_b);
}

static GlStatus
run_round(GlHost *host, WalkRounds *rounds, LinearMethod method,
		  int64_t product_limit)
{
	WalkState  *state = &rounds->state;
	LinearGoal	goal;
	double		highest_weight;
	int64_t		products = 0;	/* of the block that took the most */

	GL_TRY(select_rows(host, rounds, &highest_weight));
	GL_TRY(weigh_rows(host, rounds, highest_weight));
	goal = round_goal(rounds, product_limit);
	column_block_begin(state->node_count, state->columns, &state->block);
	while (column_block_next(&state->block))
	{
		LinearReport report;

		GL_TRY(solve_block(host, rounds, method, goal, &report));
		state->report->breakdowns += report.breakdowns;
		products = report.products > products ? report.products : products;
	}
	state->report->rounds++;
	state->report->products += products + 1;
	return walk_state_evaluate(host, state);
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
		GL_TRY(walk_state_step(host, state));
		if (state->unsettled_size > 0.5 * before)
			break;
	}
	return GL_OK;
}

static GlStatus
iterate(GlHost *host, WalkRounds *rounds, LinearMethod method)
{
	WalkState  *state = &rounds->state;
	int64_t		product_limit = state->walk->product_limit;

	while (state->unsettled > 0 && state->report->products < product_limit)
	{
		int64_t		left = product_limit - state->report->products;
		double		size_before = state->unsettled_size;
		int64_t		rows_before = state->unsettled;

		if (left < 4)			/* too few for a round worth the name */
		{
			GL_TRY(walk_state_step(host, state));
			continue;
		}
		/* a round in vain must leave products for the plain steps */
		GL_TRY(run_round(host, rounds, method,
						 left <= SHORT_RUN || method == LINEAR_PLAIN ?
						 left - 1 : left / 2));
		GL_TRY(polish(host, state));
		if (state->unsettled_size > 0.5 * size_before &&
			(double) state->unsettled > 0.9 * (double) rows_before)
			method = LINEAR_PLAIN;
	}
	return GL_OK;
}

/* As many plain steps as were asked for, fewer once every row is settled. */
static GlStatus
take_steps(GlHost *host, WalkState *state)
{
	while (state->unsettled > 0 &&
		   state->report->products < state->walk->steps)
		GL_TRY(walk_state_step(host, state));
	return GL_OK;
}

static LinearMethod
choose_method(const DampedWalk *walk)
{
	if (walk->method != 0)
		return walk->method;
	return walk->graph->is_symmetric ? LINEAR_CONJUGATE : LINEAR_BICGSTAB;
}

/*
 * Fail at once where it cannot fit, before any product: the residual, and
 * what a product and a solver need for one block.
 */
static GlStatus
require_memory(GlHost *host, const DampedWalk *walk, LinearMethod method)
{
	int32_t		columns = walk->seeds->class_count;
	int32_t		width = column_block_width(columns);
	size_t		blocks = walk->steps > 0 ? 2 :
		method == LINEAR_BICGSTAB ? 6 : 4;

	if (width < columns)
		blocks++;
	return gl_require(host, (size_t) walk->graph->node_count,
					  ((size_t) columns + blocks * (size_t) width) *
					  sizeof(double),
					  "Raise graphlearn.max_memory, or use fewer classes.");
}

static GlStatus
rounds_begin(GlHost *host, const DampedWalk *walk, LinearMethod method,
			 double *f, DampedWalkReport *report, WalkRounds *rounds)
{
	int32_t		columns = walk->seeds->class_count;

	memset(rounds, 0, sizeof(*rounds));
	GL_TRY(require_memory(host, walk, method));
	GL_NEW(host, rounds->column_scale, columns);
	GL_NEW(host, rounds->target, columns);
	if (method == LINEAR_CONJUGATE &&
		walk->normalisation != NORMALISE_SYMMETRIC)
		GL_NEW_ZEROED(host, rounds->inner_weight, walk->graph->node_count);
	return walk_state_begin(host, walk, f, report, &rounds->state);
}

static void
rounds_end(GlHost *host, WalkRounds *rounds)
{
	walk_state_end(host, &rounds->state);
	gl_release(host, rounds->column_scale);
	gl_release(host, rounds->target);
	gl_release(host, rounds->inner_weight);
}

GlStatus
damped_walk_solve(GlHost *host, const DampedWalk *walk, double *f,
				  DampedWalkReport *report)
{
	LinearMethod method = choose_method(walk);
	WalkRounds	rounds;

	memset(report, 0, sizeof(*report));
	GL_TRY(rounds_begin(host, walk, method, f, report, &rounds));
	if (walk->steps > 0)
		GL_TRY(take_steps(host, &rounds.state));
	else
		GL_TRY(iterate(host, &rounds, method));
	report->unsettled = rounds.state.unsettled;
	GL_TRY(walk_state_error_bound(host, &rounds.state,
								  &report->error_bound));
	rounds_end(host, &rounds);
	return GL_OK;
}

GlStatus
damped_walk_propagate(GlHost *host, const Graph *graph,
					  const LabelSeeds *seeds,
					  const PropagateOptions *options, DampedWalk *walk,
					  double *scores, PropagateReport *report)
{
	DampedWalkReport solved;

	walk->graph = graph;
	walk->seeds = seeds;
	walk->damping = options->damping;
	walk->tolerance = options->tolerance;
	walk->product_limit = options->iteration_limit > 0 ?
		options->iteration_limit : PROPAGATE_ITERATION_LIMIT;
	GL_TRY(damped_walk_solve(host, walk, scores, &solved));
	report->normalisation = walk->normalisation;
	report->damping = options->damping;
	report->iterations = solved.products;
	report->residual = solved.residual;
	report->error_bound = solved.error_bound;
	report->converged = solved.converged;
	report->stepped = walk->steps > 0;
	return GL_OK;
}
