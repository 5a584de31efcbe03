#!/usr/bin/env python3
"""What an owner changes while the gateway runs, and what it refuses to start with. usage: terms_test.py TACIT"""
import pathlib
import signal
import subprocess
import sys
import time
import unittest

import psycopg

from gateway import Gateway
from raw_client import RawClient, frame

TACIT = ""
TABLE = """    unit: pid
    rows_per_unit: 1
    columns:
      pid: {hidden: true}
      age: {bounds: [0, 120]}
      sex: {keys: [F, M, X]}
      town: {}
"""
COUNT = "SELECT count(*) FROM people WHERE age > 40"


class TermsTest(unittest.TestCase):
    def policy(self, gateway, old=None, new=None):
        file = gateway.folder / "tacit.yaml"
        text = file.read_text()
        if old is not None:
            self.assertIn(old, text)
            file.write_text(text.replace(old, new))
        return text

    def reload(self, gateway, event):
        before = len(gateway.log_events())
        gateway.process.send_signal(signal.SIGHUP)
        for _ in range(300):
            for line in gateway.log_events()[before:]:
                if line["event"] in ("reloaded", "reload_refused"):
                    self.assertEqual(line["event"], event, line)
                    return line
            time.sleep(0.1)
        self.fail("the reload was not told")

    def test_a_policy_that_contradicts_the_ledger_is_refused_everywhere(self):
        changes = (("accounting: pure", "accounting: zcdp"),
                   ("neighbours: add_remove", "neighbours: replace_one"),
                   ("    unit: pid\n    rows_per_unit: 1\n", "    unit: row\n"),
                   (TABLE, "    public: true\n"))
        with Gateway(TACIT) as gateway:
            with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                first = connection.execute(COUNT).fetchall()
                for old, new in changes:
                    with self.subTest(new):
                        kept = self.policy(gateway, old, new)
                        try:
                            line = self.reload(gateway, "reload_refused")
                            self.assertIn("charges were made", line["reason"])
                            checked = gateway.run("check", gateway.folder)
                            self.assertNotEqual(checked.returncode, 0)
                            self.assertIn("charges were made", " ".join((checked.stdout + checked.stderr).split()))
                            second = subprocess.run([TACIT, "serve", str(gateway.folder), "--pg", "127.0.0.1:0"],
                                                    capture_output=True, text=True, timeout=60)
                            self.assertNotEqual(second.returncode, 0)
                            self.assertIn("charges were made", " ".join(second.stderr.split()))
                        finally:
                            (gateway.folder / "tacit.yaml").write_text(kept)
                        self.assertEqual(connection.execute(COUNT).fetchall(), first, "the old policy stays")
            self.reload(gateway, "reloaded")

    def test_an_analyst_who_was_removed_is_shown_out(self):
        with Gateway(TACIT) as gateway:
            bob = RawClient(gateway, "bob")
            text = self.policy(gateway)
            lines = [line for line in text.splitlines(True) if not line.startswith("  bob:")]
            (gateway.folder / "tacit.yaml").write_text("".join(lines))
            self.reload(gateway, "reloaded")
            bob.send(frame(b"Q", COUNT.encode() + b"\0"))
            kind, body = bob.read()
            self.assertEqual(kind, b"E")
            self.assertIn(b"SFATAL\0", body)
            self.assertIn(b"C28000\0", body)
            self.assertNotIn(b"tacit.yaml", body)
            self.assertNotIn(str(gateway.folder).encode(), body)
            with self.assertRaises((EOFError, OSError)):
                bob.read()
            bob.socket.close()
            with psycopg.connect(gateway.dsn("ana"), autocommit=True) as ana:
                self.assertEqual(ana.execute("SELECT 1").fetchone(), (1,))

    def test_flags_that_cannot_be_meant_are_told(self):
        with Gateway(TACIT) as gateway:
            for flag, value, words in (("--admin", "0.0.0.0:0", "other machines"), ("--admin", "[::]:9433", "other machines"),
                                       ("--pg", "127.0.0.1:65536", "65535"), ("--http", "127.0.0.1:x", "65535"),
                                       ("--admin", "127.0.0.1:99999", "65535"), ("--pg", "127.0.0.1:", "65535")):
                run = gateway.run("serve", gateway.folder, flag, value)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn(flag + ":", run.stderr)
                self.assertIn(words, run.stderr)

    def test_settings_go_back_with_a_savepoint(self):
        with Gateway(TACIT) as gateway, psycopg.connect(gateway.dsn(), autocommit=True) as connection:
            def shown():
                return [connection.execute(f"SHOW {name}").fetchone()[0]
                        for name in ("tacit.epsilon", "statement_timeout")]
            self.assertEqual(shown()[0], "0.1", "unset is the policy's")
            self.assertEqual(connection.execute("SELECT value FROM tacit.settings WHERE name = 'tacit.epsilon'")
                             .fetchone()[0], "0.1")
            for statement, wanted in (("BEGIN", None), ("SET tacit.epsilon = 0.2", "0.2"), ("SAVEPOINT a", "0.2"),
                                      ("SET tacit.epsilon = 0.3", "0.3"), ("SAVEPOINT b", "0.3"),
                                      ("SET LOCAL tacit.epsilon = 0.4", "0.4"), ("ROLLBACK TO b", "0.3"),
                                      ("SET tacit.epsilon = 0.5", "0.5"), ("RELEASE b", "0.5"),
                                      ("ROLLBACK TO a", "0.2"), ("SET LOCAL tacit.epsilon = 0.6", "0.6"),
                                      ("ROLLBACK TO SAVEPOINT a", "0.2"), ("SET LOCAL tacit.epsilon = 0.7", "0.7"),
                                      ("RELEASE SAVEPOINT a", "0.7"), ("COMMIT", "0.2")):
                connection.execute(statement)
                if wanted:
                    self.assertEqual(shown()[0], wanted, statement)
            connection.execute("BEGIN")
            connection.execute("SET statement_timeout = '5s'")
            connection.execute("SAVEPOINT c")
            connection.execute("SET statement_timeout = '9s'")
            with self.assertRaises(psycopg.Error):
                connection.execute("no sql")
            connection.execute("ROLLBACK TO c")
            self.assertEqual(shown()[1], "5s")
            connection.execute("ROLLBACK")

    def test_a_function_call_by_number_is_refused_at_once_and_the_session_goes_on(self):
        with Gateway(TACIT) as gateway, RawClient(gateway) as client:
            client.send(frame(b"F", b"\0\0\0\1\0\0\0\0\0\0"))
            kinds = [kind for kind, _ in client.until_ready()]
            self.assertEqual(kinds, [b"E", b"Z"])
            client.send(frame(b"Q", b"SELECT 1\0"))
            self.assertIn(b"D", [kind for kind, _ in client.until_ready()])

    def test_errors_speak_the_words_of_the_door_and_in_short_numbers(self):
        with Gateway(TACIT, ana_epsilon="0.3") as gateway, psycopg.connect(gateway.dsn(), autocommit=True) as connection:
            with self.assertRaises(psycopg.Error) as dear:
                connection.execute("SET tacit.epsilon = '1." + "0" * 60 + "1'")
                connection.execute(COUNT)
            self.assertIn("SET tacit.epsilon = 1 or less", dear.exception.diag.message_hint)
            self.assertNotIn("0" * 30, str(dear.exception))
            connection.execute("SET tacit.epsilon = '0." + "1" * 60 + "'")
            connection.execute(COUNT)
            connection.execute("SET tacit.epsilon = '0." + "3" * 60 + "'")
            with self.assertRaises(psycopg.Error) as spent:
                connection.execute("SELECT count(*) FROM people WHERE age > 41")
            self.assertIn("costs epsilon 0.333334, and epsilon 0.188888", str(spent.exception))
            charges = dict(connection.execute("SELECT scope, charges FROM tacit.budget").fetchall())
            self.assertEqual(charges, {"analyst": 1})

    def test_a_series_takes_no_memory(self):
        with Gateway(TACIT) as gateway, psycopg.connect(gateway.dsn(), autocommit=True) as connection:
            with self.assertRaises(psycopg.Error) as refused:
                connection.execute("SELECT * FROM generate_series(1, 100000000)")
            self.assertIn("too much time or memory", str(refused.exception))
            status = pathlib.Path(f"/proc/{gateway.process.pid}/status").read_text()
            peak = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
            self.assertLess(peak, 600 * 1024)


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main(verbosity=2)
