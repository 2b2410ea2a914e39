#!/usr/bin/python3
"""Writes golden/robust.json: k-medians and trimmed k-means by NumPy, from given centres, that the Go tests then repeat.
Run by hand; Go only reads the JSON.

    /usr/bin/python3 clusterer/testdata/robust.py

The last cases have the least objective over all labellings and all sets of points left out, found by trying all.
"""
import itertools
import json
import pathlib

import numpy as np

OUT = pathlib.Path(__file__).parent / "golden" / "robust.json"


def matrix(a):
    return {"Rows": a.shape[0], "Cols": a.shape[1], "Data": a.ravel().tolist()}


def distances(x, c, medians):
    diff = x[:, None, :] - c[None, :, :]
    return np.abs(diff).sum(2) if medians else (diff**2).sum(2)


def fit(x, centres, medians, trim):
    centre = np.median if medians else np.mean
    keep = len(x) - int(trim * len(x))
    state, c = None, centres.copy()
    for _ in range(101):
        d = distances(x, c, medians)
        labels, near = d.argmin(1), d.min(1)
        kept = np.zeros(len(x), bool)
        kept[np.argsort(near, kind="stable")[:keep]] = True
        now = np.where(kept, labels, -1).tolist()
        if now == state:
            break
        state = now
        for k in range(len(c)):
            mine = x[kept & (labels == k)]
            if len(mine):
                c[k] = centre(mine, axis=0)
    return labels, kept, c, near[kept].sum()


def optimum(x, k, medians, trim):
    best = np.inf
    keep = len(x) - int(trim * len(x))
    for chosen in itertools.combinations(range(len(x)), keep):
        y = x[list(chosen)]
        for labels in itertools.product(range(k), repeat=keep):
            labels = np.array(labels)
            total = 0
            for c in range(k):
                mine = y[labels == c]
                if len(mine):
                    centre = (np.median if medians else np.mean)(mine, axis=0)
                    total += (np.abs(mine - centre) if medians else (mine - centre) ** 2).sum()
            best = min(best, total)
    return best


def main():
    rng = np.random.default_rng(57)
    cases, least = [], []
    for n, cols, k, far in ((12, 2, 2, 1), (30, 3, 3, 3), (40, 2, 4, 5), (25, 5, 3, 0)):
        centres = rng.uniform(-10, 10, (k, cols))
        x = centres[rng.integers(k, size=n)] + rng.standard_normal((n, cols))
        x[:far] *= -30
        x = np.rint(1000 * x) / 1000
        for medians, trim in ((True, 0), (False, 0.2), (True, 0.1), (False, 0)):
            start = x[rng.choice(n, k, replace=False)]
            labels, kept, c, inertia = fit(x, start, medians, trim)
            cases.append({"name": f"{n} points", "Points": matrix(x), "Start": matrix(start), "Medians": medians,
                          "Trim": trim, "Labels": labels.tolist(), "Kept": kept.tolist(), "Centroids": matrix(c),
                          "Inertia": inertia})
    for seed in range(6):
        x = np.rint(1000 * np.random.default_rng(seed).standard_normal((7, 2))) / 1000
        for medians, trim in ((True, 0), (False, 0.15)):
            least.append({"name": f"seed {seed}", "Points": matrix(x), "K": 2, "Medians": medians, "Trim": trim,
                          "Inertia": optimum(x, 2, medians, trim)})
    text = json.dumps({"versions": {"numpy": np.__version__}, "cases": [{"name": "all", "Given": cases, "Least": least}]})
    OUT.write_text(text.replace('{"name"', '\n{"name"') + "\n")


if __name__ == "__main__":
    main()
