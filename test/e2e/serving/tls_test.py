#!/usr/bin/env python3
"""TLS under both protocols: no session is resumed, and every end is said, whatever the version. usage: tls_test.py TACIT"""
import re
import socket
import ssl
import struct
import sys
import threading
import unittest

from gateway import Gateway
from raw_client import RawClient, frame

TACIT = ""
VERSIONS = (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3)
SSL_REQUEST = struct.pack("!ii", 8, 80877103)
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


def says_its_end(stream):
    """Whether the server closes with close_notify; a connection that is only cut raises."""
    stream.suppress_ragged_eofs = False
    try:
        while stream.recv(4096):
            pass
    except ssl.SSLError as error:  # SSLEOFError, in newer versions of Python
        if "EOF" not in str(error).upper():
            raise
        return False
    return True


class Resuming:
    """A server as OpenSSL makes it when it is told nothing: it resumes. Answers one byte with one byte."""

    def __init__(self, folder):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(folder / "server.crt", folder / "server.key")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        for _ in range(2 * len(VERSIONS)):
            client, _ = self.listener.accept()
            with self.context.wrap_socket(client, server_side=True) as stream:
                stream.sendall(stream.recv(1))
        self.listener.close()


class Cutting(Resuming):
    """One that ends without a word."""

    def serve(self):
        client, _ = self.listener.accept()
        stream = self.context.wrap_socket(client, server_side=True)
        stream.sendall(stream.recv(1))
        socket.socket(fileno=stream.detach()).close()
        self.listener.close()


class TlsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gateway = Gateway(TACIT, flags=["--http", "127.0.0.1:0"]).start()
        cls.http = int(re.search(r"https://localhost:(\d+)", cls.gateway.hello).group(1))

    @classmethod
    def tearDownClass(cls):
        cls.gateway.__exit__()

    def resumes(self, version, port, before, say):
        """Two connections, the second with the session of the first: was it taken up?"""
        context = ssl.create_default_context(cafile=str(self.gateway.folder / "server.crt"))
        context.minimum_version = context.maximum_version = version
        session = None
        for _ in range(2):
            plain = socket.create_connection(("localhost", port), timeout=30)
            if before:
                plain.sendall(before)
                self.assertEqual(plain.recv(1), b"S")
            with context.wrap_socket(plain, server_hostname="localhost", session=session) as stream:
                stream.sendall(say)
                self.assertNotEqual(stream.recv(1), b"")  # tickets of TLS 1.3 come before the first answer
                session = stream.session
                reused = stream.session_reused
        return reused or (session is not None and session.has_ticket)

    def test_no_door_resumes_a_session(self):
        request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        hello = b"user\0ana\0database\0clinic\0\0"
        startup = struct.pack("!ii", 8 + len(hello), 196608) + hello
        for version in VERSIONS:
            with self.subTest(version=version):
                self.assertFalse(self.resumes(version, self.http, None, request))
                self.assertFalse(self.resumes(version, self.gateway.port, SSL_REQUEST, startup))

    def connect(self, port, before=None, gateway=None):
        context = ssl.create_default_context(cafile=str((gateway or self.gateway).folder / "server.crt"))
        context.options &= ~ssl.OP_IGNORE_UNEXPECTED_EOF
        plain = socket.create_connection(("localhost", port), timeout=30)
        if before:
            plain.sendall(before)
            self.assertEqual(plain.recv(1), b"S")
        return context.wrap_socket(plain, server_hostname="localhost")

    def test_a_cut_connection_is_seen_by_this_client(self):
        with self.connect(Cutting(self.gateway.folder).port) as stream:
            stream.sendall(b"x")
            self.assertFalse(says_its_end(stream))

    def test_a_session_that_ends_says_so(self):
        with RawClient(self.gateway) as client:
            client.send(frame(b"X", b""))
            self.assertTrue(says_its_end(client.socket))

    def test_a_cancel_request_ends_with_a_word(self):
        with RawClient(self.gateway) as client:
            for key in (client.key, (client.key[0], client.key[1] ^ 1)):  # whether or not there is such a session
                with self.connect(self.gateway.port, SSL_REQUEST) as stream:
                    stream.sendall(struct.pack("!iiii", 16, 80877102, *key))
                    self.assertTrue(says_its_end(stream))

    def test_a_login_that_is_refused_or_broken_ends_with_a_word(self):
        with self.connect(self.gateway.port, SSL_REQUEST) as stream:
            stream.sendall(struct.pack("!ii", 9, 196608) + b"\0")  # nobody
            self.assertTrue(says_its_end(stream))
        with self.connect(self.gateway.port, SSL_REQUEST) as stream:
            stream.sendall(struct.pack("!i", 3))  # shorter than itself
            self.assertTrue(says_its_end(stream))

    def test_https_ends_with_a_word(self):
        with self.connect(self.http) as stream:
            stream.sendall(HEALTH + b"Connection: close\r\n\r\n")
            self.assertTrue(says_its_end(stream))

    def test_a_server_that_stops_says_so_to_all_who_wait(self):
        with Gateway(TACIT, flags=["--http", "127.0.0.1:0"]) as gateway:
            http = int(re.search(r"https://localhost:(\d+)", gateway.hello).group(1))
            with RawClient(gateway) as client, self.connect(http, gateway=gateway) as idle:
                idle.sendall(HEALTH + b"\r\n")
                self.assertIn(b"200", idle.recv(4096))
                gateway.process.terminate()
                self.assertTrue(says_its_end(client.socket))
                self.assertTrue(says_its_end(idle))

    def test_the_same_client_resumes_elsewhere(self):
        server = Resuming(self.gateway.folder)
        for version in VERSIONS:
            self.assertTrue(self.resumes(version, server.port, None, b"x"))


if __name__ == "__main__":
    TACIT = sys.argv.pop(1)
    unittest.main()
