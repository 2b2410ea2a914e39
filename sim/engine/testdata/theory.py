#!/usr/bin/python3
"""Writes theory.json beside itself: what NumPy finds, in 64 bits, of what theorems are about on exported runs: the error of
the worst group's model, the spectral norm of CFL-GP's gradient noise, and the gaps between groups (equations 7 to 10 and
20, Assumption 3, Definition 1), and HCFL's dist(B, B*) as in Definition B.1. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/engine/testdata/theory.py

Needs NumPy (Debian: python3-numpy) and Go. Of the exports it takes samples, models, labels and groups. The best models of
linreg follow from the settings, those of others from samples without noise, or nearly so.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "sim/algorithm/reference"))
sys.dont_write_bytecode = True

import replay

QUERIES = [
    "data=linreg&T=26&algos=cflgp",
    "data=linreg&C=9&T=17&D=2&K=4&P=3&dphi=8&algos=cflgp",
    "data=linreg&C=8&T=9&algos=cflgp&tcl=5&fall=1/t",
    "data=linreg&C=8&T=5&algos=ifca",
    "data=mixreg&C=8&D=3&K=3&T=4&held=60&probe=60&b=20&avg=gradient&lr=0.3&algos=clove",
    "data=mixreg&C=8&D=3&K=3&T=3&held=60&probe=60&b=20&algos=clove",
    "data=linrep&sigma=0&C=10&T=6&even=0.2&algos=cflgp&trunk=common",
    "data=linrep&sigma=0&C=6&T=3&algos=ifca",
]


def measure(run):
    of = lambda name: run["lane0." + name]
    K, group, D = of("models").shape[1], run.group, int(run.settings["D"])
    settings = {**run.settings, **run.lanes[0].get("settings", {})}
    if run.name == "linreg":
        phi = np.radians([((D - 1) / 2 - g) * float(run.settings["dphi"]) for g in range(D)])
        best = np.stack([np.tan(phi), 0 * phi], 1)
    else:
        best = []
        for g in range(D):
            of_group = [c for c in range(run.clients) if group[c] == g]
            parts = [run.own[c] if run.finite else run.minibatch(t, c) for c in of_group for t in range(run.rounds)]
            best.append(np.linalg.lstsq(np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]), rcond=None)[0])
        best = np.array(best)
    star = np.linalg.qr(best.T)[0]

    def distance(theta, g):
        if run.name != "linrep":
            return np.linalg.norm(theta - best[g])
        B = theta[: run.model.head.start].reshape(run.inputs, -1)
        assert B.shape[1] == star.shape[1]
        rest = np.linalg.qr(np.hstack([B, np.eye(run.inputs)]))[0][:, B.shape[1] :]
        return np.linalg.norm(rest.T @ star, 2)

    def population(theta, g):
        w, slope = np.cos(phi[g]), np.tan(phi[g])
        x = w * np.linspace(0, 1, 2001)  # Simpson's rule is exact for squares
        weights = np.array([1] + [4, 2] * 999 + [4, 1]) / 6000
        e = 2 * (theta[0] * x + theta[1] - slope * x)
        return np.array([weights @ (e * x), weights @ e])

    profiled = run.name == "linreg" and "algos=cflgp" in run.query
    G, A, n, turn, found = np.zeros((run.clients, K, 2)), np.zeros((D, K, 2)), np.zeros(K), 0, [0, 0, 0]
    out = []
    for t in range(run.rounds + 1):
        models = of("models")[t].astype(float)
        error = 0
        for g in range(D):
            most = np.bincount(of("label")[t][group == g], minlength=K).argmax()
            error = max(error, distance(models[most], g))
        out.append([float(error), *found])
        if profiled and t < run.rounds and t % int(settings["P"]) == 1 and not 0 < int(settings["tcl"]) <= t:
            n[turn] += 1
            for c in range(run.clients):
                G[c, turn] += (run.model.gradient(models[turn], *run.minibatch(t, c)) - G[c, turn]) / n[turn]
            for g in range(D):
                A[g, turn] += (population(models[turn], g) - A[g, turn]) / n[turn]
            turn = (turn + 1) % K
            if n.min() > 0:
                d = np.array([np.linalg.norm(A[g] - A[h], axis=1) for g in range(D) for h in range(g)])
                found = [float(np.linalg.norm((G - A[group]).reshape(run.clients, -1), 2)), float(np.sqrt((d**2).sum(1)).min()), float(d.min())]
    return out


def main():
    with tempfile.TemporaryDirectory() as folder:
        flock = pathlib.Path(folder) / "flock"
        subprocess.run(["go", "build", "-o", flock, "./sim/cmd/flock"], cwd=ROOT, check=True)
        runs = []
        for n, query in enumerate(QUERIES):
            path = pathlib.Path(folder) / f"{n}.npz"
            subprocess.run([flock, "export", "-rounds", "-o", path, query], check=True)
            runs.append({"query": query, "rounds": measure(replay.Run(path))})
    text = ",\n".join(json.dumps(r) for r in runs)
    (HERE / "theory.json").write_text("[\n" + text + "\n]\n")


if __name__ == "__main__":
    main()
