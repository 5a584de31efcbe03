#!/usr/bin/env python3
"""What the system refuses under a running server: the n-th allocation, thread or descriptor of a short conversation, for
every n until it runs clean (a drawn sample of the allocations, every one with TACIT_LONG=1). The process lives, the ledger
verifies, every answer has its charge, and when nothing is refused any more everything works.
TACIT_SEED repeats a draw. usage: refusals_test.py TACIT REFUSALS_LIBRARY"""
import base64
import http.client
import json
import mmap
import os
import pathlib
import random
import re
import resource
import ssl
import struct
import sys
import tempfile
import time
import unittest
import urllib.request

from gateway import PASSWORDS, Gateway
from raw_client import RawClient, frame

TACIT = ""
LIBRARY = ""
MEMORY, THREADS, DESCRIPTORS = range(3)
NAMES = ["allocation", "thread", "descriptor"]
LONG = os.environ.get("TACIT_LONG") == "1"
# Why so long: a thread that must have memory waits two seconds for it, several times.
PATIENCE = 30


class Refusals:
    """The switches of refusals.cc: next, count, calls and refused of each kind."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile()
        self.file.write(bytes(8 * 4 * 3))
        self.file.flush()
        self.memory = mmap.mmap(self.file.fileno(), 0)

    def word(self, kind, index):
        return struct.unpack_from("q", self.memory, (kind * 4 + index) * 8)[0]

    def calls(self, kind):
        return self.word(kind, 2)

    def refused(self, kind):
        return self.word(kind, 3)

    def arm(self, kind, nth, count=1):
        struct.pack_into("q", self.memory, (kind * 4 + 1) * 8, count)
        struct.pack_into("q", self.memory, kind * 32, nth)

    def disarm(self):
        for kind in range(3):
            struct.pack_into("q", self.memory, kind * 32, 0)


class Pg:
    """A conversation of the PostgreSQL protocol; every step may fail and says so by an exception."""

    name = "PostgreSQL"

    def __init__(self, gateway, patience=PATIENCE):
        self.client = RawClient(gateway, timeout=patience)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.client.socket.close()

    def value(self, text):
        """The first cell; the extended protocol with a parameter would be the same question."""
        self.client.send(frame(b"Q", text.encode() + b"\0"))
        rows, errors = [], []
        for kind, body in self.client.until_ready():
            if kind == b"D":
                length = struct.unpack_from("!i", body, 2)[0]
                rows.append(body[6:6 + length].decode())
            elif kind == b"E":
                errors.append(body)
        if errors:
            raise RuntimeError(errors[0].decode(errors="replace"))
        return rows[0]

    def prepared(self, text):
        self.client.send(frame(b"P", b"s\0" + text.encode() + b"\0\0\0") + frame(b"D", b"Ss\0") +
                         frame(b"C", b"Ss\0") + frame(b"S", b""))
        errors = [body for kind, body in self.client.until_ready() if kind == b"E"]
        if errors:
            raise RuntimeError(errors[0].decode(errors="replace"))

    def ask(self, text):
        return int(self.value(text))

    def rest(self, text):
        self.prepared(text)
        self.value("EXPLAIN " + text)
        self.value("SELECT scope FROM tacit.budget")


class Https:
    """The same over HTTPS, on one connection."""

    name = "HTTPS"

    def __init__(self, gateway, patience=PATIENCE):
        port = int(re.search(r"https://localhost:(\d+)", gateway.hello).group(1))
        trust = ssl.create_default_context(cafile=str(gateway.folder / "server.crt"))
        self.connection = http.client.HTTPSConnection("localhost", port, timeout=patience, context=trust)
        pair = base64.b64encode(f"ana:{PASSWORDS['ana']}".encode()).decode()
        self.headers = {"Authorization": "Basic " + pair, "Content-Type": "application/json"}

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.connection.close()

    def call(self, method, path, body=None):
        self.connection.request(method, path, json.dumps(body) if body else None, self.headers)
        response = self.connection.getresponse()
        text = response.read()
        if response.status != 200:
            raise RuntimeError(f"{response.status}: {text!r}")
        return json.loads(text)

    def ask(self, text):
        return self.call("POST", "/v1/query", {"sql": text})["rows"][0][0]

    def rest(self, text):
        self.call("POST", "/v1/explain", {"sql": text})
        self.call("GET", "/v1/budget")


FAILURES = (OSError, EOFError, RuntimeError, AssertionError, KeyError, ssl.SSLError, http.client.HTTPException, struct.error)


def served(refusals):
    """A server that runs with the library; the other programs of the test run without."""
    gateway = Gateway(TACIT, epsilon="1000000", ana_epsilon="1000000",
                      flags=["--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"])
    return start_with(gateway, refusals)


def start_with(gateway, refusals):
    os.environ.update(TACIT_REFUSALS=refusals.file.name, LD_PRELOAD=LIBRARY)
    try:
        return gateway.start()
    finally:
        del os.environ["LD_PRELOAD"], os.environ["TACIT_REFUSALS"]


class RefusalsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.refusals = Refusals()
        cls.gateway = served(cls.refusals)
        cls.number = 1000
        cls.answers = {}

    @classmethod
    def tearDownClass(cls):
        cls.refusals.disarm()
        cls.gateway.__exit__()

    def fresh(self):
        type(self).number += 1
        return f"SELECT count(*) FROM people WHERE age <> {self.number}"

    def converse(self, door, patience=PATIENCE):
        """Login, a question, its replay, an explanation, the budget. What was answered is noted."""
        text = self.fresh()
        try:
            with door(self.gateway, patience) as client:
                self.answers[text] = client.ask(text)
                again = client.ask(text)
                self.assertEqual(again, self.answers[text])
                client.rest(self.fresh())
                return True
        except FAILURES as failure:
            self.last_failure = failure
            return False

    def assert_well(self, door, what):
        """Nothing is refused any more: it lives, answers, and what was answered is still the answer."""
        self.assertIsNone(self.gateway.process.poll(), f"{what}: the process ended\n{self.gateway.log_text()[-1500:]}")
        last = next(reversed(self.answers), None)
        try:
            with door(self.gateway) as client:
                text = self.fresh()
                self.answers[text] = client.ask(text)
                if last:
                    self.assertEqual(client.ask(last), self.answers[last], what)
                client.rest(text)
        except FAILURES as error:
            time.sleep(0.5)
            self.fail(f"{what}: not well afterwards: {error!r}, process {self.gateway.process.poll()}\n"
                      f"{self.gateway.log_text()[-1500:]}")

    def assert_books(self, what):
        verified = self.gateway.run("ledger", "verify", self.gateway.folder)
        self.assertEqual(verified.returncode, 0, f"{what}: {verified.stdout}{verified.stderr}")
        charges = sum(1 for line in self.gateway.ledger().splitlines() if json.loads(line)["record"]["kind"] == "charge")
        self.assertGreaterEqual(charges, len(self.answers), what)
        self.assertLessEqual(charges, self.number - 1000, f"{what}: at most one charge for a question")
        port = int(re.search(r"http://localhost:(\d+)/ready", self.gateway.hello).group(1))
        with urllib.request.urlopen(f"http://localhost:{port}/ready", timeout=PATIENCE) as ready:
            self.assertEqual(ready.read(), b"ok\n", what)

    def calls_of(self, kind, door):
        self.assertTrue(self.converse(door), getattr(self, "last_failure", None))
        before = self.refusals.calls(kind)
        self.assertTrue(self.converse(door), "nothing was refused")
        return self.refusals.calls(kind) - before

    def refuse(self, kind, door, nth, count, what):
        before = self.refusals.refused(kind)
        self.refusals.arm(kind, nth, count)
        clean = self.converse(door)
        self.refusals.disarm()
        self.assert_well(door, what)
        return clean, self.refusals.refused(kind) - before

    def try_all(self, kind, door, most_every_day):
        total = self.calls_of(kind, door)
        # Every day the same ones, as nearly as calls can be counted; with --long all of them.
        seed = int(os.environ.get("TACIT_SEED", 1))
        draw = random.Random(seed)
        if LONG or total <= most_every_day:
            places = list(range(1, total + 10))
        else:
            places = sorted(draw.sample(range(1, total + 1), most_every_day))
        refused = failed = 0
        for number, nth in enumerate(places):
            count = draw.choice([1, 1, 1, 2, 10, 100])
            what = f"{door.name}: {NAMES[kind]} {nth} of about {total}, {count} refused, seed {seed}"
            clean, happened = self.refuse(kind, door, nth, count, what)
            refused += happened > 0
            failed += not clean
            if number % 50 == 49:
                self.assert_books(what)
        self.assert_books(f"{door.name}, {NAMES[kind]}")
        print(f"\n{door.name}: {NAMES[kind]}s in a conversation: {total}; {len(places)} tried, {refused} refused, "
              f"{failed} conversations failed (seed {seed})", flush=True)
        return refused

    def test_memory_postgresql(self):
        self.assertGreater(self.try_all(MEMORY, Pg, 150), 100)

    def test_memory_https(self):
        self.assertGreater(self.try_all(MEMORY, Https, 150), 100)

    def test_threads_of_the_first_question(self):
        """Later ones need no new thread: the engine's second instance and its watchdog are there."""
        for door in (Pg, Https):
            for nth in (1, 2, 3):
                gateway = self.gateway = served(self.refusals)
                self.answers = {}
                try:
                    self.refusals.arm(THREADS, nth)
                    self.converse(door)
                    self.refusals.disarm()
                    self.assert_well(door, f"{door.name}: thread {nth}")
                finally:
                    self.refusals.disarm()
                    del self.gateway, self.answers
                    gateway.__exit__()

    def test_descriptors_postgresql(self):
        self.assertGreater(self.try_all(DESCRIPTORS, Pg, 60), 0)

    def test_descriptors_https(self):
        self.assertGreater(self.try_all(DESCRIPTORS, Https, 60), 0)

    def test_descriptors_of_the_first_question(self):
        """It opens both databases; later ones find them open."""
        gateway = self.gateway = served(self.refusals)
        self.answers = {}
        try:
            for door in (Pg, Https):
                for more in range(1, 13):
                    pid = gateway.process.pid
                    usual = resource.prlimit(pid, resource.RLIMIT_NOFILE)
                    used = max(map(int, os.listdir(f"/proc/{pid}/fd"))) + 1
                    resource.prlimit(pid, resource.RLIMIT_NOFILE, (used + more, usual[1]))
                    self.converse(door, patience=3)
                    self.assertIsNone(gateway.process.poll(), f"{door.name}: {more} descriptors, and it ended")
                    resource.prlimit(pid, resource.RLIMIT_NOFILE, usual)
                    self.assert_well(door, f"{door.name}: {more} descriptors for the first question")
                    self.assertEqual(gateway.stop(), 0)
                    start_with(gateway, self.refusals)
        finally:
            del self.gateway, self.answers
            gateway.__exit__()

    def test_descriptors_by_the_limit_of_the_process(self):
        pid = self.gateway.process.pid
        usual = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        for door in (Pg, Https):
            for more in range(16):
                used = max(map(int, os.listdir(f"/proc/{pid}/fd"))) + 1
                resource.prlimit(pid, resource.RLIMIT_NOFILE, (used + more, usual[1]))
                self.converse(door, patience=3)  # who cannot be accepted waits until there is a descriptor
                resource.prlimit(pid, resource.RLIMIT_NOFILE, usual)
                self.assert_well(door, f"{door.name}: {more} descriptors left")
        self.assert_books("descriptors")


class StartTest(unittest.TestCase):
    """A start that is refused something ends with a word about it, or goes on; never by a signal."""

    def start(self, gateway, refusals):
        try:
            start_with(gateway, refusals)
            return True
        except AssertionError:
            gateway.process.wait(timeout=PATIENCE)
            gateway.process.stdout.close()
            gateway.log.close()
            return False
        finally:
            refusals.disarm()

    def test_threads_at_the_start(self):
        refusals = Refusals()
        gateway = Gateway(TACIT, flags=["--http", "127.0.0.1:0"])
        started = 0
        for nth in [1, 2, 3, 5, 8, 13, 21, 34, 55, 90]:
            refusals.arm(THREADS, nth)
            if self.start(gateway, refusals):
                started += 1
                self.assertEqual(gateway.stop(), 0, nth)
            else:
                self.assertEqual(gateway.process.returncode, 5, f"thread {nth}: {gateway.log_text()[-800:]}")
        self.assertGreater(started, 0)
        gateway.scratch.cleanup()


if __name__ == "__main__":
    TACIT = str(pathlib.Path(sys.argv[1]).resolve())
    LIBRARY = str(pathlib.Path(sys.argv[2]).resolve())
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[3:]])
