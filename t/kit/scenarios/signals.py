"""Signals: what a process that dies of one leaves behind."""

import re
import signal

from kit import listen
from kit.config import home
from kit.faults import fault
from kit.kit import scenario
from kit.logs import under_shell

FIVE = ("INT", "TERM", "HUP", "QUIT", "PIPE")


def number(name):
    return int(getattr(signal, f"SIG{name}"))


def kill(name):
    """The driver's child sends it to the driver."""
    return "004child", "sh", "-c", f"kill -{name} $PPID"


def ends(run):
    return [e["event"] for e in run.events()[-2:]]


@scenario("a process that dies of SIGPIPE says so", verbs=("004child",),
          ids=("signal.sigpipe", "signal.dies", "signal.no-atexit",
               "event.signal.t_abs"))
def sigpipe(kit):
    run = kit.run(*kill("PIPE"))
    names = [e["event"] for e in run.events()]
    kit.equal("signal.sigpipe", names.count("signal"), 1)
    kit.equal("signal.sigpipe", len(run.perf("signal")), 1)
    kit.equal("signal.sigpipe", len(run.payloads(b"signal")), 1)
    kit.equal("signal.no-atexit",
              [n for n in names if n in ("exit", "atexit")], [])
    kit.equal("signal.no-atexit",
              [c.event for c in run.perf() if "exit" in c.event], [])
    kit.equal("signal.dies", run.exit, -number("PIPE"))
    times = [e["t_abs"] for e in run.events() if "t_abs" in e]
    kit.equal("event.signal.t_abs", times[-1], max(times))


PIPE = "a process that dies of SIGPIPE says so"
fault("signal.sigpipe", PIPE, event=(b'"event":"signal"', None))
fault("signal.sigpipe", PIPE, event=(b'.*"event":"signal".*\n', rb"\g<0>\g<0>"))
fault("signal.sigpipe", PIPE, perf=(rb"\| signal  ", None))
fault("event.signal.t_abs", PIPE,
      event=(rb'("event":"signal".*"t_abs":)[\d.]+', rb"\g<1>0.000000"))
fault("signal.dies", PIPE, exit=128 + signal.SIGPIPE)
fault("signal.dies", PIPE, exit=-signal.SIGTERM)
fault("signal.no-atexit", PIPE,
      event=(b'(.*"event":)"signal"(.*\n)', rb'\g<0>\1"atexit"\2'))
fault("signal.no-atexit", PIPE,
      perf=(rb"(.*\| )signal(  .*\n)", rb"\g<0>\1atexit\2"))


@scenario("a process that dies of one of five signals says so",
          verbs=("004child",),
          ids=("signal.five", "signal.dies", "event.signal.signo"))
def five(kit):
    for name in FIVE:
        run = kit.run(*kill(name), targets=("event",))
        kit.equal("signal.five", ends(run), ["child_start", "signal"])
        kit.equal("signal.dies", run.exit, -number(name))
        signos = [e.get("signo") for e in run.events("signal")]
        kit.equal("event.signal.signo", signos, [number(name)] * len(signos))


ANY = "a process that dies of one of five signals says so"
for name in FIVE:
    fault("signal.five", ANY,
          event=(b'"event":"signal".*"signo":%d' % number(name), None))
    fault("event.signal.signo", ANY,
          event=(b'"signo":%d' % number(name), b'"signo":1000'))
fault("signal.dies", ANY, exit=0)


@scenario("a signal that the host ignores is left alone",
          verbs=("004child",), ids=("signal.default-only",))
def ignored(kit):
    for name in ("INT", "TERM", "HUP", "QUIT"):
        run = under_shell(kit, f"trap '' {name}; exec \"$@\"", *kill(name),
                          targets=("event",))
        kit.equal("signal.default-only",
                  (ends(run), len(run.events("signal")), run.exit),
                  (["exit", "atexit"], 0, 0))


@scenario("a signal that the host handles is left alone",
          verbs=("544signal_handler",), ids=("signal.default-only",))
def handled(kit):
    for name in FIVE:
        run = kit.run("544signal_handler", name, targets=("event",))
        kit.equal("signal.default-only",
                  (ends(run), len(run.events("signal")), run.stdout),
                  (["exit", "atexit"], 0, b"handled\n"))


for text in ("a signal that the host ignores is left alone",
             "a signal that the host handles is left alone"):
    fault("signal.default-only", text,
          event=(b'(.*"event":)"exit"(.*\n)',
                 rb'\1"signal","signo":15\2\g<0>'))
    fault("signal.default-only", text, event=(b'"event":"a?t?exit"', None))


LEFT = "signals are left alone where the settings say so"


@scenario(LEFT, verbs=("004child",), ids=("settings.signals",))
def left(kit):
    for name in FIVE:
        for env, config in (({"GIT_TRACE2_SIGNALS": "0"}, {}),
                            ({"GIT_TRACE2_SIGNALS": "false"},
                             {"files": home(signals=b"true")}),
                            ({}, {"files": home(signals=b"off")})):
            if not env and not kit.configured():
                continue
            run = kit.run(*kill(name), targets=("event",), env=env, **config)
            kit.equal("settings.signals", len(run.events("signal")), 0)


for name in FIVE:
    fault("settings.signals", LEFT,
          event=(b'(.*"event":)"child_start"(.*\n)',
                 rb'\g<0>\1"signal","signo":15\2'))


WORD = "a signals setting that is no boolean leaves the default"


@scenario(WORD, verbs=("004child",), ids=("settings.signals.invalid",))
def no_boolean(kit):
    for value in ("never", "00x"):
        run = kit.run(*kill("TERM"), targets=("event",),
                      env={"GIT_TRACE2_SIGNALS": value})
        kit.equal("settings.signals.invalid", len(run.events("signal")), 1)


fault("settings.signals.invalid", WORD, event=(b'"event":"signal"', None))


@scenario("a signal event names the thread that was hit",
          verbs=("541signal_region", "545signal_thread"),
          ids=("signal.thread",))
def threads(kit):
    for thread, words in (
        ("main", ("541signal_region", "TERM")),
        ("th01:raises", ("545signal_thread", "TERM")),
        ("th01:unknown", ("545signal_thread", "TERM", "unknown")),
    ):
        run = kit.run(*words)
        kit.equal("signal.thread", (run.event("signal")["thread"],
                                    run.perf("signal")[0].thread),
                  (thread, thread))


THREAD = "a signal event names the thread that was hit"
fault("signal.thread", THREAD,
      event=(b'("signal".*"thread":)"th01:raises"', rb'\1"main"'))
fault("signal.thread", THREAD, perf=(rb"th01:unknown( .*\| signal)",
                                     rb"main        \1"))


NO_TARGET = "without a target no signal is caught"
LOOK = ("004child", "sh", "-c", "grep ^SigCgt: /proc/$PPID/status")


@scenario(NO_TARGET, verbs=("004child",), ids=("signal.only-active",))
def only_active(kit):
    """A child looks at what its parent catches. A runtime may have handlers
    of its own; they are there, too, where a target is active and the
    settings forbid all handlers of the emitter."""
    own = caught(kit.run(*LOOK, targets=("event",),
                         env={"GIT_TRACE2_SIGNALS": "0"}))
    for value in (None, "0", "bogus", "{}/none/log"):
        run = kit.run(*LOOK, targets=(), env={"GIT_TRACE2_EVENT": value})
        kit.equal("signal.only-active",
                  [name for name in caught(run) if name not in own], [])


def caught(run):
    """Those of the five signals that the driver handles."""
    mask = int(re.fullmatch(rb"SigCgt:\s*([0-9a-f]+)\n", run.stdout)[1], 16)
    return [name for name in FIVE if mask >> (number(name) - 1) & 1]


def handled_without_target(run):
    if "event" not in run.files:
        run.stdout = run.stdout[:-5] + b"1000\n"
    return run


fault("signal.only-active", NO_TARGET, edit=handled_without_target)


@scenario("a signal in the middle of a line is dropped",
          verbs=("006data",), ids=("signal.safe",))
def in_a_line(kit):
    """The signal comes when the pipe is full and the rest of the line has
    to wait. If it comes too late, the line is lost, and so is the event."""
    run = under_shell(
        kit, """
            for i in $(seq 1000); do
                test -e full && break
                sleep 0.01
            done && kill -TERM $$ &
            exec "$@"
        """, "006data", *(letter * 120000 for letter in "ckv"),
        targets=(), listen=listen.idle_pipe(5),
        env={"GIT_TRACE2_EVENT": "5"})
    text, = run.received
    kit.lacks("signal.safe", text, b'"event":"signal"')
    kit.contains("signal.safe", run.files, "full")
    kit.equal("signal.safe", run.exit, -signal.SIGTERM)


MIDDLE = "a signal in the middle of a line is dropped"
fault("signal.safe", MIDDLE, exit=-signal.SIGKILL)
fault("signal.safe", MIDDLE, edit=lambda run: run.received.append(
    run.received.pop() + b'{"event":"signal"}\n') or run)
