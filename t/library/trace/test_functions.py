"""Programs that are compiled with -finstrument-functions, and the names that
`trace2 dump` and `trace2 convert` give to their functions."""

import json
import re
import shutil
import subprocess
from collections import Counter

import pytest
from outside_kit import ARCHIVE, TRACED, build, place  # noqa: F401

from conftest import LIBRARY

FLAGS = ["-finstrument-functions", "-O0"]
STATIC = [LIBRARY / "libtrace2-functions.a", *ARCHIVE]
SHARED = ["-L", LIBRARY, "-ltrace2-functions", "-ltrace2", "-pthread"]
FOUND = {"LD_LIBRARY_PATH": str(LIBRARY)}
INNER = "int inner(int n); int inner(int n) { return n; }\n"
CALL = re.compile(r'^\S+ (begin|end) .* thread=(\d+) category="([^"]*)"'
                  r' name="([^"]*)"')

pytestmark = pytest.mark.linked


@pytest.fixture(scope="module")
def calls(place):  # noqa: F811
    return build(place, "calls", *FLAGS, TRACED / "calls.c", *STATIC)


@pytest.fixture(scope="module")
def shared(place):  # noqa: F811
    return build(place, "shared", *FLAGS, TRACED / "calls.c", *SHARED)


@pytest.fixture(scope="module")
def inner(place):  # noqa: F811
    source = place / "inner.c"
    source.write_text(INNER)
    return build(place, "inner.so", *FLAGS, "-shared", "-fPIC", source)


@pytest.fixture
def shown(execute, trace2, scratch, short_dir):
    """shown(program, ...): the calls that a recording shows, in order."""

    def call(*command, options=(), status=0, **env):
        variables = {"TMPDIR": str(short_dir), **FOUND, **env}
        done = execute([trace2, "record", *options, "--", *command],
                       env=variables)  # fmt: skip
        assert done.returncode == status, done.stderr
        done = execute([trace2, "dump", "trace.fxt"])
        assert done.returncode == 0, done.stderr
        lines = done.stdout.decode().splitlines()
        return [m.groups() for m in map(CALL.match, lines) if m]

    return call


PLAIN = [("begin", "main"), ("begin", "twice"), ("begin", "leaf"),
         ("end", "leaf"), ("begin", "leaf"), ("end", "leaf"),
         ("end", "twice"), ("end", "main")]  # fmt: skip


def named(found):
    return [(kind, name) for kind, _, _, name in found]


@pytest.mark.parametrize("options", [
    ["-pie", "-fPIE"], ["-no-pie"], ["-static"], ["-static-pie", "-fPIE"],
])  # fmt: skip
def test_functions_have_names_in_each_kind_of_program(place, shown, options):  # noqa: F811
    name = "calls" + options[0]
    program = build(place, name, *FLAGS, *options, TRACED / "calls.c", *STATIC)
    found = shown(program, "plain")
    assert named(found) == PLAIN
    assert {category for _, _, category, _ in found} == {name}


def test_the_library_may_be_shared(shown, shared):
    assert named(shown(shared, "plain")) == PLAIN


def test_the_library_may_be_preloaded(place, shown):  # noqa: F811
    program = build(place, "bare", *FLAGS, TRACED / "calls.c", "-pthread")
    found = shown("env", "LD_PRELOAD=libtrace2-functions.so", program, "plain")
    assert named(found) == PLAIN


def test_a_loaded_object_has_a_category_of_its_own(shown, shared, inner):
    found = shown(shared, "open", inner)
    assert ("begin", "inner") in named(found)
    assert Counter(c for _, _, c, _ in found) == {"shared": 4, "inner.so": 2}
    only = shown(shared, "open", inner, options=["--categories", "inner.so"])
    assert named(only) == [("begin", "inner"), ("end", "inner")]


def test_an_object_may_go_and_come_again(shown, shared, inner):
    found = named(shown(shared, "again", inner))
    assert found.count(("begin", "inner")) == 2


def test_calls_on_threads_are_those_threads(shown, calls):
    found = shown(calls, "threads")
    counts = Counter(thread for kind, thread, _, name in found
                     if (kind, name) == ("begin", "leaf"))  # fmt: skip
    assert sorted(counts.values()) == [1000] * 4
    ends = Counter(thread for kind, thread, _, name in found
                   if (kind, name) == ("end", "leaf"))  # fmt: skip
    assert counts == ends


def test_signal_handlers_may_be_instrumented(shown, calls):
    found = named(shown(calls, "signals"))
    assert found.count(("begin", "main")) == 1
    # A handler that interrupts a record is not traced.
    assert found.count(("begin", "on_alarm")) > 0
    assert found.count(("begin", "on_alarm")) <= found.count(("begin", "leaf"))


def test_forked_children_are_traced(shown, calls):
    found = shown(calls, "fork")
    assert ("begin", "leaf") in named(found)


def test_errno_is_kept(shown, calls):
    assert shown(calls, "errno", status=77)


def test_without_tracing_nothing_happens(execute, calls, scratch):
    done = execute([calls, "plain"])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not list(scratch.iterdir())


def test_a_stripped_program_keeps_addresses(place, shown, calls):  # noqa: F811
    program = place / "stripped"
    subprocess.run(["strip", "-o", program, calls], check=True)
    assert {name for _, name in named(shown(program, "plain"))} == {"function"}


def test_exported_functions_of_a_stripped_object_have_names(
    place, shown, shared, inner  # noqa: F811
):
    stripped = place / "less.so"
    subprocess.run(["strip", "-o", stripped, inner], check=True)
    assert ("begin", "inner") in named(shown(shared, "open", stripped))


def test_another_file_of_that_name_gives_no_names(
    execute, trace2, scratch, shown, calls, shared
):
    program = scratch / "program"
    shutil.copy(calls, program)
    assert named(shown(program, "plain")) == PLAIN
    shutil.copy(shared, program)
    done = execute([trace2, "dump", "trace.fxt"])
    assert b'name="leaf"' not in done.stdout
    assert b'name="function"' in done.stdout
    program.unlink()
    again = execute([trace2, "dump", "trace.fxt"])
    assert again.stdout == done.stdout


def test_names_go_into_json(execute, trace2, scratch, calls, short_dir):
    done = execute([trace2, "record", "--output", "t.json", "--", calls,
                    "plain"], env={"TMPDIR": str(short_dir)})  # fmt: skip
    assert done.returncode == 0
    events = json.loads((scratch / "t.json").read_text())
    names = [e["name"] for e in events if e["ph"] == "B"]
    assert names == ["main", "twice", "leaf", "leaf"]


def test_run_time_tracing_has_the_calls_too(execute, trace2, scratch, calls):
    done = execute([trace2, "trace", "--categories", "calls",
                    "--file-pattern", "t.json", "--", calls, "plain"])  # fmt: skip
    assert done.returncode == 0
    events = json.loads((scratch / "t.json").read_text())
    assert sum(e["ph"] == "B" for e in events) == 4
