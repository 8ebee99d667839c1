"""When the spans of a log begin and how long they are: a consumer that knows
times gives those of SPEC.md, "The time of a log".

It is called as `trace2 convert --to otlp FILE -`, which prints spans as the
JSON of OpenTelemetry, and `trace2 convert --to folded FILE -`, which prints
who owns how many microseconds.
"""

import json
import re

from kit.faults import fault
from kit.kit import scenario
from kit.reading import SID, event, log, start, version
from kit.run import Absent

BASE = 1767323045000005  # TIME, in microseconds since 1970
TIMES = re.compile(rb'("(?:start|end)TimeUnixNano":"\d+)(\d{6})000"')


def at(us, name, /, **own):
    """An event that says by `time` when it was."""
    second, rest = divmod(us + 5, 1_000_000)
    return event(name, **{"time": f"2026-01-02T03:04:{second + 5:02}"
                          f".{rest:06}Z", **own})


def enter(us, label, nesting=1, **own):
    return at(us, "region_enter", nesting=nesting, category="c", label=label,
              **own)


def leave(us, label, t_rel, nesting=1):
    return at(us, "region_leave", nesting=nesting, category="c", label=label,
              t_rel=t_rel)


def begin():
    return [version(), start(t_abs=0)]


def end(us, **own):
    return [at(us, name, t_abs=us / 1_000_000, code=0, **own)
            for name in ("exit", "atexit")]


def convert(kit, form, lines):
    return kit.command("trace2", "convert", "--to", form, "log", "-",
                       targets=(), files={"log": log(*lines)})


def read_spans(kit, lines):
    run = convert(kit, "otlp", lines)
    try:
        told = [json.loads(line) for line in run.stdout.splitlines()]
    except ValueError as problem:
        raise Absent(f"no spans: {problem}") from None
    return [span for one in told for resource in one["resourceSpans"]
            for scope in resource["scopeSpans"] for span in scope["spans"]]


def spans(kit, lines):
    """{name: [(begin, length), ...]} in microseconds."""
    found = {}
    for span in read_spans(kit, lines):
        first, last = (int(span[f"{side}TimeUnixNano"]) // 1000
                       for side in ("start", "end"))
        found.setdefault(span["name"], []).append((first - BASE, last - first))
    return {name: sorted(all) for name, all in found.items()}


def shift(run):
    """As one that gives every span another second."""
    run.stdout = TIMES.sub(rb'\g<1>999999000"', run.stdout)
    return run


def moved(name, scenario):
    fault(name, scenario, edit=shift)


def checked(name, title):
    """A scenario of one rule: its function returns the log, and the spans
    that it has to have."""

    def wrap(make):
        @scenario(title, ids=(name,))
        def run(kit):
            lines, wanted = make()
            found = spans(kit, lines)
            kit.equal(name, {key: found.get(key) for key in wanted}, wanted)

        moved(name, title)
        return run

    return wrap


@checked("span.region.innermost", "region is left by another name")
def innermost():
    lines = [*begin(), enter(1_000_000, "setup"),
             enter(1_500_000, "inner", nesting=2),
             leave(1_700_000, "setup", 0.2, nesting=2),
             leave(2_000_000, "prepare", 1.0), *end(10_000_000)]
    return lines, {"region(c,setup)": [(1_000_000, 1_000_000)],
                            "region(c,inner)": [(1_500_000, 200_000)],
                            "region(c,prepare)": None}


@checked("span.length", "clock is set inside a span")
def length():
    lines = [*begin(), enter(1_000_000, "a"),
             leave(9_000_000, "a", 0.5), *end(10_000_000)]
    return lines, {"region(c,a)": [(1_000_000, 500_000)]}


@checked("span.unclosed", "regions are open at the end")
def unclosed():
    thread = {"thread": "th01:a"}
    lines = [*begin(), enter(1_000_000, "open"),
             at(2_000_000, "thread_start", **thread),
             enter(3_000_000, "held", **thread),
             at(4_000_000, "thread_exit", t_rel=2.0, **thread),
             *end(10_000_000)]
    return lines, {"region(c,open)": [(1_000_000, 9_000_000)],
                            "region(c,held)": [(3_000_000, 1_000_000)]}


@checked("span.leave-alone", "region is left that nobody entered")
def leave_alone():
    lines = [*begin(), leave(3_000_000, "cut", 2.0),
             leave(4_000_000, "none", 3.0, nesting=0), *end(10_000_000)]
    return lines, {"region(c,cut)": [(1_000_000, 2_000_000)],
                            "region(c,none)": None}


@checked("span.place.t_abs", "t_abs and time say different places")
def place_by_t_abs():
    lines = [*begin(),
             at(7_000_000, "data", t_abs=2.0, t_rel=2.0, nesting=1,
                category="c", key="k", value="v"),
             enter(7_500_000, "a"), leave(8_500_000, "a", 1.0),
             *end(10_000_000)]
    return lines, {"region(c,a)": [(2_500_000, 1_000_000)]}


@checked("span.place.time", "time is missing or goes back")
def place_by_time():
    lines = [*begin(), enter(2_000_000, "a"),
             leave(2_100_000, "a", 0.1),
             enter(1_000_000, "back"), leave(1_000_500, "back", 0.0005),
             *end(10_000_000)]
    return lines, {"region(c,a)": [(2_000_000, 100_000)],
                            "region(c,back)": [(2_100_000, 500)]}


@checked("span.place.bound", "clock jumps past the end of the process")
def place_bound():
    lines = [*begin(), enter(1_000_000, "a"), leave(1_100_000, "a", 0.1),
             enter(31_000_000, "late"), leave(31_000_500, "late", 0.0005),
             *[at(39_000_000, name, t_abs=2.0, code=0)
               for name in ("exit", "atexit")]]
    return lines, {"region(c,a)": [(1_000_000, 100_000)],
                            "x": [(0, 2_000_000)]}


def ended(*events):
    return [*begin(), *events]


@scenario("process ends in one of four ways", ids=("span.end",))
def ends(kit):
    last = at(3_000_000, "error", msg="x", fmt="x")
    died = at(2_000_000, "signal", t_abs=2.0, signo=15)
    for events, wanted in (
            (end(5_000_000), 5_000_000),
            ([at(4_000_000, "exit", t_abs=4.0, code=0)], 4_000_000),
            ([died], 2_000_000), ([last], 3_000_000)):
        found = spans(kit, ended(*events))
        kit.equal("span.end", found.get("x"), [(0, wanted)])


moved("span.end", "process ends in one of four ways")


@scenario("process fails in one of three ways", ids=("span.end.failed",))
def fails(kit):
    died = at(2_000_000, "signal", t_abs=2.0, signo=15)
    error = at(3_000_000, "error", msg="x", fmt="x")
    for events, wanted in (
            ([died], True), ([error], True), (end(4_000_000), False),
            ([at(4_000_000, "exit", t_abs=4.0, code=1)], True),
            ([error, *end(4_000_000)], False), ([], False)):
        found = [span.get("status", {}).get("code") == 2
                 for span in read_spans(kit, ended(*events))]
        kit.equal("span.end.failed", found, [wanted])


fault("span.end.failed", "process fails in one of three ways",
      stdout=(rb'"status":', b'"state":'))


@checked("span.end.again", "process goes on in the background")
def again():
    return ended(*end(1_000_000), enter(2_000_000, "gc"),
                 leave(5_000_000, "gc", 3.0), *end(6_000_000)), {
        "x": [(0, 6_000_000)], "region(c,gc)": [(2_000_000, 3_000_000)]}


def inner(pid, us, length, name="y"):
    """A process below the other one that began then."""
    sid = f"{SID}/20260102T030406.000005Z-H63cf98d4-P{pid:08x}"
    return [at(us, "version", sid=sid, evt="4", exe="x-1.0"),
            at(us, "start", sid=sid, t_abs=0, argv=[name]),
            *[at(us + length, end, sid=sid, t_abs=length / 1_000_000, code=0)
              for end in ("exit", "atexit")]]


@checked("span.exec", "program takes the place of another one")
def executed():
    lines = [*begin(), at(1_000_000, "exec", exec_id=0, argv=["y"])]
    return lines + inner(1000, 1_000_100, 4_999_900), {
        "x": [(0, 6_000_000)], "y": [(1_000_100, 4_999_900)]}


def call(us, number, argv=("y",)):
    return at(us, "child_start", child_id=number, child_class="?",
              use_shell=False, argv=argv)


def done(us, number, pid, t_rel):
    return at(us, "child_exit", child_id=number, pid=pid, code=0, t_rel=t_rel)


def shares(kit, lines):
    """{path of spans: microseconds that its last one owns}"""
    run = convert(kit, "folded", lines)
    rows = (row.rpartition(" ") for row in run.stdout.decode().splitlines())
    return {path: int(us) for path, _, us in rows}


def owned(name, title):
    """A scenario of one rule: its function returns the logs and who owns
    which share."""

    def wrap(make):
        @scenario(title, ids=(name,))
        def run(kit):
            lines, wanted = make()
            kit.equal(name, shares(kit, lines), wanted)

        fault(name, title, stdout=(rb"\d+$", b"7"))
        return run

    return wrap


@owned("span.parent", "process runs below another one")
def parent():
    """Though the clock of its machine is an hour behind."""
    lines = [*begin(), call(1_000_000, 0), done(3_000_000, 0, 7, 2.0),
             *end(4_000_000)]
    below = [line.replace("T03:04", "T02:04")
             for line in inner(7, 1_500_000, 1_000_000)]
    return lines + below, {
        "x": 2_000_000, "x;child ?/y": 1_000_000,
        "x;child ?/y;y": 1_000_000}


@owned("span.child.pid", "pids tell two children apart")
def by_pid():
    lines = [*begin(), call(1_000_000, 0), call(1_100_000, 1, ["z"]),
             done(2_100_000, 1, 8, 1.0), done(4_000_000, 0, 7, 3.0),
             *end(5_000_000)]
    return lines + inner(7, 1_200_000, 2_000_000), {
        "x": 2_000_000, "x;child ?/y": 900_000,
        "x;child ?/z": 1_000_000, "x;child ?/y;y": 1_100_000}


@owned("span.child.inside", "process runs below a shell")
def inside():
    lines = [*begin(), call(1_000_000, 0), done(3_000_000, 0, 7, 2.0),
             *end(4_000_000)]
    return lines + inner(99, 1_500_000, 1_000_000), {
        "x": 2_000_000, "x;child ?/y": 1_000_000,
        "x;child ?/y;y": 1_000_000}


@owned("span.self", "region and child share a process")
def own_times():
    lines = [*begin(), enter(1_000_000, "a"), call(2_000_000, 0),
             enter(2_500_000, "b", nesting=2),
             leave(2_700_000, "b", 0.2, nesting=2),
             done(3_000_000, 0, 7, 1.0), leave(4_000_000, "a", 3.0),
             *end(6_000_000)]
    return lines, {"x": 3_000_000, "x;c/a": 2_000_000,
                            "x;c/a;child ?/y": 800_000,
                            "x;c/a;c/b": 200_000}


@owned("span.self.pager", "command works beside its transport")
def beside_transport():
    """It waits until the region ends, and before the transport does."""
    lines = [*begin(), enter(1_000_000, "a"),
             at(1_500_000, "child_start", child_id=0,
                child_class="transport/ssh", use_shell=False, argv=["y"]),
             leave(3_000_000, "a", 2.0), enter(5_000_000, "b"),
             leave(6_000_000, "b", 1.0), done(8_000_000, 0, 7, 6.5),
             *end(9_000_000)]
    return lines, {"x": 4_000_000, "x;c/a": 500_000, "x;c/b": 1_000_000,
                   "x;c/a;child transport/ssh/y": 3_500_000}


@owned("span.self.pager", "command prints through a pager")
def paged():
    """It waits for its reader when it has written all."""
    lines = [*begin(), at(1_000_000, "child_start", child_id=0,
                          child_class="pager", use_shell=True, argv=["less"]),
             enter(2_000_000, "a"), leave(4_000_000, "a", 2.0),
             at(5_000_000, "exit", t_abs=5.0, code=0),
             done(9_000_000, 0, 7, 8.0),
             at(9_500_000, "atexit", t_abs=9.5, code=0)]
    return lines, {"x": 3_500_000, "x;c/a": 2_000_000,
                   "x;child pager/less": 4_000_000}
