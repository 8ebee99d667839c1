"""`trace2 collect --files-limit`, `--files-age` and `--spool-age`: the oldest
files of an output go, and the oldest events of the spool."""

import os
import re
import time

import pytest
from collect_kit import Service, send_lines, until

LINE = b"y" * 99 + b"\n"


@pytest.fixture
def service(trace2, short_dir):
    """service(*options): a running service; it is ended after the test."""
    made = []

    def begin(*options):
        options = ["-o", "files:logs", *options]
        made.append(Service(trace2, short_dir, options))
        return made[-1].begin()

    yield begin
    for one in made:
        one.kill()


def names(running):
    return sorted(path.name[8:] for path in (running.scratch / "logs").iterdir())


def write_file(running, lines):
    """A run of the service that completes one file."""
    running.begin()
    send_lines(running.path, lines)
    return running.end()


def removed_files(running):
    text = (running.spool / "metrics.prom").read_text()
    return [line for line in text.splitlines() if "removed_files_total{" in line]


def test_the_oldest_files_are_removed_and_counted(service):
    running = service("--files-limit", "25k", "--file-size", "10k")
    for part in range(6):
        some = [b"%d" % part + LINE[1:]] * 110
        send_lines(running.path, some)
        assert until(lambda last=some[-1]: running.lines(".partial")[-1:] == [last])
    code, _, errors = running.end()
    assert code == 0
    assert [line[:1] for line in running.lines()[-110:]] == [b"5"] * 110
    assert sum(log.stat().st_size for log in running.logs()) <= 25 << 10
    last = int(running.logs()[-1].name[9:15])
    removed = last - len(running.logs())
    assert removed >= 3
    assert errors == (b"trace2 collect: output 'files:logs': removed %d old "
                      b"files, as the limit demands\n" % removed)
    assert removed_files(running) == [
        'trace2_collect_output_removed_files_total{output="files:logs"} %d' % removed]


def test_files_of_earlier_runs_are_removed(service):
    running = service("--files-limit", "250")
    running.end()
    for _ in range(3):
        write_file(running, [LINE])
    assert names(running) == ["-000002.log", "-000003.log"]


def test_compressed_files_are_removed(service):
    running = service("--files-limit", "60", "--compress")
    running.end()
    for _ in range(4):
        write_file(running, [LINE])
    assert len(names(running)) < 4
    assert names(running)[-1] == "-000004.log.gz"


def test_the_newest_file_stays_beyond_the_limit(service):
    running = service("--files-limit", "1")
    send_lines(running.path, [LINE])
    assert running.end() == (0, b"", b"")
    assert running.lines() == [LINE]


def make_old(path, hours):
    os.utime(path, (time.time() - hours * 3600,) * 2)


def test_files_beyond_their_age_are_removed_while_nothing_comes(service):
    running = service("--files-age", "2h")
    running.end()
    for _ in range(4):
        write_file(running, [LINE])
    for log, hours in zip(running.logs(), (5, 3, 1, 0), strict=True):
        make_old(log, hours)
    running.begin()
    assert until(lambda: len(running.logs()) == 2)
    _, _, errors = running.end()
    assert names(running) == ["-000003.log", "-000004.log"]
    assert b"removed 2 old files" in errors
    assert removed_files(running)[0].endswith(" 2")


def test_a_file_of_the_future_stays_and_keeps_no_old_one(service):
    """It was written while the clock was ahead."""
    running = service("--files-age", "2h")
    running.end()
    for _ in range(4):
        write_file(running, [LINE])
    for log, hours in zip(running.logs(), (-9000, 3, 5, 0), strict=True):
        make_old(log, hours)
    running.begin()
    assert until(lambda: len(running.logs()) == 2)
    running.end()
    assert names(running) == ["-000001.log", "-000004.log"]


def test_the_newest_file_stays_beyond_its_age(service):
    running = service("--files-age", "2h")
    running.end()
    write_file(running, [LINE])
    make_old(running.logs()[0], 9)
    running.begin()
    time.sleep(0.6)  # until it looks
    assert running.end() == (0, b"", b"")
    assert running.lines() == [LINE]


def test_events_beyond_their_age_leave_the_spool(service):
    """Also where too few come to fill another part of it."""
    nobody = "af_unix:stream:nobody"
    running = service("-o", nobody, "--spool-age", "2h")
    line = b"z" * 99999 + b"\n"
    send_lines(running.path, [line] * 60)
    assert until(lambda: len(running.lines(".partial")) == 60)
    first, last = sorted(path for path in running.spool.iterdir()
                         if re.fullmatch("[0-9a-f]{16}-[0-9a-f]{16}", path.name))
    make_old(first, 1)
    send_lines(running.path, [LINE])
    assert until(lambda: len(running.lines(".partial")) == 61)
    assert first.exists()
    make_old(first, 3)
    send_lines(running.path, [LINE])
    assert until(lambda: not first.exists())
    assert last.exists()
    code, _, errors = running.end()
    assert code == 1
    missed = int(re.search(rb"nobody': missed (\d+) events in all\n", errors)[1])
    text = (running.spool / "metrics.prom").read_text()
    assert f'missed_total{{output="{nobody}"}} {missed}\n' in text
    assert 30 < missed < 60 and len(running.lines()) == 62


def test_files_of_other_names_are_never_removed(service):
    """The count is of all that are named as the service names them."""
    running = service("--files-limit", "150")
    running.end()
    write_file(running, [LINE])
    mine = running.logs()[0]
    others = [mine.with_name(mine.name + end) for end in ("~", ".bz2", ".partial")]
    for other in others:
        other.write_bytes(b"his\n" * 100)
    for _ in range(3):
        write_file(running, [LINE])
    assert names(running)[-1] == "-000004.log"
    assert all(other.exists() for other in others)
    assert not mine.exists()


def test_without_a_limit_nothing_is_removed(service):
    running = service()
    running.end()
    for _ in range(3):
        assert write_file(running, [LINE]) == (0, b"", b"")
    assert names(running) == ["-00000%d.log" % i for i in (1, 2, 3)]
