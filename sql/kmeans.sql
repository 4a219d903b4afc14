-- If this fails, gl_kmeans: clusters of points, their numbers, distances, warm starts, errors.
CREATE SCHEMA kmeans_test;
SET search_path = kmeans_test, public;
\i test/data/load.sql

CREATE TABLE line (id bigint, features float8[]);
INSERT INTO line VALUES (7, '{20}'), (1, '{0}'), (3, '{21}'), (4, '{10}'), (5, '{1}'), (9, '{11}'), (12, NULL);
CREATE TABLE given AS SELECT gl_points(id, features) AS p FROM line;

-- Numbers follow the smallest id, not the seed, nor the order of the rows.
SELECT r.* FROM given, gl_kmeans(p, 3) AS r ORDER BY id;
SELECT count(DISTINCT answer) AS answers FROM generate_series(0, 19) AS seed,
    LATERAL (SELECT array_agg((r.id, r.cluster) ORDER BY r.id)::text AS answer FROM given, gl_kmeans(p, 3, seed => seed) AS r) AS a;
SELECT bool_and(a.cluster = b.cluster AND a.distance = b.distance) AS same
FROM (SELECT gl_points(id, features ORDER BY id) AS p FROM iris) AS s, (SELECT gl_points(id, features ORDER BY -id) AS p FROM iris) AS t,
     gl_kmeans(s.p, 3) AS a JOIN LATERAL gl_kmeans(t.p, 3) AS b USING (id);
-- One cluster, and as many as rows.
SELECT cluster, count(*), round(sum(distance)::numeric, 6) AS sum FROM given, gl_kmeans(p, 1) GROUP BY cluster;
SELECT id, cluster, distance FROM given, gl_kmeans(p, 6) ORDER BY id;
-- No more clusters than rows that differ.
SELECT r.* FROM (SELECT gl_points(i, ARRAY[i / 3]) AS p FROM generate_series(1, 5) AS i) AS s, gl_kmeans(s.p, 4) AS r ORDER BY id;

-- Every row is with its nearest centre, and the centre is the mean of its rows.
WITH a AS (SELECT r.*, w.features FROM (SELECT gl_points(id, features) AS p FROM wine) AS s, gl_kmeans(s.p, 5, scale => 'none', tolerance => 0) AS r JOIN wine AS w USING (id)),
     c AS (SELECT cluster, o, avg(f) AS m FROM a, unnest(features) WITH ORDINALITY AS u(f, o) GROUP BY cluster, o),
     d AS (SELECT a.id, a.cluster = c.cluster AS own, a.distance, sqrt(sum((f - m) ^ 2)) AS d
           FROM a, unnest(features) WITH ORDINALITY AS u(f, o) JOIN c USING (o) GROUP BY a.id, a.cluster, a.distance, c.cluster)
SELECT count(*) AS pairs, bool_and(CASE WHEN own THEN abs(d - distance) < 1e-8 ELSE d > distance - 1e-8 END) AS nearest FROM d;

-- As good as the best of 50 restarts of scikit-learn (inertia_ 78.8514).
SELECT round(sum(distance ^ 2)::numeric, 4) AS iris FROM (SELECT gl_points(id, features) AS p FROM iris) AS s, gl_kmeans(s.p, 3, tolerance => 0);
SELECT round(gl_ari(w.label, r.cluster)::numeric, 3) AS wine FROM (SELECT gl_points(id, features) AS p FROM wine) AS s, gl_kmeans(s.p, 3, scale => 'standard') AS r JOIN wine AS w USING (id);
-- Directions instead of places: the length of a row does not matter.
SELECT r.* FROM (SELECT gl_points(i, ARRAY[i * cos(i % 3 * 2), i * sin(i % 3 * 2)]) AS p FROM generate_series(1, 9) AS i) AS s, gl_kmeans(s.p, 3, metric => 'cosine') AS r WHERE id <= 3 ORDER BY id;
SELECT bool_and(abs(a.distance - b.distance) < 1e-12 AND a.cluster = b.cluster) AS same
FROM (SELECT gl_points(id, features) AS p, gl_points(id, ARRAY(SELECT 2 ^ (id % 5) * f FROM unnest(features) AS f)) AS q FROM iris) AS s,
     gl_kmeans(s.p, 3, 'cosine', scale => 'none') AS a JOIN LATERAL gl_kmeans(s.q, 3, 'cosine', scale => 'none') AS b USING (id);
-- real[] is not rounded further.
SELECT bool_and(a.distance = b.distance AND a.cluster = b.cluster) AS same
FROM (SELECT gl_points(id, features) AS p, gl_points(id, features::float8[]) AS q FROM digits WHERE id <= 500) AS s,
     gl_kmeans(s.p, 10) AS a JOIN LATERAL gl_kmeans(s.q, 10) AS b USING (id);

-- A warm start keeps the names of clusters: all of them, some of them, after rows moved.
SELECT r.* FROM given, gl_kmeans(p, 3, init_ids => '{9,1,7,12}', init_clusters => '{1,3,2,NULL}') AS r ORDER BY id;
SELECT r.* FROM given, gl_kmeans(p, 3, init_ids => '{9}', init_clusters => '{3}') AS r WHERE id IN (4, 9) ORDER BY id;
WITH before AS (SELECT array_agg(id) AS ids, array_agg(10 - cluster) AS clusters FROM (SELECT gl_points(id, features) AS p FROM iris) AS s, gl_kmeans(s.p, 9)),
     after AS (SELECT r.* FROM (SELECT gl_points(id, ARRAY(SELECT f + 0.01 FROM unnest(features) AS f)) AS p FROM iris) AS s, before, gl_kmeans(s.p, 9, init_ids => ids, init_clusters => clusters) AS r)
SELECT count(*) AS rows, sum((a.cluster = b.cluster)::int) AS kept FROM after AS a JOIN (SELECT unnest(ids) AS id, unnest(clusters) AS cluster FROM before) AS b USING (id);

-- The value flattened, or in flight.
WITH m AS MATERIALIZED (SELECT gl_points(id, features) AS p FROM iris)
SELECT bool_and(a.distance = b.distance AND a.cluster = b.cluster) AS same
FROM m, (SELECT gl_points(id, features) AS p FROM iris) AS s, gl_kmeans(m.p, 4) AS a JOIN LATERAL gl_kmeans(s.p, 4) AS b USING (id);

-- Options tell what they do.
SELECT count(*) FROM (SELECT gl_points(id, features) AS p FROM iris) AS s, gl_kmeans(s.p, 8, iterations => 1, restarts => 1, tolerance => 0);
SELECT count(*) FROM (SELECT gl_points(i, ARRAY[i, i * 1000.0]) AS p FROM generate_series(1, 9) AS i) AS s, gl_kmeans(s.p, 2);
SELECT count(*) FROM gl_kmeans(NULL, 3);

-- Errors.
CREATE FUNCTION failure(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE hint text;
BEGIN
    EXECUTE 'SELECT count(*) FROM given, ' || call;
    RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN SQLSTATE || ' ' || SQLERRM || coalesce(' HINT: ' || nullif(hint, ''), '');
END $$;
SELECT call, failure(call) FROM (VALUES
    ('gl_kmeans(p, NULL)'), ('gl_kmeans(p, 0)'), ('gl_kmeans(p, -2147483648)'), ('gl_kmeans(p, 7)'),
    ('gl_kmeans(p, 2, ''manhattan'')'), ('gl_kmeans(p, 2, ''kl'')'), ('gl_kmeans(p, 2, ''cosine'')'), ('gl_kmeans(p, 2, scale => ''unit'')'),
    ('gl_kmeans(p, 2, restarts => 0)'), ('gl_kmeans(p, 2, iterations => 0)'), ('gl_kmeans(p, 2, tolerance => -1)'), ('gl_kmeans(p, 2, tolerance => 1)'), ('gl_kmeans(p, 2, tolerance => ''NaN'')'),
    ('gl_kmeans(p, 2, init_ids => ''{1}'')'), ('gl_kmeans(p, 2, init_ids => ''{1,3}'', init_clusters => ''{1}'')'),
    ('gl_kmeans(p, 2, init_ids => ''{NULL}'', init_clusters => ''{1}'')'), ('gl_kmeans(p, 2, init_ids => ''{2,12}'', init_clusters => ''{1,2}'')'),
    ('gl_kmeans(p, 2, init_ids => ''{1,1}'', init_clusters => ''{1,2}'')'), ('gl_kmeans(p, 2, init_ids => ''{1}'', init_clusters => ''{3}'')'),
    ('gl_kmeans(p, 2, init_ids => ''{1}'', init_clusters => ''{0}'')'), ('gl_kmeans(p, 2, init_ids => ''{1}'', init_clusters => ''{-2147483648}'')'),
    ('gl_kmeans(p, 2, init_ids => ''{{1}}'', init_clusters => ''{1}'')')) AS v(call);
SET graphlearn.max_memory = '1MB';
SELECT count(*) FROM (SELECT gl_points(i, ARRAY[i]) AS p FROM generate_series(1, 30000) AS i) AS s, gl_kmeans(s.p, 2);
RESET graphlearn.max_memory;

SET client_min_messages = warning;
DROP SCHEMA kmeans_test CASCADE;
