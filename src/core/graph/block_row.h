/*
 * block_row.h
 *		Where a walk at a point never seen would go: its row of a block graph.
 *
 * Reads:	a block graph that keeps its points, and the features of a new row.
 * Yields:	for each tree an antichain of nodes that covers every leaf once,
 *			with one probability for all leaves of a node; and the density.
 *
 * Idea (spec seed000 section 2.15).  A new row is one more leaf, whose own
 * optimisation touches no other.  With mean mu, mean square S about it and
 * covering radius r of a node B,
 *
 *		g = -beta (|x - mu|^2 + S)				the mean exponent
 *		u = -beta max(0, |x - mu| - r)^2		no leaf has a larger one
 *
 * so the kernel mass of B lies between |B| e^g (Jensen) and |B| e^u.  The
 * descent splits the node of largest |B| e^u until all that the nodes left
 * whole might still hide, sum |B| (e^u - e^g), is below tolerance times the
 * mass found.  At tolerance 0 the row is the exact kernel row.
 *
 * The bound u needs the triangle inequality, which only the Euclidean metrics
 * obey (trap T-72); under the other divergences every row is looked at.
 */
#ifndef BLOCK_ROW_H
#define BLOCK_ROW_H

#include "graph/block_graph.h"
#include "graph/point_space.h"

#define BLOCK_ROW_DEFAULT_TOLERANCE		0.01

/* The inner nodes of one tree, as the descent needs them. */
typedef struct BlockRowTree
{
	PointMatrix mean;			/* n-1 rows */
	double	   *spread;			/* n-1: S, mean square about the mean */
	double	   *radius;			/* n-1: r, never too small */
	int32_t    *position;		/* n: leaf position of each row */
	double		beta;			/* 1 / (2 sigma^2) in units of the space */
	double		log_normal;		/* log of the kernel's integral; 0 if none */
} BlockRowTree;

/* One node of the antichain of one tree. */
typedef struct BlockRowEntry
{
	int32_t		tree;
	int32_t		node;
	double		exponent;		/* g; scratch of the query */
	double		probability;	/* of each leaf below, a share of the forest's */
} BlockRowEntry;

/* A node that may still be split. */
typedef struct BlockRowCandidate
{
	double		priority;		/* log|B| + u */
	double		exponent;		/* g */
	double		bound;			/* u */
	double		hidden;			/* |B| (e^u - e^g), relative */
	int32_t		node;
} BlockRowCandidate;

typedef struct BlockRowIndex
{
	const BlockGraph *block;	/* borrowed */
	const Divergence *divergence;
	PointSpace	space;
	BlockRowTree *trees;		/* T; empty but for beta if not Euclidean */

	/* scratch of a query */
	double	   *query;			/* d: the new row in the space */
	double	   *stored;			/* d: a row of the space as doubles */
	double	   *divergences;	/* n, not Euclidean only */
	BlockRowCandidate *queue;
	int64_t		queue_capacity;
	BlockRowEntry *entries;
	int64_t		entry_capacity;
} BlockRowIndex;

/* What a query found; valid until the next query of the index. */
typedef struct BlockRow
{
	int64_t		entry_count;
	const BlockRowEntry *entries;	/* by tree */
	int64_t		node_count;		/* nodes and rows whose distance was taken */
	double		log_density;	/* log p(x); -infinity if no row is left */
} BlockRow;

/*
 * Prepare a block graph for new rows.  GL_ERR_OPTION if it keeps no points.
 * O(T n d log n) time for trees of ordinary depth, never more than 64 T n
 * distances; memory of T n (d + 3) doubles beside a copy of the points where
 * the metric needs one (mahalanobis: O(n d^2) time, its covariance is
 * computed again).  The graph must outlive the index.
 */
extern GlStatus block_row_begin(GlHost *host, const BlockGraph *block,
								BlockRowIndex *out);

extern void block_row_end(GlHost *host, BlockRowIndex *index);

/*
 * The row of a new point, as if the row `exclude` (-1: none) were not in the
 * graph.  GL_ERR_OPTION for a tolerance that is negative or not finite,
 * GL_ERR_DATA for features of another length, not finite, or outside the
 * domain of the metric.  O(T m (d + log m)) for m nodes looked at; n rows
 * where the metric is not Euclidean, or the tolerance is 0.
 */
extern GlStatus block_row_query(GlHost *host, BlockRowIndex *index,
								const double *features,
								int64_t feature_count, int32_t exclude,
								double tolerance, BlockRow *out);

/* The row as n probabilities, which sum to 1.  O(T n). */
extern GlStatus block_row_spread(GlHost *host, const BlockRowIndex *index,
								 const BlockRow *row, double *probability);

/* Sums of a field over the leaves of every inner node: T_B(y). */
typedef struct BlockRowField
{
	const double *values;		/* borrowed, n x columns by row */
	int32_t		columns;
	double	   *sums;			/* T x (n-1) x columns */
} BlockRowField;

extern GlStatus block_row_field_begin(GlHost *host,
									  const BlockRowIndex *index,
									  const double *values, int32_t columns,
									  BlockRowField *out);

extern void block_row_field_end(GlHost *host, BlockRowField *field);

/* value[c] = sum over the entries of q_B T_B(y_c).  O(entries * columns). */
extern GlStatus block_row_apply(GlHost *host, const BlockRowIndex *index,
								const BlockRow *row,
								const BlockRowField *field, double *value);

#endif							/* BLOCK_ROW_H */
