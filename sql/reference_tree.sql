-- If this fails, minimum spanning trees differ from those of scipy.
SET client_min_messages = warning;
CREATE SCHEMA reference_tree;
SET search_path = reference_tree, public;
\i test/data/load.sql
CREATE TABLE total (dataset text, total float8);
\copy total FROM 'test/reference/tree_totals.csv' WITH (FORMAT csv, HEADER)
CREATE TABLE edge (dataset text, source bigint, target bigint, length float8);
\copy edge FROM 'test/reference/tree_edges.csv' WITH (FORMAT csv, HEADER)

CREATE TABLE graphs AS
SELECT 'iris' AS dataset, gl_tree_graph(gl_points(id, features), weights => 'distance', scale => 'none') AS g FROM iris
UNION ALL SELECT 'wine', gl_tree_graph(gl_points(id, features), weights => 'distance', scale => 'none') FROM wine
UNION ALL SELECT 'breast_cancer', gl_tree_graph(gl_points(id, features), weights => 'distance', scale => 'none') FROM breast_cancer
UNION ALL SELECT 'digits', gl_tree_graph(gl_points(id, features), weights => 'distance', scale => 'none') FROM digits WHERE id <= 300;
CREATE TABLE found AS SELECT dataset, e.* FROM graphs, gl_edges(g) AS e;

-- Iris has equal distances and equal rows: many trees, one total.
SELECT dataset, count(*) AS edges, abs(sum(weight) - total) < 1e-9 * total AS same_total,
       (SELECT max(component) FROM graphs AS g2, gl_components(g2.g) WHERE g2.dataset = total.dataset) AS components
FROM total JOIN found USING (dataset)
GROUP BY dataset, total ORDER BY dataset;

-- Where all distances differ there is only one tree.
SELECT dataset, count(*) AS edges,
       count(*) FILTER (WHERE abs(weight - length) < 1e-9 * length) AS same
FROM edge FULL JOIN (SELECT * FROM found WHERE dataset IN ('wine', 'breast_cancer')) AS f USING (dataset, source, target)
GROUP BY dataset ORDER BY dataset;

DROP SCHEMA reference_tree CASCADE;
