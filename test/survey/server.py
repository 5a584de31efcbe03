"""A real `tacit local survey`, and a proxy in front of it that writes down every byte of the wire."""
import pathlib
import re
import socket
import subprocess
import threading


class SurveyServer:
    def __init__(self, tacit, yaml_path):
        self.tacit, self.yaml_path = tacit, str(yaml_path)
        self.start()

    def start(self):
        if hasattr(self, "process"):
            self.close()
        self.process = subprocess.Popen(
            [self.tacit, "local", "survey", self.yaml_path, "--http", "127.0.0.1:0"],
            stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r"listening on port (\d+)", line)
        if not found:
            raise AssertionError(f"the survey did not start: {line}{self.process.stderr.read()}")
        self.port = int(found[1])
        # Read what else it says, so that the pipe never fills.
        self.reader = threading.Thread(target=self.process.stderr.read, daemon=True)
        self.reader.start()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.kill()
        self.reader.join()
        self.process.stderr.close()

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=30)


class Wire:
    """Listens on one port for ever; passes bytes on to `target`, or to nobody when it is None."""

    def __init__(self, target):
        self.target = target
        self.sent = []  # what the browser sent, one bytearray a connection
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return  # closed
            if self.target is None:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            log = bytearray()
            self.sent.append(log)
            self.open += [client, server]
            threading.Thread(target=self._pump, args=(client, server, log), daemon=True).start()
            threading.Thread(target=self._pump, args=(server, client, None), daemon=True).start()

    @staticmethod
    def _pump(source, sink, log):
        try:
            while chunk := source.recv(65536):
                if log is not None:
                    log += chunk
                sink.sendall(chunk)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        source.close()

    def close(self):
        self.cut()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def cut(self):
        self.target = None
        for end in self.open:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.open.clear()

    def requests(self):
        """(request line, headers, body) of everything the browser sent."""
        found = []
        for log in self.sent:
            rest = bytes(log)
            while b"\r\n\r\n" in rest:
                head, rest = rest.split(b"\r\n\r\n", 1)
                lines = head.decode("latin-1").split("\r\n")
                headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in lines[1:])}
                length = int(headers.get("content-length", 0))
                found.append((lines[0], headers, rest[:length].decode()))
                rest = rest[length:]
        return found


SURVEY = """
tacit_survey: 1
title: Life at work
introduction: Five minutes about the last year. Nobody will ever know what you answered.
epsilon_max: 3
storage: reports.sqlite
posts_per_minute: 100000
tokens: {tokens}
questions:
  - id: harassed
    text: Were you harassed at work in the last year?
    kind: yes_no
    truth: 1/2
  - id: leave
    text: Are you looking for another job?
    kind: choice
    options: [No, Now and then, "Yes, actively"]
    epsilon: 0.6
  - id: region
    text: Where do you live?
    kind: choice
    mechanism: olh
    options: [North, North-East, East, South-East, South, South-West, West, North-West, Centre, Coast, Islands, Abroad]
    epsilon: 0.6
  - id: perks
    text: Which of these would you use?
    kind: several
    options: [Bicycle, Crèche, Gym, Remote days]
    at_most: 2
    epsilon: 0.7
"""


def write_survey(folder, tokens=False):
    path = pathlib.Path(folder) / "survey.yaml"
    path.write_text(SURVEY.replace("{tokens}", str(tokens).lower()), encoding="utf-8")
    return path
