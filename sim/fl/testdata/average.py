#!/usr/bin/python3
"""Writes average.json beside itself: averages by NumPy and SciPy, written from the definitions in the papers,
that the Go tests then repeat. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/fl/testdata/average.py

Vectors are rounded to float32 first, as clients send them. Integer weights are copies: the expected result is that of
every vector repeated so many times, by the definition without weights. Other rules count every client once.
"""
import json
import pathlib

import numpy as np
import scipy
from scipy.optimize import minimize

HERE = pathlib.Path(__file__).parent


def trimmed(rows, share):
    """Yin et al. 2018, Definition 2, with whole numbers cut off; the cases are chosen so that n * share is whole."""
    cut = round(len(rows) * share)
    assert abs(cut - len(rows) * share) < 1e-9
    return np.sort(rows, axis=0)[cut : len(rows) - cut].mean(axis=0)


def geometric(rows):
    """The minimum itself, by a general optimiser, and not by Weiszfeld's iteration."""
    def objective(z):
        return np.linalg.norm(rows - z, axis=1).sum()

    best = min((minimize(objective, start, method="Nelder-Mead",
                         options={"xatol": 1e-10, "fatol": 1e-12, "maxiter": 200000, "maxfev": 200000})
                for start in (rows.mean(axis=0), np.median(rows, axis=0))), key=lambda r: r.fun)
    return best.x


def clipped(rows, bound):
    norms = np.linalg.norm(rows, axis=1)
    limit = bound * np.median(norms)
    return (rows * np.minimum(1, limit / norms)[:, None]).mean(axis=0)


def krum_order(rows, f):
    """Positions from the least score to the largest; equal scores by the sum of all distances, then in order."""
    square = ((rows[:, None, :] - rows[None, :, :]) ** 2).sum(axis=2)
    near = max(1, len(rows) - f - 2)
    scores = [np.sort(np.delete(square[i], i)) for i in range(len(rows))]
    return sorted(range(len(rows)), key=lambda i: (round(scores[i][:near].sum(), 9), scores[i].sum(), i))


def krum(rows, f):
    return rows[krum_order(rows, f)[0]]


def multikrum(rows, weights, f):
    chosen = krum_order(rows, f)[: len(rows) - f]
    return np.average(rows[chosen], axis=0, weights=weights[chosen])


def bulyan(rows, f):
    rest, chosen = list(range(len(rows))), []
    for _ in range(len(rows) - 2 * f):
        pick = rest[krum_order(rows[rest], f)[0]]
        chosen.append(pick)
        rest.remove(pick)
    values = np.sort(rows[chosen], axis=0)
    keep = len(chosen) - 2 * f
    out = []
    for column in values.T:
        order = np.argsort(np.abs(column - np.median(column)), kind="stable")
        out.append(column[order[:keep]].mean())
    return np.array(out)


def main():
    rng = np.random.default_rng(56)
    cases = []
    for n, d, liars in ((1, 3, 0), (2, 3, 0), (3, 2, 0), (5, 3, 1), (8, 4, 1), (11, 4, 2), (15, 3, 3)):
        rows = rng.normal(size=(n, d)) + 2
        rows[:liars] *= -40
        rows = rows.astype(np.float32).astype(np.float64)
        for weights in (np.ones(n), rng.integers(1, 4, n).astype(float)):
            copies = np.repeat(rows, weights.astype(int), axis=0)
            def case(kind, want, **more):
                cases.append(dict(kind=kind, vectors=rows.tolist(), weights=weights.tolist(),
                                  want=np.asarray(want).tolist(), **more))
            case("mean", copies.mean(axis=0))
            case("median", np.median(copies, axis=0))
            for share in (0.2, 0.25, 1 / 3):
                cut = len(copies) * share
                if abs(cut - round(cut)) < 1e-9:
                    case("trimmed", trimmed(copies, share), share=share)
            if n > 2:
                case("geomedian", geometric(copies))
            for bound in (1.0, 0.5, 3.0):
                case("clipped", clipped(copies, bound), bound=bound)
            for f in (0, 1, 2, 3):
                if n >= 2 * f + 3:
                    case("krum", krum(rows, f), liars=f)
                    case("multikrum", multikrum(rows, weights, f), liars=f)
                if n >= 4 * f + 3:
                    case("bulyan", bulyan(rows, f), liars=f)
    text = json.dumps({"versions": {m.__name__: m.__version__ for m in (np, scipy)}, "cases": cases})
    (HERE / "average.json").write_text(text.replace('{"kind"', '\n{"kind"') + "\n")


if __name__ == "__main__":
    main()
