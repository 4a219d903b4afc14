/*
 * arranged.c
 *		Breadth-first order by component, and compressed rows in that order.
 */
#include "graph/arranged.h"

#include <string.h>

/* The edges of a graph by node, both ways where it is symmetric. */
typedef struct EdgeLists
{
	int64_t		node_count;
	bool		both_ways;
	int64_t    *start;			/* n + 1 */
	int64_t    *end;			/* n; grows while filling */
	int32_t    *neighbour;
	double	   *weight;
} EdgeLists;

static GlStatus
count_edge(void *state, int32_t source, int32_t target, double weight)
{
	EdgeLists  *lists = state;

	(void) weight;
	lists->start[source + 1]++;
	if (lists->both_ways && source != target)
		lists->start[target + 1]++;
	return GL_OK;
}

static GlStatus
place_edge(void *state, int32_t source, int32_t target, double weight)
{
	EdgeLists  *lists = state;
	int64_t		entry = lists->end[source]++;

	lists->neighbour[entry] = target;
	lists->weight[entry] = weight;
	if (lists->both_ways && source != target)
	{
		entry = lists->end[target]++;
		lists->neighbour[entry] = source;
		lists->weight[entry] = weight;
	}
	return GL_OK;
}

static GlStatus
lists_begin(GlHost *host, const Graph *graph, EdgeLists *lists)
{
	int64_t		n = graph->node_count;

	memset(lists, 0, sizeof(*lists));
	lists->node_count = n;
	lists->both_ways = graph->is_symmetric;
	GL_NEW_ZEROED(host, lists->start, n + 1);
	GL_NEW(host, lists->end, n);
	GL_TRY(graph->operations->visit_edges(host, graph, count_edge, lists));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		lists->end[i] = lists->start[i];
		lists->start[i + 1] += lists->start[i];
	}
	GL_NEW(host, lists->neighbour, lists->start[n]);
	GL_NEW(host, lists->weight, lists->start[n]);
	return graph->operations->visit_edges(host, graph, place_edge, lists);
}

static void
lists_end(GlHost *host, EdgeLists *lists)
{
	gl_release(host, lists->start);
	gl_release(host, lists->end);
	gl_release(host, lists->neighbour);
	gl_release(host, lists->weight);
}

/*
 * The nodes of a component in breadth-first order from `first`, into a queue
 * of their own.  `seen` holds the number of the search that saw a node.
 */
static GlStatus
search_component(GlHost *host, const EdgeLists *lists, int32_t first,
				 int32_t search, int32_t *seen, int32_t *queue)
{
	int64_t		head = 0;
	int64_t		tail = 1;

	queue[0] = first;
	seen[first] = search;
	while (head < tail)
	{
		int32_t		node = queue[head++];

		GL_TRY(gl_work(host, 4 * (lists->start[node + 1] -
								  lists->start[node] + 1)));
		for (int64_t e = lists->start[node]; e < lists->start[node + 1]; e++)
			if (seen[lists->neighbour[e]] != search)
			{
				seen[lists->neighbour[e]] = search;
				queue[tail++] = lists->neighbour[e];
			}
	}
	return GL_OK;
}

/* Nodes by component, in their own order: a counting sort. */
static GlStatus
sort_components(GlHost *host, const Graph *graph, ArrangedGraph *arranged)
{
	int64_t		n = graph->node_count;
	int32_t    *component;
	int64_t    *next;

	GL_NEW(host, component, n);
	GL_TRY(graph_components(host, graph, component,
							&arranged->component_count));
	GL_NEW_ZEROED(host, arranged->component_start,
				  arranged->component_count + 1);
	GL_NEW(host, next, arranged->component_count);
	GL_NEW(host, arranged->node, n);
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		arranged->component_start[component[i] + 1]++;
	}
	for (int32_t c = 0; c < arranged->component_count; c++)
	{
		GL_TRY(gl_work(host, 1));
		next[c] = arranged->component_start[c];
		arranged->component_start[c + 1] += arranged->component_start[c];
	}
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		arranged->node[next[component[i]]++] = (int32_t) i;
	}
	gl_release(host, next);
	gl_release(host, component);
	return GL_OK;
}

/*
 * Breadth-first order within every component, from the node that an earlier
 * search reached last: one at the rim gives many narrow levels.
 */
static GlStatus
order_components(GlHost *host, const EdgeLists *lists,
				 ArrangedGraph *arranged)
{
	int32_t    *seen;

	GL_NEW_ZEROED(host, seen, lists->node_count);
	for (int32_t c = 0; c < arranged->component_count; c++)
	{
		int32_t    *queue = arranged->node + arranged->component_start[c];
		int64_t		size = arranged->component_start[c + 1] -
			arranged->component_start[c];

		GL_TRY(search_component(host, lists, queue[0], 1, seen, queue));
		GL_TRY(search_component(host, lists, queue[size - 1], 2, seen,
								queue));
	}
	gl_release(host, seen);
	return GL_OK;
}

/* Take the lists over into compressed rows by position, columns ascending. */
static GlStatus
write_rows(GlHost *host, const Graph *graph, const EdgeLists *lists,
		   ArrangedGraph *arranged)
{
	int64_t		n = lists->node_count;
	int64_t    *row_start;
	int64_t    *ids;
	int32_t    *position;
	int32_t    *neighbour;
	double	   *weight;
	int64_t    *end = lists->end;

	GL_NEW(host, position, n);
	GL_NEW(host, row_start, n + 1);
	GL_NEW(host, ids, n);
	GL_NEW(host, neighbour, lists->start[n]);
	GL_NEW(host, weight, lists->start[n]);
	row_start[0] = 0;
	for (int64_t p = 0; p < n; p++)
	{
		int32_t		node = arranged->node[p];

		GL_TRY(gl_work(host, 4));
		position[node] = (int32_t) p;
		ids[p] = graph->ids[node];
		row_start[p + 1] = row_start[p] + lists->start[node + 1] -
			lists->start[node];
		end[p] = row_start[p];
	}
	/*
	 * Symmetric: walking the positions upwards and writing each edge at its
	 * far end leaves every row sorted.  Otherwise the order within components
	 * is unchanged, and so is that of the lists.
	 */
	for (int64_t p = 0; p < n; p++)
	{
		int32_t		node = arranged->node[p];

		GL_TRY(gl_work(host, 4 * (lists->start[node + 1] -
								  lists->start[node] + 1)));
		for (int64_t e = lists->start[node]; e < lists->start[node + 1]; e++)
		{
			int32_t		other = position[lists->neighbour[e]];
			int64_t		entry = end[lists->both_ways ? other : p]++;

			neighbour[entry] = lists->both_ways ? (int32_t) p : other;
			weight[entry] = lists->weight[e];
		}
	}
	gl_release(host, position);
	arranged->sparse.graph = (Graph) {
		.node_count = n,
		.ids = ids,
		.is_symmetric = graph->is_symmetric,
		.is_stochastic = graph->is_stochastic,
		.meaning = graph->meaning,
		.recipe = graph->recipe
	};
	arranged->sparse.entry_count = row_start[n];
	arranged->sparse.row_start = row_start;
	arranged->sparse.neighbour = neighbour;
	arranged->sparse.weight = weight;
	sparse_graph_bind(&arranged->sparse);
	return GL_OK;
}

GlStatus
arranged_begin(GlHost *host, const Graph *graph, ArrangedGraph *out)
{
	ArrangedGraph arranged = {0};
	EdgeLists	lists;

	memset(out, 0, sizeof(*out));
	if (graph->operations->visit_edges == NULL)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "a graph without edges cannot be arranged");
	GL_TRY(sort_components(host, graph, &arranged));
	GL_TRY(lists_begin(host, graph, &lists));
	if (graph->is_symmetric)
		GL_TRY(order_components(host, &lists, &arranged));
	GL_TRY(write_rows(host, graph, &lists, &arranged));
	lists_end(host, &lists);
	*out = arranged;
	return GL_OK;
}

void
arranged_end(GlHost *host, ArrangedGraph *arranged)
{
	graph_release(host, &arranged->sparse.graph);
	gl_release(host, arranged->node);
	gl_release(host, arranged->component_start);
	memset(arranged, 0, sizeof(*arranged));
}

GlStatus
arranged_part(GlHost *host, const ArrangedGraph *arranged, int32_t component,
			  SparseGraph *out)
{
	const SparseGraph *whole = &arranged->sparse;
	int64_t		first = arranged->component_start[component];
	int64_t		size = arranged->component_start[component + 1] - first;
	int64_t		start = whole->row_start[first];
	int64_t		count = whole->row_start[first + size] - start;
	SparseGraph part = {.graph = whole->graph,.entry_count = count};
	int64_t    *row_start;
	int64_t    *ids;
	int32_t    *neighbour;
	double	   *weight;

	memset(out, 0, sizeof(*out));
	GL_NEW(host, row_start, size + 1);
	GL_NEW(host, ids, size);
	GL_NEW(host, neighbour, count);
	GL_NEW(host, weight, count);
	for (int64_t i = 0; i <= size; i++)
	{
		GL_TRY(gl_work(host, 1));
		row_start[i] = whole->row_start[first + i] - start;
		if (i < size)
			ids[i] = whole->graph.ids[first + i];
	}
	for (int64_t e = 0; e < count; e++)
	{
		GL_TRY(gl_work(host, 1));
		neighbour[e] = (int32_t) (whole->neighbour[start + e] - first);
		weight[e] = whole->weight[start + e];
	}
	part.graph.node_count = size;
	part.graph.ids = ids;
	part.row_start = row_start;
	part.neighbour = neighbour;
	part.weight = weight;
	*out = part;
	return GL_OK;
}
