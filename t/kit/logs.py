"""What scenarios ask of a trace, be it a file or what a socket got."""

import os

from kit.run import columns, parse_event, payload


def event_names(text):
    """The event on each line of EVENT; None for a line that is none."""
    found = map(parse_event, text.splitlines())
    return [e.get("event") if e else None for e in found]


def normal_names(text):
    """The first word of each line of NORMAL."""
    found = (payload(line).split(b" ")[0] for line in text.splitlines())
    return [word.decode("utf-8", "replace") for word in found]


def perf_names(text):
    """The event on each line of PERF; None for a line that is none."""
    found = map(columns, text.splitlines())
    return [c.event if c else None for c in found]


NAMES = {"normal": normal_names, "perf": perf_names, "event": event_names}


def is_whole(target, text):
    """Is it the trace of one process, from its version to its end? A torn
    line of EVENT is no event; one of text shows in its missing end."""
    names = NAMES[target](text)
    ended = target == "event" or text.endswith(b"\n")
    return (ended and names[:1] == ["version"]
            and names.count("version") == 1 and None not in names
            and "exit" in names and names[-1] in ("exit", "atexit"))


def events(text):
    return [e for e in map(parse_event, text.splitlines()) if e]


def by_sid(found):
    """Events as lists, by SID, in the order in which the SIDs came."""
    made = {}
    for event in found:
        made.setdefault(event["sid"], []).append(event)
    return made


def named(found):
    return [event["event"] for event in found]


def microseconds(seconds):
    return round(float(seconds) * 1000000)


def warning(text, *values):
    """A line on standard error, as a format and what goes into it."""
    return b"warning: " + os.fsencode(text % values) + b"\n"


def under_shell(kit, script, *words, **options):
    """A verb of the driver below a shell; `script` runs it as "$@"."""
    return kit.command("sh", "-c", script, "sh", "test-tool", "trace2",
                       *words, **options)
