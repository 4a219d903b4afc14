-- If this fails, a row never seen gets another label than its neighbours give it, or its label depends on the rows around it.

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

-- Three clouds; every tenth row is labelled.  The new rows lie between the old ones.
CREATE TABLE old_row AS
SELECT i AS id, ARRAY[i % 3 * 4 + sin(i * 1.7) + 0.01 * (i % 7), i % 3 % 2 * 3 + cos(i * 2.3)]::float8[] AS features, 'c' || i % 3 AS truth, CASE WHEN i % 10 = 0 THEN 'c' || i % 3 END AS label
FROM generate_series(1, 400) i;
CREATE TABLE new_row AS
SELECT i AS id, ARRAY[i % 3 * 4 + sin(i * 0.9 + 0.5), i % 3 % 2 * 3 + cos(i * 1.1 + 0.3)]::float8[] AS features, 'c' || i % 3 AS truth FROM generate_series(1, 300) i;
CREATE TABLE built AS
SELECT gl_knn_graph(p) AS knn, gl_knn_graph(p, metric => 'cosine', scale => 'standard') AS cosine, gl_radius_graph(p, 1.5) AS radius, gl_block_graph(p) AS blocks, gl_block_graph(p, trees => 4, scale => 'standard') AS forest
FROM (SELECT gl_points(id, features) AS p FROM old_row) s;
CREATE TABLE seed AS SELECT array_agg(id) FILTER (WHERE label IS NOT NULL) AS ids, array_agg(label) FILTER (WHERE label IS NOT NULL) AS labels, array_agg(id) AS all_ids, array_agg(truth) AS all_labels FROM old_row;
CREATE TABLE graph AS SELECT v.* FROM built, LATERAL (VALUES ('knn', knn), ('cosine', cosine), ('radius', radius), ('blocks', blocks), ('forest', forest)) v(kind, g);
CREATE TABLE model AS SELECT kind, gl_label_model(g, ids, labels) AS model FROM graph, seed;

-- ---- what is predicted ----------------------------------------------------

SELECT kind, count(*) AS rows, count(*) FILTER (WHERE gl_predict(model, features) = truth) AS right FROM model, new_row GROUP BY kind ORDER BY kind;
-- The winner is the label of the highest score; scores are of all labels and sum to 1.
SELECT kind, bool_and((SELECT key FROM jsonb_each_text(s) ORDER BY value::float8 DESC, key LIMIT 1) = gl_predict(model, features)) AS highest,
       bool_and((SELECT array_agg(key ORDER BY key) FROM jsonb_each(s)) = '{c0,c1,c2}') AS labels, bool_and(abs((SELECT sum(value::float8) FROM jsonb_each_text(s)) - 1) < 1e-12) AS one
FROM model, new_row, LATERAL gl_predict_scores(model, features) s GROUP BY kind ORDER BY kind;
-- With every old row labelled and no prior a score is the probability that the walk of gl_row goes to that label.
SELECT kind, count(*) AS scores, max(abs(coalesce(p.share, 0) - s.value::float8)) < 1e-12 AS same
FROM (SELECT kind, g, gl_label_model(g, all_ids, all_labels, prior => 'none') AS m FROM graph, seed OFFSET 0) a, (SELECT * FROM new_row WHERE id <= 40) n,
     LATERAL (SELECT key AS label, value FROM jsonb_each_text(gl_predict_scores(m, n.features, 0.001))) s
     LEFT JOIN LATERAL (SELECT truth AS label, sum(probability) AS share FROM gl_row(g, n.features, 0.001) r JOIN old_row o ON o.id = r.id GROUP BY truth) p USING (label)
GROUP BY kind ORDER BY kind;
-- Old rows asked for again: they find themselves, and keep their label.
SELECT kind, count(*) AS rows, count(*) FILTER (WHERE gl_predict(model, features) = r.label) AS same FROM model, gl_rows(model) r JOIN old_row USING (id) GROUP BY kind ORDER BY kind;
-- The tolerance of block graphs; neighbours have none.
SELECT kind, count(*) FILTER (WHERE gl_predict(model, features, 0.1) = gl_predict(model, features, 0)) AS coarse,
       max((SELECT max(abs((a.value::text)::float8 - (b.value::text)::float8)) FROM jsonb_each(gl_predict_scores(model, features, 1e-6)) a JOIN jsonb_each(gl_predict_scores(model, features, 0)) b USING (key))) < 1e-4 AS near
FROM model, new_row GROUP BY kind ORDER BY kind;
-- lgc, every prior: the same labels on clear rows.
SELECT o.method, o.prior, count(*) FILTER (WHERE gl_predict(m, features) = truth) AS right
FROM new_row, (SELECT o.*, gl_label_model(g, ids, labels, method => o.method, prior => o.prior) AS m FROM graph, seed, (VALUES ('lgc', 'seeds'), ('lgc', 'none'), ('harmonic', 'uniform'), ('harmonic', 'none')) o(method, prior) WHERE kind = 'knn' OFFSET 0) o
GROUP BY 1, 2 ORDER BY 1, 2;

-- Nothing near, or no label near: NULL and scores 0.
SELECT gl_predict(model, '{100,100}'::float8[]) IS NULL AS far, gl_predict_scores(model, '{100,100}'::float8[]) AS scores FROM model WHERE kind = 'radius';
SELECT gl_predict(m, '{4,3}'::float8[]) AS none, gl_predict_scores(m, '{4,3}'::float8[]) AS scores FROM (SELECT gl_label_model(knn, '{}', '{}'::text[]) AS m FROM built) s;
SELECT gl_predict(m, '{9}'::int[]) AS one_row, gl_predict_scores(m, '{1.5}'::float8[]) AS scores FROM (SELECT gl_label_model(gl_graph(gl_points(7, '{1.5}'::float8[])), '{7}', '{x}'::text[]) AS m) s;
-- Labels of other types come as their text.
SELECT gl_predict(m, '{0,0}'::float8[])::int + 1 AS int, gl_predict_scores(m, '{0,0}'::float8[]) ? '10' AS key FROM (SELECT gl_label_model(knn, '{1,2,3}', '{10,20,30}'::int[]) AS m FROM built) s;
SELECT gl_accuracy(truth, gl_predict(m, features)) > 0.9 AS numerics FROM (SELECT gl_label_model(knn, n.ids, n.labels) AS m FROM built, (SELECT array_agg(id) AS ids, array_agg((id % 3 + 0.50)::numeric) AS labels FROM old_row) n) s, (SELECT (id % 3 + 0.5)::numeric AS truth, features FROM new_row) n;

-- ---- the same alone, in a batch, from any form of the model, in any order -----

CREATE FUNCTION pg_temp.label_of(k text, f float8[]) RETURNS text LANGUAGE SQL AS 'SELECT gl_predict_scores(model, f)::text FROM model WHERE kind = k';
CREATE TEMP TABLE answer AS SELECT kind, id, gl_predict_scores(model, features)::text AS s FROM model, new_row;
SELECT count(*) AS alone FROM answer a JOIN new_row n USING (id) WHERE pg_temp.label_of(kind, features) IS DISTINCT FROM s;
SELECT count(*) AS backwards FROM (SELECT kind, id, gl_predict_scores(model, features)::text AS t FROM (SELECT * FROM new_row ORDER BY id DESC OFFSET 0) n, model) b JOIN answer USING (kind, id) WHERE t IS DISTINCT FROM s;
SELECT count(*) AS by_turns FROM (SELECT kind, id, gl_predict_scores(model, features)::text AS t FROM (SELECT * FROM new_row, model ORDER BY hashint4(id), kind OFFSET 0) n) b JOIN answer USING (kind, id) WHERE t IS DISTINCT FROM s;
SELECT count(*) AS in_flight FROM (SELECT id, gl_predict_scores(m, features)::text AS t FROM new_row, (SELECT gl_label_model(knn, ids, labels) AS m FROM built, seed OFFSET 0) x) b JOIN answer USING (id) WHERE kind = 'knn' AND t IS DISTINCT FROM s;
SELECT count(*) AS materialised FROM (WITH x AS MATERIALIZED (SELECT gl_label_model(knn, ids, labels) AS m FROM built, seed) SELECT id, gl_predict_scores(m, features)::text AS t FROM new_row, x) b JOIN answer USING (id) WHERE kind = 'knn' AND t IS DISTINCT FROM s;
SELECT count(*) AS sub_select FROM (SELECT id, gl_predict_scores((SELECT gl_label_model(knn, ids, labels) FROM built, seed), features)::text AS t FROM new_row) b JOIN answer USING (id) WHERE kind = 'knn' AND t IS DISTINCT FROM s;
SELECT count(*) AS from_text FROM (SELECT kind, id, gl_predict_scores(m, features)::text AS t FROM new_row, (SELECT kind, model::text::gl_model AS m FROM model OFFSET 0) x) b JOIN answer USING (kind, id) WHERE t IS DISTINCT FROM s;
-- More models by turns than are kept ready: each row by the model of its tenant.
CREATE TABLE tenant_model AS SELECT id % 25 AS tenant, gl_label_model(gl_knn_graph(gl_points(id, features), k => 3), array_agg(id), array_agg(truth || ' of ' || id % 25)) AS model FROM old_row GROUP BY 1;
SELECT count(*) AS rows, count(*) FILTER (WHERE gl_predict(model, features) LIKE '% of ' || tenant) AS own, count(*) FILTER (WHERE gl_predict(model, features) = truth || ' of ' || tenant) AS right
FROM (SELECT * FROM new_row, tenant_model ORDER BY hashint4(id * 31 + tenant) OFFSET 0) s;
SELECT count(*) AS in_flight, count(*) FILTER (WHERE label LIKE '% of ' || tenant) AS own
FROM (SELECT tenant, gl_predict(m, features) AS label FROM (SELECT id % 25 AS tenant, gl_label_model(gl_knn_graph(gl_points(id, features), k => 3), array_agg(id), array_agg(truth || ' of ' || id % 25)) AS m FROM old_row GROUP BY 1) t, LATERAL (SELECT features FROM new_row WHERE id <= 3) n) s;
-- Two models that differ in one label only, at one place in memory.
SELECT string_agg(DISTINCT label, ' ' ORDER BY label) AS both FROM (SELECT gl_predict(m, '{0,0}'::float8[]) AS label FROM generate_series(1, 6) i,
    LATERAL (SELECT gl_label_model(gl_knn_graph(gl_points(v, ARRAY[v, v])), '{1,9}', ARRAY[CASE i % 2 WHEN 0 THEN 'even' ELSE 'odds' END, 'far']) AS m FROM generate_series(1, 9 + 0 * i) v) s) t;
-- In PL/pgSQL: a variable, an error on the way, and on.
SET client_min_messages = warning;
DO $$
DECLARE
    m gl_model := (SELECT model FROM model WHERE kind = 'knn');
    r record;
    failed int := 0;
    wrong int := 0;
BEGIN
    FOR r IN SELECT n.id, n.features, a.s FROM new_row n JOIN answer a USING (id) WHERE kind = 'knn' ORDER BY id LOOP
        IF r.id % 50 = 0 THEN
            BEGIN
                PERFORM gl_predict_scores(m, r.features || 1.0::float8);
            EXCEPTION WHEN data_exception THEN failed := failed + 1;
            END;
        END IF;
        wrong := wrong + (gl_predict_scores(m, r.features)::text <> r.s)::int;
    END LOOP;
    RAISE WARNING 'failed %, wrong %', failed, wrong;
END $$;
SET client_min_messages = error;

-- ---- arguments ------------------------------------------------------------

SELECT gl_predict(model, '{4,3}'::float8[]) AS float8, gl_predict(model, '{4,3}'::real[]) AS real, gl_predict(model, '{4,3}'::numeric[]) AS numeric, gl_predict(model, '{4,3}'::smallint[]) AS smallint,
       gl_predict(model, '{4,3}'::int[]) AS int, gl_predict(model, '{4,3}'::bigint[]) AS bigint FROM model WHERE kind = 'knn';
SELECT gl_predict_scores(model, '{4,3}'::float8[]) = ALL (ARRAY[gl_predict_scores(model, '{4,3}'::real[]), gl_predict_scores(model, '{4,3}'::numeric[]), gl_predict_scores(model, '{4,3}'::smallint[]),
       gl_predict_scores(model, '{4,3}'::int[]), gl_predict_scores(model, '{4,3}'::bigint[]), gl_predict_scores(model, features => '{4,3}'::int[], tolerance => 0.5)]) AS same FROM model WHERE kind = 'knn';
SELECT gl_predict(NULL, '{1,2}'::float8[]) IS NULL AS model, gl_predict(model, NULL::float8[]) IS NULL AS features, gl_predict(model, '{1,2}'::int[], NULL) IS NULL AS tolerance,
       gl_predict_scores(NULL, '{1,2}'::float8[]) IS NULL AS scores, gl_predict_scores(model, NULL::int[]) IS NULL AS scores_features FROM model WHERE kind = 'knn';
SELECT kind, call, pg_temp.attempt(format('SELECT %s FROM model WHERE kind = %L', call, kind)) AS answer FROM (VALUES
    (1, 'knn', 'gl_predict(model, ''{1,2,3}''::float8[])'), (2, 'blocks', 'gl_predict(model, ''{1}''::int[])'), (3, 'knn', 'gl_predict(model, ''{}''::int[])'),
    (4, 'knn', 'gl_predict(model, ''{1,NaN}''::float8[])'), (5, 'blocks', 'gl_predict(model, ''{Infinity,2}''::real[])'), (6, 'knn', 'gl_predict(model, ''{1,NULL}''::int[])'),
    (7, 'knn', 'gl_predict(model, ''{{1,2}}''::int[])'), (8, 'cosine', 'gl_predict_scores(model, ''{0,0}''::int[])'), (9, 'knn', 'gl_predict_scores(model, ''{1e300,0}''::float8[])'),
    (10, 'blocks', 'gl_predict(model, ''{1,2}''::int[], -1)'), (11, 'blocks', 'gl_predict(model, ''{1,2}''::int[], ''NaN'')'), (12, 'knn', 'gl_predict(model, ''{1,2}'')'),
    (13, 'knn', 'gl_predict(model, ''{1e30,-1e30}''::float8[])')) v(n, kind, call) ORDER BY n;

-- ---- where scalars are used ----------------------------------------------------

SELECT count(*) AS found FROM new_row WHERE gl_predict((SELECT model FROM model WHERE kind = 'knn'), features) = 'c1';
ALTER TABLE new_row ADD label text;
UPDATE new_row SET label = gl_predict(model, features) FROM model WHERE kind = 'knn';
SELECT count(*) FILTER (WHERE label = truth) AS right FROM new_row;
PREPARE ask(float8[]) AS SELECT gl_predict(model, $1) FROM model WHERE kind = 'forest';
EXECUTE ask('{0,0}');
EXECUTE ask('{4,3}');
SET plan_cache_mode = force_generic_plan;
EXECUTE ask('{8,0}');
RESET plan_cache_mode;
SELECT gl_predict(model, '{0,0}'::float8[]) AS label, (SELECT count(*) FROM gl_rows(model)) AS rows FROM model WHERE kind = 'knn';
-- Plans: parallel, and the same there.
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT count(*) AS differ FROM (SELECT n.id, gl_predict_scores(m.model, n.features)::text AS t FROM new_row n, model m WHERE m.kind = 'knn') b JOIN answer USING (id) WHERE kind = 'knn' AND t <> s;
SELECT count(*) > 0 AS gathers FROM (SELECT pg_temp.attempt('EXPLAIN (FORMAT json) SELECT n.id, gl_predict(m.model, n.features) FROM new_row n, model m')) e(plan) WHERE plan LIKE '%Gather%';

DROP TABLE old_row, new_row, built, seed, graph, model, tenant_model;
