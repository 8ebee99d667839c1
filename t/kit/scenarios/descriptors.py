"""Descriptors: the host's stay the host's, the trace's stay its own."""

import os
import re

from kit import listen
from kit.faults import fault
from kit.kit import Skip, scenario
from kit.logs import is_whole, under_shell, warning

EVENT = "GIT_TRACE2_EVENT"
WITH_FIVE = 'exec "$@" 5>>five'


@scenario("a child finds no descriptor of the trace", verbs=("004child",),
          ids=("destination.cloexec",))
def cloexec(kit):
    """What it finds is what it finds without a trace: 5 is the host's."""
    seen = []
    for values in (("0", "0", "0"), ("5", "af_unix:{}/s", "{}/event"),
                   ("1", "5", "{}/dir")):
        env = dict(zip(("GIT_TRACE2", "GIT_TRACE2_PERF", EVENT), values))
        run = under_shell(kit, WITH_FIVE, "004child", "ls", "/proc/self/fd",
                          targets=(), listen=listen.stream("s"), env=env,
                          setup="mkdir dir")
        seen.append(run.stdout)
    kit.contains("destination.cloexec", seen[0], b"\n5\n")
    for values, found in zip(("5, af_unix:s and event", "1, 5 and dir"),
                             seen[1:]):
        kit.check("destination.cloexec", found == seen[0],
                  f"with the destinations {values}, the child has the same "
                  f"descriptors as without a trace, {seen[0]!r}",
                  f"{found!r}")


def leaking(run):
    if "event" in run.files:
        run.stdout += b"12\n"
    return run


fault("destination.cloexec", "a child finds no descriptor of the trace",
      edit=leaking)


@scenario("a number that the host takes over gets no trace",
          verbs=("595descriptor",),
          ids=("destination.descriptor.duplicate",
               "destination.descriptor.closed"))
def taken_over(kit):
    name = "destination.descriptor.duplicate"
    for number in "3456789":  # where a duplicate may not be, either
        run = under_shell(kit, WITH_FIVE, "595descriptor", number, "hosts",
                          targets=(), env={EVENT: "5"})
        kit.equal(name, run.files["hosts"], b"")
        kit.check(name, is_whole("event", run.files["five"]),
                  "a whole trace where 5 once was", run.files["five"])
    run = kit.run("595descriptor", "5", "hosts", targets=("perf",),
                  env={EVENT: "5"})
    kit.equal("destination.descriptor.closed",
              (run.files["hosts"], run.stderr, run.exit), (b"", b"", 0))


def late_in_hosts(number):
    """The trace goes on where the host's bytes go."""

    def edit(run):
        if ("five" in run.files) == (number == "open"):
            run.files["hosts"] = b'{"event":"printf"}\n'
        return run

    return edit


OVER = "a number that the host takes over gets no trace"
fault("destination.descriptor.duplicate", OVER, edit=late_in_hosts("open"))
fault("destination.descriptor.duplicate", OVER,
      edit=lambda run: run.files.update(five=b"") or run)
fault("destination.descriptor.closed", OVER, edit=late_in_hosts("closed"))


@scenario("a number that is not open is told under debug",
          verbs=("001return",), ids=("destination.descriptor.closed",))
def not_open(kit):
    for debug in ("0", "1"):
        run = kit.run("001return", "7", targets=("perf",),
                      env={EVENT: "5", "GIT_TRACE2_DST_DEBUG": debug})
        kit.equal("destination.descriptor.closed", (run.stderr, run.exit),
                  (int(debug) * warning(
                      "unable to write trace to 'GIT_TRACE2_EVENT': %s",
                      os.strerror(9)), 7))


fault("destination.descriptor.closed",
      "a number that is not open is told under debug", exit=128)


@scenario("a shared descriptor keeps its flags", verbs=("004child",),
          ids=("destination.descriptor.flags",))
def flags(kit):
    """A child of the host looks at the host's own, as it runs."""
    look = ("004child", "sh", "-c", "exec cat /proc/self/fdinfo/5 >&6")
    for listener in (listen.pipe(5), listen.packets(5), None):
        shown = []
        for value in ("0", "5"):
            script = 'exec "$@" 6>info' + ("" if listener else " 5>>five")
            run = under_shell(kit, script, *look, targets=(),
                              listen=listener, env={EVENT: value})
            shown += re.findall(rb"^flags:.*", run.files["info"], re.M)
        if not shown:
            raise Skip("its children inherit no descriptors")
        kit.check("destination.descriptor.flags",
                  len(shown) == 2 and shown[0] == shown[1],
                  "a child of the host finds the flags of descriptor 5 as "
                  "they are without a trace (in octal; 02000000 is "
                  "O_CLOEXEC, 04000 is O_NONBLOCK)",
                  [f"{how}: {flags.decode()}" for how, flags in
                   zip(("without", "with a trace"), shown)])


def not_waiting(run):
    """O_NONBLOCK is 04000."""
    if any(run.received):
        run.files["info"] = re.sub(rb"(?m)^(flags:\t0)", rb"\g<1>400",
                                   run.files["info"])
    return run


fault("destination.descriptor.flags", "a shared descriptor keeps its flags",
      edit=not_waiting)
