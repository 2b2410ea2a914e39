#!/usr/bin/python3
"""Writes pickle_golden.json beside itself: arrays of objects as NumPy saves them, and the
numbers in them. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/ingest/testdata/pickle_golden.py

Each is a file .npy, in base64. The numbers are what numpy.load returns, so they do not
depend on the reader that is tested.
"""
import base64
import io
import json
import pathlib
import pickle

import numpy as np

x = np.array([[0.5, -1.25], [3, 4], [1e-3, 7], [8, 9]])
y = np.array([2, 0, 1, 2])
names = ["oak", "ash", "fir", "oak"]


def saved(value, protocol=None):
    """The bytes of an array of objects that holds value, as numpy.savez(data=value) has them."""
    whole = np.empty((), object)
    whole[()] = value
    out = io.BytesIO()
    np.save(out, whole, allow_pickle=True)
    data = out.getvalue()
    if protocol is not None:
        data = data[:128] + pickle.dumps(whole, protocol=protocol)
    return data


cases = {
    "PFLlib": (saved({"x": x.astype("f4"), "y": y}), x.astype("f4"), y),
    "whole numbers": (saved({"x": (x * 4).astype("i2"), "y": y.astype("u1")}), (x * 4).astype("i2"), y),
    "the highest byte first": (saved({"x": x.astype(">f8"), "y": y.astype(">i4")}), x, y),
    "Fortran's order": (saved({"x": np.asfortranarray(x), "y": y}), x, y),
    "lists": (saved({"x": x.tolist(), "y": y.tolist()}), x, y),
    "tuples": (saved({"x": [tuple(r) for r in x.tolist()], "y": tuple(y.tolist())}), x, y),
    "a list of arrays": (saved({"x": list(x), "y": list(y)}), x, y),
    "texts": (saved({"x": x, "y": names}), x, names),
    "an array of texts": (saved({"x": x, "y": np.array(names)}), x, names),
    "an array of objects": (saved({"x": x, "y": np.array(names, object)}), x, names),
    "a table of objects": (saved({"x": x.astype(object), "y": y.astype(object)}), x, y),
    "a table of objects by columns": (saved({"x": np.asfortranarray(x.astype(object)), "y": y}), x, y),
    "other keys, too": (saved({"y": y, "more": None, "x": x}), x, y),
    "a dictionary alone": (saved(0)[:128] + pickle.dumps({"x": x, "y": y}, protocol=4), x, y),
    "NumPy 2": (saved({"x": x, "y": y}, 3).replace(b"numpy.core.", b"numpy._core."), x, y),
}
for protocol in (2, 3, 4):
    cases["protocol %d" % protocol] = (saved({"x": x, "y": y}, protocol), x, y)
out = {}
for name, (data, want, labels) in cases.items():
    if name != "NumPy 2":  # which this NumPy need not know
        held = np.load(io.BytesIO(data), allow_pickle=True)
        held = held if isinstance(held, dict) else held.item()
        assert np.array_equal(np.asarray(held["x"]), want) and list(held["y"]) == list(labels)
    out[name] = {
        "file": base64.b64encode(data).decode(),
        "x": np.asarray(want, float).tolist(),
        "y": [str(v) for v in labels],
    }
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, indent=1) + "\n")
