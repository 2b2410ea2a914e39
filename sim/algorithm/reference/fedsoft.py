"""FedSoft: Ruan, Joe-Wong, AAAI 2022, Algorithms 1 and 2.

Every est rounds a client counts, for each centre, on how many of its samples that centre is the best: its shares u, at
least σ = 1e-4. It trains one model of its own on its loss plus (λ/2) Σ u_s ‖w − c_s‖², and sends it. A centre becomes the
mean of these models, weighted by v_s ∝ u_s n over the clients (draws=0), or the plain mean over some clients that it
draws by v.
"""
import numpy as np

from replay import Method, Stream, digits, lines

SIGMA = 1e-4
QUERIES = [
    lines("K=3&pull=0.1&est=2&draws=0&algos=fedsoft"),
    lines("K=3&pull=0.1&est=2&draws=0&private=noise&clip=0.2&gauss=0.3&algos=fedsoft"),
    lines("K=3&pull=0.1&est=2&draws=0&avg=model&tau=2&nd=2&algos=fedsoft"),
    lines("K=3&pull=1&est=1&draws=0&avg=model&tau=3&rho=0.6&drop=0.2&algos=fedsoft"),
    lines("K=2&pull=0.5&est=3&draws=2&avg=model&tau=2&opt=adam&lr=0.03&algos=fedsoft"),
    lines("K=3&pull=0.5&est=2&draws=0&mean=clients&late=3&join=4&algos=fedsoft"),
    digits("K=2&net=softmax&pull=0.1&est=2&draws=0&probe=7&algos=fedsoft"),
    digits("K=3&net=mlp&hidden=12&pull=0.3&est=2&draws=1&avg=model&tau=2&rho=0.8&lr=0.1&algos=fedsoft"),
    digits("K=2&net=softmax&pull=0.1&est=1&draws=0&mean=clients&avg=model&tau=1&algos=fedsoft"),
]


class Reference(Method):
    paper_mean = "weight"

    def start(self):
        self.u = np.full((self.clients, self.K), 1 / self.K)  # as the server knows them
        self.mine = self.u.copy()  # as the clients do
        self.own = {}  # the clients' models; each begins as the first centre it meets
        self.known = set()

    def shares(self, c):
        x, y = self.evidence(c)
        best = np.argmin([self.model.losses(m, x, y) for m in self.theta], axis=0)
        return np.maximum(np.bincount(best, minlength=self.K) / len(y), SIGMA)

    def drawn(self, v, k):
        """Clients that centre k draws by their weights, without putting back."""
        stream, left, chosen = self.stream(Stream.CLUSTERING, self.t, k + 1), dict(v), []
        for _ in range(min(int(self.settings["draws"]), len(left))):
            at = stream.uniform() * sum(left.values())
            for c, w in left.items():
                at -= w
                if at < 0:
                    break
            chosen.append(c)
            del left[c]
        return chosen

    def round(self, t):
        estimating = {c for c in self.here if t % int(self.settings["est"]) == 0 or c not in self.known}
        for c in sorted(estimating):
            for k in range(self.K):
                self.send(c, k)
            self.receive(c, self.K)
            self.own.setdefault(c, self.theta[0].copy())
            self.mine[c] = self.shares(c)
            if c in self.heard:
                self.u[c] = self.cut(self.mine[c])
                self.label[c] = self.u[c].argmax()
                self.known.add(c)
        self.ask()
        asked = [c for c in self.here if c in self.known]
        n = self.run.weight if self.counts_by != "clients" else np.ones(self.clients)
        count = [{c: self.u[c, k] * n[c] for c in asked} for k in range(self.K)]  # v, but for a factor
        draws = int(self.settings["draws"])
        if 0 < draws < len(self.here):
            count = [{c: 1.0 for c in self.drawn(v, k)} for k, v in enumerate(count)]
        centres, trained = self.theta.copy(), {}
        for c in sorted(set().union(*count)):
            if c not in estimating:
                self.tell(c, self.size)
            strength = self.number_of("pull") * self.mine[c].sum()
            u = (self.mine if c in estimating else self.u)[c]
            centre = u @ centres / u.sum()
            near = lambda w, x, y, _: self.model.gradient(w, x, y) + strength * (w - centre)
            w = self.own[c]
            u = self.raw_update(w, c, gradient=near)
            self.own[c] = w - self.step_size * u
            trained[c] = self.sent_model(self.own[c], centre, c)
            self.receive(c, self.size)
        for k, v in enumerate(count):
            of = [c for c in v if c in trained and c in self.heard]
            if of:
                self.theta[k] = sum(v[c] * trained[c] for c in of) / sum(v[c] for c in of)

    def personal(self, c):
        return self.own.get(c, self.theta[self.label[c]])

    def weights(self):
        return self.u / self.u.sum(axis=1, keepdims=True)
