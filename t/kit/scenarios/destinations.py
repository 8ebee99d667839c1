"""Destinations: what a value means, and what becomes of a wrong one."""

import errno
import os

from kit import listen
from kit.config import form
from kit.faults import fault
from kit.kit import scenario
from kit.logs import is_whole, under_shell, warning
from kit.run import VARIABLES

RETURN = ("001return",)


@scenario("a target that is off writes nothing", verbs=RETURN,
          ids=("destination.off",))
def off(kit):
    for value in (None, "", "0", "false"):
        run = kit.run("001return", "3", targets=(),
                      env={"GIT_TRACE2_EVENT": value})
        said = (run.files, run.stdout, run.stderr)
        kit.equal("destination.off", said, ({}, b"", b""))
    for target in ("normal", "perf", "event"):
        run = kit.run("001return", "3", targets=(target,))
        found = {form(line) for line in run.lines(target)
                 if b"version" in line}
        kit.check("destination.off", found <= {target}, {target}, found)


fault("destination.off", "a target that is off writes nothing",
      files={"false": b'{"event":"version"}\n'})
fault("destination.off", "a target that is off writes nothing",
      edit=lambda run: stderr_of(run, b'{"event":"version"}\n'))


def stderr_of(run, text):
    run.stderr = text
    return run


@scenario("1 and true are standard error", verbs=RETURN,
          ids=("destination.stderr",))
def stderr(kit):
    for value in ("1", "true"):
        run = kit.run("001return", "3", targets=(),
                      env={"GIT_TRACE2_EVENT": value})
        kit.check("destination.stderr", is_whole("event", run.stderr),
                  "a whole trace on standard error", run.stderr)
        kit.equal("destination.stderr", (run.files, run.stdout), ({}, b""))


fault("destination.stderr", "1 and true are standard error",
      edit=lambda run: stderr_of(run, b""))
fault("destination.stderr", "1 and true are standard error",
      files={"true": b'{"event":"version"}\n'})


@scenario("a digit from 2 to 9 is that descriptor", verbs=RETURN,
          ids=("destination.descriptor",))
def descriptors(kit):
    for digits in ((2, 3, 4), (5, 6, 7), (8, 9, 2)):
        redirects = " ".join(f"{n}>>fd{n}" for n in digits)
        env = {VARIABLES[t]: str(n) for t, n in zip(VARIABLES, digits)}
        run = under_shell(kit, f'"$@" {redirects}', "001return", "3", env=env)
        for target, number in zip(VARIABLES, digits):
            text = run.log(f"fd{number}")
            kit.check("destination.descriptor", is_whole(target, text),
                      f"a whole {target} trace in {number}", text)


fault("destination.descriptor", "a digit from 2 to 9 is that descriptor",
      files={"fd9": b""})
fault("destination.descriptor", "a digit from 2 to 9 is that descriptor",
      files={"fd2": None})


@scenario("an absolute path is a file that is appended to", verbs=RETURN,
          ids=("destination.file",))
def file(kit):
    run = kit.run("001return", "3", targets=("event",))
    kit.check("destination.file", is_whole("event", run.log("event")),
              "a new file with a whole trace", run.log("event"))
    before = b"what was there before\n"
    run = kit.run("001return", "3", targets=("event",),
                  files={"event": before})
    text = run.log("event")
    kit.check("destination.file",
              text.startswith(before)
              and is_whole("event", text[len(before):]),
              "the trace behind what was there", text)


fault("destination.file", "an absolute path is a file that is appended to",
      event=(b"^what was.*", None))
fault("destination.file", "an absolute path is a file that is appended to",
      files={"event": None})


@scenario("a file has the mode that the umask leaves", verbs=RETURN,
          ids=("destination.file.mode",))
def mode(kit):
    script = 'umask {}; "$@"; ls -l event | cut -c1-10 >mode'
    for umask, shown in (("027", b"-rw-r-----\n"), ("0", b"-rw-rw-rw-\n")):
        run = under_shell(kit, script.replace("{}", umask), "001return", "0",
                          targets=("event",))
        kit.equal("destination.file.mode", run.files["mode"], shown)


fault("destination.file.mode", "a file has the mode that the umask leaves",
      files={"mode": b"-rw-------\n"})


def unknown(target, value):
    return warning("trace2: unknown value for '%s': '%s'", VARIABLES[target],
                   value)


@scenario("only two words mean something", verbs=RETURN,
          ids=("destination.words",))
def words(kit):
    run = kit.run("001return", "0", env={
        "GIT_TRACE2": "FALSE", "GIT_TRACE2_PERF": "fAlse",
        "GIT_TRACE2_EVENT": "True"})
    kit.equal("destination.words", run.files, {})
    kit.check("destination.words", is_whole("event", run.stderr),
              "a whole EVENT trace on standard error", run.stderr)
    strangers = ["no", "off", "yes", "on", "01", "10", " 1", "1 ", "event",
                 "./event", "~/event", "AF_UNIX:/socket"]
    for at in range(0, len(strangers), 3):
        values = dict(zip(VARIABLES, strangers[at:at + 3]))
        run = kit.run("001return", "0", env={
            VARIABLES[target]: value for target, value in values.items()})
        said = sorted(run.stderr.splitlines(True))
        wanted = sorted(unknown(*pair) for pair in values.items())
        kit.equal("destination.words", (said, run.files), (wanted, {}))


fault("destination.words", "only two words mean something",
      stderr=(b"^warning: .*'(yes|on)'\n", b""))
fault("destination.words", "only two words mean something",
      files={"~/event": b'{"event":"version"}\n'})


@scenario("an unknown value is warned about and off", verbs=RETURN,
          ids=("destination.unknown", "destination.open-order"))
def unknown_values(kit):
    run = kit.run("001return", "7", env={"GIT_TRACE2_PERF": "bogus"})
    kit.equal("destination.unknown", run.stderr, unknown("perf", "bogus"))
    kit.equal("destination.unknown", sorted(run.files), ["event", "normal"])
    for target in run.files:
        kit.check("destination.unknown", is_whole(target, run.log(target)),
                  f"a whole {target} trace", run.log(target))
    run = kit.run("001return", "0", env=dict.fromkeys(VARIABLES.values(),
                                                      "bogus"))
    kit.equal("destination.open-order", run.stderr,
              b"".join(unknown(target, "bogus") for target in VARIABLES))


fault("destination.unknown", "an unknown value is warned about and off",
      stderr=(b"GIT_TRACE2_PERF", b"trace2.perfTarget"))
fault("destination.unknown", "an unknown value is warned about and off",
      files={"event": None})
fault("destination.open-order", "an unknown value is warned about and off",
      edit=lambda run: stderr_of(
          run, b"".join(sorted(run.stderr.splitlines(True)))))


@scenario("each form of a value means what it says", verbs=RETURN,
          ids=("destination.value",))
def forms(kit):
    name = "destination.value"
    run = kit.run("001return", "0", listen=listen.pipe(5),
                  setup="mkdir dir",
                  env={"GIT_TRACE2": "{}/dir", "GIT_TRACE2_PERF": "5",
                       "GIT_TRACE2_EVENT": "1"})
    (path, text), = run.files.items()
    kit.check(name, path.startswith("dir/") and is_whole("normal", text),
              "a file in the directory with a whole trace", run.files)
    kit.check(name, is_whole("perf", run.received[0]),
              "a whole trace in the pipe", run.received)
    kit.check(name, is_whole("event", run.stderr),
              "a whole trace on standard error", run.stderr)
    run = kit.run("001return", "0", listen=listen.stream("socket"),
                  env={"GIT_TRACE2": "0",
                       "GIT_TRACE2_PERF": "af_unix:{}/socket"})
    kit.equal(name, list(run.files), ["event"])
    kit.check(name, is_whole("event", run.log("event")),
              "a whole trace in the file", run.log("event"))
    kit.check(name, is_whole("perf", run.received[0]),
              "a whole trace in the socket", run.received)


fault("destination.value", "each form of a value means what it says",
      files={"0": b"version 1\n"})
fault("destination.value", "each form of a value means what it says",
      files={"event": b""})


@scenario("what can't be opened is off and silent", verbs=("004child",),
          ids=("destination.silent", "destination.debug.open"))
def unopened(kit):
    host = ("004child", "sh", "-c", "echo out; exit 7")
    for debug in ("0", "1"):
        run = kit.run(*host, env={"GIT_TRACE2_EVENT": "{}/none/log",
                                  "GIT_TRACE2_DST_DEBUG": debug})
        name = ("destination.silent", "destination.debug.open")[int(debug)]
        kit.equal(name, run.stderr, debug == "1" and warning(
            "trace2: could not open '%s/none/log' for 'GIT_TRACE2_EVENT' "
            "tracing: %s", run.scratch, os.strerror(errno.ENOENT)) or b"")
        kit.equal("destination.silent", (run.exit, run.stdout),
                  (7, b"out\n"))
        kit.equal("destination.silent", sorted(run.files),
                  ["normal", "perf"])


def say_always(run):
    run.stderr = run.stderr or b"warning: trace2: could not open a file\n"
    return run


fault("destination.silent", "what can't be opened is off and silent",
      edit=say_always)
fault("destination.silent", "what can't be opened is off and silent", exit=1)
fault("destination.debug.open", "what can't be opened is off and silent",
      stderr=(b"^.*\n", b""))
fault("destination.debug.open", "what can't be opened is off and silent",
      stderr=(b" for 'GIT_TRACE2_EVENT' tracing", b""))


@scenario("the first failed write is told under debug", verbs=RETURN,
          ids=("destination.debug.write",))
def unwritten(kit):
    run = kit.run("001return", "7", env={"GIT_TRACE2_EVENT": "/dev/full",
                                         "GIT_TRACE2_DST_DEBUG": "1"})
    said = [line for line in run.stderr.splitlines(True)
            if b"unable to write" in line]
    kit.equal("destination.debug.write", said, [warning(
        "unable to write trace to 'GIT_TRACE2_EVENT': %s",
        os.strerror(errno.ENOSPC))])


fault("destination.debug.write",
      "the first failed write is told under debug",
      stderr=(b"^.*unable to write.*\n", b""))
fault("destination.debug.write",
      "the first failed write is told under debug",
      stderr=(b"^(.*unable to write.*\n)", rb"\1\1"))
