#!/usr/bin/python3
"""Writes golden.json beside itself: losses, gradients and steps of PyTorch for
the networks and optimisers of package model. Run by hand; Go only reads the
JSON.

    /usr/bin/python3 sim/model/testdata/golden.py

Parameters and samples are not stored: both sides draw them from one linear
congruence of whole numbers, as numbers that a float32 holds exactly. PyTorch
computes in float64, so a reference value is right to every digit of a float32.
"""
import json
import pathlib
import platform

import numpy
import torch
from torch import nn

from golden_networks import CONVAUTO, LENET, MOBILENET, RESNET8, VGG, parse

STEPS = 5
REGRESSIONS = ("linear", "representation")


class Congruence:
    """x <- 1664525 x + 1013904223 mod 2^32; the upper 24 bits are used."""

    def __init__(self, seed):
        self.x = seed

    def draw(self, n):
        out = numpy.empty(n, dtype=numpy.int64)
        x = self.x
        for i in range(n):
            x = (1664525 * x + 1013904223) & 0xFFFFFFFF
            out[i] = x >> 8
        self.x = x
        return out

    def unit(self, n):
        """In [0, 1)."""
        return self.draw(n) / 2.0**24

    def spread(self, n, scale):
        """In [-scale, scale)."""
        return (self.draw(n) - 2.0**23) / 2.0**23 * scale


def below(fan_in):
    """The largest power of two that is at most 1/sqrt(fan_in)."""
    scale = 1.0
    while scale * scale * fan_in > 1:
        scale /= 2
    return scale


def dense_stack(widths, last=None):
    parts = []
    for i in range(len(widths) - 1):
        parts += [nn.Linear(widths[i], widths[i + 1]), nn.ReLU()]
    parts.pop()
    return nn.Sequential(*parts, *([last] if last else []))


def build(case):
    h, w, c = case["height"], case["width"], case["channels"]
    size, classes, values = h * w * c, case["classes"], case["values"]
    numbers = lambda key: [int(t) for t in values[key].split(",")]
    if case["model"] == "softmax":
        return dense_stack([size, classes])
    if case["model"] == "mlp":
        return dense_stack([size] + numbers("hidden") + [classes])
    if case["model"] == "autoencoder":
        return dense_stack([size] + numbers("code") + [size], nn.Sigmoid())
    if case["model"] == "linear":
        return nn.Sequential(nn.Linear(size, 1, bias=values["bias"] == "1"))
    if case["model"] == "representation":
        width = int(values["width"])
        return nn.Sequential(nn.Linear(size, width, bias=False), nn.Linear(width, 1, bias=False))
    if case["model"] == "cnn":
        left = 16 * (((h - 4) // 2 - 4) // 2) * (((w - 4) // 2 - 4) // 2)
        return nn.Sequential(
            nn.Unflatten(1, (c, h, w)),
            nn.Conv2d(c, 6, 5), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(left, classes))
    if "text" in values:
        return parse(values["text"], (c, h, w), classes, int(values.get("tokens", 0)))
    raise ValueError(case["model"])


def loss_of(case, out, x, y, reduction="mean"):
    if case["model"] in REGRESSIONS:
        return nn.functional.mse_loss(out[:, 0], y, reduction=reduction)
    if case["classes"] == 0:
        loss = nn.functional.mse_loss(out, x, reduction="none").mean(1)
        return loss.mean() if reduction == "mean" else loss
    return nn.functional.cross_entropy(out, y, reduction=reduction)


NORMS = (nn.GroupNorm, nn.BatchNorm1d, nn.BatchNorm2d)


def flat(m, p):
    """A parameter in the order of package model: dense weights are in x out."""
    return (p.T if isinstance(m, nn.Linear) and p.dim() == 2 else p).reshape(-1)


def leaves(net):
    return [m for m in net.modules() if list(m.parameters(recurse=False))]


def load(net, draw):
    for m in leaves(net):
        for p in m.parameters(recurse=False):
            if p.dim() > 1:
                scale = 1 if isinstance(m, nn.Embedding) else below(p[0].numel())
            values = torch.from_numpy(draw.spread(p.numel(), 0.5 if isinstance(m, NORMS) else scale))
            if isinstance(m, NORMS) and p is m.weight:
                values += 1
            turned = isinstance(m, nn.Linear) and p.dim() == 2
            values = values.reshape(p.shape[::-1] if turned else p.shape)
            p.data = values.T.contiguous() if turned else values
        if isinstance(m, NORMS[1:]):
            m.reset_running_stats()


def predicted(net, x):
    """What a trained network predicts, without a step of its statistics."""
    net.eval()
    out = net(x)
    net.train()
    return out.flatten(1)


def golden(case, seed):
    n, size = case["n"], case["height"] * case["width"] * case["channels"]
    draw = Congruence(seed)
    net = build(case).double()
    load(net, draw)
    tokens = int(case["values"].get("tokens", 0))
    if tokens:
        x = torch.from_numpy((draw.draw(n * size) % tokens).astype(float)).reshape(n, size)
    else:
        x = torch.from_numpy(draw.unit(n * size)).reshape(n, size)
    if case["model"] in REGRESSIONS:
        y = torch.from_numpy(draw.spread(n, 1))
    else:
        y = torch.from_numpy(draw.draw(n) % max(case["classes"], 1))

    seen = predicted(net, x)
    out = net(x).flatten(1)
    loss = loss_of(case, out, x, y)
    loss.backward()
    statistics = sum(2 * m.num_features for m in leaves(net) if isinstance(m, NORMS[1:]))
    case |= {
        "seed": seed,
        "size": sum(p.numel() for p in net.parameters()) + statistics,
        "outputs": out.shape[1],
        "loss": loss.item(),
        "losses": loss_of(case, seen, x, y, "none")[:4].tolist(),
        "predict": seen.reshape(-1)[:6].tolist(),
        "segments": [],
    }
    if statistics:
        case["predictedLoss"] = loss_of(case, seen, x, y).item()
    gradients = []
    for m in leaves(net):
        gradients += [(name, flat(m, p.grad)) for name, p in m.named_parameters(recurse=False)]
        if isinstance(m, NORMS[1:]):  # they have moved a tenth of the way
            gradients += [("mean", -10 * m.running_mean), ("variance", 10 * (1 - m.running_var))]
    for name, g in gradients:
        step = -(-g.numel() // 6)
        against = torch.from_numpy(draw.spread(g.numel(), 1))
        case["segments"].append({
            "kind": name.split(".")[-1],
            "size": g.numel(),
            "norm": g.norm().item(),
            "inner": (g @ against).item(),
            "step": step,
            "gradient": g[::step].tolist(),
        })

    case["training"] = {}
    for rule, rate in (("sgd", 0.125), ("momentum", 0.0625), ("adam", 0.0078125)):
        load(net, Congruence(seed))
        optimiser = optimisers(rule, net.parameters(), rate)
        losses = []
        for _ in range(STEPS if case["size"] < 1e6 else 2):
            optimiser.zero_grad()
            loss_of(case, net(x).flatten(1), x, y).backward()
            optimiser.step()
            losses.append(loss_of(case, predicted(net, x), x, y).item())
        case["training"][rule] = {"rate": rate, "losses": losses}
    return case


def optimisers(rule, params, rate):
    return {
        "sgd": lambda: torch.optim.SGD(params, lr=rate),
        "momentum": lambda: torch.optim.SGD(params, lr=rate, momentum=0.9),
        "adam": lambda: torch.optim.Adam(params, lr=rate),
    }[rule]()


def steps(rule, rate, seed, dtype):
    """Parameters after each of some steps along drawn gradients."""
    draw = Congruence(seed)
    p = nn.Parameter(torch.from_numpy(draw.spread(6, 1)).to(dtype))
    optimiser, after = optimisers(rule, [p], rate), []
    for i in range(STEPS):
        # Gradients of very different sizes, down to where Adam's epsilon counts.
        p.grad = torch.from_numpy(draw.spread(6, 2.0 ** (-9 * i))).to(dtype)
        optimiser.step()
        after.append(p.tolist())
    return {"rule": rule, "rate": rate, "seed": seed, "after": after}


def case(model, shape, classes, n, **values):
    return {"model": model, "height": shape[0], "width": shape[1], "channels": shape[2],
            "classes": classes, "n": n, "values": values}


CASES = [
    case("softmax", (1, 7, 1), 3, 5),
    case("softmax", (28, 28, 1), 10, 130),
    case("mlp", (1, 6, 1), 3, 7, hidden="5"),
    case("mlp", (1, 6, 1), 3, 1, hidden="5,4,7"),
    case("mlp", (28, 28, 1), 10, 64, hidden="200"),
    case("cnn", (16, 16, 1), 3, 3),
    case("cnn", (19, 18, 2), 4, 2),
    case("cnn", (28, 28, 1), 10, 5),
    case("cnn", (28, 28, 1), 62, 2),
    case("cnn", (32, 32, 3), 10, 2),
    case("autoencoder", (1, 12, 1), 0, 5, code="8,4,8"),
    case("autoencoder", (28, 28, 1), 0, 9, code="64,16,64"),
    case("autoencoder", (28, 28, 1), 0, 3, code="784,392,196,392,784"),
    case("linear", (1, 20, 1), 0, 100, bias="0"),
    case("linear", (1, 20, 1), 0, 33, bias="1"),
    case("linear", (1, 1, 1), 0, 33, bias="0"),
    case("linear", (1, 1, 1), 0, 33, bias="1"),
    case("representation", (1, 6, 1), 0, 33, width="3"),
    case("representation", (1, 20, 1), 0, 130, width="2"),
    # A layer of each kind, with sizes that do not divide.
    case("text", (9, 11, 2), 3, 4, text="conv4s2-gn2-tanh-dws2-relu-conv3k1-sigmoid-gap"),
    case("text", (19, 20, 2), 2, 3, text="dwk5s3p2-pool3-tconv3k3s1-gn1-avg"),
    case("text", (8, 8, 3), 4, 3, text="conv4-res4-res6s2-avg3"),
    case("text", (1, 11, 1), 3, 5, text="embed5-conv1d6k3-relu-gmax-dense4-tanh", tokens="7"),
    case("text", (1, 19, 1), 3, 5, text="conv1d4s2-relu-pool3-conv1d3k2-avg"),
    case("text", (8, 12, 2), 0, 3, text="conv4s2-relu-conv6s2-relu-code-tconv4-relu-tconv-sigmoid"),
    case("text", (12, 10, 1), 3, 6, text="conv4-bn-relu-pool-conv6k5s3p1-bn-relu-dense5-bn"),
    case("text", (7, 10, 3), 3, 4, text="conv5k4s3p2-relu-gmax"),
    case("lenet", (28, 28, 1), 10, 3, text=LENET),
    case("vgg", (32, 32, 3), 10, 2, text=VGG),
    case("resnet8", (32, 32, 3), 10, 2, text=RESNET8),
    case("mobilenet", (32, 32, 3), 10, 2, text=MOBILENET),
    case("convauto", (28, 28, 1), 0, 2, text=CONVAUTO),
]

torch.set_num_threads(1)
golden_file = {
    "versions": {"python": platform.python_version(), "numpy": numpy.__version__, "torch": torch.__version__},
    "networks": [golden(c, 17 + i) for i, c in enumerate(CASES)],
    "optimisers": [steps(rule, rate, 5 + i, torch.float64)
                   for i, (rule, rate) in enumerate(
                       (rule, rate) for rule in ("sgd", "momentum", "adam") for rate in (0.125, 0.0009765625))],
}
pathlib.Path(__file__).with_name("golden.json").write_text(json.dumps(golden_file, indent=1) + "\n")
