/*
 * test_assignment.c
 *		The best matching against every matching there is.
 *
 * What breaks if this fails: gl_cluster_accuracy and gl_cluster_f1 blame a
 * clustering for names, or change when its clusters are renamed.
 */
#include "unit_test.h"

#include "../reference/measures_answers.h"
#include "measure/assignment.h"

#define MOST	7

/* A small table kept dense, so that it can be enumerated. */
typedef struct DenseTable
{
	int			rows;
	int			columns;
	AssignmentWeight weight[MOST][MOST];	/* {0, 0}: no cell */
} DenseTable;

static bool
less(AssignmentWeight a, AssignmentWeight b)
{
	return a.first < b.first || (a.first == b.first && a.second < b.second);
}

/*
 * The best total of rows `row` and after, `taken` being the columns in use:
 * each row tries every free column, and none.
 */
static AssignmentWeight
brute_best(const DenseTable *table, int row, unsigned taken)
{
	AssignmentWeight best;

	if (row == table->rows)
		return (AssignmentWeight) {0, 0};
	best = brute_best(table, row + 1, taken);
	for (int j = 0; j < table->columns; j++)
	{
		AssignmentWeight total;

		if (taken & (1u << j))
			continue;
		total = brute_best(table, row + 1, taken | (1u << j));
		total.first += table->weight[row][j].first;
		total.second += table->weight[row][j].second;
		if (less(best, total))
			best = total;
	}
	return best;
}

/* Solve, and check that the answer is a matching; gives its total. */
static GlStatus
solve_dense(GlHost *host, const DenseTable *dense, AssignmentWeight *total)
{
	int64_t		row_start[MOST + 1] = {0};
	int32_t		column[MOST * MOST];
	AssignmentWeight weight[MOST * MOST];
	AssignmentTable table = {dense->rows, dense->columns, row_start, column,
	weight};
	int32_t		match[MOST];
	unsigned	taken = 0;
	int64_t		cells = 0;

	for (int i = 0; i < dense->rows; i++)
	{
		for (int j = 0; j < dense->columns; j++)
		{
			if (dense->weight[i][j].first == 0 &&
				dense->weight[i][j].second == 0)
				continue;
			column[cells] = j;
			weight[cells++] = dense->weight[i][j];
		}
		row_start[i + 1] = cells;
	}
	GL_TRY(assignment_solve(host, &table, match));
	*total = (AssignmentWeight) {0, 0};
	for (int i = 0; i < dense->rows; i++)
	{
		if (match[i] == ASSIGNMENT_NONE)
			continue;
		EXPECT(match[i] >= 0 && match[i] < dense->columns);
		EXPECT(!(taken & (1u << match[i])));
		taken |= 1u << match[i];
		total->first += dense->weight[i][match[i]].first;
		total->second += dense->weight[i][match[i]].second;
	}
	return GL_OK;
}

/* Tables of every shape, from nearly empty to full, with many ties. */
static void
test_against_all_matchings(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;

	gl_random_begin(&random, 11);
	for (int round = 0; round < 3000; round++)
	{
		DenseTable	table = {0};
		AssignmentWeight total;
		AssignmentWeight best;
		int64_t		density = 1 + gl_random_below(&random, 4);
		int64_t		range = 1 + gl_random_below(&random, 6);

		table.rows = 1 + (int) gl_random_below(&random, 6);
		table.columns = 1 + (int) gl_random_below(&random, 6);
		for (int i = 0; i < table.rows; i++)
		{
			for (int j = 0; j < table.columns; j++)
			{
				if (gl_random_below(&random, 4) >= density)
					continue;
				table.weight[i][j].first = gl_random_below(&random, range);
				table.weight[i][j].second = gl_random_below(&random, 4);
			}
		}
		best = brute_best(&table, 0, 0);
		EXPECT_OK(host, solve_dense(host, &table, &total));
		EXPECT(total.first == best.first && total.second == best.second);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
table_of(GlHost *host, const int *truth, const int *predicted, int count,
		 Contingency *table)
{
	ContingencyPair pairs[ANSWER_ROWS];

	for (int i = 0; i < count; i++)
		pairs[i] = (ContingencyPair) {truth[i], predicted[i], 1};
	return contingency_build(host, pairs, count, table);
}

static void
measure(GlHost *host, const int *truth, const int *predicted, int count,
		double *accuracy, double *f1)
{
	Contingency table;

	EXPECT_OK(host, table_of(host, truth, predicted, count, &table));
	EXPECT_OK(host, assignment_accuracy(host, &table, accuracy));
	EXPECT_OK(host, assignment_f1(host, &table, f1));
	contingency_release(host, &table);
}

/* The spec's vector is the first; the others are scipy's matchings. */
static void
test_reference_answers(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (size_t a = 0; a < sizeof(label_answers) / sizeof(LabelAnswer); a++)
	{
		const LabelAnswer *answer = &label_answers[a];
		double		accuracy;
		double		f1;

		measure(host, answer->truth, answer->predicted, answer->row_count,
				&accuracy, &f1);
		EXPECT_NEAR(accuracy, answer->answers[6], 1e-15);
		EXPECT_NEAR(f1, answer->answers[7], 1e-9);
		if (a == 0)
		{
			EXPECT_NEAR(accuracy, 0.7, 1e-15);
			EXPECT_NEAR(f1, 0.6944444444444443, 1e-15);
		}
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Ties included, other names for the clusters give the same numbers. */
static void
test_renaming(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;

	gl_random_begin(&random, 5);
	for (int round = 0; round < 500; round++)
	{
		int			truth[12];
		int			predicted[12];
		int			renamed[12];
		double		accuracy[2];
		double		f1[2];

		for (int i = 0; i < 12; i++)
		{
			truth[i] = (int) gl_random_below(&random, 4);
			predicted[i] = (int) gl_random_below(&random, 5);
			renamed[i] = (3 * predicted[i] + round) % 5;
		}
		measure(host, truth, predicted, 12, &accuracy[0], &f1[0]);
		measure(host, truth, renamed, 12, &accuracy[1], &f1[1]);
		EXPECT(accuracy[0] == accuracy[1]);
		EXPECT_NEAR(f1[0], f1[1], 1e-8);
	}
	test_host_end(&test);
}

/* The rows without an answer are matched to no class, however many. */
static void
test_no_answer(void)
{
	static const int truth[] = {0, 0, 0, 1, 1};
	static const int predicted[] = {-1, -1, -1, 4, -1};
	static const int nothing[] = {-1, -1, -1, -1, -1};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		accuracy;
	double		f1;

	measure(host, truth, predicted, 5, &accuracy, &f1);
	EXPECT(accuracy == 0.2);
	EXPECT_NEAR(f1, 0.5 * 2.0 / 3.0, 1e-15);
	measure(host, truth, nothing, 5, &accuracy, &f1);
	EXPECT(accuracy == 0 && f1 == 0);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_empty(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Contingency table;
	DenseTable	dense = {0};
	AssignmentWeight total;
	double		value;

	EXPECT_OK(host, contingency_build(host, NULL, 0, &table));
	EXPECT(assignment_accuracy(host, &table, &value) == GL_ERR_DATA);
	EXPECT(assignment_f1(host, &table, &value) == GL_ERR_DATA);
	contingency_release(host, &table);
	for (dense.rows = 0; dense.rows <= 1; dense.rows++)
	{
		for (dense.columns = 0; dense.columns <= 1; dense.columns++)
		{
			EXPECT_OK(host, solve_dense(host, &dense, &total));
			EXPECT(total.first == 0);
		}
	}
	test_host_end(&test);
}

/* 20,000 small clusters against 20,000 classes: no k x k, and soon done. */
static void
test_many_clusters(void)
{
	enum
	{
		CLASSES = 20000
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	ContingencyPair *pairs = malloc(3 * CLASSES * sizeof(*pairs));
	Contingency table;
	double		accuracy;

	for (int i = 0; i < CLASSES; i++)
	{
		pairs[3 * i] = (ContingencyPair) {i, (i + 7) % CLASSES, 3};
		pairs[3 * i + 1] = (ContingencyPair) {i, (i + 8) % CLASSES, 2};
		pairs[3 * i + 2] = (ContingencyPair) {i, (i + 9) % CLASSES, 2};
	}
	host->bytes_limit = (size_t) 3 * CLASSES * 200;
	EXPECT_OK(host, contingency_build(host, pairs, 3 * CLASSES, &table));
	EXPECT_OK(host, assignment_accuracy(host, &table, &accuracy));
	EXPECT_NEAR(accuracy, 3.0 / 7.0, 1e-15);
	contingency_release(host, &table);
	EXPECT_NOTHING_LEFT(&test);
	free(pairs);
	test_host_end(&test);
}

/* A budget that cannot hold the cells is refused before any work. */
static void
test_budget(void)
{
	static const int truth[] = {0, 1, 2, 3};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Contingency table;
	double		value;

	EXPECT_OK(host, table_of(host, truth, truth, 4, &table));
	host->bytes_limit = host->bytes_used + 64;
	EXPECT(assignment_f1(host, &table, &value) == GL_ERR_MEMORY);
	EXPECT(strstr(host->hint, "max_memory") != NULL);
	test_host_end(&test);
}

static GlStatus
refused_job(GlHost *host)
{
	const LabelAnswer *answer = &label_answers[7];
	Contingency table;
	double		value;

	GL_TRY(table_of(host, answer->truth, answer->predicted,
					answer->row_count, &table));
	GL_TRY(assignment_accuracy(host, &table, &value));
	GL_TRY(assignment_f1(host, &table, &value));
	contingency_release(host, &table);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(refused_job);
}

int
main(void)
{
	RUN(test_against_all_matchings);
	RUN(test_reference_answers);
	RUN(test_renaming);
	RUN(test_no_answer);
	RUN(test_empty);
	RUN(test_many_clusters);
	RUN(test_budget);
	RUN(test_refused);
	UNIT_TEST_END();
}
