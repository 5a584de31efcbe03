#!/usr/bin/python3
"""The commands of examples/postgres/README.md, run as they stand there, beside a PostgreSQL.
usage: example_test.py TACIT ROOT"""
import os
import pathlib
import re
import shutil
import signal
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

    def served(self, folder):
        """A server of that folder, and its port."""
        server = subprocess.Popen([TACIT, "serve", folder, "--pg", "127.0.0.1:0"], cwd=self.folder,
                                  env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True)
        port = None
        for line in server.stdout:
            found = re.search(r"port=(\d+)", line)
            port = port or (found and found[1])
            if line.startswith("certificate"):
                break
        self.assertIsNotNone(port, server.stderr.read() if port is None else "")
        return server, port

    def ask(self, port, sql):
        environment = {**os.environ, "PGPASSWORD": "correct horse"}
        return subprocess.run(["psql", "-X", "-A", "-t", "-c", sql,
                               f"host=127.0.0.1 port={port} user=ana dbname=clinic sslmode=require"],
                              env=environment, capture_output=True, text=True, timeout=120, check=False)

    def test_the_server(self):
        """psql, through the gateway, to the rows in PostgreSQL; and while these are away."""
        self.call('tacit init served --engine postgres --dsn "dbname=clinic user=tacit_reader"')
        folder = self.folder / "served"
        made = subprocess.run([TACIT, "password", "--weak"], input="correct horse\n", text=True,
                              capture_output=True, timeout=60, check=True)
        policy = pathlib.Path(ROOT, "examples/postgres/tacit.yaml").read_text(encoding="utf-8")
        policy += f'analysts: {{ana: {{password: "{made.stdout.strip()}", budget: {{epsilon: 2, delta: 1e-10}}}}}}\n'
        (folder / "tacit.yaml").write_text(policy.replace("{unprepared: allow}",
                                                          "{unprepared: prepare}"), encoding="utf-8")
        said = self.call("tacit serve served --pg 127.0.0.1:0", code=2)
        self.assertIn("unprepared: allow", said)
        (folder / "tacit.yaml").write_text(policy, encoding="utf-8")
        server, port = self.served("served")
        try:
            answer = self.ask(port, "SELECT sex, count(*) FROM patients GROUP BY sex ORDER BY sex")
            self.assertRegex(answer.stdout, r"^F\|(9|10)\d+\nM\|(9|10)\d+\n$", answer.stderr)
            again = self.ask(port, "SELECT median(age) FROM patients")
            self.assertEqual(again.returncode, 0, again.stderr)
            refused = self.ask(port, "SELECT count(*) FROM patients WHERE upper(city) = 'BONN'")
            self.assertIn("PostgreSQL has no upper", refused.stderr)
            # Every session is ended in between; then the role may log in no more.
            self.cluster.psql("postgres", "tacit", "-c", "SELECT pg_terminate_backend(pid) FROM "
                              "pg_stat_activity WHERE application_name = 'tacit'")
            more = self.ask(port, "SELECT count(*) FROM visits WHERE cost > 100")
            self.assertEqual(more.returncode, 0, more.stderr)
            self.cluster.psql("postgres", "tacit", "-c", "ALTER ROLE tacit_reader NOLOGIN; SELECT "
                              "pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                              "application_name = 'tacit'")
            away = self.ask(port, "SELECT count(*) FROM visits WHERE cost > 200")
            self.assertIn("the PostgreSQL server of this policy cannot be used", away.stderr)
            self.assertNotIn("tacit_reader", away.stderr)
        finally:
            self.cluster.psql("postgres", "tacit", "-c", "ALTER ROLE tacit_reader LOGIN")
            server.send_signal(signal.SIGTERM)
            log = server.communicate(timeout=60)[1]
        self.assertEqual(server.returncode, 0, log)
        self.assertNotIn("cost", log)
        shutil.rmtree(folder)

    def test_prepared_copies(self):
        """Made by the owner, read by the gateway, which then starts as it is; stale ones are not."""
        self.call('tacit init copied --engine postgres --dsn "dbname=clinic user=tacit_reader"')
        folder = self.folder / "copied"
        made = subprocess.run([TACIT, "password", "--weak"], input="correct horse\n", text=True,
                              capture_output=True, timeout=60, check=True)
        policy = pathlib.Path(ROOT, "examples/postgres/tacit.yaml").read_text(encoding="utf-8")
        policy += f'analysts: {{ana: {{password: "{made.stdout.strip()}", budget: {{epsilon: 2, delta: 1e-10}}}}}}\n'
        policy = policy.replace("{unprepared: allow}", "{unprepared: prepare}")
        policy = policy.replace("schema: public}", "schema: public, prepared: tacit_prepared}")
        (folder / "tacit.yaml").write_text(policy, encoding="utf-8")
        self.assertIn("visits has no fresh copy", self.call("tacit check copied"))
        self.assertIn("--dsn", self.call("tacit prepare copied", code=2))
        owner = '--dsn "dbname=clinic user=tacit"'
        self.assertIn("prepared patients, visits", self.call(f"tacit prepare copied {owner}"))
        self.assertIn("visits is prepared", self.call("tacit check copied"))
        server, port = self.served("copied")
        question = "SELECT count(*) FROM visits WHERE cost > {}"
        try:
            answer = self.ask(port, question.format(100))
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.cluster.psql("clinic", "tacit", "-c", "UPDATE visits SET cost = cost")
            stale = self.ask(port, question.format(200))
            self.assertIn("changed since it was prepared", stale.stderr)
            self.call(f"tacit prepare copied {owner}")
            again = self.ask(port, question.format(200))
            self.assertEqual(again.returncode, 0, again.stderr)
        finally:
            server.send_signal(signal.SIGTERM)
            log = server.communicate(timeout=60)[1]
        self.assertEqual(server.returncode, 0, log)
        self.cluster.psql("clinic", "tacit", "-c", "DROP SCHEMA tacit_prepared CASCADE")
        self.assertEqual(self.cluster.psql("clinic", "tacit", "-At", "-c", "SELECT count(*) FROM "
                                           "pg_trigger WHERE NOT tgisinternal").strip(), "0")
        shutil.rmtree(folder)

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
