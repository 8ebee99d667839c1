"""`trace2 record` of programs that have no provider, or make one later, and
what it writes under a name that ends in .json."""

import os
import re
import subprocess

import pytest
from outside_kit import (  # noqa: F401
    ARCHIVE,
    TRACED,
    build,
    dumped,
    events_of,
    link_shared,
    place,
    points,
    texts_of,
    trace,
)
from process_kit import await_listener, running

pytestmark = pytest.mark.linked


@pytest.fixture
def record(execute, trace2, short_dir):
    def call(*words, **options):
        options.setdefault("env", {"TMPDIR": str(short_dir)})
        done = execute([trace2, "record", *words], **options)
        done.stderr = done.stderr.decode()
        return done

    return call


def test_a_recording_reaches_programs_without_a_provider(
    record, points, scratch, execute, trace2
):
    done = record("--", points, "fork")
    assert done.returncode == 3
    assert "providers 2, events 9, dropped 0" in done.stderr
    shown = dumped(execute, trace2, scratch / "trace.fxt")
    assert shown.count('provider id=') == 2
    assert shown.count(' name="points"') >= 2


def test_a_file_that_has_what_the_record_lacks_is_told(record, points, scratch):
    own = scratch / "own.fxt"
    told = f"so the archive lacks them: {own}\n"
    done = record("--", points, "fork", env={"GIT_TRACE2_FXT": str(own)})
    assert told in done.stderr
    done = record("--", points, "fork", env={"GIT_TRACE2_FXT": "0"})
    assert "lacks them" not in done.stderr
    assert "providers 2, events 9, dropped 0" in done.stderr


@pytest.mark.parametrize("count", [1000, 1033, 1063])
def test_drops_are_exact_when_a_program_ends(record, points, count):
    """Nothing stops the trace before the program's end."""
    done = record("--buffering-mode", "oneshot", "--buffer-size", "4K",
                  "--", points, "many", str(count))  # fmt: skip
    said = re.search(r"^providers 1, events (\d+), dropped (\d+)",
                     done.stderr, re.MULTILINE)  # fmt: skip
    assert 0 < int(said[1]) < count
    assert int(said[1]) + int(said[2]) == count


def test_an_object_with_its_own_copy_of_the_library_is_harmless(
    record, place, scratch, execute, trace2
):
    """The object's copy finds the epoch of the program's copy, which the
    program exports. Its provider, too, has work to do at the exit."""
    source = place / "object.c"
    source.write_text('''#include <trace/event.h>
        void point(void);
        void point(void)
        {
            TRACE_INSTANT("app", "object", TRACE_SCOPE_THREAD);
        }''')
    made = link_shared(place, "copy.so", "-shared", "-fPIC", source)
    host = build(place, "exporting", TRACED / "points.c", *ARCHIVE,
                 "-rdynamic", "-ldl")
    done = record("--", host, "open", made)
    assert done.returncode == 3
    assert 'name="object"' in dumped(execute, trace2, scratch / "trace.fxt")


def test_the_programs_own_provider_takes_over(
    record, points, scratch, execute, trace2
):
    done = record("--", points, "provider")
    # Nothing of before is lost; after its end the program is not traced.
    assert "mine (pid " in done.stderr
    assert "providers 1, events 6, dropped 0" in done.stderr
    shown = dumped(execute, trace2, scratch / "trace.fxt")
    assert 'name="mine"' in shown and "before" in shown


def test_a_provider_for_another_manager_moves(
    record, points, trace2, short_dir, env
):
    path = short_dir / "other"
    with running(trace2, "manager", "--socket", path, env=env):
        await_listener(path)
        done = record("--", points, "replace", path)
    assert done.returncode == 3
    assert "points (pid " in done.stderr and "events 0" in done.stderr


@pytest.mark.parametrize("target", ["FXT", "CHROME"])
def test_a_target_gets_the_engine_from_a_recording(
    record, test_tool, scratch, short_dir, target
):
    env = {"TMPDIR": str(short_dir), "GIT_TRACE2_DST_DEBUG": "1",
           "GIT_TRACE2_FXT": "0"}  # fmt: skip
    env[f"GIT_TRACE2_{target}"] = str(scratch / "f")
    done = record("--", test_tool, "trace2", "001return", "4", env=env)
    assert done.returncode == 4
    assert "warning" not in done.stderr
    assert "providers" not in done.stderr
    assert b"atexit" in (scratch / "f").read_bytes()


def test_the_inner_command_traces(record, trace, trace2, points, scratch):
    done = record("--", trace2, "trace", "--file-pattern", "in.json", "--",
                  points, "one")  # fmt: skip
    assert "nothing was recorded" in done.stderr and done.returncode == 3
    assert texts_of(scratch / "in.json") == ["one"]
    done = trace("--file-pattern", "out.json", "--", trace2, "record", "--",
                 points, "one")  # fmt: skip
    assert "providers 1, events 3" in done.stderr and done.returncode == 3
    assert not (scratch / "out.json").exists()


def test_the_inner_trace_leaves_no_socket_of_the_recording(
    record, trace2, test_tool, scratch
):
    done = record("--", trace2, "trace", "--file-pattern", "in.json", "--",
                  test_tool, "trace2", "001return", "4")  # fmt: skip
    assert "no effect" not in done.stderr
    assert len(events_of(scratch / "in.json")) > 3


def test_a_recording_becomes_json(record, points, scratch):
    done = record("--output", "t.json", "--", points, "fork")
    assert done.returncode == 3
    assert "providers 2, events 9, dropped 0" in done.stderr
    assert sorted(texts_of(scratch / "t.json")) == ["after", "child", "parent"]
    assert [path.name for path in scratch.iterdir()] == ["t.json"]


def test_a_recording_that_fails_replaces_no_json(record, scratch):
    (scratch / "t.json").write_text("old")
    done = record("--output", "t.json", "--", "true")
    assert done.returncode == 1
    assert (scratch / "t.json").read_text() == "old"


def test_json_goes_to_a_file_only(record, points, scratch):
    os.mkfifo(scratch / "t.json")
    reader = subprocess.Popen(["cat", scratch / "t.json"],
                              stdout=subprocess.DEVNULL)  # fmt: skip
    done = record("--output", "t.json", "--", points, "one")
    reader.wait()
    assert done.returncode == 1
    assert "not a file: t.json" in done.stderr


def test_an_archive_stays_if_json_cannot_be_written(
    record, points, scratch, execute, trace2
):
    done = record("--output", "t.json", "--", "sh", "-c",
                  'mkdir t.json; "$0" one; exit 0', points)  # fmt: skip
    assert done.returncode == 1
    assert "trace2 record: the archive is in: " in done.stderr
    assert "point" in dumped(execute, trace2, scratch / "t.json.partial")
