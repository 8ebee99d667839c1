"""The progress of `trace2 validate`, on a terminal."""

import gzip
import os
import re
import select
import subprocess
import time
import zlib

import pytest
from validate_kit import ATEXIT, EXIT, START, VERSION, log

GOOD = log(VERSION, START, EXIT, ATEXIT)
MANY = 400 * log(START)
PATIENCE = 30  # seconds, for a machine that has other things to do


@pytest.fixture
def begin(trace2, env, terminal):
    """begin(path, ...): a command with a terminal, and the terminal."""
    begun = []

    def call(*paths):
        ours, theirs = terminal()
        process = subprocess.Popen(
            [trace2, "validate", *paths], stderr=theirs, env=env,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)  # fmt: skip
        os.close(theirs)
        begun.append((process, ours))
        return process, ours

    yield call
    for process, ours in begun:
        process.kill()
        process.communicate()
        os.close(ours)


def watch(terminal, write, piece):
    """Write until there is something on the terminal; gives that."""
    shown = b""
    until = time.monotonic() + PATIENCE
    while b"MB/s" not in shown and time.monotonic() < until:
        write(piece())
        if select.select([terminal], [], [], 0.02)[0]:
            shown += os.read(terminal, 4096)
    return shown


def shows_rate(shown):
    return re.search(rb"\r\x1b\[K1 files, \d+ MB, \d+ MB/s$", shown)


def rest_of(terminal):
    shown = b""
    try:
        while part := os.read(terminal, 4096):
            shown += part
    except OSError:  # the other end was closed
        pass
    return shown


def finish(process, terminal):
    process.stdin.close()
    assert rest_of(terminal).endswith(b"\r\x1b[K")
    process.wait()


@pytest.mark.long("works for a second")
def test_a_pipe_has_a_rate(begin):
    process, terminal = begin("-")
    process.stdin.write(log(VERSION))
    shown = watch(terminal, process.stdin.write, lambda: MANY)
    assert shows_rate(shown)
    finish(process, terminal)


@pytest.mark.long("works for a second")
def test_a_compressed_pipe_has_a_rate(begin):
    process, terminal = begin("-")
    packer = zlib.compressobj(1, wbits=31)

    def piece():
        return packer.compress(MANY) + packer.flush(zlib.Z_SYNC_FLUSH)

    shown = watch(terminal, process.stdin.write, piece)
    assert shows_rate(shown)
    finish(process, terminal)


@pytest.mark.long("waits for seconds")
def test_files_are_counted(begin, scratch):
    (scratch / "log.gz").write_bytes(gzip.compress(GOOD))
    process, terminal = begin(scratch / "log.gz", "-")
    shown = watch(terminal, process.stdin.write, lambda: MANY)
    assert b"2 files" in shown
    finish(process, terminal)


@pytest.mark.long("works for a second")
def test_a_named_pipe_is_opened_once(begin, scratch):
    os.mkfifo(scratch / "pipe")
    process, terminal = begin(scratch / "pipe")
    with open(scratch / "pipe", "wb", buffering=0) as pipe:
        pipe.write(log(VERSION))
        assert b"MB/s" in watch(terminal, pipe.write, lambda: MANY)
    finish(process, terminal)


def test_short_work_shows_nothing(begin, scratch):
    (scratch / "log").write_bytes(GOOD)
    process, terminal = begin(scratch / "log")
    assert rest_of(terminal) == b""
    assert process.wait() == 0
