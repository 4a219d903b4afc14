#!/usr/bin/env bash
# If this fails, the extension depends on where it is installed, on the
# caller's search_path, or on the rights of who installs it.
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"

export PGDATABASE=postgres
sql 'CREATE ROLE owner LOGIN; CREATE ROLE guest LOGIN'
sql 'CREATE DATABASE owned OWNER owner'
export PGDATABASE=owned

# --- installed by an ordinary owner -----------------------------------------

is "$(PGUSER=guest sqlstate 'CREATE EXTENSION graphlearn')" 42501 'a role without rights on the database cannot install'
is "$(PGUSER=owner sqlstate 'CREATE EXTENSION graphlearn')" 00000 'the database owner installs without being superuser'
is "$(sql "SELECT e.extowner::regrole FROM pg_extension AS e WHERE extname = 'graphlearn'")" owner 'and owns it'

# work SCHEMA: the pipeline with every name of ours qualified
work() {
    cat <<SQL
SELECT md5(string_agg(pg_catalog.concat_ws(' ', l.id, l.label, l.confidence, l.scores), '|' ORDER BY l.id))
FROM (SELECT $1.gl_points(i, ARRAY[cos(i), sin(i), i % 5]::float8[]) AS p
      FROM pg_catalog.generate_series(1, 60) AS i) AS s,
     $1.gl_propagate($1.gl_graph(s.p), ARRAY[1, 2]::bigint[], ARRAY['x', 'y']) AS l
SQL
}
wanted=$(PGUSER=guest sql "$(work public)")
is "${#wanted}" 32 'any role uses it'
stored="WITH v AS (SELECT X.gl_knn_graph(X.gl_points(i, ARRAY[i, i % 3]::int[])) AS g FROM pg_catalog.generate_series(1, 40) AS i)
        SELECT md5(g::text), md5((g::text::X.gl_graph)::text), md5(string_agg(e::text, '|' ORDER BY e.source, e.target))
        FROM v, X.gl_edges(v.g) AS e GROUP BY g::text, 1, 2"
wanted_stored=$(sql "${stored//X./public.}")

# --- search paths -----------------------------------------------------------

is "$(sql "SET search_path = pg_catalog; $(work public)")" "$wanted" 'search_path = pg_catalog'
is "$(sql "SET search_path = ''; $(work public)")" "$wanted" 'empty search_path'

# A schema in front of everything, with functions and operators of the same
# names as ours and as the server's.
sql "CREATE SCHEMA hostile;
     CREATE FUNCTION hostile.trap() RETURNS boolean LANGUAGE plpgsql AS \$\$ BEGIN RAISE EXCEPTION 'trapped'; END \$\$;
     CREATE FUNCTION hostile.eq(a anyelement, b anyelement) RETURNS boolean LANGUAGE sql AS 'SELECT hostile.trap()';
     CREATE OPERATOR hostile.= (LEFTARG = anyelement, RIGHTARG = anyelement, FUNCTION = hostile.eq);
     CREATE OPERATOR hostile.< (LEFTARG = anyelement, RIGHTARG = anyelement, FUNCTION = hostile.eq);
     CREATE FUNCTION hostile.eq_text(a text, b text) RETURNS boolean LANGUAGE sql AS 'SELECT hostile.trap()';
     CREATE OPERATOR hostile.= (LEFTARG = text, RIGHTARG = text, FUNCTION = hostile.eq_text);
     CREATE OPERATOR hostile.< (LEFTARG = text, RIGHTARG = text, FUNCTION = hostile.eq_text);
     CREATE FUNCTION hostile.eq_bigint(a bigint, b bigint) RETURNS boolean LANGUAGE sql AS 'SELECT hostile.trap()';
     CREATE OPERATOR hostile.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = hostile.eq_bigint);
     CREATE OPERATOR hostile.< (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = hostile.eq_bigint);
     CREATE FUNCTION hostile.gl_knn_graph(public.gl_points) RETURNS text LANGUAGE sql AS 'SELECT hostile.trap()::text';
     CREATE FUNCTION hostile.gl_edges(public.gl_graph) RETURNS text LANGUAGE sql AS 'SELECT hostile.trap()::text';
     CREATE TYPE hostile.gl_points AS (a int);
     CREATE TYPE hostile.gl_graph AS (a int);
     CREATE TYPE hostile.jsonb AS (a int);
     GRANT USAGE ON SCHEMA hostile TO PUBLIC"
is "$(sql "SET search_path = hostile, pg_catalog, public; $(work public)")" "$wanted" 'hostile names first'
is "$(sql "SET search_path = hostile, pg_catalog, public;
           SELECT public.gl_accuracy(a, b) FROM (VALUES ('x'::text, 'x'::text), ('y', 'x')) AS v(a, b)")" 0.5 \
    'hostile names first, a measure over text'
is "$(sql "SET search_path = hostile, pg_catalog, public;
           SELECT (public.gl_info(public.gl_points(i, ARRAY[i]::int[]))->>'n')::int FROM generate_series(1, 3) AS i")" 3 \
    'hostile names first, gl_info'

# Installed while hostile names stand in front.
PGUSER=owner sql 'DROP EXTENSION graphlearn CASCADE' 2>/dev/null
sql 'DROP SCHEMA hostile CASCADE' 2>/dev/null
sql "CREATE SCHEMA other AUTHORIZATION owner;
     CREATE FUNCTION other.float8(text) RETURNS float8 LANGUAGE sql AS 'SELECT 1 / 0::float8';
     CREATE TYPE other.jsonb AS (a int); CREATE TYPE other.text AS (a int)"
PGUSER=owner sql 'CREATE EXTENSION graphlearn SCHEMA other'
is "$(sql "$(work other)")" "$wanted" 'installed in a schema that has types of its own'
is "$(sql "SELECT count(*) FROM pg_proc AS p JOIN pg_depend AS d ON d.objid = p.oid AND d.deptype = 'e'
           JOIN pg_extension AS e ON e.oid = d.refobjid AND e.extname = 'graphlearn'
           WHERE EXISTS (SELECT FROM unnest(p.proargtypes::oid[] || p.prorettype) AS t(oid) JOIN pg_type USING (oid)
                         WHERE typnamespace = 'other'::regnamespace AND typname NOT LIKE '\\_%gl\\_%' AND typname NOT LIKE 'gl\\_%')")" \
    0 'and took none of them for its signatures'

# --- relocated --------------------------------------------------------------

sql 'CREATE SCHEMA moved; GRANT USAGE ON SCHEMA moved TO PUBLIC'
sql 'ALTER EXTENSION graphlearn SET SCHEMA moved'
ok $? 'a superuser relocates it'
is "$(sql "$(work moved)")" "$wanted" 'it works where it was moved to'
is "$(sql "${stored//X./moved.}")" "$wanted_stored" 'stored values too'
is "$(PGUSER=guest sql "SET search_path = pg_catalog; $(work moved)")" "$wanted" 'for any role'

# --- dropped ----------------------------------------------------------------

PGUSER=owner sql 'DROP EXTENSION graphlearn'
ok $? 'the owner drops it'
is "$(sql "SELECT count(*) FROM pg_proc WHERE probin LIKE '%graphlearn%'")" 0 'no function is left'
is "$(sql "SELECT count(*) FROM pg_type WHERE typname LIKE 'gl\\_%'")" 0 'no type is left'
is "$(PGUSER=owner sqlstate 'CREATE EXTENSION graphlearn')" 00000 'and installs it again'
finish
