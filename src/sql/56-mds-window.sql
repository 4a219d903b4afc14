-- 56-mds-window.sql: a map of the rows of a window partition.

CREATE FUNCTION gl_mds(
    features float8[],
    dims int DEFAULT 2,
    method text DEFAULT 'place',
    loss text DEFAULT 'stress',
    power float8 DEFAULT NULL,
    space text DEFAULT 'flat',
    radius float8 DEFAULT 1,
    sweep text DEFAULT 'sequential',
    landmarks int DEFAULT NULL,
    passes int DEFAULT 2,
    policy text DEFAULT 'random',
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-6,
    seed bigint DEFAULT 0,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_mds_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_mds(float8[], int, text, text, float8, text, float8, text, int, int, text, int, float8, bigint, text, text) IS
'the place of a row on a map of its partition';

CREATE FUNCTION gl_mds(
    features real[],
    dims int DEFAULT 2,
    method text DEFAULT 'place',
    loss text DEFAULT 'stress',
    power float8 DEFAULT NULL,
    space text DEFAULT 'flat',
    radius float8 DEFAULT 1,
    sweep text DEFAULT 'sequential',
    landmarks int DEFAULT NULL,
    passes int DEFAULT 2,
    policy text DEFAULT 'random',
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-6,
    seed bigint DEFAULT 0,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_mds_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_mds(real[], int, text, text, float8, text, float8, text, int, int, text, int, float8, bigint, text, text) IS
'the place of a row on a map of its partition';

CREATE FUNCTION gl_mds(
    features numeric[],
    dims int DEFAULT 2,
    method text DEFAULT 'place',
    loss text DEFAULT 'stress',
    power float8 DEFAULT NULL,
    space text DEFAULT 'flat',
    radius float8 DEFAULT 1,
    sweep text DEFAULT 'sequential',
    landmarks int DEFAULT NULL,
    passes int DEFAULT 2,
    policy text DEFAULT 'random',
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-6,
    seed bigint DEFAULT 0,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_mds_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_mds(numeric[], int, text, text, float8, text, float8, text, int, int, text, int, float8, bigint, text, text) IS
'the place of a row on a map of its partition';

CREATE FUNCTION gl_mds(
    features smallint[],
    dims int DEFAULT 2,
    method text DEFAULT 'place',
    loss text DEFAULT 'stress',
    power float8 DEFAULT NULL,
    space text DEFAULT 'flat',
    radius float8 DEFAULT 1,
    sweep text DEFAULT 'sequential',
    landmarks int DEFAULT NULL,
    passes int DEFAULT 2,
    policy text DEFAULT 'random',
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-6,
    seed bigint DEFAULT 0,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_mds_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_mds(smallint[], int, text, text, float8, text, float8, text, int, int, text, int, float8, bigint, text, text) IS
'the place of a row on a map of its partition';

CREATE FUNCTION gl_mds(
    features int[],
    dims int DEFAULT 2,
    method text DEFAULT 'place',
    loss text DEFAULT 'stress',
    power float8 DEFAULT NULL,
    space text DEFAULT 'flat',
    radius float8 DEFAULT 1,
    sweep text DEFAULT 'sequential',
    landmarks int DEFAULT NULL,
    passes int DEFAULT 2,
    policy text DEFAULT 'random',
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-6,
    seed bigint DEFAULT 0,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_mds_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_mds(int[], int, text, text, float8, text, float8, text, int, int, text, int, float8, bigint, text, text) IS
'the place of a row on a map of its partition';

CREATE FUNCTION gl_mds(
    features bigint[],
    dims int DEFAULT 2,
    method text DEFAULT 'place',
    loss text DEFAULT 'stress',
    power float8 DEFAULT NULL,
    space text DEFAULT 'flat',
    radius float8 DEFAULT 1,
    sweep text DEFAULT 'sequential',
    landmarks int DEFAULT NULL,
    passes int DEFAULT 2,
    policy text DEFAULT 'random',
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-6,
    seed bigint DEFAULT 0,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL
) RETURNS float8[]
AS 'MODULE_PATHNAME', 'graphlearn_mds_window'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION gl_mds(bigint[], int, text, text, float8, text, float8, text, int, int, text, int, float8, bigint, text, text) IS
'the place of a row on a map of its partition';
