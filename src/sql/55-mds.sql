-- 55-mds.sql: rows on a plane or a sphere, from the distances between them.

CREATE FUNCTION gl_mds(
    points gl_points,
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
    init_ids bigint[] DEFAULT NULL,
    init_coords float8[] DEFAULT NULL,
    anchor_ids bigint[] DEFAULT NULL,
    anchor_coords float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-6,
    seed bigint DEFAULT 0,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL,
    OUT id bigint,
    OUT coords float8[]
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_mds_points'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 10000;

COMMENT ON FUNCTION gl_mds(gl_points, int, text, text, float8, text, float8, text, int, int, text, bigint[], float8[], bigint[], float8[], int, float8, bigint, text, text) IS
'coordinates for every row whose distances are like those between the rows';

CREATE FUNCTION gl_mds(
    g gl_graph,
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
    init_ids bigint[] DEFAULT NULL,
    init_coords float8[] DEFAULT NULL,
    anchor_ids bigint[] DEFAULT NULL,
    anchor_coords float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-6,
    seed bigint DEFAULT 0,
    paths boolean DEFAULT false,
    symmetrize boolean DEFAULT false,
    OUT id bigint,
    OUT coords float8[]
) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'graphlearn_mds_graph'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000 ROWS 10000;

COMMENT ON FUNCTION gl_mds(gl_graph, int, text, text, float8, text, float8, text, int, int, text, bigint[], float8[], bigint[], float8[], int, float8, bigint, boolean, boolean) IS
'coordinates for every node of a graph of distances';

-- Maps that are kept.

CREATE FUNCTION gl_mds_model(
    points gl_points,
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
    init_ids bigint[] DEFAULT NULL,
    init_coords float8[] DEFAULT NULL,
    anchor_ids bigint[] DEFAULT NULL,
    anchor_coords float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-6,
    seed bigint DEFAULT 0,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL
) RETURNS gl_model
AS 'MODULE_PATHNAME', 'graphlearn_mds_model_points'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_mds_model(gl_points, int, text, text, float8, text, float8, text, int, int, text, bigint[], float8[], bigint[], float8[], int, float8, bigint, text, text) IS
'a map that is kept, to look at, and to place rows that come later';

CREATE FUNCTION gl_mds_model(
    g gl_graph,
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
    init_ids bigint[] DEFAULT NULL,
    init_coords float8[] DEFAULT NULL,
    anchor_ids bigint[] DEFAULT NULL,
    anchor_coords float8[] DEFAULT NULL,
    iterations int DEFAULT NULL,
    tolerance float8 DEFAULT 1e-6,
    seed bigint DEFAULT 0,
    paths boolean DEFAULT false,
    symmetrize boolean DEFAULT false
) RETURNS gl_model
AS 'MODULE_PATHNAME', 'graphlearn_mds_model_graph'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_mds_model(gl_graph, int, text, text, float8, text, float8, text, int, int, text, bigint[], float8[], bigint[], float8[], int, float8, bigint, boolean, boolean) IS
'a map of a graph of distances that is kept';

-- Anyone can check a layout.

CREATE FUNCTION gl_stress(
    points gl_points,
    ids bigint[],
    coords float8[],
    space text DEFAULT 'flat',
    radius float8 DEFAULT 1,
    metric text DEFAULT 'euclidean',
    scale text DEFAULT NULL,
    OUT stress float8,
    OUT normalised float8
) RETURNS record
AS 'MODULE_PATHNAME', 'graphlearn_stress_points'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_stress(gl_points, bigint[], float8[], text, float8, text, text) IS
'how far the distances between coordinates are from those between the rows';

CREATE FUNCTION gl_stress(
    g gl_graph,
    ids bigint[],
    coords float8[],
    space text DEFAULT 'flat',
    radius float8 DEFAULT 1,
    paths boolean DEFAULT false,
    symmetrize boolean DEFAULT false,
    OUT stress float8,
    OUT normalised float8
) RETURNS record
AS 'MODULE_PATHNAME', 'graphlearn_stress_graph'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION gl_stress(gl_graph, bigint[], float8[], text, float8, boolean, boolean) IS
'how far the distances between coordinates are from those of the graph';

CREATE FUNCTION gl_procrustes_transfn(internal, float8[], float8[]) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_procrustes_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5;

COMMENT ON FUNCTION gl_procrustes_transfn(internal, float8[], float8[]) IS 'transition function of gl_procrustes';

CREATE FUNCTION gl_procrustes_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_procrustes_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_procrustes_finalfn(internal) IS 'final function of gl_procrustes';

CREATE AGGREGATE gl_procrustes(coords float8[], other_coords float8[]) (
    SFUNC = gl_procrustes_transfn,
    STYPE = internal,
    SSPACE = 4096,
    FINALFUNC = gl_procrustes_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_procrustes(float8[], float8[]) IS
'what is left between two layouts after the best shift, rotation, reflection and scaling: 0 for the same picture, at most 1';
