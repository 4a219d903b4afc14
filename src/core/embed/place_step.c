/*
 * place_step.c
 *		The sums and the move of place_step.h.
 *
 * Targets are taken CHUNK at a time: first their squared distances, then the
 * loss turns these into one coefficient each, then the coefficients weigh the
 * differences axis by axis.  Each of the three is a plain loop over arrays
 * that the compiler can vectorise; sums run in four lanes that are added in a
 * fixed order, so the result has the same bits everywhere.
 *
 * Pairs at one place have no direction between them.  They take one from a
 * hash of the pair (opposite for the two), so that points which coincide but
 * should not move apart, always the same way.
 */
#include "embed/place_step.h"

#include <math.h>

#include "base/random.h"

#define CHUNK	256
#define LANES	4

/* What the loops of one chunk share. */
typedef struct Chunk
{
	int32_t		count;
	const int32_t *target;		/* numbers of the targets, or NULL */
	int64_t		first;			/* number of the first where target is NULL */
	const double *axis;			/* axis a of the targets at axis + a * stride */
	int64_t		stride;
	const double *length;
	const double *weight;		/* or NULL */
	double		squared[CHUNK]; /* |x - y|^2 */
	double		opposite[CHUNK];	/* |x + y|^2, geodesic only */
	double		coefficient[CHUNK]; /* of x - y in the pull */
	double		stiffness[CHUNK];
	double		cost[CHUNK];
} Chunk;

GlStatus
place_step_begin(GlHost *host, int32_t axes, PlaceScratch *scratch)
{
	*scratch = (PlaceScratch) {0};
	GL_NEW(host, scratch->gathered, (size_t) axes * CHUNK);
	return GL_OK;
}

void
place_step_end(GlHost *host, PlaceScratch *scratch)
{
	gl_release(host, scratch->gathered);
	*scratch = (PlaceScratch) {0};
}

/* The sum of count numbers in four lanes. */
static double
lane_sum(const double *number, int32_t count)
{
	double		lane[LANES] = {0};
	int32_t		j = 0;

	for (; j + LANES <= count; j += LANES)
		for (int l = 0; l < LANES; l++)
			lane[l] += number[j + l];
	for (; j < count; j++)
		lane[0] += number[j];
	return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

static void
chunk_squares(Chunk *chunk, const double *position, int32_t axes,
			  bool opposite)
{
	for (int32_t j = 0; j < chunk->count; j++)
		chunk->squared[j] = 0;
	for (int32_t a = 0; a < axes; a++)
	{
		const double *axis = chunk->axis + a * chunk->stride;
		double		x = position[a];

		for (int32_t j = 0; j < chunk->count; j++)
		{
			double		difference = x - axis[j];

			chunk->squared[j] += difference * difference;
		}
	}
	if (!opposite)
		return;
	for (int32_t j = 0; j < chunk->count; j++)
		chunk->opposite[j] = 0;
	for (int32_t a = 0; a < axes; a++)
	{
		const double *axis = chunk->axis + a * chunk->stride;
		double		x = position[a];

		for (int32_t j = 0; j < chunk->count; j++)
		{
			double		sum = x + axis[j];

			chunk->opposite[j] += sum * sum;
		}
	}
}

/* Angle times radius, from |x - y|^2 and |x + y|^2: accurate near 0 and pi. */
static double
arc(double radius, double squared, double opposite)
{
	return radius * 2.0 * atan2(sqrt(squared), sqrt(opposite));
}

/*
 * The weight a residual gets beside the pair's own, (r^2 + e^2)^((p-2)/2), and
 * its cost (r^2 + e^2)^(p/2).
 */
static inline void
weigh_residual(const PlaceRule *rule, double residual, double *factor,
			   double *cost)
{
	double		square = residual * residual;

	if (rule->loss == MDS_STRESS)
	{
		*factor = 1.0;
		*cost = square;
		return;
	}
	square += rule->smoothing * rule->smoothing;
	*cost = rule->loss == MDS_ABSOLUTE ? sqrt(square) :
		pow(square, rule->power / 2);
	*factor = square > 0 ? *cost / square : 0.0;
}

/* Ordinary stress in flat space, the common case, without a branch. */
static void
weigh_stress(Chunk *chunk)
{
	for (int32_t j = 0; j < chunk->count; j++)
	{
		double		shown = sqrt(chunk->squared[j]);
		double		residual = shown - chunk->length[j];

		chunk->coefficient[j] = residual / (shown > 0 ? shown : HUGE_VAL);
		chunk->cost[j] = residual * residual;
		chunk->stiffness[j] = 1.0;
	}
}

static void
weigh_distances(const PlaceRule *rule, Chunk *chunk)
{
	bool		geodesic = rule->space == MDS_GEODESIC;

	for (int32_t j = 0; j < chunk->count; j++)
	{
		double		chord = sqrt(chunk->squared[j]);
		double		shown = chord;
		double		divisor = chord;	/* turns x - y into a unit vector */
		double		residual;
		double		factor;

		if (geodesic)
		{
			shown = arc(rule->radius, chunk->squared[j], chunk->opposite[j]);
			/* the tangent part of x - y is radius * sin(angle) long */
			divisor = chord * sqrt(chunk->opposite[j]) / (2 * rule->radius);
		}
		residual = shown - chunk->length[j];
		weigh_residual(rule, residual, &factor, &chunk->cost[j]);
		chunk->coefficient[j] = factor * residual /
			(divisor > 0 ? divisor : HUGE_VAL);
		chunk->stiffness[j] = factor;
	}
}

/*
 * |s^2 - d^2|: the parabola needs the curvature (s^2 + d^2) / |v|, and with
 * smoothing never less than 1.
 */
static void
weigh_squares(const PlaceRule *rule, Chunk *chunk)
{
	for (int32_t j = 0; j < chunk->count; j++)
	{
		double		wanted = chunk->length[j] * chunk->length[j];
		double		v = chunk->squared[j] - wanted;
		double		size = sqrt(v * v + rule->smoothing * rule->smoothing);
		double		curvature = (chunk->squared[j] + wanted) /
			(size > 0 ? size : HUGE_VAL);

		chunk->coefficient[j] = v / (size > 0 ? size : HUGE_VAL);
		chunk->stiffness[j] = curvature > 1.0 ? curvature : 1.0;
		chunk->cost[j] = size;
	}
}

static void
apply_weights(Chunk *chunk)
{
	for (int32_t j = 0; j < chunk->count; j++)
	{
		chunk->coefficient[j] *= chunk->weight[j];
		chunk->stiffness[j] *= chunk->weight[j];
		chunk->cost[j] *= chunk->weight[j];
	}
}

/* A unit vector that belongs to the pair, and its negative to (b, a). */
static void
pair_direction(const PlaceRule *rule, int64_t a, int64_t b, int32_t axes,
			   const double *position, double *direction)
{
	GlRandom	random;
	double		norm = 0;
	double		along = 0;
	int64_t		low = a < b ? a : b;
	int64_t		high = a < b ? b : a;

	gl_random_begin(&random, (int64_t) ((uint64_t) rule->seed ^
										((uint64_t) (low + 1) << 32) ^
										(uint64_t) (high + 1)));
	for (int32_t k = 0; k < axes; k++)
	{
		direction[k] = gl_random_normal(&random);
		along += direction[k] * position[k];
	}
	if (rule->space == MDS_GEODESIC)
		for (int32_t k = 0; k < axes; k++)
			direction[k] -= along * position[k] / (rule->radius * rule->radius);
	for (int32_t k = 0; k < axes; k++)
		norm += direction[k] * direction[k];
	norm = sqrt(norm) * (a < b ? 1 : -1);
	for (int32_t k = 0; k < axes; k++)
		direction[k] = norm != 0 ? direction[k] / norm : 0;
}

/* Pairs without a direction of their own; rare. */
static void
pull_coincident(const PlaceRule *rule, const Chunk *chunk, int64_t point,
				const double *position, int32_t axes, PlaceSums *sums)
{
	double		direction[LAYOUT_MAX_AXES];

	for (int32_t j = 0; j < chunk->count; j++)
	{
		bool		same = chunk->squared[j] == 0;
		bool		antipodal = rule->space == MDS_GEODESIC &&
			chunk->opposite[j] == 0;
		int64_t		target = chunk->target != NULL ? chunk->target[j] :
			chunk->first + j;
		double		shown = antipodal ? arc(rule->radius, 1, 0) : 0;
		double		residual = shown - chunk->length[j];

		if (!(same || antipodal) || residual == 0)
			continue;
		pair_direction(rule, point, target, axes, position, direction);
		/* at the antipode every tangent leads nearer: mind the sign */
		for (int32_t a = 0; a < axes; a++)
			sums->pull[a] += (antipodal ? -1 : 1) * chunk->stiffness[j] *
				residual * direction[a];
	}
}

static bool
has_coincident(const PlaceRule *rule, const Chunk *chunk)
{
	int			found = 0;

	for (int32_t j = 0; j < chunk->count; j++)
		found |= chunk->squared[j] == 0;
	if (rule->space == MDS_GEODESIC)
		for (int32_t j = 0; j < chunk->count; j++)
			found |= chunk->opposite[j] == 0;
	return found && rule->loss != MDS_SQUARED_ABSOLUTE;
}

static void
add_chunk(const PlaceRule *rule, Chunk *chunk, int64_t point,
		  const double *position, int32_t axes, PlaceSums *sums)
{
	chunk_squares(chunk, position, axes, rule->space == MDS_GEODESIC);
	if (rule->loss == MDS_SQUARED_ABSOLUTE)
		weigh_squares(rule, chunk);
	else if (rule->loss == MDS_STRESS && rule->space != MDS_GEODESIC)
		weigh_stress(chunk);
	else
		weigh_distances(rule, chunk);
	if (chunk->weight != NULL)
		apply_weights(chunk);
	for (int32_t a = 0; a < axes; a++)
	{
		const double *axis = chunk->axis + a * chunk->stride;
		double		x = position[a];
		double		lane[LANES] = {0};
		int32_t		j = 0;

		for (; j + LANES <= chunk->count; j += LANES)
			for (int l = 0; l < LANES; l++)
				lane[l] += chunk->coefficient[j + l] * (x - axis[j + l]);
		for (; j < chunk->count; j++)
			lane[0] += chunk->coefficient[j] * (x - axis[j]);
		sums->pull[a] += (lane[0] + lane[2]) + (lane[1] + lane[3]);
	}
	sums->stiffness += lane_sum(chunk->stiffness, chunk->count);
	sums->cost += lane_sum(chunk->cost, chunk->count);
	if (has_coincident(rule, chunk))
		pull_coincident(rule, chunk, point, position, axes, sums);
}

/* Targets first .. end-1 of a row that names them all. */
static GlStatus
add_run(GlHost *host, const PlaceRule *rule, const Layout *layout,
		const DistanceRow *row, int64_t first, int64_t end, int64_t point,
		const double *position, PlaceSums *sums)
{
	Chunk		chunk;

	chunk.target = NULL;
	chunk.stride = layout->point_count;
	for (; first < end; first += CHUNK)
	{
		chunk.count = end - first < CHUNK ? (int32_t) (end - first) : CHUNK;
		chunk.first = first;
		chunk.axis = layout->coordinates + first;
		chunk.length = row->length + first;
		chunk.weight = row->weight == NULL ? NULL : row->weight + first;
		add_chunk(rule, &chunk, point, position, layout->axes, sums);
		GL_TRY(gl_work(host, (int64_t) chunk.count * (layout->axes + 8)));
	}
	return GL_OK;
}

/* Targets named one by one: their coordinates are brought together first. */
static GlStatus
add_named(GlHost *host, const PlaceRule *rule, const Layout *layout,
		  PlaceScratch *scratch, const DistanceRow *row, int64_t point,
		  const double *position, PlaceSums *sums)
{
	Chunk		chunk;

	chunk.axis = scratch->gathered;
	chunk.stride = CHUNK;
	for (int64_t first = 0; first < row->count; first += CHUNK)
	{
		chunk.count = row->count - first < CHUNK ?
			(int32_t) (row->count - first) : CHUNK;
		chunk.target = row->target + first;
		chunk.length = row->length + first;
		chunk.weight = row->weight == NULL ? NULL : row->weight + first;
		for (int32_t a = 0; a < layout->axes; a++)
			for (int32_t j = 0; j < chunk.count; j++)
				scratch->gathered[a * CHUNK + j] =
					layout->coordinates[a * layout->point_count +
										chunk.target[j]];
		add_chunk(rule, &chunk, point, position, layout->axes, sums);
		GL_TRY(gl_work(host, (int64_t) chunk.count * (2 * layout->axes + 8)));
	}
	return GL_OK;
}

GlStatus
place_step_sums(GlHost *host, const PlaceRule *rule, const Layout *layout,
				PlaceScratch *scratch, const DistanceRow *row, int64_t point,
				const double *position, PlaceSums *sums)
{
	for (int32_t a = 0; a < layout->axes; a++)
		sums->pull[a] = 0;
	sums->stiffness = 0;
	sums->cost = 0;
	if (row->target != NULL)
		return add_named(host, rule, layout, scratch, row, point, position,
						 sums);
	if (point < 0)
		return add_run(host, rule, layout, row, 0, row->count, point,
					   position, sums);
	GL_TRY(add_run(host, rule, layout, row, 0, point, point, position, sums));
	return add_run(host, rule, layout, row, point + 1, row->count, point,
				   position, sums);
}

/* On a sphere: a step v in the tangent plane, along the great circle. */
static double
move_along_circle(const PlaceRule *rule, int32_t axes, const double *position,
				  double *step, double *out)
{
	double		radius = rule->radius;
	double		along = 0;
	double		square = 0;
	double		size;
	double		stay;
	double		go;
	double		norm = 0;

	for (int32_t a = 0; a < axes; a++)
		along += step[a] * position[a] / (radius * radius);
	for (int32_t a = 0; a < axes; a++)
	{
		step[a] -= along * position[a];
		square += step[a] * step[a];
	}
	size = sqrt(square);
	stay = cos(size / radius);
	go = size > 0 ? radius * sin(size / radius) / size : 0;
	for (int32_t a = 0; a < axes; a++)
	{
		out[a] = stay * position[a] + go * step[a];
		norm += out[a] * out[a];
	}
	norm = sqrt(norm);
	for (int32_t a = 0; a < axes; a++)
		out[a] *= radius / norm;
	return square;
}

/* On a sphere with chords: the nearest point of the sphere to the mean. */
static double
move_to_projection(const PlaceRule *rule, int32_t axes,
				   const double *position, const double *step, double *out)
{
	double		norm = 0;
	double		square = 0;

	for (int32_t a = 0; a < axes; a++)
		norm += (position[a] + step[a]) * (position[a] + step[a]);
	norm = sqrt(norm);
	for (int32_t a = 0; a < axes; a++)
	{
		double		to = norm > 0 ?
			(position[a] + step[a]) * rule->radius / norm : position[a];

		square += (to - position[a]) * (to - position[a]);
		out[a] = to;
	}
	/* the parabola falls by |to - m|^2 less than |x - m|^2: norm / radius */
	return norm > 0 ? square * (norm / rule->radius) : 0;
}

double
place_step_move(const PlaceRule *rule, const PlaceSums *sums, int32_t axes,
				double relaxation, const double *position, double *out)
{
	double		step[LAYOUT_MAX_AXES];
	double		square = 0;
	double		curvature = rule->loss == MDS_ABSOLUTE ? 0.5 :
		rule->loss == MDS_POWER ? rule->power / 2 : 1.0;

	if (!(sums->stiffness > 0))
	{
		for (int32_t a = 0; a < axes; a++)
			out[a] = position[a];
		return 0;
	}
	for (int32_t a = 0; a < axes; a++)
	{
		step[a] = -relaxation * sums->pull[a] / sums->stiffness;
		square += step[a] * step[a];
	}
	if (rule->space == MDS_GEODESIC)
		square = move_along_circle(rule, axes, position, step, out);
	else if (rule->space == MDS_CHORDAL)
		return curvature * sums->stiffness *
			move_to_projection(rule, axes, position, step, out);
	else
		for (int32_t a = 0; a < axes; a++)
			out[a] = position[a] + step[a];
	return curvature * sums->stiffness * square *
		(2 - relaxation) / relaxation;
}

double
place_step_distance(const PlaceRule *rule, int32_t axes, const double *a,
					const double *b)
{
	double		squared = 0;
	double		opposite = 0;

	for (int32_t k = 0; k < axes; k++)
	{
		squared += (a[k] - b[k]) * (a[k] - b[k]);
		opposite += (a[k] + b[k]) * (a[k] + b[k]);
	}
	return rule->space == MDS_GEODESIC ?
		arc(rule->radius, squared, opposite) : sqrt(squared);
}

double
place_step_loss(const PlaceRule *rule, double shown, double wanted)
{
	double		factor;
	double		cost;

	if (rule->loss == MDS_SQUARED_ABSOLUTE)
	{
		double		v = shown * shown - wanted * wanted;

		return sqrt(v * v + rule->smoothing * rule->smoothing);
	}
	weigh_residual(rule, shown - wanted, &factor, &cost);
	return cost;
}
