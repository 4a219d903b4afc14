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
    # name, rows, targets for (scikit-learn, scipy), repeats of the peers, and
    # how many rows the peer is asked about where all would take many minutes:
    # its time is then a lower bound
    ("magic", lambda: real("magic"), (2.5, 2), 3, None),
    ("sleep", lambda: real("sleep"), (4, None), 1, None),
    ("mixture 50,000x50", lambda: mixture(50000, 50, 50, 1), (4, None), 1,
     None),
    ("images 10,000x784", lambda: images(10000, 784, 2), (1.5, None), 3,
     None),
    ("skin", lambda: real("skin"), (None, 1), 3, None),
    ("donors", lambda: real("donors"), (None, 1), 1, 5000),
]


def run(report):
    psql = Psql()
    for name, make, (target_sklearn, target_scipy), repeat, asked in CASES:
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
            queries = rows if asked is None else rows[
                np.random.default_rng(0).choice(len(rows), asked, False)]
            theirs = best_of(lambda: cKDTree(rows).query(
                queries, k=K + 1, workers=-1), repeat)
            peer = "scipy cKDTree" if asked is None else \
                f"scipy cKDTree, {asked:,} rows"
            report.line(name, ours, peer, theirs, target_scipy)
