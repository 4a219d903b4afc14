-- 50-clusters.sql: which rows belong together.

CREATE FUNCTION gl_kmeans(
    points gl_points,
    k int,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL,
    restarts int DEFAULT 10,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-4,
    seed bigint DEFAULT 0,
    init_ids bigint[] DEFAULT NULL,
    init_clusters int[] DEFAULT NULL,
    OUT id bigint,
    OUT cluster int,
    OUT distance float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_kmeans'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 10000;

COMMENT ON FUNCTION gl_kmeans(gl_points, int, text, text, int, int, float8, bigint, bigint[], int[]) IS
'a cluster for every point by k-means, and the distance to its centre';

CREATE FUNCTION gl_cluster(
    g gl_graph,
    k int DEFAULT NULL,
    method text DEFAULT 'njw',
    dims int DEFAULT NULL,
    start text DEFAULT 'random',
    stop text DEFAULT 'acceleration',
    steps float8 DEFAULT 15,
    damping float8 DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT NULL,
    restarts int DEFAULT 10,
    seed bigint DEFAULT 0,
    init_ids bigint[] DEFAULT NULL,
    init_clusters int[] DEFAULT NULL,
    OUT id bigint,
    OUT cluster int,
    OUT distance float8
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_cluster'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 10000;

COMMENT ON FUNCTION gl_cluster(gl_graph, int, text, int, text, text, float8, float8, int, float8, int, bigint, bigint[], int[]) IS
'a cluster for every node of a graph, and the distance to its centre';
