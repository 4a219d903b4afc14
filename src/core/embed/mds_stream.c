/*
 * mds_stream.c
 *		See mds_stream.h.
 */
#include "embed/mds_stream.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "embed/landmark_frame.h"
#include "embed/mds.h"
#include "learn/kmeans.h"
#include "points/distance.h"

#define SAMPLE		1000

/* Steps of k-means before the centres are landmarks. */
#define KMEANS_STEPS	10

/* Landmarks that a start needs, for each axis. */
#define START_LANDMARKS	16

/* What a run carries from row to row. */
typedef struct Stream
{
	const StreamOptions *options;
	PointSpace	space;
	LandmarkFrame frame;		/* the landmarks of the moment */
	LandmarkFrame start;		/* some of the first, for where rows begin */
	Layout		layout;			/* of all points */
	GlRandom	random;
	int32_t    *order;			/* the rows, shuffled */
	int32_t    *slot;			/* which landmark a row is; -1: none */
	int32_t    *owner;			/* which row a landmark is */
	double	   *row;			/* the row at hand, d */
	/* maxmin: nearest other landmark, and how far it stands */
	int32_t    *nearest;
	double	   *nearest_distance;
} Stream;

static GlStatus
shuffle(GlHost *host, Stream *stream, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		stream->order[i] = (int32_t) i;
	for (int64_t i = n - 1; i > 0; i--)
	{
		int64_t		j = gl_random_below(&stream->random, i + 1);
		int32_t		swap = stream->order[i];

		stream->order[i] = stream->order[j];
		stream->order[j] = swap;
		GL_TRY(gl_work(host, 16));
	}
	return GL_OK;
}

/* --- maxmin ---------------------------------------------------------------- */

static double
landmark_distance(const Stream *stream, int64_t slot, const double *position)
{
	double		other[LAYOUT_MAX_AXES];

	layout_get(&stream->frame.layout, slot, other);
	return place_step_distance(&stream->frame.rule,
							   stream->frame.layout.axes, other, position);
}

static GlStatus
find_nearest(GlHost *host, Stream *stream, int64_t slot)
{
	int64_t		count = stream->frame.layout.point_count;
	double		position[LAYOUT_MAX_AXES];

	layout_get(&stream->frame.layout, slot, position);
	stream->nearest[slot] = -1;
	stream->nearest_distance[slot] = INFINITY;
	for (int64_t l = 0; l < count; l++)
	{
		double		distance = l == slot ? INFINITY :
			landmark_distance(stream, l, position);

		if (distance < stream->nearest_distance[slot])
		{
			stream->nearest[slot] = (int32_t) l;
			stream->nearest_distance[slot] = distance;
		}
	}
	return gl_work(host, count * (stream->frame.layout.axes + 4));
}

/* A landmark moved or was replaced: mend what that touches. */
static GlStatus
refresh_nearest(GlHost *host, Stream *stream, int64_t slot)
{
	int64_t		count = stream->frame.layout.point_count;
	double		position[LAYOUT_MAX_AXES];

	layout_get(&stream->frame.layout, slot, position);
	GL_TRY(find_nearest(host, stream, slot));
	for (int64_t l = 0; l < count; l++)
	{
		double		distance;

		if (l == slot)
			continue;
		if (stream->nearest[l] == slot)
		{
			GL_TRY(find_nearest(host, stream, l));
			continue;
		}
		distance = landmark_distance(stream, l, position);
		if (distance < stream->nearest_distance[l])
		{
			stream->nearest[l] = (int32_t) slot;
			stream->nearest_distance[l] = distance;
		}
	}
	return gl_work(host, count * (stream->frame.layout.axes + 4));
}

/*
 * The landmark that the row may replace, or -1: of the closest two the one
 * that leaves the larger gap, if the row stands farther from the rest than
 * these two from each other.
 */
static int64_t
maxmin_victim(const Stream *stream, const double *position)
{
	int64_t		count = stream->frame.layout.point_count;
	int64_t		pair[2] = {0};
	double		gap[2] = {INFINITY, INFINITY};	/* without pair[0], pair[1] */
	double		closest;

	for (int64_t l = 1; l < count; l++)
		if (stream->nearest_distance[l] < stream->nearest_distance[pair[0]])
			pair[0] = l;
	pair[1] = stream->nearest[pair[0]];
	if (pair[1] < 0)
		return -1;
	closest = stream->nearest_distance[pair[0]];
	for (int64_t l = 0; l < count; l++)
	{
		double		distance = landmark_distance(stream, l, position);

		for (int v = 0; v < 2; v++)
			if (l != pair[v] && distance < gap[v])
				gap[v] = distance;
	}
	if (!(gap[0] > closest || gap[1] > closest))
		return -1;
	if (gap[0] == gap[1])
		return stream->owner[pair[0]] < stream->owner[pair[1]] ?
			pair[0] : pair[1];
	return gap[0] > gap[1] ? pair[0] : pair[1];
}

/* --- landmarks ------------------------------------------------------------- */

/* Row `point`, widened in stream->row, becomes landmark `slot`. */
static void
seat(Stream *stream, int64_t slot, int32_t point, const double *position)
{
	int32_t		d = stream->frame.matrix.dimension_count;

	if (stream->owner[slot] >= 0)
		stream->slot[stream->owner[slot]] = -1;
	stream->owner[slot] = point;
	stream->slot[point] = (int32_t) slot;
	memcpy(stream->frame.values + slot * d, stream->row,
		   (size_t) d * sizeof(double));
	layout_set(&stream->frame.layout, slot, position);
}

/* The q-th row (from 1) stands at position: a landmark from now on? */
static GlStatus
consider(GlHost *host, Stream *stream, int32_t point, int64_t q,
		 const double *position)
{
	int64_t		count = stream->frame.layout.point_count;
	int64_t		victim = -1;

	switch (stream->options->policy)
	{
		case STREAM_RANDOM:
			if (gl_random_unit(&stream->random) * (double) q < (double) count)
				victim = gl_random_below(&stream->random, count);
			break;
		case STREAM_MAXMIN:
			victim = maxmin_victim(stream, position);
			break;
		case STREAM_FIXED:
		case STREAM_KMEANS:
			break;
	}
	if (victim < 0)
		return GL_OK;
	seat(stream, victim, point, position);
	if (stream->options->policy == STREAM_MAXMIN)
		return refresh_nearest(host, stream, victim);
	return GL_OK;
}

/* The first few landmarks once more; these stay. */
static GlStatus
begin_start(GlHost *host, Stream *stream)
{
	const LandmarkFrame *frame = &stream->frame;
	int64_t		count = START_LANDMARKS * (int64_t) (frame->layout.axes + 1);
	int32_t		d = frame->matrix.dimension_count;

	if (count > frame->layout.point_count)
		count = frame->layout.point_count;
	GL_TRY(landmark_frame_begin(host, &frame->rule, count, d,
								frame->layout.axes, &stream->start));
	memcpy(stream->start.values, frame->values,
		   (size_t) count * (size_t) d * sizeof(double));
	for (int64_t l = 0; l < count; l++)
	{
		double		position[LAYOUT_MAX_AXES];

		layout_get(&frame->layout, l, position);
		layout_set(&stream->start.layout, l, position);
	}
	return landmark_frame_ready(host, &stream->space, &stream->start);
}

/* The centres of clusters as landmarks; rows are none. */
static GlStatus
load_centres(GlHost *host, Stream *stream)
{
	LandmarkFrame *frame = &stream->frame;
	int64_t		count = frame->layout.point_count;
	KmeansOptions options;
	KmeansResult result;
	KmeansReport report;

	kmeans_defaults(&options);
	options.cluster_count = (int32_t) count;
	options.restarts = 1;
	options.iteration_limit = KMEANS_STEPS;
	options.seed = stream->options->place.seed;
	options.spherical = stream->space.metric == METRIC_COSINE;
	GL_TRY(kmeans_run(host, &stream->space.matrix, &options, &result,
					  &report));
	memcpy(frame->values, result.centre, (size_t) count *
		   (size_t) frame->matrix.dimension_count * sizeof(double));
	kmeans_result_release(host, &result);
	return GL_OK;
}

/* The first rows of the order as landmarks. */
static void
load_rows(Stream *stream)
{
	LandmarkFrame *frame = &stream->frame;
	int32_t		d = frame->matrix.dimension_count;

	for (int64_t l = 0; l < frame->layout.point_count; l++)
	{
		int32_t		point = stream->order[l];

		distance_widen(&stream->space.matrix, point, frame->values + l * d);
		stream->owner[l] = point;
		stream->slot[point] = (int32_t) l;
	}
}

/* Distances of the landmarks among themselves, in the space of all points. */
static GlStatus
landmark_distances(GlHost *host, const Stream *stream, double *matrix)
{
	const PointMatrix *landmarks = &stream->frame.matrix;
	int64_t		count = landmarks->row_count;
	int32_t		d = landmarks->dimension_count;

	for (int64_t l = 0; l < count; l++)
		for (int64_t m = 0; m < count; m++)
		{
			double		squared = distance_squared(distance_kernels(),
												   landmarks,
												   stream->frame.values +
												   l * d, m);

			matrix[l * count + m] = point_space_distance(&stream->space,
														 squared);
			GL_TRY(gl_work(host, d));
		}
	return GL_OK;
}

/* The first landmarks, placed among themselves. */
static GlStatus
first_landmarks(GlHost *host, Stream *stream)
{
	int64_t		count = stream->frame.layout.point_count;
	MdsOptions	among = {
		.method = MDS_PLACE,
		.dimensions = stream->options->dimensions,
		.place = stream->options->place
	};
	DistanceRows rows = {.point_count = count,.is_complete = true};
	MdsReport	report;
	Layout		layout;

	if (stream->options->policy == STREAM_KMEANS)
		GL_TRY(load_centres(host, stream));
	else
		load_rows(stream);
	GL_NEW(host, rows.matrix, (size_t) count * (size_t) count);
	GL_TRY(landmark_distances(host, stream, rows.matrix));
	GL_TRY(mds_run(host, &rows, &among, &layout, &report));
	for (int64_t l = 0; l < count; l++)
	{
		double		position[LAYOUT_MAX_AXES];

		layout_get(&layout, l, position);
		layout_set(&stream->frame.layout, l, position);
		if (stream->owner[l] >= 0)
			layout_set(&stream->layout, stream->owner[l], position);
	}
	layout_release(host, &layout);
	distance_rows_release(host, &rows);
	if (stream->options->policy == STREAM_MAXMIN)
		for (int64_t l = 0; l < count; l++)
			GL_TRY(find_nearest(host, stream, l));
	GL_TRY(landmark_frame_ready(host, &stream->space, &stream->frame));
	return begin_start(host, stream);
}

/* --- passes ---------------------------------------------------------------- */

static GlStatus
place_row(GlHost *host, Stream *stream, int64_t i, int64_t pass)
{
	int64_t		n = stream->layout.point_count;
	int32_t		point = stream->order[i];
	int32_t		own = stream->slot[point];
	bool		has_start = pass > 0 || own >= 0;
	double		position[LAYOUT_MAX_AXES];

	distance_widen(&stream->space.matrix, point, stream->row);
	if (has_start)
		layout_get(&stream->layout, point, position);
	else
		GL_TRY(landmark_frame_start(host, &stream->space, &stream->start,
									stream->row, position));
	GL_TRY(landmark_frame_place(host, &stream->space, &stream->frame,
								stream->row, own, position));
	layout_set(&stream->layout, point, position);
	if (own >= 0)
	{
		layout_set(&stream->frame.layout, own, position);
		if (stream->options->policy == STREAM_MAXMIN)
			return refresh_nearest(host, stream, own);
		return GL_OK;
	}
	return consider(host, stream, point, pass * n + i + 1, position);
}

/* Stress among a sample of rows, for the report. */
static GlStatus
sample_stress(GlHost *host, Stream *stream, PlaceReport *report)
{
	int64_t		n = stream->layout.point_count;
	int64_t		count = n < SAMPLE ? n : SAMPLE;
	double		squares = 0;
	double		wanted = 0;
	double		a[LAYOUT_MAX_AXES];
	double		b[LAYOUT_MAX_AXES];

	for (int64_t i = 0; i < count; i++)
	{
		layout_get(&stream->layout, stream->order[i], a);
		distance_widen(&stream->space.matrix, stream->order[i], stream->row);
		for (int64_t j = i + 1; j < count; j++)
		{
			double		length =
				point_space_distance(&stream->space,
									 distance_squared(distance_kernels(),
													  &stream->space.matrix,
													  stream->row,
													  stream->order[j]));
			double		shown;

			layout_get(&stream->layout, stream->order[j], b);
			shown = place_step_distance(&stream->frame.rule,
										stream->layout.axes, a, b);
			report->cost += place_step_loss(&stream->frame.rule, shown,
											length);
			squares += (shown - length) * (shown - length);
			wanted += length * length;
			GL_TRY(gl_work(host, stream->space.matrix.dimension_count + 8));
		}
	}
	report->normalised_stress = wanted > 0 ? sqrt(squares / wanted) : 0;
	return GL_OK;
}

static GlStatus
begin_stream(GlHost *host, const PointSet *points, GraphMetric metric,
			 GraphScale scale, Stream *stream)
{
	const StreamOptions *options = stream->options;
	int64_t		n = points->matrix.row_count;
	int32_t		d = points->matrix.dimension_count;
	int64_t		count = options->landmark_count < n ?
		options->landmark_count : n;
	int32_t		axes = options->dimensions +
		(options->place.space == MDS_FLAT ? 0 : 1);
	PlaceRule	rule = {
		.loss = options->place.loss,
		.power = options->place.power,
		.space = options->place.space,
		.radius = options->place.radius,
		.seed = options->place.seed
	};

	GL_TRY(point_space_begin(host, points, metric, scale, &stream->space));
	GL_TRY(landmark_frame_begin(host, &rule, count, d, axes,
								&stream->frame));
	GL_TRY(layout_begin(host, n, axes, &stream->layout));
	GL_NEW(host, stream->order, n);
	GL_NEW(host, stream->slot, n);
	GL_NEW(host, stream->owner, count);
	GL_NEW(host, stream->row, d);
	GL_NEW(host, stream->nearest, count);
	GL_NEW(host, stream->nearest_distance, count);
	for (int64_t i = 0; i < n; i++)
		stream->slot[i] = -1;
	for (int64_t l = 0; l < count; l++)
		stream->owner[l] = -1;
	gl_random_begin(&stream->random, options->place.seed);
	return shuffle(host, stream, n);
}

static void
end_stream(GlHost *host, Stream *stream)
{
	gl_release(host, stream->nearest_distance);
	gl_release(host, stream->nearest);
	gl_release(host, stream->row);
	gl_release(host, stream->owner);
	gl_release(host, stream->slot);
	gl_release(host, stream->order);
	landmark_frame_release(host, &stream->start);
	landmark_frame_release(host, &stream->frame);
	point_space_end(host, &stream->space);
}

GlStatus
mds_stream_run(GlHost *host, const PointSet *points, GraphMetric metric,
			   GraphScale scale, const StreamOptions *options, Layout *out,
			   PlaceReport *report)
{
	Stream		stream = {.options = options};
	int64_t		n = points->matrix.row_count;

	*out = (Layout) {0};
	*report = (PlaceReport) {.converged = true,.sweeps = options->passes};
	GL_TRY(begin_stream(host, points, metric, scale, &stream));
	GL_TRY(first_landmarks(host, &stream));
	for (int64_t pass = 0; pass < options->passes; pass++)
		for (int64_t i = 0; i < n; i++)
			GL_TRY(place_row(host, &stream, i, pass));
	GL_TRY(sample_stress(host, &stream, report));
	if (options->place.space == MDS_FLAT)
		GL_TRY(layout_standardise(host, &stream.layout, false));
	*out = stream.layout;
	end_stream(host, &stream);
	return GL_OK;
}
