-- If this fails, connected components differ from those of scipy.
SET client_min_messages = warning;
CREATE SCHEMA reference_components;
SET search_path = reference_components, public;
\i test/data/load.sql
CREATE TABLE answer (dataset text, id bigint, component int);
\copy answer FROM 'test/reference/components.csv' WITH (FORMAT csv, HEADER)

CREATE TABLE graphs AS
SELECT 'iris' AS dataset, gl_radius_graph(gl_points(id, features), 0.35, scale => 'none') AS g FROM iris
UNION ALL SELECT 'wine', gl_radius_graph(gl_points(id, features), 2.0, scale => 'standard') FROM wine
UNION ALL SELECT 'breast_cancer', gl_radius_graph(gl_points(id, features), 2.5, scale => 'standard', keep_points => false) FROM breast_cancer
-- directions are ignored
UNION ALL SELECT 'arcs', gl_arc_graph(i * 137 % 400, (i * i * 3 + i * 7 + 11) % 400) FROM generate_series(0, 199) AS i;

-- Components are numbered by their smallest id, so the numbers must agree.
SELECT dataset, count(*) AS nodes, max(a.component) AS components,
       count(*) FILTER (WHERE c.component = a.component) AS same
FROM answer AS a
FULL JOIN (SELECT dataset, c.* FROM graphs, gl_components(g) AS c) AS c USING (dataset, id)
GROUP BY dataset ORDER BY dataset;

SELECT dataset, (gl_info(g)->>'components')::int AS components
FROM graphs ORDER BY dataset;

DROP SCHEMA reference_components CASCADE;
