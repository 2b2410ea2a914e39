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
    raise ValueError(case["model"])


def loss_of(case, out, x, y, reduction="mean"):
    if case["model"] in REGRESSIONS:
        return nn.functional.mse_loss(out[:, 0], y, reduction=reduction)
    if case["model"] == "autoencoder":
        loss = nn.functional.mse_loss(out, x, reduction="none").mean(1)
        return loss.mean() if reduction == "mean" else loss
    return nn.functional.cross_entropy(out, y, reduction=reduction)


def flat(p):
    """A parameter in the order of package model: dense weights are in x out."""
    return (p.T if p.dim() == 2 else p).reshape(-1)


def load(net, draw):
    for p in net.parameters():
        if p.dim() > 1:
            scale = below(p[0].numel())
        values = torch.from_numpy(draw.spread(p.numel(), scale))
        shape = p.shape[::-1] if p.dim() == 2 else p.shape
        values = values.reshape(shape)
        p.data = values.T.contiguous() if p.dim() == 2 else values


def golden(case, seed):
    n, size = case["n"], case["height"] * case["width"] * case["channels"]
    draw = Congruence(seed)
    net = build(case).double()
    load(net, draw)
    x = torch.from_numpy(draw.unit(n * size)).reshape(n, size)
    if case["model"] in REGRESSIONS:
        y = torch.from_numpy(draw.spread(n, 1))
    else:
        y = torch.from_numpy(draw.draw(n) % max(case["classes"], 1))

    out = net(x)
    loss = loss_of(case, out, x, y)
    loss.backward()
    case |= {
        "seed": seed,
        "size": sum(p.numel() for p in net.parameters()),
        "outputs": out.shape[1],
        "loss": loss.item(),
        "losses": loss_of(case, out, x, y, "none")[:4].tolist(),
        "predict": out.reshape(-1)[:6].tolist(),
        "segments": [],
    }
    for name, p in net.named_parameters():
        g = flat(p.grad)
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
            loss_of(case, net(x), x, y).backward()
            optimiser.step()
            losses.append(loss_of(case, net(x), x, y).item())
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
