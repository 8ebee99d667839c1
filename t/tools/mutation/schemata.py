"""Writes all mutants of a file into one C text, and compiles it.

Each expression that has mutants becomes

    (tr2_at(17), tr2_mutant == 17 ? mutated : tr2_mutant == 18 ? ... : itself)

and each statement that may be removed `{ tr2_at(19); if (...) ... }`. In
what is mutated nothing else is; so the text stays short. Lines keep their
numbers, and a mutant stands on "line 17 of file mutant", by which the
compiler tells which ones it does not take. These are dropped.
"""

import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPLAINT = re.compile(r"^([^:\n]+):(\d+):(?:\d+:)? (?:fatal )?error:", re.M)


class Writer:
    def __init__(self, source, base, dropped=()):
        self.source = source
        self.dropped = dropped
        self.sites = source.sites
        self.numbers = number(self.sites, base)
        self.at = 0

    def line(self, offset):
        return f'\n#line {self.source.line(offset)} "{self.source.path}"\n'

    def text(self):
        return (f'#include "{HERE}/schemata.h"' + self.line(0)
                + self.between(0, len(self.source.text)))

    def between(self, start, end):
        """The text there, with all sites that lie in it."""
        out = []
        while self.at < len(self.sites) and self.sites[self.at].end <= end:
            site = self.sites[self.at]
            self.at += 1
            out += [self.source.text[start:site.start], self.site(site)]
            start = site.end
        return "".join(out) + self.source.text[start:end]

    def site(self, site):
        inner = self.between(site.start, site.end)
        kept = [(n, text) for n, (_, text)
                in zip(self.numbers[site.start, site.end], site.edits)
                if n not in self.dropped]
        if not kept:
            return inner
        first = kept[0][0]
        back = self.line(site.start)
        if site.is_statement:
            return (f'\n#line {first} "mutant"\n{{ tr2_at({first}); '
                    f"if (tr2_mutant != {first}) {{{back}{inner} }} }}")
        if site.is_condition:
            inner = f"!!({inner})"
        chosen = "".join(
            f'\n#line {n} "mutant"\ntr2_mutant == {n} ? '
            f"({' '.join(text.split(chr(10)))}) :"
            for n, text in kept
        )
        return f"(tr2_at({first}), {chosen}{back}({inner}))"


def number(sites, base):
    """The numbers of each site's edits, by its place."""
    numbers = {}
    for site in sites:
        numbers[site.start, site.end] = range(base, base + len(site.edits))
        base += len(site.edits)
    return numbers


def refused(writer, errors):
    """The numbers of the mutants that the compiler complains of."""
    named = {int(line) for path, line in COMPLAINT.findall(errors)
             if path == "mutant"}
    if named:
        return named
    lines = {int(line) for _, line in COMPLAINT.findall(errors)}
    for site in writer.sites:
        last = site.line + site.original.count("\n")
        if lines & set(range(site.line, last + 1)):
            named |= set(writer.numbers[site.start, site.end])
    return named - set(writer.dropped)


def compile_all(source, base, command, path):
    """Compile at `path` until nothing is complained of; the numbers of the
    mutants that were dropped for it."""
    dropped = set()
    while True:
        writer = Writer(source, base, dropped)
        path.write_bytes(writer.text().encode("latin-1"))
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if not done.returncode:
            return dropped
        more = refused(writer, done.stderr) - dropped
        if not more:
            raise SystemExit(done.stderr)
        dropped |= more
