"""Writing: long lines, how a file is open, and names that are no plain ones."""

import re

from kit import listen_odd
from kit.faults import fault
from kit.kit import scenario
from kit.logs import is_whole
from kit.scenarios import directories, writing

EVENT = "GIT_TRACE2_EVENT"
RETURN = ("001return",)

LONG = "an event of many kilobytes is one write"
SIZE = 20000


@scenario(LONG, verbs=("003error",), ids=("destination.write",))
def one_write(kit):
    """In pieces of 8 kB an event would be three."""
    few, many = 2, 22
    writes, _ = zip(*(writing.count(kit, number, SIZE * "x")
                      for number in (few, many)))
    more = writes[1] - writes[0]
    kit.check("destination.write", abs(more - (many - few)) < few * 4,
              f"about {many - few} writes for so many events more of "
              f"{SIZE} bytes", f"{more} writes")


fault("destination.write", LONG, edit=writing.add_writes(2))

# How a file is open. A child looks at its parent, the driver.

OPEN = "the file of a trace is open for appending"
LOOK = """for f in /proc/$PPID/fd/*; do case $(readlink "$f") in
*/event) cat "/proc/$PPID/fdinfo/${f##*/}";; esac; done; true"""
APPEND = 0o2000


@scenario(OPEN, verbs=("004child",), ids=("destination.append",))
def appending(kit):
    """A driver may open the file for each event anew."""
    run = kit.run("004child", "sh", "-c", LOOK, targets=("event",))
    flags = re.findall(rb"(?m)^flags:\s*([0-7]+)$", run.stdout)
    kit.check("destination.append", is_whole("event", run.log("event")),
              "a whole trace", run.log("event"))
    kit.check("destination.append",
              all(int(one, 8) & APPEND for one in flags),
              "O_APPEND (02000) in the flags of the descriptor", flags)


fault("destination.append", OPEN, stdout=(rb"(flags:\s*)\d+", rb"\g<1>0100001"))
fault("destination.append", OPEN, files={"event": None})

# Names

LINK = "a link leads to the file of the trace"
LINKS = "echo before >real; ln -s real link; ln -s new dangling"


@scenario(LINK, verbs=RETURN, ids=("destination.file",))
def link(kit):
    for name, real, before in (("link", "real", b"before\n"),
                               ("dangling", "new", b"")):
        run = kit.run("001return", "3", targets=(), setup=LINKS,
                      env={EVENT: "{}/" + name})
        text = run.log(real)
        kit.check("destination.file", text.startswith(before)
                  and is_whole("event", text[len(before):]),
                  f"{before} and a whole trace", text)
        kit.lacks("destination.file", run.files, name)


fault("destination.file", LINK, files={"new": b""})
fault("destination.file", LINK, files={"link": b"before\n"})

SLASH = "a name with a slash at its end is that of a directory alone"


@scenario(SLASH, verbs=RETURN, ids=("destination.silent",))
def slash(kit):
    for name in ("file/", "none/", "none//"):
        run = kit.run("001return", "7", targets=("perf",),
                      files={"file": b"there\n"}, env={EVENT: "{}/" + name})
        kit.equal("destination.silent",
                  (run.exit, run.stderr, sorted(run.files), run.log("file")),
                  (7, b"", ["file", "perf"], b"there\n"))


fault("destination.silent", SLASH, files={"none": b'{"event":"version"}\n'})
fault("destination.silent", SLASH, files={"file": b"there\nmore\n"})

ENTRIES = "whatever is in a directory counts"
MANY = ("mkdir dir dir/folder; : >dir/.hidden; : >dir/file; "
        "ln -s nowhere dir/link; mkfifo dir/fifo; : >dir/folder/inside")


@scenario(ENTRIES, verbs=RETURN, ids=("destination.dir.limit",))
def entries(kit):
    """Five, and `.` and `..` or not; not what is in a directory there."""
    directories.limited(kit, "destination.dir.limit", MANY,
                        ("5", True), ("8", False))


fault("destination.dir.limit", ENTRIES, edit=directories.no_limit)
fault("destination.dir.limit", ENTRIES,
      files={directories.SENTINEL: b'{"event":"version"}\n'})

# Readers

FICKLE = "a reader that hung up and listens again gets no second connection"
UNTIL = ("for i in $(seq 500); do test -e hungup && break; sleep 0.01; done")


@scenario(FICKLE, verbs=("004child",), ids=("failure.off",))
def fickle(kit):
    run = kit.run("004child", "sh", "-c", UNTIL, targets=("perf",),
                  listen=listen_odd.fickle("s"),
                  env={EVENT: "af_unix:stream:{}/s"})
    kit.equal("failure.off", (len(run.received), run.exit), (1, 0))
    kit.check("failure.off", is_whole("perf", run.log("perf")),
              "a whole PERF trace", run.log("perf"))


fault("failure.off", FICKLE, edit=lambda run: run.received.append(
    b'{"event":"child_exit"}\n') or run)
