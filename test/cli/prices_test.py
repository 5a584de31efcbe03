#!/usr/bin/env python3
"""Prices that nobody should ask for, and deltas at both ends: an answer or a refusal, never an abort. usage: prices_test.py TACIT"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TACIT = ""

POLICY = """tacit: 1
engine: {{kind: duckdb, path: data.duckdb}}
ledger: {{kind: sqlite, path: ledger.sqlite}}
privacy:
  neighbours: add_remove
  accounting: {accounting}
  budget: {{epsilon: 1e30, delta: 0.9}}
  query: {{epsilon: {epsilon}, epsilon_max: 1e20, delta: {delta}}}
tables:
  people:
    unit: id
    rows_per_unit: 1
    columns: {{x: {{bounds: [0, 50]}}, sex: {{keys: [F, M]}}}}
"""
# Private keys with a measure that counts people and without, noise of every kind.
QUERIES = [
    "SELECT town, count(*), sum(x) FROM people GROUP BY town",
    "SELECT town, sum(x) FROM people GROUP BY town",
    "SELECT sex, avg(x), stddev(x), max(x), median(x) FROM people GROUP BY sex",
    "SELECT mode() WITHIN GROUP (ORDER BY sex) FROM people",
]
EPSILONS = ["1e-12", "1e-6", "1e-3", "1", "50", "1e3", "1e5", "1e9", "1e12"]
DELTAS = ["0", "1e-300", "1e-9", "0.01"]


class PricesTest(unittest.TestCase):
    def setUp(self):
        self.box = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.box.name)
        rows = "".join(f"{i},{i % 50},{'abc'[i % 3]},{'FM'[i % 2]}\n" for i in range(300))
        (self.root / "people.csv").write_text("id,x,town,sex\n" + rows)

    def tearDown(self):
        self.box.cleanup()

    def tacit(self, *args):
        return subprocess.run([TACIT, *map(str, args)], capture_output=True, text=True, timeout=120)

    def sweep(self, accounting):
        folder = self.root / accounting
        made = self.tacit("init", folder, "--table", f"people={self.root / 'people.csv'}", "--unit", "people.id")
        self.assertEqual(made.returncode, 0, made.stderr)
        answered = 0
        for epsilon in EPSILONS:
            for delta in DELTAS:
                (folder / "tacit.yaml").write_text(POLICY.format(accounting=accounting, epsilon=epsilon, delta=delta))
                for query in QUERIES:
                    explained = self.tacit("explain", folder, query)
                    asked = self.tacit("query", folder, query)
                    with self.subTest(epsilon=epsilon, delta=delta, query=query):
                        self.assertIn(explained.returncode, (0, 3), explained.stderr)
                        self.assertEqual(asked.returncode, explained.returncode, asked.stderr)
                        if asked.returncode == 3:
                            self.assertIn("HINT", asked.stderr)
                    answered += asked.returncode == 0
        # Only private keys without a delta have to be refused, and noise beyond any number.
        self.assertGreater(answered, len(EPSILONS) * len(DELTAS) * len(QUERIES) // 2)

    def test_pure_accounting_answers_or_refuses_at_every_price(self):
        self.sweep("pure")

    def test_zcdp_answers_or_refuses_at_every_price(self):
        self.sweep("zcdp")


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main()
