"""The logs of the corpora that are made from schemas and stories."""

import json
import shutil

import pytest
from validate_kit import CORPUS, read_jsonl, read_told, told

import event_corpus
import schema_oracle


def kept(root):
    return {str(path.relative_to(root)): path.read_text()
            for name in event_corpus.MADE
            for path in root.rglob(f"{name}*")}  # fmt: skip


def test_the_logs_that_are_made_are_those_of_the_schemas():
    assert kept(CORPUS) == event_corpus.files()


@pytest.fixture
def without(root, scratch):
    """The files made where two events and a rule have no logs."""
    shutil.copytree(root / "schema", scratch / "schema")
    shutil.copytree(root / "t/commands/rules", scratch / "t/commands/rules")
    for name in ("fail", "pass/event"):
        shutil.copytree(CORPUS / name, scratch / "t/corpus" / name)
    for path in (*scratch.rglob("event.cmd_mode.*"),
                 *scratch.rglob("event.exec.*"),
                 *scratch.rglob("stream.place")):
        shutil.rmtree(path)
    for name in ("cmd_mode", "exec"):
        (scratch / f"t/corpus/pass/event/{name}.event").unlink()
    return event_corpus.files(scratch)


def test_events_and_rules_without_logs_get_them(without):
    new = without.keys() - event_corpus.files().keys()
    assert sorted(name for name in new if name.endswith(".event")) == [
        "fail/event.cmd_mode.name/by-schema-missing.event",
        "fail/event.cmd_mode.name/by-schema-number.event",
        "fail/event.exec.argv/by-schema-missing.event",
        "fail/event.exec.argv/by-schema-text.event",
        "fail/event.exec.exe/by-schema-number.event",
        "fail/event.exec.exec_id/by-schema-missing.event",
        "fail/event.exec.exec_id/by-schema-text.event",
        "fail/stream.place/by-story-the-file-of-a-brief-line-is-missing-"
        "its-line-is-not.event",
        "pass/event/by-schema-cmd_mode.event",
        "pass/event/by-schema-exec.event",
    ]


@pytest.mark.long("every corpus once more")
def test_the_logs_that_are_made_give_what_is_expected(
    without, scratch, validate
):
    event_corpus.main(scratch)
    for name in without:
        path = scratch / "t/corpus" / name
        if path.suffix != ".event":
            continue
        rule = path.parent.name  # or `event`, of what must pass
        options = ("--select", rule, "--format", "jsonl")
        found = told(read_jsonl(validate(*options, path))[0])
        expect = path.with_suffix(".expect")
        assert found == (read_told(expect) if expect.exists() else []), name


def test_a_log_that_is_made_has_the_examples_of_the_schema(without):
    lines = without["pass/event/by-schema-exec.event"].splitlines()
    own = [event_corpus.own_keys("exec", json.loads(line)) for line in lines]
    given = schema_oracle.events()["exec"]["examples"]
    for example in given:
        assert event_corpus.own_keys("exec", example) in own
