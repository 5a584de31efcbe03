#!/usr/bin/env python3
"""Tables with a cap are served prepared or not at all. usage: preparing_test.py TACIT"""
import base64
import fcntl
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import unittest
import urllib.request

import psycopg

from gateway import PASSWORDS, Gateway
from raw_client import RawClient, frame

TACIT = ""
MANY = 400_000  # people whose preparing takes long enough to be met in the middle


ADMIN = ["--admin", "127.0.0.1:0"]


def question(number):
    return f"SELECT count(*) FROM people WHERE age <> {1000 + number}"


def events(gateway, since=0):
    return [line["event"] for line in gateway.log_events()[since:]]


def wait_for(gateway, wanted, since, seconds=120):
    """The first line of the log whose event is one of these."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for line in gateway.log_events()[since:]:
            if line["event"] in wanted:
                return line
        time.sleep(0.02)
    raise AssertionError(f"none of {wanted} in {gateway.log_text()[-2000:]}")


def unfinished(gateway):
    return [path.name for path in gateway.folder.iterdir() if "building" in path.name]


def without_bob(gateway):
    file = gateway.folder / "tacit.yaml"
    file.write_text("".join(line for line in file.read_text().splitlines(True) if not line.startswith("  bob:")))


class PreparingTest(unittest.TestCase):
    def is_prepared(self, gateway):
        """What the operator is told; analysts are not."""
        port = int(re.search(r"http://localhost:(\d+)/ready", gateway.hello).group(1))
        with urllib.request.urlopen(f"http://localhost:{port}/metrics", timeout=60) as response:
            return "\ntacit_tables_unprepared 0\n" in response.read().decode()

    def reload(self, gateway, *wanted):
        since = len(gateway.log_events())
        gateway.process.send_signal(signal.SIGHUP)
        return wait_for(gateway, wanted, since)

    def forget_certificate(self, gateway):
        """Without the files the server makes new ones, when it renews."""
        certificate = gateway.folder / "server.crt"
        old = certificate.read_text()
        for path in (certificate, gateway.folder / "server.key"):
            path.unlink()
        return old

    def wait_for_another_certificate(self, gateway, old):
        """Whatever becomes of the policy: it must not run out."""
        shown = old
        deadline = time.monotonic() + 60
        while shown.strip() == old.strip() and time.monotonic() < deadline:
            with socket.create_connection(("127.0.0.1", gateway.port), timeout=30) as plain:
                plain.sendall(bytes([0, 0, 0, 8, 4, 210, 22, 47]))  # SSLRequest
                self.assertEqual(plain.recv(1), b"S")
                trust = ssl.create_default_context()
                trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
                with trust.wrap_socket(plain) as inside:
                    shown = ssl.DER_cert_to_PEM_cert(inside.getpeercert(True))
            time.sleep(0.02)
        self.assertNotEqual(shown.strip(), old.strip())
        self.assertEqual(shown.strip(), (gateway.folder / "server.crt").read_text().strip())

    def test_the_server_prepares_what_is_not_and_only_then(self):
        gateway = Gateway(TACIT, flags=ADMIN)
        with gateway:
            self.assertTrue(self.is_prepared(gateway))
            self.assertEqual([e for e in events(gateway) if e in ("preparing", "prepared", "started")],
                             ["preparing", "prepared", "started"])
            since = len(gateway.log_events())
            self.assertEqual(gateway.stop(), 0)
            gateway.start()
            self.assertNotIn("prepared", events(gateway, since))
            self.assertTrue(self.is_prepared(gateway))
            # Another data version is another copy.
            file = gateway.folder / "tacit.yaml"
            file.write_text("data_version: 2\n" + file.read_text())
            self.assertEqual(gateway.stop(), 0)
            since = len(gateway.log_events())
            gateway.start()
            self.assertIn("prepared", events(gateway, since))
            self.assertTrue(self.is_prepared(gateway))
            self.assertEqual(unfinished(gateway), [])

    def test_what_cannot_be_prepared_is_not_served(self):
        gateway = Gateway(TACIT, flags=ADMIN)
        # As on a disk that may not be written: the folder where the copy is built cannot be made.
        (gateway.folder / "data.duckdb-prepared.building").write_text("")
        started = gateway.run("serve", gateway.folder, "--pg", "127.0.0.1:0")
        said = " ".join(started.stderr.split())
        self.assertEqual(started.returncode, 2, said)
        for words in ("cannot be prepared", "cannot make the folder", "must be writable", "unprepared: allow"):
            self.assertIn(words, said)
        self.assertEqual(started.stdout, "")
        gateway.write_policy(unprepared="allow")
        with gateway:
            self.assertFalse(self.is_prepared(gateway))
            self.assertEqual(gateway.psql(question(1)).returncode, 0)

    def test_unprepared_tables_can_be_refused_by_both_doors(self):
        gateway = Gateway(TACIT, flags=[*ADMIN, "--http", "127.0.0.1:0"])
        gateway.write_policy(unprepared="refuse")
        with gateway:
            before = gateway.ledger()
            refused = gateway.psql(question(1))
            self.assertIn("42501", refused.stderr)
            self.assertIn("is not prepared", refused.stderr)
            self.assertIn("HINT:  the owner can run tacit prepare", refused.stderr)
            port = int(re.search(r"https://localhost:(\d+)", gateway.hello).group(1))
            trust = ssl.create_default_context(cafile=str(gateway.folder / "server.crt"))
            connection = http.client.HTTPSConnection("localhost", port, context=trust, timeout=60)
            pair = base64.b64encode(f"ana:{PASSWORDS['ana']}".encode()).decode()
            connection.request("POST", "/v1/query", json.dumps({"sql": question(1)}),
                               {"Authorization": "Basic " + pair, "Content-Type": "application/json"})
            response = connection.getresponse()
            problem = json.loads(response.read())
            self.assertEqual((response.status, problem["rule"]), (422, "not_prepared"))
            connection.close()
            self.assertEqual(gateway.ledger(), before, "a refusal costs nothing")
            self.assertEqual(gateway.run("prepare", gateway.folder).returncode, 0)
            self.assertEqual(self.reload(gateway, "reloaded", "reload_refused")["event"], "reloaded")
            self.assertEqual(gateway.psql(question(1)).returncode, 0)
            # And back: a copy that does not fit is not read.
            gateway.write_policy(oldest=110)
            self.assertEqual(self.reload(gateway, "reloaded", "reload_refused")["event"], "reloaded")
            self.assertIn("42501", gateway.psql(question(2)).stderr)

    def test_questions_go_on_while_another_copy_is_made(self):
        with Gateway(TACIT, epsilon="1000000", ana_epsilon="1000000", people=50_000, flags=ADMIN) as gateway:
            stop, failures, prepared = threading.Event(), [], []

            def ask(first):
                try:
                    with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                        for number in range(first, first + 1_000_000):
                            if stop.is_set():
                                return
                            connection.execute(question(number)).fetchall()
                            prepared.append(self.is_prepared(gateway))
                except Exception as failure:  # any: it is what the test is about
                    failures.append(failure)

            threads = [threading.Thread(target=ask, args=(10_000_000 * i,)) for i in range(3)]
            for thread in threads:
                thread.start()
            for oldest in (110, 100, 90):
                gateway.write_policy(oldest=oldest)
                self.assertEqual(self.reload(gateway, "reloaded", "reload_refused")["event"], "reloaded")
                time.sleep(0.3)
            stop.set()
            for thread in threads:
                thread.join()
            self.assertEqual(failures, [])
            self.assertGreater(len(prepared), 10)
            self.assertTrue(all(prepared), "never from the tables as imported")
            versions = [json.loads(line).get("policy_version") for line in gateway.ledger().splitlines()]
            versions = [version for version in versions if version]
            switches = sum(a != b for a, b in zip(versions, versions[1:]))
            self.assertLessEqual(switches, 3 + 3 * 3, "each policy once, but for questions under way")
            self.assertEqual(unfinished(gateway), [])

    def test_what_a_new_policy_takes_away_is_gone_before_its_copy_is_there(self):
        with Gateway(TACIT, people=MANY, flags=ADMIN) as gateway:
            bob = RawClient(gateway, "bob")
            since = len(gateway.log_events())
            gateway.write_policy(oldest=110, ana_epsilon="0.05")
            without_bob(gateway)
            old_certificate = self.forget_certificate(gateway)
            gateway.process.send_signal(signal.SIGHUP)
            wait_for(gateway, ["reload_prepares"], since)
            self.wait_for_another_certificate(gateway, old_certificate)
            bob.send(frame(b"Q", question(2).encode() + b"\0"))
            kind, body = bob.read()
            self.assertEqual(kind, b"E")
            self.assertIn(b"C28000\0", body)
            bob.socket.close()
            refused = gateway.psql(question(3))
            self.assertIn("53400", refused.stderr, "the smaller budget")
            self.assertTrue(self.is_prepared(gateway), "the old copy serves")
            self.assertNotIn("reloaded", events(gateway, since), "too few people to meet it in the middle")
            wait_for(gateway, ["reloaded"], since)
            self.assertTrue(self.is_prepared(gateway))
            self.assertNotEqual(gateway.psql("SELECT 1", analyst="bob").returncode, 0)

    def test_a_copy_that_cannot_be_made_leaves_the_old_one_and_the_later_reload_mends_it(self):
        with Gateway(TACIT, flags=ADMIN) as gateway:
            building = gateway.folder / "data.duckdb-prepared.building"
            building.mkdir(mode=0o700)
            held = os.open(building, os.O_RDONLY)
            fcntl.flock(held, fcntl.LOCK_EX)  # as another tacit prepare does
            gateway.write_policy(oldest=110)
            without_bob(gateway)
            old_certificate = self.forget_certificate(gateway)
            told = self.reload(gateway, "reloaded", "reload_refused")
            self.assertEqual(told["event"], "reload_refused")
            self.assertIn("another tacit prepare is at work", told["reason"])
            self.wait_for_another_certificate(gateway, old_certificate)
            self.assertEqual(gateway.psql(question(1)).returncode, 0, "the old policy and the old copy")
            self.assertTrue(self.is_prepared(gateway))
            self.assertNotEqual(gateway.psql("SELECT 1", analyst="bob").returncode, 0, "who was removed stays out")
            os.close(held)
            self.assertEqual(self.reload(gateway, "reloaded", "reload_refused")["event"], "reloaded")
            self.assertEqual(unfinished(gateway), [])

    def test_of_several_reloads_the_last_one_holds(self):
        with Gateway(TACIT, people=MANY, flags=ADMIN) as gateway:
            since = len(gateway.log_events())
            for oldest in (119, 118, 117, 116):
                gateway.write_policy(oldest=oldest)
                gateway.process.send_signal(signal.SIGHUP)
                time.sleep(0.15)
            # The same copy for another budget: it goes on being made.
            gateway.write_policy(ana_epsilon="49")
            gateway.process.send_signal(signal.SIGHUP)
            wait_for(gateway, ["reloaded"], since)
            time.sleep(0.5)
            lines = gateway.log_events()[since:]
            self.assertEqual(lines[-1]["event"], "reloaded", lines)
            self.assertTrue(any("a later reload took its place" in line.get("reason", "") for line in lines), lines)
            self.assertTrue(self.is_prepared(gateway))
            self.assertIn("116", gateway.psql("EXPLAIN SELECT sum(age) FROM people").stdout)
            # Back to what the copy on the disk was made of: nothing has to be made.
            since = len(gateway.log_events())
            gateway.write_policy(oldest=115)
            gateway.process.send_signal(signal.SIGHUP)
            wait_for(gateway, ["reload_prepares"], since)
            gateway.write_policy(oldest=116)
            gateway.process.send_signal(signal.SIGHUP)
            wait_for(gateway, ["reloaded"], since)
            self.assertNotIn("prepared", events(gateway, since))
            self.assertTrue(self.is_prepared(gateway))
            self.assertEqual(unfinished(gateway), [])

    def test_stopped_or_killed_while_preparing_it_starts_again(self):
        gateway = Gateway(TACIT, people=MANY, flags=ADMIN)
        log = gateway.folder.parent / "log"
        command = [TACIT, "serve", str(gateway.folder), "--pg", "127.0.0.1:0"]

        def start_and(how):
            with open(log, "ab") as file:
                file.truncate(0)
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file)
            while '"preparing"' not in log.read_text():
                self.assertIsNone(process.poll(), log.read_text())
                time.sleep(0.01)
            process.send_signal(how)
            return process.wait(timeout=60)

        self.assertEqual(start_and(signal.SIGTERM), 0)
        self.assertNotIn("started", events(gateway))
        self.assertEqual(unfinished(gateway), [])
        self.assertFalse((gateway.folder / "data.duckdb-prepared").exists())
        self.assertEqual(start_and(signal.SIGKILL), -signal.SIGKILL)
        self.assertEqual(unfinished(gateway), ["data.duckdb-prepared.building"])
        with gateway:
            self.assertTrue(self.is_prepared(gateway))
            self.assertEqual(unfinished(gateway), [])
            # The same in the background.
            for how, code in ((signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)):
                gateway.write_policy(oldest=gateway.terms["oldest"] - 1)
                self.reload(gateway, "reload_prepares")
                self.assertEqual(gateway.stop(how), code)
                # The old policy comes back, and with it the old copy; what was left goes all the same.
                gateway.write_policy(oldest=gateway.terms["oldest"] + 1)
                since = len(gateway.log_events())
                gateway.start()
                self.assertNotIn("prepared", events(gateway, since))
                self.assertTrue(self.is_prepared(gateway))
                self.assertEqual(unfinished(gateway), [])


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main(verbosity=2)
