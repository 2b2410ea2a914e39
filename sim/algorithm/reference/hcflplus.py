"""HCFL+: Guo, Tang, Lin, arXiv 2310.05397, section 4, Algorithms 2 to 5: HCFL with one trunk for all and a head for
each cluster, weights for every sample, splits by mean features, and removals; on top of FedEM (any shift separates
clients) or of FedRC (only another meaning of labels does).
"""
import hcfl
from replay import digits, lines, query

MANY = "C=8&n=240&concept=swaps&most=6&few=2&plain=0&"
QUERIES = [
    digits(MANY + "K=2&net=softmax&base=fedem&mu=0&hrho=0.02&spare=0&T=8&algos=hcflplus"),
    digits(MANY + "K=2&net=mlp&hidden=12&base=fedem&mu=0&hrho=0.02&spare=0&T=8&algos=hcflplus"),
    digits(MANY + "K=2&net=mlp&hidden=12&base=fedrc&mu=0.4&hrho=0.02&spare=0&avg=model&tau=1&lr=0.1&T=8&algos=hcflplus"),
    digits(MANY + "K=2&net=mlp&hidden=12&base=fedrc&mu=0.4&hrho=0.1&plain=1&few=4&spare=2&avg=model&tau=1&rho=0.7&late=2&join=4&opt=momentum&lr=0.02&T=8&mean=weight&algos=hcflplus"),
    digits(MANY + "K=2&net=mlp&hidden=12&base=fedrc&mu=0.4&hrho=0.02&spare=0&train=heads&avg=model&tau=2&lr=0.1&T=8&algos=hcflplus"),
    query("data=linrep&sigma=0&C=6&D=3&b=10&probe=20&T=8&lr=0.05&many=4&through=2", "K=2&most=5&few=2&plain=0&base=fedem&mu=0&hrho=0.01&spare=2&rho=0.8&algos=hcflplus"),
    lines("C=6&K=2&most=4&few=2&plain=0&base=fedrc&mu=0.4&hrho=0.01&spare=4&avg=model&tau=2&algos=hcflplus"),
    digits(MANY + "K=3&net=mlp&hidden=12&base=fedem&mu=0.3&hrho=0.03&spare=3&avg=model&tau=2&lr=0.1&rho=0.7&drop=0.2&T=10&algos=hcflplus"),
    digits("C=8&n=240&K=2&net=mlp&hidden=12&base=fedrc&mu=0.4&hrho=0.1&few=3&plain=0&most=5&spare=5&guests=100&concept=swaps&private=noise&clip=0.2&gauss=0.1&avg=model&tau=1&sd=2&sm=2&algos=hcflplus"),
    digits("K=2&net=mlp&hidden=12&base=fedem&mu=0&hrho=0.02&few=2&plain=0&most=5&spare=3&private=noise&clip=0.2&gauss=0.1&algos=hcflplus"),
]


class Reference(hcfl.Reference):
    def start(self):
        fedrc = self.settings["base"] == "fedrc"
        self.settings |= {"form": "ratio" if fedrc else "label", "weigh": "sample", "adapt": "both",
                          "dist": "concept" if fedrc else "any", "heads": "1"}
        super().start()
