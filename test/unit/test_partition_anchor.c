/*
 * test_partition_anchor.c
 *		If this fails, the anchor tree is not the one its definition gives, or
 *		blows up where anchors fail to part the rows.
 *
 * The reference below follows the definition word for word: no pruning, no
 * linked lists, no heap, recursion.  Trees must agree node by node.
 */
#include "tree_samples.h"

#define REFERENCE_ROWS	150

typedef struct Reference
{
	const double *rows;
	int			d;
	const Divergence *divergence;
	MergeRule	rule;
	int			child[2 * REFERENCE_ROWS][2];
	int			count[2 * REFERENCE_ROWS];	/* leaves */
	double		radius[2 * REFERENCE_ROWS];
	double		mean[2 * REFERENCE_ROWS][8];
	int			n;
	int			node_count;
} Reference;

static double
row_distance(const Reference *reference, int x, int pivot)
{
	return divergence_between(reference->divergence,
							  reference->rows + x * reference->d,
							  reference->rows + pivot * reference->d,
							  reference->d);
}

static double
mean_distance(const Reference *reference, int a, int b)
{
	return divergence_between(reference->divergence, reference->mean[a],
							  reference->mean[b], reference->d);
}

static int
reference_join(Reference *reference, int a, int b)
{
	int			c = reference->node_count++;
	double		size_a = reference->count[a];
	double		size_b = reference->count[b];

	reference->child[c][0] = a;
	reference->child[c][1] = b;
	reference->count[c] = reference->count[a] + reference->count[b];
	for (int j = 0; j < reference->d; j++)
		reference->mean[c][j] = (size_a * reference->mean[a][j] +
								 size_b * reference->mean[b][j]) /
			(size_a + size_b);
	reference->radius[c] =
		fmax(sqrt(mean_distance(reference, a, c)) + reference->radius[a],
			 sqrt(mean_distance(reference, b, c)) + reference->radius[b]);
	return c;
}

static double
reference_cost(Reference *reference, int a, int b)
{
	double		cost;
	int			c;

	if (reference->rule == MERGE_RADIUS)
		return fmax(fmax(reference->radius[a], reference->radius[b]),
					(reference->radius[a] + reference->radius[b] +
					 sqrt(mean_distance(reference, a, b))) / 2);
	c = reference_join(reference, a, b);
	reference->node_count--;
	cost = reference->count[a] * mean_distance(reference, a, c) +
		reference->count[b] * mean_distance(reference, b, c);
	return cost;
}

/* Farthest-first pivots, every row with the nearest; the first on ties. */
static int
reference_anchors(const Reference *reference, const int *rows, int count,
				  int first_pivot, int limit, int *pivots, int *owner)
{
	int			anchors = 1;

	pivots[0] = first_pivot;
	for (int i = 0; i < count; i++)
		owner[i] = 0;
	while (anchors < limit)
	{
		double		farthest = 0;
		int			next = -1;
		int			next_owner = 0;

		for (int i = 0; i < count; i++)
		{
			double		distance = row_distance(reference, rows[i],
												pivots[owner[i]]);

			if (distance > farthest || (distance == farthest && next >= 0 &&
										owner[i] < next_owner))
			{
				farthest = distance;
				next = rows[i];
				next_owner = owner[i];
			}
		}
		if (next < 0)
			break;
		for (int i = 0; i < count; i++)
			if (row_distance(reference, rows[i], next) <
				row_distance(reference, rows[i], pivots[owner[i]]))
				owner[i] = anchors;
		pivots[anchors++] = next;
	}
	return anchors;
}

static int
reference_agglomerate(Reference *reference, int *nodes, int count)
{
	while (count > 1)
	{
		double		best = INFINITY;
		int			best_size = 0;
		int			a = -1;
		int			b = -1;

		for (int j = 1; j < count; j++)
			for (int i = 0; i < j; i++)
			{
				double		cost = reference_cost(reference, nodes[i],
												  nodes[j]);
				int			size = reference->count[nodes[i]] +
					reference->count[nodes[j]];

				if (cost > best || (cost == best && (size > best_size ||
													 (size == best_size &&
													  i >= a))))
					continue;
				best = cost;
				best_size = size;
				a = i;
				b = j;
			}
		nodes[count] = reference_join(reference, nodes[a], nodes[b]);
		/* the young go to the end, as in the order of ties */
		memmove(nodes + b, nodes + b + 1, sizeof(int) * (size_t) (count - b));
		memmove(nodes + a, nodes + a + 1,
				sizeof(int) * (size_t) (count - 1 - a));
		count--;
	}
	return nodes[0];
}

static int
reference_build(Reference *reference, const int *rows, int count, int pivot)
{
	int			pivots[REFERENCE_ROWS];
	int			owner[REFERENCE_ROWS];
	int			nodes[REFERENCE_ROWS + 1];
	int			members[REFERENCE_ROWS];
	int			anchors;
	int			limit = 2;

	if (count == 1)
		return rows[0];
	while (limit * limit < count)
		limit++;
	anchors = reference_anchors(reference, rows, count, pivot, limit, pivots,
								owner);
	for (int a = 0; a < anchors; a++)
	{
		int			taken = 0;

		for (int i = 0; i < count; i++)
			if (owner[i] == a)
				members[taken++] = rows[i];
		EXPECT(taken > 0 && taken < count);
		nodes[a] = reference_build(reference, members, taken, pivots[a]);
	}
	return reference_agglomerate(reference, nodes, anchors);
}

static int
smallest_row(const Reference *reference, int node)
{
	int			left;
	int			right;

	if (node < reference->n)
		return node;
	left = smallest_row(reference, reference->child[node][0]);
	right = smallest_row(reference, reference->child[node][1]);
	return left < right ? left : right;
}

/* Walk both trees in preorder; counts what differs. */
static int
compare_trees(const Reference *reference, int node, const PartitionTree *tree,
			  int *inner, int *leaf)
{
	int			a;
	int			b;
	bool		swap;
	int			faults;

	if (node < reference->n)
		return tree->leaf_row[(*leaf)++] != node;
	a = reference->child[node][0];
	b = reference->child[node][1];
	swap = smallest_row(reference, b) < smallest_row(reference, a);
	faults = tree->left_size[(*inner)++] !=
		reference->count[swap ? b : a];
	faults += compare_trees(reference, swap ? b : a, tree, inner, leaf);
	return faults + compare_trees(reference, swap ? a : b, tree, inner, leaf);
}

static void
expect_reference(const PointMatrix *points, GraphMetric metric, int way,
				 int64_t seed)
{
	static Reference reference;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int			n = (int) points->row_count;
	int			rows[REFERENCE_ROWS];
	PartitionTree tree;
	GlRandom	random;
	int			root;
	int			inner = 0;
	int			leaf = 0;

	reference.rows = points->values;
	reference.d = points->dimension_count;
	reference.divergence = divergence_of(metric);
	reference.rule = way == WAY_ANCHOR_RADIUS ? MERGE_RADIUS : MERGE_BREGMAN;
	reference.n = reference.node_count = n;
	for (int i = 0; i < n; i++)
	{
		rows[i] = i;
		reference.count[i] = 1;
		reference.radius[i] = 0;
		memcpy(reference.mean[i], reference.rows + i * reference.d,
			   sizeof(double) * (size_t) reference.d);
	}
	gl_random_begin(&random, seed);
	root = reference_build(&reference, rows, n,
						   (int) gl_random_below(&random, n));
	EXPECT_OK(host, way_build(host, points, metric, way, seed, &tree));
	EXPECT_OK(host, partition_tree_check(host, &tree));
	EXPECT(compare_trees(&reference, root, &tree, &inner, &leaf) == 0);
	partition_tree_release(host, &tree);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Pruned stealing, lists and heap change nothing: the tree is the same. */
static void
test_trees_follow_the_definition(void)
{
	const int	sizes[] = {1, 2, 3, 4, 5, 8, 17, 40, 150};
	const int	columns[] = {2, 3, 8};
	GlRandom	random;

	gl_random_begin(&random, 51);
	for (int m = 0; m < SAMPLE_METRICS; m++)
		for (int s = 0; s < 9; s++)
			for (int c = 0; c < 3; c++)
				for (int way = WAY_ANCHOR_RADIUS; way < TREE_WAYS; way++)
				{
					PointMatrix points;

					if (!way_applies(way, sample_metrics[m]))
						continue;
					points = sample_rows(&random, sample_metrics[m],
										 sizes[s], columns[c]);
					/* counts tie: move them off the integers */
					for (int i = 0; i < sizes[s] * columns[c]; i++)
						((double *) points.values)[i] *=
							1 - 1e-3 * gl_random_unit(&random);
					expect_reference(&points, sample_metrics[m], way, s + c);
					free((void *) points.values);
				}
}

/* A row midway stays with the older pivot; of two farthest the first goes. */
static void
test_ties(void)
{
	const double values[] = {0, 2, 1};
	PointMatrix points = {3, 1, SCALAR_FLOAT8, values};
	int			seen = 0;

	for (int64_t seed = 0; seed < 20; seed++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GlRandom	random;
		PartitionTree tree;
		int			pivot;
		int			alone;		/* the row that leaves the pivot */

		gl_random_begin(&random, seed);
		pivot = (int) gl_random_below(&random, 3);
		seen |= 1 << pivot;
		alone = pivot == 0 ? 1 : 0;
		EXPECT_OK(host, way_build(host, &points, METRIC_EUCLIDEAN,
								  WAY_ANCHOR_RADIUS, seed, &tree));
		EXPECT(tree.left_size[0] == (alone == 0 ? 1 : 2));
		EXPECT(tree.leaf_row[alone == 0 ? 0 : 2] == alone);
		test_host_end(&test);
	}
	EXPECT(seen == 7);
}

static double
largest_radius(const Reference *reference, const int *rows, int count,
			   const int *pivots, int anchors)
{
	double		largest = 0;

	for (int i = 0; i < count; i++)
	{
		double		nearest = INFINITY;

		for (int a = 0; a < anchors; a++)
			nearest = fmin(nearest, row_distance(reference, rows[i],
												 pivots[a]));
		largest = fmax(largest, nearest);
	}
	return largest;
}

/*
 * What the reference's anchors promise, and so the tree's: every row is with
 * the nearest pivot, and radii are at most twice the best possible ones
 * (here the best with rows as centres, which is no smaller).
 */
static void
test_anchors_are_near_and_few(void)
{
	GlRandom	random;

	gl_random_begin(&random, 52);
	for (int t = 0; t < 60; t++)
	{
		PointMatrix points = sample_rows(&random, METRIC_EUCLIDEAN, 12, 2);
		Reference	reference = {
			.rows = points.values, .d = 2,
			.divergence = divergence_of(METRIC_EUCLIDEAN)
		};
		int			limit = 2 + t % 3;
		int			rows[12];
		int			pivots[12];
		int			owner[12];
		double		best = INFINITY;
		int			anchors;

		for (int i = 0; i < 12; i++)
			rows[i] = i;
		anchors = reference_anchors(&reference, rows, 12, t % 12, limit,
									pivots, owner);
		EXPECT(anchors == limit);
		for (int i = 0; i < 12; i++)
			for (int a = 0; a < anchors; a++)
				EXPECT(row_distance(&reference, i, pivots[owner[i]]) <=
					   row_distance(&reference, i, pivots[a]));
		for (int set = 0; set < 1 << 12; set++)
		{
			int			centres[12];
			int			chosen = 0;

			for (int i = 0; i < 12; i++)
				if (set >> i & 1)
					centres[chosen++] = i;
			if (chosen == limit)
				best = fmin(best, largest_radius(&reference, rows, 12,
												 centres, chosen));
		}
		/* squared distances: twice becomes four times */
		EXPECT(largest_radius(&reference, rows, 12, pivots, anchors) <=
			   4 * best * (1 + 1e-12));
		free((void *) points.values);
	}
}

/* Scatter unless told; radii for Euclidean rows only. */
static void
test_rules(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;

	gl_random_begin(&random, 53);
	for (int m = 0; m < SAMPLE_METRICS; m++)
	{
		const Divergence *divergence = divergence_of(sample_metrics[m]);
		PointMatrix points = sample_rows(&random, sample_metrics[m], 90, 3);
		PartitionTree tree[3] = {0};
		GlStatus	status;

		EXPECT_OK(host, partition_tree_build(host, &points, divergence,
											 TREE_ANCHOR, 4, &tree[0]));
		EXPECT_OK(host, partition_anchor_build_merging(host, &points,
													   divergence,
													   MERGE_BREGMAN, 4,
													   &tree[1]));
		EXPECT(memcmp(tree[0].left_size, tree[1].left_size,
					  89 * sizeof(int32_t)) == 0);
		memset(&tree[2], 0xA5, sizeof(tree[2]));
		status = partition_anchor_build_merging(host, &points, divergence,
												MERGE_RADIUS, 4, &tree[2]);
		EXPECT(status == (m > 0 ? GL_ERR_OPTION : GL_OK));
		if (m > 0)
			EXPECT(tree[2].leaf_count == 0 && tree[2].left_size == NULL);
		else
			EXPECT(memcmp(tree[0].left_size, tree[2].left_size,
						  89 * sizeof(int32_t)) != 0);
		for (int t = 0; t < 3; t++)
			partition_tree_release(host, &tree[t]);
		free((void *) points.values);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* The depth of an anchor tree; *work in divergences of d coordinates. */
static int
measure_tree(const PointMatrix *points, GraphMetric metric, int way,
			 double *work)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PartitionTree tree;
	int			depth;

	host->poll_interval = host->work_left = points->dimension_count;
	EXPECT_OK(host, way_build(host, points, metric, way, 0, &tree));
	*work = (double) test.polls;
	/* beside the rows: bytes a row, and square root of n means */
	EXPECT((double) host->bytes_peak <=
		   100.0 * (double) points->row_count +
		   (2 * sqrt((double) points->row_count) + 8) *
		   (8.0 * points->dimension_count + 100) + 16384);
	depth = expect_tree(host, &tree);
	test_host_end(&test);
	return depth;
}

/*
 * Rows that anchors cannot part: without the guard the depth and the work
 * would be quadratic.
 */
static void
test_depth_is_bounded(void)
{
	static double values[3000];
	PointMatrix chain = {3000, 1, SCALAR_FLOAT8, values};
	int			n = 600;
	double	   *corners = calloc((size_t) (n * n), sizeof(double));
	PointMatrix simplex = {n, n, SCALAR_FLOAT8, corners};
	double		work;

	for (int i = 0; i < 3000; i++)
		values[i] = pow(1.5, (i - 1500) / 2.0);
	for (int i = 0; i < n; i++)
		corners[i * n + i] = 1;
	for (int way = WAY_ANCHOR_RADIUS; way < TREE_WAYS; way++)
	{
		EXPECT(measure_tree(&chain, METRIC_EUCLIDEAN, way, &work) <= 250);
		EXPECT(work <= 4 * pow(3000, 1.5));
		EXPECT(measure_tree(&simplex, METRIC_EUCLIDEAN, way, &work) <= 120);
		EXPECT(work <= 10 * pow(n, 1.5));
	}
	EXPECT(measure_tree(&chain, METRIC_COUNTS, WAY_ANCHOR_BREGMAN, &work) <=
		   250);
	free(corners);
}

/* Blobs of 20,000 rows: far below n^2 divergences, and no deep tree. */
static void
test_work_on_blobs(void)
{
	GlRandom	random;
	int			n = 20000;
	PointMatrix points;
	double	   *values;

	gl_random_begin(&random, 54);
	points = sample_rows(&random, METRIC_EUCLIDEAN, n, 4);
	values = (double *) points.values;
	for (int i = 0; i < 4 * n; i++)
		values[i] += 10 * (i / 4 % 7) * (i % 4);
	for (int way = WAY_ANCHOR_RADIUS; way < TREE_WAYS; way++)
	{
		double		work;

		EXPECT(measure_tree(&points, METRIC_EUCLIDEAN, way, &work) <= 60);
		/* without pruned scans this would be above n^1.5 */
		EXPECT(work <= 0.6 * pow(n, 1.5));
	}
	free(values);
}

static GlStatus
build_rows(GlHost *host, GraphMetric metric, int n, int way)
{
	double		values[60];
	PointMatrix points = {n, 1, SCALAR_FLOAT8, values};
	PartitionTree tree;

	/* a chain that needs the guard, and some copies */
	for (int i = 0; i < n; i++)
		values[i] = pow(9, i % 50);
	GL_TRY(way_build(host, &points, metric, way, 2, &tree));
	partition_tree_release(host, &tree);
	return GL_OK;
}

static GlStatus
radius_job(GlHost *host)
{
	return build_rows(host, METRIC_EUCLIDEAN, 60, WAY_ANCHOR_RADIUS);
}

static GlStatus
bregman_job(GlHost *host)
{
	return build_rows(host, METRIC_COUNTS, 30, WAY_ANCHOR_BREGMAN);
}

static GlStatus
float_job(GlHost *host)
{
	const float values[] = {1, 5, 2, 8, 9, 3, 3, 3};
	PointMatrix points = {8, 1, SCALAR_FLOAT4, values};
	PartitionTree tree;

	GL_TRY(partition_anchor_build(host, &points,
								  divergence_of(METRIC_EUCLIDEAN), 0, &tree));
	partition_tree_release(host, &tree);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(radius_job);
	test_refusals(bregman_job);
	test_refusals(float_job);
}

int
main(void)
{
	RUN(test_trees_follow_the_definition);
	RUN(test_ties);
	RUN(test_anchors_are_near_and_few);
	RUN(test_rules);
	RUN(test_depth_is_bounded);
	RUN(test_work_on_blobs);
	RUN(test_refused);
	UNIT_TEST_END();
}
