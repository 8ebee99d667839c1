"""Declared deviations: t/kit/differences/<name>.tsv, lines of

    requirement TAB scenario TAB why

A FAIL that a line declares becomes KNOWN; a declared deviation that passes
is an ERROR, for then the declaration is out of date. The scenario may be a
glob. `#` begins a comment.
"""

import dataclasses
import fnmatch
from pathlib import Path

from kit.kit import ERROR, FAIL, KNOWN, PASS, Result

FOLDER = Path(__file__).resolve().parent / "differences"


def read(name):
    found = []
    text = (FOLDER / f"{name}.tsv").read_text()
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line[0] == "#":
            continue
        cells = line.split("\t")
        if len(cells) != 3:
            raise ValueError(f"{name}.tsv:{number}: expected three columns")
        found.append(tuple(cells))
    return found


def idle(declared, cases):
    """The declarations that no scenario could ever meet."""
    pairs = [(name, case.name) for case in cases for name in case.ids]
    return [
        entry for entry in declared
        if not any(entry[0] == name and fnmatch.fnmatch(scenario, entry[1])
                   for name, scenario in pairs)
    ]


def apply(declared, results):
    """The results, one by one, with what is declared; then the stale
    declarations."""
    used = set()
    judged = set()
    for result in results:
        match = find(declared, result)
        if match and result.verdict == FAIL:
            used.add(match)
            result = dataclasses.replace(result, verdict=KNOWN, note=match[2])
        elif match and result.verdict == PASS:
            judged.add(match)
        yield result
    for name, scenario, why in sorted(judged - used):
        yield Result(scenario, name, ERROR,
                     note=f"declared as known, but it passes: {why}")


def find(declared, result):
    for entry in declared:
        if entry[0] == result.id and fnmatch.fnmatch(
            result.scenario, entry[1]
        ):
            return entry
    return None
