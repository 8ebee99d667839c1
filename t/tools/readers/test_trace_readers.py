"""Trace events as two independent readers see them: Perfetto's trace
processor and the engine of Chrome's DevTools, over the same files.

Both must load each file without a word, and agree on its slices and
instants, their times, names, categories and nesting, on what processes and
threads are called, and on flows. DevTools' engine has no counters, and no
spans but those of web pages.
"""

import collections
import json

import pytest
from devtools_kit import devtools  # noqa: F401
from perfetto_kit import perfetto  # noqa: F401
from test_fxt_perfetto import FLOWS, REAL, SOUND
from test_trace_events import CASES, GOLDEN, trace

pytestmark = [pytest.mark.xdist_group("perfetto"),
              pytest.mark.long("starts two readers")]

SLICES = """
    select s.ts, s.dur, s.category as cat, s.name, s.depth, t.tid, p.pid
    from slice s join thread_track k on k.id = s.track_id
    join thread t using (utid) join process p using (upid)"""
NAMES = """
    select p.pid, p.name as process, t.tid, t.name as thread
    from thread t join process p using (upid)"""
PIDS = "select upid, pid from process"


def ns(us):
    """A number of microseconds; as a double it is not exact."""
    return int(us) * 1000 + round(us % 1 * 1000)


def perfetto_sees(perfetto, path):  # noqa: F811
    slices, names, pids, flows = perfetto(path, SLICES, NAMES, PIDS, FLOWS)
    pid_of = {row["upid"]: row["pid"] for row in pids}
    found = collections.defaultdict(list)
    for row in slices:
        # What did not end has no length, there -1.
        found[row["pid"], row["tid"]].append((
            int(row["ts"]), max(0, row["dur"]), row["cat"], row["name"],
            row["depth"]))
    return {
        "slices": found,
        "processes": {row["pid"]: row["process"] for row in names},
        "threads": {(row["pid"], row["tid"]): row["thread"] for row in names},
        "flows": sorted((pid_of[row["parent"]], pid_of[row["child"]])
                        for row in flows)}


def devtools_sees(devtools, path):  # noqa: F811
    seen = devtools(path)
    return {
        "slices": {(one["pid"], one["tid"]): [
            (ns(ts), ns(dur), cat, name, depth)
            for ts, dur, cat, name, depth in one["slices"]]
            for one in seen["threads"]},
        "processes": {int(pid): name
                      for pid, name in seen["processes"].items()},
        "threads": {(one["pid"], one["tid"]): one["name"]
                    for one in seen["threads"]},
        "flows": sorted((flow[0][0], flow[-1][0]) for flow in seen["flows"])}


def without_depth(slices):
    return sorted(one[:4] for one in slices)


def nesting(slices):
    """The depths of what touches no end of another slice of its thread:
    where times are equal each reader has its own idea of inside."""
    ends = collections.Counter()
    for ts, dur, *_ in slices:
        ends.update({ts, ts + dur})
    return sorted(one for one in slices
                  if ends[one[0]] == ends[one[0] + one[1]] == 1)


def check_alike(path, perfetto, devtools):  # noqa: F811
    """Both see the same. Gives that, as Perfetto has it."""
    one, other = perfetto_sees(perfetto, path), devtools_sees(devtools, path)
    assert one["slices"].keys() == other["slices"].keys()
    for thread, slices in one["slices"].items():
        theirs = other["slices"][thread]
        assert without_depth(theirs) == without_depth(slices)
        assert nesting(theirs) == nesting(slices)
        assert other["threads"][thread] == one["threads"][thread]
    named = other["processes"]
    assert named == {pid: one["processes"][pid] for pid in named}
    return one


def names_of(seen):
    return sorted(one[3] for slices in seen["slices"].values()
                  for one in slices)


@pytest.mark.parametrize("case", sorted(CASES.keys() - {"boundary"}))
def test_perfetto_and_devtools_read_golden_traces_alike(
    case, perfetto, devtools, scratch  # noqa: F811
):
    text = (GOLDEN / f"{case}.txt").read_text()
    found = []
    for part in text.split("]\n")[:-1]:
        name, _, lines = part.partition("\n")
        (scratch / name).write_text(lines + "]\n")
        found += names_of(check_alike(scratch / name, perfetto, devtools))
    assert len(found) == sum(text.count(f'"ph":"{ph}"') for ph in "BXI")


@pytest.mark.parametrize("words", [
    ("phases",), ("quotes",), ("threads", "8"), ("overlap", "8"),
    ("nested", "20"), ("many", "3000")])
def test_perfetto_and_devtools_read_trace_events_alike(
    words, perfetto, devtools, test_tool, scratch  # noqa: F811
):
    trace(test_tool, scratch, *words)
    seen = check_alike(scratch / "t.json", perfetto, devtools)
    assert names_of(seen)


def join(paths, whole):
    """One trace of several files."""
    events = [e for path in paths for e in json.loads(path.read_text())]
    whole.write_text(json.dumps(events))
    return whole


def test_perfetto_and_devtools_read_rotated_files_alike(
    perfetto, devtools, test_tool, scratch  # noqa: F811
):
    trace(test_tool, scratch, "-n", "3", "nested", "7", name="${rotation}")
    files = [scratch / str(number) for number in range(1, 6)]
    assert sorted(scratch.iterdir()) == files
    # Slices that end in another file: where they are inside, there is no
    # saying, but that they are there both say.
    for path in files:
        one = perfetto_sees(perfetto, path)
        assert names_of(one) == names_of(devtools_sees(devtools, path))
    seen = check_alike(join(files, scratch / "whole"), perfetto, devtools)
    slices, = seen["slices"].values()
    assert [depth for *_, depth in sorted(slices)] == list(range(7))


def test_perfetto_and_devtools_read_the_chrome_target_alike(
    perfetto, devtools, run, scratch  # noqa: F811
):
    for number, call in enumerate((("500region_nested", "9"),
                                   ("101timer", "3", "1", "4"),
                                   ("590flood", "300", "4"))):
        path = scratch / f"{number}.json"
        run(*call, env={"GIT_TRACE2_CHROME": str(path)})
        assert "version" in names_of(check_alike(path, perfetto, devtools))


# Those without events, with times that no double has, with flows in no
# slice, and with a log message or instants of a wider scope, which are of no
# thread in Perfetto.
APART = {"base-time", "magic", "ticks", "pairs", "every-record", "scopes"}


@pytest.mark.parametrize("name", sorted(SOUND.keys() - APART))
def test_perfetto_and_devtools_read_converted_archives_alike(
    name, execute, trace2, scratch, perfetto, devtools  # noqa: F811
):
    (scratch / "in.fxt").write_bytes(SOUND[name])
    execute([trace2, "convert", scratch / "in.fxt", scratch / "out.json"])
    assert names_of(check_alike(scratch / "out.json", perfetto, devtools))


def flows_back(path):
    """What begins before its parent says that it does, as the times of a
    brief log are coarse. Perfetto shows no arrow back."""
    ends = collections.defaultdict(dict)
    for event in json.loads(path.read_text()):
        if event["ph"] in ("s", "f"):
            ends[event["id"]][event["ph"]] = event["ts"], event["pid"]
    return [(end["s"][1], end["f"][1]) for end in ends.values()
            if len(end) == 2 and end["f"][0] < end["s"][0]]


@pytest.mark.parametrize("git", [path.name for path in REAL])
def test_perfetto_and_devtools_read_converted_logs_alike(
    git, execute, trace2, scratch, perfetto, devtools  # noqa: F811
):
    logs = scratch / "logs"
    logs.mkdir()
    for folder in REAL:
        if folder.name == git:
            for number, path in enumerate(sorted(folder.rglob("*.event"))):
                (logs / f"{number:03}").write_bytes(path.read_bytes())
    execute([trace2, "convert", logs, scratch / "out.json"])
    check_alike(scratch / "out.json", perfetto, devtools)
    one = perfetto_sees(perfetto, scratch / "out.json")
    other = devtools_sees(devtools, scratch / "out.json")
    back = flows_back(scratch / "out.json")
    assert len(back) < 3 and len(one["flows"]) > 20
    assert sorted(one["flows"] + back) == other["flows"]
