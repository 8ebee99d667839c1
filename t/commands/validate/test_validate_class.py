"""`trace2 validate --class`: what a class of emitters asks of a log."""

import pytest
from spec import read as read_spec
from validate_kit import CORPUS, SID, compact, event, log, places, read_jsonl

FORM = sorted(p for p in (CORPUS / "fail").glob("*/*.event")
              if (p.parent / "options").exists())
CLASSES = ("min", "full", "git")
# These are asked without a class, too.
ALWAYS = ("event.exit.code-byte", "event.child_exit.code-other")

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
    if name not in ALWAYS:
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


def test_form_is_not_looked_at_where_a_line_is_no_event(found, scratch):
    (scratch / "log").write_bytes(
        b'{"event":"exit", "sid":"a","sid":"b"}\n[1, 2]\n{"event": \xff}\n')
    ids = {f[0] for f in found("--class", "full", scratch / "log")}
    assert not [i for i in ids if i.startswith("json.")]


def test_one_rule_of_form_can_be_selected(found):
    for name in ("event.child_start.child_id-zero", "json.compact",
                 "event.child_start.hook_name", "event.exec.exec_id-zero",
                 "event.signal.signo"):
        for path in (CORPUS / "fail" / name).glob("*.event"):
            ids = [f[0] for f in
                   found("--class", "full", "--select", name, path)]
            assert ids == [name], path


def test_unknown_class_is_refused(validate):
    result = validate("--class", "ful", "log")
    assert result.returncode == 2
    assert b"not 'ful'; did you mean 'full'?" in result.stderr
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


# ---- What each rule of form lets pass, and what it does not

def form_of(found, path, name, line):
    """Is the rule of this name broken by the line?"""
    path.write_bytes(line if isinstance(line, bytes) else log(line))
    return bool(found("--class", "full", "--select", name, path))


def printf(**keys):
    return compact({"event": "printf", "sid": SID, "thread": "main", **TIMED,
                    "t_abs": 0.123456, "msg": "m", **keys})


@pytest.mark.parametrize("space", [b" ", b"\t", b"\r", b"\v", b"\f"])
def test_white_space_is_that_of_json(space, found, scratch):
    line = log(printf()).replace(b'"m"', space + b'"m"')
    broken = form_of(found, scratch / "log", "json.compact", line)
    assert broken == (space in b" \t\r")


@pytest.mark.parametrize("escape, name", [
    ("0008", "short"), ("0009", "short"), ("000a", "short"), ("000b", None),
    ("000c", "short"), ("000d", "short"), ("0007", None), ("000e", None),
    ("000E", "short"), ("0022", "short"), ("005c", "short"), ("0020", "raw"),
    ("0041", "raw"), ("00e9", "raw"), ("001F", "short"),
])
def test_escapes_that_have_a_better_form(escape, name, found, scratch):
    line = log(printf()).replace(b'"m"', f'"\\u{escape}"'.encode())
    for one in ("short", "raw"):
        assert form_of(found, scratch / "log", f"json.escape.{one}",
                       line) == (one == name)


@pytest.mark.parametrize("number, broken", [
    (b"0.123456", False), (b"12.000000", False), (b"1", True),
    (b"0.12345", True), (b"0.1234567", True), (b"0.1234e5", True),
    (b"0.123E45", True), (b"1e2", True), (b'"x"', False),
])
def test_seconds_have_six_decimals(number, broken, found, scratch):
    line = log(printf()).replace(b"0.123456", number)
    assert form_of(found, scratch / "log", "json.seconds", line) == broken


@pytest.mark.parametrize("was, now, broken", [
    ("", "", False), ("-H", "-I", True), ("-P", "-Q", True), (".", ",", True),
    ("T", "/", True), ("20", "2:", True), ("20", "2/", True), ("-P", "-p", True),
])
def test_last_component_of_a_sid(was, now, broken, found, scratch):
    sid = SID.replace(was, now, 1) if was else SID
    line = compact({"event": "version", "sid": sid, "thread": "main", **TIMED,
                    "evt": "4", "exe": "x"})
    assert form_of(found, scratch / "log", "session.component", line) == broken


@pytest.mark.parametrize("host, broken", [
    ("Hc4f2e1a9", False), ("Localhost", False), ("HC4F2E1A9", True),
    ("Localhosu", True),
])
def test_host_of_a_sid(host, broken, found, scratch):
    sid = f"20260114T093042.112358Z-{host}-P00001f40"
    line = compact({"event": "version", "sid": sid, "thread": "main", **TIMED,
                    "evt": "4", "exe": "x"})
    assert form_of(found, scratch / "log", "session.component", line) == broken


@pytest.mark.parametrize("name, broken", [
    ("main", False), ("th01:x", False), ("th123:x", False), ("th1:x", True),
    ("th01x", True), ("th01", True), ("th0", True), ("th", True),
    ("th/1:x", True), ("th0::x", True), ("ty01:x", True), ("m", True),
    ("th01:" + 19 * "x", False), ("th01:" + 20 * "x", True),
])
def test_name_of_a_thread(name, broken, found, scratch):
    line = printf(thread=name)
    assert form_of(found, scratch / "log", "thread.name", line) == broken


def test_event_without_a_sid_has_no_component(found, scratch):
    line = compact({"event": "version", "thread": "main", **TIMED,
                    "evt": "4", "exe": "x"})
    assert not form_of(found, scratch / "log", "session.component", line)


@pytest.mark.parametrize("kind, code, broken", [
    ("exit", 0, False), ("exit", 255, False), ("exit", 256, True),
    ("exit", -1, True), ("atexit", 256, False), ("child_exit", -1, False),
    ("child_exit", -2, True), ("child_exit", 255, False),
    ("child_exit", 256, True), ("printf", 256, False),
])
def test_code_is_a_byte(kind, code, broken, found, scratch):
    name = ("event.child_exit.code-other" if kind == "child_exit"
            else "event.exit.code-byte")
    more = {"child_id": 0, "pid": 7, "t_rel": 1} if kind == "child_exit" else {}
    line = log(event("version", **TIMED, evt="4", exe="x"),
               event("start", **TIMED, t_abs=0, argv=["x"]),
               event("child_start", **TIMED, child_id=0, child_class="?",
                     use_shell=False, argv=["x"]),
               event(kind, **TIMED, t_abs=1, **more, code=code))
    assert form_of(found, scratch / "log", name, line) == broken
