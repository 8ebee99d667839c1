"""Faults: edits of recorded runs, each of which breaks one requirement.

    fault("region.nesting", "regions nest",
          event=(rb'"nesting":2', rb'"nesting":3'))

says: with this edit of what our own driver writes in that scenario,
`region.nesting` must fail there, and nothing of another chapter. This is
what makes a requirement tested.
"""

import dataclasses
import re

FAULTS = []


@dataclasses.dataclass(frozen=True)
class Fault:
    id: str
    scenario: str
    edit: object

    @property
    def name(self):
        return f"{self.id} in {self.scenario}"


def fault(name, scenario, edit=None, **parts):
    """`parts`: event=, perf=, normal=, stdout=, stderr= take a pair (regular
    expression, replacement) for each line (None: the line goes away);
    exit= takes a code; files= a dictionary of contents (None: gone).
    `edit` is a function from Run to Run, for all else."""
    made = edit or editor(**parts)
    FAULTS.append(Fault(name, scenario, made))


def editor(exit=None, files=None, **pairs):
    def apply(run):
        if exit is not None:
            run.exit = exit
        for path, content in (files or {}).items():
            if content is None:
                run.files.pop(path, None)
            else:
                run.files[path] = content
        for part, (pattern, replacement) in pairs.items():
            if part in ("stdout", "stderr"):
                text = getattr(run, part)
                setattr(run, part, edited(text, pattern, replacement))
            elif part in run.files:
                text = run.files[part]
                run.files[part] = edited(text, pattern, replacement)
        return run

    return apply


def edited(text, pattern, replacement):
    """Every line with the replacement, or without the lines that match."""
    if pattern[-1:] not in b"$Z" and not re.search(b"(?m)" + pattern, text):
        return text  # no line of it: what most of a broken driver's logs are
    lines = text.splitlines(keepends=True)
    found = re.compile(pattern)
    if replacement is None:
        return b"".join(x for x in lines if not found.search(x))
    return b"".join(found.sub(replacement, x) for x in lines)
