/*
 * kd_tree.c
 *		Building, checking and walking the flat tree of kd_tree.h.
 *
 * Rows move physically while ranges are cut, so every pass reads memory in
 * order.  The wide nodes are made directly, without a binary tree in between:
 * a node's range is cut up to fifteen times, largest part first.
 */
#include "points/kd_tree.h"

#include <math.h>
#include <string.h>

/*
 * Below this depth of cuts a range is halved by a sampled median, or by
 * position if ties defeat that; each such cut leaves at most three quarters,
 * so 31 bits of rows end within 74 more.
 */
#define MEAN_DEPTH		96

/* Large ranges are measured on about this many rows; a cut is a heuristic. */
#define SAMPLE_ROWS		512
#define MEDIAN_ROWS		31

typedef struct KdRange
{
	int64_t		start;
	int64_t		count;
	int32_t		depth;			/* cuts above it */
	int32_t		slot;			/* where its number goes in `child`, or -1 */
} KdRange;

typedef struct KdBuilder
{
	GlHost	   *host;
	KdTree		tree;
	float	   *rows;
	int32_t		leaf_rows;
	int64_t		node_capacity;
	int64_t		leaf_capacity;
	double	   *sum;			/* d each: moments about a range's first row */
	double	   *square;
	KdRange    *stack;
} KdBuilder;

static void
swap_rows(KdBuilder *builder, int64_t a, int64_t b)
{
	int32_t		d = builder->tree.dimension_count;
	float	   *x = builder->rows + a * d;
	float	   *y = builder->rows + b * d;
	int32_t		row = builder->tree.order[a];

	builder->tree.order[a] = builder->tree.order[b];
	builder->tree.order[b] = row;
	for (int32_t j = 0; j < d; j++)
	{
		float		value = x[j];

		x[j] = y[j];
		y[j] = value;
	}
}

/* Rows with column <= cut first; how many there are. */
static GlStatus
partition(KdBuilder *builder, const KdRange *range, int32_t column,
		  double cut, int64_t *below)
{
	int32_t		d = builder->tree.dimension_count;
	const float *values = builder->rows + column;
	int64_t		low = range->start;
	int64_t		high = range->start + range->count;

	while (low < high)
	{
		GL_TRY(gl_work(builder->host, 2));
		if ((double) values[low * d] <= cut)
			low++;
		else if ((double) values[(high - 1) * d] > cut)
			high--;
		else
		{
			GL_TRY(gl_work(builder->host, d));
			swap_rows(builder, low++, --high);
		}
	}
	*below = low - range->start;
	return GL_OK;
}

/* The column of largest variance over every stride-th row, and its mean. */
static GlStatus
widest_column(KdBuilder *builder, const KdRange *range, int64_t stride,
			  int32_t *column, double *mean, bool *constant)
{
	int32_t		d = builder->tree.dimension_count;
	const float *first = builder->rows + range->start * d;
	double	   *sum = builder->sum;
	double	   *square = builder->square;
	int64_t		count = 0;
	double		largest = 0.0;

	memset(sum, 0, (size_t) d * sizeof(*sum));
	memset(square, 0, (size_t) d * sizeof(*square));
	for (int64_t i = 0; i < range->count; i += stride)
	{
		const float *row = first + i * d;

		GL_TRY(gl_work(builder->host, d));
		for (int32_t j = 0; j < d; j++)
		{
			/* about the first row, lest a large mean drown the variance */
			double		value = (double) row[j] - (double) first[j];

			sum[j] += value;
			square[j] += value * value;
		}
		count++;
	}
	*constant = true;
	for (int32_t j = 0; j < d; j++)
	{
		double		variance = square[j] - sum[j] * (sum[j] / (double) count);

		/* equal values have a variance of exactly 0 about the first */
		if (variance > largest)
		{
			largest = variance;
			*column = j;
			*mean = (double) first[j] + sum[j] / (double) count;
			*constant = false;
		}
	}
	return GL_OK;
}

/* The middle of a few values of a column. */
static double
sampled_median(const KdBuilder *builder, const KdRange *range, int32_t column)
{
	int32_t		d = builder->tree.dimension_count;
	double		value[MEDIAN_ROWS];

	for (int i = 0; i < MEDIAN_ROWS; i++)
	{
		int64_t		row = range->start + i * range->count / MEDIAN_ROWS;
		double		new_value = (double) builder->rows[row * d + column];
		int			at = i;

		for (; at > 0 && value[at - 1] > new_value; at--)
			value[at] = value[at - 1];
		value[at] = new_value;
	}
	return value[MEDIAN_ROWS / 2];
}

/* Cut a range of at least two rows in two; rows of the first part. */
static GlStatus
cut_range(KdBuilder *builder, const KdRange *range, int64_t *below)
{
	int64_t		stride = range->count / SAMPLE_ROWS + 1;
	int32_t		column = 0;
	double		cut = 0.0;
	bool		constant;

	GL_TRY(widest_column(builder, range, stride, &column, &cut, &constant));
	if (constant && stride > 1)
		GL_TRY(widest_column(builder, range, 1, &column, &cut, &constant));
	*below = 0;
	if (!constant)
	{
		if (range->depth >= MEAN_DEPTH)
			cut = sampled_median(builder, range, column);
		GL_TRY(partition(builder, range, column, cut, below));
	}
	/* equal images, a mean that rounding pushed out, or ties at the median */
	if (*below == 0 || *below == range->count ||
		(range->depth >= MEAN_DEPTH && (*below < range->count / 4 ||
										*below > range->count -
										range->count / 4)))
		*below = range->count / 2;
	return GL_OK;
}

/* Cut a node's range into at most sixteen parts, kept in row order. */
static GlStatus
cut_parts(KdBuilder *builder, const KdRange *range, KdRange *part,
		  int *part_count)
{
	int			count = 1;

	part[0] = *range;
	while (count < SCREEN_BOXES)
	{
		int			largest = 0;
		int64_t		below;

		for (int p = 1; p < count; p++)
			if (part[p].count > part[largest].count)
				largest = p;
		if (part[largest].count <= builder->leaf_rows)
			break;
		GL_TRY(cut_range(builder, &part[largest], &below));
		memmove(part + largest + 1, part + largest,
				(size_t) (count - largest) * sizeof(*part));
		count++;
		part[largest].depth++;
		part[largest].count = below;
		part[largest + 1].depth++;
		part[largest + 1].start += below;
		part[largest + 1].count -= below;
	}
	*part_count = count;
	return GL_OK;
}

/* Room for one more node; its boxes are empty and it has no children. */
static GlStatus
add_node(KdBuilder *builder, int32_t *node)
{
	GlHost	   *host = builder->host;
	KdTree	   *tree = &builder->tree;
	int64_t		box_floats = (int64_t) 2 * SCREEN_BOXES *
		tree->dimension_count;
	float	   *boxes;

	if (tree->node_count == builder->node_capacity)
	{
		int64_t		capacity = builder->node_capacity +
			builder->node_capacity / 2 + 8;
		void	   *grown;

		grown = gl_resize(host, tree->child, (size_t) capacity,
						  SCREEN_BOXES * sizeof(*tree->child));
		if (grown == NULL)
			return host->status;
		tree->child = grown;
		grown = gl_resize(host, tree->boxes, (size_t) capacity,
						  (size_t) box_floats * sizeof(*tree->boxes));
		if (grown == NULL)
			return host->status;
		tree->boxes = grown;
		builder->node_capacity = capacity;
	}
	*node = tree->node_count++;
	memset(tree->child + (int64_t) *node * SCREEN_BOXES, 0,
		   SCREEN_BOXES * sizeof(*tree->child));
	boxes = tree->boxes + *node * box_floats;
	for (int64_t i = 0; i < box_floats; i++)
		boxes[i] = i / SCREEN_BOXES % 2 == 0 ? INFINITY : -INFINITY;
	return GL_OK;
}

/* The box of a part, into column `slot` of a node's boxes. */
static GlStatus
fill_box(KdBuilder *builder, const KdRange *part, float *boxes, int slot)
{
	int32_t		d = builder->tree.dimension_count;
	double	   *scratch = builder->sum;
	float	   *low = (float *) scratch;
	float	   *high = low + d;

	memcpy(low, builder->rows + part->start * d, (size_t) d * sizeof(*low));
	memcpy(high, low, (size_t) d * sizeof(*high));
	for (int64_t i = 1; i < part->count; i++)
	{
		const float *row = builder->rows + (part->start + i) * d;

		GL_TRY(gl_work(builder->host, d));
		for (int32_t j = 0; j < d; j++)
		{
			low[j] = row[j] < low[j] ? row[j] : low[j];
			high[j] = row[j] > high[j] ? row[j] : high[j];
		}
	}
	for (int32_t j = 0; j < d; j++)
	{
		boxes[(int64_t) j * 2 * SCREEN_BOXES + slot] = low[j];
		boxes[(int64_t) j * 2 * SCREEN_BOXES + SCREEN_BOXES + slot] = high[j];
	}
	return GL_OK;
}

static GlStatus
add_leaf(KdBuilder *builder, const KdRange *range)
{
	GlHost	   *host = builder->host;
	KdTree	   *tree = &builder->tree;

	if (tree->leaf_count == builder->leaf_capacity)
	{
		int64_t		capacity = builder->leaf_capacity +
			builder->leaf_capacity / 2 + 8;
		int32_t    *grown;

		/* one entry more than leaves, for the end of the last */
		grown = gl_resize(host, tree->leaf_start, (size_t) capacity + 1,
						  sizeof(*grown));
		if (grown == NULL)
			return host->status;
		tree->leaf_start = grown;
		builder->leaf_capacity = capacity;
	}
	/* ranges are taken in row order, so each leaf starts where one ended */
	tree->leaf_start[tree->leaf_count++] = (int32_t) range->start;
	tree->leaf_start[tree->leaf_count] =
		(int32_t) (range->start + range->count);
	return GL_OK;
}

/* Make nodes and leaves, depth first and in row order. */
static GlStatus
grow(KdBuilder *builder)
{
	KdTree	   *tree = &builder->tree;
	int32_t		stack_size = 0;

	builder->stack[stack_size++] = (KdRange) {0, tree->row_count, 0, -1};
	while (stack_size > 0)
	{
		KdRange		range = builder->stack[--stack_size];
		KdRange		part[SCREEN_BOXES];
		int			part_count;
		int32_t		node = 0;
		float	   *boxes;

		if (range.count <= builder->leaf_rows)
		{
			if (range.slot >= 0)
				tree->child[range.slot] = ~tree->leaf_count;
			GL_TRY(add_leaf(builder, &range));
			continue;
		}
		if (tree->node_count >= INT32_MAX / SCREEN_BOXES)
			return gl_fail(builder->host, GL_ERR_TOO_LARGE,
						   "the search tree has too many nodes");
		GL_TRY(add_node(builder, &node));
		if (range.slot >= 0)
			tree->child[range.slot] = node;
		GL_TRY(cut_parts(builder, &range, part, &part_count));
		boxes = tree->boxes + (int64_t) node * 2 * SCREEN_BOXES *
			tree->dimension_count;
		for (int p = part_count - 1; p >= 0; p--)
		{
			GL_TRY(fill_box(builder, &part[p], boxes, p));
			part[p].slot = node * SCREEN_BOXES + p;
			builder->stack[stack_size++] = part[p];
		}
	}
	return GL_OK;
}

/* Copy the rows into their leaves' blocks. */
static GlStatus
fill_blocks(KdBuilder *builder)
{
	GlHost	   *host = builder->host;
	KdTree	   *tree = &builder->tree;
	int32_t		d = tree->dimension_count;
	int64_t		lanes = 0;

	GL_NEW(host, tree->leaf_lane, tree->leaf_count + 1);
	for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++)
	{
		int64_t		count = tree->leaf_start[leaf + 1] -
			tree->leaf_start[leaf];

		GL_TRY(gl_work(host, 1));
		tree->leaf_lane[leaf] = lanes;
		lanes += (count + SCREEN_LANES - 1) / SCREEN_LANES * SCREEN_LANES;
	}
	tree->leaf_lane[tree->leaf_count] = lanes;
	GL_NEW(host, tree->blocks, (size_t) lanes * (size_t) d);
	for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++)
	{
		int64_t		start = tree->leaf_start[leaf];
		int64_t		count = tree->leaf_start[leaf + 1] - start;
		int64_t		width = tree->leaf_lane[leaf + 1] -
			tree->leaf_lane[leaf];
		float	   *block = tree->blocks + tree->leaf_lane[leaf] * d;

		GL_TRY(gl_work(host, width * d));
		for (int32_t j = 0; j < d; j++)
			for (int64_t i = 0; i < width; i++)
				block[j * width + i] = i < count ?
					builder->rows[(start + i) * d + j] : INFINITY;
	}
	return GL_OK;
}

GlStatus
kd_tree_build(GlHost *host, float *rows, int64_t row_count,
			  int32_t dimension_count, KdTree *out)
{
	KdBuilder	builder = {0};
	KdTree	   *tree = &builder.tree;

	memset(out, 0, sizeof(*out));
	builder.host = host;
	builder.rows = rows;
	builder.leaf_rows = dimension_count < KD_LARGE_FROM ? KD_LEAF_SMALL :
		KD_LEAF_LARGE;
	tree->row_count = row_count;
	tree->dimension_count = dimension_count;
	GL_NEW(host, tree->order, row_count);
	GL_NEW(host, builder.sum, dimension_count);
	GL_NEW(host, builder.square, dimension_count);
	GL_NEW(host, builder.stack, KD_STACK_SIZE);
	GL_NEW(host, tree->leaf_start, 1);
	GL_NEW(host, tree->child, 1);
	GL_NEW(host, tree->boxes, 1);
	for (int64_t i = 0; i < row_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		tree->order[i] = (int32_t) i;
	}
	GL_TRY(grow(&builder));
	gl_release(host, builder.stack);
	gl_release(host, builder.square);
	gl_release(host, builder.sum);
	GL_TRY(fill_blocks(&builder));
	gl_release(host, rows);
	*out = builder.tree;
	return GL_OK;
}

void
kd_tree_release(GlHost *host, KdTree *tree)
{
	gl_release(host, tree->boxes);
	gl_release(host, tree->child);
	gl_release(host, tree->blocks);
	gl_release(host, tree->leaf_lane);
	gl_release(host, tree->leaf_start);
	gl_release(host, tree->order);
	memset(tree, 0, sizeof(*tree));
}

/* A stack entry: the box distance, whose bits order like it, and the child. */
static inline uint64_t
make_entry(float squared, int32_t child)
{
	uint32_t	bits;

	memcpy(&bits, &squared, sizeof(bits));
	return (uint64_t) bits << 32 | (uint32_t) child;
}

static inline float
entry_distance(uint64_t entry)
{
	uint32_t	bits = (uint32_t) (entry >> 32);
	float		squared;

	memcpy(&squared, &bits, sizeof(squared));
	return squared;
}

void
kd_walk_begin(KdWalk *walk, const KdTree *tree,
			  const DistanceKernels *kernels, const float *query, float limit)
{
	walk->tree = tree;
	walk->kernels = kernels;
	walk->query = query;
	walk->limit = limit;
	walk->child_label = NULL;
	walk->own_label = -1;
	walk->stack_size = 1;
	walk->stack[0] = make_entry(0.0f, tree->node_count > 0 ? 0 : ~0);
}

GlStatus
kd_walk_next(GlHost *host, KdWalk *walk, int32_t *leaf)
{
	const KdTree *tree = walk->tree;
	int32_t		d = tree->dimension_count;

	while (walk->stack_size > 0)
	{
		uint64_t	entry = walk->stack[--walk->stack_size];
		int32_t		child = (int32_t) (uint32_t) entry;
		uint64_t   *base = walk->stack + walk->stack_size;
		float		squared[SCREEN_BOXES];
		const int32_t *children;
		uint32_t	near;
		int			count = 0;

		if (entry_distance(entry) > walk->limit)
			continue;
		GL_TRY(gl_work(host, SCREEN_BOXES / 2 * (int64_t) d));
		if (child < 0)
		{
			*leaf = ~child;
			return GL_OK;
		}
		near = walk->kernels->screen_boxes(walk->query, tree->boxes +
										   (int64_t) child * 2 *
										   SCREEN_BOXES * d,
										   d, walk->limit, squared);
		children = tree->child + (int64_t) child * SCREEN_BOXES;
		for (; near != 0; near &= near - 1)
		{
			int			slot = __builtin_ctz(near);
			uint64_t	fresh;
			int			at = count;

			if (walk->child_label != NULL &&
				walk->child_label[child * SCREEN_BOXES + slot] ==
				walk->own_label)
				continue;
			/* nearest last, that is on top; never seen: a NaN, two equals */
			fresh = make_entry(squared[slot], children[slot]);
			for (; at > 0 && base[at - 1] < fresh; at--)
				base[at] = base[at - 1];
			base[at] = fresh;
			count++;
		}
		walk->stack_size += count;
	}
	*leaf = -1;
	return GL_OK;
}

/* K1 and K2: order is a permutation, leaves cover it, children are unique. */
static GlStatus
check_shape(GlHost *host, const KdTree *tree, int32_t *parent_slot)
{
	bool	   *seen;

	GL_NEW_ZEROED(host, seen, tree->row_count);
	for (int64_t i = 0; i < tree->row_count; i++)
	{
		int32_t		row = tree->order[i];

		GL_TRY(gl_work(host, 2));
		if (row < 0 || row >= tree->row_count || seen[row])
			return gl_fail(host, GL_ERR_CORRUPT, "order is no permutation");
		seen[row] = true;
	}
	gl_release(host, seen);
	if (tree->leaf_count < 1 || tree->leaf_start[0] != 0 ||
		tree->leaf_start[tree->leaf_count] != tree->row_count)
		return gl_fail(host, GL_ERR_CORRUPT, "leaves do not cover the rows");
	for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++)
	{
		int32_t		count = tree->leaf_start[leaf + 1] -
			tree->leaf_start[leaf];

		GL_TRY(gl_work(host, 1));
		if (count < 1 || count > KD_LEAF_LARGE)
			return gl_fail(host, GL_ERR_CORRUPT, "a leaf of %d rows",
						   (int) count);
	}
	/* parent_slot: leaves first, then nodes */
	for (int64_t i = 0; i < tree->leaf_count + tree->node_count; i++)
		parent_slot[i] = -1;
	for (int64_t slot = 0; slot < (int64_t) tree->node_count * SCREEN_BOXES;
		 slot++)
	{
		int32_t		child = tree->child[slot];
		int64_t		at = child < 0 ? ~child : tree->leaf_count + child;

		GL_TRY(gl_work(host, 2));
		if (child == 0)
			continue;
		if (child > 0 && (child >= tree->node_count ||
						  child <= slot / SCREEN_BOXES))
			return gl_fail(host, GL_ERR_CORRUPT, "node %d is misplaced",
						   (int) child);
		if ((child < 0 && ~child >= tree->leaf_count) ||
			parent_slot[at] >= 0)
			return gl_fail(host, GL_ERR_CORRUPT, "a child has two parents");
		parent_slot[at] = (int32_t) slot;
	}
	return GL_OK;
}

/* K3 and K4 for one leaf. */
static GlStatus
check_leaf(GlHost *host, const KdTree *tree, const int32_t *parent_slot,
		   int32_t leaf)
{
	int32_t		d = tree->dimension_count;
	int64_t		width = tree->leaf_lane[leaf + 1] - tree->leaf_lane[leaf];
	const float *block = tree->blocks + tree->leaf_lane[leaf] * d;
	int32_t		count = tree->leaf_start[leaf + 1] - tree->leaf_start[leaf];
	int64_t		at = leaf;
	int			depth = 0;

	while (parent_slot[at] >= 0)
	{
		int32_t		node = parent_slot[at] / SCREEN_BOXES;
		const float *boxes = tree->boxes + (int64_t) node * 2 *
			SCREEN_BOXES * d + parent_slot[at] % SCREEN_BOXES;

		GL_TRY(gl_work(host, (int64_t) count * d));
		for (int32_t j = 0; j < d; j++)
			for (int32_t i = 0; i < count; i++)
				if (!(block[j * width + i] >= boxes[j * 2 * SCREEN_BOXES]) ||
					!(block[j * width + i] <= boxes[j * 2 * SCREEN_BOXES +
													SCREEN_BOXES]))
					return gl_fail(host, GL_ERR_CORRUPT,
								   "a row of leaf %d is outside its box",
								   (int) leaf);
		at = tree->leaf_count + node;
		depth++;
	}
	if (depth > KD_MAX_DEPTH || (tree->node_count > 0 &&
								 at != tree->leaf_count))
		return gl_fail(host, GL_ERR_CORRUPT, "leaf %d hangs in the air",
					   (int) leaf);
	return GL_OK;
}

GlStatus
kd_tree_check(GlHost *host, const KdTree *tree)
{
	int32_t    *parent_slot;

	GL_NEW(host, parent_slot, (int64_t) tree->leaf_count + tree->node_count);
	GL_TRY(check_shape(host, tree, parent_slot));
	for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++)
		GL_TRY(check_leaf(host, tree, parent_slot, leaf));
	gl_release(host, parent_slot);
	return GL_OK;
}
