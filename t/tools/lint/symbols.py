#!/usr/bin/python3
"""What a library shows a program: symbols.py FILE...

Every symbol that a libtrace2 defines for others begins with trace2_ or
trace_.
"""

import subprocess
import sys

PREFIXES = ("trace2_", "trace_")


def exported(path):
    dynamic = ["-D"] if ".so" in path else []
    shown = subprocess.run(
        ["nm", "--extern-only", "--defined-only", *dynamic, "-P", path],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    rows = (row.split() for row in shown.splitlines())
    return [row[0] for row in rows if len(row) > 1]


def main(paths):
    bad = False
    for path in paths:
        names = exported(path)
        if not names:
            print(f"{path}: shows no symbol at all")
            bad = True
        for name in names:
            if not name.startswith(PREFIXES):
                print(f"{path}: shows {name}")
                bad = True
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
