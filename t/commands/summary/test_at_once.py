"""States tell what ran at once: the sum has the contention of one run."""

import gzip
import json
import random
import subprocess
from pathlib import Path

import pytest

AT_ONCE = Path(__file__).parents[2] / (
    "stories/agents-that-run-40-git-add-at-once/log.event.gz")



@pytest.fixture
def call(trace2):
    return lambda *words: subprocess.run(
        [trace2, "summary", *words], capture_output=True, check=True)


@pytest.mark.parametrize("seed", range(3))
def test_what_ran_at_once_is_the_same_after_a_merge(call, scratch, seed):
    """Each state has some of the commands of one repository."""
    choose, parts = random.Random(seed), [[] for _ in range(6)]
    for line in gzip.decompress(AT_ONCE.read_bytes()).splitlines(True):
        sid = json.loads(line)["sid"].split("/")[0]
        parts[random.Random(sid + str(seed)).randrange(6)].append(line)
    states = []
    for number, part in enumerate(filter(None, parts)):
        log = scratch / f"{number}.event"
        log.write_bytes(b"".join(part))
        states.append(scratch / f"{number}.state")
        states[-1].write_bytes(call("--format", "state", log).stdout)
    choose.shuffle(states)
    group = scratch / "group.state"
    group.write_bytes(
        call("--merge", "--format", "state", *states[:3]).stdout)
    for form in ("json", "text", "state"):
        got = call("--merge", "--format", form, group, *states[3:])
        assert got.stdout == call("--format", form, AT_ONCE).stdout
    (found,) = json.loads(call("--format", "json", AT_ONCE).stdout)[
        "contention"]
    assert found["peak"] > 2 and found["locks"] and found["repeats"]


def test_a_state_of_the_first_version_has_nothing_that_ran_at_once(
        call, scratch):
    old = scratch / "old.state"
    old.write_bytes(b"".join(
        line.replace(b"summary\t2", b"summary\t1") for line in
        call("--format", "state", AT_ONCE).stdout.splitlines(True)
        if line.split(b"\t")[0] not in (b"commands", b"ran")))
    got = json.loads(call("--merge", "--format", "json", old).stdout)
    assert (got["contention"], got["contention_lacks_states"]) == ([], 1)
    assert b"without the commands of 1 state of an older version" in call(
        "--merge", old).stdout
