"""A PostgreSQL client that can send any bytes: TLS, SCRAM-SHA-256, then frames as the test wants them."""
import base64
import hashlib
import hmac
import os
import socket
import ssl
import struct

from gateway import PASSWORDS


def frame(kind, body):
    return kind + struct.pack("!i", 4 + len(body)) + body


class RawClient:
    def __init__(self, gateway, analyst="ana", timeout=60, password=None, source="127.0.0.1"):
        self.plain = socket.create_connection(("127.0.0.1", gateway.port), timeout=timeout, source_address=(source, 0))
        self.plain.sendall(struct.pack("!ii", 8, 80877103))
        assert self.plain.recv(1) == b"S"
        trust = ssl.create_default_context(cafile=str(gateway.folder / "server.crt"))
        trust.options &= ~ssl.OP_IGNORE_UNEXPECTED_EOF  # a connection that is only cut is seen
        self.socket = trust.wrap_socket(self.plain, server_hostname="localhost")
        self.key = None
        self.login(analyst, password or PASSWORDS[analyst])

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def read_exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def read(self):
        """One message: its type and body."""
        head = self.read_exactly(5)
        return head[:1], self.read_exactly(struct.unpack("!i", head[1:])[0] - 4)

    def until_ready(self):
        messages = []
        while not messages or messages[-1][0] != b"Z":
            messages.append(self.read())
        return messages

    def login(self, analyst, password):
        body = struct.pack("!i", 3 << 16) + b"user\0" + analyst.encode() + b"\0database\0clinic\0\0"
        self.send(struct.pack("!i", 4 + len(body)) + body)
        assert self.read()[0] == b"R"
        nonce = base64.b64encode(os.urandom(18)).decode()
        bare = f"n=,r={nonce}"
        first = b"n,," + bare.encode()
        self.send(frame(b"p", b"SCRAM-SHA-256\0" + struct.pack("!i", len(first)) + first))
        kind, body = self.read()
        assert kind == b"R", body  # an error is told here as well
        challenge = body[4:].decode()
        words = dict(part.split("=", 1) for part in challenge.split(","))
        salted = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(words["s"]), int(words["i"]))
        client_key = hmac.digest(salted, b"Client Key", "sha256")
        unsigned = f"c=biws,r={words['r']}"
        signature = hmac.digest(hashlib.sha256(client_key).digest(), f"{bare},{challenge},{unsigned}".encode(), "sha256")
        proof = base64.b64encode(bytes(a ^ b for a, b in zip(client_key, signature))).decode()
        self.send(frame(b"p", f"{unsigned},p={proof}".encode()))
        for kind, body in self.until_ready():
            if kind == b"K":
                self.key = struct.unpack("!ii", body)
