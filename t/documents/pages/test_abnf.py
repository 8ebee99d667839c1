"""The reader of ABNF that the grammars of SPEC.md go through."""

import pytest

from abnf import Grammar

RULES = [
    'line = [ "<" ] 1*2word *( SP word ) ; a remark',
    "       LF",
    'word = plain / "\\" %x61-63 / %x64.65',
    'plain = 2DIGIT / ";" / "(a"',
]


GOOD = ["12\n", "<12;\n", "\\a de\n", "12 12 12\n", "(a\n"]
BAD = ["12", "\n", "12;12\n", "1\n", "\\d\n", "12  12\n", "DE\n", "<<12\n"]


@pytest.mark.parametrize("text", GOOD)
def test_text_that_follows_a_rule_matches(text):
    assert Grammar().add(RULES).match("line", text)


@pytest.mark.parametrize("text", BAD)
def test_text_that_does_not_follow_a_rule_differs(text):
    assert not Grammar().add(RULES).match("line", text)


def test_rules_are_listed():
    assert Grammar().add(RULES).rules() == ["line", "word", "plain"]


@pytest.mark.parametrize(
    "rules",
    [
        ["a = b", 'b = "x" a'],
        ['a = "x" )'],
        ["a = ? b"],
        ['a = ( "x" ]'],
        ['a = [ "x"'],
    ],
)
def test_a_rule_that_says_nothing_regular_is_refused(rules):
    with pytest.raises(ValueError):
        Grammar().add(rules).pattern("a")


def test_a_second_rule_of_a_name_is_refused():
    with pytest.raises(ValueError, match="two rules a"):
        Grammar().add(['a = "x"', 'a = "y"'])


def test_a_name_without_a_rule_is_refused():
    with pytest.raises(KeyError):
        Grammar().add(["a = b"]).pattern("a")
