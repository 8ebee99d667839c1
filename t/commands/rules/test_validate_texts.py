"""The stories of t/commands/rules/texts: each is a log, all are checked at once.

    == what is the matter with it
    d0 main start - 0.1 - - git
    ! quote.argument 151+1: not the form of ...

A row of PERF has the columns from the depth on, with `-` for a blank one;
`@` before it adds the clock and the file, `o ` makes it of the layout of
git 2.22. `n ` begins the payload of NORMAL, behind a clock and a file, and
`>` a line as it stands; a `$` shows where one ends in a blank. Below a line stand its findings: the id, behind it
the level unless it is an error, where it is, and the message.
"""

import re

from validate_kit import read_jsonl

SOURCE = "09:30:43.000000 git.c:1"


def perf(text, old=False):
    depth, thread, event, repo, *times, category, payload = (
        "" if cell == "-" else cell for cell in text.split(" ", 7)
    )
    t_abs, t_rel = (time and f"{float(time):.6f}" for time in times)
    return (f"{depth} | {thread:24} | {event:12} | {repo and repo + ' ':3} | "
            f"{t_abs:>9} | {t_rel:>9} | {category:{10 if old else 12}} | "
            f"{payload}")  # fmt: skip


def line_of(row):
    row = row.removesuffix("$")
    match row[:2]:
        case "o ":
            return perf(row[2:], old=True)
        case "n ":
            return f"{SOURCE:50}{row[2:]}"
        case "> ":
            return row[2:]
    return f"{SOURCE:44} | {perf(row[1:])}" if row[0] == "@" else perf(row)


def read_texts(path):
    """(name, lines, what is told) of each story."""
    for part in path.read_text().split("\n== ")[1:]:
        name, *rows = part.splitlines()
        lines, expected = [], []
        for row in rows:
            if row[:2] == "! ":
                expected.append((len(lines), row[2:]))
            elif row and row[0] != "#":
                lines.append(line_of(row))
        yield name, lines, expected


def told(finding):
    level = finding["level"]
    level = f"({level})" if level != "error" else ""
    return finding["line"], (f"{finding['id']}{level} {finding['column']}+"
                             f"{finding['width']}: {finding['message']}")  # fmt: skip


def test_each_text_gives_its_findings_and_no_others(validate, root, scratch):
    texts = list(read_texts(root / "t/commands/rules/texts"))
    for number, (_, lines, _) in enumerate(texts, 1):
        text = "".join(line + "\n" for line in lines)
        (scratch / f"{number:03}").write_bytes(text.encode("latin-1"))
    findings, _ = read_jsonl(validate("--format", "jsonl", "."))
    found = {
        name: [told(f) for f in findings if f["file"] == f"./{number:03}"]
        for number, (name, *_) in enumerate(texts, 1)
    }
    assert found == {name: expected for name, _, expected in texts}
    assert sum(map(len, found.values())) == len(findings) > 50
