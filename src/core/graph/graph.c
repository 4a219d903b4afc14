/*
 * graph.c
 *		What is the same for every graph kind.
 */
#include "graph/graph.h"

#include <string.h>

GlStatus
graph_require_similarity(GlHost *host, const Graph *graph,
						 const char *learner)
{
	if (graph->meaning != GRAPH_LENGTH)
		return GL_OK;
	gl_fail(host, GL_ERR_OPTION,
			"%s needs similarities, but the numbers of this graph are distances",
			learner);
	gl_hint(host, "Convert the graph with gl_affinity(g), or build it with "
			"weights other than 'distance'.");
	return GL_ERR_OPTION;
}

void
graph_release(GlHost *host, Graph *graph)
{
	if (graph->operations != NULL)
		graph->operations->release(host, graph);
}
