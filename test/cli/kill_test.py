#!/usr/bin/env python3
"""Kills `tacit query` at random instants and looks at what is left. usage: kill_test.py TACIT

An outside witness keeps every answer that was printed. After each round the ledger verifies, and every
printed answer has its charge. 20 rounds; 400 under TACIT_LONG=1. The seed is printed.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

POLICY = """tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 1000, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}
tables:
  people: {unit: pid, rows_per_unit: 1, columns: {pid: {hidden: true}, age: {bounds: [0, 120]}}}
"""


def main(tacit):
    rounds = 400 if os.environ.get("TACIT_LONG") == "1" else 20
    seed = random.randrange(2**32)
    print(f"seed {seed}, {rounds} rounds")
    pick = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        (root / "people.csv").write_text("pid,age\n" + "".join(f"{i},{i % 90}\n" for i in range(5000)))
        folder = root / "d"
        run = lambda *args: subprocess.run([tacit, *map(str, args)], capture_output=True, text=True, timeout=120)
        made = run("init", folder, "--table", f"people={root / 'people.csv'}")
        assert made.returncode == 0, made.stderr
        (folder / "tacit.yaml").write_text(POLICY)
        ask = lambda number: [tacit, "query", str(folder), f"SELECT count(*) FROM people WHERE age < {number}", "--format", "json"]

        assert run(*ask(1000)[1:]).returncode == 0  # fills caches, makes the catalog file
        started = time.monotonic()
        assert run(*ask(1001)[1:]).returncode == 0
        whole = time.monotonic() - started  # how long an undisturbed query takes here: instants are drawn from it
        answers, killed = {}, 0
        for number in range(rounds):
            process = subprocess.Popen(ask(number), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(pick.uniform(0, 1.6 * whole))
            process.send_signal(signal.SIGKILL)
            out, _ = process.communicate(timeout=60)
            killed += process.returncode == -signal.SIGKILL
            if out.endswith(b"}\n"):
                answers[number] = json.loads(out)
            verified = run("ledger", "verify", folder)
            assert verified.returncode == 0, verified.stderr
            # What was printed is what the ledger keeps: asked again, it is free and the same.
            if number in answers:
                again = run(*ask(number)[1:])
                assert again.returncode == 0, again.stderr
                told = json.loads(again.stdout)
                assert told["rows"] == answers[number]["rows"] and told["privacy"]["cached"], again.stdout

        charges = {}
        for line in run("ledger", "export", folder).stdout.splitlines():
            record = json.loads(line)
            if record["record"]["kind"] == "charge":
                charges[f"{record['record']['seq']}:{record['hash']}"] = Fraction(record["record"]["dataset_cost"]["epsilon"])
        for answer in answers.values():
            assert charges[answer["privacy"]["receipt"]] == Fraction(1, 10), answer
        assert sum(charges.values()) >= Fraction(1, 10) * len(answers)
        print(f"{killed} killed, {len(answers)} answered, {len(charges)} charges: every answer has its charge")
        assert 0 < killed, "no query was killed: the instants were wrong"


if __name__ == "__main__":
    main(sys.argv[1])
