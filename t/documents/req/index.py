"""The index of the specification: its statements by class and by id.

docs/index.md has it, below two headings; it is made from the statements of
all documents. SPEC.md lists the chapters of the other documents, with the
anchors that they had in SPEC.md.
"""

import bisect
import re
from collections import Counter

from spec import DOCUMENTS, INDEX

BY_CLASS = re.compile(r"(## By class\n.*?\n\|---[-|]*\n)(?:\|[^\n]*\n)*()",
                      re.S)
BY_ID = re.compile(r"(## By id\n.*?\n\|---[-|]*\n)(?:\|[^\n]*\n)*()", re.S)

# The lists of chapters in SPEC.md, by the document that has them.
CHAPTERS = {
    document: re.compile(rf"(\| {head} \| sections \|\n\|---[-|]*\n)(?:\|[^\n]*\n)*()")
    for document, head in zip(DOCUMENTS[1:], ("chapter", "informative chapter"))
}
INDEX_ROW = (
    f'| <a id="index"></a>[Index]({INDEX}) '
    f'| <a id="by-class"></a>[By class]({INDEX}#by-class), '
    f'<a id="by-id"></a>[By id]({INDEX}#by-id) |\n'
)


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
        yield row(f"[{home.text}]({home.address(INDEX)})", *cells)
    yield row("all", *(str(total[name]) for name in classes))


def by_id(spec):
    for one, home in sorted(homes(spec)):
        yield row(f"[{one.id}]({home.address(INDEX)})", one.level or "informative",
                  ", ".join(one.classes))


def chapters(spec, document):
    """A document's chapters, with the anchors that SPEC.md had."""
    rows = []
    for one in spec.headings:
        if one.document != document or one.depth < 2 or one.text == "Chapters":
            continue
        if one.depth == 2:
            rows.append(([], []))
        address = one.address(DOCUMENTS[0])
        cell = f'<a id="{one.anchor}"></a>[{one.text}]({address})'
        rows[-1][one.depth - 2].append(cell)
    for chapter, sections in rows:
        yield row(*chapter, ", ".join(sections))
    if document == DOCUMENTS[-1]:
        yield INDEX_ROW


def row(*cells):
    return "|" + "|".join(f" {c} " if c else " " for c in cells) + "|\n"
