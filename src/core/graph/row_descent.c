/*
 * row_descent.c
 *		A heap of nodes by the mass they may have.
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
#include "graph/row_descent.h"

#include <math.h>
#include <string.h>

#include "points/distance.h"

/* Where exponents end, as in block_solver.c: no infinities. */
#define LOWEST_EXPONENT		(-1e300)

/* Above the reference, exponents are cut here; from LIFT on it follows. */
#define HIGHEST_RELATIVE	600.0
#define LIFT				300.0

/* Below it they count as nothing: 2^30 such leaves are 1e-17 of one. */
#define LOWEST_RELATIVE		(-60.0)

/* The queue is summed again after this share of it was split. */
#define SUM_SHARE			16

#define FIRST_CAPACITY		64

/* One tree on its way. */
typedef struct Descent
{
	RowDescent *shared;
	const RowTree *tree;
	int32_t		number;
	const DistanceKernels *kernels;
	const double *query;
	int32_t		inner_count;
	int64_t		first_entry;	/* of this tree */
	bool		has_reference;
	double		reference;		/* masses are relative to e^this */
	double		mass;			/* sum of |B| e^(g - reference) */
} Descent;

double
row_descent_exponent(double beta, double divergence)
{
	double		exponent = -beta * divergence;

	return exponent > LOWEST_EXPONENT ? exponent : LOWEST_EXPONENT;
}

static inline double
relative(const Descent *descent, double exponent)
{
	double		above = exponent - descent->reference;

	if (above < LOWEST_RELATIVE)
		return 0;
	return exp(fmin(above, HIGHEST_RELATIVE));
}

static double
hidden_mass(const Descent *descent, const RowCandidate *candidate)
{
	return row_descent_leaves(descent->tree->links, candidate->node) *
		(relative(descent, candidate->bound) -
		 relative(descent, candidate->exponent));
}

/* ---- the queue ---- */

/* Larger priority first; of equal ones the smaller node. */
static inline bool
comes_before(const RowCandidate *a, const RowCandidate *b)
{
	if (a->priority != b->priority)
		return a->priority > b->priority;
	return a->node < b->node;
}

static GlStatus
queue_push(GlHost *host, RowDescent *shared, RowCandidate candidate)
{
	int64_t		at = shared->queue_count;

	if (at == shared->queue_capacity)
	{
		RowCandidate *queue = gl_resize(host, shared->queue, (size_t) at * 2,
										sizeof(RowCandidate));

		if (queue == NULL)
			return host->status;
		shared->queue = queue;
		shared->queue_capacity = at * 2;
	}
	shared->queue_count++;
	while (at > 0 && comes_before(&candidate, &shared->queue[(at - 1) / 2]))
	{
		shared->queue[at] = shared->queue[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	shared->queue[at] = candidate;
	return GL_OK;
}

static RowCandidate
queue_pop(RowDescent *shared)
{
	RowCandidate *queue = shared->queue;
	RowCandidate top = queue[0];
	int64_t		count = --shared->queue_count;
	RowCandidate last = queue[count];
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

/* ---- entries ---- */

GlStatus
row_descent_settle(GlHost *host, RowDescent *descent, RowEntry entry)
{
	if (descent->entry_count == descent->entry_capacity)
	{
		RowEntry   *entries =
			gl_resize(host, descent->entries,
					  (size_t) descent->entry_capacity * 2,
					  sizeof(RowEntry));

		if (entries == NULL)
			return host->status;
		descent->entries = entries;
		descent->entry_capacity *= 2;
	}
	descent->entries[descent->entry_count++] = entry;
	return GL_OK;
}

static GlStatus
settle(GlHost *host, Descent *descent, int32_t node, double exponent)
{
	return row_descent_settle(host, descent->shared, (RowEntry)
							  {
								  .tree = descent->number, .node = node,
								  .exponent = exponent
							  });
}

/* A new largest exponent, far above the others: all masses anew. */
static GlStatus
lift_reference(GlHost *host, Descent *descent, double reference)
{
	const TreeLinks *links = descent->tree->links;
	RowCandidate *queue = descent->shared->queue;
	const RowEntry *entries = descent->shared->entries;

	descent->has_reference = true;
	descent->reference = reference;
	descent->mass = 0;
	for (int64_t e = descent->first_entry; e < descent->shared->entry_count;
		 e++)
	{
		GL_TRY(gl_work(host, 20));
		descent->mass += row_descent_leaves(links, entries[e].node) *
			relative(descent, entries[e].exponent);
	}
	for (int64_t c = 0; c < descent->shared->queue_count; c++)
	{
		GL_TRY(gl_work(host, 40));
		descent->mass += row_descent_leaves(links, queue[c].node) *
			relative(descent, queue[c].exponent);
		queue[c].hidden = hidden_mass(descent, &queue[c]);
	}
	return GL_OK;
}

/* ---- nodes ---- */

/* Count a node's mass. */
static GlStatus
add_mass(GlHost *host, Descent *descent, int32_t node, double exponent)
{
	descent->shared->node_count++;
	if (!descent->has_reference || exponent - descent->reference > LIFT)
		GL_TRY(lift_reference(host, descent, exponent));
	descent->mass += row_descent_leaves(descent->tree->links, node) *
		relative(descent, exponent);
	return GL_OK;
}

/* Leaves one by one; they lie side by side. */
static GlStatus
look_at_leaves(GlHost *host, Descent *descent, int32_t first, int32_t count)
{
	const RowTree *tree = descent->tree;

	for (int32_t i = first; i < first + count; i++)
	{
		double		squared = distance_squared(descent->kernels, &tree->rows,
											   descent->query, i);
		double		exponent = row_descent_exponent(tree->beta, squared);

		GL_TRY(gl_work(host, tree->rows.dimension_count + 20));
		GL_TRY(add_mass(host, descent, descent->inner_count + i, exponent));
		GL_TRY(settle(host, descent, descent->inner_count + i, exponent));
	}
	return GL_OK;
}

/* A node of its own: settled if it hides nothing, queued otherwise. */
static GlStatus
look_at_node(GlHost *host, Descent *descent, int32_t node)
{
	const RowTree *tree = descent->tree;
	int32_t		place = tree->place[node];
	double		squared = distance_squared(descent->kernels, &tree->mean,
										   descent->query, place);
	double		away = fmax(0, sqrt(squared) - tree->radius[place]);
	RowCandidate candidate = {
		.node = node,
		.exponent = row_descent_exponent(tree->beta,
										 squared + tree->spread[place]),
		.bound = row_descent_exponent(tree->beta, away * away)
	};

	GL_TRY(gl_work(host, tree->mean.dimension_count + 60));
	GL_TRY(add_mass(host, descent, node, candidate.exponent));
	if (candidate.bound <= candidate.exponent || tree->radius[place] == 0)
		return settle(host, descent, node, candidate.exponent);
	candidate.hidden = hidden_mass(descent, &candidate);
	candidate.priority = log(tree->links->size[node]) + candidate.bound;
	return queue_push(host, descent->shared, candidate);
}

static GlStatus
look_at(GlHost *host, Descent *descent, int32_t node)
{
	const TreeLinks *links = descent->tree->links;

	if (node >= descent->inner_count)
		return look_at_leaves(host, descent, node - descent->inner_count, 1);
	if (links->size[node] <= ROW_TREE_BUCKET)
		return look_at_leaves(host, descent, links->first[node],
							  links->size[node]);
	return look_at_node(host, descent, node);
}

/* Might the nodes left whole hide more than this mass? */
static GlStatus
hides_more(GlHost *host, const RowDescent *shared, double limit, bool *more)
{
	double		sum = 0;

	*more = true;
	for (int64_t c = 0; c < shared->queue_count; c++)
	{
		GL_TRY(gl_work(host, 1));
		sum += shared->queue[c].hidden;
		if (sum > limit)
			return GL_OK;
	}
	*more = false;
	return GL_OK;
}

/* ---- the descent ---- */

/* The nodes that cover all leaves but one, from the root down to it. */
static GlStatus
start_beside(GlHost *host, Descent *descent, int32_t position)
{
	const TreeLinks *links = descent->tree->links;
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
start(GlHost *host, Descent *descent, int32_t exclude)
{
	const RowTree *tree = descent->tree;

	if (exclude >= 0)
		return start_beside(host, descent, tree->position[exclude]);
	if (descent->inner_count == 0)
		return look_at(host, descent, 0);
	GL_TRY(look_at(host, descent, tree->links->left[0]));
	return look_at(host, descent, tree->links->right[0]);
}

static GlStatus
split_all(GlHost *host, Descent *descent, double tolerance)
{
	const TreeLinks *links = descent->tree->links;
	RowDescent *shared = descent->shared;
	int64_t		splits_left = 0;

	while (shared->queue_count > 0)
	{
		RowCandidate top;

		if (splits_left-- == 0)
		{
			bool		more;

			GL_TRY(hides_more(host, shared, tolerance * descent->mass,
							  &more));
			if (!more)
				break;
			splits_left = shared->queue_count / SUM_SHARE;
		}
		top = queue_pop(shared);
		/* its children have at least its mass: no cancellation */
		descent->mass -= links->size[top.node] *
			relative(descent, top.exponent);
		GL_TRY(look_at(host, descent, links->left[top.node]));
		GL_TRY(look_at(host, descent, links->right[top.node]));
	}
	return GL_OK;
}

GlStatus
row_descent_run(GlHost *host, RowDescent *shared, const RowTree *tree,
				int32_t number, const double *query, int32_t exclude,
				double tolerance)
{
	Descent		descent = {
		.shared = shared,
		.tree = tree,
		.number = number,
		.kernels = distance_kernels(),
		.query = query,
		.inner_count = (int32_t) tree->tree->leaf_count - 1,
		.first_entry = shared->entry_count
	};

	shared->queue_count = 0;
	GL_TRY(start(host, &descent, exclude));
	GL_TRY(split_all(host, &descent, tolerance));
	for (int64_t c = 0; c < shared->queue_count; c++)
		GL_TRY(settle(host, &descent, shared->queue[c].node,
					  shared->queue[c].exponent));
	return GL_OK;
}

GlStatus
row_descent_begin(GlHost *host, RowDescent *out)
{
	RowDescent	descent = {
		.queue_capacity = FIRST_CAPACITY, .entry_capacity = FIRST_CAPACITY
	};

	memset(out, 0, sizeof(*out));
	GL_NEW(host, descent.queue, descent.queue_capacity);
	GL_NEW(host, descent.entries, descent.entry_capacity);
	*out = descent;
	return GL_OK;
}

void
row_descent_end(GlHost *host, RowDescent *descent)
{
	gl_release(host, descent->queue);
	gl_release(host, descent->entries);
	memset(descent, 0, sizeof(*descent));
}
