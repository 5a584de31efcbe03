"""tacit local plan, randomize, estimate and verify from outside: local_test.py TACIT"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TACIT = sys.argv[1]


def tacit(*arguments, given=""):
    return subprocess.run([TACIT, "local", *arguments], input=given, capture_output=True, text=True,
                          timeout=120)


class Local(unittest.TestCase):
    def test_every_claim_is_the_exact_one(self):
        done = tacit("verify")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("BROKEN", done.stdout)
        self.assertGreater(done.stdout.count("holds"), 90)
        self.assertIn("1.098612288669   1.0986122886681096913953", done.stdout)

    def test_a_plan_names_the_known_errors(self):
        plan = json.loads(tacit("plan", "--values", "14", "--people", "48842", "--epsilon", "1",
                                "--format", "json").stdout)
        deviations = {m["mechanism"]: round(m["count_sd"]) for m in plan["mechanisms"]}
        self.assertEqual(deviations, {"oue": 424, "olh": 425, "sue": 437, "krr": 493})

    def test_answers_become_reports_become_estimates(self):
        # 4,000 people; five standard deviations, 4 x 4 estimates: false alarm below 1e-5.
        answers = "red\n" * 2400 + "green\n" * 1200 + "\"dark, blue\"\n" * 400
        for mechanism in ("krr", "sue", "oue", "olh"):
            reports = tacit("randomize", "--mechanism", mechanism, "--epsilon", "2", "--values",
                            'red,green,"dark, blue",none', given=answers)
            self.assertEqual(reports.returncode, 0, reports.stderr)
            estimate = json.loads(tacit("estimate", "-", "--format", "json", given=reports.stdout).stdout)
            self.assertEqual(estimate["people"], 4000)
            for value, truth in zip(estimate["values"], (0.6, 0.3, 0.1, 0.0)):
                self.assertLess(abs(value["estimate"] - truth), 5 * value["sd"], (mechanism, value))

    def test_wrong_parameters_and_half_files_are_never_estimated(self):
        one = tacit("randomize", "--mechanism", "krr", "--epsilon", "1", "--values", "a,b,c", given="a\nb\n").stdout
        other = tacit("randomize", "--mechanism", "krr", "--epsilon", "2", "--values", "a,b,c", given="a\nb\n").stdout
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("one", "other")]
            for path, text in zip(paths, (one, other)):
                path.write_text(text, encoding="utf-8")
            mixed = tacit("estimate", *map(str, paths))
        self.assertEqual((mixed.returncode, mixed.stdout), (2, ""))
        self.assertIn("other parameters", mixed.stderr)
        cut = tacit("estimate", "-", given=one[:-3])
        self.assertEqual((cut.returncode, cut.stdout), (2, ""))
        edited = tacit("estimate", "-", given=one.replace('"epsilon":"1"', '"epsilon":"0.5"'))
        self.assertEqual(edited.returncode, 2)
        self.assertIn("thresholds give 1", edited.stderr)
        self.assertEqual(tacit("estimate", "-", given=one + one).returncode, 0)

    def test_unknown_answers_leave_no_usable_file(self):
        done = tacit("randomize", "--mechanism", "krr", "--epsilon", "1", "--values", "a,b", given="a\nx\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn('answers:2: "x" is not one of the values', done.stderr)
        self.assertEqual(tacit("estimate", "-", given=done.stdout).returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[2:])
