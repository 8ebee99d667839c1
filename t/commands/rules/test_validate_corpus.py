"""The corpora of `trace2 validate`: what must fail, and what must not."""

import collections

import pytest
import spec
from validate_kit import (
    ATEXIT,
    BROKEN,
    BROKEN_ID,
    CORPUS,
    EXIT,
    START,
    VERSION,
    alone,
    event,
    log,
    options,
    places,
    read_expected,
    read_jsonl,
    read_told,
    told,
)

FAIL = sorted((CORPUS / "fail").glob("*/*.event"))
PASS = sorted((CORPUS / "pass").glob("*/*.event"))
INPUT = [path for path in PASS if path.parent.name == "input"]
# Of these logs the whole file is wrong: nothing can stand behind.
WHOLE_FILE = {
    "input.empty",
    "input.utf16",
    "input.final-newline",
    "input.other-format",
    "input.unreadable",
}
MIB = 2**20


def name(path):
    return f"{path.parent.name}-{path.stem}"


@pytest.fixture
def found(validate):
    """found(*arguments): the findings, as (id, line, column)."""
    return lambda *arguments: places(
        read_jsonl(validate("--format", "jsonl", *arguments))[0]
    )


@pytest.mark.parametrize("path", FAIL, ids=name)
def test_a_log_of_the_fail_corpus_gives_exactly_what_is_expected(path, validate):
    expected = read_told(path.with_suffix(".expect"))
    assert {row[0] for row in expected} == {path.parent.name}
    findings, _ = read_jsonl(validate("--format", "jsonl", *options(path), path))
    assert told(findings) == expected


@pytest.mark.long("every corpus once more")
def test_what_stands_behind_a_broken_line_is_still_checked(found, scratch):
    # One of the two logs of a rule about one event shows what both show.
    goes_on = [p for p in FAIL if p.parent.name not in WHOLE_FILE
               and (p.parent.name[:6] != "event." or p.stem == "missing")]  # fmt: skip
    assert len(goes_on) > 60
    for path in goes_on:
        text = path.read_bytes()
        text += b"" if text.endswith(b"\n") else b"\n"
        (scratch / "log").write_bytes(text + log(BROKEN))
        last = (BROKEN_ID, text.count(b"\n") + 1, 1)
        assert found(*options(path), scratch / "log")[-1] == last, path


@pytest.mark.parametrize("path", PASS, ids=name)
def test_a_near_miss_gives_no_error_and_no_warning(path, validate):
    result = validate("--strict", "--format", "jsonl", path)
    assert [f for f in read_jsonl(result)[0] if f["level"] != "info"] == []


@pytest.mark.parametrize("path", INPUT, ids=name)
def test_a_near_miss_of_the_input_rules_gives_no_finding(path, found):
    assert found(path) == []


@pytest.mark.long("every corpus once more")
def test_a_finding_has_the_level_of_its_statement(validate, root):
    text = spec.read(root)
    levels = {one.id: one.level for one in text.statements}
    names = {"MUST": "error", "SHOULD": "warning", "MAY": "info"}
    stream = [p for p in FAIL if p.parent.name.startswith("stream.")]
    for path in stream:
        result = validate("--strict", "--format", "jsonl", path)
        for finding in read_jsonl(result)[0]:
            level = levels[finding["id"]].split()[0]
            assert finding["level"] == names[level], finding


def log_of(expect):
    """The log beside it; of several of one name the EVENT log."""
    logs = (expect.with_suffix(f".{s}") for s in ("event", "normal", "perf"))
    return next(path for path in logs if path.exists())


# Of the deviating ones, also those that their writer is known for.
@pytest.mark.parametrize("folder", ["pass/real", "deviating --strict"])
def test_real_logs_give_the_errors_beside_them(folder, validate):
    folder, *strict = folder.split()
    result = validate("--format", "jsonl", *strict, CORPUS / folder)
    errors = collections.defaultdict(list)
    for finding in read_jsonl(result)[0]:
        if finding["level"] == "error":
            errors[finding["file"]] += places([finding])
    expected = {
        str(log_of(path)): sorted(read_expected(path))
        for path in (CORPUS / folder).rglob("*.expect")
    }
    assert {path: sorted(rows) for path, rows in errors.items()} == expected


LINES = {
    "longest-short": (MIB, 0, []),
    "shortest-long": (MIB + 1, 0, ["input.long-line"]),
    "ten-mib": (10 * MIB, 0, ["input.long-line"]),
    "longest-long": (16 * MIB, 0, ["input.long-line"]),
    "shortest-huge": (16 * MIB + 1, 1, ["input.huge-line"]),
    "huge": (33 * MIB, 1, ["input.huge-line"]),
}


@pytest.mark.parametrize("case", LINES)
def test_long_lines_are_read_and_huge_ones_passed_over(
    case, validate, scratch
):
    length, code, ids = LINES[case]
    line = event("error", msg="@", fmt="%s")
    line = line.replace(b"@", b"x" * (length - len(line) + 1))
    assert len(line) == length
    (scratch / "log").write_bytes(log(VERSION, START, line, EXIT, ATEXIT))
    result = validate("--format", "jsonl", scratch / "log")
    findings, summary = read_jsonl(result)
    assert places(findings) == [(name, 3, 1) for name in ids]
    assert result.returncode == code
    assert summary["events"] == 5 - code


def test_a_long_line_can_be_broken_like_any_other(found, scratch):
    line = event("error", msg="@" * 2 * MIB)
    (scratch / "log").write_bytes(log(line[:-1] + b"?", BROKEN))
    assert found(scratch / "log") == [
        ("input.long-line", 1, 1),
        ("input.json", 1, len(line)),
        (BROKEN_ID, 2, 1),
    ]


@pytest.mark.long("megabytes of events")
@pytest.mark.parametrize("part", [b"", b'{"event":"exit","sid":"'])
def test_a_line_of_very_many_events_is_read_once(part, validate, scratch):
    # Read over and over, it would take longer than a test may.
    count = 30000
    (scratch / "log").write_bytes(log((part + event("thread_start")) * count))
    result = validate("--format", "jsonl", scratch / "log")
    findings, summary = read_jsonl(result)
    assert summary["events"] == count
    # Each is torn, or another object, or both; and the line is long.
    assert len(alone(findings)) == count * (2 if part else 1)
