"""The reference writes what the schemas say.

Its event table is read from `test-tool event-table`; its logs are those
in golden/event.
"""

import subprocess

import pytest

import schema_cases
import schema_oracle

TYPES = {
    "string": "string",
    "strings": "array",
    "int": "integer",
    "int64": "integer",
    "uint64": "integer",
    "bool": "boolean",
    "seconds-us": "number",
    "seconds-ns": "number",
    "json": None,
}
EVENTS = schema_oracle.events()
GOLDEN = sorted((schema_oracle.ROOT / "golden" / "event").rglob("*.txt"))


@pytest.fixture(scope="module")
def table(test_tool):
    """The rows of the event table: event, key, type, presence, flags."""
    text = subprocess.check_output([test_tool, "event-table"], text=True)
    return [line.split("\t") for line in text.splitlines()]


def test_the_table_has_the_events_of_the_schemas_in_order(table):
    assert [row[0] for row in table if row[1] == "-"] == list(EVENTS)


def test_the_table_has_the_keys_of_the_schemas_in_order(table):
    for event in EVENTS:
        keys = [row[1] for row in fields(table, event)]
        assert keys == list(schema_oracle.own_properties(event)), event


def test_the_table_has_the_types_of_the_schemas(table):
    for event in EVENTS:
        properties = schema_oracle.own_properties(event)
        for _, key, kind, _, _ in fields(table, event):
            found = schema_oracle.type_of(properties[key])
            assert found == TYPES[kind], (event, key)


def test_the_table_lets_the_same_keys_be_absent_as_the_schemas(table):
    for event in EVENTS:
        rows = fields(table, event)
        always = {row[1] for row in rows if row[3] == "required"}
        required = schema_oracle.required(event)
        assert always == set(required) - set(schema_cases.COMMON), event


def test_an_event_that_must_have_a_repo_may_have_one_in_the_table(table):
    may = {row[0] for row in table if "repo" in row[4].split(",")}
    must = {e for e in EVENTS if "repo" in schema_oracle.required(e)}
    assert must == {"def_repo"} and must <= may


def fields(table, event):
    return [row for row in table if row[0] == event and row[1] != "-"]


@pytest.fixture(scope="module")
def written():
    """Every event of the golden logs, and where it stands."""
    if not GOLDEN:
        pytest.skip("golden/event holds no log")
    return list(schema_cases.lines(GOLDEN))


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_every_event_that_the_reference_writes_fits_the_root(written, closed):
    checker = schema_oracle.root(4, closed)
    for where, value in schema_cases.samples(written):
        assert not schema_oracle.findings(checker, value), where


def test_every_sid_time_and_evt_of_the_reference_fits_its_pattern(written):
    for name, text in schema_cases.pattern_values(written):
        assert schema_oracle.pattern(name).is_valid(text), text


def test_every_line_that_the_reference_writes_is_utf8(written):
    count = sum(len(schema_oracle.log_lines(log)) for log in GOLDEN)
    assert count == len(written)
