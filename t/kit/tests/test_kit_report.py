"""What the kit reports: TAP, JUnit XML, JSON and HTML of one result."""

import json
import os
import re
import subprocess
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import spec as reader
from kit import report, show
from kit.kit import (
    ERROR, FAIL, KNOWN, PASS, SKIP, UNIMPLEMENTED, VERDICTS, Result,
)

SPEC = reader.Spec("""
- **`a.one`** MUST [min, full] {document}: One `thing` is <so>.
- **`a.two`** SHOULD NOT [full] {document}: Two is not so.
- **`b.three`** MAY [full] {document}: Three is so.
""")
STRANGE = "<blink>&\"'\x00\x1b[1m\n# é \udcff"
COMMANDS = (("test-tool trace2 001return 0", "exit 0"),)
ONE_OF_EACH = [
    Result("first", "a.one", PASS),
    Result("first", "a.two", SKIP, note="no socket"),
    Result("second", "a.one", FAIL, show.value(STRANGE), show.value("x"),
           commands=COMMANDS),
    Result("third", "a.two", ERROR, note="broke"),
    Result("fourth", "b.three", KNOWN, "1", "2", note="it never did"),
    Result("it's # a name", "a.two", UNIMPLEMENTED, note="001x"),
]


def made(*results):
    return report.Report("./a driver", results, SPEC)


@pytest.fixture
def whole():
    return made(*ONE_OF_EACH)


def test_the_worst_verdict_on_a_requirement_counts(whole):
    assert whole.by_requirement() == {
        "a.one": FAIL,
        "a.two": ERROR,
        "b.three": KNOWN,
    }


@pytest.mark.parametrize("verdict", VERDICTS)
def test_only_failures_and_errors_are_not_ok(verdict):
    alone = made(Result("s", "a.one", verdict))
    assert alone.ok() == (verdict not in (FAIL, ERROR))


def test_tally_counts_must_and_should_by_class_and_chapter(whole):
    rows = {name: {level: dict(c) for level, c in counts.items()}
            for name, counts in whole.tally()}
    assert rows["class min"] == {"MUST": {FAIL: 1}, "SHOULD": {}}
    assert rows["class full"] == {"MUST": {FAIL: 1}, "SHOULD": {ERROR: 1}}
    assert rows["a"] == rows["class full"]
    assert rows["b"] == {"MUST": {}, "SHOULD": {}}


# TAP


def parsed_tap(text):
    """(plan, [(good, name, directive)]), as a TAP reader sees it."""
    plan, tests = None, []
    for line in text.splitlines():
        match = re.fullmatch(r"1\.\.(\d+)", line)
        if match:
            plan = int(match[1])
        elif line[:1] != "#":
            match = re.fullmatch(
                r"(not )?ok (\d+) - ((?:\\.|[^#\\])*?)(?: # (\w+).*)?", line)
            assert match, line
            assert int(match[2]) == len(tests) + 1
            tests.append((not match[1], match[3], match[4]))
    return plan, tests


def test_tap_holds_every_result(whole):
    plan, tests = parsed_tap(whole.tap())
    assert plan == 6
    assert tests == [
        (True, "first: a.one", None),
        (True, "first: a.two", "SKIP"),
        (False, "second: a.one", None),
        (False, "third: a.two", None),
        (False, "fourth: b.three", "TODO"),
        (True, r"it's \# a name: a.two", "SKIP"),
    ]


def test_failure_shows_sentence_values_command_and_rerun(whole):
    text = whole.tap().partition("not ok 3")[2].partition("not ok 4")[0]
    assert "FAIL a.one MUST: One `thing` is <so>." in text
    assert "x00" in text and "'x'" in text
    assert COMMANDS[0][0] in text and COMMANDS[0][1] in text
    assert "t/conformance --driver './a driver' --only second\n" in text


# JUnit, JSON and HTML


def test_junit_is_xml_with_every_result(whole):
    suite = ElementTree.fromstring(whole.junit())
    assert suite.tag == "testsuite"
    counted = {k: suite.get(k) for k in ("tests", "failures", "errors",
                                         "skipped")}
    assert counted == {"tests": "6", "failures": "1", "errors": "1",
                       "skipped": "3"}
    found = [(c.get("name"), c.get("classname"), [e.tag for e in c])
             for c in suite]
    assert found[0] == ("first", "a.one", [])
    assert [tags for _, _, tags in found[1:]] == [
        ["skipped"], ["failure"], ["error"], ["skipped"], ["skipped"]]
    assert "it never did" in suite[4][0].get("message")
    assert "a.one MUST" in suite[2][0].text


def test_json_is_the_whole_result(whole):
    found = json.loads(whole.json())
    assert [(r["scenario"], r["id"], r["verdict"]) for r in found["results"]
            ] == [(r.scenario, r.id, r.verdict) for r in ONE_OF_EACH]
    assert found["results"][2]["actual"] == "'x'"
    assert found["requirements"]["a.one"]["verdict"] == FAIL
    assert found["requirements"]["a.two"]["level"] == "SHOULD NOT"


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.verdicts = [], "", {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        if attributes.get("class") == "req":
            self.verdicts[attributes["id"]] = attributes["data-verdict"]

    def handle_data(self, data):
        self.words += data


def test_html_shows_every_requirement_and_failure(whole):
    page = Page(whole.html())
    assert page.verdicts == whole.by_requirement()
    assert "blink" not in page.tags and "<blink>" in page.words
    assert "One thing is <so>." in page.words
    assert "it never did" in page.words and "broke" in page.words
    assert "./a driver" in page.words


def test_html_needs_nothing_from_elsewhere_either(whole):
    text = whole.html()
    for word in ("http:", "https:", "src=", "@import", "url("):
        assert word not in text, word


def test_result_without_failures_says_so():
    fine = made(Result("first", "a.one", PASS))
    assert fine.ok() and "not ok" not in fine.tap()
    assert "Nothing fails." in fine.html()
    assert ElementTree.fromstring(fine.junit()).get("failures") == "0"


@pytest.mark.parametrize("form", ["tap", "junit", "json", "html"])
def test_every_form_can_be_written_whatever_the_driver_wrote(form, whole):
    assert getattr(whole, form)().encode("utf-8")


# Values


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        ("", "''"),
        (b"a ", "b'a '"),
        ("a\nb ", "'a\\n'\n'b '"),
        ([], "[]"),
        (["x" * 80], "[\n  '" + "x" * 80 + "'\n]"),
        ({"k": "x" * 80}, "{\n  'k': '" + "x" * 80 + "'\n}"),
        ("\udcff\x1b", "'\\udcff\\x1b'"),
    ],
)
def test_values_are_shown_without_loss(value, text):
    assert show.value(value) == text


def test_short_values_are_shown_side_by_side():
    assert list(show.comparison("1", "2")) == ["expected: 1", "actual:   2"]


def test_long_values_are_shown_as_a_difference():
    left, right = (show.value([*range(30), last]) for last in (40, 41))
    lines = list(show.comparison(left, right))
    assert "  -   40" in lines and "  +   41" in lines


def test_long_line_is_cut_where_it_differs():
    left = "x" * 5000 + "A" + "y" * 4000
    right = left.replace("A", "B")
    lines = list(show.comparison(show.value(left), show.value(right)))
    assert max(map(len, lines)) < 400
    text = "\n".join(lines)
    assert "xAy" in text and "xBy" in text
    assert "characters) …" in text and "characters more)" in text


def test_long_line_that_stands_alone_is_cut():
    lines = list(show.comparison("a short line", "y" * 9000))
    assert max(map(len, lines)) < 400 and "(8700 characters more)" in lines[1]


@pytest.mark.parametrize("form", ["tap", "junit", "json", "html"])
def test_form_is_complete_whatever_stands_in_a_result(form):
    raw = Result("s", "a.one", FAIL, STRANGE, STRANGE, note=STRANGE,
                 commands=((show.command([STRANGE.replace("\0", "")], {}),
                            "exit 0"),))
    text = getattr(report.Report("./\udcff driver", [raw], SPEC), form)()
    assert text.encode("utf-8") and "blink" in text
    if form == "junit":
        assert "blink" in ElementTree.fromstring(text)[0][0].text


WORDS = ["plain", "it's", "a 'b' \"c\" $d `e` \\ !", "{}", "x{}/y z", "",
         "one\ntwo\n", b"\xff\xc3(", "tab\t\x1b[31m\x7f", "é 🎉", "x" * 5000,
         "a'" + "'" * 200 + "\n" * 150 + "b", "-", "~", "a=b", "*"]


def test_command_is_one_that_a_shell_runs(scratch):
    """Each word comes out as it went in."""
    look = "for w; do printf '%s\\0' \"$w\"; done; printf %s \"$V$N\""
    line = show.command(["sh", "-c", look, "sh", *WORDS],
                        {"V": "{}/v w", "N": None}, cwd="d e",
                        files={"d e/f": b"a\xff{}\n"}, setup="cp 'd e/f' g")
    assert "\n" not in line and len(line) < 1500
    done = subprocess.run(["bash", "-c", line], cwd=scratch, check=True,
                          stdout=subprocess.PIPE, env={**os.environ, "N": "n"})
    here = os.fsencode(scratch)
    words = [w if isinstance(w, bytes) else w.encode() for w in WORDS]
    assert done.stdout.split(b"\0") == [
        *(w.replace(b"{}", here) for w in words), here + b"/v w"]
    assert (scratch / "g").read_bytes() == b"a\xff" + here + b"\n"
