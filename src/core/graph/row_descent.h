/*
 * row_descent.h
 *		Descend a tree towards a new row, the most promising node first.
 *
 * Reads:	a prepared tree (row_tree.h) and a row in its space.
 * Yields:	an antichain of nodes that covers every leaf once, each with the
 *			mean exponent of its leaves.
 *
 * Idea (spec seed000 section 2.15).  With mean mu, mean square S about it and
 * covering radius r of a node B,
 *
 *		g = -beta (|x - mu|^2 + S)				the mean exponent
 *		u = -beta max(0, |x - mu| - r)^2		no leaf has a larger one
 *
 * so the kernel mass of B lies between |B| e^g (Jensen) and |B| e^u.  The
 * descent splits the node of largest |B| e^u until all that the nodes left
 * whole might still hide, sum |B| (e^u - e^g), is at most tolerance times the
 * mass found.  Mass below e^-60 of the largest leaf's counts as none.
 */
#ifndef ROW_DESCENT_H
#define ROW_DESCENT_H

#include "graph/row_tree.h"

/* One node of the antichain of one tree. */
typedef struct RowEntry
{
	int32_t		tree;
	int32_t		node;
	double		exponent;		/* g */
	double		probability;	/* of each leaf below; the caller's to fill */
} RowEntry;

/* A node that may still be split. */
typedef struct RowCandidate
{
	double		priority;		/* log|B| + u */
	double		exponent;		/* g */
	double		bound;			/* u */
	double		hidden;			/* |B| (e^u - e^g), relative */
	int32_t		node;
} RowCandidate;

/* Room that descents share, one after the other. */
typedef struct RowDescent
{
	RowCandidate *queue;
	int64_t		queue_count;
	int64_t		queue_capacity;
	RowEntry   *entries;		/* of all descents since entry_count = 0 */
	int64_t		entry_count;
	int64_t		entry_capacity;
	int64_t		node_count;		/* nodes and rows whose distance was taken */
} RowDescent;

extern GlStatus row_descent_begin(GlHost *host, RowDescent *out);
extern void row_descent_end(GlHost *host, RowDescent *descent);

/*
 * Append the antichain of one tree, numbered `number`, leaving out the leaf
 * of row `exclude` (-1: none).  O(m (d + log m)) for m nodes looked at.
 */
extern GlStatus row_descent_run(GlHost *host, RowDescent *descent,
								const RowTree *tree, int32_t number,
								const double *query, int32_t exclude,
								double tolerance);

/* Append one entry, for callers that know the exponents already. */
extern GlStatus row_descent_settle(GlHost *host, RowDescent *descent,
								   RowEntry entry);

/* -beta times a squared distance or divergence, finite where it is not. */
extern double row_descent_exponent(double beta, double divergence);

/* Leaves below a node, itself included. */
static inline int32_t
row_descent_leaves(const TreeLinks *links, int32_t node)
{
	return node < links->leaf_count - 1 ? links->size[node] : 1;
}

#endif							/* ROW_DESCENT_H */
