#!/usr/bin/env bash
# If this fails, a backend that calls us often grows without end.
#
# Two ways to leak: memory that outlives the statement (the memory contexts of
# the backend after 200 and after 1,000 statements), and memory that piles up
# inside one statement (the high-water mark of a backend that made 100 calls in
# one statement, and of one that made 1,000).
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"

# LLVM takes 75 MB when it is first used, at whatever call that is.
export PGOPTIONS='-c jit=off -c client_min_messages=error'

sql <<'SQL' || exit 1
CREATE TABLE t AS
	SELECT i::bigint AS id, ARRAY[cos(i), sin(i), i % 5]::float8[] AS features, i % 3 AS truth, i % 4 AS found, i % 2 = 0 AS hit
	FROM generate_series(1, 200) AS i;
CREATE TABLE v AS SELECT gl_points(id, features) AS p FROM t;
ALTER TABLE v ADD g gl_graph, ADD d gl_graph, ADD b gl_graph, ADD m gl_model;
UPDATE v SET g = gl_knn_graph(p), d = gl_knn_graph(p, weights => 'distance'), b = gl_block_graph(p, trees => 2);
UPDATE v SET m = gl_label_model(g, ARRAY[1, 150]::bigint[], ARRAY['a', 'b']);
SQL

# name | an expression over the call's number i
table=$(cat <<'TABLE'
gl_points         | (SELECT gl_points(id + i, features) FROM t)
gl_points real    | (SELECT gl_points(id + i, features::real[]) FROM t)
gl_edge_graph     | (SELECT gl_edge_graph(id, id % 9 + i, 1.0) FROM t)
gl_arc_graph      | (SELECT gl_arc_graph(id, id % 9 + i, 1.0) FROM t)
gl_distance_graph | (SELECT gl_distance_graph(id, id + 1000 + i, 1.0) FROM t)
gl_affinity       | (SELECT gl_affinity(d, 1.0 + i) FROM v)
gl_knn_graph      | (SELECT gl_knn_graph(p, seed => i) FROM v)
gl_radius_graph   | (SELECT gl_radius_graph(p, 0.5 + i * 0.0001) FROM v)
gl_tree_graph     | (SELECT gl_tree_graph(p) FROM v WHERE i > 0)
gl_full_graph     | (SELECT gl_full_graph(p) FROM v WHERE i > 0)
gl_graph          | (SELECT gl_graph(p) FROM v WHERE i > 0)
gl_block_graph    | (SELECT gl_block_graph(p, seed => i) FROM v)
gl_block_graph T  | (SELECT gl_block_graph(p, trees => 3, learn_bandwidth => true, seed => i) FROM v)
gl_block_graph an | (SELECT gl_block_graph(p, 'anchor', bandwidth => 0.1 + i * 0.0001) FROM v)
gl_block_graph fi | (SELECT gl_block_graph(p, blocks_per_row => 4, seed => i) FROM v)
gl_refine         | (SELECT gl_refine(b, 3 + i * 0.0001) FROM v)
gl_refine toleran | (SELECT gl_refine(b, 6, 0.5 + i * 0.0001) FROM v)
gl_blocks         | (SELECT count(*) FROM v, gl_blocks(b) WHERE i > 0)
gl_density        | (SELECT count(*) FROM v, gl_density(b) WHERE i > 0)
gl_info           | (SELECT gl_info(g) FROM v WHERE i > 0)
gl_edges          | (SELECT count(*) FROM v, gl_edges(g) WHERE i > 0)
gl_degrees        | (SELECT count(*) FROM v, gl_degrees(g) WHERE i > 0)
gl_components     | (SELECT count(*) FROM v, gl_components(g) WHERE i > 0)
gl_row            | (SELECT count(*) FROM v, gl_row(g, 1 + i % 200))
gl_row features   | (SELECT count(*) FROM v, gl_row(g, ARRAY[0.1, 0.2, i]::float8[]))
gl_row new blocks | (SELECT count(*) FROM v, gl_row(b, ARRAY[0.1, 0.2, i]::float8[]))
gl_multiply       | (SELECT count(*) FROM v, gl_multiply(g, ARRAY[1 + i % 200]::bigint[], ARRAY[1]::float8[]))
gl_propagate      | (SELECT count(*) FROM v, gl_propagate(g, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b']))
gl_propagate lgc  | (SELECT count(*) FROM v, gl_propagate(g, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b'], method => 'lgc'))
gl_propagate over | (SELECT count(l) FROM (SELECT gl_propagate(features, CASE WHEN id % 9 = i % 9 THEN truth::text END) OVER (PARTITION BY found) AS l FROM t) AS w)
gl_propagate_scores | (SELECT count(l) FROM (SELECT gl_propagate_scores(features, CASE WHEN id % 9 = i % 9 THEN truth END) OVER () AS l FROM t) AS w)
gl_cluster        | (SELECT count(*) FROM v, gl_cluster(g, 3, seed => i))
gl_cluster pic    | (SELECT count(*) FROM v, gl_cluster(g, 3, 'pic', stop => 'cut', seed => i))
gl_cluster kwalks | (SELECT count(*) FROM v, gl_cluster(g, 3, 'kwalks', seed => i))
gl_kmeans         | (SELECT count(*) FROM v, gl_kmeans(p, 3, seed => i, init_ids => ARRAY[1, 2]::bigint[], init_clusters => ARRAY[2, 3]))
gl_propagate mrw  | (SELECT count(*) FROM v, gl_propagate(g, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b'], method => 'mrw', teleport => 0.01))
gl_propagate wvrn | (SELECT count(*) FROM v, gl_propagate(g, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b'], method => 'wvrn', iterations => 10))
gl_propagate ads  | (SELECT count(*) FROM v, gl_propagate(g, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b'], method => 'adsorption', injection => ARRAY[i]))
gl_propagate walk | (SELECT count(*) FROM v, gl_propagate(g, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b'], method => 'walk'))
gl_rank           | (SELECT count(*) FROM v, gl_rank(g, ARRAY[1 + i % 200]::bigint[]))
gl_label_candidates | (SELECT count(*) FROM v, gl_label_candidates(g, 3, 'farthest', ARRAY[1 + i % 200]::bigint[]))
blocks learn      | (SELECT count(*) FROM v, gl_propagate(b, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b']))
gl_mds            | (SELECT count(*) FROM v, gl_mds(p, iterations => 2 + i % 3))
gl_mds stream     | (SELECT count(*) FROM v, gl_mds(p, method => 'stream', landmarks => 20, seed => i))
gl_mds distances  | (SELECT count(*) FROM v, gl_mds(d, iterations => 2 + i % 3))
gl_mds_model      | (SELECT gl_mds_model(p, iterations => 2 + i % 3) FROM v)
gl_mds_model d    | (SELECT gl_mds_model(d, iterations => 2 + i % 3) FROM v)
gl_project        | (SELECT gl_project(m, ARRAY[0.1, 0.2, i]::float8[]) FROM (SELECT gl_mds_model(p, method => 'landmark', landmarks => 10) AS m FROM v) AS s)
gl_mds over       | (SELECT count(c) FROM (SELECT gl_mds(features, iterations => 2 + i % 3) OVER (PARTITION BY found) AS c FROM t) AS w)
gl_sphere_project | (SELECT count(gl_sphere_project(features, 2 + i % 2)) FROM t)
gl_stress         | (SELECT normalised FROM v, gl_stress(p, ARRAY[1, 2]::bigint[], ARRAY[0, 0, 1, i]::float8[]))
gl_procrustes     | (SELECT gl_procrustes(features, ARRAY[features[2], features[3], features[1] + i]) FROM t)
gl_label_model    | (SELECT gl_label_model(g, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b']) FROM v)
gl_label_model b  | (SELECT gl_label_model(b, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b']) FROM v)
gl_rows           | (SELECT count(*) FROM v, gl_rows(m) WHERE i > 0)
gl_predict        | (SELECT gl_predict(m, ARRAY[0.1, 0.2, i]::float8[]) FROM v)
gl_predict in flight | (SELECT gl_predict(gl_label_model(g, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b']), ARRAY[0.1, 0.2, i]::float8[]) FROM v)
gl_predict flat   | (SELECT gl_predict((SELECT gl_label_model(b, ARRAY[1 + i % 100, 150]::bigint[], ARRAY['a', 'b']) FROM v), ARRAY[0.1, 0.2, i]::float8[]))
gl_predict_scores | (SELECT gl_predict_scores(m, ARRAY[0.1, 0.2, i]::float8[]) FROM v)
model as text     | (SELECT (m::text::gl_model)::text FROM v WHERE i > 0)
measures          | (SELECT gl_accuracy(truth, found + i) + gl_f1(truth, found + i) + gl_purity(truth, found + i) + gl_nmi(truth, found + i) + gl_rand(truth, found + i) + gl_ari(truth, found + i) + gl_cluster_accuracy(truth, found + i) + gl_cluster_f1(truth, found + i) FROM t)
pictures          | (SELECT length(gl_scatter_svg(features[1], features[2] * i, found, 'a title') || gl_scatter_text(features[1], features[2] * i, found)) FROM t)
rankings          | (SELECT gl_auc(hit, features[1] + i) + gl_average_precision(hit, features[2] + i) FROM t)
blocks as text    | (SELECT (b::text::gl_graph)::text FROM v WHERE i > 0)
partitions        | (SELECT gl_modularity(g, a.ids, a.clusters) FROM v, (SELECT array_agg(id) AS ids, array_agg(found::int) AS clusters FROM t) AS a WHERE i > 0)
text and back     | (SELECT (g::text::gl_graph)::text FROM v WHERE i > 0)
an error          | (SELECT raised(i))
TABLE
)
# An error drops its arena too.
sql "CREATE FUNCTION raised(i int) RETURNS boolean LANGUAGE plpgsql AS \$\$
     BEGIN PERFORM gl_knn_graph(p, k => 100000 + i) FROM v; RETURN false;
     EXCEPTION WHEN others THEN RETURN true; END \$\$"

while IFS='|' read -r name expression; do
    name=$(echo $name)
    answer=$(psql -qXAt 2>&1 <<SQL
CREATE FUNCTION pg_temp.calls(times int) RETURNS bigint LANGUAGE plpgsql AS \$\$
DECLARE held bigint; BEGIN
	FOR i IN 1..times LOOP
		EXECUTE \$e\$SELECT count(x) FROM (SELECT $expression AS x FROM (SELECT \$1 AS i OFFSET 0) AS n OFFSET 0) AS s\$e\$ USING i;
	END LOOP;
	SELECT sum(total_bytes) INTO held FROM pg_backend_memory_contexts;
	RETURN held;
END \$\$;
SELECT 'contexts', pg_temp.calls(2) * 0, pg_temp.calls(200), pg_temp.calls(800);
SQL
    )
    IFS='|' read -r _ _ first last <<<"$(grep '^contexts' <<<"$answer")"
    if [ -z "${last:-}" ]; then
        ok 1 "$name: 1,000 statements run"
        printf '%s\n' "$answer" | head -n 3 | sed 's/^/#   /'
        continue
    fi
    between $(((last - first) / 1024)) -1000000 128 "$name: contexts after 200 and 1,000 statements: $((first / 1024)) and $((last / 1024)) kB"

    marks=
    for times in 100 1000; do
        marks="$marks $(psql -qXAt 2>&1 <<SQL
SELECT count(x) FROM (SELECT $expression AS x FROM generate_series(1, $times) AS i OFFSET 0) AS s \g /dev/null
SELECT substring(pg_read_file('/proc/self/status') from 'VmHWM:\\s+(\\d+)');
SQL
        )"
    done
    # shellcheck disable=SC2086
    set -- $marks
    between $((${2:-999999999} - ${1:-0})) -1000000 4096 "$name: high-water mark of 100 and 1,000 calls in one statement: ${1:-?} and ${2:-?} kB"
done <<<"$table"

# Partitions of a window come and go: ten times as many need no more.
sql "CREATE TABLE part AS SELECT i / 20 AS part, ARRAY[cos(i), sin(i), i % 5]::float8[] AS features, CASE WHEN i % 4 = 0 THEN 'class ' || i % 3 END AS label
     FROM generate_series(0, 199999) AS i"
marks=
for parts in 1000 10000; do
    marks="$marks $(psql -qXAt 2>&1 <<SQL
SET work_mem = '1MB';
SELECT count(l), count(s) FROM (SELECT gl_propagate(features, label) OVER w AS l, gl_propagate_scores(features, label) OVER w AS s
    FROM part WHERE part < $parts WINDOW w AS (PARTITION BY part) OFFSET 0) AS x \\g /dev/null
SELECT substring(pg_read_file('/proc/self/status') from 'VmHWM:\\s+(\\d+)');
SQL
    )"
done
# shellcheck disable=SC2086
set -- $marks
between $((${2:-999999999} - ${1:-0})) -1000000 4096 "high-water mark of 1,000 and 10,000 window partitions: ${1:-?} and ${2:-?} kB"
finish
