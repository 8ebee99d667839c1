"""No call of the host that fails is felt by the host, in any case."""

import host_faults
import pytest


@pytest.mark.parametrize("name", host_faults.CASES)
def test_no_failing_call_is_felt(name, scratch, test_tool):
    done = host_faults.sweep(host_faults.CASES[name], scratch, test_tool)
    assert done.returncode == 0, done.stdout
