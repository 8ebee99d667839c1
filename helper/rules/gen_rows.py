#!/usr/bin/env python3
"""Make rows for C of a table.

    gen_rows.py TABLE.tsv OUTPUT.h

The first line names the columns: one in capitals has names of C, each other
one texts; where its name ends with `?`, `-` is none. NAME.tsv becomes
NAME_ROWS(ROW), which calls ROW for each line. If the first column is TABLE, it
has the NAME of each line instead. Lines before the first that begin with `#`
are comments.
"""

import sys
from itertools import dropwhile
from pathlib import Path

from gen_rules import quote


def value(name, field):
    if name.endswith("?") and field == "-":
        return "NULL"
    return field if name.isupper() else quote(field.encode())


def row(names, fields):
    if len(fields) != len(names):
        raise ValueError(f"{fields[0]}: expected {len(names)} columns")
    return "ROW(" + ", ".join(map(value, names, fields)) + ")"


def read(table):
    """The names of the columns, and the rows of each NAME."""
    lines = dropwhile(lambda line: line.startswith("#"),
                      Path(table).read_text().splitlines())
    names, *rows = (line.split("\t") for line in lines)
    if names[0] != "TABLE":
        return names, {Path(table).stem: rows}
    return names[1:], {name: [fields[1:] for fields in rows
                              if fields[0] == name]
                       for name in dict.fromkeys(row[0] for row in rows)}


def main(table, output):
    names, tables = read(table)
    Path(output).write_text(f"/* Made by gen_rows.py from {table}. */\n" + "".join(
        " \\\n\t".join([f"#define {name.upper()}_ROWS(ROW)",
                         *(row(names, fields) for fields in rows)]) + "\n"
        for name, rows in tables.items()))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"gen_rows.py: {error}")
