"""Other programs' own tests, with a preloaded library that traces them (see
t/library/hosts/shim.c): each test ends as it does without."""

import re
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as xml
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conftest import ROOT

SHIM = ROOT / "build/hosts/shim.so"
TEXTS = {"GIT_TRACE2": "normal", "GIT_TRACE2_PERF": "perf",
         "GIT_TRACE2_EVENT": "event"}  # fmt: skip
# There is one engine: two runs for five targets.
BINARY = {"fxt": "GIT_TRACE2_FXT", "chrome": "GIT_TRACE2_CHROME"}

PYTHON_TESTS = """
test_fork1 test_io test_mmap test_os test_posix test_select test_signal
test_subprocess test_tempfile test_threading test_threadsignals
""".split()

# What is seen of any library that has a file open, wherever in the table:
# these tests list all descriptors of a child, one of them below a limit of
# 29 descriptors.
SUBPROCESS = "test.test_subprocess.POSIXProcessTestCase"
SEEN = {
    f"{SUBPROCESS}.test_pass_fds_redirected",
    f"{SUBPROCESS}.test_close_fds_when_max_fd_is_lowered",
}

# Those that fork, send signals, wait, and count descriptors.
GLIB = Path("/usr/libexec/installed-tests/glib")
GLIB_TESTS = """
asyncqueue cancellable environment g-file gsubprocess io-channel
io-channel-basic live-g-file mainloop pollable socket spawn-multithreaded
spawn-path-search spawn-singlethread spawn-test testing thread thread-pool
unix unix-fd unix-mounts unix-streams utils
""".split()


def traced(scratch, binary):
    """The environment of a traced run, whose logs are below scratch."""
    names = {**TEXTS, BINARY[binary]: binary}
    for name in names.values():
        (scratch / name).mkdir()
    return {
        "LD_PRELOAD": str(SHIM),
        **{key: str(scratch / name) for key, name in names.items()},
    }


def run_in_session(command, place, env, name="out"):
    """Its exit code and what it printed; a session of its own, since some
    tests send signals to all of theirs."""
    with open(place / name, "wb") as out:
        done = subprocess.run(
            command, cwd=place, env=env, stdin=subprocess.DEVNULL, stdout=out,
            stderr=subprocess.STDOUT, start_new_session=True, timeout=900,
        )  # fmt: skip
    return done.returncode, (place / name).read_text(errors="replace")


def run_all(run_suite, scratch, env):
    """run_suite(place, env), untraced and with each binary target; at once,
    since a suite waits more than it works. The outcomes by name."""
    places = {}
    for name in ("plain", *BINARY):
        logs = scratch / f"logs-{name}"
        logs.mkdir()
        (scratch / name).mkdir()
        more = {} if name == "plain" else traced(logs, name)
        places[name] = scratch / name, {**env, **more}
    with ThreadPoolExecutor(len(places)) as pool:
        found = pool.map(lambda place: run_suite(*place), places.values())
        return dict(zip(places, found))


def outcomes_of_python(path):
    """Test: passed, skipped, failure or error."""
    found = {}
    for case in xml.parse(path).getroot().iter("testcase"):
        kinds = {child.tag for child in case} & {"failure", "error", "skipped"}
        found[case.get("name")] = "".join(sorted(kinds)) or "passed"
    return found


def run_python(place, env, *options):
    command = [sys.executable, "-m", "test", "--timeout", "120",
               "--junit-xml", "results.xml", *options]  # fmt: skip
    run_in_session(command, place, env)
    return outcomes_of_python(place / "results.xml")


def run_python_suite(place, env):
    """Some tests race with their own signals, so that they fail on a busy
    machine: what fails is run again, alone."""
    found = run_python(place, env, *PYTHON_TESTS)
    bad = [name for name in found if found[name] in ("failure", "error")]
    if bad:
        (place / "again").mkdir()
        words = [word for name in bad for word in ("-m", name)]
        modules = {name.split(".")[1] for name in bad}
        found |= run_python(place / "again", env, *words, *sorted(modules))
    return found


def outcomes_of_tap(program, code, text):
    """Test: ok or not ok; and how the program ended."""
    found = {f"{program} ends with": code}
    for verdict, name in re.findall(r"^(not ok|ok) \d+ ([^#\n]*)", text, re.M):
        found[f"{program}: {name.strip()}"] = verdict
    return found


def differences(plain, with_trace):
    return {
        f"{name}: {plain.get(name)}, traced: {with_trace.get(name)}"
        for name in {*plain, *with_trace} - SEEN
        if plain.get(name) != with_trace.get(name)
    }


def check_logs(scratch, validate):
    """What was traced is there, and is what a log is; empty where a test
    killed the program before its first event."""
    for name in BINARY:
        logs = scratch / f"logs-{name}"
        events = list((logs / "event").iterdir())
        assert any(b'"key":"read"' in path.read_bytes() for path in events)
        assert list((logs / name).iterdir())
        done = validate(logs / "event")
        errors = re.findall(rb".* error\[(?!input\.empty).*", done.stdout)
        assert errors == []
    done = validate(scratch / "logs-fxt/fxt")
    assert done.returncode == 0, done.stdout.decode()


def judge(found, least):
    """No test that ends otherwise, of enough that pass."""
    plain = found["plain"]
    passed = [name for name in plain if plain[name] in ("passed", "ok")]
    assert len(passed) >= least
    return [
        f"{name}: {text}"
        for name in BINARY
        for text in sorted(differences(plain, found[name]))
    ]


def test_python_passes_its_own_tests_as_it_does_untraced(
    scratch, env, validate
):
    version = f"python3.{sys.version_info[1]}"
    library = Path(sysconfig.get_path("stdlib"))
    if not (library / "test/test_signal.py").exists():
        pytest.skip(f"no tests of Python (lib{version}-testsuite)")

    found = run_all(run_python_suite, scratch, env)
    assert judge(found, 1000) == []
    for name in SEEN:
        assert found["plain"][name] == "passed"
    check_logs(scratch, validate)


def test_glib_passes_its_own_tests_as_it_does_untraced(
    scratch, env, validate
):
    if not GLIB.is_dir():
        pytest.skip("no tests of GLib (libglib2.0-tests)")

    def run_suite(place, env):
        found = {}
        for name in GLIB_TESTS:
            done = run_in_session([GLIB / name, "--tap"], place, env, name)
            found |= outcomes_of_tap(name, *done)
        return found

    assert judge(run_all(run_suite, scratch, env), 200) == []
    check_logs(scratch, validate)
