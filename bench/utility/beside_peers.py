"""Single questions about Adult at epsilon 1: Tacit's mean errors, whether its margins hold, and its peers' errors."""
import collections
import csv
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
POLICY = """tacit: 1
engine: {{kind: duckdb, path: data.duckdb}}
ledger: {{kind: sqlite, path: ledger.sqlite}}
privacy:
  neighbours: add_remove
  accounting: {accounting}
  budget: {{epsilon: 1e9, delta: 0.5}}
  query: {{epsilon: 1, epsilon_max: 1e3, delta: 1e-9}}
tables:
  adult:
    unit: row
    columns:
      age: {{bounds: [0, 120]}}
      hours: {{bounds: [0, 100]}}
      weight: {{bounds: [0, 1500000]}}
      education: {{keys: {levels}}}
"""
FIELDS = {"income": "income-per-year", "education": "education", "country": "native-country", "age": "age",
          "hours": "hours-per-week", "weight": "fnlwgt"}
# A median among few values is mostly right; percentiles with an interval spend half of their price on it.
QUESTIONS = {
    "count": "SELECT count(*) FROM adult WHERE income = '>50K'",
    "sum": "SELECT sum(hours) FROM adult",
    "average": "SELECT avg(hours) FROM adult",
    "deviation": "SELECT stddev_pop(age) FROM adult",
    "median": "SELECT percentile_disc(ARRAY[0.5]) WITHIN GROUP (ORDER BY age) FROM adult",
    "0.9 quantile": "SELECT percentile_disc(ARRAY[0.9]) WITHIN GROUP (ORDER BY weight) FROM adult",
    "counts by key": "SELECT education, count(*) FROM adult GROUP BY education",
    "averages by key": "SELECT education, avg(hours) FROM adult GROUP BY education",
}
# smartnoise-sql needs an older OpenDP, diffprivlib an older scikit-learn, and Tumult an older Spark: rooms of their own.
ROOMS = {"peers": (["OpenDP", "diffprivlib", "PyDP", "PipelineDP"],
                   ["opendp", "diffprivlib", "scikit-learn<1.6", "python-dp", "pipeline-dp"]),
         "peers-sql": (["SmartNoise SQL"], ["smartnoise-sql==1.0.10"]),
         "peers-tumult": (["Tumult"], ["tmlt.analytics"])}


def read(data):
    with open(pathlib.Path(data) / "adult_48842.csv", newline="", encoding="utf-8") as file:
        return [[row[field].strip() for field in FIELDS.values()] for row in csv.DictReader(file, skipinitialspace=True)]


def truths(rows):
    hours = collections.defaultdict(list)
    for row in rows:
        hours[row[1]].append(int(row[4]))
    age, worked, weight = ([int(row[i]) for row in rows] for i in (3, 4, 5))
    quantile = lambda values, q: sorted(values)[max(0, math.ceil(q * len(values)) - 1)]
    return {
        "count": {None: sum(row[0] == ">50K" for row in rows)},
        "sum": {None: sum(worked)},
        "average": {None: statistics.mean(worked)},
        "deviation": {None: statistics.pstdev(age)},
        "median": {None: quantile(age, 0.5)},
        "0.9 quantile": {None: quantile(weight, 0.9)},
        "counts by key": {level: len(all_hours) for level, all_hours in hours.items()},
        "averages by key": {level: statistics.mean(all_hours) for level, all_hours in hours.items()},
    }


def tacit(program, *words):
    done = subprocess.run([str(program), *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def make(program, folder, rows, accounting="pure"):
    with open(folder / "adult.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(FIELDS)
        writer.writerows(rows)
    where = folder / accounting
    tacit(program, "init", where, "--table", f"adult={folder / 'adult.csv'}")
    levels = json.dumps(sorted({row[1] for row in rows}))
    (where / "tacit.yaml").write_text(POLICY.format(levels=levels, accounting=accounting), encoding="utf-8")
    tacit(program, "prepare", where)
    return where


def number(cell):
    return None if cell is None else float(str(cell[0] if isinstance(cell, list) else cell).strip("{}"))


def another(sql, i):
    """The same question over the same rows in other words: what was stored does not serve it."""
    condition = f"weight < {2_000_000 + i}"
    before, rest = re.match(r"(.* FROM adult(?: WHERE)?)(.*)", sql).groups()
    return f"{before} {condition} AND{rest}" if before.endswith("WHERE") else f"{before} WHERE {condition}{rest}"


def ask(program, where, sql, truth, repetitions):
    """Mean error, and how many of the margins beside numbers held, of how many."""
    errors, held, said = [], 0, 0
    for i in range(repetitions):
        answer = json.loads(tacit(program, "query", where, another(sql, i), "--format", "json", "--intervals",
                                  "--epsilon", "1"))
        if answer["privacy"]["cached"]:
            raise SystemExit(f"the answer was stored before: {sql}")
        names = [column["name"] for column in answer["columns"]]
        grouped = names[0] == "education"
        for row in answer["rows"]:
            true = truth[row[0] if grouped else None]
            value = number(row[1 if grouped else 0])
            errors.append(abs((value or 0) - true))
            if len(row) > (2 if grouped else 1):
                low, high = number(row[-2]), number(row[-1])
                if low is not None and high is not None:
                    said += 1
                    held += low <= true <= high
    return statistics.mean(errors), held, said


def peers(rows, repetitions):
    """{library: {question: mean error}} of those that PyPI has for this machine; what failed is said."""
    found = {}
    for room, (libraries, packages) in ROOMS.items():
        python = ROOT / "build" / room / "bin" / "python3"
        try:
            if not python.exists():
                subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True, capture_output=True)
            for package in packages:
                subprocess.run([str(python), "-m", "pip", "install", "-q", package], capture_output=True, timeout=900)
            wish = {"rows": rows, "repetitions": repetitions, "libraries": libraries}
            with tempfile.TemporaryDirectory() as folder:  # Spark leaves a folder where it stands
                done = subprocess.run([str(python), "-B", str(ROOT / "bench" / "utility" / "peers.py")], check=True,
                                      text=True, input=json.dumps(wish), stdout=subprocess.PIPE, cwd=folder)
            found.update(json.loads(done.stdout))
        except (subprocess.SubprocessError, OSError, ValueError) as error:
            print(f"{room}: not measured: {error}", file=sys.stderr)
    return found


def table(program, data, repetitions, with_peers=True):
    rows = read(data)
    others = peers(rows, repetitions) if with_peers else {}
    truth = truths(rows)
    print(f"\nAdult, epsilon 1 a question, {repetitions} repetitions: mean errors; in brackets a peer's beside ours\n")
    print("| question | Tacit | margins that held | " + " | ".join(others) + " |")
    print("| --- | --- | --- | " + " | ".join("---" for _ in others) + " |")
    with tempfile.TemporaryDirectory() as name:
        where = make(program, pathlib.Path(name), rows)
        for question, sql in QUESTIONS.items():
            error, held, said = ask(program, where, sql, truth[question], repetitions)
            margins = f"{100 * held / said:.1f} % of {said:,}" if said else ""
            beside = [f"{found[question]:.4g} ({found[question] / error:.2f})" if question in found and error else
                      f"{found[question]:.4g}" if question in found else "" for found in others.values()]
            print(f"| {question} | {error:.4g} | {margins} | " + " | ".join(beside) + " |", flush=True)
