#!/usr/bin/python3
"""Writes golden.json beside itself: clusterings by NumPy and SciPy that the Go tests then
repeat. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/algorithm/testdata/golden.py

    cfl       Sattler, Mueller and Samek (TNNLS 2021): splits by complete linkage of cosines, and
              clients that come after a split go down the tree of splits, to the side with
              the client whose update at the model of the split has the largest cosine
              with theirs. Client i's update of a model is the model minus its own optimum.
    stocfl    Zeng et al. (arXiv 2303.00897), Algorithm 1: clusters whose mean pulls have a
              cosine of tau or more become one, the most alike first; tau is found.
    pacfl     Vahidian et al. (AAAI 2023): angles between lines, WPGMA, cut where it is found.
    fedclust  Islam et al. (ICPP 2024): distances of last layers, cut where it is found.

Where a threshold is found it is Otsu's (1979) among the heights of merges: of all ways to
part the sorted heights in two, the one with the least sum of squares around both means,
and the middle between the two heights there. Inputs are drawn from one fixed seed per
method, chosen once and never again.
"""
import json
import pathlib

import numpy as np
import scipy
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform

HERE = pathlib.Path(__file__).parent
VERSIONS = {m.__name__: m.__version__ for m in (np, scipy)}


def plain(x):
    """NumPy types for json."""
    return x.tolist()


def short(x):
    """x to three decimals."""
    return np.rint(1000 * np.asarray(x)) / 1000


def cosine(u, v):
    return u @ v / np.sqrt((u @ u) * (v @ v))


def otsu(heights):
    h = np.sort(heights)
    squares = [h[:i].var() * i + h[i:].var() * (len(h) - i) for i in range(1, len(h))]
    best = int(np.argmin(squares))
    # A tie would make a bad reference.
    assert sum(s < squares[best] + 1e-9 for s in squares) == 1, squares
    return (h[best] + h[best + 1]) / 2


def first(labels):
    """Labels numbered by the first client that has them."""
    names = {}
    return [names.setdefault(l, len(names)) for l in labels]


def groups(rng, clients, d, k, spread):
    """Points around k centres, the group of each client drawn."""
    centres = rng.standard_normal((k, d))
    group = rng.integers(k, size=clients)
    group[:k] = range(k)
    return short(centres[group] + spread * rng.standard_normal((clients, d)))


def cfl():
    rng = np.random.default_rng(50)
    lr, eps1, eps2 = 0.3, 0.1, 0.5
    out = []
    for clients, d, k, late, rounds in [(10, 3, 2, 2, 30), (14, 4, 3, 4, 40), (20, 6, 4, 6, 60)]:
        optimum = groups(rng, clients, d, k, 0.05)
        samples = rng.integers(1, 5, size=clients)
        new = rng.choice(clients, late, replace=False)
        models, label, tree = [np.zeros(d)], np.zeros(clients, int), []
        last, passed, heard = {}, np.zeros(clients, int), []
        log = []
        for t in range(rounds):
            # Every newcomer comes in a round of its own, after others have split.
            here = [i for i in range(clients)
                    if (i not in new or t >= rounds // 2 + list(new).index(i)) and rng.random() < 0.8]
            for i in here:
                while i not in last and passed[i] < len(tree):
                    node = tree[passed[i]]
                    passed[i] += 1
                    if node["cluster"] != label[i]:
                        continue
                    u = node["model"] - optimum[i]
                    most = [max(cosine(u, v) for v, s in zip(node["updates"], node["side"]) if s == side)
                            for side in (0, 1)]
                    label[i] = node["second"] if most[1] > most[0] else node["cluster"]
            updates = {i: models[label[i]] - optimum[i] for i in here}
            last.update(updates)
            for c in range(len(models)):
                members = [i for i in sorted(last) if label[i] == c]
                if len(members) <= 2 or not any(label[i] == c for i in here):
                    continue
                us = np.array([last[i] for i in members])
                mean = np.linalg.norm(np.average(us, axis=0, weights=samples[members]))
                if mean < eps1 and np.linalg.norm(us, axis=1).max() > eps2:
                    side = np.array(first(fcluster(linkage(us, "complete", "cosine"), 2, "maxclust")))
                    tree.append({"cluster": c, "second": len(models), "model": models[c].copy(), "updates": us,
                                 "side": side})
                    label[np.array(members)[side == 1]] = len(models)
                    models.append(models[c].copy())
            for c in range(len(models)):
                mine = [i for i in here if label[i] == c]
                if mine:
                    models[c] = models[c] - lr * np.average([updates[i] for i in mine], axis=0, weights=samples[mine])
            log.append({"here": here, "label": label.copy()})
        assert any(passed[i] > 0 and label[i] > 0 for i in new), "no newcomer goes to a second side"
        out.append({"optimum": optimum, "samples": samples, "lr": lr, "rounds": log, "models": np.array(models)})
    return out


def stocfl():
    rng = np.random.default_rng(51)
    out = []
    for clients, d, k, spread, share in [(12, 5, 3, 0.5, 1), (16, 8, 4, 0.6, 0.5), (24, 10, 5, 0.4, 0.4)]:
        pulls = groups(rng, clients, d, k, spread)
        root, known, rounds, tau = np.arange(clients), set(), [], 0
        for _ in range(12):
            here = sorted(rng.choice(clients, max(3, round(share * clients)), replace=False))
            if not known.issuperset(here):
                known.update(here)
                tau = 1 - otsu(linkage(pulls[sorted(known)], "single", "cosine")[:, 2])
            # The mean of all of a cluster's clients that have come.
            active = sorted({root[i] for i in here})
            mean = {a: pulls[[i for i in sorted(known) if root[i] == a]].mean(axis=0) for a in active}
            pairs = sorted((-cosine(mean[a], mean[b]), a, b) for a in active for b in active if a < b)
            for c, a, b in pairs:
                assert abs(-c - tau) > 1e-6
                if -c >= tau and root[a] != root[b]:
                    low, high = min(root[a], root[b]), max(root[a], root[b])
                    root[root == high] = low
            rounds.append({"here": here, "known": sorted(known), "label": first([root[i] for i in sorted(known)])})
        out.append({"pulls": pulls, "rounds": rounds})
    return out


def pacfl():
    rng = np.random.default_rng(52)
    out = []
    for clients, d, k, spread in [(9, 3, 2, 0.1), (16, 6, 4, 0.2), (30, 8, 5, 0.3)]:
        lines = groups(rng, clients, d, k, spread) * rng.choice([-1, 1], size=(clients, 1))
        lines /= np.linalg.norm(lines, axis=1, keepdims=True)
        angle = np.degrees(np.arccos(np.clip(abs(lines @ lines.T), 0, 1)))
        np.fill_diagonal(angle, 0)
        z = linkage(squareform(angle, checks=False), "weighted")
        out.append({"lines": lines, "label": first(fcluster(z, otsu(z[:, 2]), "distance"))})
    return out


def fedclust():
    rng = np.random.default_rng(53)
    out = []
    for method, name in [("weighted", "average"), ("complete", "max"), ("single", "min")]:
        for clients, k, spread in [(8, 2, 0.1), (20, 4, 0.2)]:
            heads = groups(rng, clients, 2, k, spread)
            z = linkage(pdist(heads), method)
            out.append({"merge": name, "heads": heads, "label": first(fcluster(z, otsu(z[:, 2]), "distance"))})
    return out


if __name__ == "__main__":
    cases = {"versions": VERSIONS, **{f.__name__: f() for f in (cfl, stocfl, pacfl, fedclust)}}
    (HERE / "golden.json").write_text(json.dumps(cases, default=plain).replace('{"', '\n{"') + "\n")
