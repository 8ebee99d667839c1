"""What `trace2 summary` advises, and where the log does not prove it."""

import pytest
from summary_kit import event, life, write_log

SID = "20261123T100000.000000Z-H1-P00000001"


def region(category, label, start, end):
    names = {"category": category, "label": label, "nesting": 1}
    return [event(SID, "region_enter", start, **names),
            event(SID, "region_leave", end, t_rel=end - start, **names)]


def child(number, start, end, argv, kind="?", **names):
    return [event(SID, "child_start", start, child_id=number, child_class=kind,
                  use_shell=False, argv=argv, **names),
            event(SID, "child_exit", end, child_id=number, pid=number + 2,
                  code=0, t_rel=end - start)]


@pytest.fixture
def advice(execute, trace2, scratch):
    """advice(lines...): those that begin with `advice: `, without it."""

    def call(*lines):
        log = write_log(scratch / "log", *lines)
        done = execute([trace2, "summary", log])
        assert done.returncode == 0, done.stderr
        start = "advice: "
        return [line[len(start):] for line in done.stdout.decode().splitlines()
                if line.startswith(start)]

    return call


@pytest.mark.parametrize("exe, told", [
    ("2.55.0", True), ("2.54.1", False), ("2.39.5", False), ("x", False),
    ("2.37.0.windows.1", True), ("2.36.0.windows.1", False),
    ("2.39.5 (Apple Git-154)", True), ("3.0.0", True),
])
def test_a_git_that_has_no_monitor_is_not_told_to_use_one(exe, told, advice):
    log = life(SID, *region("index", "refresh", 1, 5), end=10, exe=exe)
    assert bool(advice(*log)) == told


@pytest.mark.parametrize("command, told", [("fetch", 1), ("maintenance", 0)])
def test_maintenance_that_was_asked_for_is_not_in_the_way(command, told, advice):
    log = child(0, 2, 8, ["git", "gc", "--auto"])
    lines = advice(*life(SID, *log, end=10, name=command, exe="2.39.5"))
    assert len(lines) == told
    for line in lines:
        assert line.startswith("git gc took 6.00 s, 60.0% of the time: ")
        assert "; saves about 5.40 s of 10.0 s" in line


def test_a_hook_is_named_beside_commands_that_did_not_fail(execute, trace2, root):
    push = root / "t/stories/push-that-a-remote-hook-rejects/log.event"
    status = root / "t/corpus/pass/real/evt4-git2.55/status.event"
    for logs in ([push], [push, status]):
        done = execute([trace2, "summary", *logs])
        first = done.stdout.splitlines()[0]
        assert b" failed, exit code 1: " in first
        assert first.count(b"; the hook pre-receive of the remote") == 1
