/*
 * block_product.h
 *		The product of block walks with a block of columns.
 *
 * Reads:	trees of a bound BlockGraph, and X, n x C row-major, in row order.
 * Yields:	Y = Q X, or Q^T X, Q the mean of the trees' walks.
 */
#ifndef BLOCK_PRODUCT_H
#define BLOCK_PRODUCT_H

#include "graph/block_graph.h"

/*
 * O(C pairs) time; scratch of 32 MB, or of 16 bytes a row if that is more,
 * twice that on a refined partition.  x and y do not overlap.
 */
extern GlStatus block_product(GlHost *host, const BlockTree *trees,
							  int32_t tree_count, bool transpose,
							  const double *x, double *y, int32_t columns);

#endif							/* BLOCK_PRODUCT_H */
