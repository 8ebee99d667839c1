"""`trace2 convert --from T --to T`: a slice that lies in the time in part stays
whole, and nothing else but names does. The whole trace is the oracle."""

import gzip
import json
import random
import re
import subprocess

import pytest

LOGS = [
    "t/stories/commit-with-a-slow-hook/log.event",
    "t/corpus/pass/real/evt4-git2.55/preload.event",
    "t/stories/smudge-filter-started-by-other-threads/log.event",
    "t/corpus/pass/real/evt4-git2.55/clone.event",
]
ENDS = {"B": "E", "b": "e"}


@pytest.fixture
def convert(trace2, scratch, env):
    """convert(*words): what it writes to a file of this name, as bytes."""

    def call(*words, to="out.json", code=0):
        done = subprocess.run([trace2, "convert", *words, to], cwd=scratch,
                              env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=30)
        assert done.returncode == code, done.stderr
        return (scratch / to).read_bytes() if not code else done.stderr

    return call


def read_events(data):
    whole = json.loads(data)
    events = whole["traceEvents"] if isinstance(whole, dict) else whole
    return [event for event in events if event["ph"] != "M"]


def key_of(event):
    if event["ph"] in "BE":
        return event["pid"], event["tid"]
    return event["cat"], event["name"], event.get("id"), event.get("id2") and 1


def find_parts(events):
    """(begin, end, which) of each slice and span; a moment ends at once."""
    open_parts, parts = {}, []
    for event in sorted(events, key=lambda event: event["ts"]):
        text = (event["ph"], event["name"], event["ts"], event["pid"])
        if event["ph"] in ENDS:
            open_parts.setdefault(key_of(event), []).append((text, event))
        elif event["ph"] in ENDS.values():
            begun, first = open_parts[key_of(event)].pop()
            parts.append((first["ts"], event["ts"], begun))
    return parts + [(first["ts"], float("inf"), begun)
                    for left in open_parts.values() for begun, first in left]



def find_slices(events, low, high):
    """Those that lie in the time, and those that end or begin next to it."""
    slices = [part for part in find_parts(events) if part[2][0] == "B"]
    return ({which[1:] for begin, end, which in slices
             if begin < high - 1 and end > low + 1},
            {which[1:] for begin, end, which in slices
             if min(abs(begin - high), abs(end - low)) <= 1})


@pytest.mark.parametrize("log", LOGS)
def test_what_lies_in_the_time_in_part_stays_whole(log, convert, root):
    events = read_events(convert(root / log))
    first = min(event["ts"] for event in events)
    length = max(event["ts"] for event in events) - first
    lot = random.Random(log)
    for _ in range(3):
        low, high = sorted(int(lot.uniform(0, length)) for _ in "ab")
        high = max(high, low + 1)
        cut = read_events(convert(
            "--from", f"{low}us", f"--to={high}us", root / log))
        found = {(e["name"], e["ts"], e["pid"]) for e in cut
                 if e["ph"] == "B"}
        wanted, either = find_slices(events, first + low, first + high)
        assert wanted <= found <= wanted | either, (low, high)
        assert all(low - 1 <= event["ts"] - first <= high + 1
                   for event in cut if event["ph"] == "i")
        phases = [event["ph"] for event in cut]
        assert phases.count("B") == phases.count("E")


@pytest.mark.parametrize("log", LOGS)
def test_an_archive_and_its_log_are_cut_alike(log, convert, root, execute,
                                              trace2):
    whole = convert(root / log, to="whole.fxt")
    times = ["--from", "1ms", "--to", "600ms"]
    cut = convert(*times, root / log, to="cut.fxt")
    assert convert(*times, "whole.fxt", to="again.fxt") == cut
    assert convert("cut.fxt") == convert(*times, "whole.fxt")
    assert len(cut) < len(whole)
    done = execute([trace2, "validate", "--fail-on", "warning", "cut.fxt"])
    assert done.returncode == 0, done.stdout


def test_all_of_the_time_is_the_archive_itself(convert, root):
    whole = convert(root / LOGS[0], to="whole.fxt")
    assert convert("--to", "1h", "whole.fxt", to="again.fxt") == whole


def test_a_time_without_events_leaves_the_output_alone(convert, root, scratch):
    (scratch / "out.fxt").write_text("old")
    said = convert("--from", "1h", root / LOGS[0], to="out.fxt", code=3)
    assert b"there is nothing to convert" in said
    assert (scratch / "out.fxt").read_text() == "old"


def cut_files(convert, scratch, texts, to):
    """What stays of files with these texts, in their order, as a set."""
    folder = scratch / f"logs-{len(list(scratch.iterdir()))}"
    folder.mkdir()
    for place, text in enumerate(texts):
        (folder / f"{place}.event").write_bytes(text)
    cut = read_events(convert("--from", "1ms", "--to", "600ms", folder, to=to))
    return {(e["ph"], e["name"], e["ts"]) for e in cut}


@pytest.mark.parametrize("log", [LOGS[0], LOGS[3]])
def test_times_count_from_the_earliest_event_in_whatever_file_it_is(
        log, convert, root, scratch):
    text = (root / log).read_bytes()
    logs = {}
    for line in text.splitlines(True):
        logs.setdefault(json.loads(line)["sid"], []).append(line)
    parts = [b"".join(lines) for lines in logs.values()]
    whole = cut_files(convert, scratch, parts, "a.json")
    assert len(parts) > 1
    assert whole == cut_files(convert, scratch, [
        gzip.compress(part) for part in parts[::-1]], "b.json")


def test_an_event_without_a_date_moves_no_other(convert, root, scratch):
    text = (root / LOGS[0]).read_bytes()
    torn = re.sub(rb'"time":"[^"]*",', b"", text).replace(b"-P", b"-P1")
    told, both = (cut_files(convert, scratch, texts, "a.json")
                  for texts in ([text], [torn, text]))
    assert told <= both
