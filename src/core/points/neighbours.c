/*
 * neighbours.c
 *		Exact nearest neighbours: plain search behind the interface.
 */
#include "points/neighbours.h"

#include <math.h>
#include <string.h>

#include "points/distance.h"

static void
list_insert(double *distance, int32_t *row, int32_t *count, int32_t k,
			double d2, int32_t r)
{
	int32_t		at = *count;

	if (at == k)
	{
		if (d2 > distance[k - 1] || (d2 == distance[k - 1] && r > row[k - 1]))
			return;
		at--;
	}
	else
		(*count)++;
	while (at > 0 && (distance[at - 1] > d2 ||
					  (distance[at - 1] == d2 && row[at - 1] > r)))
	{
		distance[at] = distance[at - 1];
		row[at] = row[at - 1];
		at--;
	}
	distance[at] = d2;
	row[at] = r;
}

GlStatus
neighbours_query(GlHost *host, const PointMatrix *points,
				 const PointMatrix *queries, const int32_t *exclude,
				 int32_t k, NeighbourMethod method, NeighbourLists *out)
{
	const DistanceKernels *kernels = distance_kernels();
	double	   *query;

	(void) method;
	memset(out, 0, sizeof(*out));
	if (k < 1 || k > points->row_count - (exclude != NULL))
		return gl_fail(host, GL_ERR_OPTION, "k is out of range");
	GL_NEW(host, query, points->dimension_count);
	GL_NEW(host, out->neighbour, queries->row_count * k);
	GL_NEW(host, out->squared_distance, queries->row_count * k);
	out->row_count = queries->row_count;
	out->k = k;
	for (int64_t q = 0; q < queries->row_count; q++)
	{
		int32_t		count = 0;

		distance_widen(queries, q, query);
		for (int64_t i = 0; i < points->row_count; i++)
		{
			GL_TRY(gl_work(host, points->dimension_count));
			if (exclude != NULL && exclude[q] == i)
				continue;
			list_insert(out->squared_distance + q * k,
						out->neighbour + q * k, &count, k,
						distance_squared(kernels, points, query, i),
						(int32_t) i);
		}
	}
	gl_release(host, query);
	return GL_OK;
}

GlStatus
neighbours_search(GlHost *host, const PointMatrix *points, int32_t k,
				  NeighbourMethod method, NeighbourLists *out,
				  NeighbourReport *report)
{
	int32_t    *exclude;

	memset(out, 0, sizeof(*out));
	if (k < 1 || k > points->row_count - 1)
		return gl_fail(host, GL_ERR_OPTION, "k is out of range");
	GL_NEW(host, exclude, points->row_count);
	for (int64_t i = 0; i < points->row_count; i++)
		exclude[i] = (int32_t) i;
	GL_TRY(neighbours_query(host, points, points, exclude, k, method, out));
	gl_release(host, exclude);
	if (report != NULL)
	{
		report->method = NEIGHBOURS_TREE;
		report->unique_count = points->row_count;
		report->distance_count = points->row_count * points->row_count;
	}
	return GL_OK;
}

void
neighbour_lists_release(GlHost *host, NeighbourLists *lists)
{
	gl_release(host, lists->neighbour);
	gl_release(host, lists->squared_distance);
	memset(lists, 0, sizeof(*lists));
}

GlStatus
neighbours_within(GlHost *host, const PointMatrix *points,
				  double squared_limit, NeighbourMethod method,
				  NeighbourRanges *out)
{
	const DistanceKernels *kernels = distance_kernels();
	double	   *query;

	(void) method;
	memset(out, 0, sizeof(*out));
	GL_NEW(host, query, points->dimension_count);
	GL_NEW(host, out->row_start, points->row_count + 1);
	for (int pass = 0; pass < 2; pass++)
	{
		int64_t		count = 0;

		for (int64_t i = 0; i < points->row_count; i++)
		{
			out->row_start[i] = count;
			distance_widen(points, i, query);
			for (int64_t j = 0; j < points->row_count; j++)
			{
				double		d2;

				GL_TRY(gl_work(host, points->dimension_count));
				d2 = distance_squared(kernels, points, query, j);
				if (j == i || !(d2 <= squared_limit))
					continue;
				if (pass)
				{
					out->neighbour[count] = (int32_t) j;
					out->squared_distance[count] = d2;
				}
				count++;
			}
		}
		out->row_start[points->row_count] = count;
		if (pass == 0)
		{
			GL_NEW(host, out->neighbour, count);
			GL_NEW(host, out->squared_distance, count);
		}
	}
	out->row_count = points->row_count;
	gl_release(host, query);
	return GL_OK;
}

void
neighbour_ranges_release(GlHost *host, NeighbourRanges *ranges)
{
	gl_release(host, ranges->row_start);
	gl_release(host, ranges->neighbour);
	gl_release(host, ranges->squared_distance);
	memset(ranges, 0, sizeof(*ranges));
}
