/*
 * plain_host.h
 *		What the C benchmarks share: a host on malloc, a clock, rows of a file.
 */
#ifndef PLAIN_HOST_H
#define PLAIN_HOST_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "points/point_set.h"

static void *
plain_allocate(void *state, size_t bytes)
{
	(void) state;
	return malloc(bytes);
}

static void *
plain_resize(void *state, void *chunk, size_t bytes)
{
	(void) state;
	return realloc(chunk, bytes);
}

static void
plain_release(void *state, void *chunk)
{
	(void) state;
	free(chunk);
}

static bool
never_stop(void *state)
{
	(void) state;
	return false;
}

static inline GlHost
plain_host(void)
{
	GlHost		host = {
		.allocate = plain_allocate,
		.resize = plain_resize,
		.release = plain_release,
		.should_stop = never_stop,
		.bytes_limit = (size_t) 1 << 40
	};

	gl_host_begin(&host);
	return host;
}

static inline double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Say why and stop. */
static inline void
must(GlHost *host, GlStatus status)
{
	if (status == GL_OK)
		return;
	fprintf(stderr, "%s\n", host->message);
	exit(1);
}

/* Rows of doubles, as numpy's tofile() writes them; ids from 0. */
static inline PointSet
read_points(const char *path, int64_t row_count, int32_t dimension_count)
{
	PointSet	points = {0};
	size_t		count = (size_t) row_count * (size_t) dimension_count;
	double	   *values = malloc(count * sizeof(double));
	int64_t    *ids = malloc((size_t) row_count * sizeof(int64_t));
	FILE	   *file = fopen(path, "rb");

	if (values == NULL || ids == NULL || file == NULL ||
		fread(values, sizeof(double), count, file) != count)
	{
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	fclose(file);
	for (int64_t i = 0; i < row_count; i++)
		ids[i] = i;
	points.matrix.row_count = row_count;
	points.matrix.dimension_count = dimension_count;
	points.matrix.scalar = SCALAR_FLOAT8;
	points.matrix.values = values;
	points.ids = ids;
	return points;
}

/* A block of numbers to multiply. */
static inline double *
numbers(size_t count)
{
	double	   *x = malloc(count * sizeof(double));

	for (size_t i = 0; i < count; i++)
		x[i] = (double) (i % 1000) / 1000;
	return x;
}

#endif							/* PLAIN_HOST_H */
