#!/usr/bin/env python3
"""Two databases that differ in one person, asked the same over the wire: nothing but the noisy numbers may differ.
usage: neighbours_test.py TACIT"""
import pathlib
import subprocess
import sys
import unittest

import psycopg

from gateway import Gateway

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
]


def transcript(gateway):
    """Everything a client sees, with the noisy numbers taken out."""
    seen = []
    with psycopg.connect(gateway.dsn(), autocommit=True) as connection:
        connection.add_notice_handler(lambda notice: seen.append(("notice", notice.message_primary)))
        for sql in SESSION:
            try:
                cursor = connection.execute(sql)
                shape = [(column.name, column.type_code) for column in cursor.description]
                rows = cursor.fetchall()
                public = "people" not in sql or sql.startswith("EXPLAIN") or "pg_catalog" in sql
                seen.append((sql, shape, rows if public else len(rows)))
            except psycopg.Error as error:
                seen.append((sql, error.sqlstate, error.diag.message_primary, error.diag.message_hint,
                             error.diag.message_detail, error.diag.statement_position))
    return seen


class NeighboursTest(unittest.TestCase):
    def test_a_whole_session_differs_in_noisy_numbers_only(self):
        views = []
        for people in (37, 38):  # the last one is 57 years old and lives where nobody else does
            gateway = Gateway(TACIT)
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
                views.append(transcript(gateway))
        self.assertEqual(len(views[0]), len(views[1]))
        for one, other in zip(*views):
            self.assertEqual(one, other)


if __name__ == "__main__":
    TACIT = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v"])
