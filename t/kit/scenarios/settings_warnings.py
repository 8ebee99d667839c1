"""What is printed: warnings, and what destination debug adds to them."""

import re
import sys

from kit.config import home, trace2, warnings
from kit.faults import fault
from kit.kit import scenario
from kit.run import TARGETS, VARIABLES

TARGET_KEYS = [f"{t}Target" for t in TARGETS]

UNOPENED = re.compile(
    rb"warning: trace2: could not open '.*/none/log' for 'GIT_TRACE2' "
    rb"tracing: .+\n"
)


def debugged(kit, env, files=None):
    """Is there a warning about a file that can't be opened?"""
    run = kit.run("001return", "0", targets=(), files=files,
                  env={"GIT_TRACE2": "{}/none/log", **env})
    return [bool(UNOPENED.fullmatch(line)) for line in warnings(run)]


def unheard(run):
    """Destination debug that is not switched on."""
    run.stderr = b""
    return run


TITLE = "1 switches destination debug on"


@scenario(TITLE, verbs=("001return",), ids=("settings.destination-debug.one",))
def debug_one(kit):
    name = "settings.destination-debug.one"
    on, on_config = {"GIT_TRACE2_DST_DEBUG": "1"}, home(destinationDebug=b"1")
    kit.equal(name, debugged(kit, on), [True])
    if kit.configured():
        kit.equal(name, debugged(kit, {}, on_config), [True])


fault("settings.destination-debug.one", TITLE, edit=unheard)


TITLE = "destination debug is a boolean"


@scenario(TITLE, verbs=("001return",), ids=("settings.destination-debug",))
def debug_boolean(kit):
    name = "settings.destination-debug"
    for text in ("true", "yes", "On", "2"):
        env = {"GIT_TRACE2_DST_DEBUG": text}
        kit.equal(name, debugged(kit, env), [True])
    on, off = home(destinationDebug=b"true"), {"GIT_TRACE2_DST_DEBUG": "false"}
    if kit.configured():
        kit.equal(name, debugged(kit, {}, on), [True])
        kit.equal(name, debugged(kit, off, on), [])


fault("settings.destination-debug", TITLE, edit=unheard)


UNKNOWN = re.compile(rb"unknown value for '(.*)': '(.*)'$")


TITLE = "an unknown destination is warned about on one line"


@scenario(TITLE, verbs=("001return",),
          ids=("settings.warning-form", "settings.warning-variable"))
def warning(kit):
    names = [VARIABLES[t].encode() for t in TARGETS]
    bogus = dict.fromkeys(VARIABLES.values(), "bogus")
    keys = home(**dict.fromkeys(TARGET_KEYS, b"bogus"))
    for env, files in ((bogus, {}), ({}, keys)):
        if files and not kit.configured():
            continue
        run = kit.run("001return", "0", targets=(), env=env, files=files)
        lines = warnings(run)
        kit.equal("settings.warning-form", len(lines), 3)
        for line in lines:
            kit.check("settings.warning-form",
                      line.startswith(b"warning: ") and line[-1:] == b"\n",
                      "`warning: `, the message and LF", line)
        found = [UNKNOWN.search(x.rstrip(b"\n")).groups() for x in lines]
        kit.equal("settings.warning-variable", sorted(found),
                  sorted((n, b"bogus") for n in names))


fault("settings.warning-form", TITLE, stderr=(rb"^warning: ", rb""))
fault("settings.warning-variable", TITLE,
      stderr=(rb"'GIT_TRACE2_PERF'", rb"'trace2.perfTarget'"))


# Runs a command with a socket for its standard error that keeps the writes
# apart, and prints them.
WRITES = """
import socket, subprocess, sys
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
subprocess.run(sys.argv[1:], stderr=theirs, check=False)
theirs.close()
while True:
    packet = ours.recv(65536)
    if not packet:
        break
    print(packet)
"""


TITLE = "a warning is one write"


@scenario(TITLE, verbs=("001return",), ids=("settings.warning-write",))
def warning_write(kit):
    run = kit.command(sys.executable, "-c", WRITES, "test-tool", "trace2",
                      "001return", "0", targets=(),
                      env={"GIT_TRACE2": "bo", "GIT_TRACE2_PERF": "gus"})
    kit.equal("settings.warning-write", run.stdout.decode().splitlines(), [
        repr(b"warning: trace2: unknown value for 'GIT_TRACE2': 'bo'\n"),
        repr(b"warning: trace2: unknown value for 'GIT_TRACE2_PERF': "
             b"'gus'\n"),
    ])


fault("settings.warning-write", TITLE,
      stdout=(rb'^b"warning: ', rb'b"warning: "\nb"'))


TITLE = "without destination debug nothing but bad values is printed"


@scenario(TITLE, verbs=("001return",), ids=("settings.quiet",))
def quiet(kit):
    full = {"full/1": b"", "full/git-trace2-discard": b""}
    runs = (
        kit.run("001return", "0", targets=(), files=full, env={
            "GIT_TRACE2": "{}/none/log",
            "GIT_TRACE2_PERF": "{}/full",
            "GIT_TRACE2_EVENT": "af_unix:stream:{}/socket",
            "GIT_TRACE2_MAX_FILES": "1",
            "GIT_TRACE2_EVENT_NESTING": "-1",
            "GIT_TRACE2_BRIEF": "bogus",
        }),
        kit.run("001return", "0", targets=(), files={
            ".gitconfig": trace2(eventNesting=b"abc", maxFiles=b"abc",
                                 perfBrief=b"bogus",
                                 eventTarget=b"af_unix:relative"),
        }),
    )
    for run in runs:
        kit.equal("settings.quiet", run.stdout + run.stderr, b"")
    run = kit.run("001return", "0", targets=(), env={
        "GIT_TRACE2": "/dev/full", "GIT_TRACE2_EVENT": "/dev/full"})
    kit.equal("settings.quiet", run.stderr, b"")
    if not kit.configured():
        return
    run = kit.run("001return", "0", targets=(), files={
        ".gitconfig": b"[trace2]\n\teventBrief\n\tperfBrief = bogus\n",
    })
    kit.equal("settings.quiet", [b"eventbrief" in line
                                 for line in run.stderr.splitlines()], [True])


def chatty(run):
    run.stderr = b"warning: trace2: could not open '/n' for 'GIT_TRACE2' " \
        b"tracing: No such file or directory\n"
    return run


fault("settings.quiet", TITLE, edit=chatty)
