#!/usr/bin/env python3
"""Clients that mean no good: broken frames, floods, readers that do not read, cancel keys. usage: hostile_test.py TACIT"""
import os
import pathlib
import random
import re
import socket
import struct
import sys
import threading
import time
import unittest

import psycopg

from gateway import Gateway
from raw_client import RawClient, frame

TACIT = ""
COUNT = b"SELECT count(*) FROM people WHERE age > 40\0"


class HostileTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT).start()

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def memory_mb(self):
        status = pathlib.Path(f"/proc/{self.gateway.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024

    def assert_healthy(self):
        self.assertIsNone(self.gateway.process.poll(), self.gateway.log_text()[-2000:])
        with psycopg.connect(self.gateway.dsn("bob"), autocommit=True) as connection:
            self.assertEqual(connection.execute("SELECT 1").fetchone(), (1,))

    def messages(self):
        """A whole conversation of the extended protocol, as a driver would hold it."""
        return [frame(b"P", b"s\0SELECT count(*) FROM people WHERE age > $1\0" + struct.pack("!hi", 1, 23)),
                frame(b"D", b"Ss\0"),
                frame(b"B", b"p\0s\0" + struct.pack("!hhhi", 1, 1, 1, 4) + struct.pack("!i", 40) + struct.pack("!hh", 1, 1)),
                frame(b"D", b"Pp\0"), frame(b"E", b"p\0" + struct.pack("!i", 0)), frame(b"C", b"Pp\0"),
                frame(b"C", b"Ss\0"), frame(b"H", b""), frame(b"S", b""), frame(b"Q", COUNT)]

    def test_a_conversation_by_hand_works(self):
        with RawClient(self.gateway) as client:
            client.send(b"".join(self.messages()[:9]))
            kinds = b"".join(kind for kind, _ in client.until_ready())
            self.assertEqual(kinds.replace(b"N", b""), b"1tT2TDC33Z")

    def test_a_portal_that_holds_no_question_is_no_cursor(self):
        """A portal of the protocol has any name and any command: FETCH of itself has no end, COMMIT no rows."""
        for text in (b"FETCH c", b"FETCH ALL FROM d", b"MOVE c", b"COMMIT", b"", b"SHOW ALL", b"CLOSE ALL", b"DISCARD ALL",
                     b"COPY (SELECT 1) TO STDOUT", b"EXECUTE s"):
            with RawClient(self.gateway) as client:
                client.send(b"".join([
                    frame(b"P", b"s\0" + text + b"\0" + struct.pack("!h", 0)), frame(b"P", b"f\0FETCH c\0" + struct.pack("!h", 0)),
                    frame(b"B", b"c\0s\0" + struct.pack("!hhh", 0, 0, 0)), frame(b"B", b"d\0f\0" + struct.pack("!hhh", 0, 0, 0)),
                    frame(b"D", b"Ss\0"), frame(b"D", b"Pc\0"), frame(b"D", b"Sf\0"), frame(b"D", b"Pd\0"),
                    frame(b"E", b"d\0" + struct.pack("!i", 0)), frame(b"S", b"")]))
                messages = client.until_ready()
                errors = [body for kind, body in messages if kind == b"E"]
                self.assertEqual(len(errors), 1, (text, messages))
                self.assertIn(b"C55000\0", errors[0], text)
        self.assert_healthy()

    def test_commands_under_any_names_in_any_order_leave_the_session_whole(self):
        """Well-formed messages that no driver sends: statements, portals and cursors that close, run and name each other."""
        texts = [b"FETCH c", b"FETCH ALL FROM d", b"MOVE c", b"COMMIT", b"ROLLBACK", b"BEGIN", b"SAVEPOINT x", b"ROLLBACK TO x", b"",
                 b";", b"SELECT 1", b"SELECT 1;", b"DECLARE c CURSOR FOR SELECT 1", b"DECLARE d CURSOR WITH HOLD FOR VALUES (1), (2)",
                 b"PREPARE s AS SELECT 1", b"EXECUTE s", b"EXECUTE f", b"DEALLOCATE ALL", b"DEALLOCATE s", b"DISCARD ALL", b"CLOSE ALL",
                 b"CLOSE c", b"SHOW ALL", b"COPY (SELECT 1) TO STDOUT", b"LISTEN x", b"SET a.b = 1", b"EXPLAIN SELECT 1",
                 b"SELECT set_config('a.b', '1', false)"]
        names = [b"", b"c", b"d", b"s", b"f"]
        seed = int(os.environ.get("TACIT_SEED", random.randrange(10**9)))
        draw = random.Random(seed)

        def parse(name):
            return frame(b"P", name + b"\0" + draw.choice(texts) + b"\0" + struct.pack("!h", 0))

        def bind(name):
            return frame(b"B", name + b"\0" + draw.choice(names) + b"\0" + struct.pack("!hhh", 0, 0, 0))

        def prelude():
            """Every name is a statement and a portal: the first error skips all that follows, and none is likely here."""
            return ([frame(b"C", b"S" + name + b"\0") + parse(name) for name in names] +
                    [frame(b"C", b"P" + name + b"\0") + bind(name) for name in names])

        def message():
            name = draw.choice(names)
            return draw.choice([
                lambda: parse(name), lambda: bind(name), lambda: frame(b"D", draw.choice([b"S", b"P"]) + name + b"\0"),
                lambda: frame(b"E", name + b"\0" + struct.pack("!i", draw.choice([0, 1, 2, -1, 2**31 - 1]))),
                lambda: frame(b"C", draw.choice([b"S", b"P"]) + name + b"\0"),
                lambda: draw.choice([frame(b"H", b""), frame(b"S", b""), frame(b"c", b""), frame(b"F", bytes(8)),
                                     frame(b"Q", draw.choice(texts) + b"\0")])])()

        for number in range(3000 if os.environ.get("TACIT_LONG") == "1" else 300):
            if number % 50 == 0:
                client = RawClient(self.gateway)
            sent = draw.choice([[], prelude()]) + [message() for _ in range(draw.randint(3, 14))]
            client.send(b"".join(sent) + frame(b"S", b"") + frame(b"Q", b"ROLLBACK\0") + frame(b"Q", b"SELECT 'the end'\0"))
            try:
                while b"the end" not in client.read()[1]:
                    pass
                client.until_ready()
            except (EOFError, OSError) as lost:
                self.fail(f"{lost!r}, seed {seed}, {number}: {sent}; {self.gateway.log_text()[-1000:]}")
        client.socket.close()
        self.assert_healthy()

    def test_texts_that_are_none_are_refused(self):
        with RawClient(self.gateway) as client:
            for text in (b"SELECT count(*) FROM people WHERE town = $1", b"SELECT relname FROM pg_class WHERE relname = $1",
                         b"SELECT count(*) FROM people WHERE regexp_like(town, $1)"):
                # The plan of the first one is kept for the others.
                for value in (b"north", b"\xff", b"\x7f\xff\xff\xff", b"\xed\xa0\x80", b"north"):
                    client.send(frame(b"P", b"\0" + text + b"\0" + struct.pack("!h", 0)) +
                                frame(b"B", b"\0\0" + struct.pack("!hhi", 0, 1, len(value)) + value + struct.pack("!h", 0)) +
                                frame(b"E", b"\0" + struct.pack("!i", 0)) + frame(b"S", b""))
                    errors = [body for kind, body in client.until_ready() if kind == b"E"]
                    self.assertEqual(len(errors), value != b"north", (text, value, errors))
                    self.assertTrue(all(b"C22021\0" in body for body in errors), (text, value, errors))
        self.assert_healthy()

    def test_broken_frames_end_the_session_or_get_an_error_and_nothing_else(self):
        rounds = 2000 if os.environ.get("TACIT_LONG") == "1" else 150
        seed = random.randrange(10**9)
        draw = random.Random(seed)
        before = self.memory_mb()
        for number in range(rounds):
            messages = self.messages()
            for _ in range(draw.randint(1, 3)):
                at = draw.randrange(len(messages))
                broken = bytearray(messages[at])
                kind = draw.randrange(5)
                if kind == 0 and broken:
                    broken[draw.randrange(len(broken))] = draw.randrange(256)
                elif kind == 1:
                    broken[1:5] = struct.pack("!i", draw.choice([-1, 0, 3, 4, 2**31 - 1, 2**20, len(broken) + 1]))
                elif kind == 2:
                    broken = broken[:draw.randrange(max(1, len(broken)))]
                elif kind == 3:
                    messages.insert(at, draw.choice(messages))
                else:
                    broken += bytes(draw.randrange(256) for _ in range(draw.randint(1, 40)))
                messages[at] = bytes(broken)
            with RawClient(self.gateway) as client:
                try:
                    client.send(b"".join(messages))
                    client.socket.settimeout(0.2)
                    while client.read():
                        pass
                except (EOFError, OSError):
                    pass
            if number % 50 == 0:
                self.assert_healthy()
        self.assert_healthy()
        self.assertLess(self.memory_mb() - before, 80, f"seed {seed}")

    def test_a_flood_of_strangers_is_bounded_and_those_inside_go_on(self):
        with psycopg.connect(self.gateway.dsn(), autocommit=True) as inside:
            flood = []
            for _ in range(60):
                stranger = socket.create_connection(("127.0.0.1", self.gateway.port), timeout=10)
                flood.append(stranger)
            time.sleep(0.5)
            refused = 0
            for stranger in flood:
                stranger.setblocking(False)
                try:
                    refused += stranger.recv(1) == b""
                except BlockingIOError:
                    pass
                except ConnectionResetError:
                    refused += 1
            self.assertGreaterEqual(refused, 20)
            self.assertEqual(inside.execute("SELECT 1").fetchone(), (1,))
            for stranger in flood:
                stranger.close()
        time.sleep(0.5)
        self.assert_healthy()

    def test_who_says_nothing_is_shown_out(self):
        start = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.gateway.port), timeout=60) as silent:
            self.assertEqual(silent.recv(1), b"")
        self.assertLess(time.monotonic() - start, 40)
        # A start-up packet that comes byte by byte does not move the deadline.
        start = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.gateway.port), timeout=60) as slow:
            try:
                for byte in struct.pack("!ii", 9000, 3 << 16) + b"user\0ana\0" * 100:
                    slow.sendall(bytes([byte]))
                    time.sleep(0.5)
                    if time.monotonic() - start > 60:
                        break
            except OSError:
                pass
        self.assertLess(time.monotonic() - start, 40)

    def test_a_reader_that_does_not_read_holds_no_memory(self):
        before = self.memory_mb()
        clients = [RawClient(self.gateway) for _ in range(4)]
        many = frame(b"Q", b"SELECT * FROM pg_catalog.pg_proc\0") * 200
        for client in clients:
            client.socket.settimeout(1)
            try:
                client.send(many)
            except OSError:
                pass
        time.sleep(5)
        self.assert_healthy()
        self.assertLess(self.memory_mb() - before, 120)
        for client in clients:
            client.socket.close()

    def wide_question(self, columns, number=0):
        return ("SELECT " + ", ".join(f"count(*) AS a_rather_long_name_of_a_column_{i:04d}" for i in range(columns)) +
                f" FROM people WHERE age <> {number}").encode()

    def heavy_question(self, number):
        """Few bytes, and a plan of half a megabyte."""
        sums = ", ".join(f"sum(least(age, {i + 1}))" for i in range(200))
        return f"SELECT {sums} FROM people WHERE age <> {number}".encode()

    def test_describes_without_a_sync_hold_no_memory(self):
        before = self.memory_mb()
        with RawClient(self.gateway) as silent:
            silent.send(frame(b"P", b"wide\0" + self.wide_question(250) + b"\0\0\0") + frame(b"H", b""))
            self.assertEqual(silent.read()[0], b"1")
            silent.socket.settimeout(2)
            try:
                silent.send(frame(b"D", b"Swide\0") * 20000)  # who reads nothing is not read from either
            except OSError:
                pass
            most = 0
            for _ in range(30):
                time.sleep(0.1)
                most = max(most, self.memory_mb() - before)
            self.assert_healthy()
            self.assertLess(most, 60)
        # Who reads gets every answer.
        with RawClient(self.gateway) as client:
            client.send(frame(b"P", b"wide\0" + self.wide_question(100) + b"\0\0\0"))
            sender = threading.Thread(target=client.send, args=(frame(b"D", b"Swide\0") * 3000 + frame(b"S", b""),))
            sender.start()
            kinds = [kind for kind, _ in client.until_ready()]
            sender.join()
            self.assertEqual(kinds.count(b"T"), 3000)
            self.assertLess(self.memory_mb() - before, 60)

    def test_many_free_parses_are_bounded_with_an_error_that_clients_know(self):
        before = self.memory_mb()
        refused = None
        with RawClient(self.gateway) as client:
            for number in range(540):
                client.send(frame(b"P", b"s%d\0" % number + self.heavy_question(1000 + number) + b"\0\0\0") + frame(b"S", b""))
                errors = [body for kind, body in client.until_ready() if kind == b"E"]
                if errors:
                    refused = (number, errors[0])
                    break
            self.assertLess(self.memory_mb() - before, 120, refused)
            self.assertIsNotNone(refused, "540 statements were kept")
            self.assertIn(b"C53200\0", refused[1])
            # What is closed makes room again, and the nameless statement takes the place of the one before.
            client.send(frame(b"C", b"Ss0\0") + frame(b"P", b"s0\0" + self.heavy_question(1) + b"\0\0\0") + frame(b"S", b""))
            self.assertNotIn(b"E", [kind for kind, _ in client.until_ready()])
            client.send(frame(b"Q", b"DEALLOCATE ALL\0"))
            client.until_ready()
            for number in range(60):
                client.send(frame(b"P", b"\0" + self.heavy_question(5000 + number) + b"\0\0\0") + frame(b"S", b""))
                self.assertNotIn(b"E", [kind for kind, _ in client.until_ready()])
        self.assertLess(self.memory_mb() - before, 120)

    def test_long_messages_that_never_come_hold_no_memory(self):
        before = self.memory_mb()
        clients = [RawClient(self.gateway) for _ in range(60)]
        for client in clients:
            client.send(b"B" + struct.pack("!i", 4 + (4 << 20)))  # and nothing behind it
        time.sleep(1)
        self.assertLess(self.memory_mb() - before, 100)  # 240 when each has its own
        self.assert_healthy()
        for client in clients[10:]:
            kind, body = client.read()
            self.assertEqual(kind, b"E")
            self.assertIn(b"C53200\0", body)
        for client in clients:
            client.socket.close()
        time.sleep(0.5)
        # What was held is given back, also while its sender says nothing more.
        clients = [RawClient(self.gateway) for _ in range(60)]
        for client in clients:
            client.send(frame(b"Q", b"SELECT '" + b"x" * 1_000_000 + b"'\0"))
            errors = [body for kind, body in client.until_ready() if kind == b"E"]
            self.assertEqual(len(errors), 1)
            self.assertNotIn(b"C53200\0", errors[0])
        for client in clients:
            client.socket.close()
        with psycopg.connect(self.gateway.dsn(), autocommit=True) as connection:
            self.assertEqual(len(connection.execute("SELECT %s::text", ["x" * (2 << 20)]).fetchone()[0]), 2 << 20)

    def test_strangers_of_a_few_addresses_leave_room_for_others(self):
        flood = []
        for number in range(150):
            source = ("127.0.0.2", "127.0.0.3", "127.0.0.4")[number % 3]
            flood.append(socket.create_connection(("127.0.0.1", self.gateway.port), timeout=10, source_address=(source, 0)))
        time.sleep(0.3)
        for _ in range(5):
            self.assert_healthy()
        # Also from one of those addresses: their oldest goes first.
        with RawClient(self.gateway, source="127.0.0.3") as client:
            client.send(frame(b"Q", b"SELECT 1\0"))
            self.assertIn(b"D", [kind for kind, _ in client.until_ready()])
        for stranger in flood:
            stranger.close()
        time.sleep(0.3)
        self.assert_healthy()

    def test_guesses_from_one_address_shut_nobody_out(self):
        def guess(number):
            for _ in range(2):
                try:
                    RawClient(self.gateway, password=f"guess {number}", source="127.0.0.7").socket.close()
                    wrong.append("let in")
                except (EOFError, OSError, AssertionError):
                    pass

        wrong = []
        guesses = [threading.Thread(target=guess, args=(number,)) for number in range(60)]
        for thread in guesses:
            thread.start()
        time.sleep(0.3)
        for analyst, source in (("bob", "127.0.0.7"), ("ana", "127.0.0.1")):
            with RawClient(self.gateway, analyst, source=source) as client:  # while they wait for their verdicts
                client.send(frame(b"Q", b"SELECT 1\0"))
                self.assertIn(b"D", [kind for kind, _ in client.until_ready()])
        for thread in guesses:
            thread.join()
        self.assertEqual(wrong, [])
        # The account that was guessed, from that very address: late, and let in.
        with RawClient(self.gateway, source="127.0.0.7") as client:
            client.send(frame(b"Q", b"SELECT 1\0"))
            self.assertIn(b"D", [kind for kind, _ in client.until_ready()])

    def test_a_half_closed_socket_ends_without_harm(self):
        for _ in range(10):
            client = RawClient(self.gateway)
            client.send(frame(b"Q", COUNT))
            socket.socket.shutdown(client.socket, socket.SHUT_WR)  # without a goodbye inside TLS
            client.socket.close()
        self.assert_healthy()

    def test_only_the_right_key_cancels(self):
        with Gateway(TACIT, grid=2000) as gateway, RawClient(gateway) as client:
            process, secret = client.key
            for pair in ((process, secret ^ 1), (process ^ 1, secret), (0, 0)):
                client.send(frame(b"Q", COUNT))
                time.sleep(0.2)
                with socket.create_connection(("127.0.0.1", gateway.port), timeout=10) as other:
                    other.sendall(struct.pack("!iiii", 16, 80877102, *pair))
                    self.assertEqual(other.recv(1), b"")
                self.assertIn(b"D", [kind for kind, _ in client.until_ready()])
            client.send(frame(b"Q", COUNT))
            time.sleep(0.2)
            with socket.create_connection(("127.0.0.1", gateway.port), timeout=10) as other:
                other.sendall(struct.pack("!iiii", 16, 80877102, process, secret))
            errors = [body for kind, body in client.until_ready() if kind == b"E"]
            # Canceled although the stored answer was there at once: only the grid says when it was.
            self.assertEqual(len(errors), 1)
            self.assertIn(b"C57014", errors[0])


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
