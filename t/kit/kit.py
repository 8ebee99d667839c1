"""Scenarios, what they check, and the verdict on each requirement.

    @scenario("regions nest", verbs=("500region_nested",),
              ids=("region.nesting",))
    def regions_nest(kit):
        run = kit.run("500region_nested", "3")
        found = [e["nesting"] for e in run.events("region_enter")]
        kit.equal("region.nesting", found, [1, 2, 3])

A scenario declares the requirements that it checks and the verbs that it
needs. It may run the driver several times; what it runs must not depend on
what came out, so that recorded runs can be judged again.
"""

import dataclasses
import importlib
import pkgutil

from kit import run as runs

PASS, FAIL, SKIP = "PASS", "FAIL", "SKIP"
UNIMPLEMENTED, KNOWN, ERROR = "UNIMPLEMENTED", "KNOWN", "ERROR"
VERDICTS = (PASS, FAIL, SKIP, UNIMPLEMENTED, KNOWN, ERROR)

SCENARIOS = {}


class Skip(Exception):
    """The scenario can't run here; the message says why."""


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    ids: tuple
    verbs: tuple
    function: object


def scenario(name, ids, verbs=()):
    """Register a function as a scenario. See the head of this file."""

    def register(function):
        if name in SCENARIOS:
            raise ValueError(f"two scenarios {name!r}")
        SCENARIOS[name] = Scenario(name, tuple(ids), tuple(verbs), function)
        return function

    return register


def load():
    """All scenarios, by name."""
    package = importlib.import_module("kit.scenarios")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"kit.scenarios.{module}")
    return SCENARIOS


@dataclasses.dataclass
class Result:
    """The verdict of one scenario on one requirement."""

    scenario: str
    id: str
    verdict: str
    expected: str = ""
    actual: str = ""
    note: str = ""
    command: str = ""


class Kit:
    """What a scenario is given. `runner(argv, **options)` makes a Run;
    `verbs` are those of the driver, None stands for all."""

    def __init__(self, case, runner, verbs=None):
        self._case = case
        self._runner = runner
        self._verbs = verbs
        self._failed = {}
        self._passed = set()
        self._unseen = set()
        self.runs = []

    # Running

    def command(self, *argv, targets=runs.TARGETS, env=None, **options):
        """Run any command line; the targets write files of their names."""
        names = {runs.VARIABLES[t]: "{}/" + t for t in targets}
        names.update(env or {})
        run = self._runner(list(argv), env=names, **options)
        self.runs.append(run)
        return run

    def run(self, verb, *arguments, **options):
        """Run a verb of the driver; options as for command()."""
        return self.command("test-tool", "trace2", verb, *arguments, **options)

    def has(self, verb):
        """For scenarios that run as many verbs as there are."""
        return self._verbs is None or verb in self._verbs

    # Checking. Each call speaks for one declared requirement.

    def unseen(self, name):
        """Nothing came out that the requirement speaks of."""
        self._unseen.add(name)

    def check(self, name, good, expected="", actual=""):
        """`expected` and `actual` are shown where `good` is false."""
        if name not in self._case.ids:
            raise ValueError(f"{self._case.name}: {name} is not declared")
        if good:
            self._passed.add(name)
        else:
            self._failed.setdefault(name, (shown(expected), shown(actual)))

    def equal(self, name, actual, expected):
        self.check(name, actual == expected, expected, actual)

    def contains(self, name, whole, part):
        self.check(name, part in whole, f"something with {part!r}", whole)

    def lacks(self, name, whole, part):
        self.check(name, part not in whole, f"nothing with {part!r}", whole)

    def matches(self, name, pattern, text):
        """`pattern` is compiled, and must fit the whole text."""
        good = pattern.fullmatch(text)
        self.check(name, good, f"like {pattern.pattern!r}", text)

    def results(self):
        for name in self._case.ids:
            if name in self._failed:
                expected, actual = self._failed[name]
                yield Result(self._case.name, name, FAIL, expected, actual)
            elif name in self._passed:
                yield Result(self._case.name, name, PASS)
            elif name in self._unseen:
                yield Result(self._case.name, name, UNIMPLEMENTED,
                             note="the driver shows nothing of it")
            else:
                yield Result(self._case.name, name, ERROR,
                             note="the scenario never checked it")


def shown(value):
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 2000 else text[:2000] + "…"


def judge(case, runner, verbs=None):
    """Run a scenario: its results, and the runs that it made."""
    kit = Kit(case, runner, verbs)
    try:
        case.function(kit)
    except Skip as reason:
        return all_of(case, SKIP, str(reason)), kit.runs
    except (runs.Absent, LookupError, TypeError, AttributeError) as problem:
        return lacking(case, kit, problem), kit.runs
    except Exception as problem:  # our own engine broke
        note = f"{type(problem).__name__}: {problem}"
        return all_of(case, ERROR, note), kit.runs
    return list(kit.results()), kit.runs


def lacking(case, kit, problem):
    """The output lacks what the scenario looked for: what it could not
    check any more has failed."""
    found = []
    for result in kit.results():
        if result.verdict == ERROR:
            result = Result(case.name, result.id, FAIL,
                            "an output in which this can be looked up",
                            f"{type(problem).__name__}: {problem}")
        found.append(result)
    return found


def all_of(case, verdict, note=""):
    return [Result(case.name, name, verdict, note=note) for name in case.ids]


def conduct(case, driver):
    """A scenario against a driver: results and runs."""
    missing = [v for v in case.verbs if v not in driver.verbs]
    if missing:
        return all_of(case, UNIMPLEMENTED, " ".join(missing)), []
    return judge(case, driver.run, driver.verbs)


class Replay:
    """A runner that gives recorded runs in their order, each edited."""

    def __init__(self, recorded, edit=lambda run: run):
        self._left = list(recorded)
        self._edit = edit

    def __call__(self, argv, **options):
        run = self._left.pop(0)
        copy = dataclasses.replace(run, files=dict(run.files),
                                   received=list(run.received))
        return self._edit(copy)
