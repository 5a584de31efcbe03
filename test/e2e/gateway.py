"""A deployment with its own data and a running `tacit serve`, for the tests of this folder."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

POLICY = """tacit: 1
engine: {{kind: duckdb, path: data.duckdb{engine}}}
ledger: {ledger}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {{epsilon: {epsilon}, delta: 1e-4}}
  query: {{epsilon: 0.1, epsilon_max: 1, delta: 1e-9}}
tables:
  people:
    unit: pid
    rows_per_unit: {cap}{rows_max}
    columns:
      pid: {{hidden: true}}
      age: {{bounds: [0, {oldest}]}}
      sex: {{keys: [F, M, X]}}
      town: {{}}
server: {{answer_every_ms: {grid}, unprepared: {unprepared}}}
analysts:
  ana: {{password: "{ana}", budget: {{epsilon: {ana_epsilon}, delta: 1e-5}}}}
  bob: {{password: "{bob}", budget: {{epsilon: {ana_epsilon}, delta: 1e-5}}}}
"""
PASSWORDS = {"ana": "correct horse", "bob": "pässwörd"}


def is_margin(notice):
    """Whether a notice says how far off numbers are that were computed from noisy ones: it is computed from them itself."""
    return notice.startswith("95 % of answers like this are within")


def without_margins(reply):
    """A reply of the HTTP interface without what was computed from its noisy numbers."""
    if "notices" in reply:
        reply["notices"] = [notice for notice in reply["notices"] if not is_margin(notice)]
    for error in reply.get("error", []):
        if "moe95_rows" in error:
            error["moe95"] = error["moe95_rows"] = "computed"
    return reply


def verifier(tacit, password):
    made = subprocess.run([tacit, "password", "--weak"], input=password + "\n", capture_output=True, text=True, timeout=60)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


class Gateway:
    """with Gateway(TACIT) as gateway: gateway.dsn("ana"), gateway.folder, gateway.process"""

    def __init__(self, tacit, epsilon="100", ana_epsilon="50", grid=0, people=2000, flags=(), cap=1, heavy=0):
        self.tacit = tacit
        self.flags = list(flags)
        self.scratch = tempfile.TemporaryDirectory()
        root = pathlib.Path(self.scratch.name)
        self.folder = root / "clinic"
        rows = [f"{i},{20 + i % 60},{'FM'[i % 2]},{'north' if i % 3 else 'south'},{i % 1000},2024-01-{1 + i % 28:02d}"
                for i in range(people)]
        rows += [f"{people},40,F,north,{i % 1000},2024-01-01" for i in range(heavy)]  # one more person
        (root / "people.csv").write_text("pid,age,sex,town,pay,seen\n" + "\n".join(rows) + "\n")
        made = subprocess.run([tacit, "init", str(self.folder), "--table", f"people={root / 'people.csv'}"],
                              capture_output=True, text=True, timeout=120)
        assert made.returncode == 0, made.stderr
        self.terms = dict(epsilon=epsilon, ana_epsilon=ana_epsilon, grid=grid, unprepared="prepare", oldest=120, cap=cap, engine="", rows_max="",
                          ledger="{kind: sqlite, path: ledger.sqlite}",
                          ana=verifier(tacit, PASSWORDS["ana"]), bob=verifier(tacit, PASSWORDS["bob"]))
        self.write_policy()
        self.process = None
        self.popen = {}  # how the process is started, beyond what every test wants

    def write_policy(self, **changes):
        self.terms.update(changes)
        (self.folder / "tacit.yaml").write_text(POLICY.format(**self.terms))

    def start(self):
        self.log = open(self.folder.parent / "log", "ab")
        self.process = subprocess.Popen([self.tacit, "serve", str(self.folder), "--pg", "127.0.0.1:0", *self.flags],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True, **self.popen)
        self.hello = ""
        self.port = None
        for line in self.process.stdout:
            self.hello += line
            if found := re.search(r"port=(\d+)", line):
                self.port = int(found.group(1))
            if line.startswith("certificate"):
                break
        assert self.port, f"the server did not start: {self.log_text()}"
        return self

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        self.log.close()
        return code

    def log_text(self):
        return (self.folder.parent / "log").read_text()

    def log_events(self):
        return [json.loads(line) for line in self.log_text().splitlines()]

    def __enter__(self):
        return self.start()

    def __exit__(self, *failure):
        if self.process.poll() is None:
            code = self.stop()
            assert code == 0, f"serve ended with {code}: {self.log_text()[-2000:]}"
        self.scratch.cleanup()

    def dsn(self, analyst="ana", **more):
        words = dict(host="localhost", port=self.port, user=analyst, password=PASSWORDS[analyst], dbname="clinic",
                     sslmode="verify-full", sslrootcert=self.folder / "server.crt", connect_timeout=30)
        words.update(more)
        return " ".join(f"{key}='{value}'" for key, value in words.items())

    def psql(self, *commands, analyst="ana", flags=(), **more):
        arguments = [part for command in commands for part in ("-c", command)]
        return subprocess.run(["psql", "-X", "-v", "VERBOSITY=verbose", *flags, self.dsn(analyst, **more), *arguments],
                              capture_output=True, text=True, timeout=120, env={**os.environ, "PGCONNECT_TIMEOUT": "30"})

    def run(self, *arguments):
        return subprocess.run([self.tacit, *map(str, arguments)], capture_output=True, text=True, timeout=120)

    def ledger(self):
        return self.run("ledger", "export", self.folder).stdout

    def spent(self, analyst=""):
        accounts = json.loads(self.run("budget", self.folder, "--format", "json").stdout)["accounts"]
        for account in accounts:
            if account.get("analyst", "") in (analyst, None if analyst == "" else analyst):
                return account["spent"]["epsilon"]
        return "0"
