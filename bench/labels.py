"""Labels for all of MAGIC from 10 % of them, from the table to the answer."""
import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.semi_supervised import LabelSpreading

from harness import Psql, best_of, read_csv, standardise

DRAWS = 3


def run(report):
    found = read_csv("magic")
    if found is None:
        report.skip("magic")
        return
    features, labels = found
    truth = labels == "g"
    scaled = standardise(features)
    psql = Psql()
    psql.load("bench_magic", features, {"label": labels})
    ours_auc, their_auc = [], []
    for draw in range(DRAWS):
        given = np.random.default_rng(draw).random(len(labels)) < 0.1
        ids = np.flatnonzero(given) + 1
        psql("DROP TABLE IF EXISTS bench_seeds;"
             "CREATE TABLE bench_seeds AS SELECT id, label FROM bench_magic"
             f" WHERE id = ANY ('{{{','.join(map(str, ids))}}}')")
        learn = ("SELECT r.id, r.scores[1] FROM"
                 " (SELECT gl_points(id, f) AS p FROM bench_magic) s,"
                 " (SELECT array_agg(id) AS ids, array_agg(label) AS labels"
                 "  FROM bench_seeds) l,"
                 " gl_propagate(gl_knn_graph(s.p, scale => 'standard'),"
                 "              l.ids, l.labels) r")
        psql("DROP TABLE IF EXISTS bench_answer;"
             f"CREATE TABLE bench_answer (id, score) AS {learn}")
        ours_auc.append(float(psql(
            "SELECT gl_auc(m.label = 'g', a.score) FROM bench_answer a"
            " JOIN bench_magic m USING (id) WHERE NOT EXISTS"
            " (SELECT 1 FROM bench_seeds s WHERE s.id = a.id)")[0]))
        target = np.where(given, truth.astype(int), -1)
        model = LabelSpreading(kernel="knn", n_neighbors=10, n_jobs=-1)
        model.fit(scaled, target)
        their_auc.append(roc_auc_score(
            truth[~given], model.label_distributions_[~given, 1]))
    report.value("AUC of gl_propagate, 10 % given", np.mean(ours_auc),
                 0.875, 0.885)
    report.value("AUC of LabelSpreading, 10 % given", np.mean(their_auc))
    theirs = best_of(lambda: LabelSpreading(
        kernel="knn", n_neighbors=10, n_jobs=-1).fit(scaled, target), 2)
    report.line("magic, table to labels", psql.seconds(
        f"SELECT count(*) FROM ({learn}) x"), "sklearn LabelSpreading",
        theirs, 1)
