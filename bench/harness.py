"""What the benchmarks share: a psql session, data sets, timing, the table."""
import gzip
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Real data beyond what ships with the project; benchmarks skip without it.
DATA = pathlib.Path(os.environ.get("GL_DATA", ROOT.parent / "shared" / "data"))


class Psql:
    """One backend, kept open, so that loading the library is not timed."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self("CREATE EXTENSION IF NOT EXISTS graphlearn")
        self("SET jit = off; SET max_parallel_workers_per_gather = 0;"
             "SET work_mem = '256MB'; SET graphlearn.max_memory = '8GB'")
        self("SET client_min_messages = warning")

    def __call__(self, sql):
        """Run a statement; its lines."""
        self.process.stdin.write(sql + ";\n\\echo <end>\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if line == "":
                raise RuntimeError(self.process.stderr.read())
            if line.rstrip("\n") == "<end>":
                return lines
            lines.append(line.rstrip("\n"))

    def seconds(self, sql, repeat=3):
        """Best time of a statement over a few runs."""
        best = float("inf")
        for _ in range(repeat):
            start = time.perf_counter()
            self(sql)
            best = min(best, time.perf_counter() - start)
        return best

    def load(self, table, rows, extra=None, type_name="float8"):
        """A table (id, f) with one array per row; ids from 1, ascending."""
        columns = "".join(f", {name} text" for name in (extra or {}))
        self(f"DROP TABLE IF EXISTS {table};"
             f"CREATE TABLE {table} (id bigint, f {type_name}[]{columns})")
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as out:
            for i, row in enumerate(rows):
                line = f"{i + 1}\t{{{','.join(map(repr, row.tolist()))}}}"
                for values in (extra or {}).values():
                    line += f"\t{values[i]}"
                out.write(line + "\n")
            out.flush()
            self(f"\\copy {table} from '{out.name}'\n")
        self(f"VACUUM ANALYZE {table}")


def best_of(function, repeat=3):
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def read_csv(name):
    """(features, labels) of a data set, or None if it is not here."""
    path = DATA / f"{name}.csv.gz"
    if not path.exists():
        return None
    with gzip.open(path, "rt") as lines:
        next(lines)
        rows = [line.rstrip("\n").split(",") for line in lines]
    features = np.array([row[:-1] for row in rows], dtype=float)
    return features, np.array([row[-1] for row in rows])


def standardise(features):
    deviation = features.std(axis=0)
    deviation[deviation == 0] = 1
    return (features - features.mean(axis=0)) / deviation


def mixture(rows, columns, clusters, seed):
    """A Gaussian mixture with random centres."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(clusters, columns)) * 3
    return centres[random.integers(clusters, size=rows)] + \
        random.normal(size=(rows, columns))


class Report:
    def __init__(self):
        self.missed = 0

    def section(self, name, title):
        print(f"\n== {name}: {title}", flush=True)

    def line(self, what, ours, peer, theirs, target):
        """Times in seconds; target: how many times faster we must be."""
        ratio = theirs / ours
        verdict = "" if target is None else \
            f"  target {target:g}x  {'ok' if ratio >= target else 'MISSED'}"
        self.missed += target is not None and ratio < target
        print(f"{what:<34} {1000 * ours:>10.1f} ms  {peer:<26} "
              f"{1000 * theirs:>10.1f} ms  {ratio:>6.2f}x{verdict}",
              flush=True)

    def value(self, what, value, low=None, high=None):
        inside = (low is None or value >= low) and \
            (high is None or value <= high)
        self.missed += not inside
        wanted = "" if low is None and high is None else \
            f"  wanted {low} .. {high}  {'ok' if inside else 'MISSED'}"
        print(f"{what:<34} {value:>10.4f}{wanted}", flush=True)

    def skip(self, what):
        print(f"{what:<34} skipped: data not found in {DATA}", flush=True)

    def finish(self):
        print(f"\n{self.missed} targets missed")
        return self.missed != 0
