"""Archives of the FXT format in the corpora, as `trace2 validate` sees
them."""

import collections

import fxt_corpus
import fxt_kit as fxt
import pytest
import spec
from validate_kit import CORPUS, read_jsonl

MADE = fxt_corpus.files()
FAIL = sorted(name for name in MADE if name.startswith("fail/"))
SOUND = fxt_corpus.sound()
ARCHIVES = sorted(CORPUS.glob("fail/fxt.*/*.fxt"))


@pytest.fixture
def found(validate):
    """found(path...): {path: [(id, offset)]}, and the whole findings."""

    def run(*paths):
        findings = read_jsonl(validate("--format", "jsonl", *paths))[0]
        places = collections.defaultdict(list)
        for one in findings:
            places[one["file"]].append((one["id"], one["offset"]))
        return places, findings

    return run


def test_the_archives_of_the_corpora_are_those_that_are_made():
    kept = {
        str(path.relative_to(CORPUS)): path.read_bytes()
        for kind in ("fail/fxt.*", "pass/fxt")
        for path in CORPUS.glob(f"{kind}/*")
    }
    assert kept.keys() == MADE.keys()
    assert [name for name in kept if kept[name] != MADE[name]] == []


def test_a_broken_archive_gives_exactly_what_is_expected(found):
    places, findings = found(*ARCHIVES)
    expected = {
        str(CORPUS / name).replace(".expect", ".fxt"): [
            (row.split("\t")[0], int(row.split("\t")[1]))
            for row in MADE[name].decode().splitlines()
        ]
        for name in FAIL
        if name.endswith(".expect")
    }
    assert dict(places) == expected
    assert all(one["seen"] >= 0 and one["message"] for one in findings)


def test_each_rule_of_archives_has_two_that_must_fail(validate):
    archives = collections.Counter(
        name.split("/")[1] for name in FAIL if name.endswith(".fxt")
    )
    listed = validate("--list-rules").stdout.decode().splitlines()
    rules = {row.split("\t")[0] for row in listed if row.startswith("fxt.")}
    assert archives.keys() == rules
    assert {name for name in archives if archives[name] < 2} == {
        "fxt.record.large"  # too big to be kept twice
    }


def test_a_sound_archive_gives_no_finding(found):
    assert found(CORPUS / "pass/fxt")[1] == []


def test_a_finding_of_an_archive_has_the_level_of_its_statement(found, root):
    text = spec.read(root)
    levels = {one.id: one.level.split()[0] for one in text.statements
              if one.id.startswith("fxt.")}
    names = {"MUST": "error", "SHOULD": "warning", "MAY": "info"}
    for one in found(*ARCHIVES)[1]:
        assert one["level"] == names[levels[one["id"]]], one


def test_an_archive_is_known_by_its_first_bytes(validate, scratch):
    (scratch / "log").write_bytes(SOUND["small"])
    summary = read_jsonl(validate("--format", "jsonl", scratch / "log"))[1]
    assert summary["other_files"] == 0
    assert summary["records"] == 6


@pytest.mark.parametrize("form, shown", [
    ("concise", ":0x58: error[fxt.padding]: bytes after the end are not zero"),
    ("full", "seen 0x1010101656d616e, expected zeros"),
    ("json", '"offset":88,"seen":72340174522900846,"width":8,'),
    ("sarif", '"region":{"byteOffset":88,"byteLength":8}'),
    ("github", ",title=fxt.padding::0x58: bytes after"),
])
def test_every_format_shows_the_offset(form, shown, validate):
    path = CORPUS / "fail/fxt.padding/string.fxt"
    assert shown in validate("--format", form, path).stdout.decode()


def test_findings_select_and_fail_like_those_of_logs(validate):
    path = CORPUS / "fail/fxt.event.scope/thread.fxt"
    assert validate(path).returncode == 0
    assert validate("--fail-on", "warning", path).returncode == 1
    assert validate("--ignore", "fxt.event", "--fail-on", "info",
                    path).returncode == 0


def test_a_rule_of_archives_is_explained_by_words(validate):
    shown = validate("--explain", "fxt.magic").stdout.decode()
    bad, good = shown.split("Good:")
    assert "0x0000: 0x0016547846040010" in good
    assert "0x0000: 0x0016547846040010" not in bad
    assert "0x0000: 0x00" in bad


def test_an_archive_cut_anywhere_is_truncated_and_no_worse(validate, scratch):
    whole = SOUND["every-record"]
    for end in range(9, len(whole)):
        (scratch / f"{end:05}.fxt").write_bytes(whole[:end])
    findings = read_jsonl(validate("--format", "jsonl", scratch))[0]
    assert {one["id"] for one in findings} == {"fxt.truncated"}
    sound = len(fxt_records(whole)) - 1
    assert len(findings) == len(whole) - 9 - (sound - 1)


def fxt_records(data):
    """The offsets at which records end."""
    ends, at = [], 0
    while at < len(data):
        at += (int.from_bytes(data[at:at + 8], "little") >> 4 & 0xfff) * 8
        ends.append(at)
    return ends


def test_compressed_archives_are_read(validate, scratch):
    import gzip

    (scratch / "a.gz").write_bytes(gzip.compress(SOUND["small"] + fxt.word(12)))
    findings = read_jsonl(validate("--format", "jsonl", scratch))[0]
    assert [one["id"] for one in findings] == ["fxt.record.zero"]
