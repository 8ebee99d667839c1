"""Which configuration files are read, and what a bad one does."""

import errno
import os
import re

from kit.config import SYSTEM, brief, params, trace2, warnings
from kit.faults import fault
from kit.kit import scenario
from kit.run import TARGETS


def place(name):
    return b"[a]\n\tplace = " + name + b"\n"


FILES = {
    "system": place(b"system"),
    "other": place(b"other"),
    ".config/git/config": place(b"dot"),
    "xdg/git/config": place(b"xdg"),
    ".gitconfig": place(b"home"),
    "global": place(b"global"),
}
XDG = {"XDG_CONFIG_HOME": "{}/xdg"}
ONE = {"GIT_CONFIG_GLOBAL": "{}/global"}
NO_HOME = {"HOME": None}

# An environment beside SYSTEM, and whose assignments are listed.
PLACES = {
    "config.files": [
        (XDG, "system xdg home"),
    ],
    "config.files.xdg": [
        ({}, "system dot home"),
        ({"XDG_CONFIG_HOME": ""}, "system dot home"),
    ],
    "config.files.system": [
        ({"GIT_CONFIG_SYSTEM": "{}/other"}, "other dot home"),
        ({"GIT_CONFIG_SYSTEM": "{}/missing"}, "dot home"),
        ({"GIT_CONFIG_SYSTEM": "", **ONE}, "global"),
    ],
    "config.files.nosystem": [
        *(({"GIT_CONFIG_NOSYSTEM": x, **XDG}, "xdg home")
          for x in ("1", "true", "YES")),
        *(({"GIT_CONFIG_NOSYSTEM": x}, "system dot home")
          for x in ("0", "off", "")),
    ],
    "config.files.global": [
        (ONE, "system global"),
        ({"GIT_CONFIG_GLOBAL": "{}/missing"}, "system"),
        ({"GIT_CONFIG_GLOBAL": "", "GIT_CONFIG_NOSYSTEM": "1"}, ""),
    ],
    "config.files.no-home": [
        (NO_HOME, "system"),
        ({**NO_HOME, **XDG}, "system xdg"),
    ],
}
SCOPES = {"system": "system", "other": "system"}


TITLE = "configuration comes from the system's and the user's files"


@scenario(TITLE, verbs=("001return",), ids=PLACES)
def places(kit):
    for name, rows in PLACES.items():
        for env, values in rows:
            run = kit.run("001return", "0", targets=("event",), files=FILES,
                          env={**SYSTEM, "GIT_TRACE2_CONFIG_PARAMS": "a.place",
                               **env})
            kit.equal(name, params(run),
                      [(SCOPES.get(v, "global"), "a.place", v)
                       for v in values.split()])
            kit.equal(name, (run.exit, run.stderr), (0, b""))


def listed(old, new):
    """Where these values are listed, others are (behind a blank, so that
    none is replaced twice)."""
    def edit(run):
        values = [p[2] for p in params(run)]
        if values != old.split():
            return run
        for before, after in zip(values, new.split()):
            run.files["event"] = run.files["event"].replace(
                b'"value":"%s"' % before.encode(),
                b'"value": "%s"' % after.encode())
        return run
    return edit


for wrong in (
    ("config.files", "system xdg home", "system home xdg"),
    ("config.files.xdg", "system dot home", "system xdg home"),
    ("config.files.system", "other dot home", "system dot home"),
    ("config.files.nosystem", "xdg home", "system home"),
    ("config.files.global", "system global", "system home"),
    ("config.files.no-home", "system xdg", "system home"),
):
    fault(wrong[0], TITLE, edit=listed(*wrong[1:]))


TITLE = "a later file's settings replace those of an earlier one"


@scenario(TITLE, verbs=("001return",), ids=("config.files",))
def order(kit):
    def target(**keys):
        return trace2(**{f"{k}Target": b"{}/" + v for k, v in keys.items()})

    run = kit.run("001return", "0", targets=(), env={**SYSTEM, **XDG}, files={
        "system": target(normal=b"bad", perf=b"bad", event=b"event"),
        "xdg/git/config": target(normal=b"bad", perf=b"perf"),
        ".gitconfig": target(normal=b"normal"),
    })
    kit.equal("config.files",
              [f for f in (*TARGETS, "bad") if f in run.files],
              ["normal", "perf", "event"])


fault("config.files", TITLE, files={"perf": None, "bad": b"x\n"})


UNREADABLE = re.compile(rb"warning: unable to access '/\S+/system': %s\n"
                        % os.strerror(errno.EISDIR).encode())

TITLE = "a file that can't be read is warned about and skipped"


@scenario(TITLE, verbs=("001return",), ids=("config.files.unreadable",))
def unreadable(kit):
    run = kit.run("001return", "0", targets=(), env=SYSTEM, files={
        "system/is a directory": b"",
        ".gitconfig": trace2(eventTarget=b"{}/event"),
    })
    name = "config.files.unreadable"
    kit.equal(name, run.exit, 0)
    about = UNREADABLE.fullmatch(b"".join(warnings(run)))
    kit.check(name, about, UNREADABLE.pattern, run.stderr)
    kit.contains(name, run.files, "event")


fault("config.files.unreadable", TITLE, stderr=(rb".", None))
fault("config.files.unreadable", TITLE, stderr=(rb"to access", rb"to read"))
fault("config.files.unreadable", TITLE, files={"event": None})


BAD_LINE = re.compile(
    rb"warning: trace2: bad config line 4 in file /\S+/system\n")

TITLE = "a broken file counts up to its error"


@scenario(TITLE, verbs=("001return",), ids=("config.files.broken",))
def broken(kit):
    run = kit.run("001return", "0", targets=(), env=SYSTEM, files={
        "system": trace2(normalTarget=b"{}/normal") + b"\n[broken\n"
        + trace2(perfTarget=b"{}/perf", eventBrief=b"true"),
        ".gitconfig": trace2(eventTarget=b"{}/event"),
    })
    name = "config.files.broken"
    kit.equal(name, run.exit, 0)
    about = BAD_LINE.fullmatch(b"".join(warnings(run)))
    kit.check(name, about, BAD_LINE.pattern, run.stderr)
    kit.equal(name, brief(run), (False, None, False))


fault("config.files.broken", TITLE, stderr=(rb"\b4\b", rb"5"))
fault("config.files.broken", TITLE, stderr=(rb"bad config", rb"wrong"))
fault("config.files.broken", TITLE, files={"normal": None})
fault("config.files.broken", TITLE, files={"perf": b"d0 | x\n"})
