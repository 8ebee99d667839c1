"""Is EVENT text sound before any event is looked at? SPEC: input.*

    broken(text)    the ids that it breaks, and the line that does
"""

import contextlib
import json
import math
import re

BOM = b"\xef\xbb\xbf"
MIB = 1 << 20
DEPTH = 512  # levels


class Repeated(ValueError):
    """A key is there twice."""


def of_pairs(pairs):
    made = dict(pairs)
    if len(made) < len(pairs):
        raise Repeated
    return made


def constant(word):
    raise ValueError(word)


def parse(line):
    """The value on a line, as strictly as JSON is defined."""
    return json.loads(line, object_pairs_hook=of_pairs,
                      parse_constant=constant)


def broken(text):
    """{id: the first line that breaks it}"""
    found = {}
    lines = text.split(b"\n")
    if lines[-1]:
        found["input.final-newline"] = lines[-1]
    else:
        lines.pop()
    if lines and lines[0].startswith(BOM):
        found["input.bom"] = lines[0]
        lines[0] = lines[0].removeprefix(BOM)
    for line in lines:
        for name in [*of_bytes(line), *of_line(line)]:
            found.setdefault("input." + name, line)
    return found


def of_bytes(line):
    """What is wrong with a line whatever it means."""
    wrong = []
    try:
        line.decode()
    except UnicodeDecodeError:
        wrong.append("utf8")
    if b"\0" in line:
        wrong.append("nul")
    if line.endswith(b"\r"):
        wrong.append("crlf")
    if not line.strip():
        wrong.append("blank-line")
    if len(line) > MIB:
        wrong.append("long-line")
    if len(line) > 16 * MIB:
        wrong.append("huge-line")
    return wrong


def of_line(line):
    """What is wrong with what it means, if anything is to be read."""
    text = line.decode(errors="replace")
    if not text.strip() or "\0" in text:
        return []
    try:
        value = parse(text)
    except Repeated:
        return ["duplicate-key"]
    except RecursionError:
        return ["depth"]
    except ValueError:
        return [of_no_json(text)]
    if not isinstance(value, dict):
        return ["not-object"]
    return list(of_value(value, 1))


def of_no_json(text):
    with contextlib.suppress(ValueError):
        _, end = json.JSONDecoder().raw_decode(text)
        return "two-objects" if text[end:].lstrip()[:1] == "{" else "json"
    return "torn-line" if is_torn(text) else "json"


def is_torn(text):
    """Does a text that begins as an object end, or another begin, inside
    it?"""
    if '{"event":' in text[1:]:
        return text.startswith("{")
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    opened = bare.count("{") + bare.count("[")
    closed = bare.count("}") + bare.count("]")
    return text.startswith("{") and (opened > closed or '"' in bare)


def of_value(value, level):
    if level > DEPTH and isinstance(value, (dict, list)):
        yield "depth"
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from of_value(key, level)
            yield from of_value(inner, level + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from of_value(inner, level + 1)
    elif isinstance(value, str):
        if re.search("[\ud800-\udfff]", value):
            yield "lone-surrogate"
    elif not in_range(value):
        yield "number-range"


def in_range(value):
    """Of a number, true, false or null."""
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or -(1 << 63) <= value < 1 << 64
