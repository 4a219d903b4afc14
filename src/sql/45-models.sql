-- 45-models.sql: learners whose result is kept, and what it says of rows seen
-- and not seen.

CREATE FUNCTION gl_label_model(
    g gl_graph,
    ids bigint[],
    labels anycompatiblearray,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    multilabel boolean DEFAULT false,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    normalise text DEFAULT NULL,
    teleport float8 DEFAULT 0,
    injection float8[] DEFAULT NULL
) RETURNS gl_model
AS 'MODULE_PATHNAME', 'graphlearn_label_model'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_label_model(gl_graph, bigint[], anycompatiblearray, text, float8, text, float8, float8[], boolean, int, float8, text, float8, float8[]) IS
'label propagation whose result is kept, to label rows that come later';

CREATE FUNCTION gl_rows(
    model gl_model,
    OUT id bigint,
    OUT label text,
    OUT cluster int,
    OUT confidence float8,
    OUT scores float8[],
    OUT coords float8[]
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_rows'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10000;

COMMENT ON FUNCTION gl_rows(gl_model) IS 'what a model says of the rows it was fitted on';

CREATE FUNCTION gl_info(model gl_model) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_info_model'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_info(gl_model) IS 'what a model is, how it was fitted and how that went';

-- A prediction may cost as much as a thousand operators: worth a worker.

CREATE FUNCTION gl_predict(model gl_model, features float8[], tolerance float8 DEFAULT 0.01) RETURNS text
AS 'MODULE_PATHNAME', 'graphlearn_predict'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict(gl_model, float8[], float8) IS 'the label of a row never seen, by a label model';

CREATE FUNCTION gl_predict(model gl_model, features real[], tolerance float8 DEFAULT 0.01) RETURNS text
AS 'MODULE_PATHNAME', 'graphlearn_predict'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict(gl_model, real[], float8) IS 'the label of a row never seen, by a label model';

CREATE FUNCTION gl_predict(model gl_model, features numeric[], tolerance float8 DEFAULT 0.01) RETURNS text
AS 'MODULE_PATHNAME', 'graphlearn_predict'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict(gl_model, numeric[], float8) IS 'the label of a row never seen, by a label model';

CREATE FUNCTION gl_predict(model gl_model, features smallint[], tolerance float8 DEFAULT 0.01) RETURNS text
AS 'MODULE_PATHNAME', 'graphlearn_predict'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict(gl_model, smallint[], float8) IS 'the label of a row never seen, by a label model';

CREATE FUNCTION gl_predict(model gl_model, features int[], tolerance float8 DEFAULT 0.01) RETURNS text
AS 'MODULE_PATHNAME', 'graphlearn_predict'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict(gl_model, int[], float8) IS 'the label of a row never seen, by a label model';

CREATE FUNCTION gl_predict(model gl_model, features bigint[], tolerance float8 DEFAULT 0.01) RETURNS text
AS 'MODULE_PATHNAME', 'graphlearn_predict'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict(gl_model, bigint[], float8) IS 'the label of a row never seen, by a label model';

CREATE FUNCTION gl_predict_scores(model gl_model, features float8[], tolerance float8 DEFAULT 0.01) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_predict_scores'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict_scores(gl_model, float8[], float8) IS 'the score of every label for a row never seen, by a label model';

CREATE FUNCTION gl_predict_scores(model gl_model, features real[], tolerance float8 DEFAULT 0.01) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_predict_scores'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict_scores(gl_model, real[], float8) IS 'the score of every label for a row never seen, by a label model';

CREATE FUNCTION gl_predict_scores(model gl_model, features numeric[], tolerance float8 DEFAULT 0.01) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_predict_scores'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict_scores(gl_model, numeric[], float8) IS 'the score of every label for a row never seen, by a label model';

CREATE FUNCTION gl_predict_scores(model gl_model, features smallint[], tolerance float8 DEFAULT 0.01) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_predict_scores'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict_scores(gl_model, smallint[], float8) IS 'the score of every label for a row never seen, by a label model';

CREATE FUNCTION gl_predict_scores(model gl_model, features int[], tolerance float8 DEFAULT 0.01) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_predict_scores'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict_scores(gl_model, int[], float8) IS 'the score of every label for a row never seen, by a label model';

CREATE FUNCTION gl_predict_scores(model gl_model, features bigint[], tolerance float8 DEFAULT 0.01) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_predict_scores'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_predict_scores(gl_model, bigint[], float8) IS 'the score of every label for a row never seen, by a label model';
