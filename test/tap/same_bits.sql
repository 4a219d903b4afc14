-- If this fails, the same rows give another result under another plan, order, setting or storage.
BEGIN;
SELECT plan(14);

CREATE TABLE ascending AS SELECT i AS id, ARRAY[sqrt(i), (i * 7919) % 1009, sin(i), i % 10, 1e3 / i] AS f, CASE WHEN i % 400 = 0 THEN 'l' || i % 3 END AS label FROM generate_series(1, 3000) i;
CREATE TABLE descending AS TABLE ascending ORDER BY id DESC;
CREATE TABLE shuffled AS TABLE ascending ORDER BY md5(id::text);
ALTER TABLE ascending SET (parallel_workers = 3);
ALTER TABLE descending SET (parallel_workers = 3);
ALTER TABLE shuffled SET (parallel_workers = 3);
CREATE TABLE parted (id int, f float8[], label text) PARTITION BY HASH (id);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parted TABLE shuffled;
ANALYZE ascending, descending, shuffled, parted;

CREATE TEMP TABLE digest (way text, points text, graph text, edges text, labels text);
-- One row of digests for the current settings and one source.  The value is
-- in flight in the first query, stored in a table in the second.
CREATE FUNCTION pg_temp.measure(way text, source regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format($q$
        INSERT INTO digest
        SELECT %L, md5(gl_points_send(s.p)), md5(gl_graph_send(g)) || md5(gl_graph_send(gl_block_graph(s.p, trees => 2, scale => 'standard'))), md5(gl_graph_send(s.e)),
               (SELECT md5(string_agg(l::text, ';' ORDER BY l.id)) FROM gl_propagate(g, (SELECT array_agg(id::bigint) FROM %s WHERE label IS NOT NULL), (SELECT array_agg(label) FROM %s WHERE label IS NOT NULL)) l)
        FROM (SELECT gl_points(id, f) AS p, gl_edge_graph(id / 7, id %% 13, f[1]) AS e FROM %s) s, LATERAL gl_graph(s.p, scale => 'standard') AS x(g)$q$, way, source, source, source);
END $$;
CREATE FUNCTION pg_temp.measure_stored(way text, source regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TEMP TABLE kept AS SELECT gl_points(id, f) AS p, gl_edge_graph(id / 7, id %% 13, f[1]) AS e FROM %s', source);
    CREATE TEMP TABLE kept_graph AS SELECT gl_graph(p, scale => 'standard') AS g FROM kept;
    EXECUTE format($q$
        INSERT INTO digest
        SELECT %L, md5(gl_points_send(p)), md5(gl_graph_send(g)) || md5(gl_graph_send(gl_block_graph(p, trees => 2, scale => 'standard'))), md5(gl_graph_send(e)),
               (SELECT md5(string_agg(l::text, ';' ORDER BY l.id)) FROM gl_propagate(g, (SELECT array_agg(id::bigint) FROM %s WHERE label IS NOT NULL), (SELECT array_agg(label) FROM %s WHERE label IS NOT NULL)) l)
        FROM kept, kept_graph$q$, way, source, source);
    DROP TABLE kept, kept_graph;
END $$;
CREATE FUNCTION pg_temp.plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    whole text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
        whole := whole || line || E'\n';
    END LOOP;
    RETURN whole;
END $$;
-- Rows of this way whose digests differ from the first row's.
CREATE FUNCTION pg_temp.same(name text) RETURNS text LANGUAGE SQL AS $$
    SELECT ok(count(*) > 0 AND bool_and((d.points, d.graph, d.edges, d.labels) = (f.points, f.graph, f.edges, f.labels)), name)
    FROM digest d, (SELECT * FROM digest WHERE way = 'plain' LIMIT 1) f WHERE d.way = name
$$;

SET LOCAL max_parallel_workers_per_gather = 0;
SELECT pg_temp.measure('plain', 'ascending');
SELECT isnt((SELECT labels FROM digest), NULL, 'there is an answer to compare with');
SELECT pg_temp.measure('rows in descending order', 'descending');
SELECT pg_temp.same('rows in descending order');
SELECT pg_temp.measure('rows shuffled', 'shuffled');
SELECT pg_temp.same('rows shuffled');
SELECT pg_temp.measure('partitions', 'parted');
SELECT pg_temp.same('partitions');
SELECT pg_temp.measure_stored('stored in tables', 'shuffled');
SELECT pg_temp.same('stored in tables');

SET LOCAL work_mem = '64kB';
SET LOCAL enable_hashagg = off;
SELECT pg_temp.measure('little work_mem', 'shuffled');
SELECT pg_temp.same('little work_mem');
SET LOCAL work_mem = '256MB';
SET LOCAL enable_hashagg = on;
SELECT pg_temp.measure('much work_mem', 'shuffled');
SELECT pg_temp.same('much work_mem');
SET LOCAL graphlearn.max_memory = '200MB';
SELECT pg_temp.measure('another memory limit', 'shuffled');
SELECT pg_temp.same('another memory limit');
SET LOCAL jit = on;
SET LOCAL jit_above_cost = 0;
SET LOCAL jit_inline_above_cost = 0;
SET LOCAL jit_optimize_above_cost = 0;
SELECT pg_temp.measure('compiled expressions', 'ascending');
SELECT pg_temp.same('compiled expressions');
SET LOCAL jit = off;
SET LOCAL extra_float_digits = 0;
SELECT pg_temp.measure_stored('other digits of output', 'ascending');
SELECT ok(bool_and((d.points, d.graph, d.edges) = (f.points, f.graph, f.edges)), 'other digits of output') FROM digest d, digest f WHERE d.way = 'other digits of output' AND f.way = 'plain';
SET LOCAL extra_float_digits = 1;

SET LOCAL max_parallel_workers_per_gather = 3;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL parallel_leader_participation = off;
SELECT matches(pg_temp.plan_of('SELECT gl_points(id, f) FROM shuffled'), 'Gather', 'a parallel scan feeds gl_points');
SELECT pg_temp.measure('parallel workers', 'shuffled');
SELECT pg_temp.measure('parallel workers', 'parted');
SELECT pg_temp.same('parallel workers');
SET LOCAL force_parallel_mode = regress;
SELECT pg_temp.measure_stored('everything in a worker', 'descending');
SELECT pg_temp.same('everything in a worker');
SET LOCAL force_parallel_mode = off;
-- Groups, with workers and without: each has the points of its own.
CREATE TEMP TABLE by_group AS SELECT id % 5 AS key, md5(gl_graph_send(gl_graph(gl_points(id, f), scale => 'none'))) AS md5 FROM shuffled GROUP BY 1;
SET LOCAL max_parallel_workers_per_gather = 0;
SELECT results_eq('SELECT key, md5 FROM by_group ORDER BY key',
    'SELECT key, (SELECT md5(gl_graph_send(gl_graph(gl_points(id, f), scale => ''none''))) FROM ascending WHERE id % 5 = key) FROM generate_series(0, 4) key ORDER BY key', 'groups');
SELECT * FROM finish();
ROLLBACK;
