#!/usr/bin/env python3
"""What breaks under a running server, or before its start: the disk, the ledger's bytes, the engine. It fails closed and
loses no charge. usage: faults_test.py TACIT"""
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

import psycopg

from gateway import Gateway

TACIT = ""
FRESH = "SELECT count(*) FROM people WHERE age <> {}"


def ask(gateway, number, analyst="ana"):
    with psycopg.connect(gateway.dsn(analyst), autocommit=True) as connection:
        return connection.execute(FRESH.format(1000 + number)).fetchone()[0]


def charges(gateway):
    return sum(1 for line in gateway.ledger().splitlines() if json.loads(line)["record"]["kind"] == "charge")


def ready(gateway):
    """What /ready says: ok, or why not."""
    port = int(re.search(r"http://localhost:(\d+)/ready", gateway.hello).group(1))
    try:
        with urllib.request.urlopen(f"http://localhost:{port}/ready", timeout=60) as response:
            return response.read().decode()
    except urllib.error.HTTPError as error:
        return json.loads(error.read())["detail"]


def kill(gateway):
    gateway.process.send_signal(signal.SIGKILL)
    gateway.process.wait()
    gateway.process.stdout.close()
    gateway.log.close()


def serve_once(gateway):
    """Whether it starts, and what it says when it does not."""
    try:
        gateway.start()
        return True
    except AssertionError:
        gateway.process.wait(timeout=60)
        gateway.process.stdout.close()
        gateway.log.close()
        return False


class Accept(unittest.TestCase):
    def test_nothing_is_accepted_beside_a_running_server_and_a_lost_head_stops_it(self):
        with Gateway(TACIT) as gateway:
            ask(gateway, 1)
            head = gateway.folder / "ledger.sqlite-head"
            before = head.stat().st_ino
            accept = ("ledger", "accept", gateway.folder, "--reason", "beside")
            for _ in range(2):  # the second time with the head lost, as somebody who meant well would have it
                done = gateway.run(*accept)
                self.assertEqual(done.returncode, 5, done.stdout)
                self.assertIn("another program has the ledger open", done.stderr)
                if head.exists():
                    self.assertEqual(head.stat().st_ino, before)
                    ask(gateway, 2)
                    head.unlink()
            with self.assertRaises(psycopg.OperationalError):
                ask(gateway, 3)
            self.assertEqual(charges(gateway), 2)
            gateway.stop()
            self.assertEqual(gateway.run(*accept).returncode, 0)
            gateway.start()
            ask(gateway, 3)
            self.assertEqual(gateway.run("ledger", "verify", gateway.folder).returncode, 0)


class FullDisk(unittest.TestCase):
    def test_a_file_that_may_not_grow_refuses_fresh_answers_and_a_restart_goes_on(self):
        gateway = Gateway(TACIT, flags=["--admin", "127.0.0.1:0"])
        gateway.start()
        first = ask(gateway, 1)
        self.assertEqual(ready(gateway), "ok\n")
        limit = max(path.stat().st_size for path in gateway.folder.glob("ledger.sqlite*")) + 8192
        resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE, (limit, limit))
        answered, refused = 0, 0
        for number in range(2, 40):
            try:
                ask(gateway, number)
                answered += 1
                self.assertEqual(refused, 0, "after a failed write nothing fresh is answered")
            except psycopg.OperationalError as error:
                self.assertIn(error.sqlstate, ("58030", "53100", "57P03", "58000"), error)
                refused += 1
            if gateway.process.poll() is not None:
                break
        self.assertGreater(refused, 0)
        self.assertIn("ledger", ready(gateway))
        kill(gateway) if gateway.process.poll() is None else gateway.log.close()
        self.assertEqual(gateway.run("ledger", "verify", gateway.folder).returncode, 0)
        self.assertGreaterEqual(charges(gateway), answered + 1)
        with gateway:
            self.assertEqual(ask(gateway, 1), first)
            ask(gateway, 100)

    def test_a_full_disk_refuses_and_recovers_by_itself_when_there_is_room(self):
        place = tempfile.mkdtemp()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tacit-test", place], capture_output=True, text=True)
        if mounted.returncode != 0:
            os.rmdir(place)
            self.skipTest("only root can mount a small disk: " + mounted.stderr.strip())
        try:
            gateway = Gateway(TACIT, flags=["--admin", "127.0.0.1:0"])
            shutil.move(gateway.folder, pathlib.Path(place) / "clinic")
            gateway.folder = pathlib.Path(place) / "clinic"
            with gateway:
                first = ask(gateway, 1)
                filler = pathlib.Path(place) / "filler"
                with open(filler, "wb", buffering=0) as file:
                    try:
                        while True:
                            file.write(b"x" * 65536)
                    except OSError:
                        pass
                    try:
                        while True:
                            file.write(b"x" * 512)
                    except OSError:
                        pass
                refused = 0
                for number in range(2, 20):
                    try:
                        ask(gateway, number)
                    except psycopg.OperationalError as error:
                        refused += 1
                        self.assertIn("ledger", str(error))
                self.assertGreater(refused, 0)
                self.assertIn("takes no more", ready(gateway), "/ready writes, and sees it")
                self.assertEqual(ask(gateway, 1), first, "what was answered before replays")
                filler.unlink()
                ask(gateway, 100)
                self.assertEqual(ready(gateway), "ok\n")
                self.assertEqual(gateway.run("ledger", "verify", gateway.folder).returncode, 0)
        finally:
            subprocess.run(["umount", place], check=True)
            os.rmdir(place)


class Damage(unittest.TestCase):
    """Bytes of the ledger that changed while nobody served it."""

    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT)
        cls.gateway.start()
        for number in range(6):
            ask(cls.gateway, number)
        kill(cls.gateway)  # leaves the log beside the file
        cls.whole = {path.name: path.read_bytes() for path in cls.gateway.folder.glob("ledger.sqlite*") if path.is_file()}
        cls.charges = 6

    @classmethod
    def tearDownClass(cls):
        cls.gateway.scratch.cleanup()

    def put(self, name, content):
        for path in self.gateway.folder.glob("ledger.sqlite*"):
            if path.is_file():
                path.unlink()
        for other, kept in self.whole.items():
            path = self.gateway.folder / other
            path.write_bytes(content if other == name else kept)
            path.chmod(0o600)

    def check(self, what):
        """It refuses, or it serves every charge there was. Returns whether it served."""
        if not serve_once(self.gateway):
            self.assertEqual(self.gateway.process.returncode, 5, what)
            return False
        try:
            with psycopg.connect(self.gateway.dsn(), autocommit=True) as connection:
                row = connection.execute("SELECT charges FROM tacit.budget WHERE scope = 'analyst'").fetchone()
                self.assertEqual(row[0], self.charges, what)
        except psycopg.Error:
            pass  # refused when asked: closed as well
        kill(self.gateway)
        return True

    def test_a_whole_ledger_serves(self):
        self.put(None, b"")
        self.assertTrue(self.check("whole"))

    def test_a_torn_tail_of_acknowledged_charges_is_refused_with_its_place(self):
        log = self.whole["ledger.sqlite-wal"]
        for cut in (1, 24, 2000, len(log) // 4, len(log) // 2, len(log) - 32, len(log)):
            self.put("ledger.sqlite-wal", log[:len(log) - cut])
            before = len(self.gateway.log_text())
            if self.check(f"cut {cut}"):
                # The end of the log holds the last stored answer, which may be lost; every charge was there.
                self.assertLess(cut, len(log) // 4, f"served after {cut} bytes of acknowledged charges were lost")
                continue
            self.assertRegex(self.gateway.log_text()[before:], "the ledger (went back|is damaged)|not in write-ahead", f"cut {cut}")

    def test_flipped_bits_never_give_budget_back(self):
        rounds = 400 if os.environ.get("TACIT_LONG") == "1" else 40
        seed = random.randrange(10**9)
        draw = random.Random(seed)
        refused = 0
        for _ in range(rounds):
            name = draw.choice(["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-head"])
            content = bytearray(self.whole[name])
            at = draw.randrange(len(content))
            content[at] ^= 1 << draw.randrange(8)
            self.put(name, bytes(content))
            if not self.check(f"seed {seed}: bit of byte {at} of {name}"):
                refused += 1
        self.assertGreater(refused, rounds // 8, f"seed {seed}: {refused} of {rounds} were noticed at the start")


class Engine(unittest.TestCase):
    def test_an_engine_that_fails_after_the_charge_has_one_text_and_the_charge_stands(self):
        gateway = Gateway(TACIT, people=50000)
        with gateway:
            content = bytearray((gateway.folder / "data.duckdb-prepared").read_bytes())
            self.assertGreater(len(content), 200_000)
            for at in range(12288, len(content)):  # behind the headers
                content[at] = 0
            with open(gateway.folder / "data.duckdb-prepared", "r+b") as file:  # the same file, under the running engine
                file.write(content)
            texts = set()
            for number in range(3):
                with psycopg.connect(gateway.dsn(), autocommit=True) as connection, \
                        self.assertRaises(psycopg.Error) as caught:
                    connection.execute(f"SELECT count(*) FROM people WHERE age = {30 + number} AND town = 'north'")
                error = caught.exception
                self.assertIn("charge", error.diag.message_primary + (error.diag.message_hint or ""))
                texts.add((error.sqlstate, error.diag.message_primary, error.diag.message_hint, error.diag.message_detail))
            self.assertEqual(len(texts), 1, texts)
            self.assertGreaterEqual(charges(gateway), 1)
            self.assertNotIn("checksum", str(texts).lower())


class DataFile(unittest.TestCase):
    def test_a_data_file_that_cannot_be_read_is_not_ready(self):
        with Gateway(TACIT, flags=["--admin", "127.0.0.1:0"]) as gateway:
            self.assertEqual(ready(gateway), "ok\n")
            named = gateway.folder / "data.duckdb"
            named.rename(gateway.folder / "aside.duckdb")
            self.assertIn("cannot be opened or read", ready(gateway))
            (gateway.folder / "aside.duckdb").rename(named)
            self.assertEqual(ready(gateway), "ok\n")
            # What questions run on: this file, or the copy that was prepared of it.
            served, = [file for file in gateway.folder.iterdir() if "duckdb" in file.name and self.is_open(gateway, file)]
            whole, written = served.read_bytes(), served.stat().st_mtime_ns
            for part in (whole[:len(whole) // 2], b"", bytes(len(whole))):
                served.write_bytes(part)
                self.assertIn("the data file cannot be read", ready(gateway))
                served.write_bytes(whole)
                os.utime(served, ns=(written, written))
                self.assertEqual(ready(gateway), "ok\n")
            ask(gateway, 1)

    @staticmethod
    def is_open(gateway, file):
        held = pathlib.Path(f"/proc/{gateway.process.pid}/fd")
        return any(os.path.realpath(link) == str(file.resolve()) for link in held.iterdir())


class Races(unittest.TestCase):
    def test_64_clients_race_for_the_last_epsilon_and_the_budget_is_spent_exactly(self):
        with Gateway(TACIT, epsilon="1", ana_epsilon="0.7") as gateway:
            outcomes = []
            # Connections of one address that have not logged in yet are limited: so many log in at once.
            logging_in = threading.Semaphore(16)
            ready = threading.Barrier(64, timeout=120)

            def race(number):
                analyst = "ana" if number % 2 else "bob"
                with logging_in:
                    connection = psycopg.connect(gateway.dsn(analyst), autocommit=True)
                with connection:
                    ready.wait()
                    try:
                        connection.execute(FRESH.format(1000 + number)).fetchone()
                        outcomes.append(("answered", analyst))
                    except psycopg.Error as error:
                        outcomes.append((error.sqlstate, analyst))

            threads = [threading.Thread(target=race, args=(i,)) for i in range(64)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(sum(1 for state, _ in outcomes if state == "answered"), 10, outcomes)
            self.assertEqual(sum(1 for state, _ in outcomes if state == "53400"), 54, outcomes)
            for analyst in ("ana", "bob"):
                self.assertLessEqual(sum(1 for outcome in outcomes if outcome == ("answered", analyst)), 7)
            self.assertEqual(gateway.run("ledger", "verify", gateway.folder).returncode, 0)
            self.assertEqual(charges(gateway), 10)


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
