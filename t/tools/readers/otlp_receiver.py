"""A receiver of OTLP/HTTP on loopback, which answers as a test wants."""

import contextlib
import gzip
import http.server
import json
import threading

from otlp_kit import spans_of


class Receiver(http.server.ThreadingHTTPServer):
    """`answers` are used up one after another: a status, or a tuple of a
    status, headers and a body. None: the connection is closed without an
    answer. With no answers left, all is taken.
    """

    daemon_threads = True

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.answers, self.posts, self.requests = [], [], []
        self.gate = threading.Event()  # answers wait for it
        self.gate.set()
        self.thread = threading.Thread(target=self.serve_forever, args=(0.01,))
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.gate.set()
        self.shutdown()
        self.thread.join()
        self.server_close()

    def traces(self):
        """What was taken, a TracesData for each process."""
        return [{"resourceSpans": [one]} for post in self.posts
                for one in post["resourceSpans"]]

    def spans(self):
        return list(spans_of(self.traces()))

    def handle_error(self, request, client_address):
        """A client that was killed is part of the tests."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.gate.wait(60)
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.requests.append((self.path, self.headers, body))
        answer = self.server.answers.pop(0) if self.server.answers else 200
        if answer is None:
            self.close_connection = True
            return
        status, headers, reply = answer if isinstance(answer, tuple) else (answer, {}, b"")
        if status == 200:
            self.server.posts.append(json.loads(body))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        """Nothing."""


@contextlib.contextmanager
def receive(port=0):
    receiver = Receiver(port)
    try:
        yield receiver
    finally:
        receiver.close()
