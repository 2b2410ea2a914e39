#!/usr/bin/python3
"""Writes golden.json beside itself: turned, shrunk and blurred pictures, by PIL
and by the formulas that torchvision and scikit-image use. Run by hand; Go only
reads the JSON.

    /usr/bin/python3 sim/partition/testdata/golden.py

Needs Debian's python3-numpy and python3-pil.
"""
import json
import math
import pathlib

import numpy as np
import PIL
from PIL import Image

rng = np.random.default_rng(1)


def tensor_grid(width, height, angle):
    """Source coordinates of every pixel as torchvision's rotate of a tensor has
    them: the inverse affine matrix of the angle, about the centre, on the grid
    of pixel centres."""
    a = math.radians(angle)
    x = np.arange(width) - (width - 1) / 2
    y = np.arange(height) - (height - 1) / 2
    sx = math.cos(a) * x[None, :] - math.sin(a) * y[:, None] + (width - 1) / 2
    sy = math.sin(a) * x[None, :] + math.cos(a) * y[:, None] + (height - 1) / 2
    return sx, sy


def nearest(width, height, angle):
    sx, sy = tensor_grid(width, height, angle)
    ix, iy = np.rint(sx).astype(int), np.rint(sy).astype(int)
    inside = (ix >= 0) & (ix < width) & (iy >= 0) & (iy < height)
    return np.where(inside, iy * width + ix, width * height)


def pil_nearest(width, height, angle):
    index = np.arange(width * height, dtype=np.int32).reshape(height, width)
    turned = Image.fromarray(index, "I").rotate(angle, resample=Image.NEAREST, fillcolor=width * height)
    return np.asarray(turned)


def bilinear(image, angle):
    height, width = image.shape
    sx, sy = tensor_grid(width, height, angle)
    fx, fy = np.floor(sx).astype(int), np.floor(sy).astype(int)
    padded = np.pad(image, 30)
    out = np.zeros_like(image)
    for dy in (0, 1):
        for dx in (0, 1):
            w = (1 - np.abs(sx - (fx + dx))) * (1 - np.abs(sy - (fy + dy)))
            out += w * padded[fy + dy + 30, fx + dx + 30]
    return out


def pixelate(image, part):
    """Exact in PIL: a float picture shrunk and stretched with the box filter."""
    height, width = image.shape
    im = Image.fromarray(image.astype(np.float32), "F")
    im = im.resize((int(width * part), int(height * part)), Image.BOX)
    return np.asarray(im.resize((width, height), Image.BOX)).astype(float)


def blur(image, sigma):
    """scipy's gaussian_filter as scikit-image calls it: edge repeated, cut off
    at four standard deviations."""
    reach = int(4 * sigma + 0.5)
    bell = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * sigma * sigma))
    bell /= bell.sum()
    for axis in (0, 1):
        n = image.shape[axis]
        at = np.clip(np.arange(n)[:, None] + np.arange(-reach, reach + 1)[None, :], 0, n - 1)
        image = np.tensordot(np.take(image, at, axis=axis), bell, axes=([axis + 1], [0]))
    return image


def rounded(a):
    return [round(float(v), 7) for v in np.asarray(a).ravel()]


# PIL and the tensor formula agree wherever no source lies half way between two
# pixels, as it does everywhere in a 9 x 6 picture turned by 90 degrees; there PIL
# takes the one to the right or below.
turns = []
for width, height, angles in ((28, 28, (15, 105, 195, 275, -40, 33.3)), (9, 6, (20, 90, 180, 275))):
    for angle in angles:
        want = pil_nearest(width, height, angle)
        assert (want == nearest(width, height, angle)).all() or (width, height, angle) == (9, 6, 90)
        turns.append({"width": width, "height": height, "angle": angle, "from": [int(v) for v in want.ravel()]})

image = np.round(rng.random((28, 28)) * (rng.random((28, 28)) < 0.4), 3)
text = {
    "versions": {"numpy": np.__version__, "PIL": PIL.__version__},
    "turns": turns,
    "image": rounded(image),
    "bilinear": [{"angle": a, "want": rounded(bilinear(image, a))} for a in (15, 285)],
    "pixelate": [{"severity": k + 1, "want": rounded(pixelate(image, p))} for k, p in enumerate((.95, .9, .85, .75, .65)) if k in (0, 4)],
    "blur": [{"severity": k + 1, "want": rounded(blur(image, s))} for k, s in enumerate((1, 2, 3, 4, 6)) if k in (0, 4)],
}
out = json.dumps(text)
for head in ('{"width"', '"image"', '"bilinear"', '{"angle"', '{"severity"'):
    out = out.replace(head, "\n" + head)
(pathlib.Path(__file__).parent / "golden.json").write_text(out + "\n")
