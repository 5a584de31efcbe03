#!/usr/bin/env python3
"""The Debian package: what is in it, and that the program in it works where nothing else of the tree is.
usage: package_test.py TACIT ROOT [--clean]
--clean installs it with apt in a Debian made by debootstrap, as root, and uses it there as a user would."""
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TACIT = ROOT = ""
USE = """set -e
cd /tmp
tacit --version | grep -q DuckDB
tacit demo clinic files --patients 500
tacit init clinic --table patients=files/patients.csv --table visits=files/visits.csv --table departments=files/departments.csv \\
  --unit patients.ssn --unit visits.patient_ssn
cp files/tacit.yaml clinic/tacit.yaml
tacit check clinic
tacit prepare clinic
tacit query clinic "SELECT sex, count(*) FROM patients GROUP BY sex" --format csv
tacit ledger verify clinic
"""

# A bare Debian with the way to packages that this machine has, as ./scripts/bench build makes it.
BARE = """source "$1/scripts/common.sh"; source bench/build/bare_root.sh
mkdir -p "$BARE"; make_base; fresh_root package; carry_settings "$BARE/package"; cp "$2" "$BARE/package/tacit.deb"
"""
INSIDE = """source "$1/scripts/common.sh"; source bench/build/bare_root.sh
inside "$BARE/package" DEBIAN_FRONTEND=noninteractive bash -euc "$2"
"""


def run(*command, **words):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, **words)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.box = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.box.name)
        os.chmod(cls.folder, 0o755)
        made = run(f"{ROOT}/scripts/package", cls.folder / "out", env={**os.environ, "TACIT_PROGRAM": TACIT})
        cls.package = pathlib.Path(made.split()[-1])
        cls.root = cls.folder / "root"
        run("dpkg-deb", "-x", cls.package, cls.root)

    @classmethod
    def tearDownClass(cls):
        cls.box.cleanup()

    def test_everything_is_in_it_and_nothing_of_the_machine(self):
        listed = run("dpkg-deb", "-c", self.package)
        for path in ("usr/bin/tacit", "usr/lib/tacit/libduckdb.so", "usr/lib/systemd/system/tacit.service", "usr/share/man/man1/tacit.1.gz", "usr/share/man/man1/tacit-ledger-verify.1.gz",
                     "bash-completion/completions/tacit", "vendor-completions/_tacit", "vendor_completions.d/tacit.fish", "doc/tacit/examples/tacit.yaml", "doc/tacit/sbom.cdx.json", "doc/tacit/changelog.gz"):
            self.assertIn(path, listed)
        self.assertFalse(re.search(r"^\S+ (?!root/root)\S+/\S+", listed, re.MULTILINE), "files belong to root")
        self.assertFalse(str(ROOT).encode() in (self.root / "usr/bin/tacit").read_bytes(), "a path of the machine")
        control = run("dpkg-deb", "-f", self.package, "Package", "Depends")
        self.assertIn("libssl3", control)
        self.assertIn("libsqlite3-0", control)

    def test_the_program_works_from_there(self):
        path = f"{self.root}/usr/bin:{os.environ['PATH']}"
        with tempfile.TemporaryDirectory() as work:
            said = run("bash", "-c", USE.replace("cd /tmp", f"cd {work}"), env={"PATH": path, "HOME": work})
            self.assertIn("sex,count", said.replace("\r", ""))

    def test_man_pages_and_completions_say_what_the_flags_say(self):
        page = gzip.decompress((self.root / "usr/share/man/man1/tacit-query.1.gz").read_bytes()).decode()
        for flag in re.findall(r"^\s+(--[a-z-]+)", run(TACIT, "query", "--help"), re.MULTILINE):
            self.assertIn(flag.replace("-", "\\-"), page)
        troff = subprocess.run(["man", "--warnings", "-l", "-Tutf8", str(self.root / "usr/share/man/man1/tacit-query.1.gz")], capture_output=True, text=True) if os.path.exists("/usr/bin/man") else None
        if troff is not None:
            self.assertEqual(troff.stderr, "")
        complete = f"source {self.root}/usr/share/bash-completion/completions/tacit; COMP_WORDS=(@WORDS@); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _tacit; echo \"${{COMPREPLY[@]}}\""
        for words, wanted in (("tacit led", "ledger"), ("tacit ledger ver", "verify"), ("tacit query --ep", "--epsilon"), ("tacit query d --format js", "json"), ("tacit ledger list --qu", "--questions")):
            self.assertEqual(run("bash", "-c", complete.replace("@WORDS@", words)).strip(), wanted, words)

    def test_the_sbom_names_every_library_that_is_loaded(self):
        bom = json.loads((self.root / "usr/share/doc/tacit/sbom.cdx.json").read_text())
        self.assertEqual((bom["bomFormat"], bom["specVersion"]), ("CycloneDX", "1.5"))
        names = {c["name"]: c for c in bom["components"]}
        for name in ("libssl3", "libsqlite3-0", "libgmp10", "libmpfr6", "libjemalloc2", "libc6", "duckdb"):
            self.assertTrue(names[name]["version"], name)
        self.assertEqual(len(names["duckdb"]["hashes"][0]["content"]), 64)
        self.assertEqual(len(bom["dependencies"][0]["dependsOn"]), len(names))

    def test_the_example_is_a_policy_and_the_version_names_its_parts(self):
        example = (self.root / "usr/share/doc/tacit/examples/tacit.yaml").read_text()
        self.assertEqual(example, (pathlib.Path(ROOT) / "examples/clinic/tacit.yaml").read_text())
        version = run(TACIT, "--version")
        for word in ("tacit 0.", "DuckDB v1", "SQLite 3", "OpenSSL 3", "GMP 6", "MPFR 4"):
            self.assertIn(word, version)

    @unittest.skipUnless("--clean" in sys.argv, "makes a Debian: --clean")
    def test_it_installs_in_a_clean_debian_and_goes_without_a_trace(self):
        bare = pathlib.Path(ROOT) / "build/bare"
        clean = bare / "package"
        self.addCleanup(shutil.rmtree, clean, ignore_errors=True)

        def inside(command):
            return run("bash", "-c", INSIDE, "inside", ROOT, command)

        run("bash", "-c", BARE, "bare", ROOT, self.package)
        inside("apt-get -q update && apt-get -q install -y --no-install-recommends /tacit.deb")
        said = inside(USE)
        self.assertIn("sex,count", said.replace("\r", ""))
        self.assertIn("tacit-query", inside("ls /usr/share/man/man1 || true; dpkg -L tacit"))
        self.assertTrue((clean / "var/lib/tacit").is_dir())
        inside("apt-get -q remove -y tacit")
        self.assertFalse((clean / "usr/bin/tacit").exists())
        self.assertFalse((clean / "usr/lib/tacit").exists())
        self.assertTrue((clean / "var/lib/tacit").is_dir(), "what people made stays")


if __name__ == "__main__":
    TACIT, ROOT = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
    unittest.main(argv=[word for word in sys.argv if word != "--clean"])
