/*
 * score_json.h
 *		Scores of classes as a jsonb object: {"label": score, ...}.
 */
#ifndef GRAPHLEARN_SCORE_JSON_H
#define GRAPHLEARN_SCORE_JSON_H

#include "compat.h"

/* What a class is called in the object. */
typedef struct ScoreKey
{
	const char *text;			/* not terminated */
	int			length;
} ScoreKey;

/* One member per class; scores with all their digits.  Finite numbers only. */
extern Datum score_json(const ScoreKey *keys, const double *scores,
						int32 count);

#endif							/* GRAPHLEARN_SCORE_JSON_H */
