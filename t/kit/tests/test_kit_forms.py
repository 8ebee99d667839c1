"""What the kit judges lines by: rules, tables of SPEC.md, edits."""

import json

import pytest

import schema_cases
import schema_oracle
from kit import edits, every_verb, faults, forms, lines, run, shows
from kit.kit import Kit, Scenario, Unimplemented

# A prefix of NORMAL, and columns of PERF.
AT = b"09:30:42.112403 a.c:7" + 29 * b" "
LINE = (b"09:30:42.112403 a.c:7                        | d0 | main            "
        b"         | %-12s | %-3s | %9s | %9s | %-12s | %s")


def perf(event, repo=b"", t_abs=b"", t_rel=b"", category=b"", payload=b""):
    return LINE % (event, repo, t_abs, t_rel, category, payload)


EXIT = perf(b"exit", t_abs=b"0.000042", payload=b"code:0")
DATA = perf(b"data", b"r0 ", b"0.000042", b"0.000001", b"c", b"..k:v")
PARAM = perf(b"def_param", category=b"scope:unknow", payload=b"k:v")

GOOD_NORMAL = [
    AT + b"exit elapsed:0.000042 code:-1", AT + b"error", AT + b"start ",
    b"09:30:42.112403 " + 40 * b"x" + b":7 cmd_mode a",
    b"09:30:42.112403 " + 34 * b" " + b"cmd_mode a",
]
BAD_NORMAL = [
    (b"exit elapsed:0.000042 code:0", {"normal.prefix"}),
    (b"09:30:42 " + AT[16:] + b"error", {"normal.prefix"}),
    (AT + b" error", {"normal.column"}),
    (AT[:-1] + b"error", {"normal.column"}),
    (b"09:30:42.112403 " + 40 * b"x" + b":7  error", {"normal.column"}),
    (b"09:30:42.112403 " + 33 * b" " + b"error", {"normal.column-no-file"}),
    (AT + b"exit elapsed:1 code:0", {"normal.payload", "normal.seconds"}),
    (AT + b"exit code:0", {"normal.payload"}),
    (AT + b"exited", {"normal.payload"}),
]
GOOD_PERF = [
    EXIT, DATA, PARAM, DATA.replace(b" | ..k", b" | ......k"),
    DATA.replace(b"| r0 ", b"| r100 "),
    EXIT.replace(b"  0.000042", b" 1234567.000042"),
    EXIT.replace(b"d0", b"d12"), b"09:30:42.112403 " + 28 * b" " + EXIT[44:],
    perf(b"region_enter", t_abs=b"0.000042"), perf(b"error"),
]
BAD_PERF = [
    (EXIT.replace(b" | d0 | ", b" d0 "), {"perf.column"}),
    (EXIT[47:], {"perf.column"}),
    (EXIT.replace(b"42.112403", b"42"), {"perf.column.time",
                                         "perf.column.file"}),
    (EXIT.replace(b" | d0", b"| d0"), {"perf.column.file"}),
    (EXIT.replace(b"a.c:7", b"a.c-7"), {"perf.column.file"}),
    (EXIT.replace(b"d0", b"0"), {"perf.column.depth"}),
    (EXIT.replace(b"main ", b"main"), {"perf.column.thread"}),
    (EXIT.replace(b"main ", b" main"), {"perf.column.thread"}),
    (EXIT.replace(b"exit ", b"exit"), {"perf.column.event"}),
    (EXIT.replace(b"exit  ", b"exited"), {"perf.events"}),
    (perf(b"too_many_files"), {"perf.events"}),
    (EXIT.replace(b"|     |", b"| r1  |"), {"perf.column.repo"}),
    (DATA.replace(b"| r0 ", b"|  r0"), {"perf.column.repo"}),
    (perf(b"exit", payload=b"code:0"), {"perf.column.t_abs"}),
    (perf(b"error", t_rel=b"0.000042"), {"perf.column.t_rel"}),
    (EXIT.replace(b" 0.000042", b"0.000042 "), {"perf.column.time-width"}),
    (EXIT.replace(b"  0.000042", b" 0.00042"), {"perf.column.time-width"}),
    (perf(b"error", category=b"c"), {"perf.column.category"}),
    (DATA.replace(b"| c ", b"|  c"), {"perf.column.category"}),
    (PARAM.replace(b"scope:unknow", b"unknown     "),
     {"perf.column.category-scope"}),
    (PARAM.replace(b"scope:unknow", b"scope:unknown"),
     {"perf.column.category-width"}),
    (EXIT.replace(b"code:", b"exit:"), {"perf.payload"}),
    (DATA.replace(b"..k:v", b".. k"), {"perf.payload"}),
]


@pytest.mark.parametrize("line", GOOD_NORMAL)
def test_nothing_is_wrong_with_a_good_line_of_normal(line):
    assert lines.wrong_in_normal(line) == set()


@pytest.mark.parametrize("line, names", BAD_NORMAL)
def test_what_a_line_of_normal_breaks_is_named(line, names):
    assert lines.wrong_in_normal(line) == names


@pytest.mark.parametrize("line", GOOD_PERF)
def test_nothing_is_wrong_with_a_good_line_of_perf(line):
    assert lines.wrong_in_perf(line) == set()
    assert lines.wrong_in_perf(line[47:], brief=True) == set()


@pytest.mark.parametrize("line, names", BAD_PERF)
def test_what_a_line_of_perf_breaks_is_named(line, names):
    assert lines.wrong_in_perf(line) == names


def test_brief_lines_of_normal_are_payloads():
    assert lines.wrong_in_normal(b"error x", brief=True) == set()
    assert lines.wrong_in_normal(b"errorx", brief=True) == {"normal.payload"}


# Of SPEC.md and the schemas


def test_the_tables_of_the_spec_are_read():
    assert set(forms.matrix()) == set(schema_oracle.events())
    assert forms.matrix()["data"] == forms.Row("", "x", "n", "x", "x", "x",
                                               "x")
    found = {name: forms.since()[name] for name in
             ("exit", "too_many_files", "th_timer", "printf")}
    assert found == {"exit": 1, "too_many_files": 2, "th_timer": 3,
                     "printf": 4}
    assert forms.known_keys("exit")[-2:] == ("t_abs", "code")
    assert forms.known_keys("def_repo") == (*forms.COMMON, "worktree")


def test_payloads_follow_the_grammar_or_do_not():
    assert forms.follows("perf-signal", b"signo:13")
    assert not forms.follows("perf-signal", b"signal:13")
    assert not forms.follows("perf-signal", b"signo:13 ")


@pytest.mark.parametrize("event", ["exit", "data_json", "child_start"])
def test_a_broken_event_is_named_by_its_requirement(event):
    for value in schema_cases.positives(event):
        assert forms.wrong_in_event(written(value)) == set()
    for name, _, value in schema_cases.negatives(event):
        if name not in ("event.common.time", "event.common.sid"):
            assert name in forms.wrong_in_event(written(value)), value


def written(value):
    return json.dumps(value, separators=(",", ":")).encode()


EVENT = (b'{"event":"exit","sid":"a\\",\\"code\\":7","thread":"main",'
         b'"argv":["a]","b"],"t_abs":0.000042,"code":0}\n')


def test_values_are_found_as_they_are_written():
    assert forms.raw(EVENT, "sid") == b'"a\\",\\"code\\":7"'
    assert forms.raw(EVENT, "t_abs") == b"0.000042"
    assert forms.raw(b'{"event": "x", "code" : 1.0 }', "code") == b"1.0 "
    assert forms.raw(EVENT, "pid") is None


# Edits


@pytest.mark.parametrize("pair, old, new", [
    (edits.dropped("exit", "code"), b',"code":0', b""),
    (edits.dropped("exit", "sid"), b'"sid":"a\\",\\"code\\":7",', b""),
    (edits.renamed("exit", "code", "c"), b'"code"', b'"c"'),
    (edits.retyped("exit", "code", '"\\n"'), b":0}", b':"\\n"}'),
    (edits.added("exit", "c", "[]"), b"}", b',"c":[]}'),
    (edits.gone("exit"), EVENT, b""),
    (edits.twice("exit"), EVENT, EVENT + EVENT),
    (edits.literal("a.b", "\\1"), b"a.b", b"\\1"),
])
def test_an_edit_changes_what_it_says(pair, old, new):
    text = EVENT if old in EVENT else b"xa.b"
    assert faults.edited(text, *pair) == text.replace(old, new)
    other = EVENT.replace(b'"exit"', b'"atexit"')
    assert faults.edited(other, *pair) == other


def test_a_line_is_moved_in_front_of_another():
    log = b'{"event":"a"}\n{"event":"b"}\n{"event":"c"}\n'
    one = run.Run([], 0, b"", b"", {"event": log}, [])
    for event, before, order in (("c", "a", b"cab"), ("a", "c", b"bac"),
                                 ("a", "x", b"abc")):
        one.files["event"] = log
        found = edits.moved(event, before)(one).events()
        assert "".join(e["event"] for e in found).encode() == order


def test_each_word_of_a_payload_can_be_made_another():
    payload = "child_exit[0] pid:PID code:0 elapsed:SECONDS"
    line = AT + b"child_exit[0] pid:77 code:0 elapsed:0.000042\n"
    found = [faults.edited(line, *pair)[50:-1].split(b" ") for pair in
             edits.wrong_words(edits.NORMAL_HEAD, payload)]
    assert [[word[-1:] == b"~" for word in words] for words in found] == [
        [at == place for at in range(4)] for place in range(4)]
    assert faults.edited(line, *edits.without(edits.NORMAL_HEAD, payload)) \
        == b""


# Tables of events


@pytest.mark.parametrize("actual, expected, equal", [
    (1, 1, True), (1, True, False), (1, 1.0, False), ([1], [1], True),
    ([1], [1.0], False), ([], [1], False), ("", "", True),
    (0.5, shows.SECONDS, True), (-0.5, shows.SECONDS, False),
    ("0.5", shows.SECONDS, False), (True, shows.SECONDS, False),
    (7, shows.PID, True), (0, shows.PID, False), (7.0, shows.PID, False),
    (shows.ABSENT, shows.ABSENT, True), (None, shows.ABSENT, False),
    ("x", shows.TEXT, True), ("", shows.TEXT, False),
])
def test_values_are_compared_with_their_types(actual, expected, equal):
    assert shows.same(actual, expected) is equal


@pytest.mark.parametrize("payload, asked, event", [
    (b"exec[0] a", "exec", "exec"), (b"exec_result[0] code:2", "exec",
                                     "exec_result"),
    (b"worktree /a", "def_repo", "def_repo"), (b"error", "error", "error"),
    (b"errors", "error", "printf"), (b"region_enter", "data", "data"),
])
def test_a_payload_is_known_by_its_first_word(payload, asked, event):
    assert shows.event_of(payload, asked) == event


def test_only_the_verbs_that_are_there_are_run():
    asked = []

    def runner(argv, **options):
        asked.append(argv)
        return run.Run(argv, 0, b"", b"", {}, [])

    case = Scenario("one", (), (), None)
    kit = Kit(case, runner, lambda: {"007bug"})
    assert len(list(every_verb.runs(kit, every_verb.GIT))) == 1
    assert asked == [["test-tool", "trace2", "007bug"]]
    with pytest.raises(Unimplemented):
        list(every_verb.runs(kit, every_verb.BEYOND))
