-- If this fails, a window function answers by the order of the scan, by the frame, or otherwise than the function it stands for.

\set SHOW_CONTEXT never

-- What a query gives: its value, or SQLSTATE, message, detail and hint.
CREATE FUNCTION pg_temp.attempt(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    detail text;
    hint text;
BEGIN
    EXECUTE query INTO answer;
    RETURN coalesce(answer, 'NULL');
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT, detail = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ' ' || SQLERRM || coalesce(' DETAIL: ' || nullif(detail, ''), '') || coalesce(' HINT: ' || nullif(hint, ''), '');
END $$;

-- Three tenants of different size; keys that are no numbers; few labels.
CREATE TEMP TABLE event AS
SELECT md5(i::text)::uuid AS key, CASE WHEN i <= 120 THEN 'big' WHEN i <= 160 THEN 'small' ELSE 'tiny' END AS tenant,
       ARRAY[cos(i * 0.7) + sin(i) / 5, sin(i * 0.7) + cos(i * 1.3) / 5, i % 7 / 20.0]::float8[] AS features,
       CASE WHEN i % 11 = 0 OR i % 13 = 0 OR i = 162 THEN CASE WHEN cos(i * 0.7) > 0 THEN 'right' ELSE 'left' END END AS label
FROM generate_series(1, 168) i;
ANALYZE event;

-- The function form over the same rows, numbered in the order of the windows; options are those of gl_knn_graph and gl_propagate.
CREATE FUNCTION pg_temp.by_functions(graph_options text, options text, OUT key uuid, OUT label text, OUT scores jsonb) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('
        WITH numbered AS (SELECT row_number() OVER (PARTITION BY tenant ORDER BY features, label COLLATE "C") AS id, * FROM event),
             tenant AS (SELECT tenant, gl_points(id, features) AS p, array_agg(id) AS ids, array_agg(label) AS labels, count(*)::int AS n FROM numbered GROUP BY tenant)
        SELECT n.key, l.label, jsonb_build_object(''left'', l.scores[1]::text::numeric, ''right'', l.scores[2]::text::numeric)
        FROM tenant t, gl_propagate(gl_knn_graph(t.p %s), t.ids, t.labels %s) l JOIN numbered n USING (id)
        WHERE n.tenant = t.tenant', graph_options, options);
END $$;
CREATE FUNCTION pg_temp.by_windows(options text, OUT key uuid, OUT label text, OUT scores jsonb) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('
        SELECT key, gl_propagate(features, label %1$s) OVER w, gl_propagate_scores(features, label %1$s) OVER w FROM event
        WINDOW w AS (PARTITION BY tenant)', options);
END $$;
SELECT n, graph_options || options AS options, count(*) AS rows, count(*) FILTER (WHERE f.label = w.label) AS same_label, count(*) FILTER (WHERE f.scores = w.scores) AS same_scores
FROM (VALUES
    (1, '', ''),
    (2, ', k => 3', ''),
    (3, ', k => least(20, t.n - 1)', ''),
    (4, ', weights => ''gaussian'', bandwidth => 0.3', ''),
    (5, ', weights => ''gaussian''', ', prior => ''none'''),
    (6, ', weights => ''binary'', symmetry => ''mutual''', ''),
    (7, ', symmetry => ''directed''', ', damping => 0.9'),
    (8, ', metric => ''cosine'', weights => ''similarity''', ', method => ''lgc'''),
    (9, ', scale => ''standard'', seed => 5', ', prior => ''uniform'''),
    (10, '', ', prior_weight => 1, tolerance => 1e-9'),
    (11, '', ', class_prior => ''{3,1}'', iterations => 500')) v(n, graph_options, options),
    pg_temp.by_functions(graph_options, options) f
    JOIN LATERAL pg_temp.by_windows(replace(graph_options, 'least(20, t.n - 1)', '20') || options) w USING (key)
GROUP BY n, graph_options, options ORDER BY n;

-- One statement for the table, one answer per row.
SELECT tenant, count(*) AS rows, count(label) AS known, count(answer) AS answered, count(*) FILTER (WHERE label <> answer) AS changed,
       count(*) FILTER (WHERE answer = CASE WHEN features[1] > 0 THEN 'right' ELSE 'left' END) AS sensible
FROM (SELECT *, gl_propagate(features, label) OVER (PARTITION BY tenant) AS answer FROM event) e GROUP BY tenant ORDER BY tenant;
-- Scores: one per label, sum 1, the highest is the label's.
SELECT count(*) AS rows, count(*) FILTER (WHERE s ?& '{left,right}') AS both_keys, count(*) FILTER (WHERE abs((s ->> 'left')::float8 + (s ->> 'right')::float8 - 1) < 1e-12) AS sum_1,
       count(*) FILTER (WHERE answer = (SELECT key FROM jsonb_each_text(s) ORDER BY value::float8 DESC LIMIT 1)) AS winner, min(s ->> label) FILTER (WHERE label IS NOT NULL) AS clamped
FROM (SELECT label, gl_propagate(features, label) OVER () AS answer, gl_propagate_scores(features, label) OVER () AS s FROM event) e;

-- The order of the scan, the frame and the order in the window change nothing.
CREATE FUNCTION pg_temp.print(spec text, source text DEFAULT 'event') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE format('SELECT md5(string_agg(concat_ws('' '', key, l, s), ''|'' ORDER BY key))
        FROM (SELECT key, gl_propagate(features, label) OVER (%s) AS l, gl_propagate_scores(features, label) OVER (%1$s) AS s FROM %s) e', spec, source) INTO answer;
    RETURN answer;
END $$;
SELECT n, pg_temp.print(spec, source) = pg_temp.print('PARTITION BY tenant') AS same
FROM (VALUES
    (1, 'PARTITION BY tenant ORDER BY key', 'event'),
    (2, 'PARTITION BY tenant ORDER BY features DESC', 'event'),
    (3, 'PARTITION BY tenant ORDER BY label NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW', 'event'),
    (4, 'PARTITION BY tenant ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING', 'event'),
    (5, 'PARTITION BY tenant ORDER BY key GROUPS BETWEEN CURRENT ROW AND 1 FOLLOWING EXCLUDE CURRENT ROW', 'event'),
    (6, 'PARTITION BY tenant ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE TIES', 'event'),
    (7, 'PARTITION BY tenant', '(SELECT * FROM event ORDER BY md5(key::text)) r'),
    (8, 'PARTITION BY tenant', '(SELECT * FROM event ORDER BY features DESC) r')) v(n, spec, source)
ORDER BY n;

-- Equal rows get equal answers, however many there are, and whoever is scanned first.
CREATE TEMP TABLE repeated AS
SELECT i AS id, CASE WHEN i <= 40 THEN ARRAY[1, 1] WHEN i <= 80 THEN ARRAY[5, 5] ELSE ARRAY[i % 4, i % 3] END AS features,
       CASE WHEN i IN (1, 2, 81) THEN 'a' WHEN i IN (41, 42, 43) THEN 'b' WHEN i IN (44) THEN 'c' END AS label
FROM generate_series(1, 100) i;
SELECT features, label, count(*) AS rows, string_agg(DISTINCT answer, ' ') AS answers, count(DISTINCT s) AS scores
FROM (SELECT *, gl_propagate(features, label) OVER () AS answer, gl_propagate_scores(features, label) OVER () AS s FROM repeated) r GROUP BY features, label ORDER BY features, label;
SELECT count(*) AS rows, count(*) FILTER (WHERE a.l = b.l AND a.s = b.s AND b.l = c.l AND b.s = c.s) AS same
FROM (SELECT id, gl_propagate(features, label) OVER (ORDER BY id) AS l, gl_propagate_scores(features, label) OVER (ORDER BY id) AS s FROM repeated) a
     JOIN (SELECT id, gl_propagate(features, label) OVER (ORDER BY id DESC) AS l, gl_propagate_scores(features, label) OVER (ORDER BY id DESC) AS s FROM repeated) b USING (id)
     JOIN (SELECT id, gl_propagate(features, label) OVER (ORDER BY md5(id::text)) AS l, gl_propagate_scores(features, label) OVER (ORDER BY md5(id::text)) AS s FROM repeated) c USING (id);
-- Equal labels that look different are one class; which is shown does not depend on the scan.
SELECT DISTINCT gl_propagate(f, l) OVER (ORDER BY o) AS forwards, gl_propagate(f, l) OVER (ORDER BY o DESC) AS backwards, gl_propagate_scores(f, l) OVER () AS scores
FROM (VALUES (1, ARRAY[1], 1.0), (2, ARRAY[1], 1.00), (3, ARRAY[2], NULL)) v(o, f, l);
-- 0.0 and -0.0 are one number.
SELECT count(DISTINCT s) AS scores FROM (SELECT gl_propagate_scores(f, l) OVER () AS s
    FROM (VALUES ('{0}'::float8[], NULL), ('{-0}', NULL), ('{0}', NULL), ('{1}', 'a'), ('{-2}', 'b'), ('{-1}', 'b')) v(f, l)) x WHERE s ->> 'a' NOT IN ('0', '1');

-- NULL features: no answer, and not there for the others.  NULL label: unlabelled.
SELECT id, gl_propagate(f, l) OVER w AS label, gl_propagate_scores(f, l) OVER w AS scores
FROM (VALUES (1, ARRAY[1.0], 'a'), (2, NULL, 'b'), (3, ARRAY[2.0], NULL), (4, NULL, NULL)) v(id, f, l) WINDOW w AS () ORDER BY id;
-- A partition without labels, one without features, one of a single row with and without a label.
SELECT p, id, gl_propagate(f, l) OVER w AS label, gl_propagate_scores(f, l) OVER w AS scores
FROM (VALUES ('none', 1, '{1}'::int[], NULL), ('none', 2, '{2}', NULL), ('no features', 3, NULL, 'a'), ('no features', 4, NULL, NULL), ('one known', 5, '{1}', 'a'), ('one unknown', 6, '{1}', NULL),
             ('all known', 7, '{1}', 'a'), ('all known', 8, '{2}', 'b')) v(p, id, f, l) WINDOW w AS (PARTITION BY p) ORDER BY id;
-- Rows no label can reach: two groups far apart, k too small to join them.
SELECT DISTINCT f[1] > 500 AS far, gl_propagate(f, l, k => 2) OVER w AS label, gl_propagate_scores(f, l, k => 2) OVER w IS NULL AS no_scores
FROM (SELECT ARRAY[i % 5 + i / 5 * 1000] AS f, CASE WHEN i = 2 THEN 'a' END AS l FROM generate_series(0, 9) i) t WINDOW w AS () ORDER BY 1;
-- No rows.
SELECT gl_propagate(features, label) OVER () FROM event WHERE false;

-- Label type in = label type out.
CREATE TYPE pg_temp.mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN pg_temp.grade AS int CHECK (VALUE BETWEEN 1 AND 6);
CREATE TYPE pg_temp.pair AS (a int, b text);
CREATE TEMP TABLE typed AS
SELECT i AS id, ARRAY[i] AS f, CASE i WHEN 1 THEN 'low' WHEN 8 THEN 'high' END AS t, CASE i WHEN 1 THEN 1 WHEN 8 THEN 2 END AS n FROM generate_series(1, 8) i;
SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) AS answers FROM (SELECT id, gl_propagate(f, t) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, n) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, n = 1) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, n::bigint * 5000000000) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, n::numeric / 2) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, n / 4.0::float8) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, (enum_range(NULL::pg_temp.mood))[n + 1]) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, n::pg_temp.grade) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, t::varchar(9)) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, t::char(6)) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(to_char(l, 'YYYY'), ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, make_date(2020 + n, 1, 1)) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(left(l::text, 4), ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, md5(t)::uuid) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, CASE WHEN n > 0 THEN ARRAY[n, 7] END) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(l::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, CASE WHEN n > 0 THEN (n, t)::pg_temp.pair END) OVER () AS l FROM typed) x GROUP BY 1
UNION ALL SELECT pg_typeof(l), string_agg(length(l)::text, ' ' ORDER BY id) FROM (SELECT id, gl_propagate(f, repeat(t, 3000 * n)) OVER () AS l FROM typed) x GROUP BY 1
ORDER BY 1, 2;
SELECT DISTINCT pg_typeof(gl_propagate(f, 'lit') OVER ()) AS literal, pg_typeof(gl_propagate(f, NULL) OVER ()) AS bare_null FROM typed;
-- Keys of scores are the text of the labels, in whatever format other settings print.
SET extra_float_digits = -15;
SELECT DISTINCT jsonb_object_keys(gl_propagate_scores(f, n / 3.0::float8) OVER ()) AS keys FROM typed ORDER BY 1;
RESET extra_float_digits;
SELECT DISTINCT jsonb_object_keys(gl_propagate_scores(f, (enum_range(NULL::pg_temp.mood))[n + 1]) OVER ()) AS keys FROM typed ORDER BY 1;
SELECT DISTINCT jsonb_object_keys(gl_propagate_scores(f, t || E'"\\\n') OVER ()) AS keys FROM typed ORDER BY 1;

-- Features of every number type, and domains over them.
CREATE DOMAIN pg_temp.place AS float8[];
SELECT a.o, string_agg(l, '' ORDER BY id) AS answers FROM
   (SELECT 1 AS o, id, gl_propagate(f::float8[], t) OVER () AS l FROM typed UNION ALL SELECT 2, id, gl_propagate(f::real[], t) OVER () FROM typed UNION ALL SELECT 3, id, gl_propagate(f::numeric[], t) OVER () FROM typed
    UNION ALL SELECT 4, id, gl_propagate(f::smallint[], t) OVER () FROM typed UNION ALL SELECT 5, id, gl_propagate(f::int[], t) OVER () FROM typed UNION ALL SELECT 6, id, gl_propagate(f::bigint[], t) OVER () FROM typed
    UNION ALL SELECT 7, id, gl_propagate(f::float8[]::pg_temp.place, t) OVER () FROM typed) a GROUP BY a.o ORDER BY a.o;
SELECT count(DISTINCT s) AS one_answer FROM
   (SELECT id, gl_propagate_scores(f::float8[], t) OVER () AS s FROM typed UNION ALL SELECT id, gl_propagate_scores(f::real[], t) OVER () FROM typed UNION ALL SELECT id, gl_propagate_scores(f::numeric[], t) OVER () FROM typed
    UNION ALL SELECT id, gl_propagate_scores(f::smallint[], t) OVER () FROM typed UNION ALL SELECT id, gl_propagate_scores(f::int[], t) OVER () FROM typed UNION ALL SELECT id, gl_propagate_scores(f::bigint[], t) OVER () FROM typed) a WHERE id = 3;

-- Options: NULL is the default of each; named in any order.
SELECT count(*) AS rows, count(*) FILTER (WHERE a = b AND b = c) AS same
FROM (SELECT gl_propagate_scores(features, label) OVER w AS a, gl_propagate_scores(features, label, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) OVER w AS b,
             gl_propagate_scores(seed => 0, label => label, k => 10, features => features) OVER w AS c FROM event WINDOW w AS ()) x;
-- A k beyond the partition is lowered there: 8 rows have 7 neighbours each.
SELECT count(*) AS rows, count(*) FILTER (WHERE a = b) AS same
FROM (SELECT gl_propagate_scores(features, label, k => 7) OVER w AS a, gl_propagate_scores(features, label, k => 2147483647) OVER w AS b FROM event WHERE tenant = 'tiny' WINDOW w AS (PARTITION BY tenant)) x;
-- An option may be an expression that is the same all over a partition, and differ between partitions.
CREATE TEMP TABLE tenant_option (tenant text PRIMARY KEY, k int, method text);
INSERT INTO tenant_option VALUES ('big', 12, 'lgc'), ('small', 4, NULL), ('tiny', 2, 'harmonic');
SELECT e.tenant, count(*) AS rows, count(*) FILTER (WHERE e.s = w.s) AS same
FROM (SELECT key, tenant, gl_propagate_scores(features, label, k => k, method => method) OVER (PARTITION BY tenant) AS s FROM event JOIN tenant_option USING (tenant)) e
     JOIN (SELECT key, gl_propagate_scores(features, label, k => 12, method => 'lgc') OVER () AS s FROM event WHERE tenant = 'big'
           UNION ALL SELECT key, gl_propagate_scores(features, label, k => 4) OVER () FROM event WHERE tenant = 'small'
           UNION ALL SELECT key, gl_propagate_scores(features, label, k => 2) OVER () FROM event WHERE tenant = 'tiny') w USING (key) GROUP BY e.tenant ORDER BY e.tenant;

-- Where a window function can stand: views, sub-queries, prepared statements, cursors, INSERT, CREATE TABLE AS, expressions.
CREATE TEMP VIEW labelled AS SELECT key, tenant, gl_propagate(features, label) OVER (PARTITION BY tenant) AS label FROM event;
SELECT count(*) AS rows, count(*) FILTER (WHERE v.label = w.label) AS same FROM labelled v JOIN pg_temp.by_windows('') w USING (key);
SELECT label, count(*) FROM labelled WHERE tenant = 'small' GROUP BY label ORDER BY label;
PREPARE ask(int, text) AS SELECT md5(string_agg(s::text, '|' ORDER BY key)) AS answer FROM (SELECT key, gl_propagate_scores(features, label, k => $1, method => $2) OVER (PARTITION BY tenant) AS s FROM event) e;
SET plan_cache_mode = force_custom_plan;
EXECUTE ask(5, 'lgc') \gset custom_
SET plan_cache_mode = force_generic_plan;
EXECUTE ask(5, 'lgc') \gset generic_
EXECUTE ask(6, 'lgc') \gset other_
RESET plan_cache_mode;
SELECT :'custom_answer' = :'generic_answer' AS same, :'custom_answer' = :'other_answer' AS other_k;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id, gl_propagate(f, t) OVER (ORDER BY id) AS label FROM typed ORDER BY id;
FETCH 2 FROM c;
FETCH LAST FROM c;
FETCH BACKWARD 1 FROM c;
FETCH ABSOLUTE 1 FROM c;
COMMIT;
SELECT upper(gl_propagate(f, t) OVER ()) || id AS expression FROM typed ORDER BY gl_propagate(f, t) OVER () DESC, id LIMIT 3;
SELECT count(*) AS correlated FROM tenant_option o, LATERAL (SELECT gl_propagate(features, label) OVER () AS l FROM event e WHERE e.tenant = o.tenant) x WHERE l IS NOT NULL;
UPDATE typed SET t = l.label FROM (SELECT id, gl_propagate(f, t) OVER () AS label FROM typed) l WHERE l.id = typed.id AND typed.t IS NULL;
SELECT string_agg(t, ' ' ORDER BY id) AS updated FROM typed;

-- Refusals: rows are called by their number in the partition.
SELECT n, pg_temp.attempt('SELECT ' || call || ' FROM (VALUES (1, ARRAY[1.0, 2]::float8[], ''a'', 1), (2, NULL, ''b'', 2), (3, ' || features || ', ''b'', 3)) v(id, f, l, k) LIMIT 1') AS answer
FROM (VALUES
    (1, 'gl_propagate(f, l) OVER (ORDER BY id)', $$'{1,NaN}'$$),
    (2, 'gl_propagate(f, l) OVER (ORDER BY id)', $$'{-Infinity,1}'$$),
    (3, 'gl_propagate(f, l) OVER (ORDER BY id)', $$'{1,NULL}'$$),
    (4, 'gl_propagate(f, l) OVER (ORDER BY id)', $$'{1,2,3}'$$),
    (5, 'gl_propagate(f, l) OVER (ORDER BY id DESC)', $$'{1,2,3}'$$),
    (6, 'gl_propagate(f, l) OVER (ORDER BY id)', $$'{}'$$),
    (7, 'gl_propagate(f, l) OVER (ORDER BY id)', $$'{{1,2},{3,4}}'$$),
    (8, 'gl_propagate(f, l, metric => ''cosine'') OVER (ORDER BY id)', $$'{0,0}'$$),
    (9, 'gl_propagate(f::numeric[] || 1e400, l) OVER (ORDER BY id)', $$'{0,0}'$$),
    (10, 'gl_propagate(f, l, method => ''magic'') OVER ()', $$'{0,0}'$$),
    (11, 'gl_propagate(f, l, metric => ''counts'') OVER ()', $$'{0,0}'$$),
    (12, 'gl_propagate(f, l, k => 0) OVER ()', $$'{0,0}'$$),
    (13, 'gl_propagate(f, l, damping => 1.5) OVER ()', $$'{0,0}'$$),
    (14, 'gl_propagate(f, l, iterations => 0) OVER ()', $$'{0,0}'$$),
    (15, 'gl_propagate(f, l, bandwidth => 1) OVER ()', $$'{0,0}'$$),
    (16, 'gl_propagate(f, l, weights => ''distance'') OVER ()', $$'{0,0}'$$),
    (17, 'gl_propagate(f, l, class_prior => ''{1,2,3}'') OVER ()', $$'{0,0}'$$),
    (18, 'gl_propagate(f, l, k => k) OVER (ORDER BY id)', $$'{0,0}'$$),
    (19, 'gl_propagate(f, l, method => nullif(''lgc'', left(''lgc'', k))) OVER (ORDER BY id)', $$'{0,0}'$$),
    (20, 'gl_propagate(f, json_build_array(l)) OVER ()', $$'{0,0}'$$),
    (21, 'gl_propagate(f, l, multilabel => true) OVER ()', $$'{0,0}'$$),
    (22, 'gl_propagate(f, l)', $$'{0,0}'$$),
    (23, 'gl_propagate(f, l) FILTER (WHERE id = 1) OVER ()', $$'{0,0}'$$),
    (24, 'gl_propagate(DISTINCT f, l) OVER ()', $$'{0,0}'$$),
    (25, 'gl_propagate(gl_edge_graph(1, 2), ''{1}'', ''{a}''::text[]) OVER ()', $$'{0,0}'$$),
    (26, 'gl_propagate(ARRAY[l], l) OVER ()', $$'{0,0}'$$),
    (27, 'gl_propagate(f, l, NULL, NULL, NULL, NULL, NULL, NULL, 2) OVER ()', $$'{0,0}'$$)) v(n, call, features)
ORDER BY n;
SET graphlearn.max_memory = '1MB';
SELECT pg_temp.attempt('SELECT gl_propagate(ARRAY[i, sqrt(i)], i % 2) OVER () FROM generate_series(1, 40000) i LIMIT 1') AS answer;
RESET graphlearn.max_memory;

-- A notice or a warning is given once, not for each of a thousand partitions.
SELECT count(l) AS answered FROM (SELECT gl_propagate(ARRAY[i * 1000, i % 7, i % 3], i % 2) OVER (PARTITION BY i / 10) AS l FROM generate_series(0, 9999) i) x;
SELECT count(l) AS answered FROM (SELECT gl_propagate(ARRAY[i % 10, i % 7], CASE WHEN i % 4 = 0 THEN i % 3 END, iterations => 1, damping => 1) OVER (PARTITION BY i / 20) AS l FROM generate_series(0, 1999) i) x;
-- None about scale where scale is given, none about labels where there are none.
SELECT count(l) AS answered FROM (SELECT gl_propagate(ARRAY[i * 1000, i % 7, i % 3], NULL::int, scale => 'standard') OVER (PARTITION BY i / 10) AS l FROM generate_series(0, 999) i) x;

-- Ten thousand partitions of twenty rows: each is answered as if it were alone.
CREATE TEMP TABLE many AS SELECT i, i / 20 AS part, ARRAY[i % 20, i % 17 * (i % 23)] AS f, CASE WHEN i % 20 < 4 THEN i % 2 END AS l FROM generate_series(0, 199999) i;
SELECT count(*) AS rows, count(answer) AS answered, min(answer), max(answer) FROM (SELECT gl_propagate(f, l, scale => 'none') OVER (PARTITION BY part) AS answer FROM many) m;
SELECT count(*) AS rows, count(*) FILTER (WHERE a.answer = b.answer) AS same
FROM (SELECT i, gl_propagate_scores(f, l, scale => 'none') OVER (PARTITION BY part) AS answer FROM many) a
     JOIN (SELECT i, answer FROM generate_series(0, 9999, 1000) p, LATERAL (SELECT i, gl_propagate_scores(f, l, scale => 'none') OVER () AS answer FROM many WHERE part = p) x) b USING (i);
