"""One product with a kNN graph, beside scipy's CSR on the same matrix."""
import subprocess
import tempfile

import numpy as np
from scipy.sparse import csr_matrix

from harness import ROOT, best_of, mixture


PROGRAM = ROOT / "build" / "bench" / "product"     # built by make bench


def run(report):
    with tempfile.TemporaryDirectory() as folder:
        for rows in (20000, 200000):
            points = mixture(rows, 10, 20, 3)
            points.tofile(f"{folder}/points")
            printed = subprocess.run(
                [PROGRAM, str(rows), "10", f"{folder}/points",
                 f"{folder}/graph"],
                capture_output=True, text=True, check=True).stdout
            matrix = csr_matrix(
                (np.fromfile(f"{folder}/graph.weight"),
                 np.fromfile(f"{folder}/graph.neighbour", dtype=np.int32),
                 np.fromfile(f"{folder}/graph.start", dtype=np.int64)),
                shape=(rows, rows))
            matrix.indices = matrix.indices.astype(np.int32)
            matrix.indptr = matrix.indptr.astype(np.int32)
            for line in printed.splitlines():
                columns, seconds = line.split()
                x = np.random.default_rng(0).random((rows, int(columns)))
                if columns == "1":
                    x = x[:, 0]
                report.line(f"{rows:,} rows, {columns} columns",
                            float(seconds), "scipy csr @ x",
                            best_of(lambda: matrix @ x, 50), 1 / 1.2)
