"""FedEM: Marfoq, Neglia, Bellet, Kameni, Vidal, NeurIPS 2021, Algorithm 1.

Client i weighs each of its samples for each model, γ_jk ∝ π_ik exp(−l_jk), and its weights become their means, π_ik =
mean γ_jk. It trains every model on (1/b) Σ γ_jk l_jk, and a model becomes the mean of what the clients sent.
"""
import numpy as np
from scipy.special import logsumexp

from replay import Method, digits, lines, query

QUERIES = [
    lines("K=3&algos=fedem"),
    lines("K=3&probe=20&rho=0.5&drop=0.3&algos=fedem"),
    lines("K=3&avg=model&tau=2&private=noise&clip=0.2&gauss=0.1&rho=0.6&drop=0.2&algos=fedem"),
    lines("K=2&avg=model&tau=3&opt=adam&lr=0.03&mean=weight&late=3&join=4&algos=fedem"),
    query("data=mix2&sigma=0&C=6&b=10&probe=20&T=10&lr=0.1&blend=0.4", "K=2&mean=weight&rho=0.7&algos=fedem"),
    query("data=linrep&sigma=0&C=6&D=3&b=10&probe=10&T=8&lr=0.05&many=4&through=2", "K=3&mean=clients&avg=model&tau=2&algos=fedem"),
    digits("K=2&net=softmax&algos=fedem"),
    digits("K=3&net=mlp&hidden=12&avg=model&tau=2&rho=0.7&drop=0.2&lr=0.1&algos=fedem"),
    digits("K=2&net=mlp&hidden=12&probe=7&mean=weight&guests=200&concept=swaps&algos=fedem"),
    digits("K=2&net=softmax&mean=weight&nd=2&avg=model&tau=1&algos=fedem"),
]


def soft(scores):
    return np.exp(scores - logsumexp(scores, axis=-1, keepdims=True))


class Reference(Method):
    paper_mean = "samples"

    def start(self):
        self.omega = np.full((self.clients, self.K), 1 / self.K)
        self.known = self.omega.copy()  # as the server has heard of them
        self.first()

    def first(self):
        pass

    def log_likelihood(self, x, y):
        """Of samples under each model: samples × models."""
        return -np.array([self.model.losses(m, x, y) for m in self.theta]).T

    def gamma(self, omega, x, y):
        return soft(np.log(np.maximum(omega, 1e-30)) + self.log_likelihood(x, y))

    def weigh(self, c):
        """The weights of a client, and by those of before how it weighs the samples that it trains on: a function of
        them and of their numbers."""
        x, y = self.evidence(c)
        gamma = self.gamma(self.omega[c], x, y)
        self.weighed(c, x, y, gamma)
        if not self.tau:
            g = self.gamma(self.omega[c], *self.minibatch(c))
            return gamma.mean(axis=0), lambda x, y, numbers: g
        if self.run.finite:
            return gamma.mean(axis=0), lambda x, y, numbers: gamma[numbers]
        before = self.omega[c].copy()
        return gamma.mean(axis=0), lambda x, y, numbers: self.gamma(before, x, y)

    def weighed(self, c, x, y, gamma):
        pass

    def count_for(self, c, k, omega):
        return self.run.weight[c] * omega[k] if self.counts_by == "weight" else self.count(c)

    def told_weights(self, omega):
        """As they are sent, if they are."""
        return self.cut(omega) if self.counts_by == "weight" else omega

    def told(self, c):
        """What else goes down and up: weights, if the server needs them for its means."""
        if self.counts_by == "weight":
            self.receive(c, self.K)

    def round(self, t):
        total, sums = np.zeros(self.K), np.zeros_like(self.theta)
        changed = {}
        for c in self.here:
            for k in range(self.K):
                self.send(c, k)
            self.receive(c, self.K * self.size)
            self.told(c)
            omega, weights = self.weigh(c)
            for k in range(self.K):
                u = self.update(self.theta[k], c, gradient=lambda theta, x, y, n: self.model.gradient(
                    theta, x, y, weights(x, y, n)[:, k]))
                if c in self.heard:
                    w = self.count_for(c, k, self.told_weights(omega))
                    sums[k] += w * u
                    total[k] += w
            changed[c] = omega
        for c, omega in changed.items():
            self.omega[c] = omega
            if c in self.heard:
                self.known[c] = self.told_weights(omega)
                self.label[c] = self.known[c].argmax()
        for k in range(self.K):
            if total[k] > 0:
                self.theta[k] -= self.step_size * sums[k] / total[k]

    def weights(self):
        return self.known.copy()

    def client_loss(self, c):
        if not self.model.classes:
            line = sum(w * self.model.line(m) for w, m in zip(self.omega[c], self.theta))
            return self.run.expected(line, c)
        x, y = self.run.held[c]
        p = np.einsum("k,kj->j", self.omega[c], np.exp(-np.array([self.model.losses(m, x, y) for m in self.theta])))
        return -np.log(p).mean()

    def client_accuracy(self, c):
        return self.mixed(self.omega[c], *self.run.held[c])

    def mixed(self, omega, x, y):
        p = sum(w * np.exp(self.model.logs(m, x)) for w, m in zip(omega, self.theta))
        return (p.argmax(axis=1) == y).mean()

    def guest(self, i):
        """A test client weighs the models on its first samples, in twenty steps."""
        x, y = self.run.guests["choose"][i]
        omega = self.fresh()
        for _ in range(20):
            omega = self.gamma(omega, x, y).mean(axis=0)
        return self.mixed(omega, *self.run.guests["test"][i])

    def fresh(self):
        return np.full(self.K, 1 / self.K)
