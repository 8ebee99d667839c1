"""The schema files themselves: their form, their examples, their roots."""

import socket

import pytest

import schema_cases
import schema_oracle
from kit import forms

# The generator of the validator's tables knows these and no other.
KEYWORDS = set(
    """type const enum required properties items minimum minLength maxLength
    pattern if then unevaluatedProperties allOf $ref $defs $schema $id
    $comment title description examples""".split()
)
METASCHEMA = "https://json-schema.org/draft/2020-12/schema"
SINCE = forms.since()
EVENTS = schema_oracle.events()
CHECKER = schema_oracle.library()
FILES = {
    str(path.relative_to(schema_oracle.FOLDER)): schema_oracle.read_schema(path)
    for path in sorted(schema_oracle.FOLDER.rglob("*.schema.json"))
    # These are not of events, but of what commands print.
    if path.name not in (
        "diff.schema.json", "findings.schema.json", "summary.schema.json")
}


def subschemas(schema):
    """A schema and all schemas within it."""
    yield schema
    inner = [schema[key] for key in ("items", "if", "then") if key in schema]
    inner += schema.get("allOf", [])
    for key in ("properties", "$defs"):
        inner += schema.get(key, {}).values()
    for part in inner:
        yield from subschemas(part)


def of_version(version):
    return [event for event in EVENTS if SINCE[event] <= version]


def test_each_schema_is_valid_under_its_metaschema():
    for schema in FILES.values():
        CHECKER.check_schema(schema)


def test_each_schema_uses_no_other_keyword_than_agreed():
    for name, schema in FILES.items():
        for part in subschemas(schema):
            assert set(part) <= KEYWORDS, name


def test_each_schema_is_named_by_its_place_and_the_set_version():
    for name, schema in FILES.items():
        assert schema["$id"] == schema_oracle.BASE + name
        assert schema["$schema"] == METASCHEMA


def test_each_schema_says_what_it_is_and_cites_a_requirement():
    for name, schema in FILES.items():
        assert schema["title"] and schema["description"].endswith("."), name
        assert "." in schema["$comment"], name


def test_each_schema_has_examples_that_are_valid_under_it():
    for name, schema in FILES.items():
        checker = schema_oracle.compile_schema(schema)
        assert len(schema["examples"]) >= 2, name
        for example in schema["examples"]:
            assert not schema_oracle.findings(checker, example), name


def test_patterns_have_their_names_in_the_common_schema():
    parts = [part for schema in FILES.values() for part in subschemas(schema)]
    named = {
        name: part
        for name, part in schema_oracle.common()["$defs"].items()
        if "pattern" in part
    }
    assert set(named) == {"pattern-digits", "pattern-sid", "pattern-time"}
    assert sum("pattern" in part for part in parts) == len(named)


def test_the_folder_holds_one_file_an_event_and_eight_roots():
    roots = [f"evt{n}{c}" for n in (1, 2, 3, 4) for c in ("", ".closed")]
    names = ["common", *roots, *(f"events/{event}" for event in EVENTS)]
    assert set(FILES) == {f"{name}.schema.json" for name in names}


def test_each_common_key_cites_its_requirement():
    properties = schema_oracle.common()["properties"]
    assert tuple(properties) == schema_cases.COMMON
    for key, part in properties.items():
        assert part["$comment"] == f"event.common.{key}"


def test_each_key_of_an_event_cites_its_requirement():
    for event, schema in EVENTS.items():
        assert schema["title"] == event
        assert schema["$comment"] == f"event.{event}"
        for key, part in schema.get("properties", {}).items():
            assert part["$comment"] == f"event.{event}.{key}"
            assert part["description"].endswith("."), part["$comment"]


def test_the_first_example_of_an_event_has_every_key_in_order():
    for event in EVENTS:
        keys = list(schema_cases.full(event))
        common = [key for key in schema_cases.COMMON if key in keys]
        assert keys == common + list(schema_oracle.own_properties(event))
        assert set(common) >= set(schema_cases.COMMON) - {"repo"}, event


def test_the_last_example_of_an_event_has_the_required_keys_only():
    for event in EVENTS:
        required = {"event", "sid", "thread", *schema_oracle.required(event)}
        assert set(schema_cases.smallest(event)) == required


def test_the_examples_of_an_event_fit_both_roots_of_version_4():
    for schema in EVENTS.values():
        for example in schema["examples"]:
            assert schema_oracle.root(4).is_valid(example)
            assert schema_oracle.root(4, closed=True).is_valid(example)


@pytest.mark.parametrize("version", schema_oracle.VERSIONS)
def test_an_open_root_dispatches_the_events_of_its_version(version):
    schema = schema_oracle.root(version).schema
    assert schema["$ref"] == "common.schema.json"
    assert schema["allOf"] == [
        {
            "if": {
                "properties": {"event": {"const": event}},
                "required": ["event"],
            },
            "then": {"$ref": f"events/{event}.schema.json"}
            | extra(event, version),
        }
        for event in of_version(version)
    ]


def extra(event, version):
    if event != "def_param":
        return {}
    return {"required": ["scope"] if version == 4 else ["value"]}


@pytest.mark.parametrize("version", schema_oracle.VERSIONS)
def test_a_closed_root_is_the_open_one_and_a_list_of_events(version):
    schema = schema_oracle.root(version, closed=True).schema
    assert schema["$ref"] == f"evt{version}.schema.json"
    assert schema["properties"]["event"]["enum"] == of_version(version)
    assert schema["unevaluatedProperties"] is False


@pytest.mark.parametrize("compile_schema", ["compile_schema", "compile_alone"])
def test_an_unknown_reference_is_refused_without_a_network(
    compile_schema, monkeypatch
):
    asked = []
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *names, **_: asked.append(names)
    )
    schema = {
        "$schema": METASCHEMA,
        "$id": "https://trace2.example/alone",
        "$ref": "https://trace2.example/nowhere",
    }
    checker = getattr(schema_oracle, compile_schema)(schema)
    with pytest.raises(Exception, match="nowhere"):
        checker.is_valid({})
    assert not asked
