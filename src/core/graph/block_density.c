/*
 * block_density.c
 *		Sums over the blocks of each row, in the log domain where they span it.
 */
#include "graph/block_density.h"

#include <math.h>
#include <string.h>

#include "graph/block_gains.h"

/* As in block_solver.c: no infinities. */
#define HIGHEST_BETA		1e300

static const double LOG_TWO_PI = 1.8378770664093454836;

GlStatus
density_rows_begin(GlHost *host, const Divergence *divergence,
				   const PointMatrix *points, const PartitionTree *tree,
				   double bandwidth, DensityRows *out)
{
	memset(out, 0, sizeof(*out));
	GL_NEW(host, out->scratch, points->dimension_count);
	out->divergence = divergence;
	out->points = points;
	out->tree = tree;
	out->beta = fmin(1 / (2 * bandwidth * bandwidth), HIGHEST_BETA);
	return GL_OK;
}

void
density_rows_end(GlHost *host, DensityRows *rows)
{
	gl_release(host, rows->scratch);
	memset(rows, 0, sizeof(*rows));
}

GlStatus
density_rows_add(GlHost *host, const DensityRows *rows, int64_t first,
				 int64_t count, const NodeStatistics *to, double log_q,
				 double *density)
{
	int32_t		d = rows->points->dimension_count;
	double		mass = to->count * exp(log_q);

	if (mass == 0)
		return GL_OK;
	for (int64_t i = first; i < first + count; i++)
	{
		int32_t		row = rows->tree->leaf_row[i];
		double		delta;

		GL_TRY(gl_work(host, 2 * (int64_t) d));
		point_matrix_row(rows->points, row, rows->scratch);
		delta = block_statistics_from_row(rows->divergence, d, rows->scratch,
										  to);
		density[row] += mass * (block_gains_exponent(rows->beta, delta) -
								log_q);
	}
	return GL_OK;
}

GlStatus
density_rows_add_top(GlHost *host, const DensityRows *rows, int64_t first,
					 int64_t count, const NodeStatistics *to, double radius,
					 double *log_sum)
{
	int32_t		d = rows->points->dimension_count;
	double		spread = to->dual_scatter / to->count;

	for (int64_t i = first; i < first + count; i++)
	{
		int32_t		row = rows->tree->leaf_row[i];
		double		square;
		double		top;
		double		sum = log_sum[row];

		GL_TRY(gl_work(host, 2 * (int64_t) d + 60));
		point_matrix_row(rows->points, row, rows->scratch);
		square = divergence_between(rows->divergence, rows->scratch, to->mean,
									d);
		top = log(to->count) + block_gains_chord(rows->beta, sqrt(square),
												 radius, square + spread);
		log_sum[row] = isinf(sum) ? top :
			fmax(sum, top) + log1p(exp(-fabs(sum - top)));
	}
	return GL_OK;
}

double
density_log_normal(const PointSpace *space, double bandwidth)
{
	if (!divergence_of(space->metric)->is_symmetric)
		return 0;
	return space->matrix.dimension_count *
		(0.5 * LOG_TWO_PI + log(bandwidth)) + point_space_log_volume(space);
}

double
density_constant(const PointSpace *space, double bandwidth)
{
	return -log((double) (space->matrix.row_count - 1)) -
		density_log_normal(space, bandwidth);
}

GlStatus
density_merge(GlHost *host, int64_t row_count, int32_t t, const double *part,
			  double *total)
{
	for (int64_t i = 0; i < row_count; i++)
	{
		double		a = total[i];
		double		b = part[i];

		GL_TRY(gl_work(host, 20));
		total[i] = t == 0 ? b : fmax(a, b) + log1p(exp(-fabs(a - b)));
	}
	return GL_OK;
}
