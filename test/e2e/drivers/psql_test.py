#!/usr/bin/env python3
"""psql 15 against tacit serve. usage: psql_test.py TACIT"""
import re
import signal
import socket
import ssl
import struct
import subprocess
import sys
import time
import unittest

from gateway import Gateway

TACIT = ""
COUNT = "SELECT count(*) AS n FROM people WHERE age > 40"


class PsqlTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT).start()

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def ask(self, *commands, **more):
        done = self.gateway.psql(*commands, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_a_query_is_answered_charged_and_explained_in_a_notice(self):
        done = self.ask(COUNT, flags=["-At"])
        self.assertRegex(done.stdout, r"^-?\d+\n$")
        self.assertRegex(done.stderr, r"NOTICE:  00000: cost 0.1 of your 50; [0-9.]+ left. "
                         r"95 % of answers like this are within 30 of the truth.")
        before = self.gateway.ledger()
        again = self.ask(COUNT, flags=["-At"])
        self.assertEqual(again.stdout, done.stdout)
        self.assertIn("cost nothing: this is the stored answer", again.stderr)
        self.assertEqual(self.gateway.ledger(), before)

    def test_a_model_is_learned_explained_and_free_afterwards(self):
        line = "SELECT * FROM tacit.linear_regression('SELECT age, sex = ''F'' AS female FROM people', target => 'age')"
        before = self.gateway.ledger()
        told = self.ask("SET tacit.epsilon = 1", "EXPLAIN " + line, flags=["-Atq"])
        self.assertIn("noise of the coefficients", told.stdout)
        self.assertEqual(self.gateway.ledger(), before)
        done = self.ask("SET tacit.epsilon = 1", line, flags=["-Atq"])
        self.assertEqual([row.split("|")[0] for row in done.stdout.splitlines()], ["(constant)", "female"])
        self.assertEqual({row.count("|") for row in done.stdout.splitlines()}, {5})
        before = self.gateway.ledger()
        again = self.ask("SET tacit.epsilon = 1", line, flags=["-Atq"])
        self.assertEqual(again.stdout, done.stdout)
        moments = self.ask("SET tacit.epsilon = 1", "SELECT * FROM tacit.moments('SELECT age, sex = ''F'' AS female FROM people')", flags=["-Atq"])
        self.assertEqual(len(moments.stdout.splitlines()), 6)
        self.assertEqual(self.gateway.ledger(), before)
        for sql, state in (("SELECT * FROM tacit.linear_regression('SELECT age, pay FROM people', target => 'age')", "42501"),
                           ("SELECT * FROM tacit.linear_regression('SELECT age, town FROM people', target => 'age')", "42501"),
                           ("SELECT * FROM tacit.pca()", "42601")):
            refused = self.gateway.psql(sql)
            self.assertEqual(refused.returncode, 1, sql)
            self.assertIn(f"ERROR:  {state}:", refused.stderr, sql)
        self.assertEqual(self.gateway.ledger(), before)

    def test_a_refusal_has_its_state_place_and_hint_and_costs_nothing(self):
        before = self.gateway.ledger()
        for sql, state in (("SELECT age FROM people", "42501"), ("SELECT sum(pay) FROM people", "42501"),
                           ("SELECT count(*) FROM nowhere", "42P01"), ("SELECT count(nothing) FROM people", "42703"),
                           ("SELEC 1", "42601"), ("SELECT string_agg(town, ',') FROM people", "0A000"),
                           ("CREATE TABLE x (a int)", "25006"), ("INSERT INTO people VALUES (1)", "25006"),
                           ("COPY people TO STDOUT", "0A000"), ("SET nothing = 1", "42704"),
                           ("SHOW nothing", "42704"), ("SET tacit.epsilon = 'much'", "22023"),
                           ("FETCH 1 FROM nothing", "34000"), ("DEALLOCATE nothing", "26000"),
                           ("SET SESSION AUTHORIZATION bob", "42501")):
            done = self.gateway.psql(sql)
            self.assertEqual(done.returncode, 1, sql)
            self.assertIn(f"ERROR:  {state}:", done.stderr, sql)
        done = self.gateway.psql("SELECT count(*),\n  sum(pay) FROM people")
        self.assertRegex(done.stderr, r"LINE 2:   sum\(pay\) FROM people\n +\^\nHINT:  ")
        self.assertEqual(self.gateway.ledger(), before)

    def test_settings_change_the_price_and_go_back_with_the_transaction(self):
        done = self.ask("SET tacit.epsilon = 0.5", "SHOW tacit.epsilon", "EXPLAIN " + COUNT, flags=["-At"])
        self.assertIn("0.5\n", done.stdout)
        self.assertRegex(done.stdout, r"0\.5")
        done = self.ask("BEGIN", "SET tacit.epsilon = 0.7", "ROLLBACK", "SHOW tacit.epsilon", flags=["-At"])
        self.assertTrue(done.stdout.endswith("ROLLBACK\n0.1\n"), done.stdout)
        done = self.ask("SET tacit.intervals = on", COUNT, flags=["-A"])
        self.assertIn("n|n_low|n_high", done.stdout)
        done = self.ask("SET tacit.nonnegative = on", COUNT, "RESET tacit.nonnegative", COUNT)
        self.assertEqual(done.stderr.count("is shown as 0, as you asked"), 1, done.stderr)
        done = self.gateway.psql("SET tacit.epsilon = 2", COUNT)
        self.assertIn("ERROR:  42501:", done.stderr)
        done = self.ask("SHOW tacit.epsilon", options="-c tacit.epsilon=0.25", flags=["-At"])
        self.assertEqual(done.stdout, "0.25\n")

    def test_several_statements_at_once_are_judged_before_the_first_runs(self):
        before = self.gateway.ledger()
        done = self.gateway.psql(COUNT + " AND sex = 'F'; SELECT age FROM people")
        self.assertIn("ERROR:  42501:", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.gateway.ledger(), before)
        done = self.ask(COUNT + "; SHOW server_version; SELECT count(*) FROM people", flags=["-At"])
        self.assertEqual(len(done.stdout.splitlines()), 3)

    def test_prepare_and_execute_as_in_postgres(self):
        prepare = "PREPARE over (int) AS SELECT count(*) AS n FROM people WHERE age > $1"
        before = self.gateway.ledger()
        self.assertEqual(self.ask(prepare, flags=["-At"]).stdout, "PREPARE\n")
        self.assertEqual(self.gateway.ledger(), before)
        plain = self.ask("SELECT count(*) AS n FROM people WHERE age > 33", flags=["-At"]).stdout
        done = self.ask(prepare, "EXECUTE over (33)", "EXECUTE over ('33')", "DEALLOCATE over", flags=["-Atq"])
        self.assertEqual(done.stdout, plain * 2)
        for commands, state in (((prepare, "EXECUTE over"), "42601"), ((prepare, "EXECUTE over (1 + 1)"), "0A000"),
                                (("EXECUTE nothing",), "26000"), ((prepare, prepare), "42P05"),
                                (("PREPARE rows AS SELECT age FROM people",), "42501"),
                                (("PREPARE odd (point) AS SELECT count(*) FROM people",), "42704")):
            done = self.gateway.psql(*commands)
            self.assertIn(f"ERROR:  {state}:", done.stderr, commands)

    def test_copy_as_psql_sends_it(self):
        rows = self.ask("SELECT sex, count(*) FROM people GROUP BY sex ORDER BY sex", flags=["-At", "-F", ","]).stdout
        done = self.ask("\\copy (SELECT sex, count(*) FROM people GROUP BY sex ORDER BY sex) TO STDOUT WITH CSV")
        self.assertEqual(done.stdout, rows)
        done = self.gateway.psql("COPY (SELECT sum(pay) FROM people) TO STDOUT")
        self.assertRegex(done.stderr, r"LINE 1: COPY \(SELECT sum\(pay\) FROM people\) TO STDOUT\n +\^\nHINT")

    def test_a_failed_transaction_refuses_until_it_ends(self):
        done = subprocess.run(["psql", "-X", "-At", "-v", "VERBOSITY=sqlstate", self.gateway.dsn()],
                              input=f"BEGIN;\nSELECT age FROM people;\n{COUNT};\nSAVEPOINT a;\nCOMMIT;\nSHOW server_encoding;\n",
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(re.findall(r"ERROR:  (\w+)", done.stderr), ["42501", "25P02", "25P02"])
        self.assertEqual(done.stdout, "BEGIN\nROLLBACK\nUTF8\n")

    def test_cursors_read_in_pieces_and_psql_fetch_count(self):
        sql = "SELECT sex, count(*) AS n FROM people GROUP BY sex ORDER BY sex"
        done = self.ask("BEGIN", f"DECLARE c CURSOR FOR {sql}", "FETCH 2 FROM c", "FETCH ALL FROM c", "CLOSE c", "COMMIT",
                        flags=["-At"])
        self.assertEqual([line.split("|")[0] for line in done.stdout.splitlines()],
                         ["BEGIN", "DECLARE CURSOR", "F", "M", "X", "CLOSE CURSOR", "COMMIT"])
        done = self.ask(sql, flags=["-At", "-v", "FETCH_COUNT=2"])
        self.assertEqual([line[0] for line in done.stdout.splitlines()], ["F", "M", "X"])
        self.assertIn("25P01", self.gateway.psql(f"DECLARE c CURSOR FOR {sql}").stderr)

    def test_probes_without_rows_are_free_and_hidden_columns_are_not_there(self):
        before = self.gateway.ledger()
        done = self.ask("SELECT * FROM people LIMIT 0", flags=["-A"])
        self.assertEqual(done.stdout, "age|sex|town|pay|seen\n(0 rows)\n")
        done = self.ask("SELECT TRUE FROM people WHERE 1 <> 1 LIMIT 0", "SELECT age, town FROM people WHERE 1 = 0", flags=["-A"])
        self.assertIn("(0 rows)", done.stdout)
        self.assertEqual(self.gateway.ledger(), before)
        done = self.ask("SELECT count(*) FROM people WHERE 1 = 0", flags=["-At"])
        self.assertRegex(done.stdout, r"^-?\d+\n$")  # one row, with noise: a count of nobody

    def test_gdesc_tells_the_shape_without_a_charge(self):
        before = self.gateway.ledger()
        done = subprocess.run(["psql", "-X", "-At", self.gateway.dsn()], input="SELECT sex, count(*) FROM people GROUP BY sex \\gdesc\n",
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(self.gateway.ledger(), before)
        self.assertEqual(done.stdout, "sex|text\ncount|bigint\n")

    def test_a_wrong_password_and_an_unknown_name_look_the_same(self):
        texts = []
        for analyst, password in (("ana", "wrong"), ("nobody", "wrong")):
            done = subprocess.run(["psql", "-X", self.gateway.dsn(user=analyst, password=password), "-c", "SELECT 1"],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2)
            texts.append(done.stderr.replace(analyst, "X"))
        self.assertIn("password authentication failed", texts[0])
        self.assertEqual(texts[0], texts[1])

    def test_passwords_beyond_ascii_and_channel_binding(self):
        self.ask("SHOW is_superuser", analyst="bob")
        self.ask("SHOW is_superuser", channel_binding="require")

    def test_without_tls_nobody_is_asked_for_a_password(self):
        done = self.gateway.psql("SELECT 1", sslmode="disable")
        self.assertEqual(done.returncode, 2)
        self.assertIn("TLS only", done.stderr)

    def test_budget_exhausted_is_53400(self):
        with Gateway(TACIT, ana_epsilon="0.15") as small:
            self.assertEqual(small.psql(COUNT).returncode, 0)
            before = small.ledger()
            done = small.psql(COUNT + " AND sex = 'F'")
            self.assertIn("ERROR:  53400:", done.stderr)
            self.assertEqual(small.ledger(), before)
            self.assertEqual(small.psql(COUNT).returncode, 0)

    def test_logs_hold_no_question_and_no_answer(self):
        answer = self.ask(COUNT + " AND town = 'north'", flags=["-At"]).stdout.strip()
        log = self.gateway.log_text()
        for word in ("people", "town", "north", "SELECT", "correct horse", "SCRAM-SHA", f'"{answer}"'):
            self.assertNotIn(word, log)
        self.assertTrue(any(event["event"] == "question" for event in self.gateway.log_events()))

    def test_backslash_commands_show_what_may_be_asked_about(self):
        done = self.ask("\\d", flags=["-At"])
        self.assertIn("people", done.stdout)
        done = self.ask("\\d people", flags=["-At"])
        self.assertEqual([line.split("|")[0] for line in done.stdout.splitlines()[:5]], ["age", "sex", "town", "pay", "seen"])
        self.assertNotIn("pid", done.stdout)
        for command in ("\\dt", "\\dv", "\\dn", "\\du", "\\l", "\\df", "\\dT", "\\conninfo"):
            self.ask(command)

    def test_the_catalog_is_free_and_never_meets_people(self):
        before = self.gateway.ledger()
        done = self.ask("SELECT version()", "SELECT current_user", "SELECT 1 + 1", flags=["-At"])
        self.assertRegex(done.stdout, r"^PostgreSQL 15.*\nana\n2\n$")
        done = self.ask("SELECT scope, epsilon_budget, epsilon_spent FROM tacit.budget ORDER BY scope", flags=["-At"])
        self.assertRegex(done.stdout, r"^analyst\|50\|[0-9.]+\n$")  # and nothing of the dataset's account
        self.ask("SELECT * FROM tacit.ledger", "SELECT * FROM tacit.tables", "SELECT * FROM tacit.columns",
                 "SELECT * FROM tacit.settings")
        done = self.gateway.psql("SELECT count(*) FROM people, pg_class")
        self.assertRegex(done.stderr, r"ERROR:  (42501|0A000|42P01):")
        self.assertEqual(self.gateway.ledger(), before)

    def test_hup_takes_a_good_policy_and_leaves_the_old_one_for_a_bad_one(self):
        with Gateway(TACIT) as gateway:
            self.assertIn("of your 50", gateway.psql(COUNT).stderr)
            gateway.write_policy(ana_epsilon="40")
            gateway.process.send_signal(signal.SIGHUP)
            self.wait_for(gateway, "reloaded")
            self.assertIn("of your 40", gateway.psql(COUNT + " AND sex = 'F'").stderr)
            (gateway.folder / "tacit.yaml").write_text("tacit: 1\nnonsense: true\n")
            gateway.process.send_signal(signal.SIGHUP)
            self.wait_for(gateway, "reload_refused")
            self.assertIn("of your 40", gateway.psql(COUNT + " AND sex = 'M'").stderr)

    def wait_for(self, gateway, event):
        for _ in range(600):
            if any(line["event"] == event for line in gateway.log_events()):
                return
            time.sleep(0.1)
        self.fail(f"no {event} in {gateway.log_text()}")


class RawTest(unittest.TestCase):
    """Bytes that no driver sends."""

    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT).start()

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.gateway.port), timeout=30)

    def inside_tls(self, plain):
        plain.sendall(struct.pack("!ii", 8, 80877103))
        self.assertEqual(plain.recv(1), b"S")
        context = ssl.create_default_context(cafile=str(self.gateway.folder / "server.crt"))
        return context.wrap_socket(plain, server_hostname="localhost")

    def test_lengths_that_cannot_be_are_the_end(self):
        for head in (b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\x00\x00\x00\x00", b"\x00\x00\x00\x07"):
            with self.connect() as plain:
                plain.sendall(head + b"\x00" * 8)
                self.assertEqual(plain.recv(100), b"")

    def test_bytes_behind_the_wish_for_tls_are_the_end(self):
        with self.connect() as plain:
            plain.sendall(struct.pack("!ii", 8, 80877103) + b"\x00\x00\x00\x08\x04\xd2\x16\x2f")
            self.assertEqual(plain.recv(100), b"")

    def test_a_query_before_the_password_is_refused(self):
        with self.connect() as plain, self.inside_tls(plain) as tls:
            body = struct.pack("!i", 3 << 16) + b"user\0ana\0database\0clinic\0\0"
            tls.sendall(struct.pack("!i", 4 + len(body)) + body)
            self.assertEqual(tls.recv(1), b"R")
            query = b"SELECT count(*) FROM people\0"
            tls.sendall(b"Q" + struct.pack("!i", 4 + len(query)) + query)
            rest = b""
            while part := tls.recv(4096):
                rest += part
            self.assertIn(b"C08P01", rest)
            self.assertNotIn(b"\0\0\0\0\x08\0\0\0\0", rest)  # no AuthenticationOk

    def test_gss_is_declined_and_cancel_of_nobody_is_silent(self):
        with self.connect() as plain:
            plain.sendall(struct.pack("!ii", 8, 80877104))
            self.assertEqual(plain.recv(1), b"N")
        with self.connect() as plain:
            plain.sendall(struct.pack("!iiii", 16, 80877102, 12345, 67890))
            self.assertEqual(plain.recv(100), b"")

    def test_newer_minor_versions_are_negotiated(self):
        with self.connect() as plain, self.inside_tls(plain) as tls:
            body = struct.pack("!i", (3 << 16) + 2) + b"user\0ana\0_pq_.wish\0yes\0\0"
            tls.sendall(struct.pack("!i", 4 + len(body)) + body)
            answer = tls.recv(4096)
            self.assertEqual(answer[:1], b"v")
            self.assertIn(b"_pq_.wish", answer)


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
