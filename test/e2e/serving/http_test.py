#!/usr/bin/env python3
"""The gateway over HTTPS, and its admin listener. usage: http_test.py TACIT"""
import base64
import http.client
import json
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import unittest

from gateway import PASSWORDS, Gateway

TACIT = ""
COUNT = "SELECT count(*) AS n FROM people WHERE age > 40"


class HttpTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT, flags=["--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"]).start()
        cls.port = int(re.search(r"https://localhost:(\d+)", cls.gateway.hello).group(1))
        cls.admin = int(re.search(r"http://localhost:(\d+)", cls.gateway.hello).group(1))

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def call(self, method, path, body=None, analyst="ana", password=None, headers=()):
        context = ssl.create_default_context(cafile=str(self.gateway.folder / "server.crt"))
        connection = http.client.HTTPSConnection("localhost", self.port, context=context, timeout=60)
        sent = dict(headers)
        if analyst:
            pair = f"{analyst}:{password or PASSWORDS[analyst]}".encode()
            sent["Authorization"] = "Basic " + base64.b64encode(pair).decode()
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        connection.request(method, path, body if body is None else json.dumps(body), sent)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        return response.status, response.getheader("Content-Type"), json.loads(text)

    def test_a_question_is_answered_charged_and_replayed(self):
        status, kind, answer = self.call("POST", "/v1/query", {"sql": COUNT, "epsilon": 0.2})
        self.assertEqual((status, kind), (200, "application/json"))
        self.assertEqual(answer["columns"], [{"name": "n", "type": "bigint"}])
        self.assertEqual(answer["privacy"]["epsilon"], 0.2)
        before = self.gateway.ledger()
        again = self.call("POST", "/v1/query", {"sql": COUNT, "epsilon": 0.2})[2]
        self.assertEqual(again["rows"], answer["rows"])
        self.assertTrue(again["privacy"]["cached"])
        self.assertEqual(self.gateway.ledger(), before)

    def test_a_workload_is_bought_at_once_and_free_afterwards(self):
        older, oldest = ("SELECT count(*) AS n FROM people WHERE age > " + age for age in ("71", "72"))
        status, _, bought = self.call("POST", "/v1/workload", {"sql": f"{older}; {oldest};", "epsilon": 0.1})
        self.assertEqual(status, 200, bought)
        self.assertEqual([row[3] for row in bought["rows"]], [older, oldest])
        before = self.gateway.ledger()
        for sql in (older, oldest):
            self.assertTrue(self.call("POST", "/v1/query", {"sql": sql})[2]["privacy"]["cached"])
        self.assertEqual(self.gateway.ledger(), before)
        self.assertEqual(self.call("POST", "/v1/workload", {"sql": "SELECT 1; DROP TABLE people"})[0], 422)

    def test_a_model_is_an_answer_and_explained(self):
        sql = "SELECT * FROM tacit.linear_regression('SELECT age, town = ''north'' AS north FROM people', target => 'age')"
        status, _, told = self.call("POST", "/v1/explain", {"sql": sql, "epsilon": 1})
        self.assertEqual((status, told["cost"]["epsilon"]), (200, 1), told)
        status, _, answer = self.call("POST", "/v1/query", {"sql": sql, "epsilon": 1})
        self.assertEqual((status, [row[0] for row in answer["rows"]]), (200, ["(constant)", "north"]), answer)
        self.assertTrue(self.call("POST", "/v1/query", {"sql": sql, "epsilon": 1})[2]["privacy"]["cached"])

    def test_explain_is_free(self):
        before = self.gateway.ledger()
        status, _, plan = self.call("POST", "/v1/explain", {"sql": "SELECT avg(age) FROM people"})
        self.assertEqual(status, 200)
        self.assertIn("releases", plan)
        self.assertEqual(self.gateway.ledger(), before)

    def test_an_idempotency_key_is_charged_once(self):
        key = [("Idempotency-Key", "one")]
        sql = {"sql": "SELECT count(*) FROM people WHERE age > 55"}
        first = self.call("POST", "/v1/query", sql, headers=key)[2]
        before = self.gateway.ledger()
        self.assertEqual(self.call("POST", "/v1/query", sql, headers=key)[2]["rows"], first["rows"])
        self.assertEqual(self.gateway.ledger(), before)
        status = self.call("POST", "/v1/query", {"sql": "SELECT count(*) FROM people"}, headers=key)[0]
        self.assertEqual(status, 400, "the key belongs to another question")
        self.assertEqual(self.gateway.ledger(), before)

    def test_a_key_belongs_to_its_price_and_form(self):
        key = [("Idempotency-Key", "priced")]
        sql = "SELECT count(*) FROM people WHERE age > 56"
        first = self.call("POST", "/v1/query", {"sql": sql, "epsilon": 0.2}, headers=key)[2]
        before = self.gateway.ledger()
        for other in ({"epsilon": 0.1}, {"epsilon": 0.3}, {"error": 40}, {"epsilon": 0.2, "intervals": True},
                      {"epsilon": 0.2, "nonnegative": True}, {}):
            self.assertEqual(self.call("POST", "/v1/query", {"sql": sql, **other}, headers=key)[0], 400, other)
        again = self.call("POST", "/v1/query", {"sql": sql, "epsilon": "0.20"}, headers=key)[2]
        self.assertEqual(again["rows"], first["rows"])
        self.assertEqual(self.gateway.ledger(), before)

    def test_what_another_analyst_asked_is_not_to_be_seen(self):
        body = {"sql": "SELECT count(*) FROM people WHERE age > 57", "epsilon": 0.2}
        fresh = {"sql": "SELECT count(*) FROM people WHERE age > 58", "epsilon": 0.2}
        self.call("POST", "/v1/query", body)
        self.assertTrue(self.call("POST", "/v1/explain", body)[2]["cached"])
        known, unknown = (self.call("POST", "/v1/explain", each, analyst="bob")[2] for each in (body, fresh))
        self.assertEqual((known["cached"], unknown["cached"]), (False, False))
        self.assertFalse(self.call("POST", "/v1/query", body, analyst="bob")[2]["privacy"]["cached"])
        self.assertTrue(self.call("POST", "/v1/query", body, analyst="bob")[2]["privacy"]["cached"])

    def test_a_wrong_password_takes_its_time_holds_nobody_up_and_is_logged(self):
        def failed():
            return [line for line in self.gateway.log_events() if line["event"] == "login_failed"]
        before = len(failed())
        start = time.monotonic()
        status, _, problem = self.call("GET", "/v1/budget", password="wrong")
        self.assertGreaterEqual(time.monotonic() - start, 0.3)
        self.assertEqual((status, problem["type"]), (401, "urn:tacit:unauthorized"))
        self.assertEqual(len(failed()), before + 1)
        self.assertEqual(failed()[-1]["condition"], "invalid_password")
        self.assertTrue(failed()[-1]["remote"])
        self.assertEqual(self.call("GET", "/v1/budget", analyst=None)[0], 401)
        self.assertEqual(len(failed()), before + 1, "who has not tried has not failed")

    def test_refusals_are_problem_documents_and_cost_nothing(self):
        before = self.gateway.ledger()
        for body, wanted in (({"sql": "SELECT age FROM people"}, 422), ({"sql": "SELECT count(*) FROM no"}, 422),
                             ({"sql": "SELEC"}, 422), ({"sql": COUNT, "epsilon": 5}, 422), ({}, 400),
                             ({"sql": COUNT, "epsilon": "nan"}, 400), ({"sql": COUNT, "more": 1}, 400)):
            status, kind, problem = self.call("POST", "/v1/query", body)
            self.assertEqual((status, kind), (wanted, "application/problem+json"), body)
            self.assertEqual(problem["status"], wanted)
            self.assertTrue(problem["detail"])
        problem = self.call("POST", "/v1/query", {"sql": "SELECT sum(pay) FROM people"})[2]
        self.assertEqual(problem["position"], 7)
        self.assertIn("hint", problem)
        self.assertEqual(self.gateway.ledger(), before)

    def test_nobody_gets_in_without_a_password_and_nobody_sees_another(self):
        self.assertEqual(self.call("GET", "/v1/budget", analyst=None)[0], 401)
        self.assertEqual(self.call("GET", "/v1/budget", password="wrong")[0], 401)
        self.call("POST", "/v1/query", {"sql": "SELECT count(*) FROM people WHERE age > 60"}, analyst="bob")
        own = self.call("GET", "/v1/ledger", analyst="bob")[2]
        self.assertEqual(own["analyst"], "bob")
        self.assertTrue(own["charges"])
        self.assertEqual([charge["sequence"] for charge in own["charges"]], list(range(1, len(own["charges"]) + 1)))
        others = {charge["receipt"] for charge in self.call("GET", "/v1/ledger")[2]["charges"]}
        self.assertFalse(others & {charge["receipt"] for charge in own["charges"]})

    def test_tables_show_no_hidden_column(self):
        tables = self.call("GET", "/v1/tables")[2]["tables"]
        names = [column["name"] for column in tables[0]["columns"]]
        self.assertEqual(names, ["age", "sex", "town", "pay", "seen"])

    def test_the_last_epsilon_goes_to_one(self):
        with Gateway(TACIT, epsilon="0.1", ana_epsilon="0.1", flags=["--http", "127.0.0.1:0"]) as gateway:
            port = int(re.search(r"https://localhost:(\d+)", gateway.hello).group(1))
            here, self.port, there = self.gateway, port, self.port
            type(self).gateway = gateway
            statuses = []
            threads = [threading.Thread(target=lambda i=i: statuses.append(
                self.call("POST", "/v1/query", {"sql": f"SELECT count(*) FROM people WHERE age > {i}"})[0]))
                       for i in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            type(self).gateway, self.port = here, there
            self.assertEqual(sorted(statuses), [200] + [403] * 7)

    def test_curl_as_the_greeting_shows_it(self):
        done = subprocess.run(["curl", "-sS", "--cacert", str(self.gateway.folder / "server.crt"), "-u",
                               "ana:" + PASSWORDS["ana"], f"https://localhost:{self.port}/v1/budget"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["accounting"], "pure")

    def test_curl_as_the_documentation_shows_it(self):
        page = pathlib.Path(__file__).parents[3] / "docs" / "connecting.md"
        shown = re.search(r"^curl .*/v1/query.*\\\n.*$", page.read_text(), re.MULTILINE).group(0)
        shown = shown.replace("localhost:8443", f"localhost:{self.port}").replace("-u ana", "-u 'ana:correct horse'")
        done = subprocess.run(["bash", "-c", shown.replace("curl", "curl -sS", 1).replace("FROM patients", "FROM people")],
                              cwd=self.gateway.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["columns"], [{"name": "n", "type": "bigint"}])

    def test_curl_waits_for_the_sign_before_a_long_body(self):
        body = json.dumps({"sql": COUNT + " " * 50_000})
        done = subprocess.run(["curl", "-sS", "--cacert", str(self.gateway.folder / "server.crt"), "-u",
                               "ana:" + PASSWORDS["ana"], "-H", "Expect: 100-continue", "--json", "@-", "-v",
                               f"https://localhost:{self.port}/v1/query"],
                              input=body, capture_output=True, text=True, timeout=60)
        self.assertIn("100 Continue", done.stderr)
        self.assertIn("rows", json.loads(done.stdout))

    def test_a_page_of_another_site_may_not_ask_and_a_question_is_json(self):
        before = self.gateway.ledger()
        body = {"sql": "SELECT count(*) FROM people WHERE age > 61"}
        for headers, wanted in (([("Origin", "https://elsewhere")], 403), ([("Origin", "null")], 403),
                                ([("Sec-Fetch-Site", "cross-site")], 403), ([("Content-Type", "text/plain")], 415),
                                ([("Content-Type", "application/x-www-form-urlencoded")], 415)):
            self.assertEqual(self.call("POST", "/v1/query", body, headers=headers)[0], wanted, headers)
        self.assertEqual(self.gateway.ledger(), before)
        own = [("Origin", f"https://localhost:{self.port}"), ("Sec-Fetch-Site", "same-origin")]
        self.assertEqual(self.call("POST", "/v1/query", body, headers=own)[0], 200)

    def test_a_question_leaves_a_line_in_the_log(self):
        def lines():
            return [(line["analyst"], line["state"]) for line in self.gateway.log_events() if line["event"] == "question"]
        before = len(lines())
        self.call("POST", "/v1/query", {"sql": COUNT}, analyst="bob")
        self.call("POST", "/v1/query", {"sql": "SELECT age FROM people"}, analyst="bob")
        self.assertEqual(lines()[before:], [("bob", "00000"), ("bob", "42501")])

    def test_hup_renews_the_certificate_of_https(self):
        with Gateway(TACIT, flags=["--http", "127.0.0.1:0"]) as gateway:
            port = int(re.search(r"https://localhost:(\d+)", gateway.hello).group(1))
            before = ssl.get_server_certificate(("127.0.0.1", port))
            for name in ("server.crt", "server.key"):  # without them it makes new ones
                (gateway.folder / name).unlink()
            gateway.process.send_signal(signal.SIGHUP)
            deadline = time.monotonic() + 60
            while not any(line["event"] == "reloaded" for line in gateway.log_events()) and time.monotonic() < deadline:
                time.sleep(0.05)
            deadline = time.monotonic() + 10
            while (after := ssl.get_server_certificate(("127.0.0.1", port))) == before and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertNotEqual(after, before)
            self.assertEqual(after.strip(), (gateway.folder / "server.crt").read_text().strip())

    def refused_login(self, gateway, before_tls=b"", forwarded=""):
        """Where the log says that a wrong password came from; None when the connection was closed."""
        seen = len(gateway.log_events())
        port = int(re.search(r"https://localhost:(\d+)", gateway.hello).group(1))
        context = ssl.create_default_context(cafile=str(gateway.folder / "server.crt"))
        with socket.create_connection(("127.0.0.1", port), timeout=30) as plain:
            plain.sendall(before_tls)
            try:
                with context.wrap_socket(plain, server_hostname="localhost") as connection:
                    connection.sendall(f"GET /v1/budget HTTP/1.1\r\nHost: a\r\n{forwarded}Authorization: Basic YTpi\r\n"
                                       "Connection: close\r\n\r\n".encode())
                    self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 401 "))
            except (ssl.SSLError, OSError):
                return None
        return next(line["remote"] for line in gateway.log_events()[seen:] if line["event"] == "login_failed")

    def postgres_takes(self, gateway, header):
        """Whether the PostgreSQL side offers TLS to a connection that begins with the header."""
        with socket.create_connection(("127.0.0.1", gateway.port), timeout=30) as connection:
            connection.sendall(header + bytes([0, 0, 0, 8, 4, 210, 22, 47]))
            try:
                return connection.recv(1) == b"S"
            except ConnectionError:
                return False

    def test_only_a_proxy_of_the_policy_says_where_a_client_comes_from(self):
        passed_on = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + bytes([192, 0, 2, 8, 127, 0, 0, 1, 1, 1, 1, 1])
        forwarded = 'Forwarded: for=10.1.1.1, for="192.0.2.7:4711";proto=https\r\n'
        self.assertEqual(self.refused_login(self.gateway, forwarded=forwarded), "127.0.0.1")
        self.assertIsNone(self.refused_login(self.gateway, before_tls=passed_on))
        self.assertTrue(self.postgres_takes(self.gateway, b""))
        self.assertFalse(self.postgres_takes(self.gateway, passed_on))
        gateway = Gateway(TACIT, flags=["--http", "127.0.0.1:0"])
        policy = gateway.folder / "tacit.yaml"
        policy.write_text(policy.read_text().replace("server: {", "server: {proxies: [127.0.0.1, 10.0.0.0/8], "))
        with gateway:
            self.assertEqual(self.refused_login(gateway, forwarded=forwarded), "192.0.2.7")
            self.assertEqual(self.refused_login(gateway, before_tls=passed_on), "192.0.2.8")
            self.assertEqual(self.refused_login(gateway), "127.0.0.1")
            self.assertTrue(self.postgres_takes(gateway, passed_on))
            self.assertTrue(self.postgres_takes(gateway, b""))
            self.assertIsNone(self.refused_login(gateway, before_tls=passed_on[:12] + b"\x31" + passed_on[13:]))

    def test_behind_a_proxy_a_flood_displaces_itself_and_nobody_else(self):
        gateway = Gateway(TACIT)
        policy = gateway.folder / "tacit.yaml"
        policy.write_text(policy.read_text().replace("server: {", "server: {proxies: [127.0.0.1], "))

        def passed_on(last):
            connection = socket.create_connection(("127.0.0.1", gateway.port), timeout=30)
            connection.sendall(b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + bytes([192, 0, 2, last, 127, 0, 0, 1, 1, 1, 1, 1]) +
                               bytes([0, 0, 0, 8, 4, 210, 22, 47]))
            self.assertEqual(connection.recv(1), b"S")
            return connection

        with gateway:
            early = passed_on(1)
            flood = [passed_on(2) for _ in range(90)]
            context = ssl.create_default_context(cafile=str(gateway.folder / "server.crt"))
            with context.wrap_socket(early, server_hostname="localhost") as inside:
                self.assertTrue(inside.version())
            flood[0].settimeout(30)
            self.assertEqual(flood[0].recv(1), b"", "the oldest of the flood was shown out")
            for connection in flood:
                connection.close()

    def test_plain_http_and_garbage_get_nowhere(self):
        connection = http.client.HTTPConnection("localhost", self.port, timeout=30)
        with self.assertRaises((http.client.HTTPException, OSError)):
            connection.request("GET", "/healthz")
            connection.getresponse()
        connection.close()
        self.assertEqual(self.call("GET", "/healthz", analyst=None)[0], 200)

    def test_too_much_is_told(self):
        status = self.call("POST", "/v1/query", {"sql": "x" * 200_000})[0]
        self.assertEqual(status, 413)
        problem = self.call("GET", "/v1/budget", headers=[("X-Long", "x" * 20_000)])
        self.assertEqual((problem[0], problem[2]["type"]), (431, "urn:tacit:headers-too-large"))

    def test_the_operator_sees_counts_and_no_data(self):
        def read(path):
            connection = http.client.HTTPConnection("localhost", self.admin, timeout=30)
            connection.request("GET", path)
            response = connection.getresponse()
            text = response.read().decode()
            connection.close()
            return response.status, text
        self.call("POST", "/v1/query", {"sql": COUNT})
        self.assertEqual(read("/live"), (200, "ok\n"))
        self.assertEqual(read("/ready"), (200, "ok\n"))
        status, text = read("/metrics")
        self.assertEqual(status, 200)
        self.assertIn("tacit_queries_total", text)
        self.assertNotIn("people", text)
        self.assertIn("tacit", json.loads(read("/version")[1]))
        self.assertEqual(read("/v1/budget")[0], 404)


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main(verbosity=2)
