"""The order of Chrome's trace events that logs are converted to."""

import pytest
from test_convert import at, convert, event, of, process  # noqa: F401


def test_the_events_of_a_thread_stand_one_after_another(convert):  # noqa: F811
    lines = process(*(event(name, at, thread=f"th0{thread}:x", category="c",
                            label="l", nesting=1)
                      for at, thread, name in (
        (20, 1, "region_enter"), (21, 2, "region_enter"),
        (22, 1, "region_leave"), (23, 2, "region_leave"))))
    trace, _ = convert([*lines[:4], *process(sid="2"), *lines[4:]])
    shown = [(one["pid"], one["tid"]) for one in trace]
    runs = [one for one, before in zip(shown, [None, *shown])
            if one != before]
    assert len(runs) == len(set(runs)) == 4
    for thread in set(runs):
        times = [one["ts"] for one in trace if "ts" in one
                 and (one["pid"], one["tid"]) == thread]
        assert times == sorted(times)


def test_the_event_that_makes_a_process_begin_is_behind_that(convert):  # noqa: F811
    version = event("version", 90, thread="th01:x", evt="4", exe="2.55.0")
    trace, _ = convert([version, event("cmd_mode", 50, name="m")])
    assert [(one["ph"], at(one)) for one in trace if one["ph"] in "BIE"] == [
        ("B", 90), ("I", 90), ("E", 90)]


@pytest.mark.long("a trace of more than is held")
def test_a_large_trace_is_sorted_in_parts(convert):  # noqa: F811
    texts = [f"{number} {'x' * 500}" for number in range(130000)]
    trace, _ = convert(process(
        *(event("printf", 20 + number, msg=text)
          for number, text in enumerate(texts)), last=900000))
    assert [one["args"]["msg"] for one in of(trace, "I", name="printf")
            ] == texts
