-- 00-types.sql: the value types.

CREATE TYPE gl_points;

CREATE FUNCTION gl_points_in(cstring) RETURNS gl_points
AS 'MODULE_PATHNAME', 'graphlearn_points_in'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gl_points_out(gl_points) RETURNS cstring
AS 'MODULE_PATHNAME', 'graphlearn_points_out'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gl_points_recv(internal) RETURNS gl_points
AS 'MODULE_PATHNAME', 'graphlearn_points_recv'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gl_points_send(gl_points) RETURNS bytea
AS 'MODULE_PATHNAME', 'graphlearn_points_send'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE gl_points (
    INPUT = gl_points_in,
    OUTPUT = gl_points_out,
    RECEIVE = gl_points_recv,
    SEND = gl_points_send,
    INTERNALLENGTH = VARIABLE,
    ALIGNMENT = double,
    STORAGE = external
);

COMMENT ON TYPE gl_points IS 'a set of points: rows of numbers with their ids';
COMMENT ON FUNCTION gl_points_in(cstring) IS 'I/O';
COMMENT ON FUNCTION gl_points_out(gl_points) IS 'I/O';
COMMENT ON FUNCTION gl_points_recv(internal) IS 'I/O';
COMMENT ON FUNCTION gl_points_send(gl_points) IS 'I/O';

CREATE TYPE gl_graph;

CREATE FUNCTION gl_graph_in(cstring) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_graph_in'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gl_graph_out(gl_graph) RETURNS cstring
AS 'MODULE_PATHNAME', 'graphlearn_graph_out'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gl_graph_recv(internal) RETURNS gl_graph
AS 'MODULE_PATHNAME', 'graphlearn_graph_recv'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gl_graph_send(gl_graph) RETURNS bytea
AS 'MODULE_PATHNAME', 'graphlearn_graph_send'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE gl_graph (
    INPUT = gl_graph_in,
    OUTPUT = gl_graph_out,
    RECEIVE = gl_graph_recv,
    SEND = gl_graph_send,
    INTERNALLENGTH = VARIABLE,
    ALIGNMENT = double,
    STORAGE = external
);

COMMENT ON TYPE gl_graph IS 'a graph over rows, stored as an operator that learners apply';
COMMENT ON FUNCTION gl_graph_in(cstring) IS 'I/O';
COMMENT ON FUNCTION gl_graph_out(gl_graph) IS 'I/O';
COMMENT ON FUNCTION gl_graph_recv(internal) IS 'I/O';
COMMENT ON FUNCTION gl_graph_send(gl_graph) IS 'I/O';

CREATE TYPE gl_model;

CREATE FUNCTION gl_model_in(cstring) RETURNS gl_model
AS 'MODULE_PATHNAME', 'graphlearn_model_in'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gl_model_out(gl_model) RETURNS cstring
AS 'MODULE_PATHNAME', 'graphlearn_model_out'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gl_model_recv(internal) RETURNS gl_model
AS 'MODULE_PATHNAME', 'graphlearn_model_recv'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gl_model_send(gl_model) RETURNS bytea
AS 'MODULE_PATHNAME', 'graphlearn_model_send'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE gl_model (
    INPUT = gl_model_in,
    OUTPUT = gl_model_out,
    RECEIVE = gl_model_recv,
    SEND = gl_model_send,
    INTERNALLENGTH = VARIABLE,
    ALIGNMENT = double,
    STORAGE = external
);

COMMENT ON TYPE gl_model IS 'what a learner found, with what it needs to answer for rows never seen';
COMMENT ON FUNCTION gl_model_in(cstring) IS 'I/O';
COMMENT ON FUNCTION gl_model_out(gl_model) IS 'I/O';
COMMENT ON FUNCTION gl_model_recv(internal) IS 'I/O';
COMMENT ON FUNCTION gl_model_send(gl_model) IS 'I/O';
