#!/usr/bin/env python3
"""Make rows for C of a table.

    gen_rows.py TABLE.tsv OUTPUT.h

The first line names the columns: one in capitals has names of C, each other
one texts; where its name ends with `?`, `-` is none. NAME.tsv becomes
NAME_ROWS(ROW), which calls ROW for each line. If the first column's name begins
with `@`, each of its values has rows of its own: NAME_VALUE(ROW).
Lines before the first that begin with `#` are comments.
"""

import sys
from itertools import dropwhile
from pathlib import Path

from gen_rules import quote


def value(name, field):
    if name.endswith("?") and field == "-":
        return "NULL"
    return field if name.lstrip("@").isupper() else quote(field.encode())


def row(names, fields):
    if len(fields) != len(names):
        raise ValueError(f"{fields[0]}: expected {len(names)} columns")
    return "ROW(" + ", ".join(map(value, names, fields)) + ")"


def macro(name, rows):
    return " \\\n\t".join([f"#define {name}(ROW)", *rows]) + "\n"


def main(table, output):
    lines = dropwhile(lambda line: line.startswith("#"),
                      Path(table).read_text().splitlines())
    names, *rows = (line.split("\t") for line in lines)
    macros = {}
    for fields in rows:
        part = fields[0] if names[0].startswith("@") else "ROWS"
        macros.setdefault(f"{Path(table).stem.upper()}_{part}", []).append(
            row(names, fields))
    Path(output).write_text(f"/* Made by gen_rows.py from {table}. */\n" + "".join(
        macro(*one) for one in macros.items()))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"gen_rows.py: {error}")
