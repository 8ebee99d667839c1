"""golden/ is complete, and its runner sees what it has to see."""

import os
import re
import shlex
import shutil
import subprocess

import pytest

import spec as reader

COLUMNS = 6


@pytest.fixture(scope="module")
def cases(root):
    """The manifest's lines as lists: case, exit, targets, env, command, ids."""
    text = (root / "golden" / "MANIFEST.tsv").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [line.split("\t") for line in lines]


def golden(test_tool, script, *arguments):
    """t/tools/golden with the program under test."""
    return subprocess.run(
        [script, *arguments],
        env={**os.environ, "TEST_TOOL": str(test_tool)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_outputs_are_the_golden_ones(test_tool, root):
    done = golden(test_tool, root / "t/tools/golden", "check")
    assert done.returncode == 0, done.stdout


def test_every_verb_has_a_golden_case(run, cases):
    usage = run().stderr.decode().splitlines()[1:]
    verbs = {line.split()[2] for line in usage}
    words = [shlex.split(case[4]) for case in cases]
    assert verbs - {word for command in words for word in command} == set()


def test_every_event_stands_in_a_golden_file(execute, test_tool, root):
    table = execute([test_tool, "event-table"]).stdout.decode()
    events = {line.split("\t")[0] for line in table.splitlines()}
    files = (root / "golden" / "event").glob("*.txt")
    text = "".join(path.read_text() for path in files)
    assert events - set(re.findall(r'^{"event":"(\w+)"', text, re.M)) == set()


def test_manifest_cites_requirements_that_there_are(cases, root):
    ids = reader.read(root).ids
    for case in cases:
        assert len(case) == COLUMNS, case[0]
        cited = case[5].split()
        assert cited and set(cited) <= ids, case[0]
        assert len(cited) == len(set(cited)), case[0]


def test_manifest_names_each_case_once_by_its_verb(cases):
    names = [case[0] for case in cases]
    assert len(names) == len(set(names))
    for name, _, _, _, command, _ in cases:
        verb = name.partition("-")[0]
        assert verb in (*command.split(), "tool", "verb"), name


@pytest.fixture
def tree(scratch, root, test_tool):
    """A tree with two cases, and its runner: tree(*arguments)."""
    for name in ("t/tools", "golden"):
        (scratch / name).mkdir(parents=True)
    shutil.copy(root / "t/tools/golden", scratch / "t/tools")
    (scratch / "golden" / "MANIFEST.tsv").write_text(
        "# two cases\n"
        "ends\t3\tevent perf\t\ttest-tool trace2 001return 3\tevent.exit\n"
        "says\t0\tnormal\tX='a b'\ttest-tool trace2 003error m\tevent.error\n"
    )

    def call(*arguments):
        return golden(test_tool, scratch / "t/tools/golden", *arguments)

    assert call("write").returncode == 0
    return call


@pytest.mark.long("tests t/tools/golden itself")
def test_golden_write_makes_just_the_files_of_the_targets(tree, scratch):
    folder = scratch / "golden"
    files = sorted(str(p.relative_to(folder)) for p in folder.glob("*/*"))
    assert files == [
        "event/ends.brief.txt", "event/ends.txt",
        "normal/says.brief.txt", "normal/says.txt",
        "perf/ends.brief.txt", "perf/ends.txt",
    ]
    assert tree("check").returncode == 0


@pytest.mark.long("tests t/tools/golden itself")
def test_golden_check_shows_a_changed_byte(tree, scratch):
    path = scratch / "golden" / "normal" / "says.txt"
    path.write_text(path.read_text().replace(" error m", " error n"))
    done = tree("check")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "--- golden/normal/says.txt" in lines
    changed = [line for line in lines if line[:2] in ("-0", "+0")]
    assert [line[0] + line[51:] for line in changed] == [
        "-error n", "+error m",
    ]
    assert tree("check", "ends").returncode == 0
    assert tree("check", "says").returncode == 1


@pytest.mark.long("tests t/tools/golden itself")
def test_golden_check_misses_a_file_that_is_gone(tree, scratch):
    (scratch / "golden" / "perf" / "ends.brief.txt").unlink()
    done = tree("check")
    assert done.returncode == 1
    assert "--- golden/perf/ends.brief.txt" in done.stdout


@pytest.mark.long("tests t/tools/golden itself")
def test_golden_check_finds_a_file_of_no_case(tree, scratch):
    (scratch / "golden" / "event" / "old.txt").touch()
    done = tree("check")
    assert done.returncode == 1
    assert "golden/event/old.txt: no such case" in done.stdout
    assert tree("write").returncode == 0
    assert not (scratch / "golden" / "event" / "old.txt").exists()


@pytest.mark.long("tests t/tools/golden itself")
def test_golden_check_compares_the_exit_code(tree, scratch):
    manifest = scratch / "golden" / "MANIFEST.tsv"
    manifest.write_text(manifest.read_text().replace("ends\t3", "ends\t4"))
    done = tree("check")
    assert done.returncode == 1
    assert "ends: exit code 3, not 4" in done.stdout
    before = sorted((scratch / "golden").rglob("*"))
    assert tree("write").returncode == 1
    assert sorted((scratch / "golden").rglob("*")) == before


@pytest.mark.long("tests t/tools/golden itself")
def test_golden_write_says_which_files_it_changed(tree, scratch):
    assert tree("write").stdout == ""
    (scratch / "golden" / "event" / "ends.txt").write_text("")
    assert tree("write").stdout == "golden/event/ends.txt\n"


@pytest.mark.long("tests t/tools/golden itself")
@pytest.mark.parametrize(
    "words", [[], ["check", "unknown"], ["write", "ends"], ["other"]]
)
def test_golden_refuses_what_it_does_not_know(tree, words):
    done = tree(*words)
    assert done.returncode == 1
    assert done.stdout.startswith("usage: ")


@pytest.mark.long("tests t/tools/golden itself")
def test_golden_check_says_how_to_rerun_what_failed(tree, scratch):
    (scratch / "golden" / "normal" / "says.brief.txt").write_text("")
    last = tree("check").stdout.splitlines()[-1]
    assert last == "rerun: t/tools/golden check says"
