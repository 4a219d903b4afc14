/*
 * compat.h
 *		Differences between server versions; no other file tests PG_VERSION_NUM.
 *
 * Developed on 15; written so that 14 to 18 can follow.
 */
#ifndef GRAPHLEARN_COMPAT_H
#define GRAPHLEARN_COMPAT_H

#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/guc.h"

#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix)	EmitWarningsOnPlaceholders(prefix)
#endif

#if PG_VERSION_NUM < 180000
#define GRAPHLEARN_MODULE_MAGIC		PG_MODULE_MAGIC
#else
#define GRAPHLEARN_MODULE_MAGIC \
	PG_MODULE_MAGIC_EXT(.name = "graphlearn", .version = GRAPHLEARN_VERSION)
#endif

/*
 * Begin a set-returning function in materialize mode.  14 spelled the same
 * steps out in every function; 15 named them.
 */
#if PG_VERSION_NUM < 150000
#include "miscadmin.h"
#include "utils/tuplestore.h"

static inline void
InitMaterializedSRF(FunctionCallInfo fcinfo, bits32 flags)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext old;
	TupleDesc	descriptor;

	if (result == NULL || !IsA(result, ReturnSetInfo) ||
		!(result->allowedModes & SFRM_Materialize))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("set-valued function called in context that cannot accept a set")));
	old = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	result->returnMode = SFRM_Materialize;
	result->setResult =
		tuplestore_begin_heap((result->allowedModes & SFRM_Materialize_Random) != 0,
							  false, work_mem);
	result->setDesc = descriptor;
	MemoryContextSwitchTo(old);
}
#endif

#endif							/* GRAPHLEARN_COMPAT_H */
