"""The fields that all events share."""

from kit import edits, every_verb
from kit.faults import fault
from kit.kit import scenario
from kit.shows import ABSENT

EVERY = "every event has the common fields"
VERBS = (
    ("001return", "3"),
    ("003error", "a message"),
    ("004child", "sh", "-c", "exit 3"),
    ("006data", "c", "k", "v"),
    ("101timer", "2", "1", "1"),
    ("201counter", "1", "2", "1"),
)


def place(event):
    return event.get("file", ABSENT), event.get("line", ABSENT)


def is_text(key):
    return lambda e: isinstance(e.get(key), str) and e[key] != ""


def good_line(event):
    if "file" not in event:
        return "line" not in event
    return type(event.get("line")) is int


# What holds for each event; of git's verbs only data is about a repository.
RULES = {
    "event.common": lambda e: {"event", "sid", "thread"} <= set(e),
    "event.common.event": is_text("event"),
    "event.common.sid": is_text("sid"),
    "event.common.thread": is_text("thread"),
    "event.common.time": is_text("time"),
    "event.common.file": lambda e: "file" not in e or is_text("file")(e),
    "event.common.line": good_line,
    "event.common.repo":
        lambda e: ("repo" in e) == (e.get("event") == "data"),
}


@scenario(EVERY, ids=tuple(RULES))
def every(kit):
    logs = [run.events() for run in
            every_verb.runs(kit, VERBS, targets=("event",))]
    found = [event for log in logs for event in log]
    for name, good in RULES.items():
        bad = [event for event in found if not good(event)]
        kit.equal(name, bad[:3], [])


ZERO = "a repository without a number is number 0"


@scenario(ZERO, verbs=("006data",), ids=("event.common.repo-zero",))
def zero(kit):
    run = kit.run("006data", "c", "k", "v", targets=("event",))
    found = [event.get("repo", ABSENT) for event in run.events("data")]
    kit.equal("event.common.repo-zero", found, [0])


for name in ("version", "cmd_name", "thread_start", "child_exit", "atexit"):
    fault("event.common", EVERY, event=edits.literal(f'"event":"{name}",', ""))
    for key in ("sid", "thread"):
        fault("event.common", EVERY, event=edits.dropped(name, key))
    fault("event.common.time", EVERY, event=edits.dropped(name, "time"))
    fault("event.common.repo", EVERY, event=edits.added(name, "repo", "0"))
    fault("event.common.line", EVERY, event=edits.dropped(name, "line"))
    fault("event.common.line", EVERY, event=edits.dropped(name, "file"))
for key, value in (("sid", '""'), ("sid", "1"), ("thread", '""'),
                   ("thread", "0"), ("time", "1768383042.1"),
                   ("file", '""'), ("file", "null"), ("line", '"1"'),
                   ("line", "1.5")):
    fault(f"event.common.{key}", EVERY,
          event=edits.retyped("exit", key, value))
fault("event.common.event", EVERY, event=(rb'"event":"exit"', rb'"event":""'))
fault("event.common.repo", EVERY, event=edits.dropped("data", "repo"))
fault("event.common.repo-zero", ZERO,
      event=edits.retyped("data", "repo", "1"))
fault("event.common.repo-zero", ZERO, event=edits.dropped("data", "repo"))

PLACES = "file and line are those of the call"


@scenario(PLACES, verbs=("526location",),
          ids=("event.common.file", "event.common.line"))
def places(kit):
    run = kit.run("526location", targets=("event",))
    found = [place(event) for event in run.events("printf")]
    kit.equal("event.common.file", [file for file, _ in found],
              [file for file, _ in EXPECTED])
    kit.equal("event.common.line", [line for _, line in found],
              [line for _, line in EXPECTED])


EXPECTED = [
    (ABSENT, ABSENT),
    (ABSENT, ABSENT),
    ("abcdefghijklmnopqrstuvwxy.c", 3),
    ("abcdefghijklmnopqrstuvwx.c", 4),
    ("a/path/that/is/far/longer/than/any/column/is/wide.c", 12345),
    ('quotes"and\\backslashes.c', 6),
    ("zero.c", 0),
]
NO_FILE = rb'^(\{"event":"printf"(?![^\n]*"file")[^\n]*?,"time":"[^"]*")'

fault("event.common.file", PLACES, event=(NO_FILE, rb'\1,"file":""'))
fault("event.common.file", PLACES, event=(NO_FILE, rb'\1,"file":null'))
fault("event.common.line", PLACES, event=(NO_FILE, rb'\1,"line":1'))
fault("event.common.file", PLACES, event=(rb"a/path/[^\"]*/", b""))
fault("event.common.line", PLACES, event=(rb',"line":0', b""))

REPOS = "repo is there for what is about a repository"


@scenario(REPOS, verbs=("527def_repo",),
          ids=("event.common.repo", "event.common.repo-zero"))
def repos(kit):
    run = kit.run("527def_repo", "/a", "/b", targets=("event",),
                  env={"GIT_TRACE2_EVENT_NESTING": "9"})
    found = [(e.get("event"), e.get("repo")) for e in run.events()
             if "repo" in e]
    kit.equal("event.common.repo", [(e, r) for e, r in found if r != 0],
              [("def_repo", 1), ("data", 1), ("def_repo", 2), ("data", 2),
               ("region_enter", 2), ("data", 1), ("region_leave", 2)])
    kit.equal("event.common.repo-zero", [e for e, r in found if r == 0],
              ["data_json"])


for name in ("region_leave", "data", "def_repo"):
    fault("event.common.repo", REPOS, event=edits.dropped(name, "repo"))
    fault("event.common.repo", REPOS, event=edits.retyped(name, "repo", "3"))
fault("event.common.repo", REPOS, event=edits.added("cmd_name", "repo", "1"))
fault("event.common.repo-zero", REPOS,
      event=edits.dropped("data_json", "repo"))

ORIGIN = "what the emitter writes by itself has the place of a call"
# Events of the emitter's own, and whose call led to them.
LED = {"atexit": "exit", "counter": "exit", "timer": "exit",
       "th_counter": "thread_exit", "th_timer": "thread_exit",
       "def_param": "cmd_name"}
OWN_VERBS = (("100timer", "1", "1"), ("101timer", "1", "1", "1"),
             ("201counter", "1", "2", "1"))


@scenario(ORIGIN, ids=("event.common.library-origin",))
def origin(kit):
    for run in every_verb.runs(kit, OWN_VERBS, targets=("event",),
                               GIT_TRACE2_ENV_VARS="HOME"):
        events = run.events()
        calls = {e["event"]: place(e) for e in events}
        for event in events:
            call = LED.get(event["event"])
            if call:
                kit.equal("event.common.library-origin",
                          (event["event"], place(event)),
                          (event["event"], calls[call]))


for name in LED:
    fault("event.common.library-origin", ORIGIN,
          event=edits.retyped(name, "file", '"tr2_tgt_event.c"'))

UNTOLD = "an exit that nobody reports has the place where tracing began"


@scenario(UNTOLD, verbs=("528exit_unreported",),
          ids=("event.common.library-origin",))
def untold(kit):
    run = kit.run("528exit_unreported", "7", targets=("event",))
    kit.unseen("event.common.library-origin")
    for event in run.events("exit") + run.events("atexit"):
        kit.equal("event.common.library-origin",
                  (event["event"], place(event)),
                  (event["event"], place(run.event("version"))))


for name in ("exit", "atexit"):
    fault("event.common.library-origin", UNTOLD,
          event=edits.retyped(name, "line", "98765"))
    fault("event.common.library-origin", UNTOLD,
          event=edits.retyped(name, "file", '"tr2_tgt_event.c"'))
