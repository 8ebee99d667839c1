"""Every pair of the library's parts in one program, in both orders, and
every way in which a program ends (see t/library/parts/parts.c)."""

import itertools
import json
import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from conftest import UNDER, program

PARTS = "trace2 points engine tracing provider loop copy plugin".split()
PROGRAMS = [
    *((part,) for part in PARTS),
    *itertools.permutations(PARTS, 2),
]
ENDINGS = """
return exit signal thread quiet-fork fork new-fork daemon exec
""".split()
if UNDER == "tsan":
    # There no thread may join the main one, nor a child start threads.
    ENDINGS = "return exit signal quiet-fork exec".split()
elif UNDER == "asan":
    # gcc 12's runtime may hold a lock of its own in a child with threads.
    ENDINGS = "return exit signal thread quiet-fork exec".split()
TARGETS = {"text": None, "fxt": "GIT_TRACE2_FXT", "chrome": "GIT_TRACE2_CHROME"}

OF_TRACE2 = {"trace2": "parts_table.c", "copy": "copy.c", "plugin": "copy.c"}
OF_ENGINE = {"engine", "tracing"}
CODE = 7
BUSY = re.compile(rb"(engine|tracing): Device or resource busy\n")
BUSY_TARGET = re.compile(
    rb"warning: trace2: could not (open|trace into) '[^']*' for "
    rb"'GIT_TRACE2_(FXT|CHROME)' tracing: Device or resource busy\n"
)
# A child whose parent had the engine counts what it loses without it.
DROPPED = re.compile(rb"warning: trace2: events dropped: \d+\n")

# Endings after which a child, or what was executed, has a log of its own.
TWICE = {"fork", "new-fork", "daemon", "exec"}

# A part of 1 MiB is cut to what is used.
FXT_MOST = 512 * 1024


@pytest.fixture
def run_parts(scratch, execute):
    """run_parts(ending, target, parts): its directory and what it did."""
    built = program("TEST_PARTS", "build/parts/parts")

    def call(ending, target, parts):
        place = scratch / "-".join(parts)
        for name in ("event", "binary"):
            (place / name).mkdir(parents=True)
        names = {
            "GIT_TRACE2_EVENT": str(place / "event"),
            "GIT_TRACE2_DST_DEBUG": "1",
            "PARTS_COPY": str(built.parent.parent / "libtrace2.so"),
            "PARTS_PLUGIN": str(built.parent / "plugin.so"),
        }
        if TARGETS[target]:
            names[TARGETS[target]] = str(place / "binary")
        command = [built, ending, *parts]
        return place, execute(command, env=names, cwd=place)

    return call


def claimants(target, parts):
    """The parts that want the process's one engine."""
    wanted = OF_ENGINE | ({"trace2"} if target != "text" else set())
    return [part for part in parts if part in wanted]


def judge_process(ending, target, parts, done):
    expected = -signal.SIGTERM if ending == "signal" else CODE
    if done.returncode != expected:
        yield f"exit code {done.returncode}"
    told, warned = done.stdout, done.stderr
    if len(claimants(target, parts)) > 1:
        told = BUSY.sub(b"", told)
        warned, busy = BUSY_TARGET.subn(b"", warned)
        if busy and ending in TWICE:
            warned = DROPPED.sub(b"", warned)
    if told or warned:
        yield f"printed {told + warned!r}"


def read_logs(place):
    for path in sorted((place / "event").iterdir()):
        lines = path.read_text().splitlines()
        yield [json.loads(line) for line in lines]


def count_logs(ending, parts):
    """The plugin is closed before there is a child."""
    return sum(
        2 if ending in TWICE and (part != "plugin" or ending == "exec") else 1
        for part in parts
        if part in OF_TRACE2
    )


def judge_end(ending, log, is_last):
    """Does this log end as its process does?"""
    names = [event["event"] for event in log]
    if names.count("atexit") + names.count("signal") > 1:
        yield f"ends more than once: {names}"
    elif ending == "signal" or (ending == "exec" and not is_last):
        if "atexit" in names:
            yield f"says that it exits: {names}"
    elif names[-1] != "atexit":
        yield f"has no atexit: {names}"
    elif log[0]["file"].endswith("parts_table.c"):
        if not {"timer", "counter"} <= set(names):
            yield f"has no totals: {names}"


def judge_logs(ending, parts, place):
    logs = list(read_logs(place))
    wanted = count_logs(ending, parts)
    if len(logs) != wanted:
        yield f"{len(logs)} logs instead of {wanted}"
    for i, log in enumerate(logs):
        is_last = ending != "exec" or i >= len(logs) // 2
        yield from judge_end(ending, log, is_last)
    # Copies of the library pass the signal on to each other.
    signals = sum(log[-1]["event"] == "signal" for log in logs)
    if signals != (wanted if ending == "signal" else 0):
        yield f"{signals} logs end by a signal"


def judge_json(ending, path):
    text = path.read_text()
    if ending in ("signal", "exec") and not text.rstrip().endswith("]"):
        text = text.rstrip().rstrip(",") + "]"
    try:
        json.loads(text)
    except ValueError as error:
        yield f"{path.name}: {error}"


def judge_binary(ending, target, parts, place):
    files = sorted((place / "binary").iterdir())
    busy = len(claimants(target, parts)) > 1
    wanted = count_logs(ending, parts) if target != "text" else 0
    if not busy and len(files) != wanted:
        yield f"{len(files)} binary files instead of {wanted}"
    for path in [*files, *place.glob("*.json")]:
        if path.suffix == ".json":
            yield from judge_json(ending, path)
        elif ending not in ("signal", "exec"):
            if path.stat().st_size > FXT_MOST:
                yield f"{path.name} is not cut to what is used"


def judge_points(ending, target, parts, place):
    """What the trace points wrote is in the files of who has the engine."""
    if "engine" in parts or ending in ("signal", "exec"):
        return
    if not set(parts) & {"points", "loop", "tracing", "provider"}:
        return
    found = {
        path.suffix
        for path in [*place.glob("*.json"), *(place / "binary").iterdir()]
        if b"instant" in path.read_bytes()
    }
    owners = claimants(target, parts)
    if owners and not found:
        yield f"the trace points of {owners} are in no file"


# What make suite tries; make check tries all.
EARLY = {("return", "text"), ("signal", "chrome"), ("new-fork", "fxt")}


def mark_combinations():
    for ending in ENDINGS:
        for target in TARGETS:
            late = (ending, target) not in EARLY
            marks = [pytest.mark.long("64 programs each")] if late else []
            yield pytest.param(target, ending, marks=marks)


@pytest.mark.parametrize("target, ending", mark_combinations())
def test_every_pair_of_parts_ends_well(
    target, ending, run_parts, validate, scratch
):
    def judge(parts):
        place, done = run_parts(ending, target, parts)
        found = [
            *judge_process(ending, target, parts, done),
            *judge_logs(ending, parts, place),
            *judge_binary(ending, target, parts, place),
            *judge_points(ending, target, parts, place),
        ]
        return [f"{' '.join(parts)}: {text}" for text in found]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = sum(pool.map(judge, PROGRAMS), [])
    assert not found, "\n".join(found)
    checked = validate(*{path.parent for path in scratch.glob("*/event/*")})
    assert checked.returncode == 0, checked.stdout.decode()
    assert re.search(rb"^(OK:|Found \d+ infos? in) ", checked.stdout, re.M)
    if target == "fxt":
        checked = validate(*scratch.glob("*/binary/*"))
        assert checked.returncode == 0, checked.stdout.decode()
