/*
 * spanning_tree.c
 *		The minimum spanning tree by rounds of nearest foreign rows.
 *
 * Reads:	a PointMatrix.
 * Yields:	the n - 1 edges of the one tree that is minimal under the order
 *			(squared distance, smaller row, larger row).
 *
 * Boruvka's rounds: every component but the largest finds its smallest edge
 * to another component, and all these edges are taken.  Each is in the tree
 * by the cut property; leaving out the largest component halves the number of
 * components all the same and spares the dearest searches, those of many rows
 * all far from anything foreign.
 *
 * For a fixed row, foreign rows by (distance, row) are in edge order: the
 * partner smaller than the row gives the smaller edge.  So a search for the
 * nearest foreign row by (distance, row) finds the row's smallest edge.
 *
 * Few searches are needed, because what is known stays true while components
 * grow: a row's list of nearest rows (made once, a few each) yields foreign
 * rows until it is used up; after that the last distance remains a lower bound
 * for all others, and a row whose bound exceeds its component's best edge is
 * not searched.
 *
 * Equal rows are at distance 0: the smallest edges of a group are those from
 * its smallest row to the others, a star; and of all edges between two groups
 * the one between their smallest rows is first.  So groups, numbered by
 * smallest row (duplicates.h), are spanned, then the stars added.
 */
#include "graph/spanning_tree.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "points/nearest_list.h"
#include "points/neighbours_choose.h"
#include "points/neighbours_gemm.h"
#include "points/neighbours_tree.h"

/* Nearest groups remembered per group. */
#define KNOWN_NEAREST	6

typedef struct SpanEdge
{
	double		squared;		/* infinity: none */
	int32_t		from;
	int32_t		to;
} SpanEdge;

typedef struct SpanBuilder
{
	GlHost	   *host;
	const PointMatrix *points;
	const DuplicateGroups *groups;
	int64_t		count;			/* groups */

	/* components: a label is the number of one of its groups */
	int32_t    *parent;			/* union-find forest */
	int32_t    *label;			/* root of each group at the round's start */
	int32_t    *size;			/* of each root's component */
	SpanEdge   *best;			/* of each root's component */
	int32_t		largest;		/* root of the largest component */

	/* what is known about each group's nearest foreign group */
	int32_t		known;			/* entries per list */
	double	   *known_distance;
	int32_t    *known_group;
	int32_t    *known_next;		/* first entry not seen to be of our own */
	double	   *bound;			/* unlisted foreign groups are not nearer */

	/* the road */
	bool		by_tree;
	TreeSearch	tree;
	GemmSearch	gemm;
	int32_t    *child_label;	/* tree: label of a child all of one, or -1 */

	/* the result */
	int64_t		edge_count;
	SpanEdge   *edge;			/* between groups */
} SpanBuilder;

/* The total order of edges. */
static bool
edge_less(double squared, int32_t a, int32_t b, const SpanEdge *other)
{
	int32_t		low = a < b ? a : b;
	int32_t		high = a < b ? b : a;
	int32_t		other_low = other->from < other->to ? other->from : other->to;
	int32_t		other_high = other->from < other->to ? other->to :
		other->from;

	if (squared != other->squared)
		return squared < other->squared;
	if (low != other_low)
		return low < other_low;
	return high < other_high;
}

static int32_t
find_root(int32_t *parent, int32_t group)
{
	while (parent[group] != group)
	{
		parent[group] = parent[parent[group]];	/* path halving */
		group = parent[group];
	}
	return group;
}

static void
offer_edge(SpanBuilder *builder, int32_t from, double squared, int32_t to)
{
	SpanEdge   *best = &builder->best[builder->label[from]];

	if (edge_less(squared, from, to, best))
		*best = (SpanEdge) {squared, from, to};
}

/* Labels and sizes from the forest, an empty best edge for each component. */
static GlStatus
label_components(SpanBuilder *builder)
{
	builder->largest = -1;
	for (int64_t g = 0; g < builder->count; g++)
	{
		GL_TRY(gl_work(builder->host, 2));
		builder->size[g] = 0;
		builder->best[g] = (SpanEdge) {INFINITY, INT32_MAX, INT32_MAX};
	}
	for (int64_t g = 0; g < builder->count; g++)
	{
		int32_t		root = find_root(builder->parent, (int32_t) g);

		GL_TRY(gl_work(builder->host, 4));
		builder->label[g] = root;
		builder->size[root]++;
	}
	for (int32_t g = 0; g < builder->count; g++)
	{
		GL_TRY(gl_work(builder->host, 1));
		if (builder->largest < 0 ||
			builder->size[g] > builder->size[builder->largest])
			builder->largest = g;
	}
	return GL_OK;
}

/*
 * The label of each child of the tree whose rows all have it, else -1.
 * Children come after their parents (K2), so one pass backwards sees every
 * node's children before the node.
 */
static GlStatus
label_children(SpanBuilder *builder)
{
	const KdTree *tree = &builder->tree.tree;

	for (int64_t node = (int64_t) tree->node_count - 1; node >= 0; node--)
		for (int64_t slot = node * SCREEN_BOXES;
			 slot < (node + 1) * SCREEN_BOXES; slot++)
		{
			int32_t		child = tree->child[slot];
			int32_t		common = -2;	/* nothing seen yet */

			if (child < 0)
				for (int64_t p = tree->leaf_start[~child];
					 p < tree->leaf_start[~child + 1]; p++)
				{
					int32_t		label = builder->label[tree->order[p]];

					common = common == -2 || common == label ? label : -1;
				}
			for (int64_t s = (int64_t) child * SCREEN_BOXES;
				 child > 0 && s < ((int64_t) child + 1) * SCREEN_BOXES; s++)
			{
				int32_t		label = builder->child_label[s];

				if (tree->child[s] != 0)
					common = common == -2 || common == label ? label : -1;
			}
			builder->child_label[slot] = common < 0 ? -1 : common;
			GL_TRY(gl_work(builder->host, KD_LEAF_SMALL));
		}
	return GL_OK;
}

/* Offer each group's nearest foreign group as far as the lists know it. */
static GlStatus
offer_known(SpanBuilder *builder)
{
	for (int64_t g = 0; g < builder->count; g++)
	{
		const int32_t *list = builder->known_group + g * builder->known;
		int32_t    *next = &builder->known_next[g];

		GL_TRY(gl_work(builder->host, 4));
		while (*next < builder->known &&
			   builder->label[list[*next]] == builder->label[g])
			(*next)++;
		if (*next < builder->known)
			offer_edge(builder, (int32_t) g,
					   builder->known_distance[g * builder->known + *next],
					   list[*next]);
	}
	return GL_OK;
}

/* Must this group be searched to settle its component's best edge? */
static inline bool
needs_search(const SpanBuilder *builder, int64_t group)
{
	int32_t		label = builder->label[group];

	return builder->known_next[group] == builder->known &&
		label != builder->largest &&
		builder->bound[group] <= builder->best[label].squared;
}

/*
 * Remember what a search within `reach` found: (squared, found), or nothing
 * (found INT32_MAX), which raises the bound.
 */
static void
learn(SpanBuilder *builder, int32_t group, double reach, double squared,
	  int32_t found)
{
	int64_t		last = (int64_t) (group + (int64_t) 1) * builder->known - 1;

	builder->bound[group] = found == INT32_MAX ? reach : squared;
	if (found == INT32_MAX)
		return;
	builder->known_distance[last] = squared;
	builder->known_group[last] = found;
	builder->known_next[group] = builder->known - 1;
	offer_edge(builder, group, squared, found);
}

static GlStatus
search_by_tree(SpanBuilder *builder)
{
	TreeSearch *search = &builder->tree;
	const KdTree *tree = &search->tree;

	GL_TRY(label_children(builder));
	search->label = builder->label;
	search->child_label = builder->child_label;
	for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++)
		for (int64_t p = tree->leaf_start[leaf];
			 p < tree->leaf_start[leaf + 1]; p++)
		{
			int32_t		group = tree->order[p];
			double		reach;
			double		squared;
			int32_t		found = INT32_MAX;

			GL_TRY(gl_work(builder->host, 2));
			if (!needs_search(builder, group))
				continue;
			tree_search_own(search, leaf, p);
			search->own_label = builder->label[group];
			reach = builder->best[search->own_label].squared;
			squared = reach;
			GL_TRY(tree_search_nearest(builder->host, search, 1, &squared,
									   &found));
			learn(builder, group, reach, squared, found);
		}
	return GL_OK;
}

/* The groups of one block of a search by products. */
typedef struct SpanBlock
{
	int64_t		count;
	int32_t		group[GEMM_TILE];
	int32_t		label[GEMM_TILE];
	int32_t		found[GEMM_TILE];
	double		reach[GEMM_TILE];
	double		squared[GEMM_TILE];
} SpanBlock;

static GlStatus
search_block(SpanBuilder *builder, SpanBlock *block, float *images,
			 double *rows)
{
	GemmSearch *search = &builder->gemm;
	GemmBlock	products = {block->count, images, rows, 1, block->squared,
	block->found, builder->label, block->label};

	GL_TRY(gemm_search_block(builder->host, search, &products));
	for (int64_t i = 0; i < block->count; i++)
		learn(builder, block->group[i], block->reach[i], block->squared[i],
			  block->found[i]);
	block->count = 0;
	return GL_OK;
}

static GlStatus
search_by_gemm(SpanBuilder *builder)
{
	GlHost	   *host = builder->host;
	GemmSearch *search = &builder->gemm;
	int64_t		d = builder->points->dimension_count;
	SpanBlock  *block;
	float	   *images;
	double	   *rows;

	GL_NEW(host, block, 1);
	GL_NEW(host, images, GEMM_TILE * d);
	GL_NEW(host, rows, GEMM_TILE * d);
	block->count = 0;
	for (int32_t g = 0; g < builder->count; g++)
	{
		int64_t		at = block->count;

		GL_TRY(gl_work(host, 2));
		if (!needs_search(builder, g))
			continue;
		GL_TRY(gl_work(host, d));
		memcpy(images + at * d, search->images + g * d,
			   (size_t) d * sizeof(*images));
		distance_widen(builder->points,
					   duplicate_groups_first(builder->groups, g),
					   rows + at * d);
		block->group[at] = g;
		block->label[at] = builder->label[g];
		block->reach[at] = builder->best[builder->label[g]].squared;
		block->squared[at] = block->reach[at];
		block->found[at] = INT32_MAX;
		if (++block->count == GEMM_TILE)
			GL_TRY(search_block(builder, block, images, rows));
	}
	if (block->count > 0)
		GL_TRY(search_block(builder, block, images, rows));
	gl_release(host, rows);
	gl_release(host, images);
	gl_release(host, block);
	return GL_OK;
}

/* Take every component's best edge; equal choices of two are one edge. */
static GlStatus
join_components(SpanBuilder *builder)
{
	for (int32_t g = 0; g < builder->count; g++)
	{
		const SpanEdge *best = &builder->best[g];
		int32_t		a;
		int32_t		b;

		GL_TRY(gl_work(builder->host, 4));
		if (builder->label[g] != g || g == builder->largest)
			continue;
		if (best->to == INT32_MAX)
			return gl_fail(builder->host, GL_ERR_INTERNAL,
						   "a component of the spanning tree found no edge");
		a = find_root(builder->parent, best->from);
		b = find_root(builder->parent, best->to);
		if (a == b)
			continue;			/* the other end chose it too */
		builder->edge[builder->edge_count++] = *best;
		/* the smaller hangs under the larger, so that paths stay short */
		if (builder->size[a] < builder->size[b])
		{
			builder->parent[a] = b;
			builder->size[b] += builder->size[a];
		}
		else
		{
			builder->parent[b] = a;
			builder->size[a] += builder->size[b];
		}
	}
	return GL_OK;
}

/* The nearest few groups of every group: the first rounds need no search. */
static GlStatus
find_known(SpanBuilder *builder)
{
	GlHost	   *host = builder->host;
	int64_t		n = builder->count;
	int32_t		known = n - 1 < KNOWN_NEAREST ? (int32_t) (n - 1) :
		KNOWN_NEAREST;

	builder->known = known;
	GL_NEW(host, builder->known_distance, n * known);
	GL_NEW(host, builder->known_group, n * known);
	GL_NEW(host, builder->known_next, n);
	GL_NEW(host, builder->bound, n);
	if (builder->by_tree)
	{
		const KdTree *tree = &builder->tree.tree;

		for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++)
			for (int64_t p = tree->leaf_start[leaf];
				 p < tree->leaf_start[leaf + 1]; p++)
			{
				int64_t		g = tree_search_own(&builder->tree, leaf, p);
				double	   *distance = builder->known_distance + g * known;
				int32_t    *group = builder->known_group + g * known;

				nearest_begin(distance, group, known);
				GL_TRY(tree_search_nearest(host, &builder->tree, known,
										   distance, group));
			}
	}
	else
		GL_TRY(gemm_search_self(host, &builder->gemm, known, INT32_MAX,
								builder->known_distance,
								builder->known_group));
	for (int64_t g = 0; g < n; g++)
	{
		GL_TRY(gl_work(host, 2));
		builder->known_next[g] = 0;
		builder->bound[g] = builder->known_distance[(g + 1) * known - 1];
	}
	return GL_OK;
}

/* Span the groups: builder->edge. */
static GlStatus
span_groups(SpanBuilder *builder)
{
	GlHost	   *host = builder->host;
	int64_t		n = builder->count;

	GL_NEW(host, builder->parent, n);
	GL_NEW(host, builder->label, n);
	GL_NEW(host, builder->size, n);
	GL_NEW(host, builder->best, n);
	for (int64_t g = 0; g < n; g++)
	{
		GL_TRY(gl_work(host, 1));
		builder->parent[g] = (int32_t) g;
	}
	if (builder->by_tree)
		GL_NEW(host, builder->child_label,
			   (int64_t) builder->tree.tree.node_count * SCREEN_BOXES);
	GL_TRY(find_known(builder));
	while (builder->edge_count < n - 1)
	{
		GL_TRY(label_components(builder));
		GL_TRY(offer_known(builder));
		if (builder->by_tree)
			GL_TRY(search_by_tree(builder));
		else
			GL_TRY(search_by_gemm(builder));
		GL_TRY(join_components(builder));
	}
	gl_release(host, builder->bound);
	gl_release(host, builder->known_next);
	gl_release(host, builder->known_group);
	gl_release(host, builder->known_distance);
	gl_release(host, builder->child_label);
	gl_release(host, builder->best);
	gl_release(host, builder->size);
	gl_release(host, builder->label);
	gl_release(host, builder->parent);
	return GL_OK;
}

/* Edges between rows, sorted: those between groups and the groups' stars. */
static GlStatus
write_edges(SpanBuilder *builder, SpanningTree *tree)
{
	GlHost	   *host = builder->host;
	const DuplicateGroups *groups = builder->groups;
	int64_t    *key;
	double	   *squared;
	int32_t    *order;
	int64_t		count = 0;

	GL_NEW(host, key, tree->edge_count);
	GL_NEW(host, squared, tree->edge_count);
	GL_NEW(host, order, tree->edge_count);
	for (int64_t e = 0; e < builder->edge_count; e++)
	{
		const SpanEdge *edge = &builder->edge[e];
		int64_t		a = duplicate_groups_first(groups, edge->from);
		int64_t		b = duplicate_groups_first(groups, edge->to);

		GL_TRY(gl_work(host, 2));
		squared[count] = edge->squared;
		key[count++] = a < b ? a << 32 | b : b << 32 | a;
	}
	for (int64_t g = 0; g < groups->group_count && groups->member != NULL;
		 g++)
	{
		const int32_t *member = groups->member + groups->member_start[g];

		for (int32_t m = 1; m < duplicate_groups_size(groups, g); m++)
		{
			GL_TRY(gl_work(host, 2));
			squared[count] = 0.0;
			key[count++] = (int64_t) member[0] << 32 | member[m];
		}
	}
	GL_TRY(gl_sort_order(host, key, count, order));
	GL_NEW(host, tree->source, count);
	GL_NEW(host, tree->target, count);
	GL_NEW(host, tree->squared_distance, count);
	for (int64_t e = 0; e < count; e++)
	{
		GL_TRY(gl_work(host, 4));
		tree->source[e] = (int32_t) (key[order[e]] >> 32);
		tree->target[e] = (int32_t) (key[order[e]] & INT32_MAX);
		tree->squared_distance[e] = squared[order[e]];
	}
	gl_release(host, order);
	gl_release(host, squared);
	gl_release(host, key);
	return GL_OK;
}

GlStatus
spanning_tree_build(GlHost *host, const PointMatrix *points,
					NeighbourMethod method, SpanningTree *out)
{
	SpanBuilder builder = {0};
	SpanningTree tree = {0};
	DuplicateGroups groups;

	memset(out, 0, sizeof(*out));
	if (points->row_count < 1)
		return gl_fail(host, GL_ERR_DATA, "a tree needs at least one row");
	GL_TRY(duplicate_groups_find(host, points, &groups));
	builder.host = host;
	builder.points = points;
	builder.groups = &groups;
	builder.count = groups.group_count;
	tree.edge_count = points->row_count - 1;
	GL_NEW(host, builder.edge, builder.count);
	if (builder.count > 1)
	{
		GL_TRY(neighbours_choose(host, points, &groups, NULL, KNOWN_NEAREST,
								 method, &builder.tree, &builder.by_tree));
		if (!builder.by_tree)
			GL_TRY(gemm_search_begin(host, points, &groups, NULL,
									 &builder.gemm));
		GL_TRY(span_groups(&builder));
		if (builder.by_tree)
			tree_search_release(host, &builder.tree);
		else
			gemm_search_release(host, &builder.gemm);
	}
	GL_TRY(write_edges(&builder, &tree));
	gl_release(host, builder.edge);
	duplicate_groups_release(host, &groups);
	*out = tree;
	return GL_OK;
}

void
spanning_tree_release(GlHost *host, SpanningTree *tree)
{
	gl_release(host, tree->squared_distance);
	gl_release(host, tree->target);
	gl_release(host, tree->source);
	memset(tree, 0, sizeof(*tree));
}
