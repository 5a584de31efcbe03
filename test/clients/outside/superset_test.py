"""Charts as Apache Superset itself writes them, by its models and its engine spec for PostgreSQL; run.py starts it. Nothing of
Superset is served: a dataset is made in memory, its SQL is taken, and psycopg2 sends it."""
import datetime
import logging
import os
import pathlib
import tempfile
import unittest
import urllib.parse
from unittest import mock

CONFIG = pathlib.Path(tempfile.mkdtemp()) / "superset_config.py"
CONFIG.write_text("SECRET_KEY = 'of a test that serves nobody, and keeps nothing'\nSQLALCHEMY_DATABASE_URI = 'sqlite://'\n" + "".join(
    f"{cache} = {{'CACHE_TYPE': 'NullCache'}}\n" for cache in ("CACHE_CONFIG", "DATA_CACHE_CONFIG", "FILTER_STATE_CACHE_CONFIG",
                                                               "EXPLORE_FORM_DATA_CACHE_CONFIG", "THUMBNAIL_CACHE_CONFIG")))
os.environ["SUPERSET_CONFIG_PATH"] = str(CONFIG)
logging.disable(logging.CRITICAL)

import psycopg2  # noqa: E402
import sqlalchemy  # noqa: E402
from superset.app import create_app  # noqa: E402

APP = create_app()
URI = (f"postgresql+psycopg2://ana:{urllib.parse.quote(os.environ['TACIT_PASSWORD'])}@localhost:{os.environ['TACIT_PORT']}/clinic"
       "?sslmode=require")
YEAR = {"from_dttm": datetime.datetime(2023, 1, 1), "to_dttm": datetime.datetime(2024, 1, 1)}
GRAINS = ("P1D", "P1W", "P1M", "P3M", "P1Y")


def simple(aggregate, column):
    return {"expressionType": "SIMPLE", "aggregate": aggregate, "column": {"column_name": column}, "label": f"{aggregate}({column})"}


def written(expression, label):
    return {"expressionType": "SQL", "sqlExpression": expression, "label": label}


def asked(**more):
    return {"granularity": "admitted", "is_timeseries": False, "columns": [], "metrics": ["count"], "filter": [], "extras": {},
            "row_limit": 1000, "orderby": [], **YEAR, **more}


# Each kind of chart, with the filters of its dialog.
CHARTS = {f"a line by {grain}": asked(is_timeseries=True, extras={"time_grain_sqla": grain}) for grain in GRAINS} | {
    "a time series of the largest groups": asked(is_timeseries=True, extras={"time_grain_sqla": "P1M"}, columns=["department"],
                                                 series_columns=["department"], series_limit=3, series_limit_metric="count"),
    "bars of sums": asked(columns=["department"], metrics=[simple("SUM", "cost")], orderby=[[simple("SUM", "cost"), False]]),
    "a big number": asked(metrics=[simple("AVG", "cost")]),
    "several measures": asked(columns=["department"], metrics=[simple("MIN", "days"), simple("MAX", "days"), simple("COUNT", "cost")]),
    "a measure in SQL": asked(columns=["department"], metrics=[written("sum(cost) / count(*)", "a visit"),
                                                               written("count(*) FILTER (WHERE days > 3)", "long")]),
    "percentiles": asked(metrics=[written("percentile_cont(0.9) WITHIN GROUP (ORDER BY cost)", "p90")]),
    "a column in SQL": asked(columns=[written("CASE WHEN days > 3 THEN 'long' ELSE 'short' END", "stay")]),
    "having": asked(columns=["department"], extras={"having": "COUNT(*) > 10"}),
    "where": asked(columns=["department"], extras={"where": "days > 2 OR cost > 100"})} | {
    f"a filter: {op}": asked(columns=["department"], filter=[{"col": column, "op": op, "val": value}])
    for column, op, value in (("department", "==", "Surgery"), ("department", "!=", "Surgery"), ("department", "IN", ["Surgery", "Emergency"]),
                              ("department", "NOT IN", ["Surgery"]), ("department", "LIKE", "S%"), ("department", "ILIKE", "%gen%"),
                              ("department", "IS NULL", None), ("department", "IS NOT NULL", None), ("days", ">", 2), ("cost", "<=", 500),
                              ("admitted", "TEMPORAL_RANGE", "2023-02-01 : 2023-08-01"))}
# What a chart of rows asks for, and the samples pane.
ROWS = {"a table of rows": asked(metrics=None, columns=["department", "cost"], is_rowcount=False),
        "ordered rows": asked(metrics=None, columns=["department", "cost"], orderby=[["cost", False]])}


class Superset(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.context = APP.app_context()
        cls.context.push()
        from superset.connectors.sqla.models import SqlaTable, SqlMetric, TableColumn
        from superset.models.core import Database
        types = {"visit_id": "BIGINT", "department": "TEXT", "admitted": "DATE", "days": "BIGINT", "cost": "DOUBLE PRECISION"}
        database = Database(database_name="clinic")
        database.set_sqlalchemy_uri(URI)
        made = {"database": database, "metrics": [SqlMetric(metric_name="count", expression="COUNT(*)")]}

        def columns():
            return [TableColumn(column_name=name, type=kind, is_dttm=kind == "DATE") for name, kind in types.items()]
        cls.table = SqlaTable(table_name="visits", schema="public", columns=columns(), **made)
        cls.virtual = SqlaTable(table_name="long stays", sql="SELECT * FROM visits WHERE days > 1", columns=columns(),
                                **{**made, "metrics": [SqlMetric(metric_name="count", expression="COUNT(*)")]})
        cls.unrestricted = mock.patch.object(SqlaTable, "get_sqla_row_level_filters", return_value=[])
        cls.unrestricted.start()
        cls.connection = psycopg2.connect(os.environ["TACIT_DSN"])
        cls.connection.autocommit = True

    @classmethod
    def tearDownClass(cls):
        cls.connection.close()
        cls.unrestricted.stop()
        cls.context.pop()

    def ask(self, sql):
        with self.connection.cursor() as cursor:
            cursor.execute(sql.replace("%%", "%"))
            return cursor.fetchall()

    def test_every_chart_is_answered(self):
        for dataset in (self.table, self.virtual):
            for what, chart in CHARTS.items():
                with self.subTest(f"{dataset.table_name}: {what}"):
                    sql = dataset.get_query_str_extended(chart).sql
                    self.ask(sql)

    def test_rows_are_refused(self):
        for what, chart in ROWS.items():
            with self.subTest(what), self.assertRaises(psycopg2.errors.InsufficientPrivilege):
                self.ask(self.table.get_query_str_extended(chart).sql)

    def test_it_knows_the_server_and_its_tables(self):
        spec = self.table.database.db_engine_spec
        self.assertEqual(spec.engine, "postgresql")
        inspector = sqlalchemy.inspect(sqlalchemy.create_engine(URI))
        self.assertEqual(spec.get_table_names(self.table.database, inspector, "public"), {"departments", "patients", "visits"})
        self.assertIn("cost", [column["column_name"] for column in spec.get_columns(inspector, mock.Mock(table="visits", schema="public"))])


if __name__ == "__main__":
    unittest.main(verbosity=2)
