"""What BI tools send, through a server with psycopg: each statement of test/clients/corpus as it says."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "clients"))
import run_corpus
from gateway import Gateway, verifier, PASSWORDS

TACIT = sys.argv.pop(1)


class Clinic(Gateway):
    """The sample clinic, small, with a budget for every statement."""

    def __init__(self, tacit):
        super().__init__(tacit, people=10)
        root = self.folder.parent
        files, self.folder = root / "files", root / "sample"
        for command in (["demo", "clinic", files, "--patients", "2000"],
                        ["init", self.folder, *(word for table in ("patients", "visits", "departments")
                                                for word in ("--table", f"{table}={files / table}.csv")),
                         "--unit", "patients.ssn", "--unit", "visits.patient_ssn"]):
            made = self.run(*command)
            assert made.returncode == 0, made.stderr
        policy = (files / "tacit.yaml").read_text()
        for old, new in (("budget: {epsilon: 3, delta: 1e-11}", "budget: {epsilon: 1000, delta: 1e-3}"),):
            assert old in policy
            policy = policy.replace(old, new)
        policy += f'analysts:\n  ana: {{password: "{verifier(tacit, PASSWORDS["ana"])}", budget: {{epsilon: 500, delta: 1e-4}}}}\n'
        (self.folder / "tacit.yaml").write_text(policy)


class Corpus(unittest.TestCase):
    def test_every_statement_gives_what_it_says(self):
        with Clinic(TACIT) as gateway:
            outcomes = run_corpus.run(gateway.dsn("ana"), epsilon="0.1")
        print(run_corpus.table(outcomes))
        wrong = [f"{statement.what}: {failure}" for statement, failure, good in outcomes if not good]
        self.assertEqual(wrong, [])
        self.assertGreaterEqual(len(outcomes), 300)
        aggregate = [failure for statement, failure, _ in outcomes if statement.kind == "aggregate"]
        self.assertGreaterEqual(sum(failure is None for failure in aggregate), 0.95 * len(aggregate))


if __name__ == "__main__":
    unittest.main()
