"""What receives a trace in place of a file, and what is asked of it."""

import os
import socket
import sys
import time

import pytest

from kit import listen, logs

EVENT = b'{"event":"%s","sid":"%s"}\n'
WRITE = 'import os, sys; os.write(int(sys.argv[1]), sys.argv[2].encode())'


@pytest.fixture
def driven(short_dir, execute):
    """driven(factory, act): what is received while act(scratch) is done."""

    def call(factory, act):
        made = factory(short_dir)
        try:
            act(made)
        finally:
            received = made.stop()
        return received

    return call


def connected(kind, path, *texts):
    with socket.socket(socket.AF_UNIX, kind) as client:
        client.connect(str(path))
        for text in texts:
            client.send(text)


# Sockets


def test_stream_has_an_entry_for_each_connection(driven, short_dir):
    def act(_):
        connected(socket.SOCK_STREAM, short_dir / "s", b"one\n", b"two\n")
        connected(socket.SOCK_STREAM, short_dir / "s", b"three\n")
        connected(socket.SOCK_STREAM, short_dir / "s")

    found = driven(listen.stream("s"), act)
    assert found == [b"one\ntwo\n", b"three\n", b""]


def test_datagrams_are_kept_apart(driven, short_dir):
    def act(_):
        connected(socket.SOCK_DGRAM, short_dir / "s", b"one\n", b"two\n")

    assert driven(listen.datagrams("s"), act) == [b"one\n", b"two\n"]


def test_what_nobody_writes_is_not_received(driven):
    assert driven(listen.stream("s"), lambda made: None) == []
    assert driven(listen.datagrams("d"), lambda made: None) == []


def test_idle_stream_takes_a_connection_and_reads_nothing(driven, short_dir):
    def act(_):
        connected(socket.SOCK_STREAM, short_dir / "s", b"one\n")

    assert driven(listen.idle_stream("s"), act) == []


@pytest.mark.parametrize(
    ("factory", "problem"),
    [
        (listen.busy_stream, BlockingIOError),
        (listen.dead_stream, ConnectionRefusedError),
    ],
)
def test_stream_that_takes_nobody_says_so(driven, short_dir, factory, problem):
    def act(_):
        with socket.socket(socket.AF_UNIX) as client:
            client.setblocking(False)
            with pytest.raises(problem):
                client.connect(str(short_dir / "s"))

    assert driven(factory("s"), act) == []


# Descriptors


@pytest.fixture
def writes(execute):
    """writes(listener, number, text): a program does that; its exit code."""

    def call(made, number, text):
        words = made.wrap([sys.executable, "-c", WRITE, str(number), text])
        return execute(words, pass_fds=made.pass_fds).returncode

    return call


@pytest.mark.parametrize("factory", [listen.pipe, listen.idle_pipe])
def test_pipe_is_found_under_its_number(driven, writes, factory):
    found = driven(factory(5), lambda made: writes(made, 5, "one\n"))
    assert found == [b"one\n"]


def test_other_numbers_are_not_open(driven, writes):
    def act(made):
        assert writes(made, 6, "one\n") == 1

    assert driven(listen.pipe(5), act) == [b""]


def test_full_pipe_takes_nothing_more(driven):
    def act(made):
        (end,) = made.pass_fds
        os.set_blocking(end, False)
        with pytest.raises(BlockingIOError):
            os.write(end, b"x")

    (found,) = driven(listen.full_pipe(5), act)
    assert len(found) >= 4096 and not found.strip(b"\n")


def wait_until(holds):
    limit = time.monotonic() + 60
    while not holds() and time.monotonic() < limit:
        time.sleep(0.001)
    assert holds()


def wait_for(path):
    wait_until(path.exists)


def test_idle_pipe_says_that_it_is_full(driven, short_dir):
    taken = []

    def act(made):
        (end,) = made.pass_fds
        os.set_blocking(end, False)
        taken.append(os.write(end, (1 << 20) * b"x"))
        wait_for(short_dir / "full")
        assert not (short_dir / "drained").exists()

    assert driven(listen.idle_pipe(5), act) == [taken[0] * b"x"]


def test_full_pipe_is_read_when_it_is_told(driven, short_dir):
    def act(made):
        (short_dir / "go").touch()
        wait_for(short_dir / "drained")
        assert os.write(made.pass_fds[0], b"x") == 1

    (found,) = driven(listen.full_pipe(5), act)
    assert found.strip(b"\n") == b"x"


@pytest.mark.parametrize("factory", [listen.dead_pipe, listen.dead_packets])
def test_dead_end_has_no_reader(driven, factory):
    def act(made):
        with pytest.raises(BrokenPipeError):
            os.write(made.pass_fds[0], b"x")

    assert driven(factory(5), act) == []


def test_pipe_that_could_not_be_read_knows_for_how_long(short_dir):
    made = listen.pipe(5)(short_dir)
    turn = made._turn

    def late(timeout):
        made._turn = turn
        time.sleep(0.2)
        return turn(timeout)

    wait_until(lambda: made._turned)
    assert made.pause < 0.2
    made._turn = late
    wait_until(lambda: made.pause >= 0.2)
    made.stop()


def test_short_pauses_of_a_pipe_add_up(scratch, monkeypatch):
    made = listen.pipe(7)(scratch)
    clock = iter([1.0, 1.005, 1.035, 1.065, 1.07])
    monkeypatch.setattr(listen.Reader, "_turn", lambda *_: True)
    monkeypatch.setattr(listen.time, "monotonic", lambda: next(clock))
    for _ in range(5):
        made._turn(0)
    assert round(made.pause, 3) == 0.06


def test_packets_are_one_for_each_write(driven, writes):
    def act(made):
        writes(made, 7, "one\n")
        writes(made, 7, "two\n")

    assert driven(listen.packets(7), act) == [b"one\n", b"two\n"]


def test_files_are_planted_beside_the_first_one(short_dir):
    (short_dir / "d").mkdir()
    made = listen.planted("d", (1, 3), "s")(short_dir)
    (short_dir / "d/log").touch()
    connected(socket.SOCK_STREAM, short_dir / "s", b"one\n")
    assert made.stop()[-1] == b"one\n"
    assert sorted(os.listdir(short_dir / "d")) == ["log", "log.1", "log.3"]


def test_nothing_is_planted_where_there_is_no_file(short_dir):
    (short_dir / "d").mkdir()
    assert listen.planted("d", (1,), "s")(short_dir).stop() == []
    assert os.listdir(short_dir / "d") == []


def test_nothing_stays_open(short_dir):
    before = os.listdir("/proc/self/fd")
    for factory in (listen.stream("a"), listen.datagrams("b"),
                    listen.idle_stream("c"), listen.busy_stream("d"),
                    listen.dead_stream("e"), listen.pipe(5),
                    listen.idle_pipe(5), listen.full_pipe(5),
                    listen.dead_pipe(5), listen.packets(5),
                    listen.dead_packets(5)):
        factory(short_dir).stop()
    assert os.listdir("/proc/self/fd") == before


# Traces, wherever they went

NORMAL = b"version 1\nstart x\nexit elapsed:0.1 code:0\natexit code:0\n"
PERF = b"".join(
    b"d0 | main | %s | r1 | 0 | 0 | c | x\n" % name
    for name in (b"version", b"start", b"exit", b"atexit")
)
TRACES = {
    "normal": NORMAL,
    "perf": PERF,
    "event": b"".join(EVENT % (n, b"a")
                      for n in (b"version", b"start", b"exit", b"atexit")),
}


@pytest.mark.parametrize("target", TRACES)
def test_trace_is_whole_from_version_to_end(target):
    text = TRACES[target]
    lines = text.splitlines(keepends=True)
    assert logs.is_whole(target, text)
    assert logs.is_whole(target, b"".join(lines[:3]))
    for broken in (text[:-2], b"".join(lines[1:]), b"".join(lines[:2]),
                   text + text, lines[0] + text, text + lines[1], b""):
        assert not logs.is_whole(target, broken), broken


def test_line_that_is_no_event_makes_a_trace_torn():
    for target in ("perf", "event"):
        first, rest = TRACES[target].split(b"\n", 1)
        assert not logs.is_whole(target, first + b"\ntorn\n" + rest)


def test_events_are_gathered_by_process():
    text = b"".join(EVENT % pair for pair in (
        (b"version", b"b"), (b"version", b"a"), (b"exit", b"b")))
    found = logs.by_sid(logs.events(text + b"torn\n"))
    assert {sid: logs.named(x) for sid, x in found.items()} == {
        "b": ["version", "exit"], "a": ["version"]}
    assert list(found) == ["b", "a"]


def test_seconds_are_compared_as_microseconds():
    assert logs.microseconds("0.000001") == 1
    assert logs.microseconds(1.000001) == 1000001
    assert logs.microseconds("2.0000004") == 2000000


def test_warnings_are_bytes_of_one_line():
    assert logs.warning("no '%s' at %d", "\udcff", 3) == (
        b"warning: no '\xff' at 3\n")
