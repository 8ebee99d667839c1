"""NORMAL: which events it shows, its prefix, and what it never cuts."""

import re

from kit import forms, shows
from kit.edits import also_in_normal
from kit.faults import fault
from kit.kit import scenario
from kit.normal import CLOCK, normal

TARGETS = ("normal",)


def shown(run):
    """The events of the lines. A cmd_ancestry may be there or not."""
    found = [shows.event_of(normal(line), "printf")
             for line in run.lines("normal")]
    return sorted(name for name in found if name != "cmd_ancestry")


ALWAYS = ["version", "start", "cmd_name", "exit", "atexit"]

# Which events

EVENTS = "NORMAL shows neither data nor threads"
GIT = {
    ("006data", "c", "k", "v"): [],
    ("003error", "m"): ["error"],
    ("004child", "true"): ["child_start", "child_exit"],
    ("303redact_def_param", "k", "v"): ["def_param"],
    ("302redact_exec", "a", "b"): ["exec"],
    ("201counter", "1", "2", "2"): ["th_counter", "th_counter", "counter"],
}


@scenario(EVENTS, verbs=[words[0] for words in GIT], ids=("normal.events",))
def events(kit):
    for words, own in GIT.items():
        run = kit.run(*words, targets=TARGETS)
        kit.equal("normal.events", shown(run), sorted([*ALWAYS, *own]))


for event in ("version", "start", "cmd_name", "error", "child_start",
              "child_exit", "def_param", "exec", "th_counter", "counter",
              "exit", "atexit"):
    fault("normal.events", EVENTS,
          normal=(rb" %s(?=[ \[])" % event.encode(), None))
for text in ("data c k:v", "thread_start th01:ut_201", "data"):
    fault("normal.events", EVENTS, normal=also_in_normal(text))

REGIONS = "NORMAL shows commands and messages but no regions"
OTHERS = {
    ("regions_deep", "2"): [],
    ("511data_json", "[1]"): [],
    ("513printf", "a message"): ["printf"],
    ("520cmd_mode", "m"): ["cmd_mode"],
    ("521alias", "a", "b"): ["alias"],
    ("522cmd_path", "/p"): ["cmd_path"],
    ("527def_repo", "/r"): ["def_repo"],
    ("530child_ready", "ready", "true"): ["child_start", "child_ready"],
    ("537exec_result", "2"): ["exec", "exec_result"],
    ("584shares",): ["th_timer"] * 3 + ["th_counter"] * 2
    + ["timer", "counter", "counter"],
}


@scenario(REGIONS, verbs=[words[0] for words in OTHERS],
          ids=("normal.events",))
def regions(kit):
    for words, own in OTHERS.items():
        run = kit.run(*words, targets=TARGETS)
        kit.equal("normal.events", shown(run), sorted([*ALWAYS, *own]))


for event in ("a message", "cmd_mode", "alias", "cmd_path", "worktree",
              "child_ready", "exec_result", "th_timer", "timer"):
    fault("normal.events", REGIONS,
          normal=(rb" %s(?=[ \[]|$)" % event.encode(), None))
for text in ("region_enter cat label:level1", "data_json json:[1]",
             "thread_exit"):
    fault("normal.events", REGIONS, normal=also_in_normal(text))

# The prefix

PREFIX = "the prefix ends at byte 50 or behind a longer file"
MESSAGE = re.compile(
    rb"(?P<clock>" + CLOCK + rb") (?P<source>\S+:\d+)?(?P<blanks> *)"
    rb"(?:printf )?message")


def places(run):
    """The source and the blanks of each printf."""
    found = [MESSAGE.fullmatch(line) for line in run.lines("normal")]
    return [(m["source"], len(m["blanks"])) for m in found if m]


SOURCES = (b"abcdefghijklmnopqrstuvwxy.c:3", b"abcdefghijklmnopqrstuvwx.c:4",
           b"a/path/that/is/far/longer/than/any/column/is/wide.c:12345",
           b'quotes"and\\backslashes.c:6', b"zero.c:0")


@scenario(PREFIX, verbs=("526location",),
          ids=("normal.prefix", "normal.column", "normal.column-no-file",
               "normal.uncut"))
def prefix(kit):
    run = kit.run("526location", targets=TARGETS)
    found = places(run)
    with_file = [(source, count) for source, count in found if source]
    kit.equal("normal.prefix", [source for source, _ in with_file],
              list(SOURCES))
    kit.equal("normal.uncut", SOURCES[2] in dict(with_file), True)
    kit.equal("normal.column", [count for _, count in with_file],
              [max(1, 34 - len(source)) for source in SOURCES])
    kit.equal("normal.column-no-file",
              [count for source, count in found if not source], [34, 34])


fault("normal.prefix", PREFIX, normal=(rb"^(\S+) (\S+:\d+) ", rb"\1 \2: "))
fault("normal.prefix", PREFIX, normal=(rb"^(\S+) (\S+):(\d+) ", rb"\1 \2 "))
fault("normal.prefix", PREFIX, normal=(rb"^(\S{8})\.\d+ ", rb"\1 "))
for pattern, text in ((rb" message", b"message"), (rb" message", b"  message"),
                      (rb"(wide.c:12345) ", rb"\1"),
                      (rb"(wide.c:12345) ", rb"\1  ")):
    fault("normal.column", PREFIX, normal=(pattern, text))
fault("normal.uncut", PREFIX,
      normal=(rb"a/path/\S*(is/wide.c:12345)", rb"...\1"))

BY_BYTES = "prefixes are padded by bytes and not by characters"


@scenario(BY_BYTES, verbs=("printf_at",),
          ids=("normal.column", "perf.column.file"))
def padded_by_bytes(kit):
    """The name of the file has six characters in eight bytes."""
    run = kit.run("printf_at", "\u00e9t\u00e9.c", targets=("normal", "perf"))
    found = [line[16:].replace(b" printf ", b" ")
             for line in run.lines("normal") if line.endswith(b"message")]
    kit.equal("normal.column", found,
              [b"\xc3\xa9t\xc3\xa9.c:7".ljust(34) + b"message"])
    found = [line[16:47] for line in run.lines("perf")
             if line.endswith(b"message")]
    kit.equal("perf.column.file", found,
              [b"\xc3\xa9t\xc3\xa9.c:7".ljust(28) + b" | "])


fault("normal.column", BY_BYTES, normal=(rb"\.c:7 ", b".c:7   "))
fault("perf.column.file", BY_BYTES, perf=(rb"\.c:7 ", b".c:7   "))
fault("normal.uncut", PREFIX, normal=(rb"(a/path/\S{20})\S*", rb"\1"))
for count in (0, 33, 35):
    fault("normal.column-no-file", PREFIX,
          normal=(rb" {35}message", b" " + b" " * count + b"message"))

# Nothing is cut, nothing is changed

RAW = "texts are written whole and as they are"
LONG = "x" * 5000
MIXED = 'one\ntwo\r\x1b[31m\x7f\b "q" é 🎉'
BYTES = b"\xff\xc3("
# A runtime may put its interpreter and a path before the driver's arguments.
START = re.compile(rb"start \S.* trace2 003error x{5000}")


@scenario(RAW, verbs=("003error",), ids=("normal.uncut", "normal.raw"))
def raw(kit):
    run = kit.run("003error", LONG, targets=TARGETS)
    kit.matches("normal.uncut", START, b"".join(run.payloads(b"start")))
    kit.equal("normal.uncut", run.payloads(b"error"),
              [b"error " + LONG.encode()])
    run = kit.run("003error", MIXED, BYTES, targets=TARGETS)
    log = run.log("normal")
    kit.contains("normal.raw", log, b" error " + MIXED.encode() + b"\n")
    kit.contains("normal.raw", log, b" error " + BYTES + b"\n")
    kit.contains("normal.raw", log, b"003error '%s' '%s'\n"
                 % (MIXED.encode(), BYTES))


for event in (b"start", b"error"):
    fault("normal.uncut", RAW,
          normal=(rb"( %s .*?)x{2000}\n" % event, rb"\1...\n"))
    fault("normal.uncut", RAW, normal=(rb"( %s .*?x{1000})x+\n" % event,
                                       rb"\1\n"))


def in_log(old, new):
    def edit(run):
        run.files["normal"] = run.log("normal").replace(old, new)
        return run

    return edit


for old, new in ((b"one\ntwo", b"one two"), (b"one\ntwo", b"one\\ntwo"),
                 (b"\r", b""), (b"\x1b", b"?"), (b"\xff", b"?"),
                 ("é".encode(), b"\\303\\251"), (b"\xff", b"\xef\xbf\xbd")):
    fault("normal.raw", RAW, edit=in_log(old, new))

# Payloads

PAYLOAD = "each payload is that of its event, times in six decimals"
TIMES = re.compile(rb"(?:elapsed|total|min|max):(\S*)")
COUNTS = {"100timer": 5, "004child": 3}


@scenario(PAYLOAD, verbs=COUNTS, ids=("normal.payload", "normal.seconds"))
def payload(kit):
    for words in (("100timer", "2", "1"), ("004child", "true")):
        run = kit.run(*words, targets=TARGETS)
        found = run.payloads()
        for line in found:
            event = shows.event_of(line, "printf")
            rule = "normal-" + event.replace("_", "-")
            kit.check("normal.payload",
                      event != "printf" and forms.follows(rule, line),
                      f"a line of {rule}", line)
        times = TIMES.findall(b"\n".join(found))
        kit.equal("normal.seconds",
                  [bool(re.fullmatch(rb"\d+\.\d{6}", t)) for t in times],
                  [True] * COUNTS[words[0]])


for old, new in ((rb" total:", b" sum:"), (rb" timer test/", b" timer test:"),
                 (rb"child_start\[0\]", b"child_start(0)"),
                 (rb" code:0$", b""), (rb" cmd_name ", b" name ")):
    fault("normal.payload", PAYLOAD, normal=(old, new))
for key in (b"elapsed", b"total", b"min", b"max"):
    for form in (rb"\1.\g<2>", rb"\1.\2\g<3>000", rb".\2\3", b"1e-05", b"1"):
        fault("normal.seconds", PAYLOAD, normal=(
            rb"(?<=%s:)(\d+)\.(\d{3})(\d{3})" % key, form))

# Blanks at the end

BLANKS = "the blanks before an empty argument list stay"


@scenario(BLANKS, verbs=("521alias", "535child_open"),
          ids=("normal.trailing-blank",))
def blanks(kit):
    run = kit.run("521alias", "x", targets=TARGETS)
    kit.equal("normal.trailing-blank", run.payloads(b"alias"),
              [b"alias x -> "])
    run = kit.run("535child_open", targets=TARGETS)
    kit.equal("normal.trailing-blank", run.payloads(b"child_start[0]"),
              [b"child_start[0] "])


fault("normal.trailing-blank", BLANKS, normal=(rb"-> \n", b"->\n"))
fault("normal.trailing-blank", BLANKS, normal=(rb"\] \n", b"]\n"))
fault("normal.trailing-blank", BLANKS, normal=(rb"-> \n", b"-> ''\n"))
