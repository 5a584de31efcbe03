#!/usr/bin/env python3
"""Drivers that read each reply before they send Sync: asyncpg, psycopg's pipeline, and bytes by hand. usage: drivers_test.py TACIT"""
import asyncio
import datetime
import struct
import sys
import time
import unittest

import asyncpg
import psycopg

from gateway import PASSWORDS, Gateway
from raw_client import RawClient, frame

TACIT = ""
PATIENCE_S = 60  # a driver that waits for ever fails here
SYNC = frame(b"S", b"")


def parse(text, name=b""):
    return frame(b"P", name + b"\0" + text.encode() + b"\0" + struct.pack("!h", 0))


def bind(portal=b"", statement=b""):
    return frame(b"B", portal + b"\0" + statement + b"\0" + struct.pack("!hhh", 0, 0, 0))


def describe(kind, name=b""):
    return frame(b"D", kind + name + b"\0")


def execute(portal=b""):
    return frame(b"E", portal + b"\0" + struct.pack("!i", 0))


def state_of(message):
    kind, body = message
    assert kind == b"E", message
    return next(field[1:].decode() for field in body.split(b"\0") if field.startswith(b"C"))


class DriversTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT).start()

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def asyncpg(self, steps, gateway=None):
        async def connected():
            gateway_used = gateway or self.gateway
            connection = await asyncpg.connect(
                host="localhost", port=gateway_used.port, user="ana", password=PASSWORDS["ana"], database="clinic", ssl="require",
                timeout=PATIENCE_S, command_timeout=PATIENCE_S)
            try:
                await steps(connection)
            finally:
                await connection.close(timeout=PATIENCE_S)
        asyncio.run(asyncio.wait_for(connected(), 3 * PATIENCE_S))

    def test_an_error_leaves_before_sync_whichever_message_failed(self):
        wrong = {"Parse": (parse("SELECT age FROM people"), "42501"),
                 "Parse of no SQL": (parse("SELECT 1 +"), "42601"),
                 "Bind": (bind(statement=b"nobody"), "26000"),
                 "Describe of a statement": (describe(b"S", b"nobody"), "26000"),
                 "Describe of a portal": (describe(b"P", b"nobody"), "34000"),
                 "Execute": (execute(b"nobody"), "34000"),
                 "Execute of a command": (parse("SHOW nothing") + bind() + execute(), "42704")}
        with RawClient(self.gateway, timeout=PATIENCE_S) as client:
            for what, (sent, state) in wrong.items():
                with self.subTest(what):
                    client.send(sent)
                    message = client.read()
                    while message[0] in b"12":
                        message = client.read()
                    self.assertEqual(state_of(message), state)
                    # What follows is left out until Sync, and nothing more is said.
                    client.send(parse("SELECT age FROM people") + frame(b"H", b"") + SYNC)
                    self.assertEqual(client.until_ready(), [(b"Z", b"I")])

    def test_replies_before_the_error_leave_with_it(self):
        with RawClient(self.gateway, timeout=PATIENCE_S) as client:
            client.send(parse("SELECT count(*) FROM people") + describe(b"S") + execute(b"nobody"))
            self.assertEqual([client.read()[0] for _ in range(4)], [b"1", b"t", b"T", b"E"])
            client.send(SYNC)
            self.assertEqual(client.until_ready(), [(b"Z", b"I")])

    def test_what_depends_on_data_still_waits_for_the_grid(self):
        with Gateway(TACIT, grid=700, ana_epsilon="0.1") as gateway, RawClient(gateway, timeout=PATIENCE_S) as client:
            client.send(parse("SELECT count(*) FROM people") + bind() + execute() + SYNC)
            self.assertNotIn(b"E", [kind for kind, _ in client.until_ready()])
            client.send(parse("SELECT count(*) FROM people WHERE age > 30") + bind() + frame(b"H", b""))
            self.assertEqual([client.read()[0] for _ in range(2)], [b"1", b"2"])
            start = time.monotonic()
            client.send(execute())
            self.assertEqual(state_of(client.read()), "53400")
            self.assertGreaterEqual(time.monotonic() - start, 0.7)
            client.send(SYNC)
            self.assertEqual(client.until_ready(), [(b"Z", b"I")])

    def test_asyncpg_is_told_what_is_wrong_and_goes_on(self):
        async def steps(connection):
            for sql, error in (("SELECT age FROM people", asyncpg.InsufficientPrivilegeError),
                               ("SELECT count(*) FROM nowhere", asyncpg.UndefinedTableError),
                               ("SELECT 1 +", asyncpg.PostgresSyntaxError),
                               ("DELETE FROM people", asyncpg.ReadOnlySQLTransactionError)):
                with self.assertRaises(error, msg=sql):
                    await connection.fetch(sql)
                with self.assertRaises(error, msg=sql):
                    await connection.execute(sql)
            with self.assertRaises(asyncpg.InsufficientPrivilegeError):
                await connection.prepare("SELECT age FROM people WHERE age > $1")
            async with connection.transaction():
                rows = [row["sex"] async for row in connection.cursor("SELECT sex, count(*) FROM people GROUP BY sex ORDER BY sex", prefetch=2)]
            self.assertEqual(rows, ["F", "M", "X"])
            count = "SELECT count(*) FROM people WHERE age > $1"
            self.assertEqual(await connection.fetchval(count, 44), await connection.fetchval(count, 44))
        self.asyncpg(steps)

    def test_lists_are_bound_by_the_types_that_clients_know(self):
        """asyncpg goes by what it is told a parameter is, psycopg declares what it has."""
        day, sql = datetime.date(2024, 1, 1), "SELECT count(*) FROM people WHERE {}"
        lists = (("age = ANY({})", [30, 31]), ("sex <> ALL({})", ["F"]), ("seen = ANY({})", [day]),
                 ("pay = ANY({}::float8[])", [1500.0]), ("seen >= to_date({}, 'YYYY-MM-DD')", "2024-01-01"),
                 ("sex LIKE {} || '%%'", "F"))
        written = ("age IN (30, 31)", "sex <> 'F'", f"seen = '{day}'", "pay = 1500", f"seen >= '{day}'", "sex LIKE 'F%%'")

        async def steps(connection):
            for (one, value), count in zip(lists, expected):
                got = await connection.fetchval(sql.format(one.format("$1")).replace("%%", "%"), value)
                self.assertEqual(got, count, one)
        with Gateway(TACIT, epsilon="10", ana_epsilon="10") as gateway:
            with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                expected = [connection.execute(sql.format(one).replace("%%", "%")).fetchone()[0] for one in written]
                spent = gateway.spent("ana")
                for (one, value), count in zip(lists, expected):
                    self.assertEqual(connection.execute(sql.format(one.format("%s")), [value]).fetchone()[0], count, one)
            self.asyncpg(steps, gateway)
            self.assertEqual(gateway.spent("ana"), spent, "the same questions")
            with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                limited = connection.execute("SELECT sex, count(*) FROM people GROUP BY sex LIMIT %s", [None]).fetchall()
                self.assertEqual(len(limited), 3)

    def test_units_digits_limits_and_filters_may_be_bound(self):
        """As Metabase, ORMs and dashboards bind them: the question with the words written out, which costs nothing again."""
        month = ["2024-01"]
        asked = (("SELECT to_char(date_trunc({}, seen), 'YYYY-MM') AS m, count(*) FROM people GROUP BY date_trunc({}, seen) "
                  "ORDER BY 1 LIMIT {}::INTEGER", ["month", "month", 2]),
                 ("SELECT count(*) FROM people WHERE date_part({}, seen) = 2024 AND extract('month' FROM seen) >= 1", ["year"]),
                 ("SELECT round(avg(age)::numeric, {}) FROM people", [1]),
                 ("SELECT sex, count(*) FROM people GROUP BY sex ORDER BY sex LIMIT {} OFFSET {}", [1, 1]),
                 ("SELECT count(*) FROM people WHERE seen >= DATE '2024-01-25' - INTERVAL '1 day' * {}", [3]),
                 ("SELECT count(*) FROM people WHERE sex LIKE ANY (ARRAY[{}, {}])", ["F%", "X%"]),
                 ("SELECT count(*) FROM people WHERE {}::text IS NULL OR sex = {}::text", ["F", "F"]))

        def written(sql, values):
            return sql.format(*(f"'{value}'" if isinstance(value, str) else value for value in values))
        with Gateway(TACIT, epsilon="10", ana_epsilon="10") as gateway:
            with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                expected = [connection.execute(written(sql, values)).fetchall() for sql, values in asked]
                self.assertEqual([row[0] for row in expected[0]], month)
                unset = connection.execute("SELECT count(*) FROM people").fetchone()
                spent = gateway.spent("ana")
                for (sql, values), rows in zip(asked, expected):
                    bound = sql.replace("%", "%%").format(*["%s"] * len(values))
                    self.assertEqual(connection.execute(bound, values).fetchall(), rows, sql)
                self.assertEqual(connection.execute(
                    "SELECT count(*) FROM people WHERE %s::text IS NULL OR sex = %s::text", [None, None]).fetchone(), unset)

            async def steps(connection):
                for (sql, values), rows in zip(asked, expected):
                    bound = sql.format(*(f"${i + 1}" for i in range(len(values))))
                    self.assertEqual([tuple(row) for row in await connection.fetch(bound, *values)], rows, sql)
            self.asyncpg(steps, gateway)
            self.assertEqual(gateway.spent("ana"), spent, "the same questions")

    def test_asyncpg_is_told_when_the_budget_is_used_up(self):
        async def steps(connection):
            await connection.fetchval("SELECT count(*) FROM people")
            with self.assertRaises(asyncpg.ConfigurationLimitExceededError):
                await connection.fetchval("SELECT count(*) FROM people WHERE age > 30")
        with Gateway(TACIT, ana_epsilon="0.1") as gateway:
            self.asyncpg(steps, gateway)

    def test_psycopg_pipeline_learns_of_an_error_at_a_flush(self):
        with psycopg.connect(self.gateway.dsn(), autocommit=True) as connection:
            with connection.pipeline() as pipeline:
                cursor = connection.execute("SELECT count(*) FROM people WHERE age > %s", [40])
                self.assertIsNotNone(cursor.fetchone())
                with self.assertRaises(psycopg.errors.InsufficientPrivilege):
                    connection.execute("SELECT age FROM people").fetchone()
                pipeline.sync()
                self.assertIsNotNone(connection.execute("SELECT count(*) FROM people WHERE age > %s", [40]).fetchone())


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
