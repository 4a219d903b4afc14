-- If this fails, the extension broke a promise to the planner, to other servers or to its reader.
BEGIN;
SELECT plan(17);

CREATE TEMP VIEW member AS
SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension x ON x.oid = d.refobjid AND x.extname = 'graphlearn'
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e';
CREATE TEMP VIEW function AS SELECT p.*, l.lanname FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid;
CREATE TEMP VIEW aggregate AS SELECT a.*, p.proargtypes FROM pg_aggregate a JOIN function p ON p.oid = a.aggfnoid;

SELECT has_extension('graphlearn', 'the extension is there');
SELECT ok((SELECT extrelocatable FROM pg_extension WHERE extname = 'graphlearn'), 'it can be moved to another schema');
SELECT cmp_ok((SELECT count(*)::int FROM function), '>', 50, 'the checks below see its functions');
SELECT is_empty('SELECT oid::regprocedure FROM function WHERE provolatile <> ''i'' AND prokind = ''f''', 'every function is immutable');
SELECT is_empty('SELECT oid::regprocedure FROM function WHERE proparallel <> ''s''', 'every function and aggregate is parallel safe');
SELECT is_empty('SELECT oid::regprocedure FROM function WHERE prosecdef OR proconfig IS NOT NULL', 'nobody acts for another user');
SELECT is_empty('SELECT oid::regprocedure FROM function WHERE prokind = ''f'' AND lanname <> ''c'' AND (lanname <> ''sql'' OR prosqlbody IS NULL)', 'no function looks names up when called');
SELECT is_empty($$SELECT pg_describe_object(classid, objid, 0) FROM member WHERE obj_description(objid, classid::regclass::name) IS NULL
    AND objid NOT IN (SELECT oid FROM pg_type WHERE typelem <> 0)$$, 'every object has a comment');
SELECT is_empty('SELECT typname FROM pg_type t JOIN member m ON m.objid = t.oid AND m.classid = ''pg_type''::regclass WHERE typsend = 0 OR typreceive = 0', 'every type travels as bytes');
SELECT is_empty('SELECT typname FROM pg_type t JOIN member m ON m.objid = t.oid AND m.classid = ''pg_type''::regclass WHERE typelem = 0 AND (typalign <> ''d'' OR typstorage <> ''e'')', 'every type is aligned and stored outside, as is');
SELECT is_empty('SELECT aggfnoid::regprocedure FROM aggregate WHERE aggtranstype = ''internal''::regtype AND aggcombinefn <> 0', 'states that are the data are not combined');
SELECT is_empty('SELECT aggfnoid::regprocedure FROM aggregate a WHERE aggcombinefn <> 0 AND EXISTS (SELECT FROM unnest(a.proargtypes) t JOIN pg_type y ON y.oid = t WHERE typtype = ''p'')', 'what combines takes types by name');
SELECT set_eq('SELECT p.proargtypes[1]::regtype::text FROM aggregate a JOIN pg_proc p ON p.oid = a.aggfnoid WHERE proname = ''gl_points'' AND p.pronargs = 2',
    ARRAY['double precision[]', 'real[]', 'numeric[]', 'smallint[]', 'integer[]', 'bigint[]'], 'gl_points takes six kinds of arrays');
SELECT is((SELECT count(DISTINCT prosrc)::int FROM function WHERE proname = 'gl_points_transfn' AND pronargs = 3), 1, 'through one symbol');
SELECT is_empty('SELECT oid::regprocedure FROM function WHERE proretset AND prorows = 1000', 'every set function estimates its rows');
SELECT is_empty('SELECT oid::regprocedure FROM function WHERE proname ~ ''_graph$'' AND prokind = ''f'' AND procost < 1000', 'builders say that they are costly');

-- All functions work where only pg_catalog is in the path, as on another
-- server of postgres_fdw.
CREATE FUNCTION pg_temp.call_everything() RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    RETURN count(*) FROM (SELECT public.gl_info(g), public.gl_info(p), (SELECT count(*) FROM public.gl_edges(g)), (SELECT count(*) FROM public.gl_degrees(g)), (SELECT count(*) FROM public.gl_components(g)),
           (SELECT count(*) FROM public.gl_row(g, 1)), (SELECT count(*) FROM public.gl_multiply(g, '{1}', '{1}')), (SELECT count(*) FROM public.gl_propagate(g, '{1,9}', '{a,b}'::text[])), (SELECT count(*) FROM public.gl_rank(g)), (SELECT count(*) FROM public.gl_label_candidates(g)),
           public.gl_graph_send(g::text::public.gl_graph), public.gl_points_send(p::text::public.gl_points),
           public.gl_info(public.gl_affinity(public.gl_radius_graph(p, 3, weights => 'distance'))), public.gl_info(public.gl_tree_graph(p)), public.gl_info(public.gl_full_graph(p)), public.gl_info(public.gl_knn_graph(p)),
           (SELECT count(*) FROM public.gl_blocks(public.gl_block_graph(p))), (SELECT count(*) FROM public.gl_density(public.gl_block_graph(p, trees => 2))),
           e, public.gl_modularity(g, '{1,2,3,4,5,6,7,8,9}', '{1,1,1,1,2,2,2,2,2}'), public.gl_conductance(g, '{1,2,3,4,5,6,7,8,9}', '{1,1,1,1,2,2,2,2,2}')
    FROM (SELECT public.gl_points(i, ARRAY[i, i % 2]) AS p, public.gl_graph(public.gl_points(i, ARRAY[i, i % 2])) AS g,
                 ROW(public.gl_edge_graph(i, i + 1), public.gl_arc_graph(i, i + 1), public.gl_distance_graph(i, i + 1, 1), public.gl_accuracy(i, i), public.gl_nmi(i, i), public.gl_auc(i > 3, i)) AS e
          FROM generate_series(1, 9) i) s) q;
END $$;
SELECT lives_ok('SELECT pg_temp.call_everything()', 'everything works with search_path = pg_catalog');
SELECT * FROM finish();
ROLLBACK;
