#!/usr/bin/env bash
# If this fails, values beyond 1 GB no longer flow between functions, or a value
# too large to be dumped can be stored, or a call exceeds its budget.
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"

available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
if [ "${available:-0}" -lt 8000 ]; then
    skip '1.1 GB of points' "needs 8 GB of free memory, there are ${available:-0} MB"
    finish
fi

# 2,200 rows of 62,500 columns: 1.1 GB as float8.  The rows differ in their
# first number only.
rows="(SELECT i AS id, ARRAY[i::float8] || array_fill(0.5::float8, ARRAY[62499]) AS features FROM generate_series(1, 2200) AS i) AS t"
need="1[0-9]{3}(\.[0-9]+)? MB"

answer=$(sql "SET graphlearn.max_memory = '4GB';
              SELECT gl_info(p)->>'n', gl_info(p)->>'dimensions' FROM (SELECT gl_points(id, features) AS p FROM $rows) AS s")
is "$answer" '2200|62500' 'more than 1 GB of points reach a function'

answer=$(sql "SET graphlearn.max_memory = '4GB';
              SELECT count(*), min(e.target - e.source), max(e.target - e.source)
              FROM (SELECT gl_points(id, features) AS p FROM $rows) AS s,
                   gl_edges(gl_knn_graph(s.p, k => 1, keep_points => false, symmetry => 'union')) AS e")
is "${answer##*|}" 1 'and a graph is built from them in the lateral form'
echo "#   $answer"

message=$(psql -qXAt -v VERBOSITY=verbose 2>&1 -c "SET graphlearn.max_memory = '1GB'" \
    -c "SELECT gl_info(p)->>'n' FROM (SELECT gl_points(id, features) AS p FROM $rows) AS s")
grep -q '^ERROR:  53200' <<<"$message"
ok $? 'with max_memory = 1GB the aggregate is out of budget'
grep -qE "$need.*1024" <<<"$message"
ok $? 'and says the need and the limit'
grep -qi 'graphlearn.max_memory' <<<"$message"
ok $? 'and the setting'
printf '%s\n' "$message" | cut -c 1-200 | sed 's/^/#   /'

# Storing: 750 MB, which a machine could hold but pg_dump could not carry.
sql 'CREATE TABLE stored (value gl_points)'
rows="(SELECT i AS id, array_fill(0.5::float8, ARRAY[62500]) AS features FROM generate_series(1, 1500) AS i) AS t"
message=$(psql -qXAt -v VERBOSITY=verbose 2>&1 -c "SET graphlearn.max_memory = '4GB'" \
    -c "INSERT INTO stored SELECT gl_points(id, features) FROM $rows")
grep -q '^ERROR:  54000' <<<"$message"
ok $? 'a value above 700 MB is not stored'
printf '%s\n' "$message" | cut -c 1-200 | sed 's/^/#   /'
is "$(sql 'SELECT count(*) FROM stored')" 0 'nothing of it is left'
finish
