"""The EVENT log of a recorded command that removes it or moves it away."""

import os

import pytest
from test_record_git import record  # noqa: F401

LONGEST = "x" * 249 + ".event"


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


def test_a_log_that_cannot_be_made_again_is_told(record, scratch):
    (scratch / "d").mkdir()
    done = record("-o", "d/t.event", "--", "sh", "-c", "git version; rm -r d")
    assert done.returncode == 1
    assert "which the command has removed, is lost" in done.stderr
    assert "the events are in" not in done.stderr


@pytest.mark.parametrize("name", ["t.event", LONGEST], ids=["short", "longest"])
def test_copy_of_a_recorder_that_was_killed_stays_under_another_name(
    record, scratch, name
):
    """It may be all there is: the command had removed the log."""
    shown = record("-o", name, "--", "sh", "-c", "git version; ls").stdout
    (scratch / name).unlink()
    partial, = (one for one in shown.decode().splitlines() if one.endswith(".partial"))
    cut = partial.removesuffix(".partial")
    copy, moved = f"{cut}.copy.partial", f"{cut}.copy.1.partial"
    (scratch / copy).write_text("{}\n")
    done = record("-o", name, "--", "sh", "-c", f"git version; rm {partial}")
    assert done.returncode == 0, done.stderr
    assert f"left is now in: {moved}\n" in done.stderr
    assert set(os.listdir(scratch)) == {name, moved}
    assert (scratch / moved).read_text() == "{}\n"
