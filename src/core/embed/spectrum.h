/*
 * spectrum.h
 *		The leading eigenpairs of a graph, for embeddings and clusters.
 *
 * Reads:	any Graph of similarities or transitions.
 * Yields:	eigenvalues in order, orthonormal eigenvectors of the symmetric
 *			form, and the mass m that turns them into functions on the nodes:
 *
 *		walk		S u = lambda u; psi = u / m^1/2 is the eigenvector of the
 *					walk itself.  Largest lambda first, or largest |lambda|
 *		laplacian	L u = mu u; smallest mu first
 *
 * (symmetric_form.h says what S, L and m are.)  Every component has one
 * trivial pair: lambda = 1 with u = m^1/2, or mu = 0 with u constant.  They are
 * exact here, never found by iteration, and come first where they are wanted,
 * by component.
 */
#ifndef SPECTRUM_H
#define SPECTRUM_H

#include "embed/eigen_solver.h"
#include "graph/graph.h"

typedef enum SpectrumMatrix
{
	SPECTRUM_WALK = 1,
	SPECTRUM_LAPLACIAN
} SpectrumMatrix;

typedef struct SpectrumOptions
{
	SpectrumMatrix matrix;
	EigenOrder	order;			/* of the walk; the Laplacian has but one */
	int32_t		wanted;			/* eigenpairs */
	bool		keep_trivial;	/* count the trivial ones among them */
	double		tolerance;		/* 0: EIGEN_TOLERANCE */
	int64_t		seed;
	const char *learner;		/* SQL name, for messages */
} SpectrumOptions;

typedef struct Spectrum
{
	EigenPairs	pairs;			/* trivial ones first */
	int32_t		trivial_count;	/* of those in pairs */
	int32_t		component_count;	/* of the graph, lone nodes included */
	int32_t    *component;		/* of each node */
	double	   *mass;			/* m: degrees, or pi */
	double		total;			/* sum of m */
	EigenReport report;			/* converged: pi and all pairs */
} Spectrum;

/*
 * Fewer pairs than wanted where there are no more.  A node without edges has
 * mass 0; for the walk its vector is of eigenvalue 0.  Failures as of
 * symmetric_form_begin and eigen_solver_run.  Where the graph has edges, the
 * products are done on an arranged copy (graph/arranged.h).
 */
extern GlStatus spectrum_find(GlHost *host, const Graph *graph,
							  const SpectrumOptions *options, Spectrum *out);

/* The same on the graph as it lies: for what is arranged already. */
extern GlStatus spectrum_find_here(GlHost *host, const Graph *graph,
								   const SpectrumOptions *options,
								   Spectrum *out);

extern void spectrum_release(GlHost *host, Spectrum *spectrum);

#endif							/* SPECTRUM_H */
