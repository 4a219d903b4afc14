/*
 * cluster_task.c
 *		Coordinates of members, and k-means on them.
 */
#include "learn/cluster_task.h"

#include <math.h>

GlStatus
cluster_task_gather(GlHost *host, const ClusterTask *task,
					const double *values, int32_t columns, double *rows)
{
	for (int64_t m = 0; m < task->member_count; m++)
	{
		int64_t		from = (int64_t) task->member[m] * columns;

		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			rows[m * columns + c] = values[from + c];
	}
	return GL_OK;
}

/* Multiply by a power of two that brings the largest number near 1. */
static GlStatus
scale_numbers(GlHost *host, int64_t count, double *numbers, int *exponent)
{
	double		largest = 0;

	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 1));
		largest = fmax(largest, fabs(numbers[i]));
	}
	*exponent = 0;
	if (largest > 0)
		frexp(largest, exponent);
	for (int64_t i = 0; i < count && *exponent != 0; i++)
	{
		GL_TRY(gl_work(host, 1));
		numbers[i] = ldexp(numbers[i], -*exponent);
	}
	return GL_OK;
}

GlStatus
cluster_task_kmeans(GlHost *host, const ClusterTask *task,
					const ClusterStart *start, double *coordinates,
					int32_t dimensions, KmeansSeeding seeding,
					ClusterResult *result)
{
	PointMatrix rows = {task->member_count, dimensions, SCALAR_FLOAT8,
		coordinates};
	KmeansOptions options;
	KmeansResult found;
	KmeansReport report;
	int			exponent;

	kmeans_defaults(&options);
	options.cluster_count = task->cluster_count;
	options.seeding = seeding;
	options.restarts = task->options->restarts;
	options.seed = task->options->seed;
	GL_TRY(scale_numbers(host, task->member_count * dimensions, coordinates,
						 &exponent));
	GL_TRY(cluster_rows_run(host, &rows, &options, start, &found, &report));
	for (int64_t m = 0; m < task->member_count; m++)
	{
		int32_t		node = task->member[m];

		GL_TRY(gl_work(host, 1));
		result->cluster[node] = found.cluster[m];
		result->distance[node] = ldexp(sqrt(found.squared[m]), exponent);
	}
	kmeans_result_release(host, &found);
	return GL_OK;
}
