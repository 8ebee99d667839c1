#!/usr/bin/env python3
"""Make the verbs of `test-tool trace2` from what their calls are.

    gen_contract.py contract.tsv places.tsv OUTPUT.h

CONTRACT is the table as text, without what it shows and requires; PLACES has
for each call that has a place where it begins in this text, and that place.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "rules"))
from gen_rules import quote  # noqa: E402

TOKEN = re.compile(r'[{};]|(?:[^\s{};"]|"(?:\\.|[^"\\])*")+')
MAIN = ("test-tool.c", 4)
# No event comes of these at a place that they have.
PLACELESS = frozenset("""
    if else each each3 repeat count threads fork after_exit during_write
    without_memory keep_errno sleep before_start print ignore handle open run
    execute only_target verb child _exit time timer_start timer_stop counter
    text""".split())


def find_calls(calls):
    """The name of each call with a place, and where it begins."""
    is_first = True
    for token in TOKEN.finditer(calls):
        name = token[0]
        if is_first and name not in PLACELESS and name not in "{};":
            yield token.start()
        is_first = name in "{};" or name == "else"


def read_places(path):
    rows = (line.split("\t") for line in path.read_text().splitlines()
            if line[0] != "#")
    return {verb: [MAIN if word == "main" else (file, int(word))
                   for word in lines.split()] for verb, file, lines in rows}


def read_rows(path):
    for line in path.read_text().splitlines():
        if line[0] != "#":
            yield line.split("\t")[:5]


def place_row(cells, known):
    """Where in the row of the table something has a place, and the place."""
    verb, wrong, calls = cells[0], cells[3], cells[4]
    before = len("\t".join(cells[:3]).encode()) + 1
    found = [before] if wrong != "-" else []
    before += len(wrong.encode()) + 1
    found += [before + len(calls[:at].encode()) for at in find_calls(calls)]
    places = known.get(verb) or [(f"{verb}.c", at + 1)
                                 for at in range(len(found))]
    if len(places) != len(found):
        raise ValueError(f"{verb} has {len(found)} places, not {len(places)}")
    return zip(found, places)


def define(name, lines):
    return f"#define {name} \\\n\t" + " \\\n\t".join(lines) + "\n"


def main(contract, places, output):
    known, text, rows, length = read_places(Path(places)), [], [], 0
    for cells in read_rows(Path(contract)):
        rows += [f'{{ {length + at}, "{file}", {line} }},'
                 for at, (file, line) in place_row(cells, known)]
        row = "\t".join(cells).encode() + b"\n"
        text.append(quote(row))
        length += len(row)
    Path(output).write_text(
        f"/* Made by gen_contract.py from {contract} and {places}. */\n"
        + define("CONTRACT", text) + define("PLACES", rows))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"gen_contract.py: {error}")
