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


@pytest.fixture
def ask(perfetto, scratch):  # noqa: F811
    """ask(archive's bytes, query...): rows of each query."""

    def call(data, *queries):
        (scratch / "trace.fxt").write_bytes(data)
        return perfetto(scratch / "trace.fxt", *queries)

    return call


def test_every_event_of_an_archive_is_seen(ask):
    slices, counters, flows = ask(
        SOUND["every-event"],
        "select ts, dur, name, category from slice order by ts",
        "select ts, value, t.name from counter c join track t"
        " on t.id = c.track_id",
        "select count(*) as n from flow")
    assert [(one["ts"], one["dur"]) for one in slices] == [
        (10, 0), (12, 1), (14, 10), (15, -1), (16, 0)]
    assert {(one["name"], one["category"]) for one in slices} == {
        ("work", "test")}
    assert counters == [{"ts": 11, "value": 1, "name": "work:value:21"}]
    assert flows == [{"n": 0}]  # the ids of its events differ


def test_every_argument_of_an_archive_is_seen(ask):
    rows, = ask(SOUND["every-arg"],
                "select key, display_value as value from args")
    shown = {one["key"].rpartition(".")[2]: one["value"] for one in rows}
    assert {"int32": "-5", "argname": "5", "int64": str(-2**40),
            "double": "1.5", "string": "h\u00e9llo", "true": "true",
            "uint32": str(2**32 - 1)}.items() <= shown.items()


def test_names_and_switches_of_an_archive_are_seen(ask):
    process, thread, sched = ask(
        SOUND["every-record"],
        "select name from process where pid = 10",
        "select name from thread where tid = 11",
        "select ts, cpu, end_state from sched where ts = 5")
    assert process == [{"name": "program"}]
    assert thread == [{"name": "main"}]
    assert sched and sched[0]["cpu"] == 0


def test_dead_space_is_not_seen(ask):
    slices, = ask(SOUND["fillers"], "select ts, dur from slice")
    assert slices == [{"ts": 100, "dur": 100}] * 2


@pytest.mark.parametrize("name, expected", [
    # Ticks of the second provider are milliseconds.
    ("providers", [(100, 50, "work"), (1000000, 0, "again")]),
    ("concatenated", [(100, 100, "work"), (100, 100, "work")]),
    ("replaced", [(1, 0, "new")]),
    ("inline-thread", [(1, 1, "work")]),
    ("ticks", [(2**60 // 3, 1, "work")]),
])
def test_an_archive_is_read_as_here(name, expected, ask):
    slices, = ask(SOUND[name], "select ts, dur, name from slice order by ts")
    shown = [(int(one["ts"]), one["dur"], one["name"]) for one in slices]
    assert [one[1:] for one in shown] == [one[1:] for one in expected]
    # It rounds where ticks are not nanoseconds.
    assert [one[0] for one in shown] == [
        pytest.approx(one[0], rel=1e-9, abs=0) for one in expected]


def test_a_flow_binds_to_the_slices_around_it(ask):
    rows, = ask(
        fxt.begin() + fxt.thread(2, 20, 21)
        + fxt.event("begin", 10, "from")
        + fxt.event("flow_begin", 12, last=7) + fxt.event("end", 30, "from")
        + fxt.event("begin", 20, "to", thread=2)
        + fxt.event("flow_end", 20, thread=2, last=7)
        + fxt.event("end", 40, "to", thread=2),
        "select a.name as a, b.name as b from flow f join slice a on"
        " a.id = f.slice_out join slice b on b.id = f.slice_in")
    assert rows == [{"a": "from", "b": "to"}]


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
            found.append((begin, ns(event) - begin, category, name))
        elif event["event"] == "atexit":
            open_ones.pop((event["sid"], event["thread"]), None)
    return sorted(found)


def lives_of(events):
    """How many processes there are; a log can go on behind its atexit."""
    alive, count = set(), 0
    for event in events:
        count += event["sid"] not in alive
        alive.add(event["sid"])
        if event["event"] in ("atexit", "signal"):
            alive.remove(event["sid"])
    return count


@pytest.fixture(params=REAL, ids=lambda path: path.name)
def real(request, execute, trace2, scratch, perfetto):  # noqa: F811
    """(events, archive, JSON) of the logs of one git."""
    logs = scratch / "logs"
    logs.mkdir()
    for number, path in enumerate(sorted(request.param.rglob("*.event"))):
        (logs / f"{number:03}").write_bytes(path.read_bytes())
    for name in ("out.fxt", "out.json"):
        execute([trace2, "convert", logs, scratch / name])
    return (list(events_of(request.param)), scratch / "out.fxt",
            scratch / "out.json")


def test_regions_of_real_logs_are_slices(real, perfetto):  # noqa: F811
    events, *traces = real
    expected = regions_of(events)
    assert len(expected) > 50
    known = {one[2] for one in expected}
    for trace in traces:
        rows, = perfetto(trace, SLICES + " where dur > 0 or s.category not in"
                         " ('trace2', 'process', 'thread', 'child')")
        shown = sorted((int(one["ts"]), one["dur"], one["category"], one["name"])
                       for one in rows if one["category"] in known)
        missing = collections.Counter(expected) - collections.Counter(shown)
        assert not missing


def test_processes_of_real_logs_are_processes(real, perfetto):  # noqa: F811
    events, *traces = real
    named = {one["name"] for one in events if one["event"] == "cmd_name"}
    for trace in traces:
        processes, lives = perfetto(
            trace, "select name, count(*) as n from process where pid > 0"
            " group by 1", SLICES + " where s.category = 'process'")
        names = {one["name"] for one in processes}
        assert {name for name in named if name[0] != "_"} <= names
        assert all(one["dur"] >= 0 for one in lives)
        assert len(lives) == lives_of(events)


def test_children_of_real_logs_are_tied_to_their_parents(
    real, perfetto  # noqa: F811
):
    events, *traces = real
    sids = {one["sid"] for one in events}
    children = {one for one in sids if one.rpartition("/")[0] in sids}
    assert len(children) > 20
    for trace in traces:
        sid, rows = perfetto(trace, """
            select p.upid, a.display_value as sid from slice s join args a
            using (arg_set_id) join thread_track k on k.id = s.track_id
            join thread t using (utid) join process p using (upid)
            where a.key like '%sid'""", """
            select t.upid as parent, u.upid as child from flow f
            join slice a on a.id = f.slice_out
            join slice b on b.id = f.slice_in
            join thread_track j on j.id = a.track_id
            join thread t on t.utid = j.utid
            join thread_track k on k.id = b.track_id
            join thread u on u.utid = k.utid""")
        sid_of = {one["upid"]: one["sid"] for one in sid}
        tied = {sid_of[one["child"]]: sid_of[one["parent"]] for one in rows}
        assert all(child.rpartition("/")[0] == parent
                   for child, parent in tied.items())
        assert sorted(children - tied.keys()) == []


def test_data_of_real_logs_are_arguments(real, perfetto):  # noqa: F811
    events, *traces = real
    expected = collections.Counter(
        (one["key"], str(one["value"])) for one in events
        if one["event"] == "data")
    rows, = perfetto(traces[0], """
        select s.name, a.display_value as value from slice s join args a
        using (arg_set_id) where a.key like '%value' and s.dur = 0""")
    shown = collections.Counter((one["name"], one["value"]) for one in rows)
    assert sum(expected.values()) > 20
    assert not expected - shown
