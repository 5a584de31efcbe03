#!/usr/bin/env python3
"""A server over Parquet files that stay where they are, and what becomes of questions when they change.
usage: files_test.py TACIT LIBDUCKDB CLI_TESTS"""
import json
import os
import pathlib
import re
import signal
import sys
import time
import unittest
import urllib.error
import urllib.request

from gateway import Gateway

TACIT = LIBRARY = ""
CHANGED = "the files of the data have changed since they were opened"


class Lake(Gateway):
    """The gateway's people in two Parquet files beside the policy's folder."""

    def __init__(self, unprepared):
        super().__init__(TACIT, flags=["--admin", "127.0.0.1:0"], people=2000)
        self.lake = self.folder.parent / "lake"
        (self.folder / "data.duckdb").unlink()
        self.write(0, "range < 1200")
        self.write(1, "range >= 1200")
        self.write_policy(unprepared=unprepared)
        policy = (self.folder / "tacit.yaml").read_text()
        (self.folder / "tacit.yaml").write_text(policy.replace("path: data.duckdb", 'tables: {people: "../lake/*.parquet"}'))

    def write(self, part, where, more=""):
        from duckdb_library import Writer
        with Writer(LIBRARY) as writer:
            writer.parquet(self.lake / f"secret-name-{part}.parquet",
                           "SELECT range AS pid, CAST(20 + range % 60 AS INTEGER) AS age, CASE WHEN range % 2 = 0 THEN 'F' ELSE 'M' END AS sex, "
                           f"'north' AS town{more} FROM range(2000) WHERE {where}")

    def ready(self):
        port = int(re.search(r"http://localhost:(\d+)/ready", self.hello).group(1))
        try:
            with urllib.request.urlopen(f"http://localhost:{port}/ready", timeout=60) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code

    def reload(self):
        since = len(self.log_events())
        self.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for line in self.log_events()[since:]:
                if line["event"] in ("reloaded", "reload_refused"):
                    return line["event"]
            time.sleep(0.02)
        raise AssertionError(self.log_text()[-2000:])

    def about(self, wanted, question="SELECT count(*) FROM people WHERE age <> {}", seen=iter(range(1000, 9999))):
        """Asks something new; what it said, and whether the count is near."""
        run = self.psql(f"SET tacit.epsilon = 1", question.format(next(seen)), flags=("-A", "-t"))
        numbers = [int(line) for line in run.stdout.split() if line.lstrip("-").isdigit()]
        return run.returncode == 0 and abs(numbers[-1] - wanted) < 40, run.stdout + run.stderr


class FilesTest(unittest.TestCase):
    def assert_answers(self, lake, count):
        good, said = lake.about(count)
        self.assertTrue(good, said)

    def test_in_place_questions_are_answered_until_a_file_changes_and_after_a_reload(self):
        with Lake("allow") as lake:
            self.assert_answers(lake, 2000)
            self.assertEqual(lake.ready(), 200)
            # Another file beside the others belongs to the table from the next reload on.
            lake.write(2, "range < 300", ", 1 AS more")
            self.assert_answers(lake, 2000)
            self.assertEqual(lake.reload(), "reload_refused")
            self.assert_answers(lake, 2000)
            (lake.lake / "secret-name-2.parquet").unlink()
            lake.write(1, "range >= 1500")
            spent = lake.spent()
            good, said = lake.about(0)
            self.assertFalse(good)
            self.assertIn(CHANGED, said)
            self.assertNotIn("secret-name", said)
            self.assertNotIn("parquet", said)
            self.assertEqual(lake.spent(), spent, "nothing was charged")
            self.assertNotEqual(lake.ready(), 200)
            self.assertEqual(lake.reload(), "reloaded")
            self.assert_answers(lake, 1700)
            self.assertEqual(lake.ready(), 200)
            (lake.lake / "secret-name-0.parquet").unlink()
            self.assertIn(CHANGED, lake.about(0)[1])
            self.assertEqual(lake.reload(), "reloaded")
            self.assert_answers(lake, 500)

    def test_a_prepared_server_goes_on_with_its_copy_and_prepares_anew_at_a_reload(self):
        with Lake("prepare") as lake:
            self.assertTrue((lake.folder / "data-prepared").exists())
            self.assert_answers(lake, 2000)
            lake.write(1, "range >= 1500")
            self.assert_answers(lake, 2000)
            self.assertEqual(lake.reload(), "reloaded")
            self.assert_answers(lake, 1700)
            self.assertEqual([p.name for p in lake.folder.iterdir() if "building" in p.name], [])

    def test_files_that_cannot_be_read_keep_the_server_from_starting(self):
        lake = Lake("allow")
        self.addCleanup(lake.scratch.cleanup)
        (lake.lake / "secret-name-1.parquet").write_bytes(b"PAR1 half a file")
        with self.assertRaises(AssertionError):
            lake.start()
        self.assertIn("cannot read the files of table people", lake.log_text())
        lake.process.stdout.close()
        lake.process.wait(timeout=60)
        lake.log.close()


if __name__ == "__main__":
    sys.path.append(sys.argv.pop(3))
    LIBRARY = os.path.abspath(sys.argv.pop(2))
    TACIT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
