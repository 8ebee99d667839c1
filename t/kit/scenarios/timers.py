"""Timers."""

from kit.faults import fault
from kit.kit import scenario
from kit.logs import microseconds

KEYS = ("t_total", "t_min", "t_max")


def times(event):
    """Total, shortest and longest, in microseconds."""
    return [microseconds(event[key]) for key in KEYS]


def is_about(value, wanted, parts):
    """Each part was rounded by itself."""
    return abs(value - wanted) <= parts


@scenario("a timer tells how often and how long", verbs=("100timer",),
          ids=("timer.values", "timer.total"))
def values(kit):
    """Two intervals are the shortest and the longest, in either order."""
    for count in (1, 3, *(2,) * 10):
        run = kit.run("100timer", str(count), "2")
        made, = run.events("timer")
        kit.equal("timer.values", made["intervals"], count)
        total, least, most = times(made)
        kit.check("timer.values",
                  2000 <= least <= most
                  and least * count - count <= total <= most * count + count
                  and (count > 1 or total == least == most)
                  and (count != 2 or is_about(total, least + most, 2)),
                  f"{count} times 2000 us or a bit more", str(made))
        names = [e["event"] for e in run.events()]
        at = names.index("timer")
        kit.equal("timer.total", (names.count("timer"), names[at - 1:at + 2]),
                  (1, ["exit", "timer", "atexit"]))


VALUES = "a timer tells how often and how long"
fault("timer.values", VALUES, event=(b'"intervals":3', b'"intervals":2'))
fault("timer.values", VALUES,
      event=(rb'"t_min":[0-9.]+', rb'"t_min":0.000000'))
fault("timer.values", VALUES,
      event=(rb'"t_total":[0-9.]+', rb'"t_total":0.002000'))
fault("timer.total", VALUES,
      event=(rb'(.*"event":"timer".*\n)', rb"\1\1"))
fault("timer.total", VALUES,
      edit=lambda run: run.files.update(event=swapped(run)) or run)


def swapped(run):
    """The last two lines in the wrong order."""
    *lines, first, second = run.files["event"].splitlines(True)
    return b"".join([*lines, second, first])


@scenario("a timer per thread is told by each thread", verbs=("101timer",),
          ids=("timer.per-thread", "timer.total"))
def per_thread(kit):
    run = kit.run("101timer", "2", "1", "3")
    found = run.events()
    shares = run.events("th_timer")
    kit.equal("timer.per-thread", sorted(e["thread"] for e in shares),
              ["th01:ut_101", "th02:ut_101", "th03:ut_101"])
    kit.equal("timer.per-thread", [e["intervals"] for e in shares], [2] * 3)
    for thread in ("th01:ut_101", "th02:ut_101", "th03:ut_101"):
        names = [e["event"] for e in found if e["thread"] == thread]
        kit.equal("timer.per-thread", names,
                  ["thread_start", "th_timer", "thread_exit"])
    total, = run.events("timer")
    kit.equal("timer.total", (total["intervals"], total["name"]),
              (6, "test2"))
    parts = list(zip(*map(times, shares)))
    whole = times(total)
    kit.check("timer.total",
              is_about(whole[0], sum(parts[0]), 3)
              and whole[1:] == [min(parts[1]), max(parts[2])],
              f"the sum, minimum and maximum of {parts}", str(whole))


THREADS = "a timer per thread is told by each thread"
fault("timer.per-thread", THREADS, event=(b'"th_timer".*"th02:', None))
fault("timer.per-thread", THREADS,
      event=(b'("th_timer".*"intervals":)2', rb"\g<1>1"))
fault("timer.total", THREADS,
      event=(b'("timer".*"intervals":)6', rb"\g<1>2"))
fault("timer.total", THREADS,
      event=(b'("timer".*"t_max":)[0-9.]+', rb"\g<1>0.000001"))


@scenario("a timer that is not per thread is told once",
          verbs=("100timer",), ids=("timer.per-thread",))
def not_per_thread(kit):
    run = kit.run("100timer", "1", "1")
    kit.equal("timer.per-thread", (len(run.events("th_timer")),
                                   len(run.events("timer"))), (0, 1))


fault("timer.per-thread", "a timer that is not per thread is told once",
      event=(rb'("event":")(timer.*\n)', rb'\1\2{\1th_\2'))


@scenario("main tells its timers between exit and the totals",
          verbs=("584shares",), ids=("timer.per-thread",))
def of_main(kit):
    run = kit.run("584shares")
    names = [e["event"] for e in run.events() if e["thread"] == "main"]
    end = names.index("exit")
    kit.equal("timer.per-thread", names[end:end + 2], ["exit", "th_timer"])
    kit.check("timer.per-thread", names.index("timer") > end + 1,
              "th_timer before timer", names)


MAIN = "main tells its timers between exit and the totals"
fault("timer.per-thread", MAIN,
      event=(b'"th_timer".*"thread":"main"', None))


@scenario("a timer without an interval is not told", verbs=("100timer",),
          ids=("timer.unused",))
def unused(kit):
    run = kit.run("100timer", "0", "1")
    names = [e["event"] for e in run.events()]
    kit.equal("timer.unused",
              [n for n in names if n in ("timer", "th_timer")], [])
    kit.equal("timer.unused",
              [c.event for c in run.perf() if "timer" in c.event], [])


fault("timer.unused", "a timer without an interval is not told",
      event=(b'"event":"exit"', b'"event":"timer"'))


@scenario("an interval that goes on is not counted",
          verbs=("582nothing",), ids=("timer.running",))
def running(kit):
    """One that is told may have a time that is no number of JSON."""
    run = kit.run("582nothing")
    kit.equal("timer.running",
              [x for x in run.lines("event") if b'timer"' in x], [])
    kit.contains("timer.running", [e["event"] for e in run.events()], "exit")


RUNNING = "an interval that goes on is not counted"
fault("timer.running", RUNNING,
      event=(b'"event":"atexit"', b'"event":"timer"'))
fault("timer.running", RUNNING,
      event=(b'"event":"atexit".*', b'"event":"timer","t_min":0.-1}'))


@scenario("only the outermost pair is an interval",
          verbs=("581timer_nested",),
          ids=("timer.nesting", "timer.stop-too-many"))
def nesting(kit):
    """A stop, 1 ms of the outer pair, 1 ms of the inner, a stop. A wait on
    a busy machine may be as long as two, so that the shortest of some runs
    shows one that is lost."""
    for _ in range(5):
        run = kit.run("581timer_nested")
        made, = run.events("timer")
        total, least, most = times(made)
        kit.check("timer.nesting", total >= 2000, "2000 us or more",
                  str(made))
        kit.check("timer.nesting", total == least == most,
                  "one interval", str(made))
        kit.equal("timer.stop-too-many", (made["intervals"], run.exit),
                  (1, 0))


NESTING = "only the outermost pair is an interval"
fault("timer.nesting", NESTING,
      event=(rb'(t_(?:total|min|max)":)[0-9.]+', rb"\g<1>0.001001"))
fault("timer.stop-too-many", NESTING,
      event=(b'"intervals":1', b'"intervals":2'))


@scenario("timers are told in the order of first use", verbs=("580timer",),
          ids=("timer.order",))
def order(kit):
    run = kit.run("580timer")
    kit.equal("timer.order", [e["name"] for e in run.events("timer")],
              ["first used", "second used"])


def totals_swapped(run):
    lines = run.files["event"].splitlines(True)
    at, then = [n for n, line in enumerate(lines)
                if b'"event":"timer"' in line]
    lines[at], lines[then] = lines[then], lines[at]
    run.files["event"] = b"".join(lines)
    return run


fault("timer.order", "timers are told in the order of first use",
      edit=totals_swapped)


@scenario("a thread that just ends is in the timers' totals",
          verbs=("555thread_no_exit",), ids=("timer.no-thread-exit",))
def no_thread_exit(kit):
    """Two threads of 1 ms each."""
    run = kit.run("555thread_no_exit", "2")
    made, = run.events("timer")
    kit.equal("timer.no-thread-exit",
              (made["intervals"], times(made)[0] >= 2000), (2, True))


SILENT = "a thread that just ends is in the timers' totals"
fault("timer.no-thread-exit", SILENT, event=(b'"event":"timer"', None))
fault("timer.no-thread-exit", SILENT,
      event=(b'"intervals":2', b'"intervals":1'))
