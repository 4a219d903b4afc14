"""The source's experiments on MAGIC: sizes, refinement, and forests."""
import tempfile
import time
from collections import defaultdict

import numpy as np
from sklearn.metrics import roc_auc_score

from blocks import core, write_points
from harness import Psql, standardise
from source.exact import (exact_bandwidth, exact_scores, exact_walk,
                          squared_distances)
from source.tables import (TABLE_8, TABLE_9, TABLE_10, TABLE_14, line,
                           print_table)

DRAWS = 5
DAMPING = 0.01
TREES = ("anchor", "bisect")
OWN_BANDWIDTH_UP_TO = 5000      # rows; 20 passes over all pairs take their time


class Magic:
    """Draw r of n rows: rank_r <= n; its labels: rank_r <= share * n."""

    def __init__(self, features, labels, scale):
        self.scale = scale
        self.rows = standardise(features) if scale == "standard" else features
        self.truth = labels == "g"
        self.psql = Psql()
        self.rank = [np.random.default_rng(draw).permutation(len(labels)) + 1
                     for draw in range(DRAWS)]
        self.psql.load("bench_draws", features, {
            "label": labels,
            **{f"rank{draw}": self.rank[draw] for draw in range(DRAWS)}})
        for draw in range(DRAWS):
            self.psql(f"ALTER TABLE bench_draws ALTER rank{draw} TYPE int"
                      f" USING rank{draw}::int")
        self.psql("VACUUM ANALYZE bench_draws")

    def build(self, graph, draw, size):
        """Keep a graph of a draw; its seconds, from the table to the graph."""
        source = ("FROM (SELECT gl_points(id, f) AS p FROM bench_draws"
                  f" WHERE rank{draw} <= {size}) s")
        graph = graph.replace("SCALE", f"scale => '{self.scale}'")
        seconds = self.psql.seconds(f"SELECT {graph} IS NULL {source}", 1)
        self.psql("DROP TABLE IF EXISTS bench_graph;"
                  f"CREATE TABLE bench_graph AS SELECT {graph} AS g {source}")
        return seconds

    def bandwidth(self):
        return float(self.psql(
            "SELECT gl_info(g) ->> 'bandwidth' FROM bench_graph")[0])

    def propagate(self, labelled, draw, damping=DAMPING):
        return (" (SELECT array_agg(id) AS ids, array_agg(label) AS labels"
                f"  FROM bench_draws WHERE rank{draw} <= {labelled}) l,"
                " gl_propagate(g, l.ids, l.labels, method => 'lgc',"
                f" damping => {damping}, prior => 'none',"
                " tolerance => 1e-13) r")

    def auc(self, draw, labelled, damping=DAMPING):
        """By the graph kept last: AUC on the hidden rows, and on all."""
        return [float(value) for value in self.psql(
            "SELECT gl_auc(truth, score) FILTER (WHERE hidden),"
            " gl_auc(truth, score) FROM (SELECT d.label = 'g' AS truth,"
            " CASE WHEN r.label IS NULL THEN 0.5 ELSE r.scores[1] END"
            f" AS score, d.rank{draw} > {labelled} AS hidden FROM bench_graph,"
            f"{self.propagate(labelled, draw, damping)} JOIN bench_draws d"
            " USING (id)) x")[0].split("|")]

    def seconds_to_limit(self, labelled, draw):
        return self.psql.seconds("SELECT count(*) FROM bench_graph,"
                                 f"{self.propagate(labelled, draw)}", 1)

    def exact(self, draw, size, labelled, bandwidth, damping=DAMPING):
        """(AUCs of the exact walk, seconds to make it, the squares)."""
        chosen = self.rank[draw] <= size
        truth = self.truth[chosen]
        given = self.rank[draw][chosen] <= labelled
        start = time.perf_counter()
        squares = squared_distances(self.rows[chosen])
        walk = exact_walk(squares, bandwidth)
        seconds = time.perf_counter() - start
        scores = exact_scores(walk, given, truth, damping)
        aucs = [roc_auc_score(truth[~given], scores[~given]),
                roc_auc_score(truth, scores)]
        return aucs, seconds, squares


def block_graph(tree, more=""):
    return (f"gl_block_graph(p, tree => '{tree}', learn_bandwidth => true,"
            f" SCALE{more})")


def knn_graph(k, bandwidth):
    return (f"gl_knn_graph(p, {k}, weights => 'gaussian', bandwidth =>"
            f" {bandwidth}, symmetry => 'directed', SCALE)")


def column_of(name):
    """The source's column beside which ours belongs."""
    return "VDT" if name in TREES else name.split(",")[0]


def measure_size(magic, size, trees, tables):
    """All of one size, into tables[kind][column][size]."""
    labelled = size // 10

    def note(kind, column, value):
        tables[kind][column][size].append(value)

    def note_auc(column, aucs):
        note("hidden", column, aucs[0])
        note("all", column, aucs[1])

    for draw in range(DRAWS):
        for tree in trees:
            note("build", tree, 1000 * magic.build(block_graph(tree), draw,
                                                   size))
            note_auc(tree, magic.auc(draw, labelled))
            note("spread", tree, 1000 * magic.seconds_to_limit(labelled,
                                                               draw))
            note("width", tree, magic.bandwidth())
        bandwidth = magic.bandwidth()               # of the last tree
        note("build", "kNN", 1000 * magic.build(knn_graph(2, bandwidth),
                                                draw, size))
        note_auc("kNN", magic.auc(draw, labelled))
        if size not in TABLE_10["exact"]:
            continue
        aucs, seconds, squares = magic.exact(draw, size, labelled, bandwidth)
        note_auc("exact", aucs)
        note("build", "exact", 1000 * seconds)
        if size <= OWN_BANDWIDTH_UP_TO:
            own = exact_bandwidth(squares, magic.rows.shape[1], bandwidth)
            note("width", "exact", own)
            note_auc("exact, own bandwidth",
                     magic.exact(draw, size, labelled, own)[0])


def size_study(magic, trees=TREES):
    tables = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for size in TABLE_10["VDT"]:
        measure_size(magic, size, trees, tables)
    return tables


def print_aucs(title, tables):
    for rows in ("hidden", "all"):
        print_table(f"Table 10, MAGIC, AUC on {rows} rows, 10 % labels, "
                    f"{title}", tables[rows], TABLE_10, column_of)


def print_sizes(tables):
    """Tables 8 and 9."""
    print_table("Table 8, MAGIC, construction, ms", tables["build"], TABLE_8,
                column_of)
    print_table("Table 9, MAGIC, propagation to the limit, ms",
                tables["spread"], TABLE_9, column_of)
    print_table("bandwidths (the source gives none)", tables["width"], {},
                column_of)


def five_hundred_steps(magic):
    """Table 9 as the source timed it: 500 steps, in the core."""
    print("-- Table 9, MAGIC, 500 steps in the core, CPU ms")
    with tempfile.TemporaryDirectory() as folder:
        for size, theirs in TABLE_9["VDT"].items():
            path = write_points(folder, magic.rows[:size])
            line("bisect", size, [
                1000 * float(core("walk", size, magic.rows.shape[1], path,
                                  500).split()[0])], theirs)


def refinement_study(magic, title, trees=TREES):
    """Table 14, on the hidden rows; the labelled ones are too few to matter."""
    size = len(magic.truth)
    labelled = size // 100
    print(f"-- Table 14, MAGIC, AUC, 1 % labels, by blocks a row, {title}")

    def note(column, blocks, theirs):
        line(column, blocks, [magic.auc(draw, labelled)[0]
                              for draw in range(DRAWS)], theirs[blocks])

    for blocks in TABLE_14["VDT"]:
        for tree in trees:
            magic.build(block_graph(tree, f", blocks_per_row => {blocks}"),
                        0, size)
            note(tree, blocks, TABLE_14["VDT"])
        magic.build(knn_graph(blocks, magic.bandwidth()), 0, size)
        note("kNN", blocks, TABLE_14["kNN"])


def forest_study(report, magic):
    """32 trees beside the exact walk, at the same bandwidth and damping.

    The target is for the source's damping.  Longer walks add up what averaging
    over blocks does: the forest's kernel is wider than the exact one.
    """
    size, labelled = 5000, 500
    print("-- 32 trees beside the exact walk, MAGIC, 5,000 rows, 10 % labels,"
          " AUC")
    magic.build("gl_block_graph(p, SCALE)", 0, size)
    default = magic.bandwidth()
    for share, bandwidth in ((1, default), (2, 2 * default)):
        aucs = defaultdict(list)
        for draw in range(DRAWS):
            magic.build("gl_block_graph(p, trees => 32, SCALE,"
                        f" bandwidth => {bandwidth})", draw, size)
            for damping in (DAMPING, 0.5):
                aucs["32 trees", damping].append(
                    magic.auc(draw, labelled, damping)[0])
                aucs["exact", damping].append(magic.exact(
                    draw, size, labelled, bandwidth, damping)[0][0])
        print(f"bandwidth {share} x the default's:")
        for (walk, damping), values in aucs.items():
            line(f"  {walk}, damping {damping}", size, values, None)
        report.value("    difference at damping 0.01",
                     np.mean(aucs["32 trees", DAMPING]) -
                     np.mean(aucs["exact", DAMPING]), -0.02, 0.02)
