#!/usr/bin/env python3
"""The attacks on a running gateway, over TLS and with a password, beside the same attacks on a naive
PostgreSQL that holds the same table. usage: attack_test.py TACIT

The naive half needs PostgreSQL 15 on the machine and is skipped without it.
"""
import json
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import tempfile
import unittest

from gateway import Gateway, PASSWORDS

TACIT = ""
POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")
# The unit's column stays visible here: whoever asks may name one person, and gets noise.
SECRET = ("--secret", "town=south")


class Naive:
    """A private PostgreSQL cluster with the gateway's table."""

    def __init__(self, csv):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="attack-pg-"))
        self.root.chmod(0o777)
        self.cluster = self.root / "cluster"
        self.as_server(POSTGRES / "initdb", "-D", self.cluster, "-A", "trust", "-U", "owner", "--no-sync")
        self.as_server(POSTGRES / "pg_ctl", "-D", self.cluster, "-w", "-l", self.root / "log", "-o",
                       f"-k {self.root} -c listen_addresses=''", "start")
        self.conninfo = f"host={self.root} user=owner dbname=postgres"
        subprocess.run(["psql", "-q", self.conninfo, "-c",
                        "CREATE TABLE people (pid bigint, age int, sex text, town text, pay int, seen date)", "-c",
                        f"\\copy people FROM '{csv}' CSV HEADER"], check=True)

    def as_server(self, *command):
        more = {}
        if os.getuid() == 0:  # PostgreSQL does not run as root
            account = pwd.getpwnam("postgres")
            more = {"user": account.pw_uid, "group": account.pw_gid}
        subprocess.run(command, check=True, capture_output=True, cwd="/", **more)

    def stop(self):
        self.as_server(POSTGRES / "pg_ctl", "-D", self.cluster, "-m", "immediate", "stop")
        shutil.rmtree(self.root)


class RunningGateway(unittest.TestCase):
    def setUp(self):
        self.gateway = Gateway(TACIT, epsilon="100", ana_epsilon="3")
        policy = self.gateway.folder / "tacit.yaml"
        policy.write_text(policy.read_text().replace("pid: {hidden: true}", "pid: {}"))
        self.gateway.start()

    def tearDown(self):
        self.gateway.__exit__()

    def attack(self, name, *more, dsn=None, code=0):
        done = subprocess.run([TACIT, "attack", name, str(self.gateway.folder), *SECRET, "--server", "pg", "--pg",
                               dsn or self.gateway.dsn(), "--format", "json", *map(str, more)],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def spent(self):
        return float(self.gateway.spent("ana"))

    def assert_ledger_agrees(self, epsilon):
        """What the report says was spent is what the gateway charged to the analyst."""
        self.assertAlmostEqual(epsilon, self.spent(), places=6)
        self.assertLessEqual(self.spent(), 3)

    def test_differencing_pays_until_the_budget_ends_and_says_the_bound(self):
        said = self.attack("differencing", "--targets", 200)
        (row,) = said["tables"][0]["rows"]
        self.assertEqual(row[0], "Tacit over the PostgreSQL protocol")
        self.assertEqual(row[2], 29)  # 3 / 0.1 answers: one that all share, and one for each person
        self.assert_ledger_agrees(row[4])
        self.assertGreater(row[5], 0.95)  # e^3 / (1 + e^3)
        self.assertLess(row[5], 0.96)
        self.assertLess(row[3], 1)  # 29 coins: all right would be a chance of 1 in 100 million
        other = self.attack("differencing", "--targets", 5, "--seed", 2)
        self.assertEqual(other["tables"][0]["rows"][0][2], 0, "a spent budget answered something new")
        again = self.attack("differencing", "--targets", 29)  # stored answers: the same, and free
        self.assertEqual(again["tables"][0]["rows"][0][2:4], row[2:4])
        self.assertAlmostEqual(self.spent(), 3, places=9)

    def test_averaging_is_stopped_by_the_budget(self):
        said = self.attack("averaging")
        sentence = said["summary"][0]
        self.assertIn("the most answers that one run got were 30", sentence)
        self.assertIn("cost epsilon 3.00", sentence)
        self.assert_ledger_agrees(3.0)

    def test_the_same_question_is_one_charge_and_one_answer(self):
        before = self.spent()
        told = {self.gateway.psql("SELECT count(*) FROM people WHERE town = 'south'", flags=["-At"]).stdout
                for _ in range(20)}
        self.assertEqual(len(told), 1)
        self.assertAlmostEqual(self.spent() - before, 0.1, places=9)

    def test_reconstruction_gets_no_further_than_the_budget(self):
        said = self.attack("reconstruction", "--people", 32, "--questions", 256, "--runs", 1)
        points = said["charts"][0]["series"][0]["points"]
        self.assertEqual([point["x"] for point in points], [16])  # the next step, 64, is not reached
        self.assertLess(points[0]["y"], 100)
        self.assert_ledger_agrees(3.0)
        self.assertTrue(any("allow at most 95.3 %" in sentence for sentence in said["summary"]), said["summary"])

    def test_no_refusal_depends_on_a_row(self):
        said = self.attack("refusal", "--targets", 25)
        (row,) = said["tables"][0]["rows"]
        self.assertEqual(row[1:3], [25, 0])
        self.assert_ledger_agrees(2.5)

    def test_another_price_buys_fewer_answers(self):
        said = self.attack("refusal", "--targets", 50, "--epsilon", "0.5")
        self.assertEqual(said["tables"][0]["rows"][0][1], 6)
        self.assert_ledger_agrees(3.0)

    def test_a_wrong_password_and_a_server_without_its_certificate_are_said(self):
        said = self.attack("refusal", dsn=self.gateway.dsn(password="wrong"), code=5)
        self.assertIn("password", said)
        self.assertNotIn(PASSWORDS["ana"], said)
        said = self.attack("refusal", dsn=self.gateway.dsn(sslrootcert="/nowhere.crt"), code=5)
        self.assertIn("/nowhere.crt", said)
        self.assertEqual(self.spent(), 0)

    @unittest.skipUnless((POSTGRES / "initdb").exists(), "PostgreSQL 15 is not installed")
    def test_the_same_attacks_on_a_naive_server_know_everything(self):
        naive = Naive(self.gateway.folder.parent / "people.csv")
        self.addCleanup(naive.stop)
        (row,) = self.attack("differencing", "--targets", 100, dsn=naive.conninfo)["tables"][0]["rows"]
        self.assertEqual((row[0], row[3], row[5]), ("PostgreSQL, exact", 1, "none"))
        said = self.attack("reconstruction", "--people", 32, "--questions", 256, "--runs", 1, dsn=naive.conninfo)
        self.assertEqual(said["charts"][0]["series"][0]["points"][-1]["y"], 100)
        said = self.attack("averaging", "--questions", 10, dsn=naive.conninfo)
        self.assertIn("known in 100 % of the runs", said["summary"][0])
        (row,) = self.attack("refusal", "--targets", 50, dsn=naive.conninfo)["tables"][0]["rows"]
        self.assertEqual(row[4], 1)
        self.assertEqual(self.spent(), 0)


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main()
