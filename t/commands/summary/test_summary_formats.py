"""`trace2 summary` of EVENT, PERF and NORMAL logs of the same run agrees.

t/corpus/pass/real has each run in three formats. Each target reads the clock
for itself, so lengths differ by some microseconds. What a format does not say
is not compared: PERF cuts a category to 12 bytes, which two of git have in
common, and has no format of an error; NORMAL has no regions and no t_abs of
`start`.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

REAL = Path(__file__).parents[2] / "corpus" / "pass" / "real"
RUNS = sorted(str(path.relative_to(REAL))[:-len(".perf")]
              for path in REAL.glob("*/*.perf"))
TRACE2 = os.environ["TRACE2"]

CUT = "negotiation_"
APART_US = 60  # for each process

# The successor of an exec decides, and NORMAL does not say when it began.
UNTIMED = "tt_exec"

# In brief form EVENT has fewer times than PERF. In two runs of git 2.22, both
# ends of a transport write at once, and each target has another order of it.
WITHOUT_TIMES = "brief"
OLD = "evt1"


def summarize(run, form):
    """The summary, and what the command says besides."""
    done = subprocess.run(
        [TRACE2, "summary", "--format", "json", "--top", "0",
         REAL / f"{run}.{form}"],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False)
    assert done.stdout, done.stderr
    return json.loads(done.stdout), done.stderr


def rows(summary, part, names, values):
    return {tuple(CUT if row[name].startswith(CUT) else row[name]
                  for name in names):
            [row[value] for value in values]
            for row in summary[part]}


def agree_on_time(whole, other):
    return (abs(whole["wall_us"] - other["wall_us"])
            <= APART_US * whole["processes"])


COUNTS = [
    ("commands", ("name",), ("count", "failed")),
    ("callers", ("ancestry",), ("count", "failed")),
]
PERF_COUNTS = COUNTS + [
    ("regions", ("category", "label"), ("count", "threads")),
    ("children", ("class", "command"), ("count", "failed")),
    ("data", ("category", "key"), ("count", "sum", "min", "max")),
    ("timers", ("category", "name"), ("intervals",)),
    ("counters", ("category", "name"), ("count", "sum")),
]


def assert_shares(other, whole, part):
    """What its rows own differs by little; one that owns as little may lack."""
    here, there = (rows(one, part, ("name",), ("self_us",))
                   for one in (other, whole))
    for key in here.keys() | there.keys():
        apart = here.get(key, [0])[0] - there.get(key, [0])[0]
        assert abs(apart) <= APART_US * whole["processes"], key


def assert_counts(other, whole, parts):
    for key in ("processes", "roots"):
        assert other[key] == whole[key], key
    for part in parts:
        assert rows(other, *part) == rows(whole, *part), part[0]


@pytest.mark.parametrize("run", RUNS)
def test_three_formats_of_a_run_agree(run):
    whole, _ = summarize(run, "event")
    perf, _ = summarize(run, "perf")
    assert_counts(perf, whole, PERF_COUNTS)
    assert agree_on_time(whole, perf)
    if not run.endswith(WITHOUT_TIMES):
        assert_shares(perf, whole, "phases")
    if not run.endswith(WITHOUT_TIMES) and not run.startswith(OLD):
        assert_shares(perf, whole, "sides")
    normal, _ = summarize(run, "normal")
    assert_counts(normal, whole, COUNTS)
    assert run.endswith(UNTIMED) or agree_on_time(whole, normal)


def test_of_many_logs_some_notes_are_shown(scratch):
    """Each log is in UTF-16, and says so."""
    text = (REAL / "evt4-git2.55" / "status.perf").read_text()
    for number in range(13):
        (scratch / f"{number:02}.perf").write_text(text, encoding="utf-16")
    done = subprocess.run([TRACE2, "summary", scratch], capture_output=True,
                          timeout=20, check=False)
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 0
    assert len(lines) == 11 and all("it is in UTF-16" in one for one in lines[:10])
    assert lines[10] == "trace2 summary: 3 more notes on logs are not shown"
