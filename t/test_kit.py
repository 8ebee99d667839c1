"""The conformance kit finds nothing in our driver and every fault in it.

A scenario runs once; its recorded runs are then judged again with each
fault of that scenario in them. See t/kit/faults.py.
"""

import pytest

from kit import faults, kit, run

CASES = kit.load()


@pytest.fixture(scope="module")
def driver(test_tool):
    return run.Driver(test_tool)


def chapter(name):
    return name.split(".")[0]


def failed(results):
    return {r.id for r in results if r.verdict in (kit.FAIL, kit.ERROR)}


def wrong(results):
    return [r for r in results if r.verdict not in (kit.PASS, kit.SKIP)]


@pytest.mark.parametrize("name", CASES)
def test_our_driver_passes_and_each_fault_is_caught(name, driver):
    case = CASES[name]
    results, recorded = kit.conduct(case, driver)
    assert wrong(results) == []
    for one in (f for f in faults.FAULTS if f.scenario == name):
        replay = kit.Replay(recorded, one.edit)
        found = failed(kit.judge(case, replay)[0])
        assert one.id in found, f"{one.name} is not caught"
        others = {i for i in found if chapter(i) != chapter(one.id)}
        assert others == set(), f"{one.name} is blamed on others"


def test_faults_name_scenarios_and_what_they_check():
    for one in faults.FAULTS:
        assert one.id in CASES[one.scenario].ids, one.name
