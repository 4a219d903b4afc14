-- If this fails, a method of label propagation answers something else than its definition, or an option is taken by the wrong method.

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
UNION ALL SELECT 'barbell', gl_edge_graph(s, t) FROM (VALUES (0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)) v(s, t)
UNION ALL SELECT 'beta', gl_edge_graph(s, t, w) FROM (VALUES (0, 3, 1), (1, 2, 2), (1, 4, 2), (2, 3, 3)) v(s, t, w)
UNION ALL SELECT 'two parts', gl_edge_graph(s, t) FROM (VALUES (1, 2), (2, 3), (11, 12), (12, 13)) v(s, t)
UNION ALL SELECT 'arcs', gl_arc_graph(i, i + 1) FROM generate_series(1, 4) i
UNION ALL SELECT 'star', gl_edge_graph(0, i) FROM generate_series(1, 3) i
UNION ALL SELECT 'blocks', gl_block_graph(gl_points(i, ARRAY[i % 3 * 5 + i / 7.0, i])) FROM generate_series(1, 12) i
UNION ALL SELECT 'lengths', gl_distance_graph(1, 2, 1.5);
ANALYZE graphs;

CREATE TEMP TABLE methods (method text, damping float8);
INSERT INTO methods VALUES ('harmonic', 0.98), ('lgc', 0.9), ('mrw', 0.95), ('wvrn', 1), ('adsorption', 0.98), ('walk', 0.5);
ANALYZE methods;

-- Exact answers.  MultiRankWalk on a path of four, restart 1/4: 148, 138, 72, 27 of 385 and their mirror, within rows.
SELECT p.id, p.label, abs(p.scores[1] - a / (a + b)::float8) < 1e-12 AS exact
FROM graphs, gl_propagate(g, '{1,4}', '{a,b}'::text[], method => 'mrw', damping => 0.75, prior => 'none', tolerance => 1e-13) p
     JOIN (VALUES (1, 148, 27), (2, 138, 72), (3, 72, 138), (4, 27, 148)) v(id, a, b) USING (id)
WHERE name = 'path of 4' ORDER BY p.id;
-- Barbell: each triangle goes to its seed; harmonic without damping: 0, 1/7, 2/7, 5/7, 6/7, 1.
SELECT m.method, string_agg(p.label, '' ORDER BY p.id) AS labels
FROM graphs, methods m, gl_propagate(g, '{0,5}', '{a,b}'::text[], method => m.method) p WHERE name = 'barbell' GROUP BY 1 ORDER BY 1;
SELECT m.method, bool_and(abs(p.scores[2] - v.f) < 1e-10) AS exact
FROM graphs, (VALUES ('harmonic'), ('wvrn')) m(method), gl_propagate(g, '{0,5}', '{a,b}'::text[], method => m.method, damping => 1, prior => 'none', tolerance => 1e-12) p
     JOIN (VALUES (0, 0), (1, 1 / 7.0), (2, 2 / 7.0), (3, 5 / 7.0), (4, 6 / 7.0), (5, 1)) v(id, f) USING (id)
WHERE name = 'barbell' GROUP BY 1 ORDER BY 1;
-- Votes, stopped after 1, 2, 3, 5, 10 steps: no warning, for that was asked for.
SELECT steps, array_agg(p.scores[2] ORDER BY p.id) AS share_of_b, count(p.label) AS labelled
FROM graphs, unnest('{1,2,3,5,10}'::int[]) steps, gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'wvrn', iterations => steps, prior => 'none', tolerance => 1e-12) p
WHERE name = 'path of 5' GROUP BY steps ORDER BY steps;
-- Adsorption, weight 1 at both ends: 1, 2, 3, 4, 5 of 6; a weight beyond all doubt is harmonic.
SELECT 'weight 1' AS injection, array_agg(round(p.scores[2]::numeric * 6, 8) ORDER BY p.id) AS share_of_b
FROM graphs, gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'adsorption', damping => 1, injection => '{1}', prior => 'none', tolerance => 1e-12) p WHERE name = 'path of 5'
UNION ALL SELECT 'the default', array_agg(round(p.scores[2]::numeric * 6, 8) ORDER BY p.id)
FROM graphs, gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'adsorption', damping => 1, prior => 'none', tolerance => 1e-12) p WHERE name = 'path of 5'
UNION ALL SELECT '1e12', array_agg(round(p.scores[2]::numeric * 4, 8) ORDER BY p.id)
FROM graphs, gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'adsorption', damping => 1, injection => '{1e12,1e12}', prior => 'none', tolerance => 1e-12) p WHERE name = 'path of 5';
-- A label in doubt is overruled by its neighbours.
SELECT injection, string_agg(p.label, '' ORDER BY p.id) AS labels
FROM graphs, (VALUES ('{1,1,1}'::float8[]), ('{0.01,1,1}'), ('{100,1,1}')) v(injection),
     gl_propagate(g, '{0,1,2}', '{b,a,a}'::text[], method => 'adsorption', injection => injection, prior => 'none') p WHERE name = 'star' GROUP BY 1 ORDER BY 1;
-- A NULL weight is the default; an id without a label need not be in the graph and its weight is nobody's.
SELECT count(*) FILTER (WHERE a.scores = b.scores) AS same
FROM graphs, gl_propagate(g, '{1,5,77,3}', '{a,b,NULL,NULL}'::text[], method => 'adsorption', injection => '{1,NULL,5,6}') a
     JOIN LATERAL gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'adsorption', injection => '{1,1}') b USING (id) WHERE name = 'path of 5';
-- The LP iteration: after one step of damping 1/2 the neighbours hold 1/2 of what a seed gives them; its limit is lgc on W.
SELECT p.id, p.label, p.scores FROM graphs, gl_propagate(g, '{1,4}', '{a,b}'::text[], method => 'walk', iterations => 2, prior => 'none') p WHERE name = 'path of 4' ORDER BY id;
SELECT max(abs(a.scores[1] - b.scores[1])) < 1e-9 AS same_limit
FROM graphs, gl_propagate(g, '{0,5}', '{a,b}'::text[], method => 'walk', damping => 0.7, tolerance => 1e-12) a
     JOIN LATERAL gl_propagate(g, '{0,5}', '{a,b}'::text[], method => 'lgc', damping => 0.7, normalise => 'walk', tolerance => 1e-12) b USING (id) WHERE name = 'barbell';
-- The teleport moves no winner at one damping, but does at one restart.
SELECT damping, teleport, string_agg(p.label, '' ORDER BY p.id) AS labels
FROM graphs, (VALUES (0.95, 0), (0.95, 0.001), (0.95, 0.04), (0.45, 0.5), (0.45, 0)) v(damping, teleport),
     gl_propagate(g, '{0,1}', '{a,b}'::text[], method => 'mrw', damping => damping::float8, teleport => teleport::float8, prior => 'none') p WHERE name = 'beta' GROUP BY 1, 2 ORDER BY 1 DESC, 2;
-- lgc by column, seeds of equal number per class, is mrw.
SELECT max(abs(a.scores[1] - b.scores[1])) < 1e-9 AS column_variant_is_mrw
FROM graphs, gl_propagate(g, '{0,5}', '{a,b}'::text[], method => 'mrw', damping => 0.7, tolerance => 1e-12) a
     JOIN LATERAL gl_propagate(g, '{0,5}', '{a,b}'::text[], method => 'lgc', damping => 0.7, normalise => 'spread', tolerance => 1e-12) b USING (id) WHERE name = 'barbell';

-- The defaults are what they are said to be.
SELECT m.method, bool_and(a.scores = b.scores) AS default_damping
FROM graphs, methods m, gl_propagate(g, '{0,5}', '{a,b}'::text[], method => m.method) a JOIN LATERAL gl_propagate(g, '{0,5}', '{a,b}'::text[], method => m.method, damping => m.damping) b USING (id)
WHERE name = 'barbell' GROUP BY 1 ORDER BY 1;

-- Direction: harmonic and its kin look along the arcs for a label; mrw carries it along them.
SELECT m.method, string_agg(coalesce(p.label, '-'), '' ORDER BY p.id) AS "given at 3"
FROM graphs, methods m, gl_propagate(g, '{3}', '{a}'::text[], method => m.method) p WHERE name = 'arcs' GROUP BY 1 ORDER BY 1;

-- Rows no label can reach: NULL and 0 in every method, with every prior, whatever the teleport.
SELECT m.method, string_agg(DISTINCT count, ' ') AS unreached
FROM methods m, LATERAL (
    SELECT count(*) FILTER (WHERE p.label IS NULL AND p.confidence = 0 AND p.scores = '{0,0}' AND p.id > 3) || ' of ' || count(*) AS count
    FROM graphs, unnest('{seeds,uniform,none}'::text[]) prior, gl_propagate(g, '{1,3}', '{a,b}'::text[], method => m.method, prior => prior, teleport => CASE WHEN m.method = 'mrw' THEN 0.02 ELSE 0 END) p
    WHERE name = 'two parts' GROUP BY prior) c GROUP BY 1 ORDER BY 1;

-- Priors: with a share a hundred times as large, class b wins every row that is not held.
SELECT m.method, string_agg(p.label, '' ORDER BY p.id) AS labels
FROM graphs, methods m, gl_propagate(g, '{1,5}', '{a,b}'::text[], method => m.method, class_prior => '{1,1000}') p WHERE name = 'path of 5' GROUP BY 1 ORDER BY 1;

-- Several labels on one row.
SELECT m.method, p.id, p.label, round(p.scores[1]::numeric, 3) AS a, round(p.scores[2]::numeric, 3) AS b
FROM graphs, (VALUES ('lgc'), ('mrw'), ('adsorption')) m(method), gl_propagate(g, '{1,1,4}', '{a,b,b}'::text[], method => m.method, multilabel => true, prior => 'none') p
WHERE name = 'path of 4' ORDER BY 1, 2;

-- Block graphs are not symmetric; every method works, scores sum to 1.
SELECT m.method, count(p.label) AS labelled, bool_and(abs(p.scores[1] + p.scores[2] - 1) < 1e-12) AS sum_to_1
FROM graphs, methods m, gl_propagate(g, '{1,5}', '{a,b}'::text[], method => m.method) p WHERE name = 'blocks' GROUP BY 1 ORDER BY 1;

-- Refusals.
SELECT n, pg_temp.attempt('SELECT count(*) FROM graphs, ' || call || ' WHERE name = ' || quote_literal(name)) AS answer
FROM (VALUES
    (1, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], normalise => 'walk')$$),
    (2, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'lgc', teleport => 0.01)$$),
    (3, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'wvrn', injection => '{1}')$$),
    (4, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'lgc', normalise => 'none')$$),
    (5, 'arcs', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'lgc', normalise => 'symmetric')$$),
    (6, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'mrw', teleport => -0.1)$$),
    (7, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'mrw', teleport => 0.1)$$),
    (8, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'mrw', teleport => 'NaN')$$),
    (9, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'adsorption', injection => '{1,2,3}')$$),
    (10, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'adsorption', injection => '{1,0}')$$),
    (11, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'adsorption', injection => '{{1,2}}')$$),
    (12, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'adsorption', injection => '{Infinity}')$$),
    (13, 'path of 5', $$gl_propagate(g, '{1,1,5}', '{a,b,b}'::text[], method => 'adsorption', multilabel => true, injection => '{1,2,3}')$$),
    (14, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'adsorption', injection => '{}')$$),
    (15, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'mrw', damping => 1)$$),
    (16, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'walk', damping => 1)$$),
    (17, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'wvrn', damping => 1.5)$$),
    (18, 'path of 5', $$gl_propagate(g, '{1,1}', '{a,b}'::text[], method => 'walk', multilabel => true)$$),
    (19, 'path of 5', $$gl_propagate(g, '{1,1}', '{a,b}'::text[], method => 'mrw')$$),
    (20, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'walk', iterations => 0)$$),
    (21, 'path of 5', $$gl_propagate(g, '{1,5}', '{a,b}'::text[], method => 'MRW')$$),
    (22, 'lengths', $$gl_propagate(g, '{1}', '{a}'::text[], method => 'mrw')$$)) q(n, name, call)
ORDER BY n;

-- Not converging is said where a limit was hit, not where steps were asked for.
SELECT m.method, count(*) AS rows
FROM methods m, (SELECT gl_edge_graph(i, i + 1) AS g FROM generate_series(1, 400) i) s, gl_propagate(s.g, '{1,400}', '{a,b}'::text[], method => m.method, iterations => 3) p GROUP BY 1 ORDER BY 1;

-- Data that ships with the project: what the club's two leaders tell, and iris with five labels a species, by every method.
CREATE SCHEMA methods_data;
SET search_path = methods_data, public;
\i test/data/load.sql
SELECT m.method, count(*) FILTER (WHERE p.label = n.label) >= 31 AS at_least_31_of_34
FROM (SELECT gl_edge_graph(source, target) AS g FROM karate_edge) s, methods m,
     (SELECT array_agg(id ORDER BY id) AS ids, array_agg(label ORDER BY id) AS labels FROM karate_node WHERE id IN (SELECT min(id) FROM karate_node UNION SELECT max(id) FROM karate_node)) k,
     gl_propagate(s.g, k.ids, k.labels, method => m.method) p JOIN karate_node n USING (id) GROUP BY 1 ORDER BY 1;
SELECT m.method, avg((p.label = i.label)::int) > 0.88 AS good
FROM (SELECT gl_graph(gl_points(id, features)) AS g FROM iris) s, methods m,
     (SELECT array_agg(id) AS ids, array_agg(label) AS labels FROM (SELECT *, row_number() OVER (PARTITION BY label ORDER BY id) <= 5 AS given FROM iris) i WHERE given) k,
     gl_propagate(s.g, k.ids, k.labels, method => m.method) p JOIN iris i USING (id) WHERE p.id <> ALL (k.ids) GROUP BY 1 ORDER BY 1;
RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA methods_data CASCADE;
