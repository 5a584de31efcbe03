#!/usr/bin/env python3
"""psql's backslash commands against a real PostgreSQL 15 and against Tacit's catalog.

usage: psql_test.py CATALOG_ANSWERS
The queries are not stored anywhere: psql is asked for them (psql -E) while the test runs.
"""
import json
import subprocess
import sys
import unittest

import postgres

ANSWERS = ""

# Commands whose rows must be those of PostgreSQL.
SAME_ROWS = r"""
\d
\dt
\dv
\dm
\di
\ds
\dE
\dtvmsE
\d patients
\d visits
\d departments
\d tacit.budget
\dt tacit.*
\dv tacit.*
\d tacit.*
\dt *.patients
\dt pat*
\dt nothing_like_it
\dn
\dn tac*
\df
\da
\dT
\dD
\dx
\dy
\des
\deu
\det
\dew
\db
\dp
\dp patients
\z
\ddp
\dd
\dRp
\dRs
\dX
\dl
\do
\dL
\dc
\dA
\dP
\drds
\dC
""".split("\n")

# Commands that must be answered with PostgreSQL's columns; the rows are ours for the reason given.
SAME_COLUMNS = {
    r"\dn+": "comments of the system are left out",
    r"\dTS int4": "comments of the system are left out",
    r"\dLS": "comments of the system are left out",
    r"\dF": "no text search",
    r"\dFd": "no text search",
    r"\dFp": "no text search",
    r"\dFt": "no text search",
    r"\dO": "no collations but C and its kin",
    r"\dt+": "sizes are not told",
    r"\dv+": "sizes are not told",
    r"\d+ patients": "storage is not told",
    r"\d+ tacit.budget": "views have no definition in SQL",
    r"\l": "one database only",
    r"\l+": "one database only",
    r"\du": "only the analyst and the owner",
    r"\dg": "only the analyst and the owner",
    r"\dtS": "indexes and statistics of the system are left out",
    r"\dvS": "the same",
    r"\dS": "the same",
    r"\dTS": "types of our own tables' rows",
    r"\dT+": "comments of the system are left out",
    r"\dconfig": "settings are Tacit's",
    r"\dconfig *": "settings are Tacit's",
    r"\dfS bool*": "only the functions that types need",
    r"\dAc": "no operator classes",
    r"\dAf": "no operator families",
    r"\dAo": "no operators",
    r"\dAp": "no support functions",
    r"\doS": "no operators",
    r"\dnS": "pg_temp schemas",
    r"\d pg_class": "indexes of the system are left out",
}


def ask(queries):
    text = "".join(json.dumps(query) + "\n" for query in queries)
    done = subprocess.run([ANSWERS], input=text, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


class PsqlTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = postgres.Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.numbers = cls.cluster.numbers(ask)

    def compare(self, commands, with_rows):
        commands = list(commands)
        asked = [(command, query)
                 for command, queries in zip(commands, self.cluster.hidden_queries(commands))
                 for query in queries]
        answers = ask([self.cluster.renumbered({"sql": query}, self.numbers) for _, query in asked])
        theirs = self.cluster.answers([{"sql": query} for _, query in asked])
        self.assertEqual((len(asked), len(asked)), (len(answers), len(theirs)))
        for (command, query), ours, (names, rows) in zip(asked, answers, theirs):
            with self.subTest(command=command, query=query):
                self.assertNotIn("error", ours, msg=ours)
                self.assertEqual(ours["columns"], ours["described"])
                self.assertEqual([column[0] for column in ours["columns"]], names)
                if with_rows:
                    self.assertEqual(self.without_numbers(ours["rows"]), self.without_numbers(rows))
        return len(asked)

    def without_numbers(self, rows):
        known = {**self.numbers, **{ours: ours for ours in self.numbers.values()}}
        return [[known.get(cell, cell) for cell in row] for row in rows]

    def test_backslash_commands_show_what_postgresql_shows(self):
        count = self.compare([line for line in SAME_ROWS if line], with_rows=True)
        self.assertGreater(count, 60)

    def test_backslash_commands_about_the_system_are_answered(self):
        self.compare(SAME_COLUMNS, with_rows=False)


if __name__ == "__main__":
    ANSWERS = sys.argv.pop(1)
    unittest.main()
