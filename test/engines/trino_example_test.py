#!/usr/bin/python3
"""The commands of examples/trino/README.md, run as they stand there, beside the cluster that
with_trino.py started. usage: trino_example_test.py TACIT ROOT"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

import trino_cluster

TACIT = ROOT = ""


class Running:
    """The cluster that stands already."""
    url = os.environ.get("TACIT_TRINO_URL", "")
    query = trino_cluster.Cluster.query


class TrinoExampleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        script = pathlib.Path(ROOT, "examples/trino/clinic.sql").read_text(encoding="utf-8")
        for statement in re.sub(r"(?m)^--.*$", "", script).split(";"):
            if statement.strip():
                Running().query(statement)
        cls.box = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.box.cleanup)
        cls.folder = pathlib.Path(cls.box.name)
        os.chmod(cls.folder, 0o700)
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin" / "tacit").symlink_to(TACIT)
        # As they stand, but for the port that the test's cluster has.
        (cls.folder / "examples" / "trino").mkdir(parents=True)
        cls.policy = cls.here(pathlib.Path(ROOT, "examples/trino/tacit.yaml").read_text(encoding="utf-8"))
        (cls.folder / "examples" / "trino" / "tacit.yaml").write_text(cls.policy, encoding="utf-8")
        cls.environment = {**os.environ, "PATH": f"{cls.folder}/bin:{os.environ['PATH']}"}

    @staticmethod
    def here(text):
        assert "http://localhost:8080" in text
        return text.replace("http://localhost:8080", Running.url)

    def call(self, command, code=0):
        done = subprocess.run(command, shell=True, cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, code, command + "\n" + done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_the_three_commands(self):
        page = pathlib.Path(ROOT, "examples/trino/README.md").read_text(encoding="utf-8")
        commands = re.search(r"^```\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1].splitlines()
        self.assertEqual(len(commands), 3)
        self.assertIn("made clinic", self.call(self.here(commands[0])))
        written = (self.folder / "clinic" / "tacit.yaml").read_text(encoding="utf-8")
        self.assertIn(f"engine: {{kind: trino, url: {Running.url}", written.replace('"', ""))
        self.assertIn("unique: [patients.ssn]", written.replace('"', ""))
        self.assertIn("unit: ssn", written)
        checked = self.call(commands[1])
        self.assertIn("0 errors", checked)
        self.assertIn("cross the network", checked)
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
        self.assertIn("Trino has no upper", said)

    def test_the_server(self):
        """psql, through the gateway, to the rows in the cluster."""
        self.call(f"tacit init served --engine trino --url {Running.url} --catalog memory --schema clinic")
        made = subprocess.run([TACIT, "password", "--weak"], input="correct horse\n", text=True,
                              capture_output=True, timeout=60, check=True)
        policy = self.policy + (f'analysts: {{ana: {{password: "{made.stdout.strip()}", '
                                'budget: {epsilon: 2, delta: 1e-10}}}\n')
        (self.folder / "served" / "tacit.yaml").write_text(policy, encoding="utf-8")
        with subprocess.Popen([TACIT, "serve", "served", "--pg", "127.0.0.1:0"], cwd=self.folder,
                              env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as server:
            port = None
            for line in server.stdout:
                found = re.search(r"port=(\d+)", line)
                port = port or (found and found[1])
                if line.startswith("certificate"):
                    break
            self.assertIsNotNone(port, server.stderr.read() if port is None else "")
            try:
                answer = self.ask(port, "SELECT sex, count(*) FROM patients GROUP BY sex ORDER BY sex")
                self.assertRegex(answer.stdout, r"^F\|(9|10)\d+\nM\|(9|10)\d+\n$", answer.stderr)
                refused = self.ask(port, "SELECT count(*) FROM patients WHERE upper(city) = 'BONN'")
                self.assertIn("Trino has no upper", refused.stderr)
                capped = self.ask(port, "SELECT count(*) FROM visits WHERE cost > 100")
                self.assertEqual(capped.returncode, 0, capped.stderr)
            finally:
                server.send_signal(signal.SIGTERM)
                log = server.communicate(timeout=60)[1]
        self.assertEqual(server.returncode, 0, log)
        self.assertNotIn("cost", log)

    def ask(self, port, sql):
        environment = {**os.environ, "PGPASSWORD": "correct horse"}
        return subprocess.run(["psql", "-X", "-A", "-t", "-c", sql,
                               f"host=127.0.0.1 port={port} user=ana dbname=clinic sslmode=require"],
                              env=environment, capture_output=True, text=True, timeout=120, check=False)

    def test_what_owners_are_told(self):
        said = self.call(f"tacit init other --engine trino --url {Running.url} --catalog memory "
                         "--schema clinic --table nobody", code=2)
        self.assertIn("is not there", said)
        said = self.call("tacit init other --engine trino --url http://me:secret@localhost:1 --catalog "
                         "memory --schema clinic", code=2)
        self.assertIn("holds a name or a password", said)
        self.assertNotIn("secret", said)
        said = self.call("tacit init other --engine trino --url http://localhost:1 --password env:HOME "
                         "--catalog memory --schema clinic", code=2)
        self.assertIn("https://", said)


if __name__ == "__main__":
    TACIT, ROOT = str(pathlib.Path(sys.argv[1]).resolve()), str(pathlib.Path(sys.argv[2]).resolve())
    unittest.main(argv=sys.argv[:1])
