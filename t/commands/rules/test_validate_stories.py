"""The stories of t/commands/rules/stories (see story_kit.py), checked at once."""

import re

import pytest
from story_kit import MEMBERS, read_stories
from validate_kit import START, VERSION, event, log, read_jsonl


class Place:
    """Where a log of a story stands: in a file, behind so many lines."""

    def __init__(self, number, file, before, lines):
        self.number, self.file, self.before = number, file, before
        self.lines = lines

    def told(self, findings):
        """What is said of it, as Story.expect() has it."""
        return [
            (self.number, f["line"] - self.before, f["column"], f["width"],
             f["id"] + (f"({f['known']})" if "known" in f else ""),
             re.sub(r"(?<=line )\d+", lambda m: str(int(m[0]) - self.before),
                    f["message"]))
            for f in findings
            if f["file"] == self.file
            and 0 < f["line"] - self.before <= len(self.lines)
        ]  # fmt: skip


def write_logs(stories, scratch):
    """The files, and (name, Place) of each log; most share the last one."""
    files, places, shared = [], [], []
    for story in stories:
        for number, lines in enumerate(story.logs, 1):
            if story.is_alone:
                files.append(f"{story.number}-{number}")
                (scratch / files[-1]).write_bytes(log(*lines))
                place = Place(number, files[-1], 0, lines)
            else:
                place = Place(number, "shared", len(shared), lines)
                shared += lines
            places.append((story.name, place))
    (scratch / "shared").write_bytes(log(*shared))
    return [*files, "shared"], places


def test_each_story_gives_its_findings_and_no_others(validate, root, scratch):
    stories = list(read_stories(root / "t/commands/rules/stories"))
    files, places = write_logs(stories, scratch)
    findings, summary = read_jsonl(validate("--format", "jsonl", *files))
    found = {story.name: [] for story in stories}
    for name, place in places:
        found[name] += place.told(findings)
    assert found == {story.name: story.expected for story in stories}
    assert sum(map(len, found.values())) == len(findings) > 100
    order = [f["file"] for f in findings]
    assert order == sorted(order, key=files.index)
    assert summary["events"] > 500


CHILDREN_MAX = 65536  # that are kept of a process


@pytest.mark.parametrize("count", [CHILDREN_MAX, CHILDREN_MAX + 1])
def test_a_process_of_too_many_children_is_not_asked_for_them(
    count, validate, scratch
):
    child = event("child_start", **{**MEMBERS["child_start"], "child_id": -7})
    before, behind = child.split(b"-7")
    lines = [b"%b%d%b" % (before, n, behind) for n in range(count)]
    last = event("child_exit", child_id=CHILDREN_MAX, pid=9, code=0, t_rel=1)
    (scratch / "log").write_bytes(log(VERSION, START, *lines, last, last))
    findings, _ = read_jsonl(validate("--format", "jsonl", "log"))
    rules = ["stream.child.exit-unmatched", "stream.unfinished",
             "stream.child.exit-unmatched"]  # fmt: skip
    assert [f["id"] for f in findings] == rules * (count <= CHILDREN_MAX)


def start_of(thread):
    return event("thread_start", thread=thread)


def exit_of(thread):
    return event("thread_exit", thread=thread, t_rel=0)


def counter(which, **members):
    return event(which, **{"category": "c", "name": "n", "count": 1, **members})


def test_threads_are_known_however_many_there_are(validate, scratch):
    many = [f"th{n:02}:w" for n in range(1, 41)]
    (scratch / "log").write_bytes(log(
        VERSION, START, *map(start_of, many), start_of("th14:w"),
        start_of("th15:w"), start_of("th16:w"), start_of("th40:w"),
        *map(exit_of, many), start_of("th014:w"), start_of("th015:w"),
        start_of("th016:w"), start_of("th040:w"), start_of("th41:w"),
        exit_of("th15:w"), exit_of("th16:w")))  # fmt: skip
    findings, _ = read_jsonl(validate("--format", "jsonl", "log"))
    found = [(f["id"].partition("stream.thread.")[2], f["line"])
             for f in findings if f["id"].startswith("stream.thread.")]
    assert found == [
        *(("start-unique", 43 + n) for n in range(4)),
        *(("number", 87 + n) for n in range(4)),
        ("after-exit", 92), ("after-exit", 93)]  # fmt: skip


@pytest.mark.parametrize("count, expected", [
    (4095, ["stream.counter.sum"]), (4096, [])])
def test_shares_of_too_many_threads_are_not_asked_for(
    count, expected, validate, scratch
):
    names = [f"th{n:02}:w" for n in range(1, count + 1)]
    (scratch / "log").write_bytes(log(
        VERSION, START, *map(start_of, names),
        counter("th_counter", thread="th01:w"), *map(exit_of, names),
        counter("counter", count=2)))  # fmt: skip
    findings, _ = read_jsonl(validate("--format", "jsonl", "--ignore",
                                      "stream.unfinished", "log"))
    assert [f["id"] for f in findings] == expected


@pytest.mark.parametrize("last, expected", [
    (1023, ["stream.counter.sum"]), (1024, [])])
def test_shares_of_too_many_names_are_not_summed_up(
    last, expected, validate, scratch
):
    shares = [counter("th_counter", name=f"n{n}", count=2)
              for n in range(last + 1)]  # fmt: skip
    (scratch / "log").write_bytes(log(
        VERSION, START, *shares, counter("counter", name=f"n{last}")))
    findings, _ = read_jsonl(validate("--format", "jsonl", "--ignore",
                                      "stream.unfinished", "log"))
    assert [f["id"] for f in findings] == expected
