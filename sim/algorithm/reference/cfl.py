"""CFL: Sattler, Müller, Samek, IEEE TNNLS 2021, Algorithms 1 to 3, and their released code.

Clusters train one model each. Where a cluster's mean update is shorter than ε₁ while some member's is longer than ε₂, it
is split in two by the cosines of its members' updates; both sides go on from its model. In the same round each model
follows the mean update of its members. A threshold of −1 follows from the other one by ε₂ = 4 ε₁,
as in their code; if both are −1, ε₁ is a quarter of the cluster's longest update, and ε₂ half of the longest so far. A client that comes later descends the tree of splits: it trains the model of each
split on its way, as it was then, and goes to the side with the update most similar to its own (Algorithm 3).
"""
import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import squareform

from replay import Method, cosine, digits, lines

ABSOLUTE = "eps=absolute&eps1=0.1&eps2=0.25&warm=3&most=6"
QUERIES = [
    lines("C=9&T=40&b=20&link=complete&gmax=0&missed=last&" + ABSOLUTE + "&algos=cfl"),
    lines("C=9&T=40&b=20&dphi=25&link=single&gmax=0&missed=last&" + ABSOLUTE + "&algos=cfl"),
    lines("C=9&T=40&b=20&link=complete&gmax=0.995&missed=last&" + ABSOLUTE + "&algos=cfl"),
    lines("C=9&T=40&b=20&link=complete&gmax=0&missed=last&eps=scaled&rel1=0.3&rel2=0.6&warm=5&most=6&algos=cfl"),
    lines("C=9&T=40&b=20&rho=0.7&link=complete&gmax=0&missed=last&eps=absolute&eps1=0.1&eps2=0.25&warm=9&most=6&algos=cfl"),
    lines("C=9&T=40&b=20&drop=0.04&link=complete&gmax=0&missed=wait&eps=absolute&eps1=0.1&eps2=0.25&warm=3&most=6&algos=cfl"),
    lines("C=9&T=30&b=20&link=complete&gmax=0&missed=last&eps=absolute&eps1=0.3&eps2=0.3&warm=2&most=3&algos=cfl"),
    lines("C=9&T=24&avg=model&tau=3&link=complete&gmax=0&missed=last&eps=absolute&eps1=0.05&eps2=0.1&warm=3&most=6&"
          "opt=momentum&keep=kept&lr=0.03&mean=clients&algos=cfl"),
    lines("C=9&T=20&b=20&link=complete&gmax=0&missed=last&eps=absolute&eps1=0.3&eps2=0.3&warm=2&most=3&private=noise&clip=0.3&gauss=0.1&nd=3&algos=cfl"),
    lines("C=11&T=20&b=20&link=complete&gmax=0&missed=last&eps=absolute&eps1=0.3&eps2=0.3&warm=2&most=3&private=noise&clip=0.3&gauss=0.1&nd=3&rr=3&algos=cfl"),
    lines("C=9&T=30&b=20&late=3&join=14&drop=0.1&link=complete&gmax=0&missed=last&" + ABSOLUTE + "&algos=cfl"),
    lines("C=9&T=30&b=20&link=complete&gmax=0&missed=last&eps=absolute&eps1=-1&eps2=-1&warm=3&most=6&algos=cfl"),
    lines("C=9&T=30&b=20&link=complete&gmax=0&missed=last&eps=absolute&eps1=0.1&eps2=-1&warm=3&most=6&algos=cfl"),
    digits("C=8&n=240&T=12&net=mlp&hidden=12&link=complete&gmax=0&missed=last&eps=absolute&eps1=-1&eps2=-1&warm=2&most=4&"
           "avg=model&tau=2&algos=cfl"),
    digits("T=14&net=softmax&link=complete&gmax=0&missed=last&eps=absolute&eps1=1&eps2=1.5&warm=3&most=4&lr=0.1&algos=cfl"),
    digits("C=8&n=240&T=12&net=mlp&hidden=12&link=complete&gmax=0&missed=last&eps=scaled&rel1=0.9&rel2=0.9&warm=3&most=4&"
           "avg=model&tau=2&mean=clients&algos=cfl"),
]


class Reference(Method):
    def start(self):
        self.last = {}  # updates
        self.splits = []  # a cluster, the new one, its model then, the updates of its members, who went to the new one
        self.clusters = 1
        self.longest = 0.0
        self.top = 0.0  # of single clients
        self.most = min(int(self.settings["most"]), self.clients)

    def round(self, t):
        updates = {}
        for c in self.here:
            if c not in self.last and not self.descend_tree(c):
                continue
            self.send(c, self.label[c])
            self.receive(c, self.size)
            if c in self.lost:
                self.worked(self.theta[self.label[c]], c)
            else:
                updates[c] = self.update(self.theta[self.label[c]], c, kept=True)
        self.last.update(updates)
        self.top = max([self.top] + [np.linalg.norm(u) for u in updates.values()])
        for k in range(self.clusters):
            self.judge(t, k, updates)
        self.descend(updates)

    def descend_tree(self, c):
        """Finds the cluster of a newcomer, if it is heard at every split."""
        for k, new, model, theirs, moved in self.splits:
            if self.label[c] != k:
                continue
            self.tell(c, self.size)
            self.receive(c, self.size)
            if c in self.lost:
                return False
            mine = self.update(model, c)
            if max(theirs, key=lambda o: cosine(mine, theirs[o])) in moved:
                self.label[c] = new
        return True

    def judge(self, t, k, updates):
        members = [c for c in range(self.clients) if self.label[c] == k]
        if self.settings["missed"] == "wait" and any(c not in updates for c in members):
            return
        members = [c for c in members if c in self.last]
        if not members:
            return
        w = np.array([self.count(c) for c in members])
        u = np.array([self.last[c] for c in members])
        mean, most = np.linalg.norm(w @ u / w.sum()), np.linalg.norm(u, axis=1).max()
        self.longest = max(self.longest, mean)
        if self.settings["eps"] == "absolute":
            first, second = self.number_of("eps1"), self.number_of("eps2")
            if first == second == -1:
                first, second = most / 4, self.top / 2
            elif first == -1:
                first = second / 4
            elif second == -1:
                second = 4 * first
        else:
            first, second = self.number_of("rel1") * self.longest, self.number_of("rel2") * self.longest
        if not (mean < first and most > second and len(members) > 2 and t > int(self.settings["warm"])):
            return
        if self.clusters == self.most:
            return
        alike = np.array([[cosine(a, b) for b in u] for a in u])
        away = 1 - alike
        np.fill_diagonal(away, 0)
        side = cut_tree(linkage(squareform(away, checks=False), self.settings["link"]), 2).ravel()
        across = alike[side == side[0]][:, side != side[0]].max()
        gmax = self.number_of("gmax")
        if gmax > 0 and not gmax < np.sqrt((1 - across) / 2):
            return
        moved = [c for c, s in zip(members, side) if s != side[0]]
        self.splits.append((k, self.clusters, self.theta[k].copy(), dict(zip(members, u)), moved))
        self.label[moved] = self.clusters
        self.theta[self.clusters] = self.theta[k]
        self.clusters += 1
