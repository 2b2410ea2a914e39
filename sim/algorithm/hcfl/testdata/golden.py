#!/usr/bin/python3
"""Writes golden.json beside itself: what one client of HCFL sends and keeps over some rounds in
which clusters split and are removed, in plain NumPy and float64. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/algorithm/hcfl/testdata/golden.py

Written from the paper (Guo, Tang, Lin, arXiv 2310.05397), not from the Go code:

    equation 4       γ_jk ∝ ω_jk L_k(x_j, y_j)        γ̃_jk ∝ ω̃_k L_k(x_j, y_j)        L_k = exp(−loss)
    equation 5       ω̃_k = mean_j γ̃_jk                ω_jk = μ̃ γ_jk + (1 − μ̃) ω̃_k
    equation 6       u_k = mean_j γ_jk ∂loss_jk/∂θ_k   (a step against it is the paper's ascent)
    Algorithm 4      a cluster that splits leaves half of ω̃ and of each ω_j to either side
    Algorithm 5      when a cluster goes, the others are divided by their sum

Models are slopes through the origin, losses squared errors. In round 3 the client is not asked.
"""
import json
import pathlib

import numpy as np

MOST, START = 4, 2
X = np.array([1.0, -0.75, 1.5])
Y = np.array([0.5, 1.0, 2.0])
# By round: edits that the server makes after it, and whether the client is asked in it.
ROUNDS = [
    ([], True),
    ([(0, 2)], True),
    ([(1, None)], True),
    ([(2, 1)], False),
    ([], True),
    ([(0, None), (1, 3)], True),
    ([], True),
]


def edit(edits, weights):
    """Algorithms 4 and 5, for weights of clusters in the last axis."""
    for k, into in edits:
        if into is None:
            weights[..., k] = 0
            weights /= weights.sum(-1, keepdims=True)
        else:
            weights[..., k] /= 2
            weights[..., into] = weights[..., k]


def shares(weights, losses):
    p = weights * np.exp(-losses)
    return p / p.sum(-1, keepdims=True)


def play(mu):
    rng = np.random.default_rng(1)
    client = np.zeros(MOST)
    client[:START] = 1 / START
    sample = np.tile(client, (len(X), 1))
    alive, out = list(range(START)), []
    for edits, asked in ROUNDS:
        slopes = np.float32(rng.uniform(-1, 2, MOST)).astype(float)
        losses = (np.outer(X, slopes) - Y[:, None]) ** 2
        step = {"slopes": slopes.tolist(), "asked": asked, "alive": list(alive)}
        if asked:
            gamma = shares(sample, losses)
            client = shares(client, losses).mean(0)
            sample = mu * gamma + (1 - mu) * client
            slope_of_loss = 2 * (np.outer(X, slopes) - Y[:, None]) * X[:, None]
            step["updates"] = (gamma * slope_of_loss).mean(0)[alive].tolist()
            step["weights"] = client[alive].tolist()
        edit(edits, client)
        edit(edits, sample)
        for k, into in edits:
            alive = sorted(set(alive) - {k} if into is None else set(alive) | {into})
        step["edits"] = [[k, -1 if into is None else into] for k, into in edits]
        step["after"] = client.tolist()  # by which models are tried after the round
        step["samples"] = sample.T.tolist()
        out.append(step)
    return {"mu": mu, "rounds": out}


here = pathlib.Path(__file__).parent
cases = [play(mu) for mu in (0.0, 0.4, 1.0)]
(here / "golden.json").write_text(json.dumps(
    {"most": MOST, "start": START, "x": X.tolist(), "y": Y.tolist(), "cases": cases}) + "\n")
