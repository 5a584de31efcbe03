#!/usr/bin/python3
"""The commands of examples/postgres/README.md, run as they stand there, beside a PostgreSQL.
usage: example_test.py TACIT ROOT"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "catalog"))
import postgres  # noqa: E402

TACIT = ROOT = ""


class ExampleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.port = postgres.free_port()
        cls.cluster = postgres.Cluster(port=cls.port)
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.psql("postgres", "tacit", "-c", "DROP DATABASE clinic")
        cls.cluster.psql("postgres", "tacit", "-c", "CREATE DATABASE clinic")
        cls.cluster.psql("clinic", "tacit", "-f", f"{ROOT}/examples/postgres/clinic.sql")
        cls.box = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.box.cleanup)
        cls.folder = pathlib.Path(cls.box.name)
        os.chmod(cls.folder, 0o700)
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin" / "tacit").symlink_to(TACIT)
        (cls.folder / "examples").symlink_to(f"{ROOT}/examples")
        cls.environment = {**os.environ, "PATH": f"{cls.folder}/bin:{os.environ['PATH']}",
                           "PGHOST": cls.cluster.folder, "PGPORT": str(cls.port)}

    def call(self, command, code=0):
        done = subprocess.run(command, shell=True, cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, command + "\n" + done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_the_three_commands(self):
        page = pathlib.Path(ROOT, "examples/postgres/README.md").read_text(encoding="utf-8")
        commands = re.search(r"^```\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1].splitlines()
        self.assertEqual(len(commands), 3)
        self.assertIn("made clinic", self.call(commands[0]))
        written = (self.folder / "clinic" / "tacit.yaml").read_text(encoding="utf-8")
        self.assertIn("engine: {kind: postgres, dsn:", written)
        self.assertIn("unit: ssn", written)
        self.assertIn("0 errors", self.call(commands[1]))
        answer = self.call(commands[2])
        # 10,000 each, within what the noise can do.
        counts = [int(n) for n in re.findall(r"\b(9[89]\d\d|10[01]\d\d)\b", answer)]
        self.assertGreaterEqual(len(counts), 2, answer)
        # A capped table, through its parent; a threshold; and what is refused, uncharged.
        self.call('tacit query clinic "SELECT department, count(*), sum(cost) FROM visits GROUP BY '
                  'department"')
        self.call('tacit query clinic "SELECT city, count(*) FROM patients GROUP BY city"')
        said = self.call('tacit query clinic "SELECT count(*) FROM patients WHERE upper(city) = '
                         "'BONN'\"", code=3)
        self.assertIn("PostgreSQL has no upper", said)

    def test_what_a_view_is_told(self):
        self.cluster.psql("clinic", "tacit", "-c", "CREATE VIEW people AS SELECT * FROM patients; "
                          "GRANT SELECT ON people TO tacit_reader")
        said = self.call('tacit init other --engine postgres --dsn "dbname=clinic '
                         'user=tacit_reader" --table people', code=2)
        self.assertIn("a view can mix people", said)
        said = self.call('tacit init other --engine postgres --dsn "dbname=clinic password=x"',
                         code=2)
        self.assertIn("holds a password", said)


if __name__ == "__main__":
    TACIT, ROOT = str(pathlib.Path(sys.argv[1]).resolve()), str(pathlib.Path(sys.argv[2]).resolve())
    unittest.main(argv=sys.argv[:1])
