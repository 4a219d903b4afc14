/*
 * product.c
 *		Time one product with a kNN graph, and write its matrix for the peer.
 *
 *		product ROWS COLUMNS POINTS OUT
 *
 * POINTS is a file of doubles; OUT gets row_start, neighbour and weight in
 * three files.  Prints "columns seconds" lines, best of many runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "graph/point_graph.h"

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

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
write_array(const char *prefix, const char *name, const void *data,
			size_t bytes)
{
	char		path[1024];
	FILE	   *file;

	snprintf(path, sizeof(path), "%s.%s", prefix, name);
	file = fopen(path, "wb");
	if (file == NULL || fwrite(data, 1, bytes, file) != bytes)
		exit(1);
	fclose(file);
}

int
main(int argc, char **argv)
{
	GlHost		host = {
		.allocate = plain_allocate,
		.resize = plain_resize,
		.release = plain_release,
		.should_stop = never_stop,
		.bytes_limit = (size_t) 1 << 40
	};
	PointGraphOptions options;
	PointGraphReport report;
	PointSet	points = {0};
	SparseGraph sparse;
	int64_t		n;
	FILE	   *file;
	double	   *values;
	int64_t    *ids;

	if (argc != 5)
		return 2;
	gl_host_begin(&host);
	n = atoll(argv[1]);
	points.matrix.row_count = n;
	points.matrix.dimension_count = atoi(argv[2]);
	points.matrix.scalar = SCALAR_FLOAT8;
	values = malloc((size_t) n * (size_t) points.matrix.dimension_count * 8);
	ids = malloc((size_t) n * 8);
	file = fopen(argv[3], "rb");
	if (file == NULL ||
		fread(values, (size_t) points.matrix.dimension_count * 8, (size_t) n,
			  file) != (size_t) n)
		return 1;
	fclose(file);
	for (int64_t i = 0; i < n; i++)
		ids[i] = i;
	points.matrix.values = values;
	points.ids = ids;

	point_graph_defaults(&options);
	if (point_graph_build(&host, &points, &options, &sparse, &report) != GL_OK)
	{
		fprintf(stderr, "%s\n", host.message);
		return 1;
	}
	write_array(argv[4], "start", sparse.row_start, (size_t) (n + 1) * 8);
	write_array(argv[4], "neighbour", sparse.neighbour,
				(size_t) sparse.entry_count * 4);
	write_array(argv[4], "weight", sparse.weight,
				(size_t) sparse.entry_count * 8);

	for (int columns = 1; columns <= 8; columns *= 2)
	{
		size_t		count = (size_t) n * (size_t) columns;
		double	   *x = malloc(count * 8);
		double	   *y = malloc(count * 8);
		double		best = 1e30;

		for (size_t i = 0; i < count; i++)
			x[i] = (double) (i % 1000) / 1000;
		for (int run = 0; run < 50; run++)
		{
			double		start = now();

			if (graph_apply(&host, &sparse.graph, x, y, columns) != GL_OK)
				return 1;
			if (now() - start < best)
				best = now() - start;
		}
		printf("%d %.9f\n", columns, best);
		free(x);
		free(y);
	}
	return 0;
}
