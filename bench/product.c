/*
 * product.c
 *		Time one product with a kNN graph, and write its matrix for the peer.
 *
 *		product ROWS COLUMNS POINTS OUT
 *
 * POINTS is a file of doubles; OUT gets row_start, neighbour and weight in
 * three files.  Prints "columns seconds" lines, best of many runs.
 */
#include "graph/point_graph.h"
#include "plain_host.h"

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
	GlHost		host = plain_host();
	PointGraphOptions options;
	PointGraphReport report;
	PointSet	points;
	SparseGraph sparse;
	int64_t		n;

	if (argc != 5)
		return 2;
	n = atoll(argv[1]);
	points = read_points(argv[3], n, atoi(argv[2]));
	point_graph_defaults(&options);
	must(&host, point_graph_build(&host, &points, &options, &sparse,
								  &report));
	write_array(argv[4], "start", sparse.row_start, (size_t) (n + 1) * 8);
	write_array(argv[4], "neighbour", sparse.neighbour,
				(size_t) sparse.entry_count * 4);
	write_array(argv[4], "weight", sparse.weight,
				(size_t) sparse.entry_count * 8);

	for (int columns = 1; columns <= 8; columns *= 2)
	{
		double	   *x = numbers((size_t) n * (size_t) columns);
		double	   *y = numbers((size_t) n * (size_t) columns);
		double		best = 1e30;

		for (int run = 0; run < 50; run++)
		{
			double		start = now();

			must(&host, graph_apply(&host, &sparse.graph, x, y, columns));
			if (now() - start < best)
				best = now() - start;
		}
		printf("%d %.9f\n", columns, best);
		free(x);
		free(y);
	}
	return 0;
}
