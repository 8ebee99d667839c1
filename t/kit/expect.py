"""What must not be missing, and what came out the last time.

`--require WHAT` turns a requirement that no scenario could look at into a
failure. `--expect FILE` compares the verdict on each requirement with a file
that `--record FILE` wrote: lines of

    requirement TAB verdict

Each difference is a failure, also one for the better, so that the file stays
true; a failure that the file expects is none. A SKIP says something of the
machine, and is not compared. `#` begins a comment.
"""

import fnmatch

from kit.kit import ERROR, FAIL, SKIP, UNIMPLEMENTED, VERDICTS, Result

UNSEEN = (UNIMPLEMENTED, SKIP)


def read(path):
    """The verdicts in a file, by requirement."""
    found = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if not line or line[0] == "#":
            continue
        cells = line.split("\t")
        if len(cells) != 2 or cells[1] not in VERDICTS:
            raise ValueError(
                f"{path}:{number}: expected a requirement, a tab and one of "
                f"{', '.join(VERDICTS)}, found {line!r}")
        if cells[0] in found:
            raise ValueError(f"{path}:{number}: {cells[0]} occurs twice")
        found[cells[0]] = cells[1]
    return found


def written(verdicts):
    """The text of such a file."""
    rows = (f"{name}\t{verdict}\n" for name, verdict in verdicts.items())
    return "# requirement\tverdict\n" + "".join(rows)


def idle(patterns, names):
    """The patterns that no requirement fits."""
    return [p for p in patterns if not fnmatch.filter(names, p)]


def lacking(patterns, results):
    """A failure for each required requirement that nothing showed."""
    reasons, seen = {}, set()
    for result in results:
        if result.verdict in UNSEEN:
            reasons.setdefault(result.id, result)
        else:
            seen.add(result.id)
    for name, first in reasons.items():
        if name not in seen and any(fnmatch.fnmatchcase(name, p)
                                    for p in patterns):
            yield Result(first.scenario, name, FAIL,
                         "a driver that shows this (--require)",
                         f"{first.verdict}: {first.note}")


def different(expected, verdicts, scenarios):
    """A failure for each requirement whose verdict is not the expected
    one; `scenarios` names a scenario of each."""
    for name in {**expected, **verdicts}:
        before = expected.get(name, "no line for it")
        now = verdicts.get(name, "no scenario checks it")
        if before != now and SKIP not in (before, now):
            yield Result(scenarios.get(name, ""), name, FAIL,
                         f"{before} (--expect)", now)


def excused(expected, verdicts):
    """The requirements that fail, as expected."""
    return {name for name, verdict in verdicts.items()
            if verdict in (FAIL, ERROR) and expected.get(name) == verdict}
