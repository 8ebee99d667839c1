#!/usr/bin/env python3
"""Make strings for C of the help of a command.

    gen_usage.py COMMAND.usage OUTPUT.h

The text is what `trace2 COMMAND --help` shows: what the command does, its
options, and what is to be known besides. An option is a line such as
`-o, --output FILE` after an empty line, and lines with four blanks before them,
in one or several paragraphs. It becomes COMMAND_OPTION_OUTPUT, for the row of
the option; what is before all of them COMMAND_ABOUT, and what is after them, if
anything is, COMMAND_NOTES. Where there are none, `[options]` stands for them.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "rules"))
from gen_rules import quote  # noqa: E402

INDENT = "    "
OPTION = re.compile(r"(?:-(\w), )?--([\w-]+)(?: (.+))?\n" + INDENT)


def divide(text):
    """The blocks before the options, the options with theirs, and those after."""
    about, options, notes = [], [], []
    for block in text.rstrip("\n").split("\n\n"):
        option = OPTION.match(block)
        if option and not notes:
            options.append((option, [block.partition("\n")[2]]))
        elif options and block.startswith(INDENT):
            options[-1][1].append(block)
        elif block == "[options]":
            options = [None]
        else:
            (notes if options else about).append(block)
    return about, [] if options == [None] else options, notes


def lines_of(blocks):
    return "".join(f" \\\n\t{quote(line.encode())}" for line in
                   ("\n\n".join(blocks) + "\n").splitlines(keepends=True))


def members_of(option, paragraphs):
    letter, name, value = option.groups()
    text = "\n".join(part.removeprefix(INDENT).replace("\n" + INDENT, " ")
                     for part in paragraphs)
    members = [f".name = {quote(name.encode())}", f".help = {quote(text.encode())}"]
    if value:
        members.append(f".value = {quote(value.encode())}")
    if letter:
        members.append(f".letter = '{letter}'")
    return " \\\n\t" + ", \\\n\t".join(members)


def main(usage, output):
    about, options, notes = divide(Path(usage).read_text())
    parts = {"ABOUT": lines_of(about)}
    if notes:
        parts["NOTES"] = lines_of(notes)
    for option, paragraphs in options:
        name = option[2].upper().replace("-", "_")
        parts[f"OPTION_{name}"] = members_of(option, paragraphs)
    command = Path(usage).stem.upper()
    Path(output).write_text(f"/* Made by gen_usage.py from {usage}. */\n" + "".join(
        f"#define {command}_{name}{text}\n" for name, text in parts.items()))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"gen_usage.py: {error}")
