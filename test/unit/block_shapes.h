/*
 * block_shapes.h
 *		Block graphs made by hand: trees, lists of pairs, and their matrix.
 *
 * A Shape is a tree and a partition, coarsest or split further; hand_forest()
 * solves some and lays them out as a BlockGraph, and expand_forest() writes
 * down the n x n matrix that its blocks stand for.
 */
#ifndef BLOCK_SHAPES_H
#define BLOCK_SHAPES_H

#include "unit_test.h"

#include "graph/block_graph.h"

#define MAX_N		40
#define MAX_PAIRS	(MAX_N * MAX_N)
#define MAX_TREES	3

/* A tree and a list of pairs, made by hand or at random. */
typedef struct Shape
{
	int			n;
	int32_t		left_size[MAX_N];
	int32_t		leaf_row[MAX_N];
	bool		is_coarsest;	/* then the list is left out of the graph */
	int			pair_count;
	int32_t		pair_a[MAX_PAIRS];
	int32_t		pair_b[MAX_PAIRS];
} Shape;

/* The children of every inner node: sizes flow down in preorder. */
static inline void
shape_coarsest(Shape *shape)
{
	int			n = shape->n;
	int			size[MAX_N] = {n};
	int			first[MAX_N] = {0};

	shape->is_coarsest = true;
	shape->pair_count = n - 1;
	for (int p = 0; p < n - 1; p++)
	{
		int			left = shape->left_size[p];

		shape->pair_a[p] = left == 1 ? n - 1 + first[p] : p + 1;
		shape->pair_b[p] = size[p] - left == 1 ?
			n - 1 + first[p] + left : p + left;
		if (left > 1)
		{
			size[p + 1] = left;
			first[p + 1] = first[p];
		}
		if (size[p] - left > 1)
		{
			size[p + left] = size[p] - left;
			first[p + left] = first[p] + left;
		}
	}
}

static inline void
shape_random(Shape *shape, GlRandom *random, int n)
{
	int			size[MAX_N] = {n};

	memset(shape, 0, sizeof(*shape));
	shape->n = n;
	for (int p = 0; p < n - 1; p++)
	{
		int			left = 1 + (int) gl_random_below(random, size[p] - 1);

		shape->left_size[p] = left;
		if (left > 1)
			size[p + 1] = left;
		if (size[p] - left > 1)
			size[p + left] = size[p] - left;
	}
	for (int i = 0; i < n; i++)
	{
		int			j = (int) gl_random_below(random, i + 1);

		shape->leaf_row[i] = shape->leaf_row[j];
		shape->leaf_row[j] = i;
	}
	shape_coarsest(shape);
}

/*
 * Split one side of pair e at its children; false if that side is a leaf.
 * coarsest holds the children of every node.
 */
static inline bool
shape_split(Shape *shape, const Shape *coarsest, int e, bool split_a)
{
	int32_t    *side = split_a ? shape->pair_a : shape->pair_b;
	int32_t    *other = split_a ? shape->pair_b : shape->pair_a;
	int			node = side[e];
	int			last = shape->pair_count;

	shape->is_coarsest = false;
	if (node >= shape->n - 1)
		return false;
	side[last] = coarsest->pair_b[node];
	other[last] = other[e];
	side[e] = coarsest->pair_a[node];
	shape->pair_count++;
	return true;
}

/* Split random pairs until `count` pairs, or none can be split any more. */
static inline void
shape_refine(Shape *shape, GlRandom *random, int count)
{
	Shape		coarsest = *shape;
	int			n = shape->n;

	shape->is_coarsest = false;
	while (shape->pair_count < count &&
		   shape->pair_count < n * (n - 1) / 2)
		shape_split(shape, &coarsest,
					(int) gl_random_below(random, shape->pair_count),
					gl_random_below(random, 2));
}

/* Leaf positions below a node, by walking the pairs of the coarsest. */
static inline void
mark_leaves(const Shape *coarsest, int node, bool *below)
{
	int			n = coarsest->n;

	memset(below, 0, (size_t) (2 * n - 1) * sizeof(bool));
	below[node] = true;
	for (int p = node; p < n - 1; p++)
		if (below[p])
			below[coarsest->pair_a[p]] = below[coarsest->pair_b[p]] = true;
}

/* The mean squared difference between the rows of two nodes, pair by pair. */
static inline double
shape_delta(const Shape *shape, const double *x, int a, int b)
{
	int			n = shape->n;
	Shape		coarsest = *shape;
	bool		below_a[2 * MAX_N];
	bool		below_b[2 * MAX_N];
	double		sum = 0;
	int			count = 0;

	shape_coarsest(&coarsest);
	mark_leaves(&coarsest, a, below_a);
	mark_leaves(&coarsest, b, below_b);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (below_a[n - 1 + i] && below_b[n - 1 + j])
			{
				double		difference = x[shape->leaf_row[i]] -
					x[shape->leaf_row[j]];

				sum += difference * difference;
				count++;
			}
	return sum / count;
}

/* Solve the pairs of one tree over the numbers x. */
static inline GlStatus
solve_shape(GlHost *host, const Shape *shape, const double *x,
			double bandwidth, double *log_q_ab, double *log_q_ba)
{
	PartitionTree tree = {
		shape->n, (int32_t *) shape->left_size, (int32_t *) shape->leaf_row
	};
	double		delta[MAX_PAIRS];
	BlockPairs	pairs = {
		shape->pair_count, shape->pair_a, shape->pair_b, delta, delta
	};
	TreeLinks	links;
	BlockSolution solution;
	size_t		bytes = (size_t) shape->pair_count * sizeof(double);

	for (int e = 0; e < shape->pair_count; e++)
		delta[e] = shape_delta(shape, x, shape->pair_a[e], shape->pair_b[e]);
	GL_TRY(tree_links_begin(host, &tree, &links));
	GL_TRY(block_solution_begin(host, shape->n, shape->pair_count,
								&solution));
	GL_TRY(block_solver_run(host, &links, &pairs, bandwidth, &solution));
	memcpy(log_q_ab, solution.log_q_ab, bytes);
	memcpy(log_q_ba, solution.log_q_ba, bytes);
	block_solution_end(host, &solution);
	tree_links_end(host, &links);
	return GL_OK;
}

/* A forest in host memory, not bound yet. */
static inline GlStatus
hand_forest(GlHost *host, const Shape *shapes, int tree_count,
			const double *x, double bandwidth, BlockGraph *block)
{
	int			n = shapes[0].n;
	bool		is_coarsest = true;
	int64_t		total = 0;
	int64_t    *ids;
	int64_t    *pair_count;
	int32_t    *left_size;
	int32_t    *leaf_row;
	int32_t    *pair_a;
	int32_t    *pair_b;
	double	   *log_q_ab;
	double	   *log_q_ba;

	memset(block, 0, sizeof(*block));
	for (int t = 0; t < tree_count; t++)
	{
		total += shapes[t].pair_count;
		is_coarsest = is_coarsest && shapes[t].is_coarsest;
	}
	GL_NEW(host, ids, n);
	GL_NEW(host, pair_count, tree_count);
	GL_NEW(host, left_size, tree_count * (n - 1));
	GL_NEW(host, leaf_row, tree_count * n);
	GL_NEW(host, pair_a, total);
	GL_NEW(host, pair_b, total);
	GL_NEW(host, log_q_ab, total);
	GL_NEW(host, log_q_ba, total);
	for (int i = 0; i < n; i++)
		ids[i] = 10 * i;
	total = 0;
	for (int t = 0; t < tree_count; t++)
	{
		const Shape *shape = &shapes[t];
		size_t		bytes = (size_t) shape->pair_count * sizeof(int32_t);

		memcpy(left_size + t * (n - 1), shape->left_size,
			   (size_t) (n - 1) * sizeof(int32_t));
		memcpy(leaf_row + t * n, shape->leaf_row,
			   (size_t) n * sizeof(int32_t));
		memcpy(pair_a + total, shape->pair_a, bytes);
		memcpy(pair_b + total, shape->pair_b, bytes);
		GL_TRY(solve_shape(host, shape, x, bandwidth, log_q_ab + total,
						   log_q_ba + total));
		pair_count[t] = shape->pair_count;
		total += shape->pair_count;
	}
	if (is_coarsest)
	{
		gl_release(host, pair_a);
		gl_release(host, pair_b);
		pair_a = pair_b = NULL;
	}
	*block = (BlockGraph)
	{
		.graph = {.node_count = n, .ids = ids},
		.recipe = {.tree_kind = TREE_RANDOM, .tree_count = tree_count},
		.pair_total = total, .left_size = left_size, .leaf_row = leaf_row,
		.pair_count = pair_count, .pair_a = pair_a, .pair_b = pair_b,
		.log_q_ab = log_q_ab, .log_q_ba = log_q_ba
	};
	return GL_OK;
}

/* Q of one tree times `share`, added up from its blocks; counts the cover. */
static inline void
expand_tree(const Shape *shape, const double *log_q_ab,
			const double *log_q_ba, double share, double *q, int *cover)
{
	int			n = shape->n;
	Shape		coarsest = *shape;
	bool		below_a[2 * MAX_N];
	bool		below_b[2 * MAX_N];

	shape_coarsest(&coarsest);
	for (int e = 0; e < shape->pair_count; e++)
	{
		mark_leaves(&coarsest, shape->pair_a[e], below_a);
		mark_leaves(&coarsest, shape->pair_b[e], below_b);
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				if (below_a[n - 1 + i] && below_b[n - 1 + j])
				{
					int			a = shape->leaf_row[i];
					int			b = shape->leaf_row[j];

					q[a * n + b] += share * exp(log_q_ab[e]);
					q[b * n + a] += share * exp(log_q_ba[e]);
					cover[a * n + b]++;
					cover[b * n + a]++;
				}
	}
}

static inline void
expand_forest(const Shape *shapes, const BlockGraph *block, double *q)
{
	int			n = shapes[0].n;
	int			tree_count = block->recipe.tree_count;
	int			cover[MAX_N * MAX_N] = {0};
	int64_t		first = 0;

	memset(q, 0, (size_t) (n * n) * sizeof(double));
	for (int t = 0; t < tree_count; t++)
	{
		expand_tree(&shapes[t], block->log_q_ab + first,
					block->log_q_ba + first, 1.0 / tree_count, q, cover);
		first += shapes[t].pair_count;
	}
	/* the test's own shapes must be partitions */
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			EXPECT(cover[i * n + j] == (i == j ? 0 : tree_count));
}

#endif							/* BLOCK_SHAPES_H */
