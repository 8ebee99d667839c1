"""What `trace2 convert` costs: time that is linear in the size of a log, and
memory for what is open, whatever the shape of the log is."""

import resource
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "t/tools/perf"))
import convert_shapes  # noqa: E402

FEW = 10_000

pytestmark = pytest.mark.plain("measures time and memory")


# Two shapes are in make suite, the others are long.
SHAPES = [
    shape if shape in ("children", "threads") else
    pytest.param(shape, marks=pytest.mark.long("50,000 of a shape"))
    for shape in convert_shapes.SHAPES]


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_input_takes_not_much_more_time(shape, trace2, scratch):
    few, many = (
        convert_shapes.measure(trace2, scratch, shape, count)[0]
        for count in (FEW, 4 * FEW))
    assert many < 12 * max(few, 0.01)  # it was 30 times and more


@pytest.mark.long("100,000 processes")
def test_an_open_process_takes_little_memory(execute, trace2, scratch):
    with open(scratch / "in", "w", encoding="utf-8") as file:
        file.writelines(convert_shapes.sessions(100_000))
    limit = 160 << 20
    result = execute(
        [trace2, "convert", "in", "out.fxt"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                              (limit, limit)))
    assert result.returncode == 0, result.stderr
