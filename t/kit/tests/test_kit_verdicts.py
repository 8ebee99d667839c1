"""The kit's verdicts, and the faults that it judges recorded runs with."""

import re

import pytest

from kit import faults, kit, run
from kit.kit import ERROR, FAIL, PASS, SKIP, UNIMPLEMENTED

IDS = ("a.one", "a.two")


def case(function, ids=IDS, verbs=()):
    return kit.Scenario("a scenario", ids, verbs, function)


class Driver:
    """One that always writes the same."""

    verbs = frozenset({"001x"})

    def __init__(self):
        self.asked = []

    def run(self, argv, env, **options):
        self.asked.append((argv, env, options))
        log = b'{"event":"exit","code":1}\n'
        return run.Run(argv, 0, b"out\n", b"", {"event": log}, [])


def verdicts(function, **options):
    results, _ = kit.conduct(case(function, **options), Driver())
    return {r.id: r.verdict for r in results}


# Checks

CHECKS = [
    (lambda k, i: k.check(i, True), lambda k, i: k.check(i, None)),
    (lambda k, i: k.equal(i, [1], [1]), lambda k, i: k.equal(i, [1], [2])),
    (lambda k, i: k.contains(i, b"ab", b"b"),
     lambda k, i: k.contains(i, b"ab", b"c")),
    (lambda k, i: k.lacks(i, b"ab", b"c"),
     lambda k, i: k.lacks(i, b"ab", b"b")),
    (lambda k, i: k.matches(i, re.compile("a+"), "aa"),
     lambda k, i: k.matches(i, re.compile("a+"), "aab")),
]  # fmt: skip


@pytest.mark.parametrize(("good", "bad"), CHECKS)
def test_each_check_passes_what_holds_and_fails_the_rest(good, bad):
    def both(k):
        good(k, "a.one")
        bad(k, "a.two")

    assert verdicts(both) == {"a.one": PASS, "a.two": FAIL}


def test_one_failure_outweighs_what_passed_before_and_after():
    def mixed(k):
        for good in (True, False, True):
            k.check("a.one", good)
        k.check("a.two", True)

    assert verdicts(mixed) == {"a.one": FAIL, "a.two": PASS}


def test_the_first_failure_is_shown():
    def twice(k):
        k.equal("a.one", 1, 2)
        k.equal("a.one", 3, 4)

    (result,), _ = kit.conduct(case(twice, ids=("a.one",)), Driver())
    assert (result.expected, result.actual) == ("2", "1")


# Verdicts on a whole scenario


def test_what_is_never_checked_has_failed():
    assert verdicts(lambda k: k.check("a.one", True)) == {
        "a.one": PASS,
        "a.two": FAIL,
    }


def test_a_check_of_what_is_not_declared_is_an_error():
    assert set(verdicts(lambda k: k.check("a.three", True)).values()) == {ERROR}


def test_a_scenario_can_be_skipped_with_a_reason():
    def skipped(k):
        raise kit.Skip("no socket here")

    results, _ = kit.conduct(case(skipped), Driver())
    assert {r.verdict for r in results} == {SKIP}
    assert results[0].note == "no socket here"


def test_a_verb_that_is_missing_makes_a_scenario_unimplemented():
    driver = Driver()
    wanted = case(lambda k: k.run("002x"), verbs=("001x", "002x"))
    results, runs = kit.conduct(wanted, driver)
    assert {r.verdict for r in results} == {UNIMPLEMENTED}
    assert results[0].note == "002x"
    assert (runs, driver.asked) == ([], [])


@pytest.mark.parametrize(
    "look",
    [
        lambda k: k.run("001x").event("start"),
        lambda k: k.run("001x").event("exit")["no such key"],
        lambda k: k.run("001x").lines("normal")[0],
        lambda k: k.run("001x").event("exit")["code"]["deep"],
        lambda k: k.run("001x").event("exit")["code"].upper(),
    ],
)
def test_what_can_not_be_looked_up_has_failed(look):
    def scenario(k):
        k.check("a.one", True)
        look(k)
        k.check("a.two", True)

    assert verdicts(scenario) == {"a.one": PASS, "a.two": FAIL}


def test_an_engine_that_breaks_is_an_error_on_everything():
    def broken(k):
        k.check("a.one", True)
        raise OSError("disk full")

    results, _ = kit.conduct(case(broken), Driver())
    assert {r.verdict for r in results} == {ERROR}
    assert "disk full" in results[0].note


# Scenarios and their runs


@pytest.fixture
def registered(monkeypatch):
    found = {}
    monkeypatch.setattr(kit, "SCENARIOS", found)
    return found


def test_scenarios_are_registered_once(registered):
    register = kit.scenario("one", ids=["a.one"], verbs=["001x"])
    register(print)
    assert registered == {
        "one": kit.Scenario("one", ("a.one",), ("001x",), print)
    }
    with pytest.raises(ValueError, match="two scenarios 'one'"):
        register(repr)


def test_targets_write_files_of_their_names_unless_told_otherwise():
    def scenario(k):
        k.run("001x", "7", env={"GIT_TRACE2": "1"}, targets=["event"], cwd="d")

    driver = Driver()
    kit.conduct(case(scenario), driver)
    assert driver.asked == [
        (
            ["test-tool", "trace2", "001x", "7"],
            {"GIT_TRACE2_EVENT": "{}/event", "GIT_TRACE2": "1"},
            {"cwd": "d"},
        )
    ]


def test_recorded_runs_are_judged_again_with_an_edit_in_them():
    def scenario(k):
        codes = [k.run("001x").event("exit")["code"] for _ in range(2)]
        k.equal("a.one", codes, [1, 1])

    one = case(scenario, ids=("a.one",))
    results, recorded = kit.conduct(one, Driver())
    assert len(recorded) == 2 and results[0].verdict == PASS
    edit = faults.editor(event=(b'"code":1', b'"code":2'))
    for edited, verdict in ((edit, FAIL), (lambda run: run, PASS)):
        results, _ = kit.judge(one, kit.Replay(recorded, edited))
        assert results[0].verdict == verdict


# Faults


@pytest.fixture
def broken():
    """broken(**parts): a run with that edit in it."""

    def call(**parts):
        files = {"event": b"one\ntwo\nend", "d/f": b"x"}
        whole = run.Run(["x"], 0, b"out\n", b"err\n", files, [])
        return faults.editor(**parts)(whole)

    return call


@pytest.mark.parametrize(
    ("pair", "text"),
    [
        ((rb"o", b"0"), b"0ne\ntw0\nend"),
        ((rb"^(t)w", rb"\1"), b"one\nto\nend"),
        ((rb"e$", b"E"), b"onE\ntwo\nend"),
        ((rb"n", None), b"two\n"),
        ((rb"two\n", b""), b"one\nend"),
        ((rb"three", b"x"), b"one\ntwo\nend"),
    ],
)
def test_a_fault_edits_each_line_of_a_log(broken, pair, text):
    assert broken(event=pair).files == {"event": text, "d/f": b"x"}


def test_a_fault_edits_both_outputs(broken):
    run = broken(stdout=(b"out", b"in"), stderr=(b"err", None))
    assert (run.stdout, run.stderr) == (b"in\n", b"")


def test_a_fault_changes_exit_code_and_files(broken):
    run = broken(exit=3, files={"event": None, "new": b"n", "none": None})
    assert (run.exit, run.files) == (3, {"d/f": b"x", "new": b"n"})


def test_a_fault_leaves_alone_what_it_does_not_name(broken):
    run = broken(perf=(b"o", b"0"))
    assert (run.exit, run.stdout, run.stderr) == (0, b"out\n", b"err\n")
    assert run.files == {"event": b"one\ntwo\nend", "d/f": b"x"}


def test_a_fault_is_kept_with_its_edit(monkeypatch):
    monkeypatch.setattr(faults, "FAULTS", [])
    faults.fault("a.one", "a scenario", edit=len)
    faults.fault("a.two", "a scenario", exit=1)
    first, second = faults.FAULTS
    assert (first.name, first.edit) == ("a.one in a scenario", len)
    run_of = run.Run(["x"], 0, b"", b"", {}, [])
    assert second.edit(run_of).exit == 1
