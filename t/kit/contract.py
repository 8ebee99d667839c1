"""The tables of verbs in t/README.md, made from t/kit/contract.tsv; the last
column of that file, made from the scenarios; and what is published of it."""

from kit import kit

HEAD = ("| verb | arguments | what it does and shows | wrong arguments |"
        " requirements |\n|---|---|---|---|---|\n")
PAGE, TABLE = "t/README.md", "t/kit/contract.tsv"
PUBLISHED = "t/kit/published.tsv"
CELLS = 6  # that people write
KEPT = 5  # that a published verb keeps for good
FEW = 2  # requirements that the page names


def checked():
    """The requirements that the kit checks with each verb, sorted."""
    found = {}
    for case in kit.load().values():
        for verb in case.verbs:
            found.setdefault(verb, set()).update(case.ids)
    return {verb: sorted(ids) for verb, ids in found.items()}


def filled(table, found):
    """The text of contract.tsv with its last column as it should be."""
    for line in table.splitlines():
        cells = line.split("\t")
        if line[0] != "#":
            cells = [*cells[:CELLS], " ".join(found.get(cells[0], ["-"]))]
        yield "\t".join(cells)


def code(text):
    return "" if text == "-" else f"`{text}`"


def row(line):
    verb, arguments, _, wrong, _, shows, needs = line.split("\t")
    ids = [] if needs == "-" else needs.split()
    named = ", ".join(map(code, ids)) if len(ids) <= FEW else str(len(ids))
    cells = (code(verb), code(arguments), shows, code(wrong), named)
    return "| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |\n"


def tables(lines):
    """git's verbs and ours."""
    rows = [line for line in lines if line[0] != "#"]
    for is_ours in (False, True):
        yield HEAD + "".join(row(line) for line in rows
                             if ("500" <= line) == is_ours)


def cells(text):
    """The cells of each verb that stay once it is published."""
    return [row.split("\t")[:KEPT] for row in text.splitlines()
            if row[0] != "#"]


def published(text, table):
    """The published verbs as they are, and after them the new ones."""
    names = {row[0] for row in cells(text)}
    return text + "".join("\t".join(row) + "\n" for row in cells(table)
                          if row[0] not in names)


def made(root):
    """(path, text) of the files as they should be."""
    table = (root / TABLE).read_text()
    yield PUBLISHED, published((root / PUBLISHED).read_text(), table)
    lines = list(filled(table, checked()))
    yield TABLE, "\n".join(lines) + "\n"
    first, *rest = (root / PAGE).read_text().split(HEAD)
    yield PAGE, first + "".join(
        table + "\n" + part.partition("\n\n")[2]
        for table, part in zip(tables(lines), rest))


def stale(root):
    sources = {PAGE: TABLE, TABLE: "the scenarios", PUBLISHED: TABLE}
    for path, text in made(root):
        if (root / path).read_text() != text:
            yield f"{path}: not made from {sources[path]} (make rules)"
