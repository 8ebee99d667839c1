"""Deliberately broken drivers: ours, with one thing wrong in all it writes.

    broken("a signal's number has the name of the event",
           "event.signal.signo", "signal: a broken pipe ends the process",
           event=(rb'"signo":', rb'"signal":'))

Unlike a fault, which is an edit in one scenario, the edit is made in what
was recorded of every scenario, wherever it went: files of any name, sockets,
pipes, standard error. The requirement must fail in the scenario that is
named, and none of another chapter in any. t/kit/tests/test_kit.py sees to that.
"""

import copy
import dataclasses

from kit.faults import edited
from kit.run import columns, payload

DRIVERS = []


@dataclasses.dataclass(frozen=True)
class Broken:
    name: str
    id: str
    scenario: str
    edit: object

    def runs(self, recorded):
        """What this driver would have done, or None where that is what
        was recorded."""
        made = [self.edit(copy.copy(run)) for run in recorded]
        return made if made != recorded else None


def broken(name, id, scenario, edit=None, **parts):
    """`parts`: event=, perf=, normal= take what kit.faults.editor() does;
    `edit` is a function from Run to Run that changes nothing within."""
    made = edit or in_logs(**parts)
    DRIVERS.append(Broken(name, id, scenario, made))


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


def events(change):
    """An edit of every EVENT log as a list of lines."""

    def of_log(text):
        if form(text) != "event":
            return text
        return b"".join(change(text.splitlines(keepends=True)))

    return everywhere(of_log)


def swapped(first, second):
    """Where an event follows that other one directly, it comes first."""

    def change(lines):
        marks = [b'{"event":"%s",' % name for name in (first, second)]
        for at in range(len(lines) - 1):
            pair = lines[at:at + 2]
            if all(map(bytes.startswith, pair, marks)):
                lines[at:at + 2] = pair[::-1]
        return lines

    return events(change)


def everywhere(change):
    """An edit of every log, as a whole."""

    def apply(run):
        run.files = {name: change(text) for name, text in run.files.items()}
        run.received = [change(entry) for entry in run.received]
        lines = run.stderr.splitlines(keepends=True)
        run.stderr = b"".join(map(change, lines))
        return run

    return apply


def in_stderr(pattern, replacement):
    """An edit of what is said on standard error."""

    def apply(run):
        run.stderr = edited(run.stderr, pattern, replacement)
        return run

    return apply
