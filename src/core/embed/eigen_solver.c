/*
 * eigen_solver.c
 *		Filtered block Krylov cycles.
 *
 * A cycle starts from a block X of orthonormal columns and builds the space
 * X, pX, p(pX), ... where p is the filter; the projection of p onto it gives
 * the best block of the next cycle, on which A itself is projected (Rayleigh
 * and Ritz) and residuals are measured.  From them the next filter follows:
 * damp up to the last value of the block, with the degree that should finish
 * in one cycle.  The first cycle has no filter: nothing is known yet.
 *
 * Every cycle forgets its space but for the block, which is wider than the
 * number of wanted pairs.  Thick restarts would keep more, but only under an
 * unchanging filter; the freedom to sharpen it is worth more (measured on
 * neighbour graphs).
 */
#include "embed/eigen_solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/blas.h"
#include "embed/eigen_basis.h"
#include "embed/eigen_dense.h"
#include "embed/eigen_filter.h"

#define FIRST_DEGREE	12		/* limit of the first filter; doubles */
#define LAST_DEGREE		200
#define PATIENCE		12		/* cycles without progress before giving up */
#define PROGRESS		0.9		/* what counts as progress */

/* The sizes of a run, from n and wanted alone. */
typedef struct Shape
{
	int32_t		block;			/* columns of a product */
	int32_t		steps;			/* blocks of a cycle's space */
} Shape;

/*
 * A few columns more than wanted make the gap that convergence lives on;
 * eight doubles are a cache line, so a product with eight costs little more
 * than one with five.
 */
static Shape
choose_shape(int64_t dimensions, int32_t wanted)
{
	Shape		shape;
	int32_t		guard = wanted / 4 > 2 ? wanted / 4 : 2;

	shape.block = (wanted + guard + 7) / 8 * 8;
	shape.steps = shape.block <= 64 ? 4 : shape.block <= 128 ? 3 : 2;
	if (shape.block > dimensions)
		shape.block = (int32_t) dimensions;
	if (shape.steps > dimensions / shape.block)
		shape.steps = (int32_t) (dimensions / shape.block);
	return shape;
}

int32_t
eigen_solver_columns(int64_t row_count, int32_t wanted)
{
	if (row_count < 1 || wanted < 1)
		return 1;
	if (row_count <= EIGEN_DENSE_LIMIT)
		return (int32_t) (row_count < EIGEN_DENSE_COLUMNS ?
						  row_count : EIGEN_DENSE_COLUMNS);
	if (wanted > EIGEN_WANTED_LIMIT)
		wanted = EIGEN_WANTED_LIMIT;
	return choose_shape(row_count, wanted).block;
}

GlStatus
eigen_solver_require(GlHost *host, int64_t row_count, int32_t wanted)
{
	size_t		numbers;		/* per row */

	if (row_count < 1 || wanted < 1)
		return GL_OK;
	if (row_count <= EIGEN_DENSE_LIMIT)
		numbers = 3 * (size_t) row_count + (size_t) wanted;
	else
	{
		Shape		shape = choose_shape(row_count,
										 wanted < EIGEN_WANTED_LIMIT ?
										 wanted : EIGEN_WANTED_LIMIT);

		numbers = (size_t) shape.block * (size_t) (shape.steps + 4) +
			(size_t) wanted;
	}
	return gl_require(host, (size_t) row_count, numbers * sizeof(double),
					  "Ask for fewer eigenvectors, or raise "
					  "graphlearn.max_memory.");
}

/* Everything one run holds. */
typedef struct Run
{
	const EigenProblem *problem;
	const EigenOptions *options;
	EigenReport *report;
	Shape		shape;
	double		goal;			/* residual that is small enough */
	EigenBasis	basis;
	double	   *vectors;		/* n x block: the best block so far */
	double	   *images;			/* n x block: A times it, or scratch */
	double	   *scratch[2];		/* n x block each */
	double	   *projected;		/* (steps block)^2 */
	double	   *small;			/* steps block x block */
	double	   *spectrum;		/* eigenvalues of the projected matrix */
	int32_t    *chosen;
	double	   *values;			/* block, in order */
	double	   *residuals;
} Run;

static GlStatus
run_begin(GlHost *host, Run *run)
{
	int64_t		n = run->problem->row_count;
	int64_t		block = run->shape.block;
	int64_t		size = block * run->shape.steps;
	double	  **tall[] = {&run->vectors, &run->images, &run->scratch[0],
	&run->scratch[1]};

	for (int t = 0; t < 4; t++)
	{
		*tall[t] = gl_allocate(host, (size_t) n,
							   (size_t) block * sizeof(double));
		if (*tall[t] == NULL)
			return host->status;
	}
	GL_NEW(host, run->projected, size * size);
	GL_NEW(host, run->small, size * block);
	GL_NEW(host, run->spectrum, size);
	GL_NEW(host, run->chosen, size);
	GL_NEW(host, run->values, block);
	GL_NEW(host, run->residuals, block);
	return eigen_basis_begin(host, run->problem, (int32_t) size,
							 (int32_t) block, run->options->seed,
							 &run->basis);
}

static void
run_end(GlHost *host, Run *run)
{
	eigen_basis_end(host, &run->basis);
	gl_release(host, run->vectors);
	gl_release(host, run->images);
	gl_release(host, run->scratch[0]);
	gl_release(host, run->scratch[1]);
	gl_release(host, run->projected);
	gl_release(host, run->small);
	gl_release(host, run->spectrum);
	gl_release(host, run->chosen);
	gl_release(host, run->values);
	gl_release(host, run->residuals);
}

/* A block of the basis as operators want it, contiguous. */
static GlStatus
copy_block(GlHost *host, const EigenBasis *basis, int32_t first,
		   int32_t columns, double *out)
{
	for (int64_t i = 0; i < basis->row_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		memcpy(out + i * columns,
			   basis->columns + i * basis->stride + first,
			   (size_t) columns * sizeof(double));
	}
	return GL_OK;
}

/* A symmetric matrix from the blocks on and above its diagonal. */
static void
mirror(double *matrix, int32_t size)
{
	for (int32_t r = 0; r < size; r++)
		for (int32_t c = 0; c < r; c++)
			matrix[(int64_t) r * size + c] = matrix[(int64_t) c * size + r];
}

/*
 * Build the space of one cycle from run->vectors and put its best block there.
 */
static GlStatus
krylov_cycle(GlHost *host, Run *run, const EigenFilter *filter)
{
	int32_t		block = run->shape.block;
	int32_t		size = block * run->shape.steps;
	EigenBasis *basis = &run->basis;

	basis->used = 0;
	GL_TRY(eigen_basis_append(host, basis, run->vectors, block,
							  run->scratch[0]));
	for (int32_t step = 0; step < run->shape.steps; step++)
	{
		GL_TRY(copy_block(host, basis, step * block, block, run->vectors));
		GL_TRY(eigen_filter_apply(host, run->problem, filter, run->vectors,
								  run->images, run->scratch[0], block,
								  &run->report->products));
		GL_TRY(eigen_basis_deflate(host, basis, run->images, block));
		GL_TRY(eigen_basis_coordinates(host, basis, run->images, block,
									   run->small));
		for (int32_t r = 0; r < basis->used; r++)
			memcpy(run->projected + (int64_t) r * size + step * block,
				   run->small + (int64_t) r * block,
				   (size_t) block * sizeof(double));
		if (step + 1 < run->shape.steps)
			GL_TRY(eigen_basis_append(host, basis, run->images, block,
									  run->scratch[0]));
	}
	mirror(run->projected, size);
	GL_TRY(gl_symmetric_eigen(host, size, run->projected, run->spectrum));
	eigen_pairs_choose(run->options->order, run->spectrum, size, block,
					   run->chosen);
	for (int32_t r = 0; r < size; r++)
		for (int32_t c = 0; c < block; c++)
			run->small[(int64_t) r * block + c] =
				run->projected[(int64_t) run->chosen[c] * size + r];
	return eigen_basis_combine(host, basis, run->small, block, run->vectors);
}

/*
 * Rayleigh and Ritz: the eigenpairs of A within the block, in order, with
 * their residuals.
 */
static GlStatus
project_operator(GlHost *host, Run *run)
{
	int64_t		n = run->problem->row_count;
	int32_t		block = run->shape.block;
	double	   *swap;

	GL_TRY(run->problem->apply(host, run->problem->state, run->vectors,
							   run->images, block));
	run->report->products++;
	GL_TRY(eigen_basis_gram(host, n, run->vectors, block, block, run->images,
							block, block, run->projected));
	mirror(run->projected, block);
	for (int32_t c = 0; c < block; c++)
		if (!isfinite(run->projected[(int64_t) c * block + c]))
			return gl_fail(host, GL_ERR_DATA,
						   "a product with the graph is not finite");
	GL_TRY(gl_symmetric_eigen(host, block, run->projected, run->spectrum));
	eigen_pairs_choose(run->options->order, run->spectrum, block, block,
					   run->chosen);
	for (int32_t c = 0; c < block; c++)
	{
		run->values[c] = run->spectrum[run->chosen[c]];
		for (int32_t r = 0; r < block; r++)
			run->small[(int64_t) r * block + c] =
				run->projected[(int64_t) run->chosen[c] * block + r];
	}
	GL_TRY(gl_dgemm(host, false, false, n, block, block, 1, run->vectors,
					block, run->small, block, 0, run->scratch[0], block));
	GL_TRY(gl_dgemm(host, false, false, n, block, block, 1, run->images,
					block, run->small, block, 0, run->scratch[1], block));
	swap = run->vectors;
	run->vectors = run->scratch[0];
	run->scratch[0] = swap;
	swap = run->images;
	run->images = run->scratch[1];
	run->scratch[1] = swap;
	return eigen_pairs_measure(host, n, block, run->vectors, run->images,
							   run->values, run->residuals);
}

static double
largest_residual(const Run *run, int32_t count)
{
	double		largest = 0;

	for (int32_t c = 0; c < count; c++)
		if (run->residuals[c] > largest)
			largest = run->residuals[c];
	return largest;
}

/*
 * The next filter.  The last value of the block is the natural cut.  Where it
 * cannot be told from the weakest wanted one (an eigenvalue as frequent as the
 * block is wide), the gap lies below, nobody knows where: cut where the
 * degrees allowed suffice to reach the goal.
 */
static EigenFilter
next_filter(const Run *run, int32_t count, double residual, int32_t limit)
{
	const EigenProblem *problem = run->problem;
	EigenOrder	order = run->options->order;
	double		range = problem->upper_bound - problem->lower_bound;
	double		weakest = run->values[count - 1];
	double		cut = run->values[run->shape.block - 1];
	double		gain = 4 * residual / run->goal;

	if (order == EIGEN_MAGNITUDE)
	{
		weakest = fabs(weakest);
		cut = fabs(cut);
	}
	if (weakest - cut < fmax(residual, 1e-9 * range))
	{
		double		growth = log(2 * gain) / (limit * run->shape.steps);

		cut = fmin(cut, weakest - range * (cosh(growth) - 1) / 2);
	}
	return eigen_filter_choose(problem, order, cut, weakest, gain,
							   run->shape.steps, limit);
}

static GlStatus
iterate(GlHost *host, Run *run, int32_t count)
{
	EigenReport *report = run->report;
	int64_t		limit = run->options->product_limit > 0 ?
		run->options->product_limit : EIGEN_PRODUCT_LIMIT;
	EigenFilter filter = EIGEN_FILTER_NONE;
	int32_t		degree_limit = FIRST_DEGREE;
	double		best = INFINITY;
	int			waited = 0;

	GL_TRY(eigen_basis_randomise(host, &run->basis, run->vectors, 0,
								 run->shape.block));
	while (waited < PATIENCE)
	{
		GL_TRY(krylov_cycle(host, run, &filter));
		GL_TRY(project_operator(host, run));
		report->residual = largest_residual(run, count);
		report->converged = report->residual <= run->goal;
		if (report->converged || report->products >= limit)
			break;
		waited = report->residual <= PROGRESS * best ? 0 : waited + 1;
		best = fmin(best, report->residual);
		filter = next_filter(run, count, report->residual, degree_limit);
		if (degree_limit < LAST_DEGREE)
			degree_limit *= 2;
		/* a last cycle of what is left, rather than far too many products */
		while (filter.degree > 2 &&
			   report->products + filter.degree * run->shape.steps >
			   limit + FIRST_DEGREE)
			filter.degree -= 2;
	}
	report->next_value = count < run->shape.block ? run->values[count] : NAN;
	return GL_OK;
}

static GlStatus
run_krylov(GlHost *host, const EigenProblem *problem,
		   const EigenOptions *options, int64_t dimensions, int32_t count,
		   double goal, EigenPairs *out, EigenReport *report)
{
	Run			run = {
		.problem = problem,
		.options = options,
		.report = report,
		.shape = choose_shape(dimensions, count),
		.goal = goal
	};

	GL_TRY(run_begin(host, &run));
	GL_TRY(iterate(host, &run, count));
	GL_TRY(eigen_pairs_begin(host, problem->row_count, count, out));
	for (int32_t c = 0; c < count; c++)
	{
		out->values[c] = run.values[c];
		out->residuals[c] = run.residuals[c];
	}
	for (int64_t i = 0; i < problem->row_count; i++)
	{
		GL_TRY(gl_work(host, count));
		memcpy(out->vectors + i * count, run.vectors + i * run.shape.block,
			   (size_t) count * sizeof(double));
	}
	run_end(host, &run);
	return GL_OK;
}

/*
 * Squared lengths of the known vectors by group, and the dimensions they
 * leave.
 */
static GlStatus
measure_known(GlHost *host, const EigenProblem *problem, double **lengths,
			  int64_t *dimensions)
{
	*lengths = NULL;
	*dimensions = problem->row_count;
	if (problem->known_vector == NULL)
		return GL_OK;
	GL_NEW_ZEROED(host, *lengths, problem->group_count);
	for (int64_t i = 0; i < problem->row_count; i++)
	{
		double		value = problem->known_vector[i];

		GL_TRY(gl_work(host, 1));
		(*lengths)[problem->group ? problem->group[i] : 0] += value * value;
	}
	for (int32_t g = 0; g < problem->group_count; g++)
		*dimensions -= (*lengths)[g] > 0;
	return gl_work(host, problem->group_count);
}

GlStatus
eigen_solver_run(GlHost *host, const EigenProblem *problem,
				 const EigenOptions *options, EigenPairs *out,
				 EigenReport *report)
{
	double		scale = fmax(fabs(problem->lower_bound),
							 fabs(problem->upper_bound));
	double		goal = fmax(options->tolerance, 64 * DBL_EPSILON) * scale;
	int64_t		n = problem->row_count;
	int64_t		dimensions;
	double	   *lengths;
	EigenPairs	pairs = {.row_count = n};
	int32_t		count;

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	report->next_value = NAN;
	GL_TRY(measure_known(host, problem, &lengths, &dimensions));
	count = options->wanted < dimensions ?
		options->wanted : (int32_t) dimensions;
	if (count > EIGEN_WANTED_LIMIT && n > EIGEN_DENSE_LIMIT)
		return gl_fail(host, GL_ERR_OPTION,
					   "at most %d eigenvectors can be had of more than %d rows",
					   EIGEN_WANTED_LIMIT, EIGEN_DENSE_LIMIT);
	GL_TRY(eigen_solver_require(host, n, count));
	if (count < 1)
		report->converged = true;
	else if (n <= EIGEN_DENSE_LIMIT)
		GL_TRY(eigen_dense_run(host, problem, options, lengths, dimensions, count,
								&pairs, report));
	else
		GL_TRY(run_krylov(host, problem, options, dimensions, count, goal,
						  &pairs, report));
	report->residual = 0;
	for (int32_t c = 0; c < pairs.count; c++)
		report->residual = fmax(report->residual, pairs.residuals[c]);
	report->converged = report->residual <= goal;
	GL_TRY(eigen_pairs_fix_signs(host, &pairs));
	gl_release(host, lengths);
	*out = pairs;
	return GL_OK;
}
