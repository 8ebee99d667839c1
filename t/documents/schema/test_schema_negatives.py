"""Every way to break an event is found, under the id that it breaks."""

import pytest

import schema_cases
import schema_oracle

EVENTS = list(schema_oracle.events())


@pytest.mark.parametrize("event", EVENTS)
def test_each_broken_event_gives_one_finding_under_its_id(event):
    for name, path, broken in schema_cases.negatives(event):
        found = schema_oracle.findings(schema_oracle.root(4), broken)
        assert found == {(name, path)}, broken


@pytest.mark.parametrize("event", EVENTS)
def test_what_stays_within_its_limits_gives_no_finding(event):
    for value in schema_cases.positives(event):
        assert not schema_oracle.findings(schema_oracle.root(4), value), value


@pytest.mark.parametrize("name", ["common", *(f"events/{e}" for e in EVENTS)])
def test_what_is_no_object_is_refused_by_each_schema(name):
    for value in ([], "exit", 7, None, True):
        assert not schema_oracle.validator(name).is_valid(value)
