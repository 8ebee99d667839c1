"""Drivers with one slip in their source: the kit finds each of them.

An example driver runs with the slip, and what the kit says of it is
compared with what it says of the driver as it is.
"""

import functools
import shutil

import pytest

from kit import kit, run, slips, slips_text

CASES = kit.load()
ALL = (*slips.SLIPS, *slips_text.SLIPS)
DRIVERS = {"t/example-driver.py": "t/example-driver.py"}  # else that below
DRIVER = "t/kit/drivers/driver.py"


def failing(path, name):
    """The scenarios in which a driver fails the requirement."""
    driver = run.Driver(path)
    found = set()
    for case in CASES.values():
        if name not in case.ids:
            continue
        results, _ = kit.conduct(case, driver)
        found |= {case.name for r in results
                  if r.id == name and r.verdict in (kit.FAIL, kit.ERROR)}
    return found


failing_before = functools.lru_cache(maxsize=None)(failing)


@pytest.fixture
def slipped(root, scratch):
    """slipped(slip): a copy of the slip's driver in which it is."""

    def call(one):
        shutil.rmtree(scratch / "t", ignore_errors=True)
        for path in (root / "t/kit/drivers").glob("*.py"):
            copy = scratch / path.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
        shutil.copy(root / "t/kit/contract.tsv", scratch / "t/kit")
        path = scratch / one.source
        path.write_text(one.applied((root / one.source).read_text()))
        path.chmod(0o755)
        return scratch / DRIVERS.get(one.source, DRIVER)

    return call


def test_slips_are_many_and_each_has_a_name():
    names = [one.name for one in ALL]
    assert len(set(names)) == len(names)
    assert len(slips.SLIPS) >= 60 and len(slips_text.SLIPS) >= 60


def test_slip_that_has_nothing_to_change_is_refused():
    with pytest.raises(ValueError, match="is there 0 times"):
        slips.Slip("x", "a.one", (("no such text", ""),)).applied("source")


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_slip_has_its_place_in_the_source(one, root):
    source = (root / one.source).read_text()
    assert one.applied(source) != source


@pytest.mark.long("runs the kit with each slip")
@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_slip_is_found_under_its_requirement(one, root, slipped):
    driver = DRIVERS.get(one.source, DRIVER)
    before = failing_before(root / driver, one.id)
    assert failing(slipped(one), one.id) > before


@pytest.mark.long("runs the kit for each target")
def test_slip_of_each_target_is_found_at_once(root, slipped):
    """One of each, so that the suite itself sees how they are found."""
    for name in ("NORMAL has the name of printf", "PERF has no scope"):
        one, = (one for one in slips_text.SLIPS if one.name == name)
        assert failing(slipped(one), one.id)
