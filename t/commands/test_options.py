"""What each command says about a command line that is wrong."""

from pathlib import Path

import pytest

TABLE = Path(__file__).with_name("options.tsv")
ROWS = [line.split("\t") for line in TABLE.read_text().splitlines()
        if not line.startswith("#")]


@pytest.mark.parametrize("words, status, told", ROWS, ids=lambda cell: cell)
def test_a_wrong_command_line_is_told_in_one_line(words, status, told,
                                                  execute, trace2):
    name, *rest = words.split(" ")
    done = execute([trace2, name, *rest])
    first, *advice = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (int(status), b"")
    assert first == f"trace2 {name}: {told}"
    assert advice == ([] if "did you mean" in told else
                      [f"Try 'trace2 {name} --help'."])
