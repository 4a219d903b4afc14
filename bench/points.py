"""Collecting 1,000,000 x 10 float8[] rows, beside reading one column."""
import numpy as np

from harness import Psql

ROWS = 1000000
COLUMNS = 10


def run(report):
    psql = Psql()
    collect = "SELECT gl_info(gl_points(id, f)) FROM bench_points"
    read = "SELECT sum(f[1]) FROM bench_points"
    psql("DROP TABLE IF EXISTS bench_points;"
         "CREATE TABLE bench_points AS SELECT i::bigint AS id, "
         f"array_agg(random() ORDER BY j) AS f FROM generate_series(1, {ROWS}) i,"
         f" generate_series(1, {COLUMNS}) j GROUP BY i ORDER BY i;"
         "VACUUM ANALYZE bench_points")
    psql(read)
    report.line("ids ascending", psql.seconds(collect, 5), "sum(f[1])",
                psql.seconds(read, 5), 1 / 3)
    psql("CREATE TABLE bench_shuffled AS SELECT * FROM bench_points"
         " ORDER BY md5(id::text); DROP TABLE bench_points;"
         "ALTER TABLE bench_shuffled RENAME TO bench_points;"
         "VACUUM ANALYZE bench_points")
    psql(read)
    report.line("ids shuffled", psql.seconds(collect, 5), "sum(f[1])",
                psql.seconds(read, 5), 1 / 6)
