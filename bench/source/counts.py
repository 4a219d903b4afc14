"""The source's simulated documents: Tables 17 to 19.

Five classes of 30 terms, lengths Poisson with mean 100, 1 % labels.  The
profiles of the classes are a figure in the source, without numbers: ours are
exp(1.5 common + 0.4 own) of normal numbers, normalised, chosen once so that
counts with the anchor tree come near the source at 10,000 rows.  All other
cells follow from that.
"""
import tempfile
from collections import defaultdict

import numpy as np

from harness import Psql
from source.tables import TABLE_17, TABLE_18, TABLE_19, print_table

DRAWS = 5
CLASSES, TERMS, LENGTH = 5, 30, 100
SIZES = tuple(TABLE_17["counts"])
# The anchor tree takes its time: one draw beyond, none beyond that.
ANCHOR_ALL_DRAWS = 10000
ANCHOR_LAST = {"euclidean": 200000, "counts": 50000}


def profiles():
    random = np.random.default_rng(0)
    common = 1.5 * random.normal(size=TERMS)
    weight = np.exp(common + 0.4 * random.normal(size=(CLASSES, TERMS)))
    return weight / weight.sum(axis=1, keepdims=True)


def documents(rows, seed):
    """Counts and classes: a Poisson number of each term, independently."""
    random = np.random.default_rng(seed)
    truth = random.integers(CLASSES, size=rows)
    return random.poisson(LENGTH * profiles()[truth]), truth


def load(psql):
    """Rows 1 .. n of a draw are a sample, and the first of them its labels."""
    psql("DROP TABLE IF EXISTS bench_documents; CREATE TABLE bench_documents"
         " (draw int, id bigint, f int[], label int)")
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as out:
        for draw in range(DRAWS):
            counts, truth = documents(SIZES[-1], draw)
            for i, row in enumerate(counts.tolist()):
                out.write(f"{draw}\t{i + 1}\t{{{','.join(map(str, row))}}}"
                          f"\t{truth[i]}\n")
        out.flush()
        psql(f"\\copy bench_documents from '{out.name}'\n")
    psql("CREATE INDEX ON bench_documents (draw, id);"
         "VACUUM ANALYZE bench_documents")


def measure(psql, metric, tree, draw, size):
    """(ms to build, ms to propagate, accuracy on the rows without labels)."""
    learn = "true" if metric == "euclidean" else "false"
    sample = f"FROM bench_documents WHERE draw = {draw} AND id <= {size}"
    labelled = size // 100
    psql("DROP TABLE IF EXISTS bench_graph")
    build = psql.seconds(
        "CREATE TABLE bench_graph AS SELECT gl_block_graph(gl_points(id, f),"
        f" tree => '{tree}', metric => '{metric}', learn_bandwidth =>"
        f" {learn}, keep_points => false) AS g {sample}", 1)
    psql("DROP TABLE IF EXISTS bench_answer")
    spread = psql.seconds(
        "CREATE TABLE bench_answer AS SELECT r.id, r.label FROM bench_graph,"
        " (SELECT array_agg(id) AS ids, array_agg(label) AS labels"
        f"  {sample} AND id <= {labelled}) l,"
        " gl_propagate(g, l.ids, l.labels, method => 'lgc', damping => 0.01,"
        " prior => 'none', tolerance => 1e-13) r", 1)
    accuracy = float(psql(
        "SELECT avg((a.label IS NOT DISTINCT FROM d.label)::int) FROM"
        " bench_answer a JOIN bench_documents d ON d.id = a.id AND"
        f" d.draw = {draw} WHERE a.id > {labelled}")[0])
    return 1000 * build, 1000 * spread, accuracy


def draws_of(metric, tree, size):
    if tree == "bisect" or size <= ANCHOR_ALL_DRAWS:
        return DRAWS
    return int(size <= ANCHOR_LAST[metric])


def column_of(name):
    return name.split(",")[0]


def counts_study():
    psql = Psql()
    load(psql)
    tables = [defaultdict(lambda: defaultdict(list)) for _ in range(3)]
    for size in SIZES:
        for metric in ("euclidean", "counts"):
            for tree in ("anchor", "bisect"):
                for draw in range(draws_of(metric, tree, size)):
                    for table, value in zip(tables, measure(
                            psql, metric, tree, draw, size)):
                        table[f"{metric}, {tree}"][size].append(value)
    for title, ours, theirs in zip(
            ("Table 17, construction, ms",
             "Table 18, propagation to the limit, ms",
             "Table 19, accuracy, 1 % labels"), tables,
            (TABLE_17, TABLE_18, TABLE_19)):
        print_table(f"{title}, simulated counts", ours, theirs, column_of)
