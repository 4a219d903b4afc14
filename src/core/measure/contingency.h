/*
 * contingency.h
 *		How often each true class met each predicted one, and what follows.
 *
 * Reads:	(true key, predicted key) pairs with counts, in any order.
 * Yields:	a Contingency, from which every measure of agreement between two
 *			labelings is computed without looking at the rows again.
 *
 * Keys are numbers that both sides share: a row is right when its two keys
 * are equal.  Only pairs that occur are kept (n_ij > 0), so ten thousand
 * classes against ten thousand clusters cost what their rows cost.  Counts
 * are exact integers, and real sums run over classes and cells in the order
 * of their keys: the same table gives the same bits.
 *
 * Invariants, checked by contingency_check():
 *	 C1	truth_key and predicted_key are strictly ascending; no true key is
 *		CONTINGENCY_NO_ANSWER
 *	 C2	cells are strictly ascending by (truth, predicted), each count > 0
 *	 C3	the totals are the sums of their cells, each > 0, and row_count is
 *		their sum, at most CONTINGENCY_MAX_ROWS
 *
 * Source of the formulas: specs/seed001 section 2.15; the adjusted Rand index
 * is that of Hubert and Arabie (1985).  Below n = row_count, n_ij a cell, a_i
 * and b_j the totals of class i and of cluster j.
 */
#ifndef CONTINGENCY_H
#define CONTINGENCY_H

#include "base/host.h"

/* The predicted key of a row that was given no answer: never right. */
#define CONTINGENCY_NO_ANSWER	(-1)

/* n (n - 1) / 2 is exact in 64 bits. */
#define CONTINGENCY_MAX_ROWS	((int64_t) UINT32_MAX)

/* Input: a pair of keys seen `count` times; pairs may repeat. */
typedef struct ContingencyPair
{
	int32_t		truth_key;		/* >= 0 */
	int32_t		predicted_key;	/* >= 0, or CONTINGENCY_NO_ANSWER */
	int64_t		count;			/* > 0 */
} ContingencyPair;

/* n_ij, with i and j as positions in truth_key and predicted_key */
typedef struct ContingencyCell
{
	int32_t		truth;
	int32_t		predicted;
	int64_t		count;
} ContingencyCell;

typedef struct Contingency
{
	int64_t		row_count;		/* n */
	int32_t		truth_count;	/* classes that occur */
	int32_t		predicted_count;	/* clusters that occur, with no answer */
	int64_t		cell_count;
	int32_t    *truth_key;
	int32_t    *predicted_key;
	int64_t    *truth_total;	/* a_i */
	int64_t    *predicted_total;	/* b_j */
	ContingencyCell *cells;
} Contingency;

/*
 * Build the table of `pairs`.  GL_ERR_DATA for a key or count out of range,
 * GL_ERR_TOO_LARGE beyond CONTINGENCY_MAX_ROWS rows or 2^31 - 1 pairs,
 * GL_ERR_MEMORY, GL_ERR_INTERRUPTED; then *table is zeroed.  O(pairs) time and
 * memory (radix sort).
 */
extern GlStatus contingency_build(GlHost *host, const ContingencyPair *pairs,
								  int64_t pair_count, Contingency *table);

extern void contingency_release(GlHost *host, Contingency *table);

/* Verify C1-C3; GL_ERR_CORRUPT if violated.  O(cells). */
extern GlStatus contingency_check(GlHost *host, const Contingency *table);

/*
 * The measures.  All need row_count > 0 (GL_ERR_DATA otherwise) and take
 * O(cells) time; those that need memory take O(clusters).  Every result lies
 * in [0, 1], the adjusted Rand index in [-1/2, 1].
 */

/* Share of rows whose two keys are equal. */
extern GlStatus contingency_accuracy(GlHost *host, const Contingency *table,
									 double *accuracy);

/*
 * Macro F1: the mean over the classes of the truth of 2 n_ii / (a_i + b_i),
 * a class that was never predicted giving 0.
 */
extern GlStatus contingency_f1(GlHost *host, const Contingency *table,
							   double *f1);

/* (1/n) sum over clusters of their largest cell. */
extern GlStatus contingency_purity(GlHost *host, const Contingency *table,
								   double *purity);

/*
 * I(T;C) / ((H(T) + H(C)) / 2), natural logarithms.  Exactly 1 for two equal
 * partitions (one cluster on both sides is such a case), exactly 0 when one
 * side alone is a single cluster.
 */
extern GlStatus contingency_nmi(GlHost *host, const Contingency *table,
								double *nmi);

/* Share of the pairs of rows on which both sides agree; 1 for one row. */
extern GlStatus contingency_rand(GlHost *host, const Contingency *table,
								 double *rand_index);

/* The Rand index corrected for chance; 1 for two equal partitions. */
extern GlStatus contingency_ari(GlHost *host, const Contingency *table,
								double *ari);

#endif							/* CONTINGENCY_H */
