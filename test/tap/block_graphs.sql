-- If this fails, a block graph is no walk, or is another one after it was stored, moved or built in another order.
BEGIN;
SELECT plan(19);

CREATE TEMP TABLE spot AS
SELECT i AS id, ARRAY[i % 4 * 3 + sin(i * 12.9898), i % 3 * 2 + cos(i * 78.233), sin(i * 3.1)]::float8[] AS f FROM generate_series(1, 90) i;
CREATE TEMP TABLE built AS
SELECT 'one' AS name, gl_block_graph(gl_points(id, f), bandwidth => 0.7) AS g FROM spot
UNION ALL SELECT 'anchor', gl_block_graph(gl_points(id, f), 'anchor', bandwidth => 0.7) FROM spot
UNION ALL SELECT 'forest', gl_block_graph(gl_points(id, f), trees => 4, bandwidth => 0.7) FROM spot
UNION ALL SELECT 'refined', gl_refine(gl_block_graph(gl_points(id, f), bandwidth => 0.7), blocks_per_row => 9) FROM spot
UNION ALL SELECT 'learnt', gl_block_graph(gl_points(id, f), learn_bandwidth => true) FROM spot;

-- A walk: each ordered pair in one block of each tree, rows that sum to 1.
SELECT is_empty($$SELECT name, tree FROM built, gl_blocks(g) GROUP BY name, tree HAVING sum(2 * size_a * size_b) <> 90 * 89$$, 'every ordered pair is in one block of a tree');
SELECT is_empty($$SELECT name, m.id FROM built, (SELECT array_agg(id) AS ids, array_agg(1::float8) AS ones FROM spot) o, gl_multiply(g, ids, ones) m WHERE abs(m.value - 1) > 1e-12$$,
    'rows sum to 1');
SELECT is_empty($$SELECT name FROM built, gl_row(g, 7::bigint) r GROUP BY name HAVING abs(sum(probability) - 1) > 1e-12 OR bool_or(r.id = 7)$$, 'a row goes everywhere but to itself');
SELECT is((SELECT count(*)::int FROM built, gl_components(g) c WHERE c.component <> 1), 0, 'all rows hang together');

-- Fully refined it is the exact walk.
CREATE TEMP TABLE exact AS
SELECT a.id AS a, b.id AS b, exp(-w) / sum(exp(-w)) OVER (PARTITION BY a.id) AS p
FROM spot a, spot b, LATERAL (SELECT ((a.f[1] - b.f[1]) ^ 2 + (a.f[2] - b.f[2]) ^ 2 + (a.f[3] - b.f[3]) ^ 2) / (2 * 0.7 * 0.7) AS w) d WHERE a.id <> b.id;
CREATE TEMP TABLE full_walk AS SELECT gl_refine(g, blocks_per_row => 1000) AS g FROM built WHERE name = 'one';
SELECT is_empty($$SELECT * FROM exact JOIN (SELECT s.id AS a, r.id AS b, r.probability FROM spot s, full_walk, gl_row(g, s.id::bigint) r) w USING (a, b) WHERE abs(p - probability) > 1e-9$$,
    'refined to the end it is the exact walk');
SELECT cmp_ok((SELECT sum(abs(p - coalesce(probability, 0))) FROM exact LEFT JOIN (SELECT s.id AS a, r.id AS b, r.probability FROM spot s, built, gl_row(g, s.id::bigint) r WHERE name = 'refined') w USING (a, b)), '<',
    (SELECT sum(abs(p - coalesce(probability, 0))) FROM exact LEFT JOIN (SELECT s.id AS a, r.id AS b, r.probability FROM spot s, built, gl_row(g, s.id::bigint) r WHERE name = 'one') w USING (a, b)), 'refining brings it nearer');
SELECT cmp_ok((SELECT (gl_info(g) ->> 'log_likelihood')::float8 FROM built WHERE name = 'refined'), '>', (SELECT (gl_info(g) ->> 'log_likelihood')::float8 FROM built WHERE name = 'one'), 'and raises the bound');

-- The same bits: stored, sent, as text, in a CTE, whatever the order of rows.
SELECT is_empty($$SELECT name FROM built WHERE gl_graph_send(g) <> gl_graph_send((g::text)::gl_graph)$$, 'text and back');
SELECT is((SELECT string_agg(md5(gl_graph_send(g)), ' ' ORDER BY name) FROM built),
    (SELECT string_agg(md5(gl_graph_send(g)), ' ' ORDER BY name) FROM (
        SELECT 'one' AS name, gl_block_graph(gl_points(id, f ORDER BY md5(id::text)), bandwidth => 0.7) AS g FROM spot
        UNION ALL SELECT 'anchor', gl_block_graph(gl_points(id, f ORDER BY md5(id::text)), 'anchor', bandwidth => 0.7) FROM spot
        UNION ALL SELECT 'forest', gl_block_graph(gl_points(id, f ORDER BY md5(id::text)), trees => 4, bandwidth => 0.7) FROM spot
        UNION ALL SELECT 'refined', gl_refine(gl_block_graph(gl_points(id, f ORDER BY md5(id::text)), bandwidth => 0.7), blocks_per_row => 9) FROM spot
        UNION ALL SELECT 'learnt', gl_block_graph(gl_points(id, f ORDER BY md5(id::text)), learn_bandwidth => true) FROM spot) again), 'the order of rows does not matter');
SELECT set_eq($$SELECT m.* FROM (SELECT gl_points(id, f) AS p FROM spot) s, gl_multiply(gl_block_graph(s.p, trees => 3), '{1,5}', '{1,2}') m$$,
    $$WITH kept AS MATERIALIZED (SELECT gl_block_graph(gl_points(id, f), trees => 3) AS g FROM spot) SELECT m.* FROM kept, gl_multiply(g, '{1,5}', '{1,2}') m$$, 'in flight or materialised');
SELECT set_eq($$SELECT d.* FROM built, gl_density(g) d WHERE name = 'learnt'$$, $$SELECT d.* FROM built, gl_density((g::text)::gl_graph) d WHERE name = 'learnt'$$, 'densities are stored');

-- Rows never seen.
SELECT is_empty($$SELECT name FROM built, gl_row(g, ARRAY[1.0, 1.0, 0.2]::float8[]) GROUP BY name HAVING abs(sum(probability) - 1) > 1e-9$$, 'a new row''s probabilities sum to 1');
SELECT set_eq($$SELECT r.* FROM built, gl_row(g, ARRAY[1, 1, 0]) r WHERE name = 'forest'$$, $$SELECT r.* FROM built, gl_row((g::text)::gl_graph, ARRAY[1, 1, 0]::real[]) r WHERE name = 'forest'$$, 'and are stored too');
SELECT throws_ok($$SELECT * FROM (SELECT gl_block_graph(gl_points(id, f), keep_points => false) AS g FROM spot) s, gl_row(s.g, ARRAY[1, 1, 0])$$, '22023', NULL, 'without its points a graph knows no new rows');
SELECT throws_ok($$SELECT gl_refine(gl_block_graph(gl_points(id, f), keep_points => false), 5) FROM spot$$, '22023', NULL, 'nor can it be refined');

-- The farthest row is the least dense.
SELECT is((SELECT d.id FROM (SELECT gl_block_graph(gl_points(id, CASE WHEN id = 33 THEN '{90,90,90}' ELSE f END), learn_bandwidth => true) AS g FROM spot) s, gl_density(s.g) d ORDER BY log_density LIMIT 1), 33::bigint,
    'an outlier has the lowest density');

-- Damage: bytes that no build ever wrote are refused, whichever they are.
CREATE FUNCTION pg_temp.damaged(wire bytea, place int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count(*) FROM gl_blocks(encode(set_byte(wire, place, get_byte(wire, place) # 129), 'base64')::gl_graph);
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT is_empty($$SELECT p, pg_temp.damaged(gl_graph_send(g), p) FROM built, generate_series(0, 200) p WHERE name IN ('one', 'forest', 'refined') AND pg_temp.damaged(gl_graph_send(g), p) NOT IN ('accepted', '22P02', '22P03', 'XX001', '22000', '54000', '53200')$$,
    'damage is refused with a clear error or changes a mere number');
SELECT cmp_ok((SELECT count(*)::int FROM built, generate_series(0, 60) p WHERE name = 'one' AND pg_temp.damaged(gl_graph_send(g), p) <> 'accepted'), '>', 20, 'most of a header must be right');
SELECT ok((SELECT bool_and(pg_temp.damaged(gl_graph_send(g), p) <> 'accepted') FROM built, generate_series(0, 3) p WHERE name = 'one'), 'so must the magic number');
SELECT * FROM finish();
ROLLBACK;
