#!/usr/bin/python3
"""What the source documents hold, and the test that shows it: documents.py [ROOT]

t/documents/headings.tsv lists the headings of the documents, and
t/documents/features.tsv has a row for each feature, call, setting, event,
field and example below them. A row names what shows it, and ` + ` joins
several:

    req:ID              a requirement that holds; check-req wants its test
    t/test_x.py         a file of tests
    t/test_x.py::NAME   one of its tests; [CASE] may follow
    t/unit/x.c          a unit program
    t/unit/x.c: NAME    one of its tests
    erratum:ID          the library differs on purpose: an erratum of
                        docs/practice.md, erratum.ID, says why

It is an error if a row has no proof, if a proof does not exist, if a heading
has no row, and if an example of t/documents/examples.md has none.
"""

import re
import sys
from pathlib import Path

KINDS = {"feature", "call", "setting", "event", "field", "example"}
PLACE = "t/documents"
TABLE = f"{PLACE}/features.tsv"
HEADINGS = f"{PLACE}/headings.tsv"
LOCK = "t/documents/req/requirements.lock"


def read_rows(path):
    """(number of the line, its cells) of each row but the first."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(n, line.split("\t")) for n, line in enumerate(lines[1:], 2)]


def active_ids(root):
    rows = [line.split("\t") for line in (root / LOCK).read_text().splitlines()]
    return {row[0] for row in rows if len(row) > 2 and row[2] == "active"}


def examples_of(root):
    page = (root / PLACE / "examples.md").read_text(encoding="utf-8")
    return re.findall(r"^## (.*)$", page, re.M)


def has_python_test(text, name):
    return re.search(rf"^def {re.escape(name)}\(", text, re.M) is not None


def has_unit_test(text, name):
    """Is there a case, or a string, of this text? A string may go on in the
    next line."""
    joined = re.sub(r'"\s*\n\s*"', "", text)
    return (f'"{name}"' in joined
            or re.search(rf"^=[=~]? {re.escape(name)}$", text, re.M))


def proof_exists(root, proof):
    path, mark, name = re.match(r"(\S+?)(?:(::|: )(.*))?$", proof).groups()
    file = root / path
    if not file.is_file() or not path.startswith("t/"):
        return False
    if not mark:
        return True
    text = file.read_text(encoding="utf-8")
    if mark == ": ":
        return has_unit_test(text, name)
    return has_python_test(text, name.partition("[")[0])


def proof_finding(root, ids, proof):
    """What is wrong with it, or None."""
    if proof.startswith("erratum:"):
        known = f"erratum.{proof[8:]}" in ids
        return None if known else f"there is no {proof}"
    if proof.startswith("req:"):
        known = proof[4:] in ids
        return None if known else f"{proof} is no requirement that holds"
    return None if proof_exists(root, proof) else f"there is no {proof}"


def row_findings(root, ids, headings, cells):
    if len(cells) != 5:
        yield f"{len(cells)} cells, expected 5"
        return
    documents, heading, kind, item, proofs = cells
    if not set(documents.split(",")) <= headings.get(heading, set()):
        yield f"{documents} have no heading {heading!r}"
    if kind not in KINDS:
        yield f"kind {kind!r}, expected one of {', '.join(sorted(KINDS))}"
    if not proofs:
        yield f"{item!r} has no test"
    for proof in proofs.split(" + ") if proofs else ():
        found = proof_finding(root, ids, proof)
        if found:
            yield found


def missing(root, headings, rows):
    """Headings and examples without a row."""
    for heading, documents in headings.items():
        seen = {d for cells in rows if cells[1] == heading
                for d in cells[0].split(",")}  # fmt: skip
        if documents - seen:
            yield f"no row for {heading!r} of {', '.join(sorted(documents - seen))}"
    items = {cells[3] for cells in rows if cells[2] == "example"}
    for name in examples_of(root):
        if name not in items:
            yield f"no row for the example {name!r}"


def findings(root):
    pairs = [cells for _, cells in read_rows(root / HEADINGS)]
    headings = {heading: set(documents.split(",")) for documents, heading in pairs}
    rows = read_rows(root / TABLE)
    ids = active_ids(root)
    for number, cells in rows:
        for text in row_findings(root, ids, headings, cells):
            yield f"{TABLE}:{number}: {text}"
    whole = [cells for _, cells in rows if len(cells) == 5]
    for text in missing(root, headings, whole):
        yield f"{TABLE}:1: {text}"


def main(arguments):
    found = list(findings(Path(arguments[0] if arguments else ".")))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
