"""What the commands make of logs: one test for each story (see stories.py)."""

import os
import shutil
import subprocess
import sys

import pytest
from disagree import find_differences
from rules_of_time import read_processes
from stories import CORPUS, STORIES, Story, names_of_stories, read_table

NAMES = names_of_stories()


@pytest.mark.parametrize("name", NAMES)
def test_commands_make_of_a_story_what_is_kept(name, trace2):
    assert trace2.exists()
    found = Story(name).check()
    if found:
        pytest.fail(f"{found}\nif this is right: make bless STORY={name}",
                    pytrace=False)


def test_each_story_says_in_a_line_what_is_right():
    rows = read_table()
    assert [row["story"] for row in rows] == NAMES
    assert [row["story"] for row in rows if not row["right"]] == []


def test_stories_take_less_than_six_megabytes():
    files = (path for path in STORIES.rglob("*")
             if path.is_file() and path.suffix != ".pyc")
    assert sum(path.stat().st_size for path in files) < 6_000_000


@pytest.fixture
def story(scratch):
    """story(name): a copy of a story, which a test may change."""

    def call(name):
        shutil.copytree(STORIES / name, scratch / name)
        return Story(name, scratch / name)

    return call


SMALL = "regions-inside-each-other"


def test_a_changed_output_of_a_story_is_shown_as_a_difference(story, trace2):
    copy = story(SMALL)
    assert copy.check() == "", trace2
    kept = copy.path / "regions.csv"
    kept.write_text(kept.read_text().replace(",8000,", ",9000,"))
    found = copy.check().splitlines()
    assert found[0] == f"--- t/stories/{SMALL}/regions.csv"
    assert [line[0] for line in found if ",9000," in line] == ["-"]
    assert [line[0] for line in found if ",8000," in line] == ["+"]


def test_a_changed_log_of_a_story_changes_its_json(story, trace2):
    copy = story(SMALL)
    log = copy.path / "log.event"
    log.write_text(log.read_text().replace('"inner"', '"other"'))
    found = copy.check()
    assert f"--- t/stories/{SMALL}/summary.json" in found, trace2
    assert '+      "label": "other"' in found


def test_a_message_of_a_command_is_part_of_its_story(story, trace2):
    copy = story(SMALL)
    with open(copy.path / "log.event", "a", encoding="utf-8") as log:
        log.write("words\n")
    assert f"+++ t/stories/{SMALL}/messages.txt" in copy.check(), trace2


def test_a_long_output_is_kept_as_digests_of_its_lines(story, trace2):
    copy = story("region-that-is-entered-many-times")
    copy.bless(["events.ndjson"])
    assert (copy.path / "events.ndjson.digest").exists(), trace2
    assert copy.check() == ""
    log = copy.path / "log.event"
    log.write_text(log.read_text().replace("refresh 1", "refresh 7"))
    found = copy.check()
    assert "events.ndjson.digest: not what it was" in found
    assert "refresh 7" in found


def test_bless_rewrites_outputs_and_adds_those_that_are_named(story, trace2):
    copy = story(SMALL)
    kept = copy.path / "regions.csv"
    before = kept.read_bytes()
    kept.write_text("nothing")
    copy.bless(["data.csv"])
    assert kept.read_bytes() == before, trace2
    assert "data.csv" in copy.outputs()
    assert copy.check() == ""


def test_a_story_may_name_a_log_of_the_corpus():
    names = [log for name in NAMES if (STORIES / name / "log").is_file()
             for log in (STORIES / name / "log").read_text().split()]
    assert names
    assert [name for name in names if not (CORPUS / name).exists()] == []


# What no writer makes, and lengths of which `time` and t_abs tell different
# things within less than a coarse clock's step.
SENSELESS = [# A child's length of 0, in which nothing can run.
             "cause-that-a-clock-of-15-ms-puts-after-its-effect",
             "end-that-is-before-its-process",
             "event-without-a-time-moves-no-other",
             # Its events are values of other logs, which the rules do not read.
             "events-in-the-files-of-loggers",
             "events-without-their-names",
             "executed-program-with-regions", "git-counters-of-threads",
             "markdown-of-a-hostile-log",  # CSV has no such characters
             "pids-names-and-flows-of-an-archive",
             "processes-joined-in-any-order-of-logs",
             # Chrome's slice cannot begin before one that has ended.
             "regions-whose-begin-is-not-in-the-log",
             "seconds-and-times-in-any-form",
             "session-id-that-is-empty",
             "sums-that-are-too-large-are-told",
             "thread-from-its-start-to-its-exit",
             "thread-that-begins-twice",
             "thread-without-a-name-that-goes-on",
             "times-too-large-for-a-number"]


@pytest.mark.plain("lengths are the same in every build")
@pytest.mark.long("asks each view about each story")
def test_the_views_tell_the_same_of_each_story(trace2):
    done = subprocess.run(
        [sys.executable, "-B", STORIES / "disagree.py"],
        env={**os.environ, "TRACE2": str(trace2)}, stdout=subprocess.PIPE,
        check=False)
    told = {line.partition(":")[0] for line in done.stdout.decode().splitlines()}
    assert sorted(told) == SENSELESS


@pytest.mark.plain("lengths are the same in every build")
def test_a_length_on_which_views_differ_is_found(trace2):
    assert trace2.exists()
    found = [one.line() for one in
             find_differences("processes-joined-in-any-order-of-logs")]
    assert [line for line in found if "child git #1: rules 0.003" in line]
    assert len(found) < 9
    assert not find_differences("brief-span-around-another-one")


def tell_process(*events):
    """The spans of a process with these events, a tuple each: its name, the
    microsecond of `time`, and more fields."""
    return read_processes(
        {"event": event, "sid": "P", "time": f"2026-01-14T10:00:00.{us:06}Z",
         **fields} for event, us, fields in events)["P"]


def test_rules_close_the_innermost_region_by_its_t_rel():
    process = tell_process(
        ("start", 100, {"t_abs": 0.0001}),
        ("region_enter", 200, {"label": "outer"}),
        ("region_enter", 300, {"label": "inner"}),
        ("region_leave", 400, {"label": "outer", "t_rel": 0.00015}),
        ("atexit", 900, {"t_abs": 0.001}))
    assert process.length == 1000
    assert process.spans == [("region", "main", "/inner", 300, 150),
                             ("region", "main", "/outer", 200, 800)]


def test_rules_fit_times_between_two_t_abs():
    process = tell_process(
        ("start", 0, {"t_abs": 0.0}),
        ("region_enter", 100, {"label": "a"}),
        ("region_enter", 900_100, {"label": "b"}),
        ("atexit", 900_200, {"t_abs": 0.001}))
    assert [span[3:] for span in process.spans] == [(100, 900), (900, 100)]


def test_rules_reopen_a_process_after_its_end():
    process = tell_process(
        ("start", 0, {"t_abs": 0.0}), ("atexit", 100, {"t_abs": 0.0001}),
        ("region_enter", 200, {"label": "a"}),
        ("region_leave", 500, {"label": "a", "t_rel": 0.0003}))
    assert process.length == 500
