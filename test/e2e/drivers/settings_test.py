#!/usr/bin/env python3
"""What a session's settings do to answers, with psycopg and psql: zones, styles, encodings, search_path, previews, tacit.last. usage: settings_test.py TACIT"""
import sys
import time
import unittest

import psycopg

from gateway import Gateway

TACIT = ""
INSTANT = "SELECT TIMESTAMPTZ '1997-12-17 07:37:16+00' AS t"
COUNT = "SELECT sex, count(*) AS n FROM people GROUP BY sex ORDER BY sex"


class SettingsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT).start()

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def shown(self, query, *settings, **more):
        """What psql prints for the query after these settings."""
        commands = [f"SET {setting}" for setting in settings] + [query]
        ran = self.gateway.psql(*commands, flags=["-q", "-A", "-t"], **more)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.strip()

    def refused(self, *commands):
        ran = self.gateway.psql(*commands, flags=["-q", "-A", "-t"])
        self.assertNotEqual(ran.returncode, 0, ran.stdout)
        return ran.stderr

    def connect(self, **more):
        return psycopg.connect(self.gateway.dsn(**more), autocommit=True)

    def test_zones_and_styles_govern_what_is_printed(self):
        self.assertEqual(self.shown(INSTANT), "1997-12-17 07:37:16+00")
        self.assertEqual(self.shown(INSTANT, "TimeZone = 'Europe/Berlin'"), "1997-12-17 08:37:16+01")
        self.assertEqual(self.shown(INSTANT, "TIME ZONE 'asia/kolkata'", "DateStyle = 'Postgres, DMY'"), "Wed 17 Dec 13:07:16 1997 IST")
        day = "SELECT max(d) FROM (SELECT DATE '2024-05-02' AS d) x"
        self.assertEqual(self.shown(day, "DateStyle = 'German'"), "02.05.2024")
        span = "SELECT INTERVAL '1 day 02:03:00' AS i"
        self.assertEqual(self.shown(span, "IntervalStyle = 'iso_8601'"), "P1DT2H3M")
        self.assertEqual(self.shown(span, "IntervalStyle = 'postgres_verbose'"), "@ 1 day 2 hours 3 mins")
        self.assertEqual(self.shown("SELECT 0.1::real AS r"), "0.1")

    def test_a_time_without_an_offset_is_one_of_the_sessions_clocks(self):
        written = "SELECT TIMESTAMPTZ '1997-12-17 07:37:16' AS t"
        self.assertEqual(self.shown(written), "1997-12-17 07:37:16+00")
        self.assertEqual(self.shown(written, "TimeZone = 'Europe/Berlin'"), "1997-12-17 07:37:16+01")
        # In questions about people too: here it begins at midnight in Berlin, an hour before UTC's.
        asked = "SELECT count(*) FROM people WHERE seen::timestamp AT TIME ZONE 'UTC' >= {}"
        utc = "'2024-01-14 23:00:00+00'"
        with self.connect(options="-c TimeZone=Europe/Berlin") as connection:
            first = connection.execute(asked.format(utc)).fetchone()
            spent = self.gateway.spent("ana")
            for spelling in ("'2024-01-15'", "TIMESTAMPTZ '2024-01-15 00:00'", "DATE '2024-01-15'", "'2024-01-14'::date + 1",
                             "TIMESTAMP '2024-01-15 00:00'", "date_trunc('day', TIMESTAMPTZ '2024-01-15 17:00')"):
                self.assertEqual(connection.execute(asked.format(spelling)).fetchone(), first, spelling)
            self.assertEqual(connection.execute(asked.format("%s::timestamptz"), ["2024-01-15"]).fetchone(), first)
            self.assertEqual(self.gateway.spent("ana"), spent)
            connection.execute("SET TimeZone = 'UTC'")
            connection.execute(asked.format("'2024-01-15'"))
            self.assertNotEqual(self.gateway.spent("ana"), spent)

    def test_columns_with_a_zone_are_cut_by_the_sessions_clocks(self):
        """Midnight in UTC is on the same day there, and on the day before in New York: of 2,000 people, all or nobody."""
        asked = "SELECT count(*) FROM people WHERE (seen::timestamp AT TIME ZONE 'UTC')::date = seen"
        with self.connect() as connection:
            self.assertGreater(connection.execute(asked).fetchone()[0], 1500)
            spent = self.gateway.spent("ana")
            connection.execute("SET TimeZone = 'America/New_York'")
            self.assertLess(connection.execute(asked).fetchone()[0], 500)
            self.assertNotEqual(self.gateway.spent("ana"), spent)
            connection.execute("SET TimeZone = 'Etc/UTC'")
            self.assertGreater(connection.execute(asked).fetchone()[0], 1500)
            connection.execute("SET TimeZone = 'America/New_York'")
            with self.assertRaises(psycopg.errors.FeatureNotSupported):
                connection.execute("SELECT (seen::timestamp AT TIME ZONE 'UTC')::text, count(*) FROM people GROUP BY 1")

    def test_what_is_computed_from_literals_alone_costs_nothing(self):
        """The catalog answers what names no table; what it has no words for, the gateway computes."""
        spent = self.gateway.spent("ana")
        zones = ("SELECT TIMESTAMP '2024-07-01 12:00' AT TIME ZONE 'Europe/Berlin' AT TIME ZONE 'UTC' AS a, "
                 "TIMESTAMPTZ '2024-07-01 12:00+00' AT TIME ZONE 'Asia/Tokyo' AS b")
        self.assertEqual(self.shown(zones), "2024-07-01 10:00:00|2024-07-01 21:00:00")
        self.assertEqual(self.shown("SELECT date_trunc('month', DATE '2024-05-17') AS m"), "2024-05-01 00:00:00")
        with self.connect() as connection:
            for _ in range(2):
                shift = connection.execute("SELECT extract(year FROM %s::date + INTERVAL '1 year')", ["2024-05-17"]).fetchone()
                self.assertEqual(int(shift[0]), 2025)
                # What nobody knows is said as before, whoever was asked last.
                with self.assertRaises(psycopg.errors.UndefinedFunction):
                    connection.execute("SELECT no_such_function(1)")
        self.assertEqual(self.gateway.spent("ana"), spent)

    def test_now_stands_still_within_a_transaction(self):
        with self.connect() as connection:
            with connection.transaction():
                first = connection.execute("SELECT now(), current_timestamp, localtimestamp, current_date").fetchone()
                time.sleep(1.1)
                again = connection.execute("SELECT now(), current_timestamp, localtimestamp, current_date").fetchone()
                self.assertEqual(again, first)
            self.assertGreater(connection.execute("SELECT now()").fetchone()[0], first[0])

    def test_the_client_is_told_of_its_zone(self):
        with self.connect(options="-c TimeZone=europe/berlin") as connection:
            self.assertEqual(connection.info.parameter_status("TimeZone"), "Europe/Berlin")
            connection.execute("SET TimeZone = 'UTC'")
            self.assertEqual(connection.info.parameter_status("TimeZone"), "UTC")
            with self.assertRaises(psycopg.errors.InvalidParameterValue):
                connection.execute("SET TimeZone = 'Nowhere/Land'")

    def test_settings_that_would_mean_nothing_are_refused_with_what_would_pass(self):
        said = self.refused("SET client_encoding = 'SJIS'")
        self.assertIn("22023", said)
        self.assertIn("LATIN1", said)
        self.assertIn("sql_standard", self.refused("SET IntervalStyle = 'roman'"))

    def test_settings_of_a_planner_are_taken(self):
        with self.connect() as connection:
            for setting, value in (("jit", "off"), ("work_mem", "64MB"), ("geqo", "on"), ("enable_seqscan", "off"),
                                   ("default_table_access_method", "heap"), ("max_parallel_workers_per_gather", "0")):
                connection.execute(f"SET {setting} = '{value}'")
                self.assertEqual(connection.execute(f"SHOW {setting}").fetchone()[0], value)
            shown = connection.execute("SELECT setting FROM pg_show_all_settings() WHERE name = 'work_mem'").fetchone()[0]
            self.assertEqual(shown, "64MB")

    def test_texts_are_sent_in_the_clients_encoding(self):
        with self.connect(client_encoding="LATIN1") as connection:
            self.assertEqual(connection.info.encoding, "iso8859-1")
            with connection.cursor(binary=False) as cursor:
                cursor.execute("SELECT 'pässwörd' AS \"größe\"")
                self.assertEqual(cursor.fetchone()[0], "pässwörd")
                self.assertEqual(cursor.description[0].name, "größe")
                cursor.execute("SELECT %s::text", ["é"])
                self.assertEqual(cursor.fetchone()[0], "é")
            with connection.cursor(binary=True) as cursor:
                cursor.execute("SELECT %b::text", ["é"])
                self.assertEqual(cursor.fetchone()[0], "é")
            with self.assertRaises(psycopg.errors.UntranslatableCharacter):
                connection.execute("SELECT U&'\\20AC' AS euro")
            with self.assertRaisesRegex(psycopg.errors.UndefinedTable, "größe"):
                connection.execute('SELECT count(*) FROM "größe"')
        # One that is not here keeps nobody out.
        ran = self.gateway.psql("SHOW client_encoding", flags=["-q", "-A", "-t"], client_encoding="SJIS")
        self.assertEqual((ran.returncode, ran.stdout.strip()), (0, "UTF8"), ran.stderr)

    def test_search_path_decides_what_a_name_means(self):
        with self.connect() as connection:
            before = connection.execute(COUNT).fetchall()
            connection.execute("SET search_path = tacit, public")
            self.assertEqual(connection.execute("SELECT scope FROM budget").fetchone()[0], "analyst")
            self.assertEqual(connection.execute(COUNT).fetchall(), before)
            connection.execute("SET search_path = information_schema")
            self.assertIn(("people",), connection.execute("SELECT table_name FROM tables WHERE table_schema = 'public'").fetchall())
            with self.assertRaises(psycopg.errors.UndefinedTable) as wrong:
                connection.execute(COUNT)
            self.assertIn("SET search_path = public", wrong.exception.diag.message_hint)
            self.assertEqual(connection.execute(COUNT.replace("people", "public.people")).fetchall(), before)
            connection.execute("RESET search_path")
            self.assertEqual(connection.execute(COUNT).fetchall(), before)

    def test_previews_give_the_shape_and_no_row(self):
        rows = "SELECT * FROM people LIMIT 1"
        with self.connect() as connection:
            for probe in ("SELECT * FROM people WHERE 1 = 0", "SELECT age, sex FROM people LIMIT 0"):
                self.assertEqual(connection.execute(probe).fetchall(), [])
            empty = connection.execute("SELECT FROM people WHERE 1 = 0")
            self.assertEqual((empty.description or [], empty.rowcount), ([], 0))
            for wrong in (rows, "SELECT FROM people"):
                with self.assertRaises((psycopg.errors.InsufficientPrivilege, psycopg.errors.FeatureNotSupported)):
                    connection.execute(wrong)
        said = []
        with self.connect(options="-c tacit.previews=on") as connection:
            connection.add_notice_handler(lambda notice: said.append(notice.message_primary))
            spent = self.gateway.spent("ana")
            cursor = connection.execute(rows)
            self.assertEqual([column.name for column in cursor.description], ["age", "sex", "town", "pay", "seen"])
            self.assertEqual(cursor.fetchall(), [])
            self.assertIn("rows about people are not shown", said[-1])
            self.assertEqual(self.gateway.spent("ana"), spent)
            # What is refused for another reason stays refused, and no hidden column appears.
            for wrong in ("SELECT sum(pay) FROM people", "SELECT pid FROM people", "SELECT nothing FROM people"):
                with self.assertRaises(psycopg.Error, msg=wrong):
                    connection.execute(wrong)
            connection.execute("SET tacit.previews = off")
            with self.assertRaises(psycopg.errors.InsufficientPrivilege):
                connection.execute(rows)

    def test_tacit_last_says_what_the_last_answer_cost_and_how_far_it_is_off(self):
        last = "SELECT answer, column_name, mechanism, moe95, epsilon, cached, epsilon_left, receipt, notices FROM tacit.last ORDER BY position"
        asked = "SELECT sex, count(*) AS n FROM people WHERE age > 55 GROUP BY sex"
        with self.connect() as connection:
            self.assertEqual(connection.execute(last).fetchall(), [])
            connection.execute(asked)
            sex, n = connection.execute(last).fetchall()
            self.assertEqual((sex[0], sex[1], sex[2], sex[3]), (1, "sex", None, None))
            self.assertEqual((n[1], n[2], n[4], n[5]), ("n", "discrete_laplace", 0.1, False))
            self.assertGreater(n[3], 20)
            self.assertIn("95 % of answers", n[8])
            left = connection.execute("SELECT epsilon_left FROM tacit.budget").fetchone()[0]
            self.assertEqual(n[6], left)
            self.assertEqual(connection.execute("SELECT count(*) FROM tacit.ledger WHERE receipt = %s", [n[7]]).fetchone()[0], 1)
            # EXPLAIN and refusals are no answers.
            connection.execute("EXPLAIN SELECT count(*) FROM people")
            with self.assertRaises(psycopg.Error):
                connection.execute("SELECT age FROM people")
            self.assertEqual(connection.execute(last).fetchall(), [sex, n])
            connection.execute(asked)
            again = connection.execute(last).fetchall()[1]
            self.assertEqual((again[0], again[4], again[5]), (2, 0, True))
        with self.connect() as other:
            self.assertEqual(other.execute(last).fetchall(), [])

    def test_what_tools_ask_of_the_catalog(self):
        with self.connect() as connection:
            def one(sql):
                return connection.execute(sql).fetchone()
            self.assertEqual(one("SELECT '\"pg_catalog\".\"int8\"'::regtype::oid"), (20,))
            self.assertEqual(one("SELECT oidvectortypes(proargtypes) FROM pg_proc WHERE proname = 'int8in'"), ("cstring",))
            self.assertIsNotNone(one("SELECT txid_current()")[0])
            self.assertEqual(one("SELECT pg_index_column_has_property('people'::regclass, 1, 'asc')"), (None,))
            self.assertEqual(one("SELECT current_setting('default_table_access_method')"), ("heap",))
            self.assertEqual(connection.execute("SELECT FROM pg_class WHERE relname = 'people'").rowcount, 1)
            given = connection.execute("SELECT (d).grantee, (d).privilege_type FROM (SELECT aclexplode(relacl) AS d FROM pg_class "
                                       "WHERE relname = 'people') a WHERE (d).privilege_type = 'SELECT'").fetchall()
            self.assertEqual(len(given), 2)
            names = connection.execute("SELECT r.rolname FROM pg_class c, LATERAL aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee "
                                       "WHERE c.relname = 'people' AND a.privilege_type = 'SELECT' ORDER BY 1").fetchall()
            self.assertEqual(names, [("ana",), ("tacit",)])

    def test_a_wrong_parameter_is_named_with_its_type(self):
        with self.connect() as connection:
            with self.assertRaisesRegex(psycopg.Error, r"\$1.*integer"):
                connection.execute("SELECT count(*) FROM people WHERE age > %s::int", ["old"])

    def test_cursors_without_hold_end_with_their_transaction(self):
        with psycopg.connect(self.gateway.dsn()) as connection:
            connection.execute(f"DECLARE c CURSOR FOR {COUNT}")
            self.assertEqual(connection.execute("FETCH 1 FROM c").fetchone()[0], "F")
            connection.rollback()
            with self.assertRaises(psycopg.errors.InvalidCursorName):
                connection.execute("FETCH 1 FROM c")


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
