-- If this fails, columns of a vector type such as pgvector's need a cast before gl_points takes them.
-- A base type needs a superuser, which the server of this run has.
\connect - postgres
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT plan(6);

-- As pgvector declares it: a type of its own with an implicit cast to real[].
CREATE TYPE vec;
CREATE FUNCTION vec_in(cstring) RETURNS vec LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textin';
CREATE FUNCTION vec_out(vec) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'textout';
CREATE TYPE vec (INPUT = vec_in, OUTPUT = vec_out, LIKE = text);
CREATE FUNCTION vec_to_real(vec) RETURNS real[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS 'BEGIN RETURN vec_out($1)::text::real[]; END';
CREATE CAST (vec AS real[]) WITH FUNCTION vec_to_real(vec) AS IMPLICIT;
CREATE TABLE item (id bigint, embedding vec);
INSERT INTO item SELECT i, format('{%s,%s}', i / 3.0, i % 4)::vec FROM generate_series(1, 50) i;
INSERT INTO item VALUES (51, NULL);

SELECT is((SELECT gl_info(gl_points(id, embedding)) ->> 'values' FROM item), 'real', 'a vector is taken as real[], without a cast');
SELECT is((SELECT gl_info(gl_points(id, embedding)) ->> 'n' FROM item), '50', 'a NULL vector is skipped');
SELECT is((SELECT gl_points_send(gl_points(id, embedding)) FROM item),
          (SELECT gl_points_send(gl_points(i, ARRAY[i / 3.0, i % 4]::real[])) FROM generate_series(1, 50) i), 'its numbers are those of the array');
SELECT is((SELECT gl_info(gl_points(1, embedding)) ->> 'n' FROM item WHERE id = 1), '1', 'an int literal as id');
-- halfvec has an assignment cast only: then a cast is needed, and asked for.
CREATE TYPE half;
CREATE FUNCTION half_in(cstring) RETURNS half LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION half_out(half) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE half (INPUT = half_in, OUTPUT = half_out, LIKE = text);
CREATE CAST (half AS real[]) WITH INOUT AS ASSIGNMENT;
SELECT throws_ok($$SELECT gl_points(1, '{1,2}'::half)$$, '42883', NULL, 'a type without an implicit cast is refused when parsed');
SELECT is((SELECT gl_info(gl_points(1, '{1,2}'::half::real[])) ->> 'dimensions'), '2', 'and taken with the cast written out');
SELECT * FROM finish();
ROLLBACK;
