"""`trace2 collect` on a disk without space: nothing is removed too early."""

import gzip
import os
import socket
import time

import pytest
from collect_kit import (
    Service, build_preload, connect, lines_of, send_lines, until,
)

END = b'{"event":"atexit","t_abs":1.0}\n'
WIDE = b"\x01" * (900 << 10) + b"\n"  # marked, each byte is six


@pytest.fixture
def inbox(short_dir):
    path = short_dir / "in"
    path.mkdir()
    return path


@pytest.fixture
def service(trace2, short_dir, inbox):
    """service(*options): a running service that watches `in` and removes."""
    made = []

    def begin(*options, **more):
        made.append(Service(trace2, short_dir,
                            ["--watch", "in", "--remove", "-o", "files:logs",
                             *options], **more))
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def write_ended(path, text):
    """The file of a process that ended a while ago."""
    path.write_bytes(text)
    then = time.time() - 10
    os.utime(path, (then, then))


def free_disk(running):
    """Another run, with space."""
    running.end()
    running.file_limit = -1
    running.begin()


def assert_moved(running, inbox, lines):
    assert until(lambda: not list(inbox.iterdir()))
    running.end()
    assert running.lines() == lines


def test_watched_files_stay_while_the_spool_is_full(service, inbox):
    write_ended(inbox / "a", b"1\n" + END)
    running = service(file_limit=100 << 10)
    time.sleep(1.2)  # two looks
    assert (inbox / "a").exists()
    free_disk(running)
    assert_moved(running, inbox, [b"1\n", END])


@pytest.mark.long("waits for seconds")
def test_watched_lines_stay_that_the_filter_makes_too_long(service, inbox):
    """The disk has space for the line as it is, but not for the marked one."""
    write_ended(inbox / "a", WIDE)
    os.utime(inbox / "a", (1e9, 1e9))  # nothing says that its process has ended
    running = service("--check", "mark", file_limit=5 << 20)
    time.sleep(1.2)
    send_lines(running.path, [b"x\n"])
    assert (inbox / "a").exists()
    code, _, errors = running.end()
    assert code == 0
    assert errors.endswith(b": no event can be kept: File too large\n")
    running.file_limit = -1
    running.begin()
    assert until(lambda: not (inbox / "a").exists())
    running.end()
    small, wide = running.lines()
    assert b'"line":"x"' in small
    assert wide.count(b"\\u0001") == 900 << 10


@pytest.mark.long("waits for seconds")
def test_watched_lines_stay_that_cannot_be_set_aside(service, inbox, short_dir):
    write_ended(inbox / "a", b"junk\n" + END)
    (short_dir / "spool").mkdir()
    broken = short_dir / "spool/broken.log"
    broken.mkdir()  # like a disk that refuses each byte
    running = service("--check", "set-aside")
    time.sleep(1.2)
    assert (inbox / "a").exists()
    broken.rmdir()
    assert until(lambda: not list(inbox.iterdir()))
    assert running.end()[0] == 0
    assert broken.read_bytes() == b"junk\n" + END  # this END has no sid
    assert b": 2 broken events were set aside\n" in running.errors


def test_a_file_stays_whose_broken_lines_are_beyond_the_limit(service, inbox):
    """They are dropped and counted, and their file has the only copy."""
    write_ended(inbox / "a", b"junk\n" * 10 + END)
    running = service("--check", "set-aside", "--broken-limit", "10")
    metrics = running.spool / "metrics.prom"
    assert until(lambda: metrics.exists() and
                 "unkept_total 9\n" in metrics.read_text())
    time.sleep(1.2)  # two looks
    assert (inbox / "a").exists()
    assert running.end()[0] == 1
    assert b": 9 broken events were dropped" in running.errors


def test_a_disk_that_was_full_costs_no_line_of_compressed_files(service):
    """The spool has space, but the output's file cannot grow to its size."""
    lines = [os.urandom(600).hex().encode() + b"\n" for _ in range(8000)]
    running = service("--compress", "--file-size", "6m", file_limit=5 << 20)
    send_lines(running.path, lines)
    assert until(lambda: any(log.stat().st_size == 5 << 20
                             for log in running.logs(".partial")))
    assert running.logs(".log.gz") == []
    free_disk(running)
    assert running.end()[0] == 0
    assert running.logs(".partial") == []
    got = [gzip.decompress(log.read_bytes()) for log in running.logs(".log.gz")]
    assert b"".join(got).splitlines(keepends=True) == lines


def find_count(running, name):
    metrics = running.spool / "metrics.prom"
    start = f"trace2_collect_{name}_total "
    for line in metrics.read_text().splitlines() if metrics.exists() else ():
        if line.startswith(start):
            return int(line[len(start):])
    return 0


@pytest.mark.parametrize("options", [[], ["--redact", "passwords"]])
@pytest.mark.parametrize("listen", ["stream", "dgram"])
def test_a_disk_that_takes_reserved_space_back_is_full(trace2, short_dir, options,
                                                       listen):
    """As btrfs does: a write to the memory of the file fails."""
    full = short_dir / "full"
    full.touch()
    running = Service(trace2, short_dir, [*options, "-o", "files:logs"], listen)
    running.environment = {"LD_PRELOAD": build_preload(short_dir),
                           "FULL_MAP": str(full)}
    running.begin()
    with connect(running.path, getattr(socket, f"SOCK_{listen.upper()}")) as writer:
        for line in lines_of(b"lost", 20):
            writer.send(line)
        assert until(lambda: find_count(running, "dropped") == 20)
        full.unlink()
        assert until(lambda: writer.send(b"again\n") and
                     find_count(running, "events"))
        for line in lines_of(b"kept", 20):
            writer.send(line)
    code, _, errors = running.end()
    lines = running.lines()
    sent = find_count(running, "received")
    assert (code, find_count(running, "dropped")) == (1, sent - len(lines))
    assert lines == [b"again\n"] * (len(lines) - 20) + lines_of(b"kept", 20)
    assert errors.count(b": no event can be kept: No space left on device\n") == 1
