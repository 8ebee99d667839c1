"""Deliberately broken drivers: ours, with one thing wrong in all it writes.

    broken("the signal's number has the name of a column",
           "event.signal.signo", event=(rb'"signo":', rb'"signal":'))

Unlike a fault, which is an edit in one scenario, the edit is made in what
was recorded of every scenario, wherever it went: files of any name, sockets,
pipes, standard error. The requirement must fail in one of them at least, and
none of another chapter in any. See t/test_broken_drivers.py.
"""

import dataclasses

from kit.faults import edited
from kit.run import columns, payload

DRIVERS = []


@dataclasses.dataclass(frozen=True)
class Broken:
    name: str
    id: str
    edit: object


def broken(name, id, edit=None, **parts):
    """`parts`: event=, perf=, normal= take what kit.faults.editor() does;
    `edit` is a function from Run to Run."""
    DRIVERS.append(Broken(name, id, edit or in_logs(**parts)))


def form(text):
    """Which target wrote a line, or a log that begins with it? Lines of
    NORMAL are known when they are full, or begin a log."""
    line = text.partition(b"\n")[0]
    if line.startswith(b'{"event":'):
        return "event"
    if columns(line):
        return "perf"
    if payload(line) != line or line.startswith(b"version "):
        return "normal"
    return ""


def in_logs(**pairs):
    """An edit of each line of every log of these targets."""

    def change(text):
        pair = pairs.get(form(text))
        return edited(text, *pair) if pair else text

    return everywhere(change)


def everywhere(change):
    """An edit of every log, as a whole."""

    def apply(run):
        run.files = {name: change(text) for name, text in run.files.items()}
        run.received = [
            change(x) if isinstance(x, bytes) else x for x in run.received
        ]
        lines = run.stderr.splitlines(keepends=True)
        run.stderr = b"".join(map(change, lines))
        return run

    return apply
