-- If this fails, gl_rank ranks rows wrongly, or people are asked to label rows that tell little.

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

CREATE TEMP TABLE graphs AS
SELECT 'star' AS name, gl_edge_graph(0, i) AS g FROM generate_series(1, 3) i
UNION ALL SELECT 'path of 4', gl_edge_graph(i, i + 1) FROM generate_series(1, 3) i
UNION ALL SELECT 'path of 9', gl_edge_graph(i, i + 1) FROM generate_series(1, 8) i
UNION ALL SELECT 'arcs', gl_arc_graph(i, i + 1) FROM generate_series(1, 3) i
UNION ALL SELECT 'two parts', gl_edge_graph(s, t) FROM (VALUES (1, 2), (2, 3), (11, 12), (12, 13), (12, 14)) v(s, t)
UNION ALL SELECT 'blocks', gl_block_graph(gl_points(i, ARRAY[i % 3 * 5 + i / 7.0, i])) FROM generate_series(1, 12) i
UNION ALL SELECT 'forest', gl_block_graph(gl_points(i, ARRAY[i % 3 * 5 + i / 7.0, i]), trees => 3) FROM generate_series(1, 12) i
UNION ALL SELECT 'lengths', gl_distance_graph(1, 2, 1.5)
UNION ALL SELECT 'one', gl_graph(gl_points(7, '{1,2}'::int[]));
ANALYZE graphs;

-- Exact answers: the star (71/148 and 77/444), a path from one end (148, 138, 72, 27 of 385).
SELECT r.id, round(r.score::numeric, 6) AS score, abs(r.score - CASE r.id WHEN 0 THEN 71 / 148.0 ELSE 77 / 444.0 END) < 1e-10 AS exact FROM graphs, gl_rank(g) r WHERE name = 'star' ORDER BY 1;
SELECT r.id, abs(r.score * 385 - v.wanted) < 1e-7 AS exact
FROM graphs, gl_rank(g, ARRAY[1], damping => 0.75) r JOIN (VALUES (1, 148), (2, 138), (3, 72), (4, 27)) v(id, wanted) USING (id) WHERE name = 'path of 4' ORDER BY 1;
-- It follows the arcs, and begins again at a dead end: without one, the last would get less than the sum of 1 allows.
SELECT r.id, round(r.score::numeric, 6) AS score FROM graphs, gl_rank(g) r WHERE name = 'arcs' ORDER BY 1;
-- Scores sum to 1 on every kind, are 0 where the walk never comes, and empty means all.
SELECT name, count(*) AS rows, abs(sum(score) - 1) < 1e-12 AS sum_to_1, min(score) > 0 AS positive FROM graphs, gl_rank(g) WHERE name <> 'lengths' GROUP BY 1 ORDER BY 1;
SELECT id, score > 0 AS seen FROM graphs, gl_rank(g, ARRAY[1, 1, 3]) WHERE name = 'two parts' ORDER BY 1;
SELECT bool_and(a.score = b.score AND a.score = c.score) AS the_same FROM graphs, gl_rank(g) a JOIN LATERAL gl_rank(g, '{}') b USING (id) JOIN LATERAL gl_rank(g, NULL, 0.85) c USING (id) WHERE name = 'path of 9';
SELECT bool_and(a.score = b.score) AS repeats_count_once FROM graphs, gl_rank(g, '{1,4}') a JOIN LATERAL gl_rank(g, '{4,1,4}') b USING (id) WHERE name = 'path of 9';
-- The definition on a block graph: v = 0.15 r + 0.85 W' v, by gl_row.
SELECT name, max(abs(r.score - 0.15 / 12 - 0.85 * came.score)) < 1e-9 AS obeys
FROM graphs, gl_rank(g) r, LATERAL (SELECT sum(f.score * w.probability) AS score FROM gl_rank(g) f, LATERAL gl_row(g, f.id) w WHERE w.id = r.id) came
WHERE name IN ('blocks', 'forest') GROUP BY 1 ORDER BY 1;

-- Candidates, best first; labelled rows are left out.
SELECT name, method, array_agg(c.id ORDER BY c.rank) AS ids, array_agg(c.rank ORDER BY c.rank) AS ranks
FROM graphs, unnest('{pagerank,degree,farthest}'::text[]) method, gl_label_candidates(g, 3, method) c WHERE name IN ('star', 'path of 9', 'two parts', 'arcs', 'one') GROUP BY 1, 2 ORDER BY 1, 2;
SELECT method, array_agg(c.id ORDER BY c.rank) AS ids
FROM graphs, unnest('{pagerank,degree,farthest}'::text[]) method, gl_label_candidates(g, 3, method, labelled => '{1,9}') c WHERE name = 'path of 9' GROUP BY 1 ORDER BY 1;
SELECT count(*) AS rows, count(DISTINCT id) AS ids, bool_and(id NOT IN (2, 3)) AS left_out, max(rank) FROM graphs, gl_label_candidates(g, 100, labelled => '{2,3,2}') WHERE name = 'path of 9';
SELECT count(*) AS none_left FROM graphs, gl_label_candidates(g, 5, labelled => '{0,1,2,3}') WHERE name = 'star';
SELECT count(*) AS ten_by_default FROM graphs, gl_label_candidates(g) WHERE name = 'forest';
-- Chance comes from the seed alone, and a short list begins a long one.
SELECT array_agg(a.id ORDER BY a.rank) = array_agg(b.id ORDER BY a.rank) AS same_seed, array_agg(a.id ORDER BY a.rank) <> array_agg(c.id ORDER BY a.rank) AS other_seed
FROM graphs, gl_label_candidates(g, 9, 'random', seed => 5) a JOIN LATERAL gl_label_candidates(g, 9, 'random', seed => 5) b USING (rank) JOIN LATERAL gl_label_candidates(g, 9, 'random') c USING (rank) WHERE name = 'path of 9';
SELECT method, bool_and(a.id = b.id) AS begins_the_same FROM graphs, unnest('{pagerank,degree,farthest,random}'::text[]) method, gl_label_candidates(g, 4, method) a JOIN LATERAL gl_label_candidates(g, 9, method) b USING (rank)
WHERE name = 'forest' GROUP BY 1 ORDER BY 1;

-- Refusals.
SELECT n, pg_temp.attempt('SELECT count(*) FROM graphs, ' || call || ' WHERE name = ' || quote_literal(name)) AS answer
FROM (VALUES
    (1, 'star', $$gl_rank(g, '{77}')$$),
    (2, 'star', $$gl_rank(g, '{1,NULL}')$$),
    (3, 'star', $$gl_rank(g, '{{1,2}}')$$),
    (4, 'star', $$gl_rank(g, damping => 1)$$),
    (5, 'star', $$gl_rank(g, damping => 0)$$),
    (6, 'star', $$gl_rank(g, damping => 'NaN')$$),
    (7, 'lengths', $$gl_rank(g)$$),
    (8, 'star', $$gl_label_candidates(g, -1)$$),
    (9, 'star', $$gl_label_candidates(g, 3, 'entropy')$$),
    (10, 'star', $$gl_label_candidates(g, labelled => '{77,78}')$$),
    (11, 'star', $$gl_label_candidates(g, labelled => '{1,NULL}')$$),
    (12, 'lengths', $$gl_label_candidates(g)$$)) q(n, name, call)
ORDER BY n;
