/*
 * default_graph.c
 *		Choose between a neighbour search and a forest, and build.
 */
#include "graph/default_graph.h"

#include <string.h>

#include "graph/block_build.h"

/* A tree searches few columns well; beyond, products decide. */
#define SEARCH_DIMENSIONS	15
#define SEARCH_WORK			1e13
#define FOREST_TREES		8

bool
default_graph_is_searched(const PointMatrix *points)
{
	double		n = (double) points->row_count;

	return points->dimension_count <= SEARCH_DIMENSIONS ||
		n * n * points->dimension_count <= SEARCH_WORK;
}

static GlStatus
build_forest(GlHost *host, const PointSet *points,
			 const PointGraphOptions *from, BlockGraph *forest,
			 double *column_spread)
{
	BlockGraphOptions options;
	BlockGraphReport report;

	block_graph_defaults(&options);
	options.tree_count = FOREST_TREES;
	options.metric = from->metric;
	options.scale = from->scale;
	options.keep_points = from->keep_points;
	options.seed = from->seed;
	GL_TRY(block_graph_build(host, points, &options, forest, &report));
	*column_spread = report.column_spread;
	return GL_OK;
}

GlStatus
default_graph_build(GlHost *host, const PointSet *points,
					const PointGraphOptions *options,
					DefaultGraphChoice choice, SparseGraph *sparse,
					BlockGraph *forest, Graph **graph, double *column_spread)
{
	PointGraphReport report;

	memset(sparse, 0, sizeof(*sparse));
	memset(forest, 0, sizeof(*forest));
	*graph = NULL;
	if (choice == CHOICE_FOREST ||
		(choice == CHOICE_BY_SIZE &&
		 !default_graph_is_searched(&points->matrix)))
	{
		GL_TRY(build_forest(host, points, options, forest, column_spread));
		*graph = &forest->graph;
		return GL_OK;
	}
	GL_TRY(point_graph_build(host, points, options, sparse, &report));
	*column_spread = report.column_spread;
	*graph = &sparse->graph;
	return GL_OK;
}
