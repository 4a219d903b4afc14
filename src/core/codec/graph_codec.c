/*
 * graph_codec.c
 *		The bytes of a SparseGraph, with whatever it keeps for new rows.
 *
 * Sections: ids (n x 8), row starts (n + 1 x 8), neighbours (m x 4), weights
 * (m x 8), node statistics (none yet), values of the kept points (n d x 4 or
 * 8), column scale (d x 8), node scale (n x 8), importance (m x 8).  The last
 * four are there if their flag says so; kept points share the graph's ids.
 *
 * Node statistics are what joining two graphs will need.  Version 1 keeps a
 * place for them, as a number of bytes that must be 0.
 */
#include <math.h>

#include "codec/value_layout.h"

#define FLAG_SYMMETRIC		((uint32_t) 1)
#define FLAG_STOCHASTIC		((uint32_t) 2)
#define FLAG_POINTS			((uint32_t) 4)
#define FLAG_COLUMN_SCALE	((uint32_t) 8)
#define FLAG_NODE_SCALE		((uint32_t) 16)
#define FLAG_IMPORTANCE		((uint32_t) 32)

enum
{
	NODE_COUNT,					/* n */
	ENTRY_COUNT,				/* m */
	BUILDER,					/* GraphKind: how the graph came about */
	METRIC,
	WEIGHTS,
	SYMMETRY,
	SCALE,
	MEANING,
	SCALAR,						/* of kept points, else 0 */
	RESERVED,
	NEIGHBOURS,					/* k */
	DIMENSION_COUNT,			/* d of kept points, else 0 */
	RADIUS,
	BANDWIDTH,
	SEED,
	STATISTICS_BYTES,
	FIELD_COUNT
};

_Static_assert(FIELD_COUNT <= VALUE_MAX_FIELDS, "raise VALUE_MAX_FIELDS");

static const ValueField graph_sparse_fields[FIELD_COUNT] = {
	[NODE_COUNT] = {"the number of nodes", 8, 1, POINT_SET_MAX_POINTS},
	[ENTRY_COUNT] = {"the number of entries", 8, 0, INT64_MAX},
	[BUILDER] = {"the builder", 1, GRAPH_KNN, GRAPH_AFFINITY},
	[METRIC] = {"the metric", 1, METRIC_NONE, METRIC_COSINE},
	[WEIGHTS] = {"the weights", 1, WEIGHTS_GIVEN, WEIGHTS_SIMILARITY},
	[SYMMETRY] = {"the symmetry", 1, SYMMETRY_NATURAL, SYMMETRY_DIRECTED},
	[SCALE] = {"the scale", 1, SCALE_NONE, SCALE_STANDARD},
	[MEANING] = {"the meaning", 1, GRAPH_SIMILARITY, GRAPH_LENGTH},
	[SCALAR] = {"the type of numbers", 1, 0, SCALAR_FLOAT8},
	[RESERVED] = {"the reserved byte", 1, 0, 0},
	[NEIGHBOURS] = {"k", 4, 0, INT32_MAX},
	[DIMENSION_COUNT] = {"the number of dimensions", 4, 0,
	POINT_SET_MAX_DIMENSIONS},
	[RADIUS] = {"the radius", 8, 0, UINT64_MAX},
	[BANDWIDTH] = {"the bandwidth", 8, 0, UINT64_MAX},
	[SEED] = {"the seed", 8, 0, UINT64_MAX},
	[STATISTICS_BYTES] = {"the size of node statistics", 8, 0, 0}
};

enum
{
	IDS,
	ROW_STARTS,
	NEIGHBOUR,
	WEIGHT,
	STATISTICS,
	VALUES,
	COLUMN_SCALE,
	NODE_SCALE,
	IMPORTANCE,
	SECTION_COUNT
};

_Static_assert(SECTION_COUNT <= VALUE_MAX_SECTIONS,
			   "raise VALUE_MAX_SECTIONS");

/* A signed number or enum, widened: a negative one falls out of range. */
static uint64_t
widen(int64_t number)
{
	return (uint64_t) number;
}

static void
describe_recipe(const GraphRecipe *recipe, uint64_t *field)
{
	field[BUILDER] = widen(recipe->kind);
	field[METRIC] = widen(recipe->metric);
	field[WEIGHTS] = widen(recipe->weights);
	field[SYMMETRY] = widen(recipe->symmetry);
	field[SCALE] = widen(recipe->scale);
	field[NEIGHBOURS] = widen(recipe->k);
	field[RADIUS] = value_double_bits(recipe->radius);
	field[BANDWIDTH] = value_double_bits(recipe->bandwidth);
	field[SEED] = (uint64_t) recipe->seed;
}

static bool
graph_sparse_describe(const GlValue *value, ValueLayout *layout)
{
	const SparseGraph *sparse = &value->sparse;
	const Graph *graph = &sparse->graph;

	layout->flags = (graph->is_symmetric ? FLAG_SYMMETRIC : 0) |
		(graph->is_stochastic ? FLAG_STOCHASTIC : 0) |
		(graph->points != NULL ? FLAG_POINTS : 0) |
		(graph->column_scale != NULL ? FLAG_COLUMN_SCALE : 0) |
		(graph->node_scale != NULL ? FLAG_NODE_SCALE : 0) |
		(sparse->importance != NULL ? FLAG_IMPORTANCE : 0);
	layout->field[NODE_COUNT] = widen(graph->node_count);
	layout->field[ENTRY_COUNT] = widen(sparse->entry_count);
	layout->field[MEANING] = widen(graph->meaning);
	describe_recipe(&graph->recipe, layout->field);
	layout->section[IDS].data = graph->ids;
	layout->section[ROW_STARTS].data = sparse->row_start;
	layout->section[NEIGHBOUR].data = sparse->neighbour;
	layout->section[WEIGHT].data = sparse->weight;
	layout->section[COLUMN_SCALE].data = graph->column_scale;
	layout->section[NODE_SCALE].data = graph->node_scale;
	layout->section[IMPORTANCE].data = sparse->importance;
	if (graph->points != NULL)
	{
		const PointMatrix *matrix = &graph->points->matrix;

		layout->field[SCALAR] = widen(matrix->scalar);
		layout->field[DIMENSION_COUNT] = widen(matrix->dimension_count);
		layout->section[VALUES].data = matrix->values;
		return matrix->row_count == graph->node_count;
	}
	return true;
}

static bool
graph_sparse_list_sections(ValueLayout *layout, const char **fault)
{
	const uint64_t *field = layout->field;
	ValueSection *section = layout->section;
	uint64_t	n = field[NODE_COUNT];
	uint64_t	m = field[ENTRY_COUNT];
	uint64_t	d = field[DIMENSION_COUNT];
	bool		points = (layout->flags & FLAG_POINTS) != 0;
	bool		column_scale = (layout->flags & FLAG_COLUMN_SCALE) != 0;
	bool		node_scale = (layout->flags & FLAG_NODE_SCALE) != 0;
	bool		importance = (layout->flags & FLAG_IMPORTANCE) != 0;

	*fault = NULL;
	if ((d != 0) != points || (field[SCALAR] != 0) != points)
		*fault = "its points are said to be kept and not to be kept";
	else if (column_scale && !points)
		*fault = "it has a scale for columns but no columns";
	else if (!value_is_extent(field[RADIUS]) ||
			 !value_is_extent(field[BANDWIDTH]))
		*fault = "the radius or the bandwidth is not a finite number >= 0";
	if (*fault != NULL)
		return false;

	/* n <= 2^31 and d <= 10^6 are checked, so n + 1 and n d fit */
	value_list_section(&section[IDS], true, 8, n);
	value_list_section(&section[ROW_STARTS], true, 8, n + 1);
	value_list_section(&section[NEIGHBOUR], true, 4, m);
	value_list_section(&section[WEIGHT], true, 8, m);
	value_list_section(&section[STATISTICS], false, 8, 0);
	value_list_section(&section[VALUES], points,
					   field[SCALAR] == SCALAR_FLOAT4 ? 4 : 8, n * d);
	value_list_section(&section[COLUMN_SCALE], column_scale, 8, d);
	value_list_section(&section[NODE_SCALE], node_scale, 8, n);
	value_list_section(&section[IMPORTANCE], importance, 8, m);
	return true;
}

static void
attach_recipe(const uint64_t *field, GraphRecipe *recipe)
{
	recipe->kind = (GraphKind) field[BUILDER];
	recipe->metric = (GraphMetric) field[METRIC];
	recipe->weights = (GraphWeights) field[WEIGHTS];
	recipe->symmetry = (GraphSymmetry) field[SYMMETRY];
	recipe->scale = (GraphScale) field[SCALE];
	recipe->k = (int32_t) field[NEIGHBOURS];
	recipe->radius = value_bits_double(field[RADIUS]);
	recipe->bandwidth = value_bits_double(field[BANDWIDTH]);
	recipe->seed = (int64_t) field[SEED];
}

static void
graph_sparse_attach(const ValueLayout *layout, GlValue *value)
{
	SparseGraph *sparse = &value->sparse;
	Graph	   *graph = &sparse->graph;

	graph->node_count = (int64_t) layout->field[NODE_COUNT];
	graph->ids = layout->section[IDS].data;
	graph->is_symmetric = (layout->flags & FLAG_SYMMETRIC) != 0;
	graph->is_stochastic = (layout->flags & FLAG_STOCHASTIC) != 0;
	graph->meaning = (GraphMeaning) layout->field[MEANING];
	attach_recipe(layout->field, &graph->recipe);
	sparse->entry_count = (int64_t) layout->field[ENTRY_COUNT];
	sparse->row_start = layout->section[ROW_STARTS].data;
	sparse->neighbour = layout->section[NEIGHBOUR].data;
	sparse->weight = layout->section[WEIGHT].data;
	graph->column_scale = layout->section[COLUMN_SCALE].data;
	graph->node_scale = layout->section[NODE_SCALE].data;
	sparse->importance = layout->section[IMPORTANCE].data;
	if (layout->section[VALUES].present)
	{
		PointMatrix *matrix = &value->graph_points.matrix;

		matrix->row_count = graph->node_count;
		matrix->dimension_count = (int32_t) layout->field[DIMENSION_COUNT];
		matrix->scalar = (ScalarType) layout->field[SCALAR];
		matrix->values = layout->section[VALUES].data;
		value->graph_points.ids = graph->ids;
		graph->points = &value->graph_points;
	}
	sparse_graph_bind(sparse);
}

/* Blocks of the scans below: no early exit inside, so that they vectorise. */
#define CHECK_BLOCK		4096

/*
 * S1: 0 = row_start[0] <= ... <= row_start[n] = m.  In unsigned arithmetic the
 * top bit of start | (next - start) is set iff start is negative or, it not
 * being so, next is smaller.
 */
static GlStatus
check_row_starts(GlHost *host, const SparseGraph *sparse)
{
	const int64_t *start = sparse->row_start;
	int64_t		n = sparse->graph.node_count;
	int64_t		row = 0;

	while (row < n)
	{
		int64_t		block = n - row < CHECK_BLOCK ? n - row : CHECK_BLOCK;
		uint64_t	signs = 0;

		for (int64_t i = row; i < row + block; i++)
			signs |= (uint64_t) start[i] |
				((uint64_t) start[i + 1] - (uint64_t) start[i]);
		if (signs >> 63 != 0)
			return gl_fail(host, GL_ERR_CORRUPT,
						   "invalid gl_graph value: row starts are not ascending");
		row += block;
		GL_TRY(gl_work(host, block));
	}
	if (start[0] != 0 || start[n] != sparse->entry_count)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "invalid gl_graph value: row starts do not span the entries");
	return GL_OK;
}

/* 0 <= neighbour <= n - 1, by the same use of the top bit. */
static GlStatus
check_neighbours(GlHost *host, const SparseGraph *sparse)
{
	const int32_t *neighbour = sparse->neighbour;
	uint32_t	last = (uint32_t) (sparse->graph.node_count - 1);
	int64_t		entry = 0;

	while (entry < sparse->entry_count)
	{
		int64_t		left = sparse->entry_count - entry;
		int64_t		block = left < CHECK_BLOCK ? left : CHECK_BLOCK;
		uint32_t	signs = 0;

		for (int64_t i = entry; i < entry + block; i++)
			signs |= (uint32_t) neighbour[i] |
				(last - (uint32_t) neighbour[i]);
		if (signs >> 31 != 0)
			return gl_fail(host, GL_ERR_CORRUPT,
						   "invalid gl_graph value: a neighbour is not a node");
		entry += block;
		GL_TRY(gl_work(host, block / 4));
	}
	return GL_OK;
}

static GlStatus
graph_sparse_check_indices(GlHost *host, const GlValue *value)
{
	GL_TRY(value_check_ids(host, VALUE_GRAPH, value->sparse.graph.ids,
						   value->sparse.graph.node_count));
	GL_TRY(check_row_starts(host, &value->sparse));
	return check_neighbours(host, &value->sparse);
}

/* Scales are finite and not negative; NULL if not kept. */
static GlStatus
check_scale(GlHost *host, const double *scale, int64_t count)
{
	if (scale == NULL)
		return GL_OK;
	for (int64_t i = 0; i < count; i++)
	{
		if (!isfinite(scale[i]) || scale[i] < 0)
			return gl_fail(host, GL_ERR_CORRUPT,
						   "invalid gl_graph value: a scale is not a finite number >= 0");
		GL_TRY(gl_work(host, 1));
	}
	return GL_OK;
}

static GlStatus
graph_sparse_check_invariants(GlHost *host, const GlValue *value)
{
	const Graph *graph = &value->sparse.graph;

	GL_TRY(sparse_graph_check(host, &value->sparse));
	GL_TRY(check_scale(host, graph->node_scale, graph->node_count));
	if (graph->points == NULL)
		return GL_OK;
	GL_TRY(check_scale(host, graph->column_scale,
					   graph->points->matrix.dimension_count));
	return point_set_check(host, graph->points);
}

const ValueKind graph_sparse_kind = {
	.type = VALUE_GRAPH,
	.number = 2,
	.known_flags = FLAG_SYMMETRIC | FLAG_STOCHASTIC | FLAG_POINTS |
	FLAG_COLUMN_SCALE | FLAG_NODE_SCALE | FLAG_IMPORTANCE,
	.field_count = FIELD_COUNT,
	.fields = graph_sparse_fields,
	.section_count = SECTION_COUNT,
	.describe = graph_sparse_describe,
	.list_sections = graph_sparse_list_sections,
	.attach = graph_sparse_attach,
	.check_indices = graph_sparse_check_indices,
	.check_invariants = graph_sparse_check_invariants
};
