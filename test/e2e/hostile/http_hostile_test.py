#!/usr/bin/env python3
"""Clients of the HTTP listeners that mean no good, and how the gateway bears them. usage: http_hostile_test.py TACIT"""
import base64
import http.client
import json
import os
import pathlib
import random
import re
import select
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

from gateway import PASSWORDS, Gateway

TACIT = ""
BASIC = base64.b64encode(f"ana:{PASSWORDS['ana']}".encode())
SQL = b'{"sql": "SELECT count(*) FROM people WHERE age > 40"}'
QUESTION = (b"POST /v1/query HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic " + BASIC +
            b"\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(SQL) + SQL)
CHUNKED = (b"POST /v1/query HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic " + BASIC +
           b"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
           b"%x\r\n" % len(SQL) + SQL + b"\r\n0\r\n\r\n")
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
LIVE = b"GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
# Each of them ended the process: the last chunk alone, or in pieces.
KILLER_HEAD = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
KILLERS = [[KILLER_HEAD + b"0\r\n"], [KILLER_HEAD, b"0\r\n"], [KILLER_HEAD + b"0\r\n\r", b"\n"],
           [KILLER_HEAD + b"5\r\nhello\r\n0", b"\r\n"], [KILLER_HEAD + b"0", b"\r", b"\n", b"\r", b"\n"]]


class Listener:
    """One of the HTTP listeners, as a stranger reaches it."""

    def __init__(self, port, trust=None):
        self.port = port
        self.trust = trust

    def connect(self, timeout=30):
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=timeout)
        if self.trust is None:
            return plain
        context = ssl.create_default_context(cafile=str(self.trust))
        return context.wrap_socket(plain, server_hostname="localhost")

    def tell(self, *pieces, wait=0.0, pause=0.0):
        """What comes back until the server closes, or nothing more comes for `wait` seconds."""
        answer = b""
        try:
            with self.connect() as connection:
                for piece in pieces:
                    connection.sendall(piece)
                    time.sleep(pause)
                if wait:
                    connection.settimeout(wait)
                while got := connection.recv(65536):
                    answer += got
        except (OSError, ssl.SSLError):
            pass
        return answer


def memory_mb(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


def broken(draw, requests):
    """One to three requests, pipelined, with something wrong in them, and where they are cut."""
    text = bytearray(b"".join(draw.choice(requests) for _ in range(draw.randint(1, 3))))
    words = [b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b";x=y", b"0\r\n\r\n", b"ffffffff\r\n", b"\x80\xff",
             b"Content-Length: 5\r\n", b"Content-Length: 99999999999999999999\r\n", b"Transfer-Encoding: xchunked\r\n",
             b"Transfer-Encoding: chunked\r\n", b"Host: b\r\n", b"X: " + b"x" * 9000, b"Expect: 100-continue\r\n",
             b" folded\r\n", b"HTTP/2.0", b"Connection: close\r\n"]
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(text) + 1)
        kind = draw.randrange(4)
        if kind == 0 and at < len(text):
            text[at] = draw.randrange(256)
        elif kind == 1:
            text[at:at] = draw.choice(words)
        elif kind == 2:
            del text[at:at + draw.randint(1, 20)]
        else:  # between two lines, where most of it means something
            lines = [found.end() for found in re.finditer(b"\r\n", text)] or [0]
            at = draw.choice(lines)
            text[at:at] = draw.choice(words)
    cuts = sorted(draw.randrange(len(text) + 1) for _ in range(draw.randint(0, 5)))
    return [bytes(text[a:b]) for a, b in zip([0] + cuts, cuts + [len(text)]) if a < b]


class HttpHostileTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT, flags=["--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"]).start()
        port = int(re.search(r"https://localhost:(\d+)", cls.gateway.hello).group(1))
        admin = int(re.search(r"http://localhost:(\d+)", cls.gateway.hello).group(1))
        cls.http = Listener(port, cls.gateway.folder / "server.crt")
        cls.admin = Listener(admin)

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def assert_healthy(self):
        self.assertIsNone(self.gateway.process.poll(), self.gateway.log_text()[-2000:])
        self.assertTrue(self.http.tell(HEALTH).startswith(b"HTTP/1.1 200 "))
        self.assertTrue(self.admin.tell(LIVE).startswith(b"HTTP/1.1 200 "))

    def test_the_last_chunk_alone_or_in_pieces_ends_nothing(self):
        for listener in (self.http, self.admin):
            for pieces in KILLERS:
                listener.tell(*pieces, wait=0.3, pause=0.02)
            self.assert_healthy()

    def test_the_survey_bears_it_too(self):
        with tempfile.TemporaryDirectory() as folder:
            survey = pathlib.Path(folder) / "survey.yaml"
            survey.write_text("tacit_survey: 1\ntitle: T\nepsilon_max: 3\nstorage: reports.sqlite\nposts_per_minute: 1000\n"
                              "tokens: false\nquestions:\n  - {id: q, text: Q, kind: yes_no, truth: 1/2}\n")
            process = subprocess.Popen([TACIT, "local", "survey", str(survey), "--http", "127.0.0.1:0"],
                                       stderr=subprocess.PIPE, text=True)
            try:
                port = int(re.search(r"port (\d+)", process.stderr.readline()).group(1))
                listener = Listener(port)
                for pieces in KILLERS:
                    listener.tell(*pieces, wait=0.3, pause=0.02)
                self.assertIsNone(process.poll())
                page = listener.tell(b"GET /api/survey HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                self.assertTrue(page.startswith(b"HTTP/1.1 200 "), page)
            finally:
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(timeout=30), 0)
                process.stderr.close()

    def test_broken_requests_get_an_error_or_nothing_and_the_next_client_is_served(self):
        rounds = 2000 if os.environ.get("TACIT_LONG") == "1" else 200
        draw = random.Random(17)
        before = memory_mb(self.gateway.process)
        for number in range(rounds):
            for listener, requests in ((self.http, [QUESTION, CHUNKED, HEALTH]), (self.admin, [LIVE, CHUNKED])):
                pieces = broken(draw, requests)
                answer = listener.tell(*pieces, wait=0.1)
                for status in re.findall(rb"^HTTP/1\.1 (\d\d\d)", answer, re.MULTILINE):
                    self.assertNotEqual(status, b"500", b"".join(pieces))
            if number % 50 == 0:
                self.assert_healthy()
        self.assert_healthy()
        self.assertLess(memory_mb(self.gateway.process) - before, 80)

    def test_lines_without_end_take_no_memory(self):
        before = memory_mb(self.gateway.process)
        for opening in (KILLER_HEAD + b"5;", KILLER_HEAD, KILLER_HEAD + b"0\r\nX: ", b"GET /", b"GET / HTTP/1.1\r\nX: "):
            for listener in (self.http, self.admin):
                answer = listener.tell(opening, *[b"a" * 65536] * 200)
                self.assertLess(len(answer), 2000)
        self.assert_healthy()
        self.assertLess(memory_mb(self.gateway.process) - before, 30)

    def test_connections_that_say_nothing_displace_themselves_and_nobody_else(self):
        for listener in (self.admin, self.http):
            with listener.connect() as inside:  # who is being served stays
                inside.sendall(QUESTION if listener is self.http else LIVE.replace(b"Connection: close\r\n", b""))
                self.assertTrue(inside.recv(65536).startswith(b"HTTP/1.1 200 "))
                held = [socket.create_connection(("127.0.0.1", listener.port), timeout=10) for _ in range(150)]
                try:
                    self.assertTrue(listener.tell(HEALTH).startswith(b"HTTP/1.1 "))
                    closed = select.select(held, [], [], 10)[0]
                    self.assertGreaterEqual(len(closed), 40)
                    if listener is self.http:  # the password was shown: it is no stranger
                        inside.sendall(QUESTION)
                        self.assertTrue(inside.recv(65536).startswith(b"HTTP/1.1 200 "))
                finally:
                    for connection in held:
                        connection.close()
        self.assert_healthy()

    def test_one_analysts_questions_that_hang_hold_up_nobody_else(self):
        # The ledger's file is locked: every charge waits for it.
        lock = sqlite3.connect(self.gateway.folder / "ledger.sqlite", isolation_level=None)
        waiting = []
        try:
            lock.execute("BEGIN IMMEDIATE")
            for number in range(40):
                body = b'{"sql": "SELECT count(*) FROM people WHERE age > %d", "epsilon": 0.01}' % number
                connection = self.http.connect()
                connection.sendall(QUESTION.replace(SQL, body).replace(b"Length: %d" % len(SQL),
                                                                       b"Length: %d" % len(body)))
                waiting.append(connection)
            self.assert_healthy()
            bob = base64.b64encode(f"bob:{PASSWORDS['bob']}".encode())
            tables = self.http.tell(b"GET /v1/tables HTTP/1.1\r\nHost: a\r\nAuthorization: Basic " + bob +
                                    b"\r\nConnection: close\r\n\r\n")
            self.assertTrue(tables.startswith(b"HTTP/1.1 200 "), tables)
            answered = select.select(waiting, [], [], 0)[0]
            self.assertLess(len(answered), len(waiting), "the questions were meant to hang")
        finally:
            lock.execute("ROLLBACK")
            lock.close()
            for connection in waiting:
                try:
                    connection.settimeout(60)
                    self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 "))
                finally:
                    connection.close()
        self.assert_healthy()

    def test_a_long_answer_leaves_in_pieces_and_is_never_held_as_text(self):
        keys = 30_000
        gateway = Gateway(TACIT, people=100, flags=["--http", "127.0.0.1:0"])
        policy = gateway.folder / "tacit.yaml"
        policy.write_text(policy.read_text().replace("age: {bounds: [0, 120]}",
                                                     f"age: {{keys: {{from: 1, to: {keys}, step: 1}}}}"))
        # Long texts in every row: a copy of the answer would be seen in the memory.
        names = ", ".join(f"'{'x' * 100}' AS name{i}" for i in range(10))
        body = json.dumps({"sql": f"SELECT age, count(*) AS n, {names} FROM people GROUP BY age"}).encode()
        with gateway:
            port = int(re.search(r"https://localhost:(\d+)", gateway.hello).group(1))
            connection = Listener(port, gateway.folder / "server.crt").connect(timeout=280)
            response = http.client.HTTPResponse(connection, method="POST")
            connection.sendall(b"POST /v1/query HTTP/1.1\r\nHost: a\r\nAuthorization: Basic " + BASIC +
                               b"\r\nContent-Type: application/json\r\nConnection: close\r\n"
                               b"Content-Length: %d\r\n\r\n" % len(body) + body)
            response.begin()
            self.assertEqual((response.status, response.getheader("Transfer-Encoding")), (200, "chunked"))
            at_first, most = memory_mb(gateway.process), 0
            text = bytearray()
            while piece := response.read(1 << 20):
                text += piece
                most = max(most, memory_mb(gateway.process))
            connection.close()
            self.assertGreater(len(text), 30_000_000)
            self.assertEqual(len(json.loads(text)["rows"]), keys)
            self.assertLess(most - at_first, 15)

    def test_pipelined_questions_are_answered_in_their_order(self):
        answer = self.http.tell(QUESTION * 3 + CHUNKED + HEALTH)
        self.assertEqual(re.findall(rb"HTTP/1\.1 (\d\d\d)", answer), [b"200"] * 5)
        self.assertTrue(answer.endswith(b'{"status":"ok"}\n'))


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main(verbosity=2)
