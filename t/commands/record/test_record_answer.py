"""What `trace2 record` prints: the first lines of a summary, and how long it goes on."""

import os
import pty
import shlex
import subprocess

import pytest
from process_kit import await_listener, running


@pytest.fixture
def ask(execute, trace2, scratch):
    """What `trace2 record` prints about a git command that fails."""

    def call(*options):
        done = execute([trace2, "record", *options, "--", "git", "-C",
                        scratch, "rev-parse", "--verify", "no such"])
        assert done.returncode == 128
        return done.stderr.decode()

    return call


def test_the_answer_says_first_what_failed_and_how_it_was_called(ask, scratch):
    lines = ask("--answer").splitlines()
    at = next(i for i, line in enumerate(lines) if " failed, " in line)
    assert lines[at].startswith(
        f"git -C {shlex.quote(str(scratch))} rev-parse --verify 'no such' failed, "
        "exit code 128: ")
    assert lines[at + 1].startswith("1 command took ")
    assert lines[at + 1].endswith("; with its children it is 1 process.")
    assert "rev-parse" in lines[at + 2]
    assert any(" summary " in line for line in lines[at + 3:])


def test_no_terminal_asks_for_no_answer(ask):
    assert "command took" not in ask()


def test_quiet_wins_over_answer(ask):
    assert "command took" not in ask("--answer", "--quiet")


@pytest.mark.parametrize("options, told", [([], True), (["--quiet"], False)])
def test_a_terminal_gets_the_answer_unless_it_is_to_be_quiet(
        trace2, scratch, env, options, told):
    ours, theirs = pty.openpty()
    try:
        subprocess.run([trace2, "record", *options, "--", "sh", "-c",
                        "git version; sleep 0.5"],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=theirs, cwd=scratch, env=env, check=True,
                       timeout=60)
        os.close(theirs)
        text = os.read(ours, 1 << 16).decode()
    finally:
        os.close(ours)
    assert ("1 command took " in text) == told
    assert "tracing for" not in text  # an editor or a pager is there


def test_a_terminal_sees_how_long_a_trace_goes_on(trace2, scratch, env, short_dir):
    ours, theirs = pty.openpty()
    path = short_dir / "manager"
    with running(trace2, "manager", "--socket", path, env=env):
        await_listener(path)
        subprocess.run([trace2, "record", "--socket", path, "--duration", "1"],
                       stderr=theirs, cwd=scratch, env=env, check=True,
                       timeout=60)  # fmt: skip
    os.close(theirs)
    text = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert text.count("\rtracing for ") > 1
