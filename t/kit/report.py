"""The result of a run of the kit, as TAP, JUnit XML, JSON and HTML."""

import dataclasses
import json
from collections import Counter
from xml.etree import ElementTree

from kit import page, show
from kit.kit import ERROR, FAIL, KNOWN, PASS, SKIP, UNIMPLEMENTED, VERDICTS

ORDER = (ERROR, FAIL, KNOWN, PASS, UNIMPLEMENTED, SKIP)
JUDGED = (PASS, FAIL, KNOWN, ERROR)
COMMANDS = 3  # shown of one scenario, the last before the failure


class Report:
    """`results` as kit.kit.Result; `spec` as read by t/common/spec.py; `how` is
    the command that runs the kit on this driver, `classes` those that it
    was held to, `name` is what scenarios call the driver."""

    def __init__(self, driver, results, spec, how=None, classes=None,
                 name="test-tool"):
        self.driver = show.printable(str(driver))
        named = f"NAME={name} " * (name != "test-tool")
        self.sandbox = f"{named}DRIVER={show.word(driver)}; . t/kit/sandbox.sh"
        self.results = list(results)
        self.statements = {one.id: one for one in spec.statements}
        self.classes = classes
        self.excused = set()  # ids whose failure is expected (--expect)
        self.how = how or f"t/conformance --driver {show.word(driver)}"

    def by_requirement(self):
        """The worst verdict on each requirement that was looked at, in the
        order of SPEC.md."""
        found = {}
        for result in self.results:
            worst = found.get(result.id, SKIP)
            found[result.id] = min(worst, result.verdict, key=ORDER.index)
        return {name: found[name] for name in self.statements if name in found}

    def ok(self):
        return not any(failed(r) for r in self.results
                       if r.id not in self.excused)

    def tally(self):
        """How many MUST and SHOULD there are of each verdict: rows of (name,
        {"MUST": Counter, "SHOULD": Counter}), classes before chapters."""
        rows = {}
        for name, verdict in self.by_requirement().items():
            one = self.statements[name]
            level = one.level.split()[0]
            chapter = name.split(".")[0]
            classes = [f"class {c}" for c in one.classes
                       if c in (self.classes or one.classes)]
            for row in (*classes, chapter):
                counts = rows.setdefault(row, {"MUST": Counter(),
                                               "SHOULD": Counter()})
                if level in counts:
                    counts[level][verdict] += 1
        return sorted(rows.items(), key=lambda r: (r[0][:6] != "class ", r[0]))

    # TAP

    def tap(self):
        """The whole of it; the plan comes last, as it can in TAP."""
        lines = []
        for number, result in enumerate(self.results, 1):
            lines += self.tap_result(number, result)
        return "\n".join([*lines, *self.tap_end()]) + "\n"

    def tap_result(self, number, r):
        good = r.verdict not in (FAIL, ERROR, KNOWN)
        directive = {PASS: "", FAIL: "", ERROR: "", KNOWN: "TODO "}.get(
            r.verdict, "SKIP ")
        name = f"{r.scenario}: {r.id}".replace("#", "\\#")
        yield (f"{'ok' if good else 'not ok'} {number} - {name}"
               + (f" # {directive}{r.verdict} {r.note}".rstrip()
                  if directive else ""))
        if failed(r):
            text = "\n".join(self.explain(r))
            yield from (f"# {line}".rstrip() for line in text.split("\n"))

    def tap_end(self):
        yield f"1..{len(self.results)}"
        yield from (f"# {line}".rstrip() for line in self.summary())

    def explain(self, r):
        """Lines that say what is wrong and how to see it again."""
        one = self.statements[r.id]
        yield f"{r.verdict} {r.id} {one.level}: {one.text}"
        if r.verdict == FAIL:
            yield from show.comparison(r.expected, r.actual)
        if r.note:
            yield f"note:     {r.note}"
        if len(r.commands) > COMMANDS:
            yield f"          after {len(r.commands) - COMMANDS} other runs"
        for command, end in r.commands[-COMMANDS:]:
            yield f"ran:      ({self.sandbox}; {command})"
            yield f"          {end}"
        yield f"rerun:    {self.rerun(r)}"

    def rerun(self, r):
        only = f" --only {show.word(r.scenario)}" if r.scenario else ""
        return self.how + only

    def summary(self):
        counts = Counter(r.verdict for r in self.results)
        yield ", ".join(f"{v} {counts[v]}" for v in VERDICTS)
        yield f"{'requirements that hold':<24}{'MUST':>12}{'SHOULD':>12}"
        for name, row in self.tally():
            cells = "".join(f"{held(row[x]):>12}" for x in row)
            yield f"  {name:<22}{cells}{aside(row)}"
        for verdict in (FAIL, ERROR):
            names = sorted({r.id for r in self.results
                            if r.verdict == verdict})
            if names:
                yield f"{verdict}: {' '.join(names)}"

    # Formats for programs

    def json(self):
        requirements = {
            name: {
                "verdict": verdict,
                "level": self.statements[name].level,
                "classes": self.statements[name].classes,
                "text": self.statements[name].text,
            }
            for name, verdict in self.by_requirement().items()
        }
        return json.dumps(
            {
                "driver": self.driver,
                "results": [dataclasses.asdict(r) for r in self.results],
                "requirements": requirements,
                "tally": dict(self.tally()),
            },
            indent=1,
        ) + "\n"

    def junit(self):
        suite = ElementTree.Element(
            "testsuite", name="trace2 conformance",
            tests=str(len(self.results)),
            failures=str(sum(r.verdict == FAIL for r in self.results)),
            errors=str(sum(r.verdict == ERROR for r in self.results)),
            skipped=str(sum(r.verdict in (SKIP, UNIMPLEMENTED, KNOWN)
                            for r in self.results)),
        )
        for r in self.results:
            case = ElementTree.SubElement(
                suite, "testcase", classname=r.id, name=r.scenario
            )
            if failed(r):
                tag = "failure" if r.verdict == FAIL else "error"
                ElementTree.SubElement(case, tag).text = "\n".join(
                    self.explain(r))
            elif r.verdict != PASS:
                ElementTree.SubElement(
                    case, "skipped", message=f"{r.verdict} {r.note}".strip()
                )
        return ElementTree.tostring(suite, encoding="unicode") + "\n"

    def html(self):
        return page.html(self)


def failed(result):
    return result.verdict in (FAIL, ERROR)


def held(row):
    judged = sum(row[v] for v in JUDGED)
    return f"{row[PASS]} of {judged}" if judged else "-"


def aside(row):
    """What a row has beside that which holds and that which fails."""
    both = row["MUST"] + row["SHOULD"]
    found = [f"{both[v]} {v.lower()}" for v in (KNOWN, UNIMPLEMENTED, SKIP)
             if both[v]]
    return "   " + ", ".join(found) if found else ""


