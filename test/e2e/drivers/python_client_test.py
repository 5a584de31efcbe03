#!/usr/bin/env python3
"""The package of clients/python against tacit serve. usage: python_client_test.py TACIT"""
import pathlib
import sys
import unittest

import psycopg

from gateway import Gateway

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "clients" / "python" / "src"))

import tacit  # noqa: E402

TACIT = ""
BY_SEX = "SELECT sex, count(*) AS n, avg(age) AS age FROM people WHERE age > %s GROUP BY sex ORDER BY sex"


class PythonClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT).start()
        cls.connection = tacit.connect(cls.gateway.dsn())

    @classmethod
    def tearDownClass(cls):
        cls.connection.close()
        cls.gateway.__exit__()

    def show(self, name):
        return self.connection.execute(f"SHOW {name}").fetchone()[0]

    def test_an_answer_is_a_frame_with_intervals_and_a_price(self):
        answer = tacit.read_sql(BY_SEX, self.connection, [30], epsilon=0.5)
        self.assertEqual(list(answer.columns), ["sex", "n", "age"])
        self.assertEqual(list(answer["sex"]), ["F", "M", "X"])
        self.assertEqual(list(answer.low.columns), ["n", "age"])
        self.assertTrue((answer.low["n"] <= answer["n"]).all() and (answer["n"] <= answer.high["n"]).all())
        self.assertEqual(answer.price.epsilon, 0.5)
        self.assertFalse(answer.price.cached)
        self.assertEqual(answer.errors["n"].mechanism, "discrete_cube")  # with the average beside it
        self.assertTrue(answer.notices[0].startswith("cost 0.5 of your 50"), answer.notices)
        again = tacit.read_sql(BY_SEX, self.connection, [30], epsilon=0.5)
        self.assertTrue(again.price.cached)
        self.assertTrue(again.equals(answer))

    def test_settings_are_put_back_also_after_a_refusal(self):
        self.connection.execute("SET tacit.error = '77'")
        try:
            tacit.read_sql("SELECT count(*) AS n FROM people", self.connection, epsilon=0.2)
            self.assertEqual((self.show("tacit.intervals"), self.show("tacit.error")), ("off", "77"))
            with self.assertRaises(psycopg.errors.InsufficientPrivilege) as refused:
                tacit.read_sql("SELECT sum(pay) AS s FROM people", self.connection, epsilon=0.3)
            self.assertIn("bounds", refused.exception.diag.message_hint)
            self.assertEqual((self.show("tacit.intervals"), self.show("tacit.error")), ("off", "77"))
        finally:
            self.connection.execute("RESET tacit.error")

    def test_an_error_may_be_bought_instead_of_a_price(self):
        answer = tacit.read_sql("SELECT count(*) AS n FROM people WHERE age < 33", self.connection, error=40)
        self.assertLessEqual(answer.errors["n"].moe95, 40)
        with self.assertRaises(ValueError):
            tacit.read_sql("SELECT count(*) FROM people", self.connection, epsilon=1, error=1)

    def test_the_catalog_and_explain_are_free(self):
        before = tacit.budget(self.connection)["epsilon_left"][0]
        tables = tacit.read_sql("SELECT table_name FROM tacit.tables", self.connection)
        self.assertEqual((list(tables["table_name"]), tables.price), (["people"], None))
        self.assertIn("cost", tacit.explain("SELECT count(*) FROM people WHERE age > 77", self.connection))
        self.assertEqual(tacit.budget(self.connection)["epsilon_left"][0], before)


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
