/*
 * class_prior.c
 *		Class mass normalisation: one pass for the masses, one for the scores.
 */
#include "learn/class_prior.h"

#include <math.h>
#include <string.h>

/*
 * A class without mass has f = 0 everywhere, so its divisor does not matter;
 * this one keeps q / m finite for masses next to nothing.
 */
#define MASS_FLOOR	1e-290

/* Rows whose largest value is below this are scaled up first. */
#define SMALL_ROW	1e-100

GlStatus
class_prior_check(GlHost *host, const PropagateOptions *options,
				  int32_t class_count)
{
	if (options->prior != PRIOR_SEEDS && options->prior != PRIOR_UNIFORM &&
		options->prior != PRIOR_NONE)
	{
		gl_fail(host, GL_ERR_OPTION, "unknown prior %d",
				(int) options->prior);
		gl_hint(host, "Known priors are seeds, uniform and none.");
		return GL_ERR_OPTION;
	}
	if (!(options->prior_weight >= 0) || !isfinite(options->prior_weight))
		return gl_fail(host, GL_ERR_OPTION,
					   "prior_weight must be finite and not negative, not %g",
					   options->prior_weight);
	if (options->class_prior == NULL)
		return GL_OK;
	if (options->class_prior_count != class_count)
	{
		gl_fail(host, GL_ERR_OPTION,
				"class_prior has %d values, but there are %d classes",
				options->class_prior_count, class_count);
		gl_hint(host, "Give one value per class, in the order of the labels.");
		return GL_ERR_OPTION;
	}
	for (int32_t c = 0; c < class_count; c++)
	{
		GL_TRY(gl_work(host, 1));
		if (!(options->class_prior[c] > 0) ||
			!isfinite(options->class_prior[c]))
			return gl_fail(host, GL_ERR_OPTION,
						   "class_prior must be positive and finite, but "
						   "value %d is %g", c + 1, options->class_prior[c]);
	}
	return GL_OK;
}

/* The wanted share of each class, q, summing to 1. */
static GlStatus
wanted_shares(GlHost *host, const LabelSeeds *seeds,
			  const PropagateOptions *options, double *share)
{
	int32_t		class_count = seeds->class_count;
	double		weight = options->prior_weight;
	double		largest = 0;
	double		total = 0;

	for (int32_t c = 0; c < class_count; c++)
		share[c] = options->class_prior != NULL ? options->class_prior[c] :
			options->prior == PRIOR_SEEDS ? weight : 1;
	if (options->class_prior == NULL && options->prior == PRIOR_SEEDS)
		for (int64_t s = 0; s < seeds->seed_count; s++)
		{
			GL_TRY(gl_work(host, 1));
			share[seeds->label_class[s]] += 1;
		}

	/* two values of 1e308 must not add up to infinity */
	for (int32_t c = 0; c < class_count; c++)
		largest = share[c] > largest ? share[c] : largest;
	for (int32_t c = 0; c < class_count; c++)
	{
		share[c] /= largest;
		total += share[c];
	}
	for (int32_t c = 0; c < class_count; c++)
		share[c] /= total;
	return GL_OK;
}

/*
 * The mass of each class over all rows.  Were clamped rows left out, a single
 * row to be labelled would be its own mass: q f / m is then q, and its
 * neighbours have no say.
 */
static GlStatus
class_masses(GlHost *host, int32_t class_count, int64_t node_count,
			 const double *f, double *mass)
{
	memset(mass, 0, (size_t) class_count * sizeof(double));
	for (int64_t i = 0; i < node_count; i++)
	{
		GL_TRY(gl_work(host, class_count));
		for (int32_t c = 0; c < class_count; c++)
			mass[c] += f[i * class_count + c];
	}
	return GL_OK;
}

GlStatus
class_prior_measure(GlHost *host, const LabelSeeds *seeds,
					const PropagateOptions *options, int64_t node_count,
					const double *f, ClassPrior *out)
{
	int32_t		class_count = seeds->class_count;
	double	   *share;
	double	   *mass;

	*out = (ClassPrior)
	{
		.class_count = class_count
	};
	if (seeds->seed_count == 0 ||
		(options->class_prior == NULL && options->prior == PRIOR_NONE))
		return GL_OK;
	GL_NEW(host, share, class_count);
	GL_NEW(host, mass, class_count);
	GL_TRY(wanted_shares(host, seeds, options, share));
	GL_TRY(class_masses(host, class_count, node_count, f, mass));
	out->share = share;
	out->mass = mass;
	return GL_OK;
}

void
class_prior_release(GlHost *host, ClassPrior *prior)
{
	gl_release(host, prior->share);
	gl_release(host, prior->mass);
	memset(prior, 0, sizeof(*prior));
}

void
class_prior_score(const ClassPrior *prior, double *row)
{
	int32_t		class_count = prior->class_count;
	double		largest = 0;
	double		total = 0;

	for (int32_t c = 0; c < class_count; c++)
		largest = row[c] > largest ? row[c] : largest;
	if (!(largest > 0))
		return;
	if (largest < SMALL_ROW)
		for (int32_t c = 0; c < class_count; c++)
			row[c] /= largest;
	for (int32_t c = 0; c < class_count; c++)
	{
		if (prior->mass != NULL)
			row[c] = prior->share[c] * row[c] /
				fmax(prior->mass[c], MASS_FLOOR);
		total += row[c];
	}
	for (int32_t c = 0; c < class_count; c++)
		row[c] = total > 0 ? row[c] / total : 0;
}

void
class_prior_winner(const double *scores, int32_t class_count, int32_t *winner,
				   double *confidence)
{
	*winner = -1;
	*confidence = 0;
	for (int32_t c = 0; c < class_count; c++)
		if (scores[c] > *confidence)
		{
			*confidence = scores[c];
			*winner = c;
		}
}

GlStatus
class_prior_apply(GlHost *host, const LabelSeeds *seeds,
				  const PropagateOptions *options, int64_t node_count,
				  const bool *is_clamped, double *scores)
{
	int32_t		class_count = seeds->class_count;
	ClassPrior	prior;

	if (seeds->seed_count == 0)
		return GL_OK;			/* every row is 0 */
	GL_TRY(class_prior_measure(host, seeds, options, node_count, scores,
							   &prior));
	for (int64_t i = 0; i < node_count; i++)
	{
		GL_TRY(gl_work(host, 3 * (int64_t) class_count));
		if (is_clamped == NULL || !is_clamped[i])
			class_prior_score(&prior, scores + i * class_count);
	}
	class_prior_release(host, &prior);
	return GL_OK;
}
