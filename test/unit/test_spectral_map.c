/*
 * If this fails, coordinates of gl_embed do not have the distances that the
 * documentation promises.
 */
#include "dense_graph.h"

#include "embed/spectral_map.h"

#define LIMIT	24

static SpectralMap
map_matrix(GlHost *host, int64_t n, const double *matrix,
		   SpectralMethod method, int32_t dimensions, double time,
		   int32_t components)
{
	DenseGraph	dense;
	SparseGraph sparse;
	SpectralMap map;
	SpectralMapReport report;
	SpectralMapOptions options = {
		.method = method,.dimensions = dimensions,.time = time,
		.learner = "gl_embed"
	};

	EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
	EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
	EXPECT_OK(host, spectral_map_find(host, &sparse.graph, &options, &map,
									  &report));
	EXPECT(report.converged);
	EXPECT(report.component_count == components);
	EXPECT(map.node_count == n && map.dimensions == dimensions);
	graph_release(host, &sparse.graph);
	graph_release(host, &dense.graph);
	return map;
}

static double
squared_distance(const SpectralMap *map, int a, int b)
{
	double		sum = 0;

	for (int32_t d = 0; d < map->dimensions; d++)
		sum += pow(map->coordinates[a * map->dimensions + d] -
				   map->coordinates[b * map->dimensions + d], 2);
	return sum;
}

/* Edges of a small graph: two ends and a weight each, -1 ends the list. */
static void
fill_matrix(int64_t n, const double *edges, double *matrix)
{
	memset(matrix, 0, (size_t) (n * n) * sizeof(double));
	for (; edges[0] >= 0; edges += 3)
	{
		int64_t		a = (int64_t) edges[0];
		int64_t		b = (int64_t) edges[1];

		matrix[a * n + b] = matrix[b * n + a] = edges[2];
	}
}

/* One squared distance that is known: ends, resistance, biharmonic. */
typedef struct KnownPair
{
	int			a;
	int			b;
	double		resistance;
	double		biharmonic;
} KnownPair;

static void
expect_pairs(int64_t n, const double *edges, const KnownPair *pairs)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[LIMIT * LIMIT];
	SpectralMap resistance;
	SpectralMap biharmonic;

	fill_matrix(n, edges, matrix);
	resistance = map_matrix(host, n, matrix, SPECTRAL_RESISTANCE,
							(int32_t) n - 1, 0, 1);
	biharmonic = map_matrix(host, n, matrix, SPECTRAL_BIHARMONIC,
							(int32_t) n + 1, 0, 1);	/* the last two are 0 */
	for (; pairs->a >= 0; pairs++)
	{
		EXPECT_NEAR(squared_distance(&resistance, pairs->a, pairs->b),
					pairs->resistance, 1e-8);
		EXPECT_NEAR(squared_distance(&biharmonic, pairs->a, pairs->b),
					pairs->biharmonic, 1e-8);
	}
	spectral_map_release(host, &resistance);
	spectral_map_release(host, &biharmonic);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* The table of seed000b section 6.2. */
static void
test_known_distances(void)
{
	static const double path3[] = {0, 1, 1, 1, 2, 1, -1};
	static const double path4[] = {0, 1, 1, 1, 2, 1, 2, 3, 1, -1};
	static const double full3[] = {0, 1, 1, 1, 2, 1, 0, 2, 1, -1};
	static const double full4[] = {
		0, 1, 1, 0, 2, 1, 0, 3, 1, 1, 2, 1, 1, 3, 1, 2, 3, 1, -1
	};
	static const double ring4[] = {0, 1, 1, 1, 2, 1, 2, 3, 1, 3, 0, 1, -1};
	static const double star[] = {0, 1, 1, 0, 2, 1, 0, 3, 1, -1};
	static const double weighted[] = {0, 1, 1, 1, 2, 2, 0, 2, 3, -1};
	static const double corpus[] = {0, 1, 2, 0, 2, 1, 1, 2, 1, 2, 3, 1, -1};
	static const KnownPair path3_pairs[] = {
		{0, 1, 1, 2.0 / 3}, {0, 2, 2, 2}, {-1, 0, 0, 0}
	};
	static const KnownPair path4_pairs[] = {
		{0, 1, 1, 0.75}, {0, 2, 2, 2.75}, {0, 3, 3, 5}, {1, 2, 1, 1},
		{-1, 0, 0, 0}
	};
	static const KnownPair full3_pairs[] = {
		{0, 1, 2.0 / 3, 2.0 / 9}, {1, 2, 2.0 / 3, 2.0 / 9}, {-1, 0, 0, 0}
	};
	static const KnownPair full4_pairs[] = {
		{0, 1, 0.5, 0.125}, {2, 3, 0.5, 0.125}, {-1, 0, 0, 0}
	};
	static const KnownPair ring4_pairs[] = {
		{0, 1, 0.75, 0.3125}, {0, 2, 1, 0.5}, {-1, 0, 0, 0}
	};
	static const KnownPair star_pairs[] = {
		{0, 1, 1, 0.75}, {1, 2, 2, 2}, {-1, 0, 0, 0}
	};
	static const KnownPair weighted_pairs[] = {
		{0, 1, 5.0 / 11, 0.1046832}, {1, 2, 4.0 / 11, 0.07162534},
		{0, 2, 3.0 / 11, 0.03856749}, {-1, 0, 0, 0}
	};
	static const KnownPair corpus_pairs[] = {
		{0, 1, 0.4, 0.08}, {0, 2, 0.6, 0.27}, {1, 2, 0.6, 0.27},
		{2, 3, 1, 0.75}, {0, 3, 1.6, 1.52}, {1, 3, 1.6, 1.52}, {-1, 0, 0, 0}
	};

	expect_pairs(3, path3, path3_pairs);
	expect_pairs(4, path4, path4_pairs);
	expect_pairs(3, full3, full3_pairs);
	expect_pairs(4, full4, full4_pairs);
	expect_pairs(4, ring4, ring4_pairs);
	expect_pairs(4, star, star_pairs);
	expect_pairs(3, weighted, weighted_pairs);
	expect_pairs(4, corpus, corpus_pairs);
}

static void
test_heat(void)
{
	static const double path3[] = {0, 1, 1, 1, 2, 1, -1};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[9];
	SpectralMap map;

	fill_matrix(3, path3, matrix);
	map = map_matrix(host, 3, matrix, SPECTRAL_HEAT, 2, 0.5, 1);
	EXPECT_NEAR(squared_distance(&map, 0, 1), 0.2586203231, 1e-10);
	EXPECT_NEAR(squared_distance(&map, 0, 2), 0.7357588823, 1e-10);
	spectral_map_release(host, &map);
	/* at time 0 every two nodes are root 2 apart */
	map = map_matrix(host, 3, matrix, SPECTRAL_HEAT, 2, 0, 1);
	EXPECT_NEAR(squared_distance(&map, 0, 1), 2, 1e-10);
	EXPECT_NEAR(squared_distance(&map, 1, 2), 2, 1e-10);
	spectral_map_release(host, &map);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* sum_k (P^t_ik - P^t_jk)^2 / pi_k, from the walk written out. */
static void
expect_diffusion(int64_t n, const double *matrix, double time)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		walk[LIMIT * LIMIT];
	double		power[LIMIT * LIMIT] = {0};
	double		next[LIMIT * LIMIT];
	double		pi[LIMIT];
	double		total = 0;
	SpectralMap map;

	for (int64_t i = 0; i < n; i++)
	{
		pi[i] = 0;
		power[i * n + i] = 1;
		for (int64_t j = 0; j < n; j++)
			pi[i] += matrix[i * n + j];
		for (int64_t j = 0; j < n; j++)
			walk[i * n + j] = matrix[i * n + j] / pi[i];
		total += pi[i];
	}
	for (int step = 0; step < (int) time; step++)
	{
		for (int64_t i = 0; i < n; i++)
			for (int64_t j = 0; j < n; j++)
			{
				next[i * n + j] = 0;
				for (int64_t l = 0; l < n; l++)
					next[i * n + j] += power[i * n + l] * walk[l * n + j];
			}
		memcpy(power, next, sizeof(power));
	}
	map = map_matrix(host, n, matrix, SPECTRAL_DIFFUSION, (int32_t) n - 1,
					 time, 1);
	for (int a = 0; a < n; a++)
		for (int b = 0; b < n; b++)
		{
			double		sum = 0;

			for (int64_t l = 0; l < n; l++)
				sum += pow(power[a * n + l] - power[b * n + l], 2) /
					(pi[l] / total);
			EXPECT_NEAR(squared_distance(&map, a, b), sum, 1e-9);
		}
	spectral_map_release(host, &map);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
random_matrix(int64_t n, int64_t seed, double *matrix)
{
	GlRandom	random;

	gl_random_begin(&random, seed);
	matrix_random(&random, (int) n, 0.3, true, matrix);
	for (int64_t i = 0; i + 1 < n; i++)	/* a path keeps it connected */
		matrix[i * n + i + 1] = matrix[(i + 1) * n + i] =
			0.5 + gl_random_unit(&random);
}

static void
test_diffusion(void)
{
	static const double path3[] = {0, 1, 1, 1, 2, 1, -1};
	double		matrix[LIMIT * LIMIT];

	fill_matrix(3, path3, matrix);
	for (int time = 0; time <= 3; time++)
		expect_diffusion(3, matrix, time);
	for (int64_t seed = 0; seed < 6; seed++)
	{
		random_matrix(LIMIT, seed, matrix);
		expect_diffusion(LIMIT, matrix, (double) (seed % 4));
	}
}

/* The path of three: 4 where the unweighted distance would be 1.5. */
static void
test_diffusion_weights(void)
{
	static const double path3[] = {0, 1, 1, 1, 2, 1, -1};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[9];
	SpectralMap map;

	fill_matrix(3, path3, matrix);
	map = map_matrix(host, 3, matrix, SPECTRAL_DIFFUSION, 2, 1, 1);
	EXPECT_NEAR(squared_distance(&map, 0, 1), 4, 1e-10);
	EXPECT_NEAR(squared_distance(&map, 0, 2), 0, 1e-10);
	spectral_map_release(host, &map);
	test_host_end(&test);
}

/* Smallest first, psi^T D psi = 1, orthogonal, each an eigenvector of W. */
static void
test_laplacian(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[LIMIT * LIMIT];
	double		degree[LIMIT] = {0};
	double		before = 1;
	SpectralMap map;

	random_matrix(LIMIT, 9, matrix);
	for (int i = 0; i < LIMIT; i++)
		for (int j = 0; j < LIMIT; j++)
			degree[i] += matrix[i * LIMIT + j];
	map = map_matrix(host, LIMIT, matrix, SPECTRAL_LAPLACIAN, 4, 0, 1);
	for (int c = 0; c < 4; c++)
	{
		double		quotient = 0;

		for (int d = 0; d <= c; d++)
		{
			double		inner = 0;

			for (int i = 0; i < LIMIT; i++)
				inner += degree[i] * map.coordinates[i * 4 + c] *
					map.coordinates[i * 4 + d];
			EXPECT_NEAR(inner, c == d, 1e-10);
		}
		for (int i = 0; i < LIMIT; i++)
			for (int j = 0; j < LIMIT; j++)
				quotient += matrix[i * LIMIT + j] *
					map.coordinates[i * 4 + c] * map.coordinates[j * 4 + c];
		EXPECT(quotient < before);
		before = quotient;
		for (int i = 0; i < LIMIT; i++)
		{
			double		step = 0;

			for (int j = 0; j < LIMIT; j++)
				step += matrix[i * LIMIT + j] / degree[i] *
					map.coordinates[j * 4 + c];
			EXPECT_NEAR(step, quotient * map.coordinates[i * 4 + c], 1e-9);
		}
	}
	spectral_map_release(host, &map);
	test_host_end(&test);
}

/*
 * Two components and a lone node: each part is placed as if alone, the lone
 * node at 0, and missing dimensions are 0.
 */
static void
test_components(void)
{
	for (int method = SPECTRAL_DIFFUSION; method <= SPECTRAL_BIHARMONIC;
		 method++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		double		part[9 * 9];
		double		whole[12 * 12] = {0};
		SpectralMap alone;
		SpectralMap together;

		random_matrix(9, 2, part);
		for (int i = 0; i < 9; i++)	/* odd and even places, and a pair */
			for (int j = 0; j < 9; j++)
				whole[(i + (i > 3)) * 12 + j + (j > 3)] = part[i * 9 + j];
		whole[4 * 12 + 11] = whole[11 * 12 + 4] = 3;
		alone = map_matrix(host, 9, part, method, 3, 1, 1);
		together = map_matrix(host, 12, whole, method, 3, 1, 3);
		for (int i = 0; i < 9; i++)
			for (int d = 0; d < 3; d++)
				EXPECT_NEAR(together.coordinates[(i + (i > 3)) * 3 + d],
							alone.coordinates[i * 3 + d], 1e-10);
		for (int d = 0; d < 3; d++)
			EXPECT(together.coordinates[10 * 3 + d] == 0);
		EXPECT(together.coordinates[4 * 3] > 0);
		EXPECT_NEAR(together.coordinates[11 * 3],
					-together.coordinates[4 * 3], 1e-12);
		for (int d = 1; d < 3; d++)
			EXPECT(together.coordinates[4 * 3 + d] == 0 &&
				   together.coordinates[11 * 3 + d] == 0);
		spectral_map_release(host, &alone);
		spectral_map_release(host, &together);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Other numbers for the nodes, the same coordinates at each. */
static void
test_relabelled(void)
{
	for (int method = SPECTRAL_DIFFUSION; method <= SPECTRAL_BIHARMONIC;
		 method++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		double		matrix[LIMIT * LIMIT];
		double		other[LIMIT * LIMIT];
		SpectralMap map;
		SpectralMap renamed;

		random_matrix(LIMIT, 6, matrix);
		for (int i = 0; i < LIMIT; i++)
			for (int j = 0; j < LIMIT; j++)
				other[(i * 5 + 3) % LIMIT * LIMIT + (j * 5 + 3) % LIMIT] =
					matrix[i * LIMIT + j];
		map = map_matrix(host, LIMIT, matrix, method, 3, 2, 1);
		renamed = map_matrix(host, LIMIT, other, method, 3, 2, 1);
		for (int i = 0; i < LIMIT; i++)
			for (int d = 0; d < 3; d++)
				EXPECT_NEAR(renamed.coordinates[(i * 5 + 3) % LIMIT * 3 + d],
							map.coordinates[i * 3 + d], 1e-9);
		spectral_map_release(host, &map);
		spectral_map_release(host, &renamed);
		test_host_end(&test);
	}
}

static void
test_small(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		one[1] = {0};
	double		two[4] = {0, 4, 4, 0};
	SpectralMap map;

	map = map_matrix(host, 1, one, SPECTRAL_DIFFUSION, 2, 1, 1);
	EXPECT(map.coordinates[0] == 0 && map.coordinates[1] == 0);
	spectral_map_release(host, &map);
	map = map_matrix(host, 2, two, SPECTRAL_RESISTANCE, 2, 1, 1);
	EXPECT_NEAR(squared_distance(&map, 0, 1), 0.25, 1e-12);
	EXPECT(map.coordinates[1] == 0 && map.coordinates[0] > 0);
	spectral_map_release(host, &map);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
map_job(GlHost *host)
{
	static const double matrix[25] = {
		0, 1, 0, 0, 0,
		1, 0, 0, 0, 0,
		0, 0, 0, 2, 0,
		0, 0, 2, 0, 1,
		0, 0, 0, 1, 0
	};
	DenseGraph	dense;
	SparseGraph sparse;
	SpectralMap map;
	SpectralMapReport report;
	SpectralMapOptions options = {
		.method = SPECTRAL_DIFFUSION,.dimensions = 2,.time = 1,
		.learner = "gl_embed"
	};

	GL_TRY(dense_graph_begin(host, 5, matrix, &dense));
	GL_TRY(sparse_graph_from_dense(host, &dense, &sparse));
	GL_TRY(spectral_map_find(host, &sparse.graph, &options, &map, &report));
	spectral_map_release(host, &map);
	graph_release(host, &sparse.graph);
	graph_release(host, &dense.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(map_job);
}

int
main(void)
{
	RUN(test_small);
	RUN(test_known_distances);
	RUN(test_heat);
	RUN(test_diffusion);
	RUN(test_diffusion_weights);
	RUN(test_laplacian);
	RUN(test_components);
	RUN(test_relabelled);
	RUN(test_refused);
	UNIT_TEST_END();
}
