#!/usr/bin/env python3
"""Files that stay where they are: engine: {kind: duckdb, tables: ...}.
usage: files_test.py TACIT LIBDUCKDB"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import parquet_file
from duckdb_library import Writer

TACIT = LIBRARY = ""

HEAD = """tacit: 1
engine:
  kind: duckdb
  tables:
{files}
ledger: {{kind: sqlite, path: ledger.sqlite}}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {{epsilon: 1e9, delta: 1e-9}}
  query: {{epsilon: 1e6, epsilon_max: 1e6, delta: 1e-12}}
tables:
{tables}
"""
PEOPLE = "  people: {unit: pid, rows_per_unit: 1, columns: {age: {bounds: [0, 120]}}}\n"
VISITS = "  visits: {unit: {via: pid, to: people}, rows_per_unit: 3, columns: {cost: {bounds: [0, 1000]}, year: {keys: [2023, 2024]}}}\n"


class FilesTest(unittest.TestCase):
    def setUp(self):
        self.box = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.box.name)
        self.writer = Writer(LIBRARY)
        self.lake = self.root / "lake"

    def tearDown(self):
        self.writer.__exit__()
        self.box.cleanup()

    def tacit(self, *args, code=0):
        run = subprocess.run([TACIT, *map(str, args)], capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, code, f"{args}\n{run.stdout}{run.stderr}")
        return run.stdout + run.stderr

    def write_lake(self, people=200):
        half = people // 2
        self.writer.parquet(self.lake / "people" / "a.parquet", f"SELECT 'p' || range AS pid, CAST(20 + range % 60 AS INTEGER) AS age FROM range({half})")
        self.writer.parquet(self.lake / "people" / "b.parquet", f"SELECT 'p' || range AS pid, CAST(20 + range % 60 AS INTEGER) AS age FROM range({half}, {people})")
        for year in (2023, 2024):
            self.writer.parquet(self.lake / "visits" / f"year={year}" / "v.parquet",
                                f"SELECT 'p' || (range % {people}) AS pid, CAST(range % 500 AS INTEGER) AS cost FROM range({people * 2})")

    def deploy(self, name="d", files=None, tables=PEOPLE + VISITS):
        """A folder with key and ledger, and a policy over the lake."""
        folder = self.root / name
        if not folder.exists():
            seed = self.root / "seed.csv"
            seed.write_text("id,x\n1,2\n")
            self.tacit("init", folder, "--table", f"seed={seed}")
            (folder / "data.duckdb").unlink()
        files = files or '    people: "../lake/people/*.parquet"\n    visits: {files: "../lake/visits/*/*.parquet", partitions: {year: bigint}}'
        (folder / "tacit.yaml").write_text(HEAD.format(files=files, tables=tables))
        return folder

    def one(self, folder, select, code=0):
        out = self.tacit("query", folder, select, "--format", "json", code=code)
        return json.loads(out[out.index("{"):])["rows"] if code == 0 else out

    def charges(self, folder):
        return [r for r in json.loads(self.tacit("ledger", "list", folder, "--format", "json")) if r["kind"] == "charge"]

    def refuses_to_read(self, folder, row, *texts):
        """As below; why, with what stands in the row, is for `tacit check` alone."""
        self.refuses(folder, "cannot read the files of table people")
        said = self.tacit("check", folder, code=2)
        for text in texts:
            self.assertIn(text, said)
        for command in (["query", folder, "SELECT count(*) FROM people"], ["prepare", folder]):
            self.assertNotIn(row, self.tacit(*command, code=2))

    def refuses(self, folder, *texts):
        """Every command that would read says so, and nothing was charged."""
        for command in (["check", folder], ["query", folder, "SELECT count(*) FROM people"], ["prepare", folder]):
            said = " ".join(self.tacit(*command, code=2).split())
            for text in texts:
                self.assertIn(text, said)
        self.assertEqual(self.charges(folder), [])

    # --- the way through

    def test_nothing_is_imported_and_questions_are_answered_prepared_or_not(self):
        self.write_lake()
        before = {p: p.read_bytes() for p in self.lake.rglob("*.parquet")}
        folder = self.root / "d"
        said = self.tacit("init", folder, "--in-place", "--table", f"people={self.lake}/people/*.parquet",
                          "--table", f"visits={self.lake}/visits/*/*.parquet", "--unit", "people.pid", "--unit", "visits.pid")
        self.assertIn("visits: the folders year=... are a column of type bigint", said)
        self.assertFalse((folder / "data.duckdb").exists())
        policy = (folder / "tacit.yaml").read_text()
        self.assertIn("partitions: {year: bigint}", policy)
        self.assertIn("age: {}", policy)
        self.deploy("d")
        self.tacit("check", folder)
        questions = ["SELECT count(*) FROM people", "SELECT count(*), sum(cost) FROM visits", "SELECT year, count(*) FROM visits GROUP BY year ORDER BY year",
                     "SELECT count(*) FROM people WHERE age < 30", "SELECT count(*) FROM people p JOIN visits v ON p.pid = v.pid WHERE v.cost > 250"]
        plain = [self.one(folder, q) for q in questions]
        self.assertEqual(plain[0], [[200]])
        self.assertEqual(plain[1][0][0], 600)  # 800 visits, three of each person
        self.assertNotIn("prepared", self.tacit("explain", folder, questions[1]))
        self.tacit("prepare", folder)
        self.assertIn("prepared", self.tacit("explain", folder, questions[1]))
        (folder / "tacit.yaml").write_text((folder / "tacit.yaml").read_text().replace("tacit: 1\n", "tacit: 1\ndata_version: 2\n"))
        self.tacit("prepare", folder)
        self.assertEqual([self.one(folder, q) for q in questions], plain)
        self.assertEqual(before, {p: p.read_bytes() for p in self.lake.rglob("*.parquet")})
        self.assertEqual(sorted(p.name for p in folder.iterdir() if "building" in p.name or "source" in p.name), [])

    def test_a_table_of_a_database_and_csv_files_are_read_too(self):
        self.lake.mkdir()
        with Writer(LIBRARY, self.lake / "old.duckdb") as old:
            old.run("CREATE TABLE persons AS SELECT 'p' || range AS pid, CAST(range % 90 AS INTEGER) AS age FROM range(50)")
        (self.lake / "old.duckdb").chmod(0o600)
        (self.lake / "v1.csv").write_text("pid;cost\n" + "".join(f"p{i};{i}\n" for i in range(50)))
        (self.lake / "v2.csv").write_text("pid;cost\np1;n/a\n")
        folder = self.deploy(files='    people: "../lake/old.duckdb:persons"\n    visits: {files: "../lake/v*.csv", columns: {pid: text, cost: integer}, delimiter: ";", nulls: ["n/a"]}',
                             tables=PEOPLE + "  visits: {unit: pid, rows_per_unit: 3, columns: {cost: {bounds: [0, 1000]}}}\n")
        self.assertEqual(self.one(folder, "SELECT count(*) FROM people"), [[50]])
        self.assertEqual(self.one(folder, "SELECT count(*), count(cost), sum(cost) FROM visits"), [[51, 50, 1225]])
        self.tacit("prepare", folder)
        self.assertEqual(self.one(folder, "SELECT count(*), sum(cost) FROM visits WHERE cost < 10"), [[10, 45]])
        said = self.tacit("init", self.root / "e", "--in-place", "--table", f"v={self.lake}/v1.csv", code=2)
        self.assertIn("says no types", said)
        self.assertFalse((self.root / "e").exists())

    # --- values

    def test_values_that_are_none_of_their_type_count_as_they_do_when_imported(self):
        path = self.lake / "t.parquet"
        self.lake.mkdir()
        parquet_file.write(path, {"p": ([], [1, 2, 3]), "ts": (parquet_file.timestamp(), [0, -2**63, -9223372022400000001]),
                                  "a": (parquet_file.decimal(18, 2), [100, 10**18, -(2**63)])})
        path.chmod(0o600)
        folder = self.deploy(files='    people: "../lake/t.parquet"', tables="  people: {unit: p, rows_per_unit: 1}\n")
        for prepared in (False, True):
            if prepared:
                self.tacit("prepare", folder)
            for question, count in (("count(ts::text)", 1), ("count(ts)", 1), ("count(coalesce(a, 1.123456789))", 3), ("count(a + a)", 1), ("count(-a)", 1)):
                self.assertEqual(self.one(folder, f"SELECT {question} AS n FROM people"), [[count]], question)

    def test_a_text_that_is_none_is_refused_before_anybody_asks(self):
        """The engine raises when it reads it: one row would decide whether a question is answered."""
        path = self.lake / "people.parquet"
        self.writer.parquet(path, "SELECT 'p' || range AS pid, 5 AS age, CASE WHEN range = 77 THEN 'zqzqzqzqzq' ELSE 'note' || range END AS note FROM range(100)", ", COMPRESSION uncompressed")
        whole = path.read_bytes()
        self.assertIn(b"zqzqzqzqzq", whole)
        folder = self.deploy(files='    people: "../lake/people.parquet"', tables=PEOPLE)
        path.write_bytes(whole.replace(b"zqzqzqzqzq", b"zq\xff\xfezqzqzq"))
        self.refuses_to_read(folder, "zqzqzq", "UTF")
        path.write_bytes(whole)
        self.assertEqual(self.one(folder, "SELECT count(*) FROM people"), [[100]])
        path.write_bytes(whole[:len(whole) // 2])
        said = self.tacit("query", folder, "SELECT count(*) FROM people WHERE age > 1", code=2)
        self.assertIn("cannot read the files of table people", said)

    def test_csv_values_and_lines_that_do_not_fit_are_refused_with_their_line(self):
        self.lake.mkdir()
        files = '    people: {files: "../lake/*.csv", columns: {pid: text, age: integer}}'
        folder = self.deploy(files=files, tables=PEOPLE)
        for text, because in (("pid,age\np1,5\np2,many\n", "Line: 3"), ("pid,age\np1,5,many\n", "Line: 2"), ("pid,age\np\xff1,5\nmany,6\n".encode("latin-1"), "Line: 2")):
            (self.lake / "people.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
            (self.lake / "people.csv").chmod(0o600)
            self.refuses_to_read(folder, "many", because)
        (self.lake / "people.csv").write_text("age,pid\n5,p1\n")
        self.refuses(folder, "does not name pid where the policy does")
        self.assertIn("it has 'age'", self.tacit("check", folder, code=2))
        (self.lake / "people.csv").write_text("pid,age\np1,5\n")
        self.assertEqual(self.one(folder, "SELECT count(*) FROM people"), [[1]])

    # --- which files

    def test_files_of_other_columns_are_refused_by_name(self):
        self.write_lake()
        folder = self.deploy()
        other = self.lake / "people" / "c.parquet"
        for select, because in (("SELECT 'p900' AS pid", "c.parquet has no age"), ("SELECT 'p900' AS pid, 'old' AS age", "age is INTEGER in"),
                                ("SELECT 'p900' AS pid, 5 AS age, 1 AS more", "a.parquet has no more")):
            self.writer.parquet(other, select)
            self.refuses(folder, "do not have the same columns", because)
        # Columns in another order are the same columns.
        self.writer.parquet(other, "SELECT CAST(5 AS INTEGER) AS age, 'p900' AS pid")
        self.assertEqual(self.one(folder, "SELECT count(*), sum(age) FROM people WHERE age = 5"), [[1, 5]])

    def test_what_is_no_file_of_the_table_is_refused_by_name(self):
        self.write_lake()
        folder = self.deploy()
        os.mkfifo(self.lake / "people" / "pipe.parquet")
        self.refuses(folder, "pipe.parquet is not a file")
        (self.lake / "people" / "pipe.parquet").unlink()
        (self.lake / "people" / "a.parquet").chmod(0o666)
        self.refuses(folder, "everybody on this machine may write", "chmod o-w")
        (self.lake / "people" / "a.parquet").chmod(0o600)
        os.link(self.lake / "people" / "a.parquet", self.lake / "people" / "z.parquet")
        self.refuses(folder, "one file under two names")
        (self.lake / "people" / "z.parquet").unlink()
        shutil.move(self.lake / "people", self.lake / "elsewhere")
        self.refuses(folder, "no file matches")
        shutil.move(self.lake / "elsewhere", self.lake / "people")
        self.writer.parquet(self.lake / "visits" / "year=late" / "v.parquet", "SELECT 'p1' AS pid, CAST(1 AS INTEGER) AS cost")
        self.refuses(folder, "cannot read the files of table visits")
        self.assertIn("late", self.tacit("check", folder, code=2))
        shutil.rmtree(self.lake / "visits" / "year=late")
        self.deploy(files='    people: "s3://lake/people.parquet"')
        self.assertIn("not on this machine", self.tacit("check", folder, code=2))
        self.deploy()
        (self.lake / "people" / "_half.parquet").write_bytes(b"half")  # still being written
        self.assertEqual(self.one(folder, "SELECT count(*) FROM people"), [[200]])

    def test_a_file_that_comes_or_changes_is_noticed_by_what_was_made_of_the_others(self):
        self.write_lake()
        folder = self.deploy()
        self.tacit("prepare", folder)
        explained = lambda: "prepared" in self.tacit("explain", folder, "SELECT sum(cost) FROM visits")
        self.assertTrue(explained())
        new = self.lake / "people" / "c.parquet"
        self.writer.parquet(new, "SELECT 'q' || range AS pid, CAST(30 AS INTEGER) AS age FROM range(10)")
        self.assertFalse(explained())
        self.assertIn("made of another policy, data_version or data", self.tacit("check", folder))
        self.assertEqual(self.one(folder, "SELECT count(*) FROM people"), [[210]])
        self.tacit("prepare", folder)
        self.assertTrue(explained())
        size = new.stat().st_size
        self.writer.parquet(new, "SELECT 'q' || range AS pid, CAST(31 AS INTEGER) AS age FROM range(10)")
        self.assertEqual(new.stat().st_size, size)
        self.assertFalse(explained())
        new.unlink()
        self.assertFalse(explained())
        self.tacit("prepare", folder)
        new.touch()
        self.assertIn("cannot read the files", self.tacit("query", folder, "SELECT count(*) FROM people WHERE age > 2", code=2))

    def test_key_columns_are_unique_where_these_files_show_it(self):
        self.write_lake()
        folder = self.deploy(tables="  people: {unit: age, rows_per_unit: 9}\n  visits: {unit: {via: pid, to: people.pid}, rows_per_unit: 3}\n")
        self.assertEqual(self.one(folder, "SELECT count(*) FROM visits WHERE cost < 0"), [[0]])
        self.writer.parquet(self.lake / "people" / "c.parquet", "SELECT 'p1' AS pid, CAST(99 AS INTEGER) AS age")
        self.assertIn("people.pid is not unique", self.tacit("query", folder, "SELECT count(*) FROM visits WHERE cost < 1", code=2))

    # --- what others can tell

    def without_noise_and_chance(self, text):
        reply = json.loads(text[text.index("{"):])
        reply.pop("rows", None)
        reply.get("privacy", {}).pop("receipt", None)
        # A mean's margin is computed from what was released for it.
        for error in reply.get("error", []):
            if "moe95_rows" in error:
                error["moe95"] = error["moe95_rows"] = "computed"
        reply["notices"] = [notice for notice in reply.get("notices", []) if "95 % of answers" not in notice]
        return reply

    def test_a_person_in_a_file_of_their_own_changes_nothing_but_paid_noise(self):
        self.write_lake()
        with_them = self.deploy("with")
        alone = self.root / "alone"
        shutil.copytree(self.lake, alone)
        self.writer.parquet(alone / "people" / "the-person-of-this-file.parquet", "SELECT 'new' AS pid, CAST(44 AS INTEGER) AS age")
        self.writer.parquet(alone / "visits" / "year=2024" / "theirs.parquet", "SELECT 'new' AS pid, CAST(1 AS INTEGER) AS cost FROM range(50)")
        other = self.deploy("other", files='    people: "../alone/people/*.parquet"\n    visits: {files: "../alone/visits/*/*.parquet", partitions: {year: bigint}}')
        for question in ("SELECT count(*) FROM people", "SELECT year, count(*), sum(cost) FROM visits GROUP BY year", "SELECT avg(age) FROM people"):
            for command in (["explain"], ["query", "--epsilon", "0.5"]):
                said = [self.without_noise_and_chance(self.tacit(command[0], folder, question, *command[1:], "--format", "json")) for folder in (with_them, other)]
                self.assertEqual(said[0], said[1])
                self.assertNotIn("parquet", json.dumps(said))
        for question in ("SELECT filename FROM people", "SELECT rowid FROM people", "SELECT count(*) FROM people WHERE file_row_number = 1",
                         "SELECT count(*) FROM people WHERE filename LIKE '%person%'", "SELECT * FROM read_parquet('x.parquet')", "SELECT count(*) FROM duckdb_views()"):
            said = [self.tacit("query", folder, question, code=3) for folder in (with_them, other)]
            self.assertEqual(said[0], said[1])
            self.assertNotIn("lake", said[0])
            self.assertNotIn(".parquet'", said[0].replace(question, ""))
        self.assertEqual(len(self.charges(with_them)), len(self.charges(other)))

    # --- what is not for files

    def test_commands_that_change_imported_tables_leave_files_alone(self):
        self.write_lake()
        folder = self.deploy()
        before = {p: p.read_bytes() for p in self.lake.rglob("*.parquet")}
        for command in (["table", "drop", folder, "visits"], ["table", "replace", folder, f"people={self.lake}/people/a.parquet"], ["person", "delete", folder, "p1"]):
            self.assertIn("stand in files of your own", self.tacit(*command, code=2))
        self.assertEqual(before, {p: p.read_bytes() for p in self.lake.rglob("*.parquet")})


if __name__ == "__main__":
    LIBRARY = os.path.abspath(sys.argv.pop(2))
    TACIT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
