#!/usr/bin/env python3
"""Files of every kind into tables, and tables that change: tacit init, table and person.
usage: data_test.py TACIT"""
import gzip
import json
import os
import pathlib
import signal
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import parquet_file

TACIT = ""

POLICY = """# whose data it is
tacit: 1
data_version: 1   # counted by hand
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 1e9, delta: 1e-9}
  query: {epsilon: 1e6, epsilon_max: 1e6, delta: 1e-12}
tables:
  # one row a person
  people:
    unit: pid
    rows_per_unit: 1
    columns:
      age: {bounds: [0, 120]}
  visits:   # several
    unit: {via: pid, to: people}
    rows_per_unit: 5
  towns:
    public: true
"""
PEOPLE = "pid,age,town\n" + "".join(f"p{i},{20 + i},t{i % 3}\n" for i in range(40))
VISITS = "pid,day\n" + "".join(f"p{i % 40},2024-01-{1 + i % 28:02d}\n" for i in range(120))
TOWNS = "town,size\nt0,5\nt1,6\nt2,7\n"


class DataTest(unittest.TestCase):
    def setUp(self):
        self.box = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.box.name)

    def tearDown(self):
        self.box.cleanup()

    def tacit(self, *args, code=0):
        run = subprocess.run([TACIT, *map(str, args)], capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, code, f"{args}\n{run.stdout}{run.stderr}")
        return run.stdout + run.stderr

    def file(self, name, text):
        path = self.root / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def init(self, table, *flags, code=0):
        """One table t of a file, and what was said."""
        return self.tacit("init", self.root / "d", "--table", f"t={table}", *flags, code=code)

    def test_values_that_are_none_of_their_type_are_stored_as_null(self):
        """The engine raises on them, and one row would decide whether a question is answered."""
        path = self.root / "t.parquet"
        parquet_file.write(path, {"p": ([], [1, 2, 3]), "ts": (parquet_file.timestamp(), [0, -2**63, -9223372022400000001]),
                                  "a": (parquet_file.decimal(18, 2), [100, 10**18, -(2**63)])})
        self.init(path, "--unit", "t.p")
        policy = self.root / "d" / "tacit.yaml"
        policy.write_text(POLICY[:POLICY.index("tables:")] + "tables:\n  t: {unit: p, rows_per_unit: 1}\n")
        for question, count in (("count(ts::text)", "1"), ("count(ts)", "1"), ("count(coalesce(a, 1.123456789))", "3"),
                                ("count(a + a)", "1"), ("count(-a)", "1")):
            self.assertIn(count, self.tacit("query", self.root / "d", f"SELECT {question} FROM t", "--format", "csv").split())

    def types(self):
        """{column: type} as init wrote it into the policy."""
        found = {}
        for line in (self.root / "d" / "tacit.yaml").read_text().splitlines():
            if line.startswith("      ") and "{" in line and "# " in line:
                name, rest = line.strip().split(": ", 1)
                found[name.strip(chr(34))] = rest.split("# ", 1)[1].split(";")[0].split(":")[0]
        return found

    def clinic(self):
        args = []
        for table, text in (("people", PEOPLE), ("visits", VISITS), ("towns", TOWNS)):
            args += ["--table", f"{table}={self.file(table + '.csv', text)}"]
        self.tacit("init", self.root / "d", *args, "--unit", "people.pid", "--unit", "visits.pid")
        (self.root / "d" / "tacit.yaml").write_text(POLICY)
        self.tacit("prepare", self.root / "d")
        return self.root / "d"

    def count(self, folder, table):
        """At an epsilon of a million the noise is none."""
        out = self.tacit("query", folder, f"SELECT count(*) AS n FROM {table}", "--format", "json")
        return json.loads(out[out.index("{"):])["rows"][0][0]

    def records(self, folder, kind):
        out = self.tacit("ledger", "list", folder, "--format", "json")
        return [r for r in json.loads(out) if r["kind"] == kind]

    # --- files

    def test_a_dialect_is_found_and_told(self):
        path = self.file("t.csv", "id;day;price;name\n1;13/02/2023;2,5;'a;b'\n2;03/04/2023;3,25;'c'\n")
        said = self.init(path)
        self.assertIn("separated by ';', quoted by '", said)
        self.assertIn("decimal comma", said)
        self.assertIn("%d/%m/%Y", said)
        self.assertEqual(self.types(), {"id": "bigint", "day": "date", "price": "double precision", "name": "text"})

    def test_what_the_owner_says_holds(self):
        path = self.file("t.csv", "1|01.02.2023|1.234,5|n/a\n2|03.04.2023|7,5|3\n")
        self.init(path, "--delimiter", "|", "--header", "no", "--date-format", "%d.%m.%Y", "--decimal", ",", "--null", "n/a")
        types = self.types()
        self.assertEqual((types["column0"], types["column1"], types["column3"]), ("bigint", "date", "bigint"))

    def test_a_first_line_that_looks_like_data_is_refused_with_the_flag_that_decides(self):
        path = self.file("t.csv", "1,30\n2,40\n")
        said = self.init(path, code=2)
        self.assertIn("looks like data", said)
        self.assertIn("--header no", said)
        self.assertFalse((self.root / "d").exists())
        self.init(path, "--header", "no")
        self.assertEqual(self.types(), {"column0": "bigint", "column1": "bigint"})

    def test_what_can_be_read_in_two_ways_is_refused_with_the_flag_that_decides(self):
        for text, flag in (("id,day\n1,01/02/2023\n2,03/04/2023\n", "--date-format '%m/%d/%Y'"),
                           ('id;x\n1;1,234\n2;5,678\n', "--decimal ,"),
                           (b"id,name\n1,M\xfcller\n", "--encoding latin-1")):
            said = self.init(self.file("t.csv", text), code=2)
            self.assertIn(flag, said)
            self.assertFalse((self.root / "d").exists())
        self.init(self.root / "t.csv", "--encoding", "latin-1")

    def test_a_mark_among_numbers_is_told(self):
        said = self.init(self.file("t.csv", "id,income\n1,n/a\n2,30000\n"))
        self.assertIn("--null 'n/a'", said)
        self.assertEqual(self.types()["income"], "text")

    def test_marks_are_told_whatever_the_language_and_among_dates_too(self):
        path = self.file("t.csv", "id;lohn;ort;tag\n1;k.A.;Ulm;01.02.2023\n2;30000,50;Bonn;offen\n3;20000,25;k.A.;31.12.2023\n4;1,5;Kiel;-\n")
        said = self.init(path)
        self.assertIn("lohn is text, because 'k.A.' stands among its numbers; --null 'k.A.' reads it as no value", said)
        self.assertIn("tag is text, because '-' and 'offen' stand among its dates; --null '-' --null 'offen' read them as no value", said)
        self.assertNotIn("ort is text", said)
        shutil.rmtree(self.root / "d")
        said = self.init(path, "--null", "k.A.", "--null", "-", "--null", "offen")
        self.assertIn("numbers of lohn have a decimal comma", said)
        self.assertEqual(self.types(), {"id": "bigint", "lohn": "double precision", "ort": "text", "tag": "date"})

    def test_packed_files_and_lines_of_json(self):
        packed = self.root / "t.csv.gz"
        packed.write_bytes(gzip.compress(b"id\tage\n1\t30\n"))
        self.assertIn("separated by tabs", self.init(packed))
        self.assertEqual(self.types(), {"id": "bigint", "age": "bigint"})
        lines = self.file("u.jsonl", '{"id": 1, "age": 3.5}\n{"id": 2, "more": "x"}\n')
        self.tacit("init", self.root / "e", "--table", f"u={lines}")
        policy = (self.root / "e" / "tacit.yaml").read_text()
        for word in ("id: {}", "age: {}", "more: {}"):
            self.assertIn(word, policy)

    def test_a_duckdb_file_is_a_source_too(self):
        folder = self.clinic()
        said = self.tacit("init", self.root / "e", "--table", f"people={folder}/data.duckdb", "--table", f"trips={folder}/data.duckdb:visits")
        self.assertIn("made", said)
        self.assertIn("trips:", (self.root / "e" / "tacit.yaml").read_text())
        self.tacit("init", self.root / "f", "--table", f"nobody={folder}/data.duckdb", code=2)

    # --- tables

    def test_a_replaced_table_has_the_new_rows_and_everything_else_stays(self):
        folder = self.clinic()
        self.assertEqual(self.count(folder, "visits"), 120)
        said = self.tacit("table", "replace", folder, f"visits={self.file('new.csv', VISITS + 'p1,2024-02-01' + chr(10))}")
        self.assertIn("data_version is now 2", said)
        self.assertEqual(self.count(folder, "visits"), 121)
        self.assertEqual(self.count(folder, "people"), 40)
        self.assertEqual((folder / "tacit.yaml").read_text(), POLICY.replace("data_version: 1 ", "data_version: 2 "))
        [record] = self.records(folder, "data")
        self.assertEqual((record["data_version"], record["what"]), (2, "table replaced: visits"))
        self.assertIn("prepared", self.tacit("explain", folder, "SELECT count(*) FROM visits"))
        self.tacit("ledger", "verify", folder)
        self.assertEqual([p.name for p in folder.iterdir() if "chang" in p.name], [])
        self.assertEqual(os.stat(folder / "data.duckdb").st_mode & 0o777, 0o600)

    def test_rows_that_the_policy_does_not_fit_change_nothing(self):
        folder = self.clinic()
        before = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file() and "ledger" not in p.name}
        said = self.tacit("table", "replace", folder, f"people={self.file('new.csv', 'pid,town' + chr(10) + 'p1,t1' + chr(10))}", code=2)
        self.assertIn("no column age", said)
        self.tacit("table", "replace", folder, "nobody=x.csv", code=2)
        self.tacit("table", "replace", folder, "people=missing.csv", code=2)
        self.tacit("table", "drop", folder, "people", code=2)  # visits lead there
        after = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file() and "ledger" not in p.name}
        self.assertEqual(before, after)
        self.assertEqual(self.records(folder, "data"), [])

    def test_tables_come_and_go(self):
        folder = self.clinic()
        labs = self.file("labs.csv", "pid,value\np1,3\np2,4\n")
        said = self.tacit("table", "add", folder, f"labs={labs}", "--unit", "labs.pid")
        self.assertEqual(self.count(folder, "labs"), 2)
        self.assertIn("labs:\n    unit: pid\n", (folder / "tacit.yaml").read_text())
        said = self.tacit("table", "add", folder, f"notes={labs}")
        self.assertIn("Nobody can ask about it yet", said)
        self.assertIn("DECIDE whose privacy", said)
        floors = self.file("floors.csv", "floor,name\n1,a\n")
        self.tacit("table", "add", folder, f"floors={floors}", "--public", "floors")
        self.tacit("table", "drop", folder, "labs", "notes")
        self.tacit("query", folder, "SELECT count(*) FROM labs", code=3)
        self.assertNotIn("labs", (folder / "tacit.yaml").read_text())
        self.assertEqual(self.count(folder, "people"), 40)
        self.assertEqual(len(self.records(folder, "data")), 4)

    # --- people

    def test_a_deleted_person_is_in_no_file_and_in_no_record(self):
        folder = self.clinic()
        secret = "p17-the-secret-name"
        people = PEOPLE.replace("p17,", secret + ",")
        visits = VISITS.replace("p17,", secret + ",")
        self.tacit("table", "replace", folder, f"people={self.file('a.csv', people)}", f"visits={self.file('b.csv', visits)}")
        self.assertTrue(any(secret.encode() in p.read_bytes() for p in folder.iterdir() if p.is_file()))
        self.assertEqual((self.count(folder, "people"), self.count(folder, "visits")), (40, 120))
        said = self.tacit("person", "delete", folder, secret)
        self.assertIn("data_version is now 3", said)
        self.assertEqual((self.count(folder, "people"), self.count(folder, "visits")), (39, 117))
        for path in folder.rglob("*"):
            if path.is_file():
                self.assertNotIn(secret.encode(), path.read_bytes(), path)
        self.assertEqual(self.records(folder, "data")[-1]["what"], "people deleted")
        said = self.tacit("person", "delete", folder, "nobody", code=2)
        self.assertIn("no table holds a row", said)
        self.assertEqual(len(self.records(folder, "data")), 2)

    def test_a_killed_change_is_the_old_data_or_the_new(self):
        folder = self.clinic()
        new = self.file("new.csv", VISITS + "p1,2024-02-01\n")
        for delay in (0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.1):
            child = subprocess.Popen([TACIT, "table", "replace", str(folder), f"visits={new}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            child.send_signal(signal.SIGKILL)
            child.wait(timeout=60)
            rows = self.count(folder, "visits")
            self.assertIn(rows, (120, 121))
            self.assertEqual(self.count(folder, "people"), 40)
            self.tacit("ledger", "verify", folder)
            version = int((folder / "tacit.yaml").read_text().split("data_version: ")[1].split()[0])
            self.assertEqual(rows == 121, version > 1)
        self.tacit("table", "replace", folder, f"visits={new}")
        self.assertEqual(self.count(folder, "visits"), 121)
        self.assertEqual([p.name for p in folder.iterdir() if "chang" in p.name], [])

    def test_an_exchange_that_was_cut_off_is_finished_by_the_next_command(self):
        folder = self.clinic()
        waiting = folder / "data.duckdb-changed"
        for had_data in (True, False):
            waiting.mkdir(mode=0o700)
            if had_data:
                (waiting / "data").write_bytes((folder / "data.duckdb").read_bytes())
                os.chmod(waiting / "data", 0o600)
            version = 5 if had_data else 6
            (waiting / "tacit.yaml").write_text(POLICY.replace("data_version: 1 ", f"data_version: {version} "))
            self.assertEqual(self.count(folder, "people"), 40)
            self.assertIn(f"data_version: {version} ", (folder / "tacit.yaml").read_text())
            self.assertFalse(waiting.exists())

    # --- choosing

    def test_advice_reads_no_row_unless_it_is_paid_for(self):
        folder = self.clinic()
        (folder / "tacit.yaml").write_text(POLICY.replace("query: {epsilon: 1e6,", "query: {epsilon: 0.1,"))
        said = self.tacit("advise", folder, "--question", "SELECT avg(age) FROM people", "--question", "SELECT count(*) FROM visits")
        self.assertIn("visits.rows_per_unit 10 (declared 5)", said)
        self.assertIn("people.age bounds [0, 60] (declared [0, 120])", said)
        self.assertIn("no row was read", said)
        self.assertIn("towns", POLICY)
        self.assertNotIn("towns.", said)
        self.assertEqual(self.records(folder, "charge"), [])
        said = self.tacit("advise", folder, "--epsilon", "100000")
        self.assertIn("visits: people with more rows than", said)
        self.assertIn("rows_per_unit: 5", said)  # everybody has three visits
        self.assertIn("age: {bounds: [0, 60]}", said)  # of parts of the declared bounds, the first that nobody is above
        charges = self.records(folder, "charge")
        self.assertGreaterEqual(len(charges), 2)
        self.assertLessEqual(sum(float(c["dataset_cost"]["epsilon"]) for c in charges), 100000)
        self.assertEqual({c["analyst"] for c in charges}, {""})
        self.tacit("ledger", "verify", folder)

    def test_advice_is_written_when_the_owner_says_so_and_comments_stay(self):
        folder = self.clinic()
        policy = folder / "tacit.yaml"
        comments = [line.split("#")[1] for line in policy.read_text().splitlines() if "#" in line]
        self.tacit("advise", folder, "--set", "visits.rows_per_unit=4", "--set", "people.age.bounds=[0, 99]")
        self.assertIn("rows_per_unit: 4", policy.read_text())
        self.assertIn("bounds: [0, 99]", policy.read_text())
        before = policy.read_text()
        self.tacit("advise", folder, "--epsilon", "100000")
        self.assertEqual(policy.read_text(), before)
        said = self.tacit("advise", folder, "--epsilon", "100000", "--write")
        self.assertIn("written into", said)
        self.assertIn("rows_per_unit: 5", policy.read_text())
        self.assertEqual([line.split("#")[1] for line in policy.read_text().splitlines() if "#" in line], comments)
        written = policy.read_text()
        self.tacit("advise", folder, "--set", "people.age.bounds=[9, 0]", code=2)
        self.tacit("advise", folder, "--set", "nobody.rows_per_unit=4", code=2)
        self.assertEqual(policy.read_text(), written)

    def test_moments_with_points_are_read(self):
        path = self.file("m.csv", "id,at\n1,18.04.2023 19:26\n2,03.01.2023 20:09\n")
        self.assertIn("at written as %d.%m.%Y %H:%M", self.init(path, "--unit", "t.id"))
        calendar = "keys: {from: YYYY-MM-DD, to: YYYY-MM-DD, step: day}"
        self.assertIn(calendar, (self.root / "d" / "tacit.yaml").read_text())
        said = self.tacit("advise", self.root / "d")
        self.assertIn("t.at has no calendar: days and months of few people are not shown", said)
        self.assertIn("at: {" + calendar + "}", said)

    # --- what check finds stops everything else

    def test_errors_of_check_stop_query_and_prepare_before_the_first_charge(self):
        folder = self.clinic()
        (folder / "data.duckdb-prepared").unlink()
        (folder / "tacit.yaml").write_text(POLICY.replace("age: {bounds", "agee: {bounds"))
        for command in (["query", folder, "SELECT count(*) FROM people"], ["prepare", folder], ["explain", folder, "SELECT count(*) FROM people"]):
            said = self.tacit(*command, code=2)
            self.assertIn("no column agee", said)
            self.assertIn("did you mean age?", said)
        self.assertEqual(self.records(folder, "charge"), [])
        self.assertEqual(self.records(folder, "declare"), [])

    def test_a_key_that_stands_twice_for_one_person_is_no_error(self):
        baskets = "basket,customer\n1,c1\n1,c1\n2,c2\n"
        items = "basket,item\n" + "1,a\n1,b\n2,c\n"
        args = ["--table", f"baskets={self.file('baskets.csv', baskets)}", "--table", f"items={self.file('items.csv', items)}"]
        self.tacit("init", self.root / "d", *args)
        tables = """  baskets: {unit: customer, rows_per_unit: 5}
  items: {unit: {via: basket, to: baskets.basket}, rows_per_unit: 5}
"""
        head = POLICY[:POLICY.index("  # one row a person")]
        folder = self.root / "d"
        (folder / "tacit.yaml").write_text(head + tables)
        self.tacit("check", folder)
        self.tacit("prepare", folder)
        self.assertEqual(self.count(folder, "items"), 3)
        self.tacit("table", "replace", folder, f"baskets={self.file('two.csv', baskets + '1,c2' + chr(10))}", code=2)


if __name__ == "__main__":
    TACIT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
