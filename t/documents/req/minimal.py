"""docs/min.md: what binds the class `min`, in the order in which one builds
an emitter. It is made from SPEC.md; the order of the sections is here."""

import posixpath
import re

from req import index

PAGE = "docs/min.md"
CLASS = "min"
HEAD = """# A minimal emitter, step by step

These are the {count} statements of [SPEC.md](../SPEC.md) that bind the class `min`, in the order in which one builds an emitter. `make rules` makes this page.
The first four steps make a whole emitter, as [the one of SPEC.md](../SPEC.md#a-minimal-emitter) is. The others are for what your program has besides: take those that you need, in this order. What the last step says of a log follows from the steps before it; `trace2 validate` checks it.
*Optional* means that the statement says when the field is absent; an empty text is written unless it says so. *Redacted* binds the class `full`: a minimal emitter may write the text as it is.
"""
STEPS = (
    ("Where it writes", ("Each setting", "What a value means", "Writing")),
    ("Who writes", ("Session ids", "Threads")),
    ("A line", ("JSON", "Times", "Common fields", "Input")),
    ("The first events and their order",
     ("version", "start", "exit", "Order of events", "Versions")),
    ("Other ends of a process", ("atexit", "signal")),
    ("Errors and messages", ("error", "printf")),
    ("What a command says of itself",
     ("cmd_path", "cmd_ancestry", "cmd_name", "cmd_mode", "alias",
      "def_param", "def_repo")),
    ("Children and exec",
     ("child_start", "child_exit", "child_ready", "exec", "exec_result")),
    ("Regions and data",
     ("Regions and data", "Nesting limit", "region_enter", "region_leave",
      "data", "data_json")),
    ("Other threads, timers and counters",
     ("thread_exit", "th_timer", "timer", "th_counter", "counter")),
    ("What a log shows",
     ("Lifecycle", "Children, exec and hierarchy", "Threads in a log",
      "Regions and data in a log", "Times and sums in a log", "Form")),
)
LINK = re.compile(r"\]\(([^)#:]*)(#[^)]*)?\)")


class Unplaced(Exception):
    """A section has such statements and no place in STEPS."""


def linked(text, document):
    """The text with its links as they are from the page."""
    def change(match):
        path = posixpath.relpath(match[1] or document, "docs")
        return f"]({path}{match[2] or ''})"
    return LINK.sub(change, text)


def found(spec):
    """The statements of the class, by the heading of their section."""
    sections = {}
    for one, home in index.homes(spec):
        if CLASS in one.classes:
            sections.setdefault(home.text, []).append((one, home))
    return sections


def lines(spec):
    sections = found(spec)
    count = sum(map(len, sections.values()))
    yield HEAD.format(count=count)
    for number, (title, names) in enumerate(STEPS, 1):
        yield f"\n## {number}. {title}\n"
        for name in names:
            for one, home in sections.pop(name):
                text = linked(one.text, home.document)
                yield (f"- [`{one.id}`]({home.address(PAGE)}) "
                       f"{one.level}: {text}")
    if sections:
        raise Unplaced(f"{', '.join(sections)} in {PAGE}")


def page(spec):
    return "\n".join(lines(spec)) + "\n"
