"""FedGMM: Wu, Zhang, Yu, Liu, Gu, Zhou, Chen, Cheng, ICML 2023, and the released code, but for how inputs are seen.

Clients share Gaussians N(μ_a, v_a) of the inputs z and models θ_b of the labels. Client i weighs each of its samples
for every pair, γ_jab ∝ π_iab N(z_j; μ_a, v_a) exp(−l_jb), and π_iab becomes the mean γ_jab. Gaussians are fitted to
samples weighed by Σ_b γ_jab, and averaged with weights n_i Σ_b π_iab; models train on (1/b) Σ_j (Σ_a γ_jab) l_jb, and
are averaged with weights n_i Σ_a π_iab. A model's weight in a prediction is ∝ Σ_a π_iab N(z; μ_a, v_a).

Inputs are seen through a fixed random projection, and covariances are diagonal. The Gaussians begin around the mean
of what the first clients have, with their variance.
"""
import numpy as np
from scipy.special import logsumexp

import fedem
from fedem import soft
from replay import Stream, digits, lines

QUERIES = [
    lines("K=3&m1=0&dims=8&widen=0&algos=fedgmm"),
    lines("K=3&m1=2&dims=8&widen=0&rho=0.7&drop=0.2&mean=samples&algos=fedgmm"),
    lines("K=3&m1=2&dims=8&widen=1&probe=20&rho=0.6&drop=0.2&sm=3&sa=5&avg=model&tau=2&algos=fedgmm"),
    digits("K=2&net=softmax&m1=3&dims=6&widen=0&sm=2&algos=fedgmm"),
    digits("K=2&net=mlp&hidden=12&m1=2&dims=4&widen=1&avg=model&tau=2&rho=0.7&drop=0.2&lr=0.1&algos=fedgmm"),
    digits("K=3&net=softmax&m1=0&dims=8&widen=0&avg=model&tau=1&mean=samples&guests=100&concept=swaps&late=2&join=3&algos=fedgmm"),
    lines("K=3&m1=2&dims=8&widen=0&private=noise&clip=0.2&gauss=0.1&avg=model&tau=2&algos=fedgmm"),
]


class Gaussians:
    """Diagonal ones: means and variances, a row each."""

    def __init__(self, mean, variance):
        self.mean, self.variance = mean, variance

    def log(self, z):
        """Samples × Gaussians."""
        v = np.maximum(self.variance, 1e-12)
        off = z[:, None] - self.mean
        return -0.5 * (off ** 2 / v + np.log(2 * np.pi * v)).sum(axis=2)

    def fit(self, z, p, about=None):
        """Shares, means and variances of samples weighed by p, samples × Gaussians; about given means, if any are."""
        total = p.sum(axis=0)
        mean = (p.T @ z) / np.maximum(total, 1e-300)[:, None]
        centre = mean if about is None else about
        variance = np.einsum("ja,jad->ad", p, (z[:, None] - centre) ** 2) / np.maximum(total, 1e-300)[:, None]
        nobody = total < 1e-12
        mean[nobody], variance[nobody] = self.mean[nobody], self.variance[nobody]
        return total / len(z), mean, variance


class Reference(fedem.Reference):
    paper_mean = "weight"

    def first(self):
        self.m1 = int(self.settings["m1"]) or int(self.settings["K"])
        self.inputs, self.dims = self.run.inputs, min(self.run.inputs, int(self.settings["dims"]))
        self.pairs = np.full((self.clients, self.m1, self.K), 1 / self.m1 / self.K)
        self.density, self.sm = None, int(self.run.settings["sm"])
        if self.inputs > self.dims:
            s = Stream(self.sm, Stream.SEEING, 0)
            self.matrix = s.normal(self.inputs * self.dims).reshape(self.inputs, self.dims) / np.sqrt(self.inputs)

    def see(self, x):
        return x @ self.matrix if self.inputs > self.dims else x

    def ask_first(self):
        """Means and variances of what clients have, about which the Gaussians begin."""
        told = []
        for c in self.here:
            self.receive(c, 1 + 2 * self.dims)
            z = self.see(self.evidence(c)[0])
            if c in self.heard:
                told.append((self.count(c) if self.counts_by == "clients" else self.run.weight[c], self.cut(z.mean(axis=0)),
                             self.cut(z.var(axis=0))))
        self.ask()
        if not told:
            return
        n = np.array([t[0] for t in told])
        mean = n @ np.array([t[1] for t in told]) / n.sum()
        spread = n @ np.array([t[2] + (t[1] - mean) ** 2 for t in told]) / n.sum()
        spread = np.maximum(spread, np.maximum(1e-6 * mean ** 2, 1e-12))
        self.least = spread / 1000
        off = np.array([Stream(self.sm, Stream.SEEING, 1 + a).normal(self.dims) for a in range(self.m1)])
        self.density = Gaussians(mean + np.sqrt(spread) * off, np.tile(spread, (self.m1, 1)))

    def fit_density(self, z, p):
        """What a client sends of the Gaussians."""
        return [self.cut(v) for v in self.density.fit(z, p, self.density.mean if self.on("widen") else None)]

    def triples(self, pairs, x, y):
        """γ of samples × Gaussians × models."""
        log = np.log(np.maximum(pairs, 1e-30)) + self.density.log(self.see(x))[:, :, None] + self.log_likelihood(x, y)[:, None]
        return soft(log.reshape(len(y), -1)).reshape(log.shape)

    def weigh(self, c):
        x, y = self.evidence(c)
        before = self.pairs[c].copy()
        gamma = self.triples(before, x, y)
        self.fitted[c] = self.fit_density(self.see(x), gamma.sum(axis=2))
        self.pairs[c] = gamma.mean(axis=0)
        models = gamma.sum(axis=1)
        return models.mean(axis=0), lambda x, y, n: self.triples(before, x, y).sum(axis=1) if n is None else models[n]

    def told(self, c):
        self.tell(c, 2 * self.m1 * self.dims)
        self.receive(c, self.m1 * (1 + 2 * self.dims) + (self.K if self.counts_by == "weight" else 0))

    def round(self, t):
        if self.density is None:
            self.ask_first()
            if self.density is None:
                return
        self.fitted = {}
        super().round(t)
        self.settle()

    def pair_weights(self, c):
        return self.pairs[c]

    def settle(self):
        """The Gaussians become the means of what clients fitted."""
        of = [c for c in self.heard if c in self.fitted]
        for a in range(self.m1):
            w = np.array([self.fitted[c][0][a] * (self.run.weight[c] if self.counts_by != "clients" else 1) for c in of])
            if not of or w.sum() == 0:
                continue
            old = self.density.mean[a].copy()
            mean, variance = (w @ np.array([self.fitted[c][n][a] for c in of]) / w.sum() for n in (1, 2))
            if self.on("widen"):
                variance = variance - (mean - old) ** 2
            self.density.mean[a], self.density.variance[a] = mean, np.maximum(variance, self.least)

    # evaluation

    def shares(self, pairs, x):
        """What each model weighs in the answer to a sample."""
        if self.density is None:
            return np.tile(pairs.sum(axis=0), (len(x), 1))
        log = np.log(np.maximum(pairs, 1e-30)) + self.density.log(self.see(x))[:, :, None]
        return soft(log.reshape(len(x), -1)).reshape(log.shape).sum(axis=1)

    def client_loss(self, c):
        if self.model.classes:
            x, y = self.run.held[c]
            p = np.exp(-np.array([self.model.losses(m, x, y) for m in self.theta])).T
            return -np.log((self.shares(self.pair_weights(c), x) * p).sum(axis=1)).mean()
        groups, gap = int(self.settings["D"]), float(self.settings["dphi"])
        phi = np.radians(((groups - 1) / 2 - self.run.group[c]) * gap)
        x = (np.arange(64)[:, None] + 0.5) / 64 * np.cos(phi)
        w = self.shares(self.pair_weights(c), x)
        out = np.array([self.model.output(m, x) for m in self.theta]).T
        mean, truth = w.mean(axis=0), x[:, 0] * np.tan(phi)
        rest = ((w * out).sum(axis=1) - truth) ** 2 - (out @ mean - truth) ** 2
        return self.run.expected(mean @ self.theta, c) + rest.mean()

    def mixed_pairs(self, pairs, x, y):
        p = np.einsum("jk,kjc->jc", self.shares(pairs, x), np.exp([self.model.logs(m, x) for m in self.theta]))
        return (p.argmax(axis=1) == y).mean()

    def client_accuracy(self, c):
        return self.mixed_pairs(self.pair_weights(c), *self.run.held[c])

    def guest(self, i):
        x, y = self.run.guests["choose"][i]
        pairs = np.full((self.m1, self.K), 1 / self.m1 / self.K)
        for _ in range(20):
            pairs = self.triples(pairs, x, y).mean(axis=0)
        return self.mixed_pairs(pairs, *self.run.guests["test"][i])
