-- If this fails, a stored value no longer reads back as it was, or damaged bytes are believed.

\set SHOW_CONTEXT never
SET client_min_messages = error;

-- ---- version 1, pinned: these texts must decode forever -------------------

CREATE TEMP TABLE pinned_points (name text, p gl_points);
INSERT INTO pinned_points VALUES
    ('float8', 'R0xQVAABAAEAAAAAAAAAAAAAAAIAAAACAAAAAv/////////5AAAAAAAAAAEAAAAAAAAAAD/QAAAAAAAAP/gAAAAAAADAAAAAAAAAAA=='),
    ('real', 'R0xQVAABAAEAAAAAAAAAAAAAAAMAAAADAAAAAf/////////5AAAAAAAAAAEAAAAAAAAACQAAAAA+gAAAQIAAAD/AAADAAAAAQEAAAD+AAAA/gAAAP4AAAAAAAAA=');
CREATE TEMP TABLE pinned_graphs (name text, g gl_graph);
INSERT INTO pinned_graphs VALUES
    ('edges', 'R0xHUgABAAIAAAABAAAAAAAAAAQAAAAAAAAABQUAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP/////////5AAAAAAAAAAEAAAAAAAAAAgAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAACAAAAAAAAAAQAAAAAAAAABQAAAAAAAAACAAAAAQAAAAMAAAACAAAAAEAAAAAAAAAAP+AAAAAAAAA/4AAAAAAAAD/wAAAAAAAAP/AAAAAAAAA='),
    ('arcs', 'R0xHUgABAAIAAAAAAAAAAAAAAAMAAAAAAAAAAwYAAAQAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAIAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAgAAAAAAAAADAAAAAQAAAAIAAAAAAAAAAD/wAAAAAAAAP/AAAAAAAAA/8AAAAAAAAA=='),
    ('distances', 'R0xHUgABAAIAAAAAAAAAAAAAAAMAAAAAAAAABAcAAAQAAwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAIAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAIAAAAAAAAAAwAAAAAAAAAEAAAAAQAAAAIAAAAAAAAAAD/gAAAAAAAAAAAAAAAAAAA/+AAAAAAAAAAAAAAAAAAA'),
    ('weighted', 'R0xHUgABAAIAAAAgAAAAAAAAAAMAAAAAAAAABAcAAAQAAwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAIAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAIAAAAAAAAAAwAAAAAAAAAEAAAAAQAAAAIAAAAAAAAAAD/gAAAAAAAAAAAAAAAAAAA/+AAAAAAAAAAAAAAAAAAAQAAAAAAAAAA/0AAAAAAAAEAAAAAAAAAAP9AAAAAAAAA='),
    ('knn', 'R0xHUgABAAIAAAANAAAAAAAAAAMAAAAAAAAAAgEBAwMBAQEAAAAAAQAAAAIAAAAAAAAAAAAAAAAAAAAA//////////0AAAAAAAAAAP/////////5AAAAAAAAAAEAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAgAAAAAAAAACAAAAAQAAAAA/8AAAAAAAAD/wAAAAAAAAAAAAAD6AAAA/wAAAwAAAAEAAAABAAAAAP+sx3H7C6p4/+jIiznpDHw=='),
    ('radius', 'R0xHUgABAAIAAAAFAAAAAAAAAAMAAAAAAAAABAIBBAAAAwIAAAAAAAAAAAFABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAIAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAwAAAAAAAAAEAAAAAQAAAAAAAAACAAAAAUAAAAAAAAAAQAAAAAAAAABAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAEAQAAAAAAAA'),
    ('full', 'R0xHUgABAAIAAAABAAAAAAAAAAIAAAAAAAAAAgQCAwAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAIAAAABAAAAAD/wAAAAAAAAP/AAAAAAAAA='),
    ('tree', 'R0xHUgABAAIAAAAVAAAAAAAAAAIAAAAAAAAAAgMBAQAAAQIAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAIAAAABAAAAAD/wAAAAAAAAP/AAAAAAAABACAAAAAAAAEAIAAAAAAAAABAAAAAAAAAAEAAAAAAAAA==');
SELECT name, gl_info(p) AS info FROM pinned_points ORDER BY name;
SELECT name, gl_info(g) AS info FROM pinned_graphs ORDER BY name;
SELECT name, string_agg(format('%s-%s:%s', source, target, weight), ' ' ORDER BY source, target) AS edges FROM pinned_graphs, gl_edges(g) GROUP BY name ORDER BY name;
-- The numbers in the points: as lengths between them.
SELECT name, e.source, e.target, round(e.weight::numeric, 6) AS length FROM pinned_points, gl_edges(gl_full_graph(p, weights => 'distance')) e ORDER BY name, e.source, e.target;
-- This version still writes the same bytes.
SELECT 'float8' AS name, p::text = gl_points(id, f)::text AS same FROM pinned_points, (VALUES (1, '{1.5,-2}'::float8[]), (-7, '{0,0.25}')) v(id, f) WHERE name = 'float8' GROUP BY p::text
UNION ALL SELECT 'real', p::text = gl_points(id, f)::text FROM pinned_points, (VALUES (1, '{1.5,-2,3}'::real[]), (-7, '{0,0.25,4}'), (9, '{1,1,1}')) v(id, f) WHERE name = 'real' GROUP BY p::text
UNION ALL SELECT 'edges', g::text = gl_edge_graph(s, t, w)::text FROM pinned_graphs, (VALUES (1, 2, 0.5), (2, 3, 1), (-7, -7, 2)) v(s, t, w) WHERE name = 'edges' GROUP BY g::text
UNION ALL SELECT 'arcs', g::text = gl_arc_graph(s, t)::text FROM pinned_graphs, (VALUES (1, 2), (2, 3), (3, 1)) v(s, t) WHERE name = 'arcs' GROUP BY g::text
UNION ALL SELECT 'distances', g::text = gl_distance_graph(s, t, w)::text FROM pinned_graphs, (VALUES (1, 2, 0.5), (2, 1, 1.5), (1, 3, 0)) v(s, t, w) WHERE name = 'distances' GROUP BY g::text
UNION ALL SELECT 'weighted', g::text = gl_distance_graph(s, t, w, i)::text FROM pinned_graphs, (VALUES (1, 2, 0.5, 1), (2, 1, 1.5, 3), (1, 3, 0, 0.25)) v(s, t, w, i) WHERE name = 'weighted' GROUP BY g::text
UNION ALL SELECT 'radius', g::text = gl_radius_graph(gl_points(id, f), 2.5, weights => 'distance')::text FROM pinned_graphs, (VALUES (1, '{0}'::int[]), (2, '{2}'), (3, '{4}')) v(id, f) WHERE name = 'radius' GROUP BY g::text
ORDER BY 1;

-- ---- there and back -------------------------------------------------------

-- Values of every shape and size: short header, inline, out of line.
CREATE TEMP TABLE made (name text, p gl_points, g gl_graph);
INSERT INTO made SELECT 'one row', gl_points(7, '{1.5}'::float8[]), gl_graph(gl_points(7, '{1.5}'::float8[]));
INSERT INTO made SELECT 'small', gl_points(i, ARRAY[i / 3.0, i]::real[]), gl_edge_graph(i, i + 1, i / 3.0::float8) FROM generate_series(1, 9) i;
INSERT INTO made SELECT 'large', gl_points(i, ARRAY[i / 3.0, i % 17]::float8[]), gl_graph(gl_points(i, ARRAY[i / 3.0, i % 17]::float8[]), scale => 'standard') FROM generate_series(1, 2000) i;
-- What comes from a table is packed once more: one byte of header if short.
CREATE TEMP TABLE packed AS SELECT name || '' AS name, p, g FROM made;
SELECT name, pg_column_size(p) - octet_length(gl_points_send(p)) AS points_header, pg_column_size(g) - octet_length(gl_graph_send(g)) AS graph_header FROM packed ORDER BY name;

-- Text, and binary through COPY.
SELECT name, gl_points_send(p::text::gl_points) = gl_points_send(p) AS points_text, gl_graph_send(g::text::gl_graph) = gl_graph_send(g) AS graph_text,
       translate(encode(gl_points_send(p), 'base64'), E'\n', '') = p::text AS text_is_base64, position(E'\n' IN g::text) = 0 AS one_line
FROM made ORDER BY name;
\copy made TO 'build/regress/value_format.bin' (FORMAT binary)
CREATE TEMP TABLE copied (LIKE made);
\copy copied FROM 'build/regress/value_format.bin' (FORMAT binary)
\copy made TO 'build/regress/value_format.bin' (FORMAT text)
\copy copied FROM 'build/regress/value_format.bin' (FORMAT text)
SELECT name, count(*), count(DISTINCT gl_points_send(p)) AS points, count(DISTINCT gl_graph_send(g)) AS graphs
FROM (TABLE made UNION ALL TABLE packed UNION ALL TABLE copied) s GROUP BY name ORDER BY name;

-- Inside arrays and rows, where alignment differs.
CREATE TYPE pg_temp.holder AS (flag "char", p gl_points, small smallint, g gl_graph);
CREATE TEMP TABLE held AS SELECT name, ROW('x', p, 1, g)::pg_temp.holder AS h, ARRAY[p, p] AS ps, ARRAY[g, NULL, g] AS gs FROM packed;
SELECT h.name, gl_points_send((h).p) = gl_points_send(p) AS row_points, gl_graph_send((h).g) = gl_graph_send(g) AS row_graph,
       gl_points_send(ps[2]) = gl_points_send(p) AS array_points, gl_graph_send(gs[3]) = gl_graph_send(g) AS array_graph, gl_info(gs[3]) = gl_info(g) AS usable
FROM held h JOIN made m USING (name) ORDER BY h.name;

-- Stored, materialised or in flight: the same bits in every answer.
CREATE TEMP TABLE rows AS SELECT i AS id, ARRAY[i / 7.0, (i * i) % 101, i % 13]::real[] AS f FROM generate_series(1, 700) i;
CREATE TEMP TABLE stored AS SELECT gl_points(id, f) AS p FROM rows;
CREATE TEMP TABLE stored_graph AS SELECT gl_graph(p) AS g FROM stored;
CREATE FUNCTION pg_temp.answers(g gl_graph) RETURNS text LANGUAGE SQL AS $$
    SELECT md5(gl_graph_send(g)::text
        || (SELECT string_agg(t::text, ',') FROM gl_edges(g) t) || (SELECT string_agg(t::text, ',') FROM gl_degrees(g) t)
        || (SELECT string_agg(t::text, ',') FROM gl_propagate(g, '{1,350,700}', '{a,b,a}'::text[]) t))
$$;
SELECT count(DISTINCT answer) AS different, count(*) AS ways
FROM (SELECT md5(gl_graph_send(x.g)::text || (SELECT string_agg(t::text, ',') FROM gl_edges(x.g) t) || (SELECT string_agg(t::text, ',') FROM gl_degrees(x.g) t)
             || (SELECT string_agg(t::text, ',') FROM gl_propagate(x.g, '{1,350,700}', '{a,b,a}'::text[]) t)) AS answer
      FROM (SELECT gl_points(id, f) AS p FROM rows) s, LATERAL gl_graph(s.p) AS x(g)
      UNION ALL SELECT pg_temp.answers(gl_graph((SELECT gl_points(id, f) FROM rows)))
      UNION ALL SELECT pg_temp.answers(g) FROM (WITH m AS MATERIALIZED (SELECT gl_points(id, f) AS p FROM rows), n AS MATERIALIZED (SELECT gl_graph(p) AS g FROM m) SELECT g FROM n) s
      UNION ALL SELECT pg_temp.answers(gl_graph(p)) FROM stored
      UNION ALL SELECT pg_temp.answers(g) FROM stored_graph
      UNION ALL SELECT pg_temp.answers(g::text::gl_graph) FROM stored_graph) s;
-- Weights of distances, which nothing shows yet, are kept too.
CREATE TEMP TABLE weighted AS SELECT gl_distance_graph(i, i + 1, i, 0.5 * i) AS g FROM generate_series(1, 30) i;
SELECT gl_graph_send(w.g) = (SELECT gl_graph_send(gl_distance_graph(i, i + 1, i, 0.5 * i)) FROM generate_series(1, 30) i) AS kept,
       gl_graph_send(w.g) <> (SELECT gl_graph_send(gl_distance_graph(i, i + 1, i)) FROM generate_series(1, 30) i) AS and_not_ignored FROM weighted w;
-- A value used twice in one statement is not used up.
SELECT gl_graph_send(gl_graph(p)) = gl_graph_send(gl_graph(p)) AS same, gl_info(p) ->> 'n' AS n FROM (SELECT gl_points(id, f) AS p FROM rows) s;

-- ---- damage ---------------------------------------------------------------

-- What reading these bytes gives: ok, or the SQLSTATE.  What is accepted is
-- then used: nothing that decodes may bring the server down.
CREATE FUNCTION pg_temp.fate(kind text, bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    p gl_points;
    g gl_graph;
BEGIN
    BEGIN
        IF kind = 'points' THEN
            p := translate(encode(bytes, 'base64'), E'\n', '')::gl_points;
        ELSE
            g := translate(encode(bytes, 'base64'), E'\n', '')::gl_graph;
        END IF;
    EXCEPTION WHEN OTHERS THEN
        RETURN SQLSTATE;
    END;
    IF kind = 'points' THEN
        PERFORM gl_info(p), gl_graph_send(gl_knn_graph(p, scale => 'none')), gl_graph_send(gl_tree_graph(p, weights => 'gaussian', scale => 'standard'));
    ELSE
        PERFORM gl_info(g), (SELECT count(*) FROM gl_edges(g)), (SELECT count(*) FROM gl_components(g)),
                (SELECT count(*) FROM gl_multiply(g, '{}', '{}', 'none')), (SELECT count(*) FROM gl_degrees(g) d, gl_row(g, d.id)),
                (SELECT count(*) FROM gl_propagate(g, (SELECT array_agg(id) FROM (SELECT id FROM gl_degrees(g) LIMIT 2) s), (SELECT array_agg(id) FROM (SELECT id FROM gl_degrees(g) LIMIT 2) s)));
    END IF;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    RETURN 'ok, in use ' || SQLSTATE;
END $$;
CREATE TEMP TABLE sound AS
SELECT 'points' AS kind, name, gl_points_send(p) AS bytes, 28 AS header FROM pinned_points
UNION ALL SELECT 'graph', name, gl_graph_send(g), 76 FROM pinned_graphs;
SELECT kind, name, pg_temp.fate(kind, bytes) AS untouched FROM sound ORDER BY kind, name;

-- Every byte of every header: one bit flipped, all flipped, zero.  ok is left
-- to what may be anything: flags, the names of options, k, radius, bandwidth,
-- seed.  22000 is a format to come; lengths in use are refused by 22023.
SELECT kind, fate, count(*), CASE WHEN fate LIKE 'ok%' THEN array_agg(DISTINCT o ORDER BY o) END AS offsets
FROM sound, generate_series(0, header - 1) o,
     LATERAL (VALUES (get_byte(bytes, o) # 1), (get_byte(bytes, o) # 2), (get_byte(bytes, o) # 64), (get_byte(bytes, o) # 128), (255 - get_byte(bytes, o)), (0)) c(changed),
     LATERAL (SELECT pg_temp.fate(kind, set_byte(bytes, o, changed)) AS fate) f
WHERE changed <> get_byte(bytes, o) GROUP BY kind, fate ORDER BY kind, fate;
-- Every byte behind the header: one bit, all bits.
SELECT kind, fate, count(*)
FROM sound, generate_series(header, length(bytes) - 1) o, LATERAL (VALUES (get_byte(bytes, o) # 1), (get_byte(bytes, o) # 128), (255 - get_byte(bytes, o))) c(changed),
     LATERAL (SELECT pg_temp.fate(kind, set_byte(bytes, o, changed)) AS fate) f
GROUP BY kind, fate ORDER BY kind, fate;
-- Cut at every length; longer by 1 to 16 zeros.
SELECT kind, fate, count(*) FROM sound, generate_series(0, length(bytes) - 1) l, LATERAL (SELECT pg_temp.fate(kind, substr(bytes, 1, l)) AS fate) f GROUP BY kind, fate ORDER BY kind, fate;
SELECT kind, fate, count(*) FROM sound, generate_series(1, 16) l, LATERAL (SELECT pg_temp.fate(kind, bytes || decode(repeat('00', l), 'hex')) AS fate) f GROUP BY kind, fate ORDER BY kind, fate;
-- One type's bytes are not the other's.
SELECT kind, fate, count(*) FROM sound, LATERAL (SELECT pg_temp.fate(CASE kind WHEN 'graph' THEN 'points' ELSE 'graph' END, bytes) AS fate) f GROUP BY kind, fate ORDER BY kind, fate;

-- Messages, one of each sort.
CREATE FUNCTION pg_temp.complaint(kind text, input text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
    hint text;
BEGIN
    EXECUTE format('SELECT %L::gl_%s', input, kind);
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN SQLSTATE || ' ' || SQLERRM || coalesce(' DETAIL: ' || nullif(detail, ''), '') || coalesce(' HINT: ' || nullif(hint, ''), '');
END $$;
CREATE TEMP VIEW pg_temp.a AS SELECT bytes FROM sound WHERE kind = 'graph' AND name = 'edges';
SELECT n, pg_temp.complaint(kind, input) AS complaint
FROM pg_temp.a, LATERAL (VALUES
    (1, 'graph', ''),
    (2, 'graph', 'R0xHUgABAAI'),
    (3, 'graph', 'hello, graph'),
    (4, 'graph', 'R0xHUgABAAI='),
    (5, 'graph', 'R0xHUgABAAJ='),
    (6, 'graph', ' R0xHUgABAAI='),
    (7, 'graph', encode(set_byte(bytes, 5, 2), 'base64')),
    (8, 'points', translate(encode(bytes, 'base64'), E'\n', '')),
    (9, 'graph', translate(encode(set_byte(bytes, 5, 2), 'base64'), E'\n', '')),
    (10, 'graph', translate(encode(set_byte(bytes, 5, 0), 'base64'), E'\n', '')),
    (11, 'graph', translate(encode(set_byte(bytes, 7, 9), 'base64'), E'\n', '')),
    (12, 'graph', translate(encode(set_byte(bytes, 8, 128), 'base64'), E'\n', '')),
    (13, 'graph', translate(encode(set_byte(bytes, 19, 5), 'base64'), E'\n', '')),
    (14, 'graph', translate(encode(set_byte(bytes, 12, 127), 'base64'), E'\n', '')),
    (15, 'graph', translate(encode(set_byte(bytes, 76, 0), 'base64'), E'\n', '')),
    (16, 'graph', translate(encode(set_byte(bytes, 11, 0), 'base64'), E'\n', '')),
    (17, 'graph', translate(encode(bytes || '\x00', 'base64'), E'\n', '')),
    (18, 'graph', 'R0xQ')) v(n, kind, input)
ORDER BY n;

-- The same bytes through recv: bytea travels as it is.
CREATE TEMP TABLE target (g gl_graph);
\copy (SELECT bytes FROM pg_temp.a) TO 'build/regress/value_format.bin' (FORMAT binary)
\copy target FROM 'build/regress/value_format.bin' (FORMAT binary)
\copy (SELECT ''::bytea) TO 'build/regress/value_format.bin' (FORMAT binary)
\copy target FROM 'build/regress/value_format.bin' (FORMAT binary)
\copy (SELECT substr(bytes, 1, 40) FROM pg_temp.a) TO 'build/regress/value_format.bin' (FORMAT binary)
\copy target FROM 'build/regress/value_format.bin' (FORMAT binary)
\copy (SELECT set_byte(bytes, 0, 0) FROM pg_temp.a) TO 'build/regress/value_format.bin' (FORMAT binary)
\copy target FROM 'build/regress/value_format.bin' (FORMAT binary)
\copy (SELECT set_byte(bytes, 12, 255) FROM pg_temp.a) TO 'build/regress/value_format.bin' (FORMAT binary)
\copy target FROM 'build/regress/value_format.bin' (FORMAT binary)
\copy (SELECT bytes || '\x0000000000000000' FROM pg_temp.a) TO 'build/regress/value_format.bin' (FORMAT binary)
\copy target FROM 'build/regress/value_format.bin' (FORMAT binary)
\copy (SELECT bytes FROM sound WHERE name = 'float8') TO 'build/regress/value_format.bin' (FORMAT binary)
\copy target FROM 'build/regress/value_format.bin' (FORMAT binary)
\! rm -f build/regress/value_format.bin
SELECT count(*) AS only_the_sound_one, bool_and(gl_graph_send(g) = bytes) AS as_it_was FROM target, pg_temp.a;
