/*
 * propagate.h
 *		Labels of a few nodes in, a label and class scores for every node out.
 *
 * Reads:	any Graph whose numbers are similarities or transitions, and seeds:
 *			(node, class) pairs.
 * Yields:	scores per node and class, the winning class, its confidence.
 *
 *		harmonic	f_i = y_i on seeds, f_i = g * sum_j W_ij f_j elsewhere
 *		wvrn		the same at g = 1, by votes: may stop after a few
 *		adsorption	the same with seeds that listen to their neighbours too
 *		lgc			F = (1-g) (I - g S)^-1 Y, S symmetric; W on a graph that
 *					is not symmetric
 *		walk		F <- g W F + (1-g) Y from F = Y
 *		mrw			a walk with restarts per class, along the edges
 *
 * with g the damping: the probability of following an edge.  Then class mass
 * normalisation (class_prior.h) and scores that sum to 1.  A node that no
 * seed can reach has no winner (-1), confidence 0 and scores 0.
 */
#ifndef PROPAGATE_H
#define PROPAGATE_H

#include "graph/normalised.h"

/* The numbers are part of stored models. */
typedef enum PropagateMethod
{
	PROPAGATE_HARMONIC = 1,
	PROPAGATE_LGC,
	PROPAGATE_MRW,
	PROPAGATE_WVRN,
	PROPAGATE_ADSORPTION,
	PROPAGATE_WALK
} PropagateMethod;

/* Products of a solve, if not told otherwise. */
#define PROPAGATE_ITERATION_LIMIT	2000

typedef enum PropagatePrior
{
	PRIOR_SEEDS = 1,			/* (n_c + weight) / (n + weight * C) */
	PRIOR_UNIFORM,				/* every class the same mass */
	PRIOR_NONE					/* no class mass normalisation */
} PropagatePrior;

typedef struct PropagateOptions
{
	PropagateMethod method;
	double		damping;		/* g; NaN: the method's default */
	PropagatePrior prior;
	double		prior_weight;	/* pseudo-count per class */
	const double *class_prior;	/* C numbers > 0, or NULL; overrides prior */
	int32_t		class_prior_count;	/* how many, for the check against C */
	bool		multilabel;		/* a node may carry several classes */
	int64_t		iteration_limit;	/* of products; 0: the default.  In walk
									 * and wvrn: how many steps to take; 0: to
									 * the limit */
	double		tolerance;		/* on the residual, see PropagateReport */
	Normalisation normalisation;	/* lgc; NORMALISE_NONE: by the graph */
	double		teleport;		/* mrw: chance to go on from any row */
	const double *injection;	/* adsorption: weight of the label of each
								 * node, n numbers, > 0 on seeds, NaN: the
								 * default; or NULL: all of them */
} PropagateOptions;

typedef struct PropagateReport
{
	double		damping;		/* the one used */
	int64_t		iterations;		/* products, beside the one that forms b */
	double		residual;		/* max |f - g N f - b|, N = W, S, ... */
	double		error_bound;	/* on max |f - solution|; infinite at g = 1 */
	bool		converged;		/* residual <= tolerance * max |b| */
	bool		stepped;		/* so many steps were asked for: not to have
								 * converged was the caller's will */
	int64_t		unreached_count;	/* nodes without any winner */
	Normalisation normalisation;	/* N of the equation that f obeys */
} PropagateReport;

/* Seeds sorted by (node, class), without repeats. */
typedef struct LabelSeeds
{
	int32_t		class_count;	/* C */
	int64_t		seed_count;
	const int32_t *node;
	const int32_t *label_class; /* 0 .. C-1 */
} LabelSeeds;

typedef struct PropagateResult
{
	int64_t		node_count;
	int32_t		class_count;
	double	   *scores;			/* n x C, rows sum to 1 or are 0 */
	int32_t    *winner;			/* n; -1: unreached */
	double	   *confidence;		/* n; the winning score, 1 on a clamped node */
} PropagateResult;

/* How f becomes scores: q and m of class_prior.h.  Both NULL: f alone. */
typedef struct ClassPrior
{
	int32_t		class_count;
	const double *share;		/* q, C */
	const double *mass;			/* m, C */
} ClassPrior;

/* What the method found before it was turned into scores. */
typedef struct PropagateField
{
	int64_t		node_count;
	int32_t		class_count;
	double	   *values;			/* f, n x C */
	ClassPrior	prior;
} PropagateField;

/* harmonic, prior from seeds with weight 10, tolerance 1e-5. */
extern void propagate_defaults(PropagateOptions *options);

/*
 * GL_ERR_OPTION for an option out of range or of another method, or for a
 * graph of lengths; GL_ERR_DATA for a node with two classes unless multilabel
 * is set and the method (lgc, mrw, adsorption) allows it.  Not converging is
 * not a failure: see the report.  seed_count = 0 is allowed and reaches nobody.
 *
 * Time: iterations products with C columns, and O(n C) for each.  Memory: the
 * result (n C numbers) and, while solving, 5 times as much on a symmetric
 * graph, 7 times on others.
 */
extern GlStatus propagate_run(GlHost *host, const Graph *graph,
							  const LabelSeeds *seeds,
							  const PropagateOptions *options,
							  PropagateResult *out, PropagateReport *report);

/*
 * The same, but f itself and the class masses, for rows that come later: a
 * new row's f is g sum_j W_ij f_j where the report's normalisation is the
 * walk.  Failures, time and memory as propagate_run().
 */
extern GlStatus propagate_fit(GlHost *host, const Graph *graph,
							  const LabelSeeds *seeds,
							  const PropagateOptions *options,
							  PropagateField *out, PropagateReport *report);

extern void propagate_field_release(GlHost *host, PropagateField *field);

extern void propagate_result_release(GlHost *host, PropagateResult *result);

#endif							/* PROPAGATE_H */
