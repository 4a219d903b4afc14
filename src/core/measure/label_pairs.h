/*
 * label_pairs.h
 *		Collects (true label, predicted label) pairs given as texts.
 *
 * Reads:	pairs of byte strings, one per row, in any order.
 * Yields:	the Contingency of the rows (contingency.h).
 *
 * Each distinct text is kept once and numbered as it arrives; each distinct
 * pair of numbers is kept once with its count.  So the state grows with what
 * differs, not with the rows, and starts at a few hundred bytes: a query with
 * ten thousand groups holds ten thousand of these.
 *
 * Both sides share the numbers, so equal texts are equal labels.  The table
 * is built with the texts in byte order, which makes every result independent
 * of the order of arrival.
 *
 * Invariants, checked by label_pairs_check():
 *	 L1	the texts are a valid table
 *	 L2	every pair is found under its hash; both numbers are in range
 */
#ifndef LABEL_PAIRS_H
#define LABEL_PAIRS_H

#include "base/text_table.h"
#include "measure/contingency.h"

typedef struct LabelPairs
{
	TextTable	texts;			/* the distinct labels */

	/* the distinct pairs, keys being numbers of texts */
	int64_t		pair_count;
	int64_t		pair_capacity;
	ContingencyPair *pairs;
	int32_t    *pair_slots;
	int64_t		pair_slot_count;

	int64_t		row_count;
} LabelPairs;

/*
 * Count one row.  predicted NULL means that the row was given no answer.  The
 * texts are copied.  Begin with a zeroed struct.  GL_ERR_MEMORY, or
 * GL_ERR_TOO_LARGE beyond CONTINGENCY_MAX_ROWS rows or 2^30 texts or pairs;
 * after a failure the collection can still be read, without the row.
 * O(bytes) amortised.
 */
extern GlStatus label_pairs_add(GlHost *host, LabelPairs *pairs,
								const char *truth, int64_t truth_bytes,
								const char *predicted,
								int64_t predicted_bytes);

/*
 * The table of the rows so far; `pairs` is only read.  O(t log t) text
 * comparisons for t texts, O(pairs) the rest.
 */
extern GlStatus label_pairs_table(GlHost *host, const LabelPairs *pairs,
								  Contingency *table);

extern void label_pairs_release(GlHost *host, LabelPairs *pairs);

/* Verify L1 and L2; GL_ERR_CORRUPT if violated. */
extern GlStatus label_pairs_check(GlHost *host, const LabelPairs *pairs);

#endif							/* LABEL_PAIRS_H */
