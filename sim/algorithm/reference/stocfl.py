"""StoCFL: Zeng, Hu, Liu, Yu, Wang, Xu, arXiv 2303.00897, Algorithms 1 and 2, and the released code.

A client that comes for the first time trains the first model for some steps on all of its samples and sends this update,
ψ. Clusters, at first one for each client, merge if the cosine between the mean ψ of their members is at least τ. A client
then trains its cluster's model, tied to the common model by (λ/2) ‖θ − w‖², and the common model; each becomes the mean of
what its clients sent.
"""
import numpy as np

from replay import Method, cosine, digits, lines

QUERIES = [
    lines("like=0.9&look=10&tie=0.05&most=15&algos=stocfl"),
    lines("C=9&like=0.95&look=5&tie=0.5&most=15&avg=model&tau=3&rho=0.5&drop=0.2&algos=stocfl"),
    lines("C=9&like=0.99&look=10&tie=0.05&most=4&rho=0.5&algos=stocfl"),
    lines("C=9&like=0.99&look=10&tie=0.05&most=15&late=3&join=5&opt=adam&keep=fresh&avg=model&tau=2&lr=0.03&algos=stocfl"),
    digits("net=softmax&like=0.3&look=5&tie=0.05&most=15&algos=stocfl"),
    digits("C=8&n=240&net=mlp&hidden=12&like=0.5&look=5&tie=0.3&most=5&avg=model&tau=2&rho=0.5&mean=samples&algos=stocfl"),
]


class Reference(Method):
    paper_mean = "clients"

    def start(self):
        self.anchor = self.theta[0].copy()
        self.psi = {}
        self.most = min(int(self.settings["most"]), self.clients)
        self.cluster = {}  # of a client that was seen
        print(self.theta.shape, self.run[f"lane{self.number}.label"][:4].tolist())

    def first_update(self, c):
        w = self.anchor
        x, y = self.run.everything(self.t, c)
        for _ in range(int(self.settings["look"])):
            w = w - self.lr * self.model.gradient(w, x, y)
        return self.anchor - w

    def round(self, t):
        pass
