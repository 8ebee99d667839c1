"""t/conformance, as the author of a driver calls it."""

import json
import shlex
import subprocess
import sys
from xml.etree import ElementTree

import pytest

# It knows one verb, whose only flaw is its nesting.
SCRIPT = """#!/usr/bin/python3
import json, os, sys
words = sys.argv[2:]
if not words:
    sys.exit("usage:\\n\\tt trace2 regions_deep [<depth>]")
with open(os.environ["GIT_TRACE2_EVENT"], "a") as log:
    for event in ("region_enter", "region_leave"):
        for nesting in (1, 2, %s):
            print(json.dumps({"event": event, "nesting": nesting}), file=log)
"""
ONLY = "nested regions count up"


@pytest.fixture
def script(scratch):
    """script(text): a driver that is this program."""

    def make(text):
        path = scratch / "driver"
        path.write_text(text)
        path.chmod(0o755)
        return path

    return make


@pytest.fixture
def conformance(root, scratch):
    def call(*arguments):
        return subprocess.run(
            [sys.executable, root / "t/conformance", *arguments],
            cwd=scratch,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return call


def test_our_driver_passes_what_is_asked_for(conformance, test_tool):
    done = conformance("--driver", test_tool, "--only", ONLY)
    assert (done.returncode, done.stderr) == (0, "")
    assert "not ok" not in done.stdout and "\nok 2 - " in done.stdout


def test_driver_that_fails_is_told_so_in_every_form(
        conformance, script, scratch):
    path = script(SCRIPT % 4)
    files = {name: scratch / name for name in ("junit", "json", "html")}
    options = [word for name, file in files.items()
               for word in (f"--{name}", file)]
    done = conformance("--driver", path, "--only", ONLY, *options)
    assert done.returncode == 1
    assert f"not ok 1 - {ONLY}: region.nesting" in done.stdout
    rerun = done.stdout.partition("rerun:")[2].splitlines()[0].strip()
    driver = shlex.quote(str(path))
    assert rerun == f"t/conformance --driver {driver} --only '{ONLY}'"
    suite = ElementTree.fromstring(files["junit"].read_text())
    found = json.loads(files["json"].read_text())["results"]
    lines = [x for x in done.stdout.splitlines() if x.startswith(("ok", "not"))]
    assert len(suite) == len(found) == len(lines) > 0
    assert "region.nesting" in files["html"].read_text()


def test_driver_without_a_verb_is_not_blamed(conformance, script):
    path = script("#!/bin/sh\necho 'usage: 001return <code>' >&2\nexit 129\n")
    done = conformance("--driver", path, "--only", ONLY)
    assert done.returncode == 0
    assert "UNIMPLEMENTED regions_deep" in done.stdout


def test_scenarios_are_listed_with_their_requirements(conformance):
    done = conformance("--list", "--only", "region.nesting")
    assert done.returncode == 0
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert ONLY in [row[0] for row in rows]
    assert all("region.nesting" in row[1:] for row in rows)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--driver", "nothing-here"),
        ("--driver", "DRIVER", "--only", "no such thing"),
        ("--driver", "DRIVER", "--known", "nobody"),
    ],
)
def test_run_that_can_not_begin_says_why(conformance, script, arguments):
    path = str(script(SCRIPT % 3))
    done = conformance(*(path if a == "DRIVER" else a for a in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert "conformance: " in done.stderr
    assert "Traceback" not in done.stderr


def test_ignored_signals_are_no_drivers_fault(root, test_tool):
    """As nohup, and a shell for its background jobs, leave them."""
    done = subprocess.run(
        ["sh", "-c", 'trap "" HUP INT TERM QUIT; exec "$@"', "sh",
         root / "t/conformance", "--driver", test_tool, "--only",
         "signal.dies"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert "# FAIL" not in done.stdout and done.returncode == 0
