"""FedALA: Zhang, Hua, Wang, Song, Xue, Ma, Guan, AAAI 2023, Algorithm 1, and the released code.

A client mixes the common model into its own, number by number: w_i + (w − w_i) ∘ W for the last layer (or all), the
common model for the rest. It learns W, from 1 and within [0, 1], on a random stretch of its samples: the first time until the
last ten losses are steady, later in one pass. Then it trains the mixture and sends it; the common model becomes the
mean of these, weighted by samples.
"""
import numpy as np

from replay import Method, Stream, digits, lines

QUERIES = [
    lines("alarate=1&alapart=head&alacalm=0.01&algos=fedala"),
    lines("alarate=1&alapart=head&alacalm=0.01&private=noise&clip=0.2&gauss=0.3&algos=fedala"),
    lines("alarate=1&alapart=head&alacalm=0.01&avg=model&tau=2&nd=2&algos=fedala"),
    lines("alarate=0.3&alapart=all&alacalm=0.001&avg=model&tau=3&rho=0.6&drop=0.2&algos=fedala"),
    lines("alarate=0&alapart=head&alacalm=0.01&avg=model&tau=2&late=3&join=4&algos=fedala"),
    digits("net=softmax&alarate=1&alapart=head&alacalm=0.01&alashare=0.8&algos=fedala"),
    digits("net=mlp&hidden=12&alarate=1&alapart=head&alacalm=0.1&alashare=0.5&avg=model&tau=2&rho=0.8&b=4&algos=fedala"),
    digits("net=mlp&hidden=12&alarate=2&alapart=all&alacalm=0.01&alashare=1&avg=model&tau=1&mean=clients&drop=0.2&algos=fedala"),
]


class Reference(Method):
    def start(self):
        self.own, self.W = {}, {}
        self.part = self.model.head if self.settings["alapart"] == "head" else slice(0, self.size)

    def stretch(self, c):
        """A random stretch of a client's samples, b at a time; the minibatch where samples are endless."""
        x, y = self.run.everything(self.t, c)
        n = len(y)
        if self.run.finite:
            some = max(1, int(self.number_of("alashare") * n))
            low = Stream(self.data_seed, Stream.ON_DEVICE, self.t + 1, c).below(n - some + 1)
            x, y = x[low : low + some], y[low : low + some]
        return [(x[i : i + self.run.b], y[i : i + self.run.b]) for i in range(0, len(y), self.run.b)]

    def mixed(self, c, common):
        w, p = common.copy(), self.part
        if c in self.W:
            w[p] = self.own[c][p] + (common[p] - self.own[c][p]) * self.W[c]
        return w

    def learn(self, c, common):
        first, p = c not in self.W, self.part
        if first:
            self.W[c] = np.ones(p.stop - p.start)
        apart, losses = common[p] - self.own[c][p], []
        for _ in range(50 if first else 1):
            for x, y in self.stretch(c):
                w = self.mixed(c, common)
                loss = self.model.loss(w, x, y)
                self.W[c] = np.clip(self.W[c] - self.number_of("alarate") * self.model.gradient(w, x, y)[p] * apart, 0, 1)
            losses.append(loss)
            if len(losses) > 10 and np.std(losses[-10:]) < self.number_of("alacalm"):
                break

    def round(self, t):
        common, updates = self.theta[0].copy(), {}
        for c in self.here:
            self.send(c, 0)
            self.receive(c, self.size)
            if c in self.own:
                self.learn(c, common)
            w = self.mixed(c, common)
            u = self.raw_update(w, c)
            self.own[c] = w - self.step_size * u
            if c in self.heard:
                updates[c] = self.sent_model(self.own[c], common, c)
        if updates:
            w = np.array([self.count(c) for c in updates])
            self.theta[0] = w @ np.array(list(updates.values())) / w.sum()

    def personal(self, c):
        return self.mixed(c, self.theta[0])
