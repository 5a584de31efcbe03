#!/usr/bin/env python3
"""tacit synth, tacit synth report and tacit tables as whole commands. usage: synth_test.py TACIT"""
import csv
import json
import pathlib
import shutil
import signal
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
  accounting: %s
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 2, delta: 1e-7}
tables:
  people:
    unit: pid
    rows_per_unit: 1
    columns:
      pid: {hidden: true}
      age: {bounds: [0, 120]}
      sex: {keys: [F, M]}
      town: {keys: ["north", "south", "the, \\"middle\\""]}
      born: {keys: {months: [2020-01, 2020-06]}}
      pay: {bounds: [0, 1000], step: 0.5}
      nothing: {keys: [a, b]}
      note: {}
  trips:
    unit: {via: pid, to: people}
    rows_per_unit: 4
    columns: {pid: {hidden: true}, far: {bounds: [0, 9]}, way: {}}
  single: {unit: pid, rows_per_unit: 1, columns: {pid: {hidden: true}, kind: {keys: [a, b]}}}
"""
HEADER = "pid,age,sex,town,member,born,pay,nothing,note,weight\n"
TOWNS = ["north", "south", '"the, ""middle"""', "elsewhere"]
COLUMNS = "age,sex,town,member,born,pay,nothing"


def person(i):
    """Sex decides age and membership; one in forty lives in a town that is not on the list."""
    sex = i % 2
    age = 20 + i % 20 + 40 * sex
    town = TOWNS[3] if i % 40 == 7 else TOWNS[i % 3]
    member = "" if i % 10 == 3 else ["false", "true"][sex]
    return f"{i},{age},{'FM'[sex]},{town},{member},2020-0{1 + i % 6}-{1 + i % 28:02},{i % 2001 / 2},,x{i},{50 + i % 50}"


def trips(i):
    """Every second person goes four times and far, by train; the others once, by foot."""
    return [f"{i},{8 if i % 2 else 1},{'train' if i % 2 else 'foot'}" for _ in range(4 if i % 2 else 1)]


class SynthTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.scratch.name)
        (root / "people.csv").write_text(HEADER + "\n".join(person(i) for i in range(4000)) + "\n")
        (root / "trips.csv").write_text("pid,far,way\n" + "\n".join(t for i in range(4000) for t in trips(i)) + "\n")
        (root / "single.csv").write_text("pid,kind\n1,b\n")
        tables = [word for name in ("people", "trips", "single") for word in ("--table", f"{name}={root / name}.csv")]
        made = subprocess.run([TACIT, "init", str(root / "made"), *tables], capture_output=True, text=True, timeout=120)
        assert made.returncode == 0, made.stderr
        (root / "made" / "tacit.yaml").write_text(POLICY % "pure")
        cls.root = root

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def setUp(self):
        self.folder = self.root / "d"
        shutil.copytree(self.root / "made", self.folder)
        self.out = self.root / "out.csv"
        self.out.unlink(missing_ok=True)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def tacit(self, *words):
        return subprocess.run([TACIT, *map(str, words)], capture_output=True, text=True, timeout=300)

    def synth(self, *words):
        return self.tacit("synth", self.folder, "people", "--columns", COLUMNS, "--out", self.out, *words)

    def rows(self):
        with open(self.out, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def spent(self):
        budget = self.tacit("budget", self.folder, "--format", "json")
        return json.loads(budget.stdout)["accounts"][0]["spent"]

    def test_the_file_looks_like_the_table_and_costs_what_was_asked(self):
        done = self.synth("--epsilon", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("tables of two columns", done.stdout)
        self.assertIn("charged: epsilon 2, delta 0.0000001", done.stdout)
        rows = self.rows()
        self.assertTrue(3700 < len(rows) < 4100, len(rows))  # 3,900 have a town of the list
        self.assertEqual(list(rows[0]), COLUMNS.split(","))
        self.assertEqual({row["sex"] for row in rows}, {"F", "M"})
        self.assertEqual({row["town"] for row in rows}, {"north", "south", 'the, "middle"'})
        self.assertEqual({row["member"] for row in rows}, {"", "false", "true"})
        self.assertTrue(all("2020-01-01" <= row["born"] <= "2020-06-30" for row in rows))
        self.assertGreater(sum(row["nothing"] == "" for row in rows), 0.9 * len(rows))
        for row in rows:
            self.assertTrue(0 <= int(row["age"]) <= 120)
            self.assertEqual(float(row["pay"]) * 2 % 1, 0)
            self.assertTrue(0 <= float(row["pay"]) <= 1000)
        men = [int(row["age"]) for row in rows if row["sex"] == "M"]
        women = [int(row["age"]) for row in rows if row["sex"] == "F"]
        self.assertGreater(sum(men) / len(men), sum(women) / len(women) + 30)
        self.assertEqual(self.spent(), {"epsilon": "2", "delta": "0.0000001", "rho": "0"})

    def test_the_same_release_again_is_free_and_the_same_file(self):
        self.assertEqual(self.synth("--epsilon", 1).returncode, 0)
        first = self.out.read_bytes()
        self.out.unlink()
        again = self.synth("--epsilon", 1)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("free", again.stdout)
        self.assertEqual(self.out.read_bytes(), first)
        self.assertEqual(self.spent()["epsilon"], "1")
        # At another price, even a lower one, it is another file: it says what it was made for.
        self.assertIn("charged: epsilon 0.5", self.synth("--epsilon", 0.5).stdout)
        self.assertNotEqual(self.out.read_bytes(), first)
        other = self.tacit("synth", self.folder, "people", "--columns", "sex,age", "--out", self.out, "--epsilon", 1)
        self.assertIn("charged", other.stdout, other.stderr)
        self.assertEqual(self.spent()["epsilon"], "2.5")
        # The third does not fit any more: refused, and nothing is written.
        self.out.unlink()
        refused = self.synth("--epsilon", 2)
        self.assertEqual(refused.returncode, 4, refused.stderr)
        self.assertFalse(self.out.exists())
        self.assertEqual(self.spent()["epsilon"], "2.5")
        verified = self.tacit("ledger", "verify", self.folder)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)

    def test_under_zcdp_rho_is_charged(self):
        (self.folder / "tacit.yaml").write_text(POLICY % "zcdp")
        done = self.synth("--epsilon", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("charged: rho", done.stdout)
        spent = self.spent()
        self.assertEqual(spent["delta"], "0")
        self.assertTrue(0.01 < float(spent["rho"]) < 0.03, spent)

    def test_who_stops_it_is_told_what_was_charged(self):
        child = subprocess.Popen([TACIT, "synth", self.folder, "people", "--columns", COLUMNS, "--out", self.out, "--epsilon", "1",
                                  "--method", "adaptive"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 120
        while child.poll() is None and self.spent()["epsilon"] == "0" and time.monotonic() < deadline:
            time.sleep(0.01)
        child.send_signal(signal.SIGTERM)
        said = child.communicate(timeout=120)[1]
        self.assertEqual(child.returncode, 143, said)
        self.assertIn("stopped; epsilon 1 was charged", said)
        self.assertEqual(self.spent()["epsilon"], "1")
        self.assertFalse(self.out.exists())

    def test_what_cannot_be_released_is_said_and_costs_nothing(self):
        cases = [
            (("--columns", "weight"), 3, "what values people.weight can have is not public"),
            (("--columns", "pid"), 3, "says who somebody is"),
            (("--columns", "age,age"), 2, "named twice"),
            (("--columns", "height"), 2, "has no column height"),
            (("--columns", "age", "--epsilon", 5), 3, "above the most"),
            (("--columns", "age", "--delta", 0), 3, "needs a delta"),
            (("--columns", "age", "--rows", 10**12), 2, "so many rows cannot be kept"),
        ]
        for words, code, text in cases:
            done = self.tacit("synth", self.folder, "people", "--out", self.out, *words)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(text, " ".join(done.stderr.split()))
            self.assertFalse(self.out.exists())
        everything = self.tacit("synth", self.folder, "people", "--out", self.out)
        self.assertEqual(everything.returncode, 3)
        self.assertIn("--columns names those to release", " ".join(everything.stderr.split()))
        nowhere = self.tacit("synth", self.folder, "people", "--columns", "age", "--out", "/nonexistent/x.csv")
        self.assertEqual(nowhere.returncode, 2)
        self.assertEqual(self.tacit("synth", self.folder, "nobody", "--out", self.out).returncode, 2)
        self.assertEqual(self.spent(), {"epsilon": "0", "delta": "0", "rho": "0"})

    def test_words_of_one_person_each_are_not_shown(self):
        done = self.tacit("synth", self.folder, "people", "--columns", "sex,note", "--epsilon", 1, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLessEqual({row["note"] for row in self.rows()}, {"(other)", ""})

    def test_one_column_and_a_number_of_rows(self):
        done = self.tacit("synth", self.folder, "people", "--columns", "sex", "--rows", 77, "--epsilon", 1, "--out",
                          self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.rows()
        self.assertEqual(len(rows), 77)
        self.assertIn("people, 1 column:", done.stdout)
        self.assertTrue(30 < sum(row["sex"] == "F" for row in rows) < 47)

    def test_too_little_epsilon_is_said_afterwards(self):
        done = self.synth("--epsilon", 0.001)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no better than independent columns", done.stdout)

    def test_tables_of_three_columns(self):
        done = self.synth("--epsilon", 1, "--workload", "all-3way")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("6 tables of three columns", done.stdout)
        only = self.tacit("synth", self.folder, "people", "--columns", "age,sex,member", "--epsilon", 0.5, "--workload",
                          "all-3way", "--out", self.out)
        self.assertIn("1 table of three columns ", only.stdout, only.stderr)
        direct = self.synth("--epsilon", 1, "--method", "direct")
        self.assertIn("charged", direct.stdout, direct.stderr)

    def test_the_report_says_that_it_is_for_the_owner_and_compares(self):
        made = self.tacit("synth", self.folder, "people", "--columns", "age,sex,member", "--epsilon", 2, "--out",
                          self.out)
        self.assertEqual(made.returncode, 0, made.stderr)
        page = self.root / "quality.html"
        done = self.tacit("synth", "report", self.root / "people.csv", self.out, "--html", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("For the owner alone", done.stdout)
        self.assertIn("3 columns in common (7 real ones left out)", done.stdout)
        head = done.stdout[:done.stdout.index("1-way: max")]
        scores = {line[:20].strip(): float(line[20:].split()[0]) for line in head.splitlines() if "%" in line
                  and line[20:].strip()[:1].isdigit()}
        self.assertGreater(scores["this file"], scores["independent columns"])
        self.assertGreater(scores["sample of 50 %"], scores["sample of 1 %"])
        self.assertIn("not for release", page.read_text(encoding="utf-8"))
        same = self.tacit("synth", "report", self.root / "people.csv", self.root / "people.csv")
        self.assertRegex(same.stdout, r"this file +1000\.0")
        for wrong in (("/nonexistent.csv", self.out), (self.out, "/nonexistent.csv")):
            self.assertEqual(self.tacit("synth", "report", *wrong).returncode, 2)

    def tables(self, of, *words):
        return self.tacit("tables", self.folder, "people", "--of", of, "--out", self.root / "tables", *words)

    def read_table(self, number):
        with open(self.root / "tables" / f"table_{number}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_tables_agree_and_are_described(self):
        shutil.rmtree(self.root / "tables", ignore_errors=True)
        done = self.tables("sex,age; town, sex", "--epsilon", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        about = json.loads((self.root / "tables" / "tables.json").read_text())
        self.assertEqual([table["columns"] for table in about["tables"]], [["sex", "age"], ["town", "sex"]])
        margins = []
        for number in (1, 2):
            rows = self.read_table(number)
            self.assertEqual(len(rows), about["tables"][number - 1]["cells"])
            self.assertEqual(sum(int(row["count"]) for row in rows), about["rows"])
            self.assertTrue(all(int(row["count"]) >= 0 for row in rows))
            margin = {}
            for row in rows:
                margin[row["sex"]] = margin.get(row["sex"], 0) + int(row["count"])
            margins.append(margin)
        self.assertEqual(margins[0], margins[1])
        self.assertTrue(1500 < margins[0]["F"] < 2400, margins)
        self.assertEqual(self.spent()["epsilon"], "1")
        # A folder with something in it is left alone; the same tables again are free and the same.
        self.assertEqual(self.tables("sex,age; town, sex", "--epsilon", 1).returncode, 2)
        first = self.read_table(1)
        shutil.rmtree(self.root / "tables")
        again = self.tables("sex,age; town, sex", "--epsilon", 1)
        self.assertIn("free", again.stdout, again.stderr)
        self.assertEqual(self.read_table(1), first)
        for of, code in (("sex,sex", 2), (";", 2), ("sex,,age", 2), ("sex;sex", 2), ("weight", 3), ("pid,sex", 3),
                         ("age,pay,born,town,sex", 2)):
            shutil.rmtree(self.root / "tables", ignore_errors=True)
            self.assertEqual(self.tables(of).returncode, code, of)
        self.assertEqual(self.spent()["epsilon"], "1")
        # Of texts that nobody listed those are shown that many people have: here none.
        noted = self.tables("sex,note", "--epsilon", 1)
        self.assertIn("note: 0 values are shown", noted.stdout, noted.stderr)
        self.assertEqual({row["note"] for row in self.read_table(1)}, {"(other)", "NULL"})

    def test_two_tables_belong_together(self):
        children = self.root / "trips-made.csv"
        done = self.tacit("synth", self.folder, "people", "--columns", "sex,member", "--epsilon", 2, "--out", self.out,
                          "--children", "trips", "--children-out", children)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 histograms of people", done.stdout)
        self.assertIn("4 histograms of trips", done.stdout)
        self.assertIn("way: 2 values are shown", done.stdout)
        with open(children, newline="", encoding="utf-8") as file:
            made = list(csv.DictReader(file))
        sex = {row["pid"]: row["sex"] for row in self.rows()}
        by_train = [sex[row["pid"]] == "M" for row in made if row["way"] == "train"]
        self.assertTrue(7000 < len(made) < 13000, len(made))  # 10,000 there are
        self.assertGreater(sum(by_train), 0.8 * len(by_train))
        self.assertEqual(self.spent()["epsilon"], "2")

    def test_people_with_many_rows_count_for_less_and_are_written_in_full(self):
        done = self.tacit("synth", self.folder, "trips", "--columns", "far,way", "--rows-per-unit", 1, "--epsilon", 2,
                          "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.rows()
        self.assertTrue(9000 < len(rows) < 11000, len(rows))  # 2,000 walk once, 2,000 go by train four times
        self.assertTrue(0.75 < sum(row["way"] == "train" for row in rows) / len(rows) < 0.85)
        for words, code, text in ((("--rows-per-unit", 5), 2, "lets 4 rows of a person count"),
                                  (("--rows-per-unit", 2, "--children", "people", "--children-out", "x.csv"), 2,
                                   "do not belong to rows of")):
            wrong = self.tacit("synth", self.folder, "trips", "--columns", "far", "--out", self.out, *words)
            self.assertEqual(wrong.returncode, code, wrong.stderr)
            self.assertIn(text, " ".join(wrong.stderr.split()))
        self.assertEqual(self.spent()["epsilon"], "2")

    def test_one_row_one_column_and_nothing_but_null(self):
        one = self.tacit("synth", self.folder, "single", "--epsilon", 1, "--out", self.out)
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(list(self.rows()[0]) if self.rows() else ["kind"], ["kind"])
        self.assertLess(len(self.rows()), 60)
        null = self.tacit("synth", self.folder, "people", "--columns", "nothing", "--epsilon", 1, "--out", self.out)
        self.assertEqual(null.returncode, 0, null.stderr)
        lines = self.out.read_text(encoding="utf-8").splitlines()[1:]  # a reader of CSV would leave empty lines out
        self.assertGreater(len(lines), 3900)
        self.assertGreater(lines.count(""), 0.95 * len(lines))
        both = self.tacit("synth", self.folder, "people", "--columns", "nothing,sex", "--epsilon", 1, "--out", self.out)
        self.assertEqual(both.returncode, 0, both.stderr)
        self.assertGreater(sum(row["nothing"] == "" for row in self.rows()), 0.9 * len(self.rows()))

    def test_what_is_too_large_for_a_method_says_what_would_fit(self):
        large = self.synth("--method", "mwem", "--epsilon", 1)
        self.assertEqual(large.returncode, 2, large.stderr)
        self.assertIn("the first 5 of these columns would fit", " ".join(large.stderr.split()))
        self.assertEqual(self.spent()["epsilon"], "0")


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main()
