"""Labels of rows never seen, from a stored model, beside k nearest neighbours."""
import subprocess
import tempfile

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from harness import ROOT, Psql, best_of, mixture, read_csv, standardise

PROGRAM = ROOT / "build" / "bench" / "descent"     # built by make bench
TOLERANCES = (0.1, 0.01)


def data_sets():
    """(name, features, labels), scaled as both sides get them."""
    for name, scaled in (("magic", True), ("waveform21", False),
                         ("digits", False), ("usps1500", False)):
        found = read_csv(name)
        if found is None:
            yield name, None, None
            continue
        features, labels = found
        yield name, standardise(features) if scaled else features, labels
    features = mixture(120000, 10, 20, 1)
    yield "mixture 100k x 10", features, \
        np.where(features[:, 0] > 0, "right", "left")


def split(labels, seed=0):
    """Every sixth row is new."""
    new = np.zeros(len(labels), dtype=bool)
    order = np.random.default_rng(seed).permutation(len(labels))
    new[order[:len(labels) // 6]] = True
    return new


MODEL = """DROP TABLE IF EXISTS bench_model;
CREATE TABLE bench_model AS SELECT gl_label_model({graph}, ids, labels) AS model
FROM (SELECT gl_points(id, f) AS p, array_agg(id ORDER BY id) AS ids,
             array_agg(label ORDER BY id) AS labels FROM bench_old) s"""


def answers(psql, options=""):
    return np.array(psql(
        f"SELECT coalesce(gl_predict(model, f{options}), '')"
        " FROM bench_model, bench_new ORDER BY id"))


def nodes_looked_at(old, new, labels, trees):
    """Per tolerance: nodes of the trees looked at for a new row, by the core."""
    classes = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    with tempfile.NamedTemporaryFile() as rows, \
            tempfile.NamedTemporaryFile() as numbers:
        np.ascontiguousarray(np.vstack([old, new])).tofile(rows.name)
        classes.tofile(numbers.name)
        lines = subprocess.run(
            [PROGRAM, str(len(old)), str(len(new)), str(old.shape[1]),
             rows.name, numbers.name, str(trees), *map(str, TOLERANCES)],
            check=True, capture_output=True, text=True).stdout.splitlines()
    return [float(line.split()[2]) for line in lines]


def neighbours(report, psql, name, features, labels, new):
    peer = KNeighborsClassifier(10).fit(features[~new], labels[~new])
    psql(MODEL.format(graph="gl_knn_graph(p, scale => 'none')"))
    found = answers(psql)
    report.value(f"{name}: accuracy of gl_predict",
                 np.mean(found == labels[new]))
    report.value(f"{name}: of KNeighborsClassifier",
                 np.mean(peer.predict(features[new]) == labels[new]))
    report.line(f"{name}: {new.sum()} of {len(labels)} rows",
                psql.seconds("SELECT count(gl_predict(model, f))"
                             " FROM bench_model, bench_new"),
                "sklearn KNeighborsClassifier",
                best_of(lambda: peer.predict(features[new])), 1)


def blocks(report, psql, name, features, labels, new, trees):
    """A sample of the new rows: the exact row looks at every old one."""
    some = np.random.default_rng(1).permutation(np.flatnonzero(new))[:1000]
    psql.load("bench_new", features[some])
    psql(MODEL.format(graph="gl_block_graph(p, scale => 'none',"
                      f" trees => {trees})"))
    exact = answers(psql, ", 0")
    nodes = nodes_looked_at(features[~new], features[some], labels[~new],
                            trees)
    report.value(f"{name}, {trees} trees: accuracy, exact rows",
                 np.mean(exact == labels[some]))
    for tolerance, looked_at in zip(TOLERANCES, nodes):
        what = f"  tolerance {tolerance:g}:"
        seconds = psql.seconds(f"SELECT count(gl_predict(model, f, {tolerance}))"
                               " FROM bench_model, bench_new")
        report.value(f"{what} rows a second", len(some) / seconds)
        report.value(f"{what} nodes a row", looked_at)
        report.value(f"{what} agrees with exact", np.mean(
            exact == answers(psql, f", {tolerance}")))


def run(report):
    psql = Psql()
    for name, features, labels in data_sets():
        if features is None:
            report.skip(name)
            continue
        new = split(labels)
        psql.load("bench_old", features[~new], {"label": labels[~new]})
        psql.load("bench_new", features[new], {"label": labels[new]})
        neighbours(report, psql, name, features, labels, new)
        for trees in (1, 8):
            blocks(report, psql, name, features, labels, new, trees)
