#!/usr/bin/python3
"""Writes golden/*.json: what NumPy, SciPy and scikit-learn make of the inputs
that the Go tests then repeat. Run by hand; Go only reads the JSON.

    /usr/bin/python3 clusterer/testdata/golden.py

Every file records the versions it came from. Inputs are drawn from one fixed
seed per file, chosen once and never again, and kept to three decimals so that
the files stay small.
"""
import json
import pathlib
import warnings

import numpy as np
import scipy
import sklearn
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.linalg import orthogonal_procrustes, subspace_angles
from scipy.optimize import linear_sum_assignment
from scipy.spatial import procrustes
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import (adjusted_rand_score, homogeneity_completeness_v_measure, normalized_mutual_info_score,
                             silhouette_samples, silhouette_score)
from sklearn.metrics.cluster import contingency_matrix

OUT = pathlib.Path(__file__).parent / "golden"
VERSIONS = {m.__name__: m.__version__ for m in (np, scipy, sklearn)}


def write(name, cases):
    text = json.dumps({"versions": VERSIONS, "cases": cases}, default=plain)
    OUT.mkdir(exist_ok=True)
    (OUT / f"{name}.json").write_text(text.replace('{"name"', '\n{"name"') + "\n")


def plain(x):
    """NumPy types for json."""
    return x.tolist()


def matrix(a):
    a = np.asarray(a, dtype=float)
    return {"Rows": a.shape[0], "Cols": a.shape[1], "Data": a.ravel()}


def short(x):
    """x to three decimals."""
    return np.rint(1000 * x) / 1000


def normal(rng, rows, cols):
    return short(rng.standard_normal((rows, cols)))


def blobs(rng, n, cols, k, spread, box=10.0):
    centres = rng.uniform(-box, box, (k, cols))
    return short(centres[rng.integers(k, size=n)] + spread * rng.standard_normal((n, cols)))


def labelings(rng):
    """Pairs of labelings by name."""
    pairs = {
        "docs example": ([0, 0, 1, 2], [0, 0, 1, 1]),
        "crossed": ([0, 0, 1, 1], [0, 1, 0, 1]),
        "two of 3x4 merged": (np.repeat([0, 1, 2], 4), np.repeat([0, 0, 1], 4)),
        "4x8 found as 8x4": (np.repeat(range(4), 8), np.repeat(range(8), 4)),
        "all in one": (np.repeat([0, 1, 2], 4), np.zeros(12, int)),
        "all singletons": (np.repeat([0, 1, 2], 4), np.arange(12)),
        "both singletons": (np.arange(5), np.arange(5)),
        "both one cluster": (np.zeros(5, int), np.zeros(5, int)),
        "one point": ([0], [3]),
        "empty": ([], []),
        "renamed": ([0, 0, 1, 1, 2], [2, 2, 0, 0, 1]),
    }
    for n, k, l in [(5, 2, 2), (12, 3, 3), (50, 4, 7), (50, 7, 4), (200, 10, 10), (1000, 3, 40)]:
        truth = rng.integers(k, size=n)
        pairs[f"random {n} points, {k} and {l} labels"] = (truth, rng.integers(l, size=n))
        near = np.where(rng.random(n) < 0.8, truth, rng.integers(l, size=n))
        pairs[f"{n} points, mostly right, {k} and {l} labels"] = (truth, near)
    return [{"name": name, "truth": np.asarray(t, int), "labels": np.asarray(l, int)} for name, (t, l) in pairs.items()]


def adjusted_rand():
    pairs = labelings(np.random.default_rng(1))
    write("adjusted_rand", [p | {"want": adjusted_rand_score(p["truth"], p["labels"])} for p in pairs])


def entropy():
    out = []
    for p in labelings(np.random.default_rng(9)):
        truth, labels = p["truth"], p["labels"]
        h, c, v = homogeneity_completeness_v_measure(truth, labels)
        purity = contingency_matrix(truth, labels).max(axis=0).sum() / len(truth) if len(truth) else 1.0
        out.append(p | {"homogeneity": h, "completeness": c, "v": v,
                        "nmi": normalized_mutual_info_score(truth, labels), "purity": purity})
    write("entropy", out)


def silhouette():
    rng = np.random.default_rng(2)
    cases = []
    for n, cols, k in [(6, 1, 2), (12, 3, 3), (40, 2, 5), (150, 10, 4)]:
        for spread in (0.5, 5.0):
            x = blobs(rng, n, cols, k, spread)
            labels = rng.integers(k, size=n)
            labels[:k] = range(k)
            cases.append((f"random labels, {n}x{cols}, k {k}, spread {spread}", x, labels))
            fitted = KMeans(k, n_init=1, random_state=0).fit(x).labels_
            cases.append((f"fitted labels, {n}x{cols}, k {k}, spread {spread}", x, fitted))
    x = normal(rng, 7, 2)
    cases.append(("singletons", x, [0, 1, 2, 2, 2, 2, 3]))
    cases.append(("identical points", np.ones((6, 2)), [0, 0, 0, 1, 1, 1]))
    write("silhouette", [
        {"name": name, "points": matrix(x), "labels": l, "want": silhouette_score(x, l)} for name, x, l in cases
    ])


def lloyd():
    rng = np.random.default_rng(3)
    cases = []
    for n, cols, k, spread in [(12, 3, 3, 1), (12, 3, 3, 6), (30, 1, 4, 2), (60, 5, 6, 4), (200, 2, 8, 3),
                               (200, 10, 10, 5), (9, 4, 9, 1), (40, 3, 1, 2)]:
        x = blobs(rng, n, cols, k, spread)
        cases.append((f"{n}x{cols}, k {k}, spread {spread}", x, x[rng.choice(n, k, replace=False)]))
        foreign = short(rng.uniform(-10, 10, (k, cols)))
        if k < n:
            cases.append((f"{n}x{cols}, k {k}, spread {spread}, foreign centres", x, foreign))
        # else several clusters are empty at once, and which far point each gets is
        # up to the unspecified order of argpartition; Go goes farthest first.
    line = np.array([[0.0], [1], [2], [10], [11], [13]])
    cases.append(("one empty cluster", line, [[1.0], [12], [100]]))
    x = blobs(rng, 50, 3, 4, 1.0)
    start = x[:4].copy()
    start[2] = 500
    cases.append(("one empty cluster in space", x, start))
    cases.append(("far from the origin", blobs(rng, 30, 2, 3, 1.0) + 1e6, None))
    cases.append(("k-means by hand, inertia 0.375", [[0, 0], [0.5, 0], [0.5, 1], [1, 1]], [[0, 0], [1, 1]]))
    out = []
    for name, x, start in cases:
        x = np.asarray(x, dtype=float)
        start = x[:3] if start is None else np.asarray(start, dtype=float)
        km = KMeans(len(start), init=start, n_init=1, algorithm="lloyd").fit(x)
        out.append({"name": name, "points": matrix(x), "start": matrix(start), "labels": km.labels_,
                    "centroids": matrix(km.cluster_centers_), "inertia": km.inertia_, "steps": km.n_iter_})
    write("lloyd", out)


def kmeans():
    rng = np.random.default_rng(4)
    cases = []
    for n, cols, k in [(12, 3, 3), (64, 2, 4), (200, 8, 6), (300, 3, 10)]:
        # Centres on a grid of pitch 10 with unit noise: separable, so that the
        # best of ten starts is the same partition whoever draws them.
        grid = rng.permutation(np.array(np.meshgrid(*[[0, 10, 20]] * min(cols, 3))).reshape(min(cols, 3), -1).T)[:k]
        centres = np.zeros((k, cols))
        centres[:, : grid.shape[1]] = grid
        truth = np.arange(n) % k
        x = centres[truth] + normal(rng, n, cols)
        km = KMeans(k, n_init=10, random_state=0).fit(x)
        cases.append({"name": f"{n}x{cols}, k {k}", "points": matrix(x), "k": k, "labels": km.labels_, "inertia": km.inertia_})
    write("kmeans", cases)


def svd():
    rng = np.random.default_rng(5)
    cases = []
    for rows, cols, n in [(1, 1, 1), (1, 5, 1), (5, 1, 1), (12, 6, 3), (6, 12, 3), (12, 12, 12), (5, 600, 3),
                          (600, 5, 3), (40, 90, 4), (80, 40, 5)]:
        cases.append((f"{rows}x{cols}", normal(rng, rows, cols), n))
    low = rng.integers(-9, 10, (20, 3)) @ rng.integers(-9, 10, (3, 50))
    cases += [("rank 3, wide", low, 5), ("rank 3, tall", low.T, 5), ("zero", np.zeros((4, 7)), 2),
              ("tiny", 1e-90 * normal(rng, 6, 9), 2), ("huge", 1e90 * normal(rng, 6, 9), 2)]
    out = []
    for name, a, n in cases:
        u, s, _ = np.linalg.svd(a, full_matrices=False)
        features = np.zeros((a.shape[0], n))
        m = min(n, len(s))
        features[:, :m] = u[:, :m] * s[:m]
        out.append({"name": name, "a": matrix(a), "n": n, "values": s, "features": matrix(features)})
    write("svd", out)


def assignment():
    rng = np.random.default_rng(6)
    cases = []
    for rows, cols in [(1, 1), (3, 3), (4, 9), (10, 10), (20, 50), (40, 40)]:
        for kind, cost in [("normal", normal(rng, rows, cols)),
                           ("integer", rng.integers(0, 5, (rows, cols))),
                           ("exponential", short(rng.exponential(10, (rows, cols))))]:
            i, j = linear_sum_assignment(cost)
            cases.append({"name": f"{kind} {rows}x{cols}", "cost": matrix(cost), "total": float(cost[i, j].sum())})
    write("assignment", cases)


def plane():
    rng = np.random.default_rng(7)
    cases = []
    for rows, cols in [(3, 2), (12, 3), (5, 20), (100, 2), (100, 8), (40, 90)]:
        x = short(normal(rng, rows, cols) * rng.uniform(0.1, 5, cols) + rng.uniform(-50, 50, cols))
        p = PCA(2, svd_solver="full").fit(x)
        cases.append({"name": f"{rows}x{cols}", "points": matrix(x), "scores": matrix(p.transform(x)),
                      "kept": p.explained_variance_ratio_.sum()})
    write("plane", cases)


def align():
    rng = np.random.default_rng(8)
    cases = []
    for n in (2, 3, 12, 50):
        for noise in (0.0, 0.3, 10.0):
            ref = short(rng.standard_normal((n, 2)) * [3, 1] + [5, -2])
            t = rng.uniform(0, 2 * np.pi)
            q = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
            if rng.random() < 0.5:
                q = q @ np.diag([1, -1])
            x = short(ref @ q + noise * rng.standard_normal((n, 2)) + [-7, 1])
            a, b = x - x.mean(0), ref - ref.mean(0)
            best, _ = orthogonal_procrustes(a, b)
            # disparity = 1 − (Σ singular values of aᵀb)²/(‖a‖²‖b‖²) once both are
            # scaled to unit norm: a second, independent account of the fit.
            cases.append({"name": f"{n} points, noise {noise}", "points": matrix(x), "reference": matrix(ref),
                          "residual": ((a @ best - b) ** 2).sum(), "disparity": procrustes(ref, x)[2]})
    write("align", cases)


def separation():
    rng = np.random.default_rng(10)
    out = []
    for n, cols, k in [(6, 1, 2), (12, 3, 3), (40, 2, 5), (100, 6, 4)]:
        for spread in (0.5, 5.0):
            x = blobs(rng, n, cols, k, spread)
            labels = rng.integers(k, size=n)
            labels[:k] = range(k)
            fitted = KMeans(k, n_init=1, random_state=0).fit(x).labels_
            for kind, l in [("random", labels), ("fitted", fitted)]:
                out.append({"name": f"{kind} labels, {n}x{cols}, k {k}, spread {spread}", "points": matrix(x), "labels": l,
                            "silhouettes": silhouette_samples(x, l)})
    write("separation", out)


def agglomerative():
    rng = np.random.default_rng(11)
    out = []
    for n, cols, k in [(2, 1, 2), (6, 2, 3), (30, 3, 4), (60, 8, 5)]:
        x = blobs(rng, n, cols, k, 3.0)
        for method in ("ward", "complete", "average", "weighted", "single"):
            z = linkage(x, method)
            case = {"name": f"{method}, {n}x{cols}", "points": matrix(x), "linkage": method, "z": matrix(z), "k": k}
            if method != "weighted":  # scikit-learn has no WPGMA
                case["labels"] = AgglomerativeClustering(k, linkage=method).fit(x).labels_
            out.append(case)
    write("agglomerative", out)


def distances():
    rng = np.random.default_rng(12)
    out = []
    for n, cols in [(1, 3), (5, 1), (6, 4), (9, 40)]:
        x = normal(rng, n, cols)
        rng.exponential(1.0, (n, cols)), rng.random((n, cols))  # so that the next points stay what they were
        out.append({"name": f"{n}x{cols}", "points": matrix(x), "euclidean": matrix(squareform(pdist(x))),
                    "cosine": matrix(1 - squareform(pdist(x, "cosine")))})
    write("distances", out)


def angles():
    """Flats at known angles to each other, and flats at any."""
    rng = np.random.default_rng(13)
    out = []
    for known in ([0.0], [1e-12], [1.0], [np.pi / 2], [0.0, 0.0], [1e-9, 1.0], [1e-12, 1e-5, 0.3], [0.1, 0.5, 0.7, 1.2, 1.5],
                  [1e-3, np.pi / 2 - 1e-9]):
        p, dim = len(known), 3 * len(known) + 2
        q, _ = np.linalg.qr(rng.standard_normal((dim, 2 * p)))
        turn, _ = np.linalg.qr(rng.standard_normal((p, p)))
        a, b = q[:, :p], (q[:, :p] * np.cos(known) + q[:, p:] * np.sin(known)) @ turn
        out.append({"name": f"known {known}", "a": matrix(a.T), "b": matrix(b.T), "want": known})
    for p, r, dim in [(1, 1, 2), (2, 3, 4), (3, 5, 40), (4, 2, 200)]:
        a, _ = np.linalg.qr(rng.standard_normal((dim, p)))
        b, _ = np.linalg.qr(rng.standard_normal((dim, r)))
        out.append({"name": f"{p} and {r} of {dim}", "a": matrix(a.T), "b": matrix(b.T), "want": subspace_angles(a, b)[::-1]})
    write("angles", out)


def basis():
    rng = np.random.default_rng(14)
    out = []
    for rows, cols, n in [(1, 4, 1), (6, 3, 2), (3, 6, 3), (20, 100, 3), (100, 20, 5)]:
        x = short(3 * normal(rng, rows, cols) + 1)
        out.append({"name": f"{rows}x{cols}", "points": matrix(x), "n": n,
                    "want": matrix(np.linalg.svd(x, full_matrices=False)[2][:n])})
    write("basis", out)


def gap():
    """The gap statistic, from other random reference sets than Go's."""
    rng = np.random.default_rng(15)
    out = []
    for n, cols, k, most in [(40, 1, 1, 3), (60, 2, 3, 5), (90, 5, 4, 6)]:
        x = blobs(rng, n, cols, k, 1.0)
        low, high = x.min(axis=0), x.max(axis=0)
        sets = [rng.uniform(low, high, x.shape) for _ in range(50)]

        def log_inertia(points):
            return [np.log(KMeans(c, n_init=10, random_state=0).fit(points).inertia_) for c in range(1, most + 1)]

        logs = np.array([log_inertia(s) for s in sets])
        out.append({"name": f"{n}x{cols}, k {k}", "points": matrix(x), "inertia": log_inertia(x),
                    "mean": logs.mean(axis=0), "deviation": logs.std(axis=0), "references": len(sets)})
    write("gap", out)


def otsu():
    """The threshold between two kinds of heights: of all ways to part them in two, that with the
    least sum of squares around both means."""
    rng = np.random.default_rng(16)
    out = []
    for n, cols, k in [(3, 2, 2), (8, 2, 2), (20, 3, 4), (60, 5, 6), (100, 4, 1)]:
        x = blobs(rng, n, cols, k, 1.0)
        for method in ("weighted", "single", "complete", "average", "ward"):
            z = linkage(x, method)
            h = z[:, 2]
            squares = [h[:i].var() * i + h[i:].var() * (len(h) - i) for i in range(1, len(h))]
            i = int(np.argmin(squares))
            height = (h[i] + h[i + 1]) / 2
            labels = fcluster(z, height, "distance")
            names = {}
            out.append({"name": f"{method}, {n}x{cols}", "points": matrix(x), "linkage": method, "height": height,
                        "labels": np.array([names.setdefault(c, len(names)) for c in labels])})
    write("otsu", out)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for f in (adjusted_rand, entropy, silhouette, separation, lloyd, kmeans, svd, assignment, plane, align, agglomerative,
              distances, angles, basis, gap, otsu):
        f()
