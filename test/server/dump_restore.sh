#!/usr/bin/env bash
# If this fails, a backup is not a backup: a stored value changes on its way
# through pg_dump or COPY.
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"

sql -f test/server/values.sql >/dev/null || exit 1
kinds=$(sql "SELECT count(*) FROM fingerprint")
between "$kinds" 15 1000 "there are values of every kind"
wanted=$(sql 'SELECT * FROM fingerprint ORDER BY 1, 2')
learnt=$(sql 'SELECT * FROM learnt ORDER BY 1')
between "$(wc -l <<<"$learnt")" 10 1000 "labels are learnt from the stored graphs"

# restored NAME: the database `restored` holds the same
restored() {
    is "$(PGDATABASE=restored sql 'SELECT * FROM fingerprint ORDER BY 1, 2')" "$wanted" "$1: same bytes"
    is "$(PGDATABASE=restored sql 'SELECT * FROM learnt ORDER BY 1')" "$learnt" "$1: same labels"
    sql 'DROP DATABASE restored'
}

dump=$(mktemp -d)
trap 'rm -rf "$dump"' EXIT

sql 'CREATE DATABASE restored TEMPLATE template0'
pg_dump -f "$dump/text" && PGDATABASE=restored sql -f "$dump/text" >/dev/null
restored 'pg_dump as text'

sql 'CREATE DATABASE restored TEMPLATE template0'
pg_dump --inserts -f "$dump/inserts" && PGDATABASE=restored sql -f "$dump/inserts" >/dev/null
restored 'pg_dump --inserts'

sql 'CREATE DATABASE restored TEMPLATE template0'
pg_dump -Fd -j 2 -f "$dump/folder" && pg_restore -j 2 -d restored "$dump/folder"
restored 'pg_dump -Fd and pg_restore -j 2'

# COPY BINARY goes through send and receive.
for table in points_value graph_value model_value; do
    sql "COPY (SELECT * FROM $table ORDER BY kind) TO STDOUT (FORMAT binary)" >"$dump/$table"
    sql "CREATE TABLE again (LIKE $table)"
    sql 'COPY again FROM STDIN (FORMAT binary)' <"$dump/$table"
    sql 'COPY (SELECT * FROM again ORDER BY kind) TO STDOUT (FORMAT binary)' >"$dump/again"
    [ -s "$dump/again" ] && cmp -s "$dump/$table" "$dump/again"
    ok $? "COPY BINARY of $table, out and in and out again"
    is "$(sql "SELECT count(*) FROM again JOIN $table USING (kind) WHERE again.value::text = $table.value::text")" \
        "$(sql "SELECT count(*) FROM $table")" "COPY BINARY of $table keeps every value"
    sql 'DROP TABLE again'
done
finish
