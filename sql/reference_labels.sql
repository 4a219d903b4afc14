-- If this fails, propagated labels differ from the dense solution of numpy.
SET client_min_messages = warning;
CREATE SCHEMA reference_labels;
SET search_path = reference_labels, public;
\i test/data/load.sql
CREATE TABLE answer (dataset text, method text, id bigint, label text, scores float8[]);
\copy answer FROM 'test/reference/labels.csv' WITH (FORMAT csv, HEADER)

CREATE TABLE seeds AS
SELECT 'iris' AS dataset, id, label FROM iris WHERE id IN (1, 26, 51, 76, 101, 126)
UNION ALL SELECT 'wine', id, label FROM wine WHERE id IN (1, 30, 60, 75, 90, 120, 131);
CREATE TABLE graphs AS
SELECT 'iris' AS dataset, gl_knn_graph(gl_points(id, features), scale => 'none') AS g FROM iris
UNION ALL SELECT 'wine', gl_knn_graph(gl_points(id, features), scale => 'standard') FROM wine;

-- lgc without class mass normalisation; harmonic with all its defaults.
CREATE TABLE found AS
SELECT dataset, method, tolerance, p.*
FROM graphs JOIN (SELECT dataset, array_agg(id ORDER BY id) AS ids, array_agg(label ORDER BY id) AS labels
                  FROM seeds GROUP BY dataset) AS s USING (dataset),
     (VALUES ('lgc', 'none'), ('harmonic', 'seeds')) AS m(method, prior),
     (VALUES (1e-5), (1e-12)) AS t(tolerance),
     LATERAL gl_propagate(g, ids, labels, method => method, prior => prior, tolerance => tolerance) AS p;

-- Scores agree to the tolerance of the solver, and so do the labels.
SELECT dataset, method, tolerance, count(*) AS nodes,
       count(*) FILTER (WHERE f.label = a.label) AS same_label,
       count(*) FILTER (WHERE d.difference < CASE WHEN tolerance < 1e-6 THEN 1e-9 ELSE 1e-2 END) AS same_scores
FROM answer AS a
FULL JOIN found AS f USING (dataset, method, id),
LATERAL (SELECT max(abs(x - y)) AS difference FROM unnest(f.scores, a.scores) AS u(x, y)) AS d
GROUP BY dataset, method, tolerance ORDER BY dataset, method, tolerance;

-- Confidence is the winning score; a clamped seed is certain.
SELECT dataset, method, count(*) AS nodes,
       count(*) FILTER (WHERE confidence = (SELECT max(x) FROM unnest(scores) AS x)) AS is_winning_score,
       count(*) FILTER (WHERE method = 'harmonic' AND confidence = 1 AND s.id IS NOT NULL) AS certain_seeds
FROM found AS f LEFT JOIN seeds AS s USING (dataset, id)
WHERE tolerance = 1e-12
GROUP BY dataset, method ORDER BY dataset, method;

DROP SCHEMA reference_labels CASCADE;
