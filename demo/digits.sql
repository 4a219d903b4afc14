-- Label 1,797 handwritten digits when only 50 of them carry a label.
-- Run by scripts/demo in a private server, from the top of the checkout.
\pset pager off
\pset footer off
\set QUIET on
SET client_min_messages = warning;
CREATE EXTENSION graphlearn;

-- An image is 64 numbers from 0 (white) to 16 (black), row by row.
CREATE TEMP TABLE line (id bigint GENERATED ALWAYS AS IDENTITY, content text);
\copy line (content) FROM PROGRAM 'gzip -dc demo/digits.csv.gz | tail -n +2'
CREATE TABLE digits AS
	SELECT id, numbers[1:64]::real[] AS features, numbers[65]::int AS digit
	FROM line, string_to_array(content, ',') AS numbers;
ALTER TABLE digits ADD PRIMARY KEY (id);

-- Somebody looked at five images of each digit and wrote down what they are.
CREATE TABLE known AS
	SELECT id, digit AS label
	FROM (SELECT id, digit, row_number() OVER (PARTITION BY digit ORDER BY md5(id::text)) AS place
		  FROM digits) AS shuffled
	WHERE place <= 5;

\echo
\echo ' 1,797 handwritten digits, 8 x 8 pixels.  Somebody labelled 5 of each kind, 50 in all;'
\echo ' the other 1,747 labels are hidden.  One statement gives every row a label:'
\echo
\echo '   CREATE TABLE answer AS'
\echo '   SELECT labelled.*'
\echo '   FROM (SELECT gl_points(id, features) AS points FROM digits) AS p,'
\echo '        (SELECT array_agg(id) AS ids, array_agg(label) AS labels FROM known) AS k,'
\echo '        gl_propagate(gl_graph(p.points), k.ids, k.labels) AS labelled;'
\echo
\timing on
CREATE TABLE answer AS
SELECT labelled.*
FROM (SELECT gl_points(id, features) AS points FROM digits) AS p,
	 (SELECT array_agg(id) AS ids, array_agg(label) AS labels FROM known) AS k,
	 gl_propagate(gl_graph(p.points), k.ids, k.labels) AS labelled;
\timing off

-- Only rows whose label was hidden count.
CREATE VIEW judged AS
	SELECT id, digit, label, confidence, features
	FROM digits JOIN answer USING (id)
	WHERE id NOT IN (SELECT id FROM known);

\echo
\echo ' How well did it do on the hidden ones?'
\echo
SELECT digit,
	   count(*) AS rows,
	   count(*) FILTER (WHERE label = digit) AS correct,
	   round(avg((label = digit)::int), 3) AS recall,
	   round(avg(confidence)::numeric, 2) AS "mean confidence",
	   repeat('#', round(40 * avg((label = digit)::int))::int) AS "recall, drawn"
FROM judged
GROUP BY digit
ORDER BY digit;

SELECT count(*) AS "rows",
	   round(gl_accuracy(digit, label)::numeric, 4) AS "accuracy",
	   round(gl_f1(digit, label)::numeric, 4) AS "macro F1",
	   (SELECT round(gl_accuracy(digit, label)::numeric, 4)
		FROM (SELECT * FROM judged ORDER BY confidence DESC, id
			  LIMIT (SELECT count(*) * 9 / 10 FROM judged)) AS surest)
		   AS "accuracy, surest 90 %"
FROM judged;

\echo ' The five answers it is least sure of; these are the rows to look at by hand:'
\echo
CREATE TEMP VIEW doubtful AS
	SELECT row_number() OVER (ORDER BY confidence, id) AS place, *
	FROM judged ORDER BY confidence, id LIMIT 5;

SELECT place, id, label AS "label given", digit AS "true digit", round(confidence::numeric, 3) AS confidence
FROM doubtful ORDER BY place;

\pset tuples_only on
\pset format unaligned
SELECT '     ' || string_agg(picture, '     ' ORDER BY place)
FROM doubtful,
	 LATERAL (SELECT y, string_agg(repeat(substr(' .:-=+*#%@', 1 + (features[8 * y + x] * 9 / 16)::int, 1), 2), ''
								   ORDER BY x) AS picture
			  FROM generate_series(0, 7) AS y, generate_series(1, 8) AS x
			  GROUP BY y) AS drawn
GROUP BY y
ORDER BY y;
