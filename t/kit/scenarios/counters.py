"""Counters."""

from kit.faults import fault
from kit.kit import scenario


@scenario("a counter is an unsigned sum of 64 bits",
          verbs=("200counter",), ids=("counter.sum",))
def sums(kit):
    for words, count in (
        (("1", "2", "39"), 42),
        (("-1",), 2**64 - 1),
        (("5", "-7"), 2**64 - 2),
        (("-1", "4"), 3),
    ):
        run = kit.run("200counter", *words)
        kit.equal("counter.sum",
                  [e["count"] for e in run.events("counter")], [count])


SUMS = "a counter is an unsigned sum of 64 bits"
fault("counter.sum", SUMS, event=(b'"count":42', b'"count":39'))
fault("counter.sum", SUMS,
      event=(b'"count":18446744073709551615', b'"count":-1'))
fault("counter.sum", SUMS, event=(b'"count":3', b'"count":4294967299'))


@scenario("a counter whose value is 0 is not told", verbs=("200counter",),
          ids=("counter.unused",))
def unused(kit):
    for words in (("0",), ("5", "-5")):
        run = kit.run("200counter", *words)
        names = [e["event"] for e in run.events()]
        kit.contains("counter.unused", names, "exit")
        kit.equal("counter.unused",
                  [n for n in names if n.endswith("counter")], [])
        kit.equal("counter.unused",
                  [c.event for c in run.perf() if "counter" in c.event], [])


ZERO = "a counter whose value is 0 is not told"
fault("counter.unused", ZERO, event=(b'"event":"atexit"',
                                     b'"event":"counter"'))
fault("counter.unused", ZERO, perf=(rb"\| atexit ", b"| counter"))


@scenario("a counter per thread is told by each thread, and once",
          verbs=("201counter",), ids=("counter.per-thread",
                                      "counter.total"))
def per_thread(kit):
    run = kit.run("201counter", "3", "4", "3")
    shares = run.events("th_counter")
    kit.equal("counter.per-thread",
              sorted((e["thread"], e["count"]) for e in shares),
              [(f"th0{number}:ut_201", 7) for number in (1, 2, 3)])
    names = [e["event"] for e in run.events() if e["thread"] == "main"]
    kit.lacks("counter.per-thread", names, "th_counter")
    kit.equal("counter.total", names[-3:], ["exit", "counter", "atexit"])
    kit.equal("counter.total",
              [(e["name"], e["count"]) for e in run.events("counter")],
              [("test2", 21)])


THREADS = "a counter per thread is told by each thread, and once"
fault("counter.per-thread", THREADS, event=(b'"th_counter".*"th02:', None))
fault("counter.per-thread", THREADS,
      event=(b'("th_counter".*"count":)7', rb"\g<1>14"))
fault("counter.total", THREADS, event=(b'"count":21', b'"count":7'))
fault("counter.total", THREADS,
      event=(b'(.*"event":"counter".*\n)', rb"\1\1"))


@scenario("a counter that is not per thread is told once",
          verbs=("200counter",), ids=("counter.per-thread",))
def not_per_thread(kit):
    run = kit.run("200counter", "1")
    kit.equal("counter.per-thread", (len(run.events("th_counter")),
                                     len(run.events("counter"))), (0, 1))


fault("counter.per-thread", "a counter that is not per thread is told once",
      event=(rb'("event":")(counter.*\n)', rb'\1\2{\1th_\2'))


@scenario("counters come behind timers", verbs=("584shares",),
          ids=("counter.per-thread", "counter.total"))
def behind_timers(kit):
    """On main, and on the one thread that used both."""
    run = kit.run("584shares")
    both, = {e["thread"] for e in run.events("th_counter")} - {"main"}
    for name, thread, wanted in (
        ("counter.total", "main",
         ["exit", "th_timer", "th_counter", "timer", "counter", "counter",
          "atexit"]),
        ("counter.per-thread", both,
         ["thread_start", "th_timer", "th_counter", "thread_exit"]),
    ):
        names = [e["event"] for e in run.events() if e["thread"] == thread]
        kit.equal(name, names[-len(wanted):], wanted)


BEHIND = "counters come behind timers"
fault("counter.per-thread", BEHIND,
      event=(b'"th_counter".*"thread":"th', None))
fault("counter.total", BEHIND, event=(
    b'(.*"event":"timer".*\n)',
    rb'{"event":"counter","thread":"main"}\n\1'))


@scenario("counters are told in the order of first use",
          verbs=("583counter",), ids=("counter.order",))
def order(kit):
    run = kit.run("583counter")
    kit.equal("counter.order",
              [(e["name"], e["count"]) for e in run.events("counter")],
              [("first used", 42), ("second used", 2**64 - 1)])


def swapped(run):
    lines = run.files["event"].splitlines(True)
    at, then = [n for n, line in enumerate(lines)
                if b'"event":"counter"' in line]
    lines[at], lines[then] = lines[then], lines[at]
    run.files["event"] = b"".join(lines)
    return run


fault("counter.order", "counters are told in the order of first use",
      edit=swapped)


@scenario("a thread that just ends is in the counters' totals",
          verbs=("555thread_no_exit",), ids=("counter.no-thread-exit",))
def no_thread_exit(kit):
    """Two threads that add 10 and 11."""
    run = kit.run("555thread_no_exit", "2")
    kit.equal("counter.no-thread-exit",
              [e["count"] for e in run.events("counter")], [21])


SILENT = "a thread that just ends is in the counters' totals"
fault("counter.no-thread-exit", SILENT, event=(b'"event":"counter"', None))
fault("counter.no-thread-exit", SILENT, event=(b'"count":21', b'"count":10'))
