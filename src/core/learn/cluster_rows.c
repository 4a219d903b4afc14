/*
 * cluster_rows.c
 *		Start k-means where clusters were, and name what it finds.
 */
#include "learn/cluster_rows.h"

#include <string.h>

/* Centre p goes to place number[p]. */
static GlStatus
move_centres(GlHost *host, const int32_t *number, KmeansResult *result)
{
	size_t		d = (size_t) result->dimension_count;
	double	   *centre;

	GL_NEW(host, centre, (size_t) result->cluster_count * d);
	for (int32_t c = 0; c < result->cluster_count; c++)
	{
		GL_TRY(gl_work(host, (int64_t) d));
		memcpy(centre + (size_t) number[c] * d,
			   result->centre + (size_t) c * d, d * sizeof(double));
	}
	gl_release(host, result->centre);
	result->centre = centre;
	return GL_OK;
}

/* Names from before. */
static GlStatus
name_by_start(GlHost *host, const int32_t *number, KmeansResult *result)
{
	for (int64_t i = 0; i < result->row_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		result->cluster[i] = number[result->cluster[i]];
	}
	return move_centres(host, number, result);
}

/* The smallest row names its cluster; empty ones take the numbers left. */
static GlStatus
name_by_first_row(GlHost *host, int32_t *number, KmeansResult *result)
{
	int32_t		used;

	GL_TRY(kmeans_renumber(host, result->row_count, result->cluster_count,
						   result->cluster, number, &used));
	for (int32_t c = 0; c < result->cluster_count; c++)
		if (number[c] < 0)
			number[c] = used++;
	return move_centres(host, number, result);
}

GlStatus
cluster_rows_run(GlHost *host, const PointMatrix *rows,
				 const KmeansOptions *options, const ClusterStart *start,
				 KmeansResult *out, KmeansReport *report)
{
	KmeansOptions started = *options;
	int32_t		k = options->cluster_count;
	bool		has_start = start != NULL && start->count > 0;
	KmeansResult result;
	int32_t    *number;
	double	   *given = NULL;

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	GL_NEW(host, number, k > 0 ? k : 0);
	if (has_start)
	{
		GL_NEW(host, given, (int64_t) k * rows->dimension_count);
		GL_TRY(cluster_start_centres(host, start, rows, k, given, number,
									 &started.given_count));
		started.given = given;
	}
	GL_TRY(kmeans_run(host, rows, &started, &result, report));
	if (has_start)
		GL_TRY(name_by_start(host, number, &result));
	else
		GL_TRY(name_by_first_row(host, number, &result));
	gl_release(host, given);
	gl_release(host, number);
	*out = result;
	return GL_OK;
}
