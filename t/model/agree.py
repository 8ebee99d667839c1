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


def find_differences(seed, count, trace2, place):
    """What the views of a log at random say differently."""
    log = write_log(seed, count, place)
    told = {name: read(str(trace2), str(log)) for name, read in VIEWS.items()}
    for name in {*told["table"], *told["summary"], *told["otlp"]}:
        spans = {view: told[view].get(name, (None, None)) for view in told}
        lengths = [spans[view][1] for view in ("table", "summary", "otlp")]
        if lengths[0] is None or len(set(lengths)) > 1:
            yield seed, name, spans
        # A leave without its enter is no slice. Slices nest, so one is longer
        # where an inner one ends later.
        elif name in told["chrome"] and (
                spans["chrome"][0] != spans["otlp"][0]
                or spans["chrome"][1] < spans["otlp"][1]):
            yield seed, name, spans


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
