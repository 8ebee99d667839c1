"""What is said of mutants: while they are judged, and in the end."""

import collections
import dataclasses
import hashlib
import json
import math
import sys
import time

from same_code import CLAIM

REMOVED = "(removed)"
Z = 1.96  # standard deviations around the mean that hold 95 % of the draws


@dataclasses.dataclass(eq=False)
class Mutant:
    """`site` is the number by which tests note that they reach it."""

    file: str
    digest: str
    number: int
    site: int
    line: int
    function: str
    kind: str
    original: str
    mutation: str
    start: int  # what it takes the place of
    end: int
    before: str  # the lines that it stands on
    after: str
    flags: list  # of the compiler's, those that say how to read the file
    place: tuple = ()

    def shown(self):
        minus = "".join(f"-{line}\n" for line in self.before.splitlines())
        plus = "".join(f"+{line}\n" for line in self.after.splitlines())
        return (f"{self.file}:{self.line}: {self.kind} in {self.function}, "
                f"TR2_MUTANT={self.number}\n{minus}{plus}")

    @property
    def key(self):
        return "\t".join(self.place)


def folded(text):
    return " ".join(text.split())


def read_mutants(root, tree, name):
    """Of a source whose object was built."""
    data = (root / name).read_bytes()
    text = data.decode("latin-1")
    digest = hashlib.sha1(data).hexdigest()
    made = json.loads((tree / name).with_suffix(".mutants.json").read_text())
    seen = collections.Counter()
    found = []
    for row in made["rows"]:
        start, end = row["start"], row["end"]
        alike = row.pop("alike")
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        mutant = Mutant(file=name, digest=digest, flags=made["flags"],
                        before=text[first:last],
                        after=text[first:start] + row["mutation"]
                        + text[end:last], **row)
        place = (name, mutant.function, folded(mutant.original),
                 folded(mutant.mutation) or REMOVED)
        seen[place] += 1
        if seen[place] > 1:  # the second like it in this function
            place = (*place[:2], f"{place[2]} #{seen[place]}", place[3])
        mutant.place = place
        if not alike:
            found.append(mutant)
    return found


class Equivalents:
    """The mutants that change nothing that could be seen: file, function,
    original, mutation and the reason, by tabs. ` #2` behind the original is
    the second such place in the function. A claim is not taken for granted:
    see same_code.py."""

    def __init__(self, path):
        self.rows = {}
        for line in path.read_text().splitlines():
            if line and line[0] != "#":
                *place, reason = line.split("\t")
                self.rows["\t".join(place)] = reason

    def of(self, mutants):
        return {m.key: self.rows[m.key] for m in mutants
                if self.rows.get(m.key, CLAIM) != CLAIM}

    def claimed(self, mutants):
        return [m for m in mutants if self.rows.get(m.key) == CLAIM]

    def stale(self, mutants):
        """Entries for these files that no mutant answers to."""
        files = {m.file for m in mutants}
        keys = {m.key for m in mutants}
        return [key for key in self.rows
                if key.partition("\t")[0] in files and key not in keys]


class Progress:
    """On a terminal, a line that is written over; elsewhere one a minute."""

    def __init__(self):
        self.tty = sys.stderr.isatty()
        self.pause = 0.2 if self.tty else 60
        self.shown = time.monotonic()

    def say(self, text, last=False):
        now = time.monotonic()
        if last or now - self.shown > self.pause:
            start, end = ("\r", "\033[K") if self.tty else ("", "\n")
            print(f"{start}{text}", end="\n" if last else end,
                  file=sys.stderr, flush=True)
            self.shown = now

    def begin(self, count):
        self.began = time.monotonic()
        self.count, self.done = count, 0
        self.verdicts = collections.Counter()

    def step(self, mutant, verdict):
        self.done += 1
        self.verdicts[verdict] += 1
        took = time.monotonic() - self.began
        left = took / self.done * (self.count - self.done)
        self.say(f"mutants: {self.done} of {self.count}, "
                 f"{self.verdicts['killed']} killed, "
                 f"{left / 60:.0f} min left, {mutant.file}")

    def end(self):
        self.say(f"mutants: {self.count} judged in "
                 f"{(time.monotonic() - self.began) / 60:.1f} min", True)


class Report:
    def __init__(self, mutants, known, results, remarks):
        self.mutants, self.known, self.remarks = mutants, known, remarks
        self.verdict = {}
        for mutant in mutants:
            row = results.of(mutant)
            self.verdict[mutant.key] = (
                "equivalent" if mutant.key in known
                else row["verdict"] if row else "not run")

    def leave_out(self, same):
        """Those of which a compiler makes the same code."""
        left = set(same)
        self.mutants = [m for m in self.mutants if m not in left]
        if left:
            self.remarks.append(f"left out, for a compiler makes the same "
                                f"code of them: {len(left)}")

    def counts(self, mutants):
        return collections.Counter(self.verdict[m.key] for m in mutants)

    def survivors(self):
        return [m for m in self.mutants
                if self.verdict[m.key] not in ("killed", "equivalent")]

    def percent(self):
        killed = self.counts(self.mutants)["killed"]
        return 100 * killed / max(1, len(self.mutants))

    def row(self, name, mutants):
        counts = self.counts(mutants)
        killed, all_of_them = counts["killed"], max(1, len(mutants))
        return (f"{name:38}{len(mutants):8}{killed:8}{counts['equivalent']:12}"
                f"{counts['survived']:10}{100 * killed / all_of_them:8.1f}%")

    def table(self):
        files = collections.defaultdict(list)
        for mutant in self.mutants:
            files[mutant.file].append(mutant)
        yield (f"{'file':38}{'mutants':>8}{'killed':>8}{'equivalent':>12}"
               f"{'survived':>10}{'killed':>9}")
        for name, mutants in files.items():
            yield self.row(name, mutants)
        yield self.row("all", self.mutants)
        yield from self.remarks

    def estimate(self, everyone):
        """What the mutants of a draw tell about all: Wilson's interval."""
        count, share = max(1, len(self.mutants)), self.percent() / 100
        whole = 1 + Z * Z / count
        middle = (share + Z * Z / 2 / count) / whole
        spread = Z / whole * math.sqrt(share * (1 - share) / count
                                       + (Z / 2 / count) ** 2)
        return (f"drawn by lot: {count} of {everyone} mutants, of which "
                f"{100 * share:.1f} % are noticed; of all mutants, "
                f"{100 * max(0, middle - spread):.1f} to "
                f"{100 * (middle + spread):.1f} % (95 % confidence)")

    def write(self, place):
        (place / "summary").write_text("\n".join(self.table()) + "\n")
        (place / "survivors").write_text(
            "\n".join(m.shown() for m in self.survivors()))

    def short(self):
        """Totals by file."""
        lines = list(self.table())
        if self.survivors():
            lines.append("survivors: build/mutation/survivors")
        return "\n".join(lines)
