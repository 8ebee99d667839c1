"""Drivers with one slip in their source: the kit finds each of them.

The example driver runs with the slip, and what the kit says of it is
compared with what it says of the driver as it is.
"""

import pytest

from kit import kit, run, slips

CASES = kit.load()


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


@pytest.fixture(scope="module")
def source(root):
    return (root / "t/example-driver.py").read_text()


def test_there_are_sixty_slips_and_each_has_a_name():
    names = [one.name for one in slips.SLIPS]
    assert len(names) == len(set(names)) >= 60


def test_slip_that_has_nothing_to_change_is_refused(source):
    with pytest.raises(ValueError, match="is there 0 times"):
        slips.Slip("x", "a.one", (("no such text", ""),)).applied(source)


@pytest.mark.long("runs the kit with each slip")
@pytest.mark.parametrize("one", slips.SLIPS, ids=lambda one: one.name)
def test_slip_is_found_under_its_requirement(one, root, source, scratch):
    path = scratch / "driver.py"
    path.write_text(one.applied(source))
    path.chmod(0o755)
    before = failing(root / "t/example-driver.py", one.id)
    assert failing(path, one.id) > before
