"""What a worker of trace2-fleet does: one shard, or one merge of states.

Every result is a file in the folder of the run, which all workers see. It
appears when it is whole, so a task whose worker died is simply done again.
"""

import contextlib
import csv
import gzip
import heapq
import json
import os
import subprocess
import tempfile
from pathlib import Path

KEPT = 200  # lines of messages that a task hands on
HEAD = 1 << 16  # bytes of a log that hold its first SID
MAGIC_ZSTD = b"\x28\xb5\x2f\xfd"


class Failed(Exception):
    """trace2 could not do it: which part of the run, and its message."""


def call_trace2(trace2, words, output):
    """Write what it prints to `output`. Returns its messages; an empty list
    means that nothing was left out."""
    with tempfile.NamedTemporaryFile(dir=output.parent, delete=False) as part:
        done = subprocess.run([trace2, *map(os.fspath, words)], stdout=part,
                              stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, check=False)
    text = done.stderr.decode(errors="replace").splitlines()
    if done.returncode not in (0, 1):
        os.unlink(part.name)
        why = text[-1] if text else f"exit status {done.returncode}"
        raise Failed(f"trace2 {words[0]}: {why}")
    os.chmod(part.name, 0o644)
    os.replace(part.name, output)
    return text[:KEPT] if done.returncode else []


def summarize_shard(trace2, folder, number, paths, options):
    """One shard: its state, its rows, and its slowest commands.

    paths: as trace2 shard lists them. options: `format` of the table, `rows`
    and `slowest`. Returns a dict with the number of the shard, the messages,
    and `slowest`: (microseconds, SID) of as many commands.
    """
    folder = Path(folder)
    said = call_trace2(trace2, ["summary", "--format", "state", *paths],
                       folder / f"{number}.state")
    words = ["table", "--rows", options["rows"], "--format",
             options["format"]]
    table = folder / f"{number}.{options['format']}"
    if options["format"] == "sqlite":
        part = table.with_suffix(".part")
        part.unlink(missing_ok=True)
        call_trace2(trace2, [*words, "-o", part, *paths], folder / "said")
        os.replace(part, table)
    else:
        call_trace2(trace2, [*words, *paths], table)
    return {"shard": number, "said": said,
            "slowest": find_slowest(trace2, table, paths, options)}


def read_rows(table):
    """The rows of a table of text, as dicts."""
    with table.open(encoding="utf-8", newline="") as lines:
        if table.suffix == ".csv":
            yield from csv.DictReader(lines)
        else:
            yield from map(json.loads, lines)


def find_slowest(trace2, table, paths, options):
    """[(microseconds, SID)] of the slowest commands, the slowest first."""
    rows = table
    if not options["slowest"]:
        return []
    if options["rows"] != "processes" or options["format"] == "sqlite":
        rows = table.with_suffix(".ndjson.rows")
        call_trace2(trace2, ["table", "--rows", "processes", "--format",
                             "ndjson", *paths], rows)
    found = heapq.nlargest(options["slowest"], (
        (int(row["wall_us"] or 0), row["sid"]) for row in read_rows(rows)))
    if rows != table:
        rows.unlink()
    return found


def merge_states(trace2, folder, name, states):
    """Merge states of the folder into another one. Returns its name."""
    folder = Path(folder)
    call_trace2(trace2, ["summary", "--merge", "--format", "state",
                         *(folder / state for state in states)],
                folder / name)
    return name


def read_head(path):
    """The first bytes of a log, which may be compressed."""
    with open(path, "rb") as log:
        head = log.read(HEAD)
    if head.startswith(b"\x1f\x8b"):
        with contextlib.suppress(OSError, EOFError), gzip.open(path) as log:
            return log.read(HEAD)
    if head.startswith(MAGIC_ZSTD):
        with contextlib.suppress(OSError), subprocess.Popen(
                ["zstd", "-dcq", path], stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL) as unpack:
            head = unpack.stdout.read(HEAD)
            unpack.kill()
    return head


def first_sid(path):
    """The SID of the first event of a log, or None."""
    for line in read_head(path).splitlines():
        with contextlib.suppress(ValueError, TypeError, KeyError):
            return str(json.loads(line)["sid"])
    return None


def find_files(paths, sids):
    """The files of these commands and of what they ran."""
    found = []
    for path in paths:
        with contextlib.suppress(OSError):
            sid = first_sid(path) or ""
            if any(sid == one or sid.startswith(one + "/") for one in sids):
                found.append(path)
    return found
