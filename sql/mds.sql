-- If this fails, layouts do not show the distances they were made from.
SET client_min_messages = notice;
CREATE TABLE cloud AS
SELECT i AS id, ARRAY[sin(i * 1.7), cos(i * 2.3), sin(i * 0.6) / 2]::float8[] AS f FROM generate_series(1, 60) i;
CREATE TABLE city (id bigint, name text, lat float8, lon float8);
INSERT INTO city VALUES (1, 'Reykjavik', 64.15, -21.94), (2, 'Oslo', 59.91, 10.75), (3, 'Madrid', 40.42, -3.70),
    (4, 'Cairo', 30.04, 31.24), (5, 'Nairobi', -1.29, 36.82), (6, 'Lima', -12.05, -77.04), (7, 'Tokyo', 35.68, 139.69),
    (8, 'Sydney', -33.87, 151.21), (9, 'Delhi', 28.61, 77.21), (10, 'Chicago', 41.88, -87.63);
CREATE TABLE road AS
SELECT a.id AS a, b.id AS b,
       6371 * 2 * asin(sqrt(sin(radians(b.lat - a.lat) / 2) ^ 2 + cos(radians(a.lat)) * cos(radians(b.lat)) * sin(radians(b.lon - a.lon) / 2) ^ 2)) AS km
FROM city a JOIN city b ON a.id < b.id;

-- Every method, from points in three dimensions into three: nothing is lost.
SELECT m.method, cardinality(l.ids), round(k.normalised::numeric, 5) AS stress
FROM (SELECT gl_points(id, f) AS p FROM cloud) s,
     unnest(ARRAY['place', 'smacof', 'classical', 'landmark', 'pivot', 'fastmap', 'stream']) m(method),
     LATERAL (SELECT array_agg(id) AS ids, array_agg(coords) AS coords
              FROM gl_mds(s.p, 3, method => m.method, tolerance => 1e-12, iterations => 5000)) l,
     gl_stress(s.p, l.ids, l.coords) k
ORDER BY m.method;
-- Into two something is, and the sweeps lose least of it.
SELECT m.method, round(k.normalised::numeric, 3) AS stress
FROM (SELECT gl_points(id, f) AS p FROM cloud) s,
     unnest(ARRAY['place', 'smacof', 'classical', 'stream']) m(method),
     LATERAL (SELECT array_agg(id) AS ids, array_agg(coords) AS coords FROM gl_mds(s.p, 2, method => m.method)) l,
     gl_stress(s.p, l.ids, l.coords) k
ORDER BY stress, m.method;
-- The layout is in standard position, and the same whatever the order of the rows.
SELECT abs(sum(coords[1])) < 1e-9 AS centred, abs(sum(coords[1] * coords[2])) < 1e-9 AS uncorrelated,
       sum(coords[1] ^ 2) > sum(coords[2] ^ 2) AS widest_first, count(*)
FROM (SELECT gl_points(id, f) AS p FROM cloud) s, gl_mds(s.p);
SELECT count(*) FROM
    (SELECT x.* FROM (SELECT gl_points(id, f ORDER BY id) AS p FROM cloud) s, gl_mds(s.p) x
     EXCEPT SELECT x.* FROM (SELECT gl_points(id, f ORDER BY f) AS p FROM cloud) s, gl_mds(s.p) x) difference;

-- A table of distances: a triangle, exactly.
SELECT id, round(coords[1]::numeric, 3) AS x, round(coords[2]::numeric, 3) AS y
FROM (SELECT gl_distance_graph(a, b, d) AS g FROM (VALUES (1, 2, 3.0), (1, 3, 4.0), (2, 3, 5.0)) v(a, b, d)) s,
     gl_mds(s.g, tolerance => 1e-12) ORDER BY id;
-- On the globe distances along the ground are exact; on a plane they cannot be.
SELECT round(globe.normalised::numeric, 5) AS globe, round(plane.normalised::numeric, 3) AS plane
FROM (SELECT gl_distance_graph(a, b, km) AS g FROM road) s,
     LATERAL (SELECT array_agg(id) AS ids, array_agg(coords) AS coords FROM gl_mds(s.g, space => 'sphere', radius => 6371)) l,
     LATERAL (SELECT array_agg(id) AS ids, array_agg(coords) AS coords FROM gl_mds(s.g)) m,
     gl_stress(s.g, l.ids, l.coords, space => 'sphere', radius => 6371) globe, gl_stress(s.g, m.ids, m.coords) plane;
SELECT bool_and(abs(sqrt(coords[1] ^ 2 + coords[2] ^ 2 + coords[3] ^ 2) - 6371) < 1e-6) AS on_the_globe
FROM (SELECT gl_distance_graph(a, b, km) AS g FROM road) s, gl_mds(s.g, space => 'sphere', radius => 6371);
-- Half of the pairs are enough for points on a plane; weights; robust losses shrug off a wrong pair.
CREATE TABLE pair AS
SELECT a.id AS a, b.id AS b, sqrt((a.f[1] - b.f[1]) ^ 2 + (a.f[2] - b.f[2]) ^ 2) AS d
FROM cloud a JOIN cloud b ON a.id < b.id;
SELECT round(k.normalised::numeric, 5) AS half
FROM (SELECT gl_distance_graph(a, b, d) FILTER (WHERE (a + b) % 2 = 0 OR a * b % 3 = 0) AS g, gl_distance_graph(a, b, d) AS every FROM pair) s,
     LATERAL (SELECT array_agg(id) AS ids, array_agg(coords) AS coords FROM gl_mds(s.g, tolerance => 1e-9, iterations => 20000)) l,
     gl_stress(s.every, l.ids, l.coords) k;
SELECT o.loss, round(k.normalised::numeric, 4) AS off
FROM (SELECT gl_distance_graph(a, b, CASE WHEN a = 7 AND b % 10 = 1 THEN d + 3 ELSE d END) AS g, gl_distance_graph(a, b, d) AS truth
      FROM pair WHERE a <= 25 AND b <= 25) s,
     unnest(ARRAY['stress', 'absolute', 'power', 'squared_absolute']) o(loss),
     LATERAL (SELECT array_agg(id) AS ids, array_agg(coords) AS coords FROM gl_mds(s.g, loss => o.loss, iterations => 20000, tolerance => 1e-9)) l,
     gl_stress(s.truth, l.ids, l.coords) k
ORDER BY o.loss;
-- Anchors stay where they are, and the rest finds its place among them.
SELECT id, round(coords[1]::numeric, 5) AS x, round(coords[2]::numeric, 5) AS y
FROM (SELECT gl_distance_graph(a, b, d) AS g FROM (VALUES (1, 5, 0.5), (2, 5, 0.806226), (3, 5, 0.670820), (4, 5, 0.921954)) v(a, b, d)) s,
     gl_mds(s.g, anchor_ids => '{4,1,2,3}', anchor_coords => '{{1,1},{0,0},{1,0},{0,1}}', tolerance => 1e-12) ORDER BY id;
-- A layout given as the start is kept in its frame.
SELECT max(abs(x.coords[1] - y.coords[1])) < 1e-3 AS same_frame
FROM (SELECT gl_points(id, f) AS p FROM cloud) s
CROSS JOIN LATERAL (SELECT array_agg(id ORDER BY id) AS ids, array_agg(ARRAY[coords[2], coords[1]] ORDER BY id) AS c FROM gl_mds(s.p)) first
CROSS JOIN LATERAL gl_mds(s.p, init_ids => first.ids, init_coords => first.c) x
JOIN LATERAL (SELECT i, ARRAY[first.c[o][1], first.c[o][2]] AS coords FROM unnest(first.ids) WITH ORDINALITY u(i, o)) y ON y.i = x.id;
-- Components are placed side by side, with a notice.
SELECT id, round(coords[1]::numeric, 3) AS x, round(coords[2]::numeric, 3) AS y
FROM (SELECT gl_distance_graph(a, b, d) AS g FROM (VALUES (1, 2, 3.0), (1, 3, 4.0), (2, 3, 5.0), (7, 8, 2.0), (9, 9, 0.0)) v(a, b, d)) s,
     gl_mds(s.g, tolerance => 1e-12) ORDER BY id;
-- Paths: a curled chain unrolls.
SELECT round(max(coords[1])::numeric, 2) AS half_length, max(abs(coords[2])) < 0.5 AS straight
FROM (SELECT gl_points(i, ARRAY[cos(i / 10.0), sin(i / 10.0)]::float8[]) AS p FROM generate_series(1, 50) i) s,
     gl_knn_graph(s.p, 2, weights => 'distance', symmetry => 'union') g, gl_mds(g, paths => true);
-- gl_procrustes: nothing for a turned, shifted, scaled mirror image; something for another picture.
SELECT round(gl_procrustes(f[1:2], ARRAY[3 - 2 * f[2], 5 * 0 + 1 + 2 * f[1]])::numeric, 9) AS same,
       gl_procrustes(f[1:2], ARRAY[f[3], f[1]]) > 0.1 AS other, gl_procrustes(f, NULL) AS none,
       gl_procrustes(f[1:2], f[1:2]) FILTER (WHERE id = 1) AS one
FROM cloud;

-- Errors.
CREATE FUNCTION refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE hint text;
BEGIN
    EXECUTE statement;
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN SQLSTATE || ' ' || SQLERRM || coalesce(' HINT: ' || nullif(hint, ''), '');
END $$;
SELECT o.options, refused('SELECT count(*) FROM (SELECT gl_points(id, f) AS p FROM cloud) s, gl_mds(s.p, ' || o.options || ')')
FROM unnest(ARRAY['dims => 0', 'dims => 65', 'method => ''best''', 'loss => ''x''', 'loss => ''power'', power => 3', 'power => 1', 'space => ''torus''',
    'space => ''sphere'', radius => -1', 'space => ''sphere'', radius => 0.1', 'space => ''sphere'', method => ''pivot''',
    'space => ''sphere'', radius => 9, loss => ''squared_absolute''', 'sweep => ''x''', 'landmarks => 0', 'landmarks => 2000', 'method => ''stream'', passes => 0',
    'method => ''stream'', policy => ''x''', 'iterations => 0', 'tolerance => -1', 'tolerance => ''NaN''', 'metric => ''kl''',
    'init_ids => ''{1}''', 'init_ids => ''{1}'', init_coords => ''{1}''', 'init_ids => ''{99}'', init_coords => ''{1,2}''',
    'init_ids => ''{NULL}'', init_coords => ''{1,2}''', 'init_ids => ''{1,1}'', init_coords => ''{1,2,1,2}''', 'init_ids => ''{1}'', init_coords => ''{1,NULL}''',
    'anchor_ids => ''{1}'', anchor_coords => ''{1,Infinity}''', 'method => ''stream'', init_ids => ''{1}'', init_coords => ''{1,2}'''])
    WITH ORDINALITY o(options, n) ORDER BY n;
SELECT refused('SELECT * FROM (SELECT gl_points(id, f) AS p FROM cloud) s, gl_knn_graph(s.p) g, gl_mds(g)') AS similarities;
SELECT refused($$SELECT * FROM (SELECT gl_distance_graph(a, b, d) AS g FROM (VALUES (1, 2, 3.0), (2, 1, 4.0)) v(a, b, d)) s, gl_mds(s.g)$$) AS asymmetric;
SELECT refused($$SELECT * FROM (SELECT gl_distance_graph(a, b, d) AS g FROM (VALUES (1, 2, 3.0), (2, 3, 4.0)) v(a, b, d)) s, gl_mds(s.g, method => 'classical')$$) AS gaps;
SELECT refused($$SELECT * FROM (SELECT gl_distance_graph(a, b, d) AS g FROM (VALUES (1, 2, 3.0), (3, 4, 4.0)) v(a, b, d)) s, gl_mds(s.g, paths => true)$$) AS no_path;
SELECT refused($$SELECT * FROM (SELECT gl_distance_graph(a, b, d) AS g FROM (VALUES (1, 2, 3.0)) v(a, b, d)) s, gl_mds(s.g, method => 'stream')$$) AS no_points;
SELECT refused($$SELECT gl_procrustes(ARRAY[1,2]::float8[], ARRAY[1]::float8[])$$) AS lengths;
SELECT refused($$SELECT gl_stress(gl_points(id, f), '{1,2}', '{1,2,3}') FROM cloud$$) AS shared;
-- Too few sweeps: a warning, not an error.
SELECT count(*) FROM (SELECT gl_points(id, f) AS p FROM cloud) s, gl_mds(s.p, iterations => 1);
-- Nothing, one row, equal rows.
SELECT count(*) FROM gl_mds(NULL::gl_points);
SELECT count(*) FROM gl_mds(NULL::gl_graph);
SELECT id, coords FROM (SELECT gl_points(1, '{5,6}'::float8[]) AS p) s, gl_mds(s.p);
SELECT count(*), max(abs(coords[1])) < 1e-9 AS together FROM (SELECT gl_points(i, '{5,6}'::float8[]) AS p FROM generate_series(1, 4) i) s, gl_mds(s.p);
-- Models: the same map, kept.
CREATE TABLE kept AS SELECT gl_mds_model(gl_points(id, f), loss => 'power', power => 1.2, scale => 'none', tolerance => 1e-3) AS of_points FROM cloud;
SELECT gl_info(of_points) - '{bytes,stress,normalised_stress,iterations}'::text[] AS info, round((gl_info(of_points) ->> 'normalised_stress')::numeric, 2) AS stress FROM kept;
SELECT count(*), bool_and(r.coords = x.coords) AS same, count(r.label) + count(r.cluster) + count(r.scores) + count(r.confidence) AS other
FROM kept, gl_rows(of_points) r JOIN (SELECT x.* FROM (SELECT gl_points(id, f) AS p FROM cloud) s, gl_mds(s.p, loss => 'power', power => 1.2, scale => 'none', tolerance => 1e-3) x) x USING (id);
SELECT gl_info(m) - '{bytes,stress,normalised_stress,iterations}'::text[] AS info FROM (SELECT gl_mds_model(gl_distance_graph(a, b, km), space => 'sphere', radius => 6371) AS m FROM road) s;
SELECT gl_model_send(of_points) = gl_model_send((of_points::text)::gl_model) AS round_trip FROM kept;
-- New rows: a row of the map goes where it is, whatever its type, alone or with others; one in between goes between.
CREATE TABLE flat_map AS SELECT gl_mds_model(gl_points(id, f[1:2]), scale => 'none', tolerance => 1e-12) AS m FROM cloud;
SELECT max(abs(p[1] - r.coords[1]) + abs(p[2] - r.coords[2])) < 1e-4 AS at_home
FROM flat_map, gl_rows(m) r JOIN cloud USING (id), LATERAL (SELECT gl_project(m, f[1:2]) AS p) q;
SELECT count(DISTINCT p) AS answers FROM flat_map, generate_series(1, 3), LATERAL (SELECT gl_project(m, '{1,0}'::int[]) AS p UNION ALL SELECT gl_project((m::text)::gl_model, '{1,0}'::real[])) q;
SELECT gl_project(m, NULL::float8[]) IS NULL AS none FROM flat_map;
SELECT refused('SELECT gl_project(m, ''{1,2,3}''::int[]) FROM flat_map') AS features, refused('SELECT gl_project(m, ''{1,NaN}''::float8[]) FROM flat_map') AS finite;
SELECT refused('SELECT gl_project(gl_mds_model(gl_distance_graph(a, b, km)), ''{1,2}''::int[]) FROM road') AS of_distances;
DROP TABLE kept, flat_map;
-- The window form: a map per partition, equal rows at one place, NULL for NULL.
CREATE TABLE leaf AS SELECT id, f, id % 3 AS part FROM cloud UNION ALL SELECT 61, NULL, 0 UNION ALL SELECT 62, f, 1 FROM cloud WHERE id = 1;
SELECT part, count(*), count(c) AS placed FROM (SELECT part, gl_mds(f) OVER (PARTITION BY part) AS c FROM leaf) w GROUP BY part ORDER BY part;
SELECT count(DISTINCT c) AS places FROM (SELECT id, gl_mds(f, 2, method => 'place') OVER (PARTITION BY part) AS c FROM leaf) w WHERE id IN (1, 62);
SELECT every.c = few.c AS same FROM (SELECT id, gl_mds(f) OVER (ORDER BY id ROWS 2 PRECEDING) AS c FROM cloud) every JOIN (SELECT id, gl_mds(f) OVER () AS c FROM cloud) few USING (id) WHERE id = 7;
SELECT array_length(c, 1) AS axes FROM (SELECT gl_mds(f::real[], 2, space => 'sphere', radius => 9, method => 'landmark') OVER () AS c FROM cloud) w LIMIT 1;
SELECT refused($$SELECT gl_mds(f, 0) OVER () FROM cloud$$) AS dims;
SELECT refused($$SELECT gl_mds(f, id::int) OVER () FROM cloud$$) AS varying;
-- Directions on a sphere of fewer dimensions: unit length, opposite rows stay opposite, the length of a row does not count.
SELECT bool_and(abs(x[1] ^ 2 + x[2] ^ 2 + x[3] ^ 2 - 1) < 1e-12) AS unit, bool_and(abs(x[1] + y[1]) + abs(x[3] + y[3]) < 1e-12) AS opposite
FROM (SELECT gl_sphere_project(f) AS x, gl_sphere_project(ARRAY[-7 * f[1], -7 * f[2], -7 * f[3]]) AS y FROM cloud) p;
SELECT gl_sphere_project('{1,2,3}'::int[], 2) = gl_sphere_project('{1,2,3}'::float8[], 2) AS any_type, gl_sphere_project('{1,2,3}'::int[], 2) = gl_sphere_project('{1,2,3}'::int[], 2, seed => 1) AS any_seed,
       gl_sphere_project(NULL::float8[]) AS none;
-- Many dimensions keep angles of all pairs here, to some tenths.
SELECT round(min(r)::numeric, 1) AS least, round(max(r)::numeric, 1) AS most FROM (
    SELECT acos(least(1, (SELECT sum(u * v) FROM unnest(a.x, b.x) t(u, v)))) / acos((a.f[1] * b.f[1] + a.f[2] * b.f[2] + a.f[3] * b.f[3]) /
        sqrt((a.f[1] ^ 2 + a.f[2] ^ 2 + a.f[3] ^ 2) * (b.f[1] ^ 2 + b.f[2] ^ 2 + b.f[3] ^ 2))) AS r
    FROM (SELECT id, f, gl_sphere_project(f, 64) AS x FROM cloud) a JOIN (SELECT id, f, gl_sphere_project(f, 64) AS x FROM cloud) b ON a.id < b.id) ratio;
SELECT o, refused('SELECT gl_sphere_project(' || o || ')') FROM unnest(ARRAY[$$'{0,0}'::float8[]$$, $$'{}'::float8[]$$, $$'{NaN}'::float8[]$$, $$'{1}'::float8[], 0$$, $$'{1}'::float8[], 65$$,
    $$'{1,NULL}'::int[]$$, $$'{{1}}'::int[]$$]) WITH ORDINALITY u(o, n) ORDER BY n;
DROP FUNCTION refused(text);
DROP TABLE leaf;
DROP TABLE cloud, city, road, pair;
