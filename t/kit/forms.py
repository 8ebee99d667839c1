"""What SPEC.md and the schemas say of events, to judge lines by.

All of it is read once; verdicts on lines are kept, so that a recorded run
is judged again at little cost.
"""

import dataclasses
import functools
import json
import re

import abnf
import schema_oracle
import spec as reader
from kit.run import parse_event

COMMON = ("event", "sid", "thread", "time", "file", "line", "repo")
SECONDS = ("t_abs", "t_rel", "t_total", "t_min", "t_max")


@functools.lru_cache(maxsize=None)
def spec():
    return reader.read(schema_oracle.ROOT)


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of the matrix: which target shows the event, which columns PERF
    fills, whether the event may have a repo."""

    normal: str
    perf: str
    event: str
    t_abs: str
    t_rel: str
    category: str
    repo: str


@functools.lru_cache(maxsize=None)
def matrix():
    rows = spec().table("event", "NORMAL", "PERF", "EVENT")
    return {name.strip("`"): Row(*cells) for name, *cells in rows}


@functools.lru_cache(maxsize=None)
def since():
    """The EVENT version that brought each event."""
    found = dict.fromkeys(matrix(), 1)
    for version, _, new in spec().table("`evt`", "git releases", "new"):
        for name in re.findall(r"`(\w+)`", new):
            found[name] = int(version.strip('`"'))
    return found


@functools.lru_cache(maxsize=None)
def fields():
    """The own fields of each event, in the order of the line."""
    found = {name: {} for name in matrix()}
    for field in spec().fields():
        if field.name not in COMMON:
            found[field.event][field.name] = field
    return found


@functools.lru_cache(maxsize=None)
def form_of(target, event):
    """The payload that a statement gives in one form, as `exit <code>`."""
    name = f"{target}.payload.{event}"
    said = next((s.text for s in spec().statements if s.id == name), "")
    found = re.fullmatch(r"[A-Z]+: `([^`]+)`\.", said)
    return found and found[1]


@functools.lru_cache(maxsize=None)
def first_words():
    """The word that each event begins with in NORMAL: {word: event}."""
    found = {}
    for event, row in matrix().items():
        rule_name = f"normal-{event.replace('_', '-')}"
        begins = row.normal and re.match(r' *"(\w+)', grammar().text(rule_name))
        if begins:
            found[begins[1]] = event
    return found


def known_keys(event):
    return (*COMMON, *fields().get(event, {}))


@functools.lru_cache(maxsize=None)
def grammar():
    found = abnf.Grammar()
    for example in spec().examples:
        if example.kind == "abnf":
            found.add(example.lines)
    return found


@functools.lru_cache(maxsize=None)
def rule(name):
    """A rule of SPEC.md's grammar, compiled for bytes."""
    return re.compile(grammar().pattern(name).encode("latin-1"), re.DOTALL)


def follows(name, text):
    return bool(rule(name).fullmatch(text))


# The schemas, by requirement

FORM = {"time": "2026-01-14T09:30:42.112403Z", "sid": "sid"}
JUDGED = {}  # events of one shape are judged alike


@functools.lru_cache(maxsize=None)
def wrong_in_event(line):
    """The requirements that the event on a line breaks. The forms of times
    and SIDs are left to the chapters that describe them."""
    value = parse_event(line) or {}
    for key, good in FORM.items():
        if isinstance(value.get(key), str):
            value = {**value, key: good}
    evt = value.get("evt")
    shape = schema_oracle.shape(value), evt if isinstance(evt, str) else ""
    if shape not in JUDGED:
        found = schema_oracle.findings(schema_oracle.root(4), value)
        JUDGED[shape] = frozenset(name for name, _ in found)
    return JUDGED[shape] if value else frozenset()


@functools.lru_cache(maxsize=None)
def said_on(line):
    """The requirements that the schemas cite for the keys on a line."""
    value = parse_event(line) or {}
    event = value.get("event")
    said = said_of(event) if event in matrix() else {}
    return frozenset(said[key] for key in value if key in said)


@functools.lru_cache(maxsize=None)
def said_of(event):
    """The requirements that the schemas cite for the keys of an event."""
    own = schema_oracle.events()[event]
    shared = schema_oracle.common()["properties"]
    return {
        key: part["$comment"]
        for key, part in {**shared, **own.get("properties", {})}.items()
    }


# The text of an EVENT line

STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
VALUE = rb'(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{[^}]*\}|[^,\]}]+)'


def raw(line, key):
    """The value of a key of the event as it is written, or None."""
    name = re.escape(json.dumps(key).encode())
    found = re.search(rb"[{,]\s*" + name + rb"\s*:\s*(" + VALUE + rb")", line)
    return found and found[1]
