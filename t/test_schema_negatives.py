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
