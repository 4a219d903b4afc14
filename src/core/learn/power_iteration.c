/*
 * power_iteration.c
 *		Steps of the walk, their acceleration, their swing.
 */
#include "learn/power_iteration.h"

#include <math.h>
#include <string.h>

#include "learn/power_start.h"

/* Does a node take part? */
static inline bool
takes_part(const PowerIteration *power, int64_t node)
{
	return power->walk.degree[node] > 0;
}

/*
 * The constant to take off each column: on a symmetric graph the mean by
 * degrees, which is what the column tends to; elsewhere the plain mean, which
 * is near enough.
 */
static GlStatus
find_offsets(GlHost *host, PowerIteration *power)
{
	bool		by_degree = power->graph->is_symmetric;
	double		total = 0;

	for (int32_t c = 0; c < power->columns; c++)
		power->offset[c] = 0;
	for (int64_t i = 0; i < power->graph->node_count; i++)
	{
		double		weight = by_degree ? power->walk.degree[i] : 1;

		GL_TRY(gl_work(host, power->columns));
		if (!takes_part(power, i))
			continue;
		total += weight;
		for (int32_t c = 0; c < power->columns; c++)
			power->offset[c] += weight * power->value[i * power->columns + c];
	}
	for (int32_t c = 0; c < power->columns && total > 0; c++)
		power->offset[c] /= total;
	return GL_OK;
}

/* sum |v| of every column of the current vectors, the offset included. */
static GlStatus
find_sums(GlHost *host, const PowerIteration *power, double *sum)
{
	for (int32_t c = 0; c < power->columns; c++)
		sum[c] = 0;
	for (int64_t i = 0; i < power->graph->node_count; i++)
	{
		GL_TRY(gl_work(host, power->columns));
		if (!takes_part(power, i))
			continue;
		for (int32_t c = 0; c < power->columns; c++)
			sum[c] += fabs(power->value[i * power->columns + c] +
						   power->offset[c]);
	}
	return GL_OK;
}

/* value holds the start: take the offset off, see whether it has two signs. */
static GlStatus
settle_start(GlHost *host, PowerIteration *power)
{
	for (int64_t i = 0; i < power->graph->node_count; i++)
	{
		GL_TRY(gl_work(host, power->columns));
		for (int32_t c = 0; c < power->columns; c++)
			power->is_signed |= takes_part(power, i) &&
				power->value[i * power->columns + c] < 0;
	}
	GL_TRY(find_offsets(host, power));
	for (int64_t i = 0; i < power->graph->node_count; i++)
	{
		GL_TRY(gl_work(host, power->columns));
		for (int32_t c = 0; c < power->columns; c++)
			power->value[i * power->columns + c] -= power->offset[c];
	}
	return find_sums(host, power, power->sum);
}

static GlStatus
allocate(GlHost *host, const Graph *graph, int32_t columns, bool lazy,
		 PowerIteration *power)
{
	memset(power, 0, sizeof(*power));
	power->graph = graph;
	power->columns = columns;
	power->lazy = lazy;
	GL_TRY(normalised_begin(host, graph, NORMALISE_WALK, columns,
							&power->walk));
	GL_NEW(host, power->offset, columns);
	GL_NEW(host, power->sum, 3 * (int64_t) columns);
	GL_NEW(host, power->value, graph->node_count * columns);
	GL_NEW(host, power->previous, graph->node_count * columns);
	GL_NEW(host, power->before, graph->node_count * columns);
	return GL_OK;
}

GlStatus
power_begin(GlHost *host, const Graph *graph, const PowerOptions *options,
			PowerIteration *out)
{
	PowerIteration power;

	memset(out, 0, sizeof(*out));
	GL_TRY(allocate(host, graph, options->columns, options->lazy, &power));
	GL_TRY(power_start_fill(host, &power.walk, options, power.value,
							&power.was_flat));
	GL_TRY(settle_start(host, &power));
	*out = power;
	return GL_OK;
}

GlStatus
power_begin_from(GlHost *host, const Graph *graph, int32_t columns, bool lazy,
				 const double *start, PowerIteration *out)
{
	PowerIteration power;

	memset(out, 0, sizeof(*out));
	GL_TRY(allocate(host, graph, columns, lazy, &power));
	memcpy(power.value, start, (size_t) graph->node_count * (size_t) columns *
		   sizeof(double));
	GL_TRY(settle_start(host, &power));
	*out = power;
	return GL_OK;
}

void
power_end(GlHost *host, PowerIteration *power)
{
	normalised_end(host, &power->walk);
	gl_release(host, power->offset);
	gl_release(host, power->sum);
	gl_release(host, power->value);
	gl_release(host, power->previous);
	gl_release(host, power->before);
	memset(power, 0, sizeof(*power));
}

GlStatus
power_step(GlHost *host, PowerIteration *power)
{
	int64_t		n = power->graph->node_count;
	int32_t		columns = power->columns;
	double	   *oldest = power->before;

	power->before = power->previous;
	power->previous = power->value;
	power->value = oldest;
	memmove(power->sum + columns, power->sum,
			2 * (size_t) columns * sizeof(double));
	GL_TRY(normalised_apply(host, &power->walk, power->previous, power->value,
							columns));
	for (int64_t i = 0; i < n && power->lazy; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			power->value[i * columns + c] =
				(power->value[i * columns + c] +
				 power->previous[i * columns + c]) / 2;
	}
	power->steps++;
	if (power->is_signed)
		return GL_OK;			/* the first sums stay */
	return find_sums(host, power, power->sum);
}

/* A number of the three vectors, scaled to sum |v| = 1; less the constant. */
static inline double
scaled(const PowerIteration *power, const double *vector, int age, int64_t i,
	   int32_t c)
{
	double		sum = power->sum[age * power->columns + c];
	double		value = vector[i * power->columns + c] + power->offset[c];

	return sum > 0 ? value / sum : 0;
}

GlStatus
power_acceleration(GlHost *host, const PowerIteration *power,
				   double *acceleration)
{
	double		largest = 0;

	*acceleration = INFINITY;
	if (power->steps < 2)
		return GL_OK;
	for (int64_t i = 0; i < power->graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 6 * power->columns));
		if (!takes_part(power, i))
			continue;
		for (int32_t c = 0; c < power->columns; c++)
		{
			double		now = scaled(power, power->value, 0, i, c) -
				scaled(power, power->previous, 1, i, c);
			double		then = scaled(power, power->previous, 1, i, c) -
				scaled(power, power->before, 2, i, c);

			largest = fmax(largest, fabs(now - then));
		}
	}
	*acceleration = largest;
	return GL_OK;
}

GlStatus
power_swing(GlHost *host, const PowerIteration *power, double *swinging,
			double *standing)
{
	*swinging = 0;
	*standing = 0;
	if (power->steps < 2)
		return GL_OK;
	for (int32_t c = 0; c < power->columns; c++)
	{
		double		sum = 0;
		double		squares = 0;
		double		count = 0;

		for (int64_t i = 0; i < power->graph->node_count; i++)
		{
			int64_t		at = i * power->columns + c;
			double		ends = power->value[at] + power->before[at];
			double		swing = (ends - 2 * power->previous[at]) / 4;
			double		stand = (ends + 2 * power->previous[at]) / 4;

			GL_TRY(gl_work(host, 4));
			if (!takes_part(power, i))
				continue;
			*swinging += swing * swing;
			sum += stand;
			squares += stand * stand;
			count++;
		}
		if (count > 0)
			*standing += fmax(0, squares - sum * sum / count);
	}
	return GL_OK;
}

GlStatus
power_vectors(GlHost *host, const PowerIteration *power, double *vectors)
{
	for (int64_t i = 0; i < power->graph->node_count; i++)
	{
		GL_TRY(gl_work(host, power->columns));
		for (int32_t c = 0; c < power->columns; c++)
			vectors[i * power->columns + c] = power->offset[c] +
				power->value[i * power->columns + c];
	}
	return GL_OK;
}
