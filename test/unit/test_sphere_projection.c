/*
 * test_sphere_projection.c
 *		If this fails, directions are lost when they are projected.
 */
#include "unit_test.h"

#include "embed/sphere_projection.h"

static double
dot(const double *a, const double *b, int count)
{
	double		sum = 0;

	for (int i = 0; i < count; i++)
		sum += a[i] * b[i];
	return sum;
}

/*
 * The angle between two images lies within [s2/s1, s1/s2] of the true one, s1
 * and s2 the singular values of A on the plane of the two rows: deterministic,
 * whatever A.
 */
static void
test_angles_change_as_the_plane_does(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	SphereProjection projection;

	gl_random_begin(&random, 3);
	EXPECT_OK(host, sphere_projection_begin(host, 20, 6, 7, &projection));
	for (int trial = 0; trial < 300; trial++)
	{
		double		y[2][20];
		double		x[2][6];
		double		image[2][6];
		double		e[3];		/* Gram matrix of the images of a basis */
		double		along;
		double		angle;
		double		shown;
		double		mean;
		double		spread;

		for (int r = 0; r < 2; r++)
			for (int j = 0; j < 20; j++)
				y[r][j] = gl_random_normal(&random);
		for (int r = 0; r < 2; r++)
			EXPECT_OK(host, sphere_projection_row(host, &projection, y[r],
												  x[r]));
		EXPECT_NEAR(dot(x[0], x[0], 6), 1, 1e-14);
		angle = acos(dot(y[0], y[1], 20) /
					 sqrt(dot(y[0], y[0], 20) * dot(y[1], y[1], 20)));
		shown = acos(fmax(-1, fmin(1, dot(x[0], x[1], 6))));
		/* an orthonormal basis of the plane, and its image */
		along = dot(y[0], y[1], 20) / dot(y[0], y[0], 20);
		for (int j = 0; j < 20; j++)
			y[1][j] -= along * y[0][j];
		for (int r = 0; r < 2; r++)
		{
			double		size = sqrt(dot(y[r], y[r], 20));

			for (int a = 0; a < 6; a++)
				image[r][a] = dot(projection.matrix + a * 20, y[r], 20) /
					size;
		}
		e[0] = dot(image[0], image[0], 6);
		e[1] = dot(image[0], image[1], 6);
		e[2] = dot(image[1], image[1], 6);
		mean = (e[0] + e[2]) / 2;
		spread = hypot((e[0] - e[2]) / 2, e[1]);
		EXPECT(shown >= angle * sqrt((mean - spread) / (mean + spread)) -
			   1e-9);
		EXPECT(shown <= angle * sqrt((mean + spread) / (mean - spread)) +
			   1e-9);
	}
	sphere_projection_end(host, &projection);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_rows_without_direction(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SphereProjection projection;
	double		zero[3] = {0};
	double		wild[3] = {1, NAN, 1};
	double		huge[3] = {1e308, 1e308, -1e308};
	double		tiny[3] = {1e-308, 1e-308, -1e-308};
	double		a[2];
	double		b[2];

	EXPECT_OK(host, sphere_projection_begin(host, 3, 2, 0, &projection));
	EXPECT(sphere_projection_row(host, &projection, zero, a) == GL_ERR_DATA);
	EXPECT(sphere_projection_row(host, &projection, wild, a) == GL_ERR_DATA);
	EXPECT_OK(host, sphere_projection_row(host, &projection, huge, a));
	EXPECT_OK(host, sphere_projection_row(host, &projection, tiny, b));
	EXPECT_NEAR(a[0], b[0], 1e-12);
	EXPECT_NEAR(a[1], b[1], 1e-12);
	test_host_end(&test);
}

static GlStatus
small_job(GlHost *host)
{
	SphereProjection projection;
	double		row[2] = {1, 2};
	double		out[2];

	GL_TRY(sphere_projection_begin(host, 2, 2, 0, &projection));
	GL_TRY(sphere_projection_row(host, &projection, row, out));
	sphere_projection_end(host, &projection);
	return GL_OK;
}

static void
test_a_projection_can_be_refused(void)
{
	test_refusals(small_job);
}

int
main(void)
{
	RUN(test_angles_change_as_the_plane_does);
	RUN(test_rows_without_direction);
	RUN(test_a_projection_can_be_refused);
	UNIT_TEST_END();
}
