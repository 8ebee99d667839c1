"""Receivers of OpenTelemetry that break the rules of HTTP, or never end: none
stops the service, gets what is for another, or makes it post for ever."""

import select
import socket
import threading
import time

import pytest
from collect_kit import TIMEOUT, Service, send_lines, until
from table_kit import fleet
from test_collect_otlp import lines_of, metric

OK = b"HTTP/1.1 200 OK\r\n"
EMPTY = b"Content-Length: 2\r\n\r\n{}"


class Rude:
    """A server that answers each post with the same bytes, then a byte every
    tenth of a second, if any are to follow."""

    def __init__(self, answer, follow=b"", much=b""):
        self.answer, self.follow, self.much = answer, follow, much
        self.posts, self.ended = [], threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while not self.ended.is_set():
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=[client], daemon=True).start()

    def talk(self, client):
        client.settimeout(TIMEOUT)
        try:
            with client:
                self.posts.append(self.read_post(client))
                client.sendall(self.answer)
                while self.much and not self.ended.is_set():
                    client.sendall(self.much)
                while self.follow and not self.ended.wait(0.1):
                    client.sendall(self.follow)
        except OSError:
            pass  # it hung up

    @staticmethod
    def read_post(client):
        text = b""
        while b"\r\n\r\n" not in text:
            text += client.recv(65536)
        head, body = text.split(b"\r\n\r\n", 1)
        size = int(head.lower().split(b"content-length:")[1].split()[0])
        while len(body) < size:
            body += client.recv(65536)
        return head

    def end(self):
        self.ended.set()
        self.listener.close()


@pytest.fixture
def begin(trace2, short_dir):
    """begin(answer, ...): a service and its rude receiver."""
    made = []

    def start(*answer, **more):
        rude = Rude(*answer, **more)
        running = Service(trace2, short_dir, [
            "-o", f"otlp:{rude.url}", "-o", "files:logs",
            "--otlp-header", "Authorization: Bearer token"]).begin()
        made.append((rude, running))
        send_lines(running.path, lines_of(*fleet()))
        assert until(lambda: rude.posts)
        return rude, running

    yield start
    for rude, running in made:
        running.kill()
        rude.end()


def has_told(running):
    """On standard error, while the service runs."""
    return bool(select.select([running.process.stderr], [], [], TIMEOUT)[0])


def end_quickly(running):
    """The service waits for no receiver, and files have got all lines."""
    before = time.monotonic()
    _, _, errors = running.end()
    assert time.monotonic() - before < 25  # less than an answer may take
    assert len(running.lines()) == len(lines_of(*fleet()))
    return errors.decode()


@pytest.mark.parametrize("answer, follow, much", [
    (OK + b"\r\n", b"", b"x" * 65536),
    (OK + b"Content-Length: 100000000000\r\n\r\n", b"", b"x" * 65536),
    (OK + b"Content-Length: 100000\r\n\r\n{", b"", b""),
    (OK + b"Transfer-Encoding: chunked\r\n\r\nnonsense", b"", b""),
    (OK + b"Content-Length: 7\r\n\r\n\x00\xff{[]}]", b"", b""),
    (b"HTTP/1.1 100 Continue\r\n\r\n" * 50 + OK + EMPTY, b"", b""),
], ids=["endless", "huge", "cut", "chunks", "garbage", "continued"])
def test_a_status_of_success_counts_whatever_the_body_is(begin, answer, follow, much):
    rude, running = begin(answer, follow, much)
    assert until(lambda: metric(running, "waiting") == 0)
    is_unread = not follow and EMPTY not in answer
    assert not is_unread or has_told(running)
    errors = end_quickly(running)
    assert len(rude.posts) == 1
    count = len(lines_of(*fleet()))
    assert metric(running, "passed_total") == (0 if is_unread else count)
    assert metric(running, "refused_total") == (count if is_unread else 0)
    assert metric(running, "unread_answers_total") == is_unread
    assert ("cannot be read; it may not have taken all" in errors) == is_unread


@pytest.mark.parametrize("answer, follow", [
    (b"no HTTP at all\n" * 1000, b""),
    (b"", b""),
    (b"HTTP/1.1 999999 what\r\n\r\n", b""),
    (b"H", b"T"),
    (b"HTTP/1.1 100 Continue\r\n\r\n", b""),
    (OK[:8], b"\0"),
    (b"HTTP/1.1 503 no\r\nRetry-After: 1000000\r\n" + EMPTY, b""),
    (b"HTTP/1.1 429 no\r\nRetry-After: 99999999999999999999\r\n" + EMPTY, b""),
    (b"HTTP/1.1 503 no\r\nRetry-After: -5\r\n" + EMPTY, b""),
], ids=["garbage", "nothing", "number", "slow", "continue", "zeros", "later",
        "never", "past"])
def test_without_an_answer_events_wait_and_files_get_theirs(begin, answer, follow):
    _, running = begin(answer, follow)
    assert until(lambda: len(running.lines(".log*")) == len(lines_of(*fleet())))
    assert "events wait in the spool" in end_quickly(running)
    assert metric(running, "refused_spans_total") == 0
    assert metric(running, "passed_total") == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("kind", ["file", "other"])
def test_a_redirection_is_told_and_not_followed(begin, status, kind):
    other = Rude(OK + EMPTY)
    place = "file:///etc/passwd" if kind == "file" else f"{other.url}/v1/traces"
    rude, running = begin(b"HTTP/1.1 %d x\r\nLocation: %s\r\n" % (status, place.encode())
                          + EMPTY)
    assert until(lambda: len(rude.posts) > 1)  # nothing is dropped
    assert has_told(running)
    assert metric(running, "passed_total") == metric(running, "refused_total") == 0
    assert metric(running, "waiting") == len(lines_of(*fleet()))
    errors = end_quickly(running)
    other.end()
    assert other.posts == []  # it did not get the token
    assert f"the receiver answered {status}" in errors
    assert "other place" in errors
    assert "events wait in the spool" in errors
