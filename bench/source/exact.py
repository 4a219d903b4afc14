"""The exact walk over all pairs of rows, in numpy, single precision."""
import numpy as np


def squared_distances(rows):
    rows = (rows - rows.mean(axis=0)).astype(np.float32)
    norms = (rows ** 2).sum(axis=1)
    squares = norms[:, None] + norms[None, :]
    squares -= 2 * rows @ rows.T
    return np.maximum(squares, 0, out=squares)


def exact_walk(squares, bandwidth):
    """Rows of exp(-d2 / 2 s2) without the diagonal, summing to 1."""
    walk = squares * np.float32(-1 / (2 * bandwidth ** 2))
    np.fill_diagonal(walk, -np.inf)
    walk -= walk.max(axis=1, keepdims=True)
    np.exp(walk, out=walk)
    walk /= walk.sum(axis=1, keepdims=True)
    return walk


def exact_bandwidth(squares, columns, start):
    """The leave-one-out likelihood's, by alternation as the source does."""
    bandwidth = start
    for _ in range(20):
        walk = exact_walk(squares, bandwidth)
        after = np.sqrt(np.vdot(walk, squares) / (len(squares) * columns))
        settled = abs(after - bandwidth) < 1e-3 * bandwidth
        bandwidth = after
        if settled:
            break
    return bandwidth


def exact_scores(walk, given, truth, damping):
    """y1 / (y0 + y1) in the limit of y <- damping W y + (1 - damping) y0."""
    start = np.stack([given & ~truth, given & truth], 1).astype(np.float32)
    y = start
    for _ in range(int(np.ceil(np.log(1e-7) / np.log(damping)))):
        y = damping * (walk @ y) + (1 - damping) * start
    total = y.sum(axis=1)
    return np.where(total > 0, y[:, 1] / np.where(total > 0, total, 1), 0.5)
