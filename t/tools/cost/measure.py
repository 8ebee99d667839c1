"""Applies the changes to a copy of the tree, builds it and runs its tests."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cost import changes
from cost.tree import Tree

ROOT = Path(__file__).resolve().parent.parent.parent.parent

# What a target of make writes, and a test or a check compares.
GENERATED = re.compile(
    r"golden/(normal|perf|event)/.*|t/README\.md|t/kit/published\.tsv|docs/index\.md"
    r"|schema/(rules|evt\d(\.closed)?\.schema)\.json|schema/evt.*\.json"
    r"|helper/rules/textlog/(normal|perf)\.tsv|t/documents/req/requirements\.lock"
    r"|HACKING\.md|t/stories/git-exec/walls\.txt"
    r"|t/stories/archive-with-every-argument/.*"
    r"|debian/libtrace2-0\.symbols|t/corpus/pass/fxt/.*\.fxt|t/corpus/.*/by-(schema|story)-.*")

MAKE = ("make", "-s", "--no-print-directory")
STEPS = (
    (*MAKE, "rules", "req-bless"),
    (*MAKE, "corpus"),
    (*MAKE, "rules"),  # they show the smallest logs
    (*MAKE, "all", "WERROR=-Werror"),
    (*MAKE, "symbols", "golden"),
)
# An event alone has none of these.
STORIES = (
    (*MAKE, "bless", "STORY=git-exec", "OUTPUT=walls.txt"),
    (*MAKE, "bless", "STORY=archive-with-every-argument"),
)


class Failed(Exception):
    pass


def git(folder, *words):
    return subprocess.run(("git", "-C", folder, *words), check=True, text=True,
                          stdout=subprocess.PIPE).stdout  # fmt: skip


def files(root):
    names = git(root, "ls-files", "-z", "--cached", "--others",
                "--exclude-standard").split("\0")
    return [name for name in names if name and (root / name).is_file()]


BUILT = ("ref", "helper", "gen", "t/unit", "flags")


def copy(folder, built=BUILT):
    """The tree and its objects, as a repository of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in files(ROOT):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    for part in built:
        copy_built(ROOT / "build" / part, folder / "build" / part)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    return folder


def copy_built(source, target):
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    elif source.exists():
        shutil.copy2(source, target)


def changed(folder):
    shown = git(folder, "status", "--porcelain", "-z", "-uall").split("\0")
    # Everything was added before: a change is in the second column.
    return {row[3:] for row in shown if row and row[1] != " "}


def run(folder, *command, env=None):
    done = subprocess.run(command, cwd=folder, text=True, env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}")


def environment(folder):
    tools = {"TEST_TOOL": "helper/test-tool", "TRACE2": "helper/trace2",
             "TEST_SCRATCH": "build/t"}  # fmt: skip
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1",
            **{name: str(folder / path) for name, path in tools.items()}}


def generate(folder, steps=STEPS + STORIES):
    env = environment(folder)
    for step in steps:
        run(folder, *step, env=env)


def check(folder, units, tests):
    env = environment(folder)
    run(folder, *MAKE, "check-req", "check-abi", env=env)
    programs = [f"build/unit/{name}" for name in units]
    if programs:
        run(folder, *MAKE, *programs, env=env)
    for program in programs:
        run(folder, program, env=env)
    python = os.environ.get("PYTHON", sys.executable)
    names = [f"t/{name}.py" for name in tests]
    run(folder, python, "-m", "pytest", "-q", "-x", "-m",
        "not long and not reader", *names, env=env)


def unique(lists):
    return list(dict.fromkeys(one for each in lists for one in each))


def apply_all(folder):
    """Each change with the files that it took."""
    for change in changes.CHANGES:
        tree = Tree(folder)
        change.apply(tree)
        yield change, sorted(tree.hand)


def forget_one(folder, name, change):
    """What asks for a file of the change that was left out, or None."""
    if (ROOT / name).exists():
        shutil.copy2(ROOT / name, folder / name)
        os.utime(folder / name)
    else:
        (folder / name).unlink()
    try:
        generate(folder, STEPS)
        check(folder, change.units, change.tests)
    except Failed as failed:
        return failed.args[0]
    finally:
        git(folder, "checkout", "-q", "--", ".")
        git(folder, "clean", "-dfq")
    return None


def forget(folder, names=()):
    """The event without each of its files in turn, or of those named."""
    folder = copy(folder.absolute())
    change = changes.CHANGES[0]
    tree = Tree(folder)
    change.apply(tree)
    git(folder, "add", "-A")
    missed = 0
    for name in names or sorted(tree.hand):
        asked = forget_one(folder, name, change)
        missed += not asked
        print(f"{name}: {reason(asked) if asked else 'nothing asks for it'}",
              flush=True)
    return 1 if missed else 0


def reason(text):
    """The line that says what is wrong."""
    lines = [line for line in text.splitlines()[1:] if line.strip()]
    found = (line for line in lines
             if re.search(r"error:|Error:|no violation|^E  |gone|fatal", line))
    return next(found, lines[0] if lines else text).strip()[:100]


def main(folder):
    folder = copy(folder.absolute())
    made = list(apply_all(folder))
    for change, hand in made:
        print(f"{change.name}: {len(hand)} of {change.limit} files")
        for name in hand:
            print(f"    {name}")
    try:
        generate(folder)
        check(folder, unique(change.units for change, _ in made),
              unique(change.tests for change, _ in made))
    except Failed as failed:
        print(f"t/tools/change-cost: failed: {failed}")
        return 1
    return report(folder, made)


def report(folder, made):
    hand = {name for _, names in made for name in names}
    made_by = changed(folder) - hand
    # Golden files may come, but what was there stays as it is.
    strange = sorted(n for n in made_by if not GENERATED.fullmatch(n)
                     or (n.startswith("golden/") and (ROOT / n).exists()))
    over = [change.name for change, names in made
            if len(names) > change.limit]
    print(f"made by make: {len(made_by)} files")
    for name in strange:
        print(f"t/tools/change-cost: {name} changed, and nobody wrote it")
    for name in over:
        print(f"t/tools/change-cost: {name}: too many files")
    return 1 if strange or over else 0
