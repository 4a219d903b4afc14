/*
 * block_product.c
 *		Sums up the tree, blocks across, results down.
 *
 * One value buffer holds the n-1 inner nodes and then the n leaves.  The
 * values of the leaves are gathered, sums go up (descending node numbers),
 * and block products come down (ascending).  On the coarsest partition both
 * happen in place and without a branch: at inner node p with children L, R
 *
 *		(v_L, v_R) <- (v_p + q_LR v_R,  v_p + q_RL v_L)
 *
 * because the sums of the children are needed by their parent alone.  The
 * transpose swaps the two probabilities.  A refined partition keeps sums and
 * results apart and runs over its list of pairs.
 *
 * Time is memory traffic.  Columns go in panels whose width the compiler
 * knows, and whose scratch stays small.  Rows are gathered and scattered in
 * passes of their own: those jump about, and alone they have the cache to
 * themselves.
 */
#include "graph/block_product.h"

/* Nodes, leaves or pairs between two polls. */
#define STRETCH			1024

/* The widest panel. */
#define PANEL_WIDTH		8

/*
 * Scratch beyond this is avoided by narrower panels: malloc returns larger
 * chunks to the system, and having the pages back costs as much as a product.
 */
#define PANEL_BYTES		((size_t) 32 << 20)

/* A panel: so many columns of x and y, rows stride numbers apart. */
typedef struct Panel
{
	const BlockTree *tree;
	const double *q_a;			/* what flows to a, and to b */
	const double *q_b;
	const double *x;
	double	   *y;
	int64_t		stride;
	double	   *sum;			/* nodes x width */
	double	   *result;			/* nodes x width; sum on the coarsest */
	bool		first_tree;		/* y holds nothing yet */
	int32_t		share;			/* of how many trees this is the last, or 1 */
} Panel;

#define ALWAYS_INLINE	static inline __attribute__((always_inline))

static int64_t
stretch_end(int64_t start, int64_t count)
{
	return start + STRETCH < count ? start + STRETCH : count;
}

/* Rows of x into the leaves. */
ALWAYS_INLINE GlStatus
gather_leaves(GlHost *host, const Panel *panel, const int32_t width)
{
	const PartitionTree *tree = &panel->tree->tree;
	double	   *leaves = panel->sum + (tree->leaf_count - 1) * width;

	for (int64_t start = 0; start < tree->leaf_count; start += STRETCH)
	{
		int64_t		end = stretch_end(start, tree->leaf_count);

		GL_TRY(gl_work(host, (end - start) * width));
		for (int64_t i = start; i < end; i++)
		{
			const double *row = panel->x + tree->leaf_row[i] * panel->stride;

			for (int32_t c = 0; c < width; c++)
				leaves[i * width + c] = row[c];
		}
	}
	return GL_OK;
}

/* Sums of leaves upwards. */
ALWAYS_INLINE GlStatus
collect_up(GlHost *host, const Panel *panel, const int32_t width)
{
	const int32_t *left = panel->tree->links.left;
	const int32_t *right = panel->tree->links.right;
	double	   *sum = panel->sum;

	for (int64_t end = panel->tree->tree.leaf_count - 1; end > 0;)
	{
		int64_t		start = end > STRETCH ? end - STRETCH : 0;

		GL_TRY(gl_work(host, (end - start) * width));
		for (int64_t p = end - 1; p >= start; p--)
		{
			const double *a = sum + (int64_t) left[p] * width;
			const double *b = sum + (int64_t) right[p] * width;

			for (int32_t c = 0; c < width; c++)
				sum[p * width + c] = a[c] + b[c];
		}
		end = start;
	}
	return GL_OK;
}

/* Results of leaves to y in row order; the last tree takes the mean. */
ALWAYS_INLINE GlStatus
scatter_leaves(GlHost *host, const Panel *panel, const int32_t width)
{
	const PartitionTree *tree = &panel->tree->tree;
	const double *leaves = panel->result + (tree->leaf_count - 1) * width;

	for (int64_t start = 0; start < tree->leaf_count; start += STRETCH)
	{
		int64_t		end = stretch_end(start, tree->leaf_count);

		GL_TRY(gl_work(host, (end - start) * width));
		for (int64_t i = start; i < end; i++)
		{
			double	   *row = panel->y + tree->leaf_row[i] * panel->stride;

			for (int32_t c = 0; c < width; c++)
			{
				double		value = leaves[i * width + c];

				if (!panel->first_tree)
					value += row[c];
				row[c] = panel->share == 1 ? value : value / panel->share;
			}
		}
	}
	return GL_OK;
}

/* The way down on the coarsest partition, in place. */
ALWAYS_INLINE GlStatus
cross_siblings(GlHost *host, const Panel *panel, const int32_t width)
{
	const int32_t *left = panel->tree->links.left;
	const int32_t *right = panel->tree->links.right;
	int64_t		inner_count = panel->tree->tree.leaf_count - 1;
	double	   *value = panel->sum;

	for (int32_t c = 0; c < width; c++)
		value[c] = 0;			/* nothing comes from above the root */
	for (int64_t start = 0; start < inner_count; start += STRETCH)
	{
		int64_t		end = stretch_end(start, inner_count);

		GL_TRY(gl_work(host, 2 * (end - start) * width));
		for (int64_t p = start; p < end; p++)
		{
			double	   *a = value + (int64_t) left[p] * width;
			double	   *b = value + (int64_t) right[p] * width;
			double		to_a[PANEL_WIDTH];
			double		to_b[PANEL_WIDTH];

			for (int32_t c = 0; c < width; c++)
			{
				to_a[c] = value[p * width + c] + panel->q_a[p] * b[c];
				to_b[c] = value[p * width + c] + panel->q_b[p] * a[c];
			}
			for (int32_t c = 0; c < width; c++)
			{
				a[c] = to_a[c];
				b[c] = to_b[c];
			}
		}
	}
	return GL_OK;
}

/* The way down on a refined one: what a node received, its leaves get. */
ALWAYS_INLINE GlStatus
hand_down(GlHost *host, const Panel *panel, const int32_t width)
{
	const int32_t *left = panel->tree->links.left;
	const int32_t *right = panel->tree->links.right;
	int64_t		inner_count = panel->tree->tree.leaf_count - 1;
	double	   *result = panel->result;

	for (int64_t start = 0; start < inner_count; start += STRETCH)
	{
		int64_t		end = stretch_end(start, inner_count);

		GL_TRY(gl_work(host, 2 * (end - start) * width));
		for (int64_t p = start; p < end; p++)
		{
			double	   *a = result + (int64_t) left[p] * width;
			double	   *b = result + (int64_t) right[p] * width;

			for (int32_t c = 0; c < width; c++)
			{
				double		above = result[p * width + c];

				a[c] += above;
				b[c] += above;
			}
		}
	}
	return GL_OK;
}

/* Blocks of a refined partition, from sums into results. */
ALWAYS_INLINE GlStatus
cross_pairs(GlHost *host, const Panel *panel, const int32_t width)
{
	const BlockTree *tree = panel->tree;
	const double *sum = panel->sum;
	double	   *result = panel->result;

	for (int64_t e = 0; e < tree->pair_count;)
	{
		/* a run of pairs of one node keeps that node's numbers at hand */
		int32_t		node = tree->pair_a[e];
		double		own[PANEL_WIDTH];
		double		received[PANEL_WIDTH];
		int64_t		begin = e;

		for (int32_t c = 0; c < width; c++)
		{
			own[c] = sum[(int64_t) node * width + c];
			received[c] = result[(int64_t) node * width + c];
		}
		for (; e < tree->pair_count && tree->pair_a[e] == node &&
			 e < begin + STRETCH; e++)
		{
			int64_t		b = (int64_t) tree->pair_b[e] * width;

			for (int32_t c = 0; c < width; c++)
			{
				received[c] += panel->q_a[e] * sum[b + c];
				result[b + c] += panel->q_b[e] * own[c];
			}
		}
		for (int32_t c = 0; c < width; c++)
			result[(int64_t) node * width + c] = received[c];
		GL_TRY(gl_work(host, 2 * (e - begin) * width));
	}
	return GL_OK;
}

ALWAYS_INLINE GlStatus
multiply_panel(GlHost *host, const Panel *panel, const int32_t width)
{
	size_t		node_count = 2 * (size_t) panel->tree->tree.leaf_count - 1;

	GL_TRY(gather_leaves(host, panel, width));
	GL_TRY(collect_up(host, panel, width));
	if (panel->tree->pair_a == NULL)
		GL_TRY(cross_siblings(host, panel, width));
	else
	{
		GL_TRY(gl_zero(host, panel->result, node_count * (size_t) width,
					   sizeof(double)));
		GL_TRY(cross_pairs(host, panel, width));
		GL_TRY(hand_down(host, panel, width));
	}
	return scatter_leaves(host, panel, width);
}

/* One panel with the width as a constant. */
static GlStatus
multiply_width(GlHost *host, const Panel *panel, int32_t width)
{
	switch (width)
	{
		case 1:
			return multiply_panel(host, panel, 1);
		case 2:
			return multiply_panel(host, panel, 2);
		case 3:
			return multiply_panel(host, panel, 3);
		case 4:
			return multiply_panel(host, panel, 4);
		case 5:
			return multiply_panel(host, panel, 5);
		case 6:
			return multiply_panel(host, panel, 6);
		case 7:
			return multiply_panel(host, panel, 7);
		default:
			return multiply_panel(host, panel, PANEL_WIDTH);
	}
}

/* All trees over one panel; the mean of their products. */
static GlStatus
multiply_trees(GlHost *host, const BlockTree *trees, int32_t tree_count,
			   bool transpose, Panel *panel, int32_t width)
{
	for (int32_t t = 0; t < tree_count; t++)
	{
		const BlockTree *tree = &trees[t];

		panel->tree = tree;
		panel->q_a = transpose ? tree->q_ba : tree->q_ab;
		panel->q_b = transpose ? tree->q_ab : tree->q_ba;
		panel->first_tree = t == 0;
		panel->share = t == tree_count - 1 ? tree_count : 1;
		GL_TRY(multiply_width(host, panel, width));
	}
	return GL_OK;
}

/* How many columns to take at a time. */
static int32_t
panel_width(size_t node_count, int32_t columns)
{
	size_t		fitting = PANEL_BYTES / (node_count * sizeof(double));
	int32_t		widest = columns < PANEL_WIDTH ? columns : PANEL_WIDTH;

	return fitting < 1 ? 1 : fitting < (size_t) widest ?
		(int32_t) fitting : widest;
}

GlStatus
block_product(GlHost *host, const BlockTree *trees, int32_t tree_count,
			  bool transpose, const double *x, double *y, int32_t columns)
{
	size_t		node_count = 2 * (size_t) trees[0].tree.leaf_count - 1;
	int32_t		widest = panel_width(node_count, columns);
	Panel		panel = {.stride = columns};

	if (node_count == 1)		/* nowhere to go */
		return gl_zero(host, y, (size_t) columns, sizeof(double));
	GL_NEW(host, panel.sum, node_count * (size_t) widest);
	panel.result = panel.sum;
	if (trees[0].pair_a != NULL)
		GL_NEW(host, panel.result, node_count * (size_t) widest);
	for (int32_t done = 0; done < columns; done += widest)
	{
		int32_t		width = columns - done < widest ? columns - done : widest;

		panel.x = x + done;
		panel.y = y + done;
		GL_TRY(multiply_trees(host, trees, tree_count, transpose, &panel,
							  width));
	}
	if (panel.result != panel.sum)
		gl_release(host, panel.result);
	gl_release(host, panel.sum);
	return GL_OK;
}
