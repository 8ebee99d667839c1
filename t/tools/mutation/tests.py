"""The tests that mutants meet, all run from inside pytest.

A test has a name, the files that it is made of, and run(), which gives its
outcome, a text: the same each time on programs that are as they should be.
"""

import hashlib
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from _pytest.runner import runtestprotocol

INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
# Where a test failed, as tap.h says it.
PLACE = re.compile(r"^# failed at (\S+)$", re.M)
ROOT = Path(__file__).resolve().parent.parent.parent.parent
# Memory that a unit program does not free is noticed, as by check-sanitizers.
LEAKS = {"LSAN_OPTIONS":
         f'suppressions="{ROOT}/t/tools/lint/leaks.supp":print_suppressions=0'
         ":fast_unwind_on_malloc=0"}
# How make links unit programs for that; not these, where LeakSanitizer waits
# for ever because threads fork or are cancelled, says more because memory runs
# out, or needs the clock or the addresses that the program takes away. make
# takes a condition of nothing but blanks as true.
WITHOUT = ("unit/trace/ unit/process/ unit/validate/report/ "
           "unit/lib/common/memory unit/host/clock unit/host/heap")
LINKED = (f"$(if $(strip $(foreach part,{WITHOUT},$(findstring $(part),$@))),"
          ",-fsanitize=leak)")
# These run what is in the list anyway, and much of it at once; or what they
# build for themselves.
LEFT_OUT = ("test_kit.py", "test_golden.py", "test_conformance.py",
            "test_broken_drivers.py", "test_install.py", "test_package.py",
            "test_tokens.py", "test_action.py",
            "test_stories.py")  # fmt: skip


def included(path, found=()):
    """The file, and what it includes from beside it."""
    found = [*found, path]
    for name in INCLUDE.findall(path.read_text()):
        one = path.parent / name
        if one.exists() and one not in found:
            found = included(one, found)
    return found


def name_of(program):
    """Below t/unit and below build/unit."""
    parts = program.parts
    return "/".join(parts[parts.index("unit") + 1:])


def source_of(program):
    """None: it was built of one that is gone."""
    found = [*(ROOT / "t/unit").glob(f"{name_of(program)}.c*")]
    return found[0] if found else None


class Unit:
    """A C program of t/unit. Not the program itself counts as a file of it:
    that changes whenever anything does that it is linked with."""

    def __init__(self, program):
        self.name = f"build/unit/{name_of(program)}"
        self.program = program
        source = source_of(program)
        self.files = [*included(source), *source.parent.glob("*.txt")]

    def run(self):
        with tempfile.TemporaryFile() as said:
            done = subprocess.run(
                [self.program], env=os.environ | LEAKS,
                stdin=subprocess.DEVNULL,
                stdout=said, stderr=subprocess.DEVNULL,
            )
            said.seek(0)
            places = PLACE.findall(said.read().decode("latin-1"))
        return " ".join([f"exit {done.returncode}", *places])


class Golden:
    """A case of golden/."""

    def __init__(self, module, case, tool):
        self.name = f"t/tools/golden check {case.name}"
        self.module, self.case, self.tool = module, case, tool
        self.files = [ROOT / "golden/MANIFEST.tsv"]
        for target in case.targets:
            for brief in (False, True):
                self.files.append(ROOT / "golden" / case.file(target, brief))

    def run(self):
        with tempfile.TemporaryDirectory(prefix="g") as path:
            world = self.module.World(path, self.tool)
            for brief in (False, True):
                texts, wrong = world.run(self.case, brief)
                if wrong or any(self.module.difference(name, text)
                                for name, text in texts.items()):
                    return "different"
        return "the same"


class Output:
    """Of a story: what one command makes of its logs."""

    def __init__(self, story, name):
        self.name = f"t/stories {name} check {story.name}"
        self.story, self.output = story, name
        self.files = [path for path in story.path.rglob("*") if path.is_file()]

    def run(self):
        made, said = self.story.make(self.output)
        messages = self.story.path / "messages.txt"
        kept = messages.read_text() if messages.exists() else ""
        kept = [line for line in kept.splitlines()
                if line.startswith(f"{self.output}: ")]
        if (kept != [f"{self.output}: {line}" for line in said]
                or self.story.compare(self.output, made)):
            return "different"
        return "the same"


class Scenario:
    """Of the conformance kit."""

    def __init__(self, kit, runs, case, tool):
        self.name = f"t/conformance --only '{case.name}'"
        self.kit, self.runs, self.case, self.tool = kit, runs, case, tool
        self.files = [*(ROOT / "t/kit").glob("*.py"),
                      *(ROOT / "t/kit/scenarios").glob("*.py")]

    def run(self):
        driver = self.runs.Driver(self.tool)
        results, _ = self.kit.conduct(self.case, driver)
        return " ".join(f"{r.id}={r.verdict}" for r in results)


class Item:
    """A test function of pytest's, with its parameters."""

    def __init__(self, item):
        self.name = f"pytest {item.nodeid}"
        self.item = item
        self.files = [item.path, *(ROOT / "t").rglob("*_kit.py")]

    def run(self):
        reports = runtestprotocol(self.item, nextitem=None, log=False)
        if any(r.failed for r in reports):
            return "failed"
        return "skipped" if any(r.skipped for r in reports) else "passed"


def golden_module():
    loader = importlib.machinery.SourceFileLoader("golden_cases",
                                                  str(ROOT / "t/tools/golden"))
    spec = importlib.util.spec_from_loader("golden_cases", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def outputs():
    sys.path.append(str(ROOT / "t/stories"))
    from stories import Story, names_of_stories
    stories = map(Story, names_of_stories())
    return [Output(story, name) for story in stories
            for name in story.outputs()]


def collect(items, tree):
    """All of them; the programs are those of `tree`."""
    from kit import kit, run
    module = golden_module()
    tool = tree / "helper/test-tool"
    units = sorted(p for p in (tree / "unit").rglob("*")
                   if not p.suffix and source_of(p))
    cases = kit.load().values()
    return [
        *(Unit(program) for program in units),
        *(Golden(module, case, tool) for case in module.read_manifest()),
        *(Scenario(kit, run, case, tool) for case in cases),
        *outputs(),
        *(Item(i) for i in items if not i.get_closest_marker("long")
          and i.path.name not in LEFT_OUT),
    ]


class Digests:
    """What a test is made of, in short; files are read once."""

    def __init__(self):
        self.known = {}

    def of(self, test):
        whole = hashlib.sha1()
        for path in test.files:
            if path not in self.known:
                data = path.read_bytes() if path.exists() else b""
                self.known[path] = hashlib.sha1(data).digest()
            whole.update(self.known[path])
        return whole.hexdigest()
