#!/usr/bin/env python3
"""Whether a question fits the engine is no answer about rows. usage: memory_test.py TACIT"""
import base64
import http.client
import json
import pathlib
import re
import shutil
import signal
import ssl
import stat
import sys
import threading
import time
import unittest

import psycopg

from gateway import PASSWORDS, Gateway

TACIT = ""
MANY = 1_000_000
ROWS = 250_000  # of a large answer
# What it may take: so much whatever its length, and so much a row. A million rows then stay below
# 200 MB.
ROOM = 6 * 2**20 + 190 * ROWS
# A set of every text there is: far more than 64 MiB.
LARGE = "SELECT count(DISTINCT 'the person of number ' || pay || ' and of no other') FROM people"
LITTLE = ", memory_mb: 64"


class Crowd(Gateway):
    """Everybody has a number of pay that nobody else has, or `each` people have one."""

    def __init__(self, tacit, people=MANY, each=1):
        super().__init__(tacit, epsilon="1e15", ana_epsilon="1e15", people=1)
        self.each = each
        text = (self.folder.parent / "people.csv").read_text().splitlines()[0] + "\n"
        text += "".join(f"{i},40,{'FM'[i % 2]},north,{i // each},2024-01-01\n" for i in range(people))
        (self.folder.parent / "people.csv").write_text(text)
        shutil.rmtree(self.folder)
        made = self.run("init", self.folder, "--table", f"people={self.folder.parent / 'people.csv'}")
        assert made.returncode == 0, made.stderr
        self.write_policy()

    def write_policy(self, more="", **changes):
        """`more`: columns that the policy says something about."""
        super().write_policy(**changes)
        file = self.folder / "tacit.yaml"
        text = file.read_text().replace("epsilon_max: 1,", "epsilon_max: 1000000000,")
        file.write_text(text.replace("\n      town: {}", "\n      town: {}" + more))

    def memory(self, what):
        """In bytes, as the kernel counts it."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(re.search(what + r":\s+(\d+)", status).group(1))

    def ask_over_http(self, sql):
        """The rows."""
        port = int(re.search(r"https://localhost:(\d+)", self.hello).group(1))
        trusted = ssl.create_default_context(cafile=str(self.folder / "server.crt"))
        connection = http.client.HTTPSConnection("localhost", port, context=trusted, timeout=120)
        password = base64.b64encode(f"ana:{PASSWORDS['ana']}".encode()).decode()
        connection.request("POST", "/v1/query", json.dumps({"sql": sql, "epsilon": 1_000_000}),
                           {"Authorization": "Basic " + password, "Content-Type": "application/json"})
        answer = json.load(connection.getresponse())
        connection.close()
        return answer["rows"]

    def spilled(self):
        """Files that the engine put aside."""
        return [path for path in (self.folder / "spill").glob("*/**/*") if path.is_file()]

    def exact(self, sql):
        """By the command line, at a price that leaves no noise."""
        done = self.run("query", self.folder, sql, "--epsilon", "1000000000", "--format", "json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["rows"]


class MemoryTest(unittest.TestCase):
    def test_what_does_not_fit_is_put_aside_and_the_answer_is_the_same(self):
        gateway = Crowd(TACIT)
        self.assertEqual(gateway.run("prepare", gateway.folder).returncode, 0)
        plenty = gateway.exact(LARGE)
        self.assertEqual(plenty, [[MANY]])
        gateway.write_policy(engine=LITTLE)
        again = LARGE + " WHERE age > 1"  # another question: the other answer is stored
        self.assertEqual(gateway.exact(again), plenty)
        self.assertEqual(list((gateway.folder / "spill").iterdir()), [])
        with gateway:
            folder = gateway.folder / "spill"
            self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o700)
            for inside in folder.iterdir():
                self.assertEqual(stat.S_IMODE(inside.stat().st_mode), 0o700)
            seen, stop = [], threading.Event()

            def watch():
                while not stop.is_set():
                    seen.extend(gateway.spilled())
                    time.sleep(0.01)

            watcher = threading.Thread(target=watch)
            watcher.start()
            try:
                with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                    connection.execute("SET tacit.epsilon = 1000000000")
                    rows = connection.execute(LARGE + " WHERE age > 2").fetchall()
            finally:
                stop.set()
                watcher.join()
            self.assertEqual([list(row) for row in rows], plenty)
            self.assertTrue(seen, "the memory was enough: the test shows nothing")
            self.assertEqual(gateway.stop(), 0)
            self.assertEqual(list(folder.iterdir()), [], "nothing stays behind")
            # Killed in the middle it leaves files, and the next start takes them away.
            gateway.start()
            asking = threading.Thread(target=gateway.psql, args=(LARGE + " WHERE age > 3",))
            asking.start()
            while not gateway.spilled():
                self.assertTrue(asking.is_alive(), "it was answered before it could be killed")
                time.sleep(0.005)
            gateway.stop(signal.SIGKILL)
            asking.join()
            self.assertTrue(gateway.spilled())
            for left in gateway.spilled():
                self.assertNotIn(b"of no other", left.read_bytes(), "in clear, and the key is gone")
            gateway.start()
            self.assertEqual(gateway.spilled(), [])
            self.assertEqual(len(list(folder.iterdir())), 1, "the folder of the server itself")

    def test_what_need_not_fit_at_declared_sizes_is_refused_before_the_charge(self):
        gateway = Gateway(TACIT)
        gateway.write_policy(engine=LITTLE + ", spill_mb: 1", rows_max="\n    rows_max: 5000000")
        question = "SELECT town, count(*) FROM people GROUP BY town"
        with gateway:
            before = gateway.ledger()
            refused = gateway.psql(question)
            self.assertIn("42501", refused.stderr)
            self.assertIn("at the sizes that the policy declares", refused.stderr)
            self.assertIn("42501", gateway.psql("EXPLAIN " + question).stderr)
            self.assertEqual(gateway.ledger(), before)
            by_command = gateway.run("query", gateway.folder, question)
            self.assertEqual(by_command.returncode, 3, by_command.stderr)
            self.assertEqual(gateway.ledger(), before)
            # Declared numbers decide, not the 2,000 people that are there.
            gateway.write_policy(rows_max="\n    rows_max: 20000")
            since = len(gateway.log_events())
            gateway.process.send_signal(signal.SIGHUP)
            while "reloaded" not in [line["event"] for line in gateway.log_events()[since:]]:
                time.sleep(0.05)
            self.assertEqual(gateway.psql(question).returncode, 0)

    def test_what_is_let_in_at_declared_sizes_is_answered(self):
        people = 300_000
        gateway = Crowd(TACIT, people)
        self.assertEqual(gateway.run("prepare", gateway.folder).returncode, 0)
        # Every table as large as it is declared to be at most, and the engine as small as the question may find it.
        for number, (memory, sql) in enumerate((
                (64, "SELECT count(DISTINCT 'the person of number ' || pay) FROM people"),
                (64, "SELECT sex, count(DISTINCT pay), count(DISTINCT pid), avg(age) FROM people GROUP BY sex"),
                (64, "SELECT count(*) FROM people a JOIN people b ON a.pid = b.pid WHERE a.pay + b.pay > 7"),
                (64, "SELECT sex, sum(age) FROM people WHERE pid IN (SELECT pid FROM people WHERE pay > 3) GROUP BY sex"),
                (64, "SELECT sum(least(greatest(n, 0), 2)) FROM (SELECT pid, count(*) AS n FROM people GROUP BY pid) t"),
                (128, "SELECT pay, count(*) FROM people GROUP BY pay"))):
            with self.subTest(sql):
                rows_max = f"\n    rows_max: {people}"
                gateway.write_policy(engine=f", memory_mb: {memory}, spill_mb: 1", rows_max=rows_max)
                refused = gateway.run("query", gateway.folder, sql)
                told = re.search(r"can take (\d+) MiB of the engine's", " ".join(refused.stderr.split()))
                self.assertTrue(told, refused.stderr + refused.stdout)
                spill = int(told.group(1)) - memory + 1
                gateway.write_policy(engine=f", memory_mb: {memory}, spill_mb: {spill}", rows_max=rows_max)
                done = gateway.run("query", gateway.folder, sql)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_large_answer_takes_less_than_two_hundred_bytes_a_row_before_it_leaves(self):
        self.assert_large_answers(Crowd(TACIT, 3 * ROWS, each=3))

    def test_so_does_one_by_public_keys(self):
        gateway = Crowd(TACIT, ROWS)
        gateway.write_policy(more=f"\n      pay: {{keys: {{from: 0, to: {ROWS - 1}}}}}")
        self.assert_large_answers(gateway)

    def assert_large_answers(self, gateway):
        """Fresh and stored, over HTTP and to psql, which gets it as a cursor's pieces too."""
        gateway.flags = ["--http", "127.0.0.1:0"]
        self.assertEqual(gateway.run("prepare", gateway.folder).returncode, 0)
        question = "SELECT pay, count(*) FROM people GROUP BY pay"
        with gateway:
            def grown_by(ask):
                """How far the memory grew while it was asked, and the answer."""
                pathlib.Path(f"/proc/{gateway.process.pid}/clear_refs").write_text("5")  # forgets the highest so far
                start = gateway.memory("VmRSS")
                answer = ask()
                return gateway.memory("VmHWM") - start, answer

            gateway.ask_over_http("SELECT count(*) FROM people")  # opens what every question needs
            first, answer = grown_by(lambda: gateway.ask_over_http(question))
            counts = {pay: count for pay, count in answer}
            self.assertEqual(counts, {pay: gateway.each for pay in range(ROWS)})
            self.assertLess(first, ROOM)
            # Stored, it is read again with no more, by either protocol; and what it took is given back.
            again, same = grown_by(lambda: gateway.ask_over_http(question))
            self.assertEqual(same, answer)
            self.assertLess(again, ROOM)
            for fetched in ("0", "1000"):
                grown, lines = grown_by(lambda: gateway.psql(
                    "SET tacit.epsilon = 1000000", question, flags=("-qAt", "-v", f"FETCH_COUNT={fetched}")))
                self.assertEqual(len(lines.stdout.splitlines()), ROWS, lines.stderr)
                self.assertLess(grown, ROOM)
            before = gateway.memory("VmRSS")
            for _ in range(4):  # each by another worker, as it happens
                gateway.ask_over_http(question)
            self.assertLess(gateway.memory("VmRSS") - before, 100 * ROWS)

    def test_a_declaration_that_the_data_contradicts_is_not_served(self):
        gateway = Gateway(TACIT)
        gateway.write_policy(rows_max="\n    rows_max: 1999")
        started = gateway.run("serve", gateway.folder, "--pg", "127.0.0.1:0")
        self.assertEqual(started.returncode, 2)
        self.assertIn("more rows than its rows_max", " ".join(started.stderr.split()))
        self.assertNotIn("2000", started.stderr)

    def test_room_that_the_disk_has_not_is_told_at_the_start(self):
        gateway = Gateway(TACIT)
        gateway.write_policy(engine=", spill_mb: 1000000000")
        started = gateway.run("serve", gateway.folder, "--pg", "127.0.0.1:0")
        self.assertEqual(started.returncode, 5, started.stderr)
        self.assertIn("spill_mb", started.stderr)

    def test_questions_wait_for_each_other_instead_of_failing(self):
        gateway = Gateway(TACIT)
        # Room for one of them at a time.
        gateway.write_policy(engine=", memory_mb: 64, spill_mb: 64", rows_max="\n    rows_max: 100000")
        with gateway:
            failures = []

            def ask(number):
                done = gateway.psql(f"SELECT count(*) FROM people WHERE age <> {1000 + number}")
                if done.returncode != 0:
                    failures.append(done.stderr)

            threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(failures, [])


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main(verbosity=2)
