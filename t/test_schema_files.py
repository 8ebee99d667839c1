"""The schema files themselves: their form, their examples, their roots."""

import pytest
import schema_cases
import schema_oracle

# The generator of the validator's tables knows these and no other.
KEYWORDS = set(
    """type const enum required properties items minimum minLength maxLength
    pattern if then unevaluatedProperties allOf $ref $defs $schema $id
    $comment title description examples""".split()
)
SINCE = {
    "too_many_files": 2,
    "child_ready": 3,
    "cmd_ancestry": 3,
    "th_timer": 3,
    "timer": 3,
    "th_counter": 3,
    "counter": 3,
    "printf": 4,
}
EVENTS = schema_oracle.events()
FILES = sorted(schema_oracle.FOLDER.rglob("*.schema.json"))


def name(path):
    return str(path.relative_to(schema_oracle.FOLDER))


@pytest.fixture(params=FILES, ids=name)
def file(request):
    return request.param


@pytest.fixture
def schema(file):
    return schema_oracle.read_schema(file)


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
    return [event for event in EVENTS if SINCE.get(event, 1) <= version]


def test_a_schema_is_valid_under_its_metaschema(schema):
    schema_oracle.Draft202012Validator.check_schema(schema)


def test_a_schema_uses_no_other_keyword_than_agreed(schema):
    for part in subschemas(schema):
        assert set(part) <= KEYWORDS


def test_a_schema_is_named_by_its_place_and_the_set_version(file, schema):
    assert schema["$id"] == schema_oracle.BASE + name(file)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_a_schema_says_what_it_is_and_cites_a_requirement(schema):
    assert schema["title"] and schema["description"].endswith(".")
    assert "." in schema["$comment"]


def test_the_examples_of_a_schema_are_valid_under_it(schema):
    checker = schema_oracle.compile_schema(schema)
    assert len(schema["examples"]) >= 2
    for example in schema["examples"]:
        assert not schema_oracle.findings(checker, example)


def test_patterns_have_their_names_in_the_common_schema(schema):
    if schema == schema_oracle.common():
        named = {k for k, v in schema["$defs"].items() if "pattern" in v}
        assert named == {"pattern-digits", "pattern-sid", "pattern-time"}
        schema = {**schema, "$defs": {}}
    assert not [part for part in subschemas(schema) if "pattern" in part]


def test_the_folder_holds_one_file_an_event_and_eight_roots():
    roots = [f"evt{n}{c}" for n in (1, 2, 3, 4) for c in ("", ".closed")]
    names = ["common", *roots, *(f"events/{event}" for event in EVENTS)]
    assert len(EVENTS) == 30
    assert {name(file) for file in FILES} == {
        f"{each}.schema.json" for each in names
    }


def test_each_common_key_cites_its_requirement():
    properties = schema_oracle.common()["properties"]
    assert tuple(properties) == schema_cases.COMMON
    for key, part in properties.items():
        assert part["$comment"] == f"event.common.{key}"


@pytest.mark.parametrize("event", EVENTS)
def test_each_key_of_an_event_cites_its_requirement(event):
    schema = EVENTS[event]
    assert schema["title"] == event
    assert schema["$comment"] == f"event.{event}"
    for key, part in schema.get("properties", {}).items():
        assert part["$comment"] == f"event.{event}.{key}"
        assert part["description"].endswith(".")


@pytest.mark.parametrize("event", EVENTS)
def test_the_first_example_of_an_event_has_every_key_in_order(event):
    own = [*EVENTS[event].get("properties", {})]
    keys = [*schema_cases.full(event)]
    common = [key for key in schema_cases.COMMON if key in keys]
    assert keys == common + [key for key in own if key not in common]
    assert {*common} >= {*schema_cases.COMMON} - {"repo"}


@pytest.mark.parametrize("event", EVENTS)
def test_the_last_example_of_an_event_has_the_required_keys_only(event):
    required = {"event", "sid", "thread", *EVENTS[event].get("required", [])}
    if event == "def_param":
        required.add("scope")  # by the root of version 4
    assert set(schema_cases.smallest(event)) == required


@pytest.mark.parametrize("event", EVENTS)
def test_the_examples_of_an_event_fit_both_roots_of_version_4(event):
    for example in EVENTS[event]["examples"]:
        for closed in (False, True):
            checker = schema_oracle.root(4, closed)
            assert not schema_oracle.findings(checker, example)


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
