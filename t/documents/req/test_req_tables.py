"""What is made from SPEC.md: lists, roots of schemas, forms of payloads."""

import json
import re
import shutil

import pytest

import abnf
import spec as reader
from kit import forms
from req import minimal, payload_rows, tables

SECTION = """\
### novelty

Since evt 3, git 9.9. Shown by NORMAL, PERF and EVENT.

- **`event.novelty`** MUST [full] {decision}: A host gives one `novelty`.
- **`normal.payload.novelty`** MUST [full] {decision}: NORMAL: `novelty <id>`.
- **`perf.payload.novelty`** MUST [full] {decision}: PERF: `<id>`.

"""
RULES = 'normal-novelty = "novelty " id\nperf-novelty = id [ SP seconds ]\n'


@pytest.fixture
def tree(root, scratch):
    """A copy of what is made and of what it is made from."""
    (scratch / "docs").mkdir()
    (scratch / "schema").mkdir()
    (scratch / "helper/rules/textlog").mkdir(parents=True)
    for path, text in tables.made(root):
        shutil.copy(root / path, scratch / path)
        assert text == (root / path).read_text(), path
    for name in reader.DOCUMENTS[1:]:
        shutil.copy(root / name, scratch / name)
    return scratch


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("SPEC.md", "| `alias` | x | x | x |", "| `alias` | x | | x |"),
        ("SPEC.md", " / normal-alias", ""),
        ("SPEC.md", "/ perf-counter\n\n", "\n\n"),
        ("SPEC.md", "22 events: all", "23 events: all"),
        ("SPEC.md", '<a id="the-buffer"></a>', ""),
        ("SPEC.md", '<a id="gitaly"></a>', ""),
        ("SPEC.md", '<a id="by-class"></a>', ""),
        (reader.INDEX, "| all | ", "| all | 1"),
        (reader.INDEX, "](practice.md#gitaly)", "](../SPEC.md#gitaly)"),
        ("schema/evt1.schema.json", '"const": "alias"', '"const": "aliases"'),
        ("schema/evt3.closed.schema.json", '        "alias",\n', ""),
        (f"{tables.FORMS}/perf.tsv", "\tALIAS\t0\t", "\tALIAS\tT_ABS\t"),
    ],
)
def test_what_differs_from_the_sections_is_not_up_to_date(
    tree, file, old, new
):
    assert list(tables.stale(tree)) == []
    edit(tree / file, old, new)
    assert list(tables.stale(tree)) == [f"{file}: not up to date (make rules)"]


def test_a_file_that_is_missing_is_not_up_to_date(tree):
    (tree / tables.FORMS / "normal.tsv").unlink()
    assert list(tables.stale(tree)) == [
        f"{tables.FORMS}/normal.tsv: not up to date (make rules)"
    ]


@pytest.fixture
def novelty(tree):
    """The texts made from a SPEC.md that has one more event."""
    edit(tree / "SPEC.md", "### printf\n", SECTION + "### printf\n")
    edit(tree / "SPEC.md", "normal-version  ", RULES + "normal-version  ")
    return dict(tables.made(tree))


def test_a_new_section_is_in_the_lists_of_the_spec(novelty):
    spec = reader.Spec(novelty["SPEC.md"])
    rows = list(spec.table("event", "NORMAL"))
    assert ["`novelty`", "x", "x", "x", "", "", "", ""] in rows
    for target in ("normal", "perf"):
        text = tables.grammar(novelty["SPEC.md"]).text(f"{target}-payload")
        assert f"/ {target}-novelty /" in " ".join(text.split())


@pytest.mark.parametrize("version", (1, 2, 3, 4))
def test_a_new_section_is_in_the_roots_since_its_version(novelty, version):
    whole = json.loads(novelty[f"schema/evt{version}.schema.json"])
    named = [part["then"]["$ref"] for part in whole["allOf"]]
    closed = json.loads(novelty[f"schema/evt{version}.closed.schema.json"])
    listed = closed["properties"]["event"]["enum"]
    assert ("events/novelty.schema.json" in named) == (version >= 3)
    assert ("novelty" in listed) == (version >= 3)
    assert len(named) == len(listed)


def test_a_new_section_has_rows_for_the_validator(novelty):
    assert ("SHOWN\tNOVELTY\t0\tnovelty \t-\tnovelty %i\t-\t-\t-\n"
            in novelty[f"{tables.FORMS}/normal.tsv"])
    assert ("SHOWN\tNOVELTY\tFREE\t%i\t%i %s\t-\t-\n"
            in novelty[f"{tables.FORMS}/perf.tsv"])


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("`perf.payload.alias`", "`perf.payload.other`",
         "no statement perf.payload.alias"),
        ("| informative chapter |", "| chapters |",
         "the list of docs/practice.md's chapters"),
        ("| event | NORMAL |", "| events | NORMAL |", "the matrix"),
        ("\nperf-payload = ", "\nperf-payloads = ", "perf-payload has"),
    ],
)  # fmt: skip
def test_what_the_spec_lacks_is_named(tree, old, new, problem):
    edit(tree / "SPEC.md", old, new)
    with pytest.raises(tables.Broken, match=problem):
        list(tables.made(tree))
    assert list(tables.stale(tree))[-1].startswith(f"SPEC.md: {problem}")


def test_the_table_of_versions_agrees_with_the_sections(root):
    events = tables.read_events((root / "SPEC.md").read_text())
    assert {event.name: event.evt for event in events} == forms.since()


@pytest.mark.parametrize(
    ("rule", "patterns"),
    [
        ('"a " id "/" number', ["a %i/%n"]),
        ('"a" [ SP word ] seconds', ["a%s", "a %w%s"]),
        ("text", ["%*"]),
        ('text *( "," text )', ["%*"]),
        ('"a" [ "b" text ]', ["a", "ab%*"]),
        ('text [ "=" text ]', ["%*"]),
        ('"x" text "]" / "x" text "y]"', ["x%*]"]),
        ('"x" / "y" ready', ["x", "y%r"]),
        ("1*DIGIT", ["%i"]),
    ],
)
def test_a_rule_becomes_the_patterns_of_its_texts(rule, patterns):
    grammar = abnf.Grammar().add([f"r = {rule}", "text = *OCTET"])
    assert payload_rows.Forms(grammar).of("r") == patterns


def test_page_of_the_class_min_has_each_of_its_statements_once(root):
    spec = reader.read(root)
    page = (root / minimal.PAGE).read_text()
    bound = [one.id for one in spec.statements if "min" in one.classes]
    listed = re.findall(r"^- \[`([^`]+)`\]", page, re.M)
    assert sorted(listed) == sorted(bound)
    assert listed.index("session.id") < listed.index("event.version")


def test_section_without_a_place_on_the_page_is_named(root, monkeypatch):
    monkeypatch.setattr(minimal, "STEPS", minimal.STEPS[1:])
    with pytest.raises(minimal.Unplaced, match="Each setting.* in docs/min"):
        minimal.page(reader.read(root))
