/*
 * model.h
 *		What a learner found, kept: a table over the rows it was fitted on.
 *
 * Reads:	the result of a learner.
 * Yields:	a Model: the kind, how the fit went, and arrays over its rows.
 *			Together with the graph or the points it keeps (GlValue, codec/)
 *			it answers for rows never seen.
 *
 * One container serves every kind; a kind fills the parts it needs and leaves
 * the others empty.  All arrays are borrowed: they lie in stored bytes, or in
 * the memory of whoever built the model.  `parameters` is a list of numbers
 * whose order each kind fixes below; it is part of the stored format.
 *
 *		label		classes; values n x C, f of the learner before class mass
 *					normalisation; row_factor where f belongs to another
 *					normalisation than the walk; parameters LABEL_...
 *
 *		mds			coordinates; parameters MDS_...; residual is the normalised
 *					stress.  Keeps its points if it was made of points
 *
 * A new kind adds its number, its parameters and its rule in model.c.
 *
 * Invariants, checked by model_check(), the ones with * by model_check_numbers():
 *	 M1	class_end ascends from >= 0 to text_bytes
 *	 M2	0 <= cluster <= cluster_count; 0: no cluster
 *	 M3	the parts a kind needs are there, those it does not know are not
 *	*M4	values, factors, coordinates, row numbers and parameters are finite,
 *		and what is a weight or a share is not negative
 */
#ifndef MODEL_H
#define MODEL_H

#include "base/host.h"

/* The numbers are part of the stored format. */
typedef enum ModelKind
{
	MODEL_LABEL = 1,
	MODEL_CLUSTER = 2,
	MODEL_EMBEDDING = 3,
	MODEL_MDS = 4
} ModelKind;

typedef struct Model
{
	ModelKind	kind;
	int32_t		method;			/* the learner's own number of its method */

	/* how the fit went */
	int64_t		iterations;
	double		residual;
	bool		converged;

	int64_t		row_count;		/* n */
	const int64_t *ids;			/* of the kept graph or points if any */

	/* classes, their labels in UTF-8 one behind the other */
	int32_t		class_count;	/* C */
	const int64_t *class_end;	/* C: where the label of each class ends */
	const char *class_text;
	int64_t		text_bytes;

	/* by row */
	int32_t		column_count;
	const double *values;		/* n x columns; carried to new rows */
	const double *row_factor;	/* n, times values when carried; NULL: 1 */
	int32_t		coordinate_count;
	const double *coordinates;	/* n x coordinates: where rows were placed */
	int32_t		cluster_count;
	const int32_t *cluster;		/* n */
	const double *row_number;	/* n: one number of the kind, or NULL */

	int64_t		parameter_count;
	const double *parameters;

	uint64_t	fingerprint;	/* of all the rest: value_fingerprint() */
} Model;

/* Parameters of a label model: these, then C shares, then C masses. */
enum
{
	LABEL_DAMPING,
	LABEL_TOLERANCE,
	LABEL_PRIOR,				/* PropagatePrior; 0: given class by class */
	LABEL_PRIOR_WEIGHT,
	LABEL_SEED_COUNT,
	LABEL_UNREACHED_COUNT,
	LABEL_PARAMETERS
};

/* Parameters of an mds model. */
enum
{
	MDS_METRIC,					/* GraphMetric; METRIC_NONE: from a table */
	MDS_SCALE,					/* GraphScale */
	MDS_LOSS,					/* MdsLoss */
	MDS_POWER_OF_LOSS,
	MDS_SPACE,					/* MdsSpace */
	MDS_RADIUS,
	MDS_COST,
	MDS_COMPONENTS,
	MDS_PARAMETERS
};

/* Axes of a map at most: 64 dimensions, and one more for a sphere. */
#define MODEL_MAX_MAP_AXES	65

/*
 * Verify M1-M3: all that memory safety needs.  GL_ERR_CORRUPT.  keeps_graph:
 * the model comes with a graph that keeps its points.  O(n), polled.
 */
extern GlStatus model_check(GlHost *host, const Model *model,
							bool keeps_graph);

/* Verify M4, for a model that passed model_check().  O(n columns), polled. */
extern GlStatus model_check_numbers(GlHost *host, const Model *model);

/* The label of a class: *length bytes of UTF-8, not terminated. */
static inline const char *
model_class_label(const Model *model, int32_t label_class, int64_t *length)
{
	int64_t		start = label_class == 0 ? 0 :
		model->class_end[label_class - 1];

	*length = model->class_end[label_class] - start;
	return model->class_text + start;
}

#endif							/* MODEL_H */
