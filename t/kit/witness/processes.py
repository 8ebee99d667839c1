"""Aliases, hooks, children, errors and signals."""

from kit.faults import fault
from kit.kit import scenario
from kit.witness import REPOSITORY, shell


def named(run, *names):
    return [e["event"] for e in run.events() if e["event"] in names]


@scenario("git expands an alias that is a git command",
          ids=("event.alias", "event.alias.alias", "event.alias.argv",
               "event.cmd_name", "event.child_start.argv",
               "event.child_exit.code", "event.child_exit.code-other",
               "event.child_exit.pid", "json.integer"))
def git_alias(kit):
    run = shell(kit, REPOSITORY + "git -c alias.st='status -s' st --branch")
    alias = run.event("alias")
    kit.equal("event.alias", len(run.events("alias")), 1)
    kit.equal("event.alias.alias", alias["alias"], "st")
    kit.equal("event.alias.argv", alias["argv"],
              ["status", "-s", "--branch"])
    kit.equal("event.cmd_name", [e["name"] for e in run.events("cmd_name")],
              ["_run_dashed_", "_run_git_alias_", "status"])
    kit.equal("event.child_start.argv",
              [e["argv"] for e in run.events("child_start")],
              [["git-st", "--branch"], ["git", "status", "-s", "--branch"]])
    dashed, status = run.events("child_exit")
    for name in ("event.child_exit.code-other", "event.child_exit.pid",
                 "json.integer"):
        kit.equal(name, (dashed["pid"], dashed["code"]), (-1, -1))
    kit.check("event.child_exit.pid", status["pid"] > 0, "a pid", status)
    kit.equal("event.child_exit.code", status["code"], 0)


@scenario("git runs an alias for the shell as a child",
          ids=("event.child_start.use_shell", "event.child_start.child_class",
               "event.child_exit.code", "event.child_exit.code-other",
               "event.exit.code", "event.atexit.code",
               "event.child_start.hook_name"))
def shell_alias(kit):
    for script, code in (("exit 5", 5), ("kill -9 $$", 137)):
        run = shell(kit, f"git -c alias.a='!{script}' a",
                    targets=("event", "perf"))
        child = run.event("child_start", 1)
        kit.equal("event.child_start.use_shell", child["use_shell"], True)
        kit.equal("event.child_start.child_class", child["child_class"],
                  "shell_alias")
        kit.check("event.child_start.hook_name", "hook_name" not in child,
                  "no hook", child)
        other = "-other" * (code > 128)
        kit.equal(f"event.child_exit.code{other}",
                  run.event("child_exit", 1)["code"], code)
        kit.equal("event.exit.code", run.event("exit")["code"], code)
        kit.equal("event.atexit.code", run.event("atexit")["code"], code)
        kit.equal("event.exit.code", run.exit, code)


HOOK = REPOSITORY + """
mkdir .git/hooks && printf '#!/bin/sh\\nexit 3\\n' >.git/hooks/pre-commit &&
chmod +x .git/hooks/pre-commit &&
git -c user.name=A -c user.email=a@example.com commit -q -m x --allow-empty
"""


@scenario("git names a hook, and its region around it",
          ids=("event.child_start.child_class", "event.child_start.hook_name",
               "event.child_start.argv", "event.child_exit.code",
               "event.child_exit.t_rel", "region.nesting", "region.pairs",
               "region.match", "region.t_rel", "perf.dots"))
def hook(kit):
    run = shell(kit, HOOK, env={"GIT_TRACE2_EVENT_NESTING": "99"})
    start, end = run.event("child_start"), run.event("child_exit")
    kit.equal("event.child_start.child_class", start["child_class"], "hook")
    kit.equal("event.child_start.hook_name", start["hook_name"], "pre-commit")
    kit.equal("event.child_start.argv", start["argv"],
              [".git/hooks/pre-commit"])
    kit.equal("event.child_exit.code", end["code"], 3)
    region = run.event("region_leave", -1)
    kit.check("event.child_exit.t_rel",
              0 < end["t_rel"] <= region["t_rel"] < run.event(
                  "exit")["t_abs"], "less than its region's", end)
    kit.equal("perf.dots", [c.dots for c in run.perf("child_start")], [2])
    check_regions(kit, run.events())


def check_regions(kit, events):
    """On one thread of one process."""
    stack = []
    for event in events:
        if event["event"] == "region_enter":
            stack.append(event)
            kit.equal("region.nesting", event["nesting"], len(stack))
        elif event["event"] == "region_leave":
            enter = stack.pop()
            kit.equal("region.nesting", event["nesting"], len(stack) + 1)
            kit.equal("region.pairs", event["nesting"], enter["nesting"])
            kit.equal("region.match", (event["category"], event["label"]),
                      (enter["category"], enter["label"]))
        elif event["event"] == "data":
            kit.equal("region.nesting", event["nesting"], len(stack) + 1)
    leave = [e for e in events if e["event"] == "region_leave"]
    outer = [e for e in leave if e["nesting"] == 1]
    kit.check("region.t_rel", outer and all(
        e["t_rel"] <= o["t_rel"] for o in outer[:1] for e in leave[:1]),
        "an inner region is shorter", leave)


@scenario("git reports errors with their format and code",
          ids=("event.error", "event.error.msg", "event.error.fmt",
               "event.exit.code", "event.atexit.code",
               "event.atexit", "event.exit"))
def errors(kit):
    run = kit.command("git", "-c", "nokey", "config", "--list")
    said = [line.partition(": ")[2] for line in
            run.stderr.decode().splitlines()]
    kit.equal("event.error", [e["msg"] for e in run.events("error")],
              said or None)
    error = run.event("error")
    kit.equal("event.error.msg", error["msg"],
              "key does not contain a section: nokey")
    kit.equal("event.error.fmt", error["fmt"],
              "key does not contain a section: %s")
    for name in ("exit", "atexit"):
        kit.equal(f"event.{name}", len(run.events(name)), 1)
        kit.equal(f"event.{name}.code", run.event(name)["code"], 128)
    kit.equal("event.exit.code", run.exit, 128)


@scenario("git dies of SIGPIPE with a last word",
          ids=("signal.sigpipe", "signal.no-atexit", "signal.dies",
               "event.signal.signo"))
def sigpipe(kit):
    run = shell(kit, REPOSITORY + """
head -c 200000 /dev/zero >big && quiet add big
{ git cat-file -p :big; echo $? >code; } | :
""")
    name = run.event("version")
    kit.equal("signal.sigpipe", named(run, "signal", "exit", "atexit"),
              ["signal"])
    kit.equal("signal.no-atexit", run.events()[-1]["event"], "signal")
    kit.equal("event.signal.signo", run.event("signal")["signo"], 13)
    kit.equal("signal.dies", run.files.get("repo/code"), b"141\n")
    kit.check("signal.sigpipe", name, "", "")


@scenario("git dies of other signals with a last word",
          ids=("signal.five",))
def other_signals(kit):
    for name, number in (("TERM", 15), ("INT", 2), ("HUP", 1), ("QUIT", 3)):
        run = shell(kit, f"git -c alias.a='!kill -{name} $PPID; exec sleep 2' a",
                    targets=("event",))
        found = [e["signo"] for e in run.events("signal")]
        kit.equal("signal.five", (name, found), (name, [number]))


@scenario("git writes bytes that are not UTF-8 as a line that is",
          ids=("json.invalid-utf8", "json.valid", "input.utf8"))
def not_utf8(kit):
    run = kit.command("git", "version", b"a\xffb")
    for name in ("json.invalid-utf8", "json.valid", "input.utf8"):
        kit.equal(name, run.event("start")["argv"],
                  ["git", "version", "a\ufffdb"])


@scenario("git escapes what JSON cannot hold, and nothing else",
          ids=("json.escape", "json.escape.short", "json.escape.raw"))
def escapes(kit):
    run = kit.command("git", "version", 'a"\\\b\f\n\r\t\x01\x1f/\x7fé')
    line = run.lines("event")[1]
    text = rb'"a\"\\\b\f\n\r\t\u0001\u001f/' + "\x7fé".encode() + b'"]}'
    for name in ("json.escape", "json.escape.short", "json.escape.raw"):
        kit.check(name, line.endswith(text), text, line)


@scenario("git declares the version of its events",
          ids=("version.evt",))
def evt(kit):
    run = kit.command("git", "version")
    kit.equal("version.evt", run.event("version")["evt"], "4")


ALIAS = "git expands an alias that is a git command"
fault("event.alias.argv", ALIAS,
      event=(rb'"argv":\["status",', b'"argv":["st",'))
fault("event.child_exit.code-other", ALIAS,
      event=(rb'"pid":-1,"code":-1', b'"pid":-1,"code":127'))
fault("signal.no-atexit", "git dies of SIGPIPE with a last word",
      event=(rb"^(.*\"signal\".*\n)", rb'\1{"event":"atexit"}' + b"\n"))
fault("json.escape.short", "git escapes what JSON cannot hold, and nothing "
      "else", event=(rb"\\t", rb"\\u0009"))
