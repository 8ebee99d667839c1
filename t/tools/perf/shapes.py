#!/usr/bin/python3
"""Logs whose shape costs `validate` most: lines of nothing but defects, names
that never end, whatever is looked up or counted.

Four times the input takes at most five times the CPU time, whatever the format.
Alone: t/tools/perf/shapes.py TRACE2
"""

import gzip
import os
import re
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SID = "20260121T054203.433943Z-H%08x-P00006258"
FOUR_TIMES = 5.0
OPTIONS = (
    ("--format", "full", "--statistics"),
    ("--format", "sarif"),
    ("--format", "github", "--for", "all"),
    ("--format", "jsonl"),
    ("--max-findings", "2"),
)


def event(name, rest="", sid=SID % 1, thread="main"):
    return (f'{{"event":"{name}","sid":"{sid}","thread":"{thread}","time":'
            f'"2026-01-21T05:42:03.433943Z","file":"a.c","line":1{rest}}}\n')


VERSION = event("version", ',"evt":"4","exe":"2.55.0"')
START = event("start", ',"t_abs":0.1,"argv":["git","x"]')
HEAD = VERSION + START
DATA = ',"t_abs":1.0,"t_rel":1.0,"nesting":1,"category":"a","key":"b"'


def many(make, count, head=HEAD):
    return head + "".join(make(i) for i in range(count))


def started(name, rest):
    """Events of one process, each with a number of its own."""
    return lambda count: many(lambda i: event(name, rest % i), count)


def value(text, count=1):
    return HEAD + event("data_json", f'{DATA},"value":{text}') * count


def perf(name, thread="main", payload="x", depth=0):
    return (f"12:00:00.000000 {'a.c:1':<28} | d{depth} | {thread:<24} | "
            f"{name:<12} |     | {'':>9} | {'':>9} | {'':<12} | {payload}\n")


def normal(payload):
    return f"12:00:00.000000 {'a.c:1':<33} {payload}\n"


def packed(text):
    return gzip.compress(text.encode(), 1)


# The name of each, what makes it, and how often.
SHAPES = {
    "blank lines": (lambda n: VERSION + "\n" * n, 200_000),
    "lines with CR LF": (lambda n: HEAD + "\r\n" * n, 200_000),
    "lines of a NUL byte": (lambda n: HEAD + "{\0}\n" * n, 50_000),
    "unknown keys of a line": (
        lambda n: HEAD + START[:-2]
        + "".join(f',"\\u00e9{i}":1' for i in range(n)) + "}\n", 20_000),
    "unknown keys of many lines": (started("error", ',"k%d":1'), 20_000),
    "unknown events": (
        lambda n: many(lambda i: event(f"e{i}"), n), 20_000),
    "broken values": (
        lambda n: HEAD + event("error", ',"msg":1,"fmt":2') * n, 20_000),
    "events of a line": (lambda n: HEAD + (START[:-1] * 1000 + "\n") * n, 10),
    "events of a known writer": (
        lambda n: HEAD + START[:-1].replace(SID % 1, "repo-1").replace(
            '"argv"', '"args"') * n + "\n", 2_000),
    "beginnings of events": (
        lambda n: HEAD + '{"event":"a","sid":"b","c":' * n + "\n", 100_000),
    "torn events": (lambda n: HEAD + START[:60] * n + "\n", 50_000),
    "arrays in arrays": (
        lambda n: value("[" * 900 + "]" * 900, n), 500),
    "arrays too deep": (lambda n: value("[" * n + "]" * n), 500_000),
    "objects in objects": (
        lambda n: value('{"a":' * 400 + "1" + "}" * 400, n), 500),
    "objects of an array": (
        lambda n: value("[" + '{"a":1},' * n + "1]"), 100_000),
    "halves of characters": (lambda n: value('"%s"' % ("\\ud800" * n)),
                             200_000),
    "numbers out of range": (lambda n: value(f"[{'1e999,' * n}1]"), 200_000),
    "a long number": (lambda n: value("1" * n), 1_000_000),
    "a long text": (lambda n: value('"' + "x" * n + '"'), 4_000_000),
    "arguments": (lambda n: VERSION + event(
        "start", f',"t_abs":0.1,"argv":[{"1," * n}1]'), 500_000),
    "sessions": (lambda n: many(
        lambda i: event("version", ',"evt":"4","exe":"1"', SID % i), n), 20_000),
    "writers": (lambda n: many(
        lambda i: event("version", f',"evt":"4","exe":"{i}"', SID % i), n),
        20_000),
    "ancestors": (lambda n: many(
        lambda i: event("version", ',"evt":"4"', SID % i + "/x" * 1000), n),
        1_000),
    "threads": (lambda n: many(
        lambda i: event("thread_start", ',"t_abs":1.0', thread=f"th{i:02}:x"),
        n), 20_000),
    "regions": (started(
        "region_enter", ',"nesting":%d,"category":"a","label":"b"'), 20_000),
    "children": (started(
        "child_start", ',"child_id":%d,"child_class":"?","use_shell":false,'
        '"argv":["x"]'), 20_000),
    "repositories": (started("def_repo", ',"repo":%d,"worktree":"x"'),
                     20_000),
    "timers": (started(
        "th_timer", ',"category":"a","name":"%d","intervals":1,"t_total":1.0,'
        '"t_min":1.0,"t_max":1.0'), 20_000),
    "PERF threads": (lambda n: many(
        lambda i: perf("error", f"th{i:02}:x"), n, perf("version")), 20_000),
    "PERF depths": (lambda n: many(
        lambda i: perf("version", depth=i), n, "") + perf("exit") * n, 10_000),
    "PERF lines of one event": (
        lambda n: perf("version") + perf("error") + "x | | | | | | |\n" * n,
        50_000),
    "NORMAL lines of one event": (
        lambda n: normal("version 2") + normal("start 'a") + "y\n" * n,
        100_000),
    "NORMAL words": (
        lambda n: normal("version 2") + normal("start " + "'a' " * n), 100_000),
    "gzip members": (
        lambda n: packed(HEAD) + packed(event("error")) * n, 10_000),
    "gzip members of nothing": (
        lambda n: packed(HEAD) + packed("") * n, 50_000),
}  # fmt: skip


def run(command):
    """CPU seconds, seconds, and megabytes at the most, of a silent run."""
    nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
               (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    words = [str(word) for word in command]
    start = time.perf_counter()
    pid = os.posix_spawnp(words[0], words, os.environ, file_actions=nowhere)
    _, status, used = os.wait4(pid, 0)
    took = time.perf_counter() - start
    assert os.waitstatus_to_exitcode(status) in (0, 1, 3)
    return used.ru_utime + used.ru_stime, took, used.ru_maxrss / 1024


def grown(trace2, folder, shape):
    """How much longer four times the shape takes, the worst of all options;
    the seconds of that, and the options."""
    make, count = shape
    logs = []
    for times in (1, 4):
        text = make(count * times)
        logs.append(folder / f"{times}")
        logs[-1].write_bytes(text if isinstance(text, bytes)
                             else text.encode())
    worst = (0.0, 0.0, ())
    for options in OPTIONS:
        few, much = (min(run([trace2, "validate", *options, log])[0]
                         for _ in range(3)) for log in logs)
        worst = max(worst, (much / max(few, 0.01), much, options))
    return worst


def measure(trace2, row):
    """Give a row of the table for each shape."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for shape, made in SHAPES.items():
            times, seconds, options = grown(trace2, folder, made)
            row(f"validate, 4 x the {shape}", times, "x", f"<= {FOUR_TIMES:g}",
                times <= FOUR_TIMES, f"{seconds:.2f} s, {' '.join(options)}")


def print_row(name, value_, unit, target, met, note=""):
    print(f"{name:<46} {value_:>8.2f} {unit:<2} {target:<7} "
          f"{'' if met else 'NOT MET':<8} {note}", flush=True)


if __name__ == "__main__":
    measure(sys.argv[1], print_row)
