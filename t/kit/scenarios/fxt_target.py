"""The FXT target: each event of the EVENT log has its record."""

from kit import fxt
from kit.faults import fault
from kit.kit import Unimplemented, scenario

LOG = "GIT_TRACE2_FXT"
DEEP = {"GIT_TRACE2_EVENT_NESTING": "9", LOG: "{}/fxt"}
SHAPES = ("instant", "begin", "end", "counter", "async-begin", "async-end")


def archive(run, path="fxt"):
    """The records of a file. Who writes none has no such target."""
    if path not in run.files:
        raise Unimplemented("no FXT file is written")
    return fxt.records(run.files[path])


def shown(run, path="fxt"):
    """Those that stand for events."""
    return [r for r in archive(run, path) if r.kind in SHAPES]


def the(kit, name, found):
    """The one record that there has to be."""
    kit.check(name, len(found) == 1, "one record", found)
    return found[0] if found else fxt.Record("nothing")


@scenario("an event is an instant with its fields",
          verbs=("001return", "003error"),
          ids=("fxt.target.event", "fxt.target.argument",
               "fxt.target.category"))
def plain(kit):
    run = kit.run("003error", "a b", "c", env=DEEP)
    found = shown(run)
    names = [e["event"] for e in run.events()]
    kit.equal("fxt.target.event", [r.name for r in found], names)
    kit.equal("fxt.target.event", {r.kind for r in found}, {"instant"})
    kit.equal("fxt.target.category", {r.category for r in found}, {"trace2"})
    for record, event in zip(found, run.events()):
        kit.equal("fxt.target.argument", record.args, fields(event))


COMMON = ("event", "sid", "thread", "time", "file", "line", "t_abs", "t_rel",
          "nesting", "category")


def fields(event):
    """What the arguments of an instant have to be."""
    found = {k: v for k, v in event.items() if k not in COMMON}
    if "argv" in found:
        found["argv"] = " ".join(map(quoted, found["argv"]))
    if "ancestry" in found:
        found["ancestry"] = " ".join(map(quoted, found["ancestry"]))
    return found


def quoted(word):
    return f"'{word}'" if " " in word else word


PLAIN = "an event is an instant with its fields"


def edited(change):
    """A fault: the archive with change(words) for each record."""
    def edit(run):
        if "fxt" in run.files:
            run.files["fxt"] = fxt.rewrite(run.files["fxt"], change)
        return run
    return edit


def of_type(number, change):
    """As edited(), of events of that type only."""
    def only(words):
        kind, event = words[0] & 15, words[0] >> 16 & 15
        mine = kind == fxt.EVENT and event == number
        return change(words) if mine else words
    return edited(only)


def in_text(old, new):
    """A fault: other bytes, as many."""
    def edit(run):
        if "fxt" in run.files:
            run.files["fxt"] = run.files["fxt"].replace(old, new)
        return run
    return edit


fault("fxt.target.event", PLAIN, edit=in_text(b"atexit\0\0", b"ending\0\0"))
fault("fxt.target.event", PLAIN, edit=of_type(0, lambda words: None))
fault("fxt.target.argument", PLAIN, edit=in_text(b"code\0\0\0\0", b"exit\0\0\0\0"))
fault("fxt.target.category", PLAIN, edit=in_text(b"trace2\0\0", b"traced\0\0"))


@scenario("regions are durations", verbs=("500region_nested",),
          ids=("fxt.target.region", "fxt.target.data", "fxt.target.repo"))
def regions(kit):
    run = kit.run("500region_nested", "3", env=DEEP)
    found = shown(run)
    for kind, event in (("begin", "region_enter"), ("end", "region_leave")):
        wanted = [(e["category"], e["label"]) for e in run.events(event)]
        kit.equal("fxt.target.region",
                  [(r.category, r.name) for r in found if r.kind == kind],
                  wanted)
    times = [r.time for r in found]
    kit.equal("fxt.target.region", times, sorted(times))
    data = [(e["category"], e["key"]) for e in run.events("data")]
    keys = {key for _, key in data}
    said = [r for r in found if r.kind == "instant" and r.name in keys]
    kit.equal("fxt.target.data", [(r.category, r.name) for r in said], data)
    kit.equal("fxt.target.data", [r.args.get("value") for r in said],
              [int(e["value"]) for e in run.events("data")])
    repos = [e.get("repo") for e in run.events()]
    kit.equal("fxt.target.repo", [r.args.get("repo") for r in found], repos)


REGIONS = "regions are durations"
