#!/usr/bin/env python3
"""Every command that README.md and docs/ show is run, page by page, in a folder that has what the page speaks of.
usage: commands_test.py TACIT ROOT"""
import ctypes
import os
import pathlib
import re
import signal
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

TACIT = ROOT = ""
SERVERS = ("tacit serve", "tacit local survey")
# What other tests run, by what it begins with.
ELSEWHERE = {
    "./scripts/": "tools/checks/scripts_test, and the runs themselves",
    "tacit ledger create": "test/e2e/failing/shared_test.py, with a PostgreSQL",
    "tacit ledger join": "the same",
    "psql ": "test/e2e, with psql and a PostgreSQL",
    "curl ": "test/e2e/serving/http_test.py",
    "cmake --install": "test/binary",
    "systemctl ": "needs systemd",
    "$EDITOR ": "a person",
    "tacit attack differencing clinic --server pg": "test/e2e/hostile/attack_test.py",
    "apt-get ": "scripts/setup",
}
PASSWORD = "correct horse battery\n"


def shown_commands(text):
    """The commands of fenced blocks: lines after `$ `, or that begin with a word that is one of ours."""
    for block in re.findall(r"^ *```(?:[a-z]*)\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE):
        joined = re.sub(r"\\\n\s*", "", block)
        for line in joined.splitlines():
            line = line.strip()
            if line.startswith("$ "):
                yield line[2:].strip()
            elif line.startswith(("tacit ", *ELSEWHERE)):
                yield line


def without_comment(line):
    """`# ...` behind two blanks or more is for the reader."""
    return re.sub(r"\s{2,}#.*$", "", line)


def named_commands(text):
    """The commands that stand in a sentence: `tacit ledger verify clinic --head HASH`."""
    outside = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    for code in re.findall(r"`(tacit [^`]+)`", re.sub(r"\s+", " ", outside)):
        yield code


def write_parquet(library, sql):
    """With the DuckDB that ships: the test needs no other."""
    duckdb = ctypes.CDLL(str(library))
    database, connection = ctypes.c_void_p(), ctypes.c_void_p()
    assert duckdb.duckdb_open(None, ctypes.byref(database)) == 0
    assert duckdb.duckdb_connect(database, ctypes.byref(connection)) == 0
    assert duckdb.duckdb_query(connection, sql.encode(), None) == 0, sql
    duckdb.duckdb_disconnect(ctypes.byref(connection))
    duckdb.duckdb_close(ctypes.byref(database))


def can_shut_in():
    """Whether this place lets a program have namespaces of its own; a changed root does not."""
    return subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "true"], capture_output=True).returncode == 0


class CommandsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.box = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.box.name)
        os.chmod(cls.root, 0o700)
        (cls.root / "bin").mkdir()
        (cls.root / "bin" / "tacit").symlink_to(TACIT)
        cls.environment = {**os.environ, "PATH": f"{cls.root / 'bin'}:{os.environ['PATH']}", "HOME": str(cls.root)}
        cls.files = cls.root / "files"
        cls.call("tacit demo clinic files --patients 1500", cls.root)
        cls.policy = (cls.files / "tacit.yaml").read_text()

    @classmethod
    def tearDownClass(cls):
        cls.box.cleanup()

    @classmethod
    def call(cls, line, folder, given=PASSWORD):
        run = subprocess.run(["bash", "-c", line], cwd=folder, env=cls.environment, input=given, capture_output=True, text=True, timeout=280)
        if run.returncode == 5 and "programs cannot be shut in" in run.stderr and not can_shut_in():
            print(f"refused, as it has to be without namespaces: {line}")
            return run.stdout + run.stderr
        assert run.returncode == 0, f"{line}\nended with {run.returncode}\n{run.stdout[-2000:]}{run.stderr[-2000:]}"
        return run.stdout + run.stderr

    @classmethod
    def policy_for(cls, line):
        """The clinic's own, with the tables that the command made."""
        head, _, tables = cls.policy.partition("\ntables:\n")
        entries = re.split(r"\n(?=  [a-z]+:)", "\n" + tables)
        made = re.findall(r"--table ([a-z]+)=", line)
        return head + "\ntables:" + "\n".join(["", *(e for e in entries if e.strip().split(":")[0] in made)]) + "\n"

    def folder_for(self, page, commands):
        folder = self.root / page.stem
        folder.mkdir()
        for file in self.files.iterdir():
            (folder / file.name).symlink_to(file)
        shutil.copytree(pathlib.Path(ROOT) / "examples", folder / "examples")
        people = "".join(f"{18 + i * 7 % 60},{'fm'[i % 2]},{75001 + i * 13 % 20},{['flu', 'gout', 'asthma', 'none', 'lumbago'][i % 5]},{['school', 'college', 'university'][i % 3]}\n" for i in range(400))
        (folder / "people.csv").write_text("age,sex,zip,illness,education\n" + people)
        (folder / "levels.csv").write_text("school,basic,*\ncollege,higher,*\nuniversity,higher,*\n")
        (folder / "answers.csv").write_text("red\ngreen\nblue\n" * 100)
        (folder / "labs.csv").write_text("patient_ssn,value\n" + "".join(f"{100 + i},{i}\n" for i in range(20)))
        (folder / "export").mkdir()
        library = pathlib.Path(ROOT) / "build/deps/duckdb/lib/libduckdb.so"
        write_parquet(library if library.exists() else "libduckdb.so", f"COPY (FROM read_csv('{self.files}/visits.csv')) TO '{folder}/export/visits-1.parquet'")
        if not any(c.startswith("tacit init clinic") for c in commands):
            line = "tacit init clinic --table patients=patients.csv --table visits=visits.csv --table departments=departments.csv --unit patients.ssn --unit visits.patient_ssn"
            self.call(line, folder)
            (folder / "clinic" / "tacit.yaml").write_text(self.policy)
        return folder

    def serve(self, line, folder):
        """Starts, says where it is, and stops when it is told."""
        line = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:0", line)
        if line.startswith("tacit serve") and "--pg" not in line:
            line += " --pg 127.0.0.1:0"
        child = subprocess.Popen(["bash", "-c", "exec " + line], cwd=folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = ""
        deadline = time.monotonic() + 60
        while "localhost" not in said and "127.0.0.1" not in said and time.monotonic() < deadline and child.poll() is None:
            said += child.stdout.readline()
        child.send_signal(signal.SIGTERM)
        rest, _ = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 0, said + rest)
        self.assertRegex(said, r"localhost|127\.0\.0\.1")

    def run_page(self, page):
        commands = [without_comment(c) for c in shown_commands(page.read_text())]
        commands = [c for c in commands if not c.startswith(tuple(ELSEWHERE))]
        if not commands:
            return 0
        folder = self.folder_for(page, commands)
        for line in commands:
            if line.startswith(SERVERS):
                self.serve(line, folder)
                continue
            # The long way is the same with more runs.
            self.call(line + " --quick" if line.startswith("tacit attack all") and "--quick" not in line else line, folder)
            if line.startswith("tacit init clinic"):
                (folder / "clinic" / "tacit.yaml").write_text(self.policy_for(line))
        return len(commands)

    def test_every_command_of_every_page_works(self):
        pages = [pathlib.Path(ROOT) / "README.md", *sorted((pathlib.Path(ROOT) / "docs").rglob("*.md"))]
        ran = 0
        for page in pages:
            with self.subTest(page=page.name):
                ran += self.run_page(page)
        self.assertGreater(ran, 30)

    def unknown_in(self, code, helps={}):
        """What the command's own help does not know of it: a subcommand, or a flag."""
        words = re.findall(r"[^\s\[\]]+", code)[1:]
        path = []
        for word in words:
            text = helps.get(tuple(path)) or self.call(" ".join(["tacit", *path, "--help"]), self.root)
            helps[tuple(path)] = text
            known = re.findall(r"^  ([a-z]+)(?:\s|$)", text.partition("Subcommands:")[2] or text.partition("SUBCOMMANDS:")[2], re.MULTILINE)
            if not known:
                break
            options = word.split("|")
            if not all(option in known for option in options):
                return [] if word.startswith("-") else [word]
            path.append(options[0])
        text = helps.get(tuple(path)) or self.call(" ".join(["tacit", *path, "--help"]), self.root)
        return [word for word in words if re.fullmatch(r"--[a-z-]+", word) and not re.search(word + r"\b", text)]

    def test_every_command_in_a_sentence_is_one(self):
        pages = [pathlib.Path(ROOT) / "README.md", pathlib.Path(ROOT) / "CHANGELOG.md", *sorted((pathlib.Path(ROOT) / "docs").rglob("*.md"))]
        named = [(page.name, code) for page in pages for code in named_commands(page.read_text())]
        self.assertGreater(len(named), 80)
        self.assertEqual([(page, code) for page, code in named if self.unknown_in(code)], [])
        self.assertEqual(self.unknown_in("tacit ledger verfy clinic"), ["verfy"])
        self.assertEqual(self.unknown_in("tacit query clinic --eror 5"), ["--eror"])

    def test_a_command_that_fails_is_seen(self):
        page = self.root / "wrong.md"
        page.write_text("```\n$ tacit check clinic\n$ tacit query clinic \"SELECT nothing FROM nobody\"   # no\n```\n")
        with self.assertRaises(AssertionError):
            self.run_page(page)

    def test_the_readme_lists_every_page_once(self):
        readme = (pathlib.Path(ROOT) / "README.md").read_text()
        table = readme[readme.index("## Where to read next"):]
        for page in sorted((pathlib.Path(ROOT) / "docs").glob("*.md")):
            self.assertEqual(table.count(f"](docs/{page.name})"), 1, page.name)


if __name__ == "__main__":
    TACIT, ROOT = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
    unittest.main()
