"""Maps from distances: speed beside scikit-learn, and the source's tables again."""
import csv
import time

import numpy as np
from sklearn.manifold import MDS

from harness import DATA, Psql, read_csv, standardise

# Sensor networks, Tables 5.1 and 5.2 of the source: RMSE of PLACEMENT, of
# Pong and Tseng, and of Krislock, by (n, R, noise of ranges, step).
SENSORS = {
    (1000, 0.06): {
        (0, .01): (2.29e-3, 7.67e-2, 8.44e-14), (0, .1): (2.75e-2, 8.25e-2, 2.52e-13),
        (0, .2): (4.10e-2, 7.18e-2, 1.66e-13), (.1, .01): (5.65e-3, 7.27e-2, 5.54e+1),
        (.1, .1): (3.09e-2, 8.63e-2, 7.95e+2), (.1, .2): (3.82e-2, 7.24e-2, 7.64e+3),
        (.3, .01): (1.85e-2, 7.86e-2, 7.29e+1), (.3, .1): (3.38e-2, 8.56e-2, 1.16e+2),
        (.3, .2): (4.58e-2, 7.20e-2, 9.05)},
    (2000, 0.05): {
        (0, .01): (3.78e-3, 6.21e-2, 5.53e-14), (0, .1): (2.05e-2, 7.84e-2, 1.33e-13),
        (0, .2): (4.04e-2, 5.98e-2, 6.65e-14), (.1, .01): (6.28e-3, 5.79e-2, 1.08e+2),
        (.1, .1): (2.12e-2, 6.40e-2, 6.78e+1), (.1, .2): (3.02e-2, 8.96e-2, 6.17e+1),
        (.3, .01): (7.49e-3, 7.42e-2, 4.12e+3), (.3, .1): (2.52e-2, 6.89e-2, 9.69e+1),
        (.3, .2): (3.33e-2, 7.83e-2, 1.53e+2)},
}
ANCHORS = 20
NETWORKS = 3


def speed(report, psql):
    found = read_csv("magic")
    if found is None:
        report.skip("magic")
        return
    rows = standardise(found[0])[np.random.default_rng(0).permutation(
        len(found[0]))[:3000]]
    psql.load("bench_mds", rows)
    start = time.perf_counter()
    peer = MDS(n_components=2, n_init=1, n_jobs=-1, random_state=0,
               normalized_stress=False).fit(rows)
    theirs = time.perf_counter() - start
    psql("DROP TABLE IF EXISTS bench_map; CREATE TABLE bench_map (id bigint, coords float8[])")
    ours = psql.seconds("TRUNCATE bench_map; INSERT INTO bench_map SELECT m.* FROM"
                        " (SELECT gl_points(id, f) AS p FROM bench_mds) s, gl_mds(s.p) m", 2)
    stress = float(psql(
        "SELECT k.stress FROM (SELECT gl_points(id, f) AS p FROM bench_mds) s,"
        " (SELECT array_agg(id) AS ids, array_agg(coords) AS c FROM bench_map) l,"
        " gl_stress(s.p, l.ids, l.c) k")[0])
    report.line("3,000 rows of MAGIC, 2-D", ours, "sklearn MDS", theirs, 10)
    report.value("our stress / theirs", stress / peer.stress_, None, 1.0)


def stream(report, psql):
    times = []
    for n in (10_000, 100_000):
        psql(f"DROP TABLE IF EXISTS bench_stream; CREATE TABLE bench_stream AS SELECT i AS id,"
             f" (SELECT array_agg(sin(i * j * 0.7) + cos(i + j)) FROM generate_series(1, 50) j) AS f"
             f" FROM generate_series(1, {n}) i")
        psql("VACUUM ANALYZE bench_stream")
        times.append(psql.seconds(
            "SELECT count(*) FROM (SELECT gl_points(id, f) AS p FROM bench_stream) s,"
            " gl_mds(s.p, method => 'stream', landmarks => 300, scale => 'none')", 1))
        print(f"stream, {n:>7,} x 50, 300 landmarks    {1000 * times[-1]:>10.0f} ms", flush=True)
    report.value("100,000 rows / 10,000 rows", times[1] / times[0], None, 12)
    memory = psql("SELECT pg_backend_pid()")[0]
    with open(f"/proc/{memory}/status") as status:
        peak = next(line for line in status if line.startswith("VmHWM"))
    print(f"peak memory of that backend         {int(peak.split()[1]) / 1024:>10.0f} MB", flush=True)


def sheet(rows, columns, inner, noise, seed):
    """Points of a subspace with noise, as in chapters 2 and 4."""
    random = np.random.default_rng(seed)
    basis = random.normal(size=(inner, columns)) / np.sqrt(inner)
    return random.uniform(-1, 1, size=(rows, inner)) @ basis + \
        noise * random.normal(size=(rows, columns))


def stress_of(psql, table, call):
    return float(psql(
        f"SELECT k.normalised FROM (SELECT gl_points(id, f) AS p FROM {table}) s,"
        f" LATERAL (SELECT array_agg(id) AS ids, array_agg(coords) AS c FROM {call}) l,"
        " gl_stress(s.p, l.ids, l.c) k")[0])


def sweeps(psql):
    """Chapter 2: cost by sweep, place beside SMACOF."""
    psql.load("bench_sheet", sheet(300, 200, 10, 0.1, 1))
    print("normalised stress after             " + "".join(
        f"{n:>9}" for n in (1, 2, 5, 10, 20, 50, 100)) + " sweeps")
    for method in ("place", "smacof"):
        print(f"{method:<35} " + "".join(
            f"{stress_of(psql, 'bench_sheet', f'gl_mds(s.p, 2, method => {method!r}, iterations => {n}, tolerance => 0)'):>9.4f}"
            for n in (1, 2, 5, 10, 20, 50, 100)), flush=True)


def landmarks(psql):
    """Chapter 4: error by landmarks and passes, beside FastMap."""
    psql.load("bench_sheet", sheet(2000, 100, 30, 0.1, 2))
    counts = (50, 100, 200, 500)
    print("normalised stress with              " + "".join(
        f"{n:>9}" for n in counts) + " landmarks")
    for policy in ("random", "maxmin", "fixed", "kmeans"):
        for passes in (1, 2, 3):
            print(f"stream {policy}, {passes} passes".ljust(36) + "".join(
                f"{stress_of(psql, 'bench_sheet', f'gl_mds(s.p, 30, method => {chr(39)}stream{chr(39)}, policy => {policy!r}, passes => {passes}, landmarks => {n})'):>9.4f}"
                for n in counts), flush=True)
    for method in ("fastmap", "landmark", "pivot"):
        print(f"{method}".ljust(36) + f"{stress_of(psql, 'bench_sheet', f'gl_mds(s.p, 30, method => {method!r})'):>9.4f}", flush=True)


def network(n, radius, noise, step, seed):
    """True places, ranges, and the places one step ago; sensors stay in the box."""
    random = np.random.default_rng(seed)
    before = random.uniform(size=(n, 2))
    true = before.copy()
    for i in range(ANCHORS, n):
        while True:
            to = before[i] + step * random.normal(size=2)
            if (to >= 0).all() and (to <= 1).all():
                break
        true[i] = to
    gap = np.sqrt(((true[:, None] - true[None]) ** 2).sum(-1))
    a, b = np.nonzero(np.triu(gap <= radius, 1))
    ranges = np.maximum(gap[a, b] * (1 + noise * random.normal(size=len(a))), 0)
    return before, true, a, b, ranges


def array(numbers):
    return "{" + ",".join(map(repr, np.asarray(numbers).ravel().tolist())) + "}"


def sensors(psql):
    """Chapter 5: one step of moving sensors, warm start from the last places."""
    print("RMSE (mean of %d networks; the source: 6) ours   cold start  PLACEMENT  Pong-Tseng  Krislock" % NETWORKS)
    for (n, radius), cells in SENSORS.items():
        for (noise, step), printed in cells.items():
            errors = {"warm": [], "cold": []}
            for seed in range(NETWORKS):
                before, true, a, b, ranges = network(n, radius, noise, step, seed)
                psql("DROP TABLE IF EXISTS bench_range; CREATE TABLE bench_range AS SELECT * FROM unnest("
                     f"'{array(a + 1)}'::bigint[], '{array(b + 1)}'::bigint[], '{array(ranges)}'::float8[]) v(a, b, d)"
                     f" UNION ALL SELECT i, i, 0 FROM generate_series(1, {n}) i")
                for start, kept in errors.items():
                    last = (f", init_ids => '{array(np.arange(ANCHORS + 1, n + 1))}', init_coords => '{array(before[ANCHORS:])}'"
                            if start == "warm" else "")
                    found = psql(
                        "SELECT id, coords[1], coords[2] FROM (SELECT gl_distance_graph(a, b, d) AS g FROM bench_range) s,"
                        f" gl_mds(s.g, iterations => 400, anchor_ids => '{array(np.arange(1, ANCHORS + 1))}',"
                        f" anchor_coords => '{array(before[:ANCHORS])}'{last}) ORDER BY id")
                    places = np.array([list(map(float, line.split("|")[1:])) for line in found])
                    kept.append(np.sqrt(((places - true)[ANCHORS:] ** 2).sum(1).mean()))
            mark = "  (the spec: not reproducible)" if step == .2 else ""
            print(f"n {n}, R {radius}, noise {noise}, step {step}".ljust(40) +
                  "".join(f"{np.mean(kept):>10.2e}" for kept in errors.values()) + "  " + "  ".join(f"{p:>9.2e}" for p in printed) + mark, flush=True)


def cities(psql):
    path = DATA / "eurodist_21cities_km.csv"
    if not path.exists():
        return
    with open(path) as lines:
        table = list(csv.reader(lines))
    names = table[0][1:]
    size = len(names)
    values = ",".join(f"({i + 1},{j + 1},{float(table[i + 1][j + 1])})"
                      for i in range(size) for j in range(i))
    for method in ("classical", "place"):
        print(f"eurodist, {method}".ljust(36) + psql(
            f"SELECT round(k.normalised::numeric, 4) FROM (SELECT gl_distance_graph(a, b, d) AS g FROM (VALUES {values}) v(a, b, d)) s,"
            f" LATERAL (SELECT array_agg(id) AS ids, array_agg(coords) AS c FROM gl_mds(s.g, method => '{method}')) l,"
            " gl_stress(s.g, l.ids, l.c) k")[0], flush=True)


def run(report):
    psql = Psql()
    speed(report, psql)
    stream(report, psql)
    sweeps(psql)
    landmarks(psql)
    cities(psql)
    sensors(psql)
