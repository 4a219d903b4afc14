-- Measures: two labelings, a score, clusters on a graph.
-- If this fails, the numbers by which users judge every result are wrong.

-- The vector of the specification, all measures in one pass.
CREATE TABLE spec (truth int, cluster int);
INSERT INTO spec
SELECT t, c FROM unnest('{0,0,0,0,0,1,1,1,2,2}'::int[],
                        '{1,1,1,0,0,0,0,0,2,1}'::int[]) AS u(t, c);
SELECT round(gl_accuracy(truth, cluster)::numeric, 12) AS accuracy,
       round(gl_f1(truth, cluster)::numeric, 12) AS f1,
       round(gl_purity(truth, cluster)::numeric, 12) AS purity,
       round(gl_nmi(truth, cluster)::numeric, 12) AS nmi
FROM spec;
SELECT round(gl_rand(truth, cluster)::numeric, 12) AS rand,
       round(gl_ari(truth, cluster)::numeric, 12) AS ari,
       round(gl_cluster_accuracy(truth, cluster)::numeric, 12) AS cluster_accuracy,
       round(gl_cluster_f1(truth, cluster)::numeric, 12) AS cluster_f1
FROM spec;

-- One state for all of them.
SELECT count(DISTINCT aggtransfn) AS transition_functions, count(*) AS aggregates
FROM pg_aggregate
WHERE aggfnoid::oid IN (SELECT oid FROM pg_proc
                        WHERE proname IN ('gl_accuracy', 'gl_f1', 'gl_purity',
                                          'gl_nmi', 'gl_rand', 'gl_ari',
                                          'gl_cluster_accuracy', 'gl_cluster_f1'));

-- Other names for the clusters change nothing but plain accuracy and F1.
SELECT gl_accuracy(truth, name) AS accuracy, gl_f1(truth, name) AS f1,
       gl_purity(truth, name) = gl_purity(truth, cluster) AS purity,
       abs(gl_nmi(truth, name) - gl_nmi(truth, cluster)) < 1e-15 AS nmi,
       gl_rand(truth, name) = gl_rand(truth, cluster) AS rand,
       gl_ari(truth, name) = gl_ari(truth, cluster) AS ari,
       gl_cluster_accuracy(truth, name) = gl_cluster_accuracy(truth, cluster) AS cluster_accuracy,
       gl_cluster_f1(truth, name) = gl_cluster_f1(truth, cluster) AS cluster_f1
FROM (SELECT *, 'cluster ' || (7 - cluster) AS name FROM spec) s;

-- The order of the rows changes no bit.
SELECT gl_nmi(truth, cluster ORDER BY truth, cluster) =
       gl_nmi(truth, cluster ORDER BY cluster DESC, truth DESC) AS nmi,
       gl_f1(truth, cluster ORDER BY truth, cluster) =
       gl_f1(truth, cluster ORDER BY cluster DESC, truth DESC) AS f1,
       gl_cluster_f1(truth, cluster ORDER BY truth, cluster) =
       gl_cluster_f1(truth, cluster ORDER BY cluster DESC, truth DESC) AS cluster_f1
FROM (SELECT i * i % 97 AS truth, i % 31 * i % 83 AS cluster
      FROM generate_series(1, 2000) i) s;

-- NULLs.  No truth: the row is skipped.  No prediction: never right, and one
-- cluster of its own.
SELECT gl_accuracy(t, p) AS accuracy, gl_f1(t, p) AS f1,
       gl_cluster_accuracy(t, p) AS cluster_accuracy,
       gl_cluster_f1(t, p) AS cluster_f1,
       gl_purity(t, p) AS purity, gl_rand(t, p) AS rand
FROM (VALUES ('a', 'a'), ('a', NULL), ('b', 'b'), ('b', NULL),
             (NULL, 'a'), (NULL, NULL)) v(t, p);
SELECT gl_purity(t, p) = gl_purity(t, coalesce(p, 'none')) AS purity,
       gl_nmi(t, p) = gl_nmi(t, coalesce(p, 'none')) AS nmi,
       gl_rand(t, p) = gl_rand(t, coalesce(p, 'none')) AS rand,
       gl_ari(t, p) = gl_ari(t, coalesce(p, 'none')) AS ari
FROM (VALUES ('a', 'a'), ('a', NULL), ('b', 'b'), ('b', NULL), ('b', 'a')) v(t, p);
SELECT gl_accuracy(NULL::int, 1) AS truth, gl_accuracy(1, NULL::int) AS predicted,
       gl_accuracy(NULL, NULL) AS untyped, gl_accuracy(1, NULL) AS untyped_predicted;
SELECT gl_cluster_accuracy(1, NULL::text) AS cluster_accuracy,
       gl_cluster_f1(1, NULL::text) AS cluster_f1, gl_nmi(1, NULL::text) AS nmi,
       gl_ari(1, NULL::text) AS ari
FROM generate_series(1, 3);

-- No rows, one row.
SELECT gl_accuracy(truth, cluster), gl_f1(truth, cluster), gl_purity(truth, cluster),
       gl_nmi(truth, cluster), gl_rand(truth, cluster), gl_ari(truth, cluster),
       gl_cluster_accuracy(truth, cluster), gl_cluster_f1(truth, cluster)
FROM spec WHERE false;
SELECT gl_accuracy(1, 2), gl_f1(1, 2), gl_purity(1, 2), gl_nmi(1, 2), gl_rand(1, 2),
       gl_ari(1, 2), gl_cluster_accuracy(1, 2), gl_cluster_f1(1, 2);
SELECT gl_accuracy('a', 'a'), gl_f1('a', 'a'), gl_purity('a', 'a'), gl_nmi('a', 'a'),
       gl_rand('a', 'a'), gl_ari('a', 'a'), gl_cluster_accuracy('a', 'a'),
       gl_cluster_f1('a', 'a');

-- One cluster against many: no information, chance level.
SELECT gl_nmi(truth, 1) AS nmi, gl_ari(truth, 1) AS ari, gl_purity(truth, 1) AS purity
FROM spec;

-- Every pair of types meets by its text; numbers in one spelling.
CREATE TYPE animal AS ENUM ('cat', 'dog');
CREATE DOMAIN grade AS numeric(6, 2);
SELECT gl_accuracy(1, '1'::text) AS int_text,
       gl_accuracy(1::smallint, 1::bigint) AS int2_int8,
       gl_accuracy(1, 1.00) AS int_numeric,
       gl_accuracy(1.0, 1.000) AS numerics,
       gl_accuracy(1::float8, 1) AS float8_int,
       gl_accuracy(0.1::real, 0.1::float8) AS real_float8,
       gl_accuracy(0.10::numeric, 0.1::float8) AS numeric_float8;
SELECT gl_accuracy(1e20::float8, 1e20::numeric) AS large,
       gl_accuracy(1.5e-7::float8, 0.00000015) AS small,
       gl_accuracy('-0'::float8, 0) AS negative_zero,
       gl_accuracy('NaN'::float8, 'NaN'::numeric) AS nan,
       gl_accuracy('-Infinity'::real, '-Infinity'::numeric) AS infinity,
       gl_accuracy(0.1::float8 + 0.2, 0.3::float8) AS unequal_floats,
       gl_accuracy(2::grade, 2) AS domain;
SET extra_float_digits = 0;
SELECT gl_accuracy(0.1::float8 + 0.2, 0.3::float8) AS unequal_floats,
       gl_accuracy(1.0::float8 / 3, 1.0::float8 / 3) AS equal_floats;
RESET extra_float_digits;
SELECT gl_accuracy('cat'::animal, 'cat'::text) AS enum_text,
       gl_accuracy('cat'::char(9), 'cat'::varchar) AS char_varchar,
       gl_accuracy('cat'::name, 'cat'::animal) AS name_enum,
       gl_accuracy(true, 't') AS boolean_text,
       gl_accuracy('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid,
                   'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::text) AS uuid_text,
       gl_accuracy('{1,2}'::int[], '{1,2}'::text) AS array_text;
SELECT gl_accuracy('(1,2)'::point, point(1, 2)) AS point,
       gl_accuracy('{"a": 1}'::json, '{"a": 1}'::json) AS json,
       gl_accuracy(ROW(1, 'x'), '(1,x)'::text) AS record,
       gl_accuracy(''::text, ''::text) AS empty_text,
       gl_accuracy('Straße'::text, 'Strasse'::text) AS letters;
-- Collations that differ do not matter: texts are compared byte by byte.
CREATE TABLE collated (a text COLLATE "C", b text COLLATE "POSIX");
INSERT INTO collated VALUES ('x', 'x'), ('y', 'Y');
SELECT gl_accuracy(a, b), gl_nmi(a, b) FROM collated;
DROP TABLE collated;
-- Long values are detoasted and kept once.
SELECT gl_accuracy(t, p) AS long, gl_nmi(t, p) AS nmi
FROM (SELECT repeat(chr(97 + i % 3), 100000) AS t, repeat(chr(97 + i % 3), 100000) AS p
      FROM generate_series(1, 100) i) s;

-- FILTER, DISTINCT, ORDER BY, GROUP BY, HAVING.
SELECT gl_accuracy(truth, cluster) FILTER (WHERE truth = 0) AS filter,
       gl_accuracy(DISTINCT truth, cluster) AS "distinct",
       gl_accuracy(truth, cluster ORDER BY cluster) AS "order by",
       gl_accuracy(truth, cluster) FILTER (WHERE truth = 9) AS nothing
FROM spec;
SELECT truth, gl_accuracy(truth, cluster), gl_f1(truth, cluster)
FROM spec GROUP BY truth HAVING gl_accuracy(truth, cluster) >= 0 ORDER BY truth;
SELECT truth, gl_purity(truth, cluster)
FROM spec GROUP BY ROLLUP (truth) ORDER BY truth;

-- As a window aggregate: growing, sliding and whole frames.
SELECT truth, cluster,
       round(gl_accuracy(truth, cluster) OVER (ORDER BY n)::numeric, 4) AS growing,
       round(gl_purity(truth, cluster) OVER (ORDER BY n ROWS 2 PRECEDING)::numeric, 4) AS sliding,
       round(gl_ari(truth, cluster) OVER ()::numeric, 4) AS whole,
       round(gl_cluster_f1(truth, cluster) OVER (PARTITION BY truth)::numeric, 4) AS part
FROM (SELECT *, row_number() OVER () AS n FROM spec) s ORDER BY n;
SELECT round(gl_auc(truth > 0, cluster) OVER (ORDER BY n)::numeric, 4) AS auc,
       round(gl_average_precision(truth > 0, cluster) OVER (ORDER BY n)::numeric, 4) AS precision
FROM (SELECT *, row_number() OVER () AS n FROM spec) s ORDER BY n;

-- Ten thousand groups by hashing, with room and without: the same answers.
CREATE TABLE many AS
SELECT i % 10000 AS grp, i * i % 7 AS truth, i % 5 * i % 6 AS cluster
FROM generate_series(1::bigint, 100000) i;
ANALYZE many;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT grp, gl_accuracy(truth, cluster) FROM many GROUP BY grp;
CREATE TABLE roomy AS
SELECT grp, gl_accuracy(truth, cluster) AS a, gl_nmi(truth, cluster) AS n,
       gl_cluster_f1(truth, cluster) AS f, gl_auc(truth > 3, cluster) AS u
FROM many GROUP BY grp;
SET work_mem = '64kB';
CREATE TABLE cramped AS
SELECT grp, gl_accuracy(truth, cluster) AS a, gl_nmi(truth, cluster) AS n,
       gl_cluster_f1(truth, cluster) AS f, gl_auc(truth > 3, cluster) AS u
FROM many GROUP BY grp;
RESET work_mem;
RESET enable_sort;
SELECT count(*), count(a), count(n), count(f), count(u) FROM roomy;
SELECT count(*) AS different
FROM (TABLE roomy EXCEPT TABLE cramped) d;

-- Parallel: the scan below the aggregate runs in workers, the bits stay.
SELECT gl_nmi(truth, cluster) AS serial_nmi, gl_cluster_f1(truth, cluster) AS serial_f1,
       gl_average_precision(truth > 3, cluster) AS serial_precision
FROM many \gset
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF)
SELECT gl_nmi(truth, cluster), gl_auc(truth > 3, cluster) FROM many;
SELECT gl_nmi(truth, cluster) = :serial_nmi AS nmi,
       gl_cluster_f1(truth, cluster) = :serial_f1 AS f1,
       gl_average_precision(truth > 3, cluster) = :serial_precision AS precision
FROM many;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;

-- Scores: scikit-learn's own example, ties, infinities.
SELECT gl_auc(t, s) AS auc, round(gl_average_precision(t, s)::numeric, 12) AS precision
FROM (VALUES (false, 0.1::float8), (false, 0.4), (true, 0.35), (true, 0.8)) v(t, s);
SELECT gl_auc(t, 0.5) AS auc, gl_average_precision(t, 0.5) AS precision
FROM (VALUES (true), (false), (true), (false)) v(t);
SELECT gl_auc(t, s) AS auc
FROM (VALUES (true, 'Infinity'::float8), (false, '-Infinity'), (true, 0.0), (false, '-0')) v(t, s);
-- NULL on either side is skipped; one kind of rows only, or no row: NULL.
SELECT gl_auc(t, s) AS auc, gl_average_precision(t, s) AS precision
FROM (VALUES (true, 2::float8), (false, 1), (NULL, 3), (true, NULL), (NULL, NULL)) v(t, s);
SELECT gl_auc(true, 1) AS all_true, gl_auc(false, 1) AS all_false,
       gl_average_precision(true, 1) AS precision_true,
       gl_average_precision(false, 1) AS precision_false;
SELECT gl_auc(true, 1), gl_average_precision(true, 1) WHERE false;
SELECT gl_auc(true, 'NaN');
\echo :LAST_ERROR_SQLSTATE
SELECT gl_average_precision(t, s) FROM (VALUES (true, 1), (false, 'NaN'::float8)) v(t, s);
\echo :LAST_ERROR_SQLSTATE

-- Clusters on a graph: two triangles joined by one edge.
CREATE TABLE edges (a bigint, b bigint, w float8);
INSERT INTO edges VALUES (1,2,1), (2,3,1), (1,3,1), (4,5,1), (5,6,1), (4,6,1), (3,4,1);
CREATE TABLE graphs AS SELECT gl_edge_graph(a, b, w) AS g FROM edges;
SELECT abs(gl_modularity(g, '{1,2,3,4,5,6}', '{1,1,1,2,2,2}') - 5.0 / 14) < 1e-15 AS modularity,
       abs(gl_conductance(g, '{1,2,3,4,5,6}', '{1,1,1,2,2,2}') - 1.0 / 7) < 1e-15 AS conductance
FROM graphs;
-- Any order of ids, any cluster numbers.
SELECT gl_modularity(g, '{6,5,4,3,2,1}', '{-7,-7,-7,9,9,9}') =
       gl_modularity(g, '{1,2,3,4,5,6}', '{9,9,9,-7,-7,-7}') AS same
FROM graphs;
-- Nodes not named, or of a NULL cluster, are in no cluster but their edges count.
SELECT round(gl_modularity(g, '{1,2,3}', '{1,1,1}')::numeric, 12) AS modularity,
       round(gl_modularity(g, '{1,2,3,4}', '{1,1,1,NULL}')::numeric, 12) AS with_null,
       round(gl_modularity(g, '{1,7,2,3}', '{1,NULL,1,1}')::numeric, 12) AS with_unknown,
       round(gl_conductance(g, '{1,2,3}', '{1,1,1}')::numeric, 12) AS conductance
FROM graphs;
SELECT round(gl_modularity(g, '{1,2,3,4,5,6}', '{1,1,1,1,1,1}')::numeric, 12) AS modularity,
       gl_conductance(g, '{1,2,3,4,5,6}', '{1,1,1,1,1,1}') AS conductance,
       gl_modularity(g, '{}', '{}') AS no_clusters,
       gl_conductance(g, '{1}', '{NULL}') AS null_clusters
FROM graphs;
-- Weights and a self-loop, as igraph counts them (test/reference/measures.py, second graph).
WITH e(a, b, w) AS (
    VALUES (0, 0, 1.114), (0, 2, 1.173), (0, 3, 1.531), (0, 5, 0.432),
           (1, 2, 1.556), (1, 4, 1.045), (2, 3, 2.158), (2, 5, 0.43),
           (3, 3, 1.999), (4, 4, 1.108)
)
SELECT round(gl_modularity(gl_edge_graph(a, b, w), '{0,1,2,3,4,5}', '{0,0,0,0,1,1}')::numeric, 12) AS modularity,
       round(0.12263095306800072, 12) AS igraph
FROM e;
-- Directed.
SELECT round(gl_modularity(gl_arc_graph(a, b), '{1,2,3,4,5,6}', '{1,1,1,2,2,2}')::numeric, 12) AS modularity,
       round(gl_conductance(gl_arc_graph(a, b), '{1,2,3,4,5,6}', '{1,1,1,2,2,2}')::numeric, 12) AS conductance
FROM edges;

-- NULL in each argument, and errors.
SELECT gl_modularity(NULL, '{1}', '{1}') AS g, gl_modularity(g, NULL, '{1}') AS ids,
       gl_modularity(g, '{1}', NULL) AS clusters,
       gl_conductance(NULL, '{1}', '{1}') AS g, gl_conductance(g, NULL, '{1}') AS ids,
       gl_conductance(g, '{1}', NULL) AS clusters
FROM graphs;
SELECT gl_modularity(g, '{1,7}', '{1,1}') FROM graphs;
\echo :LAST_ERROR_SQLSTATE
SELECT gl_conductance(g, '{1,7,8,9,10,11,12}', '{1,1,1,1,1,1,1}') FROM graphs;
\echo :LAST_ERROR_SQLSTATE
SELECT gl_modularity(g, '{1,2,1}', '{1,1,1}') FROM graphs;
\echo :LAST_ERROR_SQLSTATE
SELECT gl_modularity(g, '{1,2}', '{1}') FROM graphs;
\echo :LAST_ERROR_SQLSTATE
SELECT gl_modularity(g, '{1,NULL}', '{1,1}') FROM graphs;
\echo :LAST_ERROR_SQLSTATE
SELECT gl_modularity(g, '{{1,2},{3,4}}', '{1,1,1,1}') FROM graphs;
\echo :LAST_ERROR_SQLSTATE
SELECT gl_conductance(gl_distance_graph(a, b, w), '{1,2}', '{1,1}') FROM edges;
\echo :LAST_ERROR_SQLSTATE

-- The parts of an aggregate cannot be called alone.
SELECT gl_accuracy_finalfn(NULL);
\echo :LAST_ERROR_SQLSTATE

-- The budget bounds one state and its final step.
SET graphlearn.max_memory = '64kB';
SELECT gl_accuracy(i, i) FROM generate_series(1, 100000) i;
\echo :LAST_ERROR_SQLSTATE
SELECT gl_auc(i % 2 = 0, i) FROM generate_series(1, 100000) i;
\echo :LAST_ERROR_SQLSTATE
RESET graphlearn.max_memory;

DROP TABLE spec, many, roomy, cramped, edges, graphs;
DROP TYPE animal;
DROP DOMAIN grade;
