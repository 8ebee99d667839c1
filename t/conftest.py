"""What every Python test stands on: places, a pinned environment, programs.

    def test_start_names_the_program(run, scratch):
        run("001return", "0", env={"GIT_TRACE2_EVENT": str(scratch / "log")})
        assert '"event":"start"' in (scratch / "log").read_text()

TEST_TOOL and TRACE2 in the environment name other programs to test.
"""

import gc
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

# What a shell ignores for its background jobs, tests would ignore too.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

ROOT = Path(__file__).resolve().parent.parent

# pytest lets a test import what is in its own room. These are the rooms from
# which others import, too.
SHARED = ("common", "commands/collect", "commands/convert", "commands/record",
          "commands/rules", "commands/summary", "commands/validate",
          "documents", "documents/schema", "library/trace", "tools",
          "tools/faults", "tools/readers")
sys.path[1:1] = [str(ROOT / "t" / room) for room in SHARED]

SCRATCH = Path(os.environ.get("TEST_SCRATCH") or ROOT / "build" / "t")



class Optional:
    """Where a module for tests is missing, what imports it is skipped."""

    NAMES = ("hypothesis", "jsonschema", "yaml")

    def find_spec(self, name, path=None, target=None):
        if name in self.NAMES:
            pytest.skip(f"no {name} here (python3-{name})",
                        allow_module_level=True)


sys.meta_path.append(Optional())

# Examples are the same in every run; a failure is reproduced by the rerun.
if PathFinder.find_spec("hypothesis"):
    import hypothesis

    hypothesis.settings.register_profile(
        "pinned", derandomize=True, deadline=None, database=None
    )
    hypothesis.settings.load_profile("pinned")


def program(variable, default):
    return Path(os.environ.get(variable) or ROOT / default).absolute()


# The sanitizer that the programs were built with, if any.
UNDER = os.environ.get("TEST_UNDER", "")
# In these builds there is none; but counters cost time and memory, too.
NO_SANITIZER = "coverage", "mutation"
# Where the libraries are that traced programs link, and an object that these
# need besides.
LIBRARY = program("TEST_LIBRARY", "build")
LINKED = [os.environ[name] for name in ("TEST_LINKED",) if name in os.environ]


# Other readers, which take their time and may be missing.
READERS = {"perfetto", "devtools", "speedscope", "duckdb", "otlp"}

# What takes a second or more and is made once for a file of tests. Those that
# use it run on one worker; otherwise each worker would make it.
COSTLY = {"calls", "collected", "inner", "points", "shared", "story", "traced"}

# What tests the kit and other tests, and no program.
OF_TESTS = ("test_kit_", "test_lint", "test_abnf", "test_broken_drivers",
            "test_conftest", "test_conformance_drivers", "test_mutation",
            "test_req")

# Programs of one thread, in which the thread sanitizer has nothing to see.
OF_ONE_THREAD = ("test_data_json", "test_dump", "test_gen_tables",
                 "test_gitconfig", "test_install", "test_params",
                 "test_readme", "test_redact", "test_schema", "test_settings",
                 "test_spec", "test_stories", "test_validate_consumers",
                 "test_validate_corpus", "test_validate_defects",
                 "test_validate_property", "test_validate_rules",
                 "test_validate_schema", "test_validate_text")


def is_of_interest(item):
    """Under a sanitizer: does it run a program that the sanitizer watches?"""
    if UNDER == "tsan" and item.path.name.startswith(OF_ONE_THREAD):
        return False
    return bool({"test_tool", "trace2"} & set(item.fixturenames))


# Tests that wait for programs and clocks longer than they use a processor.
WAITING = ("test_collect", "test_ready_streams", "test_record_endings")


def spread_waiting(items):
    """The same tests, those that wait evenly between the others, so that
    seldom all workers wait at once."""
    waiting = [item for item in items if item.path.name.startswith(WAITING)]
    others = [item for item in items
              if not item.path.name.startswith(WAITING)]
    begin = 0
    for number, item in enumerate(waiting, 1):
        end = number * len(others) // (len(waiting) + 1)
        yield from others[begin:end]
        yield item
        begin = end
    yield from others[begin:]


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    mark_and_select(config, items)
    yield
    # By now what -m leaves out is gone.
    if "PYTEST_XDIST_WORKER" in os.environ:
        items[:] = spread_waiting(items)


def pytest_collection_finish():
    """The tests stay until the end, and looking for garbage among them again
    and again took a quarter of the time."""
    gc.set_threshold(100_000, 50, 100)


def mark_and_select(config, items):
    """What asks another reader is for check-readers, what tests the tests is
    long. Under a sanitizer only what runs our programs is of interest."""
    for item in items:
        if READERS & set(item.fixturenames):
            item.add_marker(pytest.mark.reader)
        if item.path.name.startswith(OF_TESTS):
            item.add_marker(pytest.mark.long("tests the tests"))
        if COSTLY & set(item.fixturenames):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    if not UNDER:
        return
    others = [item for item in items if not is_of_interest(item)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if is_of_interest(item)]
    for item in items:
        reason = why_not(item)
        if reason:
            item.add_marker(pytest.mark.skip(
                reason=f"not under {UNDER}: {reason}"))


def why_not(item):
    """Why a test of an ordinary build is left out, or None."""
    mark = item.get_closest_marker("plain")
    if mark and UNDER != "mutation":
        return mark.args[0]
    if item.get_closest_marker("linked") and UNDER not in NO_SANITIZER:
        return "its programs are built without it"
    return None


@pytest.fixture(scope="session")
def root():
    """The top of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def test_tool():
    return program("TEST_TOOL", "helper/test-tool")


@pytest.fixture(scope="session")
def trace2():
    return program("TRACE2", "helper/trace2")


@pytest.fixture
def scratch(request):
    """An empty directory of the test's own; kept if the test fails."""
    words = re.sub(r"[^A-Za-z0-9_.-]+", "-", request.node.name)[:70]
    unique = hashlib.sha1(request.node.nodeid.encode()).hexdigest()[:8]
    path = SCRATCH / request.node.path.stem / f"{words}-{unique}"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    yield path
    report = getattr(request.node, "report_of_call", None)
    if report is None or report.passed:
        shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def short_dir():
    """An empty directory whose path is short enough for a socket's."""
    with tempfile.TemporaryDirectory(prefix="t2-") as path:
        yield Path(path)


@pytest.fixture
def terminal():
    """terminal(): a new one's two ends, ours first."""

    def call():
        try:
            return os.openpty()
        except OSError as error:
            pytest.skip(f"no /dev/pts: {error}")

    return call


@pytest.fixture
def env(scratch):
    """The environment of t/test-lib.sh, as a dictionary to change."""
    others = ("GIT_", "TRACE_")
    names = {k: v for k, v in os.environ.items() if not k.startswith(others)}
    names.pop("XDG_CONFIG_HOME", None)
    names.update(
        LC_ALL="C",
        TZ="UTC",
        HOME=str(scratch),
        GIT_CONFIG_SYSTEM="/dev/null",
        GIT_CEILING_DIRECTORIES=str(scratch.parent),
    )
    return names


@pytest.fixture
def execute(scratch, env):
    """execute(command, env={}, **options): a finished process, in bytes.

    `env` is added to the pinned environment; a value of None takes a
    variable away. Anything that subprocess.run() takes may be given.
    """

    def call(command, env={}, _pinned=env, **options):
        names = {k: v for k, v in {**_pinned, **env}.items() if v is not None}
        options.setdefault("cwd", scratch)
        options.setdefault("timeout", 360 if UNDER else 120)
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        for stream in ("stdout", "stderr"):
            options.setdefault(stream, subprocess.PIPE)
        return subprocess.run(command, env=names, umask=0o022, **options)

    return call


@pytest.fixture
def run(execute, test_tool):
    """run(verb, *arguments, env={}, **options): `test-tool trace2 verb`."""

    def call(*arguments, **options):
        return execute([test_tool, "trace2", *arguments], **options)

    return call


@pytest.fixture
def in_shell(execute, test_tool):
    """in_shell(verb, *arguments, redirect="5>log"): as run, redirected."""

    def call(*arguments, redirect="", **options):
        script = f'exec "$@" {redirect}'
        shell = ["bash", "-c", script, "sh", test_tool, "trace2"]
        return execute([*shell, *arguments], **options)

    return call


@pytest.fixture
def validate(execute, trace2):
    """validate(*arguments, env={}, **options): `trace2 validate`."""

    def call(*arguments, **options):
        return execute([trace2, "validate", *arguments], **options)

    return call


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    if report.when == "call":
        item.report_of_call = report


def pytest_terminal_summary(terminalreporter):
    """A failing test prints the one command that reruns it alone."""
    for outcome in ("failed", "error"):
        for report in terminalreporter.stats.get(outcome, ()):
            name = shlex.quote(rerun_name(report.nodeid))
            terminalreporter.write_line(
                f"rerun: {sys.executable} -m pytest {name}"
            )


def rerun_name(nodeid):
    """A node id as seen from the top of the repository, without the group
    that pytest-xdist adds."""
    nodeid = re.sub(r"@[a-z]+$", "", nodeid)
    return nodeid if nodeid.startswith("t/") else f"t/{nodeid}"
