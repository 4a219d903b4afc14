/*
 * point_set.h
 *		A set of points: n rows of d finite numbers, each row with an id.
 *
 * Reads:	rows in any order, appended one by one.
 * Yields:	a PointSet, the input of every graph builder.
 *
 * Rows are kept in ascending order of id, so that nothing computed from a
 * PointSet depends on the order in which a table was scanned.
 *
 * Invariants, checked by point_set_check():
 *	 P1	ids are strictly ascending
 *	 P2	every value is finite
 *	 P3	1 <= dimension_count <= POINT_SET_MAX_DIMENSIONS, 1 <= point_count
 *		<= POINT_SET_MAX_POINTS
 *
 * Room for sparse points: ScalarType tells dense kinds apart; a sparse kind
 * will be a third member of PointSet beside `values`.
 */
#ifndef POINT_SET_H
#define POINT_SET_H

#include "base/host.h"

#define POINT_SET_MAX_DIMENSIONS	1000000
#define POINT_SET_MAX_POINTS		((int64_t) INT32_MAX)

/* How values are held; real[] input stays SCALAR_FLOAT4 in memory and on disk */
typedef enum ScalarType
{
	SCALAR_FLOAT4 = 1,
	SCALAR_FLOAT8 = 2
} ScalarType;

static inline size_t
scalar_size(ScalarType scalar)
{
	return scalar == SCALAR_FLOAT4 ? sizeof(float) : sizeof(double);
}

/*
 * Rows of numbers without ids: what distances are computed on.  A view; who
 * owns `values` depends on where the view came from.
 */
typedef struct PointMatrix
{
	int64_t		row_count;		/* n */
	int32_t		dimension_count;	/* d */
	ScalarType	scalar;
	const void *values;			/* row-major, n x d of float or double */
} PointMatrix;

typedef struct PointSet
{
	PointMatrix matrix;
	const int64_t *ids;			/* strictly ascending */
} PointSet;

/* Verify P1-P3; GL_ERR_CORRUPT if violated.  O(n d). */
extern GlStatus point_set_check(GlHost *host, const PointSet *points);

/* Deep copy into host memory. */
extern GlStatus point_set_copy(GlHost *host, const PointSet *from,
							   PointSet *to);

extern void point_set_release(GlHost *host, PointSet *points);

/* Position of an id, or -1.  O(log n). */
extern int64_t point_set_find(const int64_t *ids, int64_t count, int64_t id);

/* One row as doubles, into out[d]. */
extern void point_matrix_row(const PointMatrix *matrix, int64_t row,
							 double *out);

/*
 * PointCollector gathers rows in arrival order.  Values are stored as float
 * for SCALAR_FLOAT4 and as double otherwise.
 */
typedef struct PointCollector
{
	PointMatrix matrix;			/* rows so far; values owned here */
	int64_t    *ids;
	int64_t		row_capacity;
} PointCollector;

/*
 * Room for one more row: *slot is where its d values go.  The first row fixes
 * d.  Errors name the id: GL_ERR_DATA for a dimension that differs from the
 * first row's or is 0, GL_ERR_TOO_LARGE, GL_ERR_MEMORY.  O(d) amortised.  The
 * row counts only after point_collector_commit().
 */
extern GlStatus point_collector_reserve(GlHost *host,
										PointCollector *collector,
										ScalarType scalar, int64_t id,
										int64_t dimension_count,
										void **slot);

/* Accept the row just written; GL_ERR_DATA if a value is not finite. */
extern GlStatus point_collector_commit(GlHost *host,
									   PointCollector *collector, int64_t id);

/*
 * Turn the rows into a PointSet: sort by id, in place; a repeated id is
 * GL_ERR_DATA.  The collector's memory becomes the set's.  O(n d).
 */
extern GlStatus point_collector_finish(GlHost *host,
									   PointCollector *collector,
									   PointSet *points);

#endif							/* POINT_SET_H */
