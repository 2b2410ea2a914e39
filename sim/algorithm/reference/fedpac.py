"""FedPAC: Xu, Tong, Huang, ICLR 2023, Algorithm 1, and the released code.

All clients share what comes before the last layer, and each has a head of its own. A client sends, for the features that
the common part gives it, h = share × mean of each class and their variance V over its number of samples; trains its head for an
epoch, and then the common part with λ times the mean squared distance of features from the common prototypes; and sends its
prototypes. The server averages common parts and prototypes, and mixes for client i the heads by the a on the simplex
for which aᵀ(diag V + D_i)a is least, D_i[j, k] = Σ_c ⟨h_ic − h_jc, h_ic − h_kc⟩.
"""
import itertools

import numpy as np

from replay import Method, digits, lines

QUERIES = [
    lines("proto=1&algos=fedpac"),
    lines("proto=1&private=noise&clip=0.2&gauss=0.3&algos=fedpac"),
    lines("proto=1&avg=model&tau=3&rho=0.6&drop=0.2&algos=fedpac"),
    digits("net=mlp&hidden=12&proto=1&nd=3&algos=fedpac"),
    digits("net=softmax&proto=1&algos=fedpac"),
    digits("net=mlp&hidden=12&proto=1&algos=fedpac"),
    digits("net=mlp&hidden=12&proto=1&avg=model&tau=2&algos=fedpac"),
    digits("net=mlp&hidden=12&proto=3&avg=model&tau=2&rho=0.8&drop=0.2&mean=clients&split=classes&ratio=-&per=4&pick=random&opt=momentum&algos=fedpac"),
]


def simplex_least(Q):
    """The a ≥ 0 with Σa = 1 for which aᵀQa is least, by trying all supports."""
    n, best = len(Q), None
    for size in range(1, n + 1):
        for of in itertools.combinations(range(n), size):
            q = Q[np.ix_(of, of)]
            try:
                a = np.linalg.solve(q, np.ones(size))
            except np.linalg.LinAlgError:
                continue
            a = a / a.sum()
            if (a >= -1e-12).all():
                value = a @ q @ a
                if best is None or value < best[0] - 1e-15:
                    full = np.zeros(n)
                    full[list(of)] = a
                    best = value, full
    return best[1]


class Reference(Method):
    def start(self):
        self.label = np.arange(self.clients)
        self.common = {}
        self.width = len(self.model.features(self.theta[0], np.zeros((1, self.run.inputs)))[0])
        self.trunk = np.ones(self.size, bool)
        self.trunk[self.model.head] = False

    def classes(self, y):
        return y.astype(int) if self.model.classes else np.zeros(len(y), int)

    def pull(self, z, y):
        out = np.zeros_like(z)
        for j, k in enumerate(self.classes(y)):
            if k in self.common:
                out[j] = 2 * self.number_of("proto") * (z[j] - self.common[k]) / z.size
        return out

    def of_head(self, theta, x, y, _):
        g = self.model.gradient(theta, x, y)
        g[self.trunk] = 0
        return g

    def of_trunk(self, theta, x, y, _):
        if not self.trunk.any():
            return np.zeros(self.size)
        g = self.model.gradient(theta, x, y, of_features=self.pull)
        g[~self.trunk] = 0
        return g

    def prototypes(self, theta, c):
        x, y = self.evidence(c)
        z, y = self.model.features(theta, x), self.classes(y)
        return {int(k): (z[y == k].mean(axis=0), int((y == k).sum())) for k in np.unique(y)}

    def statistics(self, theta, c):
        x, y = self.evidence(c)
        z, y, n = self.model.features(theta, x), self.classes(y), len(y)
        h, v = {}, 0.0
        for k in np.unique(y):
            p, m = (y == k).mean(), z[y == k].mean(axis=0)
            h[int(k)] = p * m
            v += p * (z[y == k] ** 2).sum(axis=1).mean() - p * p * m @ m
        return h, v / n

    def round(self, t):
        sent = {}
        for c in self.here:
            self.send(c, c)
            self.tell(c, self.width * len(self.common))
            if c in self.lost:
                continue
            theta = self.theta[c]
            h, v = self.statistics(theta, c)
            if self.tau:
                w = self.train(theta, c, epochs=1, gradient=self.of_head)
                w = self.train(w, c, gradient=self.of_trunk)
                u = theta - w
            else:
                x, y = self.minibatch(c)
                u = self.of_head(theta, x, y, None)
                u = u + self.of_trunk(theta - self.lr * u, x, y, None)
            held = {k: (self.cut(z), n) for k, (z, n) in self.prototypes(theta - self.step_size * u, c).items()}
            self.receive(c, self.size + 2 * self.width * len(held) + 1)
            h = {k: self.cut(z) for k, z in h.items()}
            sent[c] = (theta - self.step_size * self.sent(u, c), h, self.cut(v), held)
        if not sent:
            return
        of = list(sent)
        w = np.array([self.count(c) for c in of])
        self.theta[:, self.trunk] = w @ np.array([sent[c][0][self.trunk] for c in of]) / w.sum()
        for k in {k for s in sent.values() for k in s[3]}:
            having = [(s[3][k][0], s[3][k][1] if self.counts_by != "clients" else 1) for s in sent.values() if k in s[3]]
            self.common[k] = sum(z * n for z, n in having) / sum(n for _, n in having)
        H = np.zeros((len(of), max(self.model.classes, 1), self.width))
        for j, c in enumerate(of):
            for k, z in sent[c][1].items():
                H[j, k] = z
        V = np.array([sent[c][2] for c in of])
        heads = np.array([sent[c][0][self.model.head] for c in of])
        for j, c in enumerate(of):
            d = (H[j][None] - H).reshape(len(of), -1)
            a = self.mix(np.diag(V) + d @ d.T)
            self.theta[c, self.model.head] = a @ heads

    def mix(self, Q):
        a = simplex_least(Q)
        a[a < 1e-3] = 0
        return a / a.sum()
