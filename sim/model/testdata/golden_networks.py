"""Networks of texts as package model describes them, from the layers of PyTorch; for golden.py and bench.py. Written from
the description of the grammar, not from the code."""
import re

import torch
from torch import nn

LENET = "conv6k5p0-relu-pool-conv16k5p0-relu-pool-dense120-relu-dense84-relu"
VGG = ("conv16-gn-relu-conv16-gn-relu-pool-conv32-gn-relu-conv32-gn-relu-pool-conv64-gn-relu-conv64-gn-relu-"
    "gap")
RESNET8 = "conv16-gn-relu-res16-res32s2-res64s2-gap"
MOBILENET = ("conv16-gn-relu-dw-gn-relu-conv32k1-gn-relu-dws2-gn-relu-conv64k1-gn-relu-dw-gn-relu-conv64k1-gn-"
    "relu-dws2-gn-relu-conv128k1-gn-relu-gap")
CONVAUTO = "conv8s2-relu-conv16s2-relu-code-tconv8-relu-tconv-sigmoid"
TEXTCNN = "embed32-conv1d64k5-relu-gmax"


class Residual(nn.Module):
    """Two 3x3 convolutions with group normalisation, added to the input."""

    def __init__(self, inputs, filters, stride):
        super().__init__()
        self.first = nn.Conv2d(inputs, filters, 3, stride, 1)
        self.norm1 = nn.GroupNorm(groups(filters), filters)
        self.second = nn.Conv2d(filters, filters, 3, 1, 1)
        self.norm2 = nn.GroupNorm(groups(filters), filters)
        self.skip = nn.Identity()
        if stride > 1 or inputs != filters:
            self.skip = nn.Conv2d(inputs, filters, 1, stride)

    def forward(self, x):
        y = torch.relu(self.norm1(self.first(x)))
        return torch.relu(self.norm2(self.second(y)) + self.skip(x))


class Tokens(nn.Module):
    """Vectors of words, channels before positions."""

    def __init__(self, tokens, width):
        super().__init__()
        self.vectors = nn.Embedding(tokens, width)

    def forward(self, x):
        return self.vectors(x[:, 0].long()).transpose(1, 2)


def groups(channels):
    return max(n for n in range(1, 9) if channels % n == 0)


def parse(text, shape, classes, tokens):
    """The network of a text of package model, by the layers of PyTorch. Written from the description of the grammar."""
    sequence = shape[1] == 1
    parts = [nn.Unflatten(1, (shape[0], shape[2]) if sequence else shape)]
    code = "code" in text.split("-")
    sizes = lambda: nn.Sequential(*parts)(torch.zeros(2, shape[0] * shape[1] * shape[2])).shape[1:]
    flatten = lambda: parts.append(nn.Flatten()) if len(sizes()) > 1 else None
    for word in text.split("-"):
        kind, number, options = re.fullmatch(r"(conv1d|tconv|conv|dw|res|embed|dense|gn|bn|pool|avg|gap|gmax|relu|tanh|sigmoid|code)(\d*)((?:[ksp]\d+)*)", word).groups()
        number = int(number) if number else None
        options = {key: int(value) for key, value in re.findall(r"([ksp])(\d+)", options)}
        size = sizes()
        inputs, k, s = size[0], options.get("k", 3), options.get("s", 1)
        p = options.get("p", (k - 1) // 2)
        flat = len(size) == 2
        if kind == "conv":
            parts.append(nn.Conv2d(inputs, number, k, s, p))
        elif kind == "conv1d":
            parts.append(nn.Conv1d(inputs, number, k, s, p))
        elif kind == "dw":
            parts.append(nn.Conv2d(inputs, inputs, k, s, p, groups=inputs))
        elif kind == "tconv":
            s = options.get("s", 2)
            parts.append(nn.ConvTranspose2d(inputs, number or shape[0], options.get("k", s + 2), s, options.get("p", 1)))
        elif kind == "res":
            parts.append(Residual(inputs, number, s))
        elif kind == "embed":
            parts.append(Tokens(tokens, number))
        elif kind == "dense":
            flatten()
            parts.append(nn.Linear(sizes()[0], number))
        elif kind == "gn":
            parts.append(nn.GroupNorm(number or groups(inputs), inputs))
        elif kind == "bn":
            parts.append(nn.BatchNorm1d(inputs) if len(size) < 3 else nn.BatchNorm2d(inputs))
        elif kind == "pool":
            parts.append(nn.MaxPool1d(number or 2) if flat else nn.MaxPool2d(number or 2))
        elif kind == "avg":
            parts.append(nn.AvgPool1d(number or 2) if flat else nn.AvgPool2d(number or 2))
        elif kind == "gap":
            parts += [nn.AdaptiveAvgPool1d(1) if flat else nn.AdaptiveAvgPool2d(1), nn.Flatten()]
        elif kind == "gmax":
            parts += [nn.AdaptiveMaxPool1d(1) if flat else nn.AdaptiveMaxPool2d(1), nn.Flatten()]
        elif kind != "code":
            parts.append({"relu": nn.ReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[kind]())
    flatten()
    if not code:
        parts.append(nn.Linear(sizes()[0], classes))
    net = nn.Sequential(*parts)
    for m in net.modules():  # sizes() has run batches through it
        if isinstance(m, (nn.BatchNorm1d, nn.BatchNorm2d)):
            m.reset_running_stats()
    return net
