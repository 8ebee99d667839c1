"""The FXT target: each event of the EVENT log has its record."""

from kit import fxt, fxt_edits
from kit.faults import fault
from kit.kit import Unimplemented, scenario
from kit.logs import microseconds

LOG = "GIT_TRACE2_FXT"
ON = {"GIT_TRACE2_EVENT_NESTING": "9", LOG: "{}/fxt"}
SHAPES = {
    "region_enter": ("begin", "label"),
    "region_leave": ("end", "label"),
    "data": ("instant", "key"),
    "data_json": ("instant", "key"),
    "child_start": ("async-begin", None),
    "child_exit": ("async-end", None),
    "child_ready": ("async-end", None),
    "th_timer": ("counter", "name"),
    "timer": ("counter", "name"),
    "th_counter": ("counter", "name"),
    "counter": ("counter", "name"),
}
NAMELESS = {"region_enter": "region", "region_leave": "region",
            "child_start": "child", "child_exit": "child",
            "child_ready": "child"}
NAMES = ("process", "thread", "provider", "ticks")
LEFT_OUT = ("event", "sid", "thread", "time", "file", "line", "t_abs",
            "t_rel", "nesting", "category", "repo")


def archive(run, path="fxt"):
    """All records of a file. Who writes none has no such target."""
    if path not in run.files:
        raise Unimplemented("no FXT file is written")
    return fxt.records(run.files[path])


def shown(run, path="fxt"):
    """The records that stand for events, in the order of their times."""
    found = [r for r in archive(run, path) if r.kind not in NAMES]
    return sorted(found, key=lambda record: record.time)


def last_names(run, kind):
    """What each process or thread is called in the end."""
    return {r.of: r.name for r in archive(run) if r.kind == kind}.values()


def shape(event):
    """What the record of an event is, and its name."""
    kind, key = SHAPES.get(event["event"], ("instant", None))
    name = event.get(key) or NAMELESS.get(event["event"], event["event"])
    return kind, name


def arguments(event):
    """The arguments of its record, but for `repo` and `value`."""
    _, key = SHAPES.get(event["event"], ("instant", None))
    found = {k: v for k, v in event.items() if k not in (*LEFT_OUT, key)}
    for key, value in found.items():
        if isinstance(value, list):
            found[key] = " ".join(map(quoted, value))
    return {k: v for k, v in found.items() if k != "value"}


def quoted(word):
    return f"'{word}'" if not word or " " in word else word


def rest(record):
    return {k: v for k, v in record.args.items()
            if k not in ("value", "repo")}


# Verbs with arguments, one thread each.
CALLS = (
    ("001return", "3"),
    ("003error", "a b", "c"),
    ("100timer", "2", "1"),
    ("200counter", "3", "4"),
    ("500region_nested", "3"),
    ("501region_printf", "one"),
    ("504region_bare",),
    ("511data_json", '{"a":[1]}'),
    ("513printf", "said"),
    ("520cmd_mode", "m"),
    ("527def_repo", "/"),
    ("535child_open", "x", "y z"),
    ("536child_odd", "x"),
)
VERBS = tuple(verb for verb, *_ in CALLS)
EACH = "each event has the record that stands for it"


@scenario(EACH, verbs=VERBS,
          ids=("fxt.target.event", "fxt.target.category",
               "fxt.target.argument", "fxt.target.repo"))
def each(kit):
    for call in CALLS:
        run = kit.run(*call, env=ON)
        found, events = shown(run), run.events()
        kit.equal("fxt.target.event", [(r.kind, r.name) for r in found],
                  [shape(e) for e in events])
        kit.equal("fxt.target.category", [r.category for r in found],
                  [e.get("category") or "trace2" for e in events])
        kit.equal("fxt.target.repo", [r.args.get("repo") for r in found],
                  [e.get("repo") for e in events])
        for record, event in zip(found, events):
            compare(kit, rest(record), arguments(event))


def compare(kit, found, wanted):
    """Seconds are rounded in text."""
    for key, value in wanted.items():
        if isinstance(value, float) and isinstance(found.get(key), float):
            found[key] = round(found[key], 6)
    kit.equal("fxt.target.argument", found, wanted)


fault("fxt.target.event", EACH, edit=fxt_edits.text(b"atexit", b"ending"))
fault("fxt.target.event", EACH, edit=fxt_edits.events(2, fxt_edits.gone))
fault("fxt.target.event", EACH, edit=fxt_edits.events(5, fxt_edits.typed(0)))
fault("fxt.target.category", EACH, edit=fxt_edits.text(b"trace2", b"traces"))
fault("fxt.target.argument", EACH, edit=fxt_edits.text(b"t_total", b"t_gross"))
fault("fxt.target.argument", EACH, edit=fxt_edits.text(b"'y z'", b'"y z"'))
fault("fxt.target.repo", EACH, edit=fxt_edits.text(b"repo\0", b"root\0"))


@scenario("a number is a number in the record", verbs=("510data_intmax",),
          ids=("fxt.target.value-number",))
def numbers(kit):
    run = kit.run("510data_intmax", env=ON)
    said = [r.args["value"] for r in shown(run) if "value" in r.args]
    kit.equal("fxt.target.value-number", said,
              [int(e["value"]) for e in run.events("data")])


fault("fxt.target.value-number", "a number is a number in the record",
      edit=fxt_edits.args(3, fxt_edits.as_pointer))


@scenario("a child is a span with its id", verbs=("530child_ready",
                                                  "004child"),
          ids=("fxt.target.child",))
def child(kit):
    for call in (("004child", "test-tool", "trace2", "001return", "0"),
                 ("530child_ready", "ready", "true")):
        run = kit.run(*call, env=ON)
        spans = [r for r in shown(run) if r.kind.startswith("async")]
        kit.equal("fxt.target.child", [r.id for r in spans], [0, 0])
    kit.equal("fxt.target.child", [r.args["child_id"] for r in spans], [0, 0])


fault("fxt.target.child", "a child is a span with its id",
      edit=fxt_edits.last_word(5, 1))


@scenario("threads count by themselves", verbs=("201counter", "101timer"),
          ids=("fxt.target.thread-id", "fxt.target.name"))
def threads(kit):
    for call in (("201counter", "1", "2", "2"), ("101timer", "1", "1", "2")):
        run = kit.run(*call, env=ON)
        wanted = sorted((e["name"], number(e)) for e in run.events()
                        if SHAPES.get(e["event"], " ")[0] == "counter")
        found = sorted((r.name, r.id) for r in shown(run)
                       if r.kind == "counter")
        kit.equal("fxt.target.thread-id", found, wanted)
        kit.equal("fxt.target.name", set(last_names(run, "thread")),
                  {e["thread"] for e in run.events()})


def number(event):
    """The id of an event's counter."""
    thread = event["thread"]
    of_thread = event["event"].startswith("th_") and thread != "main"
    return int(thread[2:].partition(":")[0]) if of_thread else 0


THREADS = "threads count by themselves"
fault("fxt.target.thread-id", THREADS, edit=fxt_edits.last_word(1, 7))
fault("fxt.target.name", THREADS, edit=fxt_edits.text(b"th01", b"th11"))


@scenario("the process has the name of its command", verbs=("523cmd_name",),
          ids=("fxt.target.name",))
def named(kit):
    run = kit.run("523cmd_name", "one", "two", env=ON)
    wanted = [e["hierarchy"] for e in run.events("cmd_name")]
    found = [r.name for r in archive(run) if r.kind == "process"]
    kit.equal("fxt.target.name", found[-len(wanted):], wanted)


fault("fxt.target.name", "the process has the name of its command",
      edit=fxt_edits.text(b"one/two", b"two/one"))


def note_time(scratch):
    """What the clock says before the run."""
    import time
    (scratch / "before").write_text(str(time.monotonic_ns()))


TIMES = "records have the times of the monotonic clock"


@scenario(TIMES, verbs=("500region_nested",), ids=("fxt.target.time",))
def times(kit):
    run = kit.run("500region_nested", "2", env=ON, setup=note_time)
    first, *others = (r.time for r in shown(run))
    gap = first - int(run.files["before"])
    kit.check("fxt.target.time", 0 < gap < 60e9, "within a minute", str(gap))
    clocks = [microseconds(e["t_abs"]) for e in run.events() if "t_abs" in e]
    kit.check("fxt.target.time",
              (max(others) - first) // 1000 <= clocks[-1] + 1,
              f"at most {clocks[-1]} us", str(max(others) - first))


fault("fxt.target.time", TIMES, edit=fxt_edits.later(10**12))
