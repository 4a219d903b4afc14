/*
 * test_ranking.c
 *		Area under the ROC curve and average precision.
 *
 * What breaks if this fails: gl_auc or gl_average_precision is wrong, in
 * particular with tied scores, or depends on the order of the rows.
 */
#include "unit_test.h"

#include "../reference/measures_answers.h"
#include "measure/ranking.h"

static GlStatus
rank_rows(GlHost *host, const int *truth, const double *score, int count,
		  int turn, Ranking *ranking)
{
	memset(ranking, 0, sizeof(*ranking));
	for (int i = 0; i < count; i++)
	{
		int			row = (i * 7 + turn) % count;

		if (count % 7 == 0)
			row = (i + turn) % count;
		GL_TRY(ranking_add(host, ranking, truth[row] != 0, score[row]));
	}
	return GL_OK;
}

static void
measure(GlHost *host, const int *truth, const double *score, int count,
		int turn, double *auc, double *precision)
{
	Ranking		ranking;
	bool		is_defined;

	EXPECT_OK(host, rank_rows(host, truth, score, count, turn, &ranking));
	EXPECT_OK(host, ranking_auc(host, &ranking, &is_defined, auc));
	EXPECT(is_defined);
	EXPECT_OK(host, ranking_average_precision(host, &ranking, &is_defined,
											  precision));
	EXPECT(is_defined);
	ranking_release(host, &ranking);
}

/* scikit-learn's numbers, in two orders of the rows with the same bits */
static void
test_reference_answers(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (size_t a = 0;
		 a < sizeof(ranking_answers) / sizeof(RankingAnswer); a++)
	{
		const RankingAnswer *answer = &ranking_answers[a];
		double		auc[2];
		double		precision[2];

		for (int turn = 0; turn < 2; turn++)
			measure(host, answer->truth, answer->score, answer->row_count,
					turn, &auc[turn], &precision[turn]);
		EXPECT_NEAR(auc[0], answer->auc, 1e-14);
		EXPECT_NEAR(precision[0], answer->average_precision, 1e-14);
		EXPECT(auc[0] == auc[1] && precision[0] == precision[1]);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Every pair of a true and a false row, by definition. */
static double
brute_auc(const int *truth, const double *score, int count)
{
	double		wins = 0;
	int			pairs = 0;

	for (int i = 0; i < count; i++)
	{
		for (int j = 0; j < count; j++)
		{
			if (!truth[i] || truth[j])
				continue;
			pairs++;
			wins += score[i] > score[j] ? 1 : score[i] == score[j] ? 0.5 : 0;
		}
	}
	return wins / pairs;
}

/* Precision at each true row's score, averaged over the true rows. */
static double
brute_precision(const int *truth, const double *score, int count)
{
	double		sum = 0;
	int			true_rows = 0;

	for (int i = 0; i < count; i++)
	{
		int			above = 0;
		int			true_above = 0;

		if (!truth[i])
			continue;
		true_rows++;
		for (int j = 0; j < count; j++)
		{
			above += score[j] >= score[i];
			true_above += score[j] >= score[i] && truth[j];
		}
		sum += (double) true_above / above;
	}
	return sum / true_rows;
}

/* Every truth and every score in {0, 1, 2} for five rows. */
static void
test_all_small_rankings(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (int t = 1; t < 31; t++)
	{
		for (int s = 0; s < 243; s++)
		{
			int			truth[5];
			double		score[5];
			int			left = s;
			double		auc;
			double		precision;

			for (int i = 0; i < 5; i++)
			{
				truth[i] = t >> i & 1;
				score[i] = left % 3;
				left /= 3;
			}
			measure(host, truth, score, 5, 0, &auc, &precision);
			EXPECT_NEAR(auc, brute_auc(truth, score, 5), 1e-15);
			EXPECT_NEAR(precision, brute_precision(truth, score, 5), 1e-15);
		}
	}
	test_host_end(&test);
}

/* Negative zero, infinities and the ends of the range are ordinary scores. */
static void
test_extreme_scores(void)
{
	static const int truth[] = {1, 0, 1, 0, 1, 0};
	const double score[] = {INFINITY, -INFINITY, 0.0, -0.0, 1e300, 5e-324};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		auc;
	double		precision;

	measure(host, truth, score, 6, 1, &auc, &precision);
	EXPECT_NEAR(auc, brute_auc(truth, score, 6), 1e-15);
	EXPECT_NEAR(precision, brute_precision(truth, score, 6), 1e-15);
	test_host_end(&test);
}

/* One kind of rows only, or none: no answer rather than a wrong one. */
static void
test_undefined(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (int rows = 0; rows <= 2; rows++)
	{
		for (int truth = 0; truth <= 1; truth++)
		{
			Ranking		ranking = {0};
			bool		is_defined = true;
			double		value = 1;

			for (int i = 0; i < rows; i++)
				EXPECT_OK(host, ranking_add(host, &ranking, truth, i));
			EXPECT_OK(host, ranking_auc(host, &ranking, &is_defined,
										&value));
			EXPECT(!is_defined && value == 0);
			is_defined = true;
			EXPECT_OK(host, ranking_average_precision(host, &ranking,
													  &is_defined, &value));
			EXPECT(!is_defined && value == 0);
			ranking_release(host, &ranking);
		}
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_not_a_number(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Ranking		ranking = {0};

	EXPECT_OK(host, ranking_add(host, &ranking, true, 1));
	EXPECT(ranking_add(host, &ranking, true, NAN) == GL_ERR_DATA);
	EXPECT(ranking.row_count == 1);
	ranking_release(host, &ranking);
	test_host_end(&test);
}

static GlStatus
refused_job(GlHost *host)
{
	const RankingAnswer *answer = &ranking_answers[2];
	Ranking		ranking;
	bool		is_defined;
	double		value;

	GL_TRY(rank_rows(host, answer->truth, answer->score, answer->row_count,
					 0, &ranking));
	GL_TRY(ranking_auc(host, &ranking, &is_defined, &value));
	GL_TRY(ranking_average_precision(host, &ranking, &is_defined, &value));
	ranking_release(host, &ranking);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(refused_job);
}

int
main(void)
{
	RUN(test_reference_answers);
	RUN(test_all_small_rankings);
	RUN(test_extreme_scores);
	RUN(test_undefined);
	RUN(test_not_a_number);
	RUN(test_refused);
	UNIT_TEST_END();
}
