"""`trace2 table`: logs as flat rows."""

import datetime
import itertools
import json

import pytest
from table_kit import Process, logs, pull, rows, table  # noqa: F401
from validate_kit import CORPUS

REAL = sorted((CORPUS / "pass/real").glob("evt*"))


def by_command(found):
    return {row["command"]: row for row in found}


def test_a_pull_with_its_children_is_one_row(rows, scratch):
    for process in pull(fails=True):
        process.write(scratch / "logs")
    row, = rows("processes", scratch / "logs")
    sid = "20261116T100000.000100Z-H1-P00000064"
    assert row == {
        "sid": sid, "session": sid, "time": "2026-11-16T10:00:00.000000Z",
        "day": "2026-11-16", "week": "2026-11-16", "command": "pull",
        "argv": '["git", "pull"]', "version": "2.50.1", "repository": "/work/a",
        "caller": "make < bash", "finished": 1, "failed": 1, "code": 1,
        "signal": None, "wall_us": 1000000, "self_us": 300000,
        "waited_us": 700000, "joined": 4, "joined_failed": 2, "errors": 1,
        "error": "cannot merge %s", "host": "H1", "host_name": None,
        "user": None, "attributes": None}  # fmt: skip


@pytest.mark.parametrize("order", itertools.permutations(range(4)))
def test_the_order_of_logs_does_not_matter(order, rows, scratch):
    processes = pull()
    paths = [process.write(scratch / "logs") for process in processes]
    expected = rows("processes", scratch / "logs")
    assert rows("processes", *(paths[i] for i in order)) == expected
    text = "".join(paths[i].read_text() for i in order)
    assert rows("processes", "-", stdin=None, input=text.encode()) == expected


def test_a_process_whose_parent_has_no_log_has_a_row(rows, scratch):
    processes = pull()
    for process in (processes[2], processes[3]):
        process.write(scratch / "logs")
    found = by_command(rows("processes", scratch / "logs"))
    assert sorted(found) == ["merge", "rev-list"]
    assert {row["joined"] for row in found.values()} == {1}
    assert len({row["session"] for row in found.values()}) == 1


def test_children_without_logs_change_no_row(rows, scratch):
    top = Process("commit", 7).child(0.1, 0.3, 0, 8).child(0.3, 0.4, 1, 9)
    top.child(0.4, 0.5, 2, -1).end(1.0)
    hook = Process("rev-parse", 20, 0.2, top).end(0.05)
    for process in (top, hook):
        process.write(scratch / "logs")
    row, = rows("processes", scratch / "logs")
    assert (row["joined"], row["waited_us"], row["self_us"]) == (2, 400000, 600000)


def test_a_child_that_begins_twice_joins_both_times(rows, scratch):
    top = Process("gc", 7).child(0.1, 0.2, 0, 8).child(0.3, 0.4, 1, 8).end(1.0)
    first, second = Process("a", 8, 0.1, top).end(0.1), Process("b", 8, 0.3, top)
    second.lines[0]["sid"] = second.sid
    second.sid = second.sid.replace(".000008Z", ".000009Z")
    for line in second.lines:
        line["sid"] = second.sid
    second.end(0.1)
    for process in (top, first, second):
        process.write(scratch / "logs")
    row, = rows("processes", scratch / "logs")
    assert row["joined"] == 3


def test_a_process_that_runs_in_the_background_joins(rows, scratch):
    top = Process("fetch", 7)
    top.add("child_start", 0.1, child_id=0, child_class="background",
            use_shell=False, argv=["git", "maintenance"])
    top.add("child_ready", 0.2, child_id=0, pid=8, ready="ready", t_rel=0.1)
    top.end(0.5)
    late = Process("maintenance", 8, 0.2, top).end(5.0, 1)
    paths = [process.write(scratch / "logs") for process in (top, late)]
    for order in (paths, paths[::-1]):
        row, = rows("processes", *order)
        assert (row["command"], row["joined"], row["joined_failed"]) == ("fetch", 2, 1)


def test_a_killed_process_lasts_until_its_last_event(rows, scratch):
    Process("push", 7).error(0.1, "", "lost").write(scratch / "logs")
    Process("push", 8).add("signal", 0.5, signo=15, t_abs=0.5).write(scratch / "logs")
    cut, killed = sorted(rows("processes", scratch / "logs"),
                         key=lambda row: row["sid"])
    assert (cut["finished"], cut["failed"], cut["code"]) == (0, 1, None)
    assert (cut["wall_us"], cut["self_us"], cut["waited_us"]) == (100000, 100000, 0)
    assert (killed["finished"], killed["failed"], killed["signal"]) == (1, 1, 15)
    assert killed["wall_us"] == 500000


def test_regions_have_their_own_time_and_place(rows, scratch):
    process = Process("status", 7)
    process.add("region_enter", 0.1, nesting=1, repo=1, category="o", label="outer",
                msg="m")
    process.region(0.2, 0.3, "i", "inner", nesting=2)
    process.region(0.2, 0.6, "i", "other", thread="th01")
    process.region(0.4, 0.45, "i", "inner", nesting=2)
    process.add("region_leave", 0.9, nesting=1, repo=1, category="o", label="outer",
                t_rel=0.8)
    process.add("region_leave", 0.9, nesting=1, category="never", label="entered")
    process.add("region_enter", 0.95, category="open", label="")
    process.end(1.0).write(scratch / "logs")
    found = rows("regions", scratch / "logs")
    shown = [(row["label"], row["thread"], row["nesting"], row["msg"], row["wall_us"],
              row["self_us"]) for row in found]
    assert shown == [("inner", "main", 2, None, 100000, 100000),
                     ("other", "th01", 1, None, 400000, 400000),
                     ("inner", "main", 2, None, 50000, 50000),
                     ("outer", "main", 1, "m", 800000, 650000),
                     ("", "main", None, None, 50000, 50000)]  # fmt: skip
    assert found[3]["time"] == "2026-11-16T10:00:00.100000Z"
    assert found[3]["command"] == "status" and found[3]["category"] == "o"
    assert [row["unclosed"] for row in found] == [0, 0, 0, 0, 1]


def test_a_region_without_a_duration_has_that_of_its_times(rows, scratch):
    process = Process("status", 7)
    process.add("region_enter", 0.1, category="c", label="l")
    process.add("region_leave", 0.4, category="c", label="l")
    process.write(scratch / "logs")
    row, = rows("regions", scratch / "logs")
    assert (row["wall_us"], row["self_us"]) == (300000, 300000)


def test_a_region_of_a_killed_process_has_a_row(rows, scratch):
    Process("gc", 7).add("region_enter", 0.1, category="c",
                         label="l").write(scratch / "logs")
    row, = rows("regions", scratch / "logs")
    assert (row["label"], row["wall_us"], row["unclosed"]) == ("l", 0, 1)


@pytest.mark.parametrize("value, text, number", [
    ("12", "12", 12), ("-3", "-3", -3), (7, "7", 7), ("-", "-", None),
    ("1.5", "1.5", None), ("", "", None), ("x", "x", None), ("1x", "1x", None),
    ("9" * 18, "9" * 18, 10**18 - 1), ("9" * 19, "9" * 19, None),
    ('say "a"', 'say "a"', None),
])  # fmt: skip
def test_data_have_a_text_and_perhaps_a_number(value, text, number, rows, scratch):
    Process("x", 7).data(0.1, "c", "k", value).write(scratch / "logs")
    row, = rows("data", scratch / "logs")
    assert (row["value"], row["number"], row["key"]) == (text, number, "k")


def test_timers_and_counters_are_data(rows, scratch):
    process = Process("x", 7)
    process.add("data_json", 0.1, category="c", key="j", value={"a": [1, "b"]})
    process.add("timer", 0.2, category="c", name="t", intervals=3, t_total=0.25,
                t_min=0.05, t_max=0.1)
    process.add("th_counter", 0.2, category="c", name="n", count=42)
    process.write(scratch / "logs")
    found = [(row["event"], row["key"], row["value"], row["number"], row["intervals"])
             for row in rows("data", scratch / "logs")]
    assert found == [("data_json", "j", '{"a": [1, "b"]}', None, None),
                     ("timer", "t", "0.25", 250000, 3),
                     ("th_counter", "n", "42", 42, None)]  # fmt: skip


def test_errors_have_their_place(rows, scratch):
    process = Process("x", 7).error(0.1, "bad %s", "bad y")
    process.lines[-1].update(file="a.c", line=12)
    process.write(scratch / "logs")
    row, = rows("errors", scratch / "logs")
    assert (row["fmt"], row["msg"], row["file"], row["line"], row["command"]) == (
        "bad %s", "bad y", "a.c", 12, "x")  # fmt: skip


def test_events_are_all_lines_of_the_log(rows, logs):
    lines = [json.loads(line) for path in sorted(logs.iterdir())
             for line in path.read_text().splitlines()]
    found = rows("events", logs)
    key = "sid", "time", "event"
    assert sorted((json.loads(row["record"]) for row in found), key=str) == sorted(
        lines, key=str)
    for row in found:
        record = json.loads(row["record"])
        assert [row[name] for name in key] == [record[name] for name in key]
        assert row["session"] == record["sid"].split("/")[0]
        rel = record.get("t_rel")
        assert row["t_rel_us"] == (None if rel is None else round(rel * 1e6))


def test_real_git_joins_its_own_children(rows, scratch, execute):
    log = scratch / "logs"
    log.mkdir()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q", "up"], ["-C", "up", "commit", "-qm1", "--allow-empty"],
                  ["clone", "-q", "up", "down"],
                  ["-C", "up", "commit", "-qm2", "--allow-empty"]):
        execute([*git, *words], check=True)
    execute([*git, "-C", "down", "pull", "-q"], check=True,
            env={"GIT_TRACE2_EVENT": str(log)})
    row, = rows("processes", log)
    assert (row["command"], row["failed"]) == ("pull", 0)
    assert row["joined"] == len(list(log.iterdir())) > 2
    assert row["repository"] == str(scratch / "down")


def test_lines_that_are_no_events_are_reported(table, logs):
    (logs / "x").write_text('{"event":"start"\n{"a":1}\n')
    done = table(logs)
    assert done.returncode == 1 and b"x:1:" in done.stderr
    assert done.stdout.count(b"\n") == 9


def test_events_after_an_end_are_rows_of_the_process(rows, scratch):
    process = Process("x", 7).end(0.1)
    process.data(0.2, "c", "late", "1").region(0.2, 0.3, "c", "late")
    process.write(scratch / "logs")
    row, = rows("data", scratch / "logs")
    assert (row["key"], row["command"]) == ("late", "x")
    row, = rows("regions", scratch / "logs")
    assert (row["label"], row["wall_us"]) == ("late", 100000)
    assert len(rows("processes", scratch / "logs")) == 1


def test_a_child_joins_a_process_that_has_ended(rows, scratch):
    top = Process("x", 7).end(0.1)
    child = Process("y", 8, 0.05, top).end(0.1)
    paths = [process.write(scratch / "logs") for process in (top, child)]
    for order in (paths, paths[::-1]):
        row, = rows("processes", *order)
        assert (row["command"], row["joined"]) == ("x", 2)


def test_the_first_error_of_all_children_is_shown(rows, scratch):
    top = Process("x", 7).child(0.1, 0.2, 0, 8).child(0.3, 0.4, 1, 9).end(1, 1)
    first = Process("y", 8, 0.1, top).error(0.01, "first", "1").end(0.1, 1)
    second = Process("z", 9, 0.3, top).error(0.01, "second", "2").end(0.1, 1)
    paths = [process.write(scratch / "logs") for process in (top, first, second)]
    for order in itertools.permutations(paths):
        row, = rows("processes", *order)
        assert (row["error"], row["errors"], row["joined_failed"]) == ("first", 2, 3)


def test_weeks_begin_on_mondays(rows, scratch):
    import datetime

    days = [-260 * 365, -45, 0, 6, 7, 46, 470, 471, 36500]
    for i, day in enumerate(days):
        Process("x", 10 + i, day=day).end(0.1).write(scratch / "logs")
    for row in rows("processes", scratch / "logs"):
        date = datetime.date.fromisoformat(row["day"])
        monday = date - datetime.timedelta(days=date.weekday())
        assert row["week"] == monday.isoformat() and row["time"].startswith(row["day"])


def test_a_process_that_goes_on_in_the_background_is_one_row(rows, scratch):
    """git maintenance run --detach: its child has the same SID."""
    top = Process("commit", 7).child(0.1, 0.2, 0, 8).end(0.5)
    process = Process("maintenance", 8, 0.1, top)
    process.add("exit", 0.1, code=0, t_abs=0.1, file="setup.c")
    process.add("atexit", 0.1, code=0, t_abs=0.1, file="tr2_tgt_event.c")
    process.child(0.2, 0.9, 0, 9).region(0.3, 0.4, "c", "late")
    process.add("region_enter", 0.5, category="c", label="open")
    process.error(0.6, "late", "late").end(2.0, 1)
    repack = Process("repack", 9, 0.3, process).end(0.6, 1)
    paths = [one.write(scratch / "logs") for one in (top, process, repack)]
    for order in itertools.permutations(paths):
        row, = rows("processes", *order)
        assert (row["command"], row["wall_us"], row["joined"]) == ("commit", 500000, 3)
        assert (row["joined_failed"], row["error"]) == (2, "late")
    found = [(row["label"], row["wall_us"]) for row in rows("regions", *paths)]
    assert found == [("late", 100000), ("open", 900000)]


@pytest.mark.parametrize("folder", REAL, ids=lambda folder: folder.name)
def test_rows_of_real_logs_add_up_to_their_summary(folder, table, execute, trace2):
    done = execute([trace2, "summary", "--format", "json", folder])
    summary = json.loads(done.stdout)
    found = [json.loads(line) for line in table(folder).stdout.splitlines()]
    assert len(found) == summary["roots"]
    assert sum(row["joined"] for row in found) == summary["processes"]
    if all(row["finished"] for row in found):
        assert sum(row["wall_us"] for row in found) == summary["wall_us"]


@pytest.mark.parametrize("kind", ["events", "data", "processes"])
def test_rows_beside_their_logs_are_no_log(kind, execute, trace2, scratch):
    """They have events in other words, which would count once more."""
    for process in pull(fails=True):
        process.write(scratch / "logs")
    wanted = execute([trace2, "summary", "logs"])
    execute([trace2, "table", "--rows", kind, "-o", "logs/rows", "logs"])
    done = execute([trace2, "summary", "logs"])
    assert done.stdout == wanted.stdout
    assert b"logs/rows: this is a table of 'trace2 table', no log" in done.stderr
