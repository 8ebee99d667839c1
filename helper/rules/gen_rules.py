#!/usr/bin/env python3
"""Make the table of the rules that the validator checks.

    gen_rules.py SCHEMAS OUTPUT.c

What there is to say of a rule is in rules.json in the folder of schemas. A
rule that is only in a schema, since nobody has described it yet, is an
error without a sentence: that is for `make check-req` to find.
"""

import json
import sys
from pathlib import Path

import gen_tables

CLASSES = ("min", "full", "git")  # bits, from the lowest one
NO_PROSE = {"classes": [], "level": "ERROR", "keyword": "MUST",
            "document": "SPEC.md", "anchor": "", "sentence": "", "why": "", "bad": None, "good": None}


def schema_ids(folder):
    schemas = gen_tables.Schemas(folder)
    path = schemas.top / "common.schema.json"
    common = gen_tables.Event(None).read(schemas, schemas.file(path), path)
    events = {}
    for version in (4, 3, 2, 1):
        gen_tables.read_root(schemas, version, common, events)
    return {name for event in events.values() for name in event.ids.values()}


def rules(folder):
    described = {row["id"]: row for row
                 in json.loads((folder / "rules.json").read_text())}
    for name in sorted({*described, *schema_ids(folder)}, key=str.encode):
        yield {"id": name, **described.get(name, NO_PROSE)}


def quote(data):
    """A string of C that holds the bytes."""
    return '"' + "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?'
        else f"\\{byte:03o}" for byte in data) + '"'


def text(rule, field):
    return f".{field} = {quote(rule[field].encode())}"


def example(rule, field):
    data = (rule[field] or "").encode("utf-8", "surrogateescape")
    if rule[field] is None:
        return f".{field} = {{ NULL, 0 }}"
    return f".{field} = {{ {quote(data)}, {len(data)} }}"


def row(rule):
    texts = ("id", "keyword", "document", "anchor", "sentence", "why")
    bits = sum(1 << CLASSES.index(name) for name in rule["classes"])
    parts = [f".level = TR2_{rule['level']}, .classes = {bits}",
             *(text(rule, field) for field in texts),
             *(example(rule, field) for field in ("bad", "good"))]
    return "\t{ " + ",\n\t  ".join(parts) + " },"


def main(folder, output):
    found = list(rules(Path(folder).resolve()))
    Path(output).write_text("\n".join([
        "/* Made by gen_rules.py from schema/. */",
        '#include "rules/rules.h"',
        "const struct tr2_rule tr2_rules[] = {", *map(row, found), "};",
        f"const size_t tr2_rules_count = {len(found)};", ""]))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, LookupError, ValueError) as error:
        sys.exit(f"gen_rules.py: {error}")
