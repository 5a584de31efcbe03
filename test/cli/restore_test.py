#!/usr/bin/env python3
"""Who may ask and what was asked; ledgers that were put back, lost, or belong to another key.
usage: restore_test.py TACIT"""
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

TACIT = ""

POLICY = """tacit: 1
engine: {{kind: duckdb, path: data.duckdb}}
ledger: {{kind: sqlite, path: ledger.sqlite{witness}}}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {{epsilon: 3, delta: 1e-9}}
  query: {{epsilon: 0.1, epsilon_max: 1, delta: 1e-12}}
tables:
  people: {{unit: row}}   # one each
{server}"""
ASK = "SELECT count(*) FROM people"


class RestoreTest(unittest.TestCase):
    def setUp(self):
        self.box = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.box.name)
        os.chmod(self.root, 0o700)
        people = self.root / "people.csv"
        people.write_text("name,age\n" + "".join(f"n{i},{i}\n" for i in range(50)))
        self.folder = self.root / "d"
        self.tacit("init", self.folder, "--table", f"people={people}")
        self.policy()

    def tearDown(self):
        self.box.cleanup()

    def policy(self, witness="", server=""):
        (self.folder / "tacit.yaml").write_text(POLICY.format(witness=witness, server=server))

    def tacit(self, *args, code=0, text=None):
        run = subprocess.run([TACIT, *map(str, args)], capture_output=True, text=True, input=text, timeout=120)
        self.assertEqual(run.returncode, code, f"{args}\n{run.stdout}{run.stderr}")
        return run.stdout + run.stderr

    def ask(self, sql=ASK, *flags, code=0):
        return self.tacit("query", self.folder, sql, *flags, code=code)

    def spent(self):
        out = self.tacit("budget", self.folder, "--format", "json")
        return json.loads(out)

    def records(self):
        return json.loads(self.tacit("ledger", "list", self.folder, "--format", "json", "--questions"))

    def copy(self, name):
        shutil.copytree(self.folder, self.root / name, symlinks=True)

    def put_back(self, name):
        """Every file of the folder, as an old backup has them."""
        shutil.rmtree(self.folder)
        shutil.copytree(self.root / name, self.folder, symlinks=True)

    # --- who asks

    def test_analysts_come_and_go_and_the_comments_stay(self):
        before = (self.folder / "tacit.yaml").read_text()
        self.tacit("analyst", "add", self.folder, "ana", "--epsilon", "1", "--delta", "1e-10", text="a long password\n")
        added = (self.folder / "tacit.yaml").read_text()
        self.assertTrue(added.startswith(before))
        self.assertIn('ana: {password: "SCRAM-SHA-256$', added)
        self.ask(ASK, "--analyst", "ana")
        self.tacit("analyst", "add", self.folder, "ana", "--epsilon", "1", text="a long password\n", code=2)
        self.tacit("analyst", "password", self.folder, "ana", text="another password\n")
        changed = (self.folder / "tacit.yaml").read_text()
        self.assertNotEqual(changed, added)
        self.assertEqual(len(changed), len(added))
        self.tacit("analyst", "password", self.folder, "bob", text="another password\n", code=2)
        self.tacit("analyst", "add", self.folder, "Bob B.", "--epsilon", "0.5", text="yet another one\n")
        self.tacit("analyst", "remove", self.folder, "ana")
        self.tacit("analyst", "remove", self.folder, "ana", code=2)
        self.ask(ASK, "--analyst", "ana", code=2)
        self.ask(ASK, "--analyst", "Bob B.")
        self.assertIn("# one each", (self.folder / "tacit.yaml").read_text())

    def test_short_passwords_are_refused_unless_they_are_wanted(self):
        said = self.tacit("password", text="elevenchars\n", code=2)
        self.assertIn("fewer than 12 characters", said)
        self.tacit("password", text="zwölf Zeiche\n")
        self.tacit("password", "--weak", text="short\n")
        before = (self.folder / "tacit.yaml").read_bytes()
        self.tacit("analyst", "add", self.folder, "ana", "--epsilon", "1", text="short\n", code=2)
        self.assertEqual((self.folder / "tacit.yaml").read_bytes(), before)
        self.tacit("analyst", "add", self.folder, "ana", "--epsilon", "1", "--weak", text="short\n")

    # --- what was asked

    def test_charged_questions_are_kept_for_the_owner_and_nowhere_else(self):
        self.ask("SELECT count(*) AS secret_alias FROM people")
        self.ask("SELECT count(*) AS secret_alias FROM people")  # free, and no second line
        self.ask("SELECT nonsense FROM people", code=3)
        [charge] = [r for r in self.records() if r["kind"] == "charge"]
        self.assertEqual(charge["question"], "SELECT count(*) AS secret_alias FROM people")
        self.assertIn("secret_alias", self.tacit("ledger", "list", self.folder, "--questions"))
        self.assertNotIn("secret_alias", self.tacit("ledger", "list", self.folder))
        self.assertNotIn("secret_alias", self.tacit("ledger", "export", self.folder))
        kept = self.folder / "ledger.sqlite-questions"
        self.assertEqual(stat.S_IMODE(os.stat(kept).st_mode), 0o700)
        self.assertEqual(stat.S_IMODE(os.stat(kept / "owner.jsonl").st_mode), 0o600)
        os.chmod(kept, 0o755)
        self.assertIn("chmod", self.ask(ASK, code=5))
        os.chmod(kept, 0o700)
        self.policy(server="server: {questions: drop}\n")
        self.ask(ASK, "--epsilon", "0.2")
        self.assertFalse(kept.exists())

    def test_old_questions_go(self):
        self.ask()
        kept = self.folder / "ledger.sqlite-questions" / "owner.jsonl"
        line = json.loads(kept.read_text())
        kept.write_text(json.dumps({**line, "record": "0" * 64, "time": "2001-01-31T12:00:00Z"}) + "\n" + kept.read_text())
        self.policy(server="server: {questions: 30 days}\n")
        self.ask(ASK, "--epsilon", "0.2")
        self.assertEqual(len(kept.read_text().splitlines()), 2)
        self.assertNotIn("2001-01-31", kept.read_text())
        self.policy(server="server: {questions: soon}\n")
        self.assertIn("questions: 90 days", self.ask(ASK, code=2))

    # --- what was put back

    def test_every_file_put_back_is_seen_by_a_head_kept_elsewhere(self):
        self.ask()
        self.copy("monday")
        self.ask(ASK, "--epsilon", "0.5")
        head = self.tacit("ledger", "head", self.folder).strip()
        self.assertIn("is record", self.tacit("ledger", "verify", self.folder, "--head", head))
        self.put_back("monday")
        self.tacit("ledger", "verify", self.folder)  # by itself it cannot know
        said = self.tacit("ledger", "verify", self.folder, "--head", head, code=5)
        self.assertIn("older copy", said)
        self.assertIn("older copy", self.tacit("ledger", "verify", self.folder, "--head", head.split()[1], code=5))

    def test_every_file_put_back_is_refused_where_there_is_a_witness(self):
        witness = self.root / "elsewhere" / "head"
        witness.parent.mkdir(mode=0o700)
        self.policy(witness=f", witness: {witness}")
        said = self.ask(ASK, code=5)
        self.assertIn("witness is not there", said)
        self.tacit("ledger", "accept", self.folder, "--reason", "a witness from now on")
        self.assertEqual(stat.S_IMODE(os.stat(witness).st_mode), 0o600)
        self.ask()
        self.copy("monday")
        self.ask(ASK, "--epsilon", "0.5")
        self.put_back("monday")
        self.assertIn("the ledger went back", self.ask(ASK, "--epsilon", "0.4", code=5))
        self.tacit("ledger", "accept", self.folder, "--reason", "copy of Monday")
        self.ask(ASK, "--epsilon", "0.4")
        witness.unlink()
        self.ask(ASK, "--epsilon", "0.3", code=5)

    def test_a_lost_ledger_is_made_of_its_export(self):
        self.ask()
        self.ask(ASK, "--epsilon", "0.5")
        exported = self.root / "charges.jsonl"
        exported.write_text(self.tacit("ledger", "export", self.folder))
        spent = self.spent()
        self.tacit("ledger", "import", self.folder, exported, "--reason", "no need", code=5)  # there is one
        for path in self.folder.glob("ledger.sqlite*"):
            if path.is_file() and not path.name.endswith("-head"):
                path.unlink()
        changed = self.root / "changed.jsonl"
        changed.write_text(exported.read_text().replace('"epsilon":"0.5"', '"epsilon":"0.1"'))
        self.assertIn("line ", self.tacit("ledger", "import", self.folder, changed, "--reason", "x", code=2))
        self.tacit("ledger", "import", self.folder, exported, "--reason", "disk failure")
        self.assertEqual(self.spent(), spent)
        self.assertIn("verified", self.tacit("ledger", "verify", self.folder))
        last = self.records()[-1]
        self.assertEqual((last["kind"], last["reason"]), ("import", "disk failure"))
        self.assertTrue(last["head_before"])
        self.ask()  # its answer is lost, so it is paid again
        self.assertNotEqual(self.spent(), spent)
        self.ask(ASK, "--epsilon", "0.5")
        self.tacit("ledger", "verify", self.folder)

    def test_another_key_is_noticed_and_refused_until_it_is_accepted(self):
        self.ask()
        key = self.folder / "tacit.key"
        named = self.tacit("ledger", "verify", self.folder).split("key ")[1].split()[0]
        key.write_bytes(os.urandom(32))
        os.chmod(key, 0o600)
        said = self.ask(ASK, code=5)
        self.assertIn(named, said)
        self.assertIn("--new-key", said)
        self.tacit("ledger", "verify", self.folder, code=5)
        self.tacit("ledger", "accept", self.folder, "--reason", "without the flag", code=5)
        self.tacit("ledger", "accept", self.folder, "--new-key", "--reason", "the key was lost")
        self.assertIn("verified", self.tacit("ledger", "verify", self.folder))
        before = self.spent()
        self.ask()  # stored under the old key: not replayed
        self.assertNotEqual(self.spent(), before)
        now = self.spent()
        self.ask()
        self.assertEqual(self.spent(), now)
        self.tacit("ledger", "verify", self.folder)
        self.tacit("ledger", "accept", self.folder, "--new-key", "--reason", "again", code=5)


if __name__ == "__main__":
    TACIT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
