/*
 * test_new_row.c
 *		If this fails, a point never seen is joined to other rows, or with
 *		other weights, than the builder would have given it.
 */
#include "unit_test.h"

#include "graph/new_row.h"
#include "graph/point_graph.h"

#define MAX_N	80
#define MAX_D	12

typedef struct Sample
{
	PointSet	points;
	int64_t		ids[MAX_N];
	double		values[MAX_N * MAX_D];
	float		small[MAX_N * MAX_D];
} Sample;

static Sample sample;

static void
sample_random(GlRandom *random, int n, int d, bool as_float, double unit)
{
	sample.points = (PointSet)
	{
		{n, d, as_float ? SCALAR_FLOAT4 : SCALAR_FLOAT8,
		as_float ? (void *) sample.small : (void *) sample.values}, sample.ids
	};
	for (int i = 0; i < n; i++)
		sample.ids[i] = 10 * i;
	for (int v = 0; v < n * d; v++)
	{
		sample.values[v] = unit * (1 + v % d) *
			(0.5 + gl_random_normal(random));
		sample.small[v] = (float) sample.values[v];
		if (as_float)
			sample.values[v] = sample.small[v];
	}
}

/* Brute force in long double: the space, the order, the weights. */
typedef struct Reference
{
	int			n;
	long double squared[MAX_N]; /* to the new row, in the space */
	int			order[MAX_N];	/* nearest first */
	double		p[MAX_N];
} Reference;

static void
reference_map(const Graph *graph, const double *row, int d, long double *out)
{
	long double squares = 0;

	for (int j = 0; j < d; j++)
	{
		out[j] = row[j];
		if (graph->recipe.scale == SCALE_STANDARD)
			out[j] /= graph->column_scale[j];
		squares += out[j] * out[j];
	}
	if (graph->recipe.metric == METRIC_COSINE)
		for (int j = 0; j < d; j++)
			out[j] /= sqrtl(squares);
}

static void
reference_distances(const Graph *graph, const double *features, int exclude,
					Reference *reference)
{
	int			n = (int) graph->node_count;
	int			d = graph->points->matrix.dimension_count;
	long double mapped[MAX_D];
	long double stored[MAX_D];

	memset(reference, 0, sizeof(*reference));
	reference_map(graph, features, d, mapped);
	for (int i = 0; i < n; i++)
	{
		int			at = reference->n;

		reference_map(graph, sample.values + i * d, d, stored);
		for (int j = 0; j < d; j++)
			reference->squared[i] += (mapped[j] - stored[j]) *
				(mapped[j] - stored[j]);
		if (i == exclude)
			continue;
		for (; at > 0 && reference->squared[reference->order[at - 1]] >
			 reference->squared[i]; at--)
			reference->order[at] = reference->order[at - 1];
		reference->order[at] = i;
		reference->n++;
	}
}

static void
reference_row(const Graph *graph, const double *features, int exclude,
			  Reference *reference)
{
	const GraphRecipe *recipe = &graph->recipe;
	bool		knn = recipe->kind == GRAPH_KNN;
	int			k;
	int			rank;
	long double scale;
	long double degree = 0;
	long double weight[MAX_N] = {0};

	reference_distances(graph, features, exclude, reference);
	k = !knn ? reference->n :
		recipe->k < reference->n ? recipe->k : reference->n;
	rank = k < 7 ? k : 7;
	scale = rank > 0 ?
		sqrtl(reference->squared[reference->order[rank - 1]]) : 0;
	for (int r = 0; r < k; r++)
	{
		int			i = reference->order[r];
		long double squared = reference->squared[i];

		if (!knn && !((recipe->metric == METRIC_COSINE ? squared / 2 :
					   sqrtl(squared)) < recipe->radius))
			continue;
		weight[i] = recipe->weights == WEIGHTS_ADAPTIVE ?
			expl(-fminl(300, 2 * squared / (scale * graph->node_scale[i]))) :
			recipe->weights == WEIGHTS_GAUSSIAN ?
			expl(-fminl(300, squared /
						(2 * (long double) recipe->bandwidth *
						 recipe->bandwidth))) :
			recipe->weights == WEIGHTS_SIMILARITY ?
			fmaxl(0, 1 - squared / 2) : 1;
		degree += weight[i];
	}
	for (int i = 0; i < (int) graph->node_count; i++)
		reference->p[i] = degree > 0 ? (double) (weight[i] / degree) : 0;
}

static void
expect_row(GlHost *host, NewRowIndex *index, const double *features,
		   int exclude)
{
	static Reference reference;
	int			n = (int) index->graph->node_count;
	const GraphEntry *entries;
	int64_t		count;
	double		found[MAX_N] = {0};

	reference_row(index->graph, features, exclude, &reference);
	EXPECT_OK(host, new_row_query(host, index, features,
								  sample.points.matrix.dimension_count,
								  exclude, &entries, &count));
	for (int64_t e = 0; e < count; e++)
	{
		EXPECT(e == 0 || entries[e - 1].node < entries[e].node);
		EXPECT(entries[e].value > 0);
		found[entries[e].node] = entries[e].value;
	}
	for (int i = 0; i < n; i++)
		EXPECT_NEAR(found[i], reference.p[i], 1e-11);
}

/* Every kind, metric, scale and weight rule, doubles and floats. */
static void
test_brute_force(void)
{
	GlRandom	random;

	gl_random_begin(&random, 21);
	for (int trial = 0; trial < 96; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		static const GraphWeights weights[] = {
			WEIGHTS_ADAPTIVE, WEIGHTS_GAUSSIAN, WEIGHTS_BINARY,
			WEIGHTS_SIMILARITY
		};
		int			n = 1 + (int) gl_random_below(&random, MAX_N);
		int			d = 1 + (int) gl_random_below(&random, MAX_D);
		PointGraphOptions options;
		PointGraphReport report;
		SparseGraph sparse;
		NewRowIndex index;

		point_graph_defaults(&options);
		options.kind = trial % 3 == 2 ? GRAPH_RADIUS : GRAPH_KNN;
		options.metric = trial / 4 % 2 ? METRIC_COSINE : METRIC_EUCLIDEAN;
		options.weights = weights[trial % 4];
		if (options.weights == WEIGHTS_SIMILARITY)
			options.metric = METRIC_COSINE;
		options.scale = trial / 8 % 2 ? SCALE_STANDARD : SCALE_NONE;
		options.k = 1 + trial % 13;
		options.radius = options.metric == METRIC_COSINE ? 0.6 : 5;
		sample_random(&random, n, d, trial % 5 == 0, 1);
		EXPECT_OK(host, point_graph_build(host, &sample.points, &options,
										  &sparse, &report));
		EXPECT_OK(host, new_row_begin(host, &sparse.graph, &index));
		for (int r = 0; r < 5; r++)
		{
			double		features[MAX_D];
			int			i = (int) gl_random_below(&random, n);

			for (int j = 0; j < d; j++)
				features[j] = (1 + j) * (0.5 + gl_random_normal(&random));
			/* without scales a lone row gets all, as new_row.c says */
			if (n > 1)
				expect_row(host, &index, features, -1);
			expect_row(host, &index, sample.values + i * d, i);
		}
		new_row_end(host, &index);
		graph_release(host, &sparse.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A row of the graph, left out, has the row the builder gave it: directed. */
static void
test_same_as_built(void)
{
	static const double unit[] = {1, 1e-200, 1e200};

	for (int trial = 0; trial < 18; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GlRandom	random;
		PointGraphOptions options;
		PointGraphReport report;
		SparseGraph sparse;
		NewRowIndex index;

		gl_random_begin(&random, trial);
		sample_random(&random, 60, 3, false, unit[trial % 3]);
		point_graph_defaults(&options);
		options.symmetry = SYMMETRY_DIRECTED;
		options.scale = trial % 2 ? SCALE_STANDARD : SCALE_NONE;
		options.metric = trial / 6 == 2 ? METRIC_COSINE : METRIC_EUCLIDEAN;
		options.weights = trial / 6 == 1 ?
			WEIGHTS_GAUSSIAN : WEIGHTS_ADAPTIVE;
		EXPECT_OK(host, point_graph_build(host, &sample.points, &options,
										  &sparse, &report));
		EXPECT_OK(host, new_row_begin(host, &sparse.graph, &index));
		for (int i = 0; i < 60; i++)
		{
			const GraphEntry *entries;
			int64_t		count;
			double		degree = 0;
			int64_t		start = sparse.row_start[i];

			EXPECT_OK(host, new_row_query(host, &index,
										  sample.values + 3 * i, 3, i,
										  &entries, &count));
			EXPECT(count == sparse.row_start[i + 1] - start);
			for (int64_t e = 0; e < count; e++)
				degree += sparse.weight[start + e];
			for (int64_t e = 0; e < count; e++)
			{
				EXPECT(entries[e].node == sparse.neighbour[start + e]);
				EXPECT(entries[e].value == sparse.weight[start + e] / degree);
			}
		}
		new_row_end(host, &index);
		graph_release(host, &sparse.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* On top of duplicates the scale is 0 without its floor. */
static void
test_floor(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PointGraphOptions options;
	PointGraphReport report;
	SparseGraph sparse;
	NewRowIndex index;

	for (int duplicates = 0; duplicates <= 1; duplicates++)
	{
		const GraphEntry *entries;
		int64_t		count;
		double		sum = 0;

		gl_random_begin(&random, 2);
		sample_random(&random, 40, 2, false, 1);
		for (int v = 2; v < 30 && duplicates; v++)
			sample.values[v] = sample.values[v % 2];
		point_graph_defaults(&options);
		if (!duplicates)
			options.k = 1;		/* its one neighbour is at distance 0 */
		EXPECT_OK(host, point_graph_build(host, &sample.points, &options,
										  &sparse, &report));
		EXPECT_OK(host, new_row_begin(host, &sparse.graph, &index));
		EXPECT(index.smallest_scale > 0);
		/* where the builder's floor was reached it is the same */
		for (int i = 0; i < 40; i++)
			EXPECT(sparse.graph.node_scale[i] >= index.smallest_scale);
		if (duplicates)
			EXPECT(sparse.graph.node_scale[0] == index.smallest_scale ||
				   sparse.graph.node_scale[0] <=
				   2 * index.smallest_scale);
		EXPECT_OK(host, new_row_query(host, &index, sample.values, 2, -1,
									  &entries, &count));
		for (int64_t e = 0; e < count; e++)
			sum += entries[e].value;
		EXPECT_NEAR(sum, 1, 1e-14);
		EXPECT(count == options.k);
		new_row_end(host, &index);
		graph_release(host, &sparse.graph);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
expect_refused(GraphKind kind, GraphWeights weights, bool keep_points,
			   const double *features, int count, GlStatus status,
			   const char *words)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PointGraphOptions options;
	PointGraphReport report;
	SparseGraph sparse;
	NewRowIndex index;
	const GraphEntry *entries;
	int64_t		entry_count;
	GlStatus	found;

	gl_random_begin(&random, 1);
	sample_random(&random, 20, 3, false, 1);
	point_graph_defaults(&options);
	options.kind = kind;
	options.weights = weights;
	options.keep_points = keep_points;
	options.radius = 1;
	EXPECT_OK(host, point_graph_build(host, &sample.points, &options, &sparse,
									  &report));
	found = new_row_begin(host, &sparse.graph, &index);
	if (found == GL_OK)
		found = new_row_query(host, &index, features, count, -1, &entries,
							  &entry_count);
	EXPECT(found == status);
	EXPECT(strstr(host->message, words) != NULL ||
		   strstr(host->hint, words) != NULL);
	test_host_end(&test);
}

static void
test_errors(void)
{
	static const double good[3] = {1, 2, 3};
	static const double infinite[3] = {1, 2, INFINITY};
	static const double far[3] = {1, 1e150, 3};

	expect_refused(GRAPH_KNN, WEIGHTS_ADAPTIVE, true, good, 2, GL_ERR_DATA,
				   "has 2 features, but the rows of the graph have 3");
	expect_refused(GRAPH_KNN, WEIGHTS_ADAPTIVE, true, infinite, 3,
				   GL_ERR_DATA, "feature 3 of the new row is infinite");
	expect_refused(GRAPH_RADIUS, WEIGHTS_ADAPTIVE, true, far, 3, GL_ERR_DATA,
				   "feature 2 of the new row is 1e+150, too far");
	expect_refused(GRAPH_KNN, WEIGHTS_ADAPTIVE, false, good, 3, GL_ERR_OPTION,
				   "keep_points");
	expect_refused(GRAPH_KNN, WEIGHTS_DISTANCE, true, good, 3, GL_ERR_OPTION,
				   "distances");
	expect_refused(GRAPH_TREE, WEIGHTS_ADAPTIVE, true, good, 3, GL_ERR_OPTION,
				   "a spanning tree");
	expect_refused(GRAPH_FULL, WEIGHTS_ADAPTIVE, true, good, 3, GL_ERR_OPTION,
				   "a full graph");
}

static GlStatus
row_job(GlHost *host)
{
	for (GraphKind kind = GRAPH_KNN; kind <= GRAPH_RADIUS; kind++)
	{
		PointGraphOptions options;
		PointGraphReport report;
		SparseGraph sparse;
		NewRowIndex index;
		const GraphEntry *entries;
		int64_t		count;

		point_graph_defaults(&options);
		options.kind = kind;
		options.radius = 3;
		options.scale = SCALE_STANDARD;
		GL_TRY(point_graph_build(host, &sample.points, &options, &sparse,
								 &report));
		GL_TRY(new_row_begin(host, &sparse.graph, &index));
		GL_TRY(new_row_query(host, &index, sample.values, 2, -1, &entries,
							 &count));
		new_row_end(host, &index);
		graph_release(host, &sparse.graph);
	}
	return GL_OK;
}

static void
test_refused(void)
{
	GlRandom	random;

	gl_random_begin(&random, 9);
	sample_random(&random, 12, 2, false, 1);
	test_refusals(row_job);
}

int
main(void)
{
	RUN(test_brute_force);
	RUN(test_same_as_built);
	RUN(test_floor);
	RUN(test_errors);
	RUN(test_refused);
	UNIT_TEST_END();
}
