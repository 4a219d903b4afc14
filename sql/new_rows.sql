-- If this fails, a row never seen is joined to the wrong rows, or a bad one is taken.

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

-- Two clouds of 100 rows each, on lattices of irrational steps.
CREATE TEMP TABLE cloud AS
SELECT i AS id, ARRAY[c * 4 + i * sqrt(2) - floor(i * sqrt(2)), c * 3 + i * sqrt(3) - floor(i * sqrt(3)), 1 + i * sqrt(5) - floor(i * sqrt(5))] AS x
FROM (SELECT i, (i > 100)::int AS c FROM generate_series(1, 200) i) s;
CREATE TEMP TABLE made AS
SELECT 'knn' AS name, gl_knn_graph(p, 10, weights => 'gaussian', bandwidth => 0.3) AS g FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'adaptive', gl_knn_graph(p) FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'radius', gl_radius_graph(p, 0.5, weights => 'gaussian', bandwidth => 0.3) FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'block', gl_block_graph(p, bandwidth => 0.3) FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'forest', gl_block_graph(p, trees => 4, bandwidth => 0.3) FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'loose', gl_block_graph(p, bandwidth => 0.3, keep_points => false) FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'bare', gl_knn_graph(p, keep_points => false) FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'lengths', gl_knn_graph(p, weights => 'distance') FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'tree', gl_tree_graph(p) FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'full', gl_full_graph(p) FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'edges', gl_edge_graph(id, id + 1) FROM cloud
UNION ALL SELECT 'kl', gl_block_graph(p, metric => 'kl') FROM (SELECT gl_points(id, x) AS p FROM cloud) s
UNION ALL SELECT 'cosine', gl_knn_graph(p, metric => 'cosine', scale => 'standard') FROM (SELECT gl_points(id, x) AS p FROM cloud) s;
ANALYZE cloud, made;

-- Probabilities sum to 1, come by id, and stay in the cloud of the new row.
SELECT name, count(*) AS rows, round(sum(probability)::numeric, 9) AS total, bool_and(probability > 0) AS positive, bool_and(id > before) AS by_id,
       round(sum(probability) FILTER (WHERE id <= 100)::numeric, 4) AS near
FROM (SELECT name, r.*, lag(r.id, 1, 0::bigint) OVER (PARTITION BY name ORDER BY r.n) AS before FROM made, gl_row(g, ARRAY[0.4, 0.6, 1.5], 0) WITH ORDINALITY r(id, probability, n)
      WHERE name IN ('knn', 'adaptive', 'radius', 'block', 'forest', 'cosine')) s GROUP BY name ORDER BY name COLLATE "C";

-- Against the kernel written down in SQL: 10 nearest, all within the radius, all rows.
WITH asked AS (SELECT q, ARRAY[0.1 * q, 0.7, 1.2 + 0.03 * q] AS y FROM generate_series(1, 20) q),
distance AS (SELECT q, id, sqrt((x[1] - y[1]) ^ 2 + (x[2] - y[2]) ^ 2 + (x[3] - y[3]) ^ 2) AS d FROM asked, cloud),
kernel AS (SELECT q, id, d, exp(-d * d / (2 * 0.3 ^ 2)) AS w, row_number() OVER (PARTITION BY q ORDER BY d, id) AS rank FROM distance),
wanted AS (SELECT name, q, id, w / sum(w) OVER (PARTITION BY name, q) AS p
           FROM kernel, (VALUES ('knn'), ('radius'), ('block'), ('forest')) n(name)
           WHERE name IN ('block', 'forest') OR name = 'knn' AND rank <= 10 OR name = 'radius' AND d < 0.5),
found AS (SELECT name, q, r.* FROM made, asked, gl_row(g, y, 1e-9) r WHERE name IN ('knn', 'radius', 'block', 'forest'))
SELECT name, count(*) FILTER (WHERE abs(coalesce(p, 0) - coalesce(probability, 0)) > 1e-8) AS wrong, count(DISTINCT q) AS asked
FROM wanted FULL JOIN found USING (name, q, id) GROUP BY name ORDER BY name COLLATE "C";

-- A looser tolerance costs no more than it says.
SELECT name, tolerance, max(abs(l.probability - e.probability)) <= tolerance AS within, round(sum(l.probability)::numeric, 9) AS total
FROM made, (VALUES (1.0), (0.1), (0.01)) t(tolerance), gl_row(g, ARRAY[0.4, 0.6, 1.5], tolerance) l JOIN LATERAL gl_row(g, ARRAY[0.4, 0.6, 1.5], 0) e USING (id)
WHERE name IN ('block', 'forest') GROUP BY name, tolerance ORDER BY name COLLATE "C", tolerance;
SELECT name, bool_and(d.probability = t.probability) AS default_is_001
FROM made, gl_row(g, ARRAY[0.4, 0.6, 1.5]) d JOIN LATERAL gl_row(g, ARRAY[0.4, 0.6, 1.5], tolerance => 0.01) t USING (id) WHERE name = 'forest' GROUP BY name;
SELECT round(sum(probability)::numeric, 9) AS kl FROM made, gl_row(g, ARRAY[1, 2, 3]) WHERE name = 'kl';

-- Six types of arrays, one answer; an id is still an id.
SELECT name, count(DISTINCT answer) AS answers, count(*) AS types
FROM made, LATERAL (VALUES
    ((SELECT md5(string_agg(r::text, ' ' ORDER BY id)) FROM gl_row(g, '{0,1,2}'::float8[]) r)), ((SELECT md5(string_agg(r::text, ' ' ORDER BY id)) FROM gl_row(g, '{0,1,2}'::real[]) r)),
    ((SELECT md5(string_agg(r::text, ' ' ORDER BY id)) FROM gl_row(g, '{0,1,2}'::numeric[]) r)), ((SELECT md5(string_agg(r::text, ' ' ORDER BY id)) FROM gl_row(g, '{0,1,2}'::smallint[]) r)),
    ((SELECT md5(string_agg(r::text, ' ' ORDER BY id)) FROM gl_row(g, '{0,1,2}'::int[]) r)), ((SELECT md5(string_agg(r::text, ' ' ORDER BY id)) FROM gl_row(g, '{0,1,2}'::bigint[]) r))) v(answer)
WHERE name IN ('knn', 'block', 'forest') GROUP BY name ORDER BY name COLLATE "C";
SELECT count(*) AS of_an_id FROM made, gl_row(g, 5) WHERE name = 'block';
SELECT count(*) AS of_an_array FROM made, gl_row(g, ARRAY[1, 2, 3]) WHERE name = 'knn';
-- NULL alone could be either.
SELECT pg_temp.attempt('SELECT * FROM made, gl_row(g, NULL)') AS vague;

-- One row, and nothing near enough.
SELECT id, probability FROM gl_row((SELECT gl_knn_graph(gl_points(7, '{1}'::int[]))), ARRAY[3]);
SELECT id, probability FROM gl_row((SELECT gl_block_graph(gl_points(7, '{1}'::int[]))), ARRAY[3]);
SELECT count(*) AS far_away FROM made, gl_row(g, ARRAY[50, 50, 50]) WHERE name = 'radius';

-- NULL in each argument in turn.
SELECT count(*) AS no_graph FROM gl_row(NULL::gl_graph, ARRAY[1, 2, 3]);
SELECT count(*) AS no_features FROM made, gl_row(g, NULL::float8[]);
SELECT name, bool_and(d.probability = t.probability) AS default_tolerance
FROM made, gl_row(g, ARRAY[0.4, 0.6, 1.5]) d JOIN LATERAL gl_row(g, ARRAY[0.4, 0.6, 1.5], NULL) t USING (id) WHERE name = 'block' GROUP BY name;

-- Refusals.
SELECT n, name, pg_temp.attempt('SELECT count(*) FROM made, gl_row(g, ' || arguments || ') WHERE name = ' || quote_literal(name)) AS answer
FROM (VALUES
    (1, 'knn', 'ARRAY[1,2]'), (2, 'block', 'ARRAY[1,2,3,4]'), (3, 'knn', '''{}''::int[]'), (4, 'forest', '''{}''::real[]'),
    (5, 'knn', '''{1,NaN,2}''::float8[]'), (6, 'block', '''{1,2,Infinity}''::real[]'), (7, 'knn', '''{1,2,1e400}''::numeric[]'),
    (8, 'knn', '''{1,NULL,2}''::bigint[]'), (9, 'block', '''{{1,2,3}}''::smallint[]'), (10, 'loose', 'ARRAY[1,2,3]'), (11, 'bare', 'ARRAY[1,2,3]'),
    (12, 'lengths', 'ARRAY[1,2,3]'), (13, 'tree', 'ARRAY[1,2,3]'), (14, 'full', 'ARRAY[1,2,3]'), (15, 'edges', 'ARRAY[1,2,3]'),
    (16, 'block', 'ARRAY[1,2,3], -1'), (17, 'block', 'ARRAY[1,2,3], ''NaN'''), (18, 'block', '''{1e200,0,0}''::float8[]'), (19, 'kl', 'ARRAY[-1,2,3]'),
    (20, 'cosine', 'ARRAY[0,0,0]')) q(n, name, arguments)
ORDER BY n;

-- Stored and in flight: the same row; many rows in one query.
SELECT count(*) AS same FROM (SELECT gl_block_graph(gl_points(id, x), bandwidth => 0.3) AS g FROM cloud) s, gl_row(s.g, ARRAY[0.4, 0.6, 1.5]) a
JOIN (SELECT r.* FROM made, gl_row(g, ARRAY[0.4, 0.6, 1.5]) r WHERE name = 'block') b USING (id, probability);
SELECT count(DISTINCT q) AS asked, round(sum(probability)::numeric, 9) AS total FROM made, generate_series(1, 10) q, gl_row(g, ARRAY[0.1 * q, 0.5, 1.5]) WHERE name = 'forest';
