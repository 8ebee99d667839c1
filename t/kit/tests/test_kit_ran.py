"""The line `ran:` of a failure runs again what the kit ran."""

import os
import re
import subprocess

import pytest

from kit import kit, report, run, show

CASES = kit.load()
# What each of these needs besides a command line: files and a repository, a
# directory, a long line, bytes that are not UTF-8, a variable that is unset.
CHOSEN = (
    "exit: it shows the code",
    "texts are written whole and as they are",
    "a directory gets a file for each process",
    "a full directory gets the sentinel with the trace",
    "a program that replaces another continues its session",
    "another user's repository is not read",
    "a file has the mode that the umask leaves",
    "asked variables follow the config values behind the name",
    "the decimal sign is a point in every locale",
    "an unknown value is warned about and off",
    "a parent's SID and name come from variables that are not empty",
)


@pytest.fixture
def again(root, scratch, test_tool):
    """again(command): exit code and files of what that line runs."""
    made = report.Report(test_tool, [], type("Spec", (), {"statements": []}))

    def call(command):
        box = scratch / "box"
        box.mkdir()
        done = subprocess.run(
            ["bash", "-c", f"({made.sandbox}; {command})"], cwd=root,
            env={**os.environ, "TMPDIR": str(box), "GIT_TRACE2": "/x"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        home, = box.glob("*/home")
        files = run.read_files(home)
        subprocess.run(["rm", "-rf", box], check=True)
        assert done.stderr.startswith(b"in %s\n" % os.fsencode(home))
        return done, files

    return call


def without_time(text):
    """What is the same in two runs: events, and what ends texts."""
    return re.findall(rb'"event":"\w+"', text), text.count(b"\n")


def compare(done, files, one):
    code = done.returncode
    assert code == (128 - one.exit if one.exit < 0 else one.exit)
    assert len(files) == len(one.files)
    for name in set(files) & set(one.files):
        assert without_time(files[name]) == without_time(one.files[name])
    assert set(files) == set(one.files) or any(
        name.startswith("dir/") for name in files)


@pytest.mark.parametrize("name", CHOSEN)
def test_shown_command_does_what_the_kit_did(name, again, test_tool):
    driver = run.Driver(test_tool)
    typed = []

    def runner(argv, **options):
        typed.append((argv, options))
        return driver.run(argv, **options)

    _, runs = kit.judge(CASES[name], runner)
    assert runs
    for (argv, options), one in zip(typed, runs):
        env = options.pop("env")
        done, files = again(show.command(argv, env, **options))
        compare(done, files, one)


def test_command_whose_output_is_received_says_what_it_needs(test_tool):
    case = CASES["a line too long for one write is completed"]
    made = kit.Kit(case, run.Driver(test_tool).run)
    case.function(made)
    (command, _), = made.commands()
    assert ": needs 'pipe(5) of kit/listen.py'; " in command
    assert len(command) < 1000
