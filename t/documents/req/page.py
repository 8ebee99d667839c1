"""The requirements with their evidence, as JSON and as a page for people.

The page is t/documents/req/page.html with the marks `<!--name-->` filled in; it needs
nothing else, and without its script it is still a list that can be read.
"""

import html
import json
import re
from collections import Counter
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from req import evidence

TEMPLATE = Path(__file__).resolve().parent / "page.html"
SHOWN = 6  # places in a row; the rest is behind a fold

# What is shown of a requirement: key, caption, one thing, several.
PROOF = (
    ("code", "implemented by", "place", "places"),
    ("schemas", "enforced by", "schema", "schemas"),
    ("faults", "fails with a fault in", "scenario", "scenarios"),
    ("drivers", "fails in", "broken driver", "broken drivers"),
    ("logs", "broken in", "log", "logs"),
    ("negatives", "broken in", "generated event", "generated events"),
    ("scenarios", "shown by", "scenario", "scenarios"),
    ("goldens", "shown by golden", "case", "cases"),
    ("tests", "named in", "test", "tests"),
)
TESTED, UNTESTED, FREE = "tested", "untested", "free"


def sections(spec):
    """(line, chapter, section) of every heading below the title."""
    chapter = ""
    for one in spec.headings:
        if one.depth == 2:
            chapter = one.text
        if one.depth >= 2:
            yield one.line, chapter, one.text if one.depth > 2 else ""


def rows(spec, found):
    """A dictionary for each requirement, in the order of SPEC.md."""
    places = list(sections(spec))
    made = []
    for one in spec.statements:
        place = max((p for p in places if p[0] < one.line), default=(0, "", ""))
        proof = found[one.id]
        made.append(
            {
                "id": one.id,
                "level": one.level or "informative",
                "classes": list(one.classes),
                "evidence": one.evidence,
                "text": one.text,
                "chapter": place[1],
                "section": place[2],
                "line": one.line,
                "state": state(one, proof),
                **asdict(proof),
            }
        )
    return made


def state(statement, proof):
    if not evidence.binding(statement):
        return FREE
    return TESTED if proof.tested else UNTESTED


def tally(rows):
    """How much is tested, by chapter: (chapter, Counter of states)."""
    found = {}
    for row in rows:
        found.setdefault(row["chapter"], Counter())[row["state"]] += 1
    return found


def as_json(rows):
    whole = {
        "tally": {name: dict(row) for name, row in tally(rows).items()},
        "requirements": rows,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def as_html(rows):
    parts = {
        "cards": cards(rows),
        "chapters": "".join(map(bar, tally(rows).items())),
        "options": "".join(
            f"<option>{html.escape(name)}</option>" for name in tally(rows)
        ),
        "requirements": "".join(groups(rows)),
    }
    text = TEMPLATE.read_text()
    for name, part in parts.items():
        text = text.replace(f"<!--{name}-->", part)
    return text


def cards(rows):
    states = Counter(row["state"] for row in rows)
    bound = states[TESTED] + states[UNTESTED]
    share = 100 * states[TESTED] // bound if bound else 100
    shown = (
        (len(rows), "requirements and notes"),
        (bound, "MUST and SHOULD"),
        (f"{share} %", "of them tested"),
        (states[UNTESTED], "untested"),
    )
    return "".join(f"<div><b>{a}</b> {b}</div>" for a, b in shown)


def bar(entry):
    name, counts = entry
    bound = counts[TESTED] + counts[UNTESTED]
    width = 100 * counts[TESTED] / bound if bound else 100
    said = f"{counts[TESTED]} of {bound}" if bound else "nothing to test"
    return (
        f'<a href="#{anchor(name)}" class="{"" if bound else FREE}">'
        f"<span>{html.escape(name)}</span><small>{said}</small>"
        f'<i><b style="width:{width:.0f}%"></b></i></a>'
    )


def anchor(name):
    return "chapter-" + re.sub(r"\W+", "-", name.lower())


def groups(rows):
    """The requirements heading by heading; a chapter's first has its id."""
    before = None
    for (chapter, section), part in groupby(
        rows, lambda row: (row["chapter"], row["section"])
    ):
        mark = "" if chapter == before else f' id="{anchor(chapter)}"'
        before = chapter
        tail = f" <span>{html.escape(section)}</span>" if section else ""
        yield (
            f'<section data-chapter="{html.escape(chapter)}">'
            f"<h2{mark}>{html.escape(chapter)}{tail}</h2>"
            f"{''.join(map(article, part))}</section>\n"
        )


def article(row):
    name = html.escape(row["id"])
    tags = [row["level"], *row["classes"], row["evidence"]]
    marks = "".join(
        f'<span class="tag {tag.split()[0].lower()}">{tag}</span>'
        for tag in filter(None, tags)
    )
    return (
        f'<article id="{name}" class="{row["state"]}" '
        f'data-level="{row["level"]}" data-state="{row["state"]}" '
        f'data-classes="{" ".join(row["classes"])}" '
        f'data-code="{len(row["code"]) + len(row["schemas"])}">'
        f'<h3><a href="#{name}">{name}</a>{marks}</h3>'
        f"<p>{prose(row['text'])}</p>{proofs(row)}</article>\n"
    )


def prose(text):
    """The Markdown of a statement: code, emphasis, links without aims."""
    parts = re.split(r"(``[^`].*?``|`[^`]*`)", text)
    return "".join(
        f"<code>{html.escape(part.strip('`'))}</code>"
        if part[:1] == "`"
        else re.sub(
            r"\*([^*]+)\*",
            r"<em>\1</em>",
            re.sub(r"\[([^]]+)\]\(#[^)]*\)", r"\1", html.escape(part)),
        )
        for part in parts
    )


def proofs(row):
    shown = "".join(
        proof(row[key], *words) for key, *words in PROOF if row[key]
    )
    if row["state"] == UNTESTED:
        shown = '<li class="missing">no violation is caught' + shown
    return f"<ul>{shown}</ul>" if shown else ""


def proof(value, caption, one, several):
    count = value if isinstance(value, int) else len(value)
    said = f"<b>{caption}</b> {count} {one if count == 1 else several}"
    if isinstance(value, int):
        return f"<li>{said}"
    places = [f"<code>{html.escape(place)}</code>" for place in value]
    if count <= SHOWN:
        return f"<li><b>{caption}</b> {', '.join(places)}"
    return (
        f"<li><details><summary>{said}</summary>"
        f"{', '.join(places)}</details>"
    )
