"""How deep EVENT shows regions, and the setting that says so."""

from kit.config import home, warnings
from kit.faults import fault
from kit.kit import scenario

VERB = "regions_deep"
DEEP = 12
LIMIT = "GIT_TRACE2_EVENT_NESTING"


def nestings(run, event):
    return [e["nesting"] for e in run.events(event)]


def first(count):
    return list(range(1, count + 1))


TITLE = "regions and data above the limit are left out of EVENT"


@scenario(TITLE, verbs=(VERB,),
          ids=("nesting.limit", "nesting.default", "nesting.counts",
               "nesting.only-event"))
def limits(kit):
    for limit in (None, "1", "3", "11"):
        run = kit.run(VERB, str(DEEP), env={LIMIT: limit})
        name = "nesting.limit" if limit else "nesting.default"
        shown = first(int(limit or 2))
        kit.equal(name, nestings(run, "region_enter"), shown)
        kit.equal(name, nestings(run, "data"), shown[1:])
        kit.equal(name, len(run.events("region_leave")), len(shown))
        kit.equal("nesting.counts", nestings(run, "region_leave"),
                  shown[::-1])
        for event in ("region_enter", "region_leave", "data"):
            kit.equal("nesting.only-event", len(run.perf(event)), DEEP)
        kit.equal("nesting.counts", [c.dots for c in run.perf("region_enter")],
                  [2 * (level - 1) for level in first(DEEP)])


def limited(low, high):
    """Where the limit was `low`, it is `high`, and all above is shown."""
    def edit(run):
        if nestings(run, "region_enter") == first(low):
            run.files["event"] += b"".join(
                b'{"event":"region_enter","nesting":%d}\n' % (low + 1 + at)
                for at in range(high - low))
        return run
    return edit


fault("nesting.default", TITLE, edit=limited(2, 3))
fault("nesting.limit", TITLE, edit=limited(1, 2))
fault("nesting.limit", TITLE, event=(rb'"data".*"nesting":3', None))
fault("nesting.counts", TITLE,
      event=(rb'("region_leave".*"nesting":)1,', rb"\g<1>0,"))
fault("nesting.counts", TITLE, perf=(rb"\| \.\.\.\.(?!\.)", rb"| .."))
fault("nesting.only-event", TITLE, perf=(rb"label:level12", None))


@scenario("the limit leaves out no event of another type",
          verbs=("503region_open", "527def_repo"),
          ids=("nesting.only-these", "nesting.limit"))
def only_these(kit):
    run = kit.run("503region_open", env={LIMIT: "1"})
    names = [e["event"] for e in run.events()]
    for name in ("printf", "cmd_mode", "def_param", "error", "child_start",
                 "child_exit", "exit", "atexit"):
        kit.contains("nesting.only-these", names, name)
    kit.equal("nesting.limit", nestings(run, "data"), [])
    run = kit.run("527def_repo", "/repo", env={LIMIT: "1"})
    kit.equal("nesting.limit", (nestings(run, "data"),
                                nestings(run, "data_json")), ([1], []))
    kit.equal("nesting.limit", len(run.perf("data_json")), 1)


TITLE = "the limit leaves out no event of another type"
fault("nesting.only-these", TITLE, event=(rb'"event":"error"', None))
fault("nesting.limit", TITLE,
      event=(rb'("event":"data.*"nesting":1.*)',
             rb'\1\n{"event":"data_json","nesting":2}'))


def depth(kit, limit=None, config=None):
    """The deepest region that is shown; they must all be there above."""
    files = config and home(eventNesting=b'"%s"' % config.encode())
    run = kit.run(VERB, str(DEEP), env={LIMIT: limit}, targets=("event",),
                  files=files)
    shown = nestings(run, "region_enter")
    return len(shown) if shown == first(len(shown)) else shown


NUMBERS = ("4294967295", "4294967296", 30 * "9")
# What depends on the requirement, the variable, the key, and the limit.
LIMITS = (
    ("settings.event-nesting", "1", None, 1),
    ("settings.event-nesting", "7", None, 7),
    ("settings.event-nesting", None, "6", 6),
    ("settings.event-nesting", "7", "6", 7),
    *(("settings.event-nesting.invalid", *pair, 2)
      for text in ("0", "-1", "abc", "-3x")
      for pair in ((text, None), (None, text))),
    *(("settings.number.range", text, None, DEEP) for text in NUMBERS),
    ("settings.number", "010", None, 10),
    ("settings.number", None, "010", 10),
    ("settings.replace-invalid", "abc", None, 2),
    ("settings.replace-invalid", "abc", "8", 2),
    ("settings.empty-env", "", None, 2),
    ("settings.empty-env", "", "12", 12),
)


TITLE = "the nesting limit is a setting"


@scenario(TITLE, verbs=(VERB,),
          ids=("settings.event-nesting", "settings.event-nesting.invalid",
               "settings.number", "settings.number.range",
               "settings.replace-invalid",
               "settings.empty-env"))
def setting(kit):
    for name, limit, config, wanted in LIMITS:
        if config is None or kit.configured():
            kit.equal(name, depth(kit, limit, config), wanted)


fault("settings.event-nesting", TITLE, edit=limited(6, 7))
fault("settings.event-nesting.invalid", TITLE, edit=limited(2, 12))
fault("settings.number", TITLE, edit=limited(10, 12))
fault("settings.number.range", TITLE, event=(rb'"nesting":12', None))
fault("settings.replace-invalid", TITLE, edit=limited(2, 8))
fault("settings.empty-env", TITLE, event=(rb'"nesting":12', None))


IGNORED = (b"warning: trace2: value '-17' for 'GIT_TRACE2_EVENT_NESTING' "
           b"is not above 0, using 2\n")

TITLE = "a nesting limit that is ignored is named under destination debug"


@scenario(TITLE, verbs=("001return",),
          ids=("settings.event-nesting.diagnosed",))
def diagnosed(kit):
    name = "settings.event-nesting.diagnosed"
    for debug in ("1", "0"):
        debugs = {"GIT_TRACE2_DST_DEBUG": debug}
        for env, files in (({LIMIT: "-17"}, {}),
                           ({}, home(eventNesting=b"-17"))):
            if files and not kit.configured():
                continue
            run = kit.run("001return", "0", env={**debugs, **env},
                          files=files)
            kit.equal(name, warnings(run), [IGNORED] * int(debug))


fault("settings.event-nesting.diagnosed", TITLE, stderr=(rb"-17", rb"2"))
fault("settings.event-nesting.diagnosed", TITLE, stderr=(rb".", None))


TITLE = "a nesting limit is read from the front"


@scenario(TITLE, verbs=(VERB,), ids=("settings.number.prefix",))
def prefix(kit):
    for text, value in (("3abc", 3), (" 4", 4), ("1e3", 1), ("0x10", 2),
                        ("+5", 5), ("9.9", 9)):
        kit.equal("settings.number.prefix", depth(kit, text), value)
        kit.equal("settings.number.prefix", depth(kit, None, text), value)


fault("settings.number.prefix", TITLE, edit=limited(3, 12))
