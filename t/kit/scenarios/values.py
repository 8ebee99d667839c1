"""Values that a writer who tries the plain ones alone gets wrong."""

import re

from kit.faults import fault
from kit.kit import Skip, scenario
from kit.logs import under_shell
from kit.run import TARGETS

# Fractions that end in zeros: one in ten does.

ZEROS = "fractions have six digits, the last zeros too"
MANY = [word for n in range(250) for word in ("c", f"k{n}", "v")]
FRACTIONS = {
    "json.seconds": ("event", re.compile(rb'"t_\w+":(?!\d+\.\d{6}[,}])')),
    "time.utc": ("event", re.compile(rb'"time":"(?![^"]*\.\d{6}Z")')),
    "perf.column.time-width": ("perf", re.compile(
        rb"(?m)^\S{15} .{28} \|(?:[^|]*\|){4}(?! +\d*\.\d{6} \|| {11}\|)")),
    "time.local": ("perf", re.compile(rb"(?m)^(?!\d\d:\d\d:\d\d\.\d{6} )")),
}


@scenario(ZEROS, verbs=("006data",), ids=FRACTIONS)
def zeros(kit):
    run = kit.run("006data", *MANY, targets=("perf", "event"))
    for name, (target, wrong) in FRACTIONS.items():
        text = run.log(target).rstrip(b"\n")
        found = [line for line in text.split(b"\n") if wrong.search(line)]
        kit.check(name, len(text.split(b"\n")) > 250 and not found,
                  "six digits after each point", found[:3] or text[:500])


ZERO = rb"(\.\d{1,5}?)0+"
fault("json.seconds", ZEROS, event=(rb'("t_abs":\d+)' + ZERO + b",", rb"\1\2,"))
fault("time.utc", ZEROS, event=(rb'("time":"[^".]*)' + ZERO + b"Z", rb"\1\2Z"))
fault("perf.column.time-width", ZEROS,
      perf=(rb"( data +\|[^|]*\|  \d+)" + ZERO + rb" \|", rb"\1\2  |"))
fault("time.local", ZEROS, perf=(rb"^([\d:]{8})" + ZERO + b" ", rb"\1\2 "))

# Threads

HUNDRED = "the hundredth thread has three digits"


@scenario(HUNDRED, verbs=("201counter",),
          ids=("thread.number", "thread.name", "counter.total"))
def hundred(kit):
    run = kit.run("201counter", "1", "1", "101")
    wanted = sorted(f"th{n:02}:ut_201" for n in range(1, 102))
    for event in ("thread_start", "th_counter", "thread_exit"):
        found = sorted(e["thread"] for e in run.events(event))
        kit.equal("thread.number", found, wanted)
        kit.equal("thread.name",
                  sorted(c.thread for c in run.perf(event)), wanted)
    kit.equal("counter.total",
              [e["count"] for e in run.events("counter")], [202])


fault("thread.number", HUNDRED, event=(b'"th101:', b'"th01:'))
fault("thread.name", HUNDRED, perf=(b"th100:", b"th10:"))
fault("counter.total", HUNDRED, event=(b'"count":202', b'"count":200'))

# Timers and counters

NAMED = "totals of one name in two categories are two, in the order of use"
TOTALS = ("b", "z", "5", "a", "z", "7", "b", "a", "9", "B", "z", "2")


@scenario(NAMED, verbs=("totals_named",),
          ids=("timer.order", "counter.order", "timer.total",
               "counter.total"))
def totals(kit):
    run = kit.run("totals_named", *TOTALS)
    wanted = list(zip(TOTALS[::3], TOTALS[1::3]))
    for event in ("timer", "counter"):
        found = [(e["category"], e["name"]) for e in run.events(event)]
        kit.equal(f"{event}.order", found, wanted)
        kit.equal(f"{event}.total", sorted(found), sorted(wanted))
    kit.equal("counter.total", sorted(e["count"] for e in
                                      run.events("counter")), [2, 5, 7, 9])


def by_name(event):
    """The totals of one kind in the order of their names."""
    def edit(run):
        head = b'{"event":"%s"' % event
        lines = run.log("event").splitlines(True)
        mine = sorted((x for x in lines if x.startswith(head)),
                      key=lambda x: x[x.index(b'"category"'):])
        run.files["event"] = b"".join(
            mine.pop(0) if x.startswith(head) else x for x in lines)
        return run
    return edit


def as_one(event):
    """The second total of the name `z` is not told."""
    return (rb'^\{"event":"%s".*"category":"a","name":"z".*\n' % event, b"")


for name in (b"timer", b"counter"):
    fault(f"{name.decode()}.order", NAMED, edit=by_name(name))
    fault(f"{name.decode()}.total", NAMED, event=as_one(name))

# Formats

PERCENT = "a percent sign in a text is no format"
SIGNS = "100%, %s %d %n%%s"
PLACES = (("003error", "error", "msg"), ("501region_printf", "region_enter",
                                         "msg"),
          ("513printf", "printf", "msg"))


@scenario(PERCENT, verbs=[verb for verb, *_ in PLACES],
          ids=("normal.raw", "perf.raw", "event.error.fmt", "event.error.msg",
               "event.printf.msg", "event.region_enter.msg"))
def percent(kit):
    runs = {event: kit.run(verb, SIGNS) for verb, event, _ in PLACES}
    for _, event, key in PLACES:
        found = runs[event].event(event, -1)[key]
        kit.equal(f"event.{event}.{key}", found, SIGNS)
    kit.equal("event.error.fmt", runs["error"].event("error")["fmt"], "%s")
    for event, run in runs.items():
        kit.contains("perf.raw", run.perf(event)[-1].payload, SIGNS)
        if event != "region_enter":
            kit.contains("normal.raw", run.log("normal"), SIGNS.encode())


for event in ("error", "printf", "region_enter"):
    fault(f"event.{event}.msg", PERCENT, event=(
        rb'("event":"%s".*"msg":"100%%, )%%s' % event.encode(),
        rb"\1(null)"))
fault("event.error.fmt", PERCENT, event=(rb'"fmt":"%s"',
                                         b'"fmt":"100%, %s %d %n%%s"'))
fault("perf.raw", PERCENT, perf=(rb"%%", b"%"))
fault("normal.raw", PERCENT, normal=(rb"%%", b"%"))

# Categories

WHOLE = "a category of the list is a whole name"


@scenario(WHOLE, verbs=("006data",), ids=("category.list",))
def whole_names(kit):
    words = [w for name in ("ab", "b", "abc", "a b", "") if name
             for w in (name, "k", "v")]
    for value, wanted in (("b", ["b"]), ("ab", ["ab"]), ("abc,a", ["abc"]),
                          ("bc", []), ("a b,x", ["a b"])):
        run = kit.run("006data", *words, env={"GIT_TRACE2_CATEGORIES": value})
        found = [e["category"] for e in run.events("data")]
        kit.equal("category.list", found, wanted)
        kit.equal("category.list",
                  [c.category for c in run.perf("data")], wanted)


fault("category.list", WHOLE, event=(
    rb'(.*"event":"data".*"category":)"b"(.*\n)', rb'\g<0>\1"ab"\2'))
fault("category.list", WHOLE, perf=(rb"\| a b +\|", b"| a            |"))

# Secrets

LISTED = "a secret in any element of a list is replaced"
URLS = ("https://u:hush@a/", "word", "https://u:hush@b/ https://v:hush@c/",
        "x=https://u:hush@d/")
SAFE = [text.replace("hush", "<REDACTED>") for text in URLS]
LISTS = (("300redact_start", (), "start"),
         ("301redact_child_start", (), "child_start"),
         ("302redact_exec", ("exe",), "exec"), ("521alias", ("a",), "alias"))
MESSAGES = ("513printf", "003error", "501region_printf")


@scenario(LISTED, verbs=[*(verb for verb, *_ in LISTS), *MESSAGES],
          ids=("redact.where", "redact.everywhere"))
def listed(kit):
    for verb, before, event in LISTS:
        run = kit.run(verb, *before, *URLS)
        name = "redact." + ("everywhere" if event == "alias" else "where")
        kit.equal(name, run.event(event, -1)["argv"], SAFE)
        for target in TARGETS:
            kit.lacks(name, run.log(target), b"hush")
    for verb in MESSAGES:
        run = kit.run(verb, URLS[2])
        for target in TARGETS:
            kit.lacks("redact.everywhere", run.log(target), b"hush")


for event in ("start", "child_start", "exec"):
    fault("redact.where", LISTED, event=(
        rb'("event":"%s".*v:)<REDACTED>' % event.encode(), rb"\1hush"))
fault("redact.where", LISTED, perf=(
    rb"(\| exec .*)<REDACTED>@d", rb"\1hush@d"))
fault("redact.everywhere", LISTED, event=(
    rb'("event":"alias".*)<REDACTED>@d', rb"\1hush@d"))
fault("redact.everywhere", LISTED, normal=(
    rb"^(.{50}https://u:)<REDACTED>", rb"\1hush"))

FORKED = "a forked child has no secret of its parent's command line"


@scenario(FORKED, verbs=("560fork",), ids=("redact.where",))
def forked(kit):
    run = kit.run("560fork", URLS[0])
    kit.equal("redact.where", {e["argv"][-1] for e in run.events("start")},
              {SAFE[0]})
    for target in TARGETS:
        kit.lacks("redact.where", run.log(target), b"hush")


fault("redact.where", FORKED, event=(
    rb'("event":"start".*/.*)<REDACTED>', rb"\1hush"))

# Command lines

PATH = "the first word of a command line is as it was given"
TOOL = 'exec "$(command -v test-tool)" trace2 001return 0'


@scenario(PATH, verbs=("001return",), ids=("event.start.argv",))
def with_path(kit):
    run = kit.command("sh", "-c", 'command -v test-tool; ' + TOOL)
    kit.equal("event.start.argv", run.event("start")["argv"],
              [run.stdout.decode().rstrip("\n"), "trace2", "001return", "0"])


fault("event.start.argv", PATH, event=(rb'"argv":\["[^"]*/', b'"argv":["'))

# Locales

COMMA = "the decimal sign of the host's locale is not that of a log"
LOCALE = ("mkdir loc; localedef -i de_DE -f UTF-8 \"$PWD\"/loc/de_DE.UTF-8 "
          "2>/dev/null || : >no-locale")


@scenario(COMMA, verbs=("100timer",), ids=("time.point",))
def comma(kit):
    run = kit.run("100timer", "2", "1", setup=LOCALE, env={
        "LOCPATH": "{}/loc", "LC_ALL": "de_DE.UTF-8"})
    if "no-locale" in run.files:
        raise Skip("no locale can be made (localedef, and locales)")
    for target in TARGETS:
        text = run.log(target)
        kit.check("time.point", re.search(rb"\d\.\d{6}", text)
                  and not re.search(rb"\d,\d{2}", text), "points", text)


fault("time.point", COMMA, normal=(rb"(\d)\.(\d{6})$", rb"\1,\2"))
fault("time.point", COMMA, event=(rb'("t_abs":\d+)\.', rb"\1,"))
