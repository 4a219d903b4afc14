/*
 * block_functions.h
 *		Block graphs between SQL functions.
 */
#ifndef GRAPHLEARN_BLOCK_FUNCTIONS_H
#define GRAPHLEARN_BLOCK_FUNCTIONS_H

#include "value.h"

#include "graph/block_build.h"

/* The block graph behind an argument, or 22023 naming the function. */
extern const BlockGraph *block_argument(GlHost *host, Datum datum,
										const char *function);

#endif							/* GRAPHLEARN_BLOCK_FUNCTIONS_H */
