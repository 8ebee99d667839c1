#!/usr/bin/python3
"""NORMAL logs whose shape costs `summary` most: many processes at a time, ends
and starts without a process, long command lines, clocks of two machines.

Four times the input takes at most five times the time:

	t/tools/perf/normal_shapes.py TRACE2 [SCALE]
"""

import sys
from functools import partial
from pathlib import Path

from convert_shapes import compare_shapes, cost

DAY = 10 * 3600_000000
SOURCE = "git.c:440".ljust(34)


def line(at, payload):
    seconds, micro = divmod(DAY + at, 1_000000)
    return (at, f"{seconds // 3600:02}:{seconds // 60 % 60:02}:"
                f"{seconds % 60:02}.{micro:06} {SOURCE}{payload}\n")


def ends(at, since):
    for name, late in (("exit", 0), ("atexit", 20)):
        took = (at + late - since) / 1e6
        yield line(at + late, f"{name} elapsed:{took:.6f} code:0")


def life(at, words, name, wall):
    yield line(at, "version 2.39.5")
    yield line(at + 20, f"start git {words}")
    yield line(at + 60, f"cmd_name {name} ({name})")
    yield line(at + 80, "def_param a.b=c")
    if wall:
        yield from ends(at + wall, at - 300)


def at_a_time(many, words, names=1, wall=8000):
    def shape(count):
        for i in range(count):
            yield from life(i * wall // many, words(i), f"n{i % names}",
                            wall + i * 7919 % 3000 if wall > 1 else 0)
    return shape


def parents(count):
    """Eight at a time, each with three children."""
    for i in range(count):
        at, name = i * 3000, f"n{i % 13}"
        yield from life(at, f"{name} origin", name, 0)
        for child in range(3):
            words = f"rev-list {3 * i + child}"
            begin = at + 500 + child * 7000
            yield line(begin, f"child_start[{child}] git {words}")
            yield from life(begin + 900, words, f"{name}/rev-list", 5000)
            yield line(begin + 6400, f"child_exit[{child}] pid:{i} code:0 "
                                     "elapsed:0.006400")
        yield from ends(at + 22000, at - 300)


def two_clocks(count):
    """Two machines, line by line."""
    for i in range(count):
        yield line(i * 100, "version 2.39.5")
        at = i * 100 + 3600_000000
        yield (i * 100, line(at, "start git status")[1])


def bursts(count):
    """Versions by the thousand, and then their starts."""
    for i in range(count):
        at = i // 20000 * 4000_000 + i % 20000 * 50
        yield line(at, "version 2.39.5")
        yield line(at + 2000_000, f"start git status {i}")


def each(payload):
    def shape(count):
        yield line(0, "version 2.39.5")
        for i in range(count):
            yield line(100 + i * 50, payload(i))
    return shape


SHAPES = {
    "16 at a time": (at_a_time(16, lambda i: f"status {i}"), 40_000),
    "16 at a time, 50 names": (at_a_time(16, "n{}".format, 50), 40_000),
    "twins, 300 at a time": (at_a_time(300, lambda i: "status"), 40_000),
    "1 KB of words, 500 at a time":
        (at_a_time(500, lambda i: "add " + "a/b " * 250 + str(i)), 20_000),
    "no ends": (at_a_time(1, "status {}".format, wall=1), 40_000),
    "parents and children": (parents, 8_000),
    "versions alone": (each(lambda i: "version 2.39.5"), 100_000),
    "versions, then starts": (bursts, 80_000),
    "ends of one process":
        (each(lambda i: f"exit elapsed:{i * 50e-6 + 4e-4:.6f} code:0"),
         200_000),
    "children without an end":
        (each(lambda i: f"child_start[{i}] sh -c x"), 200_000),
    "names": (each("cmd_name n{0} (n{0})".format), 200_000),
    "two clocks": (two_clocks, 100_000),
}  # fmt: skip


def measure(trace2, place, shape, count, runs=3):
    path = Path(place) / "shape.normal"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(text for _, text in
                        sorted(shape(count), key=lambda one: one[0]))
    return min(cost(trace2, "summary", path) for _ in range(runs))


def main(trace2, scale="1"):
    print("\ntrace2 summary of four times the NORMAL input, beside one time:")
    return compare_shapes([(name, *shape) for name, shape in SHAPES.items()],
                          partial(measure, trace2), int(scale))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
