/*
 * landmark_frame.c
 *		See landmark_frame.h.
 *
 * The starting map: with Y the centred coordinates of the landmarks and delta
 * a point's squared distances to them less their means, the least squares
 * place is -1/2 (Y^T Y)^-1 Y^T delta.  Y may lack a direction (landmarks on a
 * line); the inverse is then a pseudo-inverse.
 */
#include "embed/landmark_frame.h"

#include <math.h>

#include "base/blas.h"
#include "points/distance.h"

#define STEP_LIMIT		20
#define STEP_TOLERANCE	1e-6

/* Smoothing of the robust losses, as a part of the mean distance. */
#define SMOOTHING		1e-3

/* Directions this much thinner than the widest do not count. */
#define THINNEST		1e-9

GlStatus
landmark_frame_begin(GlHost *host, const PlaceRule *rule, int64_t count,
					 int32_t dimension_count, int32_t axes,
					 LandmarkFrame *out)
{
	LandmarkFrame frame = {.rule = *rule};

	*out = (LandmarkFrame) {0};
	GL_NEW(host, frame.values, (size_t) count * (size_t) dimension_count);
	frame.matrix = (PointMatrix) {
		.row_count = count,
		.dimension_count = dimension_count,
		.scalar = SCALAR_FLOAT8,
		.values = frame.values
	};
	GL_TRY(layout_begin(host, count, axes, &frame.layout));
	GL_NEW(host, frame.map, (size_t) axes * (size_t) count);
	GL_NEW(host, frame.mean, axes);
	GL_NEW(host, frame.mean_square, count);
	GL_NEW(host, frame.length, count);
	GL_TRY(place_step_begin(host, axes, &frame.scratch));
	*out = frame;
	return GL_OK;
}

void
landmark_frame_release(GlHost *host, LandmarkFrame *frame)
{
	place_step_end(host, &frame->scratch);
	gl_release(host, frame->length);
	gl_release(host, frame->mean_square);
	gl_release(host, frame->mean);
	gl_release(host, frame->map);
	layout_release(host, &frame->layout);
	gl_release(host, frame->values);
	*frame = (LandmarkFrame) {0};
}

/* Distances of a row to all landmarks, into frame->length. */
static GlStatus
measure_landmarks(GlHost *host, const PointSpace *space, LandmarkFrame *frame,
				  const double *row)
{
	const DistanceKernels *kernels = distance_kernels();
	const PointMatrix *matrix = &frame->matrix;

	for (int64_t l = 0; l < matrix->row_count; l++)
	{
		frame->length[l] =
			point_space_distance(space, distance_squared(kernels, matrix, row,
														 l));
		GL_TRY(gl_work(host, matrix->dimension_count));
	}
	return GL_OK;
}

/* The pseudo-inverse of a small symmetric matrix, in place. */
static GlStatus
invert(GlHost *host, int32_t size, double *matrix)
{
	double		value[LAYOUT_MAX_AXES];
	double	   *vectors;

	GL_NEW(host, vectors, (size_t) size * (size_t) size);
	for (int32_t e = 0; e < size * size; e++)
		vectors[e] = matrix[e];
	GL_TRY(gl_symmetric_eigen(host, size, vectors, value));
	for (int32_t a = 0; a < size; a++)
		for (int32_t b = 0; b < size; b++)
		{
			double		sum = 0;

			for (int32_t e = 0; e < size; e++)
				if (value[e] > THINNEST * value[size - 1])
					sum += vectors[e * size + a] * vectors[e * size + b] /
						value[e];
			matrix[a * size + b] = sum;
		}
	gl_release(host, vectors);
	return GL_OK;
}

/* Y^T Y of the centred coordinates, and their means. */
static void
frame_scatter(LandmarkFrame *frame, double *scatter)
{
	int64_t		count = frame->layout.point_count;
	int32_t		axes = frame->layout.axes;
	const double *x = frame->layout.coordinates;

	for (int32_t a = 0; a < axes; a++)
	{
		frame->mean[a] = 0;
		for (int64_t l = 0; l < count; l++)
			frame->mean[a] += x[a * count + l];
		frame->mean[a] /= (double) count;
	}
	for (int32_t a = 0; a < axes; a++)
		for (int32_t b = 0; b < axes; b++)
		{
			double		sum = 0;

			for (int64_t l = 0; l < count; l++)
				sum += (x[a * count + l] - frame->mean[a]) *
					(x[b * count + l] - frame->mean[b]);
			scatter[a * axes + b] = sum;
		}
}

GlStatus
landmark_frame_ready(GlHost *host, const PointSpace *space,
					 LandmarkFrame *frame)
{
	int64_t		count = frame->layout.point_count;
	int32_t		axes = frame->layout.axes;
	double	   *scatter;
	double		mean_length = 0;

	for (int64_t l = 0; l < count; l++)
		frame->mean_square[l] = 0;
	for (int64_t m = 0; m < count; m++)
	{
		GL_TRY(measure_landmarks(host, space, frame, frame->values +
								 m * frame->matrix.dimension_count));
		for (int64_t l = 0; l < count; l++)
		{
			frame->mean_square[l] += frame->length[l] * frame->length[l] /
				(double) count;
			mean_length += frame->length[l] / (double) count;
		}
	}
	mean_length /= (double) count;
	if (frame->rule.loss != MDS_STRESS)
		frame->rule.smoothing = SMOOTHING * mean_length *
			(frame->rule.loss == MDS_SQUARED_ABSOLUTE ? mean_length : 1);
	GL_NEW(host, scatter, (size_t) axes * (size_t) axes);
	frame_scatter(frame, scatter);
	GL_TRY(invert(host, axes, scatter));
	for (int32_t a = 0; a < axes; a++)
		for (int64_t l = 0; l < count; l++)
		{
			double		sum = 0;

			for (int32_t b = 0; b < axes; b++)
				sum += scatter[a * axes + b] *
					(frame->layout.coordinates[b * count + l] -
					 frame->mean[b]);
			frame->map[a * count + l] = -0.5 * sum;
		}
	gl_release(host, scatter);
	return gl_work(host, count * axes * axes);
}

/* Where the linear map puts a point with frame->length. */
static void
map_start(const LandmarkFrame *frame, double *position)
{
	int64_t		count = frame->layout.point_count;
	int32_t		axes = frame->layout.axes;
	double		norm = 0;

	for (int32_t a = 0; a < axes; a++)
	{
		double		sum = 0;

		for (int64_t l = 0; l < count; l++)
			sum += frame->map[a * count + l] *
				(frame->length[l] * frame->length[l] -
				 frame->mean_square[l]);
		position[a] = frame->mean[a] + sum;
		norm += position[a] * position[a];
	}
	if (frame->rule.space == MDS_FLAT)
		return;
	norm = sqrt(norm);
	for (int32_t a = 0; a < axes; a++)
		position[a] = norm > 0 ? position[a] * frame->rule.radius / norm :
			(a == 0 ? frame->rule.radius : 0);
}

GlStatus
landmark_frame_start(GlHost *host, const PointSpace *space,
					 LandmarkFrame *frame, const double *row,
					 double *position)
{
	GL_TRY(measure_landmarks(host, space, frame, row));
	map_start(frame, position);
	return gl_work(host, frame->layout.point_count * frame->layout.axes);
}

GlStatus
landmark_frame_place(GlHost *host, const PointSpace *space,
					 LandmarkFrame *frame, const double *row, int64_t own,
					 double *position)
{
	int64_t		count = frame->layout.point_count;
	DistanceRow wanted = {.count = count,.length = frame->length};

	GL_TRY(measure_landmarks(host, space, frame, row));
	for (int step = 0; step < STEP_LIMIT; step++)
	{
		PlaceSums	sums;
		double		gain;

		GL_TRY(place_step_sums(host, &frame->rule, &frame->layout,
							   &frame->scratch, &wanted, own, position,
							   &sums));
		gain = place_step_move(&frame->rule, &sums, frame->layout.axes, 1.0,
							   position, position);
		if (gain <= STEP_TOLERANCE * sums.cost)
			break;
	}
	return GL_OK;
}
