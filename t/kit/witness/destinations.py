"""Destinations: files, directories, descriptors, and what cannot be one."""

import os
import re

from kit.faults import fault
from kit.kit import scenario
from kit.witness import shell
from kit.witness.settings import logs, target, version

EVENT = "GIT_TRACE2_EVENT"


def traced(kit, value, **env):
    return version(kit, env={EVENT: value, **env},
                   files={"dir/.keep": b"", "log": b"kept\n"})


@scenario("git takes each form of a destination",
          ids=("destination.value", "destination.off", "destination.stderr",
               "destination.file", "destination.append", "destination.words"))
def forms(kit):
    for value in ("", "0", "false", "FALSE"):
        run = traced(kit, value)
        kit.equal("destination.off", (run.stderr, run.stdout[:12], logs(run)),
                  (b"", b"git version ", set()))
    for value in ("1", "true", "True"):
        found = [line[:18] for line in traced(kit, value).stderr.splitlines()]
        for name in ("destination.stderr", "destination.words"):
            kit.equal(name, (found[:1], found[-1:]),
                      ([b'{"event":"version"'], [b'{"event":"atexit",']))
    run = traced(kit, "{}/log")
    for name in ("destination.file", "destination.append",
                 "destination.value"):
        first, *others = run.lines("log")
        kit.equal(name, first, b"kept")
        kit.check(name, b'"event":"atexit"' in others[-1], "a trace", others)


UNKNOWN = ("no", "off", "yes", "on", "01", "10", " 1", "log", "~/log",
           "AF_UNIX:/x", "af_unix")


@scenario("git warns about each value that is no destination",
          ids=("destination.words", "destination.unknown",
               "settings.warning-form"))
def unknown(kit):
    for value in UNKNOWN:
        run = traced(kit, value)
        for name in ("destination.words", "destination.unknown",
                     "settings.warning-form"):
            kit.equal(name, (run.exit, logs(run), run.stderr), (0, set(), (
                "warning: trace2: unknown value for "
                f"'{EVENT}': '{value}'\n").encode()))


@scenario("git warns about a configured value by its variable",
          ids=("settings.warning-variable",))
def unknown_by_variable(kit):
    run = version(kit, target(b"perfTarget = bogus"))
    kit.equal("settings.warning-variable", run.stderr,
              b"warning: trace2: unknown value for 'GIT_TRACE2_PERF': "
              b"'bogus'\n")


@scenario("git gives files and directories their modes and names",
          ids=("destination.file.mode", "destination.dir",
               "destination.dir.name", "destination.dir.three-targets",
               "destination.open-order"))
def directory(kit):
    run = shell(kit, "umask 027; git version && stat -c %a event",
                targets=("event",))
    kit.equal("destination.file.mode", run.stdout.splitlines()[-1:], [b"640"])
    run = shell(kit, """
mkdir dir && ln -s dir link && GIT_TRACE2_EVENT=$PWD/link/ git version
""", targets=())
    names = [name for name in run.files if name.startswith("dir/")]
    sids = [run.event("version", file=name)["sid"] for name in names]
    for name in ("destination.dir", "destination.dir.name"):
        kit.equal(name, names, [f"dir/{sid}" for sid in sids] or None)
    run = shell(kit, """
mkdir dir && export GIT_TRACE2=$PWD/dir GIT_TRACE2_PERF=$PWD/dir \
	GIT_TRACE2_EVENT=$PWD/dir && git version
""", targets=())
    kinds = [kind(run.files[name]) for name in sorted(run.files)]
    for name in ("destination.dir.three-targets", "destination.open-order"):
        kit.equal(name, kinds, ["normal", "perf", "event"])
        kit.equal(name, [n[-2:] for n in sorted(run.files)][1:], [".1", ".2"])


def kind(text):
    if text.startswith(b"{"):
        return "event"
    return "perf" if b" | d0 | " in text else "normal"


TOO_MANY = re.compile(
    rb"warning: trace2: not opening GIT_TRACE2_EVENT trace file due to too "
    rb"many files in target directory /[^\n]*/dir\n"
)
FULL = """
mkdir dir && touch dir/a dir/b dir/c && export GIT_TRACE2_MAX_FILES=%s %s
"""


@scenario("git leaves a sentinel in a directory that is full",
          ids=("settings.max-files", "settings.max-files.invalid",
               "destination.dir.limit", "destination.dir.sentinel",
               "destination.dir.sentinel-each",
               "destination.dir.sentinel-present", "event.too_many_files",
               "event.too_many_files.fields", "order.too-many-files",
               "destination.debug.too-many"))
def too_many_files(kit):
    def full(limit, command="git version", one="GIT_TRACE2_EVENT=$PWD/dir"):
        run = shell(kit, FULL % (limit, one) + command, targets=())
        run.new = sorted(set(run.files) - {"dir/a", "dir/b", "dir/c"})
        return run

    discard = "dir/git-trace2-discard"
    for limit, expected in ((6, False), (5, True), (4, True)):
        run = full(limit)
        for name in ("destination.dir.limit", "settings.max-files"):
            kit.equal(name, (limit, len(run.new), discard in run.new),
                      (limit, 1, expected))
    for value in ("0", "-1", "abc"):
        run = full(value)
        kit.equal("settings.max-files.invalid",
                  (len(run.new), discard in run.new), (1, False))
    events = full(5).events(file=discard)
    names = [e["event"] for e in events]
    for name in ("order.too-many-files", "destination.dir.sentinel",
                 "event.too_many_files"):
        kit.equal(name, names[:3], ["version", "too_many_files", "start"])
    kit.equal("destination.dir.sentinel", names[-1:], ["atexit"])
    kit.equal("event.too_many_files.fields", list(events[1]),
              ["event", "sid", "thread", "time", "file", "line"])
    kit.equal("event.too_many_files.fields",
              [events[1][k] for k in ("file", "line")],
              [events[0][k] for k in ("file", "line")])
    run = full(5, one="GIT_TRACE2=$PWD/dir GIT_TRACE2_EVENT=$PWD/dir")
    kit.equal("destination.dir.sentinel-each",
              [(name, kind(run.files[name])) for name in run.new],
              [(discard, "normal")])
    run = full(9, f"touch {discard} && GIT_TRACE2_DST_DEBUG=1 git version")
    kit.equal("destination.dir.sentinel-present",
              [(name, run.files[name]) for name in run.new], [(discard, b"")])
    kit.matches("destination.debug.too-many", TOO_MANY, run.stderr)


@scenario("git survives a destination that takes nothing",
          ids=("destination.debug.write", "destination.error-off",
               "destination.descriptor"))
def full_device(kit):
    run = version(kit, env={EVENT: "/dev/full", "GIT_TRACE2_DST_DEBUG": "1"},
                  targets=("normal",))
    text = (f"warning: unable to write trace to '{EVENT}': "
            f"{os.strerror(28)}\n").encode()
    for name in ("destination.debug.write", "destination.error-off"):
        kit.equal(name, (run.exit, run.stdout[:12], run.stderr),
                  (0, b"git version ", text))
    kit.check("destination.error-off", run.payloads(b"atexit"),
              "an atexit in NORMAL", run.log("normal"))
    for number in (2, 3, 9):
        run = shell(kit, f"GIT_TRACE2_EVENT={number} git version "
                    f"{number}>event", targets=())
        names = [e["event"] for e in run.events()]
        kit.equal("destination.descriptor", (number, names[:1], names[-1:]),
                  (number, ["version"], ["atexit"]))


@scenario("git's children do not inherit the descriptors of a trace",
          ids=("destination.cloexec",))
def cloexec(kit):
    run = shell(kit, "git -c alias.fds='!ls /proc/self/fd' fds")
    kit.equal("destination.cloexec", run.stdout.split(),
              [b"0", b"1", b"2", b"3"])


TOO = "git leaves a sentinel in a directory that is full"
fault("event.too_many_files", TOO,
      edit=lambda run: without(run, b'"event":"too_many_files"'))
fault("destination.unknown", "git warns about each value that is no "
      "destination", stderr=(rb"unknown value", b"bad value"))


def without(run, mark):
    for name, text in run.files.items():
        lines = text.splitlines(keepends=True)
        run.files[name] = b"".join(x for x in lines if mark not in x)
    return run
