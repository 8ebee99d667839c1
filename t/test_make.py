"""What the Makefile says about itself."""

import os
import re
import subprocess

import pytest


@pytest.fixture(scope="module")
def make(root):
    """make(*arguments): its output, called as a user calls it."""
    names = {k: v for k, v in os.environ.items() if not k.startswith("MA")}

    def call(*arguments, stderr=subprocess.DEVNULL):
        done = subprocess.run(
            ["make", "-s", "-C", root, *arguments],
            env=names,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
        return done.stdout

    return call


def test_help_lists_every_target_in_one_short_line(make):
    lines = make("help").splitlines()
    listed = [line.split()[0] for line in lines]
    database = make("-p", "-q", "no-such-target")
    phony = re.search(r"^\.PHONY:(.*)$", database, re.M)[1].split()
    assert listed == sorted(set(phony))
    assert [line for line in lines if len(line) > 79] == []


def test_readme_and_ci_name_only_targets_that_exist(make, root):
    listed = {line.split()[0] for line in make("help").splitlines()}
    for name in ("README.md", ".ci/run"):
        named = re.findall(r"\bmake ([a-z][a-z-]*)", (root / name).read_text())
        assert named and set(named) <= listed, name


LACKING = {
    "python3 no-c++": ["PYTHON=/no/python3", "CXX=no-c++"],
    "no_such.h": ["NEEDS=stdio.h no_such.h"],
}


@pytest.mark.parametrize("packages", LACKING)
def test_a_build_that_lacks_something_names_it_on_one_line(make, packages):
    said = make("all", *LACKING[packages], stderr=subprocess.STDOUT)
    (line,) = said.splitlines()
    assert f"to build, install {packages} (" in line
    assert "make deps-build" in line


def test_a_library_needs_less_than_the_command(make):
    lacking = ["PYTHON=/no/python3", "CXX=no-c++"]
    said = make("build/libtrace2.a", *lacking, stderr=subprocess.STDOUT)
    assert said == ""
