"""PERF: dots and payloads."""

import re

from kit import forms
from kit.edits import literal
from kit.faults import fault
from kit.kit import scenario

TARGETS = ("perf",)


def dotted(run):
    """Event, dots and payload of each line behind that of cmd_name."""
    found = [(c.event, c.dots, c.payload) for c in run.perf()]
    names = [event for event, _, _ in found]
    return found[names.index("cmd_name") + 1:]


# Dots

NESTED = "two dots stand for each open region"


@scenario(NESTED, verbs=("regions_deep",),
          ids=("perf.dots", "perf.region-dots"))
def nested(kit):
    run = kit.run("regions_deep", "3", targets=TARGETS)
    found = dotted(run)
    kit.equal("perf.region-dots",
              [dots for event, dots, _ in found if event[:6] == "region"],
              [0, 2, 4, 4, 2, 0])
    kit.equal("perf.dots",
              [dots for event, dots, _ in found if event == "data"],
              [2, 4, 6])


fault("perf.dots", NESTED, perf=(rb"\.\.(level:)", rb"\1"))
fault("perf.dots", NESTED, perf=(rb"\.\.(level:)", rb".\1"))
fault("perf.dots", NESTED, perf=(rb"\.\.\.\.(level:)", rb"    \1"))
for text in (rb"\.\.(label:)", rb"(region_enter.*\| )(?=\.*label)"):
    fault("perf.region-dots", NESTED,
          perf=(text, rb"\1" if text[:1] == b"\\" else rb"\1.."))
fault("perf.region-dots", NESTED, perf=(rb"(region_leave.*\| )", rb"\1.."))

MANY = "more than a hundred open regions have two dots each or 200 in all"


@scenario(MANY, verbs=("regions_deep",),
          ids=("perf.dots", "perf.dots-most"))
def many(kit):
    found = [dots for event, dots, _ in
             dotted(kit.run("regions_deep", "102", targets=TARGETS))
             if event == "data"]
    kit.equal("perf.dots", found[:100], list(range(2, 202, 2)))
    kit.check("perf.dots-most", found[100:] in ([202, 204], [200, 200]),
              "two dots for each open region, or 200", found[100:])


fault("perf.dots", MANY, perf=(rb"([|] )\.{198}(?=level:99\b)", rb"\1"))
fault("perf.dots-most", MANY, perf=(rb"\.{100}(?=level:102\b)", rb""))

OPEN = "events of every type have dots, and the last ones none"
INNER = [("data", "key:value"), ("printf", "a message"),
         ("cmd_mode", "a mode"), ("def_param", "param:value"),
         ("error", "an error"), ("child_start", "[ch0] class:? argv:[child]"),
         ("child_exit", "[ch0] pid:-1 code:0")]


@scenario(OPEN, verbs=("503region_open", "541signal_region"),
          ids=("perf.dots", "perf.dots-dropped"))
def left_open(kit):
    run = kit.run("503region_open", targets=TARGETS)
    found = [one for one in dotted(run) if one[0][:6] != "region"]
    found = [(e, dots, re.sub(r"^(\S+ pid:-1 code:)-1$", r"\g<1>0", text))
             for e, dots, text in found]
    kit.equal("perf.dots", found[:-2], [(e, 4, p) for e, p in INNER])
    kit.equal("perf.dots-dropped", found[-2:],
              [("exit", 4, "code:0"), ("atexit", 0, "code:0")])
    run = kit.run("541signal_region", "PIPE", targets=TARGETS)
    kit.equal("perf.dots-dropped", dotted(run)[-1], ("signal", 2, "signo:13"))


for event, payload in INNER:
    fault("perf.dots", OPEN, perf=literal(f"....{payload}", payload))
fault("perf.dots-dropped", OPEN, perf=(rb"( exit .*\| )\.{4}", rb"\1"))
fault("perf.dots-dropped", OPEN, perf=(rb"(atexit .*\| )", rb"\1...."))
fault("perf.dots-dropped", OPEN, perf=(rb"\.\.signo", b"signo"))

EVERY = "events of every type have dots inside regions"
INSIDE = (
    ("006data", "c", "k", "v"), ("003error", "m"), ("004child", "true"),
    ("302redact_exec", "a", "b"), ("303redact_def_param", "k", "v"),
    ("511data_json", "[1]"), ("513printf", "m"), ("520cmd_mode", "m"),
    ("521alias", "a", "b"), ("522cmd_path", "/p"), ("523cmd_name", "n"),
    ("524cmd_ancestry", "n"), ("527def_repo", "/r"), ("537exec_result", "2"),
    ("530child_ready", "ready", "true"), ("300redact_start", "a"),
)
TYPES = ("data", "error", "child_start", "child_exit", "exec", "def_param",
         "data_json", "printf", "cmd_mode", "alias", "cmd_path", "cmd_name",
         "cmd_ancestry", "def_repo", "exec_result", "child_ready", "start")


@scenario(EVERY, verbs=("in_regions", *(words[0] for words in INSIDE)),
          ids=("perf.dots",))
def every_type(kit):
    """A verb inside two regions writes what it writes outside, with four
    dots more. It may then leave them or end the program."""
    seen = set()
    for words in INSIDE:
        apart, within = (dotted(kit.run(*more, *words, targets=TARGETS))
                         for more in ((), ("in_regions",)))
        wanted = [(event, dots + 4) for event, dots, _ in apart[:-2]]
        found = [(event, dots) for event, dots, _ in within[2:len(wanted) + 2]]
        kit.equal("perf.dots", found, wanted)
        seen |= {event for event, _ in found}
    kit.equal("perf.dots", sorted(set(TYPES) - seen), [])


for event in TYPES:
    fault("perf.dots", EVERY,
          perf=(rb"([|] %s +[|].*[|] )\.{4}" % event.encode(), rb"\1"))

TOTALS = "totals behind an open region have no dots"


@scenario(TOTALS, verbs=("585totals_open",), ids=("perf.dots-dropped",))
def totals(kit):
    run = kit.run("585totals_open", targets=TARGETS)
    kit.equal("perf.dots-dropped",
              [(event, dots) for event, dots, _ in dotted(run)[-6:]],
              [("exit", 2), ("th_timer", 0), ("th_counter", 0), ("timer", 0),
               ("counter", 0), ("atexit", 0)])


for event in (b"th_timer", b"th_counter", b" timer", b" counter"):
    fault("perf.dots-dropped", TOTALS,
          perf=(rb"(%s .*\| )(?=name)" % event, rb"\1.."))

# Payloads of git's verbs

PAYLOADS = "each payload is that of its event"
GIT = {
    ("006data", "c", "k", "v"): ("data", "k:v"),
    ("200counter", "1", "2"): ("counter", "name:test1 value:3"),
    ("004child", "true"): ("child_start", "[ch0] class:? argv:[true]"),
    ("302redact_exec", "a", "b"): ("exec", "id:0 argv:[a b]"),
    ("003error", "m"): ("error", "m"),
}


@scenario(PAYLOADS, verbs=[words[0] for words in GIT], ids=("perf.payload",))
def payloads(kit):
    for words, (event, payload) in GIT.items():
        run = kit.run(*words, targets=TARGETS)
        kit.equal("perf.payload",
                  [c.payload for c in run.perf(event)], [payload])
        for c in run.perf():
            rule = "perf-" + c.event.replace("_", "-")
            kit.check("perf.payload",
                      forms.follows(rule, c.payload.encode()),
                      f"what {rule} says", c.payload)


for old, new in ((b"k:v", b"k=v"), (b"name:test1", b"test1"),
                 (b" value:3", b" count:3"), (rb"\[ch0\]", b"[0]"),
                 (rb"class:\? ", b""), (rb"argv:\[true\]", b"argv: true"),
                 (b"id:0 ", b""), (rb"\| m\n", b"| msg:m\n"),
                 (b"code:0", b"exit:0")):
    fault("perf.payload", PAYLOADS, perf=(old, new))

# Blanks at the end

BLANK = "an empty payload leaves the blank before it"


@scenario(BLANK, verbs=("201counter",), ids=("perf.trailing-blank",))
def blank(kit):
    run = kit.run("201counter", "1", "2", "1", targets=TARGETS)
    found = [line[-3:] for line in run.lines("perf")
             if re.search(rb" thread_(start|exit) ", line)]
    kit.equal("perf.trailing-blank", found, [b" | ", b" | "])


fault("perf.trailing-blank", BLANK, perf=(rb" \| \n", b" |\n"))
fault("perf.trailing-blank", BLANK, perf=(rb" \| \n", b"\n"))
fault("perf.trailing-blank", BLANK, perf=(rb" \| \n", b" | -\n"))

LABEL = "an empty message leaves a blank behind the label"


@scenario(LABEL, verbs=("501region_printf",), ids=("perf.label-blank",))
def label(kit):
    run = kit.run("501region_printf", targets=TARGETS)
    found = [c.payload for c in run.perf() if "label:e" in c.payload]
    kit.equal("perf.label-blank", found,
              ["label:enter only here", "label:enter", "label:empty ",
               "label:empty "])


fault("perf.label-blank", LABEL, perf=(rb"label:empty \n", b"label:empty\n"))
fault("perf.label-blank", LABEL, perf=(rb"label:enter\n", b"label:enter \n"))

EMPTY = "an empty argument list leaves no blank"


@scenario(EMPTY, verbs=("521alias", "535child_open"),
          ids=("perf.empty-argv",))
def empty(kit):
    run = kit.run("521alias", "x", targets=TARGETS)
    kit.equal("perf.empty-argv", [c.payload for c in run.perf("alias")],
              ["alias:x argv:[]"])
    run = kit.run("535child_open", targets=TARGETS)
    kit.equal("perf.empty-argv",
              [c.payload for c in run.perf("child_start")],
              ["[ch0] class:? argv:[]"])


fault("perf.empty-argv", EMPTY, perf=(rb"argv:\[\]", b"argv:[ ]"))
fault("perf.empty-argv", EMPTY, perf=(rb"argv:\[\]", b"argv:['']"))
fault("perf.empty-argv", EMPTY, perf=(rb" argv:\[\]", b""))

# Nothing is changed, nothing but place and category is cut

RAW = "payloads are written whole and as they are"
LONG = "x" * 5000
MIXED = 'one\ntwo\r\x1b[31m\x7f\b "q" é 🎉'
BYTES = b"\xff\xc3("


@scenario(RAW, verbs=("003error",), ids=("perf.raw", "perf.widen"))
def raw(kit):
    run = kit.run("003error", LONG, targets=TARGETS)
    found = [c.payload for c in run.perf() if LONG[:99] in c.payload]
    kit.check("perf.widen", len(found) == 2 and found[1] == LONG
              and re.fullmatch(r"\S.* trace2 003error " + LONG, found[0]),
              f"a command line that ends in trace2 003error and {LONG},"
              " and an error with it", found)
    run = kit.run("003error", MIXED, BYTES, targets=TARGETS)
    log = run.log("perf")
    kit.contains("perf.raw", log, b" | " + MIXED.encode() + b"\n")
    kit.contains("perf.raw", log, b" | " + BYTES + b"\n")
    kit.contains("perf.raw", log, b"003error '%s' '%s'\n"
                 % (MIXED.encode(), BYTES))


def in_log(old, new):
    def edit(run):
        run.files["perf"] = run.log("perf").replace(old, new)
        return run

    return edit


fault("perf.widen", RAW, perf=(rb"x{4000}\n", b"\n"))
fault("perf.widen", RAW, perf=(rb"(\| )x{4000}", rb"\1..."))
for old, new in ((b"one\ntwo", b"one two"), (b"one\ntwo", b"one\\ntwo"),
                 (b"\r", b""), (b"\x1b", b"?"), (b"\xff", b"?"),
                 ("é".encode(), b"\\303\\251"), (b"\xff", b"\xef\xbf\xbd")):
    fault("perf.raw", RAW, edit=in_log(old, new))
