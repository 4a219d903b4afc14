-- If this fails, points collected over foreign tables differ from local ones, or aggregates are no longer run where the rows are.
-- postgres_fdw and a loop back to this database need a superuser, and objects
-- that other sessions can see.
\connect - postgres
SELECT count(*) = 0 AS missing FROM pg_available_extensions WHERE name = 'postgres_fdw' \gset
\if :missing
SELECT plan(1);
SELECT skip('postgres_fdw is not installed', 1);
SELECT * FROM finish();
\quit
\endif

SET client_min_messages = warning;
DROP SCHEMA IF EXISTS shard1, shard2, whole CASCADE;
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
DO $$
BEGIN
    FOR n IN 1..2 LOOP
        EXECUTE format('DROP SERVER IF EXISTS loop%s CASCADE', n);
        EXECUTE format($q$CREATE SERVER loop%s FOREIGN DATA WRAPPER postgres_fdw
            OPTIONS (host %L, port %L, dbname %L, extensions 'graphlearn', async_capable 'true', fetch_size '10')$q$,
            n, split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), current_database());
        EXECUTE format('CREATE USER MAPPING FOR CURRENT_USER SERVER loop%s OPTIONS (user %L)', n, current_user);
    END LOOP;
END $$;
CREATE SCHEMA shard1;
CREATE SCHEMA shard2;
CREATE SCHEMA whole;
CREATE TABLE whole.item AS SELECT i AS id, i % 7 AS tenant, ARRAY[sqrt(i), sin(i), (i * 7919) % 1009] AS f FROM generate_series(1, 2000) i;
CREATE TABLE whole.parent (id int, tenant int, f float8[]) PARTITION BY HASH (id);
CREATE TABLE shard1.item (id int, tenant int, f float8[]);
CREATE TABLE shard2.item (id int, tenant int, f float8[]);
CREATE FOREIGN TABLE whole.part1 PARTITION OF whole.parent FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER loop1 OPTIONS (schema_name 'shard1', table_name 'item');
CREATE FOREIGN TABLE whole.part2 PARTITION OF whole.parent FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER loop2 OPTIONS (schema_name 'shard2', table_name 'item');
INSERT INTO whole.parent TABLE whole.item;
CREATE FUNCTION whole.plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    lines text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
        lines := lines || line || E'\n';
    END LOOP;
    RETURN lines;
END $$;
ANALYZE whole.item, shard1.item, shard2.item;

SELECT plan(9);
SELECT ok((SELECT count(*) FROM shard1.item) BETWEEN 900 AND 1100, 'rows are on both shards');
CREATE TEMP VIEW local AS SELECT md5(gl_points_send(gl_points(id, f))) AS points, md5(gl_graph_send(gl_graph(gl_points(id, f), scale => 'standard'))) AS graph FROM whole.item;
SELECT is((SELECT md5(gl_points_send(gl_points(id, f))) FROM whole.parent), (SELECT points FROM local), 'points over foreign partitions');
SELECT is((SELECT md5(gl_graph_send(gl_graph(gl_points(id, f), scale => 'standard'))) FROM whole.parent), (SELECT graph FROM local), 'graph over foreign partitions');
SET enable_partitionwise_aggregate = on;
SELECT is((SELECT md5(gl_points_send(gl_points(id, f))) FROM whole.parent), (SELECT points FROM local), 'points, partitionwise');
RESET enable_partitionwise_aggregate;
SELECT matches(whole.plan_of('SELECT gl_points(id, f) FROM whole.part1 UNION ALL SELECT gl_points(id, f) FROM whole.part2'),
    'Async Foreign Scan.*Remote SQL: SELECT [a-z_.]*gl_points\(', 'one aggregate per shard is run there, at the same time');
SELECT matches(whole.plan_of('SELECT gl_info(gl_graph(gl_points(id, f))) FROM whole.part1'),
    'Remote SQL: SELECT [a-z_.]*gl_info\([a-z_.]*gl_graph\([a-z_.]*gl_points\(', 'and so is what is built from it');
SELECT results_eq('SELECT gl_points_send(p) FROM (SELECT 1 AS n, gl_points(id, f) AS p FROM whole.part1 UNION ALL SELECT 2, gl_points(id, f) FROM whole.part2) s ORDER BY n',
    'SELECT gl_points_send(p) FROM (SELECT 1 AS n, gl_points(id, f) AS p FROM shard1.item UNION ALL SELECT 2, gl_points(id, f) FROM shard2.item) s ORDER BY n', 'a value that travelled is the value that was made');
SELECT is((SELECT md5(string_agg(gl_graph_send(g)::text, ' ' ORDER BY n)) FROM (SELECT 1 AS n, gl_graph(gl_points(id, f), scale => 'none') AS g FROM whole.part1 UNION ALL SELECT 2, gl_graph(gl_points(id, f), scale => 'none') FROM whole.part2) s),
          (SELECT md5(string_agg(gl_graph_send(g)::text, ' ' ORDER BY n)) FROM (SELECT 1 AS n, gl_graph(gl_points(id, f), scale => 'none') AS g FROM shard1.item UNION ALL SELECT 2, gl_graph(gl_points(id, f), scale => 'none') FROM shard2.item) s), 'graphs built there are the graphs built here');
SELECT results_eq('SELECT tenant, md5(gl_points_send(gl_points(id, f))) FROM whole.parent GROUP BY tenant ORDER BY tenant',
    'SELECT tenant, md5(gl_points_send(gl_points(id, f))) FROM whole.item GROUP BY tenant ORDER BY tenant', 'one set of points per tenant');
SELECT * FROM finish();
DROP SCHEMA shard1, shard2, whole CASCADE;
DROP SERVER loop1 CASCADE;
DROP SERVER loop2 CASCADE;
DROP EXTENSION postgres_fdw;
