-- What else the digits tell: which of them are odd, what a compact walk can
-- do, and a map drawn from nothing but distances.
-- Run by scripts/demo behind digits.sql, in the same server.
\pset pager off
\pset tuples_only off
\pset format aligned
\pset footer off
\set QUIET on
SET client_min_messages = warning;

\echo
\echo ' --- The compact walk -----------------------------------------------------------'
\echo
\echo ' A block graph holds the random walk over all rows in two numbers a row, without'
\echo ' a search for neighbours.  It knows how crowded the place of every row is:'
\echo
\echo '   SELECT id, log_density FROM gl_density(graph) ORDER BY log_density LIMIT 5;'
\echo
CREATE TABLE crowd AS
SELECT d.id, d.log_density
FROM (SELECT gl_block_graph(gl_points(id, features), learn_bandwidth => true) AS g FROM digits) AS s, gl_density(s.g) AS d;
SELECT row_number() OVER (ORDER BY log_density) AS place, id, digit AS "true digit", round(log_density::numeric, 1) AS "log density"
FROM crowd JOIN digits USING (id) ORDER BY log_density LIMIT 5;
\echo ' Those are the five loneliest images:'
\echo
\pset tuples_only on
\pset format unaligned
WITH odd AS (SELECT row_number() OVER (ORDER BY log_density) AS place, features
			 FROM crowd JOIN digits USING (id) ORDER BY log_density LIMIT 5)
SELECT '     ' || string_agg(picture, '     ' ORDER BY place)
FROM odd,
	 LATERAL (SELECT y, string_agg(repeat(substr(' .:-=+*#%@', 1 + (features[8 * y + x] * 9 / 16)::int, 1), 2), ''
								   ORDER BY x) AS picture
			  FROM generate_series(0, 7) AS y, generate_series(1, 8) AS x
			  GROUP BY y) AS drawn
GROUP BY y
ORDER BY y;
\pset tuples_only off
\pset format aligned

\echo
\echo ' One tree is a coarse walk; the mean of several, a forest, labels much better.'
\echo ' The same 50 labels as above, from trees instead of neighbours:'
\echo
SELECT trees AS "trees", round(gl_accuracy(digit, r.label)::numeric, 3) AS "accuracy on the hidden labels",
	   pg_size_pretty((i ->> 'bytes')::bigint) AS "stored, without its points"
FROM unnest(ARRAY[1, 8, 32]) AS trees,
	 LATERAL (SELECT gl_block_graph(gl_points(id, features), trees => trees, keep_points => false) AS g FROM digits) AS s,
	 gl_info(s.g) AS i,
	 (SELECT array_agg(id) AS ids, array_agg(label) AS labels FROM known) AS k,
	 gl_propagate(s.g, k.ids, k.labels) AS r JOIN digits USING (id)
WHERE id NOT IN (SELECT id FROM known)
GROUP BY trees, i
ORDER BY trees;

\echo ' --- A map from distances -------------------------------------------------------'
\echo
\echo ' Ten cities, and how far they are from each other; nobody says where they are.'
\echo
\echo '   SELECT id, coords FROM (SELECT gl_distance_graph(a, b, km) AS g FROM road) AS s, gl_mds(s.g);'
\echo
CREATE TEMP TABLE city (id bigint, name text, lat float8, lon float8);
INSERT INTO city VALUES (1, 'Oslo', 59.91, 10.75), (2, 'Madrid', 40.42, -3.70), (3, 'Rome', 41.90, 12.50),
	(4, 'Berlin', 52.52, 13.40), (5, 'Athens', 37.98, 23.73), (6, 'Dublin', 53.35, -6.26), (7, 'Paris', 48.86, 2.35),
	(8, 'Warsaw', 52.23, 21.01), (9, 'Lisbon', 38.72, -9.14), (10, 'Helsinki', 60.17, 24.94);
CREATE TEMP TABLE road AS
SELECT a.id AS a, b.id AS b, round(6371 * acos(sin(radians(a.lat)) * sin(radians(b.lat))
		   + cos(radians(a.lat)) * cos(radians(b.lat)) * cos(radians(a.lon - b.lon)))) AS km
FROM city AS a JOIN city AS b ON a.id < b.id;
-- A map of distances has no north: turn it so that Athens is right and below Oslo.
CREATE TEMP TABLE map AS
SELECT m.id, name, coords[1] AS x, coords[2] AS y
FROM (SELECT gl_distance_graph(a, b, km) AS g FROM road) AS s, gl_mds(s.g) AS m JOIN city USING (id);
CREATE TEMP VIEW turned AS
SELECT map.name, (map.x * east.x + map.y * east.y) / norm AS x, side * (map.x * east.y - map.y * east.x) / norm AS y
FROM map,
	 (SELECT a.x - b.x AS x, a.y - b.y AS y, sqrt((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2) AS norm
	  FROM map AS a, map AS b WHERE a.name = 'Warsaw' AND b.name = 'Paris') AS east,
	 (SELECT sign((o.x - a.x) * e.y - (o.y - a.y) * e.x) AS side
	  FROM map AS o, map AS a, (SELECT a.x - b.x AS x, a.y - b.y AS y FROM map AS a, map AS b WHERE a.name = 'Warsaw' AND b.name = 'Paris') AS e
	  WHERE o.name = 'Oslo' AND a.name = 'Athens') AS north;
\pset tuples_only on
\pset format unaligned
WITH cell AS (
	SELECT name, round(58 * (x - min(x) OVER ()) / (max(x) OVER () - min(x) OVER ()))::int AS column_number,
		   round(15 * (max(y) OVER () - y) / (max(y) OVER () - min(y) OVER ()))::int AS line
	FROM turned)
SELECT '     ' || coalesce((SELECT string_agg(repeat(' ', column_number - coalesce(before, 0)) || '* ' || name, '' ORDER BY column_number)
		FROM (SELECT *, lag(column_number + 2 + length(name)) OVER (ORDER BY column_number) AS before
			  FROM cell WHERE cell.line = l.line) AS c), '')
FROM generate_series(0, 15) AS l(line)
ORDER BY l.line;
\pset tuples_only off
\pset format aligned
\echo
SELECT round(k.normalised::numeric, 4) AS "stress of the map (0: perfect)"
FROM (SELECT gl_distance_graph(a, b, km) AS g FROM road) AS s,
	 (SELECT array_agg(id) AS ids, array_agg(ARRAY[x, y]) AS coords FROM map) AS m,
	 gl_stress(s.g, m.ids, m.coords) AS k;
