#!/usr/bin/python3
"""Writes exp.json beside itself: exponentials to twice the digits of a float64.
Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/exact/testdata/exp.py

A reference value is two numbers: the nearest float64 and what it lacks, so
that an error can be told in fractions of a unit in the last place.
"""
import json
import math
import pathlib
import random

import mpmath
from mpmath import mp, mpf

mp.dps = 60
rng = random.Random(2)


def pair(v):
    high = float(v)
    return [high, float(v - mpf(high))]


half = math.log(2) / 2
xs = [0.0, 1e-300, 1e-17, -1e-17, 1e-9, -1e-9, 0.5, -0.5, 1.0, -1.0, half, -half, math.nextafter(half, 1), math.log(2),
      -math.log(2), 2.0, 10.0, -10.0, 100.0, -100.0, 709.0, 709.7827, -700.0, -708.0]
xs += [rng.uniform(-1, 1) for _ in range(100)]
xs += [rng.uniform(-60, 60) for _ in range(100)]
xs += [rng.uniform(-708, 709.78) for _ in range(100)]
text = json.dumps({"versions": {"mpmath": mpmath.__version__},
                   "exp": [{"x": x, "want": pair(mpmath.exp(mpf(x)))} for x in xs]})
(pathlib.Path(__file__).parent / "exp.json").write_text(text.replace('{"x"', '\n{"x"') + "\n")
