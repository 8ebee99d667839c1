"""`trace2 convert --to otlp`: logs as spans of OpenTelemetry."""

import collections
import hashlib
import json
import re

import pytest
from otlp_kit import otlp, plain, read_traces, spans_of  # noqa: F401
from table_kit import MONDAY, Process, fleet, pull
from validate_kit import CORPUS

REAL = sorted((CORPUS / "pass/real").glob("evt*"))
START = int(MONDAY.timestamp() * 10**9)
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def spans(execute, trace2, scratch):
    """The spans of processes, after a run that must succeed."""

    def call(*processes):
        for process in processes:
            process.write(scratch / "logs")
        done = execute([trace2, "convert", "--to", "otlp", scratch / "logs", "-"])
        assert (done.returncode, done.stderr) == (0, b"")
        return list(spans_of(read_traces(done.stdout)))

    return call


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def ids_of(sid):
    """As trace2receiver derives them."""
    parts = sid.split("/")
    parent = digest(parts[-2])[32:48] if len(parts) > 1 else None
    return digest(parts[0])[:32], digest(parts[-1])[32:48], parent


def shown_ids(span):
    return span["traceId"], span["spanId"], span.get("parentSpanId")


def test_ids_are_those_of_trace2receiver(spans):
    processes = pull()
    found = {span["attributes"]["trace2.cmd.sid"]: span
             for span in spans(*processes) if span["kind"] == 2}
    assert len(found) == 4
    for process in processes:
        assert shown_ids(found[process.sid]) == ids_of(process.sid)


def test_a_component_that_repeats_is_one_span(spans):
    """git-repo writes its component twice."""
    repo = Process("sync", 7)
    twice = f"{repo.sid}/{repo.sid}"
    git = Process("fetch", 8, 0.1, repo).end(0.1)
    for process, sid in ((repo, twice), (git, f"{twice}/{git.sid.split('/')[1]}")):
        for line in process.lines:
            line["sid"] = sid
    root, child = sorted(spans(repo, git), key=lambda span: "parentSpanId" in span)
    trace, span, _ = ids_of(twice)
    assert shown_ids(root) == (trace, span, None)
    assert shown_ids(child)[::2] == (trace, span)


def test_a_component_that_returns_makes_no_circle(spans):
    top = Process("a", 7).end(1.0)
    inner = Process("b", 8, 0.1, top).end(0.5)
    again = Process("c", 9, 0.2, inner)
    again.sid = f"{inner.sid}/{top.sid}"
    last = Process("d", 10, 0.2, again).end(0.1)
    found = {span["attributes"]["trace2.cmd.sid"]: span
             for span in spans(top, inner, last)}
    assert found[last.sid]["parentSpanId"] == digest(again.sid)[32:48]


def test_processes_regions_and_children_are_spans(spans):
    process = Process("status", 7)
    process.add("region_enter", 0.1, category="o", label="outer", nesting=1, repo=1)
    process.add("region_enter", 0.15, category="i", label="other", thread="th01")
    process.region(0.2, 0.3, "i", "inner", msg="m", nesting=2)
    process.add("region_leave", 0.35, category="i", label="other", thread="th01")
    process.child(0.4, 0.5, 0, 77)
    process.add("region_leave", 0.8, category="o", label="outer", t_rel=0.7)
    found = {span["name"]: span for span in spans(process.end(1.0))}
    root, outer = found["git:status"], found["region(o,outer)"]
    assert sorted(found) == ["child(class:?)", "git:status", "region(i,inner)",
                             "region(i,other)", "region(o,outer)"]
    parents = {name: span.get("parentSpanId") for name, span in found.items()}
    assert parents == {"git:status": None, "region(o,outer)": root["spanId"],
                       "region(i,other)": root["spanId"],
                       "region(i,inner)": outer["spanId"],
                       "child(class:?)": outer["spanId"]}  # fmt: skip
    times = {name: [(int(span[end]) - START) / 10**9 for end in
                    ("startTimeUnixNano", "endTimeUnixNano")]
             for name, span in found.items()}
    assert times == {"git:status": [0, 1.0], "region(o,outer)": [0.1, 0.8],
                     "region(i,inner)": [0.2, 0.3], "region(i,other)": [0.15, 0.35],
                     "child(class:?)": [0.4, 0.5]}  # fmt: skip
    assert len({span["spanId"] for span in found.values()}) == 5
    child = found["child(class:?)"]["attributes"]
    assert child == {"trace2.span.type": "child", "trace2.child.argv": ["git", "x"],
                     "trace2.child.class": "?", "trace2.child.pid": 77,
                     "trace2.child.exitcode": "0", "process.exit.code": 0}  # fmt: skip
    inner = found["region(i,inner)"]["attributes"]
    assert inner == {"trace2.span.type": "region", "trace2.region.message": "m",
                     "trace2.region.nesting": 2, "trace2.region.repoid": 1,
                     "thread.name": "main"}  # fmt: skip


def test_errors_data_and_messages_are_events_of_their_span(spans):
    process = Process("x", 7).error(0.05, "bad %s", "bad y")
    process.add("region_enter", 0.1, category="c", label="l")
    process.data(0.2, "c", "k", 'say "a"')
    process.add("data_json", 0.21, category="c", key="j", value={"a": [1]})
    process.add("printf", 0.3, msg="other thread", thread="th01")
    process.add("region_leave", 0.4, category="c", label="l")
    found = {span["name"]: span.get("events", []) for span in spans(process.end(1))}
    shown = {name: [(event["name"], (int(event["timeUnixNano"]) - START) / 10**9,
                     plain(event["attributes"])) for event in events]
             for name, events in found.items()}
    assert shown["git:x"] == [
        ("error", 0.05, {"trace2.format": "bad %s", "trace2.message": "bad y",
                         "thread.name": "main"}),
        ("printf", 0.3, {"trace2.message": "other thread", "thread.name": "th01"})]
    assert shown["region(c,l)"] == [
        ("data", 0.2, {"trace2.category": "c", "trace2.key": "k",
                       "trace2.value": 'say "a"', "thread.name": "main"}),
        ("data_json", 0.21, {"trace2.category": "c", "trace2.key": "j",
                             "trace2.value": '{"a": [1]}', "thread.name": "main"})]


def test_timers_and_counters_are_attributes(spans):
    process = Process("x", 7)
    process.add("timer", 0.9, category="c", name="t", intervals=3, t_total=0.25,
                t_min=0.05, t_max=1)
    process.add("th_counter", 0.9, category="c", name="n", count=42, thread="th01")
    process.add("counter", 0.9, category="c", name="n", count=1)
    process.add("counter", 0.9, category="c", name="n", count=2)
    process.add("cmd_name", 0.9, name="y", hierarchy="x/y")
    root, = spans(process.end(1.0))
    values = root["attributes"]
    assert (root["name"], values["trace2.cmd.hierarchy"]) == ("git:y", "x/y")
    assert values["trace2.process.counters.c.n"] == 1
    assert "trace2.process.counters.c.n#2" not in values
    assert values["trace2.process.timers.c.t"] == {
        "intervals": 3, "t_total": 0.25, "t_min": 0.05, "t_max": 1}
    assert values["trace2.thread.counters.th01.c.n"] == 42


@pytest.mark.parametrize("end, status, code", [
    (lambda one: one.end(0.1), None, "0"),
    (lambda one: one.end(0.1, 128), {"code": 2, "message": "exit code 128"}, "128"),
    (lambda one: one.add("signal", 0.1, signo=13, t_abs=0.1),
     {"code": 2, "message": "signal 13"}, "141"),
    (lambda one: one, None, None),
])  # fmt: skip
def test_the_status_is_that_of_the_process(end, status, code, spans):
    root, = spans(end(Process("push", 7)))
    assert root.get("status") == status
    assert root["attributes"].get("trace2.cmd.exit_code") == code


def test_a_child_that_fails_has_an_error(spans):
    process = Process("x", 7).child(0.1, 0.2, 0, 8)
    process.lines[-1]["code"] = 3
    child = next(span for span in spans(process) if span["kind"] == 1)
    assert child["status"] == {"code": 2, "message": "exit code 3"}


def test_a_traceparent_puts_the_root_below_its_span(spans):
    processes = pull()
    for process in processes:
        process.lines.insert(2, {**process.lines[1], "event": "def_param",
                                 "param": "TRACEPARENT", "value": PARENT})
    found = spans(*processes)
    assert {span["traceId"] for span in found} == {PARENT.split("-")[1]}
    parents = {span["name"]: span["parentSpanId"] for span in found if span["kind"] == 2}
    assert parents["git:pull"] == PARENT.split("-")[2]
    assert parents["git:fetch"] == ids_of(processes[1].sid)[2]


@pytest.mark.parametrize("wrong", [
    "", PARENT[:-1], PARENT + "0", PARENT.upper(), PARENT.replace("00-", "01-", 1),
    PARENT.replace("-b7", "_b7"), PARENT[:-3] + "_01", PARENT[:-1] + "g",
    PARENT[:-2] + "g1", f"00-{'0' * 32}-b7ad6b7169203331-01",
    f"00-0af7651916cd43dd8448eb211c80319c-{'0' * 16}-01",
])  # fmt: skip
def test_a_traceparent_that_is_none_changes_nothing(wrong, spans):
    process = Process("x", 7)
    process.add("def_param", 0.0, param="TRACEPARENT", value=wrong)
    process.add("def_param", 0.0, param="OTHERPARENT", value=PARENT)
    root, = spans(process.end(0.1))
    assert shown_ids(root) == ids_of(process.sid)


def test_the_resource_follows_the_conventions(execute, trace2, scratch):
    process = Process("checkout", 7)
    process.lines[1]["argv"] = ["C:\\git\\git.exe", "checkout"]
    process.add("cmd_mode", 0, name="branch").end(0.1).write(scratch / "logs")
    done = execute([trace2, "convert", scratch / "logs", "out.otlp"])
    assert (done.returncode, done.stderr) == (0, b"")
    one, = read_traces((scratch / "out.otlp").read_text())
    assert plain(one["resourceSpans"][0]["resource"]["attributes"]) == {
        "service.name": "git:checkout#branch", "service.namespace": "trace2",
        "process.pid": 7, "process.executable.name": "git",
        "service.version": "2.50.1",
        "process.command_args": ["C:\\git\\git.exe", "checkout"]}  # fmt: skip


def test_brief_logs_have_times(spans):
    process = Process("x", 7).end(0.5)
    for line in process.lines[1:]:
        del line["time"]
    root, = spans(process)
    assert int(root["endTimeUnixNano"]) - START == 500_000_000


def test_a_process_lasts_until_what_it_does_after_its_end(spans):
    root, = spans(Process("x", 7).end(0.1).data(0.2, "c", "k", "1"))
    assert int(root["endTimeUnixNano"]) - START == 200_000_000


def count_of(log):
    """Events of a log by what they become."""
    kinds = collections.Counter()
    sids = set()
    for text in log.splitlines():
        line = json.loads(text)
        kinds[line["event"]] += 1
        sids.add(line["sid"])
    return kinds, sids


def trees(found):
    """Each span must lead to a root, without a circle."""
    parents = {span["spanId"]: span.get("parentSpanId") for span in found}
    assert len(parents) == len(found)
    for span in parents:
        seen = set()
        while span in parents:
            assert span not in seen
            seen.add(span)
            span = parents[span]


def rounded(value):
    """Without `long`, the decoder has 53 bits: microseconds are exact."""
    if isinstance(value, list):
        return [rounded(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: round(int(one), -3) if re.fullmatch(r".*UnixNano", key) else
            str(one) if key == "intValue" else rounded(one)
            for key, one in value.items()}


def test_the_official_protocol_takes_every_value(otlp, execute, trace2, scratch):
    for process in fleet():
        process.write(scratch / "logs")
    done = execute([trace2, "convert", "--to", "otlp", scratch / "logs", "-"])
    traces = read_traces(done.stdout)
    assert len(traces) == len(fleet())
    for one in traces:
        assert rounded(otlp(json.loads(json.dumps(one)))) == rounded(one)


def events_of(folder):
    return sorted(folder.rglob("*.event"))


@pytest.mark.parametrize("folder", [*(
    pytest.param(folder, marks=pytest.mark.long("older git"))
    for folder in REAL[:-1]), REAL[-1]], ids=lambda folder: folder.name)
def test_real_logs_have_a_span_for_each_begin(folder, execute, trace2):
    whole = 0
    for path in events_of(folder):
        done = execute([trace2, "convert", "--to", "otlp", path, "-"])
        found = list(spans_of(read_traces(done.stdout)))
        trees(found)
        if done.returncode:
            continue
        whole += 1
        kinds, sids = count_of(path.read_text())
        types = collections.Counter(span["attributes"]["trace2.span.type"]
                                    for span in found)
        assert types == collections.Counter(
            {"process": len(sids), "region": kinds["region_enter"],
             "child": kinds["child_start"] + kinds["exec"]}), path
        assert sum(len(span.get("events", [])) for span in found) == sum(
            kinds[kind] for kind in ("error", "data", "data_json", "printf"))
    assert whole > len(events_of(folder)) / 2


@pytest.mark.parametrize("folder", REAL, ids=lambda folder: folder.name)
def test_the_official_protocol_takes_real_logs(folder, otlp, execute, trace2):
    done = execute([trace2, "convert", "--to", "otlp", folder, "-"])
    traces = read_traces(done.stdout)
    assert len(traces) >= len(events_of(folder)) / 2
    for one in traces:
        assert rounded(otlp(json.loads(json.dumps(one)))) == rounded(one)
