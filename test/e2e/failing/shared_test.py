#!/usr/bin/env python3
"""Two gateways on one ledger in PostgreSQL: one budget, whoever dies.
usage: shared_test.py TACIT"""
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import unittest
import urllib.error
import urllib.request

import psycopg

from gateway import Gateway

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "catalog"))
from postgres import Cluster  # noqa: E402

TACIT = ""


def question(number):
    return f"SELECT count(*) FROM people WHERE age <> {1000 + number}"


class SharedGateway(Gateway):
    """One whose ledger is in the cluster; with `first`, another gateway of the same deployment."""

    def __init__(self, cluster, schema, first=None, **terms):
        super().__init__(TACIT, people=200, flags=["--admin", "127.0.0.1:0"], **terms)
        if first is not None:
            shutil.rmtree(self.folder)
            shutil.copytree(first.folder, self.folder, ignore=shutil.ignore_patterns("ledger*"))
            self.terms = dict(first.terms)
            return
        ledger = f'{{kind: postgres, dsn: "host={cluster.folder} port={cluster.port} user=tacit dbname=postgres", schema: {schema}}}'
        self.write_policy(ledger=ledger)

    def command(self, *words, code=0):
        done = subprocess.run([TACIT, *map(str, words)], capture_output=True, text=True, timeout=300)
        assert done.returncode == code, f"{words}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def ready(self):
        port = re.search(r"http://localhost:(\d+)/ready", self.hello).group(1)
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=60) as reply:
                return reply.status
        except urllib.error.HTTPError as refused:
            return refused.code


class SharedLedgerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(durable=True)
        cls.schemas = 0

    @classmethod
    def tearDownClass(cls):
        cls.cluster.stop()

    def pair(self, **terms):
        SharedLedgerTest.schemas += 1
        first = SharedGateway(self.cluster, f"ledger_{self.schemas}", **terms)
        first.command("ledger", "create", first.folder)
        second = SharedGateway(self.cluster, None, first)
        second.command("ledger", "list", second.folder)
        self.assertIn("head file", second.command("budget", second.folder, code=5))
        second.command("ledger", "join", second.folder, "--head", "1 " + "0" * 64, code=5)
        second.command("ledger", "join", second.folder, "--head", first.command("ledger", "head", first.folder).strip())
        return first, second

    def ask(self, gateway, numbers, answers, refused):
        try:
            with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                for number in numbers:
                    try:
                        answers[number] = connection.execute(question(number)).fetchone()[0]
                    except psycopg.errors.ConfigurationLimitExceeded:
                        refused.append(number)
        except psycopg.OperationalError:
            pass  # the gateway was killed

    def charges(self, gateway):
        return int(re.search(r"(\d+) charges", gateway.command("ledger", "verify", gateway.folder)).group(1))

    def test_two_gateways_race_for_the_last_epsilon(self):
        first, second = self.pair(epsilon="3")
        answers, refused = {}, []
        with first, second:
            asking = [threading.Thread(target=self.ask, args=(gateway, range(100 * i + 10 * t, 100 * i + 10 * t + 4), answers, refused))
                      for i, gateway in enumerate((first, second)) for t in range(8)]
            for one in asking:
                one.start()
            for one in asking:
                one.join()
            self.assertEqual((len(answers), len(refused)), (30, 34))  # 3 at 0.1 each
            self.assertEqual(self.charges(first), 30)
            # What was bought at one gateway is had at the other, for nothing.
            again = {}
            self.ask(second, [number for number in answers if number < 100], again, refused)
            self.assertGreater(len(again), 0)
            for number, answer in again.items():
                self.assertEqual(answer, answers[number])
            self.assertEqual(self.charges(second), 30)

    def test_one_gateway_is_killed_and_the_other_goes_on(self):
        first, second = self.pair(epsilon="1000000", ana_epsilon="1000000")
        answers, later = {}, {}
        with second:
            for kill in range(5):
                first.start()
                asking = [threading.Thread(target=self.ask, args=(first, range(10000 * kill + 1000 * t, 10000 * kill + 1000 * t + 900), answers, []))
                          for t in range(4)]
                for one in asking:
                    one.start()
                deadline = time.monotonic() + 60
                while len(answers) < 8 * (kill + 1) and time.monotonic() < deadline:
                    time.sleep(0.02)
                first.stop(9)
                for one in asking:
                    one.join()
                self.ask(second, [900000 + kill], later, [])
            self.assertEqual(len(later), 5)
            self.assertGreaterEqual(len(answers), 40)
            self.assertGreaterEqual(self.charges(second), len(answers) + len(later))
            before = self.charges(second)
            again = {}
            some = list(answers)[:200]
            self.ask(second, some, again, [])
            for number in some:
                self.assertEqual(again[number], answers[number])
            self.assertEqual(self.charges(second), before)
        first.scratch.cleanup()

    def test_ready_tells_the_truth_and_the_database_comes_back(self):
        first, second = self.pair(epsilon="1000")
        answers = {}
        with first:
            self.ask(first, [1], answers, [])
            self.assertEqual(first.ready(), 200)
            self.cluster.kill()
            try:
                self.assertEqual(first.ready(), 503)
                with psycopg.connect(first.dsn(), autocommit=True) as connection:
                    with self.assertRaises(psycopg.Error) as failed:
                        connection.execute(question(2))
                    self.assertIn("ledger", str(failed.exception))
            finally:
                self.cluster.start()
            self.assertEqual(first.ready(), 200)
            self.ask(first, [1, 3], answers, [])
            self.assertIn(3, answers)
        self.assertEqual(self.charges(second), 2)
        second.scratch.cleanup()

    def test_a_ledger_in_a_file_is_taken_along(self):
        SharedLedgerTest.schemas += 1
        gateway = SharedGateway(self.cluster, f"ledger_{self.schemas}")
        shared = gateway.terms["ledger"]
        gateway.write_policy(ledger="{kind: sqlite, path: ledger.sqlite}")
        gateway.command("query", gateway.folder, question(1))
        exported = gateway.folder.parent / "charges.jsonl"
        exported.write_text(gateway.command("ledger", "export", gateway.folder))
        gateway.write_policy(ledger=shared)
        example = gateway.folder.parent / "example"
        shutil.copytree(pathlib.Path(__file__).resolve().parents[3] / "examples" / "gateways", example)
        (example / "ledger.password").write_text("secret\n")
        (example / "ledger.password").chmod(0o600)
        self.assertIn("CREATE TABLE tacit_ledger.record", gateway.command("ledger", "create", example, "--sql"))
        (example / "ledger.password").chmod(0o644)
        self.assertIn("chmod 600", gateway.command("ledger", "create", example, "--sql", code=2))
        self.assertIn("CREATE TABLE", gateway.command("ledger", "create", gateway.folder, "--sql"))
        self.assertIn("no ledger", gateway.command("budget", gateway.folder, code=5))
        gateway.command("ledger", "import", gateway.folder, exported, "--reason", "several gateways")
        self.assertIn("ledger-head belongs to a ledger", gateway.command("ledger", "create", gateway.folder, code=5))
        self.assertEqual(self.charges(gateway), 1)
        gateway.command("query", gateway.folder, question(2))
        self.assertEqual(self.charges(gateway), 2)
        lines = gateway.command("ledger", "export", gateway.folder)
        self.assertTrue(lines.startswith(exported.read_text()))
        # Alone only while nobody serves.
        gateway.start()
        self.assertIn("another program", gateway.command("ledger", "accept", gateway.folder, "--reason", "beside", code=5))
        gateway.stop()
        gateway.command("ledger", "accept", gateway.folder, "--reason", "alone")
        gateway.scratch.cleanup()


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main()
