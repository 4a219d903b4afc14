/*
 * scatter.c
 *		Collect the rows of a plot, choose its groups and fit its axes.
 */
#include "picture/scatter.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sort.h"

#define FIRST_CAPACITY	16

static GlStatus
check_finite(GlHost *host, const char *name, double value)
{
	if (isfinite(value))
		return GL_OK;
	return gl_fail(host, GL_ERR_DATA, "the %s of a row is %s", name,
				   isnan(value) ? "NaN" : "infinite");
}

/* Allocate the first time, resize afterwards. */
static GlStatus
grow(GlHost *host, void **array, int64_t capacity, size_t item_size)
{
	void	   *grown = *array == NULL ?
		gl_allocate(host, (size_t) capacity, item_size) :
		gl_resize(host, *array, (size_t) capacity, item_size);

	if (grown == NULL)
		return host->status;
	*array = grown;
	return GL_OK;
}

GlStatus
scatter_add(GlHost *host, Scatter *scatter, double x, double y,
			const char *group, int64_t group_bytes)
{
	int32_t		text = -1;

	GL_TRY(check_finite(host, "x", x));
	GL_TRY(check_finite(host, "y", y));
	if (scatter->row_count == SCATTER_MAX_ROWS)
		return gl_fail(host, GL_ERR_TOO_LARGE, "more than %" PRId64 " rows",
					   SCATTER_MAX_ROWS);
	if (group != NULL)
		GL_TRY(text_table_number(host, &scatter->texts, group, group_bytes,
								 &text));
	if (scatter->row_count == scatter->row_capacity)
	{
		int64_t		capacity = scatter->row_capacity == 0 ? FIRST_CAPACITY :
			2 * scatter->row_capacity;

		GL_TRY(grow(host, (void **) &scatter->x, capacity, sizeof(double)));
		GL_TRY(grow(host, (void **) &scatter->y, capacity, sizeof(double)));
		GL_TRY(grow(host, (void **) &scatter->text, capacity,
					sizeof(int32_t)));
		scatter->row_capacity = capacity;
	}
	scatter->x[scatter->row_count] = x;
	scatter->y[scatter->row_count] = y;
	scatter->text[scatter->row_count++] = text;
	return GL_OK;
}

void
scatter_release(GlHost *host, Scatter *scatter)
{
	gl_release(host, scatter->x);
	gl_release(host, scatter->y);
	gl_release(host, scatter->text);
	text_table_release(host, &scatter->texts);
	memset(scatter, 0, sizeof(*scatter));
}

/* A decimal number, taken apart. */
typedef struct Decimal
{
	bool		is_negative;
	const char *whole;			/* digits without leading zeros */
	int64_t		whole_count;
	const char *fraction;		/* digits without trailing zeros */
	int64_t		fraction_count;
} Decimal;

static int64_t
count_digits(const char *bytes, int64_t count)
{
	int64_t		digits = 0;

	while (digits < count && bytes[digits] >= '0' && bytes[digits] <= '9')
		digits++;
	return digits;
}

/* [-]digits[.digits], and nothing else. */
static bool
read_decimal(const char *bytes, int64_t count, Decimal *out)
{
	int64_t		digits;

	out->is_negative = count > 0 && bytes[0] == '-';
	bytes += out->is_negative;
	count -= out->is_negative;
	digits = count_digits(bytes, count);
	if (digits == 0)
		return false;
	out->whole = bytes;
	out->whole_count = digits;
	out->fraction = bytes + digits;
	out->fraction_count = 0;
	if (digits < count)
	{
		out->fraction = bytes + digits + 1;
		out->fraction_count = count - digits - 1;
		if (bytes[digits] != '.' || out->fraction_count == 0 ||
			count_digits(out->fraction, out->fraction_count) !=
			out->fraction_count)
			return false;
	}
	while (out->whole_count > 0 && out->whole[0] == '0')
	{
		out->whole++;
		out->whole_count--;
	}
	while (out->fraction_count > 0 &&
		   out->fraction[out->fraction_count - 1] == '0')
		out->fraction_count--;
	if (out->whole_count == 0 && out->fraction_count == 0)
		out->is_negative = false;
	return true;
}

static int
compare_decimals(const Decimal *a, const Decimal *b)
{
	int			order;

	if (a->is_negative != b->is_negative)
		return a->is_negative ? -1 : 1;
	if (a->whole_count != b->whole_count)
		order = a->whole_count < b->whole_count ? -1 : 1;
	else
		order = text_order_bytes(a->whole, a->whole_count, b->whole,
								 b->whole_count);
	if (order == 0)
		order = text_order_bytes(a->fraction, a->fraction_count, b->fraction,
								 b->fraction_count);
	return a->is_negative ? -order : order;
}

/* By bytes, but whole numbers inside the texts by value. */
static int
compare_naturally(const char *a, int64_t a_count, const char *b,
				  int64_t b_count)
{
	int64_t		i = 0;
	int64_t		j = 0;

	while (i < a_count && j < b_count)
	{
		int64_t		left = count_digits(a + i, a_count - i);
		int64_t		right = count_digits(b + j, b_count - j);

		if (left > 0 && right > 0)
		{
			Decimal		x;
			Decimal		y;
			int			order;

			read_decimal(a + i, left, &x);
			read_decimal(b + j, right, &y);
			order = compare_decimals(&x, &y);
			if (order != 0)
				return order;
			i += left;
			j += right;
			continue;
		}
		if (a[i] != b[j])
			return (unsigned char) a[i] < (unsigned char) b[j] ? -1 : 1;
		i++;
		j++;
	}
	return (i < a_count) - (j < b_count);
}

int
scatter_order_texts(const char *a, int64_t a_count, const char *b,
					int64_t b_count)
{
	Decimal		left;
	Decimal		right;
	bool		left_is_number = read_decimal(a, a_count, &left);
	bool		right_is_number = read_decimal(b, b_count, &right);
	int			order;

	if (left_is_number != right_is_number)
		return left_is_number ? -1 : 1;
	order = left_is_number ? compare_decimals(&left, &right) :
		compare_naturally(a, a_count, b, b_count);
	return order != 0 ? order : text_order_bytes(a, a_count, b, b_count);
}

/* Rows of every text, and those without one. */
static GlStatus
count_rows(GlHost *host, const Scatter *scatter, int64_t *rows_of_text,
		   int64_t *rows_without)
{
	*rows_without = 0;
	for (int64_t i = 0; i < scatter->row_count; i++)
	{
		GL_TRY(gl_work(host, 2));
		if (scatter->text[i] < 0)
			(*rows_without)++;
		else
			rows_of_text[scatter->text[i]]++;
	}
	return GL_OK;
}

/*
 * Mark the texts to show: the largest groups, of equal ones the first.
 * by_rank[r] is the text of rank r.
 */
static GlStatus
choose_texts(GlHost *host, int32_t text_count, const int64_t *rows_of_text,
			 const int32_t *by_rank, bool *is_shown)
{
	int64_t    *keys;
	int32_t    *order;

	GL_NEW(host, keys, text_count);
	GL_NEW(host, order, text_count);
	for (int32_t r = 0; r < text_count; r++)
		keys[r] = -rows_of_text[by_rank[r]];
	GL_TRY(gl_sort_order(host, keys, text_count, order));
	for (int32_t r = 0; r < text_count && r < SCATTER_MAX_GROUPS; r++)
		is_shown[by_rank[order[r]]] = true;
	gl_release(host, order);
	gl_release(host, keys);
	return GL_OK;
}

static int32_t
add_group(ScatterPlan *plan, const char *text, int64_t length,
		  int64_t row_count)
{
	plan->group[plan->all_count] = (ScatterGroup) {text, length, row_count};
	return plan->all_count++;
}

static GlStatus
plan_groups(GlHost *host, const Scatter *scatter, ScatterPlan *plan)
{
	int32_t		t = scatter->texts.count;
	int64_t    *rows_of_text;
	int32_t    *rank;
	int32_t    *by_rank;
	bool	   *is_shown;
	int64_t		rows_without;
	int64_t		other_rows = 0;

	GL_NEW_ZEROED(host, rows_of_text, t);
	GL_NEW(host, rank, t);
	GL_NEW(host, by_rank, t);
	GL_NEW_ZEROED(host, is_shown, t);
	GL_NEW(host, plan->group_of_text, t);
	GL_TRY(count_rows(host, scatter, rows_of_text, &rows_without));
	GL_TRY(text_table_rank(host, &scatter->texts, scatter_order_texts, rank));
	for (int32_t i = 0; i < t; i++)
		by_rank[rank[i]] = i;
	GL_TRY(choose_texts(host, t, rows_of_text, by_rank, is_shown));
	for (int32_t r = 0; r < t; r++)
	{
		int32_t		number = by_rank[r];
		int64_t		length;
		const char *text = text_table_get(&scatter->texts, number, &length);

		GL_TRY(gl_work(host, 4));
		if (is_shown[number])
			plan->group_of_text[number] = add_group(plan, text, length,
													rows_of_text[number]);
		else
		{
			plan->other_text_count++;
			other_rows += rows_of_text[number];
		}
	}
	plan->group_count = plan->all_count;
	plan->other = plan->other_text_count > 0 ?
		add_group(plan, NULL, 0, other_rows) : -1;
	plan->none = rows_without > 0 ?
		add_group(plan, NULL, 0, rows_without) : -1;
	for (int32_t i = 0; i < t; i++)
		if (!is_shown[i])
			plan->group_of_text[i] = plan->other;
	gl_release(host, is_shown);
	gl_release(host, by_rank);
	gl_release(host, rank);
	gl_release(host, rows_of_text);
	return GL_OK;
}

static GlStatus
fit_axis(GlHost *host, const double *values, int64_t count, int32_t ticks,
		 Axis *axis)
{
	double		min = values[0];
	double		max = values[0];

	for (int64_t i = 1; i < count; i++)
	{
		GL_TRY(gl_work(host, 2));
		if (values[i] < min)
			min = values[i];
		if (values[i] > max)
			max = values[i];
	}
	return axis_fit(host, min, max, ticks, axis);
}

GlStatus
scatter_plan_begin(GlHost *host, const Scatter *scatter, int32_t x_ticks,
				   int32_t y_ticks, ScatterPlan *out)
{
	ScatterPlan plan = {0};

	memset(out, 0, sizeof(*out));
	if (scatter->row_count < 1)
		return gl_fail(host, GL_ERR_INTERNAL, "a plot without rows");
	GL_TRY(fit_axis(host, scatter->x, scatter->row_count, x_ticks, &plan.x));
	GL_TRY(fit_axis(host, scatter->y, scatter->row_count, y_ticks, &plan.y));
	GL_TRY(plan_groups(host, scatter, &plan));
	*out = plan;
	return GL_OK;
}

void
scatter_plan_end(GlHost *host, ScatterPlan *plan)
{
	gl_release(host, plan->group_of_text);
	memset(plan, 0, sizeof(*plan));
}

bool
scatter_plan_word(const ScatterPlan *plan, int32_t group,
				  char word[SCATTER_WORD_SIZE])
{
	if (group == plan->other)
		snprintf(word, SCATTER_WORD_SIZE, "other (%" PRId64 " groups)",
				 plan->other_text_count);
	else if (group == plan->none)
		snprintf(word, SCATTER_WORD_SIZE, "(none)");
	else if (plan->group[group].length == 0)
		snprintf(word, SCATTER_WORD_SIZE, "(empty)");
	else
		return false;
	return true;
}
