"""FeSEM: Long, Xie, Shen, Zhou, Wang, Jiang, World Wide Web 2023, Algorithm 1.

A client trains its centre, belongs to the centre nearest to where it arrived, and a centre becomes the mean of the
models that belong to it. In the first round all train the first model, and k-means among what they sent, once K have,
finds where the centres begin (centers=trained); or the centres are the start models and clients belong to the nearest
from the first model on, and a centre takes on the model of its first client alone (centers=released, by the mistakes
of FlexCFL's code). Clusters are numbered as they first appear.
"""
import numpy as np

from replay import Method, Stream, as_they_appear, digits, kmeans, lines, nearest

QUERIES = [
    lines("K=3&centers=trained&algos=fesem"),
    lines("K=3&centers=trained&avg=model&tau=2&rho=0.6&algos=fesem"),
    lines("K=3&centers=released&algos=fesem"),
    lines("K=2&centers=trained&avg=model&tau=2&opt=momentum&keep=kept&drop=0.2&rho=0.7&lr=0.03&algos=fesem"),
    digits("K=2&net=softmax&centers=trained&mean=samples&algos=fesem"),
    digits("K=3&net=mlp&hidden=12&centers=trained&avg=model&tau=1&rho=0.8&drop=0.2&algos=fesem"),
    digits("K=3&net=mlp&hidden=12&centers=released&avg=model&tau=1&late=2&join=3&algos=fesem"),
    lines("K=3&centers=trained&private=noise&clip=0.2&gauss=0.1&sa=4&algos=fesem"),
    lines("C=11&K=5&centers=trained&private=noise&clip=0.2&gauss=0.1&sa=4&rr=3&algos=fesem"),
]


class Reference(Method):
    paper_mean = "clients"

    def start(self):
        self.last = {}  # where the clients last arrived
        self.first_alone = self.begun = self.settings.get("centers", "trained") == "released"

    def round(self, t):
        arrived = {}
        for c in self.here:
            self.send(c, self.label[c])
            self.receive(c, self.size)
            if c in self.heard:
                start = self.theta[self.label[c]]
                arrived[c] = start - self.step_size * self.update(start, c, kept=True)
            else:
                self.worked(self.theta[self.label[c]], c)
        of = sorted(arrived)
        if not of:
            return
        points = np.array([arrived[c] for c in of])
        self.last.update(arrived)
        if self.begun:
            self.label[of] = nearest(points, self.theta)[0]
        elif len(self.last) >= self.K:
            self.begun, all = True, sorted(self.last)
            found = kmeans(np.array([self.last[c] for c in all]), self.K, self.stream(Stream.CLUSTERING, t))[0]
            self.label[all] = as_they_appear(found)
            of, points = all, np.array([self.last[c] for c in all])
        else:
            return
        label = self.rebalanced(arrived, self.label)[of]
        for k in range(self.K):
            w = np.array([self.count(c) for c in of]) * (label == k)
            if self.first_alone and w.any():
                w = np.eye(len(of))[np.flatnonzero(w)[0]]
            if w.any():
                self.theta[k] = w @ points / w.sum()
