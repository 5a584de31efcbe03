"""A day of a dashboard: its questions one by one from a budget of (3, 1e-6), and all of them bought at once.

Every question stands under a comment, -- count, -- average, -- median or -- both, that says what it may be off by in
95 % of answers: loosely counts 100, averages 4 and medians 100 ranks, tightly 30, 1.2 and 30. Averages are reckoned as
tacit workload does it: for 1,000 people whose average is in the middle half of its bounds."""
import csv
import json
import math
import subprocess
import tempfile
import pathlib

BUDGET, DELTA = 3, 1e-6
WISHES = {"loose": {"count": "100", "average": "4", "median": "100", "both": "n = 100, v = 4"},
          "tight": {"count": "30", "average": "1.2", "median": "30", "both": "n = 30, v = 1.2"}}
LISTED = ("workclass", "education", "marital_status", "occupation", "relationship", "race", "sex", "income")
RENAMED = {"hours-per-week": "hours", "income-per-year": "income"}


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def questions(file):
    kind = None
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("--"):
            word = line[2:].strip()
            kind = word if word in WISHES["tight"] else kind
        elif line.strip():
            yield kind, line.strip().rstrip(";")


def make(tacit, table, folder, accounting, budget):
    run(tacit, "init", folder, f"--table=adult={table}")
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lists = "".join(f"      {name}: {{keys: [{', '.join(json.dumps(key) for key in sorted({r[name] for r in rows}))}]}}\n"
                    for name in LISTED)
    (folder / "tacit.yaml").write_text(f"""tacit: 1
engine: {{kind: duckdb, path: data.duckdb}}
ledger: {{kind: sqlite, path: ledger.sqlite}}
privacy:
  neighbours: add_remove
  accounting: {accounting}
  budget: {{epsilon: {budget}, delta: {DELTA if budget == BUDGET else 0.1}}}
  query: {{epsilon: 0.1, epsilon_max: {budget}, delta: 1e-9}}
tables:
  adult:
    unit: row
    columns:
{lists}      age: {{bounds: [0, 120], required: true}}
      hours: {{bounds: [0, 100], required: true}}
""")
    return folder


def epsilon_of(rho):
    """The epsilon of rho-zCDP at half of delta, as tacit converts (docs/zcdp.md)."""
    delta = DELTA / 2
    return min(a * rho + (math.log(1 / delta) + a * math.log(1 - 1 / a) - math.log(a - 1)) / (a - 1)
               for a in (1 + math.exp(i / 200) for i in range(-800, 2400)))


def spent(privacy, accounting):
    return privacy["rho"] if accounting == "zcdp" else privacy["epsilon"]


def measure(tacit, data, file):
    asked = list(questions(file))
    print("| accounting | errors | answered in order from (3, 1e-6) | all one by one | as a workload | then free |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with open(data / "adult_48842.csv", newline="", encoding="utf-8") as source, \
                open(folder / "adult.csv", "w", newline="", encoding="utf-8") as table:
            lines = csv.reader(source)
            header = [RENAMED.get(column, column.replace("-", "_")) for column in next(lines)]
            csv.writer(table).writerows([header, *lines])
        for accounting in ("pure", "zcdp"):
            for words, wishes in WISHES.items():
                texts = folder / "questions.sql"
                texts.write_text("".join(f"SET tacit.error = '{wishes[kind]}';\n{sql};\n" for kind, sql in asked))
                place = folder / f"{accounting}_{words}"
                apart = make(tacit, folder / "adult.csv", place.with_suffix(".apart"), accounting, 100)
                plan = json.loads(run(tacit, "workload", apart, texts, "--explain", "--format", "json"))
                costs = [spent(json.loads(run(tacit, "query", apart, row[3], "--epsilon", f"{row[1]:.9g}", "--format",
                                              "json"))["privacy"], accounting) for row in plan["rows"]]
                total = (lambda cost: epsilon_of(cost) if cost else 0) if accounting == "zcdp" else (lambda cost: cost)
                left, answered = 0, 0
                for cost in costs:
                    if total(left + cost) <= BUDGET:
                        left, answered = left + cost, answered + 1
                together = make(tacit, folder / "adult.csv", place.with_suffix(".together"), accounting, 100)
                bought = json.loads(run(tacit, "workload", together, texts, "--format", "json"))
                free = sum(json.loads(run(tacit, "query", together, sql, "--format", "json"))["privacy"]["cached"]
                           for _, sql in asked)
                print(f"| {accounting} | {words} | {answered} | {total(sum(costs)):.2f} | "
                      f"{total(spent(bought['privacy'], accounting)):.2f} | {free} |", flush=True)
