-- 70-pictures.sql: scatter plots as values.

-- One transition function, so the server keeps one state for both pictures
-- of the same columns in a query.

CREATE FUNCTION gl_scatter_transfn(internal, float8, float8, "any") RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_scatter_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5;

COMMENT ON FUNCTION gl_scatter_transfn(internal, float8, float8, "any") IS 'transition function of gl_scatter_svg and gl_scatter_text';

CREATE FUNCTION gl_scatter_transfn(internal, float8, float8, "any", text) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_scatter_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5;

COMMENT ON FUNCTION gl_scatter_transfn(internal, float8, float8, "any", text) IS 'transition function of gl_scatter_svg';

CREATE FUNCTION gl_scatter_svg_finalfn(internal) RETURNS text
AS 'MODULE_PATHNAME', 'graphlearn_scatter_svg_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_scatter_svg_finalfn(internal) IS 'final function of gl_scatter_svg';

CREATE FUNCTION gl_scatter_text_finalfn(internal) RETURNS text
AS 'MODULE_PATHNAME', 'graphlearn_scatter_text_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_scatter_text_finalfn(internal) IS 'final function of gl_scatter_text';

CREATE AGGREGATE gl_scatter_svg(x float8, y float8, "group" "any") (
    SFUNC = gl_scatter_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_scatter_svg_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_scatter_svg(float8, float8, "any") IS 'scatter plot of rows with a colour per group, as SVG';

CREATE AGGREGATE gl_scatter_svg(x float8, y float8, "group" "any", title text) (
    SFUNC = gl_scatter_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_scatter_svg_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_scatter_svg(float8, float8, "any", text) IS 'scatter plot of rows with a colour per group and a title, as SVG';

CREATE AGGREGATE gl_scatter_text(x float8, y float8, "group" "any") (
    SFUNC = gl_scatter_transfn,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = gl_scatter_text_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_scatter_text(float8, float8, "any") IS 'scatter plot of rows with a letter per group, for a terminal';
