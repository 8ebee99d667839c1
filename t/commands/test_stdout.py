"""A standard output that fails: every command tells it, and exits with an
error."""

import os

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


# Whoever opens a file when a standard stream is closed gets its number.

@pytest.mark.parametrize("closed", [(2,), (1, 2), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("words, out", [
    (["table", "--format", "csv", "-o", "out", "bad"], "out"),
    (["table", "--format", "sqlite", "-o", "out", "bad"], "out"),
    (["convert", "--to", "chrome", "bad", "out"], "out"),
    (["report", "-o", "out", "bad"], "out"),
    (["redact", "-o", "out", "bad"], "out"),
    (["shard", "-n", "2", "--output", "out", "bad", "nosuch"], "out/1"),
], ids=lambda w: w[0] if isinstance(w, list) else "")
def test_no_message_gets_into_a_file_where_a_stream_is_closed(
    words, out, closed, execute, trace2, scratch
):
    (scratch / "bad").write_bytes(b"{no event\n" + log(*process()))
    wanted = execute([trace2, *words])
    assert b"bad" in wanted.stderr or b"nosuch" in wanted.stderr
    whole = (scratch / out).read_bytes()
    (scratch / out.split("/")[0]).rename(scratch / "old")
    done = execute([trace2, *words],
                   preexec_fn=lambda: [os.close(fd) for fd in closed])
    assert done.returncode == wanted.returncode
    assert (scratch / out).read_bytes() == whole


@pytest.mark.parametrize("words", [
    ["validate", "--format", "json", "log"], ["redact", "log"],
    ["table", "log"], ["convert", "--to", "chrome", "log", "-"],
], ids=lambda words: words[0])
def test_a_closed_output_is_told(words, execute, trace2, scratch):
    (scratch / "log").write_bytes(log(*process()))
    done = execute([trace2, *words], preexec_fn=lambda: os.close(1))
    assert done.returncode == 3
    assert b": Bad file descriptor\n" in done.stderr


def test_a_program_that_is_recorded_finds_its_streams_as_they_were(
    execute, trace2, scratch
):
    execute([trace2, "record", "-o", "r.fxt", "--", "sh", "-c",
             "test -e /proc/self/fd/0 || echo >it-is-closed"],
            preexec_fn=lambda: os.close(0))
    assert (scratch / "it-is-closed").exists()
