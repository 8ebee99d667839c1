"""The chapter of SPEC.md where an implementer starts, and its index."""

import fnmatch
import json
import re
import subprocess

import pytest

import spec as reader
from kit import kit
from req import index

# Chapters of the kit that no step names: they are not of Trace2's events.
OTHERS = {"chrome", "fxt"}


@pytest.fixture(scope="module")
def spec(root):
    return reader.read(root)


@pytest.fixture(scope="module")
def emitter(spec):
    """The first example, a program of 30 lines."""
    (example,) = [one for one in spec.examples if one.kind == "python"]
    assert len(example.lines) == 30
    return "\n".join(example.lines) + "\n"


@pytest.fixture
def judge(root, tmp_path):
    """Runs the kit's class `min` on the program; the verdicts by id."""

    def run(program, *options):
        driver, report = tmp_path / "emitter.py", tmp_path / "report"
        driver.write_text(program)
        driver.chmod(0o755)
        done = subprocess.run(
            [root / "t/conformance", "--driver", driver, "--class", "min",
             "--json", report, *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.stderr == b""
        results = json.loads(report.read_text())["results"]
        found = {}
        for one in results:
            found.setdefault(one["verdict"], set()).add(one["id"])
        return done.returncode, found

    return run


def test_first_program_of_the_spec_conforms(emitter, judge):
    code, found = judge(emitter)
    assert code == 0 and set(found) == {"PASS", "UNIMPLEMENTED"}
    assert {"event.version.evt", "event.start.argv", "event.exit.code",
            "json.line", "order.exit", "event.common.sid",
            "destination.file", "destination.off"} <= found["PASS"]


@pytest.mark.long("compiles again")
def test_a_mistake_in_the_first_program_is_found(emitter, judge):
    wrong = emitter.replace("code=code)", "code=str(code))")
    assert wrong != emitter
    code, found = judge(wrong, "--only", "event.exit.*")
    assert code == 1 and found["FAIL"] == {"event.exit.code"}


def steps(spec):
    """The globs of the steps, in order."""
    return [re.findall(r"`([^`]+)`", how)
            for *_, how in spec.table("step", "read")]


def test_steps_run_every_chapter_of_the_kit(spec):
    checked = {name for case in kit.load("scenarios").values()
               for name in case.ids}
    globs = [glob for step in steps(spec) for glob in step]
    assert len(globs) == len(set(globs)) > 20
    assert [g for g in globs if not fnmatch.filter(checked, g)] == []
    left = {name.split(".")[0] for name in checked
            if not any(fnmatch.fnmatchcase(name, g) for g in globs)}
    assert left == OTHERS


def test_index_names_each_statement_once_with_its_section(spec):
    rows = "".join(index.by_id(spec))
    names = re.findall(r"^\| \[([^\]]+)\]\(([^)]+)\)", rows, re.M)
    assert [name for name, _ in names] == sorted(spec.ids)
    assert dict(names)["event.exit.code"] == "../SPEC.md#exit"
    assert dict(names)["quote.join"] == "../SPEC.md#quoting"
    assert dict(names)["engine.errno"] == "../TRACING.md#the-program-around-it"
    assert dict(names)["consumer.gitaly.type"] == "practice.md#gitaly"


def test_index_counts_what_binds_each_class(spec):
    *sections, total = index.by_class(spec, reader.CLASSES)
    bound = [sum(name in one.classes for one in spec.statements)
             for name in reader.CLASSES]
    assert total == index.row("all", *map(str, bound))
    assert any(line.startswith("| [exit](../SPEC.md#exit) |") for line in sections)
