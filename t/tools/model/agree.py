#!/usr/bin/python3
"""Whether the views of logs at random agree: agree.py TRACE2 LOGS prints each
span of so many processes of which they tell different things."""

import pathlib
import random
import sys
import tempfile

from random_logs import draw_log
from read_views import VIEWS, read_owners

AT_ONCE = 500
CHILDREN = ("exec", "k", "pager")


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
    return missing <= ({"table"} if name[0] in ("process", *CHILDREN)
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


def find_strangers(processes, trace2, log):
    """Processes that are not in the child in which they ran."""
    owners = read_owners(str(trace2), str(log))
    for one in processes:
        name = f"c{one.number}"
        if one.inside and owners.get(name) != one.inside:
            yield "inside", name, one.inside, owners.get(name)


def find_disorder(seed, count, trace2, place):
    """What is told differently of the same processes in another order."""
    processes = draw_log(seed, count)
    log = place / "ordered.event"
    told = []
    for shuffle in (lambda _: None, random.Random(seed).shuffle):
        shuffle(processes)
        log.write_text("".join(line + "\n" for one in processes
                               for line in one.lines))
        told.append({(view, *name): span for view, read in VIEWS.items()
                     for name, span in read(str(trace2), str(log)).items()})
    for name in sorted(told[0].keys() | told[1].keys()):
        if told[0].get(name) != told[1].get(name):
            yield "order", name, told[0].get(name), told[1].get(name)


def find_differences(seed, count, trace2, place):
    """What the views of a log at random say differently, or other than it."""
    log = write_log(seed, count, place)
    for stranger in find_strangers(draw_log(seed, count), trace2, log):
        yield seed, *stranger
    # By another clock a child may end after a t_abs that comes later.
    known = {f"c{one.number}": one.length for one in draw_log(seed, count)
             if one.clock == "fine"}
    told = {name: read(str(trace2), str(log)) for name, read in VIEWS.items()}
    for one in find_disorder(seed, count, trace2, place):
        yield seed, *one
    for name in sorted({*told["summary"], *told["otlp"], *told["report"]}):
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
