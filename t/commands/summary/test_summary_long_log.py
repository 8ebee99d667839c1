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
    def call(lines, left_out=False):
        lines = sorted(lines, key=lambda one: one[0])
        assert len(lines) > HELD
        (scratch / "log").write_text("".join(text for _, text in lines))
        done = execute([trace2, "summary", "--format", "json", "log"])
        assert (b"left out" in done.stderr) == left_out
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


def one_and_many(count, words, program, name, wall):
    """Of its children, every third one ends."""
    yield from normal_shapes.life(0, "fetch origin", "fetch", 0)
    for i in range(count):
        at = 1_000 + i * 1_000
        yield normal_shapes.line(at, f"child_start[{i}] "
                                 f"{program} {words} {i}")
        yield from normal_shapes.life(at + 100, f"{words} {i}", name, wall)
        if i % 3 == 0:
            yield normal_shapes.line(at + 900, f"child_exit[{i}] pid:{i} code:0 "
                                               "elapsed:0.000900")
    yield from normal_shapes.ends(count * 1_000 + 2_000, -300)


def test_children_without_an_end(summarize):
    count = 20_000
    roots, told = summarize(one_and_many(count, "status", "sh", "status", 700))
    assert roots == count + 1
    assert told["fetch"] == (1, count * 1_000 + 2_320, 1_100)
    assert told["status"] == (count, *[count * 1_020] * 2)


def test_a_process_whose_children_were_killed(summarize):
    count = 14_000
    roots, told = summarize(one_and_many(count, "rev-list", "git",
                                          "fetch/rev-list", 0))
    assert roots == 1
    assert told["fetch"][:2] == (1, count * 1_000 + 2_320)
    assert told["fetch/rev-list"][0] == count


def when_nobody_lives(count):
    for i in range(10):
        yield from normal_shapes.life(i * 1_000, "fetch", "fetch", 0)
    yield from normal_shapes.ends(20_000_000, 15_000_000)
    for i in range(count):
        yield normal_shapes.line(20_000_100 + i * 10, "def_param a.b=c")
    yield from normal_shapes.life(20_000_200 + count * 10, "status", "status", 5_000)
    for i in range(3_000):
        yield normal_shapes.line(20_010_000 + count * 10 + i * 10, "def_param a.b=c")


def test_lines_of_nobody_are_of_no_process_that_begins_later(summarize):
    roots, told = summarize(when_nobody_lives(62_500), left_out=True)
    assert roots == 11
    assert set(told) == {"fetch", "status"}


def two_and_their_children(count):
    """Whose each `sh` is, nothing says; so both seem silent for long."""
    yield from normal_shapes.life(0, "fetch origin", "fetch", 0)
    yield from normal_shapes.life(5_000, "push origin", "push", 0)
    for i in range(count):
        at, parent, child = 10_000 + i * 1_000, ("fetch", "push")[i % 2], i // 2
        if i % 10 < 8:
            yield normal_shapes.line(at, f"child_start[{child}] sh -c x{i}")
            continue
        yield normal_shapes.line(at, f"child_start[{child}] git rev-list {i}")
        yield from normal_shapes.life(at + 3_000, f"rev-list {i}",
                                      f"{parent}/rev-list", 300_000)
        yield normal_shapes.line(at + 304_000, f"child_exit[{child}] pid:{i} "
                                               "code:0 elapsed:0.304000")
    yield from normal_shapes.ends(count * 1_000 + 2_000_000, -300)
    yield from normal_shapes.ends(count * 1_000 + 2_000_100, 4_700)


def test_two_that_seem_silent(summarize):
    count = 30_000
    roots, told = summarize(two_and_their_children(count), left_out=True)
    assert roots == 2
    assert [told[name][:2] for name in ("fetch", "push")] == [
        (1, count * 1_000 + 2_000_320), (1, count * 1_000 + 1_995_420)]
    assert set(told) == {"fetch", "push", "fetch/rev-list", "push/rev-list"}


@pytest.mark.plain("memory that is free stays with it")
def test_processes_that_never_end_do_not_stay_in_memory(trace2, scratch):
    def measure(count):
        shape = normal_shapes.at_a_time(1, "status {}".format, wall=1)
        (scratch / "log").write_text("".join(text for _, text in shape(count)))
        return convert_shapes.cost(trace2, "summary", scratch / "log")[1]
    assert measure(60_000) < measure(20_000) + 20
