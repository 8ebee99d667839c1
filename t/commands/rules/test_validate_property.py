"""`trace2 validate` against python3-jsonschema on mutated real lines.

The oracle reads a line by the letter of RFC 8259 and of SPEC.md's chapter
on input, which is stricter than Python's json in three ways: numbers are in
range, surrogates come in pairs, nesting is limited (see
test_validate_corpus.py for that).
"""

import collections
import functools
import json
import math

import pytest
import schema_oracle
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from validate_kit import CORPUS, START, alone, log, places, read_jsonl

pytestmark = pytest.mark.long("mutates thousands of lines")

MUTANTS = 1000

# What a value is replaced by: each kind, numbers at the edges of their
# ranges and of their grammar, texts that decide; and what is not quite JSON.
VALUES = """
"" "x" "4" "5" "04" "ready" "hook" "a\x7f" "a b" "\\n" "\\u0041" "\\ud83d\\ude00"
"2026-01-14T09:30:42.112403Z" "2026-01-14T09:30:60.112403Z"
"2026-01-14T24:30:42.112403Z" "2026-01-14T09:30:42.11240Z"
0 1 -1 -2 7 -0 1.0 2e0 0.5 -0.5 -0.0 1E2 1e-2 1E-2 1e300 1e-400 0e999
999999999999999999 9223372036854775807 18446744073709551615
-9223372036854775808 123456789012345678901234567890.0
true false null [] ["a"] ["a","b","c"] ["a",1] [[]] [1] {} {"a":{"b":1}}
[{"a":1},{"a":2}] {"a":[{"b":1,"c":{}}]} "é\U0001f600"
""".split()
BAD_VALUES = """
18446744073709551616 -9223372036854775809 123456789012345678901234567890
1e400 -1e400 01 -01 1. .5 1e +1 - 1x 1\x01 tru truex nul NaN Infinity
"\\ud800" "\\udc00\\ud800" "\\q" "\\u12" 'x' ["a",] ["a" "b"] [1 {"a":1,} {"a"}
{"a":1,"a":2} [{"a":{"b":1,"\\u0062":2}}] {"a":1,"b":{"a":1,"c":1,"c":1}} {1:2}
""".split()

# What is put between bytes: what real writers get wrong, and worse.
BYTES = [
    b'"', b"\\", b"{", b"}", b"[", b"]", b":", b",", b" ", b"\t", b"\r", b"0",
    b"-", b".", b"e5", b"\0", b"\x01", b"\x7f", b"\xff", b"\xc3", b"\xc3\xa9",
    b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\\u0041", b"true", b'"a":1,', b"{}",
]  # fmt: skip

# Keys of other events, and some that differ from known ones at their ends.
OTHER_KEYS = ["code", "cd", "x", "", "hierarchz", "eventx", "si", "use_shelL"]
NAMES = sorted(schema_oracle.events()) + [
    *("novelty", "", "region_entez", "cmd", "dat", "exit\0"),
]
BLANKS = ["", "", " ", "\t", " \r "]


class Refused(Exception):
    """By the rules of input that Python's json does not have."""


@functools.lru_cache(maxsize=None)
def pool():
    """Real lines, a few of each event of each version."""
    lines = collections.defaultdict(list)
    for path in sorted(CORPUS.glob("pass/real/*/*.event")):
        for line in path.read_bytes().splitlines():
            kind = line[:40].split(b'"')[3], path.parent.name
            if len(line) < 600 and len(lines[kind]) < 3:
                lines[kind].append(line)
    return [line for each in lines.values() for line in each if utf8(line)]


def utf8(line):
    return line.decode(errors="replace").encode() == line


def change_members(rng, members):
    """Change, drop, repeat or rename one of the (key, JSON) pairs."""
    at = rng.randrange(len(members))
    key, value = members[at]
    other = rng.choice([key for key, _ in members] + OTHER_KEYS)
    name = json.dumps(rng.choice(NAMES))
    members[at : at + 1] = rng.choice(
        [
            [],
            [(key, rng.choice(VALUES))],
            [(key, rng.choice(VALUES))],
            [(key, rng.choice(VALUES))],
            [(key, rng.choice(BAD_VALUES))],
            [(key, value), ("x", rng.choice(VALUES))],
            [(key, value), (other, value)],
            [(other, value)],
            [(key, name if key == "event" else value)],
        ]
    )
    if rng.random() < 0.3:
        rng.shuffle(members)


def spell(rng, text):
    """A string as JSON, now and then with more escapes than it needs."""
    if rng.random() < 0.9:
        return json.dumps(text, ensure_ascii=rng.random() < 0.5)
    return '"' + "".join(f"\\u{ord(byte):04x}" for byte in text) + '"'


def write(rng, members):
    """An object with its keys in that order, also one that is repeated."""
    colon, comma = (rng.choice(BLANKS) + mark for mark in ":,")
    pairs = (spell(rng, key) + colon + value for key, value in members)
    return ("{" + (comma + rng.choice(BLANKS)).join(pairs) + "}").encode()


def change_bytes(rng, line):
    """Put some bytes in, take some out, or write some twice."""
    start = rng.randrange(len(line))
    end = start + rng.choice([0, 0, 1, 1, 2, 12])
    inside = rng.choice([b"", line[start:end] * 2, *BYTES])
    return line[:start] + inside + line[end:]


def mutate(rng):
    line = rng.choice(pool())
    members = [(k, json.dumps(v)) for k, v in json.loads(line).items()]
    change_members(rng, members)
    line = write(rng, members)
    if rng.random() < 0.15:
        line = change_bytes(rng, line)
    return line.replace(b"\n", b" ")


@functools.lru_cache(maxsize=None)
def mutants():
    lines = []

    @settings(
        max_examples=MUTANTS, suppress_health_check=list(HealthCheck)
    )
    @given(st.randoms(use_true_random=True))
    def collect(rng):
        lines.append(mutate(rng))

    collect()
    return lines


def integer(text):
    if len(text) > 20 or not -(2**63) <= int(text) < 2**64:
        raise Refused("integer out of range")
    return int(text)


def fraction(text):
    if math.isinf(float(text)):
        raise Refused("number out of range")
    return float(text)


def strict_parse(line):
    """The value of the line; an exception if it has none."""
    value = json.loads(
        line.decode(),
        object_pairs_hook=schema_oracle.unique,
        parse_constant=schema_oracle.refuse,
        parse_int=integer,
        parse_float=fraction,
    )
    json.dumps(value, ensure_ascii=False).encode()  # no lone surrogates
    return value


def oracle(line, version):
    """The findings (id: first column) of a line, or "refused"."""
    try:
        value = strict_parse(line)
    except (ValueError, Refused):
        return "refused"
    if not isinstance(value, dict):
        return "refused"
    columns = schema_oracle.positions(line)
    first = {}
    checker = schema_oracle.root(version)
    for name, path in schema_oracle.findings(checker, value):
        first[name] = min(columns[path], first.get(name, math.inf))
    return first


@pytest.fixture
def judge(validate, scratch):
    """judge(lines, version): what the validator finds, as oracle() says it."""

    def call(lines, version):
        # A good line between two mutants: a torn one can't hide the next.
        text = log(*(part for line in lines for part in (line, START)))
        (scratch / "log").write_bytes(text)
        result = validate(
            *("--evt", str(version), "--format", "jsonl"), scratch / "log"
        )
        verdicts = [{} for _ in lines]
        for finding in alone(read_jsonl(result)[0]):
            if finding["level"] == "error":
                assert finding["line"] % 2
                verdict(verdicts, finding["line"] // 2, finding)
        return verdicts

    return call


def verdict(verdicts, at, finding):
    if finding["id"].startswith("input."):
        verdicts[at] = "refused"
    elif verdicts[at] != "refused":
        verdicts[at][finding["id"]] = finding["column"]


def test_mutants_are_judged_as_jsonschema_judges_them(judge):
    counts = collections.Counter()
    for version in schema_oracle.VERSIONS:
        lines = mutants()[version - 1 :: len(schema_oracle.VERSIONS)]
        found = judge([START, *lines], version)[1:]
        for line, verdict_of_ours in zip(lines, found):
            expected = oracle(line, version)
            assert verdict_of_ours == expected, (version, line)
            counts[expected if expected == "refused" else bool(expected)] += 1
    assert counts[False] >= MUTANTS / 4
    assert counts[True] >= MUTANTS / 4
    assert counts["refused"] >= MUTANTS / 20
