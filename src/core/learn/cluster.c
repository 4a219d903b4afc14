/*
 * cluster.c
 *		What all clustering methods share: options, members, numbers, report.
 *
 * A method is a row of cluster_rules: its name, its defaults and a function
 * that fills clusters for 1 < k < number of members.  Everything before (is
 * the call sensible? who takes part?) and after (numbers) is here, so that a
 * new method is one file and one row.
 */
#include "learn/cluster.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "learn/cluster_task.h"

typedef GlStatus (*ClusterSolver) (GlHost *host, const ClusterTask *task,
								   ClusterResult *result,
								   ClusterReport *report);

typedef struct ClusterRule
{
	ClusterMethod method;
	const char *name;			/* the word in SQL */
	double		default_tolerance;
	bool		tolerance_per_node; /* the default is divided by n */
	int64_t		default_iterations;
	ClusterSolver solve;
} ClusterRule;

static const ClusterRule cluster_rules[] = {
	{CLUSTER_NJW, "njw", 1e-6, false, 0, cluster_spectral},
	{CLUSTER_NCUT, "ncut", 1e-6, false, 0, cluster_spectral},
	{CLUSTER_WEIGHTED_NCUT, "weighted_ncut", 1e-6, false, 0, cluster_spectral},
	{CLUSTER_PIC, "pic", 1e-5, true, 20, cluster_pic},
	{CLUSTER_KWALKS, "kwalks", 1e-6, false, 30, cluster_kwalks},
};

#define RULE_COUNT \
	((int) (sizeof(cluster_rules) / sizeof(cluster_rules[0])))

#define DEFAULT_DAMPING		0.85	/* of kwalks */

void
cluster_defaults(ClusterOptions *options)
{
	memset(options, 0, sizeof(*options));
	options->method = CLUSTER_NJW;
	options->start = POWER_RANDOM;
	options->stop = CLUSTER_STOP_ACCELERATION;
	options->steps = 15;
	options->damping = NAN;
	options->tolerance = NAN;
	options->restarts = 10;
}

static const ClusterRule *
find_rule(ClusterMethod method)
{
	for (int m = 0; m < RULE_COUNT; m++)
		if (cluster_rules[m].method == method)
			return &cluster_rules[m];
	return NULL;
}

static GlStatus
check_ranges(GlHost *host, const ClusterOptions *options)
{
	if (options->dimensions < 0 || options->dimensions > CLUSTER_DIMENSIONS)
		return gl_fail(host, GL_ERR_OPTION,
					   "dims must be between 1 and %d, not %d",
					   CLUSTER_DIMENSIONS, options->dimensions);
	if (options->restarts < 1)
		return gl_fail(host, GL_ERR_OPTION,
					   "restarts must be at least 1, not %d",
					   options->restarts);
	if (options->iteration_limit < 0)
		return gl_fail(host, GL_ERR_OPTION,
					   "iterations must be at least 1, not %" PRId64,
					   options->iteration_limit);
	if (!(options->steps >= 0) || !isfinite(options->steps))
		return gl_fail(host, GL_ERR_OPTION,
					   "steps must be finite and not negative, not %g",
					   options->steps);
	if (!isnan(options->damping) &&
		!(options->damping > 0 && options->damping < 1))
		return gl_fail(host, GL_ERR_OPTION,
					   "damping must be between 0 and 1, not %g",
					   options->damping);
	if (!isnan(options->tolerance) &&
		!(options->tolerance > 0 && options->tolerance < 1))
		return gl_fail(host, GL_ERR_OPTION,
					   "tolerance must be between 0 and 1, not %g",
					   options->tolerance);
	return GL_OK;
}

/* Put the method's defaults in place. */
static void
resolve_options(const ClusterRule *rule, int64_t member_count,
				ClusterOptions *options)
{
	if (isnan(options->damping))
		options->damping = DEFAULT_DAMPING;
	if (options->iteration_limit == 0)
		options->iteration_limit = rule->default_iterations;
	if (!isnan(options->tolerance))
		return;
	options->tolerance = rule->default_tolerance;
	if (rule->tolerance_per_node && member_count > 0)
		options->tolerance /= (double) member_count;
}

/* The nodes that have edges; all others begin, and stay, in no cluster. */
static GlStatus
find_members(GlHost *host, const Graph *graph, ClusterTask *task,
			 ClusterResult *result)
{
	double	   *degree;
	int32_t    *member;

	GL_NEW(host, degree, graph->node_count);
	GL_NEW(host, member, graph->node_count);
	GL_TRY(graph_row_sums(host, graph, degree));
	task->member_count = 0;
	for (int64_t i = 0; i < graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		result->cluster[i] = -1;
		result->distance[i] = 0;
		if (degree[i] > 0)
			member[task->member_count++] = (int32_t) i;
	}
	gl_release(host, degree);
	task->member = member;
	return GL_OK;
}

static GlStatus
check_count(GlHost *host, const ClusterTask *task)
{
	if (task->cluster_count < 1)
		return gl_fail(host, GL_ERR_OPTION, "k must be at least 1, not %d",
					   task->cluster_count);
	if (task->cluster_count > task->member_count)
		return gl_fail(host, GL_ERR_OPTION,
					   "k is %d, but the graph has only %" PRId64
					   " nodes with edges", task->cluster_count,
					   task->member_count);
	return GL_OK;
}

/* A start that names nodes becomes one that names members' places. */
static GlStatus
place_start(GlHost *host, const Graph *graph, const ClusterStart *start,
			ClusterTask *task)
{
	int32_t    *place;
	int32_t    *row;

	if (start == NULL || start->count == 0)
		return GL_OK;
	GL_TRY(cluster_start_check(host, start, graph->ids, graph->node_count,
							   task->cluster_count));
	GL_NEW(host, place, graph->node_count);
	GL_NEW(host, row, start->count);
	for (int64_t i = 0; i < graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		place[i] = -1;
	}
	for (int64_t m = 0; m < task->member_count; m++)
	{
		GL_TRY(gl_work(host, 1));
		place[task->member[m]] = (int32_t) m;
	}
	for (int64_t s = 0; s < start->count; s++)
	{
		GL_TRY(gl_work(host, 1));
		row[s] = place[start->row[s]];
	}
	gl_release(host, place);
	task->start = (ClusterStart) {start->count, row, start->cluster};
	return GL_OK;
}

/* k = 1 and k = n need no method. */
static GlStatus
divide_trivially(GlHost *host, const ClusterTask *task, ClusterResult *result)
{
	for (int64_t m = 0; m < task->member_count; m++)
	{
		GL_TRY(gl_work(host, 1));
		result->cluster[task->member[m]] = task->cluster_count == 1 ? 0 :
			(int32_t) m;
	}
	return GL_OK;
}

static GlStatus
count_found(GlHost *host, const ClusterResult *result, int32_t cluster_count,
			ClusterReport *report)
{
	bool	   *is_used;

	GL_NEW_ZEROED(host, is_used, cluster_count);
	report->found_count = 0;
	for (int64_t i = 0; i < result->node_count; i++)
	{
		int32_t		cluster = result->cluster[i];

		GL_TRY(gl_work(host, 1));
		if (cluster >= 0 && !is_used[cluster])
			report->found_count++;
		if (cluster >= 0)
			is_used[cluster] = true;
	}
	gl_release(host, is_used);
	return GL_OK;
}

/* Solve, number, count: the task is checked. */
static GlStatus
solve(GlHost *host, const ClusterRule *rule, const ClusterTask *task,
	  ClusterResult *result, ClusterReport *report)
{
	int32_t		used;

	if (task->cluster_count == 1 ||
		task->cluster_count == task->member_count)
		GL_TRY(divide_trivially(host, task, result));
	else
	{
		GL_TRY(rule->solve(host, task, result, report));
		if (task->start.count == 0)
			GL_TRY(kmeans_renumber(host, result->node_count,
								   task->cluster_count, result->cluster, NULL,
								   &used));
	}
	return count_found(host, result, task->cluster_count, report);
}

GlStatus
cluster_run(GlHost *host, const Graph *graph, const ClusterOptions *options,
			const ClusterStart *start, ClusterResult *out,
			ClusterReport *report)
{
	ClusterOptions resolved = *options;
	ClusterTask task = {.graph = graph, .options = &resolved,
		.cluster_count = options->cluster_count};
	ClusterResult result = {.node_count = graph->node_count};
	ClusterReport progress = {.converged = true};
	const ClusterRule *rule = find_rule(options->method);

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	if (rule == NULL)
		return gl_fail(host, GL_ERR_INTERNAL, "unknown clustering method %d",
					   (int) options->method);
	GL_TRY(graph_require_similarity(host, graph, "gl_cluster"));
	GL_TRY(check_ranges(host, options));
	GL_NEW(host, result.cluster, graph->node_count);
	GL_NEW(host, result.distance, graph->node_count);
	GL_TRY(find_members(host, graph, &task, &result));
	resolve_options(rule, task.member_count, &resolved);
	if (task.cluster_count == 0)
		GL_TRY(cluster_choose_count(host, graph, task.member_count,
									options->seed, &task.cluster_count));
	if (task.cluster_count != 0 || task.member_count > 0)
	{
		GL_TRY(check_count(host, &task));
		GL_TRY(place_start(host, graph, start, &task));
		GL_TRY(solve(host, rule, &task, &result, &progress));
	}
	progress.cluster_count = task.cluster_count;
	progress.lone_count = graph->node_count - task.member_count;
	gl_release(host, task.member);
	if (task.start.count > 0)
		gl_release(host, task.start.row);
	*out = result;
	*report = progress;
	return GL_OK;
}

void
cluster_result_release(GlHost *host, ClusterResult *result)
{
	gl_release(host, result->cluster);
	gl_release(host, result->distance);
	memset(result, 0, sizeof(*result));
}
