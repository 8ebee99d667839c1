#!/usr/bin/python3
"""Make the tables of the programs that read logs from schema/readers/.

    gen_readers.py READERS DIRECTORY

READERS has a file NAME.json for each program; schema/README.md says what is
in it. DIRECTORY gets

    readers.h           their number, and the part of each
    readers.c           all parts, and the parts that need no code
    reader_NAME.h       the rules and needs of one whose code is NAME.c

A file with a mistake is named, and nothing is written.
"""

import json
import sys
from pathlib import Path

LEVELS = ("error", "warning", "info")
FAULTS = ("syntax", "end", "more", "utf8", "nul", "surrogate", "number",
          "depth")  # of helper/read/json/fault.h
KINDS = {"string": "TR2_STRING", "integer": "TR2_INTEGER",
         "number": "TR2_KIND_NUMBER", "boolean": "TR2_BOOLEAN",
         "strings": "TR2_STRINGS", "list": "TR2_KIND_LIST",
         "null": "TR2_NULL", "any": "~(unsigned)TR2_NULL"}
NEEDED = {"name", "order", "what", "evidence", "refuses", "rules"}
KNOWN = NEEDED | {"by_line", "code", "needs"}
# Of a program without code, what its needs are reported as.
PLAIN = ("json", "missing", "type")


class Wrong(Exception):
    """What is wrong with a file."""


def read_all(folder):
    readers = []
    for path in sorted(folder.glob("*.json")):
        try:
            reader = json.loads(path.read_text(encoding="utf-8"))
            check_reader(reader, path.stem)
        except (ValueError, KeyError, TypeError) as problem:
            raise Wrong(f"{path}: {problem}") from None
        readers.append(reader)
    return sorted(readers, key=lambda reader: reader["order"])


def check_reader(reader, stem):
    if NEEDED - set(reader):
        raise ValueError(f"lacks {', '.join(sorted(NEEDED - set(reader)))}")
    if set(reader) - KNOWN:
        raise ValueError(f"unknown: {', '.join(sorted(set(reader) - KNOWN))}")
    if reader["name"] != stem:
        raise ValueError(f"expected the name {stem}")
    unknown = set(reader["refuses"]) - {*FAULTS, "blank"}
    if unknown:
        raise ValueError(f"refuses: unknown fault {', '.join(unknown)}")
    check_rules(reader)
    for need in reader.get("needs", ()):
        check_need(reader, need)


def check_rules(reader):
    names = [rule["name"] for rule in reader["rules"]]
    if "json" not in names or len(set(names)) != len(names):
        raise ValueError("expected a rule json, and each rule once")
    for rule in reader["rules"]:
        if rule["level"] not in LEVELS:
            raise ValueError(f"{rule['name']}: expected one of {LEVELS}")
    if not reader.get("code") and set(names) - set(PLAIN):
        raise ValueError("a rule other than json, missing and type needs code")


def check_need(reader, need):
    unknown = set(need["kinds"]) - set(KINDS)
    if unknown or not need["kinds"]:
        raise ValueError(f"{need['key']}: expected kinds of {list(KINDS)}")
    rules = {rule["name"] for rule in reader["rules"]}
    if "code" not in reader and "type" not in rules:
        raise ValueError("needs are reported as the rules missing and type")


def identifier(reader):
    return reader["name"].replace("-", "_")


def constant(name):
    return name.upper().replace("-", "_")


def quote(text):
    return json.dumps(text)


def put_rules(reader, prefix=""):
    names = [prefix + constant(rule["name"]) for rule in reader["rules"]]
    yield "enum { " + ", ".join(names) + " };"
    yield ""
    yield (f"static const struct tr2_consumer_rule {prefix.lower()}rules[] "
           "= {")
    for name, rule in zip(names, reader["rules"]):
        id_ = f"consumer.{reader['name']}.{rule['name']}"
        yield (f"\t[{name}] = {{ {quote(id_)}, TR2_{rule['level'].upper()}, "
               f"{quote(rule['effect'])} }},")
    yield "};"


def put_need(need):
    event = f"TR2_IS_{constant(need['event'])}" if need.get("event") else (
        "TR2_ANY_EVENT")
    kinds = " | ".join(KINDS[kind] for kind in need["kinds"])
    members = [f".is = {event}", f".key = TR2_KEY_{constant(need['key'])}",
               f".kinds = {kinds}"]
    if need.get("optional"):
        members.append(".optional = true")
    for key, text in need.get("when", {}).items():
        members += [f".when = TR2_KEY_{constant(key)}",
                    f".text = {quote(text)}"]
    return f"\t{{ {', '.join(members)} }},"


def put_needs(reader, prefix=""):
    yield f"static const struct tr2_asked {prefix}asked[] = {{"
    yield from map(put_need, reader.get("needs", ()))
    yield "\t{ .kinds = 0 },"
    yield "};"


def put_members(reader, prefix=""):
    """The members of the part that are data."""
    refused = " | ".join(
        "TR2_BLANK_LINE" if fault == "blank"
        else f"1U << TR2_FAULT_{fault.upper()}" for fault in reader["refuses"])
    return [
        f".name = {quote(reader['name'])},",
        f".verdict = {quote('consumer.' + reader['name'] + '.verdict')},",
        f".rules = {prefix.lower()}rules,",
        f".json = {prefix}JSON,",
        f".refuses = {refused or 0},",
        f".by_line = {'true' if reader.get('by_line') else 'false'},",
    ]


def with_code(reader):
    """The header for its code."""
    lines = [f"/* Made by gen_readers.py from {reader['name']}.json. */",
             *put_rules(reader), ""]
    if reader.get("needs"):
        lines += [*put_needs(reader), ""]
    members = " \\\n\t".join(put_members(reader))
    return [*lines, "#define READER_MEMBERS \\", f"\t{members}"]


def without_code(reader):
    """Its tables and its part."""
    prefix = constant(identifier(reader)) + "_"
    names = {rule["name"] for rule in reader["rules"]}
    yield from put_rules(reader, prefix)
    yield ""
    yield from put_needs(reader, prefix.lower())
    yield ""
    yield (f"const struct tr2_consumer_part tr2_consumer_{identifier(reader)} "
           "= {")
    yield from (f"\t{member}" for member in put_members(reader, prefix))
    yield f"\t.asked = {prefix.lower()}asked,"
    for name in ("missing", "type"):
        if name in names:
            yield f"\t.{name} = {prefix}{name.upper()},"
    yield "\t.event = tr2_reading_take_needs,"
    yield "};"
    yield ""


def header(readers):
    return [
        "/* Made by gen_readers.py from schema/readers/. */",
        f"#define TR2_READERS {len(readers)}",
        "",
        "struct tr2_consumer_part;",
        "extern const struct tr2_consumer_part *const "
        "tr2_consumer_parts[TR2_READERS];",
        *(f"extern const struct tr2_consumer_part "
          f"tr2_consumer_{identifier(reader)};" for reader in readers),
    ]


def source(readers):
    plain = [line for reader in readers if not reader.get("code")
             for line in without_code(reader)]
    return [
        "/* Made by gen_readers.py from schema/readers/. */",
        '#include "rules/consumer/part.h"', "", *plain,
        "const struct tr2_consumer_part *const "
        "tr2_consumer_parts[TR2_READERS] = {",
        *(f"\t&tr2_consumer_{identifier(reader)}," for reader in readers),
        "};",
    ]


def write(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    folder, place = map(Path, sys.argv[1:])
    try:
        readers = read_all(folder)
    except Wrong as wrong:
        sys.exit(f"gen_readers.py: {wrong}")
    for reader in readers:
        if reader.get("code"):
            write(place / f"reader_{identifier(reader)}.h", with_code(reader))
    write(place / "readers.c", source(readers))
    write(place / "readers.h", header(readers))


if __name__ == "__main__":
    main()
