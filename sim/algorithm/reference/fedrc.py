"""FedRC: Guo, Tang, Lin, ICML 2024, Algorithm 1, and the released code.

As FedEM, but a model is as likely as it says more of a class than its share of the class in that model: γ_jk ∝ ω_ik
exp(−l_jk) / C_yk. Clients send the masses of the classes, F_kc = Σ γ_jk over samples of class c; C_k is proportional
to the sum of what each client sent last, floored at 1e-8 (rare=floor), or with one sample more of each (rare=smooth).
Where nothing is classified it is FedEM.
"""
import numpy as np

import fedem
from replay import digits, lines

QUERIES = [
    lines("K=3&rho=0.7&algos=fedrc"),
    digits("K=2&net=softmax&rare=floor&algos=fedrc"),
    digits("K=2&net=softmax&rare=smooth&probe=7&mean=weight&algos=fedrc"),
    digits("K=3&net=mlp&hidden=12&concept=swaps&rare=floor&avg=model&tau=2&rho=0.7&drop=0.2&lr=0.1&algos=fedrc"),
    digits("K=3&net=softmax&split=classes&per=5&ratio=-&guests=200&rare=smooth&avg=model&tau=1&late=1&join=3&mean=clients&lr=0.1&algos=fedrc"),
    digits("K=2&net=softmax&rare=floor&private=noise&clip=0.2&gauss=0.1&avg=model&tau=1&opt=momentum&lr=0.02&algos=fedrc"),
]


class Reference(fedem.Reference):
    def first(self):
        self.classes = self.model.classes
        self.share = np.full((self.K, self.classes), 1 / max(self.classes, 1))
        self.masses = {}

    def log_likelihood(self, x, y):
        log = super().log_likelihood(x, y)
        return log - np.log(self.share[:, y.astype(int)]).T if self.classes else log

    def told(self, c):
        super().told(c)
        if self.masses:
            self.tell(c, self.K * self.classes)
        self.receive(c, self.K * self.classes)

    def weighed(self, c, x, y, gamma):
        if c in self.heard:
            self.new[c] = self.cut(np.array([gamma[y == k].sum(axis=0) for k in range(self.classes)]).T)

    def round(self, t):
        self.new = {}
        super().round(t)
        self.masses.update(self.new)
        if not self.classes or not self.masses:
            return
        total = sum(self.masses[c] for c in sorted(self.masses))
        total = np.maximum(total, 1e-8) if self.settings.get("rare", "floor") == "floor" else total + 1
        self.share = total / total.sum(axis=1, keepdims=True)
