-- 25-blocks.sql: the compact walk, and looking into it.

CREATE FUNCTION gl_block_graph(
    points gl_points,
    tree text DEFAULT NULL,
    trees int DEFAULT 1,
    blocks_per_row float8 DEFAULT 2,
    learn_bandwidth boolean DEFAULT false,
    metric text DEFAULT 'euclidean',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    smoothing float8 DEFAULT 0.5,
    keep_points boolean DEFAULT true,
    seed bigint DEFAULT 0
) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_block_graph'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_block_graph(gl_points, text, int, float8, boolean, text, float8, text, float8, boolean, bigint) IS
'the random walk over all rows as trees and blocks, without a neighbour search';

CREATE FUNCTION gl_blocks(
    g gl_graph,
    OUT tree int,
    OUT first_id bigint,
    OUT size_a int,
    OUT size_b int,
    OUT q_ab float8,
    OUT q_ba float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_blocks'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10000;

COMMENT ON FUNCTION gl_blocks(gl_graph) IS 'the pairs of blocks of a block graph with their shared probabilities';

CREATE FUNCTION gl_density(
    g gl_graph,
    OUT id bigint,
    OUT log_density float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_density'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10000;

COMMENT ON FUNCTION gl_density(gl_graph) IS 'log density of every row under a block graph; the lowest are outliers';
