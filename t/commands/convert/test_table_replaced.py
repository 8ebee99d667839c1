"""`trace2 table -o FILE.db`: the database that is replaced."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest
from table_kit import logs, table  # noqa: F401


@pytest.fixture
def base(table, logs, scratch):
    """base(name): a database of ours with a row of its own, to be replaced."""

    def make(name="a.db", *, begin="CREATE VIEW mine AS SELECT 1"):
        assert table("-o", scratch / name, "--rows", "regions", logs).returncode == 0
        base = sqlite3.connect(scratch / name, isolation_level=None)
        base.execute(begin)
        return base

    return make


def find_tables(path):
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [name for name, in base.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'")]


def kill_writer(base, scratch, mode):
    """a.db and its journal, as a writer that is killed leaves them."""
    base.execute(f"PRAGMA journal_mode = {mode}")
    base.execute("PRAGMA cache_size = 1")
    base.execute("BEGIN")
    base.execute("UPDATE regions SET category = hex(randomblob(900))")
    if mode == "WAL":
        base.execute("COMMIT")
    for ending in ("", "-wal", "-journal"):
        if (scratch / f"a.db{ending}").exists():
            shutil.copy(scratch / f"a.db{ending}", scratch / f"left.db{ending}")
    base.close()
    assert len(list(scratch.glob("left.db*"))) == 2


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_journal_of_a_killed_writer_does_not_spoil_the_new_database(
    base, table, logs, scratch, mode
):
    kill_writer(base(), scratch, mode)
    done = table("-o", scratch / "left.db", logs)
    assert (done.returncode, done.stderr) == (0, b"")
    assert find_tables(scratch / "left.db") == ["processes"]
    assert [path.name for path in scratch.glob("left.db*")] == ["left.db"]


@pytest.mark.parametrize("words", [[], ["--append"]])
@pytest.mark.parametrize("mode, ending", [("DELETE", "-journal"), ("WAL", "-wal")])
def test_journal_without_its_database_is_told(
    base, table, logs, scratch, mode, ending, words
):
    kill_writer(base(), scratch, mode)
    (scratch / "left.db").unlink()
    done = table(*words, "-o", scratch / "left.db", logs)
    assert done.returncode == 3
    assert f"of this name with {ending} is of another database".encode() in done.stderr
    assert sorted(os.listdir(scratch)) == ["a.db", "left.db" + ending, "logs"]


@pytest.mark.parametrize("name", ["file:a.db?mode=ro", ":memory:", "file:/a's.db"])
def test_name_that_sqlite_takes_for_another_is_a_files(
    table, logs, scratch, monkeypatch, name
):
    monkeypatch.chdir(scratch)
    (scratch / name).parent.mkdir(exist_ok=True)
    for words, code in ([], 0), ([], 0), (["--append"], 1):
        done = table(*words, "--format", "sqlite", "-o", name, logs)
        assert done.returncode == code, done.stderr
    assert find_tables(scratch / name) == ["processes"]


def test_tables_and_views_of_others_stay(table, logs, scratch):
    with sqlite3.connect(scratch / "a.db") as theirs:
        theirs.execute("CREATE TABLE thesis (word)")
        theirs.execute("CREATE VIEW words AS SELECT word FROM thesis")
    for words in ["--rows", "processes,regions,data"], []:
        done = table("-o", scratch / "a.db", *words, logs)
        assert (done.returncode, done.stderr) == (0, b"")
        with sqlite3.connect(scratch / "a.db") as base:
            views = [name for name, in base.execute(
                "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")]
        assert views == ["commands", *["data_commands", "region_totals"][:2 * len(words)],
                         "words"]
    assert find_tables(scratch / "a.db") == ["thesis", "processes"]


@pytest.mark.parametrize("mode", [
    pytest.param("DELETE", marks=pytest.mark.long("waits for 10 s")), "WAL"])
def test_database_that_is_read_is_replaced_without_harm(
    base, table, logs, scratch, mode
):
    """Where a reader keeps writers out, it is waited for."""
    reader = base(begin=f"PRAGMA journal_mode = {mode}")
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM regions").fetchone()
    done = table("-o", scratch / "a.db", logs)
    assert done.returncode == (0 if mode == "WAL" else 3)
    assert (b"a.db: database is locked\n" in done.stderr) == (mode != "WAL")
    assert reader.execute("SELECT count(*) FROM regions").fetchone()[0]
    reader.close()
    assert find_tables(scratch / "a.db") == [
        "processes" if mode == "WAL" else "regions"]


def test_append_adds_a_table_that_is_not_there(base, table, logs, scratch):
    base().close()
    for code in 0, 1:
        done = table("--append", "-o", scratch / "a.db", logs)
        assert done.returncode == code
    assert find_tables(scratch / "a.db") == ["regions", "processes"]


def test_rows_are_put_into_an_empty_file(table, logs, scratch):
    """As mktemp(1) makes; for SQLite this is a database."""
    (scratch / "a.db").touch()
    for code in (0, 1):
        assert table("--append", "-o", scratch / "a.db", logs).returncode == code
    assert find_tables(scratch / "a.db") == ["processes"]


def test_fifo_that_nobody_reads_is_told_at_once(table, logs, scratch):
    os.mkfifo(scratch / "a.db")
    done = table("-o", scratch / "a.db", logs)
    assert done.returncode == 3
    assert done.stderr.endswith(b": a database can only be written to a file\n")


def test_file_that_is_no_database_stays(table, logs, scratch):
    text = "a text that is long enough for a header" * 99
    (scratch / "a.db").write_text(text)
    done = table("-o", scratch / "a.db", logs)
    assert (done.returncode, (scratch / "a.db").read_text()) == (3, text)
    assert b"a.db: file is not a database\n" in done.stderr
