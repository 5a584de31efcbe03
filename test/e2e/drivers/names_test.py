#!/usr/bin/env python3
"""Names with capitals, blanks, a minus, and words that SQL keeps for itself, by every protocol. usage: names_test.py TACIT"""
import base64
import http.client
import json
import re
import ssl
import subprocess
import sys
import unittest

import pandas
import psycopg
import sqlalchemy

from gateway import PASSWORDS, Gateway

TACIT = ""
TABLE = "Order Lines"
ENTRY = """tables:
  Order Lines:
    unit: Customer
    rows_per_unit: 3
    columns:
      Customer: {hidden: true}
      City: {keys: [Bonn, Ulm]}
      Unit Price: {bounds: [0, 100]}
      group: {keys: [a, b, c]}
      visit-day: {keys: {from: 2024-01-01, to: 2024-01-31, step: day}}
      select: {bounds: [0, 9]}
"""
SHOWN = ["City", "Unit Price", "group", "visit-day", "select"]
ASKED = 'SELECT "City", "group", count(*) AS "N of", avg("Unit Price") AS "Mean Price" FROM "Order Lines" GROUP BY "City", "group" ORDER BY 1, 2'


class NamesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT, flags=["--http", "127.0.0.1:0"])
        file = cls.gateway.folder.parent / "lines.csv"
        rows = [f"{i % 900},{'Bonn' if i % 3 else 'Ulm'},{i % 100},{'abc'[i % 3]},2024-01-{1 + i % 28:02d},{i % 10}" for i in range(2000)]
        file.write_text("Customer,City,Unit Price,group,visit-day,select\n" + "\n".join(rows) + "\n")
        cls.file = file
        cls.run_tacit("table", "add", cls.gateway.folder, f"{TABLE}={file}")
        policy = cls.gateway.folder / "tacit.yaml"
        cls.gateway.write_policy()
        policy.write_text(policy.read_text().replace("tables:\n", ENTRY, 1))
        cls.gateway.start()
        cls.port = int(re.search(r"https://localhost:(\d+)", cls.gateway.hello).group(1))

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    @classmethod
    def run_tacit(cls, *args, code=0):
        done = subprocess.run([TACIT, *map(str, args)], capture_output=True, text=True, timeout=300)
        assert done.returncode == code, f"{args}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def call(self, method, path, body=None):
        context = ssl.create_default_context(cafile=str(self.gateway.folder / "server.crt"))
        connection = http.client.HTTPSConnection("localhost", self.port, context=context, timeout=60)
        pair = base64.b64encode(f"ana:{PASSWORDS['ana']}".encode()).decode()
        connection.request(method, path, body and json.dumps(body), {"Authorization": "Basic " + pair, "Content-Type": "application/json"})
        response = connection.getresponse()
        reply = json.loads(response.read())
        connection.close()
        self.assertEqual(response.status, 200, reply)
        return reply

    def engine(self):
        return sqlalchemy.create_engine(
            sqlalchemy.engine.URL.create("postgresql+psycopg2", "ana", PASSWORDS["ana"], "localhost", self.gateway.port, "clinic",
                                         {"sslmode": "verify-full", "sslrootcert": str(self.gateway.folder / "server.crt")}))

    def psql(self, command):
        done = subprocess.run(["psql", "-X", self.gateway.dsn("ana"), "-c", command], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_command_line(self):
        shown = self.run_tacit("query", self.gateway.folder, ASKED)
        self.assertRegex(shown, r"City +\| group +\| +N of +\| +Mean Price")
        self.run_tacit("explain", self.gateway.folder, 'SELECT sum("select") FROM "Order Lines"')
        self.run_tacit("query", self.gateway.folder, 'SELECT "visit-day", count(*) FROM "Order Lines" GROUP BY 1', "--plot")
        self.run_tacit("query", self.gateway.folder, 'SELECT count(*) AS "N of", avg("Unit Price") AS "Mean Price" FROM "Order Lines"',
                       "--error", '"N of" = 20 %, "Mean Price" = 10')
        self.assertIn('count(*) FROM "Order Lines"', self.run_tacit("advise", self.gateway.folder))
        self.assertIn(ASKED, self.run_tacit("ledger", "list", self.gateway.folder, "--questions"))

    def test_hints_can_be_pasted(self):
        refused = self.run_tacit("query", self.gateway.folder, 'SELECT "Unit Price" FROM "Order Lines"', code=3)
        hint = re.search(r"SELECT .*", refused.split("HINT:")[1], re.S).group(0)
        self.run_tacit("query", self.gateway.folder, " ".join(hint.split()))
        refused = self.run_tacit("query", self.gateway.folder, 'SELECT count(*) FROM "Order Lines" WHERE "Unit Prices" > 3', code=3)
        self.assertIn('"Unit Price"', refused)

    def test_psql_shows_and_asks(self):
        described = self.psql('\\d "Order Lines"')
        for name in SHOWN:
            self.assertIn(f" {name} ", described)
        self.assertIn("Order Lines", self.psql("\\dt"))
        self.assertIn("Mean Price", self.psql(ASKED))
        listed = self.psql("SELECT column_name FROM information_schema.columns WHERE table_name = 'Order Lines' ORDER BY ordinal_position")
        self.assertEqual([line.strip() for line in listed.splitlines()[2:7]], SHOWN)
        self.assertIn("Unit Price", self.psql("SELECT * FROM tacit.columns"))

    def test_what_is_shown_can_be_asked(self):
        with psycopg.connect(self.gateway.dsn("ana"), autocommit=True) as connection:
            names = [row[0] for row in connection.execute(
                "SELECT quote_ident(column_name) FROM information_schema.columns WHERE table_name = %s", ["Order Lines"])]
            self.assertEqual(len(names), len(SHOWN))
            for name in names:
                connection.execute(f'SELECT count({name}) FROM "Order Lines"').fetchone()
            row = connection.execute('SELECT count(*) FROM "Order Lines" WHERE "City" = %s AND "visit-day" > %s', ["Bonn", "2024-01-10"], binary=True)
            self.assertEqual(row.description[0].name, "count")

    def test_sqlalchemy_reflects_and_pandas_reads(self):
        inspector = sqlalchemy.inspect(self.engine())
        self.assertIn(TABLE, inspector.get_table_names())
        self.assertEqual([column["name"] for column in inspector.get_columns(TABLE)], SHOWN)
        lines = sqlalchemy.Table(TABLE, sqlalchemy.MetaData(), autoload_with=self.engine())
        query = sqlalchemy.select(lines.c["City"], sqlalchemy.func.avg(lines.c["Unit Price"]).label("Mean")).group_by(lines.c["City"])
        with self.engine().connect() as connection:
            self.assertEqual(list(pandas.read_sql(query, connection).columns), ["City", "Mean"])
            connection.execute(sqlalchemy.text("SET tacit.previews = on"))
            self.assertEqual(list(pandas.read_sql_table(TABLE, connection).columns), SHOWN)

    def test_http_lists_and_asks(self):
        tables = {table["name"]: [column["name"] for column in table["columns"]] for table in self.call("GET", "/v1/tables")["tables"]}
        self.assertEqual(tables[TABLE], SHOWN)
        answer = self.call("POST", "/v1/query", {"sql": ASKED, "intervals": True})
        self.assertEqual([column["name"] for column in answer["columns"]],
                         ["City", "group", "N of", "N of_low", "N of_high", "Mean Price", "Mean Price_low", "Mean Price_high"])

    def test_owners_publish_attack_and_change(self):
        out = self.gateway.folder.parent / "out.csv"
        self.run_tacit("synth", self.gateway.folder, TABLE, "--columns", "City,Unit Price,group", "--epsilon", "1", "--out", out)
        self.assertEqual(out.read_text().splitlines()[0], "City,Unit Price,group")
        self.run_tacit("tables", self.gateway.folder, TABLE, "--of", "City,group; group", "--epsilon", "0.5", "--out", self.gateway.folder.parent / "tables")
        self.run_tacit("attack", "all", self.gateway.folder, "--quick", "--html", self.gateway.folder.parent / "attacks.html")


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main()
