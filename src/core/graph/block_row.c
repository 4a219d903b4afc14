/*
 * block_row.c
 *		Descend the trees towards a new row, the most promising node first.
 *
 * Masses are kept relative to e^reference, the reference following the
 * largest exponent met.  log|B| is never added to an exponent that ends up in
 * a probability: 10^9 bandwidths away it would vanish in the rounding, and
 * rows would no longer sum to 1.
 *
 * What is still hidden is summed afresh, not updated: the first nodes of a
 * descent may promise e^600 times the mass there is, and a difference of such
 * sums says nothing.  The sum stops as soon as it is too large, and is taken
 * again only after the queue has changed by a sixteenth, so it costs little.
 */
#include "graph/block_row.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "graph/block_statistics.h"
#include "graph/divergence_space.h"
#include "points/distance.h"

/* Where exponents end, as in block_solver.c: no infinities. */
#define LOWEST_EXPONENT		(-1e300)
#define HIGHEST_BETA		1e300

/* Above the reference, exponents are cut here; from LIFT on it follows. */
#define HIGHEST_RELATIVE	600.0
#define LIFT				300.0

/* Radii are exact down to this depth, sums of the children's below. */
#define EXACT_DEPTH			64

/* A radius and a distance to a mean are rounded: never cut too early. */
#define RADIUS_MARGIN		(1 + 1e-9)

/* The queue is summed again after this share of it was split. */
#define SUM_SHARE			16

static const double LOG_TWO_PI = 1.8378770664093454836;

/* ---- the index ---- */

static bool
has_point_space(GraphMetric metric)
{
	return metric == METRIC_EUCLIDEAN || metric == METRIC_COSINE;
}

/* State of the walk that collects means and spreads of inner nodes. */
typedef struct MeanWalk
{
	const TreeLinks *links;
	int32_t		d;
	double	   *mean;
	double	   *spread;
} MeanWalk;

static void
record_mean(const MeanWalk *walk, int32_t node,
			const NodeStatistics *statistics)
{
	if (statistics->count == 1)
		return;					/* a leaf is a row of the matrix */
	memcpy(walk->mean + (int64_t) node * walk->d, statistics->mean,
		   (size_t) walk->d * sizeof(double));
	walk->spread[node] = statistics->scatter / statistics->count;
}

/*
 * The root is nobody's child and is left out: a descent starts with its
 * children.
 */
static GlStatus
visit_means(GlHost *host, void *state, int32_t node,
			const NodeStatistics *left, const NodeStatistics *right)
{
	const MeanWalk *walk = state;

	GL_TRY(gl_work(host, 2 * walk->d));
	record_mean(walk, walk->links->left[node], left);
	record_mean(walk, walk->links->right[node], right);
	return GL_OK;
}

/* Distance from a query in the space to a node: its mean, or its row. */
static double
squared_to_node(const BlockRowIndex *index, int32_t t,
				const DistanceKernels *kernels, const double *query,
				int32_t node)
{
	const PartitionTree *tree = &index->block->trees[t].tree;
	int32_t		leaf = node - (int32_t) (tree->leaf_count - 1);

	if (leaf < 0)
		return distance_squared(kernels, &index->trees[t].mean, query, node);
	return distance_squared(kernels, &index->space.matrix, query,
							tree->leaf_row[leaf]);
}

/* The farthest leaf of a node from its mean. */
static GlStatus
exact_radius(GlHost *host, BlockRowIndex *index, int32_t t, int32_t node,
			 double *radius)
{
	const BlockTree *tree = &index->block->trees[t];
	const PointMatrix *mean = &index->trees[t].mean;
	const double *centre = (const double *) mean->values +
		(int64_t) node * mean->dimension_count;
	const DistanceKernels *kernels = distance_kernels();
	int64_t		first = tree->links.first[node];
	double		largest = 0;

	for (int64_t i = first; i < first + tree->links.size[node]; i++)
	{
		GL_TRY(gl_work(host, mean->dimension_count));
		largest = fmax(largest,
					   distance_squared(kernels, &index->space.matrix, centre,
										tree->tree.leaf_row[i]));
	}
	*radius = sqrt(largest) * RADIUS_MARGIN;
	return GL_OK;
}

/* How far a child's leaves can be from the parent's mean. */
static double
reach(const BlockRowIndex *index, int32_t t, const double *centre,
	  int32_t child)
{
	int64_t		inner_count = index->block->graph.node_count - 1;
	double		away = sqrt(squared_to_node(index, t, distance_kernels(),
											centre, child));

	return (away + (child < inner_count ? index->trees[t].radius[child] : 0))
		* RADIUS_MARGIN;
}

/* Covering radii, bottom-up; node 0, the root, has no mean. */
static GlStatus
cover(GlHost *host, BlockRowIndex *index, int32_t t)
{
	const TreeLinks *links = &index->block->trees[t].links;
	BlockRowTree *row_tree = &index->trees[t];
	int32_t		d = index->space.matrix.dimension_count;
	int32_t		inner_count = (int32_t) links->leaf_count - 1;
	int32_t    *depth;

	GL_NEW_ZEROED(host, depth, inner_count);
	for (int32_t p = 0; p < inner_count; p++)
	{
		GL_TRY(gl_work(host, 2));
		if (links->left[p] < inner_count)
			depth[links->left[p]] = depth[p] + 1;
		if (links->right[p] < inner_count)
			depth[links->right[p]] = depth[p] + 1;
	}
	for (int32_t p = inner_count - 1; p > 0; p--)
	{
		const double *centre = (const double *) row_tree->mean.values +
			(int64_t) p * d;

		GL_TRY(gl_work(host, 2 * d));
		if (depth[p] <= EXACT_DEPTH)
			GL_TRY(exact_radius(host, index, t, p, &row_tree->radius[p]));
		else
			row_tree->radius[p] = fmax(reach(index, t, centre,
											 links->left[p]),
									   reach(index, t, centre,
											 links->right[p]));
	}
	gl_release(host, depth);
	return GL_OK;
}

/* Means, spreads and radii of one tree. */
static GlStatus
measure_tree(GlHost *host, BlockRowIndex *index, int32_t t)
{
	const BlockTree *tree = &index->block->trees[t];
	BlockRowTree *row_tree = &index->trees[t];
	int64_t		n = index->block->graph.node_count;
	int32_t		d = index->space.matrix.dimension_count;
	MeanWalk	walk = {.links = &tree->links, .d = d};

	walk.mean = gl_allocate(host, (size_t) (n - 1),
							(size_t) d * sizeof(double));
	if (walk.mean == NULL)
		return host->status;
	GL_NEW(host, walk.spread, n - 1);
	GL_NEW(host, row_tree->radius, n - 1);
	row_tree->mean = (PointMatrix)
	{
		n - 1, d, SCALAR_FLOAT8, walk.mean
	};
	row_tree->spread = walk.spread;
	GL_TRY(block_statistics_visit(host, &index->space.matrix, &tree->tree,
								  &tree->links, index->divergence,
								  visit_means, &walk));
	return cover(host, index, t);
}

/* What one tree needs: its bandwidth, where its rows are, its nodes. */
static GlStatus
prepare_tree(GlHost *host, BlockRowIndex *index, int32_t t)
{
	const BlockGraph *block = index->block;
	const PartitionTree *tree = &block->trees[t].tree;
	BlockRowTree *row_tree = &index->trees[t];
	double		bandwidth = ldexp(block->bandwidth[t], -index->space.exponent);

	bandwidth = fmin(fmax(bandwidth, DBL_MIN), DBL_MAX);
	row_tree->beta = fmin(1 / (2 * bandwidth * bandwidth), HIGHEST_BETA);
	if (index->divergence->is_symmetric)
		row_tree->log_normal = index->space.matrix.dimension_count *
			(0.5 * LOG_TWO_PI + log(bandwidth) +
			 index->space.exponent * log(2));
	GL_NEW(host, row_tree->position, tree->leaf_count);
	for (int32_t i = 0; i < tree->leaf_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		row_tree->position[tree->leaf_row[i]] = i;
	}
	if (index->divergence->is_symmetric && tree->leaf_count > 1)
		return measure_tree(host, index, t);
	return GL_OK;
}

GlStatus
block_row_begin(GlHost *host, const BlockGraph *block, BlockRowIndex *out)
{
	const GraphRecipe *recipe = &block->graph.recipe;
	BlockRowIndex index = {
		.block = block,
		.divergence = divergence_of(recipe->metric)
	};
	int32_t		d;

	memset(out, 0, sizeof(*out));
	GL_TRY(point_space_require_points(host, &block->graph));
	d = block->graph.points->matrix.dimension_count;
	if (has_point_space(recipe->metric))
		GL_TRY(point_space_begin(host, block->graph.points, recipe->metric,
								 recipe->scale, &index.space));
	else
		GL_TRY(divergence_space_begin(host, block->graph.points,
									  recipe->metric,
									  block->recipe.smoothing,
									  &index.space));
	GL_NEW_ZEROED(host, index.trees, block->recipe.tree_count);
	GL_NEW(host, index.query, d);
	GL_NEW(host, index.stored, d);
	if (!index.divergence->is_symmetric)
		GL_NEW(host, index.divergences, block->graph.node_count);
	index.queue_capacity = index.entry_capacity = 64;
	GL_NEW(host, index.queue, index.queue_capacity);
	GL_NEW(host, index.entries, index.entry_capacity);
	for (int32_t t = 0; t < block->recipe.tree_count; t++)
		GL_TRY(prepare_tree(host, &index, t));
	*out = index;
	return GL_OK;
}

void
block_row_end(GlHost *host, BlockRowIndex *index)
{
	for (int32_t t = 0; t < index->block->recipe.tree_count; t++)
	{
		gl_release(host, index->trees[t].mean.values);
		gl_release(host, index->trees[t].spread);
		gl_release(host, index->trees[t].radius);
		gl_release(host, index->trees[t].position);
	}
	gl_release(host, index->trees);
	gl_release(host, index->query);
	gl_release(host, index->stored);
	gl_release(host, index->divergences);
	gl_release(host, index->queue);
	gl_release(host, index->entries);
	point_space_end(host, &index->space);
	memset(index, 0, sizeof(*index));
}

/* ---- the descent ---- */

typedef struct Descent
{
	BlockRowIndex *index;
	const DistanceKernels *kernels;
	int32_t		tree;
	const TreeLinks *links;
	int32_t		inner_count;
	int64_t		queue_count;
	int64_t		entry_count;	/* of all trees so far */
	int64_t		first_entry;	/* of this tree */
	int64_t		node_count;		/* nodes looked at */
	double		reference;		/* masses are relative to e^this */
	double		mass;			/* sum of |B| e^(g - reference) */
} Descent;

static inline double
exponent_of(double beta, double squared)
{
	double		exponent = -beta * squared;

	return exponent > LOWEST_EXPONENT ? exponent : LOWEST_EXPONENT;
}

static inline double
relative(const Descent *descent, double exponent)
{
	return exp(fmin(exponent - descent->reference, HIGHEST_RELATIVE));
}

static inline int32_t
leaves_of(const TreeLinks *links, int32_t node)
{
	return node < links->leaf_count - 1 ? links->size[node] : 1;
}

static double
hidden_mass(const Descent *descent, const BlockRowCandidate *candidate)
{
	return leaves_of(descent->links, candidate->node) *
		(relative(descent, candidate->bound) -
		 relative(descent, candidate->exponent));
}

/* Larger priority first; of equal ones the smaller node. */
static inline bool
comes_before(const BlockRowCandidate *a, const BlockRowCandidate *b)
{
	if (a->priority != b->priority)
		return a->priority > b->priority;
	return a->node < b->node;
}

static GlStatus
queue_push(GlHost *host, Descent *descent, BlockRowCandidate candidate)
{
	BlockRowIndex *index = descent->index;
	int64_t		at = descent->queue_count;

	if (at == index->queue_capacity)
	{
		BlockRowCandidate *queue =
			gl_resize(host, index->queue, (size_t) at * 2,
					  sizeof(BlockRowCandidate));

		if (queue == NULL)
			return host->status;
		index->queue = queue;
		index->queue_capacity = at * 2;
	}
	descent->queue_count++;
	while (at > 0 && comes_before(&candidate, &index->queue[(at - 1) / 2]))
	{
		index->queue[at] = index->queue[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	index->queue[at] = candidate;
	return GL_OK;
}

static BlockRowCandidate
queue_pop(Descent *descent)
{
	BlockRowCandidate *queue = descent->index->queue;
	BlockRowCandidate top = queue[0];
	int64_t		count = --descent->queue_count;
	BlockRowCandidate last = queue[count];
	int64_t		at = 0;

	for (;;)
	{
		int64_t		child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count &&
			comes_before(&queue[child + 1], &queue[child]))
			child++;
		if (!comes_before(&queue[child], &last))
			break;
		queue[at] = queue[child];
		at = child;
	}
	queue[at] = last;
	return top;
}

/* Add a node to the row: it will not be split. */
static GlStatus
settle(GlHost *host, Descent *descent, int32_t node, double exponent)
{
	BlockRowIndex *index = descent->index;

	if (descent->entry_count == index->entry_capacity)
	{
		BlockRowEntry *entries =
			gl_resize(host, index->entries,
					  (size_t) index->entry_capacity * 2,
					  sizeof(BlockRowEntry));

		if (entries == NULL)
			return host->status;
		index->entries = entries;
		index->entry_capacity *= 2;
	}
	index->entries[descent->entry_count++] = (BlockRowEntry)
	{
		.tree = descent->tree, .node = node, .exponent = exponent
	};
	return GL_OK;
}

/* A new largest exponent, far above the others: all masses anew. */
static GlStatus
lift_reference(GlHost *host, Descent *descent, double reference)
{
	BlockRowCandidate *queue = descent->index->queue;
	const BlockRowEntry *entries = descent->index->entries;

	descent->reference = reference;
	descent->mass = 0;
	for (int64_t e = descent->first_entry; e < descent->entry_count; e++)
	{
		GL_TRY(gl_work(host, 20));
		descent->mass += leaves_of(descent->links, entries[e].node) *
			relative(descent, entries[e].exponent);
	}
	for (int64_t c = 0; c < descent->queue_count; c++)
	{
		GL_TRY(gl_work(host, 40));
		descent->mass += leaves_of(descent->links, queue[c].node) *
			relative(descent, queue[c].exponent);
		queue[c].hidden = hidden_mass(descent, &queue[c]);
	}
	return GL_OK;
}

/* Look at a node: settle a leaf and a node that hides nothing, queue others. */
static GlStatus
look_at(GlHost *host, Descent *descent, int32_t node)
{
	BlockRowIndex *index = descent->index;
	const BlockRowTree *tree = &index->trees[descent->tree];
	double		squared = squared_to_node(index, descent->tree,
										  descent->kernels, index->query,
										  node);
	bool		is_leaf = node >= descent->inner_count;
	BlockRowCandidate candidate = {.node = node};
	double		away;

	GL_TRY(gl_work(host, index->space.matrix.dimension_count + 40));
	candidate.exponent = exponent_of(tree->beta, is_leaf ? squared :
									 squared + tree->spread[node]);
	if (descent->node_count++ == 0 ||
		candidate.exponent - descent->reference > LIFT)
		GL_TRY(lift_reference(host, descent, candidate.exponent));
	descent->mass += leaves_of(descent->links, node) *
		relative(descent, candidate.exponent);
	if (is_leaf)
		return settle(host, descent, node, candidate.exponent);
	away = fmax(0, sqrt(squared) - tree->radius[node]);
	candidate.bound = exponent_of(tree->beta, away * away);
	if (candidate.bound <= candidate.exponent || tree->radius[node] == 0)
		return settle(host, descent, node, candidate.exponent);
	candidate.hidden = hidden_mass(descent, &candidate);
	candidate.priority = log(descent->links->size[node]) + candidate.bound;
	return queue_push(host, descent, candidate);
}

/*
 * Might the nodes left whole hide more than this mass?  What vanishes to 0
 * beside the mass found, below e^-700 of it, counts as nothing.
 */
static GlStatus
hides_more(GlHost *host, const Descent *descent, double limit, bool *more)
{
	const BlockRowCandidate *queue = descent->index->queue;
	double		sum = 0;

	*more = true;
	for (int64_t c = 0; c < descent->queue_count; c++)
	{
		GL_TRY(gl_work(host, 1));
		sum += queue[c].hidden;
		if (sum > limit)
			return GL_OK;
	}
	*more = false;
	return GL_OK;
}

/* The nodes that cover all leaves but one, from the root down to it. */
static GlStatus
start_beside(GlHost *host, Descent *descent, int32_t position)
{
	const TreeLinks *links = descent->links;
	int32_t		node = 0;

	while (node < descent->inner_count)
	{
		int32_t		right = links->right[node];
		int32_t		right_first = right < descent->inner_count ?
			links->first[right] : right - descent->inner_count;
		bool		is_right = position >= right_first;

		GL_TRY(look_at(host, descent, is_right ? links->left[node] : right));
		node = is_right ? right : links->left[node];
	}
	return GL_OK;
}

static GlStatus
descend(GlHost *host, Descent *descent, int32_t exclude, double tolerance)
{
	const TreeLinks *links = descent->links;
	const BlockRowTree *tree = &descent->index->trees[descent->tree];
	int64_t		splits_left = 0;

	if (exclude >= 0)
		GL_TRY(start_beside(host, descent, tree->position[exclude]));
	else if (descent->inner_count == 0)
		GL_TRY(look_at(host, descent, 0));
	else
	{
		GL_TRY(look_at(host, descent, links->left[0]));
		GL_TRY(look_at(host, descent, links->right[0]));
	}
	while (descent->queue_count > 0)
	{
		BlockRowCandidate top;

		if (splits_left-- == 0)
		{
			bool		more;

			GL_TRY(hides_more(host, descent, tolerance * descent->mass,
							  &more));
			if (!more)
				break;
			splits_left = descent->queue_count / SUM_SHARE;
		}
		top = queue_pop(descent);
		/* its children have at least its mass: no cancellation */
		descent->mass -= links->size[top.node] *
			relative(descent, top.exponent);
		GL_TRY(look_at(host, descent, links->left[top.node]));
		GL_TRY(look_at(host, descent, links->right[top.node]));
	}
	for (int64_t c = 0; c < descent->queue_count; c++)
		GL_TRY(settle(host, descent, descent->index->queue[c].node,
					  descent->index->queue[c].exponent));
	descent->queue_count = 0;
	return GL_OK;
}

/* ---- the scan, where no bound holds ---- */

static GlStatus
measure_rows(GlHost *host, BlockRowIndex *index)
{
	const PointMatrix *matrix = &index->space.matrix;

	for (int64_t i = 0; i < matrix->row_count; i++)
	{
		GL_TRY(gl_work(host, 20 * (int64_t) matrix->dimension_count));
		point_matrix_row(matrix, i, index->stored);
		index->divergences[i] = divergence_between(index->divergence,
												   index->query,
												   index->stored,
												   matrix->dimension_count);
	}
	return GL_OK;
}

static GlStatus
scan(GlHost *host, Descent *descent, int32_t exclude)
{
	BlockRowIndex *index = descent->index;
	const int32_t *leaf_row =
		index->block->trees[descent->tree].tree.leaf_row;
	double		beta = index->trees[descent->tree].beta;

	for (int32_t i = 0; i <= descent->inner_count; i++)
	{
		GL_TRY(gl_work(host, 4));
		if (leaf_row[i] == exclude)
			continue;
		GL_TRY(settle(host, descent, descent->inner_count + i,
					  exponent_of(beta, index->divergences[leaf_row[i]])));
		descent->node_count++;
	}
	return GL_OK;
}

/* ---- the row ---- */

/* Exponents of one tree to probabilities, and its log density. */
static GlStatus
normalise(GlHost *host, const Descent *descent, double *log_density)
{
	BlockRowIndex *index = descent->index;
	int32_t		tree_count = index->block->recipe.tree_count;
	double		peak = -INFINITY;
	double		sum = 0;
	double		rows = 0;

	for (int64_t e = descent->first_entry; e < descent->entry_count; e++)
		peak = fmax(peak, index->entries[e].exponent);
	for (int64_t e = descent->first_entry; e < descent->entry_count; e++)
	{
		BlockRowEntry *entry = &index->entries[e];
		int32_t		leaves = leaves_of(descent->links, entry->node);

		GL_TRY(gl_work(host, 20));
		entry->probability = exp(entry->exponent - peak);
		sum += leaves * entry->probability;
		rows += leaves;
	}
	for (int64_t e = descent->first_entry; e < descent->entry_count; e++)
		index->entries[e].probability /= sum * tree_count;
	*log_density = rows == 0 ? -INFINITY :
		peak + log(sum / rows) - index->trees[descent->tree].log_normal;
	return GL_OK;
}

/* log(e^a + e^b), either of which may be 0. */
static double
log_add(double a, double b)
{
	double		larger = fmax(a, b);

	return isinf(larger) ? larger : larger + log1p(exp(-fabs(a - b)));
}

static GlStatus
map_row(GlHost *host, BlockRowIndex *index, const double *features,
		int64_t feature_count)
{
	if (has_point_space(index->space.metric))
		return point_space_map_row(host, &index->space, features,
								   feature_count, index->query);
	return divergence_space_map_row(host, &index->space, features,
									feature_count, index->query);
}

GlStatus
block_row_query(GlHost *host, BlockRowIndex *index, const double *features,
				int64_t feature_count, int32_t exclude, double tolerance,
				BlockRow *out)
{
	const BlockGraph *block = index->block;
	Descent		descent = {
		.index = index,
		.kernels = distance_kernels(),
		.inner_count = (int32_t) block->graph.node_count - 1
	};
	double		log_density = -INFINITY;
	int64_t		looked_at = 0;

	memset(out, 0, sizeof(*out));
	if (!(tolerance >= 0 && isfinite(tolerance)))
		return gl_fail(host, GL_ERR_OPTION,
					   "tolerance must be 0 or positive, not %g", tolerance);
	if (exclude < -1 || exclude >= block->graph.node_count)
		return gl_fail(host, GL_ERR_OPTION,
					   "row %" PRId32 " is not in the graph", exclude);
	GL_TRY(map_row(host, index, features, feature_count));
	if (!index->divergence->is_symmetric)
		GL_TRY(measure_rows(host, index));
	for (int32_t t = 0; t < block->recipe.tree_count; t++)
	{
		double		tree_density;

		descent.tree = t;
		descent.links = &block->trees[t].links;
		descent.first_entry = descent.entry_count;
		descent.node_count = 0;
		if (index->divergence->is_symmetric)
			GL_TRY(descend(host, &descent, exclude, tolerance));
		else
			GL_TRY(scan(host, &descent, exclude));
		GL_TRY(normalise(host, &descent, &tree_density));
		log_density = log_add(log_density, tree_density);
		looked_at += descent.node_count;
	}
	*out = (BlockRow)
	{
		.entry_count = descent.entry_count,
		.entries = index->entries,
		.node_count = looked_at,
		.log_density = log_density - log(block->recipe.tree_count)
	};
	return GL_OK;
}

GlStatus
block_row_spread(GlHost *host, const BlockRowIndex *index,
				 const BlockRow *row, double *probability)
{
	int32_t		inner_count = (int32_t) index->block->graph.node_count - 1;

	GL_TRY(gl_zero(host, probability, (size_t) inner_count + 1,
				   sizeof(double)));
	for (int64_t e = 0; e < row->entry_count; e++)
	{
		const BlockRowEntry *entry = &row->entries[e];
		const BlockTree *tree = &index->block->trees[entry->tree];
		bool		is_leaf = entry->node >= inner_count;
		int32_t		first = is_leaf ? entry->node - inner_count :
			tree->links.first[entry->node];
		int32_t		count = is_leaf ? 1 : tree->links.size[entry->node];

		GL_TRY(gl_work(host, count));
		for (int32_t i = first; i < first + count; i++)
			probability[tree->tree.leaf_row[i]] += entry->probability;
	}
	return GL_OK;
}

/* ---- fields ---- */

/* Where the sums of a node are: kept ones, or a row of the field itself. */
static const double *
field_at(const BlockRowIndex *index, const BlockRowField *field, int32_t t,
		 int32_t node)
{
	int64_t		inner_count = index->block->graph.node_count - 1;

	if (node < inner_count)
		return field->sums + (t * inner_count + node) * field->columns;
	return field->values + field->columns *
		(int64_t) index->block->trees[t].tree.leaf_row[node - inner_count];
}

GlStatus
block_row_field_begin(GlHost *host, const BlockRowIndex *index,
					  const double *values, int32_t columns,
					  BlockRowField *out)
{
	BlockRowField field = {.values = values, .columns = columns};
	int32_t		tree_count = index->block->recipe.tree_count;
	int32_t		inner_count = (int32_t) index->block->graph.node_count - 1;

	memset(out, 0, sizeof(*out));
	field.sums = gl_allocate(host, (size_t) tree_count * (size_t) inner_count,
							 (size_t) columns * sizeof(double));
	if (field.sums == NULL)
		return host->status;
	for (int32_t t = 0; t < tree_count; t++)
	{
		const TreeLinks *links = &index->block->trees[t].links;

		for (int32_t p = inner_count - 1; p >= 0; p--)
		{
			const double *left = field_at(index, &field, t, links->left[p]);
			const double *right = field_at(index, &field, t,
										   links->right[p]);
			double	   *sum = field.sums +
				((int64_t) t * inner_count + p) * columns;

			GL_TRY(gl_work(host, columns));
			for (int32_t c = 0; c < columns; c++)
				sum[c] = left[c] + right[c];
		}
	}
	*out = field;
	return GL_OK;
}

void
block_row_field_end(GlHost *host, BlockRowField *field)
{
	gl_release(host, field->sums);
	memset(field, 0, sizeof(*field));
}

GlStatus
block_row_apply(GlHost *host, const BlockRowIndex *index, const BlockRow *row,
				const BlockRowField *field, double *value)
{
	for (int32_t c = 0; c < field->columns; c++)
		value[c] = 0;
	for (int64_t e = 0; e < row->entry_count; e++)
	{
		const BlockRowEntry *entry = &row->entries[e];
		const double *sum = field_at(index, field, entry->tree, entry->node);

		GL_TRY(gl_work(host, field->columns));
		for (int32_t c = 0; c < field->columns; c++)
			value[c] += entry->probability * sum[c];
	}
	return GL_OK;
}
