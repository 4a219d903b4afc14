/*
 * agglomeration.c
 *		Join trees two by two, then number the nodes of the result.
 */
#include "graph/agglomeration.h"

#include <math.h>
#include <string.h>

GlStatus
agglomeration_begin(GlHost *host, const Divergence *divergence,
					MergeRule rule, int32_t n, int32_t d,
					int32_t cluster_limit, Agglomeration *out)
{
	int64_t		v = cluster_limit;
	Agglomeration work = {
		.divergence = divergence,
		.rule = rule,
		.n = n,
		.d = d,
		.work = (divergence->is_symmetric ? 2 : 64) * (int64_t) d,
		.node_count = n
	};

	memset(out, 0, sizeof(*out));
	GL_NEW(host, work.clusters, 2 * v - 1);
	work.means = gl_allocate(host, (size_t) (2 * v - 1),
							 (size_t) d * sizeof(double));
	if (work.means == NULL)
		return host->status;
	GL_NEW(host, work.candidates, (v - 1) * (v - 1));
	GL_NEW(host, work.middle, d);
	GL_NEW(host, work.child, 2 * ((int64_t) n - 1));
	*out = work;
	return GL_OK;
}

int32_t
agglomeration_pair(Agglomeration *work, int32_t a, int32_t b)
{
	int64_t		inner = work->node_count - work->n;

	work->child[2 * inner] = a;
	work->child[2 * inner + 1] = b;
	return work->node_count++;
}

void
agglomeration_clear(Agglomeration *work)
{
	work->cluster_count = 0;
}

static double *
mean_of(const Agglomeration *work, int64_t cluster)
{
	return work->means + cluster * work->d;
}

double *
agglomeration_add(Agglomeration *work, int32_t node, int32_t count,
				  double radius)
{
	work->clusters[work->cluster_count] = (Cluster)
	{
		.node = node, .count = count, .radius = radius
	};
	return mean_of(work, work->cluster_count++);
}

/* The mean of two clusters: a step from a towards b. */
static void
average_means(const Agglomeration *work, int32_t a, int32_t b, double *mean)
{
	const double *from = mean_of(work, a);
	const double *to = mean_of(work, b);
	double		count_b = work->clusters[b].count;
	double		share = count_b / (work->clusters[a].count + count_b);

	for (int32_t j = 0; j < work->d; j++)
		mean[j] = from[j] + (to[j] - from[j]) * share;
}

static double
join_cost(Agglomeration *work, int32_t a, int32_t b)
{
	const Divergence *divergence = work->divergence;
	double		count_a = work->clusters[a].count;
	double		count_b = work->clusters[b].count;
	double		between;

	if (!divergence->is_symmetric)
	{
		average_means(work, a, b, work->middle);
		return count_a * divergence_between(divergence, mean_of(work, a),
											work->middle, work->d) +
			count_b * divergence_between(divergence, mean_of(work, b),
										 work->middle, work->d);
	}
	between = divergence_between(divergence, mean_of(work, a),
								 mean_of(work, b), work->d);
	if (work->rule == MERGE_BREGMAN)
		return count_a * (count_b / (count_a + count_b)) * between;
	/* one ball may hold the other: then the larger is the ball of both */
	return fmax(fmax(work->clusters[a].radius, work->clusters[b].radius),
				(work->clusters[a].radius + work->clusters[b].radius +
				 sqrt(between)) / 2);
}

static inline bool
is_cheaper(const Candidate *x, const Candidate *y)
{
	if (x->cost != y->cost)
		return x->cost < y->cost;
	if (x->count != y->count)
		return x->count < y->count;
	return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static GlStatus
push_candidate(GlHost *host, Agglomeration *work, int32_t a, int32_t b)
{
	Candidate  *heap = work->candidates;
	int64_t		at = work->candidate_count++;
	Candidate	item = {
		.cost = join_cost(work, a, b),
		.count = work->clusters[a].count + work->clusters[b].count,
		.a = a, .b = b
	};

	GL_TRY(gl_work(host, work->work + 16));
	if (isnan(item.cost))
		item.cost = INFINITY;	/* keeps the order total */
	while (at > 0 && is_cheaper(&item, &heap[(at - 1) / 2]))
	{
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = item;
	return GL_OK;
}

static Candidate
pop_candidate(Agglomeration *work)
{
	Candidate  *heap = work->candidates;
	int64_t		count = --work->candidate_count;
	Candidate	cheapest = heap[0];
	Candidate	item = heap[count];
	int64_t		at = 0;

	for (int64_t below = 1; below < count; below = 2 * at + 1)
	{
		if (below + 1 < count && is_cheaper(&heap[below + 1], &heap[below]))
			below++;
		if (!is_cheaper(&heap[below], &item))
			break;
		heap[at] = heap[below];
		at = below;
	}
	heap[at] = item;
	return cheapest;
}

/* A new cluster, the union of a and b. */
static void
join_clusters(Agglomeration *work, int32_t a, int32_t b)
{
	Cluster    *from = &work->clusters[a];
	Cluster    *to = &work->clusters[b];
	Cluster    *joined = &work->clusters[work->cluster_count];

	joined->node = agglomeration_pair(work, from->node, to->node);
	joined->count = from->count + to->count;
	joined->radius = 0;
	joined->joined = false;
	average_means(work, a, b, mean_of(work, work->cluster_count));
	if (work->rule == MERGE_RADIUS)
	{
		double		distance = sqrt(divergence_between(work->divergence,
													   mean_of(work, a),
													   mean_of(work, b),
													   work->d));

		joined->radius =
			fmax(distance * to->count / joined->count + from->radius,
				 distance * from->count / joined->count + to->radius);
	}
	from->joined = true;
	to->joined = true;
	work->cluster_count++;
}

GlStatus
agglomeration_run(GlHost *host, Agglomeration *work, Cluster *whole)
{
	int32_t		count = work->cluster_count;

	work->candidate_count = 0;
	for (int32_t c = 1; c < count; c++)
		for (int32_t other = 0; other < c; other++)
			GL_TRY(push_candidate(host, work, other, c));
	while (work->cluster_count < 2 * count - 1)
	{
		Candidate	pair = pop_candidate(work);
		int32_t		joined = work->cluster_count;

		GL_TRY(gl_work(host, 32));
		if (work->clusters[pair.a].joined || work->clusters[pair.b].joined)
			continue;
		GL_TRY(gl_work(host, joined));
		join_clusters(work, pair.a, pair.b);
		for (int32_t other = 0; other < joined; other++)
			if (!work->clusters[other].joined)
				GL_TRY(push_candidate(host, work, other, joined));
	}
	*whole = work->clusters[work->cluster_count - 1];
	return GL_OK;
}

/* Leaves below every node and their smallest row, by node number. */
static GlStatus
measure_nodes(GlHost *host, const int32_t *child, int32_t n, int32_t *size,
			  int32_t *smallest)
{
	for (int32_t node = 0; node < 2 * n - 1; node++)
	{
		const int32_t *pair;

		GL_TRY(gl_work(host, 2));
		size[node] = 1;
		smallest[node] = node;
		if (node < n)
			continue;
		pair = child + 2 * ((int64_t) node - n);
		size[node] = size[pair[0]] + size[pair[1]];
		smallest[node] = smallest[pair[0]] < smallest[pair[1]] ?
			smallest[pair[0]] : smallest[pair[1]];
	}
	return GL_OK;
}

/*
 * Number the nodes in preorder, the child with the smallest row on the left.
 * The stack holds right children while left ones are walked: n at most.
 */
static GlStatus
number_nodes(GlHost *host, const int32_t *child, PartitionTree *tree)
{
	int32_t		n = (int32_t) tree->leaf_count;
	int64_t		inner = 0;
	int64_t		leaf = 0;
	int64_t		waiting = 0;
	int32_t    *size;
	int32_t    *smallest;
	int32_t    *stack;

	GL_NEW(host, size, 2 * (int64_t) n - 1);
	GL_NEW(host, smallest, 2 * (int64_t) n - 1);
	GL_NEW(host, stack, n);
	GL_TRY(measure_nodes(host, child, n, size, smallest));
	stack[waiting++] = 2 * n - 2;
	while (waiting > 0)
	{
		int32_t		node = stack[--waiting];
		const int32_t *pair;
		int			left;

		GL_TRY(gl_work(host, 2));
		if (node < n)
		{
			tree->leaf_row[leaf++] = node;
			continue;
		}
		pair = child + 2 * ((int64_t) node - n);
		left = smallest[pair[0]] < smallest[pair[1]] ? 0 : 1;
		tree->left_size[inner++] = size[pair[left]];
		stack[waiting++] = pair[1 - left];
		stack[waiting++] = pair[left];
	}
	gl_release(host, stack);
	gl_release(host, smallest);
	gl_release(host, size);
	return GL_OK;
}

GlStatus
agglomeration_finish(GlHost *host, Agglomeration *work, PartitionTree *out)
{
	PartitionTree tree = {.leaf_count = work->n};

	memset(out, 0, sizeof(*out));
	gl_release(host, work->clusters);
	gl_release(host, work->means);
	gl_release(host, work->candidates);
	gl_release(host, work->middle);
	GL_NEW(host, tree.left_size, tree.leaf_count - 1);
	GL_NEW(host, tree.leaf_row, tree.leaf_count);
	GL_TRY(number_nodes(host, work->child, &tree));
	gl_release(host, work->child);
	memset(work, 0, sizeof(*work));
	*out = tree;
	return GL_OK;
}
