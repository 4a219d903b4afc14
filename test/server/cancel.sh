#!/usr/bin/env bash
# If this fails, a statement cannot be cancelled: some loop does not poll, or the
# session is not usable after the cancel.
#
# Every SQL function has one statement here that runs long, on stored input so
# that its own work is most of the time.  The statement is timed (two seconds at
# most), then run with a statement_timeout of a quarter of that time: it must
# end with 57014 before half the time is over (and a little), and the session
# must go on to give a correct answer.  A function that is done at once on large input has nothing
# to cancel.  Three attempts, since the machine does other things too.
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"

export PGOPTIONS='-c jit=off -c max_parallel_workers_per_gather=0 -c work_mem=256MB -c graphlearn.max_memory=4GB -c client_min_messages=error'
sql <<'SQL' || exit 1
SELECT setseed(0.5) \g /dev/null
CREATE TABLE wide AS	-- no structure to prune by: every search is long
	SELECT i::bigint AS id, ARRAY(SELECT random() + i * 0 FROM generate_series(1, 24))::real[] AS features
	FROM generate_series(1, 20000) AS i;
CREATE TABLE flat AS
	SELECT i::bigint AS id, ARRAY[random(), random(), random()]::float8[] AS features
	FROM generate_series(1, 100000) AS i;
CREATE TABLE row_of_label AS
	SELECT i::bigint AS id, (hashint8(i) & 1023)::text AS truth, (hashint8(i * 3) & 1023)::text AS found,
		   random() AS score, random() < 0.3 AS hit
	FROM generate_series(1, 400000) AS i;
CREATE TABLE link AS
	SELECT (hashint8(i) & 65535)::bigint AS source, (hashint8(-i) & 65535)::bigint AS target, 1 + random() AS weight
	FROM generate_series(1, 600000) AS i;
CREATE TABLE value AS
	SELECT (SELECT gl_points(id, features) FROM wide) AS wide,
		   (SELECT gl_points(id, features) FROM flat) AS flat,
		   (SELECT gl_points(id, features) FROM wide WHERE id <= 2000) AS few;
ALTER TABLE value ADD near gl_graph, ADD dense gl_graph, ADD lengths gl_graph, ADD arcs gl_graph, ADD blocks gl_graph, ADD forest gl_graph, ADD model gl_model, ADD block_model gl_model;
UPDATE value SET near = gl_knn_graph(flat, k => 10),
				 dense = gl_full_graph(few, weights => 'gaussian', bandwidth => 1.0, keep_points => false),
				 lengths = gl_full_graph(few, weights => 'distance', keep_points => false),
				 blocks = gl_block_graph(flat, bandwidth => 0.1),
				 forest = gl_block_graph(flat, trees => 16, bandwidth => 0.1, keep_points => false),
				 arcs = (SELECT gl_arc_graph(source, target, weight) FROM link);
-- 400 classes of 10 seeds each
CREATE TABLE seed AS SELECT array_agg(id) AS ids, array_agg('class ' || id % 400) AS labels FROM flat WHERE id <= 4000;
CREATE TABLE arc_seed AS SELECT array_agg(i::bigint) AS ids, array_agg(i % 100) AS labels FROM generate_series(0, 999) AS i
	WHERE i IN (SELECT source FROM link);
UPDATE value SET model = gl_label_model(near, ids, labels), block_model = gl_label_model(blocks, ARRAY[1, 2]::bigint[], ARRAY['a', 'b']) FROM seed;
CREATE TABLE members AS SELECT array_agg(id ORDER BY id) AS ids, array_agg((id % 50)::int ORDER BY id) AS clusters,
	array_agg(id::float8 ORDER BY id) AS numbers FROM flat;
SQL

# function | statement
table=$(cat <<'TABLE'
gl_points           | SELECT length(gl_points((id * 7919) % 400009, ARRAY[score, score, score])::text) FROM row_of_label
gl_edge_graph       | SELECT length(gl_edge_graph(source, target, weight)::text) FROM link
gl_arc_graph        | SELECT length(gl_arc_graph(source, target, weight)::text) FROM link
gl_distance_graph   | SELECT length(gl_distance_graph(source, target, source + target + 1.0)::text) FROM (SELECT DISTINCT least(source, target) AS source, greatest(source, target) AS target FROM link WHERE source <> target) AS l
gl_affinity         | SELECT count(gl_affinity(lengths, 1.5)) FROM value
gl_knn_graph        | SELECT count(gl_knn_graph(wide)) FROM value
gl_radius_graph     | SELECT count(gl_radius_graph(wide, 1.2)) FROM value
gl_tree_graph       | SELECT count(gl_tree_graph(wide)) FROM value
gl_full_graph       | SELECT count(gl_full_graph(few)) FROM value
gl_graph            | SELECT count(gl_graph(wide)) FROM value
gl_block_graph      | SELECT count(gl_block_graph(wide, bandwidth => 1)) FROM value
gl_block_graph sigma | SELECT count(gl_block_graph(wide)) FROM value
gl_block_graph anchor | SELECT count(gl_block_graph(wide, 'anchor', bandwidth => 1)) FROM value
gl_block_graph forest | SELECT count(gl_block_graph(wide, trees => 8, bandwidth => 1)) FROM value
gl_block_graph learn | SELECT count(gl_block_graph(flat, 'random', bandwidth => 1, learn_bandwidth => true)) FROM value
gl_block_graph counts | SELECT count(gl_block_graph(wide, metric => 'counts')) FROM value
gl_block_graph fine | SELECT count(gl_block_graph(flat, bandwidth => 0.1, blocks_per_row => 20)) FROM value
gl_refine           | SELECT count(gl_refine(blocks, 8)) FROM value
gl_refine tolerance | SELECT count(gl_refine(blocks, 40, 0.001)) FROM value
gl_blocks           | SELECT count(*) FROM value, gl_blocks(forest)
gl_density          | SELECT count(*) FROM value, gl_density(blocks)
gl_info             | SELECT gl_info(dense) FROM value
gl_edges            | SELECT count(*) FROM value, gl_edges(dense)
gl_degrees          | SELECT count(*) FROM value, gl_degrees(dense)
gl_components       | SELECT count(*) FROM value, gl_components(dense)
gl_row              | SELECT count(*) FROM value, gl_row(dense, 1)
gl_row blocks       | SELECT count(*) FROM value, gl_row(forest, 1)
gl_row features     | SELECT count(*) FROM value, gl_row(near, ARRAY[0.5, 0.5, 0.5])
gl_row new blocks   | SELECT count(*) FROM value, gl_row(blocks, ARRAY[0.5, 0.5, 0.5], 0)
gl_multiply blocks  | SELECT count(*) FROM value, members, gl_multiply(forest, ids, numbers)
gl_propagate blocks | SELECT count(*) FROM value, seed, gl_propagate(blocks, ids, labels)
gl_multiply         | SELECT count(*) FROM value, members, gl_multiply(near, ids, numbers)
gl_propagate        | SELECT count(*) FROM value, seed, gl_propagate(near, ids, labels)
gl_propagate lgc    | SELECT count(*) FROM value, seed, gl_propagate(near, ids, labels, method => 'lgc')
gl_propagate window | SELECT count(l) FROM (SELECT gl_propagate(features, CASE WHEN id % 100 = 0 THEN id % 7 END) OVER () AS l FROM flat OFFSET 0) AS w
gl_propagate sort   | SELECT count(l) FROM (SELECT gl_propagate(ARRAY[0, 0, id % 1000, id % 997], NULL::text) OVER () AS l FROM row_of_label OFFSET 0) AS w
gl_propagate parts  | SELECT count(l) FROM (SELECT gl_propagate(features, CASE WHEN id % 4 = 0 THEN id % 3 END) OVER (PARTITION BY id % 5000) AS l FROM flat OFFSET 0) AS w
gl_propagate_scores | SELECT count(l) FROM (SELECT gl_propagate_scores(features, CASE WHEN id % 100 = 0 THEN id % 7 END) OVER () AS l FROM wide OFFSET 0) AS w
gl_propagate mrw    | SELECT count(*) FROM value, seed, gl_propagate(near, ids, labels, method => 'mrw', teleport => 0.01)
gl_propagate wvrn   | SELECT count(*) FROM value, seed, gl_propagate(near, ids, labels, method => 'wvrn', iterations => 100)
gl_propagate ads    | SELECT count(*) FROM value, seed, gl_propagate(near, ids, labels, method => 'adsorption')
gl_propagate walk   | SELECT count(*) FROM value, seed, gl_propagate(near, ids, labels, method => 'walk', damping => 0.99)
gl_propagate spread | SELECT count(*) FROM value, arc_seed, gl_propagate(arcs, ids, labels, method => 'lgc', normalise => 'spread')
gl_propagate arcs   | SELECT count(*) FROM value, arc_seed, gl_propagate(arcs, ids, labels)
gl_mds              | SELECT count(*) FROM value, gl_mds(wide, tolerance => 0)
gl_mds stream       | SELECT count(*) FROM value, gl_mds(wide, method => 'stream', landmarks => 1000)
gl_mds pivot        | SELECT count(*) FROM value, gl_mds(wide, method => 'pivot', landmarks => 1024)
gl_mds paths        | SELECT count(*) FROM value, gl_mds(lengths, paths => true)
gl_mds_model        | SELECT count(gl_mds_model(wide, tolerance => 0)) FROM value
gl_project          | SELECT count(gl_project(m, features)) FROM (SELECT gl_mds_model(wide, method => 'landmark') AS m FROM value) AS s, wide, generate_series(1, 50)
gl_mds window       | SELECT count(c) FROM (SELECT gl_mds(features, tolerance => 0) OVER () AS c FROM wide OFFSET 0) AS w
gl_sphere_project   | SELECT count(gl_sphere_project(features, 64)) FROM flat, generate_series(1, 100)
gl_stress           | SELECT count(s) FROM value, (SELECT array_agg(id) AS ids, array_agg(features[1:2]) AS coords FROM wide) AS l, gl_stress(value.wide, ids, coords) AS s
gl_procrustes       | SELECT gl_procrustes(ARRAY[id, score], ARRAY[score, id % 1000]) FROM row_of_label
gl_label_model      | SELECT count(gl_label_model(near, ids, labels)) FROM value, seed
gl_label_model blocks | SELECT count(gl_label_model(blocks, ids, labels)) FROM value, seed
gl_rows             | SELECT count(*) FROM value, gl_rows(model)
gl_predict          | SELECT count(gl_predict(model, features)) FROM value, flat
gl_predict blocks   | SELECT count(gl_predict(block_model, features)) FROM value, flat
gl_predict bind     | SELECT count(gl_predict(gl_label_model(near, ARRAY[1, 2]::bigint[], ARRAY['a', 'b']), ARRAY[0.5, id / 100.0, 0.5]::float8[])) FROM value, generate_series(1, 50) AS id
gl_predict_scores   | SELECT count(gl_predict_scores(model, features)) FROM value, flat
gl_cluster          | SELECT count(*) FROM value, gl_cluster(near, 20)
gl_cluster choice   | SELECT count(*) FROM value, gl_cluster(near)
gl_cluster pic      | SELECT count(*) FROM value, gl_cluster(near, 20, 'pic', dims => 8, iterations => 1000)
gl_cluster cut      | SELECT count(*) FROM value, gl_cluster(near, 20, 'pic', stop => 'cut', iterations => 1000)
gl_cluster kwalks   | SELECT count(*) FROM value, gl_cluster(near, 20, 'kwalks')
gl_cluster blocks   | SELECT count(*) FROM value, gl_cluster(blocks, 8, 'ncut')
gl_kmeans           | SELECT count(*) FROM value, gl_kmeans(wide, 40)
gl_kmeans few columns | SELECT count(*) FROM value, gl_kmeans(flat, 20)
gl_scatter_svg      | SELECT gl_scatter_svg(score, id, truth) FROM row_of_label
gl_scatter_text     | SELECT gl_scatter_text(score, id, truth) FROM row_of_label
gl_rank             | SELECT count(*) FROM value, gl_rank(forest, damping => 0.99)
gl_rank arcs        | SELECT count(*) FROM value, gl_rank(arcs, damping => 0.999)
gl_label_candidates | SELECT count(*) FROM value, gl_label_candidates(near, 20, 'farthest')
gl_label_candidates pagerank | SELECT count(*) FROM value, gl_label_candidates(forest, 10)
gl_label_candidates random | SELECT count(*) FROM value, gl_label_candidates(near, 100000, 'random')
gl_accuracy         | SELECT gl_accuracy(truth, found) FROM row_of_label
gl_f1               | SELECT gl_f1(truth, found) FROM row_of_label
gl_purity           | SELECT gl_purity(truth, found) FROM row_of_label
gl_nmi              | SELECT gl_nmi(truth, found) FROM row_of_label
gl_rand             | SELECT gl_rand(truth, found) FROM row_of_label
gl_ari              | SELECT gl_ari(truth, found) FROM row_of_label
gl_cluster_accuracy | SELECT gl_cluster_accuracy(truth, found) FROM row_of_label
gl_cluster_f1       | SELECT gl_cluster_f1(truth, found) FROM row_of_label
gl_auc              | SELECT gl_auc(hit, score) FROM row_of_label
gl_average_precision | SELECT gl_average_precision(hit, score) FROM row_of_label
gl_modularity       | SELECT gl_modularity(near, ids, clusters) FROM value, members
gl_conductance      | SELECT gl_conductance(near, ids, clusters) FROM value, members
TABLE
)

# A function somebody added is not to be forgotten here.
is "$(sql "SELECT string_agg(DISTINCT proname, ' ' ORDER BY proname)
           FROM pg_proc AS p JOIN pg_depend AS d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
           JOIN pg_extension AS e ON e.oid = d.refobjid AND e.extname = 'graphlearn'
           WHERE proname LIKE 'gl\\_%' AND proname !~ '_(in|out|send|recv|transfn|finalfn|support)\$'
             AND proname <> ALL (string_to_array('$(cut -d'|' -f1 <<<"$table" | awk '{ print $1 }' | paste -sd' ')', ' '))")" \
    '' 'every SQL function has a statement here'

check_query="SELECT md5(string_agg(concat_ws(' ', l.id, l.label, l.confidence), '|' ORDER BY l.id))
    FROM (SELECT gl_points(id, features) AS p FROM wide WHERE id <= 50) AS s, gl_propagate(gl_knn_graph(s.p), ARRAY[1, 2]::bigint[], ARRAY['a', 'b']) AS l"
wanted=$(sql "$check_query")
is "${#wanted}" 32 'the query that is asked after each cancel works'

# attempt STATEMENT: sets full, state, taken (ms) and after
attempt() {
    local answer
    # shellcheck disable=SC2016
    answer=$(psql -qXAt 2>&1 <<SQL
SET statement_timeout = 2000;
SELECT clock_timestamp() AS begun \gset
$1 \g /dev/null
\set first :SQLSTATE
SET statement_timeout = 0;
SELECT extract(epoch FROM clock_timestamp() - :'begun') * 1000 AS full, greatest(1, extract(epoch FROM clock_timestamp() - :'begun') * 250)::int AS timeout,
       :'first' IN ('00000', '57014') AS runs \gset
\if :runs
\echo full :full
SET statement_timeout = :timeout;
SELECT clock_timestamp() AS begun \gset
$1 \g /dev/null
\echo state :SQLSTATE
SET statement_timeout = 0;
SELECT extract(epoch FROM clock_timestamp() - :'begun') * 1000 AS taken \gset
\echo taken :taken
SELECT 'after ' || ($check_query);
\endif
SQL
    )
    full=$(sed -n 's/^full \([0-9]*\).*/\1/p' <<<"$answer")
    state=$(sed -n 's/^state //p' <<<"$answer")
    taken=$(sed -n 's/^taken \([0-9]*\).*/\1/p' <<<"$answer")
    after=$(sed -n 's/^after //p' <<<"$answer")
    said=$(grep -E '^(ERROR|FATAL|server)' <<<"$answer" | head -n 3)
}

while IFS='|' read -r name statement; do
    name=$(echo $name)
    for try in 1 2 3; do
        attempt "$statement"
        [ -n "$full" ] && [ -n "$taken" ] || break
        [ "$state" = 57014 ] && [ "$taken" -le $((full / 2 + 50)) ] && break
        [ "$full" -lt 20 ] && break
    done
    if [ -z "$full" ] || [ -z "$taken" ]; then
        ok 1 "$name runs"
        printf '%s\n' "$said" | sed 's/^/#   /'
        continue
    fi
    if [ "$full" -lt 20 ] && [ "$state" = 00000 ]; then
        ok 0 "$name is done at once ($full ms)"
    else
        is "$state" 57014 "$name is cancelled"
        between "$taken" 0 $((full / 2 + 50)) "$name stops after $taken of $full ms"
        [ "$state" = 57014 ] || printf '%s\n' "$said" | sed 's/^/#   /'
    fi
    is "$after" "$wanted" "$name: the session goes on"
done <<<"$table"
finish
