"""SPEC.md has the form that it describes, and what cites it is right."""

import json
import re

import pytest

import abnf
import spec as reader
from req import citations, evidence

@pytest.fixture(scope="module")
def spec(root):
    return reader.read(root)


def test_every_statement_has_the_form(spec):
    assert spec.problems == []
    assert list(reader.wrong_statements(spec)) == []


def test_links_lead_to_headings(spec):
    anchors = [one.anchor for one in spec.headings if one.text != "Chapters"]
    assert len(anchors) == len(set(anchors))
    places = {(one.document, one.anchor) for one in spec.headings}
    links = list(spec.links())
    assert {document for _, document, _ in links} == set(reader.DOCUMENTS)
    assert [link for link in links if link[1:] not in places] == []


def test_contents_name_every_chapter(spec):
    for document, title in zip(reader.DOCUMENTS,
                               ("Contents", "Chapters", "Chapters")):
        heads = [one for one in spec.headings if one.document == document]
        start = next(one.line for one in heads if one.text == title)
        end = next(one.line for one in heads if one.line > start)
        named = {to for line, _, to in spec.links() if start < line < end}
        chapters = {one.anchor for one in heads
                    if one.depth == 2 and one.text != title}  # fmt: skip
        assert chapters and named >= chapters


def test_spec_keeps_the_anchors_of_what_moved_to_other_documents(root, spec):
    kept = re.findall(r'<a id="([^"]*)">', (root / "SPEC.md").read_text())
    moved = [one.anchor for one in spec.headings
             if one.document != "SPEC.md" and one.depth > 1
             and one.text != "Chapters"]  # fmt: skip
    assert kept == [*moved, "index", "by-class", "by-id"]
    assert {"the-fxt-format", "errata", "gitaly"} <= set(kept)


def test_what_binds_nobody_is_in_the_third_document(spec):
    start = next(one.line for one in spec.headings
                 if one.document == "docs/practice.md")  # fmt: skip
    wrong = [one.id for one in spec.statements
             if (one.line > start) != (one.level is None)]  # fmt: skip
    assert wrong == []


def test_the_second_document_adds_no_class_of_emitters(spec):
    start = next(one.line for one in spec.headings
                 if one.document == "TRACING.md")  # fmt: skip
    second = [one for one in spec.statements if one.line > start]
    assert second
    assert not {"min", "git"} & {name for one in second for name in one.classes}


def test_spec_lists_each_accident_of_git_with_what_to_do_instead(root, spec):
    text = (root / "SPEC.md").read_text()
    table = text.partition("\n### Accidents of git\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| (`.*) \| (.+) \|$", table, re.M)
    listed = [name for ids, _ in rows for name in re.findall("`(.+?)`", ids)]
    accidents = {one.id for one in spec.statements if one.classes == ("git",)}
    assert sorted(listed) == sorted(accidents) and len(accidents) > 9
    assert [one for one in rows if not one[1].strip().endswith(".")] == []


def test_no_statement_of_the_spec_has_more_than_44_words(spec):
    end = next(one.line for one in spec.headings
               if one.document != "SPEC.md")  # fmt: skip
    long = [one.id for one in spec.statements
            if one.line < end and len(one.text.split()) > 44]  # fmt: skip
    assert long == []


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


@pytest.fixture(scope="module")
def grammar(spec):
    found = abnf.Grammar()
    for example in spec.examples:
        if example.kind == "abnf":
            found.add(example.lines)
    return found


def test_every_rule_of_the_grammar_compiles(grammar):
    for rule in grammar.rules():
        re.compile(grammar.pattern(rule))


def test_grammars_name_every_event_that_a_target_shows(spec, grammar):
    for target in ("normal", "perf"):
        shown = {
            one.id.split(".")[2]
            for one in spec.statements
            if one.id.startswith(f"{target}.payload.") and one.level == "MUST"
        }
        rules = {f"{target}-{event.replace('_', '-')}" for event in shown}
        assert [one for one in rules if one not in grammar.rules()] == []


PERF = re.compile(
    r"(?:.{15} .{28} \| )?d\d+ \| .{24,}? \| (?P<event>\w+) *\| .*? \| .*? \| "
    r".*? \| .{12} \| (?:\.\.)*(?P<payload>.*)"
)
NORMAL = re.compile(
    r"(?:(?=\d\d:)(?=.{49} )\S+ \S+:\d+ +)?(?P<payload>(?P<event>[a-z_]+).*)"
)
# First words of payloads that are not the names of their events.
NAMES = {"worktree": "def_repo", "hello": "printf"}


def parses(grammar, kind, line):
    """Does the line follow its target's grammar, down to its event's?"""
    target = kind.split()[0]
    found = (PERF if target == "perf" else NORMAL).fullmatch(line)
    if not found or not grammar.match(f"{target}-line", line):
        return False
    event = NAMES.get(found["event"], found["event"])
    rule = f"{target}-{event.replace('_', '-')}"
    return rule in grammar.rules() and grammar.match(rule, found["payload"])


@pytest.mark.parametrize(
    "kind", ["normal", "normal brief", "perf", "perf brief"]
)
def test_text_examples_follow_the_grammar(spec, grammar, kind):
    lines = [
        line
        for example in spec.examples
        if example.kind == kind
        for line in example.lines
    ]
    assert lines
    assert [one for one in lines if not parses(grammar, kind, one)] == []


@pytest.mark.parametrize("target", ["normal", "perf"])
def test_real_text_logs_follow_the_grammar(grammar, root, target):
    real = root / "t/corpus/pass/real"
    lines = [
        line
        for release in ("evt3-git2.39", "evt4-git2.55")
        for path in sorted((real / release).glob(f"*.{target}"))
        for line in path.read_bytes().decode("latin-1").split("\n")
        if line
    ]
    assert lines
    assert [one for one in lines if not parses(grammar, target, one)] == []


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("normal", "05:42:03.588769 git.c:1            exit elapsed:1 code:0"),
        ("normal brief", "exit elapsed:0.1 code:0"),
        ("normal brief", "child_start[x] git"),
        ("normal brief", "worktree /a b"),
        ("normal brief", "thread_start"),
        ("perf brief", "d0 | main | exit | | | | | code:0"),
        (
            "perf brief",
            f"d0 | {'main':24} | {'exit':12} |     |  0.000326 | {'':9} | "
            f"{'':12} | code:",
        ),
    ],
)
def test_a_wrong_line_does_not_follow_the_grammar(grammar, kind, line):
    assert not parses(grammar, kind, line)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("", True),
        ("'a.b=c'", True),
        ("'a.b'='it'\\''s'\\!''  'c.d'=\n'e.f' ", True),
        (" 'a.b=c'", False),
        ("'a.b", False),
        ("a.b=c", False),
        ("'a.b'=c", False),
        ("'a.b''c.d'", False),
        ("'a.b'='c'd", False),
    ],
)
def test_grammar_of_parameters_takes_what_is_read(grammar, text, good):
    assert bool(grammar.match("config-parameters", text)) == good


def test_matrix_agrees_with_the_statements(spec):
    rows = {row[0].strip("`"): row for row in spec.table("event", "NORMAL")}
    levels = {one.id: one.level for one in spec.statements}
    told = {i.split(".")[2] for i in levels if i.startswith("perf.payload.")}
    assert set(rows) == told
    for event, row in rows.items():
        assert f"event.{event}" in levels
        for column, target in ((1, "normal"), (2, "perf")):
            shown = levels[f"{target}.payload.{event}"] == "MUST"
            assert shown == bool(row[column]), (event, target)


def test_citations_name_statements(spec, root):
    found = list(citations.all_of(root))
    assert {one.kind for one in found} >= {"code", "schema", "golden", "test"}
    assert list(evidence.orphans(spec, found)) == []


GOOD = "- **`a.b`** MUST [min, full] {document}: A thing is so."
BAN = "- **`a.b`** MUST NOT [min] {document}: do a thing that is not so."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (GOOD.replace("MUST", "WILL"), "unknown level"),
        (GOOD.replace("min", "most"), "unknown class"),
        (GOOD.replace("min, full", "full, min"), "out of order"),
        (GOOD.replace("document", "rumour"), "unknown evidence"),
        (GOOD[:-1], "no full stop"),
        (GOOD + " It is.", "more than one sentence"),
        (GOOD.replace("MUST", "MUST NOT"), "no verb phrase"),
        (GOOD.replace("A thing", "a thing"), "without a subject"),
        (BAN.replace("MUST NOT", "MAY"), "without a subject"),
        (BAN.replace("do a", "do no"), "second negative"),
        (BAN.replace("do a", "never do a"), "second negative"),
        (BAN.replace("MUST", "SHOULD").replace("do a", "Do a"), "verb phrase"),
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


def test_a_prohibition_is_shown_with_its_level():
    ban = reader.Spec(BAN)
    assert list(reader.wrong_statements(ban)) == []
    (one,) = ban.statements
    assert one.sentence == "MUST NOT do a thing that is not so."
    assert reader.Spec(GOOD).statements[0].sentence == "A thing is so."


def test_citations_are_found_across_lines():
    text = "/*\n * SPEC: a.b, c.d,\n * e_f.g-h and i.*\n */\n/* SPEC: j.k */"
    assert list(reader.citations(text)) == [
        (2, "a.b"),
        (2, "c.d"),
        (2, "e_f.g-h"),
        (2, "i.*"),
        (5, "j.k"),
    ]
