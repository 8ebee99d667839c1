"""What the scenarios about settings and config files share.

Settings of config files are bytes, since files are; `{}` in them is the
scratch directory, as everywhere.
"""

import re

from kit.run import TARGETS, VARIABLES

BRIEF = {
    "normal": "GIT_TRACE2_BRIEF",
    "perf": "GIT_TRACE2_PERF_BRIEF",
    "event": "GIT_TRACE2_EVENT_BRIEF",
}

# With these, the file `system` of the scratch directory is the system's.
SYSTEM = {"GIT_CONFIG_NOSYSTEM": None, "GIT_CONFIG_SYSTEM": "{}/system"}

CLOCK = re.compile(rb"\d\d:\d\d:\d\d\.\d{6} ")


def trace2(**keys):
    """A [trace2] section."""
    return b"[trace2]\n" + b"".join(
        b"\t%s = %s\n" % (key.encode(), value) for key, value in keys.items()
    )


def home(**keys):
    """The files of a home directory whose owner set these."""
    return {".gitconfig": trace2(**keys)}


def repository(config=b"", gitdir="repo/.git"):
    """The files of an empty repository."""
    return {
        f"{gitdir}/HEAD": b"ref: refs/heads/main\n",
        f"{gitdir}/config": b"[core]\n\trepositoryformatversion = 0\n"
        + config,
        f"{gitdir}/objects/keep": b"",
        f"{gitdir}/refs/keep": b"",
    }


def variables(suffix):
    """The environment in which each target writes to `<target><suffix>`."""
    return {VARIABLES[t]: "{}/" + t + suffix for t in TARGETS}


def form(text):
    """Which target wrote a log? "" if that can't be said."""
    line = text.partition(b"\n")[0]
    if line[:1] == b"{":
        return "event"
    if b" | " in line:
        return "perf"
    return "normal" if b"version " in line else ""


def one_answer(answers):
    """What all say, or None."""
    return next(iter(answers)) if len(set(answers)) == 1 else None


def brief(run):
    """Is each log brief? A log that is neither brief nor full is None."""
    return (
        one_answer([not CLOCK.match(x) for x in run.lines("normal")]),
        one_answer([not CLOCK.match(x) for x in run.lines("perf")]),
        is_brief([e for e in run.events()
                  if e["event"] not in ("version", "atexit")]),
    )


def is_brief(events):
    """Only git's brief events lack most times; others lack their place."""
    if events and not any("file" in e for e in events):
        return True
    return one_answer(["time" not in e for e in events])


def params(run, file="event"):
    """(scope, param, value) of each def_param."""
    return [(e["scope"], e["param"], e.get("value"))
            for e in run.events("def_param", file)]


def pairs(run, file="event"):
    """(param, value) of each def_param."""
    return [p[1:] for p in params(run, file)]


def warnings(run):
    """The lines of standard error."""
    return run.stderr.splitlines(keepends=True)
