"""Each fault of engine_faults.py is noticed by the program that it names."""

import engine_faults
import pytest


@pytest.mark.parametrize("broken", engine_faults.FAULTS,
                         ids=lambda broken: broken.name)
def test_engine_fault_is_noticed(broken, scratch):
    program = engine_faults.build(broken, scratch)
    verdict = engine_faults.verdict(program, scratch)
    if verdict not in ("noticed", "not noticed"):
        pytest.skip(f"{broken.program}: {verdict}")
    assert verdict == "noticed"
