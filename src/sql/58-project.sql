-- 58-project.sql: rows that come later, on a map that was kept.

CREATE FUNCTION gl_project(model gl_model, features float8[]) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_project'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_project(gl_model, float8[]) IS 'the place of a row on a map that it was not part of';

CREATE FUNCTION gl_project(model gl_model, features real[]) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_project'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_project(gl_model, real[]) IS 'the place of a row on a map that it was not part of';

CREATE FUNCTION gl_project(model gl_model, features numeric[]) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_project'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_project(gl_model, numeric[]) IS 'the place of a row on a map that it was not part of';

CREATE FUNCTION gl_project(model gl_model, features smallint[]) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_project'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_project(gl_model, smallint[]) IS 'the place of a row on a map that it was not part of';

CREATE FUNCTION gl_project(model gl_model, features int[]) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_project'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_project(gl_model, int[]) IS 'the place of a row on a map that it was not part of';

CREATE FUNCTION gl_project(model gl_model, features bigint[]) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_project'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_project(gl_model, bigint[]) IS 'the place of a row on a map that it was not part of';
