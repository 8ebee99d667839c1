"""Every line of every verb has its form, in each target, full and brief.

What a line is about stands in the scenarios of its event; here it is only
held against the schemas, the grammars and the rules of the columns.
"""

import functools

import schema_oracle
from kit import edits, every_verb, forms, lines
from kit.faults import fault
from kit.kit import scenario
from kit.normal import CLOCK

PREFIX = ("normal.prefix", "normal.column", "perf.column.time",
          "perf.column.file")
REST = ("normal.payload", "normal.seconds", "perf.column",
        "perf.column.depth", "perf.column.thread", "perf.column.event",
        "perf.column.repo", "perf.column.t_abs", "perf.column.t_rel",
        "perf.column.time-width", "perf.column.category",
        "perf.column.category-scope", "perf.column.category-width",
        "perf.payload", "perf.events")
NORMAL, PERF = (
    [name for name in (*PREFIX, *REST) if name.startswith(target)]
    for target in ("normal.", "perf.")
)


GIT_FULL = "each line of git's verbs has its form"
GIT_BRIEF = "each brief line of git's verbs has its form"
FULL = "each line of the other verbs has its form"
BRIEF = "each brief line of the other verbs has its form"

# The events that the verbs show, with the optional keys that they have.
GIT_EVENTS = {
    "version": (), "start": (), "exit": (), "atexit": (),
    "error": ("msg", "fmt"), "cmd_name": ("hierarchy",), "cmd_ancestry": (),
    "child_start": (), "child_exit": (), "exec": ("exe",), "exec_result": (),
    "thread_exit": (), "data": ("repo",), "def_param": ("scope", "value"),
    "timer": (), "th_timer": (), "counter": (), "th_counter": (),
}
EVENTS = {
    "signal": (), "cmd_path": (), "cmd_mode": (), "alias": (),
    "child_start": ("hook_name", "cd"), "child_ready": (), "def_repo": (),
    "region_enter": ("category", "label", "msg"),
    "region_leave": ("category", "label", "msg"), "data_json": (),
}
SCENARIOS = {
    GIT_FULL: (every_verb.GIT, GIT_EVENTS, False),
    GIT_BRIEF: (every_verb.GIT, GIT_EVENTS, True),
    FULL: (every_verb.BEYOND, EVENTS, False),
    BRIEF: (every_verb.BEYOND, EVENTS, True),
}


def keys(event, optional):
    """The keys that the event has, and what the schemas cite for them."""
    said = forms.said_of(event)
    every = ("event", "sid", "thread", *schema_oracle.required(event))
    return {key: said[key] for key in dict.fromkeys((*every, *optional))}


def ids(events, brief):
    said = [i for e, more in events.items() for i in keys(e, more).values()]
    place = () if brief else ("event.common.time", "event.common.file",
                              "event.common.line")
    return (*dict.fromkeys((*said, *place)), *REST,
            *(() if brief else PREFIX))


def look(kit, verbs, events, brief):
    seen, wrong = set(), {}
    env = every_verb.BRIEF if brief else {}
    for run in every_verb.runs(kit, verbs, **env):
        for target in JUDGES:
            names, broken = judged(target, run.log(target), brief)
            seen |= names
            for name, line in broken:
                wrong.setdefault(name, []).append(line)
    for name in ids(events, brief):
        if name in seen or name in wrong:
            bad = wrong.get(name, [])
            kit.check(name, not bad, "no such line", bad[:3])
        else:
            kit.unseen(name)


@functools.lru_cache(maxsize=None)
def judged(target, log, brief):
    """The requirements that a log's lines speak of, and pairs of one that
    is broken and the line. Faults leave most logs as they were."""
    said, wrong = JUDGES[target]
    found = log.splitlines()
    names = frozenset().union(*map(said, found))
    return names, [(n, x) for x in found for n in wrong(x, brief)]


JUDGES = {
    "event": (forms.said_on, lambda line, _: forms.wrong_in_event(line)),
    "normal": (lambda _: NORMAL, lines.wrong_in_normal),
    "perf": (lambda _: PERF, lines.wrong_in_perf),
}


def register(name, verbs, events, brief):
    scenario(name, ids=ids(events, brief))(
        lambda kit: look(kit, verbs, events, brief)
    )


for name, parts in SCENARIOS.items():
    register(name, *parts)

# What the schemas say: each key that must be there away, each of another
# type.


def break_keys(name, event, optional):
    said = keys(event, optional)
    for key in schema_oracle.required(event):
        fault(said[key], name, event=edits.dropped(event, key))
    for key in (*schema_oracle.required(event), *optional):
        if (event, key) != ("data_json", "value"):
            fault(said[key], name, event=edits.retyped(event, key, "{}"))


for name in (GIT_FULL, FULL):
    for event, optional in SCENARIOS[name][1].items():
        break_keys(name, event, optional)
for key in ("sid", "thread"):
    for pair in (edits.dropped("exit", key), edits.retyped("exit", key, "7")):
        fault(f"event.common.{key}", GIT_FULL, event=pair)
fault("event.common.thread", GIT_FULL,
      event=edits.retyped("exit", "thread", '""'))
for key in ("time", "file", "line"):
    fault(f"event.common.{key}", GIT_FULL,
          event=edits.retyped("exit", key, "{}"))
fault("event.common.event", GIT_FULL, event=(rb'"event":"exit",', b""))
fault("event.common.event", GIT_FULL, event=(rb'"event":"exit"', b'"event":7'))

# What the text targets say: pairs of a pattern and a replacement. A prefix
# is followed by "version"; a column of PERF is narrower, wider, or moved.

TEXT = (
    ("normal.prefix", "normal", rb"^(\d\d:\d\d:\d\d)\.\d{6}", rb"\1"),
    ("normal.prefix", "normal", rb"^" + CLOCK + b" ", b""),
    ("normal.column", "normal", rb"^(.{49}) ", rb"\1"),
    ("normal.column", "normal", rb"^(.{49}) ", rb"\1  "),
    ("normal.payload", "normal", rb" code:", b" code="),
    ("normal.payload", "normal", rb" cmd_name ", b" cmdname "),
    ("normal.seconds", "normal", rb"(elapsed:\d+\.\d{3})\d{3}", rb"\1"),
    ("normal.seconds", "normal", rb"elapsed:0\.", b"elapsed:."),
    ("perf.column", "perf", rb"d0 \| ", b"d0 "),
    ("perf.column", "perf", rb" \| ", b"|"),
    ("perf.column.time", "perf", rb"^(\d\d:\d\d:\d\d)\.\d{6}", rb"\1"),
    ("perf.column.file", "perf", rb" \| d(\d+) \|", rb"| d\1 |"),
    ("perf.column.file", "perf", rb" \| d(\d+) \|", rb"  | d\1 |"),
    ("perf.column.depth", "perf", rb"d(\d+) \| (?=main|th)", rb"\1 | "),
    ("perf.column.depth", "perf", rb"d0 \| ", b"d0  | "),
    ("perf.column.thread", "perf", rb"\| main  ", b"| main "),
    ("perf.column.thread", "perf", rb"\| main  ", b"|   main"),
    ("perf.column.event", "perf", rb" \| exit  ", b" | exit "),
    ("perf.column.event", "perf", rb" \| exit  ", b" |  exit"),
    ("perf.column.repo", "perf", rb" \|     \| ", b" |    | "),
    ("perf.column.repo", "perf", rb" \|     \| ", b" | r0  | "),
    ("perf.column.repo", "perf", rb" \| r0  \| ", b" | 0   | "),
    ("perf.column.t_abs", "perf", rb"(exit +\|     \| )[ \d.]{9}",
     rb"\1         "),
    ("perf.column.t_abs", "perf", rb"(cmd_name +\|     \| ) {9}",
     rb"\1 0.000001"),
    ("perf.column.t_rel", "perf", rb"(child_exit +\|     \|.{11}\| ).{9}",
     rb"\1         "),
    ("perf.column.t_rel", "perf", rb"(exit  +\|     \|.{11}\| ).{9}",
     rb"\1 0.000001"),
    ("perf.column.time-width", "perf", rb"\|  (\d\.\d{6}) \|", rb"| \1 |"),
    ("perf.column.time-width", "perf", rb"\|  (\d\.\d{6}) \|", rb"| \1  |"),
    ("perf.column.time-width", "perf", rb"(\.\d{3})\d{3} \|", rb"\1 |"),
    ("perf.column.category", "perf",
     rb"(exit +\|     \|.{11}\|.{11}\| ) {12}", rb"\1test        "),
    ("perf.column.category", "perf", rb"\| test  ", b"|   test"),
    ("perf.column.category-width", "perf", rb"\| test  ", b"| test "),
    ("perf.column.category-width", "perf", rb"\| test  ", b"| test   "),
    ("perf.column.category-scope", "perf", rb"\| scope:unknow ",
     b"| unknown      "),
    ("perf.payload", "perf", rb"\| code:", b"| exit:"),
    ("perf.payload", "perf", rb"\| name:", b"| test/"),
    ("perf.events", "perf", rb" \| cmd_name     \|", b" | cmdname      |"),
)

for broken, target, pattern, replacement in TEXT:
    fault(broken, GIT_FULL, **{target: (pattern, replacement)})
    if target == "perf" and broken not in PREFIX:
        fault(broken, GIT_BRIEF, perf=(pattern, replacement))
