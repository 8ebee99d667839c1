"""Settings that say where a target goes, in which form, and warnings."""

import re
import sys

from kit.config import BRIEF, brief, form, home, trace2, variables, warnings
from kit.faults import fault
from kit.kit import scenario
from kit.run import TARGETS, VARIABLES

TARGET_KEYS = {t: f"{t}Target" for t in TARGETS}
TARGET_IDS = {t: f"settings.{t}-target" for t in TARGETS}
CONFIG = "settings.event-target.config"


def forms(run, suffix):
    """Which target wrote each of the three files with this suffix?"""
    return {t: form(run.files.get(t + suffix, b"")) for t in TARGETS}


def configured(suffix, targets=TARGETS):
    return home(**{TARGET_KEYS[t]: f"{{}}/{t}{suffix}".encode()
                   for t in targets})


@scenario("each target goes where its own setting says", verbs=("001return",),
          ids=(*TARGET_IDS.values(), CONFIG))
def targets(kit):
    by_env = kit.run("001return", "0", env=variables("_env"))
    by_config = kit.run("001return", "0", targets=(), files=configured("_key"))
    both = kit.run("001return", "0", targets=(), env=variables("_both"),
                   files=configured("_unused"))
    for target, name in TARGET_IDS.items():
        kit.equal(name, forms(by_env, "_env")[target], target)
        kit.equal(name, forms(both, "_both")[target], target)
    for target, name in {**TARGET_IDS, "event": CONFIG}.items():
        kit.equal(name, forms(by_config, "_key")[target], target)
        kit.equal(name, forms(both, "_unused")[target], "")


def swapped(one, other):
    """Two targets took each other's destination."""
    def edit(run):
        if one in run.files and other in run.files:
            files = run.files
            files[one], files[other] = files[other], files[one]
        return run
    return edit


fault("settings.event-target", "each target goes where its own setting says",
      files={"event_env": b""})
fault("settings.normal-target", "each target goes where its own setting says",
      edit=swapped("normal_key", "perf_key"))
fault("settings.perf-target", "each target goes where its own setting says",
      edit=swapped("normal_env", "perf_env"))
fault("settings.event-target.config",
      "each target goes where its own setting says",
      files={"event_key": b""})


@scenario("a brief flag makes its own target brief", verbs=("001return",),
          ids=[f"settings.{t}-brief" for t in TARGETS])
def brief_flags(kit):
    everything = home(normalBrief=b"true", perfBrief=b"true",
                      eventBrief=b"true")
    for at, target in enumerate(TARGETS):
        name = f"settings.{target}-brief"
        only = tuple(t == target for t in TARGETS)
        run = kit.run("001return", "0", env={BRIEF[target]: "true"})
        kit.equal(name, brief(run), only)
        run = kit.run("001return", "0",
                      files=home(**{f"{target}Brief": b"true"}))
        kit.equal(name, brief(run), only)
        run = kit.run("001return", "0", env={BRIEF[target]: "false"},
                      files=everything)
        kit.equal(name, brief(run)[at], False)


fault("settings.normal-brief", "a brief flag makes its own target brief",
      normal=(rb"^(?=version|start|cmd_|exit|atexit)",
              rb"01:02:03.000004 a.c:1  "))
fault("settings.perf-brief", "a brief flag makes its own target brief",
      perf=(rb"^(?=d0)", rb"01:02:03.000004 a.c:1                        | "))
fault("settings.event-brief", "a brief flag makes its own target brief",
      event=(rb'"thread":"main","t_abs"',
             rb'"thread":"main","time":"2026-01-02T03:04:05.000006Z","t_abs"'))


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


@scenario("1 switches destination debug on", verbs=("001return",),
          ids=("settings.destination-debug.one",))
def debug_one(kit):
    name = "settings.destination-debug.one"
    on, on_config = {"GIT_TRACE2_DST_DEBUG": "1"}, home(destinationDebug=b"1")
    kit.equal(name, debugged(kit, on), [True])
    kit.equal(name, debugged(kit, {}, on_config), [True])


@scenario("destination debug is a boolean", verbs=("001return",),
          ids=("settings.destination-debug",))
def debug_boolean(kit):
    name = "settings.destination-debug"
    for text in ("true", "yes", "On", "2"):
        env = {"GIT_TRACE2_DST_DEBUG": text}
        kit.equal(name, debugged(kit, env), [True])
    on, off = home(destinationDebug=b"true"), {"GIT_TRACE2_DST_DEBUG": "false"}
    kit.equal(name, debugged(kit, {}, on), [True])
    kit.equal(name, debugged(kit, off, on), [])


fault("settings.destination-debug.one", "1 switches destination debug on",
      edit=unheard)
fault("settings.destination-debug", "destination debug is a boolean",
      edit=unheard)


UNKNOWN = re.compile(rb"unknown value for '(.*)': '(.*)'$")


@scenario("an unknown destination is warned about on one line",
          verbs=("001return",),
          ids=("settings.warning-form", "settings.warning-variable"))
def warning(kit):
    names = [VARIABLES[t].encode() for t in TARGETS]
    bogus = dict.fromkeys(VARIABLES.values(), "bogus")
    keys = home(**dict.fromkeys(TARGET_KEYS.values(), b"bogus"))
    for env, files in ((bogus, {}), ({}, keys)):
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


fault("settings.warning-form", "an unknown destination is warned about on "
      "one line", stderr=(rb"^warning: ", rb""))
fault("settings.warning-variable", "an unknown destination is warned about "
      "on one line", stderr=(rb"'GIT_TRACE2_PERF'", rb"'trace2.perfTarget'"))


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


@scenario("a warning is one write", verbs=("001return",),
          ids=("settings.warning-write",))
def warning_write(kit):
    run = kit.command(sys.executable, "-c", WRITES, "test-tool", "trace2",
                      "001return", "0", targets=(),
                      env={"GIT_TRACE2": "bo", "GIT_TRACE2_PERF": "gus"})
    kit.equal("settings.warning-write", run.stdout.decode().splitlines(), [
        repr(b"warning: trace2: unknown value for 'GIT_TRACE2': 'bo'\n"),
        repr(b"warning: trace2: unknown value for 'GIT_TRACE2_PERF': "
             b"'gus'\n"),
    ])


fault("settings.warning-write", "a warning is one write",
      stdout=(rb'^b"warning: ', rb'b"warning: "\nb"'))


@scenario("without destination debug nothing but bad values is printed",
          verbs=("001return",), ids=("settings.quiet",))
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


def chatty(run):
    run.stderr = b"warning: trace2: could not open '/n' for 'GIT_TRACE2' " \
        b"tracing: No such file or directory\n"
    return run


fault("settings.quiet",
      "without destination debug nothing but bad values is printed",
      edit=chatty)
