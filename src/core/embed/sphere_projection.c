/*
 * sphere_projection.c
 *		See sphere_projection.h.
 */
#include "embed/sphere_projection.h"

#include <math.h>

#include "base/random.h"

GlStatus
sphere_projection_begin(GlHost *host, int32_t dimension_count, int32_t axes,
						int64_t seed, SphereProjection *out)
{
	SphereProjection projection = {
		.dimension_count = dimension_count,.axes = axes,.seed = seed
	};
	size_t		size = (size_t) dimension_count * (size_t) axes;
	GlRandom	random;

	*out = (SphereProjection) {0};
	gl_random_begin(&random, seed);
	GL_NEW(host, projection.matrix, size);
	for (size_t e = 0; e < size; e++)
	{
		projection.matrix[e] = gl_random_normal(&random);
		GL_TRY(gl_work(host, 32));
	}
	*out = projection;
	return GL_OK;
}

void
sphere_projection_end(GlHost *host, SphereProjection *projection)
{
	gl_release(host, projection->matrix);
	*projection = (SphereProjection) {0};
}

GlStatus
sphere_projection_row(GlHost *host, const SphereProjection *projection,
					  const double *row, double *out)
{
	int32_t		d = projection->dimension_count;
	double		largest = 0;
	double		norm = 0;

	for (int32_t j = 0; j < d; j++)
	{
		if (!isfinite(row[j]))
			return gl_fail(host, GL_ERR_DATA,
						   "element %d of features is not a finite number",
						   j + 1);
		if (fabs(row[j]) > largest)
			largest = fabs(row[j]);
	}
	if (largest == 0)
		return gl_fail(host, GL_ERR_DATA, "a zero vector has no direction");
	for (int32_t a = 0; a < projection->axes; a++)
	{
		const double *direction = projection->matrix + (size_t) a * (size_t) d;

		out[a] = 0;
		/* divided first: neither 1e300 nor 1e-300 may be lost */
		for (int32_t j = 0; j < d; j++)
			out[a] += direction[j] * (row[j] / largest);
		norm += out[a] * out[a];
		GL_TRY(gl_work(host, 2 * (int64_t) d));
	}
	norm = sqrt(norm);
	for (int32_t a = 0; a < projection->axes; a++)
		out[a] /= norm;
	return GL_OK;
}
