"""Edits for fault(): parts of it, made from tables.

    fault("event.exit.code", name, event=retyped("exit", "code", '"3"'))

Each function gives a pair (pattern, replacement) for `event=`, `normal=`
or `perf=`, or a function from Run to Run for `edit=`.
"""

import re

from kit.forms import VALUE
from kit.normal import CLOCK

# How the words that the normaliser puts in look before it.
WORDS = {
    "SECONDS": r"\d+\.\d{6}",
    "PID": r"\d+",
    "VERSION": r"[^\n]+",
    "ANCESTRY": r"[^\n]+",
}


# EVENT


def lines_of(event):
    return rb'^\{"event":"%s",[^\n]*\n' % event.encode()


def gone(event):
    """No such event is written."""
    return lines_of(event), None


def twice(event):
    """The event is written again."""
    return b"(" + lines_of(event) + b")", rb"\1\1"


def member(event, key):
    """The head of a line up to the key, and the key with its value."""
    head = rb'^(\{"event":"%s"(?=,)[^\n]*?),' % event.encode()
    return head + rb'"%s":(%s)(?=[,}])' % (key.encode(), VALUE)


def dropped(event, key):
    return member(event, key), rb"\1"


def renamed(event, key, name):
    return member(event, key), rb'\1,"%s":\2' % name.encode()


def retyped(event, key, value):
    """Another value, as it is written in JSON."""
    text = value.encode().replace(b"\\", b"\\\\")
    return member(event, key), rb'\1,"%s":%s' % (key.encode(), text)


def added(event, key, value):
    """A key at the end that should not be there."""
    return (
        rb'^(\{"event":"%s",[^\n]*)\}\n' % event.encode(),
        rb'\1,"%s":%s}\n' % (key.encode(), value.encode()),
    )


# NORMAL and PERF, in full form

NORMAL_HEAD = CLOCK + rb" (?:\S+:\d+ +| {34})"


def perf_head(event):
    """What stands before the payload in a PERF line of that event."""
    return (
        CLOCK + rb" .{28} \| d\d+ \| [^|\n]* \| %s *\| " % event.encode()
        + rb"(?:[^|\n]*\| ){4}(?:\.\.)*"
    )


def unmarked(text):
    """A pattern for a payload in the words of the normaliser."""
    pattern = re.escape(text)
    for word, form in WORDS.items():
        pattern = re.sub(rf"\b{word}\b", lambda _: form, pattern)
    return pattern.replace("test\\-tool", r"\S*test\-tool").encode()


def wrong_words(head, payload):
    """For each word of the payload an edit that makes it another one,
    unless any word would do."""
    words = payload.split(" ")
    for at in range(len(words)):
        if words[at] in ("VERSION", "ANCESTRY"):
            continue
        before = unmarked(" ".join(words[:at] + [""]) if at else "")
        word = unmarked(words[at])
        behind = unmarked(" ".join([""] + words[at + 1:]))
        behind = behind if words[at + 1:] else b""
        yield (
            rb"^(%s%s)(%s)(%s\n)$" % (head, before, word, behind),
            rb"\1\2~\3",
        )


def without(head, payload):
    """No such line."""
    return rb"^%s%s\n$" % (head, unmarked(payload)), None


def also_in_normal(payload):
    """A line more in NORMAL, behind that of cmd_name."""
    return (
        rb"^(%s)(cmd_name [^\n]*\n)$" % NORMAL_HEAD,
        rb"\1\2\1" + payload.encode() + rb"\n",
    )


def also_in_perf(event, payload):
    """A line more in PERF, behind that of cmd_name."""
    return (
        rb"^(%s .{28} \| d\d+ \| [^|\n]* \| )cmd_name    ( [^\n]*\| )[^\n]*\n"
        % CLOCK,
        rb"\g<0>\1%-12s\2%s\n" % (event.encode(), payload.encode()),
    )


def literal(old, new):
    """One text in place of another, wherever it stands."""
    return re.escape(old.encode()), lambda _: new.encode()


def moved(event, before, path="event"):
    """The first line of an event stands in front of that of another."""

    def edit(run):
        lines = run.log(path).splitlines(keepends=True)
        at, to = (first(lines, name) for name in (event, before))
        if at is not None and to is not None:
            line = lines.pop(at)
            lines.insert(to - (at < to), line)
            run.files[path] = b"".join(lines)
        return run

    return edit


def first(lines, event):
    found = (i for i, line in enumerate(lines)
             if b'"event":"%s"' % event.encode() in line)
    return next(found, None)
