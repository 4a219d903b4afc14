/*
 * block_functions.h
 *		Block graphs between SQL functions.
 */
#ifndef GRAPHLEARN_BLOCK_FUNCTIONS_H
#define GRAPHLEARN_BLOCK_FUNCTIONS_H

#include "value.h"

#include "graph/block_build.h"

/* Build a block graph of points, with its notices, as a result datum. */
extern Datum block_graph_result(Datum points,
								const BlockGraphOptions *options,
								bool scale_not_given);

/* The block graph behind an argument, or 22023 naming the function. */
extern const BlockGraph *block_argument(GlHost *host, Datum datum,
										const char *function);

#endif							/* GRAPHLEARN_BLOCK_FUNCTIONS_H */
