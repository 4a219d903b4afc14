-- If this fails, a law that holds for every graph and every labelling does not hold for ours.
BEGIN;
SELECT plan(26);

-- Three groups of rows, some rows repeated, ids with gaps; from a small
-- generator of our own, so that every machine has the same numbers.
CREATE TABLE cloud AS
SELECT (i * 37 % 10007)::bigint AS id, i % 3 AS truth, ARRAY[i % 3 * 40 + (i::bigint * i * 48271 % 2147483647) % 97 / 7.0, (i::bigint * i * i * 69621 % 2147483647) % 89 / 5.0, (i * 31 % 83) / 11.0]::float8[] AS f
FROM generate_series(1, 400) i;
INSERT INTO cloud SELECT id + 20000, truth, f FROM cloud WHERE id % 50 = 0;
CREATE TABLE points AS SELECT gl_points(id, f) AS p FROM cloud;
CREATE TABLE graphs AS
SELECT 'default' AS name, gl_graph(p) AS g FROM points
UNION ALL SELECT 'directed', gl_knn_graph(p, 6, symmetry => 'directed') FROM points
UNION ALL SELECT 'union', gl_knn_graph(p, 6, symmetry => 'union') FROM points
UNION ALL SELECT 'mutual', gl_knn_graph(p, 6, symmetry => 'mutual') FROM points
UNION ALL SELECT 'sum', gl_knn_graph(p, 6) FROM points
UNION ALL SELECT 'cosine', gl_knn_graph(p, 8, metric => 'cosine', weights => 'similarity') FROM points
UNION ALL SELECT 'radius', gl_radius_graph(p, 4) FROM points
UNION ALL SELECT 'tree', gl_tree_graph(p) FROM points
UNION ALL SELECT 'full', gl_full_graph(p) FROM points;
CREATE TABLE edge AS SELECT name, e.* FROM graphs, gl_edges(g) e;
CREATE TABLE entry AS SELECT name, source, target, weight FROM edge UNION ALL SELECT name, target, source, weight FROM edge WHERE name <> 'directed' AND source <> target;
CREATE INDEX ON entry (name, source);
ANALYZE cloud, edge, entry;

SELECT is((SELECT count(DISTINCT name)::int FROM edge), 9, 'every graph has edges');
-- Graphs.
SELECT ok(bool_and(weight > 0 AND weight <= 1), 'similarities lie between 0 and 1') FROM edge;
SELECT is_empty('SELECT * FROM edge WHERE source = target', 'no row is its own neighbour');
SELECT is_empty('SELECT * FROM edge WHERE name <> ''directed'' AND source > target', 'an undirected edge is told from its smaller end');
SELECT is_empty('SELECT name, source, target FROM entry GROUP BY 1, 2, 3 HAVING count(*) > 1', 'no edge is told twice');
SELECT ok(bool_and(n = 6), 'each row of a directed graph has k neighbours') FROM (SELECT count(*) AS n FROM edge WHERE name = 'directed' GROUP BY source) s;
SELECT is_empty('SELECT source, target FROM edge WHERE name = ''mutual'' EXCEPT SELECT source, target FROM edge WHERE name = ''union''', 'mutual neighbours are among all neighbours');
SELECT set_eq('SELECT source, target FROM edge WHERE name = ''union''', 'SELECT source, target FROM edge WHERE name = ''sum''', 'union and sum have the same edges');
SELECT set_eq('SELECT source, target FROM entry WHERE name = ''union''',
    'SELECT source, target FROM edge WHERE name = ''directed'' UNION SELECT target, source FROM edge WHERE name = ''directed''', 'union is a directed graph and its mirror');
SELECT set_eq('SELECT source, target FROM entry WHERE name = ''mutual''',
    'SELECT source, target FROM edge WHERE name = ''directed'' INTERSECT SELECT target, source FROM edge WHERE name = ''directed''', 'mutual is what a directed graph and its mirror share');
SELECT ok(bool_and(abs(s.weight - (u.weight + coalesce(m.weight, 0)) / 2) < 1e-15), 'sum is the mean of union and mutual')
FROM edge s JOIN edge u USING (source, target) LEFT JOIN edge m ON m.name = 'mutual' AND m.source = s.source AND m.target = s.target WHERE s.name = 'sum' AND u.name = 'union';
SELECT ok(bool_and(abs(d.degree - coalesce((SELECT sum(weight) FROM entry e WHERE e.name = g.name AND e.source = d.id), 0)) < 1e-12 * greatest(1, d.degree)), 'degrees are sums of edges') FROM graphs g, gl_degrees(g) d;
SELECT ok(bool_and(abs(total - 1) < 1e-12), 'rows of the walk sum to 1')
FROM graphs g, gl_degrees(g) d, LATERAL (SELECT sum(probability) AS total FROM gl_row(g, d.id)) r WHERE d.degree > 0 AND name <> 'full' AND d.id % 3 = 0;
SELECT ok(bool_and(abs(m.value - 1) < 1e-12), 'the walk leaves constants alone')
FROM graphs, gl_degrees(g) d JOIN LATERAL gl_multiply(g, (SELECT array_agg(id) FROM cloud), (SELECT array_agg(1.0::float8) FROM cloud)) m USING (id) WHERE d.degree > 0;
SELECT ok(bool_and(abs(total - alive) < 1e-9), 'spread keeps the total of what can move')
FROM graphs, LATERAL (SELECT sum(m.value) AS total, count(*) FILTER (WHERE d.degree > 0) AS alive FROM gl_degrees(g) d JOIN gl_multiply(g, (SELECT array_agg(id) FROM cloud), (SELECT array_agg(1.0::float8) FROM cloud), 'spread') m USING (id)) s;
-- Components against the edges: an edge never joins two, and as many classes
-- as closing the edges over and over gives.
SELECT is_empty('SELECT e.* FROM graphs g JOIN edge e USING (name) JOIN LATERAL gl_components(g.g) a ON a.id = e.source JOIN LATERAL gl_components(g.g) b ON b.id = e.target WHERE a.component <> b.component', 'an edge stays within its component');
SELECT results_eq($$
    WITH RECURSIVE reach (start, id) AS (SELECT id, id FROM cloud UNION SELECT r.start, e.target FROM reach r JOIN entry e ON e.name = 'mutual' AND e.source = r.id)
    SELECT start, dense_rank() OVER (ORDER BY least)::int FROM (SELECT start, min(id) AS least FROM reach GROUP BY start) s ORDER BY 1$$,
    $$SELECT id, component FROM graphs, gl_components(g) WHERE name = 'mutual' ORDER BY 1$$, 'components are what can be reached, numbered by smallest id');
-- Weights: local scaling does not see the unit of measurement.
SELECT ok(count(*) > 1000 AND bool_and(abs(a.weight - b.weight) < 1e-12), 'all features times 1000: the same weights')
FROM (SELECT gl_graph(gl_points(id, ARRAY[f[1] * 1000, f[2] * 1000, f[3] * 1000]), scale => 'none') AS g FROM cloud) s, gl_edges(s.g) a FULL JOIN (SELECT * FROM edge WHERE name = 'default') b USING (source, target);
SELECT ok(count(*) > 1000 AND bool_and(a.weight IS NOT DISTINCT FROM b.weight), 'all features times 1024: the same bits')
FROM (SELECT gl_graph(gl_points(id, ARRAY[f[1] * 1024, f[2] * 1024, f[3] * 1024]), scale => 'none') AS g FROM cloud) s, gl_edges(s.g) a FULL JOIN (SELECT * FROM edge WHERE name = 'default') b USING (source, target);
SELECT ok(count(*) > 1000 AND bool_and(a.weight IS NOT DISTINCT FROM b.weight), 'an order kept by renaming ids is an order kept in bits')
FROM (SELECT gl_graph(gl_points(id * 3 - 5, f)) AS g FROM cloud) s, gl_edges(s.g) a FULL JOIN (SELECT * FROM edge WHERE name = 'default') b ON a.source = b.source * 3 - 5 AND a.target = b.target * 3 - 5;

-- Labels.
CREATE TABLE given AS SELECT id, 'class ' || truth AS label FROM cloud WHERE id % 29 = 0;
CREATE TABLE labelled AS
SELECT name, method, l.* FROM graphs, (VALUES ('harmonic'), ('lgc'), ('mrw'), ('wvrn'), ('adsorption'), ('walk')) m(method),
     gl_propagate(g, (SELECT array_agg(id ORDER BY id) FROM given), (SELECT array_agg(label ORDER BY id) FROM given), method => method) l;
SELECT is_empty('SELECT name, method FROM labelled GROUP BY 1, 2 HAVING count(*) <> (SELECT count(*) FROM cloud)', 'one answer for every row');
SELECT ok(bool_and(CASE WHEN label IS NULL THEN total = 0 AND confidence = 0 ELSE abs(total - 1) < 1e-12 AND confidence = best END), 'scores sum to 1 and the confidence is the best, or nothing is known')
FROM labelled, LATERAL (SELECT sum(x) AS total, max(x) AS best FROM unnest(scores) x) s;
SELECT ok(bool_and(l.label = g.label AND l.confidence = 1), 'given labels stay') FROM labelled l JOIN given g USING (id) WHERE method IN ('harmonic', 'wvrn');
SELECT is_empty('SELECT l.id FROM labelled l JOIN graphs g USING (name) JOIN LATERAL gl_components(g.g) c ON c.id = l.id
    WHERE name <> ''directed'' AND (l.label IS NULL) <> (c.component NOT IN (SELECT component FROM gl_components(g.g) JOIN given USING (id)))', 'a row without a label has no labelled row in its component');
-- The first of the best scores wins, in order of the labels.
SELECT ok(bool_and(label = 'class ' || array_position(scores, confidence) - 1), 'the label is that of the best score') FROM labelled WHERE label IS NOT NULL;
-- Permuting ids permutes the answer.  Sums run in order of ids, so up to
-- rounding; labels may differ where two scores tie.
CREATE TABLE renamed AS SELECT id, (7919 * id) % 65537 AS new_id FROM cloud;
SELECT ok(count(*) = (SELECT count(*) FROM cloud) AND bool_and(abs(a.scores[1] - b.scores[1]) + abs(a.scores[2] - b.scores[2]) < 1e-3), 'other ids, the same answer')
FROM (SELECT gl_radius_graph(gl_points(new_id, f), 4) AS g FROM cloud JOIN renamed USING (id)) s,
     gl_propagate(s.g, (SELECT array_agg(new_id) FROM given JOIN renamed USING (id)), (SELECT array_agg(label) FROM given JOIN renamed USING (id))) a
     JOIN renamed r ON r.new_id = a.id JOIN labelled b ON b.id = r.id AND b.name = 'radius' AND b.method = 'harmonic';
SELECT * FROM finish();
ROLLBACK;
