/*
 * method_reference.h
 *		What each propagation method should answer, by elimination from its
 *		definition, in long double.
 */
#ifndef METHOD_REFERENCE_H
#define METHOD_REFERENCE_H

#include "dense_graph.h"

#define METHOD_COUNT	6

static const PropagateMethod all_methods[METHOD_COUNT] = {
	PROPAGATE_HARMONIC, PROPAGATE_LGC, PROPAGATE_MRW, PROPAGATE_WVRN,
	PROPAGATE_ADSORPTION, PROPAGATE_WALK
};

static const char *const method_names[METHOD_COUNT] = {
	"harmonic", "lgc", "mrw", "wvrn", "adsorption", "walk"
};

/* Entry (i,j) of the walk of the matrix, by the definition of each form. */
static inline long double
reference_entry(const DenseGraph *dense, const long double *degree,
				Normalisation normalisation, int i, int j)
{
	int			n = (int) dense->graph.node_count;
	bool		forward = normalisation == NORMALISE_SPREAD;
	long double a = forward ? dense->matrix[j * n + i] :
		dense->matrix[i * n + j];

	if (a == 0)
		return 0;
	if (normalisation == NORMALISE_SYMMETRIC)
		return a / sqrtl(degree[i]) / sqrtl(degree[j]);
	return a / degree[forward ? j : i];
}

/*
 * Solve f = g gain N f + b; rows without a way to a source are 0, rows fixed
 * are b.  gain and fixed may be NULL.
 */
static inline void
reference_equation(const DenseGraph *dense, Normalisation normalisation,
				   double damping, const long double *gain, const bool *fixed,
				   int columns, const long double *b,
				   double *f)
{
	int			n = (int) dense->graph.node_count;
	long double *m = calloc((size_t) (n * n), sizeof(long double));
	long double *x = calloc((size_t) (n * columns), sizeof(long double));
	long double *degree = calloc((size_t) n, sizeof(long double));
	bool	   *reaches = calloc((size_t) n, sizeof(bool));
	bool		changed = true;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			degree[i] += dense->matrix[i * n + j];
	for (int v = 0; v < n * columns; v++)
	{
		x[v] = b[v];
		if (b[v] != 0)
			reaches[v / columns] = true;
	}
	while (changed)
	{
		changed = false;
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n && !reaches[i]; j++)
				if (reaches[j] && reference_entry(dense, degree,
												  normalisation, i, j) != 0)
					reaches[i] = changed = true;
	}
	for (int i = 0; i < n; i++)
	{
		m[i * n + i] = 1;
		if ((fixed != NULL && fixed[i]) || !reaches[i])
			continue;
		for (int j = 0; j < n; j++)
			m[i * n + j] -= damping * (gain != NULL ? gain[i] : 1) *
				reference_entry(dense, degree, normalisation, i, j);
	}
	EXPECT(reference_solve(n, columns, m, x));
	for (int v = 0; v < n * columns; v++)
		f[v] = (double) x[v];
	free(m);
	free(x);
	free(degree);
	free(reaches);
}

/* Each column divided by its sum. */
static inline void
reference_scale(int n, int columns, double *f)
{
	for (int c = 0; c < columns; c++)
	{
		long double total = 0;

		for (int i = 0; i < n; i++)
			total += f[i * columns + c];
		for (int i = 0; i < n && total > 0; i++)
			f[i * columns + c] = (double) (f[i * columns + c] / total);
	}
}

/* V_c = g W^T V_c + a R_c + b/n, scaled; 0 where R alone gives nothing. */
static inline void
reference_mrw(const DenseGraph *dense, const LabelSeeds *seeds,
			  double damping, double teleport, double *f)
{
	int			n = (int) dense->graph.node_count;
	int			columns = seeds->class_count;
	long double *b = calloc((size_t) (n * columns), sizeof(long double));
	double	   *alone = calloc((size_t) (n * columns), sizeof(double));
	int			count[64] = {0};

	for (int64_t s = 0; s < seeds->seed_count; s++)
		count[seeds->label_class[s]]++;
	for (int64_t s = 0; s < seeds->seed_count; s++)
		b[seeds->node[s] * columns + seeds->label_class[s]] =
			(1.0L - damping - teleport) / count[seeds->label_class[s]];
	reference_equation(dense, NORMALISE_SPREAD, damping, NULL, NULL,
					   columns, b, alone);
	for (int v = 0; v < n * columns; v++)
		b[v] += (long double) teleport / n;
	reference_equation(dense, NORMALISE_SPREAD, damping, NULL, NULL,
					   columns, b, f);
	for (int i = 0; i < n; i++)
	{
		double		largest = 0;

		for (int c = 0; c < columns; c++)
			largest = fmax(largest, alone[i * columns + c]);
		for (int c = 0; c < columns && largest == 0; c++)
			f[i * columns + c] = 0;
	}
	reference_scale(n, columns, f);
	free(b);
	free(alone);
}

/* f_i = (s_i y_i + g sum_j A_ij f_j) / (s_i + d_i), s = d by default. */
static inline void
reference_adsorption(const DenseGraph *dense, const LabelSeeds *seeds,
					 double damping, const double *injection, double *f)
{
	int			n = (int) dense->graph.node_count;
	int			columns = seeds->class_count;
	long double *b = calloc((size_t) (n * columns), sizeof(long double));
	long double *gain = calloc((size_t) n, sizeof(long double));

	for (int i = 0; i < n; i++)
		gain[i] = 1;
	for (int64_t s = 0; s < seeds->seed_count; s++)
	{
		int			i = seeds->node[s];
		long double degree = 0;
		long double weight;

		for (int j = 0; j < n; j++)
			degree += dense->matrix[i * n + j];
		weight = injection != NULL && !isnan(injection[i]) ? injection[i] :
			degree > 0 ? degree : 1;
		gain[i] = degree / (weight + degree);
		b[i * columns + seeds->label_class[s]] = weight / (weight + degree);
	}
	reference_equation(dense, NORMALISE_WALK, damping, gain, NULL,
					   columns, b, f);
	free(b);
	free(gain);
}

/* (1-g) (I - g N)^-1 Y, or seeds held at Y with clamped. */
static inline void
reference_from_seeds(const DenseGraph *dense, const LabelSeeds *seeds,
					 Normalisation normalisation, double damping,
					 bool clamped, double *f)
{
	int			n = (int) dense->graph.node_count;
	int			columns = seeds->class_count;
	long double *b = calloc((size_t) (n * columns), sizeof(long double));
	bool	   *fixed = calloc((size_t) n, sizeof(bool));

	for (int64_t s = 0; s < seeds->seed_count; s++)
	{
		fixed[seeds->node[s]] = clamped;
		b[seeds->node[s] * columns + seeds->label_class[s]] =
			clamped ? 1 : 1 - (long double) damping;
	}
	reference_equation(dense, normalisation, damping, NULL, fixed,
					   columns, b, f);
	free(b);
	free(fixed);
}

/* The values a method should give before class masses. */
static inline void
reference_method(const DenseGraph *dense, const LabelSeeds *seeds,
				 const PropagateOptions *options, double *f)
{
	switch (options->method)
	{
		case PROPAGATE_MRW:
			reference_mrw(dense, seeds, options->damping, options->teleport,
						  f);
			break;
		case PROPAGATE_ADSORPTION:
			reference_adsorption(dense, seeds, options->damping,
								 options->injection, f);
			break;
		case PROPAGATE_LGC:
			reference_from_seeds(dense, seeds,
								 options->normalisation != NORMALISE_NONE ?
								 options->normalisation :
								 dense->graph.is_symmetric ?
								 NORMALISE_SYMMETRIC : NORMALISE_WALK,
								 options->damping, false, f);
			break;
		default:
			reference_from_seeds(dense, seeds, NORMALISE_WALK,
								 options->damping,
								 options->method != PROPAGATE_WALK, f);
	}
}

/* One solve on a matrix, checked for leaks. */
typedef GlStatus (*MethodSolver) (GlHost *host, const Graph *graph,
								  const LabelSeeds *seeds,
								  const PropagateOptions *options,
								  double *scores, PropagateReport *report);

static inline void
solve_on_matrix(MethodSolver solve, int n, const double *matrix,
				const LabelSeeds *seeds, const PropagateOptions *options,
				double *f, PropagateReport *report)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;

	EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
	EXPECT_OK(host, solve(host, &dense.graph, seeds, options, f, report));
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Options of a method with every default resolved, and many digits. */
static inline PropagateOptions
exact_options(PropagateMethod method, double damping)
{
	PropagateOptions options;

	propagate_defaults(&options);
	options.method = method;
	options.damping = damping;
	options.tolerance = 1e-13;
	options.prior = PRIOR_NONE;
	return options;
}

/* Barbell: two triangles 0,1,2 and 3,4,5 joined by 2-3 (spec seed001 6.1). */
static inline void
matrix_of_barbell(double *matrix)
{
	TestEdge	edges[] = {
		{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {3, 5, 1},
		{4, 5, 1}
	};

	matrix_of_edges(6, edges, 7, matrix);
}

/* Node 0 joined to all others. */
static inline void
matrix_of_star(int n, double *matrix)
{
	memset(matrix, 0, (size_t) (n * n) * sizeof(double));
	for (int i = 1; i < n; i++)
		matrix[i] = matrix[i * n] = 1;
}

#endif							/* METHOD_REFERENCE_H */
