-- 26-refine.sql: more blocks where they matter.

CREATE FUNCTION gl_refine(
    g gl_graph,
    blocks_per_row float8 DEFAULT NULL,
    tolerance float8 DEFAULT NULL
) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_refine'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_refine(gl_graph, float8, float8) IS
'a block graph with more blocks: so many a row, or as many as bring it within tolerance of the exact walk';
