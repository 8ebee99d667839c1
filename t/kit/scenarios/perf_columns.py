"""PERF: its events, the width and the content of its columns."""

import re

from kit.edits import also_in_perf
from kit.faults import fault
from kit.kit import scenario
from kit.shows import BYTES

TARGETS = ("perf",)
CLOCK = re.compile(r"\d\d:\d\d:\d\d\.\d{6}")


def shown(run):
    """The events of the lines. A cmd_ancestry may be there or not."""
    found = [column.event for column in run.perf()]
    return sorted(name for name in found if name != "cmd_ancestry")


ALWAYS = ["version", "start", "cmd_name", "exit", "atexit"]

# Which events

EVENTS = "PERF shows data and threads"
GIT = {
    ("006data", "c", "k", "v"): ["data"],
    ("003error", "m"): ["error"],
    ("004child", "true"): ["child_start", "child_exit"],
    ("303redact_def_param", "k", "v"): ["def_param"],
    ("302redact_exec", "a", "b"): ["exec"],
    ("100timer", "2", "1"): ["timer"],
    ("101timer", "2", "1", "1"): ["thread_start", "th_timer", "thread_exit",
                                  "timer"],
    ("201counter", "1", "2", "1"): ["thread_start", "th_counter",
                                    "thread_exit", "counter"],
}
REGIONS = "PERF shows regions and what a command says"
OTHERS = {
    ("regions_deep", "4"): ["region_enter", "data", "region_leave"] * 4,
    ("511data_json", "[1]"): ["data_json"],
    ("513printf", "m"): ["printf"],
    ("520cmd_mode", "m"): ["cmd_mode"],
    ("521alias", "a", "b"): ["alias"],
    ("522cmd_path", "/p"): ["cmd_path"],
    ("530child_ready", "ready", "true"): ["child_start", "child_ready"],
    ("537exec_result", "2"): ["exec", "exec_result"],
    ("540signal", "PIPE"): ["signal"],
}


def look(kit, runs):
    for words, own in runs.items():
        run = kit.run(*words, targets=TARGETS)
        found = shown(run)
        always = ALWAYS[:3] if own == ["signal"] else ALWAYS
        kit.equal("perf.events", found, sorted([*always, *own]))


def register(name, runs):
    scenario(name, verbs=[words[0] for words in runs], ids=("perf.events",))(
        lambda kit: look(kit, runs)
    )
    every = {event for own in runs.values() for event in own}
    for event in sorted({*ALWAYS, *every}):
        fault("perf.events", name, perf=(rb"\| %s +\|" % event.encode(), None))
    fault("perf.events", name, perf=also_in_perf("too_many_files", ""))
    fault("perf.events", name, perf=also_in_perf("child", "[ch0]"))


register(EVENTS, GIT)
register(REGIONS, OTHERS)

# Columns of git's verbs, byte for byte but for times and places

COLUMNS = "each column is as wide as it should be"
PARTS = ("perf.column.depth", "perf.column.thread", "perf.column.event",
         "perf.column.repo", "perf.column.t_abs", "perf.column.t_rel",
         "perf.column.category")
MAIN, THREAD = f"{'main':24}", f"{'th01:ut_201':24}"
TIME, NONE, BLANK = " 0.MICROS", 9 * " ", 12 * " "
ROWS = {
    ("201counter", "1", "2", "1"): (
        ("d0", MAIN, "start       ", "   ", TIME, NONE, BLANK),
        ("d0", MAIN, "cmd_name    ", "   ", NONE, NONE, BLANK),
        ("d0", THREAD, "thread_start", "   ", TIME, NONE, BLANK),
        ("d0", THREAD, "th_counter  ", "   ", NONE, NONE, "test        "),
        ("d0", THREAD, "thread_exit ", "   ", TIME, TIME, BLANK),
        ("d0", MAIN, "exit        ", "   ", TIME, NONE, BLANK),
        ("d0", MAIN, "counter     ", "   ", NONE, NONE, "test        "),
    ),
    ("006data", "a category that is long", "k", "v"): (
        ("d0", MAIN, "data        ", "r0 ", TIME, TIME, "a category t"),
    ),
    ("513printf", "a message"): (
        ("d0", MAIN, "printf      ", "   ", TIME, NONE, BLANK),
    ),
    ("303redact_def_param", "k", "v"): (
        ("d0", MAIN, "def_param   ", "   ", NONE, NONE, "scope:unknow"),
    ),
    ("004child", "true"): (
        ("d0", MAIN, "child_start ", "   ", TIME, NONE, BLANK),
        ("d0", MAIN, "child_exit  ", "   ", TIME, TIME, BLANK),
    ),
}
SCOPE, WIDTH = "perf.column.category-scope", "perf.column.category-width"


def parts(run):
    """The columns from depth to category, by event; of times their form."""
    rows = {}
    for column in run.perf():
        row = [re.sub(r"(?<=^ 0\.)\d{6}$", "MICROS", x) for x in column.raw]
        rows[column.event] = row[-8:-1]
    return rows


@scenario(COLUMNS, verbs=[words[0] for words in ROWS],
          ids=("perf.column", *PARTS, SCOPE, WIDTH))
def column_widths(kit):
    for words, expected in ROWS.items():
        run = kit.run(*words, targets=TARGETS)
        found = parts(run)
        kit.equal("perf.column", len(run.lines("perf")), len(run.perf()))
        for row in expected:
            event = row[2].strip()
            if event not in found:
                kit.check("perf.column", False, row, sorted(found))
                continue
            for name, want, got in zip(PARTS, row, found[event]):
                kit.equal(name, (event, got), (event, want))
            kit.equal(WIDTH, (event, len(found[event][-1])), (event, 12))
        if "def_param" in found:
            kit.equal(SCOPE, found["def_param"][-1], "scope:unknow")


REGION = "the category column of regions and data has their category"
NEST = [(name, f"{'nest':12}") for name in ("region_enter", "data",
                                            "region_leave")]


@scenario(REGION, verbs=("regions_deep",), ids=("perf.column.category",))
def category_of_regions(kit):
    run = kit.run("regions_deep", "1", targets=TARGETS)
    found = [(c.event, c.raw[-2]) for c in run.perf()]
    kit.equal("perf.column.category",
              [pair for pair in found if pair[0] in dict(NEST)], NEST)


for event, _ in NEST:
    fault("perf.column.category", REGION, perf=(
        rb"(\| %s .*\| )nest  " % event.encode(), rb"\1level1"))

ROW = rb"(%s *\|.{5}\|)(.{11}\|)(.{11}\|)(.{14}\|)"
for name, pattern, text in (
    ("perf.column", rb" \| d0 \|", b" | d0"),
    ("perf.column", rb"\| +([^|\n]*)\n", rb"\1\n"),
    ("perf.column.depth", rb"\| d0 \|", b"| d1 |"),
    ("perf.column.depth", rb"\| d0 \|", b"| d00 |"),
    ("perf.column.thread", rb"\| main ", b"| main"),
    ("perf.column.thread", rb"\| th01:ut_201 ", b"| th01:ut_201  "),
    ("perf.column.thread", rb"\| th01:ut_201 +\|",
     b"|              th01:ut_201 |"),
    ("perf.column.event", rb"\| exit {9}", b"| exit        "),
    ("perf.column.event", rb"\| data {9}", b"|         data "),
    ("perf.column.repo", rb"\| r0  \|", b"|     |"),
    ("perf.column.repo", rb"\| r0  \|", b"|  r0 |"),
    ("perf.column.repo", rb"\| r0  \|", b"| r1  |"),
    ("perf.column.repo", rb"\|     \|", b"|   |"),
    ("perf.column.t_abs", ROW % b"start", rb"\1           |\3\4"),
    ("perf.column.t_abs", ROW % b"thread_exit", rb"\1           |\3\4"),
    ("perf.column.t_abs", ROW % b"cmd_name", rb"\1  0.000001 |\3\4"),
    ("perf.column.t_rel", ROW % b"data", rb"\1\2           |\4"),
    ("perf.column.t_rel", ROW % b"child_exit", rb"\1\2           |\4"),
    ("perf.column.t_rel", ROW % b"child_start", rb"\1\2  0.000001 |\4"),
    ("perf.column.category", ROW % b"exit", rb"\1\2\3 test         |"),
    ("perf.column.category", ROW % b"counter", rb"\1\2\3              |"),
    (SCOPE, rb"\| scope:unknow \|", b"| unknown      |"),
    (SCOPE, rb"\| scope:unknow \|", b"|              |"),
    (WIDTH, rb"\| a category t \|", b"| a category that is long |"),
    (WIDTH, rb"\| a category t \|", b"| a category |"),
    (WIDTH, rb"\| test {9}\|", b"| test       |"),
):
    fault(name, COLUMNS, perf=(pattern, text))

# Times in columns

TIMES = "times in columns are nine wide and have six decimals"


@scenario(TIMES, verbs=("006data",), ids=("perf.column.time-width",))
def times(kit):
    run = kit.run("006data", "c", "k", "v", targets=TARGETS)
    for column in run.perf():
        for time in column.raw[-4:-2]:
            kit.check("perf.column.time-width",
                      re.fullmatch(r" {9}| +\d\.\d{6}|\d{2,}\.\d{6}", time)
                      and len(time) >= 9, "nine blanks or %9.6f", time)


for text in (rb"| \1.\2\3 |", rb"|  \1.\2 |", rb"|  \1.\2\g<3>0 |",
             rb"| \1.\2\3  |", rb"|        |", rb"|    \1.\2   |"):
    fault("perf.column.time-width", TIMES,
          perf=(rb"\|  (\d)\.(\d{3})(\d{3}) \|", text))

# The first column: nine hours east of Greenwich, against EVENT

SOURCE = "a line begins with the local time and the place of the call"


EAST = 9 * 3600


def of_day(clock):
    hours, minutes, rest = clock.split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(rest)


@scenario(SOURCE, verbs=("003error",),
          ids=("perf.column.time", "perf.column.file"))
def source(kit):
    run = kit.run("003error", "m", env={"TZ": "XXX-9"})
    kit.unseen("perf.column.file")
    kit.equal("perf.column.time", len(run.lines("perf")), len(run.events()))
    for line, event in zip(run.lines("perf"), run.events()):
        head = line.partition(b"| d")[0].decode(*BYTES)
        clock, space = head[:15], head[15:]
        utc = of_day(event["time"][11:26])
        kit.check("perf.column.time", CLOCK.fullmatch(clock)
                  and of_day(clock) < 86400
                  and (of_day(clock) - utc - EAST + 30) % 86400 < 60,
                  f"nine hours after {event['time']}", clock)
        if event["event"] == "atexit":  # a target may write it by itself
            continue
        place = f"{event['file']}:{event['line']}" if "file" in event else ""
        kit.equal("perf.column.file", space, f" {fitted(place)} ")


def fitted(place):
    return f"{place:28}" if len(place) <= 28 else f"...{place[-25:]}"


fault("perf.column.time", SOURCE, perf=(rb"^\d\d", b"24"))
fault("perf.column.time", SOURCE, perf=(rb"^(\S{8})\.\d{6}", rb"\1,000000"))
fault("perf.column.file", SOURCE, perf=(rb"^(\S+ )( *\S+)( +)\|",
                                        rb"\1\3\2|"))
fault("perf.column.file", SOURCE, perf=(rb":\d+ ", b":0 "))
fault("perf.column.file", SOURCE, perf=(rb" \| d0", b"  | d0"))
fault("perf.column.file", SOURCE, perf=(rb" \| d0", b"| d0"))

PLACES = "a long place loses its front, and none is blank"
CUT = (" " * 28, " " * 28, "...efghijklmnopqrstuvwxy.c:3",
       "abcdefghijklmnopqrstuvwx.c:4", "...ny/column/is/wide.c:12345",
       f"{'quotes%sand' % chr(34)}\\backslashes.c:6  ",
       f"{'zero.c:0':28}")


@scenario(PLACES, verbs=("526location",),
          ids=("perf.column.file", "perf.column.file-width",
               "perf.column.file-none"))
def places(kit):
    run = kit.run("526location", targets=TARGETS)
    found = [column.raw[0][16:] for column in run.perf("printf")]
    kit.equal("perf.column.file-none", found[:2], list(CUT[:2]))
    kit.equal("perf.column.file-width", [found[2], found[4]],
              [CUT[2], CUT[4]])
    kit.equal("perf.column.file", found[3::2] + found[6:],
              [*CUT[3::2], CUT[6]])


fault("perf.column.file-none", PLACES, perf=(rb" {30}\|", b" |"))
fault("perf.column.file-none", PLACES, perf=(rb" {30}\|", rb" :0%s|"
                                             % (27 * b" ")))
fault("perf.column.file-width", PLACES,
      perf=(rb"\.\.\.ny/column/is/", b"a/path/that/is/far/lon"))
fault("perf.column.file-width", PLACES, perf=(rb"\.\.\.e", b".."))
fault("perf.column.file-width", PLACES, perf=(rb"\.\.\.efg", b"abcdefg"))
fault("perf.column.file", PLACES, perf=(rb"zero.c:0", b"  zero.c"))

# Widths count bytes. "é" has two.

WIDE = "the width of a column counts bytes, not characters"
E = "é".encode()
CATEGORIES = ((5 * E, 5 * E + 2 * b" "), (8 * E, 6 * E),
              (b"a" + 7 * E, b"a" + 5 * E + E[:1]))
FILES = ((E + b".c", E + b".c:7" + 22 * b" "),
         (13 * E + b".c", b"..." + E[1:] + 10 * E + b".c:7"))


def raw(run, event, column):
    """The bytes of a column of each line that has this event."""
    found = [line.split(b" | ") for line in run.lines("perf")]
    return [parts[column] for parts in found if len(parts) > 7
            and parts[3].strip() == event]


@scenario(WIDE, verbs=("006data",), ids=(WIDTH,))
def wide_category(kit):
    for text, shown in CATEGORIES:
        run = kit.run("006data", text, "k", "v", targets=TARGETS)
        kit.equal(WIDTH, raw(run, b"data", 7), [shown])


for old, new in ((5 * E + b"  ", 5 * E + 7 * b" "), (6 * E, 8 * E + 4 * b" "),
                 (b"a" + 5 * E + E[:1], b"a" + 5 * E + b" ")):
    fault(WIDTH, WIDE, perf=(b"[|] " + old + b" [|]", b"| " + new + b" |"))

WIDE_FILE = "the width of file and line counts bytes, not characters"


@scenario(WIDE_FILE, verbs=("printf_at",),
          ids=("perf.column.file", "perf.column.file-width"))
def wide_file(kit):
    for (text, shown), name in zip(
            FILES, ("perf.column.file", "perf.column.file-width")):
        run = kit.run("printf_at", text, targets=TARGETS)
        found = [part[16:] for part in raw(run, b"printf", 0)]
        kit.equal(name, found, [shown])


fault("perf.column.file", WIDE_FILE,
      perf=(E + rb"\.c:7" + 22 * b" ", E + b".c:7" + 23 * b" "))
fault("perf.column.file-width", WIDE_FILE,
      perf=(rb"\.\.\." + E[1:] + 10 * E, 13 * E))
fault("perf.column.file-width", WIDE_FILE,
      perf=(rb"\.\.\." + E[1:] + 10 * E, b"..." + 10 * E))

WIDE_THREAD = "the width of a thread's name counts bytes, not characters"


@scenario(WIDE_THREAD, verbs=("554thread_names",),
          ids=("perf.column.thread",))
def wide_thread(kit):
    run = kit.run("554thread_names", 5 * E, targets=TARGETS)
    kit.equal("perf.column.thread", raw(run, b"thread_start", 2),
              [b"th01:" + 5 * E + 9 * b" "])


fault("perf.column.thread", WIDE_THREAD,
      perf=(b"(th01:" + 5 * E + b")", rb"\1     "))

# Depth, and columns that widen

DEPTH = "the depth is that of the SID, and widens"


@scenario(DEPTH, verbs=("004child",), ids=("perf.column.depth", "perf.widen"))
def depth(kit):
    run = kit.run("004child", "test-tool", "trace2", "001return", "0",
                  targets=TARGETS)
    found = [column.raw[1] for column in run.perf("start")]
    kit.equal("perf.column.depth", found, ["d0", "d1"])
    run = kit.run("001return", "0", targets=TARGETS,
                  env={"GIT_TRACE2_PARENT_SID": "a/b/c/d/e/f/g/h/i/j"})
    found = [column.raw[1] for column in run.perf("start")]
    kit.equal("perf.widen", found, ["d10"])


fault("perf.column.depth", DEPTH, perf=(rb"\| d1 \|", b"| d0 |"))
fault("perf.widen", DEPTH, perf=(rb"\| d10 \|", b"| d1 |"))
fault("perf.widen", DEPTH, perf=(rb"\| d10 \|", b"| d* |"))

REPO = "the repo column widens"


@scenario(REPO, verbs=("527def_repo",),
          ids=("perf.column.repo", "perf.widen"))
def repo(kit):
    run = kit.run("527def_repo", *(f"/{n}" for n in range(1, 101)),
                  targets=TARGETS)
    found = [column.raw[4] for column in run.perf("def_repo")]
    kit.equal("perf.column.repo", found[:9],
              [f"r{n} " for n in range(1, 10)])
    kit.equal("perf.widen", found[9:], [f"r{n} " for n in range(10, 101)])


fault("perf.column.repo", REPO, perf=(rb"\| r1  \|", b"| r0  |"))
fault("perf.column.repo", REPO, perf=(rb"\| r(\d)  \|", rb"|  \1  |"))
fault("perf.widen", REPO, perf=(rb"\| r10  \|", b"| r10 |"))
fault("perf.widen", REPO, perf=(rb"\| r100  \|", b"| r10 |"))
