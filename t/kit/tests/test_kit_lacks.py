"""What is said of an output in which a scenario finds nothing it can use."""

import pytest

from kit import kit, lacks, run

EVENT = b'{"event":"version","n":1}\n{"event":"exit"}\ntorn\n'


def found(look, **files):
    """(expected, actual) of a scenario that looks through these files."""

    def runner(argv, **options):
        return run.Run(argv, 0, b"", b"", files, [b"x | y\n"])

    case = kit.Scenario("s", ("a.one",), (),
                        lambda made: look(made.command("x")))
    (result,), _ = kit.judge(case, runner)
    assert result.verdict == kit.FAIL
    return result.expected, result.actual


def two(_):
    one, other = [1, 2, 3]
    return one, other


def few(_):
    one, other = [1]
    return one, other


@pytest.mark.parametrize(
    ("look", "words"),
    [
        (two, "there are more than 2"),
        (few, "expected 2, found 1"),
        (lambda r: [][3], "there are too few"),
        (lambda r: ["a"].index("start"), "there is no 'start'"),
        (lambda r: b"x".index(b"y"), "it is not in the text"),
        (lambda r: {}["sid"], "there is no 'sid'"),
        (lambda r: None.group(1), "there is none"),
        (lambda r: dict().get("sid")[0], "there is none"),
        (lambda r: float("x"), "'x' is not a number"),
        (lambda r: int("1x"), "'1x' is not an integer"),
        (lambda r: 1 / 0, "division by zero (ZeroDivisionError)"),
        (lambda r: r.event("start"), "there is no start event in event"),
        (lambda r: r.event("exit", 1), "there is only 1 exit event in event"),
    ],
)
def test_problem_is_told_in_words_of_the_output(look, words):
    expected, actual = found(look, event=EVENT, log=b"1\n2\n")
    assert expected.startswith("an output in which this can be looked up")
    assert actual.splitlines() == [
        words,
        "  the last run wrote event: version exit None",
        "  the last run wrote log: 2 lines",
        "  the last run wrote received 0: 1 lines",
    ]


def test_scenario_that_fails_is_cited():
    case = kit.load()["a parent's SID and name come from variables that are "
                      "not empty"]
    results, _ = kit.judge(case, lambda argv, **options: run.Run(
        argv, 0, b"", b"", {}, []))
    texts = {r.expected for r in results}
    assert len(texts) == 1
    text, = texts
    assert '`sid = run.event("version")["sid"]`' in text
    assert "(t/kit/scenarios/settings_sources.py)" in text


def test_many_events_are_not_all_named():
    text = lacks.described(b'{"event":"data"}\n' * 50)
    assert text == " ".join(["data"] * 12) + " … 38 more"


def test_scenario_that_trips_after_all_was_checked_has_failed():
    """What it checked before may hold in the first run alone."""

    def look(made):
        made.check("a.one", True)
        made.command("x").event("start")

    case = kit.Scenario("s", ("a.one",), (), look)
    (result,), _ = kit.judge(case, lambda argv, **options: run.Run(
        argv, 0, b"", b"", {"event": EVENT}, []))
    assert (result.verdict, result.actual.splitlines()[0]) == (
        kit.FAIL, "there is no start event in event")
