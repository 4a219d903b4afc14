/*
 * reference_graph.h
 *		Graphs of points by their definitions, for test_point_graph.c.
 *
 * Full matrices and long double, whose range makes care for overflow
 * needless; no code of the core.  Samples are chosen so that neighbours are
 * beyond doubt: distances differ, or are equal exactly.
 */
#ifndef REFERENCE_GRAPH_H
#define REFERENCE_GRAPH_H

#include "unit_test.h"

#include <float.h>

#include "graph/point_graph.h"

#define MAX_N		40
#define MAX_D		10

typedef struct Sample
{
	const char *name;
	bool		exact_ties;		/* equal distances that scaling would break */
	PointSet	points;
	int64_t		ids[MAX_N];
	double		values[MAX_N * MAX_D];
	float		small[MAX_N * MAX_D];
} Sample;

typedef struct Reference
{
	int			n;
	long double squared[MAX_N][MAX_N];
	int			nearest[MAX_N][MAX_N];	/* others by (distance, row) */
	long double scale[MAX_N];
	long double bandwidth;
	bool		present[MAX_N][MAX_N];
	long double weight[MAX_N][MAX_N];
} Reference;

/* ---- samples ---- */

static inline void
sample_begin(Sample *sample, const char *name, int n, int d)
{
	memset(sample, 0, sizeof(*sample));
	sample->name = name;
	sample->points.ids = sample->ids;
	sample->points.matrix.row_count = n;
	sample->points.matrix.dimension_count = d;
	sample->points.matrix.scalar = SCALAR_FLOAT8;
	sample->points.matrix.values = sample->values;
	for (int i = 0; i < n; i++)
		sample->ids[i] = 10 * i - 40;
}

static inline void
sample_random(Sample *sample, const char *name, GlRandom *random, int n,
			  int d, double factor)
{
	sample_begin(sample, name, n, d);
	for (int v = 0; v < n * d; v++)
		sample->values[v] = factor * (gl_random_normal(random) * (1 + v % d) +
									  1 + v % d);
}

/*
 * Valgrind computes long double as double; then the reference has no room for
 * extreme numbers, and ordinary ones must do.
 */
static inline bool
reference_is_wide(void)
{
	volatile long double large = 1e300L;

	return large * large / large == large;
}

#define SAMPLE_COUNT	17

static inline void
sample_choose(Sample *sample, int which)
{
	GlRandom	random;
	bool		wide = reference_is_wide();

	gl_random_begin(&random, which);
	switch (which)
	{
		case 0:
			sample_random(sample, "random", &random, 30, 3, 1);
			break;
		case 1:
			sample_random(sample, "lanes", &random, 25, 9, 1);
			break;
		case 2:
			sample_random(sample, "float4", &random, 20, 2, 1);
			sample->points.matrix.scalar = SCALAR_FLOAT4;
			sample->points.matrix.values = sample->small;
			for (int v = 0; v < 40; v++)
			{
				sample->small[v] = (float) sample->values[v];
				sample->values[v] = sample->small[v];
			}
			break;
		case 3:
			sample_random(sample, "duplicates", &random, 24, 3, 1);
			for (int v = 24; v < 72; v++)
				sample->values[v] = sample->values[v % 24];
			break;
		case 4:
			sample_random(sample, "one row", &random, 1, 3, 1);
			break;
		case 5:
			sample_random(sample, "two rows", &random, 2, 3, 1);
			break;
		case 6:
			sample_begin(sample, "all equal", 12, 2);
			for (int v = 0; v < 24; v++)
				sample->values[v] = 0.3 + v % 2;
			break;
		case 7:
			sample_begin(sample, "lattice", 25, 2);
			sample->exact_ties = true;
			for (int v = 0; v < 50; v++)
				sample->values[v] = v % 2 ? v / 2 % 5 : v / 10;
			break;
		case 8:
			sample_begin(sample, "equal steps, d = 1", 15, 1);
			sample->exact_ties = true;
			for (int v = 0; v < 15; v++)
				sample->values[v] = 15 - v;
			break;
		case 9:
			sample_random(sample, "1e300", &random, 20, 3,
						  wide ? 1e300 : 1e100);
			break;
		case 10:
			sample_random(sample, "1e-300", &random, 20, 3,
						  wide ? 1e-300 : 1e-100);
			break;
		case 11:
			sample_begin(sample, "large lattice", 25, 2);
			sample->exact_ties = true;
			for (int v = 0; v < 50; v++)
				sample->values[v] = ldexp(v % 2 ? v / 2 % 5 : v / 10,
										  wide ? 1000 : 400);
			break;
		case 12:
			/* two groups so far apart that kernels reach their floor */
			sample_random(sample, "outliers", &random, 22, 2, 1);
			sample->values[0] += 1e4;
			sample->values[2] -= 1e5;
			break;
		case 13:
			sample_random(sample, "d = 1", &random, 18, 1, 1);
			break;
		case 14:
			/* just too few, and just enough, for the 7th neighbour */
			sample_random(sample, "seven rows", &random, 7, 2, 1);
			break;
		case 15:
			sample_random(sample, "eight rows", &random, 8, 2, 1);
			break;
		default:
			sample_random(sample, "ten rows", &random, 10, 2, 1);
			break;
	}
}

/* ---- the reference ---- */

static inline void
reference_rows(const Sample *sample, const PointGraphOptions *options,
			   long double rows[MAX_N][MAX_D])
{
	int			n = (int) sample->points.matrix.row_count;
	int			d = sample->points.matrix.dimension_count;

	for (int j = 0; j < d; j++)
	{
		long double mean = 0;
		long double sum = 0;
		bool		constant = true;

		for (int i = 0; i < n; i++)
		{
			rows[i][j] = sample->values[i * d + j];
			mean += rows[i][j] / n;
			constant = constant && rows[i][j] == rows[0][j];
		}
		for (int i = 0; i < n; i++)
			sum += (rows[i][j] - mean) * (rows[i][j] - mean);
		for (int i = 0; i < n; i++)
			if (options->scale == SCALE_STANDARD && !constant)
				rows[i][j] /= sqrtl(sum / n);
	}
	for (int i = 0; i < n && options->metric == METRIC_COSINE; i++)
	{
		long double squares = 0;

		for (int j = 0; j < d; j++)
			squares += rows[i][j] * rows[i][j];
		for (int j = 0; j < d; j++)
			rows[i][j] /= sqrtl(squares);
	}
}

static inline void
reference_distances(const Sample *sample, const PointGraphOptions *options,
					Reference *reference)
{
	long double rows[MAX_N][MAX_D];
	int			n = (int) sample->points.matrix.row_count;

	reference->n = n;
	reference_rows(sample, options, rows);
	for (int a = 0; a < n; a++)
		for (int b = 0; b < n; b++)
		{
			reference->squared[a][b] = 0;
			for (int j = 0; j < sample->points.matrix.dimension_count; j++)
				reference->squared[a][b] +=
					(rows[a][j] - rows[b][j]) * (rows[a][j] - rows[b][j]);
		}
	for (int a = 0; a < n; a++)
	{
		int			count = 0;

		for (int b = 0; b < n; b++)
		{
			int			place;

			if (b == a)
				continue;
			for (place = count++; place > 0 &&
				 reference->squared[a][reference->nearest[a][place - 1]] >
				 reference->squared[a][b]; place--)
				reference->nearest[a][place] =
					reference->nearest[a][place - 1];
			reference->nearest[a][place] = b;
		}
	}
}

/* The r-th nearest, counted from 1. */
static inline long double
reference_rank(const Reference *reference, int row, int r)
{
	return sqrtl(reference->squared[row][reference->nearest[row][r - 1]]);
}

static inline long double
reference_bandwidth(const Reference *reference)
{
	int			n = reference->n;
	long double sum = 0;

	for (int i = 0; i < n && n > 1; i++)
		sum += reference_rank(reference, i, n - 1 < 10 ? n - 1 : 10);
	return sum > 0 ? sum / n / 4 : 1;
}

static inline void
reference_scales(Reference *reference, int k)
{
	int			n = reference->n;
	int			rank = k < 7 ? k : 7;
	long double mean = 0;

	for (int i = 0; i < n; i++)
		for (int r = 1; r <= k; r++)
			mean += reference_rank(reference, i, r) / (n * k);
	for (int i = 0; i < n && k > 0; i++)
		reference->scale[i] = fmaxl(reference_rank(reference, i, rank),
									1e-3L * mean + DBL_MIN);
}

static inline long double
reference_weight(const Reference *reference,
				 const PointGraphOptions *options, int i, int j)
{
	long double squared = reference->squared[i][j];
	long double chord = sqrtl(squared);
	long double sigma = reference->bandwidth;

	switch (options->weights)
	{
		case WEIGHTS_ADAPTIVE:
			return expl(-fminl(300, 2 * (chord / reference->scale[i]) *
							   (chord / reference->scale[j])));
		case WEIGHTS_GAUSSIAN:
			return expl(-fminl(300, squared / (2 * sigma * sigma)));
		case WEIGHTS_DISTANCE:
			return options->metric == METRIC_COSINE ?
				squared / 2 : chord;
		case WEIGHTS_SIMILARITY:
			return fmaxl(0, 1 - squared / 2);
		default:
			return 1;
	}
}

/* Kruskal's method on all pairs in order of (distance, smaller, larger). */
static inline void
reference_tree(Reference *reference)
{
	int			n = reference->n;
	int			group[MAX_N];

	for (int i = 0; i < n; i++)
		group[i] = i;
	for (int edge = 0; edge < n - 1; edge++)
	{
		int			a = -1;
		int			b = -1;
		int			old;

		for (int i = 0; i < n; i++)
			for (int j = i + 1; j < n; j++)
				if (group[i] != group[j] &&
					(a < 0 || reference->squared[i][j] <
					 reference->squared[a][b]))
				{
					a = i;
					b = j;
				}
		reference->present[a][b] = reference->present[b][a] = true;
		old = group[b];
		for (int i = 0; i < n; i++)
			if (group[i] == old)
				group[i] = group[a];
	}
}

static inline void
reference_symmetrise(Reference *reference, const PointGraphOptions *options)
{
	for (int i = 0; i < reference->n; i++)
		for (int j = 0; j < i; j++)
		{
			bool		ij = reference->present[i][j];
			bool		ji = reference->present[j][i];
			long double a = ij ? reference->weight[i][j] : 0;
			long double b = ji ? reference->weight[j][i] : 0;
			long double merged = fmaxl(a, b);

			if (options->symmetry == SYMMETRY_MUTUAL)
				merged = fminl(a, b);
			else if (options->symmetry == SYMMETRY_SUM &&
					 options->weights != WEIGHTS_DISTANCE)
				merged = (a + b) / 2;
			reference->present[i][j] = reference->present[j][i] =
				options->symmetry == SYMMETRY_MUTUAL ? ij && ji : ij || ji;
			reference->weight[i][j] = reference->weight[j][i] = merged;
		}
}

static inline void
reference_build(const Sample *sample, const PointGraphOptions *options,
				Reference *reference)
{
	int			n = (int) sample->points.matrix.row_count;
	int			k = options->k < n - 1 ? (int) options->k : n - 1;

	memset(reference, 0, sizeof(*reference));
	reference_distances(sample, options, reference);
	reference_scales(reference, options->kind == GRAPH_KNN ? k :
					 n - 1 < 7 ? n - 1 : 7);
	reference->bandwidth = options->has_bandwidth ? options->bandwidth :
		reference_bandwidth(reference);
	if (options->kind == GRAPH_TREE)
		reference_tree(reference);
	for (int i = 0; i < n; i++)
	{
		for (int r = 0; r < k && options->kind == GRAPH_KNN; r++)
			reference->present[i][reference->nearest[i][r]] = true;
		for (int j = 0; j < n; j++)
		{
			long double distance = options->metric == METRIC_COSINE ?
				reference->squared[i][j] / 2 : sqrtl(reference->squared[i][j]);

			if (i != j && (options->kind == GRAPH_FULL ||
						   (options->kind == GRAPH_RADIUS &&
							distance < options->radius)))
				reference->present[i][j] = true;
			if (!reference->present[i][j])
				continue;
			reference->weight[i][j] = reference_weight(reference, options, i,
													   j);
			if (reference->weight[i][j] == 0 &&
				options->weights != WEIGHTS_DISTANCE)
				reference->present[i][j] = false;
		}
	}
	if (options->kind == GRAPH_KNN &&
		options->symmetry != SYMMETRY_DIRECTED)
		reference_symmetrise(reference, options);
}

#endif							/* REFERENCE_GRAPH_H */
