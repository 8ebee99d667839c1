"""What real writers are known to do: infos, each with its deviation."""

import re

import pytest
import spec
from validate_kit import CORPUS, read_jsonl

LOGS = CORPUS / "deviating"
# These depend on more than a row of the table.
IN_CODE = {
    ("stream.exec.last", "deviation.git.second-start"),
    ("stream.start.once", "deviation.git.second-start"),
    ("stream.atexit.last", "deviation.git.daemon-sid"),
    ("stream.region.leave-match", "deviation.git.region-mismatch"),
}


@pytest.fixture
def found(validate):
    """found(*arguments): the findings."""
    return lambda *arguments: read_jsonl(
        validate("--format", "jsonl", *arguments)
    )[0]


@pytest.fixture
def rows(root):
    """(rule, deviation) of what known.tsv and the code recognise."""
    table = (root / "helper/rules/known.tsv").read_text().splitlines()
    return IN_CODE | {
        (rule, known) for writer, rule, known, *_ in
        (line.split("\t") for line in table[1:])
        if writer != "DOCUMENT"  # t/commands/validate/test_validate_document.py
    }


def test_every_deviation_that_is_recognised_has_a_log(found, rows):
    known = {(f["id"], f["known"]) for f in found(LOGS) if "known" in f}
    assert known == rows
    assert len(rows) > 50


def test_each_is_a_deviation_of_the_register(rows, root):
    register = spec.read(root)
    assert {name for _, name in rows} <= set(register.ids)


def test_what_a_writer_is_known_for_is_an_info(validate):
    result = validate("--format", "jsonl", "--fail-on", "warning", LOGS)
    findings, summary = read_jsonl(result)
    assert summary["findings"]["error"] == summary["findings"]["warning"] == 0
    assert result.returncode == 0


def test_strict_gives_what_is_known_the_level_of_its_rule(found, validate):
    listed = validate("--list-rules").stdout.decode().splitlines()
    level = {row.split("\t")[0]: row.split("\t")[1] for row in listed}
    findings = [f for f in found("--strict", LOGS) if "known" in f]
    assert {f["level"] for f in findings} == {"error", "warning", "info"}
    for finding in findings:
        assert finding["level"] == level[finding["id"]], finding


# Near a deviation: the writer is right, and what it does is another thing.
NEAR = {
    "repo/repo-success-toplevel": (
        rb'"time":"[^"]*"',
        b'"time":"now"',
        "event.common.time",
    ),
    "repo/made-2020": (rb'"text"', b"1.5", "event.exit.code"),
    "repo/made-same-second": (rb"null", b"5", "event.def_param.value"),
    "repo/made-surrogate": (rb"udce9", b"ud83d", "input.lone-surrogate"),
    "repo/repo-worker-thread": (rb"MainThread", b"M", "stream.thread.main"),
    "gcm/get": (rb"RelativeTime", b"Relative", "event.region_leave.t_rel"),
    "gcm/nested-regions": (
        rb'"nesting":1',
        b'"nesting":5',
        "stream.region.nesting",
    ),
    "repohooks/pre-upload": (
        rb"relative_time_us",
        b"relative_time_ms",
        "event.region_leave.t_rel",
    ),
    "git/negative-counter": (rb":-5", b":0.5", "event.counter.count"),
    "bundle-server/web-server": (
        rb',"argv":\["git-bundle-web-server"\]}',
        b"}",
        "event.child_ready.t_rel",
    ),
}


@pytest.mark.parametrize("name", NEAR)
def test_another_thing_of_the_same_writer_is_an_error(name, found, scratch):
    pattern, other, rule = NEAR[name]
    text = (LOGS / f"{name}.event").read_bytes()
    (scratch / "log").write_bytes(re.sub(pattern, other, text))
    levels = {f["level"] for f in found("log") if f["id"] == rule}
    assert levels == {"error"}


@pytest.mark.parametrize("name", ["gcm/get", "repo/made-2020", "git/daemon"])
def test_the_same_of_another_writer_is_an_error(name, found, scratch):
    text = (LOGS / f"{name}.event").read_bytes()
    other = re.sub(rb'"sid":"[^"]*"', b'"sid":"of-somebody-else"', text)
    (scratch / "log").write_bytes(other)
    findings = found("log")
    assert not [f for f in findings if "known" in f]
    assert "error" in {f["level"] for f in findings}


@pytest.mark.parametrize("suffix", ["words.normal", "columns.perf"])
def test_text_of_another_writer_is_an_error(suffix, found, scratch):
    text = (LOGS / "gcm" / suffix).read_bytes()
    (scratch / "log").write_bytes(text.replace(b".cs:", b".cc:"))
    assert "error" in {f["level"] for f in found("log")}
