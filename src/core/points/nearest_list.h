/*
 * nearest_list.h
 *		The k nearest so far, by (squared distance, row).
 *
 * Two arrays of k slots owned by the caller, filled with (infinity,
 * INT32_MAX) to begin with, so a list is always full and nearest_worst() is
 * always its bound.  Up to NEAREST_SORTED slots are kept sorted; more are a
 * heap with the worst on top, sorted by nearest_finish().
 */
#ifndef NEAREST_LIST_H
#define NEAREST_LIST_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define NEAREST_SORTED	64

static inline bool
nearest_less(double distance, int32_t row, double other, int32_t other_row)
{
	return distance < other || (distance == other && row < other_row);
}

static inline void
nearest_begin(double *distance, int32_t *row, int32_t k)
{
	for (int32_t i = 0; i < k; i++)
	{
		distance[i] = INFINITY;
		row[i] = INT32_MAX;
	}
}

static inline double
nearest_worst(const double *distance, int32_t k)
{
	return distance[k <= NEAREST_SORTED ? k - 1 : 0];
}

/* Let (new_distance, new_row) sink from the top of a heap of k. */
static inline void
nearest_sink(double *distance, int32_t *row, int32_t k, double new_distance,
			 int32_t new_row)
{
	int32_t		at = 0;

	for (;;)
	{
		int64_t		child = 2 * (int64_t) at + 1;

		if (child >= k)
			break;
		if (child + 1 < k && nearest_less(distance[child], row[child],
										  distance[child + 1],
										  row[child + 1]))
			child++;
		if (!nearest_less(new_distance, new_row, distance[child], row[child]))
			break;
		distance[at] = distance[child];
		row[at] = row[child];
		at = (int32_t) child;
	}
	distance[at] = new_distance;
	row[at] = new_row;
}

/* True if the newcomer was among the k nearest and has a place now. */
static inline bool
nearest_insert(double *distance, int32_t *row, int32_t k,
			   double new_distance, int32_t new_row)
{
	int32_t		at = k - 1;

	if (k > NEAREST_SORTED)
	{
		if (!nearest_less(new_distance, new_row, distance[0], row[0]))
			return false;
		nearest_sink(distance, row, k, new_distance, new_row);
		return true;
	}
	if (!nearest_less(new_distance, new_row, distance[at], row[at]))
		return false;
	while (at > 0 && nearest_less(new_distance, new_row, distance[at - 1],
								  row[at - 1]))
	{
		distance[at] = distance[at - 1];
		row[at] = row[at - 1];
		at--;
	}
	distance[at] = new_distance;
	row[at] = new_row;
	return true;
}

/* Sort the list, nearest first. */
static inline void
nearest_finish(double *distance, int32_t *row, int32_t k)
{
	if (k <= NEAREST_SORTED)
		return;
	for (int32_t last = k - 1; last > 0; last--)
	{
		double		moved_distance = distance[last];
		int32_t		moved_row = row[last];

		distance[last] = distance[0];
		row[last] = row[0];
		nearest_sink(distance, row, last, moved_distance, moved_row);
	}
}

#endif							/* NEAREST_LIST_H */
