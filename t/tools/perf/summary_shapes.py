#!/usr/bin/python3
"""Logs whose shape costs `summary` most, and all that account as it does: what
is open at once, and processes that are looked for among many.

Four times the input takes at most five times the time:

	t/tools/perf/summary_shapes.py TRACE2 [SCALE]
"""

import sys
from functools import partial
from pathlib import Path

from convert_shapes import (
    SHAPES as CONVERTED, SID, compare_shapes, cost, event, name_shapes,
)  # fmt: skip

ONE = SID % 1
LOG = "the log"
COMMANDS = (
    ("summary", "--percentiles", "--by", "command", LOG),
    ("summary", "--format", "state", LOG),
    ("diff", "--top", "0", LOG, LOG),
    ("convert", "--to", "folded", LOG, "/dev/null"),
)  # fmt: skip


def timed(name, sid, at, members):
    """At a microsecond of the day, not only of a second."""
    clock = "{:02}:{:02}:{:02}.{:06}".format(
        at // 3600_000000, at // 60_000000 % 60, at // 1_000000 % 60,
        at % 1_000000)
    return event(name, sid, 0, members).replace("09:30:42.000000", clock, 1)


def life(sid, begin, end):
    yield timed("start", sid, begin, ',"t_abs":0.0,"argv":["git","x"]')
    yield timed("atexit", sid, end,
                f',"t_abs":{(end - begin) / 1e6:.6f},"code":0')


def child(sid, number, begin, end, pid):
    yield timed("child_start", sid, begin,
                f',"child_id":{number},"child_class":"?","use_shell":true,'
                '"argv":["sh"]')
    yield timed("child_exit", sid, end,
                f',"child_id":{number},"pid":{pid},"code":0,'
                f'"t_rel":{(end - begin) / 1e6:.6f}')


def region(name, label, at):
    return timed(f"region_{name}", ONE, at,
                 f',"nesting":1,"category":"c","label":"{label}"')


def regions_below_children(count):
    """Regions that are left innermost first, while children are open."""
    for i in range(count):
        yield region("enter", f"l{i}", i)
    for i in range(count):
        yield next(child(ONE, i, count + i, 0, 1))
    for i in reversed(range(count)):
        yield region("leave", f"l{i}", 3 * count - i)


def regions_not_entered(count):
    for i in range(count):
        yield next(child(ONE, i, i, 0, 1))
    for i in range(count):
        yield region("leave", "l", count + i)


def share(count):
    """A script whose time many commands share."""
    yield from life(ONE, 0, 0)
    yield from child(ONE, 0, 0, 10 * count, 7)
    for i in range(count):
        yield from life(f"{ONE}/{SID % (i + 9)}", 10 * i, 10 * i + 3)


def same_pid(count):
    """Children of one process, all with the pid 7."""
    for i in range(count):
        yield from life(f"{ONE}/20260114T093042.{i:06}Z-H00000000-P00000007",
                        100 * i, 100 * i + 10)


def same_pid_calls(count):
    for i in range(count):
        yield from child(ONE, i, 100 * i, 100 * i + 20, 7)


def same_pid_late(count):
    """The calls come first."""
    yield from same_pid_calls(count)
    yield from same_pid(count)


def same_pid_early(count):
    yield from same_pid(count)
    yield from same_pid_calls(count)


def children_after_two_at_once(count):
    """A critical path with as many gaps as children."""
    start, end = life(ONE, 0, 20 * count)
    one, other = ([*child(ONE, i, i, 9 * count, 7 + i)] for i in range(2))
    yield from (start, one[0], other[0], one[1], other[1])
    for i in range(count):
        at = 10 * (count + i)
        yield from child(ONE, 2 + i, at, at + 3, 9)
    yield end


# Each with a count that takes a moment.
SHAPES = {
    **CONVERTED, regions_below_children: 100_000, regions_not_entered: 100_000,
    share: 100_000, same_pid_late: 100_000, same_pid_early: 100_000,
    children_after_two_at_once: 100_000,
}  # fmt: skip


def measure(trace2, place, shape, count, runs=3):
    """CPU seconds and megabytes, the worst of all commands."""
    path = Path(place) / "shape"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(shape(count))
    return max(
        min(cost(trace2, *(path if word is LOG else word for word in words))
            for _ in range(runs))
        for words in COMMANDS)


def main(trace2, scale="1"):
    print("\ntrace2 summary, diff and folded of four times the input, beside one time:")
    return compare_shapes(name_shapes(SHAPES), partial(measure, trace2),
                          int(scale))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
