/*
 * edge_weights.c
 *		Local scaling, the Gaussian kernel, and the default bandwidth.
 *
 * The recipe and the numbers behind it (the 7th neighbour, the factor 2, the
 * quarter) were settled by experiment, see docs/numerics.md.
 */
#include "graph/edge_weights.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"

/* exp(-300) = 5e-131: far below any influence, far above underflow. */
#define LARGEST_EXPONENT	300.0

/* Smallest local scale, as a share of the mean neighbour distance. */
#define SMALLEST_SCALE		1e-3

/* A scale that is not finite could be neither used nor stored. */
static GlStatus
fail_too_far(GlHost *host)
{
	return gl_fail(host, GL_ERR_DATA,
				   "rows are further apart than a double can say");
}

static double
kernel(double exponent)
{
	return exp(-fmin(exponent, LARGEST_EXPONENT));
}

double
edge_weights_gaussian(double distance, double bandwidth)
{
	double		ratio = distance / bandwidth;

	return kernel(ratio * ratio / 2);
}

double
edge_weights_of(const EdgeWeights *weights, int32_t i, int32_t j,
				double squared_distance)
{
	double		chord;

	switch (weights->weights)
	{
		case WEIGHTS_ADAPTIVE:

			/*
			 * The product of two ratios, not a ratio of products: s_i s_j
			 * may underflow where neither ratio does.
			 */
			chord = point_space_chord(weights->space, squared_distance);
			return kernel(2 * ((chord / weights->node_scale[i]) *
							   (chord / weights->node_scale[j])));
		case WEIGHTS_GAUSSIAN:
			chord = point_space_chord(weights->space, squared_distance);
			return edge_weights_gaussian(chord, weights->bandwidth);
		case WEIGHTS_DISTANCE:
			return point_space_distance(weights->space, squared_distance);
		case WEIGHTS_SIMILARITY:
			return fmax(0, 1 - squared_distance / 2);
		case WEIGHTS_BINARY:
		case WEIGHTS_GIVEN:
			break;
	}
	return 1;
}

GlStatus
edge_weights_local_scales(GlHost *host, const NeighbourLists *lists,
						  EdgeWeights *weights)
{
	int64_t		n = lists->row_count;
	int32_t		rank = lists->k < ADAPTIVE_NEIGHBOUR ?
		lists->k : ADAPTIVE_NEIGHBOUR;
	double		sum = 0;
	double		floor;

	GL_NEW(host, weights->node_scale, n);
	for (int64_t i = 0; i < n; i++)
	{
		const double *row = lists->squared_distance + i * lists->k;

		GL_TRY(gl_work(host, 4 * (int64_t) lists->k));
		/* in units of the space, where a sum cannot overflow */
		for (int32_t r = 0; r < lists->k; r++)
			sum += sqrt(row[r]);
		weights->node_scale[i] =
			point_space_chord(weights->space, row[rank - 1]);
	}
	floor = SMALLEST_SCALE * ldexp(sum / ((double) n * lists->k),
								   weights->space->exponent) + DBL_MIN;
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		weights->node_scale[i] = fmax(weights->node_scale[i], floor);
		if (!isfinite(weights->node_scale[i]))
			return fail_too_far(host);
	}
	return GL_OK;
}

/* The sampled rows as a matrix of their own. */
static GlStatus
gather_rows(GlHost *host, const PointMatrix *from, const int32_t *chosen,
			int64_t count, PointMatrix *out)
{
	size_t		row_bytes = (size_t) from->dimension_count *
		scalar_size(from->scalar);
	char	   *values = gl_allocate(host, (size_t) count, row_bytes);

	if (values == NULL)
		return host->status;
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, from->dimension_count));
		memcpy(values + (size_t) i * row_bytes,
			   (const char *) from->values + (size_t) chosen[i] * row_bytes,
			   row_bytes);
	}
	*out = *from;
	out->row_count = count;
	out->values = values;
	return GL_OK;
}

GlStatus
edge_weights_choose_bandwidth(GlHost *host, NeighbourMethod method,
							  int64_t seed, EdgeWeights *weights)
{
	const PointMatrix *matrix = &weights->space->matrix;
	int64_t		n = matrix->row_count;
	int64_t		count = n < BANDWIDTH_SAMPLE ? n : BANDWIDTH_SAMPLE;
	int32_t		k = n - 1 < BANDWIDTH_NEIGHBOUR ?
		(int32_t) (n - 1) : BANDWIDTH_NEIGHBOUR;
	GlRandom	random;
	int32_t    *chosen;
	PointMatrix sample;
	NeighbourLists lists;
	double		sum = 0;

	weights->bandwidth = 1;
	if (k < 1)
		return GL_OK;
	GL_NEW(host, chosen, count);
	gl_random_begin(&random, seed);
	GL_TRY(gl_random_sample(host, &random, n, count, chosen));
	GL_TRY(gather_rows(host, matrix, chosen, count, &sample));
	GL_TRY(neighbours_query(host, matrix, &sample, chosen, k, method,
							&lists));
	for (int64_t i = 0; i < count; i++)
		sum += sqrt(lists.squared_distance[i * k + k - 1]);
	if (sum > 0)
		weights->bandwidth = ldexp(BANDWIDTH_SHARE * (sum / (double) count),
								   weights->space->exponent);
	if (!isfinite(weights->bandwidth))
		return fail_too_far(host);
	neighbour_lists_release(host, &lists);
	gl_release(host, sample.values);
	gl_release(host, chosen);
	return GL_OK;
}

void
edge_weights_end(GlHost *host, EdgeWeights *weights)
{
	gl_release(host, weights->node_scale);
	memset(weights, 0, sizeof(*weights));
}
