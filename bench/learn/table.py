"""bench/learn/table.py [--data DIR] [--repetitions N] [--epsilon E] [--tacit PROGRAM] [--only LIST] [--no-peers]

Linear regression of NIST's incomes on five columns: the relative error of the coefficients (with all
columns in units of their public ranges; the median of the repetitions), and how often the noise's
intervals hold the exact coefficients. Each repetition is a release of its own, of the whole table.
Classes of UCI's Adult by every model of cells: adult.py.
Then a million invented rows of 5 features: seconds of the first question and of the stored answer.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from adult import adult

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = """tacit: 1
engine: {{kind: duckdb, path: data.duckdb}}
ledger: {{kind: sqlite, path: ledger.sqlite}}
privacy:
  neighbours: {neighbours}
  accounting: {accounting}
  budget: {{epsilon: 1e9, delta: 1e-6}}
  query: {{epsilon: 1, epsilon_max: 1e6, delta: 0}}
tables:
  people:
    unit: id
    rows_per_unit: 1
    columns:
      id: {{hidden: true}}
"""
# By what the columns mean, not by the rows: ages, codes of the questionnaire, incomes up to 200,000.
COLUMNS = [("PINCP", 0, 200_000), ("AGEP", 0, 100), ("SEX", 1, 2), ("EDU", 1, 12), ("DPHY", 1, 2),
           ("DREM", 1, 2)]
FEATURES_OF_LARGE = 5


def tacit(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def solve(matrix, right):
    """Gauss, for a handful of columns."""
    size = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(size):
            if j == i:
                continue
            factor = rows[j][i] / rows[i][i]
            rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def least_squares(rows):
    terms = [[1.0, *row[1:]] for row in rows]
    size = len(terms[0])
    gram = [[sum(t[i] * t[j] for t in terms) for j in range(size)] for i in range(size)]
    return solve(gram, [sum(t[i] * row[0] for t, row in zip(terms, rows)) for i in range(size)])


def deployment(program, folder, names, ranges, lines, neighbours, accounting):
    file = folder / "people.csv"
    with open(file, "w", encoding="utf-8") as out:
        out.write(",".join(["id", "zero", *names]) + "\n")
        out.writelines(lines)
    where = folder / f"{neighbours}_{accounting}"
    tacit(program, "init", where, "--table", f"people={file}", "--unit", "people.id")
    policy = HEAD.format(neighbours=neighbours, accounting=accounting)
    policy += "".join(f"      {name}: {{bounds: [{low}, {high}]}}\n" for name, (low, high) in zip(names, ranges))
    (where / "tacit.yaml").write_text(policy, encoding="utf-8")
    return where


def scaled(coefficients):
    """Slopes, in units of the public ranges."""
    _, low, high = COLUMNS[0]
    return [c * (h - l) / (high - low) for c, (_, l, h) in zip(coefficients[1:], COLUMNS[1:])]


def relative_error(found, exact):
    a, b = scaled(found), scaled(exact)
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)) / sum(y * y for y in b))


def read_nist(data):
    """Rows without gaps; what lies outside the ranges counts as their ends, for everybody."""
    rows = []
    with open(pathlib.Path(data) / "sdnist_national2019.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            cells = [row[name] for name, _, _ in COLUMNS]
            if any(cell in ("", "N") for cell in cells):
                continue
            rows.append([min(max(float(c), l), h) for c, (_, l, h) in zip(cells, COLUMNS)])
    return rows


def ours(wanted, box, rows, exact, neighbours, accounting):
    names = [name.lower() for name, _, _ in COLUMNS]
    lines = (f"{i},0," + ",".join(f"{value:g}" for value in row) + "\n" for i, row in enumerate(rows))
    where = deployment(wanted.tacit, box, names, [(l, h) for _, l, h in COLUMNS], lines, neighbours, accounting)
    errors, held, with_intervals = [], 0, 0
    for k in range(wanted.repetitions):
        # A filter that lets every row pass makes another question of it.
        sql = (f"SELECT * FROM tacit.linear_regression('SELECT {', '.join(names)} FROM people WHERE zero > {-1 - k}', "
               f"target => 'pincp')")
        answer = json.loads(tacit(wanted.tacit, "query", where, sql, "--epsilon", wanted.epsilon, "--format", "json"))
        errors.append(relative_error([row[1] or 0.0 for row in answer["rows"]], exact))
        for row, truth in zip(answer["rows"], exact):
            if row[2] is not None:
                with_intervals += 1
                held += abs(row[1] - truth) <= 1.96 * row[2]
    return errors, held, with_intervals


def peers(wanted, rows):
    """diffprivlib's coefficients, by peers.py in a venv under build/; None where it cannot be had."""
    python = ROOT / "build" / "peers" / "bin" / "python3"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True, capture_output=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "diffprivlib"], check=True, capture_output=True,
                       timeout=900)
        wish = {"rows": rows, "low": [l for _, l, _ in COLUMNS], "high": [h for _, _, h in COLUMNS],
                "epsilon": wanted.epsilon, "repetitions": wanted.repetitions}
        done = subprocess.run([str(python), str(ROOT / "bench" / "learn" / "peers.py")], input=json.dumps(wish),
                              check=True, capture_output=True, text=True, timeout=1200)
        return json.loads(done.stdout)
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        print(f"diffprivlib was not measured: {error}", file=sys.stderr)
        return None


def say(who, errors, held="", of=0):
    low, mid, high = (sorted(errors)[int(q * (len(errors) - 1))] for q in (0.1, 0.5, 0.9))
    covered = f"{100 * held / of:.1f} % of {of}" if of else "none given"
    print(f"{who:<34}{mid:>9.4f}{low:>9.4f}{high:>9.4f}   {covered}", flush=True)
    return statistics.median(errors)


def nist(wanted):
    if not wanted.data:
        print("without --data: no regression of NIST's incomes", file=sys.stderr)
        return
    rows = read_nist(wanted.data)
    exact = least_squares(rows)
    print(f"NIST national2019, {len(rows)} rows without gaps: income on {len(COLUMNS) - 1} columns, epsilon "
          f"{wanted.epsilon:g}, {wanted.repetitions} repetitions")
    print(f"{'relative error of the coefficients':<34}{'median':>9}{'10 %':>9}{'90 %':>9}   noise's intervals held")
    with tempfile.TemporaryDirectory() as box:
        for neighbours, accounting in (("add_remove", "pure"), ("replace_one", "pure"), ("add_remove", "zcdp")):
            errors, held, of = ours(wanted, pathlib.Path(box), rows, exact, neighbours, accounting)
            say(f"tacit, {neighbours}, {accounting}", errors, held, of)
    theirs = None if wanted.no_peers else peers(wanted, rows)
    if theirs:
        say("diffprivlib, replace_one, pure", [relative_error(found, exact) for found in theirs])


def large(wanted):
    draw = random.Random(20261119)
    names = ["y"] + [f"x{i}" for i in range(1, FEATURES_OF_LARGE + 1)]

    def lines():
        for i in range(1_000_000):
            cells = [draw.random() for _ in range(FEATURES_OF_LARGE)]
            y = sum(cells) / FEATURES_OF_LARGE + 0.1 * (draw.random() - 0.5)
            yield f"{i},0,{y:.4f}," + ",".join(f"{c:.4f}" for c in cells) + "\n"

    with tempfile.TemporaryDirectory() as name:
        where = deployment(wanted.tacit, pathlib.Path(name), names, [(0, 1)] * len(names), lines(), "add_remove", "pure")
        tacit(wanted.tacit, "prepare", where)
        sql = f"SELECT * FROM tacit.linear_regression('SELECT {', '.join(names)} FROM people', target => 'y')"
        for what in ("first", "stored"):
            begin = time.monotonic()
            tacit(wanted.tacit, "query", where, sql, "--epsilon", wanted.epsilon)
            print(f"1,000,000 rows, {FEATURES_OF_LARGE} features, {what}: {time.monotonic() - begin:.2f} s", flush=True)
        for model in ("logistic", "boost"):
            rows = f"SELECT y > 0.5 AS above, {', '.join(names[1:])} FROM people"
            begin = time.monotonic()
            tacit(wanted.tacit, "learn", model, where, rows, "--target", "above", "--epsilon", wanted.epsilon)
            print(f"1,000,000 rows, {FEATURES_OF_LARGE} features in bins, {model}: {time.monotonic() - begin:.2f} s",
                  flush=True)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"most memory of any command, import included: {most:.0f} MB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=os.environ.get("TACIT_DATA"))
    parser.add_argument("--repetitions", type=int, default=50)
    parser.add_argument("--epsilon", type=float, default=1)
    parser.add_argument("--tacit", default=str(ROOT / "build" / "release" / "tacit"))
    parser.add_argument("--only", default="nist,adult,large")
    parser.add_argument("--no-peers", action="store_true")
    wanted = parser.parse_args()
    if "nist" in wanted.only.split(","):
        nist(wanted)
    if "adult" in wanted.only.split(","):
        adult(wanted)
    if "large" in wanted.only.split(","):
        large(wanted)


main()
