"""SPEC.md has the form that it describes, and what cites it is right."""

import json
import re

import pytest

import spec as reader

@pytest.fixture(scope="module")
def spec(root):
    return reader.Spec((root / "SPEC.md").read_text())


def test_every_statement_has_the_form(spec):
    assert spec.problems == []
    assert list(reader.wrong_statements(spec)) == []


def test_links_lead_to_headings(spec):
    anchors = [one.anchor for one in spec.headings]
    assert len(anchors) == len(set(anchors))
    assert [link for link in spec.links() if link[1] not in anchors] == []


def test_contents_name_every_chapter(spec):
    start = next(one.line for one in spec.headings if one.text == "Contents")
    end = next(one.line for one in spec.headings if one.line > start)
    named = {to for line, to in spec.links() if start < line < end}
    chapters = [
        one.anchor
        for one in spec.headings
        if one.depth == 2 and one.text != "Contents"
    ]
    assert [one for one in chapters if one not in named] == []


def test_ids_that_the_text_names_exist(spec):
    unknown = [one for one in spec.mentions() if one[1] not in spec.ids]
    assert unknown == []


def test_examples_say_what_they_are(spec):
    unknown = [
        (one.line, one.kind)
        for one in spec.examples
        if one.kind not in reader.FENCES
    ]
    assert unknown == []


def event_examples(spec):
    for example in spec.examples:
        if example.kind == "event":
            for offset, line in enumerate(example.lines):
                yield example.line + offset, json.loads(line)


def test_event_examples_hold_the_fields_in_order(spec):
    common = ["event", "sid", "thread", "time", "file", "line", "repo"]
    fields = {}
    for field in spec.fields():
        fields.setdefault(field.event, []).append(field)
    for number, event in event_examples(spec):
        own = fields.get(event["event"], [])
        keys = list(event)
        order = common + [one.name for one in own if one.name != "repo"]
        assert keys == [key for key in order if key in keys], number
        needed = {one.name for one in own if one.required}
        assert needed <= set(keys), number


CLOCK = r"\d\d:\d\d:\d\d\.\d{6} "
COLUMNS = (
    r"d\d+ \| .{24,} \| [a-z_ ]{12} \| (   |r\d |r\d{2,} ) \| "
    r"( {9}|[ \d]+\.\d{6}) \| ( {9}|[ \d]+\.\d{6}) \| .{12} \| .*"
)
FORMS = {
    "normal": CLOCK + r"(?=.{34})(\S+:\d+ )? *\b\S.*",
    "normal brief": r"(?!\d\d:)\S.*",
    "perf": CLOCK + r".{28} \| " + COLUMNS,
    "perf brief": COLUMNS,
}


@pytest.mark.parametrize("kind", FORMS)
def test_text_examples_have_the_columns(spec, kind):
    lines = [
        line
        for example in spec.examples
        if example.kind == kind
        for line in example.lines
    ]
    assert lines
    assert [one for one in lines if not re.fullmatch(FORMS[kind], one)] == []


def sources(root):
    for place in ("ref", "helper", "t"):
        for path in sorted((root / place).rglob("*")):
            if path.suffix in (".c", ".h", ".cpp", ".py", ".sh"):
                if path.name not in ("spec.py", "test_spec.py"):
                    yield path


def schema_comments(node):
    if isinstance(node, dict):
        if "$comment" in node:
            yield node["$comment"]
        node = list(node.values())
    for child in node if isinstance(node, list) else ():
        yield from schema_comments(child)


def cited(root):
    """(where, id) of every citation in the repository."""
    for path in sources(root):
        for line, name in reader.citations(path.read_text()):
            yield f"{path.relative_to(root)}:{line}", name
    for path in sorted((root / "schema").rglob("*.json")):
        for name in schema_comments(json.loads(path.read_text())):
            yield f"{path.relative_to(root)}", name
    manifest = root / "golden" / "MANIFEST.tsv"
    if manifest.exists():
        for number, row in enumerate(manifest.read_text().splitlines(), 1):
            last = row.rpartition("\t")[2]
            if not row.startswith("#"):
                for name in last.replace(",", " ").split():
                    yield f"golden/MANIFEST.tsv:{number}", name


def test_citations_name_statements(spec, root):
    found = list(cited(root))
    assert found
    assert [one for one in found if not spec.names(one[1])] == []


GOOD = "- **`a.b`** MUST [min, full] {document}: A thing is so."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (GOOD.replace("MUST", "WILL"), "unknown level"),
        (GOOD.replace("min", "most"), "unknown class"),
        (GOOD.replace("min, full", "full, min"), "out of order"),
        (GOOD.replace("document", "rumour"), "unknown evidence"),
        (GOOD[:-1], "no full stop"),
        (GOOD + " It is.", "more than one sentence"),
        (GOOD.replace("MUST", "MUST NOT"), "worded as a rule"),
        (GOOD + "\n" + GOOD, "there already"),
        (GOOD.replace("a.b", "older.b"), "informative"),
        ("- **`a.b`** informative: So.", "informative"),
    ],
)
def test_a_statement_of_the_wrong_form_is_found(text, problem):
    wrong = list(reader.wrong_statements(reader.Spec(text)))
    assert len(wrong) == 1 and problem in wrong[0]


@pytest.mark.parametrize("text", ["- **`a`** MUST: x.", "- **`a.B`** MAY"])
def test_a_line_that_is_no_statement_is_found(text):
    assert len(reader.Spec(text).problems) == 1


def test_a_good_statement_is_read():
    (one,) = reader.Spec(GOOD).statements
    assert one == ("a.b", "MUST", ("min", "full"), "document",
                   "A thing is so.", 1)


def test_citations_are_found_across_lines():
    text = "/*\n * SPEC: a.b, c.d,\n * e_f.g-h and i.*\n */\n/* SPEC: j.k */"
    assert list(reader.citations(text)) == [
        (2, "a.b"),
        (2, "c.d"),
        (2, "e_f.g-h"),
        (2, "i.*"),
        (5, "j.k"),
    ]
