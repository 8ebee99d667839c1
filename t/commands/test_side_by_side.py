"""Logs of NORMAL and PERF are read as they are read alone, if they stand in
one log side by side, or many times one after the other."""

import collections
import csv
import gzip
import io
import re
import subprocess

import pytest

# What depends on a log's place and time.
PLACES = ("sid", "session", "parent", "time")
CLOCK = re.compile(rb"(\d\d):(\d\d):(\d\d)\.(\d{6}) ")
DAY = 86400 * 10**6


def events_of(path):
    """[time in microseconds, the rest of the event's lines]"""
    text = path.read_bytes()
    found = []
    for line in (gzip.decompress(text) if path.suffix == ".gz"
                 else text).splitlines(True):  # fmt: skip
        clock = CLOCK.match(line)
        if clock:
            hour, minute, second, rest = map(int, clock.groups())
            found.append([((hour * 60 + minute) * 60 + second) * 10**6 + rest,
                          line[clock.end():]])  # fmt: skip
        else:
            found[-1][1] += line
    return found


def text_of(events):
    lines = []
    for time, rest in events:
        second, micro = divmod(time % DAY, 10**6)
        lines.append(b"%02d:%02d:%02d.%06d %b" % (
            second // 3600, second // 60 % 60, second % 60, micro, rest))
    return b"".join(lines)


@pytest.fixture
def rows(trace2, scratch):
    """rows(events): how often each row is in the tables of this log."""

    def read(events):
        (scratch / "log").write_bytes(text_of(events))
        count = collections.Counter()
        for kind in ("processes", "children"):
            table = subprocess.run(
                [trace2, "table", "--rows", kind, "--format", "csv", "log"],
                cwd=scratch, stdout=subprocess.PIPE, check=True).stdout
            for row in csv.DictReader(io.StringIO(table.decode())):
                count[kind, *((key, cell) for key, cell in row.items()
                              if key not in PLACES)] += 1
        return count

    return read


@pytest.mark.parametrize("name, count", [
    ("adds-at-once-as-normal/log.normal.gz", 6),
    ("adds-at-once-as-perf/log.perf.gz", 4),
    ("busy-machine-as-normal/log.normal", 17),
    ("clone-of-four-submodules-as-normal/log.normal.gz", 3),
    ("commands-by-a-clock-of-15-ms-as-normal/log.normal.gz", 8),
    ("fetch-all-with-jobs-as-normal/log.normal", 7),
    ("job-of-each-day-as-perf/log.perf.gz", 22),
    ("push-of-three-refs-whose-server-has-hooks-as-normal/log.normal.gz", 9),
])
def test_a_log_that_comes_again_is_read_again(name, count, root, rows):
    """Also where lines were passed on, and others are still held."""
    events = events_of(root / "t/stories" / name)
    many = [(time + number * 3 * 10**8, rest)
            for number in range(count) for time, rest in events]
    expected = {row: count * times for row, times in rows(events).items()}
    assert rows(many) == expected and expected


# Two stories, and how many microseconds the second begins after the first.
PAIRS = [
    ("alias-chain-as-normal/log.normal",
     "aliases-that-run-two-at-once-as-normal/log.normal.gz", 9226),
    ("aliases-that-run-two-at-once-as-normal/log.normal.gz",
     "words-of-events-in-a-normal-log/log.normal", 29353),
    ("difftool-as-normal/log.normal.gz",
     "alias-chain-as-normal/log.normal", 70725),
    ("statuses-in-two-bursts-as-normal/log.normal.gz",
     "busy-machine-as-normal/log.normal", 6362485),
]


@pytest.mark.parametrize("one, two, after", PAIRS)
def test_two_logs_side_by_side_are_two(one, two, after, root, rows):
    one, two = (events_of(root / "t/stories" / name) for name in (one, two))
    shift = one[0][0] + after - two[0][0]
    both = sorted([*one, *((time + shift, rest) for time, rest in two)],
                  key=lambda event: event[0])
    assert rows(both) == rows(one) + rows(two)
