"""`trace2 validate --class`: what a class of emitters asks of a log."""

import pytest
from spec import read as read_spec
from validate_kit import CORPUS, SID, compact, event, log, places, read_jsonl

FORM = sorted(p for p in (CORPUS / "fail").glob("*/*.event")
              if (p.parent / "options").exists())
CLASSES = ("min", "full", "git")
TIMED = {"time": "2026-01-14T09:30:42.112403Z"}


@pytest.fixture
def found(validate):
    """found(*arguments): the findings, as (id, line, column)."""
    return lambda *arguments: places(
        read_jsonl(validate("--format", "jsonl", *arguments))[0])


@pytest.fixture(scope="module")
def classes(root):
    return {one.id: one.classes for one in read_spec(root).statements}


@pytest.mark.parametrize("path", FORM, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_only_a_class_that_a_rule_binds_asks_for_it(path, found, classes):
    name = path.parent.name
    assert found(path) == []
    for one in CLASSES:
        ids = {finding[0] for finding in found("--class", one, path)}
        assert (name in ids) == (one in classes[name])


@pytest.mark.parametrize("one", CLASSES)
def test_findings_of_a_class_are_those_that_bind_it(one, validate, classes):
    folder = CORPUS / "fail"
    findings, _ = read_jsonl(validate("--class", one, "--format", "jsonl",
                                      folder))
    ids = {f["id"] for f in findings}
    emitters = {i for i in ids if set(classes[i]) & set(CLASSES)}
    assert len(emitters) > 100
    assert {i for i in emitters if one not in classes[i]} == set()
    assert ids - emitters > {"input.empty"}


@pytest.mark.parametrize("one", ["full", "git"])
@pytest.mark.parametrize("folder", ["form", "real"])
def test_what_a_full_emitter_writes_conforms(one, folder, validate):
    result = validate("--class", one, "--fail-on", "warning",
                      "--ignore", "stream,input.utf8", CORPUS / "pass" / folder)
    assert (result.returncode, result.stderr) == (0, b"")


def test_our_own_logs_conform(root, validate):
    """golden/ has what our library writes, except for what a verb breaks on
    purpose: a region_leave too many and the like are no form."""
    findings, summary = read_jsonl(validate(
        "--class", "full", "--select", "json,session.component",
        "--format", "jsonl", root / "golden/event"))
    assert findings == [] and summary["events"] > 1000


def test_a_rule_of_form_is_told_once_for_each_log(found, scratch):
    line = compact({"event": "printf", "sid": SID, "thread": "main", **TIMED,
                    "msg": "m", "t_abs": 0.5})
    for name in ("one", "two"):
        (scratch / name).write_bytes(log(line, line))
    ids = [f[0] for f in found("--class", "full", "--ignore", "stream",
                               scratch / "one", scratch / "two")]
    assert sorted(ids) == 2 * ["json.key-order"] + 2 * ["json.seconds"]


def test_findings_of_form_are_the_same_for_any_number_of_jobs(validate):
    told = [validate("--class", "full", "--jobs", jobs, CORPUS / "fail").stdout
            for jobs in ("1", "3")]
    assert told[0] == told[1]


def test_form_is_not_looked_at_where_a_line_is_no_event(found, scratch):
    (scratch / "log").write_bytes(
        b'{"event":"exit", "sid":"a","sid":"b"}\n[1, 2]\n{"event": \xff}\n')
    ids = {f[0] for f in found("--class", "full", scratch / "log")}
    assert not [i for i in ids if i.startswith("json.")]


def test_one_rule_of_form_can_be_selected(found):
    for name in ("event.child_start.child_id-zero", "json.compact"):
        path = next((CORPUS / "fail" / name).glob("*.event"))
        ids = [f[0] for f in found("--class", "full", "--select", name, path)]
        assert ids == [name]


def test_unknown_class_is_refused(validate):
    result = validate("--class", "ful", "log")
    assert result.returncode == 2
    assert b"unknown class 'ful'" in result.stderr
    assert b"full" in result.stderr


def test_values_that_are_no_integers_have_no_code(found, scratch):
    (scratch / "log").write_bytes(log(
        event("exit", **TIMED, t_abs="x", code="300"),
        event("atexit", **TIMED, t_abs=1, code=[])))
    ids = {f[0] for f in found("--class", "full", scratch / "log")}
    assert "event.exit.code-byte" not in ids and "event.exit.code" in ids


def test_nul_is_no_digit_of_a_host(found, scratch):
    sid = SID.replace("-Hc", "-H\0")
    (scratch / "log").write_bytes(log(compact({
        "event": "version", "sid": sid, "thread": "main", **TIMED,
        "evt": "4", "exe": "x"})))
    ids = {f[0] for f in found("--class", "full", scratch / "log")}
    assert {"session.component", "event.common.sid"} <= ids
