"""The conformance kit finds nothing in what is ours, and every fault in it.

A scenario runs once; its recorded runs are then judged again, with each
fault of that scenario in them (t/kit/faults.py), and as each of the broken
drivers would have left them (t/kit/drivers.py). What is ours is test-tool,
and `trace2 validate` as a consumer.
"""

from pathlib import Path

import pytest

import spec as reader
from kit import drivers, faults, kit, run
from kit.scenarios import safety

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = {"scenarios": "test-tool", "consumer": "trace2"}
CASES = {
    name: (package, case)
    for package in PROGRAMS
    for name, case in kit.load(package).items()
}
NAMES = [
    pytest.param(name, marks=pytest.mark.plain(
        "a sanitizer finds no leak in a process with privileges"))
    if name == safety.RAISED else name for name in CASES
]
WITNESS = kit.load("witness")
FAULTS = [one for one in faults.FAULTS if one.scenario not in WITNESS]


@pytest.fixture(scope="module")
def programs(test_tool, trace2):
    paths = {"test-tool": test_tool, "trace2": trace2}
    return {
        package: run.Driver(paths[name], name)
        for package, name in PROGRAMS.items()
    }


def chapter(name):
    return name.split(".")[0]


def wrong(results):
    return [r for r in results if r.verdict not in (kit.PASS, kit.SKIP)]


def failed(case, runs, edit=lambda one: one):
    """What fails in these runs."""
    results, _ = kit.judge(case, kit.Replay(runs, edit))
    return {r.id for r in results if r.verdict in (kit.FAIL, kit.ERROR)}


CLASSES = {one.id: one.classes for one in reader.read(ROOT).statements}


def check_blame(broken, found):
    """What fails belongs to the chapter of what is broken. An accident of
    git, which binds no other emitter, breaks nothing that does."""
    others = {i for i in found if chapter(i) != chapter(broken.id)}
    assert others == set(), f"{broken.name} is blamed on others"
    if CLASSES[broken.id] == ("git",):
        bound = {i for i in found if "full" in CLASSES[i]}
        assert bound == set(), f"{broken.name} is allowed, and fails"


def check_fault(fault, case, recorded):
    found = failed(case, recorded, fault.edit)
    assert fault.id in found, f"{fault.name} is not caught"
    check_blame(fault, found)


def check_driver(driver, case, recorded):
    runs = driver.runs(recorded)
    found = failed(case, runs) if runs else set()
    if driver.scenario == case.name:
        assert driver.id in found, f"{driver.name}: is not caught"
    check_blame(driver, found)


def conducted(name, programs):
    """The case and its package, and its runs with our program."""
    package, case = CASES[name]
    results, recorded = kit.conduct(case, programs[package])
    assert wrong(results) == []
    if all(r.verdict == kit.SKIP for r in results):
        pytest.skip(results[0].note)
    return package, case, recorded


@pytest.mark.parametrize("name", NAMES)
def test_our_program_passes(name, programs):
    conducted(name, programs)


@pytest.mark.long("judges each scenario with every fault in it")
@pytest.mark.parametrize("name", NAMES)
def test_our_program_passes_and_each_fault_is_caught(name, programs):
    package, case, recorded = conducted(name, programs)
    for one in (f for f in FAULTS if f.scenario == name):
        check_fault(one, case, recorded)
    if package == "scenarios":
        for one in drivers.DRIVERS:
            check_driver(one, case, recorded)


def test_what_is_broken_names_a_scenario_that_checks_it():
    stray = [one.name for one in (*FAULTS, *drivers.DRIVERS)
             if one.id not in CASES[one.scenario][1].ids]
    assert stray == []
