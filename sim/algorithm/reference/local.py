"""Local only: every client trains a model of its own, whenever it takes part, and sends nothing (the
local baseline of Ghosh et al., NeurIPS 2020, section 6).
"""
import numpy as np

from replay import Method, digits, lines

QUERIES = [
    lines("algos=local"),
    lines("avg=model&tau=3&rho=0.5&drop=0.3&opt=momentum&keep=kept&algos=local"),
    digits("net=softmax&lr=0.05&rho=0.6&guests=20&algos=local"),
    digits("net=mlp&hidden=12&lr=0.05&avg=model&tau=2&algos=local"),
]


class Reference(Method):
    def start(self):
        self.label = np.arange(self.clients)

    def round(self, t):
        for c in self.heard:
            self.theta[c] = self.theta[c] - self.step_size * self.raw_update(self.theta[c], c, kept=True)

    def guest(self, i):
        """The mean over the clients' models: what to expect of that of a client that one happens to meet."""
        return np.mean([self.guest_score(w, i) for w in self.theta])
