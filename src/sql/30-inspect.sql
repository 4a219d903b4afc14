-- 30-inspect.sql: looking into points and graphs.

CREATE FUNCTION gl_info(points gl_points) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_info_points'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

COMMENT ON FUNCTION gl_info(gl_points) IS 'what a set of points is: rows, dimensions, bytes';

CREATE FUNCTION gl_info(g gl_graph) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_info_graph'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_info(gl_graph) IS 'what a graph is and how it was built: nodes, edges, components, options, bytes';

CREATE FUNCTION gl_edges(
    g gl_graph,
    OUT source bigint,
    OUT target bigint,
    OUT weight float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_edges'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 100000;

COMMENT ON FUNCTION gl_edges(gl_graph) IS 'the edges of a graph, an undirected one once, by its smaller id first';

CREATE FUNCTION gl_degrees(
    g gl_graph,
    OUT id bigint,
    OUT degree float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_degrees'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10000;

COMMENT ON FUNCTION gl_degrees(gl_graph) IS 'sum of the weights of each row of a graph';

CREATE FUNCTION gl_components(
    g gl_graph,
    OUT id bigint,
    OUT component int
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_components'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10000;

COMMENT ON FUNCTION gl_components(gl_graph) IS 'connected components, numbered from 1 by smallest id; direction is ignored';

CREATE FUNCTION gl_row(
    g gl_graph,
    node bigint,
    OUT id bigint,
    OUT probability float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_row'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 20;

COMMENT ON FUNCTION gl_row(gl_graph, bigint) IS 'where a random walk at one node goes next';

CREATE FUNCTION gl_multiply(
    g gl_graph,
    ids bigint[],
    "values" float8[],
    normalise text DEFAULT 'walk',
    OUT id bigint,
    OUT value float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_multiply'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000 ROWS 10000;

COMMENT ON FUNCTION gl_multiply(gl_graph, bigint[], float8[], text) IS 'product of a graph with a vector; ids not named count as 0';
