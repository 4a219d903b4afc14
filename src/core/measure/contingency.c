/*
 * contingency.c
 *		Building the table of (class, cluster) counts, and its measures.
 *
 * The pairs are sorted once by (true key, predicted key) packed into 64 bits;
 * runs of equal pairs become cells.  Positions on the predicted side come
 * from a second sort, by predicted key alone.
 */
#include "measure/contingency.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

/* Both keys in one number of the same order; no answer sorts first. */
static int64_t
pair_sort_key(const ContingencyPair *pair)
{
	return (int64_t) (((uint64_t) (uint32_t) pair->truth_key << 32) |
					  (uint32_t) (pair->predicted_key + 1));
}

static GlStatus
check_pair(GlHost *host, const ContingencyPair *pair, int64_t *row_count)
{
	if (pair->truth_key < 0 || pair->predicted_key < CONTINGENCY_NO_ANSWER ||
		pair->predicted_key == INT32_MAX)
		return gl_fail(host, GL_ERR_DATA, "key out of range");
	if (pair->count <= 0)
		return gl_fail(host, GL_ERR_DATA, "count out of range");
	if (pair->count > CONTINGENCY_MAX_ROWS - *row_count)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "measures are limited to %lld rows",
					   (long long) CONTINGENCY_MAX_ROWS);
	*row_count += pair->count;
	return GL_OK;
}

/*
 * Merge the pairs into cells.  `predicted` of a cell is still the key; the
 * classes are numbered here, because they come in ascending order.
 */
static GlStatus
merge_cells(GlHost *host, const ContingencyPair *pairs, const int32_t *order,
			int64_t pair_count, Contingency *table)
{
	for (int64_t p = 0; p < pair_count; p++)
	{
		const ContingencyPair *pair = &pairs[order[p]];
		int32_t		class = table->truth_count - 1;
		int64_t		cell = table->cell_count - 1;

		GL_TRY(gl_work(host, 4));
		if (class < 0 || table->truth_key[class] != pair->truth_key)
		{
			class = table->truth_count++;
			table->truth_key[class] = pair->truth_key;
			table->truth_total[class] = 0;
			cell = -1;			/* its first cell is a new one */
		}
		if (cell < 0 || table->cells[cell].predicted != pair->predicted_key)
		{
			cell = table->cell_count++;
			table->cells[cell].truth = class;
			table->cells[cell].predicted = pair->predicted_key;
			table->cells[cell].count = 0;
		}
		table->cells[cell].count += pair->count;
		table->truth_total[class] += pair->count;
	}
	return GL_OK;
}

/* Number the clusters by ascending key and total them. */
static GlStatus
number_clusters(GlHost *host, const int32_t *order, Contingency *table)
{
	int32_t		clusters = 0;

	for (int64_t c = 0; c < table->cell_count; c++)
	{
		ContingencyCell *cell = &table->cells[order[c]];

		GL_TRY(gl_work(host, 4));
		if (clusters == 0 ||
			table->predicted_key[clusters - 1] != cell->predicted)
		{
			table->predicted_key[clusters] = cell->predicted;
			table->predicted_total[clusters] = 0;
			clusters++;
		}
		cell->predicted = clusters - 1;
		table->predicted_total[clusters - 1] += cell->count;
	}
	table->predicted_count = clusters;
	return GL_OK;
}

static GlStatus
build_table(GlHost *host, const ContingencyPair *pairs, int64_t pair_count,
			Contingency *table)
{
	int64_t    *keys;
	int32_t    *order;

	if (pair_count > INT32_MAX)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "measures are limited to %d different pairs",
					   INT32_MAX);
	GL_NEW(host, keys, pair_count);
	GL_NEW(host, order, pair_count);
	GL_NEW(host, table->cells, pair_count);
	GL_NEW(host, table->truth_key, pair_count);
	GL_NEW(host, table->truth_total, pair_count);

	for (int64_t p = 0; p < pair_count; p++)
	{
		GL_TRY(gl_work(host, 1));
		GL_TRY(check_pair(host, &pairs[p], &table->row_count));
		keys[p] = pair_sort_key(&pairs[p]);
	}
	GL_TRY(gl_sort_order(host, keys, pair_count, order));
	GL_TRY(merge_cells(host, pairs, order, pair_count, table));

	GL_NEW(host, table->predicted_key, table->cell_count);
	GL_NEW(host, table->predicted_total, table->cell_count);
	for (int64_t c = 0; c < table->cell_count; c++)
	{
		GL_TRY(gl_work(host, 1));
		keys[c] = table->cells[c].predicted;
	}
	GL_TRY(gl_sort_order(host, keys, table->cell_count, order));
	GL_TRY(number_clusters(host, order, table));

	gl_release(host, order);
	gl_release(host, keys);
	return GL_OK;
}

GlStatus
contingency_build(GlHost *host, const ContingencyPair *pairs,
				  int64_t pair_count, Contingency *table)
{
	GlStatus	status;

	memset(table, 0, sizeof(*table));
	status = build_table(host, pairs, pair_count, table);
	if (status != GL_OK)
		memset(table, 0, sizeof(*table));
	return status;
}

void
contingency_release(GlHost *host, Contingency *table)
{
	gl_release(host, table->cells);
	gl_release(host, table->truth_key);
	gl_release(host, table->truth_total);
	gl_release(host, table->predicted_key);
	gl_release(host, table->predicted_total);
	memset(table, 0, sizeof(*table));
}

/* C1 and the positivity of C3 for one side. */
static bool
side_is_valid(const int32_t *key, const int64_t *total, int32_t count,
			  int32_t smallest)
{
	for (int32_t i = 0; i < count; i++)
	{
		if (total[i] <= 0 || key[i] < (i == 0 ? smallest : key[i - 1] + 1))
			return false;
	}
	return true;
}

GlStatus
contingency_check(GlHost *host, const Contingency *table)
{
	int64_t    *truth_left;
	int64_t    *predicted_left;
	int64_t		rows_left = table->row_count;
	bool		valid;

	GL_NEW(host, truth_left, table->truth_count);
	GL_NEW(host, predicted_left, table->predicted_count);
	if (table->truth_count > 0)
		memcpy(truth_left, table->truth_total,
			   (size_t) table->truth_count * sizeof(int64_t));
	if (table->predicted_count > 0)
		memcpy(predicted_left, table->predicted_total,
			   (size_t) table->predicted_count * sizeof(int64_t));

	valid = table->row_count >= 0 &&
		table->row_count <= CONTINGENCY_MAX_ROWS &&
		side_is_valid(table->truth_key, table->truth_total,
					  table->truth_count, 0) &&
		side_is_valid(table->predicted_key, table->predicted_total,
					  table->predicted_count, CONTINGENCY_NO_ANSWER);
	for (int64_t c = 0; valid && c < table->cell_count; c++)
	{
		const ContingencyCell *cell = &table->cells[c];
		const ContingencyCell *before = c > 0 ? cell - 1 : NULL;

		GL_TRY(gl_work(host, 4));
		valid = cell->truth >= 0 && cell->truth < table->truth_count &&
			cell->predicted >= 0 &&
			cell->predicted < table->predicted_count && cell->count > 0 &&
			(before == NULL || before->truth < cell->truth ||
			 (before->truth == cell->truth &&
			  before->predicted < cell->predicted));
		if (valid)
		{
			truth_left[cell->truth] -= cell->count;
			predicted_left[cell->predicted] -= cell->count;
			rows_left -= cell->count;
		}
	}
	for (int32_t i = 0; valid && i < table->truth_count; i++)
		valid = truth_left[i] == 0;
	for (int32_t j = 0; valid && j < table->predicted_count; j++)
		valid = predicted_left[j] == 0;
	gl_release(host, predicted_left);
	gl_release(host, truth_left);
	if (!valid || rows_left != 0)
		return gl_fail(host, GL_ERR_CORRUPT, "contingency table is corrupt");
	return GL_OK;
}

static GlStatus
require_rows(GlHost *host, const Contingency *table)
{
	if (table->row_count == 0)
		return gl_fail(host, GL_ERR_DATA, "a measure needs at least one row");
	return GL_OK;
}

static bool
cell_is_right(const Contingency *table, const ContingencyCell *cell)
{
	return table->truth_key[cell->truth] ==
		table->predicted_key[cell->predicted];
}

GlStatus
contingency_accuracy(GlHost *host, const Contingency *table,
					 double *accuracy)
{
	int64_t		right = 0;

	GL_TRY(require_rows(host, table));
	for (int64_t c = 0; c < table->cell_count; c++)
	{
		GL_TRY(gl_work(host, 1));
		if (cell_is_right(table, &table->cells[c]))
			right += table->cells[c].count;
	}
	*accuracy = (double) right / (double) table->row_count;
	return GL_OK;
}

GlStatus
contingency_f1(GlHost *host, const Contingency *table, double *f1)
{
	double		sum = 0;

	GL_TRY(require_rows(host, table));
	for (int64_t c = 0; c < table->cell_count; c++)
	{
		const ContingencyCell *cell = &table->cells[c];

		GL_TRY(gl_work(host, 1));
		if (cell_is_right(table, cell))
			sum += 2.0 * (double) cell->count /
				(double) (table->truth_total[cell->truth] +
						  table->predicted_total[cell->predicted]);
	}
	*f1 = sum / table->truth_count;
	return GL_OK;
}

GlStatus
contingency_purity(GlHost *host, const Contingency *table, double *purity)
{
	int64_t    *largest;
	int64_t		right = 0;

	GL_TRY(require_rows(host, table));
	GL_NEW_ZEROED(host, largest, table->predicted_count);
	for (int64_t c = 0; c < table->cell_count; c++)
	{
		const ContingencyCell *cell = &table->cells[c];

		GL_TRY(gl_work(host, 1));
		if (cell->count > largest[cell->predicted])
			largest[cell->predicted] = cell->count;
	}
	for (int32_t j = 0; j < table->predicted_count; j++)
		right += largest[j];
	gl_release(host, largest);
	*purity = (double) right / (double) table->row_count;
	return GL_OK;
}

/* The two sides are the same partition: each class is one cluster. */
static bool
partitions_are_equal(const Contingency *table)
{
	return table->cell_count == table->truth_count &&
		table->cell_count == table->predicted_count;
}

/* sum += H = -sum (t/n) log(t/n) */
static GlStatus
add_entropy(GlHost *host, const int64_t *total, int32_t count, double rows,
			double *sum)
{
	for (int32_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 16));
		*sum += (double) total[i] / rows * log(rows / (double) total[i]);
	}
	return GL_OK;
}

GlStatus
contingency_nmi(GlHost *host, const Contingency *table, double *nmi)
{
	double		rows = (double) table->row_count;
	double		information = 0;
	double		entropies = 0;

	GL_TRY(require_rows(host, table));
	if (partitions_are_equal(table))
	{
		*nmi = 1;
		return GL_OK;
	}

	/*
	 * Summed cell by cell, not as H(T) + H(C) - H(T,C): that would be a small
	 * difference of large sums.  Equal products round equally, so cells of
	 * independent sides contribute an exact 0.
	 */
	for (int64_t c = 0; c < table->cell_count; c++)
	{
		const ContingencyCell *cell = &table->cells[c];
		double		expected = (double) table->truth_total[cell->truth] *
			(double) table->predicted_total[cell->predicted];

		GL_TRY(gl_work(host, 16));
		information += (double) cell->count / rows *
			log(rows * (double) cell->count / expected);
	}
	/* the partitions differ, so not both entropies are 0 */
	GL_TRY(add_entropy(host, table->truth_total, table->truth_count, rows,
					   &entropies));
	GL_TRY(add_entropy(host, table->predicted_total, table->predicted_count,
					   rows, &entropies));
	*nmi = fmin(fmax(2 * information / entropies, 0), 1);
	return GL_OK;
}

/* t (t - 1) / 2, exact for t <= CONTINGENCY_MAX_ROWS */
static int64_t
pairs_among(int64_t total)
{
	return total % 2 == 0 ? total / 2 * (total - 1) : (total - 1) / 2 * total;
}

/* Pairs of rows by what the two sides say of them. */
typedef struct PairCounts
{
	int64_t		both;			/* together on both sides */
	int64_t		truth_only;		/* together in the truth alone */
	int64_t		predicted_only;
	int64_t		neither;
} PairCounts;

/* Each step subtracts a part from its whole, so nothing can overflow. */
static GlStatus
count_pairs(GlHost *host, const Contingency *table, PairCounts *pairs)
{
	int64_t		truth = 0;
	int64_t		predicted = 0;

	memset(pairs, 0, sizeof(*pairs));
	for (int64_t c = 0; c < table->cell_count; c++)
	{
		GL_TRY(gl_work(host, 1));
		pairs->both += pairs_among(table->cells[c].count);
	}
	for (int32_t i = 0; i < table->truth_count; i++)
		truth += pairs_among(table->truth_total[i]);
	for (int32_t j = 0; j < table->predicted_count; j++)
		predicted += pairs_among(table->predicted_total[j]);
	pairs->truth_only = truth - pairs->both;
	pairs->predicted_only = predicted - pairs->both;
	pairs->neither = pairs_among(table->row_count) - truth -
		pairs->predicted_only;
	return GL_OK;
}

GlStatus
contingency_rand(GlHost *host, const Contingency *table, double *rand_index)
{
	PairCounts	pairs;
	int64_t		all = pairs_among(table->row_count);

	GL_TRY(require_rows(host, table));
	GL_TRY(count_pairs(host, table, &pairs));
	*rand_index = all == 0 ? 1 :
		(double) (pairs.both + pairs.neither) / (double) all;
	return GL_OK;
}

GlStatus
contingency_ari(GlHost *host, const Contingency *table, double *ari)
{
	PairCounts	pairs;
	double		a,
				b,
				c,
				d;

	GL_TRY(require_rows(host, table));
	GL_TRY(count_pairs(host, table, &pairs));
	if (pairs.truth_only == 0 && pairs.predicted_only == 0)
	{
		*ari = 1;
		return GL_OK;
	}
	/* the 2 x 2 form of the index: one difference, of products, not of sums */
	a = (double) pairs.both;
	b = (double) pairs.truth_only;
	c = (double) pairs.predicted_only;
	d = (double) pairs.neither;
	*ari = 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d));
	return GL_OK;
}
