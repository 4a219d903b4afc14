"""Block graphs: growth of build and product, beside memory, peers, the source.

Times of the core (blocks.c) are CPU seconds of its one thread, the best of
several runs: on a busy machine waiting is not counted, though a cache that is
shared still shows.  Growth is the largest time per row or block over the
smallest.
"""
import subprocess
import tempfile

import numpy as np
from sklearn.neighbors import kneighbors_graph

from harness import ROOT, Psql, best_of, mixture, read_csv, standardise

PROGRAM = ROOT / "build" / "bench" / "blocks"     # built by make bench
SIZES = (1000, 10000, 100000, 1000000)
TREES = ("bisect", "anchor", "random")
REFINED = 8                                       # blocks per row

# The thesis on MiniBooNE at 120,000 rows: Tables 11 and 12, in seconds.
THEIR_BUILD = 38.656
THEIR_WALK = 78.600


def core(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True,
                          capture_output=True, text=True).stdout


def write_points(folder, points):
    path = f"{folder}/points{len(points)}"
    points.tofile(path)
    return path


def growth(report, title, unit, times, target):
    """times: {size: number per row or block}."""
    print(f"{title:<34} " + "  ".join(
        f"{size:,}: {number:.2f}" for size, number in times.items()) +
        f"  {unit}", flush=True)
    report.value("    largest / smallest",
                 max(times.values()) / min(times.values()), None, target)


def builds(report, paths):
    for tree in TREES:
        growth(report, f"build, {tree}", "us per row",
               {size: 1e6 * float(core("build", size, 10, path, tree)) / size
                for size, path in paths.items()},
               4 if tree == "bisect" else None)


def products(report, paths, blocks_per_row, target):
    times = {columns: {} for columns in (1, 2, 4, 8)}
    for size, path in paths.items():
        for line in core("product", size, 10, path,
                         blocks_per_row).splitlines():
            blocks, columns, seconds = line.split()
            times[int(columns)][size] = \
                1e9 * float(seconds) / int(blocks) / int(columns)
    for columns, by_size in times.items():
        growth(report, f"product, {blocks_per_row} blocks a row, "
               f"{columns} col.", "ns per block and column", by_size,
               target if columns == 1 else None)
    return times


def magic(report):
    found = read_csv("magic")
    if found is None:
        report.skip("magic")
        return
    rows = standardise(found[0])
    psql = Psql()
    psql.load("bench_magic_rows", rows)
    ours = psql.seconds(
        "SELECT gl_block_graph(p, scale => 'none') IS NULL"
        " FROM (SELECT gl_points(id, f) AS p FROM bench_magic_rows) s", 5)
    theirs = best_of(lambda: kneighbors_graph(rows, 10, n_jobs=-1), 3)
    report.line("magic, table to block graph", ours,
                "sklearn kneighbors_graph", theirs, 5)


def miniboone(report, folder):
    """500 steps with two columns, as the thesis timed them."""
    points = mixture(120000, 50, 50, 4)
    path = write_points(folder, points)
    report.line("120,000x50, build",
                float(core("build", len(points), 50, path, "bisect")),
                "thesis, MiniBooNE, Table 11", THEIR_BUILD, None)
    report.line("120,000x50, 500 steps",
                float(core("walk", len(points), 50, path, 500).split()[0]),
                "thesis, MiniBooNE, Table 12", THEIR_WALK, None)


def peak_gigabytes(psql):
    """The most memory the backend ever had, shared buffers included."""
    pid = psql("SELECT pg_backend_pid()")[0]
    with open(f"/proc/{pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines
                    if line.startswith("VmHWM")) / (1 << 20)


def million(report):
    psql = Psql()
    psql("SELECT setseed(0.5); DROP TABLE IF EXISTS bench_million;"
         "CREATE TABLE bench_million AS SELECT i::bigint AS id,"
         " array_agg(i % 7 * 2 + random() + random() ORDER BY j) AS f"
         " FROM generate_series(1, 1000000) i, generate_series(1, 10) j"
         " GROUP BY i; VACUUM ANALYZE bench_million")
    psql = Psql()                   # a fresh backend: its peak is ours alone
    psql("SET graphlearn.max_memory = '4GB'")
    seconds = {}
    seconds["build and store"] = psql.seconds(
        "DROP TABLE IF EXISTS bench_kept; CREATE TABLE bench_kept AS"
        " SELECT gl_block_graph(gl_points(id, f)) AS g FROM bench_million", 1)
    seconds["propagate from the stored graph"] = psql.seconds(
        "SELECT count(label) FROM bench_kept,"
        " gl_propagate(g, ARRAY(SELECT i FROM generate_series(1, 1000) i),"
        " ARRAY(SELECT i % 7 FROM generate_series(1, 1000) i),"
        " damping => 0.5)", 1)
    for what, taken in seconds.items():
        print(f"1,000,000x10, {what:<33} {taken:>8.1f} s", flush=True)
    report.value("peak memory of the backend, GB", peak_gigabytes(psql),
                 None, 4)


def run(report):
    with tempfile.TemporaryDirectory() as folder:
        paths = {size: write_points(folder, mixture(size, 10, 20, 3))
                 for size in SIZES}
        print(f"memory, triad {float(core('bandwidth').split()[0]):.1f} GB/s",
              flush=True)
        builds(report, paths)
        products(report, paths, 2, 3)
        del paths[SIZES[-1]]
        products(report, paths, REFINED, None)
        miniboone(report, folder)
    magic(report)
    million(report)
