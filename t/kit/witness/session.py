"""One session of git that holds most events, in all three payloads."""

import collections
import functools
import re
from pathlib import Path

import spec
from kit import forms, payloads
from kit.faults import fault
from kit.kit import scenario
from kit.witness import REPOSITORY, shell

SCRIPT = REPOSITORY + """
mkdir .git/hooks && printf '#!/bin/sh\\nexit 3\\n' >.git/hooks/pre-commit &&
chmod +x .git/hooks/pre-commit && head -c 200000 /dev/zero >big &&
git add big && quiet init -q --template= sub &&
quiet -C sub commit -q --allow-empty -m below && git add sub &&
git -c alias.st='status -s' st &&
git -c alias.x='!exit 5' x 'two words' "it's" '!' ''
git -c alias.k='!kill -9 $$' k
git -c user.name=A -c user.email=a@example.com commit -q -m second
git checkout -q HEAD
git rev-parse --verify no-such-branch
git cat-file -p :big | :
"""
IN_ALL = (
    "version", "start", "exit", "atexit", "signal", "error", "cmd_ancestry",
    "cmd_name", "cmd_mode", "alias", "child_start", "child_exit",
    "def_param", "def_repo",
)
NOT_IN_NORMAL = ("region_enter", "region_leave", "data", "data_json")
SEEN = IN_ALL + NOT_IN_NORMAL
COMMON = ["event", "sid", "thread", "time", "file", "line"]
SPEC = Path(__file__).resolve().parents[3] / "SPEC.md"
STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
SECONDS = re.compile(rb'"t_(?:abs|rel)":([^,}]*)')


def session(kit):
    return shell(kit, SCRIPT, env={
        "GIT_TRACE2_EVENT_NESTING": "99",
        "GIT_TRACE2_CONFIG_PARAMS": "core.*",
        "GIT_TRACE2_ENV_VARS": "LC_ALL",
    })


# EVENT


@functools.lru_cache(maxsize=None)
def fields():
    """The own fields that SPEC.md gives to each event that is seen here."""
    found = collections.defaultdict(list)
    for field in spec.Spec(SPEC.read_text()).fields():
        if field.event in SEEN:
            found[field.event].append(field)
    return found


TYPES = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "seconds": lambda value: type(value) is float and value >= 0,
    "boolean": lambda value: type(value) is bool,
    "array of strings": lambda value: isinstance(value, list) and all(
        isinstance(entry, str) for entry in value),
    "any JSON value": lambda value: True,
}


@scenario("a session of git has the fields of each event",
          ids=("json.line", "json.valid", "json.compact", "json.seconds",
               "json.key-order", "input.final-newline", "version.unknown-key",
               *(f"event.{name}" for name in SEEN),
               *(f"event.{f.event}.{f.name}"
                 for own in fields().values() for f in own)))
def has_the_fields(kit):
    run = session(kit)
    check_json(kit, run)
    for name in SEEN:
        events = run.events(name)
        kit.check(f"event.{name}", events, f"a {name} event", "none")
        for event in events:
            check_keys(kit, event)
        for one in fields()[name]:
            for event in events or [{}]:
                check_field(kit, one, event)


def check_json(kit, run):
    text = run.log("event")
    kit.check("json.valid", len(run.events()) > 100, "over 100 events", text)
    for name in ("json.line", "json.valid", "input.final-newline"):
        kit.equal(name, text.count(b"\n"), len(run.events()) or None)
    bare = STRING.sub(b"", text)
    kit.equal("json.compact", re.findall(rb"[ \t\r]", bare), [])
    kit.check("json.compact", b"{:,:,:," in bare, "objects", bare[:200])
    for literal in SECONDS.findall(text) or [b"none"]:
        kit.matches("json.seconds", re.compile(rb"\d+\.\d{6}"), literal)


def check_keys(kit, event):
    """Keys are those of the event, in order; common ones come first."""
    repo = ["repo"] * ("repo" in event)
    own = [f.name for f in fields()[event["event"]] if f.name != "repo"]
    allowed = COMMON + repo + own
    kit.equal("json.key-order", list(event), [k for k in allowed if k in event])
    kit.equal("version.unknown-key", set(event) - set(allowed), set())


def check_field(kit, field, event):
    name = f"event.{field.event}.{field.name}"
    if field.required or field.name in event:
        value = event.get(field.name, "(nothing)")
        good = field.name in event and TYPES[field.type](value)
        kit.check(name, good, field.type, [value])


# The same in NORMAL and in PERF


@scenario("NORMAL says what EVENT says of a session of git",
          ids=("normal.events",
               *(f"normal.payload.{name}" for name in SEEN)))
def normal_says_the_same(kit):
    run = session(kit)
    events = [e for e in run.events() if forms.matrix()[e["event"]].normal]
    lines = [line.decode() for line in run.payloads()]
    kit.equal("normal.events", len(lines), len(events) or None)
    pairs = list(zip(events, lines))
    for name in IN_ALL:
        found = [(payloads.normal(e), line) for e, line in pairs
                 if e["event"] == name]
        kit.check(f"normal.payload.{name}", found, f"a {name}", "none")
        kit.equal(f"normal.payload.{name}", [line for _, line in found],
                  [expected for expected, _ in found])
    for name in NOT_IN_NORMAL:
        kit.check(f"normal.payload.{name}", run.events(name), f"a {name}", [])
        kit.equal(f"normal.payload.{name}", [line for line in lines
                                             if line.startswith(name)], [])
        kit.equal(f"normal.payload.{name}", len(lines), len(events))


@scenario("PERF says what EVENT says of a session of git",
          ids=("perf.events", "perf.column.depth", "perf.column.thread",
               "perf.column.event", "perf.column.repo", "perf.column.t_abs",
               "perf.column.t_rel", "perf.column.category",
               "perf.column.category-scope", "perf.dots", "perf.region-dots",
               "time.same-t_abs", "session.depth",
               *(f"perf.payload.{name}" for name in SEEN)))
def perf_says_the_same(kit):
    run = session(kit)
    events, lines = run.events(), run.perf()
    kit.equal("perf.events", [c.event for c in lines],
              [e["event"] for e in events] or None)
    pairs = list(zip(events, lines))
    for event, line in pairs:
        check_columns(kit, event, line)
    for name in SEEN:
        check_payloads(kit, name, pairs)
    for sid in {e["sid"] for e in events}:
        check_dots(kit, [(e, c) for e, c in pairs if e["sid"] == sid])


def check_payloads(kit, name, pairs):
    own = [(e, c) for e, c in pairs if e["event"] == name]
    kit.check(f"perf.payload.{name}", own, f"a {name}", "none")
    kit.equal(f"perf.payload.{name}", [c.payload for _, c in own],
              [payloads.perf(e) for e, _ in own])


def check_columns(kit, event, line):
    name = event["event"]
    depth = f"d{event['sid'].count('/')}"
    kit.equal("perf.column.depth", line.depth, depth)
    kit.equal("session.depth", line.depth, depth)
    kit.equal("perf.column.thread", line.thread, event["thread"])
    kit.equal("perf.column.event", line.event, name)
    repo = f"r{event['repo']}" if "repo" in event else ""
    kit.equal("perf.column.repo", line.repo, repo)
    kit.equal("perf.column.t_abs", line.t_abs != "", name in payloads.T_ABS)
    kit.equal("perf.column.t_rel", line.t_rel != "", name in payloads.T_REL)
    for column in ("t_abs", "t_rel"):
        if column in event:
            kit.equal("time.same-t_abs", getattr(line, column),
                      f"{event[column]:.6f}")
    scope = "-scope" if name == "def_param" else ""
    kit.equal(f"perf.column.category{scope}", line.category,
              payloads.category(event))


def check_dots(kit, pairs):
    expected = list(payloads.dots([event for event, _ in pairs]))
    for (event, line), dots in zip(pairs, expected):
        of_region = event["event"] in ("region_enter", "region_leave")
        name = "perf.region-dots" if of_region else "perf.dots"
        kit.equal(name, line.dots, dots)


PERF = "PERF says what EVENT says of a session of git"
fault("perf.column.depth", PERF, perf=(rb"\| d1 \|", b"| d0 |"))
fault("perf.region-dots", PERF,
      perf=(rb"(\| region_leave .*\| )\.\.", rb"\1"))
fault("perf.payload.alias", PERF, perf=(rb" argv:\[(status)", rb" argv: \1"))
NORMAL = "NORMAL says what EVENT says of a session of git"
fault("normal.payload.start", NORMAL,
      normal=(rb"( start .*)'it'\\''s'", rb"\1it's"))
fault("normal.payload.child_exit", NORMAL,
      normal=(rb"(child_exit.*) code:137", rb"\1 code:9"))
EVENT = "a session of git has the fields of each event"
fault("event.child_start.use_shell", EVENT,
      event=(rb'"use_shell":false', b'"use_shell":0'))
fault("json.key-order", EVENT,
      event=(rb'("child_id":\d+),("pid":-?\d+)', rb"\2,\1"))
