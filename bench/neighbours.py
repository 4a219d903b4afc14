"""Exact 10-neighbour graphs, from the table to the graph, one backend.

Peers run on both cores, on the same standardised rows in memory.
"""
import numpy as np
from scipy.spatial import cKDTree
from sklearn.neighbors import kneighbors_graph

from harness import Psql, best_of, mixture, read_csv, standardise

K = 10


def images(rows, columns, seed):
    """Curved 12-dimensional sheets in many columns, as images are."""
    random = np.random.default_rng(seed)
    latent = random.normal(size=(rows, 12)) + \
        4 * random.normal(size=(10, 12))[random.integers(10, size=rows)]
    return np.tanh(latent @ random.normal(size=(12, columns)) / 4) + \
        0.1 * random.normal(size=(rows, columns))


def real(name):
    found = read_csv(name)
    return None if found is None else standardise(found[0])


CASES = [
    # name, rows, targets for (scikit-learn, scipy), repeats of the peers
    ("magic", lambda: real("magic"), (2.5, 2), 3),
    ("sleep", lambda: real("sleep"), (4, None), 1),
    ("mixture 50,000x50", lambda: mixture(50000, 50, 50, 1), (4, None), 1),
    ("images 10,000x784", lambda: images(10000, 784, 2), (1.5, None), 2),
    ("skin", lambda: real("skin"), (None, 1), 2),
    ("donors", lambda: real("donors"), (None, 1), 1),
]


def run(report):
    psql = Psql()
    for name, make, (target_sklearn, target_scipy), repeat in CASES:
        rows = make()
        if rows is None:
            report.skip(name)
            continue
        psql.load("bench_rows", rows)
        ours = psql.seconds(
            "SELECT gl_knn_graph(p, 10, scale => 'none') IS NULL"
            " FROM (SELECT gl_points(id, f) AS p FROM bench_rows) s")
        if target_sklearn is not None:
            theirs = best_of(lambda: kneighbors_graph(
                rows, K, mode="distance", n_jobs=-1), repeat)
            report.line(name, ours, "sklearn kneighbors_graph", theirs,
                        target_sklearn)
        if target_scipy is not None:
            theirs = best_of(lambda: cKDTree(rows).query(
                rows, k=K + 1, workers=-1), repeat)
            report.line(name, ours, "scipy cKDTree", theirs, target_scipy)
