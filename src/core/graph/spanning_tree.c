/*
 * spanning_tree.c
 *		The minimum spanning tree by Prim's method.
 */
#include "graph/spanning_tree.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "points/distance.h"

static bool
edge_less(double d2, int32_t a, int32_t b, double e2, int32_t c, int32_t d)
{
	int32_t		low = a < b ? a : b;
	int32_t		high = a < b ? b : a;
	int32_t		other_low = c < d ? c : d;
	int32_t		other_high = c < d ? d : c;

	if (d2 != e2)
		return d2 < e2;
	if (low != other_low)
		return low < other_low;
	return high < other_high;
}

GlStatus
spanning_tree_build(GlHost *host, const PointMatrix *points,
					NeighbourMethod method, SpanningTree *out)
{
	const DistanceKernels *kernels = distance_kernels();
	int64_t		n = points->row_count;
	double	   *query;
	double	   *best;
	int32_t    *from;
	int64_t    *keys;
	int32_t    *order;
	int32_t		newest = 0;

	(void) method;
	memset(out, 0, sizeof(*out));
	GL_NEW(host, query, points->dimension_count);
	GL_NEW(host, best, n);
	GL_NEW(host, from, n);
	GL_NEW(host, keys, n);
	GL_NEW(host, order, n);
	GL_NEW(host, out->source, n - 1);
	GL_NEW(host, out->target, n - 1);
	GL_NEW(host, out->squared_distance, n - 1);
	for (int64_t i = 0; i < n; i++)
	{
		best[i] = INFINITY;
		from[i] = -1;
		keys[i] = -1;
	}
	keys[0] = 0;				/* row 0 is in the tree */
	for (int64_t e = 0; e < n - 1; e++)
	{
		int32_t		next = -1;

		distance_widen(points, newest, query);
		for (int32_t j = 0; j < n; j++)
		{
			double		d2;

			if (keys[j] >= 0)
				continue;
			GL_TRY(gl_work(host, points->dimension_count));
			d2 = distance_squared(kernels, points, query, j);
			if (from[j] < 0 || edge_less(d2, newest, j, best[j], from[j], j))
			{
				best[j] = d2;
				from[j] = newest;
			}
			if (next < 0 || edge_less(best[j], from[j], j,
									  best[next], from[next], next))
				next = j;
		}
		keys[next] = (int64_t) (from[next] < next ? from[next] : next) << 32 |
			(int64_t) (from[next] < next ? next : from[next]);
		newest = next;
	}
	GL_TRY(gl_sort_order(host, keys + 1, n - 1, order));
	for (int64_t e = 0; e < n - 1; e++)
	{
		int64_t		key = keys[order[e] + 1];

		out->source[e] = (int32_t) (key >> 32);
		out->target[e] = (int32_t) (key & INT32_MAX);
		out->squared_distance[e] = best[order[e] + 1];
	}
	out->edge_count = n - 1;
	gl_release(host, order);
	gl_release(host, keys);
	gl_release(host, from);
	gl_release(host, best);
	gl_release(host, query);
	return GL_OK;
}

void
spanning_tree_release(GlHost *host, SpanningTree *tree)
{
	gl_release(host, tree->source);
	gl_release(host, tree->target);
	gl_release(host, tree->squared_distance);
	memset(tree, 0, sizeof(*tree));
}
