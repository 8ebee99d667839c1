"""A standard output that fails: every command tells it, and exits with an
error."""

import fxt_corpus
import pytest
from test_convert import process
from validate_kit import log

COMMANDS = ["validate", "convert", "dump", "record", "manager",
            "list-providers", "list-categories"]


@pytest.mark.parametrize("words", [
    *([command, "--help"] for command in COMMANDS),
    ["--help"], ["--version"], ["validate", "--list-rules"],
    ["validate", "--explain", "input.json"], ["validate", "--format", "json", "log"],
    ["dump", "in.fxt"], ["convert", "--to", "fxt", "log", "-"],
])
def test_an_output_that_fails_is_told_once(words, execute, trace2, scratch):
    (scratch / "log").write_bytes(log(*process()))
    (scratch / "in.fxt").write_bytes(fxt_corpus.sound()["every-event"])
    code = 1 if set(words) & set(COMMANDS[3:]) else 3
    with open("/dev/full", "w") as full:
        result = execute([trace2, *words], stdout=full)
    assert result.returncode == code
    assert result.stderr.count(b"\n") == 1
    assert (b"standard output" in result.stderr) == (words[-1] != "-")


@pytest.mark.parametrize("words", [
    ["dump", "wrong.fxt"], ["dump", "nosuch", "in.fxt"],
    ["validate", "wrong"], ["validate", "--format", "json", "nosuch", "log"],
])
def test_a_failed_output_counts_more_than_findings(words, execute, trace2,
                                                   scratch):
    archive = fxt_corpus.sound()["every-event"]
    (scratch / "log").write_bytes(log(*process()))
    (scratch / "wrong").write_bytes(b'{"event":"version"}\n')
    (scratch / "in.fxt").write_bytes(archive)
    (scratch / "wrong.fxt").write_bytes(archive + b"\xff" * 16)
    with open("/dev/full", "w") as full:
        result = execute([trace2, *words], stdout=full)
    assert result.returncode == 3
    assert b": standard output: No space left on device\n" in result.stderr
