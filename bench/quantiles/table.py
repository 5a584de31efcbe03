"""bench/quantiles/table.py [--data DIR] [--repetitions N] [--epsilon E] [--tacit PROGRAM] [--no-peers]

Mean errors of percentiles and extremes, in values and in ranks, and how often the claims hold:
"ranks" is the share of answers whose rank is within the error that was said before, "±" the share
whose margin holds the true value. Each repetition is a release of its own, of the whole table.
"""
import argparse
import bisect
import csv
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
POLICY = """tacit: 1
engine: {{kind: duckdb, path: data.duckdb}}
ledger: {{kind: sqlite, path: ledger.sqlite}}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {{epsilon: 1e9, delta: 0.5}}
  query: {{epsilon: 1, epsilon_max: 1e6, delta: 0}}
tables:
  people:
    unit: id
    rows_per_unit: 1
    columns:
      id: {{hidden: true}}
      zero: {{}}
      x: {{bounds: [{low}, {high}]}}
"""
# Aggregates of one question, each with the whole epsilon; with their intervals at most 32 (the rule).
TOGETHER = 10
# Half of a percentile's price buys an interval; an array of percentiles has none, and the whole price.
QUESTIONS = [("0.5", "", "percentile_disc(0.5) WITHIN GROUP (ORDER BY x)"),
             ("0.9", "", "percentile_disc(0.9) WITHIN GROUP (ORDER BY x)"),
             ("0.5", " alone", "percentile_disc(ARRAY[0.5]) WITHIN GROUP (ORDER BY x)"),
             ("0.9", " alone", "percentile_disc(ARRAY[0.9]) WITHIN GROUP (ORDER BY x)"),
             ("max", "", "max(x)")]


def invented():
    """Whole numbers, as incomes are, most of them far below the bound."""
    draw = random.Random(20261117)
    return [min(1_500_000, int(draw.lognormvariate(10.9, 0.8))) for _ in range(50_000)]


def column(path, name):
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader(file, skipinitialspace=True)
        texts = [row[name].strip() for row in rows]
    return [int(float(text)) for text in texts if text not in ("", "?", "N")]


def cases(data):
    yield "invented income", invented(), 0, 1_500_000
    if not data:
        print("without --data: no columns of Adult and NIST's excerpts", file=sys.stderr)
        return
    folder = pathlib.Path(data)
    yield "Adult fnlwgt", column(folder / "adult_48842.csv", "fnlwgt"), 0, 1_500_000
    yield "Adult age", column(folder / "adult_48842.csv", "age"), 0, 120
    yield "NIST income", column(folder / "sdnist_national2019.csv", "PINCP"), 0, 1_500_000


class Truth:
    def __init__(self, values, low, high):
        self.sorted = sorted(min(max(value, low), high) for value in values)

    def quantile(self, q):
        return self.sorted[max(0, math.ceil(q * len(self.sorted)) - 1)]

    def ranks_off(self, value, q):
        """From the wished rank to the ranks of the value; of the largest, from the last row."""
        wished = q * len(self.sorted)
        below = bisect.bisect_left(self.sorted, value)
        up_to = bisect.bisect_right(self.sorted, value)
        return max(0, below - wished, wished - up_to)


def tacit(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def deployment(program, folder, values, low, high):
    rows = "".join(f"{i},0,{value}\n" for i, value in enumerate(values))
    (folder / "people.csv").write_text("id,zero,x\n" + rows, encoding="utf-8")
    tacit(program, "init", folder / "d", "--table", f"people={folder / 'people.csv'}", "--unit", "people.id")
    (folder / "d" / "tacit.yaml").write_text(POLICY.format(low=low, high=high), encoding="utf-8")
    return folder / "d"


def answers(program, where, aggregate, epsilon, repetitions):
    """(value, claimed ranks or None, margin or None) of each repetition."""
    found, asked = [], 0
    while len(found) < repetitions:
        # A filter that lets every row pass makes another question of it.
        items = [f"{aggregate} FILTER (WHERE zero > {-1 - asked - i}) AS a{i}" for i in range(TOGETHER)]
        asked += TOGETHER
        text = tacit(program, "query", where, "SELECT " + ", ".join(items) + " FROM people",
                     "--epsilon", epsilon * TOGETHER, "--format", "json")
        answer = json.loads(text)
        errors = {error["column"]: error for error in answer["error"]}
        for i, value in enumerate(answer["rows"][0]):
            error = errors.get(f"a{i}", {})
            ranks = error.get("ranks95", error.get("moe95"))
            number = float(str(value[0] if isinstance(value, list) else value).strip("{}"))
            found.append((number, ranks, error["moe95"] if "ranks95" in error else None))
    return found[:repetitions]


def share(hits, of):
    return f"{100 * hits / of:6.1f} %" if of else f"{'-':>8}"


def peers(values, low, high, epsilon, repetitions):
    """OpenDP's errors by quantile, by peers.py in a venv under build/; {} where it cannot be had."""
    python = ROOT / "build" / "peers" / "bin" / "python3"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True, capture_output=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "opendp"], check=True, capture_output=True,
                       timeout=600)
        wish = {"values": values, "low": low, "high": high, "epsilon": epsilon, "repetitions": repetitions,
                "quantiles": sorted({name for name, _, _ in QUESTIONS} - {"max"})}
        done = subprocess.run([str(python), str(ROOT / "bench" / "quantiles" / "peers.py")], input=json.dumps(wish),
                              check=True, capture_output=True, text=True, timeout=1200)
        return json.loads(done.stdout)
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        print(f"OpenDP was not measured: {error}", file=sys.stderr)
        return {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=os.environ.get("TACIT_DATA"))
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--epsilon", type=float, default=1)
    parser.add_argument("--tacit", default=str(ROOT / "build" / "release" / "tacit"))
    parser.add_argument("--no-peers", action="store_true")
    wanted = parser.parse_args()
    print(f"epsilon {wanted.epsilon:g} a question, {wanted.repetitions} repetitions, mean errors")
    print(f"{'column':<16}{'rows':>7}{'question':>10}{'truth':>9}{'error':>9}{'ranks':>8}{'claimed':>9}"
          f"{'held':>8}{'± held':>8}{'OpenDP':>9}{'ratio':>7}")
    for name, values, low, high in cases(wanted.data):
        truth = Truth(values, low, high)
        other = {} if wanted.no_peers else peers(values, low, high, wanted.epsilon, wanted.repetitions)
        with tempfile.TemporaryDirectory() as box:
            where = deployment(wanted.tacit, pathlib.Path(box), values, low, high)
            for question, how, aggregate in QUESTIONS:
                q = 1.0 if question == "max" else float(question)
                true = truth.quantile(q)
                found = answers(wanted.tacit, where, aggregate, wanted.epsilon, wanted.repetitions)
                error = sum(abs(value - true) for value, _, _ in found) / len(found)
                ranks = [truth.ranks_off(value, q) for value, _, _ in found]
                said = [(off, claimed) for off, (_, claimed, _) in zip(ranks, found) if claimed is not None]
                held = sum(off <= claimed for off, claimed in said)
                claim = f"{said[0][1]:>9.0f}" if said else f"{'-':>9}"
                with_margin = [(value, margin) for value, _, margin in found if margin is not None]
                covered = sum(abs(value - true) <= margin for value, margin in with_margin)
                theirs = other.get(question)
                beside = f"{theirs:>9.1f}{error / theirs if theirs else 1:>7.2f}" if theirs is not None else ""
                print(f"{name:<16}{len(values):>7}{question + how:>10}{true:>9}{error:>9.1f}"
                      f"{sum(ranks) / len(ranks):>8.1f}{claim}{share(held, len(said))}"
                      f"{share(covered, len(with_margin))}{beside}", flush=True)


main()
