-- A table with a value of every storable kind, and one line of results drawn
-- from each; shared by the scripts of this folder.
CREATE TABLE sample AS
	SELECT i AS id,
		   ARRAY[cos(i * 2.4) * i, sin(i * 2.4) * i, (i % 7)::float8]::float8[] AS features
	FROM generate_series(1, 300) AS i;
CREATE TABLE link AS
	SELECT i AS source, 1 + (i * 17 + 5) % 100 AS target, 1 + i % 3 AS weight
	FROM generate_series(1, 100) AS i;

CREATE TABLE points_value AS
	SELECT 'float8' AS kind, gl_points(id, features) AS value FROM sample
	UNION ALL SELECT 'real', gl_points(id, features::real[]) FROM sample
	UNION ALL SELECT 'one row', gl_points(id, features) FROM sample WHERE id = 1
	UNION ALL SELECT 'negative ids', gl_points(-id, features) FROM sample;

CREATE TABLE graph_value AS
	WITH p AS (SELECT gl_points(id, features) AS v, gl_points(id, features::real[]) AS r FROM sample)
	SELECT 'knn' AS kind, gl_knn_graph(v) AS value FROM p
	UNION ALL SELECT 'knn real', gl_knn_graph(r) FROM p
	UNION ALL SELECT 'knn without points', gl_knn_graph(v, keep_points => false) FROM p
	UNION ALL SELECT 'knn directed', gl_knn_graph(v, k => 3, symmetry => 'directed') FROM p
	UNION ALL SELECT 'knn cosine', gl_knn_graph(v, metric => 'cosine', weights => 'similarity') FROM p
	UNION ALL SELECT 'knn scaled', gl_knn_graph(v, scale => 'standard') FROM p
	UNION ALL SELECT 'radius', gl_radius_graph(v, 20.0) FROM p
	UNION ALL SELECT 'tree', gl_tree_graph(v) FROM p
	UNION ALL SELECT 'full', gl_full_graph(v) FROM p
	UNION ALL SELECT 'default', gl_graph(v) FROM p
	UNION ALL SELECT 'blocks', gl_block_graph(v) FROM p
	UNION ALL SELECT 'blocks real, learnt', gl_block_graph(r, learn_bandwidth => true) FROM p
	UNION ALL SELECT 'blocks anchor, scaled', gl_block_graph(v, 'anchor', scale => 'standard') FROM p
	UNION ALL SELECT 'blocks mahalanobis, without points', gl_block_graph(v, metric => 'mahalanobis', keep_points => false) FROM p
	UNION ALL SELECT 'forest', gl_block_graph(v, trees => 4) FROM p
	UNION ALL SELECT 'blocks refined', gl_block_graph(v, blocks_per_row => 6) FROM p
	UNION ALL SELECT 'forest refined, without points', gl_block_graph(v, trees => 3, blocks_per_row => 4, keep_points => false) FROM p
	UNION ALL SELECT 'lengths', gl_knn_graph(v, weights => 'distance') FROM p
	UNION ALL SELECT 'edges', gl_edge_graph(source, target, weight) FROM link
	UNION ALL SELECT 'edges, no weight', gl_edge_graph(source, target) FROM link
	UNION ALL SELECT 'arcs', gl_arc_graph(source, target, weight) FROM link
	UNION ALL SELECT 'distances', gl_distance_graph(source, target, weight) FROM link
	UNION ALL SELECT 'affinity', gl_affinity(gl_distance_graph(source, target, weight), 2.0) FROM link;

CREATE TABLE model_value AS
	SELECT kind, gl_label_model(value, ARRAY[1, 2, 3, 5]::bigint[], ARRAY['größer', 'b', 'c', 'größer']) AS value
	FROM graph_value WHERE kind IN ('knn', 'knn real', 'knn cosine', 'knn scaled', 'radius', 'blocks', 'forest');

-- Every value, byte for byte, as its text form tells it.
CREATE VIEW fingerprint AS
	SELECT kind, md5(value::text) AS bytes, length(value::text) AS size FROM points_value
	UNION ALL SELECT kind, md5(value::text), length(value::text) FROM graph_value
	UNION ALL SELECT 'model ' || kind, md5(value::text), length(value::text) FROM model_value;

-- What a learner makes of the stored graphs.
CREATE VIEW learnt AS
	SELECT v.kind, md5(string_agg(format('%s %s %s %s', l.id, l.label, l.confidence, l.scores), '|' ORDER BY l.id)) AS labels
	FROM graph_value AS v,
		 gl_propagate(v.value, ARRAY[1, 2, 3, 5]::bigint[], ARRAY['a', 'b', 'c', 'a']) AS l
	WHERE v.kind NOT IN ('lengths', 'distances')
	GROUP BY v.kind
	UNION ALL
	SELECT 'model ' || v.kind, md5(string_agg(format('%s %s %s %s', l.id, l.label, l.confidence, l.scores), '|' ORDER BY l.id))
	FROM model_value AS v, gl_rows(v.value) AS l
	GROUP BY v.kind
	UNION ALL
	SELECT 'predicted by ' || v.kind, md5(string_agg(gl_predict_scores(v.value, ARRAY[s.features[2], s.features[1], 3])::text, '|' ORDER BY s.id))
	FROM model_value AS v, sample AS s
	GROUP BY v.kind;
