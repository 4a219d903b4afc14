-- If this fails, the default graph has other edges or weights than the formula.
SET client_min_messages = warning;
CREATE SCHEMA reference_weights;
SET search_path = reference_weights, public;
\i test/data/load.sql
CREATE TABLE answer (dataset text, source bigint, target bigint, weight float8);
\copy answer FROM 'test/reference/weights.csv' WITH (FORMAT csv, HEADER)

CREATE TABLE graphs AS
SELECT 'iris' AS dataset, gl_knn_graph(gl_points(id, features), scale => 'none') AS g FROM iris
UNION ALL SELECT 'wine', gl_knn_graph(gl_points(id, features), scale => 'standard') FROM wine;

SELECT dataset, count(*) AS edges,
       count(*) FILTER (WHERE abs(e.weight - a.weight) <= 1e-12) AS same
FROM answer AS a
FULL JOIN (SELECT dataset, e.* FROM graphs, gl_edges(g) AS e) AS e USING (dataset, source, target)
GROUP BY dataset ORDER BY dataset;

-- gl_graph chooses the same graph for data of this size.
SELECT count(*) AS edges, count(*) FILTER (WHERE abs(e.weight - a.weight) <= 1e-12) AS same
FROM (SELECT * FROM answer WHERE dataset = 'iris') AS a
FULL JOIN (SELECT e.* FROM (SELECT gl_graph(gl_points(id, features)) AS g FROM iris) AS s, gl_edges(s.g) AS e) AS e
USING (source, target);

-- Degrees, one step of the walk and its transpose, against sums over edges.
CREATE TABLE both_ways AS
SELECT dataset, source, target, weight FROM answer
UNION ALL SELECT dataset, target, source, weight FROM answer;
CREATE TABLE degree AS
SELECT dataset, source AS id, sum(weight) AS degree FROM both_ways GROUP BY 1, 2;
SELECT dataset, count(*) AS nodes, count(*) FILTER (WHERE abs(d.degree - degree.degree) < 1e-12) AS same
FROM degree JOIN (SELECT dataset, d.* FROM graphs, gl_degrees(g) AS d) AS d USING (dataset, id)
GROUP BY dataset ORDER BY dataset;
WITH product AS (
    SELECT dataset, normalise, m.*
    FROM graphs, unnest('{none,walk,spread,symmetric}'::text[]) AS normalise,
         LATERAL gl_multiply(g, ARRAY[1, 60, 120]::bigint[], ARRAY[1, -2, 0.5], normalise) AS m
), given (target, x) AS (VALUES (1, 1), (60, -2), (120, 0.5)),
wanted AS (
    SELECT w.dataset, normalise, w.source AS id,
           sum(weight * x * CASE normalise WHEN 'none' THEN 1 WHEN 'walk' THEN 1 / a.degree
               WHEN 'spread' THEN 1 / b.degree ELSE 1 / sqrt(a.degree * b.degree) END) AS value
    FROM both_ways AS w JOIN given USING (target)
    JOIN degree AS a ON a.dataset = w.dataset AND a.id = w.source
    JOIN degree AS b ON b.dataset = w.dataset AND b.id = w.target,
    unnest('{none,walk,spread,symmetric}'::text[]) AS normalise
    GROUP BY 1, 2, 3
)
SELECT dataset, normalise, count(*) AS nodes, count(w.id) > 20 AS reached,
       count(*) FILTER (WHERE abs(p.value - coalesce(w.value, 0)) < 1e-12) AS same
FROM product AS p LEFT JOIN wanted AS w USING (dataset, normalise, id)
GROUP BY dataset, normalise ORDER BY dataset, normalise;

DROP SCHEMA reference_weights CASCADE;
