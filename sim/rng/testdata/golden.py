#!/usr/bin/python3
"""Writes golden.json beside itself: the first draws of some streams, computed
without Go. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/rng/testdata/golden.py

A stream is PCG-DXSM with 128 bits of state, as in Go's math/rand/v2 and in
NumPy, started from SplitMix64 finalisers of (seed, purpose, a, b).
"""
import json
import pathlib
import sys

MASK = 2 ** 64 - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


class Stream:
    def __init__(self, seed, purpose, a, b):
        h = mix(seed ^ 0x9E3779B97F4A7C15)
        h = mix(h ^ purpose)
        h = mix(h ^ a & MASK)
        low = mix(h ^ b & MASK)
        self.state = low << 64 | mix(low ^ 0xD1B54A32D192ED03)

    def word(self):
        mul = 2549297995355413924 << 64 | 4865540595714422341
        inc = 6364136223846793005 << 64 | 1442695040888963407
        self.state = (self.state * mul + inc) & (2 ** 128 - 1)
        hi, lo = self.state >> 64, self.state & MASK
        hi ^= hi >> 32
        hi = hi * 0xDA942042E4DD58B5 & MASK
        hi ^= hi >> 48
        return hi * (lo | 1) & MASK


cases = []
for args in [(0, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 11), (1, 1, 200, 3), (1, 2, 2, 0), (1, 3, 11, 0), (1, 4, 199, 0),
             (4294967295, 1, 5000, 1999), (2 ** 64 - 1, 4, -1, -2)]:
    s = Stream(*args)
    words = [s.word() for _ in range(4)]
    cases.append({
        "seed": str(args[0]), "purpose": args[1], "a": args[2], "b": args[3],
        "words": ["%016x" % w for w in words],
        "float64": [(w >> 11) / 2 ** 53 for w in words],
        "dice": [w * 6 >> 64 for w in words],
    })
text = json.dumps({"versions": {"python": sys.version.split()[0]}, "cases": cases}).replace('{"seed"', '\n{"seed"')
(pathlib.Path(__file__).parent / "golden.json").write_text(text + "\n")
