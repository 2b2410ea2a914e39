#!/usr/bin/python3
"""Writes golden.json beside itself: the losses and models of every round of FedAvg, IFCA
and CFL-GP, as NumPy has them on exported runs. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/engine/testdata/golden.py

Needs NumPy (Debian: python3-numpy) and Go, since the data come from `flock export`. What
is read from the export is what the algorithms are given: samples, draws, start models,
first labels. Everything else is written anew, in float64, from the papers:

    FedAvg  McMahan et al., AISTATS 2017, Algorithm 1 (FedSGD where clients send gradients)
    IFCA    Ghosh et al., NeurIPS 2020, Algorithm 1, options I and II, means over clusters
    CFL-GP  Kim, Kim and de Veciana, ICML 2024, Algorithms 1 to 3 (and 4: model averaging)

A choice that hangs on rounding, such as two clusterings as good as each other, would make
a bad reference: the script stops there. Where several ways to name clusters keep as many
labels, which hangs on chance in k-means, the one of the export is taken if it is among them.
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]

LINES = "data=linreg&T=60&algos=fedavg,ifca,cflgp"
PICTURES = "data=digits&n=480&C=12&angles=0,90,180,270&net=softmax&K=4&T=24&every=1&exam=0&algos=fedavg,ifca,cflgp"
QUERIES = [
    LINES + "&dphi=20",
    LINES + "&dphi=35&b=40&probe=20&sigma=0.1&sd=2&sm=3&sa=4",
    LINES + "&dphi=30&avg=model&tau=3&sd=5&sm=2",
    PICTURES + "&lr=0.05&b=1000&probe=1000",
    PICTURES + "&lr=0.02&b=16&probe=24&avg=model&tau=2&sd=3&sm=2",
]


class Lines:
    """Squared error of slope·x + offset; the risk is that of linreg's definition."""

    def __init__(self, z, run, settings):
        self.z, self.settings = z, settings
        self.b = run["b"]

    def minibatch(self, t, c):
        return self.z["draw_x"][t, c, : self.b, 0], self.z["draw_y"][t, c, : self.b]

    def probe(self, t, c, n):
        return self.z["draw_x"][t, c, :n, 0], self.z["draw_y"][t, c, :n]

    def steps(self, t, c, epochs):
        for e in range(epochs):
            yield self.z["epoch_x"][t, c, e, :, 0], self.z["epoch_y"][t, c, e]

    def loss(self, theta, batch):
        x, y = (v.astype(float) for v in batch)
        return np.mean((y - theta[0] * x - theta[1]) ** 2)

    def gradient(self, theta, batch):
        x, y = (v.astype(float) for v in batch)
        e = theta[0] * x + theta[1] - y
        return 2 * np.array([np.mean(e * x), np.mean(e)])

    def risk(self, theta, c):
        """x is uniform on (0, cos φ), y = x·tan φ + n: E (y − wx − b)²."""
        phi = np.radians(self.settings["dphi"] * (1 - self.z["group"][c]))  # Δφ, 0, −Δφ
        width, slope = np.cos(phi), np.tan(phi) - theta[0]
        return slope**2 * width**2 / 3 - slope * theta[1] * width + theta[1] ** 2 + self.settings["sigma"] ** 2


class Pictures:
    """Softmax regression under the cross-entropy."""

    def __init__(self, z, run, settings):
        self.b, self.draw = run["b"], z["draw"]
        self.order = z["order"] if "order" in z else None
        (weights, low, high) = (run["parameters"][0][k] for k in ("name", "low", "high"))
        assert weights == "dense1.weight" and low == 0
        self.weights, self.inputs = high, z["train_x"].shape[1]
        self.train = self.split(z, "train")
        self.test = self.split(z, "test")

    def split(self, z, part):
        of = z[part + "_client"]
        return [(z[part + "_x"][of == c].astype(float), z[part + "_y"][of == c].astype(int)) for c in range(of.max() + 1)]

    def those(self, c, which):
        which = which[which >= 0]
        return self.train[c][0][which], self.train[c][1][which]

    def minibatch(self, t, c):
        return self.those(c, self.draw[t, c, : self.b])

    def probe(self, t, c, n):
        return self.those(c, self.draw[t, c, :n])

    def steps(self, t, c, epochs):
        for e in range(epochs):
            order = self.order[t, c, e]
            order = order[order >= 0]
            for low in range(0, len(order), self.b):
                yield self.those(c, order[low : low + self.b])

    def shares(self, theta, x):
        score = x @ theta[: self.weights].reshape(self.inputs, -1) + theta[self.weights :]
        score -= score.max(axis=1, keepdims=True)
        return score - np.log(np.exp(score).sum(axis=1, keepdims=True))

    def loss(self, theta, batch):
        x, y = batch
        return -np.mean(self.shares(theta, x)[np.arange(len(y)), y])

    def gradient(self, theta, batch):
        x, y = batch
        e = np.exp(self.shares(theta, x))
        e[np.arange(len(y)), y] -= 1
        return np.concatenate([(x.T @ e).ravel(), e.sum(axis=0)]) / len(y)

    def risk(self, theta, c):
        return self.loss(theta, self.test[c])


def update(data, lane, theta, t, c):
    """What client c answers in round t: a gradient, or what training takes away from theta."""
    if lane["tau"] == 0:
        return data.gradient(theta, data.minibatch(t, c))
    own = theta.copy()
    for batch in data.steps(t, c, lane["tau"]):
        own -= lane["lr"] * data.gradient(own, batch)
    return theta - own


def descend(lane, theta, label, updates, weight):
    """Every model follows the mean update of its clients."""
    step = lane["lr"] if lane["tau"] == 0 else 1.0
    for k in range(len(theta)):
        of = np.flatnonzero(label == k)
        if len(of):
            theta[k] -= step * np.average([updates[c] for c in of], axis=0, weights=weight[of])


def fedavg(data, lane, theta, label, weight, t, memory):
    updates = [update(data, lane, theta[0], t, c) for c in range(len(label))]
    descend(lane, theta, label, updates, weight)
    return label


def ifca(data, lane, theta, label, weight, t, memory):
    label = label.copy()
    for c in range(len(label)):
        losses = np.array([data.loss(m, data.probe(t, c, lane["probe"])) for m in theta])
        least = np.sort(losses)[:2]
        if least[1] - least[0] <= 1e-5 * least[0]:
            sys.exit(f"{lane['lane']}, round {t}: client {c} has two best models")
        label[c] = losses.argmin()
    descend(lane, theta, label, [update(data, lane, theta[label[c]], t, c) for c in range(len(label))], weight)
    return label


def cflgp(data, lane, theta, label, weight, t, memory):
    clients, models = len(label), len(theta)
    clustering = t % 2 == 1  # P = 2
    if clustering:
        common = memory.setdefault("turn", 0) % models
        memory["turn"] += 1
        g = memory.setdefault("g", np.zeros((models, clients, theta.shape[1])))
        n = memory.setdefault("n", np.zeros(models))
        n[common] += 1
        beta = 1 / n[common]
        for c in range(clients):
            g[common, c] = (1 - beta) * g[common, c] + beta * update(data, lane, theta[common], t, c)
    descend(lane, theta, label, [update(data, lane, theta[label[c]], t, c) for c in range(clients)], weight)
    if clustering:
        flat = np.concatenate(list(g), axis=1)
        u, s, _ = np.linalg.svd(flat, full_matrices=False)
        found = kmeans(u[:, :models] * s[:models], models, f"{lane['lane']}, round {t}")
        label = rename(found, label, models, memory["taken"][t], f"{lane['lane']}, round {t}")
    return label


def kmeans(points, k, where):
    """The best of many starts; two partitions that are about as good are no reference."""
    rng = np.random.default_rng(1)
    results = {}
    for _ in range(300):
        centres = [points[rng.integers(len(points))]]
        while len(centres) < k:
            d = np.min([((points - c) ** 2).sum(axis=1) for c in centres], axis=0)
            centres.append(points[rng.choice(len(points), p=d / d.sum())] if d.sum() > 0 else points[0])
        centres = np.array(centres)
        for _ in range(300):
            d = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
            label = d.argmin(axis=1)
            moved = np.array([points[label == j].mean(axis=0) if (label == j).any() else centres[j] for j in range(k)])
            if np.allclose(moved, centres, rtol=0, atol=1e-14):
                break
            centres = moved
        names = {}
        key = tuple(names.setdefault(l, len(names)) for l in label)
        results[key] = d.min(axis=1).sum()
    ranked = sorted(results, key=results.get)
    if len(ranked) > 1 and results[ranked[1]] < results[ranked[0]] * 1.001:
        sys.exit(f"{where}: two clusterings are as good")
    return np.array(ranked[0])


def rename(found, before, k, taken, where):
    """The names that most clients have already; of several, those that were taken."""
    kept = sorted(((sum(p[f] == b for f, b in zip(found, before)), p) for p in itertools.permutations(range(k))), reverse=True)
    best = [np.array(p)[found] for n, p in kept if n == kept[0][0]]
    if any((b != best[0]).any() for b in best):
        best = [b for b in best if (b == taken).all()]
        if not best:
            sys.exit(f"{where}: the clusters' names keep fewer labels than others would")
    return best[0]


def settings(query):
    """The value of each setting of linreg that its risk hangs on."""
    given = dict(pair.split("=") for pair in query.split("&"))
    return {key: float(given.get(key, default)) for key, default in (("dphi", 20), ("sigma", 0.2))}


def main():
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        for number, query in enumerate(QUERIES):
            path = pathlib.Path(folder) / f"{number}.npz"
            subprocess.run(["go", "run", "./sim/cmd/flock", "export", "-o", path, query], cwd=ROOT, check=True, stdout=sys.stderr)
            with np.load(path) as file:
                z = {name: file[name] for name in file.files}
            run = json.loads(z["run.json"])
            data = (Lines if query.startswith("data=linreg") else Pictures)(z, run, settings(query))
            lanes = []
            for i, lane in enumerate(run["lanes"]):
                theta, label = z[f"lane{i}.start"].astype(float), z[f"lane{i}.label"][0].astype(int)
                memory, losses, labels = {"taken": z[f"lane{i}.label"][1:]}, [], []
                for t in range(run["rounds"]):
                    label = globals()[lane["algorithm"]](data, lane, theta, label, z["weight"], t, memory)
                    losses.append(float(np.mean([data.risk(theta[k], c) for c, k in enumerate(label)])))
                    labels.append(label.tolist())
                lanes.append({"lane": lane["lane"], "losses": losses, "labels": labels})
                worst = np.max(np.abs(np.array(losses) / z[f"lane{i}.loss"][1:] - 1))
                same = all((np.array(a) == b).all() for a, b in zip(labels, z[f"lane{i}.label"][1:]))
                print(f"{query} {lane['lane']}: losses differ by {worst:.1e}, labels are the same: {same}", file=sys.stderr)
            cases.append({"query": query, "lanes": lanes})
    text = json.dumps({"versions": {"numpy": np.__version__, "python": sys.version.split()[0]}, "cases": cases})
    (HERE / "golden.json").write_text(text.replace('{"query"', '\n{"query"').replace('{"lane"', '\n {"lane"') + "\n")


if __name__ == "__main__":
    main()
