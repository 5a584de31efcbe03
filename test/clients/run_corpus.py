#!/usr/bin/python3
"""Sends the corpus to a running gateway, and prints what came of it: run_corpus.py DSN [--failed]."""
import pathlib
import sys

import psycopg2

CORPUS = pathlib.Path(__file__).parent / "corpus"
# Why so little: three hundred questions have to fit the budget of the sample's analyst.
EPSILON = "0.004"


class Statement:
    def __init__(self, tool, what, source, expected, sql):
        self.tool, self.what, self.source, self.sql = tool, what, source, sql
        self.kind, self.outcome, *state = expected.split()
        self.state = state[0] if state else None


def read_corpus(folder=CORPUS):
    """The statements of every file, in order."""
    statements = []
    for path in sorted(folder.glob("*.sql")):
        words, lines = {}, []
        for line in path.read_text().splitlines() + [""]:
            if line.startswith(f"-- {path.stem} "):
                words["what"] = line[3:]
            elif line.startswith("-- from "):
                words["source"] = line[8:]
            elif line.startswith("-- expect "):
                words["expected"] = line[10:]
            elif "expected" in words and line:
                lines.append(line)
            elif lines:
                statements.append(Statement(path.stem, sql="\n".join(lines), **words))
                words, lines = {}, []
    return statements


def ask(connection, statement):
    """None when it is answered, else its SQLSTATE and message."""
    cursor = connection.cursor()
    try:
        cursor.execute(statement.sql)
        if cursor.description is not None:
            cursor.fetchall()
        return None
    except psycopg2.Error as error:
        return error.pgcode, str(error).splitlines()[0]
    finally:
        cursor.close()


def run(dsn, epsilon=EPSILON):
    """The statements with what came of each: (statement, failure, as expected)."""
    connection = psycopg2.connect(dsn)
    connection.autocommit = True
    connection.cursor().execute(f"SET tacit.epsilon = '{epsilon}'")
    outcomes = []
    for statement in read_corpus():
        failure = ask(connection, statement)
        refused = failure is not None and failure[0] == statement.state
        outcomes.append((statement, failure, failure is None if statement.outcome == "answer" else refused))
    connection.close()
    return outcomes


def table(outcomes):
    """Of each tool: statements, those that aggregate, those of them that were answered, surprises."""
    lines = [f"{'tool':10} {'sent':>5} {'aggregate':>10} {'answered':>9} {'not as expected':>16}"]
    rows = sorted({statement.tool for statement, _, _ in outcomes}) + ["all"]
    for tool in rows:
        own = [each for each in outcomes if tool in (each[0].tool, "all")]
        aggregate = [each for each in own if each[0].kind == "aggregate"]
        answered = sum(failure is None for _, failure, _ in aggregate)
        lines.append(f"{tool:10} {len(own):5} {len(aggregate):10} {answered:9} {sum(not good for *_, good in own):16}")
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    results = run(sys.argv[1])
    print(table(results))
    if "--failed" in sys.argv:
        for statement, failure, good in results:
            if not good:
                print(f"\n{statement.what}\n{statement.sql}\n  {failure or 'was answered'}")
    sys.exit(0 if all(good for *_, good in results) else 1)
