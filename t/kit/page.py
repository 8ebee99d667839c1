"""The result of a run of the kit as one HTML page that needs nothing else."""

import html as escape
import re
from collections import Counter

from kit.kit import ERROR, FAIL, KNOWN, PASS, SKIP, UNIMPLEMENTED

BAR = (PASS, KNOWN, FAIL, ERROR, UNIMPLEMENTED, SKIP)
UNFOLDED = 20  # failures; where there are more, all are folded
JUDGED = (PASS, FAIL, KNOWN, ERROR)
MEANING = {
    PASS: "holds",
    FAIL: "does not hold",
    KNOWN: "does not hold, and is declared",
    UNIMPLEMENTED: "needs a verb that the driver does not have",
    SKIP: "could not be tried here",
    ERROR: "the kit or a declaration is wrong",
}


def html(report):
    """The page for a kit.report.Report."""
    verdicts = report.by_requirement()
    counts = Counter(verdicts.values())
    return PAGE.format(
        style=STYLE,
        script=SCRIPT,
        driver=text(report.driver),
        headline=headline(counts),
        cards="".join(card(v, counts[v]) for v in MEANING if counts[v]),
        classes="".join(row(*r) for r in report.tally() if is_class(r)),
        chapters="".join(row(*r) for r in report.tally() if not is_class(r)),
        problems=problems(report),
        requirements="".join(requirements(report, verdicts)),
    )


def text(words):
    return escape.escape(str(words))


def sentence(words):
    """A statement of SPEC.md, whose code and links are Markdown's."""
    made = re.sub(r"\[([^]]*)\]\(#[^)]*\)", r"\1", text(words))
    return re.sub(r"(`+)(.+?)\1", r"<code>\2</code>", made)


def headline(counts):
    judged = sum(counts[v] for v in JUDGED)
    return f"{counts[PASS]} of {judged} requirements hold"


def card(verdict, count):
    return (f'<button class="card {verdict}" data-verdict="{verdict}" '
            f'title="show these"><b>{count}</b> {verdict}'
            f"<small>{MEANING[verdict]}</small></button>")


def is_class(entry):
    return entry[0].startswith("class ")


def row(name, levels):
    both = levels["MUST"] + levels["SHOULD"]
    total = sum(both.values())
    if not total:
        return ""
    bar = "".join(
        f'<i class="{v}" style="width:{100 * both[v] / total:.2f}%" '
        f'title="{v} {both[v]}"></i>' for v in BAR if both[v]
    )
    label = text(name.replace("class ", ""))
    if not name.startswith("class "):
        label = f'<a href="#chapter-{label}">{label}</a>'
    cells = "".join(f"<td>{held(counts)}" for counts in levels.values())
    return f'<tr><th>{label}{cells}<td><div class="bar">{bar}</div>'


def held(counts):
    judged = sum(counts[v] for v in JUDGED)
    return f"{counts[PASS]} of {judged}" if judged else "–"


# What fails


def problems(report):
    found = [r for r in report.results if r.verdict in (FAIL, ERROR)]
    if not found:
        return '<p class="good">Nothing fails.</p>'
    state = "open" if len(found) <= UNFOLDED else ""
    return "".join(problem(report, r, state) for r in found)


def problem(report, result, state):
    one = report.statements[result.id]
    # Behind the first line, which is the sentence.
    _, *lines = report.explain(result)
    body = "".join(map(coloured, lines))
    return (
        f"<details {state} class=problem><summary>{badge(result.verdict)} "
        f'<a href="#{text(result.id)}">{text(result.id)}</a> '
        f"<small>{text(result.scenario)}</small></summary>"
        f"<blockquote><b>{one.level}</b> {sentence(one.text)}</blockquote>"
        f"<pre>{body}</pre></details>"
    )


def coloured(line):
    marks = {"  - ": "del", "  + ": "ins", "ran:": "b", "reru": "b"}
    tag = marks.get(line[:4])
    return f"<{tag}>{text(line)}</{tag}>" if tag else f"{text(line)}\n"


def badge(verdict):
    return f'<span class="badge {verdict}">{verdict}</span>'


# All requirements


def requirements(report, verdicts):
    """A foldable list for each chapter, in the order of SPEC.md."""
    results = {}
    for result in report.results:
        results.setdefault(result.id, []).append(result)
    chapters = {}
    for name in verdicts:
        chapters.setdefault(name.split(".")[0], []).append(name)
    for chapter, names in chapters.items():
        rows = "".join(
            requirement(report.statements[n], verdicts[n], results[n])
            for n in names
        )
        good = sum(verdicts[n] == PASS for n in names)
        yield (f'<details id="chapter-{chapter}"><summary>{chapter} '
               f"<small>{good} of {len(names)}</small></summary>"
               f"<table>{rows}</table></details>")


def requirement(one, verdict, results):
    seen = dict.fromkeys(
        f"{text(r.scenario)}"
        + (f" – {r.verdict}" if r.verdict != verdict else "")
        + (f": {text(r.note)}" if r.note else "")
        for r in results
    )
    scenarios = "".join(f"<li>{line}" for line in seen)
    return (
        f'<tr class="req" data-verdict="{verdict}" id="{text(one.id)}">'
        f"<td>{badge(verdict)}<td><code>{text(one.id)}</code> "
        f"<small>{one.level} · {', '.join(one.classes)}</small>"
        f"<p>{sentence(one.text)}</p><ul>{scenarios}</ul>"
    )


STYLE = """
:root { color-scheme: light dark; --text: #1c2430; --back: #fff;
  --soft: #f4f6f8; --line: #dfe3e8; --dim: #667080; --link: #1864ab;
  --pass: #2b8a3e; --fail: #c92a2a; --known: #b8700a; --error: #862e9c;
  --none: #868e96; --del: #c92a2a; --ins: #2b8a3e; }
@media (prefers-color-scheme: dark) { :root { --text: #dfe4ea;
  --back: #15191f; --soft: #1e242c; --line: #343c47; --dim: #95a0ae;
  --link: #74b8f5; --del: #ff8787; --ins: #69db7c; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto;
  max-width: 64em; padding: 0 1em; color: var(--text);
  background: var(--back); }
h1 { font-size: 1.6em; margin: 0; }
h2 { font-size: 1.2em; margin: 2em 0 .4em; }
small { color: var(--dim); font-weight: normal; }
a { color: var(--link); text-decoration: none; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
.driver { color: var(--dim); font-family: ui-monospace, monospace; }
.headline { font-size: 1.2em; margin: .8em 0; }
.card { border: 0; border-radius: .5em; padding: .6em 1em; color: #fff;
  margin: 0 .6em .6em 0; font: inherit; text-align: left; cursor: pointer; }
.card small { display: block; color: inherit; opacity: .85; }
.card.chosen { outline: 3px solid var(--link); outline-offset: 1px; }
.PASS { background: var(--pass); } .FAIL { background: var(--fail); }
.KNOWN { background: var(--known); } .ERROR { background: var(--error); }
.UNIMPLEMENTED, .SKIP { background: var(--none); }
.badge { color: #fff; border-radius: .3em; padding: .1em .45em;
  font-size: .75em; font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3em 1em .3em 0; font-weight: normal;
  border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--dim); font-size: .85em; }
.numbers td { white-space: nowrap; width: 7em; }
.numbers td:last-child { width: 50%; padding-right: 0; }
.bar { display: flex; height: .8em; border-radius: .3em; overflow: hidden;
  margin-top: .35em; background: var(--soft); }
.bar i { display: block; }
.problem { border: 1px solid var(--line); border-left: 4px solid var(--fail);
  border-radius: .4em; padding: .8em 1em; margin: .8em 0; }
.problem summary { font-weight: normal; }
.problem a { font-weight: 600; }
blockquote { margin: .6em 0 .8em; }
pre { background: var(--soft); padding: .8em; margin: 0; overflow: auto;
  border-radius: .3em; }
del, ins, pre b { display: block; text-decoration: none; }
pre b { font-weight: normal; white-space: pre-wrap; overflow-wrap: anywhere;
  padding-left: 10ch; text-indent: -10ch; }
del { color: var(--del); } ins { color: var(--ins); }
details { border-bottom: 1px solid var(--line); padding: .4em 0; }
summary { cursor: pointer; font-weight: 600; }
.req td:first-child { width: 1%; padding-top: .5em; }
.req p { margin: .2em 0; }
.req ul { margin: .2em 0; padding-left: 1.2em; color: var(--dim);
  font-size: .87em; }
.req:target { background: var(--soft); }
input { font: inherit; padding: .4em .6em; width: 100%; color: inherit;
  box-sizing: border-box; border: 1px solid var(--line);
  border-radius: .4em; background: var(--soft); margin: .4em 0; }
.good { color: var(--ins); }
"""

SCRIPT = """
const rows = [...document.querySelectorAll(".req")];
const cards = [...document.querySelectorAll(".card")];
const search = document.querySelector("input");
let verdict = "";
function filter() {
  const word = search.value.toLowerCase();
  for (const row of rows)
    row.hidden = (verdict && row.dataset.verdict !== verdict) ||
      !row.textContent.toLowerCase().includes(word);
  for (const part of document.querySelectorAll("[id^=chapter-]")) {
    const left = part.querySelectorAll(".req:not([hidden])").length;
    part.hidden = !left;
    part.open = left && (word || verdict);
  }
  for (const card of cards)
    card.classList.toggle("chosen", card.dataset.verdict === verdict);
}
search.addEventListener("input", filter);
for (const card of cards)
  card.addEventListener("click", () => {
    const same = verdict === card.dataset.verdict;
    verdict = same ? "" : card.dataset.verdict;
    filter();
    if (verdict) search.scrollIntoView({ behavior: "smooth" });
  });
function unfold() {
  const place = document.getElementById(location.hash.slice(1));
  const part = place && place.closest("details");
  if (part) { part.open = true; place.scrollIntoView(); }
}
addEventListener("hashchange", unfold);
unfold();
"""

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Trace2 conformance: {driver}</title>
<style>{style}</style>
<h1>Trace2 conformance</h1>
<div class="driver">{driver}</div>
<p class="headline">{headline}</p>
<div>{cards}</div>
<h2>MUST and SHOULD that hold</h2>
<table class="numbers">
<thead><tr><th>class<th>MUST<th>SHOULD<th></thead>
{classes}
<thead><tr><th>chapter<th>MUST<th>SHOULD<th></thead>
{chapters}
</table>
<h2>What fails</h2>
{problems}
<h2>All requirements</h2>
<input type="search" placeholder="id, scenario or word">
{requirements}
<script>{script}</script>
</html>
"""
