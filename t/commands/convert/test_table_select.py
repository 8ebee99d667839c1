"""`trace2 table --select`: the filter files of trace2receiver."""

import json
import sqlite3

import pytest
from table_kit import Process, logs, pull, rows, table  # noqa: F401

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
        process.region(0.04, 0.05, "index", "do_read_index")
        process.region(0.01, 0.04, "index", "other")
        for count in range(2):
            process.data(0.05, "negotiation_v2", "total", f"{process.pid}.{count}")
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
    assert (row["queued"], row["reads"], row["readTime"]) == (8, 8, 0.16)
    rounds = ["100.0", "100.1", "102.0", "102.1", "3", "101.0", "101.1", "103.0", "103.1"]
    assert json.loads(row["rounds"]) == rounds
    path = scratch / "a.db"
    table("--select", "filter.yml", "--format", "sqlite", "-o", path, scratch / "logs")
    with sqlite3.connect(path) as base:
        assert base.execute("select queued, reads, readTime, rounds from processes"
                            ).fetchall() == [(8, 8, 0.16, row["rounds"])]


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
    ("message_patterns:\n  - prefix: a\n    field_name: Sid\n", 2,
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
