#!/usr/bin/env python3
"""SQLAlchemy with pandas, node-postgres, kysely, drizzle, postgres.js, pgjdbc and pgbench against tacit serve. usage: tools_test.py TACIT"""
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import pandas
import sqlalchemy

from gateway import PASSWORDS, Gateway

TACIT = ""
HERE = pathlib.Path(__file__).parent
JDBC = "/usr/share/java/postgresql.jar"
NODE_MODULES = HERE.parents[2] / "build" / "deps" / "npm" / "node_modules"  # ./scripts/setup puts them there
SEXES = "SELECT sex, count(*) AS n FROM people GROUP BY sex ORDER BY sex"


class ToolsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT).start()

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def engine(self):
        return sqlalchemy.create_engine(
            sqlalchemy.engine.URL.create("postgresql+psycopg2", "ana", PASSWORDS["ana"], "localhost", self.gateway.port, "clinic",
                                         {"sslmode": "verify-full", "sslrootcert": str(self.gateway.folder / "server.crt")}))

    def test_pandas_reads_a_frame(self):
        with self.engine().connect() as connection:
            frame = pandas.read_sql(sqlalchemy.text(SEXES), connection)
        self.assertEqual(list(frame["sex"]), ["F", "M", "X"])
        self.assertEqual(str(frame["n"].dtype), "int64")

    def test_sqlalchemy_reflects_what_may_be_asked_about(self):
        inspector = sqlalchemy.inspect(self.engine())
        self.assertIn("people", inspector.get_table_names() + inspector.get_view_names())
        names = [column["name"] for column in inspector.get_columns("people")]
        self.assertEqual(names, ["age", "sex", "town", "pay", "seen"])

    def test_sqlalchemy_core_asks_with_parameters(self):
        people = sqlalchemy.table("people", sqlalchemy.column("age"))
        query = sqlalchemy.select(sqlalchemy.func.count()).select_from(people).where(people.c.age > 40)
        with self.engine().connect() as connection:
            first = connection.execute(query).scalar()
            self.assertEqual(connection.execute(query).scalar(), first)

    def test_sqlalchemy_with_psycopg2_server_cursors_and_copy(self):
        with self.engine().connect() as connection:
            rows = connection.execution_options(stream_results=True, max_row_buffer=2).execute(sqlalchemy.text(SEXES)).all()
            self.assertEqual([row[0] for row in rows], ["F", "M", "X"])
            out = io.StringIO()
            connection.connection.cursor().copy_expert(f"COPY ({SEXES}) TO STDOUT WITH (FORMAT csv, HEADER)", out)
        frame = pandas.read_csv(io.StringIO(out.getvalue()))
        self.assertEqual(list(frame["n"]), [row[1] for row in rows])

    def test_pgjdbc(self):
        url = (f"jdbc:postgresql://localhost:{self.gateway.port}/clinic?user=ana&sslmode=verify-full"
               f"&sslrootcert={self.gateway.folder / 'server.crt'}")
        done = subprocess.run(["java", "-cp", JDBC, str(HERE / "JdbcTest.java"), url], capture_output=True, text=True, timeout=300,
                              env={**os.environ, "PGPASSWORD_FOR_TEST": PASSWORDS["ana"]})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def run_node(self, script):
        done = subprocess.run(["node", str(HERE / "node" / script), str(self.gateway.port), str(self.gateway.folder / "server.crt")],
                              capture_output=True, text=True, timeout=120,
                              env={**os.environ, "NODE_PATH": str(NODE_MODULES), "PGPASSWORD": PASSWORDS["ana"]})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_node_postgres(self):
        self.run_node("node_test.js")

    def test_postgres_js_cursors_and_streams_are_told_of_refusals(self):
        self.run_node("refusals_test.js")

    def test_kysely_finds_the_tables_and_builds_its_questions(self):
        self.run_node("kysely_test.js")

    def test_drizzle_builds_its_questions(self):
        self.run_node("drizzle_test.js")

    def test_pgbench_in_its_three_modes(self):
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
            script.write("\\set age random(1, 20)\nSELECT count(*) FROM people WHERE age > :age;\n")
            script.flush()
            for mode in ("simple", "extended", "prepared"):
                done = subprocess.run(["pgbench", "-n", "-M", mode, "-c", "4", "-t", "25", "-f", script.name, self.gateway.dsn()],
                                      capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("number of transactions actually processed: 100/100", done.stdout, mode)


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
