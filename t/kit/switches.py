#!/usr/bin/python3
"""Does the kit notice each fault of the emitter in C++?

    t/kit/switches.py [--elsewhere] [NAME...]

A row of t/kit/drivers/cpp/faults.tsv is a way in which that emitter can be
wrong, and the requirement that it then breaks. For each row the driver runs
with that switch on, in all scenarios that check the requirement, until one
fails that passes without a switch. With --elsewhere, those that are missed
run in all scenarios, and what fails there is named. The exit code is 0 if all
are caught.
"""

import concurrent.futures
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "t"), str(ROOT / "t/common")]

from kit import kit, run  # noqa: E402

SOURCES = ROOT / "t/kit/drivers/cpp"
TABLE = SOURCES / "faults.tsv"
JOBS = os.cpu_count() or 2


class Faulty(run.Driver):
    """The driver with a switch on, or with none."""

    def __init__(self, path, switch=None):
        super().__init__(path)
        self._switch = switch

    def environment(self, scratch, extra):
        made = super().environment(scratch, extra)
        if self._switch:
            made["KIT_FAULT"] = self._switch
        return made


def build(place):
    """The driver, from its sources."""
    path = Path(place) / "driver"
    contract = ROOT / "t/kit/contract.tsv"
    parts = []
    for source in sorted(SOURCES.glob("*.cpp")):
        part = path.with_name(source.stem + ".o")
        parts.append((part, subprocess.Popen([
            "c++", "-std=c++17", "-O1", "-pthread", "-c",
            f'-DCONTRACT="{contract}"', f'-DFAULTS="{TABLE}"', source,
            "-o", part])))
    if any(process.wait() for _, process in parts):
        raise SystemExit("the driver can't be built")
    subprocess.run(["c++", "-pthread", "-o", path, *(p for p, _ in parts)],
                   check=True)
    return path


def rows(wanted=()):
    """(name, requirement) of each switch, or of those that are wanted."""
    for line in TABLE.read_text().splitlines():
        if line[0] != "#":
            name, requirement = line.split("\t")[:2]
            if not wanted or name in wanted:
                yield name, requirement


def failed(results):
    return {r.id for r in results if r.verdict in (kit.FAIL, kit.ERROR)}


class Judge:
    """What fails in a scenario with a switch and not without."""

    def __init__(self, path):
        self._path = path
        self._cases = kit.load()
        self._plain = {}

    def plain(self, case):
        if case.name not in self._plain:
            self._plain[case.name] = self.once(case, None)
        return self._plain[case.name]

    def once(self, case, switch):
        return failed(kit.conduct(case, Faulty(self._path, switch))[0])

    def catches(self, name, requirement):
        """The first scenario that finds it under its requirement."""
        for case in self._cases.values():
            if requirement not in case.ids or requirement in self.plain(case):
                continue
            if requirement in self.once(case, name):
                return case.name
        return None

    def elsewhere(self, name):
        found = set()
        for case in self._cases.values():
            found |= self.once(case, name) - self.plain(case)
        return sorted(found)


def main(words):
    looks = "--elsewhere" in words
    wanted = [word for word in words if word != "--elsewhere"]
    table = list(rows(wanted))
    with tempfile.TemporaryDirectory(prefix="t2-switches-") as place:
        judge = Judge(build(place))
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            found = list(pool.map(lambda row: judge.catches(*row), table))
        missed = [row for row, case in zip(table, found) if not case]
        for name, requirement in missed:
            also = f": {' '.join(judge.elsewhere(name))}" if looks else ""
            print(f"missed: {name} ({requirement}){also}")
    print(f"{len(table) - len(missed)} of {len(table)} switches are caught")
    return 1 if missed or not table else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
