"""What an implementation may do as it likes is not held against it.

A scenario runs with our driver; its runs are judged again as they would be
of another runtime.
"""

import re

import pytest

from kit import kit, run

CASES = kit.load()


@pytest.fixture
def judged(test_tool):
    """judged(scenario, edit): the verdicts on edited runs, by id."""

    def call(name, edit):
        driver = run.Driver(test_tool)
        _, runs = kit.judge(CASES[name], driver.run)
        results, _ = kit.judge(CASES[name], kit.Replay(runs, edit))
        return {r.id: r.verdict for r in results}

    return call


def called_by_a_path(one):
    """An interpreter and the path of its program come first."""
    for name in one.files:
        one.files[name] = re.sub(
            rb"(?<![\w/])(?:/\S*/)?test-tool (?=trace2 003error)",
            b"/usr/bin/node /x/driver.js ", one.files[name])
    return one


@pytest.mark.parametrize(
    ("name", "id"),
    [("texts are written whole and as they are", "normal.uncut"),
     ("payloads are written whole and as they are", "perf.widen")])
def test_any_program_may_be_the_first_argument(judged, name, id):
    assert judged(name, called_by_a_path)[id] == kit.PASS


def test_a_runtime_may_handle_signals_of_its_own(judged):
    def edit(one):
        one.stdout = one.stdout[:-6] + b"4003\n"
        return one

    found = judged("without a target no signal is caught", edit)
    assert found == {"signal.only-active": kit.PASS}


def test_a_start_may_be_told_in_ticks_of_a_clock(judged):
    """Linux tells when a process began in steps of 10 ms, cut."""
    def edit(one, late=0.009):
        *_, begin, end = re.findall(rb":(\d\d[.]\d+)", one.stdout)[::2]
        late += (float(end) - float(begin)) % 60
        one.files["event"] = re.sub(rb'("t_abs":)[\d.]+',
                                    b"\\g<1>%.6f" % late, one.files["event"])
        return one

    name = "the times of a process are between two readings of the clock"
    assert judged(name, edit)["time.t_abs"] == kit.PASS
    assert judged(name, lambda one: edit(one, 0.02))["time.t_abs"] == kit.FAIL


def test_a_runtime_may_write_for_itself(judged):
    """Bytes to a pipe of its own, three times more in one of four runs."""
    runs = []

    def edit(one):
        runs.append(one)
        more = 5 + 3 * (len(runs) == 4)
        one.stdout = re.sub(rb"(?<=syscw: )\d+",
                            lambda match: b"%d" % (int(match[0]) + more),
                            one.stdout)
        return one

    found = judged("an event is one write", edit)
    assert found == {"destination.write": kit.PASS} and len(runs) == 4
