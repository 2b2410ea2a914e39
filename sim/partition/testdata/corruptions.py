#!/usr/bin/python3
"""Writes corruptions.json beside itself: pictures as SciPy, NumPy and Python's
colorsys corrupt them. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/partition/testdata/corruptions.py

Needs Debian's python3-numpy and python3-scipy.
"""
import colorsys
import json
import math
import pathlib

import numpy as np
import scipy
from scipy import ndimage

rng = np.random.default_rng(5)
grey = rng.random((12, 12, 1)).astype(np.float32).astype(float)
colour = rng.random((12, 12, 3)).astype(np.float32).astype(float)


def of(image, ofgrey, ofcolour):
    return ofcolour if image.shape[2] == 3 else ofgrey


def bell(size, sigma):
    """OpenCV's Gaussian kernel of an odd size."""
    x = np.arange(size) - size // 2
    k = np.exp(-x ** 2 / (2 * sigma ** 2))
    return k / k.sum()


def defocus(image, level):
    radius, sigma = of(image, [(3, .1), (4, .5), (6, .5), (8, .5), (10, .5)],
                       [(.3, .4), (.4, .5), (.5, .6), (1, .2), (1.5, .1)])[level]
    line = np.arange(-12, 13)
    x, y = np.meshgrid(line, line)
    kernel = (x ** 2 + y ** 2 <= radius ** 2).astype(float)
    kernel /= kernel.sum()
    k = bell(5 if radius > 8 else 3, sigma)
    kernel = ndimage.convolve(kernel, np.outer(k, k), mode="constant")
    return np.stack([ndimage.convolve(c, kernel, mode="mirror") for c in image.transpose(2, 0, 1)], 2)


def clipped_zoom(channel, factor):
    n = channel.shape[0]
    cut = math.ceil(n / factor)
    top = (n - cut) // 2
    big = ndimage.zoom(channel[top:top + cut, top:top + cut], factor, order=1)
    trim = (big.shape[0] - n) // 2
    return big[trim:trim + n, trim:trim + n]


def zoom(image, level):
    factors = of(image, [np.arange(1, 1.11, .01), np.arange(1, 1.16, .01), np.arange(1, 1.21, .02),
                         np.arange(1, 1.26, .02), np.arange(1, 1.31, .03)],
                 [np.arange(1, 1.06, .01), np.arange(1, 1.11, .01), np.arange(1, 1.16, .01), np.arange(1, 1.21, .01),
                  np.arange(1, 1.26, .01)])[level]
    out = np.array(image)
    for f in factors:
        out += np.stack([clipped_zoom(c, f) for c in image.transpose(2, 0, 1)], 2)
    return out / (len(factors) + 1)


def motion(image, angle, radius, sigma):
    """ImageMagick's MotionBlurImage, by shifted copies of the picture."""
    k = np.exp(-np.arange(2 * radius + 1) ** 2 / (2 * sigma ** 2))
    k /= k.sum()
    a = math.radians(angle)
    n = image.shape[0]
    out = np.zeros_like(image)
    for i, w in enumerate(k):
        dx, dy = math.ceil(i * math.cos(a) - .5), math.ceil(i * math.sin(a) - .5)
        rows, columns = np.clip(np.arange(n) + dy, 0, n - 1), np.clip(np.arange(n) + dx, 0, n - 1)
        out += w * image[rows][:, columns]
    return out


def blur(image, level):
    sigma = of(image, [1, 2, 3, 4, 6], [.4, .6, .7, .8, 1])[level]
    return np.stack([ndimage.gaussian_filter(c, sigma, mode="nearest", truncate=4) for c in image.transpose(2, 0, 1)], 2)


def hsv(image, change):
    out = np.array(image)
    for at in np.ndindex(out.shape[:2]):
        h, s, v = colorsys.rgb_to_hsv(*out[at])
        out[at] = colorsys.hsv_to_rgb(*np.clip(change(h, s, v), 0, 1))
    return out


def brightness(image, level):
    c = [.05, .1, .15, .2, .3][level]
    return hsv(image, lambda h, s, v: (h, s, v + c))


def saturate(image, level):
    if image.shape[2] == 3:
        a, b = [(.3, 0), (.1, 0), (1.5, 0), (2, .1), (2.5, .2)][level]
        return hsv(image, lambda h, s, v: (h, s * a + b, v))
    a, b = [(.3, 0), (.1, 0), (2, 0), (5, .1), (20, .2)][level]
    whole = hsv(np.repeat(image, 3, 2), lambda h, s, v: (h * a + b, s * a + b, v * a + b))
    return (whole @ [.2125, .7154, .0721])[..., None]


def contrast(image, level):
    c = of(image, [.4, .3, .2, .1, .05], [.75, .5, .4, .3, .15])[level]
    means = image.mean(axis=(0, 1), keepdims=True)
    return (image - means) * c + means


def rounded(a):
    return [round(float(x), 7) for x in np.clip(np.asarray(a), 0, 1).ravel()]


positions = rng.uniform(-30, 40, (60, 2))
field = rng.uniform(-1, 1, (12, 12))
whole = np.floor(rng.random(144) * 20)
counts = np.bincount(whole.astype(int), minlength=256)
first = int(np.flatnonzero(counts)[0])
sums = np.cumsum(counts) - counts[first]

out = {
    "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
    "grey": rounded(grey),
    "colour": rounded(colour),
    "views": [],
    "motion": [{"angle": a, "radius": r, "sigma": s, "want": rounded(motion(colour, a, r, s))}
               for a, r, s in [(0, 3, 1), (30, 6, 2), (-45, 6, 1.5), (-110, 8, 3)]],
    "positions": positions.ravel().tolist(),
    "interpolated": {mode: rounded(ndimage.map_coordinates(grey[..., 0], positions.T[::-1], order=1, mode=mode))
                     for mode in ["mirror", "reflect", "grid-constant"]},
    "field": field.ravel().tolist(),
    "smooth": [{"sigma": s, "want": ndimage.gaussian_filter(field, s, mode="reflect", truncate=3).ravel().tolist()}
               for s in [.5, 2.4, 8]],
    "whole": whole.tolist(),
    "equal": [float(np.floor(255 * sums[int(v)] / (len(whole) - counts[first]) + .5)) for v in whole],
}
for name, view, images in [("defocus", defocus, [grey, colour]), ("zoom", zoom, [grey, colour]),
                           ("blur", blur, [colour]), ("brightness", brightness, [colour]),
                           ("saturate", saturate, [grey, colour]), ("contrast", contrast, [colour])]:
    for image in images:
        for severity in [1, 3, 5]:
            out["views"].append({"name": name, "channels": image.shape[2], "severity": severity,
                                 "want": rounded(view(image, severity - 1))})
path = pathlib.Path(__file__).with_name("corruptions.json")
path.write_text(json.dumps(out) + "\n")
