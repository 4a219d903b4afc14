/*
 * info_functions.c
 *		gl_info: what a value is and how it was made, as jsonb.
 */
#include "value.h"
#include "mds_arguments.h"
#include "model_labels.h"
#include "propagate_arguments.h"

#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/json.h"
#include "utils/memutils.h"

#include "learn/label_model.h"

static const OptionWord kind_words[] = {
	{"knn", GRAPH_KNN},
	{"radius", GRAPH_RADIUS},
	{"tree", GRAPH_TREE},
	{"full", GRAPH_FULL},
	{"edges", GRAPH_EDGES},
	{"arcs", GRAPH_ARCS},
	{"distances", GRAPH_DISTANCES},
	{"affinity", GRAPH_AFFINITY},
	{"blocks", GRAPH_BLOCKS},
	{NULL, 0}
};

static const OptionWord meaning_words[] = {
	{"similarity", GRAPH_SIMILARITY},
	{"transition", GRAPH_TRANSITION},
	{"length", GRAPH_LENGTH},
	{NULL, 0}
};

/* Names and words here are our own: none needs escaping. */
static void
put_key(StringInfo json, const char *key)
{
	appendStringInfo(json, "%s\"%s\":",
					 json->data[json->len - 1] == '{' ? "" : ",", key);
}

static void
put_word(StringInfo json, const char *key, const char *word)
{
	put_key(json, key);
	appendStringInfo(json, "\"%s\"", word);
}

static void
put_int(StringInfo json, const char *key, int64 value)
{
	put_key(json, key);
	appendStringInfo(json, INT64_FORMAT, value);
}

static void
put_float(StringInfo json, const char *key, double value)
{
	char	   *text;

	put_key(json, key);
	text = DatumGetCString(DirectFunctionCall1(float8out,
											   Float8GetDatum(value)));
	appendStringInfoString(json, text);
}

static void
put_bool(StringInfo json, const char *key, bool value)
{
	put_key(json, key);
	appendStringInfoString(json, value ? "true" : "false");
}

static void
put_storage(StringInfo json, GlHost *host, const GlValue *value)
{
	size_t		bytes;

	pg_check(host, value_flat_size(host, value, &bytes));
	put_int(json, "bytes", (int64) bytes);
	put_int(json, "format_version", VALUE_FORMAT_VERSION);
}

static void
put_matrix(StringInfo json, const PointMatrix *matrix)
{
	put_int(json, "dimensions", matrix->dimension_count);
	put_word(json, "values", matrix->scalar == SCALAR_FLOAT4 ?
			 "real" : "double precision");
}

static Datum
json_result(StringInfo json)
{
	appendStringInfoChar(json, '}');
	return DirectFunctionCall1(jsonb_in, CStringGetDatum(json->data));
}

PG_FUNCTION_INFO_V1(graphlearn_info_points);
Datum
graphlearn_info_points(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn info");
	const GlValue *value = value_argument(&host, VALUE_POINTS,
										  PG_GETARG_DATUM(0));
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	put_word(&json, "kind", "points");
	put_int(&json, "n", value->points.matrix.row_count);
	put_matrix(&json, &value->points.matrix);
	put_storage(&json, &host, value);
	MemoryContextDelete(arena);
	return json_result(&json);
}

/* The options that were in use; those that do not apply are left out. */
static void
put_recipe(StringInfo json, const GraphRecipe *recipe)
{
	if (recipe->k > 0)
		put_int(json, "k", recipe->k);
	if (recipe->radius > 0)
		put_float(json, "radius", recipe->radius);
	if (recipe->metric != METRIC_NONE)
		put_word(json, "metric",
				 option_word_of(block_metric_words, recipe->metric));
	if (recipe->weights != WEIGHTS_GIVEN)
		put_word(json, "weights",
				 option_word_of(weights_words, recipe->weights));
	if (recipe->kind == GRAPH_KNN)
		put_word(json, "symmetry",
				 option_word_of(symmetry_words, recipe->symmetry));
	if (recipe->bandwidth > 0)
		put_float(json, "bandwidth", recipe->bandwidth);
	if (recipe->metric != METRIC_NONE)
	{
		put_word(json, "scale", option_word_of(scale_words, recipe->scale));
		put_int(json, "seed", recipe->seed);
	}
}

static GlStatus
count_edge(void *state, int32_t source, int32_t target, double weight)
{
	(*(int64 *) state)++;
	return GL_OK;
}

/* Trees, blocks and what the trees say of the rows. */
static void
put_blocks(StringInfo json, const BlockGraph *block)
{
	double		log_likelihood = 0;

	put_word(json, "tree", option_word_of(tree_words,
										  block->recipe.tree_kind));
	put_int(json, "trees", block->recipe.tree_count);
	put_int(json, "blocks", 2 * block->pair_total);
	put_bool(json, "learn_bandwidth", block->recipe.learn_bandwidth);
	if (block->recipe.smoothing > 0)
		put_float(json, "smoothing", block->recipe.smoothing);
	for (int32 t = 0; t < block->recipe.tree_count; t++)
		log_likelihood += block->log_likelihood[t] / block->recipe.tree_count;
	put_float(json, "log_likelihood", log_likelihood);
}

/* Edges, components and nodes without any edge. */
static void
put_shape(StringInfo json, GlHost *host, const Graph *graph)
{
	int32_t    *component;
	int32_t    *size;
	int32_t		component_count;
	int64		edge_count = 0;
	int64		single = 0;

	if (graph->operations->visit_edges != NULL)
	{
		pg_check(host, graph->operations->visit_edges(host, graph, count_edge,
													  &edge_count));
		put_int(json, "edges", edge_count);
	}
	component = gl_allocate(host, graph->node_count, sizeof(int32_t));
	if (component == NULL)
		pg_host_raise(host, host->status);
	pg_check(host, graph_components(host, graph, component,
									&component_count));
	put_int(json, "components", component_count);
	size = gl_allocate_zeroed(host, component_count, sizeof(int32_t));
	if (size == NULL)
		pg_host_raise(host, host->status);
	for (int64 i = 0; i < graph->node_count; i++)
		size[component[i]]++;
	for (int32_t c = 0; c < component_count; c++)
		single += size[c] == 1;
	put_int(json, "isolated", single);
}

PG_FUNCTION_INFO_V1(graphlearn_info_graph);
Datum
graphlearn_info_graph(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn info");
	const GlValue *value = value_argument(&host, VALUE_GRAPH,
										  PG_GETARG_DATUM(0));
	const Graph *graph = value_graph(value);
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	put_word(&json, "kind", option_word_of(kind_words, graph->recipe.kind));
	put_int(&json, "n", graph->node_count);
	put_shape(&json, &host, graph);
	if (value->storage == STORAGE_BLOCK)
		put_blocks(&json, &value->block);
	put_word(&json, "meaning", option_word_of(meaning_words, graph->meaning));
	put_bool(&json, "symmetric", graph->is_symmetric);
	if (value->sparse.importance != NULL)
		put_bool(&json, "weighted", true);
	put_recipe(&json, &graph->recipe);
	put_bool(&json, "keeps_points", graph->points != NULL);
	if (graph->points != NULL)
		put_matrix(&json, &graph->points->matrix);
	put_storage(&json, &host, value);
	MemoryContextDelete(arena);
	return json_result(&json);
}

/* Classes and options of a label model. */
static void
put_label_model(StringInfo json, const Model *model)
{
	const double *parameters = model->parameters;
	int			prior = (int) parameters[LABEL_PRIOR];

	put_word(json, "method",
			 option_word_of(propagate_method_words, model->method));
	put_float(json, "damping", parameters[LABEL_DAMPING]);
	put_word(json, "prior", prior == 0 ? "given" :
			 option_word_of(propagate_prior_words, prior));
	if (prior == PRIOR_SEEDS)
		put_float(json, "prior_weight", parameters[LABEL_PRIOR_WEIGHT]);
	put_float(json, "tolerance", parameters[LABEL_TOLERANCE]);
	put_int(json, "labelled", (int64) parameters[LABEL_SEED_COUNT]);
	put_int(json, "unreached", (int64) parameters[LABEL_UNREACHED_COUNT]);
	put_key(json, "labels");
	appendStringInfoChar(json, '[');
	for (int32 c = 0; c < model->class_count; c++)
	{
		if (c > 0)
			appendStringInfoChar(json, ',');
		escape_json(json, text_to_cstring(model_label(model, c)));
	}
	appendStringInfoChar(json, ']');
}

/* How a map was made, and how good it is. */
static void
put_map(StringInfo json, const Model *model)
{
	const double *parameters = model->parameters;
	int			loss = (int) parameters[MDS_LOSS];
	int			space = (int) parameters[MDS_SPACE];

	put_word(json, "method", option_word_of(mds_method_words, model->method));
	put_int(json, "dims", model->coordinate_count -
			(space == MDS_FLAT ? 0 : 1));
	put_word(json, "loss", option_word_of(mds_loss_words, loss));
	if (loss == MDS_POWER)
		put_float(json, "power", parameters[MDS_POWER_OF_LOSS]);
	put_word(json, "space", option_word_of(mds_space_words, space));
	if (space != MDS_FLAT)
		put_float(json, "radius", parameters[MDS_RADIUS]);
	if (parameters[MDS_METRIC] != METRIC_NONE)
	{
		put_word(json, "metric", option_word_of(metric_words,
												(int) parameters[MDS_METRIC]));
		put_word(json, "scale", option_word_of(scale_words,
											   (int) parameters[MDS_SCALE]));
	}
	put_int(json, "components", (int64) parameters[MDS_COMPONENTS]);
	put_float(json, "stress", parameters[MDS_COST]);
	put_float(json, "normalised_stress", model->residual);
}

/* What a model keeps for new rows, as an object of its own. */
static void
put_kept(StringInfo json, const GlValue *value)
{
	if (value->kept_type == VALUE_POINTS)
	{
		put_matrix(json, &value->points.matrix);
		return;
	}
	put_key(json, "graph");
	appendStringInfoChar(json, '{');
	put_word(json, "kind", option_word_of(kind_words,
										  value_graph(value)->recipe.kind));
	if (value->storage == STORAGE_BLOCK)
		put_blocks(json, &value->block);
	put_recipe(json, &value_graph(value)->recipe);
	if (value_graph(value)->points != NULL)
		put_matrix(json, &value_graph(value)->points->matrix);
	appendStringInfoChar(json, '}');
}

PG_FUNCTION_INFO_V1(graphlearn_info_model);
Datum
graphlearn_info_model(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn info");
	const GlValue *value = value_argument(&host, VALUE_MODEL,
										  PG_GETARG_DATUM(0));
	const Model *model = &value->model;
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	put_word(&json, "kind", option_word_of(model_kind_words, model->kind));
	put_int(&json, "n", model->row_count);
	if (model->kind == MODEL_LABEL)
		put_label_model(&json, model);
	if (model->kind == MODEL_MDS)
		put_map(&json, model);
	put_int(&json, "iterations", model->iterations);
	if (model->kind != MODEL_MDS)
		put_float(&json, "residual", model->residual);
	put_bool(&json, "converged", model->converged);
	if (value->kept_type != 0)
		put_kept(&json, value);
	put_storage(&json, &host, value);
	MemoryContextDelete(arena);
	return json_result(&json);
}
