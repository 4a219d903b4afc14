/*
 * distance_rows.c
 *		See distance_rows.h.
 */
#include "embed/distance_rows.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "points/distance.h"

/* --- points ---------------------------------------------------------------- */

/* A row of distances between points, its own entry 0. */
static GlStatus
measure_row(GlHost *host, DistanceRows *rows, int64_t point, double *length)
{
	const PointMatrix *matrix = &rows->space.matrix;
	const DistanceKernels *kernels = distance_kernels();
	int64_t		n = rows->point_count;

	distance_widen(matrix, point, rows->query);
	for (int64_t j = 0; j < n; j++)
	{
		length[j] = point_space_distance(&rows->space,
										 distance_squared(kernels, matrix,
														  rows->query, j));
		GL_TRY(gl_work(host, matrix->dimension_count));
	}
	return GL_OK;
}

/* Keep all rows if they fit well; computing them again gives the same. */
static GlStatus
keep_matrix(GlHost *host, DistanceRows *rows)
{
	int64_t		n = rows->point_count;
	size_t		room = (host->bytes_limit - host->bytes_used) / 4;

	if ((size_t) n > room / sizeof(double) / (size_t) n)
		return GL_OK;
	GL_NEW(host, rows->matrix, (size_t) n * (size_t) n);
	for (int64_t i = 0; i < n; i++)
		GL_TRY(measure_row(host, rows, i, rows->matrix + i * n));
	return GL_OK;
}

GlStatus
distance_rows_from_points(GlHost *host, const PointSet *points,
						  GraphMetric metric, GraphScale scale,
						  DistanceRows *out)
{
	DistanceRows rows = {
		.point_count = points->matrix.row_count,
		.is_complete = true,
		.points = points
	};

	*out = (DistanceRows) {0};
	GL_TRY(point_space_begin(host, points, metric, scale, &rows.space));
	GL_NEW(host, rows.query, points->matrix.dimension_count);
	GL_NEW(host, rows.length, rows.point_count);
	GL_TRY(keep_matrix(host, &rows));
	*out = rows;
	return GL_OK;
}

/* --- tables ---------------------------------------------------------------- */

/* The graph as compressed rows of lengths, or a clear refusal. */
static GlStatus
require_lengths(GlHost *host, const Graph *graph, const SparseGraph **sparse)
{
	if (graph->meaning != GRAPH_LENGTH)
	{
		GlStatus	status = gl_fail(host, GL_ERR_OPTION,
									 "distances are needed, but the graph "
									 "holds similarities");

		gl_hint(host, "Use gl_distance_graph, or gl_knn_graph with weights "
				"=> 'distance', symmetry => 'union', and paths => true.");
		return status;
	}
	*sparse = (const SparseGraph *) graph;
	return GL_OK;
}

/* Position of entry (row, column) in the graph, or -1. */
static int64_t
find_entry(const SparseGraph *sparse, int32_t row, int32_t column)
{
	int64_t		low = sparse->row_start[row];
	int64_t		high = sparse->row_start[row + 1];

	while (low < high)
	{
		int64_t		middle = low + (high - low) / 2;

		if (sparse->neighbour[middle] < column)
			low = middle + 1;
		else
			high = middle;
	}
	return low < sparse->row_start[row + 1] &&
		sparse->neighbour[low] == column ? low : -1;
}

static double
importance_of(const SparseGraph *sparse, int64_t entry)
{
	return sparse->importance == NULL ? 1.0 : sparse->importance[entry];
}

/*
 * The two directions of a pair made one.  At least one entry is there; both
 * orders of the arguments give the same bits.
 */
static void
join_directions(const SparseGraph *sparse, int64_t there, int64_t back,
				double *length, double *weight)
{
	double		a;
	double		b;
	double		sum;

	if (there < 0 || back < 0)
	{
		int64_t		only = there < 0 ? back : there;

		*length = sparse->weight[only];
		*weight = importance_of(sparse, only);
		return;
	}
	a = importance_of(sparse, there);
	b = importance_of(sparse, back);
	sum = a * sparse->weight[there] + b * sparse->weight[back];
	*weight = a + b;
	*length = sparse->weight[there] == sparse->weight[back] ?
		sparse->weight[there] : sum / (a + b);
}

static GlStatus
report_asymmetry(GlHost *host, const SparseGraph *sparse, int32_t source,
				 int32_t target, double there, int64_t back)
{
	const int64_t *ids = sparse->graph.ids;
	GlStatus	status;

	if (back < 0)
		status = gl_fail(host, GL_ERR_DATA, "the distance from %" PRId64
						 " to %" PRId64 " is known, but not the one back",
						 ids[source], ids[target]);
	else
		status = gl_fail(host, GL_ERR_DATA, "the distance from %" PRId64
						 " to %" PRId64 " is %g, but %g the other way",
						 ids[source], ids[target], there,
						 sparse->weight[back]);
	gl_hint(host, "Use symmetrize => true to take the mean of both.");
	return status;
}

/* Count, or with `rows` filled in, write, the pairs of the joined table. */
static GlStatus
join_rows(GlHost *host, const SparseGraph *sparse, int64_t *cursor,
		  DistanceRows *rows)
{
	int64_t		n = sparse->graph.node_count;

	for (int32_t i = 0; i < n; i++)
	{
		for (int64_t e = sparse->row_start[i]; e < sparse->row_start[i + 1];
			 e++)
		{
			int32_t		j = sparse->neighbour[e];
			int64_t		back = find_entry(sparse, j, i);
			double		length;
			double		weight;

			GL_TRY(gl_work(host, 32));
			if (i == j || (back >= 0 && j < i))
				continue;
			if (rows == NULL)
			{
				cursor[i]++;
				cursor[j]++;
				continue;
			}
			join_directions(sparse, e, back, &length, &weight);
			rows->target[cursor[i]] = j;
			rows->target[cursor[j]] = i;
			rows->table_length[cursor[i]] = length;
			rows->table_length[cursor[j]] = length;
			if (rows->table_weight != NULL)
			{
				rows->table_weight[cursor[i]] = weight;
				rows->table_weight[cursor[j]] = weight;
			}
			cursor[i]++;
			cursor[j]++;
		}
	}
	return GL_OK;
}

/* Both directions agree, pair by pair. */
static GlStatus
require_symmetry(GlHost *host, const SparseGraph *sparse)
{
	int64_t		n = sparse->graph.node_count;

	if (sparse->graph.is_symmetric)
		return GL_OK;
	for (int32_t i = 0; i < n; i++)
		for (int64_t e = sparse->row_start[i]; e < sparse->row_start[i + 1];
			 e++)
		{
			int64_t		back = find_entry(sparse, sparse->neighbour[e], i);

			GL_TRY(gl_work(host, 32));
			if (back < 0 || sparse->weight[back] != sparse->weight[e])
				return report_asymmetry(host, sparse, i,
										sparse->neighbour[e],
										sparse->weight[e], back);
		}
	return GL_OK;
}

/* Counts become starts; returns the total. */
static int64_t
starts_from_counts(int64_t *start, int64_t n)
{
	int64_t		total = 0;

	for (int64_t i = 0; i < n; i++)
	{
		int64_t		count = start[i];

		start[i] = total;
		total += count;
	}
	start[n] = total;
	return total;
}

/* A table that names every pair is a matrix, which is faster to read. */
static GlStatus
complete_table(GlHost *host, DistanceRows *rows)
{
	int64_t		n = rows->point_count;

	if (rows->row_start[n] != n * (n - 1) || rows->table_weight != NULL)
		return GL_OK;
	GL_NEW(host, rows->matrix, (size_t) n * (size_t) n);
	for (int64_t i = 0; i < n; i++)
	{
		double	   *row = rows->matrix + i * n;

		row[i] = 0;
		for (int64_t e = rows->row_start[i]; e < rows->row_start[i + 1]; e++)
			row[rows->target[e]] = rows->table_length[e];
		GL_TRY(gl_work(host, n));
	}
	gl_release(host, rows->row_start);
	gl_release(host, rows->target);
	gl_release(host, rows->table_length);
	rows->row_start = NULL;
	rows->target = NULL;
	rows->table_length = NULL;
	rows->is_complete = true;
	return GL_OK;
}

GlStatus
distance_rows_from_graph(GlHost *host, const Graph *graph, bool symmetrize,
						 DistanceRows *out)
{
	DistanceRows rows = {.point_count = graph->node_count};
	const SparseGraph *sparse = NULL;
	int64_t    *cursor;
	int64_t		total;
	int64_t		n = graph->node_count;

	*out = (DistanceRows) {0};
	GL_TRY(require_lengths(host, graph, &sparse));
	if (!symmetrize)
		GL_TRY(require_symmetry(host, sparse));
	GL_NEW_ZEROED(host, rows.row_start, n + 1);
	GL_TRY(join_rows(host, sparse, rows.row_start, NULL));
	total = starts_from_counts(rows.row_start, n);
	GL_NEW(host, rows.target, total);
	GL_NEW(host, rows.table_length, total);
	/* one direction or two would weigh differently, so symmetrize keeps it */
	if (sparse->importance != NULL || (symmetrize && !graph->is_symmetric))
		GL_NEW(host, rows.table_weight, total);
	GL_NEW(host, cursor, n);
	for (int64_t i = 0; i < n; i++)
		cursor[i] = rows.row_start[i];
	GL_TRY(join_rows(host, sparse, cursor, &rows));
	gl_release(host, cursor);
	GL_TRY(complete_table(host, &rows));
	*out = rows;
	return GL_OK;
}

GlStatus
distance_rows_part(GlHost *host, const DistanceRows *rows,
				   const int32_t *member, int64_t count,
				   const int32_t *position, DistanceRows *out)
{
	DistanceRows part = {.point_count = count};
	int64_t		total = 0;

	*out = (DistanceRows) {0};
	GL_NEW(host, part.row_start, count + 1);
	for (int64_t m = 0; m < count; m++)
	{
		part.row_start[m] = total;
		total += rows->row_start[member[m] + 1] - rows->row_start[member[m]];
	}
	part.row_start[count] = total;
	GL_NEW(host, part.target, total);
	GL_NEW(host, part.table_length, total);
	if (rows->table_weight != NULL)
		GL_NEW(host, part.table_weight, total);
	for (int64_t m = 0; m < count; m++)
	{
		int64_t		from = rows->row_start[member[m]];
		int64_t		length = part.row_start[m + 1] - part.row_start[m];

		for (int64_t e = 0; e < length; e++)
		{
			int64_t		to = part.row_start[m] + e;

			part.target[to] = position[rows->target[from + e]];
			part.table_length[to] = rows->table_length[from + e];
			if (part.table_weight != NULL)
				part.table_weight[to] = rows->table_weight[from + e];
		}
		GL_TRY(gl_work(host, length));
	}
	*out = part;
	return GL_OK;
}

/* --- paths ----------------------------------------------------------------- */

static GlStatus
require_paths(GlHost *host, const Graph *graph, int64_t source,
			  const double *length)
{
	for (int64_t j = 0; j < graph->node_count; j++)
		if (!isfinite(length[j]))
		{
			GlStatus	status = gl_fail(host, GL_ERR_DATA,
										 "no path leads from %" PRId64
										 " to %" PRId64,
										 graph->ids[source], graph->ids[j]);

			gl_hint(host, "Join the components (a larger k), or place each "
					"by itself; gl_components tells them.");
			return status;
		}
	return GL_OK;
}

GlStatus
distance_rows_from_paths(GlHost *host, const Graph *graph, DistanceRows *out)
{
	DistanceRows rows = {
		.point_count = graph->node_count,
		.is_complete = true
	};
	const SparseGraph *sparse = NULL;
	ShortestPaths paths;
	int64_t		n = graph->node_count;

	*out = (DistanceRows) {0};
	GL_TRY(require_lengths(host, graph, &sparse));
	GL_TRY(require_symmetry(host, sparse));
	GL_TRY(gl_require(host, (size_t) n * (size_t) n, sizeof(double),
					  "Use method => 'landmark', which needs some rows only, "
					  "or fewer points."));
	GL_NEW(host, rows.matrix, (size_t) n * (size_t) n);
	GL_TRY(shortest_paths_begin(host, sparse, &paths));
	for (int64_t i = 0; i < n; i++)
	{
		double	   *row = rows.matrix + i * n;

		GL_TRY(shortest_paths_from(host, &paths, i, row));
		GL_TRY(require_paths(host, graph, i, row));
		/* a path read backwards may round otherwise: take the first */
		for (int64_t j = 0; j < i; j++)
			row[j] = rows.matrix[j * n + i];
	}
	shortest_paths_end(host, &paths);
	*out = rows;
	return GL_OK;
}

/* --- rows ------------------------------------------------------------------ */

GlStatus
distance_rows_get(GlHost *host, DistanceRows *rows, int64_t point,
				  DistanceRow *row)
{
	int64_t		n = rows->point_count;

	if (!rows->is_complete)
	{
		int64_t		start = rows->row_start[point];

		*row = (DistanceRow) {
			.count = rows->row_start[point + 1] - start,
			.target = rows->target + start,
			.length = rows->table_length + start,
			.weight = rows->table_weight == NULL ? NULL :
				rows->table_weight + start
		};
		return GL_OK;
	}
	*row = (DistanceRow) {.count = n};
	if (rows->matrix != NULL)
		row->length = rows->matrix + point * n;
	else
	{
		GL_TRY(measure_row(host, rows, point, rows->length));
		row->length = rows->length;
	}
	return GL_OK;
}

/* The table as a graph of lengths, without copying it. */
static GlStatus
begin_paths(GlHost *host, DistanceRows *rows)
{
	if (rows->network != NULL)
		return GL_OK;
	GL_NEW_ZEROED(host, rows->network, 1);
	rows->network->graph.node_count = rows->point_count;
	rows->network->entry_count = rows->row_start[rows->point_count];
	rows->network->row_start = rows->row_start;
	rows->network->neighbour = rows->target;
	rows->network->weight = rows->table_length;
	return shortest_paths_begin(host, rows->network, &rows->paths);
}

GlStatus
distance_rows_full(GlHost *host, DistanceRows *rows, int64_t point,
				   double *length)
{
	int64_t		n = rows->point_count;

	if (!rows->is_complete)
	{
		GL_TRY(begin_paths(host, rows));
		return shortest_paths_from(host, &rows->paths, point, length);
	}
	if (rows->matrix == NULL)
		return measure_row(host, rows, point, length);
	memcpy(length, rows->matrix + point * n, (size_t) n * sizeof(double));
	return gl_work(host, n);
}

void
distance_rows_release(GlHost *host, DistanceRows *rows)
{
	if (rows->points != NULL)
		point_space_end(host, &rows->space);
	shortest_paths_end(host, &rows->paths);
	gl_release(host, rows->network);
	gl_release(host, rows->matrix);
	gl_release(host, rows->query);
	gl_release(host, rows->length);
	gl_release(host, rows->row_start);
	gl_release(host, rows->target);
	gl_release(host, rows->table_length);
	gl_release(host, rows->table_weight);
	*rows = (DistanceRows) {0};
}
