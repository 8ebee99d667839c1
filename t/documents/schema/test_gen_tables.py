"""The generator of the validator's tables refuses what it can't express."""

import json
import shutil
import sys

import pytest

pytestmark = pytest.mark.long("runs a generator for each case")

START = "events/start.schema.json"
EXIT = "events/exit.schema.json"
COMMON = "common.schema.json"
ROOT4 = "evt4.schema.json"


@pytest.fixture
def generate(execute, root, scratch):
    """generate(): run it on the copy of schema/ in scratch."""
    tool = root / "helper/rules/gen_tables.py"
    match_h = root / "helper/read/json/match.h"
    shutil.copytree(root / "schema", scratch / "schema")

    def call(matchers=match_h):
        outputs = ("t.h", "t.c")
        return execute(
            [sys.executable, tool, "schema", matchers, *outputs]
        )

    return call


@pytest.fixture
def change(scratch):
    """change(file, path, value): one place of one schema."""

    def call(name, path, value):
        file = scratch / "schema" / name
        schema = json.loads(file.read_text())
        part = schema
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = value
        file.write_text(json.dumps(schema))

    return call


CODE = ("properties", "code")
REFUSED = {
    "a keyword of a value": (EXIT, (*CODE, "maximum"), 255),
    "a keyword of an event": (EXIT, ("additionalProperties",), False),
    "a keyword of a root": (ROOT4, ("oneOf",), []),
    "a keyword of a branch": (ROOT4, ("allOf", 0, "else"), {}),
    "a keyword of a then": (ROOT4, ("allOf", 0, "then", "minProperties"), 1),
    "a keyword of an item": (
        START, ("properties", "argv"),
        {"type": "array", "items": {"type": "string", "maxLength": 9}},
    ),
    "items of other types": (
        START, ("properties", "argv"),
        {"type": "array", "items": {"type": ["string", "null"]}},
    ),
    "items without an array": (
        START, ("properties", "argv"), {"items": {"type": "string"}},
    ),
    "a minimum with a fraction": (
        EXIT, CODE, {"type": "number", "minimum": 0.5},
    ),
    "a pattern without a name": (
        EXIT, CODE, {"type": "string", "pattern": "a"},
    ),
    "a longer minLength": (EXIT, CODE, {"type": "string", "minLength": 2}),
    "an enum of numbers": (EXIT, CODE, {"enum": [0, 1]}),
    "two tests of a value": (
        EXIT, CODE,
        {"type": ["string", "integer"], "minLength": 1, "minimum": 0},
    ),
    "a key laxer than in common": (
        EXIT, ("properties", "sid"), {"type": "string"},
    ),
    "a condition on another key": (
        ROOT4, ("allOf", 3, "if"),
        {"properties": {"code": {"const": "0"}}, "required": ["code"]},
    ),
    "a condition that is no constant": (
        ROOT4, ("allOf", 3, "if", "properties", "event"), {"enum": ["exit"]},
    ),
    "a condition with more to it": (
        ROOT4, ("allOf", 3, "if", "type"), "object",
    ),
    "an unknown type": (EXIT, CODE, {"type": "float"}),
    "a definition that is not there": (EXIT, CODE, {"$ref": "#/$defs/none"}),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_generator_refuses(what, generate, change):
    change(*REFUSED[what])
    result = generate()
    assert result.returncode == 1
    assert result.stderr.startswith(b"gen_tables.py: ")
    assert b"Traceback" not in result.stderr


def test_generator_refuses_more_than_one_key_for_a_bit(generate, change):
    keys = {f"key{i}": {"$comment": "event.exit.x"} for i in range(64)}
    change(EXIT, ("properties",), keys)
    assert b"more than 64 keys" in generate().stderr


def test_generator_refuses_a_pattern_that_has_no_matcher(generate, scratch):
    names = ("sid", "time")
    (scratch / "m.h").write_text("".join(f"tr2_match_{n}();" for n in names))
    result = generate("m.h")
    assert result.returncode == 1 and b"tr2_match_digits" in result.stderr


def test_generator_writes_the_same_tables_each_time(generate, scratch, root):
    assert generate().returncode == 0
    first = (scratch / "t.c").read_bytes(), (scratch / "t.h").read_bytes()
    assert generate().returncode == 0
    again = (scratch / "t.c").read_bytes(), (scratch / "t.h").read_bytes()
    assert first == again


def test_annotations_change_nothing_but_ids(generate, change, scratch):
    generate()
    before = (scratch / "t.c").read_text()
    change(EXIT, ("description",), "Something else.")
    change(EXIT, (*CODE, "examples"), [7])
    change(EXIT, (*CODE, "$comment"), "event.exit.other")
    assert generate().returncode == 0
    after = (scratch / "t.c").read_text()
    assert after == before.replace("event.exit.code", "event.exit.other")
