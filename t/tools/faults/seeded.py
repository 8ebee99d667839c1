"""Is a seeded fault caught? Builds test-tool with it and asks the kit.

What was caught is remembered in build/faults/caught/ until the program or
the kit changes, so that a run that was broken off goes on where it was.
"""

import hashlib
import shutil
import subprocess
from pathlib import Path

from faults import seeds, source
from kit import kit, run

ROOT = Path(__file__).resolve().parent.parent.parent.parent
BUILD = ROOT / "build"
PATIENCE = 5  # seconds, for a driver that hangs
FLAGS = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-DTRACE2_BUILDING",
         '-DTRACE2_VERSION="1"', "-O1", "-w", "-pthread"]  # fmt: skip


def edited(one):
    """The file with the fault in it."""
    return source.change(ROOT / "ref", one.definition, one.old, one.new)


def users(path):
    """The sources of ref/ that include the header."""
    name = str(path.relative_to(ROOT))
    found = [ROOT / file.relative_to(BUILD).with_suffix(".c")
             for file in sorted((BUILD / "ref").rglob("*.d"))
             if name in file.read_text().split()]  # fmt: skip
    # An old build may leave lists of sources that are gone.
    return [file for file in found if file.exists()]


def build(one, tree):
    """test-tool with the fault: a source's object is another, or those of
    all sources that include a header; all else stays."""
    edit = edited(one)
    path = tree / edit.path.relative_to(ROOT / "ref")
    path.parent.mkdir(parents=True)
    path.write_text(edit.text)
    sources = [path] if path.suffix == ".c" else users(edit.path)
    includes = [f"-I{tree}", f"-I{edit.path.parent}", f"-I{ROOT}/ref",
                f"-I{ROOT}/ref/trace/compat"]  # fmt: skip
    subprocess.run(["gcc", *FLAGS, *includes, "-c", *sources], cwd=tree,
                   check=True)
    tool = tree / "test-tool"
    helper = BUILD / "helper"
    rooms = ("tool", "tool/fake", "tool/verbs", "tool/commands")  # TOOL_ROOMS
    objects = [helper / "test-tool.o",
               *(helper / room / path.with_suffix(".o").name for room in rooms
                 for path in sorted((ROOT / "helper" / room).glob("*.c"))),
               *(BUILD / f"t/kit/drivers/{name}.o" for name in
                 ("blocks", "calls", "children", "host", "names",
                  "objects", "trace", "values"))]
    subprocess.run(["gcc", "-pthread", "-o", tool, *objects,
                    *sorted(tree.glob("*.o")), BUILD / "ref.a", "-lmd"],
                   check=True)
    return tool


def failures(one, tool):
    """The scenarios in which its requirement does not hold."""
    driver = run.Driver(tool)
    driver.patience = PATIENCE
    for case in kit.load().values():
        if one.id not in case.ids:
            continue
        results, _ = kit.conduct(case, driver)
        yield from (r.scenario for r in results
                    if (r.id, r.verdict) == (one.id, kit.FAIL))


def is_caught(one, tree):
    return any(failures(one, build(one, tree)))


def digest():
    """Of all that a verdict depends on, but for the fault."""
    whole = hashlib.sha1((BUILD / "ref.a").read_bytes())
    for path in sorted((ROOT / "t/kit").rglob("*.py")):
        whole.update(path.read_bytes())
    return whole.hexdigest()


def stamp(one, whole):
    name = hashlib.sha1(f"{whole} {one}".encode()).hexdigest()
    return BUILD / "faults/caught" / name


def catch(one, tree, whole):
    """As is_caught(), from memory if it can be."""
    mark = stamp(one, whole)
    if mark.exists():
        return True
    if not is_caught(one, tree):
        return False
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    shutil.rmtree(tree)
    return True


ALL = {one.name: one for one in seeds.SEEDS}
