"""The corpora of NORMAL and PERF logs: what must fail, and what must not."""

import collections

import pytest
from validate_kit import CORPUS, log, places, read_jsonl, read_told, told

FORMS = (".normal", ".perf")
FAIL = sorted(p for p in CORPUS.glob("fail/*/*") if p.suffix in FORMS)
PASS = sorted((CORPUS / "pass/text").iterdir())
REAL = sorted(p for p in CORPUS.glob("pass/real/*/*") if p.suffix in FORMS)
# These are about all targets: EVENT has logs of its own for them.
ALL_TARGETS = {"input.final-newline", "input.torn-line"}
# A broken line, and the id of what is wrong with it.
BROKEN = {
    ".normal": (
        b"09:30:43.000000 git.c:1                           exit elapsed:1 x",
        "normal.seconds",
    ),
    ".perf": (b"09:30:43.000000 git.c:1 | d0 | main", "perf.column.file"),
}


def name(path):
    return f"{path.parent.name}-{path.name}"


def same_rule(rule, other):
    """The forms of one old git can't be met one at a time."""
    return rule == other or rule[:6] == other[:6] == "older."


@pytest.fixture
def found(validate):
    """found(*arguments): the findings, as (id, line, column)."""
    return lambda *arguments: places(
        read_jsonl(validate("--format", "jsonl", *arguments))[0]
    )


@pytest.mark.parametrize("path", FAIL, ids=name)
def test_a_text_log_gives_exactly_what_is_expected(path, validate):
    expected = read_told(path.with_suffix(".expect"))
    assert path.parent.name in {row[0] for row in expected}
    assert all(same_rule(row[0], path.parent.name) for row in expected)
    findings, _ = read_jsonl(validate("--format", "jsonl", path))
    assert told(findings) == expected


@pytest.mark.long("every corpus once more")
def test_a_text_log_is_checked_behind_a_broken_line(found, scratch):
    whole = [p for p in FAIL if p.parent.name != "input.final-newline"]
    assert len(whole) > 80
    for path in whole:
        text = path.read_bytes()
        broken, rule = BROKEN[path.suffix]
        (scratch / "log").write_bytes(text + log(broken))
        last = found(scratch / "log")[-1]
        assert last[:2] == (rule, text.count(b"\n") + 1), path


def test_each_rule_of_text_has_two_logs_that_must_fail():
    logs = collections.Counter(path.parent.name for path in FAIL)
    assert min(logs.values()) >= 2
    assert len(set(logs) - ALL_TARGETS) >= 35


def test_near_misses_in_text_give_no_finding_at_all(found):
    assert len(PASS) >= 15
    assert found(*PASS) == []


@pytest.mark.parametrize("target", ["normal", "perf"])
def test_our_own_text_gives_no_finding_at_all(target, found):
    golden = CORPUS.parent.parent / "golden" / target
    assert len(list(golden.iterdir())) > 200
    assert found(golden) == []


def test_real_text_gives_no_error_and_old_forms_once_a_file(validate):
    assert len(REAL) > 300
    findings, summary = read_jsonl(validate("--format", "jsonl", *REAL))
    assert {finding["level"] for finding in findings} == {"info"}
    old = collections.Counter((f["file"], f["id"]) for f in findings)
    assert set(old.values()) == {1}
    assert len(old) > 100
    assert all(rule.startswith("older.") for _, rule in old)
    assert summary["other_files"] == 0
    assert summary["events"] > 8000


@pytest.mark.parametrize("path", ["brief.perf", "newlines.perf"])
def test_events_of_text_are_counted(path, validate):
    result = validate("--format", "jsonl", CORPUS / "pass/text" / path)
    types = read_jsonl(result)[1]["event_types"]
    assert types["version"] == types["start"] == types["atexit"] == 1


def begin_of_error(suffix):
    """A log up to an `error` with text behind it."""
    lines = (CORPUS / f"pass/text/newlines{suffix}").read_bytes().split(b"\n")
    at = next(i for i, line in enumerate(lines) if b" error " in line)
    return b"\n".join(lines[: at + 1])


@pytest.mark.parametrize("suffix", FORMS)
def test_any_bytes_are_text(suffix, found, scratch):
    message = bytes(range(256)) * 3
    (scratch / "log").write_bytes(begin_of_error(suffix) + message + b"\n")
    assert found(scratch / "log") == []


@pytest.mark.parametrize("suffix", FORMS)
def test_text_of_any_length_is_read_in_one_pass(suffix, found, scratch):
    # Read over and over, it would take longer than a test may.
    head = begin_of_error(suffix)
    for line in (b" | | | | | | |\n", b"exit elapsed\n", b"a argv:[ -> b\n"):
        (scratch / "log").write_bytes(head + line * 200000)
        assert found(scratch / "log") == []


@pytest.mark.parametrize("suffix", FORMS)
def test_an_argument_of_many_lines_is_read_in_one_pass(
        suffix, execute, trace2, scratch):
    whole = (CORPUS / f"pass/text/newlines{suffix}").read_bytes()
    (scratch / "log").write_bytes(whole.replace(b"two\n", b"t\n" * 500000))
    rows = execute([trace2, "table", scratch / "log"]).stdout
    assert rb"t\\nt\\nt\\n" in rows
