#!/usr/bin/python3
"""Computes the numbers and verdicts of a table of a paper anew from its file of results, and plays some of its runs anew.

    sim/lab/papers/reference/recompute.py [-reduced] [-data FOLDER]… [-replay N] NAME RESULTS.flock

flock (FLOCK, or the one on the path) prints the single runs; all else is computed here: means and deviations, paired
differences, bootstrap intervals, verdicts. They are compared with the page that flock reproduce -book -stored writes. -replay
takes N runs at random: their first rounds are played by the references of sim/algorithm/reference, in NumPy and in 64 bits,
from what flock export holds of them, and the ARI of every round is compared with the curve in the results. Networks with
convolutions have no such reference. Exit code 1 says that something differs. Needs NumPy and SciPy.
"""
import csv
import importlib
import io
import itertools
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import numpy as np
from scipy import stats

HERE = pathlib.Path(__file__).resolve().parent
FLOCK = os.environ.get("FLOCK", "flock")
ROUNDS = 10  # of a replay


def flock(*args, **how):
    done = subprocess.run([FLOCK, *args], capture_output=True, text=True, **how)
    if done.returncode != 0:
        sys.exit(f"flock {' '.join(args)}: {done.stderr.strip()}")
    return done.stdout


# ---- measures of a lane, as papers count them; None if there is none ------------------------------


def until(key, start):
    def get(lane):
        if lane.get(key) is not None:
            return lane[key] - start
        return lane["rounds"] if lane.get("ari") is not None else None
    return get


MEASURES = {
    "ARI": lambda lane: lane.get("ari"),
    "accuracy": lambda lane: lane.get("accuracy"),
    "loss": lambda lane: lane.get("loss"),
    "clusters": lambda lane: lane.get("clusters"),
    "ARI after round 10": lambda lane: lane.get("ari10"),
    "rounds until the clustering is correct, from 0; a run that fails counts as T": until("found", 1),
    "first round with an ARI of at least 0.9; a run that fails counts as T": until("first90", 0),
    "Val in its best round": lambda lane: lane.get("best_val"),
    "Test in its best round": lambda lane: lane.get("best_test"),
    "Test in Val's best round": lambda lane: lane.get("test_then"),
    "Val in Test's best round": lambda lane: lane.get("val_then"),
    "purity": lambda lane: lane.get("purity"),
    "models sent in both directions, over all clients": lambda lane: lane.get("transmissions"),
    "multiply-adds per client": lambda lane: lane.get("computed"),
    "floats per client until the clustering was first correct": lambda lane: lane.get("price"),
    "NMSE in dB": lambda lane: 10 * math.log10(72 * lane["loss"]) if lane.get("loss") else None,
}
COSTS = {name for name in MEASURES if name.startswith(("models sent", "multiply-adds", "floats"))}
LESS = {"loss", "NMSE in dB"} | COSTS | {name for name in MEASURES if "counts as T" in name}  # less is better
CHANCE = {"ARI": lambda lane: 0, "ARI after round 10": lambda lane: 0}
for names, lucky in ((("accuracy", "Test in Val's best round", "Val in Test's best round"), 0),
                     (("Val in its best round", "Test in its best round"), 0.05)):  # the best of many guesses
    for name in names:
        CHANCE[name] = lambda lane, lucky=lucky: (
            1 / lane["classes"] + lucky * math.sqrt(10 / lane["classes"]) if lane.get("classes", 0) > 1 else None)


# ---- statistics ------------------------------------------------------------------------------------


def interval(d):
    """The expanded percentile interval of Hesterberg (2015), section 4.4.1: all resamples of up to eight values, else
    100 000 at random, with how far the ends may be off for that reason."""
    d, n = np.asarray(d, float), len(d)
    alpha = stats.norm.cdf(-math.sqrt(n / (n - 1)) * stats.t.ppf(0.975, n - 1))
    if n > 8:
        draws = np.random.default_rng(1).integers(0, n, (100_000, n))
        means = d[draws].mean(axis=1)
        error = 4 * math.sqrt(alpha * (1 - alpha) / 10_000)  # of a share among the program's 10 000 resamples
        near = [np.quantile(means, [max(a - error, 0), a, min(a + error, 1)]) for a in (alpha, 1 - alpha)]
        return near[0][1], near[1][1], max(end[2] - end[0] for end in near) + 1e-9
    means, p = [], []
    for pick in itertools.combinations_with_replacement(range(n), n):
        counts = np.bincount(pick, minlength=n)
        means.append(d[list(pick)].mean())
        p.append(math.factorial(n) / math.prod(math.factorial(c) for c in counts) / n**n)
    order = np.argsort(means)
    means, p = np.array(means)[order], np.array(p)[order]
    low = means[np.searchsorted(np.cumsum(p), alpha - 1e-12)]
    high = means[::-1][np.searchsorted(np.cumsum(p[::-1]), alpha - 1e-12)]
    return low, high, 1e-9


def number(text):
    """A number of the page, and half a unit of its last digit."""
    text = text.replace("−", "-").replace("\u202f", "").replace(" ", "").replace("%", "")
    decimals = len(text.partition(".")[2])
    return float(text), 0.5001 * 10.0**-decimals


# ---- the table -------------------------------------------------------------------------------------


class Study:
    def __init__(self, name, results):
        text = (HERE.parent / "sweeps" / f"{name}.sweep").read_text()
        self.labels = {}  # of the values of rows
        for label, settings in re.findall(r"^row\s+([^|]*?)\s*\|\s*(.*)$", text, re.M):
            value = settings.partition("=")[2]
            self.labels[value] = self.labels[re.sub(r"^(digits|shapes|words)&", "samples&", value)] = label  # and on files
        records = {}
        for line in flock("results", "-jsonl", results).splitlines():
            r = json.loads(line)
            for lane in r.get("lanes", []):
                records[r["query"], lane["lane"]] = lane
        rows = list(csv.DictReader(io.StringIO(flock("results", "-csv", results))))
        axes = list(rows[0])[: list(rows[0]).index("seed")]
        self.runs = []  # names of the settings, method, seed, query, lane
        self.rows = {}  # by the name of a row, those of its settings
        for r in rows:
            lane = records.get((r["query"], r["lane"]))
            if lane is None:
                continue
            labelled = [(key, self.labels.get(r[key], r[key])) for key in axes if key != "algos"]
            names = {value for _, value in labelled} | {f"{key}={value}" for key, value in labelled}
            self.rows[", ".join(f"{key}={value}" for key, value in labelled)] = names
            where = tuple(r[key] for key in axes if key != "algos")
            self.runs.append((names, r["lane"], (where, int(r["seed"])), r["query"], lane))

    def of(self, row, method, measure):
        """The values of a method by setting and seed, each run once, with the queries and lanes."""
        wanted = set() if row == "*" else {part.strip() for part in row.split(",")}
        out = {}
        for names, lane_id, place, query, lane in self.runs:
            value = MEASURES[measure](lane)
            if lane_id == method and wanted <= names and value is not None and math.isfinite(value):
                out[place] = (value, query, lane)
        return out


def cells(line):
    parts = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    plain = lambda s: re.sub(r"\[([^\]]*)\]\([^ ]* \"[^\"]*\"\)", r"\1", s.strip()).replace("**", "").replace("\\", "")
    return [plain(p).replace("&lt;", "<") for p in parts]


def tables(page, heading):
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    lines = [l for l in section[1].splitlines() if l.startswith("|")] if section else []
    head = cells(lines[0]) if lines else []
    return [dict(zip(head, cells(l))) for l in lines[2:]]


def check_numbers(study, page):
    good = bad = skipped = 0
    for row in tables(page, "Paper and Flockscope"):
        m = row["measure"]
        if m not in MEASURES or row["here"] == "–":
            skipped += 1
            continue
        found = {query: value for value, query, _ in study.of(row["row"], row["method"], m).values()}
        values = np.array(list(found.values()))
        mine = [values.mean(), values.std(ddof=1) if len(values) > 1 else 0.0]
        shown = re.sub(r"\(.*\)", "", row["here"])  # without how many succeed
        scale, theirs = 100 if "%" in shown else 1, shown.split("±")
        right = len(values) == int(row["runs"])
        for v, text in zip(mine, theirs):
            want, half = number(text.strip())
            right = right and abs(scale * v - want) <= half
        good, bad = good + right, bad + (not right)
        if not right:
            print(f"differs: {row['row']}, {row['method']}, {m}: the page has {row['here']} of {row['runs']} runs, "
                  f"here {scale * mine[0]:.5g} ± {scale * mine[1]:.3g} of {len(values)}")
    return good, bad, skipped


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def judge(study, here, there, a, b, m, smaller):
    """The differences of a claim and what they say: a word, and whether an end of the interval is too near to zero to tell."""
    bound = sign = None
    if is_number(a):  # the number exceeds the method's
        a, b, bound, sign = b, "", float(a), -1
    elif is_number(b):
        bound, sign = float(b), 1
    first = study.of(here, a, m)
    if bound is None:
        second = study.of(there or here, b, m)
        if there:
            places = [list(dict.fromkeys(where for where, _ in x)) for x in (first, second)]
            partner = dict(zip(places[1], places[0]))
            second = {(partner[where], seed): run for (where, seed), run in second.items()}
    d, seen = [], set()
    for place, (v, query, _) in first.items():
        if bound is not None:
            pair, w = (query, ""), bound
        elif place in second:
            pair, w = (query, second[place][1]), second[place][0]
        else:
            continue
        if pair not in seen:
            seen.add(pair)
            d.append(0.0 if abs(v - w) <= 1e-7 * max(abs(v), abs(w)) else (v - w) * (sign or 1))
    n = len(d)
    if n == 0 or bound is not None and smaller:
        return d, "not judged", False
    low, high, slack = interval(d) if n > 1 else (math.nan, math.nan, 0)
    better = first
    if bound is None and (float(np.mean(d)) < 0) == (m not in LESS):
        better = second
    above = {query: v - CHANCE[m](lane) for v, query, lane in better.values()
             if m in CHANCE and CHANCE[m](lane) is not None}
    guesses = bound is None and len(above) > 0 and not (len(above) > 1 and interval(list(above.values()))[0] > 0)
    if n < 5 or guesses:
        return d, "undecided", False
    return d, "holds" if low > 0 else "does not hold" if high < 0 else "undecided", min(abs(low), abs(high)) <= slack


def check_claims(study, page, smaller):
    good = bad = skipped = 0
    for row in tables(page, "Claims"):
        a, _, b = (s.strip() for s in row["claim"].partition(">"))
        m = row["measure"]
        if m not in MEASURES:
            skipped += 1
            continue
        said = row["here"].partition(":")[0]
        here, _, there = (s.strip() for s in row["row"].partition(" > "))  # a claim on two rows pairs their settings in order
        of, _, name = here.partition(": ")
        if re.search(r"(^|, )each$", of):  # the claim is about every row by itself, of some
            among = {part.strip() for part in of.split(",")} - {"each"}
            rows = [judge(study, r, "", a, b, m, smaller) for r, names in study.rows.items() if among <= names]
            rows = [r for r in rows if r[0]]
            words = [word for _, word, _ in rows]
            word = next(w for w in ("does not hold", "undecided", "holds", "not judged") if w in words)
            near = any(r[2] for r in rows)
            ranks = [interval(r[0])[0] if len(r[0]) > 1 else -math.inf for r in rows if r[1] == word]
            d = judge(study, name, "", a, b, m, smaller)[0]
            least = not near and min(ranks) < (interval(d)[0] if len(d) > 1 else -math.inf) - interval(d)[2]
        else:
            d, word, near = judge(study, here, there, a, b, m, smaller)
            least = False
        n = len(d)
        right = (near or said == word) and not least
        if n > 0:
            want, half = number(row["mean difference"])
            right = right and abs(np.mean(d) - want) <= max(half, 1e-4 * abs(want)) and row["pairs for it"].endswith(f"of {n}")
            ends = row["95% interval"].split(" to ")
            if len(ends) == 2:
                for mine, text in zip(interval(d), ends):
                    want, half = number(text)
                    right = right and abs(mine - want) <= half + interval(d)[2]
        good, bad = good + right, bad + (not right)
        if not right:
            print(f"differs: {row['row']}: {row['claim']}, {m}: the page says {row['mean difference']}, {row['95% interval']}, "
                  f"{row['pairs for it']}, {row['here']}; here {np.mean(d) if d else math.nan:.5g} of {n}, {word}")
    return good, bad, skipped


# ---- replays ---------------------------------------------------------------------------------------


def ari(a, b):
    """The adjusted Rand index (Hubert and Arabie, 1985)."""
    table = np.zeros((max(a) + 1, max(b) + 1))
    np.add.at(table, (a, b), 1)
    pairs = lambda n: float((n * (n - 1) / 2).sum())
    both, rows, columns, all_ = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0)), pairs(np.array([len(a)]))
    expected, most = rows * columns / all_, (rows + columns) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def replay(study, n, data, folder):
    sys.path.insert(0, str(HERE.parents[2] / "algorithm" / "reference"))
    import check, replay as shared
    good = bad = skipped = 0
    chosen = sorted({query: lane for _, _, _, query, lane in study.runs}.items())
    for query, lane in random.Random(1).sample(chosen, min(n, len(chosen))):
        T = min(lane["rounds"], ROUNDS)
        if "stop=1" in query:  # CFL-GP's clustering cannot stop in the first tenth of the rounds
            T = max(1, min(T, lane["rounds"] // 10))
        method = lane["lane"].partition(":")[0]
        file = os.path.join(folder, "run.npz")
        short = re.sub(r"&T=\d+", "", query).replace("stop=1", "stop=0") + f"&T={T}"
        pathlib.Path(file).unlink(missing_ok=True)
        try:
            done = subprocess.run([FLOCK, "export", "-rounds", "-o", file, *data, short], capture_output=True, text=True)
            if done.returncode != 0:
                raise NotImplementedError(done.stderr.strip().splitlines()[-1])
            run = shared.Run(file)
            rounds = importlib.import_module(method).Reference(run, 0).play()
        except (NotImplementedError, AssertionError, ModuleNotFoundError, KeyError) as why:
            print(f"not replayed: {query}: {str(why)[:200]}")
            skipped += 1
            continue
        group = np.asarray(run["group"], int)
        points = min(lane["rounds"], 40)
        worst = 0.0
        for i, want in enumerate(lane.get("curve_ari", [])):
            t = i * lane["rounds"] // points
            if 1 <= t <= T:
                worst = max(worst, abs(ari(rounds[t - 1]["label"], group) - want))
        labels = all((np.array(r["label"]) == run["lane0.label"][t]).all() for t, r in enumerate(rounds, 1))
        right = labels and worst <= 1e-4
        good, bad = good + right, bad + (not right)
        print(f"{'replayed' if right else 'DIFFERS'}: {T} rounds of {query}: labels {'equal' if labels else 'differ'}, "
              f"ARI within {worst:.1g}")
    return good, bad, skipped


def main(args):
    data, reduced, n, rest = [], [], 0, []
    while args:
        a = args.pop(0)
        if a == "-data":
            data += ["-data", os.path.abspath(args.pop(0))]
        elif a == "-reduced":
            reduced = [a]
        elif a == "-replay":
            n = int(args.pop(0))
        else:
            rest.append(a)
    if len(rest) != 2:
        sys.exit(__doc__)
    name, results = rest[0], os.path.abspath(rest[1])
    study = Study(name, results)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(results, folder)
        flock("reproduce", *reduced, "-stored", "-book", "book", *data, name, cwd=folder)
        pages = list(pathlib.Path(folder, "book", "results").glob("*.md"))
        if len(pages) != 1:
            sys.exit(f"{results} is not the file of results of {name}: {len(pages)} pages")
        page = pages[0].read_text()
        counts = {"numbers": check_numbers(study, page),
                  "claims": check_claims(study, page, bool(reduced) or "Smaller than the paper by a factor" in page)}
        if reduced:
            del counts["numbers"]  # the page has none
        if n > 0:
            counts["replays"] = replay(study, n, data, folder)
    for what, (good, bad, skipped) in counts.items():
        print(f"{name}: {what}: {good} agree, {bad} differ, {skipped} not compared")
    return 1 if any(bad or good == 0 for good, bad, _ in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
