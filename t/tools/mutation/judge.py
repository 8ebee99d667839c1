"""Which mutants the tests kill.

First every test runs once without a mutant: what it then reaches, and how
long it takes, is kept in build/mutation/reach. Then each mutant meets the
tests that reach it, until one of them comes out differently. Those that
killed mutants of the same function lately come first; then those that are
quick and reach little else, unit programs before others of that cost, and of
a kind not all at once.
"""

import array
import collections
import hashlib
import itertools
import json
import os
import pickle
import re
import select
import tempfile
import time
from pathlib import Path

from jail import HUNG, Jail, kill_children

LATELY = 4
UNIT_CHEAPER = 16  # one of t/unit was written against some file's mutants
SAVED = 100  # every so many, for a run that is stopped
KILLED, SURVIVED = "killed", "survived"


def in_parallel(jobs, work):
    """Yields (what, rows) for each (what, environment, tests, expected)."""
    running = {}
    work = iter(work)
    while True:
        for what, *given in itertools.islice(work, jobs - len(running)):
            jail = Jail()
            jail.start(*given)
            running[jail.pidfd] = what, jail
        if not running:
            return
        ready = select.select(list(running), [], [], 5)[0]
        for fd in ready:
            what, jail = running.pop(fd)
            yield what, jail.finish()
        yield from overdue(running)


def overdue(running):
    for fd, (what, jail) in list(running.items()):
        if time.monotonic() > jail.deadline:
            del running[fd]
            rows = jail.finish(hung=True)
            kill_children([other.pid for _, other in running.values()])
            yield what, rows


class Reach:
    """What each test reaches; see the head of this file."""

    def __init__(self, path, size, programs):
        self.path, self.size, self.programs = path, size, programs
        self.rows = {}  # name: (digest, outcome, seconds, sites)
        if path.exists():
            self.rows = pickle.loads(path.read_bytes())

    def measure(self, tests, digests, jobs, tell):
        """Of the tests that are not known, or not as they are now."""
        wanted = {t.name: self.programs + digests.of(t) for t in tests}
        self.rows = {name: row for name, row in self.rows.items()
                     if wanted.get(name) == row[0]}
        todo = [t for t in tests if t.name not in self.rows]
        runs = in_parallel(jobs, map(self.one, todo))
        for done, ((test, file), rows) in enumerate(runs, 1):
            data = Path(file).read_bytes()
            os.unlink(file)
            sites = array.array("I", (i for i in ones(data)))
            _, outcome, seconds = rows[-1] if rows else ["", HUNG, 0]
            self.rows[test.name] = wanted[test.name], outcome, seconds, sites
            tell(f"tests run once: {done} of {len(todo)}")
            if done % SAVED == 0:
                self.save()
        self.save()

    def save(self):
        self.path.write_bytes(pickle.dumps(self.rows))

    def one(self, test):
        fd, file = tempfile.mkstemp(prefix="reach")
        os.ftruncate(fd, self.size)
        os.close(fd)
        return (test, file), {"TR2_REACH": file}, [test], {}

    @property
    def expected(self):
        return {name: row[1:3] for name, row in self.rows.items()}

    def useless(self):
        return [name for name, (_, outcome, *_) in self.rows.items()
                if not is_good(outcome) and outcome != "skipped"]

    def by_site(self, tests):
        """The tests that reach a site, by its number."""
        found = collections.defaultdict(lambda: array.array("H"))
        for number, test in enumerate(tests):
            if is_good(self.rows[test.name][1]):
                for site in self.rows[test.name][3]:
                    found[site].append(number)
        return found


def ones(data):
    at = data.find(1)
    while at >= 0:
        yield at
        at = data.find(1, at + 1)


def is_good(outcome):
    """Tests that fail without a mutant say nothing."""
    return (outcome in ("exit 0", "the same", "passed")
            or "=" in outcome and "=FAIL" not in outcome
            and "=ERROR" not in outcome)


def kind(test):
    """A file of tests, or all that are made in one way."""
    return re.split("::| --only | check ", test.name)[0]


def is_unit(test):
    return test.name.startswith("build/unit/")


class Judge:
    def __init__(self, tests, reach, digests, budget):
        self.tests, self.digests, self.budget = tests, digests, budget
        self.rows, self.expected = reach.rows, reach.expected
        self.by_site = reach.by_site(tests)
        self.by_name = {test.name: test for test in tests}
        self.lately = collections.defaultdict(list)

    def seconds(self, test):
        return self.expected[test.name][1]

    def width(self, test):
        """How much it reaches."""
        return len(self.rows[test.name][3])

    def cost(self, test):
        whole = self.seconds(test) * self.width(test)
        return whole / UNIT_CHEAPER if is_unit(test) else whole

    def reaching(self, mutant):
        return [self.tests[n] for n in self.by_site.get(mutant.site, ())]

    def chosen(self, mutant):
        """The tests that it meets, in that order, within the budget."""
        tests = self.reaching(mutant)
        lately = self.lately[mutant.file, mutant.function]
        first = [t for name in reversed(lately) for t in tests
                 if t.name == name]
        seen = collections.Counter()
        order = []
        for test in sorted(tests, key=self.seconds):
            if test not in first:
                seen[kind(test)] += 1
                order.append((seen[kind(test)] * self.cost(test), test))
        order.sort(key=lambda pair: pair[0])
        left, taken = self.budget, []
        for test in [*first, *(test for _, test in order)]:
            if left > 0 and (self.seconds(test) <= left or not taken):
                left -= self.seconds(test) + 0.002
                taken.append(test)
        return taken

    def digest(self, tests):
        names = sorted(f"{t.name} {self.digests.of(t)}" for t in tests)
        return hashlib.sha1("\n".join(names).encode()).hexdigest()

    def work(self, mutants):
        for mutant in mutants:
            tests = self.chosen(mutant)
            environment = {"TR2_MUTANT": str(mutant.number)}
            yield (mutant, tests), environment, tests, self.expected

    def run(self, mutants, jobs):
        """Yields (mutant, verdict, killer, seconds, digest)."""
        for (mutant, tests), rows in in_parallel(jobs, self.work(mutants)):
            name, outcome, _ = rows[-1] if rows else ("", "", 0)
            if rows and outcome != self.expected.get(name, [""])[0]:
                self.remember(mutant, name)
                killer = self.by_name.get(name)
                of = [killer] if killer else tests
                yield mutant, KILLED, name, self.budget, self.digest(of)
            else:
                of = self.reaching(mutant)
                yield mutant, SURVIVED, "", self.budget, self.digest(of)

    def remember(self, mutant, name):
        lately = self.lately[mutant.file, mutant.function]
        if name in lately:
            lately.remove(name)
        lately.append(name)
        del lately[:-LATELY]

    def still_holds(self, mutant, row):
        """Whether a result of an earlier run need not be found again."""
        if row["verdict"] == SURVIVED:
            return (row["budget"] >= self.budget
                    and row["digest"] == self.digest(self.reaching(mutant)))
        killer = self.by_name.get(row["by"])
        return killer and row["digest"] == self.digest([killer])


class Results:
    """A line of JSON each in build/mutation/results; later ones count."""

    def __init__(self, path):
        self.path = path
        self.rows = {}
        if path.exists():
            for line in path.read_text().splitlines():
                row = json.loads(line)
                self.rows[row["mutant"]] = row

    def of(self, mutant):
        row = self.rows.get(mutant.key)
        return row if row and row["source"] == mutant.digest else None

    def add(self, mutant, verdict, by, budget, digest):
        row = {"mutant": mutant.key, "source": mutant.digest,
               "verdict": verdict, "by": by, "budget": budget,
               "digest": digest}
        self.rows[mutant.key] = row
        with open(self.path, "a") as file:
            file.write(json.dumps(row) + "\n")
