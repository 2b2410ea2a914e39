"""FedAvg: McMahan, Moore, Ramage, Hampson, Agüera y Arcas, AISTATS 2017, FedSGD (section 2) and Algorithm 1.

Every client that takes part gets the model and answers with its gradient, or trains a copy; the model
follows the mean, weighted by samples. Told the groups (told=groups), the server has a model for each, all alike at first.
"""
from replay import Method, digits, lines

QUERIES = [
    lines("algos=fedavg"),
    lines("rho=0.5&drop=0.3&avg=model&tau=3&sd=2&sm=3&algos=fedavg"),
    lines("late=3&join=5&drop=0.2&avg=model&tau=2&opt=momentum&keep=kept&algos=fedavg"),
    lines("nd=2&quant=round&algos=fedavg"),
    lines("nd=2&quant=trunc&avg=model&tau=2&algos=fedavg"),
    lines("private=noise&clip=0.1&gauss=0.5&sd=3&sa=5&algos=fedavg"),
    digits("net=softmax&lr=0.05&algos=fedavg"),
    lines("clock=on&latency=0.1&bandwidth=250&spread=0.7&deadline=0.12&avg=model&tau=2&opt=momentum&keep=kept&algos=fedavg"),
    digits("net=autoencoder&code=16,4,16&avg=model&tau=1&opt=adam&keep=fresh&lr=0.003&algos=fedavg"),
    digits("net=mlp&hidden=12&guests=20&concept=swaps&algos=fedavg"),
    digits("net=mlp&hidden=12&lr=0.05&avg=model&tau=2&rho=0.6&algos=fedavg"),
    digits("net=softmax&lr=0.02&avg=model&tau=2&opt=momentum&keep=kept&rho=0.7&mean=clients&algos=fedavg"),
    digits("net=mlp&hidden=8,6&lr=0.003&avg=model&tau=1&opt=adam&keep=kept&algos=fedavg"),
    lines("told=groups&rho=0.7&drop=0.2&avg=model&tau=2&algos=fedavg"),
    digits("net=softmax&lr=0.05&told=groups&algos=fedavg"),
    digits("net=softmax&lr=0.05&avg=model&tau=1&rho=0.3&pool=1&algos=fedavg"),
    digits("net=softmax&lr=0.003&avg=model&tau=2&opt=adam&keep=fresh&drop=0.3&algos=fedavg"),
]


class Reference(Method):
    def start(self):
        if self.settings.get("told") == "groups":
            self.theta[:] = self.theta[0]
            self.label[:] = self.run.group

    def round(self, t):
        updates = {}
        for c in self.here:
            self.send(c, self.label[c])
            self.receive(c, self.size)
            if c in self.lost:
                self.worked(self.theta[self.label[c]], c)
        for c in self.heard:
            updates[c] = self.update(self.theta[self.label[c]], c, kept=True)
        self.descend(updates)
