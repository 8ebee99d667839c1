"""Threads, regions, facts, messages, timers and counters."""

from kit import edits
from kit.faults import fault
from kit.kit import scenario
from kit.shows import ABSENT, SECONDS, Mark, shows

# Threads: each of two adds to a counter.

TWO_THREADS = ("201counter", "1", "2", "2")

shows("thread_start", "it comes with each thread", TWO_THREADS,
      normal=[], perf=["", ""], count=2)

shows("thread_exit", "it comes with each thread", TWO_THREADS,
      fields={"t_rel": SECONDS}, normal=[], perf=["", ""], count=2)

OWN = "a thread writes under its own name"


@scenario(OWN, verbs=("201counter",),
          ids=("event.thread_start", "event.thread_start.fields",
               "event.thread_exit", "event.th_counter", "event.counter"))
def own_name(kit):
    run = kit.run(*TWO_THREADS, targets=("event",))
    for event in ("thread_start", "th_counter", "thread_exit"):
        names = sorted(e.get("thread") for e in run.events(event))
        kit.equal(f"event.{event}", names, ["th01:ut_201", "th02:ut_201"])
    kit.equal("event.counter",
              [e.get("thread") for e in run.events("counter")], ["main"])
    keys = {"event", "sid", "thread", "time", "file", "line"}
    found = run.events("thread_start")
    kit.check("event.thread_start.fields",
              all(set(event) <= keys for event in found),
              "no keys of its own", found)


for event in ("thread_start", "th_counter", "thread_exit"):
    fault(f"event.{event}", OWN,
          event=edits.retyped(event, "thread", '"main"'))
fault("event.counter", OWN,
      event=edits.retyped("counter", "thread", '"th01:ut_201"'))
fault("event.thread_start.fields", OWN,
      event=edits.added("thread_start", "t_abs", "0.000001"))

# Regions

shows("region_enter", "it shows what the host gave", ("501region_printf",),
      fields={
          "nesting": 1,
          "category": ["cat", "cat", "cat", ABSENT, "cat"],
          "label": ["both", "enter", "empty", ABSENT, "va"],
          "msg": ["message 1", "only here", "", "no label", "answer=42"],
      },
      normal=[],
      perf=["label:both message 1", "label:enter only here", "label:empty ",
            " no label", "label:va answer=42"])

shows("region_leave", "it shows what the host gave", ("501region_printf",),
      fields={
          "t_rel": SECONDS,
          "nesting": 1,
          "category": ["cat", "cat", "cat", ABSENT, "cat"],
          "label": ["both", "enter", "empty", ABSENT, "va"],
          "msg": ["another", ABSENT, "", "no label", "answer=42"],
      },
      normal=[],
      perf=["label:both another", "label:enter", "label:empty ", " no label",
            "label:va answer=42"])

shows("region_enter", "category and label can be absent or empty",
      ("504region_bare",),
      fields={
          "category": [ABSENT, "cat", ABSENT, "", "a category over 12 bytes"],
          "label": [ABSENT, ABSENT, "label", "", "label"],
          "msg": ABSENT,
      },
      perf=["", "", "label:label", "label:", "label:label"])

shows("region_leave", "category and label can be absent or empty",
      ("504region_bare",),
      fields={
          "category": ["cat", ABSENT, ABSENT, "", "a category over 12 bytes"],
          "label": [ABSENT, "label", ABSENT, "", "label"],
          "msg": ABSENT,
      },
      perf=["", "label:label", "", "label:", "label:label"])

# Facts and messages

shows("data", "it has category, key and value",
      ("006data", "cat", "a key", "a value", "c", "k", "7"),
      fields={"t_abs": SECONDS, "t_rel": SECONDS, "nesting": 1,
              "category": ["cat", "c"], "key": ["a key", "k"],
              "value": ["a value", "7"]},
      normal=[], perf=["a key:a value", "k:7"])

NUMBERS = ["0", "7", "-5", "9223372036854775807", "-9223372036854775808"]

shows("data", "a number is written as a text", ("510data_intmax",),
      fields={"value": NUMBERS}, perf=[f"number:{n}" for n in NUMBERS])

shows("data_json", "the value is any JSON", ("511data_json", '{"a":[1]}', "7"),
      fields={"t_abs": SECONDS, "t_rel": SECONDS, "nesting": 1,
              "category": "cat", "key": "json",
              "value": [Mark("an object", lambda v: v == {"a": [1]}), 7]},
      normal=[], perf=['json:{"a":[1]}', "json:7"])

shows("printf", "the message stands alone",
      ("513printf", "one", "two  words, it's %d"),
      fields={"t_abs": SECONDS, "msg": ["one", "two  words, it's %d"]},
      normal=["one", "two  words, it's %d"],
      perf=["one", "two  words, it's %d"])

EMPTY = "an empty format gives no message"


@scenario(EMPTY, verbs=("513printf",), ids=("event.printf.msg",))
def empty_format(kit):
    run = kit.run("513printf", targets=("event",))
    kit.equal("event.printf.msg",
              [e.get("msg", ABSENT) for e in run.events("printf")],
              ["a message 1", "", ABSENT, "two\nlines", "its own end\n"])


fault("event.printf.msg", EMPTY,
      event=(rb'^(\{"event":"printf"(?!.*"msg").*)\}', rb'\1,"msg":""}'))
fault("event.printf.msg", EMPTY, event=(rb',"msg":""', rb""))
fault("event.printf.msg", EMPTY, event=(rb"its own end\\n", rb"its own end"))

# Timers and counters

TIMER = {"category": "test", "intervals": 3, "t_total": SECONDS,
         "t_min": SECONDS, "t_max": SECONDS}
TIMES = "intervals:3 total:SECONDS min:SECONDS max:SECONDS"

shows("timer", "it sums the intervals", ("100timer", "3", "1"),
      fields={"name": "test1", **TIMER},
      normal=[f"timer test/test1 {TIMES}"], perf=[f"name:test1 {TIMES}"])

shows("th_timer", "it sums the intervals of a thread",
      ("101timer", "3", "1", "2"), fields={"name": "test2", **TIMER}, count=2,
      normal=[f"th_timer test/test2 {TIMES}"] * 2,
      perf=[f"name:test2 {TIMES}"] * 2)

COUNTER = {"category": "test", "count": 7}

shows("counter", "it sums what was added", ("200counter", "3", "4"),
      fields={"name": "test1", **COUNTER},
      normal=["counter test/test1 value:7"], perf=["name:test1 value:7"])

shows("th_counter", "it sums what a thread added",
      ("201counter", "3", "4", "2"), fields={"name": "test2", **COUNTER},
      count=2, normal=["th_counter test/test2 value:7"] * 2,
      perf=["name:test2 value:7"] * 2)

# The values of a timer: intervals of 2 ms, on main and in three threads.

SUMS = "times of a timer fit its intervals"
TIMERS = ("timer", "th_timer")
VALUES = ("t_total", "t_min", "t_max")


@scenario(SUMS, verbs=("100timer", "101timer"),
          ids=(*(f"event.{e}.{v}" for e in TIMERS for v in VALUES),
               "event.timer", "event.th_timer"))
def sums(kit):
    runs = {
        "timer": kit.run("100timer", "4", "2", targets=("event",)),
        "th_timer": kit.run("101timer", "4", "2", "3", targets=("event",)),
    }
    for event, run in runs.items():
        found = run.events(event)
        threads = {e.get("thread") for e in found}
        expected = {"timer": {"main"}, "th_timer": {
            f"th0{n}:ut_101" for n in (1, 2, 3)}}[event]
        kit.equal(f"event.{event}", threads, expected)
        times = [[e.get(key) for key in VALUES] for e in found]
        for key, good in SENSIBLE.items():
            kit.check(f"event.{event}.{key}",
                      all(good(*three) for three in times),
                      "min at least 2 ms, 4 min <= total <= 4 max", times)


def numbers(function):
    return lambda *three: all(map(SECONDS.fits, three)) and function(*three)


# Each is judged by what is sure about it, rounding allowed for.
SENSIBLE = {
    "t_total": numbers(lambda total, low, high: total >= 0.008 - 3e-6
                       and 4 * low - 3e-6 <= total <= 4 * high + 3e-6),
    "t_min": numbers(lambda total, low, high: 0.002 - 1e-6 <= low
                     and low <= total / 4 + 1e-6),
    "t_max": numbers(lambda total, low, high: high >= total / 4 - 1e-6
                     and high <= total - 3 * low + 3e-6),
}

for event in TIMERS:
    for key, value in (("t_total", "0.001000"), ("t_total", "9999.000000"),
                       ("t_min", "0.000100"), ("t_min", "9999.000000"),
                       ("t_max", "0.000100"), ("t_max", "9999.000000")):
        fault(f"event.{event}.{key}", SUMS,
              event=edits.retyped(event, key, value))
fault("event.timer", SUMS,
      event=edits.retyped("timer", "thread", '"th01:ut_101"'))
fault("event.th_timer", SUMS,
      event=edits.retyped("th_timer", "thread", '"main"'))
