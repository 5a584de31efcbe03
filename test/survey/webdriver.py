"""Headless Chromium through chromedriver's plain HTTP protocol (W3C WebDriver), standard library only."""
import json
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]


class WebDriverError(Exception):
    pass


class Browser:
    def __init__(self, width=1000, height=900):
        for program in ("chromium", "chromedriver"):
            if shutil.which(program) is None:
                raise SystemExit(f"{program} is missing: apt-get install chromium chromium-driver")
        self.profile = tempfile.mkdtemp(prefix="tacit_browser_")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            found = re.search(r"on port (\d+)", line)
            if found and "successfully" in line:
                self.base = f"http://127.0.0.1:{found[1]}"
                break
        else:
            raise WebDriverError("chromedriver did not start")
        flags = FLAGS + [f"--user-data-dir={self.profile}", f"--window-size={width},{height}"]
        made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": flags}}}})
        self.session = f"/session/{made['sessionId']}"
        self.command("POST", "/timeouts", {"script": 120_000})

    def _call(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=150) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise WebDriverError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def command(self, method, path, body=None):
        return self._call(method, self.session + path, body)

    def open(self, url):
        self.command("POST", "/url", {"url": url})

    def reload(self):
        self.command("POST", "/refresh", {})

    def find_all(self, css):
        return [found[ELEMENT] for found in
                self.command("POST", "/elements", {"using": "css selector", "value": css})]

    def find(self, css, seconds=10):
        end = time.monotonic() + seconds
        while True:
            found = self.find_all(css)
            if found:
                return found[0]
            if time.monotonic() > end:
                raise AssertionError(f"no element {css}")
            time.sleep(0.05)

    def text(self, css):
        return self.command("GET", f"/element/{self.find(css)}/text")

    def click(self, css):
        self.command("POST", f"/element/{self.find(css)}/click", {})

    def keys(self, css, text):
        self.command("POST", f"/element/{self.find(css)}/value", {"text": text})

    def label(self, element):
        return self.command("GET", f"/element/{element}/computedlabel")

    def role(self, element):
        return self.command("GET", f"/element/{element}/computedrole")

    def visible(self, css):
        return self.command("GET", f"/element/{self.find(css)}/displayed")

    def wait_visible(self, css, seconds=15):
        end = time.monotonic() + seconds
        while not self.visible(css):
            if time.monotonic() > end:
                raise AssertionError(f"{css} did not become visible")
            time.sleep(0.05)

    def run(self, script, *arguments):
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    # `script` is the body of an async function; `args` are its arguments.
    def run_async(self, script, *arguments):
        wrapped = ("const done = arguments[arguments.length - 1];"
                   f"(async (...args) => {{ {script} }})(...arguments).then("
                   "(value) => done({value}), (error) => done({error: String(error && error.stack || error)}));")
        result = self.command("POST", "/execute/async", {"script": wrapped, "args": list(arguments)})
        if "error" in result:
            raise AssertionError(result["error"])
        return result.get("value")

    def close(self):
        try:
            self.command("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            shutil.rmtree(self.profile, ignore_errors=True)
