#!/usr/bin/env python3
"""The command `tacit account`, end to end: account_test.py PATH_OF_TACIT."""

import json
import subprocess
import sys
import unittest

TACIT = sys.argv.pop(1)


def account(*arguments):
    return subprocess.run([TACIT, "account", *arguments], capture_output=True, text=True, timeout=60)


class Account(unittest.TestCase):
    def test_every_accountant_of_a_hundred_laplace_releases(self):
        run = account("laplace:0.1*100", "--delta", "1e-5", "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        said = json.loads(run.stdout)
        expected = {"basic": 10, "advanced": 5.2981, "optimal": 4.3068, "zcdp": 4.7284, "pld": 4.2203}
        for name, value in expected.items():
            self.assertAlmostEqual(said[name], value, delta=6e-5, msg=name)
        self.assertEqual(said["reasons"], {})
        self.assertLessEqual(said["pld_lower"], said["pld"])

    def test_an_accountant_that_does_not_apply_is_null_with_a_reason(self):
        run = account("gaussian:sigma=10*5", "laplace:0.1", "--format", "json")
        said = json.loads(run.stdout)
        for name in ("basic", "advanced", "optimal", "zcdp", "pld"):
            self.assertIsNone(said[name], name)
            self.assertTrue(said["reasons"][name], name)

    def test_sampling_is_refused_under_replace_one(self):
        run = account("sgaussian:sigma=1,q=0.1", "--delta", "1e-5", "--neighbours", "replace_one",
                      "--format", "json")
        said = json.loads(run.stdout)
        self.assertIsNone(said["pld"])
        self.assertIn("replace_one", said["reasons"]["pld"])

    def test_help_begins_with_examples_that_run(self):
        run = account("--help")
        self.assertEqual(run.returncode, 0)
        lines = [line.strip() for line in run.stdout.splitlines()]
        examples = [line for line in lines if line.startswith("tacit account ") and "--delta" in line]
        self.assertEqual(len(examples), 3)
        self.assertLess(run.stdout.index(examples[-1]), run.stdout.index("--neighbours"))
        for example in examples:
            words = example.split("   ")[0].split()[2:]
            self.assertEqual(account(*words).returncode, 0, example)

    def test_the_table_says_what_epsilon_means(self):
        run = account("pure:1", "--delta", "0")
        self.assertEqual(run.returncode, 0)
        self.assertIn("73.11 %", run.stdout)
        self.assertIn("family of 2 that is 88.08 %", run.stdout)

    def test_bad_input_names_the_parameter_and_prints_nothing_else(self):
        golden = [
            (["laplace:nan"], "epsilon"), (["laplace:inf"], "epsilon"), (["laplace:0"], "epsilon"),
            (["laplace:-1"], "epsilon"), (["gaussian:sigma=0"], "sigma"),
            (["sgaussian:sigma=1,q=2"], "q must be above 0 and at most 1"),
            (["approx:1,1"], "delta must be at least 0 and below 1"),
            (["laplace:1*0"], "count"), (["laplace:1*99999999999999999999"], "count"),
            (["staircase:1"], "unknown kind"), (["pure:1", "--delta", "1"], "--delta"),
            (["pure:1", "--delta", "-0.1"], "--delta"), (["pure:1", "--delta", "nan"], "--delta"),
            (["pure:1", "--format", "xml"], "--format"), ([], "TERM"),
        ]
        for arguments, named in golden:
            run = account(*arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertEqual(run.stdout, "", arguments)
            self.assertIn(named, run.stderr, arguments)


if __name__ == "__main__":
    unittest.main()
