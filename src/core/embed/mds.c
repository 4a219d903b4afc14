/*
 * mds.c
 *		Components, starts, known positions: what surrounds the sweeps.
 */
#include "embed/mds.h"

#include <math.h>
#include <string.h>

#include "embed/classical_mds.h"
#include "embed/landmark_mds.h"

/* A start that is flat somewhere gets this part of its size as thickness. */
#define THICKNESS		1e-3

/* The gap between components, as a part of their widths. */
#define GAP				0.1

void
mds_defaults(MdsOptions *options)
{
	*options = (MdsOptions) {
		.method = MDS_PLACE,
		.dimensions = 2,
		.place = {
			.loss = MDS_STRESS,
			.power = 1.5,
			.space = MDS_FLAT,
			.radius = 1,
			.sweep = MDS_SEQUENTIAL,
			.sweep_limit = MDS_SWEEP_LIMIT,
			.tolerance = MDS_TOLERANCE
		}
	};
}

static int32_t
axes_of(const MdsOptions *options)
{
	return options->dimensions + (options->place.space == MDS_FLAT ? 0 : 1);
}

/* --- options --------------------------------------------------------------- */

static GlStatus
check_sphere(GlHost *host, const MdsOptions *options)
{
	const PlaceOptions *place = &options->place;

	if (!(place->radius > 0 && isfinite(place->radius)))
		return gl_fail(host, GL_ERR_OPTION,
					   "radius must be a positive number");
	if (place->space == MDS_FLAT)
		return GL_OK;
	if (options->method != MDS_PLACE && options->method != MDS_LANDMARK)
	{
		gl_fail(host, GL_ERR_OPTION,
				"this method knows no sphere");
		gl_hint(host, "Use method => 'place' or 'landmark'.");
		return GL_ERR_OPTION;
	}
	if (place->space == MDS_GEODESIC && place->loss == MDS_SQUARED_ABSOLUTE)
	{
		gl_fail(host, GL_ERR_OPTION, "loss => 'squared_absolute' is not "
				"defined for distances along a sphere");
		gl_hint(host, "Use loss => 'absolute', or space => 'chordal'.");
		return GL_ERR_OPTION;
	}
	return GL_OK;
}

static GlStatus
check_options(GlHost *host, const DistanceRows *rows,
			  const MdsOptions *options)
{
	const PlaceOptions *place = &options->place;

	if (options->dimensions < 1 ||
		options->dimensions > LAYOUT_MAX_DIMENSIONS)
		return gl_fail(host, GL_ERR_OPTION,
					   "dims must be between 1 and %d",
					   LAYOUT_MAX_DIMENSIONS);
	if (place->loss == MDS_POWER && !(place->power > 0 && place->power <= 2))
		return gl_fail(host, GL_ERR_OPTION,
					   "power must be greater than 0 and at most 2");
	if (place->sweep_limit < 1)
		return gl_fail(host, GL_ERR_OPTION, "iterations must be at least 1");
	if (!(place->tolerance >= 0 && isfinite(place->tolerance)))
		return gl_fail(host, GL_ERR_OPTION,
					   "tolerance must be zero or a positive number");
	if (options->landmark_count < 0 ||
		options->landmark_count > LANDMARK_LIMIT)
		return gl_fail(host, GL_ERR_OPTION,
					   "landmarks must be between 1 and %d", LANDMARK_LIMIT);
	if ((options->method == MDS_SMACOF || options->method == MDS_CLASSICAL)
		&& !rows->is_complete)
	{
		gl_fail(host, GL_ERR_DATA,
				"this method needs the distance of every pair");
		gl_hint(host, "Use method => 'place', or paths => true.");
		return GL_ERR_DATA;
	}
	return check_sphere(host, options);
}

/* On a sphere nothing is farther than its other side. */
static GlStatus
check_lengths(GlHost *host, DistanceRows *rows, const PlaceOptions *place)
{
	double		limit = (place->space == MDS_GEODESIC ? M_PI : 2.0) *
		place->radius;

	if (place->space == MDS_FLAT)
		return GL_OK;
	for (int64_t i = 0; i < rows->point_count; i++)
	{
		DistanceRow row;

		GL_TRY(distance_rows_get(host, rows, i, &row));
		GL_TRY(gl_work(host, row.count));
		for (int64_t e = 0; e < row.count; e++)
			if (row.length[e] > limit * (1 + 1e-12))
			{
				gl_fail(host, GL_ERR_DATA, "a distance of %g does not fit "
						"on a sphere of radius %g",
						row.length[e], place->radius);
				gl_hint(host, "Use a larger radius, or scale the distances.");
				return GL_ERR_DATA;
			}
	}
	return GL_OK;
}

/* --- one component --------------------------------------------------------- */

/* Known positions inside one component. */
typedef struct Frame
{
	int64_t		count;
	int64_t		anchor_count;	/* the first of them never move */
	int32_t    *point;
	double	   *coordinates;	/* count x axes */
} Frame;

static GlStatus
make_start(GlHost *host, DistanceRows *rows, const MdsOptions *options,
		   Layout *layout)
{
	int64_t		n = rows->point_count;
	int64_t		landmarks = options->landmark_count > 0 ?
		options->landmark_count : MDS_LANDMARKS;

	if (landmarks > n)
		landmarks = n;
	if (options->place.space != MDS_FLAT)
	{
		/* exact for distances that a sphere can show */
		if (options->method == MDS_PLACE && n <= LANDMARK_LIMIT)
			landmarks = n;
		return landmark_mds_run(host, rows, options->place.space,
								options->place.radius, landmarks, layout);
	}
	switch (options->method)
	{
		case MDS_LANDMARK:
			return landmark_mds_run(host, rows, MDS_FLAT, 1, landmarks,
									layout);
		case MDS_PIVOT:
			return landmark_mds_pivot(host, rows, landmarks, layout);
		case MDS_FASTMAP:
			return landmark_mds_fastmap(host, rows, layout);
		case MDS_PLACE:
		case MDS_SMACOF:
			if (!rows->is_complete)
				return landmark_mds_run(host, rows, MDS_FLAT, 1, landmarks,
										layout);
			break;
		case MDS_CLASSICAL:
			break;
	}
	return classical_mds_run(host, rows, options->place.seed, layout);
}

/* Lay the start over the known positions, and put these where they belong. */
static GlStatus
fit_frame(GlHost *host, const Frame *frame, bool is_flat, Layout *layout)
{
	int32_t		axes = layout->axes;
	LayoutMotion *motion;
	double	   *moving;

	if (frame->count < layout->point_count && is_flat)
	{
		GL_NEW(host, moving, (size_t) frame->count * (size_t) axes);
		GL_NEW(host, motion, 1);
		for (int64_t f = 0; f < frame->count; f++)
			layout_get(layout, frame->point[f], moving + f * axes);
		GL_TRY(layout_match(host, axes, frame->count, moving,
							frame->coordinates, false, motion));
		for (int64_t i = 0; i < layout->point_count; i++)
		{
			double		position[LAYOUT_MAX_AXES];

			layout_get(layout, i, position);
			layout_move(motion, position, position);
			layout_set(layout, i, position);
			GL_TRY(gl_work(host, axes * axes));
		}
		gl_release(host, motion);
		gl_release(host, moving);
	}
	for (int64_t f = 0; f < frame->count; f++)
		layout_set(layout, frame->point[f], frame->coordinates + f * axes);
	return GL_OK;
}

/* How large a layout of these distances will be, about. */
static GlStatus
typical_length(GlHost *host, DistanceRows *rows, double *typical)
{
	DistanceRow row;
	double		sum = 0;

	GL_TRY(distance_rows_get(host, rows, 0, &row));
	for (int64_t e = 0; e < row.count; e++)
		sum += row.length[e];
	*typical = row.count > 0 ? sum / (double) row.count : 0;
	return GL_OK;
}

/*
 * A start on a line, say, gets some thickness, unless it needs none: it shows
 * the distances already.
 */
static GlStatus
thicken_start(GlHost *host, DistanceRows *rows, const PlaceOptions *place,
			  Layout *layout)
{
	PlaceRule	rule = {.loss = MDS_STRESS,.space = MDS_FLAT};
	double		typical;
	double		stress;

	GL_TRY(typical_length(host, rows, &typical));
	if (!(typical > 0 && layout_is_flat(layout, THICKNESS * typical)))
		return GL_OK;
	GL_TRY(mds_place_cost(host, &rule, rows, layout, NULL, &stress));
	if (stress <= place->tolerance)
		return GL_OK;
	return layout_thicken(host, layout, THICKNESS * typical, place->seed);
}

static GlStatus
improve(GlHost *host, DistanceRows *rows, const MdsOptions *options,
		const Frame *frame, Layout *layout, PlaceReport *report)
{
	bool	   *fixed = NULL;
	PlaceOptions place = options->place;

	if (options->method == MDS_SMACOF)
		place.sweep = MDS_GUTTMAN;
	if (frame->anchor_count > 0)
	{
		GL_NEW_ZEROED(host, fixed, layout->point_count);
		for (int64_t f = 0; f < frame->anchor_count; f++)
			fixed[frame->point[f]] = true;
	}
	GL_TRY(mds_place_run(host, &place, rows, fixed, layout, report));
	gl_release(host, fixed);
	return GL_OK;
}

/* Rows that hang together, whatever method. */
static GlStatus
place_component(GlHost *host, DistanceRows *rows, const MdsOptions *options,
				const Frame *frame, Layout *layout, PlaceReport *report)
{
	bool		is_flat = options->place.space == MDS_FLAT;
	bool		iterates = options->method == MDS_PLACE ||
		options->method == MDS_SMACOF;

	*report = (PlaceReport) {.converged = true};
	if (frame->count < rows->point_count)
		GL_TRY(make_start(host, rows, options, layout));
	if (iterates && is_flat)
		GL_TRY(thicken_start(host, rows, &options->place, layout));
	if (frame->count > 0)
		GL_TRY(fit_frame(host, frame, is_flat, layout));
	if (iterates)
		GL_TRY(improve(host, rows, options, frame, layout, report));
	else
	{
		PlaceRule	rule = {
			.loss = options->place.loss,
			.power = options->place.power,
			.space = options->place.space,
			.radius = options->place.radius
		};

		GL_TRY(mds_place_cost(host, &rule, rows, layout, &report->cost,
							  &report->normalised_stress));
	}
	if (frame->count == 0)
		GL_TRY(layout_standardise(host, layout, !is_flat));
	return GL_OK;
}

/* --- all components -------------------------------------------------------- */

/* Component of each point by a walk over the table, numbered by first point. */
static GlStatus
find_components(GlHost *host, const DistanceRows *rows, int32_t *component,
				int32_t *component_count)
{
	int64_t		n = rows->point_count;
	int32_t    *queue;

	*component_count = 0;
	for (int64_t i = 0; i < n; i++)
		component[i] = rows->is_complete ? 0 : -1;
	if (rows->is_complete)
	{
		*component_count = 1;
		return GL_OK;
	}
	GL_NEW(host, queue, n);
	for (int64_t i = 0; i < n; i++)
	{
		int64_t		head = 0;
		int64_t		tail = 0;

		if (component[i] >= 0)
			continue;
		queue[tail++] = (int32_t) i;
		component[i] = *component_count;
		while (head < tail)
		{
			int32_t		node = queue[head++];

			for (int64_t e = rows->row_start[node];
				 e < rows->row_start[node + 1]; e++)
				if (component[rows->target[e]] < 0)
				{
					component[rows->target[e]] = *component_count;
					queue[tail++] = rows->target[e];
				}
			GL_TRY(gl_work(host, 8 + rows->row_start[node + 1] -
						   rows->row_start[node]));
		}
		(*component_count)++;
	}
	gl_release(host, queue);
	return GL_OK;
}

/* The known positions of the members; position maps points to members. */
static GlStatus
cut_frame(GlHost *host, const MdsOptions *options, const int32_t *component,
		  int32_t number, const int32_t *position, Frame *frame)
{
	const KnownPositions *known[2] = {&options->anchors, &options->initial};
	int32_t		axes = axes_of(options);
	int64_t		room = options->anchors.count + options->initial.count;

	*frame = (Frame) {0};
	if (room == 0)
		return GL_OK;
	GL_NEW(host, frame->point, room);
	GL_NEW(host, frame->coordinates, (size_t) room * (size_t) axes);
	for (int sort = 0; sort < 2; sort++)
	{
		for (int64_t p = 0; p < known[sort]->count; p++)
		{
			int32_t		point = known[sort]->point[p];

			if (component[point] != number)
				continue;
			frame->point[frame->count] = position[point];
			memcpy(frame->coordinates + frame->count * axes,
				   known[sort]->coordinates + p * axes,
				   (size_t) axes * sizeof(double));
			frame->count++;
		}
		if (sort == 0)
			frame->anchor_count = frame->count;
		GL_TRY(gl_work(host, known[sort]->count));
	}
	return GL_OK;
}

static void
release_frame(GlHost *host, Frame *frame)
{
	gl_release(host, frame->point);
	gl_release(host, frame->coordinates);
}

/* Where the next component goes on the first axis. */
typedef struct Shelf
{
	double		end;			/* right edge of what stands there */
	bool		used;
} Shelf;

/* Put a component right of the others, a gap between. */
static void
shelve(Layout *part, Shelf *shelf)
{
	double		low = INFINITY;
	double		high = -INFINITY;
	double		shift = 0;
	double	   *axis = part->coordinates;

	for (int64_t i = 0; i < part->point_count; i++)
	{
		low = axis[i] < low ? axis[i] : low;
		high = axis[i] > high ? axis[i] : high;
	}
	if (shelf->used)
		shift = shelf->end + GAP * (high - low) +
			(high > low ? 0 : GAP * fabs(shelf->end)) - low;
	for (int64_t i = 0; i < part->point_count; i++)
		axis[i] += shift;
	shelf->end = high + shift + GAP * (high - low);
	shelf->used = true;
}

static void
join_reports(PlaceReport *total, const PlaceReport *part, double *squares,
			 double *wanted, double part_wanted)
{
	total->cost += part->cost;
	total->converged = total->converged && part->converged;
	if (part->sweeps > total->sweeps)
		total->sweeps = part->sweeps;
	*squares += part->normalised_stress * part->normalised_stress *
		part_wanted;
	*wanted += part_wanted;
}

/* sum of w d^2 over unordered pairs. */
static GlStatus
wanted_squares(GlHost *host, DistanceRows *rows, double *sum)
{
	*sum = 0;
	for (int64_t i = 0; i < rows->point_count; i++)
	{
		DistanceRow row;

		GL_TRY(distance_rows_get(host, rows, i, &row));
		for (int64_t e = 0; e < row.count; e++)
			*sum += row.length[e] * row.length[e] / 2 *
				(row.weight == NULL ? 1 : row.weight[e]);
		GL_TRY(gl_work(host, row.count));
	}
	return GL_OK;
}

static GlStatus
run_components(GlHost *host, DistanceRows *rows, const MdsOptions *options,
			   const int32_t *component, int32_t component_count,
			   Layout *layout, PlaceReport *report)
{
	int64_t		n = rows->point_count;
	Shelf		shelf = {0};
	double		squares = 0;
	double		wanted = 0;
	int64_t    *start;
	int32_t    *member;
	int32_t    *position;

	*report = (PlaceReport) {.converged = true};
	GL_NEW_ZEROED(host, start, component_count + 1);
	GL_NEW(host, member, n);
	GL_NEW(host, position, n);
	for (int64_t i = 0; i < n; i++)
		start[component[i] + 1]++;
	for (int32_t c = 0; c < component_count; c++)
		start[c + 1] += start[c];
	/* filling moves each start to its end, which is the next one's start */
	for (int64_t i = 0; i < n; i++)
	{
		int64_t		place = start[component[i]]++;

		member[place] = (int32_t) i;
	}
	for (int32_t c = 0; c < component_count; c++)
	{
		int64_t		first = c == 0 ? 0 : start[c - 1];
		int64_t		count = start[c] - first;
		double		position_buffer[LAYOUT_MAX_AXES];
		double		part_wanted;
		DistanceRows part;
		Layout		part_layout;
		PlaceReport part_report;
		Frame		frame;

		for (int64_t m = 0; m < count; m++)
			position[member[first + m]] = (int32_t) m;
		GL_TRY(cut_frame(host, options, component, c, position, &frame));
		GL_TRY(layout_begin(host, count, layout->axes, &part_layout));
		GL_TRY(distance_rows_part(host, rows, member + first, count, position,
								  &part));
		GL_TRY(place_component(host, &part, options, &frame, &part_layout,
							   &part_report));
		GL_TRY(wanted_squares(host, &part, &part_wanted));
		join_reports(report, &part_report, &squares, &wanted, part_wanted);
		if (frame.count == 0 && options->place.space == MDS_FLAT)
			shelve(&part_layout, &shelf);
		for (int64_t m = 0; m < count; m++)
		{
			layout_get(&part_layout, m, position_buffer);
			layout_set(layout, member[first + m], position_buffer);
		}
		GL_TRY(gl_work(host, count));
		layout_release(host, &part_layout);
		distance_rows_release(host, &part);
		release_frame(host, &frame);
	}
	report->normalised_stress = wanted > 0 ? sqrt(squares / wanted) : 0;
	gl_release(host, position);
	gl_release(host, member);
	gl_release(host, start);
	return GL_OK;
}

/* --- everything ------------------------------------------------------------ */

GlStatus
mds_run(GlHost *host, DistanceRows *rows, const MdsOptions *options,
		Layout *out, MdsReport *report)
{
	int64_t		n = rows->point_count;
	Layout		layout;
	int32_t    *component;

	*out = (Layout) {0};
	*report = (MdsReport) {0};
	GL_TRY(check_options(host, rows, options));
	GL_TRY(check_lengths(host, rows, &options->place));
	GL_TRY(layout_begin(host, n, axes_of(options), &layout));
	GL_NEW(host, component, n);
	GL_TRY(find_components(host, rows, component, &report->component_count));
	if (report->component_count == 1)
	{
		int32_t    *position;
		Frame		frame;

		GL_NEW(host, position, n);
		for (int64_t i = 0; i < n; i++)
			position[i] = (int32_t) i;
		GL_TRY(cut_frame(host, options, component, 0, position, &frame));
		GL_TRY(place_component(host, rows, options, &frame, &layout,
							   &report->place));
		release_frame(host, &frame);
		gl_release(host, position);
	}
	else
		GL_TRY(run_components(host, rows, options, component,
							  report->component_count, &layout,
							  &report->place));
	gl_release(host, component);
	*out = layout;
	return GL_OK;
}
