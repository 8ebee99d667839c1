"""A NORMAL log never contradicts the EVENT log of its run, process by process.

It may be silent: then a value is absent. Where processes of one name ran at
the same time, the command names those that may be taken for each other.
"""

import shutil
from pathlib import Path

import pytest

import triples_compare
import triples_record

REAL = Path(__file__).parents[2] / "corpus" / "pass" / "real"
RUNS = sorted(str(path.relative_to(REAL))[:-len(".normal")]
              for path in REAL.glob("*/*.normal"))

# These take a second; all of them, a minute.
SOON = "clone-file", "submodule-jobs", "fetch-parallel"
LONG = pytest.mark.long("records more than sixty runs of git")
NEW = [name if name in SOON else pytest.param(name, marks=LONG)
       for name in triples_record.RUNS]

# On a machine with much to do, a process may sleep so long before its first
# line that the log shows another one instead; hardly so three times.
TRIES = 3


def find_contradictions(normal, event):
    return [row for row in triples_compare.compare(normal, event)
            if triples_compare.judge(*row) == "contradicting"]


@pytest.mark.parametrize("run", RUNS)
def test_each_value_of_a_kept_run_is_that_of_its_event_log(run):
    rows = triples_compare.compare(REAL / f"{run}.normal",
                                   REAL / f"{run}.event")
    found = [(row, triples_compare.judge(*row)) for row in rows]
    assert rows
    assert not [one for one in found if one[1] not in (None, "equal")]


@pytest.fixture(scope="module")
def repositories(tmp_path_factory):
    """A folder of repositories as it was before the first run."""
    if not shutil.which("git"):
        pytest.skip("no git here (git)")
    where = tmp_path_factory.mktemp("triples")
    triples_record.prepare(where / "repos")
    return where


@pytest.mark.parametrize("name", NEW)
def test_no_value_of_a_new_run_contradicts_its_event_log(name, repositories):
    for number in range(TRIES):
        where = repositories / f"{name}-{number}"
        shutil.copytree(repositories / "repos", where / "repos", symlinks=True)
        triples_record.record(where / "repos", name, where)
        wrong = find_contradictions(where / f"{name}.normal",
                                    where / f"{name}.event")
        shutil.rmtree(where / "repos")
        if not wrong:
            return
    assert not wrong
