-- If this fails, the SQL surface changed: a signature, a default, a promise to the planner, a comment.

CREATE TEMP VIEW member AS
SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension x ON x.oid = d.refobjid AND x.extname = 'graphlearn'
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e';

-- What the extension is made of.
SELECT extname, extrelocatable, extconfig IS NULL AS no_tables FROM pg_extension WHERE extname = 'graphlearn';

-- Functions: volatility, strictness, parallel mark, cost, rows.
\pset format unaligned
\pset fieldsep ' | '
SELECT p.proname || '(' || pg_get_function_arguments(p.oid) || ')' AS function, pg_get_function_result(p.oid) AS result,
       p.provolatile AS v, CASE WHEN p.proisstrict THEN 'strict' ELSE 'not strict' END AS strict, p.proparallel AS p, p.procost AS cost, p.prorows AS rows
FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
WHERE p.prokind = 'f' ORDER BY p.proname COLLATE "C", pg_get_function_arguments(p.oid) COLLATE "C";

-- Window functions: the same for six types of features.
SELECT p.proname || '(features, ' || regexp_replace(pg_get_function_arguments(p.oid), '^features [^,]*, ', '') || ')' AS "window function", pg_get_function_result(p.oid) AS result,
       p.provolatile AS v, CASE WHEN p.proisstrict THEN 'strict' ELSE 'not strict' END AS strict, p.proparallel AS p, p.procost AS cost,
       string_agg(p.proargtypes[0]::regtype::text, ', ' ORDER BY p.proargtypes[0]) AS features
FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
WHERE p.prokind = 'w' GROUP BY p.proname, 1, 2, 3, 4, 5, 6 ORDER BY p.proname COLLATE "C";
\pset format aligned

-- Aggregates.
SELECT p.proname AS aggregate, pg_get_function_arguments(p.oid) AS arguments, pg_get_function_result(p.oid) AS result,
       a.aggtranstype::regtype AS state, a.aggtransspace AS space, a.aggfinalmodify AS modify, p.provolatile AS v, p.proparallel AS p
FROM pg_proc p JOIN pg_aggregate a ON a.aggfnoid = p.oid JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
ORDER BY p.proname COLLATE "C", pg_get_function_arguments(p.oid) COLLATE "C";

-- Types.
SELECT t.typname, t.typlen, t.typalign, t.typstorage, t.typinput, t.typoutput, t.typreceive, t.typsend
FROM pg_type t JOIN member m ON m.classid = 'pg_type'::regclass AND m.objid = t.oid WHERE t.typelem = 0 ORDER BY t.typname COLLATE "C";

-- Rules; each list is empty.
-- Every object has a comment.
SELECT pg_describe_object(m.classid, m.objid, 0) AS no_comment FROM member m
WHERE NOT EXISTS (SELECT FROM pg_description c WHERE c.classoid = m.classid AND c.objoid = m.objid AND c.objsubid = 0)
  AND NOT EXISTS (SELECT FROM pg_type t WHERE m.classid = 'pg_type'::regclass AND t.oid = m.objid AND t.typelem <> 0) ORDER BY 1;
-- Every type travels as text and as bytes.
SELECT t.typname AS no_transport FROM pg_type t JOIN member m ON m.classid = 'pg_type'::regclass AND m.objid = t.oid WHERE t.typsend = 0 OR t.typreceive = 0 OR t.typinput = 0 OR t.typoutput = 0;
-- Everything is immutable and parallel safe: that is what gets it shipped to other servers and workers.
SELECT p.oid::regprocedure AS not_safe FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
WHERE p.provolatile <> 'i' OR p.proparallel <> 's' ORDER BY 1;
-- C only; a SQL function would need a body bound when it was created.
SELECT p.oid::regprocedure AS not_c FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
WHERE p.prokind IN ('f', 'w') AND l.lanname <> 'c' AND NOT (l.lanname = 'sql' AND p.prosqlbody IS NOT NULL);
-- Nobody acts for another user or changes settings.
SELECT p.oid::regprocedure AS secdef FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid WHERE p.prosecdef OR p.proconfig IS NOT NULL OR p.proleakproof;
-- A state that is the data itself is never combined, nor sent between workers.
SELECT a.aggfnoid::regprocedure AS combines FROM pg_aggregate a JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = a.aggfnoid
WHERE a.aggtranstype = 'internal'::regtype AND (a.aggcombinefn <> 0 OR a.aggserialfn <> 0 OR a.aggdeserialfn <> 0);
-- An aggregate that combines takes types by name.
SELECT a.aggfnoid::regprocedure AS vague FROM pg_aggregate a JOIN pg_proc p ON p.oid = a.aggfnoid JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = a.aggfnoid
WHERE a.aggcombinefn <> 0 AND EXISTS (SELECT FROM unnest(p.proargtypes) t JOIN pg_type y ON y.oid = t WHERE y.typtype = 'p');
-- Support functions of aggregates are called by servers that know nothing of NULL: not strict, or the state would be the first value.
SELECT a.aggtransfn AS strict_transition FROM pg_aggregate a JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = a.aggfnoid JOIN pg_proc t ON t.oid = a.aggtransfn WHERE t.proisstrict;
-- A function that returns internal takes internal, so SQL cannot call it.
SELECT p.oid::regprocedure AS callable FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
WHERE p.prorettype = 'internal'::regtype AND NOT 'internal'::regtype = ANY (p.proargtypes::oid[]);
-- The same option has the same type everywhere.  Where its default depends on the function it is listed here: the tolerance of gl_refine is a budget,
-- that of gl_row a share of a probability, that of a solver its stopping rule.
SELECT name, count(DISTINCT (type, "default")) AS meanings, string_agg(DISTINCT proname || ' ' || format_type(type, NULL) || ' ' || coalesce("default", '-'), ', ') AS who
FROM (SELECT p.proname, n.name, p.proargtypes[n.o - 1] AS type, pg_get_function_arg_default(p.oid, n.o::int) AS "default"
      FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid, unnest(p.proargnames[:p.pronargs]) WITH ORDINALITY n(name, o)
      WHERE p.prokind IN ('f', 'w') AND n.name IN ('metric', 'weights', 'symmetry', 'bandwidth', 'scale', 'keep_points', 'seed', 'damping', 'tolerance', 'iterations', 'prior', 'method')) s
GROUP BY name HAVING count(DISTINCT (type, "default")) > 1;
-- Names: every function and type begins with gl_.
SELECT p.proname AS badly_named FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid WHERE p.proname !~ '^gl_';
-- C symbols: graphlearn_ and the SQL name, or a longer one.
SELECT p.proname, p.prosrc FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
WHERE p.prokind IN ('f', 'w') AND p.prosrc NOT LIKE 'graphlearn\_' || substr(p.proname, 4) || '%';
-- No operator, cast or operator class is hidden in the extension.
SELECT pg_describe_object(m.classid, m.objid, 0) AS unexpected FROM member m WHERE m.classid NOT IN ('pg_proc'::regclass, 'pg_type'::regclass);
-- Settings, once the library is loaded.
SELECT gl_info(gl_edge_graph(1, 2)) IS NOT NULL AS loaded;
SELECT name, setting, unit, context, vartype, min_val, max_val FROM pg_settings WHERE name LIKE 'graphlearn.%';
