#!/usr/bin/python3
"""Logs whose shape costs `convert` most: many threads, children or processes
that are open at once, or a whole forest of children.

Four times the input takes at most five times the time:

	t/tools/perf/convert_shapes.py TRACE2 [SCALE]
"""

import os
import resource
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

SID = "20260114T093042.112358Z-Hc4f2e1a9-P%08x"
FOUR_TIMES = 5.0  # at most, for four times the input


def event(name, sid, at, members):
    return (f'{{"event":"{name}","sid":"{sid}","thread":"main","time":'
            f'"2026-01-14T09:30:42.{at % 1000000:06}Z","file":"x","line":1'
            f'{members}}}\n')


def threads(count):
    """Of one process, all of them open, each with an event in turn."""
    sid = SID % 1
    for name in ("thread_start", "region_enter", "thread_exit"):
        for i in range(count):
            yield event(name, sid, i, "").replace(
                '"main"', f'"th{i:06}:x"', 1)


def children(count):
    """Of one process, all of them started before the first one exits."""
    sid = SID % 1
    for i in range(count):
        yield event("child_start", sid, i,
                    f',"child_id":{i},"child_class":"?","use_shell":false,'
                    '"argv":["git"]')
    for i in range(count):
        yield event("child_exit", sid, i,
                    f',"child_id":{i},"pid":1,"code":0,"t_rel":0.1')


def same_children(count):
    """All of them have the same id."""
    for line in children(count):
        head, _, tail = line.partition('"child_id":')
        yield head + '"child_id":7,' + tail.partition(",")[2]


def execs(count):
    """Of one process, each of which is a child with a log of its own."""
    sid = SID % 1
    for i in range(count):
        yield event("exec", sid, i, f',"exec_id":{i},"exe":"x","argv":["x"]')
        yield event("start", f"{sid}/{SID % (i + 2)}", i,
                    ',"t_abs":0.1,"argv":["y"]')
        yield event("atexit", f"{sid}/{SID % (i + 2)}", i,
                    ',"t_abs":0.1,"code":0')


def late_calls(count):
    """Children whose log comes first, then all calls, at a later time."""
    sid = SID % 1
    for i in range(count):
        yield event("child_start", sid, count + i,
                    f',"child_id":{i},"child_class":"?","use_shell":false,'
                    '"argv":["git"]')
    for i in range(count):
        yield event("start", f"{sid}/{SID % (i + 2)}", 1,
                    ',"t_abs":0.1,"argv":["y"]')
        yield event("atexit", f"{sid}/{SID % (i + 2)}", 2,
                    ',"t_abs":0.1,"code":0')


def orphans(count):
    """Children of one parent that has no log."""
    for i in range(count):
        sid = f"{SID % 1}/{SID % (i + 2)}"
        yield event("start", sid, i, ',"t_abs":0.1,"argv":["y"]')
        yield event("atexit", sid, i, ',"t_abs":0.1,"code":0')


def sessions(count):
    """Processes that never end."""
    for i in range(count):
        yield event("start", SID % i, i, ',"t_abs":0.1,"argv":["y"]')


# Each with a count that takes a moment.
SHAPES = {
    threads: 100_000, children: 100_000, same_children: 100_000,
    execs: 100_000, late_calls: 100_000, orphans: 100_000, sessions: 400_000,
}  # fmt: skip


def cost(trace2, *words):
    """(seconds of the CPU, megabytes at the most) of a conversion."""
    with subprocess.Popen([trace2, *words], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:  # fmt: skip
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(trace2, place, shape, count, runs=3):
    """What it costs at the least."""
    path = Path(place) / "shape"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(shape(count))
    return min(cost(trace2, "convert", "--to", "fxt", path, "/dev/null")
               for _ in range(runs))


def name_shapes(shapes):
    """(name, function, count) of each."""
    return [(shape.__name__.replace("_", " "), shape, count)
            for shape, count in shapes.items()]


def compare_shapes(shapes, measure_shape, scale):
    """Print what four times the input costs. Does one cost too much?"""
    slow = False
    with tempfile.TemporaryDirectory() as place:
        for name, shape, count in shapes:
            few = measure_shape(place, shape, count // 4 * scale)
            many = measure_shape(place, shape, count * scale)
            times = many[0] / max(few[0], 0.01)
            slow |= times > FOUR_TIMES
            print(f"{name:30} {times:6.2f} times, {many[0]:7.2f} s, "
                  f"{many[1]:6.0f} MB",
                  "" if times <= FOUR_TIMES else " NOT MET", flush=True)
    return slow


def main(trace2, scale="1"):
    print("\ntrace2 convert of four times the input, beside one time:")
    return compare_shapes(name_shapes(SHAPES), partial(measure, trace2),
                          int(scale))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
