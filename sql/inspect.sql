-- If this fails, what a graph tells about itself is not what it is.

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

-- A triangle with a tail, a pair, and a node alone; ids with gaps.
CREATE TEMP TABLE e (source bigint, target bigint, weight float8);
INSERT INTO e VALUES (10, 20, 1), (20, 30, 2), (10, 30, 3), (30, 40, 4), (-5, -7, 0.5), (99, 99, 0);
CREATE TEMP TABLE graphs AS
SELECT 'undirected' AS name, gl_edge_graph(source, target, weight) AS g FROM e
UNION ALL SELECT 'directed', gl_arc_graph(source, target, weight) FROM e
UNION ALL SELECT 'lengths', gl_distance_graph(source, target, weight) FROM e;
ANALYZE graphs;

-- gl_info: for points and for graphs.
SELECT gl_info(gl_points(i, ARRAY[i, 1]::real[])) AS points FROM generate_series(1, 3) i;
SELECT name, gl_info(g) AS info FROM graphs ORDER BY name COLLATE "C";
-- bytes is what the stored value takes.
CREATE TEMP TABLE stored AS SELECT gl_graph(gl_points(i, ARRAY[sqrt(i), i]), scale => 'none') AS g, gl_points(i, ARRAY[sqrt(i), i]) AS p FROM generate_series(1, 500) i;
SELECT (gl_info(g) ->> 'bytes')::int = pg_column_size(g) + 4 AS graph_bytes, (gl_info(p) ->> 'bytes')::int = pg_column_size(p) + 4 AS points_bytes,
       pg_column_size(g) = octet_length(gl_graph_send(g)) AS as_sent
FROM stored;

-- gl_edges: an undirected edge once, smaller id first; rows come sorted.
SELECT name, source, target, weight FROM graphs, gl_edges(g) ORDER BY name COLLATE "C", source, target;
SELECT bool_and((source, target) >= previous) AS sorted_as_they_come
FROM (SELECT source, target, lag(row(source, target)) OVER () AS previous FROM stored, gl_edges(g)) s;

-- gl_degrees: sums over rows; a node alone has 0.
SELECT name, id, degree FROM graphs, gl_degrees(g) WHERE name <> 'lengths' ORDER BY name COLLATE "C", id;

-- gl_components: numbered by the smallest id, direction ignored.
SELECT name, id, component FROM graphs, gl_components(g) WHERE name <> 'lengths' ORDER BY name COLLATE "C", id;
SELECT name, (gl_info(g) ->> 'components')::int = (SELECT max(component) FROM gl_components(g)) AS info_agrees FROM graphs ORDER BY name COLLATE "C";
-- A path listed backwards and out of order is one component.
SELECT max(component) AS components, count(*) AS nodes
FROM (SELECT gl_edge_graph(i, i + 1 ORDER BY md5(i::text)) AS g FROM generate_series(1, 5000) i) s, gl_components(s.g);

-- gl_row: where a walker goes next; the row of a node alone is empty.
SELECT name, node, r.id, round(r.probability::numeric, 6) AS probability
FROM graphs, (VALUES (30), (40), (99)) v(node), gl_row(g, node) r WHERE name <> 'lengths' ORDER BY name COLLATE "C", node, r.id;

-- gl_multiply with each normalisation, against sums over the edges.
CREATE TEMP TABLE x (id bigint, value float8);
INSERT INTO x VALUES (10, 1), (20, -2), (40, 0.5), (-7, 3);
CREATE TEMP TABLE matrix AS
SELECT name, e.source AS i, e.target AS j, e.weight AS a FROM graphs, gl_edges(g) e WHERE name <> 'lengths'
UNION ALL SELECT name, e.target, e.source, e.weight FROM graphs, gl_edges(g) e WHERE name = 'undirected' AND e.source <> e.target;
CREATE TEMP TABLE products AS
SELECT name, normalise, m.id, m.value
FROM graphs, (VALUES ('walk'), ('none'), ('spread'), ('symmetric')) n(normalise),
     gl_multiply(g, (SELECT array_agg(id) FROM x), (SELECT array_agg(value) FROM x), normalise => normalise) m
WHERE name <> 'lengths';
WITH degree AS (SELECT name, i AS id, sum(a) AS degree FROM matrix GROUP BY name, i)
SELECT p.name, p.normalise, count(*) AS rows,
       bool_and(abs(p.value - coalesce((
           SELECT sum(m.a * x.value / CASE normalise WHEN 'none' THEN 1 WHEN 'symmetric' THEN sqrt(di.degree * dj.degree) ELSE di.degree END)
           FROM matrix m JOIN x ON x.id = CASE normalise WHEN 'spread' THEN m.i ELSE m.j END
           LEFT JOIN degree di ON di.name = m.name AND di.id = m.i LEFT JOIN degree dj ON dj.name = m.name AND dj.id = m.j
           WHERE m.name = p.name AND p.id = CASE normalise WHEN 'spread' THEN m.j ELSE m.i END), 0)) < 1e-12) AS as_defined
FROM products p GROUP BY p.name, p.normalise ORDER BY p.name COLLATE "C", p.normalise COLLATE "C";
-- What is spread along arcs is neither lost nor made, except at nodes without any.
SELECT name, round(sum(value)::numeric, 9) AS arrived, (SELECT sum(x.value) FROM x WHERE x.id IN (SELECT i FROM matrix m WHERE m.name = p.name)) AS sent
FROM products p WHERE normalise = 'spread' GROUP BY name ORDER BY name COLLATE "C";
SELECT id, round(value::numeric, 6) AS walk FROM products WHERE name = 'undirected' AND normalise = 'walk' ORDER BY id;
-- The default is the walk; ids not named count as 0; none may be named.
SELECT id, round(value::numeric, 6) AS value FROM graphs, gl_multiply(g, '{30}', '{1}') WHERE name = 'undirected' ORDER BY id;
SELECT sum(abs(value)) AS of_nothing FROM graphs, gl_multiply(g, '{}', '{}') WHERE name = 'undirected';
-- Lengths can be multiplied as they are.
SELECT id, value FROM graphs, gl_multiply(g, '{30}', '{1}', 'none') WHERE name = 'lengths' ORDER BY id;

-- One node.
SELECT 'degrees' AS what, id, degree::text AS answer FROM gl_degrees((SELECT gl_graph(gl_points(7, '{1}'::int[]))))
UNION ALL SELECT 'components', id, component::text FROM gl_components((SELECT gl_graph(gl_points(7, '{1}'::int[]))))
UNION ALL SELECT 'multiply', id, value::text FROM gl_multiply((SELECT gl_graph(gl_points(7, '{1}'::int[]))), '{7}', '{2}')
UNION ALL SELECT 'edges', source, weight::text FROM gl_edges((SELECT gl_graph(gl_points(7, '{1}'::int[]))))
ORDER BY 1;

-- Refusals.
SELECT n, pg_temp.attempt('SELECT * FROM graphs, ' || call || ' WHERE name = ' || quote_literal(name)) AS answer
FROM (VALUES
    (1, 'undirected', $$gl_row(g, 11)$$),
    (2, 'lengths', $$gl_row(g, 10)$$),
    (3, 'undirected', $$gl_multiply(g, '{1,2,3,4,5,6,7,10}', '{1,2,3,4,5,6,7,8}')$$),
    (4, 'undirected', $$gl_multiply(g, '{10}', '{1,2}')$$),
    (5, 'undirected', $$gl_multiply(g, '{10,20}', '{1}')$$),
    (6, 'undirected', $$gl_multiply(g, '{10,NULL}', '{1,2}')$$),
    (7, 'undirected', $$gl_multiply(g, '{10,20}', '{1,NULL}')$$),
    (8, 'undirected', $$gl_multiply(g, '{10,20,10}', '{1,2,3}')$$),
    (9, 'undirected', $$gl_multiply(g, '{10}', '{1}', 'spin')$$),
    (10, 'lengths', $$gl_multiply(g, '{10}', '{1}')$$),
    (11, 'undirected', $$gl_multiply(g, '{{10,20}}', '{1,2}')$$),
    (12, 'undirected', $$gl_multiply(g, '{10,20}', '{{1},{2}}')$$),
    (13, 'undirected', $$gl_multiply(g, '{10}', '{NaN}')$$),
    (14, 'undirected', $$gl_multiply(g, '{10}', '{Infinity}')$$),
    (15, 'undirected', $$gl_row(g, NULL::bigint)$$)) q(n, name, call)
ORDER BY n;

-- Set-returning functions in the select list, and several in one query.
SELECT (gl_row(g, 40)).* FROM graphs WHERE name = 'undirected';
SELECT name, count(*) FROM (SELECT name, gl_edges(g) FROM graphs) s GROUP BY name ORDER BY name COLLATE "C";
SELECT count(*) AS repeated FROM generate_series(1, 3) i, graphs, gl_edges(g) WHERE name = 'undirected';
