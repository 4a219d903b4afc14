/*
 * block_density.h
 *		What the blocks of a row say of its density, row by row.
 *
 * Of a row i with blocks B: the lower bound that is kept as log density,
 *
 *		sum over B of |B| q (-beta delta(x_i, B) - log q)	+ a constant,
 *
 * (spec seed000 section 2.6), and, for squared Euclidean distance, an upper
 * bound of log sum_j e^(-beta |x_i - x_j|^2), see block_refine.h.
 */
#ifndef BLOCK_DENSITY_H
#define BLOCK_DENSITY_H

#include "graph/block_statistics.h"
#include "graph/point_space.h"

/* The rows that densities are summed for, in the order of a tree. */
typedef struct DensityRows
{
	const Divergence *divergence;
	const PointMatrix *points;
	const PartitionTree *tree;
	double		beta;
	double	   *scratch;		/* d */
} DensityRows;

/* beta is 1 / (2 bandwidth^2), kept finite. */
extern GlStatus density_rows_begin(GlHost *host, const Divergence *divergence,
								   const PointMatrix *points,
								   const PartitionTree *tree,
								   double bandwidth, DensityRows *out);
extern void density_rows_end(GlHost *host, DensityRows *rows);

/*
 * The terms that `count` rows from leaf position `first` on owe to their
 * block towards node `to`, added to density (per row of the matrix).
 * O(count d).
 */
extern GlStatus density_rows_add(GlHost *host, const DensityRows *rows,
								 int64_t first, int64_t count,
								 const NodeStatistics *to, double log_q,
								 double *density);

/*
 * The same for the upper bound: log_sum (per row) <- log(e^log_sum + top),
 * top >= sum over the rows of `to`, which lie within radius of their mean.
 */
extern GlStatus density_rows_add_top(GlHost *host, const DensityRows *rows,
									 int64_t first, int64_t count,
									 const NodeStatistics *to, double radius,
									 double *log_sum);

/*
 * Log of the integral of e^(-beta delta) over all rows in the user's units,
 * the bandwidth in units of the space; 0 for divergences that are not
 * normalised over space.  For cosine over rows of unit length.
 */
extern double density_log_normal(const PointSpace *space, double bandwidth);

/* From log sum_j e^(...) to a log density: the constant of every row. */
extern double density_constant(const PointSpace *space, double bandwidth);

/*
 * Tree t of a forest: total <- log(e^total + e^part); for t = 0 a copy.  The
 * caller subtracts the log of the number of trees.
 */
extern GlStatus density_merge(GlHost *host, int64_t row_count, int32_t t,
							  const double *part, double *total);

#endif							/* BLOCK_DENSITY_H */
