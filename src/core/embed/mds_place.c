/*
 * mds_place.c
 *		Sweeps and the smoothing schedule of mds_place.h.
 */
#include "embed/mds_place.h"

#include <math.h>
#include <string.h>

/*
 * How far a sequential step goes beyond the minimum of its parabola.  Up to 2
 * the cost cannot rise; like over-relaxation of linear systems this saves
 * sweeps (3,000 rows of MAGIC: 117 instead of more than 300).
 */
#define OVER_RELAXATION		1.8

/* All at once: V <= 2 D for every graph, so half a step is safe. */
#define PARALLEL_STEP		0.5

/* Times a parallel step on a sphere may be halved. */
#define HALVINGS			20

/* The smoothing ends at this part of the typical distance. */
#define LAST_SMOOTHING		1e-9

/* --- cost ------------------------------------------------------------------ */

/* What a look at all pairs tells. */
typedef struct Survey
{
	double		cost;			/* under the rule, ordered pairs */
	double		squares;		/* sum w r^2 */
	double		wanted;			/* sum w d^2 */
	double		weight;			/* sum w */
	double		largest;		/* |r|, or |s^2 - d^2| */
} Survey;

static void
survey_pair(const PlaceRule *rule, double shown, double wanted, double weight,
			Survey *survey)
{
	double		residual = shown - wanted;
	double		size = fabs(residual);

	if (rule->loss == MDS_SQUARED_ABSOLUTE)
		size = fabs(shown * shown - wanted * wanted);
	survey->cost += weight * place_step_loss(rule, shown, wanted);
	survey->squares += weight * residual * residual;
	survey->wanted += weight * wanted * wanted;
	survey->weight += weight;
	if (size > survey->largest)
		survey->largest = size;
}

static GlStatus
survey_pairs(GlHost *host, const PlaceRule *rule, DistanceRows *rows,
			 const Layout *layout, Survey *survey)
{
	double		a[LAYOUT_MAX_AXES];
	double		b[LAYOUT_MAX_AXES];

	*survey = (Survey) {0};
	for (int64_t i = 0; i < layout->point_count; i++)
	{
		DistanceRow row;

		GL_TRY(distance_rows_get(host, rows, i, &row));
		layout_get(layout, i, a);
		for (int64_t e = 0; e < row.count; e++)
		{
			int64_t		j = row.target == NULL ? e : row.target[e];

			if (j <= i)
				continue;
			layout_get(layout, j, b);
			survey_pair(rule, place_step_distance(rule, layout->axes, a, b),
						row.length[e],
						row.weight == NULL ? 1.0 : row.weight[e], survey);
		}
		GL_TRY(gl_work(host, row.count * (layout->axes + 4)));
	}
	return GL_OK;
}

GlStatus
mds_place_cost(GlHost *host, const PlaceRule *rule, DistanceRows *rows,
			   const Layout *layout, double *cost, double *normalised_stress)
{
	Survey		survey;

	GL_TRY(survey_pairs(host, rule, rows, layout, &survey));
	if (cost != NULL)
		*cost = survey.cost;
	if (normalised_stress != NULL)
		*normalised_stress = survey.wanted > 0 ?
			sqrt(survey.squares / survey.wanted) : 0;
	return GL_OK;
}

/* --- sweeps ---------------------------------------------------------------- */

/*
 * Every point moved once, its new place written to `to`, which is `layout`
 * itself in a sequential sweep.
 */
static GlStatus
move_points(GlHost *host, const PlaceRule *rule, double relaxation,
			DistanceRows *rows, const bool *fixed, const Layout *layout,
			Layout *to, double *cost, double *gain)
{
	PlaceScratch scratch;
	PlaceSums	sums;
	double		position[LAYOUT_MAX_AXES];

	*cost = 0;
	*gain = 0;
	GL_TRY(place_step_begin(host, layout->axes, &scratch));
	for (int64_t i = 0; i < layout->point_count; i++)
	{
		DistanceRow row;

		if (fixed != NULL && fixed[i])
			continue;
		GL_TRY(distance_rows_get(host, rows, i, &row));
		layout_get(layout, i, position);
		GL_TRY(place_step_sums(host, rule, layout, &scratch, &row, i,
							   position, &sums));
		*cost += sums.cost;
		*gain += 2 * place_step_move(rule, &sums, layout->axes, relaxation,
									 position, position);
		layout_set(to, i, position);
	}
	place_step_end(host, &scratch);
	return GL_OK;
}

/*
 * All at once.  In flat space, and with chords, half a step is provably safe;
 * with geodesics it is tried, and halved again if the cost rose.
 */
static GlStatus
sweep_parallel(GlHost *host, const PlaceRule *rule, DistanceRows *rows,
			   const bool *fixed, double step, Layout *layout, double *cost,
			   double *gain)
{
	size_t		size = (size_t) layout->point_count * (size_t) layout->axes;
	Layout		next = *layout;
	double		before = 0;

	GL_NEW(host, next.coordinates, size);
	memcpy(next.coordinates, layout->coordinates, size * sizeof(double));
	if (rule->space == MDS_GEODESIC)
		GL_TRY(mds_place_cost(host, rule, rows, layout, &before, NULL));
	for (int halving = 0; halving < HALVINGS; halving++)
	{
		double		after = 0;

		GL_TRY(move_points(host, rule, step, rows, fixed, layout, &next,
						   cost, gain));
		if (rule->space != MDS_GEODESIC)
			break;
		GL_TRY(mds_place_cost(host, rule, rows, &next, &after, NULL));
		*gain = 2 * (before - after);
		if (after <= before)
			break;
		step /= 2;
		*gain = 0;
		memcpy(next.coordinates, layout->coordinates, size * sizeof(double));
	}
	memcpy(layout->coordinates, next.coordinates, size * sizeof(double));
	gl_release(host, next.coordinates);
	/* the two ends of a pair share what it gains */
	if (rule->space != MDS_GEODESIC)
		*gain /= 2;
	return GL_OK;
}

GlStatus
mds_place_sweep(GlHost *host, const PlaceRule *rule, MdsSweep sweep,
				DistanceRows *rows, const bool *fixed, Layout *layout,
				double *cost, double *gain)
{
	double		n = (double) layout->point_count;
	double		step = 1.0;

	/* the others' parabolas touch no more than they must: no room beyond */
	if (rule->space == MDS_FLAT && rule->loss != MDS_SQUARED_ABSOLUTE)
		step = OVER_RELAXATION;
	if (sweep != MDS_SEQUENTIAL)
		return sweep_parallel(host, rule, rows, fixed,
							  sweep == MDS_GUTTMAN ? (n - 1) / n :
							  PARALLEL_STEP, layout, cost, gain);
	return move_points(host, rule, step, rows, fixed, layout, layout, cost,
					   gain);
}

/* --- the run --------------------------------------------------------------- */

/* The bare loss of the options. */
static PlaceRule
bare_rule(const PlaceOptions *options)
{
	return (PlaceRule) {
		.loss = options->loss,
		.power = options->power,
		.space = options->space,
		.radius = options->radius,
		.seed = options->seed
	};
}

static bool
is_smooth(const PlaceOptions *options)
{
	return options->loss == MDS_STRESS ||
		(options->loss == MDS_POWER && options->power == 2);
}

GlStatus
mds_place_run(GlHost *host, const PlaceOptions *options, DistanceRows *rows,
			  const bool *fixed, Layout *layout, PlaceReport *report)
{
	PlaceRule	rule = bare_rule(options);
	Survey		survey;
	double		scale;
	double		last;
	double		invisible;		/* a gain that nobody would see */

	*report = (PlaceReport) {0};
	GL_TRY(survey_pairs(host, &rule, rows, layout, &survey));
	scale = survey.weight > 0 ? sqrt(survey.wanted / survey.weight) : 0;
	if (options->loss == MDS_SQUARED_ABSOLUTE)
		scale *= scale;
	last = LAST_SMOOTHING * scale;
	invisible = options->tolerance * options->tolerance * survey.wanted;
	if (!is_smooth(options))
		rule.smoothing = survey.largest > last ? survey.largest : last;
	while (!report->converged && report->sweeps < options->sweep_limit)
	{
		double		cost;
		double		gain;

		GL_TRY(mds_place_sweep(host, &rule, options->sweep, rows, fixed,
							   layout, &cost, &gain));
		report->sweeps++;
		if (gain > options->tolerance * cost &&
			!(rule.smoothing == 0 && gain <= invisible))
			continue;
		if (rule.smoothing <= last)
			report->converged = true;
		else
			rule.smoothing /= 2;
	}
	rule.smoothing = 0;
	return mds_place_cost(host, &rule, rows, layout, &report->cost,
						  &report->normalised_stress);
}
