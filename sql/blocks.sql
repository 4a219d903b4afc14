-- If this fails, block graphs give another walk, other errors, or do not survive storage.

\set SHOW_CONTEXT never

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
-- Two groups of rows, numbers between 0 and 1 so that every metric takes them.
CREATE TEMP TABLE cloud AS
SELECT i AS id, i % 2 AS truth, ARRAY[0.2 + i % 2 * 0.5 + (i * 48271 % 89) / 900.0, 0.3 + (i * 69621 % 97) / 500.0, 0.1 + (i * 7919 % 83) / 110.0]::float8[] AS f
FROM generate_series(1, 120) i;
CREATE TEMP TABLE given AS SELECT gl_points(id, f) AS p FROM cloud;
ANALYZE cloud, given;

-- ---- trees, metrics, options ----------------------------------------------

CREATE TEMP TABLE made (name text, g gl_graph);
INSERT INTO made SELECT 'plain', gl_block_graph(p) FROM given;
INSERT INTO made SELECT tree, gl_block_graph(p, tree) FROM given, unnest('{bisect,random,anchor}'::text[]) tree;
INSERT INTO made SELECT metric, gl_block_graph(p, metric => metric) FROM given, unnest('{euclidean,cosine,counts,kl,itakura_saito,logistic,mahalanobis}'::text[]) metric;
INSERT INTO made SELECT 'anchor ' || metric, gl_block_graph(p, 'anchor', metric => metric) FROM given, unnest('{cosine,counts,kl,itakura_saito,logistic,mahalanobis}'::text[]) metric;
INSERT INTO made SELECT 'forest', gl_block_graph(p, trees => 8) FROM given
UNION ALL SELECT 'forest of bisect', gl_block_graph(p, 'bisect', trees => 2) FROM given
UNION ALL SELECT 'learnt', gl_block_graph(p, learn_bandwidth => true) FROM given
UNION ALL SELECT 'learnt forest', gl_block_graph(p, trees => 3, learn_bandwidth => true) FROM given
UNION ALL SELECT 'learnt counts', gl_block_graph(p, metric => 'counts', learn_bandwidth => true) FROM given
UNION ALL SELECT 'wide', gl_block_graph(p, bandwidth => 1e6) FROM given
UNION ALL SELECT 'narrow', gl_block_graph(p, bandwidth => 1e-6) FROM given
UNION ALL SELECT 'scaled', gl_block_graph(p, scale => 'standard') FROM given
UNION ALL SELECT 'smoothed', gl_block_graph(p, metric => 'counts', smoothing => 2) FROM given
UNION ALL SELECT 'real', gl_block_graph(gl_points(id, f::real[])) FROM cloud
UNION ALL SELECT 'bare', gl_block_graph(p, keep_points => false) FROM given;
SELECT name, i ->> 'kind' AS kind, i ->> 'n' AS n, i ->> 'tree' AS tree, i ->> 'trees' AS trees, i ->> 'blocks' AS blocks, i ->> 'metric' AS metric, i ->> 'scale' AS scale,
       i ->> 'smoothing' AS smoothing, round((i ->> 'bandwidth')::numeric, 4) AS bandwidth, i ->> 'learn_bandwidth' AS learnt, round((i ->> 'log_likelihood')::numeric, 2) AS log_likelihood,
       i ->> 'meaning' AS meaning, i ->> 'symmetric' AS symmetric, i ->> 'components' AS parts, i ->> 'keeps_points' AS points
FROM made, gl_info(g) i ORDER BY name COLLATE "C";
-- A default is what it says.
SELECT count(DISTINCT md5(gl_graph_send(g))) AS one FROM made WHERE name IN ('plain', 'bisect', 'euclidean');
-- A random tree depends on the seed, and only a random tree does.
SELECT tree, gl_graph_send(gl_block_graph(p, tree, seed => 7, bandwidth => 1)) = gl_graph_send(gl_block_graph(p, tree, seed => 7, bandwidth => 1)) AS same,
       (SELECT sum(q_ab) FROM gl_blocks(gl_block_graph(p, tree, seed => 7, bandwidth => 1))) <> (SELECT sum(q_ab) FROM gl_blocks(gl_block_graph(p, tree, seed => 8, bandwidth => 1))) AS other_seed
FROM given, unnest('{random}'::text[]) tree;
-- Learning never makes the likelihood less.
SELECT (gl_info(b.g) ->> 'log_likelihood')::float8 >= (gl_info(a.g) ->> 'log_likelihood')::float8 AS better FROM made a, made b WHERE a.name = 'plain' AND b.name = 'learnt';

-- ---- laws of the walk -----------------------------------------------------

SELECT name, count(*) AS rows, bool_and(abs(total - 1) < 1e-9 AND (others = 119 OR name = 'narrow') AND least >= 0) AS rows_sum_to_1
FROM made, cloud c, LATERAL (SELECT sum(probability) AS total, count(*) AS others, min(probability) AS least FROM gl_row(g, c.id) WHERE id <> c.id) r GROUP BY name ORDER BY name COLLATE "C";
SELECT bool_and(NOT EXISTS (SELECT FROM gl_row(g, c.id) WHERE id = c.id AND probability > 0)) AS never_stays FROM made, cloud c WHERE name IN ('plain', 'forest');
-- Blocks cover every ordered pair of rows once, and every row has mass 1.
SELECT name, tree, count(*) AS pairs, sum(2 * size_a::bigint * size_b) = 120 * 119 AS cover, round(sum(size_a::bigint * size_b * (q_ab + q_ba))::numeric, 6) AS mass
FROM made, gl_blocks(g) WHERE name IN ('plain', 'anchor', 'forest of bisect', 'counts') GROUP BY name, tree ORDER BY name COLLATE "C", tree;
-- A wide kernel is a walk to anywhere.
SELECT bool_and(abs(probability - 1.0 / 119) < 1e-9) AS uniform FROM made, gl_row(g, 5) WHERE name = 'wide' AND id <> 5;
SELECT bool_and(abs(d.degree - 1) < 1e-9) AS degrees_are_1 FROM made, gl_degrees(g) d;
SELECT name, bool_and(abs(m.value - 1) < 1e-9) AS constants FROM made, gl_multiply(g, (SELECT array_agg(id::bigint) FROM cloud), (SELECT array_agg(1.0::float8) FROM cloud)) m
WHERE name IN ('plain', 'forest', 'kl', 'bare') GROUP BY name ORDER BY name;
SELECT name, bool_and(abs(m.value - coalesce((SELECT probability FROM gl_row(g, m.id) r WHERE r.id = 5), 0)) < 1e-12) AS a_product_is_a_column FROM made, gl_multiply(g, '{5}', '{1}') m
WHERE name IN ('plain', 'forest', 'kl') GROUP BY name ORDER BY name;
-- The density is a bound from below of the kernel's density; likelihood is its sum.
SELECT bool_and(b.log_density <= ln(k.density) + 1e-9) AS below, count(*) AS rows
FROM made m, gl_density(m.g) b,
     LATERAL (SELECT avg(exp(-((x.f[1] - y.f[1]) ^ 2 + (x.f[2] - y.f[2]) ^ 2 + (x.f[3] - y.f[3]) ^ 2) / (2 * s ^ 2)) / (2 * pi() * s ^ 2) ^ 1.5) AS density
              FROM cloud x, cloud y, (SELECT (gl_info(m.g) ->> 'bandwidth')::float8 AS s) w WHERE x.id = b.id AND y.id <> x.id) k WHERE name = 'plain';
SELECT name, abs((SELECT sum(log_density) FROM gl_density(g)) - (gl_info(g) ->> 'log_likelihood')::float8) < 1e-6 AS sum_of_densities
FROM made WHERE name IN ('plain', 'learnt', 'anchor', 'cosine', 'counts', 'mahalanobis') ORDER BY name;
-- A density per unit: a column in thousandths has a thousand units.
SELECT metric, scale, bool_and(abs(a.log_density - b.log_density - ln(1000)) < 1e-9) AS per_unit
FROM (VALUES ('euclidean', 'standard'), ('mahalanobis', 'none')) o(metric, scale), (SELECT gl_points(id, f) AS p, gl_points(id, ARRAY[f[1], f[2] * 1000, f[3]]) AS q FROM cloud) s,
     gl_density(gl_block_graph(p, metric => metric, scale => scale)) a JOIN LATERAL gl_density(gl_block_graph(q, metric => metric, scale => scale)) b USING (id)
GROUP BY metric, scale ORDER BY metric;
-- The strangest row is the one far away.
SELECT d.id FROM (SELECT gl_block_graph(gl_points(id, CASE WHEN id = 77 THEN '{5,5,5}' ELSE f END), learn_bandwidth => true) AS g FROM cloud) s, gl_density(s.g) d ORDER BY log_density, d.id LIMIT 1;

-- ---- learners -------------------------------------------------------------

SELECT name, method, count(*) AS rows, round(gl_accuracy(c.truth::text, l.label)::numeric, 2) AS accuracy, bool_and(abs(total - 1) < 1e-9) AS scores_sum_to_1
FROM made, (VALUES ('harmonic'), ('lgc')) m(method), gl_propagate(g, '{1,2,3,4,15,16}', '{1,0,1,0,1,0}'::text[], method => method) l JOIN cloud c USING (id), LATERAL (SELECT sum(x) AS total FROM unnest(l.scores) x) t
WHERE name IN ('plain', 'forest', 'anchor', 'bare') GROUP BY name, method ORDER BY name, method;
SELECT normalise, count(*) AS rows, bool_and(m.value > -1) AS finite FROM made, unnest('{walk,spread,symmetric,none}'::text[]) normalise, gl_multiply(g, '{1,2}', '{1,2}', normalise) m WHERE name = 'forest' GROUP BY normalise ORDER BY normalise COLLATE "C";
SELECT name, count(DISTINCT component) AS components FROM made, gl_components(g) WHERE name IN ('plain', 'forest') GROUP BY name ORDER BY name;

-- ---- few rows, equal rows -------------------------------------------------

SELECT n, i ->> 'n' AS nodes, i ->> 'trees' AS trees, i ->> 'blocks' AS blocks, i ->> 'components' AS components,
       (SELECT string_agg(coalesce(round(log_density::numeric, 4)::text, 'NULL'), ' ' ORDER BY id) FROM gl_density(g)) AS density,
       (SELECT string_agg(id || ':' || round(probability::numeric, 4), ' ' ORDER BY id) FROM gl_row(g, 1)) AS row
FROM generate_series(1, 3) n, LATERAL (SELECT gl_block_graph(gl_points(i, ARRAY[i * i]), trees => 2) AS g FROM generate_series(1, n) i) s, gl_info(g) i ORDER BY n;
SELECT tree, metric, i ->> 'blocks' AS blocks, (SELECT bool_and(abs(probability - 1.0 / 39) < 1e-12) FROM gl_row(g, 1) WHERE id <> 1) AS uniform
FROM unnest('{bisect,random,anchor}'::text[]) tree, unnest('{euclidean,cosine,counts}'::text[]) metric,
     LATERAL (SELECT gl_block_graph(gl_points(i, '{1,2}'::int[]), tree, metric => metric) AS g FROM generate_series(1, 40) i) s, gl_info(g) i ORDER BY tree, metric;
-- Every row twice: the likelihood has no maximum.
SELECT i ->> 'learn_bandwidth' AS learnt, (i ->> 'bandwidth')::float8 > 0 AS floor, (SELECT bool_and(abs(probability - CASE WHEN id = 21 THEN 1 ELSE 0 END) < 1e-6) FROM gl_row(g, 1)) AS to_the_twin
FROM (SELECT gl_block_graph(gl_points(i, ARRAY[i % 20, i % 20 * 2 % 7]), learn_bandwidth => true, scale => 'none') AS g FROM generate_series(1, 40) i) s, gl_info(g) i;

-- ---- errors ---------------------------------------------------------------

SELECT n, pg_temp.attempt('SELECT gl_info(gl_block_graph(' || call || ')) ->> ''blocks'' FROM given') AS answer
FROM (VALUES (1, 'p, ''kd'''), (2, 'p, trees => 0'), (3, 'p, trees => 2000'), (4, 'p, trees => -1'), (5, 'p, bandwidth => 0'), (6, 'p, bandwidth => -1'), (7, 'p, bandwidth => ''NaN'''), (8, 'p, bandwidth => ''Infinity'''),
    (9, 'p, smoothing => -1'), (10, 'p, smoothing => ''NaN'''), (11, 'p, metric => ''counts'', scale => ''standard'''), (12, 'p, metric => ''mahalanobis'', scale => ''standard'''), (13, 'p, metric => ''manhattan'''),
    (14, 'p, scale => ''unit'''), (15, 'p, metric => ''cosine'', scale => ''standard'''), (16, 'p, metric => ''kl'', scale => ''none''')) v(n, call) ORDER BY n;
SELECT n, pg_temp.attempt(format('SELECT gl_info(gl_block_graph(gl_points(id, f), metric => %L, smoothing => %s)) ->> ''blocks'' FROM (VALUES (7, %L::float8[]), (8, ''{0.5,0.5}''), (9, ''{0.25,0.75}'')) v(id, f)', metric, smoothing, f)) AS answer
FROM (VALUES (1, 'counts', 0.5, '{1,-1}'), (2, 'kl', 0.5, '{-2,1}'), (3, 'counts', 0, '{0,1}'), (4, 'kl', 0, '{0,1}'), (5, 'itakura_saito', 0.5, '{1,0}'), (6, 'itakura_saito', 0.5, '{-1,1}'),
    (7, 'logistic', 0.5, '{0.5,1}'), (8, 'logistic', 0.5, '{0,0.5}'), (9, 'cosine', 0.5, '{0,0}'), (10, 'counts', 0.5, '{0,0}'), (11, 'mahalanobis', 0.5, '{1,0}')) v(n, metric, smoothing, f) ORDER BY n;
SELECT n, pg_temp.attempt('SELECT count(*) FROM made, given, ' || call || ' WHERE name = ''plain''') AS answer
FROM (VALUES (1, 'gl_edges(g)'), (2, 'gl_blocks(gl_knn_graph(p))'), (3, 'gl_density(gl_knn_graph(p))'), (4, 'gl_row(g, 999)'), (5, 'gl_multiply(g, ''{999}'', ''{1}'')'), (6, 'gl_info(gl_affinity(g))')) v(n, call) ORDER BY n;
SELECT gl_block_graph(NULL) IS NULL AS points, (SELECT count(*) FROM gl_blocks(NULL)) AS blocks, (SELECT count(*) FROM gl_density(NULL)) AS density;
SET graphlearn.max_memory = '1MB';
SELECT pg_temp.attempt('SELECT gl_info(gl_block_graph(p, trees => 1024)) FROM given') ~ '^53200 ' AS too_much;
RESET graphlearn.max_memory;

-- ---- gl_graph's rule ------------------------------------------------------

-- Few rows: neighbours, whatever the number of columns.
SELECT d, i ->> 'kind' AS kind FROM unnest('{15,16,40}'::int[]) d, LATERAL (SELECT gl_graph(gl_points(i, array_fill(i, ARRAY[d]))) AS g FROM generate_series(1, 50) i) s, gl_info(g) i ORDER BY d;

-- ---- the same bytes -------------------------------------------------------

SELECT name, count(DISTINCT md5(bytes)) AS digests FROM
    (SELECT 'forest' AS name, gl_graph_send(gl_block_graph(gl_points(id, f), trees => 3)) AS bytes FROM cloud UNION ALL SELECT 'forest', gl_graph_send(gl_block_graph(gl_points(id, f ORDER BY id DESC), trees => 3)) FROM cloud
     UNION ALL SELECT 'forest', gl_graph_send(gl_block_graph(gl_points(id, f ORDER BY md5(id::text)), trees => 3)) FROM cloud UNION ALL SELECT 'forest', gl_graph_send(gl_block_graph(p, trees => 3)) FROM given
     UNION ALL SELECT 'anchor', gl_graph_send(gl_block_graph(gl_points(id, f ORDER BY f), 'anchor', metric => 'kl')) FROM cloud UNION ALL SELECT 'anchor', gl_graph_send(g) FROM made WHERE name = 'anchor kl'
     UNION ALL SELECT 'plain', gl_graph_send(g) FROM made WHERE name = 'plain' UNION ALL SELECT 'plain', gl_graph_send(gl_block_graph((SELECT gl_points(id, f) FROM cloud)))) s GROUP BY name ORDER BY name;
-- There and back as text; stored and in flight.
SELECT count(*) AS graphs, bool_and(gl_graph_send(g::text::gl_graph) = gl_graph_send(g)) AS text_and_back FROM made;
SELECT bool_and(a.scores = b.scores) AS labels, (SELECT bool_and(x.log_density = y.log_density) FROM made m, given, gl_density(gl_block_graph(p, trees => 8)) x JOIN LATERAL gl_density(m.g) y USING (id) WHERE name = 'forest') AS densities
FROM made m, given, gl_propagate(gl_block_graph(p, trees => 8), '{1,2}', '{1,2}'::int[]) a JOIN LATERAL gl_propagate(m.g, '{1,2}', '{1,2}'::int[]) b USING (id) WHERE name = 'forest';
-- One coarse tree without points: 40 bytes a row, and a header.
SELECT n, (i ->> 'bytes')::int - 40 * n AS header FROM unnest('{2,100,5000}'::int[]) n,
    LATERAL (SELECT gl_info(gl_block_graph(gl_points(i, ARRAY[sqrt(i), i % 7]), bandwidth => 1, scale => 'none', keep_points => false)) AS i FROM generate_series(1, n) i) s ORDER BY n;

-- ---- damage ---------------------------------------------------------------

-- What reading these bytes gives; what is accepted is then used.
CREATE FUNCTION pg_temp.fate(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    g gl_graph;
BEGIN
    BEGIN
        g := translate(encode(bytes, 'base64'), E'\n', '')::gl_graph;
    EXCEPTION WHEN OTHERS THEN
        RETURN SQLSTATE;
    END;
    PERFORM gl_info(g), (SELECT count(*) FROM gl_blocks(g)), (SELECT count(*) FROM gl_density(g)), (SELECT count(*) FROM gl_components(g)),
            (SELECT count(*) FROM gl_degrees(g) d, gl_row(g, d.id)), (SELECT count(*) FROM gl_multiply(g, '{}', '{}', 'spread'));
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    RETURN 'ok, in use ' || SQLSTATE;
END $$;
CREATE TEMP TABLE sound AS
SELECT 'one' AS name, gl_graph_send(gl_block_graph(gl_points(i, ARRAY[i * i, i]), scale => 'standard')) AS bytes FROM generate_series(1, 5) i
UNION ALL SELECT 'forest', gl_graph_send(gl_block_graph(gl_points(i, ARRAY[i * i]), trees => 2, keep_points => false)) FROM generate_series(1, 5) i;
SELECT name, pg_temp.fate(bytes) AS untouched FROM sound ORDER BY name;
-- The whole header, a bit at a time, and all bits; then the rest; then every length.
SELECT CASE WHEN fate IN ('ok', 'XX001', '22P02', '22000') THEN 'as it should' ELSE fate END AS fate, count(*) > 100 AS many
FROM sound, generate_series(0, length(bytes) - 1) o, LATERAL (VALUES (get_byte(bytes, o) # 1), (get_byte(bytes, o) # 128), (255 - get_byte(bytes, o))) c(changed), LATERAL (SELECT pg_temp.fate(set_byte(bytes, o, changed)) AS fate) f
GROUP BY 1 ORDER BY 1;
SELECT fate, count(*) > 100 AS many FROM sound, generate_series(0, length(bytes) - 1) l, LATERAL (SELECT pg_temp.fate(substr(bytes, 1, l)) AS fate) f GROUP BY fate ORDER BY fate;
