#!/usr/bin/python3
"""No switch over kinds has a default: kinds.py [ROOT]

A switch whose cases are constants of the project (TR2_..., TRACE_...,
FXT_...) names all that it knows. If a kind is added, the compiler then asks
for its case; a default would hide it. Switches over characters and over the
options of a command may have one.
"""

import re
import sys
from pathlib import Path

KIND = re.compile(r"\b(?:TR2|TRACE2?|FXT)_[A-Z0-9_]+$")
CASE = re.compile(r"\bcase\b([^:]*):|\bdefault\s*:")
SWITCH = re.compile(r"\bswitch\b")
HIDDEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\""
                    r"|'(?:\\.|[^'\\\n])*'", re.S)
TOPS = ("ref", "helper")
SUFFIXES = (".c", ".h", ".cpp")


def hide(text):
    """Comments, strings and characters as blanks, lines where they were."""
    return HIDDEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def end_of(text, start):
    """After the brace that closes the one at `start`."""
    depth = 0
    for match in re.finditer(r"[{}]", text[start:]):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return start + match.end()
    return len(text)


def bodies(text):
    """Where each switch begins, and its body without inner switches."""
    for match in SWITCH.finditer(text):
        start = text.find("{", match.end())
        if start < 0:
            continue
        body = text[start:end_of(text, start)]
        for inner in SWITCH.finditer(body):
            brace = body.find("{", inner.end())
            stop = end_of(body, brace)
            body = body[:brace] + " " * (stop - brace) + body[stop:]
        yield match.start(), body


def file_findings(path, text):
    text = hide(text)
    for at, body in bodies(text):
        labels = [m[1] for m in CASE.finditer(body)]
        kinds = [label.strip() for label in labels if label is not None]
        if None in labels and any(KIND.match(kind) for kind in kinds):
            line = text.count("\n", 0, at) + 1
            yield f"{path}:{line}: a switch over kinds has a default"


def findings(root):
    for top in TOPS:
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SUFFIXES:
                text = file.read_text(encoding="utf-8")
                yield from file_findings(file.relative_to(root), text)


def main(arguments):
    found = list(findings(Path(arguments[0] if arguments else ".")))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
