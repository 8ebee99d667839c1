"""The FXT target: each event has its record."""

import time

from kit import fxt, fxt_edits, payloads
from kit.faults import fault
from kit.kit import Unimplemented, scenario
from kit.run import Absent

LOG = "GIT_TRACE2_FXT"
ON = {LOG: "{}/fxt"}
NAMES = ("process", "thread", "provider", "ticks")


def archives(run):
    """The names of all files that begin as archives do."""
    magic = fxt.MAGIC.to_bytes(8, "little")
    return sorted(name for name, text in run.files.items()
                  if text[:8] == magic)


def archive(run, path="fxt"):
    """All records of a file. Who writes none has no such target."""
    if not archives(run):
        raise Unimplemented("no FXT file is written")
    if path not in run.files:
        raise Absent(f"no file {path}")
    return fxt.records(run.files[path])


def shown(run, path="fxt"):
    """The records that stand for events, in the order of their times."""
    found = [r for r in archive(run, path) if r.kind not in NAMES]
    return sorted(found, key=lambda record: record.time)


def last_names(run, kind):
    """What each process or thread is called in the end."""
    return {r.of: r.name for r in archive(run) if r.kind == kind}.values()


# Calls, and what of each there has to be: kind, name, category, arguments.
CALLS = {
    ("003error", "a b", "c"): [
        ("instant", "error", "trace2", {"msg": "a b", "fmt": "%s"}),
        ("instant", "error", "trace2", {"msg": "c", "fmt": "%s"})],
    ("501region_printf", "one"): [
        ("begin", "given", "cat", {"msg": "one"}),
        ("end", "given", "cat", {"msg": "one"})],
    ("504region_bare",): [
        ("begin", "region", "trace2", {}),
        ("begin", "region", "cat", {}),
        ("end", "region", "cat", {}),
        ("begin", "label", "trace2", {}),
        ("end", "label", "trace2", {}),
        ("end", "region", "trace2", {})],
    ("511data_json", '{"a":[1]}'): [
        ("instant", "json", "cat", {"value": '{"a":[1]}'})],
    ("513printf", "said"): [("instant", "printf", "trace2", {"msg": "said"})],
    ("520cmd_mode", "m"): [("instant", "cmd_mode", "trace2", {"name": "m"})],
    ("521alias", "s", "log", "-p 1"): [
        ("instant", "alias", "trace2", {"alias": "s", "argv": "log '-p 1'"})],
    ("535child_open", "x", "y z"): [
        ("async-begin", "child", "trace2",
         {"child_id": 0, "child_class": "?", "use_shell": False,
          "argv": "x 'y z'"})],
}
VERBS = tuple(verb for verb, *_ in CALLS)
COMMON = ("version", "start", "cmd_ancestry", "cmd_name", "exit", "atexit")
EACH = "each event has the record that stands for it"


def seen(record):
    return record.kind, record.name, record.category, record.args


@scenario(EACH, verbs=VERBS,
          ids=("fxt.target.event", "fxt.target.category",
               "fxt.target.argument"))
def each(kit):
    for call, wanted in CALLS.items():
        found = shown(kit.run(*call, env=ON))
        common = [seen(r) for r in found if r.name in COMMON]
        own = [seen(r) for r in found if r.name not in COMMON]
        compare(kit, own[:len(wanted)], wanted)
        argv = payloads.words(("test-tool", "trace2", *call))
        start = ("instant", "start", "trace2", {"argv": argv})
        ends = [("instant", name, "trace2", {"code": 0})
                for name in ("exit", "atexit")]
        compare(kit, [common[1], *common[-2:]], [start, *ends])


def compare(kit, found, wanted):
    kit.equal("fxt.target.event", [f[:2] for f in found],
              [w[:2] for w in wanted])
    kit.equal("fxt.target.category", [f[2] for f in found],
              [w[2] for w in wanted])
    kit.equal("fxt.target.argument", [f[3] for f in found],
              [w[3] for w in wanted])


fault("fxt.target.event", EACH, edit=fxt_edits.text(b"atexit", b"ending"))
fault("fxt.target.event", EACH, edit=fxt_edits.events(2, fxt_edits.gone))
fault("fxt.target.event", EACH, edit=fxt_edits.events(5, fxt_edits.typed(0)))
fault("fxt.target.category", EACH, edit=fxt_edits.text(b"trace2", b"traces"))
fault("fxt.target.argument", EACH, edit=fxt_edits.text(b"fmt", b"for"))
fault("fxt.target.argument", EACH, edit=fxt_edits.text(b"'y z'", b'"y z"'))


@scenario("records say which repository they are about",
          verbs=("527def_repo",), ids=("fxt.target.repo",))
def repositories(kit):
    found = shown(kit.run("527def_repo", "/", env=ON))
    kit.equal("fxt.target.repo", [r.args.get("repo") for r in found][-8:],
              [1, 1, 1, 1, 0, 1, None, None])


fault("fxt.target.repo", "records say which repository they are about",
      edit=fxt_edits.text(b"repo", b"root"))


@scenario("a number is a number in the record", verbs=("510data_intmax",),
          ids=("fxt.target.value-number",))
def numbers(kit):
    run = kit.run("510data_intmax", env=ON)
    said = [r.args["value"] for r in shown(run) if "value" in r.args]
    kit.equal("fxt.target.value-number", said,
              [0, 7, -5, 2**63 - 1, -2**63])


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
        ids = sorted(r.id for r in shown(run) if r.kind == "counter")
        kit.equal("fxt.target.thread-id", (ids[0], ids[-2:]), (0, [1, 2]))
        names = sorted(last_names(run, "thread"))
        kit.equal("fxt.target.name", [n.partition(":")[0] for n in names],
                  ["main", "th01", "th02"])


THREADS = "threads count by themselves"
fault("fxt.target.thread-id", THREADS, edit=fxt_edits.last_word(1, 7))
fault("fxt.target.name", THREADS, edit=fxt_edits.text(b"th01", b"th11"))


@scenario("the process has the name of its command", verbs=("523cmd_name",),
          ids=("fxt.target.name",))
def named(kit):
    run = kit.run("523cmd_name", "one", "two", env=ON)
    found = [r.name for r in archive(run) if r.kind == "process"]
    kit.equal("fxt.target.name", found[-2:],
              ["trace2/one", "trace2/one/two"])


fault("fxt.target.name", "the process has the name of its command",
      edit=fxt_edits.text(b"one/two", b"two/one"))


# What the clock says before the run.
NOTE_TIME = "python3 -c 'import time; print(time.monotonic_ns())' >before"

TIMES = "records have the times of the monotonic clock"


@scenario(TIMES, verbs=("regions_deep",), ids=("fxt.target.time",))
def times(kit):
    run = kit.run("regions_deep", "2", env=ON, setup=NOTE_TIME)
    times = [r.time - int(run.files["before"]) for r in shown(run)]
    kit.check("fxt.target.time", 0 < times[0] and times[-1] < 60e9,
              "within a minute", str(times))
    order = [r.time for r in archive(run) if r.kind not in NAMES]
    kit.equal("fxt.target.time", order, sorted(order))


fault("fxt.target.time", TIMES, edit=fxt_edits.later(10**12))
