-- If this fails, a plot shows other rows than it was given, is no SVG, or depends on the order of the rows.

\set SHOW_CONTEXT never

-- What a query gives: its value, or SQLSTATE, message and hint.
CREATE FUNCTION pg_temp.attempt(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    hint text;
BEGIN
    EXECUTE query INTO answer;
    RETURN coalesce(answer, 'NULL');
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN SQLSTATE || ' ' || SQLERRM || coalesce(' HINT: ' || nullif(hint, ''), '');
END $$;

CREATE TEMP TABLE moon AS
SELECT i AS id, CASE WHEN i <= 100 THEN 'upper' ELSE 'lower' END AS half,
       CASE WHEN i <= 100 THEN cos(a) ELSE 1 - cos(a) END + sin(i * 12.9898) / 10 AS x,
       CASE WHEN i <= 100 THEN sin(a) ELSE 0.5 - sin(a) END + sin(i * 78.233) / 10 AS y
FROM generate_series(1, 200) i, LATERAL (SELECT pi() * (i % 100) / 99 AS a) n;

-- For the terminal: letters for groups, dots for one.
\pset format unaligned
\pset tuples_only on
SELECT gl_scatter_text(x, y, half) FROM moon;
SELECT gl_scatter_text(x, y, NULL::text) FROM moon WHERE half = 'upper';
SELECT gl_scatter_text(i * 1e6, i * i * 1e-7, i % 3) FROM generate_series(-10, 10) i;
-- A small picture as a whole.
SELECT gl_scatter_svg(x, y, g, 'a < b') FROM (VALUES (1, 1, 'one'), (2, 4, 'two'), (3, 9, NULL)) v(x, y, g);
\pset tuples_only off
\pset format aligned

-- Every picture is a well-formed document of ASCII; everybody's text is escaped.
SELECT n, xml_is_well_formed_document(svg) AS well_formed, svg ~ '^[\n -~]*$' AS ascii, svg LIKE '<svg %</svg>_' AS svg, length(svg) < 200000 AS limited
FROM (SELECT 1 AS n, gl_scatter_svg(x, y, half) AS svg FROM moon
      UNION ALL SELECT 2, gl_scatter_svg(x, y, half || '<&>"''' || chr(233) || chr(26085) || E'\x01\n', '</title>&]]>' || chr(1) || chr(128512)) FROM moon
      UNION ALL SELECT 3, gl_scatter_svg(x, y, id) FROM moon
      UNION ALL SELECT 4, gl_scatter_svg(1, 1, '')
      UNION ALL SELECT 5, gl_scatter_svg(i % 1009, i % 997, i % 7) FROM generate_series(1, 100000) i
      UNION ALL SELECT 6, gl_scatter_svg(i, i, repeat('x', i * 100)) FROM generate_series(1, 30) i) s ORDER BY n;
-- What it holds: groups in order, numbers by value; the rest of many; rows without one.
SELECT string_agg(m[1], ', ') AS legend FROM regexp_matches((SELECT gl_scatter_svg(i, i, i % 12) FROM generate_series(0, 99) i), '<title>([^<]*)</title>', 'g') m;
SELECT string_agg(m[1], ', ') AS legend FROM regexp_matches((SELECT gl_scatter_svg(i, i, CASE WHEN i % 5 > 0 THEN 'part ' || sqrt(i)::int END) FROM generate_series(0, 899) i), '<title>([^<]*)</title>', 'g') m;
SELECT string_agg(m[1], ', ') AS legend FROM regexp_matches((SELECT gl_scatter_svg(i, i, i > 3) FROM generate_series(0, 9) i), '<title>([^<]*)</title>', 'g') m;
SELECT string_agg(m[1], ', ') AS legend FROM regexp_matches((SELECT gl_scatter_svg(i, i, CASE WHEN i = 0 THEN 1.0 ELSE 1.00 END) FROM generate_series(0, 9) i), '<title>([^<]*)</title>', 'g') m;

-- Numbers of any type; a row without x or y is not drawn, one without a group is.
SELECT gl_scatter_svg(i::int, i::smallint, 1) = gl_scatter_svg(i::float8, i::numeric, 1.0) AS same_numbers,
       gl_scatter_svg(i, i, 1) = gl_scatter_svg(i, i, 1, NULL) AS null_title,
       gl_scatter_svg(i, i, 1) = gl_scatter_svg(i, i, 1) FILTER (WHERE i > 0) AS all_rows
FROM generate_series(1, 20) i;
SELECT count(*) AS drawn FROM regexp_matches((SELECT gl_scatter_svg(x, y, NULL) FROM (VALUES (1, 2), (NULL, 2), (3, NULL), (4, 5)) v(x, y)), 'h1', 'g');
SELECT gl_scatter_svg(NULL, 1, 'a') IS NULL AS no_x, gl_scatter_svg(1, NULL, 'a', 't') IS NULL AS no_y, gl_scatter_text(NULL, NULL, NULL) IS NULL AS nothing;
SELECT gl_scatter_svg(x, y, half) IS NULL AS svg_of_no_rows, gl_scatter_text(x, y, half) IS NULL AS text_of_no_rows FROM moon WHERE false;

-- The order of rows does not matter; nor does it to a window, which gets the plot so far.
SELECT count(DISTINCT svg) AS pictures, count(DISTINCT plot) AS plots
FROM (SELECT gl_scatter_svg(x, y, half ORDER BY id) AS svg, gl_scatter_text(x, y, half ORDER BY id) AS plot FROM moon
      UNION ALL SELECT gl_scatter_svg(x, y, half ORDER BY id DESC), gl_scatter_text(x, y, half ORDER BY id DESC) FROM moon
      UNION ALL SELECT gl_scatter_svg(x, y, half ORDER BY md5(id::text)), gl_scatter_text(x, y, half ORDER BY md5(id::text)) FROM moon) s;
SELECT count(DISTINCT svg) AS pictures FROM (SELECT gl_scatter_svg(i % 1009, i % 997, i % 7 ORDER BY i) AS svg FROM generate_series(1, 60000) i
      UNION ALL SELECT gl_scatter_svg(i % 1009, i % 997, i % 7 ORDER BY i DESC) FROM generate_series(1, 60000) i) s;
SELECT count(DISTINCT all_rows) AS pictures, count(DISTINCT so_far) AS growing, bool_or(all_rows = so_far) AS the_last_is_all
FROM (SELECT gl_scatter_svg(x, y, half) OVER () AS all_rows, gl_scatter_svg(x, y, half) OVER (ORDER BY id) AS so_far FROM moon WHERE id % 20 = 0) s;
-- One picture per group, with its own title.
SELECT half, svg LIKE '%>The ' || half || ' half</text>%' AS titled FROM (SELECT half, gl_scatter_svg(x, y, id % 2, 'The ' || half || ' half') AS svg FROM moon GROUP BY half) s ORDER BY half;

-- Refusals.
SELECT n, pg_temp.attempt('SELECT length(' || call || ') FROM moon') AS answer
FROM (VALUES
    (1, $$gl_scatter_svg(CASE WHEN id = 7 THEN 'NaN' ELSE x END, y, half)$$),
    (2, $$gl_scatter_svg(x, CASE WHEN id = 7 THEN '-Infinity' ELSE y END, half)$$),
    (3, $$gl_scatter_text(x * 8e307, y, half)$$),
    (4, $$gl_scatter_svg(x, y, half, 'title ' || id)$$),
    (5, $$gl_scatter_text(x, y, half, 'title')$$),
    (6, $$gl_scatter_svg(x, y)$$),
    (7, $$gl_scatter_svg('a', y, half)$$)) v(n, call) ORDER BY n;
SET graphlearn.max_memory = '1MB';
SELECT pg_temp.attempt('SELECT length(gl_scatter_svg(i, i, i % 3)) FROM generate_series(1, 100000) i') AS answer;
RESET graphlearn.max_memory;
