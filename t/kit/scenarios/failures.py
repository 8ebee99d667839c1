"""Failure: the host does not notice, and nothing is lost in silence."""

import os
import re

from kit import listen
from kit.faults import fault
from kit.kit import scenario
from kit.logs import event_names, is_whole, under_shell, warning
from kit.run import VARIABLES

EVENT = "GIT_TRACE2_EVENT"
HOST = ("004child", "sh", "-c", "echo out; echo err >&2; exit 7")
PATIENT = 'exec timeout -s KILL 2 "$@"'  # the limit is 100 ms
DROPPED = re.compile(rb"trace2: events dropped: (\d+)")

# Nothing can be written there, or not for long.
BROKEN = (
    ("/dev/full", None),
    ("{}/none/log", None),
    ("bogus/", None),
    ("5", None),
    ("5", listen.dead_pipe(5)),
    ("5", listen.full_pipe(5)),
    ("af_unix:{}/s", listen.dead_stream("s")),
    ("af_unix:{}/s", listen.idle_stream("s")),
)


def all_to(value):
    return dict.fromkeys(VARIABLES.values(), value)


def outcome(run):
    said = [line for line in run.stderr.splitlines(True)
            if b"unknown value" not in line]
    return run.exit, run.stdout, b"".join(said)


@scenario("a host behaves the same whatever its trace meets",
          verbs=("004child",), ids=("failure.host-unharmed",))
def unharmed(kit):
    for value, listener in (("0", None), *BROKEN):
        run = under_shell(kit, PATIENT, *HOST, env=all_to(value),
                          listen=listener)
        kit.equal("failure.host-unharmed", outcome(run),
                  (7, b"out\n", b"err\n"))


SAME = "a host behaves the same whatever its trace meets"
fault("failure.host-unharmed", SAME, exit=141)
fault("failure.host-unharmed", SAME, stderr=(b"(err\n)", rb"\1warning: x\n"))
fault("failure.host-unharmed", SAME, stdout=(b"(out\n)", rb"\1version\n"))


@scenario("a host without standard error behaves the same",
          verbs=("004child",), ids=("failure.host-unharmed",))
def no_stderr(kit):
    for redirect in ("2>&-", "2</dev/null", "2>/dev/full"):
        run = under_shell(kit, f'exec "$@" {redirect}', *HOST[:-1],
                          "echo out; exit 7", env=all_to("1"))
        kit.equal("failure.host-unharmed", (run.exit, run.stdout),
                  (7, b"out\n"))


fault("failure.host-unharmed",
      "a host without standard error behaves the same", exit=-6)


@scenario("no call changes errno", verbs=("598errno",),
          ids=("failure.host-unharmed",))
def kept_errno(kit):
    said = []
    for value, listener in (("0", None), ("{}/event", None), *BROKEN):
        run = kit.run("598errno", env=all_to(value), listen=listener)
        said.append(run.stdout)
    kit.check("failure.host-unharmed", len(said[0].split()) > 10,
              "a word for each call", said[0])
    kit.equal("failure.host-unharmed", set(b" ".join(said).split()),
              {b"kept"})


def one_sets(run):
    if "event" in run.files:
        run.stdout = run.stdout.replace(b"kept", b"set", 1)
    return run


def all_set(run):
    run.stdout = run.stdout.replace(b"kept", b"set")
    return run


fault("failure.host-unharmed", "no call changes errno", edit=one_sets)
fault("failure.host-unharmed", "no call changes errno", edit=all_set)


@scenario("no call ends the host, however odd",
          verbs=("502region_unbalanced", "504region_bare", "512data_null",
                 "525cmd_error", "536child_odd"),
          ids=("failure.no-abort",))
def no_abort(kit):
    for verb in ("502region_unbalanced", "504region_bare", "512data_null",
                 "525cmd_error", "536child_odd"):
        run = kit.run(verb, targets=("event",))
        kit.equal("failure.no-abort",
                  (run.exit, event_names(run.log("event"))[-2:]),
                  (0, ["exit", "atexit"]))


fault("failure.no-abort", "no call ends the host, however odd", exit=-6)
fault("failure.no-abort", "no call ends the host, however odd",
      event=(b'"event":"a?t?exit"', None))


@scenario("a trace into a dead pipe or socket raises no SIGPIPE",
          verbs=("001return",), ids=("failure.sigpipe",))
def sigpipe(kit):
    for listener in (listen.dead_pipe(5), listen.dead_packets(5)):
        run = kit.run("001return", "7", targets=("perf",), listen=listener,
                      env={EVENT: "5"})
        kit.equal("failure.sigpipe", run.exit, 7)
        kit.check("failure.sigpipe", is_whole("perf", run.log("perf")),
                  "a whole PERF trace", run.log("perf"))


DEAD = "a trace into a dead pipe or socket raises no SIGPIPE"
fault("failure.sigpipe", DEAD, exit=-13)
fault("failure.sigpipe", DEAD, perf=(rb"\| a?t?exit", None))


@scenario("a trace into a file that is full raises no SIGXFSZ",
          verbs=("003error",), ids=("failure.sigxfsz",))
def sigxfsz(kit):
    """A block of the shell's is less than the word."""
    run = under_shell(kit, 'ulimit -f 1; exec "$@"', "003error", "x" * 2000,
                      targets=("event",))
    kit.equal("failure.sigxfsz", run.exit, 0)


fault("failure.sigxfsz",
      "a trace into a file that is full raises no SIGXFSZ", exit=-25)


def triples(count):
    return [word for n in range(count) for word in ("c", f"k{n}", "v" * 99)]


@scenario("destinations hold the host up for 100 ms in all",
          verbs=("006data",), ids=("failure.wait-limit",))
def wait_limit(kit):
    """Two seconds are enough for that on any machine."""
    for targets, listener in (
        (all_to("5"), listen.full_pipe(5)),
        (all_to("5"), listen.idle_pipe(5)),
        (all_to("af_unix:stream:{}/s"), listen.idle_stream("s")),
    ):
        run = under_shell(kit, PATIENT, "006data", *triples(1000),
                          env=targets, listen=listener)
        kit.equal("failure.wait-limit", (run.exit, run.stderr), (0, b""))


fault("failure.wait-limit", "destinations hold the host up for 100 ms in all",
      exit=-9)


@scenario("opening waits for no reader and no listener",
          verbs=("001return",), ids=("failure.open-wait",))
def open_wait(kit):
    for value, listener in (("{}/fifo", None),
                            ("af_unix:{}/s", listen.busy_stream("s")),
                            ("af_unix:dgram:{}/s", None)):
        run = under_shell(kit, PATIENT, "001return", "7", env={EVENT: value},
                          setup="mkfifo fifo",
                          targets=("perf",), listen=listener)
        kit.equal("failure.open-wait", (run.exit, run.stderr), (7, b""))


fault("failure.open-wait", "opening waits for no reader and no listener",
      exit=-9)


@scenario("a destination that failed is off, the others go on",
          verbs=("004child",), ids=("failure.off",))
def off(kit):
    """There is room again in the pipe before the child ends."""
    wait = (": >go; for i in $(seq 500); do "
            "test -e drained && break; sleep 0.01; done")
    for value, listener, child in (
        ("/dev/full", None, ":"), ("5", listen.dead_pipe(5), ":"),
        ("5", listen.full_pipe(5), wait),
    ):
        run = kit.run("004child", "sh", "-c", child, env={EVENT: value},
                      listen=listener)
        for target in ("normal", "perf"):
            kit.check("failure.off", is_whole(target, run.log(target)),
                      f"a whole {target} trace", run.log(target))
        received = b"".join(run.received).strip()
        kit.equal("failure.off", received, b"")


FAILED = "a destination that failed is off, the others go on"
fault("failure.off", FAILED, normal=(b"atexit|exit|dropped", None))
fault("failure.off", FAILED, edit=lambda run: run.received.append(
    b'{"event":"atexit"}\n') or run)


@scenario("what is lost is counted for each target", verbs=("003error",),
          ids=("failure.drops-counted", "failure.drops-reported",
               "failure.drops-debug"))
def drops(kit):
    """Two targets lose all that the third writes, up to the report."""
    for debug in ("0", "1"):
        run = kit.run("003error", "a", "b", env={
            "GIT_TRACE2": "/dev/full", "GIT_TRACE2_PERF": "/dev/full",
            "GIT_TRACE2_DST_DEBUG": debug})
        *before, report, end = run.events()
        kit.equal("failure.drops-reported",
                  (report["event"], end["event"]), ("error", "atexit"))
        text = report["msg"].encode()
        kit.matches("failure.drops-reported", DROPPED, text)
        kit.equal("failure.drops-counted", text.rpartition(b" ")[2],
                  b"%d" % (2 * len(before)))
        said = [line for line in run.stderr.splitlines(True)
                if b"dropped" in line]
        kit.equal("failure.drops-debug", said,
                  int(debug) * [warning("%s", text.decode())])


LOST = "what is lost is counted for each target"


def report(pattern, new):
    """A fault in the report, in the event and in the warning."""

    def edit(run):
        run.files["event"] = re.sub(pattern, new, run.files["event"])
        run.stderr = re.sub(pattern, new, run.stderr)
        return run

    return edit


fault("failure.drops-counted", LOST,
      edit=report(rb"dropped: \d+", b"dropped: 6"))
fault("failure.drops-reported", LOST, event=(b"events dropped", None))
fault("failure.drops-reported", LOST,
      edit=report(b"trace2: events dropped", b"dropped"))
fault("failure.drops-debug", LOST, stderr=(b"dropped", None))
fault("failure.drops-debug", LOST, stderr=(b"(.*dropped.*\n)", rb"\1\1"))


@scenario("every target that lives tells what was lost",
          verbs=("001return",), ids=("failure.drops-reported",))
def told_by_all(kit):
    run = kit.run("001return", "0", env={"GIT_TRACE2": "/dev/full"})
    text = run.events()[-2]["msg"]
    kit.equal("failure.drops-reported",
              [c.payload for c in run.perf("error")], [text])
    run = kit.run("001return", "0", env={"GIT_TRACE2_PERF": "/dev/full"})
    text = run.events()[-2]["msg"]
    kit.equal("failure.drops-reported", run.payloads(b"error"),
              [b"error " + text.encode()])


fault("failure.drops-reported", "every target that lives tells what was lost",
      perf=(rb"\| error ", None))


@scenario("nothing is told where nothing was lost", verbs=("001return",),
          ids=("failure.drops-reported", "failure.drops-debug"))
def none_lost(kit):
    run = kit.run("001return", "0", env={"GIT_TRACE2_DST_DEBUG": "1"})
    kit.equal("failure.drops-reported", run.events("error"), [])
    kit.equal("failure.drops-debug", run.stderr, b"")


NONE = "nothing is told where nothing was lost"
fault("failure.drops-reported", NONE, event=(b'"event":"exit"',
                                             b'"event":"error"'))
