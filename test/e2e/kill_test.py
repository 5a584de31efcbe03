#!/usr/bin/env python3
"""kill -9 of the server under load, with a witness outside. usage: kill_test.py TACIT [ROUNDS]"""
import json
import random
import signal
import sys
import threading
import time

import psycopg

from gateway import Gateway


def main(tacit, rounds):
    gateway = Gateway(tacit, epsilon="100000", ana_epsilon="100000")
    answered = {}  # question -> answer, as the clients received it
    lock = threading.Lock()
    question = 0
    for number in range(rounds):
        gateway.start()
        stop = threading.Event()

        def ask():
            nonlocal question
            try:
                with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                    while not stop.is_set():
                        with lock:
                            question += 1
                            mine = question
                        row = connection.execute("SELECT count(*) FROM people WHERE age <> %s", [1000 + mine]).fetchone()
                        with lock:
                            answered[mine] = row[0]
            except psycopg.Error:
                pass

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(random.uniform(0.05, 0.6))
        gateway.process.send_signal(signal.SIGKILL)
        gateway.process.wait()
        gateway.process.stdout.close()
        gateway.log.close()
        stop.set()
        for thread in threads:
            thread.join()
        verified = gateway.run("ledger", "verify", gateway.folder)
        assert verified.returncode == 0, verified.stdout + verified.stderr
    paid = sum(1 for line in gateway.ledger().splitlines() if json.loads(line)["record"]["kind"] == "charge")
    assert paid >= len(answered), (paid, len(answered))
    gateway.start()
    with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
        notices = []
        connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
        for mine, answer in answered.items():
            # What a client has received was paid before, so it replays: free, and the same.
            row = connection.execute("SELECT count(*) FROM people WHERE age <> %s", [1000 + mine]).fetchone()
            assert row[0] == answer, (mine, row[0], answer)
            assert notices[-1].startswith("cost nothing"), notices[-1]
    assert gateway.stop() == 0
    print(f"{rounds} kills; {question} questions sent, {paid} charged, {len(answered)} answered: "
          "every answer was paid for, and replays")
    assert len(answered) > 0
    gateway.scratch.cleanup()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20)
