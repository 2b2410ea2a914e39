#!/usr/bin/python3
"""Writes bootstrap.json beside itself: intervals of the mean by Hesterberg's expanded percentile bootstrap. Up to seven
values all n^n ordered resamples are counted; for more, 10 000 come from SplitMix64, written anew here. "scipy" are the
ends by scipy.stats.bootstrap with 200 000 resamples of its own and the widened level, which agree within its error.
With the word coverage it prints how often intervals of normal samples have the true mean, plain and expanded. Run by hand,
with Debian's python3-scipy.

    /usr/bin/python3 sim/lab/stats/testdata/bootstrap.py [coverage]
"""
import itertools
import json
import math
import pathlib
import sys

import numpy as np
from scipy.stats import bootstrap, norm, t

rng = np.random.default_rng(3)


def level(n):
    return norm.cdf(-math.sqrt(n / (n - 1)) * t.ppf(0.975, n - 1))


def ends(means, alpha):
    """The least mean with probability alpha at or below it, and the largest with as much at or above."""
    means = np.sort(means)
    k = max(1, math.ceil(alpha * len(means) - 1e-9))
    return float(means[k - 1]), float(means[len(means) - k])


def splitmix(n):
    mask, state = 2 ** 64 - 1, 0
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield ((z ^ (z >> 31)) >> 32) * n >> 32


def interval(x):
    n = len(x)
    if n <= 7:
        means = np.array(list(itertools.product(x, repeat=n))).mean(1)
    else:
        draw = splitmix(n)
        means = np.array([[x[next(draw)] for _ in range(n)] for _ in range(10000)]).mean(1)
    return ends(means, level(n))


def scipys(x):
    if len(set(x)) == 1:
        return [x[0], x[0]]
    r = bootstrap((np.array(x),), np.mean, confidence_level=1 - 2 * level(len(x)), method="percentile",
                  n_resamples=50000, batch=10000, random_state=1).confidence_interval
    return [float(r.low), float(r.high)]


cases = [[1.0, 2.0], [0.0, 0.0, 0.0], [1.0] * 5, [0.0, 1, 1, 1, 1], [-1.0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5], [0, 0, 0, 0, 0.5],
         [-1.0, 1, -1, 1, -1, 1], [0.3, 0.3, 0.1, 0.1, 0.2, 0.2, 0.3], [1.0] * 20, [1.0] * 9 + [0.0],
         [0.0] * 18 + [1.0, 1.0]]
for n in (2, 3, 5, 6, 7, 9, 10, 15, 20, 40, 100):
    d = np.round(rng.normal(0.5, 1, n), 4)
    cases += [list(map(float, d)), list(map(float, np.round(d * 2) / 2))]
out = [{"x": x, "low": interval(x)[0], "high": interval(x)[1], "scipy": scipys(x), "sd": float(np.std(x))} for x in cases]
here = pathlib.Path(__file__).parent
(here / "bootstrap.json").write_text("[\n" + ",\n".join(map(json.dumps, out)) + "]\n")

for n in (5, 10) if "coverage" in sys.argv else ():
    plain = wide = 0
    for _ in range(2000):
        x = rng.normal(0, 1, n)
        means = x[rng.integers(0, n, (2000, n))].mean(1)
        for name, alpha in (("plain", 0.025), ("wide", level(n))):
            low, high = np.quantile(means, [alpha, 1 - alpha])
            if low <= 0 <= high:
                plain, wide = (plain + 1, wide) if name == "plain" else (plain, wide + 1)
    print(n, "values: plain", plain / 2000, "expanded", wide / 2000)
