"""HCFL: Guo, Tang, Lin, arXiv 2310.05397, section 3, Algorithm 1, and what its section 4 and the papers it cites say
of the tiers.

1. form: how likely a sample is by a model. label: p(y|x), as FedEM; ratio: over the share of the class in the model,
   as FedRC; joint: p(x, y), as FedGMM.
2. weigh: a client's weights. em: the mean γ; sample: equations 4 and 5, a weight for each sample; count: the share of
   samples that a model explains best; loss: the one of least loss, as IFCA; near: the nearest to where it arrived, as
   FeSEM; labels: k-means among shares of classes; member: as tier 3 has it. A model trains on samples weighed by γ,
   and averages over the clients to which it is something.
3. adapt: a cluster splits by complete linkage if the largest distance of all is in it, and exceeds the mean by ρ (8);
   weights are halved (Algorithm 4). One that nobody weighs most is removed, and weights add up to 1 again (Algorithm
   5). Or the most alike merge.
4. dist, alike: mean features, with equations 9 to 12, updates, or updates of the first model.

heads: one trunk for all models. In every step the heads follow equation 6 and the trunk equation 7, both from where the
step began; or (train=heads) all heads are trained in all epochs, and then the trunk, as the authors' code does.
"""
import numpy as np
from scipy.special import logsumexp

import fedem
import fedgmm
from fedem import soft
from replay import Method, Optimiser, Stream, as_they_appear, cosine, digits, kmeans, lines, nearest, query

TINY = 1e-30
SEARCHING = ("loss", "count", "em", "sample")  # clients try all models; else the server says which one they have
QUERIES = [
    lines("K=3&form=label&weigh=em&adapt=fixed&algos=hcfl"),
    lines("K=3&form=label&weigh=loss&adapt=fixed&rho=0.6&drop=0.2&algos=hcfl"),
    digits("K=3&net=softmax&form=ratio&weigh=loss&adapt=fixed&avg=model&tau=1&algos=hcfl"),
    lines("K=3&form=label&weigh=count&adapt=fixed&algos=hcfl"),
    digits("K=2&net=mlp&hidden=12&form=ratio&weigh=count&adapt=fixed&avg=model&tau=1&rho=0.7&algos=hcfl"),
    digits("K=2&net=softmax&form=label&weigh=sample&mu=0.4&adapt=fixed&avg=model&tau=2&rho=0.7&drop=0.2&lr=0.1&algos=hcfl"),
    digits("K=2&net=softmax&form=label&weigh=sample&mu=0.4&adapt=fixed&rho=0.7&algos=hcfl"),
    lines("K=3&form=label&weigh=near&adapt=fixed&avg=model&tau=2&rho=0.6&algos=hcfl"),
    digits("K=2&net=softmax&form=label&weigh=labels&adapt=fixed&rho=0.7&algos=hcfl"),
    lines("K=3&form=label&weigh=member&adapt=fixed&algos=hcfl"),
    digits("K=2&net=mlp&hidden=12&form=label&weigh=em&adapt=fixed&heads=1&algos=hcfl"),
    digits("K=2&net=mlp&hidden=12&form=label&weigh=em&adapt=fixed&heads=1&avg=model&tau=1&rho=0.7&algos=hcfl"),
    lines("K=4&form=label&weigh=em&adapt=remove&spare=3&rho=0.6&algos=hcfl"),
    digits("K=4&net=softmax&form=ratio&weigh=loss&adapt=remove&spare=2&avg=model&tau=1&rho=0.7&drop=0.2&algos=hcfl"),
    lines("K=2&form=label&weigh=em&adapt=both&dist=update&hrho=0.05&few=2&most=5&plain=0&spare=3&rho=0.7&T=16&algos=hcfl"),
    lines("K=1&form=label&weigh=member&adapt=split&dist=update&hrho=0.2&few=2&most=5&plain=0&rho=0.7&drop=0.2&T=16&algos=hcfl"),
    digits("C=8&n=240&net=mlp&hidden=12&form=label&weigh=member&adapt=split&dist=any&hrho=0.05&few=2&most=5&plain=0&rho=0.7&avg=model&tau=1&algos=hcfl"),
    digits("C=8&n=240&net=mlp&hidden=12&form=label&weigh=member&adapt=split&dist=anchor&look=5&hrho=0.2&few=2&most=5&plain=0&rho=0.7&avg=model&tau=1&algos=hcfl"),
    digits("C=8&n=240&K=2&net=mlp&hidden=12&form=label&weigh=em&adapt=both&dist=concept&hrho=0.02&few=3&most=5&plain=1&spare=0&rho=0.7&avg=model&tau=1&algos=hcfl"),
    digits("C=8&n=240&K=2&net=softmax&form=label&weigh=near&adapt=both&dist=any&hrho=0.02&few=2&most=5&plain=0&spare=3&rho=0.7&avg=model&tau=1&algos=hcfl"),
    digits("C=8&n=240&K=2&net=softmax&form=ratio&weigh=loss&adapt=both&dist=update&hrho=0.02&few=2&most=5&plain=0&spare=3&rho=0.7&algos=hcfl"),
    digits("C=8&n=240&K=2&net=softmax&form=label&weigh=count&adapt=both&dist=concept&hrho=0.02&few=2&most=5&plain=0&spare=3&rho=0.7&algos=hcfl"),
    digits("C=8&n=240&K=2&net=softmax&split=classes&per=5&ratio=-&form=label&weigh=labels&adapt=split&dist=update&hrho=0.05&few=2&most=5&plain=0&rho=0.8&late=2&join=3&algos=hcfl"),
    lines("C=9&K=5&form=label&weigh=em&adapt=merge&alike=anchor&look=5&like=0.9&after=4&most=5&algos=hcfl"),
    lines("C=9&K=5&form=label&weigh=loss&adapt=merge&alike=anchor&look=5&like=0.9&after=4&most=5&rho=0.7&drop=0.2&avg=model&tau=2&algos=hcfl"),
    lines("C=9&K=5&form=label&weigh=member&adapt=merge&alike=anchor&look=5&like=0.95&after=4&most=15&rho=0.5&algos=hcfl"),
    lines("C=9&K=5&form=label&weigh=member&adapt=merge&alike=anchor&look=5&like=0.99&after=4&most=4&rho=0.5&avg=model&tau=2&drop=0.2&algos=hcfl"),
    digits("C=8&n=240&K=4&net=mlp&hidden=12&form=label&weigh=em&adapt=merge&alike=any&like=0.6&after=2&most=5&rho=0.7&avg=model&tau=1&algos=hcfl"),
    digits("C=8&n=240&K=4&net=softmax&form=ratio&weigh=count&adapt=merge&alike=concept&like=0.3&after=2&most=5&rho=0.7&algos=hcfl"),
    digits("C=8&n=240&K=2&net=mlp&hidden=12&heads=1&form=ratio&weigh=loss&adapt=both&dist=concept&hrho=0.05&few=2&most=5&plain=1&spare=2&rho=0.7&drop=0.2&avg=model&tau=1&opt=adam&lr=0.01&T=8&algos=hcfl"),
    digits("K=2&net=mlp&hidden=12&heads=1&form=label&weigh=near&adapt=fixed&mean=clients&avg=model&tau=1&rho=0.7&algos=hcfl"),
    lines("K=3&form=label&weigh=count&adapt=fixed&mean=weight&private=noise&clip=0.3&gauss=0.1&avg=model&tau=2&algos=hcfl"),
    query("data=mix2&sigma=0&C=6&b=10&probe=20&T=10&lr=0.1&blend=0.4", "K=2&form=label&weigh=em&adapt=both&dist=update&hrho=0.1&few=3&most=4&plain=0&spare=2&mean=weight&rho=0.7&algos=hcfl"),
    digits("K=3&net=mlp&hidden=12&form=label&weigh=near&adapt=fixed&avg=model&tau=1&rho=0.8&drop=0.2&algos=hcfl"),
    digits("K=3&net=softmax&form=label&weigh=labels&adapt=fixed&rho=0.7&drop=0.3&T=8&algos=hcfl"),
    lines("K=3&form=joint&m1=2&dims=8&widen=0&weigh=em&adapt=fixed&rho=0.7&drop=0.2&algos=hcfl"),
    lines("K=3&form=joint&m1=3&dims=8&widen=1&weigh=loss&adapt=remove&spare=3&avg=model&tau=2&rho=0.7&algos=hcfl"),
    digits("C=8&n=240&K=2&net=softmax&form=joint&m1=2&dims=4&widen=0&weigh=count&adapt=both&dist=concept&hrho=0.02&few=2&most=5&plain=0&spare=3&rho=0.7&algos=hcfl"),
    digits("C=8&n=240&K=2&net=mlp&hidden=12&form=joint&m1=0&dims=4&widen=1&weigh=sample&mu=0.3&adapt=both&dist=any&hrho=0.02&few=2&most=5&plain=0&spare=3&rho=0.7&drop=0.1&avg=model&tau=1&lr=0.1&algos=hcfl"),
    lines("K=3&form=joint&m1=2&dims=8&widen=0&weigh=near&adapt=fixed&avg=model&tau=2&rho=0.7&algos=hcfl"),
    lines("C=9&K=4&form=joint&m1=2&dims=8&widen=0&weigh=em&adapt=merge&alike=anchor&look=5&like=0.9&after=4&most=5&rho=0.7&algos=hcfl"),
    digits("K=2&net=softmax&concept=swaps&guests=200&form=label&weigh=sample&mu=0.2&adapt=remove&spare=2&avg=model&tau=1&lr=0.2&algos=hcfl"),
    digits("K=2&net=softmax&concept=swaps&guests=200&form=ratio&weigh=count&adapt=split&dist=update&hrho=0.1&few=2&most=4&plain=1&avg=model&tau=1&lr=0.2&algos=hcfl"),
    lines("C=9&K=4&form=label&weigh=near&adapt=merge&alike=anchor&look=5&like=0.9&after=3&most=5&rho=0.7&avg=model&tau=2&algos=hcfl"),
    digits("C=8&n=240&K=3&net=softmax&split=classes&per=5&ratio=-&form=label&weigh=labels&adapt=merge&alike=any&like=0.5&after=2&most=5&rho=0.7&drop=0.2&algos=hcfl"),
    digits("C=8&n=240&K=2&net=mlp&hidden=12&heads=1&form=label&weigh=em&adapt=both&dist=update&hrho=0.05&few=2&most=5&plain=0&spare=2&rho=0.7&algos=hcfl"),
    digits("C=8&n=240&K=2&net=softmax&form=label&weigh=em&adapt=split&dist=anchor&look=5&hrho=0.02&few=3&most=5&plain=0&rho=0.7&drop=0.2&algos=hcfl"),
    lines("C=9&K=3&form=label&weigh=near&adapt=remove&spare=2&rho=0.5&algos=hcfl"),
    digits("K=2&net=softmax&concept=swaps&guests=200&form=label&weigh=loss&adapt=split&dist=update&hrho=0.1&few=2&most=4&plain=1&avg=model&tau=1&lr=0.2&algos=hcfl"),
]


def two_sides(d):
    """Two groups by complete linkage; the closest merge first, of several pairs the first. Side 0 has the first client."""
    groups = [[i] for i in range(len(d))]
    while len(groups) > 2:
        _, a, b = min((d[np.ix_(groups[a], groups[b])].max(), a, b) for b in range(len(groups)) for a in range(b))
        groups[a] = sorted(groups[a] + groups.pop(b))
    return np.array([0 if i in groups[0] else 1 for i in range(len(d))])


class Reference(fedem.Reference):
    def start(self):
        s = self.settings
        self.form, self.weighing, self.adapt = s["form"], s["weigh"], s["adapt"]
        self.hard = self.weighing in ("loss", "near", "labels", "member")
        self.dist = s.get("dist", "any")
        if self.adapt == "merge":
            self.dist = s["alike"]
        self.by_features = self.adapt in ("split", "both", "merge") and self.dist in ("any", "concept")
        self.by_pulls = self.adapt in ("split", "both", "merge") and self.dist == "anchor"
        self.alone = self.adapt == "merge" and self.weighing == "member"
        self.groups, self.slot = {}, {}  # clients, and the model, of each cluster by its lowest client
        self.features = {}  # of clients, as last sent
        self.psi, self.anchor = {}, self.theta[0].copy()
        self.seen = set()
        self.mu = float(s.get("mu", 0))
        self.alive = list(range(1 if self.weighing == "member" else int(s["K"])))
        self.omega = np.zeros((self.clients, self.K))
        self.omega[:, self.alive] = 1 / len(self.alive)
        self.known = self.omega.copy()
        self.far = {}  # distances of clients that answered together, as last measured
        self.last = {}  # weigh=near: where the clients last arrived, before the centres begin
        self.firsts = {}  # and what they sent
        self.begun = self.weighing != "near"
        self.placed = []  # clients that were put into clusters by them
        self.sorts = {}  # weigh=labels: shares of the classes, as they were sent
        if self.weighing not in SEARCHING:
            self.theta[:] = self.theta[0]
            self.known = self.one_hot(self.label)
        self.samples = {}  # weights of a client's samples
        self.classes = self.model.classes if self.form == "ratio" else 0
        self.share, self.masses = np.full((self.K, max(self.classes, 1)), 1 / max(self.classes, 1)), {}
        if self.form == "joint":
            fedgmm.Reference.first(self)
            self.pairs = np.full((self.clients, self.m1, self.K), 1 / self.m1)  # of Gaussians in each model
        if self.on("heads"):
            self.trunk = np.ones(self.size, bool)
            self.trunk[self.model.head] = False
        else:
            self.trunk = np.zeros(self.size, bool)
        self.theta[:, self.trunk] = self.theta[0, self.trunk]

    # traffic: the trunk once, and a head for each cluster

    def send(self, c, k):
        if k not in self.on_device[c]:
            self.on_device[c].add(k)
            self.down += (~self.trunk).sum() + (self.trunk.sum() if len(self.on_device[c]) == 1 else 0)

    # tiers 1 and 2

    def log_likelihood(self, x, y):
        """Of samples under each model in use: samples × models; the others have none."""
        log = np.full((len(y), self.K), -np.inf)
        for k in self.alive:
            log[:, k] = -self.model.losses(self.theta[k], x, y)
            if self.classes:
                log[:, k] -= np.log(self.share[k, y.astype(int)])
            if self.form == "joint":
                log[:, k] += logsumexp(self.density.log(self.see(x)) + np.log(np.maximum(self.mine[:, k], TINY)), axis=1)
        return log

    def fit(self, c, x, gamma):
        """form=joint: the Gaussians' shares of each model, and the Gaussians, by samples that weigh gamma."""
        z = self.see(x)
        log = self.density.log(z)[:, :, None] + np.log(np.maximum(self.mine, TINY))
        parts = soft(log.transpose(0, 2, 1)).transpose(0, 2, 1) * gamma[:, None]  # samples × Gaussians × models
        total, mine = parts.sum(axis=(0, 1)), self.mine.copy()
        has = total > 1e-12
        mine[:, has] = parts.sum(axis=0)[:, has] / total[has]
        self.pairs[c] = mine
        self.fitted[c] = self.fit_density(z, parts.sum(axis=2))

    def log_prior(self, omega):
        return np.where(np.isin(np.arange(self.K), self.alive), np.log(np.maximum(omega, TINY)), -np.inf)

    def gamma(self, omega, x, y):
        return soft(self.log_prior(omega) + self.log_likelihood(x, y))

    def one_hot(self, k):
        return np.eye(self.K)[k]

    def weigh(self, c):
        """A client's weights, and those of the samples it trains on."""
        if self.hard:
            omega = self.one_hot(self.choose(c))
            x, y = self.evidence(c)
            self.weighed(c, x, y, np.tile(omega, (len(y), 1)))
            return omega, lambda x, y, n: np.tile(omega, (len(y), 1))
        x, y = self.evidence(c)
        log, prior = self.log_likelihood(x, y), self.omega[c].copy()
        if self.weighing == "count":
            gamma = self.one_hot(log.argmax(axis=1))
            self.weighed(c, x, y, gamma)
            omega = gamma.mean(axis=0)
            return omega, lambda x, y, n: self.one_hot(self.log_likelihood(x, y).argmax(axis=1)) if n is None else gamma[n]
        if self.weighing == "sample" and self.tau and self.run.finite:
            own = self.samples.get(c, np.tile(prior, (len(y), 1)))
            gamma = soft(self.log_prior(own) + log)
            omega = soft(self.log_prior(prior) + log).mean(axis=0)
            self.samples[c] = self.mu * gamma + (1 - self.mu) * omega
            self.weighed(c, x, y, gamma)
            return omega, lambda x, y, n: gamma[n]
        gamma = soft(self.log_prior(prior) + log)
        self.weighed(c, x, y, gamma)
        return gamma.mean(axis=0), lambda x, y, n: self.gamma(prior, x, y) if n is None else gamma[n]

    def near(self, updates):
        """As FeSEM: clients belong to the model nearest to where they arrived; where models begin k-means finds."""
        h = ~self.trunk
        arrived = {c: self.theta[self.label[c], h] - self.step_size * u[self.label[c]] for c, u in updates.items()}
        if not self.begun:
            self.last.update(arrived)
            self.firsts.update(updates)
        if self.begun:
            for c, w in arrived.items():
                self.label[c] = min(self.alive, key=lambda k: (((w - self.theta[k, h]) ** 2).sum(), k))
        elif len(self.last) >= len(self.alive):
            self.begun, arrived = True, self.last
            updates = self.firsts
            of = sorted(self.last)
            found = kmeans(np.array([self.last[c] for c in of]), len(self.alive), self.stream(Stream.CLUSTERING, self.t))[0]
            self.label[of] = as_they_appear(found)
        else:
            return
        self.move_trunk(updates)
        for k in self.alive:
            of = [c for c in arrived if self.label[c] == k]
            if of:
                w = np.array([self.count(c) for c in of])
                self.theta[k, h] = w @ np.array([arrived[c] for c in of]) / w.sum()
        for c in arrived:
            self.known[c] = self.one_hot(self.label[c])

    def sort(self):
        """Newcomers tell which labels they have; at first k-means finds clusters, later the nearest takes them."""
        new = [c for c in self.here if c not in self.sorts]
        if not new:
            return
        for c in new:
            y = self.evidence(c)[1]
            self.receive(c, self.model.classes)
            if c in self.heard:
                self.sorts[c] = self.cut(np.bincount(y.astype(int), minlength=self.model.classes) / len(y))
        new = [c for c in new if c in self.sorts]
        points = lambda of: np.array([self.sorts[c] for c in of])
        if self.placed and new:
            used = [k for k in self.alive if any(self.label[c] == k for c in self.placed)]
            middles = np.array([points([c for c in self.placed if self.label[c] == k]).mean(axis=0) for k in used])
            self.label[new] = np.array(used)[nearest(points(new), middles)[0]]
        elif not self.placed and len(self.sorts) >= len(self.alive):
            new = sorted(self.sorts)
            self.label[new] = as_they_appear(kmeans(points(new), len(self.alive), self.stream(Stream.CLUSTERING, self.t))[0])
        self.placed += new if self.placed or len(self.sorts) >= len(self.alive) else []
        for c in new:
            self.known[c] = self.one_hot(self.label[c])

    def choose(self, c):
        if self.weighing == "loss":
            return self.log_likelihood(*self.evidence(c)).sum(axis=0).argmax()
        return self.label[c]

    def weighed(self, c, x, y, gamma):
        if self.form == "joint":
            self.fit(c, x, gamma)
        if c in self.heard and self.classes:
            self.new[c] = self.cut(np.array([gamma[y == k].sum(axis=0) for k in range(self.classes)]).T)

    # the round

    def local(self, c, omega, weights):
        """What a client sends of each model that it trains."""
        trained = [k for k in self.alive if omega[k] > 0]
        if not self.trunk.any():
            return {k: self.update(self.theta[k], c, gradient=lambda th, x, y, n: self.model.gradient(
                th, x, y, weights(x, y, n)[:, k])) for k in trained}
        h, out = ~self.trunk, {}
        if not self.tau:
            x, y = self.minibatch(c)
            g = {k: self.model.gradient(self.theta[k], x, y, weights(x, y, None)[:, k]) for k in trained}
            out = {k: g[k][h] for k in trained}
            out["trunk"] = sum(g[k][self.trunk] for k in trained)
            return self.held_back(out, c)
        models = {k: self.theta[k].copy() for k in trained}
        trunk = self.theta[0, self.trunk].copy()
        optimisers = {k: Optimiser(self.settings.get("opt", "sgd"), self.lr) for k in [*trained, "trunk"]}
        gradients = lambda x, y, n: {k: self.model.gradient(models[k], x, y, weights(x, y, n)[:, k]) for k in trained}
        first = self.settings.get("train") == "heads"
        for parts in [["heads"], ["trunk"]] if first else [["heads", "trunk"]]:
            for x, y, n in self.run.steps(self.t, c, self.tau):
                step = gradients(x, y, n)
                if "heads" in parts:
                    for k, g in step.items():
                        models[k][h] = optimisers[k].step(models[k][h], g[h])
                if "trunk" in parts:
                    trunk = optimisers["trunk"].step(trunk, sum(g[self.trunk] for g in step.values()))
                    for k in trained:
                        models[k][self.trunk] = trunk
        out = {k: self.theta[k, h] - models[k][h] for k in trained}
        out["trunk"] = self.theta[0, self.trunk] - trunk
        return self.held_back(out, c)

    def held_back(self, out, c):
        """The update of the trunk, and then that of each head, as they are sent."""
        trunk = self.sent(out.pop("trunk"), c)
        return {k: self.sent(u, c) for k, u in out.items()} | {"trunk": trunk}

    def round(self, t):
        self.new, updates, omegas = {}, {}, {}
        self.described, self.fitted = {}, {}
        if self.weighing == "labels":
            self.sort()
            if not self.placed:
                return
        if self.by_pulls:
            self.pull()
        if self.alone:
            self.gather()
        if self.form == "joint" and self.density is None:
            self.ask_first()
            if self.density is None:
                return
        told = set(self.here)
        if self.by_pulls:
            told &= set(self.psi)
        if self.weighing == "labels":
            told &= set(self.sorts)
        for c in self.here:
            if self.weighing not in SEARCHING and c not in told:
                continue  # it dropped out before
            for k in (self.alive if self.weighing in SEARCHING else [self.label[c]]):
                self.send(c, k)
            if self.classes and self.masses and self.weighing in SEARCHING:
                self.tell(c, len(self.alive) * self.classes)
            if self.form == "joint":
                self.mine = self.pairs[c].copy()
                self.tell(c, 2 * self.m1 * self.dims)
                self.receive(c, self.m1 * (1 + 2 * self.dims))
            omega, weights = self.weigh(c)
            if self.by_features:
                self.described[c] = self.describe(c)
            u = self.local(c, omega, weights)
            self.receive(c, sum(len(v) for v in u.values()))
            if self.classes or self.by_features:
                self.receive(c, (len(self.alive) if self.weighing in SEARCHING else 1) * self.model.classes)
            if (self.counts_by == "weight" or self.adapt != "fixed") and not self.hard:
                self.receive(c, len(self.alive))
            omegas[c] = omega
            if c in self.heard:
                updates[c] = u
        for c, omega in omegas.items():
            self.omega[c] = omega
            if c in self.heard and self.weighing not in ("near", "labels", "member"):
                self.known[c] = self.cut(omega)
                self.label[c] = self.known[c].argmax()
        self.masses.update(self.new)
        self.before = self.theta.copy()
        if self.weighing == "near":
            self.near(updates)
            if not self.begun:
                return
        else:
            self.aggregate(updates)
        if self.classes:
            self.tabulate()
        if self.form == "joint":
            self.settle()
        self.edit(updates)

    def tabulate(self):
        """The shares of the classes in each model."""
        if self.masses:
            total = np.maximum(sum(self.masses[c] for c in sorted(self.masses)), 1e-8)
            self.share = total / total.sum(axis=1, keepdims=True)

    # tiers 3 and 4

    def describe(self, c):
        """What a client sends for others to be told from it, P_i: mean features of each class that it has, and of all
        samples."""
        x, y = self.evidence(c)
        model = self.alive[0] if self.weighing in SEARCHING else self.label[c]  # features of one model, for all to compare
        z = self.model.features(self.theta[model], x)
        out = {k: z[y == k].mean(axis=0) for k in range(self.model.classes) if (y == k).any()}
        out["all"] = z.mean(axis=0)
        self.receive(c, sum(len(v) for v in out.values()))
        return {k: self.cut(v) for k, v in out.items()}, {k: (y == k).sum() for k in range(self.model.classes)}

    def apart(self, a, b):
        """(9), (10): the largest cosine distance of what both have, ASCP or CSCP."""
        return max([0.0] + [1 - cosine(a[k], b[k]) for k in a if k in b and (k != "all" or self.dist == "any")])

    def measure(self, updates):
        """Distances of those that were heard in this round; updates of different models are not compared."""
        for i in self.heard:
            for j in self.heard:
                if i >= j:
                    continue
                if self.dist == "update":
                    if self.label[i] == self.label[j]:
                        k = self.label[i]
                        self.far[i, j] = 1 - cosine(updates[i][k], updates[j][k])
                elif self.dist == "anchor":
                    self.far[i, j] = 1 - cosine(self.psi[i], self.psi[j])
                else:
                    self.far[i, j] = self.apart(self.described[i][0], self.described[j][0])

    def pull(self):
        """Clients that come for the first time train the first model for some steps on all of their samples."""
        new = [c for c in self.here if c not in self.psi]
        for c in new:
            self.tell(c, self.size)
            self.receive(c, self.size)
            if c in self.heard:
                w = self.anchor
                for _ in range(int(self.settings["look"])):
                    w = w - self.lr * self.model.gradient(w, *self.run.everything(self.t, c))
                self.psi[c] = self.cut(self.anchor - w)
        if new:
            self.ask()

    def members(self, k):
        return [c for c in sorted(self.seen) if self.label[c] == k]

    def distances(self, k):
        of = self.members(k)
        d = np.array([[0.0 if i == j else self.far.get((min(i, j), max(i, j)), 0.0) for j in of] for i in of])
        if not self.on("plain"):
            w = self.known[of, k]
            d = d * np.outer(w, w)
        return d

    def edit(self, updates):
        self.seen |= set(self.heard)
        self.features.update({c: f for c, f in self.described.items() if c in self.heard})  # and how many samples of each class
        if self.adapt == "merge" and self.weighing != "member" and self.t >= int(self.settings["after"]):
            before = self.alive.copy()
            self.merge()
            self.halves = {}
            if self.alive != before:
                self.relabel()
            if self.classes:
                self.tabulate()
        if self.adapt not in ("split", "remove", "both"):
            return
        self.halves, before = {}, self.alive.copy()
        empty = [k for k in self.alive if not self.members(k)]
        if self.adapt in ("split", "both"):
            self.measure(updates)
            worst = {k: self.distances(k) for k in self.alive if len(self.members(k)) >= int(self.settings["few"])}
            if worst:
                k = max(worst, key=lambda k: (worst[k].max(), -k))
                d = worst[k]
                if d.max() - d.mean() > self.number_of("hrho") and len(self.alive) < self.K:
                    self.split(k, d, updates)
        if self.adapt in ("remove", "both") and self.t >= int(self.settings["spare"]):
            for k in empty if len(empty) < len(self.alive) else empty[:-1]:
                self.remove(k)
        if self.alive != before:
            self.relabel()
        if self.classes:
            self.tabulate()

    def likeness(self, a, b):
        """Of two clusters: the cosine between the mean pulls of their members, or what the distance of their mean features
        leaves of 1."""
        if self.by_features:
            means = []
            for k in (a, b):
                of = [c for c in self.members(k) if c in self.features]
                of = [(f, n | {"all": self.run.weight[c]}) for c in of for f, n in [self.features[c]]]
                means.append({y: sum(n[y] * f[y] for f, n in of if y in f) for y in set().union(*(f for f, _ in of))})
            return 1 - self.apart(*means)
        return cosine(*(np.mean([self.psi[c] for c in self.members(k) if c in self.psi], axis=0) for k in (a, b)))

    def merge(self):
        """The most alike clusters merge first, into the larger one."""
        described = self.features if self.by_features else self.psi
        active = [k for k in self.alive if any(c in described for c in self.members(k))]
        pairs = sorted((-self.likeness(a, b), a, b) for a in active for b in active if a < b)
        size, into = {k: len(self.members(k)) for k in active}, {k: k for k in active}
        for away, a, b in pairs:
            if -away < self.number_of("like"):
                break
            a, b = sorted((into[a], into[b]))
            if a != b:
                self.join(a, b, size, into)

    def gather(self):
        """As StoCFL without its common model: every client begins as a cluster; the most alike of those that somebody
        of the round is in merge, and more of all if there are more clusters than models."""
        for c in self.here:
            if c in self.psi and not any(c in of for of in self.groups.values()):
                self.groups[c], self.slot[c] = [c], None

        def ranked(clusters):
            mean = {a: np.mean([self.psi[c] for c in self.groups[a]], axis=0) for a in clusters}
            return sorted((-cosine(mean[a], mean[b]), a, b) for a in clusters for b in clusters if a < b)

        def unite(a, b):
            a, b = sorted(next(r for r, of in self.groups.items() if c in of) for c in (a, b))
            if a != b:
                larger = len(self.groups[b]) > len(self.groups[a]) and self.slot[b] is not None or self.slot[a] is None
                self.slot[a] = self.slot[b if larger else a]
                self.groups[a] += self.groups.pop(b)
                del self.slot[b]

        for away, a, b in ranked(sorted(r for r, of in self.groups.items() if set(of) & set(self.here))):
            if -away >= self.number_of("like"):
                unite(a, b)
        if len(self.groups) > self.K:
            for _, a, b in ranked(sorted(self.groups)):
                unite(a, b)
                if len(self.groups) <= self.K:
                    break
        for r in sorted(self.groups):
            if self.slot[r] is None:
                self.slot[r] = next(k for k in range(self.K) if k not in self.slot.values())
                self.theta[self.slot[r]] = self.anchor
            self.label[self.groups[r]] = self.slot[r]
        self.alive = sorted(self.slot.values()) or [0]
        self.label[~np.isin(self.label, self.alive)] = self.alive[0]
        self.known = self.one_hot(self.label)

    def join(self, a, b, size, into):
        if size[b] > size[a]:
            a, b = b, a
        size[a] += size[b]
        for k, v in into.items():
            into[k] = a if v == b else v
        self.alive.remove(b)
        if self.form == "joint":
            w, both = self.omega[:, None], np.maximum(self.omega[:, a] + self.omega[:, b], TINY)[:, None]
            self.pairs[..., a] = (w[..., a] * self.pairs[..., a] + w[..., b] * self.pairs[..., b]) / both
        for w in (self.omega, self.known, *self.samples.values()):
            w[..., a] += w[..., b]
            w[..., b] = 0
        for m in self.masses.values():
            m[a] += m[b]
            m[b] = 0
        self.label[self.label == b] = a

    def split(self, k, d, updates):
        of, new = np.array(self.members(k)), min(set(range(self.K)) - set(self.alive))
        side = two_sides(d)
        if not all(any(c in updates for c in of[side == s]) for s in (0, 1)):
            return  # one of the two would have nobody to follow
        before, h = self.before[k], ~self.trunk
        for slot, s in ((k, 0), (new, 1)):
            those = {c: updates[c][k] for c in of[side == s] if c in updates}
            self.theta[slot, h] = self.mean(before[h], those, lambda c: self.count_for(c, k, self.known[c]))
        self.theta[new, self.trunk] = self.theta[k, self.trunk]
        self.alive = sorted([*self.alive, new])
        for w in (self.omega, self.known, *self.samples.values()):
            w[..., new] = w[..., k] = w[..., k] / 2
        for m in self.masses.values():
            m[new] = m[k]
        if self.form == "joint":
            self.pairs[..., new] = self.pairs[..., k]
        self.halves = {c: (new, k) if s else (k, new) for c, s in zip(of, side)}

    def relabel(self):
        """After edits every client belongs to the cluster that weighs most, the first on ties; where these are the halves of
        one that was split, to the side it was put on."""
        for c in range(self.clients):
            w = self.known[c].copy()
            if c in self.halves:
                w[self.halves[c][1]] = -1
            self.label[c] = w.argmax()
            if self.weighing not in SEARCHING:
                self.known[c] = self.one_hot(self.label[c])

    def remove(self, k):
        self.alive.remove(k)
        for w in (self.omega, self.known, *self.samples.values()):
            w[..., k] = 0
            total = w.sum(axis=-1, keepdims=True)
            w /= np.where(total > 0, total, 1)
        for m in self.masses.values():
            m[k] = 0

    def aggregate(self, updates):
        h = ~self.trunk
        for k in self.alive:
            self.theta[k, h] = self.mean(self.theta[k, h], {c: u[k] for c, u in updates.items() if k in u},
                                         lambda c: self.count_for(c, k, self.known[c]))
        self.move_trunk(updates)

    def move_trunk(self, updates):
        if self.trunk.any():
            self.theta[:, self.trunk] = self.mean(self.theta[0, self.trunk], {c: u["trunk"] for c, u in updates.items()},
                                                 self.count if self.counts_by == "clients" else lambda c: self.run.weight[c])

    def mean(self, theta, updates, count):
        of = list(updates)
        w = np.array([count(c) for c in of])
        if not of or w.sum() == 0:
            return theta
        return theta - self.step_size * (w @ np.array([updates[c] for c in of])) / w.sum()

    # evaluation

    def fresh(self):
        return np.isin(np.arange(self.K), self.alive) / len(self.alive)

    def guest(self, i):
        if self.hard:
            return Method.guest(self, i)
        if self.weighing == "count":
            omega = self.one_hot(self.log_likelihood(*self.run.guests["choose"][i]).argmax(axis=1)).mean(axis=0)
            return self.mixed(omega, *self.run.guests["test"][i])
        return super().guest(i)

    def weights(self):
        return self.known.copy()

    def client_loss(self, c):
        if self.hard:
            return Method.client_loss(self, c)
        return fedgmm.Reference.client_loss(self, c) if self.form == "joint" else super().client_loss(c)

    def client_accuracy(self, c):
        if self.hard:
            return Method.client_accuracy(self, c)
        if self.form == "joint":
            return fedgmm.Reference.client_accuracy(self, c)
        return super().client_accuracy(c)

    # form=joint: as in FedGMM

    see, ask_first, fit_density, settle, shares = (fedgmm.Reference.__dict__[f] for f in ("see", "ask_first", "fit_density", "settle", "shares"))
    mixed_pairs = fedgmm.Reference.mixed_pairs

    def pair_weights(self, c):
        return self.pairs[c] * self.omega[c]
