#!/usr/bin/env python3
"""What an owner does at the keyboard: tacit init, tacit check, tacit demo. usage: owner_test.py TACIT"""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

TACIT = ""

HEAD = """tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 3, delta: 1e-9}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-12}
tables:
"""


class OwnerTest(unittest.TestCase):
    def setUp(self):
        self.box = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.box.name)

    def tearDown(self):
        self.box.cleanup()

    def tacit(self, *args):
        return subprocess.run([TACIT, *map(str, args)], capture_output=True, text=True, timeout=120)

    def file(self, name, text):
        path = self.root / name
        path.write_text(text)
        return path

    def deployment(self, files, policy=None):
        """A folder made by init from {table: csv text}; its findings with the given tables."""
        args = []
        for table, text in files.items():
            args += ["--table", f"{table}={self.file(table + '.csv', text)}"]
        made = self.tacit("init", self.root / "d", *args)
        self.assertEqual(made.returncode, 0, made.stderr)
        if policy is not None:
            (self.root / "d" / "tacit.yaml").write_text(HEAD + policy)
        return self.root / "d"

    def findings(self, folder):
        run = self.tacit("check", folder, "--format", "json")
        report = json.loads(run.stdout)
        # A build without the ledger has no ledger file to find.
        found = [f for f in report["findings"] if "the ledger" not in f["message"]]
        return run.returncode, found

    def assertFinds(self, folder, severity, text):
        _, found = self.findings(folder)
        hits = [f for f in found if f["severity"] == severity and text in f["message"]]
        self.assertTrue(hits, f"no {severity} with {text!r} in {found}")
        self.assertTrue(all(f["line"] >= 1 and f["remedy"] for f in hits))

    # --- init

    def test_init_makes_everything_with_closed_permissions(self):
        d = self.deployment({"t": "id,age\n1,30\n2,40\n"})
        self.assertEqual(stat.S_IMODE(os.stat(d / "tacit.key").st_mode), 0o600)
        self.assertEqual(os.stat(d / "tacit.key").st_size, 32)
        self.assertEqual(stat.S_IMODE(os.stat(d / "data.duckdb").st_mode), 0o600)
        self.assertEqual([p.name for p in self.root.iterdir() if "init-" in p.name], [])

    def test_without_a_unit_the_policy_waits_for_the_owner(self):
        d = self.deployment({"t": "id,age\n1,30\n"})
        run = self.tacit("check", d)
        self.assertEqual(run.returncode, 2)
        self.assertIn("has not decided whose privacy table t holds", run.stdout)
        self.assertIn("tacit.yaml:", run.stdout)

    def test_no_value_of_the_data_is_in_the_policy(self):
        a = self.deployment({"t": "id,age,name\n1,3017,Zebulon\n"})
        text = (a / "tacit.yaml").read_text()
        self.assertNotIn("3017", text)
        self.assertNotIn("Zebulon", text)
        self.assertIn("bigint", text)

    def test_a_deployment_is_never_replaced(self):
        d = self.deployment({"t": "id\n1\n"})
        before = {p.name: p.read_bytes() for p in d.iterdir()}
        again = self.tacit("init", d, "--table", f"t={self.root / 't.csv'}")
        self.assertEqual(again.returncode, 2)
        self.assertIn("already", again.stderr)
        self.assertEqual({p.name: p.read_bytes() for p in d.iterdir()}, before)

    def test_bad_files_are_said_with_their_line_and_leave_nothing(self):
        bad = self.file("bad.csv", "a,b\n1,2\n3\n4,5\n")
        run = self.tacit("init", self.root / "d", "--table", f"t={bad}")
        self.assertEqual(run.returncode, 2)
        self.assertIn("bad.csv", run.stderr)
        self.assertRegex(run.stderr, r"(?i)line:? 3")
        self.assertEqual(sorted(p.name for p in self.root.iterdir()), ["bad.csv"])

    def test_wrong_flags_are_exit_2(self):
        good = self.file("t.csv", "id\n1\n")
        for args in (["--table", "t"], ["--table", f"t={good}", "--table", f"T={good}"],
                     ["--table", "t=missing.csv"], ["--table", f"t={good}", "--unit", "t"],
                     ["--table", f"t={good}", "--unit", "t.nope"], ["--table", f"t={good}", "--unit", "u.id"]):
            run = self.tacit("init", self.root / "d", *args)
            self.assertEqual(run.returncode, 2, args)
            self.assertFalse((self.root / "d").exists())

    def test_codes_keep_their_zero_and_nan_is_said(self):
        path = self.file("t.csv", "id,zip,x\n1,01234,nan\n2,99999,inf\n")
        run = self.tacit("init", self.root / "d", "--table", f"t={path}", "--unit", "t.id")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("stored as NULL", run.stderr)
        policy = (self.root / "d" / "tacit.yaml").read_text()
        self.assertRegex(policy, r"zip: \{\} *# text")
        self.assertRegex(policy, r"id: \{hidden: true\}")

    def test_an_interrupted_init_leaves_nothing(self):
        lines = "\n".join(f"{i},{i * 7919 % 1000003}" for i in range(300000))
        path = self.file("big.csv", "id,x\n" + lines + "\n")
        for moment in (0, 0.1, 0.3, 0.6):
            child = subprocess.Popen([TACIT, "init", str(self.root / "d"), "--table", f"t={path}", "--unit", "t.x"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(moment)
            child.send_signal(signal.SIGINT if moment else signal.SIGTERM)
            said = child.communicate(timeout=60)[1]
            left = sorted(p.name for p in self.root.iterdir())
            self.assertEqual(left, ["big.csv"] if child.returncode != 0 else ["big.csv", "d"])
            # Nothing is wrong with the file: neither the words nor the code say so.
            self.assertNotEqual(child.returncode, 2, said)
            if child.returncode > 0:
                self.assertIn("interrupted: nothing was made, and nothing is left behind", said)
            shutil.rmtree(self.root / "d", ignore_errors=True)

    # --- check

    def test_a_good_policy_has_no_errors(self):
        d = self.deployment({"people": "id,age,sex\n1,30,F\n2,40,M\n", "visits": "pid,days\n1,2\n1,3\n"},
                            "  people: {unit: id, rows_per_unit: 1, columns: {id: {hidden: true}, age: {bounds: [0, 120]}, sex: {keys: [F, M]}}}\n"
                            "  visits: {unit: {via: pid, to: people}, rows_per_unit: 5}\n")
        _, found = self.findings(d)
        self.assertEqual([f for f in found if f["severity"] == "error"], [])

    def test_findings_about_names_and_types(self):
        d = self.deployment({"t": "id,name,age\n1,Ann,3\n2,Bob,4\n"},
                            "  t: {unit: id, rows_per_unit: 1, columns: {name: {bounds: [0, 1]}, agee: {}, age: {keys: [x]}}}\n"
                            "  gone: {unit: row}\n")
        code, _ = self.findings(d)
        self.assertEqual(code, 2)
        self.assertFinds(d, "error", "no column agee")
        self.assertFinds(d, "error", "t.name has bounds")
        self.assertFinds(d, "error", "the key 'x' of t.age is no number")
        self.assertFinds(d, "error", "there is no table gone")
        self.assertFinds(d, "note", "t.id names people and is not hidden")

    def test_findings_about_rows(self):
        d = self.deployment({"p": "id,k\n1,7\n1,7\n2,7\n", "c": "k\n7\n9\n"},
                            "  p: {unit: id, rows_per_unit: 1}\n"
                            "  c: {unit: {via: k, to: p.k}, rows_per_unit: 2}\n")
        self.assertFinds(d, "warning", "more rows in p than rows_per_unit 1")
        self.assertFinds(d, "error", "p.k is not unique")
        self.assertFinds(d, "note", "some rows of c have no row in p")

    def test_findings_about_prices(self):
        d = self.deployment({"t": "id,v\n1,1\n2,2\n"}, "  t: {unit: row, columns: {v: {bounds: [0, 1e12]}, id: {}}}\n")
        text = (d / "tacit.yaml").read_text()
        (d / "tacit.yaml").write_text(text.replace("epsilon_max: 1,", "epsilon_max: 1e9,").replace("delta: 1e-9", "delta: 0.4"))
        self.assertFinds(d, "warning", "EPSILON_MAX")
        self.assertFinds(d, "warning", "above 1e-5")
        self.assertFinds(d, "warning", "very wide")
        self.assertFinds(d, "note", "sum(id)")
        self.assertFinds(d, "note", "1/n^2")

    def test_open_permissions_are_an_error(self):
        d = self.deployment({"t": "id\n1\n"}, "  t: {unit: row}\n")
        os.chmod(d / "tacit.key", 0o644)
        self.assertFinds(d, "error", "can be read or written by others")
        (d / "tacit.key").unlink()
        self.assertFinds(d, "error", "is missing")

    def test_text_keys_serve_a_column_of_numbers(self):
        d = self.deployment({"t": "zip\n75001\n75002\n"}, '  t: {unit: row, columns: {zip: {keys: ["75001", "75002"]}}}\n')
        _, found = self.findings(d)
        self.assertEqual([f for f in found if f["severity"] == "error"], [])
        asked = self.tacit("query", d, "SELECT zip, count(*) FROM t GROUP BY zip ORDER BY zip", "--format", "csv")
        self.assertEqual(asked.returncode, 0, asked.stderr)
        self.assertEqual([line.split(",")[0] for line in asked.stdout.split()], ["zip", "75001", "75002"])

    def test_a_calendar_of_instants_with_a_zone_is_found(self):
        d = self.deployment({"t": "seen\n2024-01-01 10:00:00+00\n2024-01-02 10:00:00+00\n"},
                            "  t: {unit: row, columns: {seen: {keys: {from: 2024-01-01, to: 2024-12-31, step: day}}}}\n")
        self.assertFinds(d, "error", "days of a calendar, but the column is timestamp with time zone")

    # --- demo

    def test_a_foreign_key_of_another_type_is_refused_at_every_door(self):
        """2^53 and 2^53 + 1 are one floating-point number: a row would belong to two people."""
        people = "pid,age\n" + "".join(f"{i},{i % 90}\n" for i in range(30))
        meters = "pid,level\n" + "".join(f"{i}.5,{i % 5}\n" for i in range(30))
        folder = self.deployment({"people": people, "meters": meters}, """  people: {unit: pid, rows_per_unit: 1}
  meters: {unit: {via: pid, to: people}, rows_per_unit: 2}
""")
        self.assertFinds(folder, "error", "which is of another type")
        for command in (["prepare", folder], ["query", folder, "SELECT count(*) FROM people"], ["explain", folder, "SELECT count(*) FROM meters"]):
            run = self.tacit(*command)
            self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
            self.assertIn("meters.pid leads to people.pid, which is of another type", run.stderr)

    def test_the_clinic_is_the_same_every_time_and_passes_its_own_check(self):
        prints = []
        for name in ("a", "b"):
            run = self.tacit("demo", "clinic", self.root / name, "--patients", "2000")
            self.assertEqual(run.returncode, 0, run.stderr)
            prints.append([hashlib.sha256((self.root / name / f).read_bytes()).hexdigest()
                           for f in ("patients.csv", "visits.csv", "departments.csv", "tacit.yaml")])
        self.assertEqual(prints[0], prints[1])
        f = self.root / "a"
        made = self.tacit("init", self.root / "d", "--table", f"patients={f}/patients.csv", "--table", f"visits={f}/visits.csv",
                          "--table", f"departments={f}/departments.csv", "--unit", "patients.ssn", "--unit", "visits.patient_ssn")
        self.assertEqual(made.returncode, 0, made.stderr)
        (self.root / "d" / "tacit.yaml").write_bytes((f / "tacit.yaml").read_bytes())
        _, found = self.findings(self.root / "d")
        self.assertEqual([x for x in found if x["severity"] != "note"], [])


if __name__ == "__main__":
    TACIT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
