#!/usr/bin/env python3
"""examples/systemd/tacit.service: read by systemd's own tools, and its list of calls tried on the server.
usage: unit_test.py TACIT"""
import ctypes
import ctypes.util
import errno
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from gateway import Gateway

TACIT = ""
UNIT = pathlib.Path(__file__).parents[3] / "examples/systemd/tacit.service"
COUNT = "SELECT count(*) AS n FROM people WHERE age > 40"
# systemd's own scale, from 0 (sealed) to 100 (open). What remains is the network, which is its purpose.
EXPOSURE_MAX = 15
ALLOW, FAIL = 0x7FFF0000, 0x00050000 | errno.EPERM  # of libseccomp


def analyze(*arguments):
    return subprocess.run(["systemd-analyze", "--no-pager", *map(str, arguments)], capture_output=True, text=True,
                          timeout=60)


def calls_of(group):
    """The names in a group of systemd, with the groups inside it."""
    done = analyze("syscall-filter", group)
    assert done.returncode == 0, done.stderr
    names = [line.strip() for line in done.stdout.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
    return {call for name in names for call in (calls_of(name) if name.startswith("@") else {name})}


def allowed_calls(unit):
    """What SystemCallFilter= leaves, as systemd reads its lines one after the other."""
    allowed = calls_of("@default")
    for line in re.findall(r"^SystemCallFilter=(.*)$", unit, re.M):
        named = {call for word in line.lstrip("~").split() for call in (calls_of(word) if word.startswith("@") else {word})}
        allowed = allowed - named if line.startswith("~") else allowed | named
    return allowed | {"execve"}  # systemd starts the program under the filter, too


class Filter:
    """The calls that a unit allows, from libseccomp, which systemd uses as well."""

    def __init__(self, names):
        self.library = ctypes.CDLL(ctypes.util.find_library("seccomp"), use_errno=True)
        self.library.seccomp_init.restype = ctypes.c_void_p
        self.filter = ctypes.c_void_p(self.library.seccomp_init(ctypes.c_uint32(FAIL)))
        known = 0
        for name in sorted(names):
            number = self.library.seccomp_syscall_resolve_name(name.encode())
            if number >= 0:
                known += self.library.seccomp_rule_add(self.filter, ctypes.c_uint32(ALLOW), number, 0) == 0
        assert known > 100, f"{known} calls known of {len(names)}"

    def load(self):
        assert self.library.seccomp_load(self.filter) == 0


@unittest.skipIf(shutil.which("systemd-analyze") is None, "there is no systemd-analyze here")
class UnitTest(unittest.TestCase):
    def test_systemd_reads_it_without_a_remark(self):
        with tempfile.TemporaryDirectory() as scratch:
            good, bad = pathlib.Path(scratch) / "tacit.service", pathlib.Path(scratch) / "bad.service"
            # The program need not be installed where the tests run.
            good.write_text(UNIT.read_text().replace("/usr/bin/tacit", TACIT))
            bad.write_text(good.read_text().replace("NoNewPrivileges=", "NoNewPrivilege="))
            done = analyze("verify", "--man=no", "--recursive-errors=no", good)
            self.assertNotIn("tacit.service:", done.stderr)
            self.assertIn("bad.service:", analyze("verify", "--man=no", "--recursive-errors=no", bad).stderr)

    def test_systemd_finds_little_exposed(self):
        done = analyze("security", "--offline=true", f"--threshold={EXPOSURE_MAX}", UNIT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with tempfile.TemporaryDirectory() as scratch:
            open_one = pathlib.Path(scratch) / "tacit.service"
            open_one.write_text(re.sub(r"(?m)^(Protect|Private|Restrict|SystemCall).*\n", "", UNIT.read_text()))
            done = analyze("security", "--offline=true", f"--threshold={EXPOSURE_MAX}", open_one)
            self.assertNotEqual(done.returncode, 0, "a unit without its sandbox passes, too")

    def test_each_promise_is_in_it(self):
        text = UNIT.read_text()
        for line in ("User=tacit", "UMask=0077", "LimitCORE=0", "NoNewPrivileges=yes", "ProtectSystem=strict",
                     "PrivateTmp=yes", "MemoryDenyWriteExecute=yes", "CapabilityBoundingSet=",
                     "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX"):
            self.assertRegex(text, f"(?m)^{re.escape(line)}$")

    @unittest.skipIf(ctypes.util.find_library("seccomp") is None, "there is no libseccomp here")
    def test_the_server_serves_with_the_calls_that_it_allows(self):
        allowed = allowed_calls(UNIT.read_text())
        self.assertNotIn("ptrace", allowed)
        self.assertNotIn("setuid", allowed)
        calls = Filter(allowed)
        gateway = Gateway(TACIT, flags=["--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"])
        gateway.popen = {"preexec_fn": calls.load}
        with gateway:
            done = gateway.psql(COUNT, "SELECT sex, avg(age) FROM people GROUP BY sex", "EXPLAIN " + COUNT)
            self.assertEqual(done.returncode, 0, done.stderr + gateway.log_text())
            tried = subprocess.run(["/bin/sh", "-c", "chroot /"], preexec_fn=calls.load, capture_output=True, text=True)
            self.assertNotEqual(tried.returncode, 0, "the filter lets everything pass")


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main(verbosity=2)
