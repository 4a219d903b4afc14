/*
 * cluster_kwalks.c
 *		k-walks: k-means with walks for distances and PageRank for means.
 *
 * Reads:	a graph, by its products only.
 * Yields:	clusters of the nodes around k central ones.
 *
 * Each round, a walk that restarts at its centre is run for every centre, and
 * a node joins the one whose walk visits it most (ties to the lower number).
 * Then the centre of a cluster becomes the node of highest PageRank within
 * the cluster, edges that leave it aside.  Rounds end when the centres stay,
 * or come back to where they were before.  (Spec seed001 section 2.13, T36.)
 *
 * On a symmetric graph a centre wins itself, so no cluster is empty.  A node
 * that no walk reaches, in a component without a centre, is in no cluster.
 *
 * The distance of a node is the share of its visits that other walks have.
 *
 * Time: for each round some tens of products with k columns, twice.  Memory
 * n (4 k + 4) numbers.
 */
#include "learn/cluster_task.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/sort.h"
#include "learn/restart_walk.h"

#define WALK_PRODUCTS	500

/* Rounds are few; this bounds the memory of where the centres were. */
#define MOST_ROUNDS		1000

typedef struct KwalksRun
{
	const ClusterTask *task;
	int32_t		k;
	NormalisedGraph spread;		/* P, for k columns */
	double	   *restart;		/* n x k */
	double	   *visits;			/* n x k: the walks */
	double	   *product;		/* n x k */
	int32_t    *centre;			/* k nodes */
	int32_t    *next;			/* k nodes */
	int32_t    *history;		/* centres of the rounds before */
	int64_t		round_limit;
	double	   *degree;			/* n: within the cluster */
	double	   *rank;			/* n: PageRank within the cluster */
} KwalksRun;

static GlStatus
run_begin(GlHost *host, const ClusterTask *task, KwalksRun *run)
{
	int64_t		n = task->graph->node_count;
	int64_t		k = task->cluster_count;

	memset(run, 0, sizeof(*run));
	run->task = task;
	run->k = task->cluster_count;
	GL_TRY(normalised_begin(host, task->graph, NORMALISE_SPREAD, run->k,
							&run->spread));
	GL_NEW(host, run->restart, n * k);
	GL_NEW(host, run->visits, n * k);
	GL_NEW(host, run->product, n * k);
	GL_NEW(host, run->centre, k);
	run->round_limit = task->options->iteration_limit < MOST_ROUNDS ?
		task->options->iteration_limit : MOST_ROUNDS;
	GL_NEW(host, run->history, run->round_limit * k);
	GL_NEW(host, run->next, k);
	GL_NEW(host, run->degree, n);
	GL_NEW(host, run->rank, n);
	return GL_OK;
}

static void
run_end(GlHost *host, KwalksRun *run)
{
	normalised_end(host, &run->spread);
	gl_release(host, run->restart);
	gl_release(host, run->visits);
	gl_release(host, run->product);
	gl_release(host, run->centre);
	gl_release(host, run->history);
	gl_release(host, run->next);
	gl_release(host, run->degree);
	gl_release(host, run->rank);
}

/* k distinct members, each drawn by its degree: busy nodes are central. */
static GlStatus
draw_centres(GlHost *host, KwalksRun *run)
{
	const ClusterTask *task = run->task;
	double	   *left;
	GlRandom	random;

	GL_NEW(host, left, task->member_count);
	for (int64_t m = 0; m < task->member_count; m++)
	{
		GL_TRY(gl_work(host, 1));
		left[m] = run->spread.degree[task->member[m]];
	}
	gl_random_begin(&random, task->options->seed);
	for (int32_t c = 0; c < run->k; c++)
	{
		double		total = 0;
		double		target;
		double		sum = 0;
		int64_t		drawn = 0;

		for (int64_t m = 0; m < task->member_count; m++)
		{
			GL_TRY(gl_work(host, 1));
			total += left[m];
		}
		target = gl_random_unit(&random) * total;
		for (int64_t m = 0; m < task->member_count; m++)
		{
			GL_TRY(gl_work(host, 1));
			if (left[m] <= 0)
				continue;
			drawn = m;			/* rounding may leave none beyond target */
			sum += left[m];
			if (sum > target)
				break;
		}
		left[drawn] = 0;
		run->centre[c] = task->member[drawn];
	}
	gl_release(host, left);
	return GL_OK;
}

/* One walk for each centre. */
static GlStatus
run_walks(GlHost *host, KwalksRun *run, ClusterReport *report)
{
	const ClusterOptions *options = run->task->options;
	int64_t		n = run->task->graph->node_count;
	RestartWalkReport walked;

	GL_TRY(gl_zero(host, run->restart, (size_t) n,
				   (size_t) run->k * sizeof(double)));
	for (int32_t c = 0; c < run->k; c++)
		run->restart[(int64_t) run->centre[c] * run->k + c] = 1;
	memcpy(run->visits, run->restart,
		   (size_t) n * (size_t) run->k * sizeof(double));
	GL_TRY(restart_walk_run(host, &run->spread, run->restart, run->k,
							options->damping, options->tolerance,
							WALK_PRODUCTS, run->visits, &walked));
	report->residual = walked.change;
	report->converged = walked.converged;
	return GL_OK;
}

/* Every member joins the walk that visits it most. */
static GlStatus
join_walks(GlHost *host, const KwalksRun *run, ClusterResult *result)
{
	const ClusterTask *task = run->task;

	for (int64_t m = 0; m < task->member_count; m++)
	{
		int32_t		node = task->member[m];
		const double *visits = run->visits + (int64_t) node * run->k;
		int32_t		winner = -1;
		double		most = 0;
		double		sum = 0;

		GL_TRY(gl_work(host, run->k));
		for (int32_t c = 0; c < run->k; c++)
		{
			sum += visits[c];
			if (visits[c] > most)
			{
				most = visits[c];
				winner = c;
			}
		}
		result->cluster[node] = winner;
		result->distance[node] = winner < 0 ? 0 : (sum - most) / sum;
	}
	return GL_OK;
}

/*
 * y_i <- sum of A_ij x_j, or A_ji x_j, over the j of i's own cluster, by one
 * product with a column per cluster.
 */
static GlStatus
apply_within(GlHost *host, KwalksRun *run, const int32_t *cluster,
			 bool transpose, const double *x, double *y)
{
	int64_t		n = run->task->graph->node_count;

	GL_TRY(gl_zero(host, run->restart, (size_t) n,
				   (size_t) run->k * sizeof(double)));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (cluster[i] >= 0)
			run->restart[i * run->k + cluster[i]] = x[i];
	}
	if (transpose)
		GL_TRY(graph_apply_transpose(host, run->task->graph, run->restart,
									 run->product, run->k));
	else
		GL_TRY(graph_apply(host, run->task->graph, run->restart,
						   run->product, run->k));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		y[i] = cluster[i] < 0 ? 0 : run->product[i * run->k + cluster[i]];
	}
	return GL_OK;
}

/* PageRank within every cluster at once; each cluster restarts evenly. */
static GlStatus
rank_within(GlHost *host, KwalksRun *run, const int32_t *cluster)
{
	const ClusterOptions *options = run->task->options;
	int64_t		n = run->task->graph->node_count;
	double		damping = options->damping;
	double		change = INFINITY;
	double	   *scaled = run->visits;	/* free until the next walks */
	double	   *arrived = run->visits + n;

	for (int64_t i = 0; i < n; i++)
		scaled[i] = 1;
	GL_TRY(apply_within(host, run, cluster, false, scaled, run->degree));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		run->rank[i] = cluster[i] < 0 ? 0 : 1;
	}
	/* ranks average 1 within a cluster, so the change is relative */
	for (int step = 0; step < WALK_PRODUCTS &&
		 change > options->tolerance * (double) n; step++)
	{
		for (int64_t i = 0; i < n; i++)
		{
			GL_TRY(gl_work(host, 1));
			scaled[i] = run->degree[i] > 0 ? run->rank[i] / run->degree[i] : 0;
		}
		GL_TRY(apply_within(host, run, cluster, true, scaled, arrived));
		change = 0;
		for (int64_t i = 0; i < n; i++)
		{
			double		next = cluster[i] < 0 ? 0 :
				1 - damping + damping * arrived[i];

			GL_TRY(gl_work(host, 1));
			change += fabs(next - run->rank[i]);
			run->rank[i] = next;
		}
	}
	return GL_OK;
}

/*
 * The highest PageRank of each cluster; of equal ones the smallest node.  A
 * cluster without nodes keeps its centre.
 */
static GlStatus
choose_centres(GlHost *host, KwalksRun *run, const int32_t *cluster)
{
	for (int32_t c = 0; c < run->k; c++)
		run->next[c] = -1;
	for (int64_t i = 0; i < run->task->graph->node_count; i++)
	{
		int32_t    *next;

		GL_TRY(gl_work(host, 1));
		if (cluster[i] < 0)
			continue;
		next = &run->next[cluster[i]];
		if (*next < 0 || run->rank[i] > run->rank[*next])
			*next = (int32_t) i;
	}
	for (int32_t c = 0; c < run->k; c++)
		if (run->next[c] >= 0)
			run->centre[c] = run->next[c];
	return GL_OK;
}

/* Were the centres here before?  Else remember them. */
static bool
seen_before(KwalksRun *run, int64_t rounds)
{
	size_t		size = (size_t) run->k * sizeof(int32_t);

	for (int64_t r = 0; r < rounds; r++)
		if (memcmp(run->history + r * run->k, run->centre, size) == 0)
			return true;
	memcpy(run->history + rounds * run->k, run->centre, size);
	return false;
}

/* Centres by chance, or of the clusters of before where there were any. */
static GlStatus
begin_centres(GlHost *host, KwalksRun *run, int32_t *cluster)
{
	const ClusterTask *task = run->task;

	GL_TRY(draw_centres(host, run));
	if (task->start.count == 0)
		return GL_OK;
	for (int64_t s = 0; s < task->start.count; s++)
	{
		GL_TRY(gl_work(host, 1));
		if (task->start.row[s] >= 0)
			cluster[task->member[task->start.row[s]]] = task->start.cluster[s];
	}
	GL_TRY(rank_within(host, run, cluster));
	return choose_centres(host, run, cluster);
}

GlStatus
cluster_kwalks(GlHost *host, const ClusterTask *task, ClusterResult *result,
			   ClusterReport *report)
{
	KwalksRun	run;

	GL_TRY(run_begin(host, task, &run));
	GL_TRY(begin_centres(host, &run, result->cluster));
	while (!seen_before(&run, report->iterations))
	{
		GL_TRY(run_walks(host, &run, report));
		GL_TRY(join_walks(host, &run, result));
		if (++report->iterations == run.round_limit)
			break;
		GL_TRY(rank_within(host, &run, result->cluster));
		GL_TRY(choose_centres(host, &run, result->cluster));
	}
	run_end(host, &run);
	return GL_OK;
}
