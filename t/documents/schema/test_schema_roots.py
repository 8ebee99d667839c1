"""What the roots of the four versions accept, open and closed."""

import pytest

import schema_cases
import schema_oracle

EVENTS = schema_oracle.events()
ROOTS = [(v, c) for v in schema_oracle.VERSIONS for c in (False, True)]


def found(version, closed, value):
    return schema_oracle.findings(schema_oracle.root(version, closed), value)


def unknown_to(version):
    closed = schema_oracle.root(version, closed=True).schema
    return set(EVENTS) - set(closed["properties"]["event"]["enum"])


@pytest.mark.parametrize("event", EVENTS)
def test_an_unknown_key_is_welcome_in_open_roots_only(event):
    value = schema_cases.changed(schema_cases.full(event), "novelty", [1])
    wrong = {("version.unknown-key", ("novelty",))}
    assert found(4, False, value) == set()
    assert found(4, True, value) == wrong


@pytest.mark.parametrize("version", schema_oracle.VERSIONS)
def test_an_unknown_event_is_welcome_in_open_roots_only(version):
    value = schema_cases.changed(schema_cases.full("exit"), "event", "exits")
    value = {k: v for k, v in value.items() if k not in ("t_abs", "code")}
    assert found(version, False, value) == set()
    wrong = {("version.unknown-event", ("event",))}
    assert found(version, True, value) == wrong


@pytest.mark.parametrize("version", (1, 2, 3))
def test_an_event_of_a_later_version_is_an_unknown_one(version):
    assert unknown_to(version)
    for event in unknown_to(version):
        value = schema_cases.changed(schema_cases.smallest(event), "code", "?")
        assert found(version, False, value) == set()
        wrong = ("version.unknown-event", ("event",))
        assert wrong in found(version, True, value)


@pytest.mark.parametrize("version, closed", ROOTS)
def test_the_common_keys_of_an_unknown_event_are_judged(version, closed):
    value = schema_cases.changed(schema_cases.full("exit"), "event", "exits")
    value["sid"] = ""
    assert ("event.common.sid", ("sid",)) in found(version, closed, value)


@pytest.mark.parametrize("version, closed", ROOTS)
def test_def_param_needs_value_up_to_3_and_scope_since_4(version, closed):
    value = schema_cases.full("def_param")
    needed = "scope" if version == 4 else "value"
    for key in ("scope", "value"):
        rest = {k: v for k, v in value.items() if k != key}
        wrong = {(f"event.def_param.{key}", ())} if key == needed else set()
        assert found(version, closed, rest) == wrong


@pytest.mark.parametrize("version, closed", ROOTS)
def test_a_child_that_is_no_hook_needs_no_hook_name(version, closed):
    value = schema_cases.changed(
        schema_cases.full("child_start"), "child_class", "editor"
    )
    del value["hook_name"]
    assert found(version, closed, value) == set()


@pytest.mark.parametrize("value", [[], "exit", 7, None, True])
def test_a_line_that_is_no_object_fits_no_root(value):
    for version, closed in ROOTS:
        assert not schema_oracle.root(version, closed).is_valid(value)
