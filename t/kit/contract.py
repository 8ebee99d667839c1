"""The table of our verbs in t/README.md, made from t/kit/contract.tsv."""

HEAD = "| verb | arguments | what it shows |\n|---|---|---|\n"
PAGE = "t/README.md"


def row(line):
    verb, arguments, _, _, _, shows = line.split("\t")
    shown = "" if arguments == "-" else f"`{arguments}`"
    cells = (f"`{verb}`", shown.replace("|", "\\|"), shows)
    return "| " + " | ".join(cells) + " |\n"


def made(root):
    """(path, text) of the page with the table as it should be."""
    lines = (root / "t/kit/contract.tsv").read_text().splitlines()
    rows = [row(line) for line in lines if "500" <= line.split("\t")[0]]
    before, head, after = (root / PAGE).read_text().partition(HEAD)
    yield PAGE, before + head + "".join(rows) + "\n" + after.partition("\n\n")[2]


def stale(root):
    for path, text in made(root):
        if (root / path).read_text() != text:
            yield f"{path}: not what t/kit/contract.tsv says (make rules)"
