#!/usr/bin/env python3
"""What is left to whoever takes the server over, or looks at what it leaves behind: nothing but to serve.
usage: confined_test.py TACIT"""
import os
import pathlib
import pwd
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from gateway import Gateway

TACIT = ""
COUNT = "SELECT count(*) AS n FROM people WHERE age > 40"
LISTENERS = ["--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"]


def allow_core_dumps():
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


def quit_status(process):
    """How the kernel says that a process ended by SIGQUIT, which dumps core where it may."""
    process.send_signal(signal.SIGQUIT)
    _, status = os.waitpid(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return status


class OwnUser(Gateway):
    """Installed, and served by a user of its own, as docs/deploying.md says. Needs root."""

    def __init__(self, tacit, **more):
        super().__init__(tacit, **more)
        root = self.folder.parent
        installed, engine = root / "bin/tacit", pathlib.Path(tacit).parent / "../lib/tacit/libduckdb.so"
        installed.parent.mkdir()
        shutil.copy(tacit, installed)
        if engine.exists():
            (root / "lib/tacit").mkdir(parents=True)
            shutil.copy(engine, root / "lib/tacit")
        self.tacit = str(installed)
        nobody = pwd.getpwnam("nobody")
        os.chmod(root, 0o755)
        for path in [self.folder, *self.folder.rglob("*")]:
            os.chown(path, nobody.pw_uid, nobody.pw_gid)
        self.popen = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


class ConfinedTest(unittest.TestCase):
    def ask(self, gateway, *commands):
        done = gateway.psql(*commands)
        self.assertEqual(done.returncode, 0, done.stderr + gateway.log_text())
        return done

    def wait_for(self, gateway, event, times):
        for _ in range(600):
            if sum(each["event"] == event for each in gateway.log_events()) >= times:
                return
            time.sleep(0.1)
        self.fail(f"no {event} in the log")

    def test_every_thread_is_under_the_filter_and_questions_are_answered(self):
        with Gateway(TACIT, flags=LISTENERS) as gateway:
            for reloads in (1, 2):
                self.ask(gateway, COUNT + f" + {reloads}", "SELECT sex, avg(age) FROM people GROUP BY sex",
                         "EXPLAIN " + COUNT)
                threads = list(pathlib.Path(f"/proc/{gateway.process.pid}/task").iterdir())
                self.assertGreater(len(threads), 3)
                for thread in threads:
                    status = (thread / "status").read_text()
                    self.assertRegex(status, r"Seccomp:\t2\n")
                    self.assertRegex(status, r"NoNewPrivs:\t1\n")
                gateway.process.send_signal(signal.SIGHUP)
                self.wait_for(gateway, "reloaded", reloads)
            self.assertNotIn("unconfined", gateway.log_text())

    def test_without_the_filter_only_when_told(self):
        with Gateway(TACIT, flags=["--unconfined"]) as gateway:
            self.ask(gateway, COUNT)
            status = pathlib.Path(f"/proc/{gateway.process.pid}/status").read_text()
            self.assertRegex(status, r"Seccomp:\t0\n")
            self.assertIn("unconfined", [each["event"] for each in gateway.log_events()])

    def test_no_core_dump_is_made(self):
        with tempfile.TemporaryDirectory() as scratch:
            ordinary = subprocess.Popen(["sleep", "60"], cwd=scratch, preexec_fn=allow_core_dumps)
            can_dump = os.WCOREDUMP(quit_status(ordinary))
        gateway = Gateway(TACIT)
        gateway.popen = {"preexec_fn": allow_core_dumps, "cwd": gateway.folder.parent}
        gateway.start()
        self.ask(gateway, COUNT)
        limits = pathlib.Path(f"/proc/{gateway.process.pid}/limits").read_text()
        self.assertRegex(limits, r"Max core file size +0 +0 ")
        status = quit_status(gateway.process)
        self.assertEqual(os.WTERMSIG(status), signal.SIGQUIT)
        self.assertFalse(os.WCOREDUMP(status))
        self.assertEqual(list(gateway.folder.parent.glob("core*")), [])
        gateway.process.stdout.close()
        gateway.log.close()
        gateway.scratch.cleanup()
        if not can_dump:
            self.skipTest("this system dumps no process, so nothing was shown")

    @unittest.skipIf(os.geteuid() != 0, "only root can give it a user of its own")
    def test_a_user_of_its_own_serves_and_others_of_that_user_cannot_look_inside(self):
        with OwnUser(TACIT, flags=LISTENERS) as gateway:
            self.ask(gateway, COUNT)
            gateway.process.send_signal(signal.SIGHUP)
            self.wait_for(gateway, "reloaded", 1)
            self.assertNotIn("runs_as_root", gateway.log_text())
            ordinary = subprocess.Popen(["sleep", "60"], **gateway.popen)
            look = "import sys; open(f'/proc/{sys.argv[1]}/mem', 'rb')"
            codes = [subprocess.run(["/usr/bin/python3", "-c", look, str(each.pid)], **gateway.popen,
                                    stderr=subprocess.PIPE, text=True) for each in (ordinary, gateway.process)]
            ordinary.kill()
            ordinary.wait()
            self.assertEqual(codes[0].returncode, 0, codes[0].stderr)
            self.assertIn("PermissionError", codes[1].stderr)

    @unittest.skipIf(os.geteuid() != 0, "only root can serve as root")
    def test_root_is_told_to_give_it_a_user(self):
        with Gateway(TACIT) as gateway:
            self.assertIn("runs_as_root", [each["event"] for each in gateway.log_events()])


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main(verbosity=2)
