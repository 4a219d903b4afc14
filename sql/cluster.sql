-- If this fails, gl_cluster: clusters of a graph by every method, their numbers, k by the eigengap, notices, errors.
CREATE SCHEMA cluster_test;
SET search_path = cluster_test, public;
\i test/data/load.sql

CREATE TABLE method AS SELECT * FROM unnest('{njw,ncut,weighted_ncut,pic,kwalks}'::text[]) WITH ORDINALITY AS m(method, o);
-- The barbell: two triangles and a bridge.
CREATE TABLE given AS SELECT gl_edge_graph(a, b) AS g FROM (VALUES (10, 11), (10, 12), (11, 12), (12, 13), (13, 14), (13, 15), (14, 15)) AS e(a, b);
SELECT method, string_agg(r.id || ':' || r.cluster, ' ' ORDER BY r.id) AS clusters FROM given, method, gl_cluster(g, 2, method) AS r GROUP BY o, method ORDER BY o;
SELECT id, cluster, round(distance::numeric, 6) AS distance FROM given, gl_cluster(g, 2, 'ncut') ORDER BY id;
-- Every method, every start and every stop of pic.
SELECT start, stop, string_agg(r.cluster::text, '' ORDER BY r.id) AS clusters FROM given, unnest('{random,normal,pagerank}'::text[]) AS start, unnest('{acceleration,cut,modularity,count}'::text[]) AS stop,
    gl_cluster(g, 2, 'pic', start => start, stop => stop, seed => 1) AS r GROUP BY start, stop ORDER BY start, stop;
-- k is chosen where the eigenvalues fall most, and told.
SELECT count(DISTINCT cluster) AS k FROM given, gl_cluster(g);
SELECT count(DISTINCT r.cluster) AS k, gl_ari(i / 6, r.cluster) AS ari FROM (SELECT gl_edge_graph(a.i, b.i, CASE WHEN a.i / 6 = b.i / 6 THEN 1 ELSE 0.01 END) AS g FROM generate_series(0, 29) AS a(i), generate_series(0, 29) AS b(i) WHERE a.i < b.i) AS s,
    gl_cluster(g, method => 'ncut') AS r JOIN generate_series(0, 29) AS i ON i = r.id;

-- Known data.  Karate: one member is misplaced; k-walks misplaces none.
SELECT method, round(gl_ari(n.label_16_18, r.cluster)::numeric, 3) AS karate
FROM (SELECT gl_edge_graph(source, target) AS g FROM karate_edge) AS s, method, gl_cluster(s.g, 2, method, iterations => CASE method WHEN 'pic' THEN 100 END) AS r JOIN karate_node AS n USING (id) GROUP BY o, method ORDER BY o;
SELECT round(gl_ari(d.label, r.cluster)::numeric, 2) AS digits FROM (SELECT gl_knn_graph(gl_points(id, features)) AS g FROM digits) AS s, gl_cluster(s.g, 10) AS r JOIN digits AS d USING (id);
-- Iris by cosine, as in the source: purity 0.98, NMI 0.93, Rand 0.97.
SELECT round(gl_purity(i.label, r.cluster)::numeric, 2) AS purity, round(gl_nmi(i.label, r.cluster)::numeric, 2) AS nmi, round(gl_rand(i.label, r.cluster)::numeric, 2) AS rand
FROM (SELECT gl_full_graph(gl_points(id, features), metric => 'cosine', weights => 'similarity', scale => 'none') AS g FROM iris) AS s, gl_cluster(s.g, 3, 'pic') AS r JOIN iris AS i USING (id);
-- Block graphs and directed graphs.
SELECT method, round(gl_ari(label, cluster)::numeric, 1) > 0.5 AS wine FROM (SELECT gl_block_graph(gl_points(id, features), trees => 8, scale => 'standard') AS g FROM wine) AS s, method, gl_cluster(s.g, 3, method) JOIN wine USING (id) WHERE method <> 'kwalks' GROUP BY o, method ORDER BY o;
SELECT method, round(gl_ari(label, cluster)::numeric, 1) > 0.5 AS wine FROM (SELECT gl_knn_graph(gl_points(id, features), symmetry => 'directed', scale => 'standard') AS g FROM wine) AS s, method, gl_cluster(s.g, 3, method) JOIN wine USING (id) WHERE method = 'pic' GROUP BY o, method ORDER BY o;
SELECT count(*) FROM (SELECT gl_knn_graph(gl_points(id, features), symmetry => 'directed', scale => 'standard') AS g FROM wine) AS s, gl_cluster(s.g, 3);

-- Two moons: a shape that k-means cannot follow.
CREATE TABLE moon AS SELECT i::bigint AS id, i % 2 AS label, CASE i % 2 WHEN 0 THEN ARRAY[cos(t) + e, sin(t) - e] ELSE ARRAY[1 - cos(t) - e, 0.5 - sin(t) + e] END AS features
FROM (SELECT i, pi() * i / 400 AS t, 0.12 * sin(i * i) AS e FROM generate_series(1, 400) AS i) AS s;
SELECT method, round(gl_ari(label, cluster)::numeric, 2) AS moons FROM (SELECT gl_knn_graph(gl_points(id, features)) AS g FROM moon) AS s, method, gl_cluster(s.g, 2, method) JOIN moon USING (id) WHERE method IN ('njw', 'ncut') GROUP BY o, method ORDER BY o;
SELECT round(gl_ari(label, cluster)::numeric, 2) < 0.5 AS kmeans FROM (SELECT gl_points(id, features) AS p FROM moon) AS s, gl_kmeans(s.p, 2) JOIN moon USING (id);

-- The same again, from the stored value too; another seed may differ.
CREATE TABLE stored AS SELECT gl_knn_graph(gl_points(id, features), scale => 'standard') AS g FROM wine;
SELECT method, bool_and(a.cluster = b.cluster AND a.distance = b.distance) AS same
FROM stored, (SELECT gl_knn_graph(gl_points(id, features ORDER BY -id), scale => 'standard') AS g FROM wine) AS s, method, LATERAL gl_cluster(stored.g, 3, method) AS a JOIN LATERAL gl_cluster(s.g, 3, method) AS b USING (id) GROUP BY o, method ORDER BY o;

-- A bipartite graph: the walk would swing for ever.
SELECT string_agg(cluster::text, '' ORDER BY id) AS stars FROM (SELECT gl_edge_graph(a, b, w) AS g FROM (SELECT 1, i, 1.0 FROM generate_series(2, 6) AS i UNION ALL SELECT 7, i, 1 FROM generate_series(8, 12) AS i UNION ALL SELECT 1, 7, 0.1) AS e(a, b, w)) AS s, gl_cluster(s.g, 2, 'pic');
-- Lone nodes have no cluster; pieces of the graph are clusters.
CREATE TABLE pieces AS SELECT gl_edge_graph(a, b, w) AS g FROM (VALUES (1, 2, 1), (2, 3, 1), (1, 3, 1), (4, 5, 1), (6, 7, 1), (7, 8, 1), (6, 8, 1), (9, 1, NULL)) AS e(a, b, w);
SELECT id, cluster, distance FROM pieces, gl_cluster(g, 3) ORDER BY id;
SELECT string_agg(coalesce(cluster::text, '-'), '' ORDER BY id) AS two FROM pieces, gl_cluster(g, 2, 'ncut');
SELECT string_agg(coalesce(cluster::text, '-'), '' ORDER BY id) AS chosen FROM pieces, gl_cluster(g);
-- k = 1 and k = n.
SELECT method, string_agg(DISTINCT coalesce(cluster::text, '-'), '' ORDER BY coalesce(cluster::text, '-')) AS one FROM pieces, method, gl_cluster(g, 1, method) GROUP BY o, method ORDER BY o;
SELECT method, string_agg(coalesce(cluster::text, '-'), '' ORDER BY id) AS all FROM pieces, method, gl_cluster(g, 8, method) GROUP BY o, method ORDER BY o;
-- All degrees alike: the start by degrees says nothing.
SELECT count(DISTINCT cluster) FROM (SELECT gl_edge_graph(i, (i + 1) % 9) AS g FROM generate_series(0, 8) AS i) AS s, gl_cluster(s.g, 3, 'pic', start => 'degree');
-- Nothing to cluster.
SELECT * FROM gl_cluster(NULL, 2);
SELECT id, cluster, distance FROM (SELECT gl_edge_graph(1, 2, NULL) AS g) AS s, gl_cluster(s.g) ORDER BY id;
SELECT id, cluster, distance FROM (SELECT gl_edge_graph(1, 1) AS g) AS s, gl_cluster(s.g, 1) ORDER BY id;

-- A warm start keeps the names of clusters.
SELECT method, string_agg(r.cluster::text, '' ORDER BY r.id) AS clusters FROM given, method, gl_cluster(g, 2, method, init_ids => '{15,10,11}', init_clusters => '{1,2,NULL}') AS r GROUP BY o, method ORDER BY o;
SELECT method, count(*) AS rows, sum((a.cluster = b.number)::int) AS kept
FROM stored, method, LATERAL (SELECT array_agg(c.id) AS ids, array_agg(4 - c.cluster) AS numbers FROM gl_cluster(g, 3, method) AS c) AS n,
     LATERAL gl_cluster(g, 3, method, init_ids => n.ids, init_clusters => n.numbers) AS a JOIN LATERAL unnest(n.ids, n.numbers) AS b(id, number) USING (id) GROUP BY o, method ORDER BY o;

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
    ('gl_cluster(g, 0)'), ('gl_cluster(g, -3)'), ('gl_cluster(g, 7)'), ('gl_cluster(g, 2, ''louvain'')'), ('gl_cluster(g, 2, ''pic'', start => ''ones'')'), ('gl_cluster(g, 2, ''pic'', stop => ''never'')'),
    ('gl_cluster(g, 2, dims => 0)'), ('gl_cluster(g, 2, dims => 300)'), ('gl_cluster(g, 2, steps => -1)'), ('gl_cluster(g, 2, steps => ''Infinity'')'), ('gl_cluster(g, 2, damping => 0)'), ('gl_cluster(g, 2, damping => 1)'),
    ('gl_cluster(g, 2, iterations => 0)'), ('gl_cluster(g, 2, tolerance => 0)'), ('gl_cluster(g, 2, tolerance => 2)'), ('gl_cluster(g, 2, restarts => 0)'),
    ('gl_cluster(g, init_ids => ''{10}'', init_clusters => ''{1}'')'), ('gl_cluster(g, 2, init_ids => ''{1}'', init_clusters => ''{1}'')'), ('gl_cluster(g, 2, init_ids => ''{10}'', init_clusters => ''{3}'')'),
    ('gl_cluster(g, 2, init_ids => ''{10,10}'', init_clusters => ''{1,1}'')'), ('gl_cluster(g, 2, init_ids => ''{10}'')'),
    ('gl_cluster((SELECT gl_distance_graph(1, 2, 3)), 1)')) AS v(call);

SET client_min_messages = warning;
DROP SCHEMA cluster_test CASCADE;
