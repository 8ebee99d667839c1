"""t/documents/req/requirements.lock: every id that SPEC.md ever had, and its wording.

One line a requirement: id, level, status and digest, with tabs between; `#`
begins a comment. The status is `active`, or `retired` for an id that SPEC.md
had once and that nothing else may be called now. A changed digest says that
a sentence changed under an id that others cite: whoever changes it looks at
what tests it, and then blesses the lock.
"""

import hashlib
from collections import namedtuple

ACTIVE, RETIRED = "active", "retired"
HEAD = """\
# Every requirement id that SPEC.md ever had: id, level, status, digest of
# the wording. Written by `make req-bless`, never by hand.
"""

Entry = namedtuple("Entry", "id level status digest")


class Refused(Exception):
    """What can't be blessed; the arguments are the findings."""


def level(statement):
    return statement.level or "informative"


def digest(statement):
    """Of all that a reader is bound by; white space is all the same."""
    words = " ".join(statement.text.split())
    whole = "\n".join([level(statement), " ".join(statement.classes), words])
    return hashlib.sha256(whole.encode()).hexdigest()[:12]


def entry(statement):
    name = statement.id
    return Entry(name, level(statement), ACTIVE, digest(statement))


def parse(text):
    """The entries of a lock by their ids."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line[0] == "#":
            continue
        cells = line.split("\t")
        if len(cells) != 4 or cells[2] not in (ACTIVE, RETIRED):
            raise ValueError(f"requirements.lock:{number}: {line!r}")
        if cells[0] in found:
            raise ValueError(f"requirements.lock:{number}: {cells[0]} again")
        found[cells[0]] = Entry(*cells)
    return found


def text(entries):
    lines = ("\t".join(entries[name]) + "\n" for name in sorted(entries))
    return HEAD + "".join(lines)


def findings(statements, entries):
    """How SPEC.md differs from the lock, one line each."""
    present = {one.id: entry(one) for one in statements}
    for name, new in present.items():
        old = entries.get(name)
        if not old:
            yield f"{name}: is new"
        elif old.status == RETIRED:
            yield f"{name}: is retired and can't come back"
        elif old != new:
            yield f"{name}: its wording, level or classes changed"
    for name, old in entries.items():
        if name not in present and old.status == ACTIVE:
            yield f"{name}: is gone"


def blessed(statements, entries):
    """The lock for these statements: what is gone stays in it, retired."""
    present = {one.id: entry(one) for one in statements}
    back = [
        f"{name}: is retired and can't come back"
        for name in present
        if name in entries and entries[name].status == RETIRED
    ]
    if back:
        raise Refused(*back)
    kept = {n: old._replace(status=RETIRED) for n, old in entries.items()}
    return {**kept, **present}
