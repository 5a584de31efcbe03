"""The survey in a real browser, over a real wire: browser_test.py TACIT [test...]"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from server import SurveyServer, Wire, write_survey
from webdriver import Browser

TACIT = sys.argv[1]
HERE = pathlib.Path(__file__).parent


def results(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/results", timeout=10) as response:
        return {q["id"]: q for q in json.load(response)["questions"]}


def post(port, body, **headers):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/reports", data=data, method="POST",
                                     headers={"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        assert problem["status"] == error.code and problem["detail"], problem
        return error.code


class SurveyTest(unittest.TestCase):
    """One server and one browser for each test: a person with a device of their own."""

    tokens = False

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tacit_survey_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.yaml = write_survey(self.folder, self.tokens)
        self.before_start()
        self.server = SurveyServer(TACIT, self.yaml)
        self.addCleanup(self.server.close)
        self.wire = Wire(self.server.port)
        self.addCleanup(self.wire.close)
        self.browser = Browser(width=500, height=900)
        self.addCleanup(self.browser.close)
        self.url = f"http://127.0.0.1:{self.wire.port}/"

    def before_start(self):
        pass

    def load(self):
        self.browser.open(self.url)
        self.browser.find("#q-harassed, #sent-list dt")

    def choose(self, question, value):
        self.browser.click(f"#q-{question} input[value='{value}']")

    def posts(self):
        return [(headers, json.loads(body)) for line, headers, body in self.wire.requests()
                if line.startswith("POST")]

    def send(self):
        self.browser.click("#send")
        self.browser.wait_visible("#sent")


class Answering(SurveyTest):
    def test_what_is_shown_is_what_is_sent_and_stored_once(self):
        self.load()
        self.choose("harassed", 0)
        self.choose("leave", 2)
        self.choose("region", 5)
        self.choose("perks", 1)
        self.browser.run("document.querySelector('details').open = true")
        preview = json.loads(self.browser.text("#wire"))
        self.assertIn("Will be sent:", self.browser.text("#q-leave .outcome"))
        self.assertRegex(self.browser.text("#q-harassed .odds"), r"Of 100 people who would send this, about 75 ")
        self.send()
        (headers, body), = self.posts()
        self.assertEqual(body, preview)
        self.assertEqual(set(body), {"survey", "submission", "reports"})
        self.assertEqual(set(body["reports"]), {"harassed", "leave", "region", "perks"})
        for question in results(self.server.port).values():
            self.assertEqual(question["people"], 1)

    def test_nothing_else_is_on_the_wire(self):
        self.load()
        self.choose("leave", 1)
        self.browser.click("#q-leave button")
        self.send()
        paths = sorted({line.split(" ")[1] for line, _, _ in self.wire.requests()})
        self.assertEqual(paths, ["/", "/api/reports", "/api/survey", "/icon.svg", "/randomize.js",
                                 "/style.css", "/survey.js"])
        for line, headers, body in self.wire.requests():
            self.assertNotIn("cookie", headers)
            self.assertNotIn("referer", headers)
            if not line.startswith("POST"):
                self.assertEqual(body, "")

    def test_a_skipped_question_sends_nothing(self):
        self.load()
        self.assertFalse(self.browser.command("GET", f"/element/{self.browser.find('#send')}/enabled"))
        self.choose("harassed", 1)
        self.choose("leave", 0)
        self.choose("leave", "")
        self.send()
        (_, body), = self.posts()
        self.assertEqual(set(body["reports"]), {"harassed"})

    def test_more_ticks_than_allowed_are_not_taken(self):
        self.load()
        for value in (0, 1, 2):
            self.choose("perks", value)
        ticked = self.browser.run("return document.querySelectorAll('#q-perks .option input[value]:checked').length")
        self.assertLessEqual(ticked - 1, 2)
        self.assertIn("at most 2", self.browser.text("#alert"))

    def test_the_keyboard_is_enough(self):
        self.load()
        self.browser.keys("#q-harassed input[value='1']", " ")
        self.browser.keys("#q-harassed button", "\ue007")
        self.assertIn("With these coins", self.browser.text("#q-harassed .practice"))
        self.browser.keys("#send", "\ue007")
        self.browser.wait_visible("#sent")


class Remembering(SurveyTest):
    def test_a_reload_throws_no_new_coins(self):
        self.load()
        reports = set()
        for _ in range(6):
            self.choose("region", 3)
            self.choose("perks", 2)
            text = self.browser.run("return document.getElementById('wire').textContent")
            reports.add(json.dumps(json.loads(text), sort_keys=True))
            self.browser.reload()
            self.browser.find("#q-harassed")
        self.assertEqual(len(reports), 1)

    def test_changing_the_answer_and_back_gives_the_same_report(self):
        self.load()
        seen = []
        for value in (0, 1, 0, 2, 0):
            self.choose("leave", value)
            seen.append(self.browser.text("#q-leave .outcome"))
        self.assertEqual(seen[0], seen[2])
        self.assertEqual(seen[0], seen[4])

    def test_two_tabs_send_one_report(self):
        self.load()
        self.choose("leave", 0)
        first = self.browser.command("GET", "/window")
        second = self.browser.command("POST", "/window/new", {"type": "tab"})["handle"]
        self.browser.command("POST", "/window", {"handle": second})
        self.load()
        self.choose("leave", 1)
        self.choose("region", 1)
        self.send()
        self.browser.command("POST", "/window", {"handle": first})
        self.send()
        (_, one), (_, other) = self.posts()
        self.assertEqual(one, other)
        self.assertEqual(results(self.server.port)["leave"]["people"], 1)

    def test_practice_may_change_and_does_not_touch_the_report(self):
        self.load()
        self.choose("harassed", 0)
        before = self.browser.text("#q-harassed .outcome")
        texts = set()
        for _ in range(60):  # all alike by chance: below 0.75^59 < 1e-7
            self.browser.click("#q-harassed button")
            texts.add(self.browser.text("#q-harassed .practice").split(".")[0])
        self.assertEqual(len(texts), 2)
        self.assertEqual(self.browser.text("#q-harassed .outcome"), before)

    def test_no_answer_is_ever_written_down(self):
        self.load()
        empty = self.browser.run("return JSON.stringify({...localStorage})")
        self.choose("harassed", 0)
        self.choose("region", 7)
        self.assertEqual(self.browser.run("return JSON.stringify({...localStorage})"), empty)
        self.send()
        stored = json.loads(next(iter(json.loads(self.browser.run("return JSON.stringify({...localStorage})")).values())))
        self.assertEqual(stored["coins"], {})
        (_, body), = self.posts()
        self.assertEqual((stored["sent"], stored["reports"]), (True, body["reports"]))

    def test_who_has_answered_is_not_asked_again(self):
        self.load()
        self.choose("harassed", 0)
        self.send()
        shown = self.browser.text("#sent-list")
        self.browser.reload()
        self.browser.wait_visible("#sent")
        self.assertEqual(self.browser.text("#sent-list"), shown)
        self.assertFalse(self.browser.visible("#form"))
        self.assertEqual(len(self.posts()), 1)


class Failing(SurveyTest):
    def test_a_dead_server_loses_nothing_and_counts_nothing_twice(self):
        self.load()
        self.choose("harassed", 1)
        target = self.wire.target
        self.wire.cut()
        self.browser.click("#send")
        self.browser.wait_visible("#alert")
        self.assertIn("could not be reached", self.browser.text("#alert"))
        self.assertFalse(self.browser.visible("#sent"))
        # The reports are fixed now: there is nothing left to choose, and a reload changes nothing.
        waiting = self.browser.text("#waiting")
        self.assertEqual(self.browser.find_all("fieldset"), [])
        self.wire.target = target
        self.browser.reload()
        self.assertEqual(self.browser.text("#waiting"), waiting)
        self.send()
        self.assertEqual(results(self.server.port)["harassed"]["people"], 1)
        # The page does not know whether an unanswered post arrived: sending it again is harmless.
        (_, body), *_ = self.posts()
        self.assertEqual(post(self.server.port, body), 200)
        self.assertEqual(results(self.server.port)["harassed"]["people"], 1)

    def test_a_refused_token_can_be_corrected_but_the_reports_stay(self):
        self.server.stop()
        (self.folder / "reports.sqlite").unlink()
        write_survey(self.folder, tokens=True)
        token = subprocess.run([TACIT, "local", "survey", str(self.yaml), "--tokens", "1"],
                               capture_output=True, text=True, check=True).stdout.strip()
        self.server.start()
        self.wire.target = self.server.port
        self.browser.open(f"{self.url}#token={'0' * 32}")
        self.browser.find("#q-leave")
        self.choose("leave", 1)
        self.browser.click("#send")
        self.browser.wait_visible("#alert")
        self.assertIn("not given out", self.browser.text("#alert"))
        self.browser.run("document.getElementById('token').value = arguments[0]", token)
        self.send()
        (_, first), (_, second) = self.posts()
        self.assertEqual(first["reports"], second["reports"])
        self.assertEqual(results(self.server.port)["leave"]["people"], 1)

    def test_what_was_confirmed_survives_a_kill(self):
        self.load()
        self.choose("harassed", 1)
        self.send()
        self.server.kill()
        self.server.start()
        self.assertEqual(results(self.server.port)["harassed"]["people"], 1)
        self.assertEqual(self.server.stop(), 0)

    def test_a_damaged_file_is_not_served(self):
        self.server.kill()
        path = self.folder / "reports.sqlite"
        for extra in ("-wal", "-shm"):
            (self.folder / ("reports.sqlite" + extra)).unlink(missing_ok=True)
        path.write_bytes(b"not a database at all" * 500)
        done = subprocess.run([TACIT, "local", "survey", str(self.yaml), "--http", "127.0.0.1:0"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("reports.sqlite", done.stderr)

    def test_bad_posts_are_refused_and_nothing_is_half_stored(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}/api/survey") as response:
            survey = json.load(response)
        good = {"survey": survey["survey"], "submission": "0" * 32, "reports": {"harassed": "0"}}
        port = self.server.port
        self.assertEqual(post(port, b"x" * 70_000), 413)
        self.assertEqual(post(port, good, Origin="http://evil.test"), 403)
        self.assertEqual(post(port, good, **{"Content-Type": "text/plain"}), 415)
        self.assertEqual(post(port, {**good, "reports": {"harassed": "0", "leave": "9"}}), 400)
        self.assertEqual(post(port, {**good, "survey": "old"}), 400)
        self.assertEqual(results(port)["harassed"]["people"], 0)
        self.assertEqual(post(port, good), 201)

    def test_a_page_of_another_site_cannot_post(self):
        other = Wire(self.server.port)  # another port is another origin
        self.addCleanup(other.close)
        self.browser.open(f"http://127.0.0.1:{other.port}/results")
        outcome = self.browser.run_async(
            "try { await fetch(args[0], {method: 'POST', mode: 'no-cors', headers: {'Content-Type': 'text/plain'},"
            " body: '{}'}); return 'sent' } catch (e) { return 'blocked' }", self.url + "api/reports")
        self.assertEqual(outcome, "blocked")  # by the policy of the page itself
        self.assertEqual(self.posts(), [])


class Tokens(SurveyTest):
    tokens = True

    def before_start(self):
        made = subprocess.run([TACIT, "local", "survey", str(self.yaml), "--tokens", "2"],
                              capture_output=True, text=True, check=True)
        self.given = made.stdout.split()

    def test_a_token_answers_once_and_is_in_no_address(self):
        self.browser.open(f"{self.url}#token={self.given[0]}")
        self.browser.find("#q-harassed")
        self.choose("harassed", 0)
        self.send()
        (_, body), = self.posts()
        self.assertEqual(body["token"], self.given[0])
        self.assertTrue(all(self.given[0] not in line for line, _, _ in self.wire.requests()))
        self.assertEqual(post(self.server.port, body), 200)
        self.assertEqual(post(self.server.port, {**body, "submission": "1" * 32}), 409)
        self.assertEqual(post(self.server.port, {**body, "submission": "2" * 32, "token": "3" * 32}), 403)
        self.assertEqual(results(self.server.port)["harassed"]["people"], 1)


class Reading(SurveyTest):
    def test_every_control_has_a_name_for_a_screen_reader(self):
        self.load()
        self.choose("leave", 0)
        names = []
        for element in self.browser.find_all("input, button, summary, a"):
            if not self.browser.command("GET", f"/element/{element}/displayed"):
                continue  # the practice of a question that is not answered
            label = self.browser.label(element)
            self.assertTrue(label.strip())
            names.append((self.browser.role(element), label))
        self.assertIn(("radio", "Yes, actively"), names)
        self.assertIn(("checkbox", "Crèche"), names)
        self.assertIn(("button", "Send these reports"), names)
        groups = [self.browser.label(e) for e in self.browser.find_all("fieldset")]
        self.assertEqual(groups[0], "Were you harassed at work in the last year?")
        self.assertEqual(self.browser.run("return document.documentElement.lang"), "en")
        self.assertEqual(self.browser.run("return document.querySelectorAll('[aria-live]').length >= 4"), True)

    def test_it_fits_a_phone(self):
        self.browser.command("POST", "/window/rect", {"width": 500, "height": 800})
        for page in ("", "results"):
            self.browser.open(self.url + page)
            self.browser.find("h1")
            self.assertTrue(self.browser.run(
                "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))

    def test_the_script_makes_the_reports_of_the_shared_vectors(self):
        self.load()
        wrong = self.browser.run_async("""
            const local = await import('/randomize.js');
            const wrong = [];
            for (const {values, design, words, answers} of args[0]) {
              let at = 0;
              const coins = local.throwCoins(design, values, () => BigInt('0x' + words[at++]));
              if (at !== words.length) wrong.push(['words', design.mechanism, values]);
              for (const {answer, report} of answers) {
                const kept = local.coinsFromJson(local.coinsToJson(coins));
                if (local.reportOf(design, values, answer, kept) !== report) wrong.push([design.mechanism, values, answer]);
              }
            }
            return wrong;""", json.loads((HERE / "vectors.json").read_text(encoding="utf-8")))
        self.assertEqual(wrong, [])


class AThousandPeople(SurveyTest):
    def test_the_estimates_cover_the_truth(self):
        """People with fixed answers, coins from the browser's secure generator. Every estimate within
        five standard deviations: 21 estimates, false alarm below 21 x 6e-7 = 1.3e-5."""
        draw = random.Random(1965)
        people = [{"harassed": int(draw.random() > 0.18),
                   "leave": draw.choices(range(3), [60, 30, 10])[0],
                   "region": draw.choices(range(12), [30, 20, 10, 8, 8, 6, 5, 5, 4, 2, 1, 1])[0],
                   "perks": draw.sample(range(4), draw.randint(0, 2))} for _ in range(1000)]
        self.load()
        stored = self.browser.run_async("""
            const local = await import('/randomize.js');
            const survey = await (await fetch('/api/survey')).json();
            const next = local.secureWords();
            const name = () => [next(), next()].map((w) => w.toString(16).padStart(16, '0')).join('');
            let stored = 0;
            for (const person of args[0]) {
              const reports = {};
              for (const q of survey.questions) {
                const coins = local.throwCoins(q.design, q.options.length, next);
                reports[q.id] = local.reportOf(q.design, q.options.length, person[q.id], coins);
              }
              const response = await fetch('/api/reports', {method: 'POST', credentials: 'omit',
                headers: {'Content-Type': 'application/json'},
                body: JSON.stringify({survey: survey.survey, submission: name(), reports})});
              stored += response.status === 201;
            }
            return stored;""", people)
        self.assertEqual(stored, 1000)
        checked = 0
        for key, question in results(self.server.port).items():
            self.assertEqual(question["people"], 1000)
            for value, option in enumerate(question["options"]):
                truth = sum(value in p[key] if key == "perks" else p[key] == value for p in people) / 1000
                self.assertLess(abs(option["estimate"] - truth), 5 * option["sd"] + 1e-9, (key, value))
                self.assertLess(option["low95"], option["high95"])
                checked += 1
        self.assertEqual(checked, 21)
        exported = subprocess.run([TACIT, "local", "survey", str(self.yaml), "--export", "leave"],
                                  capture_output=True, text=True)
        self.assertEqual(exported.returncode, 5, "a survey in service is not opened twice")
        live = results(self.server.port)["leave"]["options"]
        self.server.stop()
        exported = subprocess.run([TACIT, "local", "survey", str(self.yaml), "--export", "leave"],
                                  capture_output=True, text=True, check=True)
        estimated = subprocess.run([TACIT, "local", "estimate", "-", "--format", "json"],
                                   input=exported.stdout, capture_output=True, text=True, check=True)
        for a, b in zip(json.loads(estimated.stdout)["values"], live):
            self.assertAlmostEqual(a["estimate"], b["estimate"], places=12)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[2:], verbosity=2)
