"""Session ids and hierarchies, and what a process hands to its children."""

import hashlib
import os
import re

from kit.faults import fault
from kit.kit import scenario
from kit.witness import REPOSITORY, shell

COMPONENT = re.compile(
    r"(\d{8}T\d{6}\.\d{6}Z)-(H[0-9a-f]{8}|Localhost)-P([0-9a-f]{8})"
)
HOST = hashlib.sha1(os.uname().nodename.encode()).hexdigest()[:8]


def sids(run):
    """All of them, in the order in which they come."""
    return list(dict.fromkeys(e["sid"] for e in run.events()))


@scenario("git makes a session id of the time, the host and its pid",
          ids=("session.id", "session.component", "session.component.time",
               "session.component.host", "session.component.pid"))
def component(kit):
    run = shell(kit, "git -c alias.v='!git version' v")
    parent, child = sids(run)
    kit.matches("session.component", COMPONENT, parent)
    own = child.rpartition("/")[2]
    kit.matches("session.component", COMPONENT, own)
    kit.check("session.id", own not in parent, "another component", child)
    time, host, _ = COMPONENT.fullmatch(parent).groups()
    kit.equal("session.component.host", host, f"H{HOST}")
    first = run.event("version")["time"]
    for mark in "-:":
        first = first.replace(mark, "")
    kit.check("session.component.time",
              time <= first and time[:13] == first[:13], f"just before {first}",
              time)
    run = shell(kit, "echo $$ && exec git version", targets=("event",))
    pid = int(run.stdout.split()[0])
    kit.equal("session.component.pid", sids(run)[0][-9:], f"P{pid:08x}")


@scenario("git takes the parent's session id and name byte for byte",
          ids=("session.child", "session.parent-bytes", "session.depth",
               "settings.parent-sid", "settings.parent-name",
               "event.cmd_name.parent", "event.cmd_name.hierarchy"))
def parents(kit):
    def started(sid, name):
        return kit.command("git", "version", env={
            "GIT_TRACE2_PARENT_SID": sid, "GIT_TRACE2_PARENT_NAME": name})

    for sid in ("hello", "a/b", "a/", "/", 'x"y', "é", "20260101"):
        run = started(sid, "up")
        last = run.event("version")["sid"].rpartition("/")
        for name in ("session.child", "session.parent-bytes",
                     "settings.parent-sid"):
            kit.equal(name, last[0], sid)
            kit.matches(name, COMPONENT, last[2])
        kit.equal("session.depth", {c.depth for c in run.perf()},
                  {f"d{sid.count('/') + 1}"})
        for name in ("event.cmd_name.parent", "settings.parent-name",
                     "event.cmd_name.hierarchy"):
            kit.equal(name, run.event("cmd_name")["hierarchy"], "up/version")
    run = started("", "")
    kit.matches("settings.parent-sid", COMPONENT, sids(run)[0])
    kit.equal("settings.parent-name", run.event("cmd_name")["hierarchy"],
              "version")


@scenario("git exports its session id while it is traced",
          ids=("session.export", "session.export.off",
               "event.cmd_name.export", "event.cmd_name.again"))
def export(kit):
    script = ("git -c alias.e='!echo $GIT_TRACE2_PARENT_SID; "
              "echo $GIT_TRACE2_PARENT_NAME' e")
    run = shell(kit, script)
    sid, name = run.stdout.decode().splitlines()
    kit.equal("session.export", sid, sids(run)[0])
    names = [e["hierarchy"] for e in run.events("cmd_name")]
    kit.equal("event.cmd_name.export", name, names[-1])
    kit.equal("event.cmd_name.again", names,
              ["_run_dashed_", "_run_dashed_/_run_shell_alias_"])
    run = shell(kit, script, targets=(), env={
        "GIT_TRACE2_PARENT_SID": "s", "GIT_TRACE2_PARENT_NAME": "n"})
    kit.equal("session.export.off", run.stdout, b"s\nn\n")


# What goes on in the background would write on.
QUIET = {".gitconfig": b"[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"}
FETCH = REPOSITORY + """
quiet clone -q "file://$PWD" ../copy && quiet commit -q --allow-empty -m more &&
cd ../copy && git -c alias.f='!git fetch -q' f
"""


@scenario("git's processes are a tree of session ids over a fetch",
          ids=("session.child", "session.depth", "order.version-first",
               "order.start-second", "order.cmd_ancestry", "order.exit",
               "order.atexit-last", "order.def_repo", "order.child",
               "order.monotonic", "order.monotonic.time",
               "event.child_start.child_id", "event.child_start.child_id-zero",
               "event.child_exit.child_id", "event.child_exit.pid",
               "event.cmd_ancestry.linux"))
def fetch(kit):
    run = shell(kit, FETCH, files=QUIET,
                env={"GIT_TRACE2_EVENT_NESTING": "99"})
    everybody = sids(run)
    deepest = max(sid.count("/") for sid in everybody)
    kit.check("session.depth", deepest >= 3, "three levels", everybody)
    kit.check("session.depth", any(c.depth == f"d{deepest}"
                                   for c in run.perf()), "PERF too", deepest)
    for sid in everybody:
        parent = sid.rpartition("/")[0]
        kit.check("session.child", parent in ["", *everybody],
                  "the SID of a process", parent)
        check_process(kit, [e for e in run.events() if e["sid"] == sid])
    check_pids(kit, run)
    check_ancestry(kit, run)


def check_process(kit, events):
    """The order of events in one process."""
    names = [e["event"] for e in events]
    kit.equal("order.version-first", names[0], "version")
    kit.equal("order.start-second", names[1], "start")
    kit.equal("order.cmd_ancestry", names[2], "cmd_ancestry")
    kit.equal("order.exit", names.count("exit"), 1)
    kit.equal("order.atexit-last", names[-1], "atexit")
    announced = [0]
    for event in events:
        if event["event"] == "def_repo":
            announced.append(event["repo"])
        kit.check("order.def_repo", event.get("repo", 0) in announced,
                  f"one of {announced}", event)
    starts = [e["child_id"] for e in events if e["event"] == "child_start"]
    kit.equal("event.child_start.child_id", starts, list(range(len(starts))))
    if starts:
        kit.equal("event.child_start.child_id-zero", starts[0], 0)
        check_children(kit, events)
    for key, name in (("t_abs", "order.monotonic"),
                      ("time", "order.monotonic.time")):
        values = [e[key] for e in events if key in e
                  and e["thread"] == "main"]
        kit.equal(name, values, sorted(values))


def check_children(kit, events):
    open_children = []
    for event in events:
        if event["event"] == "child_start":
            open_children.append(event["child_id"])
        elif event["event"] == "child_exit":
            for name in ("order.child", "event.child_exit.child_id"):
                kit.check(name, event["child_id"] in open_children,
                          f"one of {open_children}", event["child_id"])


def check_pids(kit, run):
    """Where a child is a git, its session id ends in the pid by which its
    parent knows it."""
    found = {sid[-8:]: sid.rpartition("/")[0] for sid in sids(run)}
    matched = [e for e in run.events("child_exit")
               if found.get(f"{e['pid']:08x}") == e["sid"]]
    kit.check("event.child_exit.pid", len(matched) >= 3,
              "at least three children that are processes of the log",
              run.events("child_exit"))


def check_ancestry(kit, run):
    """A git below another has all of that one's ancestors above itself."""
    found = {e["sid"]: e["ancestry"] for e in run.events("cmd_ancestry")}
    for sid, ancestry in found.items():
        above = found.get(sid.rpartition("/")[0])
        if above:
            kit.equal("event.cmd_ancestry.linux", ancestry[-len(above):],
                      above)
            between = ancestry[:-len(above)]
            kit.check("event.cmd_ancestry.linux",
                      any(name.startswith("git") for name in between),
                      f"the git above itself before {above}", ancestry)


TREE = "git's processes are a tree of session ids over a fetch"
fault("order.atexit-last", TREE, event=(rb'^\{"event":"atexit"', None))
fault("event.child_start.child_id", TREE,
      event=(rb'("event":"child_start".*"child_id":)1', rb"\g<1>2"))
fault("session.parent-bytes",
      "git takes the parent's session id and name byte for byte",
      event=(rb'"sid":"a//', b'"sid":"a/b/'))
