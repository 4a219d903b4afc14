#!/usr/bin/python3
"""Answers of scikit-learn and igraph that the tests of src/core/measure use.

    /usr/bin/python3 test/reference/measures.py > test/reference/measures_answers.h

Needs python3-sklearn (1.2.1 when committed), python3-scipy and python3-igraph
(0.10.2).  The inputs come from a fixed seed and are printed beside their
answers, so the tests need neither library.
"""
import igraph
import numpy as np
import scipy
import sklearn
from scipy.optimize import linear_sum_assignment
from sklearn import metrics

random = np.random.default_rng(20261118)


def array(values, kind):
    body = ", ".join(repr(float(v)) if kind == "double" else str(int(v))
                     for v in values)
    lines, line = [], "\t\t"
    for word in body.split(" "):
        if len(line) + len(word) > 70:
            lines.append(line.rstrip())
            line = "\t\t"
        line += word + " "
    lines.append(line.rstrip())
    return "{\n" + "\n".join(lines) + "}"


def matched(truth, predicted):
    """Accuracy after the best matching, and macro F1 maximised among ties."""
    table = metrics.cluster.contingency_matrix(truth, predicted).astype(float)
    totals = table.sum(1)[:, None] + table.sum(0)[None, :]
    f1 = 2 * table / totals
    rows, columns = linear_sum_assignment(-(table + 1e-7 * f1))
    return (table[rows, columns].sum() / len(truth),
            f1[rows, columns].sum() / table.shape[0])


def label_case(truth, predicted):
    accuracy, f1 = matched(truth, predicted)
    classes = np.unique(truth)
    answers = [
        metrics.accuracy_score(truth, predicted),
        metrics.f1_score(truth, predicted, labels=classes, average="macro",
                         zero_division=0),
        metrics.cluster.contingency_matrix(truth, predicted).max(0).sum()
        / len(truth),
        metrics.normalized_mutual_info_score(truth, predicted),
        metrics.rand_score(truth, predicted),
        metrics.adjusted_rand_score(truth, predicted),
        accuracy,
        f1]
    print("\t{%d,\n\t%s,\n\t%s,\n\t%s},"
          % (len(truth), array(truth, "int"), array(predicted, "int"),
             array(answers, "double")))


def ranking_case(truth, score):
    print("\t{%d,\n\t%s,\n\t%s,\n\t%r, %r},"
          % (len(truth), array(truth, "int"), array(score, "double"),
             float(metrics.roc_auc_score(truth, score)),
             float(metrics.average_precision_score(truth, score))))


def graph_case(nodes, edges, weights, clusters, directed):
    graph = igraph.Graph(n=nodes, edges=edges, directed=directed)
    modularity = graph.modularity(clusters, weights=weights, directed=directed)
    print("\t{%d, %d, %s,\n\t%s,\n\t%s,\n\t%s,\n\t%s,\n\t%r},"
          % (nodes, len(edges), "true" if directed else "false",
             array([a for a, _ in edges], "int"),
             array([b for _, b in edges], "int"),
             array(weights, "double"), array(clusters, "int"),
             float(modularity)))


def random_edges(nodes, count, directed):
    """Distinct pairs, self-loops among them."""
    pairs = set()
    while len(pairs) < count:
        a, b = (int(v) for v in random.integers(0, nodes, 2))
        pairs.add((a, b) if directed else (min(a, b), max(a, b)))
    return sorted(pairs)


print("""/*
 * measures_answers.h
 *		Answers of scikit-learn %s, scipy %s and igraph %s.
 *
 * Written by test/reference/measures.py; do not edit.
 */
#ifndef MEASURES_ANSWERS_H
#define MEASURES_ANSWERS_H

#include <stdbool.h>

#define ANSWER_ROWS		60

typedef struct LabelAnswer
{
	int			row_count;
	int			truth[ANSWER_ROWS];
	int			predicted[ANSWER_ROWS];
	/* accuracy, f1, purity, nmi, rand, ari, matched accuracy, matched f1 */
	double		answers[8];
} LabelAnswer;

typedef struct RankingAnswer
{
	int			row_count;
	int			truth[ANSWER_ROWS];
	double		score[ANSWER_ROWS];
	double		auc;
	double		average_precision;
} RankingAnswer;

typedef struct ModularityAnswer
{
	int			node_count;
	int			edge_count;
	bool		is_directed;
	int			source[80];
	int			target[80];
	double		weight[80];
	int			cluster[40];
	double		modularity;
} ModularityAnswer;
""" % (sklearn.__version__, scipy.__version__, igraph.__version__))

print("static const LabelAnswer label_answers[] = {")
label_case([0, 0, 0, 0, 0, 1, 1, 1, 2, 2], [1, 1, 1, 0, 0, 0, 0, 0, 2, 1])
label_case([0] * 6, [0] * 6)
label_case([0, 0, 0, 1, 1, 2], [0] * 6)
label_case([0] * 6, [0, 1, 2, 3, 4, 5])
label_case([3, 3, 5, 5, 9, 9], [5, 5, 9, 9, 3, 3])
for classes, clusters, noise in ((2, 2, .2), (3, 3, .5), (4, 7, .3),
                                 (7, 4, .3), (5, 5, 1.), (12, 15, .6),
                                 (30, 30, .1)):
    truth = random.integers(0, classes, 60)
    predicted = truth % clusters
    wrong = random.random(60) < noise
    predicted[wrong] = random.integers(0, clusters, wrong.sum())
    label_case(truth, predicted)
print("};\n")

print("static const RankingAnswer ranking_answers[] = {")
ranking_case([0, 0, 1, 1], [.1, .4, .35, .8])
ranking_case([0, 1, 0, 1], [.5, .5, .5, .5])
for levels in (3, 10, 1000000):
    truth = (random.random(60) < .4).astype(int)
    score = np.round(truth * .5 + random.normal(size=60), 6)
    score = np.round(score * levels / 10) / levels * 10
    ranking_case(truth, score)
print("};\n")

print("static const ModularityAnswer modularity_answers[] = {")
karate = igraph.Graph.Famous("Zachary")
halves = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1,
          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
graph_case(34, karate.get_edgelist(), [1.] * 78, halves, False)
for directed in (False, True):
    for nodes, count, clusters in ((6, 10, 2), (30, 80, 5), (20, 60, 20)):
        edges = random_edges(nodes, count, directed)
        weights = np.round(random.random(count) * 4 + .01, 3)
        graph_case(nodes, edges, list(weights),
                   list(random.integers(0, clusters, nodes)), directed)
print("};\n")
print("#endif\t\t\t\t\t\t\t/* MEASURES_ANSWERS_H */")
