/*
 * walk_state.c
 *		Products, residuals and settled rows of f = g N f + b.
 *
 * Which norm bounds the error.  From f - f* = (I - g N)^-1 r follows
 * |f - f*| <= |r| / (1-g) in every norm in which N is no more than 1:
 *
 *		W			largest value (rows sum to at most 1)
 *		W^T			sum per column (columns of N sum to at most 1)
 *		S			Euclidean per column
 *
 * and each of them is at least the largest value, which is what is reported.
 */
#include "learn/walk_state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * Heuristic: a row is settled when its residual is 1/1000 of its largest
 * value; on neighbour graphs this rarely asks for a product more.  Guarded by
 * test_damped_walk.c, test_long_path.
 */
#define ROW_TOLERANCE	0.001

/* Below this, a value is not told from 0. */
#define VALUE_FLOOR		1e-290

/*
 * A residual below this part of the row's own value is rounding, whatever the
 * tolerance says: PageRank has sources of 1/n and may give a hub 1/10.
 */
#define ROUNDING		(32 * DBL_EPSILON)

/* r <- N f, block by block. */
static GlStatus
multiply(GlHost *host, WalkState *state)
{
	ColumnBlock *block = &state->block;

	column_block_begin(state->node_count, state->columns, block);
	while (column_block_next(block))
	{
		double	   *y = column_block_is_all(block) ? state->r :
			state->room_b;
		double	   *x;

		GL_TRY(column_block_take(host, block, state->f, state->room_a, &x));
		GL_TRY(normalised_apply(host, &state->normalised, x, y,
								block->width));
		GL_TRY(column_block_put(host, block, y, state->r));
	}
	return GL_OK;
}

/* How much of row i of N x counts: the damping, and the gain of the row. */
static inline double
row_factor(const WalkState *state, int64_t i)
{
	const double *gain = state->walk->row_gain;

	return state->walk->damping * (gain != NULL ? gain[i] : 1);
}

GlStatus
walk_state_apply(GlHost *host, void *opaque, const double *x, double *y)
{
	WalkState  *state = opaque;
	int32_t		columns = state->block.width;

	GL_TRY(normalised_apply(host, &state->normalised, x, y, columns));
	for (int64_t i = 0; i < state->node_count; i++)
	{
		const double *x_row = x + i * columns;
		double	   *y_row = y + i * columns;
		double		factor = row_factor(state, i);
		double		kept = state->is_fixed[i] ? 0 : 1;

		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			y_row[c] = kept * (x_row[c] - factor * y_row[c]);
	}
	return GL_OK;
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

/* Is a residual too large beside b? */
static inline bool
is_rough(const WalkState *state, double residual, double value)
{
	return residual > state->settled_size && residual > ROUNDING * value;
}

static inline bool
is_unsettled(const WalkState *state, double residual, double value)
{
	double		row_size = ROW_TOLERANCE * value;

	if (row_size < VALUE_FLOOR)
		row_size = VALUE_FLOOR;
	return is_rough(state, residual, value) || residual > row_size;
}

bool
walk_state_is_unsettled(const WalkState *state, int64_t i)
{
	double		residual;
	double		value;

	row_maxima(state, i, &residual, &value);
	return is_unsettled(state, residual, value);
}

static inline double
source_of(const DampedWalk *walk, int64_t seed)
{
	return walk->seed_source != NULL ? walk->seed_source[seed] :
		walk->source;
}

GlStatus
walk_state_evaluate(GlHost *host, WalkState *state)
{
	const DampedWalk *walk = state->walk;
	int32_t		columns = state->columns;
	int64_t		seed = 0;

	GL_TRY(multiply(host, state));
	state->report->residual = 0;
	state->report->converged = true;
	state->unsettled = 0;
	state->unsettled_size = 0;
	for (int64_t i = 0; i < state->node_count; i++)
	{
		const double *f_row = state->f + i * columns;
		double	   *r_row = state->r + i * columns;
		double		factor = row_factor(state, i);
		double		kept = state->is_fixed[i] ? 0 : 1;
		double		residual;
		double		value;

		GL_TRY(gl_work(host, 2 * columns));
		for (int32_t c = 0; c < columns; c++)
			r_row[c] = kept * (factor * r_row[c] - f_row[c]);
		for (; seed < walk->seeds->seed_count && walk->seeds->node[seed] == i;
			 seed++)
			r_row[walk->seeds->label_class[seed]] +=
				kept * source_of(walk, seed);
		row_maxima(state, i, &residual, &value);
		if (residual > state->report->residual)
			state->report->residual = residual;
		if (is_rough(state, residual, value))
			state->report->converged = false;
		if (!is_unsettled(state, residual, value))
			continue;
		state->unsettled++;
		if (residual > state->unsettled_size)
			state->unsettled_size = residual;
	}
	return GL_OK;
}

GlStatus
walk_state_step(GlHost *host, WalkState *state)
{
	int32_t		columns = state->columns;

	for (int64_t i = 0; i < state->node_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			state->f[i * columns + c] += state->r[i * columns + c];
	}
	state->report->products++;
	return walk_state_evaluate(host, state);
}

double
walk_state_weight(const WalkState *state, int64_t i)
{
	const DampedWalk *walk = state->walk;
	double		degree = state->normalised.degree[i];

	if (walk->normalisation == NORMALISE_SYMMETRIC)
		return 1;
	if (walk->normalisation == NORMALISE_SPREAD)
		return degree > 0 ? 1 / degree : 0;
	return walk->row_gain != NULL ? degree / walk->row_gain[i] : degree;
}

typedef enum ErrorNorm
{
	NORM_LARGEST,
	NORM_SUM,
	NORM_EUCLIDEAN
} ErrorNorm;

static ErrorNorm
choose_norm(const DampedWalk *walk)
{
	if (walk->normalisation == NORMALISE_SYMMETRIC)
		return NORM_EUCLIDEAN;
	if (walk->normalisation == NORMALISE_SPREAD)
		return NORM_SUM;
	return NORM_LARGEST;
}

/* norm[c] <- size of column c of r, squared where Euclidean. */
static GlStatus
column_norms(GlHost *host, const WalkState *state, ErrorNorm kind,
			 double *norm)
{
	int32_t		columns = state->columns;

	for (int64_t i = 0; i < state->node_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
		{
			double		size = fabs(state->r[i * columns + c]);

			if (kind == NORM_SUM)
				norm[c] += size;
			else if (kind == NORM_EUCLIDEAN)
				norm[c] += size * size;
			else
				norm[c] = fmax(norm[c], size);
		}
	}
	return GL_OK;
}

GlStatus
walk_state_error_bound(GlHost *host, const WalkState *state, double *bound)
{
	ErrorNorm	kind = choose_norm(state->walk);
	double	   *norm;

	*bound = INFINITY;
	if (state->walk->damping >= 1)
		return GL_OK;
	GL_NEW_ZEROED(host, norm, state->columns);
	GL_TRY(column_norms(host, state, kind, norm));
	*bound = state->report->residual;
	for (int32_t c = 0; c < state->columns; c++)
	{
		double		size = kind == NORM_EUCLIDEAN ? sqrt(norm[c]) : norm[c];

		*bound = fmax(*bound, size / (1 - state->walk->damping));
	}
	gl_release(host, norm);
	return GL_OK;
}

/*
 * f <- 0 but for the seeds; seeds of a clamped walk are held at 1.  The
 * largest source is that of a walk that is not clamped.
 */
static GlStatus
set_start(GlHost *host, WalkState *state, double *largest_source)
{
	const DampedWalk *walk = state->walk;
	const LabelSeeds *seeds = walk->seeds;

	*largest_source = 0;
	GL_TRY(gl_zero(host, state->f, (size_t) state->node_count,
				   (size_t) state->columns * sizeof(double)));
	for (int64_t s = 0; s < seeds->seed_count; s++)
	{
		GL_TRY(gl_work(host, 1));
		state->is_fixed[seeds->node[s]] = walk->clamped;
		state->f[(int64_t) seeds->node[s] * state->columns +
				 seeds->label_class[s]] = walk->clamped ? 1 : walk->start;
		*largest_source = fmax(*largest_source, source_of(walk, s));
	}
	return GL_OK;
}

GlStatus
walk_state_begin(GlHost *host, const DampedWalk *walk, double *f,
				 DampedWalkReport *report, WalkState *state)
{
	int64_t		n = walk->graph->node_count;
	int32_t		columns = walk->seeds->class_count;
	int32_t		width = column_block_width(columns);
	double		largest_source;

	memset(state, 0, sizeof(*state));
	state->walk = walk;
	state->node_count = n;
	state->columns = columns;
	state->f = f;
	state->report = report;
	GL_TRY(normalised_begin(host, walk->graph, walk->normalisation, width,
							&state->normalised));
	GL_NEW_ZEROED(host, state->is_fixed, n);
	GL_NEW(host, state->r, (size_t) n * (size_t) columns);
	if (width < columns)
		GL_NEW(host, state->room_a, (size_t) n * (size_t) width);
	GL_NEW(host, state->room_b, (size_t) n * (size_t) width);
	GL_TRY(set_start(host, state, &largest_source));
	GL_TRY(walk_state_evaluate(host, state));
	/* with f = 0 on the free rows of a clamped walk, r is b itself */
	state->settled_size = walk->tolerance *
		(walk->clamped ? report->residual : largest_source);
	return GL_OK;
}

void
walk_state_end(GlHost *host, WalkState *state)
{
	normalised_end(host, &state->normalised);
	gl_release(host, state->is_fixed);
	gl_release(host, state->r);
	gl_release(host, state->room_a);
	gl_release(host, state->room_b);
}
