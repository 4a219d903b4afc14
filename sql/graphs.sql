-- If this fails, a graph is not the graph its options describe, or an option is taken that should be refused.

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

-- Five rows on a line at 0, 1, 3, 6, 10.
CREATE TEMP TABLE line (id bigint, f int[]);
INSERT INTO line VALUES (1, '{0}'), (2, '{1}'), (3, '{3}'), (4, '{6}'), (5, '{10}');
CREATE TEMP TABLE given AS SELECT gl_points(id, f) AS p FROM line;
ANALYZE line, given;

SELECT symmetry, weights, pg_temp.edge_list(gl_knn_graph(p, 1, weights => weights, symmetry => symmetry)) AS edges
FROM given, (VALUES (1, 'sum'), (2, 'union'), (3, 'mutual'), (4, 'directed')) s(s, symmetry),
     (VALUES (1, 'binary'), (2, 'distance')) w(w, weights)
ORDER BY w, s;
SELECT pg_temp.edge_list(gl_radius_graph(p, 3, weights => 'distance')) AS closer_than_3 FROM given;
SELECT pg_temp.edge_list(gl_radius_graph(p, 3.000001, weights => 'binary')) AS closer_than_a_little_more FROM given;
SELECT pg_temp.edge_list(gl_tree_graph(p, weights => 'distance')) AS tree FROM given;
SELECT pg_temp.edge_list(gl_full_graph(p, weights => 'distance')) AS every_pair FROM given;
SELECT pg_temp.edge_list(gl_full_graph(p, weights => 'gaussian', bandwidth => 2)) AS gaussian FROM given;

-- Equal distances: the smaller id is the nearer one.
SELECT pg_temp.edge_list(gl_knn_graph(gl_points(id, f), 1, weights => 'binary', symmetry => 'directed')) AS ties
FROM (VALUES (1, '{0}'::int[]), (2, '{1}'), (3, '{2}'), (4, '{3}')) v(id, f);

-- Every builder, metric, weights and symmetry against plain SQL on whole
-- numbers, whose distances tie often and exactly.
CREATE TEMP TABLE cloud AS
SELECT i AS id, ARRAY[(i * 37) % 11 + 1, (i * i) % 13, (i * 5) % 7] AS f FROM generate_series(1, 60) i;
CREATE TEMP TABLE cloud_points AS SELECT gl_points(id, f) AS p FROM cloud;
ANALYZE cloud, cloud_points;

-- Chord: the length that kernels and ranks use; for cosine that of unit rows.
CREATE TEMP TABLE pairs AS
SELECT metric, a.id AS i, b.id AS j, l.chord, l.distance, l.similarity,
       row_number() OVER (PARTITION BY metric, a.id ORDER BY l.rank_by, b.id) AS rank
FROM cloud a JOIN cloud b ON a.id <> b.id CROSS JOIN (VALUES ('euclidean'), ('cosine')) m(metric)
CROSS JOIN LATERAL (SELECT sum((x - y) ^ 2)::numeric AS squares, sum(x * y)::numeric AS product, sum(x * x)::numeric AS xx, sum(y * y)::numeric AS yy
                    FROM unnest(a.f, b.f) u(x, y)) q
CROSS JOIN LATERAL (SELECT CASE metric WHEN 'euclidean' THEN sqrt(q.squares) ELSE sqrt(greatest(0, 2 - 2 * q.product / sqrt(q.xx * q.yy))) END::float8 AS chord,
                           CASE metric WHEN 'euclidean' THEN sqrt(q.squares) ELSE 1 - q.product / sqrt(q.xx * q.yy) END::float8 AS distance,
                           CASE metric WHEN 'euclidean' THEN q.squares ELSE round(2 - 2 * q.product / sqrt(q.xx * q.yy), 12) END AS rank_by,
                           greatest(0, q.product / sqrt(q.xx * q.yy))::float8 AS similarity) l;

-- The weight of each ordered pair by each kernel.  The local scale is the
-- distance to the seventh neighbour, or to the last of fewer in a kNN graph.
CREATE INDEX ON pairs (metric, i, rank);
ANALYZE pairs;
CREATE TEMP TABLE kernel AS
SELECT p.metric, builder, p.i, p.j, p.rank, p.distance, w.weights, w.weight
FROM (VALUES ('knn', 5), ('radius', 7), ('full', 7)) v(builder, scale_rank)
CROSS JOIN pairs p JOIN pairs si ON si.metric = p.metric AND si.i = p.i AND si.rank = scale_rank JOIN pairs sj ON sj.metric = p.metric AND sj.i = p.j AND sj.rank = scale_rank
JOIN (SELECT metric, avg(chord) / 4 AS bandwidth FROM pairs WHERE rank = 10 GROUP BY metric) b ON b.metric = p.metric
CROSS JOIN LATERAL (VALUES ('adaptive', exp(-2 * p.chord * p.chord / (si.chord * sj.chord))), ('gaussian', exp(-p.chord * p.chord / (2 * bandwidth * bandwidth))),
                           ('binary', 1), ('distance', p.distance), ('similarity', p.similarity)) w(weights, weight)
WHERE CASE builder WHEN 'knn' THEN p.rank <= 5 WHEN 'radius' THEN p.distance < CASE p.metric WHEN 'euclidean' THEN 4 ELSE 0.1 END ELSE true END
  AND (w.weight > 0 OR w.weights = 'distance');
ANALYZE kernel;
CREATE TEMP TABLE expected AS
SELECT metric, builder, weights, 'directed' AS symmetry, i AS source, j AS target, weight FROM kernel WHERE builder = 'knn'
UNION ALL
SELECT metric, builder, weights, symmetry, i, j,
       CASE WHEN weights = 'distance' OR symmetry = 'none' THEN coalesce(a.weight, b.weight)
            WHEN symmetry = 'sum' THEN (coalesce(a.weight, 0) + coalesce(b.weight, 0)) / 2
            WHEN symmetry = 'union' THEN greatest(a.weight, b.weight)
            ELSE least(a.weight, b.weight) END
FROM (SELECT * FROM kernel WHERE i < j) a
FULL JOIN (SELECT metric, builder, weights, j AS i, i AS j, weight FROM kernel WHERE i > j) b USING (metric, builder, weights, i, j)
JOIN (VALUES ('knn', 'sum'), ('knn', 'union'), ('knn', 'mutual'), ('radius', 'none'), ('full', 'none')) s(builder, symmetry) USING (builder)
WHERE symmetry <> 'mutual' OR (a.weight IS NOT NULL AND b.weight IS NOT NULL);

CREATE TEMP TABLE built AS
SELECT metric, builder, weights, symmetry, g
FROM cloud_points, (VALUES ('euclidean', 4::float8), ('cosine', 0.1)) m(metric, radius),
     (VALUES ('adaptive'), ('gaussian'), ('binary'), ('distance'), ('similarity')) w(weights),
     (VALUES ('knn', 'sum'), ('knn', 'union'), ('knn', 'mutual'), ('knn', 'directed'), ('radius', 'none'), ('full', 'none')) b(builder, symmetry)
CROSS JOIN LATERAL (SELECT CASE builder
    WHEN 'knn' THEN gl_knn_graph(p, 5, metric, weights, symmetry)
    WHEN 'radius' THEN gl_radius_graph(p, radius, metric, weights)
    WHEN 'full' THEN gl_full_graph(p, metric, weights) END AS g) s
WHERE weights <> 'similarity' OR metric = 'cosine';

-- Edges of parallel rows have a similarity of exactly 1 or a length of about
-- 0: tolerance is absolute.
CREATE TEMP TABLE told AS SELECT metric, builder, weights, symmetry, e.* FROM built, gl_edges(g) e;
ANALYZE expected, told;
SELECT metric, builder, weights, symmetry, count(t.weight) AS edges,
       count(*) FILTER (WHERE t.weight IS NULL OR x.weight IS NULL) AS not_in_both,
       bool_and(abs(t.weight - x.weight) < 1e-7) AS same_weights
FROM told t FULL JOIN expected x USING (metric, builder, weights, symmetry, source, target)
WHERE weights <> 'similarity' OR metric = 'cosine'
GROUP BY metric, builder, weights, symmetry
ORDER BY metric DESC, builder COLLATE "C", weights COLLATE "C", symmetry COLLATE "C";

-- A tree: n - 1 edges, one component, no heavier than Kruskal's (same sum of
-- lengths), edges taken from the full graph with its weights.
SELECT metric, weights, gl_info(t) ->> 'edges' AS edges, gl_info(t) ->> 'components' AS components,
       (SELECT count(*) FROM gl_edges(t) a JOIN gl_edges(b.g) f ON f.source = a.source AND f.target = a.target WHERE abs(a.weight - f.weight) < 1e-12) AS from_full
FROM cloud_points, built b, LATERAL (SELECT gl_tree_graph(p, b.metric, b.weights) AS t) s
WHERE b.builder = 'full'
ORDER BY metric DESC, weights COLLATE "C";
CREATE FUNCTION pg_temp.kruskal() RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    total float8 := 0;
    home int[] := (SELECT array_agg(i) FROM generate_series(1, 60) i);
    pair record;
BEGIN
    FOR pair IN SELECT * FROM pairs WHERE metric = 'euclidean' AND i < j ORDER BY distance, i, j LOOP
        IF home[pair.i] <> home[pair.j] THEN
            total := total + pair.distance;
            home := (SELECT array_agg(CASE h WHEN home[pair.j] THEN home[pair.i] ELSE h END ORDER BY o) FROM unnest(home) WITH ORDINALITY u(h, o));
        END IF;
    END LOOP;
    RETURN total;
END $$;
SELECT abs(sum(weight) - pg_temp.kruskal()) < 1e-9 AS least_sum FROM cloud_points, gl_edges(gl_tree_graph(p, weights => 'distance'));

-- The recommended graph is the kNN graph with its defaults: ten neighbours.
SELECT gl_graph_send(gl_graph(p)) = gl_graph_send(gl_knn_graph(p)) AS same,
       gl_graph_send(gl_graph(p)) = gl_graph_send(gl_knn_graph(p, 10)) AS same_as_ten,
       gl_graph_send(gl_graph(p, metric => 'cosine', scale => 'standard', keep_points => false, seed => 7))
     = gl_graph_send(gl_knn_graph(p, metric => 'cosine', scale => 'standard', keep_points => false, seed => 7)) AS same_with_options
FROM cloud_points;
SELECT gl_info(gl_graph(p)) - 'bytes' AS info FROM cloud_points;

-- gl_graph(points) is a call, not a cast: there is no cast between the types.
SELECT count(*) AS casts FROM pg_cast WHERE castsource = 'gl_points'::regtype OR casttarget IN ('gl_points'::regtype, 'gl_graph'::regtype);
SELECT pg_temp.attempt('SELECT p::gl_graph FROM cloud_points') AS cast_refused;

-- A default k is lowered to what there is, an explicit one is not.
SELECT gl_info(gl_knn_graph(p)) ->> 'k' AS lowered, gl_info(gl_graph(p)) ->> 'k' AS lowered_too,
       gl_info(gl_knn_graph(p, 4)) ->> 'k' AS given FROM given;
SELECT gl_info(gl_knn_graph(p, NULL)) ->> 'k' AS null_is_the_default FROM cloud_points;

-- Refusals.
SELECT n, pg_temp.attempt('SELECT gl_info(' || call || ') FROM given, cloud_points c') AS answer
FROM (VALUES
    (1, $$gl_knn_graph(given.p, 5)$$),
    (2, $$gl_knn_graph(given.p, 0)$$),
    (3, $$gl_knn_graph(given.p, -3)$$),
    (4, $$gl_knn_graph(given.p, 2147483647)$$),
    (5, $$gl_knn_graph(given.p, metric => 'manhattan')$$),
    (6, $$gl_knn_graph(given.p, weights => 'heavy')$$),
    (7, $$gl_knn_graph(given.p, symmetry => 'Sum')$$),
    (8, $$gl_knn_graph(given.p, scale => 'minmax')$$),
    (9, $$gl_knn_graph(given.p, metric => '')$$),
    (10, $$gl_knn_graph(given.p, weights => 'similarity')$$),
    (11, $$gl_knn_graph(given.p, bandwidth => 1)$$),
    (12, $$gl_knn_graph(given.p, weights => 'gaussian', bandwidth => 0)$$),
    (13, $$gl_knn_graph(given.p, weights => 'gaussian', bandwidth => -1)$$),
    (14, $$gl_knn_graph(given.p, weights => 'gaussian', bandwidth => 'NaN')$$),
    (15, $$gl_knn_graph(given.p, weights => 'gaussian', bandwidth => 'Infinity')$$),
    (16, $$gl_radius_graph(given.p, 0)$$),
    (17, $$gl_radius_graph(given.p, -1)$$),
    (18, $$gl_radius_graph(given.p, 'NaN')$$),
    (19, $$gl_radius_graph(given.p, 'Infinity')$$),
    (20, $$gl_radius_graph(given.p, NULL)$$),
    (21, $$gl_radius_graph(given.p)$$),
    (22, $$gl_radius_graph(given.p, 1, symmetry => 'union')$$),
    (23, $$gl_knn_graph(given.p, metric => 'cosine')$$),
    (24, $$gl_full_graph(given.p, metric => 'cosine')$$),
    (25, $$gl_tree_graph(given.p, weights => 'adaptiv')$$),
    (26, $$gl_full_graph(given.p, bandwidth => 3)$$),
    (27, $$gl_graph(given.p, metric => 'hamming')$$),
    (28, $$gl_graph(given.p, k => 3)$$),
    (29, $$gl_knn_graph(c.p, metric => 'euclidean; DROP TABLE x --')$$),
    (30, $$gl_knn_graph(c.p, kk => 3)$$),
    (31, $$gl_knn_graph((SELECT gl_points(1, '{1}'::int[])), 1)$$)) q(n, call)
ORDER BY n;

-- One bad row at the far end is named.
SELECT pg_temp.attempt($$SELECT gl_knn_graph(gl_points(i, CASE i WHEN 77 THEN '{0,0}' ELSE ARRAY[i, 1] END), metric => 'cosine') FROM generate_series(1, 77) i$$) AS zero_vector;

-- Columns of different scale: said once, and not when scale was chosen.
CREATE TEMP TABLE uneven AS SELECT gl_points(i, ARRAY[i % 3, i % 5, i * 100]) AS p FROM generate_series(1, 20) i;
SELECT gl_info(gl_graph(p)) ->> 'scale' AS told FROM uneven;
SELECT gl_info(gl_knn_graph(p, 3)) ->> 'scale' AS told FROM uneven;
SELECT gl_info(gl_radius_graph(p, 101)) ->> 'scale' AS told FROM uneven;
SELECT gl_info(gl_tree_graph(p)) ->> 'scale' AS told FROM uneven;
SELECT gl_info(gl_full_graph(p)) ->> 'scale' AS told FROM uneven;
SELECT gl_info(gl_graph(p, scale => 'none')) ->> 'scale' AS silent FROM uneven;
SELECT gl_info(gl_graph(p, scale => 'standard')) ->> 'scale' AS silent FROM uneven;
SELECT gl_info(gl_knn_graph(p, 3, scale => 'none')) ->> 'scale' AS silent FROM uneven;
SELECT gl_info(gl_graph(p)) ->> 'scale' AS even_columns FROM cloud_points;
-- A constant column has no deviation and does not count.
SELECT gl_info(gl_graph(gl_points(i, ARRAY[i, 5, 5, 5]))) ->> 'scale' AS constant_columns FROM generate_series(1, 20) i;

-- Standard scale: the same graph as that of columns scaled in SQL.
SELECT c.*
FROM (SELECT gl_knn_graph(gl_points(i, ARRAY[i % 3, i % 5, i * 100]), 4, scale => 'standard') AS g,
             gl_knn_graph(gl_points(i, ARRAY[(i % 3) / s1, (i % 5) / s2, i * 100 / s3]), 4, scale => 'none') AS h
      FROM generate_series(1, 20) i,
           (SELECT stddev_pop((i % 3)::float8) AS s1, stddev_pop((i % 5)::float8) AS s2, stddev_pop((i * 100)::float8) AS s3 FROM generate_series(1, 20) i) s) q,
     LATERAL (SELECT count(*) AS edges, bool_and(abs(coalesce(a.weight, 9) - coalesce(b.weight, 99)) < 1e-9) AS same_weights
              FROM gl_edges(q.g) a FULL JOIN gl_edges(q.h) b ON a.source = b.source AND a.target = b.target) c;

-- The bandwidth in use is reported: a quarter of the mean tenth distance.
SELECT metric, abs((gl_info(gl_knn_graph(p, metric => metric, weights => 'gaussian')) ->> 'bandwidth')::float8
                   - (SELECT avg(chord) / 4 FROM pairs x WHERE x.metric = m.metric AND rank = 10)) < 1e-9 AS as_documented,
       gl_info(gl_knn_graph(p, metric => metric, weights => 'gaussian', bandwidth => 0.5)) ->> 'bandwidth' AS given,
       gl_info(gl_knn_graph(p, metric => metric)) ? 'bandwidth' AS none_where_unused
FROM cloud_points, (VALUES ('euclidean'), ('cosine')) m(metric) ORDER BY metric;
-- Above a thousand rows it comes from a sample, chosen by the seed alone.
WITH big AS MATERIALIZED (SELECT gl_points(i, ARRAY[(i * 7919) % 1009, (i * 104729) % 997]) AS p FROM generate_series(1, 1500) i),
     chosen AS (SELECT seed, (gl_info(gl_tree_graph(p, weights => 'gaussian', seed => seed, keep_points => false)) ->> 'bandwidth')::float8 AS bandwidth
                FROM big, (VALUES (0), (0), (1), (-9223372036854775808)) v(seed))
SELECT count(DISTINCT bandwidth) AS by_seed, max(bandwidth) / min(bandwidth) < 1.05 AS close FROM chosen;

-- keep_points.
SELECT keep, gl_info(g) ->> 'keeps_points' AS keeps_points, gl_info(g) ->> 'dimensions' AS dimensions, gl_info(g) ->> 'values' AS kept
FROM cloud_points, (VALUES (true), (false), (NULL)) k(keep), LATERAL (SELECT gl_knn_graph(p, 3, keep_points => keep) AS g) s
ORDER BY keep;

-- One row, two rows, rows that are all equal, rows far from 1.
SELECT name, builder, info ->> 'n' AS n, info ->> 'edges' AS edges, info ->> 'components' AS components, info ->> 'isolated' AS isolated, weights
FROM (SELECT 'one' AS name, gl_points(5, '{1,2}'::int[]) AS p
      UNION ALL SELECT 'two', gl_points(i, ARRAY[i, 2 * i]) FROM generate_series(1, 2) i
      UNION ALL SELECT 'all equal', gl_points(i, '{3,4}'::int[]) FROM generate_series(1, 12) i
      UNION ALL SELECT 'tiny', gl_points(i, ARRAY[i * 1e-300, 1e-300]) FROM generate_series(1, 12) i
      UNION ALL SELECT 'huge', gl_points(i, ARRAY[i * 1e300, 1e300]) FROM generate_series(1, 12) i) d,
     LATERAL (VALUES ('knn', gl_knn_graph(p)), ('radius', gl_radius_graph(p, 1e-3)), ('tree', gl_tree_graph(p)), ('full', gl_full_graph(p)),
                     ('gaussian', gl_knn_graph(p, weights => 'gaussian')), ('cosine', gl_knn_graph(p, metric => 'cosine', weights => 'similarity'))) b(builder, g),
     LATERAL (SELECT gl_info(g) AS info) i,
     LATERAL (SELECT format('%s to %s', round(min(weight)::numeric, 6)::float8, round(max(weight)::numeric, 6)::float8) AS weights FROM gl_edges(g)) w
ORDER BY name COLLATE "C", builder COLLATE "C";

-- Many copies of few rows: neighbours are copies, smallest ids first, and
-- nobody is a neighbour of itself.
SELECT pg_temp.edge_list(gl_knn_graph(gl_points(i, ARRAY[i % 2]), 2, weights => 'distance', symmetry => 'directed')) AS copies
FROM generate_series(1, 8) i;

-- The memory limit: said before the work, with the need and what lowers it.
CREATE TEMP TABLE sized AS
SELECT n, (SELECT gl_points(i, ARRAY[i]) FROM generate_series(1, n) i) AS p FROM (VALUES (100), (1000), (10000), (60000)) v(n);
ANALYZE sized;
CREATE TEMP TABLE md5s AS SELECT md5(gl_graph_send(gl_full_graph(p))) AS md5 FROM sized WHERE n = 100;
SET graphlearn.max_memory = '2MB';
SELECT call, regexp_replace(pg_temp.attempt('SELECT gl_info(' || call || ') ->> ''edges'' FROM sized WHERE n = ' || n), '[0-9.]+ [kM]B', '# MB', 'g') AS answer
FROM (VALUES
    (1000, 'gl_full_graph(p)'),
    (10000, 'gl_knn_graph(p, 100)'),
    (1000, 'gl_radius_graph(p, 500)'),
    (60000, 'gl_tree_graph(p)'),
    (60000, 'gl_graph(p)'),
    (100, 'gl_full_graph(p)')) q(n, call)
ORDER BY n, call COLLATE "C";
-- What fits is the same whatever the limit.
INSERT INTO md5s SELECT md5(gl_graph_send(gl_full_graph(p))) FROM sized WHERE n = 100;
SELECT count(*) AS made, count(DISTINCT md5) AS different FROM md5s;
SET graphlearn.max_memory = 0;
SET graphlearn.max_memory = '64kB';
RESET graphlearn.max_memory;
SET graphlearn.no_such_setting = 1;
