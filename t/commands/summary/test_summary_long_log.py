"""NORMAL of processes that run at the same time, with more lines than are held at
once: the summary has each of them, wherever lines are passed on."""

import json
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "t/tools/perf"))
import convert_shapes  # noqa: E402
import normal_shapes  # noqa: E402

HELD = 65_536


@pytest.fixture
def summarize(trace2, scratch, execute):
    """Returns what is known of each command: how often it ran, and how long."""
    def call(lines):
        lines = sorted(lines, key=lambda one: one[0])
        assert len(lines) > 2 * HELD
        (scratch / "log").write_text("".join(text for _, text in lines))
        done = execute([trace2, "summary", "--format", "json", "log"])
        assert b"left out" not in done.stderr
        told = json.loads(done.stdout)
        return told["roots"], {
            one["name"]: (one["count"], one["total_us"], one["self_us"])
            for one in told["commands"]}
    return call


def test_parents_with_children_eight_at_a_time(summarize):
    wanted = {}
    for i in range(13):
        count = 6_000 // 13 + (i < 6_000 % 13)
        wanted[f"n{i}"] = count, count * 22_320, count * (22_320 - 3 * 6_400)
        wanted[f"n{i}/rev-list"] = (3 * count, *[3 * count * 5_320] * 2)
    assert summarize(normal_shapes.parents(6_000)) == (6_000, wanted)


def one_and_its_children(count):
    """It lives from the first line to the last one; others run beside it."""
    yield from normal_shapes.life(0, "fetch origin", "fetch", 0)
    for i in range(count):
        at, words = 1_000 + i * 10_000, f"rev-list {i}"
        yield normal_shapes.line(at, f"child_start[{i}] git {words}")
        yield from normal_shapes.life(at + 900, words, "fetch/rev-list", 5_000)
        yield normal_shapes.line(at + 6_400, f"child_exit[{i}] pid:{i} code:0 "
                                             "elapsed:0.006400")
        yield from normal_shapes.life(at + 3_000, f"status {i}", "status", 5_000)
    yield from normal_shapes.ends(count * 10_000 + 2_000, -300)


def test_a_process_that_starts_children_for_as_long(summarize):
    count = 10_000
    whole = count * 10_000 + 2_320
    assert summarize(one_and_its_children(count)) == (count + 1, {
        "fetch": (1, whole, whole - count * 6_400),
        "fetch/rev-list": (count, *[count * 5_320] * 2),
        "status": (count, *[count * 5_320] * 2),
    })


@pytest.mark.plain("memory that is free stays with it")
def test_processes_that_never_end_do_not_stay_in_memory(trace2, scratch):
    def measure(count):
        shape = normal_shapes.at_a_time(1, "status {}".format, wall=1)
        (scratch / "log").write_text("".join(text for _, text in shape(count)))
        return convert_shapes.cost(trace2, "summary", scratch / "log")[1]
    assert measure(60_000) < measure(20_000) + 20
