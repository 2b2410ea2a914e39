"""FedClust: Islam, Javaherian, Xu, Yuan, Chen, Tzeng, ICPP 2024.

Clients that come for the first time take some steps from the first model and send the last layer that they arrive at.
Clusters merge, the closest last layers first, while they are no farther apart than λ; of a merged cluster distances
are the mean, the largest or the least of those of its halves. Clients that come later join the cluster whose first
members have the nearest mean. Every cluster trains a model, all from one start.
"""
import numpy as np

import flexcfl
import pacfl
from replay import digits, lines

QUERIES = [
    lines("C=9&pre=10&far=0.2&merge=average&most=15&algos=fedclust"),
    lines("C=9&pre=5&far=0.1&merge=max&most=15&rho=0.5&drop=0.2&avg=model&tau=2&algos=fedclust"),
    lines("C=9&pre=10&far=0.05&merge=min&most=3&late=3&join=3&mean=clients&private=noise&clip=0.3&gauss=0.1&algos=fedclust"),
    lines("C=11&pre=10&far=0.05&merge=min&most=3&late=3&join=3&mean=clients&private=noise&clip=0.3&gauss=0.1&rr=3&algos=fedclust"),
    digits("C=8&n=240&net=softmax&pre=5&far=0.7&merge=average&most=15&algos=fedclust"),
    digits("C=8&n=240&net=mlp&hidden=12&pre=10&far=0.2&merge=max&most=4&avg=model&tau=1&rho=0.6&drop=0.2&algos=fedclust"),
    digits("C=8&n=240&net=mlp&hidden=12&pre=10&far=0.08&merge=average&most=15&avg=model&tau=2&opt=momentum&keep=kept&lr=0.02&late=2&join=3&algos=fedclust"),
]


class Reference(pacfl.Reference):
    threshold = "far"

    def describe(self, c):
        self.tell(c, self.size)
        return flexcfl.steps_before(self, self.anchor, c)[self.model.head]

    def start(self):
        super().start()
        self.anchor = self.theta[0].copy()

    def angle(self, a, b):
        return np.linalg.norm(a - b)

    def group(self):
        if not self.placed:
            super().group()
            self.means = {k: np.mean([self.spaces[c] for c in self.placed if self.label[c] == k], axis=0)
                          for k in {self.label[c] for c in self.placed}}
        for c in sorted(set(self.spaces) - self.placed):
            self.label[c] = min(self.means, key=lambda k: (self.angle(self.spaces[c], self.means[k]), k))
        self.placed = set(self.spaces)
