"""The sample clinic, small and served, with a budget for every statement that a test may send."""
from gateway import PASSWORDS, Gateway, verifier


class Clinic(Gateway):
    def __init__(self, tacit, patients=2000):
        super().__init__(tacit, people=10)
        root = self.folder.parent
        files, self.folder = root / "files", root / "sample"
        for command in (["demo", "clinic", files, "--patients", str(patients)],
                        ["init", self.folder, *(word for table in ("patients", "visits", "departments")
                                                for word in ("--table", f"{table}={files / table}.csv")),
                         "--unit", "patients.ssn", "--unit", "visits.patient_ssn"]):
            made = self.run(*command)
            assert made.returncode == 0, made.stderr
        policy = (files / "tacit.yaml").read_text()
        old = "budget: {epsilon: 3, delta: 1e-11}"
        assert old in policy
        policy = policy.replace(old, "budget: {epsilon: 1000, delta: 1e-3}")
        policy += f'analysts:\n  ana: {{password: "{verifier(tacit, PASSWORDS["ana"])}", budget: {{epsilon: 500, delta: 1e-4}}}}\n'
        (self.folder / "tacit.yaml").write_text(policy)
