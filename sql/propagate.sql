-- If this fails, rows get other labels than the labelled ones imply, or labels of another type.

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

CREATE FUNCTION pg_temp.rounded(float8[]) RETURNS numeric[] LANGUAGE SQL AS $$
    SELECT array_agg(round(x::numeric, 6) ORDER BY o) FROM unnest($1) WITH ORDINALITY u(x, o)
$$;

CREATE TEMP TABLE graphs AS
SELECT 'path of 5' AS name, gl_edge_graph(i, i + 1) AS g FROM generate_series(1, 4) i
UNION ALL SELECT 'path of 4', gl_edge_graph(i, i + 1) FROM generate_series(1, 3) i
UNION ALL SELECT 'pair', gl_edge_graph(1, 2)
UNION ALL SELECT 'star', gl_edge_graph(0, i) FROM generate_series(1, 6) i
UNION ALL SELECT 'two parts', gl_edge_graph(s, t) FROM (VALUES (1, 2), (2, 3), (11, 12), (12, 13)) v(s, t)
UNION ALL SELECT 'arcs', gl_arc_graph(i, i + 1) FROM generate_series(1, 4) i
UNION ALL SELECT 'one way ring', gl_arc_graph(i, (i + 1) % 5) FROM generate_series(0, 4) i
UNION ALL SELECT 'lengths', gl_distance_graph(1, 2, 1.5)
UNION ALL SELECT 'one', gl_graph(gl_points(7, '{1,2}'::int[]));
ANALYZE graphs;
CREATE VIEW pg_temp.path AS SELECT g FROM graphs WHERE name = 'path of 5';

-- Exact answers.  Path of five, both ends given, no leak: a straight line.
SELECT p.id, round(p.confidence::numeric, 6) AS confidence, pg_temp.rounded(p.scores) AS scores
FROM pg_temp.path, gl_propagate(g, '{1,5}', '{a,b}'::text[], damping => 1, prior => 'none', tolerance => 1e-12) p ORDER BY id;
-- Path of four, damping 1/2: 4/5 and 1/5.
SELECT p.id, p.label, pg_temp.rounded(p.scores) AS scores
FROM graphs, gl_propagate(g, '{1,4}', '{a,b}'::text[], damping => 0.5, prior => 'none', tolerance => 1e-12) p WHERE name = 'path of 4' ORDER BY id;
-- LGC on a pair: 1 / (1 + damping) and damping / (1 + damping).
SELECT damping, p.id, p.label, pg_temp.rounded(p.scores) AS scores, abs(p.confidence - 1 / (1 + damping)) < 1e-9 AS exact
FROM graphs, (VALUES (0.5), (0.9)) d(damping), gl_propagate(g, '{1,2}', '{a,b}'::text[], method => 'lgc', damping => damping::float8, prior => 'none', tolerance => 1e-12) p
WHERE name = 'pair' ORDER BY damping, id;
-- Class mass normalisation: q f / m with the shares that were asked for.
-- f is that of the straight line; the mass is that of all rows, labelled ones too.
WITH f AS (SELECT p.id, p.scores AS f FROM pg_temp.path, gl_propagate(g, '{1,4,5}', '{a,b,b}'::text[], damping => 1, prior => 'none', tolerance => 1e-12) p),
     m AS (SELECT sum(f[1]) AS m1, sum(f[2]) AS m2 FROM f),
     q (o, prior, prior_weight, class_prior, q1, q2) AS (
        VALUES (1, 'seeds', 10::float8, NULL::float8[], 11 / 23.0, 12 / 23.0), (2, 'seeds', 0, NULL, 1 / 3.0, 2 / 3.0),
               (3, 'uniform', 10, NULL, 0.5, 0.5), (4, 'uniform', 10, '{3,1}', 0.75, 0.25), (5, 'none', 10, '{1e300,1e300}', 0.5, 0.5))
SELECT o, p.id, p.label, pg_temp.rounded(p.scores) AS scores,
       abs(p.scores[1] - (q1 * f[1] / m1) / (q1 * f[1] / m1 + q2 * f[2] / m2)) < 1e-9 AS as_defined
FROM pg_temp.path, f, m, q, gl_propagate(g, '{1,4,5}', '{a,b,b}'::text[], damping => 1, prior => prior, prior_weight => prior_weight, class_prior => class_prior, tolerance => 1e-12) p
WHERE p.id = f.id AND p.id IN (2, 3) ORDER BY o, p.id;
-- All rows labelled but one: its neighbours decide, not the sizes of the classes.
SELECT count(*) AS rows, count(*) FILTER (WHERE p.label = left_out.label) AS right_label, count(*) FILTER (WHERE p.confidence > 0.5) AS sure
FROM (SELECT i AS id, CASE WHEN i <= 30 THEN 'common' ELSE 'rare' END AS label FROM generate_series(1, 40) i) left_out,
     (SELECT gl_knn_graph(gl_points(i, ARRAY[CASE WHEN i <= 30 THEN i ELSE i + 3 END]), 4) AS g FROM generate_series(1, 40) i) s,
     LATERAL (SELECT array_agg(i ORDER BY i) AS ids, array_agg(CASE WHEN i <= 30 THEN 'common' ELSE 'rare' END ORDER BY i) AS labels FROM generate_series(1, 40) i WHERE i <> left_out.id) l,
     LATERAL gl_propagate(s.g, l.ids, l.labels) p
WHERE p.id = left_out.id;
-- The defaults are what they are said to be.
SELECT count(*) FILTER (WHERE a.scores = b.scores) AS harmonic, count(*) FILTER (WHERE c.scores = d.scores) AS lgc, count(*) FILTER (WHERE a.scores = c.scores) AS same_method
FROM pg_temp.path, gl_propagate(g, '{1,4}', '{a,b}'::text[]) a
     JOIN LATERAL gl_propagate(g, '{1,4}', '{a,b}'::text[], 'harmonic', 0.98, 'seeds', 10, NULL, false, NULL, 1e-5) b USING (id)
     JOIN LATERAL gl_propagate(g, '{1,4}', '{a,b}'::text[], 'lgc') c USING (id)
     JOIN LATERAL gl_propagate(g, '{1,4}', '{a,b}'::text[], method => 'lgc', damping => 0.9) d USING (id)
WHERE id NOT IN (1, 4);

-- Label type in = label type out.
CREATE TYPE pg_temp.mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN pg_temp.grade AS int CHECK (VALUE BETWEEN 1 AND 6);
SELECT 'text' AS labels, pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) AS answer FROM pg_temp.path, gl_propagate(g, '{1,5}', '{x,y}'::text[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'int', pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', ARRAY[7, -3]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'bigint', pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{7000000000,-3}'::bigint[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'enum', pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{happy,ok}'::pg_temp.mood[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'uuid', pg_typeof(label), string_agg(left(label::text, 4), ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{aaaa0000-0000-0000-0000-000000000000,bbbb0000-0000-0000-0000-000000000000}'::uuid[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'boolean', pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{t,f}'::boolean[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'date', pg_typeof(label), string_agg(to_char(label, 'YYYY-MM-DD'), ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{2020-01-01,1999-12-31}'::date[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'varchar', pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{x,y}'::varchar(3)[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'numeric', pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{1.50,-2}'::numeric[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'float8', pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{1.5,NaN}'::float8[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'char', pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{x,y}'::"char"[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'domain', pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{6,1}'::pg_temp.grade[]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'long text', pg_typeof(label), string_agg(length(label)::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', ARRAY[repeat('x', 5000), repeat('y', 3000)]) WHERE id IN (1, 2, 4, 5) GROUP BY 2
UNION ALL SELECT 'untyped literal', pg_typeof(label), string_agg(label::text, ' ' ORDER BY id) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{x,y}') WHERE id IN (1, 2, 4, 5) GROUP BY 2
ORDER BY 1;
-- Scores follow the order of the labels, which is that of their type: 2
-- before 10 as numbers, after it as text; upper case first in every locale.
SELECT 'numbers' AS labels, pg_temp.rounded(scores) AS clamped FROM pg_temp.path, gl_propagate(g, '{1,5}', '{10,2}'::int[]) WHERE id = 1
UNION ALL SELECT 'text', pg_temp.rounded(scores) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{10,2}'::text[]) WHERE id = 1
UNION ALL SELECT 'upper case first', pg_temp.rounded(scores) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{a,B}'::text[]) WHERE id = 1
UNION ALL SELECT 'enum by its own order', pg_temp.rounded(scores) FROM pg_temp.path, gl_propagate(g, '{1,5}', '{sad,happy}'::pg_temp.mood[]) WHERE id = 1
ORDER BY 1;
-- Equal values are one class: numeric 1.0 and 1.00.
SELECT id, label = 1 AS is_one, scores FROM pg_temp.path, gl_propagate(g, '{1,5}', '{1.0,1.00}'::numeric[]) WHERE id IN (1, 3, 5) ORDER BY id;

-- The one shown is that of the smallest id, in whatever order they are listed.
SELECT string_agg(DISTINCT label::text, ' ') AS shown FROM pg_temp.path, gl_propagate(g, '{1,5,3}', '{1.0,1.00,1}'::numeric[])
UNION ALL SELECT string_agg(DISTINCT label::text, ' ') FROM pg_temp.path, gl_propagate(g, '{5,3,1}', '{1.00,1,1.0}'::numeric[]);

-- NULL labels mean unlabelled; the same label twice says no more than once.
SELECT count(*) FILTER (WHERE a.scores = b.scores AND a.label = b.label) AS same
FROM pg_temp.path, gl_propagate(g, '{1,2,5,3,5}', '{a,NULL,b,NULL,b}'::text[]) a JOIN LATERAL gl_propagate(g, '{5,1}', '{b,a}'::text[]) b USING (id);
-- An id that is not in the graph may stand beside a NULL label: it says nothing.
SELECT count(*) FILTER (WHERE a.scores = b.scores AND a.label = b.label) AS same, count(*) AS rows
FROM pg_temp.path, gl_propagate(g, '{99,1,-3,5,99}', '{NULL,a,NULL,b,NULL}'::text[]) a JOIN LATERAL gl_propagate(g, '{5,1}', '{b,a}'::text[]) b USING (id);

-- No labels at all: NULL everywhere, and a notice.
SELECT id, label, confidence, scores FROM pg_temp.path, gl_propagate(g, '{}', '{}'::text[]) ORDER BY id;
SELECT count(*) AS rows, count(label) AS labels FROM pg_temp.path, gl_propagate(g, '{1,2}', '{NULL,NULL}'::text[]);
SELECT count(*) AS rows, count(label) AS labels, pg_typeof(max(label)) FROM pg_temp.path, gl_propagate(g, '{}', '{}'::int[]);

-- Rows no label can reach.
SELECT id, label, confidence, scores FROM graphs, gl_propagate(g, '{1,3}', '{a,b}'::text[], prior => 'none') WHERE name = 'two parts' AND id > 3 ORDER BY id;
SELECT id, label, confidence, scores FROM graphs, gl_propagate(g, '{1}', '{a}'::text[], method => 'lgc') WHERE name = 'two parts' ORDER BY id;

-- One class: everyone reached has it.
SELECT id, label, confidence, scores FROM pg_temp.path, gl_propagate(g, '{3}', '{only}'::text[]) ORDER BY id;
-- One node.
SELECT id, label, confidence, scores FROM graphs, gl_propagate(g, '{7}', '{a}'::text[]) WHERE name = 'one';
SELECT id, label, confidence, scores FROM graphs, gl_propagate(g, '{7}', '{a}'::text[], method => 'lgc') WHERE name = 'one';
-- All labelled: nothing changes.
SELECT id, label, confidence, scores FROM graphs, gl_propagate(g, '{1,2}', '{b,a}'::text[]) WHERE name = 'pair' ORDER BY id;

-- Direction: a label goes to those whose arcs lead to it.
SELECT 'given at the end' AS labels, id, label FROM graphs, gl_propagate(g, '{5}', '{a}'::text[]) WHERE name = 'arcs'
UNION ALL SELECT 'given at the start', id, label FROM graphs, gl_propagate(g, '{1}', '{a}'::text[]) WHERE name = 'arcs'
ORDER BY 1, 2;
-- One way ring, damping 1/2, labels a at 0 and b at 2: 1 sees only b, 3 and 4
-- only a.
SELECT method, id, label, pg_temp.rounded(scores) AS scores
FROM graphs, (VALUES ('harmonic'), ('lgc')) m(method), gl_propagate(g, '{0,2}', '{a,b}'::text[], method => method, damping => 0.5, prior => 'none', tolerance => 1e-10) WHERE name = 'one way ring' ORDER BY method, id;

-- Multilabel: a row may carry several labels with lgc.
SELECT id, label, pg_temp.rounded(scores) AS scores
FROM graphs, gl_propagate(g, '{1,1,2}', '{a,b,b}'::text[], method => 'lgc', damping => 0.5, prior => 'none', multilabel => true, tolerance => 1e-12) WHERE name = 'pair' ORDER BY id;

-- Refusals.
SELECT n, pg_temp.attempt('SELECT count(*) FROM graphs, ' || call || ' WHERE name = ' || quote_literal(name)) AS answer
FROM (VALUES
    (1, 'path of 5', $$gl_propagate(g, '{1,5,1}', '{a,b,b}'::text[])$$),
    (2, 'path of 5', $$gl_propagate(g, '{1,1}', '{a,b}'::text[], method => 'lgc')$$),
    (3, 'path of 5', $$gl_propagate(g, '{1,1}', '{a,b}'::text[], multilabel => true)$$),
    (4, 'path of 5', $$gl_propagate(g, '{1,6}', '{a,b}'::text[])$$),
    (5, 'path of 5', $$gl_propagate(g, '{9,8,7,6,-1,-2,-3}', '{a,b,c,d,e,f,g}'::text[])$$),
    (6, 'path of 5', $$gl_propagate(g, '{98,99}', '{NULL,a}'::text[])$$),
    (7, 'path of 5', $$gl_propagate(g, '{1,2}', '{a}'::text[])$$),
    (8, 'path of 5', $$gl_propagate(g, '{1}', '{a,b}'::text[])$$),
    (9, 'path of 5', $$gl_propagate(g, '{1,NULL}', '{a,b}'::text[])$$),
    (10, 'path of 5', $$gl_propagate(g, '{{1,2}}', '{a,b}'::text[])$$),
    (11, 'path of 5', $$gl_propagate(g, '{1,2}', '{{a},{b}}'::text[])$$),
    (12, 'path of 5', $$gl_propagate(g, '{1,5}', ARRAY['{"a":1}', '{}']::json[])$$),
    (13, 'path of 5', $$gl_propagate(g, '{1,5}', ARRAY['(1,2)', '(3,4)']::point[])$$),
    (14, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'magic')$$),
    (15, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], damping => 0)$$),
    (16, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], damping => 1.01)$$),
    (17, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], damping => 'NaN')$$),
    (18, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'lgc', damping => 1)$$),
    (19, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], prior => 'equal')$$),
    (20, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], prior_weight => -1)$$),
    (21, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], prior_weight => 'Infinity')$$),
    (22, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], class_prior => '{1}')$$),
    (23, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], class_prior => '{1,0}')$$),
    (24, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], class_prior => '{1,NULL}')$$),
    (25, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], class_prior => '{NaN,1}')$$),
    (26, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], class_prior => '{}')$$),
    (27, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], class_prior => '{{1,2}}')$$),
    (28, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], iterations => 0)$$),
    (29, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], iterations => -5)$$),
    (30, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], tolerance => 0)$$),
    (31, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], tolerance => 1)$$),
    (32, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], tolerance => 'NaN')$$),
    (33, 'lengths', $$gl_propagate(g, '{1}', '{a}'::text[])$$),
    (34, 'lengths', $$gl_propagate(gl_affinity(g), '{1}', '{a}'::text[])$$),
    (35, 'path of 5', $$gl_propagate(g, '{1,5}', 'a')$$),
    (36, 'path of 5', $$gl_propagate(g, '{1,5}', NULL)$$)) q(n, name, call)
ORDER BY n;

-- Not converging is said, and is no error.
SELECT count(*) AS rows
FROM (SELECT gl_edge_graph(i, i + 1) AS g FROM generate_series(1, 400) i) s, gl_propagate(s.g, '{1,400}', '{a,b}'::text[], damping => 1, iterations => 3);

-- Memory: the answer has a number per row and class.
SET graphlearn.max_memory = '1MB';
SELECT regexp_replace(pg_temp.attempt($$
    SELECT count(*) FROM (SELECT gl_edge_graph(i, i + 1) AS g FROM generate_series(1, 1000) i) s,
        gl_propagate(s.g, (SELECT array_agg(i::bigint) FROM generate_series(1, 500) i), (SELECT array_agg(i) FROM generate_series(1, 500) i))
    $$), '[0-9.]+ [kM]B', '# MB', 'g') AS answer;
RESET graphlearn.max_memory;

-- Data that ships with the project.
CREATE SCHEMA propagate_data;
SET search_path = propagate_data, public;
\i test/data/load.sql
-- The club that split: the two leaders tell where 32 of 34 or more went.
SELECT count(*) AS members, count(*) FILTER (WHERE p.label = n.label) >= 32 AS at_least_32, bool_and(p.confidence BETWEEN 0.5 AND 1) AS confident
FROM (SELECT gl_edge_graph(source, target) AS g FROM karate_edge) s,
     gl_propagate(s.g, (SELECT array_agg(id ORDER BY id) FROM karate_node WHERE id IN (SELECT min(id) FROM karate_node UNION SELECT max(id) FROM karate_node)),
                       (SELECT array_agg(label ORDER BY id) FROM karate_node WHERE id IN (SELECT min(id) FROM karate_node UNION SELECT max(id) FROM karate_node)), prior => 'none') p
     JOIN karate_node n USING (id);
-- Iris, five labels a species: better than 9 of 10; scores sum to 1, the
-- confidence is their maximum, given labels stay.
CREATE TABLE answers AS
SELECT p.*, i.label AS truth, i.given FROM
    (SELECT *, row_number() OVER (PARTITION BY label ORDER BY id) <= 5 AS given FROM iris) i
    JOIN (SELECT p.* FROM (SELECT gl_points(id, features) AS p FROM iris) s,
          LATERAL gl_propagate(gl_graph(s.p),
             (SELECT array_agg(id) FROM (SELECT *, row_number() OVER (PARTITION BY label ORDER BY id) <= 5 AS given FROM iris) i WHERE given),
             (SELECT array_agg(label) FROM (SELECT *, row_number() OVER (PARTITION BY label ORDER BY id) <= 5 AS given FROM iris) i WHERE given)) p) p USING (id);
SELECT count(*) AS rows, avg((label = truth)::int) FILTER (WHERE NOT given) > 0.9 AS good,
       bool_and(label = truth AND confidence = 1) FILTER (WHERE given) AS given_stay,
       bool_and(abs((SELECT sum(x) FROM unnest(scores) x) - 1) < 1e-12) AS sum_to_1,
       bool_and(confidence = (SELECT max(x) FROM unnest(scores) x)) AS confidence_is_largest,
       bool_and(cardinality(scores) = 3) AS three_classes
FROM answers;
RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA propagate_data CASCADE;
