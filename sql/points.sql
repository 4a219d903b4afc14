-- If this fails, rows of a table no longer become the points they say, or a bad row gets in.

\set SHOW_CONTEXT never

-- What a query gives: its value, or SQLSTATE, message and hint.
CREATE FUNCTION pg_temp.attempt(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    hint text;
BEGIN
    EXECUTE query INTO answer;
    RETURN coalesce(answer, 'NULL');
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN SQLSTATE || ' ' || SQLERRM || coalesce(' HINT: ' || nullif(hint, ''), '');
END $$;

-- Every array of numbers is taken as it is; real stays real.
SELECT kind, gl_info(p) - 'bytes' AS info
FROM (SELECT 'double precision' AS kind, gl_points(1, '{1,2}'::float8[]) AS p
      UNION ALL SELECT 'real', gl_points(1, '{1,2}'::real[])
      UNION ALL SELECT 'numeric', gl_points(1, '{1,2}'::numeric[])
      UNION ALL SELECT 'smallint', gl_points(1, '{1,2}'::smallint[])
      UNION ALL SELECT 'integer', gl_points(1, '{1,2}'::int[])
      UNION ALL SELECT 'bigint', gl_points(1, '{1,2}'::bigint[])
      UNION ALL SELECT 'array literal', gl_points(1, ARRAY[1, 2])
      UNION ALL SELECT 'decimal literal', gl_points(1, ARRAY[1.5, 2])) s
ORDER BY kind COLLATE "C";

-- The same numbers give the same points, whatever their type.
WITH v AS (
    SELECT gl_points(i, ARRAY[i, -i, 2 * i]::float8[]) AS float8s,
           gl_points(i, ARRAY[i, -i, 2 * i]::numeric[]) AS numerics,
           gl_points(i, ARRAY[i, -i, 2 * i]::smallint[]) AS smallints,
           gl_points(i, ARRAY[i, -i, 2 * i]) AS ints,
           gl_points(i, ARRAY[i, -i, 2 * i]::bigint[]) AS bigints,
           gl_points(i, ARRAY[i, -i, 2 * i]::real[]) AS reals
    FROM generate_series(1, 100) i)
SELECT gl_points_send(numerics) = gl_points_send(float8s) AS numerics,
       gl_points_send(smallints) = gl_points_send(float8s) AS smallints,
       gl_points_send(ints) = gl_points_send(float8s) AS ints,
       gl_points_send(bigints) = gl_points_send(float8s) AS bigints,
       gl_points_send(reals) <> gl_points_send(float8s) AS reals_differ,
       length(gl_points_send(float8s)) - length(gl_points_send(reals)) AS bytes_saved
FROM v;

-- Numbers at the edge of their type arrive unharmed: read back as lengths.
CREATE TEMP TABLE edge_numbers (name text, a float8, b float8);
INSERT INTO edge_numbers
SELECT 'smallint', s.weight, 65535
FROM (SELECT gl_full_graph(gl_points(i, CASE i WHEN 1 THEN '{-32768}'::smallint[] ELSE '{32767}' END), weights => 'distance') AS g
      FROM generate_series(1, 2) i) q, gl_edges(q.g) s;
INSERT INTO edge_numbers
SELECT 'integer', s.weight, 4294967295
FROM (SELECT gl_full_graph(gl_points(i, CASE i WHEN 1 THEN '{-2147483648}'::int[] ELSE '{2147483647}' END), weights => 'distance') AS g
      FROM generate_series(1, 2) i) q, gl_edges(q.g) s;
INSERT INTO edge_numbers
SELECT 'bigint', s.weight, 18446744073709551616
FROM (SELECT gl_full_graph(gl_points(i, CASE i WHEN 1 THEN '{-9223372036854775808}'::bigint[] ELSE '{9223372036854775807}' END), weights => 'distance') AS g
      FROM generate_series(1, 2) i) q, gl_edges(q.g) s;
INSERT INTO edge_numbers
SELECT 'numeric of many digits', s.weight, 0.125
FROM (SELECT gl_full_graph(gl_points(i, CASE i WHEN 1 THEN ARRAY[1234567890.5, 0.00000000000000000001, -7e30] ELSE ARRAY[1234567890.625, 0.00000000000000000001, -7e30] END), weights => 'distance') AS g
      FROM generate_series(1, 2) i) q, gl_edges(q.g) s;
SELECT name, a = b AS same FROM edge_numbers ORDER BY name;

-- Types that only look like arrays of numbers: domains, and a type with an
-- implicit cast to real[], as pgvector's has.
CREATE DOMAIN pg_temp.embedding AS float8[] CHECK (array_length(VALUE, 1) = 2);
CREATE DOMAIN pg_temp.int_embedding AS int[];
CREATE DOMAIN pg_temp.share AS float8 CHECK (VALUE BETWEEN 0 AND 1);
CREATE TYPE pg_temp.vec AS (elements real[]);
CREATE FUNCTION pg_temp.vec_to_reals(pg_temp.vec) RETURNS real[]
    IMMUTABLE STRICT LANGUAGE SQL RETURN ($1).elements;
CREATE CAST (pg_temp.vec AS real[]) WITH FUNCTION pg_temp.vec_to_reals AS IMPLICIT;
SELECT gl_info(gl_points(1, '{1,2}'::pg_temp.embedding)) ->> 'values' AS domain_of_array,
       gl_info(gl_points(1, '{1,2}'::pg_temp.int_embedding)) ->> 'values' AS domain_of_ints,
       gl_info(gl_points(1, ARRAY[0.5, 1]::pg_temp.share[])) ->> 'values' AS array_of_domain,
       gl_info(gl_points(1, ROW('{1,2}')::pg_temp.vec)) ->> 'values' AS castable;

-- Ids: any integer, negative and extreme ones too.
SELECT id, component
FROM (SELECT gl_knn_graph(gl_points(id, ARRAY[position]), 1) AS g
      FROM (VALUES ((-9223372036854775808)::bigint, 1.0), (9223372036854775807, 2), (0, 10), (-1, 11), (42, 11.5)) v(id, position)) s,
     gl_components(s.g)
ORDER BY id;
SELECT gl_info(gl_points(id, '{1}'::float8[])) ->> 'n' AS smallint_ids FROM (VALUES (1::smallint), (2::smallint)) v(id);

-- What is skipped, what is empty.
SELECT gl_info(gl_points(id, f)) ->> 'n' AS two_of_three
FROM (VALUES (1, '{1}'::float8[]), (2, NULL), (3, '{3}')) v(id, f);
SELECT gl_info(gl_points(id, f)) ->> 'n' AS first_is_null
FROM (VALUES (1, NULL::float8[]), (2, NULL), (3, '{3}')) v(id, f);
SELECT gl_points(1, '{1}'::float8[]) IS NULL AS no_rows FROM generate_series(1, 0);
SELECT gl_points(id, NULL::float8[]) IS NULL AS only_null_rows FROM generate_series(1, 3) id;
SELECT id, gl_points(id, '{1}'::float8[]) IS NULL AS no_rows FROM generate_series(1, 0) id GROUP BY id;

-- Arrays whose first index is not 1 are as good as others.
SELECT gl_points_send(gl_points(1, '[5:6]={1,2}'::float8[]))
     = gl_points_send(gl_points(1, '{1,2}'::float8[])) AS lower_bound_ignored;

-- -0 and the smallest numbers are numbers.
SELECT gl_info(gl_points(1, '{-0,4.9e-324,1.7976931348623157e308}'::float8[])) ->> 'n' AS accepted;

-- What is refused, and how.
SELECT n, pg_temp.attempt(query) AS answer
FROM (VALUES
    (1, $$SELECT gl_points(NULL, '{1}'::float8[])$$),
    (2, $$SELECT gl_points(NULL, NULL::float8[])$$),
    (3, $$SELECT gl_points(7, '{1,NULL,3}'::float8[])$$),
    (4, $$SELECT gl_points(7, '{1,2,NULL}'::numeric[])$$),
    (5, $$SELECT gl_points(7, '{NULL}'::int[])$$),
    (6, $$SELECT gl_points(7, '{1,NaN}'::float8[])$$),
    (7, $$SELECT gl_points(7, '{1,Infinity}'::float8[])$$),
    (8, $$SELECT gl_points(7, '{-Infinity,1}'::float8[])$$),
    (9, $$SELECT gl_points(7, '{1,NaN}'::real[])$$),
    (10, $$SELECT gl_points(7, '{-Infinity}'::real[])$$),
    (11, $$SELECT gl_points(7, '{1,NaN}'::numeric[])$$),
    (12, $$SELECT gl_points(7, '{Infinity}'::numeric[])$$),
    (13, $$SELECT gl_points(7, ARRAY[1, 1e400])$$),
    (14, $$SELECT gl_points(i, array_fill(1.0::float8, ARRAY[i + 1])) FROM generate_series(4, 5) i$$),
    (15, $$SELECT gl_points(i, array_fill(1.0::float8, ARRAY[8 - i])) FROM generate_series(4, 5) i$$),
    (16, $$SELECT gl_points(7, '{{1,2},{3,4}}'::float8[])$$),
    (17, $$SELECT gl_points(7, '{{1,2}}'::int[])$$),
    (18, $$SELECT gl_points(7, '{{{1}}}'::numeric[])$$),
    (19, $$SELECT gl_points(7, '{}'::float8[])$$),
    (20, $$SELECT gl_points(i % 3, '{1}'::float8[]) FROM generate_series(1, 5) i$$),
    (21, $$SELECT gl_points(9223372036854775807, '{1}'::float8[]) FROM generate_series(1, 2)$$),
    (22, $$SELECT gl_points(1, '{a}'::text[])$$),
    (23, $$SELECT gl_points(1, array_fill(0::smallint, ARRAY[1000001]))$$),
    (24, $$SELECT gl_points(1, '{1,2}')$$),
    (25, $$SELECT gl_points('a', '{1}'::float8[])$$),
    (26, $$SELECT gl_points(1.5, '{1}'::float8[])$$),
    (27, $$SELECT gl_points(id => 1, features => '{1}'::float8[])$$),
    (28, $$SELECT gl_points(1, '{1}'::float8[]) OVER ()$$),
    (29, $$SELECT gl_points_transfn(NULL, 1, '{1}'::float8[])$$),
    (30, $$SELECT gl_points_finalfn(NULL)$$)) q(n, query)
ORDER BY n;

-- The bad row is found wherever it stands, behind rows that were skipped too.
SELECT pg_temp.attempt($$SELECT gl_points(i, CASE WHEN i = 777 THEN ARRAY[1, 'NaN']::float8[] WHEN i % 2 = 0 THEN NULL ELSE ARRAY[i, i]::float8[] END) FROM generate_series(1, 1000) i$$);

-- DISTINCT, ORDER BY and FILTER inside the call.
WITH t AS (SELECT i AS id, ARRAY[i, i * i]::float8[] AS f FROM generate_series(1, 50) i)
SELECT gl_points_send(gl_points(DISTINCT t.id, t.f)) = gl_points_send(gl_points(t.id, t.f)) AS distinct_on_distinct,
       gl_points_send(gl_points(t.id, t.f ORDER BY t.f DESC)) = gl_points_send(gl_points(t.id, t.f)) AS ordered,
       gl_info(gl_points(t.id, t.f) FILTER (WHERE t.id % 10 = 0)) ->> 'n' AS filtered,
       gl_points(t.id, t.f) FILTER (WHERE t.id < 0) IS NULL AS all_filtered
FROM t;
SELECT gl_info(gl_points(DISTINCT id, f)) ->> 'n' AS repeated_rows_made_distinct
FROM (VALUES (1, '{1}'::float8[]), (2, '{2}'), (1, '{1}')) v(id, f);

-- The order of rows does not show.
SELECT count(DISTINCT gl_points_send(p)) AS different
FROM (SELECT gl_points(id, ARRAY[sin(id), id]) AS p FROM (SELECT id FROM generate_series(1, 999) id ORDER BY id) a
      UNION ALL
      SELECT gl_points(id, ARRAY[sin(id), id]) FROM (SELECT id FROM generate_series(1, 999) id ORDER BY id DESC) b
      UNION ALL
      SELECT gl_points(id, ARRAY[sin(id), id]) FROM (SELECT id FROM generate_series(1, 999) id ORDER BY md5(id::text)) c) s;

-- Ten thousand groups, hashed, with little memory: each has its own points.
SET work_mem = '64kB';
SET enable_sort = off;
SELECT count(*) AS groups, bool_and((gl_info(p) ->> 'n')::int = 3) AS all_of_three,
       bool_and(gl_points_send(p) = (SELECT gl_points_send(gl_points(i, ARRAY[i])) FROM generate_series(key, key + 20000, 10000) i)) AS all_right
FROM (SELECT id % 10000 AS key, gl_points(id, ARRAY[id]) AS p FROM generate_series(0, 29999) id GROUP BY id % 10000) s;
RESET enable_sort;
SET enable_hashagg = off;
SELECT count(*) AS groups, sum((gl_info(p) ->> 'n')::int) AS rows
FROM (SELECT id % 10000 AS key, gl_points(id, ARRAY[id]) AS p FROM generate_series(0, 29999) id GROUP BY id % 10000) s;
RESET enable_hashagg;
RESET work_mem;

-- Grouping sets: the state of one group is not the state of another.
SELECT coalesce(tenant::text, 'all') AS tenant, gl_info(gl_points(id, ARRAY[id])) ->> 'n' AS n
FROM (SELECT id, id % 2 AS tenant FROM generate_series(1, 9) id) t
GROUP BY ROLLUP (tenant) ORDER BY 1;

-- Memory: refused before it is taken, with the limit in the message.
SET graphlearn.max_memory = '1MB';
SELECT regexp_replace(pg_temp.attempt($$SELECT gl_points(i, array_fill(1.0::float8, ARRAY[100])) FROM generate_series(1, 5000) i$$),
                      '[0-9.]+ [kM]B', '# MB', 'g') AS answer;
RESET graphlearn.max_memory;
SELECT gl_info(gl_points(i, array_fill(1.0::float8, ARRAY[100]))) ->> 'n' AS with_the_default FROM generate_series(1, 5000) i;
