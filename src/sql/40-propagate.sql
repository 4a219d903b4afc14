-- 40-propagate.sql: labels of a few rows become labels of all.

CREATE FUNCTION gl_propagate(
    g gl_graph,
    ids bigint[],
    labels anycompatiblearray,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    multilabel boolean DEFAULT false,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    normalise text DEFAULT NULL,
    teleport float8 DEFAULT 0,
    injection float8[] DEFAULT NULL,
    OUT id bigint,
    OUT label anycompatible,
    OUT confidence float8,
    OUT scores float8[]
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_propagate'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 10000;

COMMENT ON FUNCTION gl_propagate(gl_graph, bigint[], anycompatiblearray, text, float8, text, float8, float8[], boolean, int, float8, text, float8, float8[]) IS
'a label and class scores for every node of a graph, from the labels of a few';
