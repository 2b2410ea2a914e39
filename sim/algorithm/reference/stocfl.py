"""StoCFL: Zeng, Hu, Liu, Yu, Wang, Xu, arXiv 2303.00897, Algorithms 1 and 2, and the released code.

A client that comes for the first time trains the first model for some steps on all of its samples and sends this update,
ψ. Clusters that somebody of the round is in, at first one for each client, merge if the cosine between the mean ψ of their
members is at least τ, the most alike first, and keep the model of the larger. A client
then trains its cluster's model, tied to the common model by (λ/2) ‖θ − w‖², and the common model; each becomes the mean of
what its clients sent.
"""
import numpy as np

from replay import Method, cosine, digits, lines

QUERIES = [
    lines("like=0.9&look=10&tie=0.05&most=15&algos=stocfl"),
    lines("like=0.9&look=10&tie=0.05&most=15&private=noise&clip=0.2&gauss=0.3&algos=stocfl"),
    lines("like=0.9&look=10&tie=0.05&most=15&nd=3&algos=stocfl"),
    lines("C=11&like=0.99&look=10&tie=0.05&most=15&rho=0.8&private=noise&clip=0.2&gauss=0.3&rr=2&algos=stocfl"),
    lines("C=9&like=0.95&look=5&tie=0.5&most=15&avg=model&tau=3&rho=0.5&drop=0.2&algos=stocfl"),
    lines("C=9&like=0.99&look=10&tie=0.05&most=4&rho=0.5&algos=stocfl"),
    lines("C=9&like=0.99&look=10&tie=0.05&most=15&late=3&join=5&opt=adam&avg=model&tau=2&lr=0.03&algos=stocfl"),
    digits("net=softmax&like=0.3&look=5&tie=0.05&most=15&algos=stocfl"),
    digits("C=8&n=240&net=mlp&hidden=12&like=0.5&look=5&tie=0.3&most=5&avg=model&tau=2&rho=0.5&mean=samples&algos=stocfl"),
]


class Reference(Method):
    paper_mean = "clients"

    def start(self):
        self.common = self.K - 1  # the last model is the common one; a client that was never seen uses it
        self.anchor = self.theta[self.common].copy()
        self.label[:] = self.common
        self.psi = {}
        self.members, self.slot = {}, {}  # of clusters, by their lowest client

    def first_update(self, c):
        w = self.anchor
        x, y = self.run.everything(self.t, c)
        for _ in range(int(self.settings["look"])):
            w = w - self.lr * self.model.gradient(w, x, y)
        return self.anchor - w

    def round(self, t):
        new = [c for c in self.here if c not in self.psi]
        for c in new:
            self.tell(c, self.size)
            self.receive(c, self.size)
            if c in self.heard:
                self.psi[c] = self.cut(self.first_update(c))
        if new:
            self.ask()
            for c in new:
                if c in self.heard:
                    self.members[c], self.slot[c] = [c], None
        self.merge()
        own, common = {}, {}
        w, tie = self.theta[self.common], self.number_of("tie")
        tied = lambda theta, x, y, _: self.model.gradient(theta, x, y) + tie * (theta - w)
        for c in self.here:
            if c not in self.psi:
                continue
            self.send(c, self.label[c])
            self.send(c, self.common)
            self.receive(c, 2 * self.size)
            if c in self.heard:
                common[c] = self.update(w, c)
                own[c] = self.update(self.theta[self.label[c]], c, gradient=tied)
        before = w.copy()
        self.descend(own)
        if common:
            n = np.array([self.count(c) for c in common])
            self.theta[self.common] = before - self.step_size * (n @ np.array(list(common.values()))) / n.sum()

    def ranked(self, clusters):
        """Pairs of clusters, the most alike first, then by number."""
        mean = {a: np.mean([self.psi[c] for c in self.members[a]], axis=0) for a in clusters}
        return sorted((-cosine(mean[a], mean[b]), a, b) for a in clusters for b in clusters if a < b)

    def unite(self, a, b):
        a, b = (next(r for r, of in self.members.items() if c in of) for c in (a, b))
        if a == b:
            return
        a, b = min(a, b), max(a, b)
        larger = b if len(self.members[b]) > len(self.members[a]) and self.slot[b] is not None or self.slot[a] is None else a
        self.slot[a] = self.slot[larger]
        self.members[a] += self.members.pop(b)
        del self.slot[b]

    def merge(self):
        active = sorted(r for r, of in self.members.items() if set(of) & set(self.here))
        for away, a, b in self.ranked(active):
            if -away < self.number_of("like"):
                break
            self.unite(a, b)
        if len(self.members) > self.common:  # more clusters than models: the most alike merge all the same
            for _, a, b in self.ranked(sorted(self.members)):
                self.unite(a, b)
                if len(self.members) <= self.common:
                    break
        for r in sorted(self.members):
            if self.slot[r] is None:
                self.slot[r] = next(k for k in range(self.common) if k not in self.slot.values())
                self.theta[self.slot[r]] = self.theta[self.common]
            self.label[self.members[r]] = self.slot[r]
