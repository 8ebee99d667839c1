#!/usr/bin/python3
"""Whether the views of logs at random agree: agree.py TRACE2 LOGS prints each
region of so many processes of which they tell different things."""

import pathlib
import random
import sys
import tempfile

from random_logs import draw_log
from read_views import VIEWS

AT_ONCE = 500


def mix_lines(processes, draw):
    """Lines of processes that ran side by side."""
    left, lines = [list(one.lines) for one in processes if one.lines], []
    while left:
        one = draw.choice(left[-8:])
        lines.append(one.pop(0))
        if not one:
            left.remove(one)
    return "".join(line + "\n" for line in lines)


def write_log(seed, count, place):
    log = place / f"{seed}.event"
    log.write_text(mix_lines(draw_log(seed, count), random.Random(seed)))
    return log


def is_told(name, spans):
    """Of processes and execs, `table` has roots only. A leave without its
    enter is a slice only as far as there is room."""
    missing = set(VIEWS) - set(spans)
    return missing <= ({"table"} if name[0] in ("process", "exec")
                       else {"chrome"})


def is_same(name, spans):
    """Slices nest, so one is longer where an inner one ends later."""
    lengths = {spans[view][1] for view in spans if view != "chrome"}
    begins = {begin for begin, _ in spans.values()} - {None}
    slice_ = spans.get("chrome", (None, max(lengths)))
    return len(lengths) == 1 and slice_[1] >= max(lengths) and (
        len(begins) == 1 or name[0] == "exec")


def find_wrong(name, told, known):
    """What the views say differently of this span: {view: (begin, length)}."""
    spans = {view: told[view][name] for view in told if name in told[view]}
    if not is_told(name, spans) or not is_same(name, spans):
        return spans
    stated = known.get(name[1]) if name[0] == "process" else None
    return spans if stated not in (None, spans["summary"][1]) else None


def find_differences(seed, count, trace2, place):
    """What the views of a log at random say differently, or other than it."""
    log = write_log(seed, count, place)
    # By another clock a child may end after a t_abs that comes later.
    known = {f"c{one.number}": one.length for one in draw_log(seed, count)
             if one.clock == "fine"}
    told = {name: read(str(trace2), str(log)) for name, read in VIEWS.items()}
    for name in sorted({*told["summary"], *told["otlp"], *told["report"]}):
        if name[0] != "?":  # children have no names of their own
            wrong = find_wrong(name, told, known)
            if wrong is not None:
                yield seed, name, wrong


def main(trace2, count):
    found = []
    with tempfile.TemporaryDirectory() as place:
        for seed in range(-(-int(count) // AT_ONCE)):
            found += find_differences(seed, AT_ONCE, trace2, pathlib.Path(place))
    for one in found:
        print(*one)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
