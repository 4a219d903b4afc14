-- 10-points.sql: rows of a table become a set of points.

CREATE FUNCTION gl_points_transfn(internal, bigint, float8[]) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_points_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_points_transfn(internal, bigint, float8[]) IS 'transition function of gl_points';

CREATE FUNCTION gl_points_transfn(internal, bigint, real[]) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_points_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_points_transfn(internal, bigint, real[]) IS 'transition function of gl_points';

CREATE FUNCTION gl_points_transfn(internal, bigint, numeric[]) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_points_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_points_transfn(internal, bigint, numeric[]) IS 'transition function of gl_points';

CREATE FUNCTION gl_points_transfn(internal, bigint, smallint[]) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_points_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_points_transfn(internal, bigint, smallint[]) IS 'transition function of gl_points';

CREATE FUNCTION gl_points_transfn(internal, bigint, int[]) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_points_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_points_transfn(internal, bigint, int[]) IS 'transition function of gl_points';

CREATE FUNCTION gl_points_transfn(internal, bigint, bigint[]) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_points_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_points_transfn(internal, bigint, bigint[]) IS 'transition function of gl_points';

CREATE FUNCTION gl_points_finalfn(internal) RETURNS gl_points
AS 'MODULE_PATHNAME', 'graphlearn_points_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION gl_points_finalfn(internal) IS 'final function of gl_points';

CREATE AGGREGATE gl_points(id bigint, features float8[]) (
    SFUNC = gl_points_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_points_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_points(bigint, float8[]) IS 'collects rows of numbers with their ids into a set of points';

CREATE AGGREGATE gl_points(id bigint, features real[]) (
    SFUNC = gl_points_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_points_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_points(bigint, real[]) IS 'collects rows of numbers with their ids into a set of points';

CREATE AGGREGATE gl_points(id bigint, features numeric[]) (
    SFUNC = gl_points_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_points_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_points(bigint, numeric[]) IS 'collects rows of numbers with their ids into a set of points';

CREATE AGGREGATE gl_points(id bigint, features smallint[]) (
    SFUNC = gl_points_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_points_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_points(bigint, smallint[]) IS 'collects rows of numbers with their ids into a set of points';

CREATE AGGREGATE gl_points(id bigint, features int[]) (
    SFUNC = gl_points_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_points_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_points(bigint, int[]) IS 'collects rows of numbers with their ids into a set of points';

CREATE AGGREGATE gl_points(id bigint, features bigint[]) (
    SFUNC = gl_points_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_points_finalfn,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_points(bigint, bigint[]) IS 'collects rows of numbers with their ids into a set of points';
