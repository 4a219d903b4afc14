-- If this fails, a table of edges or of distances becomes another graph than the one it lists.

\set SHOW_CONTEXT never

-- What a query gives: its value, or SQLSTATE, message and hint.
CREATE FUNCTION pg_temp.attempt(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    hint text;
BEGIN
    EXECUTE query INTO answer;
    RETURN coalesce(answer, 'NULL');
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN SQLSTATE || ' ' || SQLERRM || coalesce(' HINT: ' || nullif(hint, ''), '');
END $$;

-- The edges of a graph as one line.
CREATE FUNCTION pg_temp.edge_list(g gl_graph) RETURNS text LANGUAGE SQL AS $$
    SELECT string_agg(format('%s-%s:%s', source, target, round(weight::numeric, 6)::float8), ' ' ORDER BY source, target)
    FROM gl_edges(g)
$$;

-- (a,b) and (b,a) are one edge, repeated rows add up, a self-loop counts once.
CREATE TEMP TABLE e (source bigint, target bigint, weight float8);
INSERT INTO e VALUES (1, 2, 2), (2, 1, 3), (2, 3, 1), (2, 3, 1), (3, 3, 5), (9, -4, 0.5);
SELECT pg_temp.edge_list(gl_edge_graph(source, target)) AS without_weight FROM e;
SELECT pg_temp.edge_list(gl_edge_graph(source, target, weight)) AS with_weight FROM e;
SELECT pg_temp.edge_list(gl_arc_graph(source, target)) AS arcs_without_weight FROM e;
SELECT pg_temp.edge_list(gl_arc_graph(source, target, weight)) AS arcs_with_weight FROM e;
SELECT id, degree FROM (SELECT gl_edge_graph(source, target, weight) AS g FROM e) s, gl_degrees(s.g) ORDER BY id;
SELECT id, degree FROM (SELECT gl_arc_graph(source, target, weight) AS g FROM e) s, gl_degrees(s.g) ORDER BY id;

-- Weight 0 or NULL is no edge, but its ends are nodes.
SELECT pg_temp.edge_list(g) AS edges, gl_info(g) ->> 'n' AS n, gl_info(g) ->> 'isolated' AS isolated
FROM (SELECT gl_edge_graph(s, t, w) AS g FROM (VALUES (1, 2, 1.0), (3, 4, 0), (5, 6, NULL), (1, 7, -0.0)) v(s, t, w)) q;
SELECT pg_temp.edge_list(g) AS edges, gl_info(g) ->> 'n' AS n, gl_info(g) ->> 'isolated' AS isolated
FROM (SELECT gl_arc_graph(s, t, w) AS g FROM (VALUES (1, 2, 1.0), (3, 4, 0), (5, 6, NULL)) v(s, t, w)) q;
SELECT gl_info(gl_edge_graph(1, 2, NULL)) - 'bytes' AS only_null_weights;
SELECT gl_info(gl_edge_graph(8, 8)) - 'bytes' AS only_a_loop;

-- No rows.
SELECT gl_edge_graph(1, 2) IS NULL AS edges, gl_arc_graph(1, 2) IS NULL AS arcs, gl_distance_graph(1, 2, 3) IS NULL AS distances
FROM generate_series(1, 0);

-- What the graphs say of themselves.
SELECT kind, gl_info(g) - 'bytes' AS info
FROM (SELECT 1 AS o, 'edges' AS kind, gl_edge_graph(1, 2) AS g UNION ALL SELECT 2, 'arcs', gl_arc_graph(1, 2)
      UNION ALL SELECT 3, 'distances', gl_distance_graph(1, 2, 3) UNION ALL SELECT 4, 'affinity', gl_affinity(gl_distance_graph(1, 2, 3))) s
ORDER BY o;

-- Extreme ids, and whole numbers as weights.
SELECT pg_temp.edge_list(gl_edge_graph(s, t, w)) AS extreme
FROM (VALUES (9223372036854775807, (-9223372036854775808)::bigint, 3), (0, -1, 4)) v(s, t, w);

-- Sums of weights do not depend on the order of rows.
SELECT count(DISTINCT gl_graph_send(g)) AS different
FROM (SELECT gl_edge_graph(i % 5, 0, w ORDER BY i) AS g FROM (SELECT i, 0.1 * i + 1e15 * (i % 2) AS w FROM generate_series(1, 200) i) v
      UNION ALL SELECT gl_edge_graph(0, i % 5, w ORDER BY i DESC) FROM (SELECT i, 0.1 * i + 1e15 * (i % 2) AS w FROM generate_series(1, 200) i) v
      UNION ALL SELECT gl_edge_graph(i % 5, 0, w ORDER BY md5(i::text)) FROM (SELECT i, 0.1 * i + 1e15 * (i % 2) AS w FROM generate_series(1, 200) i) v) s;

SELECT count(DISTINCT gl_graph_send(g)) AS different
FROM (SELECT gl_distance_graph(i % 5 + 1, 0, 7, w ORDER BY i) AS g FROM (SELECT i, 0.1 * i + 1e15 * (i % 2) AS w FROM generate_series(1, 200) i) v
      UNION ALL SELECT gl_distance_graph(0, i % 5 + 1, 7, w ORDER BY i DESC) FROM (SELECT i, 0.1 * i + 1e15 * (i % 2) AS w FROM generate_series(1, 200) i) v
      UNION ALL SELECT gl_distance_graph(i % 5 + 1, 0, 7, w ORDER BY md5(i::text)) FROM (SELECT i, 0.1 * i + 1e15 * (i % 2) AS w FROM generate_series(1, 200) i) v) s;

-- Known distances: a repeat must agree, two directions may differ, 0 is a
-- distance like another, NULL is none.
SELECT pg_temp.edge_list(gl_distance_graph(a, b, d)) AS lengths
FROM (VALUES (1, 2, 1.5), (2, 1, 1.5), (1, 2, 1.5), (2, 3, 0), (3, 4, NULL), (4, 4, 0)) v(a, b, d);
SELECT pg_temp.edge_list(g) AS one_way_streets, gl_info(g) ->> 'symmetric' AS symmetric
FROM (SELECT gl_distance_graph(a, b, d) AS g FROM (VALUES (1, 2, 1.5), (2, 1, 2.5), (2, 3, 4)) v(a, b, d)) s;
-- Weight: how much a distance counts; 0 or NULL is not at all.
SELECT pg_temp.edge_list(gl_distance_graph(a, b, d, w)) AS weighted
FROM (VALUES (1, 2, 1.5, 1.0), (2, 3, 2, 0), (3, 4, 3, NULL), (1, 4, 9, 0.25)) v(a, b, d, w);

-- Refusals name the pair.
SELECT n, pg_temp.attempt(query) AS answer
FROM (VALUES
    (1, $$SELECT gl_edge_graph(3, 4, -1)$$),
    (2, $$SELECT gl_edge_graph(3, 4, 'NaN')$$),
    (3, $$SELECT gl_edge_graph(3, 4, 'Infinity')$$),
    (4, $$SELECT gl_edge_graph(3, 4, '-Infinity')$$),
    (5, $$SELECT gl_arc_graph(3, 4, -1e-300)$$),
    (6, $$SELECT gl_arc_graph(3, 4, 'NaN')$$),
    (7, $$SELECT gl_edge_graph(NULL, 4)$$),
    (8, $$SELECT gl_edge_graph(3, NULL)$$),
    (9, $$SELECT gl_edge_graph(NULL, NULL, NULL)$$),
    (10, $$SELECT gl_arc_graph(3, NULL, 1)$$),
    (11, $$SELECT gl_distance_graph(NULL, 3, 1)$$),
    (12, $$SELECT gl_distance_graph(3, 4, -1)$$),
    (13, $$SELECT gl_distance_graph(3, 4, 'NaN')$$),
    (14, $$SELECT gl_distance_graph(3, 4, 'Infinity')$$),
    (15, $$SELECT gl_distance_graph(3, 3, 1)$$),
    (16, $$SELECT gl_distance_graph(3, 4, d) FROM (VALUES (1), (2)) v(d)$$),
    (17, $$SELECT gl_distance_graph(3, 4, 1, -1)$$),
    (18, $$SELECT gl_distance_graph(3, 4, 1, 'NaN')$$),
    (19, $$SELECT gl_edge_graph(3, 4, 1e308) FROM generate_series(1, 2)$$),
    (20, $$SELECT gl_edge_graph(1, 2) OVER ()$$),
    (23, $$SELECT gl_distance_graph(3, 4, 1, 1e308) FROM generate_series(1, 2)$$),
    (21, $$SELECT gl_edge_graph('a', 'b')$$),
    (22, $$SELECT gl_edge_graph(source => 1, target => 2)$$)) q(n, query)
ORDER BY n;

-- gl_affinity: exp(-d^2 / (2 b^2)) of each length; the default bandwidth is a
-- quarter of the mean distance to the tenth neighbour a node has.
SELECT bandwidth, pg_temp.edge_list(gl_affinity(g, bandwidth)) AS similarities,
       gl_info(gl_affinity(g, bandwidth)) ->> 'bandwidth' AS reported
FROM (SELECT gl_distance_graph(a, b, d) AS g FROM (VALUES (1, 2, 1.0), (2, 3, 2), (3, 4, 0)) v(a, b, d)) s, (VALUES (1.0), (2), (NULL)) b(bandwidth)
ORDER BY bandwidth;
SELECT round(exp(-0.5)::numeric, 6) AS of_1_by_1, round(exp(-2.0)::numeric, 6) AS of_2_by_1, (1 + 2 + 2 + 0) / 4.0 / 4 AS default_bandwidth;
-- Lengths built from points become the graph of the same bandwidth.
SELECT count(*) AS edges, bool_and(abs(a.weight - b.weight) < 1e-12) AS same
FROM (SELECT gl_points(i, ARRAY[i % 7, i]) AS p FROM generate_series(1, 40) i) s,
     gl_edges(gl_affinity(gl_knn_graph(s.p, 5, weights => 'distance'), 2)) a
     JOIN LATERAL gl_edges(gl_knn_graph(s.p, 5, weights => 'gaussian', symmetry => 'union', bandwidth => 2)) b USING (source, target);
SELECT gl_info(gl_affinity(gl_knn_graph(gl_points(i, ARRAY[i % 7, i]), 5, weights => 'distance'))) - 'bytes' - 'bandwidth' AS points_are_kept FROM generate_series(1, 40) i;
SELECT n, pg_temp.attempt(query) AS answer
FROM (VALUES
    (1, $$SELECT gl_affinity(gl_edge_graph(1, 2))$$),
    (2, $$SELECT gl_affinity(gl_affinity(gl_distance_graph(1, 2, 1)))$$),
    (3, $$SELECT gl_affinity(gl_distance_graph(1, 2, 1), 0)$$),
    (4, $$SELECT gl_affinity(gl_distance_graph(1, 2, 1), -2)$$),
    (5, $$SELECT gl_affinity(gl_distance_graph(1, 2, 1), 'NaN')$$),
    (6, $$SELECT gl_info(gl_affinity(gl_distance_graph(1, 2, 0))) ->> 'bandwidth'$$),
    (7, $$SELECT gl_info(gl_affinity(gl_distance_graph(1, 2, NULL))) ->> 'edges'$$)) q(n, query)
ORDER BY n;

-- Memory.
SET graphlearn.max_memory = '1MB';
SELECT regexp_replace(pg_temp.attempt('SELECT gl_edge_graph(i, i + 1) FROM generate_series(1, 100000) i'), '[0-9.]+ [kM]B', '# MB', 'g') AS answer;
RESET graphlearn.max_memory;
