#!/usr/bin/python3
"""Compares the engine with the references beside this file, one line per run.

    sim/algorithm/reference/check.py [-write] [-v] [METHOD …]

It builds flock, exports the runs that a reference names in QUERIES, with the models of every round,
and has the reference play them anew. Labels and floats must be equal; models, losses, weights and
accuracies may differ by rounding, since the engine computes gradients in 32 bits. -write stores what
the references found, not what the engine did, in testdata, for a test in Go. -v says of a difference
in which round it begins, and of each run in how many rounds labels moved and how many models end in use. Needs NumPy and SciPy (Debian: python3-numpy, python3-scipy) and Go.
"""
import importlib
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import numpy as np

import replay

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
SHARED = {"check", "replay"}

MODELS, LOSSES = 1e-5, 1e-5  # relative


def methods(names):
    found = sorted(p.stem for p in HERE.glob("*.py") if p.stem not in SHARED)
    wrong = set(names) - set(found)
    if wrong:
        sys.exit(f"no reference {', '.join(sorted(wrong))}; there are {', '.join(found)}")
    return names or found


def compare(run, number, rounds, tolerance):
    """The differences of each kind: the largest, and the first round in which it is too large."""
    of = lambda name: run[f"lane{number}.{name}"]
    worst, first = {}, {}

    def note(kind, t, difference, limit):
        worst[kind] = max(worst.get(kind, 0.0), difference)
        if not difference <= limit:
            first.setdefault(kind, t)

    for t, r in enumerate(rounds, 1):
        note("labels", t, float((np.array(r["label"]) != of("label")[t]).sum()), 0)
        note("floats", t, max(abs(r["down"] - of("down")[t]), abs(r["up"] - of("up")[t])), 0)
        mine, theirs = r["models"], of("models")[t].astype(float)
        scale = np.maximum(np.abs(theirs).max(axis=1), 1e-3)
        note("models", t, float((np.abs(mine - theirs).max(axis=1) / scale).max()), tolerance)
        loss = of("loss")[t]
        if r["loss"] is None:
            note("losses", t, 0.0 if np.isnan(loss) else np.inf, 0)
        else:
            note("losses", t, abs(r["loss"] - loss) / abs(loss), LOSSES)
        if r["accuracy"] is not None:
            note("accuracies", t, float(np.abs(np.array(r["accuracy"]) - of("accuracy")[t]).max()), 1e-6)
        for kind in ("val", "test"):
            if r[kind] is not None:
                note(kind, t, abs(r[kind] - of(kind)[t]), 1e-6)
        if r["mixture"] is not None:
            note("weights", t, float(np.abs(r["mixture"] - of("mixture")[t]).max()), 1e-5)
        elif f"lane{number}.mixture" in run.arrays:
            note("weights", t, np.inf, 0)
    return worst, first


def stored(query, rounds):
    """What the test in Go compares: of models their sums and lengths."""
    return {
        "query": query,
        "label": [r["label"] for r in rounds],
        "loss": [r["loss"] for r in rounds],
        "accuracy": [None if r["accuracy"] is None else float(np.mean(r["accuracy"])) for r in rounds],
        "val": [r["val"] for r in rounds],
        "test": [r["test"] for r in rounds],
        "down": [r["down"] for r in rounds],
        "up": [r["up"] for r in rounds],
        "sums": [r["models"].sum(axis=1).tolist() for r in rounds],
        "lengths": [np.linalg.norm(r["models"], axis=1).tolist() for r in rounds],
        "mixture": [None if r["mixture"] is None else np.asarray(r["mixture"]).tolist() for r in rounds],
    }


def rounded(x):
    if isinstance(x, float):
        return float(f"{x:.9g}")
    if isinstance(x, list):
        return [rounded(v) for v in x]
    return {k: rounded(v) for k, v in x.items()} if isinstance(x, dict) else x


def main():
    args = sys.argv[1:]
    write, verbose = "-write" in args, "-v" in args
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        flock = folder / "flock"
        subprocess.run(["go", "build", "-o", flock, "./sim/cmd/flock"], cwd=ROOT, check=True)
        for name in methods([a for a in args if not a.startswith("-")]):
            module, cases = importlib.import_module(name), []
            for n, query in enumerate(module.QUERIES):
                path = folder / f"{name}{n}.npz"
                done = subprocess.run([flock, "export", "-rounds", "-o", path, query], capture_output=True, text=True)
                if done.returncode:
                    print(f"FAIL {name}: {query}: {done.stderr.strip()}")
                    bad += 1
                    continue
                run = replay.Run(path)
                path.unlink()
                assert len(run.lanes) == 1, "a query of a reference has one lane"
                rounds = module.Reference(run, 0).play()
                worst, first = compare(run, 0, rounds, getattr(module, "TOLERANCE", MODELS))
                said = ", ".join(f"{kind} {w:.1e}" if w else f"{kind} equal" for kind, w in worst.items())
                print(f"{'FAIL' if first else 'ok  '} {name}: {said}: {query}")
                if verbose:
                    labels = run["lane0.label"]
                    print("     labels moved in", int((labels[1:] != labels[:-1]).any(axis=1).sum()), "rounds, of",
                          run.rounds, "and", len(set(labels[-1])), "models are in use at the end")
                if first and verbose:
                    print("     too large from round", ", ".join(f"{t} ({kind})" for kind, t in first.items()))
                bad += bool(first)
                cases.append(stored(query, rounds))
            if write:
                (HERE / "testdata").mkdir(exist_ok=True)
                lines = ",\n".join(json.dumps(rounded(c), separators=(",", ":")) for c in cases)
                (HERE / "testdata" / f"{name}.json").write_text(f"[{lines}]\n")
    if bad:
        sys.exit(f"{bad} runs differ")


if __name__ == "__main__":
    main()
