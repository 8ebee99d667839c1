"""The fake host: one clock, numbered processes, turns; and faults."""

import json

import pytest

FAKE = {"TEST_TOOL_FAKE_HOST": "1"}


@pytest.fixture
def trace(run, scratch, test_tool, env):
    """trace(*words, env={}): a finished run, and the events that it wrote."""
    (scratch / "test-tool").symlink_to(test_tool)
    path = f"{scratch}:{env['PATH']}"
    log = scratch / "log"

    def call(*words, env={}):
        log.unlink(missing_ok=True)
        names = {"PATH": path, "GIT_TRACE2_EVENT": str(log), **env}
        done = run(*words, env=names)
        lines = log.read_bytes().splitlines() if log.exists() else []
        return done, [json.loads(line) for line in lines]

    return call


def microseconds(event):
    clock = event["time"][11:-1].split(":")
    hour, minute = int(clock[0]), int(clock[1])
    return (hour * 60 + minute) * 60 * 1000000 + round(float(clock[2]) * 1e6)


def is_prime(number):
    return number > 1 and all(number % d for d in range(2, number))


def test_clock_moves_by_another_prime_before_each_call(trace):
    events = trace("500region_nested", "9",
                   env={**FAKE, "GIT_TRACE2_EVENT_NESTING": "99"})[1]
    times = [microseconds(event) for event in events]
    steps = [after - before for before, after in zip(times, times[1:])]
    assert len(steps) > 30
    assert all(is_prime(step) for step in steps)
    assert steps == sorted(set(steps))


def test_clock_stands_still_inside_a_call(trace):
    events = trace("201counter", "1", "2", "3", env=FAKE)[1]
    times = {}
    for event in events:
        times.setdefault(event["event"], []).append(event["time"])
    assert times["th_counter"] == times["thread_exit"]
    assert times["counter"] == times["atexit"] != times["exit"]


def test_two_runs_write_the_same_events(trace):
    words = ("004child", "test-tool", "trace2", "550threads", "3")
    assert trace(*words, env=FAKE)[1] == trace(*words, env=FAKE)[1]


@pytest.mark.parametrize("verb", ["004child", "562fork_exec", "538exec"])
def test_executed_program_goes_on_with_the_clock(trace, verb):
    words = (verb, "test-tool", "trace2", "001return", "0")
    events = trace(*words, env=FAKE)[1]
    times = [microseconds(event) for event in events]
    assert times == sorted(times)
    assert len({event["sid"] for event in events}) == 2


def test_forked_child_goes_on_with_the_clock(trace):
    events = trace("563fork_grandchild", env=FAKE)[1]
    times = [microseconds(event) for event in events]
    assert times == sorted(times)
    sids = {event["sid"].rpartition("-")[2] for event in events}
    assert sids == {"P000003e8", "P000003e9", "P000003ea"}


def test_child_has_the_number_that_its_parent_knows(trace):
    words = ("004child", "test-tool", "trace2", "001return", "0")
    events = trace(*words, env=FAKE)[1]
    pids = [e["pid"] for e in events if e["event"] == "child_exit"]
    deepest = max((e["sid"] for e in events), key=len)
    assert pids == [int(deepest[-8:], 16)] == [1001]


def test_threads_take_turns_in_their_order(trace):
    events = trace("590flood", "50", "3", env=FAKE)[1]
    names = [e["thread"][:4] for e in events if e["event"] == "data"]
    assert names == ["th01", "th02", "th03"] * 50


def test_clock_begins_where_it_is_told_to(trace):
    env = {**FAKE, "TEST_TOOL_FAKE_CLOCK": "0"}
    assert trace("001return", "0", env=env)[1][0]["time"] == (
        "1970-01-01T00:00:00.000005Z"
    )


def test_without_the_fake_host_the_world_is_real(trace):
    words = ("004child", "test-tool", "trace2", "001return", "0")
    first, second = trace(*words)[1], trace(*words)[1]
    assert first[0]["sid"] != second[0]["sid"]
    pids = [e["pid"] for e in first if e["event"] == "child_exit"]
    deepest = max((e["sid"] for e in first), key=len)
    assert pids == [int(deepest[-8:], 16)] != [1001]


def test_fault_makes_just_the_kth_call_fail(trace):
    env = {**FAKE, "TEST_TOOL_FAIL": "process_stat:3:EIO"}
    events = trace("001return", "0", env=env)[1]
    assert events[2]["ancestry"] == ["sh"]


def test_fault_with_a_plus_lasts(trace):
    env = {"TEST_TOOL_FAIL": "process_stat:1+:EIO"}
    names = [e["event"] for e in trace("001return", "0", env=env)[1]]
    assert names == ["version", "start", "cmd_name", "exit", "atexit"]


def test_fault_of_the_host_name_shows_in_the_session(trace):
    env = {"TEST_TOOL_FAIL": "hostname:1:EIO", **FAKE}
    events = trace("001return", "0", env=env)[1]
    assert {e["sid"] for e in events} == {
        "20260102T030405.000005Z-Localhost-P000003e8"
    }


def test_faults_of_several_members_come_together(trace):
    env = {"TEST_TOOL_FAIL": "hostname:1:EIO,write:4:ENOSPC"}
    done, events = trace("001return", "5", env=env)
    assert done.returncode == 5
    assert len(events) == 3
    assert "-Localhost-" in events[0]["sid"]


def test_fault_of_open_is_told_with_its_error(trace, scratch):
    env = {"TEST_TOOL_FAIL": "open:1+:EMFILE", "GIT_TRACE2_DST_DEBUG": "1"}
    done, events = trace("001return", "0", env=env)
    assert (done.returncode, events) == (0, [])
    assert b"Too many open files" in done.stderr


def test_short_write_cuts_what_reaches_the_file(run, scratch):
    log = scratch / "log"
    env = {"TEST_TOOL_FAIL": "write:1:SHORT,write:2+:EIO", **FAKE}
    run("001return", "0", env={"GIT_TRACE2_EVENT": str(log), **env})
    assert log.read_bytes().startswith(b'{"event":"version"')
    assert not log.read_bytes().endswith(b"\n")


@pytest.mark.parametrize(
    "text", ["write", "write:1", "wrote:1:EIO", "write:1:ENOPE", "write:x:"]
)
def test_fault_that_is_not_understood_ends_the_run(run, text):
    done = run("001return", "0", env={"TEST_TOOL_FAIL": text})
    assert done.returncode == 125
    assert done.stderr == b"TEST_TOOL_FAIL: not understood\n"
