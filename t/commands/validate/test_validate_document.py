"""`trace2 validate --for document`: logs as the source documents show them."""

import pytest
from validate_kit import CORPUS, places, read_jsonl

FOLDER = CORPUS / "document"
# The errata that explain the findings in each log.
ERRATA = {
    "blanks.normal": {"samples-stripped"},
    "brief.event": {"brief-time"},
    "cmd_path.event": {"cmd_path-place", "samples-invented"},
    "data-value.event": {"data-value-type", "samples-invented"},
    "fetch.normal": set(),
    "fsync.perf": {"samples-invented"},
    "good.event": {"samples-invented"},
    "late-start.event": {"start-second", "samples-invented"},
    "signal-field.event": {"signal-field", "samples-invented"},
    "signal.event": {"signal-atexit", "samples-invented"},
    "threads.perf": {"samples-stripped"},
    "untracked.perf": {"samples-cut"},
    "version.event": {"samples-sid", "version-first"},
}
# What a program may add to any log, or take from it.
NOTES = ("older.", "input.between", "input.carried")


@pytest.fixture
def found(validate):
    """found(*arguments): the findings, but for notes."""
    return lambda *arguments: [
        f for f in read_jsonl(validate("--format", "jsonl", *arguments))[0]
        if not f["id"].startswith(NOTES)]


def test_every_log_has_its_errata():
    assert {p.name for p in FOLDER.iterdir()} == {*ERRATA, "README.md"}


@pytest.mark.parametrize("name", ERRATA)
@pytest.mark.parametrize("strict", [(), ("--strict",)])
def test_findings_in_a_log_of_the_document_cite_the_erratum(
        name, strict, found):
    told = found("--for", "document", *strict, FOLDER / name)
    assert {f["level"] for f in told} <= {"info"}
    assert {f["known"] for f in told} == {f"erratum.{e}"
                                          for e in ERRATA[name]}


@pytest.mark.parametrize("name", ERRATA)
def test_findings_are_errors_for_everybody_else(name, found):
    told = found(FOLDER / name)
    assert any(f["level"] == "error" for f in told) == bool(
        ERRATA[name] - ({"samples-invented"} if name == "good.event" else set()))
    explained = places(found("--for", "document", FOLDER / name))
    assert set(places(told)) <= set(explained)
    assert not any("erratum" in f.get("known", "") for f in told)


@pytest.fixture
def table(root):
    """(rule, erratum) of the rows for documents."""
    lines = (root / "helper/rules/known.tsv").read_text().splitlines()
    return {(fields[1], fields[2].removeprefix("erratum.")) for fields in
            (line.split("\t") for line in lines) if fields[0] == "DOCUMENT"}


def test_every_erratum_of_the_table_explains_a_log(root, table):
    assert {name for _, name in table} == set().union(*ERRATA.values())
    spec = (root / "docs/practice.md").read_text()
    for _, name in table:
        assert f"**`erratum.{name}`** informative" in spec


def test_every_rule_of_the_table_is_explained_in_a_log(table, found):
    told = [f for name in ERRATA
            for f in found("--for", "document", FOLDER / name)]
    assert {(f["id"], f["known"].removeprefix("erratum."))
            for f in told} == table


def test_what_no_erratum_explains_stays_an_error(found, scratch):
    lines = (FOLDER / "brief.event").read_text().splitlines()
    lines[2] = lines[2].replace('"name":', '"title":')
    (scratch / "log").write_text("\n".join(lines) + "\n")
    told = found("--for", "document", scratch / "log")
    assert ("event.cmd_name.name", "error") in {
        (f["id"], f["level"]) for f in told}


def test_document_stands_beside_programs_that_read_logs(found):
    told = found("--for", "gitaly,document", FOLDER / "brief.event")
    assert {f["id"].partition(".")[0] for f in told} == {"consumer", "stream"}


def test_unknown_reader_is_answered_with_the_names(validate):
    result = validate("--for", "nobody", "log")
    assert result.returncode == 2
    assert b"not 'nobody'" in result.stderr
    assert b"document" in result.stderr and b"gitaly" in result.stderr
