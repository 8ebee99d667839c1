"""The fixtures and hooks that the other Python tests stand on."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import spread_waiting

INNER = """
import pytest
from conftest import spread_waiting

def test_passes(scratch):
    (scratch / "file").touch()

@pytest.mark.parametrize("sign", ["+", "++", "long" * 50 + "1", "long" * 50])
def test_fails(scratch, sign):
    (scratch / "file").touch()
    assert False
"""


def test_fixtures_pin_the_environment(execute, scratch):
    shown = execute(["env"]).stdout.decode().splitlines()
    assert {"LC_ALL=C", "TZ=UTC", f"HOME={scratch}"} <= set(shown)
    git = [line for line in shown if line.startswith("GIT_")]
    assert [line.partition("=")[0] for line in sorted(git)] == [
        "GIT_CEILING_DIRECTORIES",
        "GIT_CONFIG_SYSTEM",
    ]


def test_user_variables_do_not_reach_a_test(monkeypatch, request):
    monkeypatch.setenv("GIT_TRACE2", "1")
    assert "GIT_TRACE2" not in request.getfixturevalue("env")


def test_execute_adds_and_takes_away_variables(execute):
    shown = execute(["env"], env={"ADDED": "yes", "HOME": None}).stdout
    names = shown.decode().splitlines()
    assert "ADDED=yes" in names
    assert not [name for name in names if name.startswith("HOME=")]


def test_scratch_is_outside_any_repository(execute):
    assert execute(["git", "rev-parse", "--git-dir"]).returncode == 128


def test_short_dir_leaves_room_for_a_socket_name(short_dir):
    assert len(os.fsencode(short_dir)) < 80


@pytest.fixture
def inner(root, scratch):
    """inner(text, **variables): a suite of its own, of one module."""

    def call(text, name="test_inner.py", **variables):
        place = scratch / "t"
        place.mkdir()
        for file in ("conftest.py", "pytest.ini"):
            shutil.copy(root / "t" / file, place)
        (place / name).write_text(text)
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-rs", "t"],
            cwd=scratch,
            env={**os.environ, "TEST_SCRATCH": f"{scratch}/kept", **variables},
            stdout=subprocess.PIPE,
            text=True,
        )

    return call


def test_failure_prints_its_rerun_and_keeps_its_scratch(inner, scratch):
    done = inner(INNER)
    assert done.returncode == 1
    rerun = (f"rerun: {sys.executable} -m pytest"
             " 't/test_inner.py::test_fails[+]'")
    assert rerun in done.stdout.splitlines()
    assert "test_inner.py::test_passes" not in done.stdout
    kept = list((scratch / "kept" / "test_inner").iterdir())
    assert len(kept) == 4
    assert all(path.name.startswith("test_fails") for path in kept)


UNDER = """
import pytest
from conftest import spread_waiting

def test_runs_nothing():
    assert False

def test_runs_a_program(test_tool):
    pass

@pytest.mark.plain("figures")
def test_measures(run):
    assert False
"""


def test_sanitizer_runs_what_runs_a_program_and_is_not_plain(inner):
    done = inner(UNDER, TEST_UNDER="asan")
    assert "1 passed, 1 skipped, 1 deselected" in done.stdout
    assert "not under asan: figures" in done.stdout


@pytest.mark.parametrize(
    ("name", "done"),
    [
        ("test_inner.py", "1 passed, 1 skipped, 1 deselected"),
        ("test_redact.py", "3 deselected"),
    ],
)
def test_thread_sanitizer_runs_what_may_have_threads(name, done, inner):
    assert done in inner(UNDER, name=name, TEST_UNDER="tsan").stdout


LACKING = """
import hypothesis


def test_that_needs_it():
    assert False
"""


def hide(scratch, name):
    """A directory for PYTHONPATH, in which a module can't be found."""
    (scratch / "sitecustomize.py").write_text(f"""
import importlib.machinery as machinery

find = machinery.PathFinder.find_spec.__func__


def other(cls, name, path=None, target=None):
    return None if name == {name!r} else find(cls, name, path, target)


machinery.PathFinder.find_spec = classmethod(other)
""")
    return str(scratch)


def test_what_imports_a_missing_module_is_skipped_by_name(inner, scratch):
    done = inner(LACKING, PYTHONPATH=hide(scratch, "hypothesis"))
    assert "no hypothesis here (python3-hypothesis)" in done.stdout
    assert " failed" not in done.stdout and " error" not in done.stdout


def test_tests_that_wait_come_evenly_between_the_others():
    names = ["test_collect.py"] * 2 + ["test_a.py"] * 6
    items = [SimpleNamespace(path=Path(name), number=number)
             for number, name in enumerate(names)]
    spread = [item.number for item in spread_waiting(items)]
    assert spread == [2, 3, 0, 4, 5, 1, 6, 7]


def test_tests_are_spread_among_workers_and_none_is_lost(root):
    words = ("t/commands/collect/test_collect_limit.py", "t/commands/collect/test_collect_check.py",
             "t/library/settings/test_settings.py")
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only"]
    shown = [
        re.findall(r"test_\w+\.py: \d+", subprocess.run(
            [*command, *words], cwd=root, env={**os.environ, **more},
            stdout=subprocess.PIPE, text=True).stdout)
        for more in ({}, {"PYTEST_XDIST_WORKER": "gw0"})]
    assert len(shown[0]) == 3
    assert sorted(shown[0]) == sorted(shown[1])
