"""What a worker of trace2-fleet does: one shard, or one merge of states.

Every result is a file in the folder of the run, which all workers see. It
appears when it is whole, so a task whose worker died is simply done again.
"""

import contextlib
import csv
import gzip
import hashlib
import heapq
import json
import os
import subprocess
import tempfile
from pathlib import Path

KEPT = 200  # lines of messages that a task hands on
HEAD = 1 << 16  # bytes of a log that hold its first SID
STATE_END = b"\nend\n"
UNREADABLE = "error[input.unreadable]"
MAGIC_ZSTD = b"\x28\xb5\x2f\xfd"


class Failed(Exception):
    """trace2 could not do it: which part of the run, and its message."""


class NothingRead(Failed):
    """No event could be read: the messages."""


def call_trace2(trace2, words, output, end=b""):
    """Write what it prints to `output`. Returns its messages; an empty list
    means that nothing was left out.

    Where a file can't be read to its end, trace2 prints what it could read,
    and its exit status is 3. That counts if the output has its end.
    """
    with tempfile.NamedTemporaryFile(dir=output.parent, delete=False) as part:
        done = subprocess.run([trace2, *map(os.fspath, words)], stdout=part,
                              stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, check=False)
    text = done.stderr.decode(errors="replace").splitlines()
    if done.returncode not in (0, 1) and not (
            end and done.returncode == 3 and has_end(part.name, end)):
        os.unlink(part.name)
        if done.returncode == 3 and any(UNREADABLE in line for line in text):
            raise NothingRead(*text[:KEPT])
        why = text[-1] if text else f"exit status {done.returncode}"
        raise Failed(f"trace2 {words[0]}: {why}")
    os.chmod(part.name, 0o644)
    os.replace(part.name, output)
    return text[:KEPT] if done.returncode else []


def has_end(path, end):
    with open(path, "rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - len(end)))
        return file.read() == end


def write_table(trace2, words, paths, table):
    """The rows of these files. trace2 puts the table in its place when it is
    whole, also where it could not read a file to its end."""
    part = table.with_suffix(".part")
    part.unlink(missing_ok=True)
    done = subprocess.run(
        [trace2, "table", *words, "-o", part, *paths], stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, check=False)
    if not part.exists():
        text = done.stderr.decode(errors="replace").splitlines()
        raise Failed("trace2 table: " + (text[-1] if text else "no output"))
    os.replace(part, table)


def fingerprint(paths, options):
    """Of what a shard reads: other files, or other options, another one."""
    whole = hashlib.sha256(json.dumps(options, sort_keys=True).encode())
    for path in paths:
        with contextlib.suppress(OSError):
            found = os.stat(path)
            path = f"{path}\0{found.st_size}\0{found.st_mtime_ns}"
        whole.update(os.fsencode(path) + b"\0\0")
    return whole.hexdigest()


def digest_of(path):
    whole = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            whole.update(piece)
    return whole.hexdigest()


def read_finished(folder, number, made_of):
    """What an earlier run made of the same shard, if it is still whole."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        done = json.loads((folder / f"{number}.done").read_text())
        if done["made_of"] == made_of and all(
                digest_of(folder / name) == digest
                for name, digest in done["files"].items()):
            return done["result"]
    return None


def keep_finished(folder, number, made_of, result, names):
    files = {name: digest_of(folder / name) for name in names}
    part = folder / f"{number}.done.part"
    part.write_text(json.dumps(
        {"made_of": made_of, "files": files, "result": result}))
    os.replace(part, folder / f"{number}.done")


def summarize_shard(trace2, folder, number, paths, options):
    """One shard: its state, its rows, and its slowest commands.

    paths: as trace2 shard lists them. options: `format` of the table, `rows`
    and `slowest`. Returns a dict with the number of the shard, the messages,
    and `slowest`: (microseconds, SID) of as many commands; None: no file of
    it could be read. What an earlier run finished is not done again.
    """
    folder = Path(folder)
    made_of = fingerprint(paths, options)
    found = read_finished(folder, number, made_of)
    if found:
        return found
    state = f"{number}.state"
    try:
        said = call_trace2(trace2, ["summary", "--format", "state", *paths],
                           folder / state, STATE_END)
    except NothingRead as nothing:
        return {"shard": number, "said": list(nothing.args), "slowest": None}
    table = folder / f"{number}.{options['format']}"
    write_table(trace2, ["--rows", options["rows"], "--format",
                         options["format"]], paths, table)
    result = {"shard": number, "said": said,
              "slowest": find_slowest(trace2, table, paths, options)}
    keep_finished(folder, number, made_of, result, (state, table.name))
    return result


def read_rows(table):
    """The rows of a table of text, as dicts. A field, such as a command line,
    may be as long as a line of a log."""
    csv.field_size_limit((1 << 31) - 1)
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
        write_table(trace2, ["--rows", "processes", "--format", "ndjson"],
                    paths, rows)
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


def is_below(sid, roots):
    return any(sid == one or sid.startswith(one + "/") for one in roots)


def find_files(paths, sids):
    """The files of these commands and of what they ran, and how many of the
    commands have none."""
    found = {}
    for path in paths:
        with contextlib.suppress(OSError):
            sid = first_sid(path) or ""
            if is_below(sid, sids):
                found[path] = sid
    begun = set(found.values())
    return list(found), sum(not is_below(sid, begun) for sid in sids)
