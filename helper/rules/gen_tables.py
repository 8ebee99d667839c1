#!/usr/bin/env python3
"""Turn schema/ into the tables of the validator.

    gen_tables.py SCHEMA_DIR MATCH_H OUTPUT.h OUTPUT.c

What a schema says is checked in one place, by the tables made here. So a
keyword, or a use of one, that the tables can't express is an error: no
schema is ever half checked.
"""

import json
import random
import re
import sys
from pathlib import Path

ANNOTATIONS = {"$schema", "$id", "$comment", "$defs", "title", "description",
               "examples"}
# A JSON Schema type: what it is called in a message, the kinds of value.
TYPES = {
    "string": ("a string", {"STRING"}),
    "integer": ("an integer", {"INTEGER"}),
    "number": ("a number", {"INTEGER", "FRACTION"}),
    "boolean": ("true or false", {"BOOLEAN"}),
    "null": ("null", {"NULL"}),
    "array": ("a list", {"STRINGS", "ARRAY"}),
    "object": ("an object", {"OBJECT"}),
}
ALL_KINDS = set.union(*(kinds for _, kinds in TYPES.values()))
KEYS_MAX = 64  # bits of a mask


class Unsupported(Exception):
    pass


def demand_known(schema, known, where):
    unknown = set(schema) - ANNOTATIONS - known
    if unknown:
        raise Unsupported(f"{where}: keyword {min(unknown)!r}")


class Schemas:
    """The files of schema/, and what their $refs mean."""

    def __init__(self, top):
        self.top = Path(top).resolve()
        self.read = {}

    def file(self, path):
        if path not in self.read:
            self.read[path] = json.loads(path.read_text())
        return self.read[path]

    def follow(self, ref, path):
        """What `ref` in the file `path` names, and the file it is in."""
        name, _, pointer = ref.partition("#")
        path = (path.parent / name).resolve() if name else path
        part = self.file(path)
        for step in pointer.split("/")[1:]:
            part = part[step]
        return part, path


PLAIN_KINDS = ("STRING", "INTEGER", "FRACTION")


class Check:
    """What one value must be: a row of tr2_schema_checks."""

    def __init__(self):
        self.kinds = ALL_KINDS
        self.expected = "any value"
        self.test = "TR2_TEST_KIND"  # what else a value must pass
        self.operand = {}  # of that test, in C

    def read(self, schemas, schema, path, where, name=""):
        demand_known(schema, {"$ref", "type", "enum", "minimum", "items",
                              "minLength", "pattern"}, where)
        if "$ref" in schema:
            self.read(schemas, *schemas.follow(schema["$ref"], path), where,
                      schema["$ref"].rsplit("/", 1)[-1])
        if "type" in schema:
            self.read_type(schema["type"])
        if "enum" in schema:
            self.read_enum(schema["enum"], where)
        if "items" in schema:
            self.read_items(schemas, schema["items"], path, where)
        if "minLength" in schema:
            self.read_min_length(schema["minLength"], where)
        if "minimum" in schema:
            self.read_minimum(schema["minimum"], where)
        if "pattern" in schema:
            self.read_pattern(schema, name, where)
        return self

    def read_type(self, types):
        types = [types] if isinstance(types, str) else types
        kinds = (TYPES[each][1] for each in types)
        self.kinds = self.kinds & set.union(*kinds)
        self.expected = " or ".join(TYPES[each][0] for each in types)

    def read_enum(self, values, where):
        if not all(isinstance(value, str) for value in values):
            raise Unsupported(f"{where}: enum of other than strings")
        self.kinds = self.kinds & {"STRING"}
        self.expected = " or ".join(map(quote, values))
        texts = ", ".join([*map(quote, values), "NULL"])
        array = f"(const char *const[]){{ {texts} }}"
        self.add_test("VALUES", where, values=array)

    def read_items(self, schemas, schema, path, where):
        items = Check().read(schemas, schema, path, where + "[]")
        if items.operand or items.kinds != {"STRING"}:
            raise Unsupported(f"{where}: items other than strings")
        if self.kinds != TYPES["array"][1]:
            raise Unsupported(f"{where}: items of what need be no array")
        self.kinds = {"STRINGS"}
        self.expected = "a list of strings"

    def read_min_length(self, length, where):
        if length != 1:
            raise Unsupported(f"{where}: minLength other than 1")
        self.expected = "a string that is not empty"
        self.add_test("NONEMPTY", where)

    def read_minimum(self, minimum, where):
        if not isinstance(minimum, int):
            raise Unsupported(f"{where}: minimum with a fraction")
        self.expected += f", at least {minimum}"
        self.add_test("MINIMUM", where, minimum=minimum)

    def read_pattern(self, schema, name, where):
        if not name.startswith("pattern-"):
            raise Unsupported(f"{where}: pattern without a name")
        said = schema["description"].partition(". ")[0].rstrip(".")
        self.expected = said[0].lower() + said[1:]
        matcher = "tr2_match_" + name[len("pattern-"):].replace("-", "_")
        self.add_test("MATCH", where, match=matcher)

    def add_test(self, name, where, **operand):
        if self.test != "TR2_TEST_KIND":
            raise Unsupported(f"{where}: more than one test of a value")
        self.test = "TR2_TEST_" + name
        self.operand = operand

    def takes_plain(self, kind):
        """Is every plain value of the kind right (see parse.h)?"""
        if self.test == "TR2_TEST_MINIMUM":
            right = self.operand["minimum"] <= 0 or kind == "STRING"
        else:
            right = (self.test in ("TR2_TEST_KIND", "TR2_TEST_NONEMPTY") or
                     kind != "STRING")
        return kind in self.kinds and right

    def implies(self, other):
        """Is what this accepts a part of what the other accepts?"""
        if not self.kinds <= other.kinds:
            return False
        if self.test == other.test == "TR2_TEST_MINIMUM":
            return self.operand["minimum"] >= other.operand["minimum"]
        return (other.test == "TR2_TEST_KIND" or
                (self.test, self.operand) == (other.test, other.operand))

    def row(self):
        kinds = " | ".join(f"TR2_{kind}" for kind in sorted(self.kinds))
        return initializer({"kinds": kinds, "test": self.test,
                            "expected": quote(self.expected), **self.operand})


class Event:
    """The keys of one event: a row of tr2_names_events."""

    def __init__(self, name, common=None):
        self.name = name
        self.checks = dict(common.checks) if common else {}  # by key
        self.ids = dict(common.ids) if common else {}  # by key
        self.always = list(common.always) if common else []
        self.required = {}  # by EVENT version
        self.when = None  # key, its value, what that requires

    def read(self, schemas, schema, path):
        where = self.name or "common"
        demand_known(schema, {"type", "properties", "required", "if", "then"},
                     where)
        for key, value in schema.get("properties", {}).items():
            check = Check().read(schemas, value, path, f"{where}.{key}")
            if key in self.checks and not check.implies(self.checks[key]):
                raise Unsupported(f"{where}.{key}: laxer than in common")
            self.checks[key] = check
            self.ids[key] = value["$comment"]
        self.always += schema.get("required", [])
        if "if" in schema:
            demand_known(schema["then"], {"required"}, where)
            self.when = *condition(schema, where), schema["then"]["required"]
        return self

    def row(self, keys, number_of):
        fields = {
            "name": quote(self.name) if self.name else "NULL",
            "known": mask(keys, self.checks),
            "required": initializer({
                f"[{version}]": mask(keys, names)
                for version, names in sorted(self.required.items())}, ""),
            "plain": initializer({
                f"[TR2_{kind}]": mask(keys, [
                    key for key, check in self.checks.items()
                    if check.takes_plain(kind)])
                for kind in PLAIN_KINDS}, ""),
            "check": initializer({
                f"[{key_name(key)}]": number_of(check.row())
                for key, check in self.checks.items()}, ""),
            "id": initializer({
                f"[{key_name(key)}]": quote(self.ids[key])
                for key in self.checks}, ""),
        }
        if self.when:
            key, value, names = self.when
            fields["when_key"] = key_name(key)
            fields["when_value"] = quote(value)
            fields["when_required"] = mask(keys, names)
        return initializer(fields)


def condition(schema, where):
    """The key and the value that an if/then is about."""
    (key, value), = schema["if"]["properties"].items()
    if schema["if"] != {"properties": {key: {"const": value["const"]}},
                        "required": [key]}:
        raise Unsupported(f"{where}: an `if` other than: key is value")
    return key, value["const"]


def read_root(schemas, version, common, events):
    path = schemas.top / f"evt{version}.schema.json"
    root = schemas.file(path)
    demand_known(root, {"$ref", "allOf"}, path.name)
    common.required[version] = common.always
    for branch in root["allOf"]:
        demand_known(branch, {"if", "then"}, path.name)
        key, name = condition(branch, path.name)
        then = branch["then"]
        demand_known(then, {"$ref", "required"}, f"{path.name}: {name}")
        if key != "event":
            raise Unsupported(f"{path.name}: an `if` on other than `event`")
        if name not in events:
            events[name] = Event(name, common).read(
                schemas, *schemas.follow(then["$ref"], path))
        event = events[name]
        event.required[version] = event.always + then.get("required", [])


def quote(text):
    return json.dumps(text)


def initializer(fields, dot="."):
    return "{ " + ", ".join(f"{dot}{name} = {value}"
                            for name, value in fields.items()) + " }"


def key_name(key):
    return "TR2_KEY_" + key.upper()


def mask(keys, wanted):
    return f"0x{sum(1 << keys.index(key) for key in set(wanted)):x}u"


def head(name):
    return int.from_bytes(name.encode()[:8], "little")


def name_table(what, names):
    """A perfect hash: a factor that gives each name its own slot of 256."""
    rng = random.Random(2)
    for factor in (rng.getrandbits(64) | 1 for _ in range(100000)):
        slots = [((head(name) ^ len(name)) * factor % 2**64) >> 56
                 for name in names]
        if len(set(slots)) == len(names):
            break
    else:
        raise Unsupported(f"no perfect hash for the {what} names")
    filled = {slot: f"0x{head(name):x}u, {len(name)}, {number}"
              for number, (slot, name) in enumerate(zip(slots, names))}
    # No text that is UTF-8 begins like an empty slot.
    empty = "UINT64_MAX, 0, 0"
    rows = [f"{{ {filled.get(slot, empty)} }}" for slot in range(256)]
    return "\n".join([
        f"const struct tr2_names tr2_names_{what}s = {{",
        f"\t.factor = 0x{factor:x}u,",
        "\t.slot = {", *indent(rows), "\t},",
        "\t.name = (const char *const[]){", *indent(map(quote, names)),
        "\t},", "};"])


def indent(rows):
    return [f"\t{row}," for row in rows]


def header(keys, events, versions):
    names = [f"TR2_IS_{name.upper()}" for name in events]
    return "\n".join([
        "/* Made by gen_tables.py from schema/. */",
        "#ifndef TR2_SCHEMA_TABLES_H", "#define TR2_SCHEMA_TABLES_H",
        f"#define TR2_EVT_MAX {max(versions)}",
        "enum tr2_key {", *indent(map(key_name, keys)), "\tTR2_KEYS", "};",
        "enum tr2_is {", *indent(names), "\tTR2_IS_OTHER", "};",
        "#endif", ""])


def source(keys, events, common, closed):
    checks = []

    def number_of(row):
        if row not in checks:
            checks.append(row)
        return checks.index(row)

    rows = [event.row(keys, number_of) for event in
            [*events.values(), common]]
    unknown_event = closed["properties"]["event"]["$comment"]
    return "\n".join([
        "/* Made by gen_tables.py from schema/. */",
        '#include "rules/schema.h"', '#include "read/json/match.h"',
        f"const char tr2_schema_unknown_event[] = {quote(unknown_event)};",
        f"const char tr2_schema_unknown_key[] = {quote(closed['$comment'])};",
        name_table("key", keys), name_table("event", list(events)),
        "const struct tr2_names_member tr2_names_members[] = {",
        *indent("{ %s, %d }" % (quote(',"' + key + '":'), len(key) + 4)
                for key in keys), "};",
        "const struct tr2_check tr2_schema_checks[] = {",
        *indent(checks), "};",
        "const struct tr2_schema_event tr2_schema_rules[] = {",
        *indent(rows), "};", ""])


def demand_matchers(events, match_h):
    declared = Path(match_h).read_text()
    for event in events:
        for key, check in event.checks.items():
            matcher = check.operand.get("match")
            if matcher and not re.search(rf"\b{matcher}\(", declared):
                raise Unsupported(f"{key}: no {matcher}() in {match_h}")


def main(schema_dir, match_h, output_h, output_c):
    schemas = Schemas(schema_dir)
    path = schemas.top / "common.schema.json"
    common = Event(None).read(schemas, schemas.file(path), path)
    versions = sorted(int(path.name[3]) for path in
                      schemas.top.glob("evt[0-9].schema.json"))
    events = {}
    for version in reversed(versions):  # the newest has the most events
        read_root(schemas, version, common, events)
    demand_matchers([common, *events.values()], match_h)
    keys = list(dict.fromkeys(
        key for event in [common, *events.values()] for key in event.checks))
    if len(keys) > KEYS_MAX:
        raise Unsupported(f"more than {KEYS_MAX} keys")
    closed = schemas.file(
        schemas.top / f"evt{max(versions)}.closed.schema.json")
    Path(output_h).write_text(header(keys, events, versions))
    Path(output_c).write_text(source(keys, events, common, closed))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (Unsupported, OSError, LookupError, ValueError) as error:
        sys.exit(f"gen_tables.py: {error}")
