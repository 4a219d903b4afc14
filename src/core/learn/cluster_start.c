/*
 * cluster_start.c
 *		Means of the rows that were in a cluster before.
 */
#include "learn/cluster_start.h"

#include <inttypes.h>
#include <string.h>

GlStatus
cluster_start_check(GlHost *host, const ClusterStart *start,
					const int64_t *ids, int64_t row_count,
					int32_t cluster_count)
{
	bool	   *is_named;

	GL_NEW_ZEROED(host, is_named, row_count);
	for (int64_t s = 0; s < start->count; s++)
	{
		int32_t		row = start->row[s];

		GL_TRY(gl_work(host, 1));
		if (start->cluster[s] < 0 || start->cluster[s] >= cluster_count)
			return gl_fail(host, GL_ERR_OPTION,
						   "init_clusters puts id %" PRId64
						   " into cluster %" PRId64
						   ", but clusters are 1 to %d", ids[row],
						   (int64_t) start->cluster[s] + 1, cluster_count);
		if (is_named[row])
			return gl_fail(host, GL_ERR_OPTION,
						   "init_ids names id %" PRId64 " twice", ids[row]);
		is_named[row] = true;
	}
	gl_release(host, is_named);
	return GL_OK;
}

/* The cluster of each row, -1 where none was given. */
static GlStatus
spread_start(GlHost *host, const ClusterStart *start, int64_t row_count,
			 int32_t *cluster)
{
	for (int64_t i = 0; i < row_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		cluster[i] = -1;
	}
	for (int64_t s = 0; s < start->count; s++)
	{
		GL_TRY(gl_work(host, 1));
		if (start->row[s] >= 0 && start->row[s] < row_count)
			cluster[start->row[s]] = start->cluster[s];
	}
	return GL_OK;
}

/* Clusters that have a row come first. */
static GlStatus
order_clusters(GlHost *host, const int64_t *count, int32_t cluster_count,
			   int32_t *place, int32_t *number, int32_t *given_count)
{
	int32_t		given = 0;
	int32_t		next;

	for (int32_t c = 0; c < cluster_count; c++)
		given += count[c] > 0;
	next = given;
	given = 0;
	for (int32_t c = 0; c < cluster_count; c++)
	{
		GL_TRY(gl_work(host, 1));
		place[c] = count[c] > 0 ? given++ : next++;
		number[place[c]] = c;
	}
	*given_count = given;
	return GL_OK;
}

GlStatus
cluster_start_centres(GlHost *host, const ClusterStart *start,
					  const PointMatrix *rows, int32_t cluster_count,
					  double *centres, int32_t *number, int32_t *given_count)
{
	int32_t		d = rows->dimension_count;
	int32_t    *cluster;
	int32_t    *place;
	int64_t    *count;
	double	   *row;

	GL_NEW(host, cluster, rows->row_count);
	GL_NEW(host, place, cluster_count);
	GL_NEW_ZEROED(host, count, cluster_count);
	GL_NEW(host, row, d);
	GL_TRY(spread_start(host, start, rows->row_count, cluster));
	for (int64_t i = 0; i < rows->row_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (cluster[i] >= 0)
			count[cluster[i]]++;
	}
	GL_TRY(order_clusters(host, count, cluster_count, place, number,
						  given_count));
	GL_TRY(gl_zero(host, centres, (size_t) *given_count,
				   (size_t) d * sizeof(double)));
	for (int64_t i = 0; i < rows->row_count; i++)
	{
		double	   *centre;

		GL_TRY(gl_work(host, d));
		if (cluster[i] < 0)
			continue;
		centre = centres + (int64_t) place[cluster[i]] * d;
		point_matrix_row(rows, i, row);
		for (int32_t j = 0; j < d; j++)
			centre[j] += row[j] / (double) count[cluster[i]];
	}
	gl_release(host, row);
	gl_release(host, count);
	gl_release(host, place);
	gl_release(host, cluster);
	return GL_OK;
}
