#!/usr/bin/env bash
# If this fails, a replica answers differently from its primary.
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"

replica=$GL_CLUSTER/replica
if [ "$(sql 'SHOW max_wal_senders')" -eq 0 ] ||
    ! scripts/cluster server pg_basebackup -D "$replica" -R -h "$PGHOST" -p "$PGPORT" -U postgres \
        -c fast --no-sync >"$GL_CLUSTER/basebackup.log" 2>&1; then
    sed 's/^/# /' "$GL_CLUSTER/basebackup.log"
    skip 'streaming replica' 'no base backup can be taken here'
    finish
fi
replica_port=$((PGPORT + 1))
echo "port = $replica_port" >>"$replica/postgresql.conf"
scripts/cluster server pg_ctl -D "$replica" -l "$GL_CLUSTER/replica.log" -s -w start </dev/null >/dev/null
ok $? 'the replica starts'
trap 'scripts/cluster server pg_ctl -D "$replica" -s -m immediate stop >/dev/null 2>&1' EXIT
on_replica() { PGPORT=$replica_port sql "$@"; }

sql -f test/server/values.sql >/dev/null || exit 1
sql 'CHECKPOINT'
position=$(sql 'SELECT pg_current_wal_lsn()')
for _ in $(seq 300); do
    [ "$(on_replica "SELECT pg_last_wal_replay_lsn() >= '$position'")" = t ] && break
    sleep 0.1
done
is "$(on_replica 'SELECT pg_is_in_recovery()')" t 'it is a replica'
is "$(on_replica 'SELECT * FROM fingerprint ORDER BY 1, 2')" \
    "$(sql 'SELECT * FROM fingerprint ORDER BY 1, 2')" 'same bytes'
is "$(on_replica 'SELECT * FROM learnt ORDER BY 1')" \
    "$(sql 'SELECT * FROM learnt ORDER BY 1')" 'same labels from stored graphs'
build='SELECT md5(gl_knn_graph(gl_points(id, features))::text) FROM sample'
is "$(on_replica "$build")" "$(sql "$build")" 'same graph when built there'
finish
