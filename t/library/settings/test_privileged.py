"""A set-user-ID program and what its caller puts into its environment."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest

from conftest import program

NOBODY = 65534

VARIABLES = {
    "GIT_TRACE2": "normal",
    "GIT_TRACE2_PERF": "perf",
    "GIT_TRACE2_EVENT": "event",
    "GIT_TRACE2_FXT": "fxt",
    "GIT_TRACE2_CHROME": "chrome",
    "TRACE_EVENT_CATEGORIES": "categories",
    "GIT_CONFIG_GLOBAL": "config",
    "GIT_CONFIG_SYSTEM": "config",
}


def why_not(place):
    """Why no set-user-ID program can be run there, or None."""
    if os.geteuid():
        return "only root can make a set-user-ID program of another user"
    if os.statvfs(place).f_flag & os.ST_NOSUID:
        return f"{place} is mounted without set-user-ID programs"
    if "NoNewPrivs:\t1" in Path("/proc/self/status").read_text():
        return "no program gets privileges here"
    return None


@pytest.fixture
def public_dir():
    """A directory that everybody may write to."""
    with tempfile.TemporaryDirectory(prefix="t2-") as path:
        os.chmod(path, 0o777)
        reason = why_not(path)
        if reason:
            pytest.skip(reason)
        yield Path(path)


@pytest.fixture
def call_as_nobody(public_dir, execute):
    """call_as_nobody(mode, variables): what the program leaves behind."""

    def call(mode, variables):
        target = public_dir / "program"
        shutil.copy(program("TEST_PARTS", "build/parts/parts"), target)
        target.chmod(mode)
        before = set(os.listdir(public_dir))
        done = execute(
            [target, "exit", "trace2", "provider"],
            env=variables,
            cwd=public_dir,
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
        )
        assert (done.returncode, done.stdout) == (7, b"")
        made = set(os.listdir(public_dir)) - before
        return made, done.stderr

    return call


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_set_user_id_program_ignores_its_callers_variables(
    variable, call_as_nobody, public_dir
):
    value = public_dir / VARIABLES[variable]
    if VARIABLES[variable] == "config":
        value.write_text(f"[trace2]\n\teventTarget = {public_dir}/event\n")
        value.chmod(0o644)
    names = {variable: str(value), "GIT_TRACE2_DST_DEBUG": "1"}
    made, said = call_as_nobody(0o755, names)
    assert (len(made), said) == (1, b"")  # nobody's program is not privileged
    for name in made:
        (public_dir / name).unlink()
    assert call_as_nobody(0o755 | stat.S_ISUID, names) == (set(), b"")


def test_a_set_user_id_program_prints_no_settings_of_others(
    call_as_nobody, public_dir
):
    secret = public_dir / "secret"
    secret.write_text('[trace2 "x\n')
    names = {"GIT_CONFIG_GLOBAL": str(secret), "GIT_TRACE2": "1"}
    assert call_as_nobody(0o755, names)[1]
    assert call_as_nobody(0o755 | stat.S_ISUID, names) == (set(), b"")
