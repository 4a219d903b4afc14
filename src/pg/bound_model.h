/*
 * bound_model.h
 *		Models kept ready across the calls of a statement.
 *
 * A function that predicts is called once a row, nearly always with the same
 * model.  Fetching it, checking it and preparing it for queries costs far
 * more than a prediction, so the first call keeps the result in fn_extra.
 * Later calls only ask whether the argument is still the same model:
 *
 *		stored out of line		the same toast pointer: same bytes
 *		expanded, in flight		the same object: each has a serial number
 *		flat, in memory			the same place, length and fingerprint; in
 *								another place the bytes are compared
 *
 * Several models take turns in a statement that joins rows with the model of
 * their tenant, so a few are kept, least recently used out first, within
 * graphlearn.max_memory.
 */
#ifndef GRAPHLEARN_BOUND_MODEL_H
#define GRAPHLEARN_BOUND_MODEL_H

#include "value.h"

typedef struct BoundModel
{
	GlHost		host;			/* of the model's own context */
	const GlValue *value;
	void	   *state;			/* what bind() made */
	bool		is_busy;		/* found set: something was interrupted */
} BoundModel;

/*
 * Prepare a model for queries: called with the model's own context current,
 * which lives as long as it is kept.
 */
typedef void *(*ModelBinder) (GlHost *host, const GlValue *value);

/*
 * The model in an argument, ready.  22023 unless it is of this kind; function
 * is the SQL name, for the message.
 */
extern BoundModel *bound_model_argument(FunctionCallInfo fcinfo, int argument,
										ModelKind kind, const char *function,
										ModelBinder bind);

/*
 * Around a query that may be left by an error of the server: a model whose
 * query never came back is prepared anew.
 */
static inline void
bound_model_enter(BoundModel *bound)
{
	bound->is_busy = true;
}

static inline void
bound_model_leave(BoundModel *bound, GlStatus status)
{
	bound->is_busy = false;
	pg_check(&bound->host, status);
}

#endif							/* GRAPHLEARN_BOUND_MODEL_H */
