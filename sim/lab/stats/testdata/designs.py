#!/usr/bin/python3
"""Writes designs.json beside itself, from the definitions in the papers and without the project's code:

    interquartile   means of the middle half: scipy.stats.trim_mean of each value repeated by its weight
    above           points of performance profiles
    improvement     probabilities of improvement: scipy.stats.mannwhitneyu in each row, and the mean over rows
    bootstrap       intervals of means and interquartile means; "exact" repeats the resamples of the project's random
                    stream, which is written anew here, and "free" draws others with NumPy
    signedrank      Bayesian signed-rank tests, by 200 000 draws of NumPy and sums over all pairs of differences, and of
                    a single difference by the beta distribution
    conover         Conover's tests by scipy.stats.rankdata and scipy.stats.t

With the word coverage it prints how often intervals have the true mean of families, rows and seeds that vary. Run by
hand, with Debian's python3-scipy.

    /usr/bin/python3 sim/lab/stats/testdata/designs.py [coverage]
"""
import json
import math
import pathlib
import sys

import numpy as np
from scipy import stats

rng = np.random.default_rng(7)
nan = float("nan")


def plain(values):
    """Values as JSON, which has no NaN."""
    return [None if math.isnan(v) else float(v) for v in values]


def interquartile(values, counts):
    """Each value as often as its count, four times, so that a quarter is a whole number."""
    return float(stats.trim_mean(np.repeat(values, 4 * np.asarray(counts)), 0.25))


def interquartiles():
    out = []
    for n in (1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 100, 320):
        x = rng.normal(0, 1, n)
        for values in (np.round(x, 4), np.round(2 * x) / 2):
            ones = [1] * n
            want = interquartile(values, ones)
            if n % 4 == 0:
                assert abs(want - stats.trim_mean(values, 0.25)) < 1e-12
            out.append({"x": plain(values), "w": ones, "want": want})
            counts = rng.integers(0, 6, n)
            counts[0] = 3
            out.append({"x": plain(values), "w": counts.tolist(), "want": interquartile(values, counts)})
    out.append({"x": [1.0, 2.0, 3.0, 100.0, None], "w": [1] * 5, "want": 2.5})
    return out


def aboves():
    out = []
    for n in (1, 2, 5, 30):
        x = np.round(rng.normal(0, 1, n), 1)
        w = rng.integers(1, 4, n)
        for bound in (-0.5, 0.0, float(x[0]), 5.0):
            out.append({"x": plain(x), "w": w.tolist(), "bound": bound, "want": float(np.mean(np.repeat(x, w) > bound))})
    return out


def improvements():
    out = []
    for rows, seeds in ((1, 1), (1, 2), (1, 5), (3, 4), (5, 1), (6, 20)):
        for scale in (100, 2, 0):
            x, y = (np.round(rng.normal(at, 1, (rows, seeds)) * scale) / max(scale, 1) for at in (0.3, 0))
            p = [stats.mannwhitneyu(a, b).statistic / seeds ** 2 for a, b in zip(x, y)]
            out.append({"x": x.ravel().tolist(), "y": y.ravel().tolist(), "rows": rows, "seeds": seeds,
                        "want": float(np.mean(p))})
    return out


MASK = 2 ** 64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(x):
    x = (x + GOLDEN) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def stream(seed, purpose, a, b):
    """Whole numbers below n, for each n that is sent: SplitMix64."""
    state = mix(mix(mix(mix(seed ^ GOLDEN) ^ purpose) ^ a) ^ b)
    n = yield
    while True:
        word = mix(state)
        state = (state + GOLDEN) & MASK
        n = yield word * n >> 64


def resampled(design, kind, below):
    """The weights of a resample, drawn by below(n)."""
    at, starts = 0, []
    for rows in design:
        starts.append([])
        for seeds in rows:
            starts[-1].append(at)
            at += seeds
    w = np.zeros(at)
    for f in range(len(design)):
        if kind == "hierarchical":
            f = below(len(design))
        for r in range(len(design[f])):
            if kind == "hierarchical":
                r = below(len(design[f]))
            seeds = design[f][r]
            for _ in range(seeds):
                w[starts[f][r] + below(seeds)] += 1 / (len(design) * len(design[f]) * seeds)
    return w


def level(design, kind):
    if kind == "stratified":
        several = [s for rows in design for s in rows if s > 1]
        m, freedom = min(several), sum(s - 1 for s in several)
    else:
        m = len(design) if len(design) > 1 else len(design[0]) if len(design[0]) > 1 else design[0][0]
        freedom = m - 1
    return stats.norm.cdf(-math.sqrt(m / (m - 1)) * stats.t.ppf(0.975, freedom))


def ends(values, alpha):
    values = np.sort(values)
    k = max(1, math.ceil(alpha * len(values) - 1e-9))
    return [float(values[k - 1]), float(values[len(values) - k])]


def middle(x, weights):
    """Interquartile means of x by rows of weights."""
    order = np.argsort(x, kind="stable")
    cum = np.cumsum(weights[:, order], 1)
    clip = np.clip(cum, 0.25, 0.75)
    inside = np.diff(np.hstack([np.full((len(weights), 1), 0.25), clip]), axis=1)
    return inside @ x[order] / 0.5


def bootstraps():
    out = []
    for design in ([[5]], [[2]], [[12]], [[3, 3, 3]], [[1, 1, 1, 1]], [[2, 3], [4], [1, 1]], [[5, 5], [5, 5], [5], [5, 5, 5]],
                   [[20, 20], [10], [20], [10, 10, 20], [20]]):
        runs = sum(map(sum, design))
        family = np.repeat(rng.normal(0, 1, len(design)), [sum(rows) for rows in design])
        x = np.round(family + rng.normal(0, 0.5, runs), 3)
        for kind in ("hierarchical", "stratified"):
            if kind == "stratified" and max(max(rows) for rows in design) < 2:
                continue
            if runs <= 35:
                draw = stream(0, 17, 0, 0)
                next(draw)
                exact = np.array([resampled(design, kind, draw.send) for _ in range(10000)])
            free = np.array([resampled(design, kind, lambda n: int(rng.integers(n))) for _ in range(10000)])
            alpha = level(design, kind)
            case = {"design": design, "kind": kind, "x": x.tolist(), "sd": float(np.std(free @ x)),
                    "free": {"mean": ends(free @ x, alpha), "middle": ends(middle(x, free), alpha)}}
            if runs <= 35:
                case["exact"] = {"mean": ends(exact @ x, alpha), "middle": ends(middle(x, exact), alpha)}
            out.append(case)
    return out


def signed_rank(z, strengths, rope, draws=200000):
    """Worse, equal, better of Benavoli and others: each is how often its share of pairs is the largest."""
    z = np.append(z, 0.0)
    w = rng.dirichlet(np.append(strengths, 0.5), draws)
    sums = np.round(z[:, None] + z[None, :], 12)
    edge = round(2 * rope, 12)
    above = (sums > edge) + 0.5 * (sums == edge)
    below = (sums < -edge) + 0.5 * (sums == -edge)
    better = np.einsum("di,ij,dj->d", w, above, w, optimize=True)
    worse = np.einsum("di,ij,dj->d", w, below, w, optimize=True)
    shares = np.stack([worse, 1 - worse - better, better], 1)
    most = shares >= shares.max(1, keepdims=True) - 1e-12
    return (most / most.sum(1, keepdims=True)).mean(0).tolist()


def signed_ranks():
    out = []
    # One difference above the region, by the formulas: better = 1 − w₀² is the largest if w₀² < 1/2, where its mean with
    # the prior's 0 is above the region, too; else better = w₁² and equal = 1 − w₁². w₁ has the distribution Beta(1, 1/2).
    beta = stats.beta(1, 0.5)
    half = math.sqrt(0.5)
    out.append({"z": [0.03], "s": [1.0], "rope": 0.01, "want": [0.0, beta.cdf(1 - half), beta.sf(1 - half)], "exact": True})
    out.append({"z": [0.015], "s": [1.0], "rope": 0.01, "want": [0.0, beta.cdf(half), beta.sf(half)], "exact": True})
    for z, rope in (([0.0], 0.01), ([0.0] * 5, 0.01), ([0.0] * 5, 0.0), ([0.01] * 3, 0.01), ([0.02, -0.02], 0.0),
                    ([0.02] * 8, 0.01), ([0.02, 0.02, -0.02, 0.0, 0.02], 0.01), ([0.05] * 20, 0.01)):
        out.append({"z": z, "s": [1.0] * len(z), "rope": rope, "want": signed_rank(np.array(z), [1.0] * len(z), rope)})
    for n in (2, 3, 8, 16, 40):
        for at in (0.0, 0.01, 0.03):
            z = np.round(rng.normal(at, 0.02, n), 3)
            s = np.ones(n) if n % 3 else 1 / rng.integers(1, 6, n)
            for rope in (0.0, 0.01):
                out.append({"z": z.tolist(), "s": s.tolist(), "rope": rope, "want": signed_rank(z, s, rope)})
    return out


def conover(blocks):
    blocks = np.asarray(blocks, float)
    n, k = blocks.shape
    r = np.array([stats.rankdata(row) for row in blocks])
    total = r.sum(0)
    rest = n * (r ** 2).sum() - (total ** 2).sum()
    freedom = (n - 1) * (k - 1)
    p = np.ones((k, k))
    for i in range(k):
        for j in range(k):
            if total[i] != total[j]:
                p[i, j] = 0 if rest == 0 else 2 * stats.t.sf(abs(total[i] - total[j]) / math.sqrt(2 * rest / freedom), freedom)
    return p.tolist()


def conovers():
    grasses = [[4, 3, 2, 1], [4, 2, 3, 1], [3, 1.5, 1.5, 4], [3, 1, 2, 4], [4, 2, 1, 3], [2, 2, 2, 4], [1, 3, 2, 4],
               [2, 4, 1, 3], [3.5, 1, 2, 3.5], [4, 1, 3, 2], [4, 2, 3, 1], [3.5, 1, 2, 3.5]]
    cases = [grasses, [[1, 2, 3]] * 2, [[1, 2, 2]] * 3, [[1, 1, 1]] * 4, [[1, 2, 3], [3, 2, 1]], [[1, 2, 3], [1, 3, 2]]]
    for n, k in ((2, 3), (3, 4), (5, 3), (8, 24), (16, 24), (60, 5)):
        x = np.round(rng.normal(0, 1, (n, k)) + np.linspace(0, 1.5, k), 4)
        cases += [x.tolist(), np.round(x).tolist()]
    return [{"blocks": b, "p": conover(b)} for b in cases]


def coverage():
    """Truth 0: families, rows in them and seeds in those vary normally."""
    for kind in ("hierarchical", "top level alone"):
        for families, rows, seeds in ((8, 2, 10), (4, 3, 5), (1, 6, 5), (8, 1, 5)):
            inside = {"plain": 0, "expanded": 0}
            tries = 500
            for _ in range(tries):
                x = rng.normal(0, 1, (families, 1, 1)) * (families > 1) + rng.normal(0, 0.7, (families, rows, 1)) * (
                    rows > 1) + rng.normal(0, 1, (families, rows, seeds))
                m = 1000
                f = rng.integers(families, size=(m, families, 1, 1))
                r, s = np.arange(rows)[:, None], np.arange(seeds)
                if kind == "hierarchical" or families == 1:
                    r = rng.integers(rows, size=(m, families, rows, 1))
                if kind == "hierarchical":
                    s = rng.integers(seeds, size=(m, families, rows, seeds))
                means = x[f, r, s].mean((1, 2, 3))
                for name, alpha in (("plain", 0.025), ("expanded", level([[seeds] * rows] * families, "hierarchical"))):
                    low, high = np.quantile(means, [alpha, 1 - alpha])
                    inside[name] += low <= 0 <= high
            print(kind, families, "families", rows, "rows", seeds, "seeds:", {k: v / tries for k, v in inside.items()})


if "coverage" in sys.argv:
    coverage()
    sys.exit()
here = pathlib.Path(__file__).parent
parts = {"interquartile": interquartiles(), "above": aboves(), "improvement": improvements(), "bootstrap": bootstraps(),
         "signedrank": signed_ranks(), "conover": conovers()}
(here / "designs.json").write_text("{" + ",\n".join(
    f'"{name}": [\n' + ",\n".join(map(json.dumps, part)) + "]" for name, part in parts.items()) + "}\n")
