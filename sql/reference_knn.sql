-- If this fails, nearest neighbours differ from those of scikit-learn's tree.
SET client_min_messages = warning;
CREATE SCHEMA reference_knn;
SET search_path = reference_knn, public;
\i test/data/load.sql
CREATE TABLE answer (dataset text, id bigint, neighbours bigint[], distances float8[]);
\copy answer FROM 'test/reference/knn.csv' WITH (FORMAT csv, HEADER)

CREATE TABLE found (dataset text, id bigint, rank bigint, neighbour bigint, distance float8);
INSERT INTO found
SELECT s.dataset, source, row_number() OVER (PARTITION BY s.dataset, source ORDER BY weight, target), target, weight
FROM (SELECT 'iris' AS dataset, 10 AS k, gl_points(id, features) AS p FROM iris
      UNION ALL SELECT 'wine', 10, gl_points(id, features) FROM wine
      UNION ALL SELECT 'breast_cancer', 5, gl_points(id, features) FROM breast_cancer
      UNION ALL SELECT 'digits', 5, gl_points(id, features) FROM digits WHERE id <= 300) AS s,
     LATERAL gl_edges(gl_knn_graph(s.p, k => s.k, weights => 'distance', symmetry => 'directed', scale => 'none'));

CREATE TABLE wanted AS
SELECT dataset, id, rank, neighbour, distance,
       max(distance) OVER (PARTITION BY dataset, id) AS farthest
FROM answer, unnest(neighbours, distances) WITH ORDINALITY AS u(neighbour, distance, rank);

-- Every row has as many neighbours as asked for, at the same distances.
SELECT dataset, count(*) AS neighbours,
       count(*) FILTER (WHERE abs(f.distance - w.distance) <= 1e-9 * (1 + w.distance)) AS same_distance
FROM wanted AS w FULL JOIN found AS f USING (dataset, id, rank)
GROUP BY dataset ORDER BY dataset;

-- The same rows, where the last distance is not shared: decimal numbers that
-- are equally far on paper may differ in the last bit.
SELECT dataset, count(*) AS nearer_than_last,
       count(*) FILTER (WHERE f.neighbour IS NULL) AS missing
FROM wanted AS w LEFT JOIN found AS f USING (dataset, id, neighbour)
WHERE w.distance < farthest - 1e-8
GROUP BY dataset ORDER BY dataset;
SELECT f.dataset, count(*) FILTER (WHERE w.neighbour IS NULL) AS surplus
FROM found AS f
JOIN (SELECT DISTINCT dataset, id, farthest FROM wanted) AS last USING (dataset, id)
LEFT JOIN wanted AS w USING (dataset, id, neighbour)
WHERE f.distance < last.farthest - 1e-8
GROUP BY f.dataset ORDER BY f.dataset;

-- Digits are whole numbers, their ties are exact: the same rows in the same
-- order, equal distances by id.
SELECT count(*) AS rows, count(*) FILTER (WHERE f.neighbour = w.neighbour) AS same_rank
FROM wanted AS w JOIN found AS f USING (dataset, id, rank)
WHERE dataset = 'digits';

DROP SCHEMA reference_knn CASCADE;
