"""Declared deviations: what they excuse, and when they are out of date."""

import pytest

from kit import known
from kit.kit import ERROR, FAIL, KNOWN, PASS, SKIP, UNIMPLEMENTED, Result

DECLARED = [("a.one", "first *", "it never did"), ("a.two", "*", "nor that")]


def applied(*results):
    made = known.apply(DECLARED, [Result(*one) for one in results])
    return [(r.scenario, r.id, r.verdict) for r in made]


def test_a_declared_deviation_that_fails_is_known():
    made = known.apply(DECLARED, [Result("first x", "a.one", FAIL, "1", "2")])
    (result,) = made
    assert (result.verdict, result.note) == (KNOWN, "it never did")
    assert (result.expected, result.actual) == ("1", "2")


@pytest.mark.parametrize("verdict", [ERROR, SKIP, UNIMPLEMENTED])
def test_a_declaration_excuses_failures_only(verdict):
    assert applied(("first x", "a.one", verdict)) == [
        ("first x", "a.one", verdict)
    ]


@pytest.mark.parametrize(
    "one", [("second x", "a.one", FAIL), ("first x", "a.three", FAIL)]
)
def test_what_is_not_declared_still_fails(one):
    assert applied(one) == [one]


def test_a_declared_deviation_that_passes_is_an_error():
    assert applied(("first x", "a.one", PASS)) == [
        ("first x", "a.one", PASS),
        ("first *", "a.one", ERROR),
    ]


def test_a_glob_stands_as_long_as_one_scenario_fails():
    results = [("first x", "a.one", PASS), ("first y", "a.one", FAIL)]
    assert [v for _, _, v in applied(*results)] == [PASS, KNOWN]


def test_a_declaration_that_was_not_put_to_the_test_stands():
    one = ("other", "a.three", PASS)
    assert applied(one) == [one]


@pytest.fixture
def declare(scratch, monkeypatch):
    monkeypatch.setattr(known, "FOLDER", scratch)
    return (scratch / "x.tsv").write_text


def test_declarations_are_read(declare):
    declare("# requirement\tscenario\twhy\n\na.one\tfirst *\tit never did\n"
            "a.two\t*\tnor that\n")
    assert known.read("x") == DECLARED


@pytest.mark.parametrize("line", ["a.one", "a.one\t*", "a\t*\twhy\tmore"])
def test_a_declaration_of_the_wrong_form_is_refused(declare, line):
    declare(f"# head\n{line}\n")
    with pytest.raises(ValueError, match="x.tsv:2"):
        known.read("x")
