"""`trace2 convert`: EVENT logs and archives as traces for viewers.

What a trace holds is read from Chrome's JSON, which goes through the
archive and its reader; t/tools/readers/test_fxt_perfetto.py asks somebody else.
"""

import json
import os
import resource

import fxt_corpus
import fxt_kit as fxt
import pytest
from validate_kit import CORPUS, compact, log

REAL = CORPUS / "pass/real"
TOP = "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
CHILD = f"{TOP}/20260114T093042.200000Z-Hc4f2e1a9-P00001f41"
SOUND = fxt_corpus.sound()


def event(name, at, sid=TOP, /, thread="main", **members):
    """An event `at` microseconds behind 09:30:42."""
    return compact({"event": name, "sid": sid, "thread": thread,
                    "time": f"2026-01-14T09:30:42.{at:06}Z", **members})


def process(*events, sid=TOP, argv=("git", "status"), first=10, last=900):
    """A whole process around the events."""
    return [
        event("version", first, sid, evt="4", exe="2.55.0"),
        event("start", first + 5, sid, t_abs=5e-06, argv=list(argv)),
        *events,
        event("exit", last - 1, sid, t_abs=(last - first - 1) / 1e6, code=3),
        event("atexit", last, sid, t_abs=(last - first) / 1e6, code=3),
    ]


@pytest.fixture
def convert(execute, trace2, scratch):
    """convert(lines or path): the events of the trace, and the process."""

    def call(source, *options, code=0):
        if isinstance(source, list):
            (scratch / "in").write_bytes(log(*source))
            source = scratch / "in"
        result = execute([trace2, "convert", *options, source,
                          scratch / "out.json"])
        assert result.returncode == code, result.stderr
        text = (scratch / "out.json").read_text()
        return json.loads(text), result

    return call


def of(trace, phase, **members):
    return [one for one in trace if one["ph"] == phase
            and members.items() <= one.items()]


def at(one):
    """Microseconds behind 09:30:42."""
    return one["ts"] - 1768383042000000


def test_a_process_is_a_slice_with_its_real_pid_and_sid(convert):
    trace, _ = convert(process())
    begin, = of(trace, "B")
    end, = of(trace, "E")
    assert (begin["cat"], begin["name"]) == ("process", "git status")
    assert (at(begin), at(end)) == (10, 900)
    assert begin["args"] == {"sid": TOP, "pid": 0x1F40, "exe": "2.55.0",
                             "evt": "4", "argv": "git status"}
    assert end["args"] == {"code": 3}


@pytest.mark.parametrize("names, shown", [
    ((), "git status"),
    (("status",), "status"),
    (("_run_git_alias_", "log"), "log"),
    (("_run_dashed_",), "git status"),
])
def test_a_process_is_named_by_its_command(names, shown, convert):
    named = [event("cmd_name", 20, name=one, hierarchy=one) for one in names]
    trace, _ = convert(process(*named))
    assert [one["args"]["name"] for one in of(trace, "M", name="process_name")
            ] == [shown]
    assert [one["args"]["name"] for one in of(trace, "I", name="cmd_name")
            ] == list(names)


def test_the_same_pid_twice_is_two_processes(convert):
    other = TOP.replace("T09", "T10")
    trace, _ = convert(process() + process(sid=other))
    first, second = of(trace, "B")
    assert first["pid"] != second["pid"]
    assert first["args"]["pid"] == second["args"]["pid"]


def test_threads_and_regions_are_slices(convert):
    thread = "th01:preload"
    region = {"nesting": 1, "category": "index", "label": "preload"}
    trace, _ = convert(process(
        event("thread_start", 20, thread=thread),
        event("region_enter", 21, thread=thread, **region, msg="why"),
        event("region_enter", 22, thread="main", nesting=1, msg="only"),
        event("region_leave", 30, thread="main", nesting=1, t_rel=8e-06),
        event("region_leave", 31, thread=thread, t_rel=1e-05, **region),
        event("thread_exit", 40, thread=thread, t_rel=2e-05)))
    names = {(one["args"]["name"], one["tid"])
             for one in of(trace, "M", name="thread_name")}
    assert {name for name, _ in names} == {"main", thread}
    tid = dict(names)[thread]
    shown = [(one["ph"], at(one), one["cat"], one["name"])
             for one in trace if one["tid"] == tid and one["ph"] != "M"]
    assert shown == [("B", 20, "thread", thread), ("B", 21, "index", "preload"),
                     ("E", 31, "index", "preload"), ("E", 40, "thread", thread)]
    assert of(trace, "B", name="preload")[0]["args"] == {"msg": "why"}
    assert len(of(trace, "B", cat="region", name="only")) == 1


def test_what_is_open_ends_with_its_process_or_thread(convert):
    open_region = {"nesting": 1, "category": "a", "label": "open"}
    trace, _ = convert(process(
        event("thread_start", 20, thread="th01:x"),
        event("region_enter", 21, thread="th01:x", **open_region),
        event("thread_exit", 30, thread="th01:x", t_rel=1e-05),
        event("thread_start", 40, thread="th02:y"),
        event("region_enter", 41, **open_region)))
    ends = [(at(one), one["name"]) for one in of(trace, "E")]
    assert ends == [(900, "open"), (900, "git status"),
                    (30, "open"), (30, "th01:x"), (900, "th02:y")]
    assert len(of(trace, "B")) == len(ends)


def test_a_leave_too_many_closes_nothing(convert):
    trace, _ = convert(process(
        event("region_leave", 20, nesting=0, t_rel=1.0, label="x")))
    assert len(of(trace, "E")) == 1
    assert of(trace, "I", name="region_leave")[0]["args"] == {"label": "x"}


def test_data_are_instants_with_their_value(convert):
    data = {"t_abs": 1e-05, "t_rel": 1e-05, "nesting": 1, "category": "index"}
    trace, _ = convert(process(
        event("data", 20, **data, key="number", value="-123"),
        event("data", 21, **data, key="zeros", value="007"),
        event("data", 22, **data, key="text", value="h\u00e9llo \U0001f600"),
        event("data_json", 23, **data, key="tree", value={"a": [1, None]})))
    shown = {one["name"]: (one["cat"], one["args"]["value"])
             for one in of(trace, "I") if at(one) < 30}
    assert shown == {"number": ("index", -123), "zeros": ("index", "007"),
                     "text": ("index", "h\u00e9llo \U0001f600"),
                     "tree": ("index", '{"a":[1,null]}')}


def test_timers_and_counters_are_counters(convert):
    timer = {"category": "t", "name": "time", "intervals": 3,
             "t_total": 0.5, "t_min": 0.1, "t_max": 0.25}
    count = {"category": "c", "name": "count", "count": 12}
    trace, _ = convert(process(event("th_counter", 20, **count),
                               event("timer", 21, **timer),
                               event("counter", 22, **count)))
    own, = [one for one in of(trace, "C", name="count") if "id" in one]
    whole, = [one for one in of(trace, "C", name="count") if "id" not in one]
    assert own["args"] == whole["args"] == {"count": 12}
    assert of(trace, "C", name="time")[0]["args"] == {
        "intervals": 3, "t_total": 0.5, "t_min": 0.1, "t_max": 0.25}


def test_errors_and_all_other_events_are_instants(convert):
    trace, _ = convert(process(
        event("error", 20, msg="bad: x", fmt="bad: %s", file="a.c", line=7),
        event("printf", 21, t_abs=1.1e-05, msg="text"),
        event("def_param", 22, scope="local", param="a.b", value="c"),
        event("novel", 23, strange=[1, {"x": "y"}], flag=True, none=None)))
    shown = {one["name"]: one["args"] for one in of(trace, "I")}
    assert shown["error"] == {"msg": "bad: x", "fmt": "bad: %s",
                              "file": "a.c", "line": 7}
    assert shown["printf"] == {"msg": "text"}
    assert shown["def_param"]["param"] == "a.b"
    assert shown["novel"] == {"strange": '[1,{"x":"y"}]', "flag": True,
                              "none": None}
    assert shown["exit"] == {"code": 3}


def child_start(when, child_id, *argv):
    return event("child_start", when, child_id=child_id, child_class="?",
                 use_shell=False, argv=list(argv))


def child_exit(when, child_id):
    return event("child_exit", when, child_id=child_id, pid=8001, code=0)


def test_a_child_is_a_span_of_its_parent(convert):
    trace, _ = convert(process(child_start(20, 0, "git", "gc"),
                               child_start(25, 1, "less"),
                               child_exit(30, 0)))
    begin, other = of(trace, "b")
    end, last = of(trace, "e")
    assert (begin["name"], other["name"]) == ("git gc", "less")
    assert begin["id"] == end["id"] != other["id"] == last["id"]
    assert (at(last), "args" in last) == (900, False)
    assert end["args"] == {"child_id": 0, "pid": 8001, "code": 0}


def flows(trace):
    """[(time, pid) of the begin, (time, pid) of the end]."""
    ends = {one["id"]: one for one in of(trace, "f")}
    return [((at(one), one["pid"]), (at(ends[one["id"]]), ends[one["id"]]["pid"]))
            for one in of(trace, "s")]


TREE = {
    "interleaved": lambda parent, child: parent[:4] + child + parent[4:],
    "parent first": lambda parent, child: parent + child,
    "child first": lambda parent, child: child + parent,
}


@pytest.mark.parametrize("order", TREE)
def test_a_flow_leads_from_child_start_to_the_child(order, convert):
    parent = process(child_start(20, 0, "git", "gc"),
                     child_start(25, 1, "git", "log"), child_exit(800, 0))
    child = process(sid=CHILD, argv=["/usr/bin/git", "gc"], first=30, last=700)
    trace, _ = convert(TREE[order](parent, child))
    pids = {one["args"]["pid"]: one["pid"] for one in of(trace, "B")}
    # The later child_start is nearer, but has other words.
    assert flows(trace) == [((20, pids[0x1F40]), (30, pids[0x1F41]))]


def test_a_child_with_other_words_has_the_last_child_start(convert):
    parent = process(child_start(20, 0, "one"), child_start(25, 1, "sh", "x"),
                     child_start(40, 2, "later"))
    child = process(sid=CHILD, argv=["git", "log"], first=30, last=700)
    assert flows(convert(parent + child)[0])[0][0][0] == 25


def test_a_child_without_its_parent_has_no_flow(convert):
    trace, _ = convert(process(sid=CHILD))
    assert flows(trace) == []
    assert len(of(trace, "B")) == 1


def test_a_log_that_goes_on_behind_atexit_keeps_the_name(convert):
    trace, _ = convert(process(event("cmd_name", 20, name="gc")) + [
        event("data", 950, category="a", key="later", value="1")])
    names = of(trace, "M", name="process_name")
    assert [one["args"]["name"] for one in names] == ["gc"]


def test_a_process_that_was_killed_ends_with_its_last_event(convert):
    trace, _ = convert(process(event("cmd_mode", 50, name="m"))[:-2])
    assert at(of(trace, "E")[0]) == 50


def test_a_brief_log_gets_its_times_from_t_abs(convert):
    lines = [json.loads(line) for line in process(
        event("data", 1, t_abs=0.25, category="a", key="k", value="1"))]
    for line in lines[1:]:
        del line["time"]
    trace, _ = convert([compact(line) for line in lines])
    # the version is written when the start says that 5 us have passed
    assert at(of(trace, "I", name="k")[0]) == 10 - 5 + 250000


def test_a_process_that_has_only_version_has_a_slice(convert):
    other = TOP.replace("T09", "T10")
    trace, _ = convert(process() + process(sid=other, first=40)[:1])
    assert [one["args"] for one in of(trace, "B", name="process")] == [
        {"sid": other, "pid": 0x1F40, "exe": "2.55.0", "evt": "4"}]
    assert [at(one) for one in trace if one["name"] == "process"] == [40, 40]


def test_times_of_a_thread_never_go_back(convert):
    region = {"nesting": 1, "category": "a", "label": "b"}
    trace, _ = convert(process(event("region_enter", 50, **region),
                               event("region_leave", 40, **region, t_rel=0)))
    assert [at(one) for one in of(trace, "E", name="b")] == [50]


def test_a_process_begins_before_all_events_of_its_main_thread(convert):
    trace, _ = convert([event("data", 90, thread="th01:x", key="k"),
                        event("cmd_mode", 50, name="m")])
    main = [one for one in trace if one["ph"] != "M"
            and one["tid"] == one["pid"]]
    assert [(one["ph"], at(one)) for one in main] == [
        ("B", 90), ("I", 90), ("E", 90)]


def test_broken_lines_are_named_and_all_others_kept(convert, scratch):
    whole = process(event("cmd_mode", 20, name="one"),
                    event("cmd_mode", 21, name="two"))
    lines = whole[:2] + [b"", b"[]", b'{"event":"error"}', whole[2],
                         whole[2][:40] + whole[3], b'{cafe}'] + whole[4:]
    trace, result = convert(lines, code=1)
    shown = [one["args"]["name"] for one in of(trace, "I", name="cmd_mode")]
    assert shown == ["one", "two"]
    found = [line.split(": ")[0::1] for line in
             result.stderr.decode().splitlines()]
    assert [(row[0].rpartition("/")[2], row[1]) for row in found] == [
        ("in:3:1", "error[input.blank-line]"),
        ("in:4:1", "error[input.not-object]"),
        ("in:5:1", "error[event.common.sid]"),
        ("in:7:41", "error[input.torn-line]"),
        ("in:8:2", "error[input.json]"),
    ]


def test_an_event_with_bytes_that_are_not_utf8_is_kept(convert):
    line = event("error", 20, msg="caf@").replace(b"@", b"\xe9")
    trace, result = convert(process(line), code=1)
    assert of(trace, "I", name="error")[0]["args"]["msg"] == "caf?"
    assert b"error[input.utf8]" in result.stderr


def test_a_value_that_is_too_long_is_cut_and_counted(convert):
    # Cut in the middle of a character it would be no text.
    trace, result = convert(process(
        event("error", 20, msg="\u00e9" * 20000, fmt="x" * 29000),
        child_start(21, 0, "x" * 97 + "\u20ac" * 9)), code=1)
    args = of(trace, "I", name="error")[0]["args"]
    assert args["msg"].endswith("\u00e9...") and len(args["msg"]) < 20000
    assert of(trace, "b")[0]["name"] == "'" + "x" * 97
    assert b"values cut: 2" in result.stderr


def test_more_arguments_than_a_record_has_are_counted(convert):
    many = {f"key{number:02}": number for number in range(20)}
    trace, result = convert(process(event("novel", 20, **many)), code=1)
    args = of(trace, "I", name="novel")[0]["args"]
    assert list(args) == list(many)[:15]
    assert b"values cut: 5" in result.stderr


def test_each_event_of_the_json_has_a_line_with_a_leading_comma(
    convert, scratch
):
    convert(REAL, code=1)  # other files are beside the logs
    first, *lines = (scratch / "out.json").read_text().splitlines()
    assert first == "[" and lines.pop() == "]"
    assert not lines[0].startswith(",")
    assert all(line.startswith(",{") for line in lines[1:])
    for line in lines:
        one = json.loads(line.lstrip(","))
        assert {"ph", "pid", "tid", "name"} <= one.keys()
        assert {"ts", "cat"} <= one.keys() or one["ph"] == "M"


@pytest.mark.parametrize("folder", sorted(
    path.name for path in REAL.iterdir() if path.is_dir()))
def test_archives_of_real_logs_are_sound(folder, execute, trace2, validate,
                                         scratch):
    execute([trace2, "convert", REAL / folder, scratch / "out.fxt"])
    # A child in the background goes on when the log of its parent ends.
    found = validate("--fail-on", "info", "--ignore", "fxt.async.open",
                     scratch / "out.fxt")
    assert found.returncode == 0, found.stdout


LATE = (process()[0].replace(b"2026", b"8118"),
        b'[{"ph":"X","ts":9.2e15,"dur":9.2e15,"pid":1,"tid":1,"name":"a"}]')


@pytest.mark.parametrize("late", LATE, ids=("log", "trace"))
def test_times_behind_the_last_of_an_archive_become_the_last(
        late, execute, trace2, validate, scratch):
    (scratch / "in").write_bytes(late)
    execute([trace2, "convert", scratch / "in", scratch / "out.fxt"])
    found = validate("--fail-on", "info", scratch / "out.fxt")
    assert found.returncode == 0, found.stdout


def test_a_converted_archive_is_the_converted_log(convert, execute, trace2,
                                                   scratch):
    execute([trace2, "convert", REAL, scratch / "out.fxt"])
    again, _ = convert(scratch / "out.fxt")
    straight, _ = convert(REAL, code=1)
    assert again == straight and len(again) > 1000


def test_archives_lose_only_what_chrome_has_no_form_for(convert, scratch):
    (scratch / "in.fxt").write_bytes(SOUND["every-record"])
    trace, result = convert(scratch / "in.fxt", code=1)
    assert b"records without a form in Chrome's JSON: 6" in result.stderr
    assert of(trace, "I", name="switch")[0]["args"] == {
        "out": 11, "state": "blocked", "in": 12,
        "args": {"incoming_weight": 2}}
    assert of(trace, "I", name="wakeup")[0]["args"] == {"thread": 12}
    assert of(trace, "I", name="log")[0]["args"] == {"message": "a message"}
    assert of(trace, "M", name="thread_name")[0]["pid"] == 10
    assert of(trace, "I", name="large")[0]["args"] == {
        "blob": "", "args": {"argname": "x"}}


def test_each_event_of_an_archive_has_its_form_in_chrome(convert, scratch):
    (scratch / "in.fxt").write_bytes(SOUND["every-event"])
    trace, _ = convert(scratch / "in.fxt")
    assert [one["ph"] for one in trace] == list("ICBEXbnestf")
    assert trace[4]["dur"] == 0.01 and trace[4]["ts"] == 0.014
    assert trace[5]["id"] == "0x7" and trace[8]["bp"] == "e"


def test_each_argument_of_an_archive_has_its_form_in_json(convert, scratch):
    (scratch / "in.fxt").write_bytes(SOUND["every-arg"])
    (one,), _ = convert(scratch / "in.fxt")
    assert one["args"] == {
        "none": None, "int32": -5, "argname": 5, "int64": -2**40,
        "uint64": 2**64 - 1, "double": 1.5, "string": "h\u00e9llo",
        "empty": "", "true": True, "blob": "MTIzNDU2Nzg5",
        "uint32": 2**32 - 1, "pointer": "0x1000000000000", "koid": "#10"}


def test_numbers_that_json_lacks_are_strings_or_left_out(convert, scratch):
    values = [("nan", float("nan")), ("low", float("-inf")), ("tenth", 0.1)]
    (scratch / "in.fxt").write_bytes(
        fxt.begin() + fxt.event("instant", 1, args=values)
        + fxt.event("counter", 2, args=values, last=1))
    (instant, counter), _ = convert(scratch / "in.fxt")
    assert instant["args"] == {"nan": "NaN", "low": "-Infinity", "tenth": 0.1}
    assert counter["args"] == {"tenth": 0.1}


def test_standard_input_and_output_are_converted(execute, trace2, scratch):
    (scratch / "-").touch()  # not what is meant
    result = execute([trace2, "convert", "--to", "chrome", "-", "-"],
                     input=log(*process()))
    assert [one["ph"] for one in json.loads(result.stdout)] == list("MBIEM")


@pytest.mark.plain("limits memory")
def test_memory_does_not_grow_with_the_log(execute, trace2, scratch):
    data = [event("data", 20 + i, category="c", key=f"key{i % 7}",
                  value=f"value {i}") for i in range(300)]
    with open(scratch / "in", "wb") as file:
        for number in range(400):
            sid = TOP.replace("P00001f40", f"P{number:08x}")
            file.write(log(*process(*data, sid=sid)).replace(
                TOP.encode(), sid.encode()))
    assert os.path.getsize(scratch / "in") > 20_000_000
    limit = 160 << 20
    result = execute(
        [trace2, "convert", scratch / "in", scratch / "out.fxt"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                              (limit, limit)))
    assert result.returncode == 0, result.stderr
