#!/usr/bin/python3
"""What a million of something keeps in memory, and how much it may be:

	t/tools/perf/memory_shapes.py TRACE2 [COUNT]
"""

import multiprocessing
import random
import sys
import tempfile
from pathlib import Path

from convert_shapes import SID, cost
from summary_shapes import ONE, child, life, region

LOG = "the log"
OUT = "/dev/null"


def regions(count):
    """Of one process, one after the other."""
    yield from life(ONE, 0, 0)
    for i in range(count):
        yield region("enter", "l", 2 * i)
        yield region("leave", "l", 2 * i + 1)


def processes(count):
    """Each with a child that has no log, in files of any order."""
    order = list(range(count))
    random.Random(1).shuffle(order)
    for i in order:
        sid = SID.replace("093042", f"{i // 100_000:06}") % (i % 100_000)
        start, end = life(sid, 100 * i, 100 * i + 50)
        yield start
        yield from child(sid, 0, 100 * i + 10, 100 * i + 20, 7)
        yield end


# The command, and megabytes at the most.
ROWS = (
    (regions, ("summary", LOG), 20),
    (regions, ("table", "-o", OUT, LOG), 20),
    (regions, ("convert", "--to", "fxt", LOG, OUT), 20),
    (regions, ("convert", "--to", "otlp", LOG, OUT), 100),
    (processes, ("summary", LOG), 300),
)  # fmt: skip


def write(shape, count, path):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(shape(count))


def main(trace2, count="1000000"):
    print(f"\nmemory for {int(count):,}:")
    much = False
    with tempfile.TemporaryDirectory() as place:
        paths = {shape: Path(place) / shape.__name__
                 for shape in (regions, processes)}
        for shape, path in paths.items():
            # Another process: a command's peak begins with that of its parent.
            writer = multiprocessing.Process(target=write,
                                             args=(shape, int(count), path))
            writer.start()
            writer.join()
        for shape, words, most in ROWS:
            _, megabytes = cost(trace2, *(paths[shape] if word is LOG else word
                                          for word in words))
            much |= megabytes > most
            name = " ".join(word for word in words if word not in (LOG, OUT))
            print(f"{shape.__name__:10} {name:18} {megabytes:5.0f} MB, at most "
                  f"{most}", "" if megabytes <= most else " NOT MET", flush=True)
    return much


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
