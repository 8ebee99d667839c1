"""Programs that do nothing for tracing themselves: `trace2 trace` and its
variables."""

import json
import os
import resource
import signal
import subprocess
import sys

import pytest
from outside_kit import (  # noqa: F401
    ARCHIVE,
    TRACED,
    build,
    events_of,
    link_shared,
    place,
    points,
    texts_of,
    trace,
    traced_texts,
)
from process_kit import await_that, running

OBJECT = """
#include <trace/event.h>
void point(void);
void point(void)
{
	TRACE_INSTANT("app", "object", TRACE_SCOPE_THREAD);
}
"""

pytestmark = pytest.mark.linked


def cut_texts(path):
    """What the points wrote into a file that was not completed."""
    lines = path.read_text().rstrip("]\n") + "]"
    return [e["args"]["text"] for e in json.loads(lines)
            if e["name"] == "point"]  # fmt: skip


# Every program


@pytest.mark.parametrize("how", ["archive", "static", "shared"])
def test_a_program_with_only_points_is_traced(trace, place, scratch, how):
    words = [TRACED / "points.c"]
    if how == "shared":
        program = link_shared(place, how, *words)
    else:
        options = ["-static"] if how == "static" else []
        program = build(place, how, *options, *words, *ARCHIVE)
    done = trace("--file-pattern", "t.json", "--", program, "one")
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", "")
    names = [e["name"] for e in events_of(scratch / "t.json")]
    assert names == ["point", "group", "other"]


def test_an_object_that_brings_the_library_is_traced(trace, place, scratch):
    host = build(place, "host", "-x", "c", TRACED / "points.c", "-x", "none",
                 "-DNTRACE", *ARCHIVE)
    source = place / "object.c"
    source.write_text(OBJECT)
    made = link_shared(place, "object.so", "-shared", "-fPIC", source)
    loader = place / "loader.c"
    loader.write_text("#include <dlfcn.h>\n"
                      "int main(int argc, char **argv)\n{\n"
                      "\tvoid *o = dlopen(argv[argc - 1], RTLD_NOW);\n"
                      '\t((void (*)(void))dlsym(o, "point"))();\n'
                      "\treturn dlclose(o);\n}\n")
    plain = build(place, "loader", loader, "-ldl")
    assert trace("--", plain, made).returncode == 0
    (path,) = scratch.glob("*.json")
    assert [e["name"] for e in events_of(path)] == ["object"]
    assert trace("--file-pattern", "2.json", "--", host, "open",
                 made).returncode == 3  # fmt: skip


def test_trace2_events_are_in_the_file_too(trace, test_tool, scratch):
    done = trace("--file-pattern", "t.json", "--", test_tool, "trace2",
                 "001return", "4")  # fmt: skip
    assert done.returncode == 4
    names = [e["name"] for e in events_of(scratch / "t.json")]
    assert names[0] == "version" and names[-1] == "atexit"
    trace("--categories", "none", "--file-pattern", "u.json", "--", test_tool,
          "trace2", "001return", "4")  # fmt: skip
    assert events_of(scratch / "u.json") == []


@pytest.mark.plain("a sanitizer delivers SIGXFSZ late")
@pytest.mark.parametrize("size", [0, 4096])
def test_what_a_limit_on_files_costs_is_counted_and_said(execute, test_tool,
                                                        scratch, size):
    done = execute(
        [test_tool, "trace2", "006data", *("c", "k", "v") * 100],
        env={"TRACE_EVENT_CATEGORIES": "*", "GIT_TRACE2_DST_DEBUG": "1",
             "TRACE_EVENT_FILE_PATTERN": str(scratch / "t.json")},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                              (size, size)))
    said = done.stderr.decode()
    kept = (scratch / "t.json").read_text().count('"name":"k"')
    assert f"{scratch / 't.json'}' for 'TRACE_EVENT_CATEGORIES'" in said
    assert 100 <= int(said.split("dropped: ")[1].split()[0]) + kept <= 112


# Categories and patterns


@pytest.mark.parametrize("categories, names", [
    ("app", ["point", "group"]), ("app.more", ["group"]), ("ap", []),
    ("other,app.more", ["group", "other"]), ("a*", []), (" app", []),
    ("*", ["point", "group", "other"]), ("*,x", []),
])  # fmt: skip
def test_only_the_named_categories_are_recorded(
    trace, points, scratch, categories, names
):
    trace("--categories", categories, "--file-pattern", "t.json", "--",
          points, "one")  # fmt: skip
    assert [e["name"] for e in events_of(scratch / "t.json")] == names


@pytest.mark.parametrize("folder", ["a b", "it's", 'a"b', "ü", "-x", "$HOME"])
def test_a_pattern_is_taken_byte_by_byte(trace, points, scratch, folder):
    (scratch / folder).mkdir()
    pattern = f"./{folder}/${{x}} {folder}-${{rotation}}.log"
    done = trace("--file-pattern", pattern, "--", points, "one")
    assert (done.returncode, done.stderr) == (3, "")
    path = scratch / folder / f"${{x}} {folder}-1.log"
    assert texts_of(path) == ["one"]


@pytest.mark.parametrize("prefix", ["--", "--trace-event-"])
def test_nodes_own_options_and_pattern_work(trace, points, scratch, prefix):
    trace(prefix + "categories", "app", prefix + "file-pattern",
          "${pid}-${rotation}.log", points, "one")
    (path,) = scratch.iterdir()
    assert texts_of(path) == ["one"]
    assert path.name == f"{json.loads(path.read_text())[0]['pid']}-1.log"


def test_a_directory_gets_files_of_the_default_name(trace, points, scratch):
    (scratch / "d").mkdir()
    trace("--file-pattern", "d", "--", points, "one")
    (path,) = (scratch / "d").iterdir()
    assert path.name.startswith("trace-") and path.name.endswith(".1.json")


@pytest.mark.parametrize("pattern, why", [
    ("/dev/full", "No space left on device"), ("a" * 300, "File name too long"),
    ("loop", "Too many levels of symbolic links"),
])
def test_file_that_takes_nothing_is_told(trace, points, scratch, pattern, why):
    (scratch / "loop").symlink_to("loop")
    done = trace("--file-pattern", pattern, "--", points, "one")
    assert done.returncode == 1
    assert done.stderr == f"trace2 trace: {scratch / pattern}: {why}\n"


def test_reader_of_a_fifo_gets_the_events(trace, points, scratch):
    os.mkfifo(scratch / "fifo")
    with open(os.open(scratch / "fifo", os.O_RDONLY | os.O_NONBLOCK)) as reader:
        trace("--file-pattern", "fifo", "--", points, "one")
        got = json.load(reader)
    assert [e["args"]["text"] for e in got if e["name"] == "point"] == ["one"]


def test_a_program_may_leave_its_directory(execute, points, scratch):
    (scratch / "sub").mkdir()
    env = {"TRACE_EVENT_CATEGORIES": "*", "TRACE_EVENT_FILE_PATTERN": "t.json"}
    execute([points, "leave", "sub"], env=env)
    assert traced_texts(scratch) == [["child"], ["left"]]
    assert not list((scratch / "sub").iterdir())


def test_files_rotate(trace, points, scratch):
    trace("--file-pattern", "t${rotation}.json", "--", points, "many",
          "524290")  # fmt: skip
    counts = [(scratch / f"t{i}.json").read_bytes().count(b'"point"')
              for i in (1, 2)]
    assert counts == [524288, 2]


@pytest.mark.parametrize("value, counts", [
    ("2", [2, 2, 1]), ("5", [5]), ("0", [5]), ("99999999999999999999", [5])])
def test_files_rotate_after_as_many_events_as_were_asked_for(
    execute, trace, points, scratch, value, counts
):
    def take_files():
        paths = sorted(scratch.glob("t*.json"))
        found = [path.read_bytes().count(b'"point"') for path in paths]
        for path in paths:
            path.unlink()
        return found

    env = {"TRACE_EVENT_CATEGORIES": "*",
           "TRACE_EVENT_FILE_PATTERN": "t${rotation}.json",
           "TRACE_EVENT_EVENTS_PER_FILE": value}
    execute([points, "many", "5"], env=env)
    assert take_files() == counts
    if len(value) < 19:
        trace("--events-per-file", value, "--file-pattern",
              "t${rotation}.json", "--", points, "many", "5")
        assert take_files() == counts


@pytest.mark.long("writes half a million events")
def test_without_a_limit_files_do_not_rotate(trace, points, scratch):
    trace("--events-per-file", "0", "--file-pattern", "t${rotation}.json",
          "--", points, "many", "524290")  # fmt: skip
    (path,) = scratch.glob("t*.json")
    assert path.read_bytes().count(b'"point"') == 524290


@pytest.mark.parametrize("value", ["", "-1", "2x", "two"])
def test_a_limit_that_is_no_number_is_ignored(execute, points, scratch, value):
    execute([points, "many", "5"], env={
        "TRACE_EVENT_CATEGORIES": "*", "TRACE_EVENT_FILE_PATTERN": "t.json",
        "TRACE_EVENT_EVENTS_PER_FILE": value})
    (path,) = scratch.glob("t*.json")
    assert path.read_bytes().count(b'"point"') == 5


# Processes


@pytest.mark.parametrize("pattern", ["t.json", "t-${pid}.json"])
def test_each_process_has_its_own_file(trace, points, scratch, pattern):
    done = trace("--file-pattern", pattern, "--", points, "fork")
    assert done.returncode == 3
    assert traced_texts(scratch) == [["child"], ["parent", "after"]]


def test_a_child_without_events_has_no_file(trace, points, scratch):
    trace("--", points, "silent")
    assert len(list(scratch.iterdir())) == 1


def test_workers_with_threads_are_traced(trace, points, scratch):
    trace("--", points, "workers", "8")
    found = traced_texts(scratch)
    assert [sorted(texts) for texts in found] == (
        [[]] + 8 * [["thread", "worker"]])  # fmt: skip


@pytest.mark.parametrize("pattern", ["t.json", "t-${pid}.json"])
def test_a_program_that_a_child_runs_is_traced(
    trace, points, scratch, pattern
):
    trace("--file-pattern", pattern, "--", points, "exec", points)
    assert traced_texts(scratch) == [["before"], ["one"]]


@pytest.mark.parametrize("pattern", ["t.json", "t-${pid}-${rotation}.json"])
def test_a_process_that_becomes_another_program_keeps_both_files(
    trace, points, scratch, pattern
):
    trace("--file-pattern", pattern, "--", points, "become", points)
    found = sorted(map(cut_texts, scratch.glob("*.json")))
    assert found == [["before"], ["one"]]


def test_programs_one_after_the_other_keep_their_files(
    trace, points, scratch
):
    trace("--file-pattern", "t.json", "--", "sh", "-c",
          '"$0" one; "$0" fork; exit 5', points)  # fmt: skip
    assert traced_texts(scratch) == [["child"], ["one"], ["parent", "after"]]
    assert not (scratch / "t.json").exists()  # it would be the shell's


def has_points(path):
    return path.exists() and b"other" in path.read_bytes()


def test_a_killed_program_leaves_what_was_flushed(
    trace2, points, scratch, env
):
    path = scratch / "t.json"
    with running(trace2, "trace", "--file-pattern", "t.json", "--", points,
                 "wait", env=env, cwd=scratch,
                 stdout=subprocess.PIPE) as process:  # fmt: skip
        process.stdout.readline()
        await_that(lambda: has_points(path))
    assert process.returncode == -signal.SIGKILL
    events = json.loads(path.read_text() + "]")
    names = [e["name"] for e in events if e["ph"] == "I"]
    assert names == ["point", "group", "other"]


def test_a_terminated_program_loses_nothing(trace2, points, scratch, env):
    for signo in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        with running(trace2, "trace", "--file-pattern", "t.json", "--",
                     points, "wait", env=env, cwd=scratch,
                     stdout=subprocess.PIPE) as process:  # fmt: skip
            process.stdout.readline()
            process.send_signal(signo)
            assert process.wait(10) == -signo
        events = json.loads((scratch / "t.json").read_text() + "]")
        names = [e["name"] for e in events if e["ph"] == "I"]
        assert names == ["point", "group", "other"]


@pytest.mark.parametrize("how", ["archive", "shared"])
@pytest.mark.parametrize("number", [
    signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
    signal.SIGPIPE])
def test_a_signal_loses_nothing_that_was_traced(
    trace, place, scratch, how, number
):
    words = [TRACED / "points.c"]
    link = link_shared if how == "shared" else build
    program = link(place, how, *words, *(ARCHIVE if link is build else []))
    done = trace("--", program, "die", str(int(number)))
    assert done.returncode == -number
    found = sorted(map(cut_texts, scratch.glob("*.json")))
    assert found == [["child"], ["parent"]]


def test_a_program_that_looks_at_sigint_when_it_starts_handles_it_itself(
    trace, place, scratch
):
    """As interpreters do: only a default action is replaced."""
    source = place / "looks.c"
    source.write_text(
        "#include <signal.h>\n#include <stdio.h>\n"
        "#include <trace/event.h>\n"
        "static void handle(int n)\n{\n\t(void)n;\n}\n"
        "int main(void)\n{\n\tstruct sigaction old;\n"
        "\tsigaction(SIGINT, NULL, &old);\n"
        "\tif (old.sa_handler == SIG_DFL)\n\t\tsignal(SIGINT, handle);\n"
        '\tTRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD, "text", '
        'TA_STRING("a"));\n'
        "\traise(SIGINT);\n"
        '\tTRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD, "text", '
        'TA_STRING("b"));\n'
        "\treturn 3;\n}\n")
    program = build(place, "looks", source, *ARCHIVE)
    assert trace("--", program).returncode == 3
    assert traced_texts(scratch) == [["a", "b"]]


def test_a_host_of_a_library_that_traces_keeps_sigint(trace, place):
    """Even if the library traces before the host looks at SIGINT."""
    source = place / "preloaded.c"
    source.write_text(
        "#include <trace/event.h>\n#include <trace2.h>\n"
        "__attribute__((constructor)) static void begin(void)\n{\n"
        "\ttrace2_initialize();\n"
        '\tTRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD);\n}\n')
    library = build(place, "preloaded.so", source, "-shared", "-fPIC", *ARCHIVE)
    host = ("import os\ntry:\n    os.kill(os.getpid(), 2)\n"
            "except KeyboardInterrupt:\n    os._exit(3)\n")
    done = trace("--", "env", f"LD_PRELOAD={library}", sys.executable, "-c", host)
    assert done.returncode == 3


def test_the_status_after_a_signal_is_the_programs(trace, points):
    assert trace("--", "sh", "-c", "kill -TERM $$").returncode == -15


# What else the program may do


def test_a_tracing_object_of_the_program_has_its_own_file(
    trace, points, scratch
):
    done = trace("--categories", "app", "--file-pattern", "t.json", "--",
                 points, "tracing")  # fmt: skip
    assert done.stdout == b"app,other\n"
    assert texts_of(scratch / "t.json") == ["own", "after"]
    names = [e["name"] for e in events_of(scratch / "trace.1.json")]
    assert names == ["other"]


def test_a_chrome_target_has_its_own_file(trace, test_tool, scratch):
    done = trace("--categories", "none", "--file-pattern", "t.json", "--",
                 test_tool, "trace2", "001return", "4",
                 env={"GIT_TRACE2_CHROME": str(scratch / "c")})  # fmt: skip
    assert (done.returncode, done.stderr) == (4, "")
    assert len(events_of(scratch / "c")) > 3
    assert events_of(scratch / "t.json") == []


@pytest.mark.parametrize("value", ["{}", "af_unix:{}"])
def test_an_fxt_target_is_off_and_says_why(trace, test_tool, scratch, value):
    done = trace("--file-pattern", "t.json", "--", test_tool, "trace2",
                 "001return", "4",
                 env={"GIT_TRACE2_FXT": value.format(scratch / "f")})  # fmt: skip
    assert done.returncode == 4
    assert done.stderr == (
        "warning: trace2: 'GIT_TRACE2_FXT' has no effect beside "
        "'TRACE_EVENT_CATEGORIES'\n")  # fmt: skip
    assert events_of(scratch / "t.json") and not (scratch / "f").exists()


@pytest.mark.parametrize("variables", [
    {}, {"TRACE_EVENT_CATEGORIES": ""}, {"TRACE_MANAGER": ""},
    {"TRACE_EVENT_FILE_PATTERN": "t.json", "TRACE_EVENT_ROOT": "1"},
])  # fmt: skip
def test_without_categories_nothing_is_traced(
    execute, points, scratch, variables
):
    done = execute([points, "fork"], env=variables)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"")
    assert not list(scratch.iterdir())


def test_a_file_that_cannot_be_opened_harms_nobody(execute, points, scratch):
    env = {"TRACE_EVENT_CATEGORIES": "*",
           "TRACE_EVENT_FILE_PATTERN": "none/t.json"}  # fmt: skip
    done = execute([points, "fork"], env=env)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"")


# The command line


def test_wrong_use_of_trace_is_refused(trace, scratch):
    for words in ([], ["--output", "x", "--", "true"], ["--file-pattern"],
                  ["--file-pattern", "", "--", "true"], ["--categories", "a,",
                  "--", "true"]):  # fmt: skip
        done = trace(*words)
        assert done.returncode == 2
        assert done.stderr.startswith("trace2 trace: ")
        assert "Try 'trace2 trace --help'." in done.stderr
    assert trace("--help").stdout.startswith(b"usage: trace2 trace ")
    assert max(map(len, trace("--help").stdout.splitlines())) <= 80
    assert not list(scratch.iterdir())


def test_a_program_that_cannot_be_run_is_told(trace, scratch):
    assert trace("--", "./none").returncode == 127
    (scratch / "text").write_text("x")
    done = trace("--", "./text")
    assert done.returncode == 126
    assert done.stderr == "trace2 trace: ./text: Permission denied\n"


def test_a_directory_that_is_not_there_is_told(trace, points):
    done = trace("--file-pattern", "no/t.json", "--", points, "one")
    assert (done.returncode, done.stdout) == (1, b"")
    assert "no/: No such file or directory" in done.stderr
    again = trace("--file-pattern", "${x}/t.json", "--", points, "one")
    assert again.returncode == 3  # only the program knows its directory
