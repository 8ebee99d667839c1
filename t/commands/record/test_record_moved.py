"""The EVENT log of a recorded command that removes it or moves it away, and of
one that ends after its recording: it becomes a copy."""

import os

import pytest
from faults_kit import PLAIN, faults  # noqa: F401
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


@pytest.mark.parametrize("form, other", [
    ("fxt", []), ("json", []), ("fxt", ["t.fxt.partial"])])
def test_an_archive_that_the_command_removes_is_made_again(
    record, scratch, test_tool, form, other
):
    trace = f"{test_tool} trace2 001return 0"
    done = record("-o", f"t.{form}", "--", "sh", "-c",
                  f"{trace}; rm *.partial; touch . {' '.join(other)}; {trace}")
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(scratch)) == [f"t.{form}", f"t.{form}.event", *other]
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


@pytest.fixture
def end_early(record, faults):
    """end_early(script, **names): a log whose recording ends before the command."""

    def call(script, **names):
        return record("-q", "--duration", "0.5", "-o", "t.event", "--", "env", "-u",
                      "LD_PRELOAD", "sh", "-c", f"git version; {script} sleep 1",
                      env=faults(**names))

    return call


@PLAIN
@pytest.mark.skipif(os.getuid(), reason="needs root to give a file away")
@pytest.mark.parametrize("fails, user, mode", [
    ("NONE", 77, 0o6641), ("FAIL_OWNER", 0, 0o641), ("FAIL_MODE", 77, 0o600)])
def test_the_copy_of_a_log_belongs_to_who_had_the_log(
    end_early, scratch, fails, user, mode
):
    """It has the mode only where this gives nobody more rights."""
    script = "chown 77:88 t.event.partial; chmod 6641 t.event.partial;"
    done = end_early(script, **{fails: 1})
    assert done.returncode == 0, done.stderr
    st = (scratch / "t.event").stat()
    assert (st.st_uid, st.st_gid) == (user, 88 if user else 0)
    assert st.st_mode & 0o7777 == mode


@PLAIN
def test_the_copy_of_a_log_is_made_in_parts_of_whole_lines(end_early, scratch):
    script = "cp t.event.partial before; printf half >>t.event.partial;"
    done = end_early(script, WRITE_MOST=3)
    assert done.returncode == 0, done.stderr
    assert (scratch / "t.event").read_bytes() == (scratch / "before").read_bytes()


@PLAIN
def test_a_log_goes_on_if_its_copy_takes_nothing(end_early):
    done = end_early("git version;", WRITE_MOST=0)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "trace2 record: t.event.copy.partial: Input/output error\n"
        "so the EVENT log goes on until the command ends\n")
