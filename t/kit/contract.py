"""The tables of verbs in t/README.md, made from t/kit/contract.tsv; and the
last column of that file, made from the scenarios."""

from kit import kit

HEAD = ("| verb | arguments | what it does and shows | wrong arguments |"
        " requirements |\n|---|---|---|---|---|\n")
PAGE, TABLE = "t/README.md", "t/kit/contract.tsv"
CELLS = 6  # that people write
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


def made(root):
    """(path, text) of both files as they should be."""
    table = (root / TABLE).read_text()
    lines = list(filled(table, checked()))
    yield TABLE, "\n".join(lines) + "\n"
    first, *rest = (root / PAGE).read_text().split(HEAD)
    yield PAGE, first + "".join(
        table + "\n" + part.partition("\n\n")[2]
        for table, part in zip(tables(lines), rest))


def stale(root):
    sources = {PAGE: TABLE, TABLE: "the scenarios"}
    for path, text in made(root):
        if (root / path).read_text() != text:
            yield f"{path}: not made from {sources[path]} (make rules)"
