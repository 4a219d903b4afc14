/*
 * label_candidates.h
 *		Which rows should be labelled first?
 *
 *		pagerank	those a random walk visits most: a label there is heard far
 *					and wide
 *		degree		those with the most weight arriving
 *		random		any, by seed
 *		farthest	one after the other, the row least likely to walk into one
 *					that is labelled or chosen already; parts of the graph
 *					without any come first
 *
 * (pagerank, degree, random: spec seed001 2.6.)
 */
#ifndef LABEL_CANDIDATES_H
#define LABEL_CANDIDATES_H

#include "graph/graph.h"

typedef enum CandidateMethod
{
	CANDIDATES_PAGERANK = 1,
	CANDIDATES_DEGREE,
	CANDIDATES_RANDOM,
	CANDIDATES_FARTHEST
} CandidateMethod;

typedef struct CandidateOptions
{
	CandidateMethod method;
	int64_t		count;			/* how many are wanted */
	int64_t		seed;			/* random only */
} CandidateOptions;

/* pagerank, 10 rows. */
extern void label_candidates_defaults(CandidateOptions *options);

/*
 * Up to options->count nodes that are not among labelled (in any order, with
 * repeats), best first, in host memory.  Equal ones by ascending node; the
 * first k of a longer list are the list of k.  GL_ERR_OPTION for a negative
 * count, or a graph of lengths.  Time: a PageRank; for
 * farthest a harmonic solution per row chosen.  Memory: some numbers per node.
 */
extern GlStatus label_candidates_run(GlHost *host, const Graph *graph,
									 const int32_t *labelled,
									 int64_t labelled_count,
									 const CandidateOptions *options,
									 int32_t **chosen,
									 int64_t *chosen_count);

#endif							/* LABEL_CANDIDATES_H */
