"""Trains a network with PyTorch on one thread, beside our own.

Prints PyTorch's version and where its products of matrices come from. Then each line "MODEL WAY STEPS" on the standard input
is answered with the time of one step in ms, and "MODEL WAY 0" with the loss
after two steps from the start that all peers share. The way is "autograd", as
people write it, or "manual".
"""
import os
import sys
import time

import torch
import torch.nn.functional as F

sys.path.append(os.path.join(os.path.dirname(__file__), "../../sim/model/testdata"))
import golden_networks as golden

torch.set_num_threads(1)
ROWS = 64


def generator():
    """Numbers within a bound, the same in every language: Numerical Recipes'."""
    state = 1

    def uniform(bound, *shape):
        nonlocal state
        count = 1
        for n in shape:
            count *= n
        values = []
        for _ in range(count):
            state = (state * 1664525 + 1013904223) % 2**32
            values.append((2 * state / 2**32 - 1) * bound)
        return torch.tensor(values, dtype=torch.float32).reshape(shape)

    return uniform


class MLP:
    """784-200-10 with max(x, 0) in between."""

    def __init__(self):
        u = generator()
        self.params = [u(1 / 28, 784, 200), u(1 / 28, 200), u(200**-0.5, 200, 10), u(200**-0.5, 10)]
        self.x = u(1, ROWS, 784)
        self.y = torch.arange(ROWS) % 10

    def logits(self):
        w1, b1, w2, b2 = self.params
        return torch.addmm(b2, torch.addmm(b1, self.x, w1).relu(), w2)

    def manual(self, rate):
        w1, b1, w2, b2 = self.params
        h = torch.addmm(b1, self.x, w1).relu_()
        d2 = torch.addmm(b2, h, w2).softmax(1)
        d2[torch.arange(ROWS), self.y] -= 1
        d2 /= ROWS
        d1 = torch.mm(d2, w2.t()).mul_(h > 0)
        w2.addmm_(h.t(), d2, alpha=-rate)
        b2.sub_(d2.sum(0), alpha=rate)
        w1.addmm_(self.x.t(), d1, alpha=-rate)
        b1.sub_(d1.sum(0), alpha=rate)


class CNN:
    """conv5x5(6)-pool-conv5x5(16)-pool-dense(10), max(x, 0) behind each pool."""

    def __init__(self):
        u = generator()
        self.params = [u(1 / 5, 6, 1, 5, 5), u(1 / 5, 6), u(150**-0.5, 16, 6, 5, 5), u(150**-0.5, 16),
                       u(1 / 16, 256, 10), u(1 / 16, 10)]
        self.x = u(1, ROWS, 784).reshape(ROWS, 1, 28, 28)
        self.y = torch.arange(ROWS) % 10

    def logits(self):
        f1, b1, f2, b2, w3, b3 = self.params
        p1 = F.max_pool2d(F.conv2d(self.x, f1, b1), 2).relu()
        p2 = F.max_pool2d(F.conv2d(p1, f2, b2), 2).relu()
        return torch.addmm(b3, p2.reshape(ROWS, 256), w3)

    def manual(self, rate):
        f1, b1, f2, b2, w3, b3 = self.params
        aten = torch.ops.aten
        a1 = F.conv2d(self.x, f1, b1)
        p1, at1 = F.max_pool2d(a1, 2, return_indices=True)
        p1.relu_()
        a2 = F.conv2d(p1, f2, b2)
        p2, at2 = F.max_pool2d(a2, 2, return_indices=True)
        p2.relu_()
        flat = p2.reshape(ROWS, 256)
        d3 = torch.addmm(b3, flat, w3).softmax(1)
        d3[torch.arange(ROWS), self.y] -= 1
        d3 /= ROWS
        d2 = torch.mm(d3, w3.t()).reshape(p2.shape).mul_(p2 > 0)
        d2 = aten.max_pool2d_with_indices_backward(d2, a2, [2, 2], [2, 2], [0, 0], [1, 1], False, at2)
        back = ([1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        d1, df2, db2 = aten.convolution_backward(d2, p1, f2, [16], *back, [True, True, True])
        d1.mul_(p1 > 0)
        d1 = aten.max_pool2d_with_indices_backward(d1, a1, [2, 2], [2, 2], [0, 0], [1, 1], False, at1)
        _, df1, db1 = aten.convolution_backward(d1, self.x, f1, [6], *back, [False, True, True])
        w3.addmm_(flat.t(), d3, alpha=-rate)
        b3.sub_(d3.sum(0), alpha=rate)
        for p, d in ((f2, df2), (b2, db2), (f1, df1), (b1, db1)):
            p.sub_(d, alpha=rate)


class Net:
    """A network of a text of sim/model on 32x32 colour pictures, by the layers of PyTorch."""

    def __init__(self, text):
        u = generator()
        self.logits = lambda: self.net(self.x)
        self.net = golden.parse(text, (3, 32, 32), 10, 0)
        draw(self.net, u)
        self.params = list(self.net.parameters())
        self.x = u(1, ROWS, 3 * 32 * 32)
        self.y = torch.arange(ROWS) % 10


def draw(net, u):
    """Draws the parameters of layers as sim/model does."""
    for layer in net.modules():
        if isinstance(layer, (torch.nn.Conv2d, torch.nn.Linear, torch.nn.ConvTranspose2d)):
            bound = layer.weight[0].numel() ** -0.5
            layer.weight.data = u(bound, *layer.weight.shape)
            layer.bias.data = u(bound, *layer.bias.shape)


class Layer:
    """One layer on 32x32 pictures of 16 channels; the derivatives by its outputs are the outputs."""

    def __init__(self, text):
        u = generator()
        self.layer = golden.parse(text, (16, 32, 32), 2, 0)[1]
        draw(self.layer, u)
        self.x = u(1, ROWS, 16, 32, 32).requires_grad_()

    def loss(self):
        return self.layer(self.x).square().mean()

    def step(self, rate):
        self.x.grad = None
        self.layer.zero_grad(set_to_none=True)
        out = self.layer(self.x)
        out.backward(out.detach())


def trainer(model, way):
    """Returns a function that takes one step at a rate."""
    if isinstance(model, Layer):
        return model.step
    if way == "manual":
        def step(rate):
            with torch.no_grad():
                model.manual(rate)
        return step
    for p in model.params:
        p.requires_grad_()
    optimiser = torch.optim.SGD(model.params, lr=1e-6)

    def step(rate):
        optimiser.param_groups[0]["lr"] = rate
        optimiser.zero_grad(set_to_none=True)
        F.cross_entropy(model.logits(), model.y).backward()
        optimiser.step()
    return step


def blas():
    """The library that multiplies matrices, as the dynamic linker found it."""
    with open("/proc/self/maps") as maps:
        paths = {os.path.realpath(line.split()[-1]) for line in maps if "/libblas" in line}
    return ", ".join(sorted(paths)) or "code of its own"


def main():
    kinds = {"mlp": MLP, "cnn": CNN, "vgg": lambda: Net(golden.VGG), "resnet8": lambda: Net(golden.RESNET8),
             "mobilenet": lambda: Net(golden.MOBILENET)}
    kept = {}
    print(torch.__version__)
    print(blas(), flush=True)
    for line in sys.stdin:
        name, way, steps = line.split()
        if name.startswith("layer:"):
            kinds[name] = lambda: Layer(name.removeprefix("layer:"))
        if steps == "0":
            model = kinds[name]()
            step = trainer(model, way)
            for _ in range(2):
                step(0.1)
            with torch.no_grad():
                loss = model.loss() if isinstance(model, Layer) else F.cross_entropy(model.logits(), model.y)
                print(loss.item(), flush=True)
            continue
        if (name, way) not in kept:
            kept[name, way] = trainer(kinds[name](), way)
        step = kept[name, way]
        begin = time.perf_counter()
        for _ in range(int(steps)):
            step(1e-6)
        print((time.perf_counter() - begin) * 1000 / int(steps), flush=True)


main()
