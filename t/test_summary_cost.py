"""What `trace2 summary` costs: time that is linear in the size of a log,
whatever the shape of the log is."""

import json
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "t/perf"))
import summary_shapes  # noqa: E402

FEW = 5_000

pytestmark = pytest.mark.plain("measures time and memory")


@pytest.mark.parametrize("shape", summary_shapes.SHAPES)
def test_four_times_the_input_takes_not_much_more_time_to_sum_up(shape, trace2, scratch):
    few, many = (
        summary_shapes.measure(trace2, scratch, shape, count)[0]
        for count in (FEW, 4 * FEW))
    assert many < 12 * max(few, 0.01)


@pytest.mark.parametrize("shape", [summary_shapes.same_pid_early,
                                   summary_shapes.same_pid_late])
def test_children_with_one_pid_find_their_logs(shape, trace2, scratch, execute):
    """Each takes 10 of the 20 microseconds for which it was waited."""
    (scratch / "log").write_text("".join(shape(200)))
    done = execute([trace2, "summary", "--format", "json", "log"])
    told = json.loads(done.stdout)
    command, = (c for c in told["commands"] if c["name"] == "git x")
    assert (command["count"], command["self_us"]) == (200, 2000)
    assert told["children"][0]["self_us"] == 2000
    assert told["gaps"]["unlogged"] == 0
