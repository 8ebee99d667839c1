"""`trace2 summary` of logs that are brief, mixed, torn or in other formats."""

import json
import random

import pytest

from summary_kit import event, life, region, write_log

SID = "20261123T100000.000000Z-H1-P00000001"


@pytest.fixture
def figures(execute, trace2):
    """figures(code, *logs): the JSON of a run with this exit status."""

    def call(code, *logs):
        done = execute([trace2, "summary", "--format", "json", *logs])
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout)

    return call


def child(number, pid, start, end):
    return [
        event(SID, "child_start", start, child_id=number, child_class="?",
              use_shell=False, argv=["inner"]),
        event(SID, "child_exit", end, child_id=number, pid=pid, code=0,
              t_rel=end - start),
    ]  # fmt: skip


def inner_life(pid, start, end, name):
    sid = f"{SID}/20261123T10{int(start):04}.000000Z-H1-P{pid:08x}"
    return life(sid, start=start, end=end, name=name)


def self_times(result):
    rows = [*result["commands"], *result["children"], *result["regions"]]
    names = ("name", "command", "label")
    return {
        next(row[key] for key in names if key in row): row["self_us"] for row in rows
    }


def test_a_brief_log_has_the_times_of_its_durations(figures, scratch):
    lines = life(SID, *region(SID, 1.0, 4.0, "r"), *child(0, 2, 5.0, 9.0), end=10.0)
    lines += inner_life(2, 6.0, 9.0, "inner process")
    for line in lines:
        del line["time"]
    result = figures(0, write_log(scratch / "log", *lines))
    assert result["gaps"]["untimed"] == 2
    assert result["wall_us"] == result["self_us"] == 10000000
    (row,) = result["regions"]
    assert row["total_us"] == row["self_us"] == 3000000
    found = self_times(result)
    # The child's process lies at the start of its span.
    assert (found["inner process"], found["inner"]) == (3000000, 1000000)


@pytest.mark.parametrize("timed", range(1, 64, 3))
def test_any_lines_of_a_log_may_have_a_time(figures, scratch, timed):
    """No life begins in the year 1 because its start has no time."""
    lines = life(SID, *region(SID, 1.0, 4.0, "r"), end=10.0)
    for number, line in enumerate(lines):
        if not timed >> number & 1:
            del line["time"]
    result = figures(0, write_log(scratch / "log", *lines))
    assert result["gaps"]["untimed"] == 0
    assert result["wall_us"] == result["self_us"] == 10000000
    (row,) = result["regions"]
    assert row["total_us"] == row["self_us"] == 3000000


def test_a_second_process_with_a_sid_goes_on_with_the_first(figures, scratch):
    again = life(SID, start=3.0, end=9.0, name="daemon")
    result = figures(0, write_log(scratch / "log", *life(SID), *again))
    assert result["gaps"]["late"] == 0
    assert result["roots"] == 1 and result["wall_us"] == result["self_us"]


def test_one_file_of_all_processes_equals_a_directory(execute, scratch, trace2):
    parts = [
        life(SID, *child(0, 7, 1.0, 3.0), *region(SID, 4.0, 5.0, "r"), end=10.0),
        inner_life(7, 1.5, 2.5, "inner process"),
        life(SID.replace("P00000001", "P00000002"), start=0.5, end=2.0),
    ]
    (scratch / "logs").mkdir()
    for number, part in enumerate(parts):
        write_log(scratch / "logs" / str(number), *part)
    mixed = sorted(sum(parts, []), key=lambda line: line["time"])
    write_log(scratch / "one", *mixed)
    for form in ("text", "json", "csv", "state"):
        said = [
            execute([trace2, "summary", "--format", form, scratch / name]).stdout
            for name in ("logs", "one")
        ]
        assert said[0] == said[1] != b""


def test_an_archive_counts_alone_and_not_beside_logs(execute, scratch, trace2):
    log = write_log(scratch / "log", *life(SID))
    archive = scratch / "a.fxt"
    assert execute([trace2, "convert", log, archive]).returncode == 0
    done = execute([trace2, "summary", "--format", "json", archive])
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["spans"]
    done = execute([trace2, "summary", "--format", "json", archive, log])
    assert done.returncode == 1
    assert done.stderr.decode() == (
        f"trace2 summary: {archive}: a trace is left out beside logs; "
        "summarize traces alone\n"
    )
    assert json.loads(done.stdout)["roots"] == 1


@pytest.mark.parametrize("words", [
    ("--by", "hour"), ("--command", "x"), ("--since", "1d"),
    ("--slower-than", "1s"), ("--format", "state"),
])
def test_what_asks_for_commands_takes_no_archive(execute, scratch, trace2, words):
    log = write_log(scratch / "log", *life(SID))
    archive = scratch / "a.fxt"
    assert execute([trace2, "convert", log, archive]).returncode == 0
    done = execute([trace2, "summary", *words, archive])
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"an archive of the FXT format; expected an EVENT, " in done.stderr


def test_a_process_that_ends_after_its_first_event_took_no_time(figures, scratch):
    """It was killed: its log has a `version` and nothing else."""
    version = event(SID, "version", 1.0, evt="4", exe="2.55.0")
    result = figures(0, write_log(scratch / "log", version))
    (command,) = result["commands"]
    assert (command["total_us"], command["max_us"]) == (0, 0)
    assert result["wall_us"] == result["self_us"] == 0


def write_gaps(path, number):
    """Something of each kind that a log may lack."""
    sid = f"20261123T100000.00000{number}Z-H1-P{number}"
    start = event(f"{sid}1", "child_start", 0.2, child_id=0, child_class="?",
                  use_shell=False, argv=["x"])  # fmt: skip
    untimed = [{k: v for k, v in line.items() if k != "time"}
               for line in life(f"{sid}2")]
    orphan, ended = life(f"{sid}3/{sid}4"), life(f"{sid}5")
    others = [line for i in range(1001) for line in life(f"{sid}6{i:04}")]
    write_log(path, *life(f"{sid}1")[:3], start, *untimed, *orphan,
              *ended, *others, *ended, ended[1], *ended[2:4])  # fmt: skip
    with path.open("a") as file:
        again = life(f"{sid}60000")
        again[0]["exe"] = "2.55.2"  # another program has the SID
        file.writelines(json.dumps(line) + "\n" for line in again)
    with path.open("a") as file:
        file.write("{broken\n")
    return path


def test_merged_states_have_the_gaps_of_all(execute, trace2, scratch):
    logs = [write_gaps(scratch / f"{number}.log", number) for number in (6, 7)]
    states = []
    for log in logs:
        done = execute([trace2, "summary", "--format", "state", log])
        states.append(log.with_suffix(".state"))
        states[-1].write_bytes(done.stdout)
    for form in ("json", "text"):
        whole = execute([trace2, "summary", "--format", form, *logs])
        merged = execute(
            [trace2, "summary", "--merge", "--format", form, *states])
        assert merged.stdout == whole.stdout
        if form == "json":
            gaps = json.loads(merged.stdout)["gaps"]
            late = gaps.pop("late")
            assert late == 2 * len(life(SID)), gaps
            assert all(count % 2 == 0 < count for count in gaps.values()), gaps


def test_times_of_a_trace_that_are_too_large_together_stay_at_the_limit(
    figures, scratch
):
    events = [{"name": "a", "cat": "c", "ph": "X", "ts": 0, "dur": 9 * 10**15,
               "pid": pid, "tid": 1} for pid in range(1500)]
    (scratch / "trace.json").write_text(json.dumps({"traceEvents": events}))
    made = figures(0, scratch / "trace.json")
    assert made["self_us"] == made["spans"][0]["self_us"] == 2**63 - 1
