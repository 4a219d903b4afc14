/*
 * test_scatter.c
 *		If this fails, a plot shows other groups than the rows have, hides some,
 *		or depends on the order of the rows.
 */
#include "unit_test.h"

#include "picture/scatter_marks.h"

static void
add(GlHost *host, Scatter *scatter, double x, double y, const char *group)
{
	EXPECT_OK(host, scatter_add(host, scatter, x, y, group,
								group == NULL ? 0 : (int64_t) strlen(group)));
}

/* Texts in order: numbers by value, then the rest, numbers in it by value. */
static void
test_order_of_texts(void)
{
	static const char *const texts[] = {
		"-10", "-9.5", "-9.25", "-1", "0", "0.5", "1", "1.0", "1.5", "01.75",
		"2", "10", "10.25", "100000000000000000000000000000", "", "-", "1.",
		"1e5", "2x", "10x", "NaN", "a", "part 2", "part 2b", "part 10",
		"part 10a", "part 010b", "part a", "z", "\xC3\xA9"
	};
	int			count = (int) (sizeof(texts) / sizeof(*texts));

	for (int i = 0; i < count; i++)
		for (int j = 0; j < count; j++)
		{
			int			order = scatter_order_texts(texts[i],
													(int64_t) strlen(texts[i]),
													texts[j],
													(int64_t) strlen(texts[j]));

			if ((order < 0) != (i < j) || (order > 0) != (i > j))
				printf("# %s and %s\n", texts[i], texts[j]);
			EXPECT((order < 0) == (i < j) && (order > 0) == (i > j));
		}
}

static void
test_rows_that_are_refused(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Scatter		scatter = {0};
	ScatterPlan plan;

	EXPECT(scatter_plan_begin(host, &scatter, 5, 5, &plan) ==
		   GL_ERR_INTERNAL);
	EXPECT(scatter_add(host, &scatter, NAN, 0, NULL, 0) == GL_ERR_DATA);
	EXPECT(strcmp(host->message, "the x of a row is NaN") == 0);
	EXPECT(scatter_add(host, &scatter, 0, -INFINITY, NULL, 0) == GL_ERR_DATA);
	EXPECT(strcmp(host->message, "the y of a row is infinite") == 0);
	EXPECT(scatter.row_count == 0 && scatter.texts.count == 0);
	scatter_release(host, &scatter);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_few_groups(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Scatter		scatter = {0};
	ScatterPlan plan;
	char		word[SCATTER_WORD_SIZE];

	add(host, &scatter, 0, 0, "b");
	add(host, &scatter, 1, 4, "10");
	add(host, &scatter, 2, 5, NULL);
	add(host, &scatter, 3, 6, "b");
	add(host, &scatter, 4, 7, "9");
	EXPECT_OK(host, scatter_plan_begin(host, &scatter, 5, 5, &plan));
	EXPECT(plan.group_count == 3 && plan.all_count == 4);
	EXPECT(plan.other == -1 && plan.none == 3);
	EXPECT(plan.group[0].text[0] == '9' && plan.group[0].row_count == 1);
	EXPECT(plan.group[1].length == 2 && plan.group[1].row_count == 1);
	EXPECT(plan.group[2].text[0] == 'b' && plan.group[2].row_count == 2);
	EXPECT(plan.group[3].row_count == 1);
	EXPECT(scatter_plan_group(&plan, &scatter, 0) == 2);
	EXPECT(scatter_plan_group(&plan, &scatter, 1) == 1);
	EXPECT(scatter_plan_group(&plan, &scatter, 2) == 3);
	EXPECT(scatter_plan_group(&plan, &scatter, 4) == 0);
	EXPECT(!scatter_plan_word(&plan, 0, word));
	EXPECT(scatter_plan_word(&plan, 3, word) && strcmp(word, "(none)") == 0);
	EXPECT(plan.x.low < 0 && plan.x.high > 4 && plan.y.high > 7);
	scatter_plan_end(host, &plan);
	scatter_release(host, &scatter);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Thirty groups; group g has g rows, but for the last, which are few. */
static void
test_many_groups(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Scatter		scatter = {0};
	ScatterPlan plan;
	char		word[SCATTER_WORD_SIZE];
	int64_t		total = 0;

	for (int g = 1; g <= 30; g++)
		for (int i = 0; i < (g > 27 ? 1 : g); i++)
		{
			char		name[20];

			snprintf(name, sizeof(name), "group %d", g);
			add(host, &scatter, g, i, name);
		}
	EXPECT_OK(host, scatter_plan_begin(host, &scatter, 5, 5, &plan));
	EXPECT(plan.group_count == SCATTER_MAX_GROUPS);
	EXPECT(plan.other == SCATTER_MAX_GROUPS && plan.none == -1);
	EXPECT(plan.other_text_count == 10);
	/* the largest are 8 ... 27, in order */
	for (int g = 0; g < plan.group_count; g++)
		EXPECT(plan.group[g].row_count == g + 8);
	for (int g = 0; g < plan.all_count; g++)
		total += plan.group[g].row_count;
	EXPECT(total == scatter.row_count);
	EXPECT(scatter_plan_word(&plan, plan.other, word) &&
		   strcmp(word, "other (10 groups)") == 0);
	for (int64_t i = 0; i < scatter.row_count; i++)
		EXPECT(scatter_plan_group(&plan, &scatter, i) ==
			   (scatter.x[i] < 8 || scatter.x[i] > 27 ? plan.other :
				(int) scatter.x[i] - 8));
	scatter_plan_end(host, &plan);
	scatter_release(host, &scatter);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* A dense blob of group a, a wide one of b, a lone c inside, one far row. */
static void
fill_blobs(GlHost *host, Scatter *scatter, int n, bool backwards)
{
	for (int k = 0; k < n; k++)
	{
		int			i = backwards ? n - 1 - k : k;
		GlRandom	random;
		double		width = i % 4 == 0 ? 10 : 0.5;
		double		x;
		double		y;

		gl_random_begin(&random, i);
		x = width * gl_random_unit(&random);
		y = width * gl_random_unit(&random);
		if (i == 7)
			add(host, scatter, 0.2, 0.2, "c");
		else if (i == 8)
			add(host, scatter, 100, 100, "a");
		else
			add(host, scatter, x, y, i % 4 == 0 ? "b" : "a");
	}
}

static void
place(GlHost *host, int n, bool backwards, int64_t limit,
	  ScatterMarks *marks)
{
	Scatter		scatter = {0};
	ScatterPlan plan;

	fill_blobs(host, &scatter, n, backwards);
	EXPECT_OK(host, scatter_plan_begin(host, &scatter, 5, 5, &plan));
	EXPECT_OK(host, scatter_marks_place(host, &scatter, &plan, 4000, 3000,
										limit, marks));
	scatter_plan_end(host, &plan);
	scatter_release(host, &scatter);
}

static void
test_marks(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	ScatterMarks all;
	ScatterMarks thinned;
	ScatterMarks backwards;
	int			lone = 0;
	int			far = 0;

	place(host, 20000, false, 1000000, &all);
	EXPECT(!all.is_thinned && all.mark_count > 5000);
	place(host, 20000, false, 2000, &thinned);
	EXPECT(thinned.is_thinned);
	EXPECT(thinned.mark_count <= 2000 && thinned.mark_count > 1500);
	for (int64_t m = 0; m < thinned.mark_count; m++)
	{
		const ScatterMark *mark = &thinned.mark[m];
		bool		found = false;

		lone += mark->group == 2;
		far += mark->x > 3000 && mark->y < 1000;
		for (int64_t i = 0; i < all.mark_count && !found; i++)
			found = memcmp(mark, &all.mark[i], sizeof(*mark)) == 0;
		EXPECT(found);
	}
	EXPECT(lone == 1 && far == 1);
	place(host, 20000, true, 2000, &backwards);
	EXPECT(backwards.mark_count == thinned.mark_count &&
		   memcmp(backwards.mark, thinned.mark,
				  (size_t) thinned.mark_count * sizeof(ScatterMark)) == 0);
	scatter_marks_release(host, &all);
	scatter_marks_release(host, &thinned);
	scatter_marks_release(host, &backwards);
	/* a limit below anything sensible */
	place(host, 5000, false, 0, &thinned);
	EXPECT(thinned.mark_count >= 3 && thinned.mark_count <= 6);
	scatter_marks_release(host, &thinned);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Rows in one place are one mark per group. */
static void
test_rows_in_one_place(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Scatter		scatter = {0};
	ScatterPlan plan;
	ScatterMarks marks;

	for (int i = 0; i < 1000; i++)
		add(host, &scatter, 5, 5, i % 2 ? "a" : "b");
	EXPECT_OK(host, scatter_plan_begin(host, &scatter, 5, 5, &plan));
	EXPECT_OK(host, scatter_marks_place(host, &scatter, &plan, 100, 100, 10,
										&marks));
	EXPECT(marks.mark_count == 2 && !marks.is_thinned);
	EXPECT(marks.mark[0].x == 50 && abs(marks.mark[0].y - 50) <= 1);
	EXPECT(scatter_marks_place(host, &scatter, &plan, 0, 5, 10, &marks) ==
		   GL_ERR_INTERNAL);
	EXPECT(scatter_marks_place(host, &scatter, &plan, 5, 20000, 10, &marks) ==
		   GL_ERR_INTERNAL);
	test_host_end(&test);
}

static GlStatus
plan_job(GlHost *host)
{
	Scatter		scatter = {0};
	ScatterPlan plan;
	ScatterMarks marks;

	for (int i = 0; i < 60; i++)
	{
		char		name[8];
		int			length = snprintf(name, sizeof(name), "%d", i % 25);

		GL_TRY(scatter_add(host, &scatter, i, i * i % 61,
						   i % 7 == 0 ? NULL : name, length));
	}
	GL_TRY(scatter_plan_begin(host, &scatter, 5, 5, &plan));
	GL_TRY(scatter_marks_place(host, &scatter, &plan, 500, 500, 50, &marks));
	scatter_marks_release(host, &marks);
	scatter_plan_end(host, &plan);
	scatter_release(host, &scatter);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(plan_job);
}

int
main(void)
{
	RUN(test_order_of_texts);
	RUN(test_rows_that_are_refused);
	RUN(test_few_groups);
	RUN(test_many_groups);
	RUN(test_marks);
	RUN(test_rows_in_one_place);
	RUN(test_refused);
	UNIT_TEST_END();
}
