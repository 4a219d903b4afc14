"""Which tree: the bound of the coarsest walk, and the time to build it.

The bound is log_likelihood of gl_info per row, in nats, at the bandwidth all
trees share; times are with a given one, without the search for it.  The rule
for the default: bisect, unless anchor has the higher bound on most data sets
at no more than twice the build time at 100,000 rows.
"""
import json

from harness import Psql, mixture, read_csv, standardise

TREES = ("bisect", "anchor", "random")
NAMES = ("breast_cancer", "digits", "segmentation", "waveform21", "magic")
MIXTURE = "mixture 100,000x10"
BUILD = ("SELECT gl_info(gl_block_graph(p, tree => '%s', scale => 'none',"
         " bandwidth => %s)) FROM"
         " (SELECT gl_points(id, f) AS p FROM bench_rows) s")


def data_sets():
    for name in NAMES:
        found = read_csv(name)
        yield name, None if found is None else standardise(found[0])
    yield MIXTURE, mixture(100000, 10, 20, 3)


def run(report):
    psql = Psql()
    wins = met = 0
    seconds = {}
    print(f"{'bound per row':<22} " + " ".join(f"{t:>9}" for t in TREES))
    for name, rows in data_sets():
        if rows is None:
            report.skip(name)
            continue
        psql.load("bench_rows", rows)
        bound = {}
        for tree in TREES:
            info = json.loads(psql(BUILD % (tree, "NULL"))[0])
            bound[tree] = info["log_likelihood"] / len(rows)
            if name == MIXTURE:
                seconds[tree] = psql.seconds(BUILD % (tree, "1"), 5)
        wins += bound["anchor"] > bound["bisect"]
        met += 1
        print(f"{name:<22} " + " ".join(f"{bound[t]:>9.3f}" for t in TREES),
              flush=True)
    print(f"{'build, ' + MIXTURE:<22} " +
          " ".join(f"{1000 * seconds[t]:>6.0f} ms" for t in TREES))
    ratio = seconds["anchor"] / seconds["bisect"]
    chosen = "anchor" if 2 * wins > met and ratio <= 2 else "bisect"
    print(f"anchor has the higher bound on {wins} of {met}, at {ratio:.1f} "
          f"times the build time: the rule says {chosen}", flush=True)
    report.value("the default is what the rule says",
                 float(chosen == "bisect"), 1, 1)
