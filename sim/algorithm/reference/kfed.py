"""k-FED: Dennis, Li, Smith, ICML 2021, Algorithms 1 and 2, and the released code.

Before training a client sends the means of k′ clusters of its samples, with what is to be predicted beside the inputs
where that is a number: k-means from the means of projected samples that are thrice as near to one seed as to any
other (Awasthi and Sheffet). The server runs Lloyd on all that was sent, from the first client's and those farthest
from them (centres=farthest), or as a client does (awasthi). A client belongs to the cluster that most of its samples
are in, and every cluster trains a model, all from one start.
"""
import numpy as np

from replay import Method, Stream, digits, lines, lloyd, nearest, query, seeds

QUERIES = [
    lines("C=9&K=3&kp=1&centres=farthest&lloyd=all&algos=kfed"),
    query("data=mix2&sigma=0&C=9&b=10&probe=20&T=6&lr=0.1&blend=0.4", "K=2&kp=1&centres=farthest&lloyd=one&rho=0.5&drop=0.2&avg=model&tau=2&algos=kfed"),
    lines("C=9&K=3&kp=2&centres=farthest&lloyd=all&b=20&late=3&join=3&mean=clients&algos=kfed"),
    lines("C=9&K=3&kp=1&centres=awasthi&lloyd=all&algos=kfed"),
    digits("C=8&n=240&K=2&net=softmax&kp=1&centres=farthest&lloyd=all&algos=kfed"),
    digits("C=8&n=240&K=3&net=mlp&hidden=12&kp=2&centres=farthest&lloyd=one&avg=model&tau=1&rho=0.7&drop=0.2&algos=kfed"),
    digits("C=8&n=240&K=3&net=softmax&kp=2&centres=awasthi&lloyd=all&avg=model&tau=1&opt=momentum&keep=kept&lr=0.02&algos=kfed"),
    lines("K=3&kp=1&centres=farthest&lloyd=all&private=noise&clip=0.2&gauss=0.1&avg=model&tau=2&algos=kfed"),
    lines("C=11&K=5&kp=1&centres=farthest&lloyd=all&private=noise&clip=0.2&gauss=0.1&avg=model&tau=2&rr=3&algos=kfed"),
]


class Reference(Method):
    paper_mean = "samples"

    def start(self):
        self.theta[:] = self.theta[0]
        self.centres, self.counts = {}, {}
        self.middles = None
        self.kp = int(self.settings["kp"])

    def awasthi(self, a, k, stream):
        """Labels and centres of points."""
        if len(a) <= k:
            return np.arange(len(a)), a
        v = np.linalg.svd(a, full_matrices=False)[2][:k]
        b = a @ v.T
        nu = b[seeds(b, k, stream)]
        d = np.sqrt(((b[:, None] - nu[None]) ** 2).sum(axis=2))
        start = []
        for r in range(k):
            near = [i for i in range(len(a)) if all(d[i, r] <= d[i, s] / 3 for s in range(k) if s != r)]
            start.append((b[near].mean(axis=0) if near else nu[r]) @ v)
        label, centres, _ = lloyd(a, np.array(start))
        return label, centres

    def describe(self, c):
        x, y = self.run.everything(self.t, c)
        if not self.model.classes:
            x = np.column_stack([x, y])
        if self.kp == 1:
            return x.mean(axis=0)[None], np.array([len(x)])
        s = Stream(self.data_seed, Stream.ON_DEVICE, self.t + 1, c)
        label, centres = self.awasthi(x, self.kp, s)
        return centres, np.bincount(label, minlength=len(centres))

    def cluster(self):
        of = sorted(self.centres)
        points = np.vstack([self.centres[c] for c in of])
        if self.settings["centres"] == "awasthi":
            label, self.middles = self.awasthi(points, self.K, self.stream(Stream.CLUSTERING, self.t))
        else:
            start = list(self.centres[of[0]])[: self.K]
            while len(start) < self.K:
                d = ((points[:, None] - np.array(start)[None]) ** 2).sum(axis=2).min(axis=1)
                start.append(points[d.argmax()])
            start = np.array(start)
            if self.settings["lloyd"] == "one":
                label = nearest(points, start)[0]
                self.middles = np.array([points[label == k].mean(axis=0) if (label == k).any() else start[k]
                                         for k in range(self.K)])
            else:
                label, self.middles, _ = lloyd(points, start)
        return label, of

    def place(self, c, label):
        votes = np.bincount(label, weights=self.counts[c], minlength=self.K)
        self.label[c] = votes.argmax()

    def round(self, t):
        new = [c for c in self.here if c not in self.centres]
        for c in new:
            centres, counts = self.describe(c)
            self.receive(c, centres.size)
            if c in self.heard:
                self.centres[c], self.counts[c] = self.cut(centres), counts
        if new:
            self.ask()
        new = [c for c in new if c in self.centres]
        if self.middles is None:
            if sum(len(v) for v in self.centres.values()) < self.K:
                return
            label, of = self.cluster()
            for c in of:
                self.place(c, label[: len(self.centres[c])])
                label = label[len(self.centres[c]) :]
        else:
            for c in new:
                self.place(c, nearest(self.centres[c], self.middles)[0])
        self.train_known(self.centres)
