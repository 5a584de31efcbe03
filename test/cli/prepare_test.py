#!/usr/bin/env python3
"""tacit prepare from outside: repeatable, killed at any instant, never used when stale. usage: prepare_test.py TACIT"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TACIT = ""

POLICY = """tacit: 1
data_version: {version}
engine: {{kind: duckdb, path: data.duckdb}}
ledger: {{kind: sqlite, path: ledger.sqlite}}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {{epsilon: 1000000000000, delta: 1e-6}}
  query: {{epsilon: 1, epsilon_max: 1000000000, delta: 1e-9}}
tables:
  people:
    unit: pid
    rows_per_unit: 1
    columns: {{pid: {{hidden: true}}, age: {{bounds: [0, 120]}}}}
  visits:
    unit: {{via: pid, to: people}}
    rows_per_unit: {cap}
    columns: {{days: {{bounds: [0, 30]}}, ward: {{keys: [a, b]}}}}
"""
PEOPLE = 400
QUERY = "SELECT ward, count(*), sum(days) FROM visits GROUP BY ward"


class PrepareTest(unittest.TestCase):
    def setUp(self):
        self.box = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.box.name)
        self.people = self.root / "people.csv"
        self.visits = self.root / "visits.csv"
        self.people.write_text("pid,age\n" + "".join(f"{i},{i % 90}\n" for i in range(PEOPLE)))
        self.write_visits(8)
        self.folder = self.root / "d"
        made = self.tacit("init", self.folder, "--table", f"people={self.people}", "--table", f"visits={self.visits}", "--unit", "people.pid")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.policy()

    def tearDown(self):
        self.box.cleanup()

    def write_visits(self, each):
        lines = [f"{i},{i % (PEOPLE + 3)},{i % 37},{'ab'[i % 2]}\n" for i in range(PEOPLE * each)]  # three have no parent
        self.visits.write_text("visit,pid,days,ward\n" + "".join(lines))

    def policy(self, version=1, cap=3):
        (self.folder / "tacit.yaml").write_text(POLICY.format(version=version, cap=cap))

    def tacit(self, *args):
        return subprocess.run([TACIT, *map(str, args)], capture_output=True, text=True, timeout=300)

    def done(self, *args):
        run = self.tacit(*args)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def is_prepared(self):
        return "is prepared" in self.done("explain", self.folder, QUERY)

    def exact(self, number):
        """Rows at a price that leaves no noise; the number makes it a new question."""
        text = f"SELECT ward, count(*), sum(days), avg(days) FROM visits WHERE visit <> {10**9 + number} GROUP BY ward ORDER BY ward"
        return json.loads(self.done("query", self.folder, text, "--epsilon", "1000000000", "--format", "json"))["rows"]

    def test_the_same_rows_are_kept_with_and_without(self):
        before = self.exact(1)
        self.assertFalse(self.is_prepared())
        said = self.done("prepare", self.folder)
        self.assertIn("people, visits", said)
        self.assertNotIn(str(PEOPLE), said)
        self.assertTrue(self.is_prepared())
        self.assertEqual(self.exact(2), before)
        self.done("prepare", self.folder)
        self.assertEqual(self.exact(3), before)
        mode = (self.folder / "data.duckdb-prepared").stat().st_mode & 0o777
        self.assertEqual(mode, 0o600)

    def test_a_stale_copy_is_not_used(self):
        self.done("prepare", self.folder)
        self.policy(cap=2)
        self.assertFalse(self.is_prepared())
        self.assertIn("no query uses it", self.done("check", self.folder))
        fewer = self.exact(1)
        self.done("prepare", self.folder)
        self.assertTrue(self.is_prepared())
        self.assertEqual(self.exact(2), fewer)
        self.policy(cap=2, version=2)
        self.assertFalse(self.is_prepared())
        self.policy(cap=2)
        self.assertTrue(self.is_prepared())
        # Other data under the same policy.
        self.write_visits(2)
        made = self.tacit("init", self.root / "e", "--table", f"people={self.people}", "--table", f"visits={self.visits}", "--unit", "people.pid")
        self.assertEqual(made.returncode, 0, made.stderr)
        os.replace(self.root / "e" / "data.duckdb", self.folder / "data.duckdb")
        self.assertFalse(self.is_prepared())
        self.assertNotEqual(self.exact(3), fewer)
        # A copy that somebody touched.
        self.done("prepare", self.folder)
        self.assertTrue(self.is_prepared())
        os.utime(self.folder / "data.duckdb-prepared")
        self.assertFalse(self.is_prepared())

    def test_killed_at_any_instant_it_leaves_a_usable_deployment(self):
        before = self.exact(1)
        started = time.monotonic()
        self.done("prepare", self.folder)
        whole = time.monotonic() - started
        killed = 0
        for i in range(10):
            process = subprocess.Popen([TACIT, "prepare", str(self.folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(whole * (i + 0.5) / 10)
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
            self.assertEqual(self.exact(10 + i), before)
        self.assertGreater(killed, 0, "no run was killed: the instants were wrong")
        self.done("prepare", self.folder)
        self.assertTrue(self.is_prepared())
        self.assertEqual(self.exact(100), before)
        left = [p.name for p in self.folder.iterdir() if "building" in p.name]
        self.assertEqual(left, [])

    def test_a_missing_deployment_and_an_open_key_are_refused(self):
        self.assertEqual(self.tacit("prepare", self.root / "nowhere").returncode, 2)
        (self.folder / "tacit.key").chmod(0o644)
        self.assertEqual(self.tacit("prepare", self.folder).returncode, 5)


KEYED = """tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 1000000000000, delta: 1e-6}
  query: {epsilon: 1000000, epsilon_max: 1000000000, delta: 1e-9}
tables:
  people: {unit: pid, rows_per_unit: 2}
  loans: {unit: {via: %s, to: people.card}, rows_per_unit: 20}
"""


class ParentKeyTest(unittest.TestCase):
    """Rows that reach their person through a key that is not the person."""

    def setUp(self):
        self.box = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.box.name)
        self.folder = self.root / "d"

    def tearDown(self):
        self.box.cleanup()

    def tacit(self, *args):
        return subprocess.run([TACIT, *map(str, args)], capture_output=True, text=True, timeout=120)

    def deploy(self, cards, via):
        (self.root / "people.csv").write_text("pid,card\n" + "".join(f"{p},{c}\n" for p, c in cards))
        (self.root / "loans.csv").write_text(f"{via},book\n" + "".join(f"7,{i}\n" for i in range(12)))
        made = self.tacit("init", self.folder, "--table", f"people={self.root}/people.csv", "--table", f"loans={self.root}/loans.csv")
        self.assertEqual(made.returncode, 0, made.stderr)
        (self.folder / "tacit.yaml").write_text(KEYED % via)

    def ask(self):
        return self.tacit("query", self.folder, "SELECT count(*) FROM loans", "--format", "csv")

    def test_a_key_that_two_people_share_is_refused_everywhere(self):
        self.deploy([("a", 7), ("h", 7), ("z", 8)], "card")
        asked = self.ask()
        self.assertEqual(asked.returncode, 2)
        self.assertIn("people.card is not unique", asked.stderr)
        prepared = self.tacit("prepare", self.folder)
        self.assertEqual(prepared.returncode, 2, prepared.stderr)
        self.assertIn("people.card is not unique", prepared.stderr)
        checked = self.tacit("check", self.folder)
        self.assertEqual(checked.returncode, 2)
        self.assertIn("people.card is not unique", checked.stdout)
        self.assertEqual(self.ask().returncode, 2)

    def test_init_has_the_database_keep_a_shared_name_unique(self):
        self.deploy([("a", 7), ("h", 8)], "card")
        self.assertEqual(self.ask().stdout.split()[1], "12")
        self.assertEqual(self.tacit("check", self.folder).returncode, 0)

    def test_prepare_looks_where_the_database_says_nothing(self):
        self.deploy([("a", 7), ("h", 8)], "holder")
        asked = self.ask()
        self.assertEqual(asked.returncode, 3)
        self.assertIn("CREATE UNIQUE INDEX", asked.stderr)
        self.assertIn("are refused", self.tacit("check", self.folder).stdout)
        self.assertEqual(self.tacit("prepare", self.folder).returncode, 0)
        self.assertEqual(self.ask().stdout.split()[1], "12")
        self.assertNotIn("are refused", self.tacit("check", self.folder).stdout)
        # Another data version: what was seen was seen of other rows.
        text = (self.folder / "tacit.yaml").read_text()
        (self.folder / "tacit.yaml").write_text(text.replace("tacit: 1\n", "tacit: 1\ndata_version: 2\n"))
        self.assertEqual(self.ask().returncode, 3)

    def test_the_unit_itself_may_stand_in_several_rows(self):
        self.deploy([("a", 7), ("h", 8), ("h", 9)], "holder")
        text = (self.folder / "tacit.yaml").read_text()
        (self.folder / "tacit.yaml").write_text(text.replace("unit: pid", "unit: card"))
        self.assertEqual(self.ask().stdout.split()[1], "12")


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main()
