"""The command line of `trace2 convert`."""

import pytest
from validate_kit import CORPUS

LOG = CORPUS / "pass/real/evt4-git2.55/clone.event"


@pytest.mark.parametrize("words, code, said", [
    (["in", "out"], 2, "give --to FORMAT: out"),
    (["--to", "fxt", "log", ""], 2, "convert: expected an input and an output; a name is empty\n"),
    (["", "out.fxt"], 2, "convert: expected an input and an output; a name is empty\n"),
    (["in", "in.fxt"], 3, "this is a text file, no log; expected an EVENT, PERF or NORMAL log, or Chrome's JSON\n"),
    (["none", "out.fxt"], 3, "error[input.unreadable]"),
    (["log", "no/where.fxt"], 3, "no/where.fxt: No such file or directory"),
    (["--to", "fxt", "in", "in"], 2, "would overwrite what it reads"),
    (["--to", "fxt", "log", "/dev/full"], 3, "No space left on device"),
])
def test_what_cannot_be_converted_is_said(words, code, said, execute, trace2,
                                          scratch):
    (scratch / "in").write_text("neither log nor archive\n")
    (scratch / "log").write_bytes(LOG.read_bytes())
    result = execute([trace2, "convert", *words])
    assert result.returncode == code
    assert said in result.stderr.decode()


def test_help_names_the_command(execute, trace2):
    for command in ("convert", "dump"):
        shown = execute([trace2, command, "--help"]).stdout.decode()
        assert shown.startswith(f"usage: trace2 {command} ")
        assert command in execute([trace2, "--help"]).stdout.decode()
