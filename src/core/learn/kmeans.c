/*
 * kmeans.c
 *		Lloyd's steps, restarts, clusters that lost their rows.
 */
#include "learn/kmeans.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "learn/kmeans_seeding.h"

typedef struct LloydRun
{
	const KmeansOptions *options;
	KmeansSearch *search;
	KmeansResult *result;		/* filled here */
	int64_t		iterations;
	bool		converged;
	double		inertia;
} LloydRun;

void
kmeans_defaults(KmeansOptions *options)
{
	memset(options, 0, sizeof(*options));
	options->seeding = KMEANS_PLUS_PLUS;
	options->restarts = 10;
	options->iteration_limit = 300;
	options->tolerance = 1e-4;
}

static GlStatus
check_options(GlHost *host, const PointMatrix *rows,
			  const KmeansOptions *options)
{
	if (options->cluster_count < 1)
		return gl_fail(host, GL_ERR_OPTION, "k must be at least 1, not %d",
					   options->cluster_count);
	if (options->cluster_count > rows->row_count)
		return gl_fail(host, GL_ERR_OPTION,
					   "k is %d, but there are only %" PRId64 " rows",
					   options->cluster_count, rows->row_count);
	if (options->restarts < 1)
		return gl_fail(host, GL_ERR_OPTION,
					   "restarts must be at least 1, not %d",
					   options->restarts);
	if (options->iteration_limit < 1)
		return gl_fail(host, GL_ERR_OPTION,
					   "iterations must be at least 1, not %" PRId64,
					   options->iteration_limit);
	if (!(options->tolerance >= 0 && options->tolerance < 1))
		return gl_fail(host, GL_ERR_OPTION,
					   "tolerance must be at least 0 and less than 1, not %g",
					   options->tolerance);
	if (options->given_count < 0 ||
		options->given_count > options->cluster_count)
		return gl_fail(host, GL_ERR_INTERNAL, "%d centres given for %d",
					   options->given_count, options->cluster_count);
	return GL_OK;
}

/* The row farthest from its centre that does not stand alone; -1: none. */
static GlStatus
farthest_row(GlHost *host, const LloydRun *run, int64_t *row)
{
	const KmeansResult *result = run->result;
	double		best = 0;

	*row = -1;
	for (int64_t i = 0; i < result->row_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (result->squared[i] > best &&
			run->search->count[result->cluster[i]] > 1)
		{
			best = result->squared[i];
			*row = i;
		}
	}
	return GL_OK;
}

/* A row apart from its centre by no more than the rounding of a mean. */
static bool
lies_on_centre(const double *row, const double *centre, int32_t d,
			   double squared)
{
	double		size = 0;

	for (int32_t j = 0; j < d; j++)
		size += row[j] * row[j] + centre[j] * centre[j];
	return squared <= 1e-28 * size;
}

/* Give every cluster without a row the row farthest from its centre. */
static GlStatus
fill_empty_clusters(GlHost *host, LloydRun *run, int64_t *changed)
{
	KmeansSearch *search = run->search;
	KmeansResult *result = run->result;
	int32_t		d = result->dimension_count;
	bool		measured = false;

	for (int32_t c = 0; c < result->cluster_count; c++)
	{
		int64_t		own = (int64_t) c * d;
		int64_t		other;
		double		total;
		int64_t		row;

		GL_TRY(gl_work(host, 1));
		if (search->count[c] > 0)
			continue;
		if (!measured)
			GL_TRY(kmeans_measure(host, search, result->centre,
								  result->cluster, result->squared, &total));
		measured = true;
		GL_TRY(farthest_row(host, run, &row));
		if (row < 0)
			break;
		other = (int64_t) result->cluster[row] * d;
		distance_widen(search->rows, row, search->row);
		if (lies_on_centre(search->row, result->centre + other, d,
						   result->squared[row]))
			break;
		for (int32_t j = 0; j < d; j++)
		{
			search->sum[other + j] -= search->row[j] -
				result->centre[other + j];
			search->sum[own + j] = search->row[j] - result->centre[own + j];
		}
		search->count[result->cluster[row]]--;
		search->count[c] = 1;
		result->cluster[row] = c;
		result->squared[row] = 0;
		(*changed)++;
	}
	return GL_OK;
}

/* Bring a centre to length 1; one at 0 has no direction: false. */
static bool
make_unit(double *centre, int32_t d)
{
	double		sum = 0;

	for (int32_t j = 0; j < d; j++)
		sum += centre[j] * centre[j];
	/* rows have length 1, so this is a mean that all but cancels */
	if (sum < 1e-24)
		return false;
	sum = sqrt(sum);
	for (int32_t j = 0; j < d; j++)
		centre[j] /= sum;
	return true;
}

/* The centres become the means of their rows; *shift: sum of squared moves. */
static GlStatus
move_centres(GlHost *host, LloydRun *run, double *shift)
{
	const KmeansSearch *search = run->search;
	KmeansResult *result = run->result;
	int32_t		d = result->dimension_count;

	*shift = 0;
	for (int32_t c = 0; c < result->cluster_count; c++)
	{
		double	   *centre = result->centre + (int64_t) c * d;
		double	   *moved = search->row;
		const double *sum = search->sum + (int64_t) c * d;
		double		count = (double) search->count[c];

		GL_TRY(gl_work(host, 2 * d));
		if (count == 0)
			continue;
		for (int32_t j = 0; j < d; j++)
			moved[j] = centre[j] + sum[j] / count;
		if (run->options->spherical && !make_unit(moved, d))
			continue;
		for (int32_t j = 0; j < d; j++)
		{
			double		move = moved[j] - centre[j];

			*shift += move * move;
			centre[j] = moved[j];
		}
	}
	return GL_OK;
}

/*
 * From the centres in result: assign and move until nothing changes, or
 * little; then measure.  Rows always belong to their nearest centre at the
 * end, but for those that filled an empty cluster in the last step.
 */
static GlStatus
lloyd_run(GlHost *host, LloydRun *run)
{
	KmeansResult *result = run->result;
	double		enough = run->options->tolerance * run->search->variance;
	double		shift;
	int64_t		changed;

	run->converged = false;
	run->iterations = 0;
	for (int64_t i = 0; i < result->row_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		result->cluster[i] = -1;
	}
	for (;;)
	{
		GL_TRY(kmeans_assign(host, run->search, result->centre,
							 result->cluster, &changed));
		if (changed == 0 || run->converged ||
			run->iterations == run->options->iteration_limit)
			break;
		GL_TRY(fill_empty_clusters(host, run, &changed));
		GL_TRY(move_centres(host, run, &shift));
		run->iterations++;
		run->converged = shift <= enough;
	}
	if (changed == 0)
		run->converged = true;
	return kmeans_measure(host, run->search, result->centre, result->cluster,
						  result->squared, &run->inertia);
}

static GlStatus
result_begin(GlHost *host, const PointMatrix *rows, int32_t cluster_count,
			 KmeansResult *result)
{
	memset(result, 0, sizeof(*result));
	result->row_count = rows->row_count;
	result->cluster_count = cluster_count;
	result->dimension_count = rows->dimension_count;
	GL_NEW(host, result->cluster, rows->row_count);
	GL_NEW(host, result->squared, rows->row_count);
	GL_NEW(host, result->centre,
		   (int64_t) cluster_count * rows->dimension_count);
	return GL_OK;
}

void
kmeans_result_release(GlHost *host, KmeansResult *result)
{
	gl_release(host, result->cluster);
	gl_release(host, result->squared);
	gl_release(host, result->centre);
	memset(result, 0, sizeof(*result));
}

static GlStatus
count_empty(GlHost *host, const KmeansResult *result, int64_t *count,
			int32_t *empty_count)
{
	*empty_count = 0;
	GL_TRY(gl_zero(host, count, (size_t) result->cluster_count,
				   sizeof(*count)));
	for (int64_t i = 0; i < result->row_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		count[result->cluster[i]]++;
	}
	for (int32_t c = 0; c < result->cluster_count; c++)
		*empty_count += count[c] == 0;
	return GL_OK;
}

/* All restarts; the best one ends up in kept. */
static GlStatus
run_restarts(GlHost *host, const KmeansOptions *options, LloydRun *run,
			 KmeansResult *kept, KmeansReport *report)
{
	int32_t		d = kept->dimension_count;
	bool		chance = options->seeding == KMEANS_PLUS_PLUS &&
		options->given_count < options->cluster_count;
	int32_t		restarts = chance ? options->restarts : 1;
	GlRandom	random;

	gl_random_begin(&random, options->seed);
	report->inertia = INFINITY;
	for (int32_t r = 0; r < restarts; r++)
	{
		KmeansResult swap = *run->result;

		if (options->given_count > 0)
			memcpy(swap.centre, options->given,
				   (size_t) options->given_count * (size_t) d *
				   sizeof(double));
		GL_TRY(kmeans_seed(host, run->search, options->seeding, &random,
						   options->given_count, swap.centre));
		GL_TRY(lloyd_run(host, run));
		report->all_iterations += run->iterations;
		if (!(run->inertia < report->inertia))
			continue;
		report->inertia = run->inertia;
		report->iterations = run->iterations;
		report->converged = run->converged;
		*run->result = *kept;
		*kept = swap;
	}
	return GL_OK;
}

GlStatus
kmeans_run(GlHost *host, const PointMatrix *rows,
		   const KmeansOptions *options, KmeansResult *out,
		   KmeansReport *report)
{
	KmeansSearch search;
	KmeansResult kept;
	KmeansResult tried;
	LloydRun	run = {.options = options, .search = &search,
		.result = &tried};

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	GL_TRY(check_options(host, rows, options));
	GL_TRY(result_begin(host, rows, options->cluster_count, &kept));
	GL_TRY(result_begin(host, rows, options->cluster_count, &tried));
	GL_TRY(kmeans_search_begin(host, rows, options->cluster_count, &search));
	GL_TRY(run_restarts(host, options, &run, &kept, report));
	GL_TRY(count_empty(host, &kept, search.count, &report->empty_count));
	kmeans_search_end(host, &search);
	kmeans_result_release(host, &tried);
	*out = kept;
	return GL_OK;
}

GlStatus
kmeans_renumber(GlHost *host, int64_t row_count, int32_t cluster_count,
				int32_t *cluster, int32_t *renumbered, int32_t *used_count)
{
	int32_t    *number = renumbered;
	int32_t		used = 0;

	if (number == NULL)
		GL_NEW(host, number, cluster_count);
	for (int32_t c = 0; c < cluster_count; c++)
		number[c] = -1;
	for (int64_t i = 0; i < row_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (cluster[i] < 0)
			continue;
		if (number[cluster[i]] < 0)
			number[cluster[i]] = used++;
		cluster[i] = number[cluster[i]];
	}
	if (renumbered == NULL)
		gl_release(host, number);
	*used_count = used;
	return GL_OK;
}
