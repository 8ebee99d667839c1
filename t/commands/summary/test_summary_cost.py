"""What `trace2 summary`, `diff`, `shard` and folded stacks cost: time that is
linear in the size of a log, whatever the shape of the log is."""

import json
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "t/tools/perf"))
import summary_shapes  # noqa: E402

FEW = 5_000

pytestmark = pytest.mark.plain("measures time and memory")


@pytest.mark.long("measures fourteen shapes")
@pytest.mark.parametrize("shape", summary_shapes.SHAPES)
def test_four_times_the_input_takes_not_much_more_time_to_sum_up(shape, trace2, scratch):
    few, many = (
        summary_shapes.measure(trace2, scratch, shape, count)[0]
        for count in (FEW, 4 * FEW))
    assert many < 12 * max(few, 0.01)


def test_children_beside_a_critical_path_cost_linear_time(trace2, scratch):
    shape = summary_shapes.children_after_two_at_once
    few, many = (summary_shapes.measure(trace2, scratch, shape, count)[0]
                 for count in (2 * FEW, 8 * FEW))
    assert many < 8 * max(few, 0.01)


def test_states_of_deep_regions_are_merged_in_linear_time(trace2, scratch, execute):
    costs = []
    for count in (FEW, 4 * FEW):
        lines = [summary_shapes.region("enter", f"l{i}", i) for i in range(count)]
        (scratch / "log").write_text("".join(lines))
        state = execute([trace2, "summary", "--format", "state", "log"]).stdout
        assert state.count(b"\nlink\t") >= 250
        (scratch / "state").write_bytes(state)
        merge = ("summary", "--merge", scratch / "state")
        costs.append(min(summary_shapes.cost(trace2, *merge)[0] for _ in range(3)))
    assert costs[1] < 12 * max(costs[0], 0.01)


@pytest.mark.long("measures many files")
def test_four_times_the_files_take_not_much_more_time_to_divide(trace2, scratch):
    (scratch / "log").write_text("".join(summary_shapes.life("a", 0, 1)))
    few, many = (
        min(summary_shapes.cost(trace2, "shard", "-n", "4096", "-o",
                                scratch / f"{count}.{run}",
                                *[scratch / "log"] * count)[0]
            for run in range(3))
        for count in (FEW // 5, 4 * FEW // 5))
    lists = [path.read_text() for path in (scratch / "4000.0").iterdir()]
    assert sum(text.count("\n") for text in lists) == 4000
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
