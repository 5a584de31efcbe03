#!/usr/bin/env python3
"""tacit query and tacit explain as whole commands. usage: query_test.py TACIT"""
import contextlib
import csv
import io
import json
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

TACIT = ""

POLICY = """tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}
tables:
  people:
    unit: pid
    rows_per_unit: 1
    columns:
      pid: {hidden: true}
      age: {bounds: [0, 120]}
      sex: {keys: [F, M, X]}
      town: {}
analysts:
  ana: {password: "SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=:KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=", budget: {epsilon: 0.2, delta: 1e-7}}
"""
COUNT = "SELECT count(*) AS n FROM people WHERE age > 40"


class QueryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.scratch.name)
        rows = [f"{i},{20 + i % 60},{'FM'[i % 2]},{'north' if i % 3 else 'south'},{i % 1000}" for i in range(2000)]
        (root / "people.csv").write_text("pid,age,sex,town,pay\n" + "\n".join(rows) + "\n")
        made = subprocess.run([TACIT, "init", str(root / "made"), "--table", f"people={root / 'people.csv'}"],
                              capture_output=True, text=True, timeout=120)
        assert made.returncode == 0, made.stderr
        (root / "made" / "tacit.yaml").write_text(POLICY)
        cls.root = root

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def setUp(self):
        self.folder = self.root / "d"
        shutil.copytree(self.root / "made", self.folder)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def tacit(self, *args):
        return subprocess.run([TACIT, *map(str, args)], capture_output=True, text=True, timeout=120)

    def ask(self, sql, *flags, verb="query"):
        done = self.tacit(verb, self.folder, sql, "--format", "json", *flags)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def ledger(self):
        return self.tacit("ledger", "export", self.folder).stdout

    # --- Ctrl-C

    SLOW = ("SELECT count(*) FROM people, (VALUES " + ",".join(f"({i})" for i in range(400)) +
            ") AS v(x) WHERE length(regexp_replace(town || x::text, '[a-z]+[0-4]*[5-9]', 'b')) > 3")

    def stopped(self, when):
        """What a slow question says that was stopped when `when` was so, and what the ledger says."""
        asked = subprocess.Popen([TACIT, "query", str(self.folder), self.SLOW], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while not when(asked.pid) and asked.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        asked.send_signal(signal.SIGINT)
        said = asked.communicate(timeout=60)[1]
        self.assertEqual(asked.returncode, 130, said)
        records = json.loads(self.tacit("ledger", "list", self.folder, "--format", "json").stdout)
        return said, [record for record in records if record["kind"] == "charge"]

    @staticmethod
    def waits_for_ctrl_c(pid):
        blocked = [line for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("SigBlk")]
        return bool(int(blocked[0].split()[1], 16) & 2)

    def has_charged(self, _):
        with contextlib.closing(sqlite3.connect(f"file:{self.folder / 'ledger.sqlite'}?mode=ro", uri=True)) as ledger:
            return ledger.execute("SELECT count(*) FROM record").fetchone()[0] > 1

    def test_ctrl_c_before_the_charge_says_that_nothing_was_charged(self):
        said, charges = self.stopped(self.waits_for_ctrl_c)
        self.assertEqual("nothing was charged" in said, charges == [], said)

    def test_ctrl_c_after_the_charge_says_what_it_was(self):
        said, charges = self.stopped(self.has_charged)
        self.assertIn("stopped; epsilon 0.1 was charged and stays so", said)
        self.assertEqual(len(charges), 1)
        self.assertEqual(sorted((self.folder / "spill").glob("*")), [], "rows in clear")

    # --- errors instead of prices

    def test_an_error_may_be_a_part_of_what_is_shown(self):
        answer = self.ask(COUNT, "--error", "10 %")
        self.assertLessEqual(answer["error"][0]["moe95"], 0.1 * answer["rows"][0][0])
        self.assertLess(answer["privacy"]["epsilon"], 0.1)
        again = self.ask(COUNT, "--error", "10 %")
        self.assertEqual((again["rows"], again["privacy"]["epsilon"]), (answer["rows"], 0))

    def test_a_ratio_has_the_error_that_is_asked_of_it(self):
        sql = "SELECT 100.0 * count(*) FILTER (WHERE age > 40) / count(*) AS share, count(*) AS n FROM people"
        answer = self.ask(sql, "--error", "share = 2")
        self.assertLessEqual(answer["error"][0]["moe95"], 2)
        refused = self.tacit("query", self.folder, sql, "--error", "share = 0.001 %")
        self.assertEqual(refused.returncode, 3, refused.stderr)
        self.assertRegex(refused.stderr, r"costs more than a query may, epsilon 1: about \d")
        self.assertRegex(refused.stderr, r"the best that epsilon 1 buys is about [\d.]+ % \(share\)")
        self.assertEqual(self.tacit("query", self.folder, sql, "--error", "shares = 1").returncode, 2)

    def test_the_json_is_what_the_interface_says(self):
        answer = self.ask(COUNT)
        self.assertEqual(answer["columns"], [{"name": "n", "type": "bigint"}])
        self.assertIsInstance(answer["rows"][0][0], int)
        privacy = answer["privacy"]
        self.assertEqual((privacy["epsilon"], privacy["delta"], privacy["cached"]), (0.1, 0, False))
        self.assertEqual(privacy["remaining"]["epsilon"], 2.9)
        self.assertEqual(answer["error"], [{"column": "n", "mechanism": "discrete_laplace", "scale": 10, "moe95": 30}])
        self.assertEqual(answer["notices"][0], "cost 0.1 of the dataset's 3; 2.9 left. "
                         "95 % of answers like this are within 30 of the truth.")

    def test_the_same_question_is_free_however_it_is_written(self):
        first = self.ask(COUNT)
        before = self.ledger()
        for sql in ("select COUNT( * ) as N from PEOPLE where AGE>40", COUNT + " ORDER BY n LIMIT 3",
                    "SELECT p.n FROM (SELECT count(*) AS n FROM people WHERE 40 < age) p"):
            again = self.ask(sql)
            self.assertEqual(again["rows"], first["rows"], sql)
            self.assertTrue(again["privacy"]["cached"])
            self.assertEqual(again["privacy"]["epsilon"], 0)
            self.assertEqual(again["privacy"]["receipt"], first["privacy"]["receipt"])
        self.assertEqual(self.ledger(), before)

    def test_explain_is_free_and_says_the_price_that_is_paid(self):
        before = self.ledger()
        plan = self.ask(COUNT, verb="explain")
        self.assertEqual(self.ledger(), before)
        release = plan["releases"][0]
        self.assertEqual((release["aggregate"], release["mechanism"], release["sensitivity"], release["scale"],
                          release["epsilon"], release["moe95"]), ("count", "discrete_laplace", 1, 10, 0.1, 30))
        self.assertEqual(plan["remaining"]["epsilon"], 2.9)
        self.assertEqual(len(plan["pushed"]), 1)
        self.assertEqual(self.ask(COUNT)["privacy"]["epsilon"], plan["cost"]["epsilon"])
        self.assertTrue(self.ask(COUNT, verb="explain")["cached"])

    def test_an_error_target_buys_the_smallest_price(self):
        answer = self.ask(COUNT, "--error", "40")
        self.assertLessEqual(answer["error"][0]["moe95"], 40)
        self.assertLess(answer["privacy"]["epsilon"], 0.1)
        self.assertEqual(self.tacit("query", self.folder, COUNT, "--error", "40", "--epsilon", "1").returncode, 2)

    def test_every_public_key_has_a_row_and_private_keys_a_notice(self):
        public = self.ask("SELECT sex, count(*) FROM people GROUP BY sex")
        self.assertEqual(sorted(row[0] for row in public["rows"]), ["F", "M", "X"])
        private = self.ask("SELECT town, count(*) FROM people GROUP BY town", "--epsilon", "1")
        self.assertEqual(sorted(row[0] for row in private["rows"]), ["north", "south"])
        self.assertGreater(private["privacy"]["delta"], 0)
        self.assertTrue(any("withheld" in notice for notice in private["notices"]))

    def test_intervals_stand_beside_their_column(self):
        answer = self.ask(COUNT, "--intervals")
        self.assertEqual([c["name"] for c in answer["columns"]], ["n", "n_low", "n_high"])
        n, low, high = answer["rows"][0]
        self.assertEqual((n - low, high - n), (30, 30))

    def test_what_is_below_zero_is_shown_as_zero_where_that_is_asked_for(self):
        """Nobody is so old: the numbers are noise, and half of them are negative."""
        found = []
        for age in range(300, 330):
            sql = f"SELECT count(*) AS n FROM people WHERE age > {age}"
            n = self.ask(sql, "--epsilon", "0.01")["rows"][0][0]
            raised = self.ask(sql, "--epsilon", "0.01", "--nonnegative")
            self.assertEqual(raised["rows"], [[max(n, 0)]])
            self.assertTrue(raised["privacy"]["cached"])
            self.assertTrue(any("as you asked" in notice for notice in raised["notices"]))
            if n < 0:
                return
            found.append(n)
        self.fail(f"none of {found} is below zero")

    def test_csv_and_table(self):
        done = self.tacit("query", self.folder, "SELECT sex, count(*) AS n FROM people GROUP BY sex ORDER BY sex", "--format", "csv")
        rows = list(csv.reader(io.StringIO(done.stdout)))
        self.assertEqual([row[0] for row in rows], ["sex", "F", "M", "X"])
        self.assertIn("NOTICE:  cost 0.1", done.stderr)
        done = self.tacit("query", self.folder, COUNT)
        self.assertRegex(done.stdout, r"^ +n *\n-+\n +-?\d+ ± 30\n\(1 row\)\n$")

    def test_a_refusal_shows_place_and_remedy_and_charges_nothing(self):
        before = self.ledger()
        done = self.tacit("query", self.folder, "SELECT count(*),\n  sum(pay) FROM people")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        lines = done.stderr.splitlines()
        self.assertTrue(lines[0].startswith("ERROR:  "), done.stderr)
        self.assertEqual(lines[1][:8], "LINE 2: ")
        self.assertEqual(lines[2].strip(), "^")
        self.assertEqual(lines[1][lines[2].index("^"):][:3], "pay"[:3] if lines[1][lines[2].index("^")] == "p" else "sum")
        self.assertIn("HINT:  ", done.stderr)
        for sql in ("SELECT age FROM people", "SELECT", "SELECT count(*) FROM nowhere", "DROP TABLE people",
                    "SELECT count(*) FROM people WHERE pid = 7", "SELECT count(*) FROM people; SELECT 1"):
            self.assertEqual(self.tacit("query", self.folder, sql).returncode, 3, sql)
        self.assertEqual(self.tacit("query", self.folder, COUNT, "--epsilon", "2").returncode, 3)
        self.assertEqual(self.ledger(), before)

    def test_an_analyst_pays_and_runs_dry_before_the_dataset(self):
        self.assertEqual(self.tacit("query", self.folder, COUNT, "--analyst", "bob").returncode, 2)
        first = self.ask(COUNT, "--analyst", "ana")
        self.assertIn("cost 0.1 of your 0.2; 0.1 left.", first["notices"][0])
        self.ask(COUNT + " AND sex = 'F'", "--analyst", "ana")
        before = self.ledger()
        dry = self.tacit("query", self.folder, COUNT + " AND sex = 'M'", "--analyst", "ana")
        self.assertEqual((dry.returncode, dry.stdout), (4, ""))
        self.assertEqual(self.ledger(), before)
        plan = self.ask(COUNT + " AND sex = 'M'", "--analyst", "ana", verb="explain")
        self.assertIn("does not cover", plan["refused"])
        self.assertEqual(self.ask(COUNT, "--analyst", "ana")["rows"], first["rows"])

    def test_what_is_missing_is_said_and_never_made_anew(self):
        for name in ("ledger.sqlite", "tacit.key", "data.duckdb"):
            before = self.ledger()
            (self.folder / name).rename(self.root / "away")
            done = self.tacit("query", self.folder, COUNT + f" AND age <> {len(name)}")
            self.assertEqual((done.returncode, done.stdout), (5, ""), name)
            self.assertFalse((self.folder / name).exists(), name)
            (self.root / "away").rename(self.folder / name)
            self.assertEqual(self.ledger(), before, name)

    def test_an_engine_that_is_garbage_charges_nothing(self):
        (self.folder / "data.duckdb").write_bytes(b"not a database" * 1000)
        before = self.ledger()
        self.assertEqual(self.tacit("query", self.folder, COUNT).returncode, 5)
        self.assertEqual(self.ledger(), before)

    def test_wrong_flags_are_exit_2(self):
        for flags in (["--epsilon", "zero"], ["--epsilon", "0"], ["--epsilon", "-1"], ["--error", "0"],
                      ["--delta", "1"], ["--format", "xml"]):
            self.assertEqual(self.tacit("query", self.folder, COUNT, *flags).returncode, 2, flags)
        self.assertEqual(self.tacit("query", self.folder).returncode, 2)
        self.assertEqual(self.tacit("query", self.root / "nowhere", COUNT).returncode, 2)

    def test_two_questions_that_differ_in_one_person_differ_by_noise(self):
        everybody = self.ask("SELECT count(*) AS n FROM people")["rows"][0][0]
        but_one = self.ask("SELECT count(*) AS n FROM people WHERE NOT (age = 20 AND town = 'nowhere')")["rows"][0][0]
        self.assertLess(abs(everybody - but_one), 2000)  # two noises of scale 10: beyond e^-100
        spent = json.loads(self.tacit("budget", self.folder, "--format", "json").stdout)["accounts"][0]["spent"]
        self.assertEqual(spent["epsilon"], "0.2")


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
