#!/usr/bin/python3
"""Writes measures.json beside itself: what NumPy measures of each client, in 64 bits, on exported runs: the lead of its
best model and the noise of that lead, its update, the places of its newest reply, and the gap between groups. Run by
hand; Go only reads the JSON.

    /usr/bin/python3 sim/engine/testdata/measures.py

Needs NumPy (Debian: python3-numpy) and Go. Of the exports it takes samples, models before each round, states and labels.
Places are stored as distances between the place of a client's newest reply and the places of all clients, which do not
depend on how a map is turned.
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
    "data=linreg&C=7&T=6&algos=ifca",
    "data=linreg&C=7&T=6&probe=25&rho=0.7&drop=0.2&algos=ifca",
    "data=linreg&C=7&T=6&K=4&algos=clove",
    "data=linreg&C=7&T=6&algos=fedavg",
    "data=mix1d&C=6&T=4&b=8&probe=8&algos=ifca",
    "data=digits&net=mlp&hidden=7&n=900&C=4&T=4&b=20&probe=20&algos=ifca",
    "data=digits&net=softmax&n=900&C=4&T=3&b=20&probe=150&algos=clove",
    "data=linreg&C=8&T=11&algos=cflgp",
    "data=linreg&C=9&T=12&D=2&K=4&P=3&dphi=8&algos=cflgp",
]


def measure(run):
    K, of = run.lanes[0]["models"] if "models" in run.lanes[0] else run["lane0.models"].shape[1], lambda n: run["lane0." + n]
    settings = {**run.settings, **run.lanes[0].get("settings", {})}
    probe, b = run.lanes[0]["probe"], run.b
    method = run.query.split("algos=")[1].split("&")[0] if "algos=" in run.query else "cflgp"
    out = []
    memory = counts = None
    turn = 0
    for t in range(run.rounds):
        models, label = of("models")[t].astype(float), of("label")
        here = [c for c in range(run.clients) if of("state")[t][c] == 0]
        r = {"lead": None, "noise": None, "pull": [None] * run.clients, "replies": None, "alone": None, "gap": None}
        if method in ("ifca", "clove"):
            r["lead"], r["noise"] = [0.0] * run.clients, [0.0] * run.clients
        for c in range(run.clients):
            if c not in here:
                continue
            trained = {"fedavg": 0, "cflgp": label[t][c]}.get(method, label[t + 1][c])
            g = run.model.gradient(models[trained], *run.minibatch(t, c))
            r["pull"][c] = [float(v) for v in g] if len(g) <= 8 else [float(np.linalg.norm(g))]
            if r["lead"] is not None:
                x, y = run.drawn(t, c, probe)
                losses = np.array([run.model.losses(m, x, y) for m in models])
                best, second = np.argsort(losses.mean(axis=1), kind="stable")[:2]
                d = losses[second] - losses[best]
                r["lead"][c] = float(d.mean())
                r["noise"][c] = float(d.std(ddof=1) / np.sqrt(len(d)))
        if method == "cflgp":
            P = int(settings["P"])
            if memory is None:
                memory, counts = np.zeros((run.clients, K, models.shape[1])), np.zeros((run.clients, K), int)
            if t % P == 1:
                newest = memory.copy()
                for c in here:
                    g = run.model.gradient(models[turn], *run.minibatch(t, c))
                    counts[c, turn] += 1
                    memory[c, turn] += (g - memory[c, turn]) / counts[c, turn]
                    newest[c] = memory[c]
                    newest[c, turn] = g
                A, B = memory.reshape(run.clients, -1), newest.reshape(run.clients, -1)
                V = np.linalg.svd(A, full_matrices=False)[2][:K].T
                R, S = A @ V, B @ V
                W = np.linalg.svd(R - R.mean(axis=0))[2][:2].T
                place, alone = (R - R.mean(axis=0)) @ W, (S - R.mean(axis=0)) @ W
                r["alone"] = np.linalg.norm(alone[:, None] - place[None], axis=2).tolist()
                groups = sorted(set(run.group))
                centre = {g: R[run.group == g].mean(axis=0) for g in groups}
                spread = np.sqrt(np.mean([np.sum((R[c] - centre[run.group[c]]) ** 2) for c in range(run.clients)]))
                r["gap"] = float(min(np.linalg.norm(centre[g] - centre[h]) for g in groups for h in groups if g < h) / spread)
                turn = (turn + 1) % K
            r["replies"] = counts.sum(axis=1).tolist()
        out.append(r)
    return {"query": run.query, "rounds": out}


def main():
    with tempfile.TemporaryDirectory() as folder:
        flock = pathlib.Path(folder) / "flock"
        subprocess.run(["go", "build", "-o", flock, "./sim/cmd/flock"], cwd=ROOT, check=True)
        found = []
        for n, query in enumerate(QUERIES):
            path = pathlib.Path(folder) / f"{n}.npz"
            subprocess.run([flock, "export", "-rounds", "-o", path, query], check=True)
            found.append(measure(replay.Run(path)))
            found[-1]["query"] = query
    text = ",\n".join(json.dumps(f) for f in found)
    (HERE / "measures.json").write_text("[\n" + text + "\n]\n")


if __name__ == "__main__":
    main()
