/*
 * model_functions.c
 *		gl_rows: what a model says of the rows it was fitted on.
 */
#include "value.h"
#include "model_labels.h"
#include "rows.h"

#include "utils/memutils.h"

#include "learn/label_model.h"

/* Columns of gl_rows. */
enum
{
	ROW_ID, ROW_LABEL, ROW_CLUSTER, ROW_CONFIDENCE, ROW_SCORES, ROW_COORDS,
	ROW_COLUMNS
};

/* A function fills the columns its kind of model has; the rest is NULL. */
typedef void (*RowWriter) (const Model *model, void *state, int64 row,
						   ResultRows *rows);

static inline void
put_column(ResultRows *rows, int column, Datum value)
{
	rows->values[column] = value;
	rows->nulls[column] = false;
}

/* What the rows of a label model share. */
typedef struct LabelRows
{
	ClassPrior	prior;
	double	   *scores;			/* C */
	Datum	   *labels;			/* C texts */
} LabelRows;

static void
put_label_row(const Model *model, void *state, int64 row, ResultRows *rows)
{
	LabelRows  *label_rows = state;
	int32_t		winner;
	double		confidence;

	label_model_row(model, &label_rows->prior, row, label_rows->scores,
					&winner, &confidence);
	if (winner >= 0)
		put_column(rows, ROW_LABEL, label_rows->labels[winner]);
	put_column(rows, ROW_CONFIDENCE, Float8GetDatum(confidence));
	put_column(rows, ROW_SCORES,
			   rows_float8_array(label_rows->scores, model->class_count));
}

static void
put_coordinates(const Model *model, void *state, int64 row, ResultRows *rows)
{
	put_column(rows, ROW_COORDS,
			   rows_float8_array(model->coordinates + row *
								 model->coordinate_count,
								 model->coordinate_count));
}

static LabelRows *
label_rows_begin(const Model *model)
{
	LabelRows  *state = palloc(sizeof(LabelRows));

	state->prior = label_model_prior(model);
	state->scores = palloc(sizeof(double) * Max(model->class_count, 1));
	state->labels = palloc(sizeof(Datum) * Max(model->class_count, 1));
	for (int32 c = 0; c < model->class_count; c++)
		state->labels[c] = PointerGetDatum(model_label(model, c));
	return state;
}

PG_FUNCTION_INFO_V1(graphlearn_rows);
Datum
graphlearn_rows(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn rows");
	const Model *model = model_argument(&host, PG_GETARG_DATUM(0));
	RowWriter	put_row = NULL;
	void	   *state = NULL;
	ResultRows	rows;

	switch (model->kind)
	{
		case MODEL_LABEL:
			put_row = put_label_row;
			state = label_rows_begin(model);
			break;
		case MODEL_MDS:
			put_row = put_coordinates;
			break;
		default:
			elog(ERROR, "unknown kind of model %d", (int) model->kind);
	}
	rows_begin(fcinfo, &rows);
	for (int64 i = 0; i < model->row_count; i++)
	{
		memset(rows.nulls, true, ROW_COLUMNS);
		put_column(&rows, ROW_ID, Int64GetDatum(model->ids[i]));
		put_row(model, state, i, &rows);
		rows_put(&rows);
	}
	rows_end(&rows);
	MemoryContextDelete(arena);
	return (Datum) 0;
}
