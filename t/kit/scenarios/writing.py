"""How bytes reach a destination, and whose descriptors carry them."""

import re

from kit import listen
from kit.faults import fault
from kit.kit import Skip, scenario
from kit.logs import event_names, events, is_whole, under_shell
from kit.run import parse_event, payload

EVENT = "GIT_TRACE2_EVENT"
LONG = [letter * 120000 for letter in "ckv"]


@scenario("an event is one write", verbs=("004child",),
          ids=("destination.write",))
def one_write(kit):
    """A child looks up how often its parent has written, and the log's
    length; without tracing the parent writes so much less often."""
    look = "cat /proc/$PPID/io; cat event 2>/dev/null | wc -l"
    counts = []
    for value in ("0", "{}/event"):
        run = kit.run("004child", "sh", "-c", look, targets=(),
                      env={EVENT: value})
        found = re.search(rb"^syscw: (\d+)\n(?:.*\n)*(\d+)\n", run.stdout,
                          re.M)
        if not found:
            raise Skip("/proc does not tell how often a process writes")
        counts.append([int(number) for number in found.groups()])
    (without, _), (traced, lines) = counts
    kit.check("destination.write", lines > 0, "some lines", run.stdout)
    kit.equal("destination.write", traced - without, lines)
    kit.check("destination.write", run.log("event").endswith(b"\n"),
              "an end of the last line", run.log("event"))


def lines_in_two(run):
    """Each end of a line is a write of its own."""
    if run.log("event"):
        lines = int(run.stdout.split()[-1])
        run.stdout = re.sub(
            rb"(?<=syscw: )\d+",
            lambda match: b"%d" % (int(match[0]) + lines), run.stdout)
    return run


def without_last_end(run):
    if run.log("event"):
        run.files["event"] = run.files["event"][:-1]
    return run


fault("destination.write", "an event is one write", edit=lines_in_two)
fault("destination.write", "an event is one write", edit=without_last_end)


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


