"""`trace2 table`: logs as flat rows."""

import collections
import csv
import io
import itertools
import json
import os
import re
import resource
import sqlite3
import subprocess

import pytest

from table_kit import Process, fleet, pull

KINDS = ("processes", "regions", "data", "errors", "events")
PAGE = "helper/man/trace2-table.1"


@pytest.fixture
def table(execute, trace2):
    """table(*arguments, **options): `trace2 table`."""

    def call(*arguments, **options):
        return execute([trace2, "table", *arguments], **options)

    return call


@pytest.fixture
def rows(table):
    """The rows of a run that must succeed, as dictionaries."""

    def call(kind, *arguments, **options):
        done = table("--rows", kind, *arguments, **options)
        assert (done.returncode, done.stderr) == (0, b"")
        return [json.loads(line) for line in done.stdout.splitlines()]

    return call


@pytest.fixture
def logs(scratch):
    for process in fleet():
        process.write(scratch / "logs")
    return scratch / "logs"


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
        "argv": '["git", "pull"]', "version": "2.50", "repository": "/work/a",
        "caller": "make < bash", "finished": 1, "failed": 1, "code": 1,
        "signal": None, "wall_us": 1000000, "self_us": 300000,
        "waited_us": 700000, "joined": 4, "joined_failed": 2, "errors": 1,
        "error": "cannot merge %s"}  # fmt: skip


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


def test_a_killed_process_has_no_times_but_its_row(rows, scratch):
    Process("push", 7).error(0.1, "", "lost").write(scratch / "logs")
    Process("push", 8).add("signal", 0.5, signo=15, t_abs=0.5).write(scratch / "logs")
    cut, killed = sorted(rows("processes", scratch / "logs"),
                         key=lambda row: row["sid"])
    assert (cut["finished"], cut["failed"], cut["code"]) == (0, 0, None)
    assert (cut["wall_us"], cut["self_us"], cut["waited_us"]) == (None, None, None)
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
                     ("", "main", None, None, None, None)]  # fmt: skip
    assert found[3]["time"] == "2026-11-16T10:00:00.100000Z"
    assert found[3]["command"] == "status" and found[3]["category"] == "o"


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
    assert (row["label"], row["wall_us"]) == ("l", None)


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
        assert row["t_rel_us"] == ("t_rel" in record or None) and round(
            record["t_rel"] * 1e6) if "t_rel" in record else row["t_rel_us"] is None


def read_csv(text):
    """Rows as dictionaries; an empty field without quotes is None."""
    marked = re.sub(r'(?<=[,\n])(?=[,\n])|(?<=,)(?=\Z)', "\0", text)
    for row in csv.DictReader(io.StringIO(marked)):
        yield {name: None if value == "\0" else value for name, value in row.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_all_formats_have_the_same_rows(kind, rows, table, logs, scratch):
    expected = rows(kind, logs)
    done = table("--rows", kind, "--format", "csv", logs)
    shown = list(read_csv(done.stdout.decode()))
    texts = [{name: value if value is None else str(value)
              for name, value in row.items()} for row in expected]
    assert shown == texts and len(texts) > (kind == "processes")
    path = scratch / "a.db"
    assert table("--rows", kind, "--format", "sqlite", "-o", path, logs).returncode == 0
    with sqlite3.connect(path) as base:
        base.row_factory = sqlite3.Row
        assert [dict(row) for row in base.execute(f"select * from {kind}")] == expected


def documented(page, kind):
    """The columns of a kind and their types, as the manual has them."""
    sections = dict(re.findall(r"^\.Ss (.*)\n((?:(?!\.Ss|\.Sh).*\n)*)", page, re.M))
    text = sections[kind] + ("" if kind == "all" else sections["Columns of all rows"])
    named = {}
    for names, unit in re.findall(r"^\.It ([a-z_ ,]+?)(?: Pq (\S+))?$", text, re.M):
        for name in names.split(" , "):
            named[name] = unit
    return named


@pytest.mark.parametrize("kind", KINDS)
def test_the_manual_has_each_column_with_its_type(kind, table, root, logs, scratch):
    page = (root / PAGE).read_text()
    named = documented(page, kind)
    path = scratch / "a.db"
    table("--rows", kind, "--format", "sqlite", "-o", path, logs)
    with sqlite3.connect(path) as base:
        types = {row[1]: row[2] for row in base.execute(f"pragma table_info({kind})")}
    assert set(named) == set(types)
    for name, unit in named.items():
        if unit:
            assert (unit == "text") == (types[name] == "TEXT"), name
        assert name.endswith("_us") <= (unit in ("microseconds", None)), name


def test_csv_keeps_every_text(table, rows, scratch):
    texts = ['a"b', "line\nend", "comma,", "=1+1", "ä\u2028", "", "a\\b", "\x7f"]
    for i, text in enumerate(texts):
        Process("x", 7 + i).error(0.1, text, text).write(scratch / "logs")
    done = table("--rows", "errors", "--format", "csv", scratch / "logs")
    shown = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))
    assert [row["msg"] for row in shown] == texts
    assert [row["msg"] for row in rows("errors", scratch / "logs")] == texts


def test_csv_has_no_nul(table, scratch):
    Process("x", 7).error(0.1, "f", "a\0b").write(scratch / "logs")
    done = table("--rows", "errors", "--format", "csv", scratch / "logs")
    assert b"\0" not in done.stdout and "a\ufffdb".encode() in done.stdout


def test_a_database_has_all_tables_indexes_and_views(table, logs, scratch):
    path = scratch / "a.db"
    done = table("--rows", ",".join(KINDS), "--format", "sqlite", "-o", path, logs)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    with sqlite3.connect(path) as base:
        made = collections.Counter(row[0] for row in base.execute(
            "select type from sqlite_master"))
        assert made == {"table": 5, "index": 11, "view": 3}
        assert base.execute("pragma integrity_check").fetchall() == [("ok",)]
        row, = base.execute("select root_command, command, number from data_commands")
        assert row == ("pull", "fetch", 3)
        pushes, = base.execute("select count, failed, longest_us from commands "
                               "where command = 'push' and day = '2026-11-23'")
        assert pushes == (1, 1, 500000)
        index, = base.execute("select count, wall_us, self_us from region_totals "
                              "where label = 'do_read_index'")
        assert index == (4, 160000, 160000)
    assert os.listdir(scratch) == ["a.db", "logs"] or sorted(os.listdir(scratch)) == [
        "a.db", "logs"]


def test_views_need_the_tables_that_they_show(table, logs, scratch):
    path = scratch / "a.db"
    table("--rows", "data", "--format", "sqlite", "-o", path, logs)
    with sqlite3.connect(path) as base:
        names = [row[0] for row in base.execute("select name from sqlite_master")]
    assert names == ["data", "data_session", "data_key"]


STATUS = [("status", "2026-11-16", 4, 200000, 400000),
          ("status", "2026-11-23", 2, 600000, 1000000)]  # fmt: skip
RESULTS = {
    "percentiles": [("pull", "2026-11-16", 1, 1000000, 1000000),
                    ("push", "2026-11-23", 1, 500000, 500000),
                    ("push", "2026-11-24", 1, 300000, 300000), *STATUS],
    "failures": [("push", "remote hung up", 1, 128, 128, None),
                 ("push", None, 1, None, None, 15)],
    "fsmonitor": [("status", 0, 2, 350000.0), ("status", 1, 2, 150000.0)],
    "negotiation": [("2026-11-16", 1, 3.0, 3)],
    "versions": [("2.50", 5, 0, "2026-11-16"), ("2.52", 4, 2, "2026-11-24")],
    "callers": [("code < node", "status", 2, 1600000),
                ("bash", "status", 4, 1000000), ("make < bash", "pull", 1, 1000000),
                (None, "push", 2, 800000)],
    "repositories": [("/work/b", "status", 2, 800000.0, 1000000),
                     ("/work/a", "status", 4, 250000.0, 400000)],
    "growth": [("pull", "2026-11-16", 1, 1000000.0, None, None),
               ("push", "2026-11-23", 2, 400000.0, None, None),
               ("status", "2026-11-16", 4, 250000.0, None, None),
               ("status", "2026-11-23", 2, 800000.0, 0.5, 3.2)],
    "regions": [("status", "index", "do_read_index", 4, 160000, 160000),
                ("status", "fsm_client", "query", 2, 20000, 20000)],
    "children": [("pull", 1, 4, 4, 0.7), ("push", 2, 2, 1, 0.0),
                 ("status", 6, 6, 1, 0.0)],
}  # fmt: skip


def ordered(name, found):
    """Equal errors of NULL come first or last, as the engine has it."""
    found = [tuple(row) for row in found]
    return sorted(found, key=str) if name == "failures" else found


def test_each_query_is_tested(root):
    folder = root / "helper/table/queries"
    assert sorted(path.stem for path in folder.iterdir()) == sorted(RESULTS)
    assert len(RESULTS) == 10


@pytest.mark.parametrize("name", RESULTS)
def test_a_query_gives_what_the_logs_have(name, table, logs, scratch, root):
    path = scratch / "a.db"
    table("--rows", ",".join(KINDS), "--format", "sqlite", "-o", path, logs)
    query = (root / f"helper/table/queries/{name}.sql").read_text()
    with sqlite3.connect(path) as base:
        assert ordered(name, base.execute(query)) == ordered(name, RESULTS[name])


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


def count_memory(trace2, text):
    with subprocess.Popen([trace2, "table", "-"], stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL) as process:
        process.stdin.write(text)
        process.stdin.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_maxrss


def many(count):
    first = "".join(json.dumps(line) + "\n" for one in pull() for line in one.lines)
    return "".join(first.replace("20261116T100000", f"20261116T{i:06}")
                   for i in range(count)).encode()


@pytest.mark.plain("it measures memory")
def test_memory_does_not_grow_with_complete_commands(trace2):
    few, most = (count_memory(trace2, many(count)) for count in (1000, 8000))
    # What is known of a SID that is gone, not a row of it.
    assert (most - few) * 1024 < 7000 * 4 * 160


SELECT = """\
# Comments and blank lines are allowed.
message_patterns:
  - prefix: "queue:"   # with a comment
    field_name: "queued"

region_timers:
  - category: index
    label: 'do_read_index'
    count_field: reads
    time_field: readTime
important_events:
- category: negotiation_v2
  key_prefix: total
  field_name: rounds
"""


def test_a_filter_file_adds_columns_over_all_children(rows, table, scratch):
    processes = pull()
    for process in processes:
        process.region(0.01, 0.04, "index", "do_read_index")
        process.region(0.01, 0.04, "index", "other")
        for text in ("queue: a", "queue: b", "other"):
            process.add("printf", 0.05, msg=text)
        # They end with their events in order.
        process.lines.append(process.lines.pop(
            next(i for i, line in enumerate(process.lines) if line["event"] == "exit")))
        process.lines.append(process.lines.pop(
            next(i for i, line in enumerate(process.lines) if line["event"] == "atexit")))
        process.write(scratch / "logs")
    (scratch / "filter.yml").write_text(SELECT)
    row, = rows("processes", "--select", "filter.yml", scratch / "logs")
    assert list(row)[-4:] == ["queued", "reads", "readTime", "rounds"]
    assert (row["queued"], row["reads"], row["readTime"]) == (8, 4, 0.12)
    assert json.loads(row["rounds"]) == ["3"]
    path = scratch / "a.db"
    table("--select", "filter.yml", "--format", "sqlite", "-o", path, scratch / "logs")
    with sqlite3.connect(path) as base:
        assert base.execute("select queued, reads, readTime, rounds from processes"
                            ).fetchall() == [(8, 4, 0.12, '["3"]')]


def test_fields_without_events_are_zero(rows, scratch):
    Process("x", 7).end(0.1).write(scratch / "logs")
    (scratch / "filter.yml").write_text(SELECT)
    row, = rows("processes", "--select", "filter.yml", scratch / "logs")
    assert (row["queued"], row["reads"], row["readTime"], row["rounds"]) == (0, 0, 0, "[]")


def test_what_a_filter_file_means_otherwise_is_reported(table, scratch):
    Process("x", 7).end(0.1).write(scratch / "logs")
    (scratch / "filter.yml").write_text(
        'keynames:\n  nickname_key: "a"\n' + SELECT + "    color: red\n"
        "defaults:\n  ruleset: rs:x\nregion_timers: []\nmessage_patterns:\n  prefix: x\n")
    done = table("--select", "filter.yml", scratch / "logs")
    assert done.returncode == 1 and json.loads(done.stdout)["queued"] == 0
    at = SELECT.count("\n") + 3
    assert done.stderr.decode().splitlines() == [
        f"trace2 table: filter.yml:{line}: ignored; this is not understood: '{what}'"
        for line, what in ((1, "keynames"), (at, "color"), (at + 1, "defaults"),
                           (at + 3, "region_timers"), (at + 5, "prefix: x"))]


@pytest.mark.parametrize("text, line, why", [
    ("message_patterns:\n  - prefix: a\n", 2, "expected the key 'field_name'"),
    ("message_patterns:\n  - field_name: a\n", 2, "expected the key 'prefix'"),
    ("region_timers:\n  - category: a\n    label: b\n    count_field: c\n", 2,
     "expected the key 'time_field'"),
    ("message_patterns:\n  - prefix: a\n    prefix: b\n", 3, "repeated key 'prefix'"),
    ("message_patterns:\n  - prefix: [a]\n", 2,
     "expected a text in one line as the value of 'prefix'"),
    ('message_patterns:\n  - prefix: "a\n', 2,
     "expected a text in one line as the value of 'prefix'"),
    ('message_patterns:\n  - prefix: "a\\n"\n', 2,
     "expected a text in one line as the value of 'prefix'"),
    ("message_patterns:\n  - prefix: ''\n", 2,
     "expected a text in one line as the value of 'prefix'"),
    ("message_patterns:\n  - prefix: a\n    field_name: Sid\n", 3,
     "there are two columns of the name 'Sid'"),
])  # fmt: skip
def test_a_rule_that_cannot_be_used_is_refused(text, line, why, table, scratch):
    (scratch / "filter.yml").write_text(text)
    done = table("--select", "filter.yml", scratch)
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"trace2 table: filter.yml:{line}: {why}" in done.stderr.decode()


def test_a_missing_filter_file_is_named(table, logs):
    done = table("--select", "none.yml", logs)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr == b"trace2 table: No such file or directory: none.yml\n"
    done = table("--select", logs, logs)
    assert done.returncode == 3 and b"Is a directory" in done.stderr


@pytest.mark.parametrize("arguments, why", [
    ((), "expected a log"),
    (("--rows", "regoins", "x"), "unknown rows 'regoins'; did you mean 'regions'?"),
    (("--rows", "regions,", "x"), "unknown rows ''"),
    (("--format", "xml", "x"), "unknown format 'xml'"),
    (("--format", "sqlite", "x"), "--format sqlite needs --output FILE"),
    (("--format", "sqlite", "-o", "-", "x"), "--format sqlite needs --output FILE"),
    (("--rows", "data,errors", "x"), "only --format sqlite takes several kinds"),
    (("--rows", "data", "--select", "f", "x"), "--select needs --rows processes"),
    (("--rows",), "an option needs a value"),
    (("--colour", "x"), "colour"),
])  # fmt: skip
def test_a_wrong_command_line_is_refused(arguments, why, table):
    done = table(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert why in done.stderr.decode()


def test_help_names_every_kind_and_format(table):
    done = table("--help")
    assert (done.returncode, done.stderr) == (0, b"")
    for word in (*KINDS, "ndjson", "csv", "sqlite", "--select", "--output"):
        assert word in done.stdout.decode()
    assert table("-h").stdout == done.stdout


@pytest.mark.parametrize("form", ["ndjson", "csv", "sqlite"])
def test_an_old_file_stays_without_any_event(form, table, scratch):
    (scratch / "out").write_text("old")
    (scratch / "logs").mkdir()
    (scratch / "logs/foreign").write_text("Dear reader,\n")
    done = table("--format", form, "-o", "out", "logs")
    assert done.returncode == 3 and (scratch / "out").read_text() == "old"
    assert sorted(os.listdir(scratch)) == ["logs", "out"]


@pytest.mark.parametrize("form", ["ndjson", "sqlite"])
def test_an_old_file_is_replaced_when_all_is_read(form, table, logs, scratch):
    (scratch / "out").write_text("old")
    assert table("--format", form, "-o", "out", logs).returncode == 0
    assert (scratch / "out").read_bytes()[:3] in (b'{"s', b"SQL")


@pytest.mark.parametrize("form", ["ndjson", "sqlite"])
def test_an_output_that_cannot_be_written_is_named(form, table, logs):
    done = table("--format", form, "-o", "no/where", logs)
    assert done.returncode == 3 and b"no/where" in done.stderr
    done = table("--format", form, "-o", "/dev/full", logs)
    assert done.returncode == 3 and b"/dev/full" in done.stderr
    assert (b"a database can only be written to a file" in done.stderr) == (
        form == "sqlite")


def set_limit(limit):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


@pytest.mark.plain("its memory is limited by files")
@pytest.mark.parametrize("limit", [1 << 12, 1 << 15, 1 << 16])
@pytest.mark.parametrize("form", ["ndjson", "sqlite"])
def test_a_full_disk_leaves_the_old_file(form, limit, table, scratch):
    path = scratch / "log"
    path.write_bytes(many(200))
    (scratch / "out").write_text("old")
    done = table("--rows", "events", "--format", form, "-o", "out", path,
                 preexec_fn=lambda: set_limit(limit))
    assert done.returncode == 3 and (scratch / "out").read_text() == "old"
    assert done.stderr.count(b"\n") == 1 and b"trace2 table: out: " in done.stderr
    assert sorted(os.listdir(scratch)) == ["log", "out"]


def test_lines_that_are_no_events_are_reported(table, logs):
    (logs / "x").write_text('{"event":"start"\n{"a":1}\n')
    done = table(logs)
    assert done.returncode == 1 and b"x:1:" in done.stderr
    assert done.stdout.count(b"\n") == 9


def test_events_after_a_row_keep_their_rows(rows, scratch):
    process = Process("x", 7).end(0.1)
    process.data(0.2, "c", "late", "1").region(0.2, 0.3, "c", "late")
    process.write(scratch / "logs")
    row, = rows("data", scratch / "logs")
    assert (row["key"], row["command"]) == ("late", None)
    assert rows("regions", scratch / "logs") == []
    assert len(rows("processes", scratch / "logs")) == 1


def test_a_child_of_a_row_that_is_gone_has_a_row(rows, scratch):
    top = Process("x", 7).end(0.1)
    child = Process("y", 8, 0.05, top).end(0.1)
    paths = [process.write(scratch / "logs") for process in (top, child)]
    assert [row["command"] for row in rows("processes", *paths)] == ["x", "y"]
    row, = rows("processes", *paths[::-1])
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
