#!/usr/bin/env bash
# If this fails, a server that dies takes stored values with it, or comes back
# unable to work with them.
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"

export PGOPTIONS='-c synchronous_commit=on'
sql -f test/server/values.sql >/dev/null || exit 1
wanted=$(sql 'SELECT * FROM fingerprint ORDER BY 1, 2')
learnt=$(sql 'SELECT * FROM learnt ORDER BY 1')

# A build of many seconds, its result to be stored.
sql "CREATE TABLE big AS
     SELECT i AS id, ARRAY(SELECT hashint8(i * 50 + j) / 2147483648.0 FROM generate_series(1, 50) AS j)::float8[] AS features
     FROM generate_series(1, 60000) AS i;
     CREATE TABLE big_graph (value gl_graph)"
begin_build() {
    PGAPPNAME=build sql 'INSERT INTO big_graph SELECT gl_knn_graph(gl_points(id, features)) FROM big' \
        >/dev/null 2>"$GL_CLUSTER/build.err" &
    build=$!
    for _ in $(seq 200); do
        backend=$(sql "SELECT pid FROM pg_stat_activity WHERE application_name = 'build' AND state = 'active'")
        [ -n "$backend" ] && break
        sleep 0.05
    done
    sleep 1
}
wait_for_server() {
    for _ in $(seq 200); do
        sql 'SELECT 1' >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    return 1
}

begin_build
kill -9 "$backend"
wait $build
ok $((! $?)) 'the build was under way when its backend was killed'
wait_for_server
ok $? 'the server is back after kill -9 of a backend'
is "$(sql 'SELECT * FROM fingerprint ORDER BY 1, 2')" "$wanted" 'kill -9: same bytes'
is "$(sql 'SELECT * FROM learnt ORDER BY 1')" "$learnt" 'kill -9: same labels'
is "$(sql 'SELECT count(*) FROM big_graph')" 0 'kill -9: nothing of the build is left'

begin_build
scripts/cluster stop immediate
wait $build
ok $((! $?)) 'the build was under way when the server was stopped'
scripts/cluster start
ok $? 'the server starts after an immediate stop'
is "$(sql 'SELECT * FROM fingerprint ORDER BY 1, 2')" "$wanted" 'immediate stop: same bytes'
is "$(sql 'SELECT * FROM learnt ORDER BY 1')" "$learnt" 'immediate stop: same labels'

# Values written just before the end are there after it.
sql "CREATE TABLE late AS SELECT gl_knn_graph(gl_points(id, features)) AS value FROM sample"
late=$(sql 'SELECT md5(value::text) FROM late')
scripts/cluster stop immediate
scripts/cluster start
is "$(sql 'SELECT md5(value::text) FROM late')" "$late" 'a value stored just before the stop is replayed'
finish
