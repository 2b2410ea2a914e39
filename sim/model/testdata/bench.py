#!/usr/bin/python3
"""Prints the time of the steps of BenchmarkStep in PyTorch, on one thread: autograd and SGD, 64 samples.

    /usr/bin/python3 sim/model/testdata/bench.py
"""
import time

import torch

import golden_networks as golden

torch.set_num_threads(1)
COLOUR, DIGITS = (3, 32, 32), (1, 28, 28)
for name, shape, classes, tokens, text in [
    ("cnn", DIGITS, 10, 0, "conv6k5p0-pool-relu-conv16k5p0-pool-relu"),
    ("lenet", COLOUR, 10, 0, golden.LENET),
    ("vgg", COLOUR, 10, 0, golden.VGG),
    ("resnet8", COLOUR, 10, 0, golden.RESNET8),
    ("mobilenet", COLOUR, 10, 0, golden.MOBILENET),
    ("textcnn", (1, 1, 64), 4, 5000, golden.TEXTCNN),
    ("convauto", COLOUR, 0, 0, golden.CONVAUTO),
]:
    net = golden.parse(text, shape, classes, tokens)
    optimiser = torch.optim.SGD(net.parameters(), lr=1e-6)
    x = torch.rand(64, shape[0] * shape[1] * shape[2])
    if tokens:
        x = torch.randint(tokens, x.shape).float()
    y = torch.randint(max(classes, 1), (64,))

    def step():
        optimiser.zero_grad()
        out = net(x)
        loss = torch.nn.functional.cross_entropy(out, y) if classes else torch.nn.functional.mse_loss(out.flatten(1), x)
        loss.backward()
        optimiser.step()

    for _ in range(3):
        step()
    times = []
    begin = time.perf_counter()
    while len(times) < 5 or time.perf_counter() - begin < 1:
        at = time.perf_counter()
        step()
        times.append(time.perf_counter() - at)
    print(f"{name:10} {sorted(times)[len(times) // 2] * 1e3:8.2f} ms/step")
