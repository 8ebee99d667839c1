"""Unix sockets as destinations."""

import errno
import os
import tempfile

from kit import listen
from kit.faults import fault
from kit.kit import scenario
from kit.logs import event_names, is_whole, warning

RETURN = ("001return",)
EVENT = "GIT_TRACE2_EVENT"
STREAM = listen.stream("s")
DATAGRAMS = listen.datagrams("s")


def receiving(change, code=None):
    """An edit of what came through the socket, in the runs that ended with
    that code."""

    def edit(run):
        if code in (None, run.exit):
            run.received = change(run.received)
        return run

    return edit


def nothing(texts):
    return []


@scenario("a socket is connected to once, at the start",
          verbs=("004child",), ids=("destination.socket",))
def connected_once(kit):
    """The path is gone when the trace goes on."""
    run = kit.run("004child", "rm", "s", targets=(), listen=STREAM,
                  env={EVENT: "af_unix:{}/s"})
    kit.equal("destination.socket", (len(run.received), run.exit), (1, 0))
    kit.check("destination.socket", is_whole("event", run.received[0]),
              "a whole trace", run.received)


ONCE = "a socket is connected to once, at the start"
fault("destination.socket", ONCE, edit=receiving(nothing))
fault("destination.socket", ONCE,
      edit=receiving(lambda texts: texts[0].splitlines(True)))


@scenario("a socket's type is asked for, or found out", verbs=RETURN,
          ids=("destination.socket.stream", "destination.socket.dgram",
               "destination.socket.any"))
def types(kit):
    for code, form, listener, name, fits in (
        (1, "stream:", STREAM, "stream", True),
        (2, "stream:", DATAGRAMS, "stream", False),
        (3, "dgram:", DATAGRAMS, "dgram", True),
        (4, "dgram:", STREAM, "dgram", False),
        (5, "", STREAM, "any", True),
        (6, "", DATAGRAMS, "any", True),
    ):
        run = kit.run("001return", str(code), targets=(), listen=listener,
                      env={EVENT: f"af_unix:{form}{{}}/s"})
        text = b"".join(run.received)
        kit.check(f"destination.socket.{name}",
                  is_whole("event", text) if fits else not text,
                  "a whole trace" if fits else "no trace", text)
        kit.equal(f"destination.socket.{name}", run.exit, code)


TYPES = "a socket's type is asked for, or found out"
fault("destination.socket.stream", TYPES, edit=receiving(nothing, 1))
fault("destination.socket.stream", TYPES,
      edit=receiving(lambda _: [b'{"event":"version"}\n'], 2))
fault("destination.socket.dgram", TYPES, edit=receiving(nothing, 3))
fault("destination.socket.dgram", TYPES,
      edit=receiving(lambda _: [b'{"event":"version"}\n'], 4))
fault("destination.socket.any", TYPES, edit=receiving(nothing, 5))
fault("destination.socket.any", TYPES, edit=receiving(nothing, 6))


@scenario("a datagram is one event", verbs=("003error",),
          ids=("destination.socket.datagram-event",))
def one_event(kit):
    for target, variable in (("event", EVENT), ("normal", "GIT_TRACE2")):
        run = kit.run("003error", "a", "b", targets=(), listen=DATAGRAMS,
                      env={variable: "af_unix:dgram:{}/s"})
        text = b"".join(run.received)
        kit.check("destination.socket.datagram-event",
                  is_whole(target, text), "a whole trace", text)
        kit.equal("destination.socket.datagram-event",
                  run.received, text.splitlines(True))


DATAGRAM = "a datagram is one event"
fault("destination.socket.datagram-event", DATAGRAM,
      edit=receiving(lambda texts: [b"".join(texts)]))
fault("destination.socket.datagram-event", DATAGRAM,
      edit=receiving(lambda texts: [*texts[:2], texts[2][:50],
                                    texts[2][50:], *texts[3:]]))


@scenario("an event too long for a datagram is dropped alone",
          verbs=("006data",), ids=("destination.socket.too-long",))
def too_long(kit):
    """`start` and `data` are too long; all others come, and the report."""
    name = "destination.socket.too-long"
    run = kit.run("006data", *(letter * 120000 for letter in "ckv"),
                  targets=("perf",), listen=DATAGRAMS,
                  env={EVENT: "af_unix:dgram:{}/s"})
    written = [c.event for c in run.perf()]
    kit.equal(name, [e for e in written if e in ("start", "data")],
              ["start", "data"])
    text = b"".join(run.received)
    kit.equal(name, event_names(text),
              [e for e in written if e not in ("start", "data")])
    kit.contains(name, text, b'"trace2: events dropped: 2"')


LONG = "an event too long for a datagram is dropped alone"
fault("destination.socket.too-long", LONG,
      edit=receiving(lambda texts: texts[:1]))
fault("destination.socket.too-long", LONG, edit=receiving(
    lambda texts: [t for t in texts if b"dropped" not in t]))
fault("destination.socket.too-long", LONG, edit=receiving(
    lambda texts: [t.replace(b"dropped: 2", b"dropped: 1") for t in texts]))


def wrong(what, text):
    return warning("trace2: invalid AF_UNIX %s '%s' for 'GIT_TRACE2_EVENT' "
                   "tracing", what, text)


@scenario("a socket's value that names none is off", verbs=RETURN,
          ids=("destination.socket.empty", "destination.socket.path"))
def no_path(kit):
    long = "/" + 107 * "x"
    for name, form, text in (
        ("empty", "", ""), ("empty", "dgram:", ""), ("empty", "stream:", ""),
        ("path", "", "s"), ("path", "stream:", "./s"),
        ("path", "dgram:", long),
    ):
        value = f"af_unix:{form}{text}"
        run = kit.run("001return", "7", targets=("perf",), listen=STREAM,
                      env={EVENT: value, "GIT_TRACE2_DST_DEBUG": "1"})
        said = wrong("path", text) if text else wrong("value", value)
        kit.equal(f"destination.socket.{name}",
                  (run.stderr, sorted(run.files), run.received, run.exit),
                  (said, ["perf"], [], 7))
    run = kit.run("001return", "7", targets=("perf",), listen=STREAM,
                  env={EVENT: "af_unix:s"})
    kit.equal("destination.socket.path", (run.stderr, run.received),
              (b"", []))


NO_PATH = "a socket's value that names none is off"
fault("destination.socket.empty", NO_PATH,
      stderr=(b"invalid AF_UNIX value 'af_unix:dgram:'",
              b"invalid AF_UNIX path ''"))
fault("destination.socket.path", NO_PATH, stderr=(b"path './s'", b"path 's'"))
fault("destination.socket.path", NO_PATH,
      edit=receiving(lambda _: [b'{"event":"version"}\n']))
fault("destination.socket.path", NO_PATH, stderr=(b"xx'", b"x'"))


# What remains of 107 bytes behind the scratch directory.
LONGEST = (107 - len(tempfile.gettempdir()) - len("/t2-12345678/")) * "s"


@scenario("a socket's path may have 107 bytes", verbs=RETURN,
          ids=("destination.socket.path",))
def longest_path(kit):
    run = kit.run("001return", "7", targets=(), listen=listen.stream(LONGEST),
                  env={EVENT: "af_unix:stream:{}/" + LONGEST})
    text = b"".join(run.received)
    kit.check("destination.socket.path", is_whole("event", text),
              "a whole trace", text)


fault("destination.socket.path", "a socket's path may have 107 bytes",
      edit=receiving(lambda _: []))


@scenario("a socket that nobody serves is told under debug", verbs=RETURN,
          ids=("destination.socket.connect", "destination.silent"))
def unconnected(kit):
    text = ("trace2: could not connect to socket '%s/s' for "
            "'GIT_TRACE2_EVENT' tracing: %s")
    for form, listener, why in (
        ("", None, errno.ENOENT),
        ("stream:", listen.dead_stream("s"), errno.ECONNREFUSED),
        ("stream:", DATAGRAMS, errno.EPROTOTYPE),
    ):
        env = {EVENT: f"af_unix:{form}{{}}/s"}
        run = kit.run("001return", "7", env=env, listen=listener)
        kit.equal("destination.silent", (run.stderr, run.exit), (b"", 7))
        env["GIT_TRACE2_DST_DEBUG"] = "1"
        run = kit.run("001return", "7", env=env, listen=listener)
        kit.equal("destination.socket.connect", run.stderr,
                  warning(text, run.scratch, os.strerror(why)))


UNSERVED = "a socket that nobody serves is told under debug"
fault("destination.socket.connect", UNSERVED, stderr=(b"^.*\n", b""))
fault("destination.socket.connect", UNSERVED,
      stderr=(b"connect to socket", b"open"))
fault("destination.silent", UNSERVED, exit=128)
