"""`trace2 collect --output otlp:URL`: events to a receiver of OpenTelemetry."""

import collections
import itertools
import json
import re
import select
import time

import pytest
from collect_kit import Service, connect, send_lines, until
from otlp_kit import otlp, read_traces  # noqa: F401
from otlp_receiver import receive
from table_kit import Process, fleet, pull


def mark_slow(*values):
    """Parameters of a test that waits for seconds, for make check."""
    return [pytest.param(value, marks=pytest.mark.long("waits for seconds"))
            for value in values]


@pytest.fixture
def receiver():
    with receive() as made:
        yield made


@pytest.fixture
def service(trace2, short_dir):
    """service(receiver, *options): a running service; it is ended after the
    test."""
    made = []

    def begin(receiver, *options):
        made.append(Service(trace2, short_dir, ["-o", f"otlp:{receiver.url}", *options]))
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def lines_of(*processes):
    return [json.dumps(line).encode() + b"\n" for one in processes for line in one.lines]


def metric(running, name):
    text = (running.spool / "metrics.prom").read_text()
    return int(re.search(rf'^trace2_collect_output_{name}{{output="otlp:.*"}} (\d+)$',
                         text, re.M)[1])


def ids_of(spans):
    return collections.Counter((span["traceId"], span["spanId"]) for span in spans)


def converted(execute, trace2, scratch, processes):
    for process in processes:
        process.write(scratch / "logs")
    done = execute([trace2, "convert", "--to", "otlp", scratch / "logs", "-"])
    return read_traces(done.stdout)


def key_of(traces):
    return json.dumps(traces, sort_keys=True)


def test_posts_have_what_convert_writes(receiver, service, execute, trace2, scratch):
    running = service(receiver)
    processes = fleet()
    send_lines(running.path, lines_of(*processes))
    assert running.end() == (0, b"", b"")
    wanted = converted(execute, trace2, scratch, processes)
    assert sorted(map(key_of, receiver.traces())) == sorted(map(key_of, wanted))
    path, headers, _ = receiver.requests[0]
    assert path == "/v1/traces"
    assert headers["Content-Type"] == "application/json"
    assert headers["User-Agent"].startswith("trace2-collect")
    assert metric(running, "waiting") == metric(running, "missed_total") == 0
    assert metric(running, "passed_total") == len(lines_of(*processes))


def test_the_official_protocol_takes_posts(otlp, receiver, service):
    running = service(receiver)
    send_lines(running.path, lines_of(*fleet()))
    running.end()
    for post in receiver.posts:
        assert ids_of(span for one in otlp(post)["resourceSpans"]
                      for span in one["scopeSpans"][0]["spans"]) == ids_of(
                          span for one in post["resourceSpans"]
                          for span in one["scopeSpans"][0]["spans"])


def test_a_post_does_not_wait_for_the_end_of_the_service(receiver, service):
    running = service(receiver)
    send_lines(running.path, lines_of(*pull()))
    assert until(lambda: len(receiver.traces()) == 4)
    assert until(lambda: metric(running, "waiting") == 0)


def test_a_process_that_is_open_stays_in_the_spool(receiver, service):
    """SIGKILL loses nothing of it, and what it did before is not lost."""
    running = service(receiver)
    process, other = Process("fetch", 7), Process("status", 8)
    process.region(0.1, 0.2, "c", "l")
    send_lines(running.path, lines_of(process, other.end(0.1)))
    assert until(lambda: len(receiver.traces()) == 1)
    running.kill()
    assert running.begin()
    before = len(process.lines)
    process.end(1.0)
    send_lines(running.path, lines_of(process)[before:])
    assert running.end() == (0, b"", b"")
    found = [span for span in receiver.spans() if span["name"] != "git:status"]
    assert sorted(span["name"] for span in found) == ["git:fetch", "region(c,l)"]
    root = next(span for span in found if span["name"] == "git:fetch")
    assert root["attributes"]["trace2.cmd.exit_code"] == "0"


def test_what_is_posted_again_after_a_restart_has_the_same_ids(receiver, service):
    """Those that ended while an older one was open are read again."""
    running = service(receiver)
    old = Process("fetch", 7)
    send_lines(running.path, lines_of(old, *pull()))
    assert until(lambda: len(receiver.traces()) == 4)
    before, sent = set(ids_of(receiver.spans())), len(old.lines)
    running.kill()
    running.begin()
    send_lines(running.path, lines_of(old.end(1))[sent:])
    assert running.end() == (0, b"", b"")
    after = ids_of(receiver.spans())
    assert len(set(after) - before) == 1
    assert set(after.values()) == {1, 2}
    assert metric(running, "outside_total") == 0


def test_open_processes_are_reported_as_waiting(receiver, service):
    running = service(receiver)
    process = Process("fetch", 7)
    send_lines(running.path, lines_of(process))
    code, _, errors = running.end()
    assert code == 0
    assert errors.endswith(b"': %d events wait in the spool\n" % len(process.lines))


def test_a_receiver_that_is_down_gets_all_when_it_is_up(service, short_dir):
    with receive() as receiver:
        port = receiver.server_port
        running = service(receiver)
    send_lines(running.path, lines_of(*fleet()))
    assert select.select([running.process.stderr], [], [], 60)[0]  # it complains
    with receive(port) as receiver:
        assert until(lambda: len(receiver.traces()) == len(fleet()))
        code, _, errors = running.end()
    assert code == 0
    assert len(errors.splitlines()) == 1  # it is told once
    assert b"onnect" in errors
    assert b"trying again" in errors


@pytest.mark.parametrize("status", [503, *mark_slow(429, 502, 504)])
def test_a_post_is_repeated_when_the_receiver_asks(status, receiver, service):
    receiver.answers = [status, (status, {"Retry-After": "1"}, b""), 200]
    begun = time.monotonic()
    running = service(receiver)
    send_lines(running.path, lines_of(*pull()))
    assert until(lambda: len(receiver.traces()) == 4)
    assert time.monotonic() - begun > 1
    code, _, errors = running.end()
    bodies = {body for _, _, body in receiver.requests[:3]}
    assert code == 0
    assert len(bodies) == 1
    assert errors.endswith(b"the receiver answered %d; trying again\n" % status)


@pytest.mark.parametrize("status", [400, *mark_slow(401, 404, 413, 500)])
def test_a_post_that_is_refused_is_not_repeated(status, receiver, service):
    words = json.dumps({"code": 3, "message": "bad \x1b[31mspan"}).encode()
    receiver.answers = [503, (status, {"Location": receiver.url}, words)]
    running = service(receiver)
    send_lines(running.path, lines_of(*pull()))
    assert until(lambda: len(receiver.requests) == 2)
    assert until(lambda: metric(running, "waiting") == 0)
    send_lines(running.path, lines_of(Process("later", 99).end(1)))
    code, _, errors = running.end()
    assert code == 1
    assert len(receiver.requests) == 3
    assert [span["name"] for span in receiver.spans()] == ["git:later"]
    busy, first, last = errors.splitlines()
    assert busy.endswith(b"the receiver answered 503; trying again")
    assert first.endswith(b"the receiver answered %d: bad ?[31mspan" % status)
    refused = metric(running, "refused_spans_total")
    assert refused >= 4
    assert metric(running, "refused_total") == len(lines_of(*pull()))
    later = lines_of(Process("later", 99).end(1))
    assert metric(running, "passed_total") == len(later)
    assert last.endswith(b"the receiver refused %d spans in all" % refused)


@pytest.mark.parametrize("count", ["3", 3])
def test_spans_that_the_receiver_does_not_take_are_counted(count, receiver, service):
    words = {"partialSuccess": {"rejectedSpans": count, "errorMessage": "too old"}}
    receiver.answers = [(200, {}, json.dumps(words).encode())]
    running = service(receiver)
    send_lines(running.path, lines_of(*pull()))
    code, _, errors = running.end()
    assert code == 1
    assert metric(running, "refused_spans_total") == 3
    assert 0 < metric(running, "refused_total") < len(lines_of(*pull()))
    assert b"the receiver took not all: too old\n" in errors


def test_a_receiver_refuses_no_more_spans_than_it_got(receiver, service):
    words = {"partialSuccess": {"rejectedSpans": 2**63}}
    receiver.answers = [(200, {}, json.dumps(words).encode())]
    running = service(receiver)
    send_lines(running.path, lines_of(*pull()))
    assert running.end()[0] == 1
    assert 4 <= metric(running, "refused_spans_total") < 100
    assert metric(running, "refused_total") == len(lines_of(*pull()))


@pytest.mark.parametrize("body", [b"", b"{}", b'{"partialSuccess":3}',
                                  b'{"partialSuccess":{}}'])
def test_other_answers_are_taken_as_they_are(body, receiver, service):
    receiver.answers = [(200, {}, body)]
    running = service(receiver)
    send_lines(running.path, lines_of(*pull()))
    assert running.end() == (0, b"", b"")


@pytest.mark.parametrize("body", [b"[]", b"{", b"\xff", b"x" * 200000],
                         ids=lambda body: body[:20].decode("ascii", "replace"))
def test_an_answer_that_cannot_be_read_is_counted_and_told(body, receiver, service):
    receiver.answers = [(200, {}, body)]
    running = service(receiver)
    send_lines(running.path, lines_of(*pull()))
    code, _, errors = running.end()
    assert code == 1
    assert (b"the receiver's answer cannot be read; it may not have taken all\n"
            in errors)
    assert metric(running, "passed_total") == 0
    assert metric(running, "unread_answers_total") == 1


@pytest.mark.long("waits for seconds")
def test_a_connection_that_breaks_costs_nothing(receiver, service):
    receiver.answers = [None, None]
    running = service(receiver)
    send_lines(running.path, lines_of(*fleet()))
    assert until(lambda: len(receiver.traces()) == len(fleet()))
    assert running.end()[0] == 0


def test_a_slow_receiver_delays_neither_programs_nor_files(receiver, service):
    receiver.gate.clear()
    running = service(receiver, "-o", "files:logs", "--file-size", "1k")
    lines = lines_of(*fleet())
    send_lines(running.path, lines)
    assert until(lambda: len(running.lines()) >= len(lines) - 10)
    assert not receiver.posts
    receiver.gate.set()
    assert until(lambda: len(receiver.traces()) == len(fleet()))
    assert running.end()[0] == 0


@pytest.mark.long("waits for seconds")
def test_the_end_does_not_wait_for_a_receiver_for_ever(receiver, service):
    receiver.gate.clear()
    running = service(receiver)
    lines = lines_of(*pull())
    send_lines(running.path, lines)
    code, _, errors = running.end()
    assert code == 0
    assert errors.endswith(b"': %d events wait in the spool\n" % len(lines))
    receiver.gate.set()
    running.begin()
    running.end()
    assert set(ids_of(receiver.spans())) >= {
        (span["traceId"], span["spanId"]) for span in receiver.spans()}
    assert sum(span["kind"] == 2 for span in receiver.spans()) >= 4


def test_posts_can_be_compressed_and_have_headers(receiver, service):
    running = service(receiver, "--otlp-gzip", "--otlp-header", "Authorization: Bearer x",
                      "--otlp-header", "X-Team: git")
    send_lines(running.path, lines_of(*pull()))
    assert running.end() == (0, b"", b"")
    _, headers, _ = receiver.requests[0]
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Authorization"] == "Bearer x"
    assert headers["X-Team"] == "git"
    assert len(receiver.traces()) == 4


@pytest.mark.long("waits for seconds")
def test_a_process_that_is_open_for_long_is_let_go(receiver, service):
    """Its spans come when they end, and the spool is free."""
    running = service(receiver, "--otlp-wait", "1")
    process = Process("fetch", 7)
    process.region(0.1, 0.2, "c", "first")
    lines = lines_of(process)
    with connect(running.path) as writer:
        writer.sendall(b"".join(lines))
        assert until(lambda: len(receiver.spans()) == 1)
        assert until(lambda: metric(running, "waiting") == 0)
        process.region(0.3, 0.4, "c", "second")
        writer.sendall(b"".join(lines_of(process.end(1))[len(lines):]))
        assert until(lambda: len(receiver.spans()) == 3)
    assert running.end() == (0, b"", b"")
    first, second, root = receiver.spans()
    assert [first["name"], second["name"], root["name"]] == [
        "region(c,first)", "region(c,second)", "git:fetch"]
    assert first["parentSpanId"] == second["parentSpanId"] == root["spanId"]


def test_lines_in_no_span_are_counted(receiver, service):
    process = Process("status", 7).end(1)
    after = dict(process.lines[-1], event="printf", msg="late")
    running = service(receiver)
    send_lines(running.path, [b"no event\n", b'{"event":"start"}\n',
                              *lines_of(process)])
    assert until(lambda: len(receiver.spans()) == 1)
    send_lines(running.path, [json.dumps(after).encode() + b"\n"])
    assert running.end()[0] == 0
    assert metric(running, "outside_total") == 3
    assert metric(running, "passed_total") == len(process.lines) + 3


def pid_of(span):
    return int(span["attributes"]["trace2.cmd.sid"].rpartition("-P")[2], 16)


@pytest.mark.long("waits for seconds")
def test_a_spool_that_is_full_counts_what_the_receiver_misses(receiver, service):
    receiver.gate.clear()
    running = service(receiver, "--spool-limit", "1m")
    sent = 0
    for i in range(800):
        process = Process("status", 1000 + i).data(0.5, "c", "k", "x" * 40000).end(1)
        sent += len(process.lines)
        send_lines(running.path, lines_of(process))
    assert until(lambda: metric(running, "missed_total"))
    receiver.gate.set()
    assert until(lambda: metric(running, "waiting") == 0)
    code, _, errors = running.end()
    missed = metric(running, "missed_total")
    assert code == 1
    assert b"': missed %d events in all\n" % missed in errors
    assert missed + metric(running, "passed_total") == sent
    got = sorted(pid_of(span) for span in receiver.spans())
    cuts = 2 * sum(b > a + 1 for a, b in itertools.pairwise([999, *got, 1800]))
    assert 0 <= (sent - missed) / len(process.lines) - len(got) < cuts


@pytest.mark.parametrize(("url", "expected"), [
    ("ftp://x", "expected http://HOST:PORT"), ("http://", "expected http://HOST:PORT"),
    ("http://a b", "expected http://HOST:PORT"), ("http://a?x", "expected http://HOST:PORT"),
    ("http://u:p@host/", "a password belongs into otlp-header"), ("", "expected http")])
def test_a_wrong_url_is_refused(url, expected, trace2, short_dir):
    service = Service(trace2, short_dir, [])
    done = service.run("-l", "af_unix:stream:s", "-o", f"otlp:{url}")
    assert done.returncode == 2
    assert expected.encode() in done.stderr
    assert b"u:p" not in done.stderr


@pytest.mark.parametrize(("option", "value", "expected"), [
    ("--otlp-header", "Authorization Bearer x", "NAME: VALUE after otlp-header\n"), ("--otlp-header", "a b: c", "NAME: VALUE"),
    ("--otlp-header", "a: b\r\nc: d", "NAME: VALUE"), ("--otlp-header", ": x", "NAME: VALUE"),
    ("--otlp-wait", "1000001", "a number from 0 to 1000000"), ("--otlp-wait", "x", "a number"),
    ("--otlp-wait", "-1", "a number")])
def test_wrong_settings_of_posts_are_refused(option, value, expected, trace2, short_dir):
    service = Service(trace2, short_dir, [])
    done = service.run("-l", "af_unix:stream:s", "-o", "otlp:http://x", option, value)
    assert done.returncode == 2
    assert expected.encode() in done.stderr


def test_more_than_16_headers_are_refused(trace2, short_dir):
    headers = [word for i in range(17) for word in ("--otlp-header", f"a{i}: b")]
    done = Service(trace2, short_dir, []).run("-l", "af_unix:stream:s", "-o",
                                              "otlp:http://x", *headers)
    assert done.returncode == 2
    assert b"16 headers at most" in done.stderr


def test_a_url_may_have_the_path_and_a_configuration_file(receiver, short_dir, trace2):
    config = short_dir / "config"
    config.write_text(f"output otlp:{receiver.url}/v1/traces/\n"
                      "otlp-gzip\notlp-header Authorization: Bearer y\notlp-wait 5\n")
    running = Service(trace2, short_dir, ["--config", str(config)]).begin()
    try:
        send_lines(running.path, lines_of(*pull()))
        assert running.end() == (0, b"", b"")
    finally:
        running.kill()
    path, headers, _ = receiver.requests[0]
    assert path == "/v1/traces"
    assert headers["Authorization"] == "Bearer y"
