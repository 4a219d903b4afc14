/*
 * test_column_block.c
 *		If this fails, a solver works on columns of another class.
 */
#include "unit_test.h"

#include "learn/column_block.h"

#define ROWS	5
#define WIDEST	(3 * COLUMN_BLOCK_WIDTH + 1)

/* Blocks follow each other, none is empty or too wide, all columns come. */
static void
test_cover(void)
{
	for (int32_t columns = 1; columns <= WIDEST; columns++)
	{
		ColumnBlock block;
		int32_t		seen = 0;

		column_block_begin(ROWS, columns, &block);
		while (column_block_next(&block))
		{
			EXPECT(block.first == seen);
			EXPECT(block.width >= 1);
			EXPECT(block.width <= column_block_width(columns));
			EXPECT(column_block_is_all(&block) ==
				   (columns <= COLUMN_BLOCK_WIDTH));
			seen += block.width;
		}
		EXPECT(seen == columns);
	}
}

/* Take each block, add 1000 to it, put it back: the array plus 1000. */
static void
test_take_and_put(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (int32_t columns = 1; columns <= WIDEST; columns++)
	{
		double		array[ROWS * WIDEST];
		double		room[ROWS * COLUMN_BLOCK_WIDTH];
		ColumnBlock block;

		for (int v = 0; v < ROWS * columns; v++)
			array[v] = v;
		column_block_begin(ROWS, columns, &block);
		while (column_block_next(&block))
		{
			double	   *taken;

			EXPECT_OK(host, column_block_take(host, &block, array, room,
											  &taken));
			EXPECT((taken == array) == (columns <= COLUMN_BLOCK_WIDTH));
			for (int v = 0; v < ROWS * block.width; v++)
			{
				int			row = v / block.width;
				int			column = block.first + v % block.width;

				EXPECT(taken[v] == row * columns + column);
				taken[v] += 1000;
			}
			EXPECT_OK(host, column_block_put(host, &block, taken, array));
		}
		for (int v = 0; v < ROWS * columns; v++)
			EXPECT(array[v] == v + 1000);
	}
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	static double array[ROWS * WIDEST];
	ColumnBlock block;
	double	   *room;
	double	   *taken;

	GL_NEW(host, room, ROWS * COLUMN_BLOCK_WIDTH);
	column_block_begin(ROWS, WIDEST, &block);
	while (column_block_next(&block))
	{
		GL_TRY(column_block_take(host, &block, array, room, &taken));
		GL_TRY(column_block_put(host, &block, taken, array));
	}
	gl_release(host, room);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(refusal_job);
}

int
main(void)
{
	RUN(test_cover);
	RUN(test_take_and_put);
	RUN(test_refused);
	UNIT_TEST_END();
}
