"""Replacing the program by exec."""

import errno

from kit.faults import fault
from kit.kit import scenario
from kit.logs import by_sid, named, under_shell

# 005exec looks for git in PATH, and finds the driver.
GIT = b'#!/bin/sh\nexec test-tool "$@"\n'


MAKE_GIT = "chmod 755 git"


@scenario("a program that replaces another continues its session",
          verbs=("005exec", "001return"),
          ids=("exec.last", "exec.sid", "exec.hierarchy"))
def replaced(kit):
    run = under_shell(kit, 'PATH="$PWD:$PATH"; exec "$@"', "005exec",
                      "trace2", "001return", "3", files={"git": GIT}, setup=MAKE_GIT)
    kit.equal("exec.sid", run.exit, 3)
    parts = list(by_sid(run.events()).values())
    kit.equal("exec.sid", len(parts), 2)
    old, new = parts
    kit.equal("exec.last", named(old)[-1], "exec")
    kit.equal("exec.last", [name for name in named(old)
                            if name in ("exit", "atexit")], [])
    above, _, own = new[0]["sid"].rpartition("/")
    kit.equal("exec.sid", (above, own.rpartition("-")[2]),
              (old[0]["sid"], old[0]["sid"].rpartition("-")[2]))
    names = [e["hierarchy"] for part in parts for e in part
             if e["event"] == "cmd_name"]
    kit.equal("exec.hierarchy", names[1], names[0] + "/trace2")


REPLACED = "a program that replaces another continues its session"


def left_too(run):
    """The old program takes its leave, as if it had returned."""
    lines = run.files["event"].splitlines(True)
    at, = [n for n, line in enumerate(lines) if b'"event":"exec"' in line]
    lines.insert(at + 1, lines[at].replace(b'"exec"', b'"atexit"'))
    run.files["event"] = b"".join(lines)
    return run


fault("exec.last", REPLACED, edit=left_too)
fault("exec.sid", REPLACED, event=(b'"sid":"[^"/]*/', b'"sid":"'))
fault("exec.sid", REPLACED, event=(b'(-P)\\w{8}",("thread")', rb'\g<1>0",\2'))
fault("exec.hierarchy", REPLACED,
      event=(b'"hierarchy":"[^"]*/trace2"', b'"hierarchy":"trace2"'))


@scenario("a program that can't be replaced goes on", verbs=("005exec",),
          ids=("exec.failed",))
def failed(kit):
    run = under_shell(
        kit, 'tool=$(command -v "$1"); shift; PATH=/nonexistent; '
        'exec "$tool" "$@"', "005exec", "version")
    names = named(run.events())
    at = names.index("exec")
    kit.equal("exec.failed", names[at:],
              ["exec", "exec_result", "exit", "atexit"])
    started, result = run.event("exec"), run.event("exec_result")
    kit.equal("exec.failed", (result["exec_id"], result["code"]),
              (started["exec_id"], errno.ENOENT))
    kit.equal("exec.failed", (len(by_sid(run.events())), run.exit), (1, 255))


FAILED = "a program that can't be replaced goes on"
fault("exec.failed", FAILED, event=(b'"event":"exec_result"', None))
fault("exec.failed", FAILED, event=(b'"code":2\\b', b'"code":127'))
fault("exec.failed", FAILED, event=(b'"event":"exit"', None))
