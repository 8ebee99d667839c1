"""Who names requirements: code, schemas, goldens, tests, declarations.

Each citation is (kind, place, id); a place is a path, with a line where one
helps. `chapter.*` names a whole chapter.
"""

import json
import re
from collections import namedtuple

import spec

Citation = namedtuple("Citation", "kind place id")

SOURCES = (".c", ".h", ".cpp", ".py", ".sh")
# They hold the mark that they look for.
READERS = ("spec.py", "test_spec.py")
FINDING = re.compile(rf'"((?:fxt|input|stream)(?:\.{spec.ID_PART})+)"')


def all_of(root):
    """Every citation of the tree, but what the kit's scenarios declare."""
    yield from code(root)
    yield from findings(root)
    yield from schemas(root)
    yield from goldens(root)
    yield from corpus(root)
    yield from known(root)


def code(root):
    """`SPEC: id` in sources: who implements it, or a test of it."""
    for folder in ("ref", "helper", "t"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES or path.name in READERS:
                continue
            kind = "test" if folder == "t" else "code"
            name = path.relative_to(root)
            for line, cited in spec.citations(path.read_text()):
                yield Citation(kind, f"{name}:{line}", cited)


def findings(root):
    """The ids that the validator reports by itself, without a schema."""
    paths = [*(root / "helper").glob("**/*.[ch]"),
             *(root / "ref/trace/reader").glob("*.c")]
    for path in sorted(paths):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in FINDING.findall(line):
                place = f"{path.relative_to(root)}:{number}"
                yield Citation("code", place, name)


def comments(schema):
    """Every `$comment` of a schema: a requirement that it enforces."""
    if isinstance(schema, dict):
        if "$comment" in schema:
            yield schema["$comment"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from comments(part)


def schemas(root):
    for path in sorted((root / "schema").rglob("*.schema.json")):
        schema = json.loads(path.read_text())
        place = str(path.relative_to(root))
        for name in sorted(set(comments({**schema, "examples": []}))):
            yield Citation("schema", place, name)


def rows(path):
    """(line number, cells) of a table with tabs between."""
    if not path.exists():
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line and line[0] != "#":
            yield number, line.split("\t")


def goldens(root):
    """The last column of the manifest: what a case shows."""
    for number, cells in rows(root / "golden/MANIFEST.tsv"):
        for name in cells[-1].replace(",", " ").split():
            yield Citation("golden", f"{cells[0]}", name)


def corpus(root):
    """A folder of logs that must be found wrong is called like the id."""
    for path in sorted((root / "t/corpus/fail").glob("*/*")):
        place = str(path.relative_to(root))
        yield Citation("corpus", place, path.parent.name)


def known(root):
    for path in sorted((root / "t/kit/differences").glob("*.tsv")):
        for number, cells in rows(path):
            place = f"{path.relative_to(root)}:{number}"
            yield Citation("known", place, cells[0])
