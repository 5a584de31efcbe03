"""What BI tools send, through a server with psycopg: each statement of test/clients/corpus as it says."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients"))
import run_corpus
from clinic import Clinic

TACIT = sys.argv.pop(1)


class Corpus(unittest.TestCase):
    def test_every_statement_gives_what_it_says(self):
        with Clinic(TACIT) as gateway:
            outcomes = run_corpus.run(gateway.dsn("ana"), epsilon="0.1")
        print(run_corpus.table(outcomes))
        wrong = [f"{statement.what}: {failure}" for statement, failure, good in outcomes if not good]
        self.assertEqual(wrong, [])
        self.assertGreaterEqual(len(outcomes), 400)
        aggregate = [failure for statement, failure, _ in outcomes if statement.kind == "aggregate"]
        self.assertGreaterEqual(sum(failure is None for failure in aggregate), 0.95 * len(aggregate))


if __name__ == "__main__":
    unittest.main()
