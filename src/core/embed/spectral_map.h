/*
 * spectral_map.h
 *		Coordinates of the nodes of a graph from its eigenvectors.
 *
 * Reads:	any Graph of similarities or transitions.
 * Yields:	n x dimensions coordinates, distances between which approximate a
 *			distance of the graph, better with every dimension:
 *
 *		diffusion	|lambda|^t psi		diffusion distance after t steps:
 *										sum_k (W^t_ik - W^t_jk)^2 / pi_k
 *		laplacian	psi with psi^T M psi = 1
 *										the smoothest functions on the graph
 *		heat		exp(-t mu) u		heat kernel at time 2 t
 *		resistance	u / mu^1/2			root of the effective resistance
 *		biharmonic	u / mu				biharmonic distance
 *
 * with (lambda, psi) of the walk, sum pi psi^2 = 1 for diffusion, and (mu, u)
 * of the Laplacian L (spectrum.h).  The trivial vector is left out.  Diffusion
 * takes the largest |lambda|, the others the smoothest vectors.
 *
 * Components are embedded each by itself, with its own pi, around its own
 * centre: no distance leads from one to another.  What a component does not
 * have, because it is too small, is 0.
 */
#ifndef SPECTRAL_MAP_H
#define SPECTRAL_MAP_H

#include "graph/graph.h"

typedef enum SpectralMethod
{
	SPECTRAL_DIFFUSION = 1,
	SPECTRAL_LAPLACIAN,
	SPECTRAL_HEAT,
	SPECTRAL_RESISTANCE,
	SPECTRAL_BIHARMONIC
} SpectralMethod;

typedef struct SpectralMapOptions
{
	SpectralMethod method;
	int32_t		dimensions;		/* 1 .. EIGEN_WANTED_LIMIT */
	double		time;			/* t >= 0 of diffusion and heat */
	int64_t		seed;
	const char *learner;		/* SQL name, for messages */
} SpectralMapOptions;

typedef struct SpectralMap
{
	int64_t		node_count;
	int32_t		dimensions;
	double	   *coordinates;	/* n x dimensions */
} SpectralMap;

typedef struct SpectralMapReport
{
	int32_t		component_count;
	int64_t		products;		/* with the graph or a component of it */
	double		residual;		/* the largest of any eigenpair */
	bool		converged;
} SpectralMapReport;

/*
 * Failures as of spectrum_find.  Time: that of the eigenpairs, component by
 * component.
 */
extern GlStatus spectral_map_find(GlHost *host, const Graph *graph,
								  const SpectralMapOptions *options,
								  SpectralMap *out,
								  SpectralMapReport *report);

extern void spectral_map_release(GlHost *host, SpectralMap *map);

/*
 * How a method weighs an eigenvector of value lambda or mu.  Where mu is
 * nothing but rounding error, 0: the vector is a trivial one.
 */
extern double spectral_map_factor(SpectralMethod method, double time,
								  double value);

/* Does a method ask for eigenvectors of the walk, or of the Laplacian? */
extern bool spectral_map_is_walk(SpectralMethod method);

#endif							/* SPECTRAL_MAP_H */
