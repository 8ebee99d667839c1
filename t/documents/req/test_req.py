"""Traceability: citations, evidence, the findings and the page."""

import json
import shutil
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

import spec as reader
from req import citations, evidence, page

MARK = "SPEC" + ":"
SPEC = f"""
# Title
## First
- **`a.one`** MUST [min, full] {{document}}: `<x>` *is* [so](#first).
### Part
- **`a.two`** MAY [full] {{observed}}: It is so.
- **`a.three`** SHOULD NOT [git] {{decision}}: It is not so.
## Last
- **`older.x`** informative: It was ``a`b``.
"""


@pytest.fixture
def spec():
    return reader.Spec(SPEC)


def case(name, *ids):
    return SimpleNamespace(name=name, ids=ids)


def fault(name, scenario):
    return SimpleNamespace(id=name, scenario=scenario)


def cite(kind, place, name):
    return citations.Citation(kind, place, name)


# Citations

TREE = {
    "ref/a.c": f"/* {MARK} a.one */\n\n/*\n * {MARK} a.two,\n * b.*\n */\n",
    "ref/notes.txt": f"{MARK} a.txt\n",
    "helper/tool/verbs/b.h": f"/* {MARK} a.h */\n",
    "helper/validate/in.c": 'x = "input.utf8";\ny = "input";\n'
                            'z = "stream.exit.once" "stream.";\n',
    "t/unit/u.c": f"/* {MARK} a.unit */\n",
    "t/common/spec.py": f"# {MARK} a.reader\n",
    "schema/events/e.schema.json": json.dumps(
        {
            "$comment": "s.top",
            "examples": [{"$comment": "s.example"}],
            "allOf": [{"properties": {"k": {"$comment": "s.deep"}}}],
        }
    ),
    "golden/MANIFEST.tsv": "# case\tids\n001x\t0\tg.one g.two\n",
    "t/corpus/fail/input.bom/x.event": "",
    "t/kit/differences/git.tsv": "# a\nk.one\t*\twhy\n",
}


@pytest.fixture
def tree(scratch):
    for name, text in TREE.items():
        path = scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return scratch


def test_citations_of_every_kind_are_found(tree):
    assert sorted(citations.all_of(tree)) == [
        ("code", "helper/tool/verbs/b.h:1", "a.h"),
        ("code", "helper/validate/in.c:1", "input.utf8"),
        ("code", "helper/validate/in.c:3", "stream.exit.once"),
        ("code", "ref/a.c:1", "a.one"),
        ("code", "ref/a.c:4", "a.two"),
        ("code", "ref/a.c:4", "b.*"),
        ("corpus", "t/corpus/fail/input.bom/x.event", "input.bom"),
        ("golden", "001x", "g.one"),
        ("golden", "001x", "g.two"),
        ("known", "t/kit/differences/git.tsv:2", "k.one"),
        ("schema", "schema/events/e.schema.json", "s.deep"),
        ("schema", "schema/events/e.schema.json", "s.top"),
        ("test", "t/unit/u.c:1", "a.unit"),
    ]


def test_an_empty_tree_has_no_citations(scratch):
    assert list(citations.all_of(scratch)) == []


def test_orphans_are_named_with_their_place(spec):
    cited = [
        cite("code", "a.c:1", "a.one"),
        cite("code", "a.c:2", "a.*"),
        cite("code", "a.c:3", "a.four"),
        cite("golden", "001x", "b.*"),
    ]
    assert list(evidence.orphans(spec, cited)) == [
        "a.c:3: no requirement is called a.four",
        "001x: no requirement is called b.*",
    ]


# Evidence


def gather(spec, cited=(), scenarios=(), caught=(), broken=(), negatives=()):
    return evidence.gather(spec, cited, scenarios, caught, broken, negatives)


def driver(name, what):
    return SimpleNamespace(id=name, name=what)


def test_what_is_only_named_is_not_tested(spec):
    cited = [
        cite(kind, "place", "a.one")
        for kind in ("code", "schema", "test", "golden", "known")
    ]
    found = gather(spec, cited, [case("s", "a.one")])
    assert found["a.one"].scenarios == ["s"]
    assert found["a.one"].code == ["place"]
    assert list(evidence.untested(spec, found)) == [
        "a.one: is MUST, and no violation is caught",
        "a.three: is SHOULD NOT, and no violation is caught",
    ]


@pytest.mark.parametrize(
    "proof",
    [
        {"caught": [fault("a.one", "s"), fault("a.three", "s")]},
        {"broken": [driver("a.one", "d"), driver("a.three", "e")]},
        {"negatives": ["a.one", "a.three"]},
        {
            "cited": [
                cite("corpus", "a", "a.one"),
                cite("corpus", "b", "a.three"),
            ]
        },
    ],
)
def test_what_is_caught_is_tested(spec, proof):
    assert list(evidence.untested(spec, gather(spec, **proof))) == []


def test_a_chapter_that_is_cited_stands_for_its_requirements(spec):
    found = gather(spec, [cite("code", "a.c:1", "a.*")])
    assert {name for name, one in found.items() if one.code} == {
        "a.one",
        "a.two",
        "a.three",
    }


def test_evidence_is_counted_once_for_each_place(spec):
    twice = [cite("golden", "001x", "a.one")] * 2
    faults = [fault("a.one", "s")] * 2
    drivers = [driver("a.one", "d"), driver("z.z", "e")]
    events = ["a.one", "a.one", "z.z"]
    found = gather(spec, twice, [], faults, drivers, events)
    assert found["a.one"] == evidence.Evidence(
        goldens=["001x"], faults=["s"], drivers=["d"], negatives=2
    )


# The page


class Reader(HTMLParser):
    """Every element is closed, and what articles there are."""

    VOID = ("meta", "input")
    OPTIONAL = ("li",)  # closed by what follows

    def __init__(self, text):
        super().__init__()
        self.open, self.articles, self.words = [], {}, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag == "article":
            attributes = dict(attributes)
            self.articles[attributes["id"]] = attributes
        if tag not in self.VOID + self.OPTIONAL:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture
def rows(spec):
    cited = [cite("code", f"ref/<{n}>.c", "a.one") for n in range(9)]
    return page.rows(spec, gather(spec, cited, negatives=["a.one"]))


def test_rows_tell_place_state_and_evidence(rows):
    short = [
        (row["id"], row["chapter"], row["section"], row["state"])
        for row in rows
    ]
    assert short == [
        ("a.one", "First", "", "tested"),
        ("a.two", "First", "Part", "free"),
        ("a.three", "First", "Part", "untested"),
        ("older.x", "Last", "", "free"),
    ]
    assert len(rows[0]["code"]) == 9 and rows[0]["negatives"] == 1
    assert rows[0]["classes"] == ["min", "full"]


def test_json_holds_all_rows_and_the_tally(rows):
    whole = json.loads(page.as_json(rows))
    assert whole["requirements"] == rows
    assert whole["tally"] == {
        "First": {"tested": 1, "free": 1, "untested": 1},
        "Last": {"free": 1},
    }


def test_page_is_whole_and_shows_every_requirement(rows):
    text = page.as_html(rows)
    seen = Reader(text)
    assert seen.open == [] and "<!--" not in text
    assert list(seen.articles) == ["a.one", "a.two", "a.three", "older.x"]
    assert seen.articles["a.three"]["data-state"] == "untested"
    assert seen.articles["a.one"]["data-classes"] == "min full"
    words = "".join(seen.words)
    assert "<x> is so." in words and "It was a`b." in words
    assert "implemented by 9 places" in words and "ref/<8>.c" in words
    assert "no violation is caught" in words
    assert "50 %" in words


def test_page_needs_nothing_from_elsewhere(rows):
    text = page.as_html(rows)
    for word in ("http:", "https:", "src=", "@import", "url("):
        assert word not in text, word


# The program


@pytest.fixture(scope="module")
def program(root):
    loader = SourceFileLoader("requirements", str(root / "t/documents/requirements"))
    module = module_from_spec(spec_from_loader("requirements", loader))
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def findings(root, program):
    """findings(old, new): what check finds in a SPEC.md changed so."""
    text, *others = ((root / name).read_text() for name in reader.DOCUMENTS)
    tree = evidence.Tree(root)

    def call(old="", new=""):
        assert old in text
        changed = reader.Spec(text.replace(old, new, 1), *others)
        return set(program.findings(changed, tree))

    call.as_it_is = call()
    return call


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("\n- **`thread.main`** MUST", "\n- **`thread.main`** SHOULD",
         "thread.main: its wording"),
        ("\n- **`thread.main`** ", "\n- **`thread.prime`** ",
         "thread.prime: is new"),
        ("\n- **`thread.main`** ", "\n- **`thread.prime`** ",
         "thread.main: is gone"),
        ("\n- **`thread.main`** ", "\n- **`thread.name`** ",
         "the id is there already"),
        ("\n- **`json.escape`** ", "\n- **`json.strings`** ",
         "no requirement is called json.escape"),
        ("\n- **`json.escape`** MUST ", "\n- **`json.escape`** WILL ",
         "unknown level WILL"),
        ("\n- **`json.escape`** MUST ", "\n- **`json.escape`** MUST",
         "no statement"),
        ("\n- **`version.add-field`** MAY ",
         "\n- **`version.add-field`** MUST ",
         "version.add-field: is MUST, and no violation is caught"),
    ],
)  # fmt: skip
def test_check_finds_what_is_wrong_with_a_spec(findings, old, new, finding):
    fresh = findings(old, new) - findings.as_it_is
    assert [one for one in fresh if finding in one]


def test_report_writes_both_files(root, program, scratch):
    assert program.main(["report", scratch / "new"]) == 0
    whole = json.loads((scratch / "new/requirements.json").read_text())
    ids = [one.id for one in reader.read(root).statements]
    assert [row["id"] for row in whole["requirements"]] == ids
    seen = Reader((scratch / "new/requirements.html").read_text())
    assert list(seen.articles) == ids


@pytest.mark.parametrize("arguments", [[], ["nope"], ["report"]])
def test_a_wrong_call_prints_how_to_call_it(program, arguments, capsys):
    assert program.main(arguments) == 2
    assert "t/documents/requirements check" in capsys.readouterr().err


def test_rules_name_the_file_that_is_missing(program, root, scratch,
                                             monkeypatch, capsys):
    (scratch / "docs").mkdir()
    for name in (*reader.DOCUMENTS, reader.INDEX):
        shutil.copy(root / name, scratch / name)
    monkeypatch.setattr(program, "ROOT", scratch)
    assert program.main(["rules"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("t/documents/requirements: ")
    assert "schema/evt1.schema.json" in error


def test_blessing_writes_what_check_then_accepts(program, scratch,
                                                 monkeypatch, capsys):
    monkeypatch.setattr(program, "LOCK", scratch / "lock")
    assert program.main(["bless"]) == 0
    first = (scratch / "lock").read_text()
    gone = "z.gone\tMUST\tactive\t0123456789ab\n"
    (scratch / "lock").write_text(first + gone)
    assert program.main(["check"]) == 1
    assert "z.gone: is gone" in capsys.readouterr().out
    assert program.main(["bless"]) == 0
    assert program.main(["check"]) == 0
    text = (scratch / "lock").read_text()
    assert text == first + gone.replace("active", "retired")


def test_blessing_refuses_a_retired_id_that_came_back(program, scratch,
                                                      monkeypatch, capsys):
    monkeypatch.setattr(program, "LOCK", scratch / "lock")
    text = "thread.main\tMUST\tretired\t0123456789ab\n"
    (scratch / "lock").write_text(text)
    assert program.main(["bless"]) == 1
    assert "thread.main: is retired" in capsys.readouterr().out
    assert (scratch / "lock").read_text() == text
