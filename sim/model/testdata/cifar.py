#!/usr/bin/python3
"""Writes cifar.json beside itself: ten epochs of PyTorch on real pictures, the first 2000 training records and the 500
test records of a folder with CIFAR-10 in its binary layout. Run by hand.

    /usr/bin/python3 sim/model/testdata/cifar.py FOLDER

Start, order of the pictures and optimiser are those of TestCIFAR: weights from the congruence of golden.py, a
shuffle per epoch from it too, momentum 0.9 and minibatches of 50, in float64.
"""
import hashlib
import json
import pathlib
import sys

import numpy
import torch
from torch import nn

import golden_networks as golden

EPOCHS, BATCH, RATE, SEED = 10, 50, 0.002, 7
COLOUR = (3, 32, 32)


class Congruence:
    def __init__(self, seed):
        self.x = seed

    def draw(self):
        self.x = (1664525 * self.x + 1013904223) & 0xFFFFFFFF
        return self.x >> 8


def start(net, draw):
    for m in net.modules():
        for p in m.parameters(recurse=False):
            if isinstance(m, nn.GroupNorm):
                continue  # 1 and 0 already
            if p.dim() > 1:
                scale = 1.0
                while scale * scale * p[0].numel() > 1:
                    scale /= 2
            values = torch.tensor([(draw.draw() - 2.0**23) / 2.0**23 * scale for _ in range(p.numel())])
            turned = isinstance(m, nn.Linear) and p.dim() == 2
            values = values.double().reshape(p.shape[::-1] if turned else p.shape)
            p.data = values.T.contiguous() if turned else values


def read(path):
    records = numpy.frombuffer(path.read_bytes(), dtype=numpy.uint8).reshape(-1, 3073)
    return torch.from_numpy((records[:, 1:] / 255.0 - 0.5) * 4), torch.from_numpy(records[:, 0].astype(int))


def curve(text, train, test):
    x, y = train
    draw = Congruence(SEED)
    net = golden.parse(text, COLOUR, 10, 0).double()
    start(net, draw)
    optimiser = torch.optim.SGD(net.parameters(), lr=RATE, momentum=0.9)
    losses, accuracies = [], []
    for epoch in range(EPOCHS):
        order = list(range(len(x)))
        for i in range(len(order)):
            j = i + draw.draw() % (len(order) - i)
            order[i], order[j] = order[j], order[i]
        total = 0.0
        for at in range(0, len(order), BATCH):
            part = order[at : at + BATCH]
            optimiser.zero_grad()
            loss = nn.functional.cross_entropy(net(x[part]), y[part])
            loss.backward()
            optimiser.step()
            total += loss.item() * len(part)
        with torch.no_grad():
            right = (net(test[0]).argmax(1) == test[1]).sum().item()
        losses.append(total / len(order))
        accuracies.append(right / len(test[0]))
        print(text[:20], epoch + 1, losses[-1], accuracies[-1], flush=True)
    return {"losses": losses, "accuracies": accuracies}


folder = pathlib.Path(sys.argv[1])
files = {name: folder / name for name in ("train_2000.bin", "test_500.bin")}
torch.set_num_threads(1)
train, test = (read(path) for path in files.values())
pathlib.Path(__file__).with_name("cifar.json").write_text(json.dumps({
    "versions": {"torch": torch.__version__, "numpy": numpy.__version__},
    "sha256": {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()},
    "curves": {"vgg": curve(golden.VGG, train, test), "resnet8": curve(golden.RESNET8, train, test)},
}, indent=1) + "\n")
