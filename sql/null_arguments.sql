-- If this fails, a NULL argument crashes, or means something else than its documentation says.

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

-- A working call of each function, one list of arguments; $ stands for the
-- points, # for a graph, % for a graph of distances, @ for a block graph, & for a
-- model.
CREATE TEMP TABLE calls (name text, arguments text[]);
INSERT INTO calls VALUES
    ('gl_knn_graph', ARRAY['$', '2', '''euclidean''', '''gaussian''', '''sum''', '1', '''none''', 'true', '0']),
    ('gl_radius_graph', ARRAY['$', '4', '''euclidean''', '''gaussian''', '1', '''none''', 'true', '0']),
    ('gl_tree_graph', ARRAY['$', '''euclidean''', '''gaussian''', '1', '''none''', 'true', '0']),
    ('gl_full_graph', ARRAY['$', '''euclidean''', '''gaussian''', '1', '''none''', 'true', '0']),
    ('gl_graph', ARRAY['$', '''euclidean''', '''none''', 'true', '0']),
    ('gl_block_graph', ARRAY['$', '''bisect''', '1', '2', 'false', '''euclidean''', '1', '''none''', '0.5', 'true', '0']),
    ('gl_refine', ARRAY['@', '3', '0.1']),
    ('gl_affinity', ARRAY['%', '1']),
    ('gl_info', ARRAY['$']),
    ('gl_info', ARRAY['#']),
    ('gl_edges', ARRAY['#']),
    ('gl_degrees', ARRAY['#']),
    ('gl_components', ARRAY['#']),
    ('gl_blocks', ARRAY['@']),
    ('gl_density', ARRAY['@']),
    ('gl_row', ARRAY['#', '1::bigint']),
    ('gl_row', ARRAY['@', '''{1,2}''::float8[]', '0.1']),
    ('gl_row', ARRAY['@', '''{1,2}''::real[]', '0.1']),
    ('gl_row', ARRAY['@', '''{1,2}''::numeric[]', '0.1']),
    ('gl_row', ARRAY['@', '''{1,2}''::smallint[]', '0.1']),
    ('gl_row', ARRAY['@', '''{1,2}''::int[]', '0.1']),
    ('gl_row', ARRAY['@', '''{1,2}''::bigint[]', '0.1']),
    ('gl_multiply', ARRAY['#', '''{1,2}''', '''{1,1}''', '''walk''']),
    ('gl_propagate', ARRAY['#', '''{1,5}''', '''{a,b}''::text[]', '''harmonic''', '0.5', '''seeds''', '1', '''{1,1}''', 'false', '100', '1e-4', 'NULL', '0', 'NULL']),
    ('gl_mds', ARRAY['$', '2', '''place''', '''stress''', 'NULL', '''flat''', '1', '''sequential''', '4', '2', '''random''', '''{1,2}''', '''{0,0,1,0}''', '''{3}''', '''{2,2}''', '300', '0.01', '0', '''euclidean''', '''none''']),
    ('gl_mds_model', ARRAY['$', '2', '''place''', '''stress''', 'NULL', '''flat''', '1', '''sequential''', '4', '2', '''random''', '''{1,2}''', '''{0,0,1,0}''', '''{3}''', '''{2,2}''', '300', '0.01', '0', '''euclidean''', '''none''']),
    ('gl_mds', ARRAY['%', '2', '''place''', '''stress''', 'NULL', '''flat''', '1', '''sequential''', '4', '2', '''random''', '''{1,2}''', '''{0,0,1,0}''', '''{3}''', '''{2,2}''', '300', '0.01', '0', 'false', 'false']),
    ('gl_mds_model', ARRAY['%', '2', '''place''', '''stress''', 'NULL', '''flat''', '1', '''sequential''', '4', '2', '''random''', '''{1,2}''', '''{0,0,1,0}''', '''{3}''', '''{2,2}''', '300', '0.01', '0', 'false', 'false']),
    ('gl_sphere_project', ARRAY['''{1,2}''::int[]', '2', '0']),
    ('gl_project', ARRAY['gl_mds_model($)', '''{1,2}''::int[]']),
    ('gl_stress', ARRAY['$', '''{1,2}''', '''{0,0,1,0}''', '''flat''', '1', '''euclidean''', '''none''']),
    ('gl_stress', ARRAY['%', '''{1,2}''', '''{0,0,1,0}''', '''flat''', '1', 'false', 'false']),
    ('gl_label_model', ARRAY['@', '''{1,5}''', '''{a,b}''::text[]', '''harmonic''', '0.5', '''seeds''', '1', '''{1,1}''', 'false', '100', '1e-4', 'NULL', '0', 'NULL']),
    ('gl_info', ARRAY['&']),
    ('gl_rows', ARRAY['&']),
    ('gl_predict', ARRAY['&', '''{1,2}''::float8[]', '0.01']),
    ('gl_predict_scores', ARRAY['&', '''{1,2}''::float8[]', '0.01']),
    ('gl_cluster', ARRAY['#', '2', '''pic''', '2', '''random''', '''count''', '3', '0.5', '10', '0.01', '2', '0', '''{1,4}''', '''{1,2}''']),
    ('gl_kmeans', ARRAY['$', '2', '''euclidean''', '''none''', '3', '50', '1e-3', '0', '''{1,5}''', '''{1,2}''']),
    ('gl_rank', ARRAY['#', '''{1,2}''', '0.5']),
    ('gl_label_candidates', ARRAY['#', '2', '''random''', '''{1}''', '7']),
    ('gl_modularity', ARRAY['#', '''{1,2,3,4,5}''', '''{1,1,2,2,2}''']),
    ('gl_conductance', ARRAY['#', '''{1,2,3,4,5}''', '''{1,1,2,2,2}''']);
CREATE TEMP TABLE given AS
SELECT gl_points(i, ARRAY[i * i, i]) AS p, gl_edge_graph(i, i % 5 + 1) AS e, gl_distance_graph(i, i + 1, i) AS d,
       gl_block_graph(gl_points(i, ARRAY[i * i, i])) AS b, gl_label_model(gl_knn_graph(gl_points(i, ARRAY[i * i, i]), k => 2), '{1,5}', '{a,b}'::text[]) AS m FROM generate_series(1, 5) i;
ANALYZE given, calls;

-- Set functions are counted, the others printed as edges or blocks.
CREATE FUNCTION pg_temp.query(name text, arguments text[]) RETURNS text LANGUAGE SQL AS $$
    SELECT replace(replace(replace(replace(replace(
        CASE WHEN (SELECT bool_or(proretset) FROM pg_proc WHERE proname = name) THEN 'SELECT count(*) || '' rows'' FROM given, ' || call
             WHEN name ~ '_graph$|affinity|refine' THEN 'SELECT coalesce(i ->> ''edges'' || '' edges'', i ->> ''blocks'' || '' blocks'') FROM given, gl_info(' || call || ') AS i'
             ELSE 'SELECT (' || call || ' IS NOT NULL)::text FROM given' END,
        '$', 'p'), '#', 'e'), '%', 'd'), '@', 'b'), '&', 'm')
    FROM (SELECT name || '(' || array_to_string(arguments, ', ') || ')' AS call) c
$$;

-- Without NULL all of them work; every plain function is here.
SELECT name, pg_temp.attempt(pg_temp.query(name, arguments)) AS answer FROM calls ORDER BY name, arguments;
SELECT proname AS not_tested FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
    JOIN pg_extension x ON x.oid = d.refobjid AND x.extname = 'graphlearn'
WHERE prokind = 'f' AND proname !~ '(_in|_out|_recv|_send|_transfn|_finalfn)$' AND proname NOT IN (SELECT name FROM calls) ORDER BY 1;

-- NULL in each argument in turn.  A bandwidth beside other weights than
-- gaussian is refused, so a NULL for weights alone is.
SELECT name, position, (SELECT (proargnames)[position] FROM pg_proc WHERE proname = name AND proargtypes[0]::regtype = (CASE arguments[1] WHEN '$' THEN 'gl_points' WHEN '&' THEN 'gl_model' ELSE 'gl_graph' END)::regtype
                            AND coalesce(to_regtype(substring(arguments[2] FROM '::(.*)'))::oid = proargtypes[1], true) LIMIT 1) AS argument,
       pg_temp.attempt(pg_temp.query(name, arguments[:position - 1] || CASE WHEN arguments[position] IN ('$') THEN 'NULL::gl_points' WHEN arguments[position] IN ('#', '%', '@') THEN 'NULL::gl_graph' WHEN arguments[position] = '&' THEN 'NULL::gl_model'
                                     WHEN arguments[position] LIKE '%::%' THEN 'NULL::' || split_part(arguments[position], '::', 2) ELSE 'NULL' END || arguments[position + 1:])) AS answer
FROM calls, generate_series(1, cardinality(arguments)) position
ORDER BY name, arguments, position;

-- NULL for every option at once is the default for each.
SELECT gl_graph_send(gl_knn_graph(p, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)) = gl_graph_send(gl_knn_graph(p)) AS knn,
       gl_graph_send(gl_radius_graph(p, 3, NULL, NULL, NULL, NULL, NULL, NULL)) = gl_graph_send(gl_radius_graph(p, 3)) AS radius,
       gl_graph_send(gl_tree_graph(p, NULL, NULL, NULL, NULL, NULL, NULL)) = gl_graph_send(gl_tree_graph(p)) AS tree,
       gl_graph_send(gl_full_graph(p, NULL, NULL, NULL, NULL, NULL, NULL)) = gl_graph_send(gl_full_graph(p)) AS "full",
       gl_graph_send(gl_graph(p, NULL, NULL, NULL, NULL)) = gl_graph_send(gl_graph(p)) AS graph,
       gl_graph_send(gl_block_graph(p, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)) = gl_graph_send(gl_block_graph(p)) AS blocks,
       gl_graph_send(gl_affinity(d, NULL)) = gl_graph_send(gl_affinity(d)) AS affinity
FROM given;
SELECT count(*) AS rows, bool_and(a.scores = b.scores AND a.label = b.label) AS propagate
FROM given, gl_propagate(e, '{1,3}', '{a,b}'::text[], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) a JOIN LATERAL gl_propagate(e, '{1,3}', '{a,b}'::text[]) b USING (id);
SELECT count(*) AS rows, bool_and(a.value = b.value) AS multiply
FROM given, gl_multiply(e, '{1,3}', '{1,2}', NULL) a JOIN LATERAL gl_multiply(e, '{1,3}', '{1,2}') b USING (id);

-- Aggregates: NULL in each argument in turn.
SELECT call, pg_temp.attempt('SELECT gl_info(' || call || ') ->> ''n'' FROM generate_series(1, 3) i') AS answer
FROM (VALUES
    (1, 'gl_points(NULL, ARRAY[i])'), (2, 'gl_points(i, NULL::int[])'), (3, 'gl_points(i, NULL::float8[])'), (4, 'gl_points(i, NULL::real[])'),
    (5, 'gl_points(i, NULL::numeric[])'), (6, 'gl_points(i, NULL::smallint[])'), (7, 'gl_points(i, NULL::bigint[])'),
    (8, 'gl_edge_graph(NULL, i)'), (9, 'gl_edge_graph(i, NULL)'), (10, 'gl_edge_graph(i, i + 1, NULL)'),
    (11, 'gl_arc_graph(NULL, i)'), (12, 'gl_arc_graph(i, NULL)'), (13, 'gl_arc_graph(i, i + 1, NULL)'),
    (14, 'gl_distance_graph(NULL, i, 1)'), (15, 'gl_distance_graph(i, NULL, 1)'), (16, 'gl_distance_graph(i, i + 1, NULL)'), (17, 'gl_distance_graph(i, i + 1, 1, NULL)')) v(n, call)
ORDER BY n;
-- Input functions are strict.
SELECT NULL::gl_points IS NULL AS points, NULL::gl_graph IS NULL AS graph, NULL::gl_model IS NULL AS model,
       gl_points_send(NULL) IS NULL AS points_send, gl_graph_send(NULL) IS NULL AS graph_send, gl_model_send(NULL) IS NULL AS model_send;
