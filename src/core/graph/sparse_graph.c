/*
 * sparse_graph.c
 *		Products, rows, components and checks of a graph in compressed rows.
 *
 * The product is bound by memory: 12 bytes of matrix and one gathered row of
 * the input per stored entry.  Columns are taken in tiles whose width the
 * compiler knows, because a loop over two columns costs more than its body.
 */
#include "graph/sparse_graph.h"

#include <math.h>
#include <string.h>

static const SparseGraph *
sparse_of(const Graph *graph)
{
	return (const SparseGraph *) graph;
}

/* Rows between two polls: short rows cost less than asking after each. */
#define ROWS_PER_POLL	16

/*
 * Entries to look ahead: a tile of 8 is a cache line, and lines gathered from
 * all over x are waited for unless asked for early (twice as fast at 10^5
 * rows).  Narrower tiles gain nothing.
 */
#define FETCH_AHEAD		16

/*
 * y <- A x for `tile` neighbouring columns out of `columns`.  Inlined with
 * both numbers known, it keeps the sums in registers.  Each sum runs over the
 * row's entries in ascending order, whatever the tile.
 */
static inline __attribute__((always_inline)) GlStatus
apply_tile(GlHost *host, const SparseGraph *sparse, const double *restrict x,
		   double *restrict y, int64_t columns, int tile)
{
	const int64_t *restrict row_start = sparse->row_start;
	const int32_t *restrict neighbour = sparse->neighbour;
	const double *restrict weight = sparse->weight;
	int64_t		entry_count = sparse->entry_count;
	int64_t		n = sparse->graph.node_count;

	for (int64_t first = 0; first < n; first += ROWS_PER_POLL)
	{
		int64_t		last = first + ROWS_PER_POLL < n ?
			first + ROWS_PER_POLL : n;

		for (int64_t i = first; i < last; i++)
		{
			double		sum[8] = {0};

			for (int64_t e = row_start[i]; e < row_start[i + 1]; e++)
			{
				int64_t		ahead = e + FETCH_AHEAD;

				if (tile == 8)
					__builtin_prefetch(x + columns *
									   neighbour[ahead < entry_count ?
												 ahead : e]);
				for (int c = 0; c < tile; c++)
					sum[c] += weight[e] * x[neighbour[e] * columns + c];
			}
			for (int c = 0; c < tile; c++)
				y[i * columns + c] = sum[c];
		}
		GL_TRY(gl_work(host, (row_start[last] - row_start[first] +
							  ROWS_PER_POLL) * tile));
	}
	return GL_OK;
}

/* One, two and four columns are common enough for their own code. */
static GlStatus
apply_1(GlHost *host, const SparseGraph *sparse, const double *x, double *y)
{
	return apply_tile(host, sparse, x, y, 1, 1);
}

static GlStatus
apply_2(GlHost *host, const SparseGraph *sparse, const double *x, double *y)
{
	return apply_tile(host, sparse, x, y, 2, 2);
}

static GlStatus
apply_4(GlHost *host, const SparseGraph *sparse, const double *x, double *y)
{
	return apply_tile(host, sparse, x, y, 4, 4);
}

/* Any number: tiles of 8 columns, then of 4, 2 and 1 for the rest. */
static GlStatus
apply_tiles(GlHost *host, const SparseGraph *sparse, const double *x,
			double *y, int32_t columns)
{
	int32_t		column = 0;

	for (; columns - column >= 8; column += 8)
		GL_TRY(apply_tile(host, sparse, x + column, y + column, columns, 8));
	if (columns - column >= 4)
	{
		GL_TRY(apply_tile(host, sparse, x + column, y + column, columns, 4));
		column += 4;
	}
	if (columns - column >= 2)
	{
		GL_TRY(apply_tile(host, sparse, x + column, y + column, columns, 2));
		column += 2;
	}
	if (column < columns)
		GL_TRY(apply_tile(host, sparse, x + column, y + column, columns, 1));
	return GL_OK;
}

static GlStatus
sparse_apply(GlHost *host, const Graph *graph, const double *x, double *y,
			 int32_t columns)
{
	const SparseGraph *sparse = sparse_of(graph);

	switch (columns)
	{
		case 1:
			return apply_1(host, sparse, x, y);
		case 2:
			return apply_2(host, sparse, x, y);
		case 4:
			return apply_4(host, sparse, x, y);
		default:
			return apply_tiles(host, sparse, x, y, columns);
	}
}

static GlStatus
sparse_apply_transpose(GlHost *host, const Graph *graph, const double *x,
					   double *y, int32_t columns)
{
	const SparseGraph *sparse = sparse_of(graph);

	if (graph->is_symmetric)
		return sparse_apply(host, graph, x, y, columns);
	GL_TRY(gl_zero(host, y, (size_t) graph->node_count,
				   (size_t) columns * sizeof(double)));
	for (int64_t i = 0; i < graph->node_count; i++)
	{
		int64_t		end = sparse->row_start[i + 1];
		const double *from = x + i * columns;

		for (int64_t e = sparse->row_start[i]; e < end; e++)
		{
			double	   *to = y + (int64_t) sparse->neighbour[e] * columns;
			double		weight = sparse->weight[e];

			for (int32_t c = 0; c < columns; c++)
				to[c] += weight * from[c];
		}
		GL_TRY(gl_work(host, (end - sparse->row_start[i] + 1) * columns));
	}
	return GL_OK;
}

static GlStatus
sparse_row_sums(GlHost *host, const Graph *graph, double *sums)
{
	const SparseGraph *sparse = sparse_of(graph);

	for (int64_t i = 0; i < graph->node_count; i++)
	{
		double		sum = 0;

		for (int64_t e = sparse->row_start[i]; e < sparse->row_start[i + 1];
			 e++)
			sum += sparse->weight[e];
		sums[i] = sum;
		GL_TRY(gl_work(host, sparse->row_start[i + 1] -
					   sparse->row_start[i] + 1));
	}
	return GL_OK;
}

/* The entry (row, column), or -1 if there is none.  O(log of the row). */
static int64_t
find_entry(const SparseGraph *sparse, int64_t row, int32_t column)
{
	int64_t		low = sparse->row_start[row];
	int64_t		high = sparse->row_start[row + 1];
	int64_t		end = high;

	while (low < high)
	{
		int64_t		middle = low + (high - low) / 2;

		if (sparse->neighbour[middle] < column)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && sparse->neighbour[low] == column ? low : -1;
}

static GlStatus
sparse_diagonal(GlHost *host, const Graph *graph, double *diagonal)
{
	const SparseGraph *sparse = sparse_of(graph);

	for (int64_t i = 0; i < graph->node_count; i++)
	{
		int64_t		entry = find_entry(sparse, i, (int32_t) i);

		diagonal[i] = entry < 0 ? 0 : sparse->weight[entry];
		GL_TRY(gl_work(host, 8));
	}
	return GL_OK;
}

/* Smallest node of the set, with path halving. */
static int32_t
find_root(int32_t *parent, int32_t node)
{
	while (parent[node] != node)
	{
		parent[node] = parent[parent[node]];
		node = parent[node];
	}
	return node;
}

/*
 * Union-find with the smaller root on top: components are weak (direction
 * ignored) and come out numbered by their smallest node.
 */
static GlStatus
sparse_components(GlHost *host, const Graph *graph, int32_t *component,
				  int32_t *component_count)
{
	const SparseGraph *sparse = sparse_of(graph);
	int64_t		n = graph->node_count;
	int32_t    *parent;
	int32_t		count = 0;

	GL_NEW(host, parent, n);
	for (int64_t i = 0; i < n; i++)
		parent[i] = (int32_t) i;
	for (int64_t i = 0; i < n; i++)
	{
		for (int64_t e = sparse->row_start[i]; e < sparse->row_start[i + 1];
			 e++)
		{
			int32_t		a = find_root(parent, (int32_t) i);
			int32_t		b = find_root(parent, sparse->neighbour[e]);

			if (a < b)
				parent[b] = a;
			else
				parent[a] = b;
		}
		GL_TRY(gl_work(host, 8 * (sparse->row_start[i + 1] -
								  sparse->row_start[i] + 1)));
	}
	for (int64_t i = 0; i < n; i++)
	{
		int32_t		root = find_root(parent, (int32_t) i);

		GL_TRY(gl_work(host, 16));
		component[i] = root == i ? count++ : component[root];
	}
	gl_release(host, parent);
	*component_count = count;
	return GL_OK;
}

static GlStatus
sparse_row(GlHost *host, const Graph *graph, int32_t node,
		   GraphEntry **entries, int64_t *entry_count)
{
	const SparseGraph *sparse = sparse_of(graph);
	int64_t		start = sparse->row_start[node];
	int64_t		count = sparse->row_start[node + 1] - start;
	GraphEntry *row;

	GL_NEW(host, row, count);
	for (int64_t e = 0; e < count; e++)
	{
		row[e].node = sparse->neighbour[start + e];
		row[e].value = sparse->weight[start + e];
	}
	*entries = row;
	*entry_count = count;
	return GL_OK;
}

/* An undirected edge is visited once, from its smaller end. */
static GlStatus
sparse_visit_edges(GlHost *host, const Graph *graph,
				   GraphEdgeVisitor visitor, void *state)
{
	const SparseGraph *sparse = sparse_of(graph);

	for (int64_t i = 0; i < graph->node_count; i++)
	{
		for (int64_t e = sparse->row_start[i]; e < sparse->row_start[i + 1];
			 e++)
		{
			int32_t		j = sparse->neighbour[e];

			if (graph->is_symmetric && j < i)
				continue;
			GL_TRY(visitor(state, (int32_t) i, j, sparse->weight[e]));
		}
		GL_TRY(gl_work(host, sparse->row_start[i + 1] -
					   sparse->row_start[i] + 1));
	}
	return GL_OK;
}

static void
sparse_release(GlHost *host, Graph *graph)
{
	SparseGraph *sparse = (SparseGraph *) graph;

	gl_release(host, sparse->row_start);
	gl_release(host, sparse->neighbour);
	gl_release(host, sparse->weight);
	gl_release(host, sparse->importance);
	if (graph->points != NULL)
		gl_release(host, graph->points->matrix.values);
	gl_release(host, graph->points);
	gl_release(host, graph->column_scale);
	gl_release(host, graph->node_scale);
	gl_release(host, graph->ids);
	memset(sparse, 0, sizeof(*sparse));
}

static const GraphOperations sparse_operations = {
	.apply = sparse_apply,
	.apply_transpose = sparse_apply_transpose,
	.row_sums = sparse_row_sums,
	.diagonal = sparse_diagonal,
	.components = sparse_components,
	.row = sparse_row,
	.visit_edges = sparse_visit_edges,
	.release = sparse_release
};

void
sparse_graph_bind(SparseGraph *sparse)
{
	sparse->graph.operations = &sparse_operations;
}

/* S2, S3 and S5 for one row, and S4 by looking each entry's mirror up. */
static GlStatus
check_row(GlHost *host, const SparseGraph *sparse, int64_t row)
{
	bool		lengths = sparse->graph.meaning == GRAPH_LENGTH;

	for (int64_t e = sparse->row_start[row]; e < sparse->row_start[row + 1];
		 e++)
	{
		int32_t		j = sparse->neighbour[e];
		double		weight = sparse->weight[e];

		if (j < 0 || j >= sparse->graph.node_count ||
			(e > sparse->row_start[row] && j <= sparse->neighbour[e - 1]))
			return gl_fail(host, GL_ERR_CORRUPT,
						   "neighbours of a graph are out of order or range");
		if (!isfinite(weight) || weight < 0 || (weight == 0 && !lengths))
			return gl_fail(host, GL_ERR_CORRUPT,
						   "a graph holds a weight that is not allowed");
		if (sparse->importance != NULL &&
			!(isfinite(sparse->importance[e]) && sparse->importance[e] > 0))
			return gl_fail(host, GL_ERR_CORRUPT,
						   "a graph holds an importance that is not allowed");
		if (sparse->graph.is_symmetric)
		{
			int64_t		mirror = find_entry(sparse, j, (int32_t) row);

			if (mirror < 0 || sparse->weight[mirror] != weight ||
				(sparse->importance != NULL &&
				 sparse->importance[mirror] != sparse->importance[e]))
				return gl_fail(host, GL_ERR_CORRUPT,
							   "a graph said to be symmetric is not");
		}
	}
	return GL_OK;
}

GlStatus
sparse_graph_check(GlHost *host, const SparseGraph *sparse)
{
	int64_t		n = sparse->graph.node_count;

	if (n < 1 || n > POINT_SET_MAX_POINTS || sparse->row_start[0] != 0 ||
		sparse->row_start[n] != sparse->entry_count)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "a graph has an impossible shape");
	for (int64_t i = 0; i < n; i++)
		if (sparse->row_start[i + 1] < sparse->row_start[i] ||
			(i > 0 && sparse->graph.ids[i] <= sparse->graph.ids[i - 1]))
			return gl_fail(host, GL_ERR_CORRUPT,
						   "rows of a graph are not in order");
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 16 * (sparse->row_start[i + 1] -
								   sparse->row_start[i] + 1)));
		GL_TRY(check_row(host, sparse, i));
	}
	return GL_OK;
}
