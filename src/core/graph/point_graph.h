/*
 * point_graph.h
 *		Similarity graphs of a set of points: the four edge-based builders.
 *
 *		knn		an edge to each of the k nearest rows
 *		radius	an edge between any two rows closer than a radius
 *		tree	the minimum spanning tree
 *		full	an edge between any two rows
 *
 * No row is its own neighbour.  Definitions: spec seed000 section 1.1, rows
 * 26-32, traps T-11 to T-14.  The default, knn with adaptive weights and
 * symmetry sum, is the graph called G10 in docs/numerics.md.
 */
#ifndef POINT_GRAPH_H
#define POINT_GRAPH_H

#include "graph/sparse_graph.h"
#include "points/neighbours.h"

typedef struct PointGraphOptions
{
	GraphKind	kind;			/* one of the four */
	GraphMetric metric;
	GraphWeights weights;
	GraphSymmetry symmetry;		/* knn only */
	GraphScale	scale;
	int64_t		k;				/* knn only */
	bool		lower_k;		/* a k beyond n-1 is lowered, not refused */
	double		radius;			/* radius only; in units of the metric */
	bool		has_bandwidth;	/* false: chosen from the data */
	double		bandwidth;		/* gaussian only */
	bool		keep_points;
	int64_t		seed;
	NeighbourMethod method;		/* never changes the result */
} PointGraphOptions;

typedef struct PointGraphReport
{
	double		column_spread;	/* largest column deviation / median one */
	NeighbourReport neighbours;
} PointGraphReport;

#define POINT_GRAPH_DEFAULT_K	10

extern void point_graph_defaults(PointGraphOptions *options);

/*
 * Build a graph; out owns a copy of the ids, and of the points if kept.
 * GL_ERR_OPTION for an option out of range, GL_ERR_DATA for rows that the
 * metric refuses, GL_ERR_MEMORY before the work starts where the need can be
 * foreseen.  Time: one neighbour search (full: n^2 d).  Memory: about
 * 50 k bytes per row beside the points (full: 12 n^2).
 */
extern GlStatus point_graph_build(GlHost *host, const PointSet *points,
								  const PointGraphOptions *options,
								  SparseGraph *out,
								  PointGraphReport *report);

#endif							/* POINT_GRAPH_H */
