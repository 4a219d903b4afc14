-- If this fails, a kept model says other things of its rows than its learner, or damaged bytes are believed.

\set SHOW_CONTEXT never
SET client_min_messages = error;
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

-- Two rings of 100 rows each, one within the other; six rows are labelled.
CREATE TABLE ring AS
SELECT i AS id, ARRAY[cos(i * 0.37) * (1 + 2 * (i % 2)), sin(i * 0.37) * (1 + 2 * (i % 2))]::float8[] AS features,
       CASE i % 2 WHEN 0 THEN 'inner' ELSE 'outer' END AS truth, CASE WHEN i <= 6 THEN CASE i % 2 WHEN 0 THEN 'inner' ELSE 'outer' END END AS label
FROM generate_series(1, 200) i;
CREATE TEMP TABLE built AS
SELECT gl_knn_graph(p) AS knn, gl_radius_graph(p, 1.3) AS radius, gl_block_graph(p, trees => 8) AS blocks, ids, labels
FROM (SELECT gl_points(id, features) AS p, array_agg(id) FILTER (WHERE label IS NOT NULL) AS ids, array_agg(label) FILTER (WHERE label IS NOT NULL) AS labels FROM ring) s;
CREATE TABLE model AS
SELECT kind, gl_label_model(g, ids, labels) AS model FROM built, LATERAL (VALUES ('knn', knn), ('radius', radius), ('blocks', blocks)) v(kind, g);

-- ---- what a model says of its own rows ------------------------------------

-- The same bits as gl_propagate, for every kind of graph, method and prior.
SELECT v.kind, o.method, o.prior, count(*) AS rows, bool_and((r.id, r.label, r.confidence, r.scores) IS NOT DISTINCT FROM (p.id, p.label, p.confidence, p.scores)) AS same,
       bool_and(r.cluster IS NULL AND r.coords IS NULL) AS rest_is_null
FROM built, LATERAL (VALUES ('knn', knn), ('radius', radius), ('blocks', blocks)) v(kind, g), (VALUES ('harmonic', 'seeds'), ('lgc', 'none'), ('lgc', 'uniform')) o(method, prior),
     LATERAL gl_rows(gl_label_model(g, ids, labels, method => o.method, prior => o.prior)) r JOIN LATERAL gl_propagate(g, ids, labels, method => o.method, prior => o.prior) p USING (id)
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
SELECT kind, count(*) AS rows, count(*) FILTER (WHERE r.label = t.truth) AS right, count(*) FILTER (WHERE confidence = 1) AS certain FROM model, gl_rows(model) r JOIN ring t USING (id) GROUP BY kind ORDER BY kind;

-- What it is and how it went.
SELECT kind, i - 'residual' - 'iterations' - 'bytes' - 'graph' AS info, (i ->> 'residual')::float8 < 1e-4 AS small_residual, (i ->> 'iterations')::int BETWEEN 1 AND 500 AS iterated,
       (i ->> 'bytes')::int = octet_length(gl_model_send(model)) + 4 AS bytes
FROM model, gl_info(model) i ORDER BY kind;
SELECT kind, i -> 'graph' ->> 'kind' AS graph, i -> 'graph' ->> 'metric' AS metric, i -> 'graph' ->> 'dimensions' AS dimensions, i -> 'graph' ->> 'k' AS k, i -> 'graph' ->> 'radius' AS radius, i -> 'graph' ->> 'trees' AS trees
FROM model, gl_info(model) i ORDER BY kind;
SELECT gl_info(gl_label_model(knn, ids, labels, prior => 'none', damping => 0.5, tolerance => 0.01)) - 'residual' - 'iterations' - 'bytes' - 'graph' - 'labels' AS options,
       gl_info(gl_label_model(knn, ids, labels, class_prior => '{1,2}')) ->> 'prior' AS given FROM built;
SELECT gl_info(gl_label_model(knn, ids, labels, iterations => 2)) ->> 'converged' AS converged FROM built;

-- Labels of any type are kept as the text by which measures know them.
SELECT t.name, (SELECT gl_info(m) ->> 'labels') AS labels, (SELECT string_agg(DISTINCT label, ' ' ORDER BY label) FROM gl_rows(m)) AS found
FROM built, LATERAL (VALUES ('int', gl_label_model(knn, '{1,2,3}', '{10,9,10}'::int[])), ('numeric', gl_label_model(knn, '{1,2,3}', '{1.50,20,1.5}'::numeric[])),
    ('boolean', gl_label_model(knn, '{1,2}', '{true,false}'::boolean[])), ('date', gl_label_model(knn, '{1,2}', '{2020-02-01,2019-01-01}'::date[])),
    ('text', gl_label_model(knn, '{1,2}', '{"two words","quote \" and \\"}'::text[])), ('accents', gl_label_model(knn, '{1,2}', '{Größe,漢字}'::text[])),
    ('empty', gl_label_model(knn, '{1,2}', '{"",x}'::text[])), ('one', gl_label_model(knn, '{1,2}', '{x,x}'::text[]))) t(name, m) ORDER BY 1;

-- Unreached rows have no label; no labels at all is no label anywhere.
SELECT label, confidence, scores, count(*) FROM (SELECT gl_radius_graph(gl_points(id, features), 0.01) AS g FROM ring) s, gl_rows(gl_label_model(g, '{1,2}', '{a,b}'::text[])) GROUP BY 1, 2, 3 ORDER BY 1, 2;
SET client_min_messages = notice;
SELECT label, confidence, scores, count(*) FROM built, gl_rows(gl_label_model(knn, '{}', '{}'::text[])) GROUP BY 1, 2, 3;
SELECT gl_info(gl_label_model(knn, NULL, NULL::text[])) -> 'labels' AS labels FROM built;
SET client_min_messages = error;
-- One row.
SELECT r.* FROM (SELECT gl_graph(gl_points(7, '{1.5}'::float8[])) AS g) s, gl_rows(gl_label_model(g, '{7}', '{x}'::text[])) r;

-- ---- errors ---------------------------------------------------------------

SELECT call, pg_temp.attempt('SELECT gl_info(' || call || ') ->> ''n'' FROM built') AS answer FROM (VALUES
    (1, 'gl_label_model(gl_knn_graph((SELECT gl_points(id, features) FROM ring), keep_points => false), ids, labels)'),
    (2, 'gl_label_model(gl_block_graph((SELECT gl_points(id, features) FROM ring), keep_points => false), ids, labels)'),
    (3, 'gl_label_model((SELECT gl_edge_graph(id, id + 1) FROM ring), ids, labels)'),
    (4, 'gl_label_model(gl_tree_graph((SELECT gl_points(id, features) FROM ring)), ids, labels)'),
    (5, 'gl_label_model(gl_full_graph((SELECT gl_points(id, features) FROM ring)), ids, labels)'),
    (6, 'gl_label_model(gl_knn_graph((SELECT gl_points(id, features) FROM ring), weights => ''distance''), ids, labels)'),
    (7, 'gl_label_model(knn, ''{1,1000}'', ''{a,b}''::text[])'),
    (8, 'gl_label_model(knn, ''{1,1}'', ''{a,b}''::text[])'),
    (9, 'gl_label_model(knn, ''{1}'', ''{a,b}''::text[])'),
    (10, 'gl_label_model(knn, ids, labels, method => ''guess'')'),
    (11, 'gl_label_model(knn, ids, labels, damping => 2)'),
    (12, 'gl_label_model(knn, ids, labels, class_prior => ''{1}'')'),
    (13, 'gl_label_model(NULL, ids, labels)')) v(n, call) ORDER BY n;
SET client_min_messages = warning;
SELECT gl_info(gl_label_model(knn, ids, labels, iterations => 1)) ->> 'iterations' AS iterations FROM built;
SET client_min_messages = error;

-- ---- storage --------------------------------------------------------------

SELECT kind, gl_model_send(model::text::gl_model) = gl_model_send(model) AS text, translate(encode(gl_model_send(model), 'base64'), E'\n', '') = model::text AS base64,
       pg_column_size(model) > 2000 AS out_of_line FROM model ORDER BY kind;
\copy model TO 'build/regress/models.bin' (FORMAT binary)
CREATE TEMP TABLE copied (LIKE model);
\copy copied FROM 'build/regress/models.bin' (FORMAT binary)
SELECT kind, gl_model_send(c.model) = gl_model_send(m.model) AS binary FROM copied c JOIN model m USING (kind) ORDER BY kind;
-- In flight, materialised, stored, from text, in arrays and rows: the same rows to the last bit.
SELECT count(DISTINCT answer) AS different, count(*) AS ways FROM (
    SELECT md5(string_agg(r::text, ',' ORDER BY r.id)) AS answer FROM built, gl_rows(gl_label_model(knn, ids, labels)) r
    UNION ALL SELECT md5(string_agg(r::text, ',' ORDER BY r.id)) FROM (WITH m AS MATERIALIZED (SELECT gl_label_model(knn, ids, labels) AS m FROM built) SELECT m FROM m) s, gl_rows(m) r
    UNION ALL SELECT md5(string_agg(r::text, ',' ORDER BY r.id)) FROM gl_rows((SELECT gl_label_model(knn, ids, labels) FROM built)) r
    UNION ALL SELECT md5(string_agg(r::text, ',' ORDER BY r.id)) FROM model, gl_rows(model) r WHERE kind = 'knn'
    UNION ALL SELECT md5(string_agg(r::text, ',' ORDER BY r.id)) FROM model, gl_rows(model::text::gl_model) r WHERE kind = 'knn'
    UNION ALL SELECT md5(string_agg(r::text, ',' ORDER BY r.id)) FROM (SELECT ARRAY[NULL, model] AS a FROM model WHERE kind = 'knn') s, gl_rows(a[2]) r) s;
SELECT gl_model_send(gl_label_model(knn, ids, labels)) = gl_model_send((SELECT model FROM model WHERE kind = 'knn')) AS same_bytes FROM built;

-- Damage: every byte but the length is guarded by the fingerprint or by a check; what is refused is refused as corrupt.
CREATE FUNCTION pg_temp.fate(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    m gl_model;
BEGIN
    m := translate(encode(bytes, 'base64'), E'\n', '')::gl_model;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
CREATE TEMP TABLE small AS
SELECT gl_model_send(gl_label_model(gl_knn_graph(gl_points(id, features), k => 2), '{1,2}', '{a,b}'::text[])) AS bytes FROM ring WHERE id <= 6;
SELECT fate, count(*) FROM small, generate_series(0, length(bytes) - 1) o, LATERAL (VALUES (get_byte(bytes, o) # 1), (get_byte(bytes, o) # 128), (255 - get_byte(bytes, o))) c(changed),
    LATERAL (SELECT pg_temp.fate(set_byte(bytes, o, changed)) AS fate) f GROUP BY fate ORDER BY fate;
SELECT fate, count(*) FROM small, generate_series(0, length(bytes) - 1) l, LATERAL (SELECT pg_temp.fate(substr(bytes, 1, l)) AS fate) f GROUP BY fate ORDER BY fate;
SELECT pg_temp.fate(bytes) AS whole, pg_temp.fate(bytes || '\x0000000000000000') AS longer, pg_temp.fate('\x') AS empty FROM small;
SELECT pg_temp.attempt(format('SELECT %L::gl_model IS NOT NULL', t)) AS answer FROM (VALUES (''), ('!'), ('R0xNRA=='),
    ((SELECT gl_points(1, '{1}'::float8[])::text)), ((SELECT gl_edge_graph(1, 2)::text))) v(t);
SELECT pg_temp.attempt(format('SELECT %L::gl_graph IS NOT NULL', model::text)) AS not_a_graph FROM model WHERE kind = 'knn';

DROP TABLE ring, model;
