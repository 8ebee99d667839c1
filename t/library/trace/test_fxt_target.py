"""The FXT target, beyond what the kit asks of any driver."""

import os
import resource
import signal
import time

import pytest
from kit import fxt
from perfetto_kit import perfetto  # noqa: F401

MIB = 1 << 20


@pytest.fixture
def traced(run, scratch):
    """traced(verb, ...): the process, its records and its file."""

    def call(*words, path="t.fxt", env={}, **options):
        done = run(*words, env={"GIT_TRACE2_FXT": str(scratch / path), **env},
                   **options)
        file = scratch / path
        text = file.read_bytes() if file.is_file() else b""
        return done, fxt.records(text) if text else [], text

    return call


def events(records):
    return [r.name for r in records if r.kind == "instant"]


# What no log shall hold, what needs a terminal, or waits for a signal.
VERBS = {
    "001return": ("0",), "002exit": ("3",), "003error": ("a",),
    "004child": ("true",), "006data": ("c", "k", "v"), "007bug": (),
    "100timer": ("1", "1"), "101timer": ("1", "1", "3"),
    "200counter": ("1",), "201counter": ("1", "2", "3"),
    "300redact_start": ("git", "https://u:p@h/"), "500region_nested": (),
    "501region_printf": (), "502region_unbalanced": (), "503region_open": (),
    "504region_bare": (), "505region_mismatch": (), "510data_intmax": (),
    "511data_json": (), "512data_null": (), "513printf": ("\u00e4",),
    "535child_open": (), "536child_odd": (), "540signal": ("TERM",),
    "550threads": ("4",), "551thread_unknown": (), "553thread_again": (),
    "555thread_no_exit": ("3",), "560fork": (), "563fork_grandchild": (),
    "564fork_thread": (), "566fork_ids": (),
}


def test_archives_of_all_verbs_are_without_errors(run, execute, trace2,
                                                  scratch):
    (scratch / "d").mkdir()
    for verb, words in VERBS.items():
        run(verb, *words, env={"GIT_TRACE2_FXT": str(scratch / "d")})
    done = execute([trace2, "validate", "--format", "concise", scratch / "d"])
    assert done.returncode == 0, done.stdout.decode()
    assert len(list((scratch / "d").iterdir())) > len(VERBS)


@pytest.mark.parametrize("variable", ["GIT_TRACE2_FXT", "GIT_TRACE2_CHROME"])
def test_a_file_without_a_name_is_written(variable, run, scratch):
    memory = os.memfd_create("trace")
    nameless = os.open(scratch, os.O_TMPFILE | os.O_RDWR)
    for fd in memory, nameless:
        env = {variable: f"/proc/self/fd/{fd}", "GIT_TRACE2_DST_DEBUG": "1"}
        done = run("513printf", "words", env=env, pass_fds=[fd])
        assert done.stderr == b""
        assert b"atexit" in os.pread(fd, MIB, 0)
        os.close(fd)


def test_bytes_that_are_no_text_are_replaced(traced):
    _, records, _ = traced("003error", os.fsdecode(b"a\xff\xc3b\xe2\x82"))
    said = [r.args["msg"] for r in records if r.name == "error"]
    assert said == ["a\ufffd\ufffdb\ufffd"]
    _, records, _ = traced("006data", os.fsdecode(b"\xff"),
                           os.fsdecode(b"k\xff"), os.fsdecode(b"v\xff"))
    data, = (r for r in records if "value" in r.args)
    assert (data.category, data.name) == ("?", "k?")
    assert data.args["value"] == "v\ufffd"


def test_a_password_is_not_in_the_file(traced):
    _, records, text = traced("300redact_start", "git", "clone",
                              "https://user:hidden@host/")
    assert b"hidden" not in text
    assert any("<REDACTED>" in r.args.get("argv", "") for r in records)


def test_a_forked_child_has_an_archive_of_its_own(run, scratch):
    (scratch / "d").mkdir()
    run("560fork", env={"GIT_TRACE2_FXT": str(scratch / "d")})
    files = sorted((scratch / "d").iterdir())
    found = [fxt.records(path.read_bytes()) for path in files]
    assert len(found) == 2
    assert all(events(records)[0] == "version" for records in found)
    pids = [records[0].of for records in found]
    assert len(set(pids)) == 2
    for records in found:
        assert {r.of[0] for r in records if r.kind == "instant"} == {
            records[0].of[0]}


def test_a_child_that_traces_nothing_has_no_file(run, scratch):
    (scratch / "d").mkdir()
    run("561fork_silent", "exit", env={"GIT_TRACE2_FXT": str(scratch / "d")})
    assert len(list((scratch / "d").iterdir())) == 1


def test_what_finds_no_room_is_counted_and_said(traced):
    done, records, text = traced(
        "006data", *("c", "k", "v" * 3000) * 600,
        env={"GIT_TRACE2_FXT_MAX": "1m", "GIT_TRACE2_DST_DEBUG": "1"})
    written = sum("value" in r.args for r in records)
    assert MIB // 2 < len(text) <= MIB + 4096
    said = done.stderr.decode()
    assert "events dropped: " in said
    # exit and what comes behind it found no room either
    assert int(said.split("dropped: ")[1].split()[0]) >= 600 - written > 0
    assert done.returncode == 0


def limit_files(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.plain("a sanitizer delivers SIGXFSZ late")
@pytest.mark.parametrize("size", [0, 100, 4096, 5000, 8192, 20000, 40960,
                                  MIB + 4096])
def test_a_limit_on_files_costs_the_trace_alone(traced, size):
    done, records, text = traced("006data", *("c", "k", "v" * 3000) * 600,
                                 env={"GIT_TRACE2_DST_DEBUG": "1"},
                                 preexec_fn=limit_files(size))
    assert (done.returncode, done.stdout) == (0, b"")
    assert len(text) <= size and (len(text) > 0) == (size >= 8192)
    said = done.stderr.decode()
    assert "unable to write trace to 'GIT_TRACE2_FXT': " in said
    dropped = int(said.split("dropped: ")[1].split()[0])
    assert 604 <= dropped + len(events(records)) <= 607


@pytest.mark.parametrize("path", ["none/t.fxt", "/dev/full", "/dev/null"])
def test_a_file_that_can_t_be_made_switches_the_target_off(traced, path):
    done, _, _ = traced("001return", "3", path=path,
                        env={"GIT_TRACE2_DST_DEBUG": "1"})
    assert done.returncode == 3
    assert done.stderr.startswith(b"warning: trace2: could not open '")
    done, _, _ = traced("001return", "3", path=path)
    assert (done.returncode, done.stderr) == (3, b"")


def test_a_signal_is_the_last_record(traced):
    done, records, _ = traced("540signal", "TERM")
    assert done.returncode == -signal.SIGTERM
    assert events(records)[-1] == "signal"
    assert records[-1].args == {"signo": signal.SIGTERM}


def test_a_directory_that_is_full_gets_a_sentinel(run, scratch):
    (scratch / "d").mkdir()
    (scratch / "d/x").touch()
    env = {"GIT_TRACE2_FXT": str(scratch / "d"), "GIT_TRACE2_MAX_FILES": "3"}
    for _ in range(2):
        run("001return", "0", env=env)
    names = sorted(path.name for path in (scratch / "d").iterdir())
    assert names == ["git-trace2-discard", "x"]
    records = fxt.records((scratch / "d/git-trace2-discard").read_bytes())
    assert events(records)[:2] == ["version", "too_many_files"]


def test_two_that_write_one_file_at_a_time_do_not_share_it(
        run, scratch, test_tool):
    path = scratch / "t.fxt"
    env = {"GIT_TRACE2_FXT": str(path)}
    # Neither is below the other: a shell between them takes the parent away.
    script = 'unset GIT_TRACE2_PARENT_SID; exec "$@"'
    done = run("004child", "sh", "-c", script, "sh",
               test_tool, "trace2", "001return", "0", env=env)
    assert done.returncode == 0
    found = sorted(p.name for p in scratch.iterdir() if p.suffix == ".fxt")
    assert len(found) == 2 and found[1] == "t.fxt"


def test_perfetto_shows_regions_children_and_counters(
        perfetto, run, test_tool, scratch):  # noqa: F811
    (scratch / "d").mkdir()
    env = {"GIT_TRACE2_FXT": str(scratch / "d")}
    run("004child", test_tool, "trace2", "500region_nested", "3", env=env)
    run("201counter", "1", "2", "2", env=env)
    whole = scratch / "all.fxt"
    files = sorted((scratch / "d").iterdir())
    whole.write_bytes(b"".join(path.read_bytes() for path in files))
    slices, depths, counters, threads = perfetto(
        whole,
        "select name, dur from slice where category = 'trace2' and dur > 0",
        "select name, depth from slice where category = 'nest' and dur > 0"
        " order by ts",
        "select distinct t.name as name from counter c"
        " join counter_track t on c.track_id = t.id",
        "select distinct name from thread where name like 'th0%'")
    assert [row["name"] for row in slices] == ["child"]
    assert [(row["name"], row["depth"]) for row in depths] == [
        ("level1", 0), ("level2", 1), ("level3", 2)]
    assert {row["name"].partition(":")[0] for row in counters} == {
        "test2"}
    assert len(threads) == 2


def test_record_traces_what_a_command_says_of_itself(
        execute, trace2, test_tool, scratch):
    done = execute([trace2, "record", "--output", scratch / "t.fxt", "--",
                    test_tool, "trace2", "004child", test_tool, "trace2",
                    "500region_nested", "2"])
    assert done.returncode == 0, done.stderr
    records = fxt.records((scratch / "t.fxt").read_bytes())
    names = [r.name for r in records]
    assert names.count("atexit") == 2 and "level2" in names
    assert len({r.of for r in records if r.kind == "provider"}) == 2
    done = execute([trace2, "validate", scratch / "t.fxt"])
    assert done.returncode == 0, done.stdout


def test_record_writes_the_categories_that_are_asked_for(
        execute, trace2, test_tool, scratch):
    execute([trace2, "record", "--categories", "nest", "--output",
             scratch / "t.fxt", "--", test_tool, "trace2",
             "500region_nested", "2"])
    records = fxt.records((scratch / "t.fxt").read_bytes())
    assert {r.category for r in records if r.category} == {"nest"}


def test_nobody_who_listens_costs_no_time(run, scratch):
    begin = time.monotonic()
    done = run("001return", "3",
               env={"GIT_TRACE2_FXT": f"af_unix:{scratch}/none",
                    "GIT_TRACE2_DST_DEBUG": "1"})
    assert done.returncode == 3
    assert time.monotonic() - begin < 5
