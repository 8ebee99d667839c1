"""README.md, docs/tour.md and t/README.md: commands print what stands there."""

import subprocess

import pytest


@pytest.mark.xdist_group("recording")  # all of them write build/recording
@pytest.mark.long("it runs conformance suites")
@pytest.mark.parametrize("name", ["README.md", "docs/tour.md", "t/README.md"])
def test_commands_of_the_readme_print_what_stands_there(root, name):
    done = subprocess.run(
        [root / "t/documents/pages/readme.py", "check", root / name],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.stdout == "" and done.returncode == 0


def test_the_readme_is_short(root):
    assert (root / "README.md").stat().st_size <= 7000
