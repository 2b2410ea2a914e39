#!/usr/bin/python3
"""Writes golden.json beside itself: texts, and what scikit-learn's TfidfVectorizer makes
of them. Run by hand; Go only reads the JSON.

    /usr/bin/python3 sim/ingest/testdata/golden.py

Needs Debian's python3-sklearn.
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn.feature_extraction.text import TfidfVectorizer

rng = np.random.default_rng(1)

FRAMES = [
    "The {0} of {1} met the {2}, but no {3} came.",
    "A {0} in {1}: {2} & {3} (again)!",
    "{0} says \"{1}\" and 42 other {2}s have {3}-like rules; it is x.",
    "Über {0} wrote naïve letters to {1}, {2} and {3}_{0}.",
    "why, WHY does {0} cost $3.50 in {1}? {2}'s {3}",
]
NOUNS = "river minister robot market garden violin goal engine storm bank forest planet court editor harbour".split()


def text():
    words = [NOUNS[int(len(NOUNS) * rng.random() ** 2)] for _ in range(4)]
    return " ".join(rng.choice(FRAMES).format(*words) for _ in range(rng.integers(1, 4)))


train = sorted({text() for _ in range(70)})
test = [text() + " unseen words here" for _ in range(9)] + ["§ 7 – a b c nothing that anybody knew", "no no no no"]
v = TfidfVectorizer(max_features=1000)
rows = np.vstack([v.fit_transform(train).toarray(), v.transform(test).toarray()])
out = {
    "made_by": f"scikit-learn {sklearn.__version__}",
    "train": train,
    "test": test,
    "words": v.get_feature_names_out().tolist(),
    "rows": [{str(j): float(f"{row[j]:.8g}") for j in np.flatnonzero(row)} for row in rows],
}
path = pathlib.Path(__file__).with_name("golden.json")
path.write_text(json.dumps(out, ensure_ascii=False) + "\n")
