/*
 * block_row.c
 *		From a new row's features to probabilities, tree by tree.
 */
#include "graph/block_row.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "graph/block_space.h"
#include "graph/divergence.h"

/* ---- the index ---- */

/* How many trees have a row of their own. */
static int32_t
count_speakers(const BlockGraph *block)
{
	for (int32_t t = 1; t < block->recipe.tree_count; t++)
		if (block->bandwidth[t] != block->bandwidth[0])
			return block->recipe.tree_count;
	return 1;
}

GlStatus
block_row_begin(GlHost *host, const BlockGraph *block, BlockRowIndex *out)
{
	const GraphRecipe *recipe = &block->graph.recipe;
	BlockRowIndex index = {
		.block = block,
		.divergence = divergence_of(recipe->metric),
		.tree_count = count_speakers(block)
	};
	int32_t		d;

	memset(out, 0, sizeof(*out));
	GL_TRY(point_space_require_points(host, &block->graph));
	d = block->graph.points->matrix.dimension_count;
	GL_TRY(block_space_begin(host, block->graph.points, recipe->metric,
							 recipe->scale, block->recipe.smoothing,
							 &index.space));
	GL_NEW_ZEROED(host, index.trees, index.tree_count);
	GL_NEW(host, index.query, d);
	GL_NEW(host, index.stored, d);
	if (!index.divergence->is_symmetric)
		GL_NEW(host, index.divergences, block->graph.node_count);
	GL_TRY(row_descent_begin(host, &index.descent));
	for (int32_t t = 0; t < index.tree_count; t++)
		GL_TRY(row_tree_begin(host, &index.space, &block->trees[t],
							  block->bandwidth[t], &index.trees[t]));
	*out = index;
	return GL_OK;
}

void
block_row_end(GlHost *host, BlockRowIndex *index)
{
	for (int32_t t = 0; t < index->tree_count; t++)
		row_tree_end(host, &index->trees[t]);
	gl_release(host, index->trees);
	gl_release(host, index->query);
	gl_release(host, index->stored);
	gl_release(host, index->divergences);
	row_descent_end(host, &index->descent);
	point_space_end(host, &index->space);
	memset(index, 0, sizeof(*index));
}

/* ---- the scan, where no bound holds ---- */

static GlStatus
measure_rows(GlHost *host, BlockRowIndex *index)
{
	const PointMatrix *matrix = &index->space.matrix;

	for (int64_t i = 0; i < matrix->row_count; i++)
	{
		GL_TRY(gl_work(host, 20 * (int64_t) matrix->dimension_count));
		point_matrix_row(matrix, i, index->stored);
		index->divergences[i] = divergence_between(index->divergence,
												   index->query,
												   index->stored,
												   matrix->dimension_count);
	}
	return GL_OK;
}

static GlStatus
scan(GlHost *host, BlockRowIndex *index, int32_t t, int32_t exclude)
{
	const RowTree *tree = &index->trees[t];
	int32_t		inner_count = (int32_t) tree->tree->leaf_count - 1;

	for (int32_t i = 0; i <= inner_count; i++)
	{
		int32_t		row = tree->tree->leaf_row[i];
		RowEntry	entry = {
			.tree = t,
			.node = inner_count + i,
			.exponent = row_descent_exponent(tree->beta,
											 index->divergences[row])
		};

		GL_TRY(gl_work(host, 4));
		if (row == exclude)
			continue;
		GL_TRY(row_descent_settle(host, &index->descent, entry));
		index->descent.node_count++;
	}
	return GL_OK;
}

/* ---- the row ---- */

/* Exponents of tree t, from entry `first` on, to probabilities; its density. */
static GlStatus
normalise(GlHost *host, BlockRowIndex *index, int32_t t, int64_t first,
		  double *log_density)
{
	const RowTree *tree = &index->trees[t];
	RowEntry   *entries = index->descent.entries;
	int64_t		end = index->descent.entry_count;
	double		peak = -INFINITY;
	double		sum = 0;
	double		rows = 0;

	for (int64_t e = first; e < end; e++)
		peak = fmax(peak, entries[e].exponent);
	for (int64_t e = first; e < end; e++)
	{
		int32_t		leaves = row_descent_leaves(tree->links, entries[e].node);

		GL_TRY(gl_work(host, 20));
		entries[e].probability = exp(entries[e].exponent - peak);
		sum += leaves * entries[e].probability;
		rows += leaves;
	}
	for (int64_t e = first; e < end; e++)
		entries[e].probability /= sum * index->tree_count;
	*log_density = rows == 0 ? -INFINITY :
		peak + log(sum / rows) - tree->log_normal;
	return GL_OK;
}

/* log(e^a + e^b), either of which may be 0. */
static double
log_add(double a, double b)
{
	double		larger = fmax(a, b);

	return isinf(larger) ? larger : larger + log1p(exp(-fabs(a - b)));
}

GlStatus
block_row_query(GlHost *host, BlockRowIndex *index, const double *features,
				int64_t feature_count, int32_t exclude, double tolerance,
				BlockRow *out)
{
	RowDescent *descent = &index->descent;
	double		log_density = -INFINITY;

	memset(out, 0, sizeof(*out));
	if (!(tolerance >= 0 && isfinite(tolerance)))
		return gl_fail(host, GL_ERR_OPTION,
					   "tolerance must be 0 or positive, not %g", tolerance);
	if (exclude < -1 || exclude >= index->block->graph.node_count)
		return gl_fail(host, GL_ERR_OPTION,
					   "row %" PRId32 " is not in the graph", exclude);
	GL_TRY(block_space_map_row(host, &index->space, features, feature_count,
							   index->query));
	if (!index->divergence->is_symmetric)
		GL_TRY(measure_rows(host, index));
	descent->entry_count = 0;
	descent->node_count = 0;
	for (int32_t t = 0; t < index->tree_count; t++)
	{
		int64_t		first = descent->entry_count;
		double		tree_density;

		if (index->divergence->is_symmetric)
			GL_TRY(row_descent_run(host, descent, &index->trees[t], t,
								   index->query, exclude, tolerance));
		else
			GL_TRY(scan(host, index, t, exclude));
		GL_TRY(normalise(host, index, t, first, &tree_density));
		log_density = log_add(log_density, tree_density);
	}
	*out = (BlockRow)
	{
		.entry_count = descent->entry_count,
		.entries = descent->entries,
		.node_count = descent->node_count,
		.log_density = log_density - log(index->tree_count)
	};
	return GL_OK;
}

GlStatus
block_row_spread(GlHost *host, const BlockRowIndex *index,
				 const BlockRow *row, double *probability)
{
	int32_t		inner_count = (int32_t) index->block->graph.node_count - 1;

	GL_TRY(gl_zero(host, probability, (size_t) inner_count + 1,
				   sizeof(double)));
	for (int64_t e = 0; e < row->entry_count; e++)
	{
		const RowEntry *entry = &row->entries[e];
		const RowTree *tree = &index->trees[entry->tree];
		bool		is_leaf = entry->node >= inner_count;
		int32_t		first = is_leaf ? entry->node - inner_count :
			tree->links->first[entry->node];
		int32_t		count = row_descent_leaves(tree->links, entry->node);

		GL_TRY(gl_work(host, count));
		for (int32_t i = first; i < first + count; i++)
			probability[tree->tree->leaf_row[i]] += entry->probability;
	}
	return GL_OK;
}
