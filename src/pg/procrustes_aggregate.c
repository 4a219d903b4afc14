/*
 * procrustes_aggregate.c
 *		gl_procrustes: how far two layouts of the same rows are from each other.
 *
 * The state is the rows, the two positions of each side by side.  They are
 * sorted by what they hold before anything is summed, so that the answer does
 * not depend on the scan.
 */
#include "pg_host.h"
#include "feature_arrays.h"

#include "utils/memutils.h"

#include "embed/layout.h"
#include "points/row_order.h"

typedef struct ProcrustesState
{
	GlHost		host;
	PointCollector rows;		/* both positions in one row; ids count up */
	int32_t		axes;
} ProcrustesState;

static ProcrustesState *
state_begin(MemoryContext aggregate_context)
{
	MemoryContext context = AllocSetContextCreate(aggregate_context,
												  "graphlearn procrustes",
												  ALLOCSET_START_SMALL_SIZES);
	ProcrustesState *state = MemoryContextAllocZero(context,
													sizeof(ProcrustesState));

	pg_host_on(&state->host, context);
	return state;
}

/* The two positions must have one length, the same in every row. */
static void
check_axes(ProcrustesState *state, int count_a, int count_b)
{
	if (count_a < 1 || count_a > LAYOUT_MAX_AXES)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("a position has %d coordinates, not 1 to %d", count_a,
						LAYOUT_MAX_AXES)));
	if (state->axes == 0)
		state->axes = count_a;
	if (count_a != count_b || count_a != state->axes)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("positions differ in length: %d and %d coordinates",
						state->axes,
						count_a != state->axes ? count_a : count_b)));
}

PG_FUNCTION_INFO_V1(graphlearn_procrustes_transfn);
Datum
graphlearn_procrustes_transfn(PG_FUNCTION_ARGS)
{
	MemoryContext aggregate_context;
	ProcrustesState *state;
	ArrayType  *a;
	ArrayType  *b;
	int64		row;
	void	   *slot;

	if (!AggCheckCallContext(fcinfo, &aggregate_context))
		elog(ERROR, "an aggregate's transition function was called outside it");
	state = PG_ARGISNULL(0) ? state_begin(aggregate_context) :
		(ProcrustesState *) PG_GETARG_POINTER(0);
	if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
		PG_RETURN_POINTER(state);	/* a row that is not in both layouts */
	a = PG_GETARG_ARRAYTYPE_P(1);
	b = PG_GETARG_ARRAYTYPE_P(2);
	row = state->rows.matrix.row_count + 1;
	check_axes(state, feature_array_count(&state->host, a, &row),
			   feature_array_count(&state->host, b, &row));
	pg_check(&state->host,
			 point_collector_reserve(&state->host, &state->rows,
									 SCALAR_FLOAT8, row, 2 * state->axes,
									 &slot));
	feature_array_load_float8(&state->host, a, state->axes, &row, slot);
	feature_array_load_float8(&state->host, b, state->axes, &row,
							  (double *) slot + state->axes);
	pg_check(&state->host,
			 point_collector_commit(&state->host, &state->rows, row));
	PG_RETURN_POINTER(state);
}

/* The rows by rank, the two sides apart: moving and fixed are count x axes. */
static void
split_rows(GlHost *host, const ProcrustesState *state, double *moving,
		   double *fixed)
{
	const PointMatrix *matrix = &state->rows.matrix;
	int32_t		axes = state->axes;
	RowOrder	order;
	double		both[2 * LAYOUT_MAX_AXES];

	pg_check(host, row_order_find(host, matrix, NULL, &order));
	for (int64 r = 0; r < matrix->row_count; r++)
	{
		point_matrix_row(matrix, order.row[r], both);
		memcpy(moving + r * axes, both, sizeof(double) * axes);
		memcpy(fixed + r * axes, both + axes, sizeof(double) * axes);
	}
	row_order_release(host, &order);
}

PG_FUNCTION_INFO_V1(graphlearn_procrustes_finalfn);
Datum
graphlearn_procrustes_finalfn(PG_FUNCTION_ARGS)
{
	ProcrustesState *state;
	MemoryContext arena;
	GlHost		host;
	LayoutMotion *motion;
	double	   *moving;
	double	   *fixed;
	double		answer;
	Size		size;

	if (!AggCheckCallContext(fcinfo, NULL))
		elog(ERROR, "an aggregate's final function was called outside it");
	state = PG_ARGISNULL(0) ? NULL : (ProcrustesState *) PG_GETARG_POINTER(0);
	if (state == NULL || state->rows.matrix.row_count == 0)
		PG_RETURN_NULL();
	arena = pg_host_begin(&host, "graphlearn procrustes");
	size = state->rows.matrix.row_count * state->axes;
	moving = gl_allocate(&host, size, sizeof(double));
	fixed = gl_allocate(&host, size, sizeof(double));
	motion = gl_allocate(&host, 1, sizeof(LayoutMotion));
	if (moving == NULL || fixed == NULL || motion == NULL)
		pg_host_raise(&host, host.status);
	split_rows(&host, state, moving, fixed);
	pg_check(&host, layout_match(&host, state->axes,
								 state->rows.matrix.row_count, moving, fixed,
								 true, motion));
	answer = motion->spread > 0 ? motion->residual / motion->spread : 0;
	MemoryContextDelete(arena);
	PG_RETURN_FLOAT8(answer);
}
