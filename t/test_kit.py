"""The conformance kit finds nothing in what is ours, and every fault in it.

A scenario runs once; its recorded runs are then judged again with each
fault of that scenario in them. See t/kit/faults.py. What is ours is
test-tool, and `trace2 validate` as a consumer.
"""

import pytest

from kit import faults, kit, run

PROGRAMS = {"scenarios": "test-tool", "consumer": "trace2"}
CASES = {
    name: (package, case)
    for package in PROGRAMS
    for name, case in kit.load(package).items()
}
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


def failed(results):
    return {r.id for r in results if r.verdict in (kit.FAIL, kit.ERROR)}


def wrong(results):
    return [r for r in results if r.verdict not in (kit.PASS, kit.SKIP)]


@pytest.mark.parametrize("name", CASES)
def test_our_program_passes_and_each_fault_is_caught(name, programs):
    package, case = CASES[name]
    results, recorded = kit.conduct(case, programs[package])
    assert wrong(results) == []
    if all(r.verdict == kit.SKIP for r in results):
        pytest.skip(results[0].note)
    for one in (f for f in FAULTS if f.scenario == name):
        replay = kit.Replay(recorded, one.edit)
        found = failed(kit.judge(case, replay)[0])
        assert one.id in found, f"{one.name} is not caught"
        others = {i for i in found if chapter(i) != chapter(one.id)}
        assert others == set(), f"{one.name} is blamed on others"


def test_faults_name_scenarios_and_what_they_check():
    for one in FAULTS:
        assert one.id in CASES[one.scenario][1].ids, one.name
