"""ICFL: Yan, Tong, Wang, TNNLS 2023, by HCFL's paper and the code of FedRC, whose faults are not repeated.

All clients begin in one cluster. Of each cluster that was heard the cosines of its members' last updates make a
matrix, and its connectivity is its largest eigenvalue over its size. In round t, from 1, a cluster splits that has
less than 1 − (e/ε₁)^(t/ε₂), ε₂ = ln(1 − α₀) / (1 − ln ε₁), and less than a bound: by k-means among the members'
coordinates in the two leading eigenvectors. Clients that come when there are several clusters join the one whose mean
update is the most alike to theirs, and begin with the mean of the clusters' models.
"""
import numpy as np

from replay import Method, Stream, as_they_appear, cosine, digits, kmeans, lines

QUERIES = [
    lines("eps0=4&alpha0=0.85&amax=0.5&most=15&algos=icfl"),
    lines("C=9&eps0=4&alpha0=0.5&amax=0.9&most=15&T=20&algos=icfl"),
    lines("C=9&eps0=4&alpha0=0.5&amax=0.9&most=4&rho=0.6&drop=0.2&avg=model&tau=2&T=20&algos=icfl"),
    lines("C=9&eps0=3&alpha0=0.5&amax=0.9&most=15&late=3&join=8&mean=clients&private=noise&clip=0.3&gauss=0.1&algos=icfl"),
    lines("C=11&eps0=3&alpha0=0.5&amax=0.9&most=15&late=3&join=8&mean=clients&private=noise&clip=0.3&gauss=0.1&rr=3&algos=icfl"),
    digits("C=8&n=240&net=softmax&eps0=4&alpha0=0.5&amax=0.7&most=5&T=10&algos=icfl"),
    digits("C=8&n=240&net=mlp&hidden=12&eps0=4&alpha0=0.3&amax=0.9&most=6&avg=model&tau=1&rho=0.7&drop=0.2&T=10&algos=icfl"),
    digits("C=60&n=600&net=mlp&hidden=8&angles=0,2&eps0=4&alpha0=0.98&amax=1&most=20&avg=model&tau=1&lr=0.3&T=8&algos=icfl"),  # where k-means starts matters
    digits("C=8&n=240&net=softmax&eps0=6&alpha0=0.5&amax=0.9&most=6&avg=model&tau=2&opt=momentum&keep=kept&lr=0.02&late=2&join=5&T=10&algos=icfl"),
]


class Reference(Method):
    paper_mean = "samples"

    def start(self):
        self.u = {}
        self.alive = [0]

    def threshold(self, t):
        eps0, alpha0 = self.number_of("eps0"), self.number_of("alpha0")
        eps2 = np.log(1 - alpha0) / (1 - np.log(eps0))
        return min(1 - (np.e / eps0) ** (t / eps2), self.number_of("amax"))

    def members(self, k):
        return [c for c in sorted(self.u) if self.label[c] == k]

    def round(self, t):
        updates = {}
        for c in self.here:
            self.send(c, self.label[c])
            self.receive(c, self.size)
            if c in self.heard:
                updates[c] = self.update(self.theta[self.label[c]], c, kept=True)
            else:
                self.worked(self.theta[self.label[c]], c)
        self.u.update(updates)
        mean = {k: np.mean([self.u[c] for c in self.members(k)], axis=0) for k in self.alive[1:]}
        for c in updates:
            if self.label[c] == 0 and mean:
                self.label[c] = max(mean, key=lambda k: (cosine(updates[c], mean[k]), -k))
        for k in self.alive[1:] or [0]:
            of = self.members(k)
            if len(of) < 2 or not set(of) & set(updates):
                continue
            a = np.array([[cosine(self.u[i], self.u[j]) for j in of] for i in of])
            values, vectors = np.linalg.eigh(a)
            slots = [s for s in range(1, self.K) if s not in self.alive][: 1 if k else 2]
            if values[-1] / len(of) < self.threshold(t + 1) and len(slots) == (1 if k else 2):
                side = as_they_appear(kmeans(vectors[:, -2:][:, ::-1], 2, self.stream(Stream.CLUSTERING, t, k + 1))[0])
                slots = [k, *slots] if k else slots
                self.alive += slots[1:] if k else slots
                for s, slot in enumerate(slots):
                    self.label[np.array(of)[side == s]] = slot
                    self.theta[slot] = self.theta[k]
        self.descend(updates)  # a newcomer's update moves the cluster that it joins
        clusters = self.alive[1:]
        if clusters:  # the model for newcomers
            n = np.array([sum(self.count(c) for c in self.members(k)) for k in clusters])
            self.theta[0] = n @ self.theta[clusters] / n.sum()
