"""OCFL: Zuziak, Pellungrini, Rinzivillo, "One-Shot Clustering for Federated Learning", arXiv 2503.04231, and the authors'
released code (FedCL, training_protocol_energy_oneshot).

All clients train one model. In every round the server takes the cosine distances Γ of their updates and the temperature
‖Γ‖_F / sqrt(n (n − 1) 2²). In the first round in which it is above that of the round before, HDBSCAN with
min_cluster_size = min_samples clusters clients by Γ; its noise is a cluster, too. Each cluster goes on with a copy of the
model, in the same round with the updates that were just sent, and means count clients alike.

HDBSCAN is written from Campello, Moulavi, Sander, PAKDD 2013: a graph of mutual reachability distances falls apart as its
longest edges go; of edges equally long, that of the longer plain distance goes first.

The paper has all clients in every round. A client that comes later is the program's own choice: it sends its update at the
model of then, and joins the cluster whose mean update is nearest in direction.
"""
import numpy as np

from replay import Method, as_they_appear, cosine, digits, lines

QUERIES = [
    lines("C=11&b=40&dense=0&most=15&algos=ocfl"),
    lines("C=12&b=100&dense=3&most=15&lr=0.3&mean=samples&algos=ocfl"),
    lines("C=15&avg=model&tau=3&dense=2&most=3&opt=momentum&keep=kept&lr=0.03&algos=ocfl"),
    lines("C=14&T=16&b=40&dense=2&most=15&rho=0.6&drop=0.2&algos=ocfl"),
    lines("C=12&T=20&b=40&dense=0&most=15&late=4&join=12&drop=0.1&algos=ocfl"),
    lines("C=12&b=40&dense=2&most=15&private=noise&clip=0.3&gauss=0.1&nd=3&algos=ocfl"),
    lines("C=14&b=40&dense=2&most=15&private=noise&clip=0.3&gauss=0.1&rr=4&algos=ocfl"),
    digits("C=9&n=360&T=8&net=softmax&dense=0&most=15&avg=model&tau=2&algos=ocfl"),
    digits("C=8&n=240&T=10&net=mlp&hidden=12&dense=2&most=15&avg=model&tau=3&rho=0.8&mean=samples&algos=ocfl"),
]


def hdbscan(d, least):
    """Labels, −1 for noise, numbered as they appear."""
    n = len(d)
    label = np.full(n, -1)
    if n < least:
        return label
    core = np.sort(d, axis=1)[:, least - 1]
    edges = sorted((max(d[i, j], core[i], core[j]), d[i, j], i, j) for i in range(n) for j in range(i))
    tree = {i: (i,) for i in range(n)}  # (distance, left, right), or (point,)
    of = list(range(n))
    for away, _, i, j in edges:
        if of[i] != of[j]:
            a, b = of[i], of[j]
            tree[a] = (away, tree[a], tree.pop(b))
            of = [a if c == b else c for c in of]
    (root,) = tree.values()

    def points(node):
        return list(node) if len(node) == 1 else points(node[1]) + points(node[2])

    def best(node, born, whole=False):
        """The stability of the best clusters in a node that is a cluster from 1/distance born on, and these."""
        own, members = 0.0, points(node)
        while True:
            away, parts = node[0], node[1:]
            large = [p for p in parts if len(points(p)) >= least]
            when = np.inf if away == 0 else 1 / away
            if away > 0 and len(large) == 1:
                own += (when - born) * (len(points(node)) - len(points(large[0])))
                node = large[0]
                continue
            own += (when - born) * len(points(node))
            below = [best(p, when) for p in parts] if away > 0 and len(large) == 2 else []
            under = sum(b[0] for b in below)
            if whole or under > own:
                return under, [c for b in below for c in b[1]]
            return own, [members]

    for k, members in enumerate(best(root, 0.0, whole=True)[1]):
        label[members] = k
    found = label >= 0
    label[found] = as_they_appear(label[found])
    return label


class Reference(Method):
    paper_mean = "clients"

    def start(self):
        self.last, self.known, self.then = np.inf, None, {}
        self.least = max(2, int(self.settings["dense"]) or self.clients // 5)

    def round(self, t):
        if self.known is not None:
            self.admit()
        updates = {}
        for c in self.here:
            if self.known is not None and c not in self.known:
                continue
            self.send(c, self.label[c])
            self.receive(c, self.size)
            if c in self.lost:
                self.worked(self.theta[self.label[c]], c)
            else:
                updates[c] = self.update(self.theta[self.label[c]], c, kept=True)
        if self.known is None and len(updates) > 1:
            self.consider(updates)
        self.descend(updates)

    def consider(self, updates):
        of, n = sorted(updates), len(updates)
        gamma = np.array([[max(0, 1 - cosine(updates[a], updates[b])) if a != b else 0 for b in of] for a in of])
        temperature = np.linalg.norm(gamma) / np.sqrt(n * (n - 1) * 2 ** 2)
        if temperature > self.last:
            least = self.least
            while True:
                label = hdbscan(gamma, least)
                if label.max() + 1 + (label < 0).any() <= self.K:
                    break
                least += 1
            label[label < 0] = label.max() + 1
            for k in range(1, label.max() + 1):
                self.theta[k] = self.theta[0]
            self.label[of], self.known, self.shared = label, set(of), self.theta[0].copy()
            self.then = {k: np.mean([updates[c] for c, l in zip(of, label) if l == k], axis=0) for k in range(label.max() + 1)}
        self.last = temperature

    def admit(self):
        new = [c for c in self.here if c not in self.known]
        for c in new:
            self.tell(c, self.size)
            self.receive(c, self.size)
            if c in self.heard:
                mine = self.update(self.shared, c)
                self.label[c] = max(self.then, key=lambda k: cosine(mine, self.then[k]))
                self.known.add(c)
        if new:
            self.ask()
