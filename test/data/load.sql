-- The data sets of the tests as tables (id, features, label), in the current
-- schema.  Ids count the lines of the file.  Run from the top of the checkout.
\set load_echo :ECHO
\set ECHO none
\set load_quiet :QUIET
\set QUIET on
CREATE TABLE csv_line (id bigint GENERATED ALWAYS AS IDENTITY, line text);
CREATE VIEW csv_row AS
	SELECT id - (SELECT min(id) FROM csv_line) AS id,
		   string_to_array(regexp_replace(line, ',[^,]*$', ''), ',') AS fields,
		   regexp_replace(line, '^.*,', '') AS label
	FROM csv_line;

\copy csv_line (line) FROM PROGRAM 'gzip -dc test/data/iris.csv.gz'
CREATE TABLE iris AS
	SELECT id, fields::float8[] AS features, label FROM csv_row WHERE id > 0;
TRUNCATE csv_line;
\copy csv_line (line) FROM PROGRAM 'gzip -dc test/data/wine.csv.gz'
CREATE TABLE wine AS
	SELECT id, fields::float8[] AS features, label FROM csv_row WHERE id > 0;
TRUNCATE csv_line;
\copy csv_line (line) FROM PROGRAM 'gzip -dc test/data/breast_cancer.csv.gz'
CREATE TABLE breast_cancer AS
	SELECT id, fields::float8[] AS features, label FROM csv_row WHERE id > 0;
TRUNCATE csv_line;
\copy csv_line (line) FROM PROGRAM 'gzip -dc demo/digits.csv.gz'
CREATE TABLE digits AS
	SELECT id, fields::real[] AS features, label::int AS label FROM csv_row WHERE id > 0;
DROP VIEW csv_row;
DROP TABLE csv_line;

CREATE TABLE karate_edge (source bigint, target bigint, weight float8);
\copy karate_edge FROM 'test/data/karate_edges.tsv' WITH (FORMAT csv, DELIMITER E'\t', HEADER)
CREATE TABLE karate_node (id bigint, label text, label_16_18 int);
\copy karate_node FROM 'test/data/karate_nodes.tsv' WITH (FORMAT csv, DELIMITER E'\t', HEADER)
\set QUIET :load_quiet
\set ECHO :load_echo
