"""Calls of the host that fail, each in turn: a few cases of golden/.

`make check-host` sweeps them all.
"""

import host_faults
import pytest


pytestmark = pytest.mark.long("lets each of hundreds of calls fail")


def sweep(name, scratch, test_tool):
    done = host_faults.sweep(host_faults.CASES[name], scratch, test_tool)
    assert done.returncode == 0, done.stdout
    runs = int(done.stdout.split()[0])
    assert runs > 250


def test_failing_calls_are_not_felt(scratch, test_tool):
    sweep("001return", scratch, test_tool)


def test_failing_calls_are_not_felt_by_a_thread(scratch, test_tool):
    """It begins again, without memory for its new name."""
    sweep("553thread_again", scratch, test_tool)


@pytest.mark.plain("a fork finds the sanitizer's locks held by the agent")
def test_failing_calls_are_not_felt_by_a_fork(scratch, test_tool):
    sweep("560fork", scratch, test_tool)


def test_sweep_notices_what_is_felt(scratch, test_tool):
    """What is printed about the trace changes with it."""
    line = "felt\t0\tevent\t\ttest-tool trace2 591dropped 1\tnone"
    case = host_faults.golden.Case(line)
    done = host_faults.sweep(case, scratch, test_tool)
    assert done.returncode == 1
    assert "standard output: 591dropped: TEST_TOOL_FAIL=write:" in done.stdout
