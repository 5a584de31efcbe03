#!/usr/bin/env python3
"""psycopg 3 (sync, async, pipeline) against tacit serve. usage: psycopg_test.py TACIT"""
import asyncio
import datetime
import decimal
import signal
import sys
import threading
import time
import unittest

import psycopg

from gateway import Gateway

TACIT = ""
COUNT = "SELECT count(*) AS n FROM people WHERE age > %s"


class PsycopgTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT).start()

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def connect(self, analyst="ana", **more):
        return psycopg.connect(self.gateway.dsn(analyst), autocommit=True, **more)

    def test_parameters_are_values_and_the_same_question_is_free(self):
        with self.connect() as connection:
            notices = []
            connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
            bound = connection.execute(COUNT, [44]).fetchone()[0]
            before = self.gateway.ledger()
            self.assertEqual(connection.execute("SELECT count(*) AS n FROM people WHERE age > 44").fetchone()[0], bound)
            self.assertEqual(connection.execute(COUNT, [44], binary=True).fetchone()[0], bound)
            self.assertEqual(connection.execute(COUNT, ["44"]).fetchone()[0], bound)
            self.assertEqual(connection.execute(COUNT, [44], prepare=True).fetchone()[0], bound)
            self.assertEqual(self.gateway.ledger(), before)
            self.assertTrue(notices[0].startswith("cost 0.1 of your 50"))
            self.assertTrue(notices[1].startswith("cost nothing"))
            before = self.gateway.ledger()
            hostile = "x' OR '1' = '1"
            connection.execute("SELECT count(*) FROM people WHERE town = %s", [hostile])
            self.assertNotEqual(self.gateway.ledger(), before)  # a question of its own, about a town of that name

    def test_the_rows_of_a_model_may_be_a_parameter(self):
        with self.connect() as connection:
            connection.execute("SET tacit.epsilon = 1")
            rows = "SELECT age, sex = 'M' AS male FROM people"
            bound = connection.execute("SELECT * FROM tacit.linear_regression(%s, target => %s)", [rows, "age"])
            self.assertEqual([column.name for column in bound.description], ["term", "estimate", "se_noise", "se_sample", "low", "high"])
            found = bound.fetchall()
            before = self.gateway.ledger()
            literal = connection.execute("SELECT * FROM tacit.linear_regression('SELECT age, sex = ''M'' AS male FROM people', target => 'age')")
            self.assertEqual(literal.fetchall(), found)
            self.assertEqual(self.gateway.ledger(), before)

    def test_types_of_parameters_and_results(self):
        with self.connect() as connection:
            for binary in (False, True):
                row = connection.execute(
                    "SELECT count(*), avg(age), count(*) > 5, sum(age)::numeric(12,2), 'x', date '2024-02-29', "
                    "timestamp '2024-02-29 12:30:00.5' FROM people WHERE seen >= %s AND age < %s AND age > %s",
                    [datetime.date(2024, 1, 1), decimal.Decimal("90.5"), 1.5], binary=binary).fetchone()
                self.assertEqual([type(value) for value in row],
                                 [int, float, bool, decimal.Decimal, str, datetime.date, datetime.datetime])
                self.assertEqual(row[5:], (datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12, 30, 0, 500000)))

    def test_arrays_are_arrays(self):
        sql = "SELECT percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY age) FROM people"
        with self.connect() as connection:
            answers = [connection.execute(sql, binary=binary).fetchone()[0] for binary in (False, True)]
            self.assertEqual(answers[0], answers[1])
            self.assertEqual([type(value) for value in answers[0]], [float] * 3)
            self.assertEqual(connection.execute(sql).description[0].type_code, 1022)

    def test_copy_gives_the_stored_answer_in_every_format(self):
        sql = "SELECT sex, count(*) AS n FROM people GROUP BY sex ORDER BY sex"
        with self.connect() as connection:
            rows = connection.execute(sql).fetchall()
            before = self.gateway.ledger()
            with connection.cursor().copy(f"COPY ({sql}) TO STDOUT") as copy:
                self.assertEqual([(sex, int(n)) for sex, n in copy.rows()], rows)
            with connection.cursor().copy(f"COPY ({sql}) TO STDOUT (FORMAT BINARY)") as copy:
                copy.set_types(["text", "int8"])
                self.assertEqual(list(copy.rows()), rows)
            with connection.cursor().copy(f"COPY ({sql}) TO STDOUT (FORMAT csv, HEADER, DELIMITER ';')") as copy:
                text = b"".join(bytes(part) for part in copy).decode()
            self.assertEqual(text, "sex;n\n" + "".join(f"{sex};{n}\n" for sex, n in rows))
            for wrong, state in (("COPY people TO STDOUT", "0A000"), ("COPY (SELECT age FROM people) TO STDOUT", "42501"),
                                 ("COPY people FROM STDIN", "25006"), ("COPY (SELECT 1) TO '/tmp/x'", "0A000"),
                                 ("COPY (SELECT 1) TO PROGRAM 'sh'", "0A000"),
                                 ("COPY (SELECT 1) TO STDOUT (FORMAT csv, FORCE_QUOTE *)", "0A000")):
                with self.assertRaises(psycopg.Error) as caught:
                    connection.execute(wrong)
                self.assertEqual(caught.exception.sqlstate, state, wrong)
            self.assertEqual(self.gateway.ledger(), before)

    def test_statement_timeout_ends_the_waiting_and_keeps_the_charge(self):
        with Gateway(TACIT, grid=1200) as gateway, psycopg.connect(gateway.dsn(), autocommit=True) as connection:
            connection.execute("SET statement_timeout = '50ms'")
            start = time.monotonic()
            with self.assertRaises(psycopg.errors.QueryCanceled):
                # Soon after an instant of the grid, so that the time is over before the next one.
                connection.execute(COUNT, [41])
                connection.execute(COUNT, [41])
            self.assertGreater(time.monotonic() - start, 0.05)
            connection.execute("SET statement_timeout = 0")
            notices = []
            connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
            connection.execute(COUNT, [41])
            self.assertTrue(notices[0].startswith("cost nothing"), notices)
            with self.assertRaises(psycopg.errors.InvalidParameterValue):
                connection.execute("SET statement_timeout = 'soon'")

    def test_a_wrong_parameter_is_named_with_its_type(self):
        with self.connect() as connection:
            for place, wrong, said in (("%t", "x", "parameter $2 is not a value of type bigint"),
                                       ("%t", [1, 2], "parameter $2 is of type smallint[], and one value stands there"),
                                       ("%b", [1, 2], "parameter $2 is of type smallint[], and one value stands there")):
                with self.assertRaises(psycopg.Error) as caught:
                    connection.execute(f"SELECT count(*) FROM people WHERE age > %s AND age < {place}", [3, wrong])
                self.assertEqual(caught.exception.diag.message_primary, said)
            connection.execute("PREPARE dated(int, date) AS SELECT count(*) FROM people WHERE age > $1 AND seen > $2")
            with self.assertRaises(psycopg.errors.InvalidTextRepresentation) as caught:
                connection.execute("EXECUTE dated(3, 'soon')")
            self.assertEqual(caught.exception.diag.message_primary, "parameter $2 is not a value of type date")

    def test_parameters_do_not_change_the_plan(self):
        with self.connect() as connection:
            asked = "SELECT count(*) * %s AS n, %s AS same FROM people"
            for value in (decimal.Decimal("1.25"), decimal.Decimal("100000000000000000000.5"), decimal.Decimal("3")):
                for binary in (False, True):
                    row = connection.execute(asked, [value, value], prepare=True, binary=binary)
                    self.assertEqual([column.type_code for column in row.description], [1700, 1700])
                    self.assertEqual(row.fetchone()[1], value)
            connection.execute("PREPARE of_dates(date) AS SELECT $1 AS day, count(*) FROM people")
            self.assertEqual(connection.execute("EXECUTE of_dates('2024-02-29')").fetchone()[0], datetime.date(2024, 2, 29))
            self.assertIsNone(connection.execute("EXECUTE of_dates(NULL)").fetchone()[0])

    def test_a_setting_that_changes_the_columns_changes_the_plan(self):
        with self.connect() as connection:
            connection.execute("PREPARE counted AS SELECT count(*) FROM people")
            connection.execute("EXECUTE counted")
            connection.execute("SET tacit.intervals = on")
            with self.assertRaises(psycopg.errors.FeatureNotSupported) as caught:
                connection.execute("EXECUTE counted")
            self.assertEqual(caught.exception.diag.message_primary, "cached plan must not change result type")

    def test_cursors_end_with_what_declared_them(self):
        hold, plain = "DECLARE c CURSOR WITH HOLD FOR SELECT 1", "DECLARE c CURSOR FOR SELECT 1"
        for steps, lives in ((["BEGIN", plain, "COMMIT"], False), (["BEGIN", plain, "ROLLBACK"], False),
                             (["BEGIN", hold, "COMMIT"], True), (["BEGIN", hold, "ROLLBACK"], False),
                             ([hold, "BEGIN", "ROLLBACK"], True), (["BEGIN", hold, "SELEC", "COMMIT"], False),
                             (["BEGIN", plain, "ROLLBACK AND CHAIN"], False),
                             (["BEGIN", "SAVEPOINT s", plain, "ROLLBACK TO s"], False),
                             (["BEGIN", plain, "SAVEPOINT s", "FETCH 0 c", "ROLLBACK TO s"], True),
                             (["BEGIN", "SAVEPOINT s", plain, "RELEASE s"], True),
                             (["BEGIN", "SAVEPOINT s", "SAVEPOINT t", hold, "RELEASE t", "ROLLBACK TO s"], False)):
            with self.subTest(steps), self.connect() as connection:
                for step in steps:
                    try:
                        connection.execute(step)
                    except psycopg.errors.SyntaxError:
                        self.assertEqual(step, "SELEC")
                if lives:
                    self.assertEqual(connection.execute("FETCH c").fetchone(), (1,))
                else:
                    with self.assertRaises(psycopg.errors.InvalidCursorName):
                        connection.execute("FETCH c")

    def test_more_than_six_executions_are_prepared_and_stay_the_same(self):
        with self.connect() as connection:
            answers = {connection.execute(COUNT, [33]).fetchone()[0] for _ in range(10)}
            self.assertEqual(len(answers), 1)

    def test_errors_have_their_class_and_do_not_end_the_session(self):
        with self.connect() as connection:
            for sql, error in (("SELECT age FROM people", psycopg.errors.InsufficientPrivilege),
                               ("SELECT count(*) FROM nowhere", psycopg.errors.UndefinedTable),
                               ("SELECT count(*) FROM people WHERE nothing = 1", psycopg.errors.UndefinedColumn),
                               ("SELECT 1 +", psycopg.errors.SyntaxError),
                               ("DELETE FROM people", psycopg.errors.ReadOnlySqlTransaction)):
                with self.assertRaises(error, msg=sql):
                    connection.execute(sql)
                with self.assertRaises(error, msg=sql):
                    connection.execute(sql, [])
            self.assertIsNotNone(connection.execute(COUNT, [40]).fetchone())

    def test_transactions_fail_and_end_as_in_postgres(self):
        with psycopg.connect(self.gateway.dsn()) as connection:
            with self.assertRaises(psycopg.errors.InsufficientPrivilege):
                connection.execute("SELECT age FROM people")
            with self.assertRaises(psycopg.errors.InFailedSqlTransaction):
                connection.execute(COUNT, [40])
            connection.rollback()
            with connection.transaction():
                connection.execute(COUNT, [40])
                with self.assertRaises(psycopg.errors.UndefinedTable):
                    with connection.transaction():
                        connection.execute("SELECT count(*) FROM nowhere")
                connection.execute(COUNT, [40])

    def test_pipeline_mode(self):
        with self.connect() as connection:
            with connection.pipeline():
                cursors = [connection.execute(COUNT, [age]) for age in (40, 41, 42)]
            first = [cursor.fetchone()[0] for cursor in cursors]
            self.assertEqual(first, [connection.execute(COUNT, [age]).fetchone()[0] for age in (40, 41, 42)])
            with self.assertRaises(psycopg.errors.InsufficientPrivilege):
                with connection.pipeline() as pipeline:
                    connection.execute(COUNT, [40])
                    connection.execute("SELECT age FROM people")
                    connection.execute(COUNT, [40])
                    pipeline.sync()
            self.assertIsNotNone(connection.execute(COUNT, [40]).fetchone())

    def test_server_side_cursors(self):
        with psycopg.connect(self.gateway.dsn()) as connection:
            with connection.cursor(name="pieces") as cursor:
                cursor.execute("SELECT sex, count(*) FROM people GROUP BY sex ORDER BY sex")
                self.assertEqual([row[0] for row in cursor.fetchmany(2)], ["F", "M"])
                self.assertEqual([row[0] for row in cursor.fetchall()], ["X"])
            with connection.cursor(name="none", binary=True) as cursor:
                cursor.execute(COUNT, [40])
                self.assertIsInstance(cursor.fetchone()[0], int)

    def test_async(self):
        async def ask():
            async with await psycopg.AsyncConnection.connect(self.gateway.dsn(), autocommit=True) as connection:
                cursor = await connection.execute(COUNT, [40])
                return (await cursor.fetchone())[0]

        async def both():
            return await asyncio.gather(ask(), ask())

        first, second = asyncio.run(both())
        self.assertEqual(first, second)

    def test_two_analysts_get_the_same_stored_answer_and_both_pay(self):
        with self.connect("ana") as ana, self.connect("bob") as bob:
            notices = []
            bob.add_notice_handler(lambda notice: notices.append(notice.message_primary))
            sql = "SELECT count(*) FROM people WHERE age > 71"
            self.assertEqual(ana.execute(sql).fetchone(), bob.execute(sql).fetchone())
            self.assertTrue(notices[0].startswith("cost 0.1 of your 50"), notices)

    def test_a_replay_says_the_same_however_often_until_something_was_charged(self):
        with Gateway(TACIT) as gateway, psycopg.connect(gateway.dsn("ana"), autocommit=True) as ana:
            notices = []
            ana.add_notice_handler(lambda notice: notices.append(notice.message_primary))
            ana.prepare_threshold = None  # a prepared one keeps its columns
            sql = "SELECT count(*) FROM people WHERE age > 72"
            answers = {ana.execute(sql).fetchone() for _ in range(5)}
            self.assertEqual(len(answers), 1)
            self.assertTrue(notices[0].startswith("cost 0.1 of your 50"), notices)
            self.assertEqual(len(set(notices[1:])), 1, notices)
            self.assertIn("49.9 left", notices[1])
            ana.execute("SELECT count(*) FROM people WHERE age > 73")
            self.assertIn(ana.execute(sql).fetchone(), answers)
            self.assertIn("49.8 left", notices[-1])
            # Settings are part of the question, also of one that was asked often.
            ana.execute("SET tacit.intervals = on")
            self.assertEqual(len(ana.execute(sql).fetchone()), 3)
            gateway.write_policy(ana_epsilon="40")
            gateway.process.send_signal(signal.SIGHUP)
            for _ in range(1200):  # under ThreadSanitizer a reload takes its time
                if "reloaded" in gateway.log_text():
                    break
                time.sleep(0.1)
            ana.execute("SET tacit.intervals = off")
            self.assertIn(ana.execute(sql).fetchone(), answers)
            self.assertIn("39.8 left", notices[-1])

    def test_clients_who_race_for_the_last_epsilon_never_overspend(self):
        with Gateway(TACIT, epsilon="1", ana_epsilon="1") as gateway:
            outcomes = []

            def race(client):
                with psycopg.connect(gateway.dsn("ana" if client % 2 else "bob"), autocommit=True) as connection:
                    for question in range(4):
                        try:
                            connection.execute(COUNT + " AND age <> %s", [client, 1000 + question])
                            outcomes.append("answered")
                        except psycopg.errors.ConfigurationLimitExceeded:
                            outcomes.append("exhausted")

            threads = [threading.Thread(target=race, args=[client]) for client in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(outcomes.count("answered"), 10, outcomes)
            self.assertEqual(len(outcomes), 64)
            verified = gateway.run("ledger", "verify", gateway.folder)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)

    def test_answers_leave_on_the_grid(self):
        with Gateway(TACIT, grid=1000) as gateway:
            with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                moments = []
                for age in range(7):
                    try:
                        connection.execute(COUNT, [age]) if age % 2 else connection.execute("SELECT count(*) FROM people WHERE 1 / (age - age) > %s" % age)
                    except psycopg.Error:
                        pass
                    moments.append(time.monotonic())
                # Each waits for an instant of its own. A busy machine may see some of them late, and
                # none early: most are a whole number of seconds apart.
                self.assertGreater(moments[-1] - moments[0], len(moments) - 2, moments)
                apart = [abs((one - other + 0.5) % 1 - 0.5) for one in moments for other in moments]
                near = [sum(distance < 0.2 for distance in apart[first : first + len(moments)])
                        for first in range(0, len(apart), len(moments))]
                self.assertGreaterEqual(max(near), 5, moments)

    def test_cancel_ends_the_waiting_and_keeps_the_charge(self):
        with Gateway(TACIT, grid=1500) as gateway:  # the answer waits for its instant: long enough to cancel it
            with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                connection.cancel()  # nothing runs: nothing happens
                before = gateway.ledger()
                connection.execute("EXPLAIN SELECT count(*) FROM people")  # leaves at an instant: the next is far
                timer = threading.Timer(0.3, connection.cancel)
                timer.start()
                with self.assertRaises(psycopg.errors.QueryCanceled):
                    connection.execute(COUNT, [1])
                timer.join()
                notices = []
                connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
                connection.execute(COUNT, [1])  # waits for the answer under way, which was paid
                self.assertTrue(notices[0].startswith("cost nothing"), notices)
                self.assertEqual(gateway.ledger().count("\n"), before.count("\n") + 4)  # terms, two budgets, one charge

    def test_a_prepared_statement_is_judged_again_under_a_new_policy(self):
        with Gateway(TACIT) as gateway:
            with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
                sql = "SELECT count(*) FROM people WHERE town = %s"
                connection.execute(sql, ["north"], prepare=True)
                connection.execute(sql, ["north"], prepare=True)
                policy = (gateway.folder / "tacit.yaml").read_text()
                (gateway.folder / "tacit.yaml").write_text(policy.replace("town: {}", "town: {hidden: true}"))
                gateway.process.send_signal(signal.SIGHUP)
                for _ in range(600):
                    if any(event["event"] == "reloaded" for event in gateway.log_events()):
                        break
                    time.sleep(0.1)
                with self.assertRaises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(sql, ["north"], prepare=True)

    def test_a_stop_lets_the_answer_under_way_finish(self):
        gateway = Gateway(TACIT, grid=1500).start()
        with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
            answers = []
            thread = threading.Thread(target=lambda: answers.append(connection.execute(COUNT, [40]).fetchone()))
            thread.start()
            time.sleep(0.4)
            self.assertEqual(gateway.stop(), 0)
            thread.join()
            self.assertEqual(len(answers), 1)
        gateway.scratch.cleanup()


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
