#!/usr/bin/env python3
"""tacit workload from outside: many questions bought at once, and free afterwards."""
import json
import pathlib
import subprocess
import sys
import tempfile

TACIT = sys.argv[1]

POLICY = """tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: zcdp
  budget: {epsilon: 2, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}
tables:
  people:
    unit: row
    columns:
      sex: {keys: [F, M]}
      city: {keys: [north, south]}
      age: {bounds: [0, 100]}
"""
QUESTIONS = """SET tacit.error = '20';
SELECT count(*) AS n FROM people;
SELECT sex, count(*) AS n FROM people GROUP BY sex;
SELECT sex, city, count(*) AS n FROM people GROUP BY sex, city;
SELECT city, count(*) AS n FROM people WHERE sex = 'F' GROUP BY city;
SELECT count(*) AS n FROM people WHERE sex = 'F' AND city = 'south';
SET tacit.error = '2';
SELECT sex, avg(age) AS a FROM people GROUP BY sex;
"""


def run(*arguments, code=0):
    done = subprocess.run([TACIT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout if code == 0 else done.stderr


def ask(deployment, sql):
    return json.loads(run("query", deployment, sql, "--format", "json"))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = ["sex,city,age"]
        for i in range(6000):
            # some live where no list says
            rows.append(f"{'FM'[i % 2]},{['north', 'south', 'south', 'east'][i // 7 % 4]},{20 + i % 50}")
        (folder / "people.csv").write_text("\n".join(rows) + "\n")
        deployment = folder / "world"
        run("init", deployment, "--table", f"people={folder / 'people.csv'}")
        (deployment / "tacit.yaml").write_text(POLICY)
        file = folder / "questions.sql"
        file.write_text(QUESTIONS)

        quoted = json.loads(run("workload", deployment, file, "--explain", "--format", "json"))
        bought = json.loads(run("workload", deployment, file, "--format", "json"))
        assert bought["privacy"]["rho"] == quoted["privacy"]["rho"] > 0
        assert len(bought["rows"]) == 6
        apart = sum(row[1] ** 2 / 2 for row in bought["rows"])
        assert bought["privacy"]["rho"] < 0.8 * apart, (bought["privacy"]["rho"], apart)

        # free without a price, and within the margins by far
        answers = {row[3]: ask(deployment, row[3]) for row in bought["rows"]}
        for sql, answer in answers.items():
            assert answer["privacy"]["rho"] == 0 and answer["privacy"]["cached"], sql
        by_sex = dict(answers["SELECT sex, count(*) AS n FROM people GROUP BY sex"]["rows"])
        total = answers["SELECT count(*) AS n FROM people"]["rows"][0][0]
        assert abs(total - 6000) < 100 and abs(by_sex["F"] - 3000) < 100
        cells = answers["SELECT sex, city, count(*) AS n FROM people GROUP BY sex, city"]["rows"]
        of_women = answers["SELECT city, count(*) AS n FROM people WHERE sex = 'F' GROUP BY city"]["rows"]
        assert [row[1:] for row in cells if row[0] == "F"] == of_women
        alone = answers["SELECT count(*) AS n FROM people WHERE sex = 'F' AND city = 'south'"]["rows"][0][0]
        assert ["south", alone] in of_women
        # another question over the same numbers
        again = ask(deployment, "SELECT sex, count(*) AS n FROM people GROUP BY sex ORDER BY n DESC LIMIT 1")
        assert again["privacy"]["cached"]

        free = json.loads(run("workload", deployment, file, "--format", "json"))
        assert free["privacy"]["rho"] == 0 and free["privacy"]["cached"]
        run("ledger", "verify", deployment)
        file.write_text("SELECT count(*) FROM people; DROP TABLE people")
        assert "no place in a workload" in run("workload", deployment, file, code=3)
        file.write_text("SET tacit.epsilon = 1;" + "".join(
            f"SELECT max(age) FROM people WHERE age < {age};" for age in range(30, 40)))
        assert "does not cover" in run("workload", deployment, file, code=4)
        run("ledger", "verify", deployment)


main()
