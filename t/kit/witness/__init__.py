"""Scenarios for an installed git: what plain commands show without a helper.

Each checks requirements of SPEC.md, as those of kit/scenarios do, and runs
`git` as it is found. What a release of git does otherwise is declared in
t/known/git-<release>.tsv.
"""

import re

from kit.known import FOLDER


def version(driver):
    """The release of a git, as two numbers: "2.39"."""
    shown = driver.run(["git", "version"], env={}).stdout.decode()
    found = re.match(r"git version (\d+\.\d+)", shown)
    return found[1] if found else ""


def known(driver):
    """The name of the declarations for this git, if there are any."""
    name = f"git-{version(driver)}"
    return name if (FOLDER / f"{name}.tsv").exists() else None
