"""The installed git as a second witness: kit/witness, scenario by scenario.

What this release does otherwise is declared in t/kit/differences/git-<release>.tsv. A
release that nobody has looked at yet has no such file: what it fails is
skipped, visibly.
"""

import shutil

import pytest

from kit import faults, kit, known, run, witness

pytestmark = pytest.mark.long("shows what git does")

CASES = kit.load("witness")


@pytest.fixture(scope="module")
def git():
    path = shutil.which("git")
    if not path:
        pytest.skip("no git: apt-get install git")
    return run.Driver(path, "git")


def failed(results):
    return {r.id for r in results if r.verdict in (kit.FAIL, kit.ERROR)}


def emptied(one):
    """A run that printed nothing and left no file."""
    one.files = {}
    one.stdout = one.stderr = b""
    one.received = []
    return one


def check_declared(git, results):
    name = witness.known(git)
    declared = known.read(name) if name else []
    wrong = [r for r in known.apply(declared, results)
             if r.verdict in (kit.FAIL, kit.ERROR)]
    if wrong and not name:
        pytest.skip(f"git {witness.version(git)} fails "
                    f"{sorted({r.id for r in wrong})}, and there is no "
                    f"t/kit/differences/git-{witness.version(git)}.tsv")
    assert wrong == []


@pytest.mark.parametrize("name", CASES)
def test_git_keeps_what_plain_commands_show(name, git):
    case = CASES[name]
    results, recorded = kit.conduct(case, git)
    nothing = kit.judge(case, kit.Replay(recorded, emptied))[0]
    assert failed(nothing) == set(case.ids), "checks hold of no output at all"
    held = {r.id for r in results if r.verdict == kit.PASS}
    for one in (f for f in faults.FAULTS if f.scenario == name):
        replay = kit.Replay(recorded, one.edit)
        found = failed(kit.judge(case, replay)[0])
        assert one.id in found or one.id not in held, one.name
    check_declared(git, results)


def test_declarations_of_git_name_what_the_witness_checks():
    for path in known.FOLDER.glob("git-[0-9]*.tsv"):
        assert known.idle(known.read(path.stem), CASES.values()) == []


def test_declarations_of_its_test_helper_name_what_the_kit_checks():
    for path in known.FOLDER.glob("git-test-tool-*.tsv"):
        assert known.idle(known.read(path.stem), kit.load().values()) == []
    assert known.idle(known.read("git"), kit.load().values()) == []
