/*
 * test_row_field.c
 *		If this fails, what the rows of a graph know reaches a new row wrongly.
 */
#include "unit_test.h"

#include "graph/block_build.h"
#include "graph/point_graph.h"
#include "graph/row_field.h"

#define N		300
#define D		3
#define COLUMNS	4
#define QUERIES	30

static int64_t ids[N];
static double values[N * D];
static double field[N * COLUMNS];
static double factor[N];
static double queries[QUERIES * D];

typedef enum Kind
{
	KIND_KNN,
	KIND_RADIUS,
	KIND_BLOCKS,
	KIND_FOREST,
	KIND_COUNTS,				/* a divergence without a triangle inequality */
	KIND_END
} Kind;

typedef struct AnyGraph
{
	SparseGraph sparse;
	BlockGraph	block;
	const Graph *graph;
} AnyGraph;

static PointSet
sample(int n)
{
	GlRandom	random;

	gl_random_begin(&random, 6);
	for (int i = 0; i < n; i++)
	{
		ids[i] = 5 * i;
		factor[i] = 0.5 + gl_random_unit(&random);
		for (int j = 0; j < D; j++)
			values[i * D + j] = fabs(gl_random_normal(&random));
		for (int c = 0; c < COLUMNS; c++)
			field[i * COLUMNS + c] = gl_random_normal(&random);
	}
	for (int q = 0; q < QUERIES * D; q++)
		queries[q] = fabs(gl_random_normal(&random)) + 0.1;
	return (PointSet)
	{
		{n, D, SCALAR_FLOAT8, values}, ids
	};
}

static GlStatus
build(GlHost *host, Kind kind, const PointSet *points, AnyGraph *out)
{
	memset(out, 0, sizeof(*out));
	if (kind <= KIND_RADIUS)
	{
		PointGraphOptions options;
		PointGraphReport report;

		point_graph_defaults(&options);
		options.kind = kind == KIND_KNN ? GRAPH_KNN : GRAPH_RADIUS;
		options.radius = 0.4;
		out->graph = &out->sparse.graph;
		return point_graph_build(host, points, &options, &out->sparse,
								 &report);
	}
	else
	{
		BlockGraphOptions options;
		BlockGraphReport report;

		block_graph_defaults(&options);
		options.tree_count = kind == KIND_FOREST ? 3 : 1;
		if (kind == KIND_COUNTS)
			options.metric = METRIC_COUNTS;
		out->graph = &out->block.graph;
		return block_graph_build(host, points, &options, &out->block,
								 &report);
	}
}

static void
release(GlHost *host, AnyGraph *any)
{
	graph_release(host, any->graph == &any->block.graph ?
				  &any->block.graph : &any->sparse.graph);
}

/* The row of a query as n probabilities, by the other functions. */
static void
row_of(GlHost *host, const AnyGraph *any, const double *query, int exclude,
	   double tolerance, double *p)
{
	memset(p, 0, N * sizeof(double));
	if (any->graph == &any->block.graph)
	{
		BlockRowIndex index;
		BlockRow	row;

		EXPECT_OK(host, block_row_begin(host, &any->block, &index));
		EXPECT_OK(host, block_row_query(host, &index, query, D, exclude,
										tolerance, &row));
		EXPECT_OK(host, block_row_spread(host, &index, &row, p));
		block_row_end(host, &index);
	}
	else
	{
		NewRowIndex index;
		const GraphEntry *entries;
		int64_t		count;

		EXPECT_OK(host, new_row_begin(host, any->graph, &index));
		EXPECT_OK(host, new_row_query(host, &index, query, D, exclude,
									  &entries, &count));
		for (int64_t e = 0; e < count; e++)
			p[entries[e].node] = entries[e].value;
		new_row_end(host, &index);
	}
}

/* Every kind of graph, with factors and without. */
static void
test_sums(void)
{
	for (Kind kind = KIND_KNN; kind < KIND_END; kind++)
		for (int factors = 0; factors <= 1; factors++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			PointSet	points = sample(N);
			AnyGraph	any;
			RowField	carried;

			EXPECT_OK(host, build(host, kind, &points, &any));
			EXPECT_OK(host, row_field_begin(host, any.graph, field,
											factors ? factor : NULL, COLUMNS,
											&carried));
			for (int q = 0; q < QUERIES; q++)
			{
				double		tolerance = q % 3 == 0 ? 0.1 : 0.01;
				int			exclude = q % 5 == 0 ? q : -1;
				const double *query = exclude >= 0 ? values + q * D :
					queries + q * D;
				double		p[N];
				double		value[COLUMNS];
				RowFieldReport report;

				EXPECT_OK(host, row_field_query(host, &carried, query, D,
												exclude, tolerance, value,
												&report));
				EXPECT(report.entry_count > 0 || kind == KIND_RADIUS);
				EXPECT(report.node_count >= report.entry_count);
				row_of(host, &any, query, exclude, tolerance, p);
				for (int c = 0; c < COLUMNS; c++)
				{
					double		wanted = 0;

					for (int i = 0; i < N; i++)
						wanted += p[i] * field[i * COLUMNS + c] *
							(factors ? factor[i] : 1);
					EXPECT_NEAR(value[c], wanted, 1e-12);
				}
			}
			row_field_end(host, &carried);
			release(host, &any);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* By scan and by tree, first and last, alone and after others: the bits. */
static void
test_same_bits(void)
{
	for (Kind kind = KIND_KNN; kind < KIND_END; kind++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSet	points = sample(N);
		AnyGraph	any;
		RowField	carried;
		static double first[QUERIES * COLUMNS];

		EXPECT_OK(host, build(host, kind, &points, &any));
		for (int pass = 0; pass < 3; pass++)
		{
			EXPECT_OK(host, row_field_begin(host, any.graph, field, NULL,
											COLUMNS, &carried));
			if (pass == 2 && kind <= KIND_RADIUS)
				carried.neighbours.search.scan_limit = 0;
			for (int k = 0; k < QUERIES; k++)
			{
				int			q = pass == 1 ? QUERIES - 1 - k : k;
				double		value[COLUMNS];

				EXPECT_OK(host, row_field_query(host, &carried,
												queries + q * D, D, -1, 0.01,
												value, NULL));
				if (pass == 0)
					memcpy(first + q * COLUMNS, value, sizeof(value));
				EXPECT(memcmp(first + q * COLUMNS, value,
							  sizeof(value)) == 0);
			}
			row_field_end(host, &carried);
		}
		release(host, &any);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Nothing near, no columns, points that are no numbers, no points. */
static void
test_edges(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points = sample(N);
	AnyGraph	any;
	RowField	carried;
	double		far[D] = {100, 100, 100};
	double		value[COLUMNS] = {1, 1, 1, 1};

	for (Kind kind = KIND_KNN; kind < KIND_END; kind++)
	{
		EXPECT_OK(host, build(host, kind, &points, &any));
		EXPECT_OK(host, row_field_begin(host, any.graph, NULL, NULL, 0,
										&carried));
		EXPECT_OK(host, row_field_query(host, &carried, queries, D, -1, 0.01,
										value, NULL));
		row_field_end(host, &carried);
		release(host, &any);
	}
	EXPECT_OK(host, build(host, KIND_RADIUS, &points, &any));
	EXPECT_OK(host, row_field_begin(host, any.graph, field, NULL, COLUMNS,
									&carried));
	EXPECT_OK(host, row_field_query(host, &carried, far, D, -1, 0.01, value,
									NULL));
	EXPECT(value[0] == 0 && value[3] == 0);
	EXPECT(row_field_query(host, &carried, far, D - 1, -1, 0.01, value,
						   NULL) == GL_ERR_DATA);
	row_field_end(host, &carried);
	((double *) any.graph->points->matrix.values)[7] = NAN;
	EXPECT(row_field_begin(host, any.graph, field, NULL, COLUMNS, &carried) ==
		   GL_ERR_CORRUPT);
	any.sparse.graph.points = NULL;
	EXPECT(row_field_begin(host, any.graph, field, NULL, COLUMNS, &carried) ==
		   GL_ERR_OPTION);
	test_host_end(&test);
}

static GlStatus
field_job(GlHost *host)
{
	for (Kind kind = KIND_KNN; kind < KIND_END; kind++)
	{
		PointSet	points = sample(12);
		AnyGraph	any;
		RowField	carried;
		double		value[COLUMNS];

		GL_TRY(build(host, kind, &points, &any));
		GL_TRY(row_field_begin(host, any.graph, field, factor, COLUMNS,
							   &carried));
		GL_TRY(row_field_query(host, &carried, queries, D, -1, 0.1, value,
							   NULL));
		row_field_end(host, &carried);
		release(host, &any);
	}
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(field_job);
}

int
main(void)
{
	RUN(test_sums);
	RUN(test_same_bits);
	RUN(test_edges);
	RUN(test_refused);
	UNIT_TEST_END();
}
