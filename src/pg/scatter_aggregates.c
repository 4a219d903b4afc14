/*
 * scatter_aggregates.c
 *		gl_scatter_svg and gl_scatter_text: a plot as a value.
 *
 * One state serves both: the rows of the plot, groups as texts in UTF-8.
 * Final functions only read it, so that they may be called for every row of
 * a window.  A row without x or y is not drawn; one without a group is.
 */
#include "pg_host.h"
#include "label_text.h"

#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "picture/scatter_svg.h"
#include "picture/scatter_text.h"

/* Positions of the arguments of the transition functions. */
enum
{
	ARG_STATE, ARG_X, ARG_Y, ARG_GROUP, ARG_TITLE
};

typedef struct ScatterState
{
	GlHost		host;
	Scatter		scatter;
	text	   *title;			/* NULL: none so far */
} ScatterState;

static ScatterState *
scatter_begin(FunctionCallInfo fcinfo, MemoryContext context)
{
	ScatterState *state;

	if (!PG_ARGISNULL(ARG_STATE))
		return (ScatterState *) PG_GETARG_POINTER(ARG_STATE);
	state = MemoryContextAllocZero(context, sizeof(ScatterState));
	pg_host_on(&state->host, context);
	return state;
}

static LabelReader *
group_reader(FunctionCallInfo fcinfo)
{
	LabelReader *reader = fcinfo->flinfo->fn_extra;

	if (reader == NULL)
	{
		reader = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt,
									sizeof(LabelReader));
		label_reader_begin(reader,
						   get_fn_expr_argtype(fcinfo->flinfo, ARG_GROUP),
						   fcinfo->flinfo->fn_mcxt);
		fcinfo->flinfo->fn_extra = reader;
	}
	return reader;
}

/* A title is one for all rows; which of two would be luck. */
static void
keep_title(FunctionCallInfo fcinfo, ScatterState *state,
		   MemoryContext context)
{
	text	   *given;
	MemoryContext old;

	if (PG_NARGS() <= ARG_TITLE || PG_ARGISNULL(ARG_TITLE))
		return;
	given = PG_GETARG_TEXT_PP(ARG_TITLE);
	if (state->title == NULL)
	{
		old = MemoryContextSwitchTo(context);
		state->title = cstring_to_text_with_len(VARDATA_ANY(given),
												VARSIZE_ANY_EXHDR(given));
		MemoryContextSwitchTo(old);
	}
	else if (VARSIZE_ANY_EXHDR(given) != VARSIZE_ANY_EXHDR(state->title) ||
			 memcmp(VARDATA_ANY(given), VARDATA_ANY(state->title),
					VARSIZE_ANY_EXHDR(given)) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("title must be the same in all rows"),
				 errhint("Make one picture per title with GROUP BY.")));
}

/* The same text in UTF-8, which is all the core knows. */
static const char *
utf8_text(const char *bytes, int64 *length)
{
	char	   *converted = pg_server_to_any(bytes, (int) *length, PG_UTF8);

	if (converted != bytes)
		*length = strlen(converted);
	return converted;
}

PG_FUNCTION_INFO_V1(graphlearn_scatter_transfn);
Datum
graphlearn_scatter_transfn(PG_FUNCTION_ARGS)
{
	MemoryContext context;
	ScatterState *state;
	const char *group = NULL;
	int64		length = 0;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "gl_scatter was called outside an aggregate");
	if (PG_ARGISNULL(ARG_X) || PG_ARGISNULL(ARG_Y))
	{
		if (PG_ARGISNULL(ARG_STATE))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(ARG_STATE));
	}
	state = scatter_begin(fcinfo, context);
	keep_title(fcinfo, state, context);
	if (!PG_ARGISNULL(ARG_GROUP))
	{
		group = label_text(group_reader(fcinfo), PG_GETARG_DATUM(ARG_GROUP),
						   &length);
		group = utf8_text(group, &length);
	}
	pg_check(&state->host,
			 scatter_add(&state->host, &state->scatter,
						 PG_GETARG_FLOAT8(ARG_X), PG_GETARG_FLOAT8(ARG_Y),
						 group, length));
	PG_RETURN_POINTER(state);
}

/* Begin a final function: its host knows what the state holds already. */
static const ScatterState *
final_begin(FunctionCallInfo fcinfo, GlHost *host, MemoryContext *arena)
{
	const ScatterState *state;

	if (!AggCheckCallContext(fcinfo, NULL))
		elog(ERROR, "gl_scatter was called outside an aggregate");
	if (PG_ARGISNULL(0))
		return NULL;
	state = (const ScatterState *) PG_GETARG_POINTER(0);
	*arena = pg_host_begin(host, "graphlearn scatter");
	host->bytes_used = state->host.bytes_used;
	return state;
}

static Datum
final_end(const TextWriter *writer, MemoryContext arena)
{
	text	   *result = cstring_to_text_with_len(writer->text,
												  writer->length);

	MemoryContextDelete(arena);
	PG_RETURN_TEXT_P(result);
}

PG_FUNCTION_INFO_V1(graphlearn_scatter_svg_finalfn);
Datum
graphlearn_scatter_svg_finalfn(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	TextWriter	writer = {0};
	const char *title = NULL;
	int64		length = 0;
	const ScatterState *state = final_begin(fcinfo, &host, &arena);

	if (state == NULL)
		PG_RETURN_NULL();
	if (state->title != NULL)
	{
		length = VARSIZE_ANY_EXHDR(state->title);
		title = utf8_text(VARDATA_ANY(state->title), &length);
	}
	pg_check(&host, scatter_svg_write(&host, &state->scatter, title, length,
									  &writer));
	return final_end(&writer, arena);
}

PG_FUNCTION_INFO_V1(graphlearn_scatter_text_finalfn);
Datum
graphlearn_scatter_text_finalfn(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	TextWriter	writer = {0};
	const ScatterState *state = final_begin(fcinfo, &host, &arena);

	if (state == NULL)
		PG_RETURN_NULL();
	pg_check(&host, scatter_text_write(&host, &state->scatter,
									   GetDatabaseEncoding() != PG_UTF8,
									   &writer));
	return final_end(&writer, arena);
}
