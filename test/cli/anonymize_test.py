"""tacit anonymize and the attacks on released files from outside: anonymize_test.py TACIT"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

TACIT = sys.argv[1]
ILLNESSES = ["flu", "asthma", "hiv", "ulcer", "none"]


def tacit(*arguments):
    return subprocess.run([TACIT, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def people(rows=600):
    lines = ["name,age,sex,zip,illness"]
    for i in range(rows):
        lines.append(f"n{i},{20 + i * 37 % 61},{'FM'[i * 7 % 2]},75{i * 31 % 97:03},{ILLNESSES[i * 13 % 5]}")
    return "\n".join(lines) + "\n"


class Anonymize(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.file = self.folder / "people.csv"
        self.file.write_text(people(), encoding="utf-8")
        self.out = self.folder / "release.csv"

    def tearDown(self):
        self.scratch.cleanup()

    def release(self, *more):
        return tacit("anonymize", self.file, "--qi", "age,sex,zip", "--sensitive", "illness", "--out", self.out, *more)

    def test_what_is_written_verifies_and_always_warns(self):
        done = self.release("--k", 5, "--l", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no guarantee against what a reader knows already", done.stdout)
        self.assertIn("redacted (named nowhere", done.stdout)
        self.assertNotIn("n17", self.out.read_text(encoding="utf-8"))
        verified = tacit("anonymize", "verify", self.out, "--qi", "age,sex,zip", "--sensitive", "illness", "--k", 5,
                         "--l", 2)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertIn("what was asked for holds", verified.stdout)
        self.assertIn("no guarantee against what a reader knows already", verified.stdout)

    def test_a_broken_claim_is_exit_1(self):
        done = tacit("anonymize", "verify", self.file, "--qi", "age,sex,zip", "--k", 2, "--format", "json")
        self.assertEqual(done.returncode, 1, done.stderr)
        found = json.loads(done.stdout)
        self.assertFalse(found["holds"])
        self.assertEqual(found["k"], 1)

    def test_bad_input_is_named_and_leaves_no_file(self):
        cases = [
            (["--k", 601], "k is 601, but the table has only 600 rows"),
            (["--k", 5, "--l", 9], "l is 9, but the whole table has only 5 sensitive values"),
            (["--k", 5, "--keep", "height"], 'people.csv:1: there is no column "height"'),
            (["--k", 5, "--keep", "age"], 'the column "age" is named twice'),
            (["--k", 5, "--t", 2], "t must be from 0 to 1"),
            (["--k", 5, "--hierarchy", "sex=/nowhere.csv"], "cannot read /nowhere.csv"),
            (["--k", 5, "--delimiter", ";"], 'there is no column "age"'),
        ]
        for more, message in cases:
            done = self.release(*more)
            self.assertEqual(done.returncode, 2, more)
            self.assertIn(message, done.stderr.replace("\n       ", " "))
            self.assertEqual(sorted(os.listdir(self.folder)), ["people.csv"])

    def test_bad_files_are_named_with_their_place(self):
        cases = [("", ":1: the file is empty"), ("a,b\n", "there are no rows"), ("age,sex,zip,illness\n1,F,2\n", ":2: 3 cells"),
                 ("age,sex,zip,illness\n1,F,2,x\nold,F,2,x\n3,F,2,x\n", ':3: age is "old"')]
        for text, message in cases:
            self.file.write_text(text, encoding="utf-8")
            done = self.release("--k", 1)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(message, done.stderr)
            self.assertFalse(self.out.exists())

    def test_a_sensitive_quasi_identifier_and_overwriting_the_input_are_refused(self):
        done = tacit("anonymize", self.file, "--qi", "age,illness", "--sensitive", "illness", "--k", 2, "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn('the sensitive column "illness" is among the quasi-identifiers', done.stderr)
        done = tacit("anonymize", self.file, "--qi", "age", "--k", 2, "--out", self.file)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(self.file.read_text(encoding="utf-8"), people())

    def test_a_device_a_missing_folder_and_a_full_disk_lose_nothing(self):
        for out, message in (("/dev/full", "it is there and is no file"), (self.folder, "it is there and is no file"),
                             (self.folder / "none" / "out.csv", "No such file or directory")):
            done = tacit("anonymize", self.file, "--qi", "age", "--k", 2, "--out", out)
            self.assertEqual(done.returncode, 2, out)
            self.assertIn(message, done.stderr)
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())
        self.out.write_text("an older release", encoding="utf-8")
        # A limit on the size of files fails as a full disk does; Python leaves SIGXFSZ ignored.
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        done = subprocess.run([TACIT, "anonymize", str(self.file), "--qi", "age,sex,zip", "--sensitive", "illness",
                               "--k", "2", "--out", str(self.out)], capture_output=True, text=True, timeout=60,
                              preexec_fn=limit, restore_signals=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["people.csv", "release.csv"])
        self.assertEqual(self.out.read_text(encoding="utf-8"), "an older release")

    def test_files_that_are_no_tables_are_named(self):
        cases = [(b"\x00\xff\xfe\x01", "this is not a text file"), (b'age,sex,zip,illness\n1,F,"2,x\n', "a quote is not closed"),
                 (b"age,age\n1,2\n", 'the column "age" comes twice')]
        for content, message in cases:
            self.file.write_bytes(content)
            done = self.release("--k", 1)
            self.assertEqual(done.returncode, 2, content)
            self.assertIn(message, done.stderr)
        for path, message in ((self.folder, "Is a directory"), (self.folder / "nowhere.csv", "No such file")):
            done = tacit("anonymize", path, "--qi", "age", "--k", 2, "--out", self.out)
            self.assertEqual(done.returncode, 2, path)
            self.assertIn(message, done.stderr)
        self.assertFalse(self.out.exists())

    def test_every_attack_prints_a_report_and_its_seed(self):
        for arguments in (["uniqueness", self.file, "--up-to", 2],
                          ["dimension", self.file, "--qi", "age,sex,zip", "--k", "2,5", "--orders", 2],
                          ["intersection", self.file, "--qi", "age,sex,zip", "--sensitive", "illness", "--k", "2,5",
                           "--overlap", "50,100", "--epsilon", "0.5"],
                          ["intersection", "--census", 500, "--k", 5, "--overlap", 50],
                          ["linkage"],
                          ["linkage", "--invent-ratings", "--people", 300, "--items", 200, "--known", "2,4"]):
            text = tacit("attack", *arguments)
            self.assertEqual(text.returncode, 0, text.stderr)
            self.assertIn("What helps", text.stdout)
            report = json.loads(tacit("attack", *arguments, "--format", "json", "--seed", 7).stdout)
            self.assertTrue(report["summary"] and report["charts"] and report["tables"], arguments)
            if arguments[0] != "uniqueness":
                self.assertEqual(report["seed"], 7)

    def test_two_released_files_are_attacked_by_a_list(self):
        for name, start in (("one", 0), ("other", 1)):
            rows = people().splitlines()
            part = self.folder / f"{name}_people.csv"
            part.write_text("\n".join([rows[0]] + [r for i, r in enumerate(rows[1:]) if i % 3 != 1 + start]) + "\n", encoding="utf-8")
            done = tacit("anonymize", part, "--qi", "age,sex,zip", "--sensitive", "illness", "--k", 3, "--out",
                         self.folder / f"{name}.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
        rows = people().splitlines()
        targets = self.folder / "targets.csv"
        targets.write_text("\n".join([rows[0]] + [r for i, r in enumerate(rows[1:]) if i % 3 == 0]) + "\n", encoding="utf-8")
        report = json.loads(tacit("attack", "intersection", self.folder / "one.csv", "--with", self.folder / "other.csv",
                                  "--targets", targets, "--qi", "age,sex,zip", "--sensitive", "illness", "--format",
                                  "json").stdout)
        left = {row[0]: row[1] for row in report["tables"][0]["rows"]}
        self.assertEqual(left["0"], 0)  # everybody's own value is always left
        self.assertEqual(sum(left.values()), 200)

    def test_wrong_attack_flags_are_named(self):
        for arguments, message in ((["uniqueness", self.file, "--qi", "height"], 'there is no column "height"'),
                                   (["intersection", "--k", 2], "a file or --census is needed"),
                                   (["linkage", self.file], "a release and an identified list are needed"),
                                   (["intersection", self.file, "--qi", "age,illness", "--sensitive", "illness"],
                                    "among the quasi-identifiers"),
                                   (["intersection", self.file, "--qi", "age", "--sensitive", "illness", "--k", 500],
                                    "k is 500, but the table has only 350 rows"),
                                   (["intersection", self.file, "--qi", "age", "--sensitive", "illness", "--overlap", 900],
                                    "the overlap must be from 1 to the number of rows"),
                                   (["linkage", self.file, self.file, "--on", "height"], 'there is no column "height"'),
                                   (["linkage", "--sparse", self.file, "--person", "name", "--item", "zip", "--value", "sex"],
                                    'people.csv:2: sex is "F", not a number'),
                                   (["dimension", self.file, "--qi", "age", "--k", 0], "not in range 1 to"),
                                   (["dimension", self.file, "--qi", "age", "--k", 1000], "k is 1000")):
            done = tacit("attack", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[2:])
