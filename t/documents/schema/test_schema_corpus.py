"""Real logs against the schemas of their version."""

import pytest

import schema_cases
import schema_oracle
from req import tables

REAL = ["evt1-git2.22", "evt2-git2.26", "evt3-git2.39", "evt4-git2.55"]
CORPUS = schema_oracle.ROOT / "t" / "corpus"
# Half a surrogate pair is refused before an event is looked at: beyond a schema.
EXPECTED = [
    file
    for folder in ("pass/real/*", "deviating/*", "fail/event.*")
    for file in sorted(CORPUS.glob(f"{folder}/*.expect"))
    if file.with_suffix(".event").exists() and "surrogate" not in file.stem
    # So is what only a class of emitters asks, and what no key tells alone.
    and not (file.parent / "options").exists()
    and file.stem not in ("other-child", "status")
]


@pytest.fixture(scope="module", params=REAL)
def real(request):
    """The events of one real git: its EVENT version, and where and what."""
    logs = schema_cases.corpus(f"pass/real/{request.param}")
    values = list(schema_cases.lines(logs))
    assert len(values) > 800
    return int(request.param[3]), values


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_every_real_event_fits_the_roots_of_its_version(real, closed):
    version, values = real
    checker = schema_oracle.root(version, closed)
    for where, value in schema_cases.samples(values):
        assert not schema_oracle.findings(checker, value), where


def test_every_real_sid_time_and_evt_fits_its_pattern(real):
    for name, text in schema_cases.pattern_values(real[1]):
        assert schema_oracle.pattern(name).is_valid(text), text


def test_every_real_log_says_the_version_of_its_folder(real):
    version, values = real
    said = {value["evt"] for _, value in values if "evt" in value}
    assert said == {str(version)}


@pytest.mark.parametrize(
    "file", EXPECTED, ids=lambda file: f"{file.parent.name}-{file.stem}"
)
def test_a_log_gives_exactly_the_findings_beside_it(file):
    log = file.with_suffix(".event")
    found = list(schema_oracle.expected(log))
    rows = schema_oracle.read_expected(file)
    # What stands between events is beyond a schema.
    assert found == [row for row in rows if not row[0].startswith("stream.")]


def test_each_real_line_that_is_not_utf8_is_expected():
    found = [
        ("input.utf8", number, log.with_suffix(".expect"))
        for log in schema_cases.corpus("pass/real/*")
        for number, line in enumerate(schema_oracle.log_lines(log), 1)
        if not is_utf8(line)
    ]
    assert len(found) == 6
    for name, number, file in found:
        rows = schema_oracle.read_expected(file)
        assert (name, number) in {row[:2] for row in rows}


def is_utf8(line):
    try:
        return bool(line.decode())
    except UnicodeDecodeError:
        return False


def test_all_events_but_four_are_seen_in_real_logs():
    logs = schema_cases.corpus("pass/real/*")
    seen = {value["event"] for _, value in schema_cases.lines(logs)}
    unseen = {"too_many_files", "cmd_path", "exec_result", "printf"}
    text = (schema_oracle.ROOT / "SPEC.md").read_text()
    of_git = {m[1] for m in tables.INTRO.finditer(text) if ", git " in m[2]}
    assert seen == of_git - unseen
