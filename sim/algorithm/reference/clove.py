"""CLoVE: Bhatia, Papadis, Kodialam, Lakshman, Chakrabarty, arXiv 2506.22427, Algorithm 1, in the version with K given and in
that with an upper bound on K (Algorithm 2), early stopping and newcomers.

Every client that takes part reports its losses on all models; the server clusters these vectors, gives each cluster a
model of its own by min-cost matching of the sums of losses, and each model follows the mean of its clients, weighted by
samples. Once clients have settled it stops comparing; a newcomer then gets the model whose clients, at that time, had
losses most like its own on the models of that time.
"""
import numpy as np

from replay import Method, Stream, digits, kmeans, least_cost, lines, merged, silhouette

QUERIES = [
    lines("C=9&K=3&T=14&start=different&first=losses&algos=clove"),
    lines("C=9&K=3&T=14&start=same&first=random&rho=0.8&drop=0.2&algos=clove"),
    lines("C=9&K=3&T=12&sqrt=1&probe=20&by=ward&avg=model&tau=2&opt=adam&lr=0.05&keep=kept&algos=clove"),
    lines("C=9&K=3&T=12&match=0&mean=clients&probe=20&algos=clove"),
    lines("C=9&K=3&T=10&probe=20&nd=3&algos=clove"),
    lines("C=9&K=3&T=10&probe=20&private=noise&clip=0.2&gauss=0.3&algos=clove"),
    lines("C=11&K=5&T=10&probe=20&private=noise&clip=0.2&gauss=0.3&rr=3&algos=clove"),
    lines("C=9&T=14&bestk=silhouette&most=5&margin=0&probe=20&algos=clove"),
    lines("C=9&T=14&bestk=silhouette&most=5&margin=0.1&probe=20&by=ward&rho=0.8&algos=clove"),
    lines("C=9&T=14&bestk=silhouette&most=9&margin=0.1&copies=5&probe=20&rho=0.6&algos=clove"),
    lines("C=9&T=14&bestk=silhouette&most=6&margin=0&copies=2&probe=20&by=ward&rho=0.6&drop=0.1&algos=clove"),
    lines("C=9&K=3&T=24&probe=30&settle=stable&calm=3&agree=1&algos=clove"),
    lines("C=9&K=3&T=24&probe=30&settle=stable&calm=2&agree=0.8&late=3&join=14&rho=0.8&drop=0.1&algos=clove"),
    lines("C=9&K=3&T=24&probe=30&settle=stable&calm=3&agree=0.7&late=4&join=9&sqrt=1&avg=model&tau=2&algos=clove"),
    digits("K=2&net=softmax&grad=all&probe=0&algos=clove"),
    digits("K=3&net=mlp&hidden=12&grad=batch&first=random&probe=0&avg=model&tau=2&algos=clove"),
    digits("K=3&net=mlp&hidden=12&grad=batch&probe=16&rho=0.5&algos=clove"),
]


class Reference(Method):
    def start(self):
        self.known_k = self.settings["bestk"] == "given"
        self.history = [[] for _ in range(self.clients)]
        self.settled = False
        self.saved = None

    def embed(self, losses):
        return np.sqrt(losses) if self.on("sqrt") else losses

    def vector(self, c, models):
        return self.embed(self.cut(np.array([self.model.loss(m, *self.probe(c)) for m in models])))

    def round(self, t):
        if not self.settled and self.stable():
            self.settled, self.saved = True, (self.models_then, self.means())
        if self.settled:
            asked = self.known_clients()
        elif t == 0 and self.settings["first"] == "random":
            self.at_random()
            asked = self.here
        else:
            asked = self.compare(t)
        updates = {}
        for c in asked:
            self.send(c, self.label[c])
            self.receive(c, self.size)
            if c in self.lost:
                self.worked(self.theta[self.label[c]], c)
            else:
                updates[c] = self.update(self.theta[self.label[c]], c, whole=self.settings.get("grad") == "all", kept=True)
                self.history[c].append(int(self.label[c]))
        self.descend(updates)

    # who gets which model

    def at_random(self):
        for c in self.here:
            self.label[c] = self.stream(Stream.LABELS, c).below(self.K)
        again = self.stream(Stream.LABELS, 0, 1)
        for k in range(self.K):
            if not (self.label[self.here] == k).any():
                self.label[self.here[again.below(len(self.here))]] = k
        self.in_order(self.here, self.label[self.here])

    def in_order(self, clients, groups):
        """The group of the first client gets the first model, and so on."""
        names = {}
        for c, g in zip(clients, groups):
            self.label[c] = names.setdefault(int(g), len(names))

    def compare(self, t):
        for c in self.here:
            for k in range(self.K):
                self.send(c, k)
            self.receive(c, self.K)
        self.ask()
        if not self.heard:
            return []
        self.models_then = self.theta.copy()
        rows = np.array([self.vector(c, self.theta) for c in self.heard])
        self.rows_then = dict(zip(self.heard, rows))
        k = min(self.K, len(rows)) if self.known_k else self.best(rows)
        if self.settings["by"] == "ward":
            groups = merged(rows, k)
        else:
            groups = kmeans(rows, k, self.stream(Stream.CLUSTERING, t))[0]
        if not self.on("match"):
            self.in_order(self.heard, groups)
            return self.heard
        present = sorted(set(groups.tolist()))
        cost = np.array([rows[groups == g].sum(axis=0) for g in present])
        to = dict(zip(present, least_cost(cost)))
        for c, g in zip(self.heard, groups):
            self.label[c] = to[int(g)]
        return self.heard

    def best(self, rows):
        """Algorithm 2: the number whose clusters have the best silhouette; a larger one must be better by the margin. In the
        released code each row stands several times where the bound on K is not below the number of rows."""
        k, score, most = 1, -1.0, min(self.K, len(rows) - 1)
        if self.number_of("copies") > 1 and self.K >= len(rows):
            most = len(rows)
            rows = np.repeat(rows, int(self.number_of("copies")), axis=0)
        for n in range(2, most + 1):
            s = silhouette(rows, merged(rows, n))
            if s > score + self.number_of("margin") * abs(score) * (score > -1):
                k, score = n, s
        return k

    # early stopping

    def stable(self):
        if self.settings["settle"] == "never":
            return False
        n = int(self.settings["calm"])
        calm = [len(self.history[c]) >= n and len(set(self.history[c][-n:])) == 1 for c in self.here]
        return sum(calm) >= self.number_of("agree") * len(self.here)

    def means(self):
        return {k: np.mean([v for c, v in self.rows_then.items() if self.label[c] == k], axis=0)
                for k in {int(self.label[c]) for c in self.rows_then}}

    def known_clients(self):
        """Those of this round; newcomers are given a model first."""
        models, means = self.saved
        new = [c for c in self.here if not self.history[c]]
        for c in new:
            self.tell(c, self.K * self.size)
            self.receive(c, self.K)
            if c not in self.lost:
                v = self.vector(c, models)
                self.label[c] = min(sorted(means), key=lambda k: ((v - means[k]) ** 2).sum())
        if new:
            self.ask()
        return [c for c in self.here if c not in new or c not in self.lost]
