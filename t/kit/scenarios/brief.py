"""The brief forms, held against the full ones of another run."""

import re

from kit import edits, normal
from kit.edits import lines_of
from kit.every_verb import BRIEF
from kit.faults import fault
from kit.kit import scenario

EVENT = "brief events lack file, line and most times, and no more"
PLACE = ("file", "line")
TIMED = ("version", "atexit")


def judge_event(kit, words):
    full = kit.run(*words, targets=("event",))
    brief = kit.run(*words, targets=("event",), env=BRIEF)
    found = brief.events()
    bad = [e for e in found if any(key in e for key in PLACE)]
    kit.equal("brief.event", bad, [])
    bad = [e for e in found if ("time" in e) != (e.get("event") in TIMED)]
    kit.equal("brief.event-time", bad, [])
    kit.equal("brief.event-rest", [rest(x) for x in brief.lines("event")],
              [rest(x) for x in full.lines("event")])


def rest(line):
    """A line without what may differ."""
    line = normal.event(line)
    line = re.sub(rb',"(file|line|time)":(%s)' % edits.VALUE, b"", line)
    return line.decode("utf-8", "replace")


@scenario(EVENT, verbs=("006data", "004child"),
          ids=("brief.event", "brief.event-time", "brief.event-rest"))
def brief_event(kit):
    judge_event(kit, ("006data", "c", "k", "v"))
    judge_event(kit, ("004child", "sh", "-c", "exit 3"))


def only_brief(pattern, replacement):
    """An edit of the runs that are brief."""

    def edit(run):
        log = run.log("event")
        if log.count(b'"time":') < log.count(b"\n"):
            run.files["event"] = re.sub(pattern, replacement, log, flags=re.M)
        return run

    return edit


TIME = rb',"time":"2026-01-14T09:30:42.112403Z"'

for key in (b',"file":"x.c","line":7', b',"line":7', b',"file":"x.c"'):
    fault("brief.event", EVENT, event=(rb'("thread":"[^"]*")', rb"\1" + key))
for event in ("start", "exit", "cmd_name", "data", "child_exit"):
    fault("brief.event-time", EVENT, edit=only_brief(
        rb'("event":"%s".*?"thread":"[^"]*")' % event.encode(),
        rb"\1" + TIME))
for event in TIMED:
    fault("brief.event-time", EVENT, edit=only_brief(
        rb'("event":"%s".*?),"time":"[^"]*"' % event.encode(), rb"\1"))
for key in ("repo", "t_abs", "t_rel", "thread", "nesting"):
    fault("brief.event-rest", EVENT, edit=only_brief(
        edits.member("data", key), rb"\1"))
fault("brief.event-rest", EVENT, edit=only_brief(lines_of("data"), b""))
fault("brief.event-rest", EVENT, edit=only_brief(
    edits.member("exit", "t_abs"), rb'\1,"t_abs":0.1'))

KILLED = "a signal has no place in the brief form, either"


@scenario(KILLED, verbs=("004child",), ids=("brief.event",))
def killed(kit):
    run = kit.run("004child", "sh", "-c", "kill -PIPE $PPID", env=BRIEF,
                  targets=("event",))
    kit.lacks("brief.event", run.event("signal"), "file")


fault("brief.event", KILLED,
      event=(rb'("event":"signal".*?),"t_abs"', rb'\1,"file":"a","t_abs"'))

NESTING = "the nesting limit is that of the full form"


@scenario(NESTING, verbs=("regions_deep",), ids=("brief.event-rest",))
def nesting(kit):
    run = kit.run("regions_deep", "4", targets=("event",), env=BRIEF)
    kit.equal("brief.event-rest", len(run.events("region_enter")), 2)


fault("brief.event-rest", NESTING,
      event=(rb'^\{"event":"region_.*"label":"level2".*\n', None))

TEXT = "brief text is the line without its prefix"
WORDS = (("003error", "12:30:00.000001 x.c:1  a", " b", "c\nd"),
         ("004child", "sh", "-c", "exit 3"))


@scenario(TEXT, verbs=("003error", "004child"),
          ids=("brief.normal", "brief.perf"))
def brief_text(kit):
    for words in WORDS:
        full, brief = kit.run(*words), kit.run(*words, env=BRIEF)
        for target, bare, prefix in (("normal", normal.payload, PREFIX),
                                     ("perf", in_perf, COLUMNS)):
            kit.equal(f"brief.{target}", [*map(bare, brief.lines(target))],
                      [bare(prefix.sub(b"", x)) for x in full.lines(target)])


# However wide the prefix is, and whatever its time looks like.
PREFIX = re.compile(rb"^[\d:.]{8,} (?:\S+:\d+ +| +)")
COLUMNS = re.compile(rb"^[\d:.]{8,} .*?\| (?=d\d+ )")


def in_perf(line):
    line = normal.replace(normal.TEXT, line)
    return re.sub(rb"(?<= )\d+\.\d{6}(?= )", b"SECONDS", line)


CLOCK, SOURCE = b"09:30:42.112403 ", b"x.c:7" + 23 * b" "
for text in (CLOCK, CLOCK + SOURCE, b"x.c:7 ", b" "):
    fault("brief.normal", TEXT, normal=(rb"^(?=exit |start )", text))
for text in (CLOCK, CLOCK + SOURCE + b" | ", b"| ", b" "):
    fault("brief.perf", TEXT, perf=(rb"^(?=d0 \| )", text))
fault("brief.normal", TEXT, normal=(rb"^exit ", b""))
fault("brief.perf", TEXT, perf=(rb"^d0 \| main +\| ", b""))
