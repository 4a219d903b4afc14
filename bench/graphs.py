"""Which graph for labels: neighbours, one tree, 8 trees, 32 trees.

Four data sets of at most 1,600 rows, standardised; 1, 2, 5 and 10 % labels, at
least one of each class; five draws.  Accuracy, AUC for two classes, in points
of 100 on the rows without labels.  Each graph has the best of eight walks in
each cell, with hindsight, as the measurements behind the defaults had.
"""
from collections import defaultdict

import numpy as np

from harness import Psql, read_csv

NAMES = ("digits", "usps1500", "segmentation", "waveform21")
ROWS = 1600
SHARES = (0.01, 0.02, 0.05, 0.1)
DRAWS = 5
GRAPHS = {
    "10 neighbours": "gl_knn_graph(p, scale => 'standard')",
    "one tree": "gl_block_graph(p, scale => 'standard')",
    "8 trees": "gl_block_graph(p, trees => 8, scale => 'standard')",
    "32 trees": "gl_block_graph(p, trees => 32, scale => 'standard')",
}
WALKS = ("(VALUES (0.2), (0.5), (0.75), (0.9)) AS w(damping),"
         " (VALUES ('none'), ('seeds')) AS c(prior)")


def draw_seeds(labels, share, random):
    """Row numbers: one of each class, then at random up to the share."""
    order = random.permutation(len(labels))
    first = [next(i for i in order if labels[i] == c)
             for c in np.unique(labels)]
    rest = [i for i in order if i not in first]
    return first + rest[:max(0, round(share * len(labels)) - len(first))]


def load(psql, features, labels):
    psql.load("bench_rows", features, {"label": labels})
    psql("DROP TABLE IF EXISTS bench_seeds; CREATE TABLE bench_seeds"
         " (share float8, draw int, ids bigint[])")
    for share in SHARES:
        for draw in range(DRAWS):
            seeds = draw_seeds(labels, share, np.random.default_rng(draw))
            psql(f"INSERT INTO bench_seeds VALUES ({share}, {draw},"
                 f" '{{{','.join(str(i + 1) for i in seeds)}}}')")


def score(psql, graph, classes):
    """Mean over shares of the best walk's mean over draws, x 100."""
    measure = "gl_accuracy(t.label, r.label)" if len(classes) > 2 else \
        f"gl_auc(t.label = '{classes[1]}', r.scores[2])"
    lines = psql(
        f"WITH g AS MATERIALIZED (SELECT {graph} AS g FROM"
        " (SELECT gl_points(id, f) AS p FROM bench_rows) s)"
        " SELECT s.share, w.damping, c.prior, avg(x.score)"
        f" FROM g, bench_seeds s, {WALKS},"
        " LATERAL (SELECT array_agg(label ORDER BY o) AS labels FROM"
        "  unnest(s.ids) WITH ORDINALITY u(id, o) JOIN bench_rows"
        "  USING (id)) l,"
        f" LATERAL (SELECT {measure} AS score FROM gl_propagate(g.g, s.ids,"
        "  l.labels, method => 'lgc', damping => w.damping, prior =>"
        "  c.prior) r JOIN bench_rows t USING (id)"
        "  WHERE NOT t.id = ANY (s.ids)) x GROUP BY 1, 2, 3")
    best = defaultdict(float)
    for line in lines:
        share, _, _, mean = line.split("|")
        best[share] = max(best[share], float(mean))
    return 100 * np.mean(list(best.values()))


def run(report):
    psql = Psql()
    means = defaultdict(list)
    print(f"{'':<16}" + "".join(f"{name:>14}" for name in GRAPHS))
    for name in NAMES:
        found = read_csv(name)
        if found is None:
            report.skip(name)
            continue
        features, labels = found
        chosen = np.sort(np.random.default_rng(0).permutation(
            len(labels))[:ROWS])
        load(psql, features[chosen], labels[chosen])
        classes = sorted(np.unique(labels))
        for graph, sql in GRAPHS.items():
            means[graph].append(score(psql, sql, classes))
        print(f"{name:<16}" + "".join(
            f"{means[graph][-1]:>14.1f}" for graph in GRAPHS), flush=True)
    if not means:
        return
    mean = {graph: np.mean(values) for graph, values in means.items()}
    print(f"{'mean':<16}" + "".join(f"{mean[g]:>14.1f}" for g in GRAPHS))
    report.value("8 trees over one", mean["8 trees"] - mean["one tree"], 0)
    report.value("32 trees over 8", mean["32 trees"] - mean["8 trees"], 0)
    report.value("neighbours over 32 trees",
                 mean["10 neighbours"] - mean["32 trees"], 0)
