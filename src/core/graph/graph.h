/*
 * graph.h
 *		The operator contract: all that a learner may know of a graph.
 *
 * A graph over n nodes is an n x n matrix A of non-negative numbers that can
 * be applied to vectors.  How A is held (compressed rows now; trees of blocks
 * and products of features later) is the business of the graph kind, which
 * fills in a GraphOperations table.  Learners call the graph_* functions
 * below and never look further, so a new graph kind serves every learner and
 * a new learner serves every kind.
 *
 * Blocks of vectors are row-major n x C: the C values of a node lie together,
 * so that each edge or block is read once for all columns.
 *
 * The normalisations W = D^-1 A, P = A^T D^-1, S = D^-1/2 A D^-1/2 are not here:
 * graph/normalised.h builds them from this contract for every kind.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "points/point_set.h"

/* What the numbers of a graph say. */
typedef enum GraphMeaning
{
	GRAPH_SIMILARITY = 1,		/* larger is closer */
	GRAPH_TRANSITION = 2,		/* rows sum to 1: a random walk */
	GRAPH_LENGTH = 3			/* smaller is closer: distances */
} GraphMeaning;

/* How a graph came about; the numbers are part of the stored format. */
typedef enum GraphKind
{
	GRAPH_KNN = 1,
	GRAPH_RADIUS = 2,
	GRAPH_TREE = 3,
	GRAPH_FULL = 4,
	GRAPH_EDGES = 5,
	GRAPH_ARCS = 6,
	GRAPH_DISTANCES = 7,
	GRAPH_AFFINITY = 8,
	GRAPH_BLOCKS = 9
} GraphKind;

typedef enum GraphMetric
{
	METRIC_NONE = 0,			/* built from edges, not from points */
	METRIC_EUCLIDEAN = 1,
	METRIC_COSINE = 2,
	METRIC_COUNTS = 3,			/* from here on: block graphs only */
	METRIC_KL = 4,
	METRIC_ITAKURA_SAITO = 5,
	METRIC_LOGISTIC = 6,
	METRIC_MAHALANOBIS = 7
} GraphMetric;

typedef enum GraphWeights
{
	WEIGHTS_GIVEN = 0,			/* as in the edge table */
	WEIGHTS_ADAPTIVE = 1,
	WEIGHTS_GAUSSIAN = 2,
	WEIGHTS_BINARY = 3,
	WEIGHTS_DISTANCE = 4,
	WEIGHTS_SIMILARITY = 5
} GraphWeights;

typedef enum GraphSymmetry
{
	SYMMETRY_NATURAL = 0,		/* symmetric by construction */
	SYMMETRY_SUM = 1,
	SYMMETRY_UNION = 2,
	SYMMETRY_MUTUAL = 3,
	SYMMETRY_DIRECTED = 4
} GraphSymmetry;

typedef enum GraphScale
{
	SCALE_NONE = 0,
	SCALE_STANDARD = 1
} GraphScale;

/* The options a graph was built with: for gl_info and for new rows. */
typedef struct GraphRecipe
{
	GraphKind	kind;
	GraphMetric metric;
	GraphWeights weights;
	GraphSymmetry symmetry;
	GraphScale	scale;
	int32_t		k;				/* neighbours per row; 0 if not a kNN graph */
	double		radius;			/* 0 if not a radius graph */
	double		bandwidth;		/* sigma in use; 0 if none */
	int64_t		seed;
} GraphRecipe;

typedef struct Graph Graph;

/* One entry of a row, or one edge. */
typedef struct GraphEntry
{
	int32_t		node;
	double		value;
} GraphEntry;

/* Called for each edge; a failure stops the visit. */
typedef GlStatus (*GraphEdgeVisitor) (void *state, int32_t source,
									  int32_t target, double weight);

typedef struct GraphOperations
{
	/* Y <- A X, and Y <- A^T X; never called with Y == X */
	GlStatus	(*apply) (GlHost *host, const Graph *graph,
						  const double *x, double *y, int32_t columns);
	GlStatus	(*apply_transpose) (GlHost *host, const Graph *graph,
									const double *x, double *y,
									int32_t columns);
	/* A 1 */
	GlStatus	(*row_sums) (GlHost *host, const Graph *graph, double *sums);
	/* A_ii */
	GlStatus	(*diagonal) (GlHost *host, const Graph *graph,
							 double *diagonal);
	/* component number 0, 1, ... per node, by smallest node */
	GlStatus	(*components) (GlHost *host, const Graph *graph,
							   int32_t *component, int32_t *component_count);
	/* non-zero entries of one row in host memory, by ascending node */
	GlStatus	(*row) (GlHost *host, const Graph *graph, int32_t node,
						GraphEntry **entries, int64_t *entry_count);
	/* every stored edge once, by (source, target); NULL: kind refuses */
	GlStatus	(*visit_edges) (GlHost *host, const Graph *graph,
								GraphEdgeVisitor visitor, void *state);
	/* give the kind's memory back */
	void		(*release) (GlHost *host, Graph *graph);
} GraphOperations;

/*
 * The part every kind shares; a kind embeds it as its first member.
 */
struct Graph
{
	const GraphOperations *operations;
	int64_t		node_count;		/* n */
	const int64_t *ids;			/* strictly ascending */
	bool		is_symmetric;	/* A = A^T exactly */
	bool		is_stochastic;	/* A 1 = 1 up to rounding */
	GraphMeaning meaning;
	GraphRecipe recipe;

	/* kept for models and new rows; NULL where not kept or not applicable */
	const PointSet *points;		/* the rows as given; ids shared with ours */
	const double *column_scale; /* divisor per column, scale => 'standard' */
	const double *node_scale;	/* local scale s_i, weights => 'adaptive' */
};

/*
 * The contract as functions.  Apply with any number of columns; x and y are
 * n x columns and must not overlap.  O(stored entries * columns).
 */
static inline GlStatus
graph_apply(GlHost *host, const Graph *graph, const double *x, double *y,
			int32_t columns)
{
	return graph->operations->apply(host, graph, x, y, columns);
}

static inline GlStatus
graph_apply_transpose(GlHost *host, const Graph *graph, const double *x,
					  double *y, int32_t columns)
{
	return graph->operations->apply_transpose(host, graph, x, y, columns);
}

static inline GlStatus
graph_row_sums(GlHost *host, const Graph *graph, double *sums)
{
	return graph->operations->row_sums(host, graph, sums);
}

static inline GlStatus
graph_components(GlHost *host, const Graph *graph, int32_t *component,
				 int32_t *component_count)
{
	return graph->operations->components(host, graph, component,
										 component_count);
}

/*
 * GL_ERR_OPTION with a hint naming gl_affinity unless the graph's numbers are
 * similarities or transitions.  learner is the SQL name, for the message.
 */
extern GlStatus graph_require_similarity(GlHost *host, const Graph *graph,
										 const char *learner);

extern void graph_release(GlHost *host, Graph *graph);

#endif							/* GRAPH_H */
