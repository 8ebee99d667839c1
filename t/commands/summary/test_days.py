"""States and tables of days: they add up, whatever comes late or twice."""

import json
import sqlite3
import subprocess

import pytest

PARENT = "20260114T233000.000000Z-Hc4f2e1a9-P00000001"
CHILD = PARENT + "/20260114T233001.000000Z-Hc4f2e1a9-P00000002"
OTHER = "20260115T080000.000000Z-Hc4f2e1a9-P00000003"
DAYS = ("2026-01-14", "2026-01-15", "2026-01-16")


def write(path, sid, begin, name, *middle):
    """A log of a second or more; `begin` is "2026-01-14T23:30:00"."""
    def event(kind, seconds, more=""):
        second = int(begin[17:]) + seconds
        return (f'{{"event":"{kind}","sid":"{sid}","thread":"main","time":"{begin[:17]}'
                f'{second:02}.000000Z","file":"a.c","line":1{more}}}\n')

    path.parent.mkdir(exist_ok=True)
    path.write_text(
        event("version", 0, ',"evt":"3","exe":"2.55.0"')
        + event("start", 0, f',"t_abs":0.0,"argv":["git","{name}"]')
        + event("cmd_name", 0, f',"name":"{name}","hierarchy":"{name}"')
        + "".join(event(*one) for one in middle)
        + event("atexit", 9, ',"t_abs":9.0,"code":0'))


@pytest.fixture
def days(scratch):
    """Directories of three days: a child comes on the second one, and on the
    third one again, with its parent."""
    for day in DAYS:
        (scratch / day).mkdir()
    child = ("child_start", 1, ',"t_abs":1.0,"child_id":0,"child_class":"?",'
             '"use_shell":false,"argv":["git","gc"]')
    ended = ("child_exit", 8, ',"t_abs":8.0,"child_id":0,"pid":2,"code":0,'
             '"t_rel":7.0')
    write(scratch / DAYS[0] / "a", PARENT, "2026-01-14T23:30:00", "pull",
          child, ended)
    write(scratch / DAYS[1] / "b", CHILD, "2026-01-14T23:30:01", "gc")
    write(scratch / DAYS[1] / "c", OTHER, "2026-01-15T08:00:00", "log")
    for name in (f"{DAYS[0]}/a", f"{DAYS[1]}/b"):
        path = scratch / name
        (scratch / DAYS[2] / path.name).write_bytes(path.read_bytes())
    return scratch


@pytest.fixture
def call(trace2, scratch):
    return lambda *words: subprocess.run(
        [trace2, *words], capture_output=True, text=True, cwd=scratch,
        check=False)


def make_states(call, days, late="2d", codes=(0, 0)):
    states = []
    for i, day in enumerate(DAYS[:2]):
        done = call("summary", "--since", day, "--late", late, "--format",
                    "state", *DAYS[i:i + 3])
        assert done.returncode == codes[i], done.stderr
        states.append(days / f"{day}.state")
        states[-1].write_text(done.stdout)
    return states


def test_days_with_late_and_repeated_logs_equal_one_run(call, days):
    merged = call("summary", "--merge", "--format", "json",
                  *make_states(call, days))
    whole = call("summary", "--format", "json", *DAYS)
    assert (merged.returncode, merged.stdout) == (0, whole.stdout)
    found = json.loads(merged.stdout)
    assert (found["processes"], found["roots"]) == (3, 2)


def test_what_comes_again_or_is_broken_counts_on_one_day(call, days):
    """However late it comes, and whichever days read it."""
    log = (days / DAYS[1] / "c").read_text()
    for name, text in (("broken", "{\n" + log), ("torn", log + '{"event":')):
        sid = OTHER.replace("P0000000", f"P{len(name)}000000")
        (days / DAYS[2] / name).write_text(text.replace(OTHER, sid))
    for day in ("2026-01-17", "2026-01-25", "2026-01-26"):
        (days / day).mkdir()
    (days / "2026-01-25/c").write_text(log)
    (days / "2026-01-26/a").write_bytes((days / DAYS[0] / "a").read_bytes())
    states = make_states(call, days, codes=(1, 1))
    for day in (DAYS[2], "2026-01-25"):
        done = call("summary", "--since", day, "--late", "2d", "--format",
                    "state", DAYS[2], "2026-01-25", "2026-01-26")
        states.append(days / f"{day}.state")
        states[-1].write_text(done.stdout)
    for form in ("json", "text", "state"):
        merged = call("summary", "--merge", "--format", form, *states[::-1])
        whole = call("summary", "--format", form, *DAYS, "2026-01-25",
                     "2026-01-26")
        assert (merged.returncode, merged.stdout) == (1, whole.stdout)
        assert merged.stderr == ""
        assert ("trace2 summary: the logs of 4 processes came again; each "
                "counts once\n") in whole.stderr
    gaps = json.loads(call("summary", "--merge", "--format", "json",
                           *states).stdout)["gaps"]
    assert (gaps["late"], gaps["unread"]) == (0, 2)


def test_a_state_that_is_given_twice_or_overlaps_is_refused(call, days):
    first, second = make_states(call, days)
    for words in ((first, second, first), (second, first, second)):
        done = call("summary", "--merge", *words)
        assert (done.returncode, done.stdout) == (3, "")
        assert "of its processes are in another state too" in done.stderr
    whole = days / "whole.state"
    whole.write_text(call("summary", "--format", "state", DAYS[1]).stdout)
    assert call("summary", "--merge", whole, second).returncode == 3


def test_what_comes_too_late_is_counted_by_its_day_alone(call, days):
    write(days / DAYS[1] / "d", PARENT + "/" + OTHER, "2026-01-15T08:00:02",
          "gc")
    first, second = make_states(call, days, late="1h")
    counts = [json.loads(call("summary", "--merge", "--format", "json",
                              one).stdout) for one in (first, second)]
    assert [one["processes"] for one in counts] == [2, 1]
    assert [one["gaps"].get("apart") for one in counts] == [None, 1]
    text = call("summary", "--merge", first, second).stdout
    assert "1 process that began too late" in text or \
        "processes that began too late" in text


def rows_of(path):
    with sqlite3.connect(path) as base:
        return sorted(base.execute("SELECT * FROM processes"), key=str)


def test_days_that_are_appended_equal_one_table(call, days):
    for i, day in enumerate(DAYS[:2]):
        words = ("table", "--since", day, "--late", "2d", "--append", "-o",
                 "year.db", *DAYS[i:i + 3])
        done = call(*words)
        assert (done.returncode, done.stderr) == (0, "")
    call("table", "-o", "whole.db", *DAYS)
    assert rows_of(days / "year.db") == rows_of(days / "whole.db")
    done = call(*words)
    assert (done.returncode, done.stderr) == (
        1, "trace2 table: 1 rows of processes that the database has already "
        "were left out\n")
    assert rows_of(days / "year.db") == rows_of(days / "whole.db")


def test_a_day_without_a_command_adds_nothing(call, days):
    words = ("table", "--late", "2d", "--append", "-o", "year.db", *DAYS)
    assert call(*words, "--since", DAYS[0]).returncode == 0
    rows = rows_of(days / "year.db")
    done = call(*words, "--since", "2026-01-20")
    assert (done.returncode, done.stderr) == (0, "")
    assert rows_of(days / "year.db") == rows
    with (days / DAYS[0] / "a").open("a") as log:
        log.write("{\n")
    assert call(*words, "--since", "2026-01-20").returncode == 1
    done = call("table", "--since", "2026-01-20", "--late", "2d", *DAYS)
    assert done.returncode == 3


def test_a_table_of_an_older_version_gets_the_columns_that_it_lacks(call, days):
    call("table", "-o", "year.db", DAYS[0])
    with sqlite3.connect(days / "year.db") as base:
        base.execute("ALTER TABLE processes DROP COLUMN attributes")
    assert call("table", "--append", "-o", "year.db", DAYS[1]).returncode == 0
    call("table", "-o", "whole.db", *DAYS[:1])
    assert len(rows_of(days / "year.db")) == 3
    assert len(rows_of(days / "year.db")[0]) == len(rows_of(days / "whole.db")[0])


def test_a_database_that_is_none_stays_as_it_is(call, days):
    (days / "year.db").write_text("no database\n" * 100)
    done = call("table", "--append", "-o", "year.db", DAYS[0])
    assert done.returncode == 3
    assert "year.db: file is not a database" in done.stderr
    assert (days / "year.db").read_text() == "no database\n" * 100


def test_commands_that_make_a_database_at_once_add_all_their_rows(trace2, scratch):
    names = [f"n{i}" for i in range(6)]
    for i, name in enumerate(names):
        write(scratch / name / "log", OTHER[:-1] + str(i), "2026-01-15T08:00:00", name)
    # Each has begun when the first one is done: its input comes late.
    running = [subprocess.Popen([trace2, "table", "--append", "-o", "all.db", "-"],
                                cwd=scratch, stdin=subprocess.PIPE) for _ in names]
    for one, name in zip(running, names):
        one.stdin.write((scratch / name / "log").read_bytes())
    for one in running:
        one.stdin.close()
    assert [one.wait(60) for one in running] == [0] * len(names)
    with sqlite3.connect(scratch / "all.db") as database:
        rows = database.execute("SELECT command FROM processes").fetchall()
    assert sorted(row[0] for row in rows) == names
    assert not list(scratch.glob("*.partial"))
