/*
 * point_set.c
 *		Collect rows, put them in order of id, check and copy them.
 *
 * Rows are appended to one growing buffer.  Most tables arrive in order of
 * id; then the buffer becomes the set as it is.  Otherwise the rows are
 * permuted in place, cycle by cycle, so that sorting needs no second copy of
 * the data.
 */
#include "points/point_set.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/sort.h"

/* Rows the first allocation has room for; groups of a few rows are common. */
#define FIRST_CAPACITY	16

void
point_matrix_row(const PointMatrix *matrix, int64_t row, double *out)
{
	int32_t		d = matrix->dimension_count;

	if (matrix->scalar == SCALAR_FLOAT8)
		memcpy(out, (const double *) matrix->values + row * d,
			   (size_t) d * sizeof(double));
	else
	{
		const float *from = (const float *) matrix->values + row * d;

		for (int32_t j = 0; j < d; j++)
			out[j] = from[j];
	}
}

int64_t
point_set_find(const int64_t *ids, int64_t count, int64_t id)
{
	int64_t		low = 0;
	int64_t		high = count;

	while (low < high)
	{
		int64_t		middle = low + (high - low) / 2;

		if (ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && ids[low] == id ? low : -1;
}

/* Index of the first value that is NaN or infinite, or -1. */
static int64_t
find_not_finite(ScalarType scalar, const void *values, int64_t count)
{
	if (scalar == SCALAR_FLOAT8)
	{
		const double *v = values;

		for (int64_t i = 0; i < count; i++)
			if (!isfinite(v[i]))
				return i;
	}
	else
	{
		const float *v = values;

		for (int64_t i = 0; i < count; i++)
			if (!isfinite(v[i]))
				return i;
	}
	return -1;
}

static const char *
row_address(const PointMatrix *matrix, int64_t row)
{
	return (const char *) matrix->values +
		(size_t) row * (size_t) matrix->dimension_count *
		scalar_size(matrix->scalar);
}

GlStatus
point_set_check(GlHost *host, const PointSet *points)
{
	const PointMatrix *matrix = &points->matrix;

	if (matrix->dimension_count < 1 ||
		matrix->dimension_count > POINT_SET_MAX_DIMENSIONS ||
		matrix->row_count < 1 || matrix->row_count > POINT_SET_MAX_POINTS)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "points have an impossible shape");
	for (int64_t i = 0; i < matrix->row_count; i++)
	{
		GL_TRY(gl_work(host, matrix->dimension_count));
		if (i > 0 && points->ids[i] <= points->ids[i - 1])
			return gl_fail(host, GL_ERR_CORRUPT,
						   "ids of points are not ascending");
		if (find_not_finite(matrix->scalar, row_address(matrix, i),
							matrix->dimension_count) >= 0)
			return gl_fail(host, GL_ERR_CORRUPT,
						   "points hold a value that is not finite");
	}
	return GL_OK;
}

GlStatus
point_set_copy(GlHost *host, const PointSet *from, PointSet *to)
{
	int64_t		n = from->matrix.row_count;
	size_t		row_bytes = (size_t) from->matrix.dimension_count *
		scalar_size(from->matrix.scalar);
	int64_t    *ids;
	char	   *values;

	memset(to, 0, sizeof(*to));
	GL_NEW(host, ids, n);
	values = gl_allocate(host, (size_t) n, row_bytes);
	if (values == NULL)
		return host->status;
	memcpy(ids, from->ids, (size_t) n * sizeof(int64_t));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, from->matrix.dimension_count));
		memcpy(values + (size_t) i * row_bytes,
			   row_address(&from->matrix, i), row_bytes);
	}
	to->matrix = from->matrix;
	to->matrix.values = values;
	to->ids = ids;
	return GL_OK;
}

void
point_set_release(GlHost *host, PointSet *points)
{
	gl_release(host, points->matrix.values);
	gl_release(host, points->ids);
	memset(points, 0, sizeof(*points));
}

/*
 * Double the room, or take what the budget still allows: a buffer that needs
 * 1.1 GB must not fail because 2 GB were asked for.
 */
static GlStatus
grow(GlHost *host, PointCollector *collector)
{
	PointMatrix *matrix = &collector->matrix;
	size_t		row_bytes = (size_t) matrix->dimension_count *
		scalar_size(matrix->scalar);
	int64_t		capacity = collector->row_capacity;
	int64_t		extra = capacity;
	size_t		cost = row_bytes + sizeof(int64_t);
	size_t		room = host->bytes_limit > host->bytes_used ?
		host->bytes_limit - host->bytes_used : 0;
	void	   *values;
	int64_t    *ids;

	if ((size_t) extra > room / cost)
		extra = (int64_t) (room / cost);
	if (extra < 1)
		extra = 1;				/* let the allocator explain the refusal */
	capacity += extra;
	values = gl_resize(host, (void *) matrix->values, (size_t) capacity,
					   row_bytes);
	if (values == NULL)
		return host->status;
	matrix->values = values;
	ids = gl_resize(host, collector->ids, (size_t) capacity, sizeof(int64_t));
	if (ids == NULL)
		return host->status;
	collector->ids = ids;
	collector->row_capacity = capacity;
	return GL_OK;
}

/* The first row fixes the shape of all. */
static GlStatus
begin_collection(GlHost *host, PointCollector *collector, ScalarType scalar,
				 int64_t id, int64_t dimension_count)
{
	PointMatrix *matrix = &collector->matrix;

	if (dimension_count < 1)
		return gl_fail(host, GL_ERR_DATA,
					   "%s has no features", gl_row_name(host, id).text);
	if (dimension_count > POINT_SET_MAX_DIMENSIONS)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "%s has %" PRId64 " features, the limit is %d",
					   gl_row_name(host, id).text, dimension_count,
					   POINT_SET_MAX_DIMENSIONS);
	matrix->scalar = scalar;
	matrix->dimension_count = (int32_t) dimension_count;
	matrix->row_count = 0;
	matrix->values = gl_allocate(host, FIRST_CAPACITY,
								 (size_t) dimension_count *
								 scalar_size(scalar));
	if (matrix->values == NULL)
		return host->status;
	GL_NEW(host, collector->ids, FIRST_CAPACITY);
	collector->row_capacity = FIRST_CAPACITY;
	return GL_OK;
}

GlStatus
point_collector_reserve(GlHost *host, PointCollector *collector,
						ScalarType scalar, int64_t id,
						int64_t dimension_count, void **slot)
{
	PointMatrix *matrix = &collector->matrix;

	if (collector->row_capacity == 0)
		GL_TRY(begin_collection(host, collector, scalar, id,
								dimension_count));
	if (dimension_count != matrix->dimension_count)
		return gl_fail(host, GL_ERR_DATA,
					   "rows have different numbers of features: %s has %"
					   PRId64 ", %s has %d", gl_row_name(host, id).text,
					   dimension_count,
					   gl_row_name(host, collector->ids[0]).text,
					   matrix->dimension_count);
	if (matrix->row_count >= POINT_SET_MAX_POINTS)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "more than %" PRId64 " rows", POINT_SET_MAX_POINTS);
	if (matrix->row_count == collector->row_capacity)
		GL_TRY(grow(host, collector));
	*slot = (void *) row_address(matrix, matrix->row_count);
	return GL_OK;
}

GlStatus
point_collector_commit(GlHost *host, PointCollector *collector, int64_t id)
{
	PointMatrix *matrix = &collector->matrix;
	const char *row = row_address(matrix, matrix->row_count);
	int64_t		bad = find_not_finite(matrix->scalar, row,
									  matrix->dimension_count);

	if (bad >= 0)
	{
		double		value = matrix->scalar == SCALAR_FLOAT8 ?
			((const double *) row)[bad] : ((const float *) row)[bad];

		return gl_fail(host, GL_ERR_DATA,
					   "feature %" PRId64 " of %s is %s", bad + 1,
					   gl_row_name(host, id).text,
					   isnan(value) ? "NaN" : "infinite");
	}
	collector->ids[matrix->row_count++] = id;
	return GL_OK;
}

/*
 * Bring row order[r] to place r, for all r, following the cycles of the
 * permutation.  order is used up: finished places are marked with -1.
 */
static GlStatus
permute_rows(GlHost *host, char *values, size_t row_bytes, int64_t *ids,
			 int32_t *order, int64_t count)
{
	char	   *held = gl_allocate(host, 1, row_bytes);

	if (held == NULL)
		return host->status;
	for (int64_t first = 0; first < count; first++)
	{
		int64_t		held_id = ids[first];
		int64_t		place = first;

		GL_TRY(gl_work(host, 1));
		if (order[first] < 0 || order[first] == first)
			continue;
		memcpy(held, values + (size_t) first * row_bytes, row_bytes);
		for (;;)
		{
			int64_t		from = order[place];

			GL_TRY(gl_work(host, (int64_t) row_bytes / 8 + 1));
			order[place] = -1;
			if (from == first)
				break;
			memcpy(values + (size_t) place * row_bytes,
				   values + (size_t) from * row_bytes, row_bytes);
			ids[place] = ids[from];
			place = from;
		}
		memcpy(values + (size_t) place * row_bytes, held, row_bytes);
		ids[place] = held_id;
	}
	gl_release(host, held);
	return GL_OK;
}

static GlStatus
ids_ascend(GlHost *host, const int64_t *ids, int64_t count, bool *ascend)
{
	*ascend = true;
	for (int64_t i = 1; i < count && *ascend; i++)
	{
		GL_TRY(gl_work(host, 1));
		*ascend = ids[i] >= ids[i - 1];
	}
	return GL_OK;
}

GlStatus
point_collector_finish(GlHost *host, PointCollector *collector,
					   PointSet *points)
{
	PointMatrix *matrix = &collector->matrix;
	bool		ascend;
	int64_t		n = matrix->row_count;
	size_t		row_bytes = (size_t) matrix->dimension_count *
		scalar_size(matrix->scalar);

	memset(points, 0, sizeof(*points));
	GL_TRY(ids_ascend(host, collector->ids, n, &ascend));
	if (!ascend)
	{
		int32_t    *order;

		GL_NEW(host, order, n);
		GL_TRY(gl_sort_order(host, collector->ids, n, order));
		GL_TRY(permute_rows(host, (char *) matrix->values, row_bytes,
							collector->ids, order, n));
		gl_release(host, order);
	}
	for (int64_t i = 1; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (collector->ids[i] == collector->ids[i - 1])
		{
			gl_fail(host, GL_ERR_DATA, "id %" PRId64 " occurs more than once",
					collector->ids[i]);
			gl_hint(host, "Every row needs an id of its own. Where none is at hand, row_number() makes one.");
			return GL_ERR_DATA;
		}
	}
	points->matrix = *matrix;
	points->ids = collector->ids;
	memset(collector, 0, sizeof(*collector));
	return GL_OK;
}
