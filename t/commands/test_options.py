"""What each command says about a command line that is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

MAKE = Path(__file__).parents[2] / "helper/cli/gen_usage.py"
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


USAGE = """\
usage: trace2 test

-f, --flag
    on

[Values]

--small N
    a small number, which has a text that is so long that it needs a second
    line

    and a second paragraph

        of which one has blanks at its begin; also in what follows in other lines

--later-color A-LONG-COLOR
    green or blue

--set[=HOW]
    how

Notes.
"""
SHOWN = """\
usage: trace2 test

Options:
  -f, --flag   on

Values:
  --small N    a small number, which has a text that is so long that it needs a
               second line
               and a second paragraph
                   of which one has blanks at its begin; also in what follows
                   in other lines
  --later-color A-LONG-COLOR
               green or blue
  --set[=HOW]  how
  -h, --help   print this help

Notes.
"""


def test_the_help_of_a_command_has_its_options_in_two_columns(scratch):
    (scratch / "test.usage").write_text(USAGE)
    subprocess.run([sys.executable, MAKE, scratch / "test.usage",
                    scratch / "made.h"], check=True)
    (scratch / "show.c").write_text(
        '#include <stdio.h>\n#include "made.h"\nint main(void)\n{\n'
        "\tfor (const char *const *help = TEST_HELP; *help; help++)\n"
        "\t\tfputs(*help, stdout);\n}\n")
    subprocess.run(["cc", "-o", scratch / "show", scratch / "show.c"], check=True)
    shown = subprocess.run([scratch / "show"], capture_output=True, check=True)
    assert shown.stdout.decode() == SHOWN
