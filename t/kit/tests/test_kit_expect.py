"""--require, --record and --expect: nothing is lost without a word."""

import re
import subprocess
import sys

import pytest

from kit import expect
from kit.kit import FAIL, KNOWN, PASS, SKIP, UNIMPLEMENTED, Result

# A driver with one verb, which returns its code and writes no event.
SCRIPT = """#!/bin/sh
test $# != 1 || { echo "	t trace2 %s" >&2; exit 129; }
printf '{"event":"exit","code":3}\\n' >>"$GIT_TRACE2_EVENT"
exit 3
"""
ONLY = ("--only", "exit: it shows the code")


@pytest.fixture
def judge(root, scratch):
    """judge(verb, option...): the kit's verdict on the driver."""

    def call(verb, *options):
        path = scratch / "driver"
        path.write_text(SCRIPT % verb)
        path.chmod(0o755)
        return subprocess.run(
            [sys.executable, root / "t/conformance", "--driver", path,
             *ONLY, *options],
            cwd=scratch, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    return call


# --require


@pytest.mark.parametrize(
    ("verdicts", "fails"),
    [([UNIMPLEMENTED], True), ([SKIP], True), ([UNIMPLEMENTED, SKIP], True),
     ([PASS], False), ([UNIMPLEMENTED, PASS], False),
     ([KNOWN, UNIMPLEMENTED], False), ([FAIL, UNIMPLEMENTED], False)])
def test_requirement_that_nothing_showed_is_lacking(verdicts, fails):
    results = [Result(f"s{n}", "a.one", v, note="why")
               for n, v in enumerate(verdicts)]
    found = list(expect.lacking(["a.*"], results))
    assert [(r.id, r.scenario, r.verdict) for r in found] == [
        ("a.one", "s0", FAIL)] * fails
    assert not list(expect.lacking(["b.*"], results))


def test_required_verb_that_is_missing_fails(judge):
    assert judge("400ancestry").returncode == 0
    done = judge("400ancestry", "--require", "event.exit.code")
    assert (done.returncode, done.stderr) == (1, "")
    text = done.stdout.partition("\nnot ok")[2]
    assert "FAIL event.exit.code" in text
    assert "actual:   UNIMPLEMENTED: 001return" in text
    assert judge("001return", "--require", "event.exit.code").returncode == 1
    fine = judge("001return", "--only", "event.exit.code", "--require",
                 "event.exit.code")
    assert "(--require)" not in fine.stdout


def test_required_requirement_must_exist(judge):
    done = judge("001return", "--require", "event.exit.kode")
    assert done.returncode == 2
    assert "--require event.exit.kode: no requirement" in done.stderr


# --record and --expect


def test_verdicts_that_are_recorded_are_expected(judge, scratch):
    judge("001return", "--record", scratch / "was")
    text = (scratch / "was").read_text()
    assert "event.exit.code\tPASS\n" in text
    assert "event.exit.t_abs\tFAIL\n" in text
    same = judge("001return", "--expect", scratch / "was")
    assert "(--expect)" not in same.stdout
    lost = judge("400ancestry", "--expect", scratch / "was")
    assert lost.returncode == 1
    assert "expected: PASS (--expect)\n# actual:   UNIMPLEMENTED" in lost.stdout


def test_verdict_that_became_better_is_no_longer_the_expected_one(
        judge, scratch):
    (scratch / "was").write_text(
        "# a comment\n\nevent.exit.code\tFAIL\nevent.exit\tPASS\n")
    done = judge("001return", "--expect", scratch / "was",
                 "--only", "event.exit")
    assert "expected: FAIL (--expect)\n# actual:   PASS" in done.stdout
    assert "expected: no line for it (--expect)" in done.stdout


def test_failure_that_is_expected_is_none(judge, scratch):
    assert judge("001return", "--record", scratch / "was").returncode == 1
    assert judge("001return", "--expect", scratch / "was").returncode == 0
    for one in ("event.exit.t_abs", "event.exit.code"):
        text = (scratch / "was").read_text()
        (scratch / "now").write_text(re.sub(rf"({one}\t).*", r"\1KNOWN", text))
        assert judge("001return", "--expect", scratch / "now").returncode == 1


def test_lack_of_what_is_required_is_never_excused(judge, scratch):
    assert judge("400ancestry", "--record", scratch / "was").returncode == 0
    done = judge("400ancestry", "--expect", scratch / "was",
                 "--require", "event.exit.code")
    assert done.returncode == 1


@pytest.mark.parametrize("pair", [(PASS, SKIP), (SKIP, PASS), (SKIP, FAIL)])
def test_what_a_machine_skips_is_no_difference(pair):
    before, now = pair
    assert not list(expect.different({"a.one": before}, {"a.one": now}, {}))
    assert not expect.excused({"a.one": before}, {"a.one": now})


def test_requirement_that_no_scenario_checks_is_missed():
    found = list(expect.different({"a.one": PASS}, {"a.two": PASS},
                                  {"a.two": "s"}))
    assert [(r.scenario, r.id, r.expected, r.actual) for r in found] == [
        ("", "a.one", "PASS (--expect)", "no scenario checks it"),
        ("s", "a.two", "no line for it (--expect)", "PASS")]


@pytest.mark.parametrize(
    ("text", "words"),
    [("event.exit", "was:1: expected a requirement, a tab and one of PASS"),
     ("event.exit\tGOOD", "found 'event.exit\\tGOOD'"),
     ("event.exit\tPASS\nevent.exit\tPASS", "was:2: event.exit occurs twice"),
     ("event.kode\tPASS", "SPEC.md has no requirement event.kode"),
     (None, "No such file")])
def test_file_of_expected_verdicts_that_is_wrong_is_refused(
        judge, scratch, text, words):
    if text is not None:
        (scratch / "was").write_text(text)
    done = judge("001return", "--expect", scratch / "was")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr and "Traceback" not in done.stderr
