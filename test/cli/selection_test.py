#!/usr/bin/env python3
"""tacit choose and tacit watch from outside: one of many numbers for one price."""
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
  accounting: pure
  budget: {epsilon: 4, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 2, delta: 1e-9}
tables:
  people:
    unit: row
    columns:
      city: {keys: [north, south, east]}
      age: {bounds: [0, 100]}
analysts:
  ana:
    password: "SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    budget: {epsilon: 1, delta: 1e-7}
"""
CITIES = "".join(f"SELECT count(*)\nFROM people WHERE city = '{city}';\n" for city in ("north", "south", "east"))


def run(*arguments, code=0):
    done = subprocess.run([TACIT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout if code == 0 else done.stderr


def spent(deployment):
    charges = run("ledger", "list", deployment, "--format", "json")
    return len(json.loads(charges)["records"] if charges.startswith("{") else json.loads(charges))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = ["city,age"]
        for i in range(2000):
            rows.append(f"{'north' if i < 300 else 'south' if i < 1800 else 'east'},{i % 90}")
        (folder / "people.csv").write_text("\n".join(rows) + "\n")
        deployment = folder / "world"
        run("init", deployment, "--table", f"people={folder / 'people.csv'}")
        (deployment / "tacit.yaml").write_text(POLICY)
        file = folder / "cities.sql"
        file.write_text(CITIES)
        before = spent(deployment)

        # what it would cost, and no row read
        quoted = json.loads(run("choose", deployment, file, "--epsilon", "0.5", "--explain", "--format", "json"))
        assert quoted["price"] == "it would cost epsilon 0.5" and "chosen" not in quoted, quoted
        assert spent(deployment) == before

        chosen = json.loads(run("choose", deployment, file, "--epsilon", "0.5", "--format", "json"))
        assert chosen["chosen"]["question"] == 2 and "south" in chosen["chosen"]["sql"], chosen
        assert chosen["mechanism"] == "permute_and_flip"
        smallest = json.loads(run("choose", deployment, file, "--smallest", "--epsilon", "0.5", "--format", "json"))
        assert smallest["chosen"]["question"] == 3, smallest
        after = spent(deployment)
        again = run("choose", deployment, file, "--epsilon", "0.5")
        assert "question 2 of 3" in again and "free" in again and "FROM people WHERE city = 'south'" in again, again
        assert spent(deployment) == after

        # the same for an analyst, who pays: in words
        told = run("choose", deployment, file, "--epsilon", "0.5", "--analyst", "ana")
        assert "charged: epsilon 0.5 to ana" in told, told
        run("choose", deployment, file, "--smallest", "--epsilon", "0.6", "--analyst", "ana", code=4)
        run("choose", deployment, file, "--analyst", "nobody", code=2)

        # a watch ends at the first alarm and goes on behind it for another charge
        watched = json.loads(run("watch", deployment, file, "--threshold", "900", "--epsilon", "0.5", "--format", "json"))
        assert watched["alarm"]["question"] == 2, watched
        told = run("watch", deployment, file, "--threshold", "900", "--epsilon", "0.5")
        assert "free" in told and "--after 2" in told, told
        rest = run("watch", deployment, file, "--threshold", "900", "--epsilon", "0.5", "--after", "2")
        assert "no alarm: none of the 1 questions reaches 900" in rest and "charged: epsilon 0.5" in rest, rest
        none = json.loads(run("watch", deployment, file, "--threshold", "90000", "--epsilon", "0.1", "--format", "json"))
        assert none["alarm"] is None, none

        # mistakes are told at their place and cost nothing
        after = spent(deployment)
        wrong = folder / "wrong.sql"
        wrong.write_text("SELECT count(*) FROM people;\nSELECT avg(age)\nFROM people;\n")
        said = run("watch", deployment, wrong, "--threshold", "9", code=3)
        assert "LINE 2" in said and "HINT" in said, said
        for text in ("", "SELECT city, count(*) FROM people GROUP BY city", "SELECT count(*) FROM people LIMIT 0", "\x00\xff",
                     "SET tacit.epsilon = 1; SELECT count(*) FROM people"):
            wrong.write_bytes(text.encode("latin-1"))
            for command in (["watch", "--threshold", "9"], ["choose"]):
                done = subprocess.run([TACIT, command[0], deployment, wrong, *command[1:]], capture_output=True)
                assert done.returncode in (2, 3) and b"ERROR" in done.stderr, (text, command, done)
        run("watch", deployment, file, "--threshold", "many", code=2)
        run("watch", deployment, file, "--threshold", "9", "--after", "3", code=2)
        run("watch", deployment, file, "--threshold", "9", "--epsilon", "9", code=3)
        run("choose", deployment, folder / "nowhere.sql", code=2)
        assert spent(deployment) == after
        # the owner's budget ends too
        run("choose", deployment, file, "--epsilon", "2", code=4)
        run("ledger", "verify", deployment)


main()
