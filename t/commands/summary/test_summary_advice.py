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


def child_life(number, start, end, name):
    sid = f"{SID}/20261123T1000{int(start):02}.000000Z-H1-P{number + 2:08x}"
    return life(sid, start=start, end=end, name=name)


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


@pytest.mark.parametrize("category, label, setting", [
    ("index", "refresh", "core.fsmonitor"),
    ("index", "preload", "core.fsmonitor"),
    ("dir", "read_directory", "core.untrackedCache"),
    ("status", "untracked", "core.untrackedCache"),
    ("fetch-pack", "mark_complete_and_common_ref", "commit-graph"),
    ("fetch-pack", "negotiation_v2", "fetch.negotiationAlgorithm"),
])
def test_a_long_region_has_its_setting(category, label, setting, advice):
    told, = advice(*life(SID, *region(category, label, 1, 5), end=10))
    assert told.startswith(f"40 % of the time is in {category} / {label}: ")
    assert setting in told
    assert not advice(*life(SID, *region(category, label, 1, 2.9), end=10))


@pytest.mark.parametrize("exe, told", [
    ("2.55.0", True), ("2.54.1", False), ("2.39.5", False), ("x", False),
    ("2.37.0.windows.1", True), ("2.36.0.windows.1", False),
    ("2.39.5 (Apple Git-154)", True), ("3.0.0", True),
])
def test_a_git_that_has_no_monitor_is_not_told_to_use_one(exe, told, advice):
    log = life(SID, *region("index", "refresh", 1, 5), end=10, exe=exe)
    assert bool(advice(*log)) == told


@pytest.mark.parametrize("option", [
    "--depth", "--depth=1", "--shallow-since=2020", "--filter=blob:none",
    "--sparse"])
def test_who_clones_a_part_is_not_told_to_do_so(option, advice):
    pack = child_life(0, 1, 9, "index-pack")
    log = child(0, 1, 9, ["git", "index-pack"])
    for argv, told in ((["git", "clone", "u"], 1), (["git", "clone", option, "u"], 0)):
        assert len(advice(*life(SID, *log, *pack, end=10, name="clone",
                                argv=argv))) == told


def test_an_index_without_locks_keeps_no_cache(advice):
    log = life(SID, *region("dir", "read_directory", 1, 5), end=10,
               argv=["git", "--no-optional-locks", "status"])
    assert not advice(*log)


def test_a_setting_that_is_on_is_not_advised(advice):
    inner = [*region("index", "refresh", 1, 5),
             *region("fsmonitor", "query", 5, 6)]
    assert not advice(*life(SID, *inner, end=10))


@pytest.mark.parametrize("argv, names, setting", [
    (["git", "maintenance", "run"], {}, "git maintenance start"),
    (["git", "gc", "--auto"], {}, "git maintenance start"),
    (["git", "credential-store", "get"], {}, "credential.helper"),
    ([".git/hooks/pre-commit"], {"kind": "hook", "hook_name": "pre-commit"},
     "core.hooksPath"),
])
def test_a_long_child_has_its_setting(argv, names, setting, advice):
    told, = advice(*life(SID, *child(0, 2, 8, argv, **names), end=10))
    assert told.startswith("60 % of the time is in ") and setting in told


def clone(name, *more):
    pack = ["git", "index-pack", "--stdin"]
    return [*life(SID, *child(0, 1, 8, pack), *more, end=10, name=name),
            *child_life(0, 1, 8, "index-pack")]


def test_a_clone_of_the_whole_history_may_be_partial(advice):
    told, = advice(*clone("clone"))
    assert told.startswith("70 % of the time is in index-pack: ")
    assert "git clone --filter=blob:none" in told


def test_a_fetch_or_a_partial_clone_is_not_advised_to_be_partial(advice):
    assert not advice(*clone("fetch"))
    late = child(1, 8, 9, ["git", "-c", "a=b", "fetch", "origin"])
    assert not advice(*clone("clone", *late))
