"""tacit budget and tacit ledger, as whole commands; the chain is checked here a second time, from its documentation."""

import hashlib
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

TACIT, CLERK = sys.argv[1], sys.argv[2]
POLICY = """tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}
tables:
  patients: {unit: ssn, rows_per_unit: 1, columns: {ssn: {hidden: true}}}
analysts:
  ana: {password: "SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=:KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=", budget: {epsilon: 1, delta: 1e-7}}
"""


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=120)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def check_chain(lines):
    """Recomputes hashes and sums from docs/ledger_format.md; returns what the dataset spent."""
    previous, spent = "0" * 64, Fraction(0)
    for number, line in enumerate(lines, 1):
        start = '{"hash":"%s","record":' % line[9:73]
        assert line.startswith(start) and line.endswith("}"), line
        body = line[len(start):-1]
        assert sha256(f"{previous}\n{body}\n".encode()) == line[9:73], f"record {number}"
        previous = line[9:73]
        record = json.loads(body)
        assert record["seq"] == number
        if record["kind"] == "charge":
            new = sum(Fraction(r["cost"]["epsilon"]) for r in record["releases"] if r["id"][0] == number)
            assert new == Fraction(record["dataset_cost"]["epsilon"])
            spent += new
    return spent


class LedgerCommands(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name
        self.path = os.path.join(self.folder, "ledger.sqlite")
        pathlib.Path(self.folder, "tacit.yaml").write_text(POLICY)
        self.write_key(self.folder)

    def write_key(self, folder):
        key = pathlib.Path(folder, "tacit.key")
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(32))

    def assertRefused(self, command, *words):
        done = run(TACIT, *command, self.folder)
        self.assertEqual(done.returncode, 5, (command, done.stdout, done.stderr))
        for word in words:
            self.assertIn(word, done.stderr, command)

    def tearDown(self):
        self.scratch.cleanup()

    def clerk(self, *arguments):
        done = run(CLERK, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def fill(self):
        self.clerk("create", self.path)
        self.clerk("charge", self.path, "0", "7")
        self.clerk("charge", self.path, "5", "5", "ana")  # two of them are stored answers

    def test_a_missing_ledger_is_exit_5_and_stays_missing(self):
        for command in (["budget"], ["ledger", "list"], ["ledger", "verify"], ["ledger", "head"], ["ledger", "export"]):
            done = run(TACIT, *command, self.folder)
            self.assertEqual(done.returncode, 5, command)
            self.assertIn("there is no ledger", done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertFalse(os.path.exists(self.path))

    def test_a_bad_policy_is_exit_2(self):
        pathlib.Path(self.folder, "tacit.yaml").write_text("tacit: [")
        self.assertEqual(run(TACIT, "budget", self.folder).returncode, 2)
        self.assertEqual(run(TACIT, "ledger", "verify", self.folder).returncode, 2)
        self.assertEqual(run(TACIT, "ledger", "rewrite", self.folder).returncode, 2)

    def test_budget_says_what_is_left_first(self):
        self.fill()
        accounts = json.loads(run(TACIT, "budget", self.folder, "--format", "json").stdout)["accounts"]
        self.assertEqual([a.get("analyst") for a in accounts], [None, "ana"])
        self.assertEqual(Fraction(accounts[0]["left"]["epsilon"]), Fraction("2.9"))
        self.assertEqual(Fraction(accounts[1]["left"]["epsilon"]), Fraction("0.95"))
        self.assertEqual(accounts[0]["queries_left"], 29)
        text = run(TACIT, "budget", self.folder).stdout
        self.assertIn("about 29 more queries at the default price, epsilon 0.1", text)
        self.assertLess(text.index("left"), text.index("spent"))

    def test_under_zcdp_what_is_left_is_rho_and_what_it_would_buy(self):
        self.clerk("create", self.path)
        text = POLICY.replace("accounting: pure", "accounting: zcdp")
        pathlib.Path(self.folder, "tacit.yaml").write_text(text)
        dataset = json.loads(run(TACIT, "budget", self.folder, "--format", "json").stdout)["accounts"][0]
        self.assertLess(Fraction(2999, 1000), Fraction(dataset["left_as"]["epsilon"]))
        self.assertLessEqual(Fraction(dataset["left_as"]["epsilon"]), 3)
        self.assertEqual(Fraction(dataset["left"]["delta"]), Fraction(1, 2000000))
        done = run(TACIT, "budget", self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("as epsilon", done.stdout)

    def test_a_budget_beyond_every_double_is_shown(self):
        self.clerk("create", self.path)
        for epsilon in ("1000000000", "1e400"):
            text = POLICY.replace("accounting: pure", "accounting: zcdp")
            self.assertIn("budget: {epsilon: 3,", text)
            text = text.replace("budget: {epsilon: 3,", "budget: {epsilon: %s," % epsilon)
            pathlib.Path(self.folder, "tacit.yaml").write_text(text)
            done = run(TACIT, "budget", self.folder, "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            left = Fraction(json.loads(done.stdout)["accounts"][0]["left_as"]["epsilon"])
            self.assertLess(999_000_000, left)
            self.assertLessEqual(left, Fraction(epsilon))
            self.assertEqual(run(TACIT, "budget", self.folder).returncode, 0)

    def test_verify_head_and_export_agree_with_a_second_implementation(self):
        self.fill()
        verified = run(TACIT, "ledger", "verify", self.folder)
        self.assertEqual(verified.returncode, 0, verified.stderr)
        lines = run(TACIT, "ledger", "export", self.folder).stdout.splitlines()
        self.assertEqual(check_chain(lines), Fraction("0.1"))
        head = run(TACIT, "ledger", "head", self.folder).stdout.split()
        self.assertEqual(head, [str(len(lines)), lines[-1][9:73]])
        self.assertIn(head[1], verified.stdout)

    def test_list_prints_every_record_in_three_formats(self):
        self.fill()
        records = json.loads(run(TACIT, "ledger", "list", self.folder, "--format", "json").stdout)
        self.assertEqual([r["kind"] for r in records[:4]], ["create", "declare", "budget", "charge"])
        for shape in ("table", "csv"):
            done = run(TACIT, "ledger", "list", self.folder, "--format", shape)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(len(done.stdout.splitlines()), len(records) + 1)
        self.assertIn("stored answer", done.stdout)

    def test_an_edit_is_found_named_and_exit_5(self):
        self.fill()
        with sqlite3.connect(self.path) as database:
            database.execute("UPDATE record SET body = replace(body, '\"0.01\"', '\"0.00\"') WHERE seq = 6")
        database.close()
        done = run(TACIT, "ledger", "verify", self.folder)
        self.assertEqual(done.returncode, 5)
        self.assertIn("record 6", done.stderr)

    def test_a_lost_log_is_refused_until_the_owner_accepts(self):
        self.clerk("create", self.path)
        self.clerk("charge", self.path, "0", "3")
        os.remove(self.path + "-wal")
        done = run(TACIT, "budget", self.folder)
        self.assertEqual(done.returncode, 5)
        self.assertIn("went back", done.stderr)
        self.assertEqual(run(TACIT, "ledger", "accept", self.folder).returncode, 2)
        self.assertEqual(run(TACIT, "ledger", "accept", self.folder, "--reason", "log lost").returncode, 0)
        self.assertEqual(run(TACIT, "budget", self.folder).returncode, 0)
        self.assertIn("log lost", run(TACIT, "ledger", "list", self.folder).stdout)

    def test_nothing_is_accepted_beside_a_program_that_has_the_ledger_open(self):
        self.fill()
        holder = subprocess.Popen([CLERK, "hold", self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            self.assertEqual(holder.stdout.readline(), "open\n")
            head = pathlib.Path(self.path + "-head").stat()
            done = run(TACIT, "ledger", "accept", self.folder, "--reason", "beside")
            self.assertEqual(done.returncode, 5)
            self.assertIn("another program has the ledger open", done.stderr)
            self.assertIn("stop the server", done.stderr)
            self.assertEqual(pathlib.Path(self.path + "-head").stat().st_ino, head.st_ino)
        finally:
            holder.communicate()
        self.assertEqual(run(TACIT, "ledger", "accept", self.folder, "--reason", "alone").returncode, 0)
        self.assertEqual(run(TACIT, "ledger", "verify", self.folder).returncode, 0)

    def test_a_foreign_ledger_and_a_foreign_key_are_refused(self):
        self.fill()
        key = pathlib.Path(self.folder, "tacit.key")
        ours = key.read_bytes()
        with tempfile.TemporaryDirectory() as other:
            self.write_key(other)
            self.clerk("create", os.path.join(other, "ledger.sqlite"))
            key.write_bytes(pathlib.Path(other, "tacit.key").read_bytes())
            for command in (["budget"], ["ledger", "head"], ["ledger", "verify"], ["ledger", "accept", "--reason", "x"]):
                self.assertRefused(command, "not this deployment's")
            key.write_bytes(ours)
            for end in ("-wal", "-shm"):
                if os.path.exists(self.path + end):
                    os.remove(self.path + end)
            for end in ("", "-head"):
                pathlib.Path(self.path + end).write_bytes(pathlib.Path(other, "ledger.sqlite" + end).read_bytes())
        for command in (["budget"], ["ledger", "head"], ["ledger", "verify"], ["ledger", "accept", "--reason", "x"]):
            self.assertRefused(command, "not this deployment's")

    def test_a_ledger_from_before_is_taken_by_an_explicit_act(self):
        key = pathlib.Path(self.folder, "tacit.key")
        ours = key.read_bytes()
        key.unlink()
        self.fill()  # without a key, as ledgers were made once
        self.write_key(self.folder)
        key.write_bytes(ours)
        self.assertRefused(["budget"], "does not say whose it is", "tacit ledger accept")
        self.assertEqual(run(TACIT, "ledger", "accept", self.folder, "--reason", "older version").returncode, 0)
        self.assertEqual(run(TACIT, "budget", self.folder).returncode, 0)
        self.assertEqual(run(TACIT, "ledger", "verify", self.folder).returncode, 0)
        listed = run(TACIT, "ledger", "list", self.folder, "--format", "json")
        self.assertEqual([r["kind"] for r in json.loads(listed.stdout)[-2:]], ["restore", "bind"])

    def test_a_forged_newest_answer_does_not_verify(self):
        self.fill()
        lines = run(TACIT, "ledger", "export", self.folder).stdout.splitlines()
        with sqlite3.connect(self.path) as database:
            number, seq, ordinal = database.execute("SELECT id, seq, ordinal FROM release ORDER BY id DESC").fetchone()
            self.assertEqual(database.execute("SELECT sealed_by FROM release WHERE id = ?", (number,)).fetchone(), (0,))
            forged = sha256(f"{lines[seq - 1][9:73]}\n{ordinal}\nforged".encode())
            database.execute("UPDATE answer SET bytes = ? WHERE id = ?", (b"forged", number))
            database.execute("UPDATE release SET hash = ? WHERE id = ?", (forged, number))
        database.close()
        self.assertRefused(["ledger", "verify"], f"stored answer {seq}.{ordinal}")

    def test_a_second_name_is_refused(self):
        self.fill()
        for name in ("ledger.sqlite", "ledger.sqlite-head", "tacit.key"):
            with tempfile.TemporaryDirectory(dir=pathlib.Path(self.folder).parent) as other:
                os.link(os.path.join(self.folder, name), os.path.join(other, name))
                self.assertRefused(["budget"], "second name", name)
            self.assertEqual(run(TACIT, "budget", self.folder).returncode, 0)

    def test_whatever_others_may_touch_is_refused_with_the_command_that_mends_it(self):
        self.fill()
        pathlib.Path(self.folder, "data.duckdb").touch(mode=0o600)
        pathlib.Path(self.folder, "data.duckdb-prepared").touch(mode=0o600)
        holder = subprocess.Popen([CLERK, "hold", self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            self.assertEqual(holder.stdout.readline(), "open\n")  # so that -wal and -shm are there
            for name in ("ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "ledger.sqlite-head", "tacit.key",
                         "data.duckdb", "data.duckdb-prepared", "tacit.yaml", ""):
                path = os.path.join(self.folder, name).rstrip("/")
                before = os.stat(path).st_mode & 0o777
                for more in (0o040, 0o020, 0o004, 0o002):
                    if name in ("tacit.yaml", "") and more in (0o040, 0o004):
                        continue
                    os.chmod(path, before | more)
                    self.assertRefused(["budget"], path)
                    hint = [line for line in run(TACIT, "budget", self.folder).stderr.splitlines() if "chmod" in line]
                    command = hint[0][hint[0].index("chmod"):].split()
                    self.assertEqual(subprocess.run(command, check=False).returncode, 0)
                    self.assertEqual(run(TACIT, "budget", self.folder).returncode, 0)
                    os.chmod(path, before)
        finally:
            holder.communicate()

    def test_init_makes_files_that_pass_whatever_the_umask(self):
        table = pathlib.Path(self.folder, "t.csv")
        table.write_text("id,v\n1,2\n2,3\n")
        for mask in (0o000, 0o022, 0o077):
            made = os.path.join(self.folder, f"made-{mask:o}")
            for command in (["init", made, "--table", f"t={table}", "--unit", "t.id"], ["prepare", made], ["budget", made]):
                done = subprocess.run([TACIT, *command], capture_output=True, text=True, timeout=120, umask=mask)
                self.assertEqual(done.returncode, 0, (oct(mask), command, done.stderr))
            for path in pathlib.Path(made).iterdir():
                self.assertEqual(path.stat().st_mode & 0o777, 0o644 if path.name == "tacit.yaml" else 0o600, path)

    def test_export_is_a_consistent_snapshot_while_others_charge(self):
        self.clerk("create", self.path)
        writer = subprocess.Popen([CLERK, "charge", self.path, "0", "250"])
        before = 0
        while writer.poll() is None:
            lines = run(TACIT, "ledger", "export", self.folder).stdout.splitlines()
            check_chain(lines)
            self.assertGreaterEqual(len(lines), before)
            before = len(lines)
        self.assertEqual(writer.returncode, 0)
        self.assertEqual(run(TACIT, "ledger", "verify", self.folder).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
