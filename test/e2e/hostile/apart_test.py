#!/usr/bin/env python3
"""Analysts apart: bob's whole session, by both protocols, is the same whether or not ana asked the same before; the numbers
that were drawn are all that may differ. usage: apart_test.py TACIT"""
import base64
import http.client
import json
import re
import ssl
import sys
import unittest

import psycopg

from gateway import PASSWORDS, Gateway, is_margin, without_margins
from neighbours_test import SESSION

TACIT = ""

# Of the dataset's account nothing may be seen: figures that nothing else has.
DATASET = "613.0625"
MORE = [
    "SET tacit.epsilon = '0.3'",
    "SELECT count(*) FROM people",
    "SELECT town, count(*) FROM people WHERE age > 30 GROUP BY town",
    # Made of what was just bought, and of nothing that ana bought.
    "SELECT sex, count(*), avg(age) FROM people WHERE age > 4 GROUP BY sex",
    "SET tacit.epsilon = '0.05'",
    "EXPLAIN SELECT count(*) FROM people WHERE age > 4 AND sex = 'F'",
    "SELECT count(*) FROM people WHERE age > 4 AND sex = 'F'",
    "SELECT avg(age) FROM people WHERE age > 4 AND sex IN ('F', 'M')",
    "SELECT sex, avg(age) FROM people WHERE age > 4 GROUP BY sex HAVING count(*) > 3",
    "RESET tacit.epsilon",
    "SELECT count(*) FROM people",
    "SELECT * FROM tacit.budget",
    "SELECT sequence, epsilon, delta, rho, query_fingerprint, policy_version, data_version, releases, receipt FROM tacit.ledger "
    "ORDER BY sequence",
]
QUESTIONS = SESSION + MORE


class Names:
    """Receipts by the order in which they were first seen: r1, r2, ..."""

    def __init__(self):
        self.known = {}

    def __call__(self, receipt):
        if not receipt:
            return receipt
        assert re.fullmatch("[0-9a-f]{32}", receipt), receipt
        return self.known.setdefault(receipt, f"r{len(self.known) + 1}")


def told(sql):
    return sql.startswith("EXPLAIN") or "_catalog" in sql or "_schema" in sql or "tacit." in sql


def draws_groups(sql):
    """How many private groups are shown is drawn too, and which numbers pass a HAVING."""
    return "town" in sql or "HAVING" in sql


def by_postgres(gateway, analyst, names):
    seen = []
    with psycopg.connect(gateway.dsn(analyst), autocommit=True) as connection:
        connection.add_notice_handler(lambda notice: is_margin(notice.message_primary) or seen.append(("notice", notice.message_primary)))
        for sql in QUESTIONS:
            try:
                cursor = connection.execute(sql)
                if cursor.description is None:
                    seen.append((sql, cursor.statusmessage))
                    continue
                shape = [(column.name, column.type_code) for column in cursor.description]
                rows = cursor.fetchall()
                if "receipt" in sql:
                    rows = [(*row[:-1], names(row[-1])) for row in rows]
                seen.append((sql, shape, rows if told(sql) else "rows" if draws_groups(sql) else len(rows)))
            except psycopg.Error as error:
                seen.append((sql, error.sqlstate, error.diag.message_primary, error.diag.message_hint,
                             error.diag.message_detail, error.diag.statement_position))
    return seen


def by_http(gateway, analyst, names):
    port = int(re.search(r"https://localhost:(\d+)", gateway.hello).group(1))
    trust = ssl.create_default_context(cafile=str(gateway.folder / "server.crt"))
    pair = base64.b64encode(f"{analyst}:{PASSWORDS[analyst]}".encode()).decode()
    connection = http.client.HTTPSConnection("localhost", port, context=trust, timeout=60)
    seen = []

    def call(method, path, body=None, **headers):
        connection.request(method, path, body and json.dumps(body), {"Authorization": "Basic " + pair, **headers})
        response = connection.getresponse()
        text = response.read()
        kept = sorted((name, value) for name, value in response.getheaders() if name not in ("Date", "Content-Length"))
        reply = without_margins(json.loads(text))
        if "privacy" in reply and "receipt" in reply["privacy"]:
            reply["privacy"]["receipt"] = names(reply["privacy"]["receipt"])
        if "rows" in reply:
            reply["rows"] = "rows" if body and draws_groups(body["sql"]) else len(reply["rows"])
        return response.status, kept, reply

    for number, sql in enumerate(QUESTIONS):
        seen.append(("explain", sql, call("POST", "/v1/explain", {"sql": sql})))
        seen.append((sql, call("POST", "/v1/query", {"sql": sql})))
        if number % 3 == 0:
            for _ in range(2):
                body = {"sql": sql, "epsilon": "0.2"}
                seen.append((sql, call("POST", "/v1/query", body, **{"Idempotency-Key": f"key-{number}"})))
    seen.append(call("GET", "/v1/budget"))
    status, headers, reply = call("GET", "/v1/ledger")
    for charge in reply["charges"]:
        charge.pop("time")
        charge["receipt"] = names(charge["receipt"])
    seen.append((status, headers, reply))
    connection.close()
    return seen


def session(gateway, analyst):
    names = Names()
    return by_postgres(gateway, analyst, names) + by_http(gateway, analyst, names)


class ApartTest(unittest.TestCase):
    def test_a_session_does_not_show_that_another_asked_the_same(self):
        views, charges = [], []
        for ana_was_here in (False, True):
            with Gateway(TACIT, epsilon=DATASET, flags=["--http", "127.0.0.1:0"]) as gateway:
                if ana_was_here:
                    session(gateway, "ana")
                before = gateway.spent()
                views.append(session(gateway, "bob"))
                charges.append((before, gateway.spent()))
                self.assertEqual(gateway.run("ledger", "verify", gateway.folder).returncode, 0)
        self.assertEqual(len(views[0]), len(views[1]))
        for one, other in zip(*views):
            self.assertEqual(one, other)
        self.assertEqual(*charges[1], "ana's answers serve, and bob's session costs the dataset nothing")
        everything = json.dumps(views)
        self.assertGreater(everything.count('"charges"'), 1)
        self.assertGreaterEqual(everything.count("made of answers that you have paid for"), 6)
        for figure in (DATASET, "613"):
            self.assertNotIn(figure, everything)

    def test_the_end_of_the_datasets_budget_is_told_without_figures_and_by_asking_alone(self):
        question = "SELECT count(*) FROM people WHERE age > 21"
        views = []
        for spent_on in (question, "SELECT count(*) FROM people WHERE age > 22"):
            with Gateway(TACIT, epsilon="1.0625", flags=["--http", "127.0.0.1:0"]) as gateway:
                seen = []
                with psycopg.connect(gateway.dsn("ana"), autocommit=True) as ana:
                    ana.execute("SET tacit.epsilon = '0.9'")
                    ana.execute(spent_on)
                with psycopg.connect(gateway.dsn("bob"), autocommit=True) as bob:
                    bob.add_notice_handler(lambda notice: seen.append(notice.message_primary))
                    bob.execute("SET tacit.epsilon = '0.9'")
                    seen.append(bob.execute("EXPLAIN " + question).fetchall())
                    with self.assertRaises(psycopg.errors.ConfigurationLimitExceeded) as refused:
                        bob.execute(question)
                    seen.append((refused.exception.diag.message_primary, refused.exception.diag.message_hint))
                    seen.append(bob.execute("SELECT * FROM tacit.budget").fetchall())
                views.append(seen)
        self.assertEqual(views[0], views[1])
        self.assertIn("the dataset's budget does not cover this query", str(views[0]))
        for figure in ("1.0625", "0.1625", "refused now"):
            self.assertNotIn(figure, str(views[0]))


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
