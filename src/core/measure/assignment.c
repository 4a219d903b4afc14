/*
 * assignment.c
 *		Maximum-weight bipartite matching by shortest augmenting paths.
 *
 * Cell costs are c_ij = -w_ij.  Potentials u (rows) and v (columns) keep the
 * reduced costs c_ij - u_i - v_j >= 0, with equality on matched cells, and
 * -u_i >= 0 for the dummy of row i, whose own potential stays 0 because it
 * is only ever the end of a path.  Each row in turn grows a tree of
 * alternating paths in order of distance (Dijkstra) until it meets a free
 * column or the dummy of some row in the tree; then the path is flipped.
 */
#include "measure/assignment.h"

#include <string.h>

/* Second-rank weight of a matched class with F1 = 1. */
#define F1_UNITS	((double) (1 << 30))

static AssignmentWeight
weight_add(AssignmentWeight a, AssignmentWeight b)
{
	return (AssignmentWeight) {a.first + b.first, a.second + b.second};
}

static AssignmentWeight
weight_subtract(AssignmentWeight a, AssignmentWeight b)
{
	return (AssignmentWeight) {a.first - b.first, a.second - b.second};
}

static bool
weight_less(AssignmentWeight a, AssignmentWeight b)
{
	return a.first < b.first || (a.first == b.first && a.second < b.second);
}

/* The solver's memory, O(rows + columns). */
typedef struct Matching
{
	const AssignmentTable *table;
	int32_t    *column_of_row;	/* the result; ASSIGNMENT_NONE is the dummy */
	int32_t    *row_of_column;	/* or ASSIGNMENT_NONE */
	AssignmentWeight *row_potential;	/* u */
	AssignmentWeight *column_potential;	/* v */

	/* the tree of the current search */
	AssignmentWeight *distance; /* per column that was reached */
	int32_t    *from_row;		/* the tree row it was reached from */
	int32_t    *place;			/* in the heap, or UNREACHED, or SETTLED */
	int32_t    *heap;			/* columns reached, the nearest first */
	int32_t		heap_count;
	int32_t    *settled;		/* columns of the tree */
	int32_t		settled_count;
} Matching;

#define UNREACHED	(-1)
#define SETTLED		(-2)

static GlStatus
matching_begin(GlHost *host, const AssignmentTable *table,
			   int32_t *column_of_row, Matching *matching)
{
	int32_t		rows = table->row_count;
	int32_t		columns = table->column_count;

	memset(matching, 0, sizeof(*matching));
	matching->table = table;
	matching->column_of_row = column_of_row;
	GL_NEW(host, matching->row_of_column, columns);
	GL_NEW_ZEROED(host, matching->row_potential, rows);
	GL_NEW_ZEROED(host, matching->column_potential, columns);
	GL_NEW(host, matching->distance, columns);
	GL_NEW(host, matching->from_row, columns);
	GL_NEW(host, matching->place, columns);
	GL_NEW(host, matching->heap, columns);
	GL_NEW(host, matching->settled, columns);
	for (int32_t j = 0; j < columns; j++)
	{
		GL_TRY(gl_work(host, 1));
		matching->row_of_column[j] = ASSIGNMENT_NONE;
		matching->place[j] = UNREACHED;
	}
	for (int32_t i = 0; i < rows; i++)
	{
		column_of_row[i] = ASSIGNMENT_NONE;
		GL_TRY(gl_work(host, table->row_start[i + 1] - table->row_start[i]));
		/* u_i = min over its cells and its dummy of the cost */
		for (int64_t c = table->row_start[i]; c < table->row_start[i + 1];
			 c++)
		{
			AssignmentWeight cost = weight_subtract((AssignmentWeight) {0, 0},
													table->weight[c]);

			if (weight_less(cost, matching->row_potential[i]))
				matching->row_potential[i] = cost;
		}
	}
	return GL_OK;
}

static void
matching_release(GlHost *host, Matching *matching)
{
	gl_release(host, matching->row_of_column);
	gl_release(host, matching->row_potential);
	gl_release(host, matching->column_potential);
	gl_release(host, matching->distance);
	gl_release(host, matching->from_row);
	gl_release(host, matching->place);
	gl_release(host, matching->heap);
	gl_release(host, matching->settled);
}

/* The order of the heap; equal distances by column, for one result only. */
static bool
is_nearer(const Matching *matching, int32_t a, int32_t b)
{
	AssignmentWeight to_a = matching->distance[a];
	AssignmentWeight to_b = matching->distance[b];

	return weight_less(to_a, to_b) || (!weight_less(to_b, to_a) && a < b);
}

static void
heap_put(Matching *matching, int32_t place, int32_t column)
{
	matching->heap[place] = column;
	matching->place[column] = place;
}

/* A column came nearer: move it towards the top. */
static void
heap_rise(Matching *matching, int32_t column)
{
	int32_t		place = matching->place[column];

	while (place > 0)
	{
		int32_t		parent = (place - 1) / 2;

		if (!is_nearer(matching, column, matching->heap[parent]))
			break;
		heap_put(matching, place, matching->heap[parent]);
		place = parent;
	}
	heap_put(matching, place, column);
}

/* Take the nearest column off the heap and into the tree. */
static int32_t
heap_settle(Matching *matching)
{
	int32_t		nearest = matching->heap[0];
	int32_t		last = matching->heap[--matching->heap_count];
	int32_t		place = 0;

	for (;;)
	{
		int32_t		child = 2 * place + 1;

		if (child >= matching->heap_count)
			break;
		if (child + 1 < matching->heap_count &&
			is_nearer(matching, matching->heap[child + 1],
					  matching->heap[child]))
			child++;
		if (!is_nearer(matching, matching->heap[child], last))
			break;
		heap_put(matching, place, matching->heap[child]);
		place = child;
	}
	heap_put(matching, place, last);
	matching->place[nearest] = SETTLED;
	matching->settled[matching->settled_count++] = nearest;
	return nearest;
}

/* Offer every column of a tree row the way through that row. */
static GlStatus
relax_row(GlHost *host, Matching *matching, int32_t row,
		  AssignmentWeight row_distance)
{
	const AssignmentTable *table = matching->table;
	AssignmentWeight base = weight_subtract(row_distance,
											matching->row_potential[row]);

	GL_TRY(gl_work(host,
				   table->row_start[row + 1] - table->row_start[row] + 1));
	for (int64_t c = table->row_start[row]; c < table->row_start[row + 1];
		 c++)
	{
		int32_t		column = table->column[c];
		AssignmentWeight offered =
			weight_subtract(weight_subtract(base, table->weight[c]),
							matching->column_potential[column]);

		if (matching->place[column] == SETTLED)
			continue;
		if (matching->place[column] == UNREACHED)
			matching->place[column] = matching->heap_count++;
		else if (!weight_less(offered, matching->distance[column]))
			continue;
		matching->distance[column] = offered;
		matching->from_row[column] = row;
		heap_rise(matching, column);
	}
	return GL_OK;
}

/* Restore c_ij - u_i - v_j = 0 along the tree, given the path's length. */
static void
update_potentials(Matching *matching, int32_t root, AssignmentWeight length)
{
	matching->row_potential[root] =
		weight_add(matching->row_potential[root], length);
	for (int32_t t = 0; t < matching->settled_count; t++)
	{
		int32_t		column = matching->settled[t];
		int32_t		row = matching->row_of_column[column];
		AssignmentWeight slack =
			weight_subtract(length, matching->distance[column]);

		matching->column_potential[column] =
			weight_subtract(matching->column_potential[column], slack);
		if (row != ASSIGNMENT_NONE)
			matching->row_potential[row] =
				weight_add(matching->row_potential[row], slack);
	}
}

/* Give `column` to the row it was reached from, and so on to the root. */
static void
flip_path(Matching *matching, int32_t root, int32_t column)
{
	for (;;)
	{
		int32_t		row = matching->from_row[column];
		int32_t		given_up = matching->column_of_row[row];

		matching->column_of_row[row] = column;
		matching->row_of_column[column] = row;
		if (row == root)
			return;
		column = given_up;
	}
}

static void
forget_tree(Matching *matching)
{
	for (int32_t t = 0; t < matching->settled_count; t++)
		matching->place[matching->settled[t]] = UNREACHED;
	for (int32_t t = 0; t < matching->heap_count; t++)
		matching->place[matching->heap[t]] = UNREACHED;
	matching->settled_count = 0;
	matching->heap_count = 0;
}

/* Bring one more row into the matching. */
static GlStatus
match_row(GlHost *host, Matching *matching, int32_t root)
{
	AssignmentWeight zero = {0, 0};
	AssignmentWeight row_distance = zero;
	AssignmentWeight dummy_distance;	/* nearest dummy of a tree row */
	int32_t		dummy_row = root;
	int32_t		row = root;
	int32_t		column;

	dummy_distance = weight_subtract(zero, matching->row_potential[root]);
	for (;;)
	{
		AssignmentWeight through;

		GL_TRY(relax_row(host, matching, row, row_distance));
		column = ASSIGNMENT_NONE;
		if (matching->heap_count == 0 ||
			weight_less(dummy_distance, matching->distance[matching->heap[0]]))
			break;
		column = heap_settle(matching);
		row_distance = matching->distance[column];
		row = matching->row_of_column[column];
		if (row == ASSIGNMENT_NONE)
			break;
		through = weight_subtract(row_distance, matching->row_potential[row]);
		if (weight_less(through, dummy_distance))
		{
			dummy_distance = through;
			dummy_row = row;
		}
	}

	update_potentials(matching, root, column == ASSIGNMENT_NONE ?
					  dummy_distance : row_distance);
	if (column == ASSIGNMENT_NONE && dummy_row != root)
	{
		/* dummy_row gives its column up for its dummy */
		column = matching->column_of_row[dummy_row];
		matching->column_of_row[dummy_row] = ASSIGNMENT_NONE;
	}
	if (column != ASSIGNMENT_NONE)
		flip_path(matching, root, column);
	forget_tree(matching);
	return GL_OK;
}

GlStatus
assignment_solve(GlHost *host, const AssignmentTable *table,
				 int32_t *column_of_row)
{
	Matching	matching;

	GL_TRY(matching_begin(host, table, column_of_row, &matching));
	for (int32_t i = 0; i < table->row_count; i++)
		GL_TRY(match_row(host, &matching, i));
	matching_release(host, &matching);
	return GL_OK;
}

static double
cell_f1(const Contingency *table, const ContingencyCell *cell)
{
	return 2.0 * (double) cell->count /
		(double) (table->truth_total[cell->truth] +
				  table->predicted_total[cell->predicted]);
}

/* The cells of answered rows, as an assignment table of class x cluster. */
static GlStatus
fill_cells(GlHost *host, const Contingency *table, int64_t *row_start,
		   int32_t *column, AssignmentWeight *weight)
{
	int64_t		filled = 0;
	int32_t		class = 0;

	row_start[0] = 0;
	for (int64_t c = 0; c < table->cell_count; c++)
	{
		const ContingencyCell *cell = &table->cells[c];

		GL_TRY(gl_work(host, 4));
		while (class < cell->truth)
			row_start[++class] = filled;
		if (table->predicted_key[cell->predicted] == CONTINGENCY_NO_ANSWER)
			continue;
		column[filled] = cell->predicted;
		weight[filled].first = cell->count;
		weight[filled].second = (int64_t) (cell_f1(table, cell) * F1_UNITS);
		filled++;
	}
	while (class < table->truth_count)
		row_start[++class] = filled;
	return GL_OK;
}

/* cluster_of_class[i], or ASSIGNMENT_NONE. */
static GlStatus
match_clusters(GlHost *host, const Contingency *table,
			   int32_t *cluster_of_class)
{
	AssignmentTable cells;
	int64_t    *row_start;
	int32_t    *column;
	AssignmentWeight *weight;

	GL_TRY(gl_require(host, (size_t) table->cell_count,
					  sizeof(*column) + sizeof(*weight),
					  "Use fewer classes or clusters, or raise "
					  "graphlearn.max_memory."));
	GL_NEW(host, row_start, (int64_t) table->truth_count + 1);
	GL_NEW(host, column, table->cell_count);
	GL_NEW(host, weight, table->cell_count);
	GL_TRY(fill_cells(host, table, row_start, column, weight));
	cells.row_count = table->truth_count;
	cells.column_count = table->predicted_count;
	cells.row_start = row_start;
	cells.column = column;
	cells.weight = weight;
	GL_TRY(assignment_solve(host, &cells, cluster_of_class));
	gl_release(host, weight);
	gl_release(host, column);
	gl_release(host, row_start);
	return GL_OK;
}

/* Rows that are right, and the sum over classes of F1, after matching. */
static GlStatus
sum_matched(GlHost *host, const Contingency *table, int64_t *right,
			double *f1_sum)
{
	int32_t    *cluster_of_class;

	if (table->row_count == 0)
		return gl_fail(host, GL_ERR_DATA, "a measure needs at least one row");
	GL_NEW(host, cluster_of_class, table->truth_count);
	GL_TRY(match_clusters(host, table, cluster_of_class));
	*right = 0;
	*f1_sum = 0;
	for (int64_t c = 0; c < table->cell_count; c++)
	{
		const ContingencyCell *cell = &table->cells[c];

		GL_TRY(gl_work(host, 1));
		if (cluster_of_class[cell->truth] == cell->predicted)
		{
			*right += cell->count;
			*f1_sum += cell_f1(table, cell);
		}
	}
	gl_release(host, cluster_of_class);
	return GL_OK;
}

GlStatus
assignment_accuracy(GlHost *host, const Contingency *table, double *accuracy)
{
	int64_t		right;
	double		f1_sum;

	GL_TRY(sum_matched(host, table, &right, &f1_sum));
	*accuracy = (double) right / (double) table->row_count;
	return GL_OK;
}

GlStatus
assignment_f1(GlHost *host, const Contingency *table, double *f1)
{
	int64_t		right;
	double		f1_sum;

	GL_TRY(sum_matched(host, table, &right, &f1_sum));
	*f1 = f1_sum / table->truth_count;
	return GL_OK;
}
