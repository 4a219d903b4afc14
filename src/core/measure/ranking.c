/*
 * ranking.c
 *		Area under the ROC curve and average precision from sorted scores.
 */
#include "measure/ranking.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

#define FIRST_ROWS		8

static GlStatus
reserve_row(GlHost *host, Ranking *ranking)
{
	int64_t		capacity = ranking->row_capacity;
	void	   *keys;
	void	   *truths;

	if (ranking->row_count < capacity)
		return GL_OK;
	if (capacity == RANKING_MAX_ROWS)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "ranking measures are limited to %lld rows",
					   (long long) RANKING_MAX_ROWS);
	if (capacity == 0)
	{
		GL_NEW(host, ranking->keys, FIRST_ROWS);
		GL_NEW(host, ranking->truths, FIRST_ROWS);
		ranking->row_capacity = FIRST_ROWS;
		return GL_OK;
	}
	capacity = capacity > RANKING_MAX_ROWS / 2 ? RANKING_MAX_ROWS :
		capacity * 2;
	keys = gl_resize(host, ranking->keys, (size_t) capacity, sizeof(int64_t));
	if (keys == NULL)
		return host->status;
	ranking->keys = keys;
	truths = gl_resize(host, ranking->truths, (size_t) capacity,
					   sizeof(bool));
	if (truths == NULL)
		return host->status;
	ranking->truths = truths;
	ranking->row_capacity = capacity;
	return GL_OK;
}

GlStatus
ranking_add(GlHost *host, Ranking *ranking, bool truth, double score)
{
	if (isnan(score))
		return gl_fail(host, GL_ERR_DATA, "a score is not a number (NaN)");
	GL_TRY(gl_work(host, 1));
	GL_TRY(reserve_row(host, ranking));
	ranking->keys[ranking->row_count] = gl_sort_key(score);
	ranking->truths[ranking->row_count] = truth;
	ranking->row_count++;
	ranking->true_count += truth;
	return GL_OK;
}

void
ranking_release(GlHost *host, Ranking *ranking)
{
	gl_release(host, ranking->keys);
	gl_release(host, ranking->truths);
	memset(ranking, 0, sizeof(*ranking));
}

/* The rows of one score. */
typedef struct Threshold
{
	int64_t		end;			/* place after its last row, from the top */
	int64_t		true_rows;
	int64_t		false_rows;
} Threshold;

/* The rows of the score that begins at place `start` from the top. */
static GlStatus
read_threshold(GlHost *host, const Ranking *ranking, const int32_t *order,
			   int64_t start, Threshold *threshold)
{
	int64_t		last = ranking->row_count - 1;
	int64_t		key = ranking->keys[order[last - start]];

	threshold->true_rows = 0;
	threshold->false_rows = 0;
	threshold->end = start;
	while (threshold->end <= last &&
		   ranking->keys[order[last - threshold->end]] == key)
	{
		GL_TRY(gl_work(host, 2));
		if (ranking->truths[order[last - threshold->end]])
			threshold->true_rows++;
		else
			threshold->false_rows++;
		threshold->end++;
	}
	return GL_OK;
}

/* Both kinds of rows must exist; only then is the order worth its memory. */
static GlStatus
begin_measure(GlHost *host, const Ranking *ranking, bool *is_defined,
			  double *value, int32_t **order)
{
	*value = 0;
	*order = NULL;
	*is_defined = ranking->true_count > 0 &&
		ranking->true_count < ranking->row_count;
	if (!*is_defined)
		return GL_OK;
	GL_NEW(host, *order, ranking->row_count);
	return gl_sort_order(host, ranking->keys, ranking->row_count, *order);
}

GlStatus
ranking_auc(GlHost *host, const Ranking *ranking, bool *is_defined,
			double *auc)
{
	int64_t		false_count = ranking->row_count - ranking->true_count;
	int64_t		false_below = false_count;
	int64_t		half_wins = 0;	/* a win counts 2, a tie 1 */
	int32_t    *order;
	Threshold	threshold = {0};

	GL_TRY(begin_measure(host, ranking, is_defined, auc, &order));
	if (!*is_defined)
		return GL_OK;
	while (threshold.end < ranking->row_count)
	{
		GL_TRY(read_threshold(host, ranking, order, threshold.end,
							  &threshold));
		false_below -= threshold.false_rows;
		half_wins += threshold.true_rows *
			(2 * false_below + threshold.false_rows);
	}
	gl_release(host, order);
	*auc = (double) half_wins /
		(double) (2 * ranking->true_count * false_count);
	return GL_OK;
}

GlStatus
ranking_average_precision(GlHost *host, const Ranking *ranking,
						  bool *is_defined, double *average_precision)
{
	int64_t		true_above = 0;
	double		sum = 0;
	int32_t    *order;
	Threshold	threshold = {0};

	GL_TRY(begin_measure(host, ranking, is_defined, average_precision,
						 &order));
	if (!*is_defined)
		return GL_OK;
	while (threshold.end < ranking->row_count)
	{
		GL_TRY(read_threshold(host, ranking, order, threshold.end,
							  &threshold));
		true_above += threshold.true_rows;
		sum += (double) threshold.true_rows * (double) true_above /
			(double) threshold.end;
	}
	gl_release(host, order);
	*average_precision = sum / (double) ranking->true_count;
	return GL_OK;
}
