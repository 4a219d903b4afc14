/*
 * power_start.c
 *		Random, normal, degree and PageRank starts.
 */
#include "learn/power_start.h"

#include <math.h>

#include "base/random.h"
#include "base/sort.h"
#include "learn/restart_walk.h"

/* Nodes that the PageRank start gives weight to: 2^31, 2^30, ... 1. */
#define RANKED_NODES		32
#define PAGERANK_DAMPING	0.85
#define PAGERANK_TOLERANCE	1e-10
#define PAGERANK_PRODUCTS	200

static GlStatus
fill_random(GlHost *host, GlRandom *random, bool normal, int64_t node_count,
			int32_t columns, int32_t first, double *start)
{
	for (int64_t i = 0; i < node_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = first; c < columns; c++)
			start[i * columns + c] = normal ? gl_random_normal(random) :
				gl_random_unit(random);
	}
	return GL_OK;
}

/* One column of the start, anew. */
static GlStatus
redraw_column(GlHost *host, GlRandom *random, int64_t node_count,
			  int32_t columns, int32_t column, double *start)
{
	for (int64_t i = 0; i < node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		start[i * columns + column] = gl_random_unit(random);
	}
	return GL_OK;
}

static GlStatus
fill_ranks(GlHost *host, const Graph *graph, int32_t columns, double *start)
{
	int64_t		n = graph->node_count;
	RestartWalkReport report;
	double	   *rank;
	int64_t    *key;
	int32_t    *order;

	GL_NEW(host, rank, n);
	GL_NEW(host, key, n);
	GL_NEW(host, order, n);
	GL_TRY(restart_walk_pagerank(host, graph, PAGERANK_DAMPING,
								 PAGERANK_TOLERANCE, PAGERANK_PRODUCTS, rank,
								 &report));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		key[i] = gl_sort_key(-rank[i]);
		start[i * columns] = 0;
	}
	GL_TRY(gl_sort_order(host, key, n, order));
	for (int64_t r = 0; r < n && r < RANKED_NODES; r++)
		start[order[r] * (int64_t) columns] =
			ldexp(1.0, (int) (RANKED_NODES - 1 - r));
	gl_release(host, order);
	gl_release(host, key);
	gl_release(host, rank);
	return GL_OK;
}

static GlStatus
fill_degrees(GlHost *host, const NormalisedGraph *walk, int32_t columns,
			 double *start)
{
	for (int64_t i = 0; i < walk->graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		start[i * columns] = walk->degree[i];
	}
	return GL_OK;
}

/* Is a column the same, up to rounding, at every node with edges? */
static GlStatus
column_is_flat(GlHost *host, const NormalisedGraph *walk, int32_t columns,
			   int32_t column, const double *start, bool *is_flat)
{
	double		low = INFINITY;
	double		high = -INFINITY;

	for (int64_t i = 0; i < walk->graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (walk->degree[i] <= 0)
			continue;
		low = fmin(low, start[i * columns + column]);
		high = fmax(high, start[i * columns + column]);
	}
	*is_flat = high - low <= 1e-12 * fmax(fabs(low), fabs(high));
	return GL_OK;
}

GlStatus
power_start_fill(GlHost *host, const NormalisedGraph *walk,
				 const PowerOptions *options, double *start, bool *was_flat)
{
	int64_t		n = walk->graph->node_count;
	int32_t		columns = options->columns;
	bool		computed = options->start == POWER_DEGREE ||
		options->start == POWER_PAGERANK;
	GlRandom	random;
	bool		is_flat = false;

	*was_flat = false;
	gl_random_begin(&random, options->seed);
	if (options->start == POWER_DEGREE)
		GL_TRY(fill_degrees(host, walk, columns, start));
	else if (options->start == POWER_PAGERANK)
		GL_TRY(fill_ranks(host, walk->graph, columns, start));
	GL_TRY(fill_random(host, &random, options->start == POWER_NORMAL, n,
					   columns, computed ? 1 : 0, start));
	if (computed)
		GL_TRY(column_is_flat(host, walk, columns, 0, start, &is_flat));
	if (is_flat)
	{
		*was_flat = true;
		GL_TRY(redraw_column(host, &random, n, columns, 0, start));
	}
	return GL_OK;
}
