"""The index of the specification: its statements by class and by id.

It stands at the end of SPEC.md, below two headings, and is made from the
statements of both documents. So is the list of the second document's
chapters in SPEC.md.
"""

import bisect
import re
from collections import Counter

from spec import DOCUMENTS

BY_CLASS = re.compile(r"(### By class\n.*?\n\|---[-|]*\n)(?:\|[^\n]*\n)*()",
                      re.S)
BY_ID = re.compile(r"(### By id\n.*?\n\|---[-|]*\n)(?:\|[^\n]*\n)*()", re.S)

CHAPTERS = re.compile(r"(\| chapter \| sections \|\n\|---[-|]*\n)(?:\|[^\n]*\n)*()")


def homes(spec):
    """(statement, the heading of its section) of each, in order."""
    lines = [one.line for one in spec.headings]
    for one in spec.statements:
        yield one, spec.headings[bisect.bisect(lines, one.line) - 1]


def by_class(spec, classes):
    counts = {}
    for one, home in homes(spec):
        if one.level:
            counts.setdefault(home, Counter()).update(one.classes)
    total = sum(counts.values(), Counter())
    for home, count in counts.items():
        cells = (str(count[name] or "") for name in classes)
        yield row(f"[{home.text}]({home.address})", *cells)
    yield row("all", *(str(total[name]) for name in classes))


def by_id(spec):
    for one, home in sorted(homes(spec)):
        yield row(f"[{one.id}]({home.address})", one.level or "informative",
                  ", ".join(one.classes))


def chapters(spec):
    """The second document's chapters, with the anchors that SPEC.md had."""
    rows = []
    for one in spec.headings:
        if one.document == DOCUMENTS[0] or one.depth < 2 or one.text == "Chapters":
            continue
        if one.depth == 2:
            rows.append(([], []))
        cell = f'<a id="{one.anchor}"></a>[{one.text}]({one.address})'
        rows[-1][one.depth - 2].append(cell)
    for chapter, sections in rows:
        yield row(*chapter, ", ".join(sections))


def row(*cells):
    return "|" + "|".join(f" {c} " if c else " " for c in cells) + "|\n"
