"""The index of SPEC.md: its statements by class and by id.

It stands at the end of SPEC.md, below two headings, and is made from the
statements above it.
"""

import bisect
import re
from collections import Counter

BY_CLASS = re.compile(r"(### By class\n.*?\n\|---[-|]*\n)(?:\|[^\n]*\n)*()",
                      re.S)
BY_ID = re.compile(r"(### By id\n.*?\n\|---[-|]*\n)(?:\|[^\n]*\n)*()", re.S)


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
        yield row(f"[{home.text}](#{home.anchor})", *cells)
    yield row("all", *(str(total[name]) for name in classes))


def by_id(spec):
    for one, home in sorted(homes(spec)):
        yield row(f"[{one.id}](#{home.anchor})", one.level or "informative",
                  ", ".join(one.classes))


def row(*cells):
    return "|" + "|".join(f" {c} " if c else " " for c in cells) + "|\n"
