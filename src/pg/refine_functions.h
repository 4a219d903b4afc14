/*
 * refine_functions.h
 *		What building and refining block graphs tell the user alike.
 */
#ifndef GRAPHLEARN_REFINE_FUNCTIONS_H
#define GRAPHLEARN_REFINE_FUNCTIONS_H

#include "compat.h"

/* Tell the user that learning a bandwidth ran into its floor, if it did. */
extern void notice_bandwidth_floor(bool bandwidth_floored);

#endif							/* GRAPHLEARN_REFINE_FUNCTIONS_H */
