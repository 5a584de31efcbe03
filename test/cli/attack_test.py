#!/usr/bin/env python3
"""`tacit attack`, end to end: attack_test.py PATH_OF_TACIT.

A sample clinic is attacked; with PostgreSQL 15 on the machine, a private cluster that holds the same
table stands for the naive server behind --pg.
"""

import json
import os
import pathlib
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

TACIT = sys.argv.pop(1)
POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")
FOLDER = None
CLINIC = None


def run(*arguments, **more):
    temporary = FOLDER / "temporary"
    temporary.mkdir(exist_ok=True)
    return subprocess.run(
        [TACIT, *map(str, arguments)], capture_output=True, text=True, timeout=600,
        env={**os.environ, "TMPDIR": str(temporary)}, **more
    )


def attack(*arguments):
    return run("attack", *arguments)


def report(*arguments):
    done = attack(*arguments, "--format", "json")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def stopped(*arguments):
    """What an attack says that is stopped once it has made a folder, and what is left of that."""
    temporary = FOLDER / "stopped"
    temporary.mkdir(exist_ok=True)
    child = subprocess.Popen([TACIT, "attack", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, env={**os.environ, "TMPDIR": str(temporary)})
    deadline = time.monotonic() + 120
    while not any(temporary.iterdir()) and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    said = child.communicate(timeout=120)[1]
    return child.returncode, said, sorted(temporary.iterdir())


def setUpModule():
    global FOLDER, CLINIC
    # In memory where there is such a folder: hundreds of charges, each on stable storage.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="attack-test-", dir=memory))
    files = FOLDER / "files"
    CLINIC = FOLDER / "clinic"
    made = run("demo", "clinic", files, "--patients", "3000")
    assert made.returncode == 0, made.stderr
    made = run("init", CLINIC, "--table", f"patients={files}/patients.csv", "--table",
               f"visits={files}/visits.csv", "--table", f"departments={files}/departments.csv",
               "--unit", "patients.ssn", "--unit", "visits.patient_ssn")
    assert made.returncode == 0, made.stderr
    shutil.copy(files / "tacit.yaml", CLINIC / "tacit.yaml")


def tearDownModule():
    shutil.rmtree(FOLDER)


def spent():
    return run("budget", CLINIC).stdout


class OnAClinic(unittest.TestCase):
    def test_differencing_beside_tacit_with_the_bound_and_no_charge(self):
        before = spent()
        said = report("differencing", CLINIC, "--server", "exact,tacit", "--targets", "20",
                      "--tacit-guesses", "4", "--secret", "disease=Cold")
        rows = {row[0]: row for row in said["tables"][0]["rows"]}
        self.assertEqual(rows["exact answers"][3], 1)
        tacit = rows["Tacit with its ledger"]
        self.assertLessEqual(tacit[4], 3.0001)
        self.assertLess(tacit[3], 1.0001)
        self.assertGreater(tacit[5], 0.5)
        self.assertEqual(spent(), before, "the owner's ledger was charged")

    def test_the_same_seed_gives_the_same_naive_figures(self):
        wish = ("averaging", CLINIC, "--server", "laplace,bounded", "--runs", "30", "--seed", "5")
        self.assertEqual(report(*wish), report(*wish))
        self.assertEqual(report(*wish)["seed"], 5)

    def test_everything_as_one_page(self):
        page = FOLDER / "page.html"
        done = attack("all", CLINIC, "--html", page, "--quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        html = page.read_text(encoding="utf-8")
        for name in ("uniqueness", "linkage", "intersection", "dimension", "linkage-visits", "differencing",
                     "refusal", "averaging", "reconstruction", "membership", "auxiliary"):
            self.assertEqual(html.count(f'<section id="{name}">'), 1, name)
        self.assertIn("Table departments was not attacked: the policy says that it is public.", html)
        self.assertIn("Table visits holds several rows a person.", html)
        for outside in ("http://", "https://", "src=", "url(", "@import"):
            self.assertNotIn(outside, html)
        self.assertEqual(html.count("What helps: "), 11)
        self.assertEqual(html.count('class="chart"'), html.count("<figcaption>"))
        self.assertNotIn("<script", html)
        self.assertNotIn("nan", html.replace("tenant", ""))
        self.assertNotIn(" safe", html)
        self.assertIn("Nothing was spent of your budget", html)
        self.assertEqual(stat.S_IMODE(page.stat().st_mode), 0o600)
        self.assertEqual(os.listdir(FOLDER / "temporary"), [], "a temporary folder was left behind")


class Stopped(unittest.TestCase):
    def test_ctrl_c_says_so_and_leaves_nothing_behind(self):
        for words in (("reconstruction", CLINIC), ("auxiliary",), ("all", CLINIC, "--html", FOLDER / "stopped.html")):
            code, said, left = stopped(*words)
            self.assertEqual(code, 130, (words, said))
            self.assertIn("stopped; no report was made, and nothing is left behind", said)
            self.assertEqual(left, [], words)
            self.assertEqual(sorted((CLINIC / "spill").glob("*")), [], words)
            self.assertFalse((FOLDER / "stopped.html").exists())


class BadInput(unittest.TestCase):
    def refused(self, code, words, *arguments):
        done = attack(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_wrong_flags_say_what_would_pass(self):
        self.refused(2, "there is no server 'guess'", "differencing", "--server", "guess")
        self.refused(2, "needs --pg", "differencing", "--server", "pg")
        self.refused(2, "folder", "differencing", "--pg", "host=x", "--server", "pg")
        self.refused(2, "has no column height", "differencing", CLINIC, "--secret", "height=1")
        self.refused(2, "COLUMN=VALUE", "differencing", CLINIC, "--secret", "disease")
        self.refused(2, "one row a person", "differencing", CLINIC, "--table", "visits")
        self.refused(2, "has no table", "refusal", CLINIC, "--table", "nurses")
        self.refused(2, "too few people", "refusal", CLINIC, "--secret", "disease=Nothing")
        self.refused(2, "--targets", "differencing", "--targets", "0", "--server", "exact")
        self.refused(2, "--people", "reconstruction", "--people", "4", "--server", "exact")
        self.refused(2, "--epsilon", "averaging", "--epsilon", "-1")
        self.refused(2, "cannot read", "membership", FOLDER / "nowhere")

    def test_a_price_above_the_policys_is_refused_before_anything_is_asked(self):
        self.refused(3, "epsilon", "refusal", CLINIC, "--server", "tacit", "--epsilon", "2")

    def test_no_server_behind_pg(self):
        self.refused(5, "no PostgreSQL server behind --pg", "differencing", CLINIC, "--server", "pg",
                     "--pg", f"host={FOLDER} dbname=none")

    def test_a_failed_run_leaves_no_page(self):
        page = FOLDER / "failed.html"
        self.refused(2, "has no column", "all", CLINIC, "--html", page, "--secret", "height=1")
        self.refused(2, "cannot write", "all", CLINIC, "--html", FOLDER / "no/page.html")
        self.refused(2, "it is there and is no file", "all", CLINIC, "--html", "/dev/full")
        self.refused(2, "no visible column height", "all", CLINIC, "--html", page, "--qi", "age,height")
        self.refused(2, "which is the secret", "all", CLINIC, "--html", page, "--qi", "disease", "--secret", "disease=Flu")
        self.assertEqual([name for name in os.listdir(FOLDER) if "failed" in name], [])


@unittest.skipUnless((POSTGRES / "initdb").exists(), "PostgreSQL 15 is not installed")
class OverThePostgresProtocol(unittest.TestCase):
    """A real PostgreSQL with the clinic's table: the naive exact server."""

    @classmethod
    def as_server(cls, *command):
        account = None
        if os.getuid() == 0:  # PostgreSQL does not run as root
            account = pwd.getpwnam("postgres")
        kwargs = {} if account is None else {"user": account.pw_uid, "group": account.pw_gid}
        subprocess.run(command, check=True, capture_output=True, cwd="/", **kwargs)

    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="attack-pg-"))
        cls.root.chmod(0o777)
        cls.cluster = cls.root / "cluster"
        cls.as_server(POSTGRES / "initdb", "-D", cls.cluster, "-A", "trust", "-U", "owner", "--no-sync")
        cls.as_server(POSTGRES / "pg_ctl", "-D", cls.cluster, "-w", "-l", cls.root / "log", "-o",
                      f"-k {cls.root} -c listen_addresses=''", "start")
        cls.conninfo = f"host={cls.root} user=owner dbname=postgres"
        subprocess.run(["psql", "-q", cls.conninfo, "-c",
                        "CREATE TABLE patients (ssn bigint, zipcode int, disease text, age int, "
                        "sex text, income bigint)", "-c",
                        f"\\copy patients FROM '{FOLDER}/files/patients.csv' CSV HEADER"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.as_server(POSTGRES / "pg_ctl", "-D", cls.cluster, "-m", "immediate", "stop")
        shutil.rmtree(cls.root)

    def test_the_naive_server_gives_every_secret_away(self):
        said = report("differencing", CLINIC, "--server", "pg", "--pg", self.conninfo, "--targets", "50")
        row = said["tables"][0]["rows"][0]
        self.assertEqual(row[0], "PostgreSQL, exact")
        self.assertEqual(row[3], 1)
        self.assertEqual(row[5], "none")

    def test_and_is_reconstructed(self):
        said = report("reconstruction", CLINIC, "--server", "pg", "--pg", self.conninfo, "--people",
                      "32", "--questions", "256", "--runs", "1")
        self.assertEqual(said["charts"][0]["series"][0]["points"][-1]["y"], 100)

    def test_a_table_that_is_not_there_is_an_error(self):
        done = attack("differencing", CLINIC, "--server", "pg", "--pg",
                      f"host={self.root} user=owner dbname=template1", "--targets", "5")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("patients", done.stderr)


if __name__ == "__main__":
    unittest.main()
