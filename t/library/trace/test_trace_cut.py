"""A file of trace events that was cut, as by a crash or a full disk: what is
whole in it loads in Perfetto as it is, and everywhere when it is repaired."""

import json
import random

import pytest
from devtools_kit import devtools  # noqa: F401
from perfetto_kit import perfetto  # noqa: F401
from test_trace_events import trace

pytestmark = [pytest.mark.xdist_group("perfetto"),
              pytest.mark.long("loads a trace two hundred times")]

SHOWN = """
    select (select count(*) from slice) as slices,
    (select count(*) from thread where name = 'test-tool') as named"""


def cuts(whole):
    """Each line end of the last 4 kB, and 64 offsets anywhere."""
    ends = [at for at in range(len(whole) - 4096, len(whole))
            if whole[at - 1:at] == b"\n"]
    assert len(ends) > 20
    return ends + random.Random(6).sample(range(1, len(whole)), 64)


def events_of(part):
    """Those that are whole, with a line end or without one."""
    for line in part.splitlines():
        try:
            yield json.loads(line.lstrip(b","))
        except ValueError:
            assert line == part.splitlines()[-1] or line == b"["


def repaired(part):
    """SPEC: chrome.cut"""
    return part[:part.rindex(b"\n") + 1] + b"]" if b"\n" in part else b"[]"


@pytest.fixture(params=[("many", "300"), ("nested", "150")],
                ids=lambda words: words[0])
def whole(request, test_tool, scratch):
    """The bytes of a file."""
    trace(test_tool, scratch, *request.param)
    return (scratch / "t.json").read_bytes()


def test_perfetto_loads_what_is_whole_of_a_file_cut_anywhere(
    perfetto, scratch, whole  # noqa: F811
):
    part = scratch / "part.json"
    for at in cuts(whole):
        part.write_bytes(whole[:at])
        found = list(events_of(whole[:at]))
        (shown,), = perfetto(part, SHOWN)
        assert shown == {
            "slices": sum(event["ph"] in "BI" for event in found),
            "named": sum(event["name"] == "thread_name" for event in found),
        }, at


def test_a_file_cut_anywhere_is_json_once_it_is_repaired(whole):
    for at in cuts(whole):
        found = json.loads(repaired(whole[:at]))
        assert found == list(events_of(whole[:at]))[:len(found)]
        assert len(found) == max(0, whole[:at].count(b"\n") - 1), at


def test_devtools_loads_a_file_cut_anywhere_once_it_is_repaired(
    devtools, scratch, whole  # noqa: F811
):
    part = scratch / "part.json"
    for at in cuts(whole):
        part.write_bytes(repaired(whole[:at]))
        seen = devtools(part)
        assert sum(len(thread["slices"]) for thread in seen["threads"]) == sum(
            event["ph"] in "BI" for event in json.loads(part.read_bytes()))
