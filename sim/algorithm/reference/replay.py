"""What the references of all methods share: exported runs, models, local training, means, traffic.

A reference is a class that plays one lane of a run anew, in float64, from what `flock export -rounds`
holds of it: the samples, the draws, the start models, and who takes part. It is written from the
papers and from the descriptions of the settings, never from the program. This file follows README.txt
of the export, and sim/algorithm/METHODS.md for what counts as traffic.

A method is a subclass of Method:

    class Reference(Method):
        def start(self): ...            # state; self.label as it is before the first round
        def round(self, t): ...         # t from 0; sets self.theta and self.label

with self.here, the clients that take part in the round, and self.heard, those of them that do not drop
out. It says what is sent by self.send (a model, once per round and client), self.tell and self.receive
(other numbers, up and down); lost clients receive, and send nothing.
"""
import itertools
import json

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.optimize import linear_sum_assignment
from scipy.special import expit, logsumexp, ndtri

MASK = 2 ** 64 - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


class Stream:
    """A stream of random numbers; see README.txt of an export."""

    LABELS, CLUSTERING, COORDINATES, SENDING, ON_DEVICE, SEEING = 3, 4, 6, 9, 10, 12
    REBALANCING = 14

    def __init__(self, seed, purpose, a, b=0):
        self.state = mix(mix(mix(mix(seed ^ 0x9E3779B97F4A7C15) ^ purpose) ^ a) ^ b)

    def word(self):
        w, self.state = mix(self.state), (self.state + 0x9E3779B97F4A7C15) & MASK
        return w

    def uniform(self):
        return (self.word() >> 11) / 2 ** 53

    def below(self, n):
        return self.word() * n >> 64

    def normal(self, n):
        return ndtri((np.array([self.word() >> 12 for _ in range(n)]) + 0.5) / 2 ** 52)

    def shuffled(self, n, first=None):
        """The first numbers of a shuffle of 0 … n − 1."""
        a = list(range(n))
        for j in range(n if first is None else first):
            k = j + self.below(n - j)
            a[j], a[k] = a[k], a[j]
        return np.array(a[: n if first is None else first], int)


# ---- models: vectors of parameters, losses and gradients ---------------------------------------


class Linear:
    """y = w·x (+ offset, the last parameter) under the squared error."""

    classes = 0

    def __init__(self, inputs, size):
        self.inputs, self.size, self.offset = inputs, size, size > inputs
        self.head = slice(0, size)  # all of a model of one layer

    def output(self, theta, x):
        return x @ theta[: self.inputs] + (theta[self.inputs] if self.offset else 0)

    def losses(self, theta, x, y):
        return (self.output(theta, x) - y) ** 2

    def loss(self, theta, x, y):
        return self.losses(theta, x, y).mean()

    def gradient(self, theta, x, y, weights=None):
        """Of the mean loss, or of Σ weights·losses / n."""
        e = 2 * (self.output(theta, x) - y) / len(y)
        if weights is not None:
            e = e * weights
        return np.append(e @ x, e.sum()) if self.offset else e @ x

    def features(self, theta, x):
        return x

    def line(self, theta):
        """The slopes, and the offset where there is one."""
        return theta


class Factored(Linear):
    """y = w·Bx: a trunk B, inputs × directions, and a head w, under the squared error."""

    def __init__(self, parts, inputs):
        self.inputs, self.size, self.offset = inputs, parts[-1]["high"], False
        self.head = slice(parts[-1]["low"], self.size)

    def features(self, theta, x):
        return x @ theta[: self.head.start].reshape(self.inputs, -1)

    def line(self, theta):
        return self.features(theta, np.eye(self.inputs)) @ theta[self.head]

    def output(self, theta, x):
        return x @ self.line(theta)

    def gradient(self, theta, x, y, weights=None):
        e = 2 * (self.output(theta, x) - y) / len(y)
        if weights is not None:
            e = e * weights
        return np.append(np.outer(e @ x, theta[self.head]), e @ self.features(theta, x))


class Network:
    """Dense layers with ReLU between them, softmax and cross-entropy."""

    def __init__(self, parts, inputs):
        self.layers = []  # (low, high of weights, high of biases, inputs, outputs)
        for w, b in zip(parts[::2], parts[1::2]):
            assert w["name"].endswith(".weight") and b["name"].endswith(".bias") and w["high"] == b["low"], parts
            outputs = b["high"] - b["low"]
            assert (w["high"] - w["low"]) == inputs * outputs, "not a dense layer: " + w["name"]
            self.layers.append((w["low"], w["high"], b["high"], inputs, outputs))
            inputs = outputs
        self.inputs, self.classes, self.size = self.layers[0][3], inputs, self.layers[-1][2]
        self.head = slice(self.layers[-1][0], self.size)

    def forward(self, theta, x):
        """Inputs of every layer, and the scores."""
        seen = []
        for n, (low, mid, high, inputs, outputs) in enumerate(self.layers):
            if n:
                x = np.maximum(x, 0)
            seen.append(x)
            x = x @ theta[low:mid].reshape(inputs, outputs) + theta[mid:high]
        return seen, x

    def features(self, theta, x):
        """What the last layer is given."""
        return self.forward(theta, x)[0][-1]

    def scores(self, theta, x):
        return self.forward(theta, x)[1]

    def logs(self, theta, x):
        s = self.scores(theta, x)
        return s - logsumexp(s, axis=1, keepdims=True)

    def losses(self, theta, x, y):
        return -self.logs(theta, x)[np.arange(len(y)), y.astype(int)]

    def loss(self, theta, x, y):
        return self.losses(theta, x, y).mean()

    def right(self, theta, x, y):
        return (self.scores(theta, x).argmax(axis=1) == y).sum()

    def gradient(self, theta, x, y, weights=None, of_features=None):
        """Of the mean loss, or of Σ weights·losses / n; of_features(features, y), if there is one, returns
        what a further loss of the features adds to the gradient by them."""
        seen, s = self.forward(theta, x)
        e = np.exp(s - logsumexp(s, axis=1, keepdims=True))
        e[np.arange(len(y)), y.astype(int)] -= 1
        e /= len(y)
        if weights is not None:
            e *= weights[:, None]
        out = np.empty(self.size)
        for n in range(len(self.layers) - 1, -1, -1):
            low, mid, high, inputs, outputs = self.layers[n]
            out[low:mid], out[mid:high] = (seen[n].T @ e).ravel(), e.sum(axis=0)
            if n:
                e = e @ theta[low:mid].reshape(inputs, outputs).T
                if of_features is not None and n == len(self.layers) - 1:
                    e = e + of_features(seen[n], y)
                e = e * (seen[n] > 0)
        return out


class Autoencoder(Network):
    """Dense layers with ReLU between them and a sigmoid at the end, under the mean squared error of a sample's copy. The
    decoder, which begins behind the narrowest layer, is the head."""

    def __init__(self, parts, inputs):
        super().__init__(parts, inputs)
        self.classes = 0
        first = 1 + int(np.argmin([layer[4] for layer in self.layers[:-1]]))
        self.head = slice(self.layers[first][0], self.size)

    def losses(self, theta, x, y=None):
        return ((expit(self.scores(theta, x)) - x) ** 2).mean(axis=1)

    def gradient(self, theta, x, y, weights=None):
        seen, s = self.forward(theta, x)
        copy = expit(s)
        e = 2 * (copy - x) * copy * (1 - copy) / x.size
        if weights is not None:
            e = e * weights[:, None]
        out = np.empty(self.size)
        for n in range(len(self.layers) - 1, -1, -1):
            low, mid, high, inputs, outputs = self.layers[n]
            out[low:mid], out[mid:high] = (seen[n].T @ e).ravel(), e.sum(axis=0)
            if n:
                e = e @ theta[low:mid].reshape(inputs, outputs).T * (seen[n] > 0)
        return out


class Optimiser:
    """Steps of a client: "sgd", "momentum" or "adam"."""

    def __init__(self, kind, rate):
        self.kind, self.rate, self.steps, self.first, self.second = kind, rate, 0, 0.0, 0.0

    def step(self, theta, g):
        self.steps += 1
        if self.kind == "momentum":
            self.first = 0.9 * self.first + g
            return theta - self.rate * self.first
        if self.kind == "adam":
            self.first = 0.9 * self.first + 0.1 * g
            self.second = 0.999 * self.second + 0.001 * g * g
            m, v = self.first / (1 - 0.9 ** self.steps), self.second / (1 - 0.999 ** self.steps)
            return theta - self.rate * m / (np.sqrt(v) + 1e-8)
        return theta - self.rate * g


# ---- an exported run ----------------------------------------------------------------------------


class Run:
    def __init__(self, path):
        with np.load(path) as file:
            self.arrays = {name: file[name] for name in file.files}
        about = json.loads(bytes(self.arrays["run.json"]))
        self.query, self.clients, self.rounds, self.b = (about[k] for k in ("query", "clients", "rounds", "b"))
        self.settings, self.lanes = about["settings"], about["lanes"]
        self.name = dict(pair.split("=", 1) for pair in self.query.split("&")).get("data", "linreg")
        self.group, self.weight = self["group"], self["weight"].astype(float)
        self.finite = "train_x" in self.arrays
        size, parts = self.lanes[0]["parameters"], about.get("parameters")
        self.truth = []
        self.inputs = self["train_x"].shape[1] if self.finite else self["draw_x"].shape[3]
        if self.name == "linrep":
            self.model = Factored(parts, self.inputs)
        elif parts and self.settings.get("net", "linear") != "linear":
            kind = Autoencoder if self.settings["net"] == "autoencoder" else Network
            self.model = kind(parts, self.inputs)
        else:
            self.model = Linear(self.inputs, size)
        self.own = self.split("train") if self.finite else None
        self.held = self.split("test") if "test_x" in self.arrays else None
        self.guests = {p: self.split("guest_" + p) for p in ("choose", "test")} if "guest_test_x" in self.arrays else {}

    def __getitem__(self, name):
        return self.arrays[name]

    def split(self, part):
        of, x, y = self[part + "_client"], self[part + "_x"].astype(float), self[part + "_y"].astype(float)
        return [(x[of == c], y[of == c]) for c in range(of.max() + 1)]

    def holds(self, c):
        return len(self.own[c][1]) if self.finite else self.b

    def those(self, c, which):
        which = which[which >= 0]
        return self.own[c][0][which], self.own[c][1][which]

    def drawn(self, t, c, n):
        """The first n samples that client c draws in round t."""
        if self.finite:
            return self.those(c, self["draw"][t, c, :n])
        return self["draw_x"][t, c, :n].astype(float), self["draw_y"][t, c, :n].astype(float)

    def minibatch(self, t, c):
        return self.drawn(t, c, self.b)

    def everything(self, t, c):
        """All training samples of a client, or the minibatch where these are endless."""
        return self.own[c] if self.finite else self.minibatch(t, c)

    def steps(self, t, c, epochs):
        """The minibatches of local training: samples, and their numbers (None where these are endless)."""
        for e in range(epochs):
            if not self.finite:
                yield self["epoch_x"][t, c, e].astype(float), self["epoch_y"][t, c, e].astype(float), None
                continue
            order = self["order"][t, c, e]
            order = order[order >= 0]
            for low in range(0, len(order), self.b):
                yield *self.those(c, order[low : low + self.b]), order[low : low + self.b]

    def extra(self, t, c):
        """Further minibatches of a client, one after the other, from its own stream of the round."""
        if self.finite:
            stream, n = Stream(int(self.settings["sd"]), Stream.ON_DEVICE, t + 1, c), self.holds(c)
            while True:
                yield self.those(c, stream.shuffled(n, min(self.b, n)))
        yield from zip(self["extra_x"][t, c].astype(float), self["extra_y"][t, c].astype(float))

    def tried(self, rounds):
        """Whether models are tried after so many rounds."""
        if self.held is None:
            return True
        return rounds % int(self.settings["every"]) == 0 or rounds == self.rounds

    def risk(self, theta, c):
        """The loss of a model that is shown for client c: the expected one where it is known in closed form, else on
        the samples it holds back."""
        if self.held is None:
            return self.expected(self.model.line(theta), c)
        return self.model.loss(theta, *self.held[c])

    def expected(self, theta, c):
        """The loss of slopes, and an offset, on fresh samples of client c. linreg: x is uniform on (0, cos φ), y = x·tan φ +
        noise. Others: x is standard normal, y = w·x; without noise its samples show w. A client of mix2's third
        group has the first group's w for some samples, else the second's."""
        if self.name == "linreg":
            groups, gap = int(self.settings["D"]), float(self.settings["dphi"])
            phi = np.radians(((groups - 1) / 2 - self.group[c]) * gap)
            width, slope = np.cos(phi), np.tan(phi) - theta[0]
            return slope ** 2 * width ** 2 / 3 - slope * theta[1] * width + theta[1] ** 2 + float(self.settings["sigma"]) ** 2
        if self.name not in ("linrep", "mix2", "pairs8") or float(self.settings["sigma"]):
            raise NotImplementedError("the expected loss of data=" + self.name)
        errors = [((theta - w) ** 2).sum() for w in self.planted()]
        if self.name == "mix2" and self.group[c] == 2:
            blend = float(self.settings["blend"])
            return blend * errors[0] + (1 - blend) * errors[1]
        return errors[self.group[c]]

    def planted(self):
        """The weights of each group, from samples without noise."""
        if not self.truth:
            x, y = self["draw_x"].astype(float), self["draw_y"].astype(float)
            groups = 2 if self.name == "mix2" else self.group.max() + 1
            of = [self.group == g for g in range(groups)]
            self.truth = [np.linalg.lstsq(x[:, g].reshape(-1, self.inputs), y[:, g].ravel(), rcond=None)[0] for g in of]
        return self.truth


# ---- methods ------------------------------------------------------------------------------------


class Method:
    """One lane, played anew. paper_mean is what a client counts in a mean by the method's paper."""

    paper_mean = "samples"

    def __init__(self, run, number):
        self.run, self.number, self.lane = run, number, run.lanes[number]
        self.settings = {**run.settings, **self.lane["settings"]}
        self.model, self.clients = run.model, run.clients
        self.theta = run[f"lane{number}.start"].astype(float)
        self.K, self.size = self.theta.shape
        self.tau, self.lr, self.probe_size = self.lane["tau"], self.lane["lr"], self.lane["probe"]
        self.seed, self.data_seed = int(run.settings["sa"]), int(run.settings["sd"])
        self.label = np.zeros(self.clients, int)
        self.down = self.up = 0
        self.optimisers = {}  # of clients that keep them
        rule = self.settings.get("mean", "paper")
        self.counts_by = self.paper_mean if rule == "paper" else rule
        self.start()

    def start(self):
        pass

    # settings

    def on(self, name):
        return self.settings[name] == "1"

    def number_of(self, name):
        return float(self.settings[name])

    def stream(self, purpose, a, b=0):
        return Stream(self.seed, purpose, a, b)

    # traffic

    def worked(self, theta, c):
        """Client c trains from theta and drops out before it replies: its optimiser remembers the steps."""
        if self.settings.get("keep") == "kept":
            self.raw_update(theta, c, kept=True)

    def begin(self, t):
        here, lost = self.run["here"][t], self.run["lost"][t]
        self.t, self.here = t, [c for c in range(self.clients) if here[c]]
        if float(self.settings.get("deadline", 0)) > 0:
            lost = self.run[f"lane{self.number}.state"][t] == 2
        self.lost = {c for c in self.here if lost[c]}
        self.heard = [c for c in self.here if c not in self.lost]
        self.on_device = {c: set() for c in self.here}
        self.exchange, self.made = 0, {}

    def ask(self):
        """A further exchange of the round begins: what a client sends in it gets noise of its own."""
        self.exchange, self.made = self.exchange + 1, {}

    def send(self, c, k):
        """Model k goes down to client c, unless it went there in this round already."""
        if k not in self.on_device[c]:
            self.on_device[c].add(k)
            self.down += self.size

    def tell(self, c, numbers):
        self.down += numbers

    def receive(self, c, numbers):
        if c not in self.lost:
            self.up += numbers

    # what clients do

    def minibatch(self, c):
        return self.run.minibatch(self.t, c)

    def probe(self, c):
        return self.run.drawn(self.t, c, self.probe_size)

    def evidence(self, c):
        """The samples by which a client weighs models: all where clients train, else the probe sample."""
        return self.run.everything(self.t, c) if self.tau else self.probe(c)

    def losses(self, c):
        """Of all models on the probe sample of client c."""
        return np.array([self.model.loss(m, *self.probe(c)) for m in self.theta])

    def train(self, theta, c, epochs=None, gradient=None, kept=False):
        """Where client c arrives from theta. gradient(theta, x, y, numbers) replaces that of the mean loss."""
        kind = self.settings.get("opt", "sgd")
        optimiser = Optimiser(kind, self.lr)
        if kept and self.settings.get("keep") == "kept":
            optimiser = self.optimisers.setdefault(c, optimiser)
        for x, y, numbers in self.run.steps(self.t, c, self.tau if epochs is None else epochs):
            g = gradient(theta, x, y, numbers) if gradient else self.model.gradient(theta, x, y)
            theta = optimiser.step(theta, g)
        return theta

    def raw_update(self, theta, c, gradient=None, whole=False, kept=False):
        """A gradient, or theta minus the trained copy."""
        if self.tau:
            return theta - self.train(theta, c, gradient=gradient, kept=kept)
        x, y = self.run.everything(self.t, c) if whole else self.minibatch(c)
        return gradient(theta, x, y, None) if gradient else self.model.gradient(theta, x, y)

    def sent(self, u, c):
        """An update as it is sent: clipped and noised (private), and with so many decimals (nd)."""
        number = self.made.get(c, 0)
        self.made[c] = number + 1
        if self.settings.get("private") == "noise":
            clip, gauss = self.number_of("clip"), self.number_of("gauss")
            u = u * min(1, clip / max(np.linalg.norm(u), 1e-300))
            if gauss:
                s = Stream(self.noise_seed(), Stream.SENDING, 65536 * (self.t + 1) + self.exchange, 65536 * c + number)
                u = u + gauss * clip * s.normal(len(u))
        return self.cut(u)

    def noise_seed(self):
        return self.seed

    def cut(self, u):
        """Numbers as they are sent, with so many decimals: rounded, or cut off (quant=trunc)."""
        digits = int(self.settings.get("nd", -1))
        if digits < 0:
            return u
        return np.trunc(u * 10.0**digits) / 10.0**digits if self.settings.get("quant") == "trunc" else np.round(u, digits)

    def sent_model(self, own, known, c):
        """A client's model as it is sent: by its difference from a model that the server knows, if anything is held back."""
        return known - self.sent(known - own, c)

    def update(self, theta, c, **how):
        return self.sent(self.raw_update(theta, c, **how), c)

    # what the server does

    @property
    def step_size(self):
        return 1.0 if self.tau else self.lr

    def count(self, c):
        """What client c counts in a mean."""
        return self.run.weight[c] if self.counts_by == "samples" else 1.0

    def train_known(self, known):
        """The clients of a round that are known train the models of their clusters, whose means move them."""
        updates = {}
        for c in self.here:
            if c not in known:
                continue
            self.send(c, self.label[c])
            self.receive(c, self.size)
            if c in self.heard:
                updates[c] = self.update(self.theta[self.label[c]], c, kept=True)
            else:
                self.worked(self.theta[self.label[c]], c)
        self.descend(updates)

    def rebalanced(self, clients, label):
        """Which model the update of each client moves (RR-Cluster, arXiv 2508.06183): clusters with fewer than B updates
        are filled with random clients of those with more."""
        label, clients = label.copy(), sorted(clients)
        most = int(self.settings.get("rr", 0)) if self.settings.get("private") == "noise" else 0
        if not most or not clients:
            return label
        size = lambda k: sum(label[c] == k for c in clients)
        clusters, stream = sorted({int(label[c]) for c in clients}), self.stream(Stream.REBALANCING, self.t, self.exchange + 1)
        least = min(most, len(clients) // len(clusters))
        for k in clusters:
            while size(k) < least:
                spare = [c for c in clients if size(label[c]) > least]
                label[spare[stream.below(len(spare))]] = k
        return label

    def descend(self, updates, label=None):
        """Every model follows the mean update of its clients; one without clients stays."""
        label = self.rebalanced(updates, self.label) if label is None else label
        for k in range(len(self.theta)):
            of = [c for c in updates if label[c] == k]
            if of:
                w = np.array([self.count(c) for c in of])
                self.theta[k] = self.theta[k] - self.step_size * (w @ np.array([updates[c] for c in of])) / w.sum()

    # evaluation

    def personal(self, c):
        """The model that client c uses."""
        return self.theta[self.label[c]]

    def client_loss(self, c):
        return self.run.risk(self.personal(c), c)

    def client_accuracy(self, c):
        x, y = self.run.held[c]
        return self.model.right(self.personal(c), x, y) / len(y)

    def weights(self):
        """Of the models, for each client, where it has several: clients × models."""
        return None

    def guest_score(self, theta, i):
        x, y = self.run.guests["test"][i]
        return self.model.right(theta, x, y) / len(y)

    def guest(self, i):
        """The share of right answers of test client i: with the model of least loss on its first samples, of those that
        some client uses."""
        used = sorted(set(self.label.tolist()))
        best = min(used, key=lambda k: self.model.loss(self.theta[k], *self.run.guests["choose"][i]))
        return self.guest_score(self.theta[best], i)

    def answer(self):
        """What is compared after a round."""
        played = self.t + 1
        out = {"label": self.label.tolist(), "models": self.theta.copy(), "down": self.down / self.clients,
               "up": self.up / self.clients, "loss": None, "accuracy": None, "val": None, "test": None,
               "mixture": self.weights()}
        if self.run.tried(played):
            out["loss"] = float(np.mean([self.client_loss(c) for c in range(self.clients)]))
            if self.model.classes:
                out["accuracy"] = [float(self.client_accuracy(c)) for c in range(self.clients)]
            if self.run.guests:
                n = np.array([len(y) for _, y in self.run.held])
                out["val"] = float(n @ out["accuracy"] / n.sum())
                out["test"] = float(np.mean([self.guest(i) for i in range(len(self.run.guests["test"]))]))
        return out

    def play(self):
        out = []
        for t in range(self.run.rounds):
            self.begin(t)
            self.round(t)
            out.append(self.answer())
        return out


# ---- runs ----------------------------------------------------------------------------------------

LINES = "data=linreg&dphi=30&sigma=0.2&C=7&D=3&b=8&probe=8&lr=0.1&T=12"
DIGITS = ("data=digits&n=150&C=5&shift=rotations&angles=0,90&split=unequal&ratio=6&test=share&share=0.7&every=2&exam=0"
          "&b=16&probe=16&lr=0.05&T=6")


def query(base, more):
    """A query with some settings in the place of the base's, or without it ("ratio=-")."""
    return "&".join(f"{k}={v}" for k, v in dict(p.split("=", 1) for p in f"{base}&{more}".split("&")).items() if v != "-")


def lines(more):
    """Lines through the origin in three groups, seven clients, fresh samples in every round."""
    return query(LINES, more)


def digits(more):
    """Digits, upright and turned, five clients that hold from 5 to 32 of them, two groups."""
    return query(DIGITS, more)


# ---- clustering that several methods share ------------------------------------------------------


def nearest(points, centres):
    d = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    return d.argmin(axis=1), d.min(axis=1)


def lloyd(points, centres, steps=300, tolerance=1e-4):
    """Lloyd's iteration by scikit-learn's rules: labels, centres, inertia. An empty centre moves to the point
    farthest from its own."""
    centres, label = centres.copy(), np.full(len(points), -1)
    stop = tolerance * points.var(axis=0).mean()
    for _ in range(steps):
        new, d = nearest(points, centres)
        if (new == label).all():
            break
        label, moved = new, centres.copy()
        belongs = label.copy()
        for k in range(len(centres)):
            if not (belongs == k).any() and d.max() > 0:
                far = d.argmax()
                d[far], belongs[far] = 0, k
        for k in range(len(centres)):
            if (belongs == k).any():
                moved[k] = points[belongs == k].mean(axis=0)
        empty = [k for k in range(len(centres)) if not (belongs == k).any()]
        for k in empty:
            moved[k] = moved[np.bincount(belongs, minlength=len(centres)).argmax()]
        change = ((moved - centres) ** 2).sum()
        centres = moved
        if change <= stop:
            break
    label, d = nearest(points, centres)
    return label, centres, d.sum()


def seeds(points, k, stream):
    """Greedy k-means++: numbers of points."""
    candidates = 2 + int(np.log(k))
    chosen = [stream.below(len(points))]
    draws = [stream.uniform() for _ in range((k - 1) * candidates)]
    d = ((points - points[chosen[0]]) ** 2).sum(axis=1)
    for j in range(1, k):
        tries = []
        for u in draws[(j - 1) * candidates : j * candidates]:
            at = min(int(np.searchsorted(np.cumsum(d), u * d.sum())), len(points) - 1)
            left = np.minimum(d, ((points - points[at]) ** 2).sum(axis=1))
            tries.append((left.sum(), len(tries), at, left))
        _, _, at, d = min(tries, key=lambda e: e[:2])
        chosen.append(at)
    return chosen


def kmeans(points, k, stream, starts=10):
    """Greedy k-means++ and Lloyd, the best of some starts."""
    best = None
    for _ in range(starts):
        result = lloyd(points, points[seeds(points, k, stream)])
        if best is None or result[2] < best[2]:
            best = result
        if best[2] == 0:
            break
    return best


def cosine(a, b):
    n = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / n) if n > 0 else 0.0


def matched(found, before, models):
    """The names of clusters that leave most clients where they are; of several ways the first in the order of
    permutations."""
    found, before = np.asarray(found), np.asarray(before)
    table = np.array([[(before[found == z] == k).sum() for k in range(models)] for z in range(models)])
    best = max(itertools.permutations(range(models)), key=lambda p: sum(table[z, k] for z, k in enumerate(p)))
    return np.array(best)[found]


def named(groups, label, models):
    """Names for groups of clients, so that the most keep the one in label (−1 for those who have none); of several ways
    the first in lexicographic order."""
    kept = np.array([[sum(label[c] == k for c in g) for k in range(models)] for g in groups])
    best = lambda table: table[linear_sum_assignment(table, maximize=True)].sum()
    most, names = best(kept), []
    for z in range(len(groups)):
        for k in range(models):
            rest = np.delete(kept[z + 1 :], [*names, k], axis=1)
            if k not in names and sum(kept[i, n] for i, n in enumerate([*names, k])) + (best(rest) if len(rest) else 0) == most:
                names.append(k)
                break
    return names


def silhouette(points, label):
    """The mean over points of (b − a) / max(a, b); a point alone in its cluster scores 0."""
    d = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    scores = []
    for i, k in enumerate(label):
        own = (label == k) & (np.arange(len(label)) != i)
        if not own.any():
            scores.append(0.0)
            continue
        a = d[i, own].mean()
        b = min(d[i, label == j].mean() for j in set(label.tolist()) - {k})
        scores.append((b - a) / max(a, b) if max(a, b) > 0 else 0.0)
    return float(np.mean(scores))


def least_cost(cost):
    """A column for each row, all different, of least total; of several ways the first in lexicographic order."""
    rows, columns = cost.shape
    ways = itertools.permutations(range(columns), rows)
    totals = [(cost[range(rows), list(w)].sum(), w) for w in ways]
    least = min(v for v, _ in totals)
    return next(list(w) for v, w in totals if v <= least + 1e-12 * np.abs(cost).max())


def merged(points, k, how="ward"):
    """The clusters of a dendrogram that is cut where there are k; numbered as they first appear."""
    return as_they_appear(cut_tree(linkage(points, how), k).ravel())


def as_they_appear(found):
    """Clusters numbered as they first appear."""
    names = {}
    return np.array([names.setdefault(v, len(names)) for v in np.asarray(found).tolist()])
