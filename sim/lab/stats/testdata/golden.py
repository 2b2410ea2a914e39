#!/usr/bin/python3
"""Writes golden.json beside itself: tests and quantiles by SciPy, Holm's correction by its
formula, which gave the values of statsmodels. SciPy has no exact distributions of ranks with ties: those are counted here,
sign by sign and order by order where there are few, and otherwise by adding up the
distributions of the single ranks. Run by hand, with Debian's python3-scipy; Go only reads
the JSON.

    /usr/bin/python3 sim/lab/stats/testdata/golden.py
"""
import itertools
import json
import math
import pathlib
import warnings
from fractions import Fraction

import numpy as np
import scipy
from scipy.stats import friedmanchisquare, rankdata, studentized_range, wilcoxon

warnings.simplefilter("ignore")
rng = np.random.default_rng(1)


def signed(d):
    """Wilcoxon's signed-rank test of differences, zeros left out, ties with mean ranks.
    Exact up to 50 differences: by all signs up to 12, by SciPy without ties, else by the
    distribution of the sum of ranks, of which each counts or does not."""
    d = np.asarray(d, float)
    rest = d[d != 0]
    n = len(rest)
    ranks = [Fraction(r).limit_denominator(2) for r in rankdata(abs(rest))]
    w = min(sum(r for r, x in zip(ranks, rest) if x > 0), sum(r for r, x in zip(ranks, rest) if x < 0))
    plain = len(set(abs(rest))) == n
    if n > 50:
        how = "normal"
        p = wilcoxon(d, zero_method="wilcox", correction=False, mode="approx").pvalue
    elif n <= 12:
        how = "signs"
        total = sum(ranks)
        extreme = 0
        for chosen in itertools.product((0, 1), repeat=n):
            plus = sum(r for r, c in zip(ranks, chosen) if c)
            extreme += min(plus, total - plus) <= w
        p = Fraction(extreme, 2 ** n)
        if plain:
            assert abs(float(p) - wilcoxon(rest, mode="exact").pvalue) < 1e-12
    elif plain:
        how = "scipy"
        p = wilcoxon(rest, mode="exact").pvalue
    else:
        how = "sums"
        sums = {Fraction(0): 1}
        for r in ranks:
            more = dict(sums)
            for at, ways in sums.items():
                more[at + r] = more.get(at + r, 0) + ways
            sums = more
        total = sum(ranks)
        p = Fraction(sum(ways for at, ways in sums.items() if min(at, total - at) <= w), 2 ** n)
    return {"d": d.tolist(), "how": how, "n": n, "w": float(w), "p": float(p)}


def wilcoxons():
    cases = [[1.0], [-1.0], [1, 2], [1, -2], [1, -2, 3], [1, 2, 3, 4, 5], [1, 1], [1, -1], [1, 1, -1, 2], [0, 1, 2, 3],
             [0, 0, 0, -1], [2, -3, 1, -4], [0.5, 0.5, 0.5, -0.5, 0.25, 0], [1, 1, 1, 1], [1] * 5, [1] * 20,
             [1] * 50, [1] * 51, [0] * 40 + [1, 1, 2], [1, -1] * 6, [2, -1, 1, 1, 2, 2, 1, 0, 0, -2, 1, 1]]
    for n in (3, 6, 10, 12, 13, 20, 35, 49, 50, 51, 100):
        d = np.round(rng.normal(0.2, 1, n), 4)
        cases += [d, np.round(d, 1), np.round(d * 2), np.round(d + 1.5, 4)]
    return [signed(d) for d in cases if np.any(np.asarray(d))]


def orders(blocks):
    """The probability that Friedman's statistic is at least that of blocks if in each block
    all orders of its ranks are as likely; None where that takes too long."""
    ranks = [tuple(int(2 * r) for r in rankdata(row)) for row in blocks]
    sums = {(0,) * len(ranks[0]): Fraction(1)}
    for row in ranks:
        if math.factorial(len(row)) * len(sums) > 300000:
            return None
        every = list(itertools.permutations(row))
        more = {}
        for at, p in sums.items():
            for order in every:
                to = tuple(a + b for a, b in zip(at, order))
                more[to] = more.get(to, 0) + p / len(every)
        sums = more
    square = lambda of: sum(x * x for x in of)
    least = square(map(sum, zip(*ranks)))
    return float(sum(p for at, p in sums.items() if square(at) >= least))


def friedmans():
    out = []
    cases = [[[1, 2, 2], [1, 2, 2], [1, 2, 2]], [[1, 2, 3]] * 2, [[1, 2, 3]] * 3, [[1, 2, 3, 4]] * 2,
             [[1, 2, 2, 2]] * 3]
    for n, k in ((2, 3), (3, 3), (5, 3), (3, 4), (5, 4), (10, 3), (20, 3), (2, 5), (20, 7), (8, 22)):
        x = np.round(rng.normal(0, 1, (n, k)) + np.linspace(0, 0.5, k), 4)
        cases += [x, np.round(x, 1), np.round(x)]
    for blocks in map(np.asarray, cases):
        try:
            r = friedmanchisquare(*blocks.T)
        except ValueError:
            continue
        ranks = np.mean([rankdata(row) for row in blocks], 0)
        if np.isfinite(r.statistic):
            out.append({"blocks": blocks.tolist(), "ranks": ranks.tolist(), "chi2": float(r.statistic),
                        "p": float(r.pvalue), "exact": orders(blocks)})
    return out


def holm(p):
    """Holm (1979): the least p-value counts as often as there are p-values, the next once less."""
    p = np.asarray(p, float)
    out = np.empty(len(p))
    most = 0.0
    for i, at in enumerate(np.argsort(p, kind="stable")):
        most = max(most, min(1.0, (len(p) - i) * p[at]))
        out[at] = most
    return out


def holms():
    out = []
    for p in ([0.04], [0.01, 0.04], [0.04, 0.01], [0.03, 0.03, 0.03], [1, 0.5, 0.2], rng.random(5) ** 3,
              rng.random(40) ** 4):
        out.append({"p": list(map(float, p)), "want": holm(p).tolist()})
    return out


def ranges():
    out = []
    for k in (2, 3, 4, 5, 10, 22, 40):
        for q in (0.1, 1, 2, 3.3, 5, 8):
            out.append({"k": k, "q": q, "p": float(studentized_range.cdf(q, k, np.inf))})
    return out


def criticals():
    return [{"k": k, "alpha": a, "q": float(studentized_range.ppf(1 - a, k, np.inf))}
            for k in (2, 3, 5, 10, 22) for a in (0.01, 0.05, 0.1)]


def summaries():
    out = []
    for n in (1, 2, 3, 4, 5, 20, 101):
        x = np.round(rng.normal(3, 2, n), 2)
        out.append({"x": x.tolist(), "mean": float(np.mean(x)), "sd": float(np.std(x, ddof=1)) if n > 1 else 0,
                    "quartiles": np.quantile(x, [0.25, 0.5, 0.75]).tolist()})
    return out


here = pathlib.Path(__file__).parent
parts = {"versions": {"scipy": scipy.__version__, "numpy": np.__version__},
         "wilcoxon": wilcoxons(), "friedman": friedmans(), "holm": holms(), "range": ranges(), "critical": criticals(),
         "summary": summaries()}
(here / "golden.json").write_text("{" + ",\n".join(
    f'"{name}": ' + (json.dumps(part) if isinstance(part, dict) else "[\n" + ",\n".join(map(json.dumps, part)) + "]")
    for name, part in parts.items()) + "}\n")
