#!/usr/bin/python3
"""Writes golden.json beside itself: tests and quantiles by SciPy, Holm's correction by
statsmodels. Run by hand, with Debian's python3-scipy and python3-statsmodels; Go only
reads the JSON.

    /usr/bin/python3 sim/stats/testdata/golden.py
"""
import json
import pathlib
import warnings

import numpy as np
import scipy
import statsmodels
from scipy.stats import friedmanchisquare, rankdata, studentized_range, wilcoxon
from statsmodels.stats.multitest import multipletests

warnings.simplefilter("ignore")
rng = np.random.default_rng(1)


def signed(d):
    """SciPy's own choice since 1.13: exact up to 50 pairs without ties and zeros."""
    d = np.asarray(d, float)
    plain = len(d) <= 50 and 0 not in d and len(set(abs(d))) == len(d)
    r = wilcoxon(d, zero_method="wilcox", correction=False, mode="exact" if plain else "approx")
    return {"d": d.tolist(), "exact": bool(plain), "w": float(r.statistic), "p": float(r.pvalue)}


def wilcoxons():
    cases = [[1.0], [-1.0], [1, 2], [1, -2], [1, -2, 3], [1, 2, 3, 4, 5], [1, 1], [1, -1], [1, 1, -1, 2], [0, 1, 2, 3],
             [0, 0, 0, -1], [2, -3, 1, -4], [0.5, 0.5, 0.5, -0.5, 0.25, 0]]
    for n in (3, 6, 10, 20, 49, 50, 51, 100):
        d = np.round(rng.normal(0.2, 1, n), 4)
        cases += [d, np.round(d, 1), np.round(d * 2), np.round(d + 1.5, 4)]
    return [signed(d) for d in cases if np.any(np.asarray(d))]


def friedmans():
    out = []
    for n, k in ((2, 3), (3, 3), (5, 4), (10, 3), (20, 7), (8, 22)):
        x = np.round(rng.normal(0, 1, (n, k)) + np.linspace(0, 0.5, k), 4)
        for blocks in (x, np.round(x, 1), np.round(x)):
            try:
                r = friedmanchisquare(*blocks.T)
            except ValueError:
                continue
            ranks = np.mean([rankdata(row) for row in blocks], 0)
            if np.isfinite(r.statistic):
                out.append({"blocks": blocks.tolist(), "ranks": ranks.tolist(), "chi2": float(r.statistic),
                            "p": float(r.pvalue)})
    return out


def holms():
    out = []
    for p in ([0.04], [0.01, 0.04], [0.04, 0.01], [0.03, 0.03, 0.03], [1, 0.5, 0.2], rng.random(5) ** 3,
              rng.random(40) ** 4):
        out.append({"p": list(map(float, p)), "want": multipletests(p, method="holm")[1].tolist()})
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
parts = {"versions": {"scipy": scipy.__version__, "statsmodels": statsmodels.__version__, "numpy": np.__version__},
         "wilcoxon": wilcoxons(), "friedman": friedmans(), "holm": holms(), "range": ranges(), "critical": criticals(),
         "summary": summaries()}
(here / "golden.json").write_text("{" + ",\n".join(
    f'"{name}": ' + (json.dumps(part) if isinstance(part, dict) else "[\n" + ",\n".join(map(json.dumps, part)) + "]")
    for name, part in parts.items()) + "}\n")
