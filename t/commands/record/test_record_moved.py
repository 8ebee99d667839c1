"""The record of a command that removes it or moves it away."""

import os

import pytest
from test_record_git import record  # noqa: F401


@pytest.mark.parametrize("last", ["true", "git --exec-path"])
def test_a_log_that_the_command_removes_is_made_again(record, scratch, last):
    """As `git clean -x` does; the next process makes another file."""
    done = record("-o", "t.event", "--", "sh", "-c",
                  f"git version; rm t.event.partial; {last}")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert os.listdir(scratch) == ["t.event"]
    lines = (scratch / "t.event").read_text().count('"start"')
    assert lines == 1 + (last != "true")


@pytest.mark.parametrize("first", ["true", "git version"])
def test_a_file_that_has_the_name_of_one_that_was_moved_stays(
    record, scratch, first
):
    """It may be another recording's, whose message says to move it away."""
    done = record("-o", "t.event", "--", "sh", "-c",
                  f"{first}; mv t.event.partial mine; >t.event.partial")  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert sorted(os.listdir(scratch)) == ["mine", "t.event.partial"]


@pytest.mark.parametrize("form, other", [
    ("fxt", []), ("json", []), ("fxt", ["t.fxt.1.partial"])])
def test_an_archive_that_the_command_removes_is_made_again(
    record, scratch, test_tool, form, other
):
    trace = f"{test_tool} trace2 001return 0"
    done = record("-o", f"t.{form}", "--", "sh", "-c",
                  f"{trace}; rm *.partial; touch . {'t.fxt.partial' * len(other)}; {trace}")
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(scratch)) == [f"t.{form}", *other, f"t.{form}.event"]
    assert (scratch / f"t.{form}").read_bytes().count(b"cmd_name") > 0


@pytest.mark.parametrize("form, script, said", [
    ("event", "rm -r d", "so the EVENT log, which the command has removed, is lost"),
    ("fxt", "rm -r d", "so the archive, which the command has removed, is lost"),
    ("fxt", "mv d e", "or moved it away: d/t.fxt.partial")])
def test_what_cannot_be_made_again_is_told(
    record, scratch, test_tool, form, script, said
):
    (scratch / "d").mkdir()
    done = record("-o", f"d/t.{form}", "--", "sh", "-c",
                  f"{test_tool} trace2 001return 0; {script}")
    assert done.returncode == 1
    assert said in done.stderr
    assert " is in: " not in done.stderr and " are in: " not in done.stderr
