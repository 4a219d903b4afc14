-- If this fails, gl_refine does not give the blocks that were asked for, or takes a graph it cannot refine.

\set VERBOSITY verbose
\set SHOW_CONTEXT never

-- What a query gives, or its SQLSTATE, message and hint.
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

-- 41 rows: two arcs.
CREATE TEMP TABLE given AS
SELECT gl_points(i, ARRAY[cos(i * 0.15) + i % 2, sin(i * 0.15) * (1 - i % 2 * 2)]) AS p FROM generate_series(1, 41) i;
CREATE TEMP TABLE graphs AS SELECT p, gl_block_graph(p, bandwidth => 0.3) AS g FROM given;

-- Before and after: blocks a row times 40, and a bound that only rises.
SELECT blocks_per_row, i -> 'kind' AS kind, i -> 'n' AS n, i -> 'blocks' AS blocks, i -> 'bandwidth' AS bandwidth,
       (i ->> 'log_likelihood')::float8 >= lag((i ->> 'log_likelihood')::float8, 1, '-infinity') OVER (ORDER BY blocks_per_row) AS rises
FROM graphs, unnest(ARRAY[2, 2.5, 4, 8, 41, 1000]::float8[]) blocks_per_row, gl_info(gl_refine(g, blocks_per_row)) i
ORDER BY blocks_per_row;
SELECT i -> 'blocks' AS before FROM graphs, gl_info(g) i;

-- As many pairs as half the blocks, covering each ordered pair of rows once; no budget changes the graph itself.
SELECT count(*) AS pairs, sum(2 * size_a * size_b) = 41 * 40 AS covers, min(q_ab) >= 0 AND max(q_ab) <= 1 AS probabilities
FROM graphs, gl_blocks(gl_refine(g, 8));
SELECT gl_graph_send(gl_refine(g, 2)) = gl_graph_send(g) AS two_is_coarsest FROM graphs;

-- The builder's option is the same thing, with and without points.
SELECT gl_graph_send(gl_block_graph(p, blocks_per_row => 8)) = gl_graph_send(gl_refine(gl_block_graph(p), 8)) AS same,
       gl_graph_send(gl_block_graph(p, trees => 3, blocks_per_row => 4, seed => 7)) = gl_graph_send(gl_refine(gl_block_graph(p, trees => 3, seed => 7), 4)) AS same_forest,
       gl_graph_send(gl_block_graph(p, blocks_per_row => 3, learn_bandwidth => true)) = gl_graph_send(gl_refine(gl_block_graph(p, learn_bandwidth => true), 3)) AS same_learnt,
       (SELECT count(*) FROM gl_blocks(gl_block_graph(p, blocks_per_row => 8, keep_points => false))) AS without_points
FROM graphs;

-- All pairs: the exact walk, row by row.
SELECT bool_and(abs(r.probability - w / s) < 1e-12) AS exact, count(*)
FROM graphs, LATERAL gl_row(gl_refine(g, 41), 5) r,
     LATERAL (SELECT exp(-((cos(5 * 0.15) + 1 - cos(r.id * 0.15) - r.id % 2) ^ 2 + (sin(5 * 0.15) * -1 - sin(r.id * 0.15) * (1 - r.id % 2 * 2)) ^ 2) / 0.18) AS w) k,
     LATERAL (SELECT sum(exp(-((cos(5 * 0.15) + 1 - cos(j * 0.15) - j % 2) ^ 2 + (sin(5 * 0.15) * -1 - sin(j * 0.15) * (1 - j % 2 * 2)) ^ 2) / 0.18)) AS s
              FROM generate_series(1, 41) j WHERE j <> 5) z;

-- A tolerance: the smaller, the more blocks; 0 is the exact walk; together with a budget the first one met ends it.
SELECT tolerance, (i ->> 'blocks')::int BETWEEN 80 AND 1640 AS possible,
       (i ->> 'blocks')::int >= lag((i ->> 'blocks')::int, 1, 0) OVER (ORDER BY tolerance DESC) AS more
FROM graphs, unnest(ARRAY[10, 0.1, 0.001, 0]::float8[]) tolerance, gl_info(gl_refine(g, tolerance => tolerance)) i
ORDER BY tolerance DESC;
SELECT i -> 'blocks' AS blocks FROM graphs, gl_info(gl_refine(g, 8, 100)) i;
\set VERBOSITY terse
SELECT count(gl_refine(g, 4, 1e-9)) AS not_reached FROM graphs;
\set VERBOSITY verbose

-- Stored and read back, refined again, and used.
CREATE TEMP TABLE stored AS SELECT gl_refine(g, 4) AS g FROM graphs;
SELECT gl_graph_send(gl_refine(s.g, 6)) = gl_graph_send(gl_refine(gl_refine(o.g, 4), 6)) AS same_bytes,
       (SELECT count(*) FROM gl_blocks(gl_refine(s.g, 6))) AS pairs,
       (SELECT count(*) FROM gl_propagate(s.g, '{1,2}', '{a,b}'::text[])) AS propagated,
       (SELECT count(*) FROM gl_density(s.g) WHERE log_density < 10) AS densities
FROM stored s, graphs o;

-- Other divergences take budgets.
SELECT metric, i -> 'blocks' AS blocks
FROM (SELECT gl_points(i, ARRAY[(i * 7 % 10 + 1) / 12.0, (i * 3 % 11 + 1) / 13.0]) AS p FROM generate_series(1, 30) i) s,
     unnest(ARRAY['cosine', 'counts', 'kl', 'itakura_saito', 'logistic', 'mahalanobis']) metric,
     gl_info(gl_refine(gl_block_graph(p, metric => metric), 7)) i ORDER BY metric;

-- One row has nowhere to go, two have one pair.
SELECT n, i -> 'blocks' AS blocks FROM generate_series(1, 2) n,
     LATERAL (SELECT gl_points(i, ARRAY[i]) AS p FROM generate_series(1, n) i) s, gl_info(gl_refine(gl_block_graph(p), 5)) i ORDER BY n;

-- NULLs and errors.
SELECT gl_refine(NULL, 4) IS NULL AS no_graph, gl_graph_send(gl_refine(g, 4, NULL)) = gl_graph_send(gl_refine(g, 4)) AS no_tolerance FROM graphs;
SELECT call, pg_temp.attempt('SELECT count(' || call || ') FROM graphs') AS answer FROM unnest(ARRAY[
    'gl_refine(g)', 'gl_refine(g, NULL, NULL)', 'gl_refine(g, 1.5)', 'gl_refine(gl_refine(g, 8), 4)', 'gl_refine(g, 0)', 'gl_refine(g, -3)',
    'gl_refine(g, ''NaN'')', 'gl_refine(g, ''Infinity'')', 'gl_refine(g, tolerance => -1)', 'gl_refine(g, tolerance => ''NaN'')',
    'gl_refine(gl_knn_graph(p, 3), 4)', 'gl_refine(gl_block_graph(p, keep_points => false), 4)',
    'gl_refine(gl_block_graph(p, metric => ''cosine''), tolerance => 0.1)', 'gl_block_graph(p, blocks_per_row => 1)',
    'gl_block_graph(p, blocks_per_row => ''NaN'')']) WITH ORDINALITY AS c (call, place) ORDER BY place;
