"""FedAvg: McMahan, Moore, Ramage, Hampson, Agüera y Arcas, AISTATS 2017, FedSGD (section 2) and Algorithm 1.

Every client that takes part gets the model and answers with its gradient, or trains a copy; the model
follows the mean, weighted by samples.
"""
from replay import Method

LINES = "data=linreg&dphi=30&sigma=0.2&C=7&D=3&b=8&probe=8&lr=0.1&T=12"
DIGITS = "data=digits&n=150&C=5&shift=rotations&angles=0,90&split=unequal&ratio=6&test=share&share=0.7&every=2&exam=0&b=16&probe=16&T=6"
QUERIES = [
    LINES + "&algos=fedavg",
    LINES + "&rho=0.5&drop=0.3&avg=model&tau=3&sd=2&sm=3&algos=fedavg",
    LINES + "&late=3&join=5&avg=model&tau=2&opt=momentum&keep=kept&algos=fedavg",
    LINES + "&nd=2&algos=fedavg",
    LINES + "&private=noise&clip=0.1&gauss=0.5&algos=fedavg",
    DIGITS + "&net=softmax&lr=0.05&algos=fedavg",
    DIGITS + "&net=mlp&hidden=12&lr=0.05&avg=model&tau=2&rho=0.6&algos=fedavg",
    DIGITS + "&net=softmax&lr=0.02&avg=model&tau=2&opt=momentum&keep=kept&rho=0.7&mean=clients&algos=fedavg",
    DIGITS + "&net=mlp&hidden=8,6&lr=0.003&avg=model&tau=1&opt=adam&keep=kept&algos=fedavg",
    DIGITS + "&net=softmax&lr=0.003&avg=model&tau=2&opt=adam&keep=fresh&drop=0.3&algos=fedavg",
]


class Reference(Method):
    def round(self, t):
        updates = {}
        for c in self.here:
            self.send(c, 0)
            self.receive(c, self.size)
        for c in self.heard:
            updates[c] = self.update(self.theta[0], c, kept=True)
        self.descend(updates)
