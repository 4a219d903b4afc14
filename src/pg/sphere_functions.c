/*
 * sphere_functions.c
 *		gl_sphere_project: directions in many dimensions as directions in few.
 *
 * The random matrix is kept from call to call of a statement.
 */
#include "pg_host.h"
#include "feature_arrays.h"
#include "options.h"
#include "rows.h"

#include "utils/memutils.h"

#include "embed/layout.h"
#include "embed/sphere_projection.h"

#define DEFAULT_DIMENSIONS	2

/* Positions of the arguments. */
enum
{
	ARG_FEATURES, ARG_DIMS, ARG_SEED
};

typedef struct ProjectionCache
{
	MemoryContext context;		/* of the matrix */
	SphereProjection projection;
} ProjectionCache;

static const SphereProjection *
cached_projection(FunctionCallInfo fcinfo, int count, int axes, int64 seed)
{
	ProjectionCache *cache = fcinfo->flinfo->fn_extra;
	GlHost		host;

	if (cache != NULL && cache->projection.dimension_count == count &&
		cache->projection.axes == axes && cache->projection.seed == seed)
		return &cache->projection;
	if (cache == NULL)
	{
		cache = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
									   sizeof(ProjectionCache));
		cache->context = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt,
											   "graphlearn projection",
											   ALLOCSET_SMALL_SIZES);
		fcinfo->flinfo->fn_extra = cache;
	}
	memset(&cache->projection, 0, sizeof(cache->projection));
	MemoryContextReset(cache->context);
	pg_host_on(&host, cache->context);
	pg_check(&host, sphere_projection_begin(&host, count, axes, seed,
											&cache->projection));
	return &cache->projection;
}

PG_FUNCTION_INFO_V1(graphlearn_sphere_project);
Datum
graphlearn_sphere_project(PG_FUNCTION_ARGS)
{
	int32		dims = PG_ARGISNULL(ARG_DIMS) ? DEFAULT_DIMENSIONS :
		PG_GETARG_INT32(ARG_DIMS);
	GlHost		host;
	MemoryContext arena;
	const SphereProjection *projection;
	ArrayType  *array;
	double		position[LAYOUT_MAX_AXES];
	double	   *features;
	int			count;

	if (PG_ARGISNULL(ARG_FEATURES))
		PG_RETURN_NULL();
	array = PG_GETARG_ARRAYTYPE_P(ARG_FEATURES);
	if (dims < 1 || dims > LAYOUT_MAX_DIMENSIONS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("dims must be between 1 and %d",
						LAYOUT_MAX_DIMENSIONS)));
	arena = pg_host_begin(&host, "graphlearn sphere project");
	count = feature_array_count(&host, array, NULL);
	features = pg_allocate(&host, Max(count, 1), sizeof(double));
	feature_array_load_float8(&host, array, count, NULL, features);
	projection = cached_projection(fcinfo, count, dims + 1,
								   option_bigint(fcinfo, ARG_SEED, 0));
	pg_check(&host, sphere_projection_row(&host, projection, features,
										  position));
	MemoryContextDelete(arena);
	PG_RETURN_DATUM(rows_float8_array(position, dims + 1));
}
