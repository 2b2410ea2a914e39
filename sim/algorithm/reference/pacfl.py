"""PACFL: Vahidian, Morafah, Wang, Kungurtsev, Chen, Shah, Lin, AAAI 2023, Algorithm 1, and the released code.

Before training a client sends the p leading left singular vectors of its samples, of each class or of all; where a
number is predicted it is one of a sample's. Two clients are as far apart as the least angle between a vector of one
and a vector of the other, signs aside (angle=entry), or between the spaces that they span (principal). Clusters
merge, the closest first, while they are no farther apart than β; of a merged cluster distances are the mean, the
largest or the least of those of its halves. Then every cluster trains a model, all from one start.
"""
import numpy as np

from replay import Method, digits, lines, named, query

QUERIES = [
    lines("C=9&cut=8&p=1&basis=all&angle=entry&merge=average&most=15&algos=pacfl"),
    query("data=mix2&sigma=0&C=9&b=10&probe=20&T=6&lr=0.1&blend=0.4", "cut=20&p=1&basis=all&angle=principal&merge=max&most=15&rho=0.5&drop=0.2&avg=model&tau=2&algos=pacfl"),
    query("data=mix2&sigma=0&C=9&b=10&probe=20&T=6&lr=0.1&blend=0.4", "cut=5&p=1&basis=all&angle=entry&merge=min&most=3&mean=clients&late=3&join=3&algos=pacfl"),
    digits("C=8&n=240&net=softmax&cut=30&p=3&basis=class&angle=entry&merge=average&most=15&algos=pacfl"),
    digits("C=8&n=240&net=softmax&cut=8&p=3&basis=all&angle=entry&merge=average&most=15&rho=0.6&drop=0.2&algos=pacfl"),
    digits("C=8&n=240&net=mlp&hidden=12&cut=20&p=2&basis=class&angle=principal&merge=max&most=4&avg=model&tau=1&rho=0.6&algos=pacfl"),
    digits("C=8&n=240&net=softmax&cut=10&p=4&basis=all&angle=principal&merge=min&most=3&avg=model&tau=2&opt=momentum&keep=kept&lr=0.02&late=2&join=3&algos=pacfl"),
    lines("C=9&cut=8&p=1&basis=all&angle=entry&merge=average&most=15&private=noise&clip=0.2&gauss=0.1&algos=pacfl"),
    lines("C=11&cut=8&p=1&basis=all&angle=entry&merge=average&most=15&private=noise&clip=0.2&gauss=0.1&rr=3&algos=pacfl"),
]


class Reference(Method):
    paper_mean, threshold = "samples", "cut"

    def start(self):
        self.theta[:] = self.theta[0]
        self.spaces, self.placed = {}, set()

    def directions(self, x):
        u, s, _ = np.linalg.svd(x.T, full_matrices=False)
        return u[:, : int(self.settings["p"])]

    def describe(self, c):
        x, y = self.run.everything(self.t, c)
        if not self.model.classes:
            x = np.column_stack([x, y])
        if self.settings["basis"] == "class" and self.model.classes:
            return np.hstack([self.directions(x[y == k]) for k in range(self.model.classes) if (y == k).any()])
        return self.directions(x)

    def angle(self, a, b):
        if self.settings["angle"] == "principal":
            a, b = np.linalg.qr(a)[0], np.linalg.qr(b)[0]
            return np.degrees(np.arccos(min(1, np.linalg.svd(a.T @ b)[1][0])))
        return np.degrees(np.arccos(min(1, np.abs(a.T @ b).max())))

    def cluster(self):
        of = sorted(self.spaces)
        d = {(i, j): self.angle(self.spaces[i], self.spaces[j]) for i in of for j in of if i < j}
        get = lambda a, b: d[min(a, b), max(a, b)]
        groups = {i: [i] for i in of}
        how = {"average": lambda x, y: (x + y) / 2, "max": max, "min": min}[self.settings["merge"]]
        while len(groups) > 1:
            away, a, b = min((get(a, b), a, b) for a in groups for b in groups if a < b)
            if away > self.number_of(self.threshold) and len(groups) <= self.K:
                break
            for z in groups:
                if z not in (a, b):
                    d[min(a, z), max(a, z)] = how(get(a, z), get(b, z))
            groups[a] += groups.pop(b)
        return list(groups.values())

    def round(self, t):
        new = [c for c in self.here if c not in self.spaces]
        for c in new:
            v = self.describe(c)
            self.receive(c, v.size)
            if c in self.heard:
                self.spaces[c] = self.cut(v)
        if new:
            self.ask()
            self.group()
        self.train_known(self.spaces)

    def group(self):
        """Newcomers are clustered together with all that are known."""
        if set(self.spaces) != self.placed:
            groups = self.cluster()
            before = [self.label[c] if c in self.placed else -1 for c in range(self.clients)]
            for k, group in zip(named(groups, before, self.K), groups):
                self.label[group] = k
            self.placed = set(self.spaces)
