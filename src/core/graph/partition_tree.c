/*
 * partition_tree.c
 *		Split rows top-down by hyperplanes between two centres.
 *
 * For every Bregman divergence "nearer to centre a than to centre b" is an
 * affine test, h(x) > 0 with
 *
 *		h(x) = d(x,b) - d(x,a) = [d(m,b) - d(m,a)] + (x - m) . (g(a) - g(b))
 *
 * where g is the gradient of phi and m any point; with m midway nothing
 * cancels, also for rows far from the origin.  So two-means and random splits
 * are one routine: find two centres, test all rows, and move the rows of a
 * node physically to either end of its range, so that every level reads
 * memory front to back.
 *
 * A chain (1, 2, 4, 8 ...) makes two-means peel off one row at a time.  After
 * a few lopsided splits on one path the node is cut at the median of h
 * instead, so the depth stays logarithmic and the time O(n d log n).
 */
#include "graph/partition_tree.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/sort.h"
#include "graph/partition_anchor.h"

/* Rows that choose the two means, and steps that improve them. */
#define SPLIT_SAMPLE		256
#define SPLIT_STEPS			3

/* A split with less than 1/16 on one side is lopsided; so many are borne. */
#define LOPSIDED_SHARE		16
#define LOPSIDED_LIMIT		4

/* Tries to draw two rows that differ before searching for them. */
#define PAIR_TRIES			8

/* A node waiting to be split. */
typedef struct SplitTask
{
	int32_t		node;			/* preorder number */
	int32_t		start;			/* first leaf position */
	int32_t		count;
	int32_t		lopsided;		/* lopsided splits above, in a row */
	bool		all_equal;		/* known to hold copies of one row */
} SplitTask;

/* What building shares. */
typedef struct TreeShop
{
	const Divergence *divergence;
	int32_t		d;
	TreeKind	kind;
	GlRandom	random;
	double	   *rows;			/* n x d, in leaf order */
	int32_t    *leaf_row;
	double	   *side;			/* n: h of each position */
	double	   *centre[2];		/* d each */
	double	   *sum[2];
	double	   *middle;
	double	   *normal;			/* g(a) - g(b) */
	double		offset;			/* d(m,b) - d(m,a) */
	double	   *held;			/* one row, for swaps */
	int32_t    *sample;			/* positions */
} TreeShop;

static double *
row_at(const TreeShop *shop, int64_t position)
{
	return shop->rows + position * shop->d;
}

static GlStatus
shop_begin(GlHost *host, const PointMatrix *points,
		   const Divergence *divergence, TreeKind kind, int64_t seed,
		   TreeShop *shop)
{
	int64_t		n = points->row_count;

	memset(shop, 0, sizeof(*shop));
	shop->divergence = divergence;
	shop->d = points->dimension_count;
	shop->kind = kind;
	gl_random_begin(&shop->random, seed);
	shop->rows = gl_allocate(host, (size_t) n,
							 (size_t) shop->d * sizeof(double));
	if (shop->rows == NULL)
		return host->status;
	GL_NEW(host, shop->leaf_row, n);
	GL_NEW(host, shop->side, n);
	for (int s = 0; s < 2; s++)
	{
		GL_NEW(host, shop->centre[s], shop->d);
		GL_NEW(host, shop->sum[s], shop->d);
	}
	GL_NEW(host, shop->middle, shop->d);
	GL_NEW(host, shop->normal, shop->d);
	GL_NEW(host, shop->held, shop->d);
	GL_NEW(host, shop->sample, SPLIT_SAMPLE);
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, shop->d));
		shop->leaf_row[i] = (int32_t) i;
		point_matrix_row(points, i, row_at(shop, i));
	}
	return GL_OK;
}

static void
shop_end(GlHost *host, TreeShop *shop)
{
	gl_release(host, shop->rows);
	gl_release(host, shop->side);
	for (int s = 0; s < 2; s++)
	{
		gl_release(host, shop->centre[s]);
		gl_release(host, shop->sum[s]);
	}
	gl_release(host, shop->middle);
	gl_release(host, shop->normal);
	gl_release(host, shop->held);
	gl_release(host, shop->sample);
}

/* The hyperplane between the two centres. */
static void
set_plane(TreeShop *shop)
{
	const Divergence *divergence = shop->divergence;
	const double *a = shop->centre[0];
	const double *b = shop->centre[1];

	for (int32_t j = 0; j < shop->d; j++)
	{
		shop->middle[j] = a[j] + (b[j] - a[j]) / 2;
		shop->normal[j] = divergence->is_symmetric ? 2 * (a[j] - b[j]) :
			divergence->gradient(a[j]) - divergence->gradient(b[j]);
	}
	shop->offset = divergence->is_symmetric ? 0 :
		divergence_between(divergence, shop->middle, b, shop->d) -
		divergence_between(divergence, shop->middle, a, shop->d);
}

/* h(x): positive on the side of the first centre. */
static double
plane_side(const TreeShop *shop, const double *row)
{
	double		sum = shop->offset;

	for (int32_t j = 0; j < shop->d; j++)
		sum += (row[j] - shop->middle[j]) * shop->normal[j];
	return sum;
}

static bool
rows_equal(const double *a, const double *b, int32_t d)
{
	for (int32_t j = 0; j < d; j++)
		if (a[j] != b[j])
			return false;
	return true;
}

static void
set_centre(TreeShop *shop, int which, const double *row)
{
	memcpy(shop->centre[which], row, (size_t) shop->d * sizeof(double));
}

/* Any two rows of the node that differ, as centres; *found = false if none. */
static GlStatus
search_pair(GlHost *host, TreeShop *shop, const SplitTask *task, bool *found)
{
	const double *first = row_at(shop, task->start);

	*found = false;
	for (int32_t i = 1; i < task->count && !*found; i++)
	{
		const double *row = row_at(shop, task->start + i);

		GL_TRY(gl_work(host, shop->d));
		if (rows_equal(first, row, shop->d))
			continue;
		set_centre(shop, 0, first);
		set_centre(shop, 1, row);
		*found = true;
	}
	return GL_OK;
}

static GlStatus
draw_pair(GlHost *host, TreeShop *shop, const SplitTask *task, bool *found)
{
	for (int t = 0; t < PAIR_TRIES; t++)
	{
		const double *a = row_at(shop, task->start +
								 gl_random_below(&shop->random, task->count));
		const double *b = row_at(shop, task->start +
								 gl_random_below(&shop->random, task->count));

		if (rows_equal(a, b, shop->d))
			continue;
		set_centre(shop, 0, a);
		set_centre(shop, 1, b);
		*found = true;
		return GL_OK;
	}
	return search_pair(host, shop, task, found);
}

/* The sampled row that is farthest from a row, and how far. */
static const double *
farthest_sample(const TreeShop *shop, int32_t sample_count,
				const double *from, double *distance)
{
	const double *farthest = from;

	*distance = 0;
	for (int32_t s = 0; s < sample_count; s++)
	{
		const double *row = row_at(shop, shop->sample[s]);
		double		divergence = divergence_between(shop->divergence, row,
													from, shop->d);

		if (divergence > *distance)
		{
			*distance = divergence;
			farthest = row;
		}
	}
	return farthest;
}

/* One step of two-means on the sample; false if one side is empty. */
static bool
improve_centres(TreeShop *shop, int32_t sample_count)
{
	int32_t		members[2] = {0, 0};

	set_plane(shop);
	for (int s = 0; s < 2; s++)
		memset(shop->sum[s], 0, (size_t) shop->d * sizeof(double));
	for (int32_t i = 0; i < sample_count; i++)
	{
		const double *row = row_at(shop, shop->sample[i]);
		int			s = plane_side(shop, row) > 0 ? 0 : 1;

		members[s]++;
		for (int32_t j = 0; j < shop->d; j++)
			shop->sum[s][j] += row[j];
	}
	if (members[0] == 0 || members[1] == 0)
		return false;
	for (int s = 0; s < 2; s++)
		for (int32_t j = 0; j < shop->d; j++)
			shop->centre[s][j] = shop->sum[s][j] / members[s];
	return true;
}

static GlStatus
find_means(GlHost *host, TreeShop *shop, const SplitTask *task, bool *found)
{
	int32_t		sample_count = task->count < SPLIT_SAMPLE ?
		task->count : SPLIT_SAMPLE;
	const double *row;
	double		distance;

	GL_TRY(gl_work(host, (int64_t) sample_count * shop->d *
				   (SPLIT_STEPS + 2)));
	for (int32_t s = 0; s < sample_count; s++)
		shop->sample[s] = task->start +
			(sample_count == task->count ? s :
			 (int32_t) gl_random_below(&shop->random, task->count));
	row = farthest_sample(shop, sample_count,
						  row_at(shop, shop->sample[0]), &distance);
	set_centre(shop, 0, row);
	row = farthest_sample(shop, sample_count, row, &distance);
	set_centre(shop, 1, row);
	if (!(distance > 0))
		return search_pair(host, shop, task, found);
	*found = true;
	for (int step = 0; step < SPLIT_STEPS; step++)
		if (!improve_centres(shop, sample_count))
			break;
	return GL_OK;
}

static void
swap_rows(TreeShop *shop, int64_t i, int64_t j)
{
	size_t		bytes = (size_t) shop->d * sizeof(double);
	int32_t		row = shop->leaf_row[i];
	double		side = shop->side[i];

	memcpy(shop->held, row_at(shop, i), bytes);
	memcpy(row_at(shop, i), row_at(shop, j), bytes);
	memcpy(row_at(shop, j), shop->held, bytes);
	shop->leaf_row[i] = shop->leaf_row[j];
	shop->leaf_row[j] = row;
	shop->side[i] = shop->side[j];
	shop->side[j] = side;
}

/* Rows of the first side to the front; returns how many. */
static GlStatus
part_rows(GlHost *host, TreeShop *shop, const SplitTask *task, int32_t *left)
{
	int64_t		low = task->start;
	int64_t		high = (int64_t) task->start + task->count;

	for (int64_t i = low; i < high; i++)
	{
		GL_TRY(gl_work(host, shop->d));
		shop->side[i] = plane_side(shop, row_at(shop, i));
	}
	while (low < high)
	{
		GL_TRY(gl_work(host, 2));
		if (shop->side[low] > 0)
			low++;
		else if (shop->side[high - 1] > 0)
		{
			GL_TRY(gl_work(host, shop->d));
			swap_rows(shop, low, --high);
		}
		else
			high--;
	}
	*left = (int32_t) (low - task->start);
	return GL_OK;
}

/* Bring the row of each place order[place] there, cycle by cycle. */
static GlStatus
permute_rows(GlHost *host, TreeShop *shop, int64_t start, int32_t count,
			 int32_t *order)
{
	size_t		bytes = (size_t) shop->d * sizeof(double);

	for (int32_t first = 0; first < count; first++)
	{
		int32_t		leaf_row = shop->leaf_row[start + first];
		double		side = shop->side[start + first];
		int32_t		place = first;

		GL_TRY(gl_work(host, 1));
		if (order[first] == first)
			continue;
		memcpy(shop->held, row_at(shop, start + first), bytes);
		while (order[place] != first)
		{
			int32_t		from = order[place];

			GL_TRY(gl_work(host, shop->d));
			memcpy(row_at(shop, start + place), row_at(shop, start + from),
				   bytes);
			shop->leaf_row[start + place] = shop->leaf_row[start + from];
			shop->side[start + place] = shop->side[start + from];
			order[place] = place;
			place = from;
		}
		memcpy(row_at(shop, start + place), shop->held, bytes);
		shop->leaf_row[start + place] = leaf_row;
		shop->side[start + place] = side;
		order[place] = place;
	}
	return GL_OK;
}

/* Cut at the median of h (computed by part_rows), ties by position. */
static GlStatus
part_at_median(GlHost *host, TreeShop *shop, const SplitTask *task,
			   int32_t *left)
{
	int64_t    *keys;
	int32_t    *order;

	GL_NEW(host, keys, task->count);
	GL_NEW(host, order, task->count);
	for (int32_t i = 0; i < task->count; i++)
	{
		GL_TRY(gl_work(host, 1));
		keys[i] = gl_sort_key(-shop->side[task->start + i]);
	}
	GL_TRY(gl_sort_order(host, keys, task->count, order));
	GL_TRY(permute_rows(host, shop, task->start, task->count, order));
	gl_release(host, order);
	gl_release(host, keys);
	*left = task->count / 2;
	return GL_OK;
}

/* Find where to split a node of at least two rows. */
static GlStatus
split_node(GlHost *host, TreeShop *shop, SplitTask *task, int32_t *left)
{
	bool		found = false;
	int32_t		smaller;

	if (task->count == 2)
	{
		*left = 1;
		return GL_OK;
	}
	if (!task->all_equal)
	{
		if (shop->kind == TREE_RANDOM)
			GL_TRY(draw_pair(host, shop, task, &found));
		else
			GL_TRY(find_means(host, shop, task, &found));
	}
	if (!found)
	{
		task->all_equal = true;
		*left = task->count / 2;
		return GL_OK;
	}
	set_plane(shop);
	GL_TRY(part_rows(host, shop, task, left));
	smaller = *left < task->count - *left ? *left : task->count - *left;
	if (smaller == 0 || (smaller < task->count / LOPSIDED_SHARE &&
						 task->lopsided >= LOPSIDED_LIMIT))
	{
		task->lopsided = 0;
		return part_at_median(host, shop, task, left);
	}
	task->lopsided = smaller < task->count / LOPSIDED_SHARE ?
		task->lopsided + 1 : 0;
	return GL_OK;
}

/*
 * The stack holds right children while left ones are split: at most one per
 * level.  It grows with the depth, which lopsided splits cannot make linear.
 */
typedef struct TaskStack
{
	SplitTask  *tasks;
	int64_t		count;
	int64_t		capacity;
} TaskStack;

static GlStatus
push_task(GlHost *host, TaskStack *stack, SplitTask task)
{
	if (stack->count == stack->capacity)
	{
		SplitTask  *grown = gl_resize(host, stack->tasks,
									  (size_t) stack->capacity * 2,
									  sizeof(SplitTask));

		if (grown == NULL)
			return host->status;
		stack->tasks = grown;
		stack->capacity *= 2;
	}
	stack->tasks[stack->count++] = task;
	return GL_OK;
}

static GlStatus
split_all(GlHost *host, TreeShop *shop, int64_t n, int32_t *left_size)
{
	TaskStack	stack = {.capacity = 64};

	GL_NEW(host, stack.tasks, stack.capacity);
	if (n > 1)
		GL_TRY(push_task(host, &stack, (SplitTask) {
						 .count = (int32_t) n}));
	while (stack.count > 0)
	{
		SplitTask	task = stack.tasks[--stack.count];
		int32_t		left = 0;

		GL_TRY(split_node(host, shop, &task, &left));
		left_size[task.node] = left;
		if (task.count - left > 1)
			GL_TRY(push_task(host, &stack, (SplitTask) {
							 .node = task.node + left,
							 .start = task.start + left,
							 .count = task.count - left,
							 .lopsided = task.lopsided,
							 .all_equal = task.all_equal}));
		if (left > 1)
			GL_TRY(push_task(host, &stack, (SplitTask) {
							 .node = task.node + 1,
							 .start = task.start,
							 .count = left,
							 .lopsided = task.lopsided,
							 .all_equal = task.all_equal}));
	}
	gl_release(host, stack.tasks);
	return GL_OK;
}

GlStatus
partition_tree_limit(GlHost *host, int64_t row_count)
{
	if (row_count <= PARTITION_TREE_MAX_LEAVES)
		return GL_OK;
	return gl_fail(host, GL_ERR_TOO_LARGE,
				   "a partition tree has at most %lld rows",
				   (long long) PARTITION_TREE_MAX_LEAVES);
}

GlStatus
partition_tree_build(GlHost *host, const PointMatrix *points,
					 const Divergence *divergence, TreeKind kind,
					 int64_t seed, PartitionTree *out)
{
	PartitionTree tree = {.leaf_count = points->row_count};
	TreeShop	shop;

	memset(out, 0, sizeof(*out));
	if (kind == TREE_ANCHOR)
		return partition_anchor_build(host, points, divergence, seed, out);
	GL_TRY(partition_tree_limit(host, points->row_count));
	GL_NEW(host, tree.left_size, points->row_count - 1);
	GL_TRY(shop_begin(host, points, divergence, kind, seed, &shop));
	GL_TRY(split_all(host, &shop, points->row_count, tree.left_size));
	tree.leaf_row = shop.leaf_row;
	shop_end(host, &shop);
	*out = tree;
	return GL_OK;
}

void
partition_tree_release(GlHost *host, PartitionTree *tree)
{
	gl_release(host, tree->left_size);
	gl_release(host, tree->leaf_row);
	memset(tree, 0, sizeof(*tree));
}

/*
 * Sizes and first positions flow top-down: a child comes after its parent.
 * Fails instead of stepping out of bounds on a shape that is none (T2).
 */
static GlStatus
link_nodes(GlHost *host, const PartitionTree *tree, TreeLinks *links)
{
	int32_t		n = (int32_t) tree->leaf_count;

	if (n > 1)
	{
		links->size[0] = n;
		links->first[0] = 0;
	}
	for (int32_t p = 0; p < n - 1; p++)
	{
		int32_t		left = tree->left_size[p];
		int32_t		right;

		GL_TRY(gl_work(host, 4));
		if (left < 1 || left >= links->size[p])
			return gl_fail(host, GL_ERR_CORRUPT,
						   "a partition tree has a node without leaves");
		right = links->size[p] - left;
		links->left[p] = left == 1 ? n - 1 + links->first[p] : p + 1;
		links->right[p] = right == 1 ?
			n - 1 + links->first[p] + left : p + left;
		if (left > 1)
		{
			links->size[p + 1] = left;
			links->first[p + 1] = links->first[p];
		}
		if (right > 1)
		{
			links->size[p + left] = right;
			links->first[p + left] = links->first[p] + left;
		}
	}
	return GL_OK;
}

GlStatus
tree_links_begin(GlHost *host, const PartitionTree *tree, TreeLinks *out)
{
	TreeLinks	links = {.leaf_count = tree->leaf_count};

	memset(out, 0, sizeof(*out));
	GL_NEW(host, links.left, tree->leaf_count - 1);
	GL_NEW(host, links.right, tree->leaf_count - 1);
	GL_NEW(host, links.size, tree->leaf_count - 1);
	GL_NEW(host, links.first, tree->leaf_count - 1);
	GL_TRY(link_nodes(host, tree, &links));
	*out = links;
	return GL_OK;
}

void
tree_links_end(GlHost *host, TreeLinks *links)
{
	gl_release(host, links->left);
	gl_release(host, links->right);
	gl_release(host, links->size);
	gl_release(host, links->first);
	memset(links, 0, sizeof(*links));
}

GlStatus
partition_tree_check(GlHost *host, const PartitionTree *tree)
{
	int64_t		n = tree->leaf_count;
	TreeLinks	links;
	bool	   *seen;

	if (n < 1 || n > PARTITION_TREE_MAX_LEAVES)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "a partition tree has an impossible size");
	GL_NEW_ZEROED(host, seen, n);
	for (int64_t i = 0; i < n; i++)
	{
		int32_t		row = tree->leaf_row[i];

		GL_TRY(gl_work(host, 1));
		if (row < 0 || row >= n || seen[row])
			return gl_fail(host, GL_ERR_CORRUPT,
						   "the leaves of a partition tree are not the rows");
		seen[row] = true;
	}
	gl_release(host, seen);
	GL_TRY(tree_links_begin(host, tree, &links));
	tree_links_end(host, &links);
	return GL_OK;
}
