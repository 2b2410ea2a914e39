"""FlexCFL (FedGroup): Duan, Liu, Ji, Wu, Liang, Chen, Tan, Ren, TPDS 2022, Algorithms 1 and 2, and the released code.

The first clients, at most 20 K of them, take some steps from the first model and send this update, u. Clusters come
from k-means among the cosines of u with the K leading singular vectors of all u (EDC), or from complete linkage of
how much cosines with others differ (MADC). A cluster's model begins as the mean of where its clients arrived; who
comes later joins the cluster whose mean u is the most alike. Then every cluster averages updates; with η > 0 it also
takes on the others' models, each divided by its length.
"""
import numpy as np

from replay import Method, Stream, as_they_appear, cosine, digits, kmeans, lines

QUERIES = [
    lines("K=3&pre=10&directions=edc&between=0&algos=flexcfl"),
    lines("C=9&K=3&pre=10&directions=madc&between=0&algos=flexcfl"),
    lines("C=9&K=2&pre=5&directions=edc&between=0.1&rho=0.5&drop=0.2&avg=model&tau=2&algos=flexcfl"),
    lines("C=9&K=3&pre=5&directions=madc&between=0.2&late=3&join=4&mean=clients&private=noise&clip=0.3&gauss=0.1&algos=flexcfl"),
    lines("C=11&K=5&pre=5&directions=madc&between=0.2&late=3&join=4&mean=clients&private=noise&clip=0.3&gauss=0.1&rr=3&algos=flexcfl"),
    lines("C=7&K=3&pre=5&directions=edc&between=0&rho=0.4&drop=0.4&algos=flexcfl"),
    lines("C=45&K=2&pre=5&directions=edc&between=0&T=3&algos=flexcfl"),
    digits("C=8&n=240&K=2&net=softmax&pre=5&directions=edc&between=0&algos=flexcfl"),
    digits("C=8&n=240&K=3&net=mlp&hidden=12&pre=8&directions=edc&between=0.1&avg=model&tau=1&rho=0.6&drop=0.2&algos=flexcfl"),
    digits("C=8&n=240&K=3&net=softmax&pre=5&directions=madc&between=0&avg=model&tau=2&opt=momentum&keep=kept&lr=0.02&rho=0.7&algos=flexcfl"),
]


def steps_before(method, w, c):
    """Where steps of plain descent lead, through a client's samples in their order, a minibatch each."""
    x, y = method.run.everything(method.t, c)
    low = 0
    for _ in range(int(method.settings["pre"])):
        w = w - method.lr * method.model.gradient(w, x[low : low + method.run.b], y[low : low + method.run.b])
        low = low + method.run.b if low + method.run.b < len(y) else 0
    return w


class Reference(Method):
    paper_mean = "samples"

    def start(self):
        self.anchor = self.theta[0].copy()
        self.theta[:] = self.anchor
        self.u = {}  # first updates, as the server knows them
        self.reference = None  # of clusters: mean first updates

    def first_update(self, c):
        return self.anchor - steps_before(self, self.anchor, c)

    def cluster(self, of):
        u = np.array([self.u[c] for c in of])
        if self.settings["directions"] == "madc":
            n = len(of)
            cos = np.array([[cosine(a, b) for b in u] for a in u])
            d = np.array([[sum(abs(cos[i, z] - cos[j, z]) for z in range(n) if z not in (i, j)) / max(n - 2, 1)
                           for j in range(n)] for i in range(n)])
            groups = [[i] for i in range(n)]
            while len(groups) > self.K:
                _, a, b = min((d[np.ix_(groups[a], groups[b])].max(), a, b) for b in range(len(groups)) for a in range(b))
                groups[a] = sorted(groups[a] + groups.pop(b))
            return np.array([next(k for k, g in enumerate(groups) if i in g) for i in range(n)])
        vectors = np.linalg.svd(u.T, full_matrices=False)[0][:, : self.K]
        points = np.array([[cosine(a, v) for v in vectors.T] for a in u])
        return as_they_appear(kmeans(points, self.K, self.stream(Stream.CLUSTERING, self.t))[0])

    def round(self, t):
        new = [c for c in self.here if c not in self.u]
        for c in new:
            self.tell(c, self.size)
            self.receive(c, self.size)
            if c in self.heard:
                self.u[c] = self.cut(self.first_update(c))
        if new:
            self.ask()
        new = [c for c in new if c in self.u]
        if self.reference is None:
            of = sorted(self.u)
            if len(of) < self.K:
                return
            most = 20 * self.K
            if len(of) > most:
                chosen = self.stream(Stream.CLUSTERING, t, 1).shuffled(len(of), most)
                of = sorted(of[j] for j in chosen)
            self.label[of] = self.cluster(of)
            self.reference = {}
            for k in range(self.K):
                u = [self.u[c] for c in of if self.label[c] == k]
                if u:
                    self.reference[k] = np.mean(u, axis=0)
                    self.theta[k] = self.anchor - self.reference[k]
            new = [c for c in sorted(self.u) if c not in of]
        if self.reference:
            for c in new:
                self.label[c] = max(self.reference, key=lambda k: (cosine(self.u[c], self.reference[k]), -k))
        self.train_known(self.u)
        eta = self.number_of("between")
        if eta:
            before = self.theta.copy()
            length = np.linalg.norm(before, axis=1)
            for k in range(self.K):
                others = [h for h in range(self.K) if h != k and length[h] > 0]
                self.theta[k] = (before[k] + eta * sum(before[h] / length[h] for h in others)) \
                    / (1 + eta * sum(1 / length[h] for h in others))
