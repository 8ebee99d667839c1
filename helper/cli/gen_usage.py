#!/usr/bin/env python3
"""Make strings for C of the help of a command.

    gen_usage.py COMMAND.usage OUTPUT.h

The text has what the command does, its options, and what is to be known
besides. An option is a line such as `-o, --output FILE` after an empty line, and
lines with four blanks before them, in one or several paragraphs. It becomes
COMMAND_OPTION_OUTPUT, for the row of the option. `[Rules]` is a heading above
options; where there are none, `[options]` stands for them. COMMAND_HELP is
what `trace2 COMMAND --help` shows, with the options in two columns.
"""

import re
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "rules"))
from gen_rules import quote  # noqa: E402

INDENT = "    "
OPTION = re.compile(r"(?:-(\w), )?--([\w-]+)(?: (.+)|\[=(.+)\])?\n" + INDENT)
HEADING = re.compile(r"\[([A-Z]\w*)\]")
HELP = ("  -h, --help", ["print this help"])
WIDTH = 79
HEAD_MOST = 22  # a longer one has a line of its own
PART_LEAST = 2000


def divide(text):
    """The blocks before the options, the options and headings, and what is after
    them."""
    about, options, notes = [], [], []
    for block in text.rstrip("\n").split("\n\n"):
        option = OPTION.match(block) or HEADING.fullmatch(block)
        if option and not notes:
            options.append((option, [block.partition("\n")[2]]))
        elif options and block.startswith(INDENT):
            options[-1][1].append(block)
        elif block != "[options]":
            (notes if options or block.startswith("Exit status") else about).append(block)
    return about, options, notes


def join_lines(paragraphs):
    return [part.removeprefix(INDENT).replace("\n" + INDENT, " ")
            for part in paragraphs]


def wrap(text, column):
    """The lines of a paragraph, whose blanks are those of all its lines."""
    margin = " " * (column + len(text) - len(text.lstrip(" ")))
    return textwrap.wrap(text.lstrip(" "), WIDTH, initial_indent=margin, subsequent_indent=margin,
                         break_long_words=False, break_on_hyphens=False)


def lay_out(rows):
    """The lines of options, of which each has a head and paragraphs."""
    column = 2 + max(len(head) for head, _ in [*rows, HELP] if len(head) <= HEAD_MOST)
    for head, paragraphs in [*rows, HELP]:
        if paragraphs == [""]:  # a heading
            yield from ["", head]
            continue
        lines = [line for part in paragraphs for line in wrap(part, column)]
        if len(head) + 2 <= column:
            lines[0] = head + lines[0][len(head):]
        else:
            yield head
        yield from lines


def make_row(option, paragraphs):
    if option.re is HEADING:
        return f"{option[1]}:", [""]
    head = option[0].removesuffix("\n" + INDENT)
    return f"  {head}", join_lines(paragraphs)


def make_help(about, options, notes):
    rows = [make_row(*option) for option in options]
    if not rows or rows[0][1] != [""]:
        about = [*about, "Options:"]
    text = "\n\n".join(about) + "\n" + "".join(f"{line}\n" for line in lay_out(rows))
    return text + "".join(f"\n{block}\n" for block in notes)


def cut_text(text):
    """Its lines, and whether each ends a string, of which the longest has 4,095
    bytes. A string begins with a line that is no part of the one before."""
    size, lines = 0, text.splitlines(keepends=True)
    for line, after in zip(lines, [*lines[1:], "."]):
        size += len(line.encode())
        is_last = after == "." or (size > PART_LEAST and not after.startswith("   "))
        size = 0 if is_last else size
        yield line, is_last


def members_of(option):
    letter, name, value, lacking = option.groups()
    members = [f".name = {quote(name.encode())}"]
    if value or lacking:
        members.append(f".value = {quote((value or lacking).encode())}")
    if letter:
        members.append(f".letter = '{letter}'")
    return " \\\n\t" + ", \\\n\t".join(members)


def main(usage, output):
    parts = divide(Path(usage).read_text())
    made = {"HELP": " \\\n\t(const char *const[]) { \\" + "".join(
        f"\n\t{quote(line.encode())}{',' if is_last else ''} \\"
        for line, is_last in cut_text(make_help(*parts))) + "\n\tNULL }"}
    for option, _ in parts[1]:
        if option.re is OPTION:
            name = option[2].upper().replace("-", "_")
            made[f"OPTION_{name}"] = members_of(option)
    command = Path(usage).stem.upper()
    Path(output).write_text(f"/* Made by gen_usage.py from {usage}. */\n" + "".join(
        f"#define {command}_{name}{text}\n" for name, text in made.items()))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"gen_usage.py: {error}")
