-- 41-rank.sql: which rows of a graph matter, and which to have labelled.

CREATE FUNCTION gl_rank(
    g gl_graph,
    ids bigint[] DEFAULT NULL,
    damping float8 DEFAULT 0.85,
    OUT id bigint,
    OUT score float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_rank'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 10000;

COMMENT ON FUNCTION gl_rank(gl_graph, bigint[], float8) IS
'PageRank of every node, or its rank as seen from some nodes: personalised PageRank';

CREATE FUNCTION gl_label_candidates(
    g gl_graph,
    n int DEFAULT 10,
    method text DEFAULT 'pagerank',
    labelled bigint[] DEFAULT NULL,
    seed bigint DEFAULT 0,
    OUT id bigint,
    OUT rank int
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_label_candidates'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 10;

COMMENT ON FUNCTION gl_label_candidates(gl_graph, int, text, bigint[], bigint) IS
'which rows to have labelled first, best first';
