/*
 * test_divergence.c
 *		If this fails, block graphs measure by something that is no divergence.
 */
#include "tree_samples.h"

static void
test_values(void)
{
	double		x[2] = {0.7, 0.2};
	double		y[2] = {0.4, 0.2};

	EXPECT_NEAR(divergence_of(METRIC_LOGISTIC)->between(0.7, 0.4),
				0.7 * log(0.7 / 0.4) + 0.3 * log(0.5), 1e-15);
	EXPECT_NEAR(divergence_of(METRIC_COUNTS)->between(4, 3),
				4 * log(4.0 / 3) - 1, 1e-15);
	EXPECT_NEAR(divergence_of(METRIC_ITAKURA_SAITO)->between(4, 2),
				1 - log(2), 1e-15);
	EXPECT(divergence_of(METRIC_EUCLIDEAN)->between(4, 1) == 9);
	/* the second coordinates agree and add nothing */
	EXPECT(divergence_between(divergence_of(METRIC_LOGISTIC), x, y, 2) ==
		   divergence_of(METRIC_LOGISTIC)->between(0.7, 0.4));
	EXPECT(divergence_between(divergence_of(METRIC_COUNTS), x, y, 0) == 0);
}

/* Metrics that are a divergence on changed rows share its table row. */
static void
test_metrics(void)
{
	EXPECT(divergence_of(METRIC_KL) == divergence_of(METRIC_COUNTS));
	EXPECT(divergence_of(METRIC_COSINE) == divergence_of(METRIC_EUCLIDEAN));
	EXPECT(divergence_of(METRIC_MAHALANOBIS) ==
		   divergence_of(METRIC_EUCLIDEAN));
	EXPECT(divergence_of(METRIC_NONE) == divergence_of(METRIC_EUCLIDEAN));
	for (int m = 0; m < SAMPLE_METRICS; m++)
		EXPECT(divergence_of(sample_metrics[m])->is_symmetric == (m == 0));
}

/* phi(x) - phi(y) - (x - y) phi'(y), and 0 only where x = y. */
static void
test_definition(void)
{
	GlRandom	random;

	gl_random_begin(&random, 11);
	for (int m = 0; m < SAMPLE_METRICS; m++)
	{
		GraphMetric metric = sample_metrics[m];
		const Divergence *divergence = divergence_of(metric);

		for (int t = 0; t < 500; t++)
		{
			PointMatrix rows = sample_rows(&random, metric, 2, 5);
			const double *x = rows.values;
			const double *y = x + 5;
			double		wanted = (double) plain_divergence(metric, x, y, 5);
			double		actual = divergence_between(divergence, x, y, 5);

			EXPECT_NEAR(actual, wanted, 1e-11 * (1 + wanted));
			EXPECT(actual > 0);
			EXPECT(divergence_between(divergence, x, x, 5) == 0);
			EXPECT_NEAR(divergence->phi(x[0]), (double)
						plain_phi(metric, x[0]), 1e-12);
			EXPECT_NEAR(divergence->gradient(x[0]), (double)
						plain_gradient(metric, x[0]), 1e-12);
			EXPECT_NEAR(divergence->inverse(divergence->gradient(x[0])),
						x[0], 1e-13 * (1 + fabs(x[0])));
			free((void *) rows.values);
		}
	}
}

/*
 * Near x = y a divergence is phi''/2 (x-y)^2: the plain formula would have no
 * correct digit at 1e-9.
 */
static void
test_near_equal(void)
{
	const double steps[] = {1e-3, 1e-5, 1e-7, 1e-9, 1e-12};

	for (int s = 0; s < 5; s++)
		for (int sign = -1; sign <= 1; sign += 2)
			for (double y = 0.25; y < 1e9; y *= 64)
			{
				double		x = y * (1 + sign * steps[s]);
				double		e = (x - y) / y;
				double		e2 = e * e;
				double		counts = y * e2 *
					(1.0 / 2 - e / 6 + e2 / 12 - e * e2 / 20);
				double		itakura = e2 *
					(1.0 / 2 - e / 3 + e2 / 4 - e * e2 / 5);

				EXPECT_NEAR(divergence_of(METRIC_COUNTS)->between(x, y),
							counts, 1e-11 * counts);
				EXPECT_NEAR(divergence_of(METRIC_ITAKURA_SAITO)->between(x, y),
							itakura, 1e-11 * itakura);
			}
	for (int s = 0; s < 5; s++)
	{
		double		x = 0.25 + steps[s];
		double		e = x - 0.25;
		double		wanted = e * e * 0.5 / (0.25 * 0.75);

		EXPECT_NEAR(divergence_of(METRIC_LOGISTIC)->between(x, 0.25), wanted,
					3 * steps[s] * wanted + 1e-11 * wanted);
	}
}

/* The change of formula at x/y = 1.1 leaves no step. */
static void
test_seam(void)
{
	for (int m = 1; m < SAMPLE_METRICS; m++)
		for (int i = -1; i <= 1; i += 2)
		{
			const Divergence *divergence = divergence_of(sample_metrics[m]);
			double		y = 0.5;
			double		seam = y * (1 + 0.1 * i);
			double		below = divergence->between(seam - 1e-14, y);
			double		above = divergence->between(seam + 1e-14, y);

			EXPECT(below > 0 && above > 0);
			EXPECT_NEAR(above / below, 1, 1e-11);
		}
}

/* Ratios that round 1 + x/y away: smoothed zeros beside large counts. */
static void
test_far_ratios(void)
{
	const Divergence *counts = divergence_of(METRIC_COUNTS);
	const Divergence *itakura = divergence_of(METRIC_ITAKURA_SAITO);

	EXPECT_NEAR(counts->between(1e-20, 1), 1, 1e-15);
	EXPECT_NEAR(counts->between(1e-300, 1e10), 1e10, 1e-5);
	EXPECT_NEAR(counts->between(1e-300, 1e300) / 1e300, 1, 1e-15);
	EXPECT_NEAR(counts->between(1, 1e-20), 20 * log(10) - 1, 1e-13);
	EXPECT_NEAR(itakura->between(1e-20, 1), 20 * log(10) - 1, 1e-13);
	EXPECT_NEAR(itakura->between(1, 1e-20) / 1e20, 1, 1e-13);
	EXPECT_NEAR(divergence_of(METRIC_LOGISTIC)->between(1e-20, 0.5), log(2),
				1e-15);
}

/* The mean minimises the sum of d(x, s), whatever the divergence. */
static void
test_mean_is_nearest(void)
{
	GlRandom	random;

	gl_random_begin(&random, 12);
	for (int m = 0; m < SAMPLE_METRICS; m++)
	{
		const Divergence *divergence = divergence_of(sample_metrics[m]);
		PointMatrix rows = sample_rows(&random, sample_metrics[m], 20, 1);
		const double *x = rows.values;
		double		mean = 0;
		double		sum[3] = {0, 0, 0};

		for (int i = 0; i < 20; i++)
			mean += x[i] / 20;
		for (int i = 0; i < 20; i++)
			for (int s = 0; s < 3; s++)
				sum[s] += divergence->between(x[i], mean *
											  (1 + 1e-3 * (s - 1)));
		EXPECT(sum[1] < sum[0] && sum[1] < sum[2]);
		free((void *) rows.values);
	}
}

/*
 * What anchors rely on: d(x, old) <= half the least sum of divergences to
 * both pivots implies d(x, new) >= d(x, old).
 */
static void
test_steal_threshold_is_safe(void)
{
	GlRandom	random;

	gl_random_begin(&random, 13);
	for (int m = 0; m < SAMPLE_METRICS; m++)
	{
		const Divergence *divergence = divergence_of(sample_metrics[m]);
		int			applied = 0;

		for (int t = 0; t < 3000; t++)
		{
			PointMatrix rows = sample_rows(&random, sample_metrics[m], 3, 2);
			double	   *x = (double *) rows.values;
			const double *old = x + 2;
			const double *new = x + 4;
			double		middle[2];
			double		threshold;
			double		to_old;

			for (int j = 0; j < 2; j++)
			{
				double		sum = divergence->gradient(old[j]) +
					divergence->gradient(new[j]);

				middle[j] = divergence->inverse(sum / 2);
				/* half of the rows near the old pivot */
				if (t % 2)
					x[j] = old[j] + (x[j] - old[j]) * 0.3;
			}
			threshold = (divergence_between(divergence, middle, old, 2) +
						 divergence_between(divergence, middle, new, 2)) / 2;
			if (m == 0)
				EXPECT_NEAR(threshold, divergence_between(divergence, old,
														  new, 2) / 4,
							1e-13 * (1 + threshold));
			to_old = divergence_between(divergence, x, old, 2);
			if (to_old <= threshold)
			{
				applied++;
				EXPECT(divergence_between(divergence, x, new, 2) >=
					   to_old * (1 - 1e-12));
			}
			free(x);
		}
		EXPECT(applied > 100);
	}
}

int
main(void)
{
	RUN(test_values);
	RUN(test_metrics);
	RUN(test_definition);
	RUN(test_near_equal);
	RUN(test_seam);
	RUN(test_far_ratios);
	RUN(test_mean_is_nearest);
	RUN(test_steal_threshold_is_safe);
	UNIT_TEST_END();
}
