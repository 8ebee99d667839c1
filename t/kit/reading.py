"""What a consumer makes of a log: the scenarios of kit/consumer/ ask here.

A log is made of events as dictionaries, in which the common keys are filled
in. The consumer is called as `trace2 validate --format json FILE...`.
"""

import json

from kit.faults import fault
from kit.run import Absent

SID = "20260102T030405.000005Z-H63cf98d4-P000003e8"
TIME = "2026-01-02T03:04:05.000005Z"


def event(name, sid=SID, thread="main", **own):
    """A line of a log. A key with the value None is left out."""
    keys = {"event": name, "sid": sid, "thread": thread, "time": TIME,
            "file": "a.c", "line": 1, **own}
    kept = {k: v for k, v in keys.items() if v is not None}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def version(sid=SID, evt="4", **own):
    return event("version", sid, evt=evt, exe="x-1.0", **own)


def start(sid=SID, **own):
    return event("start", sid, t_abs=0.000005, argv=["x"], **own)


def begin(sid=SID, evt="4"):
    return [version(sid, evt), start(sid)]


def end(sid=SID, at=0.5):
    return [event("exit", sid, t_abs=at, code=0),
            event("atexit", sid, t_abs=at, code=0)]


def log(*lines):
    return b"".join(
        (line if isinstance(line, bytes) else line.encode()) + b"\n"
        for line in lines
    )


class Reading:
    """`findings` are triples of id, line and column, `errors` those that
    say so, `summary` is what was counted."""

    def __init__(self, run):
        self.exit = run.exit
        try:
            whole = json.loads(run.stdout)
        except ValueError as problem:
            raise Absent(f"no result: {problem}") from None
        self.summary = whole["summary"]
        # These logs are snippets: what holds between the events of a whole
        # one is for the corpora of stream.*.
        own = [f for f in whole["findings"]
               if not f["id"].startswith("stream.")]
        self.findings = [(f["id"], f["line"], f["column"]) for f in own]
        self.errors = sum(f["level"] == "error" for f in own)
        if self.exit == 1 and not self.errors:
            self.exit = 0


def read(kit, **files):
    """Have the consumer read these logs, `name=[line, ...]` or bytes; a
    file that is None does not exist."""
    made = {
        name: lines if isinstance(lines, bytes) else log(*lines)
        for name, lines in files.items() if lines is not None
    }
    run = kit.command("trace2", "validate", "--format", "json", *files,
                      targets=(), files=made)
    return Reading(run)


def takes(kit, name, lines):
    """It reads all of a log and finds nothing wrong with it."""
    found = read(kit, log=lines)
    kit.equal(name, found.findings, [])
    kit.equal(name, found.exit, 0)
    kit.equal(name, found.summary["events"], len(lines))
    return found


# What a consumer that does not conform would do


def changed(change):
    """An edit of what was printed, by a change of the parsed result."""

    def edit(run):
        whole = json.loads(run.stdout)
        change(whole)
        run.stdout = json.dumps(whole).encode() + b"\n"
        return run

    return edit


def refuse(whole):
    whole["findings"].append({"level": "error", "id": "event.start",
                              "file": "log", "line": 1, "column": 1})


def lose(whole):
    whole["summary"]["events"] -= 1


def refused(name, scenario):
    """It finds fault with the log."""
    fault(name, scenario, edit=changed(refuse))


def lost(name, scenario):
    """It does not read all of the log."""
    fault(name, scenario, edit=changed(lose))
