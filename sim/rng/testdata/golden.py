#!/usr/bin/python3
"""Writes golden.json beside itself: the first draws of some streams, computed
without Go. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/rng/testdata/golden.py

A stream is SplitMix64, started from its own finaliser of (seed, purpose, a, b).
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
        self.state = mix(h ^ b & MASK)

    def word(self):
        word = mix(self.state)
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        return word


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
