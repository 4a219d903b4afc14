/*
 * partition_anchor.c
 *		Part rows among anchors, build each anchor's tree, join the trees.
 *
 * An anchor is a pivot row and the rows nearer to it than to any other pivot,
 * farthest first.  m rows are parted among ceil(sqrt(m)) anchors: the row
 * farthest from its pivot becomes the next pivot and steals what is nearer to
 * it.  The scan of a list stops where nothing can be stolen: for rows with
 *
 *		d(x, old) <= 1/2 min over y of [d(y, old) + d(y, new)]
 *
 * the new pivot is no nearer; the minimum is at y = g^-1 of the mean of the
 * pivots' gradients g (spec seed000 section 2.11; for squared Euclidean
 * distance this is the half-distance rule).  Each anchor is parted in turn,
 * on an explicit stack, and the trees of one set of anchors are then joined
 * two by two, least cost first.
 *
 * Invariants while rows are parted:
 *	 A1	a pivot is in its own list, at distance 0: it is never stolen, so no
 *		list is empty
 *	 A2	every list descends by (distance, then row ascending)
 *
 * Rows that are all equally far apart, or a geometric series, leave nearly
 * all rows with one anchor, again and again: depth and time would be
 * quadratic.  A heuristic guards against it: after LOPSIDED_LIMIT such steps
 * in a row the rows are halved between the pivot and the row farthest from
 * it (test_partition_anchor.c: test_depth_is_bounded).
 */
#include "graph/partition_anchor.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

/* An anchor with more than 7/8 of the rows is lopsided; so many are borne. */
#define LOPSIDED_SHARE		8
#define LOPSIDED_LIMIT		4

/*
 * Rounding must not prune a row that an exhaustive scan would steal: the
 * threshold is lowered by more than the error of a sum of 10^6 terms.
 */
#define THRESHOLD_SLACK		1e-9

/* A row in the list of its anchor. */
typedef struct Member
{
	double		distance;		/* d(row, pivot) */
	int32_t		row;
	int32_t		next;			/* place of the next nearer one; -1: none */
} Member;

typedef struct Anchor
{
	int32_t		pivot;			/* a row */
	int32_t		head;			/* place of the farthest member */
	int32_t		count;
	int32_t		lopsided;		/* lopsided steps above, in a row */
	int32_t		node;			/* the root of its tree, once built */
	double		radius;			/* about the mean; an upper bound */
} Anchor;

/* An anchor that is being parted into those on top of the anchor stack. */
typedef struct Frame
{
	int64_t		owner;			/* the anchor */
	int64_t		first;			/* the first of its parts */
	int64_t		next;			/* the part to build next */
} Frame;

/* What building shares. */
typedef struct AnchorShop
{
	const Divergence *divergence;
	MergeRule	rule;
	int32_t		n;
	int32_t		d;
	int64_t		cost;			/* work units of one divergence */
	const double *rows;			/* n x d */
	double	   *widened;		/* the rows, if they had to be copied */
	Member	   *members;		/* n: each anchor's rows side by side */
	Member	   *stolen;			/* n: scratch */
	Anchor	   *anchors;		/* a stack */
	int64_t		anchor_count;
	int64_t		anchor_capacity;
	Frame	   *frames;			/* a stack */
	int64_t		frame_count;
	int64_t		frame_capacity;
	double	   *middle;			/* scratch, d */
	Agglomeration joining;		/* holds the tree */
} AnchorShop;

static const double *
row_of(const AnchorShop *shop, int32_t row)
{
	return shop->rows + (int64_t) row * shop->d;
}

/* How many anchors share so many rows: ceil(sqrt(count)), two at least. */
static int32_t
anchor_limit(int32_t count)
{
	int64_t		limit = (int64_t) sqrt((double) count);

	while (limit * limit < count)
		limit++;
	return limit < 2 ? 2 : (int32_t) limit;
}

static GlStatus
shop_begin(GlHost *host, const PointMatrix *points,
		   const Divergence *divergence, MergeRule rule, AnchorShop *shop)
{
	int64_t		n = points->row_count;
	int64_t		v = anchor_limit((int32_t) n);

	memset(shop, 0, sizeof(*shop));
	shop->divergence = divergence;
	shop->rule = rule;
	shop->n = (int32_t) n;
	shop->d = points->dimension_count;
	shop->cost = (divergence->is_symmetric ? 1 : 16) * (int64_t) shop->d;
	shop->rows = points->values;
	if (points->scalar != SCALAR_FLOAT8)
	{
		shop->widened = gl_allocate(host, (size_t) n,
									(size_t) shop->d * sizeof(double));
		if (shop->widened == NULL)
			return host->status;
		shop->rows = shop->widened;
	}
	for (int64_t i = 0; i < n && shop->widened != NULL; i++)
	{
		GL_TRY(gl_work(host, shop->d));
		point_matrix_row(points, i, shop->widened + i * shop->d);
	}
	shop->anchor_capacity = 2 * v;
	shop->frame_capacity = 64;
	GL_NEW(host, shop->members, n);
	GL_NEW(host, shop->stolen, n);
	GL_NEW(host, shop->anchors, shop->anchor_capacity);
	GL_NEW(host, shop->frames, shop->frame_capacity);
	GL_NEW(host, shop->middle, shop->d);
	GL_TRY(agglomeration_begin(host, divergence, rule, shop->n, shop->d,
							   (int32_t) v, &shop->joining));
	return GL_OK;
}

/* All but the tree. */
static void
shop_end(GlHost *host, AnchorShop *shop)
{
	gl_release(host, shop->widened);
	gl_release(host, shop->members);
	gl_release(host, shop->stolen);
	gl_release(host, shop->anchors);
	gl_release(host, shop->frames);
	gl_release(host, shop->middle);
}

static GlStatus
push_anchor(GlHost *host, AnchorShop *shop, Anchor anchor)
{
	if (shop->anchor_count == shop->anchor_capacity)
	{
		Anchor	   *grown = gl_resize(host, shop->anchors,
									  (size_t) shop->anchor_capacity * 2,
									  sizeof(Anchor));

		if (grown == NULL)
			return host->status;
		shop->anchors = grown;
		shop->anchor_capacity *= 2;
	}
	shop->anchors[shop->anchor_count++] = anchor;
	return GL_OK;
}

static GlStatus
push_frame(GlHost *host, AnchorShop *shop, Frame frame)
{
	if (shop->frame_count == shop->frame_capacity)
	{
		Frame	   *grown = gl_resize(host, shop->frames,
									  (size_t) shop->frame_capacity * 2,
									  sizeof(Frame));

		if (grown == NULL)
			return host->status;
		shop->frames = grown;
		shop->frame_capacity *= 2;
	}
	shop->frames[shop->frame_count++] = frame;
	return GL_OK;
}

/* ---- lists of members ---- */

static inline bool
comes_before(const Member *a, const Member *b)
{
	if (a->distance != b->distance)
		return a->distance > b->distance;
	return a->row < b->row;
}

static void
sink_member(Member *items, int64_t count, int64_t at)
{
	Member		item = items[at];

	for (int64_t below = 2 * at + 1; below < count; below = 2 * at + 1)
	{
		if (below + 1 < count &&
			comes_before(&items[below], &items[below + 1]))
			below++;
		if (!comes_before(&item, &items[below]))
			break;
		items[at] = items[below];
		at = below;
	}
	items[at] = item;
}

/* Heap sort: in place, O(count log count) always; the order is total. */
static GlStatus
sort_members(GlHost *host, Member *items, int64_t count)
{
	for (int64_t i = count / 2 - 1; i >= 0; i--)
	{
		GL_TRY(gl_work(host, 16));
		sink_member(items, count, i);
	}
	for (int64_t last = count - 1; last > 0; last--)
	{
		Member		item = items[0];

		GL_TRY(gl_work(host, 32));
		items[0] = items[last];
		items[last] = item;
		sink_member(items, last, 0);
	}
	return GL_OK;
}

/* Distances of items to a pivot, and the order they imply. */
static GlStatus
measure_members(GlHost *host, const AnchorShop *shop, int32_t pivot,
				Member *items, int64_t count)
{
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, shop->cost));
		items[i].distance = items[i].row == pivot ? 0 :
			divergence_between(shop->divergence, row_of(shop, items[i].row),
							   row_of(shop, pivot), shop->d);
	}
	return sort_members(host, items, count);
}

/* ---- parting the rows of an anchor ---- */

/* Rows at most so far from the old pivot cannot be nearer to the new one. */
static double
steal_threshold(AnchorShop *shop, int32_t old_pivot, int32_t new_pivot)
{
	const Divergence *divergence = shop->divergence;
	const double *a = row_of(shop, old_pivot);
	const double *b = row_of(shop, new_pivot);
	double		sum;

	if (divergence->is_symmetric)
		sum = divergence_between(divergence, a, b, shop->d) / 2;
	else
	{
		for (int32_t j = 0; j < shop->d; j++)
			shop->middle[j] =
				divergence->inverse((divergence->gradient(a[j]) +
									 divergence->gradient(b[j])) / 2);
		sum = divergence_between(divergence, shop->middle, a, shop->d) +
			divergence_between(divergence, shop->middle, b, shop->d);
	}
	return sum / 2 * (1 - THRESHOLD_SLACK);
}

/* Move what is nearer to a new pivot from an anchor's list to `stolen`. */
static GlStatus
steal_members(GlHost *host, AnchorShop *shop, Anchor *from, int32_t pivot,
			  int32_t *stolen_count)
{
	double		threshold = steal_threshold(shop, from->pivot, pivot);
	int32_t    *link = &from->head;

	GL_TRY(gl_work(host, 2 * shop->cost));
	while (*link >= 0 && shop->members[*link].distance > threshold)
	{
		Member	   *member = &shop->members[*link];
		double		distance;

		GL_TRY(gl_work(host, shop->cost));
		distance = divergence_between(shop->divergence,
									  row_of(shop, member->row),
									  row_of(shop, pivot), shop->d);
		if (distance < member->distance)
		{
			shop->stolen[(*stolen_count)++] = (Member)
			{
				distance, member->row, *link
			};
			*link = member->next;
			from->count--;
		}
		else
			link = &member->next;
	}
	return GL_OK;
}

/* The anchor on top of the stack with the farthest member; ties: the first. */
static Anchor *
widest_anchor(AnchorShop *shop, int64_t first)
{
	Anchor	   *widest = &shop->anchors[first];

	for (int64_t a = first + 1; a < shop->anchor_count; a++)
	{
		Anchor	   *anchor = &shop->anchors[a];

		if (shop->members[anchor->head].distance >
			shop->members[widest->head].distance)
			widest = anchor;
	}
	return widest;
}

/* One more anchor; *added = false if only copies of pivots are left. */
static GlStatus
add_anchor(GlHost *host, AnchorShop *shop, int64_t first, bool *added)
{
	Anchor	   *widest = widest_anchor(shop, first);
	int32_t		place = widest->head;
	int32_t		pivot = shop->members[place].row;
	int32_t		count = 0;

	*added = shop->members[place].distance > 0;
	if (!*added)
		return GL_OK;
	/* the pivot steals itself first, also where distances overflow (A1) */
	shop->stolen[count++] = (Member) {0, pivot, place};
	widest->head = shop->members[place].next;
	widest->count--;
	GL_TRY(gl_work(host, shop->anchor_count - first));
	for (int64_t a = first; a < shop->anchor_count; a++)
		GL_TRY(steal_members(host, shop, &shop->anchors[a], pivot, &count));
	GL_TRY(sort_members(host, shop->stolen, count));
	/* link the stolen members where they are; .next told their places */
	for (int32_t i = count - 1, next = -1; i >= 0; i--)
	{
		Member	   *member = &shop->members[shop->stolen[i].next];

		member->distance = shop->stolen[i].distance;
		member->next = next;
		next = shop->stolen[i].next;
		place = next;
	}
	return push_anchor(host, shop, (Anchor) {
					   .pivot = pivot, .head = place, .count = count});
}

/* Lay the lists side by side, in the order of the anchors. */
static GlStatus
lay_out_members(GlHost *host, AnchorShop *shop, const Anchor *owner,
				int64_t first)
{
	int32_t		filled = 0;

	for (int64_t a = first; a < shop->anchor_count; a++)
	{
		Anchor	   *anchor = &shop->anchors[a];
		int32_t		start = owner->head + filled;

		for (int32_t m = anchor->head; m >= 0; m = shop->members[m].next)
		{
			GL_TRY(gl_work(host, 2));
			shop->stolen[filled++] = shop->members[m];
		}
		anchor->head = start;
		anchor->lopsided =
			anchor->count > owner->count - owner->count / LOPSIDED_SHARE ?
			owner->lopsided + 1 : 0;
	}
	memcpy(shop->members + owner->head, shop->stolen,
		   (size_t) filled * sizeof(Member));
	return GL_OK;
}

/* Part an anchor's rows among ceil(sqrt(count)) anchors. */
static GlStatus
part_among_anchors(GlHost *host, AnchorShop *shop, const Anchor *owner)
{
	int64_t		first = shop->anchor_count;
	int32_t		limit = anchor_limit(owner->count);
	bool		added = true;

	for (int32_t i = 0; i < owner->count; i++)
	{
		GL_TRY(gl_work(host, 1));
		shop->members[owner->head + i].next =
			i + 1 < owner->count ? owner->head + i + 1 : -1;
	}
	GL_TRY(push_anchor(host, shop, (Anchor) {
					   .pivot = owner->pivot, .head = owner->head,
					   .count = owner->count}));
	for (int32_t a = 1; a < limit && added; a++)
		GL_TRY(add_anchor(host, shop, first, &added));
	return lay_out_members(host, shop, owner, first);
}

/*
 * The guard: halve an anchor's rows by d(x, pivot) - d(x, farthest).  The
 * extreme rows of the two halves are their pivots.
 */
static GlStatus
part_in_halves(GlHost *host, AnchorShop *shop, const Anchor *owner)
{
	Member	   *items = shop->members + owner->head;
	int32_t		far = items[0].row;
	int32_t		half = owner->count / 2;
	int32_t		pivot[2];

	for (int32_t i = 0; i < owner->count; i++)
	{
		double		side = items[i].distance -
			divergence_between(shop->divergence, row_of(shop, items[i].row),
							   row_of(shop, far), shop->d);

		GL_TRY(gl_work(host, shop->cost));
		items[i].distance = isnan(side) ? 0 : side;
	}
	GL_TRY(sort_members(host, items, owner->count));
	pivot[0] = items[0].row;
	pivot[1] = items[owner->count - 1].row;
	for (int s = 0; s < 2; s++)
	{
		int32_t		start = s == 0 ? 0 : half;
		int32_t		count = s == 0 ? half : owner->count - half;

		GL_TRY(measure_members(host, shop, pivot[s], items + start, count));
		GL_TRY(push_anchor(host, shop, (Anchor) {
						   .pivot = pivot[s], .head = owner->head + start,
						   .count = count}));
	}
	return GL_OK;
}

/* ---- joining the trees of one set of anchors ---- */

/* The mean of an anchor's rows, about one of them: no large sums. */
static GlStatus
average_rows(GlHost *host, const AnchorShop *shop, const Anchor *anchor,
			 double *mean)
{
	const Member *items = shop->members + anchor->head;
	const double *origin = row_of(shop, items[0].row);

	memset(mean, 0, (size_t) shop->d * sizeof(double));
	for (int32_t i = 1; i < anchor->count; i++)
	{
		const double *row = row_of(shop, items[i].row);

		GL_TRY(gl_work(host, shop->d));
		for (int32_t j = 0; j < shop->d; j++)
			mean[j] += row[j] - origin[j];
	}
	for (int32_t j = 0; j < shop->d; j++)
		mean[j] = origin[j] + mean[j] / anchor->count;
	return GL_OK;
}

/* Join the trees of the anchors from `first` on into their owner's. */
static GlStatus
join_anchors(GlHost *host, AnchorShop *shop, int64_t first, Anchor *owner)
{
	Cluster		whole;

	agglomeration_clear(&shop->joining);
	for (int64_t a = first; a < shop->anchor_count; a++)
	{
		const Anchor *anchor = &shop->anchors[a];

		GL_TRY(average_rows(host, shop, anchor,
							agglomeration_add(&shop->joining, anchor->node,
											  anchor->count,
											  anchor->radius)));
	}
	GL_TRY(agglomeration_run(host, &shop->joining, &whole));
	owner->node = whole.node;
	owner->radius = whole.radius;
	return GL_OK;
}

/* ---- the whole tree ---- */

/* A balanced tree over copies of one row: pair them up, level by level. */
static GlStatus
join_equal_rows(GlHost *host, AnchorShop *shop, Anchor *anchor)
{
	Member	   *level = shop->stolen;	/* .row holds nodes */
	int32_t		count = anchor->count;

	/* at equal distances rows ascend (A2) */
	memcpy(level, shop->members + anchor->head,
		   (size_t) count * sizeof(Member));
	while (count > 1)
	{
		int32_t		kept = 0;

		for (int32_t i = 0; i + 1 < count; i += 2)
		{
			GL_TRY(gl_work(host, 2));
			level[kept++].row = agglomeration_pair(&shop->joining,
												   level[i].row,
												   level[i + 1].row);
		}
		if (count % 2 == 1)
			level[kept++] = level[count - 1];
		count = kept;
	}
	anchor->node = level[0].row;
	return GL_OK;
}

/* Build an anchor's tree at once if that is trivial, else part its rows. */
static GlStatus
begin_anchor(GlHost *host, AnchorShop *shop, int64_t index)
{
	Anchor	   *anchor = &shop->anchors[index];
	const Member *items = shop->members + anchor->head;
	Anchor		owner;

	anchor->radius = 0;
	if (!(items[0].distance > 0))
		return join_equal_rows(host, shop, anchor);
	if (anchor->count == 2)
	{
		anchor->node = agglomeration_pair(&shop->joining, items[0].row,
										  items[1].row);
		anchor->radius = shop->rule == MERGE_RADIUS ?
			sqrt(items[0].distance) / 2 : 0;
		return GL_OK;
	}
	owner = *anchor;			/* the stack may move */
	GL_TRY(push_frame(host, shop, (Frame) {
					  .owner = index, .first = shop->anchor_count,
					  .next = shop->anchor_count}));
	if (owner.lopsided >= LOPSIDED_LIMIT)
		return part_in_halves(host, shop, &owner);
	return part_among_anchors(host, shop, &owner);
}

/* All rows as one anchor about a random row, then frame by frame. */
static GlStatus
build_nodes(GlHost *host, AnchorShop *shop, int64_t seed)
{
	GlRandom	random;
	int32_t		pivot;

	gl_random_begin(&random, seed);
	pivot = (int32_t) gl_random_below(&random, shop->n);
	for (int32_t i = 0; i < shop->n; i++)
	{
		GL_TRY(gl_work(host, 1));
		shop->members[i] = (Member) {.row = i};
	}
	GL_TRY(measure_members(host, shop, pivot, shop->members, shop->n));
	GL_TRY(push_anchor(host, shop, (Anchor) {
					   .pivot = pivot, .count = shop->n}));
	GL_TRY(begin_anchor(host, shop, 0));
	while (shop->frame_count > 0)
	{
		Frame	   *frame = &shop->frames[shop->frame_count - 1];

		GL_TRY(gl_work(host, 1));
		if (frame->next < shop->anchor_count)
		{
			GL_TRY(begin_anchor(host, shop, frame->next++));
			continue;
		}
		GL_TRY(join_anchors(host, shop, frame->first,
							&shop->anchors[frame->owner]));
		shop->anchor_count = frame->first;
		shop->frame_count--;
	}
	return GL_OK;
}

GlStatus
partition_anchor_build_merging(GlHost *host, const PointMatrix *points,
							   const Divergence *divergence,
							   MergeRule rule, int64_t seed,
							   PartitionTree *out)
{
	AnchorShop	shop;

	memset(out, 0, sizeof(*out));
	if (rule == MERGE_RADIUS && !divergence->is_symmetric)
		return gl_fail(host, GL_ERR_OPTION,
					   "anchors have radii for Euclidean distance only");
	GL_TRY(partition_tree_limit(host, points->row_count));
	GL_TRY(shop_begin(host, points, divergence, rule, &shop));
	GL_TRY(build_nodes(host, &shop, seed));
	shop_end(host, &shop);
	return agglomeration_finish(host, &shop.joining, out);
}

GlStatus
partition_anchor_build(GlHost *host, const PointMatrix *points,
					   const Divergence *divergence, int64_t seed,
					   PartitionTree *out)
{
	return partition_anchor_build_merging(host, points, divergence,
										  MERGE_BREGMAN, seed, out);
}
