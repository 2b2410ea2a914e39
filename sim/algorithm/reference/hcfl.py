"""HCFL: Guo, Tang, Lin, arXiv 2310.05397, section 3, Algorithm 1, and what its section 4 and the papers it cites say of each tier.
"""
import numpy as np

import fedem
from fedem import soft
from replay import Method, cosine, digits, lines, query

TINY = 1e-30
QUERIES = [
    lines("K=3&form=label&weigh=em&adapt=fixed&algos=hcfl"),
    lines("K=3&form=label&weigh=loss&adapt=fixed&rho=0.6&drop=0.2&algos=hcfl"),
    digits("K=3&net=softmax&form=ratio&weigh=loss&adapt=fixed&avg=model&tau=1&algos=hcfl"),
    lines("K=3&form=label&weigh=count&adapt=fixed&algos=hcfl"),
    digits("K=2&net=mlp&hidden=12&form=ratio&weigh=count&adapt=fixed&avg=model&tau=1&rho=0.7&algos=hcfl"),
    digits("K=2&net=softmax&form=label&weigh=sample&mu=0.4&adapt=fixed&avg=model&tau=2&rho=0.7&drop=0.2&lr=0.1&algos=hcfl"),
    digits("K=2&net=softmax&form=label&weigh=sample&mu=0.4&adapt=fixed&rho=0.7&algos=hcfl"),
    lines("K=3&form=label&weigh=near&adapt=fixed&avg=model&tau=2&rho=0.6&algos=hcfl"),
    digits("K=2&net=softmax&form=label&weigh=labels&adapt=fixed&rho=0.7&algos=hcfl"),
    lines("K=3&form=label&weigh=member&adapt=fixed&algos=hcfl"),
    digits("K=2&net=mlp&hidden=12&form=label&weigh=em&adapt=fixed&heads=1&algos=hcfl"),
    digits("K=2&net=mlp&hidden=12&form=label&weigh=em&adapt=fixed&heads=1&avg=model&tau=1&rho=0.7&algos=hcfl"),
]


class Reference(fedem.Reference):
    def start(self):
        s = self.settings
        self.form, self.weighing, self.adapt = s["form"], s["weigh"], s["adapt"]
        self.hard = self.weighing in ("loss", "near", "labels", "member")
        self.mu = float(s.get("mu", 0))
        self.alive = list(range(1 if self.weighing == "member" else int(s["K"])))
        self.omega = np.zeros((self.clients, self.K))
        self.omega[:, self.alive] = 1 / len(self.alive)
        self.known = self.omega.copy()
        self.samples = {}  # weights of a client's samples
        self.classes = self.model.classes if self.form == "ratio" else 0
        self.share, self.masses = np.full((self.K, max(self.classes, 1)), 1 / max(self.classes, 1)), {}
        if self.on("heads"):
            self.trunk = np.ones(self.size, bool)
            self.trunk[self.model.head] = False
        else:
            self.trunk = np.zeros(self.size, bool)
        self.theta[:, self.trunk] = self.theta[0, self.trunk]

    # traffic: the trunk once, and a head for each cluster

    def send(self, c, k):
        if k not in self.on_device[c]:
            self.on_device[c].add(k)
            self.down += (~self.trunk).sum() + (self.trunk.sum() if len(self.on_device[c]) == 1 else 0)

    # tiers 1 and 2

    def log_likelihood(self, x, y):
        """Of samples under each model in use: samples × models; the others have none."""
        log = np.full((len(y), self.K), -np.inf)
        for k in self.alive:
            log[:, k] = -self.model.losses(self.theta[k], x, y)
            if self.classes:
                log[:, k] -= np.log(self.share[k, y.astype(int)])
        return log

    def log_prior(self, omega):
        return np.where(np.isin(np.arange(self.K), self.alive), np.log(np.maximum(omega, TINY)), -np.inf)

    def gamma(self, omega, x, y):
        return soft(self.log_prior(omega) + self.log_likelihood(x, y))

    def one_hot(self, k):
        return np.eye(self.K)[k]

    def weigh(self, c):
        """A client's weights, and those of the samples it trains on."""
        if self.hard:
            omega = self.one_hot(self.choose(c))
            x, y = self.evidence(c)
            self.weighed(c, x, y, np.tile(omega, (len(y), 1)))
            return omega, lambda x, y, n: np.tile(omega, (len(y), 1))
        x, y = self.evidence(c)
        log, prior = self.log_likelihood(x, y), self.omega[c].copy()
        if self.weighing == "count":
            gamma = self.one_hot(log.argmax(axis=1))
            self.weighed(c, x, y, gamma)
            omega = gamma.mean(axis=0)
            return omega, lambda x, y, n: self.one_hot(self.log_likelihood(x, y).argmax(axis=1)) if n is None else gamma[n]
        if self.weighing == "sample" and self.tau and self.run.finite:
            own = self.samples.get(c, np.tile(prior, (len(y), 1)))
            gamma = soft(self.log_prior(own) + log)
            omega = soft(self.log_prior(prior) + log).mean(axis=0)
            self.samples[c] = self.mu * gamma + (1 - self.mu) * omega
            self.weighed(c, x, y, gamma)
            return omega, lambda x, y, n: gamma[n]
        gamma = soft(self.log_prior(prior) + log)
        self.weighed(c, x, y, gamma)
        return gamma.mean(axis=0), lambda x, y, n: self.gamma(prior, x, y) if n is None else gamma[n]

    def choose(self, c):
        if self.weighing == "loss":
            return self.log_likelihood(*self.evidence(c)).sum(axis=0).argmax()
        return self.label[c]

    def weighed(self, c, x, y, gamma):
        if c in self.heard and self.classes:
            self.new[c] = np.array([gamma[y == k].sum(axis=0) for k in range(self.classes)]).T

    # the round

    def local(self, c, omega, weights):
        """What a client sends of each model that it trains."""
        trained = [k for k in self.alive if omega[k] > 0]
        if not self.trunk.any():
            return {k: self.update(self.theta[k], c, gradient=lambda th, x, y, n: self.model.gradient(
                th, x, y, weights(x, y, n)[:, k])) for k in trained}
        raise NotImplementedError

    def round(self, t):
        self.new, updates, omegas = {}, {}, {}
        for c in self.here:
            for k in (self.alive if self.weighing in ("loss", "count", "em", "sample") else [self.label[c]]):
                self.send(c, k)
            if self.classes and self.masses:
                self.tell(c, len(self.alive) * self.classes)
            omega, weights = self.weigh(c)
            u = self.local(c, omega, weights)
            self.receive(c, (~self.trunk).sum() * len(u) + self.trunk.sum())
            if self.classes:
                self.receive(c, len(self.alive) * self.classes)
            if self.counts_by == "weight" and not self.hard:
                self.receive(c, len(self.alive))
            omegas[c] = omega
            if c in self.heard:
                updates[c] = u
        for c, omega in omegas.items():
            self.omega[c] = omega
            if c in self.heard:
                self.known[c], self.label[c] = omega, omega.argmax()
        self.masses.update(self.new)
        self.aggregate(updates)
        if self.classes and self.masses:
            total = np.maximum(sum(self.masses[c] for c in sorted(self.masses)), 1e-8)
            self.share = total / total.sum(axis=1, keepdims=True)

    def aggregate(self, updates):
        for k in self.alive:
            self.theta[k] = self.mean(self.theta[k], k, {c: u[k] for c, u in updates.items() if k in u})

    def mean(self, theta, k, updates):
        of = list(updates)
        w = np.array([self.count_for(c, k, self.known[c]) for c in of])
        if not of or w.sum() == 0:
            return theta
        return theta - self.step_size * (w @ np.array([updates[c] for c in of])) / w.sum()

    # evaluation

    def weights(self):
        return None if self.hard else self.known.copy()

    def client_loss(self, c):
        return Method.client_loss(self, c) if self.hard else super().client_loss(c)

    def client_accuracy(self, c):
        return Method.client_accuracy(self, c) if self.hard else super().client_accuracy(c)
