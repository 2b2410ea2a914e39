#!/usr/bin/python3
"""Writes theory.json beside itself: bounds of the three papers, and simulations that they are about, written from the
papers alone, in NumPy, with random numbers of its own. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/theory/testdata/theory.py

Needs NumPy, SciPy and scikit-learn (Debian: python3-sklearn). It takes about a minute.
"""
import json
import pathlib

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans

HERE = pathlib.Path(__file__).parent


def means(rows):
    a = np.array(rows, float)
    return {"mean": a.mean(0).tolist(), "error": (a.std(0, ddof=1) / np.sqrt(len(a))).tolist()}


# ---- CFL-GP: Algorithm 1 on section 5.1, and equations (9), (10), (18) and (20) ------------------


def cflgp(seed, rounds, at, C=12, b=10, K=3, P=2, rate=0.1, sigma=0.2, gap=20.0, init=0.8):
    """‖E‖, the two gaps, and misplaced clients at the beginning of the rounds `at`."""
    r = np.random.default_rng(seed)
    phi, group = np.radians([gap, 0, -gap]), np.arange(C) * 3 // C
    slope, width = np.tan(phi), np.cos(phi)
    theta = np.stack([r.uniform(-init, init, K), np.zeros(K)], 1)
    label = r.integers(K, size=C)
    G, A, n, turn, out = np.zeros((C, K, 2)), np.zeros((3, K, 2)), np.zeros(K), 0, []
    for t in range(rounds):
        if t in at:
            E = (G - A[group]).reshape(C, -1).T
            d = np.array([np.linalg.norm(A[g] - A[h], axis=1) for g in range(3) for h in range(g)])
            cost = np.array([[-np.sum((label == k) & (group == g)) for k in range(K)] for g in range(3)])
            wrong = C + cost[linear_sum_assignment(cost)].sum()
            out.append([np.linalg.norm(E, 2), d.min(), np.sqrt((d**2).sum(1).min()), wrong])
        x = r.uniform(0, width[group][:, None], (C, b))
        y = slope[group][:, None] * x + sigma * r.standard_normal((C, b))

        def gradients(k):
            e = theta[k][..., 0:1] * x + theta[k][..., 1:2] - y
            return 2 * np.stack([(e * x).mean(1), e.mean(1)], 1)

        own, common = gradients(label), gradients(np.full(C, turn))
        if t % P == 1:
            a, m = theta[turn][0] - slope, theta[turn][1]
            population = 2 * np.stack([a * width**2 / 3 + m * width / 2, a * width / 2 + m], 1)
            n[turn] += 1
            G[:, turn] += (common - G[:, turn]) / n[turn]
            A[:, turn] += (population - A[:, turn]) / n[turn]
            turn = (turn + 1) % K
        theta = np.array([theta[k] - rate * own[label == k].mean(0) if (label == k).any() else theta[k] for k in range(K)])
        if t % P == 1:
            M = G.reshape(C, -1).T
            U = np.linalg.svd(M, full_matrices=False)[0][:, :K]
            z = KMeans(K, n_init=5, random_state=0).fit_predict((U.T @ M).T)
            overlap = np.array([[-np.sum((z == i) & (label == k)) for k in range(K)] for i in range(K)])
            label = linear_sum_assignment(overlap)[1][z]
    return out


# ---- CFL-GP's theorems ---------------------------------------------------------------------------


def bounds(C, K, P, b, d, rho, v, mu, L, w, gap, t, delta, zeta, noise):
    lam = (96 * np.sqrt(2) * (4 + zeta)) ** 2 + 1
    Ta = (t - 1) // (K * P)
    W = 128 * K * noise**2 / gap**2
    E73 = 2 * np.sqrt(C * v**2 / (Ta * b)) + 2 * np.sqrt(K * v**2 / (Ta * b)) + zeta * np.sqrt(v**2 / (Ta * b)) * np.log(K * d) ** 1.5
    left = 1 - lam * K * C * v**2 / (4 * rho * gap**2 * delta**2 * Ta * b)
    eps = None
    if left > 0:
        eps = (6 * v / (delta * (mu + L) * np.sqrt(b * C * rho * left)) + lam * L * w * K * C * v**2 / ((mu + L) * gap**2 * delta**2 * Ta * b)
               + 3 * np.sqrt(lam) * K**2 * v**2 / ((mu + L) * delta**2 * gap * np.sqrt(Ta) * b))
    d1, d2 = delta / 3, delta / (3 * (K - 1))
    eps57 = None
    if C * rho > W:
        eps57 = (2 * v / (d1 * (mu + L) * np.sqrt(b * (C * rho - W))) + 512 * L * w * K * noise**2 / ((mu + L) * C * gap**2)
                 + K * v * noise * 2 * np.sqrt(128) / ((mu + L) * gap * C * d2 * np.sqrt(b)))
    return {"lambda": lam, "misplaced": W, "expected": E73, "share": 128 * K * (E73 / delta) ** 2 / gap**2 / C,
            "first": lam * K**2 * P * C * v**2 / (delta**2 * gap**2 * rho * b) + K * P + 1,
            "last": (lam * K * C**2 * v**2 / (delta**2 * gap**2 * b) + 1) * K * P + 1,
            "contraction": np.sqrt(1 - 3 * rho * mu * L / (mu + L) ** 2), "rate": eps, "measured": eps57,
            "optimal": 6 * v / (delta * (mu + L) * np.sqrt(b * C * rho))}


def settings():
    r = np.random.default_rng(3)
    out = []
    for n in range(6):
        s = dict(C=int(r.integers(6, 90)), K=int(r.integers(2, 6)), P=int(r.integers(2, 5)), b=int(r.integers(5, 200)), d=int(r.integers(2, 50)),
                 rho=r.uniform(.05, .3), v=r.uniform(.01, 1), mu=r.uniform(.1, 1), L=r.uniform(1, 3), w=r.uniform(1, 3), gap=r.uniform(.1, 1),
                 t=int(r.integers(100, 1000)) if n < 3 else 10**13, delta=r.uniform(.05, .5), zeta=float(n % 2), noise=r.uniform(1e-4, 5e-3))
        out.append({"in": s, "out": bounds(**s)})
    return out


def lines():
    """Gradient, noise and curvature of section 5.1, by numerical integration."""
    out = []
    for degrees, g, sigma, a, m in [(20, 0, .2, .5, .1), (20, 1, .2, -.3, .4), (45, 2, .1, 1.2, -.2)]:
        phi = np.radians(degrees * (1 - g))
        w, slope = np.cos(phi), np.tan(phi)
        nodes, weights = np.polynomial.legendre.leggauss(20)
        x, p = (nodes + 1) / 2 * w, weights / 2
        z, q = np.polynomial.hermite_e.hermegauss(20)
        q = q / q.sum()
        e = a * x[:, None] + m - slope * x[:, None] - sigma * z
        gs, go = 2 * e * x[:, None], 2 * e
        mean = [float(p @ gs @ q), float(p @ go @ q)]
        H = 2 * np.array([[p @ x**2, p @ x], [p @ x, 1]])
        out.append({"degrees": degrees, "group": g, "sigma": sigma, "slope": a, "offset": m, "gradient": mean,
                    "noise": float(p @ (gs**2 + go**2) @ q - mean[0] ** 2 - mean[1] ** 2),
                    "curvature": np.linalg.eigvalsh(H).tolist()})
    return out


# ---- CLoVE: appendix A ---------------------------------------------------------------------------


def clove(seed, M=20, K=4, d=20, n=200, delta=1.0, sigma=0.05, rounds=6):
    r = np.random.default_rng(seed)
    while True:
        star = r.standard_normal((K, d))
        star /= np.linalg.norm(star, axis=1)[:, None]
        if min(np.linalg.norm(star[i] - star[j]) for i in range(K) for j in range(i)) >= delta:
            break
    theta, group, eta = np.linalg.qr(r.standard_normal((d, d)))[0].T, np.arange(M) * K // M, .5 * (1 - delta / 12)
    out, errors = None, []
    for t in range(rounds):
        X = r.standard_normal((M, n, d))
        y = np.einsum("mnd,md->mn", X, star[group]) + sigma * r.standard_normal((M, n))
        F = np.sqrt(((np.einsum("mnd,kd->mnk", X, theta) - y[..., None]) ** 2).mean(1))
        z = KMeans(K, n_init=10, random_state=0).fit_predict(F)
        if t == 0:
            c = np.sqrt(((theta[None] - star[:, None]) ** 2).sum(2) + sigma**2)
            own = np.linalg.norm(F - c[group], axis=1)
            margin = min(np.linalg.norm(F[i] - c[h]) - own[i] for i in range(M) for h in range(K) if h != group[i])
            asked = 2 * K / (M / K) * np.linalg.norm(F - c[group], 2)
            separation = min(np.linalg.norm(c[i] - c[j]) for i in range(K) for j in range(i))
            out = [separation, margin, asked]
        cost = np.array([(F[z == k] ** 2).sum(0) for k in range(K)])
        of = linear_sum_assignment(cost)[1]
        new = []
        for k in range(K):
            e = np.einsum("mnd,d->mn", X[z == k], theta[of[k]]) - y[z == k]
            new.append(theta[of[k]] - eta * 2 * np.einsum("mn,mnd->d", e, X[z == k]) / e.size)
        theta = np.array(new)
        errors.append(max(min(np.linalg.norm(m - s) for m in theta) for s in star))
    return out + errors


# ---- HCFL: appendix B ----------------------------------------------------------------------------


def hcfl(seed, shares, d=20, c=3, N=3000, eta=0.5, sigma=0.2, rounds=100):
    r, K = np.random.default_rng(seed), len(shares)
    star = np.linalg.qr(r.standard_normal((d, c)))[0]
    theta = r.standard_normal((K, c))
    theta *= np.sqrt(c) / np.linalg.norm(theta, axis=1)[:, None]
    n = np.round(np.array(shares) * N).astype(int)
    S, R, Z = [], [], 0
    for k in range(K):
        X = r.standard_normal((n[k], d))
        y = X @ star @ theta[k] + sigma * r.standard_normal(n[k])
        S.append(X.T @ X / N)
        R.append(X.T @ y / N)
        Z = Z + (X * (y**2)[:, None]).T @ X
    B = np.linalg.eigh(Z)[1][:, -c:]

    def dist():
        full = np.linalg.qr(np.hstack([B, np.eye(d)]))[0][:, c:]  # the orthogonal complement
        return np.linalg.norm(full.T @ star, 2)

    out = [dist()]
    for t in range(rounds):
        G = 0
        for k in range(K):
            h = np.linalg.solve(B.T @ S[k] @ B, B.T @ R[k])
            G = G + np.outer(S[k] @ (B @ h) - R[k], h)
        B = np.linalg.qr(B - eta * G)[0]
        out.append(dist())
    return out


def theorem(dist, eta, K, low, high, sigma, first):
    lo, hi = (eta * K * share * sigma**2 * (1 - first**2) for share in (low, high))
    return dist * (1 - lo + 57 / 200 * hi) * (1 - hi / 2) ** -.5 + 7 / 100 * hi * (1 - hi / 2) ** -.5


def spaces():
    r = np.random.default_rng(5)
    out = []
    for d, c in [(6, 1), (6, 2), (10, 3), (5, 5)]:
        star, b = np.linalg.qr(r.standard_normal((d, c)))[0], r.standard_normal((d, c)).astype(np.float32)
        if d == 10:
            b[:, 0] = (star[:, 0] + 1e-2 * b[:, 0]).astype(np.float32)
        angles = np.linalg.svd(np.linalg.qr(b.astype(float))[0].T @ star)[1]
        out.append({"b": b.ravel().tolist(), "star": star.T.ravel().tolist(), "width": c, "distance": float(np.sqrt(max(0, 1 - min(angles) ** 2)))})
    return out


def reached(rows):
    """Of each run the first round with a distance below 0.1, −1 if there is none."""
    return [int(np.argmax(np.array(row) < .1)) if min(row) < .1 else -1 for row in rows]


AT = [7, 25, 99, 399]
SHARES = {"equal": [1 / 3] * 3, "0.6 0.3 0.1": [.6, .3, .1], "0.9 0.05 0.05": [.9, .05, .05]}
runs = [np.array(cflgp(seed, 400, AT)) for seed in range(12)]
json.dump({
    "bounds": settings(),
    "lines": lines(),
    "cflgp": [{"t": t, **means([[*r[i], 128 * 3 * r[i][0] ** 2 / r[i][1] ** 2, 128 * 3 * r[i][0] ** 2 / r[i][2] ** 2] for r in runs])} for i, t in enumerate(AT)],
    "clove": means([clove(seed) for seed in range(12)]),
    "hcfl": {name: reached([hcfl(seed, s) for seed in range(21)]) for name, s in SHARES.items()},
    "spaces": spaces(),
    "theorem": [{"in": a, "out": theorem(*a)} for a in [[.5, .5, 3, 1 / 3, 1 / 3, .8, .3], [.2, .1, 3, .1, .6, 1.2, .7], [.9, .3, 2, .4, .6, 1, .5]]],
}, open(HERE / "theory.json", "w"), indent=1)
