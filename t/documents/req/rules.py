"""schema/rules.json: what --list-rules and --explain say of each rule.

It is made by `make rules` and committed, so that a build needs neither
SPEC.md nor the corpora. A rule is checked if a schema or the code in C names
its id. Its level stands beside it in a table, or follows from the word in
SPEC.md. What it says is SPEC.md's sentence. Examples are those of the
schemas, broken at the key, and the smallest logs of the corpora; explain/
holds what these don't have.
"""

import copy
import json
import re
import sys
from collections import namedtuple
from pathlib import Path

import spec as spec_reader

ROOT = Path(__file__).resolve().parents[3]
EXPLAIN = next(ROOT.glob("helper/*/explain"))
GOOD = {
    "event": EXPLAIN / "any.good",
    "normal": "t/corpus/pass/text/prefix.normal",
    "perf": "t/corpus/pass/text/threads.perf",
    "consumer": EXPLAIN / "consumer.good",
    "fxt": "t/corpus/pass/fxt/small.fxt",
}
NAME = re.compile(r'"([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)"')
ROW = re.compile(r'"([a-z0-9_.-]+)",\s*TR2_(ERROR|WARNING|INFO)\b')
LEVELS = {"MUST": "ERROR", "MUST NOT": "ERROR", "SHOULD": "WARNING",
          "SHOULD NOT": "WARNING", "MAY": "INFO", None: "INFO"}
EMITTERS = ("min", "full", "git")
LONGEST = 4000  # bytes of an example: a string that every compiler takes
Rule = namedtuple("Rule", "id classes level keyword document anchor "
                  "sentence why bad good")


class Broken(Exception):
    pass


def reader_levels(root):
    """The levels of the rules of the programs in schema/readers/."""
    readers = [json.loads(path.read_text())
               for path in sorted((root / "schema/readers").glob("*.json"))]
    levels = {f"consumer.{reader['name']}.{rule['name']}":
              rule["level"].upper()
              for reader in readers for rule in reader["rules"]}
    verdicts = {f"consumer.{reader['name']}.verdict": "INFO"
                for reader in readers}
    return {**levels, **verdicts}


def c_levels(root, by_id):
    """The levels of the rules that the code in C names."""
    paths = [path for folder in ("helper", "ref/trace")
             for path in (root / folder).rglob("*.[ch]")]
    text = "".join(path.read_text() for path in sorted(paths))
    named = (by_id[name] for name in NAME.findall(text) if name in by_id)
    levels = {one.id: LEVELS[one.level] for one in named
              if one.level in LEVELS and not one.id.startswith("deviation.")}
    return {**levels, **reader_levels(root), **dict(ROW.findall(text))}


def schema_events(gen_tables, folder):
    """The events of all versions, by name."""
    schemas = gen_tables.Schemas(folder)
    path = schemas.top / "common.schema.json"
    common = gen_tables.Event(None).read(schemas, schemas.file(path), path)
    events = {}
    for version in (4, 3, 2, 1):
        gen_tables.read_root(schemas, version, common, events)
    return schemas, events


def examples(schemas, name):
    return schemas.file(schemas.top / "events" / f"{name}.schema.json")[
        "examples"]


def line(event):
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False) + "\n"


def without(event, key):
    return {name: value for name, value in event.items() if name != key}


def broken(event, key, check, required):
    """The event with that key missing or of another type, or None."""
    if required and key != "event":
        return without(event, key)
    event = copy.deepcopy(event)
    if "STRING" not in check.kinds:
        event[key] = "text"
    elif "INTEGER" not in check.kinds:
        event[key] = 5
    else:
        return None
    return event


def event_rules(schemas, events):
    """{id: (bad line, good line)} of what the schemas say of keys."""
    found = {}
    for name, event in events.items():
        for key, rule in event.ids.items():
            good = next((e for e in examples(schemas, name) if key in e), None)
            if good is None or rule in found:
                continue
            required = event.required[max(event.required)]
            bad = broken(good, key, event.checks[key], key in required)
            if bad:
                found[rule] = line(bad).encode(), line(good).encode()
    return found


def is_alone(path):
    """Does the log break no rule but that of its folder?

    Older forms count for nothing: a log has several of them.
    """
    rows = path.with_suffix(".expect").read_text().splitlines()
    broken = {row.split("\t")[0] for row in rows} - {path.parent.name}
    return all(name.startswith("older.") for name in broken)


def smallest(folder):
    """The smallest log of a folder of what must fail, or None."""
    logs = [path for path in sorted(folder.glob("*.*"))
            if path.suffix in (".dgram", ".event", ".fxt", ".normal", ".perf")
            and is_alone(path)]
    logs.sort(key=lambda path: path.stat().st_size)
    return shown(logs[0]) if logs else None


def shown(path):
    """The log; of an archive its words, each with its offset."""
    data = path.read_bytes()
    if path.suffix != ".fxt":
        return data
    words = (data[at:at + 8] for at in range(0, len(data), 8))
    return b"".join(
        b"0x%04x: 0x%0*x\n" % (8 * at, 2 * len(word),
                               int.from_bytes(word, "little"))
        for at, word in enumerate(words))


def own(name, ending):
    path = EXPLAIN / f"{name}.{ending}"
    return path.read_bytes() if path.exists() else None


def asks(path, name):
    """Is it that rule of a program, and no other, that decides the log?"""
    rows = [row.split("\t")[0] for row in path.read_text().splitlines()]
    return rows == [name] or (len(rows) == 2 and name in rows)


def consumer_log(folder, name):
    """The smallest log that the program does not accept for the rule."""
    logs = [path.with_suffix(".event").read_bytes()
            for path in sorted(folder.glob("[dr]*.expect"))
            if asks(path, name)]
    return min(logs, key=len) if logs else None


def log_examples(root, name):
    chapter, *rest = name.split(".")
    kinds = {"normal", "perf", "fxt", "consumer"} & {chapter, *rest}
    bad = own(name, "bad") or smallest(root / "t/corpus/fail" / name)
    if chapter == "consumer":
        bad = consumer_log(root / "t/corpus/consumer" / rest[0], name)
    good = root / GOOD[kinds.pop() if kinds else "event"]
    if (root / "t/corpus/fail" / name / "options").exists():
        good = EXPLAIN / "full.good"  # what a class asks for
    return bad, own(name, "good") or shown(good)


def read_reasons():
    rows = (EXPLAIN / "why.tsv").read_text().splitlines()
    return dict(row.split("\t") for row in rows)


def reason(reasons, name):
    """That of the longest prefix of the id."""
    while name not in reasons:
        if "." not in name:
            raise Broken(f"{name}: explain/why.tsv has no reason")
        name = name.rpartition(".")[0]
    return reasons[name]


def home_of(spec, statement):
    return [h for h in spec.headings if h.line < statement.line][-1]


def load_gen_tables():
    """The reader of schemas that the build has."""
    sys.path.insert(0, str(EXPLAIN.parent))
    import gen_tables

    return gen_tables


def rules(root):
    gen_tables = load_gen_tables()
    spec = spec_reader.read(root)
    by_id = {one.id: one for one in spec.statements}
    schemas, events = schema_events(gen_tables, root / "schema")
    of_events = event_rules(schemas, events)
    unknown = {"version.unknown-event": "INFO", "version.unknown-key": "INFO"}
    levels = {**dict.fromkeys(of_events, "ERROR"), **c_levels(root, by_id), **unknown}
    reasons = read_reasons()
    for name in sorted(levels, key=str.encode):
        if name not in by_id:
            raise Broken(f"{name}: not in SPEC.md")
        one = by_id[name]
        bad, good = of_events.get(name) or log_examples(root, name)
        classes = [c for c in one.classes if c in EMITTERS]
        home = home_of(spec, one)
        yield Rule(name, classes, levels[name], one.level or "informative",
                   home.document, home.anchor, one.sentence,
                   reason(reasons, name), bad, good)


def as_json(found):
    """A rule a line. Bytes that are no UTF-8 are lone surrogates."""
    def plain(value):
        if not isinstance(value, bytes):
            return value
        return (value.decode("utf-8", "surrogateescape")
                if len(value) <= LONGEST else None)

    rows = [json.dumps({key: plain(value) for key, value
                        in rule._asdict().items()}) for rule in found]
    return "[\n" + ",\n".join(rows) + "\n]\n"
