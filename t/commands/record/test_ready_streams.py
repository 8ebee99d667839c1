"""Pipes and sockets that another program made non-blocking, and readers who
stop reading: nothing is lost, and nobody waits for ever."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import time

import pytest
from process_kit import await_listener, await_that, running
from test_convert import event, process
from test_record import traced  # noqa: F401
from test_record_endings import full_pipe
from validate_kit import log

BOTH = pytest.mark.parametrize("kind", ["pipe", "socket"])


@contextlib.contextmanager
def channel(kind):
    """(where to read, where to write); neither of them blocks."""
    if kind == "pipe":
        ends = os.pipe()
    else:
        ends = [end.detach() for end in socket.socketpair()]
    for fd in ends:
        os.set_blocking(fd, False)
    yield ends
    for fd in ends:
        with contextlib.suppress(OSError):
            os.close(fd)


def read_late(fd):
    """All of what comes, after a time in which nobody reads."""
    time.sleep(0.3)
    os.set_blocking(fd, True)
    text = b""
    while some := os.read(fd, 1 << 20):
        text += some
    return text


def without_time(text):
    return re.sub(rb'"seconds":[0-9.]+', b"", text)


@pytest.fixture(scope="module")
def made(tmp_path_factory, trace2):
    """A log that is more than a pipe holds in every form, and one of many
    commands, of which a summary is as long."""
    scratch = tmp_path_factory.mktemp("streams")
    (scratch / "many").write_bytes(b"".join(
        log(*process(sid=f"20260114T093042.112358Z-Hc4f2e1a9-P{i:08x}",
                     argv=("git", f"command-{i}"))) for i in range(3000)))
    (scratch / "log").write_bytes(
        log(*process(*[event("error", ',"odd":1') for _ in range(25000)])))
    subprocess.run([trace2, "convert", "--to", "fxt", "log", "log.fxt"],
                   cwd=scratch, check=True)
    return scratch


@pytest.fixture
def inputs(made, scratch):
    for path in made.iterdir():
        (scratch / path.name).symlink_to(path)


COMMANDS = pytest.mark.parametrize("words", [
    ("dump", "log.fxt"),
    ("convert", "--to", "chrome", "log", "-"),
    ("convert", "--to", "fxt", "log", "/dev/stdout"),
    ("table", "--rows", "errors", "log"),
    ("redact", "log"),
    ("summary", "--top", "0", "--format", "json", "many"),
    ("report", "-o", "-", "many"),
    ("validate", "--max-per-rule", "0", "log"),
    ("validate", "--format", "json", "--max-per-rule", "0", "log"),
], ids=" ".join)


@pytest.mark.parametrize("kind", [
    "pipe", pytest.param("socket", marks=pytest.mark.long("each command again")),
])
@COMMANDS
def test_an_output_that_does_not_block_is_written_in_full(
    trace2, scratch, env, execute, inputs, kind, words
):
    wanted = execute([trace2, *words])
    assert len(wanted.stdout) > 300_000
    with channel(kind) as (reader, writer):
        with running(trace2, *words, cwd=scratch, env=env, stdout=writer,
                     stderr=subprocess.PIPE) as running_one:
            time.sleep(0.2)
            assert not os.get_blocking(writer)  # it is not ours to change
            os.close(writer)
            assert without_time(read_late(reader)) == without_time(
                wanted.stdout)
            assert running_one.stderr.read() == wanted.stderr
            assert running_one.wait() == wanted.returncode


@BOTH
def test_messages_that_do_not_fit_wait_for_their_reader(
    trace2, scratch, env, execute, kind
):
    (scratch / "bad").write_bytes(log(*process()) + b"{no event\n" * 9000)
    words = (trace2, "convert", "--to", "fxt", "bad", "bad.fxt")
    wanted = execute(words)
    assert len(wanted.stderr) > 300_000
    with channel(kind) as (reader, writer):
        with running(*words, cwd=scratch, env=env,
                     stderr=writer) as running_one:
            os.close(writer)
            assert read_late(reader) == wanted.stderr
            assert running_one.wait() == wanted.returncode


@BOTH
@pytest.mark.parametrize("words", [
    ("validate", "-"), ("convert", "--to", "chrome", "-", "-"),
    ("summary", "-"),
], ids=" ".join)
def test_an_input_that_does_not_block_is_waited_for(
    trace2, scratch, env, execute, kind, words
):
    text = log(*process())
    wanted = execute([trace2, *words], input=text)
    assert wanted.stdout
    with channel(kind) as (reader, writer):
        with running(trace2, *words, cwd=scratch, env=env, stdin=reader,
                     stdout=subprocess.PIPE) as running_one:
            os.set_blocking(writer, True)
            for part in (text[:100], text[100:]):
                time.sleep(0.1)
                os.write(writer, part)
            os.close(writer)
            shown = running_one.stdout.read()
    if words[0] == "convert":  # pids and times are those of the log
        assert shown == wanted.stdout
    assert len(shown) == len(wanted.stdout)


def test_a_reader_that_goes_ends_the_command(trace2, scratch, env, inputs):
    with channel("pipe") as (reader, writer):
        with running(trace2, "dump", "log.fxt", cwd=scratch, env=env,
                     stdout=writer) as running_one:
            os.close(writer)
            time.sleep(0.2)
            assert running_one.poll() is None  # it waits
            os.close(reader)
            assert running_one.wait(10) == -signal.SIGPIPE


# Commands that trace: a reader of messages must not stop them.


def stuck_recording(trace2, scratch, env, traced, writer, *words):
    return running(trace2, "record", "--timeout", "0.2", *words, "--", traced,
                   "events", "5", cwd=scratch, env=env, stderr=writer)


@pytest.mark.linked
@pytest.mark.parametrize("name", ["a.fxt", "a.json"])
def test_a_recording_is_kept_though_nobody_reads_its_messages(
    trace2, scratch, env, execute, traced, name
):
    with full_pipe() as (reader, writer), stuck_recording(
        trace2, scratch, env, traced, writer, "--output", name
    ) as recorder:
        start = time.monotonic()
        assert recorder.wait(20) == 0
        assert time.monotonic() - start < 10
        assert os.read(reader, 1 << 20).strip(b"\0") == b""
    assert (scratch / name).stat().st_size > 100
    assert not list(scratch.glob("*.partial"))


@pytest.mark.linked
def test_messages_of_a_recording_come_when_they_are_read(
    trace2, scratch, env, traced
):
    with full_pipe() as (reader, writer), stuck_recording(
        trace2, scratch, env, traced, writer, "--timeout", "20"
    ) as recorder:
        await_that((scratch / "trace.fxt").exists)
        left = os.read(reader, 1 << 20)
        assert recorder.wait(20) == 0
        os.set_blocking(reader, False)
        with contextlib.suppress(BlockingIOError):
            while some := os.read(reader, 1 << 20):
                left += some
    lines = left.strip(b"\0").decode().splitlines()
    assert len(lines) == 3
    assert "events 5, dropped 0" in lines[0]
    assert lines[1].startswith("providers 1, events 5, dropped 0")
    assert lines[2].startswith("the record is in trace.fxt")


def send_nonsense(path):
    """A program that breaks the rules; it is dropped, and this is told."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as client:
        client.connect(str(path))
        client.send(b"nonsense")
        client.settimeout(10)
        with contextlib.suppress(ConnectionError):
            client.recv(64)


@pytest.mark.long("waits for seconds")
def test_a_manager_serves_though_nobody_reads_its_messages(
    trace2, short_dir, env, execute
):
    path = short_dir / "m"
    with full_pipe() as (_, writer), running(
        trace2, "manager", "--socket", path, env=env, stderr=writer
    ) as manager:
        await_listener(path)
        for _ in range(20):
            send_nonsense(path)
        listed = execute([trace2, "list-providers", "--socket", path],
                         timeout=10)
        assert listed.returncode == 0
        manager.terminate()
        assert manager.wait(10) == 0
    assert not path.exists()
