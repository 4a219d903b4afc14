/*
 * point_graph.c
 *		Find pairs, weigh them, put them into compressed rows.
 *
 * Every builder has the same three steps.  It asks the neighbour search for
 * pairs with squared distances, replaces these in place by weights
 * (edge_weights.h), and hands the lists to compressed_rows.h.
 */
#include "graph/point_graph.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "graph/compressed_rows.h"
#include "graph/edge_weights.h"
#include "graph/point_space.h"
#include "graph/spanning_tree.h"
#include "points/distance.h"

void
point_graph_defaults(PointGraphOptions *options)
{
	memset(options, 0, sizeof(*options));
	options->kind = GRAPH_KNN;
	options->metric = METRIC_EUCLIDEAN;
	options->weights = WEIGHTS_ADAPTIVE;
	options->symmetry = SYMMETRY_SUM;
	options->scale = SCALE_NONE;
	options->k = POINT_GRAPH_DEFAULT_K;
	options->lower_k = true;
	options->keep_points = true;
}

static GlStatus
check_options(GlHost *host, const PointGraphOptions *options, int64_t n)
{
	if (options->kind == GRAPH_KNN)
	{
		if (options->k < 1)
			return gl_fail(host, GL_ERR_OPTION,
						   "k must be at least 1, not %" PRId64, options->k);
		if (options->k > n - 1 && !options->lower_k)
		{
			gl_fail(host, GL_ERR_OPTION,
					"k must be less than the number of rows, %" PRId64
					", not %" PRId64, n, options->k);
			gl_hint(host, "Leave k out, and it is lowered where there are few rows.");
			return GL_ERR_OPTION;
		}
	}
	if (options->kind == GRAPH_RADIUS &&
		!(options->radius > 0 && isfinite(options->radius)))
		return gl_fail(host, GL_ERR_OPTION,
					   "radius must be positive and finite, not %g",
					   options->radius);
	if (options->has_bandwidth)
	{
		if (!(options->bandwidth > 0 && isfinite(options->bandwidth)))
			return gl_fail(host, GL_ERR_OPTION,
						   "bandwidth must be positive and finite, not %g",
						   options->bandwidth);
		if (options->weights != WEIGHTS_GAUSSIAN)
		{
			gl_fail(host, GL_ERR_OPTION,
					"bandwidth applies to weights => 'gaussian' only");
			gl_hint(host, "Leave bandwidth out, or add weights => 'gaussian'.");
			return GL_ERR_OPTION;
		}
	}
	if (options->weights == WEIGHTS_SIMILARITY &&
		options->metric != METRIC_COSINE)
	{
		gl_fail(host, GL_ERR_OPTION,
				"weights => 'similarity' needs metric => 'cosine'");
		gl_hint(host, "Use weights => 'gaussian' or 'adaptive' with other metrics.");
		return GL_ERR_OPTION;
	}
	return GL_OK;
}

/* What the builders share while they work. */
typedef struct Workshop
{
	const PointGraphOptions *options;
	PointSpace	space;
	EdgeWeights weights;
	int32_t		k;				/* in use; 0 if not a kNN graph */
	PointGraphReport *report;
} Workshop;

/* Lengths may be 0; a similarity of 0 is no edge. */
static bool
keeps_zeros(const Workshop *shop)
{
	return shop->options->weights == WEIGHTS_DISTANCE;
}

/*
 * Prepare the weights: the bandwidth, or for the kinds whose own search does
 * not give it the local scales.
 */
static GlStatus
prepare_weights(GlHost *host, Workshop *shop)
{
	const PointGraphOptions *options = shop->options;
	int64_t		n = shop->space.matrix.row_count;

	shop->weights.weights = options->weights;
	shop->weights.space = &shop->space;
	if (options->weights == WEIGHTS_GAUSSIAN)
	{
		if (!options->has_bandwidth)
			return edge_weights_choose_bandwidth(host, options->method,
												 options->seed,
												 &shop->weights);
		shop->weights.bandwidth = options->bandwidth;
	}
	if (options->weights == WEIGHTS_ADAPTIVE && options->kind != GRAPH_KNN &&
		n > 1)
	{
		NeighbourLists nearest;
		int32_t		k = n - 1 < ADAPTIVE_NEIGHBOUR ?
			(int32_t) (n - 1) : ADAPTIVE_NEIGHBOUR;

		GL_TRY(neighbours_search(host, &shop->space.matrix, k,
								 options->method, &nearest,
								 &shop->report->neighbours));
		GL_TRY(edge_weights_local_scales(host, &nearest, &shop->weights));
		neighbour_lists_release(host, &nearest);
	}
	return GL_OK;
}

/* Replace a squared distance by its weight; refuses one beyond a double. */
static GlStatus
weigh(GlHost *host, const Workshop *shop, int32_t i, int32_t j,
	  double *value)
{
	/* only rows that had to be scaled down can be that far apart */
	bool		too_far = shop->space.exponent > 0 &&
		shop->options->weights != WEIGHTS_BINARY &&
		!isfinite(point_space_chord(&shop->space, *value));

	*value = edge_weights_of(&shop->weights, i, j, *value);
	if (too_far || !isfinite(*value))
		return gl_fail(host, GL_ERR_DATA,
					   "two rows are further apart than a double can say");
	return GL_OK;
}

static GlStatus
build_knn(GlHost *host, Workshop *shop, CompressedRows *out)
{
	GraphSymmetry symmetry = shop->options->symmetry;
	NeighbourLists lists;
	CompressedRows directed;

	GL_TRY(neighbours_search(host, &shop->space.matrix, shop->k,
							 shop->options->method, &lists,
							 &shop->report->neighbours));
	if (shop->options->weights == WEIGHTS_ADAPTIVE)
		GL_TRY(edge_weights_local_scales(host, &lists, &shop->weights));
	for (int64_t i = 0; i < lists.row_count; i++)
	{
		GL_TRY(gl_work(host, 20 * (int64_t) lists.k));
		for (int64_t e = i * lists.k; e < (i + 1) * lists.k; e++)
			GL_TRY(weigh(host, shop, (int32_t) i, lists.neighbour[e],
						 &lists.squared_distance[e]));
	}
	GL_TRY(compressed_rows_from_lists(host, &lists, keeps_zeros(shop),
									  &directed));
	if (symmetry != SYMMETRY_DIRECTED)
		return compressed_rows_symmetrise(host, &directed, symmetry,
										  keeps_zeros(shop), out);
	*out = directed;
	return GL_OK;
}

/*
 * Pairs found within the limit, squeezed in place to those that are strictly
 * closer than the radius and have a weight.
 */
static GlStatus
build_radius(GlHost *host, Workshop *shop, CompressedRows *out)
{
	double		radius = shop->options->radius;
	NeighbourRanges ranges;
	int64_t		filled = 0;
	int64_t		start = 0;
	GlStatus	status = neighbours_within(host, &shop->space.matrix,
										   point_space_squared(&shop->space,
															   radius) *
										   (1 + 1e-12),
										   shop->options->method, &ranges);

	/* how many pairs there are is known only after the search */
	if (status == GL_ERR_MEMORY)
		gl_hint(host, "Use a smaller radius or fewer rows, or raise graphlearn.max_memory.");
	GL_TRY(status);
	for (int64_t i = 0; i < ranges.row_count; i++)
	{
		int64_t		end = ranges.row_start[i + 1];

		GL_TRY(gl_work(host, 20 * (end - start) + 1));
		ranges.row_start[i] = filled;
		for (int64_t e = start; e < end; e++)
		{
			double		value = ranges.squared_distance[e];

			if (!(point_space_distance(&shop->space, value) < radius))
				continue;
			GL_TRY(weigh(host, shop, (int32_t) i, ranges.neighbour[e],
						 &value));
			if (value == 0 && !keeps_zeros(shop))
				continue;
			ranges.neighbour[filled] = ranges.neighbour[e];
			ranges.squared_distance[filled++] = value;
		}
		start = end;
	}
	ranges.row_start[ranges.row_count] = filled;
	out->row_count = ranges.row_count;
	out->row_start = ranges.row_start;
	out->column = ranges.neighbour;
	out->value = ranges.squared_distance;
	return GL_OK;
}

/* Squeeze out pairs of weight 0, which are no edges. */
static int64_t
drop_zero_edges(SpanningTree *tree)
{
	int64_t		kept = 0;

	for (int64_t e = 0; e < tree->edge_count; e++)
		if (tree->squared_distance[e] > 0)
		{
			tree->source[kept] = tree->source[e];
			tree->target[kept] = tree->target[e];
			tree->squared_distance[kept++] = tree->squared_distance[e];
		}
	return kept;
}

static GlStatus
build_tree(GlHost *host, Workshop *shop, CompressedRows *out)
{
	SpanningTree tree;
	int64_t		edge_count;

	GL_TRY(spanning_tree_build(host, &shop->space.matrix,
							   shop->options->method, &tree));
	for (int64_t e = 0; e < tree.edge_count; e++)
	{
		GL_TRY(gl_work(host, 20));
		GL_TRY(weigh(host, shop, tree.source[e], tree.target[e],
					 &tree.squared_distance[e]));
	}
	edge_count = keeps_zeros(shop) ? tree.edge_count : drop_zero_edges(&tree);
	GL_TRY(compressed_rows_from_pairs(host, shop->space.matrix.row_count,
									  edge_count, tree.source, tree.target,
									  tree.squared_distance, out));
	spanning_tree_release(host, &tree);
	return GL_OK;
}

/* Every ordered pair; row by row, so that no second matrix is needed. */
static GlStatus
build_full(GlHost *host, Workshop *shop, CompressedRows *out)
{
	const PointMatrix *matrix = &shop->space.matrix;
	int64_t		n = matrix->row_count;
	const DistanceKernels *kernels = distance_kernels();
	CompressedRows rows = {.row_count = n};
	double	   *query;
	int64_t		filled = 0;

	GL_NEW(host, rows.row_start, n + 1);
	GL_NEW(host, rows.column, n * (n - 1));
	GL_NEW(host, rows.value, n * (n - 1));
	GL_NEW(host, query, matrix->dimension_count);
	for (int64_t i = 0; i < n; i++)
	{
		rows.row_start[i] = filled;
		point_matrix_row(matrix, i, query);
		for (int64_t j = 0; j < n; j++)
		{
			double		value;

			GL_TRY(gl_work(host, matrix->dimension_count + 20));
			if (j == i)
				continue;
			value = distance_squared(kernels, matrix, query, j);
			GL_TRY(weigh(host, shop, (int32_t) i, (int32_t) j, &value));
			if (value == 0 && !keeps_zeros(shop))
				continue;
			rows.column[filled] = (int32_t) j;
			rows.value[filled++] = value;
		}
	}
	rows.row_start[n] = filled;
	gl_release(host, query);
	*out = rows;
	return GL_OK;
}

/* A single row has no pairs. */
static GlStatus
build_single(GlHost *host, CompressedRows *out)
{
	out->row_count = 1;
	GL_NEW_ZEROED(host, out->row_start, 2);
	GL_NEW(host, out->column, 0);
	GL_NEW(host, out->value, 0);
	return GL_OK;
}

static GlStatus
build_pairs(GlHost *host, Workshop *shop, CompressedRows *out)
{
	memset(out, 0, sizeof(*out));
	if (shop->space.matrix.row_count == 1)
		return build_single(host, out);
	switch (shop->options->kind)
	{
		case GRAPH_KNN:
			return build_knn(host, shop, out);
		case GRAPH_RADIUS:
			return build_radius(host, shop, out);
		case GRAPH_TREE:
			return build_tree(host, shop, out);
		case GRAPH_FULL:
			return build_full(host, shop, out);
		default:
			return gl_fail(host, GL_ERR_INTERNAL, "not a graph of points");
	}
}

/* Hand the points, and what new rows will need, to the graph. */
static GlStatus
keep_points(GlHost *host, const PointSet *points, Workshop *shop,
			Graph *graph)
{
	PointSet   *kept;

	GL_NEW(host, kept, 1);
	GL_TRY(point_set_copy(host, points, kept));
	graph->ids = kept->ids;
	graph->points = kept;
	graph->column_scale = shop->space.column_scale;
	graph->node_scale = shop->weights.node_scale;
	shop->space.column_scale = NULL;
	shop->weights.node_scale = NULL;
	return GL_OK;
}

static GlStatus
assemble(GlHost *host, const PointSet *points, Workshop *shop,
		 const CompressedRows *rows, SparseGraph *sparse)
{
	const PointGraphOptions *options = shop->options;
	Graph	   *graph = &sparse->graph;
	int64_t		n = points->matrix.row_count;

	graph->node_count = n;
	graph->is_symmetric = options->kind != GRAPH_KNN ||
		options->symmetry != SYMMETRY_DIRECTED;
	graph->meaning = options->weights == WEIGHTS_DISTANCE ?
		GRAPH_LENGTH : GRAPH_SIMILARITY;
	graph->recipe = (GraphRecipe)
	{
		.kind = options->kind,
		.metric = options->metric,
		.weights = options->weights,
		.symmetry = options->kind == GRAPH_KNN ?
			options->symmetry : SYMMETRY_NATURAL,
		.scale = options->scale,
		.k = shop->k,
		.radius = options->kind == GRAPH_RADIUS ? options->radius : 0,
		.bandwidth = shop->weights.bandwidth,
		.seed = options->seed
	};
	if (options->keep_points)
		GL_TRY(keep_points(host, points, shop, graph));
	else
	{
		int64_t    *ids;

		GL_NEW(host, ids, n);
		memcpy(ids, points->ids, (size_t) n * sizeof(int64_t));
		graph->ids = ids;
	}
	sparse->row_start = rows->row_start;
	sparse->neighbour = rows->column;
	sparse->weight = rows->value;
	sparse->entry_count = rows->row_start[n];
	sparse_graph_bind(sparse);
	return GL_OK;
}

/* Where the size of the result is known before any search, ask for it. */
static GlStatus
require_memory(GlHost *host, const Workshop *shop, int64_t n)
{
	/* the lists, and beside them the symmetric graph made of them */
	if (shop->options->kind == GRAPH_KNN)
		return gl_require(host, (size_t) n, (size_t) shop->k * 36,
						  "Use a smaller k or fewer rows, or raise graphlearn.max_memory.");
	if (shop->options->kind == GRAPH_FULL)
		return gl_require(host, (size_t) n * (size_t) n,
						  sizeof(int32_t) + sizeof(double),
						  "A full graph holds every pair of rows. Use gl_knn_graph or gl_graph, "
						  "or raise graphlearn.max_memory.");
	return GL_OK;
}

GlStatus
point_graph_build(GlHost *host, const PointSet *points,
				  const PointGraphOptions *options, SparseGraph *out,
				  PointGraphReport *report)
{
	int64_t		n = points->matrix.row_count;
	Workshop	shop = {.options = options, .report = report};
	CompressedRows rows;
	SparseGraph sparse = {0};

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	GL_TRY(check_options(host, options, n));
	if (options->kind == GRAPH_KNN)
		shop.k = (int32_t) (options->k < n - 1 ? options->k : n - 1);
	GL_TRY(require_memory(host, &shop, n));
	GL_TRY(point_space_begin(host, points, options->metric, options->scale,
							 &shop.space));
	report->column_spread = shop.space.column_spread;
	GL_TRY(prepare_weights(host, &shop));
	GL_TRY(build_pairs(host, &shop, &rows));
	GL_TRY(assemble(host, points, &shop, &rows, &sparse));
	edge_weights_end(host, &shop.weights);
	point_space_end(host, &shop.space);
	*out = sparse;
	return GL_OK;
}
