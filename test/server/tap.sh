# tap.sh: what the scripts of this folder share; sourced, not run.
#
# A script runs inside `scripts/cluster run` (scripts/check-server does that)
# and prints TAP.  It starts with a database `test` that holds the extension.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
[ -n "${GL_CLUSTER:-}" ] ||
    exec scripts/cluster run bash "${BASH_SOURCE[1]}" "$@"

tap_number=0
tap_failed=0

# ok STATUS NAME: passes if STATUS is 0
ok() {
    tap_number=$((tap_number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_number - $2"
    else
        echo "not ok $tap_number - $2"
        tap_failed=1
    fi
}

# is GOT WANTED NAME
is() {
    [ "$1" = "$2" ]
    ok $? "$3"
    [ "$1" = "$2" ] || printf '%s\n' "got: $1" "wanted: $2" | cut -c 1-2000 | sed 's/^/#   /'
}

# between GOT LEAST MOST NAME, of integers
between() {
    [ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
    ok $? "$4"
    { [ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; } ||
        echo "#   got: $1, wanted: between $2 and $3"
}

skip() {
    tap_number=$((tap_number + 1))
    echo "ok $tap_number - $1 # SKIP $2"
}

finish() {
    echo "1..$tap_number"
    exit $tap_failed
}

# sql STATEMENT, sql -f FILE, or statements on standard input: unaligned rows
# out; stops at the first error.  An error never equals another answer.
sql() {
    case ${1:-} in
        '' | -*) ;;
        *) set -- -c "$@" ;;
    esac
    psql -qXAt -v ON_ERROR_STOP=1 "$@" || { echo "(failed, $RANDOM)"; return 1; }
}

# The SQLSTATE a statement ends with; 00000 if it works.
sqlstate() {
    local answer
    answer=$(psql -qXAt -v VERBOSITY=sqlstate -c "$1" "${@:2}" 2>&1 >/dev/null |
        sed -n 's/^ERROR: *//p' | tail -n 1)
    echo "${answer:-00000}"
}

export PGDATABASE=postgres
sql 'CREATE DATABASE test' || exit 1
export PGDATABASE=test
sql 'CREATE EXTENSION graphlearn' || exit 1
