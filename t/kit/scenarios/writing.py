"""How bytes reach a destination, and whose descriptors carry them."""

import re

from kit import listen
from kit.faults import fault
from kit.kit import Skip, scenario
from kit.logs import event_names, events, is_whole, under_shell
from kit.run import parse_event, payload

EVENT = "GIT_TRACE2_EVENT"
LONG = [letter * 120000 for letter in "ckv"]


ONE_WRITE = "an event is one write"
FEW, MANY = 4, 44
COUNT = '"$@"; cat /proc/$$/io'


@scenario(ONE_WRITE, verbs=("003error",), ids=("destination.write",))
def one_write(kit):
    """How many more writes do forty more events make? A shell's own count
    includes that of the programs for which it waited. A runtime may write
    for itself, be it a few times more in one run than in another; so a
    quarter of the forty may be its own."""
    writes, lines = zip(*(count(kit, number) for number in (FEW, MANY)))
    kit.equal("destination.write", lines[1] - lines[0], MANY - FEW)
    more, slack = writes[1] - writes[0], (MANY - FEW) // 4
    kit.check("destination.write", abs(more - (MANY - FEW)) < slack,
              f"about {MANY - FEW} writes for so many events more",
              f"{more} writes")


def count(kit, number, tail=""):
    """What the log adds to the writes of a run, and how many lines the log
    has of those messages."""
    words = [f"message {n}{tail}" for n in range(number)]
    found = []
    for value in ("0", "{}/event"):
        run = under_shell(kit, COUNT, "003error", *words, targets=(),
                          env={EVENT: value})
        writes = re.search(rb"^syscw: (\d+)$", run.stdout, re.M)
        if not writes:
            raise Skip("/proc does not tell how often a process writes")
        found.append(int(writes[1]))
    log = run.log("event")
    kit.check("destination.write", log.endswith(b"\n"),
              "an end of the last line", log)
    return found[1] - found[0], log.count(b'"msg":"message ')


def add_writes(number):
    """A driver that writes so many times more for each event."""

    def edit(run):
        lines = run.log("event").count(b"\n")
        run.stdout = re.sub(rb"(?<=syscw: )\d+", lambda match: b"%d" % (
            int(match[0]) + number * lines), run.stdout)
        return run

    return edit


def without_last_end(run):
    if run.log("event"):
        run.files["event"] = run.files["event"][:-1]
    return run


def twice(run):
    run.files["event"] = b"".join(
        2 * line for line in run.log("event").splitlines(True))
    return add_writes(1)(run)


for edit in (add_writes(1), add_writes(-1), without_last_end, twice):
    fault("destination.write", ONE_WRITE, edit=edit)


@scenario("what others append meanwhile stays", verbs=("004child",),
          ids=("destination.append",))
def appended(kit):
    run = kit.run("004child", "sh", "-c", "echo between >>event",
                  targets=("event",))
    lines = run.lines("event")
    names = event_names(run.log("event"))
    at = lines.index(b"between") if b"between" in lines else 0
    kit.equal("destination.append", names[at - 1:at + 2],
              ["child_start", None, "child_exit"])
    kit.equal("destination.append", names.count(None), 1)


fault("destination.append", "what others append meanwhile stays",
      event=(b"^between\n", None))
fault("destination.append", "what others append meanwhile stays",
      event=(b"^between\n", b"between"))


@scenario("lines of threads are not mixed", verbs=("201counter",),
          ids=("destination.append",))
def threads(kit):
    run = kit.run("201counter", "1", "1", "32", targets=("event",))
    names = event_names(run.log("event"))
    kit.equal("destination.append",
              (names.count("thread_start"), names.count("thread_exit"),
               names.count(None)), (32, 32, 0))


fault("destination.append", "lines of threads are not mixed",
      event=(rb'("event":"thread_exit".*),"t_rel.*\n', rb"\1"))


@scenario("a text that ends its line gets no second end",
          verbs=("003error",), ids=("destination.lf",))
def own_end(kit):
    run = kit.run("003error", "one\n", "two", targets=("normal", "perf"))
    said = [payload(line) for line in run.lines("normal")]
    at = said.index(b"error one")
    kit.equal("destination.lf", said[at:at + 2], [b"error one", b"error two"])
    said = [line.rpartition(b"| ")[2] for line in run.lines("perf")]
    at = said.index(b"one")
    kit.equal("destination.lf", said[at:at + 2], [b"one", b"two"])


fault("destination.lf", "a text that ends its line gets no second end",
      normal=(b"(error one\n)", rb"\1\n"))
fault("destination.lf", "a text that ends its line gets no second end",
      perf=(b"([|] one\n)", rb"\1\n"))


@scenario("a line too long for one write is completed", verbs=("006data",),
          ids=("destination.short-write",))
def completed(kit):
    """A pipe takes 64 kB at a time, and a line has 360."""
    run = kit.run("006data", *LONG, targets=(), listen=listen.pipe(5),
                  env={EVENT: "5"})
    text = run.received[0]
    kit.check("destination.short-write", is_whole("event", text),
              "whole lines", f"{len(text)} bytes: {event_names(text)}")
    for event in events(text):
        if event["event"] == "start":
            kit.equal("destination.short-write", event["argv"][-3:], LONG)
        if event["event"] == "data":
            kit.equal("destination.short-write",
                      [event[k] for k in ("category", "key", "value")], LONG)


def torn(run):
    run.received = [text[:300000] + text[310000:] for text in run.received]
    return run


def cut(run):
    lines = run.received[0].splitlines()
    run.received = [b"".join(line[:65536] + b"\n" for line in lines)]
    return run


COMPLETED = "a line too long for one write is completed"
fault("destination.short-write", COMPLETED, edit=cut)
fault("destination.short-write", COMPLETED, edit=torn)

# No file may grow beyond a block of the shell's. What a longer word does.
BLOCK = "ulimit -f 1; trap '' XFSZ; exec \"$@\""
FILLER = "# " + "x" * 2000


@scenario("a line that is not completed is counted", verbs=("003error",),
          ids=("destination.short-write",))
def counted(kit):
    """PERF tells what there was; all but the report is lost to EVENT."""
    run = under_shell(kit, BLOCK, "003error", FILLER, targets=("event",),
                      listen=listen.pipe(5), env={"GIT_TRACE2_PERF": "5"})
    lines = run.received[0].splitlines()
    at, = [n for n, line in enumerate(lines) if b"events dropped: " in line]
    whole = [line for line in run.log("event").splitlines(True)
             if line.endswith(b"\n") and parse_event(line)]
    kit.equal("destination.short-write",
              lines[at].rpartition(b" ")[2], b"%d" % (at - len(whole)))


def one_too_few(run):
    run.received = [re.sub(
        rb"(?<=dropped: )\d+", lambda match: b"%d" % (int(match[0]) - 1),
        run.received[0])]
    return run


fault("destination.short-write", "a line that is not completed is counted",
      edit=one_too_few)


@scenario("a write error ends a target for good", verbs=("004child",),
          ids=("destination.error-off",))
def error_off(kit):
    """The child makes room again in the file that was full."""
    run = under_shell(kit, BLOCK, "004child", "sh", "-c",
                      ": >event " + FILLER, targets=("event",),
                      listen=listen.pipe(5), env={"GIT_TRACE2_PERF": "5"})
    kit.equal("destination.error-off", (run.log("event"), run.exit),
              (b"", 0))
    kit.check("destination.error-off", is_whole("perf", run.received[0]),
              "a whole PERF trace", run.received[0])


def half_lost(run):
    run.received = [run.received[0][:len(run.received[0]) // 2]]
    return run


OFF = "a write error ends a target for good"
fault("destination.error-off", OFF,
      files={"event": b'{"event":"child_exit"}\n'})
fault("destination.error-off", OFF, edit=half_lost)


