#!/usr/bin/python3
"""The ABI of the library beside what is recorded: abi.py LIBRARY SYMBOLS

    abi.py --write VERSION LIBRARY SYMBOLS    record what is new

SYMBOLS is debian/libtrace2-0.symbols: a line for the library, then one for
each symbol that it has had under its soname. One that is gone needs another
soname; one that is new has to be recorded with the version that brings it.
"""

import re
import subprocess
import sys
from pathlib import Path

HEAD = re.compile(r"^(\S+\.so\.\d+) \S+ #MINVER#$")
SYMBOL = re.compile(r"^ (\w+)@Base \S+$")


def exported(library):
    shown = subprocess.run(
        ["nm", "-D", "--extern-only", "--defined-only", "-P", library],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    return {line.split()[0] for line in shown.splitlines()}


def soname(library):
    shown = subprocess.run(["readelf", "-d", library], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    return re.search(r"soname: \[(.*)\]", shown)[1]


def first_part(text):
    """The lines of the first library, and those of the others."""
    lines = text.splitlines(keepends=True)
    heads = [at for at, line in enumerate(lines) if HEAD.match(line.rstrip())]
    end = heads[1] if len(heads) > 1 else len(lines)
    return lines[:end], lines[end:]


def recorded(text):
    """The soname, and the symbols, of the first library."""
    head, *rows = [line.rstrip("\n") for line in first_part(text)[0]
                   if line[:1] != "*"]  # fmt: skip
    return HEAD.match(head)[1], {SYMBOL.match(row)[1] for row in rows}


def findings(library, text):
    name, symbols = recorded(text)
    found = exported(library)
    if soname(library) != name:
        yield f"{soname(library)} is recorded as {name}"
    for symbol in sorted(symbols - found):
        yield f"{symbol} is gone: programs need another SOVERSION"
    for symbol in sorted(found - symbols):
        yield f"{symbol} is new: record it with the version that brings it"


def recording(library, text, version):
    """The text with the symbols that are new."""
    (head, *rows), others = first_part(text)
    new = exported(library) - recorded(text)[1]
    rows += [f" {symbol}@Base {version}\n" for symbol in new]
    extra = [row for row in rows if row[:1] == "*"]
    rows = sorted(set(rows) - set(extra))
    return "".join([head, *extra, *rows, *others])


def write(version, library, symbols):
    path = Path(symbols)
    path.write_text(recording(library, path.read_text(), version))
    return 0


def main(library, symbols):
    found = list(findings(library, Path(symbols).read_text()))
    for finding in found:
        print(f"{symbols}: {finding}")
    return 1 if found else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        sys.exit(write(*sys.argv[2:]))
    sys.exit(main(*sys.argv[1:]))
