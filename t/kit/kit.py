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
import re
import sys

from kit import lacks, show
from kit import run as runs

PASS, FAIL, SKIP = "PASS", "FAIL", "SKIP"
UNIMPLEMENTED, KNOWN, ERROR = "UNIMPLEMENTED", "KNOWN", "ERROR"
VERDICTS = (PASS, FAIL, SKIP, UNIMPLEMENTED, KNOWN, ERROR)

SCENARIOS = {}


class Skip(Exception):
    """The scenario can't run here; the message says why."""


class Unimplemented(Exception):
    """The driver lacks what the scenario is about; the message says what."""


class Misuse(Exception):
    """The scenario is wrong, whatever the driver does."""


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    ids: tuple
    verbs: tuple
    function: object
    package: str = ""


def scenario(name, ids, verbs=()):
    """Register a function as a scenario. See the head of this file."""

    def register(function):
        if name in SCENARIOS:
            raise ValueError(f"two scenarios {name!r}")
        SCENARIOS[name] = Scenario(name, tuple(ids), tuple(verbs), function,
                                   origin())
        return function

    return register


def origin():
    """The package below kit/ whose module makes a scenario, be it with the
    help of a function elsewhere."""
    frame = sys._getframe(1)
    while frame:
        found = re.match(r"kit\.(\w+)\.", frame.f_globals["__name__"])
        if found:
            return found[1]
        frame = frame.f_back
    return ""


def load(name="scenarios"):
    """All scenarios of the package kit.NAME, by name."""
    package = importlib.import_module(f"kit.{name}")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"kit.{name}.{module}")
    return {
        case.name: case for case in SCENARIOS.values() if case.package == name
    }


@dataclasses.dataclass
class Result:
    """The verdict of one scenario on one requirement."""

    scenario: str
    id: str
    verdict: str
    expected: str = ""
    actual: str = ""
    note: str = ""
    commands: tuple = ()  # pairs: what one would type, how it ended

    def __post_init__(self):
        """Nothing that a driver wrote can spoil a report."""
        for name in ("expected", "actual", "note"):
            setattr(self, name, show.printable(getattr(self, name)))


LOOKED_UP = "an output in which this can be looked up"


class Kit:
    """What a scenario is given. `runner(argv, **options)` makes a Run;
    `verbs()` are those of the driver, None stands for all; `configured()`
    tells whether git's configuration counts."""

    def __init__(self, case, runner, verbs=None, configured=lambda: True):
        self._case = case
        self._runner = runner
        self._verbs = verbs
        self._configured = configured
        self._failed = {}
        self._passed = set()
        self._typed = []
        self._unseen = set()
        self.runs = []

    def commands(self):
        """What was run, as one would type it, and how each ended."""
        typed = [show.command(*one, **more) for *one, more in self._typed]
        ends = [run.end() for run in self.runs] + ["it did not end"]
        return tuple(zip(typed, ends))

    # Running

    def command(self, *argv, targets=runs.TARGETS, env=None, **options):
        """Run any command line; the targets write files of their names."""
        names = {runs.VARIABLES[t]: "{}/" + t for t in targets}
        names.update(env or {})
        self._typed.append((argv, names, options))
        run = self._runner(list(argv), env=names, **options)
        self.runs.append(run)
        return run

    def run(self, verb, *arguments, **options):
        """Run a verb of the driver; options as for command()."""
        return self.command("test-tool", "trace2", verb, *arguments, **options)

    def has(self, verb):
        """For scenarios that run as many verbs as there are."""
        return self._verbs is None or verb in self._verbs()

    def configured(self):
        """Do settings come from git's configuration, too? Only the classes
        `git` and `git-config` ask an emitter for that."""
        return self._configured()

    def need_config(self):
        if not self._configured():
            raise Unimplemented("settings from git's configuration")

    # Checking. Each call speaks for one declared requirement.

    def unseen(self, name):
        """Nothing came out that the requirement speaks of."""
        self._unseen.add(name)

    def check(self, name, good, expected="", actual=""):
        """`expected` and `actual` are shown where `good` is false."""
        if name not in self._case.ids:
            raise Misuse(f"{self._case.name}: {name} is not declared")
        if good:
            self._passed.add(name)
        elif name not in self._failed:
            self._failed[name] = {
                "expected": described(expected),
                "actual": described(actual),
                "commands": self.commands(),
            }

    def equal(self, name, actual, expected):
        if actual == expected:
            self.check(name, True)
        else:
            self.check(name, False, *show.both(expected, actual))

    def contains(self, name, whole, part):
        self.check(name, part in whole, f"something with {part!r}",
                   show.value(whole))

    def lacks(self, name, whole, part):
        self.check(name, part not in whole, f"nothing with {part!r}",
                   show.value(whole))

    def matches(self, name, pattern, text):
        """`pattern` is compiled, and must fit the whole text."""
        good = pattern.fullmatch(text)
        self.check(name, good, f"like {pattern.pattern!r}", show.value(text))

    def results(self):
        for name in self._case.ids:
            if name in self._failed:
                yield Result(self._case.name, name, FAIL,
                             **self._failed[name])
            elif name in self._passed:
                yield Result(self._case.name, name, PASS)
            elif name in self._unseen:
                yield Result(self._case.name, name, UNIMPLEMENTED,
                             note="the driver shows nothing of it")
            else:
                yield Result(self._case.name, name, FAIL, LOOKED_UP,
                             "nothing of it came out",
                             commands=self.commands())


def described(what):
    """A str that a scenario gives to check() is a description."""
    return what if isinstance(what, str) else show.value(what)


# What a scenario trips over when the output is not what it looks through.
OUTPUT = (runs.Absent, runs.Hung, LookupError, TypeError, AttributeError,
          ValueError, ArithmeticError)


def judge(case, runner, verbs=None, configured=lambda: True):
    """Run a scenario: its results, and the runs that it made."""
    kit = Kit(case, runner, verbs, configured)
    try:
        case.function(kit)
    except Skip as reason:
        return all_of(case, SKIP, str(reason)), kit.runs
    except Unimplemented as lack:
        return all_of(case, UNIMPLEMENTED, str(lack)), kit.runs
    except OUTPUT as problem:
        return lacking(case, kit, problem), kit.runs
    except Exception as problem:
        if lacks_jsonschema(problem):
            note = "no jsonschema here (python3-jsonschema)"
            return all_of(case, SKIP, note), kit.runs
        # Our own engine broke.
        note = f"{type(problem).__name__}: {problem}"
        return all_of(case, ERROR, note), kit.runs
    return list(kit.results()), kit.runs


def lacks_jsonschema(problem):
    return (isinstance(problem, ModuleNotFoundError)
            and problem.name == "jsonschema")


def lacking(case, kit, problem):
    """The output lacks what the scenario looked for: what it could not
    check any more has failed. If all had been checked before, any of it may
    have been the next."""
    if isinstance(problem, runs.Hung):
        expected, actual = "a run that ends", str(problem)
    else:
        expected, actual = lacks.explain(problem, kit.runs)
    found = list(kit.results())
    none = not any(r.verdict == FAIL for r in found)
    return [
        dataclasses.replace(r, verdict=FAIL, expected=expected, actual=actual,
                            commands=kit.commands())
        if r.expected == LOOKED_UP or none and r.verdict == PASS else r
        for r in found
    ]


def all_of(case, verdict, note=""):
    return [Result(case.name, name, verdict, note=note) for name in case.ids]


def conduct(case, driver):
    """A scenario against a driver: results and runs."""
    missing = [v for v in case.verbs if v not in driver.verbs]
    if missing:
        return all_of(case, UNIMPLEMENTED, " ".join(missing)), []
    return judge(case, driver.run, lambda: driver.verbs,
                 lambda: driver.configured)


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
