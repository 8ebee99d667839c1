"""Session ids: what they are made of, and how they are handed down."""

import datetime
import hashlib
import re
import socket
import sys

from kit.faults import fault
from kit.kit import Skip, scenario

COMPONENT = re.compile(
    r"(\d{8}T\d{6}\.\d{6}Z)-(H[0-9a-f]{8}|Localhost)-P([0-9a-f]{8})"
)
PARENT = "GIT_TRACE2_PARENT_SID"


def component(sid):
    """The parts of the last component: time, host, process."""
    return COMPONENT.fullmatch(sid.rpartition("/")[2]).groups()


def moment(text, form):
    return datetime.datetime.strptime(text, form)


TITLE = "a SID tells when, where and as what a process began"
BEFORE = 'date -u +%Y%m%dT%H%M%S; echo $$; exec "$@"'


@scenario(TITLE, verbs=("001return",),
          ids=("session.component", "session.component.time",
               "session.component.host", "session.component.pid"))
def parts(kit):
    check_component(kit, kit.command(
        "sh", "-c", BEFORE, "sh", "test-tool", "trace2", "001return", "0",
        env={"TZ": "XYZ-5:30"}))


NAMED = "a SID tells the time in UTC where the zone has a name"
ZONE = "Asia/Kolkata"  # some runtimes know only names of zones


@scenario(NAMED, verbs=("001return",), ids=("session.component.time",))
def named_zone(kit):
    shown = kit.command("date", "+%z", env={"TZ": ZONE})
    if shown.stdout != b"+0530\n":
        raise Skip(f"there is no zone {ZONE} here (tzdata)")
    check_time(kit, kit.command(
        "sh", "-c", BEFORE, "sh", "test-tool", "trace2", "001return", "0",
        env={"TZ": ZONE}))


def check_component(kit, run):
    pid = run.stdout.decode().split()[1]
    version = run.event("version")
    kit.matches("session.component", COMPONENT, version["sid"])
    check_time(kit, run)
    _, host, process = component(version["sid"])
    name = socket.gethostname().encode()
    kit.equal("session.component.host", host,
              "H" + hashlib.sha1(name).hexdigest()[:8])
    kit.equal("session.component.pid", process, f"{int(pid):08x}")


def check_time(kit, run):
    before, _ = run.stdout.decode().split()
    version = run.event("version")
    time, _, _ = component(version["sid"])
    made = moment(time, "%Y%m%dT%H%M%S.%fZ")
    written = moment(version["time"], "%Y-%m-%dT%H:%M:%S.%fZ")
    kit.check("session.component.time",
              moment(before, "%Y%m%dT%H%M%S") <= made <= written,
              f"from {before} to {version['time']}", time)


def in_local_time(run):
    """The SID's time is not UTC."""
    def later(match):
        time = moment(match[1].decode(), "%Y%m%dT%H%M%S")
        time += datetime.timedelta(hours=5, minutes=30)
        return b'"sid":"' + time.strftime("%Y%m%dT%H%M%S").encode()
    run.files["event"] = re.sub(rb'"sid":"(\d{8}T\d{6})', later,
                                run.files["event"])
    return run


fault("session.component", TITLE, event=(rb"(Z-H\w{8}-)P", rb"\1p"))
fault("session.component", TITLE,
      event=(rb'"sid":"(\d+T\d+\.\d{3})\d{3}', rb'"sid":"\1'))
fault("session.component.time", TITLE, edit=in_local_time)
fault("session.component.time", NAMED, edit=in_local_time)
fault("session.component.host", TITLE, event=(rb"Z-H\w{8}", rb"Z-Localhost"))
fault("session.component.pid", TITLE, event=(rb"-P0", rb"-P1"))


# Runs a command on a host without a name, where the system allows that.
NAMELESS = """
import ctypes, os, sys
NEWUTS, NEWUSER = 0x04000000, 0x10000000
libc = ctypes.CDLL(None)
try:
    if libc.unshare(NEWUTS) and libc.unshare(NEWUTS | NEWUSER):
        sys.exit(77)
    if libc.sethostname(b"", 0):
        sys.exit(77)
except AttributeError:
    sys.exit(77)
os.execvp(sys.argv[1], sys.argv[1:])
"""


TITLE = "an empty host name is a name, too"


@scenario(TITLE, verbs=("001return",), ids=("session.component.host",))
def nameless(kit):
    run = kit.command(sys.executable, "-c", NAMELESS, "test-tool", "trace2",
                      "001return", "0")
    if run.exit == 77:
        raise Skip("the host name can't be changed for one process")
    kit.equal("session.component.host",
              component(run.event("version")["sid"])[1],
              "H" + hashlib.sha1(b"").hexdigest()[:8])


fault("session.component.host", TITLE, event=(rb"Z-H\w{8}", rb"Z-Localhost"))


def sids(run, name="version"):
    return [e["sid"] for e in run.events(name)]


TITLE = "every process has its own SID below its parent's"
TWICE = "test-tool trace2 001return 0; test-tool trace2 001return 0"


@scenario(TITLE, verbs=("001return", "004child"),
          ids=("session.id", "session.child", "session.depth"))
def tree(kit):
    run = kit.run("004child", "test-tool", "trace2", "004child", "sh", "-c",
                  TWICE)
    found = sids(run)
    kit.equal("session.id", (len(found), len(set(found))), (4, 4))
    kit.equal("session.id", {e.get("sid") for e in run.events()}, set(found))
    for name in ("start", "exit"):
        kit.equal("session.id", sorted(sids(run, name)), sorted(found))
    for parent, sid in zip([found[0], found[1], found[1]], found[1:]):
        head, _, tail = sid.rpartition("/")
        kit.equal("session.child", head, parent)
        kit.check("session.child", tail, "a component of its own", sid)
    kit.equal("session.depth", [c.depth for c in run.perf("version")],
              ["d0", "d1", "d2", "d2"])


def same_sid(run):
    """A child goes on under its parent's SID."""
    first = sids(run)[0].encode()
    run.files["event"] = re.sub(rb'"sid":"' + re.escape(first) + rb'/[^/"]*"',
                                b'"sid":"' + first + b'"', run.files["event"])
    return run


fault("session.id", TITLE, edit=same_sid)
fault("session.id", TITLE,
      event=(rb'("event":"exit","sid":"[^"]*)..",', rb'\1xx",'))
fault("session.child", TITLE, event=(rb'("sid":"[^"]*)/', rb"\1-"))
fault("session.depth", TITLE, perf=(rb"\| d2 \|", rb"| d1 |"))


TITLE = "a parent's SID is taken byte for byte"
SAY_SID = 'printf %s "$GIT_TRACE2_PARENT_SID"'
PARENTS = ("a/", "/", "//x//y", "a b\"c\\d\n\te", "\u00e9/..", 2 * ("x" * 32767 + "/"),
           "bytes\udcff\udc80/")


def is_below(sid, parent):
    """Is it the parent, a slash and one component?"""
    rest = sid[len(parent):]
    return sid.startswith(parent) and COMPONENT.fullmatch(rest[1:]) \
        and rest[0] == "/"


@scenario(TITLE, verbs=("004child",),
          ids=("session.parent-bytes", "session.depth"))
def parent_bytes(kit):
    for parent in PARENTS:
        run = kit.run("004child", "sh", "-c", SAY_SID, env={PARENT: parent})
        given = run.stdout.decode("utf-8", "surrogateescape")
        kit.check("session.parent-bytes", is_below(given, parent),
                  f"{parent!r}, a slash and a component", given)
        if "\udcff" not in parent:
            kit.equal("session.parent-bytes", set(sids(run)), {given})
        kit.equal("session.depth", {c.depth for c in run.perf()},
                  {f"d{parent.count('/') + 1}"})


fault("session.parent-bytes", TITLE, event=(rb'"sid":"a//', rb'"sid":"a/'))
fault("session.parent-bytes", TITLE, stdout=(rb"^//x//y/", rb"/x/y/"))
fault("session.depth", TITLE, perf=(rb"\| d5 \|", rb"| d3 |"))


TITLE = "a parent's SID that is too long is cut"
MOST = 65536


@scenario(TITLE, verbs=("004child",), ids=("session.parent-long",))
def parent_long(kit):
    for parent, kept in (("x" * (MOST - 4) + "/abc", True),
                         ("x/" * (MOST // 2) + "abc", "abc/"),
                         ("x" * (MOST + 1), ""),
                         ("x/" + "y" * (MOST + 1), "")):
        run = kit.run("004child", "sh", "-c", SAY_SID, env={PARENT: parent},
                      targets=("event",))
        given = run.stdout.decode()
        kit.equal("session.parent-long", set(sids(run)), {given})
        if kept is not True:
            kit.check("session.parent-long",
                      given.startswith(kept) and
                      COMPONENT.fullmatch(given[len(kept):]),
                      f"{kept!r} and a component", given)


fault("session.parent-long", TITLE, stdout=(rb"^abc/", rb"x/abc/"))
fault("session.parent-long", TITLE, stdout=(rb"^(2)", rb"yyy/\1"))


TITLE = "the SID is handed down while a target is active"
SAY_BOTH = ('printf "%s %s" "${GIT_TRACE2_PARENT_SID-unset}" '
            '"${GIT_TRACE2_PARENT_NAME-unset}"')


@scenario(TITLE, verbs=("004child",), ids=("session.export",))
def export(kit):
    for target in ("normal", "perf", "event"):
        run = kit.run("004child", "sh", "-c", SAY_SID, targets=(target,))
        kit.matches("session.export", COMPONENT, run.stdout.decode())
    kit.equal("session.export", run.stdout.decode(), sids(run)[0])


fault("session.export", TITLE, stdout=(rb".", None))


@scenario("without an active target SID and name are left alone",
          verbs=("004child",), ids=("session.export.off",))
def export_off(kit):
    above = {PARENT: "its sid", "GIT_TRACE2_PARENT_NAME": "its name"}
    for target in ({}, {"GIT_TRACE2": "{}/none/log"}, {"GIT_TRACE2": "0"}):
        for env, said in (({}, b"unset unset"), (above, b"its sid its name")):
            run = kit.run("004child", "sh", "-c", SAY_BOTH, targets=(),
                          env={**target, **env})
            kit.equal("session.export.off", run.stdout, said)


fault("session.export.off",
      "without an active target SID and name are left alone",
      stdout=(rb"^its sid", rb"its sid/20260102T030405.000006Z-H1-P1"))
fault("session.export.off",
      "without an active target SID and name are left alone",
      stdout=(rb"unset$", rb"trace2"))

THREADS = "the threads of a process have its SID"


@scenario(THREADS, verbs=("201counter",), ids=("session.id",))
def of_threads(kit):
    run = kit.run("201counter", "1", "2", "3", targets=("event",))
    found = {e["thread"]: e["sid"] for e in run.events()}
    kit.equal("session.id", (len(found), len({*found.values()})), (4, 1))


fault("session.id", THREADS, event=(
    rb'("sid":"[^"]*)(","thread":"th)', rb"\1-1\2"))

OTHERS = "a child finds the environment as its parent had it, but for two"
EXPORTED = (b"GIT_TRACE2_PARENT_SID", b"GIT_TRACE2_PARENT_NAME")


@scenario(OTHERS, verbs=("004child",), ids=("session.export.others",))
def other_variables(kit):
    """A shell, which adds some of its own, shows what it gives both."""
    found = []
    for value in ("0", "{}/event"):
        run = kit.run("004child", "env", targets=(), env={
            "GIT_TRACE2_EVENT": value, "ODD": "a\nb", "GIT_TRACE2_X": "1"})
        found.append({line for line in run.stdout.splitlines()
                      if line.partition(b"=")[0] not in
                      (*EXPORTED, b"GIT_TRACE2_EVENT", b"HOME", b"TMPDIR",
                       b"PWD", b"GIT_CEILING_DIRECTORIES")})
    kit.check("session.export.others", len(found[0]) > 5 and
              found[0] == found[1], f"{sorted(found[0])}", sorted(found[1]))
    kit.contains("session.export.others", run.stdout, b"GIT_TRACE2_EVENT=/")


def one_more(run):
    if run.log("event"):
        run.stdout += b"GIT_TRACE2_DEPTH=1\n"
    return run


def no_odd(run):
    if run.log("event"):
        run.stdout = run.stdout.replace(b"GIT_TRACE2_X=1\n", b"")
    return run


fault("session.export.others", OTHERS, edit=one_more)
fault("session.export.others", OTHERS, edit=no_odd)
fault("session.export.others", OTHERS,
      stdout=(rb"(?m)^GIT_TRACE2_EVENT=.*\n", b""))
