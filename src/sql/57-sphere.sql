-- 57-sphere.sql: directions in many dimensions as directions in few.

CREATE FUNCTION gl_sphere_project(
    features float8[],
    dims int DEFAULT 2,
    seed bigint DEFAULT 0
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_sphere_project'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION gl_sphere_project(float8[], int, bigint) IS
'a row''s direction as a point on a sphere in fewer dimensions, angles nearly kept';

CREATE FUNCTION gl_sphere_project(
    features real[],
    dims int DEFAULT 2,
    seed bigint DEFAULT 0
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_sphere_project'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION gl_sphere_project(real[], int, bigint) IS
'a row''s direction as a point on a sphere in fewer dimensions, angles nearly kept';

CREATE FUNCTION gl_sphere_project(
    features numeric[],
    dims int DEFAULT 2,
    seed bigint DEFAULT 0
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_sphere_project'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION gl_sphere_project(numeric[], int, bigint) IS
'a row''s direction as a point on a sphere in fewer dimensions, angles nearly kept';

CREATE FUNCTION gl_sphere_project(
    features smallint[],
    dims int DEFAULT 2,
    seed bigint DEFAULT 0
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_sphere_project'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION gl_sphere_project(smallint[], int, bigint) IS
'a row''s direction as a point on a sphere in fewer dimensions, angles nearly kept';

CREATE FUNCTION gl_sphere_project(
    features int[],
    dims int DEFAULT 2,
    seed bigint DEFAULT 0
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_sphere_project'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION gl_sphere_project(int[], int, bigint) IS
'a row''s direction as a point on a sphere in fewer dimensions, angles nearly kept';

CREATE FUNCTION gl_sphere_project(
    features bigint[],
    dims int DEFAULT 2,
    seed bigint DEFAULT 0
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_sphere_project'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION gl_sphere_project(bigint[], int, bigint) IS
'a row''s direction as a point on a sphere in fewer dimensions, angles nearly kept';
