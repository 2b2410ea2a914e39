#!/usr/bin/python3
"""Writes golden/hdbscan.json: what HDBSCAN makes of the inputs that the Go test then repeats. Run by hand.

    clusterer/testdata/density.py

It needs scikit-learn 1.3 or later, or scikit-learn-contrib's hdbscan, from which that one was taken over; the latter does
not count a point among its own neighbours, so that its min_samples is less by one. Debian 12 has neither, so that golden.py,
which runs there, does without. Inputs are drawn from one seed and kept to three decimals. Where the clusters depend on the
order of the points, by ties among raised distances, a case is left out.
"""
import json
import pathlib

import numpy as np

try:
    import sklearn
    from sklearn.cluster import HDBSCAN

    VERSIONS, labels = {"sklearn": sklearn.__version__}, lambda d, m: HDBSCAN(
        min_cluster_size=m, min_samples=m, metric="precomputed").fit(d.copy()).labels_
except ImportError:
    import hdbscan

    VERSIONS, labels = {"hdbscan": getattr(hdbscan, "__version__", "0.8.43")}, lambda d, m: hdbscan.HDBSCAN(
        min_cluster_size=m, min_samples=m - 1, metric="precomputed").fit(d.copy()).labels_

rng = np.random.default_rng(20250304)
cases = []


def case(name, d, m):
    d = np.rint(1000 * d) / 1000
    np.fill_diagonal(d, 0)
    found = labels(d, m)
    for _ in range(30):
        order = rng.permutation(len(d))
        other = labels(d[order][:, order], m)
        pairs = set(zip(found[order].tolist(), other.tolist()))
        if len(pairs) != len(set(found.tolist())) or any((a < 0) != (b < 0) for a, b in pairs):
            print("depends on the order:", name)
            return
    cases.append({"name": name, "MinSize": m, "Below": [x for i, row in enumerate(d.tolist()) for x in row[:i]],
                  "Labels": found.tolist()})


def euclidean(x):
    return np.sqrt(((x[:, None] - x[None]) ** 2).sum(axis=2))


def cosine(x):
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    return np.maximum(0, 1 - x @ x.T)


for n in range(40):
    k, per, spread = rng.integers(1, 5), rng.integers(2, 7), rng.uniform(0.1, 3)
    centres = rng.uniform(-5, 5, (k, 2))
    x = np.concatenate([c + spread * rng.uniform(0.3, 1) * rng.standard_normal((per + rng.integers(5), 2)) for c in centres])
    case(f"blobs {n}", euclidean(x[rng.permutation(len(x))]), int(rng.integers(2, 7)))
for n in range(20):
    k, per = rng.integers(1, 5), rng.integers(2, 10)
    directions = rng.standard_normal((k, 12))
    x = np.concatenate([v + rng.uniform(0.2, 1.2) * rng.standard_normal((per, 12)) for v in directions])
    case(f"directions {n}", cosine(x), int(rng.integers(2, 6)))
for n in range(6):  # little structure, or none
    case(f"noise {n}", euclidean(rng.uniform(0, 1, (int(rng.integers(6, 30)), 3))), int(rng.integers(2, 6)))
for n in range(2, 8):  # tiny samples
    x = np.r_[rng.normal(0, 0.1, (n // 2, 2)), rng.normal(4, 0.1, (n - n // 2, 2))]
    case(f"{n} points", euclidean(x), min(n, 2 + n % 2))
# Ties: points in the corners of squares, and on a grid line, whose distances are equal in any order.
square = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]])
for m in (2, 3, 4):
    case(f"two squares, {m}", euclidean(np.r_[square, square + 10]), m)
    case(f"three squares, {m}", euclidean(np.r_[square, square + [10, 0], square + [0, 10]]), m)
line = np.arange(6.0)[:, None]
case("two rows of equal gaps", euclidean(np.r_[line, line + 100]), 3)
case("duplicates", euclidean(np.r_[np.zeros((5, 2)), np.full((5, 2), 3.0), [[1.5, 9]]]), 3)

out = pathlib.Path(__file__).parent / "golden" / "hdbscan.json"
out.write_text(json.dumps({"versions": VERSIONS, "cases": cases}).replace('{"name"', '\n{"name"') + "\n")
