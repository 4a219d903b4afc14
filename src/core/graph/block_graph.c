/*
 * block_graph.c
 *		The operator contract of block graphs, binding and checks.
 */
#include "graph/block_graph.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "graph/block_product.h"

static const BlockGraph *
block_of(const Graph *graph)
{
	return (const BlockGraph *) graph;
}

/* ---- the operator contract ---- */

static GlStatus
block_apply(GlHost *host, const Graph *graph, const double *x, double *y,
			int32_t columns)
{
	const BlockGraph *block = block_of(graph);

	return block_product(host, block->trees, block->recipe.tree_count, false,
						 x, y, columns);
}

static GlStatus
block_apply_transpose(GlHost *host, const Graph *graph, const double *x,
					  double *y, int32_t columns)
{
	const BlockGraph *block = block_of(graph);

	return block_product(host, block->trees, block->recipe.tree_count, true,
						 x, y, columns);
}

/* A walk: rows sum to 1, except that a single row has nowhere to go. */
static GlStatus
block_row_sums(GlHost *host, const Graph *graph, double *sums)
{
	for (int64_t i = 0; i < graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		sums[i] = graph->node_count > 1 ? 1 : 0;
	}
	return GL_OK;
}

static GlStatus
block_diagonal(GlHost *host, const Graph *graph, double *diagonal)
{
	return gl_zero(host, diagonal, (size_t) graph->node_count,
				   sizeof(double));
}

/* Every row reaches every other: one component. */
static GlStatus
block_components(GlHost *host, const Graph *graph, int32_t *component,
				 int32_t *component_count)
{
	*component_count = 1;
	return gl_zero(host, component, (size_t) graph->node_count,
				   sizeof(int32_t));
}

/* Row i is Q^T e_i. */
static GlStatus
block_row(GlHost *host, const Graph *graph, int32_t node,
		  GraphEntry **entries, int64_t *entry_count)
{
	int64_t		n = graph->node_count;
	double	   *indicator;
	double	   *values;
	GraphEntry *row;
	int64_t		count = 0;

	GL_NEW_ZEROED(host, indicator, n);
	GL_NEW(host, values, n);
	GL_NEW(host, row, n);
	indicator[node] = 1;
	GL_TRY(block_apply_transpose(host, graph, indicator, values, 1));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (values[i] > 0)
			row[count++] = (GraphEntry) {(int32_t) i, values[i]};
	}
	gl_release(host, indicator);
	gl_release(host, values);
	*entries = row;
	*entry_count = count;
	return GL_OK;
}

void
block_graph_unbind(GlHost *host, BlockGraph *block)
{
	for (int32_t t = 0; block->trees != NULL && t < block->recipe.tree_count;
		 t++)
	{
		tree_links_end(host, &block->trees[t].links);
		gl_release(host, block->trees[t].q_ab);
		gl_release(host, block->trees[t].q_ba);
	}
	gl_release(host, block->trees);
	block->trees = NULL;
}

static void
block_release(GlHost *host, Graph *graph)
{
	BlockGraph *block = (BlockGraph *) graph;

	block_graph_unbind(host, block);
	gl_release(host, block->left_size);
	gl_release(host, block->leaf_row);
	gl_release(host, block->pair_count);
	gl_release(host, block->pair_a);
	gl_release(host, block->pair_b);
	gl_release(host, block->log_q_ab);
	gl_release(host, block->log_q_ba);
	gl_release(host, block->bandwidth);
	gl_release(host, block->log_likelihood);
	gl_release(host, block->log_density);
	if (graph->points != NULL)
		gl_release(host, graph->points->matrix.values);
	gl_release(host, graph->points);
	gl_release(host, graph->column_scale);
	gl_release(host, graph->ids);
	memset(block, 0, sizeof(*block));
}

static const GraphOperations block_operations = {
	.apply = block_apply,
	.apply_transpose = block_apply_transpose,
	.row_sums = block_row_sums,
	.diagonal = block_diagonal,
	.components = block_components,
	.row = block_row,
	.visit_edges = NULL,
	.release = block_release
};

static GlStatus
exponentiate(GlHost *host, const double *logs, int64_t count, double **out)
{
	double	   *values;

	GL_NEW(host, values, count);
	for (int64_t e = 0; e < count; e++)
	{
		GL_TRY(gl_work(host, 20));
		values[e] = exp(logs[e]);
	}
	*out = values;
	return GL_OK;
}

/* One tree's views, links and probabilities; pairs start at first_pair. */
static GlStatus
bind_tree(GlHost *host, const BlockGraph *block, int32_t t,
		  int64_t first_pair, BlockTree *tree)
{
	int64_t		n = block->graph.node_count;

	/* the tree is only read: the casts drop const from what we own or view */
	tree->tree.leaf_count = n;
	tree->tree.left_size = (int32_t *) block->left_size + t * (n - 1);
	tree->tree.leaf_row = (int32_t *) block->leaf_row + t * n;
	tree->pair_count = block->pair_count[t];
	if (block->pair_a != NULL)
	{
		tree->pair_a = block->pair_a + first_pair;
		tree->pair_b = block->pair_b + first_pair;
	}
	tree->log_q_ab = block->log_q_ab + first_pair;
	tree->log_q_ba = block->log_q_ba + first_pair;
	GL_TRY(tree_links_begin(host, &tree->tree, &tree->links));
	GL_TRY(exponentiate(host, tree->log_q_ab, tree->pair_count,
						&tree->q_ab));
	return exponentiate(host, tree->log_q_ba, tree->pair_count, &tree->q_ba);
}

/*
 * Counts that the arrays can satisfy: products index by them.  The coarsest
 * partition has one pair for each inner node.
 */
static GlStatus
check_counts(GlHost *host, const BlockGraph *block)
{
	int64_t		n = block->graph.node_count;
	int64_t		pairs_left = block->pair_total;
	bool		possible = n >= 1 && n <= PARTITION_TREE_MAX_LEAVES &&
		block->recipe.tree_count >= 1 &&
		(block->pair_a == NULL) == (block->pair_b == NULL);

	for (int32_t t = 0; possible && t < block->recipe.tree_count; t++)
	{
		int64_t		count = block->pair_count[t];

		GL_TRY(gl_work(host, 1));
		possible = count >= 0 && count <= pairs_left &&
			(block->pair_a != NULL || count == n - 1);
		pairs_left -= count;
	}
	if (!possible || pairs_left != 0)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "a block graph has an impossible number of blocks");
	return GL_OK;
}

GlStatus
block_graph_bind(GlHost *host, BlockGraph *block)
{
	int64_t		first_pair = 0;

	GL_TRY(check_counts(host, block));
	GL_NEW_ZEROED(host, block->trees, block->recipe.tree_count);
	for (int32_t t = 0; t < block->recipe.tree_count; t++)
	{
		GL_TRY(bind_tree(host, block, t, first_pair, &block->trees[t]));
		first_pair += block->pair_count[t];
	}
	block->graph.operations = &block_operations;
	block->graph.is_symmetric = false;
	/* a single row has nowhere to go */
	block->graph.is_stochastic = block->graph.node_count > 1;
	block->graph.meaning = GRAPH_TRANSITION;
	return GL_OK;
}

/* ---- checks ---- */

/* Where the leaves of a node begin, and how many there are. */
static void
node_span(const TreeLinks *links, int32_t node, int64_t *first,
		  int64_t *size)
{
	int32_t		inner_count = (int32_t) links->leaf_count - 1;

	*first = node < inner_count ? links->first[node] : node - inner_count;
	*size = node < inner_count ? links->size[node] : 1;
}

/* Every pair names two nodes that share no leaf, and probabilities. */
static GlStatus
check_pairs(GlHost *host, const BlockTree *tree)
{
	int64_t		last_node = 2 * tree->tree.leaf_count - 2;
	const int32_t *pair_a = block_tree_a(tree);
	const int32_t *pair_b = block_tree_b(tree);

	for (int64_t e = 0; e < tree->pair_count; e++)
	{
		int64_t		first_a;
		int64_t		first_b;
		int64_t		size_a;
		int64_t		size_b;

		GL_TRY(gl_work(host, 8));
		if (pair_a[e] < 0 || pair_a[e] > last_node ||
			pair_b[e] < 0 || pair_b[e] > last_node)
			return gl_fail(host, GL_ERR_CORRUPT,
						   "a block names a node that is not there");
		node_span(&tree->links, pair_a[e], &first_a, &size_a);
		node_span(&tree->links, pair_b[e], &first_b, &size_b);
		if (first_a < first_b + size_b && first_b < first_a + size_a)
			return gl_fail(host, GL_ERR_CORRUPT,
						   "the two sides of a block share a row");
		if (!(tree->log_q_ab[e] <= BLOCK_ROW_SUM_TOLERANCE) ||
			!(tree->log_q_ba[e] <= BLOCK_ROW_SUM_TOLERANCE))
			return gl_fail(host, GL_ERR_CORRUPT,
						   "a block has a probability above 1");
	}
	return GL_OK;
}

/*
 * The cover of B2 by a fingerprint.  Give leaf i two random 64-bit numbers u_i
 * and v_i, and let U_A be the sum of u over the leaves of A.  A block (A, B)
 * has fingerprint U_A V_B, so the blocks cover every ordered pair of different
 * leaves once if and only if, but for chance of about 2^-64,
 *
 *		sum over blocks of U_A V_B = U V - sum of u_i v_i	(mod 2^64).
 */
static GlStatus
check_cover(GlHost *host, const BlockTree *tree)
{
	int64_t		n = tree->tree.leaf_count;
	const int32_t *pair_a = block_tree_a(tree);
	const int32_t *pair_b = block_tree_b(tree);
	uint64_t   *u;
	uint64_t   *v;
	uint64_t	wanted;
	uint64_t	found = 0;
	GlRandom	random;

	GL_NEW(host, u, 2 * n - 1);
	GL_NEW(host, v, 2 * n - 1);
	gl_random_begin(&random, n);
	for (int64_t node = 2 * n - 2; node >= 0; node--)
	{
		GL_TRY(gl_work(host, 4));
		if (node >= n - 1)
		{
			u[node] = gl_random_bits(&random);
			v[node] = gl_random_bits(&random);
			continue;
		}
		u[node] = u[tree->links.left[node]] + u[tree->links.right[node]];
		v[node] = v[tree->links.left[node]] + v[tree->links.right[node]];
	}
	wanted = u[0] * v[0];
	for (int64_t leaf = n - 1; leaf <= 2 * n - 2; leaf++)
		wanted -= u[leaf] * v[leaf];
	for (int64_t e = 0; e < tree->pair_count; e++)
	{
		GL_TRY(gl_work(host, 4));
		found += u[pair_a[e]] * v[pair_b[e]] + u[pair_b[e]] * v[pair_a[e]];
	}
	gl_release(host, u);
	gl_release(host, v);
	if (found != wanted)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "the blocks of a graph do not cover its rows");
	return GL_OK;
}

/* B4: Q 1 = 1 for every tree, not for their mean alone. */
static GlStatus
check_row_sums(GlHost *host, const BlockGraph *block)
{
	int64_t		n = block->graph.node_count;
	double	   *ones;
	double	   *sums;

	if (n == 1)
		return GL_OK;
	GL_NEW(host, ones, n);
	GL_NEW(host, sums, n);
	for (int64_t i = 0; i < n; i++)
		ones[i] = 1;
	for (int32_t t = 0; t < block->recipe.tree_count; t++)
	{
		GL_TRY(block_product(host, &block->trees[t], 1, false, ones, sums, 1));
		for (int64_t i = 0; i < n; i++)
		{
			GL_TRY(gl_work(host, 1));
			if (!(fabs(sums[i] - 1) <= BLOCK_ROW_SUM_TOLERANCE))
				return gl_fail(host, GL_ERR_CORRUPT,
							   "the probabilities of a row do not sum to 1");
		}
	}
	gl_release(host, ones);
	gl_release(host, sums);
	return GL_OK;
}

GlStatus
block_graph_check(GlHost *host, const BlockGraph *block)
{
	for (int32_t t = 0; t < block->recipe.tree_count; t++)
	{
		GL_TRY(partition_tree_check(host, &block->trees[t].tree));
		GL_TRY(check_pairs(host, &block->trees[t]));
		GL_TRY(check_cover(host, &block->trees[t]));
	}
	return check_row_sums(host, block);
}
