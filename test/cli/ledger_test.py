"""tacit budget and tacit ledger, as whole commands; the chain is checked here a second time, from its documentation."""

import hashlib
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

TACIT, CLERK = sys.argv[1], sys.argv[2]
POLICY = """tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}
tables:
  patients: {unit: ssn, rows_per_unit: 1, columns: {ssn: {hidden: true}}}
analysts:
  ana: {password: "SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=:KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=", budget: {epsilon: 1, delta: 1e-7}}
"""


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=120)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def check_chain(lines):
    """Recomputes hashes and sums from docs/ledger_format.md; returns what the dataset spent."""
    previous, spent = "0" * 64, Fraction(0)
    for number, line in enumerate(lines, 1):
        start = '{"hash":"%s","record":' % line[9:73]
        assert line.startswith(start) and line.endswith("}"), line
        body = line[len(start):-1]
        assert sha256(f"{previous}\n{body}\n".encode()) == line[9:73], f"record {number}"
        previous = line[9:73]
        record = json.loads(body)
        assert record["seq"] == number
        if record["kind"] == "charge":
            new = sum(Fraction(r["cost"]["epsilon"]) for r in record["releases"] if r["id"][0] == number)
            assert new == Fraction(record["dataset_cost"]["epsilon"])
            spent += new
    return spent


class LedgerCommands(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name
        self.path = os.path.join(self.folder, "ledger.sqlite")
        pathlib.Path(self.folder, "tacit.yaml").write_text(POLICY)

    def tearDown(self):
        self.scratch.cleanup()

    def clerk(self, *arguments):
        done = run(CLERK, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def fill(self):
        self.clerk("create", self.path)
        self.clerk("charge", self.path, "0", "7")
        self.clerk("charge", self.path, "5", "5", "ana")  # two of them are stored answers

    def test_a_missing_ledger_is_exit_5_and_stays_missing(self):
        for command in (["budget"], ["ledger", "list"], ["ledger", "verify"], ["ledger", "head"], ["ledger", "export"]):
            done = run(TACIT, *command, self.folder)
            self.assertEqual(done.returncode, 5, command)
            self.assertIn("there is no ledger", done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertFalse(os.path.exists(self.path))

    def test_a_bad_policy_is_exit_2(self):
        pathlib.Path(self.folder, "tacit.yaml").write_text("tacit: [")
        self.assertEqual(run(TACIT, "budget", self.folder).returncode, 2)
        self.assertEqual(run(TACIT, "ledger", "verify", self.folder).returncode, 2)
        self.assertEqual(run(TACIT, "ledger", "rewrite", self.folder).returncode, 2)

    def test_budget_says_what_is_left_first(self):
        self.fill()
        accounts = json.loads(run(TACIT, "budget", self.folder, "--format", "json").stdout)["accounts"]
        self.assertEqual([a.get("analyst") for a in accounts], [None, "ana"])
        self.assertEqual(Fraction(accounts[0]["left"]["epsilon"]), Fraction("2.9"))
        self.assertEqual(Fraction(accounts[1]["left"]["epsilon"]), Fraction("0.95"))
        self.assertEqual(accounts[0]["queries_left"], 29)
        text = run(TACIT, "budget", self.folder).stdout
        self.assertIn("about 29 more queries at the default price, epsilon 0.1", text)
        self.assertLess(text.index("left"), text.index("spent"))

    def test_under_zcdp_what_is_left_is_rho_and_what_it_would_buy(self):
        self.clerk("create", self.path)
        text = POLICY.replace("accounting: pure", "accounting: zcdp")
        pathlib.Path(self.folder, "tacit.yaml").write_text(text)
        dataset = json.loads(run(TACIT, "budget", self.folder, "--format", "json").stdout)["accounts"][0]
        self.assertLess(Fraction(2999, 1000), Fraction(dataset["left_as"]["epsilon"]))
        self.assertLessEqual(Fraction(dataset["left_as"]["epsilon"]), 3)
        self.assertEqual(Fraction(dataset["left"]["delta"]), Fraction(1, 2000000))
        done = run(TACIT, "budget", self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("as epsilon", done.stdout)

    def test_a_budget_beyond_every_double_is_shown(self):
        self.clerk("create", self.path)
        for epsilon in ("1000000000", "1e400"):
            text = POLICY.replace("accounting: pure", "accounting: zcdp")
            self.assertIn("budget: {epsilon: 3,", text)
            text = text.replace("budget: {epsilon: 3,", "budget: {epsilon: %s," % epsilon)
            pathlib.Path(self.folder, "tacit.yaml").write_text(text)
            done = run(TACIT, "budget", self.folder, "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            left = Fraction(json.loads(done.stdout)["accounts"][0]["left_as"]["epsilon"])
            self.assertLess(999_000_000, left)
            self.assertLessEqual(left, Fraction(epsilon))
            self.assertEqual(run(TACIT, "budget", self.folder).returncode, 0)

    def test_verify_head_and_export_agree_with_a_second_implementation(self):
        self.fill()
        verified = run(TACIT, "ledger", "verify", self.folder)
        self.assertEqual(verified.returncode, 0, verified.stderr)
        lines = run(TACIT, "ledger", "export", self.folder).stdout.splitlines()
        self.assertEqual(check_chain(lines), Fraction("0.1"))
        head = run(TACIT, "ledger", "head", self.folder).stdout.split()
        self.assertEqual(head, [str(len(lines)), lines[-1][9:73]])
        self.assertIn(head[1], verified.stdout)

    def test_list_prints_every_record_in_three_formats(self):
        self.fill()
        records = json.loads(run(TACIT, "ledger", "list", self.folder, "--format", "json").stdout)
        self.assertEqual([r["kind"] for r in records[:4]], ["create", "declare", "budget", "charge"])
        for shape in ("table", "csv"):
            done = run(TACIT, "ledger", "list", self.folder, "--format", shape)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(len(done.stdout.splitlines()), len(records) + 1)
        self.assertIn("stored answer", done.stdout)

    def test_an_edit_is_found_named_and_exit_5(self):
        self.fill()
        with sqlite3.connect(self.path) as database:
            database.execute("UPDATE record SET body = replace(body, '\"0.01\"', '\"0.00\"') WHERE seq = 6")
        database.close()
        done = run(TACIT, "ledger", "verify", self.folder)
        self.assertEqual(done.returncode, 5)
        self.assertIn("record 6", done.stderr)

    def test_a_lost_log_is_refused_until_the_owner_accepts(self):
        self.clerk("create", self.path)
        self.clerk("charge", self.path, "0", "3")
        os.remove(self.path + "-wal")
        done = run(TACIT, "budget", self.folder)
        self.assertEqual(done.returncode, 5)
        self.assertIn("went back", done.stderr)
        self.assertEqual(run(TACIT, "ledger", "accept", self.folder).returncode, 2)
        self.assertEqual(run(TACIT, "ledger", "accept", self.folder, "--reason", "log lost").returncode, 0)
        self.assertEqual(run(TACIT, "budget", self.folder).returncode, 0)
        self.assertIn("log lost", run(TACIT, "ledger", "list", self.folder).stdout)

    def test_export_is_a_consistent_snapshot_while_others_charge(self):
        self.clerk("create", self.path)
        writer = subprocess.Popen([CLERK, "charge", self.path, "0", "250"])
        before = 0
        while writer.poll() is None:
            lines = run(TACIT, "ledger", "export", self.folder).stdout.splitlines()
            check_chain(lines)
            self.assertGreaterEqual(len(lines), before)
            before = len(lines)
        self.assertEqual(writer.returncode, 0)
        self.assertEqual(run(TACIT, "ledger", "verify", self.folder).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
