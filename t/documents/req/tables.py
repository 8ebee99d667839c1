"""What is made from the sections of SPEC.md: lists, schemas, C tables.

The section about an event says since which EVENT version it exists, which
targets show it, its fields and its payloads. From this follow, in SPEC.md,
the matrix and the payloads in the grammars; the index;
the events that the roots in schema/ name; and the payloads that the
validator knows.
`make rules` writes all of it, and `make check-req` says what is not up to
date.
"""

import re
import textwrap
from collections import namedtuple

import abnf
import spec as reader
from req import index, minimal, payload_rows

COLUMNS = ("normal", "perf", "event", "t_abs", "t_rel", "category", "repo")
Event = namedtuple("Event", ("name", "evt", *COLUMNS))
INTRO = re.compile(r"^### (\w+)\n\n(Since evt (\d+), [^\n]+)$", re.M)
REPO = "May carry a `repo`."
FORMS = "helper/rules/textlog"

# What a version asks for beside what the event's own schema does.
REQUIRED = {"def_param": {1: "value", 2: "value", 3: "value", 4: "scope"}}

HEAD = ("| event | NORMAL | PERF | EVENT | t_abs | t_rel | category | repo |\n"
        "|---|---|---|---|---|---|---|---|\n")  # fmt: skip
MATRIX = re.compile(f"({re.escape(HEAD)}).*?(\n\n)", re.S)
FIRST = re.compile(r'(\| `"1"` \|[^|]*\| )\d+( events: all but those below)')
BRANCHES = re.compile(r'("allOf": \[\n).*?(\n  \])', re.S)
NAMES = re.compile(r'("enum": \[\n).*?(\n      \])', re.S)


class Broken(Exception):
    """SPEC.md lacks something that is needed."""


def names_in(text, names):
    """Those that a statement lists; `child_*` stands for several."""
    words = re.findall(r"`([a-z_]+\*?)`", text)
    patterns = [re.compile(word.replace("*", ".*")) for word in words]
    return {n for n in names if any(p.fullmatch(n) for p in patterns)}


def read_events(text):
    """The events, in the order of their sections."""
    spec = reader.Spec(text)
    said = {one.id: one for one in spec.statements}
    intros = {m[1]: m for m in INTRO.finditer(text)}
    lists = {name: names_in(said[name].text, intros) for name in (
        "nesting.limit", "perf.column.t_abs", "perf.column.t_rel",
        "perf.column.category-scope")}  # fmt: skip
    lists["category"] = {f.event for f in spec.fields() if f.name == "category"}
    return [read_event(match, said, lists) for match in intros.values()]


def read_event(match, said, lists):
    name = match[1]

    def shown(target):
        if f"{target}.payload.{name}" not in said:
            raise Broken(f"no statement {target}.payload.{name}")
        return "x" if said[f"{target}.payload.{name}"].level == "MUST" else ""

    def listed(list_name, mark="x"):
        return mark if name in lists[list_name] else ""

    return Event(
        name=name,
        evt=int(match[3]),
        normal=shown("normal"),
        perf=shown("perf"),
        event=listed("nesting.limit", "n") or "x",
        t_abs=listed("perf.column.t_abs"),
        t_rel=listed("perf.column.t_rel"),
        category=listed("perf.column.category-scope", "scope")
        or listed("category"),
        repo="x" if REPO in match[2] else "",
    )


# SPEC.md


def matrix(events):
    for event in events:
        cells = [f"`{event.name}`", *event[2:]]
        yield "|" + "|".join(f" {c} " if c else " " for c in cells) + "|"


def payload_list(events, target):
    names = [f"{target}-{e.name.replace('_', '-')}" for e in events
             if getattr(e, target)]  # fmt: skip
    # A line begins with the slash before its first name.
    whole = " ".join([names[0], *(f"/\N{NO-BREAK SPACE}{n}" for n in names[1:])])
    lines = textwrap.wrap(whole, 52, break_on_hyphens=False,
                          break_long_words=False)  # fmt: skip
    joined = "\n             ".join(lines).replace("\N{NO-BREAK SPACE}", " ")
    return f"{target}-payload = {joined}"


def put(pattern, text, body, what):
    """The text with the body between the two groups of the pattern."""
    made, count = re.subn(pattern, lambda m: m[1] + body + m[2], text, count=1)
    if not count:
        raise Broken(f"{what} has no place")
    return made


def spec_text(text, others, events):
    """SPEC.md with its lists; `others` are the texts of the other documents."""
    text = put(MATRIX, text, "\n".join(matrix(events)), "the matrix")
    first = sum(event.evt == 1 for event in events)
    text = put(FIRST, text, str(first), "the number of events of evt 1")
    for target in ("normal", "perf"):
        start = re.compile(rf"()^{target}-payload = .*?(\n\n)", re.S | re.M)
        text = put(start, text, payload_list(events, target),
                   f"{target}-payload")  # fmt: skip
    spec = reader.Spec(text, *others)
    for document, pattern in index.CHAPTERS.items():
        text = put(pattern, text, "".join(index.chapters(spec, document)),
                   f"the list of {document}'s chapters")  # fmt: skip
    return text


def index_text(text, spec):
    rows = "".join(index.by_class(spec, reader.CLASSES))
    text = put(index.BY_CLASS, text, rows, "the index by class")
    return put(index.BY_ID, text, "".join(index.by_id(spec)),
               "the index by id")  # fmt: skip


# schema/


def branch(event, version):
    more = REQUIRED.get(event.name, {}).get(version)
    ref = f'"$ref": "events/{event.name}.schema.json"'
    then = f"{{ {ref} }}"
    if more:
        then = f'{{\n        {ref},\n        "required": ["{more}"]\n      }}'
    return (
        '    {\n      "if": {\n'
        f'        "properties": {{ "event": {{ "const": "{event.name}" }} }},\n'
        '        "required": ["event"]\n      },\n'
        f'      "then": {then}\n    }}'
    )


def roots(root, events):
    """(path, text) of each root: its examples stay as they are."""
    for version in sorted({event.evt for event in events}):
        known = [event for event in events if event.evt <= version]
        path = f"schema/evt{version}.schema.json"
        body = ",\n".join(branch(event, version) for event in known)
        yield path, put(BRANCHES, (root / path).read_text(), body, path)
        path = f"schema/evt{version}.closed.schema.json"
        body = ",\n".join(f'        "{event.name}"' for event in known)
        yield path, put(NAMES, (root / path).read_text(), body, path)


def grammar(text):
    found = abnf.Grammar()
    for example in reader.Spec(text).examples:
        if example.kind == "abnf":
            found.add(example.lines)
    return found


def made(root):
    """(path, text) of each file that is made from SPEC.md."""
    text = (root / "SPEC.md").read_text()
    events = read_events(text)
    others = [(root / name).read_text() for name in reader.DOCUMENTS[1:]]
    text = spec_text(text, others, events)
    yield "SPEC.md", text
    spec = reader.Spec(text, *others)
    yield reader.INDEX, index_text((root / reader.INDEX).read_text(), spec)
    yield minimal.PAGE, minimal.page(spec)
    yield from roots(root, events)
    for name, table in payload_rows.tables(events, grammar(text)):
        yield f"{FORMS}/{name}", table


def stale(root):
    try:
        for path, text in made(root):
            file = root / path
            if not file.exists() or file.read_text() != text:
                yield f"{path}: not up to date (make rules)"
    except Broken as problem:
        yield f"SPEC.md: {problem}"
