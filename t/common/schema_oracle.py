"""The schemas as an oracle: what is wrong with a line, under which id.

    /usr/bin/python3 t/common/schema_oracle.py LOG

prints the findings that a log is expected to give, as the first three
columns of an .expect file in t/corpus: id, line and column. Columns are
bytes from 1: the first byte of the offending value, or the object's
brace where a key is missing, or the first byte that is not UTF-8.
"""

import functools
import json
import sys
import threading
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "schema"
BASE = "https://trace2.example/schema/1/"
VERSIONS = (1, 2, 3, 4)


@functools.lru_cache(maxsize=None)
def library():
    """Its validator; who only reads schemas need not wait."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator


@functools.lru_cache(maxsize=None)
def resolving(others):
    """A function that makes the validator of a schema, by a library of old
    or of today. References lead to this schema and to others(), by $id; no
    other is resolved, and nothing asks the network."""
    try:
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012
    except ImportError:
        return functools.partial(with_resolver, others)
    rows = [(k, DRAFT202012.create_resource(v)) for k, v in others().items()]
    registry = Registry().with_resources(rows)
    return functools.partial(library(), registry=registry)


def with_resolver(others, schema):
    """For jsonschema before 4.18, which has no registries."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from jsonschema import RefResolver
    handlers = dict.fromkeys(("http", "https"), refuse_reference)
    found = RefResolver(
        schema["$id"], schema, store=others(), handlers=handlers
    )
    return library()(schema, resolver=found)


def refuse_reference(url):
    raise LookupError(f"no schema here has the $id {url}")


@functools.lru_cache(maxsize=None)
def schemas():
    """Every schema of the tree, by its $id."""
    documents = map(read_schema, sorted(FOLDER.rglob("*.schema.json")))
    return {document["$id"]: document for document in documents}


def read_schema(path):
    return json.loads(path.read_text(), object_pairs_hook=unique)


def document(name):
    """A file in schema/, without its `.schema.json`."""
    return schemas()[f"{BASE}{name}.schema.json"]


def validator(name):
    return compile_schema(document(name))


@functools.lru_cache(maxsize=None)
def pattern(name):
    """The validator of one of the named patterns."""
    return library()(common()["$defs"][f"pattern-{name}"])


def compile_schema(schema):
    return resolving(schemas)(schema)


def compile_alone(schema):
    """The validator of a schema that refers to no other one."""
    return resolving(dict)(schema)


def root(version, closed=False):
    """The validator of a root; a resolver is not for two threads at once."""
    name = f"evt{version}.closed" if closed else f"evt{version}"
    return validator_of_thread(name, threading.get_ident())


@functools.lru_cache(maxsize=None)
def validator_of_thread(name, _):
    return validator(name)


def common():
    return document("common")


@functools.lru_cache(maxsize=None)
def events():
    """The schemas of the events, by name, in the order of the table."""
    return {
        name: document(f"events/{name}")
        for name in document("evt4.closed")["properties"]["event"]["enum"]
    }


def own_properties(event):
    """The keys that an event adds: not common ones that it restricts."""
    properties = events()[event].get("properties", {})
    shared = common()["properties"]
    return {k: v for k, v in properties.items() if k not in shared}


def required(event):
    """What an event must have in version 4, beside the common keys."""
    keys = list(events()[event].get("required", []))
    for branch in document("evt4")["allOf"]:
        if branch["if"]["properties"]["event"]["const"] == event:
            keys += branch["then"].get("required", [])
    return keys


def type_of(part):
    """The type of a property, also where it refers to a definition."""
    if "$ref" in part:
        part = common()["$defs"][part["$ref"].rpartition("/")[2]]
    return "string" if "enum" in part else part.get("type")


def unique(pairs):
    """Refuse an object that has a key twice."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate key")
    return members


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def parse(line):
    """The value of one line, in bytes, by the letter of RFC 8259."""
    return json.loads(
        line.decode(), object_pairs_hook=unique, parse_constant=refuse
    )


def key_id(event, key):
    """The requirement that speaks of a key, or None if none does."""
    known = events().get(event, {}) if isinstance(event, str) else {}
    own = known.get("properties", {})
    schema = own.get(key) or common()["properties"].get(key)
    return schema and schema["$comment"]


def findings(checker, value):
    """What is wrong with an event: pairs of id and path to the value."""
    found = set()
    for error in checker.iter_errors(value):
        found.update(explain(error, value))
    return found


def explain(error, value):
    path = tuple(error.absolute_path)
    if error.validator == "required":
        for key in set(error.validator_value) - set(value):
            yield key_id(value.get("event"), key), ()
    elif error.validator == "unevaluatedProperties":
        for key in value:
            if not key_id(value.get("event"), key):
                yield "version.unknown-key", (key,)
    elif error.validator == "enum" and path == ("event",):
        yield "version.unknown-event", path
    else:
        yield key_id(value.get("event"), path[0]), path


def shape(value):
    """What decides about an event, apart from the values of patterns."""
    if isinstance(value, dict):
        return tuple((k, member_shape(k, v)) for k, v in value.items())
    if isinstance(value, list):
        return list, frozenset(map(shape, value))
    if isinstance(value, bool) or value is None:
        return type(value)
    if isinstance(value, str):
        return str, bool(value)
    return type(value), value < 0, value < 1, value == int(value)


def member_shape(key, value):
    decisive = ("event", "child_class", "ready")
    is_decisive = key in decisive and isinstance(value, str)
    return value if is_decisive else shape(value)


def positions(line):
    """The column of every value of a line, by its path."""
    text = line.decode()
    found = {}
    decode = json.JSONDecoder().raw_decode

    def skip(at, extra=""):
        while text[at] in " \t\r\n" + extra:
            at += 1
        return at

    def walk(at, path):
        found[path] = len(text[:at].encode()) + 1
        if text[at] not in "[{":
            return decode(text, at)[1]
        is_object = text[at] == "{"
        index = 0
        at = skip(at + 1)
        while text[at] not in "]}":
            key = index
            if is_object:
                key, at = decode(text, at)
                at = skip(at, ":")
            at = skip(walk(at, path + (key,)), ",")
            index += 1
        return at + 1

    walk(skip(0), ())
    return found


def expected(path):
    """The findings of a log, each event by the version of its session."""
    versions = {}
    for number, line in enumerate(log_lines(path), 1):
        for name, column in line_findings(line, versions):
            yield name, number, column


def log_lines(path):
    return path.read_bytes().removesuffix(b"\n").split(b"\n")


def line_findings(line, versions):
    try:
        value = parse(line)
    except UnicodeDecodeError as error:
        return [("input.utf8", error.start + 1)]
    sid, evt = value.get("sid"), value.get("evt")
    if value.get("event") == "version" and evt in map(str, VERSIONS):
        versions[sid] = int(evt)
    checker = root(versions.get(sid, VERSIONS[-1]))
    columns = positions(line)
    found = [(name, columns[path]) for name, path in findings(checker, value)]
    return sorted(found, key=lambda finding: (finding[1], finding[0]))


def read_expected(path):
    """The findings that stand in an .expect file."""
    rows = (row.split("\t") for row in path.read_text().splitlines())
    return [(row[0], int(row[1]), int(row[2])) for row in rows]


if __name__ == "__main__":
    for finding in expected(Path(sys.argv[1])):
        print(*finding, sep="\t")
