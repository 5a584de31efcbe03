#!/usr/bin/env python3
"""What drivers ask of the catalog, asked of a real PostgreSQL 15 and of Tacit's catalog.

usage: clients_test.py CATALOG_ANSWERS
The queries are not stored anywhere: the drivers talk to the real server while the test runs, and
its log has what they sent.
"""
import csv
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import time
import unittest

import postgres

ANSWERS = ""
HERE = pathlib.Path(__file__).parent
# The distribution's own python has the distribution's drivers.
PYTHON = "/usr/bin/python3"
JDBC = "/usr/share/java/postgresql.jar"


# Lines at whose end the TAB key is pressed; each makes psql ask for what could follow.
UNFINISHED = ["SELECT * FROM pa", "SELECT * FROM tacit.b", "\\d vis", "\\dt t", "\\dn pu", "\\dv t",
              "SELECT age FROM patients WHERE in", "SET dates", "SHOW tim", "\\df pg_", "\\dT in",
              "\\du a", "\\c cli", "\\l cl", "GRANT SELECT ON pat", "COMMENT ON COLUMN patients.a"]


def type_into_psql(cluster):
    """Presses TAB in a psql at a terminal of its own."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(PGHOST=cluster.folder, PGPORT=str(cluster.port), TERM="dumb", PSQL_PAGER="")
        os.execvp("psql", ["psql", "-X", "-U", "ana", "clinic"])
    os.set_blocking(terminal, False)

    def press(keys, seconds):
        os.write(terminal, keys)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                os.read(terminal, 65536)
            except BlockingIOError:
                time.sleep(0.05)
            except OSError:  # psql is gone
                return

    press(b"", 2)
    for line in UNFINISHED:
        press(line.encode() + b"\t\t", 0.6)
        press(b"\x15", 0.2)  # takes the line back
    # An empty line and the end of input.
    press(b"\\q\n", 1)
    os.close(terminal)
    os.waitpid(child, 0)


def ask(asked):
    text = "".join(json.dumps(one) + "\n" for one in asked)
    done = subprocess.run([ANSWERS], input=text, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def parameters_of(detail):
    """"parameters: $1 = 'a', $2 = NULL" as a list."""
    found = re.findall(r"\$\d+ = (NULL|'(?:[^']|'')*')", detail)
    return [None if one == "NULL" else one[1:-1].replace("''", "'") for one in found]


def queries_in(log):
    """The SELECTs of the log, each once, with the values of their parameters."""
    seen = {}
    with open(log, newline="", encoding="utf-8") as file:
        for row in csv.reader(file):
            match = re.match(r"(?:statement|execute [^:]*): (.*)", row[13], re.S)
            if match and re.match(r"\s*(SELECT|WITH|VALUES)\b", match[1], re.I):
                asked = {"sql": match[1], "parameters": parameters_of(row[14])}
                seen[json.dumps(asked)] = asked
    return list(seen.values())


class ClientsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = postgres.Cluster(port=postgres.free_port(), logged=True)
        cls.addClassCleanup(cls.cluster.stop)
        cls.numbers = cls.cluster.numbers(ask)

    def captured(self, command):
        before = len(queries_in(self.cluster.log()))
        if command == "psql":
            type_into_psql(self.cluster)
        else:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
        return queries_in(self.cluster.log())[before:]

    def compare(self, asked, equal_least):
        answers = ask([self.cluster.renumbered(one, self.numbers) for one in asked])
        theirs = self.cluster.answers(asked)
        self.assertEqual((len(asked), len(asked)), (len(answers), len(theirs)))
        equal = 0
        for one, ours, (names, rows) in zip(asked, answers, theirs):
            with self.subTest(asked=one):
                self.assertNotIn("error", ours, msg=ours)
                self.assertEqual(ours["columns"], ours["described"])
                self.assertEqual([column[0] for column in ours["columns"]], names)
                known = {**self.numbers, **{v: v for v in self.numbers.values()}}
                plain = [[known.get(cell, cell) for cell in row] for row in ours["rows"]]
                real = [[known.get(cell, cell) for cell in row] for row in rows]
                key = lambda row: [cell or "" for cell in row]
                equal += sorted(plain, key=key) == sorted(real, key=key)
        print(f"{len(asked)} queries, {equal} with the very rows of PostgreSQL", file=sys.stderr)
        self.assertGreaterEqual(equal, equal_least)

    def test_sqlalchemy_reflects(self):
        asked = self.captured([PYTHON, str(HERE / "ask_sqlalchemy.py"), self.cluster.folder,
                               str(self.cluster.port)])
        self.assertGreater(len(asked), 60)
        self.compare(asked, equal_least=60)

    def test_psql_completes_names(self):
        asked = self.captured("psql")
        self.assertGreater(len(asked), 8)
        self.compare(asked, equal_least=4)

    def test_jdbc_metadata_is_answered(self):
        url = f"jdbc:postgresql://127.0.0.1:{self.cluster.port}/clinic"
        asked = self.captured(["java", "-cp", JDBC, str(HERE / "AskJdbc.java"), url])
        self.assertGreater(len(asked), 20)
        self.compare(asked, equal_least=15)


if __name__ == "__main__":
    ANSWERS = sys.argv.pop(1)
    unittest.main()
