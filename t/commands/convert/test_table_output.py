"""`trace2 table`: formats, queries, files and memory."""

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
from pathlib import Path

import pytest
from duckdb_kit import duckdb  # noqa: F401
from table_kit import KINDS, Process, logs, pull, rows, table  # noqa: F401

PAGE = "helper/man/trace2-table.1"


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
    texts = ['a"b', "line\nend", "comma,", "=1+1", "ä\u2027", "", "a\\b", "\t"]
    for i, text in enumerate(texts):
        Process("x", 7 + i).error(0.1, text, text).write(scratch / "logs")
    done = table("--rows", "errors", "--format", "csv", scratch / "logs")
    shown = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))
    assert [row["msg"] for row in shown] == texts
    assert [row["msg"] for row in rows("errors", scratch / "logs")] == texts


def test_csv_has_no_nul(table, scratch):
    Process("x", 7).error(0.1, "f", "a\0b").write(scratch / "logs")
    done = table("--rows", "errors", "--format", "csv", scratch / "logs")
    assert b"\0" not in done.stdout and b"a?b" in done.stdout


def test_csv_shows_no_character_that_a_terminal_obeys(table, scratch):
    Process("x", 7).error(0.1, "f", "a\x1b\x7f\x9b\u202e\u2066b").write(
        scratch / "logs")
    done = table("--rows", "errors", "--format", "csv", scratch / "logs")
    assert b"a?????b" in done.stdout


def test_a_database_has_all_tables_indexes_and_views(table, logs, scratch):
    path = scratch / "a.db"
    done = table("--rows", ",".join(KINDS), "--format", "sqlite", "-o", path, logs)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    with sqlite3.connect(path) as base:
        made = collections.Counter(row[0] for row in base.execute(
            "select type from sqlite_master"))
        assert made == {"table": 6, "index": 13, "view": 3}
        assert base.execute("pragma integrity_check").fetchall() == [("ok",)]
        row, = base.execute("select root_command, command, number from data_commands")
        assert row == ("pull", "fetch", 3)
        pushes, = base.execute("select count, failed, longest_us from commands "
                               "where command = 'push' and day = '2026-11-23'")
        assert pushes == (1, 1, 500000)
        index, = base.execute("select count, wall_us, self_us from region_totals "
                              "where label = 'do_read_index'")
        assert index == (4, 160000, 160000)
    assert sorted(os.listdir(scratch)) == ["a.db", "logs"]


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
    "versions": [("2.50.1", 5, 0, "2026-11-16"), ("2.52.0", 4, 2, "2026-11-24")],
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
    "slower": [],
    "children": [("pull", 1, 4, 4, 0.7), ("push", 2, 2, 1, 0.0),
                 ("status", 6, 6, 1, 0.0)],
}  # fmt: skip


def ordered(name, found):
    """Equal errors of NULL come first or last, as the engine has it."""
    found = [tuple(row) for row in found]
    return sorted(found, key=str) if name == "failures" else found


@pytest.fixture
def exported(table, logs, scratch):
    """The kinds as CSV and as NDJSON, by format."""
    files = collections.defaultdict(dict)
    for kind, form in itertools.product(("processes", "regions", "data"),
                                        ("csv", "ndjson")):
        files[form][kind] = scratch / f"{kind}.{form}"
        done = table("--rows", kind, "--format", form, "-o", files[form][kind], logs)
        assert done.returncode == 0
    return files


@pytest.mark.parametrize("form", ["csv", "ndjson"])
@pytest.mark.parametrize("name", RESULTS)
def test_duckdb_gives_the_same(name, form, duckdb, exported, root):
    query = (root / f"helper/views/table/queries/{name}.sql").read_text()
    found = duckdb(exported[form], query)
    assert ordered(name, found) == ordered(name, RESULTS[name])


def test_each_query_is_tested(root):
    folder = root / "helper/views/table/queries"
    assert sorted(path.stem for path in folder.iterdir()) == sorted(RESULTS)
    assert len(RESULTS) == 11


@pytest.mark.parametrize("name", RESULTS)
def test_a_query_gives_what_the_logs_have(name, table, logs, scratch, root):
    path = scratch / "a.db"
    table("--rows", ",".join(KINDS), "--format", "sqlite", "-o", path, logs)
    query = (root / f"helper/views/table/queries/{name}.sql").read_text()
    with sqlite3.connect(path) as base:
        assert ordered(name, base.execute(query)) == ordered(name, RESULTS[name])


# Of runs whose times are 1, 2, 3 ... ms, and those of the next version.
CHANGES = {"same": (12, lambda ms: ms + 0.5, "~"),
           "worse": (12, lambda ms: ms + 6, "slower"),
           "better": (12, lambda ms: ms / 3, "faster"),
           "rare": (3, lambda ms: ms + 20, "untested")}


def test_slower_tells_what_the_test_of_diff_does(root):
    query = (root / "helper/views/table/queries/slower.sql").read_text()
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE processes (command, repository, version, "
                 "wall_us, time, finished)")
    for command, (count, change, _) in CHANGES.items():
        for ms in range(1, count + 1):
            base.executemany("INSERT INTO processes VALUES (?, '/r', ?, ?, ?, 1)", [
                (command, "2.9", ms * 1000, f"2026-01-01T{ms}"),
                (command, "2.10", int(change(ms) * 1000), f"2026-01-02T{ms}"),
                (command, "2.8", 1, "2025-01-01")])
    found = {row[0]: row[2:] for row in base.execute(query)}
    assert {name: row[-1] for name, row in found.items()} == {
        name: verdict for name, (_, _, verdict) in CHANGES.items()}
    assert found["worse"][:6] == ("2.9", "2.10", 12, 12, 6500, 12500)
    assert found["worse"][6] == pytest.approx(0.002, abs=0.0005)
    assert found["rare"][6] is None


def test_duckdb_makes_parquet_in_the_line_of_the_manual(duckdb, exported, root):
    manual = (root / "helper/man/trace2-table.1").read_text()
    line = re.search(r'^duckdb -c "(COPY .*)"$', manual, re.M)[1]
    rows = exported["ndjson"]["processes"]
    parquet = rows.with_suffix(".parquet")
    duckdb.ask(sql=[line.replace("rows.ndjson", str(rows))
                    .replace("rows.parquet", str(parquet))])
    (found,), = duckdb({}, f"SELECT count(*) FROM '{parquet}'")
    assert found == len(rows.read_text().splitlines())


def many(count, processes):
    first = "".join(json.dumps(line) + "\n" for one in processes for line in one.lines)
    return "".join(first.replace("20261116T100000", f"20261116T{i:06}")
                   for i in range(count)).encode()


def set_limit(limit, what=resource.RLIMIT_FSIZE):
    resource.setrlimit(what, (limit, limit))


# 60,000 processes that ended keep about 200 bytes each, since a child or a
# parent may follow in another file.
@pytest.mark.plain("it limits memory")
@pytest.mark.long("20,000 commands")
def test_a_command_that_is_complete_takes_little_memory(trace2, scratch,
                                                        execute):
    path = scratch / "log"
    path.write_bytes(many(20_000, pull()))
    done = execute([trace2, "table", path], stdout=subprocess.DEVNULL,
                   preexec_fn=lambda: set_limit(60 << 20, resource.RLIMIT_AS))
    assert done.returncode == 0, done.stderr


def test_help_names_every_kind_of_row_and_format(table):
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


def test_an_old_file_is_replaced_when_all_is_read(table, logs, scratch):
    (scratch / "out").write_text("old")
    assert table("--format", "ndjson", "-o", "out", logs).returncode == 0
    assert (scratch / "out").read_bytes()[:3] == b'{"s'


@pytest.mark.parametrize("form", ["ndjson", "sqlite"])
def test_an_output_that_cannot_be_written_is_named(form, table, logs):
    done = table("--format", form, "-o", "no/where", logs)
    assert done.returncode == 3 and b"no/where" in done.stderr
    done = table("--format", form, "-o", "/dev/full", logs)
    assert done.returncode == 3 and b"/dev/full" in done.stderr
    assert (b"a database can only be written to a file" in done.stderr) == (
        form == "sqlite")


@pytest.mark.plain("it limits files")
@pytest.mark.parametrize("limit", [1 << 12, 1 << 15, 1 << 16])
@pytest.mark.parametrize("form", ["ndjson", "sqlite"])
def test_a_full_disk_leaves_the_old_file(form, limit, table, scratch):
    path = scratch / "log"
    path.write_bytes(many(200, pull()))
    (scratch / "out").write_text("old")
    done = table("--rows", "events", "--format", form, "-o", "out", path,
                 preexec_fn=lambda: set_limit(limit))
    assert done.returncode == 3 and (scratch / "out").read_text() == "old"
    assert done.stderr.count(b"\n") == 1 and b"trace2 table: out: " in done.stderr
    assert sorted(os.listdir(scratch)) == ["log", "out"]


@pytest.mark.parametrize("form", ["ndjson", "csv", "sqlite"])
def test_rows_among_the_logs_are_not_read(form, table, rows, logs):
    expected = len(rows("events", logs))
    out = logs / "out"
    done = table("--rows", "events", "--format", form, "-o", out, logs, timeout=20)
    assert (done.returncode, done.stderr) == (0, b"")
    if form == "sqlite":
        with sqlite3.connect(out) as base:
            count, = base.execute("select count(*) from events").fetchone()
    else:
        count = out.read_bytes().count(b"\n") - (form == "csv")
    assert count == expected


def test_standard_output_among_the_logs_is_not_read(table, rows, logs):
    expected = len(rows("events", logs))
    with open(logs / "out", "wb") as out:
        done = table("--rows", "events", logs, stdout=out, timeout=20)
    assert done.returncode == 0
    assert (logs / "out").read_bytes().count(b"\n") == expected


@pytest.mark.parametrize("below", [True, False])
def test_a_log_is_not_replaced_by_its_rows(below, table, logs):
    log = min(logs.iterdir())
    before = log.read_bytes()
    done = table("-o", log, logs if below else log)
    assert done.returncode == 2 and log.read_bytes() == before
    assert b"would overwrite what it reads" in done.stderr
    assert len(list(logs.iterdir())) == 12


@pytest.mark.parametrize("name, begin", [
    ("x.csv", b'"sid",'), ("x.db", b"SQLite format 3"), ("x.sqlite", b"SQLite format 3"),
    ("x.ndjson", b"{"), ("x.db.txt", b"{")])
def test_the_name_of_the_output_tells_the_format(name, begin, scratch):
    log = Path(__file__).parents[2] / "corpus/pass/real/evt4-git2.55/status.event"
    subprocess.run([os.environ["TRACE2"], "table", "-o", name, log], cwd=scratch,
                   timeout=20, check=True)
    assert (scratch / name).read_bytes().startswith(begin)
    subprocess.run([os.environ["TRACE2"], "table", "-o", name, "--format", "csv", log],
                   cwd=scratch, timeout=20, check=True)
    assert (scratch / name).read_bytes().startswith(b'"sid",')
