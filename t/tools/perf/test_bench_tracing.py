"""The table of `make bench-tracing`: what is missing is a row that says so,
and a system that is there is counted as it is."""

import pytest
import tracing


@pytest.fixture
def build(scratch):
    (scratch / "perf").mkdir()
    return scratch


@pytest.mark.parametrize("system, package", [
    (tracing.Lttng, "lttng-tools"), (tracing.Uftrace, "uftrace"),
    (tracing.Node, "Node 20"), (tracing.Chromium, "make chromium"),
])
def test_a_system_that_is_missing_is_a_row_that_says_so(
    system, package, build, scratch, monkeypatch
):
    monkeypatch.setenv("PATH", str(scratch))
    monkeypatch.setattr(tracing, "ROOT", scratch)
    row = tracing.row_of(system(build))
    assert row[1:7] == ["-"] * 6
    assert row[7].startswith("SKIP: no ") and package in row[7]


def test_a_program_that_cannot_run_is_a_row_that_says_so(build):
    row = tracing.row_of(tracing.Fxt(build))
    assert row[0] == tracing.Fxt.label
    assert row[7].startswith("SKIP: it does not run: ")


class Half(tracing.System):
    """Writes each second of its events, and loses a fourth when killed."""

    name = "half"
    label = "half"
    count = much = 8

    def command(self, how):
        kept = {"cost": 8, "two": 8, "kill": 6}[how]
        more = {"cost": "ns 12.34\nall 50", "two": "rate 2500000", "kill": ""}
        events = 16 if how == "two" else 8
        script = (f"head -c {10 * kept} /dev/zero >out; "
                  f"printf '%s\\nevents {events}\\n' '{more[how]}'")
        return ["sh", "-c", script]

    def count_kept(self):
        return tracing.size_of(self.files()) // 10


def test_a_row_has_costs_sizes_and_losses(build):
    assert tracing.row_of(Half(build)) == [
        "half", "12.3", "50.0", "10.0", "2.50", "50.0 %", "75.0 %", ""]


def test_nothing_of_the_caller_traces_the_programs(build, monkeypatch):
    monkeypatch.setenv("GIT_TRACE2_EVENT", "/nowhere")
    monkeypatch.setenv("TRACE_EVENT_CATEGORIES", "*")
    monkeypatch.setenv("OTHER", "1")
    assert tracing.clean()["OTHER"] == "1"
    assert not {"GIT_TRACE2_EVENT", "TRACE_EVENT_CATEGORIES"} & set(
        tracing.clean())
