/*
 * linear_solver.c
 *		Conjugate gradients, BiCGStab and the plain iteration, column by column
 *		in their scalars and all columns together in their products.
 *
 * Sources: Hestenes and Stiefel 1952 (conjugate gradients), van der Vorst
 * 1992 (BiCGStab).  Both are written in the inner product of the system: a
 * walk W = D^-1 A of a symmetric graph is self-adjoint in sum_i d_i a_i b_i,
 * and conjugate gradients in that product take the very steps they would take
 * on S = D^-1/2 A D^-1/2, without passing through d^1/2.
 *
 * A finished column has step sizes 0 in every update, which leaves it as it
 * is.  If a column overflows, its infinities stay in that column: no
 * operation mixes columns.
 */
#include "learn/linear_solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Values handled between two polls; two or three blocks fit the L1 cache. */
#define BLOCK_VALUES	2048

/* |<a,b>| below this part of |a| |b| is rounding: the recurrence broke. */
#define BREAKDOWN_COSINE	1e-13

/* How often a column may begin again before it is given up. */
#define RESTART_LIMIT	8

/* The scalars of all columns; each array has one entry per column. */
typedef struct ColumnState
{
	double	   *chunk;			/* owns all arrays of double */
	double	   *partial;		/* sums within a block */
	double	   *norm;			/* <r,r> */
	double	   *norm_start;
	double	   *largest;		/* max |r| */
	double	   *rho;
	double	   *alpha;
	double	   *beta;
	double	   *omega;
	double	   *dot_a;
	double	   *dot_b;
	double	   *shadow_norm;
	double	   *keep;			/* 1 while the column runs, 0 when frozen */
	int32_t    *restarts;
	bool	   *met;			/* the goal was reached */
	int32_t		running;		/* columns not frozen */
} ColumnState;

#define COLUMN_ARRAYS	12

static GlStatus
column_state_begin(GlHost *host, int32_t columns, ColumnState *state)
{
	double	  **arrays[COLUMN_ARRAYS] = {
		&state->partial, &state->norm, &state->norm_start, &state->largest,
		&state->rho, &state->alpha, &state->beta, &state->omega,
		&state->dot_a, &state->dot_b, &state->shadow_norm, &state->keep
	};

	memset(state, 0, sizeof(*state));
	GL_NEW_ZEROED(host, state->chunk, (size_t) columns * COLUMN_ARRAYS);
	GL_NEW_ZEROED(host, state->restarts, columns);
	GL_NEW_ZEROED(host, state->met, columns);
	for (int a = 0; a < COLUMN_ARRAYS; a++)
		*arrays[a] = state->chunk + (size_t) a * (size_t) columns;
	for (int32_t c = 0; c < columns; c++)
		state->keep[c] = 1;
	state->running = columns;
	return GL_OK;
}

static void
column_state_end(GlHost *host, ColumnState *state)
{
	gl_release(host, state->chunk);
	gl_release(host, state->restarts);
	gl_release(host, state->met);
}

static void
freeze(ColumnState *state, int32_t c)
{
	if (state->keep[c] != 0)
		state->running--;
	state->keep[c] = 0;
}

/* The next block of rows: at least one row, at most about BLOCK_VALUES. */
static inline int64_t
block_end(const LinearSystem *system, int64_t first)
{
	int64_t		rows = BLOCK_VALUES / system->columns;
	int64_t		end = first + (rows > 0 ? rows : 1);

	return end < system->row_count ? end : system->row_count;
}

/* sums[c] <- <a_c, b_c> in the system's inner product. */
static GlStatus
inner_products(GlHost *host, const LinearSystem *system, double *partial,
			   const double *a, const double *b, double *sums)
{
	const double *weight = system->inner_weight;
	int32_t		columns = system->columns;

	memset(sums, 0, (size_t) columns * sizeof(double));
	for (int64_t first = 0, end; first < system->row_count; first = end)
	{
		end = block_end(system, first);
		GL_TRY(gl_work(host, (end - first) * columns));
		memset(partial, 0, (size_t) columns * sizeof(double));
		for (int64_t i = first; i < end; i++)
		{
			const double *a_row = a + i * columns;
			const double *b_row = b + i * columns;
			double		w = weight != NULL ? weight[i] : 1.0;

			for (int32_t c = 0; c < columns; c++)
				partial[c] += w * a_row[c] * b_row[c];
		}
		for (int32_t c = 0; c < columns; c++)
			sums[c] += partial[c];
	}
	return GL_OK;
}

/* largest[c] <- max_i |a_ic|; a NaN is passed over, the norm shows it. */
static GlStatus
column_maxima(GlHost *host, const LinearSystem *system, const double *a,
			  double *largest)
{
	int32_t		columns = system->columns;

	memset(largest, 0, (size_t) columns * sizeof(double));
	for (int64_t first = 0, end; first < system->row_count; first = end)
	{
		end = block_end(system, first);
		GL_TRY(gl_work(host, (end - first) * columns));
		for (int64_t i = first; i < end; i++)
			for (int32_t c = 0; c < columns; c++)
			{
				double		size = fabs(a[i * columns + c]);

				largest[c] = size > largest[c] ? size : largest[c];
			}
	}
	return GL_OK;
}

/* y_c <- y_c + sign * factor_c x_c */
static GlStatus
add_multiple(GlHost *host, const LinearSystem *system, double sign,
			 const double *factor, const double *x, double *y)
{
	int32_t		columns = system->columns;

	for (int64_t first = 0, end; first < system->row_count; first = end)
	{
		end = block_end(system, first);
		GL_TRY(gl_work(host, (end - first) * columns));
		for (int64_t i = first; i < end; i++)
		{
			const double *x_row = x + i * columns;
			double	   *y_row = y + i * columns;

			for (int32_t c = 0; c < columns; c++)
				y_row[c] += sign * factor[c] * x_row[c];
		}
	}
	return GL_OK;
}

/* p_c <- r_c + beta_c (p_c - omega_c v_c); v NULL: without its term. */
static GlStatus
new_direction(GlHost *host, const LinearSystem *system,
			  const ColumnState *state, const double *r, const double *v,
			  double *p)
{
	int32_t		columns = system->columns;

	for (int64_t first = 0, end; first < system->row_count; first = end)
	{
		end = block_end(system, first);
		GL_TRY(gl_work(host, (end - first) * columns));
		for (int64_t i = first; i < end; i++)
		{
			int64_t		row = i * columns;

			if (v != NULL)
				for (int32_t c = 0; c < columns; c++)
					p[row + c] -= state->omega[c] * v[row + c];
			for (int32_t c = 0; c < columns; c++)
				p[row + c] = r[row + c] + state->beta[c] * p[row + c];
		}
	}
	return GL_OK;
}

/* Measure r, and freeze the columns that met their goal. */
static GlStatus
judge(GlHost *host, const LinearSystem *system, const LinearGoal *goal,
	  ColumnState *state, const double *r)
{
	double		reduction = goal->reduction * goal->reduction;

	GL_TRY(inner_products(host, system, state->partial, r, r, state->norm));
	GL_TRY(column_maxima(host, system, r, state->largest));
	for (int32_t c = 0; c < system->columns; c++)
	{
		double		target = goal->target != NULL ? goal->target[c] : 0;

		if (state->keep[c] == 0 || !isfinite(state->norm[c]))
			continue;
		if (state->largest[c] <= target ||
			state->norm[c] <= reduction * state->norm_start[c])
		{
			state->met[c] = true;
			freeze(state, c);
		}
	}
	return GL_OK;
}

/*
 * First look at r.  Nothing can be reduced in a column of norm 0, even where
 * single values are not 0 (all its rows have weight 0 here).
 */
static GlStatus
judge_start(GlHost *host, const LinearSystem *system, const LinearGoal *goal,
			ColumnState *state, const double *r)
{
	GL_TRY(inner_products(host, system, state->partial, r, r,
						  state->norm_start));
	GL_TRY(judge(host, system, goal, state, r));
	memcpy(state->rho, state->norm,
		   (size_t) system->columns * sizeof(double));
	return GL_OK;
}

static GlStatus
run_conjugate(GlHost *host, const LinearSystem *system,
			  const LinearGoal *goal, ColumnState *state, double *r,
			  double *x, LinearReport *report)
{
	size_t		values = (size_t) system->row_count * (size_t) system->columns;
	double	   *p;				/* direction */
	double	   *q;				/* M p */

	GL_NEW(host, p, values);
	GL_NEW(host, q, values);
	memcpy(p, r, values * sizeof(double));
	while (state->running > 0 && report->products < goal->product_limit)
	{
		GL_TRY(system->apply(host, system->state, p, q));
		report->products++;
		GL_TRY(inner_products(host, system, state->partial, p, q,
							  state->dot_a));
		GL_TRY(inner_products(host, system, state->partial, p, p,
							  state->dot_b));
		for (int32_t c = 0; c < system->columns; c++)
		{
			/* no curvature left: M is singular here, to rounding */
			if (state->keep[c] != 0 &&
				!(state->dot_a[c] > 16 * DBL_EPSILON * state->dot_b[c]))
			{
				report->breakdowns++;
				freeze(state, c);
			}
			state->alpha[c] = state->keep[c] != 0 ?
				state->rho[c] / state->dot_a[c] : 0;
		}
		GL_TRY(add_multiple(host, system, 1, state->alpha, p, x));
		GL_TRY(add_multiple(host, system, -1, state->alpha, q, r));
		GL_TRY(judge(host, system, goal, state, r));
		for (int32_t c = 0; c < system->columns; c++)
		{
			state->beta[c] = state->keep[c] != 0 ?
				state->norm[c] / state->rho[c] : 0;
			state->rho[c] = state->norm[c];
		}
		GL_TRY(new_direction(host, system, state, r, NULL, p));
	}
	gl_release(host, p);
	gl_release(host, q);
	return GL_OK;
}

/* Is dot nothing but rounding beside vectors of these squared norms? */
static bool
is_broken(double dot, double norm_a, double norm_b)
{
	return !(fabs(dot) > BREAKDOWN_COSINE * sqrt(norm_a) * sqrt(norm_b)) ||
		!isfinite(dot);
}

/*
 * After a step of BiCGStab: the scalars of the next direction.  A column
 * whose recurrence broke begins again from its present residual, which the
 * caller copies into shadow where restart is set (in dot_b, as 1 or 0).
 * Returns whether any column restarts.
 */
static bool
bicgstab_next(const LinearSystem *system, ColumnState *state,
			  LinearReport *report)
{
	bool		any_restart = false;

	for (int32_t c = 0; c < system->columns; c++)
	{
		double		rho_next = state->dot_a[c];

		state->dot_b[c] = 0;
		state->beta[c] = 0;
		if (state->keep[c] == 0)
			continue;
		if (state->alpha[c] == 0 || state->omega[c] == 0 ||
			is_broken(rho_next, state->shadow_norm[c], state->norm[c]))
		{
			report->breakdowns++;
			if (++state->restarts[c] > RESTART_LIMIT ||
				!isfinite(state->norm[c]))
			{
				freeze(state, c);
				continue;
			}
			state->dot_b[c] = 1;
			state->shadow_norm[c] = rho_next = state->norm[c];
			any_restart = true;
		}
		else
			state->beta[c] = (rho_next / state->rho[c]) *
				(state->alpha[c] / state->omega[c]);
		state->rho[c] = rho_next;
	}
	return any_restart;
}

/* shadow_c <- r_c for the columns marked in dot_b. */
static GlStatus
restart_shadow(GlHost *host, const LinearSystem *system,
			   const ColumnState *state, const double *r, double *shadow)
{
	int32_t		columns = system->columns;

	for (int64_t i = 0; i < system->row_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			if (state->dot_b[c] != 0)
				shadow[i * columns + c] = r[i * columns + c];
	}
	return GL_OK;
}

/*
 * One step: r becomes s = r - alpha v, then s - omega t, and x follows.
 * v = M p and t = M s are scratch of the caller.
 */
static GlStatus
bicgstab_step(GlHost *host, const LinearSystem *system, ColumnState *state,
			  const double *shadow, const double *p, double *v, double *t,
			  double *r, double *x)
{
	GL_TRY(system->apply(host, system->state, p, v));
	GL_TRY(inner_products(host, system, state->partial, shadow, v,
						  state->dot_a));
	GL_TRY(inner_products(host, system, state->partial, v, v, state->dot_b));
	for (int32_t c = 0; c < system->columns; c++)
		state->alpha[c] = state->keep[c] == 0 ||
			is_broken(state->dot_a[c], state->shadow_norm[c],
					  state->dot_b[c]) ?
			0 : state->rho[c] / state->dot_a[c];
	GL_TRY(add_multiple(host, system, 1, state->alpha, p, x));
	GL_TRY(add_multiple(host, system, -1, state->alpha, v, r));

	GL_TRY(system->apply(host, system->state, r, t));
	GL_TRY(inner_products(host, system, state->partial, t, r, state->dot_a));
	GL_TRY(inner_products(host, system, state->partial, t, t, state->dot_b));
	for (int32_t c = 0; c < system->columns; c++)
		state->omega[c] = state->keep[c] == 0 || !(state->dot_b[c] > 0) ?
			0 : state->dot_a[c] / state->dot_b[c];
	GL_TRY(add_multiple(host, system, 1, state->omega, r, x));
	return add_multiple(host, system, -1, state->omega, t, r);
}

static GlStatus
run_bicgstab(GlHost *host, const LinearSystem *system,
			 const LinearGoal *goal, ColumnState *state, double *r,
			 double *x, LinearReport *report)
{
	size_t		values = (size_t) system->row_count * (size_t) system->columns;
	double	   *shadow;			/* the fixed vector of the recurrence */
	double	   *p;
	double	   *v;
	double	   *t;

	GL_NEW(host, shadow, values);
	GL_NEW(host, p, values);
	GL_NEW(host, v, values);
	GL_NEW(host, t, values);
	memcpy(shadow, r, values * sizeof(double));
	memcpy(p, r, values * sizeof(double));
	memcpy(state->shadow_norm, state->norm,
		   (size_t) system->columns * sizeof(double));
	while (state->running > 0 && report->products + 2 <= goal->product_limit)
	{
		GL_TRY(bicgstab_step(host, system, state, shadow, p, v, t, r, x));
		report->products += 2;
		GL_TRY(judge(host, system, goal, state, r));
		GL_TRY(inner_products(host, system, state->partial, shadow, r,
							  state->dot_a));
		if (bicgstab_next(system, state, report))
			GL_TRY(restart_shadow(host, system, state, r, shadow));
		GL_TRY(new_direction(host, system, state, r, v, p));
	}
	gl_release(host, shadow);
	gl_release(host, p);
	gl_release(host, v);
	gl_release(host, t);
	return GL_OK;
}

/* x <- x + r, r <- r - M r: with M = I - G the powers of G. */
static GlStatus
run_plain(GlHost *host, const LinearSystem *system, const LinearGoal *goal,
		  ColumnState *state, double *r, double *x, LinearReport *report)
{
	size_t		values = (size_t) system->row_count * (size_t) system->columns;
	double	   *y;

	GL_NEW(host, y, values);
	while (state->running > 0 && report->products < goal->product_limit)
	{
		GL_TRY(system->apply(host, system->state, r, y));
		report->products++;
		GL_TRY(add_multiple(host, system, 1, state->keep, r, x));
		GL_TRY(add_multiple(host, system, -1, state->keep, y, r));
		GL_TRY(judge(host, system, goal, state, r));
	}
	gl_release(host, y);
	return GL_OK;
}

/*
 * Drop the corrections that made things worse, and sum up.  The plain
 * iteration is exempt: it shrinks in the largest value, not in the norm.
 */
static GlStatus
finish(GlHost *host, const LinearSystem *system, const ColumnState *state,
	   bool keep_growth, double *x, LinearReport *report)
{
	int32_t		columns = system->columns;

	report->converged = true;
	for (int32_t c = 0; c < columns; c++)
	{
		bool		worse = keep_growth ? !isfinite(state->norm[c]) :
			!(state->norm[c] <= state->norm_start[c]);

		report->converged = report->converged && state->met[c];
		if (state->largest[c] > report->residual)
			report->residual = state->largest[c];
		if (!worse)
			continue;
		report->converged = false;
		for (int64_t i = 0; i < system->row_count; i++)
		{
			GL_TRY(gl_work(host, 1));
			x[i * columns + c] = 0;
		}
	}
	return GL_OK;
}

GlStatus
linear_solver_run(GlHost *host, LinearMethod method,
				  const LinearSystem *system, const LinearGoal *goal,
				  double *residual, double *correction, LinearReport *report)
{
	ColumnState state;

	memset(report, 0, sizeof(*report));
	GL_TRY(gl_zero(host, correction, (size_t) system->row_count,
				   (size_t) system->columns * sizeof(double)));
	GL_TRY(column_state_begin(host, system->columns, &state));
	GL_TRY(judge_start(host, system, goal, &state, residual));
	if (state.running == 0)
		;						/* nothing to do */
	else if (method == LINEAR_CONJUGATE)
		GL_TRY(run_conjugate(host, system, goal, &state, residual,
							 correction, report));
	else if (method == LINEAR_BICGSTAB)
		GL_TRY(run_bicgstab(host, system, goal, &state, residual,
							correction, report));
	else
		GL_TRY(run_plain(host, system, goal, &state, residual,
						 correction, report));
	GL_TRY(finish(host, system, &state, method == LINEAR_PLAIN, correction,
				  report));
	column_state_end(host, &state);
	return GL_OK;
}
