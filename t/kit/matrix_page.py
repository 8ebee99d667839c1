"""The joined reports as one HTML page, and a badge for each implementation.
"""

from kit.kit import ERROR, FAIL, KNOWN, PASS, SKIP, UNIMPLEMENTED
from kit.matrix import differing, exceptions, score
from kit.page import MEANING, STYLE, sentence, text

SIGNS = {PASS: "✓", FAIL: "✗", KNOWN: "≈", ERROR: "!", UNIMPLEMENTED: "–",
         SKIP: "·"}
LETTER = 6.6  # width in pixels, of the badge's font


def html(joined):
    """Its lines are short: for who compares two, and for Debian's lintian."""
    columns = joined["implementations"]
    return PAGE.format(
        style=STYLE + MORE,
        about=" ".join(f"<span>{text(words)}</span>"
                       for words in joined["about"].values()),
        exceptions="".join(differences(joined, *one)
                           for one in enumerate(columns, 1)),
        script=SCRIPT,
        cards="".join(overview(*one) for one in enumerate(columns, 1)),
        legend="".join(f'\n<span><b class="sign {v}">{SIGNS[v]}</b> '
                       f"{MEANING[v]}</span>" for v in SIGNS),
        heads="".join(head(*one) for one in enumerate(columns, 1)),
        rows="".join(chapters(joined["requirements"], columns)),
    )


def overview(number, column):
    label, color = score(column)
    why = column.get("reason", FROM[column["from"]])
    return (f'\n<tr><td>{number}<th>{text(column["name"])} <small>'
            f'{text(column["version"])}</small><td><span class="badge" '
            f'style="background:{color}">{text(label)}</span>'
            f"<td>{text(why)}<br><code>{text(column['command'])}</code>")


def differences(joined, number, column):
    """What an implementation does otherwise, and why."""
    rows_ = "".join(
        f"\n<li><b class=\"sign {verdict}\">{SIGNS[verdict]}</b> "
        f'<a href="#{text(name)}"><code>{text(name)}</code></a> {text(why)}'
        for name, verdict, why in exceptions(joined, column))
    if not rows_:
        return ""
    return (f"<details><summary>{number} {text(column['name'])} "
            f"{text(column['version'])}</summary><ul>{rows_}</ul></details>")


def head(number, column):
    """The number is that of the overview, which has more room for names."""
    words = f'{column["name"]} {column["version"]}'
    return (f'\n<th class="head" title="{text(words)}"><span>'
            f"{text(words)}</span><b>{number}</b>")


def chapters(requirements, columns):
    last = None
    for name, one in requirements.items():
        chapter = name.split(".")[0]
        if chapter != last:
            yield (f'\n<tr class="chapter"><th colspan="{len(columns) + 1}">'
                   f"{text(chapter)}")
        last = chapter
        yield row(name, one, columns)


def row(name, one, columns):
    cells = "".join(cell(one["cells"].get(c["key"])) for c in columns)
    reasons = "".join(
        f"\n<li><b>{text(c['name'])} {text(c['version'])}</b> "
        f"{text(one['cells'][c['key']]['why'])}" for c in columns
        if one["cells"].get(c["key"], {}).get("why")
    )
    listed = f"<ul>{reasons}</ul>" if reasons else ""
    return (f'\n<tr class="req" id="{text(name)}" '
            f'data-differs="{int(differing(one))}"><td><details><summary>'
            f"<code>{text(name)}</code> <small>{text(one['level'])}</small>"
            f"</summary>\n<p>{sentence(one['text'])}</p>{listed}</details>"
            f"{cells}")


def cell(one):
    if not one:
        return '\n<td class="cell">'
    verdict = one["verdict"]
    title = f"{verdict}: {one['why']}" if one["why"] else verdict
    return (f'\n<td class="cell" title="{text(title)}">'
            f'<b class="sign {verdict}">{SIGNS[verdict]}</b>')


def badge(column):
    """An SVG picture: "Trace2 | 500 hold, 12 known exceptions, 0 fail"."""
    label, color = score(column)
    left, right = (int(LETTER * len(w) + 14) for w in ("Trace2", label))
    title = f'{column["name"]} {column["version"]}: {label}'
    return BADGE.format(title=text(title), label=text(label), color=color,
                        left=left, right=right, width=left + right,
                        first=left / 2, second=left + right / 2)


FROM = {
    "driver": "the conformance kit on its driver",
    "debian": "the conformance kit on its test helper, built from Debian's"
              " source",
    "node": "small programs that write trace events (TRACING.md)",
    "logs": "violations in its logs; a log does not show what holds",
}

MORE = """
body { max-width: 80em; }
.overview td { width: auto; } .overview td:first-of-type { width: 1.5em; }
.overview td:nth-of-type(2) { width: 12em; }
.legend { display: flex; flex-wrap: wrap; gap: .4em 1.4em; margin: 1em 0; }
.sign { display: inline-block; width: 1.5em; border-radius: .3em;
  color: #fff; text-align: center; line-height: 1.5em; font-size: .8em; }
.matrix th.head { vertical-align: bottom; padding: 0 .2em .4em; }
.head b { display: block; text-align: center; color: var(--text); }
.head span { writing-mode: vertical-rl; transform: rotate(180deg);
  white-space: nowrap; margin: 0 auto .3em; display: block; }
.cell { width: 2em; padding: .3em .2em; text-align: center; }
.req details { border: 0; padding: 0; } .req summary { font-weight: normal; }
.matrix .req td:first-child { width: auto; padding-top: .3em; }
.chapter th { font-weight: 600; padding-top: 1.2em; }
.matrix thead th { position: sticky; top: 0; background: var(--back); }
label { display: inline-block; margin: .4em 0; }
label input { width: auto; margin-right: .5em; }
"""

SCRIPT = """
const rows = [...document.querySelectorAll(".req")];
const search = document.querySelector("input[type=search]");
const only = document.querySelector("input[type=checkbox]");
function filter() {
  const word = search.value.toLowerCase();
  for (const row of rows)
    row.hidden = (only.checked && row.dataset.differs === "0") ||
      !row.textContent.toLowerCase().includes(word);
  let shown = false;
  for (const row of [...document.querySelectorAll("tbody tr")].reverse()) {
    if (row.className === "chapter") { row.hidden = !shown; shown = false; }
    else shown = shown || !row.hidden;
  }
}
search.addEventListener("input", filter);
only.addEventListener("change", filter);
filter();
"""

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Trace2: implementations and requirements</title>
<style>{style}</style>
<h1>Trace2: implementations and requirements</h1>
<p class="legend">{about}</p>
<table class="overview">
<thead><tr><th><th>implementation<th>requirements that hold<th>judged by</thead>
{cards}
</table>
<h2>Known exceptions and failures</h2>
<p>What each implementation does otherwise, with the reason or with what was
expected and found.</p>
{exceptions}
<h2>Requirement by implementation</h2>
<div class="legend">{legend}</div>
<input type="search" placeholder="id or word">
<label><input type="checkbox" checked>only requirements that an
implementation breaks</label>
<table class="matrix">
<thead><tr><th>requirement{heads}</thead>
<tbody>{rows}</tbody>
</table>
<script>{script}</script>
</html>
"""

BADGE = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20"
 role="img" aria-label="Trace2: {label}"><title>{title}</title>
<rect width="{left}" height="20" fill="#495057"/>
<rect x="{left}" width="{right}" height="20" fill="{color}"/>
<g fill="#fff" text-anchor="middle" font-size="11"
 font-family="Verdana,DejaVu Sans,sans-serif">
<text x="{first}" y="14">Trace2</text>
<text x="{second}" y="14">{label}</text></g></svg>
"""
