"""FedProto: Tan, Long, Liu, Zhou, Lu, Jiang, Zhang, AAAI 2022, Algorithm 1, equations 3 to 6.

Models stay on the clients. A client gets the common prototypes of the classes and trains its network on the loss plus λ
times the mean squared distance of its samples' features from the prototype of their class; then it sends the mean
feature of each class that it has. The common prototype of a class is their mean, weighted by samples of the class. A
sample gets the class of the nearest common prototype; the loss shown is the cross-entropy of a softmax over the
negative squared distances, with the prototypes as they are after the round.
"""
import numpy as np
from scipy.special import logsumexp

from replay import Method, digits, lines

QUERIES = [
    lines("proto=1&algos=fedproto"),
    lines("proto=1&avg=model&tau=3&rho=0.6&drop=0.2&algos=fedproto"),
    digits("net=mlp&hidden=12&proto=1&nd=2&avg=model&tau=1&algos=fedproto"),
    digits("net=softmax&proto=1&algos=fedproto"),
    digits("net=mlp&hidden=12&proto=1&avg=model&tau=2&algos=fedproto"),
    digits("net=mlp&hidden=12&proto=5&avg=model&tau=2&rho=0.8&drop=0.2&mean=clients&split=dirichlet&ratio=-&alpha=0.5&drawby=class&algos=fedproto"),
    digits("net=mlp&hidden=12&proto=5&rho=0.8&split=classes&ratio=-&per=4&pick=random&algos=fedproto"),
]


class Reference(Method):
    def start(self):
        self.label = np.arange(self.clients)
        self.common = {}  # of the classes that somebody has
        self.width = len(self.model.features(self.theta[0], np.zeros((1, self.run.inputs)))[0])

    def classes(self, y):
        return y.astype(int) if self.model.classes else np.zeros(len(y), int)

    def pull(self, z, y):
        """What λ · mean over samples and numbers of (z − prototype)² adds to the gradient by the features."""
        out = np.zeros_like(z)
        for j, k in enumerate(self.classes(y)):
            if k in self.common:
                out[j] = 2 * self.number_of("proto") * (z[j] - self.common[k]) / z.size
        return out

    def gradient(self, theta, x, y, _):
        if len(self.model.layers if self.model.classes else []) < 2:
            return self.model.gradient(theta, x, y)  # features do not depend on the model
        return self.model.gradient(theta, x, y, of_features=self.pull)

    def round(self, t):
        sent = {}
        for c in self.here:
            self.tell(c, self.width * len(self.common))
            if c in self.lost:
                continue
            self.theta[c] = self.theta[c] - self.step_size * self.raw_update(self.theta[c], c, gradient=self.gradient)
            x, y = self.evidence(c)
            z, y = self.model.features(self.theta[c], x), self.classes(y)
            held = {int(k): (z[y == k].mean(axis=0), (y == k).sum()) for k in np.unique(y)}
            self.receive(c, self.width * len(held))
            sent[c] = held
        for k in {k for held in sent.values() for k in held}:
            of = [(self.cut(v[k][0]), v[k][1] if self.counts_by != "clients" else 1) for v in sent.values() if k in v]
            self.common[k] = sum(z * n for z, n in of) / sum(n for _, n in of)

    def away(self, c, x):
        """Squared distances of a client's samples from the common prototypes: samples × classes."""
        z, d = self.model.features(self.theta[c], x), np.full((len(x), self.model.classes), np.inf)
        for k, p in self.common.items():
            d[:, k] = ((z - p) ** 2).sum(axis=1)
        return d

    def client_loss(self, c):
        if not self.model.classes or not self.common:
            return super().client_loss(c)
        x, y = self.run.held[c]
        d = self.away(c, x)
        return (logsumexp(-d, axis=1) + d[np.arange(len(y)), y.astype(int)]).mean()

    def client_accuracy(self, c):
        if not self.common:
            return super().client_accuracy(c)
        x, y = self.run.held[c]
        return (self.away(c, x).argmin(axis=1) == y).mean()
