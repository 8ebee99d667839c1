"""Archives and converted logs as an independent reader sees them: Perfetto's
trace processor, asked by SQL. Skipped where it is missing."""

import collections
import datetime
import json

import fxt_corpus
import fxt_kit as fxt
import pytest
from perfetto_kit import perfetto  # noqa: F401
from validate_kit import CORPUS

SOUND = fxt_corpus.sound()
REAL = sorted((CORPUS / "pass/real").glob("evt*"))
SLICES = """
    select s.ts, s.dur, s.category, s.name, t.tid, p.pid, p.name as process
    from slice s join thread_track k on k.id = s.track_id
    join thread t using (utid) left join process p using (upid)"""


# One engine is enough, and one trace for all small archives: its start and
# each load take longer than any question.
pytestmark = pytest.mark.xdist_group("perfetto")


def move(data, number):
    """The sound archive as provider `number`, with ids of its own."""
    parts = [data[:8], fxt.provider(number), data[24:]]
    moved = b"".join(parts).replace(
        fxt.thread(1, 10, 11), fxt.thread(1, 10 * number, 10 * number + 1))
    return moved.replace(fxt.word(10) + fxt.word(11),
                         fxt.word(10 * number) + fxt.word(10 * number + 1))


@pytest.fixture(scope="module")
def seen(perfetto, tmp_path_factory):  # noqa: F811
    """{name of a sound archive: its slices}, and rows of other tables."""
    # Of "pairs" it says, rightly, that its flows are in no slice.
    names = sorted(SOUND.keys() - {"providers", "concatenated", "pairs",
                                   "name-not-utf8"})
    path = tmp_path_factory.mktemp("perfetto") / "all.fxt"
    path.write_bytes(b"".join(move(SOUND[name], number)
                              for number, name in enumerate(names, 100)))
    slices, args, counters, sched, threads, processes = perfetto(
        path, SLICES,
        "select s.ts, t.tid, a.key, a.display_value as value from slice s"
        " join args a using (arg_set_id) join thread_track k on"
        " k.id = s.track_id join thread t using (utid)",
        "select ts, value, t.name from counter c join track t"
        " on t.id = c.track_id",
        "select ts, cpu from sched", "select tid, name from thread",
        "select pid, name from process")
    of = {name: [one for one in slices if one["tid"] == 10 * number + 1]
          for number, name in enumerate(names, 100)}
    values = {one["key"].rpartition(".")[2]: one["value"] for one in args
              if one["tid"] == 10 * (100 + names.index("every-arg")) + 1}
    return {"slices": of, "args": values, "counters": counters,
            "sched": sched, "names": {one["name"] for one in
                                      [*threads, *processes]}}


def test_every_event_of_an_archive_is_seen(seen):
    slices = seen["slices"]["every-event"]
    assert sorted((one["ts"], one["dur"]) for one in slices) == [
        (10, 0), (12, 1), (14, 10)]
    assert {(one["name"], one["category"]) for one in slices} == {
        ("work", "test")}
    assert seen["counters"] == [
        {"ts": 11, "value": 1, "name": "work:value:7"}]


def test_every_argument_of_an_archive_is_seen(seen):
    assert {"int32": "-5", "argname": "5", "int64": str(-2**40),
            "double": "1.5", "string": "h\u00e9llo", "true": "true",
            "uint32": str(2**32 - 1)}.items() <= seen["args"].items()


def test_names_and_switches_of_an_archive_are_seen(seen):
    assert {"program", "main"} <= seen["names"]
    assert {"ts": 5, "cpu": 0} in seen["sched"]


def test_dead_space_is_not_seen(seen):
    shown = [(one["ts"], one["dur"]) for one in seen["slices"]["fillers"]]
    assert shown == [(100, 100)] * 2


def test_archives_are_read_as_here(seen):
    for name, ts, dur in (("small", 100, 100), ("inline-thread", 1, 1),
                          ("longest", 1, 0), ("ticks", 2**60 // 3, 1)):
        one, = seen["slices"][name]
        # It rounds where ticks are not nanoseconds.
        assert int(one["ts"]) == pytest.approx(ts, rel=1e-9, abs=0)
        assert one["dur"] == dur


def test_providers_are_read_with_their_own_tables_and_ticks(
    perfetto, scratch  # noqa: F811
):
    (scratch / "trace.fxt").write_bytes(
        SOUND["providers"] + fxt.magic() + fxt.provider(9) + fxt.ticks()
        + fxt.thread(1, 30, 31) + fxt.thread(2, 40, 41)
        + fxt.event("begin", 10, "from")
        + fxt.event("flow_begin", 12, last=7) + fxt.event("end", 30, "from")
        + fxt.event("begin", 20, "to", thread=2)
        + fxt.event("flow_end", 20, thread=2, last=7)
        + fxt.event("end", 40, "to", thread=2))
    slices, flows = perfetto(
        scratch / "trace.fxt", SLICES + " order by t.tid",
        "select a.name as a, b.name as b from flow f join slice a on"
        " a.id = f.slice_out join slice b on b.id = f.slice_in")
    assert [(one["ts"], one["dur"], one["name"]) for one in slices] == [
        (100, 50, "work"), (1000000, 0, "again"), (10, 20, "from"),
        (20, 20, "to")]
    assert flows == [{"a": "from", "b": "to"}]


# ---- Logs of real gits

def events_of(folder):
    for path in sorted(folder.rglob("*.event")):
        for line in path.read_bytes().splitlines():
            # What is not UTF-8 is a question mark in the trace.
            text = line.decode(errors="replace").replace("\ufffd", "?")
            yield json.loads(text)


def ns(event):
    time = datetime.datetime.strptime(event["time"], "%Y-%m-%dT%H:%M:%S.%fZ")
    past = time - datetime.datetime(1970, 1, 1)
    return (past.days * 86400 + past.seconds) * 10**9 + past.microseconds * 1000


def regions_of(events):
    """[(begin, length, category, name)] of the regions that ended."""
    found, open_ones = [], collections.defaultdict(list)
    for event in events:
        if "time" not in event:
            continue  # brief
        stack = open_ones[event["sid"], event["thread"]]
        if event["event"] == "region_enter":
            name = event.get("label") or event.get("msg")
            stack.append((ns(event), event.get("category", "region"), name))
        elif event["event"] == "region_leave" and stack:
            begin, category, name = stack.pop()
            length = round(event["t_rel"] * 10**6) * 1000
            found.append((begin, length, category, name))
        elif event["event"] == "atexit":
            open_ones.pop((event["sid"], event["thread"]), None)
    return sorted(found)


SID = """
    select p.upid, a.display_value as sid from slice s join args a
    using (arg_set_id) join thread_track k on k.id = s.track_id
    join thread t using (utid) join process p using (upid)
    where a.key like '%sid'"""
FLOWS = """
    select t.upid as parent, u.upid as child from flow f
    join slice a on a.id = f.slice_out join slice b on b.id = f.slice_in
    join thread_track j on j.id = a.track_id
    join thread t on t.utid = j.utid
    join thread_track k on k.id = b.track_id
    join thread u on u.utid = k.utid"""
VALUES = """
    select s.name, a.display_value as value from slice s join args a
    using (arg_set_id) where a.key like '%value' and s.dur = 0"""


def check_regions(events, slices):
    """Lengths are as written, but for a microsecond where what is inside ends
    later. The beginning is less sure: a process is moved to where it fits."""
    expected, shown = regions_of(events), collections.defaultdict(list)
    for one in slices:
        shown[one["category"], one["name"]].append(
            (int(one["ts"]), one["dur"]))
    assert len(expected) > 50
    for begin, length, *name in expected:
        near = [(ts, dur) for ts, dur in shown[tuple(name)]
                if abs(ts - begin) < 10**6 and abs(dur - length) <= 1000]
        assert near, (begin, length, name)
        shown[tuple(name)].remove(near[0])


def check_processes(events, slices):
    lives = [one for one in slices if one["category"] == "process"]
    named = {one["name"] for one in events if one["event"] == "cmd_name"}
    assert {name for name in named if name[0] != "_"} <= {
        one["process"] for one in lives}
    assert all(one["dur"] >= 0 for one in lives)
    # One that goes on behind its atexit is one process.
    assert len(lives) == len({one["sid"] for one in events})


def check_children(events, sids, flows):
    known = {one["sid"] for one in events}
    children = {one for one in known if one.rpartition("/")[0] in known}
    sid_of = {one["upid"]: one["sid"] for one in sids}
    tied = {sid_of[one["child"]]: sid_of[one["parent"]] for one in flows}
    assert len(children) > 20
    assert all(child.rpartition("/")[0] == parent
               for child, parent in tied.items())
    # Where times are coarse, one may begin before its parent says that it does;
    # Perfetto shows no arrow back.
    brief = {one["sid"] for one in events if "time" not in one}
    assert [child for child in children - tied.keys()
            if child.rpartition("/")[0] not in brief] == []


def check_data(events, values):
    expected = collections.Counter(
        (one["key"], str(one["value"])) for one in events
        if one["event"] == "data")
    shown = collections.Counter((one["name"], one["value"]) for one in values)
    assert sum(expected.values()) > 20
    assert not expected - shown


@pytest.mark.parametrize("git, form", [
    (REAL[0].name, "fxt"), (REAL[-1].name, "fxt"), (REAL[-1].name, "json")])
def test_logs_of_a_real_git_are_seen_whole(
    git, form, execute, trace2, scratch, perfetto  # noqa: F811
):
    folder = CORPUS / "pass/real" / git
    logs = scratch / "logs"
    logs.mkdir()
    for number, path in enumerate(sorted(folder.rglob("*.event"))):
        (logs / f"{number:03}").write_bytes(path.read_bytes())
    trace = scratch / f"out.{form}"
    execute([trace2, "convert", logs, trace])
    slices, sids, flows, values = perfetto(trace, SLICES, SID, FLOWS, VALUES)
    events = list(events_of(folder))
    check_regions(events, slices)
    check_processes(events, slices)
    check_children(events, sids, flows)
    check_data(events, values)


TRACKS = """
    select p.pid, k.name, count(*) as events from process_track k
    join slice s on s.track_id = k.id join process p using (upid)
    group by 1, 2"""
PIDS = "select upid, pid from process"
SERIES = """
    select t.name, count(*) as events, sum(c.value) as sum
    from counter c join counter_track t on t.id = c.track_id group by 1"""


def test_packets_show_what_the_archive_shows(
    execute, trace2, scratch, perfetto  # noqa: F811
):
    """Packets show flows as instants; asynchronous spans have tracks of their
    own, and an archive's series have other names."""
    seen = {}
    for form in ("fxt", "pftrace"):
        trace = scratch / f"out.{form}"
        execute([trace2, "convert", CORPUS / "pass/real" / REAL[-1].name, trace])
        *rows, pids = perfetto(trace, SLICES, FLOWS, TRACKS, SERIES, PIDS)
        pid_of = {row["upid"]: row["pid"] for row in pids}
        slices = [row for row in rows[0] if not (
            row["dur"] == 0 and row["name"].startswith("child"))]
        seen[form] = (
            sorted(map(str, slices)),
            sorted((pid_of[row["parent"]], pid_of[row["child"]])
                   for row in rows[1]), rows[2],
            sum(row["events"] for row in rows[3]),
            round(sum(row["sum"] for row in rows[3]), 6))
    archive, packets = seen["fxt"], seen["pftrace"]
    assert len(packets[0]) > 100 and len(packets[1]) > 20 and packets[2]
    assert packets[:2] == archive[:2] and packets[3:] == archive[3:]
