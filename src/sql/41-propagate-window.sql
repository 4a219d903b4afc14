-- 41-propagate-window.sql: labels for the rows of a window partition.

CREATE FUNCTION gl_propagate(
    features float8[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS anycompatible
AS 'MODULE_PATHNAME', 'graphlearn_propagate_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate(float8[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the label of a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate(
    features real[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS anycompatible
AS 'MODULE_PATHNAME', 'graphlearn_propagate_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate(real[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the label of a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate(
    features numeric[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS anycompatible
AS 'MODULE_PATHNAME', 'graphlearn_propagate_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate(numeric[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the label of a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate(
    features smallint[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS anycompatible
AS 'MODULE_PATHNAME', 'graphlearn_propagate_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate(smallint[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the label of a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate(
    features int[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS anycompatible
AS 'MODULE_PATHNAME', 'graphlearn_propagate_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate(int[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the label of a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate(
    features bigint[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS anycompatible
AS 'MODULE_PATHNAME', 'graphlearn_propagate_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate(bigint[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the label of a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate_scores(
    features float8[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_propagate_scores_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate_scores(float8[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the score of every label for a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate_scores(
    features real[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_propagate_scores_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate_scores(real[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the score of every label for a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate_scores(
    features numeric[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_propagate_scores_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate_scores(numeric[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the score of every label for a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate_scores(
    features smallint[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_propagate_scores_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate_scores(smallint[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the score of every label for a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate_scores(
    features int[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_propagate_scores_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate_scores(int[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the score of every label for a row, from the labels of a few rows of its partition';

CREATE FUNCTION gl_propagate_scores(
    features bigint[],
    label anycompatible,
    method text DEFAULT 'harmonic',
    damping float8 DEFAULT NULL,
    prior text DEFAULT 'seeds',
    prior_weight float8 DEFAULT 10,
    class_prior float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-5,
    k int DEFAULT NULL,
    metric text DEFAULT 'euclidean',
    weights text DEFAULT 'adaptive',
    symmetry text DEFAULT 'sum',
    bandwidth float8 DEFAULT NULL,
    scale text DEFAULT NULL,
    seed bigint DEFAULT 0
) RETURNS jsonb
AS 'MODULE_PATHNAME', 'graphlearn_propagate_scores_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_propagate_scores(bigint[], anycompatible, text, float8, text, float8, float8[], int, float8, int, text, text, text, float8, text, bigint) IS
'the score of every label for a row, from the labels of a few rows of its partition';
