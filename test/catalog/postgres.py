"""A private PostgreSQL 15 cluster in a temporary folder, reached by a Unix socket only."""
import csv
import io
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

BIN = pathlib.Path("/usr/lib/postgresql/15/bin")

# As src/catalog/testing/clinic.cc shows them to ana: without hidden columns.
TABLES = """
DROP EXTENSION plpgsql;
CREATE ROLE ana LOGIN;
ALTER SCHEMA public OWNER TO tacit;
CREATE TABLE departments (department text, floor integer);
CREATE TABLE patients (age integer, sex text, income numeric(12,2), weight double precision,
                       "Insured" boolean);
CREATE TABLE visits (visit bigint, admitted date, seen timestamp);
CREATE SCHEMA tacit;
GRANT USAGE ON SCHEMA tacit TO PUBLIC;
CREATE VIEW tacit.budget AS SELECT NULL::text AS scope, 0::float8 AS epsilon_budget,
  0::float8 AS epsilon_spent, 0::float8 AS epsilon_left, 0::float8 AS delta_budget,
  0::float8 AS delta_spent, 0::float8 AS delta_left, 0::float8 AS rho_budget,
  0::float8 AS rho_spent, 0::float8 AS rho_left, 0::bigint AS charges;
CREATE VIEW tacit.ledger AS SELECT 0::bigint AS sequence, now() AS time, 0::float8 AS epsilon,
  0::float8 AS delta, 0::float8 AS rho, NULL::text AS query_fingerprint,
  NULL::text AS policy_version, 0::bigint AS data_version, 0::bigint AS releases,
  NULL::text AS receipt, NULL::text AS question;
CREATE VIEW tacit.last AS SELECT 0::bigint AS answer, 0::integer AS position,
  NULL::text AS column_name, NULL::text AS data_type, NULL::text AS mechanism, 0::float8 AS scale,
  0::float8 AS moe95, NULL::text AS condition, 0::float8 AS epsilon, 0::float8 AS delta,
  0::float8 AS rho, true AS cached, 0::float8 AS epsilon_left, 0::float8 AS delta_left,
  0::float8 AS rho_left, NULL::text AS receipt, NULL::text AS notices;
CREATE VIEW tacit.tables AS SELECT NULL::text AS table_name, true AS is_public, NULL::text AS unit,
  0::bigint AS rows_per_unit, 0::bigint AS groups_per_unit, 0::bigint AS rows_per_group;
CREATE VIEW tacit.columns AS SELECT NULL::text AS table_name, NULL::text AS column_name,
  0::integer AS position, NULL::text AS data_type, 0::float8 AS low, 0::float8 AS high,
  0::float8 AS step, NULL::text AS keys;
CREATE VIEW tacit.settings AS SELECT NULL::text AS name, NULL::text AS value,
  NULL::text AS default_value, NULL::text AS description;
GRANT SELECT ON ALL TABLES IN SCHEMA public, tacit TO ana;
"""

# Marks that no cell of a catalog holds.
NULL = "\u2400"
MARK = "\u2401"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """`port`: also listens on 127.0.0.1, for clients without Unix sockets. `logged`: keeps a log of
    every statement. `durable`: waits for the disk, as a ledger wants, and holds no clinic."""

    def __init__(self, port=0, logged=False, durable=False):
        self.port = port or 5432
        listen = "127.0.0.1" if port else ""
        self.options = f"-c listen_addresses='{listen}' -c port={self.port} -c fsync={'on' if durable else 'off'}"
        if logged:
            self.options += (" -c logging_collector=on -c log_destination=csvlog -c log_statement=all"
                        " -c log_directory=log -c log_filename=all.log -c log_file_mode=0644")
        # The server refuses to run as root; root lends it another name.
        self.as_user = []
        user = None
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            self.as_user = ["runuser", "-u", "postgres", "--"]
        self.folder = tempfile.mkdtemp(prefix="tacit-catalog-", dir="/tmp")
        if user:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        try:
            self._run("initdb", "-D", f"{self.folder}/data", "-U", "tacit", "-A", "trust",
                      "--locale=C", "-E", "UTF8", "--no-sync", "--allow-group-access")
            self.start()
            os.chmod(self.folder, 0o755)
            if durable:
                return
            self.psql("postgres", "tacit", "-c", "CREATE DATABASE clinic")
            self.psql("clinic", "tacit", "-c", TABLES)
        except BaseException:
            self.stop()
            raise

    def _run(self, program, *arguments):
        subprocess.run([*self.as_user, str(BIN / program), *arguments], check=True, cwd="/",
                       stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=120)

    def start(self):
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "-o",
                  f"{self.options} -c unix_socket_directories={self.folder}", "start")

    def kill(self):
        """kill -9 of the server and all of its processes."""
        pid_file = pathlib.Path(self.folder, "data", "postmaster.pid")
        server = int(pid_file.read_text().split()[0])
        os.kill(server, signal.SIGSTOP)
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(server)], capture_output=True,
                                  text=True, check=True, timeout=60).stdout.split()
        for process in (*map(int, children), server):
            os.kill(process, signal.SIGKILL)
        while pathlib.Path(f"/proc/{server}").exists():
            time.sleep(0.01)

    def stop(self):
        if pathlib.Path(self.folder, "data", "postmaster.pid").exists():
            self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def psql(self, database, user, *arguments, stdin=None):
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PGHOST": self.folder,
                       "PGPORT": str(self.port),
                       "PGUSER": user, "PGDATABASE": database, "PSQL_PAGER": "", "PGTZ": "UTC"}
        done = subprocess.run(["psql", "-X", "-v", "ON_ERROR_STOP=1", *arguments], input=stdin,
                              env=environment, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(done.stderr + done.stdout)
        return done.stdout

    def _script(self, pieces, *arguments):
        """The outputs of several pieces of input, by one psql."""
        text = "".join(f"\\echo {MARK}\n{piece}\n" for piece in pieces)
        out = self.psql("clinic", "ana", "-q", "-v", "ON_ERROR_STOP=0", *arguments, stdin=text)
        return out.split(f"{MARK}\n")[1:]

    def hidden_queries(self, commands):
        """What psql sends for each backslash command."""
        return [re.findall(r"\*{9} QUERY \*{10}\n(.*?)\n\*{26}", out, re.S)
                for out in self._script(commands, "-E")]

    def answers(self, asked):
        """(column names, rows) of each query, as the server gives them to ana."""
        pieces = []
        for one in asked:
            query = one["sql"].strip().rstrip(";")
            values = ", ".join("NULL" if value is None else "'" + value.replace("'", "''") + "'"
                               for value in one.get("parameters", []))
            pieces.append(f"PREPARE asked AS {query};\nEXECUTE asked({values});\nDEALLOCATE asked;"
                          if values else query + "\n;")
        tables = [list(csv.reader(io.StringIO(out)))
                  for out in self._script(pieces, "--csv", "-P", f"null={NULL}")]
        return [(table[0] if table else None,
                 [[None if cell == NULL else cell for cell in row] for row in table[1:]])
                for table in tables]

    def numbers(self, ask):
        """A relation has one number here and another there: {theirs: ours}."""
        names = "SELECT oid::regclass::text, oid FROM pg_class WHERE relkind IN ('r', 'v')"
        theirs = dict(self.answers([{"sql": names}])[0][1])
        ours = dict(ask([{"sql": names}])[0]["rows"])
        return {theirs[name]: ours[name] for name in theirs if name in ours}

    @staticmethod
    def renumbered(asked, numbers):
        """The same question with our numbers where a client put those of the server."""
        def ours(match):
            return numbers.get(match[0], match[0])
        # Only numbers that the server gave out itself, not those that every server has.
        given = {theirs: own for theirs, own in numbers.items() if int(theirs) >= 16384}
        numbers = given
        pattern = re.compile(r"\b(" + "|".join(given) + r")\b")
        return {"sql": pattern.sub(ours, asked["sql"]),
                "parameters": [value and pattern.sub(ours, value)
                               for value in asked.get("parameters", [])]}

    def log(self):
        return f"{self.folder}/data/log/all.csv"
