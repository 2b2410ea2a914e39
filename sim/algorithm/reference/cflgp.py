"""CFL-GP: Kim, Kim, de Veciana, ICML 2024, Algorithms 1 to 3, 4 and 5 (trained models), and appendices E and G.

In every P-th round all clients also get one model, each in turn, and answer with their gradient of it; block k of a
client's features is the mean of its gradients of model k. The clients' leading K spectral features are clustered by
k-means, and clusters named so that most clients keep their model. Clusters are used from the next round on.

The paper leaves open what a newcomer does, and how often the number of clusters is looked for: these are the program's
own choices, as its settings describe them.
"""
import numpy as np

from replay import Method, Stream, digits, kmeans, lines, matched, silhouette

QUERIES = [
    lines("C=9&K=3&P=2&T=20&algos=cflgp"),
    lines("C=8&K=3&P=3&T=24&beta=1&mean=samples&algos=cflgp"),
    lines("C=8&K=2&P=2&fold=sum&lr=0.03&T=16&algos=cflgp"),
    lines("C=8&K=3&P=2&avg=model&tau=3&T=14&opt=momentum&keep=kept&algos=cflgp"),
    lines("C=8&K=3&P=2&T=16&start=same&algos=cflgp"),
    lines("C=8&K=3&P=2&T=40&stop=1&algos=cflgp"),
    lines("C=8&K=3&P=2&T=20&tcl=8&algos=cflgp"),
    lines("C=9&K=3&P=2&T=24&rho=0.7&drop=0.2&algos=cflgp"),
    lines("C=9&K=3&P=2&T=16&rho=0.8&private=noise&clip=0.2&gauss=0.3&algos=cflgp"),
    lines("C=11&K=5&P=2&T=16&rho=0.8&private=noise&clip=0.2&gauss=0.3&rr=3&algos=cflgp"),
    lines("C=9&K=3&P=2&T=16&nd=2&algos=cflgp"),
    lines("C=9&K=3&P=2&T=24&late=4&join=7&meet=once&drop=0.2&algos=cflgp"),
    lines("C=9&K=3&P=2&T=24&late=4&join=13&meet=turn&tcl=10&rho=0.8&algos=cflgp"),
    lines("C=9&P=2&T=20&findk=silhouette&solo=6&most=6&algos=cflgp"),
    lines("C=9&P=2&T=20&findk=elbow&solo=5&most=5&rho=0.7&algos=cflgp"),
    lines("C=9&P=3&T=20&findk=gap&solo=8&most=5&sa=4&algos=cflgp"),
    lines("C=9&K=3&P=2&T=16&as=released&tcl=10&algos=cflgp"),
    lines("C=9&K=3&P=2&T=24&as=released&tcl=0&rho=0.8&late=3&join=6&meet=once&algos=cflgp"),
    digits("K=2&P=2&net=softmax&T=8&algos=cflgp"),
    digits("P=2&net=mlp&hidden=12&T=10&findk=silhouette&solo=3&most=4&cr=10&algos=cflgp"),
    digits("K=3&P=2&net=mlp&hidden=12&T=8&as=released&tcl=6&mean=samples&layer=head&avg=model&algos=cflgp"),
    digits("K=3&P=2&net=mlp&hidden=12&cr=20&mean=samples&T=8&algos=cflgp"),
    digits("K=2&P=2&net=mlp&hidden=12&layer=head&trunk=common&T=8&rho=0.8&algos=cflgp"),
    "data=wireless&D=2&n=160&C=5&share=0.7&split=classes&per=1&pick=fixed&net=autoencoder&code=8,4,8&b=16&probe=16&every=2&"
    "exam=0&K=2&P=2&trunk=common&layer=all&avg=model&tau=2&opt=adam&keep=kept&lr=0.002&T=8&algos=cflgp",
    digits("K=2&P=2&net=mlp&hidden=12&avg=model&tau=2&layer=head&cr=4&T=8&algos=cflgp"),
]


def spectral(g, s):
    """Coordinates of the rows of g along their s leading directions, and all singular values."""
    u, values, _ = np.linalg.svd(g, full_matrices=False)
    return (u * values)[:, :s], values


class Reference(Method):
    paper_mean = "clients"

    def start(self):
        s = self.settings
        head = self.model.head if s["layer"] == "head" else slice(0, self.size)
        compared = np.arange(head.start, head.stop)
        ratio = int(s["cr"])
        if ratio > 1:
            n = max(1, len(compared) // ratio)
            compared = np.sort(compared[self.stream(Stream.COORDINATES, 0).shuffled(len(compared), n)])
        self.compared = compared
        self.released = s["as"] == "released"
        self.searching = s["findk"] != "given"
        self.models = 1 if self.searching else self.K  # those in use
        self.label = np.array([self.stream(Stream.LABELS, c).below(self.models) for c in range(self.clients)])
        if self.released:
            self.label[:] = 0
        self.g = np.zeros((self.K, self.clients, len(compared)))
        self.n = np.zeros((self.K, self.clients), int)
        self.turn, self.unchanged, self.stopped, self.clustered = 0, 0, False, False

    def clusters_in(self, t):
        return t % int(self.settings["P"]) == (0 if self.released else 1) and not self.over(t)

    def over(self, t):
        last = int(self.settings["tcl"])
        return self.stopped or 0 < last <= t

    def look(self, common):
        """Gradients of a common model, before the models move."""
        for c in self.here:
            self.send(c, common)
            if self.label[c] != common:
                self.receive(c, len(self.compared))

    def remember(self, c, k, u):
        self.n[k, c] += 1
        beta = 1.0 if self.settings["beta"] == "1" else 1 / self.n[k, c]
        self.g[k, c] = (1 - beta) * self.g[k, c] + beta * u[self.compared]

    def round(self, t):
        clustering = self.clusters_in(t)
        self.admit(t)
        updates = {}
        for c in self.here:
            self.send(c, self.label[c])
            self.receive(c, self.size)
            if c in self.lost:
                self.worked(self.theta[self.label[c]], c)
            else:
                updates[c] = self.update(self.theta[self.label[c]], c, kept=True)
        before = self.label.copy()
        if clustering and self.released:
            beta = 1 / ((t + 1) // (self.models * int(self.settings["P"])) + 1)
            for c in self.heard:  # the released code: of the client's own model, whichever that is
                self.n[0, c] += 1
                self.g[0, c] = (1 - beta) * self.g[0, c] + beta * updates[c][self.compared]
            self.cluster(t)
        elif clustering:
            common = self.turn % self.models
            self.turn += 1
            self.look(common)
            for c in self.heard:
                self.remember(c, common, updates[c] if self.label[c] == common else self.update(self.theta[common], c))
        if self.settings["fold"] == "sum":
            for k in range(self.K):
                for c in updates:
                    if self.label[c] == k:
                        self.theta[k] = self.theta[k] - self.step_size * updates[c]
        else:
            self.descend(updates)
        if self.settings["trunk"] == "common":
            self.share()
        if clustering and not self.released and (not self.searching or self.found(t)):
            self.cluster(t)
        self.unchanged = self.unchanged + 1 if (self.label == before).all() else 0
        if self.on("stop") and self.unchanged >= self.run.rounds / 10:
            self.stopped = True

    def known(self):
        return [c for c in range(self.clients) if self.n[:, c].any()]

    def flat(self):
        return np.concatenate(list(self.g), axis=1)

    def admit(self, t):
        """Newcomers try all models at once, and are given that of the nearest mean features."""
        known = self.known()
        new = [c for c in self.here if c not in known]
        if not self.clustered or not new or self.settings["meet"] == "turn" and not self.over(t):
            return
        for k in range(1 if self.released else self.models):
            for c in new:
                self.send(c, k)
                self.receive(c, len(self.compared))
                if c not in self.lost:
                    self.remember(c, k, self.update(self.theta[k], c))
            self.ask()
        features, _ = spectral(self.flat(), self.models)
        means = {k: features[[c for c in known if self.label[c] == k]].mean(axis=0) for k in set(self.label[known].tolist())}
        for c in new:
            if c not in self.lost:
                self.label[c] = min(sorted(means), key=lambda k: ((features[c] - means[k]) ** 2).sum())

    def found(self, t):
        """Appendix G: once one model for all has been trained for a while, how many clusters there are."""
        if t < int(self.settings["solo"]):
            return False
        _, values = spectral(self.flat(), self.clients)
        s = int(np.argmax(values[:-1] - values[1:])) + 1
        points = spectral(self.flat(), min(max(3, s), self.clients))[0][self.known()]
        most, by = min(int(self.settings["most"]), len(points)), self.settings["findk"]
        stream = self.stream(Stream.CLUSTERING, t, 1)
        if by == "silhouette":
            scores = []
            for k in range(2, most + 1):
                label = kmeans(points, k, stream)[0]
                scores.append(silhouette(points, label) if len(set(label.tolist())) < len(points) else -1)
            self.models = int(np.argmax(scores)) + 2
        elif by == "elbow":
            self.models = elbow([kmeans(points, k, stream)[2] for k in range(1, most + 1)])
        else:
            self.models = gap(points, most, stream)
        self.searching, self.turn = False, 1
        self.theta[1 : self.models] = self.theta[0]
        return True

    def share(self):
        """What comes before the last layer becomes the mean over clients, in all models."""
        trunk = np.ones(self.size, bool)
        trunk[self.model.head] = False
        w = np.array([self.count(c) for c in range(self.clients)])
        self.theta[:, trunk] = w @ self.theta[self.label][:, trunk] / w.sum()

    def cluster(self, t):
        known = self.known()
        features = spectral(self.flat(), self.models)[0][known]
        found = kmeans(features, min(self.models, len(known)), self.stream(Stream.CLUSTERING, t))[0]
        self.label[known] = matched(found, self.label[known], self.models)
        self.clustered = True


def elbow(curve):
    """Where a curve of inertias is farthest below the chord from its first to its last value."""
    chord = np.linspace(curve[0], curve[-1], len(curve))
    return int(np.argmax(chord - curve)) + 1


def gap(points, most, stream):
    """The gap statistic (Tibshirani, Walther, Hastie 2001) with 20 uniform sets in the bounding box: the least k from 2 on
    with Gap(k) ≥ Gap(k+1) − s(k+1); 1 if that is no better than one cluster."""
    logs = [np.log(kmeans(points, k, stream)[2]) for k in range(1, most + 1)]
    low, high = points.min(axis=0), points.max(axis=0)
    expected = np.empty((20, most))
    for b in range(20):
        drawn = low + np.array([[stream.uniform() for _ in low] for _ in points]) * (high - low)
        expected[b] = [np.log(kmeans(drawn, k, stream)[2]) for k in range(1, most + 1)]
    gaps, errors = expected.mean(axis=0) - logs, expected.std(axis=0) * np.sqrt(1 + 1 / 20)
    k = 2
    while k < most and gaps[k - 1] < gaps[k] - errors[k]:
        k += 1
    return 1 if gaps[0] >= gaps[k - 1] - errors[k - 1] else k
