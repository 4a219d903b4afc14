/*
 * partition_quality.c
 *		Modularity, conductance and cut of an assignment, by the operator
 *		contract.
 *
 * The measures follow from five sums per cluster over the entries of A
 * (struct Flows).  Weights are never negative, and what is small (the weight
 * that crosses) is summed itself rather than found as a difference.
 */
#include "measure/partition_quality.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

/* Indicator columns of one product, where edges cannot be listed. */
#define COLUMNS_PER_PASS	16

/*
 * Sums over entries A_ij.  Index cluster_count stands for the nodes that are
 * in no cluster, so that the totals are the sums of the arrays.
 */
typedef struct Flows
{
	double	   *within;			/* i and j in c */
	double	   *crossing;		/* exactly one of i and j in c */
	double	   *out;			/* i in c */
	double	   *in;				/* j in c */
	double	   *loops;			/* i = j in c */
} Flows;

/* No node may be named twice. */
static GlStatus
check_nodes(GlHost *host, const Graph *graph, const int32_t *nodes,
			int64_t count)
{
	bool	   *is_named;

	GL_NEW_ZEROED(host, is_named, graph->node_count);
	for (int64_t e = 0; e < count; e++)
	{
		GL_TRY(gl_work(host, 1));
		if (is_named[nodes[e]])
			return gl_fail(host, GL_ERR_OPTION, "id %lld is named twice",
						   (long long) graph->ids[nodes[e]]);
		is_named[nodes[e]] = true;
	}
	gl_release(host, is_named);
	return GL_OK;
}

/* Number the labels in ascending order and hand them to the nodes. */
static GlStatus
number_labels(GlHost *host, const int32_t *labels, const bool *is_null,
			  int64_t count, const int32_t *nodes, Partition *partition)
{
	int64_t    *keys;
	int32_t    *order;
	bool		any = false;
	int64_t		label = 0;

	GL_NEW(host, keys, count);
	GL_NEW(host, order, count);
	for (int64_t e = 0; e < count; e++)
	{
		GL_TRY(gl_work(host, 1));
		keys[e] = labels[e];
	}
	GL_TRY(gl_sort_order(host, keys, count, order));
	for (int64_t place = 0; place < count; place++)
	{
		int32_t		e = order[place];

		GL_TRY(gl_work(host, 2));
		if (is_null != NULL && is_null[e])
			continue;
		if (!any || keys[e] != label)
			partition->cluster_count++;
		any = true;
		label = keys[e];
		partition->cluster_of_node[nodes[e]] =
			partition->cluster_count - 1;
	}
	gl_release(host, order);
	gl_release(host, keys);
	return GL_OK;
}

static GlStatus
build_partition(GlHost *host, const Graph *graph, const int32_t *nodes,
				const int32_t *labels, const bool *is_null, int64_t count,
				Partition *partition)
{
	if (count > INT32_MAX)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "an assignment is limited to %d ids", INT32_MAX);
	partition->node_count = graph->node_count;
	GL_NEW(host, partition->cluster_of_node, graph->node_count);
	for (int64_t i = 0; i < graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		partition->cluster_of_node[i] = PARTITION_NO_CLUSTER;
	}
	GL_TRY(check_nodes(host, graph, nodes, count));
	return number_labels(host, labels, is_null, count, nodes, partition);
}

GlStatus
partition_build(GlHost *host, const Graph *graph, const int32_t *nodes,
				const int32_t *labels, const bool *is_null, int64_t count,
				Partition *partition)
{
	GlStatus	status;

	memset(partition, 0, sizeof(*partition));
	status = build_partition(host, graph, nodes, labels, is_null, count,
							 partition);
	if (status != GL_OK)
		memset(partition, 0, sizeof(*partition));
	return status;
}

void
partition_release(GlHost *host, Partition *partition)
{
	gl_release(host, partition->cluster_of_node);
	memset(partition, 0, sizeof(*partition));
}

/* Where a node's numbers are summed. */
static int32_t
flow_index(const Partition *partition, int64_t node)
{
	int32_t		cluster = partition->cluster_of_node[node];

	return cluster == PARTITION_NO_CLUSTER ? partition->cluster_count :
		cluster;
}

/* Add per-node numbers up per cluster. */
static GlStatus
sum_by_cluster(GlHost *host, const Partition *partition,
			   const double *values, double *sums)
{
	for (int64_t i = 0; i < partition->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		sums[flow_index(partition, i)] += values[i];
	}
	return GL_OK;
}

/* out, in and loops: the part that every kind answers in O(entries). */
static GlStatus
sum_volumes(GlHost *host, const Graph *graph, const Partition *partition,
			Flows *flows)
{
	int64_t		nodes = graph->node_count;
	double	   *values;

	GL_NEW(host, values, nodes);
	GL_TRY(graph_row_sums(host, graph, values));
	GL_TRY(sum_by_cluster(host, partition, values, flows->out));
	if (graph->is_symmetric)
		memcpy(flows->in, flows->out,
			   ((size_t) partition->cluster_count + 1) * sizeof(double));
	else
	{
		double	   *ones;

		GL_NEW(host, ones, nodes);
		for (int64_t i = 0; i < nodes; i++)
			ones[i] = 1;
		GL_TRY(graph_apply_transpose(host, graph, ones, values, 1));
		GL_TRY(sum_by_cluster(host, partition, values, flows->in));
		gl_release(host, ones);
	}
	GL_TRY(graph->operations->diagonal(host, graph, values));
	GL_TRY(sum_by_cluster(host, partition, values, flows->loops));
	gl_release(host, values);
	return GL_OK;
}

typedef struct EdgeSums
{
	const Partition *partition;
	Flows	   *flows;
	bool		is_symmetric;
} EdgeSums;

/* An edge of a symmetric graph comes once but is two entries of A. */
static GlStatus
add_edge(void *state, int32_t source, int32_t target, double weight)
{
	EdgeSums   *sums = state;
	int32_t		from = flow_index(sums->partition, source);
	int32_t		to = flow_index(sums->partition, target);

	if (sums->is_symmetric && source != target)
		weight *= 2;
	if (from == to)
		sums->flows->within[from] += weight;
	else
	{
		sums->flows->crossing[from] += weight;
		sums->flows->crossing[to] += weight;
	}
	return GL_OK;
}

/*
 * Columns first .. first + count - 1 of the product with A or A^T: what each
 * node sends into a cluster, or receives from it.
 */
static GlStatus
add_product(GlHost *host, const Partition *partition, const double *product,
			int32_t first, int32_t count, double factor, bool add_within,
			Flows *flows)
{
	for (int64_t i = 0; i < partition->node_count; i++)
	{
		GL_TRY(gl_work(host, count));
		for (int32_t c = 0; c < count; c++)
		{
			double		value = product[i * count + c];

			if (partition->cluster_of_node[i] != first + c)
				flows->crossing[first + c] += factor * value;
			else if (add_within)
				flows->within[first + c] += value;
		}
	}
	return GL_OK;
}

static GlStatus
sum_by_products(GlHost *host, const Graph *graph, const Partition *partition,
				Flows *flows)
{
	int32_t		clusters = partition->cluster_count;
	int32_t		width = clusters < COLUMNS_PER_PASS ? clusters :
		COLUMNS_PER_PASS;
	double	   *indicator;
	double	   *product;

	GL_NEW(host, indicator, graph->node_count * width);
	GL_NEW(host, product, graph->node_count * width);
	for (int32_t first = 0; first < clusters; first += width)
	{
		int32_t		count = clusters - first < width ? clusters - first :
			width;
		bool		both = graph->is_symmetric;

		for (int64_t i = 0; i < graph->node_count; i++)
		{
			GL_TRY(gl_work(host, count));
			for (int32_t c = 0; c < count; c++)
				indicator[i * count + c] =
					partition->cluster_of_node[i] == first + c;
		}
		GL_TRY(graph_apply(host, graph, indicator, product, count));
		GL_TRY(add_product(host, partition, product, first, count,
						   both ? 2 : 1, true, flows));
		if (both)
			continue;
		GL_TRY(graph_apply_transpose(host, graph, indicator, product, count));
		GL_TRY(add_product(host, partition, product, first, count, 1, false,
						   flows));
	}
	gl_release(host, product);
	gl_release(host, indicator);
	return GL_OK;
}

static void
flows_release(GlHost *host, Flows *flows)
{
	gl_release(host, flows->within);
	gl_release(host, flows->crossing);
	gl_release(host, flows->out);
	gl_release(host, flows->in);
	gl_release(host, flows->loops);
}

/*
 * All sums of a graph under an assignment, and the total of its entries.
 */
static GlStatus
flows_sum(GlHost *host, const Graph *graph, const Partition *partition,
		  Flows *flows, double *total)
{
	int64_t		count = (int64_t) partition->cluster_count + 1;

	if (partition->node_count != graph->node_count)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "the assignment belongs to another graph");
	GL_NEW_ZEROED(host, flows->within, count);
	GL_NEW_ZEROED(host, flows->crossing, count);
	GL_NEW_ZEROED(host, flows->out, count);
	GL_NEW_ZEROED(host, flows->in, count);
	GL_NEW_ZEROED(host, flows->loops, count);
	GL_TRY(sum_volumes(host, graph, partition, flows));
	if (graph->operations->visit_edges != NULL)
	{
		EdgeSums	sums = {partition, flows, graph->is_symmetric};

		GL_TRY(graph->operations->visit_edges(host, graph, add_edge, &sums));
	}
	else
		GL_TRY(sum_by_products(host, graph, partition, flows));

	*total = 0;
	for (int64_t c = 0; c < count; c++)
		*total += flows->out[c];
	if (!isfinite(4 * *total))
		return gl_fail(host, GL_ERR_DATA,
					   "the weights of the graph are too large to be summed");
	return GL_OK;
}

/* One cluster's part of Q, in shares of the total: no product overflows. */
static double
modularity_share(const Flows *flows, int32_t cluster, bool is_symmetric,
				 double total)
{
	double		loops = is_symmetric ? flows->loops[cluster] : 0;
	double		inside = (flows->within[cluster] + loops) / total;
	double		out = (flows->out[cluster] + loops) / total;
	double		in = (flows->in[cluster] + loops) / total;

	return inside - out * in;
}

GlStatus
partition_modularity(GlHost *host, const Graph *graph,
					 const Partition *partition, bool *is_defined,
					 double *modularity)
{
	Flows		flows;
	double		total;
	double		sum = 0;

	*is_defined = false;
	*modularity = 0;
	GL_TRY(graph_require_similarity(host, graph, "gl_modularity"));
	GL_TRY(flows_sum(host, graph, partition, &flows, &total));
	if (graph->is_symmetric)
	{
		/* the second count of each self-loop */
		for (int32_t c = 0; c <= partition->cluster_count; c++)
			total += flows.loops[c];
	}
	*is_defined = total > 0 && partition->cluster_count > 0;
	for (int32_t c = 0; *is_defined && c < partition->cluster_count; c++)
		sum += modularity_share(&flows, c, graph->is_symmetric, total);
	*modularity = sum;
	flows_release(host, &flows);
	return GL_OK;
}

/* Entries and degrees are counted at both ends, so factors of 2 cancel. */
static double
cluster_conductance(const Flows *flows, int32_t cluster, double total)
{
	double		cut = flows->crossing[cluster];
	double		volume = flows->out[cluster] + flows->in[cluster];
	double		smaller = fmin(volume, 2 * total - volume);

	if (cut <= 0)
		return 0;
	/* in exact arithmetic smaller >= cut */
	return cut / fmax(smaller, cut);
}

GlStatus
partition_conductance(GlHost *host, const Graph *graph,
					  const Partition *partition, bool *is_defined,
					  double *conductance)
{
	Flows		flows;
	double		total;
	double		sum = 0;

	*is_defined = false;
	*conductance = 0;
	GL_TRY(graph_require_similarity(host, graph, "gl_conductance"));
	GL_TRY(flows_sum(host, graph, partition, &flows, &total));
	*is_defined = total > 0 && partition->cluster_count > 0;
	for (int32_t c = 0; *is_defined && c < partition->cluster_count; c++)
		sum += cluster_conductance(&flows, c, total);
	if (*is_defined)
		*conductance = sum / partition->cluster_count;
	flows_release(host, &flows);
	return GL_OK;
}

GlStatus
partition_normalised_cut(GlHost *host, const Graph *graph,
						 const Partition *partition, bool *is_defined,
						 double *cut)
{
	Flows		flows;
	double		total;
	double		sum = 0;

	*is_defined = false;
	*cut = 0;
	GL_TRY(graph_require_similarity(host, graph, "the normalised cut"));
	GL_TRY(flows_sum(host, graph, partition, &flows, &total));
	*is_defined = total > 0 && partition->cluster_count > 0;
	for (int32_t c = 0; *is_defined && c < partition->cluster_count; c++)
		if (flows.crossing[c] > 0)
			sum += flows.crossing[c] / (flows.out[c] + flows.in[c]);
	*cut = sum;
	flows_release(host, &flows);
	return GL_OK;
}
