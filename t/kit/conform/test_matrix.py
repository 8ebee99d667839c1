"""`make matrix`: reports of several implementations on one page."""

import json
import re
import stat
import subprocess
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest
import spec
from kit import matrix, matrix_node, matrix_page
from conftest import ROOT

HOSTILE = '<script>alert("1")</script>&\'"\x1b[2J'


def result(name, verdict, scenario="a scenario", **more):
    return {"scenario": scenario, "id": name, "verdict": verdict,
            "expected": None, "actual": None, "note": "", **more}


def entry(name, *results, **more):
    return {"name": name, "version": "1.0", "kind": "driver",
            "report": {"results": list(results)}, **more}


@pytest.fixture(scope="module")
def statements():
    return spec.read(ROOT).statements


@pytest.fixture
def joined(statements):
    return matrix.join([
        entry("good", result("event.exit.code", "PASS"),
              result("json.valid", "PASS")),
        entry("bad", result("json.valid", "PASS"),
              result("json.valid", "FAIL", expected="an object",
                     actual="two\nlines"),
              result("event.exit.code", "UNIMPLEMENTED", note="no verb")),
        {"name": "absent", "version": "2", "kind": "debian",
         "reason": "there is no network"},
    ], statements)


def cells(joined, name):
    return {key: (cell["verdict"], cell["why"]) for key, cell
            in joined["requirements"][name]["cells"].items()}


def test_reports_are_joined_by_requirement(joined):
    assert list(joined["requirements"]) == ["json.valid", "event.exit.code"]
    assert cells(joined, "json.valid") == {
        "1-good-1.0": ("PASS", ""),
        "2-bad-1.0": ("FAIL", "a scenario: expected an object, "
                      "found two lines"),
    }
    assert cells(joined, "event.exit.code")["2-bad-1.0"] == (
        "UNIMPLEMENTED", "a scenario: no verb")
    assert joined["requirements"]["json.valid"]["level"] == "MUST"


def test_an_implementation_that_was_not_run_says_why(joined):
    column = joined["implementations"][2]
    assert (column["state"], column["reason"]) == (
        "not run", "there is no network")
    assert matrix.score(column)[0] == "not run"
    assert "there is no network" in matrix_page.html(joined)


def test_worst_verdict_of_a_requirement_counts(joined):
    counts = joined["implementations"][1]["counts"]
    assert (counts["PASS"], counts["FAIL"], counts["UNIMPLEMENTED"]) == (
        0, 1, 1)
    assert matrix.score(joined["implementations"][0])[0] == "2 hold, 0 fail"
    assert matrix.score(joined["implementations"][1])[0] == (
        "0 hold, 1 fails, 1 not implemented")


def test_a_badge_says_what_is_known_to_differ(statements):
    made = matrix.join([entry("x", result("json.valid", "PASS"), result(
        "event.exit.code", "KNOWN", note="as git"))], statements)
    (column,) = made["implementations"]
    assert matrix.score(column)[0] == "1 holds, 1 known exception, 0 fail"
    assert "1 known exception" in matrix_page.badge(column)
    assert matrix.exceptions(made, column) == [
        ("event.exit.code", "KNOWN", "a scenario: as git")]


def test_the_page_says_when_how_and_what_differs(joined, statements):
    made = matrix.join([
        entry("bad", result("json.valid", "FAIL", note="a reason"),
              command="t/conformance --driver x")], statements,
        {"date": "2026-11-29", "kit": "trace2 1.2", "system": "Debian"})
    page = matrix_page.html(made)
    for words in ("2026-11-29", "trace2 1.2", "t/conformance --driver x",
                  "<h2>Known exceptions and failures</h2>", "a reason"):
        assert words in page
    assert json.loads(json.dumps(made))["about"]["date"] == "2026-11-29"
    assert made["implementations"][0]["command"] == "t/conformance --driver x"
    assert "<details><summary>1 bad" in page
    assert "<summary>1 good" not in matrix_page.html(joined)


def test_results_are_json(joined):
    again = json.loads(json.dumps(joined))
    assert again["implementations"] == joined["implementations"]
    assert list(again["requirements"]) == list(joined["requirements"])


def test_badge_is_a_picture_that_says_the_score(joined):
    for column in joined["implementations"]:
        picture = ElementTree.fromstring(matrix_page.badge(column))
        said = "".join(picture.itertext())
        assert picture.tag.endswith("svg")
        assert matrix.score(column)[0] in said


class Reader(HTMLParser):
    """The tags of a page and its texts."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts, self.titles = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.titles += [v for k, v in attrs if k == "title"]

    def handle_data(self, data):
        self.texts.append(data)


def test_page_of_hostile_names_has_no_markup_of_theirs(statements):
    plain = matrix.join([entry("x", result("json.valid", "FAIL", note="x"))],
                        statements)
    hostile = matrix.join([
        entry(HOSTILE, result("json.valid", "FAIL", HOSTILE, note=HOSTILE)),
    ], statements)
    page = Reader(matrix_page.html(hostile))
    assert page.tags.count("script") == 1
    assert page.tags == Reader(matrix_page.html(plain)).tags
    assert any('alert("1")' in text for text in page.texts)
    assert any('alert("1")' in title for title in page.titles)
    badge = ElementTree.fromstring(
        matrix_page.badge(hostile["implementations"][0]).replace("\x1b", ""))
    assert 'alert("1")' in "".join(badge.itertext())
    assert "/" not in hostile["implementations"][0]["key"]


def test_the_scratch_of_the_kit_is_no_part_of_a_reason():
    assert matrix.one_line("found '/var/tmp/t2-a1_b2c3d/s',\n /x/t2-y") == (
        "found 'SCRATCH/s', /x/t2-y")


def test_findings_of_logs_are_failures_or_known(statements):
    ids = {one.id for one in statements if one.level}
    made = matrix.from_findings([
        {"id": "json.valid", "level": "error", "file": "a/b.event",
         "line": 3, "message": "bad"},
        {"id": "time.utc", "level": "info", "file": "c", "line": 1,
         "message": "old", "known": "deviation.git.x"},
        {"id": "json.valid", "level": "info", "file": "c", "line": 1,
         "message": "a remark"},
        {"id": "no.such", "level": "error", "file": "c", "line": 1,
         "message": "?"},
    ], ids)["results"]
    assert [(r["id"], r["verdict"], r["scenario"]) for r in made] == [
        ("json.valid", "FAIL", "b.event:3"), ("time.utc", "KNOWN", "c:1")]


@pytest.mark.parametrize(("text", "wrong"), [
    ("a\tb\tdriver\n", "list:1: expected four or five columns"),
    ("# x\n\tb\tdriver\tc\t\n", "list:2: expected four or five columns"),
    ("a\tb\tcat\tc\t\n", "list:1: invalid kind 'cat'"),
])  # fmt: skip
def test_broken_list_is_refused(text, wrong):
    with pytest.raises(ValueError, match=re.escape(wrong)):
        matrix.read_list(text, "list")


def test_our_list_names_things_that_exist():
    rows = matrix.read_list((ROOT / "t/kit/matrix.tsv").read_text(), "list")
    assert {row[2] for row in rows} == set(matrix.KINDS)
    for _, _, kind, what, _ in rows:
        if kind == "logs":
            assert list((ROOT / what).glob("*.event"))
        if kind == "driver" and what.startswith("t/"):
            assert (ROOT / what).exists()


def run_matrix(folder, rows, *options):
    (folder / "list").write_text("".join("\t".join(r) + "\n" for r in rows))
    return subprocess.run(
        [ROOT / "t/kit/matrix", "--offline", *options, "--list",
         folder / "list", folder / "page"], capture_output=True, text=True)


def test_page_is_made_of_what_can_be_run(scratch):
    """A driver, logs, and three things that this machine does not have."""
    done = run_matrix(scratch, [
        ("our example", "x", "driver", "t/example-driver.py",
         "--class min --only event.exit.code"),
        ("no program", "x", "driver", "no/such", ""),
        ("no logs", "x", "logs", "t/documents/req", ""),
        ("no git", "-", "debian", "nosuch", ""),
        ("GCM", "all", "logs", "t/corpus/deviating/gcm", ""),
    ])
    assert (done.returncode, done.stderr) == (0, "")
    made = json.loads((scratch / "page/matrix.json").read_text())
    assert [i["state"] for i in made["implementations"]] == [
        "run", "not run", "not run", "not run", "run"]
    assert made["implementations"][0]["counts"]["PASS"] == 1
    assert made["implementations"][4]["counts"]["KNOWN"] > 0
    assert len(list((scratch / "page").glob("*.svg"))) == 5
    page = (scratch / "page/index.html").read_text()
    assert "no/such does not exist" in page
    assert page.rstrip().endswith("</html>")


def test_what_was_run_before_is_kept_only_if_asked(scratch):
    row = ("our example", "x", "driver", "t/example-driver.py",
           "--class min --only event.exit.code")
    assert run_matrix(scratch, [row]).returncode == 0
    kept = scratch / "page/rows/1.json"
    entry = json.loads(kept.read_text())
    entry["entry"]["version"] = "kept"
    kept.write_text(json.dumps(entry))

    def version(*options, rows=(row,)):
        assert run_matrix(scratch, rows, *options).returncode == 0
        made = json.loads((scratch / "page/matrix.json").read_text())
        return made["implementations"][0]["version"]

    assert version("--resume") == "kept"
    assert version("--resume", rows=[(row[0], "y", *row[2:])]) == "y"
    assert version() == "x"


NODE = """#!/bin/sh
test "$1" = --version && echo v99.1.0 && exit
for word; do case $word in *pattern=*) name=${word#*=};; esac; done
printf '%s' '{"traceEvents":[{"ph":"I","name":"x","s":"t"}]}' >"$name"
"""


def test_checks_of_node_fail_where_a_file_is_wrong(scratch, monkeypatch):
    """This node writes one event, whatever it is asked for."""
    node = scratch / "node"
    node.write_text(NODE)
    node.chmod(node.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(matrix_node, "TRIES", 1)
    version, report = matrix_node.judge(node)
    good = {r["id"] for r in report["results"] if r["verdict"] == "PASS"}
    assert version == "99.1.0"
    assert len(report["results"]) == len(matrix_node.CHECKS)
    assert good == {"chrome.scope", "chrome.signal", "chrome.failure.line"}
