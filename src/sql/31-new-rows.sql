-- 31-new-rows.sql: rows of the walk for points never seen.

CREATE FUNCTION gl_row(
    g gl_graph,
    features float8[],
    tolerance float8 DEFAULT 0.01,
    OUT id bigint,
    OUT probability float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_row_features'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION gl_row(gl_graph, float8[], float8) IS 'where a random walk at a row never seen would go next';

CREATE FUNCTION gl_row(
    g gl_graph,
    features real[],
    tolerance float8 DEFAULT 0.01,
    OUT id bigint,
    OUT probability float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_row_features'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION gl_row(gl_graph, real[], float8) IS 'where a random walk at a row never seen would go next';

CREATE FUNCTION gl_row(
    g gl_graph,
    features numeric[],
    tolerance float8 DEFAULT 0.01,
    OUT id bigint,
    OUT probability float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_row_features'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION gl_row(gl_graph, numeric[], float8) IS 'where a random walk at a row never seen would go next';

CREATE FUNCTION gl_row(
    g gl_graph,
    features smallint[],
    tolerance float8 DEFAULT 0.01,
    OUT id bigint,
    OUT probability float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_row_features'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION gl_row(gl_graph, smallint[], float8) IS 'where a random walk at a row never seen would go next';

CREATE FUNCTION gl_row(
    g gl_graph,
    features int[],
    tolerance float8 DEFAULT 0.01,
    OUT id bigint,
    OUT probability float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_row_features'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION gl_row(gl_graph, int[], float8) IS 'where a random walk at a row never seen would go next';

CREATE FUNCTION gl_row(
    g gl_graph,
    features bigint[],
    tolerance float8 DEFAULT 0.01,
    OUT id bigint,
    OUT probability float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_row_features'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION gl_row(gl_graph, bigint[], float8) IS 'where a random walk at a row never seen would go next';
