"""IFCA: Ghosh, Chung, Yin, Ramchandran, NeurIPS 2020, Algorithm 1, options I (gradients) and II (models).

Every client gets all models, picks the one of least loss on its samples, the first on ties, and answers
with its update of that one. A model follows the mean over those that picked it; by the paper's Option I
the sum is divided by the number of all clients (divide=all).
"""
import numpy as np

from replay import Method, digits, lines

QUERIES = [
    lines("K=3&algos=ifca"),
    lines("K=3&divide=all&lr=0.3&rho=0.7&drop=0.2&algos=ifca"),
    lines("K=4&avg=model&tau=3&probe=20&rho=0.6&drop=0.2&opt=momentum&keep=kept&algos=ifca"),
    lines("K=3&avg=model&tau=2&probe=0&divide=all&algos=ifca"),
    lines("K=2&choose=accuracy&probe=20&algos=ifca"),
    lines("K=3&probe=20&private=noise&clip=0.2&gauss=0.3&nd=3&algos=ifca"),
    lines("K=3&avg=model&tau=2&probe=0&private=noise&clip=0.2&gauss=0.3&algos=ifca"),
    lines("C=12&K=5&private=noise&clip=0.2&gauss=0.3&rr=3&algos=ifca"),
    lines("C=14&K=5&avg=model&tau=2&probe=0&rho=0.7&drop=0.2&private=noise&clip=0.2&gauss=0.3&rr=4&algos=ifca"),
    digits("K=2&net=softmax&guests=20&algos=ifca"),
    digits("K=3&net=softmax&lr=0.05&mean=samples&algos=ifca"),
    digits("K=2&net=mlp&hidden=12&lr=0.05&avg=model&tau=2&probe=0&rho=0.7&algos=ifca"),
    digits("K=3&net=mlp&hidden=12&lr=0.05&choose=accuracy&algos=ifca"),
]


class Reference(Method):
    paper_mean = "clients"

    def pick(self, c):
        if self.settings["choose"] == "loss":
            return int(self.losses(c).argmin())
        x, y = self.minibatch(c)
        if self.model.classes:
            return int(np.argmax([self.model.right(m, x, y) for m in self.theta]))
        return int(np.argmin([self.model.loss(m, x, y) for m in self.theta]))

    def round(self, t):
        updates = {}
        for c in self.here:
            for k in range(self.K):
                self.send(c, k)
            self.receive(c, self.size)
            if c in self.lost:
                self.worked(self.theta[self.pick(c)], c)
        for c in self.heard:
            self.label[c] = self.pick(c)
            updates[c] = self.update(self.theta[self.label[c]], c, kept=True)
        if self.settings["divide"] == "all":
            for k in range(self.K):
                of = [c for c in self.heard if self.label[c] == k]
                if of:
                    self.theta[k] -= self.step_size * np.sum([updates[c] for c in of], axis=0) / len(self.heard)
        else:
            self.descend(updates)
