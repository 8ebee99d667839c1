"""What the tests of `trace2 validate` share."""

import json
from pathlib import Path

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
SID = "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"


def event(name, /, **members):
    """A line of a log, without its LF."""
    common = {"event": name, "sid": SID, "thread": "main"}
    return compact({**common, **members})


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


VERSION = event("version", evt="4", exe="2.55.0")
START = event("start", t_abs=0.000482, argv=["git", "status"])
EXIT = event("exit", t_abs=1.5, code=0)
ATEXIT = event("atexit", t_abs=1.5, code=0)
# An event with one finding, whatever stands before it.
BROKEN = event("start", t_abs=0.000482)
BROKEN_ID = "event.start.argv"


def log(*lines):
    return b"".join(line + b"\n" for line in lines)


def read_jsonl(result):
    """The findings and the summary that --format jsonl printed."""
    *findings, summary = map(json.loads, result.stdout.splitlines())
    return findings, summary["summary"]


def places(findings):
    return [(f["id"], f["line"], f["column"]) for f in findings]


def alone(findings):
    """Without those about what stands between the events of a log."""
    return [f for f in findings if not f["id"].startswith("stream.")]


def told(findings):
    """All that is said of the places, but for the level."""
    keys = ("id", "line", "column", "width", "message")
    return [tuple(f[key] for key in keys) for f in findings]


def read_told(path):
    """The rows of an .expect file, as told() gives them."""
    rows = (row.split("\t") for row in path.read_text().splitlines())
    return [(row[0], *map(int, row[1:4]), row[4]) for row in rows]


def options(path):
    """The options that the log's folder asks for."""
    file = path.parent / "options"
    return file.read_text().split() if file.exists() else []


def read_expected(path):
    """The same, as places() gives them; what is told may be missing."""
    rows = (row.split("\t") for row in path.read_text().splitlines())
    return [(row[0], int(row[1]), int(row[2])) for row in rows]
