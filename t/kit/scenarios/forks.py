"""Forked children that call no exec: processes of their own."""

import re

from kit import listen
from kit.faults import fault
from kit.kit import scenario
from kit.logs import (by_sid, events, is_whole, microseconds, named,
                      under_shell)
from kit.run import Absent

COMPONENT = re.compile(r"\d{8}T\d{6}\.\d{6}Z-(H[0-9a-f]{8}|Localhost)"
                       r"-P[0-9a-f]{8}")
DEEP = {"GIT_TRACE2_EVENT_NESTING": "9"}


def parent_and_child(run):
    """The events of the two, parent first."""
    parent, child = sorted(by_sid(run.events()).values(),
                           key=lambda found: len(found[0]["sid"]))
    return parent, child


def first(found, name):
    for event in found:
        if event["event"] == name:
            return event
    raise Absent(f"no {name} event of a child")


def side(found):
    return [e["value"] for e in found if e.get("key") == "side"]


@scenario("a forked child has a session of its own", verbs=("560fork",),
          ids=("fork.own-sid", "fork.version-start", "fork.parent-once",
               "fork.shared", "session.depth"))
def session(kit):
    run = kit.run("560fork")
    parent, child = parent_and_child(run)
    above, _, own = child[0]["sid"].rpartition("/")
    kit.equal("fork.own-sid", (above, side(child)),
              (parent[0]["sid"], ["child"]))
    kit.matches("fork.own-sid", COMPONENT, own)
    kit.equal("session.depth", {c.depth for c in run.perf()}, {"d0", "d1"})
    kit.check("fork.own-sid", own != parent[0]["sid"],
              "a component of its own", own)
    kit.equal("fork.version-start", named(child)[:3],
              ["version", "start", "data"])
    kit.equal("fork.version-start", first(child, "start")["argv"],
              first(parent, "start")["argv"])
    kit.equal("fork.parent-once",
              (named(parent).count("exit"), named(parent).count("atexit"),
               side(parent)), (1, 1, ["parent"]))
    kit.equal("fork.shared", (len(run.lines("event")),
                              run.log("event").endswith(b"\n")),
              (len(parent) + len(child), True))


SESSION = "a forked child has a session of its own"
fault("fork.own-sid", SESSION, event=(b'"sid":"[^"/]*/', b'"sid":"x/'))
fault("session.depth", SESSION, perf=(rb"\| d1 \|", rb"| d0 |"))
fault("fork.own-sid", SESSION,
      event=(b'(Z-H\\w{8})-P(\\w{8})",("thread")', rb'\1-p\2",\3'))
fault("fork.version-start", SESSION,
      event=(b'"event":"version".*"sid":"[^"]*/', None))
fault("fork.version-start", SESSION,
      event=(b'("sid":"[^"]*/.*"argv":)\\[.*\\]', rb'\1["forked"]'))


def said_twice(run):
    """The child says its exit under its parent's SID."""
    run.files["event"] = re.sub(
        rb'("event":"atexit","sid":")([^"/]*)/[^"]*', rb"\1\2",
        run.files["event"])
    return run


fault("fork.parent-once", SESSION, edit=said_twice)
fault("fork.shared", SESSION,
      event=(b'("event":"data","sid":"[^"]*/.*)\n', rb"\1"))


@scenario("a thread that forks is main in the child",
          verbs=("560fork", "564fork_thread"), ids=("fork.main",))
def main(kit):
    _, child = parent_and_child(kit.run("564fork_thread"))
    kit.equal("fork.main", {e["thread"] for e in child}, {"main"})
    _, child = parent_and_child(kit.run("560fork", env=DEEP))
    kit.equal("fork.main", first(child, "data")["nesting"], 1)


MAIN = "a thread that forks is main in the child"
fault("fork.main", MAIN,
      event=(b'("sid":"[^"]*/.*"thread":)"main"', rb'\1"th01:forks"'))
fault("fork.main", MAIN,
      event=(b'("sid":"[^"]*/.*"nesting":)1', rb"\g<1>2"))


@scenario("a forked child counts anew", verbs=("566fork_ids",),
          ids=("fork.ids", "fork.main"))
def ids(kit):
    """Its parent did the same before; 30 ms ago at least."""
    parent, child = parent_and_child(kit.run("566fork_ids"))
    for found in (parent, child):
        kit.equal("fork.ids",
                  [first(found, "exec")["exec_id"],
                   first(found, "thread_start")["thread"],
                   first(found, "timer")["intervals"]],
                  [0, "th01:counted", 1])
    since = microseconds(first(parent, "region_leave")["t_rel"])
    times = [microseconds(e["t_abs"]) for e in child if "t_abs" in e]
    kit.check("fork.main", max(times) <= since,
              f"at most the {since} us since the fork", str(times))


ANEW = "a forked child counts anew"
fault("fork.ids", ANEW,
      event=(b'("event":"exec","sid":"[^"]*/.*"exec_id":)0', rb"\g<1>1"))
fault("fork.ids", ANEW, event=(b'("sid":"[^"]*/.*"th0)1', rb"\g<1>2"))
fault("fork.ids", ANEW,
      event=(b'("timer","sid":"[^"]*/.*"intervals":)1', rb"\g<1>2"))
fault("fork.main", ANEW,
      event=(b'("sid":"[^"]*/.*"t_abs":)[0-9.]+', rb"\g<1>99.000000"))


@scenario("a forked child knows its parent's repositories",
          verbs=("565fork_state",),
          ids=("fork.repositories", "fork.ids", "fork.export"))
def state(kit):
    """Both run a command; the child once more behind its cmd_name."""
    run = kit.run("565fork_state", "test-tool", "trace2", "001return", "0")
    found = list(by_sid(run.events()).values())
    parent = found[0]
    child = next(f for f in found if "child" in side(f))
    kit.equal("fork.repositories", named(child)[:3],
              ["version", "start", "def_repo"])
    kit.equal("fork.repositories",
              *([first(f, "def_repo")[key] for key in ("repo", "worktree")]
                for f in (child, parent)))
    kit.equal("fork.repositories", first(child, "data")["repo"],
              first(parent, "def_repo")["repo"])
    kit.equal("fork.ids",
              [[e["child_id"] for e in f if e["event"] == "child_start"]
               for f in (parent, child)], [[0], [0, 1]])
    kit.equal("fork.ids",
              [first(f, "counter")["count"] for f in (parent, child)],
              [1, 10])
    commands = [f[0]["sid"].rpartition("/")[0] for f in found
                if named(f)[0] == "version" and f not in (parent, child)]
    kit.equal("fork.export", commands,
              [parent[0]["sid"], parent[0]["sid"], child[0]["sid"]])


STATE = "a forked child knows its parent's repositories"
fault("fork.repositories", STATE,
      event=(b'"event":"def_repo","sid":"[^"]*/', None))
fault("fork.repositories", STATE,
      event=(b'("event":"def_repo","sid":"[^"]*/.*"repo":)1', rb"\g<1>2"))
fault("fork.ids", STATE,
      event=(b'("sid":"[^"]*/.*"count":)10', rb"\g<1>11"))


def exported_early(run):
    """The child's first command comes under the child."""
    _, _, child, command, _ = by_sid(run.events())
    moved = f"{child}/{command.rpartition('/')[2]}"
    run.files["event"] = run.files["event"].replace(
        f'"{command}"'.encode(), f'"{moved}"'.encode())
    return run


fault("fork.export", STATE, edit=exported_early)


FURTHER = "a further name is handed down, too"


@scenario(FURTHER, verbs=("565fork_state",), ids=("event.cmd_name.export",))
def further_name(kit):
    run = kit.run("565fork_state", "test-tool", "trace2", "001return", "0",
                  targets=("event",))
    kit.equal("event.cmd_name.export",
              [e["hierarchy"] for e in run.events("cmd_name")],
              ["trace2", "trace2/trace2", "trace2/trace2", "trace2/forked",
               "trace2/forked/trace2"])


fault("event.cmd_name.export", FURTHER,
      event=(rb"trace2/forked/", rb"trace2/"))


KILLED = "a forked child that a signal kills leaves no trace"


@scenario(KILLED, verbs=("fork_killed",), ids=("fork.silent",))
def killed(kit):
    run = kit.run("fork_killed")
    kit.equal("fork.silent", len(by_sid(run.events())), 1)
    kit.equal("fork.silent", len(run.events("signal")), 0)
    for target in ("event", "normal", "perf"):
        kit.check("fork.silent", is_whole(target, run.log(target)),
                  "the trace of one process", run.log(target))


fault("fork.silent", KILLED,
      event=(rb'(.*"event":)"printf"(.*\n)', rb'\g<0>\1"signal"\2'))


@scenario("a forked child without a word leaves no trace",
          verbs=("561fork_silent",), ids=("fork.silent",))
def silent(kit):
    for way in ("exit", "_exit"):
        run = kit.run("561fork_silent", way)
        kit.check("fork.silent", is_whole("event", run.log("event")),
                  "the trace of one process", run.log("event"))
        kit.equal("fork.silent", len(by_sid(run.events())), 1)
        for target in ("normal", "perf"):
            kit.check("fork.silent", is_whole(target, run.log(target)),
                      "the trace of one process", run.log(target))
        kit.equal("fork.silent", [e["event"] for e in run.events()
                                  if "exit" in e["event"]],
                  ["exit", "atexit"])


SILENT = "a forked child without a word leaves no trace"
fault("fork.silent", SILENT,
      event=(b'(.*"event":"atexit".*\n)', rb"\1\1"))
fault("fork.silent", SILENT,
      event=(b'(.*"event":"version","sid":"[^"]*)(.*\n)', rb"\1\2\1/x\2"))


@scenario("a forked child has a file of its own in a directory",
          verbs=("560fork",), ids=("fork.directory",))
def directory(kit):
    run = kit.run("560fork", targets=(),
                  setup="mkdir dir",
                  env={"GIT_TRACE2_EVENT": "{}/dir"})
    kit.equal("fork.directory", len(run.files), 2)
    for path, text in run.files.items():
        kit.check("fork.directory", is_whole("event", text),
                  "a whole trace", text)
        sid, = by_sid(events(text))
        kit.equal("fork.directory", path, "dir/" + sid.rpartition("/")[2])


def one_file(run):
    paths = sorted(run.files)
    run.files[paths[0]] = b"".join(run.files.pop(path) for path in paths)
    return run


fault("fork.directory", "a forked child has a file of its own in a directory",
      edit=one_file)


@scenario("a forked child has a connection of its own", verbs=("560fork",),
          ids=("fork.socket",))
def connection(kit):
    run = kit.run("560fork", targets=(), listen=listen.stream("s"),
                  env={"GIT_TRACE2_EVENT": "af_unix:stream:{}/s"})
    kit.equal("fork.socket", len(run.received), 2)
    for text in run.received:
        kit.check("fork.socket", is_whole("event", text), "a whole trace",
                  text)
        kit.equal("fork.socket", len(by_sid(events(text))), 1)


fault("fork.socket", "a forked child has a connection of its own",
      edit=lambda run: run.received.append(
          run.received.pop() + run.received.pop()) or run)


@scenario("a forked child shares its parent's descriptor",
          verbs=("560fork",), ids=("fork.shared",))
def descriptor(kit):
    run = under_shell(kit, 'exec "$@" 5>five', "560fork", targets=(),
                      env={"GIT_TRACE2_EVENT": "5"})
    text = run.files["five"]
    parts = by_sid(events(text))
    kit.equal("fork.shared", (len(parts), text.count(b"\n")),
              (2, sum(map(len, parts.values()))))
    for part in parts.values():
        kit.equal("fork.shared", named(part)[-2:], ["exit", "atexit"])


DESCRIPTOR = "a forked child shares its parent's descriptor"


def child_lost(run):
    run.files["five"] = b"".join(
        line for line in run.files["five"].splitlines(True)
        if not re.search(b'"sid":"[^"]*/', line))
    return run


fault("fork.shared", DESCRIPTOR, edit=child_lost)
