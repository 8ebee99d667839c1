"""Forms of events and values that a consumer takes or reads past."""

from unicodedata import category

from kit.faults import fault
from kit.kit import scenario
from kit.reading import (
    SID, begin, changed, end, event, log, lost, read, refused, start, takes,
    version,
)

MEBIBYTE = 2**20
TIMES = (
    "2026-01-02T03:04:06Z",
    "2026-01-02T03:04:06.1Z",
    "2026-01-02T03:04:06.123456789Z",
    "2026-01-02T03:04:07.000005+00:00",
    "2026-01-02T03:04:08.000005-08:30",
)
LATER = "2026-01-02T23:00:00.000000Z"
SECONDS = ("0", "3.4e-05", "0.5", "1", "1.000000000000001", "2E0")


def fact(**own):
    return event("data", **{"t_abs": 1, "t_rel": 1, "nesting": 1,
                            "category": "c", "key": "k", "value": "v", **own})


@scenario("times and seconds of every form are read",
          ids=("time.consumer",))
def times(kit):
    # That a time breaks time.utc is the writer's; it is read all the same.
    lines = [*begin(), *(event("cmd_mode", name="m", time=t) for t in TIMES),
             *end(time=LATER)]
    found = read(kit, log=lines)
    kit.equal("time.consumer", found.summary["events"], len(lines))
    kit.equal("time.consumer", [(f[0], f[1]) for f in found.findings],
              [("event.common.time", 3 + at) for at in range(len(TIMES))])
    lines = [version(), start(t_abs=0),
             *(fact(t_abs=7).replace(":7,", f":{text},") for text in SECONDS),
             *end(at=2)]
    takes(kit, "time.consumer", lines)


refused("time.consumer", "times and seconds of every form are read")
lost("time.consumer", "times and seconds of every form are read")


@scenario("events without time and place are taken", ids=("brief.consumer",))
def brief(kit):
    bare = {"time": None, "file": None, "line": None}
    takes(kit, "brief.consumer", [
        version(**bare), start(**bare),
        event("child_start", child_id=0, child_class="?", use_shell=False,
              argv=["x"], **bare),
        event("child_exit", child_id=0, pid=7, code=0, t_rel=0.1, **bare),
        event("exit", t_abs=1, code=0, **bare),
        event("atexit", t_abs=1, code=0, **bare),
    ])


refused("brief.consumer", "events without time and place are taken")


@scenario("data may have an integer", ids=("event.data.value-type",))
def integers(kit):
    """It is an error of the writer, and the reader has the event."""
    lines = [
        *begin(),
        *(fact(value=value) for value in (0, -5, 2**63, "5")),
        *end(at=2),
    ]
    found = read(kit, log=lines)
    kit.equal("event.data.value-type", found.summary["events"], len(lines))
    kit.equal("event.data.value-type",
              {name for name, _, _ in found.findings}, {"event.data.value"})


refused("event.data.value-type", "data may have an integer")


@scenario("what is not known is read past", ids=("version.open",))
def unknown(kit):
    lines = [*begin(), event("of_tomorrow", more={"a": [1, None]}),
             event("cmd_mode", name="m", extra="x"), *end()]
    found = read(kit, log=lines)
    kit.equal("version.open", (found.exit, found.errors), (0, 0))
    kit.equal("version.open", found.summary["events"], len(lines))


refused("version.open", "what is not known is read past")
lost("version.open", "what is not known is read past")


@scenario("newer version is read as the newest that is known",
          ids=("version.newer",))
def newer(kit):
    lines = [*begin(evt="9"), event("printf", t_abs=1, msg="x"),
             *end(at=2)]
    takes(kit, "version.newer", lines)
    found = read(kit, log=[*begin(evt="9"), event("printf", t_abs="1"),
                           *end()])
    kit.equal("version.newer",
              [name for name, _, _ in found.findings], ["event.printf.t_abs"])


refused("version.newer", "newer version is read as the newest that is known")


@scenario("process without a version is read", ids=("version.missing",))
def missing(kit):
    lines = [start(), *end(), event("atexit", f"{SID}/x", t_abs=1, code=0)]
    found = read(kit, log=lines)
    kit.equal("version.missing", found.summary["events"], len(lines))
    kit.equal("version.missing", found.summary["processes"], 2)
    kit.check("version.missing", found.exit in (0, 1), "a verdict",
              f"exit {found.exit}")


lost("version.missing", "process without a version is read")


# Bytes


@scenario("reading goes on behind a line that can't be read",
          ids=("input.continue", "input.glued"))
def broken(kit):
    bad = ['{"event":"start","sid', "{]", b"\xff{}", "", "[1]", "{}{}", "\0"]
    mode = event("cmd_mode", name=7)
    lines = [version()]
    for line in bad:
        lines += [line, mode]
    found = read(kit, log=lines)
    after = [n for name, n, _ in found.findings
             if name == "event.cmd_mode.name"]
    kit.equal("input.continue", after, [3 + 2 * n for n in range(len(bad))])
    torn = '{"event":"start","sid":"a' + mode
    found = read(kit, log=[version(), torn, *end()])
    kit.equal("input.glued", [name for name, _, _ in found.findings],
              ["input.torn-line", "event.cmd_mode.name"])


def forget(kept):
    """It reports nothing but what `kept` says."""

    def change(whole):
        whole["findings"] = [f for f in whole["findings"] if kept(f)]

    return changed(change)


fault("input.continue", "reading goes on behind a line that can't be read",
      edit=forget(lambda f: f["line"] < 3 or f["id"] == "input.torn-line"))
fault("input.glued", "reading goes on behind a line that can't be read",
      edit=forget(lambda f: f["line"] != 2))


def sized(size):
    """A line of that many bytes."""
    line = event("error", msg="", fmt="x").encode()
    return line.replace(b'""', b'"' + (size - len(line)) * b"m" + b'"')


@scenario("line of a mebibyte is read", ids=("input.long-line-read",))
def long_line(kit):
    line = sized(MEBIBYTE)
    takes(kit, "input.long-line-read", [*begin(), line, *end()])
    found = read(kit, log=[*begin(), line.replace(b'"x"', b"7"), *end()])
    kit.equal("input.long-line-read",
              [name for name, _, _ in found.findings], ["event.error.fmt"])


lost("input.long-line-read", "line of a mebibyte is read")


@scenario("lines that are too long are named",
          ids=("input.long-line", "input.huge-line"))
def too_long(kit):
    for name, size in (("input.long-line", MEBIBYTE),
                       ("input.huge-line", 16 * MEBIBYTE)):
        found = read(kit, log=[*begin(), sized(size + 1), *end()])
        kit.equal(name, [(f[0], f[1]) for f in found.findings], [(name, 3)])


# Inputs


@scenario("inputs that can't be read are named",
          ids=("input.empty", "input.unreadable", "input.other-format"))
def inputs(kit):
    good = log(*begin(), *end())
    for name, text in (("input.empty", b""),
                       ("input.other-format", b"hello\nworld\n")):
        found = read(kit, bad=text, log=good)
        kit.equal(name, [f[0] for f in found.findings], [name])
        kit.equal(name, found.summary["events"], 4)
    found = read(kit, log=good, absent=None)
    kit.equal("input.unreadable", [f[0] for f in found.findings],
              ["input.unreadable"])
    kit.equal("input.unreadable", found.exit, 3)


@scenario("lines between events are told once", ids=("input.between",))
def between(kit):
    whole = [*begin(), "Cloning into 'x'...", "done.",
             "10:00:00.000000 git.c:1                 trace: built-in: git x",
             *end()]
    found = read(kit, log=whole)
    kit.equal("input.between", [f[:2] for f in found.findings],
              [("input.between", 3)])
    kit.equal("input.between", found.summary["events"], 4)


@scenario("prefixes of lines are told once", ids=("input.carried",))
def carried(kit):
    found = read(kit, log=["> " + line for line in (*begin(), *end())])
    kit.equal("input.carried", [f[:2] for f in found.findings],
              [("input.carried", 1)])
    kit.equal("input.carried", found.summary["events"], 4)


@scenario("log in UTF-16 is read", ids=("input.utf16",))
def utf16(kit):
    good = log(*begin(), *end()).decode()
    for mark, form in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        found = read(kit, log=mark + good.encode(form))
        kit.equal("input.utf16", [f[0] for f in found.findings],
                  ["input.utf16"])
        kit.equal("input.utf16", found.summary["events"], 4)


def silent(name):
    return forget(lambda f: f["id"] != name)


fault("input.between", "lines between events are told once",
      edit=silent("input.between"))
fault("input.carried", "prefixes of lines are told once",
      edit=silent("input.carried"))
fault("input.utf16", "log in UTF-16 is read", edit=silent("input.utf16"))
fault("input.long-line", "lines that are too long are named",
      edit=silent("input.long-line"))
fault("input.huge-line", "lines that are too long are named",
      edit=silent("input.huge-line"))
for each in ("input.empty", "input.unreadable", "input.other-format"):
    fault(each, "inputs that can't be read are named", edit=silent(each))


@scenario("nothing of a log reaches a terminal as it is",
          ids=("privacy.untrusted",))
def untrusted(kit):
    bell = "\x1b]0;x\x07"
    lines = [version(), event(f"a{bell}"), event("exit", f"b{bell}", t_abs=1),
             event("exit", t_abs=bell, code=0), f'{{"event":"x{bell}"}}',
             event(f"line\nbreak\x9b1m")]
    for form in ("concise", "full"):
        run = kit.command("trace2", "validate", "--format", form,
                          f"name{bell}\n", targets=(),
                          files={f"name{bell}\n": log(*lines)})
        text = run.stdout.decode("utf-8", "replace")
        raw = [c for c in text if c != "\n" and category(c) == "Cc"]
        kit.equal("privacy.untrusted", raw, [])
        kit.check("privacy.untrusted", "version.unknown-event" in text,
                  "findings", text)
        kit.lacks("privacy.untrusted", text, "\nbreak")


fault("privacy.untrusted", "nothing of a log reaches a terminal as it is",
      stdout=(rb"\?\]0", b"\x1b]0"))
