"""Scenarios for an installed git: what plain commands show without a helper.

Each checks requirements of SPEC.md, as those of kit/scenarios do, and runs
`git` as it is found. What a release of git does otherwise is declared in
t/kit/differences/git-<release>.tsv.
"""

import re

from kit.known import FOLDER

# `quiet` runs git without a trace; the working directory is HOME.
PRELUDE = """
quiet () {
	GIT_TRACE2=0 GIT_TRACE2_PERF=0 GIT_TRACE2_EVENT=0 git \
		-c user.name=A -c user.email=a@example.com "$@"
}
"""
# A repository in repo/ with one commit, and the shell in it. A file as young
# as the index would be looked into by every command, and the index written.
REPOSITORY = """
quiet init -q --template= repo && cd repo && echo text >file &&
touch -t 202601010000 file && quiet add file && quiet commit -q -m first
"""


def version(driver):
    """The release of a git, as two numbers: "2.39"."""
    shown = driver.run(["git", "version"], env={}).stdout.decode()
    found = re.match(r"git version (\d+\.\d+)", shown)
    return found[1] if found else ""


def known(driver):
    """The name of the declarations for this git, if there are any."""
    name = f"git-{version(driver)}"
    return name if (FOLDER / f"{name}.tsv").exists() else None


def shell(kit, script, **options):
    """Run a script for the shell, of which every git is traced but quiet
    ones."""
    return kit.command("sh", "-c", PRELUDE + script, **options)


def off(*targets):
    """Takes the usual destination away from targets."""
    names = {"normal": "GIT_TRACE2", "perf": "GIT_TRACE2_PERF",
             "event": "GIT_TRACE2_EVENT"}
    return {names[t]: None for t in targets}
