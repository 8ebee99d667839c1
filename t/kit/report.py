"""The result of a run of the kit, as TAP, JUnit XML, JSON and HTML."""

import html
import json
from collections import Counter
from xml.etree import ElementTree

from kit.kit import ERROR, FAIL, KNOWN, PASS, SKIP, UNIMPLEMENTED, VERDICTS

ORDER = (ERROR, FAIL, KNOWN, PASS, UNIMPLEMENTED, SKIP)


class Report:
    """`results` as kit.kit.Result; `spec` as read by t/spec.py."""

    def __init__(self, driver, results, spec):
        self.driver = str(driver)
        self.results = results
        self.statements = {one.id: one for one in spec.statements}

    def by_requirement(self):
        """The worst verdict on each requirement that was looked at."""
        found = {}
        for result in self.results:
            worst = found.get(result.id, SKIP)
            found[result.id] = min(worst, result.verdict, key=ORDER.index)
        return found

    def ok(self):
        return not any(r.verdict in (FAIL, ERROR) for r in self.results)

    def tally(self):
        """How many MUST and SHOULD hold, by chapter and by class: rows of
        (name, Counter of verdicts)."""
        rows = {}
        for name, verdict in self.by_requirement().items():
            one = self.statements[name]
            if not one.level.startswith(("MUST", "SHOULD")):
                continue
            chapter = name.split(".")[0]
            for row in (chapter, *(f"class {c}" for c in one.classes)):
                rows.setdefault(row, Counter())[verdict] += 1
        return sorted(rows.items(), key=lambda r: (r[0][:6] == "class ", r))

    # Formats

    def tap(self):
        lines = [f"1..{len(self.results)}"]
        for number, r in enumerate(self.results, 1):
            lines += self.tap_result(number, r)
        return "\n".join([*lines, *self.summary()]) + "\n"

    def tap_result(self, number, r):
        good = r.verdict not in (FAIL, ERROR)
        mark = {PASS: "", FAIL: "", ERROR: " # ERROR"}.get(
            r.verdict, f" # SKIP {r.verdict} {r.note}".rstrip()
        )
        yield (f"{'ok' if good else 'not ok'} {number} - "
               f"{r.scenario}: {r.id}{mark}")
        if not good:
            yield from ("# " + line for line in self.explain(r).splitlines())

    def explain(self, r):
        one = self.statements[r.id]
        text = [f"{r.verdict} {r.id} {one.level}: {one.text}"]
        for word in ("expected", "actual", "note"):
            if getattr(r, word):
                text.append(f"{word}: {getattr(r, word)}")
        text.append(f"rerun: t/conformance --driver {self.driver} "
                    f"--only '{r.scenario}'")
        return "\n".join(text)

    def summary(self):
        counts = Counter(r.verdict for r in self.results)
        yield "# " + ", ".join(f"{v} {counts[v]}" for v in VERDICTS)
        yield "# MUST and SHOULD that hold, by chapter and class:"
        for name, row in self.tally():
            known = sum(row[v] for v in (PASS, FAIL, KNOWN, ERROR))
            yield f"#   {name:<16} {row[PASS]:>3} of {known:>3}" + (
                f", {row[UNIMPLEMENTED]} unimplemented"
                if row[UNIMPLEMENTED] else ""
            )

    def json(self):
        return json.dumps(
            {
                "driver": self.driver,
                "results": [vars(r) for r in self.results],
                "requirements": self.by_requirement(),
                "tally": {name: dict(row) for name, row in self.tally()},
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
            if r.verdict in (FAIL, ERROR):
                tag = "failure" if r.verdict == FAIL else "error"
                ElementTree.SubElement(case, tag).text = xml_text(
                    self.explain(r)
                )
            elif r.verdict != PASS:
                ElementTree.SubElement(
                    case, "skipped", message=f"{r.verdict} {r.note}".strip()
                )
        return ElementTree.tostring(suite, encoding="unicode") + "\n"

    def html(self):
        counts = Counter(r.verdict for r in self.results)
        cards = "".join(
            f'<span class="{v}">{v} <b>{counts[v]}</b></span>'
            for v in VERDICTS if counts[v]
        )
        chapters = "".join(self.html_row(*row) for row in self.tally())
        problems = "".join(
            f'<details open><summary class="{r.verdict}">{r.verdict} '
            f"{html.escape(r.id)} <i>{html.escape(r.scenario)}</i></summary>"
            f"<pre>{html.escape(self.explain(r))}</pre></details>"
            for r in self.results if r.verdict in (FAIL, ERROR)
        )
        rest = "".join(
            f'<tr><td class="{r.verdict}">{r.verdict}<td>{html.escape(r.id)}'
            f"<td>{html.escape(r.scenario)}<td>{html.escape(r.note)}</tr>"
            for r in self.results if r.verdict not in (FAIL, ERROR)
        )
        return PAGE.format(driver=html.escape(self.driver), cards=cards,
                           chapters=chapters, problems=problems, rest=rest)

    def html_row(self, name, row):
        total = sum(row.values())
        bars = "".join(
            f'<i class="{v}" style="width:{100 * row[v] / total:.1f}%" '
            f'title="{v} {row[v]}"></i>' for v in ORDER if row[v]
        )
        return (f"<tr><th>{html.escape(name)}<td>{row[PASS]} of {total}"
                f'<td><div class="bar">{bars}</div></tr>')


def xml_text(text):
    """Without the characters that XML can't hold."""
    return "".join(c if c >= " " or c in "\n\t" else "�" for c in text)


PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8">
<title>Trace2 conformance</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2em auto;
       max-width: 62em; padding: 0 1em; color: #1c2430; }}
h1 {{ font-size: 1.5em; margin-bottom: 0; }}
.cards span {{ display: inline-block; border-radius: .4em;
              padding: .3em .8em; margin: .8em .5em .8em 0; color: #fff; }}
span.PASS, i.PASS {{ background: #2b8a3e; }}
span.FAIL, i.FAIL {{ background: #c92a2a; }}
span.ERROR, i.ERROR {{ background: #862e9c; }}
span.KNOWN, i.KNOWN {{ background: #b8770a; }}
span.UNIMPLEMENTED, i.UNIMPLEMENTED {{ background: #868e96; }}
span.SKIP, i.SKIP {{ background: #adb5bd; }}
table {{ border-collapse: collapse; width: 100%; margin: 1em 0; }}
th, td {{ text-align: left; padding: .2em .8em .2em 0; font-weight: normal;
         border-bottom: 1px solid #e5e8ec; vertical-align: top; }}
.bar {{ display: flex; height: .8em; width: 22em; border-radius: .3em;
       overflow: hidden; background: #eee; margin-top: .35em; }}
.bar i {{ display: block; }}
td.FAIL, summary.FAIL {{ color: #c92a2a; }} td.PASS {{ color: #2b8a3e; }}
td.KNOWN {{ color: #b8770a; }} summary.ERROR {{ color: #862e9c; }}
pre {{ background: #f6f7f9; padding: .8em; overflow: auto;
      white-space: pre-wrap; }}
</style>
<h1>Trace2 conformance</h1>
<div>{driver}</div>
<div class="cards">{cards}</div>
<h2>MUST and SHOULD that hold</h2>
<table>{chapters}</table>
<h2>What does not</h2>
{problems}
<h2>All else</h2>
<table>{rest}</table>
</html>
"""
