"""SQLAlchemy 2.1, pandas, polars, connectorx, ADBC and ibis of PyPI; run.py starts it."""
import asyncio
import os
import ssl
import time
import unittest
import urllib.parse

import adbc_driver_postgresql.dbapi
import asyncpg
import connectorx
import ibis
import pandas
import polars
import sqlalchemy
from sqlalchemy.ext.asyncio import create_async_engine

PORT, PASSWORD, CERTIFICATE = (os.environ[f"TACIT_{name}"] for name in ("PORT", "PASSWORD", "ROOT_CERTIFICATE"))
PLACE = f"ana:{urllib.parse.quote(PASSWORD)}@localhost:{PORT}/clinic"
CHECKED = f"?sslmode=verify-full&sslrootcert={CERTIFICATE}"
VISITS = ["visit_id", "department", "admitted", "days", "cost"]
ASKED = "SELECT department, count(*) AS n, avg(cost) AS cost FROM visits GROUP BY department ORDER BY department"


class Drivers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with cls.engine().connect() as connection:
            cls.rows = [tuple(row) for row in connection.execute(sqlalchemy.text(ASKED))]
        assert len(cls.rows) > 3

    @staticmethod
    def engine(driver="psycopg"):
        return sqlalchemy.create_engine(f"postgresql+{driver}://{PLACE}{CHECKED}")

    def test_sqlalchemy_reflects_and_asks(self):
        for driver in ("psycopg", "psycopg2"):
            with self.subTest(driver):
                engine = self.engine(driver)
                everything = sqlalchemy.MetaData()
                everything.reflect(engine, views=True)
                self.assertEqual(sorted(everything.tables), ["departments", "patients", "visits"])
                visits = everything.tables["visits"]
                self.assertLessEqual(set(VISITS), set(visits.columns.keys()))
                inspector = sqlalchemy.inspect(engine)
                for about in (inspector.get_multi_columns, inspector.get_multi_indexes, inspector.get_multi_foreign_keys,
                              inspector.get_multi_pk_constraint, inspector.get_multi_check_constraints, inspector.get_multi_table_comment,
                              inspector.get_enums, inspector.get_sequence_names, inspector.get_materialized_view_names):
                    about()
                query = (sqlalchemy.select(visits.c.department, sqlalchemy.func.count(), sqlalchemy.func.avg(visits.c.cost))
                         .group_by(visits.c.department).order_by(visits.c.department))
                with engine.connect() as connection:
                    self.assertEqual([tuple(row) for row in connection.execute(query)], self.rows)
                    with self.assertRaisesRegex(sqlalchemy.exc.ProgrammingError, "rows of people"):
                        connection.execute(sqlalchemy.select(visits))

    def test_sqlalchemy_over_asyncpg_is_told_of_a_refusal_at_once(self):
        async def steps():
            engine = create_async_engine(f"postgresql+asyncpg://{PLACE}",
                                         connect_args={"ssl": ssl.create_default_context(cafile=CERTIFICATE)})
            async with engine.connect() as connection:
                self.assertEqual([tuple(row) for row in await connection.execute(sqlalchemy.text(ASKED))], self.rows)
                begun = time.monotonic()
                with self.assertRaises(sqlalchemy.exc.ProgrammingError):
                    await connection.execute(sqlalchemy.text("SELECT ssn FROM patients"))
                self.assertLess(time.monotonic() - begun, 1)
            await engine.dispose()
        asyncio.run(steps())

    def test_asyncpg_of_today(self):
        async def steps():
            connection = await asyncpg.connect(host="localhost", port=int(PORT), user="ana", password=PASSWORD, database="clinic",
                                               ssl=ssl.create_default_context(cafile=CERTIFICATE))
            self.assertEqual([tuple(row) for row in await connection.fetch(ASKED)], self.rows)
            with self.assertRaises(asyncpg.InsufficientPrivilegeError):
                await connection.fetch("SELECT ssn FROM patients WHERE age > $1", 40)
            await connection.close()
        asyncio.run(steps())

    def test_pandas(self):
        frame = pandas.read_sql(ASKED, self.engine())
        self.assertEqual(list(frame.itertuples(index=False, name=None)), self.rows)

    def test_polars_by_its_three_ways(self):
        self.assertEqual(polars.read_database(ASKED, self.engine().connect()).rows(), self.rows)
        self.assertEqual(polars.read_database_uri(ASKED, f"postgresql://{PLACE}{CHECKED}", engine="adbc").rows(), self.rows)
        self.assertEqual(polars.read_database_uri(ASKED, f"postgresql://{PLACE}?sslmode=require", engine="connectorx").rows(), self.rows)

    def test_connectorx_by_each_of_its_protocols(self):
        for protocol in ("binary", "csv", "cursor", "simple"):
            with self.subTest(protocol):
                table = connectorx.read_sql(f"postgresql://{PLACE}?sslmode=require", ASKED, protocol=protocol, return_type="arrow")
                self.assertEqual(table.to_pydict()["n"], [row[1] for row in self.rows])

    def test_adbc(self):
        with adbc_driver_postgresql.dbapi.connect(f"postgresql://{PLACE}{CHECKED}") as connection, connection.cursor() as cursor:
            cursor.execute(ASKED)
            self.assertEqual(cursor.fetch_arrow_table().to_pydict()["n"], [row[1] for row in self.rows])
            older = "SELECT count(*) FROM patients WHERE age > $1"
            cursor.execute(older, (60,))
            first = cursor.fetchall()
            cursor.execute(older, (60,))
            self.assertEqual(cursor.fetchall(), first)
            self.assertLessEqual(set(VISITS), set(connection.adbc_get_table_schema("visits").names))
            connection.adbc_get_objects(depth="all").read_all()

    def test_ibis_builds_its_questions(self):
        there = ibis.postgres.connect(user="ana", password=PASSWORD, host="localhost", port=int(PORT), database="clinic",
                                      sslmode="verify-full", sslrootcert=CERTIFICATE)
        self.assertEqual(sorted(there.list_tables()), ["departments", "patients", "visits"])
        visits = there.table("visits")
        counted = visits.group_by("department").agg(n=lambda t: t.count()).order_by("department").execute()
        self.assertEqual(len(counted), len(self.rows))
        months = (visits.filter(visits.days > 1).group_by(month=visits.admitted.truncate("M"))
                  .agg(n=lambda t: t.count(), cost=lambda t: t.cost.mean(), days=lambda t: t.days.sum()).execute())
        self.assertEqual(list(months.columns), ["month", "n", "cost", "days"])
        joined = visits.join(there.table("departments"), "department").group_by("floor").agg(n=lambda t: t.count()).execute()
        self.assertGreater(len(joined), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
