"""Sockets, and what is seen on the other side of a descriptor."""

import errno
import os

from kit import listen
from kit.faults import fault
from kit.kit import scenario
from kit.logs import event_names
from kit.run import TARGETS, VARIABLES

EVENT = "GIT_TRACE2_EVENT"


def traced(kit, value, listener=None, variable=EVENT, **env):
    return kit.command("git", "version", targets=(), listen=listener,
                       env={variable: value, **env})


def is_trace(text):
    names = event_names(text)
    return names[:2] == ["version", "start"] and names[-1] == "atexit"


@scenario("git sends its trace to a socket of either type",
          ids=("destination.socket", "destination.socket.stream",
               "destination.socket.dgram", "destination.socket.any",
               "destination.socket.datagram-event"))
def types(kit):
    for form, listener, name in (
        ("stream:", listen.stream("s"), "stream"),
        ("", listen.stream("s"), "any"),
        ("dgram:", listen.datagrams("s"), "dgram"),
        ("", listen.datagrams("s"), "any"),
    ):
        run = traced(kit, f"af_unix:{form}{{}}/s", listener)
        text = b"".join(run.received)
        for id in ("destination.socket", f"destination.socket.{name}"):
            kit.check(id, text and is_trace(text), "a trace", text)
        if name == "stream":
            kit.equal("destination.socket", len(run.received), 1)
        if name == "dgram":
            kit.equal("destination.socket.datagram-event", run.received,
                      text.splitlines(keepends=True) or None)


@scenario("git warns about sockets that are none",
          ids=("destination.socket.empty", "destination.socket.path",
               "destination.socket.connect"))
def warnings(kit):
    long = "/" + 107 * "x"
    missing = os.strerror(errno.ENOENT)
    for name, value, message in (
        ("empty", "af_unix:stream:",
         f"invalid AF_UNIX value 'af_unix:stream:' for '{EVENT}' tracing"),
        ("path", "af_unix:stream:s",
         f"invalid AF_UNIX path 's' for '{EVENT}' tracing"),
        ("path", f"af_unix:stream:{long}",
         f"invalid AF_UNIX path '{long}' for '{EVENT}' tracing"),
        ("connect", "af_unix:stream:/nowhere/s",
         f"could not connect to socket '/nowhere/s' for '{EVENT}' tracing: "
         + missing),
    ):
        run = traced(kit, value, GIT_TRACE2_DST_DEBUG="1")
        kit.equal(f"destination.socket.{name}", (run.exit, run.stderr),
                  (0, f"warning: trace2: {message}\n".encode()))


@scenario("git gives each event in one write",
          ids=("destination.write", "destination.descriptor"))
def one_write(kit):
    for target in TARGETS:
        run = traced(kit, "7", listen.packets(7), VARIABLES[target])
        lines = b"".join(run.received).splitlines(keepends=True)
        for name in ("destination.write", "destination.descriptor"):
            kit.check(name, len(lines) >= 5, "a trace", lines)
            kit.equal(name, run.received, lines)


@scenario("git does not die of a trace that nobody reads",
          ids=("failure.sigpipe", "destination.error-off"))
def nobody_reads(kit):
    run = traced(kit, "7", listen.dead_pipe(7), GIT_TRACE2_DST_DEBUG="1")
    text = f"warning: unable to write trace to '{EVENT}': Broken pipe\n"
    for name in ("failure.sigpipe", "destination.error-off"):
        kit.equal(name, (run.exit, run.stdout[:12], run.stderr),
                  (0, b"git version ", text.encode()))


def halved(run):
    run.received = [part for text in run.received
                    for part in (text[:9], text[9:])]
    return run


fault("destination.write", "git gives each event in one write", edit=halved)
fault("destination.socket.datagram-event",
      "git sends its trace to a socket of either type", edit=halved)
