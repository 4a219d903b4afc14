/*
 * edge_table.c
 *		Collect edge rows, number their nodes, add up repeats, build rows.
 *
 * Each row becomes a key row * n + column (for undirected kinds with the
 * smaller node first), the keys are radix-sorted, and runs of equal keys are
 * merged.
 */
#include "graph/edge_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "graph/compressed_rows.h"

#define FIRST_CAPACITY	64

/* ---- collecting ---- */

static GlStatus
resize_column(GlHost *host, void **column, int64_t old_capacity,
			  int64_t capacity)
{
	void	   *moved = old_capacity == 0 ?
		gl_allocate(host, (size_t) capacity, 8) :
		gl_resize(host, *column, (size_t) capacity, 8);

	if (moved == NULL)
		return host->status;
	*column = moved;
	return GL_OK;
}

static GlStatus
grow(GlHost *host, EdgeTable *table, bool has_importance)
{
	int64_t		old = table->capacity;
	int64_t		capacity = old == 0 ? FIRST_CAPACITY : 2 * old;

	GL_TRY(resize_column(host, (void **) &table->source, old, capacity));
	GL_TRY(resize_column(host, (void **) &table->target, old, capacity));
	GL_TRY(resize_column(host, (void **) &table->number, old, capacity));
	if (has_importance)
		GL_TRY(resize_column(host, (void **) &table->importance, old,
							 capacity));
	table->capacity = capacity;
	return GL_OK;
}

static GlStatus
check_number(GlHost *host, const char *what, int64_t source, int64_t target,
			 double number)
{
	if (isfinite(number) && number >= 0)
		return GL_OK;
	return gl_fail(host, GL_ERR_DATA,
				   "the %s from id %" PRId64 " to id %" PRId64 " is %s",
				   what, source, target,
				   isnan(number) ? "NaN" :
				   isinf(number) ? "infinite" : "negative");
}

GlStatus
edge_table_add(GlHost *host, EdgeTable *table, GraphKind kind,
			   int64_t source, int64_t target, bool joined, double number,
			   bool has_importance, double importance)
{
	bool		lengths = kind == GRAPH_DISTANCES;

	if (joined)
		GL_TRY(check_number(host, lengths ? "distance" : "weight", source,
							target, number));
	if (joined && has_importance)
		GL_TRY(check_number(host, "weight of the distance", source, target,
							importance));
	if (lengths && source == target && joined)
	{
		if (number != 0)
			return gl_fail(host, GL_ERR_DATA,
						   "the distance from id %" PRId64
						   " to itself is %g, not 0", source, number);
		joined = false;
	}
	if (table->edge_count == table->capacity)
		GL_TRY(grow(host, table, has_importance));
	if ((number == 0 && !lengths) || (has_importance && importance == 0))
		joined = false;
	table->source[table->edge_count] = source;
	table->target[table->edge_count] = target;
	/* adding 0 makes -0 a 0: equal distances have equal bits */
	table->number[table->edge_count] =
		joined ? number + 0.0 : EDGE_TABLE_NO_EDGE;
	if (has_importance)
		table->importance[table->edge_count] = importance;
	table->edge_count++;
	return GL_OK;
}

/* ---- numbering the nodes ---- */

/* The distinct ids of the table, ascending. */
static GlStatus
collect_ids(GlHost *host, const EdgeTable *table, int64_t **ids,
			int64_t *node_count)
{
	int64_t		m = table->edge_count;
	int64_t    *all;
	int64_t    *sorted;
	int32_t    *order;
	int64_t		count = 0;

	if (m > INT32_MAX / 2)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "more than %d rows of edges", INT32_MAX / 2);
	GL_NEW(host, all, 2 * m);
	memcpy(all, table->source, (size_t) m * sizeof(int64_t));
	memcpy(all + m, table->target, (size_t) m * sizeof(int64_t));
	GL_NEW(host, order, 2 * m);
	GL_TRY(gl_sort_order(host, all, 2 * m, order));
	GL_NEW(host, sorted, 2 * m);
	for (int64_t i = 0; i < 2 * m; i++)
	{
		GL_TRY(gl_work(host, 2));
		if (count == 0 || sorted[count - 1] != all[order[i]])
			sorted[count++] = all[order[i]];
	}
	gl_release(host, order);
	gl_release(host, all);
	*ids = gl_resize(host, sorted, (size_t) count, sizeof(int64_t));
	if (*ids == NULL)
		return host->status;
	*node_count = count;
	return GL_OK;
}

/* ---- merging repeats ---- */

/* One row of the table with its place in the matrix. */
typedef struct PlacedEdge
{
	int64_t		key;			/* row * n + column */
	double		number;
	double		importance;
	bool		reversed;		/* undirected: target came before source */
} PlacedEdge;

/* Rows that join something, sorted by (key, number, importance). */
static GlStatus
place_edges(GlHost *host, const EdgeTable *table, GraphKind kind,
			const int64_t *ids, int64_t n, PlacedEdge **out, int64_t *count)
{
	int64_t		m = table->edge_count;
	int64_t		joined = 0;
	PlacedEdge *edges;
	PlacedEdge *sorted;
	int64_t    *keys;
	int32_t    *order;

	GL_NEW(host, edges, m);
	for (int64_t e = 0; e < m; e++)
	{
		int64_t		a;
		int64_t		b;
		PlacedEdge *edge = &edges[joined];

		GL_TRY(gl_work(host, 32));
		if (table->number[e] < 0)
			continue;
		a = point_set_find(ids, n, table->source[e]);
		b = point_set_find(ids, n, table->target[e]);
		edge->reversed = kind != GRAPH_ARCS && b < a;
		edge->key = edge->reversed ? b * n + a : a * n + b;
		edge->number = table->number[e];
		edge->importance = table->importance != NULL ?
			table->importance[e] : 1;
		joined++;
	}
	GL_NEW(host, keys, joined);
	GL_NEW(host, order, joined);
	GL_NEW(host, sorted, joined);
	/* stable passes: by importance if there is one, by number, by place */
	for (int pass = table->importance != NULL ? 0 : 1; pass < 3; pass++)
	{
		PlacedEdge *swap = edges;

		for (int64_t e = 0; e < joined; e++)
		{
			GL_TRY(gl_work(host, 4));
			keys[e] = pass == 0 ? gl_sort_key(edges[e].importance) :
				pass == 1 ? gl_sort_key(edges[e].number) : edges[e].key;
		}
		GL_TRY(gl_sort_order(host, keys, joined, order));
		for (int64_t e = 0; e < joined; e++)
		{
			GL_TRY(gl_work(host, 16));	/* a cache miss each */
			sorted[e] = edges[order[e]];
		}
		edges = sorted;
		sorted = swap;
	}
	gl_release(host, sorted);
	gl_release(host, order);
	gl_release(host, keys);
	*out = edges;
	*count = joined;
	return GL_OK;
}

/* Merge each run of equal places into one edge by adding up. */
static GlStatus
add_up(GlHost *host, const int64_t *ids, int64_t n, PlacedEdge *edges,
	   int64_t *count)
{
	int64_t		merged = 0;

	for (int64_t e = 0; e < *count; e++)
	{
		GL_TRY(gl_work(host, 2));
		if (merged > 0 && edges[merged - 1].key == edges[e].key)
			edges[merged - 1].number += edges[e].number;
		else
			edges[merged++] = edges[e];
		if (!isfinite(edges[merged - 1].number))
			return gl_fail(host, GL_ERR_DATA,
						   "the weights from id %" PRId64 " to id %" PRId64
						   " add up to more than a double can say",
						   ids[edges[e].key / n], ids[edges[e].key % n]);
	}
	*count = merged;
	return GL_OK;
}

/*
 * Distances are not added: within one direction a repeat must agree.  A run
 * in sorted order starts with the smallest; both directions are looked at
 * together, and where they differ, both are kept (*symmetric = false) with
 * the second one marked `reversed`.  Importances of repeats add up, those of
 * two directions are averaged.
 */
static GlStatus
merge_distances(GlHost *host, const int64_t *ids, int64_t n,
				PlacedEdge *edges, int64_t *count, bool *symmetric)
{
	int64_t		merged = 0;
	int64_t		end;

	*symmetric = true;
	for (int64_t start = 0; start < *count; start = end)
	{
		double		number[2] = {-1, -1};
		double		importance[2] = {0, 0};
		int64_t		key = edges[start].key;

		for (end = start; end < *count && edges[end].key == key; end++)
		{
			int			way = edges[end].reversed;
			int64_t		from = way ? key % n : key / n;
			int64_t		to = way ? key / n : key % n;

			GL_TRY(gl_work(host, 4));
			if (number[way] >= 0 && number[way] != edges[end].number)
				return gl_fail(host, GL_ERR_DATA,
							   "two different distances from id %" PRId64
							   " to id %" PRId64 ": %g and %g",
							   ids[from], ids[to], number[way],
							   edges[end].number);
			number[way] = edges[end].number;
			importance[way] += edges[end].importance;
			if (!isfinite(importance[0] + importance[1]))
				return gl_fail(host, GL_ERR_DATA,
							   "the weights of the distance from id %" PRId64
							   " to id %" PRId64
							   " add up to more than a double can say",
							   ids[from], ids[to]);
		}
		if (number[0] >= 0 && number[1] >= 0)
			importance[0] = importance[1] =
				(importance[0] + importance[1]) / 2;
		if (number[0] >= 0 && number[1] >= 0 && number[0] != number[1])
		{
			*symmetric = false;
			edges[merged++] = (PlacedEdge) {key, number[0], importance[0], false};
			edges[merged++] = (PlacedEdge) {key, number[1], importance[1], true};
		}
		else
		{
			int			way = number[0] < 0;

			edges[merged++] = (PlacedEdge) {key, number[way],
											importance[way], false};
		}
	}
	*count = merged;
	return GL_OK;
}

/* ---- compressed rows ---- */

/* Directed: the sorted edges are the rows already. */
static GlStatus
rows_from_arcs(GlHost *host, const PlacedEdge *edges, int64_t count,
			   int64_t n, CompressedRows *out)
{
	out->row_count = n;
	GL_NEW_ZEROED(host, out->row_start, n + 1);
	GL_NEW(host, out->column, count);
	GL_NEW(host, out->value, count);
	for (int64_t e = 0; e < count; e++)
	{
		GL_TRY(gl_work(host, 2));
		out->row_start[edges[e].key / n + 1]++;
		out->column[e] = (int32_t) (edges[e].key % n);
		out->value[e] = edges[e].number;
	}
	for (int64_t i = 0; i < n; i++)
		out->row_start[i + 1] += out->row_start[i];
	return GL_OK;
}

/* Both directions of each pair, with `value` or its importance as number. */
static GlStatus
rows_from_pairs(GlHost *host, const PlacedEdge *edges, int64_t count,
				int64_t n, bool importance, CompressedRows *out)
{
	int32_t    *source;
	int32_t    *target;
	double	   *value;

	GL_NEW(host, source, count);
	GL_NEW(host, target, count);
	GL_NEW(host, value, count);
	for (int64_t e = 0; e < count; e++)
	{
		GL_TRY(gl_work(host, 2));
		source[e] = (int32_t) (edges[e].key / n);
		target[e] = (int32_t) (edges[e].key % n);
		value[e] = importance ? edges[e].importance : edges[e].number;
	}
	GL_TRY(compressed_rows_from_pairs(host, n, count, source, target, value,
									  out));
	gl_release(host, source);
	gl_release(host, target);
	gl_release(host, value);
	return GL_OK;
}

/*
 * Asymmetric distances: first both directions of every pair, then the second
 * number of the pairs that have one over its mirror entry.  Edges are sorted
 * by (smaller node, larger node), so the mirrors of one row are met in the
 * order in which they stand there, and `next` only moves forward.
 */
static GlStatus
overwrite_reversed(GlHost *host, const PlacedEdge *edges, int64_t count,
				   int64_t n, CompressedRows *rows)
{
	int64_t    *next;

	GL_NEW(host, next, n);
	memcpy(next, rows->row_start, (size_t) n * sizeof(int64_t));
	for (int64_t e = 0; e < count; e++)
	{
		int64_t		row = edges[e].key % n;
		int32_t		column = (int32_t) (edges[e].key / n);

		GL_TRY(gl_work(host, 4));
		if (!edges[e].reversed)
			continue;
		while (rows->column[next[row]] != column)
			next[row]++;
		rows->value[next[row]] = edges[e].number;
	}
	gl_release(host, next);
	return GL_OK;
}

static GlStatus
rows_from_distances(GlHost *host, const PlacedEdge *edges, int64_t count,
					int64_t n, bool has_importance, CompressedRows *rows,
					double **importance)
{
	PlacedEdge *first;
	int64_t		pairs = 0;

	/* the pairs once each; a reversed edge follows its own pair */
	GL_NEW(host, first, count);
	for (int64_t e = 0; e < count; e++)
		if (!edges[e].reversed)
			first[pairs++] = edges[e];
	GL_TRY(rows_from_pairs(host, first, pairs, n, false, rows));
	GL_TRY(overwrite_reversed(host, edges, count, n, rows));
	if (has_importance)
	{
		CompressedRows same;

		GL_TRY(rows_from_pairs(host, first, pairs, n, true, &same));
		*importance = same.value;
		gl_release(host, same.row_start);
		gl_release(host, same.column);
	}
	gl_release(host, first);
	return GL_OK;
}

GlStatus
edge_table_build(GlHost *host, EdgeTable *table, GraphKind kind,
				 SparseGraph *out)
{
	SparseGraph sparse = {0};
	CompressedRows rows = {0};
	PlacedEdge *edges = NULL;
	int64_t    *ids = NULL;
	double	   *importance = NULL;
	int64_t		n = 0;
	int64_t		count = 0;
	bool		symmetric = kind != GRAPH_ARCS;

	memset(out, 0, sizeof(*out));
	GL_TRY(collect_ids(host, table, &ids, &n));
	GL_TRY(place_edges(host, table, kind, ids, n, &edges, &count));
	if (kind == GRAPH_DISTANCES)
	{
		GL_TRY(merge_distances(host, ids, n, edges, &count, &symmetric));
		GL_TRY(rows_from_distances(host, edges, count, n,
								   table->importance != NULL, &rows,
								   &importance));
	}
	else
	{
		GL_TRY(add_up(host, ids, n, edges, &count));
		if (kind == GRAPH_ARCS)
			GL_TRY(rows_from_arcs(host, edges, count, n, &rows));
		else
			GL_TRY(rows_from_pairs(host, edges, count, n, false, &rows));
	}
	gl_release(host, edges);
	gl_release(host, table->source);
	gl_release(host, table->target);
	gl_release(host, table->number);
	gl_release(host, table->importance);
	memset(table, 0, sizeof(*table));

	sparse.graph.node_count = n;
	sparse.graph.ids = ids;
	sparse.graph.is_symmetric = symmetric;
	sparse.graph.meaning = kind == GRAPH_DISTANCES ?
		GRAPH_LENGTH : GRAPH_SIMILARITY;
	sparse.graph.recipe.kind = kind;
	sparse.graph.recipe.symmetry = symmetric ?
		SYMMETRY_NATURAL : SYMMETRY_DIRECTED;
	sparse.row_start = rows.row_start;
	sparse.neighbour = rows.column;
	sparse.weight = rows.value;
	sparse.importance = importance;
	sparse.entry_count = rows.row_start[n];
	sparse_graph_bind(&sparse);
	*out = sparse;
	return GL_OK;
}
