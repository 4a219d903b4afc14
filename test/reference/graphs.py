#!/usr/bin/python3
"""Answers of numpy, scipy and scikit-learn about graphs and labels.

    /usr/bin/python3 test/reference/graphs.py

writes the .csv files beside itself, which sql/reference_*.sql compare with
what the extension computes on the same data (see README.md).  Nothing here
shares code with the extension: neighbours come from scikit-learn's trees,
components and spanning trees from scipy, weights and labels from the formulas
with full matrices.
"""
import csv
import gzip
import pathlib

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import pdist, squareform
from sklearn.neighbors import KDTree
from sklearn.semi_supervised import LabelSpreading

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent


def read(path, rows=None):
    """Features and labels; the id of a row is its number, from 1."""
    with gzip.open(TOP / path, "rt") as file:
        lines = list(csv.reader(file))[1:]
    lines = lines[:rows]
    return (np.array([[float(v) for v in line[:-1]] for line in lines]),
            np.array([line[-1] for line in lines]))


DATA = {
    "iris": read("test/data/iris.csv.gz"),
    "wine": read("test/data/wine.csv.gz"),
    "breast_cancer": read("test/data/breast_cancer.csv.gz"),
    "digits": read("demo/digits.csv.gz", 300),
}


def write(name, header, rows):
    with open(HERE / name, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def standard(x):
    """Columns over their population deviation; constant ones stay."""
    deviation = x.std(axis=0)
    return x / np.where(deviation > 0, deviation, 1)


def braces(values):
    return "{" + ",".join(values) + "}"


# --- neighbours ---------------------------------------------------------------

def knn():
    """The k nearest others; ties (to 1e-9) by id."""
    rows = []
    for name, k in (("iris", 10), ("wine", 10), ("breast_cancer", 5),
                    ("digits", 5)):
        x = DATA[name][0]
        tree = KDTree(x)
        distance, _ = tree.query(x, k=k + 1)
        # everyone up to the farthest, so that ties can be put in order
        found, far = tree.query_radius(x, r=distance[:, -1] + 1e-9,
                                       return_distance=True)
        for i in range(len(x)):
            near = sorted((round(d, 9), j, d) for d, j in zip(far[i], found[i])
                          if j != i)[:k]
            rows.append([name, i + 1, braces(str(j + 1) for _, j, _ in near),
                         braces("%.12g" % d for _, _, d in near)])
    write("knn.csv", ["dataset", "id", "neighbours", "distances"], rows)


# --- components ---------------------------------------------------------------

def arcs():
    """A sparse directed graph that SQL can make too."""
    return [(i * 137 % 400, (i * i * 3 + i * 7 + 11) % 400)
            for i in range(200)]


def numbered(labels, ids):
    """Components 1, 2, ... in order of their smallest id."""
    number, out = {}, []
    for node, label in sorted(zip(ids, labels)):
        number.setdefault(label, len(number) + 1)
        out.append((node, number[label]))
    return out


def components():
    rows = []
    for name, scaled, radius in (("iris", False, 0.35), ("wine", True, 2.0),
                                 ("breast_cancer", True, 2.5)):
        x = DATA[name][0]
        distance = squareform(pdist(standard(x) if scaled else x))
        close = (distance < radius).astype(int)
        labels = connected_components(csr_matrix(close))[1]
        rows += [(name, *pair) for pair in
                 numbered(labels, range(1, len(x) + 1))]
    pairs = np.array(arcs())
    matrix = csr_matrix((np.ones(len(pairs)), pairs.T), shape=(400, 400))
    labels = connected_components(matrix, directed=True, connection="weak")[1]
    named = sorted(set(pairs.ravel()))
    rows += [("arcs", *pair) for pair in numbered(labels[named], named)]
    write("components.csv", ["dataset", "id", "component"], rows)


# --- spanning trees -----------------------------------------------------------

def trees():
    """Total length of each tree; its edges where no two lengths are equal."""
    totals, edges = [], []
    for name in DATA:
        x = DATA[name][0]
        # scipy reads 0 as "no edge"; equal rows add nothing to the length
        unique = np.unique(x, axis=0)
        tree = minimum_spanning_tree(squareform(pdist(unique)))
        totals.append([name, repr(float(tree.sum()))])
        lengths = np.sort(pdist(x))
        if len(unique) < len(x) or np.diff(lengths).min() < 1e-9:
            continue
        tree = minimum_spanning_tree(squareform(pdist(x))).tocoo()
        edges += [[name, int(min(a, b)) + 1, int(max(a, b)) + 1, "%.12g" % w]
                  for a, b, w in zip(tree.row, tree.col, tree.data)]
    write("tree_totals.csv", ["dataset", "total"], totals)
    write("tree_edges.csv", ["dataset", "source", "target", "length"],
          sorted(edges))


# --- the default graph and labels on it ---------------------------------------

def default_graph(x, k=10):
    """G10: k neighbours, ties by row; local scaling; (A + A')/2."""
    n = len(x)
    squared = np.zeros((n, n))
    for column in x.T:
        squared = squared + (column[:, None] - column[None, :]) ** 2
    order = np.argsort(squared + np.diag([np.inf] * n), axis=1,
                       kind="stable")[:, :k]
    near = np.sqrt(np.take_along_axis(squared, order, axis=1))
    s = np.maximum(near[:, min(7, k) - 1], 1e-3 * near.mean())
    a = np.zeros((n, n))
    for i in range(n):
        a[i, order[i]] = np.exp(-2 * near[i] ** 2 / (s[i] * s[order[i]]))
    return (a + a.T) / 2


GRAPHS = {
    "iris": default_graph(DATA["iris"][0]),
    "wine": default_graph(standard(DATA["wine"][0])),
}
# uneven numbers of seeds, so that the class prior matters
SEEDS = {
    "iris": [1, 26, 51, 76, 101, 126],
    "wine": [1, 30, 60, 75, 90, 120, 131],
}


def weights():
    rows = []
    for name, w in GRAPHS.items():
        rows += [[name, i + 1, j + 1, repr(float(w[i, j]))]
                 for i, j in zip(*np.nonzero(np.triu(w)))]
    write("weights.csv", ["dataset", "source", "target", "weight"], rows)


def lgc(w, y, damping):
    """F = (1-g) (I - g S)^-1 Y, rows scaled to sum 1."""
    degree = w.sum(axis=1)
    s = w / np.sqrt(degree[:, None] * degree[None, :])
    f = (1 - damping) * np.linalg.solve(np.eye(len(w)) - damping * s, y)
    return f / f.sum(axis=1, keepdims=True)


def check_lgc(w, y, damping, scores):
    """scikit-learn's LabelSpreading on the same affinities agrees."""
    n = len(w)
    labels = np.where(y.sum(axis=1) > 0, y.argmax(axis=1), -1)
    model = LabelSpreading(kernel=lambda a, b: w, alpha=damping,
                           max_iter=100000, tol=1e-14)
    model.fit(np.arange(n)[:, None], labels)
    assert np.abs(model.label_distributions_ - scores).max() < 1e-10


def harmonic(w, y, damping=0.98, pseudo=10):
    """f_U = g (P_UU f_U + P_UL y_L), then class mass normalisation."""
    seed = y.sum(axis=1) > 0
    p = w / w.sum(axis=1, keepdims=True)
    f = y.copy()
    f[~seed] = np.linalg.solve(
        np.eye((~seed).sum()) - damping * p[np.ix_(~seed, ~seed)],
        damping * p[np.ix_(~seed, seed)] @ y[seed])
    prior = (y.sum(axis=0) + pseudo) / (y.sum() + pseudo * y.shape[1])
    scores = f * prior / f.sum(axis=0)
    scores /= scores.sum(axis=1, keepdims=True)
    scores[seed] = y[seed]
    return scores


def labels():
    rows = []
    for name, w in GRAPHS.items():
        truth = DATA[name][1]
        classes = sorted(set(truth))
        y = np.zeros((len(w), len(classes)))
        for node in SEEDS[name]:
            y[node - 1, classes.index(truth[node - 1])] = 1
        spread = lgc(w, y, 0.9)
        check_lgc(w, y, 0.9, spread)
        for method, scores in (("lgc", spread), ("harmonic", harmonic(w, y))):
            best = np.sort(scores, axis=1)
            assert (best[:, -1] - best[:, -2]).min() > 1e-6  # no close calls
            rows += [[name, method, i + 1, classes[scores[i].argmax()],
                      braces("%.12g" % v for v in scores[i])]
                     for i in range(len(w))]
    write("labels.csv", ["dataset", "method", "id", "label", "scores"], rows)


if __name__ == "__main__":
    knn()
    components()
    trees()
    weights()
    labels()
