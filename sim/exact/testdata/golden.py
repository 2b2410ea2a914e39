#!/usr/bin/python3
"""Writes golden.json beside itself: logarithms, sines, cosines and normal
quantiles to twice the digits of a float64. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/exact/testdata/golden.py

A reference value is two numbers: the nearest float64 and what it lacks, so
that an error can be told in fractions of a unit in the last place.
"""
import json
import math
import pathlib
import random

import mpmath
import scipy
from mpmath import mp, mpf
from scipy.special import ndtri

mp.dps = 60
rng = random.Random(1)


def pair(v):
    high = float(v)
    return [high, float(v - mpf(high))]


def logs():
    xs = [5e-324, 2.2250738585072014e-308, 1e-300, 2.0 ** -53, 1e-9, 0.1, 0.25, 0.5, math.sqrt(0.5),
          math.nextafter(math.sqrt(0.5), 0), math.nextafter(math.sqrt(0.5), 1), 0.9, 0.999999, math.nextafter(1, 0), 1.0,
          math.nextafter(1, 2), 1.000001, 1.1, math.sqrt(2), math.nextafter(math.sqrt(2), 2), 2.0, math.e, 3.0, 10.0,
          1e5, 2.0 ** 52, 1e100, 1.7976931348623157e308]
    xs += [rng.random() for _ in range(100)]
    xs += [math.exp(rng.uniform(-700, 700)) for _ in range(100)]
    xs += [1 + rng.uniform(-1e-3, 1e-3) for _ in range(50)]
    return [{"x": x, "want": pair(mpmath.log(mpf(x)))} for x in xs]


def sines():
    ds = [0.0, 1e-300, 1e-12, 0.5, 1, 5, 10, 20, 30, 40, 44.999, 45, math.nextafter(45, 46), 60, 75, 89, 89.999999, 90,
          90.000001, 120, 134.999, 135, math.nextafter(135, 180), 150, 179.999999, 180]
    ds += [rng.uniform(0, 180) for _ in range(200)]
    out = []
    for d in ds:
        x = mpf(d) * mp.pi / 180
        # mp.pi is not pi: a multiple of 90 degrees is exactly 0 or 1.
        sin = mpf(0) if d in (0, 180) else mpmath.sin(x)
        cos = mpf(0) if d == 90 else mpmath.cos(x)
        out.append({"degrees": d, "sin": pair(sin), "cos": pair(cos)})
    return out


def quantiles():
    ps = [2.0 ** -53, 1e-15, 1.3e-11, 1.388e-11, 1.389e-11, 1e-10, 1e-6, 0.001, 0.025, 0.05, 0.074999, 0.075,
          0.0750001, 0.1, 0.25, 0.3, 0.4, 0.49, 0.499999, 0.5 - 2.0 ** -40, 0.5, 0.5 + 2.0 ** -40, 0.6, 0.75, 0.9,
          0.925, 0.9250001, 0.975, 0.999, 1 - 1e-9, 1 - 2.0 ** -53]
    ps += [rng.random() for _ in range(150)]
    ps += [10 ** rng.uniform(-15, -1) for _ in range(60)]
    out = []
    for p in ps:
        if p == 0.5:
            z = mpf(0)
        else:
            # Phi(z) = erfc(-z/sqrt 2)/2, solved on the small side, where
            # the equation keeps its digits; 1 - p is exact in mpf.
            q = min(mpf(p), 1 - mpf(p))
            z = mpmath.findroot(lambda z: mpmath.erfc(-z / mpmath.sqrt(2)) / (2 * q) - 1, mpf(float(ndtri(float(q)))))
            z = z if p < 0.5 else -z
        out.append({"p": p, "want": pair(z)})
    return out


versions = {m.__name__: m.__version__ for m in (mpmath, scipy)}
text = json.dumps({"versions": versions, "log": logs(), "sincos": sines(), "quantile": quantiles()})
for head in ('{"x"', '{"degrees"', '{"p"'):
    text = text.replace(head, "\n" + head)
(pathlib.Path(__file__).parent / "golden.json").write_text(text + "\n")
