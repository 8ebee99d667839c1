"""Drivers that misbehave: each is told what is wrong, and the kit goes on."""

import json
import subprocess
import sys
import time
from xml.etree import ElementTree

import pytest

USAGE = """#!/bin/sh
test $# != 1 || { echo "	t trace2 001return <code>" >&2; exit 129; }
"""


@pytest.fixture
def judge(root, scratch):
    """judge(script, option...): the kit's verdict on a driver."""

    def call(script, *options):
        path = scratch / "driver"
        path.write_text(script)
        path.chmod(0o755)
        return subprocess.run(
            [sys.executable, root / "t/conformance", "--driver", path,
             *options],
            cwd=scratch,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return call


ONLY = ("--only", "session.component.pid")


def test_driver_that_crashes_fails_and_the_signal_is_named(judge):
    done = judge(USAGE + "kill -SEGV $$\n", *ONLY)
    assert (done.returncode, done.stderr) == (1, "")
    assert "died of SIGSEGV" in done.stdout
    assert "ERROR 0" in done.stdout


def test_driver_that_writes_nothing_fails(judge):
    done = judge(USAGE + "exit 0\n", *ONLY)
    assert done.returncode == 1
    assert "FAIL session.component.pid" in done.stdout
    assert "ERROR 0" in done.stdout


@pytest.mark.parametrize("script", ["sleep 60", "sleep 60 & exit 0"])
def test_driver_that_hangs_fails_in_time_with_all_it_started(judge, script):
    begin = time.monotonic()
    done = judge(USAGE + script + "\n", "--patience", "1", *ONLY)
    assert time.monotonic() - begin < 30
    assert done.returncode == 1
    assert "actual:   no end in 1 s: " in done.stdout
    assert "ERROR 0" in done.stdout


def test_driver_that_hangs_at_its_usage_is_refused(judge):
    done = judge("#!/bin/sh\nsleep 60\n", "--patience", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "should print a usage list: no end in 1 s" in done.stderr


def test_driver_that_writes_no_lines_of_its_format_fails(judge):
    script = """
for f in "$GIT_TRACE2" "$GIT_TRACE2_PERF" "$GIT_TRACE2_EVENT"
do
	test -z "$f" || printf '{"event":7}\\n\\n[["' >>"$f"
done
"""
    done = judge(USAGE + script, "--class", "git")
    assert done.returncode == 1
    assert " ERROR 0" in done.stdout


def test_driver_without_a_usage_list_is_told_so(judge):
    done = judge("#!/bin/sh\necho hello\nexit 3\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no verb was found in the usage list" in done.stderr
    assert "ended with 3 and printed" in done.stderr
    assert "hello" in done.stderr


def test_only_what_binds_a_class_is_judged_if_that_is_asked(
        judge, root, scratch):
    done = judge(USAGE, "--class", "min", "--json", scratch / "report")
    found = json.loads((scratch / "report").read_text())
    classes = [one["classes"] for one in found["requirements"].values()]
    assert classes and all("min" in one for one in classes)
    rows = [row for row in found["tally"] if row.startswith("class ")]
    assert rows == ["class min"]
    assert done.returncode == 1


def test_files_of_runs_are_kept_where_they_are_said_to_be(judge, scratch):
    script = 'echo x >>"${GIT_TRACE2_EVENT:-/dev/null}"\n'
    done = judge(USAGE + script, "--keep", *ONLY)
    places = [line.split()[2] for line in done.stdout.splitlines()
              if line.startswith("# kept: ")]
    assert places
    for place in places:
        text = subprocess.run(["cat", f"{place.rstrip(':')}/event"],
                              stdout=subprocess.PIPE, check=True).stdout
        assert text == b"x\n"
        subprocess.run(["rm", "-r", place.rstrip(":")], check=True)


BYTES = """
for f in "$GIT_TRACE2" "$GIT_TRACE2_PERF" "$GIT_TRACE2_EVENT"
do
	test -z "$f" || printf '\\377{"event":"\\355\\240\\200"} \\0\\033 | \\376\\n' >>"$f"
done
printf '\\377\\n' >&2
"""


@pytest.mark.parametrize("locale", ["C.UTF-8", "C", "de_DE.ISO-8859-1"])
def test_reports_are_complete_whatever_bytes_a_driver_writes(
        judge, scratch, monkeypatch, locale):
    monkeypatch.setenv("LC_ALL", locale)
    if locale != "C.UTF-8":
        monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    names = ("junit", "json", "html")
    options = [w for name in names for w in (f"--{name}", scratch / name)]
    done = judge(USAGE + BYTES, "--class", "git", *options)
    assert (done.returncode, done.stderr) == (1, "")
    assert "ERROR 0" in done.stdout
    files = {name: (scratch / name).read_bytes() for name in names}
    suite = ElementTree.fromstring(files["junit"])
    assert len(suite) == int(suite.get("tests")) > 300
    assert len(json.loads(files["json"])["results"]) == len(suite)
    assert files["html"].decode("utf-8").endswith("</html>\n")


def test_make_leaves_three_reports_on_a_driver(root, scratch, env):
    names = {k: v for k, v in env.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    done = subprocess.run(
        ["make", "-s", "conformance", f"DRIVER={root}/t/example-driver.py",
         "ONLY=event.exit.code", "CLASS=min", f"REPORT={scratch}/report"],
        cwd=root,
        env=names,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "not ok" not in done.stdout and "\n1.." in done.stdout
    found = {path.name for path in (scratch / "report").iterdir()}
    assert found == {"junit.xml", "report.json", "report.html"}


def test_only_git_and_git_config_ask_for_settings_from_files(root):
    """The driver in Python reads none."""
    driver = root / "t/kit/drivers/driver.py"
    for class_, code in (("full", 0), ("git", 1)):
        done = subprocess.run(
            [root / "t/conformance", "--driver", driver, "--class", class_,
             "--only", "settings.normal-target"], stdout=subprocess.DEVNULL)
        assert done.returncode == code
