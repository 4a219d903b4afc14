/*
 * block_statistics.c
 *		Merge statistics up the tree, with a stack or with all nodes kept.
 *
 * Inner nodes are visited in descending preorder, which finishes a right
 * subtree, then its left sibling, then the parent.  So when a parent comes,
 * its inner children are the top entries of a stack, the left one above the
 * right one.
 */
#include "graph/block_statistics.h"

#include <math.h>
#include <string.h>

double
block_statistics_divergence(const Divergence *divergence,
							int32_t dimension_count, const NodeStatistics *a,
							const NodeStatistics *b)
{
	return a->scatter / a->count + b->dual_scatter / b->count +
		divergence_between(divergence, a->mean, b->dual, dimension_count);
}

double
block_statistics_from_row(const Divergence *divergence,
						  int32_t dimension_count, const double *row,
						  const NodeStatistics *b)
{
	return b->dual_scatter / b->count +
		divergence_between(divergence, row, b->dual, dimension_count);
}

/*
 * The statistics of the union of a and b.  mean and dual are where its
 * vectors go; mean may be a->mean or b->mean (and dual alike): everything
 * that needs the old vectors is computed before they are overwritten.
 */
static NodeStatistics
merge_nodes(const Divergence *divergence, int32_t d, const NodeStatistics *a,
			const NodeStatistics *b, double *mean, double *dual,
			double *scratch)
{
	NodeStatistics merged = {.count = a->count + b->count};
	double		share_a = (double) a->count / merged.count;
	double		share_b = (double) b->count / merged.count;

	if (divergence->is_symmetric)
	{
		double		squares = divergence_between(divergence, a->mean,
												 b->mean, d);

		merged.scatter = a->scatter + b->scatter +
			a->count * share_b * squares;
		merged.dual_scatter = merged.scatter;
		/* a step from a towards b: no large sums */
		for (int32_t j = 0; j < d; j++)
			mean[j] = a->mean[j] + (b->mean[j] - a->mean[j]) * share_b;
		merged.mean = mean;
		merged.dual = mean;
		return merged;
	}
	for (int32_t j = 0; j < d; j++)
		scratch[j] = a->mean[j] + (b->mean[j] - a->mean[j]) * share_b;
	merged.scatter = a->scatter + b->scatter +
		a->count * divergence_between(divergence, a->mean, scratch, d) +
		b->count * divergence_between(divergence, b->mean, scratch, d);
	memcpy(mean, scratch, (size_t) d * sizeof(double));
	/* equal values stay: there and back they would be rounded */
	for (int32_t j = 0; j < d; j++)
		scratch[j] = a->dual[j] == b->dual[j] ? a->dual[j] :
			divergence->inverse(divergence->gradient(a->dual[j]) * share_a +
								divergence->gradient(b->dual[j]) * share_b);
	merged.dual_scatter = a->dual_scatter + b->dual_scatter +
		a->count * divergence_between(divergence, scratch, a->dual, d) +
		b->count * divergence_between(divergence, scratch, b->dual, d);
	memcpy(dual, scratch, (size_t) d * sizeof(double));
	merged.mean = mean;
	merged.dual = dual;
	return merged;
}

/* Entries of the stack: statistics and room for two vectors each. */
typedef struct StatisticsStack
{
	NodeStatistics *node;
	double	   *vectors;		/* capacity x 2d */
	int64_t		count;
	int64_t		capacity;
} StatisticsStack;

static double *
stack_vectors(const StatisticsStack *stack, int64_t entry, int32_t d)
{
	return stack->vectors + entry * 2 * d;
}

/* Point the entries at their vectors again, after these moved. */
static void
stack_repoint(StatisticsStack *stack, int32_t d)
{
	for (int64_t e = 0; e < stack->count; e++)
	{
		bool		same = stack->node[e].dual == stack->node[e].mean;

		stack->node[e].mean = stack_vectors(stack, e, d);
		stack->node[e].dual = same ? stack->node[e].mean :
			stack_vectors(stack, e, d) + d;
	}
}

static GlStatus
stack_reserve(GlHost *host, StatisticsStack *stack, int32_t d)
{
	NodeStatistics *node;
	double	   *vectors;

	if (stack->count < stack->capacity)
		return GL_OK;
	node = gl_resize(host, stack->node, (size_t) stack->capacity * 2,
					 sizeof(NodeStatistics));
	if (node == NULL)
		return host->status;
	stack->node = node;
	vectors = gl_resize(host, stack->vectors, (size_t) stack->capacity * 2,
						2 * (size_t) d * sizeof(double));
	if (vectors == NULL)
		return host->status;
	stack->vectors = vectors;
	stack->capacity *= 2;
	stack_repoint(stack, d);
	return GL_OK;
}

GlStatus
block_statistics_visit(GlHost *host, const PointMatrix *points,
					   const PartitionTree *tree, const TreeLinks *links,
					   const Divergence *divergence,
					   StatisticsVisitor visitor, void *state)
{
	int32_t		d = points->dimension_count;
	int32_t		inner_count = (int32_t) tree->leaf_count - 1;
	StatisticsStack stack = {.capacity = 64};
	double	   *leaf[2];		/* rows of leaf children */
	double	   *scratch;

	GL_NEW(host, stack.node, stack.capacity);
	stack.vectors = gl_allocate(host, (size_t) stack.capacity,
								2 * (size_t) d * sizeof(double));
	if (stack.vectors == NULL)
		return host->status;
	for (int s = 0; s < 2; s++)
		GL_NEW(host, leaf[s], d);
	GL_NEW(host, scratch, d);
	for (int32_t p = inner_count - 1; p >= 0; p--)
	{
		int32_t		child_node[2] = {links->left[p], links->right[p]};
		NodeStatistics child[2];
		double	   *vectors;

		GL_TRY(gl_work(host, 8 * (int64_t) d));
		GL_TRY(stack_reserve(host, &stack, d));
		for (int s = 0; s < 2; s++)
		{
			int32_t		position = child_node[s] - inner_count;

			if (position < 0)
			{
				child[s] = stack.node[--stack.count];
				continue;
			}
			point_matrix_row(points, tree->leaf_row[position], leaf[s]);
			child[s] = (NodeStatistics)
			{
				.count = 1, .mean = leaf[s], .dual = leaf[s]
			};
		}
		GL_TRY(visitor(host, state, p, &child[0], &child[1]));
		vectors = stack_vectors(&stack, stack.count, d);
		stack.node[stack.count++] =
			merge_nodes(divergence, d, &child[0], &child[1], vectors,
						vectors + d, scratch);
	}
	gl_release(host, scratch);
	for (int s = 0; s < 2; s++)
		gl_release(host, leaf[s]);
	gl_release(host, stack.vectors);
	gl_release(host, stack.node);
	return GL_OK;
}

GlStatus
block_statistics_begin(GlHost *host, const PointMatrix *points,
					   const PartitionTree *tree, const TreeLinks *links,
					   const Divergence *divergence, TreeStatistics *out)
{
	int32_t		d = points->dimension_count;
	int32_t		n = (int32_t) tree->leaf_count;
	int			per_node = divergence->is_symmetric ? 1 : 2;
	TreeStatistics statistics = {.node_count = 2 * (int64_t) n - 1};
	double	   *scratch;

	memset(out, 0, sizeof(*out));
	GL_NEW(host, statistics.node, statistics.node_count);
	statistics.vectors = gl_allocate(host, (size_t) statistics.node_count,
									 (size_t) per_node * (size_t) d *
									 sizeof(double));
	if (statistics.vectors == NULL)
		return host->status;
	GL_NEW(host, scratch, d);
	for (int32_t node = 2 * n - 2; node >= 0; node--)
	{
		double	   *mean = statistics.vectors + (int64_t) node * per_node * d;
		double	   *dual = mean + (per_node - 1) * d;

		GL_TRY(gl_work(host, 8 * (int64_t) d));
		if (node < n - 1)
		{
			statistics.node[node] =
				merge_nodes(divergence, d,
							&statistics.node[links->left[node]],
							&statistics.node[links->right[node]], mean, dual,
							scratch);
			continue;
		}
		point_matrix_row(points, tree->leaf_row[node - (n - 1)], mean);
		statistics.node[node] = (NodeStatistics)
		{
			.count = 1, .mean = mean, .dual = mean
		};
	}
	gl_release(host, scratch);
	*out = statistics;
	return GL_OK;
}

void
block_statistics_end(GlHost *host, TreeStatistics *statistics)
{
	gl_release(host, statistics->node);
	gl_release(host, statistics->vectors);
	memset(statistics, 0, sizeof(*statistics));
}
