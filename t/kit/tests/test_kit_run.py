"""The kit's view of one run: what a line says, and all that came out.

payload() and columns() are the kit's normaliser: what differs from build to
build and run to run (time, file, line) is told apart from what has to be.
"""

import os
import signal

import pytest

import spec as reader
from kit import listen as listening
from kit import run as runs

NORMAL = b"05:42:03.588769 git.c:1" + 27 * b" "
PERF = (
    b"08:34:05.000058 region.c:41                  | d0 | main             "
    b"        | region_enter |     |  0.000056 |           | cat          | "
)


def perf(payload=b"", **changed):
    """A PERF line with other texts in it."""
    line = PERF + payload
    for old, new in changed.values():
        assert old in line
        line = line.replace(old, new)
    return line


def made(**files):
    """A Run that wrote these files."""
    named = {name: text.encode() for name, text in files.items()}
    return runs.Run(["x"], 0, b"", b"", named, [])


# Lines of EVENT


def test_event_line_is_its_object():
    assert runs.parse_event(b'{"event":"exit","code":1}') == {
        "event": "exit",
        "code": 1,
    }


@pytest.mark.parametrize(
    "line", [b"", b"[]", b'"x"', b"{", b'{"a":1}{', b'{"a":"\xff"}', b"null"]
)
def test_what_is_no_object_is_no_event(line):
    assert runs.parse_event(line) is None


def test_events_are_chosen_by_name_and_place():
    run = made(event='{"event":"a","n":1}\ntorn\n{"event":"b"}\n'
                     '{"event":"a","n":2}\n')
    assert [e["n"] for e in run.events("a")] == [1, 2]
    assert len(run.events()) == 3
    assert run.event("a", 1)["n"] == run.event("a", -1)["n"] == 2
    assert run.events(file="other") == []


@pytest.mark.parametrize("place", [2, -3])
def test_an_event_that_is_not_there_is_absent(place):
    run = made(event='{"event":"a"}\n{"event":"a"}\n')
    with pytest.raises(runs.Absent, match="there is only 2 a event in event"):
        run.event("a", place)
    with pytest.raises(runs.Absent, match="there is no b event in event"):
        run.event("b", place)


# Lines of NORMAL


@pytest.mark.parametrize(
    ("line", "payload"),
    [
        (NORMAL + b"exit x", b"exit x"),
        (b"05:42:03.588769 " + b"d/" * 30 + b"a.c:12 exit x", b"exit x"),
        (b"05:42:03.588769" + 35 * b" " + b"exit x", b"exit x"),
        (NORMAL + b"start ", b"start "),
        (NORMAL, b""),
        (b"exit x", b"exit x"),
        (b"start ", b"start "),
        (b"12:30", b"12:30"),
        (b"", b""),
    ],
)
def test_payload_is_what_stands_behind_the_prefix(line, payload):
    assert runs.payload(line) == payload


def test_payloads_are_chosen_by_their_first_word():
    run = made(normal="start a b\nexit c\nstarter\nstart\n")
    assert run.payloads(b"start") == [b"start a b", b"start"]
    assert len(run.payloads()) == 4


# Lines of PERF


@pytest.mark.parametrize("brief", [False, True])
def test_perf_line_is_its_columns(brief):
    line = perf(b"....label:x | y")
    found = runs.columns(line[47:] if brief else line)
    assert (found.depth, found.thread, found.event) == (
        "d0", "main", "region_enter")
    assert (found.repo, found.t_abs, found.t_rel, found.category) == (
        "", "0.000056", "", "cat")
    assert (found.dots, found.payload) == (4, "label:x | y")
    assert found.before == (
        "" if brief else "08:34:05.000058 region.c:41")
    assert found.raw[2] == "main" + 20 * " "


def test_perf_line_without_payload_keeps_its_columns():
    found = runs.columns(perf())
    assert (found.dots, found.payload) == (0, "")


@pytest.mark.parametrize(
    "line", [b"", b"x", perf(cut=(b"| cat          | ", b"| cat"))]
)
def test_perf_line_with_too_few_columns_has_none(line):
    assert runs.columns(line) is None


def test_perf_lines_keep_bytes_that_are_not_utf8():
    found = runs.columns(perf(b"\xff"))
    assert found.payload.encode("utf-8", "surrogateescape") == b"\xff"


def test_perf_lines_are_chosen_by_event():
    text = perf(b"..x").decode() + "\nsecond line of it\n" + PERF.decode()
    run = made(perf=text + "\n")
    assert [c.dots for c in run.perf("region_enter")] == [2, 0]
    assert run.perf("exit") == []


@pytest.mark.parametrize("kind", ["perf", "perf brief"])
def test_every_perf_example_of_the_spec_is_read(root, kind):
    examples = reader.read(root).examples
    lines = [x for e in examples if e.kind == kind for x in e.lines]
    assert lines
    for line in lines:
        found = runs.columns(line.encode())
        assert found.depth in ("d0", "d1"), line
        assert found.event.replace("_", "").isalpha(), line
        assert (found.before != "") == (kind == "perf"), line


def test_every_normal_example_of_the_spec_is_read(root):
    examples = reader.read(root).examples
    lines = [x for e in examples if e.kind == "normal" for x in e.lines]
    assert lines
    for line in lines:
        found = runs.payload(line.encode()).decode()
        assert line.endswith(found) and len(line) - len(found) >= 50, line


# Drivers

SCRIPT = """#!/bin/sh
case "$2" in
"") echo 'usage: 001return <code> | 500x'
	printf '\\tt trace2 %s\\n' 'by_name [<x>]' 540y '<other>' and-on >&2
	exit 129 ;;
001return) exit "$3" ;;
002die) kill -TERM $$ ;;
003env) env; pwd ;;
006signals) grep ^SigIgn: /proc/self/status; ulimit -c ;;
004files) mkdir d; echo in >d/f; mkfifo d/p; chmod 500 d; cat >copy; pwd ;;
005child) shift 2; "$@" ;;
esac
"""


@pytest.fixture
def driver(scratch):
    path = scratch / "driver"
    path.write_text(SCRIPT)
    path.chmod(0o755)
    return runs.Driver(path)


def call(driver, *words, **options):
    options.setdefault("env", {})
    return driver.run(["test-tool", "trace2", *words], **options)


def test_verbs_are_those_that_the_usage_list_names(driver):
    assert driver.verbs == {"001return", "500x", "540y", "by_name"}


def test_exit_is_the_code_or_minus_the_signal(driver):
    assert call(driver, "001return", "129").exit == 129
    assert call(driver, "002die").exit == -15


def test_driver_finds_no_signal_ignored_and_leaves_no_core(driver):
    ignored, cores = call(driver, "006signals").stdout.split()[1:]
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        assert not int(ignored, 16) >> (number - 1) & 1
    assert cores == b"0"


def test_driver_is_found_by_its_name_in_path(driver):
    run = call(driver, "005child", "test-tool", "trace2", "001return", "7")
    assert run.exit == 7


def test_environment_of_a_driver_is_pinned(driver, monkeypatch):
    for name in ("GIT_TRACE2", "GIT_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, "/elsewhere")
    monkeypatch.setenv("LC_ALL", "de_DE")
    run = call(driver, "003env", env={"GIT_TRACE2_EVENT": "{}/event"})
    *names, place = run.stdout.decode().splitlines()
    found = dict(line.split("=", 1) for line in names)
    assert (found["LC_ALL"], found["TZ"]) == ("C", "UTC")
    assert found["HOME"] == place
    assert found["GIT_TRACE2_EVENT"] == f"{place}/event"
    assert not {"GIT_TRACE2", "GIT_DIR", "XDG_CONFIG_HOME"} & set(found)


def test_variable_can_be_taken_away(driver):
    run = call(driver, "003env", env={"HOME": None})
    assert b"\nHOME=" not in b"\n" + run.stdout


def test_files_go_in_and_come_out(driver):
    given = {"a/b": b"at {}\n", "copied": b"x"}
    run = call(driver, "003env", files=given, cwd="a")
    place = run.stdout.splitlines()[-1].removesuffix(b"/a")
    assert run.files == {"a/b": b"at " + place + b"\n", "copied": b"x"}


def test_regular_files_come_out_and_all_is_cleared_away(driver):
    run = call(driver, "004files", stdin=b"typed", setup="ln -s copy link")
    assert run.files == {"copy": b"typed", "d/f": b"in\n"}
    assert not os.path.exists(run.stdout.rstrip(b"\n"))


def test_listener_tells_what_it_received(driver):
    class Listener:
        wrap = staticmethod(lambda words: words)
        pass_fds = ()
        pause = 0

        def __init__(self, scratch):
            self.place = scratch

        def stop(self):
            return [str(self.place).encode()]

    run = call(driver, "003env", listen=Listener)
    assert run.received == [run.stdout.splitlines()[-1]]


@pytest.mark.parametrize("listen", [None, listening.idle_pipe(5)])
def test_driver_that_does_not_end_is_named(scratch, listen):
    """Also where a shell moves the descriptor of a pipe before it."""
    path = scratch / "driver"
    path.write_text("#!/bin/sh\nexec sleep 30\n")
    path.chmod(0o755)
    driver = runs.Driver(path)
    driver.patience = 0.2
    with pytest.raises(runs.Hung, match="no end in 0.2 s: .*test-tool hangs$"):
        driver.run(["test-tool", "hangs"], env={}, listen=listen)


def test_driver_dies_of_a_signal_that_the_kit_ignores(scratch):
    """A shell ignores two for what it starts in the background."""
    path = scratch / "driver"
    path.write_text("#!/bin/sh\nkill -QUIT $$\n")
    path.chmod(0o755)
    before = signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    try:
        run = runs.Driver(path).run(["test-tool"], env={})
    finally:
        signal.signal(signal.SIGQUIT, before)
    assert run.exit == -signal.SIGQUIT


@pytest.mark.parametrize(("late", "runs_made"), [
    (0, 1), (1, 2), (3, 4), (99, runs.TRIES)])
def test_run_whose_pipe_was_read_late_is_repeated(driver, late, runs_made):
    made = []

    def listen(scratch):
        listener = listening.Listener(scratch)
        listener.pause = runs.PAUSE if len(made) < late else 0
        made.append(listener)
        return listener

    call(driver, "trace2", "001return", "0", listen=listen)
    assert len(made) == runs_made
