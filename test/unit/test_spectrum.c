/*
 * If this fails, embeddings and spectral clusters are made of the wrong
 * vectors: trivial ones not recognised, a normalisation off, or the form of a
 * directed graph not the one that is documented.
 */
#include "dense_graph.h"

#include "base/blas.h"
#include "embed/spectrum.h"
#include "embed/symmetric_form.h"

#define LIMIT	64

/* The dense kind of the harness, with components by repeated sweeps. */
static GlStatus
sweep_components(GlHost *host, const Graph *graph, int32_t *component,
				 int32_t *component_count)
{
	const double *matrix = ((const DenseGraph *) graph)->matrix;
	int64_t		n = graph->node_count;

	*component_count = 0;
	for (int64_t i = 0; i < n; i++)
		component[i] = -1;
	for (int64_t start = 0; start < n; start++)
	{
		bool		changed = true;

		if (component[start] >= 0)
			continue;
		component[start] = (*component_count)++;
		while (changed)
		{
			changed = false;
			for (int64_t i = 0; i < n; i++)
				for (int64_t j = 0; j < n; j++)
					if (component[i] == component[start] &&
						component[j] < 0 && (matrix[i * n + j] > 0 ||
											 matrix[j * n + i] > 0))
					{
						component[j] = component[start];
						changed = true;
					}
		}
	}
	return gl_work(host, n);
}

static GraphOperations operations;

static GlStatus
graph_begin(GlHost *host, int64_t n, const double *matrix, DenseGraph *out)
{
	GL_TRY(dense_graph_begin(host, n, matrix, out));
	operations = *out->graph.operations;
	operations.components = sweep_components;
	out->graph.operations = &operations;
	return GL_OK;
}

/* pi by many lazy steps of the dense walk. */
static void
stationary(int64_t n, const double *matrix, double *pi)
{
	double		moved[LIMIT];

	for (int64_t i = 0; i < n; i++)
		pi[i] = 1 / (double) n;
	for (int step = 0; step < 20000; step++)
	{
		memset(moved, 0, sizeof(moved));
		for (int64_t i = 0; i < n; i++)
		{
			double		degree = 0;

			for (int64_t j = 0; j < n; j++)
				degree += matrix[i * n + j];
			for (int64_t j = 0; j < n; j++)
				moved[j] += pi[i] * matrix[i * n + j] / degree;
		}
		for (int64_t i = 0; i < n; i++)
			pi[i] = (pi[i] + moved[i]) / 2;
	}
}

/*
 * C and m from their definition: the graph itself, or pi_i W_ij made
 * symmetric.
 */
static void
reference_form(int64_t n, const double *matrix, double *weights, double *mass)
{
	bool		symmetric = true;
	double		pi[LIMIT];

	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
			symmetric = symmetric && matrix[i * n + j] == matrix[j * n + i];
	if (!symmetric)
		stationary(n, matrix, pi);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
		{
			double		there = matrix[i * n + j];
			double		back = matrix[j * n + i];
			double		out_i = 0;
			double		out_j = 0;

			for (int64_t l = 0; l < n; l++)
			{
				out_i += matrix[i * n + l];
				out_j += matrix[j * n + l];
			}
			weights[i * n + j] = symmetric ? there :
				(pi[i] * there / out_i + pi[j] * back / out_j) / 2;
		}
	for (int64_t i = 0; i < n; i++)
	{
		mass[i] = 0;
		for (int64_t j = 0; j < n; j++)
			mass[i] += weights[i * n + j];
	}
}

/*
 * Values, vectors and masses of a graph against the dense decomposition; as
 * compressed rows it is arranged on the way.
 */
static void
expect_spectrum_of(bool compressed, int64_t n, const double *matrix,
				   SpectrumMatrix kind,
				   EigenOrder order, int32_t wanted, bool keep_trivial,
				   int32_t components)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;
	SparseGraph sparse;
	double		weights[LIMIT * LIMIT];
	double		reference[LIMIT * LIMIT];
	double		mass[LIMIT];
	double		values[LIMIT];
	SpectrumOptions options = {
		.matrix = kind,.order = order,.wanted = wanted,
		.keep_trivial = keep_trivial,.learner = "gl_embed"
	};
	Spectrum	spectrum;
	int32_t		low = 0;
	int32_t		high = (int32_t) n - 1;
	int32_t		trivial = 0;

	EXPECT_OK(host, graph_begin(host, n, matrix, &dense));
	reference_form(n, matrix, weights, mass);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
			reference[i * n + j] = kind == SPECTRUM_LAPLACIAN ?
				weights[i * n + j] - (i == j ? mass[i] : 0) :
				mass[i] * mass[j] > 0 ?
				weights[i * n + j] / sqrt(mass[i] * mass[j]) : 0;
	EXPECT_OK(host, gl_symmetric_eigen(host, (int32_t) n, reference, values));
	EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
	EXPECT_OK(host, spectrum_find(host, compressed ? &sparse.graph :
								  &dense.graph, &options, &spectrum));
	EXPECT(spectrum.report.converged);
	EXPECT(spectrum.component_count == components);
	EXPECT(spectrum.trivial_count ==
		   (!keep_trivial ? 0 : components < wanted ? components : wanted));
	for (int64_t i = 0; i < n; i++)
		EXPECT_NEAR(spectrum.mass[i], mass[i], 1e-11);
	for (int32_t c = 0; c < spectrum.pairs.count;)
	{
		double		value;

		if (order == EIGEN_MAGNITUDE && -values[low] > values[high] + 1e-12)
			value = values[low++];
		else
			value = values[high--];
		/* the trivial ones are the first of the reference */
		if (!keep_trivial && trivial < components &&
			fabs(value - (kind == SPECTRUM_WALK)) < 1e-9)
		{
			trivial++;
			continue;
		}
		EXPECT_NEAR(spectrum.pairs.values[c],
					kind == SPECTRUM_WALK ? value : -value, 1e-9);
		c++;
	}
	for (int32_t c = 0; c < spectrum.pairs.count; c++)
		for (int32_t d = 0; d <= c; d++)
		{
			double		inner = 0;
			double		product = 0;
			int32_t		count = spectrum.pairs.count;

			for (int64_t i = 0; i < n; i++)
			{
				inner += spectrum.pairs.vectors[i * count + c] *
					spectrum.pairs.vectors[i * count + d];
				for (int64_t j = 0; j < n; j++)
				{
					double		entry = kind == SPECTRUM_LAPLACIAN ?
						(i == j ? mass[i] : 0) - weights[i * n + j] :
						mass[i] * mass[j] > 0 ?
						weights[i * n + j] / sqrt(mass[i] * mass[j]) : 0;

					product += spectrum.pairs.vectors[i * count + c] *
						entry * spectrum.pairs.vectors[j * count + d];
				}
			}
			EXPECT_NEAR(inner, c == d, 1e-12);
			EXPECT_NEAR(product, c == d ? spectrum.pairs.values[c] : 0, 1e-9);
		}
	spectrum_release(host, &spectrum);
	graph_release(host, &sparse.graph);
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
expect_spectrum(int64_t n, const double *matrix, SpectrumMatrix kind,
				EigenOrder order, int32_t wanted, bool keep_trivial,
				int32_t components)
{
	for (int compressed = 0; compressed <= 1; compressed++)
		expect_spectrum_of(compressed, n, matrix, kind, order, wanted,
						   keep_trivial, components);
}

static void
set_edge(int64_t n, double *matrix, int64_t i, int64_t j, double weight)
{
	matrix[i * n + j] = matrix[j * n + i] = weight;
}

/* Two triangles joined by an edge; eigenvalues of the spec. */
static void
barbell(double *matrix)
{
	static const int edges[7][2] = {
		{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {4, 5}
	};

	memset(matrix, 0, 36 * sizeof(double));
	for (int e = 0; e < 7; e++)
		set_edge(6, matrix, edges[e][0], edges[e][1], 1);
}

static void
test_barbell(void)
{
	double		matrix[36];
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;
	Spectrum	spectrum;
	SpectrumOptions options = {
		.matrix = SPECTRUM_WALK,.order = EIGEN_LARGEST,.wanted = 6,
		.keep_trivial = true,.learner = "gl_eigen"
	};
	double		expected[6] = {
		1, (1 + sqrt(73)) / 12, -1.0 / 6, -0.5, -0.5, (1 - sqrt(73)) / 12
	};

	barbell(matrix);
	EXPECT_OK(host, graph_begin(host, 6, matrix, &dense));
	EXPECT_OK(host, spectrum_find(host, &dense.graph, &options, &spectrum));
	for (int c = 0; c < 6; c++)
		EXPECT_NEAR(spectrum.pairs.values[c], expected[c], 1e-12);
	/* ncut: the signs of the second vector tell the triangles apart */
	for (int i = 0; i < 6; i++)
		EXPECT((spectrum.pairs.vectors[i * 6 + 1] > 0) == (i < 3));
	EXPECT_NEAR(spectrum.total, 14, 1e-12);
	spectrum_release(host, &spectrum);
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
random_graph(int64_t n, int64_t seed, bool directed, double *matrix)
{
	GlRandom	random;

	gl_random_begin(&random, seed);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
		{
			double		weight = gl_random_unit(&random);

			/* a ring keeps it connected, both ways */
			if (weight > 0.3 && (j - i + n) % n != 1 && (i - j + n) % n != 1)
				weight = 0;
			if (directed)
				matrix[i * n + j] = i == j ? 0 : weight;
			else if (j <= i)
				set_edge(n, matrix, i, j, weight);
		}
}

static void
test_against_dense(void)
{
	double		matrix[LIMIT * LIMIT];

	for (int directed = 0; directed <= 1; directed++)
		for (int64_t seed = 0; seed < 5; seed++)
		{
			random_graph(23, seed, directed, matrix);
			for (int keep = 0; keep <= 1; keep++)
			{
				expect_spectrum(23, matrix, SPECTRUM_WALK, EIGEN_LARGEST, 6,
								keep, 1);
				expect_spectrum(23, matrix, SPECTRUM_WALK, EIGEN_MAGNITUDE,
								9, keep, 1);
				expect_spectrum(23, matrix, SPECTRUM_LAPLACIAN,
								EIGEN_LARGEST, 6, keep, 1);
			}
		}
}

/* A path of 2, one of 3 and a triangle: three trivial pairs. */
static void
test_components(void)
{
	double		matrix[64] = {0};

	set_edge(8, matrix, 0, 4, 1);
	set_edge(8, matrix, 1, 3, 1);
	set_edge(8, matrix, 3, 5, 2);
	set_edge(8, matrix, 2, 6, 1);
	set_edge(8, matrix, 6, 7, 1);
	set_edge(8, matrix, 2, 7, 1);
	for (int keep = 0; keep <= 1; keep++)
		for (int32_t wanted = 1; wanted <= 8; wanted++)
		{
			expect_spectrum(8, matrix, SPECTRUM_WALK, EIGEN_LARGEST, wanted,
							keep, 3);
			expect_spectrum(8, matrix, SPECTRUM_LAPLACIAN, EIGEN_LARGEST,
							wanted, keep, 3);
		}
}

/* A lone node has no trivial pair of the walk, and one of the Laplacian. */
static void
test_lone_node(void)
{
	double		matrix[9] = {0};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;
	Spectrum	spectrum;
	SpectrumOptions options = {
		.order = EIGEN_LARGEST,.wanted = 3,.keep_trivial = true,
		.learner = "gl_eigen"
	};

	set_edge(3, matrix, 0, 2, 5);
	EXPECT_OK(host, graph_begin(host, 3, matrix, &dense));
	for (int kind = SPECTRUM_WALK; kind <= SPECTRUM_LAPLACIAN; kind++)
	{
		bool		walk = kind == SPECTRUM_WALK;

		options.matrix = kind;
		EXPECT_OK(host, spectrum_find(host, &dense.graph, &options,
									  &spectrum));
		EXPECT(spectrum.component_count == 2);
		EXPECT(spectrum.trivial_count == (walk ? 1 : 2));
		EXPECT(spectrum.pairs.count == 3);
		EXPECT_NEAR(spectrum.pairs.values[0], walk, 1e-15);
		EXPECT_NEAR(spectrum.pairs.values[1], 0, 1e-15);
		EXPECT_NEAR(spectrum.pairs.values[2], walk ? -1 : 10, 1e-14);
		EXPECT_NEAR(spectrum.pairs.vectors[1 * 3 + 1], 1, 1e-15);
		spectrum_release(host, &spectrum);
	}
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_errors(void)
{
	double		matrix[9] = {0, 1, 0, 0, 0, 1, 0, 1, 0};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;
	Spectrum	spectrum;
	SpectrumOptions options = {
		.matrix = SPECTRUM_WALK,.order = EIGEN_LARGEST,.wanted = 1,
		.learner = "gl_embed"
	};

	/* no walk comes back to node 0 */
	EXPECT_OK(host, graph_begin(host, 3, matrix, &dense));
	EXPECT(spectrum_find(host, &dense.graph, &options, &spectrum) ==
		   GL_ERR_DATA);
	EXPECT(strstr(host->message, "100") != NULL);
	dense.graph.meaning = GRAPH_LENGTH;
	EXPECT(spectrum_find(host, &dense.graph, &options, &spectrum) ==
		   GL_ERR_OPTION);
	EXPECT(strstr(host->message, "gl_embed") != NULL);
	test_host_end(&test);
}

/* L x of the form against its definition, and L 1 = 0. */
static void
test_laplacian_product(void)
{
	for (int directed = 0; directed <= 1; directed++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		double		matrix[19 * 19];
		double		weights[19 * 19];
		double		mass[19];
		double		x[19 * 2];
		double		y[19 * 2];
		DenseGraph	dense;
		SymmetricForm form;

		random_graph(19, 8, directed, matrix);
		reference_form(19, matrix, weights, mass);
		EXPECT_OK(host, graph_begin(host, 19, matrix, &dense));
		EXPECT_OK(host, symmetric_form_begin(host, &dense.graph, 2,
											 "gl_embed", &form));
		for (int i = 0; i < 19; i++)
		{
			x[2 * i] = 1;
			x[2 * i + 1] = sin(i);
		}
		EXPECT_OK(host, symmetric_form_laplacian(host, &form, x, y, 2));
		for (int i = 0; i < 19; i++)
		{
			double		sum = mass[i] * x[2 * i + 1];

			for (int j = 0; j < 19; j++)
				sum -= weights[i * 19 + j] * x[2 * j + 1];
			EXPECT_NEAR(y[2 * i], 0, 1e-11);
			EXPECT_NEAR(y[2 * i + 1], sum, 1e-11);
		}
		EXPECT(symmetric_form_walk(host, &form, x, y, 3) == GL_ERR_INTERNAL);
		symmetric_form_end(host, &form);
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

static GlStatus
spectrum_job(GlHost *host, bool directed, SpectrumMatrix kind)
{
	double		matrix[25];
	DenseGraph	dense;
	SparseGraph sparse;
	Spectrum	spectrum;
	SpectrumOptions options = {
		.matrix = kind,.order = EIGEN_LARGEST,.wanted = 3,
		.keep_trivial = true,.learner = "gl_embed"
	};

	random_graph(5, 3, directed, matrix);
	GL_TRY(graph_begin(host, 5, matrix, &dense));
	GL_TRY(sparse_graph_from_dense(host, &dense, &sparse));
	GL_TRY(spectrum_find(host, &sparse.graph, &options, &spectrum));
	spectrum_release(host, &spectrum);
	graph_release(host, &sparse.graph);
	graph_release(host, &dense.graph);
	return GL_OK;
}

static GlStatus
walk_job(GlHost *host)
{
	return spectrum_job(host, false, SPECTRUM_WALK);
}

static GlStatus
laplacian_job(GlHost *host)
{
	return spectrum_job(host, true, SPECTRUM_LAPLACIAN);
}

static void
test_refused(void)
{
	test_refusals(walk_job);
	test_refusals(laplacian_job);
}

int
main(void)
{
	RUN(test_barbell);
	RUN(test_against_dense);
	RUN(test_components);
	RUN(test_lone_node);
	RUN(test_errors);
	RUN(test_laplacian_product);
	RUN(test_refused);
	UNIT_TEST_END();
}
