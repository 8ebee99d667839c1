"""`trace2 validate` on logs that want to take its time and its memory."""

import gzip
import json
import subprocess
import sys

import pytest
from validate_kit import ATEXIT, EXIT, SID, START, VERSION, event, log

pytestmark = pytest.mark.plain("a sanitizer takes time and memory of its own")

MEGABYTES = 200


# What wait4() tells is also the memory of who started a process, so a small
# program starts it.
MEASURE = """
import os, sys
pid = os.fork()
if not pid:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime,
      used.ru_maxrss / 1024)
"""


def usage(command):
    """The exit code, the CPU seconds, and the megabytes at the most."""
    words = [sys.executable, "-S", "-c", MEASURE, *map(str, command)]
    said = subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout
    code, seconds, most = said.split()
    return int(code), float(seconds), float(most)


@pytest.mark.long("6,000,000 findings")
def test_findings_that_are_not_shown_take_no_memory(trace2, scratch):
    path = scratch / "log.gz"
    path.write_bytes(gzip.compress(log(VERSION) + b"\n" * 6_000_000))
    code, _, most = usage([trace2, "validate", "--max-findings", "2", path])
    assert code == 1 and most < MEGABYTES


@pytest.mark.parametrize("form", [
    pytest.param("sarif", marks=pytest.mark.long("a report of 40,000 keys")),
    "json", "full", "github"])
def test_many_unknown_keys_in_one_line_take_little_time(form, trace2, scratch):
    keys = b"".join(b',"key%d":1' % number for number in range(40_000))
    path = scratch / "log"
    path.write_bytes(log(VERSION, START[:-1] + keys + b"}"))
    code, seconds, _ = usage([trace2, "validate", "--format", form, path])
    assert code == 0 and seconds < 5


def test_many_events_in_one_line_take_little_time(trace2, scratch):
    path = scratch / "log"
    path.write_bytes(log(VERSION, START * 10_000))
    code, seconds, _ = usage([trace2, "validate", "--format", "sarif", path])
    assert code == 1 and seconds < 5


@pytest.mark.long("reads 40,000 events")
def test_many_events_of_a_known_writer_take_little_time(trace2, scratch):
    """Whether it is a deviation is asked of the event, not of the line."""
    start = START.replace(SID.encode(), b"repo-20260114T093042Z-P1f40")
    start = start.replace(b'"argv":', b'"args":').replace(b"t_abs", b"t_abc")
    path = scratch / "log"
    path.write_bytes(log(VERSION, start * 40_000))
    code, seconds, _ = usage([trace2, "validate", path])
    assert code == 1 and seconds < 5


@pytest.mark.long("reads 100,000 threads")
def test_many_threads_of_perf_take_little_time(trace2, scratch):
    def line(depth, event, thread):
        return (f"12:00:00.000000 {'a.c:1':<28} | d{depth} | {thread:<24} | "
                f"{event:<12} |     | {'':>9} | {'':>9} | {'':<12} | x")

    rows = [line(0, "version", "main")]
    rows += [line(0, "error", f"th{n:02}:x") for n in range(1, 100_000)]
    rows += [line(n, "version", "main") for n in range(1, 100_000)]
    rows += [line(0, "exit", "main") for n in range(100_000)]
    path = scratch / "log"
    path.write_text("\n".join(rows) + "\n")
    code, seconds, _ = usage([trace2, "validate", path])
    assert code == 1 and seconds < 5


@pytest.mark.parametrize("most", [0, 1, 2, 1000, 5000])
def test_the_first_findings_are_shown_and_all_counted(most, validate, scratch):
    """In reverse, and of a name that is said once a file."""
    logs = []
    for number in range(9):
        other = event("start", t_abs=0.1, argv=["x"], **{"key": 1})
        lines = [VERSION, *[other] * 9, *[b""] * 900, EXIT, ATEXIT]
        logs.append(scratch / f"log{9 - number}")
        logs[-1].write_bytes(log(*lines))
    whole = validate(*logs).stdout.splitlines()
    first = validate("--max-findings", str(most), *logs)
    shown = first.stdout.splitlines()
    total = len(whole) - 1
    kept = min(most, total)
    assert total > 8000
    assert shown[:kept] == whole[:kept] and shown[-1] == whole[-1]
    assert shown[kept] == (
        f"and {total - kept:,} more findings (--max-findings)".encode()
    )


@pytest.mark.parametrize("text", [
    b"09:30:43.000000 git.c:1                           start git\n",
    b"d0 | main                     | error        |     |           |"
    b"           |              | x\n"])
def test_a_richer_format_may_begin_behind_the_first_bytes(text, trace2, scratch):
    path = scratch / "log"
    path.write_bytes(text * (80_000 // len(text)) + log(VERSION, START))
    said = subprocess.run([trace2, "validate", "--format", "jsonl", path],
                          stdout=subprocess.PIPE).stdout
    summary = json.loads(said.splitlines()[-1])["summary"]
    assert summary["event_types"] == {"version": 1, "start": 1}
