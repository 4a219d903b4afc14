-- If this fails, maps differ from those of R.
SET client_min_messages = warning;
CREATE SCHEMA reference_maps;
SET search_path = reference_maps, public;
CREATE TABLE city (id bigint, lat float8, lon float8);
\copy city FROM 'test/reference/cities.csv' WITH (FORMAT csv, HEADER)
CREATE TABLE answer (id bigint, x2 float8, y2 float8, x3 float8, y3 float8, z3 float8);
\copy answer FROM 'test/reference/city_maps.csv' WITH (FORMAT csv, HEADER)
CREATE TABLE stress (sammon float8);
\copy stress FROM 'test/reference/city_stress.csv' WITH (FORMAT csv, HEADER)
CREATE TABLE road AS
SELECT a.id AS a, b.id AS b, 6371 * 2 * asin(sqrt(least(1, sin(radians(a.lat - b.lat) / 2) ^ 2
       + cos(radians(a.lat)) * cos(radians(b.lat)) * sin(radians(a.lon - b.lon) / 2) ^ 2))) AS km
FROM city AS a JOIN city AS b ON a.id < b.id;
CREATE TABLE graph AS SELECT gl_distance_graph(a, b, km) AS g, gl_distance_graph(a, b, km, 1 / km) AS weighted FROM road;

-- Classical scaling: the same places but for signs, in two and three dimensions.
SELECT max(abs(abs(m.coords[1]) - abs(x2)) + abs(abs(m.coords[2]) - abs(y2))) < 1e-5 AS two,
       max(abs(abs(k.coords[1]) - abs(x3)) + abs(abs(k.coords[2]) - abs(y3)) + abs(abs(k.coords[3]) - abs(z3))) < 1e-5 AS three
FROM answer JOIN (SELECT m.* FROM graph, gl_mds(g, 2, method => 'classical') AS m) AS m USING (id)
     JOIN (SELECT m.* FROM graph, gl_mds(g, 3, method => 'classical') AS m) AS k USING (id);
SELECT gl_procrustes(ARRAY[x2, y2], m.coords) < 1e-12 AS same_picture
FROM answer JOIN (SELECT m.* FROM graph, gl_mds(g, 2, method => 'landmark', landmarks => 1000) AS m) AS m USING (id);
-- Sammon's mapping is stress with weights 1/d: ours is no higher.
CREATE TABLE placed AS SELECT m.* FROM graph, gl_mds(weighted, tolerance => 1e-9, iterations => 5000) AS m;
SELECT (SELECT sum((sqrt((x.coords[1] - y.coords[1]) ^ 2 + (x.coords[2] - y.coords[2]) ^ 2) - km) ^ 2 / km) / sum(km)
        FROM road JOIN placed AS x ON x.id = a JOIN placed AS y ON y.id = b) <= sammon * (1 + 1e-4) AS no_higher
FROM stress;
DROP SCHEMA reference_maps CASCADE;
