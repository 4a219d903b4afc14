/*
 * neighbours_choose.c
 *		The price of a tree search against the price of products.
 *
 * Prices are in nanoseconds of one core with AVX2, measured once; only their
 * ratios matter, and only for time: the roads give the same bits.
 */
#include "points/neighbours_choose.h"

#include <string.h>

#include "points/nearest_list.h"
#include "points/neighbours_gemm.h"

/* Beyond this many columns products won on every data set measured. */
#define TREE_MAX_COLUMNS	256

/* Up to this many rows either road takes milliseconds: no sampling. */
#define SMALL_ROWS			1500
#define SMALL_COLUMNS		32

#define SAMPLED_QUERIES		200

/* One leaf visit, with its share of nodes: 90 + 8 d. */
#define LEAF_PRICE			90.0
#define LEAF_COLUMN_PRICE	8.0

/* One product of a pair of rows, screened: 0.45 + 0.03 d. */
#define PAIR_PRICE			0.45
#define PAIR_COLUMN_PRICE	0.03

/* Building the tree, per row: 200 + 40 d. */
#define BUILD_PRICE			200.0
#define BUILD_COLUMN_PRICE	40.0

static double
pair_price(int32_t d)
{
	return PAIR_PRICE + PAIR_COLUMN_PRICE * d;
}

/* Nanoseconds per query of the tree, from queries spread over its leaves. */
static GlStatus
sample_price(GlHost *host, TreeSearch *search, int32_t k, double *price)
{
	const KdTree *tree = &search->tree;
	int32_t		d = tree->dimension_count;
	int32_t		samples = tree->leaf_count < SAMPLED_QUERIES ?
		tree->leaf_count : SAMPLED_QUERIES;
	double	   *distance;
	int32_t    *group;

	GL_NEW(host, distance, k);
	GL_NEW(host, group, k);
	for (int64_t s = 0; s < samples; s++)
	{
		int32_t		leaf = (int32_t) (s * tree->leaf_count / samples);
		int64_t		size = tree->leaf_start[leaf + 1] -
			tree->leaf_start[leaf];

		tree_search_own(search, leaf, tree->leaf_start[leaf] + s % size);
		nearest_begin(distance, group, k);
		GL_TRY(gl_work(host, k));
		GL_TRY(tree_search_nearest(host, search, k, distance, group));
	}
	*price = (LEAF_PRICE + LEAF_COLUMN_PRICE * d) *
		(double) search->leaf_count / samples;
	search->leaf_count = 0;
	search->distance_count = 0;
	gl_release(host, group);
	gl_release(host, distance);
	return GL_OK;
}

GlStatus
neighbours_choose(GlHost *host, const PointMatrix *points,
				  const DuplicateGroups *groups, const PointMatrix *queries,
				  int32_t k, NeighbourMethod method, TreeSearch *tree,
				  bool *by_tree)
{
	int32_t		d = points->dimension_count;
	double		rows = (double) groups->group_count;
	double		products;
	double		price = 0.0;

	memset(tree, 0, sizeof(*tree));
	*by_tree = method == NEIGHBOURS_TREE;
	if (method == NEIGHBOURS_AUTO)
	{
		if (queries == NULL)
			*by_tree = d <= (rows <= SMALL_ROWS ? SMALL_COLUMNS :
							 TREE_MAX_COLUMNS);
		else
			/* few queries do not pay for a tree */
			*by_tree = d <= TREE_MAX_COLUMNS &&
				(double) queries->row_count * pair_price(d) >
				BUILD_PRICE + BUILD_COLUMN_PRICE * d;
	}
	if (!*by_tree)
		return GL_OK;
	GL_TRY(tree_search_begin(host, points, groups, queries, tree));
	if (method == NEIGHBOURS_TREE || rows <= SMALL_ROWS)
		return GL_OK;
	if (k > groups->group_count - 1)
		k = (int32_t) (groups->group_count - 1);
	GL_TRY(sample_price(host, tree, k, &price));
	/* all rows against all need only half the products */
	products = rows * pair_price(d) * (queries == NULL ? 0.5 : 1.0);
	if (price > products)
	{
		tree_search_release(host, tree);
		*by_tree = false;
	}
	return GL_OK;
}
