"""SPEC.md and the schemas say the same of every event and field."""

import json

import pytest

import schema_oracle
import spec as reader

TYPES = {
    "string": "string",
    "integer": "integer",
    "seconds": "number",
    "boolean": "boolean",
    "array of strings": "array",
    "any JSON value": None,
}
EVENTS = schema_oracle.events()


@pytest.fixture(scope="module")
def spec(root):
    return reader.read(root)


@pytest.fixture(scope="module")
def fields(spec):
    """The own fields of each event, in the order of the line."""
    found = {event: [] for event in EVENTS}
    for field in spec.fields():
        found[field.event].append(field)
    return found


def test_each_event_has_the_keys_of_the_spec_in_its_order(fields):
    for event, schema in EVENTS.items():
        keys = list(schema_oracle.own_properties(event))
        # def_repo lists the common key repo too: there it is required
        own = [field for field in fields[event] if field.name in keys]
        assert [field.name for field in own] == keys, event
        always = set(schema.get("required", []))
        found = {field.name for field in fields[event] if field.required}
        assert found == always, event


def test_each_event_has_the_types_of_the_spec(fields):
    for event, schema in EVENTS.items():
        for field in fields[event]:
            found = schema_oracle.type_of(schema["properties"][field.name])
            assert found == TYPES[field.type], field


def test_the_events_in_the_examples_of_the_spec_fit_version_4(spec):
    examples = [one for one in spec.examples if one.kind == "event"]
    assert examples
    for example in examples:
        for line in example.lines:
            found = schema_oracle.findings(
                schema_oracle.root(4, closed=True), json.loads(line)
            )
            assert not found, f"SPEC.md:{example.line}: {line}"
