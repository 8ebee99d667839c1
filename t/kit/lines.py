"""What is wrong with a line of NORMAL or PERF, whatever wrote it: the ids
of the requirements that it breaks. Verdicts are kept."""

import functools
import re

from kit import forms, shows
from kit.normal import CLOCK

SECONDS = rb"\d+\.\d{6}"
PREFIX = re.compile(CLOCK + rb" (?:(?P<source>\S+:\d+) )?(?P<blanks> *)")
TIMES = re.compile(rb"\b(?:elapsed|total|min|max): *(\S*)")


def rule_of(target, event):
    """The grammar's rule for the payload of an event."""
    return f"{target}-{event.replace('_', '-')}"


# NORMAL


@functools.lru_cache(maxsize=None)
def wrong_in_normal(line, brief=False):
    if brief:
        return frozenset(wrong_payload(line))
    prefix = PREFIX.match(line)
    if not prefix:
        return frozenset(["normal.prefix"])
    return frozenset([*wrong_column(prefix), *wrong_payload(
        line[prefix.end():])])


def wrong_column(prefix):
    """Blanks go up to byte 50, and there are none behind a longer prefix.
    The payload of no event begins with a blank."""
    name = "normal.column" if prefix["source"] else "normal.column-no-file"
    if prefix["blanks"] and prefix.end() != 50 or prefix.end() < 50:
        yield name


def wrong_payload(payload):
    """A printf may be anything; a scenario that has one knows it. What only
    git has to do is no matter of every line."""
    event = shows.event_of(payload, "printf")
    rule = rule_of("normal", event)
    if event == "printf" or not (
        forms.follows(rule, payload)
        or event in LISTS and forms.follows(rule, payload + b" ")
        or event == "def_repo"
        and forms.follows(rule, payload.replace(b"def_repo", b"worktree", 1))
    ):
        yield "normal.payload"
    if event in TIMED and not all(
        re.fullmatch(SECONDS, time) for time in TIMES.findall(payload)
    ):
        yield "normal.seconds"


LISTS = ("start", "alias", "child_start", "exec")  # of arguments, at the end
TIMED = ("exit", "atexit", "signal", "child_exit", "child_ready", "timer",
         "th_timer")

# PERF


@functools.lru_cache(maxsize=None)
def wrong_in_perf(line, brief=False):
    parts = line.split(b" | ", 7 if brief else 8)
    if len(parts) != (8 if brief else 9):
        return frozenset(["perf.column"])
    found = set() if brief else set(wrong_source(parts.pop(0)))
    depth, thread, event, repo, t_abs, t_rel, category, payload = parts
    found.update(wrong_names(depth, thread, event))
    row = forms.matrix().get(event.decode("latin-1").rstrip())
    if not row or not row.perf:
        return frozenset([*found, "perf.events"])
    found.update(wrong_repo(repo, row))
    found.update(wrong_times(t_abs, t_rel, row))
    found.update(wrong_category(category, row))
    found.update(wrong_perf_payload(event.decode().rstrip(), payload))
    return frozenset(found)


def wrong_source(part):
    if not re.match(CLOCK + b" ", part):
        yield "perf.column.time"
    source = part[16:]
    if len(source) != 28:
        yield "perf.column.file"
    elif not source.strip(b" "):
        return
    elif not re.fullmatch(rb".*\S:\d+ *", source):
        yield "perf.column.file"


def wrong_names(depth, thread, event):
    if not re.fullmatch(rb"d\d+", depth):
        yield "perf.column.depth"
    if thread != thread.strip(b" ").ljust(24):
        yield "perf.column.thread"
    if event != event.strip(b" ").ljust(12):
        yield "perf.column.event"


def wrong_repo(repo, row):
    if repo != b"   " and not (row.repo and re.fullmatch(rb"r\d+ ", repo)):
        yield "perf.column.repo"


def wrong_times(t_abs, t_rel, row):
    for name, time in (("t_abs", t_abs), ("t_rel", t_rel)):
        bare = time.strip(b" ")
        if bool(bare) != bool(getattr(row, name)):
            yield f"perf.column.{name}"
        elif time != bare.rjust(9) or bare and not re.fullmatch(
            SECONDS, bare
        ):
            yield "perf.column.time-width"


def wrong_category(category, row):
    if len(category) != 12:
        yield "perf.column.category-width"
    bare = category.strip(b" ")
    if bare and not row.category:
        yield "perf.column.category"
    elif row.category == "scope" and not bare.startswith(b"scope:"):
        yield "perf.column.category-scope"
    elif category[:1] == b" " and bare:
        yield "perf.column.category"


def wrong_perf_payload(event, payload):
    rule = forms.rule(rule_of("perf", event))
    bare = payload
    while not rule.fullmatch(bare):
        if not bare.startswith(b".."):
            yield "perf.payload"
            return
        bare = bare[2:]
