/*
 * measure_aggregates.c
 *		gl_accuracy, gl_nmi, gl_auc and the other measures as aggregates.
 *
 * Two states serve them all: the distinct pairs of labels with their counts
 * (measure/label_pairs.h), and the scores of a ranking (measure/ranking.h).
 * So the server keeps one state for all measures of the same two columns in
 * a query.  Final functions only read it: they may be called for every row of
 * a window.
 *
 * A row without a true label is skipped.  A row without a prediction counts:
 * it is never right, and for the clustering measures all such rows are one
 * cluster more.
 */
#include "pg_host.h"

#include "utils/memutils.h"

#include "label_text.h"
#include "measure/assignment.h"
#include "measure/contingency.h"
#include "measure/label_pairs.h"
#include "measure/ranking.h"

/*
 * What lives per group.  A GlHost is several times as large as this, so there
 * is one per call site (MeasureCall) and a group keeps only its own charge.
 */
typedef struct MeasureState
{
	Size		bytes_used;
	union
	{
		LabelPairs	pairs;		/* of the measures of two labelings */
		Ranking		ranking;	/* of the measures of a score */
	};
} MeasureState;

/* What lives per call site of a transition function, in fn_extra. */
typedef struct MeasureCall
{
	GlHost		host;
	LabelReader truth;
	LabelReader predicted;
} MeasureCall;

static MeasureCall *
measure_call(FunctionCallInfo fcinfo, bool reads_labels)
{
	MeasureCall *call = fcinfo->flinfo->fn_extra;
	MemoryContext context = fcinfo->flinfo->fn_mcxt;

	if (call != NULL)
		return call;
	call = MemoryContextAllocZero(context, sizeof(MeasureCall));
	if (reads_labels)
	{
		label_reader_begin(&call->truth,
						   get_fn_expr_argtype(fcinfo->flinfo, 1), context);
		label_reader_begin(&call->predicted,
						   get_fn_expr_argtype(fcinfo->flinfo, 2), context);
	}
	fcinfo->flinfo->fn_extra = call;
	return call;
}

static MemoryContext
require_aggregate(FunctionCallInfo fcinfo)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a part of an aggregate was called outside it")));
	return context;
}

/* Let the call's host work for one group: its memory and its charge. */
static MeasureState *
measure_begin(FunctionCallInfo fcinfo, MeasureCall *call,
			  MemoryContext context)
{
	MeasureState *state;

	if (PG_ARGISNULL(0))
	{
		state = MemoryContextAllocZero(context, sizeof(MeasureState));
		state->bytes_used = sizeof(MeasureState);
	}
	else
		state = (MeasureState *) PG_GETARG_POINTER(0);
	pg_host_on(&call->host, context);
	call->host.bytes_used = state->bytes_used;
	return state;
}

/* A skipped row leaves the state as it is, absent or not. */
static Datum
keep_state(FunctionCallInfo fcinfo)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(PG_GETARG_DATUM(0));
}

PG_FUNCTION_INFO_V1(graphlearn_measure_transfn);
Datum
graphlearn_measure_transfn(PG_FUNCTION_ARGS)
{
	MemoryContext context = require_aggregate(fcinfo);
	MeasureCall *call;
	MeasureState *state;
	const char *truth;
	const char *predicted = NULL;
	int64		truth_length;
	int64		predicted_length = 0;

	if (PG_ARGISNULL(1))
		return keep_state(fcinfo);
	/* texts are made in the context of the row; only new ones are copied */
	call = measure_call(fcinfo, true);
	truth = label_text(&call->truth, PG_GETARG_DATUM(1), &truth_length);
	if (!PG_ARGISNULL(2))
		predicted = label_text(&call->predicted, PG_GETARG_DATUM(2),
							   &predicted_length);
	state = measure_begin(fcinfo, call, context);
	pg_check(&call->host,
			 label_pairs_add(&call->host, &state->pairs, truth, truth_length,
							 predicted, predicted_length));
	state->bytes_used = call->host.bytes_used;
	PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(graphlearn_ranking_transfn);
Datum
graphlearn_ranking_transfn(PG_FUNCTION_ARGS)
{
	MemoryContext context = require_aggregate(fcinfo);
	MeasureCall *call;
	MeasureState *state;

	if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
		return keep_state(fcinfo);
	call = measure_call(fcinfo, false);
	state = measure_begin(fcinfo, call, context);
	pg_check(&call->host,
			 ranking_add(&call->host, &state->ranking, PG_GETARG_BOOL(1),
						 PG_GETARG_FLOAT8(2)));
	state->bytes_used = call->host.bytes_used;
	PG_RETURN_POINTER(state);
}

typedef GlStatus (*TableMeasure) (GlHost *host, const Contingency *table,
								  double *value);

static Datum
table_final(FunctionCallInfo fcinfo, TableMeasure measure)
{
	const MeasureState *state;
	GlHost		host;
	MemoryContext arena;
	Contingency table;
	double		value;

	require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (const MeasureState *) PG_GETARG_POINTER(0);
	arena = pg_host_begin(&host, "graphlearn measure");
	host.bytes_used = state->bytes_used;
	pg_check(&host, label_pairs_table(&host, &state->pairs, &table));
	pg_check(&host, measure(&host, &table, &value));
	MemoryContextDelete(arena);
	PG_RETURN_FLOAT8(value);
}

typedef GlStatus (*RankingMeasure) (GlHost *host, const Ranking *ranking,
									bool *is_defined, double *value);

static Datum
ranking_final(FunctionCallInfo fcinfo, RankingMeasure measure)
{
	const MeasureState *state;
	GlHost		host;
	MemoryContext arena;
	bool		is_defined;
	double		value;

	require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (const MeasureState *) PG_GETARG_POINTER(0);
	arena = pg_host_begin(&host, "graphlearn ranking");
	host.bytes_used = state->bytes_used;
	pg_check(&host, measure(&host, &state->ranking, &is_defined, &value));
	MemoryContextDelete(arena);
	if (!is_defined)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(value);
}

#define DEFINE_FINAL(name, final, measure) \
PG_FUNCTION_INFO_V1(graphlearn_##name##_finalfn); \
Datum \
graphlearn_##name##_finalfn(PG_FUNCTION_ARGS) \
{ \
	return final(fcinfo, measure); \
}

DEFINE_FINAL(accuracy, table_final, contingency_accuracy)
DEFINE_FINAL(f1, table_final, contingency_f1)
DEFINE_FINAL(purity, table_final, contingency_purity)
DEFINE_FINAL(nmi, table_final, contingency_nmi)
DEFINE_FINAL(rand, table_final, contingency_rand)
DEFINE_FINAL(ari, table_final, contingency_ari)
DEFINE_FINAL(cluster_accuracy, table_final, assignment_accuracy)
DEFINE_FINAL(cluster_f1, table_final, assignment_f1)
DEFINE_FINAL(auc, ranking_final, ranking_auc)
DEFINE_FINAL(average_precision, ranking_final, ranking_average_precision)
