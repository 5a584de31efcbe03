"""Classes told apart: whether an income is above 50,000, of UCI's Adult, by 12 columns.

Each repetition learns from four fifths of the rows, and is tried on the rest: the share that is guessed right, and the
area under the ROC curve. Beside it diffprivlib with its bounds passed in, and a fit without privacy, where they can be
had. Under zCDP tacit pays the rho of which (epsilon, 1e-6) follows.
"""
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBERS = {"age": (17, 90), "education_num": (1, 16), "capital_gain": (0, 100000), "capital_loss": (0, 5000),
           "hours_per_week": (1, 100)}
TEXTS = ["workclass", "marital_status", "occupation", "relationship", "race", "sex", "native_country"]
# What crowds at one end is looked at by its logarithm: known of gains and losses, and not read off the rows.
ROWS = ("SELECT rich, age, education_num, ln(capital_gain + 1) AS gain, ln(capital_loss + 1) AS loss, hours_per_week, "
        + ", ".join(TEXTS) + " FROM people WHERE fold <> {fold} AND age > {below}")
MODELS = ["bayes", "svm", "logistic", "tree", "boost"]
DELTA = 1e-6


def read(data):
    with open(pathlib.Path(data) / "adult_48842.csv", encoding="utf-8") as file:
        rows = [{name.replace("-", "_"): value.strip() for name, value in row.items()} for row in csv.DictReader(file)]
    draw = random.Random(1)
    for row in rows:
        row["fold"] = draw.randrange(5)
        row["rich"] = row["income_per_year"].startswith(">50K")
    return rows


def rho_of(epsilon):
    """By the simplest conversion, which is not the best: rho + 2 sqrt(rho ln(1 / delta)) = epsilon."""
    least = math.sqrt(math.log(1 / DELTA))
    return (math.sqrt(least * least + epsilon) - least) ** 2


def make(wanted, box, rows, accounting):
    file = box / "people.csv"
    names = [*NUMBERS, *TEXTS, "fold", "rich"]
    with open(file, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["id", *names])
        writer.writerows([i, *(row[name] for name in names)] for i, row in enumerate(rows))
    where = box / accounting
    run(wanted.tacit, "init", where, "--table", f"people={file}", "--unit", "people.id")
    columns = [f"      {name}: {{bounds: [{low}, {high}]}}" for name, (low, high) in NUMBERS.items()]
    columns += [f"      {name}: {{keys: {json.dumps(sorted({row[name] for row in rows}))}}}" for name in TEXTS]
    (where / "tacit.yaml").write_text("\n".join([
        "tacit: 1", "engine: {kind: duckdb, path: data.duckdb}", "ledger: {kind: sqlite, path: ledger.sqlite}",
        "privacy:", "  neighbours: add_remove", f"  accounting: {accounting}",
        "  budget: {epsilon: 1e9, delta: 1e-6}", "  query: {epsilon: 1, epsilon_max: 1e6, delta: 0}",
        "tables:", "  people:", "    unit: id", "    rows_per_unit: 1", "    columns:", "      id: {hidden: true}",
        *columns, ""]), encoding="utf-8")
    for fold in range(5):
        with open(box / f"test{fold}.csv", "w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow([*names, "gain", "loss"])
            for row in rows:
                if row["fold"] == fold:
                    logs = [math.log(float(row[name]) + 1) for name in ("capital_gain", "capital_loss")]
                    writer.writerow([*(row[name] for name in names), *(f"{value:.9f}" for value in logs)])
    return where


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def area(truth, scores):
    """Under the ROC curve, ties counted half."""
    order = sorted(zip(scores, truth))
    positive = sum(truth)
    ranks = begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and order[end][0] == order[begin][0]:
            end += 1
        ranks += sum(y for _, y in order[begin:end]) * (begin + 1 + end) / 2
        begin = end
    return (ranks - positive * (positive + 1) / 2) / (positive * (len(order) - positive))


def ours(wanted, box, where, model, epsilon):
    found, seconds = [], []
    for k in range(wanted.repetitions):
        fold = k % 5
        begin = time.monotonic()
        # A condition that every row meets makes another question of it.
        run(wanted.tacit, "learn", model, where, ROWS.format(fold=fold, below=-k - 1),
            "--target", "rich", "--epsilon", epsilon, "--out", box / "model.json")
        seconds.append(time.monotonic() - begin)
        rows = list(csv.DictReader(run(wanted.tacit, "predict", box / "model.json", box / f"test{fold}.csv").splitlines()))
        truth = [row["rich"] == "True" for row in rows]
        score = "rich_margin" if "rich_margin" in rows[0] else "rich_probability"
        found.append((sum((row["rich_predicted"] == "true") == y for row, y in zip(rows, truth)) / len(rows),
                      area(truth, [float(row[score]) for row in rows])))
    return found, sum(seconds) / len(seconds)


def peers(wanted, rows):
    """The same of others, by adult_peers.py in a venv under build/; None where it cannot be had."""
    python = ROOT / "build" / "peers" / "bin" / "python3"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True, capture_output=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "diffprivlib"], check=True, capture_output=True,
                       timeout=900)
        wish = {"rows": rows, "numbers": NUMBERS, "texts": TEXTS, "epsilon": wanted.epsilon,
                "repetitions": wanted.repetitions}
        done = subprocess.run([str(python), str(ROOT / "bench" / "learn" / "adult_peers.py")], input=json.dumps(wish),
                              check=True, capture_output=True, text=True, timeout=3600)
        return json.loads(done.stdout)
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        print(f"others were not measured: {error}", file=sys.stderr)
        return {}


def say(who, found, seconds=None):
    right, under = (sum(values) / len(values) for values in zip(*found))
    spread = max(abs(accuracy - right) for accuracy, _ in found)
    took = "" if seconds is None else f"{seconds:>8.1f} s"
    print(f"{who:<44}{right:>9.4f}{spread:>9.4f}{under:>9.4f}{took}", flush=True)


def adult(wanted):
    if not wanted.data:
        print("without --data: no classes of Adult", file=sys.stderr)
        return
    rows = read(wanted.data)
    print(f"Adult, {len(rows)} rows: income above 50,000 by 12 columns, epsilon {wanted.epsilon:g}, "
          f"{wanted.repetitions} repetitions")
    print(f"{'':<44}{'right':>9}{'+-':>9}{'AUC':>9}   learning")
    with tempfile.TemporaryDirectory() as name:
        for accounting in ("pure", "zcdp"):
            where = make(wanted, pathlib.Path(name), rows, accounting)
            # A price of epsilon under zCDP is a rho of epsilon^2 / 2.
            epsilon = wanted.epsilon if accounting == "pure" else round(math.sqrt(2 * rho_of(wanted.epsilon)), 4)
            for model in MODELS:
                say(f"tacit, {model}, {accounting if accounting == 'pure' else f'({wanted.epsilon:g}, 1e-6)'}",
                    *ours(wanted, pathlib.Path(name), where, model, epsilon))
    if not wanted.no_peers:
        for who, found in peers(wanted, rows).items():
            say(who, found)
