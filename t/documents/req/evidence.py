"""What is known of each requirement: who keeps it, and what proves it.

A requirement is tested if a violation of it is caught under its id: a fault
in recorded runs or a broken driver (t/kit/faults.py and drivers.py, which
t/kit/tests/test_kit.py proves), a fault in the trace engine
(t/tools/faults/engine_faults.py, which `make check-engine` proves), one seeded into
the rest of the reference (t/tools/faults/seeds.py, which `make check-faults` proves), a log below t/corpus/fail/<id>/, a broken event
made from a schema (schema_cases.py), or a case of t/unit/record/manager/wrong.txt,
whose provider the trace manager drops for that.
To be named in a test that passes is not enough.
"""

import dataclasses
import re
from collections import Counter

import schema_cases
import schema_oracle
from faults import engine_faults, seeds
from kit import drivers, faults, kit
from req import citations

# Parts of the kit whose faults are proven to be caught. What git shows as a
# witness depends on the git, so its faults prove nothing.
PROVEN = ("scenarios", "consumer")
WITNESS = "witness"

VIOLATION = re.compile(r"^= (.+)\n.*\bdropped-for (\S+)", re.M)

# What a citation of each kind tells; `known` tells nothing.
SHELVES = {
    "code": "code",
    "schema": "schemas",
    "test": "tests",
    "golden": "goldens",
    "corpus": "logs",
}


@dataclasses.dataclass
class Evidence:
    """Of one requirement. Lists hold places or names, without doubles."""

    code: list = dataclasses.field(default_factory=list)
    schemas: list = dataclasses.field(default_factory=list)
    tests: list = dataclasses.field(default_factory=list)
    goldens: list = dataclasses.field(default_factory=list)
    scenarios: list = dataclasses.field(default_factory=list)
    faults: list = dataclasses.field(default_factory=list)
    drivers: list = dataclasses.field(default_factory=list)
    logs: list = dataclasses.field(default_factory=list)
    negatives: int = 0

    @property
    def tested(self):
        return bool(self.faults or self.drivers or self.logs
                    or self.negatives)


def gather(spec, cited, scenarios, caught, broken, negatives):
    """Evidence by id. `cited` are citations, `scenarios` those of the kit,
    `caught` its faults, `broken` its broken drivers, `negatives` the ids of
    broken events."""
    found = {one.id: Evidence() for one in spec.statements}
    for one in cited:
        for name in named(spec, one.id):
            put(found[name], SHELVES.get(one.kind), one.place)
    for case in scenarios:
        for name in set(case.ids) & found.keys():
            put(found[name], "scenarios", case.name)
    for one in caught:
        if one.id in found:
            put(found[one.id], "faults", one.scenario)
    for one in broken:
        if one.id in found:
            put(found[one.id], "drivers", one.name)
    for name, count in Counter(negatives).items():
        if name in found:
            found[name].negatives = count
    return found


def put(evidence, shelf, what):
    if shelf and what not in getattr(evidence, shelf):
        getattr(evidence, shelf).append(what)


def named(spec, cited):
    """The ids that a citation names; none if it is an orphan."""
    if cited.endswith(".*"):
        return [name for name in spec.ids if name.startswith(cited[:-1])]
    return [cited] if cited in spec.ids else []


def violations(root):
    """(id, name) of what a provider does wrong in the unit program."""
    text = (root / "t/unit/record/manager/wrong.txt").read_text()
    return [(name, how) for how, name in VIOLATION.findall(text)]


class Tree:
    """What this repository holds of citations, scenarios and violations."""

    def __init__(self, root):
        judged = [c for name in PROVEN for c in kit.load(name).values()]
        proven = {case.name for case in judged}
        self.scenarios = [*judged, *kit.load(WITNESS).values()]
        self.caught = [f for f in faults.FAULTS if f.scenario in proven]
        self.caught += [*engine_faults.FAULTS, *seeds.SEEDS]
        self.negatives = [
            name
            for event in schema_oracle.events()
            for name, _, _ in schema_cases.negatives(event)
        ]
        self.violations = violations(root)
        self.cited = list(citations.all_of(root)) + [
            citations.Citation("scenario", case.name, name)
            for case in self.scenarios
            for name in case.ids
        ]

    def evidence(self, spec):
        found = gather(spec, self.cited, self.scenarios, self.caught,
                       drivers.DRIVERS, self.negatives)
        for name, how in self.violations:
            if name in found:
                put(found[name], "faults", how)
        return found


def orphans(spec, cited):
    """Citations of what SPEC.md does not hold, one line each."""
    for one in cited:
        if not spec.names(one.id):
            yield f"{one.place}: no requirement is called {one.id}"


def binding(statement):
    """Does it have to be tested?"""
    return (statement.level or "").startswith(("MUST", "SHOULD"))


def untested(spec, found):
    for one in spec.statements:
        if binding(one) and not found[one.id].tested:
            yield f"{one.id}: is {one.level}, and no violation is caught"
