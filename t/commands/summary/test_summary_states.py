"""States of `trace2 summary` that are damaged, or made with other options."""

import pytest

from summary_kit import life, region, summary, write_log  # noqa: F401


@pytest.fixture
def log(scratch):
    sid = "20261123T100000.000000Z-H1-P00000001"
    return write_log(scratch / "log", *life(sid, *region(sid, 0.1, 0.2, "a")))


def damage(lines, place, line):
    return b"\n".join([*lines[:place], line, *lines[place + 1 :]])


@pytest.mark.parametrize(
    "place, line, message",
    [
        (0, b"nonsense", b"line 1: this is no state"),
        (0, b"trace2-summary\t0\tnothing\t0\t\t0\t0", b"line 1: this is no state"),
        (0, b"trace2-summary\t3\tnothing\t0\t\t0\t0", b"line 1: this is no state"),
        (0, b"trace2-summary\t2\tnothing\t0\t\t0\tx", b"line 1: expected the opt"),
        (0, b"trace2-summary\t1\tmoon\t0\t\t0\t0", b"line 1: expected the opt"),
        (1, b"counts\t1", b"line 2: expected a record of a state"),
        (1, b"counts" + b"\t9" * 9 + b"\t99999999999999999999", b"line 2: exp"),
        (2, b"row\tcommands\tx\t" + b"\t1" * 9 + b"\t3776:1,", b"line 3: exp"),
        (2, b"row\tplanets\tx\t" + b"\t1" * 9 + b"\t", b"line 3: expected"),
        (2, b"row\tcommands\tx\t" + b"\t1" * 9 + b"\t\t1", b"line 3: expected"),
        (2, b"slowest\tx\t1\ty", b"line 3: expected a record"),
        (2, b"link\tcommands\tx\t\ty", b"line 3: expected a record"),
        (2, b"stuck\tregions\tx\ty", b"line 3: expected a record"),
        (2, b"about\t\t\t0\t0", b"line 3: expected a record"),
        (2, b"failure\tx\ty\t1\t1\t1\t1\t1", b"line 3: expected a record"),
        (2, b"commands\t1\t1", b"line 3: expected a record"),
        (2, b"ran\tr\tx\ty\t\t1:2,3", b"line 3: expected a record"),
        (2, b"held\t0\t" + b"z" * 16, b"line 3: expected the processes"),
        (2, b"held\t65\t", b"line 3: expected the processes"),
        (2, b"apart\tx", b"line 3: expected a record"),
        (2, b"end\nmore", b"line 3: expected nothing after the end"),
        (-2, b"", b"expected a record of a state"),
    ],
)
def test_a_damaged_state_is_refused(summary, log, place, line, message):
    lines = summary("--format", "state", log).stdout.split(b"\n")
    done = summary("--merge", "-", input=damage(lines, place, line))
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"trace2 summary: -: " in done.stderr
    assert message in done.stderr


def test_a_state_whose_times_do_not_add_up_is_refused(summary, log):
    """Whoever changed it; a wrong sum must not look like a right one."""
    lines = summary("--format", "state", log).stdout.split(b"\n")
    place = next(i for i, line in enumerate(lines) if line.startswith(b"row\tcom"))
    fields = lines[place].split(b"\t")
    fields[8] = b"%d" % (int(fields[8]) + 1)
    done = summary("--merge", "-", input=damage(lines, place, b"\t".join(fields)))
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"the times of the states do not add up; one of them is" in done.stderr


def test_a_state_that_is_cut_off_is_refused(summary, log):
    state = summary("--format", "state", log).stdout
    done = summary("--merge", "-", input=state[: len(state) // 2])
    assert (done.returncode, done.stdout) == (3, b"")


def test_states_with_other_options_are_refused(summary, log, scratch):
    for name, options in ("a", []), ("b", ["--percentiles"]):
        done = summary("--format", "state", *options, log)
        (scratch / name).write_bytes(done.stdout)
    done = summary("--merge", "a", "b")
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"b: line 1: this state was made with other options" in done.stderr
