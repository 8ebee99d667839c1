#!/usr/bin/python3
"""Where files are and how they look: layout.py [ROOT]

The top level holds what TOP names and no more; scripts can be run; text
ends in a newline and carries no blank at the end of a line, no CR and no
path of this machine. Recorded data, pictures, and what a ``` block of Markdown
shows are as they are.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

TOP = {
    "README.md", "HACKING.md", "SPEC.md", "TRACING.md", "CHANGES.md", "LICENSE",
    "Makefile", ".ci", "docs", "ref",
    "schema", "golden", "t", "helper", ".clang-format", ".gitignore",
    ".gitattributes",
    "debian", "action.yml", ".pre-commit-hooks.yaml",
}  # fmt: skip
DATA = re.compile(r"^(golden|t/corpus|t/stories/[^/]+|t/tools/fuzz/corpus|t/tools/fuzz/seeds)/")
SCRIPT = re.compile(rb"^#!")
PICTURE = b"\x89PNG\r\n\x1a\n"  # no text has these bytes


def tracked(root):
    shown = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"],
        check=True,
        stdout=subprocess.PIPE,
    ).stdout  # fmt: skip
    names = shown.decode().split("\0")
    return [name for name in names if name and (root / name).exists()]


def text_findings(name, data, machine):
    if data and not data.endswith(b"\n"):
        yield f"{name}: does not end in a newline"
    shown = False
    for number, line in enumerate(data.split(b"\n"), 1):
        if name.endswith(".md") and line.startswith(b"```"):
            shown = not shown
        if line != line.rstrip() and not shown:
            yield f"{name}:{number}: white space at the end"
        if machine in line:
            yield f"{name}:{number}: a path of this machine"


def file_findings(root, name):
    path = root / name
    data = path.read_bytes()
    if SCRIPT.match(data) and not os.access(path, os.X_OK):
        yield f"{name}:1: a script that can't be run: chmod +x"
    if not DATA.match(name) and not data.startswith(PICTURE):
        machine = os.fsencode(root.resolve())
        yield from text_findings(name, data, machine)


def findings(root):
    names = tracked(root)
    for top in sorted({name.split("/")[0] for name in names} - TOP):
        yield f"{top}: has no place at the top"
    for name in names:
        yield from file_findings(root, name)


def main(arguments):
    found = list(findings(Path(arguments[0] if arguments else ".")))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
