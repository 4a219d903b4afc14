/*
 * descent.c
 *		How much of a block graph is looked at for the label of a new row.
 *
 *		descent OLD NEW COLUMNS POINTS CLASSES TREES TOLERANCE...
 *
 * POINTS is a file of doubles, OLD rows and behind them NEW ones; CLASSES a
 * file of int32, one per old row.  A line for each tolerance: rows per second,
 * nodes looked at per row, parts of the row that were summed, and the share
 * of new rows with the same label as by the exact row (tolerance 0).
 */
#include <string.h>

#include "graph/block_build.h"
#include "learn/label_predict.h"
#include "plain_host.h"

/* Every old row is labelled. */
static LabelSeeds
read_seeds(const char *path, int32_t count)
{
	LabelSeeds	seeds = {.seed_count = count};
	int32_t    *node = malloc((size_t) count * sizeof(int32_t));
	int32_t    *label_class = malloc((size_t) count * sizeof(int32_t));
	FILE	   *file = fopen(path, "rb");

	if (node == NULL || label_class == NULL || file == NULL ||
		fread(label_class, sizeof(int32_t), (size_t) count, file) !=
		(size_t) count)
	{
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	fclose(file);
	for (int32_t i = 0; i < count; i++)
	{
		node[i] = i;
		if (label_class[i] >= seeds.class_count)
			seeds.class_count = label_class[i] + 1;
	}
	seeds.node = node;
	seeds.label_class = label_class;
	return seeds;
}

/* The label of every new row; sums in *total, seconds returned. */
static double
predict_all(GlHost *host, LabelPredictor *predictor, const double *rows,
			int64_t count, int32_t d, double tolerance, int32_t *winner,
			RowFieldReport *total)
{
	double		start = now();

	*total = (RowFieldReport) {0};
	for (int64_t i = 0; i < count; i++)
	{
		RowFieldReport report;
		double		confidence;

		must(host, label_predict_row(host, predictor, rows + i * d, d, -1,
									 tolerance, &winner[i], &confidence,
									 &report));
		total->node_count += report.node_count;
		total->entry_count += report.entry_count;
	}
	return now() - start;
}

int
main(int argc, char **argv)
{
	GlHost		host = plain_host();
	PointSet	points;
	LabelSeeds	seeds;
	BlockGraphOptions options;
	BlockGraphReport built;
	BlockGraph	graph;
	PropagateOptions learning;
	PropagateReport learnt;
	Model		model;
	LabelPredictor predictor;
	RowFieldReport total;
	int32_t    *exact;
	int32_t    *winner;
	const double *rows;
	int64_t		old_count;
	int64_t		new_count;
	int32_t		d;

	if (argc < 8)
	{
		fprintf(stderr, "see the head of descent.c\n");
		return 1;
	}
	old_count = atoll(argv[1]);
	new_count = atoll(argv[2]);
	d = atoi(argv[3]);
	points = read_points(argv[4], old_count + new_count, d);
	rows = (const double *) points.matrix.values + old_count * d;
	points.matrix.row_count = old_count;
	seeds = read_seeds(argv[5], (int32_t) old_count);
	block_graph_defaults(&options);
	options.tree_count = atoi(argv[6]);
	must(&host, block_graph_build(&host, &points, &options, &graph, &built));
	propagate_defaults(&learning);
	must(&host, label_model_fit(&host, &graph.graph, &seeds, &learning,
								&model, &learnt));
	must(&host, label_predict_begin(&host, &model, &graph.graph, &predictor));
	exact = malloc((size_t) new_count * sizeof(int32_t));
	winner = malloc((size_t) new_count * sizeof(int32_t));
	predict_all(&host, &predictor, rows, new_count, d, 0, exact, &total);
	for (int a = 7; a < argc; a++)
	{
		double		seconds = predict_all(&host, &predictor, rows, new_count,
										  d, atof(argv[a]), winner, &total);
		int64_t		same = 0;

		for (int64_t i = 0; i < new_count; i++)
			same += winner[i] == exact[i];
		printf("%s %.0f %.1f %.1f %.5f\n", argv[a],
			   (double) new_count / seconds,
			   (double) total.node_count / (double) new_count,
			   (double) total.entry_count / (double) new_count,
			   (double) same / (double) new_count);
	}
	return 0;
}
