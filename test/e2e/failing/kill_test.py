#!/usr/bin/env python3
"""kill -9 of the server under load, with a witness outside that writes down every answer it received.
usage: kill_test.py TACIT [ROUNDS]      200 rounds unless told; 10,000 under TACIT_LONG=1

Several deployments at once, each killed again and again at random instants. After every kill the ledger
must verify; at the end every answer that a client received was paid for, none was paid for twice under
one request id, and all of them replay unchanged and free."""
import base64
import http.client
import json
import os
import random
import re
import signal
import ssl
import sys
import threading
import time

import psycopg

from gateway import PASSWORDS, Gateway

DEPLOYMENTS = 3
CLIENTS = 3  # of each over the PostgreSQL protocol, and one more over HTTPS


def question(number):
    return f"SELECT count(*) FROM people WHERE age <> {1000 + number}"


class Victim:
    """One deployment, and what its clients saw of it."""

    def __init__(self, tacit, seed):
        self.gateway = Gateway(tacit, epsilon="1000000", ana_epsilon="1000000", people=300, flags=["--http", "127.0.0.1:0"])
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.sent = 0
        self.answers = {}  # number of the question -> the answer
        self.unsure = []   # sent under a request id, and no answer came

    def next_number(self):
        with self.lock:
            self.sent += 1
            return self.sent

    def ask_by_postgres(self, stop):
        try:
            with psycopg.connect(self.gateway.dsn(), autocommit=True) as connection:
                while not stop.is_set():
                    number = self.next_number()
                    answer = connection.execute(question(number)).fetchone()[0]
                    self.answers[number] = answer
        except psycopg.Error:
            pass

    def post(self, connection, number):
        pair = base64.b64encode(f"ana:{PASSWORDS['ana']}".encode()).decode()
        connection.request("POST", "/v1/query", json.dumps({"sql": question(number)}),
                           {"Authorization": "Basic " + pair, "Content-Type": "application/json",
                            "Idempotency-Key": f"question {number}"})
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    def ask_by_http(self, stop):
        port = int(re.search(r"https://localhost:(\d+)", self.gateway.hello).group(1))
        trust = ssl.create_default_context(cafile=str(self.gateway.folder / "server.crt"))
        connection = http.client.HTTPSConnection("localhost", port, context=trust, timeout=60)
        retries, self.unsure = self.unsure, []
        number = None
        try:
            while not stop.is_set():
                number = retries.pop() if retries else self.next_number()
                status, reply = self.post(connection, number)
                # After a kill the same request may have been charged without an answer: it says so, and never charges again.
                assert status in (200, 503), (status, reply)
                if status == 200:
                    assert self.answers.setdefault(number, reply["rows"][0][0]) == reply["rows"][0][0], number
                number = None
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            pass
        finally:
            self.unsure = retries + ([number] if number else [])
            connection.close()

    def round(self):
        self.gateway.start()
        stop = threading.Event()
        threads = [threading.Thread(target=self.ask_by_postgres, args=(stop,)) for _ in range(CLIENTS)]
        threads.append(threading.Thread(target=self.ask_by_http, args=(stop,)))
        for thread in threads:
            thread.start()
        # Half of the kills fall anywhere after the start, logins included; the others into the answers.
        if self.random.random() < 0.5:
            time.sleep(self.random.uniform(0, 0.3))
        else:
            before, limit = len(self.answers), time.monotonic() + 10
            while len(self.answers) == before and time.monotonic() < limit:
                time.sleep(0.005)
            time.sleep(self.random.uniform(0, 0.15))
        self.gateway.process.send_signal(signal.SIGKILL)
        self.gateway.process.wait()
        self.gateway.process.stdout.close()
        self.gateway.log.close()
        stop.set()
        for thread in threads:
            thread.join()
        verified = self.gateway.run("ledger", "verify", self.gateway.folder)
        assert verified.returncode == 0, verified.stdout + verified.stderr

    def judge(self):
        charges = [json.loads(line)["record"] for line in self.gateway.ledger().splitlines()]
        charges = [record for record in charges if record["kind"] == "charge"]
        assert len(charges) >= len(self.answers), (len(charges), len(self.answers))
        ids = [record["request_id"] for record in charges if record.get("request_id")]
        assert len(ids) == len(set(ids)), "a request id was charged twice"
        self.gateway.start()
        with psycopg.connect(self.gateway.dsn(), autocommit=True) as connection:
            notices = []
            connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
            for number, answer in self.answers.items():
                row = connection.execute(question(number)).fetchone()
                assert row[0] == answer, (number, row[0], answer)
                assert notices[-1].startswith("cost nothing"), notices[-1]
        assert self.gateway.stop() == 0
        return len(charges)


def main(tacit, rounds):
    seed = random.randrange(10**9)
    print(f"seed {seed}", flush=True)
    victims = [Victim(tacit, seed + i) for i in range(DEPLOYMENTS)]
    left = iter(range(rounds))
    lock = threading.Lock()
    failures = []

    def work(victim):
        try:
            while not failures:
                with lock:
                    if next(left, None) is None:
                        return
                victim.round()
        except BaseException as failure:  # an assertion of a thread must not be lost
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(victim,)) for victim in victims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    paid = sum(victim.judge() for victim in victims)
    answered = sum(len(victim.answers) for victim in victims)
    sent = sum(victim.sent for victim in victims)
    print(f"{rounds} kills; {sent} questions sent, {paid} charged, {answered} answered: every answer was paid for, "
          "no request id twice, and all replay")
    assert answered > rounds // 4, "too few answers to say anything"
    for victim in victims:
        victim.gateway.scratch.cleanup()


if __name__ == "__main__":
    default = 10_000 if os.environ.get("TACIT_LONG") == "1" else 200
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else default)
