"""Scenarios that say how one event looks in each target, from a table.

    shows("cmd_mode", "a mode is shown as it is", ("520cmd_mode", "a b"),
          fields={"name": "a b"},
          normal=["cmd_mode a b"], perf=["a b"])

runs the verb once and checks `event.cmd_mode`, `event.cmd_mode.name`,
`normal.payload.cmd_mode` and `perf.payload.cmd_mode`. Texts are in the
words of the normaliser (kit/normal.py). A field has one value, or a list
of one for each event; see the marks below. Each entry of the table becomes
faults too: the event missing or written twice, each key under another name
and with other values, each word of a payload another one.
"""

import dataclasses
import re

from kit import edits, forms, normal
from kit.faults import fault
from kit.kit import scenario

# Marks


@dataclasses.dataclass(frozen=True)
class Mark:
    """Stands for the values that differ from run to run."""

    name: str
    fits: object

    def __repr__(self):
        return self.name


def is_number(value):
    return type(value) in (int, float) and value >= 0


ABSENT = Mark("(no such key)", lambda value: value is ABSENT)
SECONDS = Mark("(seconds)", is_number)
PID = Mark("(a process id)", lambda value: type(value) is int and value > 0)
TEXT = Mark("(a text)", lambda value: isinstance(value, str) and value != "")
PROGRAM = Mark("(the driver)", lambda value: isinstance(value, str)
               and value.rpartition("/")[2] == "test-tool")


def same(actual, expected):
    """Equal, and of one type all through: 1 is neither 1.0 nor true."""
    if isinstance(expected, Mark):
        return expected.fits(actual)
    if isinstance(expected, list) and isinstance(actual, list):
        return len(actual) == len(expected) and all(
            map(same, actual, expected)
        )
    return type(actual) is type(expected) and actual == expected


# What NORMAL shows, by its first word

WORD = re.compile(rb"([a-z_]+)(?=[ \[]|$)")
NAMED = {b"def_repo": "def_repo"}  # as git does not write it, but others may


def event_of(payload, asked):
    """The event of a NORMAL payload. What has no word is a printf, or what
    is asked for if NORMAL must not show that at all."""
    found = WORD.match(payload)
    event = found and forms.first_words().get(found[1].decode())
    event = event or found and NAMED.get(found[1])
    if not event:
        return "printf" if forms.matrix()[asked].normal else asked
    return event


def in_normal(run, event):
    found = map(normal.normal, run.lines("normal"))
    return [p.decode(*BYTES) for p in found if event_of(p, event) == event]


def in_perf(run, event):
    return [
        normal.perf_payload(event, c.payload.encode(*BYTES)).decode(*BYTES)
        for c in run.perf(event)
    ]


BYTES = "utf-8", "surrogateescape"
REGIONS = ("region_enter", "region_leave")


# The table


@dataclasses.dataclass(frozen=True)
class Entry:
    event: str
    title: str
    verb: tuple
    fields: dict
    normal: list  # None: not looked at
    perf: list
    count: int
    options: dict
    command: tuple

    @property
    def name(self):
        return f"{self.event}: {self.title}"

    def ids(self):
        yield f"event.{self.event}"
        for key in self.fields:
            yield f"event.{self.event}.{key}"
        for target in ("normal", "perf"):
            if getattr(self, target) is not None:
                yield f"{target}.payload.{self.event}"

    def values(self, key, count):
        """What the key must be in each of the events."""
        value = self.fields[key]
        every = value if isinstance(value, list) else [value] * count
        return every[:count]


def shows(event, title, verb, fields=(), normal=None, perf=None, count=None,
          command=None, **options):
    """See the head of this file. `argv` and other lists are values inside
    a list: {"argv": [["a", "b"]]}. `command` runs in place of the verb."""
    if count is None:
        count = max([len(v) for v in dict(fields).values()
                     if isinstance(v, list)] + [1])
    entry = Entry(event, title, verb, dict(fields), normal, perf, count,
                  options, command or ("test-tool", "trace2", *verb))
    scenario(entry.name, ids=tuple(entry.ids()), verbs=verb[:1])(
        lambda kit: look(kit, entry)
    )
    declare(entry)


def look(kit, entry):
    if ".gitconfig" in entry.options.get("files", ()):
        kit.need_config()
    run = kit.command(*entry.command, **entry.options)
    found = run.events(entry.event)
    kit.equal(f"event.{entry.event}", len(found), entry.count)
    for key in entry.fields:
        if not found:
            kit.unseen(f"event.{entry.event}.{key}")
            continue
        values = [value(event, key) for event in found]
        expected = entry.values(key, len(found))
        kit.check(f"event.{entry.event}.{key}", same(values, expected),
                  expected, values)
    for target, lines in (("normal", in_normal), ("perf", in_perf)):
        expected = getattr(entry, target)
        if expected is not None:
            shown = lines(run, entry.event)
            if entry.event in REGIONS:  # the last blank is perf.label-blank
                shown, expected = ([text.rstrip(" ") for text in texts]
                                   for texts in (shown, expected))
            kit.equal(f"{target}.payload.{entry.event}", shown, expected)


def value(event, key):
    """A program's own name is without the path by which it was found."""
    found = event.get(key, ABSENT)
    if (event["event"], key) == ("start", "argv") and isinstance(found, list):
        return [str(w).rpartition("/")[2] for w in found[:1]] + found[1:]
    return found


# Faults


def declare(entry):
    event, name = entry.event, entry.name
    fault(f"event.{event}", name, event=edits.gone(event))
    fault(f"event.{event}", name, event=edits.twice(event))
    for key in entry.fields:
        for pair in wrong_fields(entry, key):
            fault(f"event.{event}.{key}", name, event=pair)
    for part, pair in wrong_texts(entry):
        fault(f"{part}.payload.{event}", name, **{part: pair})


def wrong_fields(entry, key):
    """A key that should be there is gone, has another name or another
    value; one that should not be there is."""
    values = entry.values(key, entry.count)
    if ABSENT in values:
        yield edits.added(entry.event, key, '"x"')
    if all(value is ABSENT for value in values):
        return
    yield edits.dropped(entry.event, key)
    yield edits.renamed(entry.event, key, f"{key}_")
    for value in wrong_values(values[-1]):
        yield edits.retyped(entry.event, key, value)


def wrong_values(value):
    """Values of other types, and another one of the same type."""
    yield "null"
    yield "{}"
    if isinstance(value, list):
        yield from ('"x"', '["x"]', "[]" if value else "[0]")
    elif value is SECONDS or value is PID:
        yield from ('"1"', "-0.5", "true")
    elif isinstance(value, bool):
        yield from ("0", '"true"', "false" if value else "true")
    elif isinstance(value, int):
        yield from (f'"{value}"', f"{value}.5", str(value + 1))
    else:
        yield from ("7", "[]", '""' if value else '"x"')


def wrong_texts(entry):
    heads = {"normal": edits.NORMAL_HEAD, "perf": edits.perf_head(entry.event)}
    for part, head in heads.items():
        for payload in dict.fromkeys(getattr(entry, part) or ()):
            yield part, edits.without(head, payload)
            for pair in edits.wrong_words(head, payload):
                yield part, pair
    if entry.normal == []:
        yield "normal", edits.also_in_normal(f"{entry.event} x")
    if entry.perf == []:
        yield "perf", edits.also_in_perf(entry.event, "x")

