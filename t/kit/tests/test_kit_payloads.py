"""What text must say where EVENT says this, and what a consumer says."""

import json

import pytest

import spec as reader
from kit import payloads, reading
from kit.kit import FAIL, PASS, Kit, Scenario
from kit.run import Run, columns, parse_event, payload


def examples(root):
    """(kind, line, line of EVENT before it) of the examples of events."""
    spec = reader.read(root)
    start, end = (
        next(one.line for one in spec.headings if one.text == text)
        for text in ("The events", "Which target shows which event")
    )
    event = None
    for example in spec.examples:
        if not start < example.line < end:
            continue
        if example.kind == "event":
            event = parse_event(example.lines[0].encode())
        for line in example.lines:
            yield example.kind.split()[0], line.encode(), event


def test_normal_examples_of_the_spec_say_what_event_says(root):
    found = [one for one in examples(root) if one[0] == "normal"]
    assert len(found) >= 20
    for _, line, event in found:
        assert payload(line).decode() == payloads.normal(event), line


def test_perf_examples_of_the_spec_say_what_event_says(root):
    found = [one for one in examples(root) if one[0] == "perf"]
    assert len(found) >= 28
    for _, line, event in found:
        row = columns(line)
        assert (row.event, row.thread) == (event["event"], event["thread"])
        assert row.payload == payloads.perf(event), line
        assert row.category == payloads.category(event), line
        for key, shown in (("t_abs", row.t_abs), ("t_rel", row.t_rel)):
            if key in event and shown:
                assert shown == f"{event[key]:.6f}", line


@pytest.mark.parametrize("name", ["thread_start", "region_enter", "data"])
def test_normal_shows_no_threads_regions_and_facts(name):
    assert payloads.normal({"event": name}) is None


def test_perf_does_not_show_too_many_files():
    assert payloads.perf({"event": "too_many_files"}) is None


@pytest.mark.parametrize(
    ("word", "quoted"),
    [("a/b:c=d@e^f", "a/b:c=d@e^f"), ("", "''"), ("a b", "'a b'"),
     ("it's!", r"'it'\''s'\!''"), ("a~b", "'a~b'")],
)
def test_words_are_quoted_for_a_shell(word, quoted):
    assert payloads.quote(word) == quoted


def test_dots_are_those_of_the_regions_around():
    names = ["start", "region_enter", "data", "region_enter", "exit",
             "region_leave", "timer", "region_leave", "region_leave",
             "region_enter", "atexit"]
    found = list(payloads.dots([{"event": name} for name in names]))
    assert found == [0, 0, 2, 2, 4, 2, 0, 0, 0, 0, 0]


# A consumer


def judged(result, exit=0):
    """The verdict of kit.reading.takes() where this is printed."""
    text = result if isinstance(result, bytes) else json.dumps(result).encode()

    def runner(argv, **options):
        return Run(argv, exit, text, b"", options["files"], [])

    def look(kit):
        reading.takes(kit, "a.one", [reading.version(), reading.start()])

    kit = Kit(Scenario("a scenario", ("a.one",), (), look), runner)
    look(kit)
    return [result.verdict for result in kit.results()]


GOOD = {"findings": [], "summary": {"events": 2}}
FINDING = {"id": "a.two", "line": 1, "column": 1, "level": "error"}


def test_consumer_that_reads_all_and_finds_nothing_takes_a_log():
    assert judged(GOOD) == [PASS]


@pytest.mark.parametrize(
    ("result", "exit"),
    [
        (GOOD, 1),
        ({**GOOD, "findings": [FINDING]}, 0),
        ({**GOOD, "summary": {"events": 1}}, 0),
    ],
)
def test_consumer_that_does_not_take_a_log_fails(result, exit):
    assert judged(result, exit) == [FAIL]


def test_consumer_without_a_result_can_not_be_looked_up():
    with pytest.raises(reading.Absent, match="no result"):
        judged(b"killed")


def test_faults_of_a_consumer_refuse_and_lose():
    run = Run(["x"], 0, json.dumps(GOOD).encode(), b"", {}, [])
    found = reading.Reading(reading.changed(reading.refuse)(run))
    assert len(found.findings) == found.errors == 1
    found = reading.Reading(reading.changed(reading.lose)(run))
    assert found.summary["events"] == 1


def test_lines_of_a_log_have_the_common_keys_in_order():
    line = reading.event("exit", time=None, code=7)
    assert json.loads(line) == {
        "event": "exit", "sid": reading.SID, "thread": "main",
        "file": "a.c", "line": 1, "code": 7,
    }
    assert line.startswith('{"event":"exit","sid":')
    assert reading.log("a", b"b") == b"a\nb\n"


def test_an_event_without_a_form_of_its_own_is_as_its_statement_says():
    event = {"event": "child_exit", "child_id": 3, "pid": 7, "code": -1,
             "t_rel": 0.5}  # fmt: skip
    assert payloads.normal(event) == (
        "child_exit[3] pid:7 code:-1 elapsed:0.500000"
    )
    assert payloads.perf(event) == "[ch3] pid:7 code:-1"


def test_words_and_a_word_are_quoted_where_the_statement_says_so():
    alias = {"event": "alias", "alias": "a b", "argv": ["c d", "e"]}
    assert payloads.normal(alias) == "alias a b -> 'c d' e"
    repo = {"event": "def_repo", "worktree": "/a b"}
    assert payloads.normal(repo) == "worktree '/a b'"
