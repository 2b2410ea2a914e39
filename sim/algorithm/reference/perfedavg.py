"""Per-FedAvg: Fallah, Mokhtari, Ozdaglar, NeurIPS 2020, Algorithm 1, first order.

A client takes a step of its own from the model, on one minibatch, and answers with the gradient where that leads, on
another; a client that trains does so in every local step. It uses the model after a step of its own.
"""
from replay import Method, digits, lines

QUERIES = [
    lines("inner=0&algos=perfedavg"),
    lines("inner=0&private=noise&clip=0.2&gauss=0.3&nd=3&algos=perfedavg"),
    lines("inner=0.3&avg=model&tau=3&rho=0.6&drop=0.2&algos=perfedavg"),
    lines("inner=0.2&avg=model&tau=2&opt=momentum&lr=0.05&algos=perfedavg"),
    digits("inner=0.1&net=softmax&mean=samples&guests=20&algos=perfedavg"),
    digits("inner=0&net=mlp&hidden=12&avg=model&tau=2&rho=0.6&algos=perfedavg"),
]


class Reference(Method):
    paper_mean = "clients"

    @property
    def inner(self):
        return self.number_of("inner") or self.lr

    def stepped(self, theta, x, y):
        return theta - self.inner * self.model.gradient(theta, x, y)

    def round(self, t):
        updates = {}
        for c in self.here:
            self.send(c, 0)
            self.receive(c, self.size)
        for c in self.heard:
            others = self.run.extra(t, c)
            meta = lambda theta, x, y, _: self.model.gradient(self.stepped(theta, *next(others)), x, y)
            updates[c] = self.update(self.theta[0], c, gradient=meta)
        self.descend(updates)

    def personal(self, c):
        return self.stepped(self.theta[0], *self.minibatch(c))

    def guest(self, i):
        """A test client, too, uses the model after a step, on its first samples."""
        x, y = self.run.guests["choose"][i]
        return self.guest_score(self.stepped(self.theta[0], x[: self.run.b], y[: self.run.b]), i)
