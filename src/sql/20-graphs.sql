-- 20-graphs.sql: from points, or from edge rows, to a graph.

CREATE FUNCTION gl_knn_graph(
    points gl_points,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    keep_points boolean DEFAULT true,
    seed bigint DEFAULT 0
) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_knn_graph'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_knn_graph(gl_points, int, text, text, text, float8, text, boolean, bigint) IS 'graph of the k nearest neighbours of every row, exact';

CREATE FUNCTION gl_radius_graph(
    points gl_points,
    radius float8,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    keep_points boolean DEFAULT true,
    seed bigint DEFAULT 0
) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_radius_graph'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_radius_graph(gl_points, float8, text, text, float8, text, boolean, bigint) IS 'graph of all pairs of rows closer than a radius';

CREATE FUNCTION gl_tree_graph(
    points gl_points,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    keep_points boolean DEFAULT true,
    seed bigint DEFAULT 0
) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_tree_graph'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_tree_graph(gl_points, text, text, float8, text, boolean, bigint) IS 'minimum spanning tree of the rows';

CREATE FUNCTION gl_full_graph(
    points gl_points,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    keep_points boolean DEFAULT true,
    seed bigint DEFAULT 0
) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_full_graph'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_full_graph(gl_points, text, text, float8, text, boolean, bigint) IS 'graph of every pair of rows, for small sets';

CREATE FUNCTION gl_graph(
    points gl_points,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL,
    keep_points boolean DEFAULT true,
    seed bigint DEFAULT 0
) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_graph'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_graph(gl_points, text, text, boolean, bigint) IS 'the recommended graph of a set of points';

CREATE FUNCTION gl_affinity(
    g gl_graph,
    bandwidth float8 DEFAULT NULL
) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_affinity'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_affinity(gl_graph, float8) IS 'similarities from a graph of distances, by the Gaussian kernel';

CREATE FUNCTION gl_edge_graph_transfn(internal, bigint, bigint) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_edge_graph_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_edge_graph_transfn(internal, bigint, bigint) IS 'transition function of gl_edge_graph';

CREATE FUNCTION gl_edge_graph_transfn(internal, bigint, bigint, float8) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_edge_graph_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_edge_graph_transfn(internal, bigint, bigint, float8) IS 'transition function of gl_edge_graph';

CREATE FUNCTION gl_edge_graph_finalfn(internal) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_edge_graph_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_edge_graph_finalfn(internal) IS 'final function of gl_edge_graph';

CREATE AGGREGATE gl_edge_graph(source bigint, target bigint) (
    SFUNC = gl_edge_graph_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_edge_graph_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_edge_graph(bigint, bigint) IS 'undirected graph from rows of edges';

CREATE AGGREGATE gl_edge_graph(source bigint, target bigint, weight float8) (
    SFUNC = gl_edge_graph_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_edge_graph_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_edge_graph(bigint, bigint, float8) IS 'undirected graph from rows of edges, with weights';

CREATE FUNCTION gl_arc_graph_transfn(internal, bigint, bigint) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_arc_graph_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_arc_graph_transfn(internal, bigint, bigint) IS 'transition function of gl_arc_graph';

CREATE FUNCTION gl_arc_graph_transfn(internal, bigint, bigint, float8) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_arc_graph_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_arc_graph_transfn(internal, bigint, bigint, float8) IS 'transition function of gl_arc_graph';

CREATE FUNCTION gl_arc_graph_finalfn(internal) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_arc_graph_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_arc_graph_finalfn(internal) IS 'final function of gl_arc_graph';

CREATE AGGREGATE gl_arc_graph(source bigint, target bigint) (
    SFUNC = gl_arc_graph_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_arc_graph_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_arc_graph(bigint, bigint) IS 'directed graph from rows of edges';

CREATE AGGREGATE gl_arc_graph(source bigint, target bigint, weight float8) (
    SFUNC = gl_arc_graph_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_arc_graph_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_arc_graph(bigint, bigint, float8) IS 'directed graph from rows of edges, with weights';

CREATE FUNCTION gl_distance_graph_transfn(internal, bigint, bigint, float8) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_distance_graph_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_distance_graph_transfn(internal, bigint, bigint, float8) IS 'transition function of gl_distance_graph';

CREATE FUNCTION gl_distance_graph_transfn(internal, bigint, bigint, float8, float8) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_distance_graph_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_distance_graph_transfn(internal, bigint, bigint, float8, float8) IS 'transition function of gl_distance_graph';

CREATE FUNCTION gl_distance_graph_finalfn(internal) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_distance_graph_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_distance_graph_finalfn(internal) IS 'final function of gl_distance_graph';

CREATE AGGREGATE gl_distance_graph(a bigint, b bigint, distance float8) (
    SFUNC = gl_distance_graph_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_distance_graph_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_distance_graph(bigint, bigint, float8) IS 'graph of known distances between ids';

CREATE AGGREGATE gl_distance_graph(a bigint, b bigint, distance float8, weight float8) (
    SFUNC = gl_distance_graph_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_distance_graph_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_distance_graph(bigint, bigint, float8, float8) IS 'graph of known distances between ids, with weights';
