/*
 * mds_stress.c
 *		See mds_stress.h.
 */
#include "embed/mds_stress.h"

#include <math.h>

/* place[i]: where among the known a point is, or -1. */
static GlStatus
find_places(GlHost *host, const DistanceRows *rows,
			const KnownPositions *known, int32_t **place)
{
	GL_NEW(host, *place, rows->point_count);
	for (int64_t i = 0; i < rows->point_count; i++)
		(*place)[i] = -1;
	for (int64_t k = 0; k < known->count; k++)
		(*place)[known->point[k]] = (int32_t) k;
	return gl_work(host, rows->point_count + known->count);
}

GlStatus
mds_stress_measure(GlHost *host, const PlaceRule *rule, DistanceRows *rows,
				   const KnownPositions *known, int32_t axes, double *stress,
				   double *normalised)
{
	double		wanted = 0;
	int32_t    *place;

	*stress = 0;
	GL_TRY(find_places(host, rows, known, &place));
	for (int64_t k = 0; k < known->count; k++)
	{
		DistanceRow row;

		GL_TRY(distance_rows_get(host, rows, known->point[k], &row));
		for (int64_t e = 0; e < row.count; e++)
		{
			int32_t		other = place[row.target == NULL ? e : row.target[e]];
			double		weight = row.weight == NULL ? 1 : row.weight[e];
			double		residual;

			if (other <= k)
				continue;
			residual = place_step_distance(rule, axes,
										   known->coordinates + k * axes,
										   known->coordinates + other * axes) -
				row.length[e];
			*stress += weight * residual * residual;
			wanted += weight * row.length[e] * row.length[e];
		}
		GL_TRY(gl_work(host, row.count * (axes + 4)));
	}
	gl_release(host, place);
	*normalised = wanted > 0 ? sqrt(*stress / wanted) : 0;
	return GL_OK;
}
