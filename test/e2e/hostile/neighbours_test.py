#!/usr/bin/env python3
"""Two databases that differ in one person, asked the same over the wire: nothing but the noisy numbers may differ.
usage: neighbours_test.py TACIT"""
import base64
import http.client
import json
import pathlib
import re
import ssl
import subprocess
import sys
import unittest

import psycopg

from gateway import PASSWORDS, Gateway, is_margin, without_margins

TACIT = ""

# Answered, refused, wrong, and failing for some rows in a plain database.
SESSION = [
    "SELECT count(*) FROM people",
    "SELECT sex, count(*), avg(age) FROM people GROUP BY sex",
    "SELECT sex, count(*) FROM people GROUP BY sex ORDER BY count(*) DESC LIMIT 3",
    "SELECT count(*) FROM people WHERE 1 / (age - 37) > 0",
    "SELECT count(*) FROM people WHERE cast(town AS integer) > 0",
    "SELECT sum(age) FROM people WHERE town = 'only one lives here'",
    "SELECT sqrt(sum(age - 40)) FROM people",
    "SELECT age FROM people",
    "SELECT max(town) FROM people",
    "SELECT count(*) FROM nowhere",
    "SELECT count(*) FROM people WHERE pid = 7",
    "SELECT 1 / (count(*) - count(*)) FROM people",
    "EXPLAIN SELECT count(*) FROM people WHERE age > 3",
    "SELECT * FROM people LIMIT 0",
    "SELECT * FROM tacit.budget",
    "SELECT relname, reltuples, relpages FROM pg_catalog.pg_class WHERE relname = 'people'",
    "SELECT * FROM tacit.tables",
    "SELECT * FROM tacit.columns",
    "SELECT percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY age) FROM people",
    "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM people WHERE town = 'only one lives here'",
    "PREPARE over (int) AS SELECT sex, count(*) FROM people WHERE age > $1 GROUP BY sex",
    "EXECUTE over (36)",
    "EXECUTE over (NULL)",
    "SET tacit.intervals = on",
    "SELECT sex, count(*), avg(age) FROM people WHERE 10 / (age - 37) > 0 GROUP BY sex",
    "RESET tacit.intervals",
    "SET tacit.nonnegative = on",
    "SELECT sex, count(*), sum(age) FROM people WHERE age > 36 GROUP BY sex",
    "RESET tacit.nonnegative",
    "SET statement_timeout = '10min'",
    "SELECT mode() WITHIN GROUP (ORDER BY sex) FROM people",
    "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_name = 'people'",
    "SELECT * FROM pg_catalog.pg_stats",
    "SELECT n_live_tup FROM pg_catalog.pg_stat_user_tables",
    "SELECT count(*) > 0 FROM tacit.ledger",
]
COPIES = ["COPY (SELECT sex, count(*) FROM people GROUP BY sex) TO STDOUT",
          "COPY (SELECT sex, count(*) FROM people GROUP BY sex) TO STDOUT (FORMAT binary)",
          "COPY (SELECT age FROM people) TO STDOUT (FORMAT csv)", "COPY people TO STDOUT"]


def transcript(gateway):
    """Everything a client sees, with the noisy numbers taken out."""
    seen = []
    with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
        connection.add_notice_handler(lambda notice: is_margin(notice.message_primary) or seen.append(("notice", notice.message_primary)))
        for sql in SESSION:
            try:
                cursor = connection.execute(sql)
                if cursor.description is None:
                    seen.append((sql, cursor.statusmessage))
                    continue
                shape = [(column.name, column.type_code) for column in cursor.description]
                rows = cursor.fetchall()
                public = sql.startswith("EXPLAIN") or "_catalog" in sql or "_schema" in sql or "tacit." in sql
                seen.append((sql, shape, rows if public else len(rows)))
            except psycopg.Error as error:
                seen.append((sql, error.sqlstate, error.diag.message_primary, error.diag.message_hint,
                             error.diag.message_detail, error.diag.statement_position))
        for sql in COPIES:
            try:
                with connection.cursor().copy(sql) as copy:
                    pieces = [bytes(piece) for piece in copy]
                seen.append((sql, len(pieces)))
            except psycopg.Error as error:
                seen.append((sql, error.sqlstate, error.diag.message_primary, error.diag.message_hint, error.diag.statement_position))
    return seen


def http_transcript(gateway):
    """The same questions over HTTPS: status, headers, and the reply without its noisy numbers, receipt and hashes."""
    port = int(re.search(r"https://localhost:(\d+)", gateway.hello).group(1))
    trust = ssl.create_default_context(cafile=str(gateway.folder / "server.crt"))
    pair = base64.b64encode(f"bob:{PASSWORDS['bob']}".encode()).decode()
    connection = http.client.HTTPSConnection("localhost", port, context=trust, timeout=60)
    seen = []

    def call(method, path, body=None):
        connection.request(method, path, body and json.dumps(body),
                           {"Authorization": "Basic " + pair, "Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read()
        headers = sorted((name, value) for name, value in response.getheaders() if name not in ("Date", "Content-Length"))
        return response.status, headers, without_margins(json.loads(text))

    for sql in SESSION:
        status, headers, reply = call("POST", "/v1/query", {"sql": sql})
        if "rows" in reply:
            reply["rows"] = len(reply["rows"])
            reply["privacy"].pop("receipt", None)
        seen.append((sql, status, headers, reply))
        status, headers, reply = call("POST", "/v1/explain", {"sql": sql})
        seen.append(("explain", sql, status, headers, reply))
    for path in ("/v1/tables", "/v1/budget", "/openapi.json", "/healthz"):
        seen.append((path, *call("GET", path)))
    status, headers, reply = call("GET", "/v1/ledger")
    for charge in reply["charges"]:
        for word in ("receipt", "time"):
            charge.pop(word, None)
    seen.append(("/v1/ledger", status, headers, reply))
    connection.close()
    return seen


class NeighboursTest(unittest.TestCase):
    def test_a_whole_session_differs_in_noisy_numbers_only(self):
        views = []
        for people in (37, 38):  # the last one is 57 years old and lives where nobody else does
            gateway = Gateway(TACIT, flags=["--http", "127.0.0.1:0"])
            root = pathlib.Path(gateway.scratch.name)
            rows = [f"{i},{20 + i % 60},{'FM'[i % 2]},{'north' if i % 3 else 'south'},{i % 1000},2024-01-01" for i in range(37)]
            if people == 38:
                rows.append("1000,37,X,only one lives here,1,2024-01-01")
            (root / "few.csv").write_text("pid,age,sex,town,pay,seen\n" + "\n".join(rows) + "\n")
            policy = (gateway.folder / "tacit.yaml").read_text()
            folder = root / "few"
            made = subprocess.run([TACIT, "init", str(folder), "--table", f"people={root / 'few.csv'}"], capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            (folder / "tacit.yaml").write_text(policy)
            gateway.folder = folder
            with gateway:
                views.append(transcript(gateway) + http_transcript(gateway))
        self.assertEqual(len(views[0]), len(views[1]))
        for one, other in zip(*views):
            self.assertEqual(one, other)


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
