#!/usr/bin/env bash
# If this fails, an answer depends on the plan: on workers, the order of rows,
# memory settings or the JIT.
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"

sql "CREATE TABLE t AS
     SELECT i::bigint AS id,
            ARRAY(SELECT round((hashint8(i * 8 + j) / 2147483648.0)::numeric, 3 - i % 3) FROM generate_series(1, 6) AS j)::float8[] AS features,
            CASE WHEN i % 50 = 0 THEN 'class ' || i / 50 % 4 END AS label, i % 11 AS truth
     FROM generate_series(1, 4000) AS i;
     CREATE TABLE shuffled AS SELECT * FROM t ORDER BY hashint8(id);
     CREATE TABLE backwards AS SELECT * FROM t ORDER BY id DESC;
     CREATE TABLE link AS SELECT id AS source, (id * 37) % 4000 AS target, 1.0 / (1 + id % 7) AS weight FROM t;
     CREATE TABLE link_shuffled AS SELECT * FROM link ORDER BY hashint8(source);
     ANALYZE"

# Each statement has TABLE and LINK for the tables; floats to the last bit.
names=(points real-points knn radius tree blocks forest edges arcs labels windows lgc measures pictures lateral-and-materialised)
statement_points="SELECT md5(gl_points(id, features)::text) FROM TABLE"
statement_real_points="SELECT md5(gl_points(id, features::real[])::text) FROM TABLE"
statement_knn="SELECT md5(gl_knn_graph(gl_points(id, features))::text) FROM TABLE"
statement_radius="SELECT md5(gl_radius_graph(gl_points(id, features), 0.4)::text) FROM TABLE"
statement_tree="SELECT md5(gl_tree_graph(gl_points(id, features))::text) FROM TABLE"
statement_blocks="SELECT md5(gl_block_graph(gl_points(id, features), 'anchor', learn_bandwidth => true)::text) FROM TABLE"
statement_forest="SELECT md5(string_agg(concat_ws(' ', l.id, l.label, l.confidence, l.scores), '|' ORDER BY l.id))
    FROM (SELECT gl_points(id, features) AS p, array_agg(id) FILTER (WHERE label IS NOT NULL) AS ids,
                 array_agg(label) FILTER (WHERE label IS NOT NULL) AS labels FROM TABLE) AS s,
         gl_propagate(gl_block_graph(s.p, trees => 4, seed => 1), s.ids, s.labels) AS l"
statement_edges="SELECT md5(gl_edge_graph(source, target, weight)::text) FROM LINK"
statement_arcs="SELECT md5(gl_arc_graph(source, target, weight)::text) FROM LINK"
statement_labels="SELECT md5(string_agg(concat_ws(' ', l.id, l.label, l.confidence, l.scores), '|' ORDER BY l.id))
    FROM (SELECT gl_points(id, features) AS p, array_agg(id) FILTER (WHERE label IS NOT NULL) AS ids,
                 array_agg(label) FILTER (WHERE label IS NOT NULL) AS labels FROM TABLE) AS s,
         gl_propagate(gl_knn_graph(s.p), s.ids, s.labels) AS l"
statement_windows="SELECT md5(string_agg(concat_ws(' ', id, l, s), '|' ORDER BY id))
    FROM (SELECT id, gl_propagate(features, label) OVER () AS l, gl_propagate_scores(features, label) OVER (PARTITION BY id % 3) AS s FROM TABLE) AS w"
statement_lgc=${statement_labels/s.labels)/"s.labels, method => 'lgc')"}
statement_measures="SELECT concat_ws(' ', gl_accuracy(truth, id % 11), gl_f1(truth, id % 10), gl_nmi(truth, id % 13), gl_ari(truth, id % 3),
    gl_cluster_accuracy(truth, id % 5), gl_auc(truth < 4, features[1]), gl_average_precision(truth < 4, features[2])) FROM TABLE"
statement_pictures="SELECT md5(gl_scatter_svg(features[1], features[2], truth)) || md5(gl_scatter_text(features[3], features[4], label)) FROM TABLE"
statement_lateral_and_materialised="WITH s AS MATERIALIZED (SELECT gl_points(id, features) AS p, array_agg(id) FILTER (WHERE label IS NOT NULL) AS ids,
                 array_agg(label) FILTER (WHERE label IS NOT NULL) AS labels FROM TABLE),
         g AS MATERIALIZED (SELECT gl_knn_graph(p) AS g, ids, labels FROM s)
    SELECT md5(string_agg(concat_ws(' ', l.id, l.label, l.confidence, l.scores), '|' ORDER BY l.id))
    FROM g, gl_propagate(g.g, g.ids, g.labels) AS l"

forced='SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; '
settings=(
    "one worker|$forced SET max_parallel_workers_per_gather = 1|t|link"
    "two workers|$forced SET max_parallel_workers_per_gather = 2|t|link"
    "two workers, shuffled rows|$forced SET max_parallel_workers_per_gather = 2|shuffled|link_shuffled"
    "shuffled rows|SET max_parallel_workers_per_gather = 0|shuffled|link_shuffled"
    "rows backwards|SET max_parallel_workers_per_gather = 0|backwards|link_shuffled"
    "work_mem = 64kB|SET work_mem = '64kB'|shuffled|link"
    "JIT on|SET jit = on; SET jit_above_cost = 0; SET jit_inline_above_cost = 0; SET jit_optimize_above_cost = 0|t|link"
    "less max_memory|SET graphlearn.max_memory = '256MB'|t|link"
    "other formats|SET extra_float_digits = 1; SET intervalstyle = iso_8601; SET bytea_output = escape|t|link"
)

answer() {              # answer STATEMENT TABLE LINK SETTINGS
    local text=${1//TABLE/$2}
    sql "$4; ${text//LINK/$3}"
}

gather=$(sql "$forced SET max_parallel_workers_per_gather = 2; EXPLAIN ${statement_knn//TABLE/t}" | grep -c Gather)
between "$gather" 1 9 'the forced plans do run workers'
gather=$(sql "$forced SET max_parallel_workers_per_gather = 2; EXPLAIN ${statement_knn//TABLE/t}" | grep -c 'Partial Aggregate')
is "$gather" 0 'collecting aggregates are not split'

for name in "${names[@]}"; do
    variable=statement_${name//-/_}
    statement=${!variable}
    wanted=$(answer "$statement" t link 'SET max_parallel_workers_per_gather = 0; SET jit = off')
    if [ -z "$wanted" ]; then
        ok 1 "$name: answers"
        continue
    fi
    if [ "$name" = lateral-and-materialised ]; then
        is "$wanted" "$(answer "$statement_labels" t link 'SET jit = off')" 'flattened or not: same labels'
    fi
    for setting in "${settings[@]}"; do
        IFS='|' read -r title commands table link <<<"$setting"
        is "$(answer "$statement" "$table" "$link" "$commands")" "$wanted" "$name: $title"
    done
done

# Predictions made by the workers themselves, one model and one a group.
sql "CREATE TABLE model AS SELECT gl_label_model(gl_knn_graph(p), ids, labels) AS m, gl_label_model(gl_block_graph(p), ids, labels) AS b
     FROM (SELECT gl_points(id, features) AS p, array_agg(id) FILTER (WHERE label IS NOT NULL) AS ids,
                  array_agg(label) FILTER (WHERE label IS NOT NULL) AS labels FROM t WHERE id % 2 = 0) AS s;
     CREATE TABLE group_model AS SELECT id % 20 AS grp, gl_label_model(gl_knn_graph(gl_points(id, features), k => 5), array_agg(id), array_agg(truth)) AS m FROM t GROUP BY 1; ANALYZE"
for statement in "SELECT md5(string_agg(concat_ws(' ', t.id, gl_predict(m, features), gl_predict_scores(m, features), gl_predict_scores(b, features)), '|' ORDER BY t.id)) FROM TABLE AS t, model" \
    "SELECT md5(string_agg(concat_ws(' ', id, gl_predict_scores(m, features)), '|' ORDER BY id)) FROM TABLE AS t JOIN group_model ON grp = id % 20"; do
    wanted=$(answer "$statement" t link 'SET max_parallel_workers_per_gather = 0; SET jit = off')
    is "${#wanted}" 32 'rows are predicted'
    for setting in "${settings[@]}"; do
        IFS='|' read -r title commands table link <<<"$setting"
        is "$(answer "$statement" "$table" "$link" "$commands")" "$wanted" "predictions: $title"
    done
done
gather=$(sql "$forced SET max_parallel_workers_per_gather = 2; EXPLAIN SELECT id, gl_predict((SELECT m FROM model), features) FROM t" | grep -c Gather)
between "$gather" 1 9 'predictions are left to workers'

# Learners called by the workers themselves.
sql "CREATE TABLE stored AS SELECT id % 20 AS grp, gl_knn_graph(gl_points(id, features), k => 5) AS g FROM t WHERE id >= 20 GROUP BY 1; ANALYZE stored"
per_row="SELECT md5(string_agg(concat_ws(' ', grp, l.id, l.label, l.confidence), '|' ORDER BY grp, l.id))
    FROM stored, gl_propagate(g, ARRAY[grp + 20, grp + 40]::bigint[], ARRAY[1, 2]) AS l"
is "$(sql "$forced SET max_parallel_workers_per_gather = 2; $per_row")" "$(sql "SET max_parallel_workers_per_gather = 0; $per_row")" \
    'learners inside workers give the same labels'
finish
