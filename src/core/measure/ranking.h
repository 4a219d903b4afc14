/*
 * ranking.h
 *		How well a score puts the true rows above the false ones.
 *
 * Reads:	(truth, score) rows in any order.
 * Yields:	the area under the ROC curve, and average precision.
 *
 * Rows of equal score are one threshold: none of them is above another.  The
 * rows are sorted by score first and only counts per score are used, so the
 * result does not depend on their order.
 */
#ifndef RANKING_H
#define RANKING_H

#include "base/host.h"

/* Twice the product of two counts fits 64 bits; sorting has 32-bit places. */
#define RANKING_MAX_ROWS	((int64_t) INT32_MAX)

typedef struct Ranking
{
	int64_t		row_count;
	int64_t		row_capacity;
	int64_t		true_count;
	int64_t    *keys;			/* gl_sort_key() of the scores */
	bool	   *truths;
} Ranking;

/*
 * Add a row; begin with a zeroed struct.  GL_ERR_DATA if the score is not a
 * number (infinities are allowed), GL_ERR_TOO_LARGE beyond RANKING_MAX_ROWS,
 * GL_ERR_MEMORY; then the rows before it are kept.  O(1) amortised, 9 bytes.
 */
extern GlStatus ranking_add(GlHost *host, Ranking *ranking, bool truth,
							double score);

/* Give the memory back. */
extern void ranking_release(GlHost *host, Ranking *ranking);

/*
 * The chance that a true row scores above a false one, a tie counting half
 * (midranks).  *is_defined is false, and *auc 0, unless both kinds of rows
 * exist.  Exact but for the last division.  O(n) time, 28 n bytes.
 */
extern GlStatus ranking_auc(GlHost *host, const Ranking *ranking,
							bool *is_defined, double *auc);

/*
 * Sum over the distinct scores, from the top, of (R_t - R_(t-1)) P_t, with
 * recall R and precision P of the rows at or above score t: the definition of
 * scikit-learn's average_precision_score.  *is_defined as above.
 */
extern GlStatus ranking_average_precision(GlHost *host,
										  const Ranking *ranking,
										  bool *is_defined,
										  double *average_precision);

#endif							/* RANKING_H */
