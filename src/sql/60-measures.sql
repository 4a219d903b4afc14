-- 60-measures.sql: how good labels, clusters, scores and partitions are.

-- Measures of two labelings.  One transition function, so the server keeps
-- one state for all measures of the same columns in a query.

CREATE FUNCTION gl_measure_transfn(internal, "any", "any") RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_measure_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5;

COMMENT ON FUNCTION gl_measure_transfn(internal, "any", "any") IS 'transition function of the measures of two labelings';

CREATE FUNCTION gl_accuracy_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_accuracy_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_accuracy_finalfn(internal) IS 'final function of gl_accuracy';

CREATE AGGREGATE gl_accuracy(truth "any", predicted "any") (
    SFUNC = gl_measure_transfn,
    STYPE = internal,
    SSPACE = 1024,
    FINALFUNC = gl_accuracy_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_accuracy("any", "any") IS 'share of rows whose predicted label is the true one';

CREATE FUNCTION gl_f1_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_f1_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_f1_finalfn(internal) IS 'final function of gl_f1';

CREATE AGGREGATE gl_f1(truth "any", predicted "any") (
    SFUNC = gl_measure_transfn,
    STYPE = internal,
    SSPACE = 1024,
    FINALFUNC = gl_f1_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_f1("any", "any") IS 'macro F1: mean over the true labels of the harmonic mean of precision and recall';

CREATE FUNCTION gl_purity_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_purity_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_purity_finalfn(internal) IS 'final function of gl_purity';

CREATE AGGREGATE gl_purity(truth "any", cluster "any") (
    SFUNC = gl_measure_transfn,
    STYPE = internal,
    SSPACE = 1024,
    FINALFUNC = gl_purity_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_purity("any", "any") IS 'share of rows that have the most frequent true label of their cluster';

CREATE FUNCTION gl_nmi_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_nmi_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_nmi_finalfn(internal) IS 'final function of gl_nmi';

CREATE AGGREGATE gl_nmi(truth "any", cluster "any") (
    SFUNC = gl_measure_transfn,
    STYPE = internal,
    SSPACE = 1024,
    FINALFUNC = gl_nmi_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_nmi("any", "any") IS 'normalised mutual information of two labelings, by the mean of their entropies';

CREATE FUNCTION gl_rand_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_rand_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_rand_finalfn(internal) IS 'final function of gl_rand';

CREATE AGGREGATE gl_rand(truth "any", cluster "any") (
    SFUNC = gl_measure_transfn,
    STYPE = internal,
    SSPACE = 1024,
    FINALFUNC = gl_rand_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_rand("any", "any") IS 'Rand index: share of the pairs of rows on which two labelings agree';

CREATE FUNCTION gl_ari_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_ari_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_ari_finalfn(internal) IS 'final function of gl_ari';

CREATE AGGREGATE gl_ari(truth "any", cluster "any") (
    SFUNC = gl_measure_transfn,
    STYPE = internal,
    SSPACE = 1024,
    FINALFUNC = gl_ari_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_ari("any", "any") IS 'adjusted Rand index: the Rand index corrected for chance';

CREATE FUNCTION gl_cluster_accuracy_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_cluster_accuracy_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_cluster_accuracy_finalfn(internal) IS 'final function of gl_cluster_accuracy';

CREATE AGGREGATE gl_cluster_accuracy(truth "any", cluster "any") (
    SFUNC = gl_measure_transfn,
    STYPE = internal,
    SSPACE = 1024,
    FINALFUNC = gl_cluster_accuracy_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_cluster_accuracy("any", "any") IS 'accuracy after the best one-to-one matching of clusters to true labels';

CREATE FUNCTION gl_cluster_f1_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_cluster_f1_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_cluster_f1_finalfn(internal) IS 'final function of gl_cluster_f1';

CREATE AGGREGATE gl_cluster_f1(truth "any", cluster "any") (
    SFUNC = gl_measure_transfn,
    STYPE = internal,
    SSPACE = 1024,
    FINALFUNC = gl_cluster_f1_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_cluster_f1("any", "any") IS 'macro F1 after the best one-to-one matching of clusters to true labels';

-- Measures of a score.  Their state is the scores.

CREATE FUNCTION gl_ranking_transfn(internal, boolean, float8) RETURNS internal
AS 'MODULE_PATHNAME', 'graphlearn_ranking_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1;

COMMENT ON FUNCTION gl_ranking_transfn(internal, boolean, float8) IS 'transition function of the measures of a score';

CREATE FUNCTION gl_auc_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_auc_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_auc_finalfn(internal) IS 'final function of gl_auc';

CREATE AGGREGATE gl_auc(truth boolean, score float8) (
    SFUNC = gl_ranking_transfn,
    STYPE = internal,
    SSPACE = 1024,
    FINALFUNC = gl_auc_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_auc(boolean, float8) IS 'area under the ROC curve: chance that a true row scores above a false one';

CREATE FUNCTION gl_average_precision_finalfn(internal) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_average_precision_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_average_precision_finalfn(internal) IS 'final function of gl_average_precision';

CREATE AGGREGATE gl_average_precision(truth boolean, score float8) (
    SFUNC = gl_ranking_transfn,
    STYPE = internal,
    SSPACE = 1024,
    FINALFUNC = gl_average_precision_finalfn,
    FINALFUNC_MODIFY = READ_ONLY,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE gl_average_precision(boolean, float8) IS 'average precision of a score: precision averaged over the true rows';

-- Measures of clusters on a graph.

CREATE FUNCTION gl_modularity(
    g gl_graph,
    ids bigint[],
    clusters int[]
) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_modularity'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_modularity(gl_graph, bigint[], int[]) IS 'modularity of clusters on a graph: weight inside them beyond what degrees alone would give';

CREATE FUNCTION gl_conductance(
    g gl_graph,
    ids bigint[],
    clusters int[]
) RETURNS float8
AS 'MODULE_PATHNAME', 'graphlearn_conductance'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION gl_conductance(gl_graph, bigint[], int[]) IS 'mean conductance of clusters on a graph: share of their weight that leaves them';
